//! What goes where: results to standard output, words for people to standard error, and the exit code.

use crate::arguments::Colour;
use crate::terminal::paint;
use crate::words::{errors::told, say};
use ludoteca::limits::{LONGEST_LABEL, LONGEST_LISTING};
use ludoteca::{Diagnostic, grouped, keep::Unusable, legible, render_all};
use std::fmt::Arguments;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::Path;
use std::process::{ExitCode, exit};
use std::sync::atomic::{AtomicU8, Ordering};

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
    /// Nothing is at fault, but what was wanted was not found.
    #[error("{0}")]
    Unmet(String),
    /// Nothing is at fault: somebody stopped it, and what was done until then has been said.
    #[error("{0}")]
    Stopped(String),
}

impl Failure {
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(match self {
            Failure::Content | Failure::Game(_) => 1,
            Failure::Usage(_) => 2,
            Failure::Unmet(_) => 3,
            Failure::Stopped(_) => 130,
        })
    }
}

/// A file cannot be written. A path that cannot be is a mistake in the command; a disk that is full is not.
pub fn unwritable(path: &Path, error: &io::Error) -> Failure {
    // A folder is to be made, and something else has its name.
    let said = match error.kind() {
        ErrorKind::AlreadyExists => told(&io::Error::from(ErrorKind::NotADirectory)),
        _ => told(error),
    };
    let message = format!("{}: {said}", path.display());
    let unusable = error.get_ref().is_some_and(|why| why.is::<Unusable>());
    match error.kind() {
        _ if unusable => Failure::Usage(message),
        ErrorKind::NotFound
        | ErrorKind::PermissionDenied
        | ErrorKind::IsADirectory
        | ErrorKind::NotADirectory
        | ErrorKind::AlreadyExists
        | ErrorKind::InvalidInput
        | ErrorKind::InvalidFilename
        | ErrorKind::ReadOnlyFilesystem => Failure::Usage(message),
        _ => Failure::Game(say!(
            "{message}; nada de lo que había ha cambiado",
            "{message}; nothing that was there has changed"
        )),
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

/// A result of many lines, as much of it as anybody reads: a stranger's files may be full of long ones.
pub struct Listing {
    room: usize,
    more: usize,
}

impl Listing {
    pub fn new() -> Listing {
        Listing {
            room: LONGEST_LISTING,
            more: 0,
        }
    }

    /// Lines of the result, each as far as anybody reads it.
    pub fn say(&mut self, text: &str) {
        for line in text.lines() {
            let end = line.char_indices().nth(LONGEST_LABEL);
            let (shown, cut) = match end {
                Some((end, _)) => (&line[..end], ".."),
                None => (line, ""),
            };
            match self.room.checked_sub(shown.len() + cut.len() + 1) {
                Some(room) => {
                    self.room = room;
                    outln!("{shown}{cut}");
                }
                None => {
                    self.room = 0;
                    self.more += 1;
                }
            }
        }
    }

    /// Says how much was left out.
    pub fn finish(self) {
        if self.more > 0 {
            let more = grouped(self.more);
            outln!("{}", say!("y {more} líneas más", "and {more} more lines"));
        }
    }
}

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
        let mut own = paint::COMMANDS.iter().chain(&SCREEN);
        let own = own.find(|own| rest[at..].starts_with(**own));
        let emphasis = own.is_some_and(|own| own.ends_with('m'));
        let taken = match own.filter(|_| terminal || emphasis && in_colours(false)) {
            // Somebody wants no colours: the words remain.
            Some(own) if emphasis && !in_colours(terminal) => own.len(),
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

/// An empty screen for the next player at the same machine, and one that is drawn anew in its place.
const SCREEN: [&str; 7] = [
    "\x1b[2J",
    "\x1b[3J",
    "\x1b[H",
    "\x1b[K",
    "\x1b[J",
    "\x1b[?25l",
    "\x1b[?25h",
];

/// What `--color` says.
static COLOURS: AtomicU8 = AtomicU8::new(0);

/// Says when something is written in colours.
pub fn colours_are_wanted(when: Colour) {
    COLOURS.store(when as u8, Ordering::Relaxed);
}

/// Whether colours and strong letters are written to something that is a terminal, or is not.
pub fn in_colours(terminal: bool) -> bool {
    let said = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let dumb = || std::env::var_os("TERM").is_some_and(|name| name == "dumb");
    match COLOURS.load(Ordering::Relaxed) {
        when if when == Colour::Always as u8 => true,
        when if when == Colour::Never as u8 => false,
        _ => terminal && !said("NO_COLOR") && !dumb(),
    }
}

/// Shows diagnostics to a person.
pub fn show(diagnostics: &[Diagnostic]) {
    if !diagnostics.is_empty() {
        errln!(
            "{}",
            render_all(diagnostics, in_colours(io::stderr().is_terminal()))
        );
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
            shown.push(say!(
                "  .. y {} llamadas más",
                "  .. and {} more calls",
                calls - top - bottom
            ));
        }
    }
    shown.join("\n")
}
