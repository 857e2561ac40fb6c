//! Wins that nobody can prevent, found by going through everything that may be answered. Only where two play, nothing is hidden and luck
//! has no part in it: there a line is not an opinion but a proof.

use super::options::{self, Candidate};
use crate::model::streams::Stream;
use crate::play::driver::Door;
use crate::play::matches::{Match, Position, Status};

/// Positions looked at for each line that may be thought about.
const FOR_A_LINE: u32 = 20;

/// What is known for certain of the answers to an open choice.
#[derive(Debug, Default)]
pub struct Fates {
    /// Answers that win in the fewest decisions, whatever follows.
    pub winning: Vec<Candidate>,
    /// Looks of the answers after which the other can force a win.
    pub losing: Vec<u64>,
}

/// Which answers that win are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wins {
    /// One is enough.
    First,
    /// All that win as soon as the first.
    All,
}

/// Looks for wins that can be forced, further and further ahead, as long as so many lines would take.
pub fn fates(door: &mut Door, luck: &mut Stream, lines: u32, wins: Wins) -> Fates {
    let mut fates = Fates::default();
    let seat = door.seat();
    let together = door.is_together();
    let imagined = door.imagine(luck);
    let guessed = imagined.guessed();
    let ahead = imagined.ahead();
    let against_each_other = ahead.table.players() == 2 && ahead.table.first_of_side(1) == 1;
    if together || guessed || !against_each_other {
        return fates;
    }
    let mut open = options::candidates(ahead, seat, luck, None);
    let from = ahead.position();
    let mut proof = Proof {
        ahead,
        luck,
        spares: Vec::new(),
        streams: from.streams().clone(),
        left: lines.saturating_mul(FOR_A_LINE),
        cut: true,
    };
    for depth in 0.. {
        if !proof.cut || !fates.winning.is_empty() {
            break;
        }
        proof.cut = false;
        let mut still_open = Vec::with_capacity(open.len());
        for candidate in open {
            match proof.fate(&from, seat, &candidate, depth) {
                Some(Fate::Won) => {
                    fates.winning.push(candidate);
                    if wins == Wins::First {
                        return fates;
                    }
                }
                Some(Fate::Lost) => fates.losing.push(candidate.looks),
                Some(Fate::Open) => still_open.push(candidate),
                None => return fates,
            }
        }
        open = still_open;
    }
    fates
}

/// What is known for certain of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    Won,
    Open,
    Lost,
}

struct Proof<'a> {
    ahead: &'a mut Match,
    luck: &'a mut Stream,
    /// Memory of positions.
    spares: Vec<Position>,
    /// The luck to come, as long as nobody has used any.
    streams: Vec<Stream>,
    /// Positions that may still be looked at.
    left: u32,
    /// Whether some line went on beyond where it was looked at.
    cut: bool,
}

impl Proof<'_> {
    /// `None` if it cannot be known, or would take too long.
    fn fate(
        &mut self,
        from: &Position,
        seat: u8,
        candidate: &Candidate,
        depth: u32,
    ) -> Option<Fate> {
        for (who, fate) in [(seat, Fate::Won), (1 - seat, Fate::Lost)] {
            self.ahead.restore(from);
            self.ahead.answer(seat, candidate.pick.numbers()).ok()?;
            if self.wins(who, depth)? {
                return Some(fate);
            }
        }
        Some(Fate::Open)
    }

    /// Whether somebody wins within so many decisions, whatever the other does.
    fn wins(&mut self, who: u8, depth: u32) -> Option<bool> {
        self.left = self.left.checked_sub(1)?;
        if self.ahead.advance().ok()? == Status::Over {
            let ranking = self.ahead.ranking().ok()?;
            let first = ranking.iter().filter(|place| place.place == 1);
            return Some(first.map(|place| place.seat).eq([who]));
        }
        if *self.ahead.table.state.streams != self.streams {
            return None;
        }
        let choice = self.ahead.choice().filter(|choice| !choice.together())?;
        let seat = choice.waiting()?;
        if depth == 0 {
            self.cut = true;
            return Some(false);
        }
        let tried = options::candidates(self.ahead, seat, self.luck, None);
        let mut from = match self.spares.pop() {
            Some(spare) => spare,
            None => self.ahead.position(),
        };
        self.ahead.note_position(&mut from);
        let mut wins = Some(seat != who);
        for (n, candidate) in tried.iter().enumerate() {
            if n > 0 {
                self.ahead.restore(&from);
            }
            self.ahead.answer(seat, candidate.pick.numbers()).ok()?;
            match self.wins(who, depth - 1) {
                Some(won) if won != (seat == who) => {}
                decided => {
                    wins = decided;
                    break;
                }
            }
        }
        self.spares.push(from);
        wins
    }
}
