//! Which names fit at a place of a TOML file: by the table of places, and by what the manifest declares of fields, effects and conditions.

use super::places::{sheet, wanted};
use super::way::Way;
use super::{HELD, Sort, Wants, in_quotes};
use crate::content::definition::{Data, Definition, Field, FieldType, Kind};
use crate::content::path::{Part, Role, role};
use crate::content::read::cards::OWN;
use std::collections::{BTreeMap, BTreeSet};

/// What names fit at a place of a TOML file. `kind` is what a file of cards says its cards are.
pub fn names_at(path: &str, way: &Way, kind: &str, definition: &Definition) -> Option<Wants> {
    let own = match role(path) {
        Role::VariantOverlay(_, _, over) => over,
        Role::With(_, inside) => inside,
        _ => path,
    };
    let steps: Vec<&str> = way.steps.iter().map(String::as_str).collect();
    let deep = match (role(own), &steps[..]) {
        (Role::Game(_, Part::Cards), ["cards", _, rest @ ..]) => {
            card(rest, way.is_key, kind, definition)
        }
        (Role::Game(_, Part::Tables), [above @ .., _]) if way.is_key => of_rows(above, definition),
        (Role::Game(_, Part::Deck(_)), rest) => card(rest, way.is_key, "deck", definition),
        // In the braces of a change: `"prices.unit.resources" = { add = 1 }`.
        (Role::Variant(..), ["set", key, _]) if way.is_key && is_whole(key, definition) => {
            Some(Wants::Words(vec!["add".into(), "mul".into()]))
        }
        (Role::Variant(..), ["set", ..]) if way.is_key => Some(Wants::Dotted),
        (Role::Game(_, Part::Map(_)), [of @ ("spaces" | "areas" | "edges"), _, rest @ ..]) => {
            of_map(of, rest, way.is_key, definition)
        }
        (Role::Game(_, Part::Map(_)), ["legend", _, rest @ ..]) => {
            of_map("spaces", rest, way.is_key, definition)
        }
        (Role::Game(_, Part::Texts), ["prompt", .., "actions", ""]) if !way.is_key => {
            Some(Wants::Sorts(vec![Sort::Action, Sort::Option]))
        }
        (Role::Game(_, Part::Texts), ["option", _]) if way.is_key => {
            Some(Wants::Sorts(vec![Sort::Word]))
        }
        (Role::Game(_, Part::Texts), ["article", _]) if way.is_key => Some(Wants::Sorts(vec![
            Sort::Card,
            Sort::Space,
            Sort::Area,
            Sort::Word,
        ])),
        (Role::Game(_, Part::Texts), ["step", _]) if way.is_key => {
            Some(Wants::Sorts(vec![Sort::Function]))
        }
        _ => None,
    };
    let deep = deep.map(|wants| beside(wants, way, definition));
    deep.or_else(|| wanted(sheet(own)?, &steps, way.is_key))
}

/// Beside an effect or a condition stands what else it takes; beside a field of a card in place, fields of the same kind.
fn beside(wants: Wants, way: &Way, definition: &Definition) -> Wants {
    let is_there = |name: &str| way.beside.iter().any(|key| key == name);
    match wants {
        Wants::Sorts(sorts)
            if way.is_key
                && [Sort::Effect, Sort::Condition]
                    .iter()
                    .any(|s| sorts == [*s]) =>
        {
            let words = definition.phrase_words.iter();
            let words = words.filter(|word| is_there(&word.function.name));
            let takes = words.flat_map(|word| word.takes.iter().skip(1));
            let takes = takes.map(|(field, _)| field.name.clone());
            let takes: Vec<String> = takes.filter(|name| !is_there(name)).collect();
            match takes.is_empty() {
                true => Wants::Sorts(sorts),
                false => Wants::Words(takes),
            }
        }
        Wants::Sorts(sorts) if way.is_key && sorts == [Sort::Field] && !way.beside.is_empty() => {
            let has = |kind: &&Kind| {
                let is_field = |key: &String| kind.fields.iter().any(|field| field.name == *key);
                way.beside.iter().all(is_field)
            };
            match definition.kinds.iter().find(has) {
                Some(kind) => Wants::Of(Sort::Field, kind.name.clone()),
                None => Wants::Sorts(sorts),
            }
        }
        wants => wants,
    }
}

/// The columns that rows beside this one have.
fn of_rows(row: &[&str], definition: &Definition) -> Option<Wants> {
    let (name, above) = row.split_last()?;
    let (first, between) = above.split_first()?;
    let mut rows = rows_of(definition.tables.get(*first)?)?;
    for step in between {
        rows = rows_of(rows.get(*step)?)?;
    }
    let others = rows.iter().filter(|(other, _)| other != name);
    let columns = others.filter_map(|(_, other)| rows_of(other));
    let columns: BTreeSet<&String> = columns.flat_map(|values| values.keys()).collect();
    let columns: Vec<String> = columns.into_iter().cloned().collect();
    (!columns.is_empty()).then_some(Wants::Words(columns))
}

fn rows_of(data: &Data) -> Option<&BTreeMap<String, Data>> {
    match data {
        Data::Table(rows) => Some(rows),
        _ => None,
    }
}

/// Whether a key of `[set]` is all of one.
fn is_whole(key: &str, definition: &Definition) -> bool {
    key.contains('.')
        || definition
            .parameters
            .iter()
            .any(|parameter| parameter.name == key)
}

fn of_map(of: &str, rest: &[&str], is_key: bool, definition: &Definition) -> Option<Wants> {
    let map = definition.map.as_ref()?;
    let (owner, fields) = match of {
        "spaces" => ("space", &map.space_fields),
        "areas" => ("area", &map.area_fields),
        _ => ("edge", &map.edge_fields),
    };
    match rest {
        [_] if is_key => Some(Wants::Of(Sort::Field, owner.to_string())),
        [field, rest @ ..] => {
            let field = fields.iter().find(|f| f.name == *field)?;
            value(field, rest, is_key, "", definition)
        }
        [] => None,
    }
}

fn card(rest: &[&str], is_key: bool, kind: &str, definition: &Definition) -> Option<Wants> {
    match rest {
        [_] if is_key => Some(Wants::Of(Sort::Field, kind.to_string())),
        [own, ..] if OWN.contains(own) => None,
        [field, rest @ ..] => {
            let kinds = definition.kinds.iter().filter(|k| k.name == kind);
            let field = kinds.flat_map(|k| &k.fields).find(|f| f.name == *field)?;
            value(field, rest, is_key, kind, definition)
        }
        [] => None,
    }
}

fn value(
    field: &Field,
    rest: &[&str],
    is_key: bool,
    kind: &str,
    definition: &Definition,
) -> Option<Wants> {
    let one = |sort: Sort| (!is_key).then(|| Wants::Sorts(vec![sort]));
    match &field.ty {
        FieldType::Word(words) | FieldType::Words(words) if !is_key => {
            Some(match words.is_empty() {
                true => Wants::Sorts(HELD.to_vec()),
                false => {
                    let word = |word: &u32| definition.words.get(*word as usize).cloned();
                    Wants::Words(words.iter().filter_map(word).collect())
                }
            })
        }
        FieldType::Card => one(Sort::Card),
        // A card in place: its fields are those of some kind.
        FieldType::Cards => match rest {
            ["", inner @ ..] if !inner.is_empty() => in_place(inner, is_key, kind, definition),
            _ => one(Sort::Card),
        },
        FieldType::Space => one(Sort::Space),
        FieldType::Area => one(Sort::Area),
        FieldType::Function => one(Sort::Function),
        FieldType::Effect => phrase(rest, is_key, false, definition),
        FieldType::Condition => phrase(rest, is_key, true, definition),
        FieldType::Table if is_key => Some(Wants::Sorts(vec![
            Sort::Card,
            Sort::Space,
            Sort::Area,
            Sort::Word,
        ])),
        FieldType::Table | FieldType::String if !is_key => Some(Wants::Sorts(in_quotes())),
        _ => None,
    }
}

/// The kinds that are written inside cards are those no file of cards is of; any that has the field will do.
fn in_place(rest: &[&str], is_key: bool, around: &str, definition: &Definition) -> Option<Wants> {
    let kinds = || definition.kinds.iter().filter(|kind| kind.name != around);
    match rest {
        [_] if is_key => Some(Wants::Sorts(vec![Sort::Field])),
        [field, ..] => {
            let kind = kinds().find(|kind| kind.fields.iter().any(|f| f.name == *field))?;
            card(rest, is_key, &kind.name, definition)
        }
        [] => None,
    }
}

/// Inside an effect or a condition.
fn phrase(
    rest: &[&str],
    is_key: bool,
    is_condition: bool,
    definition: &Definition,
) -> Option<Wants> {
    let sort = match is_condition {
        true => Sort::Condition,
        false => Sort::Effect,
    };
    match rest {
        [] if !is_key => Some(Wants::Sorts(vec![sort])),
        [_] if is_key => Some(Wants::Sorts(vec![sort])),
        ["", rest @ ..] => phrase(rest, is_key, is_condition, definition),
        [word, rest @ ..] => match *word {
            "call" => Some(Wants::Sorts(vec![Sort::Function])),
            "if" | "not" | "any" => phrase(rest, is_key, true, definition),
            "me" | "else" => phrase(rest, is_key, is_condition, definition),
            _ => {
                let words = || {
                    definition
                        .phrase_words
                        .iter()
                        .filter(|w| w.is_condition == is_condition)
                };
                let own = words()
                    .find(|w| w.function.name == *word)
                    .and_then(|w| w.takes.first());
                let other = || {
                    words()
                        .flat_map(|w| w.takes.iter().skip(1))
                        .find(|(f, _)| f.name == *word)
                };
                match own.or_else(other) {
                    Some((field, _)) => value(field, rest, is_key, "", definition),
                    None if *word == "then" => phrase(rest, is_key, false, definition),
                    None => None,
                }
            }
        },
        [] => None,
    }
}
