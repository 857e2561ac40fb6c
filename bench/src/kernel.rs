//! Risk mini through the real kernel: content as text files, the agenda, options with keys on demand, limits.

use crate::measure::cpu;
use ludoteca::{Arena, Bot, Game, Library, Match, PackSource, Position, Selection, Status, load};
use ludoteca_lab::simulate;
use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

pub const PLAYERS: u8 = 3;

/// The benchmark game as an author wrote it.
pub fn game() -> Result<Arc<Game>, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("pack");
    let packs = PackSource::folder(folder).map_err(|error| error.to_string())?;
    let (library, _) = Library::open(&packs);
    load(&library, "risk-mini", &Selection::default())
        .map_err(|problems| ludoteca::render_all(&problems, false))
}

/// Plays one game at random and answers with its decisions.
pub fn play(arena: &mut Arena, seed: u64) -> Result<u64, String> {
    let record = simulate::play(arena, &[Bot::Random; PLAYERS as usize], seed)
        .map_err(|broken| broken.to_string())?;
    Ok(record.decisions)
}

/// Plays one game that stops at every decision and is answered from outside.
pub fn play_suspended(
    table: &mut Match,
    players: u8,
    seed: u64,
    mut at_choice: impl FnMut(&Match),
) -> Result<u64, String> {
    table.restart(seed);
    for seat in 0..players {
        table.table.seats[seat as usize] = ludoteca::AnsweredBy::Asked;
    }
    let luck: Vec<_> = (0..players)
        .map(|seat| ludoteca::Luck::new(seat, seed))
        .collect();
    let mut picked = Vec::new();
    while table.advance().map_err(|broken| broken.to_string())? == Status::Asking {
        at_choice(table);
        let Some(seat) = table.choice().and_then(|choice| choice.waiting()) else {
            break;
        };
        let mut luck = luck[seat as usize].now(&table.table.state);
        ludoteca::random::pick_into(table, seat, &mut luck, &mut picked);
        table
            .answer(seat, &picked)
            .map_err(|error| error.to_string())?;
    }
    Ok(table.table.state.tally.decisions)
}

/// Positions in the middle of rules, some fifty decisions apart.
pub fn positions(game: &Arc<Game>) -> Result<Vec<Position>, String> {
    let mut table = Match::new(game.clone(), PLAYERS, 7);
    let mut kept = Vec::new();
    let mut seen = 0;
    play_suspended(&mut table, PLAYERS, 7, |table| {
        seen += 1;
        if seen % 50 == 0 {
            kept.push(table.position());
        }
    })?;
    Ok(kept)
}

/// Goes to a position again and again: what a search does most.
pub fn fork(table: &mut Match, from: &Position) {
    table.restore(black_box(from));
}

/// Games a second on some threads, by wall time and by CPU time: the first falls on a busy machine, the second only where threads hinder
/// each other.
#[derive(Debug, Clone, Copy, Default)]
pub struct Pace {
    pub wall: f64,
    pub cpu: f64,
}

impl Pace {
    /// The faster of two by either time.
    pub fn or(self, other: Pace) -> Pace {
        Pace {
            wall: self.wall.max(other.wall),
            cpu: self.cpu.max(other.cpu),
        }
    }
}

pub fn parallel(
    game: &Arc<Game>,
    players: u8,
    bot: Bot,
    games: u64,
    jobs: usize,
) -> Result<Pace, String> {
    let plan = simulate::Plan {
        jobs,
        ..simulate::Plan::new(players, vec![bot; players as usize], 1, games)
    };
    let (started, before) = (std::time::Instant::now(), cpu());
    simulate::simulate(game, &plan, &AtomicBool::new(false), |_| {})
        .map_err(|broken| broken.to_string())?;
    Ok(Pace {
        wall: games as f64 / started.elapsed().as_secs_f64(),
        cpu: games as f64 / (cpu() - before),
    })
}

/// Two threads to one, the best of three turns of each.
pub fn two_to_one(game: &Arc<Game>, players: u8, bot: Bot, games: u64) -> Result<Pace, String> {
    let (mut one, mut two) = (Pace::default(), Pace::default());
    for _ in 0..3 {
        one = one.or(parallel(game, players, bot, games, 1)?);
        two = two.or(parallel(game, players, bot, games * 2, 2)?);
    }
    Ok(Pace {
        wall: two.wall / one.wall,
        cpu: two.cpu / one.cpu,
    })
}
