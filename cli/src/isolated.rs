//! `check` in a process of its own, for packs nobody knows yet.

use crate::output::{Failure, Outcome, errln, in_colours, write_err, write_out};
use crate::words::{errors::told, say, word};
use ludoteca::{Folder, Source};
use ludoteca_packs::archive::Archive;
use ludoteca_packs::isolate::{self, ProcessEnd};
use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, ErrorKind, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

/// Folders for packs that are looked at; gone with it.
pub struct Staging {
    root: PathBuf,
    /// Each with what its files are called when something is said of them.
    unpacked: Vec<(PathBuf, String)>,
    /// Locked as long as this process lives.
    _owner: File,
}

impl Staging {
    pub fn new() -> Result<Staging, Failure> {
        let folder = std::env::temp_dir();
        sweep(&folder, SystemTime::now());
        let mut names = (0..TRIED_NAMES).map(|n| format!("{LOOK}{}-{n}", std::process::id()));
        loop {
            let root = folder.join(names.next().unwrap_or_default());
            let made = std::fs::create_dir(&root);
            match made.and_then(|()| owned(&root)) {
                Ok(owner) => {
                    return Ok(Staging {
                        root,
                        unpacked: Vec::new(),
                        _owner: owner,
                    });
                }
                // One that was killed may have had this number.
                Err(error) if error.kind() == ErrorKind::AlreadyExists && names.len() > 0 => {}
                Err(error) => {
                    let message = format!("{}: {}", root.display(), told(&error));
                    return Err(Failure::Game(message));
                }
            }
        }
    }

    /// The files of a pack, in a folder. What is said of them names the pack, or the place it came from.
    pub fn unpack(&mut self, archive: &Archive, called: &str) -> Outcome {
        let folder = self.root.join(self.unpacked.len().to_string());
        for (path, bytes) in archive.contents.files() {
            let full = folder.join(path);
            let made = full.parent().map_or(Ok(()), std::fs::create_dir_all);
            made.and_then(|()| std::fs::write(&full, bytes))
                .map_err(|error| Failure::Game(format!("{}: {}", full.display(), told(&error))))?;
        }
        self.unpacked.push((folder, called.to_string()));
        Ok(())
    }

    /// What was said of folders that are gone in a moment, as people can look it up.
    fn lasting(&self, said: &str) -> String {
        let named = |said: String, (folder, called): &(PathBuf, String)| {
            let folder = folder.display().to_string();
            let below = said.replace(&format!("{folder}/"), &format!("{called}/"));
            below.replace(&folder, called)
        };
        // The tenth is called like the first with a sign behind it.
        self.unpacked.iter().rev().fold(said.to_string(), named)
    }
}

/// The file by which others see that a folder is in use. It has its name only when it is locked, and is let go with the process, however
/// that ends.
fn owned(root: &Path) -> io::Result<File> {
    let waiting = root.join(format!("{OWNER}.new"));
    let file = File::create(&waiting)?;
    file.try_lock()?;
    std::fs::rename(&waiting, root.join(OWNER))?;
    Ok(file)
}

/// How the folders are called, before a number.
const LOOK: &str = "ludoteca-look-";
/// The file in each that is locked.
const OWNER: &str = ".owner";
/// So many names are tried.
const TRIED_NAMES: usize = 100;
/// A look has long ended by then.
const FORGOTTEN: Duration = Duration::from_secs(60 * 60);

/// Takes away what looks have left behind that were killed. What is another user's stays.
fn sweep(folder: &Path, now: SystemTime) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_look = entry.file_name().to_string_lossy().starts_with(LOOK);
        let is_folder = entry.file_type().is_ok_and(|sort| sort.is_dir());
        if is_look && is_folder && is_left(&entry.path(), now) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

/// Whether nobody looks there any more. Who was killed before saying that somebody does may also be about to say it.
fn is_left(root: &Path, now: SystemTime) -> bool {
    let owner = root.join(OWNER);
    let plain = std::fs::symlink_metadata(&owner).is_ok_and(|about| about.is_file());
    if plain && let Ok(owner) = File::open(&owner) {
        return owner.try_lock().is_ok();
    }
    let modified = std::fs::symlink_metadata(root).and_then(|about| about.modified());
    let age = modified.ok().and_then(|then| now.duration_since(then).ok());
    age.is_some_and(|age| age > FORGOTTEN)
}

impl Drop for Staging {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.root);
    }
}

/// Checks packs that were unpacked, over those they build on, in a process that may use little and write nothing; what it says goes
/// to whoever reads here. It stands among them: what lies where the user stands has no say in what is installed.
pub fn check(content: &[PathBuf], beneath: &[PathBuf], staging: &Staging) -> Outcome {
    let mut command = this_command()?;
    command.current_dir(&staging.root);
    let from_anywhere = |folder: &PathBuf| std::path::absolute(folder).unwrap_or(folder.clone());
    for folder in beneath.iter().chain(content).map(from_anywhere) {
        command.arg("--content").arg(folder);
    }
    for (folder, _) in &staging.unpacked {
        command.arg("--content").arg(folder);
    }
    command.args(["check", "--confined"]);
    ended(&mut command, |said| staging.lasting(said))
}

/// The same for what is checked here, with the words it was asked with.
pub fn check_again(content: &[PathBuf], target: Option<&str>, json: bool) -> Outcome {
    let mut command = this_command()?;
    let folder = target.map(PathBuf::from).filter(|path| path.is_dir());
    let named: Vec<PathBuf> = content.iter().cloned().chain(folder).collect();
    for folder in crate::packs::installed_folders(&named)?
        .iter()
        .chain(content)
    {
        command.arg("--content").arg(folder);
    }
    command.args(["check", "--confined"]);
    command.args(target);
    if json {
        command.arg("--json");
    }
    let outcome = ended(&mut command, str::to_string);
    if !json && crate::packs::home().is_none() {
        errln!("{}", crate::packs::whence(&named));
    }
    outcome
}

/// What tells the files below a folder from any others.
pub fn fingerprint(root: &Path) -> u64 {
    let mut told = DefaultHasher::new();
    for folder in Folder::find(root).unwrap_or_default() {
        for path in folder.list() {
            path.hash(&mut told);
            // What cannot be read has no letters; `check` says so.
            folder.bytes(&path).unwrap_or_default().hash(&mut told);
        }
    }
    told.finish()
}

/// Looks at the packs of a folder over those that were let in; why they were stopped, if they were. What is merely wrong with them harms
/// nobody, and is said where they are listed.
pub fn try_out(let_in: &[PathBuf], root: &Path) -> Result<Result<(), String>, Failure> {
    let mut command = this_command()?;
    let mut named = let_in.to_vec();
    named.push(root.to_path_buf());
    for folder in crate::packs::installed_folders(&named)?
        .iter()
        .chain(&named)
    {
        command.arg("--content").arg(folder);
    }
    command.args(["check", "--confined", "--json"]);
    match isolate::run(&mut command).map(|heard| heard.ended) {
        Ok(ProcessEnd::Code(0 | 1)) => Ok(Ok(())),
        Ok(ProcessEnd::Code(code)) => Ok(Err(say!(
            "la mirada acabó con el código {code}",
            "the look at it ended with code {code}"
        ))),
        Ok(ProcessEnd::Stopped(why)) => Ok(Err(told(&why))),
        Err(error) => {
            let why = told(&error);
            Err(Failure::Game(say!(
                "no se puede arrancar ningún proceso: {why}",
                "no process can be started: {why}"
            )))
        }
    }
}

fn this_command() -> Result<Command, Failure> {
    let path = std::env::current_exe().map_err(|error| {
        let why = told(&error);
        Failure::Game(say!(
            "no se encuentra este programa: {why}",
            "this program cannot be found: {why}"
        ))
    })?;
    let mut command = Command::new(path);
    // Nothing of the environment but what says where programs are and how to speak; where packs are installed it need not know.
    command.env_clear();
    for name in ["PATH", "HOME", "NO_COLOR"] {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
    // It speaks into a pipe; who hears it may have a terminal.
    let colours = match in_colours(std::io::stderr().is_terminal()) {
        true => "always",
        false => "never",
    };
    command.args(["--color", colours]);
    let language = word!("es", "en");
    command.env("LUDOTECA_LANG", language);
    Ok(command)
}

/// What it said is said here, as if it had not been a process of its own, in the words of whoever asked for it.
fn ended(command: &mut Command, in_words: impl Fn(&str) -> String) -> Outcome {
    let heard = isolate::run(command).map(|heard| {
        write_out(format_args!("{}", in_words(&heard.out)));
        // Who was stopped in the middle of something speaks to whoever made the program.
        if matches!(heard.ended, ProcessEnd::Code(_)) {
            write_err(format_args!("{}", in_words(&heard.err)));
        }
        heard.ended
    });
    match heard {
        Ok(ProcessEnd::Code(0)) => Ok(()),
        Ok(ProcessEnd::Code(1)) => Err(Failure::Content),
        Ok(ProcessEnd::Code(code)) => Err(Failure::Game(say!(
            "la comprobación acabó con el código {code}",
            "the look at it ended with code {code}"
        ))),
        Ok(ProcessEnd::Stopped(why)) => {
            let why = told(&why);
            Err(Failure::Game(say!(
                "se detuvo el paquete: {why}",
                "the pack was stopped: {why}"
            )))
        }
        Err(error) => Err(Failure::Game(say!(
            "no se puede empezar ningún proceso: {error}",
            "no process can be started: {error}"
        ))),
    }
}

/// Makes this process one that may use little: it reads these folders and the one it stands in, and writes nothing.
pub fn confine(content: &[PathBuf], target: Option<&str>) {
    let mut readable: Vec<PathBuf> = content.to_vec();
    readable.extend(target.map(PathBuf::from).filter(|path| path.is_dir()));
    readable.extend(crate::packs::home_folder());
    // Threads read what the system says of its processors.
    readable.extend([
        Path::new("/proc/self").to_path_buf(),
        PathBuf::from("/sys/fs/cgroup"),
    ]);
    for unconfined in isolate::confine(&readable) {
        errln!(
            "{}",
            say!(
                "no tan aislado como se quería: {unconfined}",
                "not confined as far as wished: {unconfined}"
            )
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_killed_looks_left_behind_goes() {
        let folder = std::env::temp_dir().join(format!("ludoteca-sweep-{}", std::process::id()));
        let [dead, living, begun, others] = [
            "ludoteca-look-1-0",
            "ludoteca-look-2-0",
            "ludoteca-look-3-0",
            "somebody-elses",
        ]
        .map(|name| folder.join(name));
        for path in [&dead, &living, &begun, &others] {
            std::fs::create_dir_all(path.join("0/cards")).expect("a folder");
        }
        drop(owned(&dead).expect("a file"));
        let owner = owned(&living).expect("a file");
        let there = || [&dead, &living, &begun, &others].map(|path| path.exists());
        let now = SystemTime::now();
        sweep(&folder, now);
        assert_eq!(there(), [false, true, true, true]);
        sweep(&folder, now + 2 * FORGOTTEN);
        assert_eq!(there(), [false, true, false, true]);
        drop(owner);
        sweep(&folder, now);
        assert_eq!(there(), [false, false, false, true]);
        std::fs::remove_dir_all(&folder).expect("gone");
    }
}
