//! Where packs are installed for this user. A list says what is installed; it is replaced as a whole, and only after the files it
//! names are on disk: whenever the machine stops, the old packs are there or the new ones.

use crate::archive::Archive;
use crate::contents::{Contents, Facts};
use crate::kernel::keep;
use crate::lock::Lock;
use crate::resolve::Present;
use crate::signature::{self, PublicKey};
use crate::{PackError, Result};
use semver::{Version, VersionReq};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

const LIST: &str = "installed.toml";
const PACKS: &str = "packs";
const STAGING: &str = ".staging-";
/// The files of an installed pack, each with its hash; beside them.
const FILES: &str = ".files";

/// A folder with installed packs.
#[derive(Debug, Clone)]
pub struct Store {
    root: PathBuf,
}

/// A pack that is installed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Installed {
    pub name: String,
    pub version: Version,
    pub hash: String,
    /// The key that signed it, if it is signed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<PublicKey>,
    /// The file, folder or index it came from.
    pub from: String,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub builds_on: BTreeMap<String, VersionReq>,
    folder: String,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct List {
    #[serde(default, rename = "pack")]
    packs: Vec<Installed>,
    /// The key each pack was first installed with; it outlives the pack.
    #[serde(default)]
    keys: BTreeMap<String, PublicKey>,
}

/// What is to be thought of a pack's key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trust {
    Unsigned,
    /// No pack of this name was signed before.
    First(PublicKey),
    /// By the key that signed it before.
    Known(PublicKey),
    /// Signed by another key than before, or by none.
    Changed {
        before: PublicKey,
        now: Option<PublicKey>,
    },
}

impl Store {
    pub fn new(root: impl Into<PathBuf>) -> Store {
        Store { root: root.into() }
    }

    /// Where this user's packs are: `LUDOTECA_HOME`, or the system's place for data.
    pub fn of_user() -> Option<Store> {
        let set = |name: &str| {
            std::env::var_os(name)
                .filter(|value| !value.is_empty())
                .map(PathBuf::from)
        };
        let data =
            || set("XDG_DATA_HOME").or_else(|| set("HOME").map(|home| home.join(".local/share")));
        let root = set("LUDOTECA_HOME").or_else(|| {
            let data = match cfg!(windows) {
                true => set("APPDATA"),
                false => data(),
            };
            data.map(|data| data.join("ludoteca"))
        });
        root.map(Store::new)
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The file of the author's key.
    pub fn key_path(&self) -> PathBuf {
        self.root.join("author.key")
    }

    fn list(&self) -> Result<List> {
        let path = self.root.join(LIST);
        match fs::read_to_string(&path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(List::default()),
            Err(error) => Err(PackError::file(&path, error)),
            Ok(text) => {
                toml::from_str(&text).map_err(|error| PackError::file(&path, error.message()))
            }
        }
    }

    fn write(&self, list: &List) -> Result<()> {
        let path = self.root.join(LIST);
        let text = toml::to_string(list).map_err(|error| PackError::file(&path, error))?;
        keep::write(&path, text).map_err(|error| PackError::file(&path, error))
    }

    /// Everything installed, by name.
    pub fn installed(&self) -> Result<Vec<Installed>> {
        Ok(self.list()?.packs)
    }

    /// The folder of an installed pack.
    pub fn folder(&self, pack: &Installed) -> PathBuf {
        self.root.join(PACKS).join(&pack.folder)
    }

    /// What is played with: of a lock exactly what it names, else everything; with the files it was installed with.
    pub fn played_with(&self, lock: Option<&Path>) -> Result<Vec<Installed>> {
        let installed = self.installed()?;
        let picked = match lock {
            None => installed,
            Some(path) => Lock::read(path)?
                .pick(&installed)
                .map_err(|missing| PackError::Lock(missing.join("\n")))?,
        };
        for pack in &picked {
            self.verify(pack)?;
        }
        Ok(picked)
    }

    /// What is installed, as those see it who choose versions.
    pub fn present(&self) -> Result<BTreeMap<String, Present>> {
        let present = |pack: Installed| {
            let there = Present {
                version: pack.version,
                builds_on: pack.builds_on,
            };
            (pack.name, there)
        };
        Ok(self.installed()?.into_iter().map(present).collect())
    }

    /// What the key of a pack says, compared with what was installed under its name before.
    pub fn trust(&self, archive: &Archive) -> Result<Trust> {
        let facts = archive.contents.facts()?;
        let now = match &archive.signature {
            Some(signature) => Some(signature::verify(&archive.contents, signature)?),
            None => None,
        };
        let before = self.list()?.keys.remove(&facts.name);
        Ok(match (before, now) {
            (None, None) => Trust::Unsigned,
            (None, Some(now)) => Trust::First(now),
            (Some(before), Some(now)) if before == now => Trust::Known(now),
            (Some(before), now) => Trust::Changed { before, now },
        })
    }

    /// Installs packs, all of them or none. Whoever calls has asked what there was to ask.
    pub fn install(&self, packs: &[(Archive, String)]) -> Result<Vec<Installed>> {
        let home = self.root.join(PACKS);
        fs::create_dir_all(&home).map_err(|error| PackError::file(&home, error))?;
        let mut list = self.list()?;
        let mut added = Vec::new();
        for (archive, from) in packs {
            let facts = archive.contents.facts()?;
            let key = match &archive.signature {
                Some(signature) => Some(signature::verify(&archive.contents, signature)?),
                None => None,
            };
            let folder = self.stage(&facts, archive)?;
            let pack = Installed {
                hash: archive.contents.hash(),
                name: facts.name.clone(),
                version: facts.version,
                from: from.clone(),
                builds_on: facts.builds_on,
                key: key.clone(),
                folder,
            };
            list.packs.retain(|other| other.name != pack.name);
            list.packs.push(pack.clone());
            match key {
                Some(key) => list.keys.insert(facts.name, key),
                None => list.keys.remove(&facts.name),
            };
            added.push(pack);
        }
        list.packs.sort_by(|a, b| a.name.cmp(&b.name));
        self.write(&list)?;
        self.sweep(&list);
        Ok(added)
    }

    /// Puts the files on disk, under a name of their own.
    fn stage(&self, facts: &Facts, archive: &Archive) -> Result<String> {
        let home = self.root.join(PACKS);
        let name = format!(
            "{}-{}-{}",
            facts.name,
            facts.version,
            &archive.contents.hash()[..16]
        );
        let place = home.join(&name);
        if place.is_dir()
            && Contents::of_folder(&place).is_ok_and(|there| there == archive.contents)
        {
            return Ok(name);
        }
        let staging = home.join(format!("{STAGING}{}-{name}", std::process::id()));
        let failed = |error: std::io::Error| PackError::file(&staging, error);
        let _ = fs::remove_dir_all(&staging);
        for (path, bytes) in archive.contents.files() {
            let full = staging.join(path);
            if let Some(folder) = full.parent() {
                fs::create_dir_all(folder).map_err(failed)?;
            }
            keep::write(&full, bytes).map_err(failed)?;
        }
        // Without a signature it says which file is another one.
        let listed = signature::listed(&archive.contents);
        keep::write(&staging.join(FILES), listed).map_err(failed)?;
        if let Some(signature) = &archive.signature {
            keep::write(&staging.join(signature::SIGNATURE), signature).map_err(failed)?;
        }
        // Damaged or half there: out of the way first.
        if place.exists() {
            fs::remove_dir_all(&place).map_err(failed)?;
        }
        fs::rename(&staging, &place).map_err(failed)?;
        keep::sync_folder(&place).map_err(failed)?;
        Ok(name)
    }

    /// Takes a pack away, unless another builds on it.
    pub fn remove(&self, name: &str) -> Result<Installed> {
        let mut list = self.list()?;
        let Some(at) = list.packs.iter().position(|pack| pack.name == name) else {
            let known = list.packs.iter().map(|pack| pack.name.as_str());
            return Err(PackError::not_installed(name, known));
        };
        if let Some(other) = list
            .packs
            .iter()
            .find(|pack| pack.builds_on.contains_key(name))
        {
            return Err(PackError::Needed {
                name: name.to_string(),
                by: other.name.clone(),
            });
        }
        let removed = list.packs.remove(at);
        self.write(&list)?;
        self.sweep(&list);
        Ok(removed)
    }

    /// Holds the files of an installed pack against its hash.
    pub fn verify(&self, pack: &Installed) -> Result<()> {
        let contents = Contents::of_folder(&self.folder(pack))?;
        if contents.hash() == pack.hash {
            return Ok(());
        }
        let path = self.folder(pack).join(signature::SIGNATURE);
        if let Ok(signature) = fs::read_to_string(&path) {
            signature::verify(&contents, &signature)?;
        }
        let name = pack.name.clone();
        let path = self.folder(pack).join(FILES);
        let list = fs::read_to_string(&path).unwrap_or_default();
        let differs = || signature::compare(&contents, &list).err();
        let file = (!list.is_empty()).then(differs).flatten();
        Err(PackError::Touched { name, file })
    }

    /// What no list names any more, and what those who were stopped left behind.
    fn sweep(&self, list: &List) {
        let Ok(entries) = fs::read_dir(self.root.join(PACKS)) else {
            return;
        };
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if !list.packs.iter().any(|pack| pack.folder == name) {
                let _ = fs::remove_dir_all(entry.path());
            }
        }
    }
}
