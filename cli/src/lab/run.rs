//! A run as typed: the plan, how it shows its progress, how it is stopped, and how one of its games is played again.

use super::affordable;
use crate::arguments::lab::Runs;
use crate::output::Failure;
use crate::packs;
use crate::progress;
use crate::words::{errors::told, say, word};
use indicatif::ProgressBar;
use ludoteca::{Bot, BotError, Game, nearest};
use ludoteca_lab::names::listed;
use ludoteca_lab::simulate::Plan;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The plan of a run. `played` is how many games that makes in all, of every side, point and trial: if no bot is named, the best one plays that
/// plays them all in a bearable time.
pub fn plan(runs: &Runs, game: &Arc<Game>, rotate: bool, played: u64) -> Result<Plan, Failure> {
    let players = packs::players(game, runs.players)?;
    let bots = match runs.bots.is_empty() {
        true => vec![affordable::bot(game, players, played, runs.jobs); players as usize],
        false => bots(&runs.bots, players)?,
    };
    let plan = Plan::new(players, bots, runs.seed, runs.games);
    Ok(Plan {
        rotate,
        close: runs.close.unwrap_or(plan.usual_close()),
        jobs: runs.jobs,
        ..plan
    })
}

/// The plan of a run that is only watched.
pub fn plan_of(players: u8, names: &[String], seed: u64, games: u64) -> Result<Plan, Failure> {
    let plan = Plan::new(players, bots(names, players)?, seed, games);
    Ok(Plan {
        rotate: true,
        ..plan
    })
}

/// A bot for each seat; one name stands for all.
fn bots(names: &[String], players: u8) -> Result<Vec<Bot>, Failure> {
    let bots = repeatable(names)?;
    match bots.len() {
        1 => Ok(vec![bots[0]; players as usize]),
        count if count == players as usize => Ok(bots),
        count => Err(Failure::Usage(say!(
            "se nombran {count} bots para {players} jugadores; nombra uno para todos, o uno para cada uno",
            "{count} bots are named for {players} players; name one for all, or one for each"
        ))),
    }
}

/// Bots by their names, whose games can be played again.
pub fn repeatable(names: &[String]) -> Result<Vec<Bot>, Failure> {
    let bots: Result<Vec<Bot>, BotError> = names.iter().map(|name| name.parse()).collect();
    let bots = bots.map_err(|error| Failure::Usage(told(&error)))?;
    match bots.iter().find(|bot| !bot.is_repeatable()) {
        None => Ok(bots),
        Some(timed) => Err(Failure::Usage(say!(
            "«{timed}» piensa por reloj y sus partidas no se podrían repetir; dale líneas, como «search:1000»",
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

/// What was played until somebody stopped it has been shown.
pub fn stopped() -> Failure {
    Failure::Stopped(say!(
        "interrumpido; lo que se muestra es lo jugado hasta entonces",
        "stopped; what is shown was played until then"
    ))
}

/// How far a run has come.
pub fn bar(games: u64) -> ProgressBar {
    let template = word!(
        "{bar:30} {pos}/{len} partidas  faltan {eta}  {msg}",
        "{bar:30} {pos}/{len} games  {eta} left  {msg}"
    );
    progress::styled(ProgressBar::new(games), template)
}

/// What a name may be of.
#[derive(Debug, Clone, Copy)]
pub enum NameOf {
    Metric,
    /// A card, or a word that is offered as an option.
    Item,
}

/// A name must be one of those known.
pub fn known(what: NameOf, name: &str, among: &[String]) -> Result<(), Failure> {
    if among.iter().any(|known| known == name) {
        return Ok(());
    }
    let hint = match nearest(name, among) {
        Some(close) => say!("¿quizá «{close}»?", "did you mean `{close}`?"),
        None => say!("hay {}", "there are {}", listed(among)),
    };
    Err(Failure::Usage(match what {
        NameOf::Metric => say!(
            "no hay ninguna medida «{name}»; {hint}",
            "unknown metric `{name}`; {hint}"
        ),
        NameOf::Item => say!(
            "no hay ninguna carta, opción o clase «{name}»; {hint}",
            "unknown card, option or kind `{name}`; {hint}"
        ),
    }))
}
