//! A match on disk while it is played: a transcript that only grows. What was noted is on disk before anybody is told that it counts;
//! taking back is a line too.

use super::transcript::{Line, Transcript, TranscriptError};
use crate::keep::{self, Whole};
use crate::limits::LARGEST_SAVE;
use std::fmt::Write as _;
use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Why a match cannot be read, or cannot be kept in a file.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    #[error("there is a file that is no saved match; it was left alone")]
    SomethingElse,
    #[error("another match is being kept there")]
    Taken,
    #[error("this is not a transcript: it has more than {} MiB", LARGEST_SAVE >> 20)]
    TooLarge,
    #[error("this is not a transcript: it is not UTF-8 text")]
    NotText,
    #[error(transparent)]
    Transcript(#[from] TranscriptError),
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// An answer could not be written down, so it does not count.
#[derive(Debug, thiserror::Error)]
#[error("{}: the answer could not be kept: {error}; the file holds every answer before it", path.display())]
pub struct NotKept {
    pub path: PathBuf,
    pub error: io::Error,
}

/// A match that is kept as it is played.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    /// The file that was there before. It stays locked, so that nobody else who has opened it takes it for theirs.
    _former: Option<File>,
    /// How much of the file is whole lines, on disk.
    length: u64,
    /// Whether something that failed may have left half a line behind those.
    torn: bool,
}

impl Journal {
    /// Keeps a match in a file from now on. A saved match that is there is replaced at once and as a whole; any other file is left alone.
    pub fn begin(path: &Path, so_far: &Transcript) -> Result<Journal, JournalError> {
        let former = match path.exists() {
            true => Some(take(path)?),
            false => None,
        };
        let (file, length) = start(path, so_far)?;
        Ok(Journal {
            path: path.to_path_buf(),
            file,
            _former: former,
            length,
            torn: false,
        })
    }

    /// The match is another one now: its rules have been read anew.
    pub fn begin_again(&mut self, so_far: &Transcript) -> Result<(), NotKept> {
        match start(&self.path, so_far) {
            Ok((file, length)) => {
                self._former = Some(std::mem::replace(&mut self.file, file));
                self.length = length;
                Ok(())
            }
            Err(error) => Err(self.not_kept(error)),
        }
    }

    /// Notes answers, and that the match is over. They are on disk when this returns.
    pub fn note(&mut self, answers: &[Line], over: bool) -> Result<(), NotKept> {
        let mut text = String::new();
        for line in answers {
            let _ = writeln!(text, "{line}");
        }
        if over {
            text.push_str("end\n");
        }
        self.append(&text)
    }

    /// Takes back the last answers.
    pub fn undo(&mut self, answers: usize) -> Result<(), NotKept> {
        self.append(&format!("undo {answers}\n"))
    }

    fn append(&mut self, text: &str) -> Result<(), NotKept> {
        if text.is_empty() {
            return Ok(());
        }
        match self.try_append(text) {
            Ok(()) => Ok(()),
            Err(error) => {
                // Half a line must not stay: it was not acknowledged. If it cannot be removed, readers drop it.
                self.torn = self.file.set_len(self.length).is_err();
                Err(self.not_kept(error))
            }
        }
    }

    fn try_append(&mut self, text: &str) -> io::Result<()> {
        if self.torn {
            self.file.set_len(self.length)?;
            self.torn = false;
        }
        self.file.seek(SeekFrom::Start(self.length))?;
        self.file.write_all(text.as_bytes())?;
        self.file.sync_data()?;
        self.length += text.len() as u64;
        Ok(())
    }

    fn not_kept(&self, error: io::Error) -> NotKept {
        NotKept {
            path: self.path.clone(),
            error,
        }
    }
}

/// A new file with what was played so far, open behind it.
fn start(path: &Path, so_far: &Transcript) -> io::Result<(File, u64)> {
    let text = so_far.to_string();
    let mut whole = Whole::begin(path)?;
    whole.write_all(text.as_bytes())?;
    Ok((whole.finish()?, text.len() as u64))
}

/// Makes sure that a file is a saved match, or empty, and nobody else's.
fn take(path: &Path) -> Result<File, JournalError> {
    let mut file = keep::open(path)?;
    let mut beginning = Vec::new();
    Read::by_ref(&mut file)
        .take(Transcript::TITLE.len() as u64)
        .read_to_end(&mut beginning)?;
    if !beginning.is_empty() && beginning != Transcript::TITLE.as_bytes() {
        return Err(JournalError::SomethingElse);
    }
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(JournalError::Taken),
        // Where files cannot be locked, people have to look out themselves.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(file),
    }
}

/// Saves a match as it stands now, as a whole.
pub fn save(path: &Path, transcript: &Transcript) -> Result<(), JournalError> {
    Journal::begin(path, transcript).map(drop)
}

/// Reads a saved match. What was being written when somebody stopped is dropped.
pub fn read(path: &Path) -> Result<Transcript, JournalError> {
    let mut bytes = Vec::new();
    let file = keep::open(path)?;
    file.take(LARGEST_SAVE + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST_SAVE {
        return Err(JournalError::TooLarge);
    }
    // After a power cut a file may be longer than what was written into it: the rest is zeros, which no transcript has.
    if let Some(end) = bytes.iter().position(|&byte| byte == 0) {
        bytes.truncate(end);
    }
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            // A letter may be torn as well, but only in the last line.
            let whole = error.utf8_error().valid_up_to();
            let bytes = error.into_bytes();
            if bytes[whole..].contains(&b'\n') {
                return Err(JournalError::NotText);
            }
            String::from_utf8_lossy(&bytes).into_owned()
        }
    };
    Ok(Transcript::parse(&text)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn path(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("ludoteca-journal-{}-{name}", std::process::id()))
    }

    fn line(key: &str) -> Line {
        Line {
            seat: 0,
            prompt: "take".into(),
            keys: vec![key.into()],
        }
    }

    fn begun() -> Transcript {
        Transcript {
            game: "heap".into(),
            players: 1,
            lines: vec![line("1")],
            ..Transcript::default()
        }
    }

    #[test]
    fn the_file_is_at_every_moment_what_was_noted() {
        let path = path("grows");
        let mut journal = Journal::begin(&path, &begun()).unwrap();
        let answers = |path: &Path| {
            let read = read(path).unwrap();
            let keys = read.lines.iter().map(|line| line.keys.concat());
            (keys.collect::<Vec<_>>().join(" "), read.over)
        };
        assert_eq!(answers(&path), ("1".into(), false));
        journal.note(&[line("ñ"), line("3")], false).unwrap();
        assert_eq!(answers(&path), ("1 ñ 3".into(), false));
        journal.undo(2).unwrap();
        assert_eq!(answers(&path), ("1".into(), false));
        journal.note(&[line("4")], true).unwrap();
        assert_eq!(answers(&path), ("1 4".into(), true));
        fs::remove_file(path).unwrap();
    }

    #[test]
    fn a_file_cut_anywhere_gives_the_lines_that_are_whole() {
        let path = path("cut");
        let mut journal = Journal::begin(&path, &begun()).unwrap();
        let header = fs::read(&path).unwrap().len();
        journal.note(&[line("ñandú"), line("3")], false).unwrap();
        let whole = fs::read(&path).unwrap();
        drop(journal);
        for cut in header..=whole.len() {
            for zeros in [0, 7] {
                let mut bytes = whole[..cut].to_vec();
                bytes.resize(cut + zeros, 0);
                fs::write(&path, &bytes).unwrap();
                let noted = whole[header..cut].iter().filter(|&&b| b == b'\n').count();
                assert_eq!(read(&path).unwrap().lines.len(), 1 + noted, "cut at {cut}");
            }
        }
        fs::remove_file(path).unwrap();
    }

    #[test]
    fn two_matches_are_not_kept_in_one_file_and_other_files_are_left_alone() {
        let path = path("taken");
        fs::write(&path, "a letter").unwrap();
        let refused = Journal::begin(&path, &begun());
        assert!(matches!(refused, Err(JournalError::SomethingElse)));
        assert_eq!(fs::read_to_string(&path).unwrap(), "a letter");
        fs::remove_file(&path).unwrap();
        let mut first = Journal::begin(&path, &begun()).unwrap();
        first.begin_again(&begun()).unwrap();
        let refused = Journal::begin(&path, &begun());
        assert!(matches!(refused, Err(JournalError::Taken)));
        drop(first);
        Journal::begin(&path, &begun()).unwrap();
        #[cfg(unix)]
        {
            // A device keeps nothing, and a pipe would be waited for.
            let refused = Journal::begin(Path::new("/dev/null"), &begun());
            assert!(matches!(refused, Err(JournalError::Io(_))));
        }
        fs::remove_file(path).unwrap();
    }
}
