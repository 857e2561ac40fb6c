//! Tables: numbers and names that rules look up.

use super::reader::Reader;
use crate::content::definition::Data;
use crate::content::tree::{Node, Value};
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
        let read = data(&entry.node, reader);
        tables.extend(read.map(|data| (name.clone(), data)));
    }
    tables
}

/// Plain data; every decimal and date in it is reported.
pub fn data(node: &Node, reader: &mut Reader) -> Option<Data> {
    match &node.value {
        Value::Bool(value) => Some(Data::Bool(*value)),
        Value::Int(value) => Some(Data::Int(*value)),
        Value::Text(text) => Some(Data::Text(text.clone())),
        Value::Decimal(_) => reader.wrong_type(node, "a whole number"),
        Value::Date(_) => reader.wrong_type(node, "a number, a string, a list or a table"),
        Value::List(items) => {
            let read: Vec<Option<Data>> = items.iter().map(|item| data(item, reader)).collect();
            read.into_iter().collect::<Option<_>>().map(Data::List)
        }
        Value::Table(table) => {
            let entry = |(key, entry): (&String, &crate::content::tree::Entry)| {
                (key.clone(), data(&entry.node, reader))
            };
            let read: Vec<(String, Option<Data>)> = table.iter().map(entry).collect();
            let whole = read.into_iter().map(|(key, data)| Some((key, data?)));
            whole.collect::<Option<_>>().map(Data::Table)
        }
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
