//! `ludoteca tune`: searches the declared parameters for a stated goal, and measures what it found on fresh seeds.

use crate::arguments::lab::Tune;
use crate::lab::{check_page, failed, outlook, points, publish, run as lab, typed, variant};
use crate::output::{Failure, Outcome, errln};
use crate::words::{errors::told, say};
use ludoteca_lab::goal::{Goal, Met};
use ludoteca_lab::parameter::Varied;
use ludoteca_lab::record::Header;
use ludoteca_lab::report;
use ludoteca_lab::search::{Found, SettingsSearch};
use ludoteca_lab::told;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

/// The difference for which the games needed are told.
const SIZE: f64 = 0.02;

pub fn run(content: &[PathBuf], asked: &Tune) -> Outcome {
    check_page(asked.reporting.report.as_deref())?;
    let points = points(content, &asked.game)?;
    let base = points.base().map_err(failed)?;
    let played = SettingsSearch::games_of(asked.runs.games, asked.batch, asked.check);
    let plan = lab::plan(&asked.runs, &base, true, played)?;
    let usage = |message: String| Failure::Usage(message);
    let varied =
        Varied::read_all(&asked.parameters, &base.definition).map_err(|e| usage(told(&e)))?;
    let mut header = Header::new(&base, &plan);
    header.made.command = typed();
    let goals = Goal::read_all(&asked.goal, &header).map_err(|e| usage(told(&e)))?;
    if asked.plan {
        let expected = outlook::expected(&base, &plan, played)?;
        return outlook::time(&header, &[expected], &asked.reporting);
    }
    if let Some(path) = &asked.out {
        variant::check(path)?;
    }
    let mut search = SettingsSearch::new(points, varied, goals, plan, asked.batch, asked.check);
    let stop = lab::stop_flag();
    let bar = lab::bar(search.steps());
    let found = search.run(&base, &stop, &|done| bar.inc(done));
    bar.finish_and_clear();
    match found.map_err(failed)? {
        Some(found) => {
            let reported = report(asked, &search, &header, &found);
            match stop.load(Ordering::Relaxed) {
                false => reported,
                true => Err(Failure::Stopped(say!(
                    "interrumpido antes de acabar, tras {} pruebas",
                    "stopped early, after {} trials",
                    found.trials
                ))),
            }
        }
        None => Err(Failure::Stopped(say!(
            "interrumpido antes de probar ningún ajuste",
            "stopped before any setting was tried"
        ))),
    }
}

fn report(asked: &Tune, search: &SettingsSearch, header: &Header, found: &Found) -> Outcome {
    let settings = search.settings(found);
    let checks = search.checks(header, found);
    let stored = match (&asked.out, found.is_better()) {
        (Some(path), true) => variant::write(path, &settings, &asked.goal, header),
        _ => Ok(()),
    };
    let differences = found.comparison.as_ref().map(|c| c.differences(SIZE));
    let differences = differences.unwrap_or_default();
    let given = publish(
        &asked.reporting,
        |pictures, language| {
            report::tuned(
                header,
                found,
                &settings,
                &checks,
                &differences,
                pictures,
                language,
            )
        },
        || told::tuned(header, search, found, SIZE),
    );
    stored.and(given)?;
    if let (Some(path), false) = (&asked.out, found.is_better()) {
        errln!(
            "{}",
            say!(
                "no se escribe {}: no se ve que nada sea mejor que el juego como está",
                "{} is not written: nothing is seen to be better than the game as it is",
                path.display()
            )
        );
    }
    let missed: Vec<String> = checks
        .iter()
        .filter(|check| check.met_by_what_stands(found.is_better()) == Met::No)
        .map(|check| check.goal.to_string())
        .collect();
    match missed.is_empty() {
        true => Ok(()),
        false => {
            let missed = missed.join(", ");
            Err(Failure::Unmet(say!(
                "no cumplido: {missed}",
                "not met: {missed}"
            )))
        }
    }
}
