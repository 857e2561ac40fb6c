//! Transcripts on disk.

use crate::output::Failure;
use ludoteca::play::transcript::Transcript;
use std::io::{Error, ErrorKind, Read};
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
    // What is no plain file does not say how large it is.
    let mut bytes = Vec::new();
    std::fs::File::open(path)
        .and_then(|file| file.take(LARGEST + 1).read_to_end(&mut bytes))
        .map_err(|error| Failure::Usage(format!("{}: {error}", path.display())))?;
    if bytes.len() as u64 > LARGEST {
        return Err(named("this is not a transcript: it is too large".into()));
    }
    let text = String::from_utf8(bytes)
        .map_err(|_| named("this is not a transcript: it is not UTF-8 text".into()))?;
    Transcript::parse(&text).map_err(|error| named(error.to_string()))
}

/// Writes a transcript. A file that is something else is left alone.
pub fn write(path: &Path, transcript: &Transcript) -> std::io::Result<()> {
    let mut start = vec![0; Transcript::TITLE.len()];
    let is_other = match std::fs::File::open(path) {
        Ok(mut there) if path.is_file() => {
            let read = there.read(&mut start)?;
            read > 0 && start[..read] != *Transcript::TITLE.as_bytes()
        }
        _ => false,
    };
    if is_other {
        return Err(Error::new(
            ErrorKind::AlreadyExists,
            "there is a file that is no saved match; it was left alone",
        ));
    }
    std::fs::write(path, transcript.to_string())
}
