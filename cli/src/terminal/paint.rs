//! Emphasis and the colours of seats, on a terminal that shows them. A colour never says what no letter says too.

use ludoteca::definition::Data;
use ludoteca::{Shown, View};
use std::io::IsTerminal;

const STRONG: &str = "\x1b[1m";
const FAINT: &str = "\x1b[2m";
const PLAIN: &str = "\x1b[0m";

/// The colours of seats, in order.
const SEATS: [&str; 12] = [
    "\x1b[91m", "\x1b[94m", "\x1b[92m", "\x1b[93m", "\x1b[95m", "\x1b[96m", "\x1b[31m", "\x1b[34m",
    "\x1b[32m", "\x1b[33m", "\x1b[35m", "\x1b[36m",
];

/// Words of games for colours, as a terminal has them.
const WORDS: &[(&str, &str)] = &[
    ("red", "\x1b[91m"),
    ("blue", "\x1b[94m"),
    ("green", "\x1b[92m"),
    ("yellow", "\x1b[93m"),
    ("purple", "\x1b[95m"),
    ("pink", "\x1b[95m"),
    ("orange", "\x1b[33m"),
    ("brown", "\x1b[33m"),
    ("black", "\x1b[90m"),
    ("grey", "\x1b[90m"),
    ("gray", "\x1b[90m"),
    ("white", "\x1b[97m"),
];

/// Everything this program says to a terminal by way of emphasis; whatever else looks like a command is shown, not obeyed.
pub const COMMANDS: &[&str] = &[
    PLAIN, STRONG, FAINT, "\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[34m", "\x1b[35m", "\x1b[36m",
    "\x1b[90m", "\x1b[91m", "\x1b[92m", "\x1b[93m", "\x1b[94m", "\x1b[95m", "\x1b[96m", "\x1b[97m",
];

/// Emphasis, on a terminal that shows it.
#[derive(Debug, Clone, Copy)]
pub struct Paint {
    on: bool,
}

impl Paint {
    pub fn new() -> Paint {
        let wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        Paint {
            on: wanted && std::io::stdout().is_terminal(),
        }
    }

    /// For a file, or a test.
    pub fn plain() -> Paint {
        Paint { on: false }
    }

    pub fn strong(self, text: &str) -> String {
        self.with(STRONG, text)
    }

    pub fn faint(self, text: &str) -> String {
        self.with(FAINT, text)
    }

    /// In the colour of a seat.
    pub fn seat(self, colors: &Colors, seat: u8, text: &str) -> String {
        self.with(colors.of(seat), text)
    }

    pub fn is_on(self) -> bool {
        self.on
    }

    fn with(self, code: &str, text: &str) -> String {
        match self.on && !text.is_empty() {
            true => format!("{code}{text}{PLAIN}"),
            false => text.to_string(),
        }
    }
}

/// The colour of each seat: the one it has in the game, or the next one that is free.
#[derive(Debug, Clone, Default)]
pub struct Colors {
    seats: Vec<&'static str>,
}

impl Colors {
    pub fn new(view: &View, look: &Data) -> Colors {
        let attribute = match look {
            Data::Table(table) => table.get("players"),
            _ => None,
        };
        let attribute = attribute.and_then(|players| match players {
            Data::Table(table) => table.get("color"),
            _ => None,
        });
        let own = |seat: usize| {
            let Some(Data::Text(name)) = attribute else {
                return None;
            };
            match view.players[seat].attributes.get(name) {
                Some(Shown::Name(word)) => WORDS.iter().find(|(known, _)| known == word),
                _ => None,
            }
            .map(|(_, code)| *code)
        };
        let mut seats: Vec<Option<&str>> = (0..view.players.len()).map(own).collect();
        for seat in 0..seats.len() {
            if seats[seat].is_none() {
                let free = SEATS.iter().find(|code| !seats.contains(&Some(**code)));
                seats[seat] = free.or(SEATS.get(seat % SEATS.len())).copied();
            }
        }
        Colors {
            seats: seats.into_iter().flatten().collect(),
        }
    }

    fn of(&self, seat: u8) -> &'static str {
        self.seats.get(seat as usize).copied().unwrap_or(PLAIN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_colour_reaches_the_terminal() {
        let used = SEATS.iter().chain(WORDS.iter().map(|(_, code)| code));
        for code in used {
            assert!(COMMANDS.contains(code), "{code:?}");
        }
    }
}
