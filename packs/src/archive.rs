//! A pack as one file: a zip whose bytes depend on nothing but what is in it. Reading one is reading what a stranger sent.

use crate::contents::{Contents, clean, refused};
use crate::kernel::{LARGEST_FILE, LARGEST_PACK, MOST_FILES};
use crate::signature::SIGNATURE;
use std::io::{Cursor, Read, Write};
use thiserror::Error;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipArchive, ZipWriter};

/// The bytes by which an archive ends: a mark, how many files it has, how long their list is and where it begins, and no comment.
const END: usize = 22;

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
    #[error("it has bytes that belong to none of its files")]
    Stuffed,
    #[error("`{0}` does not stand in the order of the paths, the signature last")]
    Disordered(String),
    #[error("`{0}` asks for rights that no file of a pack has")]
    Rights(String),
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
    zip.validate_header_consistency().map_err(damaged)?;
    let listed_at = zip.central_directory_start();
    if !ends_with_its_list(bytes, listed_at) {
        return Err(ArchiveError::Stuffed);
    }
    let mut archive = Archive::default();
    let (files, mut whole, mut end) = (zip.len(), 0, 0);
    let mut last = String::new();
    for number in 0..files {
        let file = zip.by_index(number).map_err(damaged)?;
        let path = file.name().map_err(damaged)?.into_owned();
        // One behind the other, as they are written: what is not looked at here is nowhere.
        if file.header_start() != end {
            return Err(ArchiveError::Stuffed);
        }
        let begins = file.data_start().unwrap_or(end);
        end = begins.saturating_add(file.compressed_size());
        let is_last = path == SIGNATURE && number + 1 == files;
        if !is_last && (path == SIGNATURE || path <= last) {
            return Err(ArchiveError::Disordered(clean(&path)));
        }
        last.clone_from(&path);
        if file.is_dir() {
            continue;
        }
        let plain = file
            .unix_mode()
            .is_none_or(|mode| matches!(mode & 0o170_000, 0 | 0o100_000));
        if file.is_symlink() || !plain {
            return Err(ArchiveError::NotAFile(clean(&path)));
        }
        if (file.external_attributes() >> 16) & 0o7000 != 0 {
            return Err(ArchiveError::Rights(clean(&path)));
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
    match end == listed_at {
        true => Ok(archive),
        false => Err(ArchiveError::Stuffed),
    }
}

/// Whether the list of files, which begins here, is followed by the end of an archive without a comment, and by nothing else.
fn ends_with_its_list(bytes: &[u8], listed_at: u64) -> bool {
    let number = |at: usize| {
        let four = bytes.get(at..at + 4).and_then(|four| four.try_into().ok());
        four.map(u32::from_le_bytes).map(u64::from)
    };
    let Some(end) = bytes.len().checked_sub(END) else {
        return false;
    };
    let (size, begins) = (number(end + 12), number(end + 16));
    bytes[end..].starts_with(b"PK\x05\x06")
        && bytes[end + 20..] == [0, 0]
        && begins == Some(listed_at)
        && size.map(|size| listed_at + size) == Some(end as u64)
}
