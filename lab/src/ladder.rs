//! Which bot is stronger: tiers play each other on the same seeds from every seat, and what they cost is measured with it.

use crate::record::winners;
use crate::runner::{self, Next, RunEnd};
use crate::simulate::BrokenGame;
use crate::statistics::{Estimate, Running, share};
use ludoteca::{Arena, Bot, Game, seat_bots};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Two tiers at one table.
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

impl Pairing {
    /// Seats of the stronger one: half of them, one of three.
    fn seats(&self) -> u8 {
        (self.players / 2).max(1)
    }

    /// Who sits where in a game. Games on one seed differ in the seats alone: each seat is the stronger one's equally often.
    fn bots_of(&self, game: u64) -> Vec<Bot> {
        let spread = self.players / self.seats();
        let mut table: Vec<Bot> = (0..self.players)
            .map(|seat| {
                let strong = seat % spread == 0 && seat / spread < self.seats();
                if strong { self.stronger } else { self.weaker }
            })
            .collect();
        table.rotate_right((game % u64::from(self.players)) as usize);
        table
    }

    fn seed_of(&self, game: u64) -> u64 {
        self.seed + game / u64::from(self.players)
    }
}

/// How one game came out.
#[derive(Debug, Clone, Default)]
struct Outcome {
    /// What part of the win the stronger one has; a draw is shared by the seats.
    share: f64,
    /// For the weaker and the stronger one: time spent on answers, and answers.
    time: [Duration; 2],
    answers: [u64; 2],
}

/// What a pairing showed.
#[derive(Debug, Clone)]
pub struct Rung {
    pub pairing: Pairing,
    pub games: u64,
    /// The stronger one's share of the wins.
    pub share: Estimate,
    /// What its seats would win if both were as strong as each other.
    pub fair: f64,
    /// Seconds for an answer, of the weaker and the stronger one.
    pub seconds: [f64; 2],
}

/// What a rung says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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

/// The game's depth: how many steps lie between the weakest and the strongest bot, if whoever is one step higher wins three games of four
/// against whoever is below (191 Elo).
pub fn depth(rungs: &[Rung]) -> f64 {
    let step = 400.0 * libm::log10(3.0);
    rungs.iter().map(|rung| rung.elo().value).sum::<f64>() / step
}

/// Plays a pairing; a run that is stopped says what its games showed until then.
pub fn play(
    game: &Arc<Game>,
    pairing: &Pairing,
    stop: &AtomicBool,
    progress: impl Fn(u64) + Sync,
) -> Result<(Rung, RunEnd), BrokenGame> {
    let mut total = Outcome::default();
    let mut games = 0;
    // Games on one seed are not independent of each other: a seed played from every seat is one trial.
    let mut seeds = Running::default();
    let mut of_seed = Running::default();
    let ended = runner::run(
        (0, pairing.games),
        pairing.jobs,
        stop,
        progress,
        || Arena::new(game, pairing.players),
        |arena, number| play_one(arena, pairing, number),
        |_, outcome| {
            games += 1;
            total.share += outcome.share;
            of_seed.add(outcome.share);
            if of_seed.count == u64::from(pairing.players) {
                seeds.add(std::mem::take(&mut of_seed).mean());
            }
            for side in 0..2 {
                total.time[side] += outcome.time[side];
                total.answers[side] += outcome.answers[side];
            }
            Next::GoOn
        },
    )?;
    let per_answer =
        |side: usize| total.time[side].as_secs_f64() / total.answers[side].max(1) as f64;
    let rung = Rung {
        share: match seeds.count {
            0 => share(total.share.round(), games as f64),
            _ => Estimate {
                value: total.share / games as f64,
                ..seeds.estimate_of_share()
            },
        },
        fair: f64::from(pairing.seats()) / f64::from(pairing.players),
        seconds: [per_answer(0), per_answer(1)],
        games,
        pairing: pairing.clone(),
    };
    Ok((rung, ended))
}

fn play_one(arena: &mut Arena, pairing: &Pairing, number: u64) -> Result<Outcome, BrokenGame> {
    let (seed, table) = (pairing.seed_of(number), pairing.bots_of(number));
    let mut drivers = seat_bots(arena.restart(seed), &table, seed);
    let mut outcome = Outcome::default();
    let side = |seat: u8| usize::from(table[seat as usize] == pairing.stronger);
    let (ranking, _) = arena
        .play_bare(|played, seat| {
            let began = Instant::now();
            let driver = drivers.get_mut(seat as usize).and_then(Option::as_mut);
            let picked = driver.map(|driver| driver.pick(played)).transpose()?;
            outcome.time[side(seat)] += began.elapsed();
            outcome.answers[side(seat)] += 1;
            Ok(picked)
        })
        .map_err(|error| BrokenGame::Rules { seed, error })?;
    let winners = winners(&ranking);
    let won = winners.iter().filter(|&&seat| side(seat) == 1).count();
    outcome.share = match winners.len() {
        0 => f64::from(pairing.seats()) / f64::from(pairing.players),
        all => won as f64 / all as f64,
    };
    Ok(outcome)
}
