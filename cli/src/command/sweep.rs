//! `ludoteca sweep`: many games for each value of a parameter, on the same seeds, and the curve.

use crate::arguments::lab::Sweep;
use crate::lab::{check_page, points::Points, run as lab, write_page};
use crate::output::{Failure, Outcome, errln, outln};
use indicatif::ProgressBar;
use ludoteca::limits::SWEEP_POINTS;
use ludoteca_lab::goal;
use ludoteca_lab::numbers::{interval, value};
use ludoteca_lab::page::{self, SweepPoint};
use ludoteca_lab::parameter::{Varied, grid};
use ludoteca_lab::record::Header;
use ludoteca_lab::runner::{Ended, Next};
use ludoteca_lab::simulate::{Plan, stream};
use ludoteca_lab::summary::Summary;
use serde_json::json;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

/// What a sweep shows if nothing is named, besides what the game declares.
const USUAL: [&str; 6] = [
    "rounds",
    "seat_balance",
    "first_wins",
    "lead_half",
    "margin",
    "decisions",
];
/// Declared metrics shown if nothing is named.
const USUAL_DECLARED: usize = 6;

pub fn run(content: &[PathBuf], asked: &Sweep) -> Outcome {
    check_page(asked.reporting.report.as_deref())?;
    let points = Points::open(content, &asked.game)?;
    let base = points.base()?;
    let plan = lab::plan(&asked.runs, &base, true)?;
    let varied = Varied::read_all(&asked.parameters, &base.definition)
        .map_err(|error| Failure::Usage(error.to_string()))?;
    let header = Header::new(&base, &plan);
    let metrics = metrics(asked, &header)?;
    let size = varied
        .iter()
        .map(|parameter| parameter.values.len() as u128)
        .product::<u128>();
    if size > SWEEP_POINTS as u128 {
        return Err(Failure::Usage(format!(
            "the grid has {size} points; at most {SWEEP_POINTS} can be swept, take larger steps"
        )));
    }
    let grid = grid(&varied);
    let stop = lab::stop_flag();
    let bar = lab::bar(plan.games * grid.len() as u64);
    let mut swept = Vec::new();
    let mut broken = None;
    for values in grid {
        match point(&points, &varied, values, &plan, &stop, &bar) {
            Ok(Some(point)) => swept.push(point),
            Ok(None) => break,
            Err(failure) => {
                broken = Some(failure);
                break;
            }
        }
    }
    bar.finish_and_clear();
    let reported = report(asked, &header, &varied, &swept, &metrics);
    if stop.load(std::sync::atomic::Ordering::Relaxed) {
        errln!("stopped after {} points", swept.len());
    }
    broken.map_or(reported, Err)
}

/// The measures to show, and whether each is a share.
fn metrics(asked: &Sweep, header: &Header) -> Result<Vec<(String, bool)>, Failure> {
    let known = goal::metrics(header);
    let names = if asked.metrics.is_empty() {
        let declared = header.metrics.iter().take(USUAL_DECLARED);
        let usual = USUAL.iter().map(|name| name.to_string());
        usual
            .chain(declared.map(|metric| metric.name.clone()))
            .collect()
    } else {
        asked.metrics.clone()
    };
    names
        .into_iter()
        .map(|name| {
            lab::known("metric", &name, &known)?;
            let share = goal::is_share(&name, header);
            Ok((name, share))
        })
        .collect()
}

/// One point, or nothing if the run was stopped before a game of it was played.
fn point(
    points: &Points,
    varied: &[Varied],
    values: Vec<i64>,
    plan: &Plan,
    stop: &AtomicBool,
    bar: &ProgressBar,
) -> Result<Option<SweepPoint>, Failure> {
    let game = points.game(varied, &values)?;
    let mut summary = Summary::new(Header::new(&game, plan));
    let ended = stream(
        &game,
        plan,
        stop,
        |done| bar.inc(done),
        |record| {
            summary.add(&record);
            Next::GoOn
        },
    );
    let ended = ended.map_err(|broken| Failure::Game(broken.to_string()))?;
    // Half a point would be compared with whole ones.
    Ok((ended == Ended::Done).then(|| SweepPoint {
        values,
        findings: summary.findings(),
    }))
}

fn report(
    asked: &Sweep,
    header: &Header,
    varied: &[Varied],
    swept: &[SweepPoint],
    metrics: &[(String, bool)],
) -> Outcome {
    if swept.is_empty() {
        return Ok(());
    }
    let paged = asked.reporting.report.as_ref().map_or(Ok(()), |path| {
        let language = asked.reporting.reader.lang;
        write_page(path, page::sweep(header, varied, swept, metrics, language))
    });
    if asked.reporting.json {
        print_json(header, varied, swept);
    } else {
        print(header, varied, swept, metrics);
    }
    paged
}

fn print_json(header: &Header, varied: &[Varied], swept: &[SweepPoint]) {
    let points: Vec<_> = swept
        .iter()
        .map(|point| json!({ "values": point.values, "summary": point.findings }))
        .collect();
    outln!(
        "{}",
        json!({ "run": header, "parameters": varied, "points": points })
    );
}

fn print(header: &Header, varied: &[Varied], swept: &[SweepPoint], metrics: &[(String, bool)]) {
    outln!(
        "{} ({}), {} players, bots: {}, {} games a point, same seeds and seats",
        header.game,
        header.selection_named(),
        header.players,
        header.bots_named(),
        header.games
    );
    for (metric, share) in metrics {
        outln!();
        outln!("{metric}");
        for point in swept {
            let named: Vec<String> = varied
                .iter()
                .zip(&point.values)
                .map(|(parameter, value)| format!("{}={value}", parameter.key))
                .collect();
            match goal::measured(metric, &point.findings) {
                Some(found) => outln!(
                    "  {:36} {:>9}  {:>20}",
                    named.join(" "),
                    value(found.value, *share),
                    interval(&found, *share)
                ),
                None => outln!("  {:36} {:>9}", named.join(" "), "-"),
            }
        }
    }
}
