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
use ludoteca::limits::{PRINTED_CARDS, PRINTED_LETTERS, PRINTED_PAGES, PRINTED_PICTURES};
use ludoteca_draw::Book;

/// Why something cannot be printed.
#[derive(Debug, thiserror::Error)]
pub enum PressError {
    #[error("there is no kind of cards `{name}`{meant}; there are {known}")]
    UnknownKind {
        name: String,
        /// ` (did you mean ..)`, or nothing.
        meant: String,
        known: String,
    },
    #[error("there is nothing to print: {0}")]
    Nothing(&'static str),
    #[error("more than {PRINTED_CARDS} cards would be printed; `--kind` chooses among them")]
    TooMany,
    #[error("more than {0} pages would be printed; `--kind` and `--only` choose among them")]
    TooManyPages(usize),
    #[error("the pages would have more than {} MiB; `--kind` and `--only` choose among them", PRINTED_LETTERS >> 20)]
    TooLarge,
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
    let mut sheaf = Sheaf::default();
    for part in &job.parts {
        match part {
            Printed::Cards => sheaf.lay(cards::pages(job)?)?,
            Printed::Boards => sheaf.lay(boards::pages(job))?,
            Printed::Tokens => sheaf.lay(tokens::pages(job))?,
            Printed::Rules => sheaf.lay(rules::pages(job))?,
        }
    }
    let pages = sheaf.pages;
    match (pages.is_empty(), job.against.is_some()) {
        (true, true) => Err(PressError::Nothing("nothing that is drawn differs")),
        (true, false) => Err(PressError::Nothing("the game has none of this")),
        (false, _) => Ok(pages),
    }
}

/// Whether so many pages are painted as pictures, dot by dot.
pub fn as_pictures(pages: &[Page]) -> Result<(), PressError> {
    match pages.len() > PRINTED_PICTURES {
        true => Err(PressError::TooManyPages(PRINTED_PICTURES)),
        false => Ok(()),
    }
}

/// Pages that are laid on top of each other, as many as are printed.
#[derive(Default)]
struct Sheaf {
    pages: Vec<Page>,
    letters: usize,
}

impl Sheaf {
    fn lay(&mut self, pages: impl IntoIterator<Item = Page>) -> Result<(), PressError> {
        for page in pages {
            self.letters += page.letters();
            self.pages.push(page);
            if self.pages.len() > PRINTED_PAGES {
                return Err(PressError::TooManyPages(PRINTED_PAGES));
            }
            if self.letters > PRINTED_LETTERS {
                return Err(PressError::TooLarge);
            }
        }
        Ok(())
    }
}
