//! Files from elsewhere: a folder, or a web server. The network is asked only for an address somebody named, and gives no more than
//! was asked for.

use crate::kernel::{LARGEST_PACK, MOST_REDIRECTS, keep};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;
use thiserror::Error;

/// How long a web server may take for one file.
const PATIENCE: Duration = Duration::from_secs(60);

/// Where plain files are: an index, or a single pack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Whereabouts {
    Folder(PathBuf),
    /// Ends in `/`.
    Web(String),
}

/// Why a file could not be fetched.
#[derive(Debug, Error)]
pub enum FetchError {
    #[error("{0}: there is no such file")]
    Missing(String),
    #[error("{0}: it has more than {most} MiB", most = LARGEST_PACK >> 20)]
    TooLarge(String),
    #[error("{0}: {1}")]
    Failed(String, String),
}

/// Whether somebody named an address of the web.
pub fn is_address(text: &str) -> bool {
    text.starts_with("https://") || text.starts_with("http://")
}

impl Whereabouts {
    /// A folder, or an address.
    pub fn new(text: &str) -> Whereabouts {
        match is_address(text) {
            true => Whereabouts::Web(format!("{}/", text.trim_end_matches('/'))),
            false => Whereabouts::Folder(PathBuf::from(text)),
        }
    }

    /// A file by its path inside.
    pub fn get(&self, path: &str) -> Result<Vec<u8>, FetchError> {
        match self {
            Whereabouts::Folder(root) => read(&root.join(path)),
            Whereabouts::Web(address) => download(&format!("{address}{path}")),
        }
    }

    pub fn shown(&self) -> String {
        match self {
            Whereabouts::Folder(root) => root.display().to_string(),
            Whereabouts::Web(address) => address.clone(),
        }
    }
}

/// A plain file, no larger than a pack.
pub fn read(path: &Path) -> Result<Vec<u8>, FetchError> {
    let shown = path.display().to_string();
    let failed = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => FetchError::Missing(shown.clone()),
        _ => FetchError::Failed(shown.clone(), error.to_string()),
    };
    let file = keep::open(path).map_err(failed)?;
    limited(file, &shown)
}

/// What a web server gives for an address.
pub fn download(address: &str) -> Result<Vec<u8>, FetchError> {
    let agent: ureq::Agent = ureq::Agent::config_builder()
        .timeout_global(Some(PATIENCE))
        .max_redirects(MOST_REDIRECTS)
        .build()
        .into();
    let failed = |what: String| FetchError::Failed(address.to_string(), what);
    let answer = match agent.get(address).call() {
        Err(ureq::Error::StatusCode(404 | 410)) => {
            return Err(FetchError::Missing(address.to_string()));
        }
        answer => answer.map_err(|error| failed(error.to_string()))?,
    };
    limited(answer.into_body().into_reader(), address)
}

fn limited(from: impl Read, shown: &str) -> Result<Vec<u8>, FetchError> {
    let mut bytes = Vec::new();
    from.take(LARGEST_PACK + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| FetchError::Failed(shown.to_string(), error.to_string()))?;
    match bytes.len() as u64 > LARGEST_PACK {
        true => Err(FetchError::TooLarge(shown.to_string())),
        false => Ok(bytes),
    }
}
