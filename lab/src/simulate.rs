//! Playing games with bots. Game `i` of a run depends on its seed alone, so it can be played again by itself.

use crate::record::{Record, winners};
use crate::runner::{self, RunEnd};
use crate::weighing::Weighed;
use crate::weighing::Weighing;
use ludoteca::{
    AnsweredBy, Arena, Bot, BrokenRule, Driver, Game, Match, Transcript,
    limits::{OPERATIONS_IN_A_RUN, OPERATIONS_IN_A_SHORT_RUN, OPERATIONS_OF_A_RUN},
    random, seat_bots,
};
use std::fmt::Debug;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Somebody from outside of the kernel who plays in a run, under a name of their own.
pub trait Guest: Debug + Send + Sync {
    fn name(&self) -> &str;

    /// Numbers of the options a seat takes that is asked: as many as are wanted, all different and among those offered. Or why it leaves.
    fn choose(&self, played: &Match, seat: u8) -> Result<Vec<u32>, GuestLeft>;
}

/// A guest does not play on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{name} left the table: {why}")]
pub struct GuestLeft {
    pub name: String,
    pub why: String,
}

/// What to play.
#[derive(Debug, Clone)]
pub struct Plan {
    pub players: u8,
    /// One for each seat.
    pub bots: Vec<Bot>,
    /// Who plays instead of the bot at the same place; nobody if there are fewer.
    pub guests: Vec<Option<Arc<dyn Guest>>>,
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
            guests: Vec::new(),
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
        bots.rotate_right(self.turned(game));
        bots
    }

    /// By how many seats everybody has moved on in a game.
    fn turned(&self, game: u64) -> usize {
        match self.bots.len() as u64 {
            places if self.rotate && places > 0 => (game % places) as usize,
            _ => 0,
        }
    }

    /// The names of those who play, in the order of the first game.
    pub fn names(&self) -> Vec<Arc<str>> {
        let name = |(place, bot): (usize, &Bot)| match self.guest(place) {
            Some(guest) => guest.name().into(),
            None => bot.name().into(),
        };
        self.bots.iter().enumerate().map(name).collect()
    }

    fn guest(&self, place: usize) -> Option<&Arc<dyn Guest>> {
        self.guests.get(place).and_then(Option::as_ref)
    }

    /// The guest on a seat of a game.
    fn guest_of(&self, game: u64, seat: usize) -> Option<&Arc<dyn Guest>> {
        let places = self.bots.len().max(1);
        self.guest((seat % places + places - self.turned(game)) % places)
    }

    /// Every so many games a close look is taken if nobody says otherwise: random bots play so fast that looking would cost much of the time.
    pub fn usual_close(&self) -> u64 {
        let guests = self.guests.iter().any(Option::is_some);
        match !guests && self.bots.iter().all(|&bot| bot == Bot::Random) {
            true => CLOSE_AT_RANDOM,
            false => 1,
        }
    }

    /// What the rules may use for one game: a run has a budget as a match has one. It does not depend on what other games used, or a
    /// run would not be the same on any number of threads.
    pub fn operations(&self) -> u64 {
        let share = OPERATIONS_OF_A_RUN / self.games.max(1);
        share.clamp(OPERATIONS_IN_A_RUN, OPERATIONS_IN_A_SHORT_RUN)
    }

    pub fn is_close(&self, game: u64) -> bool {
        self.close > 0 && game.is_multiple_of(self.close)
    }
}

/// Of games with random bots one in so many is looked at closely.
const CLOSE_AT_RANDOM: u64 = 20;

/// A game of a run did not come to its end.
#[derive(Debug, Clone, thiserror::Error)]
pub enum BrokenGame {
    /// The rules broke.
    #[error("game with seed {seed}, round {}: {error}", error.round)]
    Rules { seed: u64, error: BrokenRule },
    #[error("game with seed {seed}: {error}")]
    Guest { seed: u64, error: GuestLeft },
}

/// Plays one game to its end, without looking closely.
pub fn play(arena: &mut Arena, bots: &[Bot], seed: u64) -> Result<Record, BrokenGame> {
    let plan = Plan::new(bots.len() as u8, bots.to_vec(), seed, 1);
    let names = plan.names();
    play_watched(arena, &mut None, &plan, &names, 0)
}

/// Plays game `number` of a plan to its end.
fn play_watched(
    arena: &mut Arena,
    weighing: &mut Option<Weighing>,
    plan: &Plan,
    names: &[Arc<str>],
    number: u64,
) -> Result<Record, BrokenGame> {
    let seed = plan.seed_of(number);
    let mut left = None;
    let mut drivers = seat(begun(arena, plan, seed), plan, number);
    let close = plan.is_close(number);
    if close {
        let weighing = weighing.get_or_insert_with(|| Weighing::new(arena.played()));
        weighing.found = Weighed::default();
    }
    let finished = arena.play(close, |played, seat| {
        if let Some(weighing) = weighing.as_mut().filter(|_| close) {
            weighing.look(played, seat);
        }
        answer(plan, number, played, seat, &mut drivers, &mut left)
    });
    if let Some(error) = left {
        return Err(BrokenGame::Guest { seed, error });
    }
    let finished = finished.map_err(|error| BrokenGame::Rules { seed, error })?;
    let mut names = names.to_vec();
    names.rotate_right(plan.turned(number));
    let mut record = Record::new(finished, &names, seed);
    record.game = number;
    if let Some(weighing) = weighing.as_ref().filter(|_| close) {
        record.weighed = weighing.found;
    }
    Ok(record)
}

/// A match of a run, with its share of the run's budget.
fn begun<'a>(arena: &'a mut Arena, plan: &Plan, seed: u64) -> &'a mut Match {
    let played = arena.restart(seed);
    played.allow(plan.operations());
    played
}

/// Lets everybody of a game sit down: bots, and guests in the place of some.
fn seat(played: &mut Match, plan: &Plan, number: u64) -> Vec<Option<Driver>> {
    let seed = plan.seed_of(number);
    let mut drivers = seat_bots(played, &plan.bots_of(number), seed);
    for (seat, driver) in drivers.iter_mut().enumerate() {
        if plan.guest_of(number, seat).is_some() {
            // A guest may ask what an option would do, and is told by the step as it began.
            played.keeps_steps = true;
            played.seat_asked(seat as u8);
            *driver = None;
        }
    }
    drivers
}

/// What is taken in the open choice of a seat. A guest who leaves leaves the match where it is.
fn answer(
    plan: &Plan,
    number: u64,
    played: &mut Match,
    seat: u8,
    drivers: &mut [Option<Driver>],
    left: &mut Option<GuestLeft>,
) -> Result<Option<Vec<u32>>, BrokenRule> {
    let Some(guest) = plan.guest_of(number, seat as usize) else {
        return pick(played, seat, drivers);
    };
    match guest.choose(played, seat) {
        Ok(picked) => Ok(Some(picked)),
        Err(error) => {
            *left = Some(error);
            Ok(None)
        }
    }
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
    let Some(AnsweredBy::Random(luck)) = played.table.seats.get(seat as usize) else {
        return Ok(None);
    };
    let mut luck = luck.now(&played.table.state);
    Ok(Some(random::pick(played, seat, &mut luck)))
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
    names: Vec<Arc<str>>,
    /// Made for the first game that is looked at closely.
    weighing: Option<Weighing>,
}

impl Bench {
    pub fn new(game: &Arc<Game>, plan: &Plan) -> Bench {
        let mut arena = Arena::new(game, plan.players);
        arena.played().verify = plan.verify;
        let names = plan.names();
        Bench {
            arena,
            names,
            weighing: None,
        }
    }

    /// Plays game `number` of the plan.
    pub fn play(&mut self, plan: &Plan, number: u64) -> Result<Record, BrokenGame> {
        play_watched(
            &mut self.arena,
            &mut self.weighing,
            plan,
            &self.names,
            number,
        )
    }

    /// Plays game `number` of the plan and remembers nothing but who won, and how many decisions it took.
    pub fn play_bare(&mut self, plan: &Plan, number: u64) -> Result<Won, BrokenGame> {
        let seed = plan.seed_of(number);
        let mut left = None;
        let mut drivers = seat(begun(&mut self.arena, plan, seed), plan, number);
        let finished = self
            .arena
            .play_bare(|played, seat| answer(plan, number, played, seat, &mut drivers, &mut left));
        if let Some(error) = left {
            return Err(BrokenGame::Guest { seed, error });
        }
        let (ranking, tally) = finished.map_err(|error| BrokenGame::Rules { seed, error })?;
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
) -> Result<RunEnd, BrokenGame> {
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
