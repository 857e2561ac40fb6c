//! Which bot is stronger: tiers play each other on the same seeds from every seat, and what they cost is measured with it. Where all win or
//! lose together nobody plays against anybody: there each tier has tables of its own.

use crate::parties::Parties;
use crate::record::winners;
use crate::runner::{self, Next, RunEnd};
use crate::simulate::BrokenGame;
use crate::statistics::{Estimate, Running, share};
use ludoteca::{Arena, Bot, Driver, Game, seat_bots};
use serde::Serialize;
use std::cmp::Ordering;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Two tiers at one table, or at one each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pairing {
    /// The one that should be weaker, and the one that should be stronger.
    pub weaker: Bot,
    pub stronger: Bot,
    pub players: u8,
    pub games: u64,
    pub seed: u64,
    /// Threads; 0 for one per core.
    pub jobs: usize,
}

/// Who sits where in the games of a pairing. Games on one seed differ in that alone.
struct Seating {
    parties: Parties,
    /// Games on one seed: each party is the stronger one's equally often; where there is one party, it is each bot's once.
    ways: u64,
    /// Parties of the stronger one: half of them, one of three.
    strong: u64,
}

impl Seating {
    fn of(game: &Arc<Game>, players: u8) -> Seating {
        let parties = Parties::declared(game, players);
        let count = parties.count() as u64;
        Seating {
            ways: if parties.are_one() { 2 } else { count },
            strong: (count / 2).max(1),
            parties,
        }
    }

    /// Whether a party is the stronger one's.
    fn is_strong(&self, game: u64, party: usize) -> bool {
        let way = game % self.ways;
        if self.parties.are_one() {
            return way == 1;
        }
        let party = (party as u64 + self.ways - way) % self.ways;
        let spread = self.ways / self.strong;
        party.is_multiple_of(spread) && party / spread < self.strong
    }

    /// What part of the win the stronger one has, if these seats have won.
    fn strong_share(&self, game: u64, winners: &[u8]) -> f64 {
        let shares = self.parties.shares(winners).into_iter().enumerate();
        let strong = shares.filter(|(party, _)| self.is_strong(game, *party));
        strong.map(|(_, share)| share).sum()
    }

    /// What the stronger one would win if both were as strong as each other.
    fn fair(&self) -> f64 {
        self.strong as f64 / self.ways as f64
    }
}

/// How one game came out.
#[derive(Debug, Clone, Default)]
struct Outcome {
    /// What part of the win the stronger one has; a draw is shared by the parties.
    share: f64,
    /// Whether anybody won, and the score of the first seat: how tables of one bot each compare.
    came_to: (bool, Vec<i64>),
    spent: [Spent; 2],
}

/// What answers of the weaker or the stronger one took.
#[derive(Debug, Clone, Copy, Default)]
struct Spent {
    time: Duration,
    answers: u64,
    lines: u64,
}

/// What a pairing showed.
#[derive(Debug, Clone)]
pub struct Rung {
    pub pairing: Pairing,
    pub games: u64,
    /// The stronger one's share of the wins; where each has tables of its own, how often its table does better, ties by half.
    pub share: Estimate,
    /// What its seats would win if both were as strong as each other.
    pub fair: f64,
    /// Where each has tables of its own: how often the weaker one's and the stronger one's win.
    pub apart: Option<[f64; 2]>,
    /// Seconds for an answer, of the weaker and the stronger one.
    pub seconds: [f64; 2],
    /// Lines of thought tried in a second, of the same; nothing for those that try none.
    pub lines: [Option<f64>; 2],
}

/// What a rung says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RungVerdict {
    /// The stronger one is stronger, beyond doubt.
    Stronger,
    /// These games do not tell.
    Unclear,
    /// It is weaker, beyond doubt.
    Weaker,
}

impl Rung {
    pub fn verdict(&self) -> RungVerdict {
        if self.share.low > self.fair {
            RungVerdict::Stronger
        } else if self.share.high < self.fair {
            RungVerdict::Weaker
        } else {
            RungVerdict::Unclear
        }
    }

    /// How much stronger, as in chess: 400 for ten to one, counted from fair odds.
    pub fn elo(&self) -> Estimate {
        let fair = self.fair / (1.0 - self.fair);
        let elo = |share: f64| {
            let share = share.clamp(0.001, 0.999);
            400.0 * libm::log10(share / (1.0 - share) / fair)
        };
        Estimate {
            value: elo(self.share.value),
            low: elo(self.share.low),
            high: elo(self.share.high),
        }
    }
}

/// How much stronger the last one is than the first, rung upon rung.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Strength {
    /// As in chess; of two rungs the errors are added as those of independent games are.
    pub elo: Estimate,
    /// Some rung was never lost: it may be any height, and the upper end means nothing.
    pub at_least: bool,
}

impl Strength {
    pub fn of(rungs: &[Rung]) -> Strength {
        let all: Vec<Estimate> = rungs.iter().map(Rung::elo).collect();
        let value: f64 = all.iter().map(|elo| elo.value).sum();
        let half = |of: fn(&Estimate) -> f64| {
            let squares = all.iter().map(|elo| of(elo).powi(2));
            libm::sqrt(squares.sum())
        };
        Strength {
            elo: Estimate {
                value,
                low: value - half(|elo| elo.value - elo.low),
                high: value + half(|elo| elo.high - elo.value),
            },
            at_least: rungs.iter().any(|rung| rung.share.value >= 1.0),
        }
    }
}

/// The game's depth: how many steps lie between the weakest and the strongest bot, if whoever is one step higher wins three games of four
/// against whoever is below (191 Elo).
pub fn depth(rungs: &[Rung]) -> Strength {
    let step = 400.0 * libm::log10(3.0);
    let all = Strength::of(rungs);
    Strength {
        elo: all.elo.scaled(0.0, 1.0 / step),
        ..all
    }
}

/// Plays a pairing; a run that is stopped says what its games showed until then.
pub fn play(
    game: &Arc<Game>,
    pairing: &Pairing,
    stop: &AtomicBool,
    progress: impl Fn(u64) + Sync,
) -> Result<(Rung, RunEnd), BrokenGame> {
    let seating = Seating::of(game, pairing.players);
    let mut told = Told::default();
    // A table alone says nothing where two are compared.
    let games = match seating.parties.are_one() {
        true => pairing.games.next_multiple_of(2),
        false => pairing.games,
    };
    let ended = runner::run(
        (0, games),
        pairing.jobs,
        stop,
        progress,
        || Arena::new(game, pairing.players),
        |arena, number| play_one(arena, pairing, &seating, number),
        |_, outcome| {
            told.add(&seating, outcome);
            Next::GoOn
        },
    )?;
    Ok((told.rung(pairing, &seating), ended))
}

/// What the games of a pairing have shown so far.
#[derive(Default)]
struct Told {
    games: u64,
    /// Games, or pairs of tables where each bot has one of its own, and what the stronger one has of them.
    trials: u64,
    share: f64,
    /// Games on one seed are not independent of each other: a seed played in every way is one trial.
    seeds: Running,
    of_seed: Running,
    /// The table of the weaker one, until that of the stronger one has been played.
    before: Option<(bool, Vec<i64>)>,
    won: [u64; 2],
    spent: [Spent; 2],
}

impl Told {
    fn add(&mut self, seating: &Seating, outcome: Outcome) {
        self.games += 1;
        for (all, more) in self.spent.iter_mut().zip(outcome.spent) {
            all.time += more.time;
            all.answers += more.answers;
            all.lines += more.lines;
        }
        if !seating.parties.are_one() {
            self.trials += 1;
            self.share += outcome.share;
            self.of_seed.add(outcome.share);
            if self.of_seed.count == seating.ways {
                self.seeds.add(std::mem::take(&mut self.of_seed).mean());
            }
            return;
        }
        let Some(before) = self.before.take() else {
            self.before = Some(outcome.came_to);
            return;
        };
        let share = match outcome.came_to.cmp(&before) {
            Ordering::Greater => 1.0,
            Ordering::Equal => 0.5,
            Ordering::Less => 0.0,
        };
        self.trials += 1;
        self.share += share;
        self.seeds.add(share);
        self.won[0] += u64::from(before.0);
        self.won[1] += u64::from(outcome.came_to.0);
    }

    fn rung(&self, pairing: &Pairing, seating: &Seating) -> Rung {
        let trials = self.trials as f64;
        let seconds = |spent: Spent| spent.time.as_secs_f64() / spent.answers.max(1) as f64;
        let lines = |spent: Spent| {
            let tried = (spent.lines > 0).then_some(spent.lines as f64)?;
            Some(tried / spent.time.as_secs_f64().max(f64::MIN_POSITIVE))
        };
        Rung {
            share: match self.seeds.count {
                0 => share(self.share.round(), trials),
                _ => Estimate {
                    value: self.share / trials,
                    ..self.seeds.estimate_of_share()
                },
            },
            fair: seating.fair(),
            apart: seating
                .parties
                .are_one()
                .then(|| self.won.map(|won| won as f64 / trials)),
            seconds: self.spent.map(seconds),
            lines: self.spent.map(lines),
            games: self.games,
            pairing: pairing.clone(),
        }
    }
}

fn play_one(
    arena: &mut Arena,
    pairing: &Pairing,
    seating: &Seating,
    number: u64,
) -> Result<Outcome, BrokenGame> {
    let seed = pairing.seed + number / seating.ways;
    let side = |seat: u8| usize::from(seating.is_strong(number, seating.parties.of(seat)));
    let bots = [pairing.weaker, pairing.stronger];
    let table: Vec<Bot> = (0..pairing.players).map(|seat| bots[side(seat)]).collect();
    let mut drivers = seat_bots(arena.restart(seed), &table, seed);
    let mut outcome = Outcome::default();
    let (ranking, _) = arena
        .play_bare(|played, seat| {
            let began = Instant::now();
            let driver = drivers.get_mut(seat as usize).and_then(Option::as_mut);
            let picked = driver.map(|driver| driver.pick(played)).transpose()?;
            let spent = &mut outcome.spent[side(seat)];
            spent.time += began.elapsed();
            spent.answers += 1;
            Ok(picked)
        })
        .map_err(|error| BrokenGame::Rules { seed, error })?;
    for (seat, driver) in (0..).zip(&drivers) {
        outcome.spent[side(seat)].lines += driver.as_ref().map_or(0, Driver::lines);
    }
    let winners = winners(&ranking);
    outcome.share = match winners.is_empty() {
        true => seating.fair(),
        false => seating.strong_share(number, &winners),
    };
    let score = ranking.first().map(|place| place.score.clone());
    outcome.came_to = (!winners.is_empty(), score.unwrap_or_default());
    Ok(outcome)
}
