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
    /// What was counted last: of this save, or, until there is something of it, of one before.
    pub figures: Option<Figures>,
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
    /// The figures grow.
    Growing,
    /// A game broke.
    Broke(String),
}

/// What a comparison has counted.
#[derive(Debug, Clone, Default)]
pub struct Figures {
    pub done: u64,
    pub wanted: u64,
    /// What the game itself measures first, each in the place it keeps.
    pub differences: Vec<Difference>,
}

#[derive(Debug, Clone, Default)]
pub struct Scenarios {
    /// Whether it is known how many there are.
    pub read: bool,
    pub all: usize,
    pub run: usize,
    /// How many of them the change can touch.
    pub touched: usize,
    /// The title of each that failed, and what did not hold first.
    pub failed: Vec<[String; 2]>,
}

#[derive(Debug, Clone, Default)]
pub struct Checked {
    pub errors: usize,
    pub warnings: usize,
    pub told: String,
}

impl Screenful {
    /// Both sides are the same, so there is nothing to count.
    pub fn is_same(&mut self) {
        self.compared = HowFar::Same;
        self.figures = None;
    }

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
