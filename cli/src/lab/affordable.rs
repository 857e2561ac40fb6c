//! Who plays if nobody is named: the best bot that plays all the games in ten minutes here.

use ludoteca::{Arena, Bot, BrokenRule, Game, seat_bots};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What all games together may take.
const PATIENCE: Duration = Duration::from_secs(600);
/// Nobody waits longer for the first game than this.
const LONGEST: Duration = Duration::from_secs(5);

/// The best affordable bot for so many games: `greedy` where the game has an opinion of positions, else by its habits, else at random.
pub fn bot(game: &Arc<Game>, players: u8, games: u64, jobs: usize) -> Bot {
    let threads = match jobs {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        jobs => jobs,
    };
    let each = PATIENCE.mul_f64(threads as f64 / games.max(1) as f64);
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

/// Whether a game with this bot on every seat takes no longer.
fn takes_at_most(game: &Arc<Game>, players: u8, bot: Bot, most: Duration) -> bool {
    let began = Instant::now();
    let mut arena = Arena::new(game, players);
    let seed = 0;
    let mut drivers = seat_bots(arena.restart(seed), &vec![bot; players as usize], seed);
    let mut late = false;
    let played: Result<_, BrokenRule> = arena.play_bare(|played, seat| {
        late = began.elapsed() > most;
        if late {
            return Ok(None);
        }
        let driver = drivers.get_mut(seat as usize).and_then(Option::as_mut);
        driver.map(|driver| driver.pick(played)).transpose()
    });
    played.is_ok() && !late
}
