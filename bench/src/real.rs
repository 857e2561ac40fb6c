//! The games people play, with bots: decisions a CPU second, what a decision allocates, what a copy of a position costs, two threads.

use crate::counting;
use ludoteca::bots::Bot;
use ludoteca::content::diagnostic::render_all;
use ludoteca::content::library::{Library, Selection};
use ludoteca::play::arena::Arena;
use ludoteca::play::matches::{Match, Position};
use ludoteca::script::game::Game;
use ludoteca::script::load;
use ludoteca_lab::simulate;
use std::sync::Arc;

/// What is measured: the games, and for how many.
pub const GAMES: [(&str, u8); 5] = [
    ("alta-tension", 4),
    ("altered", 2),
    ("conquista", 3),
    ("euphoria", 4),
    ("teg", 4),
];

pub fn game(id: &str) -> Result<Arc<Game>, String> {
    let (library, _) = Library::open(&[ludoteca_base::pack()]);
    load::load(&library, id, &Selection::default()).map_err(|problems| render_all(&problems, false))
}

/// Decisions and allocations of some games, from seed 1 on; the first game warms the table up and is not counted.
#[derive(Debug, Clone, Copy, Default)]
pub struct Played {
    pub decisions: u64,
    pub allocations: u64,
}

/// Plays games one after the other at one table.
pub fn play(game: &Arc<Game>, players: u8, bot: Bot, games: u64) -> Result<Played, String> {
    let bots = vec![bot; players as usize];
    let mut arena = Arena::new(game, players);
    let mut played = Played::default();
    for seed in 1..=games {
        let before = counting::allocations();
        let record =
            simulate::play(&mut arena, &bots, seed).map_err(|broken| broken.to_string())?;
        played.decisions += record.decisions;
        played.allocations += counting::allocations() - before;
    }
    Ok(played)
}

/// Plays games whose every decision is put to somebody outside, who answers at random.
pub fn play_stopped(game: &Arc<Game>, players: u8, games: u64) -> Result<Played, String> {
    let mut table = Match::new(game.clone(), players, 0);
    let mut played = Played::default();
    for seed in 1..=games {
        let before = counting::allocations();
        played.decisions += crate::kernel::play_suspended(&mut table, players, seed, |_| {})?;
        played.allocations += counting::allocations() - before;
    }
    Ok(played)
}

/// Positions in the middle of a game, some decisions apart.
pub fn positions(game: &Arc<Game>, players: u8) -> Result<Vec<Position>, String> {
    const APART: u64 = 100;
    const MOST: usize = 64;
    let mut table = Match::new(game.clone(), players, 1);
    let mut kept = Vec::new();
    let mut seen = 0;
    crate::kernel::play_suspended(&mut table, players, 1, |table| {
        seen += 1;
        if seen % APART == 0 && kept.len() < MOST {
            kept.push(table.position());
        }
    })?;
    Ok(kept)
}
