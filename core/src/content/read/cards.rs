//! Cards: what is printed on them, and how many there are.

use super::field::{self, Around, Names};
use super::reader::{At, Read, Reader, record};
use crate::content::definition::{Card, Definition, Kind, Text};
use crate::content::diagnostic::{Code, Diagnostic};
use crate::content::tree::{Entry, Node};
use crate::limits::{DEEPEST_CARD, MOST_COPIES};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use std::borrow::Cow;

/// The keys every card may have; all others are fields of its kind.
pub const OWN: &[&str] = &["copies", "name", "text"];
/// Keys of a card written inside another.
const OWN_IN_PLACE: &[&str] = &["name", "text"];

record! {
    /// Cards (or recruits, plants, markers, tokens) of one kind.
    pub struct CardsFile("a file of cards") {
        /// The kind, as the manifest declares it.
        kind: String,
        /// The cards by id.
        cards: CardsById,
    }
}

/// A deck: one card of the kind `deck`, in a file of its own.
#[derive(Debug, Clone)]
pub struct DeckFile;

/// The cards themselves depend on their kind: this stands for them in the schema.
#[derive(Debug, Clone)]
pub struct CardsById;

/// A card and the kind its file names.
pub struct FoundCard<'a> {
    pub id: &'a str,
    pub entry: &'a Entry,
    pub kind: &'a Node,
}

/// Gives each card its number, so that fields can name cards of any file.
pub fn number(found: &[FoundCard<'_>], names: &mut Names, reader: &mut Reader) {
    for (index, card) in found.iter().enumerate() {
        reader.id(card.id, &card.entry.key);
        names.cards.insert(card.id.to_string(), index as u32);
    }
}

pub fn read(
    found: &[FoundCard<'_>],
    definition: &mut Definition,
    names: &mut Names,
    reader: &mut Reader,
) {
    for card in found {
        let kind = kind_of(card.kind, definition, reader);
        let what = format!("the card `{}`", card.id);
        let mut read = Card {
            id: card.id.to_string(),
            kind: kind.unwrap_or_else(|| unknown_kind(card.kind, definition)) as u32,
            copies: 1,
            name: Text::default(),
            text: None,
            fields: Vec::new(),
            origin: card.entry.node.place.origin(),
        };
        if let Some(table) = reader.table(&card.entry.node, "a card") {
            let name: Option<Text> = reader.field(&card.entry.node, table, "name", &what, OWN);
            read.name = name.unwrap_or_default();
            read.text = table.get("text").and_then(|e| Text::read(&e.node, reader));
            if let Some(copies) = table.get("copies") {
                let copies = reader.int(&copies.node, 0, MOST_COPIES);
                read.copies = copies.unwrap_or(1) as u32;
            }
            let kinds = names.kinds.clone();
            if let Some((_, fields)) = kind.and_then(|kind| kinds.get(kind)) {
                let place = &card.entry.node.place;
                names.around = Around {
                    id: read.id.clone(),
                    name: read.name.clone(),
                    text: read.text.clone(),
                    holds: 0,
                    depth: 0,
                };
                read.fields = field::values(&what, place, table, OWN, fields, names, reader);
            }
        }
        definition.cards.push(read);
    }
    definition.cards.append(&mut names.in_place);
}

/// Cards of a kind written inside another card: they are named after it, and no copies of them lie about.
pub fn in_place(
    node: &Node,
    of: &At<String>,
    names: &mut Names,
    reader: &mut Reader,
) -> Option<Vec<u32>> {
    let kinds = names.kinds.clone();
    // An unknown kind is reported where it is named.
    let kind = kinds.iter().position(|(name, _)| *name == of.value)?;
    let items = reader.list(node, &format!("a list of cards of the kind `{}`", of.value))?;
    if names.around.depth >= DEEPEST_CARD {
        let message = format!("at most {DEEPEST_CARD} cards are written inside each other");
        reader.report(Diagnostic::new(Code::OutOfRange, message).at(&node.place));
        return None;
    }
    let mut numbers = Vec::new();
    for item in items {
        let inherited = field::letters(&names.around.name)
            + names.around.text.as_ref().map_or(0, field::letters);
        if !names.has_room_for(1 + inherited, &item.place, reader) {
            return None;
        }
        let table = reader.table(item, &of.value)?;
        names.around.holds += 1;
        let around = names.around.clone();
        let id = format!("{}.{}", around.id, around.holds);
        let mut text = |key: &str| {
            let entry = table.get(key)?;
            Text::read(&entry.node, reader)
        };
        let card = Card {
            name: text("name").unwrap_or_else(|| around.name.clone()),
            text: text("text").or_else(|| around.text.clone()),
            id: id.clone(),
            kind: kind as u32,
            copies: 0,
            fields: Vec::new(),
            origin: item.place.origin(),
        };
        names.around = Around {
            id,
            name: card.name.clone(),
            text: card.text.clone(),
            holds: 0,
            depth: around.depth + 1,
        };
        let at = names.in_place.len();
        numbers.push((names.cards.len() + at) as u32);
        names.in_place.push(card);
        let what = format!("the {} `{}`", of.value, names.around.id);
        let fields = &kinds[kind].1;
        names.in_place[at].fields = field::values(
            &what,
            &item.place,
            table,
            OWN_IN_PLACE,
            fields,
            names,
            reader,
        );
        names.around = around;
    }
    Some(numbers)
}

/// Stands for a kind that the manifest does not declare, so that every card has one. That it is missing is said where it is named.
fn unknown_kind(node: &Node, definition: &mut Definition) -> usize {
    let name = node.text().unwrap_or_default().to_string();
    let known = definition.kinds.iter().position(|k| k.name == name);
    known.unwrap_or_else(|| {
        definition.kinds.push(Kind {
            name,
            text: None,
            fields: Vec::new(),
            back: None,
            check: None,
        });
        definition.kinds.len() - 1
    })
}

fn kind_of(node: &Node, definition: &Definition, reader: &mut Reader) -> Option<usize> {
    let Some(kind) = node.text() else {
        return reader.wrong_type(node, "the name of a kind");
    };
    let found = definition.kinds.iter().position(|k| k.name == kind);
    if found.is_none() {
        let message = format!("unknown kind `{kind}`");
        let known = definition.kinds.iter().map(|k| k.name.as_str());
        let problem = Diagnostic::new(Code::UnknownKind, message).at(&node.place);
        reader.report(problem.suggest(kind, known));
    }
    found
}

impl Read for CardsById {
    fn read(node: &Node, reader: &mut Reader) -> Option<Self> {
        reader.table(node, "cards by id").map(|_| CardsById)
    }
}

impl JsonSchema for CardsById {
    fn schema_name() -> Cow<'static, str> {
        "Cards".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "object", "additionalProperties": card_schema(generator) })
    }
}

impl JsonSchema for DeckFile {
    fn schema_name() -> Cow<'static, str> {
        "Deck".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        card_schema(generator)
    }
}

fn card_schema(generator: &mut SchemaGenerator) -> Schema {
    let text = generator.subschema_for::<Text>();
    let described = |what: &str| json_schema!({ "description": what, "allOf": [text] });
    json_schema!({
        "description": "A card. Besides these keys it has the fields of its kind.",
        "type": "object",
        "properties": {
            "copies": { "type": "integer", "minimum": 0, "description": "How many there are; 1 if left out, 0 for pieces made during play." },
            "name": described("What it is called."),
            "text": described("What is written on it.")
        },
        "required": ["name"],
    })
}
