//! What two ways of playing a game change, value by value and rule by rule.

use super::library::Loaded;
use super::lines::{ComparedLine, differences};
use super::outline;
use super::setting::shortest;
use super::tree::{Datum, Node};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

/// One difference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Change {
    pub what: What,
    /// A dotted key, as `--set` takes it; the head of a function, `affordable(p, price)`; or the path of a script.
    pub key: String,
    /// The value, or the text of the function, on each side; none where it is not there.
    pub left: Option<String>,
    pub right: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum What {
    Value,
    Function,
    /// What stands in a script outside of its functions.
    Script,
}

/// What differs between two loaded forms of a game: data in the order of the files, then functions, then the rest of the scripts.
pub fn diff(left: &Loaded, right: &Loaded) -> Vec<Change> {
    let mut changes = Vec::new();
    compare(Some(&left.root), Some(&right.root), "", &mut changes);
    for change in &mut changes {
        change.key = shortest(&right.root, &change.key);
    }
    let (a, b) = (Rules::of(left), Rules::of(right));
    differing(What::Function, &a.functions, &b.functions, &mut changes);
    differing(What::Script, &a.rest, &b.rest, &mut changes);
    changes
}

/// What scripts hold, as the rules in use have it.
#[derive(Default)]
struct Rules {
    /// The text of each function, by its library and head.
    functions: BTreeMap<String, String>,
    /// What stands outside of functions, by the path of the file.
    rest: BTreeMap<String, String>,
}

impl Rules {
    fn of(loaded: &Loaded) -> Rules {
        let mut rules = Rules::default();
        let mut heads: BTreeMap<(String, String, usize), (String, String)> = BTreeMap::new();
        let definition = &loaded.definition;
        let main = definition.scripts.iter().map(|file| ("", file));
        let libraries = definition.libraries.iter();
        let libraries =
            libraries.flat_map(|(name, files)| files.iter().map(move |file| (name.as_str(), file)));
        let mut files: Vec<_> = main.chain(libraries).collect();
        // Phrases of cards are compiled like scripts, but they are data, and compared as such.
        files.retain(|(_, file)| file.path.ends_with(".rhai"));
        files.sort_by_key(|(_, file)| file.layer);
        for (library, file) in files {
            let (mut rest, mut from) = (String::new(), 0);
            for function in outline::functions(&file.text) {
                let whole = &file.text[function.whole.clone()];
                let head = file.text[function.named.start..]
                    .split('{')
                    .next()
                    .unwrap_or_default();
                let head = head.split_whitespace().collect::<Vec<_>>().join(" ");
                let head = match library {
                    "" => head,
                    library => format!("{library}::{head}"),
                };
                let key = (library.to_string(), function.name, function.parameters);
                heads.insert(key, (head, whole.to_string()));
                rest.push_str(&file.text[from..function.whole.start]);
                from = function.whole.end;
            }
            rest.push_str(&file.text[from..]);
            let lines = rest.lines().map(str::trim);
            let lines = lines.filter(|line| !line.is_empty() && !line.starts_with("//"));
            let lines: Vec<&str> = lines.collect();
            if !lines.is_empty() {
                rules.rest.insert(file.path.clone(), lines.join("\n"));
            }
        }
        rules.functions = heads.into_values().collect();
        rules
    }
}

fn differing(
    what: What,
    left: &BTreeMap<String, String>,
    right: &BTreeMap<String, String>,
    changes: &mut Vec<Change>,
) {
    let new = right.keys().filter(|key| !left.contains_key(*key));
    for key in left.keys().chain(new) {
        let (before, after) = (left.get(key), right.get(key));
        if before != after {
            changes.push(Change {
                what,
                key: key.clone(),
                left: before.cloned(),
                right: after.cloned(),
            });
        }
    }
}

fn compare(left: Option<&Node>, right: Option<&Node>, key: &str, changes: &mut Vec<Change>) {
    let inner = |name: &str| match key {
        "" => name.to_string(),
        _ => format!("{key}.{name}"),
    };
    match (left, right) {
        (Some(a), Some(b)) if a.same(b) => {}
        (Some(a), Some(b)) => match (&a.value, &b.value) {
            (Datum::Table(x), Datum::Table(y)) => {
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
        if self.what == What::Value {
            return match (&self.left, &self.right) {
                (Some(a), Some(b)) => write!(f, "{key}: {a} becomes {b}"),
                (None, Some(b)) => write!(f, "{key}: new, {b}"),
                (Some(a), None) => write!(f, "{key}: removed, was {a}"),
                (None, None) => write!(f, "{key}"),
            };
        }
        let (what, became) = match (self.what, &self.left, &self.right) {
            (What::Function, None, _) => ("fn ", "new"),
            (What::Function, _, None) => ("fn ", "removed"),
            (What::Function, ..) => ("fn ", "another"),
            (_, None, _) => ("", "added"),
            (_, _, None) => ("", "left out"),
            _ => ("", "other constants or imports"),
        };
        write!(f, "{what}{key}: {became}")?;
        let text = |side: &Option<String>| side.clone().unwrap_or_default();
        let (before, after) = (text(&self.left), text(&self.right));
        for line in differences(&before, &after) {
            match line {
                ComparedLine::Kept(line) => write!(f, "\n      {line}")?,
                ComparedLine::Out(line) => write!(f, "\n    - {line}")?,
                ComparedLine::In(line) => write!(f, "\n    + {line}")?,
                ComparedLine::Skipped(1) => write!(f, "\n      .. 1 line")?,
                ComparedLine::Skipped(count) => write!(f, "\n      .. {count} lines")?,
            }
        }
        Ok(())
    }
}
