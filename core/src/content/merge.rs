//! Overlays: one tree changes another, generically, before anything knows what the values mean.

use super::diagnostic::{Code, Diagnostic, nearest};
use super::tree::{Branch, Datum, Entry, Node};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Whether a patch may bring keys that were not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Adding {
    /// Overlay files add cards, spaces, tables.
    Allowed,
    /// Settings change what is there: a key that is not is a mistake.
    Refused,
}

const OPERATIONS: [&str; 4] = ["add", "mul", "extend", "delete"];

/// Changes `base` by `patch`. `path` is what to call the value in messages; a top level has none.
pub fn merge(
    base: &mut Node,
    patch: &Node,
    path: &str,
    adding: Adding,
    problems: &mut Vec<Diagnostic>,
) {
    let operation = operation(patch);
    match (&mut base.value, &patch.value) {
        (Datum::Table(entries), Datum::Table(changes)) => {
            if changes.is_empty() {
                problems.push(nothing(path, "it is an empty table", patch));
            }
            merge_table(Arc::make_mut(entries), changes, path, adding, problems);
        }
        (Datum::Int(_) | Datum::Decimal(_) | Datum::Bool(_) | Datum::Text(_), _)
            if operation.is_some() =>
        {
            arithmetic(base, patch, path, problems);
        }
        (Datum::List(_), _) if operation.is_some() => change_list(base, patch, path, problems),
        _ => replace(base, patch, path, problems),
    }
}

/// Whether a node is `{ add = 1 }` and the like. A table that really has such keys is changed key by key all the same,
/// because only what is no table reads a patch as an operation.
pub fn operation(patch: &Node) -> Option<&Branch> {
    let table = patch.table()?;
    let known = |key: &String| OPERATIONS.contains(&key.as_str());
    (!table.is_empty() && table.keys().all(known)).then_some(table)
}

fn merge_table(
    entries: &mut Branch,
    changes: &Branch,
    path: &str,
    adding: Adding,
    problems: &mut Vec<Diagnostic>,
) {
    for (key, change) in changes {
        let inner = match path {
            "" => key.clone(),
            _ => format!("{path}.{key}"),
        };
        if let Some(entry) = entries.get_mut(key) {
            merge(&mut entry.node, &change.node, &inner, adding, problems);
        } else if key == "delete" {
            delete_entries(entries, &change.node, path, problems);
        } else if adding == Adding::Refused {
            let message = format!("there is no `{inner}` to change");
            let problem = Diagnostic::new(Code::NothingToChange, message).at(&change.key);
            problems.push(problem.suggest(key, entries.keys().map(String::as_str)));
        } else {
            add_entry(entries, key, change, &inner, problems);
        }
    }
}

fn add_entry(
    entries: &mut Branch,
    key: &str,
    change: &Entry,
    path: &str,
    problems: &mut Vec<Diagnostic>,
) {
    let names = || entries.keys().map(String::as_str);
    if let Some(operation) = first_operation(&change.node) {
        let message = format!("there is no `{path}` to change");
        let problem = Diagnostic::new(Code::NothingToChange, message).at(&change.key);
        let problem = match operation.place == change.node.place {
            true => problem,
            false => problem.related(&operation.place, "this changes a value"),
        };
        problems.push(problem.suggest(key, names()));
        return;
    }
    // Ids come in families (`north_1`, `north_2`): only a letter too few, too many or exchanged looks like a slip.
    let is_word = !key.contains(|c: char| c.is_ascii_digit());
    let similar = is_word
        .then(|| nearest(key, names()))
        .flatten()
        .filter(|near| key.len().max(near.len()) >= 4)
        .filter(|near| strsim::damerau_levenshtein(key, near) == 1);
    if let Some(near) = similar {
        let message = format!("`{path}` is new, but looks like `{near}`");
        let mut problem = Diagnostic::new(Code::SimilarKey, message).at(&change.key);
        problem.name = Some(key.to_string());
        let problem = problem.of(near);
        problems.push(problem.help(format!("if you want to change `{near}`, write `{near}`")));
    }
    entries.insert(key.to_string(), change.clone());
}

fn first_operation(node: &Node) -> Option<&Node> {
    if operation(node).is_some() {
        return Some(node);
    }
    node.table()?
        .values()
        .find_map(|e| first_operation(&e.node))
}

fn delete_entries(entries: &mut Branch, patch: &Node, path: &str, problems: &mut Vec<Diagnostic>) {
    let Datum::List(items) = &patch.value else {
        problems.push(mismatch("`delete` needs a list of ids", patch, patch));
        return;
    };
    if items.is_empty() {
        problems.push(nothing(path, "nothing is deleted", patch));
    }
    let mut gone: HashSet<&str> = HashSet::new();
    for item in items.iter() {
        match item.text() {
            None => problems.push(mismatch("`delete` needs ids", item, item)),
            Some(id) if entries.contains_key(id) && gone.insert(id) => {}
            Some(id) => {
                let message = format!("there is no `{id}` to delete");
                let problem = Diagnostic::new(Code::NothingToChange, message).at(&item.place);
                let left = entries.keys().map(String::as_str);
                let left = left.filter(|known| !gone.contains(known));
                problems.push(problem.suggest(id, left));
            }
        }
    }
    // The order of the others is part of the game (a deck before it is shuffled).
    entries.retain(|id, _| !gone.contains(id.as_str()));
}

fn arithmetic(base: &mut Node, patch: &Node, path: &str, problems: &mut Vec<Diagnostic>) {
    let Datum::Int(old) = base.value else {
        let message = format!("`{path}` is {}: it can only be replaced", base.what());
        problems.push(mismatch(&message, patch, base));
        return;
    };
    let mut new = old;
    for (word, entry) in operation(patch).into_iter().flatten() {
        let result = match (word.as_str(), &entry.node.value) {
            ("add", Datum::Int(n)) => new.checked_add(*n),
            ("mul", Datum::Int(n)) => new.checked_mul(*n),
            ("mul", Datum::Decimal(text)) => scaled(new, text),
            ("add" | "mul", _) => {
                let message = format!("`{word}` needs a number, found {}", entry.node.found());
                problems.push(mismatch(&message, &entry.node, base));
                return;
            }
            _ => {
                let message = format!("`{word}` changes a list, and `{path}` is a whole number");
                problems.push(mismatch(&message, &entry.node, base));
                return;
            }
        };
        let Some(result) = result else {
            let message =
                format!("`{path}` cannot become that: the number is too large or too fine");
            problems.push(mismatch(&message, &entry.node, base));
            return;
        };
        new = result;
    }
    if new == old {
        let reason = format!("`{path}` stays {old}");
        problems.push(nothing(path, &reason, patch).related(&base.place, "set here"));
        return;
    }
    let over = Some(base.past());
    *base = Node {
        value: Datum::Int(new),
        place: patch.place.clone(),
        over,
    };
}

/// A number times a decimal as written, exactly, rounded half away from zero: the same on every machine.
fn scaled(number: i64, factor: &str) -> Option<i64> {
    let (negative, digits) = match factor.strip_prefix(['-', '+']) {
        Some(rest) => (factor.starts_with('-'), rest),
        None => (false, factor),
    };
    let (whole, fraction) = digits.split_once('.')?;
    if whole.len() + fraction.len() > 15 {
        return None;
    }
    let numerator: i128 = format!("{whole}{fraction}").parse().ok()?;
    let denominator = 10i128.pow(u32::try_from(fraction.len()).ok()?);
    let product = i128::from(number) * numerator * if negative { -1 } else { 1 };
    let rounded = (product.abs() * 2 + denominator) / (denominator * 2);
    i64::try_from(rounded * product.signum()).ok()
}

fn change_list(base: &mut Node, patch: &Node, path: &str, problems: &mut Vec<Diagnostic>) {
    let over = base.past();
    let Datum::List(old) = &base.value else {
        return;
    };
    let mut items = Vec::clone(old);
    for (word, entry) in operation(patch).into_iter().flatten() {
        let Datum::List(given) = &entry.node.value else {
            let message = format!("`{word}` needs a list, found {}", entry.node.found());
            problems.push(mismatch(&message, &entry.node, base));
            return;
        };
        match word.as_str() {
            "extend" => items.extend(given.iter().cloned()),
            "delete" => {
                for pattern in delete_items(&mut items, given) {
                    let message = format!("there is no `{}` to delete", pattern.said());
                    let problem = Diagnostic::new(Code::NothingToChange, message);
                    let problem = problem.at(&pattern.place);
                    problems.push(problem.related(&base.place, "in this list"));
                }
            }
            _ => {
                let message = format!("`{word}` changes a number, and `{path}` is a list");
                problems.push(mismatch(&message, &entry.node, base));
                return;
            }
        }
        if given.is_empty() {
            problems.push(nothing(path, "the list is empty", patch));
        }
    }
    base.value = Datum::list(items);
    base.place = patch.place.clone();
    base.over = Some(over);
}

/// Tables that are looked for in a list one by one: each of its items is held against each of them.
const LOOKED_FOR: usize = 100;

/// Takes items out of a list; answers with what names none. What is no table is looked up by how it is written.
fn delete_items<'p>(items: &mut Vec<Node>, patterns: &'p [Node]) -> Vec<&'p Node> {
    let (tables, plain): (Vec<&Node>, Vec<&Node>) = patterns
        .iter()
        .partition(|pattern| pattern.table().is_some());
    let mut named: HashMap<String, bool> = plain
        .iter()
        .map(|pattern| (pattern.said(), false))
        .collect();
    items.retain(|item| match item.table() {
        Some(_) => true,
        None => named.get_mut(&item.said()).is_none_or(|found| {
            *found = true;
            false
        }),
    });
    let mut missing = Vec::new();
    for (number, pattern) in tables.into_iter().enumerate() {
        let before = items.len();
        if number < LOOKED_FOR {
            items.retain(|item| !matches(item, pattern));
        }
        if items.len() == before {
            missing.push(pattern);
        }
    }
    let mut seen = HashSet::new();
    missing.extend(plain.into_iter().filter(|pattern| {
        let said = pattern.said();
        !named.get(&said).is_some_and(|found| *found) || !seen.insert(said)
    }));
    missing
}

/// An item of a list is named by itself, a table in a list by any of its entries (`{ step = "trade" }`).
fn matches(item: &Node, pattern: &Node) -> bool {
    match (item.table(), pattern.table()) {
        (Some(item), Some(pattern)) => pattern.iter().all(|(key, wanted)| {
            item.get(key)
                .is_some_and(|found| found.node.same(&wanted.node))
        }),
        _ => item.same(pattern),
    }
}

fn replace(base: &mut Node, patch: &Node, path: &str, problems: &mut Vec<Diagnostic>) {
    if base.same(patch) {
        let reason = format!("`{path}` is {} already", base.said());
        problems.push(nothing(path, &reason, patch).related(&base.place, "set here"));
        return;
    }
    let same_type = std::mem::discriminant(&base.value) == std::mem::discriminant(&patch.value);
    if !same_type && !short_form(base, patch) && !short_form(patch, base) {
        let message = format!("expected {}, found {}", base.what(), patch.found());
        problems.push(mismatch(&message, patch, base));
        return;
    }
    let over = Some(base.past());
    *base = Node {
        value: patch.value.clone(),
        place: patch.place.clone(),
        over,
    };
}

/// `"int"` is short for `{ type = "int" }`: one may stand for the other.
fn short_form(short: &Node, long: &Node) -> bool {
    short.text().is_some() && long.get("type").is_some()
}

fn nothing(path: &str, reason: &str, patch: &Node) -> Diagnostic {
    let what = match path {
        "" => "this file".to_string(),
        _ => format!("`{path}`"),
    };
    Diagnostic::new(Code::ChangesNothing, format!("{what} changes nothing"))
        .labelled(&patch.place, reason)
        .help("write only what differs")
}

fn mismatch(message: &str, patch: &Node, base: &Node) -> Diagnostic {
    let problem = Diagnostic::new(Code::PatchMismatch, message).at(&patch.place);
    match base.place == patch.place {
        true => problem,
        false => problem.related(&base.place, "what it would change"),
    }
}
