//! Attributes: what the game, its players, spaces and pieces remember.

use super::field::{self, Names, intern, short_form};
use super::manifest::limits;
use super::reader::{At, Entries, Read, Reader, record, words};
use crate::content::definition::*;
use crate::content::diagnostic::{Code, Diagnostic};
use crate::content::file::Place;
use crate::content::tree::{Datum, Node};
use crate::limits::MOST_COUNTERS;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use std::borrow::Cow;
use std::collections::HashMap;

record! {
    /// What is remembered, by whom.
    pub struct AttributesFile("the attributes") {
        /// What the game as a whole remembers.
        game: Option<Entries<AttributeFile>>,
        /// What each player has.
        player: Option<Entries<AttributeFile>>,
        /// What each space has.
        space: Option<Entries<AttributeFile>>,
        /// What each piece has.
        piece: Option<Entries<AttributeFile>>,
    }
}

words! {
    pub enum AttributeWord("attribute type") {
        Int = "int",
        Bool = "bool",
        Player = "player",
        Space = "space",
        Piece = "piece",
        Card = "card",
        Area = "area",
        Word = "word",
    }
}

words! {
    pub enum VisibleWord("visibility") { All = "all", Owner = "owner", Team = "team", Nobody = "nobody", }
}

/// `"player"`, a list of words, or how many.
#[derive(Debug, Clone)]
pub enum PerFile {
    Player,
    Words(Vec<At<String>>),
    Number(u32),
}

record! {
    /// An attribute: a type alone, or more about it.
    #[schemars(transform = short_attribute)]
    pub struct AttributeFile("an attribute") {
        /// What it holds.
        r#type: AttributeWord,
        /// The words it may be, for the type `word`.
        words: Option<Vec<At<String>>>,
        /// The value at the start: 0, false or nothing if left out.
        start: Option<At<Scalar>>,
        /// The least value, for `int`.
        min: Option<At<i32>>,
        /// The greatest value, for `int`.
        max: Option<At<i32>>,
        /// One number or flag for each player, for each of these words, or so many, counted from 0.
        per: Option<PerFile>,
        /// Who sees it; all if left out.
        visible: Option<At<VisibleWord>>,
        /// For pieces: the zones outside of which it goes back to its start; everywhere is kept if left out.
        kept_in: Option<Vec<At<String>>>,
        /// For the game: its value at the end is where the next match of a campaign starts.
        campaign: Option<At<bool>>,
        /// What it is called.
        text: Option<Text>,
    }
}

fn short_attribute(schema: &mut Schema) {
    short_form(schema, AttributeWord::WORDS);
}

/// A number, a truth value or a word.
#[derive(Debug, Clone)]
pub struct Scalar(Node);

impl Scalar {
    pub fn place(&self) -> &Place {
        &self.0.place
    }

    /// A whole number; true and false, or 1 and 0, where a flag is wanted.
    pub fn number(&self, flag: bool, reader: &mut Reader) -> Option<i64> {
        match self.0.value {
            Datum::Int(number) => Some(number),
            Datum::Bool(yes) if flag => Some(yes as i64),
            _ if flag => reader.wrong_type(&self.0, "`true` or `false`"),
            _ => reader.wrong_type(&self.0, "a whole number"),
        }
    }
}

pub fn attributes(
    file: Option<AttributesFile>,
    definition: &mut Definition,
    names: &mut Names,
    reader: &mut Reader,
) -> KeptIn {
    let Some(mut file) = file else {
        return KeptIn::new();
    };
    let kept = kept(&mut file, reader);
    let mut read = |owner: &str, entries: Option<Entries<AttributeFile>>| {
        let entries = entries.unwrap_or_default().into_iter();
        let one = |(name, file)| attribute(owner, name, file, names, reader);
        entries.map(one).collect::<Vec<Attribute>>()
    };
    definition.attributes = Attributes {
        game: read("game", file.game),
        player: read("player", file.player),
        space: read("space", file.space),
        piece: read("piece", file.piece),
    };
    kept
}

/// The zones each attribute of a piece is kept in, to be read when the zones are known.
pub type KeptIn = Vec<Option<Vec<At<String>>>>;

fn kept(file: &mut AttributesFile, reader: &mut Reader) -> KeptIn {
    let others = [&file.game, &file.player, &file.space];
    for (name, attribute) in others.into_iter().flatten().flat_map(|e| &e.0) {
        if attribute.as_ref().is_some_and(|a| a.kept_in.is_some()) {
            let message = "only attributes of pieces have `kept_in`";
            reader.report(Diagnostic::new(Code::UnknownKey, message).at(&name.place));
        }
    }
    let pieces = file.piece.iter_mut().flat_map(|e| &mut e.0);
    pieces
        .map(|(_, attribute)| attribute.as_mut().and_then(|a| a.kept_in.take()))
        .collect()
}

pub fn keep(kept: KeptIn, definition: &mut Definition, reader: &mut Reader) {
    let zones: Vec<&str> = definition.zones.iter().map(|z| z.name.as_str()).collect();
    let places: HashMap<&str, usize> = zones.iter().enumerate().map(|(at, z)| (*z, at)).collect();
    for (attribute, kept_in) in definition.attributes.piece.iter_mut().zip(kept) {
        let kept_in = kept_in.unwrap_or_default();
        reader.unique("the zone", &kept_in);
        for zone in kept_in {
            match places.get(zone.value.as_str()) {
                Some(at) => attribute.kept_in.push(*at as u16),
                None => {
                    let message = format!("unknown zone `{}`", zone.value);
                    let problem = Diagnostic::new(Code::UnknownWord, message).at(&zone.place);
                    reader.report(problem.suggest(&zone.value, zones.iter().copied()));
                }
            }
        }
    }
}

fn attribute(
    owner: &str,
    name: At<String>,
    file: Option<AttributeFile>,
    names: &mut Names,
    reader: &mut Reader,
) -> Attribute {
    reader.id(&name.value, &name.place);
    let mut attribute = Attribute {
        name: name.value,
        ty: AttributeType::Int,
        start: 0,
        min: i32::MIN,
        max: i32::MAX,
        per: Per::One,
        visible: Visibility::All,
        kept_in: Vec::new(),
        campaign: false,
        text: None,
    };
    let Some(file) = file else {
        return attribute;
    };
    let word = file.r#type;
    if word != AttributeWord::Int {
        for limit in file.min.iter().chain(&file.max) {
            let message = "only `int` has `min` and `max`";
            reader.report(Diagnostic::new(Code::UnknownKey, message).at(&limit.place));
        }
    }
    if word != AttributeWord::Word && file.words.is_some() {
        let message = format!("only `word` has `words`, and `{}` is none", attribute.name);
        reader.report(Diagnostic::new(Code::UnknownKey, message).at(&name.place));
    }
    if word == AttributeWord::Word && file.words.as_ref().is_none_or(Vec::is_empty) {
        let message = format!("the attribute `{}` needs `words`", attribute.name);
        reader.report(Diagnostic::new(Code::MissingKey, message).at(&name.place));
    }
    reader.unique("the word", file.words.iter().flatten());
    attribute.ty = match word {
        AttributeWord::Int => AttributeType::Int,
        AttributeWord::Bool => AttributeType::Bool,
        AttributeWord::Player => AttributeType::Player,
        AttributeWord::Space => AttributeType::Space,
        AttributeWord::Piece => AttributeType::Piece,
        AttributeWord::Card => AttributeType::Card,
        AttributeWord::Area => AttributeType::Area,
        AttributeWord::Word => AttributeType::Word(intern(file.words, names)),
    };
    (attribute.min, attribute.max) = match word {
        AttributeWord::Int => limits(file.min, file.max, i32::MIN, i32::MAX, reader),
        AttributeWord::Bool => (0, 1),
        _ => (-1, i32::MAX),
    };
    attribute.start = match file.start {
        Some(start) => start_value(&start.value.0, &attribute, names, reader).unwrap_or(0),
        // Where 0 is not allowed, the nearest that is.
        None if word == AttributeWord::Int => 0.clamp(attribute.min, attribute.max),
        None if word == AttributeWord::Bool => 0,
        None => -1,
    };
    attribute.per = match file.per {
        None => Per::One,
        Some(_) if !matches!(word, AttributeWord::Int | AttributeWord::Bool) => {
            let message = "only `int` and `bool` can be kept per player, per word or so many times";
            reader.report(Diagnostic::new(Code::UnknownKey, message).at(&name.place));
            Per::One
        }
        Some(PerFile::Player) => Per::Player,
        Some(PerFile::Words(words)) => {
            reader.unique("the word", words.iter());
            Per::Word(intern(Some(words), names))
        }
        Some(PerFile::Number(count)) => Per::Number(count),
    };
    attribute.visible = visibility(file.visible, owner != "game" && owner != "space", reader);
    attribute.text = file.text;
    if let Some(At { value, place }) = file.campaign {
        let plain = matches!(
            attribute.ty,
            AttributeType::Int | AttributeType::Bool | AttributeType::Word(_)
        );
        attribute.campaign = value && owner == "game" && plain && attribute.per == Per::One;
        if value && !attribute.campaign {
            let message = "a campaign keeps numbers, truth values and words of the game";
            reader.report(Diagnostic::new(Code::UnknownKey, message).at(&place));
        }
    }
    attribute
}

fn start_value(
    node: &Node,
    attribute: &Attribute,
    names: &mut Names,
    reader: &mut Reader,
) -> Option<i32> {
    match &attribute.ty {
        AttributeType::Int => {
            let value = reader.int(node, attribute.min.into(), attribute.max.into())?;
            i32::try_from(value).ok()
        }
        AttributeType::Bool => bool::read(node, reader).map(i32::from),
        AttributeType::Word(words) => {
            let word = field::word(node, words, names, reader)?;
            i32::try_from(word).ok()
        }
        _ => {
            let message = format!("`{}` is empty at the start", attribute.name);
            let problem = Diagnostic::new(Code::UnknownKey, message).at(&node.place);
            reader.report(problem.help("leave `start` out, and set it in `setup()`"));
            None
        }
    }
}

pub fn visibility(
    given: Option<At<VisibleWord>>,
    has_owner: bool,
    reader: &mut Reader,
) -> Visibility {
    match given {
        Some(At { value, place })
            if !has_owner && matches!(value, VisibleWord::Owner | VisibleWord::Team) =>
        {
            let message = "nobody owns this, so `owner` and `team` say nothing";
            let problem = Diagnostic::new(Code::UnknownWord, message).at(&place);
            reader.report(problem.help("expected `all` or `nobody`"));
            Visibility::All
        }
        Some(At { value, .. }) => match value {
            VisibleWord::All => Visibility::All,
            VisibleWord::Owner => Visibility::Owner,
            VisibleWord::Team => Visibility::Team,
            VisibleWord::Nobody => Visibility::Nobody,
        },
        None => Visibility::All,
    }
}

impl Read for PerFile {
    fn read(node: &Node, reader: &mut Reader) -> Option<Self> {
        match &node.value {
            Datum::Text(word) if word == "player" => Some(PerFile::Player),
            Datum::List(_) => Vec::read(node, reader).map(PerFile::Words),
            Datum::Int(_) => {
                let count = reader.int(node, 1, MOST_COUNTERS.into())?;
                Some(PerFile::Number(count as u32))
            }
            _ => reader.wrong_type(node, "`\"player\"`, a list of words or a number"),
        }
    }
}

impl JsonSchema for PerFile {
    fn schema_name() -> Cow<'static, str> {
        "Per".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [
            { "const": "player" },
            { "type": "array", "items": { "type": "string" } },
            { "type": "integer", "minimum": 1, "maximum": MOST_COUNTERS }
        ] })
    }
}

impl Read for Scalar {
    fn read(node: &Node, reader: &mut Reader) -> Option<Self> {
        match &node.value {
            Datum::Int(_) | Datum::Bool(_) | Datum::Text(_) => Some(Scalar(node.clone())),
            _ => reader.wrong_type(node, "a number, `true`, `false` or a word"),
        }
    }
}

impl JsonSchema for Scalar {
    fn schema_name() -> Cow<'static, str> {
        "Scalar".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": ["integer", "boolean", "string"] })
    }
}
