//! `ludoteca sweep`: many games for each value of a parameter, on the same seeds, and the curve.

use crate::arguments::lab::Sweep;
use crate::lab::{check_page, failed, points, run as lab, write_page};
use crate::output::{Failure, Outcome, errln, outln};
use ludoteca_lab::goal;
use ludoteca_lab::numbers::{interval, value};
use ludoteca_lab::page::{self, SweepPoint};
use ludoteca_lab::parameter::Varied;
use ludoteca_lab::record::Header;
use ludoteca_lab::sweep;
use ludoteca_lab::told;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

pub fn run(content: &[PathBuf], asked: &Sweep) -> Outcome {
    check_page(asked.reporting.report.as_deref())?;
    let points = points(content, &asked.game)?;
    let base = points.base().map_err(failed)?;
    let plan = lab::plan(&asked.runs, &base, true)?;
    let usage = |said: String| Failure::Usage(said);
    let varied = Varied::read_all(&asked.parameters, &base.definition)
        .map_err(|error| usage(error.to_string()))?;
    let header = Header::new(&base, &plan);
    let metrics = metrics(asked, &header)?;
    let grid = sweep::points(&varied).map_err(|error| usage(error.to_string()))?;
    let stop = lab::stop_flag();
    let bar = lab::bar(plan.games * grid.len() as u64);
    let progress = |done| bar.inc(done);
    let (swept, ended) = sweep::sweep(&points, &varied, grid, &plan, &stop, progress);
    bar.finish_and_clear();
    let reported = report(asked, &header, &varied, &swept, &metrics);
    if stop.load(Ordering::Relaxed) {
        errln!("stopped after {} points", swept.len());
    }
    ended.map_err(failed)?;
    reported
}

/// The measures to show, and whether each is a share.
fn metrics(asked: &Sweep, header: &Header) -> Result<Vec<(String, bool)>, Failure> {
    if asked.metrics.is_empty() {
        return Ok(sweep::usual(header));
    }
    let known = goal::metrics(header);
    let named = asked.metrics.iter().map(|name| {
        lab::known("metric", name, &known)?;
        Ok((name.clone(), goal::is_share(name, header)))
    });
    named.collect()
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
        outln!("{}", told::sweep(header, varied, swept));
    } else {
        print(header, varied, swept, metrics);
    }
    paged
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
