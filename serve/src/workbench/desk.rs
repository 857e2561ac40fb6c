//! The desk: texts of the folder's files as they would be saved, over what lies on disk. Nothing is overwritten that somebody else wrote
//! meanwhile.

use super::lines::{SourceLine, changes};
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
                self.sheets.insert(path.into(), Sheet { text, under });
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

    /// After a look at the disk: what is the same there needs no sheet any more.
    pub fn tidy_up(&mut self) {
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
                sheet.under = under;
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
            let made = full.parent().map_or(Ok(()), std::fs::create_dir_all);
            if let Err(error) = made.and_then(|()| keep::write(&full, &sheet.text)) {
                self.sheets.insert(path.clone(), sheet);
                return Err(Refusal::new(
                    "not-kept",
                    format!("{path}: no se pudo escribir: {error}."),
                    format!("{path}: it could not be written: {error}."),
                ));
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
