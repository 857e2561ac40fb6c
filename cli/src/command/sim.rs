//! `ludoteca sim`: many games with bots, on all cores, reported with their errors.

use crate::arguments::Sim;
use crate::output::{Failure, Outcome, errln, outln, write_out};
use crate::packs;
use crate::seats::Sitter;
use crate::session::Session;
use indicatif::{ProgressBar, ProgressStyle};
use ludoteca::bots::Bot;
use ludoteca::lab::simulate::{BrokenGame, Plan, Row, Summary, play, simulate};
use ludoteca::play::matches::Match;
use ludoteca::script::game::Game;
use serde_json::json;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

pub fn run(content: &[PathBuf], sim: &Sim) -> Outcome {
    let game = packs::game(content, &sim.game)?;
    let players = packs::players(&game, sim.players)?;
    let bots = bots(&sim.bots, players)?;
    if let Some(number) = sim.only {
        return only(&game, sim, &bots, number);
    }
    let plan = Plan {
        players,
        bots,
        seed: sim.seed,
        games: sim.games,
        jobs: sim.jobs,
    };
    let stop = Arc::new(AtomicBool::new(false));
    let heard = stop.clone();
    // A second handler cannot be set; without one, Ctrl-C simply ends the run.
    let _ = ctrlc::set_handler(move || heard.store(true, Ordering::Relaxed));
    let bar = ProgressBar::new(sim.games);
    if let Ok(style) =
        ProgressStyle::with_template("{bar:30} {pos}/{len} games  {per_sec}  {eta} left")
    {
        bar.set_style(style);
    }
    let started = Instant::now();
    let rows = match sim.verify {
        true => verify(&game, &plan, &stop, &bar),
        false => simulate(&game, &plan, &stop, |done| bar.inc(done)),
    };
    let rows = rows.map_err(|broken| Failure::Game(broken.to_string()))?;
    let seconds = started.elapsed().as_secs_f64();
    bar.finish_and_clear();
    let summary = Summary::new(&game, &rows, players);
    let names: Vec<&str> = plan.bots.iter().map(|bot| bot.name()).collect();
    if sim.json {
        let report = json!({
            "game": game.definition.id,
            "selection": game.definition.selection,
            "content": format!("{:016x}", game.definition.hash),
            "players": players,
            "bots": names,
            "seed": sim.seed,
            "seconds": seconds,
            "summary": summary,
        });
        outln!("{report}");
        return Ok(());
    }
    print(&summary, &names, seconds);
    if stop.load(Ordering::Relaxed) {
        errln!("stopped after {} of {} games", summary.games, sim.games);
    }
    Ok(())
}

/// The same games one after the other, with the game's invariants asked after every step.
fn verify(
    game: &Arc<Game>,
    plan: &Plan,
    stop: &AtomicBool,
    bar: &ProgressBar,
) -> Result<Vec<Row>, BrokenGame> {
    let mut played = Match::new(game.clone(), plan.players, 0);
    played.verify = true;
    let seeds = (0..plan.games).map(|i| plan.seed.wrapping_add(i));
    let rows = seeds
        .take_while(|_| !stop.load(Ordering::Relaxed))
        .map(|seed| {
            played.restart(seed);
            bar.inc(1);
            play(&mut played, &plan.bots, seed)
        });
    rows.collect()
}

/// Plays one game of the run and writes its transcript.
fn only(game: &Arc<Game>, sim: &Sim, bots: &[Bot], number: u64) -> Outcome {
    let sitters: Vec<Sitter> = bots.iter().map(|&bot| Sitter::Bot(bot)).collect();
    let seed = sim.seed.wrapping_add(number);
    let mut session = Session::new(game.clone(), &sitters, seed, &packs::selection(&sim.game)?);
    session.played.verify = sim.verify;
    let outcome = session.go_on();
    match &sim.out {
        Some(path) => {
            let written = std::fs::write(path, session.transcript.to_string());
            written.map_err(|error| Failure::Usage(format!("{}: {error}", path.display())))?;
            errln!(
                "game {number}, seed {seed}: {} answers, written to {}",
                session.transcript.lines.len(),
                path.display()
            );
        }
        None => write_out(format_args!("{}", session.transcript)),
    }
    outcome
        .map(drop)
        .map_err(|stopped| Failure::Game(format!("game with seed {seed}: {stopped}")))
}

fn print(summary: &Summary, bots: &[&str], seconds: f64) {
    outln!("{} games in {seconds:.2} s", summary.games);
    outln!();
    outln!("seat  bot      wins    95 % interval      score");
    for (seat, wins) in summary.wins.iter().enumerate() {
        let score = &summary.scores[seat];
        outln!(
            "p{seat:<4} {:8} {:5.1} %  {:5.1} .. {:5.1} %   {:8.1}",
            bots[seat],
            wins.value * 100.0,
            wins.low * 100.0,
            wins.high * 100.0,
            score.value
        );
    }
    outln!();
    let [least, quarter, half, three_quarters, most] = summary.round_quantiles;
    outln!(
        "rounds      {:.1}  (quantiles {least} {quarter} {half} {three_quarters} {most})",
        summary.rounds.value
    );
    outln!(
        "decisions   {:.0} a game, {:.1} options each, {:.0} % forced",
        summary.decisions.value,
        summary.options_per_decision,
        summary.forced_share * 100.0
    );
    for (reason, count) in &summary.reasons {
        outln!(
            "ended by    {reason}: {count}  ({:.1} %)",
            *count as f64 * 100.0 / summary.games.max(1) as f64
        );
    }
    for (name, mean) in &summary.metrics {
        outln!(
            "{name:24} {:.2}  ({:.2} .. {:.2})",
            mean.value,
            mean.low,
            mean.high
        );
    }
    let decisions = summary.decisions.value * summary.games as f64;
    outln!(
        "speed       {:.0} games/s, {:.0} decisions/s",
        summary.games as f64 / seconds,
        decisions / seconds
    );
}

/// A bot for each seat; one name stands for all.
pub fn bots(names: &[String], players: u8) -> Result<Vec<Bot>, Failure> {
    let bots: Result<Vec<Bot>, String> = names.iter().map(|name| name.parse()).collect();
    let bots = bots.map_err(Failure::Usage)?;
    match bots.len() {
        1 => Ok(vec![bots[0]; players as usize]),
        count if count == players as usize => Ok(bots),
        count => Err(Failure::Usage(format!(
            "{count} bots are named for {players} players; name one for all, or one for each"
        ))),
    }
}
