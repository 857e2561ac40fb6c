//! Transcripts on disk.

use crate::output::Failure;
use ludoteca::play::transcript::Transcript;
use std::path::Path;

/// Far more than any match; a file must not be able to fill the memory.
const LARGEST: u64 = 64 << 20;

/// Reads a transcript; a torn one is accepted, and says so itself.
pub fn read(path: &Path) -> Result<Transcript, Failure> {
    let named = |message: String| Failure::Game(format!("{}: {message}", path.display()));
    let facts = std::fs::metadata(path)
        .map_err(|error| Failure::Usage(format!("{}: {error}", path.display())))?;
    if facts.len() > LARGEST {
        return Err(named("this is not a transcript: it is too large".into()));
    }
    let bytes = std::fs::read(path)
        .map_err(|error| Failure::Usage(format!("{}: {error}", path.display())))?;
    let text = String::from_utf8(bytes)
        .map_err(|_| named("this is not a transcript: it is not UTF-8 text".into()))?;
    Transcript::parse(&text).map_err(|error| named(error.to_string()))
}
