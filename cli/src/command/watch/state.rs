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
    /// The measures that are shown, each in its row.
    pub rows: Vec<String>,
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

/// Measures that are shown.
pub const MEASURES: usize = 10;

impl Screenful {
    /// Gives each measure that is shown a row, which it keeps: figures grow where one looks. One that is surely another takes the last row
    /// of one that is not.
    pub fn give_rows(&mut self, found: &[(&str, bool)]) {
        let rows = &mut self.rows;
        rows.retain(|row| found.iter().any(|(name, _)| name == row));
        for (name, differs) in found {
            if rows.iter().any(|row| row == name) {
                continue;
            }
            let is_unsure = |row: &String| !found.contains(&(row.as_str(), true));
            let row = match rows.len() < MEASURES {
                true => {
                    rows.push(String::new());
                    rows.last_mut()
                }
                false => rows.iter_mut().rfind(|row| *differs && is_unsure(row)),
            };
            if let Some(row) = row {
                *row = name.to_string();
            }
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_measure_keeps_its_row_and_one_that_differs_gets_one() {
        let names: Vec<String> = (0..12).map(|n| format!("m{n}")).collect();
        let found = |order: &[usize], differs: &[usize]| -> Vec<String> {
            let mut state = Screenful::default();
            let all: Vec<(&str, bool)> = names.iter().map(|name| (&**name, false)).collect();
            state.give_rows(&all);
            let later: Vec<(&str, bool)> = order
                .iter()
                .map(|n| (&*names[*n], differs.contains(n)))
                .collect();
            state.give_rows(&later);
            state.rows
        };
        let there: Vec<usize> = (0..12).collect();
        let back: Vec<usize> = (0..12).rev().collect();
        assert_eq!(found(&back, &[]), names[..10], "another order of the same");
        assert_eq!(
            found(&back, &[9, 3]),
            names[..10],
            "what differs is shown already"
        );
        let shown = found(&there, &[9, 11]);
        assert_eq!((&shown[8], &shown[9]), (&names[11], &names[9]));
        assert_eq!(shown[..8], names[..8]);
        assert_eq!(
            found(&[0, 2], &[]),
            ["m0", "m2"],
            "what is not measured any more"
        );
    }
}
