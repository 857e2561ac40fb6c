//! Playing many games with bots. Game `i` depends on its seed alone, so the result is the same on any number of cores.

use super::statistics::{Estimate, Running, quantile, share};
use crate::bots::{self, Bot};
use crate::model::value;
use crate::play::matches::{BrokenRule, Match, Status};
use crate::play::say;
use crate::play::transcript::Transcript;
use crate::script::game::Game;
use rayon::prelude::*;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What to play.
#[derive(Debug, Clone)]
pub struct Plan {
    pub players: u8,
    /// One for each seat.
    pub bots: Vec<Bot>,
    pub seed: u64,
    pub games: u64,
    /// Threads; 0 for one per core.
    pub jobs: usize,
}

/// One finished game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Row {
    pub seed: u64,
    /// Seats that share the first place.
    pub winners: Vec<u8>,
    /// First number of each seat's score.
    pub scores: Vec<i64>,
    pub rounds: u32,
    pub decisions: u64,
    pub forced: u64,
    pub options: u64,
    pub reason: String,
    /// One number for each metric the game declares; of a metric of players, the sum over them.
    pub metrics: Vec<i64>,
}

/// The rules broke in one of the games.
#[derive(Debug, thiserror::Error)]
#[error("game with seed {seed}, round {}: {error}", error.round)]
pub struct BrokenGame {
    pub seed: u64,
    pub error: BrokenRule,
}

/// Plays one game to its end.
pub fn play(played: &mut Match, bots: &[Bot], seed: u64) -> Result<Row, BrokenGame> {
    let broken = |error| BrokenGame { seed, error };
    let mut drivers = bots::seat_bots(played, bots, seed);
    while played.advance().map_err(broken)? == Status::Asking {
        let Some(seat) = played.choice().and_then(|choice| choice.waiting()) else {
            break;
        };
        let Some(driver) = drivers.get_mut(seat as usize).and_then(Option::as_mut) else {
            // A seat that answers on the spot still waits where others are asked at the same time.
            let picked = match played.table.seats.get_mut(seat as usize) {
                Some(crate::script::table::Seat::Random(luck)) => {
                    let mut luck = luck.clone();
                    let picked = bots::random::pick(played, seat, &mut luck);
                    played.seat_random(seat, luck);
                    picked
                }
                _ => break,
            };
            if played.answer(seat, &picked).is_err() {
                break;
            }
            continue;
        };
        let picked = driver.pick(played, seat).map_err(broken)?;
        if played.answer(seat, &picked).is_err() {
            break;
        }
    }
    let ranking = played.ranking().map_err(broken)?;
    let mut scores = vec![0; ranking.len()];
    for place in &ranking {
        scores[place.seat as usize] = place.score.first().copied().unwrap_or(0);
    }
    let tally = played.table.state.tally;
    let metrics = metrics(played).map_err(broken)?;
    Ok(Row {
        seed,
        winners: ranking
            .iter()
            .filter(|place| place.place == 1)
            .map(|place| place.seat)
            .collect(),
        scores,
        rounds: played.table.state.round,
        decisions: tally.decisions,
        forced: tally.forced,
        options: tally.options,
        reason: say::reason_key(&played.table),
        metrics,
    })
}

/// What the game's metrics say at its end.
fn metrics(played: &mut Match) -> Result<Vec<i64>, BrokenRule> {
    let game = played.game().clone();
    let declared = game.definition.metrics.iter().zip(&game.calls.metrics);
    declared
        .map(|(metric, &function)| {
            if !metric.of_player {
                return Ok(played.question(function, &[])?.as_int().unwrap_or(0));
            }
            (0..played.table.players()).try_fold(0, |sum, seat| {
                Ok(sum
                    + played
                        .question(function, &[value::player(seat)])?
                        .as_int()
                        .unwrap_or(0))
            })
        })
        .collect()
}

/// Plays one game and writes down every answer.
pub fn record(
    game: &Arc<Game>,
    players: u8,
    bots: &[Bot],
    seed: u64,
) -> Result<(Row, Transcript), BrokenGame> {
    let mut played = Match::new(game.clone(), players, seed);
    played.table.events = Some(Vec::new());
    let row = play(&mut played, bots, seed)?;
    let mut transcript = Transcript::new(game, players, seed);
    transcript.seats = (0..players as usize)
        .map(|seat| bots[seat % bots.len()].name().to_string())
        .collect();
    let events = played.table.events.take().unwrap_or_default();
    transcript.note(&played.table, &events);
    Ok((row, transcript))
}

/// Games played between two looks at the stop flag and the progress.
const BATCH: u64 = 32;

/// Plays all games of a plan. `progress` hears how many games have been finished since; `stop` ends the run early with what is done.
pub fn simulate(
    game: &Arc<Game>,
    plan: &Plan,
    stop: &AtomicBool,
    progress: impl Fn(u64) + Sync,
) -> Result<Vec<Row>, BrokenGame> {
    let batch = |first: u64| -> Result<Vec<Row>, BrokenGame> {
        let last = (first + BATCH).min(plan.games);
        if stop.load(Ordering::Relaxed) {
            return Ok(Vec::new());
        }
        let mut played = Match::new(game.clone(), plan.players, 0);
        let rows: Result<Vec<Row>, BrokenGame> = (first..last)
            .map(|i| {
                let seed = plan.seed.wrapping_add(i);
                played.restart(seed);
                play(&mut played, &plan.bots, seed)
            })
            .collect();
        progress(last - first);
        rows
    };
    let starts: Vec<u64> = (0..plan.games).step_by(BATCH as usize).collect();
    let run = || -> Result<Vec<Vec<Row>>, BrokenGame> {
        starts.par_iter().map(|&first| batch(first)).collect()
    };
    let batches = match rayon::ThreadPoolBuilder::new()
        .num_threads(plan.jobs)
        .build()
    {
        Ok(pool) => pool.install(run)?,
        // Without threads the work is done here.
        Err(_) => starts
            .iter()
            .map(|&first| batch(first))
            .collect::<Result<_, _>>()?,
    };
    Ok(batches.into_iter().flatten().collect())
}

/// What a run says about a game.
#[derive(Debug, Clone, Serialize)]
pub struct Summary {
    pub games: usize,
    /// Wins of each seat; a shared first place counts in parts.
    pub wins: Vec<Estimate>,
    pub rounds: Estimate,
    /// Fewest, a quarter, half, three quarters, most.
    pub round_quantiles: [u32; 5],
    pub decisions: Estimate,
    pub options_per_decision: f64,
    pub forced_share: f64,
    pub scores: Vec<Estimate>,
    /// How many games ended for each reason.
    pub reasons: BTreeMap<String, usize>,
    /// The mean of each metric the game declares, by its name.
    pub metrics: BTreeMap<String, Estimate>,
}

impl Summary {
    pub fn new(game: &Game, rows: &[Row], players: u8) -> Summary {
        let mut metrics = vec![Running::default(); game.definition.metrics.len()];
        let mut wins = vec![0.0; players as usize];
        let mut scores = vec![Running::default(); players as usize];
        let (mut rounds, mut decisions) = (Running::default(), Running::default());
        let (mut asked, mut forced, mut options) = (0u64, 0u64, 0u64);
        let mut reasons = BTreeMap::new();
        let mut lengths = Vec::with_capacity(rows.len());
        for row in rows {
            for &seat in &row.winners {
                wins[seat as usize] += 1.0 / row.winners.len() as f64;
            }
            for (running, &score) in scores.iter_mut().zip(&row.scores) {
                running.add(score as f64);
            }
            rounds.add(row.rounds as f64);
            decisions.add(row.decisions as f64);
            (asked, forced, options) = (
                asked + row.decisions,
                forced + row.forced,
                options + row.options,
            );
            *reasons.entry(row.reason.clone()).or_insert(0) += 1;
            lengths.push(row.rounds);
            for (running, &number) in metrics.iter_mut().zip(&row.metrics) {
                running.add(number as f64);
            }
        }
        lengths.sort_unstable();
        let per_decision = |n: u64| {
            if asked == 0 {
                0.0
            } else {
                n as f64 / asked as f64
            }
        };
        Summary {
            games: rows.len(),
            wins: wins
                .into_iter()
                .map(|won| share(won, rows.len() as f64))
                .collect(),
            rounds: rounds.estimate(),
            round_quantiles: [0.0, 0.25, 0.5, 0.75, 1.0].map(|q| quantile(&lengths, q)),
            decisions: decisions.estimate(),
            options_per_decision: per_decision(options),
            forced_share: per_decision(forced),
            scores: scores.iter().map(Running::estimate).collect(),
            reasons,
            metrics: game
                .definition
                .metrics
                .iter()
                .map(|m| m.name.clone())
                .zip(metrics.iter().map(Running::estimate))
                .collect(),
        }
    }
}
