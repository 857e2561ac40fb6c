//! What the tests share: the repository's content, and games ready to play.

use ludoteca::content::diagnostic::render_all;
use ludoteca::content::library::{Library, Selection};
use ludoteca::content::pack::PackSource;
use ludoteca::content::source::Folder;
use ludoteca::script::load;
use ludoteca::table::game::Game;
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
    load::load(library, id, selection)
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
