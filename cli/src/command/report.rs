//! `ludoteca report`: what results say that were written before, by one run or by its parts on several machines.

use crate::arguments::lab::Report;
use crate::lab::{tables, write_page};
use crate::output::{Failure, Outcome, errln, outln};
use ludoteca_lab::page;
use ludoteca_lab::parts::{NotARun, Parts};
use ludoteca_lab::summary::Summary;
use ludoteca_lab::told;
use ludoteca_lab::unfinished::Unfinished;
use std::path::{Path, PathBuf};

pub fn run(report: &Report) -> Outcome {
    let paths: Vec<PathBuf> = report
        .files
        .iter()
        .map(|named| whole_or_not(named))
        .collect();
    let usage = |error: NotARun| Failure::Usage(error.to_string());
    let parts = Parts::open(&paths).map_err(usage)?;
    let mut summary = Summary::new(parts.header.clone());
    parts
        .records(|record| summary.add(&record))
        .map_err(usage)?;
    if summary.games < summary.header.games {
        errln!(
            "{} of the {} games of this run are here",
            summary.games,
            summary.header.games
        );
    }
    let (header, found) = (&summary.header, summary.findings());
    let paged = report.reporting.report.as_ref().map_or(Ok(()), |path| {
        let replay = header.replay("N");
        let language = report.reporting.reader.lang;
        write_page(path, page::run(header, &found, &replay, language))
    });
    if report.reporting.json {
        outln!("{}", told::run(header, &found));
    } else {
        tables::findings(header, &found);
    }
    paged
}

/// The table, or what there is of it if its run did not come to its end.
fn whole_or_not(named: &Path) -> PathBuf {
    let beside = Unfinished::path(named);
    if named.exists() || !beside.exists() {
        return named.to_path_buf();
    }
    errln!(
        "{}: the run did not come to its end; these are its games so far",
        beside.display()
    );
    beside
}
