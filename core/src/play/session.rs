//! A match with everybody at its table: bots answer by themselves, the others are asked, and answers can be taken back.

pub mod pace;

use super::driver::{Chooser, Driver};
use super::journal::{Journal, JournalError, NotKept};
use super::matches::{BrokenRule, Match, Position, Status};
use super::transcript::{Transcript, TranscriptError};
use crate::content::library::Selection;
use crate::limits::TAKEN_BACK;
use crate::script::choice::{AnswerError, Choice};
use crate::script::event::{Event, Hearers};
use crate::script::game::Game;
use std::path::Path;
use std::sync::Arc;

/// The step being played: the script function and whose it is.
#[derive(Debug, Clone)]
pub struct Now {
    pub function: String,
    pub seat: Option<u8>,
}

/// The moment before somebody from outside answered.
#[derive(Debug)]
struct Moment {
    seat: u8,
    position: Position,
    answers: usize,
    now: Option<Now>,
}

/// Why a match cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum Stopped {
    #[error(transparent)]
    Broken(#[from] BrokenRule),
    #[error("a bot gave an answer that was not offered: {0}")]
    Bot(#[from] AnswerError),
    #[error(transparent)]
    NotKept(#[from] NotKept),
}

/// Why an answer does not count.
#[derive(Debug, thiserror::Error)]
pub enum NotTaken {
    #[error(transparent)]
    Answer(#[from] AnswerError),
    #[error(transparent)]
    NotKept(#[from] NotKept),
}

/// Who sits down on a seat: a name for those who read the transcript, and how it chooses if nobody outside does.
#[derive(Debug)]
pub struct Sitter {
    pub name: String,
    pub chooser: Option<Box<dyn Chooser>>,
}

/// One match with its seats, for whoever lets people or programs play it.
#[derive(Debug)]
pub struct Session {
    pub played: Match,
    pub transcript: Transcript,
    pub now: Option<Now>,
    drivers: Vec<Option<Driver>>,
    former: Vec<Moment>,
    heard: Vec<Event>,
    /// Where the match is kept, and how many of its answers are there.
    journal: Option<Journal>,
    kept: usize,
}

impl Session {
    pub fn new(game: Arc<Game>, sitters: Vec<Sitter>, seed: u64, selection: &Selection) -> Session {
        let players = sitters.len() as u8;
        let mut transcript = Transcript::new(&game, players, seed);
        transcript.seats = sitters.iter().map(|sitter| sitter.name.clone()).collect();
        transcript.variants = selection.variants.clone();
        transcript.settings = selection
            .set
            .iter()
            .map(|(key, value)| format!("{key}={value}"))
            .collect();
        let driver = |(seat, sitter): (u8, Sitter)| {
            let chooser = sitter.chooser?;
            Some(Driver::new(chooser, seat, seed))
        };
        let mut played = Match::new(game, players, seed);
        played.table.events = Some(Vec::new());
        Session {
            played,
            transcript,
            now: None,
            drivers: (0..).zip(sitters).map(driver).collect(),
            former: Vec::new(),
            heard: Vec::new(),
            journal: None,
            kept: 0,
        }
    }

    /// Keeps the match in a file from now on: whatever counts is on disk before anybody is told of it.
    pub fn keep_in(&mut self, path: &Path) -> Result<(), JournalError> {
        self.journal = Some(Journal::begin(path, &self.transcript)?);
        self.kept = self.transcript.lines.len();
        Ok(())
    }

    /// Keeps this match where another one was kept.
    pub fn keep_instead_of(&mut self, other: &mut Session) -> Result<(), NotKept> {
        self.journal = other.journal.take();
        self.kept = self.transcript.lines.len();
        match &mut self.journal {
            Some(journal) => journal.begin_again(&self.transcript),
            None => Ok(()),
        }
    }

    /// Goes on until somebody from outside must choose, or the game is over.
    pub fn go_on(&mut self) -> Result<Status, Stopped> {
        let status = self.let_bots_answer();
        self.transcript.over = matches!(status, Ok(Status::Over));
        self.keep()?;
        status
    }

    fn let_bots_answer(&mut self) -> Result<Status, Stopped> {
        loop {
            let status = self.played.advance();
            self.listen();
            if status? == Status::Over {
                return Ok(Status::Over);
            }
            let waiting: Vec<u8> = self.played.choice().map(waiting).unwrap_or_default();
            let Some(&seat) = waiting
                .iter()
                .find(|&&seat| self.drivers[seat as usize].is_some())
            else {
                return Ok(Status::Asking);
            };
            if let Some(driver) = &mut self.drivers[seat as usize] {
                let picked = driver.pick(&self.played)?;
                self.note_answer(seat, &picked)?;
            }
        }
    }

    /// Who listens from outside: the only one at the table who is no bot hears what is for that seat; several hear what is for all.
    pub fn ears(&self) -> Hearers {
        let mut outside = (0..self.drivers.len()).filter(|&seat| self.drivers[seat].is_none());
        match (outside.next(), outside.next()) {
            (Some(seat), None) => Hearers::only(seat as u8),
            _ => Hearers::watchers(true),
        }
    }

    /// The seats that are asked from outside now.
    pub fn asked(&self) -> Vec<u8> {
        self.played.choice().map(waiting).unwrap_or_default()
    }

    /// An answer from outside, by the numbers of the options.
    pub fn answer(&mut self, seat: u8, picked: &[u32]) -> Result<(), NotTaken> {
        let moment = self.moment(seat);
        self.note_answer(seat, picked)?;
        self.remember(moment);
        Ok(self.keep()?)
    }

    /// The same, by their keys.
    pub fn answer_keys(&mut self, seat: u8, keys: &[String]) -> Result<(), NotTaken> {
        let choice = self.played.choice().ok_or(AnswerError::NotAsked(seat))?;
        let picked = choice.find(&self.played.table, seat, keys)?;
        self.answer(seat, &picked)
    }

    /// Back to the former choice of a seat; `false` if there is none.
    pub fn undo(&mut self, seat: u8) -> Result<bool, NotKept> {
        match self.former.iter().rposition(|moment| moment.seat == seat) {
            Some(at) => self.go_back(at).map(|()| true),
            None => Ok(false),
        }
    }

    /// Back to the last choice anybody from outside answered; `false` if there is none.
    pub fn back_to_last_choice(&mut self) -> Result<bool, NotKept> {
        match self.former.len().checked_sub(1) {
            Some(at) => self.go_back(at).map(|()| true),
            None => Ok(false),
        }
    }

    /// What happened since this was last asked.
    pub fn take_heard(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.heard)
    }

    /// Plays the answers of a transcript as far as they fit; the match then stands right before the first that does not.
    pub fn follow(&mut self, other: &Transcript) -> Result<(), TranscriptError> {
        for at in 0..other.lines.len() {
            self.played.advance()?;
            self.listen();
            let seat = other.lines[at].seat;
            let moment = self.moment(seat);
            other.answer(&mut self.played, at)?;
            self.hear_answer();
            if self.drivers.get(seat as usize).is_some_and(Option::is_none) {
                self.remember(moment);
            }
        }
        Ok(())
    }

    fn moment(&self, seat: u8) -> Moment {
        let answers = self.transcript.lines.len();
        Moment {
            seat,
            position: self.played.position(),
            answers,
            now: self.now.clone(),
        }
    }

    fn remember(&mut self, moment: Moment) {
        if self.former.len() == 2 * TAKEN_BACK {
            self.former.drain(..TAKEN_BACK);
        }
        self.former.push(moment);
    }

    fn go_back(&mut self, at: usize) -> Result<(), NotKept> {
        let moment = &self.former[at];
        if let Some(journal) = &mut self.journal
            && self.kept > moment.answers
        {
            journal.undo(self.kept - moment.answers)?;
            self.kept = moment.answers;
        }
        self.played.restore(&moment.position);
        self.transcript.lines.truncate(moment.answers);
        self.now.clone_from(&moment.now);
        self.former.truncate(at);
        self.heard.clear();
        if let Some(events) = &mut self.played.table.events {
            events.clear();
        }
        Ok(())
    }

    /// Puts on disk what has been answered since.
    fn keep(&mut self) -> Result<(), NotKept> {
        if let Some(journal) = &mut self.journal {
            let new = &self.transcript.lines[self.kept..];
            journal.note(new, self.transcript.over)?;
            self.kept = self.transcript.lines.len();
        }
        Ok(())
    }

    fn note_answer(&mut self, seat: u8, picked: &[u32]) -> Result<(), AnswerError> {
        self.played.answer(seat, picked)?;
        self.hear_answer();
        Ok(())
    }

    fn hear_answer(&mut self) {
        let events = self
            .played
            .table
            .events
            .replace(Vec::new())
            .unwrap_or_default();
        self.transcript.note(&self.played.table, &events);
        self.heard.extend(events);
    }

    fn listen(&mut self) {
        let events = self
            .played
            .table
            .events
            .replace(Vec::new())
            .unwrap_or_default();
        for event in events {
            if let Event::Step { function, seat } = &event {
                self.now = Some(Now {
                    function: function.clone(),
                    seat: *seat,
                });
            }
            self.heard.push(event);
        }
    }
}

/// The seats that have not answered yet.
fn waiting(choice: &Choice) -> Vec<u8> {
    choice
        .asks
        .iter()
        .filter(|ask| ask.answer.is_none())
        .map(|ask| ask.seat)
        .collect()
}
