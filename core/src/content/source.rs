//! The only door to files: a folder, texts built into the binary, or texts in memory.

use super::path::{Role, SCENARIOS, role};
use crate::limits::{DEEPEST_FOLDER, LARGEST_FACTS, LARGEST_FILE, MOST_FILES, MOST_WORDS};
use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use thiserror::Error;

/// Where the files of a pack come from. Paths are relative to the pack and use `/`.
pub trait Source: Send + Sync {
    /// All content files, sorted, but for scenarios.
    fn list(&self) -> Vec<String>;
    /// The files of scenarios, sorted: only those who test and check want them.
    fn scenarios(&self) -> Vec<String> {
        Vec::new()
    }
    fn read(&self, path: &str) -> Result<String, ReadError> {
        text(self.bytes(path)?)
    }
    /// A file as it is: pictures are no text.
    fn bytes(&self, path: &str) -> Result<Vec<u8>, ReadError>;
    /// The folder its files are in, where there is one.
    fn folder(&self) -> Option<&Path> {
        None
    }
    /// Whether it is part of the binary: nobody here writes it.
    fn is_built_in(&self) -> bool {
        false
    }
    /// Whether a file is this text still.
    fn is_text(&self, path: &str, text: &str) -> bool {
        self.read(path).is_ok_and(|read| read == text)
    }
    /// The path as the author would type it.
    fn shown(&self, path: &str) -> String {
        path.to_string()
    }
}

/// Why a file cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ReadError {
    #[error("there is no such file")]
    Missing,
    #[error("it is a link, and links are not followed: a pack holds its own files")]
    Link,
    #[error("it has more than {} MiB", LARGEST_FILE >> 20)]
    TooLarge,
    #[error("it has more than {} KiB", LARGEST_FACTS >> 10)]
    TooLargeForFacts,
    #[error("it has more than {MOST_WORDS} names, values and signs")]
    TooManyWords,
    #[error("it is not UTF-8 text (byte {0} is not part of a character)")]
    NotText(usize),
    #[error("it lies more than {DEEPEST_FOLDER} folders deep")]
    TooDeep,
    #[error("{0}")]
    System(String),
}

/// The name of a folder of packs that another is a letter away from.
fn near_top(name: &str) -> Option<&'static str> {
    let near = |top: &&&str| strsim::damerau_levenshtein(top, name) == 1 && name.len() > 3;
    TOP.iter().find(near).copied()
}

/// The folder a file was meant to be in, if it would mean something there, and means nothing where it is.
pub fn meant_top(path: &str) -> Option<&'static str> {
    let (top, rest) = path.split_once('/')?;
    let meant = near_top(top)?;
    let would_be = format!("{meant}/{rest}");
    let is_content = !matches!(role(&would_be), Role::Unread | Role::Note | Role::With(..));
    is_content.then_some(meant)
}

/// What a pack is made of at its top; everything else in the folder is none of our business.
const TOP: [&str; 8] = [
    "pack.toml",
    "scripts",
    "maps",
    "cards",
    "decks",
    "looks",
    "variants",
    "with",
];

/// A folder on disk. Nothing outside it is ever read.
pub struct Folder {
    root: PathBuf,
}

/// Texts in memory, as tests use them. A file may also be bytes, or be there and fail.
#[derive(Default)]
pub struct Memory {
    prefix: String,
    files: BTreeMap<String, Vec<u8>>,
}

/// A pack built into the binary.
pub struct Embedded {
    /// Path and text of each file, sorted by path.
    files: BuiltInFiles,
    /// The same of its scenarios.
    scenarios: BuiltInFiles,
}

/// Paths and texts that are part of the binary, sorted by path.
pub type BuiltInFiles = &'static [(&'static str, &'static str)];

/// A pack some of whose files are being written: an editor's unsaved texts stand for what lies on disk.
pub struct Edited {
    under: Arc<dyn Source>,
    texts: BTreeMap<String, String>,
}

impl Edited {
    /// Texts by their paths in the pack, over another source.
    pub fn new(under: Arc<dyn Source>, texts: BTreeMap<String, String>) -> Edited {
        Edited { under, texts }
    }

    /// What is there, and what is only being written.
    fn with_new(&self, mut paths: Vec<String>, wanted: impl Fn(&str) -> bool) -> Vec<String> {
        paths.extend(self.texts.keys().filter(|path| wanted(path)).cloned());
        paths.sort();
        paths.dedup();
        paths
    }
}

impl Source for Edited {
    fn list(&self) -> Vec<String> {
        self.with_new(self.under.list(), |path| !path.starts_with(SCENARIOS))
    }

    fn scenarios(&self) -> Vec<String> {
        self.with_new(self.under.scenarios(), |path| path.starts_with(SCENARIOS))
    }

    fn bytes(&self, path: &str) -> Result<Vec<u8>, ReadError> {
        match self.texts.get(path) {
            Some(written) => Ok(written.clone().into_bytes()),
            None => self.under.bytes(path),
        }
    }

    fn is_built_in(&self) -> bool {
        self.under.is_built_in()
    }

    fn shown(&self, path: &str) -> String {
        self.under.shown(path)
    }
}

impl Folder {
    pub fn new(root: impl Into<PathBuf>) -> Folder {
        Folder { root: root.into() }
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Whether the folder looks like a pack.
    pub fn is_pack(&self) -> bool {
        TOP.iter().any(|name| self.root.join(name).exists())
    }

    /// The pack at `root`, or the packs in its folders if it is none itself.
    pub fn find(root: impl Into<PathBuf>) -> std::io::Result<Vec<Folder>> {
        let folder = Folder::new(root);
        let mut children = Vec::new();
        for entry in std::fs::read_dir(&folder.root)? {
            children.push(Folder::new(entry?.path()));
        }
        if folder.is_pack() {
            return Ok(vec![folder]);
        }
        children.retain(Folder::is_pack);
        children.sort_by(|a, b| a.root.cmp(&b.root));
        Ok(children)
    }

    /// All files below a path of this folder, or the file it is, sorted.
    pub fn below(&self, path: &str) -> Vec<String> {
        let mut found = Vec::new();
        self.walk(path.to_string(), 0, &mut found);
        found.sort();
        found.truncate(MOST_FILES + 1);
        found
    }

    /// Folders that are nearly called like one that a pack has.
    fn misspelt_tops(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.root).into_iter().flatten();
        let names = entries
            .flatten()
            .map(|entry| entry.file_name().to_string_lossy().into_owned());
        names.filter(|name| near_top(name).is_some()).collect()
    }

    /// Links, and what cannot be listed, stay in the list, so that reading them says what is wrong.
    fn walk(&self, path: String, depth: usize, found: &mut Vec<String>) {
        let full = self.root.join(&path);
        let Ok(facts) = std::fs::symlink_metadata(&full) else {
            return;
        };
        if !facts.is_dir() || depth > DEEPEST_FOLDER || found.len() > MOST_FILES {
            found.push(path);
            return;
        }
        let Ok(entries) = std::fs::read_dir(&full) else {
            found.push(path);
            return;
        };
        for entry in entries.flatten() {
            if found.len() > MOST_FILES {
                return;
            }
            let name = entry.file_name().to_string_lossy().into_owned();
            if !is_private(&name) {
                let inside = match path.is_empty() {
                    true => name,
                    false => format!("{path}/{name}"),
                };
                self.walk(inside, depth + 1, found);
            }
        }
    }
}

/// Files of editors and version control.
fn is_private(name: &str) -> bool {
    name.starts_with('.') || name.ends_with('~') || name.starts_with('#')
}

impl Source for Folder {
    fn folder(&self) -> Option<&Path> {
        Some(&self.root)
    }

    fn list(&self) -> Vec<String> {
        let mut found = Vec::new();
        for name in TOP {
            self.walk(name.to_string(), 0, &mut found);
        }
        for name in self.misspelt_tops() {
            let known = found.len();
            self.walk(name, 0, &mut found);
            let mut number = 0;
            found.retain(|path| {
                number += 1;
                number <= known || meant_top(path).is_some()
            });
        }
        found.sort();
        found.truncate(MOST_FILES + 1);
        found
    }

    fn scenarios(&self) -> Vec<String> {
        self.below(SCENARIOS.trim_end_matches('/'))
    }

    fn bytes(&self, path: &str) -> Result<Vec<u8>, ReadError> {
        let mut full = self.root.clone();
        let mut facts = None;
        for (depth, part) in path.split('/').enumerate() {
            if matches!(part, "" | "." | "..") || part.contains('\\') {
                return Err(ReadError::Missing);
            }
            if depth > DEEPEST_FOLDER {
                return Err(ReadError::TooDeep);
            }
            full.push(part);
            let found = std::fs::symlink_metadata(&full).map_err(system)?;
            if found.is_symlink() {
                return Err(ReadError::Link);
            }
            facts = Some(found);
        }
        let facts = facts.ok_or(ReadError::Missing)?;
        if facts.is_dir() {
            return Err(ReadError::System("it is a folder".into()));
        }
        if !facts.is_file() {
            return Err(ReadError::System("it is not a plain file".into()));
        }
        if facts.len() > LARGEST_FILE {
            return Err(ReadError::TooLarge);
        }
        let mut bytes = Vec::new();
        let file = std::fs::File::open(&full).map_err(system)?;
        let mut limited = file.take(LARGEST_FILE + 1);
        limited.read_to_end(&mut bytes).map_err(system)?;
        match bytes.len() as u64 > LARGEST_FILE {
            true => Err(ReadError::TooLarge),
            false => Ok(bytes),
        }
    }

    fn shown(&self, path: &str) -> String {
        let full = self.root.join(path);
        let full = full.strip_prefix(".").unwrap_or(&full);
        full.to_string_lossy().replace('\\', "/")
    }
}

impl Memory {
    pub fn new<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Memory {
        let owned = |(path, text): (&str, &str)| (path.to_string(), text.as_bytes().to_vec());
        Memory {
            prefix: String::new(),
            files: files.into_iter().map(owned).collect(),
        }
    }

    /// Shown before each path, to tell packs apart.
    pub fn prefixed(mut self, prefix: &str) -> Memory {
        self.prefix = prefix.to_string();
        self
    }

    pub fn with_bytes(mut self, path: &str, bytes: Vec<u8>) -> Memory {
        self.files.insert(path.to_string(), bytes);
        self
    }
}

impl Source for Memory {
    fn list(&self) -> Vec<String> {
        let content = self
            .files
            .keys()
            .filter(|path| !path.starts_with(SCENARIOS));
        content.cloned().collect()
    }

    fn scenarios(&self) -> Vec<String> {
        let scenarios = self.files.keys().filter(|path| path.starts_with(SCENARIOS));
        scenarios.cloned().collect()
    }

    fn bytes(&self, path: &str) -> Result<Vec<u8>, ReadError> {
        self.files.get(path).cloned().ok_or(ReadError::Missing)
    }

    fn shown(&self, path: &str) -> String {
        format!("{}{path}", self.prefix)
    }
}

impl Embedded {
    /// Files and scenarios by path; the paths are sorted.
    pub const fn new(files: BuiltInFiles, scenarios: BuiltInFiles) -> Embedded {
        Embedded { files, scenarios }
    }
}

impl Source for Embedded {
    fn list(&self) -> Vec<String> {
        let paths = self.files.iter().map(|(path, _)| path.to_string());
        paths.collect()
    }

    fn scenarios(&self) -> Vec<String> {
        let paths = self.scenarios.iter().map(|(path, _)| path.to_string());
        paths.collect()
    }

    fn is_built_in(&self) -> bool {
        true
    }

    fn bytes(&self, path: &str) -> Result<Vec<u8>, ReadError> {
        let files = match path.starts_with(SCENARIOS) {
            true => self.scenarios,
            false => self.files,
        };
        let found = files.binary_search_by_key(&path, |(path, _)| path);
        let at = found.map_err(|_| ReadError::Missing)?;
        Ok(files[at].1.as_bytes().to_vec())
    }
}

fn text(bytes: Vec<u8>) -> Result<String, ReadError> {
    if bytes.len() as u64 > LARGEST_FILE {
        return Err(ReadError::TooLarge);
    }
    let mut text =
        String::from_utf8(bytes).map_err(|e| ReadError::NotText(e.utf8_error().valid_up_to()))?;
    // Some editors begin a file with a mark nobody sees.
    if text.starts_with('\u{feff}') {
        text.remove(0);
    }
    Ok(text)
}

fn system(error: std::io::Error) -> ReadError {
    match error.kind() {
        std::io::ErrorKind::NotFound => ReadError::Missing,
        _ => ReadError::System(error.to_string().to_lowercase()),
    }
}
