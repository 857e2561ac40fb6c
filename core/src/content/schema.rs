//! JSON Schemas of every kind of TOML file, made from the types that read them, so that editors know what the loader knows.

use super::read::cards::{CardsFile, DeckFile};
use super::read::look::{LookFile, PositionsFile};
use super::read::manifest::GameFile;
use super::read::map::MapFile;
use super::read::pack::PackFile;
use super::read::tables::TablesFile;
use super::read::texts::TextFile;
use super::read::variant::VariantFile;
use crate::keep;
use schemars::{JsonSchema, SchemaGenerator, generate::SchemaSettings};
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};
use std::{fs, io};

/// A kind of file: the name of its schema, and what makes it.
pub type FileKind = (&'static str, fn() -> Value);

/// The kinds this room reads, and what changes them in overlays. Other rooms make theirs with [`of`], and pass the whole
/// list to [`outdated`] and [`write`].
pub const KINDS: &[FileKind] = &[
    ("game", of::<GameFile>),
    ("game-overlay", overlay_of::<GameFile>),
    ("tables", of::<TablesFile>),
    ("cards", of::<CardsFile>),
    ("cards-overlay", overlay_of::<CardsFile>),
    ("deck", of::<DeckFile>),
    ("deck-overlay", overlay_of::<DeckFile>),
    ("map", of::<MapFile>),
    ("map-overlay", overlay_of::<MapFile>),
    ("text", of::<TextFile>),
    ("text-overlay", overlay_of::<TextFile>),
    ("look", of::<LookFile>),
    ("look-overlay", overlay_of::<LookFile>),
    ("positions", of::<PositionsFile>),
    ("variant", of::<VariantFile>),
    ("pack", of::<PackFile>),
];

/// The schema of a type. Editors for TOML know draft 7 best.
pub fn of<T: JsonSchema>() -> Value {
    let generator = SchemaGenerator::new(SchemaSettings::draft07());
    let mut schema = generator.into_root_schema_for::<T>().to_value();
    each_schema(&mut schema, &mut without_null);
    schema
}

/// The schema of a file that holds only what differs: nothing is required, and numbers and lists may be changed in place.
fn overlay_of<T: JsonSchema>() -> Value {
    let mut schema = of::<T>();
    each_schema(&mut schema, &mut sparse);
    schema
}

/// TOML has no null; what may be left out is left out.
fn without_null(schema: &mut Map<String, Value>) {
    let is_null = |schema: &Value| *schema == json!("null") || *schema == json!({ "type": "null" });
    for word in ["type", "anyOf"] {
        let Some(Value::Array(forms)) = schema.get_mut(word) else {
            continue;
        };
        forms.retain(|form| !is_null(form));
        if let [only] = &mut forms[..] {
            let only = only.take();
            schema.remove(word);
            match only {
                Value::Object(inner) => {
                    for (key, value) in inner {
                        schema.entry(key).or_insert(value);
                    }
                }
                single => drop(schema.insert(word.to_string(), single)),
            }
        }
    }
}

fn sparse(schema: &mut Map<String, Value>) {
    schema.remove("required");
    let patch = match schema.get("type").and_then(Value::as_str) {
        Some("integer") => json!({
            "add": { "type": "integer", "description": "What is added to the number." },
            "mul": { "type": "number", "description": "What the number is multiplied by." },
        }),
        Some("array") => json!({
            "extend": { "type": "array", "description": "What is put at the end." },
            "delete": { "type": "array", "description": "What is taken out." },
        }),
        Some("object") => {
            let ids = json!({ "description": "Ids to remove.", "type": "array", "items": { "type": "string" } });
            if schema
                .get("additionalProperties")
                .is_some_and(Value::is_object)
            {
                let properties = schema.entry("properties").or_insert_with(|| json!({}));
                properties["delete"] = ids;
            }
            return;
        }
        _ => return,
    };
    let description = schema.remove("description");
    let plain = Value::Object(std::mem::take(schema));
    let patch = json!({ "type": "object", "properties": patch, "additionalProperties": false, "minProperties": 1 });
    schema.insert("anyOf".to_string(), json!([plain, patch]));
    schema.extend(description.map(|text| ("description".to_string(), text)));
}

/// Visits every schema inside another, the inner ones first.
fn each_schema(schema: &mut Value, visit: &mut impl FnMut(&mut Map<String, Value>)) {
    let Value::Object(object) = schema else {
        return;
    };
    for (word, inside) in object.iter_mut() {
        match (word.as_str(), inside) {
            ("properties" | "definitions" | "$defs", Value::Object(named)) => {
                named
                    .values_mut()
                    .for_each(|inner| each_schema(inner, visit));
            }
            ("anyOf" | "allOf" | "oneOf", Value::Array(forms)) => {
                forms.iter_mut().for_each(|inner| each_schema(inner, visit));
            }
            ("items" | "additionalProperties", inner) => each_schema(inner, visit),
            _ => {}
        }
    }
    visit(object);
}

/// The text of a schema file.
pub fn text((_, make): &FileKind) -> String {
    let mut text = format!("{:#}", make());
    text.push('\n');
    text
}

/// Schemas in a folder that are missing or not what the types say.
pub fn outdated(kinds: &[FileKind], folder: &Path) -> Vec<PathBuf> {
    let current = |kind: &FileKind| {
        let found = fs::read_to_string(path(kind, folder)).unwrap_or_default();
        found.replace("\r\n", "\n") == text(kind)
    };
    let old = kinds.iter().filter(|kind| !current(kind));
    old.map(|kind| path(kind, folder)).collect()
}

/// Writes all schemas into a folder.
pub fn write(kinds: &[FileKind], folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    kinds
        .iter()
        .try_for_each(|kind| keep::write(&path(kind, folder), text(kind)))
}

fn path((name, _): &FileKind, folder: &Path) -> PathBuf {
    folder.join(format!("{name}.json"))
}
