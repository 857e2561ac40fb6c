//! A match played one decision at a time, by somebody who thinks elsewhere: a door with many matches lets rules run and bots think on
//! threads of their own, and tells people of each decision when it is on their disk.

use super::{Session, waiting};
use crate::play::driver::Driver;
use crate::play::matches::{BrokenRule, Match, Status};
use crate::script::choice::AnswerError;

impl Session {
    /// Lets the rules run until somebody must choose, bots included, or the game is over.
    pub fn run_rules(&mut self) -> Result<Status, BrokenRule> {
        let status = self.played.advance();
        self.listen();
        self.transcript.over = matches!(status, Ok(Status::Over));
        status
    }

    /// The bot that is asked now, if there is one: the first of those that have not answered.
    pub fn asked_bot(&self) -> Option<u8> {
        let mut asked = self.played.choice().map(waiting).unwrap_or_default();
        asked.retain(|&seat| self.drivers[seat as usize].is_some());
        asked.first().copied()
    }

    /// Whether a bot plays a seat.
    pub fn is_bot(&self, seat: u8) -> bool {
        self.drivers.get(seat as usize).is_some_and(Option::is_some)
    }

    /// Lets a bot go and think about a copy of the match; it must come back with [`Session::come_back`].
    pub fn send_to_think(&mut self, seat: u8) -> Option<(Driver, Match)> {
        let driver = self.drivers.get_mut(seat as usize)?.take()?;
        Some((driver, self.fork()))
    }

    /// The bot sits on its seat again.
    pub fn come_back(&mut self, seat: u8, driver: Driver) {
        if let Some(place) = self.drivers.get_mut(seat as usize) {
            *place = Some(driver);
        }
    }

    /// The answer of a bot.
    pub fn answer_of_bot(&mut self, seat: u8, picked: &[u32]) -> Result<(), AnswerError> {
        self.note_answer(seat, picked)
    }

    /// A match of its own that stands where this one does.
    pub fn fork(&self) -> Match {
        let table = &self.played.table;
        let mut copy = Match::empty(self.played.game().clone(), table.players(), 0);
        copy.follow(&self.played);
        copy
    }
}

/// Which pieces some seats know, one set of bits after the other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Known(Vec<Vec<bool>>);

impl Known {
    /// Whether somebody knows a piece that was unknown to them before.
    pub fn is_more_than(&self, before: &Known) -> bool {
        let learned = |(now, then): (&Vec<bool>, &Vec<bool>)| {
            now.iter().zip(then).any(|(&now, &then)| now && !then)
        };
        self.0.iter().zip(&before.0).any(learned)
    }
}

impl Session {
    /// The pieces that these seats know now.
    pub fn known_to(&self, seats: &[u8]) -> Known {
        let table = &self.played.table;
        let pieces = table.state.pieces.len() as u32;
        let of = |&seat: &u8| {
            (0..pieces)
                .map(|piece| table.sees_piece(Some(seat), piece))
                .collect()
        };
        Known(seats.iter().map(of).collect())
    }

    /// Whether somebody may know that a seat is asked now. That players choose at once is open, what is asked of one in secret is not.
    pub fn is_known_to_be_asked(&self, seat: u8, viewer: Option<u8>) -> bool {
        let Some(choice) = self.played.choice() else {
            return false;
        };
        let table = &self.played.table;
        let open = choice.together && !table.game.lexicon.manners[choice.prompt as usize].secret;
        choice.ask(seat).is_some() && (open || choice.hearers(table, seat).include(viewer))
    }
}

impl Session {
    /// What a bot that is asked would answer, thought about on the spot.
    pub fn pick_now(&mut self, seat: u8) -> Result<Vec<u32>, BrokenRule> {
        match self.drivers.get_mut(seat as usize) {
            Some(Some(driver)) => driver.pick(&self.played),
            _ => Ok(Vec::new()),
        }
    }

    /// Notes answers that were given to the match itself.
    pub fn hear_answered(&mut self) {
        self.hear_answer();
    }

    /// Forgets the moments one could go back to, for those who take back by playing the transcript again.
    pub fn forget_former(&mut self) {
        self.former.clear();
        self.former.shrink_to_fit();
    }
}
