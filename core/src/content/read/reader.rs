//! Reading a tree into typed values, so that one run finds every mistake.
//!
//! Serde stops at the first error of a struct. So the structs of the files are declared with [`record!`], which gives them
//! a JSON Schema and a reading that goes on after a mistake; both come from the one declaration.

use crate::content::definition::{Named, Text};
use crate::content::diagnostic::{Code, Diagnostic, nearest, one_of};
use crate::content::file::Place;
use crate::content::legible::{illegible, illegible_in_a_line};
use crate::content::tree::{Branch, Datum, Entry, Node};
use crate::limits::{LONGEST_STRING, MOST_COUNTED};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use std::borrow::Cow;
use std::collections::HashMap;

/// Collects what is wrong while values are read.
#[derive(Debug, Default)]
pub struct Reader {
    pub problems: Vec<Diagnostic>,
}

/// What can be read from a node. `None` means that a problem was reported.
pub trait Read: Sized {
    fn read(node: &Node, reader: &mut Reader) -> Option<Self>;

    /// The value when the key is left out; `None` if it must be given.
    fn absent() -> Option<Self> {
        None
    }

    /// What to go on with after it was reported missing; `None` gives the whole record up.
    fn missing() -> Option<Self> {
        None
    }
}

/// A value with the place it was written at.
#[derive(Debug, Clone)]
pub struct At<T> {
    pub value: T,
    pub place: Place,
}

/// A value that must be there, though the rest of the record is worth reading without it.
#[derive(Debug, Clone)]
pub struct Must<T>(pub Option<T>);

/// A table of ids, in order. An entry that could not be read stays, so that its name is not reported as unknown elsewhere.
#[derive(Debug, Clone)]
pub struct Entries<T>(pub Vec<(At<String>, Option<T>)>);

/// A node kept as it is, to be read when more is known.
#[derive(Debug, Clone)]
pub struct Anything(pub Node);

/// A struct of some file: its JSON Schema and its reading. `"what"` names it in messages.
macro_rules! record {
    ($(#[$meta:meta])* pub struct $name:ident($what:literal) {
        $($(#[$field_meta:meta])* $field:ident: $type:ty,)*
    }) => {
        #[derive(Debug, Clone, schemars::JsonSchema)]
        #[schemars(deny_unknown_fields)]
        $(#[$meta])*
        // A field that no rule of the kernel reads is still read, checked and described: doors take looks and the like as data.
        #[allow(dead_code)]
        pub struct $name {
            $($(#[$field_meta])* pub $field: $type,)*
        }

        impl $crate::content::read::reader::Read for $name {
            fn read(
                node: &$crate::content::tree::Node,
                reader: &mut $crate::content::read::reader::Reader,
            ) -> Option<Self> {
                use $crate::content::read::reader::key;
                let keys = [$(key(stringify!($field))),*];
                let table = reader.record(node, $what, &keys)?;
                $(let $field = reader.field(node, &table, key(stringify!($field)), $what, &keys);)*
                Some($name { $($field: $field?,)* })
            }
        }
    };
}

/// A choice between words.
macro_rules! words {
    ($(#[$meta:meta])* pub enum $name:ident($what:literal) { $($variant:ident = $word:literal,)* }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $name {
            $($variant,)*
        }

        impl $name {
            pub const WORDS: &'static [&'static str] = &[$($word,)*];
        }

        impl $crate::content::read::reader::Read for $name {
            fn read(
                node: &$crate::content::tree::Node,
                reader: &mut $crate::content::read::reader::Reader,
            ) -> Option<Self> {
                match reader.word(node, $what, Self::WORDS)? {
                    $($word => Some($name::$variant),)*
                    _ => None,
                }
            }
        }

        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn inline_schema() -> bool {
                true
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({ "type": "string", "enum": Self::WORDS })
            }
        }
    };
}

/// Wrappers that editors need not know of.
macro_rules! described_by_what_they_hold {
    ($($wrapper:ident),*) => {$(
        impl<T: JsonSchema> JsonSchema for $wrapper<T> {
            fn schema_name() -> Cow<'static, str> {
                T::schema_name()
            }

            fn schema_id() -> Cow<'static, str> {
                T::schema_id()
            }

            fn inline_schema() -> bool {
                T::inline_schema()
            }

            fn json_schema(generator: &mut SchemaGenerator) -> Schema {
                T::json_schema(generator)
            }
        }
    )*};
}

pub(crate) use {described_by_what_they_hold, record, words};

/// The key of a field; `type` is a word of Rust too.
pub fn key(field: &'static str) -> &'static str {
    field.strip_prefix("r#").unwrap_or(field)
}

impl Reader {
    /// Notes what is wrong, up to a number nobody reads.
    pub fn report(&mut self, problem: Diagnostic) {
        if !self.is_full() {
            self.problems.push(problem);
        }
    }

    /// Whether so much is wrong that nothing more is noted.
    pub fn is_full(&self) -> bool {
        self.problems.len() >= MOST_COUNTED
    }

    pub fn wrong_type<T>(&mut self, node: &Node, expected: &str) -> Option<T> {
        let problem = match &node.value {
            Datum::Decimal(text) => {
                let message = format!("expected {expected}, found the decimal number {text}");
                let problem = Diagnostic::new(Code::DecimalNumber, message).at(&node.place);
                problem.help("rules use whole numbers, so that every machine computes the same")
            }
            _ => {
                let message = format!("expected {expected}, found {}", node.found());
                let problem = Diagnostic::new(Code::WrongType, message).at(&node.place);
                match unquoted(node, expected) {
                    Some(value) => problem.without_quotes(value),
                    None => problem,
                }
            }
        };
        self.report(problem);
        None
    }

    pub fn table<'a>(&mut self, node: &'a Node, what: &str) -> Option<&'a Branch> {
        match &node.value {
            Datum::Table(table) => Some(table),
            _ => self.wrong_type(node, &format!("a table ({what})")),
        }
    }

    pub fn list<'a>(&mut self, node: &'a Node, expected: &str) -> Option<&'a [Node]> {
        match &node.value {
            Datum::List(items) => Some(items),
            _ => self.wrong_type(node, expected),
        }
    }

    /// The table of a record, with all its unknown keys reported. A record that has a `type` may be written as that word alone.
    pub fn record<'a>(
        &mut self,
        node: &'a Node,
        what: &str,
        keys: &[&str],
    ) -> Option<Cow<'a, Branch>> {
        if node.text().is_some() && keys.first() == Some(&"type") {
            let entry = Entry {
                key: node.place.clone(),
                node: node.clone(),
            };
            let table = Branch::from_iter([("type".to_string(), entry)]);
            return Some(Cow::Owned(table));
        }
        let table = self.table(node, what)?;
        for (name, entry) in table {
            if !keys.contains(&name.as_str()) {
                self.unknown_key(name, &entry.key, what, keys);
            }
        }
        Some(Cow::Borrowed(table))
    }

    pub fn unknown_key(&mut self, name: &str, place: &Place, what: &str, keys: &[&str]) {
        let message = format!("unknown key `{name}` of {what}");
        let problem = Diagnostic::new(Code::UnknownKey, message).at(place);
        self.report(problem.suggest(name, keys.iter().copied()));
    }

    /// Refuses a name, a title or another text people read on one line if it has several: what stands on the others would look like
    /// something else.
    pub fn one_line(&mut self, text: &str, place: &Place) {
        // What nobody reads in any text was told when the file was read.
        if illegible(text).is_none()
            && let Some((_, odd)) = illegible_in_a_line(text)
        {
            let message = format!("the text has the character '{}'", odd.escape_default());
            let problem = Diagnostic::new(Code::UnreadableText, message).at(place);
            self.report(problem.help("it is one line"));
        }
    }

    pub fn field<T: Read>(
        &mut self,
        node: &Node,
        table: &Branch,
        key: &str,
        what: &str,
        keys: &[&str],
    ) -> Option<T> {
        if let Some(entry) = table.get(key) {
            return T::read(&entry.node, self);
        }
        T::absent().or_else(|| {
            if !misspelt(table, key, keys) {
                let message = format!("{what} needs `{key}`");
                self.report(Diagnostic::new(Code::MissingKey, message).at(&node.place));
            }
            T::missing()
        })
    }

    pub fn word<'w>(&mut self, node: &Node, what: &str, words: &[&'w str]) -> Option<&'w str> {
        let Some(text) = node.text() else {
            return self.wrong_type(node, &one_of(words));
        };
        if let Some(word) = words.iter().find(|word| **word == text) {
            return Some(word);
        }
        let message = format!("unknown {what} `{text}`");
        let problem = Diagnostic::new(Code::UnknownWord, message).at(&node.place);
        self.report(problem.suggest(text, words.iter().copied()));
        None
    }

    /// A whole number between two limits.
    pub fn int(&mut self, node: &Node, min: i64, max: i64) -> Option<i64> {
        match node.value {
            Datum::Int(value) => self.within(value, &node.place, min, max),
            _ => self.wrong_type(node, NUMBER),
        }
    }

    pub fn within(&mut self, value: i64, place: &Place, min: i64, max: i64) -> Option<i64> {
        if (min..=max).contains(&value) {
            return Some(value);
        }
        let message = match (value < min, max == i64::MAX || max == i64::from(i32::MAX)) {
            (true, true) => format!("{value} is less than {min}"),
            _ => format!("{value} is not between {min} and {max}"),
        };
        self.report(Diagnostic::new(Code::OutOfRange, message).at(place));
        None
    }

    /// Ids become names in scripts, so they are written like names.
    pub fn id(&mut self, name: &str, place: &Place) {
        let letters = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        if name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(letters) {
            return;
        }
        let message = format!("`{name}` is not an id");
        let problem = Diagnostic::new(Code::BadName, message).at(place);
        self.report(problem.help("ids are lower case letters, digits and `_`, a letter first"));
    }

    /// Reports names that are there twice.
    pub fn unique<'a>(&mut self, what: &str, names: impl IntoIterator<Item = &'a At<String>>) {
        let mut seen: HashMap<&str, &Place> = HashMap::new();
        for name in names {
            if let Some(first) = seen.insert(&name.value, &name.place) {
                let message = format!("{what} `{}` is there twice", name.value);
                let problem = Diagnostic::new(Code::DuplicateId, message);
                let problem = problem.labelled(&name.place, "again here");
                self.report(problem.related(first, "first here"));
            }
        }
    }
}

/// Whether a missing key is there under a wrong name, which is reported with a suggestion: one mistake, one message.
pub fn misspelt(table: &Branch, key: &str, keys: &[&str]) -> bool {
    let wrong = table.keys().filter(|name| !keys.contains(&name.as_str()));
    let mut meant = wrong.filter_map(|name| nearest(name, keys.iter().copied()));
    meant.any(|near| near == key)
}

impl<T> Default for Entries<T> {
    fn default() -> Self {
        Entries(Vec::new())
    }
}

impl<T> IntoIterator for Entries<T> {
    type Item = (At<String>, Option<T>);
    type IntoIter = std::vec::IntoIter<Self::Item>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl At<String> {
    pub fn named(self) -> Named {
        Named {
            origin: self.place.origin(),
            name: self.value,
        }
    }
}

impl<T: Read> Read for At<T> {
    fn read(node: &Node, reader: &mut Reader) -> Option<Self> {
        let value = T::read(node, reader)?;
        let place = node.place.clone();
        Some(At { value, place })
    }
}

impl<T: Read> Read for Option<T> {
    fn read(node: &Node, reader: &mut Reader) -> Option<Self> {
        // The mistake is reported; the rest of the record is still worth reading.
        Some(T::read(node, reader))
    }

    fn absent() -> Option<Self> {
        Some(None)
    }
}

impl<T: Read> Read for Must<T> {
    fn read(node: &Node, reader: &mut Reader) -> Option<Self> {
        Some(Must(T::read(node, reader)))
    }

    fn missing() -> Option<Self> {
        Some(Must(None))
    }
}

impl<T: Read> Read for Vec<T> {
    fn read(node: &Node, reader: &mut Reader) -> Option<Self> {
        let items = reader.list(node, "a list")?;
        let read: Vec<Option<T>> = items.iter().map(|item| T::read(item, reader)).collect();
        Some(read.into_iter().flatten().collect())
    }
}

impl<T: Read> Read for Entries<T> {
    fn read(node: &Node, reader: &mut Reader) -> Option<Self> {
        let table = reader.table(node, "of ids")?;
        let mut entries = Vec::new();
        for (name, entry) in table {
            let at = At {
                value: name.clone(),
                place: entry.key.clone(),
            };
            entries.push((at, T::read(&entry.node, reader)));
        }
        Some(Entries(entries))
    }
}

impl<T: Read> Read for (T, T) {
    fn read(node: &Node, reader: &mut Reader) -> Option<Self> {
        match reader.list(node, "a list of two")? {
            [a, b] => {
                let (a, b) = (T::read(a, reader), T::read(b, reader));
                Some((a?, b?))
            }
            items => {
                let message = format!("expected a list of two, found {}", items.len());
                reader.report(Diagnostic::new(Code::WrongType, message).at(&node.place));
                None
            }
        }
    }
}

impl Read for Anything {
    fn read(node: &Node, _: &mut Reader) -> Option<Self> {
        Some(Anything(node.clone()))
    }
}

impl Read for String {
    fn read(node: &Node, reader: &mut Reader) -> Option<Self> {
        match node.text() {
            Some(text) => Some(text.to_string()),
            None => reader.wrong_type(node, "a string"),
        }
    }
}

impl Read for bool {
    fn read(node: &Node, reader: &mut Reader) -> Option<Self> {
        match node.value {
            Datum::Bool(value) => Some(value),
            _ => reader.wrong_type(node, "`true` or `false`"),
        }
    }
}

/// What is expected where a number is.
const NUMBER: &str = "a whole number";

/// What a text in quotes would be without them, if that is what was expected.
fn unquoted<'n>(node: &'n Node, expected: &str) -> Option<&'n str> {
    let text = node.text()?;
    let fits = match expected {
        NUMBER => text.parse::<i64>().is_ok(),
        _ => expected.contains("`true`") && ["true", "false"].contains(&text),
    };
    fits.then_some(text)
}

macro_rules! read_whole_numbers {
    ($($type:ty)*) => {$(
        impl Read for $type {
            fn read(node: &Node, reader: &mut Reader) -> Option<Self> {
                let value = reader.int(node, <$type>::MIN.into(), <$type>::MAX.into())?;
                <$type>::try_from(value).ok()
            }
        }
    )*};
}

read_whole_numbers!(u8 u32 i32 i64);

impl Read for Text {
    fn read(node: &Node, reader: &mut Reader) -> Option<Self> {
        let Some(table) = node.table() else {
            return reader.wrong_type(
                node,
                "a text in both languages, `{ es = \"..\", en = \"..\" }`",
            );
        };
        let mut is_misspelt = false;
        for (name, entry) in table {
            if name != "es" && name != "en" {
                reader.unknown_key(name, &entry.key, "a text", &["es", "en"]);
                is_misspelt = true;
            }
        }
        // A language under another name is there, and told already.
        let lacks = |key: &str| !table.contains_key(key);
        if is_misspelt && (lacks("es") || lacks("en")) {
            return None;
        }
        let es = translation(node, table, "es", "Spanish", reader);
        let en = translation(node, table, "en", "English", reader);
        Some(Text { es: es?, en: en? })
    }
}

fn translation(
    node: &Node,
    table: &Branch,
    key: &str,
    language: &str,
    reader: &mut Reader,
) -> Option<String> {
    match table.get(key).map(|entry| &entry.node) {
        Some(node) if node.text().is_none_or(|text| !text.trim().is_empty()) => {
            let text = String::read(node, reader)?;
            if text.len() > LONGEST_STRING {
                let message = format!("a text has at most {LONGEST_STRING} bytes");
                reader.report(Diagnostic::new(Code::OutOfRange, message).at(&node.place));
            }
            reader.one_line(&text, &node.place);
            Some(text)
        }
        found => {
            let place = &found.unwrap_or(node).place;
            let message = format!("the {language} text is missing");
            let problem = Diagnostic::new(Code::MissingTranslation, message).at(place);
            reader.report(problem.help(format!("add `{key} = \"..\"`")));
            None
        }
    }
}

impl JsonSchema for Text {
    fn schema_name() -> Cow<'static, str> {
        "Text".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "What a person reads, in Spanish and English.",
            "type": "object",
            "properties": {
                "es": { "type": "string", "description": "In Spanish." },
                "en": { "type": "string", "description": "In English." },
            },
            "required": ["es", "en"],
            "additionalProperties": false,
        })
    }
}

impl JsonSchema for Anything {
    fn schema_name() -> Cow<'static, str> {
        "Anything".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        Schema::default()
    }
}

described_by_what_they_hold!(At, Must);

impl<T: JsonSchema> JsonSchema for Entries<T> {
    fn schema_name() -> Cow<'static, str> {
        format!("Entries_of_{}", T::schema_name()).into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let value = generator.subschema_for::<T>();
        json_schema!({ "type": "object", "additionalProperties": value })
    }
}
