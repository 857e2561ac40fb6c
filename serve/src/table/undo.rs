//! Taking back: as far as nothing was revealed, and as the table's rule allows.

use super::Sitting;
use crate::house::{House, now};
use crate::kernel::Event;
use crate::refusal::Refusal;
use crate::store::ToKeep;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

/// Whether one may take back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum UndoRule {
    /// As one likes.
    Free,
    /// If the others agree.
    Consent,
    /// Never.
    None,
}

/// Somebody would like to take back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wish {
    pub seat: u8,
    /// Who has not agreed yet.
    pub waits_for: Vec<u8>,
}

impl Sitting {
    /// Notes whether the last answer let a person know more than before.
    pub(super) fn note_revealed(&mut self, events: &[Event]) {
        let persons = self.persons();
        let to_anybody = |event: &Event| persons.iter().any(|&seat| event.reveals_to(seat));
        let revealed = events.iter().any(to_anybody);
        self.revealed
            .resize(self.session.transcript.lines.len(), revealed);
    }

    /// The answer a seat would take back, or why it cannot.
    fn taken_back_by(&self, seats: &[u8]) -> Result<usize, &'static str> {
        let lines = &self.session.transcript.lines;
        if self.setup.undo == UndoRule::None || self.session.transcript.over {
            return Err("not-allowed");
        }
        let last = lines.iter().rposition(|line| seats.contains(&line.seat));
        let last = last.ok_or("nothing-to-undo")?;
        if self.revealed[last..].contains(&true) {
            return Err("revealed");
        }
        let by_another_person =
            |line: &crate::kernel::Line| !seats.contains(&line.seat) && !self.is_bot(line.seat);
        match lines[last..].iter().any(by_another_person) {
            true => Err("not-allowed"),
            false => Ok(last),
        }
    }

    /// What a page shows of it.
    pub(super) fn undo_json(&self, seats: &[u8]) -> Json {
        let may = self.taken_back_by(seats);
        json!({
            "rule": self.setup.undo,
            "may": may.is_ok(),
            "why": may.err(),
            "wish": self.wish.as_ref().map(|wish| json!({ "seat": wish.seat, "waits_for": wish.waits_for })),
        })
    }

    /// A window takes back its last choice, or asks the others whether it may.
    pub fn undo(&mut self, house: &House, number: u64) -> Result<(), Refusal> {
        let seats = self.seats_of(number);
        let answer = self.taken_back_by(&seats).map_err(refused)?;
        let seat = self.session.transcript.lines[answer].seat;
        let mut others = self.persons();
        others.retain(|other| !seats.contains(other));
        if self.setup.undo == UndoRule::Consent && !others.is_empty() {
            self.wish = Some(Wish {
                seat,
                waits_for: others,
            });
            self.tell_seats();
            return Ok(());
        }
        self.take_back(house, answer)
    }

    /// An answer to somebody's wish.
    pub fn consent(&mut self, house: &House, number: u64, yes: bool) -> Result<(), Refusal> {
        let seats = self.seats_of(number);
        let Some(mut wish) = self.wish.take() else {
            return Err(Refusal::new(
                "nothing-to-undo",
                "Nadie pide deshacer nada.",
                "Nobody asks to take anything back.",
            ));
        };
        if !wish.waits_for.iter().any(|seat| seats.contains(seat)) {
            self.wish = Some(wish);
            return Err(Refusal::not_asked());
        }
        if yes {
            wish.waits_for.retain(|seat| !seats.contains(seat));
            if wish.waits_for.is_empty() {
                let answer = self.taken_back_by(&[wish.seat]).map_err(refused)?;
                return self.take_back(house, answer);
            }
            self.wish = Some(wish);
        }
        self.tell_seats();
        Ok(())
    }

    fn take_back(&mut self, house: &House, answer: usize) -> Result<(), Refusal> {
        let answers = self.session.transcript.lines.len() - answer;
        let entry = ToKeep::Lines {
            id: self.id.clone(),
            from: self.rows,
            lines: vec![format!("undo {answers}")],
            at: now(),
        };
        house.store.keep(entry).map_err(|_| Refusal::not_kept())?;
        self.rows += 1;
        self.rebuild(answer);
        self.kept = answer;
        self.tell_states();
        Ok(())
    }
}

fn refused(why: &'static str) -> Refusal {
    match why {
        "revealed" => Refusal::new(
            why,
            "No se puede deshacer: después se supo algo que estaba oculto.",
            "It cannot be taken back: something hidden became known since.",
        ),
        "nothing-to-undo" => Refusal::new(
            why,
            "No hay nada que deshacer.",
            "There is nothing to take back.",
        ),
        _ => Refusal::not_allowed(
            "En esta partida, o ahora, no se puede deshacer.",
            "In this match, or now, nothing can be taken back.",
        ),
    }
}
