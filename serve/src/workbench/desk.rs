//! The desk: texts of the folder's files as they would be saved, over what lies on disk. Nothing is overwritten that somebody else wrote
//! meanwhile.

use super::lines::{SourceLine, changes};
use super::sparse;
use crate::kernel::{Folder, LARGEST_PAST, Role, SCENARIOS, Source, keep, role};
use crate::refusal::Refusal;
use std::collections::BTreeMap;
use std::path::PathBuf;
use xxhash_rust::xxh3::xxh3_64;

/// Steps that can be taken back.
const STEPS: usize = 500;
/// Letters of one file.
const LONGEST: usize = 1 << 20;

/// A file that is being written.
#[derive(Debug, Clone)]
struct Sheet {
    text: String,
    /// What lay on disk when it was begun: its hash; none if there was no such file.
    under: Option<u64>,
    /// Where nothing but values of a variant was set in it.
    set: Option<SetValues>,
}

/// Values that were set in a variant, over the text it had.
#[derive(Debug, Clone)]
struct SetValues {
    under: String,
    /// By key; none for one that was taken away.
    values: BTreeMap<String, Option<String>>,
}

impl SetValues {
    /// The same values in a text somebody else has written meanwhile, if they have left these alone.
    fn over(&self, theirs: &str) -> Option<String> {
        let mut text = theirs.to_string();
        for (key, value) in &self.values {
            if sparse::value(&self.under, key).ok()? != sparse::value(theirs, key).ok()? {
                return None;
            }
            text = sparse::with(&text, key, value.as_deref()).ok()?;
        }
        Some(text)
    }
}

pub struct Desk {
    root: PathBuf,
    folder: Folder,
    sheets: BTreeMap<String, Sheet>,
    /// What the texts were before each step; none where nothing was being written.
    past: Vec<(String, Option<String>)>,
}

impl Desk {
    pub fn new(root: PathBuf) -> Desk {
        Desk {
            folder: Folder::new(&root),
            root,
            sheets: BTreeMap::new(),
            past: Vec::new(),
        }
    }

    /// The texts that stand for what lies on disk.
    pub fn texts(&self) -> BTreeMap<String, String> {
        let text = |(path, sheet): (&String, &Sheet)| (path.clone(), sheet.text.clone());
        self.sheets.iter().map(text).collect()
    }

    /// All files of the folder, also those that are only being written.
    pub fn files(&self) -> Vec<String> {
        let mut found = self.folder.list();
        found.extend(self.folder.scenarios());
        found.extend(self.sheets.keys().cloned());
        found.retain(|path| may_be_written(path));
        found.sort();
        found.dedup();
        found
    }

    /// A file as it would be saved.
    pub fn text(&self, path: &str) -> Option<String> {
        match self.sheets.get(path) {
            Some(sheet) => Some(sheet.text.clone()),
            None => self.on_disk(path),
        }
    }

    fn on_disk(&self, path: &str) -> Option<String> {
        self.folder.read(path).ok()
    }

    /// Writes a file, on the desk alone.
    pub fn write(&mut self, path: &str, text: String) -> Result<(), Refusal> {
        if !may_be_written(path) {
            return Err(not_a_file(path));
        }
        if text.len() > LONGEST {
            return Err(Refusal::new(
                "too-large",
                "El archivo es demasiado largo.",
                "The file is too long.",
            ));
        }
        let before = self.sheets.get(path).map(|sheet| sheet.text.clone());
        if self.text(path).as_deref() == Some(&text) {
            return Ok(());
        }
        self.past.push((path.to_string(), before));
        self.forget();
        self.put(path, Some(text));
        Ok(())
    }

    /// Writes a variant in which one value is set, or taken away.
    pub fn write_value(
        &mut self,
        path: &str,
        text: String,
        (key, value): (&str, Option<&str>),
    ) -> Result<(), Refusal> {
        let there = self.on_disk(path);
        let before = match self.sheets.get(path) {
            Some(sheet) => sheet.set.clone(),
            None => there.map(|under| SetValues {
                under,
                values: BTreeMap::new(),
            }),
        };
        self.write(path, text)?;
        if let (Some(sheet), Some(mut set)) = (self.sheets.get_mut(path), before) {
            set.values
                .insert(key.to_string(), value.map(str::to_string));
            sheet.set = Some(set);
        }
        Ok(())
    }

    /// Steps that are too many or too large together cannot be taken back any more, the oldest first.
    fn forget(&mut self) {
        let size = |(_, text): &(String, Option<String>)| text.as_ref().map_or(0, String::len);
        let mut bytes = 0;
        let newest = self.past.iter().rev().take_while(|step| {
            bytes += size(step);
            bytes <= LARGEST_PAST
        });
        let kept = newest.count().min(STEPS);
        self.past.drain(..self.past.len() - kept);
    }

    /// A text that is the same as on disk needs no sheet.
    fn put(&mut self, path: &str, text: Option<String>) {
        let there = self.on_disk(path);
        match text {
            Some(text) if there.as_ref() != Some(&text) => {
                let under = match self.sheets.get(path) {
                    Some(sheet) => sheet.under,
                    None => there.as_deref().map(hash),
                };
                let set = None;
                self.sheets.insert(path.into(), Sheet { text, under, set });
            }
            _ => drop(self.sheets.remove(path)),
        }
    }

    pub fn can_undo(&self) -> bool {
        !self.past.is_empty()
    }

    /// Takes the last step back.
    pub fn undo(&mut self) -> Result<(), Refusal> {
        let (path, text) = self.past.pop().ok_or_else(|| {
            Refusal::new(
                "nothing-to-undo",
                "No hay nada que deshacer.",
                "There is nothing to take back.",
            )
        })?;
        self.put(&path, text);
        Ok(())
    }

    /// Files somebody else has changed on disk since they were begun here.
    pub fn clashes(&self) -> Vec<String> {
        let clash = |(path, sheet): &(&String, &Sheet)| {
            self.on_disk(path).as_deref().map(hash) != sheet.under
        };
        let found = self.sheets.iter().filter(clash);
        found.map(|(path, _)| path.clone()).collect()
    }

    /// After a look at the disk: values that were set are set in what others have written since, and what is the same there needs no
    /// sheet any more.
    pub fn tidy_up(&mut self) {
        for path in self.clashes() {
            let Some(theirs) = self.on_disk(&path) else {
                continue;
            };
            let Some(sheet) = self.sheets.get_mut(&path) else {
                continue;
            };
            let Some(set) = &mut sheet.set else { continue };
            if let Some(text) = set.over(&theirs) {
                (sheet.text, sheet.under) = (text, Some(hash(&theirs)));
                set.under = theirs;
                // A step back would take away what they have written.
                self.past.retain(|(other, _)| *other != path);
            }
        }
        let same = |path: &String, sheet: &Sheet, folder: &Folder| {
            folder.read(path).is_ok_and(|there| there == sheet.text)
        };
        let folder = &self.folder;
        self.sheets.retain(|path, sheet| !same(path, sheet, folder));
    }

    /// Of a file that both have changed: `mine` stays, and saving it replaces what is on disk; or what is on disk counts.
    pub fn settle(&mut self, path: &str, mine: bool) {
        if !mine {
            self.sheets.remove(path);
        } else {
            let under = self.on_disk(path).as_deref().map(hash);
            if let Some(sheet) = self.sheets.get_mut(path) {
                (sheet.under, sheet.set) = (under, None);
            }
        }
    }

    /// Puts everything on disk, unless somebody else has changed one of the files.
    pub fn save(&mut self) -> Result<Vec<String>, Refusal> {
        let clashes = self.clashes();
        if !clashes.is_empty() {
            let names = clashes.join(", ");
            return Err(Refusal::new(
                "changed-on-disk",
                format!("Alguien cambió {names} mientras tanto: decide antes qué vale."),
                format!("Somebody has changed {names} meanwhile: say first what counts."),
            ));
        }
        let mut saved = Vec::new();
        while let Some((path, sheet)) = self.sheets.pop_first() {
            let full = self.root.join(&path);
            let before = self.on_disk(&path);
            let made = full.parent().map_or(Ok(()), std::fs::create_dir_all);
            if let Err(error) = made.and_then(|()| keep::write(&full, &sheet.text)) {
                self.sheets.insert(path.clone(), sheet);
                return Err(Refusal::new(
                    "not-kept",
                    format!("{path}: no se pudo escribir: {error}."),
                    format!("{path}: it could not be written: {error}."),
                ));
            }
            // Whoever goes back behind the first change finds what lay there then.
            let begun = |step: &&mut (String, Option<String>)| step.0 == path && step.1.is_none();
            for (_, text) in self.past.iter_mut().filter(begun) {
                text.clone_from(&before);
            }
            saved.push(path);
        }
        Ok(saved)
    }

    /// What would change on disk, file by file.
    pub fn differences(&self) -> Vec<(String, Vec<SourceLine>)> {
        let told = |(path, sheet): (&String, &Sheet)| {
            let there = self.on_disk(path).unwrap_or_default();
            (path.clone(), changes(&there, &sheet.text))
        };
        self.sheets.iter().map(told).collect()
    }
}

fn not_a_file(path: &str) -> Refusal {
    Refusal::new(
        "bad-request",
        format!("«{path}» no es un archivo de un juego."),
        format!("“{path}” is no file of a game."),
    )
}

/// Only what a pack may hold, and nothing outside the folder.
fn may_be_written(path: &str) -> bool {
    let plain = |part: &str| {
        let letter = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
        !part.is_empty() && !part.starts_with('.') && part.chars().all(letter)
    };
    let ending = [".toml", ".rhai", ".md"]
        .iter()
        .any(|end| path.ends_with(end));
    let known = path.starts_with(SCENARIOS) || !matches!(role(path), Role::Unread | Role::With(..));
    path.split('/').all(plain) && ending && known
}

fn hash(text: &str) -> u64 {
    xxh3_64(text.as_bytes())
}

/// What tells a text from any other, as a page sends it back.
pub fn told_apart(text: &str) -> String {
    format!("{:016x}", hash(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_saved_is_taken_back_to_what_lay_there() {
        let root = std::env::temp_dir().join(format!("ludoteca-back-{}", std::process::id()));
        let path = "variants/fort/mine.toml";
        std::fs::create_dir_all(root.join("variants/fort")).expect("a folder");
        std::fs::write(root.join(path), "[set]\n").expect("written");
        let mut desk = Desk::new(root.clone());
        for text in ["[set]\na = 1\n", "[set]\na = 2\n"] {
            assert!(desk.write(path, text.into()).is_ok() && desk.save().is_ok());
        }
        for expected in ["[set]\na = 1\n", "[set]\n"] {
            assert!(desk.undo().is_ok());
            assert_eq!(desk.text(path).as_deref(), Some(expected));
        }
        std::fs::remove_dir_all(&root).expect("gone");
    }

    #[test]
    fn values_are_set_in_what_somebody_else_has_written() {
        let root = std::env::temp_dir().join(format!("ludoteca-two-{}", std::process::id()));
        let path = "variants/fort/mine.toml";
        let folder = root.join("variants/fort");
        std::fs::create_dir_all(&folder).expect("a folder");
        let on_disk = |text: &str| std::fs::write(root.join(path), text).expect("written");
        let begun = "[set]\n\"a\" = 1\n\"b\" = 2\n";
        for (theirs, whole, expected) in [
            // Another value, and a comment.
            (
                "# Theirs.\n[set]\n\"a\" = 1\n\"b\" = 7\n",
                false,
                Some("# Theirs.\n[set]\n\"a\" = 5\n\"b\" = 7\n"),
            ),
            // The same value.
            ("[set]\n\"a\" = 3\n\"b\" = 2\n", false, None),
            // No TOML any more.
            ("[set\n", false, None),
            // More than values was written here.
            ("# Theirs.\n[set]\n\"a\" = 1\n\"b\" = 2\n", true, None),
        ] {
            on_disk(begun);
            let mut desk = Desk::new(root.clone());
            let text = sparse::with(begun, "a", Some("5")).expect("a value");
            let done = desk.write_value(path, text.clone(), ("a", Some("5")));
            assert!(done.is_ok());
            if whole {
                assert!(desk.write(path, format!("{text}# mine\n")).is_ok());
            }
            on_disk(theirs);
            desk.tidy_up();
            let clashes = desk.clashes();
            match expected {
                Some(expected) => {
                    assert_eq!(desk.text(path).as_deref(), Some(expected));
                    assert!(clashes.is_empty() && !desk.can_undo(), "{clashes:?}");
                }
                None => assert_eq!(clashes, [path], "{theirs}"),
            }
        }
        std::fs::remove_dir_all(&root).expect("gone");
    }

    #[test]
    fn steps_of_large_texts_are_forgotten_before_they_fill_the_memory() {
        let root = std::env::temp_dir().join(format!("ludoteca-desk-{}", std::process::id()));
        std::fs::create_dir_all(&root).expect("a folder");
        let mut desk = Desk::new(root.clone());
        let path = "scripts/fort/turn.rhai";
        let large = "x".repeat(LONGEST - 10);
        let kept = LARGEST_PAST / LONGEST;
        for n in 0..2 * kept {
            let written = desk.write(path, format!("{large}{n}"));
            assert!(written.is_ok());
        }
        let mut undone = 0;
        while desk.undo().is_ok() {
            undone += 1;
        }
        assert_eq!(undone, kept);
        let last = desk.text(path).expect("it is still being written");
        assert_eq!(last, format!("{large}{}", kept - 1));
        // Small ones are as many as ever.
        for n in 0..2 * STEPS {
            assert!(desk.write(path, n.to_string()).is_ok());
        }
        assert_eq!(desk.past.len(), STEPS);
        std::fs::remove_dir_all(&root).expect("gone");
    }
}
