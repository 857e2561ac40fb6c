//! What the page edits: every number with a range as a grid, and the cards of each kind as a table.

use crate::kernel::{Datum, Diagnostic, Loaded, Node, Text, setting};
use serde_json::{Map as Object, Value as Json, json};

/// The numbers of a game by group: tables first, each with the comment above it, then parameters.
pub fn numbers(now: &Loaded, base: &Loaded, problems: &[Diagnostic]) -> Json {
    let misfit = |key: &str| node(now, key).and_then(|node| misfit(node, problems));
    let parameters = now.definition.parameters.iter().map(|parameter| {
        let cell = json!({
            "key": parameter.name, "column": null, "value": parameter.value, "min": parameter.min, "max": parameter.max,
            "flag": parameter.is_flag, "base": number(base, &parameter.name), "at": written_at(now, &parameter.name),
            "said": node(now, &parameter.name).map(Node::said), "misfit": misfit(&parameter.name),
        });
        json!({ "row": parameter.name, "text": parameter.text, "cells": [cell] })
    });
    let parameters = json!({ "group": null, "comment": null, "columns": [], "rows": parameters.collect::<Vec<_>>() });
    let mut groups: Vec<Json> = Vec::new();
    for range in &now.definition.ranges {
        let parts: Vec<&str> = range.key.split('.').collect();
        let (group, column) = (parts[0], parts[parts.len() - 1]);
        let row = match parts.len() {
            0..=2 => group.to_string(),
            _ => parts[..parts.len() - 1].join("."),
        };
        let at = groups.iter().position(|known| known["group"] == group);
        let at = at.unwrap_or_else(|| {
            groups.push(json!({ "group": group, "comment": comment(base, &range.key, group), "columns": [], "rows": [] }));
            groups.len() - 1
        });
        let found = &mut groups[at];
        let columns = found["columns"].as_array_mut();
        if let Some(columns) = columns.filter(|columns| !columns.contains(&json!(column))) {
            columns.push(json!(column));
        }
        let cell = json!({
            "key": range.key, "column": column, "value": number(now, &range.key), "base": number(base, &range.key),
            "min": range.min, "max": range.max, "flag": false, "at": written_at(now, &range.key),
            "said": node(now, &range.key).map(Node::said), "misfit": misfit(&range.key),
        });
        let Some(rows) = found["rows"].as_array_mut() else {
            continue;
        };
        match rows.iter_mut().find(|known| known["row"] == *row) {
            Some(known) => {
                if let Some(cells) = known["cells"].as_array_mut() {
                    cells.push(cell);
                }
            }
            None => rows.push(json!({ "row": row, "text": null, "cells": [cell] })),
        }
    }
    groups.push(parameters);
    groups.retain(|group| {
        group["rows"]
            .as_array()
            .is_some_and(|rows| !rows.is_empty())
    });
    json!(groups)
}

/// What is written over a value and does not fit: the value stays as it was.
fn misfit<'p>(node: &Node, problems: &'p [Diagnostic]) -> Option<&'p str> {
    let is_over = |found: &&Diagnostic| found.related.iter().any(|label| label.place == node.place);
    let mut over = problems.iter().filter(|found| found.is_error());
    let place = &over.find(is_over)?.at.as_ref()?.place;
    let is_value = |text: &&str| !text.is_empty() && !text.contains('\n');
    place.file.text.get(place.span.clone()).filter(is_value)
}

/// A number as somebody wrote it; a decision is 0 or 1.
fn number(loaded: &Loaded, key: &str) -> Json {
    match node(loaded, key).map(|node| &node.value) {
        Some(Datum::Int(value)) => json!(value),
        Some(Datum::Bool(value)) => json!(i64::from(*value)),
        _ => Json::Null,
    }
}

/// The file and the line a value is written in.
fn written_at(loaded: &Loaded, key: &str) -> Json {
    node(loaded, key).map_or(Json::Null, place)
}

fn place(node: &Node) -> Json {
    json!([node.place.file.path, node.place.line()])
}

pub fn node<'l>(loaded: &'l Loaded, key: &str) -> Option<&'l Node> {
    let path = setting::locate(&loaded.root, key)?;
    setting::follow(&loaded.root, &path)
}

/// What the author wrote above a table: lines of comment right before the first line that names it.
fn comment(loaded: &Loaded, key: &str, group: &str) -> Option<String> {
    let file = &node(loaded, key)?.place.file;
    let lines: Vec<&str> = file.text.lines().collect();
    let names = |line: &&str| {
        let line = line.trim_start_matches('[');
        let rest = line.strip_prefix(group)?;
        rest.starts_with(['.', ']', ' ', '=']).then_some(())
    };
    let first = lines.iter().position(|line| names(line).is_some())?;
    let above = lines[..first].iter().rev();
    let mut found: Vec<&str> = above
        .map_while(|line| line.trim().strip_prefix('#'))
        .filter(|line| !line.starts_with(":schema"))
        .map(str::trim)
        .collect();
    found.reverse();
    (!found.is_empty()).then(|| found.join(" "))
}

/// The cards by kind: a column for each thing that is written of one, a language each for texts.
pub fn cards(now: &Loaded, base: &Loaded) -> Json {
    let all = &now.definition;
    let written = now.root.get("cards").and_then(Node::table);
    let kinds = all.kinds.iter().enumerate().map(|(number, kind)| {
        // Every card has copies, also one that does not say how many.
        let mut columns = vec!["copies".to_string()];
        let of_kind = all.cards.iter().filter(|card| card.kind as usize == number);
        let rows: Vec<Json> = of_kind
            .filter_map(|card| {
                let node = &written?.get(&card.id)?.node;
                let before = base.root.get("cards").and_then(|cards| cards.get(&card.id));
                let mut cells = Object::new();
                fill(node, before, "", &mut cells);
                for column in cells.keys() {
                    if !columns.contains(column) {
                        columns.push(column.clone());
                    }
                }
                Some(json!({ "id": card.id, "name": card.name, "new": before.is_none(), "cells": cells }))
            })
            .collect();
        let declared = kind.fields.iter().map(|field| field.name.clone());
        let rank = |column: &String| match column.split('.').next().unwrap_or("") {
            "name" => (0, 0),
            "copies" => (1, 0),
            "text" => (3, 0),
            field => (2, declared.clone().position(|name| name == field).unwrap_or(999)),
        };
        columns.sort_by_key(rank);
        let text: Option<&Text> = kind.text.as_ref();
        json!({ "kind": kind.name, "text": text, "columns": columns, "rows": rows })
    });
    let told: Vec<Json> = kinds
        .filter(|kind| kind["rows"].as_array().is_some_and(|rows| !rows.is_empty()))
        .collect();
    json!(told)
}

/// The values of a card by column: texts as they are read, everything else as TOML.
fn fill(node: &Node, before: Option<&Node>, prefix: &str, cells: &mut Object<String, Json>) {
    for (name, entry) in node.table().into_iter().flatten() {
        let column = format!("{prefix}{name}");
        let old = before.and_then(|before| before.get(name));
        if name == "kind" && prefix.is_empty() {
            continue;
        }
        let (at, said) = (place(&entry.node), entry.node.said());
        match &entry.node.value {
            Datum::Table(table) if prefix.is_empty() && table.contains_key("es") => {
                fill(&entry.node, old, &format!("{name}."), cells);
            }
            // A word where the base has a number is a mistake, and is mended as TOML.
            Datum::Text(text) if old.is_none_or(|old| old.text().is_some()) => {
                let old = old.and_then(Node::text);
                cells.insert(column, json!({ "text": text, "said": said, "base": old, "changed": old != Some(text), "at": at }));
            }
            _ => {
                let old = old.map(Node::said);
                let changed = old.as_ref() != Some(&said);
                cells.insert(column, json!({ "toml": said, "said": said, "base": old, "changed": changed, "at": at }));
            }
        }
    }
}
