//! `check` in a process of its own, for packs nobody knows yet.

use crate::output::{Failure, Outcome, errln};
use ludoteca_packs::archive::Archive;
use ludoteca_packs::isolate::{self, Ended};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Folders for packs that are looked at; gone with it.
pub struct Staging {
    root: PathBuf,
    unpacked: Vec<PathBuf>,
}

impl Staging {
    pub fn new() -> Result<Staging, Failure> {
        let name = format!("ludoteca-look-{}", std::process::id());
        let root = std::env::temp_dir().join(name);
        std::fs::create_dir(&root)
            .map_err(|error| Failure::Game(format!("{}: {error}", root.display())))?;
        Ok(Staging {
            root,
            unpacked: Vec::new(),
        })
    }

    /// The files of a pack, in a folder.
    pub fn unpack(&mut self, archive: &Archive) -> Outcome {
        let folder = self.root.join(self.unpacked.len().to_string());
        for (path, bytes) in archive.contents.files() {
            let full = folder.join(path);
            let made = full.parent().map_or(Ok(()), std::fs::create_dir_all);
            made.and_then(|()| std::fs::write(&full, bytes))
                .map_err(|error| Failure::Game(format!("{}: {error}", full.display())))?;
        }
        self.unpacked.push(folder);
        Ok(())
    }
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
    for folder in &staging.unpacked {
        command.arg("--content").arg(folder);
    }
    command.args(["check", "--confined"]);
    ended(&mut command)
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
    ended(&mut command)
}

fn this_command() -> Result<Command, Failure> {
    let path = std::env::current_exe()
        .map_err(|error| Failure::Game(format!("this program cannot be found: {error}")))?;
    let mut command = Command::new(path);
    // Nothing of the environment but what says where programs are and how to speak; where packs are installed it need not know.
    command.env_clear();
    for name in ["PATH", "HOME", "LUDOTECA_LANG", "NO_COLOR"] {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
    Ok(command)
}

fn ended(command: &mut Command) -> Outcome {
    match isolate::run(command) {
        Ok(Ended::Code(0)) => Ok(()),
        Ok(Ended::Code(1)) => Err(Failure::Content),
        Ok(Ended::Code(code)) => Err(Failure::Game(format!(
            "the look at it ended with code {code}"
        ))),
        Ok(Ended::Stopped(why)) => Err(Failure::Game(format!("the pack was stopped: {why}"))),
        Err(error) => Err(Failure::Game(format!("no process can be started: {error}"))),
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
        errln!("not confined as far as wished: {unconfined}");
    }
}
