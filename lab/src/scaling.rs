//! The scale that makes chances of what a game thinks of its positions. Where none was measured for the game as it is played, it is found in
//! the first games of the run itself: those wait until it is known, and are counted then.

use crate::calibrate::{Noted, judge};
use crate::record::{Header, Record};
use crate::runner::Next;
use crate::simulate::{BrokenGame, Plan, stream};
use ludoteca::Game;
use serde::Serialize;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// So many closely watched games tell a scale.
const TELLING: usize = 400;
/// Fewer that somebody won tell none.
const FEWEST: usize = 60;
/// The moments it is found at, in sixteenths of a game.
const MOMENTS: [usize; 3] = [4, 8, 12];

/// A scale that a run found by itself.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct FoundScale {
    pub scale: u32,
    /// Games it was found in.
    pub games: u64,
    /// By how many points of a hundred chances are off in these games, at most.
    pub off_by: f64,
}

/// Games that wait for a scale, of one side or of both.
#[derive(Debug, Clone)]
pub(crate) struct Waiting<const SIDES: usize>(Vec<[Record; SIDES]>);

impl<const SIDES: usize> Waiting<SIDES> {
    pub fn new() -> Self {
        Waiting(Vec::new())
    }

    /// Lets games wait that tell something; says whether there are enough.
    pub fn take(&mut self, records: &[Record; SIDES]) -> bool {
        let tells = |record: &Record| {
            let close = record.close.as_ref();
            close.is_some_and(|close| !close.values.is_empty())
        };
        if records.iter().all(tells) {
            self.0.push(records.clone());
        }
        self.0.len() == TELLING
    }

    /// The scale of all that waited, if they tell one.
    pub fn found(&self) -> Option<FoundScale> {
        let told: Vec<Noted<i64>> = self.0.iter().flatten().map(noted).collect();
        let told: Vec<Noted<i64>> = told.into_iter().filter(Noted::is_decided).collect();
        if told.len() < FEWEST {
            return None;
        }
        let judged = judge(&told);
        Some(FoundScale {
            scale: judged.scale as u32,
            games: told.len() as u64,
            off_by: judged.off_by,
        })
    }

    pub fn games(self) -> Vec<[Record; SIDES]> {
        self.0
    }
}

/// The scale by which a game is compared at several settings: the one that was measured, or one found in games of it as it is. What each setting
/// found by itself could not be held against each other.
pub(crate) fn common(
    game: &Arc<Game>,
    plan: &Plan,
    stop: &AtomicBool,
) -> Result<Option<u32>, BrokenGame> {
    let header = Header::new(game, plan);
    if !header.wants_scale() {
        return Ok(header.scale);
    }
    let games = TELLING as u64;
    let plan = Plan {
        games,
        part: (0, games),
        close: 1,
        ..plan.clone()
    };
    let mut waiting = Waiting::new();
    stream(
        game,
        &plan,
        stop,
        |_| {},
        |record| {
            waiting.take(&[record]);
            Next::GoOn
        },
    )?;
    Ok(waiting.found().map(|found| found.scale))
}

/// What was said of every seat at some moments of a game, and what it came to.
fn noted(record: &Record) -> Noted<i64> {
    let values = record.close.as_ref().map(|close| &close.values);
    let at = |moment: &usize| values?.get(moment - 1);
    // Who is out has no chance.
    let told = |values: &Vec<Option<i64>>| values.iter().map(|v| v.unwrap_or(i64::MIN)).collect();
    Noted {
        positions: MOMENTS.iter().filter_map(at).map(told).collect(),
        shares: (0..record.places.len() as u8)
            .map(|seat| record.won(seat))
            .collect(),
    }
}
