//! What a file of scenarios may hold, as it is written.

use crate::content::read::reader::{
    Anything, At, Entries, Must, Read, Reader, described_by_what_they_hold, record,
};
use crate::content::tree::{Datum, Node};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use std::borrow::Cow;

record! {
    /// A file of scenarios of one game.
    pub struct ScenarioFile("a file of scenarios") {
        /// The game's id.
        game: Must<At<String>>,
        /// The scenarios, one `[[scenario]]` each.
        scenario: Must<Vec<At<AsRead<ScenarioSheet>>>>,
    }
}

record! {
    /// One scenario: a position, what is to come, and what must hold.
    pub struct ScenarioSheet("a scenario") {
        /// What it shows, in one sentence.
        title: Must<At<String>>,
        /// How many play.
        players: Must<At<u8>>,
        /// The seed of what is left to luck; 1 if left out.
        seed: Option<At<i64>>,
        /// Variants to play with, in order.
        variants: Option<Vec<At<String>>>,
        /// The same keys as `--set`.
        set: Option<Entries<Anything>>,
        /// Whether `setup()` runs first.
        setup: Option<bool>,
        /// Calls of script functions in order, such as `attack(p0)`; `round` plays a whole round.
        run: Option<Vec<At<String>>>,
        /// What each die shows next, in the order thrown.
        dice: Option<Entries<Vec<At<i32>>>>,
        /// What the next shuffle of a zone brings to its top.
        shuffles: Option<Entries<Vec<At<String>>>>,
        /// What lies on the table at the start.
        state: Option<StateFile>,
        /// Answers in the order of the choices.
        answers: Option<Vec<At<AnswerFile>>>,
        /// What must hold when the answers are used up.
        expect: Option<At<ExpectFile>>,
    }
}

/// Attributes and what they are, or must be.
pub type Values = Entries<Anything>;

record! {
    /// What lies on the table at the start.
    pub struct StateFile("the state") {
        /// Attributes of the game.
        game: Option<Values>,
        /// By seat.
        players: Option<Entries<Values>>,
        /// By id; `*` stands for every space and comes first.
        spaces: Option<Entries<Values>>,
        /// Pieces from the top: a card's id, or a table with `card` and attributes.
        zones: Option<Entries<Vec<PieceFile>>>,
        /// Where sections of the board lie, by id.
        sections: Option<Entries<PlacedSectionFile>>,
        /// The spaces that are on the table, if not all are.
        keep: Option<Vec<At<String>>>,
        /// The turn order; its first seat starts.
        order: Option<At<Vec<At<u8>>>>,
        /// The seat that starts.
        start: Option<At<u8>>,
    }
}

record! {
    /// Where a section lies.
    pub struct PlacedSectionFile("a section's place") {
        /// The column of its place, from 0.
        column: Must<i32>,
        /// The row of its place, from 0.
        row: Must<i32>,
        /// Quarter turns it is given; none if left out.
        turns: Option<At<u8>>,
    }
}

record! {
    /// An answer to the next choice.
    pub struct AnswerFile("an answer") {
        /// Who answers; anybody if left out.
        seat: Option<At<u8>>,
        /// Which question; any if left out.
        prompt: Option<At<String>>,
        /// A key, a list of keys, a number, or true and false.
        choose: Option<Keys>,
        /// A key that must not be offered; the choice stays open.
        refuse: Option<Keys>,
    }
}

record! {
    /// What must hold when the answers are used up.
    pub struct ExpectFile("what is expected") {
        /// The prompt of the open choice; empty if everything ran to its end.
        asked: Option<At<String>>,
        /// Who is asked.
        seat: Option<At<u8>>,
        /// The keys offered, exactly.
        options: Option<At<Keys>>,
        /// Keys among those offered.
        offered: Option<At<Keys>>,
        /// Keys that are not among them.
        not_offered: Option<At<Keys>>,
        /// Log lines in this order; others may stand between.
        log: Option<At<Vec<At<String>>>>,
        /// Log lines that must not come.
        not_log: Option<At<Vec<At<String>>>>,
        /// The reason the game ended for, or whether it did.
        ended: Option<At<Ended>>,
        /// The seats that have won.
        winners: Option<At<Vec<At<u8>>>>,
        /// The turn order.
        order: Option<At<Vec<At<u8>>>>,
        /// Part of the message the rules break with.
        fault: Option<At<String>>,
        /// Attributes of the game.
        game: Option<At<Values>>,
        /// Attributes of players, by seat.
        players: Option<At<Entries<Values>>>,
        /// Attributes of spaces, by id.
        spaces: Option<At<Entries<Values>>>,
        /// Exactly these pieces, from the top.
        zones: Option<At<Entries<At<Vec<PieceFile>>>>>,
        /// How many pieces.
        sizes: Option<At<Entries<At<u32>>>>,
    }
}

/// What could be read, and whether nothing was wrong with it: names are looked up in either case, but only what is whole is run.
#[derive(Debug, Clone)]
pub struct AsRead<T> {
    pub value: T,
    pub sound: bool,
}

/// Keys of options: a text, a number, yes or no, or a list of them.
#[derive(Debug, Clone)]
pub struct Keys(pub Vec<At<String>>);

/// Whether a game is over, or why.
#[derive(Debug, Clone)]
pub enum Ended {
    Is(bool),
    For(String),
}

/// A piece: its card, and what is to be said of it besides.
#[derive(Debug, Clone)]
pub struct PieceFile {
    pub card: At<String>,
    pub values: Vec<(At<String>, Node)>,
}

const A_KEY: &str = "a key (a text, a number, `true` or `false`)";

fn key(node: &Node, expected: &str, reader: &mut Reader) -> Option<At<String>> {
    let value = match &node.value {
        Datum::Text(text) => text.clone(),
        Datum::Int(number) => number.to_string(),
        Datum::Bool(true) => "yes".to_string(),
        Datum::Bool(false) => "no".to_string(),
        _ => return reader.wrong_type(node, expected),
    };
    let place = node.place.clone();
    Some(At { value, place })
}

impl<T: Read> Read for AsRead<T> {
    fn read(node: &Node, reader: &mut Reader) -> Option<Self> {
        let before = reader.problems.len();
        let value = T::read(node, reader)?;
        let sound = reader.problems.len() == before;
        Some(AsRead { value, sound })
    }
}

described_by_what_they_hold!(AsRead);

impl Read for Keys {
    fn read(node: &Node, reader: &mut Reader) -> Option<Self> {
        let Datum::List(items) = &node.value else {
            let expected = format!("{A_KEY} or a list of keys");
            return key(node, &expected, reader).map(|one| Keys(vec![one]));
        };
        let keys: Vec<_> = items.iter().map(|i| key(i, A_KEY, reader)).collect();
        keys.into_iter().collect::<Option<_>>().map(Keys)
    }
}

impl JsonSchema for Keys {
    fn schema_name() -> Cow<'static, str> {
        "Keys".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let one = ["string", "integer", "boolean"];
        json_schema!({
            "description": "A key of an option, or a list of keys.",
            "anyOf": [{ "type": one }, { "type": "array", "items": { "type": one } }],
        })
    }
}

impl Read for Ended {
    fn read(node: &Node, reader: &mut Reader) -> Option<Self> {
        match &node.value {
            Datum::Bool(over) => Some(Ended::Is(*over)),
            Datum::Text(reason) => Some(Ended::For(reason.clone())),
            _ => reader.wrong_type(node, "the key of a reason, `true` or `false`"),
        }
    }
}

impl JsonSchema for Ended {
    fn schema_name() -> Cow<'static, str> {
        "Ended".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": ["string", "boolean"] })
    }
}

impl Read for PieceFile {
    fn read(node: &Node, reader: &mut Reader) -> Option<Self> {
        let Datum::Table(table) = &node.value else {
            let Some(card) = node.text() else {
                let expected = "a card's id, or a table with `card` and attributes";
                return reader.wrong_type(node, expected);
            };
            let card = At {
                value: card.to_string(),
                place: node.place.clone(),
            };
            let values = Vec::new();
            return Some(PieceFile { card, values });
        };
        let card = reader.field(node, table, "card", "a piece", &["card"])?;
        let others = table.iter().filter(|(name, _)| *name != "card");
        let value = |(name, entry): (&String, &crate::content::tree::Entry)| {
            let name = At {
                value: name.clone(),
                place: entry.key.clone(),
            };
            (name, entry.node.clone())
        };
        let values = others.map(value).collect();
        Some(PieceFile { card, values })
    }
}

impl JsonSchema for PieceFile {
    fn schema_name() -> Cow<'static, str> {
        "Piece".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A card's id, or a table with `card` and what is to be said of it besides: attributes, `owner`, `face_up`.",
            "anyOf": [
                { "type": "string" },
                {
                    "type": "object",
                    "properties": {
                        "card": { "type": "string", "description": "The card's id." },
                        "owner": { "type": "integer", "description": "The seat whose it is." },
                        "face_up": { "type": "boolean", "description": "Whether all see it." },
                    },
                    "required": ["card"],
                },
            ],
        })
    }
}
