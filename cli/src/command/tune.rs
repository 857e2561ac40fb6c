//! `ludoteca tune`: searches the declared parameters for a stated goal, and measures what it found on fresh seeds.

use crate::arguments::lab::Tune;
use crate::lab::{check_page, failed, points, run as lab, variant, write_page};
use crate::output::{Failure, Outcome, errln, outln};
use ludoteca_lab::goal::Goal;
use ludoteca_lab::numbers::{interval, value};
use ludoteca_lab::page::{self, GoalCheck};
use ludoteca_lab::parameter::Varied;
use ludoteca_lab::record::Header;
use ludoteca_lab::search::{Found, Search};
use ludoteca_lab::statistics::Estimate;
use ludoteca_lab::told;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

/// The difference for which the games needed are told.
const SIZE: f64 = 0.02;

pub fn run(content: &[PathBuf], asked: &Tune) -> Outcome {
    check_page(asked.reporting.report.as_deref())?;
    let points = points(content, &asked.game)?;
    let base = points.base().map_err(failed)?;
    let plan = lab::plan(&asked.runs, &base, true)?;
    let usage = |message: String| Failure::Usage(message);
    let varied =
        Varied::read_all(&asked.parameters, &base.definition).map_err(|e| usage(e.to_string()))?;
    let header = Header::new(&base, &plan);
    let goals = Goal::read_all(&asked.goal, &header).map_err(|e| usage(e.to_string()))?;
    if let Some(path) = &asked.out {
        variant::check(path)?;
    }
    let mut search = Search::new(points, varied, goals, plan, asked.batch, asked.check);
    let stop = lab::stop_flag();
    let bar = lab::bar(search.games());
    let found = search.run(&base, &stop, &|done| bar.inc(done));
    bar.finish_and_clear();
    match found.map_err(failed)? {
        Some(found) => {
            let reported = report(asked, &search, &header, &found);
            if stop.load(Ordering::Relaxed) {
                errln!("stopped early, after {} trials", found.trials);
            }
            reported
        }
        None => {
            errln!("stopped before any setting was tried");
            Ok(())
        }
    }
}

fn report(asked: &Tune, search: &Search, header: &Header, found: &Found) -> Outcome {
    let settings = search.settings(found);
    let checks = search.checks(header, found);
    let stored = asked.out.as_ref().map_or(Ok(()), |path| {
        variant::write(path, &settings, &asked.goal, header)
    });
    let paged = match (&asked.reporting.report, &found.comparison) {
        (Some(path), Some(comparison)) => {
            let [before, after] = &comparison.sides;
            let page = page::tuned(
                [&before.header, &after.header],
                &checks,
                &settings,
                &comparison.differences(SIZE),
                comparison.sides[0].games,
                asked.reporting.reader.lang,
            );
            write_page(path, page)
        }
        _ => Ok(()),
    };
    if asked.reporting.json {
        outln!("{}", told::tuned(header, search, found, SIZE));
    } else {
        print(header, found, &settings, &checks);
    }
    stored.and(paged)
}

fn print(header: &Header, found: &Found, settings: &[(String, i64, i64)], checks: &[GoalCheck]) {
    outln!(
        "{} ({}), {} players, bots: {}, {} settings tried",
        header.game,
        header.selection_named(),
        header.players,
        header.bots_named(),
        found.trials
    );
    outln!();
    outln!("parameter                           before   after");
    for (key, before, after) in settings {
        outln!("{key:34} {before:>7} {after:>7}");
    }
    outln!();
    match &found.comparison {
        Some(comparison) => print_goals(checks, comparison.sides[0].games),
        None => outln!("stopped before the goals were measured on fresh seeds"),
    }
    outln!();
    let flags: Vec<String> = settings
        .iter()
        .filter(|(_, before, after)| before != after)
        .map(|(key, _, after)| format!(" --set {key}={after}"))
        .collect();
    if flags.is_empty() {
        outln!("nothing found is better than the game as it is");
        return;
    }
    outln!(
        "to try it: ludoteca sim {}{} --players {} --bots {}",
        header.game,
        flags.concat(),
        header.players,
        header.bots.join(",")
    );
}

/// What became of each goal.
fn print_goals(checks: &[GoalCheck], games: u64) {
    outln!("goals, measured in {games} games of each on fresh seeds:");
    outln!("{:22} {:24} {:24}", "goal", "before", "after");
    for check in checks {
        let side = |estimate: &Option<Estimate>| match estimate {
            Some(found) => format!(
                "{} ({})",
                value(found.value, check.share),
                interval(found, check.share)
            ),
            None => "-".to_string(),
        };
        let met = check
            .after
            .is_some_and(|after| check.goal.distance(after.value) == 0.0);
        outln!(
            "{:22} {:24} {:24} {}",
            check.goal.to_string(),
            side(&check.before),
            side(&check.after),
            if met { "met" } else { "not met" }
        );
    }
}
