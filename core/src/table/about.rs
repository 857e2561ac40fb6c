//! What an option or a word in a line of the log is about: something on the table that a reader can point at.

use super::Table;
use crate::model::value::{self, Object, Val, handle, small};
use ludoteca_vm::{Host, Value};
use serde::Serialize;

/// One thing on the table, by the names the view uses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum About {
    Space {
        space: String,
    },
    /// A border, from one space to another.
    Edge {
        from: String,
        to: String,
    },
    Area {
        area: String,
    },
    /// A piece: its key is the one it has in the view.
    Piece {
        key: u32,
        card: String,
        zone: Option<String>,
    },
    Card {
        card: String,
    },
    Zone {
        zone: String,
    },
    Player {
        seat: u8,
    },
    Amount {
        amount: i64,
    },
    Word {
        word: String,
    },
    /// Dice thrown together, from high to low.
    Dice {
        dice: Vec<i64>,
    },
    Yes,
    No,
    /// Several things that are one option.
    Several {
        of: Vec<About>,
    },
}

impl About {
    pub fn new(table: &Table, value: &Val) -> About {
        match value {
            Value::Bool(true) => About::Yes,
            Value::Bool(false) => About::No,
            Value::Int(amount) => About::Amount { amount: *amount },
            Value::Handle(handle::PLAYER, seat) => About::Player { seat: *seat as u8 },
            Value::Handle(handle::SPACE, space) => About::Space {
                space: table.space_id(*space).to_string(),
            },
            Value::Handle(handle::EDGE, id) => {
                let (from, to) = value::ends(*id);
                About::Edge {
                    from: table.space_id(from).to_string(),
                    to: table.space_id(to).to_string(),
                }
            }
            Value::Handle(handle::AREA, _) => About::Area {
                area: table.display(value),
            },
            Value::Handle(handle::PIECE, piece) => {
                let zone = table.state.pieces[*piece as usize].zone;
                About::Piece {
                    key: *piece,
                    card: table.display(&table.card_of(value)),
                    zone: table
                        .layout
                        .zones
                        .get(zone as usize)
                        .map(|_| table.zone_key(zone)),
                }
            }
            Value::Handle(handle::CARD, _) => About::Card {
                card: table.display(value),
            },
            Value::Handle(handle::ZONE, zone) => About::Zone {
                zone: table.zone_key(*zone),
            },
            Value::Small(small::DICE, _) => dice(table, value),
            Value::Object(object) if matches!(&**object, Object::Dice(_)) => dice(table, value),
            Value::Array(_) | Value::Small(..) | Value::Object(_) => About::Several {
                of: (0..table.count(value) as i64)
                    .filter_map(|n| table.nth(value, n))
                    .map(|member| About::new(table, &member))
                    .collect(),
            },
            other => About::Word {
                word: table.display(other),
            },
        }
    }
}

fn dice(table: &Table, value: &Val) -> About {
    let thrown = (0..table.count(value) as i64).filter_map(|n| table.nth(value, n));
    About::Dice {
        dice: thrown.filter_map(|die| die.as_int()).collect(),
    }
}
