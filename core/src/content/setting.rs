//! Dotted keys: what `[set]`, `--set`, `explain` and `[ranges]` name values by.

use super::diagnostic::{Code, Diagnostic};
use super::file::Place;
use super::merge::{Adding, merge, operation};
use super::tree::{Datum, Entry, Node};
use crate::limits::{LONGEST_KEY, MOST_TOLD, WAYS_OF_CUTTING};
use std::sync::Arc;

/// The node at a dotted key. Keys may contain dots themselves, so every way of cutting is tried, the longest name first.
pub fn find<'a>(node: &'a Node, key: &str) -> Option<&'a Node> {
    let path = path(node, key)?;
    path.iter().try_fold(node, |node, step| child(node, step))
}

/// Where a key leads in a whole game: a parameter, then the tables, then from the root.
/// Returns the full key and the names to follow.
pub fn locate(root: &Node, key: &str) -> Option<Vec<String>> {
    let below = |top: &str, key: &str| {
        let rest = path(root.get(top)?, key)?;
        Some([vec![top.to_string()], rest].concat())
    };
    if let Some(mut found) = below("parameters", key) {
        if found.len() == 2 {
            found.push("value".to_string());
        }
        return Some(found);
    }
    let chosen = root.get("map").and_then(Node::text).unwrap_or_default();
    let in_map = |key: &str| {
        let rest = path(root.get("maps")?.get(chosen)?, key)?;
        Some([vec!["maps".to_string(), chosen.to_string()], rest].concat())
    };
    below("tables", key)
        .or_else(|| in_map(key.strip_prefix("map.")?))
        .or_else(|| path(root, key))
}

/// A full key as people write it: `tables.prices.unit` is `prices.unit`, a parameter is its value, the chosen map is `map`.
pub fn shortest(root: &Node, key: &str) -> String {
    let chosen = root.get("map").and_then(Node::text).unwrap_or_default();
    let in_map = key
        .strip_prefix("maps.")
        .and_then(|key| key.strip_prefix(chosen));
    if let Some(rest) = in_map.and_then(|key| key.strip_prefix('.')) {
        return format!("map.{rest}");
    }
    let parameter = || key.strip_prefix("parameters.")?.strip_suffix(".value");
    let table = || key.strip_prefix("tables.");
    parameter().or_else(table).unwrap_or(key).to_string()
}

/// Follows the names [`locate`] gave.
pub fn follow<'a>(root: &'a Node, path: &[String]) -> Option<&'a Node> {
    path.iter().try_fold(root, |node, step| child(node, step))
}

/// Applies one setting to a whole game.
pub fn set(
    root: &mut Node,
    key: &str,
    place: &Place,
    patch: &Node,
    problems: &mut Vec<Diagnostic>,
) {
    let target = locate(root, key);
    if target.is_none() && operation(patch).is_none() && give(root, key, place, patch) {
        return;
    }
    if let (Some(table), None) = (patch.table(), operation(patch)) {
        if table.is_empty() {
            let message = format!("`{key}` changes nothing");
            problems.push(Diagnostic::new(Code::ChangesNothing, message).at(place));
        }
        // Dotted keys without quotes are tables to TOML.
        for (name, entry) in table {
            let inner = format!("{key}.{name}");
            set(root, &inner, &entry.key, &entry.node, problems);
        }
        return;
    }
    let Some(path) = target else {
        let message = format!("there is nothing called `{key}` to set");
        let problem = Diagnostic::new(Code::NothingToChange, message).at(place);
        // All keys of the game are gathered for a guess, and nobody reads so many.
        problems.push(match problems.len() < MOST_TOLD {
            true => problem.suggest(key, known_keys(root).iter().map(String::as_str)),
            false => problem,
        });
        return;
    };
    let node = path
        .iter()
        .try_fold(root, |node, step| child_mut(node, step));
    if let Some(node) = node {
        merge(node, patch, key, Adding::Refused, problems);
    }
}

/// What typed reading checks entry by entry, so that a key too many is found there.
const DECLARED: [&str; 7] = [
    "attributes",
    "cards",
    "dice",
    "kinds",
    "maps",
    "parameters",
    "zones",
];

/// Gives a card, a space or a declaration a key it left out, such as a field with a default, or a map another edge.
fn give(root: &mut Node, key: &str, place: &Place, patch: &Node) -> bool {
    let Some((parent, name)) = key.rsplit_once('.') else {
        return false;
    };
    let path = locate(root, parent).filter(|path| DECLARED.contains(&path[0].as_str()));
    let Some(path) = path.filter(|path| path.len() > 1) else {
        return false;
    };
    let node = path
        .iter()
        .try_fold(root, |node, step| child_mut(node, step));
    let Some(table) = node.and_then(Node::table_mut) else {
        return false;
    };
    let entry = Entry {
        key: place.clone(),
        node: patch.clone(),
    };
    table.insert(name.to_string(), entry);
    true
}

/// Everything inside a node by dotted key, values before the tables they are in.
pub fn keys(node: &Node) -> Vec<String> {
    fn walk(node: &Node, prefix: &str, found: &mut Vec<String>) {
        for (key, entry) in node.table().into_iter().flatten() {
            let full = format!("{prefix}{key}");
            walk(&entry.node, &format!("{full}."), found);
            found.push(full);
        }
    }
    let mut found = Vec::new();
    walk(node, "", &mut found);
    found
}

/// Every key a setting may use, in its shortest form.
pub fn known_keys(root: &Node) -> Vec<String> {
    let mut known: Vec<String> = Vec::new();
    let parameters = root.get("parameters").and_then(Node::table);
    known.extend(parameters.into_iter().flat_map(|t| t.keys().cloned()));
    known.extend(root.get("tables").map(keys).into_iter().flatten());
    known.extend(keys(root));
    known
}

fn path(node: &Node, key: &str) -> Option<Vec<String>> {
    if key.len() > LONGEST_KEY {
        return None;
    }
    let mut letters = WAYS_OF_CUTTING;
    cut(node, key, &mut letters)
}

/// Tries one way after the other. Tables may be such that every one leads somewhere, so it ends when enough letters were looked up.
fn cut(node: &Node, key: &str, letters: &mut usize) -> Option<Vec<String>> {
    *letters = letters.saturating_sub(key.len());
    if child(node, key).is_some() {
        return Some(vec![key.to_string()]);
    }
    for (at, _) in key.rmatch_indices('.') {
        *letters = letters.saturating_sub(at + 1);
        if *letters == 0 {
            return None;
        }
        let (first, rest) = (&key[..at], &key[at + 1..]);
        if let Some(below) = child(node, first)
            && let Some(rest) = cut(below, rest, letters)
        {
            return Some([vec![first.to_string()], rest].concat());
        }
    }
    None
}

/// An entry of a table by name, or of a list by number from 0, as scripts count.
fn child<'a>(node: &'a Node, name: &str) -> Option<&'a Node> {
    match &node.value {
        Datum::Table(table) => table.get(name).map(|entry| &entry.node),
        Datum::List(items) => items.get(name.parse::<usize>().ok()?),
        _ => None,
    }
}

fn child_mut<'a>(node: &'a mut Node, name: &str) -> Option<&'a mut Node> {
    match &mut node.value {
        Datum::Table(table) => Arc::make_mut(table)
            .get_mut(name)
            .map(|entry| &mut entry.node),
        Datum::List(items) => Arc::make_mut(items).get_mut(name.parse::<usize>().ok()?),
        _ => None,
    }
}
