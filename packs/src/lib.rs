//! Packs by strangers: made into one file, signed, published in an index of plain files, resolved, locked and installed.
//! Everything here works on files; the network is used only where somebody names an address, and never while a game is played.

pub mod archive;
pub mod contents;
pub mod fetch;
pub mod index;
pub mod isolate;
pub mod kernel;
pub mod lock;
pub mod resolve;
pub mod serve;
pub mod signature;
pub mod store;
pub mod summary;

use std::path::PathBuf;
use thiserror::Error;

/// Why something about packs cannot be done, said to whoever asked for it.
#[derive(Debug, Error)]
pub enum PackError {
    #[error("{path}: {what}")]
    File { path: PathBuf, what: String },
    #[error("this is not a pack: {0}")]
    NotAPack(String),
    #[error("this file is not a pack: {0}")]
    Archive(#[from] archive::ArchiveError),
    #[error("{0}")]
    Signature(#[from] signature::SignatureError),
    #[error("{0}")]
    Fetch(#[from] fetch::FetchError),
    #[error("{0}")]
    NoSolution(String),
    #[error("the index is damaged: {0}")]
    Index(String),
    #[error("the index has no pack `{name}`{meant}")]
    Unknown {
        name: String,
        /// `; did you mean ..?`, or nothing.
        meant: String,
    },
    #[error("{0} is published already, with other files; give it a new version")]
    Published(String),
    #[error("{0}")]
    Lock(String),
    #[error("no pack `{name}` is installed{meant}")]
    NotInstalled {
        name: String,
        /// `; did you mean ..?`, or nothing.
        meant: String,
    },
    #[error("the files of `{name}` were changed after it was installed{}; add it again", .file.as_ref().map_or(String::new(), |file| format!(": {file}")))]
    Touched {
        name: String,
        /// One of them, if the list of what was installed is still there.
        file: Option<signature::OtherFile>,
    },
    #[error("`{name}` cannot be removed: {by} builds on it")]
    Needed { name: String, by: String },
}

impl PackError {
    /// There is no such pack among those that are installed.
    pub fn not_installed<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> PackError {
        let (name, meant) = (contents::clean(name), suggested(name, known));
        PackError::NotInstalled { name, meant }
    }

    /// There is no such pack among those of an index.
    pub fn unknown<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> PackError {
        let (name, meant) = (contents::clean(name), suggested(name, known));
        PackError::Unknown { name, meant }
    }

    pub(crate) fn file(path: impl Into<PathBuf>, error: impl std::fmt::Display) -> PackError {
        PackError::File {
            path: path.into(),
            what: error.to_string(),
        }
    }
}

/// The end of a sentence that guesses what was meant.
fn suggested<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> String {
    let near = kernel::nearest(name, known);
    near.map_or(String::new(), |near| format!("; did you mean `{near}`?"))
}

pub type Result<T> = std::result::Result<T, PackError>;
