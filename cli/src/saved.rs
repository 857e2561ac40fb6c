//! Saved matches, as commands read them.

use crate::output::Failure;
use crate::words::{errors::told, say};
use ludoteca::{Transcript, journal, journal::JournalError};
use std::path::Path;

/// Reads a saved match.
pub fn read(path: &Path) -> Result<Transcript, Failure> {
    journal::read(path).map_err(|error| {
        let message = format!("{}: {}", path.display(), told(&error));
        match error {
            JournalError::Io(_) => Failure::Usage(message),
            _ => Failure::Game(message),
        }
    })
}

/// What is said of a file whose last line was being written when somebody stopped.
pub fn torn() -> String {
    say!(
        "la última línea no está entera y se ha dejado",
        "the last line is not whole and was dropped"
    )
}
