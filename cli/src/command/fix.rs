//! `ludoteca fix`: renamed words are written as they are called now; comments and layout stay.

use crate::arguments::packs::Fix;
use crate::output::{Failure, Outcome, errln, outln, unwritable};
use crate::words::{counted, say};
use ludoteca::{Edit, Folder, PackSource, keep, pack};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

pub fn run(fix: &Fix) -> Outcome {
    let root = fix.folder.clone().unwrap_or_else(|| PathBuf::from("."));
    if !root.is_dir() {
        let message = say!(
            "{}: no es una carpeta",
            "{}: this is not a folder",
            root.display()
        );
        return Err(Failure::Usage(message));
    }
    let mut changed = BTreeMap::new();
    for (path, edit) in edits(&root) {
        let at = (path, edit.place.file.text.clone());
        changed.entry(at).or_insert_with(Vec::new).push(edit);
    }
    let words: usize = changed.values().map(Vec::len).sum();
    for ((path, text), edits) in &changed {
        let new = mended(text, edits);
        show(path, text, &new);
        if !fix.dry_run {
            keep::write(path, &new).map_err(|error| unwritable(path, &error))?;
        }
    }
    let what = say!(
        "{} en {}",
        "{} in {}",
        counted(words, ["palabra", "palabras", "word", "words"]),
        counted(changed.len(), ["archivo", "archivos", "file", "files"])
    );
    errln!(
        "{}",
        match (fix.dry_run, words) {
            (_, 0) => say!("{what}: nada que hacer", "{what}: nothing to do"),
            (true, _) => say!("cambiaría: {what}", "{what} would change"),
            (false, _) => say!("cambiado: {what}", "{what} changed"),
        }
    );
    Ok(())
}

/// What to write where, in the files of one pack.
fn edits(root: &Path) -> Vec<(PathBuf, Edit)> {
    let own = PackSource::new("fix", Folder::new(root));
    let old = pack::renamed(&own, &ludoteca_base::packs());
    let mut edits = Vec::new();
    for (path, word) in old {
        let fix = word.fix().into_iter().flat_map(|fix| fix.edits);
        edits.extend(fix.map(|edit| (root.join(&path), edit)));
    }
    edits
}

/// The text with the edits made, from the last to the first.
fn mended(text: &str, edits: &[Edit]) -> String {
    let mut edits: Vec<&Edit> = edits.iter().collect();
    edits.sort_by_key(|edit| edit.place.span.start);
    let mut new = text.to_string();
    for edit in edits.into_iter().rev() {
        new.replace_range(edit.place.span.clone(), &edit.text);
    }
    new
}

/// The lines that differ, as they were and as they are. Words change, lines stay: they go side by side.
fn show(path: &Path, old: &str, new: &str) {
    outln!("{}", path.display());
    for (number, (old, new)) in old.lines().zip(new.lines()).enumerate() {
        if old != new {
            outln!("{:>5} - {old}", number + 1);
            outln!("{:>5} + {new}", "");
        }
    }
}
