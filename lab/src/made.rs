//! By whom, where and of what a run was made: it travels with its results.

use ludoteca::{Definition, definition::Data};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use xxhash_rust::xxh3::xxh3_64;

/// What a run was made with.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Made {
    /// The version of the program, and of the game.
    pub program: String,
    pub version: String,
    /// What was typed; empty if nobody typed anything.
    pub command: String,
    /// The system, the kind of processor, and how many threads it has.
    pub machine: String,
    /// Packs beside the base that bring something to the game, with their versions.
    pub packs: Vec<String>,
    /// Every parameter and every number of a table.
    pub values: BTreeMap<String, i64>,
    /// The hash of every script.
    pub scripts: BTreeMap<String, String>,
    /// The hash of every card's data.
    pub cards: BTreeMap<String, String>,
}

/// What differs between the contents of two runs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Differing {
    /// Numbers: what each was and is; nothing where there is none.
    pub values: Vec<(String, Option<i64>, Option<i64>)>,
    /// Scripts and cards that are not the same on both sides.
    pub scripts: Vec<String>,
    pub cards: Vec<String>,
}

impl Made {
    /// What is made here and now of a game.
    pub fn here(definition: &Definition) -> Made {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let (system, processor) = (std::env::consts::OS, std::env::consts::ARCH);
        let parameters = definition.parameters.iter();
        let mut values: BTreeMap<String, i64> = parameters
            .map(|parameter| (parameter.name.clone(), parameter.value))
            .collect();
        for (name, table) in &definition.tables {
            numbers(name, table, &mut values);
        }
        let hash = |text: &str| format!("{:016x}", xxh3_64(text.as_bytes()));
        let libraries = definition.libraries.values().flatten();
        let scripts = definition.scripts.iter().chain(libraries);
        let packs = definition.packs.iter();
        Made {
            program: env!("CARGO_PKG_VERSION").to_string(),
            version: definition.version.clone(),
            command: String::new(),
            machine: format!("{system} {processor}, {threads} threads"),
            packs: packs
                .map(|pack| format!("{} {}", pack.name, pack.version))
                .collect(),
            values,
            scripts: scripts
                .map(|script| (script.path.clone(), hash(&script.text)))
                .collect(),
            cards: definition
                .cards
                .iter()
                .map(|card| (card.id.clone(), hash(&format!("{card:?}"))))
                .collect(),
        }
    }

    /// What differs in content.
    pub fn differing(&self, other: &Made) -> Differing {
        let keys = self.values.keys().chain(other.values.keys());
        let mut values: Vec<(String, Option<i64>, Option<i64>)> = keys
            .map(|key| {
                let of = |made: &Made| made.values.get(key).copied();
                (key.clone(), of(self), of(other))
            })
            .filter(|(_, before, after)| before != after)
            .collect();
        values.sort();
        values.dedup();
        Differing {
            values,
            scripts: unlike(&self.scripts, &other.scripts),
            cards: unlike(&self.cards, &other.cards),
        }
    }
}

/// Names whose hashes differ, or that only one side has.
fn unlike(first: &BTreeMap<String, String>, second: &BTreeMap<String, String>) -> Vec<String> {
    let mut names: Vec<String> = first
        .keys()
        .chain(second.keys())
        .filter(|name| first.get(*name) != second.get(*name))
        .cloned()
        .collect();
    names.sort();
    names.dedup();
    names
}

/// Every number below a key.
fn numbers(key: &str, data: &Data, found: &mut BTreeMap<String, i64>) {
    match data {
        Data::Int(number) => {
            found.insert(key.to_string(), *number);
        }
        Data::List(items) => {
            for (n, item) in items.iter().enumerate() {
                numbers(&format!("{key}.{n}"), item, found);
            }
        }
        Data::Table(rows) => {
            for (name, row) in rows {
                numbers(&format!("{key}.{name}"), row, found);
            }
        }
        _ => {}
    }
}
