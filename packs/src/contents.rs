//! What a pack holds, in memory: files by path, and what `pack.toml` says of them.

use crate::kernel::{
    BASE, DEEPEST_FOLDER, Folder, LARGEST_FACTS, LARGEST_FILE, LARGEST_PACK, MOST_FILES,
    MOST_OF_A_KIND, Memory, Role, SCENARIOS, Source, grouped, illegible_in_a_line, role,
};
use crate::{PackError, Result};
use semver::{Version, VersionReq};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Files of a pack by path, sorted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Contents {
    files: BTreeMap<String, Vec<u8>>,
    /// Their bytes together.
    bytes: u64,
    /// Their paths as a disk knows them that does not tell letters by their size.
    folded: BTreeSet<String>,
}

/// What `pack.toml` says of a pack to those who install it. The kernel reads the same file when the pack is loaded.
#[derive(Debug, Clone, Deserialize)]
pub struct Facts {
    pub name: String,
    pub version: Version,
    #[serde(default)]
    pub authors: Vec<String>,
    #[serde(default)]
    pub licence: String,
    pub kernel: VersionReq,
    #[serde(default)]
    pub builds_on: BTreeMap<String, VersionReq>,
}

/// Pictures a look may use.
const PICTURES: [&str; 5] = [".png", ".jpg", ".jpeg", ".webp", ".svg"];

/// Why a path has no place in a pack; `None` if it has one.
pub fn refused(path: &str) -> Option<&'static str> {
    let parts: Vec<&str> = path.split('/').collect();
    let odd = |part: &&str| {
        part.is_empty()
            || part.starts_with('.')
            || part.ends_with(['.', ' ', '~'])
            || part.len() > 100
    };
    if parts.len() > DEEPEST_FOLDER {
        return Some("it lies too deep");
    }
    if parts.iter().any(odd) {
        return Some("its name is hidden, empty, too long, or leads elsewhere");
    }
    let letter = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
    if !path.chars().all(letter) {
        return Some("its name has other characters than letters, digits, `-`, `_` and `.`");
    }
    let allowed = match role(path) {
        Role::Unread => {
            path.starts_with(SCENARIOS) && (path.ends_with(".toml") || path.ends_with(".md"))
                || path.starts_with("looks/")
                    && (path.ends_with(".toml") || PICTURES.iter().any(|end| path.ends_with(end)))
                || matches!(path, "LICENCE" | "LICENSE" | "LICENCE.txt" | "LICENSE.txt")
        }
        _ => true,
    };
    match allowed {
        true => None,
        false => Some("nothing reads it"),
    }
}

impl Contents {
    /// The files of a folder that belong to a pack; what else lies there is left alone.
    pub fn of_folder(root: &Path) -> Result<Contents> {
        let folder = Folder::new(root);
        if !root.join("pack.toml").is_file() {
            return Err(PackError::NotAPack(format!(
                "{} has no pack.toml",
                root.display()
            )));
        }
        let paths = folder.below("");
        // Of more not all are listed, and `pack.toml` may be among the rest.
        if paths.len() > MOST_FILES {
            return Err(PackError::NotAPack(format!(
                "{} has more than {MOST_FILES} files",
                root.display()
            )));
        }
        Contents::gathered(&folder, paths)
    }

    /// What a match is played with of a pack, wherever it comes from: everything but scenarios.
    pub fn of_source(source: &dyn Source) -> Result<Contents> {
        Contents::gathered(source, source.list())
    }

    fn gathered(source: &dyn Source, paths: Vec<String>) -> Result<Contents> {
        let mut contents = Contents::default();
        for path in paths {
            if refused(&path).is_none() {
                let bytes = source
                    .bytes(&path)
                    .map_err(|error| PackError::file(source.shown(&path), error))?;
                contents.add(path, bytes)?;
            }
        }
        Ok(contents)
    }

    /// The files as the kernel reads them, without a folder.
    pub fn in_memory(&self) -> Memory {
        let files = self.files.iter();
        files.fold(Memory::default(), |memory, (path, bytes)| {
            memory.with_bytes(path, bytes.clone())
        })
    }

    /// Puts a file in; refuses what a pack may not hold.
    pub fn add(&mut self, path: String, bytes: Vec<u8>) -> Result<()> {
        if let Some(why) = refused(&path) {
            return Err(PackError::NotAPack(format!("`{}`: {why}", clean(&path))));
        }
        let whole = self.bytes + bytes.len() as u64;
        if bytes.len() as u64 > LARGEST_FILE || whole > LARGEST_PACK {
            return Err(PackError::NotAPack(format!("`{path}` makes it too large")));
        }
        if self.files.len() >= MOST_FILES {
            return Err(PackError::NotAPack(format!(
                "it has more than {MOST_FILES} files"
            )));
        }
        // Two names that one disk tells apart and another does not would be one file there.
        if !self.folded.insert(path.to_lowercase()) {
            return Err(PackError::NotAPack(format!("`{path}` is there twice")));
        }
        self.bytes = whole;
        self.files.insert(path, bytes);
        Ok(())
    }

    pub fn files(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.files
            .iter()
            .map(|(path, bytes)| (path.as_str(), bytes.as_slice()))
    }

    pub fn get(&self, path: &str) -> Option<&[u8]> {
        self.files.get(path).map(Vec::as_slice)
    }

    /// What `pack.toml` says.
    pub fn facts(&self) -> Result<Facts> {
        let bytes = self
            .get("pack.toml")
            .ok_or_else(|| PackError::NotAPack("it has no pack.toml".into()))?;
        if bytes.len() > LARGEST_FACTS {
            let most = LARGEST_FACTS >> 10;
            return Err(PackError::NotAPack(format!(
                "pack.toml has more than {most} KiB"
            )));
        }
        let text = std::str::from_utf8(bytes)
            .map_err(|_| PackError::NotAPack("pack.toml is not text".into()))?;
        let facts: Facts = toml::from_str(text)
            .map_err(|error| PackError::NotAPack(format!("pack.toml: {}", error.message())))?;
        let others = facts.builds_on.keys();
        let odd = others.into_iter().find(|name| !is_name(name));
        let own = (!is_name(&facts.name) || facts.name == BASE).then_some(&facts.name);
        if let Some(name) = own.or(odd) {
            let name = clean(name);
            return Err(PackError::NotAPack(format!(
                "`{name}` is not a name for a pack"
            )));
        }
        if !is_bearable(&facts.version) {
            let version = clean(&facts.version.to_string());
            return Err(PackError::NotAPack(format!(
                "`{version}` is too long for a version"
            )));
        }
        // Whoever is asked whether to install it reads them among our own words.
        let shown = facts.authors.iter().chain([&facts.licence]);
        if let Some((_, odd)) = shown.filter_map(|text| illegible_in_a_line(text)).next() {
            return Err(PackError::NotAPack(format!(
                "the authors or the licence in pack.toml have the character '{}'",
                odd.escape_default()
            )));
        }
        Ok(facts)
    }

    /// What tells these files from all others: the SHA-256 of every path and every byte.
    pub fn hash(&self) -> String {
        let mut hash = Sha256::new();
        for (path, bytes) in &self.files {
            hash.update((path.len() as u64).to_le_bytes());
            hash.update(path.as_bytes());
            hash.update((bytes.len() as u64).to_le_bytes());
            hash.update(bytes);
        }
        hex(&hash.finalize())
    }
}

/// Names of packs: what a folder and an address can hold everywhere.
pub fn is_name(name: &str) -> bool {
    let letter = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_".contains(c);
    (1..=64).contains(&name.len())
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(letter)
}

/// Versions stand in the names of folders and files, beside the pack's and a hash.
fn is_bearable(version: &Version) -> bool {
    version.to_string().len() <= 64
}

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Lines for people: the first of very many, and how many there are besides.
pub(crate) fn bearable(mut lines: Vec<String>) -> Vec<String> {
    let more = lines.len().saturating_sub(MOST_OF_A_KIND);
    if more > 0 {
        lines.truncate(MOST_OF_A_KIND);
        lines.push(format!("and {} more", grouped(more)));
    }
    lines
}

/// A stranger's words, for a message.
pub(crate) fn clean(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(100).collect()
}
