//! Cards: their fields by what the manifest declares of them, effects and conditions word by word.

use super::{HELD, IN_TEXTS, Seen, Sort, Wants, narrowed};
use crate::content::definition::{Field, FieldType, PhraseWord};
use crate::content::read::cards::OWN;
use crate::content::tree::{Datum, Node};

/// A card of a kind, or one written inside another.
pub fn card(node: &Node, kind: &str, seen: &mut Seen<'_>) {
    let Some(table) = node.table() else { return };
    for (key, entry) in table {
        if OWN.contains(&key.as_str()) {
            continue;
        }
        let of = Wants::Of(Sort::Field, kind.to_string());
        seen.mention(of, key, narrowed(&entry.key, key));
        let kinds = seen.definition.kinds.iter();
        let declared = kinds.filter(|k| k.name == kind).flat_map(|k| &k.fields);
        let declared = declared
            .into_iter()
            .find(|field| field.name == *key)
            .cloned();
        if let Some(field) = declared {
            value(&entry.node, &field, kind, seen);
        }
    }
}

/// The fields of a space, an area or an edge.
pub fn fields_of_map(node: &Node, what: &str, seen: &mut Seen<'_>) {
    let Some(table) = node.table() else { return };
    for (key, entry) in table {
        let of = Wants::Of(Sort::Field, what.to_string());
        seen.mention(of, key, narrowed(&entry.key, key));
        let map = seen.definition.map.as_ref();
        let fields = map.map(|map| match what {
            "space" => &map.space_fields,
            "area" => &map.area_fields,
            _ => &map.edge_fields,
        });
        let declared = fields.and_then(|fields| fields.iter().find(|field| field.name == *key));
        if let Some(field) = declared.cloned() {
            value(&entry.node, &field, "", seen);
        }
    }
}

fn value(node: &Node, field: &Field, kind: &str, seen: &mut Seen<'_>) {
    match &field.ty {
        // Where any word will do, rules often take it for what it names.
        FieldType::Word(words) | FieldType::Words(words) => match words.is_empty() {
            true => names(node, HELD, seen),
            false => names(node, &[Sort::Word], seen),
        },
        FieldType::Card => names(node, &[Sort::Card], seen),
        FieldType::Cards => cards(node, field, kind, seen),
        FieldType::Space => names(node, &[Sort::Space], seen),
        FieldType::Area => names(node, &[Sort::Area], seen),
        FieldType::Function => names(node, &[Sort::Function], seen),
        FieldType::Effect => phrase(node, false, seen),
        FieldType::Condition => phrase(node, true, seen),
        FieldType::Table => anything(node, seen),
        FieldType::String => names(node, IN_TEXTS, seen),
        FieldType::Int | FieldType::Bool | FieldType::Text | FieldType::Ints => {}
    }
}

fn names(node: &Node, sorts: &[Sort], seen: &mut Seen<'_>) {
    match &node.value {
        Datum::Text(id) => {
            seen.mention(Wants::Sorts(sorts.to_vec()), id, narrowed(&node.place, id))
        }
        Datum::List(items) => items.iter().for_each(|item| names(item, sorts, seen)),
        _ => {}
    }
}

/// Cards by id, or written in place: of which kind the manifest says.
fn cards(node: &Node, field: &Field, kind: &str, seen: &mut Seen<'_>) {
    let Datum::List(items) = &node.value else {
        return names(node, &[Sort::Card], seen);
    };
    let declared = |kind: &str| {
        let fields = seen.root.get("kinds")?.get(kind)?.get("fields")?;
        fields
            .get(&field.name)?
            .get("of")?
            .text()
            .map(str::to_string)
    };
    let of = declared(kind).unwrap_or_default();
    for item in items.iter() {
        match item.table() {
            Some(_) => card(item, &of, seen),
            None => names(item, &[Sort::Card], seen),
        }
    }
}

/// Keys and texts that may name anything.
fn anything(node: &Node, seen: &mut Seen<'_>) {
    match &node.value {
        Datum::Text(_) => names(node, IN_TEXTS, seen),
        Datum::List(items) => items.iter().for_each(|item| anything(item, seen)),
        Datum::Table(table) => {
            for (key, entry) in table.iter() {
                let things = vec![Sort::Card, Sort::Space, Sort::Area, Sort::Word, Sort::Kind];
                seen.mention(Wants::Sorts(things), key, narrowed(&entry.key, key));
                anything(&entry.node, seen);
            }
        }
        _ => {}
    }
}

/// An effect or a condition: a word alone, a table that begins with one, or a list.
fn phrase(node: &Node, is_condition: bool, seen: &mut Seen<'_>) {
    let sort = match is_condition {
        true => Sort::Condition,
        false => Sort::Effect,
    };
    match &node.value {
        Datum::List(items) => items
            .iter()
            .for_each(|item| phrase(item, is_condition, seen)),
        Datum::Text(word) => {
            seen.mention(Wants::Sorts(vec![sort]), word, narrowed(&node.place, word))
        }
        Datum::Table(table) => {
            for (key, entry) in table.iter() {
                match (key.as_str(), is_condition) {
                    ("call", _) => names(&entry.node, &[Sort::Function], seen),
                    ("if", false) => phrase(&entry.node, true, seen),
                    ("then" | "else", false) if table.contains_key("if") => {
                        phrase(&entry.node, false, seen);
                    }
                    ("me", _) => phrase(&entry.node, is_condition, seen),
                    ("not" | "any", true) => phrase(&entry.node, true, seen),
                    _ => seen.mention(Wants::Sorts(vec![sort]), key, narrowed(&entry.key, key)),
                }
            }
            let words = seen.definition.phrase_words.iter();
            let word = words
                .filter(|word| word.is_condition == is_condition)
                .find(|word| table.contains_key(&word.function.name));
            if let Some(word) = word.cloned() {
                arguments(node, &word, seen);
            }
        }
        _ => {}
    }
}

/// The first parameter stands beside the word, the others have keys of their own.
fn arguments(node: &Node, word: &PhraseWord, seen: &mut Seen<'_>) {
    for (index, (field, _)) in word.takes.iter().enumerate() {
        let key = match index {
            0 => &word.function.name,
            _ => &field.name,
        };
        if let Some(given) = node.get(key) {
            value(given, field, "", seen);
        }
    }
}
