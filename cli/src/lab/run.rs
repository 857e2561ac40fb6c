//! A run as typed: the plan, how it shows its progress, how it is stopped, and how one of its games is played again.

use crate::arguments::lab::Runs;
use crate::output::Failure;
use crate::packs;
use indicatif::{ProgressBar, ProgressStyle};
use ludoteca::bots::{Bot, BotError};
use ludoteca::content::diagnostic::nearest;
use ludoteca::table::game::Game;
use ludoteca_lab::simulate::Plan;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The plan of a run.
pub fn plan(runs: &Runs, game: &Game, rotate: bool) -> Result<Plan, Failure> {
    let players = packs::players(game, runs.players)?;
    let bots = bots(&runs.bots, players)?;
    let plan = Plan::new(players, bots, runs.seed, runs.games);
    Ok(Plan {
        rotate,
        close: runs.close.unwrap_or(plan.usual_close()),
        jobs: runs.jobs,
        ..plan
    })
}

/// A bot for each seat; one name stands for all.
fn bots(names: &[String], players: u8) -> Result<Vec<Bot>, Failure> {
    let bots = repeatable(names)?;
    match bots.len() {
        1 => Ok(vec![bots[0]; players as usize]),
        count if count == players as usize => Ok(bots),
        count => Err(Failure::Usage(format!(
            "{count} bots are named for {players} players; name one for all, or one for each"
        ))),
    }
}

/// Bots by their names, whose games can be played again.
pub fn repeatable(names: &[String]) -> Result<Vec<Bot>, Failure> {
    let bots: Result<Vec<Bot>, BotError> = names.iter().map(|name| name.parse()).collect();
    let bots = bots.map_err(|error| Failure::Usage(error.to_string()))?;
    match bots.iter().find(|bot| !bot.is_repeatable()) {
        None => Ok(bots),
        Some(timed) => Err(Failure::Usage(format!(
            "`{timed}` thinks by the clock, so its games could not be played again; give it lines, such as `search:1000`"
        ))),
    }
}

/// A flag that Ctrl-C raises: the run ends with what is done.
pub fn stop_flag() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let heard = stop.clone();
    // A second handler cannot be set; without one, Ctrl-C simply ends the run.
    let _ = ctrlc::set_handler(move || heard.store(true, Ordering::Relaxed));
    stop
}

/// How far a run has come.
pub fn bar(games: u64) -> ProgressBar {
    let bar = ProgressBar::new(games);
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} games  {per_sec}  {eta} left");
    if let Ok(style) = style {
        bar.set_style(style);
    }
    bar
}

/// A name must be one of those known.
pub fn known(what: &str, name: &str, among: &[String]) -> Result<(), Failure> {
    if among.iter().any(|known| known == name) {
        return Ok(());
    }
    let hint = match nearest(name, among) {
        Some(close) => format!("did you mean `{close}`?"),
        None => format!("there are {}", among.join(", ")),
    };
    Err(Failure::Usage(format!("unknown {what} `{name}`; {hint}")))
}
