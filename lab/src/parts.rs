//! The parts of a run, written by one machine or by many: put in order and checked, they are the run.

use crate::record::{Header, Record};
use crate::results::{ResultsError, ResultsReader};
use ludoteca::keep;
use std::path::{Path, PathBuf};

/// Why files are not a run.
#[derive(Debug, thiserror::Error)]
pub enum NotARun {
    #[error("no results are named")]
    Nothing,
    #[error("{path}: {error}")]
    File { path: String, error: ResultsError },
    #[error("{first} and {second} are not parts of one run: {what}")]
    Others {
        first: String,
        second: String,
        what: String,
    },
    #[error("{path}: game {game} is there twice, or is none of this part of the run")]
    Odd { path: String, game: u64 },
}

/// Tables that belong together, in the order of their games: sums over them are those of a single run, to the last digit.
pub struct Parts {
    /// Of the whole run.
    pub header: Header,
    tables: Vec<(PathBuf, ResultsReader)>,
}

impl Parts {
    pub fn open(paths: &[PathBuf]) -> Result<Parts, NotARun> {
        let open = |path: &PathBuf| {
            let file = keep::open(path).map_err(|error| unreadable(path, error.into()))?;
            let table = ResultsReader::open(file).map_err(|error| unreadable(path, error))?;
            Ok((path.clone(), table))
        };
        let mut tables = paths
            .iter()
            .map(open)
            .collect::<Result<Vec<_>, NotARun>>()?;
        tables.sort_by_key(|(_, table)| table.header.part);
        check(&tables)?;
        let first = tables.first().ok_or(NotARun::Nothing)?;
        Ok(Parts {
            header: whole(&first.1.header),
            tables,
        })
    }

    /// Hands over every game, in order.
    pub fn records(self, mut take: impl FnMut(Record)) -> Result<(), NotARun> {
        for (path, table) in self.tables {
            let (mut next, end) = table.header.part;
            let mut odd = None;
            let read = table.records(|record| {
                // Records stand in the order of their games.
                if record.game < next || record.game >= end {
                    odd.get_or_insert(record.game);
                }
                next = record.game.saturating_add(1);
                take(record);
            });
            read.map_err(|error| unreadable(&path, error))?;
            if let Some(game) = odd {
                let path = path.display().to_string();
                return Err(NotARun::Odd { path, game });
            }
        }
        Ok(())
    }
}

fn unreadable(path: &Path, error: ResultsError) -> NotARun {
    NotARun::File {
        path: path.display().to_string(),
        error,
    }
}

/// The header of the whole run.
fn whole(part: &Header) -> Header {
    Header {
        part: (0, part.games),
        ..part.clone()
    }
}

/// Parts of one run, none of them twice.
fn check(tables: &[(PathBuf, ResultsReader)]) -> Result<(), NotARun> {
    for pair in tables.windows(2) {
        let [(first, one), (second, other)] = pair else {
            continue;
        };
        let (one, other) = (&one.header, &other.header);
        let wrong = |what: String| {
            Err(NotARun::Others {
                first: first.display().to_string(),
                second: second.display().to_string(),
                what,
            })
        };
        if one.game != other.game {
            return wrong(format!(
                "one is of {}, the other of {}",
                one.game, other.game
            ));
        }
        if one.content != other.content {
            return wrong(format!(
                "their content differs ({} of {}, {} of {})",
                one.content,
                one.selection_named(),
                other.content,
                other.selection_named()
            ));
        }
        if whole(one).unsigned() != whole(other).unsigned() {
            return wrong("their players, bots, seeds or numbers of games differ".to_string());
        }
        if other.part.0 < one.part.1 {
            return wrong(format!("both have game {}", other.part.0));
        }
    }
    Ok(())
}
