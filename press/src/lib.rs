//! Games on paper: what [`ludoteca_draw`] draws, laid out on pages ([`pages`]), and pages as files ([`pdf`], [`png`], [`Page::svg`]).

mod boards;
mod cards;
mod output;
mod paper;
mod rules;
mod tokens;

pub use output::{pdf, png};
pub use paper::{Page, Paper};

use ludoteca::definition::Topic;
use ludoteca::limits::PRINTED_CARDS;
use ludoteca_draw::Book;

/// Why something cannot be printed.
#[derive(Debug, thiserror::Error)]
pub enum PressError {
    #[error("there is no kind of cards `{name}`{meant}; there are {known}")]
    UnknownKind {
        name: String,
        /// `: did you mean ..`, or nothing.
        meant: String,
        known: String,
    },
    #[error("there is nothing to print: {0}")]
    Nothing(&'static str),
    #[error("more than {PRINTED_CARDS} cards would be printed; `--kind` chooses among them")]
    TooMany,
    #[error("a page could not be drawn: {0}")]
    Page(String),
}

/// What of a game is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Printed {
    Cards,
    Boards,
    Tokens,
    Rules,
}

impl Printed {
    pub const ALL: [Printed; 4] = [
        Printed::Cards,
        Printed::Boards,
        Printed::Tokens,
        Printed::Rules,
    ];
}

/// A game to print.
#[derive(Debug)]
pub struct Job<'a> {
    pub book: &'a Book,
    pub rulebook: &'a [Topic],
    /// Only what differs from this.
    pub against: Option<(&'a Book, &'a [Topic])>,
    /// Only cards of this kind.
    pub kind: Option<String>,
    pub parts: Vec<Printed>,
    pub paper: Paper,
}

/// All pages, in the order of the parts.
pub fn pages(job: &Job) -> Result<Vec<Page>, PressError> {
    let mut pages = Vec::new();
    for part in &job.parts {
        match part {
            Printed::Cards => pages.extend(cards::pages(job)?),
            Printed::Boards => pages.extend(boards::pages(job)),
            Printed::Tokens => pages.extend(tokens::pages(job)),
            Printed::Rules => pages.extend(rules::pages(job)),
        }
    }
    match (pages.is_empty(), job.against.is_some()) {
        (true, true) => Err(PressError::Nothing("nothing that is drawn differs")),
        (true, false) => Err(PressError::Nothing("the game has none of this")),
        (false, _) => Ok(pages),
    }
}
