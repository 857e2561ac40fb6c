//! Files that survive: a file is the old one or the new one, never half of either, whenever the process or the machine stops. And files
//! that somebody names: they are plain, and no larger than what they are for.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use thiserror::Error;

/// The ending of a file that is being written. What a killed process leaves under it is swept away when the same file is written again.
const ENDING: &str = ".new";

/// Files begun by this process: two threads that write the same file do not write into each other's.
static BEGUN: AtomicU32 = AtomicU32::new(0);

/// Why a file that somebody named is not read or written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Unusable {
    #[error("this is not a plain file")]
    NotPlain,
    #[error("it has more than {} MiB", .0 >> 20)]
    TooLarge(u64),
    #[error("nobody reads from this pipe")]
    NobodyReads,
}

/// Opens a file that somebody named. A pipe or a device may have no end, or nothing to give for ever.
pub fn open(path: &Path) -> io::Result<File> {
    let there = fs::metadata(path)?;
    if there.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if !there.is_file() {
        return Err(io::Error::other(Unusable::NotPlain));
    }
    File::open(path)
}

/// All of a file that somebody named, if it has no more than so many bytes.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // It may grow while it is read.
    open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > most {
        true => Err(io::Error::other(Unusable::TooLarge(most))),
        false => Ok(bytes),
    }
}

/// The same of a text.
pub fn read_text(path: &Path, most: u64) -> io::Result<String> {
    let not_text = |_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8 text");
    String::from_utf8(read(path, most)?).map_err(not_text)
}

/// A file being written beside the one it will replace.
#[derive(Debug)]
pub struct Whole {
    /// Where it will stand; what a link points to, not the link.
    path: PathBuf,
    /// Where it is written; none if `path` is no plain file (a pipe, a terminal) and is written straight.
    beside: Option<PathBuf>,
    file: File,
    done: bool,
}

impl Whole {
    /// Begins a file. What is there under its name stays as it is until [`Whole::finish`].
    pub fn begin(path: &Path) -> io::Result<Whole> {
        let there = fs::metadata(path).ok();
        if there.as_ref().is_some_and(|there| there.is_dir()) {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        if there.as_ref().is_some_and(|there| !there.is_file()) {
            return Ok(Whole {
                path: path.to_path_buf(),
                beside: None,
                file: open_straight(path)?,
                done: false,
            });
        }
        let path = match there {
            Some(_) => path.canonicalize()?,
            None => path.to_path_buf(),
        };
        sweep(&path);
        let number = BEGUN.fetch_add(1, Ordering::Relaxed);
        let ending = format!(".{}-{number}{ENDING}", std::process::id());
        let beside = beside(&path, &ending)?;
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(true)
            .open(&beside)?;
        // Whoever sweeps sees that somebody is at work. Where files cannot be locked nothing is swept either.
        let _ = file.try_lock();
        if let Some(there) = there {
            let _ = file.set_permissions(there.permissions());
        }
        Ok(Whole {
            path,
            beside: Some(beside),
            file,
            done: false,
        })
    }

    /// Puts the file in its place, on disk. The open file is handed over for whoever has more to write.
    pub fn finish(mut self) -> io::Result<File> {
        if let Some(beside) = &self.beside {
            self.file.sync_all()?;
            fs::rename(beside, &self.path)?;
            self.done = true;
            sync_folder(&self.path)?;
        }
        self.done = true;
        self.file.try_clone()
    }
}

impl Write for Whole {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for Whole {
    fn drop(&mut self) {
        if let (false, Some(beside)) = (self.done, &self.beside) {
            let _ = fs::remove_file(beside);
        }
    }
}

/// Opens what is no plain file to be written. A pipe that nobody reads from is not waited for.
fn open_straight(path: &Path) -> io::Result<File> {
    #[cfg(unix)]
    {
        use rustix::fs::{OFlags, fcntl_setfl};
        use rustix::io::Errno;
        use std::os::unix::fs::OpenOptionsExt;
        let mut at_once = OpenOptions::new();
        at_once
            .write(true)
            .custom_flags(OFlags::NONBLOCK.bits() as i32);
        let file = at_once.open(path).map_err(|error| {
            let code = error.raw_os_error();
            match code == Some(Errno::NXIO.raw_os_error()) {
                true => io::Error::other(Unusable::NobodyReads),
                false => error,
            }
        })?;
        // Whoever reads may be slow.
        fcntl_setfl(&file, OFlags::empty())?;
        Ok(file)
    }
    #[cfg(not(unix))]
    OpenOptions::new().write(true).open(path)
}

/// Whether a file could be written here: told before somebody works for it. What is there stays as it is, and nothing is left.
pub fn could_write(path: &Path) -> io::Result<()> {
    let there = fs::metadata(path).ok();
    // Whoever reads from a pipe takes its end for the end of everything.
    if there.is_some_and(|there| !there.is_file() && !there.is_dir()) {
        return Ok(());
    }
    let names_folder = path.as_os_str().as_encoded_bytes().ends_with(b"/");
    if names_folder {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    Whole::begin(path).map(drop)
}

/// The same for what nobody but its owner may read.
pub fn write_private(path: &Path, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    let mut whole = Whole::begin(path)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        whole
            .file
            .set_permissions(fs::Permissions::from_mode(0o600))?;
    }
    whole.write_all(bytes.as_ref())?;
    whole.finish().map(drop)
}

/// Writes a whole file.
pub fn write(path: &Path, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    let mut whole = Whole::begin(path)?;
    whole.write_all(bytes.as_ref())?;
    whole.finish().map(drop)
}

/// Makes what was renamed, made or removed in a file's folder last. Only some systems can be asked to.
pub fn sync_folder(path: &Path) -> io::Result<()> {
    if cfg!(unix) {
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}

/// A hidden name in the same folder.
fn beside(path: &Path, ending: &str) -> io::Result<PathBuf> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    let mut hidden = OsString::from(".");
    hidden.push(name);
    hidden.push(ending);
    Ok(path.with_file_name(hidden))
}

/// Removes what killed processes have left of this file: those beside it that nobody holds.
fn sweep(path: &Path) {
    let Ok(first) = beside(path, ".") else { return };
    let (Some(folder), Some(first)) = (first.parent(), first.file_name()) else {
        return;
    };
    let folder = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let number = name
            .as_encoded_bytes()
            .strip_prefix(first.as_encoded_bytes())
            .and_then(|rest| rest.strip_suffix(ENDING.as_bytes()));
        let is_number = |byte: &u8| byte.is_ascii_digit() || *byte == b'-';
        let is_ours = number.is_some_and(|n| !n.is_empty() && n.iter().all(is_number));
        if is_ours
            && let Ok(file) = File::open(entry.path())
            && file.try_lock().is_ok()
        {
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let path =
            std::env::temp_dir().join(format!("ludoteca-keep-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        path
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap().flatten();
        let mut names: Vec<String> = entries
            .map(|entry| entry.file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn the_old_file_stays_until_the_new_one_is_whole() {
        let folder = folder("whole");
        let path = folder.join("page");
        write(&path, "old").unwrap();
        let mut new = Whole::begin(&path).unwrap();
        new.write_all(b"half of the n").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        drop(new);
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(names(&folder), ["page"], "what is given up leaves nothing");
        write(&path, "new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(names(&folder), ["page"]);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn what_somebody_names_is_a_plain_file_of_bearable_size() {
        let folder = folder("named");
        let path = folder.join("page");
        fs::write(&path, "whole").unwrap();
        assert_eq!(read_text(&path, 5).unwrap(), "whole");
        let why = |error: io::Error| *error.get_ref().unwrap().downcast_ref::<Unusable>().unwrap();
        assert_eq!(why(read(&path, 4).unwrap_err()), Unusable::TooLarge(4));
        let of_folder = read(&folder, 5).unwrap_err();
        assert_eq!(of_folder.kind(), io::ErrorKind::IsADirectory);
        #[cfg(unix)]
        {
            assert_eq!(
                why(open(Path::new("/dev/zero")).unwrap_err()),
                Unusable::NotPlain
            );
            let pipe = folder.join("pipe");
            let made = std::process::Command::new("mkfifo").arg(&pipe).status();
            assert!(made.unwrap().success());
            assert_eq!(why(write(&pipe, "x").unwrap_err()), Unusable::NobodyReads);
            let listening = pipe.clone();
            let reader = std::thread::spawn(move || fs::read(listening).unwrap());
            // More than a pipe holds: what is slow to be read is waited for.
            let long = vec![b'x'; 1 << 20];
            while write(&pipe, &long).is_err() {
                std::thread::yield_now();
            }
            assert_eq!(reader.join().unwrap(), long);
        }
        fs::write(&path, b"\xff").unwrap();
        assert_eq!(
            read_text(&path, 5).unwrap_err().kind(),
            io::ErrorKind::InvalidData
        );
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn whether_a_file_could_be_written_changes_nothing() {
        let folder = folder("could");
        let path = folder.join("page");
        could_write(&path).unwrap();
        assert!(names(&folder).is_empty());
        write(&path, "old").unwrap();
        could_write(&path).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        for wrong in [folder.clone(), folder.join("none/page"), path.join("page")] {
            assert!(could_write(&wrong).is_err(), "{}", wrong.display());
        }
        assert_eq!(names(&folder), ["page"]);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn what_the_killed_leave_is_swept_and_the_living_are_not() {
        let folder = folder("sweep");
        for left in [
            ".page.1-0.new",
            ".page.x.new",
            ".pages.1-0.new",
            "page.1-0.new",
        ] {
            fs::write(folder.join(left), "half").unwrap();
        }
        fs::write(folder.join(".page.2-0.new"), "half").unwrap();
        let alive = File::open(folder.join(".page.2-0.new")).unwrap();
        alive.lock().unwrap();
        write(&folder.join("page"), "whole").unwrap();
        assert_eq!(
            names(&folder),
            [
                ".page.2-0.new",
                ".page.x.new",
                ".pages.1-0.new",
                "page",
                "page.1-0.new"
            ]
        );
        fs::remove_dir_all(folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn links_and_rights_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = folder("links");
        let (path, link) = (folder.join("page"), folder.join("link"));
        write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        symlink("page", &link).unwrap();
        write(&link, "new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        let mode = fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
        fs::remove_dir_all(folder).unwrap();
    }
}
