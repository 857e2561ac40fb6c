//! What the commands of the lab share: the plan as typed, the progress bar, Ctrl-C, the table on disk, the tables on the terminal.

pub mod bare;
pub mod points;
pub mod run;
pub mod sink;
pub mod tables;
pub mod variant;

use crate::output::{Failure, Outcome, errln, unwritable};
use ludoteca::keep;
use ludoteca_lab::chart::ChartError;
use std::path::Path;

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
