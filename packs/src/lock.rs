//! `ludoteca.lock`: the packs a folder plays with, so that a team, a server and a test play the same content.

use crate::contents::bearable;
use crate::kernel::{LARGEST_LIST, keep};
use crate::store::Installed;
use crate::{PackError, Result};
use semver::Version;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The file's name.
pub const LOCK: &str = "ludoteca.lock";

/// What a folder plays with.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lock {
    #[serde(default, rename = "pack")]
    pub packs: Vec<Locked>,
}

/// One pack of a lock.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Locked {
    pub name: String,
    pub version: Version,
    pub hash: String,
}

impl Lock {
    pub fn of(installed: &[Installed]) -> Lock {
        let locked = |pack: &Installed| Locked {
            name: pack.name.clone(),
            version: pack.version.clone(),
            hash: pack.hash.clone(),
        };
        Lock {
            packs: installed.iter().map(locked).collect(),
        }
    }

    pub fn read(path: &Path) -> Result<Lock> {
        let bytes = crate::fetch::read(path)?;
        if bytes.len() > LARGEST_LIST {
            let most = LARGEST_LIST >> 20;
            return Err(PackError::file(
                path,
                format!("it has more than {most} MiB"),
            ));
        }
        let text = String::from_utf8(bytes).map_err(|_| PackError::file(path, "it is not text"))?;
        toml::from_str(&text).map_err(|error| PackError::file(path, error.message()))
    }

    pub fn write(&self, folder: &Path) -> Result<PathBuf> {
        let path = folder.join(LOCK);
        let head = "# The packs this folder plays with; written by `ludoteca pack lock`.\n";
        let text = toml::to_string(self).map_err(|error| PackError::file(&path, error))?;
        keep::write(&path, format!("{head}{text}"))
            .map_err(|error| PackError::file(&path, error))?;
        Ok(path)
    }

    /// The packs of the lock among those installed; one sentence for each that is missing or another.
    pub fn pick(
        &self,
        installed: &[Installed],
    ) -> std::result::Result<Vec<Installed>, Vec<String>> {
        let mut found = Vec::new();
        let mut missing = Vec::new();
        for wanted in &self.packs {
            let Locked {
                name,
                version,
                hash,
            } = wanted;
            match installed.iter().find(|pack| pack.name == *name) {
                Some(pack) if pack.hash == *hash => found.push(pack.clone()),
                Some(pack) => missing.push(format!(
                    "the lock wants {name} {version}, and {} is installed{}: `ludoteca pack add {name}@={version}`",
                    pack.version,
                    if pack.version == *version { " with other files" } else { "" },
                )),
                None => missing.push(format!(
                    "the lock wants {name} {version}, which is not installed: `ludoteca pack add {name}@={version}`"
                )),
            }
        }
        match missing.is_empty() {
            true => Ok(found),
            false => Err(bearable(missing)),
        }
    }
}
