//! What is known so far, shared between those who work and the one who draws.

use crate::arguments::Watch;
use ludoteca::Selection;
use ludoteca_lab::compare::Difference;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

pub type SharedState = Arc<Mutex<Screenful>>;

pub fn lock(known: &SharedState) -> MutexGuard<'_, Screenful> {
    known.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Everything the screen shows.
#[derive(Debug, Clone, Default)]
pub struct Screenful {
    pub game: String,
    /// What is played, and against what.
    pub played: String,
    pub against: WatchedAgainst,
    /// What keeps the files from being played, as `check` says it; what is below is of the last state that could be.
    pub broken: Option<String>,
    /// What changed since the side it is compared with.
    pub changes: Vec<String>,
    pub compared: HowFar,
    pub scenarios: Scenarios,
    pub checked: Option<Checked>,
    /// The files that were saved last.
    pub saved: Vec<String>,
    /// How long after saving the first figures came.
    pub first_figures: Option<Duration>,
}

/// What is compared with.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum WatchedAgainst {
    /// The same, as it was when watching began.
    #[default]
    Before,
    /// A variant, or `base`.
    Named(String),
}

/// How far the comparison has come.
#[derive(Debug, Clone, Default)]
pub enum HowFar {
    /// It has not begun.
    #[default]
    Waiting,
    /// Both sides are the same.
    Same,
    Growing {
        done: u64,
        wanted: u64,
        differences: Vec<Difference>,
    },
    /// A game broke.
    Broke(String),
}

#[derive(Debug, Clone, Default)]
pub struct Scenarios {
    pub all: usize,
    pub run: usize,
    /// How many of them the change can touch.
    pub touched: usize,
    pub failed: Vec<String>,
}

#[derive(Debug, Clone, Default)]
pub struct Checked {
    pub errors: usize,
    pub warnings: usize,
    pub told: String,
}

impl Screenful {
    pub fn new(watch: &Watch, selection: &Selection) -> Screenful {
        Screenful {
            game: watch.game.game.clone(),
            played: match selection.names() {
                names if names.is_empty() => "base".to_string(),
                names => names.join(" + "),
            },
            against: match &watch.against {
                Some(name) => WatchedAgainst::Named(name.clone()),
                None => WatchedAgainst::Before,
            },
            ..Screenful::default()
        }
    }
}
