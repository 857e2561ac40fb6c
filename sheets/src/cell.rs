//! One cell: what a value of the content looks like in a spreadsheet, and what somebody typed means.

use ludoteca::{
    definition::FieldType,
    tree::{Node, Value},
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
pub enum Shape {
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

impl Shape {
    /// Of a field of cards that is no text in two languages.
    pub fn of_field(ty: &FieldType) -> Shape {
        match ty {
            FieldType::Int => Shape::Int,
            FieldType::Bool => Shape::Flag,
            FieldType::Ints => Shape::Ints,
            FieldType::Words(_) | FieldType::Cards => Shape::Words,
            FieldType::Effect | FieldType::Condition | FieldType::Table => Shape::Any,
            FieldType::String
            | FieldType::Text
            | FieldType::Word(_)
            | FieldType::Card
            | FieldType::Space
            | FieldType::Area
            | FieldType::Function => Shape::Text,
        }
    }

    /// Of a value that is there.
    pub fn of_node(node: &Node) -> Shape {
        let all = |items: &[Node], fits: fn(&Value) -> bool| {
            !items.is_empty() && items.iter().all(|item| fits(&item.value))
        };
        match &node.value {
            Value::Int(_) => Shape::Int,
            Value::Bool(_) => Shape::Flag,
            Value::Text(_) => Shape::Text,
            Value::List(items) if all(items, |value| matches!(value, Value::Int(_))) => Shape::Ints,
            Value::List(items) if all(items, |value| matches!(value, Value::Text(_))) => {
                Shape::Words
            }
            _ => Shape::Any,
        }
    }

    /// A value as a cell of such a column.
    pub fn shown(self, node: &Node) -> Cell {
        match &node.value {
            Value::Int(number) => Cell::Number(*number),
            Value::Bool(yes) => Cell::Flag(*yes),
            Value::Text(text) if text.is_empty() => Cell::Empty,
            Value::Text(text) if self == Shape::Text || is_plain(text) => Cell::Text(text.clone()),
            Value::List(items) if matches!(self, Shape::Ints | Shape::Words) => {
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
            Shape::Int => int(trimmed)?.into(),
            Shape::Flag => flag(trimmed)?.into(),
            Shape::Text => typed.into(),
            Shape::Ints | Shape::Words if trimmed.starts_with(['[', '{']) => written(trimmed)?,
            Shape::Ints => {
                let numbers: Result<Vec<i64>, String> = items(trimmed).map(int).collect();
                Array::from_iter(numbers?).into()
            }
            Shape::Words => Array::from_iter(items(trimmed)).into(),
            Shape::Any if trimmed.starts_with(['[', '{', '"', '\'']) => written(trimmed)?,
            Shape::Any => trimmed
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
        Value::Int(number) => Some(number.to_string()),
        Value::Text(text) => {
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
        .map_err(|_| format!("expected a whole number, found \"{text}\""))
}

/// Spreadsheets write these words in the language of whoever opens them.
fn flag(text: &str) -> Result<bool, String> {
    match text.to_lowercase().as_str() {
        "true" | "verdadero" | "yes" | "sí" | "1" => Ok(true),
        "false" | "falso" | "no" | "0" => Ok(false),
        _ => Err(format!("expected true or false, found \"{text}\"")),
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
        Value::Bool(yes) => (*yes).into(),
        Value::Int(number) => (*number).into(),
        Value::Text(text) => text.as_str().into(),
        // Neither is content; as text they are at least what was written.
        Value::Decimal(text) | Value::Date(text) => {
            text.parse().unwrap_or_else(|_| text.as_str().into())
        }
        Value::List(items) => Array::from_iter(items.iter().map(toml)).into(),
        Value::Table(table) => {
            let entries = table.iter().map(|(key, entry)| (key, toml(&entry.node)));
            InlineTable::from_iter(entries).into()
        }
    }
}

/// Whether a cell says what stands there already. Where several may stand, one alone needs no list.
pub fn same(node: Option<&Node>, value: Option<&Toml>) -> bool {
    match (node, value) {
        (None, None) => true,
        (Some(node), None) => matches!(&node.value, Value::Text(text) if text.is_empty()),
        (None, Some(_)) => false,
        (Some(node), Some(value)) => match (&node.value, value) {
            (Value::Bool(a), Toml::Boolean(b)) => a == b.value(),
            (Value::Int(a), Toml::Integer(b)) => a == b.value(),
            (Value::Text(a), Toml::String(b)) => a == b.value(),
            (Value::List(a), Toml::Array(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(Some(a), Some(b)))
            }
            (Value::Int(_) | Value::Text(_), Toml::Array(b)) => {
                b.len() == 1 && same(Some(node), b.get(0))
            }
            (Value::Table(a), Toml::InlineTable(b)) => {
                let equal = |(key, entry): (&String, &ludoteca::tree::Entry)| {
                    b.get(key).is_some_and(|b| same(Some(&entry.node), Some(b)))
                };
                a.len() == b.len() && a.iter().all(equal)
            }
            (Value::Decimal(a) | Value::Date(a), b) => *a == b.to_string().trim(),
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
        let read = |shape: Shape, typed: &str| match shape.read(typed) {
            Ok(None) => "nothing".to_string(),
            Ok(Some(value)) => value.to_string(),
            Err(message) => message,
        };
        let table = [
            (Shape::Int, " 3 ", "3"),
            (Shape::Int, "3.5", "expected a whole number, found \"3.5\""),
            (Shape::Int, "  ", "nothing"),
            (Shape::Flag, "VERDADERO", "true"),
            (
                Shape::Flag,
                "maybe",
                "expected true or false, found \"maybe\"",
            ),
            (Shape::Text, "=1+1", "\"=1+1\""),
            (
                Shape::Words,
                "energy; resources",
                "[\"energy\", \"resources\"]",
            ),
            (Shape::Words, "[\"energy\"]", "[\"energy\"]"),
            (Shape::Ints, "1; 3;3", "[1, 3, 3]"),
            (Shape::Ints, "1; x", "expected a whole number, found \"x\""),
            (Shape::Any, "resupply", "\"resupply\""),
            (Shape::Any, "3", "3"),
            (Shape::Any, "{ boost = 2 }", "{ boost = 2 }"),
        ];
        for (shape, typed, expected) in table {
            assert_eq!(read(shape, typed), expected, "{shape:?} {typed}");
        }
        assert!(Shape::Any.read("{ boost = ").is_err());
    }
}
