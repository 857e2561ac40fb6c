//! Fields: what cards, spaces, edges and areas carry besides the kernel's own keys.

use super::phrase::{self, Nesting, PhraseSort, Vocabulary, WrittenPhrase};
use super::reader::{Anything, At, Entries, Read, Reader, misspelt, record, words};
use super::{cards, tables};
use crate::content::definition::{Card, Data, Field, FieldType, FieldValue, Text, Word};
use crate::content::diagnostic::{Code, Diagnostic};
use crate::content::file::Place;
use crate::content::tree::{Branch, Datum, Node};
use crate::limits::{MOST_COPIES, MOST_VALUES};
use schemars::Schema;
use std::collections::HashMap;
use std::sync::Arc;

words! {
    /// What a field holds.
    pub enum FieldWord("field type") {
        Int = "int",
        Bool = "bool",
        String = "string",
        Text = "text",
        Word = "word",
        Words = "words",
        Ints = "ints",
        Card = "card",
        Cards = "cards",
        Space = "space",
        Area = "area",
        Function = "function",
        Effect = "effect",
        Condition = "condition",
        Table = "table",
    }
}

record! {
    /// A field: a type alone, or more about it.
    #[schemars(transform = short_field)]
    pub struct FieldFile("a field") {
        /// What it holds.
        r#type: FieldWord,
        /// The words it may be, for `word` and `words`; any if left out.
        words: Option<Vec<At<String>>>,
        /// The kind of the cards, for `cards` that are written in place.
        of: Option<At<String>>,
        /// The value when it is left out.
        default: Option<Anything>,
        /// Whether it may be left out; it is () then.
        optional: Option<bool>,
    }
}

fn short_field(schema: &mut Schema) {
    short_form(schema, FieldWord::WORDS);
}

/// A record with a `type` may be that word alone.
pub fn short_form(schema: &mut Schema, words: &[&str]) {
    let long = std::mem::take(schema);
    *schema = schemars::json_schema!({
        "anyOf": [{ "type": "string", "enum": words }, long]
    });
}

/// Names turned into numbers: words as they come, the others once all are known.
#[derive(Debug, Default)]
pub struct Names {
    pub words: Vec<String>,
    word_index: HashMap<String, Word>,
    pub cards: HashMap<String, u32>,
    pub spaces: HashMap<String, u32>,
    pub areas: HashMap<String, u32>,
    /// The map is not there, which is reported once and not for each space.
    pub no_map: bool,
    /// The fields of each kind, by its number.
    pub kinds: Arc<[(String, Vec<Declared>)]>,
    /// What effects and conditions may say.
    pub vocabulary: Vocabulary,
    /// The functions of the phrases read so far.
    pub written: Vec<WrittenPhrase>,
    /// The phrases around the one that is being read.
    pub nesting: Nesting,
    /// The card whose fields are being read.
    pub around: Around,
    /// Cards written in place, numbered after all others.
    pub in_place: Vec<Card>,
    /// How many values were read so far, see [`Names::has_room_for`].
    pub values: usize,
}

/// The card whose fields are being read: cards in place take after it.
#[derive(Debug, Clone, Default)]
pub struct Around {
    pub id: String,
    pub name: Text,
    pub text: Option<Text>,
    /// How many cards it holds so far.
    pub holds: usize,
    /// How many cards are around it.
    pub depth: usize,
}

/// A declared field, with what to do when it is left out.
#[derive(Debug, Clone)]
pub struct Declared {
    pub field: Field,
    pub default: Option<Node>,
    /// How many values the default is.
    pub weighs: usize,
    pub optional: bool,
    /// The kind of cards written in place.
    pub of: Option<At<String>>,
}

impl Names {
    pub fn word(&mut self, text: &str) -> Word {
        if let Some(word) = self.word_index.get(text) {
            return *word;
        }
        let word = self.words.len() as Word;
        self.words.push(text.to_string());
        self.word_index.insert(text.to_string(), word);
        word
    }

    /// Counts values that are about to be made, and whether they are bearable together with all before them. The first that are not are told.
    pub fn has_room_for(&mut self, values: usize, place: &Place, reader: &mut Reader) -> bool {
        let had_room = self.has_room();
        self.values = self.values.saturating_add(values);
        if had_room && !self.has_room() {
            let message = format!(
                "all cards, spaces, borders and areas of a game have at most {MOST_VALUES} values, and here there are more"
            );
            let problem = Diagnostic::new(Code::OutOfRange, message).at(place);
            let help = "a field with a `default` is a value of everything that may have it, and so is what a word has by default of every phrase that says it";
            reader.report(problem.help(help));
        }
        self.has_room()
    }

    pub fn has_room(&self) -> bool {
        self.values <= MOST_VALUES
    }
}

/// So many letters take as much as a value.
const LETTERS_OF_A_VALUE: usize = 16;

/// What letters take, counted in values.
pub fn letters(text: &Text) -> usize {
    (text.es.len() + text.en.len()) / LETTERS_OF_A_VALUE
}

/// How many values a default is: what it holds, and its letters.
fn weight_of_default(node: &Node) -> usize {
    match &node.value {
        Datum::Text(text) => 1 + text.len() / LETTERS_OF_A_VALUE,
        Datum::List(items) => 1 + items.iter().map(weight_of_default).sum::<usize>(),
        Datum::Table(table) => {
            let inside = table.values().map(|entry| weight_of_default(&entry.node));
            1 + inside.sum::<usize>()
        }
        _ => 1,
    }
}

/// How many values a row of fields is, where it is copied.
pub fn weight_of_row(row: &[FieldValue]) -> usize {
    let data = |data: &Data| {
        let mut waiting = vec![data];
        let mut found = 0;
        while let Some(data) = waiting.pop() {
            found += 1;
            match data {
                Data::List(items) => waiting.extend(items),
                Data::Table(table) => waiting.extend(table.values()),
                Data::Text(text) => found += text.len() / LETTERS_OF_A_VALUE,
                _ => {}
            }
        }
        found
    };
    let inside = row.iter().map(|value| match value {
        FieldValue::String(text) => text.len() / LETTERS_OF_A_VALUE,
        FieldValue::Text(text) => letters(text),
        FieldValue::Words(words) => words.len(),
        FieldValue::Ints(ints) => ints.len(),
        FieldValue::Cards(cards) => cards.len(),
        FieldValue::Table(table) => data(table),
        _ => 0,
    });
    row.len() + inside.sum::<usize>()
}

/// The fields declared in a manifest or a map. `own` are keys of the kernel, which no field may take.
pub fn declare(
    fields: Option<Entries<FieldFile>>,
    own: &[&str],
    names: &mut Names,
    reader: &mut Reader,
) -> Vec<Declared> {
    let mut declared = Vec::new();
    for (name, file) in fields.unwrap_or_default() {
        reader.id(&name.value, &name.place);
        if own.contains(&name.value.as_str()) {
            let message = format!("`{}` is a key of its own, not a field", name.value);
            reader.report(Diagnostic::new(Code::DuplicateId, message).at(&name.place));
            continue;
        }
        // A field whose declaration is wrong accepts anything: one mistake, one message.
        let file = file.unwrap_or(FieldFile {
            r#type: FieldWord::Table,
            words: None,
            of: None,
            default: None,
            optional: Some(true),
        });
        if let Some(of) = file.of.as_ref().filter(|_| file.r#type != FieldWord::Cards) {
            let message = "only `cards` have `of`";
            reader.report(Diagnostic::new(Code::UnknownKey, message).at(&of.place));
        }
        let has_words = matches!(file.r#type, FieldWord::Word | FieldWord::Words);
        if let Some(first) = file.words.iter().flatten().next().filter(|_| !has_words) {
            let message = "only `word` and `words` have `words`";
            reader.report(Diagnostic::new(Code::UnknownKey, message).at(&first.place));
        }
        let words = intern(file.words, names);
        let ty = match file.r#type {
            FieldWord::Int => FieldType::Int,
            FieldWord::Bool => FieldType::Bool,
            FieldWord::String => FieldType::String,
            FieldWord::Text => FieldType::Text,
            FieldWord::Word => FieldType::Word(words),
            FieldWord::Words => FieldType::Words(words),
            FieldWord::Ints => FieldType::Ints,
            FieldWord::Card => FieldType::Card,
            FieldWord::Cards => FieldType::Cards,
            FieldWord::Space => FieldType::Space,
            FieldWord::Area => FieldType::Area,
            FieldWord::Function => FieldType::Function,
            FieldWord::Effect => FieldType::Effect,
            FieldWord::Condition => FieldType::Condition,
            FieldWord::Table => FieldType::Table,
        };
        let field = Field {
            name: name.value,
            ty,
        };
        declared.push(Declared {
            field,
            weighs: file
                .default
                .as_ref()
                .map_or(0, |node| weight_of_default(&node.0)),
            default: file.default.map(|node| node.0),
            optional: file.optional.unwrap_or(false),
            of: file.of,
        });
    }
    declared
}

pub fn intern(words: Option<Vec<At<String>>>, names: &mut Names) -> Vec<Word> {
    let words = words.into_iter().flatten();
    words.map(|word| names.word(&word.value)).collect()
}

/// The values of all fields of one thing: `what` in messages, `place` where it stands, `own` the keys that are no fields.
pub fn values(
    what: &str,
    place: &Place,
    table: &Branch,
    own: &[&str],
    fields: &[Declared],
    names: &mut Names,
    reader: &mut Reader,
) -> Vec<FieldValue> {
    let left_out = |field: &&Declared| !table.contains_key(&field.field.name);
    let defaults = fields.iter().filter(left_out).map(|field| field.weighs);
    if !names.has_room_for(fields.len() + defaults.sum::<usize>(), place, reader) {
        return Vec::new();
    }
    let declared = fields.iter().map(|f| f.field.name.as_str());
    let keys: Vec<&str> = declared.chain(own.iter().copied()).collect();
    for (key, entry) in table {
        if !keys.contains(&key.as_str()) {
            let message = format!("unknown field `{key}` of {what}");
            let problem = Diagnostic::new(Code::UnknownField, message).at(&entry.key);
            reader.report(problem.suggest(key, keys.iter().copied()));
        }
    }
    let mut values = Vec::new();
    for declared in fields {
        let given = table.get(&declared.field.name).map(|entry| &entry.node);
        let read = match given.or(declared.default.as_ref()) {
            Some(node) => value(node, declared, names, reader),
            None if declared.optional => None,
            None if misspelt(table, &declared.field.name, &keys) => None,
            None => {
                let message = format!("{what} needs the field `{}`", declared.field.name);
                reader.report(Diagnostic::new(Code::MissingKey, message).at(place));
                None
            }
        };
        values.push(read.unwrap_or(FieldValue::None));
    }
    values
}

pub fn value(
    node: &Node,
    declared: &Declared,
    names: &mut Names,
    reader: &mut Reader,
) -> Option<FieldValue> {
    let phrase = |sort: PhraseSort, names: &mut Names, reader: &mut Reader| {
        if names.around.id.is_empty() {
            let message = "only cards have effects and conditions";
            reader.report(Diagnostic::new(Code::WrongType, message).at(&node.place));
            return None;
        }
        let name = phrase::function_name(&names.around.id, &declared.field.name);
        phrase::read(node, sort, name, names, reader).map(FieldValue::Function)
    };
    Some(match &declared.field.ty {
        FieldType::Int => FieldValue::Int(i64::read(node, reader)?),
        FieldType::Bool => FieldValue::Bool(bool::read(node, reader)?),
        FieldType::String => FieldValue::String(String::read(node, reader)?),
        FieldType::Text => FieldValue::Text(Text::read(node, reader)?),
        FieldType::Ints => FieldValue::Ints(Vec::read(node, reader)?),
        FieldType::Word(words) => FieldValue::Word(word(node, words, names, reader)?),
        FieldType::Words(words) => {
            let items = reader.list(node, "a list of words")?;
            let items = items.iter().map(|item| word(item, words, names, reader));
            let read: Vec<Option<Word>> = items.collect();
            FieldValue::Words(read.into_iter().collect::<Option<_>>()?)
        }
        FieldType::Card => FieldValue::Card(card(node, names, reader)?),
        FieldType::Cards => FieldValue::Cards(match (&declared.of, &node.value) {
            (Some(kind), _) => cards::in_place(node, kind, names, reader)?,
            (None, Datum::Table(counts)) => counted(counts, names, reader)?,
            (None, _) => {
                let items = reader.list(node, "a list of cards")?;
                let read: Vec<_> = items.iter().map(|i| card(i, names, reader)).collect();
                read.into_iter().collect::<Option<_>>()?
            }
        }),
        FieldType::Space => FieldValue::Space(space(node, names, reader)?),
        FieldType::Area => FieldValue::Area(area(node, names, reader)?),
        FieldType::Function => FieldValue::Function(At::<String>::read(node, reader)?.named()),
        FieldType::Effect => phrase(PhraseSort::Effect, names, reader)?,
        FieldType::Condition => phrase(PhraseSort::Condition, names, reader)?,
        FieldType::Table => FieldValue::Table(tables::data(node, reader)),
    })
}

/// Cards by id with how many there are of each.
fn counted(counts: &Branch, names: &mut Names, reader: &mut Reader) -> Option<Vec<u32>> {
    let mut all = Some(Vec::new());
    for (id, entry) in counts {
        let place = &entry.key;
        let found = unknown_unless(&names.cards, id, place, "card", Code::UnknownCard, reader);
        let count = reader.int(&entry.node, 0, MOST_COPIES);
        match (found, count, &mut all) {
            (Some(card), Some(count), Some(all))
                if names.has_room_for(count as usize, place, reader) =>
            {
                all.extend(std::iter::repeat_n(card, count as usize));
            }
            _ => all = None,
        }
    }
    all
}

pub fn word(node: &Node, words: &[Word], names: &mut Names, reader: &mut Reader) -> Option<Word> {
    if words.is_empty() {
        return String::read(node, reader).map(|text| names.word(&text));
    }
    // Nearly always it is one of them; lists of words may be long.
    let meant = node.text().and_then(|text| names.word_index.get(text));
    if let Some(word) = meant.filter(|word| words.contains(word)) {
        return Some(*word);
    }
    let known: Vec<&str> = words.iter().map(|w| &*names.words[*w as usize]).collect();
    let found = reader.word(node, "word", &known)?;
    let at = known.iter().position(|word| *word == found)?;
    Some(words[at])
}

fn card(node: &Node, names: &Names, reader: &mut Reader) -> Option<u32> {
    known(node, "card", Code::UnknownCard, &names.cards, reader)
}

fn space(node: &Node, names: &Names, reader: &mut Reader) -> Option<u32> {
    if names.no_map {
        return None;
    }
    known(node, "space", Code::UnknownSpace, &names.spaces, reader)
}

pub fn area(node: &Node, names: &Names, reader: &mut Reader) -> Option<u32> {
    if names.no_map {
        return None;
    }
    known(node, "area", Code::UnknownArea, &names.areas, reader)
}

fn known(
    node: &Node,
    what: &str,
    code: Code,
    ids: &HashMap<String, u32>,
    reader: &mut Reader,
) -> Option<u32> {
    let Some(id) = node.text() else {
        return reader.wrong_type(node, &format!("the id of a {what}"));
    };
    unknown_unless(ids, id, &node.place, what, code, reader)
}

/// The number of an id, or a report that there is none.
pub fn unknown_unless(
    ids: &HashMap<String, u32>,
    id: &str,
    place: &Place,
    what: &str,
    code: Code,
    reader: &mut Reader,
) -> Option<u32> {
    if let Some(found) = ids.get(id) {
        return Some(*found);
    }
    // Sorted, so that the suggestion does not depend on the order of a hash.
    let mut all: Vec<&str> = ids.keys().map(String::as_str).collect();
    all.sort_unstable();
    let problem = Diagnostic::new(code, format!("unknown {what} `{id}`")).at(place);
    reader.report(problem.suggest(id, all));
    None
}
