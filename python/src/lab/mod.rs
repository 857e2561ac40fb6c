//! Many games: run, compared, swept and tuned as the command does it, to the digit. Ctrl-C ends a run with what is done.

mod asking;
mod compares;
mod runs;
mod searches;
mod watch;

pub use compares::{Compared, compare, compared};
pub use runs::{Run, joined, joined_table, run, run_header, table_header};
pub use searches::{Swept, Tuned, sweeps, tune};

use crate::door::Mistake;
use crate::kernel::{BrokenGame, Failed, listed, nearest};

impl From<Failed> for Mistake {
    fn from(failed: Failed) -> Mistake {
        match failed {
            Failed::Content(diagnostics) => Mistake::Content(diagnostics),
            Failed::Game(broken) => broken.into(),
            Failed::NoChances(_) => Mistake::Value(failed.to_string()),
        }
    }
}

impl From<BrokenGame> for Mistake {
    fn from(broken: BrokenGame) -> Mistake {
        Mistake::Broken(broken.to_string())
    }
}

/// A name must be one of those known.
pub fn known(what: &str, name: &str, among: &[String]) -> Result<(), Mistake> {
    if among.iter().any(|known| known == name) {
        return Ok(());
    }
    let hint = match nearest(name, among) {
        Some(close) => format!("did you mean `{close}`?"),
        None => format!("there are {}", listed(among)),
    };
    Err(Mistake::Unknown(format!("unknown {what} `{name}`; {hint}")))
}
