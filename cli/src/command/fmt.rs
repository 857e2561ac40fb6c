//! `ludoteca fmt`: files written as they should be, or a list of those that are not.

use crate::arguments::Fmt;
use crate::output::{Failure, Outcome, errln, outln, unwritable};
use crate::packs;
use crate::words::{counted, errors::told, say};
use ludoteca::limits::LARGEST_FILE;
use ludoteca::{Folder, NotFormatted, Source, format, keep};
use std::path::{Path, PathBuf};

pub fn run(fmt: &Fmt) -> Outcome {
    let (mut seen, mut changed, mut broken) = (0, 0, 0);
    for path in files(&fmt.paths)? {
        let text = keep::read_text(&path, LARGEST_FILE)
            .map_err(|error| Failure::Game(format!("{}: {}", path.display(), told(&error))))?;
        seen += 1;
        match format(&path.to_string_lossy(), &text) {
            Ok(new) if new == text => {}
            Ok(new) => {
                changed += 1;
                outln!("{}", path.display());
                if !fmt.check {
                    keep::write(&path, &new).map_err(|error| unwritable(&path, &error))?;
                }
            }
            Err(why) => {
                broken += 1;
                errln!("{}: {why}", path.display());
            }
        }
    }
    let files = counted(seen, ["archivo", "archivos", "file", "files"]);
    errln!(
        "{}",
        match fmt.check {
            true => say!(
                "{files} a la vista, {changed} sin ordenar",
                "{files} looked at, {changed} not in order"
            ),
            false => say!(
                "{files} a la vista, {changed} ordenados",
                "{files} looked at, {changed} put in order"
            ),
        }
    );
    match broken > 0 || (fmt.check && changed > 0) {
        true => Err(Failure::Content),
        false => Ok(()),
    }
}

/// The files of rules and content below some paths.
fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut found = Vec::new();
    if paths.is_empty() {
        let home = packs::home_folder().ok_or_else(|| {
            Failure::Usage(say!(
                "esto no es un paquete: nombra archivos o carpetas",
                "this is no pack: name files or folders"
            ))
        })?;
        let folder = Folder::new(&home);
        let all = folder.list().into_iter().chain(folder.scenarios());
        found.extend(all.map(|path| home.join(path)));
        if let Some(shelf) = packs::shelf() {
            let folder = Folder::new(&shelf);
            let all = folder.list().into_iter().chain(folder.scenarios());
            found.extend(all.map(|path| shelf.join(path)));
        }
    }
    for path in paths {
        match path.is_dir() {
            true => {
                let below = Folder::new(path).below("");
                found.extend(below.into_iter().map(|inside| path.join(inside)));
            }
            false if path.is_file() && !is_ours(path) => {
                let why = NotFormatted::OtherFile;
                return Err(Failure::Usage(format!("{}: {why}", path.display())));
            }
            false if path.is_file() => found.push(path.clone()),
            false if path.symlink_metadata().is_ok() => {
                return Err(Failure::Usage(say!(
                    "{}: no es un archivo corriente ni una carpeta",
                    "{}: it is neither a plain file nor a folder",
                    path.display()
                )));
            }
            false => {
                return Err(Failure::Usage(say!(
                    "{}: no hay tal archivo ni carpeta",
                    "{}: there is no such file or folder",
                    path.display()
                )));
            }
        }
    }
    found.retain(|path| is_ours(path));
    Ok(found)
}

fn is_ours(path: &Path) -> bool {
    matches!(
        path.extension().and_then(|e| e.to_str()),
        Some("toml" | "rhai")
    )
}
