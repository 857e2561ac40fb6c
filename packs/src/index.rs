//! An index: plain files in a folder, which any web server can give away.
//!
//! ```text
//! NAME/versions.toml          every version, with its hash and what it builds on
//! NAME/NAME-1.0.0.ludo        the pack files
//! ```

use crate::archive::{self, Archive, ENDING};
use crate::contents::{Facts, is_name};
use crate::fetch::{FetchError, Whereabouts};
use crate::kernel::{LARGEST_LIST, MOST_VERSIONS, keep};
use crate::signature::{self, PublicKey};
use crate::{PackError, Result};
use semver::{Version, VersionReq};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What an index says of a pack.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Versions {
    #[serde(default, rename = "version")]
    pub all: Vec<Release>,
}

/// One version of a pack in an index.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Release {
    pub number: Version,
    pub hash: String,
    pub kernel: VersionReq,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<PublicKey>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub builds_on: BTreeMap<String, VersionReq>,
}

fn versions_path(name: &str) -> String {
    format!("{name}/versions.toml")
}

fn file_path(name: &str, version: &Version) -> String {
    format!("{name}/{name}-{version}{ENDING}")
}

/// What an index knows of a pack; nothing if it does not know it.
pub fn versions(place: &Whereabouts, name: &str) -> Result<Versions> {
    if !is_name(name) {
        return Err(PackError::unknown(
            name,
            known(place).iter().map(String::as_str),
        ));
    }
    let bytes = match place.get(&versions_path(name)) {
        Err(FetchError::Missing(_)) => return Ok(Versions::default()),
        found => found?,
    };
    let damaged = |what: String| PackError::Index(format!("{}: {what}", versions_path(name)));
    if bytes.len() > LARGEST_LIST {
        let most = LARGEST_LIST >> 20;
        return Err(damaged(format!("it has more than {most} MiB")));
    }
    let text = String::from_utf8(bytes).map_err(|_| damaged("it is not text".into()))?;
    let versions: Versions = toml::from_str(&text).map_err(|e| damaged(e.message().to_string()))?;
    if versions.all.len() > MOST_VERSIONS {
        return Err(damaged(format!(
            "it lists more than {MOST_VERSIONS} versions"
        )));
    }
    Ok(versions)
}

/// The packs of an index, as far as it can be asked: one at an address lists none.
pub fn known(place: &Whereabouts) -> Vec<String> {
    let Whereabouts::Folder(folder) = place else {
        return Vec::new();
    };
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let listed = |name: &String| is_name(name) && folder.join(versions_path(name)).is_file();
    names.filter(listed).take(MOST_VERSIONS).collect()
}

/// The pack file of a version, which must be what the index says it is.
pub fn download(place: &Whereabouts, name: &str, release: &Release) -> Result<Archive> {
    let path = file_path(name, &release.number);
    let archive = archive::read(&place.get(&path)?)?;
    let facts = archive.contents.facts()?;
    if facts.name != name || facts.version != release.number {
        return Err(PackError::Index(format!(
            "{path} holds {} {}",
            facts.name, facts.version
        )));
    }
    if archive.contents.hash() != release.hash {
        return Err(PackError::Index(format!(
            "{path} is not the file the index was told of"
        )));
    }
    Ok(archive)
}

/// Adds a pack file to an index in a folder. What was published stays as it was.
pub fn publish(folder: &Path, archive: &Archive) -> Result<PathBuf> {
    let facts: Facts = archive.contents.facts()?;
    let key = match &archive.signature {
        Some(signature) => Some(signature::verify(&archive.contents, signature)?),
        None => None,
    };
    let place = Whereabouts::Folder(folder.to_path_buf());
    let mut versions = versions(&place, &facts.name)?;
    let hash = archive.contents.hash();
    if let Some(known) = versions
        .all
        .iter()
        .find(|known| known.number == facts.version)
    {
        if known.hash == hash && known.key == key {
            return Ok(folder.join(file_path(&facts.name, &facts.version)));
        }
        let version = format!("{} {}", facts.name, facts.version);
        return Err(PackError::Published(version));
    }
    let home = folder.join(&facts.name);
    std::fs::create_dir_all(&home).map_err(|error| PackError::file(&home, error))?;
    // The list names a file only when it is there.
    let path = folder.join(file_path(&facts.name, &facts.version));
    keep::write(&path, archive::write(archive)?).map_err(|error| PackError::file(&path, error))?;
    versions.all.push(Release {
        number: facts.version,
        hash,
        kernel: facts.kernel,
        key,
        builds_on: facts.builds_on,
    });
    versions.all.sort_by(|a, b| a.number.cmp(&b.number));
    let list = folder.join(versions_path(&facts.name));
    let text = toml::to_string(&versions).map_err(|error| PackError::file(&list, error))?;
    keep::write(&list, text).map_err(|error| PackError::file(&list, error))?;
    Ok(path)
}

/// Whether an index could have a file of this name.
pub fn is_file_name(file: &str) -> bool {
    file.chars()
        .all(|c| c.is_ascii_alphanumeric() || "-_.+".contains(c))
}
