//! Playing games with bots. Game `i` of a run depends on its seed alone, so it can be played again by itself.

use crate::record::{Record, winners};
use crate::runner::{self, Ended};
use ludoteca::bots::{self, Bot};
use ludoteca::play::arena::Arena;
use ludoteca::play::driver::Driver;
use ludoteca::play::matches::{BrokenRule, Match};
use ludoteca::play::transcript::Transcript;
use ludoteca::table::Seat;
use ludoteca::table::game::Game;
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
pub fn play(arena: &mut Arena, bots: &[Bot], seed: u64) -> Result<Record, BrokenGame> {
    play_watched(arena, bots, seed, false)
}

fn play_watched(
    arena: &mut Arena,
    bots: &[Bot],
    seed: u64,
    close: bool,
) -> Result<Record, BrokenGame> {
    let mut drivers = bots::seat_bots(arena.restart(seed), bots, seed);
    let finished = arena
        .play(close, |played, seat| pick(played, seat, &mut drivers))
        .map_err(|error| BrokenGame { seed, error })?;
    Ok(Record::new(finished, bots, seed))
}

/// What a bot takes in the open choice of its seat.
fn pick(
    played: &mut Match,
    seat: u8,
    drivers: &mut [Option<Driver>],
) -> Result<Option<Vec<u32>>, BrokenRule> {
    if let Some(driver) = drivers.get_mut(seat as usize).and_then(Option::as_mut) {
        return driver.pick(played).map(Some);
    }
    // A seat that answers on the spot still waits where others are asked at the same time.
    let Some(Seat::Random(luck)) = played.table.seats.get(seat as usize) else {
        return Ok(None);
    };
    let mut luck = luck.now(&played.table.state);
    Ok(Some(bots::random::pick(played, seat, &mut luck)))
}

/// Plays one game and writes down every answer.
pub fn transcribe(
    game: &Arc<Game>,
    players: u8,
    bots: &[Bot],
    seed: u64,
) -> Result<(Record, Transcript), BrokenGame> {
    let mut arena = Arena::new(game, players);
    arena.played().table.events = Some(Vec::new());
    let record = play(&mut arena, bots, seed)?;
    let played = arena.played();
    let mut transcript = Transcript::new(game, players, seed);
    transcript.seats = (0..players as usize)
        .map(|seat| bots[seat % bots.len()].name())
        .collect();
    let events = played.table.events.take().unwrap_or_default();
    transcript.note(&played.table, &events);
    transcript.over = true;
    Ok((record, transcript))
}

/// A table at which one thread plays games of one plan, one after the other.
pub struct Bench {
    arena: Arena,
}

impl Bench {
    pub fn new(game: &Arc<Game>, plan: &Plan) -> Bench {
        let mut arena = Arena::new(game, plan.players);
        arena.played().verify = plan.verify;
        Bench { arena }
    }

    /// Plays game `number` of the plan.
    pub fn play(&mut self, plan: &Plan, number: u64) -> Result<Record, BrokenGame> {
        let bots = plan.bots_of(number);
        let close = plan.is_close(number);
        let mut record = play_watched(&mut self.arena, &bots, plan.seed_of(number), close)?;
        record.game = number;
        Ok(record)
    }

    /// Plays game `number` of the plan and remembers nothing but who won, and how many decisions it took.
    pub fn play_bare(&mut self, plan: &Plan, number: u64) -> Result<Won, BrokenGame> {
        let seed = plan.seed_of(number);
        let mut drivers = bots::seat_bots(self.arena.restart(seed), &plan.bots_of(number), seed);
        let (ranking, tally) = self
            .arena
            .play_bare(|played, seat| pick(played, seat, &mut drivers))
            .map_err(|error| BrokenGame { seed, error })?;
        Ok(Won {
            winners: winners(&ranking),
            decisions: tally.decisions,
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

/// Plays the part of a plan and hands over record by record, in order. `progress` hears of games as they end, in any order.
pub fn stream(
    game: &Arc<Game>,
    plan: &Plan,
    stop: &AtomicBool,
    progress: impl Fn(u64) + Sync,
    mut take: impl FnMut(Record) -> runner::Next,
) -> Result<Ended, BrokenGame> {
    runner::run(
        plan.part,
        plan.jobs,
        stop,
        progress,
        || Bench::new(game, plan),
        |bench, number| bench.play(plan, number),
        |_, record| take(record),
    )
}

/// Plays all games of a plan and keeps their records.
pub fn simulate(
    game: &Arc<Game>,
    plan: &Plan,
    stop: &AtomicBool,
    progress: impl Fn(u64) + Sync,
) -> Result<Vec<Record>, BrokenGame> {
    let mut records = Vec::new();
    stream(game, plan, stop, progress, |record| {
        records.push(record);
        runner::Next::GoOn
    })?;
    Ok(records)
}
