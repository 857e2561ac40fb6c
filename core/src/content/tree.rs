//! TOML as a tree in which every node knows where it was written and, after merging, over what.

use super::brackets::{lacks_comma, unclosed};
use super::diagnostic::{Code, Diagnostic, Slip, grouped};
use super::file::{File, Place};
use super::legible::{illegible, illegible_in_a_line};
use super::lexis::{Lexis, lex};
use crate::limits::{MOST_OF_A_KIND, MOST_REPEATED};
use foldhash::fast::RandomState;
use indexmap::IndexMap;
use std::fmt::Write;
use std::ops::Range;
use std::sync::Arc;
use toml::Spanned;
use toml::de::{DeTable, DeValue, Error as TomlError};
use toml_parser::Source;
use toml_parser::lexer::TokenKind;

/// A value and its story.
#[derive(Debug, Clone)]
pub struct Node {
    pub value: Datum,
    pub place: Place,
    /// What stood here before a later layer changed it.
    pub over: Option<Arc<Replaced>>,
}

#[derive(Debug, Clone)]
pub enum Datum {
    Bool(bool),
    Int(i64),
    /// As written: only `mul` may use one.
    Decimal(String),
    Text(String),
    /// TOML has dates; no rule does.
    Date(String),
    /// Lists and tables are shared until somebody changes them: every way to play a game has a tree of its own.
    List(Arc<Vec<Node>>),
    Table(Arc<Branch>),
}

/// Entries in the order of the file, what overlays add at the end.
pub type Branch = IndexMap<String, Entry, RandomState>;

#[derive(Debug, Clone)]
pub struct Entry {
    /// Where the key is written.
    pub key: Place,
    pub node: Node,
}

/// A value that was replaced.
#[derive(Debug)]
pub struct Replaced {
    pub said: String,
    pub place: Place,
    pub over: Option<Arc<Replaced>>,
}

/// One by one: what was replaced very often must not need a stack as deep.
impl Drop for Replaced {
    fn drop(&mut self) {
        let mut over = self.over.take();
        while let Some(mut before) = over.and_then(Arc::into_inner) {
            over = before.over.take();
        }
    }
}

/// Names, values and signs of a text: what reading it costs.
pub fn words(text: &str) -> usize {
    let quiet = [
        TokenKind::Whitespace,
        TokenKind::Newline,
        TokenKind::Comment,
        TokenKind::Eof,
    ];
    let tokens = Source::new(text).lex();
    tokens
        .filter(|token| !quiet.contains(&token.kind()))
        .count()
}

/// The tree of a file, as much of it as can be read, and all that is wrong with its syntax. Who calls has counted its [`words`].
pub fn parse(file: &Arc<File>) -> (Node, Vec<Diagnostic>) {
    let (table, errors) = DeTable::parse_recoverable(&file.text);
    let mut problems = Vec::new();
    let value = Datum::table(convert_table(table.get_ref(), file, &mut problems));
    let root = Node::new(value, Place::top(file));
    if !errors.is_empty()
        && let Some(mark) = merge_mark(&file.text)
    {
        problems.push(unmerged(file, mark, Code::BadSyntax));
        return (root, problems);
    }
    let open_text = errors
        .iter()
        .filter(|error| is_open_text(error.message()))
        .filter_map(|error| error.span())
        .map(|at| at.start)
        .min();
    let bracket = open_bracket(&errors, file).filter(|_| open_text.is_none());
    // Whatever comes after an open text or bracket is taken for a part of something else.
    let is_lost = |at: usize| {
        let in_bracket = bracket.as_ref().is_some_and(|open| at >= open.start);
        in_bracket || open_text.is_some_and(|open| at > open)
    };
    let mut repeated = 0..0;
    let (mut told, mut more) = (0, 0);
    for error in errors {
        let span = error.span().unwrap_or(0..0);
        // The keys of a table that is there twice are so because it is.
        if is_lost(span.start) || repeated.contains(&span.start) {
            continue;
        }
        // Each is looked for in the whole file; nobody reads so many.
        told += 1;
        if told > MOST_OF_A_KIND {
            more += 1;
            continue;
        }
        let header = is_repeated(error.message()) && is_header(file, span.start);
        if header && problems.len() < MOST_REPEATED {
            // Of a table that is there twice the parser keeps the second place: the first is found in the text before it.
            let (before, _) =
                DeTable::parse_recoverable(file.text.get(..span.start).unwrap_or_default());
            let before = convert_table(before.get_ref(), file, &mut Vec::new());
            let before = Node::new(Datum::table(before), Place::top(file));
            problems.push(syntax_problem(error.message(), span.clone(), file, &before));
        } else {
            problems.push(syntax_problem(error.message(), span.clone(), file, &root));
        }
        if header {
            repeated = span.end..next_header(&root, span.end).unwrap_or(file.text.len());
        }
    }
    if let Some(bracket) = bracket {
        let message = format!("this `{}`{OPENED}", &file.text[bracket.clone()]);
        let place = Place::new(file, bracket);
        problems.push(Diagnostic::new(Code::BadSyntax, message).at(&place));
    }
    if more > 0 {
        count_more(&mut problems, more);
    }
    (root, problems)
}

/// The bracket that is not closed, if that is what the parser stumbles over.
fn open_bracket(errors: &[TomlError], file: &File) -> Option<Range<usize>> {
    if errors.is_empty() {
        return None;
    }
    let open = unclosed(&file.text)?;
    let mut places = errors.iter().filter_map(TomlError::span);
    places.any(|at| at.start >= open.start).then_some(open)
}

/// Says behind the last mistake that is told how many there are besides. Of several on one line the first is told.
fn count_more(problems: &mut [Diagnostic], more: usize) {
    let line = |found: &Diagnostic| found.at.as_ref().map(|label| label.place.line());
    let lines: Vec<_> = problems.iter().map(line).collect();
    let is_first =
        |n: &usize| problems[*n].code != Code::BadSyntax || !lines[..*n].contains(&lines[*n]);
    if let Some(last) = (0..problems.len()).rev().find(is_first) {
        problems[last].help = Some(format!("and {} more mistakes in this file", grouped(more)));
    }
}

/// What is said of a bracket that lacks its partner, after the bracket.
const OPENED: &str = " is opened and not closed";
/// What is said of a text that lacks its last quote.
const OPEN_TEXT: &str = "this text is opened and not closed";

/// Whether a mistake of syntax is one after which nothing can be read.
pub fn leaves_open(found: &Diagnostic) -> bool {
    found.message.ends_with(OPENED)
}

/// Whether the parser says that a text on one line is not closed.
fn is_open_text(message: &str) -> bool {
    [
        "invalid basic string, expected `\"`",
        "invalid literal string, expected `'`",
    ]
    .contains(&message)
}

/// Where a text that is noticed to be open at a place begins: with the last quote of its line.
fn opening(file: &File, at: usize) -> Range<usize> {
    let before = file.text.get(..at).unwrap_or_default();
    let line = before.rfind('\n').map_or(0, |line| line + 1);
    let parts = lex(&before[line..]);
    let open = parts.iter().rev().find(|part| part.kind == Lexis::Text);
    open.map_or(at..at, |open| line + open.span.start..at)
}

/// Where a merge of two versions left its first mark.
pub fn merge_mark(text: &str) -> Option<Range<usize>> {
    let at_line = |mark: &str| {
        let mut found = text.match_indices(mark).map(|(at, _)| at);
        found.find(|at| *at == 0 || text[..*at].ends_with('\n'))
    };
    let (start, end) = (at_line("<<<<<<< ")?, at_line(">>>>>>> ")?);
    (start < end).then(|| start..start + "<<<<<<<".len())
}

/// One sentence for a file that a merge left in two versions.
pub fn unmerged(file: &Arc<File>, mark: Range<usize>, code: Code) -> Diagnostic {
    let message = "a merge left two versions in this file";
    let problem = Diagnostic::new(code, message).at(&Place::new(file, mark));
    problem.help("keep what is meant, and remove the lines with `<<<<<<<`, `=======` and `>>>>>>>`")
}

/// A value alone, as it is written after `=` on the command line, at a place of a longer text.
pub fn parse_value(file: &Arc<File>, span: Range<usize>) -> (Node, Vec<Diagnostic>) {
    let text = &file.text[span.clone()];
    let place = Place::new(file, span.clone());
    let mut problems = Vec::new();
    // Words need no quotes there: shells eat them.
    let value = match DeValue::parse(text) {
        Ok(value) => convert(value.get_ref(), file, &place, &mut problems),
        Err(_) => Datum::Text(text.trim().to_string()),
    };
    let mut node = Node::new(value, place.clone());
    relocate(&mut node, &place);
    (node, problems)
}

impl Datum {
    pub fn list(items: Vec<Node>) -> Datum {
        Datum::List(Arc::new(items))
    }

    pub fn table(entries: Branch) -> Datum {
        Datum::Table(Arc::new(entries))
    }
}

impl Node {
    pub fn new(value: Datum, place: Place) -> Node {
        Node {
            value,
            place,
            over: None,
        }
    }

    pub fn empty_table(place: Place) -> Node {
        Node::new(Datum::table(Branch::default()), place)
    }

    pub fn table(&self) -> Option<&Branch> {
        match &self.value {
            Datum::Table(table) => Some(table),
            _ => None,
        }
    }

    pub fn table_mut(&mut self) -> Option<&mut Branch> {
        match &mut self.value {
            Datum::Table(table) => Some(Arc::make_mut(table)),
            _ => None,
        }
    }

    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Datum::Text(text) => Some(text),
            _ => None,
        }
    }

    pub fn get(&self, key: &str) -> Option<&Node> {
        self.table()?.get(key).map(|entry| &entry.node)
    }

    /// "a whole number", for messages.
    pub fn what(&self) -> &'static str {
        match &self.value {
            Datum::Bool(_) => "`true` or `false`",
            Datum::Int(_) => "a whole number",
            Datum::Decimal(_) => "a decimal number",
            Datum::Text(_) => "a string",
            Datum::Date(_) => "a date",
            Datum::List(_) => "a list",
            Datum::Table(_) => "a table",
        }
    }

    /// The same of what was found, where the value says more than its type.
    pub fn found(&self) -> &'static str {
        match &self.value {
            Datum::Bool(true) => "`true`",
            Datum::Bool(false) => "`false`",
            _ => self.what(),
        }
    }

    /// The value in one line, as TOML writes it.
    pub fn said(&self) -> String {
        let mut out = String::new();
        self.say(&mut out);
        out
    }

    fn say(&self, out: &mut String) {
        match &self.value {
            Datum::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
            Datum::Int(value) => out.push_str(&value.to_string()),
            Datum::Decimal(text) | Datum::Date(text) => out.push_str(text),
            Datum::Text(text) => out.push_str(&format!("{text:?}")),
            Datum::List(items) => {
                out.push('[');
                for (i, item) in items.iter().enumerate() {
                    out.push_str(if i > 0 { ", " } else { "" });
                    item.say(out);
                }
                out.push(']');
            }
            Datum::Table(table) if table.is_empty() => out.push_str("{}"),
            Datum::Table(table) => {
                for (i, (key, entry)) in table.iter().enumerate() {
                    let _ = write!(out, "{}{key} = ", if i > 0 { ", " } else { "{ " });
                    entry.node.say(out);
                }
                out.push_str(" }");
            }
        }
    }

    /// Equal as data, wherever it was written.
    pub fn same(&self, other: &Node) -> bool {
        match (&self.value, &other.value) {
            (Datum::Bool(a), Datum::Bool(b)) => a == b,
            (Datum::Int(a), Datum::Int(b)) => a == b,
            (Datum::Decimal(a), Datum::Decimal(b)) => a == b,
            (Datum::Text(a), Datum::Text(b)) => a == b,
            (Datum::Date(a), Datum::Date(b)) => a == b,
            (Datum::List(a), Datum::List(b)) => {
                a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| a.same(b))
            }
            (Datum::Table(a), Datum::Table(b)) => {
                let equal = |(key, entry): (&String, &Entry)| {
                    b.get(key).is_some_and(|other| entry.node.same(&other.node))
                };
                a.len() == b.len() && a.iter().all(equal)
            }
            _ => false,
        }
    }

    /// What to remember of this node when another takes its place.
    pub fn past(&self) -> Arc<Replaced> {
        Arc::new(Replaced {
            said: self.said(),
            place: self.place.clone(),
            over: self.over.clone(),
        })
    }

    /// Feeds the data, unmistakably delimited and without places, to a digest.
    pub fn digest(&self, feed: &mut impl FnMut(&[u8])) {
        let mut scalar = |tag: u8, bytes: &[u8]| {
            feed(&[tag]);
            feed(&(bytes.len() as u64).to_le_bytes());
            feed(bytes);
        };
        match &self.value {
            Datum::Bool(value) => scalar(b'b', &[*value as u8]),
            Datum::Int(value) => scalar(b'i', &value.to_le_bytes()),
            Datum::Decimal(text) => scalar(b'f', text.as_bytes()),
            Datum::Text(text) => scalar(b's', text.as_bytes()),
            Datum::Date(text) => scalar(b'd', text.as_bytes()),
            Datum::List(items) => {
                scalar(b'l', &(items.len() as u64).to_le_bytes());
                for item in items.iter() {
                    item.digest(feed);
                }
            }
            Datum::Table(table) => {
                scalar(b't', &(table.len() as u64).to_le_bytes());
                for (key, entry) in table.iter() {
                    feed(&(key.len() as u64).to_le_bytes());
                    feed(key.as_bytes());
                    entry.node.digest(feed);
                }
            }
        }
    }
}

fn convert(
    value: &DeValue<'_>,
    file: &Arc<File>,
    place: &Place,
    problems: &mut Vec<Diagnostic>,
) -> Datum {
    match value {
        DeValue::String(text) => {
            problems.extend(unreadable(illegible(text), place));
            Datum::Text(text.to_string())
        }
        DeValue::Boolean(value) => Datum::Bool(*value),
        DeValue::Float(number) => Datum::Decimal(number.as_str().to_string()),
        DeValue::Datetime(date) => Datum::Date(date.to_string()),
        DeValue::Integer(number) => match i64::from_str_radix(number.as_str(), number.radix()) {
            Ok(value) => Datum::Int(value),
            Err(_) => {
                let message = "the number is too large";
                problems.push(Diagnostic::new(Code::OutOfRange, message).at(place));
                Datum::Int(0)
            }
        },
        DeValue::Array(items) => {
            let item = |item: &Spanned<DeValue<'_>>| convert_spanned(item, file, problems);
            Datum::list(items.iter().map(item).collect())
        }
        DeValue::Table(table) => Datum::table(convert_table(table, file, problems)),
    }
}

fn convert_spanned(
    value: &Spanned<DeValue<'_>>,
    file: &Arc<File>,
    problems: &mut Vec<Diagnostic>,
) -> Node {
    let place = Place::new(file, value.span());
    Node::new(convert(value.get_ref(), file, &place, problems), place)
}

/// The parser sorts by key; people expect the order they wrote.
fn convert_table(table: &DeTable<'_>, file: &Arc<File>, problems: &mut Vec<Diagnostic>) -> Branch {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    let entry = |(key, value): (&Spanned<_>, &Spanned<DeValue<'_>>)| {
        let name: &std::borrow::Cow<'_, str> = key.get_ref();
        let node = convert_spanned(value, file, problems);
        let key = Place::new(file, key.span());
        problems.extend(unreadable(illegible_in_a_line(name), &key));
        (name.to_string(), Entry { key, node })
    };
    entries.into_iter().map(entry).collect()
}

/// A text or a name with a character that people do not see as it is.
pub fn unreadable(found: Option<(usize, char)>, place: &Place) -> Option<Diagnostic> {
    let (_, odd) = found?;
    let message = format!("the text has the character '{}'", odd.escape_default());
    let problem = Diagnostic::new(Code::UnreadableText, message).at(place);
    Some(problem.help("texts are letters, digits and signs"))
}

/// Spans of a value parsed alone start at 0; on the command line all of it stands at one place.
fn relocate(node: &mut Node, place: &Place) {
    node.place = place.clone();
    match &mut node.value {
        Datum::List(items) => Arc::make_mut(items)
            .iter_mut()
            .for_each(|item| relocate(item, place)),
        Datum::Table(table) => Arc::make_mut(table).values_mut().for_each(|entry| {
            entry.key = place.clone();
            relocate(&mut entry.node, place);
        }),
        _ => {}
    }
}

fn syntax_problem(message: &str, span: Range<usize>, file: &Arc<File>, root: &Node) -> Diagnostic {
    let place = Place::new(file, span.clone());
    let text = file.text.get(span.clone()).unwrap_or_default();
    if is_repeated(message) {
        let name = text.trim_matches(['"', '\'']);
        let problem = Diagnostic::new(Code::DuplicateId, format!("`{name}` is there twice"));
        let problem = problem.labelled(&place, "again here");
        return match last_key_before(root, name, span.start) {
            Some(first) => problem.related(&first, "first here"),
            None => problem,
        };
    }
    if is_open_text(message) {
        let place = Place::new(file, opening(file, span.start));
        return Diagnostic::new(Code::BadSyntax, OPEN_TEXT).at(&place);
    }
    if message.starts_with("invalid boolean") && is_word(text) {
        let problem = Diagnostic::new(Code::BadSyntax, format!("`{text}` is no value")).at(&place);
        let quoted = format!("\"{text}\"");
        let mut problem = problem.help(format!("words stand in quotes: {quoted}"));
        problem.slip = Some(Slip {
            written: text.to_string(),
            meant: quoted,
        });
        return problem;
    }
    let unquoted = message.starts_with("string values must be");
    let message = match unquoted {
        true if lacks_comma(&file.text, &span) => "expected a comma between two values",
        true if text.trim().is_empty() => "expected a value after `=`",
        _ => message.trim().trim_end_matches(", expected nothing"),
    };
    Diagnostic::new(Code::BadSyntax, message).at(&place)
}

/// Whether something is a word and no number.
fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic())
        && text
            .chars()
            .all(|c| c.is_alphanumeric() || "_-".contains(c))
}

fn is_repeated(message: &str) -> bool {
    message.starts_with("duplicate key")
}

/// Whether a key is that of a `[table]`.
fn is_header(file: &File, key: usize) -> bool {
    let before = file.text.get(..key).unwrap_or_default();
    let line = before.rfind('\n').map_or(0, |at| at + 1);
    before[line..].trim_start().starts_with('[')
}

/// Where the first table after a place starts.
fn next_header(node: &Node, after: usize) -> Option<usize> {
    let own = node.place.span.start;
    let here = (own > after && is_header(&node.place.file, own + 1)).then_some(own);
    let inner: Box<dyn Iterator<Item = &Node>> = match &node.value {
        Datum::Table(table) => Box::new(table.values().map(|entry| &entry.node)),
        Datum::List(items) => Box::new(items.iter()),
        _ => return None,
    };
    inner
        .filter_map(|n| next_header(n, after))
        .chain(here)
        .min()
}

fn last_key_before(node: &Node, name: &str, before: usize) -> Option<Place> {
    let mut found: Option<Place> = None;
    let mut keep = |place: Place| {
        let later = found
            .as_ref()
            .is_none_or(|f| f.span.start < place.span.start);
        if place.span.start < before && later {
            found = Some(place);
        }
    };
    match &node.value {
        Datum::Table(table) => {
            for (key, entry) in table.iter() {
                if key == name {
                    keep(entry.key.clone());
                }
                last_key_before(&entry.node, name, before).map(&mut keep);
            }
        }
        Datum::List(items) => {
            for item in items.iter() {
                last_key_before(item, name, before).map(&mut keep);
            }
        }
        _ => {}
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_that_was_replaced_very_often_is_let_go_without_a_deep_stack() {
        let file = Arc::new(File::new("a", "a", "a", "a".to_string()));
        let place = Place::top(&file);
        let mut node = Node::new(Datum::Int(0), place.clone());
        for number in 1..300_000 {
            let over = Some(node.past());
            node = Node::new(Datum::Int(number), place.clone());
            node.over = over;
        }
        // Part of the story is still told elsewhere.
        let past = node.over.clone();
        drop(node);
        assert_eq!(
            past.map(|past| past.said.clone()).as_deref(),
            Some("299998")
        );
    }
}
