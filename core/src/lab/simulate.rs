//! Playing games with bots. Game `i` of a run depends on its seed alone, so it can be played again by itself.

use super::row::{Close, Row};
use super::runner::{self, Ended};
use super::watch::Watch;
use crate::bots::{self, Bot, Driver};
use crate::model::value;
use crate::play::matches::{BrokenRule, Match, Status};
use crate::play::say;
use crate::play::transcript::Transcript;
use crate::script::game::Game;
use crate::script::table::Seat;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// What to play.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    pub players: u8,
    /// One for each seat.
    pub bots: Vec<Bot>,
    /// Whether the bots move on by one seat from game to game.
    pub rotate: bool,
    pub seed: u64,
    /// Games of the whole run.
    pub games: u64,
    /// The games of it that are played here: from, and up to.
    pub part: (u64, u64),
    /// Every so many games one is looked at closely; 0 for none.
    pub close: u64,
    /// Threads; 0 for one per core.
    pub jobs: usize,
    /// Whether the game's invariants are asked after every step.
    pub verify: bool,
}

impl Plan {
    pub fn new(players: u8, bots: Vec<Bot>, seed: u64, games: u64) -> Plan {
        Plan {
            players,
            bots,
            rotate: false,
            seed,
            games,
            part: (0, games),
            close: 0,
            jobs: 0,
            verify: false,
        }
    }

    /// The seed of a game.
    pub fn seed_of(&self, game: u64) -> u64 {
        self.seed.wrapping_add(game)
    }

    /// Who sits where in a game.
    pub fn bots_of(&self, game: u64) -> Vec<Bot> {
        let mut bots = self.bots.clone();
        if self.rotate && !bots.is_empty() {
            let by = (game % bots.len() as u64) as usize;
            bots.rotate_right(by);
        }
        bots
    }

    pub fn is_close(&self, game: u64) -> bool {
        self.close > 0 && game.is_multiple_of(self.close)
    }
}

/// The rules broke in one of the games.
#[derive(Debug, Clone, thiserror::Error)]
#[error("game with seed {seed}, round {}: {error}", error.round)]
pub struct BrokenGame {
    pub seed: u64,
    pub error: BrokenRule,
}

/// Plays one game to its end, without looking closely.
pub fn play(played: &mut Match, bots: &[Bot], seed: u64) -> Result<Row, BrokenGame> {
    play_watched(played, bots, seed, &mut Watch::blind())
}

/// Plays one game to its end. The match has been started with this seed.
pub fn play_watched(
    played: &mut Match,
    bots: &[Bot],
    seed: u64,
    watch: &mut Watch,
) -> Result<Row, BrokenGame> {
    let broken = |error| BrokenGame { seed, error };
    let mut drivers = bots::seat_bots(played, bots, seed);
    watch.begin(played);
    drive(played, &mut drivers, |played| watch.advance(played)).map_err(broken)?;
    let close = watch.end(played).map_err(broken)?;
    row(played, bots, seed, watch.first(), close).map_err(broken)
}

/// Lets bots answer until the game is over; `advance` is how it goes on between their answers.
fn drive(
    played: &mut Match,
    drivers: &mut [Option<Driver>],
    mut advance: impl FnMut(&mut Match) -> Result<Status, BrokenRule>,
) -> Result<(), BrokenRule> {
    while advance(played)? == Status::Asking {
        let Some(seat) = played.choice().and_then(|choice| choice.waiting()) else {
            break;
        };
        let picked = match drivers.get_mut(seat as usize).and_then(Option::as_mut) {
            Some(driver) => driver.pick(played, seat)?,
            // A seat that answers on the spot still waits where others are asked at the same time.
            None => match played.table.seats.get(seat as usize) {
                Some(Seat::Random(luck)) => {
                    let mut luck = luck.clone();
                    let picked = bots::random::pick(played, seat, &mut luck);
                    played.seat_random(seat, luck);
                    picked
                }
                _ => break,
            },
        };
        if played.answer(seat, &picked).is_err() {
            break;
        }
    }
    Ok(())
}

/// A finished match as a row.
fn row(
    played: &mut Match,
    bots: &[Bot],
    seed: u64,
    first: u8,
    close: Option<Close>,
) -> Result<Row, BrokenRule> {
    let ranking = played.ranking()?;
    let mut scores = vec![0; ranking.len()];
    let mut places = vec![0; ranking.len()];
    for place in &ranking {
        scores[place.seat as usize] = place.score.first().copied().unwrap_or(0);
        places[place.seat as usize] = place.place;
    }
    let tally = played.table.state.tally;
    let metrics = metrics(played)?;
    Ok(Row {
        game: 0,
        seed,
        bots: (0..ranking.len())
            .map(|seat| bots[seat % bots.len()])
            .collect(),
        first,
        winners: ranking
            .iter()
            .filter(|place| place.place == 1)
            .map(|place| place.seat)
            .collect(),
        places,
        scores,
        rounds: played.table.state.round,
        decisions: tally.decisions,
        forced: tally.forced,
        options: tally.options,
        reason: say::reason_key(&played.table),
        metrics,
        close,
    })
}

/// What the game's metrics say at its end.
fn metrics(played: &mut Match) -> Result<Vec<Vec<i64>>, BrokenRule> {
    let game = played.game().clone();
    let declared = game.definition.metrics.iter().zip(&game.calls.metrics);
    declared
        .map(|(metric, &function)| {
            if !metric.of_player {
                return Ok(vec![played.number(function, &[])?]);
            }
            (0..played.table.players())
                .map(|seat| played.number(function, &[value::player(seat)]))
                .collect()
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

/// A table at which one thread plays games of one plan, one after the other.
pub struct Bench {
    played: Match,
    watch: Watch,
}

impl Bench {
    pub fn new(game: &Arc<Game>, plan: &Plan) -> Bench {
        let mut played = Match::new(game.clone(), plan.players, 0);
        played.verify = plan.verify;
        let watch = Watch::new(&played);
        Bench { played, watch }
    }

    /// Plays game `number` of the plan.
    pub fn play(&mut self, plan: &Plan, number: u64) -> Result<Row, BrokenGame> {
        let seed = plan.seed_of(number);
        self.played.restart(seed);
        self.watch.look(plan.is_close(number));
        let mut row = play_watched(
            &mut self.played,
            &plan.bots_of(number),
            seed,
            &mut self.watch,
        )?;
        row.game = number;
        Ok(row)
    }

    /// Plays game `number` of the plan and remembers nothing but who won, and how many decisions it took.
    pub fn play_bare(&mut self, plan: &Plan, number: u64) -> Result<Won, BrokenGame> {
        let seed = plan.seed_of(number);
        let broken = |error| BrokenGame { seed, error };
        self.played.restart(seed);
        let mut drivers = bots::seat_bots(&mut self.played, &plan.bots_of(number), seed);
        drive(&mut self.played, &mut drivers, Match::advance).map_err(broken)?;
        let ranking = self.played.ranking().map_err(broken)?;
        let first = ranking.into_iter().filter(|place| place.place == 1);
        Ok(Won {
            winners: first.map(|place| place.seat).collect(),
            decisions: self.played.table.state.tally.decisions,
        })
    }
}

/// What bare play knows of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Won {
    /// Seats that share the first place.
    pub winners: Vec<u8>,
    pub decisions: u64,
}

/// Plays the part of a plan and hands over row by row, in order. `progress` hears of games as they end, in any order.
pub fn stream(
    game: &Arc<Game>,
    plan: &Plan,
    stop: &AtomicBool,
    progress: impl Fn(u64) + Sync,
    mut take: impl FnMut(Row) -> runner::Flow,
) -> Result<Ended, BrokenGame> {
    runner::run(
        plan.part,
        plan.jobs,
        stop,
        progress,
        || Bench::new(game, plan),
        |bench, number| bench.play(plan, number),
        |_, row| take(row),
    )
}

/// Plays all games of a plan and keeps their rows.
pub fn simulate(
    game: &Arc<Game>,
    plan: &Plan,
    stop: &AtomicBool,
    progress: impl Fn(u64) + Sync,
) -> Result<Vec<Row>, BrokenGame> {
    let mut rows = Vec::new();
    stream(game, plan, stop, progress, |row| {
        rows.push(row);
        runner::Flow::GoOn
    })?;
    Ok(rows)
}
