//! Settings a search found, as a variant ready to use.

use crate::output::{Failure, Outcome, errln, unwritable};
use crate::words::{say, word};
use ludoteca::{Language, keep};
use ludoteca_lab::record::Header;
use std::fmt::Write;
use std::path::Path;

/// A file that will be a variant ends in `.toml`; its folder is made when it is written.
pub fn check(path: &Path) -> Outcome {
    let wrong = |message: &str| Err(Failure::Usage(format!("{}: {message}", path.display())));
    if path.extension().is_none_or(|ending| ending != "toml") {
        return wrong(word!(
            "una variante es un archivo .toml",
            "a variant is a file .toml"
        ));
    }
    if path.exists() {
        // A variant is a file of a pack, and nothing else.
        keep::open(path).map_err(|error| unwritable(path, &error))?;
    }
    let folder = path.parent().unwrap_or(path);
    match folder.as_os_str().is_empty() || folder.exists() {
        true => keep::could_write(path).map_err(|error| unwritable(path, &error)),
        false => Ok(()),
    }
}

/// Writes what differs from the game as it was. What is already so is left out: a variant that changes nothing is a mistake.
pub fn write(path: &Path, settings: &[(String, i64, i64)], goal: &str, header: &Header) -> Outcome {
    let mut text = String::new();
    let changed: Vec<_> = settings
        .iter()
        .filter(|(_, before, after)| before != after)
        .collect();
    if changed.is_empty() {
        errln!(
            "{}",
            say!(
                "los mejores ajustes hallados son los que el juego ya tiene: no se escribe ninguna variante",
                "the best settings found are those the game has: no variant is written"
            )
        );
        return Ok(());
    }
    let name = path
        .file_stem()
        .and_then(|stem| stem.to_str())
        .unwrap_or("tuned");
    let quoted = |text: String| serde_json::Value::from(text).to_string();
    let [in_spanish, in_english] = [Language::Es, Language::En].map(|l| header.bots_named(l));
    let lines = [
        "#:schema ../../schemas/variant.json".to_string(),
        format!("title = {{ es = {0}, en = {0} }}", quoted(name.to_string())),
        format!(
            "summary = {{ es = {}, en = {} }}",
            quoted(format!("Ajustada con {in_spanish} para: {goal}")),
            quoted(format!("Tuned with {in_english} for: {goal}"))
        ),
        String::new(),
        "[set]".to_string(),
    ];
    for line in lines {
        let _ = writeln!(text, "{line}");
    }
    for (key, _, after) in changed {
        let _ = writeln!(text, "{} = {after}", quoted(key.clone()));
    }
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder {
        std::fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
    }
    keep::write(path, text).map_err(|error| unwritable(path, &error))?;
    errln!("{}", say!("escrito en {}", "written to {}", path.display()));
    Ok(())
}
