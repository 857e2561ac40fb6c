//! The chances of every seat along one game, as a thinking bot sees them from that seat: what it cannot see is imagined.

use crate::simulate::{BrokenGame, Plan};
use crate::statistics::Estimate;
use ludoteca::hint::{Hint, Judged};
use ludoteca::{Arena, BrokenRule, Driver, Game, Match};
use std::sync::Arc;

/// Moments of a game at which each seat is asked, the next time it is its turn.
const MOMENTS: u64 = 16;
/// Lines of thought for each.
pub const LINES: u32 = 100;

/// How one game went, by the chances of its seats.
#[derive(Debug, Clone, PartialEq)]
pub struct Course {
    pub game: u64,
    /// Of each seat: how far the game had come, and its chance then.
    pub seats: Vec<Vec<(f64, Estimate)>>,
    /// Seats that share the first place.
    pub winners: Vec<u8>,
    /// Whether these were measured to be chances; else they tell no more than what is better.
    pub calibrated: bool,
}

/// Plays a game of a plan again and thinks along with everybody.
pub fn along(game: &Arc<Game>, plan: &Plan, number: u64) -> Result<Course, BrokenGame> {
    let seed = plan.seed_of(number);
    let broken = |error: BrokenRule| BrokenGame::Rules { seed, error };
    let mut arena = Arena::new(game, plan.players);
    // Once to learn how long it is.
    let (_, tally) = played(&mut arena, plan, number, |_, _| Ok(())).map_err(broken)?;
    let mut course = Course {
        game: number,
        seats: vec![Vec::new(); plan.players as usize],
        winners: Vec::new(),
        calibrated: game.definition.is_calibrated(plan.players),
    };
    let total = tally.max(1);
    let (ranking, _) = played(&mut arena, plan, number, |played, seat| {
        let so_far = played.table.state.tally.decisions;
        let known = &mut course.seats[seat as usize];
        if so_far * MOMENTS < known.len() as u64 * total {
            return Ok(());
        }
        if let Some(chance) = chance(played, seat, seed) {
            let at = so_far as f64 / total as f64;
            known.push((at, chance));
        }
        Ok(())
    })
    .map_err(broken)?;
    course.winners = ranking;
    Ok(course)
}

/// Plays a game with everybody asked; who won, and how many decisions it took.
fn played(
    arena: &mut Arena,
    plan: &Plan,
    number: u64,
    mut look: impl FnMut(&Match, u8) -> Result<(), BrokenRule>,
) -> Result<(Vec<u8>, u64), BrokenRule> {
    let seed = plan.seed_of(number);
    let begun = arena.restart(seed);
    begun.allow(plan.operations());
    let bots = plan.bots_of(number);
    let mut drivers: Vec<Driver> = (0..plan.players)
        .map(|seat| {
            begun.seat_asked(seat);
            bots[seat as usize % bots.len()].driver(seat, seed)
        })
        .collect();
    let (ranking, tally) = arena.play_bare(|played, seat| {
        look(played, seat)?;
        drivers[seat as usize].pick(played).map(Some)
    })?;
    Ok((crate::record::winners(&ranking), tally.decisions))
}

/// What the best answer of a seat is worth.
fn chance(played: &Match, seat: u8, seed: u64) -> Option<Estimate> {
    let mut hint = Hint::begin(played.copied(), seat, seed)?;
    hint.think(LINES, |_| true);
    let best = hint.opinion(1).answers.into_iter().next();
    let known = |best: &Judged| best.visits > 0 || best.certain;
    best.filter(known).map(|best| Estimate {
        value: best.chance,
        low: best.between.0,
        high: best.between.1,
    })
}
