//! A line that somebody types: with editing, history and completion at a terminal, as it comes from anywhere else.

use crate::output::{outln, write_out};
use rustyline::completion::{Completer, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, Helper};
use std::io::{BufRead, IsTerminal};

/// What may be typed now, for the Tab key.
#[derive(Debug, Default)]
pub struct Completions {
    /// Whole answers and the words that do something else.
    pub lines: Vec<String>,
    /// What may follow a `?`.
    pub things: Vec<String>,
}

/// Where lines come from.
pub struct Lines {
    editor: Option<Editor<Completions, MemHistory>>,
    /// A line typed before anything asked for it.
    early: Option<String>,
}

impl Lines {
    pub fn new() -> Lines {
        let at_a_terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
        let editor = || {
            let config = Config::builder()
                .completion_type(CompletionType::List)
                .auto_add_history(true)
                .build();
            let mut editor =
                Editor::with_history(config.clone(), MemHistory::with_config(&config)).ok()?;
            editor.set_helper(Some(Completions::default()));
            Some(editor)
        };
        Lines {
            editor: at_a_terminal.then(editor).flatten(),
            early: None,
        }
    }

    /// Somebody has answered the next question already.
    pub fn keep(&mut self, line: String) {
        self.early = Some(line);
    }

    /// Asks for a line; `None` if there will be none any more.
    pub fn read(&mut self, prompt: &str, completions: Completions) -> Option<String> {
        if let Some(line) = self.early.take() {
            outln!("{prompt}{line}");
            return Some(line);
        }
        let Some(editor) = &mut self.editor else {
            return plain(prompt);
        };
        editor.set_helper(Some(completions));
        match editor.readline(prompt) {
            Ok(line) => Some(line),
            // Ctrl-C gives up what was typed, not the match.
            Err(ReadlineError::Interrupted) => Some(String::new()),
            Err(_) => {
                outln!();
                None
            }
        }
    }
}

fn plain(prompt: &str) -> Option<String> {
    write_out(format_args!("{prompt}"));
    let mut line = String::new();
    match std::io::stdin().lock().read_line(&mut line) {
        Ok(0) => {
            outln!();
            None
        }
        Ok(_) => Some(line),
        // Bytes that are no text: as good as an empty line.
        Err(error) if error.kind() == std::io::ErrorKind::InvalidData => Some(String::new()),
        Err(_) => None,
    }
}

impl Completions {
    /// Where the word to complete begins, and what it could become.
    fn of(&self, typed: &str) -> (usize, Vec<String>) {
        let (start, among) = match typed.find('?') {
            Some(at) if typed[..at].trim().is_empty() => {
                let after = &typed[at + 1..];
                (typed.len() - after.trim_start().len(), &self.things)
            }
            _ => (typed.len() - typed.trim_start().len(), &self.lines),
        };
        let found = crate::terminal::input::meant(&typed[start..], among.iter().map(|name| [name]));
        if !found.is_empty() || start > 0 {
            let found = found.into_iter().map(|at| among[at].clone());
            return (start, found.collect());
        }
        // One of several answers: what follows the last comma.
        let start = typed.rfind(',').map_or(typed.len(), |at| {
            let after = &typed[at + 1..];
            typed.len() - after.trim_start().len()
        });
        let last = &typed[start..];
        let found = crate::terminal::input::meant(last, among.iter().map(|name| [name]));
        let found = found.into_iter().map(|at| among[at].clone());
        (start, found.filter(|_| !last.is_empty()).collect())
    }
}

impl Completer for Completions {
    type Candidate = Pair;

    fn complete(
        &self,
        line: &str,
        position: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Pair>)> {
        let (start, found) = self.of(&line[..position]);
        let pair = |name: String| Pair {
            display: name.clone(),
            replacement: name,
        };
        Ok((start, found.into_iter().map(pair).collect()))
    }
}

impl Helper for Completions {}
impl Validator for Completions {}
impl Highlighter for Completions {}
impl Hinter for Completions {
    type Hint = String;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tab_finds_options_and_things() {
        let names = |list: &[&str]| list.iter().map(ToString::to_string).collect();
        let completions = Completions {
            lines: names(&["Australia → Tonga", "Australia → Java", "stop"]),
            things: names(&["Tonga", "Torre"]),
        };
        let found = |typed: &str| completions.of(typed);
        assert_eq!(found("aus").1.len(), 2);
        assert_eq!(found("tonga"), (0, names(&["Australia → Tonga"])));
        assert_eq!(found("? to"), (2, names(&["Tonga", "Torre"])));
        assert_eq!(found("?ton"), (1, names(&["Tonga"])));
        assert_eq!(found("java, st"), (6, names(&["stop"])));
        assert_eq!(found("nothing").1, Vec::<String>::new());
    }
}
