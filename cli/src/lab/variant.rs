//! Settings a search found, as a variant ready to use.

use crate::output::{Failure, Outcome, errln, unwritable};
use ludoteca::keep;
use ludoteca_lab::record::Header;
use std::fmt::Write;
use std::path::Path;

/// A file that will be a variant ends in `.toml`, and its folder is there.
pub fn check(path: &Path) -> Outcome {
    let wrong = |message: &str| Err(Failure::Usage(format!("{}: {message}", path.display())));
    if path.extension().is_none_or(|ending| ending != "toml") {
        return wrong("a variant is a file .toml");
    }
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    if folder.is_some_and(|folder| !folder.is_dir()) {
        return wrong("there is no such folder");
    }
    Ok(())
}

/// Writes what differs from the game as it was. What is already so is left out: a variant that changes nothing is a mistake.
pub fn write(path: &Path, settings: &[(String, i64, i64)], goal: &str, header: &Header) -> Outcome {
    let mut text = String::new();
    let changed: Vec<_> = settings
        .iter()
        .filter(|(_, before, after)| before != after)
        .collect();
    if changed.is_empty() {
        errln!("the best settings found are those the game has: no variant is written");
        return Ok(());
    }
    let name = path
        .file_stem()
        .and_then(|stem| stem.to_str())
        .unwrap_or("tuned");
    let quoted = |text: String| serde_json::Value::from(text).to_string();
    let bots = header.bots_named();
    let lines = [
        "#:schema ../../schemas/variant.json".to_string(),
        format!("title = {{ es = {0}, en = {0} }}", quoted(name.to_string())),
        format!(
            "summary = {{ es = {}, en = {} }}",
            quoted(format!("Ajustada con {bots} para: {goal}")),
            quoted(format!("Tuned with {bots} for: {goal}"))
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
    keep::write(path, text).map_err(|error| unwritable(path, &error))?;
    errln!("written to {}", path.display());
    Ok(())
}
