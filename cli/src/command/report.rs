//! `ludoteca report`: what results say that were written before, by one run or by its parts on several machines.

use crate::arguments::lab::Report;
use crate::lab::{run as lab, tables, write_page};
use crate::output::{Failure, Outcome, errln, outln};
use ludoteca_lab::page;
use ludoteca_lab::record::Header;
use ludoteca_lab::results::{ResultsError, ResultsReader};
use ludoteca_lab::summary::Summary;
use ludoteca_lab::unfinished::Unfinished;
use serde_json::json;
use std::fs::File;
use std::path::{Path, PathBuf};

pub fn run(report: &Report) -> Outcome {
    let mut tables: Vec<(PathBuf, ResultsReader)> = Vec::new();
    for named in &report.files {
        let beside = Unfinished::path(named);
        let path = if !named.exists() && beside.exists() {
            errln!(
                "{}: the run did not come to its end; these are its games so far",
                beside.display()
            );
            &beside
        } else {
            named
        };
        let file = File::open(path)
            .map_err(|error| Failure::Usage(format!("{}: {error}", path.display())))?;
        let table = ResultsReader::open(file).map_err(|error| unreadable(path, error))?;
        tables.push((path.clone(), table));
    }
    // In the order of the games: the sums are then those of a single run, to the last digit.
    tables.sort_by_key(|(_, table)| table.header.part);
    check_parts(&tables)?;
    let Some(header) = tables.first().map(|(_, table)| whole(&table.header)) else {
        return Ok(());
    };
    let mut summary = Summary::new(header);
    for (path, table) in tables {
        let (mut next, end) = table.header.part;
        let mut odd = None;
        let read = table.records(|record| {
            // Records stand in the order of their games.
            if record.game < next || record.game >= end {
                odd.get_or_insert(record.game);
            }
            next = record.game.saturating_add(1);
            summary.add(&record);
        });
        read.map_err(|error| unreadable(&path, error))?;
        if let Some(game) = odd {
            let path = path.display();
            return Err(Failure::Usage(format!(
                "{path}: game {game} is there twice, or is none of this part of the run"
            )));
        }
    }
    if summary.games < summary.header.games {
        errln!(
            "{} of the {} games of this run are here",
            summary.games,
            summary.header.games
        );
    }
    let (header, found) = (&summary.header, summary.findings());
    let paged = report.reporting.report.as_ref().map_or(Ok(()), |path| {
        let replay = lab::replay(header, "N");
        let language = report.reporting.reader.lang;
        write_page(path, page::run(header, &found, &replay, language))
    });
    if report.reporting.json {
        outln!("{}", json!({ "run": header, "summary": found }));
    } else {
        tables::findings(header, &found);
    }
    paged
}

fn unreadable(path: &Path, error: ResultsError) -> Failure {
    Failure::Usage(format!("{}: {error}", path.display()))
}

/// The header of the whole run.
fn whole(part: &Header) -> Header {
    Header {
        part: (0, part.games),
        ..part.clone()
    }
}

/// Parts of one run, none of them twice.
fn check_parts(tables: &[(PathBuf, ResultsReader)]) -> Outcome {
    for pair in tables.windows(2) {
        let [(first, one), (second, other)] = pair else {
            continue;
        };
        let (one, other) = (&one.header, &other.header);
        let (first, second) = (first.display(), second.display());
        let wrong = |what: String| {
            let message = format!("{first} and {second} are not parts of one run: {what}");
            Err(Failure::Usage(message))
        };
        if one.game != other.game {
            return wrong(format!(
                "one is of {}, the other of {}",
                one.game, other.game
            ));
        }
        if one.content != other.content {
            return wrong(format!(
                "their content differs ({} of {}, {} of {})",
                one.content,
                one.selection_named(),
                other.content,
                other.selection_named()
            ));
        }
        if whole(one) != whole(other) {
            return wrong("their players, bots, seeds or numbers of games differ".to_string());
        }
        if other.part.0 < one.part.1 {
            return wrong(format!("both have game {}", other.part.0));
        }
    }
    Ok(())
}
