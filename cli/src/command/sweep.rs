//! `ludoteca sweep`: many games for each value of a parameter, on the same seeds, and the curve.

use crate::arguments::lab::Sweep;
use crate::lab::run::NameOf;
use crate::lab::{check_page, failed, outlook, points, publish, run as lab, typed};
use crate::output::{Failure, Outcome};
use crate::words::{errors::told, say};
use ludoteca_lab::goal;
use ludoteca_lab::parameter::Varied;
use ludoteca_lab::record::Header;
use ludoteca_lab::report;
use ludoteca_lab::sweep::{self, SweepPoint};
use ludoteca_lab::told;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

pub fn run(content: &[PathBuf], asked: &Sweep) -> Outcome {
    check_page(asked.reporting.report.as_deref())?;
    let points = points(content, &asked.game)?;
    let base = points.base().map_err(failed)?;
    let usage = |said: String| Failure::Usage(said);
    let varied = Varied::read_all(&asked.parameters, &base.definition)
        .map_err(|error| usage(told(&error)))?;
    let grid = sweep::points(&varied).map_err(|error| usage(told(&error)))?;
    let played = asked.runs.games * grid.len() as u64;
    let plan = lab::plan(&asked.runs, &base, true, played)?;
    let mut header = Header::new(&base, &plan);
    header.made.command = typed();
    let metrics = metrics(asked, &header)?;
    if asked.plan {
        let expected = outlook::expected(&base, &plan, played)?;
        return outlook::time(&header, &[expected], &asked.reporting);
    }
    let stop = lab::stop_flag();
    let bar = lab::bar(played);
    let progress = |done| bar.inc(done);
    let (swept, ended) = sweep::sweep(&points, &varied, grid, &plan, &stop, progress);
    bar.finish_and_clear();
    let own: Vec<Option<i64>> = varied
        .iter()
        .map(|varied| points.value(&varied.key))
        .collect();
    let reported = report(asked, &header, &varied, &own, &swept, &metrics);
    ended.map_err(failed)?;
    reported?;
    match stop.load(Ordering::Relaxed) {
        false => Ok(()),
        true => Err(Failure::Stopped(say!(
            "interrumpido tras {} puntos",
            "stopped after {} points",
            swept.len()
        ))),
    }
}

/// The measures to show, and whether each is a share.
fn metrics(asked: &Sweep, header: &Header) -> Result<Vec<(String, bool)>, Failure> {
    if asked.metrics.is_empty() {
        return Ok(sweep::usual(header));
    }
    let known = goal::metrics(header);
    let named = asked.metrics.iter().map(|name| {
        lab::known(NameOf::Metric, name, &known)?;
        Ok((name.clone(), goal::is_share(name, header)))
    });
    named.collect()
}

fn report(
    asked: &Sweep,
    header: &Header,
    varied: &[Varied],
    own: &[Option<i64>],
    swept: &[SweepPoint],
    metrics: &[(String, bool)],
) -> Outcome {
    if swept.is_empty() {
        return Ok(());
    }
    publish(
        &asked.reporting,
        |pictures, language| report::sweep(header, varied, own, swept, metrics, pictures, language),
        || told::sweep(header, varied, swept),
    )
}
