//! A row of a table under a wrong name: everything that reads it names one that is not there, and none of that is the mistake.

use super::causes::{ROW, VALUE};
use super::diagnostic::{Code, Diagnostic, Slip};
use super::file::Files;
use super::setting;
use super::tree::Node;
use std::collections::{BTreeMap, BTreeSet};

/// A row that is named: where it would be, what it is called there, and what stands in its place.
type Row = (String, String, String);

/// So many places are not all wrong.
const FEWEST: usize = 2;

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

/// Whether something follows from a row that is told to be misspelt.
pub fn follows(found: &Diagnostic, row: &str) -> bool {
    let named = match found.code {
        Code::Script("unknown-key") => {
            of_script(found).map(|(table, name, _)| format!("{table}.{name}"))
        }
        Code::UnknownValue | Code::NothingToChange => found.name.clone(),
        Code::UnknownKey if found.of.as_deref() == Some(VALUE) => found.name.clone(),
        _ => None,
    };
    let rest = named.as_deref().and_then(|named| named.strip_prefix(row));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
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

/// `PRICES.unit` in a rule: the table goes by its constant, and the row is what stands there.
fn of_script(found: &Diagnostic) -> Option<Row> {
    let place = &found.at.as_ref()?.place;
    let name = place.file.text.get(place.span.clone())?;
    let (table, slip) = (found.name.as_ref()?, found.slip.as_ref()?);
    Some((table.to_lowercase(), name.to_string(), slip.meant.clone()))
}

/// Whether a name stands anywhere but where it is declared.
fn stands_elsewhere(name: &str, files: &Files) -> bool {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let in_file = |text: &str| {
        let found = text.match_indices(name);
        let whole = found.filter(|(at, _)| {
            !text[..*at].ends_with(is_name) && !text[at + name.len()..].starts_with(is_name)
        });
        whole.count()
    };
    files.iter().map(|file| in_file(&file.text)).sum::<usize>() > 1
}
