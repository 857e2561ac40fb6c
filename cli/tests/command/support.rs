//! Running the binary in a folder of its own.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// What a run said.
pub struct Said {
    pub code: i32,
    pub out: String,
    pub err: String,
}

/// A folder that is gone when the test is.
pub struct Folder {
    pub path: PathBuf,
}

static MADE: AtomicU32 = AtomicU32::new(0);

impl Folder {
    pub fn new() -> Folder {
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("ludoteca-{}-{number}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder {
            path: path.canonicalize().unwrap(),
        }
    }

    /// A folder with a pack called `heap` in it, whose game of that name is the one `new` writes.
    pub fn with_game() -> Folder {
        let outer = Folder::new();
        let made = outer.run(&["new", "game", "heap"]);
        assert_eq!(made.code, 0, "{}", made.err);
        outer
    }

    /// A folder inside this one. The outer one must live on.
    pub fn inside(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    pub fn write(&self, path: &str, text: &str) {
        let full = self.path.join(path);
        fs::create_dir_all(full.parent().unwrap()).unwrap();
        fs::write(full, text).unwrap();
    }

    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path.join(path)).unwrap()
    }

    /// Changes a file, which must contain what is to be replaced.
    pub fn replace(&self, path: &str, old: &str, new: &str) {
        let text = self.read(path);
        assert!(text.contains(old), "{path} does not contain `{old}`");
        self.write(path, &text.replace(old, new));
    }

    pub fn run(&self, args: &[&str]) -> Said {
        run(&self.path, args, "")
    }

    pub fn run_with(&self, args: &[&str], input: &str) -> Said {
        run(&self.path, args, input)
    }

    /// Runs inside the pack `heap`.
    pub fn heap(&self, args: &[&str]) -> Said {
        self.heap_with(args, "")
    }

    pub fn heap_with(&self, args: &[&str], input: &str) -> Said {
        let mut said = run(&self.inside("heap"), args, input);
        let own = format!("{}/", self.inside("heap").display());
        said.out = said.out.replace(&own, "");
        said.err = said.err.replace(&own, "");
        said
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

pub fn command(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludoteca"));
    command.args(args);
    prepared(command, folder)
}

/// The same surroundings for every run.
fn prepared(mut command: Command, folder: &Path) -> Command {
    command
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .env("LUDOTECA_HOME", folder.join(".home"))
        .env_remove("LUDOTECA_INDEX")
        .env_remove("LUDOTECA_CONTENT")
        .env_remove("LUDOTECA_LANG")
        .env_remove("LC_ALL")
        .env_remove("LC_MESSAGES")
        .env("LANG", "C");
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Runs the binary in a folder with this on its standard input.
pub fn run(folder: &Path, args: &[&str], input: &str) -> Said {
    hear(command(folder, args), input)
}

/// Runs another command that runs the binary.
pub fn run_command(command: Command, folder: &Path, input: &str) -> Said {
    hear(prepared(command, folder), input)
}

fn hear(mut command: Command, input: &str) -> Said {
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_string();
    // A program that ends early does not read everything: that is not our mistake.
    let writer = std::thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    let Output {
        status,
        stdout,
        stderr,
    } = child.wait_with_output().unwrap();
    writer.join().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Said {
        code: status.code().unwrap_or(-1),
        out: text(stdout),
        err: without_times(text(stderr)),
    }
}

/// What `check` says of time and memory is another at every run.
fn without_times(text: String) -> String {
    let told = |line: &&str| !line.starts_with("it takes ");
    text.split_inclusive('\n').filter(told).collect()
}

impl Said {
    /// Everything in one text, for a snapshot.
    pub fn all(&self) -> String {
        let part = |name: &str, text: &str| {
            if text.is_empty() {
                String::new()
            } else {
                format!("-- {name}\n{text}")
            }
        };
        format!(
            "exit code {}\n{}{}",
            self.code,
            part("standard output", &self.out),
            part("standard error", &self.err)
        )
    }
}
