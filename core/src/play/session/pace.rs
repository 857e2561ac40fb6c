//! A match played one decision at a time by a door with many matches: rules run and bots think on threads of their own, and people
//! are told of a decision when it is on the door's own disk.

use super::Session;
use crate::play::driver::Driver;
use crate::play::matches::{BrokenRule, Match, Status};
use crate::play::say::Language;
use crate::play::view::{self, Heard};
use crate::table::choice::AnswerError;
use crate::table::event::Event;

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
        let mut asked = self.asked().into_iter();
        asked.find(|&seat| self.is_bot(seat))
    }

    /// What a bot that is asked would answer, thought about on the spot.
    pub fn pick_now(&mut self, seat: u8) -> Result<Vec<u32>, BrokenRule> {
        match self.drivers.get_mut(seat as usize) {
            Some(Some(driver)) => driver.pick(&self.played),
            _ => Ok(Vec::new()),
        }
    }

    /// Lets a bot go and think about a copy of the match; it must come back with [`Session::come_back`].
    pub fn send_to_think(&mut self, seat: u8) -> Option<(Driver, Match)> {
        let driver = self.drivers.get_mut(seat as usize)?.take()?;
        Some((driver, self.copy_of_match()))
    }

    /// The match at this moment, for somebody who thinks about it.
    pub fn copy_of_match(&self) -> Match {
        self.played.copied()
    }

    /// The bot sits on its seat again.
    pub fn come_back(&mut self, seat: u8, driver: Driver) {
        if let Some(place) = self.drivers.get_mut(seat as usize) {
            *place = Some(driver);
        }
    }

    /// The answer of a bot.
    pub fn answer_of_bot(&mut self, seat: u8, picked: &[u32]) -> Result<(), AnswerError> {
        self.take_answer(seat, picked)
    }

    /// Forgets the moments one could go back to, for those who take back by playing the transcript again.
    pub fn forget_former(&mut self) {
        self.former = Vec::new();
    }

    /// Everything that happened from the event with this number on, for those who tell it to several viewers.
    pub fn told_since(&self, since: usize) -> &[Event] {
        let skipped = since.saturating_sub(self.forgotten).min(self.told.len());
        &self.told[skipped..]
    }

    /// What a viewer hears of one of them.
    pub fn heard(&self, event: &Event, viewer: Option<u8>, language: Language) -> Option<Heard> {
        view::heard(&self.played.table, event, viewer, language)
    }

    /// Whether somebody may know that a seat is, or was, among those who choose at the same time.
    pub fn is_known_to_take_part(&self, seat: u8, viewer: Option<u8>) -> bool {
        let together = self.played.choice().filter(|choice| choice.together());
        together.is_some_and(|choice| {
            let mut asks = choice.asks.iter();
            choice.asks.iter().any(|ask| ask.seat == seat)
                && asks.any(|ask| self.is_known_to_be_asked(ask.seat, viewer))
        })
    }

    /// Whether somebody may know that a seat is asked now. That players choose at once is open, what is asked of one in secret is not.
    pub fn is_known_to_be_asked(&self, seat: u8, viewer: Option<u8>) -> bool {
        let Some(choice) = self.played.choice() else {
            return false;
        };
        let table = &self.played.table;
        let open = choice.together() && !table.game.lexicon.manners[choice.prompt as usize].secret;
        choice.ask(seat).is_some() && (open || choice.hearers(table, seat).include(viewer))
    }
}
