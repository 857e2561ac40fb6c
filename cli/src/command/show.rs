//! `ludoteca show`: a file of the content, as it is read, wherever it lies: also those that are built into the command.

use crate::arguments::Show;
use crate::output::{Failure, Outcome, errln, outln, write_out};
use crate::packs;
use crate::words::{say, word};
use ludoteca::{File, Library, nearest};
use std::path::PathBuf;
use std::sync::Arc;

pub fn run(content: &[PathBuf], show: &Show) -> Outcome {
    let (library, _) = packs::open(content)?;
    let wanted = show.file.trim_start_matches("./");
    if library.games().iter().any(|game| game.id == wanted) {
        for file in of_game(&library, wanted) {
            outln!("{}", file.shown);
        }
        errln!(
            "{}",
            word!(
                "`ludoteca show ARCHIVO` muestra uno",
                "`ludoteca show FILE` shows one of them"
            )
        );
        return Ok(());
    }
    let files: Vec<Arc<File>> = all(&library);
    // The last layer is the one that counts.
    let found = files
        .iter()
        .rev()
        .find(|file| file.shown == wanted || file.path == wanted);
    match found {
        Some(file) => {
            write_out(format_args!("{}", file.text));
            Ok(())
        }
        None => {
            let names: Vec<&str> = files.iter().map(|file| file.shown.as_str()).collect();
            let ending = |name: &&&str| name.ends_with(&format!("/{wanted}"));
            let near = names.iter().find(ending).copied();
            let hint = match near.or_else(|| nearest(wanted, names.iter().copied())) {
                Some(near) => say!("¿quizá «{near}»?", "did you mean `{near}`?"),
                None => say!(
                    "`ludoteca show JUEGO` muestra los archivos de un juego",
                    "`ludoteca show GAME` lists the files of a game"
                ),
            };
            Err(Failure::Game(say!(
                "no hay ningún archivo «{wanted}»; {hint}",
                "there is no file `{wanted}`; {hint}"
            )))
        }
    }
}

/// Every file that can be shown.
fn all(library: &Library) -> Vec<Arc<File>> {
    let scenarios = library.scenarios(None).into_iter().map(|item| item.file);
    library.texts().cloned().chain(scenarios).collect()
}

/// The files of one game, in the order of their layers.
pub fn of_game(library: &Library, game: &str) -> Vec<Arc<File>> {
    let is_of = |path: &str| {
        let path = path.strip_prefix("tests/").unwrap_or(path);
        path.split('/').nth(1) == Some(game)
    };
    let files = all(library).into_iter();
    files.filter(|file| is_of(&file.path)).collect()
}
