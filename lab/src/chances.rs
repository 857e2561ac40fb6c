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
    /// Of each seat: how far the game had come, and its chance then. Where these are chances, those of all seats at one moment are one together.
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
    if course.calibrated {
        course.seats = together(&course.seats);
    }
    Ok(course)
}

/// The chances of all seats at the same moments, where they add up to one: each is what a seat thinks of itself.
fn together(seats: &[Vec<(f64, Estimate)>]) -> Vec<Vec<(f64, Estimate)>> {
    let mut evened = vec![Vec::new(); seats.len()];
    for moment in (0..MOMENTS).map(|moment| moment as f64 / MOMENTS as f64) {
        let thought = seats.iter().map(|points| between(points, moment));
        let thought: Vec<Option<Estimate>> = thought.collect();
        let total: f64 = thought.iter().flatten().map(|chance| chance.value).sum();
        if total <= 0.0 {
            continue;
        }
        for (points, chance) in evened.iter_mut().zip(thought) {
            if let Some(chance) = chance {
                let part = chance.scaled(0.0, 1.0 / total);
                let high = part.high.min(1.0);
                points.push((moment, Estimate { high, ..part }));
            }
        }
    }
    evened
}

/// What lies on the line between the points on both sides of a moment; beyond the outermost what these say.
fn between(points: &[(f64, Estimate)], moment: f64) -> Option<Estimate> {
    let next = points.partition_point(|(at, _)| *at < moment);
    let (before, after) = (
        points.get(next.checked_sub(1).unwrap_or(next)),
        points.get(next),
    );
    let ((from, one), (to, other)) = before.zip(after.or(before))?;
    let along = match to > from {
        true => ((moment - from) / (to - from)).clamp(0.0, 1.0),
        false => 0.0,
    };
    let mixed = |a: f64, b: f64| a + (b - a) * along;
    Some(Estimate {
        value: mixed(one.value, other.value),
        low: mixed(one.low, other.low),
        high: mixed(one.high, other.high),
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_of_all_seats_are_one_together() {
        let at = |moment: f64, chance: f64| {
            let estimate = Estimate {
                value: chance,
                low: chance - 0.1,
                high: chance + 0.1,
            };
            (moment, estimate)
        };
        let seats = [
            vec![at(0.0, 0.6), at(0.5, 0.8), at(0.9, 1.0)],
            vec![at(0.1, 0.6), at(0.6, 0.4)],
            vec![],
        ];
        let all = together(&seats);
        assert!(all[2].is_empty());
        assert_eq!(all[0].len() as u64, MOMENTS);
        assert!((all[0][0].1.value - 0.5).abs() < 1e-9, "{:?}", all[0][0]);
        for (one, other) in all[0].iter().zip(&all[1]) {
            assert_eq!(one.0, other.0);
            assert!((one.1.value + other.1.value - 1.0).abs() < 1e-9);
            assert!(one.1.high <= 1.0);
        }
        // Half-way between two answers of the first, at the last of the second.
        let (moment, chance) = all[0][10];
        assert_eq!(moment, 0.625);
        let own = 0.8 + 0.2 * 0.125 / 0.4;
        assert!((chance.value - own / (own + 0.4)).abs() < 1e-9);
    }
}
