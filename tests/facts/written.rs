//! What the lines of a log say, as `tests/facts/<game>.toml` has it.

use ludoteca_tests::root;
use serde_json::Value as Json;
use std::collections::BTreeMap;

/// What the lines of a game's log say.
pub struct Facts {
    /// Attributes that follow from others or are over when a round begins: no line has to tell them.
    pub follow: Vec<String>,
    /// Attributes without a text that are open and told all the same, and zones (`player.#hand`) whose size is.
    pub also: Vec<String>,
    /// Answers that are given more often than chance would, so that what seldom happens does.
    pub eager: Vec<String>,
    pub lines: BTreeMap<String, Vec<Fact>>,
}

/// `player.fuel[kind] += count`
#[derive(Clone)]
pub struct Fact {
    pub subject: String,
    pub attribute: String,
    pub index: Option<String>,
    pub operation: String,
    pub value: String,
    /// A field of a card and the word it must have.
    pub only: Option<(String, String, String)>,
}

impl Fact {
    fn new(written: &str) -> Fact {
        let (said, only) = match written.split_once(" if ") {
            Some((said, only)) => (said, Some(only)),
            None => (written, None),
        };
        let only = only.map(|only| {
            let (field, word) = only.split_once(" = ").expect("a condition");
            let (card, field) = field.split_once('.').expect("a field of a card");
            (card.to_string(), field.to_string(), word.to_string())
        });
        let mut words = said.splitn(3, ' ');
        let mut word = || {
            words
                .next()
                .unwrap_or_else(|| panic!("`{written}` is no fact"))
        };
        let (left, operation, value) = (word(), word(), word());
        let (subject, attribute) = match operation {
            "->" | "=>" => (left, ""),
            _ => left.split_once('.').expect("a subject has an attribute"),
        };
        let (attribute, index) = match attribute.strip_suffix(']').and_then(|a| a.split_once('[')) {
            Some((attribute, index)) => (attribute, Some(index.to_string())),
            None => (attribute, None),
        };
        Fact {
            subject: subject.into(),
            attribute: attribute.into(),
            index,
            operation: operation.into(),
            value: value.into(),
            only,
        }
    }
}

pub fn facts(game: &str) -> Facts {
    let path = root().join(format!("tests/facts/{game}.toml"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path:?}: {e}"));
    let written: BTreeMap<String, Json> = toml(&text);
    let strings = |value: Option<&Json>| -> Vec<String> {
        let items = value.and_then(Json::as_array).into_iter().flatten();
        items
            .filter_map(|item| Some(item.as_str()?.to_string()))
            .collect()
    };
    let lines = written["lines"].as_object().expect("lines by key");
    Facts {
        follow: strings(written.get("follow")),
        also: strings(written.get("also")),
        eager: strings(written.get("eager")),
        lines: lines
            .iter()
            .map(|(key, said)| {
                (
                    key.clone(),
                    strings(Some(said)).iter().map(|f| Fact::new(f)).collect(),
                )
            })
            .collect(),
    }
}

/// The little of TOML these files use: lists of strings, and one table.
fn toml(text: &str) -> BTreeMap<String, Json> {
    let mut read = BTreeMap::new();
    let mut lines = serde_json::Map::new();
    let mut in_lines = false;
    for line in text.lines().map(str::trim) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if line == "[lines]" {
            in_lines = true;
            continue;
        }
        let (key, list) = line.split_once(" = ").unwrap_or_else(|| panic!("{line}"));
        let key = key.trim_matches('"').to_string();
        let list: Json = serde_json::from_str(list).unwrap_or_else(|e| panic!("{line}: {e}"));
        if in_lines {
            lines.insert(key, list);
        } else {
            read.insert(key, list);
        }
    }
    read.insert("lines".into(), Json::Object(lines));
    read
}
