//! `ludoteca export`: the files of a game as a folder, to read, or under another name to start a game of one's own from.

use super::new;
use super::show::of_game;
use crate::arguments::Export;
use crate::output::{Failure, Outcome, errln};
use crate::packs;
use crate::words::say;
use ludoteca::Library;
use std::collections::BTreeMap;
use std::path::PathBuf;

pub fn run(content: &[PathBuf], export: &Export) -> Outcome {
    let (library, _) = packs::open(content)?;
    let game = &export.game;
    let games = library.games();
    let Some(info) = games.iter().find(|info| info.id == *game) else {
        let problems = library.load(game, &Default::default()).err();
        crate::output::show(&problems.unwrap_or_default());
        return Err(Failure::Content);
    };
    if let Some(name) = &export.name {
        new::check_name(name)?;
        if games.iter().any(|info| info.id == *name) {
            return Err(Failure::Usage(say!(
                "«{name}» ya existe",
                "`{name}` is taken"
            )));
        }
    }
    let mut drafts: BTreeMap<String, String> = BTreeMap::new();
    let name = export.name.as_ref().unwrap_or(game);
    for file in of_game(&library, game) {
        // The pack that brings the game; what others change in it is theirs.
        let variants = file.path.starts_with("variants/") || file.path.starts_with("tests/");
        if file.from == info.pack || variants {
            drafts.insert(
                renamed(&file.path, game, name),
                rewritten(&file.text, game, name),
            );
        }
    }
    let own = export.name.is_some();
    if own {
        // Libraries come with the packs it stands on: a copy would repeat them.
        drafts.extend(new::pack_files(name));
    } else {
        drafts.extend(libraries(&library, &drafts));
    }
    let count = drafts.len();
    let drafts: Vec<(String, String)> = drafts.into_iter().collect();
    new::write_quietly(&export.dir, &drafts, true)?;
    errln!(
        "{}",
        say!(
            "{count} archivos escritos en {}",
            "wrote {count} files into {}",
            export.dir.display()
        )
    );
    match own {
        true => new::next(&[
            format!("cd {}", export.dir.display()),
            format!("ludoteca check {name}"),
            format!("ludoteca play {name}"),
        ]),
        false => errln!(
            "{}",
            say!(
                "esto es una copia para leer; un cambio de {game} es una variante (`ludoteca new variant {game} NOMBRE`), y un juego propio empieza con `ludoteca export {game} CARPETA --as NOMBRE`",
                "this is a copy to read; a change of {game} is a variant (`ludoteca new variant {game} NAME`), and a game of your own begins with `ludoteca export {game} DIR --as NAME`"
            )
        ),
    }
    Ok(())
}

/// The path of a file of the game under its new name.
fn renamed(path: &str, game: &str, name: &str) -> String {
    let mut parts: Vec<&str> = path.split('/').collect();
    for part in parts.iter_mut().skip(1).filter(|part| **part == game) {
        *part = name;
    }
    parts.join("/")
}

/// Scenarios name their game.
fn rewritten(text: &str, game: &str, name: &str) -> String {
    let line = |line: &str| match line.trim_end() == format!("game = \"{game}\"") {
        true => format!("game = \"{name}\"\n"),
        false => line.to_string(),
    };
    text.split_inclusive('\n').map(line).collect()
}

/// The shared scripts that the exported ones import, and those that these import in turn.
fn libraries(library: &Library, drafts: &BTreeMap<String, String>) -> Vec<(String, String)> {
    let mut wanted: Vec<String> = drafts.values().cloned().collect();
    let mut found: BTreeMap<String, String> = BTreeMap::new();
    while let Some(text) = wanted.pop() {
        for file in library.texts() {
            let name = file
                .path
                .strip_prefix("scripts/")
                .and_then(|path| path.strip_suffix(".rhai"));
            let Some(name) = name.filter(|name| name.starts_with("lib/")) else {
                continue;
            };
            if text.contains(&format!("\"{name}\"")) && !found.contains_key(&file.path) {
                wanted.push(file.text.clone());
                found.insert(file.path.clone(), file.text.clone());
            }
        }
    }
    found.into_iter().collect()
}
