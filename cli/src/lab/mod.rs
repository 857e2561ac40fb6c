//! What the commands of the lab share: the plan as typed, the progress bar, Ctrl-C, the table on disk, the tables on the terminal.

pub mod bare;
pub mod points;
pub mod run;
pub mod sink;
pub mod tables;
pub mod variant;

use crate::output::{Failure, Outcome, errln};
use ludoteca::lab::chart::ChartError;
use std::path::Path;

/// Writes a page with pictures.
pub fn write_page(path: &Path, page: Result<String, ChartError>) -> Outcome {
    let failed = |what: String| Failure::Game(format!("{}: {what}", path.display()));
    let page = page.map_err(|error| failed(error.to_string()))?;
    std::fs::write(path, page).map_err(|error| failed(error.to_string()))?;
    errln!("the page is {}", path.display());
    Ok(())
}
