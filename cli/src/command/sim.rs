//! `ludoteca sim`: many games with bots, on all cores, reported with their errors.

use crate::arguments::lab::{Format, Runs, Sim};
use crate::lab::{
    bare, check_page, outlook, parts, publish, run as lab, sink::RunStore, tell_broken_opinion,
    typed,
};
use crate::output::{Failure, Outcome, errln, outln, unwritable, write_out};
use crate::packs;
use crate::seats::{Invited, at_the_table};
use crate::words::{errors::told, say};
use ludoteca::{Game, Session, keep};
use ludoteca_lab::chances;
use ludoteca_lab::record::Header;
use ludoteca_lab::report::{self, Pictures};
use ludoteca_lab::results::ResultsReader;
use ludoteca_lab::runner::{Next, RunEnd};
use ludoteca_lab::simulate::{Plan, stream};
use ludoteca_lab::summary::Summary;
use ludoteca_lab::unfinished::Unfinished;
use serde_json::json;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

pub fn run(content: &[PathBuf], sim: &Sim) -> Outcome {
    check_page(sim.reporting.report.as_deref())?;
    if sim.chances.is_some() && sim.reporting.report.is_none() {
        return Err(Failure::Usage(say!(
            "--chances dibuja en la página de --report; di cuál",
            "--chances draws on the page of --report; name one"
        )));
    }
    let game = packs::game(content, &sim.game)?;
    if let Some(shard) = sim.shard.as_ref().filter(|_| sim.runs.bots.is_empty()) {
        part(shard, sim.runs.games)?;
        return Err(Failure::Usage(say!(
            "di con --bots quién juega una serie en partes: cada máquina podría elegir a otro",
            "name the bots of a run in parts with --bots: each machine might choose others"
        )));
    }
    let mut plan = lab::plan(&runs(sim), &game, sim.rotate, sim.runs.games)?;
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
    if sim.plan {
        return outlook::show([&game, &game], &plan, 0.02, &sim.reporting);
    }
    let mut header = Header::new(&game, &plan);
    header.made.command = typed();
    let mut summary = Summary::new(header.clone());
    let open =
        |path: &PathBuf| RunStore::open(path, &header, sim.resume, |record| summary.add(&record));
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
            bar.set_position(sink.as_ref().map_or(summary.games, RunStore::kept));
            next
        },
    );
    let seconds = started.elapsed().as_secs_f64();
    bar.finish_and_clear();
    // What goes to disk comes first: whoever reads the report may go away in the middle of it.
    let stored = sink.map_or(Ok(()), RunStore::close);
    let reported = report(sim, &game, &plan, &summary, before, seconds);
    stored?;
    reported?;
    tell_broken_opinion(&game);
    match ended.map_err(|broken| Failure::Game(told(&broken)))? {
        RunEnd::Stopped => Err(stopped(sim, summary.games, asked)),
        RunEnd::Done | RunEnd::Enough => Ok(()),
    }
}

/// How far a run came that somebody stopped, and how it goes on.
fn stopped(sim: &Sim, games: u64, asked: u64) -> Failure {
    Failure::Stopped(match &sim.out {
        Some(path) => say!(
            "interrumpido tras {games} de {asked} partidas; están en {}, y la misma orden con --resume sigue",
            "stopped after {games} of {asked} games; they are in {}, and the same command with --resume goes on",
            path.display()
        ),
        None => say!(
            "interrumpido tras {games} de {asked} partidas; solo queda este informe (con --out quedan las partidas)",
            "stopped after {games} of {asked} games; only this report is left (--out keeps the games)"
        ),
    })
}

fn report(
    sim: &Sim,
    game: &Arc<Game>,
    plan: &Plan,
    summary: &Summary,
    before: u64,
    seconds: f64,
) -> Outcome {
    if summary.games == 0 {
        return Ok(());
    }
    let course = sim
        .chances
        .map(|number| chances::along(game, plan, number))
        .transpose()
        .map_err(|broken| Failure::Game(told(&broken)))?;
    let (header, found) = (&summary.header, summary.findings());
    let given = publish(
        &sim.reporting,
        |pictures, language| {
            let mut document = report::run(header, &found, pictures, language)?;
            if let (Some(course), Pictures::Drawn) = (&course, pictures) {
                document.first_figure(report::chances(header, course, language)?);
            }
            Ok(document)
        },
        || json!({ "run": header, "seconds": seconds, "summary": found }),
    );
    if !sim.reporting.json && sim.reporting.format == Format::Text {
        let decisions = found.measure("decisions").map_or(0.0, |d| d.mean.value);
        let games = summary.games - before;
        outln!(
            "{}",
            bare::speed(games, decisions * games as f64, seconds, plan.jobs)
        );
    }
    given
}

/// What is asked; a run that goes on goes on with the bots it was begun with, if none are named.
fn runs(sim: &Sim) -> Runs {
    let mut runs = sim.runs.clone();
    let begun = sim
        .out
        .as_ref()
        .filter(|_| sim.resume && runs.bots.is_empty());
    if let Some(out) = begun {
        let tables = match out.is_dir() {
            true => parts::tables(out).unwrap_or_default(),
            false => vec![out.clone()],
        };
        let paths = tables
            .into_iter()
            .flat_map(|table| [Unfinished::path(&table), table]);
        let mut headers = paths
            .filter_map(|path| keep::open(&path).ok())
            .filter_map(|file| Some(ResultsReader::open(file).ok()?.header));
        runs.bots = headers.next().map_or_else(Vec::new, |header| header.bots);
    }
    runs
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
        _ => Err(Failure::Usage(say!(
            "`--shard {shard}`: hace falta i/n, con i de 1 a n y al menos una partida por parte",
            "`--shard {shard}`: expected i/n, with i from 1 to n and at least a game for each part"
        ))),
    }
}

/// Plays one game of the run and writes its transcript.
fn only(game: &Arc<Game>, sim: &Sim, plan: &Plan, number: u64) -> Outcome {
    let bots = plan.bots_of(number);
    let sitters: Vec<Invited> = bots.into_iter().map(Invited::Bot).collect();
    let seed = plan.seed_of(number);
    let mut session = Session::new(
        game.clone(),
        at_the_table(&sitters),
        seed,
        &packs::selection(&sim.game)?,
    );
    session.verify(sim.verify);
    let outcome = session.go_on();
    match &sim.out {
        Some(path) => {
            keep::write(path, session.transcript.to_string())
                .map_err(|error| unwritable(path, &error))?;
            errln!(
                "{}",
                say!(
                    "partida {number}, semilla {seed}: {} respuestas, escrita en {}",
                    "game {number}, seed {seed}: {} answers, written to {}",
                    session.transcript.lines.len(),
                    path.display()
                )
            );
        }
        None => write_out(format_args!("{}", session.transcript)),
    }
    outcome.map(drop).map_err(|stopped| {
        let why = told(&stopped);
        Failure::Game(say!(
            "partida con semilla {seed}: {why}",
            "game with seed {seed}: {why}"
        ))
    })
}
