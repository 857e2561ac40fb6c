//! Cards and tables of a game as spreadsheets: out of its files ([`Sheet`], [`write`]), and back into them ([`read`], [`compare`],
//! [`edited`]). What a sheet does not change keeps its bytes, comments included.

mod cell;
mod compare;
mod edit;
mod format;
mod sheet;
mod workbook;

pub use cell::{Cell, address};
pub use compare::{Compared, NewCard, NewCell, NewValue, compare};
pub use edit::{Written, edited, variant};
pub use format::{Format, read, write};
pub use sheet::{Sheet, names};

use ludoteca::Place;
use ludoteca::limits::MOST_OF_A_KIND;
use std::fmt;

/// Why a sheet cannot be made, read or taken over.
#[derive(Debug, thiserror::Error)]
pub enum SheetError {
    #[error(
        "there is no kind of cards and no table `{name}`{meant}; {}",
        there_are(known)
    )]
    Unknown {
        name: String,
        /// ` (did you mean ..)`, or nothing.
        meant: String,
        known: String,
    },
    #[error("`{0}` is a kind of cards and a table: write `kind:{0}` or `table:{0}`")]
    Two(String),
    #[error("`{0}` is a single value: `ludoteca explain` says where it stands")]
    Single(String),
    #[error("{0}")]
    File(String),
    #[error("{}", listed(.0))]
    Cells(Vec<CellError>),
}

/// What is wrong with a cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CellError {
    /// `C5`
    pub cell: String,
    /// The line of the game's files the cell stands for.
    pub place: Option<Place>,
    pub message: String,
}

impl fmt::Display for CellError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Some(place) => write!(f, "cell {} ({place}): {}", self.cell, self.message),
            None => write!(f, "cell {}: {}", self.cell, self.message),
        }
    }
}

fn there_are(known: &str) -> String {
    match known {
        "" => "the game has none".to_string(),
        _ => format!("there are {known}"),
    }
}

fn listed(errors: &[CellError]) -> String {
    let told = errors.iter().take(MOST_OF_A_KIND);
    let mut lines: Vec<String> = told.map(CellError::to_string).collect();
    if errors.len() > lines.len() {
        lines.push(format!("and {} cells more", errors.len() - lines.len()));
    }
    lines.join("\n")
}
