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
    #[error("the index has no pack `{0}`")]
    Unknown(String),
    #[error("{0} is published already, with other files; give it a new version")]
    Published(String),
    #[error("{0}")]
    Lock(String),
    #[error("no pack `{0}` is installed")]
    NotInstalled(String),
    #[error("`{name}` cannot be removed: {by} builds on it")]
    Needed { name: String, by: String },
}

impl PackError {
    pub(crate) fn file(path: impl Into<PathBuf>, error: impl std::fmt::Display) -> PackError {
        PackError::File {
            path: path.into(),
            what: error.to_string(),
        }
    }
}

pub type Result<T> = std::result::Result<T, PackError>;
