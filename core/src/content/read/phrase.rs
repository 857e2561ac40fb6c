//! Effects and conditions written as data. The manifest declares words, cards put them together, and each phrase becomes a script
//! function: what a card does runs on the same machine, at the same speed, as what a rule does.

use super::field::{self, Declared, FieldFile, Names};
use super::reader::{At, Entries, Reader, misspelt};
use super::tables;
use crate::content::definition::{Data, FieldType, FieldValue, Named, ScriptFile};
use crate::content::diagnostic::{Code, Diagnostic};
use crate::content::file::Place;
use crate::content::tree::{Branch, Datum, Node};
use crate::limits::DEEPEST_PHRASE;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use std::sync::Arc;

/// The words of a manifest: by name, the parameters each takes, in order.
pub type WordsFile = Entries<Entries<FieldFile>>;

/// A word of the vocabulary: a script function with three fixed parameters (me, p, it), then its own.
#[derive(Debug, Clone)]
pub struct WordFile {
    pub name: At<String>,
    pub takes: Arc<[Declared]>,
}

/// The words of one sort, in the order they were declared. A game may have many, and a card may say many.
#[derive(Debug, Default)]
pub struct WordList {
    pub all: Vec<WordFile>,
    numbers: HashMap<String, usize>,
}

/// What phrases of a game may say.
#[derive(Debug, Default)]
pub struct Vocabulary {
    pub effects: WordList,
    pub conditions: WordList,
}

/// How many phrases are around the one that is being read, in its file and in the defaults of words. One that is its own default would
/// never end.
#[derive(Debug, Default)]
pub struct Nesting {
    phrases: usize,
    /// It was told once that they are too many: a default may stand in very many places.
    told: bool,
}

/// What a phrase is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PhraseSort {
    /// Something happens.
    Effect,
    /// Something is so or not.
    Condition,
}

/// The function of a phrase, and where the phrase stands.
#[derive(Debug)]
pub struct WrittenPhrase {
    place: Place,
    text: String,
}

/// Words every game has.
const EFFECTS: [&str; 3] = ["if", "me", "call"];
const CONDITIONS: [&str; 4] = ["not", "any", "me", "call"];

impl PhraseSort {
    fn of_the_kernel(self) -> &'static [&'static str] {
        match self {
            PhraseSort::Effect => &EFFECTS,
            PhraseSort::Condition => &CONDITIONS,
        }
    }

    fn name(self) -> &'static str {
        match self {
            PhraseSort::Effect => "effect",
            PhraseSort::Condition => "condition",
        }
    }

    fn code(self) -> Code {
        match self {
            PhraseSort::Effect => Code::UnknownEffect,
            PhraseSort::Condition => Code::UnknownCondition,
        }
    }
}

impl WordList {
    fn new(all: Vec<WordFile>) -> WordList {
        let names = all.iter().map(|word| word.name.value.clone());
        let numbers = names.zip(0..).collect();
        WordList { all, numbers }
    }

    fn get(&self, word: &str) -> Option<&WordFile> {
        self.all.get(*self.numbers.get(word)?)
    }
}

impl Vocabulary {
    fn words(&self, sort: PhraseSort) -> &WordList {
        match sort {
            PhraseSort::Effect => &self.effects,
            PhraseSort::Condition => &self.conditions,
        }
    }

    fn knows(&self, sort: PhraseSort, word: &str) -> bool {
        self.words(sort).get(word).is_some() || sort.of_the_kernel().contains(&word)
    }
}

/// The words a manifest declares.
pub fn declare(
    file: Option<WordsFile>,
    sort: PhraseSort,
    names: &mut Names,
    reader: &mut Reader,
) -> WordList {
    let mut words = Vec::new();
    for (name, takes) in file.unwrap_or_default() {
        reader.id(&name.value, &name.place);
        if sort.of_the_kernel().contains(&name.value.as_str()) {
            let message = format!("`{}` is a word of the kernel", name.value);
            reader.report(Diagnostic::new(Code::DuplicateId, message).at(&name.place));
            continue;
        }
        let takes = field::declare(takes, &[], names, reader).into();
        words.push(WordFile { name, takes });
    }
    WordList::new(words)
}

/// The function of a card's phrase: `heron_Then` for the field `then` of `heron`, `heron_N2_Then` for the second card written inside it.
/// No id has capitals, so the last of them tells where the field begins, and two phrases never share a name.
pub fn function_name(card: &str, field: &str) -> String {
    let mut letters = field.chars();
    let capital = letters.next().map(|first| first.to_ascii_uppercase());
    let field: String = capital.into_iter().chain(letters).collect();
    format!("{}_{field}", card.replace('.', "_N"))
}

/// A phrase becomes the function `name(me, p, it)`.
pub fn read(
    node: &Node,
    sort: PhraseSort,
    name: String,
    names: &mut Names,
    reader: &mut Reader,
) -> Option<Named> {
    let body = match sort {
        PhraseSort::Effect => effect(node, "it", names, reader)?,
        PhraseSort::Condition => condition(node, "it", names, reader)?,
    };
    names.written.push(WrittenPhrase {
        place: node.place.clone(),
        text: format!("fn {name}(me, p, it) {{ {body} }}"),
    });
    Some(Named {
        name,
        origin: node.place.origin(),
    })
}

/// The functions as scripts, one for each file with phrases: a function stands on the line of its phrase, so that an error in it
/// names that line.
pub fn scripts(written: Vec<WrittenPhrase>) -> Vec<ScriptFile> {
    let mut files: BTreeMap<String, BTreeMap<usize, Vec<WrittenPhrase>>> = BTreeMap::new();
    for phrase in written {
        let line = phrase.place.line();
        let file = files.entry(phrase.place.file.shown.clone()).or_default();
        file.entry(line).or_default().push(phrase);
    }
    let script = |(path, lines): (String, BTreeMap<usize, Vec<WrittenPhrase>>)| {
        let mut text = String::new();
        let mut at = 1;
        for (line, phrases) in lines {
            text.extend(std::iter::repeat_n('\n', line - at));
            at = line;
            let column = phrases.first().map_or(1, |phrase| {
                phrase.place.file.position(phrase.place.span.start).1
            });
            text.extend(std::iter::repeat_n(' ', column - 1));
            phrases
                .iter()
                .for_each(|phrase| text.push_str(&phrase.text));
        }
        ScriptFile {
            path,
            text,
            layer: 0,
        }
    };
    files.into_iter().map(script).collect()
}

/// Reads a phrase that stands inside those around it, unless they are too many.
fn inside(
    node: &Node,
    names: &mut Names,
    reader: &mut Reader,
    read: impl FnOnce(&mut Names, &mut Reader) -> Option<String>,
) -> Option<String> {
    if names.nesting.phrases == DEEPEST_PHRASE {
        if !std::mem::replace(&mut names.nesting.told, true) {
            let message = format!(
                "at most {DEEPEST_PHRASE} effects and conditions lie inside each other, those that words have by default too"
            );
            let problem = Diagnostic::new(Code::OutOfRange, message).at(&node.place);
            reader.report(problem.help("does a word have itself by default?"));
        }
        return None;
    }
    names.nesting.phrases += 1;
    let written = read(names, reader);
    names.nesting.phrases -= 1;
    written
}

/// Statements. `it` is the name of what the phrase is about.
fn effect(node: &Node, it: &str, names: &mut Names, reader: &mut Reader) -> Option<String> {
    inside(node, names, reader, |names, reader| {
        statements(node, it, names, reader)
    })
}

fn statements(node: &Node, it: &str, names: &mut Names, reader: &mut Reader) -> Option<String> {
    if let Datum::List(items) = &node.value {
        let parts: Vec<_> = items
            .iter()
            .map(|item| effect(item, it, names, reader))
            .collect();
        return Some(parts.into_iter().collect::<Option<Vec<_>>>()?.join(" "));
    }
    let (word, rest) = head(node, PhraseSort::Effect, names, reader)?;
    let Some(kernel) = EFFECTS.iter().find(|w| **w == word) else {
        return call(node, &word, rest, PhraseSort::Effect, it, names, reader)
            .map(|c| format!("{c};"));
    };
    let table = rest?;
    let allowed: &[&str] = if *kernel == "if" {
        &["if", "then", "else"]
    } else {
        &[*kernel]
    };
    only(table, allowed, kernel, reader);
    let given = &table.get(*kernel)?.node;
    match *kernel {
        "me" => effect(given, "me", names, reader),
        "call" => script_call(given, it, reader).map(|c| format!("{c};")),
        _ => {
            let condition = condition(given, it, names, reader);
            let Some(then) = table.get("then") else {
                let message = "`if` needs `then`";
                reader.report(Diagnostic::new(Code::MissingKey, message).at(&node.place));
                return None;
            };
            let then = effect(&then.node, it, names, reader);
            let other = match table.get("else") {
                Some(entry) => effect(&entry.node, it, names, reader)?,
                None => String::new(),
            };
            Some(format!(
                "if {} {{ {} }} else {{ {other} }}",
                condition?, then?
            ))
        }
    }
}

/// An expression that is true or false.
fn condition(node: &Node, it: &str, names: &mut Names, reader: &mut Reader) -> Option<String> {
    inside(node, names, reader, |names, reader| {
        expression(node, it, names, reader)
    })
}

fn expression(node: &Node, it: &str, names: &mut Names, reader: &mut Reader) -> Option<String> {
    if let Datum::List(items) = &node.value {
        return joined(items, " && ", "true", it, names, reader);
    }
    let (word, rest) = head(node, PhraseSort::Condition, names, reader)?;
    let Some(kernel) = CONDITIONS.iter().find(|w| **w == word) else {
        return call(node, &word, rest, PhraseSort::Condition, it, names, reader);
    };
    let table = rest?;
    only(table, &[*kernel], kernel, reader);
    let given = &table.get(*kernel)?.node;
    match *kernel {
        "me" => condition(given, "me", names, reader),
        "call" => script_call(given, it, reader),
        "not" => condition(given, it, names, reader).map(|c| format!("!({c})")),
        _ => {
            let items = reader.list(given, "a list of conditions")?;
            joined(items, " || ", "false", it, names, reader)
        }
    }
}

fn joined(
    items: &[Node],
    with: &str,
    nothing: &str,
    it: &str,
    names: &mut Names,
    reader: &mut Reader,
) -> Option<String> {
    let parts: Vec<_> = items
        .iter()
        .map(|item| condition(item, it, names, reader))
        .collect();
    let parts = parts.into_iter().collect::<Option<Vec<_>>>()?;
    Some(match parts.is_empty() {
        true => nothing.to_string(),
        false => format!("({})", parts.join(with)),
    })
}

/// The word a phrase starts with, and the table it stands in; a word alone has none.
fn head<'a>(
    node: &'a Node,
    sort: PhraseSort,
    names: &Names,
    reader: &mut Reader,
) -> Option<(String, Option<&'a Branch>)> {
    let vocabulary = &names.vocabulary;
    let (found, written, place) = match &node.value {
        Datum::Text(word) => (
            vocabulary.words(sort).get(word).is_some(),
            (word, None),
            &node.place,
        ),
        Datum::Table(table) => {
            let word = table.iter().find(|(key, _)| vocabulary.knows(sort, key));
            let Some((key, entry)) = word.or_else(|| table.first()) else {
                return reader.wrong_type(node, &format!("a word of the {}s", sort.name()));
            };
            (word.is_some(), (key, Some(&**table)), &entry.key)
        }
        _ => {
            let expected = format!("a word of the {}s, a table or a list", sort.name());
            return reader.wrong_type(node, &expected);
        }
    };
    let (word, table) = written;
    if found {
        return Some((word.clone(), table));
    }
    let message = format!("unknown {} `{word}`", sort.name());
    let own = vocabulary.words(sort).all.iter();
    let own = own.map(|word| word.name.value.as_str());
    let known = own.chain(sort.of_the_kernel().iter().copied());
    let problem = Diagnostic::new(sort.code(), message).at(place);
    reader.report(problem.suggest(word, known));
    None
}

fn only(table: &Branch, allowed: &[&str], word: &str, reader: &mut Reader) {
    for (key, entry) in table {
        if !allowed.contains(&key.as_str()) {
            reader.unknown_key(key, &entry.key, &format!("`{word}`"), allowed);
        }
    }
}

/// A function of the scripts, for what words do not say.
fn script_call(node: &Node, it: &str, reader: &mut Reader) -> Option<String> {
    let Some(name) = node.text() else {
        return reader.wrong_type(node, "the name of a script function");
    };
    reader.id(name, &node.place);
    Some(format!("{name}(me, p, {it})"))
}

/// The call of a word's function: the first parameter stands beside the word, the others have keys of their own.
fn call(
    node: &Node,
    word: &str,
    table: Option<&Branch>,
    sort: PhraseSort,
    it: &str,
    names: &mut Names,
    reader: &mut Reader,
) -> Option<String> {
    let takes = names.vocabulary.words(sort).get(word)?.takes.clone();
    let key = |index: usize, declared: &Declared| match index {
        0 => word.to_string(),
        _ => declared.field.name.clone(),
    };
    if let Some(table) = table {
        let keys = takes.iter().enumerate().map(|(i, d)| key(i, d));
        let mut keys: Vec<String> = keys.collect();
        if keys.is_empty() {
            keys.push(word.to_string());
        }
        let known: Vec<&str> = keys.iter().map(String::as_str).collect();
        only(table, &known, word, reader);
        if let (true, Some(entry)) = (takes.is_empty(), table.get(word))
            && !matches!(entry.node.value, Datum::Bool(true))
        {
            let message = format!("`{word}` takes nothing");
            let problem = Diagnostic::new(Code::WrongType, message).at(&entry.node.place);
            reader.report(problem.help(format!("write \"{word}\" alone, or `{word} = true`")));
        }
    }
    // What is left out is written again for every phrase.
    let is_given = |index: usize, declared: &Declared| {
        table.is_some_and(|table| table.contains_key(&key(index, declared)))
    };
    let left_out = takes.iter().enumerate();
    let left_out = left_out.filter(|(index, declared)| !is_given(*index, declared));
    let defaults: usize = left_out.map(|(_, declared)| declared.weighs).sum();
    if !names.has_room_for(1 + takes.len() + defaults, &node.place, reader) {
        return None;
    }
    let mut written = format!("{word}(me, p, {it}");
    let mut complete = true;
    for (index, declared) in takes.iter().enumerate() {
        let key = key(index, declared);
        let given = table.and_then(|table| table.get(&key)).map(|e| &e.node);
        let argument = match given.or(declared.default.as_ref()) {
            Some(node) => argument(node, declared, names, reader),
            None if declared.optional => Some("()".to_string()),
            None if table.is_some_and(|table| misspelt(table, &key, &[&key])) => None,
            None => {
                let message = match index {
                    0 => format!("`{word}` needs its `{}`", declared.field.name),
                    _ => format!("`{word}` needs `{key}`"),
                };
                reader.report(Diagnostic::new(Code::MissingKey, message).at(&node.place));
                None
            }
        };
        complete &= argument.is_some();
        let _ = write!(written, ", {}", argument.unwrap_or_default());
    }
    written.push(')');
    complete.then_some(written)
}

/// An argument as the script writes it. Phrases inside phrases are closures over what they are about.
fn argument(
    node: &Node,
    declared: &Declared,
    names: &mut Names,
    reader: &mut Reader,
) -> Option<String> {
    match declared.field.ty {
        FieldType::Effect => {
            let body = effect(node, "it", names, reader)?;
            return Some(format!("|it| {{ {body} }}"));
        }
        FieldType::Condition => {
            let body = condition(node, "it", names, reader)?;
            return Some(format!("|it| {body}"));
        }
        _ => {}
    }
    let value = field::value(node, declared, names, reader)?;
    let card = |id: &u32, names: &Names| {
        let found = names.cards.iter().find(|(_, number)| *number == id);
        format!("card({})", quoted(found.map_or("", |(id, _)| id)))
    };
    let list = |items: Vec<String>| format!("[{}]", items.join(", "));
    let word = |word: &u32, names: &Names| quoted(&names.words[*word as usize]);
    Some(match &value {
        FieldValue::None => "()".to_string(),
        FieldValue::Int(n) if *n < 0 => format!("({n})"),
        FieldValue::Int(n) => n.to_string(),
        FieldValue::Bool(b) => b.to_string(),
        FieldValue::String(text) => quoted(text),
        FieldValue::Text(text) => quoted(&text.en),
        FieldValue::Word(id) => word(id, names),
        FieldValue::Words(ids) => list(ids.iter().map(|id| word(id, names)).collect()),
        FieldValue::Ints(numbers) => list(numbers.iter().map(i64::to_string).collect()),
        FieldValue::Card(id) => card(id, names),
        FieldValue::Cards(ids) => list(ids.iter().map(|id| card(id, names)).collect()),
        FieldValue::Space(_) => format!("space({})", quoted(node.text()?)),
        FieldValue::Area(_) => format!("area({})", quoted(node.text()?)),
        FieldValue::Function(named) => format!("Fn({})", quoted(&named.name)),
        FieldValue::Table(_) => data(&tables::data(node, reader)),
    })
}

fn data(value: &Data) -> String {
    match value {
        Data::Bool(b) => b.to_string(),
        Data::Int(n) => format!("({n})"),
        Data::Text(text) => quoted(text),
        Data::List(items) => {
            let items: Vec<String> = items.iter().map(data).collect();
            format!("[{}]", items.join(", "))
        }
        Data::Table(entries) => {
            let entries = entries.iter();
            let entries: Vec<String> = entries
                .map(|(key, value)| format!("{}: {}", quoted(key), data(value)))
                .collect();
            format!("#{{{}}}", entries.join(", "))
        }
    }
}

fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            _ => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
