//! `ludoteca sim`: many games with bots, on all cores, reported with their errors.

use crate::arguments::lab::Sim;
use crate::lab::{bare, check_page, run as lab, sink::Sink, tables, write_page};
use crate::output::{Failure, Outcome, errln, outln, unwritable, write_out};
use crate::packs;
use crate::seats::{Sitter, at_the_table};
use ludoteca::keep;
use ludoteca::play::session::Session;
use ludoteca::table::game::Game;
use ludoteca_lab::page;
use ludoteca_lab::record::Header;
use ludoteca_lab::runner::{Ended, Next};
use ludoteca_lab::simulate::{Plan, stream};
use ludoteca_lab::summary::Summary;
use serde_json::json;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

pub fn run(content: &[PathBuf], sim: &Sim) -> Outcome {
    check_page(sim.reporting.report.as_deref())?;
    let game = packs::game(content, &sim.game)?;
    let mut plan = lab::plan(&sim.runs, &game, sim.rotate)?;
    plan.verify = sim.verify;
    if let Some(number) = sim.only {
        return only(&game, sim, &plan, number);
    }
    if sim.bare {
        return bare::run(&game, &plan);
    }
    if let Some(shard) = &sim.shard {
        plan.part = part(shard, plan.games)?;
    }
    let header = Header::new(&game, &plan);
    let mut summary = Summary::new(header.clone());
    let open =
        |path: &PathBuf| Sink::open(path, &header, sim.resume, |record| summary.add(&record));
    let mut sink = sim.out.as_ref().map(open).transpose()?;
    // Games that were there already are not played again.
    let before = summary.games;
    let asked = plan.part.1 - plan.part.0;
    plan.part.0 += before;
    let stop = lab::stop_flag();
    let bar = lab::bar(asked);
    let started = Instant::now();
    let ended = stream(
        &game,
        &plan,
        &stop,
        |_| {},
        |record| {
            summary.add(&record);
            let next = sink.as_mut().map_or(Next::GoOn, |sink| sink.write(&record));
            // What counts is what is on disk.
            bar.set_position(sink.as_ref().map_or(summary.games, Sink::kept));
            next
        },
    );
    let seconds = started.elapsed().as_secs_f64();
    bar.finish_and_clear();
    // What goes to disk comes first: whoever reads the report may go away in the middle of it.
    let stored = sink.map_or(Ok(()), Sink::close);
    let reported = report(sim, &plan, &summary, before, seconds);
    if matches!(ended, Ok(Ended::Stopped)) {
        errln!("stopped after {} of {asked} games", summary.games);
    }
    stored?;
    reported?;
    ended
        .map(drop)
        .map_err(|broken| Failure::Game(broken.to_string()))
}

fn report(sim: &Sim, plan: &Plan, summary: &Summary, before: u64, seconds: f64) -> Outcome {
    if summary.games == 0 {
        return Ok(());
    }
    let (header, found) = (&summary.header, summary.findings());
    let paged = sim.reporting.report.as_ref().map_or(Ok(()), |path| {
        let replay = header.replay("N");
        let language = sim.reporting.reader.lang;
        write_page(path, page::run(header, &found, &replay, language))
    });
    if sim.reporting.json {
        let report = json!({
            "run": header,
            "seconds": seconds,
            "summary": found,
        });
        outln!("{report}");
    } else {
        tables::findings(header, &found);
        let decisions = found.measure("decisions").map_or(0.0, |d| d.mean.value);
        let games = summary.games - before;
        tables::speed(games, decisions * games as f64, seconds, plan.jobs);
    }
    paged
}

/// The games of part `i/n` of a run.
fn part(shard: &str, games: u64) -> Result<(u64, u64), Failure> {
    let numbers = shard
        .split_once('/')
        .and_then(|(part, parts)| Some((part.parse::<u64>().ok()?, parts.parse::<u64>().ok()?)));
    match numbers {
        Some((part, parts)) if (1..=parts).contains(&part) && parts <= games => {
            let start = |part: u64| (games as u128 * part as u128 / parts as u128) as u64;
            Ok((start(part - 1), start(part)))
        }
        _ => Err(Failure::Usage(format!(
            "`--shard {shard}`: expected i/n, with i from 1 to n and at least a game for each part"
        ))),
    }
}

/// Plays one game of the run and writes its transcript.
fn only(game: &Arc<Game>, sim: &Sim, plan: &Plan, number: u64) -> Outcome {
    let bots = plan.bots_of(number);
    let sitters: Vec<Sitter> = bots.into_iter().map(Sitter::Bot).collect();
    let seed = plan.seed_of(number);
    let mut session = Session::new(
        game.clone(),
        at_the_table(&sitters),
        seed,
        &packs::selection(&sim.game)?,
    );
    session.played.verify = sim.verify;
    let outcome = session.go_on();
    match &sim.out {
        Some(path) => {
            keep::write(path, session.transcript.to_string())
                .map_err(|error| unwritable(path, &error))?;
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
