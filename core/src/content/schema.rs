//! JSON Schemas of every kind of TOML file, made from the types that read them, so that editors know what the loader knows.

use super::read::cards::CardsFile;
use super::read::manifest::GameFile;
use super::read::map::MapFile;
use super::read::pack::PackFile;
use super::read::tables::TablesFile;
use super::read::texts::TextFile;
use super::read::variant::VariantFile;
use schemars::{JsonSchema, SchemaGenerator, generate::SchemaSettings};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// A kind of file: the name of its schema, and what makes it.
pub type Kind = (&'static str, fn() -> Value);

/// The kinds this room reads. Other rooms add theirs with [`of`] and pass the whole list to [`outdated`] and [`write`].
pub const KINDS: &[Kind] = &[
    ("game", of::<GameFile>),
    ("tables", of::<TablesFile>),
    ("cards", of::<CardsFile>),
    ("map", of::<MapFile>),
    ("text", of::<TextFile>),
    ("variant", of::<VariantFile>),
    ("pack", of::<PackFile>),
];

/// The schema of a type. Editors for TOML know draft 7 best.
pub fn of<T: JsonSchema>() -> Value {
    let generator = SchemaGenerator::new(SchemaSettings::draft07());
    generator.into_root_schema_for::<T>().to_value()
}

/// The text of a schema file.
pub fn text((_, make): &Kind) -> String {
    let mut text = format!("{:#}", make());
    text.push('\n');
    text
}

/// Schemas in a folder that are missing or not what the types say.
pub fn outdated(kinds: &[Kind], folder: &Path) -> Vec<PathBuf> {
    let current = |kind: &Kind| {
        let found = fs::read_to_string(path(kind, folder)).unwrap_or_default();
        found.replace("\r\n", "\n") == text(kind)
    };
    let old = kinds.iter().filter(|kind| !current(kind));
    old.map(|kind| path(kind, folder)).collect()
}

/// Writes all schemas into a folder.
pub fn write(kinds: &[Kind], folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    kinds
        .iter()
        .try_for_each(|kind| fs::write(path(kind, folder), text(kind)))
}

fn path((name, _): &Kind, folder: &Path) -> PathBuf {
    folder.join(format!("{name}.json"))
}
