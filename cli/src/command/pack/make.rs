//! Making, signing and publishing packs.

use super::{failed, store};
use crate::arguments::packs::Build;
use crate::output::{Failure, Outcome, errln, outln, unwritable};
use crate::words::{say, word};
use ludoteca::keep;
use ludoteca_packs::archive::{self, Archive, ENDING};
use ludoteca_packs::contents::Contents;
use ludoteca_packs::signature::Key;
use ludoteca_packs::{PackError, fetch, index};
use std::path::{Path, PathBuf};

/// A pack file, or the folder of a pack.
pub fn read(path: &Path) -> Result<Archive, PackError> {
    if path.is_dir() {
        return Ok(Archive {
            contents: Contents::of_folder(path)?,
            signature: None,
        });
    }
    Ok(archive::read(&fetch::read(path)?)?)
}

fn write(path: &Path, archive: &Archive) -> Outcome {
    let bytes = archive::write(archive).map_err(|error| failed(error.into()))?;
    keep::write(path, bytes).map_err(|error| unwritable(path, &error))
}

pub fn build(build: &Build) -> Outcome {
    let folder = build.folder.clone().unwrap_or_else(|| PathBuf::from("."));
    let mut archive = read(&folder).map_err(failed)?;
    let facts = archive.contents.facts().map_err(failed)?;
    if build.sign {
        let key = Key::open(&store()?.key_path()).map_err(failed)?;
        archive.signature = Some(key.sign(&archive.contents));
    }
    let name = format!("{}-{}{ENDING}", facts.name, facts.version);
    let path = build.out.clone().unwrap_or_else(|| PathBuf::from(name));
    write(&path, &archive)?;
    outln!("{}", path.display());
    errln!(
        "{}",
        say!(
            "{} archivos, huella {}",
            "{} files, hash {}",
            archive.contents.files().count(),
            archive.contents.hash()
        )
    );
    Ok(())
}

pub fn sign(file: &Path) -> Outcome {
    let mut archive = read(file).map_err(failed)?;
    if file.is_dir() {
        return Err(Failure::Usage(say!(
            "una carpeta no se puede firmar; `pack build --sign` hace un archivo firmado",
            "a folder cannot be signed; `pack build --sign` makes a signed file"
        )));
    }
    let key = Key::open(&store()?.key_path()).map_err(failed)?;
    archive.signature = Some(key.sign(&archive.contents));
    write(file, &archive)?;
    errln!("{}", say!("firmado con {}", "signed with {}", key.public()));
    Ok(())
}

pub fn keys() -> Outcome {
    let store = store()?;
    if store.key_path().exists() {
        let key = Key::open(&store.key_path()).map_err(failed)?;
        outln!("{}  {}", word!("tuya", "yours"), key.public());
    }
    for pack in store.installed().map_err(failed)? {
        if let Some(key) = &pack.key {
            outln!("{}  {key}", pack.name);
        }
    }
    Ok(())
}

pub fn publish(folder: &Path, pack: Option<&Path>) -> Outcome {
    let archive = read(pack.unwrap_or(Path::new("."))).map_err(failed)?;
    let path = index::publish(folder, &archive).map_err(failed)?;
    outln!("{}", path.display());
    Ok(())
}
