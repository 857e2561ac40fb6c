//! Who plays if nobody is named: the best bot that plays all the games in ten minutes here.

use ludoteca::{Arena, Bot, BrokenRule, Game, seat_bots};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What all games together may take.
const PATIENCE: Duration = Duration::from_secs(600);
/// Nobody waits longer for a game by which that is judged.
const LONGEST: Duration = Duration::from_secs(5);
/// Games by which it is judged.
const FEW: u32 = 3;
/// What the lab adds to a game by looking at it closely.
const LOOK: f64 = 1.25;

/// The best affordable bot for so many games, those of all sides, points and trials together: `greedy` where the game has an opinion of positions, else by its habits, else at random.
pub fn bot(game: &Arc<Game>, players: u8, games: u64, jobs: usize) -> Bot {
    let threads = match jobs {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        jobs => jobs,
    };
    let each = PATIENCE.mul_f64(threads as f64 / games.max(1) as f64 / LOOK);
    let able = [
        (game.calls.evaluate.is_some(), Bot::Greedy),
        (game.calls.prefer.is_some(), Bot::Policy),
    ];
    able.into_iter()
        .filter(|(able, _)| *able)
        .map(|(_, bot)| bot)
        .find(|&bot| takes_at_most(game, players, bot, each.min(LONGEST)))
        .unwrap_or(Bot::Random)
}

/// Whether games with this bot on every seat take no longer, on average.
fn takes_at_most(game: &Arc<Game>, players: u8, bot: Bot, most: Duration) -> bool {
    let began = Instant::now();
    let mut arena = Arena::new(game, players);
    let mut late = false;
    (0..u64::from(FEW)).all(|seed| {
        let mut drivers = seat_bots(arena.restart(seed), &vec![bot; players as usize], seed);
        let played: Result<_, BrokenRule> = arena.play_bare(|played, seat| {
            late = began.elapsed() > most * FEW;
            if late {
                return Ok(None);
            }
            let driver = drivers.get_mut(seat as usize).and_then(Option::as_mut);
            driver.map(|driver| driver.pick(played)).transpose()
        });
        played.is_ok() && !late
    })
}
