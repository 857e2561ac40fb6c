//! Saved matches, as commands read them.

use crate::output::Failure;
use ludoteca::play::journal::{self, JournalError};
use ludoteca::play::transcript::Transcript;
use std::path::Path;

/// Reads a saved match.
pub fn read(path: &Path) -> Result<Transcript, Failure> {
    journal::read(path).map_err(|error| {
        let message = format!("{}: {error}", path.display());
        match error {
            JournalError::Io(_) => Failure::Usage(message),
            _ => Failure::Game(message),
        }
    })
}
