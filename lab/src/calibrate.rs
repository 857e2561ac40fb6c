//! How much `evaluate` knows: positions of games that bots play against themselves, and who won then. Sides are one.

use crate::parties::Parties;
use crate::record::winners;
use crate::runner::{self, Next, RunEnd};
use crate::simulate::BrokenGame;
use crate::statistics::{Estimate, share};
use ludoteca::{Arena, Bot, BrokenRule, Driver, Game, Match, Moments};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Positions of one game that are kept, evenly spread.
const KEPT: usize = 60;
/// Chances are compared in so many bins.
const BINS: usize = 10;
/// A bin with a smaller part of all positions tells nothing of how far chances are off.
const TELLING: f64 = 0.02;

/// What to play.
#[derive(Debug, Clone)]
pub struct Calibration {
    pub bots: Vec<Bot>,
    pub players: u8,
    pub games: u64,
    pub seed: u64,
    pub jobs: usize,
}

/// What is noted of every party at moments of one game at which a line may be judged, and each party's share of the win.
#[derive(Debug, Clone)]
pub(crate) struct Noted<P> {
    pub positions: Vec<Vec<P>>,
    pub shares: Vec<f64>,
}

impl<P> Noted<P> {
    pub fn is_decided(&self) -> bool {
        self.shares.iter().sum::<f64>() > 0.0
    }
}

/// A bin of chances: what was expected on average, what came, and in how many cases.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Bin {
    pub expected: f64,
    pub came: f64,
    pub cases: u64,
}

/// How well `evaluate` tells who wins.
#[derive(Debug, Clone)]
pub struct Calibrated {
    pub games: u64,
    pub positions: u64,
    /// How much of `evaluate` makes a win 2.7 times as likely.
    pub scale: f64,
    /// How often who led at half-time won.
    pub leader_at_half: Estimate,
    /// The mean of -log(chance given to the winner), and what equal chances would give.
    pub log_loss: f64,
    pub knowing_nothing: f64,
    pub bins: Vec<Bin>,
    /// By how many points of a hundred chances are off in the worst bin that tells something.
    pub off_by: f64,
    /// The same of the scale that bots go by now, if one is written.
    pub written: Option<Written>,
}

/// How well chances by a written scale tell who wins.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Written {
    pub scale: f64,
    pub log_loss: f64,
    pub off_by: f64,
}

/// Plays, and fits the scale.
pub fn calibrate(
    game: &Arc<Game>,
    asked: &Calibration,
    stop: &AtomicBool,
    progress: impl Fn(u64) + Sync,
) -> Result<(Calibrated, RunEnd), BrokenGame> {
    let evaluate = |_: &mut (), played: &mut Match| {
        let seats = 0..played.table.players();
        seats.map(|seat| played.evaluate(seat)).collect()
    };
    let (told, ended) = gather(game, asked, stop, progress, || (), evaluate)?;
    let mut found = judge(&told);
    found.written = game.definition.bots.scale.map(|scale| {
        let scale = f64::from(scale);
        Written {
            scale,
            log_loss: log_loss(&told, scale),
            off_by: off_by(&bins(&told, scale)),
        }
    });
    Ok((found, ended))
}

/// Plays, and notes something of every seat at moments at which a line may be judged.
pub(crate) fn gather<B, P: Send>(
    game: &Arc<Game>,
    asked: &Calibration,
    stop: &AtomicBool,
    progress: impl Fn(u64) + Sync,
    bench: impl Fn() -> B + Sync,
    note: impl Fn(&mut B, &mut Match) -> Result<Vec<P>, BrokenRule> + Sync,
) -> Result<(Vec<Noted<P>>, RunEnd), BrokenGame> {
    let mut told = Vec::new();
    let ended = runner::run(
        (0, asked.games),
        asked.jobs,
        stop,
        progress,
        || (Arena::new(game, asked.players), bench()),
        |(arena, bench), number| play_one(arena, asked, number, |played| note(bench, played)),
        |_, game| {
            told.push(game);
            Next::GoOn
        },
    )?;
    told.retain(Noted::is_decided);
    Ok((told, ended))
}

fn play_one<P>(
    arena: &mut Arena,
    asked: &Calibration,
    number: u64,
    mut note: impl FnMut(&mut Match) -> Result<Vec<P>, BrokenRule>,
) -> Result<Noted<P>, BrokenGame> {
    let seed = asked.seed + number;
    let broken = |error| BrokenGame::Rules { seed, error };
    let mut table = asked.bots.clone();
    let by = number % table.len().max(1) as u64;
    table.rotate_right(by as usize);
    let begun = arena.restart(seed);
    // Everybody is asked from outside, also who could answer on the spot: nobody could look in between.
    let mut drivers: Vec<Driver> = (0..asked.players)
        .map(|seat| {
            begun.seat_asked(seat);
            table[seat as usize % table.len()].driver(seat, seed)
        })
        .collect();
    let mut moments = Moments::default();
    let mut positions: Vec<Vec<P>> = Vec::new();
    let mut every = 1;
    let mut seen = 0;
    let (ranking, _) = arena
        .play_bare(|played, seat| {
            if moments.passed(played) {
                seen += 1;
                if seen % every == 0 {
                    positions.push(note(played)?);
                }
                if positions.len() == 2 * KEPT {
                    // A long game: every second position is enough.
                    let mut n = 0;
                    positions.retain(|_| {
                        n += 1;
                        n % 2 == 0
                    });
                    every *= 2;
                }
            }
            drivers[seat as usize].pick(played).map(Some)
        })
        .map_err(broken)?;
    let parties = Parties::at(arena.played());
    let firsts = |of_seats| parties.firsts(of_seats);
    Ok(Noted {
        positions: positions.into_iter().map(firsts).collect(),
        shares: parties.shares(&winners(&ranking)),
    })
}

pub(crate) fn judge(decided: &[Noted<i64>]) -> Calibrated {
    let scale = fit(decided);
    let bins = bins(decided, scale);
    let knowing_nothing = decided
        .first()
        .map_or(0.0, |g| libm::log(g.shares.len() as f64));
    Calibrated {
        games: decided.len() as u64,
        positions: decided.iter().map(|g| g.positions.len() as u64).sum(),
        scale,
        leader_at_half: leader_at_half(decided),
        log_loss: log_loss(decided, scale),
        knowing_nothing,
        off_by: off_by(&bins),
        bins: bins.to_vec(),
        written: None,
    }
}

/// Chances by a scale, and what came.
fn bins(decided: &[Noted<i64>], scale: f64) -> [Bin; BINS] {
    let mut bins = [Bin::default(); BINS];
    for game in decided {
        for values in &game.positions {
            for (chance, &came) in chances(values, scale).iter().zip(&game.shares) {
                let bin = &mut bins[((chance * BINS as f64) as usize).min(BINS - 1)];
                bin.expected += chance;
                bin.came += came;
                bin.cases += 1;
            }
        }
    }
    for bin in &mut bins {
        bin.expected /= bin.cases.max(1) as f64;
        bin.came /= bin.cases.max(1) as f64;
    }
    bins
}

/// By how many points of a hundred chances are off in the worst bin that tells something.
fn off_by(bins: &[Bin]) -> f64 {
    let cases: u64 = bins.iter().map(|bin| bin.cases).sum();
    let telling = bins
        .iter()
        .filter(|bin| bin.cases as f64 >= TELLING * cases as f64);
    telling
        .map(|bin| 100.0 * (bin.expected - bin.came).abs())
        .fold(0.0, f64::max)
}

fn leader_at_half(told: &[Noted<i64>]) -> Estimate {
    let (mut won, mut games) = (0.0, 0.0);
    for game in told.iter().filter(|game| !game.positions.is_empty()) {
        let values = &game.positions[game.positions.len() / 2];
        let most = values.iter().max();
        let led: Vec<usize> = (0..values.len())
            .filter(|&s| Some(&values[s]) == most)
            .collect();
        // Who leads together wins together.
        won += led.iter().map(|&seat| game.shares[seat]).sum::<f64>() / led.len() as f64;
        games += 1.0;
    }
    share(won, games)
}

/// Everybody's chance by what `evaluate` says of each.
fn chances(values: &[i64], scale: f64) -> Vec<f64> {
    let most = values.iter().copied().max().unwrap_or(0);
    let weights: Vec<f64> = values
        .iter()
        .map(|&value| libm::exp(value.saturating_sub(most) as f64 / scale))
        .collect();
    let total: f64 = weights.iter().sum();
    weights.iter().map(|weight| weight / total).collect()
}

/// Each game counts as much as any other, however many positions it has.
fn log_loss(told: &[Noted<i64>], scale: f64) -> f64 {
    let of_game = |game: &Noted<i64>| {
        let losses = game.positions.iter().map(|values| {
            let chances = chances(values, scale);
            let of_seat = |(chance, came): (&f64, &f64)| -came * libm::log(chance.max(1e-9));
            chances.iter().zip(&game.shares).map(of_seat).sum::<f64>()
        });
        losses.sum::<f64>() / game.positions.len().max(1) as f64
    };
    let games = told.iter().filter(|game| !game.positions.is_empty());
    let (total, count) = games.fold((0.0, 0.0), |(total, count), game| {
        (total + of_game(game), count + 1.0)
    });
    total / f64::max(count, 1.0)
}

/// The scale with the least loss: the loss has one valley along the logarithm of the scale.
fn fit(told: &[Noted<i64>]) -> f64 {
    let loss = |exponent: f64| log_loss(told, libm::exp(exponent));
    let (mut low, mut high) = (0.0, libm::log(1e8));
    let golden = 0.618_033_988_749_895;
    for _ in 0..60 {
        let (left, right) = (high - golden * (high - low), low + golden * (high - low));
        if loss(left) < loss(right) {
            high = right;
        } else {
            low = left;
        }
    }
    libm::exp((low + high) / 2.0).round().max(1.0)
}
