//! What two ways of playing a game change, value by value and rule by rule.

use super::library::Loaded;
use super::setting::shortest;
use super::tree::{Node, Value};
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt;

/// One difference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Change {
    pub what: What,
    /// A dotted key, as `--set` takes it, or the path of a script.
    pub key: String,
    /// The value on each side; none where it is not there.
    pub left: Option<String>,
    pub right: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum What {
    Value,
    Script,
}

/// What differs between two loaded forms of a game: data in the order of the files, then scripts.
pub fn diff(left: &Loaded, right: &Loaded) -> Vec<Change> {
    let mut changes = Vec::new();
    compare(Some(&left.root), Some(&right.root), "", &mut changes);
    for change in &mut changes {
        change.key = shortest(&right.root, &change.key);
    }
    let scripts = |loaded: &Loaded| -> BTreeSet<(String, String)> {
        let definition = &loaded.definition;
        let libraries = definition.libraries.values().flatten();
        let files = definition.scripts.iter().chain(libraries);
        // Phrases of cards are compiled like scripts, but they are data, and compared as such.
        let rules = files.filter(|f| f.path.ends_with(".rhai"));
        rules.map(|f| (f.path.clone(), f.text.clone())).collect()
    };
    let (a, b) = (scripts(left), scripts(right));
    let paths: BTreeSet<&str> = a
        .symmetric_difference(&b)
        .map(|(path, _)| path.as_str())
        .collect();
    for path in paths {
        let lines = |side: &BTreeSet<(String, String)>| {
            let file = side.iter().find(|(other, _)| other == path);
            file.map(|(_, text)| format!("{} lines", text.lines().count()))
        };
        changes.push(Change {
            what: What::Script,
            key: path.to_string(),
            left: lines(&a),
            right: lines(&b),
        });
    }
    changes
}

fn compare(left: Option<&Node>, right: Option<&Node>, key: &str, changes: &mut Vec<Change>) {
    let inner = |name: &str| match key {
        "" => name.to_string(),
        _ => format!("{key}.{name}"),
    };
    match (left, right) {
        (Some(a), Some(b)) if a.same(b) => {}
        (Some(a), Some(b)) => match (&a.value, &b.value) {
            (Value::Table(x), Value::Table(y)) => {
                let new = y.keys().filter(|name| !x.contains_key(*name));
                for name in x.keys().chain(new) {
                    compare(a.get(name), b.get(name), &inner(name), changes);
                }
            }
            _ => changes.push(change(key, Some(a.said()), Some(b.said()))),
        },
        (a, b) => changes.push(change(key, a.map(Node::said), b.map(Node::said))),
    }
}

fn change(key: &str, left: Option<String>, right: Option<String>) -> Change {
    Change {
        what: What::Value,
        key: key.to_string(),
        left,
        right,
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = &self.key;
        match (self.what, &self.left, &self.right) {
            (What::Value, Some(a), Some(b)) => write!(f, "{key}: {a} becomes {b}"),
            (What::Value, None, Some(b)) => write!(f, "{key}: new, {b}"),
            (What::Value, Some(a), None) => write!(f, "{key}: removed, was {a}"),
            (What::Script, None, Some(_)) => write!(f, "{key}: rules added"),
            (What::Script, Some(_), None) => write!(f, "{key}: rules left out"),
            (What::Script, Some(_), Some(_)) => write!(f, "{key}: rules differ"),
            (_, None, None) => write!(f, "{key}"),
        }
    }
}
