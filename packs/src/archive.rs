//! A pack as one file: a zip whose bytes depend on nothing but what is in it. Reading one is reading what a stranger sent.

use crate::contents::{Contents, clean, refused};
use crate::kernel::{LARGEST_FILE, LARGEST_PACK, MOST_FILES};
use crate::signature::SIGNATURE;
use std::io::{Cursor, Read, Write};
use thiserror::Error;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipArchive, ZipWriter};

/// How a pack file ends.
pub const ENDING: &str = ".ludo";

/// A pack and its signature, if it has one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Archive {
    pub contents: Contents,
    pub signature: Option<String>,
}

/// What is wrong with a file that should be a pack.
#[derive(Debug, Error)]
pub enum ArchiveError {
    #[error("it has more than {} MiB", LARGEST_PACK >> 20)]
    TooLarge,
    #[error("it cannot be read: {0}")]
    Damaged(String),
    #[error("it has more than {MOST_FILES} files")]
    TooMany,
    #[error("`{0}` is a link or no plain file")]
    NotAFile(String),
    #[error("`{0}` is encrypted, or packed in a way that is not read here")]
    Packed(String),
    #[error("`{0}` is larger than it says")]
    Lies(String),
    #[error("two of its files have the same name")]
    Doubled,
    #[error("its files lie on top of each other")]
    Overlaps,
    #[error("{0}")]
    Refused(String),
}

/// The bytes of a pack file: in the order of the paths, nothing packed, no times, no owners. The same on every machine.
pub fn write(archive: &Archive) -> Result<Vec<u8>, ArchiveError> {
    written(archive, CompressionMethod::Stored)
}

/// The same packed, for a way on which bytes count: read alike, but its bytes may differ from machine to machine.
pub fn write_packed(archive: &Archive) -> Result<Vec<u8>, ArchiveError> {
    written(archive, CompressionMethod::Deflated)
}

fn written(archive: &Archive, method: CompressionMethod) -> Result<Vec<u8>, ArchiveError> {
    let damaged = |error: zip::result::ZipError| ArchiveError::Damaged(error.to_string());
    let options = SimpleFileOptions::default()
        .compression_method(method)
        .last_modified_time(DateTime::default())
        .unix_permissions(0o644);
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let signature = archive
        .signature
        .as_ref()
        .map(|text| (SIGNATURE, text.as_bytes()));
    for (path, bytes) in archive.contents.files().chain(signature) {
        writer.start_file(path, options).map_err(damaged)?;
        writer
            .write_all(bytes)
            .map_err(|error| ArchiveError::Damaged(error.to_string()))?;
    }
    Ok(writer.finish().map_err(damaged)?.into_inner())
}

/// What a pack file holds. Sizes, ratios, names, links and duplicates are a stranger's: nothing is believed.
pub fn read(bytes: &[u8]) -> Result<Archive, ArchiveError> {
    if bytes.len() as u64 > LARGEST_PACK {
        return Err(ArchiveError::TooLarge);
    }
    let damaged = |error: zip::result::ZipError| ArchiveError::Damaged(error.to_string());
    let mut zip = ZipArchive::new(Cursor::new(bytes)).map_err(damaged)?;
    if zip.len() > MOST_FILES {
        return Err(ArchiveError::TooMany);
    }
    // The reader keeps the last of those that have one name: nobody could say which is meant.
    if zip.metadata().has_duplicate_names() {
        return Err(ArchiveError::Doubled);
    }
    if zip.has_overlapping_files().map_err(damaged)? {
        return Err(ArchiveError::Overlaps);
    }
    let mut archive = Archive::default();
    let mut whole = 0;
    for number in 0..zip.len() {
        let file = zip.by_index(number).map_err(damaged)?;
        let path = file.name().map_err(damaged)?.into_owned();
        if file.is_dir() {
            continue;
        }
        let plain = file
            .unix_mode()
            .is_none_or(|mode| matches!(mode & 0o170_000, 0 | 0o100_000));
        if file.is_symlink() || !plain {
            return Err(ArchiveError::NotAFile(clean(&path)));
        }
        let method = file.compression();
        if file.encrypted()
            || !matches!(
                method,
                CompressionMethod::Stored | CompressionMethod::Deflated
            )
        {
            return Err(ArchiveError::Packed(clean(&path)));
        }
        if path != SIGNATURE
            && let Some(why) = refused(&path)
        {
            return Err(ArchiveError::Refused(format!("`{}`: {why}", clean(&path))));
        }
        let mut inside = Vec::new();
        file.take(LARGEST_FILE + 1)
            .read_to_end(&mut inside)
            .map_err(|error| ArchiveError::Damaged(format!("`{}`: {error}", clean(&path))))?;
        whole += inside.len() as u64;
        if inside.len() as u64 > LARGEST_FILE || whole > LARGEST_PACK {
            return Err(ArchiveError::Lies(clean(&path)));
        }
        if path == SIGNATURE {
            let text = String::from_utf8(inside)
                .map_err(|_| ArchiveError::Damaged("its signature is not text".into()))?;
            archive.signature = Some(text);
            continue;
        }
        let refused = |error: crate::PackError| ArchiveError::Refused(error.to_string());
        archive.contents.add(path, inside).map_err(refused)?;
    }
    Ok(archive)
}
