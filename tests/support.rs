//! What the tests share: the repository's content, and games ready to play.

use ludoteca::{Folder, Game, Library, Memory, PackSource, Selection, load, render_all};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The content of this repository.
pub fn library() -> Library {
    Library::open(&[PackSource::new("base", Folder::new(root()))]).0
}

/// A game of this repository; panics with what is wrong with it.
pub fn game(library: &Library, id: &str, selection: &Selection) -> Arc<Game> {
    load(library, id, selection)
        .unwrap_or_else(|problems| panic!("{id}:\n{}", render_all(&problems, false)))
}

/// Every game, by id.
pub fn games() -> Vec<Arc<Game>> {
    let library = library();
    let ids: Vec<String> = library.games().into_iter().map(|info| info.id).collect();
    ids.iter()
        .map(|id| game(&library, id, &Selection::default()))
        .collect()
}

/// Every game there is to play: those of this repository, the shelf, and those of packs that bring games of their own.
pub fn shelf() -> Vec<Arc<Game>> {
    let mut sources = vec![PackSource::new("base", Folder::new(root()))];
    for pack in ["classics", "packs/genres", "packs/tide"] {
        let folder = root().join("examples").join(pack);
        sources.extend(PackSource::folder(&folder).expect("a pack"));
    }
    let library = Library::open(&sources).0;
    let ids: Vec<String> = library.games().into_iter().map(|info| info.id).collect();
    ids.iter()
        .map(|id| game(&library, id, &Selection::default()))
        .collect()
}

/// All files with this ending below a folder, sorted.
pub fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files(&path, ending));
        } else if path
            .extension()
            .is_some_and(|extension| extension == ending)
        {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// A small game, for two unless its manifest says otherwise, without any opinion: all a search knows of it are the rules.
pub fn small(manifest: &str, rules: &str, texts: &str) -> Arc<Game> {
    small_with(manifest, rules, texts, &[])
}

/// The same with more files, such as cards.
pub fn small_with(
    manifest: &str,
    rules: &str,
    texts: &str,
    more: &[(&'static str, &str)],
) -> Arc<Game> {
    let players = match manifest.contains("players =") {
        true => "",
        false => "players = [2, 2]\n",
    };
    let manifest = format!(
        r#"version = "1.0.0"
title = {{ es = "Juego", en = "Game" }}
summary = {{ es = "Pequeño.", en = "Small." }}
{players}{manifest}"#
    );
    let files = [
        ("scripts/small/game.toml", manifest.as_str()),
        ("scripts/small/rules.rhai", rules),
        ("cards/small/text.toml", texts),
    ];
    let files = files.iter().chain(more).copied();
    let (library, _) = Library::open(&[PackSource::new("base", Memory::new(files))]);
    game(&library, "small", &Selection::default())
}

/// Its texts, where all it asks is which.
pub const PICK: &str = "[prompt]\npick = { es = \"¿Cuál?\", en = \"Which?\" }\n[option]\nheads = { es = \"cara\", en = \"heads\" }\ntails = { es = \"cruz\", en = \"tails\" }\n[reason]\ndone = { es = \"Fin\", en = \"Over\" }\n";
