//! Which functions of the rules read a value, told from their text: `PRICES.unit`, `PRICES[what]`, `MAX_ATTACKS`, `card.cost`.

use super::explain::ReadingFunction;
use super::file::Place;
use super::library::Loaded;
use super::outline;
use std::collections::BTreeMap;

/// The functions that may read the value at a path from the root, in the order of their names.
pub fn readers(loaded: &Loaded, path: &[String]) -> Vec<ReadingFunction> {
    let Some(sought) = sought(path) else {
        return Vec::new();
    };
    let libraries = loaded.definition.libraries.values().flatten();
    let mut files: Vec<_> = loaded.definition.scripts.iter().chain(libraries).collect();
    files.retain(|file| file.path.ends_with(".rhai"));
    files.sort_by_key(|file| file.layer);
    let mut found: BTreeMap<(String, usize), Option<ReadingFunction>> = BTreeMap::new();
    for script in files {
        let Some(file) = loaded.files.get(&script.path) else {
            continue;
        };
        for function in outline::functions(&file.text) {
            let reads = sought.is_read_in(&file.text[function.whole.clone()]);
            let reader = reads.then(|| ReadingFunction {
                function: function.name.clone(),
                place: Place::new(file, function.named.clone()).to_string(),
            });
            // A function of a later layer stands for the one before.
            found.insert((function.name, function.parameters), reader);
        }
    }
    found.into_values().flatten().collect()
}

/// How rules name a value.
enum Sought {
    /// A constant in capitals, and the keys below it.
    Constant(String, Vec<String>),
    /// A property of cards, spaces, players.
    Property(String),
}

fn sought(path: &[String]) -> Option<Sought> {
    match path {
        [top, name, value] if top == "parameters" && value == "value" => {
            Some(Sought::Constant(name.to_uppercase(), Vec::new()))
        }
        [top, name, below @ ..] if top == "tables" => {
            Some(Sought::Constant(name.to_uppercase(), below.to_vec()))
        }
        [top, _, field, ..] if top == "cards" => Some(Sought::Property(field.clone())),
        [top, _, part, _, field, ..] if top == "maps" && part == "spaces" => {
            Some(Sought::Property(field.clone()))
        }
        [top, _, name, ..] if top == "attributes" => Some(Sought::Property(name.clone())),
        _ => None,
    }
}

impl Sought {
    fn is_read_in(&self, text: &str) -> bool {
        match self {
            Sought::Constant(name, below) => {
                words(text, name).any(|after| may_lead_to(after, below))
            }
            Sought::Property(name) => {
                let own = ["name", "text", "copies"].contains(&name.as_str());
                !own && words(text, &format!(".{name}")).next().is_some()
            }
        }
    }
}

/// What follows a word wherever it stands alone.
fn words<'t>(text: &'t str, word: &str) -> impl Iterator<Item = &'t str> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let found: Vec<usize> = text.match_indices(word).map(|(at, _)| at).collect();
    let (length, dotted) = (word.len(), word.starts_with('.'));
    found.into_iter().filter_map(move |at| {
        let before = text[..at].chars().next_back();
        let after = &text[at + length..];
        let joined = !dotted && before.is_some_and(is_name);
        let line = text[..at].rfind('\n').map_or(0, |line| line + 1);
        let in_comment = text[line..at].contains("//");
        (!joined && !in_comment && !after.starts_with(is_name)).then_some(after)
    })
}

/// Whether what follows a constant leads to these keys, or may: `[what]` is any of them.
fn may_lead_to(mut after: &str, below: &[String]) -> bool {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    for key in below {
        if let Some(rest) = after.strip_prefix('.') {
            let end = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
            let name = &rest[..end];
            // A method of the whole: `PRICES.keys()`.
            if rest[end..].starts_with('(') {
                return true;
            }
            if name != key {
                return false;
            }
            after = &rest[end..];
        } else if let Some(rest) = after.strip_prefix("[\"") {
            let Some((name, rest)) = rest.split_once("\"]") else {
                return true;
            };
            if name != key {
                return false;
            }
            after = rest;
        } else if let Some(rest) = after.strip_prefix('[') {
            // Computed: any of them. What follows is beyond the bracket that closes it.
            let mut depth = 1;
            let end = rest.find(|c| {
                depth += match c {
                    '[' => 1,
                    ']' => -1,
                    _ => 0,
                };
                depth == 0
            });
            after = end.map_or("", |end| &rest[end + 1..]);
        } else {
            return true;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_read_where_its_keys_lead() {
        let value = Sought::Constant("PRICES".into(), vec!["unit".into(), "coins".into()]);
        for text in [
            "PRICES.unit.coins",
            "PRICES[what].coins",
            "PRICES[a[0]].coins",
            "PRICES[\"unit\"]",
            "pay(p, PRICES.unit)",
            "PRICES.keys()",
        ] {
            assert!(value.is_read_in(text), "{text}");
        }
        for text in [
            "PRICES.hut.coins",
            "PRICES[what].wood",
            "OLD_PRICES.unit.coins",
            "// PRICES.unit.coins",
            "PRICES_TWO.unit",
        ] {
            assert!(!value.is_read_in(text), "{text}");
        }
        assert!(Sought::Property("cost".into()).is_read_in("card.cost > 1"));
        assert!(!Sought::Property("cost".into()).is_read_in("card.costs > 1"));
    }
}
