//! What happened, for those who watch: logs, replays and programs at the table. A simulation that needs none pays nothing.

use super::about::About;
use crate::content::definition::{Article, Text};

/// The seats that may hear of something, as bits; the highest bit is for those who only watch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hearers(u32);

const WATCHERS: u32 = 1 << 31;

impl Hearers {
    pub const ALL: Hearers = Hearers(u32::MAX);
    pub const NOBODY: Hearers = Hearers(0);

    pub fn only(seat: u8) -> Hearers {
        Hearers(1 << seat)
    }

    /// Those who only watch, or nobody.
    pub fn watchers(hear: bool) -> Hearers {
        Hearers(if hear { WATCHERS } else { 0 })
    }

    #[must_use]
    pub fn with(self, seat: u8) -> Hearers {
        Hearers(self.0 | 1 << seat)
    }

    #[must_use]
    pub fn and(self, other: Hearers) -> Hearers {
        Hearers(self.0 & other.0)
    }

    #[must_use]
    pub fn or(self, other: Hearers) -> Hearers {
        Hearers(self.0 | other.0)
    }

    /// These without those.
    #[must_use]
    pub fn without(self, others: Hearers) -> Hearers {
        Hearers(self.0 & !others.0)
    }

    /// Whether any of these ears is among the hearers.
    pub fn overlap(self, ears: Hearers) -> bool {
        self.0 & ears.0 != 0
    }

    /// The seat, if it is a single one.
    pub fn one_seat(self) -> Option<u8> {
        let seats = self.0 & !WATCHERS;
        (seats.count_ones() == 1).then(|| seats.trailing_zeros() as u8)
    }

    /// Whether a seat hears it; `None` is somebody who only watches.
    pub fn include(self, viewer: Option<u8>) -> bool {
        self.0 & viewer.map_or(WATCHERS, |seat| 1 << seat) != 0
    }
}

/// What fills one brace of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Detail {
    pub name: String,
    /// Its key, as options have one.
    pub key: String,
    pub text: Text,
    /// What each is called, if it is several things.
    pub members: Vec<Text>,
    pub article: Option<Article>,
    pub about: About,
}

/// One change or announcement. What not everybody may know says who may, decided at the moment it happens.
#[derive(Debug, Clone)]
pub enum Event {
    Round {
        number: u32,
    },
    /// A step begins: the script function's name and the player it is for.
    Step {
        function: String,
        seat: Option<u8>,
    },
    /// A log line the rules wrote, with its details as they were when it was said.
    Said {
        key: u32,
        details: Vec<Detail>,
        to: Hearers,
    },
    /// Nobody but the hearers is told that something was asked: a choice put off and one that never came must look the same.
    Chosen {
        seat: u8,
        prompt: u32,
        keys: Vec<String>,
        /// The same for people.
        labels: Vec<Text>,
        to: Hearers,
    },
    Rolled {
        die: usize,
        shown: Vec<i32>,
    },
    Shuffled {
        zone: u32,
    },
    /// A piece went from one zone to another; those who saw it before or see it now know its card.
    Moved {
        /// Its key.
        piece: u32,
        card: u32,
        from: u32,
        to: u32,
        /// It lay on top of what it left, or at the bottom: whoever watches can follow it.
        from_end: bool,
        seen_by: Hearers,
        /// Those who did not see it where it was.
        new_to: Hearers,
    },
    /// A piece was turned face up, or down.
    Turned {
        /// Its key.
        piece: u32,
        card: u32,
        up: bool,
        seen_by: Hearers,
        /// Those who did not see it before.
        new_to: Hearers,
    },
    /// An attribute of something changed.
    Changed {
        kind: u8,
        id: u32,
        slot: u16,
        from: i32,
        to: i32,
        seen_by: Hearers,
        /// Where the attribute holds a piece: who saw the former one, and the new one.
        pieces: (Hearers, Hearers),
    },
    Printed {
        text: String,
    },
    Ended,
}

impl Event {
    /// How many letters the rules say with it, in all languages, if it is something they say.
    pub fn talk(&self) -> Option<usize> {
        let of = |text: &Text| text.es.len() + text.en.len();
        let said = |detail: &Detail| {
            let members: usize = detail.members.iter().map(of).sum();
            detail.name.len() + detail.key.len() + of(&detail.text) + members
        };
        match self {
            Event::Said { details, .. } => Some(details.iter().map(said).sum()),
            Event::Printed { text } => Some(text.len()),
            _ => None,
        }
    }

    /// About how many bytes it takes.
    pub fn bytes(&self) -> usize {
        let more = match self {
            Event::Said { details, .. } => {
                let members = details.iter().map(|detail| detail.members.len());
                size_of_val(&details[..]) + members.sum::<usize>() * size_of::<Text>()
            }
            Event::Chosen { keys, labels, .. } => {
                let letters = labels.iter().map(|label| label.es.len() + label.en.len());
                let letters = letters.chain(keys.iter().map(String::len));
                size_of_val(&keys[..]) + size_of_val(&labels[..]) + letters.sum::<usize>()
            }
            Event::Rolled { shown, .. } => size_of_val(&shown[..]),
            Event::Step { function, .. } => function.len(),
            _ => 0,
        };
        size_of::<Event>() + more + self.talk().unwrap_or(0)
    }

    /// Whether a seat learnt something by it that it could not know before: dice, a piece it did not see, a word told to few.
    pub fn reveals_to(&self, seat: u8) -> bool {
        match self {
            Event::Rolled { .. } => true,
            Event::Moved { new_to, .. } | Event::Turned { new_to, .. } => {
                new_to.include(Some(seat))
            }
            Event::Said { to, .. } => *to != Hearers::ALL && to.include(Some(seat)),
            _ => false,
        }
    }
}
