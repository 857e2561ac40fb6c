//! A row of a table under a wrong name, or without one of its columns, or a list that lacks an entry: everything that reads it names what is
//! not there, and none of that is the mistake.

use super::causes::{ROW, VALUE};
use super::definition::{Definition, FieldValue};
use super::diagnostic::{Code, Diagnostic, Slip};
use super::file::Files;
use super::setting;
use super::tree::{Datum, Entry, Node};
use ludoteca_vm::nearest;
use std::collections::{BTreeMap, BTreeSet};

/// A row that is named: where it would be, what it is called there, and what stands in its place.
type Row = (String, String, String);

/// So many places are not all wrong.
const FEWEST: usize = 2;
/// Rows, besides the one in question, that are alike.
const FEWEST_ROWS: usize = 3;
/// The same of cards, which have more reasons to differ.
const FEWEST_CARDS: usize = 8;

/// The rows of tables that nobody names, where several name one that is written nearly so.
pub fn rows(diagnostics: &[Diagnostic], root: &Node, files: &Files) -> Vec<Diagnostic> {
    let mut named: BTreeMap<Row, BTreeSet<(String, usize)>> = BTreeMap::new();
    for found in diagnostics {
        let place = found.at.as_ref().map(|label| &label.place);
        if let (Some(place), Some(row)) = (place, row_of(found)) {
            let places = named.entry(row).or_default();
            places.insert((place.file.shown.clone(), place.span.start));
        }
    }
    let wrong = named
        .into_iter()
        .filter(|(_, places)| places.len() >= FEWEST);
    wrong
        .filter_map(|((table, name, written), _)| {
            let tables = root.get("tables")?;
            let table_node = setting::follow(tables, &parts(&table))?;
            let entry = table_node.table()?.get(&written)?;
            if stands_elsewhere(&written, files) {
                return None;
            }
            let message = format!(
                "nothing reads `{table}.{written}`, and several places name `{table}.{name}`"
            );
            let mut problem = Diagnostic::new(Code::UnknownKey, message).of(ROW);
            problem = problem.at(&entry.key);
            problem = problem.help(format!("did you mean `{name}`?"));
            problem.slip = Some(Slip {
                written,
                meant: name.clone(),
            });
            problem.name = Some(format!("{table}.{name}"));
            Some(problem)
        })
        .collect()
}

/// The tables that nobody reads, where several places name one that is written nearly so.
pub fn tables(diagnostics: &[Diagnostic], root: &Node, files: &Files) -> Vec<Diagnostic> {
    let mut named: BTreeMap<String, BTreeSet<(String, usize)>> = BTreeMap::new();
    for found in diagnostics.iter().filter(|found| found.is_error()) {
        let place = found.at.as_ref().map(|label| &label.place);
        if let (Some(place), Some(value)) = (place, value_of(found)) {
            let value = value.strip_prefix("tables.").unwrap_or(&value);
            let table = value.split('.').next().unwrap_or_default();
            let places = named.entry(table.to_string()).or_default();
            places.insert((place.file.shown.clone(), place.span.start));
        }
    }
    let Some(all) = root.get("tables").and_then(Node::table) else {
        return Vec::new();
    };
    let is_lost = |name: &str| {
        let parameters = root.get("parameters").and_then(Node::table);
        !all.contains_key(name) && parameters.is_none_or(|known| !known.contains_key(name))
    };
    let wrong = named.into_iter();
    let wrong = wrong.filter(|(name, places)| places.len() >= FEWEST && is_lost(name));
    wrong
        .filter_map(|(name, _)| {
            let unread = |written: &&str| {
                !stands_elsewhere(written, files)
                    && !stands_anywhere(&written.to_uppercase(), files)
            };
            let written = nearest(&name, all.keys().map(String::as_str).filter(unread))?;
            let message =
                format!("nothing reads the table `{written}`, and several places name `{name}`");
            let problem = Diagnostic::new(Code::UnknownKey, message).of(ROW);
            let mut problem = problem.at(&all.get(written)?.key).meant(written, &name);
            problem.name = Some(name);
            Some(problem)
        })
        .collect()
}

/// A list of numbers on one card that is longer or shorter than on all others of its kind.
pub fn odd_lists(definition: &Definition, root: &Node) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (number, kind) in definition.kinds.iter().enumerate() {
        let cards = definition
            .cards
            .iter()
            .filter(|card| card.kind as usize == number);
        let cards: Vec<_> = cards.collect();
        for (at, field) in kind.fields.iter().enumerate() {
            let lengths = cards.iter().filter_map(|card| match card.fields.get(at) {
                Some(FieldValue::Ints(list)) => Some((card, list.len())),
                _ => None,
            });
            let lengths: Vec<_> = lengths.collect();
            let of_length = |wanted: usize| lengths.iter().filter(move |(_, n)| *n == wanted);
            let odd = lengths
                .iter()
                .find(|(_, length)| of_length(*length).count() == 1);
            let Some((card, length)) = odd else { continue };
            let mut others = lengths
                .iter()
                .map(|(_, other)| *other)
                .filter(|n| n != length);
            let Some(usual) = others.next() else { continue };
            if lengths.len() <= FEWEST_CARDS || others.any(|other| other != usual) {
                continue;
            }
            let written = root
                .get("cards")
                .and_then(|cards| cards.get(&card.id)?.get(&field.name));
            let Some(node) = written else { continue };
            let (name, noun) = (&field.name, if *length == 1 { "entry" } else { "entries" });
            let message = format!(
                "`{name}` of `{}` has {length} {noun}, and of all other cards of its kind {usual}",
                card.id
            );
            found.push(Diagnostic::new(Code::OddValue, message).at(&node.place));
        }
    }
    found
}

/// The lists that are too short for several places that name one of their entries.
pub fn lists(diagnostics: &[Diagnostic], root: &Node) -> Vec<Diagnostic> {
    let mut named: BTreeMap<String, (usize, BTreeSet<(String, usize)>)> = BTreeMap::new();
    for found in diagnostics.iter().filter(|found| found.is_error()) {
        let place = found.at.as_ref().map(|label| &label.place);
        let value = value_of(found);
        let (Some(place), Some((list, entry))) = (place, value.as_deref().and_then(entry_of))
        else {
            continue;
        };
        let (last, places) = named.entry(list.to_string()).or_default();
        *last = entry.max(*last);
        places.insert((place.file.shown.clone(), place.span.start));
    }
    let wrong = named
        .into_iter()
        .filter(|(_, (_, places))| places.len() >= FEWEST);
    wrong
        .filter_map(|(list, (entry, _))| {
            let node = setting::follow(root.get("tables")?, &parts(&list))?;
            let Datum::List(items) = &node.value else {
                return None;
            };
            let (count, noun) = (items.len(), if items.len() == 1 { "entry" } else { "entries" });
            let message = format!(
                "several places name `{list}.{entry}`, and `{list}` has {count} {noun}, counted from 0"
            );
            let mut problem = Diagnostic::new(Code::MissingKey, message).of(ROW);
            problem = problem.at(&node.place).help("is an entry missing?");
            problem.name = Some(list);
            Some(problem)
        })
        .collect()
}

/// `income.3` as a list and the number of an entry.
fn entry_of(value: &str) -> Option<(&str, usize)> {
    let value = value.strip_prefix("tables.").unwrap_or(value);
    let (list, entry) = value.rsplit_once('.')?;
    Some((list, entry.parse().ok()?))
}

/// The rows of tables without a column that somebody names and that most rows beside them have.
pub fn columns(diagnostics: &[Diagnostic], told: &[Diagnostic], root: &Node) -> Vec<Diagnostic> {
    let is_told = |cell: &str| {
        let rows = told.iter().filter_map(|row| row.name.as_deref());
        rows.into_iter().any(|row| is_below(cell, row))
    };
    let errors = diagnostics.iter().filter(|found| found.is_error());
    let mut named: BTreeMap<String, Vec<&Diagnostic>> = BTreeMap::new();
    for found in errors {
        if let Some(cell) = value_of(found) {
            named.entry(cell).or_default().push(found);
        }
    }
    let untold = named.iter().filter(|(cell, _)| !is_told(cell));
    untold
        .filter_map(|(cell, by)| lacking(cell, root).or_else(|| lacks_value(cell, by, root)))
        .collect()
}

/// What is said of a table, if `upkeep.energy` is not there and nobody can have meant anything else.
fn lacks_value(cell: &str, named_by: &[&Diagnostic], root: &Node) -> Option<Diagnostic> {
    let (table, value) = cell
        .strip_prefix("tables.")
        .unwrap_or(cell)
        .split_once('.')?;
    let entry = root.get("tables")?.table()?.get(table)?;
    let is_new = |key: &String| !value.contains('.') && key != value;
    let ways: BTreeSet<Code> = named_by.iter().map(|found| found.code).collect();
    if named_by.iter().any(|found| found.slip.is_some())
        || ways.len() < FEWEST
        || !entry.node.table()?.keys().all(is_new)
    {
        return None;
    }
    let message = format!("`{table}` lacks `{value}`, which several places name");
    let mut problem = Diagnostic::new(Code::MissingKey, message).of(ROW);
    problem = problem.at(&entry.key);
    problem.name = Some(cell.to_string());
    Some(problem)
}

/// A value that one row of a table has and no other, and that nothing reads.
pub fn strangers(diagnostics: &[Diagnostic], root: &Node, files: &Files) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (table, entry) in root
        .get("tables")
        .and_then(Node::table)
        .into_iter()
        .flatten()
    {
        let rows = entry.node.table().into_iter().flatten();
        let rows: Vec<_> = rows
            .filter_map(|(row, entry)| Some((row, entry.node.table()?)))
            .collect();
        if rows.len() <= FEWEST_ROWS || entry.node.table().is_none_or(|t| t.len() != rows.len()) {
            continue;
        }
        let mut columns: BTreeMap<&String, Vec<(&String, &Entry)>> = BTreeMap::new();
        for (row, values) in &rows {
            for (column, value) in values.iter() {
                columns.entry(column).or_default().push((row, value));
            }
        }
        for (column, cells) in columns {
            let [(row, value)] = cells[..] else { continue };
            // A row that lacks a column has it under this name.
            let lacks = |found: &Diagnostic| {
                let name = found.name.as_deref().unwrap_or_default();
                found.code == Code::OddValue && is_below(name, &format!("{table}.{row}"))
            };
            if stands_elsewhere(column, files) || diagnostics.iter().any(lacks) {
                continue;
            }
            let message =
                format!("`{table}.{row}` has `{column}`, which no other row of `{table}` has");
            let problem = Diagnostic::new(Code::OddValue, message).at(&value.key);
            found.push(problem.help("nothing reads it"));
        }
    }
    found
}

/// What is said of a row, if `prices.unit.resources` is not there because its row lacks it.
fn lacking(cell: &str, root: &Node) -> Option<Diagnostic> {
    let path = parts(cell.strip_prefix("tables.").unwrap_or(cell));
    let (column, path) = path.split_last()?;
    let (row, path) = path.split_last()?;
    let table = setting::follow(root.get("tables")?, path).filter(|_| !path.is_empty())?;
    let entry = table.table()?.get(row)?;
    let rows = table.table()?.iter();
    let rows = rows.filter_map(|(_, entry)| entry.node.table());
    let (with, without): (Vec<_>, Vec<_>) = rows.partition(|row| row.contains_key(column));
    if entry.node.table()?.contains_key(column) || with.len() < without.len().max(1) {
        return None;
    }
    let table = path.join(".");
    let message = format!("`{table}.{row}` lacks `{column}`, which other rows of `{table}` have");
    let mut problem = Diagnostic::new(Code::MissingKey, message).of(ROW);
    problem = problem.at(&entry.key);
    problem.name = Some(cell.to_string());
    Some(problem)
}

/// Whether something follows from a row that is told to be misspelt, or to lack a column.
pub fn follows(found: &Diagnostic, row: &str) -> bool {
    value_of(found).is_some_and(|named| is_below(&named, row))
}

/// Whether a value is this one, or lies in it.
fn is_below(value: &str, row: &str) -> bool {
    let rest = value.strip_prefix(row);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// The value that a mistake is about, if it is that there is no such value.
fn value_of(found: &Diagnostic) -> Option<String> {
    match found.code {
        Code::Script("unknown-key") => {
            in_script(found).map(|(table, name)| format!("{table}.{name}"))
        }
        Code::Script("unknown-variable") => {
            let name = found.name.as_ref()?;
            let is_constant = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
            name.chars().all(is_constant).then(|| name.to_lowercase())
        }
        Code::UnknownValue | Code::NothingToChange | Code::OddValue => found.name.clone(),
        Code::UnknownKey if found.of.as_deref() == Some(VALUE) => found.name.clone(),
        _ => None,
    }
}

fn parts(path: &str) -> Vec<String> {
    path.split('.').map(str::to_string).collect()
}

/// The row that a mistake is about, if it is that one is not there and another looks like it.
fn row_of(found: &Diagnostic) -> Option<Row> {
    if found.code == Code::Script("unknown-key") {
        return of_script(found);
    }
    let of_value = match found.code {
        Code::UnknownValue | Code::NothingToChange => true,
        Code::UnknownKey => found.of.as_deref() == Some(VALUE),
        _ => false,
    };
    let slip = found.slip.as_ref().filter(|_| of_value)?;
    let (named, there) = (parts(&slip.written), parts(&slip.meant));
    let mut differing = named
        .iter()
        .zip(&there)
        .enumerate()
        .filter(|(_, (a, b))| a != b);
    let (at, (name, written)) = differing.next()?;
    let is_row = at > 0 && differing.next().is_none() && named.len() == there.len();
    is_row.then(|| (named[..at].join("."), name.clone(), written.clone()))
}

/// `PRICES.unit` in a rule, and what it looks like.
fn of_script(found: &Diagnostic) -> Option<Row> {
    let (table, name) = in_script(found)?;
    Some((table, name, found.slip.as_ref()?.meant.clone()))
}

/// `PRICES.unit.resources` in a rule: the table goes by its constant, and what is missing stands at the place.
fn in_script(found: &Diagnostic) -> Option<(String, String)> {
    let place = &found.at.as_ref()?.place;
    let (before, here) = place.file.text.split_at_checked(place.span.start)?;
    let name = here.get(..place.span.len())?;
    let is_path = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let path = &before[before.trim_end_matches(is_path).len()..];
    let table = match path.strip_suffix('.').filter(|path| !path.is_empty()) {
        Some(path) => path,
        None => found.name.as_ref()?,
    };
    Some((table.to_lowercase(), name.to_string()))
}

/// Whether a name stands anywhere but where it is declared.
fn stands_elsewhere(name: &str, files: &Files) -> bool {
    count(name, files) > 1
}

fn stands_anywhere(name: &str, files: &Files) -> bool {
    count(name, files) > 0
}

fn count(name: &str, files: &Files) -> usize {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let in_file = |text: &str| {
        let found = text.match_indices(name);
        let whole = found.filter(|(at, _)| {
            !text[..*at].ends_with(is_name) && !text[at + name.len()..].starts_with(is_name)
        });
        whole.count()
    };
    files.iter().map(|file| in_file(&file.text)).sum()
}
