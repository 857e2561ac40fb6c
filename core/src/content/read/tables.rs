//! Tables: numbers and names that rules look up.

use super::reader::Reader;
use crate::content::definition::Data;
use crate::content::diagnostic::{Code, Diagnostic};
use crate::content::tree::{Branch, Datum, Entry, Node};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The file `tables.toml`: any names, whole numbers, strings, booleans, lists and tables.
pub struct TablesFile;

/// The tables of a game. Their names become constants in scripts.
pub fn read(node: &Node, reader: &mut Reader) -> BTreeMap<String, Data> {
    let mut tables = BTreeMap::new();
    let Some(table) = reader.table(node, "the tables of a game") else {
        return tables;
    };
    for (name, entry) in table {
        reader.id(name, &entry.key);
        odd_ones(name, &entry.node, reader);
        tables.insert(name.clone(), data(&entry.node, reader));
    }
    tables
}

/// Plain data; every decimal and date in it is reported, and a number stands in its place: one mistake, one message.
pub fn data(node: &Node, reader: &mut Reader) -> Data {
    match &node.value {
        Datum::Bool(value) => Data::Bool(*value),
        Datum::Int(value) => Data::Int(*value),
        Datum::Text(text) => Data::Text(text.clone()),
        Datum::Decimal(_) => stand_in(reader.wrong_type(node, "a whole number")),
        Datum::Date(_) => {
            stand_in(reader.wrong_type(node, "a number, a string, a list or a table"))
        }
        Datum::List(items) => Data::List(items.iter().map(|item| data(item, reader)).collect()),
        Datum::Table(table) => {
            let entries = table.iter();
            Data::Table(
                entries
                    .map(|(key, entry)| (key.clone(), data(&entry.node, reader)))
                    .collect(),
            )
        }
    }
}

fn stand_in(read: Option<i64>) -> Data {
    Data::Int(read.unwrap_or_default())
}

/// Rows, besides the one in question, that make a column.
const ROWS_OF_A_COLUMN: usize = 3;

/// In a table of rows that are alike, a value that is a text where all other rows have a number (or the other way round), and a row without
/// a value that all others have.
fn odd_ones(path: &str, node: &Node, reader: &mut Reader) {
    let Some(rows) = node.table() else { return };
    let mut columns: BTreeMap<&str, Vec<(&String, &Node)>> = BTreeMap::new();
    for (row, entry) in rows {
        for (column, cell) in entry.node.table().into_iter().flatten() {
            let cells = columns.entry(column).or_default();
            cells.push((row, &cell.node));
        }
        odd_ones(&format!("{path}.{row}"), &entry.node, reader);
    }
    for (column, cells) in columns {
        lacking(path, column, rows, &cells, reader);
        let is_number = |(_, cell): &&(&String, &Node)| matches!(cell.value, Datum::Int(_));
        let is_text = |(_, cell): &&(&String, &Node)| cell.text().is_some();
        let (numbers, texts) = (
            cells.iter().filter(is_number).count(),
            cells.iter().filter(is_text).count(),
        );
        if numbers + texts != cells.len() || numbers + texts < ROWS_OF_A_COLUMN + 1 {
            continue;
        }
        let odd = match (numbers, texts) {
            (1, _) => cells.iter().find(is_number),
            (_, 1) => cells.iter().find(is_text),
            _ => None,
        };
        if let Some((row, cell)) = odd {
            let others = match numbers {
                1 => "a string",
                _ => "a whole number",
            };
            let message = format!(
                "`{path}.{row}.{column}` is {}, and in all other rows `{column}` is {others}",
                cell.what()
            );
            reader.report(Diagnostic::new(Code::OddValue, message).at(&cell.place));
        }
    }
}

/// The one row without a column.
fn lacking(
    path: &str,
    column: &str,
    rows: &Branch,
    cells: &[(&String, &Node)],
    reader: &mut Reader,
) {
    if cells.len() < ROWS_OF_A_COLUMN || cells.len() + 1 != rows.len() {
        return;
    }
    let without = |entry: &&Entry| {
        entry
            .node
            .table()
            .is_some_and(|row| !row.contains_key(column))
    };
    let mut without = rows.iter().filter(|(_, entry)| without(entry));
    if let Some((row, entry)) = without.next() {
        let message =
            format!("`{path}.{row}` lacks `{column}`, which all other rows of `{path}` have");
        let mut problem = Diagnostic::new(Code::OddValue, message).at(&entry.key);
        problem.name = Some(format!("{path}.{row}.{column}"));
        reader.report(problem);
    }
}

impl JsonSchema for TablesFile {
    fn schema_name() -> Cow<'static, str> {
        "TablesFile".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "Tables of numbers and names. A top-level name is a constant in capitals in scripts.",
            "type": "object",
            "additionalProperties": { "$ref": "#/$defs/Data" },
            "$defs": {
                "Data": {
                    "anyOf": [
                        { "type": ["integer", "string", "boolean"] },
                        { "type": "array", "items": { "$ref": "#/$defs/Data" } },
                        { "type": "object", "additionalProperties": { "$ref": "#/$defs/Data" } },
                    ]
                }
            }
        })
    }
}
