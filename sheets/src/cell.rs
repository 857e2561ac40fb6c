//! One cell: what a value of the content looks like in a spreadsheet, and what somebody typed means.

use ludoteca::{
    definition::FieldType,
    tree::{Datum, Node},
};
use toml_edit::{Array, InlineTable, Value as Toml};

/// A cell as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cell {
    Empty,
    Number(i64),
    Flag(bool),
    Text(String),
}

impl Cell {
    pub fn text(&self) -> String {
        match self {
            Cell::Empty => String::new(),
            Cell::Number(number) => number.to_string(),
            Cell::Flag(yes) => yes.to_string(),
            Cell::Text(text) => text.clone(),
        }
    }
}

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellShape {
    Int,
    Flag,
    /// Words as they are, without quotes.
    Text,
    /// Numbers, `; ` between them.
    Ints,
    /// Words, `; ` between them.
    Words,
    /// As TOML writes it, but for single words.
    Any,
}

impl CellShape {
    /// Of a field of cards that is no text in two languages.
    pub fn of_field(ty: &FieldType) -> CellShape {
        match ty {
            FieldType::Int => CellShape::Int,
            FieldType::Bool => CellShape::Flag,
            FieldType::Ints => CellShape::Ints,
            FieldType::Words(_) | FieldType::Cards => CellShape::Words,
            FieldType::Effect | FieldType::Condition | FieldType::Table => CellShape::Any,
            FieldType::String
            | FieldType::Text
            | FieldType::Word(_)
            | FieldType::Card
            | FieldType::Space
            | FieldType::Area
            | FieldType::Function => CellShape::Text,
        }
    }

    /// Of a value that is there.
    pub fn of_node(node: &Node) -> CellShape {
        let all = |items: &[Node], fits: fn(&Datum) -> bool| {
            !items.is_empty() && items.iter().all(|item| fits(&item.value))
        };
        match &node.value {
            Datum::Int(_) => CellShape::Int,
            Datum::Bool(_) => CellShape::Flag,
            Datum::Text(_) => CellShape::Text,
            Datum::List(items) if all(items, |value| matches!(value, Datum::Int(_))) => {
                CellShape::Ints
            }
            Datum::List(items) if all(items, |value| matches!(value, Datum::Text(_))) => {
                CellShape::Words
            }
            _ => CellShape::Any,
        }
    }

    /// A value as a cell of such a column.
    pub fn shown(self, node: &Node) -> Cell {
        match &node.value {
            Datum::Int(number) => Cell::Number(*number),
            Datum::Bool(yes) => Cell::Flag(*yes),
            Datum::Text(text) if text.is_empty() => Cell::Empty,
            Datum::Text(text) if self == CellShape::Text || is_plain(text) => {
                Cell::Text(text.clone())
            }
            Datum::List(items) if matches!(self, CellShape::Ints | CellShape::Words) => {
                let plain: Option<Vec<String>> = items.iter().map(plain_item).collect();
                match plain.filter(|plain| !plain.is_empty()) {
                    Some(plain) => Cell::Text(plain.join("; ")),
                    None => Cell::Text(toml(node).to_string()),
                }
            }
            _ => Cell::Text(toml(node).to_string()),
        }
    }

    /// What was typed into such a column: nothing, a value, or a sentence about what is wrong.
    pub fn read(self, typed: &str) -> Result<Option<Toml>, String> {
        let trimmed = typed.trim();
        if trimmed.is_empty() {
            return Ok(None);
        }
        let value = match self {
            CellShape::Int => int(trimmed)?.into(),
            CellShape::Flag => flag(trimmed)?.into(),
            CellShape::Text => typed.into(),
            CellShape::Ints | CellShape::Words if trimmed.starts_with(['[', '{']) => {
                written(trimmed)?
            }
            CellShape::Ints => {
                let numbers: Result<Vec<i64>, String> = items(trimmed).map(int).collect();
                Array::from_iter(numbers?).into()
            }
            CellShape::Words => Array::from_iter(items(trimmed)).into(),
            CellShape::Any if trimmed.starts_with(['[', '{', '"', '\'']) => written(trimmed)?,
            CellShape::Any => trimmed
                .parse::<Toml>()
                .map(undecorated)
                .unwrap_or_else(|_| typed.into()),
        };
        Ok(Some(value))
    }
}

/// A word that cannot be taken for anything else in a column of all kinds of values.
fn is_plain(text: &str) -> bool {
    let clear = text.trim() == text && !text.starts_with(['[', '{', '"', '\'']);
    clear && text.parse::<Toml>().is_err()
}

fn plain_item(node: &Node) -> Option<String> {
    match &node.value {
        Datum::Int(number) => Some(number.to_string()),
        Datum::Text(text) => {
            let clear = !text.is_empty() && text.trim() == text && !text.contains(';');
            (clear && !text.starts_with(['[', '{'])).then(|| text.clone())
        }
        _ => None,
    }
}

fn items(text: &str) -> impl Iterator<Item = &str> {
    text.split(';')
        .map(str::trim)
        .filter(|item| !item.is_empty())
}

fn int(text: &str) -> Result<i64, String> {
    text.parse()
        .map_err(|_| format!("expected a whole number, found \"{}\"", short(text)))
}

/// Spreadsheets write these words in the language of whoever opens them.
fn flag(text: &str) -> Result<bool, String> {
    match text.to_lowercase().as_str() {
        "true" | "verdadero" | "yes" | "sí" | "1" => Ok(true),
        "false" | "falso" | "no" | "0" => Ok(false),
        _ => Err(format!("expected true or false, found \"{}\"", short(text))),
    }
}

fn written(text: &str) -> Result<Toml, String> {
    text.parse::<Toml>().map(undecorated).map_err(|error| {
        let said = error.message().lines().next().unwrap_or_default();
        format!("not a value as TOML writes it: {said}")
    })
}

fn undecorated(mut value: Toml) -> Toml {
    value.decor_mut().clear();
    value
}

/// A value as TOML writes it.
pub fn toml(node: &Node) -> Toml {
    match &node.value {
        Datum::Bool(yes) => (*yes).into(),
        Datum::Int(number) => (*number).into(),
        Datum::Text(text) => text.as_str().into(),
        // Neither is content; as text they are at least what was written.
        Datum::Decimal(text) | Datum::Date(text) => {
            text.parse().unwrap_or_else(|_| text.as_str().into())
        }
        Datum::List(items) => Array::from_iter(items.iter().map(toml)).into(),
        Datum::Table(table) => {
            let entries = table.iter().map(|(key, entry)| (key, toml(&entry.node)));
            InlineTable::from_iter(entries).into()
        }
    }
}

/// Whether a cell says what stands there already. Where several may stand, one alone needs no list.
pub fn same(node: Option<&Node>, value: Option<&Toml>) -> bool {
    match (node, value) {
        (None, None) => true,
        (Some(node), None) => matches!(&node.value, Datum::Text(text) if text.is_empty()),
        (None, Some(_)) => false,
        (Some(node), Some(value)) => match (&node.value, value) {
            (Datum::Bool(a), Toml::Boolean(b)) => a == b.value(),
            (Datum::Int(a), Toml::Integer(b)) => a == b.value(),
            (Datum::Text(a), Toml::String(b)) => a == b.value(),
            (Datum::List(a), Toml::Array(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(Some(a), Some(b)))
            }
            (Datum::Int(_) | Datum::Text(_), Toml::Array(b)) => {
                b.len() == 1 && same(Some(node), b.get(0))
            }
            (Datum::Table(a), Toml::InlineTable(b)) => {
                let equal = |(key, entry): (&String, &ludoteca::tree::Entry)| {
                    b.get(key).is_some_and(|b| same(Some(&entry.node), Some(b)))
                };
                a.len() == b.len() && a.iter().all(equal)
            }
            (Datum::Decimal(a) | Datum::Date(a), b) => *a == b.to_string().trim(),
            _ => false,
        },
    }
}

/// A cell as spreadsheets call it: `C5`, for its column and row from 0.
pub fn address(column: usize, row: usize) -> String {
    let mut letters = Vec::new();
    let mut left = column + 1;
    while left > 0 {
        letters.push(b'A' + ((left - 1) % 26) as u8);
        left = (left - 1) / 26;
    }
    letters.reverse();
    let letters: String = letters.into_iter().map(char::from).collect();
    format!("{letters}{}", row + 1)
}

/// So much of a cell that one sees which it is.
const SHOWN: usize = 40;

/// A cell, or a name in it, for a message: nobody reads more of it.
pub fn short(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    match line.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}..", &line[..end]),
        None if line.len() < text.len() => format!("{line}.."),
        None => line.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_called_as_spreadsheets_call_them() {
        let named = [(0, 0), (25, 9), (26, 0), (701, 1), (702, 1)].map(|(c, r)| address(c, r));
        assert_eq!(named, ["A1", "Z10", "AA1", "ZZ2", "AAA2"]);
    }

    #[test]
    fn what_is_typed_is_read_by_its_column() {
        let read = |shape: CellShape, typed: &str| match shape.read(typed) {
            Ok(None) => "nothing".to_string(),
            Ok(Some(value)) => value.to_string(),
            Err(message) => message,
        };
        let table = [
            (CellShape::Int, " 3 ", "3"),
            (
                CellShape::Int,
                "3.5",
                "expected a whole number, found \"3.5\"",
            ),
            (CellShape::Int, "  ", "nothing"),
            (CellShape::Flag, "VERDADERO", "true"),
            (
                CellShape::Flag,
                "maybe",
                "expected true or false, found \"maybe\"",
            ),
            (CellShape::Text, "=1+1", "\"=1+1\""),
            (
                CellShape::Words,
                "energy; resources",
                "[\"energy\", \"resources\"]",
            ),
            (CellShape::Words, "[\"energy\"]", "[\"energy\"]"),
            (CellShape::Ints, "1; 3;3", "[1, 3, 3]"),
            (
                CellShape::Ints,
                "1; x",
                "expected a whole number, found \"x\"",
            ),
            (CellShape::Any, "resupply", "\"resupply\""),
            (CellShape::Any, "3", "3"),
            (CellShape::Any, "{ boost = 2 }", "{ boost = 2 }"),
        ];
        for (shape, typed, expected) in table {
            assert_eq!(read(shape, typed), expected, "{shape:?} {typed}");
        }
        assert!(CellShape::Any.read("{ boost = ").is_err());
    }
}
