//! Which functions of the rules a change can touch: those that changed, those that read a value that changed, and those that call any of
//! them.

use super::diff::{What, diff};
use super::library::Loaded;
use super::outline;
use super::readers::readers;
use super::setting;
use std::collections::{BTreeMap, BTreeSet};

/// What a change can touch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Touched {
    /// Functions by name.
    Functions(BTreeSet<String>),
    /// More than can be told.
    Everything,
}

impl Touched {
    /// Whether a function of this name may do something else now.
    pub fn has(&self, function: &str) -> bool {
        match self {
            Touched::Everything => true,
            Touched::Functions(names) => names.contains(function),
        }
    }
}

/// What the difference between two forms of a game can touch.
pub fn touched(before: &Loaded, after: &Loaded) -> Touched {
    let mut names: BTreeSet<String> = BTreeSet::new();
    for change in diff(before, after) {
        match change.what {
            What::Function => {
                let head = change.key.rsplit("::").next().unwrap_or(&change.key);
                let name = head.split('(').next().unwrap_or(head);
                names.insert(name.trim().to_string());
            }
            What::Script => return Touched::Everything,
            What::Value => {
                let path = setting::locate(&after.root, &change.key);
                let path = path.or_else(|| setting::locate(&before.root, &change.key));
                let found = path.map_or_else(Vec::new, |path| readers(after, &path));
                // What nobody is seen to read may be read anywhere; what people only read is read nowhere.
                let spoken = ["text.", "title", "summary"];
                if found.is_empty() && !spoken.iter().any(|top| change.key.starts_with(top)) {
                    return Touched::Everything;
                }
                names.extend(found.into_iter().map(|reader| reader.function));
            }
        }
    }
    Touched::Functions(with_callers(after, names))
}

/// The same, with every function that leads to one of them.
fn with_callers(loaded: &Loaded, mut names: BTreeSet<String>) -> BTreeSet<String> {
    let mut mentions: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let libraries = loaded.definition.libraries.values().flatten();
    for script in loaded.definition.scripts.iter().chain(libraries) {
        for function in outline::functions(&script.text) {
            let text = &script.text[function.whole.clone()];
            let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
            let known = mentions.entry(function.name).or_default();
            known.extend(words.filter(|word| !word.is_empty()).map(str::to_string));
        }
    }
    loop {
        let before = names.len();
        for (caller, said) in &mentions {
            if said.iter().any(|word| names.contains(word)) {
                names.insert(caller.clone());
            }
        }
        if names.len() == before {
            return names;
        }
    }
}
