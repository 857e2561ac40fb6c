//! TOML files looked through: keys and values that are names, by the table of places; texts, tables and maps by their own ways.

use super::places::{FileWithRows, PLACES, Stands, fits, owned, owner, sheet};
use super::{IN_TEXTS, Seen, Sort, Wants, narrowed, phrases, place_in};
use crate::content::file::{File, Place};
use crate::content::lexis::{Lexis, lex};
use crate::content::pack::LayerFile;
use crate::content::path::{Part, Role, role};
use crate::content::read::map;
use crate::content::tree::{Datum, Entry, Node};
use crate::limits::LONGEST_KEY;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// Looks through one file.
pub fn read(item: &LayerFile, seen: &mut Seen<'_>) {
    let Some(tree) = item.tree() else { return };
    let first = seen.facts.len();
    by_place(item, tree, seen);
    headers(item, tree, first, seen);
}

/// A table's name stands in every `[header]` below it, and the tree knows the first of them: the others mean the same.
fn headers(item: &LayerFile, tree: &Node, first: usize, seen: &mut Seen<'_>) {
    // What is within each key: a key may be made of several names.
    let mut by_start: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (number, fact) in seen.facts.iter().enumerate().skip(first) {
        by_start
            .entry(fact.place.span.start)
            .or_default()
            .push(number);
    }
    let text = &item.file.text;
    let parts = lex(text);
    let lines = parts.split(|part| part.kind == Lexis::Line);
    for line in lines {
        let loud: Vec<_> = line
            .iter()
            .filter(|part| part.kind != Lexis::Blank)
            .collect();
        let brackets = loud.iter().take_while(|part| part.is(text, "[")).count();
        // Inside of a list a line may begin with a bracket as well; no table is found by what follows it.
        if brackets == 0 {
            continue;
        }
        let mut node = tree;
        'steps: for part in loud[brackets..]
            .iter()
            .take_while(|part| !part.is(text, "]"))
        {
            let quoted = part.kind == Lexis::Text;
            let mut at = part.span.start + quoted as usize;
            let said = part.text(text);
            let said = if quoted {
                said.trim_matches(['"', '\''])
            } else {
                said
            };
            let steps: Vec<&str> = if quoted {
                vec![said]
            } else {
                said.split('.').collect()
            };
            for step in steps {
                let here = at..at + step.len();
                at += step.len() + 1;
                if step.is_empty() {
                    continue;
                }
                let Some(entry) = below(node, step, part.span.start) else {
                    break 'steps;
                };
                let key = narrowed(&entry.key, step);
                if key.span != here {
                    for number in by_start.range(key.span.clone()).flat_map(|(_, all)| all) {
                        let fact = &seen.facts[*number];
                        let span = &fact.place.span;
                        let from = here.start + span.start - key.span.start;
                        let place = place_in(&item.file, from..from + span.len());
                        let (id, wants) = (fact.id.clone(), fact.wants.clone());
                        seen.mention(wants, &id, place);
                    }
                }
                node = &entry.node;
            }
        }
    }
}

/// What a step of a header leads to; in a list of tables, in the last one that begins before it.
fn below<'n>(node: &'n Node, step: &str, before: usize) -> Option<&'n Entry> {
    match &node.value {
        Datum::Table(table) => table.get(step),
        Datum::List(items) => {
            let begun = items.partition_point(|item| item.place.span.start <= before);
            items[begun.checked_sub(1)?].table()?.get(step)
        }
        _ => None,
    }
}

fn by_place(item: &LayerFile, tree: &Node, seen: &mut Seen<'_>) {
    let path = match role(&item.file.path) {
        Role::VariantOverlay(_, _, over) => over,
        Role::With(_, inside) => inside,
        _ => &item.file.path,
    };
    if let Some(sheet) = sheet(path) {
        walk(tree, sheet, &mut Vec::new(), seen);
    }
    match role(path) {
        Role::Game(game, Part::Manifest) => {
            seen.define(Sort::Game, "", game, Place::top(&item.file));
            words_do(tree, seen);
        }
        Role::Game(_, Part::Tables) => table(tree, "", seen),
        Role::Game(_, Part::Texts) => texts(tree, seen),
        Role::Game(_, Part::Cards) => {
            let kind = tree.get("kind").and_then(Node::text).unwrap_or_default();
            for (_, entry) in tree
                .get("cards")
                .and_then(Node::table)
                .into_iter()
                .flatten()
            {
                phrases::card(&entry.node, kind, seen);
            }
        }
        Role::Game(_, Part::Deck(name)) => {
            seen.define(Sort::Card, "", name, Place::top(&item.file));
            phrases::card(tree, "deck", seen);
        }
        Role::Game(_, Part::Map(name)) => {
            seen.define(Sort::Map, "", name, Place::top(&item.file));
            spaces(tree, seen);
        }
        Role::Variant(_, name) => {
            seen.define(Sort::Variant, "", name, Place::top(&item.file));
            if let Some(set) = tree.get("set") {
                settings(set, "", seen);
            }
        }
        _ => {}
    }
}

/// The last strokes of a key: a word has few.
const STROKES: usize = 10;

fn walk<'n>(node: &'n Node, sheet: FileWithRows, path: &mut Vec<&'n str>, seen: &mut Seen<'_>) {
    match &node.value {
        Datum::Table(table) => {
            for (key, entry) in table.iter() {
                path.push(key);
                stands(sheet, path, Some((key, &entry.key)), &entry.node, seen);
                walk(&entry.node, sheet, path, seen);
                path.pop();
            }
        }
        Datum::List(items) => {
            for item in items.iter() {
                path.push("");
                stands(sheet, path, None, item, seen);
                walk(item, sheet, path, seen);
                path.pop();
            }
        }
        _ => {}
    }
}

fn stands(
    sheet: FileWithRows,
    path: &[&str],
    key: Option<(&str, &Place)>,
    node: &Node,
    seen: &mut Seen<'_>,
) {
    for (_, row, stands) in PLACES.iter().filter(|(of, ..)| *of == sheet) {
        let Some(stars) = fits(row, path) else {
            continue;
        };
        match (stands, key) {
            (Stands::Defines(sort, of), Some((id, place))) => {
                let of = owner(of, &stars);
                seen.define(*sort, &of, id, narrowed(place, id));
            }
            (Stands::Key(sorts, of), Some((id, place))) => {
                made(id, place, &owned(sorts, of, &stars), seen);
            }
            (Stands::EndsWithWord, Some((id, place))) => {
                for (stroke, _) in id.rmatch_indices('_').take(STROKES) {
                    let (word, start) = (&id[stroke + 1..], narrowed(place, id).span.start);
                    let here = start + stroke + 1..start + id.len();
                    let wants = Wants::Sorts(vec![Sort::Word]);
                    seen.mention(wants, word, place_in(&place.file, here));
                }
            }
            (Stands::Dotted, Some((id, place))) => dotted(id, place, seen),
            (Stands::NamesValue, _) => {
                if let Some(key) = node.text() {
                    dotted(key, &node.place, seen);
                }
            }
            (Stands::Names(sorts), _) => each_text(node, &mut |id, place| {
                seen.mention(Wants::Sorts(sorts.to_vec()), id, narrowed(place, id));
            }),
            (Stands::Made(sorts, of), _) => {
                let wants = owned(sorts, of, &stars);
                each_text(node, &mut |text, place| made(text, place, &wants, seen));
            }
            (Stands::NewWord, _) => {
                if let Some(word) = node.text() {
                    seen.define(Sort::Word, "", word, narrowed(&node.place, word));
                }
            }
            (Stands::Call, _) => {
                let called = node.text().unwrap_or_default();
                let (name, given) = called.split_once('(').unwrap_or((called, ""));
                let (name, whole) = (name.trim(), narrowed(&node.place, called));
                let wants = Wants::Sorts(vec![Sort::Function]);
                seen.mention(wants, name, narrowed(&whole, name));
                let end = whole.span.end;
                let given = place_in(&whole.file, end.saturating_sub(given.len())..end);
                steps(&given, &Wants::Sorts(IN_TEXTS.to_vec()), seen);
            }
            _ => {}
        }
    }
}

/// A text that is one name, or is made of several: `hand.0`, `a - b`, `fuel*needs`.
fn made(text: &str, place: &Place, wants: &Wants, seen: &mut Seen<'_>) {
    let whole = narrowed(place, text);
    if !text.chars().all(in_id) && whole.file.text.get(whole.span.clone()) == Some(text) {
        steps(&whole, wants, seen);
    }
    seen.mention(wants.clone(), text, whole);
}

/// Every name among the signs of a text.
fn steps(whole: &Place, wants: &Wants, seen: &mut Seen<'_>) {
    let text = whole.file.text.get(whole.span.clone()).unwrap_or_default();
    let mut at = whole.span.start;
    for part in text.split_inclusive(|c| !in_id(c)) {
        let step = part.trim_end_matches(|c| !in_id(c));
        if !step.is_empty() {
            let here = place_in(&whole.file, at..at + step.len());
            seen.mention(wants.clone(), step, here);
        }
        at += part.len();
    }
}

fn in_id(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-')
}

/// A text, or each of a list of them.
fn each_text(node: &Node, tell: &mut dyn FnMut(&str, &Place)) {
    match &node.value {
        Datum::Text(text) => tell(text, &node.place),
        Datum::List(items) => items.iter().for_each(|item| each_text(item, tell)),
        _ => {}
    }
}

/// What the ways to declared things begin with.
const DECLARING: [&str; 8] = [
    "attributes",
    "cards",
    "dice",
    "kinds",
    "map",
    "maps",
    "sides",
    "zones",
];
/// What they lead through.
const DECLARED: [Sort; 10] = [
    Sort::Card,
    Sort::Space,
    Sort::Area,
    Sort::Section,
    Sort::Zone,
    Sort::Die,
    Sort::Kind,
    Sort::Side,
    Sort::Field,
    Sort::Attribute,
];

/// Every step of the way to a value is a name. Parameters, dice and the like go by their first steps.
fn dotted(key: &str, place: &Place, seen: &mut Seen<'_>) {
    if key.len() > LONGEST_KEY {
        return;
    }
    let place = narrowed(place, key);
    let whole = place.file.text.get(place.span.clone()) == Some(key);
    let mut at = 0;
    for step in key.split('.') {
        let end = at + step.len();
        let here = match whole {
            true => place_in(&place.file, place.span.start + at..place.span.start + end),
            false => place.clone(),
        };
        seen.mention(Wants::Dotted, &key[..end], here.clone());
        if at == 0 {
            seen.mention(Wants::Sorts(vec![Sort::Parameter]), step, here);
        } else {
            let first = key.split('.').next().unwrap_or_default();
            if DECLARING.contains(&first) {
                seen.mention(Wants::Sorts(DECLARED.to_vec()), step, here);
            }
        }
        at = end + 1;
    }
}

/// `[set]`: dotted keys without quotes are tables to TOML.
fn settings(node: &Node, prefix: &str, seen: &mut Seen<'_>) {
    for (key, entry) in node.table().into_iter().flatten() {
        let full = format!("{prefix}{key}");
        match prefix.is_empty() {
            true => dotted(&full, &entry.key, seen),
            false => seen.mention(Wants::Dotted, &full, narrowed(&entry.key, key)),
        }
        settings(&entry.node, &format!("{full}."), seen);
    }
}

/// Tables: every key is a name under those above it.
fn table(node: &Node, of: &str, seen: &mut Seen<'_>) {
    match &node.value {
        Datum::Table(entries) => {
            for (key, entry) in entries.iter() {
                seen.define(Sort::Value, of, key, narrowed(&entry.key, key));
                // Tables by card, by space, by word ..
                let things = vec![Sort::Card, Sort::Space, Sort::Area, Sort::Word, Sort::Kind];
                seen.mention(Wants::Sorts(things), key, narrowed(&entry.key, key));
                let inner = match of.is_empty() {
                    true => key.clone(),
                    false => format!("{of}.{key}"),
                };
                table(&entry.node, &inner, seen);
            }
        }
        Datum::List(items) => items.iter().for_each(|item| table(item, of, seen)),
        Datum::Text(id) => seen.mention(
            Wants::Sorts(IN_TEXTS.to_vec()),
            id,
            narrowed(&node.place, id),
        ),
        _ => {}
    }
}

/// Words of effects and conditions are functions of the scripts.
fn words_do(tree: &Node, seen: &mut Seen<'_>) {
    for section in ["effects", "conditions"] {
        for (word, entry) in tree
            .get(section)
            .and_then(Node::table)
            .into_iter()
            .flatten()
        {
            let wants = Wants::Sorts(vec![Sort::Function]);
            seen.mention(wants, word, narrowed(&entry.key, word));
        }
    }
}

const SECTIONS: [(&str, Sort); 7] = [
    ("prompt", Sort::Prompt),
    ("option", Sort::Option),
    ("log", Sort::Log),
    ("step", Sort::Step),
    ("reason", Sort::Reason),
    ("field", Sort::Caption),
    ("help", Sort::Help),
];

fn texts(tree: &Node, seen: &mut Seen<'_>) {
    for (section, sort) in SECTIONS {
        if let Some(node) = tree.get(section) {
            keyed(node, sort, "", seen);
        }
    }
    for (id, entry) in tree
        .get("article")
        .and_then(Node::table)
        .into_iter()
        .flatten()
    {
        let things = vec![
            Sort::Card,
            Sort::Space,
            Sort::Area,
            Sort::Word,
            Sort::Option,
        ];
        seen.mention(Wants::Sorts(things), id, narrowed(&entry.key, id));
    }
}

fn keyed(node: &Node, sort: Sort, prefix: &str, seen: &mut Seen<'_>) {
    for (name, entry) in node.table().into_iter().flatten() {
        let Some(inner) = entry.node.table() else {
            continue;
        };
        let key = format!("{prefix}{name}");
        let place = narrowed(&entry.key, name);
        if inner.get("es").or(inner.get("en")).is_some() {
            seen.define(sort, "", &key, place.clone());
            about(&key, sort, &place, seen);
            if let Some(actions) = inner.get("actions").filter(|_| sort == Sort::Prompt) {
                each_text(&actions.node, &mut |id, place| {
                    seen.define(Sort::Action, "", id, narrowed(place, id));
                });
            }
            for (language, text) in inner {
                if matches!(language.as_str(), "es" | "en") {
                    quotes(&text.node.place.file, text.node.place.span.clone(), seen);
                }
            }
        }
        let deeper = inner.values().any(|entry| entry.node.table().is_some());
        if deeper {
            keyed(&entry.node, sort, &format!("{key}."), seen);
        }
    }
}

/// What a text is the text of.
fn about(key: &str, sort: Sort, place: &Place, seen: &mut Seen<'_>) {
    let sorts = match sort {
        Sort::Step => vec![Sort::Function],
        Sort::Caption => vec![Sort::Field, Sort::Attribute],
        Sort::Option => vec![Sort::Word, Sort::Action],
        Sort::Help => {
            let (what, id) = key.split_once('.').unwrap_or(("", key));
            let sort = match what {
                "prompt" => Sort::Prompt,
                "option" => Sort::Option,
                "space" => Sort::Space,
                "area" => Sort::Area,
                "card" => Sort::Card,
                "kind" => Sort::Kind,
                "zone" => Sort::Zone,
                "word" => Sort::Word,
                "step" => Sort::Function,
                _ => return,
            };
            return seen.mention(Wants::Sorts(vec![sort]), id, narrowed(place, id));
        }
        _ => return,
    };
    seen.mention(Wants::Sorts(sorts), key, place.clone());
}

/// `{prices.unit.resources}` in a text quotes a value.
pub fn quotes(file: &Arc<File>, span: Range<usize>, seen: &mut Seen<'_>) {
    let text = file.text.get(span.clone()).unwrap_or_default();
    for (at, _) in text.match_indices('{') {
        let brace = &text[at + 1..];
        let inside = brace.strip_prefix("count ").unwrap_or(brace);
        let at = at + brace.len() - inside.len();
        let end = inside.find(|c: char| !(c.is_ascii_alphanumeric() || "_.".contains(c)));
        let key = &inside[..end.unwrap_or(inside.len())];
        if key.contains('.') {
            let start = span.start + at + 1;
            dotted(key, &place_in(file, start..start + key.len()), seen);
        } else if !key.is_empty() {
            let start = span.start + at + 1;
            let wants = Wants::Sorts(vec![Sort::Parameter]);
            seen.mention(wants, key, place_in(file, start..start + key.len()));
        }
    }
}

/// Spaces that are drawn, and the ends of edges.
fn spaces(tree: &Node, seen: &mut Seen<'_>) {
    for (id, place) in map::drawn_spaces(tree) {
        seen.define(Sort::Space, "", &id, place);
    }
    for (edge, entry) in tree
        .get("edges")
        .and_then(Node::table)
        .into_iter()
        .flatten()
    {
        let mut from = 0;
        for end in edge.split(" - ") {
            let whole = narrowed(&entry.key, edge);
            let start = whole.span.start + from;
            let place = place_in(&whole.file, start..start + end.len());
            seen.mention(Wants::Sorts(vec![Sort::Space]), end, place);
            from += end.len() + 3;
        }
    }
    for (key, what) in [
        ("spaces", "space"),
        ("legend", "space"),
        ("areas", "area"),
        ("edges", "edge"),
    ] {
        for (_, entry) in tree.get(key).and_then(Node::table).into_iter().flatten() {
            phrases::fields_of_map(&entry.node, what, seen);
        }
    }
}
