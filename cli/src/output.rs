//! What goes where: results to standard output, words for people to standard error, and the exit code.

use ludoteca::content::diagnostic::{Diagnostic, render_all};
use std::io::IsTerminal;
use std::process::ExitCode;

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

/// Shows diagnostics to a person.
pub fn show(diagnostics: &[Diagnostic]) {
    if !diagnostics.is_empty() {
        eprintln!("{}", render_all(diagnostics, std::io::stderr().is_terminal()));
    }
}

/// `1 error`, `2 errors`
pub fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}
