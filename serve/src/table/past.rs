//! The match as it was: answers are played again on a table of its own, for one seat's eyes, without touching the match.

use super::hearing::{Hearing, LINES};
use super::{Setup, Sitting, sitters};
use crate::kernel::{Event, Language, Selection, Session, Transcript};
use crate::shelf::Boxed;
use serde_json::{Value as Json, json};
use std::sync::Arc;

/// All that is needed to play a match again somewhere else.
#[derive(Debug)]
pub struct Recall {
    boxed: Arc<Boxed>,
    setup: Setup,
    transcript: Transcript,
    selection: Selection,
    you: Option<u8>,
    language: Language,
}

/// What of the past is wanted.
#[derive(Debug, Clone, Copy)]
pub enum Past {
    /// The table after an event.
    At(u64),
    /// Lines of the log before an event.
    LinesBefore(u64),
}

impl Sitting {
    pub fn recall(&self, number: u64) -> Option<Recall> {
        let guest = self.guests.iter().find(|guest| guest.number == number)?;
        Some(Recall {
            boxed: self.boxed.clone(),
            setup: self.setup.clone(),
            transcript: self.session.transcript.clone(),
            selection: self.selection.clone(),
            you: guest.you,
            language: guest.language,
        })
    }
}

impl Recall {
    pub fn told(&self, past: Past) -> Json {
        match past {
            Past::At(at) => self.at(at),
            Past::LinesBefore(before) => self.lines_before(before),
        }
    }

    /// The match from its beginning.
    fn start(&self) -> Replay<'_> {
        let seats = sitters(&self.setup);
        let game = self.boxed.game.clone();
        let session = Session::new(game, seats, self.transcript.seed, &self.selection);
        let mut replay = Replay {
            transcript: &self.transcript,
            session,
            hearing: Hearing::whole(self.setup.who.len()),
            heard: 0,
            goes_on: true,
        };
        replay.run();
        replay
    }

    fn at(&self, wanted: u64) -> Json {
        let mut replay = self.start();
        let mut before = None;
        let mut first = 0;
        while replay.goes_on && replay.hearing.count(self.you) < wanted {
            let (reached, told) = (replay.hearing.count(self.you), replay.heard);
            replay.step();
            if replay.hearing.count(self.you) > reached {
                (before, first) = (Some(reached), told);
            }
        }
        let at = replay.hearing.count(self.you);
        let session = &replay.session;
        let told: Vec<Json> = session
            .told_since(first)
            .iter()
            .filter_map(|event: &Event| session.heard(event, self.you, self.language))
            .map(|heard| json!(heard))
            .collect();
        let view = session.view(self.you, self.language);
        let figures = self
            .you
            .and_then(|seat| session.figures(seat, self.language));
        let (now, round) = (session.now.clone(), session.round());
        let mut after = None;
        while replay.goes_on {
            replay.step();
            after = after.or(Some(replay.hearing.count(self.you)).filter(|&count| count > at));
        }
        json!({
            "type": "past", "at": at, "before": before, "after": after, "now": replay.hearing.count(self.you),
            "view": view, "events": told, "round": round, "figures": figures,
            "step": now.as_ref().map(|now| now.function.clone()), "seat": now.and_then(|now| now.seat),
        })
    }

    fn lines_before(&self, before: u64) -> Json {
        let mut replay = self.start();
        while replay.goes_on {
            replay.step();
        }
        let (lines, more) = replay
            .hearing
            .lines(&replay.session, self.you, self.language, before);
        debug_assert!(lines.len() <= LINES);
        json!({ "type": "log", "lines": lines, "more": more })
    }
}

/// A match that is played again.
struct Replay<'a> {
    transcript: &'a Transcript,
    session: Session,
    hearing: Hearing,
    heard: usize,
    /// Whether there is a next answer that fits. A match whose rules have changed is heard as far as it goes.
    goes_on: bool,
}

impl Replay<'_> {
    /// Lets the rules run after an answer, and listens.
    fn run(&mut self) {
        self.goes_on &= self.session.run_rules().is_ok();
        for event in self.session.told_since(self.heard) {
            self.hearing.hear(event);
        }
        self.heard = self.session.told();
        self.goes_on &= self.session.transcript.lines.len() < self.transcript.lines.len();
    }

    /// One more answer, and what it brings.
    fn step(&mut self) {
        let next = self.session.transcript.lines.len();
        self.goes_on &= self.session.follow_one(self.transcript, next).is_ok();
        self.run();
    }
}
