//! What goes where: results to standard output, words for people to standard error, and the exit code.

use ludoteca::content::diagnostic::{Diagnostic, render_all};
use std::fmt::Arguments;
use std::io::{self, ErrorKind, IsTerminal, Write};
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
    if let Err(error) = out.write_fmt(text).and_then(|()| out.flush()) {
        let quiet = error.kind() == ErrorKind::BrokenPipe;
        exit(if quiet { 0 } else { 1 });
    }
}

/// Writes words for people; if nobody can read them, nothing is lost.
pub fn write_err(text: Arguments) {
    let _ = io::stderr().lock().write_fmt(text);
}

/// Shows diagnostics to a person.
pub fn show(diagnostics: &[Diagnostic]) {
    if !diagnostics.is_empty() {
        errln!("{}", render_all(diagnostics, io::stderr().is_terminal()));
    }
}

/// `1 error`, `2 errors`
pub fn counted(count: usize, what: &str) -> String {
    if count == 1 {
        format!("1 {what}")
    } else {
        format!("{count} {what}s")
    }
}
