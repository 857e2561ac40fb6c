//! What the commands of the lab share: the plan as typed, the progress bar, Ctrl-C, the table on disk, the tables on the terminal.

pub mod bare;
pub mod run;
pub mod sink;
pub mod tables;
pub mod variant;

use crate::arguments::GameChoice;
use crate::output::{Failure, Outcome, errln, show, unwritable};
use crate::packs;
use ludoteca::keep;
use ludoteca_lab::chart::ChartError;
use ludoteca_lab::points::{Failed, Points};
use std::path::{Path, PathBuf};

/// The game asked for, whose settings will be varied.
pub fn points(content: &[PathBuf], choice: &GameChoice) -> Result<Points, Failure> {
    let (library, _) = packs::open(content)?;
    Ok(Points::new(
        library,
        &choice.game,
        packs::selection(choice)?,
    ))
}

/// What is wrong with content is shown; what broke in a game is said.
pub fn failed(failed: Failed) -> Failure {
    match failed {
        Failed::Content(diagnostics) => {
            show(&diagnostics);
            Failure::Content
        }
        Failed::Game(broken) => Failure::Game(broken.to_string()),
    }
}

/// A page that cannot be written is told before a game is played: its folder must be there.
pub fn check_page(path: Option<&Path>) -> Outcome {
    let folder = path
        .and_then(Path::parent)
        .filter(|folder| !folder.as_os_str().is_empty());
    match (path, folder) {
        (Some(path), Some(folder)) if !folder.is_dir() => Err(Failure::Usage(format!(
            "{}: there is no such folder",
            path.display()
        ))),
        _ => Ok(()),
    }
}

/// Writes a page with pictures.
pub fn write_page(path: &Path, page: Result<String, ChartError>) -> Outcome {
    let failed = |what: String| Failure::Game(format!("{}: {what}", path.display()));
    let page = page.map_err(|error| failed(error.to_string()))?;
    keep::write(path, page).map_err(|error| unwritable(path, &error))?;
    errln!("the page is {}", path.display());
    Ok(())
}
