//! Choices that do not matter: what becomes of each option of some choices, on a copy of the table.

use ludoteca::{Match, Status, Wanted};

/// One choice in so many is weighed.
const EVERY: u64 = 16;
/// Options of a choice that is weighed, at most.
const OPTIONS: u32 = 12;

/// Choices whose options were tried, and those at which it made no difference to whoever chose.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Weighed {
    pub choices: u32,
    pub alike: u32,
}

/// Somebody who weighs choices of matches at one table.
#[derive(Debug)]
pub struct Weighing {
    copy: Match,
    pub found: Weighed,
}

impl Weighing {
    pub fn new(played: &Match) -> Weighing {
        let mut copy = Match::empty(played.game().clone(), played.table.players(), 0);
        for seat in 0..played.table.players() {
            copy.seat_asked(seat);
        }
        Weighing {
            copy,
            found: Weighed::default(),
        }
    }

    /// Looks at an open choice, now and then. Options that lead to the same opinion of the game at the next choice are alike.
    pub fn look(&mut self, played: &Match, seat: u8) {
        let decisions = played.table.state.tally.decisions;
        let Some(choice) = played.choice() else {
            return;
        };
        let count = choice.count(&played.table, seat);
        let is_plain = choice.wanted == Wanted::One && (2..=OPTIONS).contains(&count);
        if !decisions.is_multiple_of(EVERY) || !is_plain || played.game().calls.evaluate.is_none() {
            return;
        }
        let values: Option<Vec<i64>> = (0..count)
            .map(|option| self.value_of(played, seat, option))
            .collect();
        // A rule that breaks on the way is told when a game meets it.
        let Some(values) = values else { return };
        self.found.choices += 1;
        self.found.alike += u32::from(values.iter().all(|value| *value == values[0]));
    }

    fn value_of(&mut self, played: &Match, seat: u8, option: u32) -> Option<i64> {
        self.copy.follow(played);
        self.copy.answer(seat, &[option]).ok()?;
        match self.copy.advance().ok()? {
            Status::Asking => {}
            _ if self.copy.is_over() => {}
            _ => return None,
        }
        self.copy.evaluate(seat).ok()
    }
}
