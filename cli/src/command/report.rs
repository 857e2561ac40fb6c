//! `ludoteca report`: what results say that were written before, by one run, by its parts on several machines, or by two runs of different
//! content.

use crate::arguments::lab::Report;
use crate::lab::{check_page, parts, publish};
use crate::output::{Failure, Outcome, errln};
use crate::words::{errors::told, say};
use ludoteca::keep;
use ludoteca_lab::compare::Comparison;
use ludoteca_lab::parts::{NotARun, Parts};
use ludoteca_lab::record::Record;
use ludoteca_lab::report::{self, AskedSides};
use ludoteca_lab::results::ResultsReader;
use ludoteca_lab::summary::Summary;
use ludoteca_lab::told;
use ludoteca_lab::unfinished::Unfinished;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};

/// The difference for which the games needed are told.
const SIZE: f64 = 0.02;

pub fn run(report: &Report) -> Outcome {
    check_page(report.reporting.report.as_deref())?;
    let mut paths: Vec<PathBuf> = Vec::new();
    for named in &report.files {
        match named.is_dir() {
            true => paths.extend(in_folder(named)?),
            false => paths.push(whole_or_not(named)),
        }
    }
    match of_two_contents(&paths) {
        Some(sides) => compared(report, sides),
        None => one(report, &paths),
    }
}

fn usage(error: NotARun) -> Failure {
    Failure::Usage(told(&error))
}

/// One run, or its parts.
fn one(asked: &Report, paths: &[PathBuf]) -> Outcome {
    let parts = Parts::open(paths).map_err(usage)?;
    let mut summary = Summary::new(parts.header.clone());
    parts
        .records(|record| summary.add(&record))
        .map_err(usage)?;
    if summary.games < summary.header.games {
        errln!(
            "{}",
            say!(
                "aquí están {} de las {} partidas de la serie",
                "{} of the {} games of this run are here",
                summary.games,
                summary.header.games
            )
        );
    }
    let (header, found) = (&summary.header, summary.findings());
    publish(
        &asked.reporting,
        |pictures, language| report::run(header, &found, pictures, language),
        || told::run(header, &found),
    )
}

/// The files of two runs of one game that differ in content and in nothing else: they are compared.
fn of_two_contents(paths: &[PathBuf]) -> Option<[Vec<PathBuf>; 2]> {
    let header = |path: &PathBuf| Some(ResultsReader::open(keep::open(path).ok()?).ok()?.header);
    let headers: Vec<_> = paths.iter().map(header).collect::<Option<_>>()?;
    let first = headers.first()?;
    let of_first = |content: &str| content == first.content;
    let other = headers.iter().find(|h| !of_first(&h.content))?;
    let alike = headers.iter().all(|h| {
        let same = (&h.game, h.players, h.seed, &h.bots)
            == (&first.game, first.players, first.seed, &first.bots);
        same && (of_first(&h.content) || h.content == other.content)
    });
    let of = |wanted: &str| {
        let found = paths
            .iter()
            .zip(&headers)
            .filter(|(_, h)| h.content == wanted);
        found.map(|(path, _)| path.clone()).collect()
    };
    alike.then(|| [of(&first.content), of(&other.content)])
}

/// Two runs on the same seeds, game by game.
fn compared(asked: &Report, sides: [Vec<PathBuf>; 2]) -> Outcome {
    let [first, second] = sides.map(|paths| Parts::open(&paths).map_err(usage));
    let (first, second) = (first?, second?);
    let mut comparison = Comparison::new([first.header.clone(), second.header.clone()], None);
    let mut waiting: VecDeque<Record> = VecDeque::new();
    first
        .records(|record| waiting.push_back(record))
        .map_err(usage)?;
    let mut alone = 0;
    second
        .records(|record| {
            while waiting.front().is_some_and(|twin| twin.game < record.game) {
                waiting.pop_front();
                alone += 1;
            }
            match waiting.pop_front() {
                Some(twin) if twin.game == record.game => comparison.add(&[twin, record]),
                Some(later) => {
                    waiting.push_front(later);
                    alone += 1;
                }
                None => alone += 1,
            }
        })
        .map_err(usage)?;
    alone += waiting.len();
    if comparison.sides[0].games == 0 {
        return Err(Failure::Usage(say!(
            "son series de contenidos distintos, y no tienen ninguna partida en común",
            "these are runs of different content, and they have no game in common"
        )));
    }
    if alone > 0 {
        errln!(
            "{}",
            say!(
                "{alone} partidas están solo a un lado, y no cuentan",
                "{alone} games are on one side only, and left out"
            )
        );
    }
    let differences = comparison.differences(SIZE);
    let found = comparison.findings();
    let headers = comparison.sides.each_ref().map(|side| &side.header);
    publish(
        &asked.reporting,
        |pictures, language| {
            let asked = AskedSides {
                headers,
                found: found.each_ref(),
                differences: &differences,
                settled: None,
                pace: None,
            };
            report::comparison(&asked, pictures, language)
        },
        || told::comparison(&comparison, None, SIZE),
    )
}

/// The tables of a run in a folder.
fn in_folder(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let tables = parts::tables(folder)?;
    if tables.is_empty() {
        return Err(Failure::Usage(say!(
            "{}: no hay resultados",
            "{}: there are no results",
            folder.display()
        )));
    }
    Ok(tables.iter().map(|table| whole_or_not(table)).collect())
}

/// The table, or what there is of it if its run did not come to its end.
fn whole_or_not(named: &Path) -> PathBuf {
    let beside = Unfinished::path(named);
    if named.exists() || !beside.exists() {
        return named.to_path_buf();
    }
    errln!(
        "{}",
        say!(
            "{}: la serie no llegó a su fin; estas son sus partidas hasta ahora",
            "{}: the run did not come to its end; these are its games so far",
            beside.display()
        )
    );
    beside
}
