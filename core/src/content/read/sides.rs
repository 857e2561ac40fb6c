//! Sides: who plays with whom. The side of each player is an attribute like others, which every game with sides has.

use super::attributes::{VisibleWord, visibility};
use super::field::Names;
use super::reader::{At, Entries, Read, Reader, record};
use crate::content::definition::{Attribute, AttributeType, Definition, Per, Seats, Side, Text};
use crate::content::diagnostic::{Code, Diagnostic};
use crate::content::tree::{Datum, Node};
use crate::limits::MOST_PLAYERS;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use std::borrow::Cow;

/// The attribute of players that holds their side.
pub const SIDE: &str = "side";

record! {
    /// Who plays with whom.
    pub struct SidesFile("the sides") {
        /// Who knows which side a player is on: all if left out, `team` for partners alone, `owner` for the player.
        visible: Option<At<VisibleWord>>,
        /// The sides, by id.
        of: Entries<SideFile>,
    }
}

record! {
    /// A side.
    pub struct SideFile("a side") {
        /// What it is called.
        text: Text,
        /// Who is on it: a list of seats, `all`, `even`, `odd`, or `rest` for whoever no other side names; left out if `setup` deals it.
        seats: Option<SeatsFile>,
    }
}

/// A list of seats, or a word for some.
#[derive(Debug, Clone)]
pub struct SeatsFile(Seats);

const WORDS: [&str; 4] = ["all", "even", "odd", "rest"];

impl Read for SeatsFile {
    fn read(node: &Node, reader: &mut Reader) -> Option<Self> {
        if let Datum::List(_) = node.value {
            let seats = Vec::<At<u8>>::read(node, reader)?;
            for seat in &seats {
                reader.within(seat.value.into(), &seat.place, 0, MOST_PLAYERS as i64 - 1);
            }
            let seats = seats.iter().map(|seat| seat.value).collect();
            return Some(SeatsFile(Seats::Listed(seats)));
        }
        Some(SeatsFile(match reader.word(node, "seats", &WORDS)? {
            "even" => Seats::Even,
            "odd" => Seats::Odd,
            "rest" => Seats::Rest,
            _ => Seats::All,
        }))
    }
}

impl JsonSchema for SeatsFile {
    fn schema_name() -> Cow<'static, str> {
        "Seats".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [
            { "type": "array", "items": { "type": "integer", "minimum": 0 } },
            { "enum": WORDS },
        ] })
    }
}

/// The sides of a game, and the attribute that holds them.
pub fn read(
    file: Option<SidesFile>,
    definition: &mut Definition,
    names: &mut Names,
    reader: &mut Reader,
) {
    let Some(file) = file else { return };
    let mut words = Vec::new();
    for (name, side) in file.of {
        reader.id(&name.value, &name.place);
        if definition.attributes.player.iter().any(|a| a.name == SIDE) && words.is_empty() {
            let message = "with [sides] every player has a `side` already";
            let problem = Diagnostic::new(Code::DuplicateId, message).at(&name.place);
            reader.report(problem.help("give the attribute another name"));
            return;
        }
        let word = names.word(&name.value);
        words.push(word);
        definition.sides.push(Side {
            name: name.value,
            word,
            text: side
                .as_ref()
                .map(|side| side.text.clone())
                .unwrap_or_default(),
            seats: side.and_then(|side| side.seats).map(|seats| seats.0),
        });
    }
    definition.attributes.player.push(Attribute {
        name: SIDE.to_string(),
        ty: AttributeType::Word(words),
        start: -1,
        min: -1,
        max: i32::MAX,
        per: Per::One,
        visible: visibility(file.visible, true, reader),
        kept_in: Vec::new(),
        campaign: false,
        text: Some(Text {
            es: "Bando".to_string(),
            en: "Side".to_string(),
        }),
    });
}
