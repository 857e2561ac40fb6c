//! What goes where: results to standard output, words for people to standard error, and the exit code.

use ludoteca::content::diagnostic::{Diagnostic, render_all};
use ludoteca::content::legible::legible;
use std::fmt::Arguments;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::Path;
use std::process::{ExitCode, exit};

/// Why a command did not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The content or the game is at fault, and what is wrong has been said.
    #[error("the content is at fault")]
    Content,
    /// The content or the game is at fault.
    #[error("{0}")]
    Game(String),
    /// The command line is at fault.
    #[error("{0}")]
    Usage(String),
}

impl Failure {
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(match self {
            Failure::Content | Failure::Game(_) => 1,
            Failure::Usage(_) => 2,
        })
    }
}

/// A file cannot be written. A path that cannot be is a mistake in the command; a disk that is full is not.
pub fn unwritable(path: &Path, error: &io::Error) -> Failure {
    let message = format!("{}: {error}", path.display());
    match error.kind() {
        ErrorKind::NotFound
        | ErrorKind::PermissionDenied
        | ErrorKind::IsADirectory
        | ErrorKind::NotADirectory
        | ErrorKind::AlreadyExists
        | ErrorKind::InvalidInput
        | ErrorKind::InvalidFilename
        | ErrorKind::ReadOnlyFilesystem => Failure::Usage(message),
        _ => Failure::Game(format!("{message}; nothing that was there has changed")),
    }
}

pub type Outcome = Result<(), Failure>;

/// A line of a result, on standard output.
macro_rules! outln {
    () => { $crate::output::write_out(format_args!("\n")) };
    ($($what:tt)*) => { $crate::output::write_out(format_args!("{}\n", format_args!($($what)*))) };
}

/// A line for people, on standard error.
macro_rules! errln {
    ($($what:tt)*) => { $crate::output::write_err(format_args!("{}\n", format_args!($($what)*))) };
}

pub(crate) use {errln, outln};

/// Writes a result. A reader that has gone away (`| head`) ends the command quietly.
pub fn write_out(text: Arguments) {
    let mut out = io::stdout().lock();
    let text = shown(&text.to_string(), out.is_terminal());
    if let Err(error) = out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        let quiet = error.kind() == ErrorKind::BrokenPipe;
        exit(if quiet { 0 } else { 1 });
    }
}

/// Writes words for people; if nobody can read them, nothing is lost.
pub fn write_err(text: Arguments) {
    let mut out = io::stderr().lock();
    let text = shown(&text.to_string(), out.is_terminal());
    let _ = out.write_all(text.as_bytes());
}

/// The one place text goes through on its way to a terminal: whatever a pack, a file name or a script has put into it, nothing but the
/// emphasis this program uses itself reaches the terminal as a command.
fn shown(text: &str, terminal: bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\x1b') {
        out.push_str(&legible(&rest[..at]));
        let own = OWN_COMMANDS
            .iter()
            .find(|own| rest[at..].starts_with(**own));
        let taken = match own.filter(|_| terminal) {
            Some(own) => {
                out.push_str(own);
                own.len()
            }
            None => {
                out.push(char::REPLACEMENT_CHARACTER);
                1
            }
        };
        rest = &rest[at + taken..];
    }
    out.push_str(&legible(rest));
    out
}

/// Strong, faint, plain again, the colours of diagnostics, and an empty screen for the next player at the same machine.
const OWN_COMMANDS: &[&str] = &[
    "\x1b[0m",
    "\x1b[1m",
    "\x1b[2m",
    "\x1b[31m",
    "\x1b[33m",
    "\x1b[1m\x1b[91m",
    "\x1b[91m",
    "\x1b[92m",
    "\x1b[93m",
    "\x1b[94m",
    "\x1b[96m",
    "\x1b[2J",
    "\x1b[3J",
    "\x1b[H",
];

/// Shows diagnostics to a person.
pub fn show(diagnostics: &[Diagnostic]) {
    if !diagnostics.is_empty() {
        errln!("{}", render_all(diagnostics, io::stderr().is_terminal()));
    }
}

/// Calls of a broken script shown at the top and at the bottom of a long row of them.
const CALLS_SHOWN: (usize, usize) = (6, 2);

/// A message without the middle of a long row of calls: a script that calls itself without end has a hundred of them.
pub fn brief(message: &str) -> String {
    let lines: Vec<&str> = message.lines().collect();
    let is_call = |line: &&str| line.trim_start().starts_with("in ");
    let calls = lines.iter().filter(|line| is_call(line)).count();
    let (top, bottom) = CALLS_SHOWN;
    if calls <= top + bottom + 1 {
        return message.to_string();
    }
    let mut shown = Vec::new();
    let mut number = 0;
    for line in lines {
        number += is_call(&line) as usize;
        if !is_call(&line) || number <= top || number > calls - bottom {
            shown.push(line.to_string());
        } else if number == top + 1 {
            shown.push(format!("  .. and {} more calls", calls - top - bottom));
        }
    }
    shown.join("\n")
}

/// `1 error`, `2 errors`
pub fn counted(count: usize, what: &str) -> String {
    if count == 1 {
        format!("1 {what}")
    } else {
        format!("{count} {what}s")
    }
}
