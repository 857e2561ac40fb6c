//! Coming, sitting down, looking from another seat, talking, going.

use super::{ChatLine, Guest, Sitting, WAITING_MESSAGES, WINDOWS};
use crate::house::{House, now};
use crate::kernel::Language;
use crate::refusal::Refusal;
use crate::store::ToKeep;
use serde_json::json;
use std::sync::Arc;
use tokio::sync::mpsc;

/// Letters of a name.
const NAME: usize = 24;
/// Letters of a line of chat.
const CHAT_LINE: usize = 300;
/// Lines of chat a page gets.
pub const CHAT_LINES: usize = 100;

impl Sitting {
    pub fn chair_of(&self, key: &str) -> Option<usize> {
        self.chairs.iter().position(|(known, _)| known == key)
    }

    /// A window opens: it hears everything from now on, `state` first.
    pub fn come(
        &mut self,
        number: u64,
        key: &str,
        language: Language,
    ) -> Result<mpsc::Receiver<Arc<str>>, Refusal> {
        let chair = self.chair_of(key).ok_or_else(Refusal::unknown_key)?;
        let windows = self.guests.iter().filter(|guest| guest.chair == chair);
        if windows.count() >= WINDOWS {
            return Err(Refusal::new(
                "too-many-windows",
                "Este asiento está abierto en demasiadas ventanas.",
                "This seat is open in too many windows.",
            ));
        }
        let (out, messages) = mpsc::channel(WAITING_MESSAGES);
        let you = self.seat_to_look_from(chair, None);
        self.guests.push(Guest {
            number,
            chair,
            you,
            language,
            out,
        });
        self.tell_state(number);
        self.tell_seats();
        Ok(messages)
    }

    pub fn leave(&mut self, number: u64) {
        self.guests.retain(|guest| guest.number != number);
        self.end_hint(number);
        self.forget_unused_eyes();
        self.tell_seats();
    }

    fn guest(&self, number: u64) -> Option<&Guest> {
        self.guests.iter().find(|guest| guest.number == number)
    }

    pub(super) fn guest_mut(&mut self, number: u64) -> Option<&mut Guest> {
        self.guests.iter_mut().find(|guest| guest.number == number)
    }

    /// The seats of a window.
    pub(super) fn seats_of(&self, number: u64) -> Vec<u8> {
        self.guest(number)
            .map_or_else(Vec::new, |guest| self.chairs[guest.chair].1.seats.clone())
    }

    pub fn language_of(&self, number: u64) -> Language {
        self.guest(number)
            .map_or_else(Language::default, |guest| guest.language)
    }

    /// The seat one looks from: the same as before unless another of one's own is asked.
    pub(super) fn seat_to_look_from(&self, chair: usize, before: Option<u8>) -> Option<u8> {
        let mine = &self.chairs[chair].1.seats;
        let asked = self.session.asked();
        let is_asked = |seat: &u8| asked.contains(seat);
        match before {
            Some(seat) if is_asked(&seat) => Some(seat),
            _ => mine
                .iter()
                .copied()
                .find(is_asked)
                .or(before)
                .or(mine.first().copied()),
        }
    }

    pub fn look(&mut self, number: u64, seat: u8) -> Result<(), Refusal> {
        if !self.seats_of(number).contains(&seat) {
            return Err(Refusal::not_allowed(
                "Ese asiento no es tuyo.",
                "That seat is not yours.",
            ));
        }
        if let Some(guest) = self.guest_mut(number) {
            guest.you = Some(seat);
        }
        self.tell_state(number);
        Ok(())
    }

    pub fn speak(&mut self, number: u64, language: Language) {
        if let Some(guest) = self.guest_mut(number) {
            guest.language = language;
        }
        self.tell_state(number);
    }

    /// A name and a colour for a seat.
    pub fn sit(
        &mut self,
        house: &House,
        number: u64,
        seat: u8,
        name: &str,
        color: Option<&str>,
    ) -> Result<(), Refusal> {
        if !self.seats_of(number).contains(&seat) {
            return Err(Refusal::not_allowed(
                "Ese asiento no es tuyo.",
                "That seat is not yours.",
            ));
        }
        let name = tidy(name);
        if name.is_empty() || name.chars().count() > NAME {
            return Err(Refusal::new(
                "bad-name",
                format!("Un nombre tiene de 1 a {NAME} letras."),
                format!("A name has 1 to {NAME} letters."),
            ));
        }
        let others = || (0..self.setup.who.len()).filter(|&other| other != usize::from(seat));
        if others().any(|other| {
            let taken = self.setup.names[other].as_deref();
            taken.is_some_and(|taken| taken.to_lowercase() == name.to_lowercase())
        }) {
            return Err(Refusal::new(
                "taken-name",
                format!("Ya hay alguien que se llama {name}."),
                format!("Somebody is called {name} already."),
            ));
        }
        if let Some(color) = color {
            let fits = color.len() <= NAME
                && color
                    .chars()
                    .all(|c| c.is_ascii_alphanumeric() || "_-".contains(c));
            if !fits {
                return Err(Refusal::bad_request("`color`"));
            }
            if others().any(|other| self.setup.colors[other].as_deref() == Some(color)) {
                return Err(Refusal::new(
                    "taken-color",
                    "Ese color ya es de otra persona.",
                    "That colour is somebody else's.",
                ));
            }
        }
        let mut setup = self.setup.clone();
        setup.names[usize::from(seat)] = Some(name);
        setup.colors[usize::from(seat)] = color.map(str::to_string);
        if setup != self.setup {
            let entry = ToKeep::Setup {
                id: self.id.clone(),
                setup: json!(setup).to_string(),
            };
            house.store.keep(entry).map_err(|_| Refusal::not_kept())?;
            self.setup = setup;
        }
        self.tell_seats();
        Ok(())
    }

    /// A line of chat.
    pub fn say(&mut self, house: &House, number: u64, text: &str) -> Result<(), Refusal> {
        if !self.setup.chat {
            return Err(Refusal::new(
                "chat-off",
                "En esta partida no se charla.",
                "There is no chat in this match.",
            ));
        }
        let text = tidy(text);
        if text.is_empty() || text.chars().count() > CHAT_LINE {
            return Err(Refusal::new(
                "too-long",
                format!("Una línea tiene de 1 a {CHAT_LINE} letras."),
                format!("A line has 1 to {CHAT_LINE} letters."),
            ));
        }
        let seat = self.guest(number).and_then(|guest| guest.you);
        let name = seat
            .and_then(|seat| self.setup.names[usize::from(seat)].clone())
            .unwrap_or_default();
        let line = ChatLine {
            seat,
            name,
            text,
            at: now(),
        };
        let entry = ToKeep::Chat {
            id: self.id.clone(),
            seat,
            name: line.name.clone(),
            text: line.text.clone(),
            at: line.at,
        };
        house.store.keep(entry).map_err(|_| Refusal::not_kept())?;
        let mut told = json!(line);
        told["type"] = json!("chat");
        self.chat.push(line);
        self.tell_all(&told);
        Ok(())
    }
}

/// One line, without what cannot be seen.
fn tidy(text: &str) -> String {
    let plain: String = text
        .chars()
        .map(|letter| if letter.is_whitespace() { ' ' } else { letter })
        .filter(|letter| !letter.is_control() && !is_invisible(*letter))
        .collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Marks that turn the direction of writing, or are nothing at all: a name must look like what it is.
fn is_invisible(letter: char) -> bool {
    matches!(letter, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}
