//! The match as it was: answers are played again on a table of its own, for one seat's eyes, without touching the match.

use super::hearing::{Hearing, LINES, ears};
use super::{Setup, Table, seated};
use crate::kernel::{self, Event, Language, Selection, Session, Transcript, heard};
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

impl Table {
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

    fn start(&self) -> Session {
        seated(
            &self.boxed,
            &self.setup,
            self.transcript.seed,
            &self.selection,
        )
    }

    /// Plays one more answer and hears what it brings; `false` at the end.
    fn step(&self, session: &mut Session, hearing: &mut Hearing, events: &mut Vec<Event>) -> bool {
        let next = session.transcript.lines.len();
        let more = match self.transcript.lines.get(next) {
            Some(_) => self.transcript.answer(&mut session.played, next).is_ok(),
            None => false,
        };
        session.hear_answered();
        let ran = session.run_rules().is_ok();
        let heard = session.take_heard();
        heard.iter().for_each(|event| hearing.hear(event));
        events.extend(heard);
        more && ran
    }

    fn at(&self, wanted: u64) -> Json {
        let mut session = self.start();
        let mut hearing = Hearing::new(self.setup.who.len());
        let mut before = None;
        let mut events = Vec::new();
        let broke = session.run_rules().is_err();
        let first = session.take_heard();
        first.iter().for_each(|event| hearing.hear(event));
        events.extend(first);
        while !broke && hearing.count(self.you) < wanted {
            let reached = hearing.count(self.you);
            let mut next = Vec::new();
            let more = self.step(&mut session, &mut hearing, &mut next);
            if hearing.count(self.you) > reached {
                before = Some(reached);
                events = next;
            } else {
                events.extend(next);
            }
            if !more {
                break;
            }
        }
        let at = hearing.count(self.you);
        let table = &session.played.table;
        let told: Vec<Json> = events
            .iter()
            .filter_map(|event| heard::json(table, event, ears(self.you), self.language))
            .collect();
        let view = kernel::view(table, self.you, self.language);
        let now = session.now.clone();
        let round = table.state.round;
        let mut after = None;
        while after.is_none() && self.step(&mut session, &mut hearing, &mut Vec::new()) {
            after = Some(hearing.count(self.you)).filter(|&count| count > at);
        }
        while self.step(&mut session, &mut hearing, &mut Vec::new()) {}
        json!({
            "type": "past", "at": at, "before": before, "after": after, "now": hearing.count(self.you),
            "view": view, "events": told, "round": round,
            "step": now.as_ref().map(|now| now.function.clone()), "seat": now.and_then(|now| now.seat),
        })
    }

    fn lines_before(&self, before: u64) -> Json {
        let mut session = self.start();
        let mut hearing = Hearing::whole(self.setup.who.len());
        // A match whose rules have changed is heard as far as it goes.
        let _ = session.follow(&self.transcript);
        session
            .take_heard()
            .iter()
            .for_each(|event| hearing.hear(event));
        let (lines, more) = hearing.lines(&session, self.you, self.language, before);
        debug_assert!(lines.len() <= LINES);
        json!({ "type": "log", "lines": lines, "more": more })
    }
}
