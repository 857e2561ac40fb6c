//! `ludoteca fix`: renamed words are written as they are called now; comments and layout stay.

use crate::arguments::packs::Fix;
use crate::output::{Failure, Listing, Outcome, errln, unwritable};
use crate::words::{counted, say};
use ludoteca::limits::LONGEST_LABEL;
use ludoteca::{Edit, Folder, PackSource, keep, pack};
use std::borrow::Cow;
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
    let mut changed: BTreeMap<PathBuf, Vec<Edit>> = BTreeMap::new();
    for (path, edit) in edits(&root) {
        changed.entry(path).or_default().push(edit);
    }
    let mut listing = Listing::new();
    let words: usize = changed.values().map(Vec::len).sum();
    for (path, edits) in &changed {
        let Some(Edit { place, .. }) = edits.first() else {
            continue;
        };
        let text = &place.file.text;
        let new = mended(text, edits);
        show(path, text, &new, &mut listing);
        if !fix.dry_run {
            keep::write(path, &new).map_err(|error| unwritable(path, &error))?;
        }
    }
    listing.finish();
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

/// The text with the edits made, from the first to the last: a file may be full of old words.
fn mended(text: &str, edits: &[Edit]) -> String {
    let mut edits: Vec<&Edit> = edits.iter().collect();
    edits.sort_by_key(|edit| edit.place.span.start);
    let mut new = String::with_capacity(text.len());
    let mut done = 0;
    for edit in edits {
        let span = &edit.place.span;
        // Of two that meet the first is made; the other is found when one fixes again.
        if let Some(between) = text.get(done..span.start) {
            new.push_str(between);
            new.push_str(&edit.text);
            done = span.end;
        }
    }
    new.push_str(text.get(done..).unwrap_or_default());
    new
}

/// The lines that differ, as they were and as they are. Words change, lines stay: they go side by side.
fn show(path: &Path, old: &str, new: &str, listing: &mut Listing) {
    listing.say(&path.display().to_string());
    for (number, (old, new)) in old.lines().zip(new.lines()).enumerate() {
        if old != new {
            listing.say(&format!("{:>5} - {}", number + 1, from_change(old, new)));
            listing.say(&format!("{:>5} + {}", "", from_change(new, old)));
        }
    }
}

/// So much is shown of a long line before what changes in it.
const BEFORE: usize = 100;

/// A line; of one whose change lies beyond what is shown of it, what comes shortly before the change.
fn from_change<'l>(line: &'l str, other: &str) -> Cow<'l, str> {
    let pairs = line.chars().zip(other.chars());
    let alike = pairs.take_while(|(a, b)| a == b).count();
    let mut starts = line.char_indices().map(|(at, _)| at);
    match alike > LONGEST_LABEL / 2 {
        true => Cow::Owned(format!(
            "..{}",
            &line[starts.nth(alike - BEFORE).unwrap_or(0)..]
        )),
        false => Cow::Borrowed(line),
    }
}
