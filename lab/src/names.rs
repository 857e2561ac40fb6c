//! What those parts of a game are called that a run knows by their ids: steps, numbers, prices, kinds of content, ends, and cards of which
//! several have one name.

use crate::record::ContentItem;
use ludoteca::definition::{Attribute, Data, Definition};
use ludoteca::{Language, Text};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Names by id, each under what it is the name of: `step.build`, `player.gold`, `prices.sword`, `kind.card`, `reason.score`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RunNames(BTreeMap<String, Text>);

impl RunNames {
    pub fn of(definition: &Definition) -> RunNames {
        let mut names = BTreeMap::new();
        let texts = &definition.texts;
        for phase in &definition.phases {
            let id = &phase.step.name;
            let text = phase.text.clone().unwrap_or_else(|| Text {
                es: id.clone(),
                en: id.clone(),
            });
            names.insert(format!("step.{id}"), text);
        }
        for (of, all) in [("step", &texts.step), ("reason", &texts.reason)] {
            let named = all
                .iter()
                .map(|(id, text)| (format!("{of}.{id}"), text.clone()));
            names.extend(named);
        }
        for kind in &definition.kinds {
            if let Some(text) = &kind.text {
                names.insert(format!("kind.{}", kind.name), text.clone());
            }
        }
        let attributes = &definition.attributes;
        for (of, all) in [("player", &attributes.player), ("space", &attributes.space)] {
            let named = all.iter().filter_map(|attribute| {
                let text = attribute.text.clone()?;
                Some((format!("{of}.{}", attribute.name), text))
            });
            names.extend(named);
        }
        for price in prices(definition) {
            if let Some(text) = thing(definition, &price) {
                names.insert(format!("prices.{price}"), text);
            }
        }
        RunNames(names)
    }

    fn find<'a>(&'a self, of: &str, id: &'a str, language: Language) -> &'a str {
        let named = self.0.get(&format!("{of}.{id}"));
        named.map_or(id, |text| language.of(text))
    }

    /// Steps that have a name, and phases.
    pub fn steps(&self) -> impl Iterator<Item = &str> {
        self.0.keys().filter_map(|key| key.strip_prefix("step."))
    }

    pub fn step<'a>(&'a self, id: &'a str, language: Language) -> &'a str {
        self.find("step", id, language)
    }

    pub fn kind<'a>(&'a self, id: &'a str, language: Language) -> &'a str {
        self.find("kind", id, language)
    }

    pub fn reason<'a>(&'a self, id: &'a str, language: Language) -> &'a str {
        match (id, language) {
            ("round-limit", Language::Es) => "el límite de rondas",
            ("round-limit", Language::En) => "the round limit",
            _ => self.find("reason", id, language),
        }
    }

    /// What a price is paid for: `prices.sword`.
    pub fn price<'a>(&'a self, key: &'a str, language: Language) -> &'a str {
        let id = key.strip_prefix("prices.").unwrap_or(key);
        self.find("prices", id, language)
    }

    /// A number a price asks for: `gold`.
    pub fn material<'a>(&'a self, id: &'a str, language: Language) -> &'a str {
        self.find("player", id, language)
    }

    /// Whether a number is for people: one without a name is kept by the rules for themselves, where others have one.
    pub fn is_open(&self, key: &str) -> bool {
        let is_number = |name: &String| name.starts_with("player.") || name.starts_with("space.");
        self.0.contains_key(key) || !self.0.keys().any(is_number)
    }

    /// A number that comes and goes: `player.gold`, and whose it is.
    pub fn number(&self, key: &str, language: Language) -> String {
        let Some((of, id)) = key.split_once('.') else {
            return key.to_string();
        };
        let whose = match (of, language) {
            ("player", Language::Es) => "jugadores",
            ("player", Language::En) => "players",
            ("space", Language::Es) => "tablero",
            ("space", Language::En) => "board",
            _ => return key.to_string(),
        };
        format!("{} ({whose})", self.find(of, id, language))
    }
}

/// The keys of the table of prices.
fn prices(definition: &Definition) -> Vec<String> {
    match definition.tables.get("prices") {
        Some(Data::Table(all)) => all.keys().cloned().collect(),
        _ => Vec::new(),
    }
}

/// The option, kind of content, number or metric that is called so, or so in the plural.
fn thing(definition: &Definition, id: &str) -> Option<Text> {
    let plural = format!("{id}s");
    [id, &plural].into_iter().find_map(|id| {
        let is_it = |attribute: &&Attribute| attribute.name == id;
        let attributes = &definition.attributes;
        let option = || definition.texts.option.get(id).cloned();
        let kind = || {
            definition
                .kinds
                .iter()
                .find(|kind| kind.name == id)?
                .text
                .clone()
        };
        let number = || {
            let mut all = attributes.space.iter().chain(&attributes.player);
            all.find(is_it)?.text.clone()
        };
        let metric = || {
            let metric = definition.metrics.iter().find(|metric| metric.name == id)?;
            Some(metric.text.clone())
        };
        option().or_else(kind).or_else(number).or_else(metric)
    })
}

/// What the content is called: things of one kind and one name are told apart by what their ids have more.
pub struct ItemNames<'a> {
    language: Language,
    /// The ids of those that share kind and name.
    shared: BTreeMap<(&'a str, &'a str), Vec<&'a str>>,
}

impl<'a> ItemNames<'a> {
    pub fn of(items: &'a [ContentItem], language: Language) -> ItemNames<'a> {
        let mut shared: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
        for item in items {
            let name = language.of(&item.name);
            let ids = shared.entry((&item.kind, name)).or_default();
            ids.push(&item.id);
        }
        shared.retain(|_, ids| ids.len() > 1);
        ItemNames { language, shared }
    }

    pub fn name(&self, kind: &str, id: &str, name: &Text) -> String {
        let name = self.language.of(name);
        let Some(ids) = self.shared.get(&(kind, name)) else {
            return name.to_string();
        };
        // `elf_r1` beside `elf` is the elf's first other form.
        let first = ids.iter().min_by_key(|id| id.len());
        match first.map(|first| beyond(first, id)) {
            Some("") => name.to_string(),
            Some(more) => format!("{name} ({more})"),
            None => format!("{name} ({id})"),
        }
    }
}

/// What an id has that another has not, behind the words that both begin with.
fn beyond<'a>(other: &str, id: &'a str) -> &'a str {
    let is_between = |c: char| matches!(c, '_' | '.');
    if other == id {
        return "";
    }
    let ends = id.char_indices().filter(|(_, c)| is_between(*c));
    let common = ends
        .map(|(at, _)| at)
        .chain([id.len()])
        .filter(|&at| {
            let rest = other.strip_prefix(&id[..at]);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(is_between))
        })
        .max()
        .unwrap_or(0);
    id[common..].trim_start_matches(is_between)
}

/// What one may name: of very many the first, and how many there are besides.
pub fn listed(names: &[String]) -> String {
    const SHOWN: usize = 40;
    let mut told = names[..names.len().min(SHOWN)].join(", ");
    if names.len() > SHOWN {
        told.push_str(&format!(" … (+{})", names.len() - SHOWN));
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_of_one_name_are_told_apart() {
        let item = |id: &str, name: &str| ContentItem {
            id: id.into(),
            kind: "card".into(),
            name: Text {
                es: name.into(),
                en: name.into(),
            },
            copies: 1,
        };
        let items = [
            item("elf", "Elf"),
            item("elf_r1", "Elf"),
            item("grey_elf", "Elf"),
            item("orc", "Orc"),
            item("bee.1", "Bee"),
            item("bee_r1.1", "Bee"),
            item("bee.2", "Bee"),
        ];
        let names = ItemNames::of(&items, Language::En);
        let named = items
            .each_ref()
            .map(|i| names.name(&i.kind, &i.id, &i.name));
        assert_eq!(
            named,
            [
                "Elf",
                "Elf (r1)",
                "Elf (grey_elf)",
                "Orc",
                "Bee",
                "Bee (r1.1)",
                "Bee (2)"
            ]
        );
    }
}
