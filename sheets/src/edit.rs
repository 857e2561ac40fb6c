//! Changes written into the files of a game, or as a variant: what is not changed keeps its bytes.

use crate::compare::{Compared, NewCard, NewCell, NewValue};
use crate::sheet::node_at;
use crate::{CellError, SheetError};
use ludoteca::{File, Loaded, tree::Node};
use std::collections::BTreeMap;
use std::sync::Arc;
use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, TableLike, Value as Toml};

/// A file as it was and as it becomes.
#[derive(Debug, Clone)]
pub struct Written {
    pub file: Arc<File>,
    pub text: String,
}

/// The files of the game with the changes made.
pub fn edited(compared: &Compared) -> Result<Vec<Written>, SheetError> {
    let mut open: BTreeMap<String, (Arc<File>, DocumentMut)> = BTreeMap::new();
    let mut errors = Vec::new();
    for change in &compared.changes {
        let file = &change.place.file;
        let path = match path_in(file, &change.path) {
            Ok(path) => path,
            Err(message) => {
                errors.push(error(&change.cell, change, message));
                continue;
            }
        };
        let (_, document) = opened(&mut open, file)?;
        if !put(document.as_table_mut(), &path, change.after.as_ref()) {
            let message = "what stands there cannot be changed".to_string();
            errors.push(error(&change.cell, change, message));
        }
    }
    for card in &compared.new {
        let (_, document) = opened(&mut open, &card.beside.file)?;
        if let Err(message) = add(document, card) {
            errors.push(CellError {
                cell: card.cell.clone(),
                place: Some(card.beside.clone()),
                message,
            });
        }
    }
    if !errors.is_empty() {
        return Err(SheetError::Cells(errors));
    }
    let written = open.into_values().map(|(file, document)| Written {
        file,
        text: document.to_string(),
    });
    Ok(written.collect())
}

fn error(cell: &str, change: &NewValue, message: String) -> CellError {
    CellError {
        cell: cell.to_string(),
        place: Some(change.place.clone()),
        message,
    }
}

fn opened<'a>(
    open: &'a mut BTreeMap<String, (Arc<File>, DocumentMut)>,
    file: &Arc<File>,
) -> Result<&'a mut (Arc<File>, DocumentMut), SheetError> {
    if !open.contains_key(&file.shown) {
        let document = parsed(&file.text)
            .map_err(|message| SheetError::File(format!("{}: {message}", file.shown)))?;
        open.insert(file.shown.clone(), (file.clone(), document));
    }
    open.get_mut(&file.shown)
        .ok_or_else(|| SheetError::File(file.shown.clone()))
}

fn parsed(text: &str) -> Result<DocumentMut, String> {
    text.parse()
        .map_err(|error: toml_edit::TomlError| error.message().to_string())
}

/// Where a value of the game stands inside the file that brings it.
fn path_in(file: &File, path: &[String]) -> Result<Vec<String>, String> {
    let folders: Vec<&str> = file.path.split('/').collect();
    let inside = match folders.as_slice() {
        ["variants", _, one] => {
            let name = one.trim_end_matches(".toml");
            return Err(format!(
                "the variant `{name}` sets this; import with `--variant {name}`"
            ));
        }
        ["variants", _, _, inside @ ..] => inside,
        all => all,
    };
    match (inside.first().copied(), path.first().map(String::as_str)) {
        (Some("decks"), Some("cards")) => Ok(path[2..].to_vec()),
        (Some("cards"), Some("cards")) => Ok(path.to_vec()),
        (Some("cards"), Some("tables")) => Ok(path[1..].to_vec()),
        _ => Err("this is not set in a file of cards or tables".into()),
    }
}

/// Sets, adds or takes away the value at some names. What it needs on the way is made; what is empty afterwards goes.
fn put(table: &mut dyn TableLike, path: &[String], value: Option<&Toml>) -> bool {
    let Some((first, rest)) = path.split_first() else {
        return false;
    };
    if rest.is_empty() {
        return put_here(table, first, value);
    }
    if !table.contains_key(first) {
        if value.is_none() {
            return true;
        }
        table.insert(first, Item::Value(InlineTable::new().into()));
    }
    let Some(item) = table.get_mut(first) else {
        return false;
    };
    let done = put_in_item(item, rest, value);
    let is_empty = item.as_inline_table().is_some_and(InlineTable::is_empty);
    if is_empty {
        table.remove(first);
    }
    done
}

fn put_here(table: &mut dyn TableLike, name: &str, value: Option<&Toml>) -> bool {
    match (value, table.get_mut(name)) {
        (None, _) => {
            table.remove(name);
        }
        (Some(value), Some(Item::Value(old))) => replace(old, value),
        // A table of its own stays one: its entries change.
        (Some(Toml::InlineTable(new)), Some(Item::Table(old))) => {
            let gone = |name: &str| !new.contains_key(name);
            let names: Vec<String> = old.iter().map(|(name, _)| name.to_string()).collect();
            names.iter().filter(|name| gone(name)).for_each(|name| {
                old.remove(name);
            });
            return new
                .iter()
                .all(|(name, value)| put_here(old, name, Some(value)));
        }
        (Some(_), Some(_)) => return false,
        (Some(value), None) => {
            table.insert(name, Item::Value(value.clone()));
        }
    }
    true
}

fn put_in_item(item: &mut Item, path: &[String], value: Option<&Toml>) -> bool {
    if let Some(table) = item.as_table_like_mut() {
        return put(table, path, value);
    }
    item.as_array_mut()
        .is_some_and(|list| put_in_list(list, path, value))
}

fn put_in_list(list: &mut Array, path: &[String], value: Option<&Toml>) -> bool {
    let Some((first, rest)) = path.split_first() else {
        return false;
    };
    // What a list counts by its place cannot be missing in its middle.
    let (Ok(at), Some(value)) = (first.parse::<usize>(), value) else {
        return false;
    };
    match (list.get_mut(at), rest.is_empty()) {
        (Some(old), true) => {
            replace(old, value);
            true
        }
        (Some(Toml::InlineTable(table)), false) => put(table, rest, Some(value)),
        (Some(Toml::Array(inner)), false) => put_in_list(inner, rest, Some(value)),
        _ => false,
    }
}

/// A value in the place of another: the spaces and comments around it stay.
fn replace(old: &mut Toml, new: &Toml) {
    let decor = old.decor().clone();
    *old = new.clone();
    *old.decor_mut() = decor;
}

/// A card at the end of the file its neighbour stands in.
fn add(document: &mut DocumentMut, card: &NewCard) -> Result<(), String> {
    let cards = document.get_mut("cards").and_then(Item::as_table_mut);
    let cards = cards.ok_or("a card of this kind is a file of its own")?;
    let mut table = Table::new();
    for NewCell { path, value, .. } in &card.values {
        put(&mut table, path, Some(value));
    }
    table.decor_mut().set_prefix("\n");
    cards.insert(&card.id, Item::Table(table));
    Ok(())
}

/// A variant of one file with the changes: `there` is its text if there is one already, `base` the game without it.
pub fn variant(
    compared: &Compared,
    name: &str,
    there: Option<&str>,
    (base, with): (&Loaded, &Loaded),
) -> Result<String, SheetError> {
    let said = |message: String| SheetError::File(format!("{name}.toml: {message}"));
    let fresh = fresh(name, &compared.name);
    let mut document = parsed(there.unwrap_or(&fresh)).map_err(said)?;
    let set = document.entry("set").or_insert_with(toml_edit::table);
    let set = set
        .as_table_like_mut()
        .ok_or_else(|| said("`set` is no table".into()))?;
    let mut errors = Vec::new();
    if let Some(card) = compared.new.first() {
        errors.push(CellError {
            cell: card.cell.clone(),
            place: None,
            message: format!(
                "`{}` is a new card; a variant of one file changes cards and adds none",
                card.id
            ),
        });
    }
    for change in &compared.changes {
        let Some(value) = &change.after else {
            let message = "a variant of one file cannot take a value away".to_string();
            errors.push(error(&change.cell, change, message));
            continue;
        };
        let cut = depth_of_the_missing(&with.root, &change.path);
        let key = shortest(&change.path[..cut]);
        let as_before = node_at(&base.root, &change.path);
        if crate::cell::same(as_before, Some(value)) {
            set.remove(&key);
            continue;
        }
        match &change.path[cut..] {
            [] => match set.get_mut(&key) {
                Some(Item::Value(old)) => replace(old, value),
                _ => insert(set, &key, value.clone()),
            },
            rest => {
                if set.get(&key).and_then(Item::as_inline_table).is_none() {
                    insert(set, &key, InlineTable::new().into());
                }
                if let Some(item) = set.get_mut(&key) {
                    put_in_item(item, rest, Some(value));
                }
            }
        }
    }
    match errors.is_empty() {
        true => Ok(document.to_string()),
        false => Err(SheetError::Cells(errors)),
    }
}

fn insert(set: &mut dyn TableLike, key: &str, value: Toml) {
    set.insert(key, Item::Value(value));
}

/// How many names lead to the first thing that is not there: all of them if it is.
fn depth_of_the_missing(root: &Node, path: &[String]) -> usize {
    let missing = (1..=path.len()).find(|&n| node_at(root, &path[..n]).is_none());
    missing.unwrap_or(path.len())
}

/// `prices.unit.resources`, `cards.ogun.cost`
fn shortest(path: &[String]) -> String {
    match path.first().map(String::as_str) {
        Some("tables") => path[1..].join("."),
        _ => path.join("."),
    }
}

fn fresh(name: &str, sheet: &str) -> String {
    let words = name.replace(['-', '_'], " ");
    let mut letters = words.chars();
    let first: String = letters
        .next()
        .into_iter()
        .flat_map(char::to_uppercase)
        .collect();
    let title = first + letters.as_str();
    format!(
        "#:schema ../../schemas/variant.json\n\
         title = {{ es = \"{title}\", en = \"{title}\" }}\n\
         summary = {{ es = \"Cambia, en una hoja de cálculo: {sheet}.\", en = \"Changed in a spreadsheet: {sheet}.\" }}\n\n\
         [set]\n"
    )
}
