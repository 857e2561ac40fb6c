//! What windows are told: everything at once (`state`), or what one decision changed (`moment`). Nothing here depends on what a seat may not see.

use super::hearing::LINES;
use super::patch::patch;
use super::sitting::CHAT_LINES;
use super::{Chair, Sitting};
use crate::kernel::{Event, Language};
use serde_json::{Map as Object, Value as Json, json};
use std::sync::Arc;
use tokio::sync::mpsc::error::TrySendError;

/// From where somebody looks: their chair, the seat, the language. Windows that share it are told the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Perspective {
    pub chair: usize,
    pub you: Option<u8>,
    pub language: Language,
}

/// What was last told to a perspective.
#[derive(Debug)]
pub(super) struct Eye {
    view: Json,
    status: Object<String, Json>,
}

impl Sitting {
    /// Everything, for one window.
    pub(super) fn tell_state(&mut self, number: u64) {
        let Some(guest) = self.guests.iter().find(|guest| guest.number == number) else {
            return;
        };
        let perspective = Perspective {
            chair: guest.chair,
            you: guest.you,
            language: guest.language,
        };
        let state = self.state(perspective);
        self.post(number, &state.to_string().into());
    }

    /// Everything, for all windows.
    pub(super) fn tell_states(&mut self) {
        self.eyes.clear();
        let windows: Vec<(u64, usize, Option<u8>)> = self
            .guests
            .iter()
            .map(|guest| (guest.number, guest.chair, guest.you))
            .collect();
        for (number, chair, you) in windows {
            let you = self.seat_to_look_from(chair, you);
            if let Some(guest) = self.guest_mut(number) {
                guest.you = you;
            }
            self.tell_state(number);
        }
    }

    fn state(&mut self, perspective: Perspective) -> Json {
        let Perspective {
            chair,
            you,
            language,
        } = perspective;
        let view = json!(self.session.view(you, language));
        let status = self.status(perspective);
        let (log, more) = self.hearing.lines(&self.session, you, language, u64::MAX);
        let opens = self.chairs[chair].1.clone();
        let chat = self.setup.chat.then(|| {
            let from = self.chat.len().saturating_sub(CHAT_LINES);
            json!(self.chat[from..])
        });
        let mut told = json!({
            "type": "state", "match": self.id, "declaration": self.boxed.declaration.id, "lang": language,
            "n": self.hearing.count(you), "you": you, "mine": opens.seats, "view": view,
            "log": log, "log_more": more, "chat": chat,
            "may": { "download": self.may_download(&opens), "hint": !opens.seats.is_empty() },
            "content": self.content_json(language), "problem": self.problem,
            "links": self.links(&opens),
        });
        if let Json::Object(fields) = &mut told {
            fields.extend(status.clone());
        }
        self.eyes.insert(perspective, Eye { view, status });
        debug_assert!(log_fits(&told));
        told
    }

    /// The others' links, for whoever made the match.
    fn links(&self, chair: &Chair) -> Json {
        if !chair.maker {
            return Json::Null;
        }
        let others = self
            .chairs
            .iter()
            .filter(|(_, other)| !other.maker && !other.seats.is_empty());
        let seats: Vec<Json> = others
            .map(|(key, other)| json!({ "seat": other.seats[0], "key": key }))
            .collect();
        let watch = self.chairs.iter().find(|(_, other)| other.seats.is_empty());
        json!({ "seats": seats, "watch": watch.map(|(key, _)| key) })
    }

    /// What changes with every decision besides the view.
    fn status(&mut self, perspective: Perspective) -> Object<String, Json> {
        let Perspective {
            chair,
            you,
            language,
        } = perspective;
        let mine = self.chairs[chair].1.seats.clone();
        let asked = self.session.asked();
        let offers: Vec<Json> = match self.other_content.is_some() {
            true => Vec::new(),
            false => mine
                .iter()
                .filter(|seat| asked.contains(seat))
                .filter_map(|&seat| self.offer(seat, language))
                .collect(),
        };
        let mut status = Object::new();
        let figures = you.and_then(|seat| self.session.figures(seat, language));
        status.insert("figures".into(), json!(figures));
        status.insert("now".into(), self.now(language));
        status.insert("offers".into(), json!(offers));
        status.insert("seats".into(), self.seats_json(&mine, you));
        status.insert("undo".into(), self.undo_json(&mine));
        status.insert("end".into(), self.end(language));
        status
    }

    fn now(&self, language: Language) -> Json {
        let round = self.session.round();
        let all = &self.boxed.game.definition;
        let Some(now) = &self.session.now else {
            return json!({ "round": round, "step": null, "seat": null, "text": null });
        };
        let phase = all
            .phases
            .iter()
            .find(|phase| phase.step.name == now.function);
        let text = phase
            .and_then(|phase| phase.text.as_ref())
            .or_else(|| all.texts.step.get(&now.function));
        json!({
            "round": round, "step": now.function, "seat": now.seat,
            "text": text.map(|text| language.of(text)),
        })
    }

    /// What a seat is asked, worked out once for each question and language.
    fn offer(&mut self, seat: u8, language: Language) -> Option<Json> {
        if let Some(known) = self.offers.get(&(seat, language)) {
            return Some(known.clone());
        }
        let ask = self.ask(seat);
        let mut told = json!(self.session.offer(seat, language)?);
        told["ask"] = json!(ask);
        self.offers.insert((seat, language), told.clone());
        Some(told)
    }

    fn seats_json(&self, mine: &[u8], you: Option<u8>) -> Json {
        let asked = self.session.asked();
        let table = self.session.table();
        let doing = |seat: u8| {
            let is_known = mine.contains(&seat) || self.session.is_known_to_be_asked(seat, you);
            let took_part = self.session.is_known_to_take_part(seat, you);
            match () {
                () if table.state.is_out(seat) => "out",
                () if asked.contains(&seat) && is_known && self.is_bot(seat) => "thinking",
                () if asked.contains(&seat) && is_known => "asked",
                () if took_part => "chosen",
                () => "waiting",
            }
        };
        let here = |seat: u8| {
            self.is_bot(seat)
                || self
                    .guests
                    .iter()
                    .any(|guest| self.chairs[guest.chair].1.seats.contains(&seat))
        };
        (0..self.setup.who.len() as u8)
            .map(|seat| {
                let at = usize::from(seat);
                json!({
                    "seat": seat, "name": self.setup.names[at], "color": self.setup.colors[at], "who": self.setup.who[at],
                    "here": here(seat), "doing": doing(seat),
                })
            })
            .collect()
    }

    fn end(&mut self, language: Language) -> Json {
        match self.session.ending(language) {
            Ok(ending) => json!(ending),
            // The match is over, and its scores cannot be asked.
            Err(broken) => json!({
                "ranking": { "broken": broken.to_string() }, "reason": self.session.reason_key(),
                "text": self.session.reason(language), "rounds": self.session.round(),
            }),
        }
    }

    /// One decision and what followed, to all windows: to each what it may know, and nothing if that is nothing.
    pub(super) fn tell_moment(&mut self, events: &[Event]) {
        let windows: Vec<(u64, Perspective)> = self
            .guests
            .iter()
            .map(|guest| {
                let perspective = Perspective {
                    chair: guest.chair,
                    you: guest.you,
                    language: guest.language,
                };
                (guest.number, perspective)
            })
            .collect();
        let mut told: Vec<(Perspective, Option<Arc<str>>)> = Vec::new();
        for (number, perspective) in windows {
            let you = self.seat_to_look_from(perspective.chair, perspective.you);
            if you != perspective.you {
                if let Some(guest) = self.guest_mut(number) {
                    guest.you = you;
                }
                self.tell_state(number);
                continue;
            }
            let message = match told.iter().find(|(known, _)| *known == perspective) {
                Some((_, message)) => message.clone(),
                None => {
                    let message = self.moment(perspective, events).map(Arc::from);
                    told.push((perspective, message.clone()));
                    message
                }
            };
            if let Some(message) = message {
                self.post(number, &message);
            }
        }
        self.forget_unused_eyes();
    }

    fn moment(&mut self, perspective: Perspective, events: &[Event]) -> Option<String> {
        let Perspective { you, language, .. } = perspective;
        let heard: Vec<Json> = events
            .iter()
            .filter_map(|event| self.session.heard(event, you, language))
            .map(|heard| json!(heard))
            .collect();
        let view = json!(self.session.view(you, language));
        let status = self.status(perspective);
        let eye = self.eyes.get(&perspective);
        let changes = patch(eye.map_or(&Json::Null, |eye| &eye.view), &view);
        let same = eye.is_some_and(|eye| eye.status == status);
        if heard.is_empty() && changes.is_empty() && same {
            return None;
        }
        let mut told = json!({ "type": "moment", "n": self.hearing.count(you), "events": heard, "patch": changes });
        if let Json::Object(fields) = &mut told {
            fields.extend(status.clone());
        }
        self.eyes.insert(perspective, Eye { view, status });
        Some(told.to_string())
    }

    /// Who came, left, sat down, or asks for something.
    pub(super) fn tell_seats(&mut self) {
        let windows: Vec<(u64, usize, Option<u8>)> = self
            .guests
            .iter()
            .map(|guest| (guest.number, guest.chair, guest.you))
            .collect();
        for (number, chair, you) in windows {
            let mine = self.chairs[chair].1.seats.clone();
            let told = json!({ "type": "seats", "seats": self.seats_json(&mine, you), "undo": self.undo_json(&mine) });
            self.post(number, &told.to_string().into());
        }
    }

    pub(super) fn tell_all(&mut self, told: &Json) {
        let text: Arc<str> = told.to_string().into();
        let numbers: Vec<u64> = self.guests.iter().map(|guest| guest.number).collect();
        for number in numbers {
            self.post(number, &text);
        }
    }

    /// Who reads too slowly is sent away: the window connects again and gets the whole state.
    pub(super) fn post(&mut self, number: u64, text: &Arc<str>) {
        let Some(guest) = self.guests.iter().find(|guest| guest.number == number) else {
            return;
        };
        if let Err(TrySendError::Full(_) | TrySendError::Closed(_)) =
            guest.out.try_send(text.clone())
        {
            self.guests.retain(|guest| guest.number != number);
        }
    }

    /// What was told to those who have gone need not be remembered.
    pub(super) fn forget_unused_eyes(&mut self) {
        let guests = &self.guests;
        self.eyes.retain(|eye, _| {
            guests.iter().any(|guest| {
                guest.chair == eye.chair && guest.you == eye.you && guest.language == eye.language
            })
        });
    }

    /// What the lobby says of the match to whoever has a key.
    pub fn summary(&mut self, key: &str) -> Option<Json> {
        let chair = self.chair_of(key)?;
        let mine = self.chairs[chair].1.seats.clone();
        let you = self.seat_to_look_from(chair, None);
        let asked: Vec<u8> = self
            .session
            .asked()
            .into_iter()
            .filter(|seat| mine.contains(seat) || self.session.is_known_to_be_asked(*seat, you))
            .collect();
        let your_turn = asked.iter().any(|seat| mine.contains(seat));
        let question = |language| self.session.question(language).filter(|_| your_turn);
        let prompt =
            question(Language::Es).map(|es| json!({ "es": es, "en": question(Language::En) }));
        let last = self.hearing.last(&self.session, you, Language::Es).map(
            |es| json!({ "es": es, "en": self.hearing.last(&self.session, you, Language::En) }),
        );
        let all = &self.boxed.game.definition;
        Some(json!({
            "key": key, "match": self.id, "game": all.id, "title": all.title, "selection": all.selection,
            "seats": self.seats_json(&mine, you), "mine": mine, "asked": asked, "your_turn": your_turn,
            "over": self.session.transcript.over, "round": self.session.round(), "prompt": prompt, "last": last,
            "n": self.hearing.count(you), "begun": self.begun, "touched": self.touched,
            "problem": self.problem, "declaration": self.boxed.declaration.id,
        }))
    }
}

fn log_fits(state: &Json) -> bool {
    state["log"]
        .as_array()
        .is_some_and(|log| log.len() <= LINES)
}
