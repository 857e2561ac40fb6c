//! Who made a pack: an author's key signs the list of its files, so that a changed byte is found and named.

use crate::PackError;
use crate::contents::{Contents, clean, hex};
use crate::kernel::keep;
use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::Path;
use thiserror::Error;

/// The last file of a pack file that is signed.
pub const SIGNATURE: &str = "SIGNATURE";
const HEAD: &str = "ludoteca signature 1";

/// An author's key; only its public half is ever given away.
pub struct Key(SigningKey);

/// What is wrong with a signature.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum SignatureError {
    #[error("its signature cannot be read")]
    Unreadable,
    #[error("its signature is not by the key it names: the list of its files was changed")]
    Forged,
    #[error("`{0}` was changed after the pack was signed")]
    Changed(String),
    #[error("`{0}` was added after the pack was signed")]
    Added(String),
    #[error("`{0}` was taken out after the pack was signed")]
    Missing(String),
}

/// A file that is not as a list of files has it.
#[derive(Debug, Clone, Error, PartialEq, Eq)]
pub enum OtherFile {
    #[error("`{0}` was changed")]
    Changed(String),
    #[error("`{0}` was added")]
    Added(String),
    #[error("`{0}` was taken out")]
    Missing(String),
}

impl From<OtherFile> for SignatureError {
    fn from(file: OtherFile) -> SignatureError {
        match file {
            OtherFile::Changed(path) => SignatureError::Changed(path),
            OtherFile::Added(path) => SignatureError::Added(path),
            OtherFile::Missing(path) => SignatureError::Missing(path),
        }
    }
}

/// The public half of a key as people see it.
pub type PublicKey = String;

impl Key {
    pub fn generate() -> Result<Key, PackError> {
        let mut secret = [0; 32];
        getrandom::fill(&mut secret)
            .map_err(|error| PackError::file("the machine's randomness", error))?;
        Ok(Key(SigningKey::from_bytes(&secret)))
    }

    /// The key kept in a file; made, and readable by its owner alone, if there is none.
    pub fn open(path: &Path) -> Result<Key, PackError> {
        match std::fs::read_to_string(path) {
            Ok(text) => {
                let bytes = BASE64.decode(text.trim()).ok();
                let secret = bytes.and_then(|bytes| <[u8; 32]>::try_from(bytes).ok());
                let secret = secret.ok_or_else(|| PackError::file(path, "this is not a key"))?;
                return Ok(Key(SigningKey::from_bytes(&secret)));
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            // A key that cannot be read now is not to be written over.
            Err(error) => return Err(PackError::file(path, error)),
        }
        let key = Key::generate()?;
        let secret = format!("{}\n", BASE64.encode(key.0.to_bytes()));
        path.parent()
            .map_or(Ok(()), std::fs::create_dir_all)
            .and_then(|()| keep::write_private(path, secret.as_bytes()))
            .map_err(|error| PackError::file(path, error))?;
        Ok(key)
    }

    pub fn public(&self) -> PublicKey {
        BASE64.encode(self.0.verifying_key().to_bytes())
    }

    /// The signature of these files, as it lies in the pack file.
    pub fn sign(&self, contents: &Contents) -> String {
        let list = listed(contents);
        let signed = BASE64.encode(self.0.sign(list.as_bytes()).to_bytes());
        format!("{HEAD}\nkey {}\nsigned {signed}\n{list}", self.public())
    }
}

/// Every file with its hash.
pub(crate) fn listed(contents: &Contents) -> String {
    let line = |(path, bytes): (&str, &[u8])| format!("{}  {path}\n", hex(&Sha256::digest(bytes)));
    contents.files().map(line).collect()
}

/// Holds files against their signature; answers with the key that signed them.
pub fn verify(contents: &Contents, signature: &str) -> Result<PublicKey, SignatureError> {
    let mut lines = signature.splitn(4, '\n');
    let (head, key, signed, list) = (lines.next(), lines.next(), lines.next(), lines.next());
    let key = key.and_then(|line| line.strip_prefix("key "));
    let signed = signed.and_then(|line| line.strip_prefix("signed "));
    let (Some(HEAD), Some(key), Some(signed), Some(list)) = (head, key, signed, list) else {
        return Err(SignatureError::Unreadable);
    };
    let public = decoded::<32>(key).and_then(|bytes| VerifyingKey::from_bytes(&bytes).ok());
    let written = decoded::<64>(signed).map(|bytes| Signature::from_bytes(&bytes));
    let (Some(public), Some(written)) = (public, written) else {
        return Err(SignatureError::Unreadable);
    };
    public
        .verify_strict(list.as_bytes(), &written)
        .map_err(|_| SignatureError::Forged)?;
    compare(contents, list)?;
    Ok(key.to_string())
}

fn decoded<const N: usize>(text: &str) -> Option<[u8; N]> {
    BASE64.decode(text).ok()?.try_into().ok()
}

/// What is not as a list of files with their hashes says.
pub(crate) fn compare(contents: &Contents, list: &str) -> Result<(), OtherFile> {
    let signed: BTreeMap<&str, &str> = list
        .lines()
        .filter_map(|line| line.split_once("  "))
        .map(|(hash, path)| (path, hash))
        .collect();
    for (path, bytes) in contents.files() {
        match signed.get(path) {
            None => return Err(OtherFile::Added(clean(path))),
            Some(hash) if **hash != hex(&Sha256::digest(bytes)) => {
                return Err(OtherFile::Changed(clean(path)));
            }
            Some(_) => {}
        }
    }
    match signed.keys().find(|path| contents.get(path).is_none()) {
        Some(path) => Err(OtherFile::Missing(clean(path))),
        None => Ok(()),
    }
}
