//! The games people play, with bots: decisions a CPU second, what a decision allocates, what a copy of a position costs, two threads.

use crate::counting;
use crate::kernel::{self, play_suspended};
use crate::measure::{Rate, cpu};
use crate::report::{Aim, Report};
use ludoteca::{Arena, Bot, Game, Library, Match, Position, Selection, load, render_all};
use ludoteca_lab::simulate;
use std::hint::black_box;
use std::sync::Arc;

/// A game that is measured.
struct Measured {
    id: &'static str,
    players: u8,
    /// Its random decisions for each decision of plain Rust on the small game, before anything of this table was mended, and how many
    /// times that is aimed at. Both sides of the first come from one run, so that it means the same on every machine, with the profile `quick`.
    before: f64,
    aim: f64,
    is_largest: bool,
}

/// The games that are measured, a line each; players who look ahead imagine most in the last.
const GAMES: &str = include_str!("../games.txt");

fn measured() -> Vec<Measured> {
    let read = |line: &'static str| {
        let mut words = line.split(' ');
        Some(Measured {
            id: words.next()?,
            players: words.next()?.parse().ok()?,
            before: words.next()?.parse().ok()?,
            aim: words.next()?.parse().ok()?,
            is_largest: words.next() == Some("largest"),
        })
    };
    GAMES.lines().filter_map(read).collect()
}

/// The one with the most content, and as many players as are measured.
pub fn largest() -> Option<(&'static str, u8)> {
    let mut measured = measured().into_iter();
    measured.find(|m| m.is_largest).map(|m| (m.id, m.players))
}

pub fn game(id: &str) -> Result<Arc<Game>, String> {
    let (library, _) = Library::open(&ludoteca_base::packs());
    load(&library, id, &Selection::default()).map_err(|problems| render_all(&problems, false))
}

/// Decisions and allocations of some games.
#[derive(Debug, Clone, Copy, Default)]
pub struct Played {
    pub decisions: u64,
    pub allocations: u64,
}

/// Plays games from seed 1 on, one after the other at one table.
pub fn play(game: &Arc<Game>, players: u8, bot: Bot, games: u64) -> Result<Played, String> {
    let mut arena = Arena::new(game, players);
    let mut played = Played::default();
    for seed in 1..=games {
        let before = counting::allocations();
        played.decisions += play_one(&mut arena, players, bot, seed)?;
        played.allocations += counting::allocations() - before;
    }
    Ok(played)
}

fn play_one(arena: &mut Arena, players: u8, bot: Bot, seed: u64) -> Result<u64, String> {
    let record = simulate::play(arena, &vec![bot; players as usize], seed)
        .map_err(|broken| broken.to_string())?;
    Ok(record.decisions)
}

/// Plays games whose every decision is put to somebody outside, who answers at random.
pub fn play_stopped(game: &Arc<Game>, players: u8, games: u64) -> Result<Played, String> {
    let mut table = Match::new(game.clone(), players, 0);
    let mut played = Played::default();
    for seed in 1..=games {
        let before = counting::allocations();
        played.decisions += play_suspended(&mut table, players, seed, |_| {})?;
        played.allocations += counting::allocations() - before;
    }
    Ok(played)
}

/// Goes to the positions of a game again and again; for a profiler.
pub fn play_copies(game: &Arc<Game>, players: u8, times: u64) -> Result<Played, String> {
    let positions = positions(game, players)?;
    let mut table = Match::new(game.clone(), players, 0);
    let before = counting::allocations();
    for _ in 0..times {
        fork_all(&mut table, &positions);
    }
    Ok(Played {
        decisions: times * positions.len() as u64,
        allocations: counting::allocations() - before,
    })
}

#[inline(never)]
fn fork_all(table: &mut Match, positions: &[Position]) {
    for position in positions {
        kernel::fork(table, position);
    }
}

/// Positions of a game, as far apart as its length allows.
fn positions(game: &Arc<Game>, players: u8) -> Result<Vec<Position>, String> {
    const MOST: u64 = 64;
    let mut table = Match::new(game.clone(), players, 1);
    let decisions = play_suspended(&mut table, players, 1, |_| {})?;
    let apart = decisions.div_ceil(MOST).clamp(1, 50);
    let mut kept = Vec::new();
    let mut seen = 0;
    play_suspended(&mut table, players, 1, |table| {
        seen += 1;
        if seen % apart == 0 && kept.len() < MOST as usize {
            kept.push(table.position());
        }
    })?;
    Ok(kept)
}

/// Random play, copies and threads of every game. `rust` is how many decisions plain Rust makes in a CPU second.
pub fn all(report: &mut Report, seconds: f64, rust: f64) -> Result<(), String> {
    for measured in &measured() {
        let game = game(measured.id)?;
        report.heading(&format!(
            "{}, {} random players",
            measured.id, measured.players
        ));
        random(report, measured, &game, seconds, rust)?;
        copies(report, measured, &game, seconds)?;
        threads(report, measured, &game, Bot::Random, seconds)?;
        if seconds >= 1.0 {
            threads(report, measured, &game, Bot::Greedy, seconds)?;
        }
    }
    greedy(report)
}

fn random(
    report: &mut Report,
    measured: &Measured,
    game: &Arc<Game>,
    seconds: f64,
    rust: f64,
) -> Result<(), String> {
    let (id, players) = (measured.id, measured.players);
    let (mut in_place, mut stopped) = (Rate::default(), Rate::default());
    let mut arena = Arena::new(game, players);
    let mut table = Match::new(game.clone(), players, 0);
    for seed in 1..=3 {
        in_place.measure(seconds, || play_one(&mut arena, players, Bot::Random, seed))?;
        stopped.measure(seconds, || {
            play_suspended(&mut table, players, seed, |_| {})
        })?;
    }
    let before = counting::allocations();
    let decisions = play_one(&mut arena, players, Bot::Random, 1)?;
    let allocated = (counting::allocations() - before) as f64 / decisions as f64;
    let before = counting::allocations();
    let decisions = play_suspended(&mut table, players, 1, |_| {})?;
    let stopping = (counting::allocations() - before) as f64 / decisions as f64;
    let key = |what: &str| format!("{id}.{what}");
    report.add(
        &key("decisions"),
        "decisions a CPU second",
        in_place.best,
        Aim::None,
    );
    let grown = in_place.best / rust / measured.before;
    report.add(
        &key("faster"),
        "times as many as at first (profile quick)",
        grown,
        Aim::AtLeast(measured.aim),
    );
    let share = stopped.best / in_place.best;
    report.add(
        &key("stopped"),
        "stopped at every decision, to in place",
        share,
        Aim::AtLeast(0.85),
    );
    report.add(
        &key("allocations"),
        "allocations a decision",
        allocated,
        Aim::Below(0.2),
    );
    report.add(
        &key("stopped_allocations"),
        "allocations a decision, stopped",
        stopping,
        Aim::Below(0.2),
    );
    Ok(())
}

fn copies(
    report: &mut Report,
    measured: &Measured,
    game: &Arc<Game>,
    seconds: f64,
) -> Result<(), String> {
    let positions = positions(game, measured.players)?;
    let mut table = Match::new(game.clone(), measured.players, 0);
    let mut kept = table.position();
    let (mut forked, mut noted) = (Rate::default(), Rate::default());
    for _ in 0..3 {
        forked.measure(seconds / 4.0, || {
            fork_all(&mut table, &positions);
            Ok(positions.len() as u64)
        })?;
        noted.measure(seconds / 4.0, || {
            table.note_position(black_box(&mut kept));
            Ok(1)
        })?;
    }
    let key = |what: &str| format!("{}.{what}", measured.id);
    report.add(
        &key("copy"),
        "copy of a position into used memory, µs",
        1e6 / forked.best,
        Aim::Below(1.0),
    );
    report.add(
        &key("note"),
        "the same position noted again, µs",
        1e6 / noted.best,
        Aim::Below(1.0),
    );
    Ok(())
}

/// Two threads to one, by wall time, of which a busy machine shows less, and by CPU time.
fn threads(
    report: &mut Report,
    measured: &Measured,
    game: &Arc<Game>,
    bot: Bot,
    seconds: f64,
) -> Result<(), String> {
    let mut arena = Arena::new(game, measured.players);
    let start = cpu();
    play_one(&mut arena, measured.players, bot, 1)?;
    let games = (seconds / (cpu() - start)).clamp(4.0, 10_000.0) as u64;
    let pace = kernel::two_to_one(game, measured.players, bot, games)?;
    let key = format!("{}.threads.{}", measured.id, bot.name());
    let what = format!("two threads to one, {}", bot.name());
    report.add(&key, &what, pace.wall, Aim::AtLeast(1.95));
    report.add(
        &format!("{key}.cpu"),
        "the same by the CPU time of both",
        pace.cpu,
        Aim::None,
    );
    Ok(())
}

/// What some decisions of players who look ahead took.
#[derive(Debug, Clone, Copy, Default)]
struct Thought {
    played: Played,
    imagined: u64,
}

/// Greedy players make so many decisions of the match with seed 1, or all there are; what they took is counted from `from` on.
fn think(game: &Arc<Game>, players: u8, from: u64, decisions: u64) -> Result<Thought, String> {
    let mut table = Match::new(game.clone(), players, 1);
    let bots = vec![Bot::Greedy; players as usize];
    let mut drivers = ludoteca::seat_bots(&mut table, &bots, 1);
    let imagined = |drivers: &[Option<ludoteca::Driver>]| -> u64 {
        let seated = drivers.iter().flatten();
        seated.map(|driver| driver.imagined()).sum()
    };
    let (mut before, mut seen) = ((counting::allocations(), 0), 0);
    while seen < decisions
        && table.advance().map_err(|broken| broken.to_string())? == ludoteca::Status::Asking
    {
        let Some(seat) = table.choice().and_then(|choice| choice.waiting()) else {
            break;
        };
        if seen == from {
            before = (counting::allocations(), imagined(&drivers));
        }
        let Some(driver) = drivers.get_mut(seat as usize).and_then(Option::as_mut) else {
            break;
        };
        let picked = driver.pick(&table).map_err(|broken| broken.to_string())?;
        table
            .answer(seat, &picked)
            .map_err(|error| error.to_string())?;
        seen += 1;
    }
    Ok(Thought {
        played: Played {
            decisions: seen,
            allocations: counting::allocations() - before.0,
        },
        imagined: imagined(&drivers) - before.1,
    })
}

/// The first decisions of a match of greedy players, whose games may be long; for a profiler.
pub fn play_thinking(game: &Arc<Game>, players: u8, decisions: u64) -> Result<Played, String> {
    think(game, players, 0, decisions).map(|thought| thought.played)
}

/// What looking ahead allocates, in the game that does most of it.
fn greedy(report: &mut Report) -> Result<(), String> {
    const DECISIONS: u64 = 40;
    const PLAYERS: u8 = 4;
    let id = GAMES.lines().last().and_then(|line| line.split(' ').next());
    let id = id.unwrap_or_default();
    let game = game(id)?;
    let start = cpu();
    // The first half fills the memory that is used again.
    let thought = think(&game, PLAYERS, DECISIONS, 2 * DECISIONS)?;
    report.heading(&format!("{id}, {PLAYERS} greedy players"));
    report.add(
        "greedy.allocations",
        "allocations an imagined decision",
        thought.played.allocations as f64 / thought.imagined.max(1) as f64,
        Aim::Below(1.0),
    );
    report.add(
        "greedy.imagined",
        "imagined decisions for one that is made",
        thought.imagined as f64 / DECISIONS as f64,
        Aim::None,
    );
    report.add(
        "greedy.decisions",
        "decisions a CPU second",
        thought.played.decisions as f64 / (cpu() - start),
        Aim::None,
    );
    Ok(())
}
