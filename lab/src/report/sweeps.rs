//! The report of a sweep: a table of values against measures, with a mark at the present value.

use super::run::{between, of_run};
use super::sentences::{SAID, listed};
use super::{Pictures, colophon, figures, headline};
use crate::chart::ChartError;
use crate::document::{Document, Tabular, Words};
use crate::findings::Findings;
use crate::goal;
use crate::numbers::{interval, value};
use crate::parameter::Varied;
use crate::record::Header;
use crate::statistics::Estimate;
use crate::sweep::SweepPoint;
use ludoteca::Language;

/// `own` is the present value of each parameter, where it is known.
pub fn sweep(
    header: &Header,
    varied: &[Varied],
    own: &[Option<i64>],
    points: &[SweepPoint],
    metrics: &[(String, bool)],
    pictures: Pictures,
    language: Language,
) -> Result<Document, ChartError> {
    let words = Words(language);
    let keys: Vec<&str> = varied.iter().map(|varied| varied.key.as_str()).collect();
    let title = format!(
        "{}: {} {}",
        words.0.of(&header.title),
        header.selection_named(),
        keys.join(" × ")
    );
    let mut document = Document::new(title, language);
    let games = points.iter().map(|point| point.findings.games).sum();
    headline(&mut document, header, games);
    let verdicts = varied.iter().enumerate();
    let verdicts = verdicts
        .filter_map(|(n, parameter)| {
            let [lowest, highest] = ends(n, own, points)?;
            let ends = [lowest, highest].map(|point| (point.values[n], &point.findings));
            Some(sentences(words, parameter, ends, points, metrics))
        })
        .flatten();
    document.verdict(verdicts.collect());
    document.small(match language {
        Language::Es => format!(
            "{} partidas por punto, mismas semillas y asientos; ◆ marca el valor actual. Junto a cada media, su intervalo; en palabras, lo que entre los extremos cambia más que los dos intervalos.",
            header.games
        ),
        Language::En => format!(
            "{} games a point, same seeds and seats; ◆ marks the present value. Beside each mean, its interval; in words, what changes from end to end by more than both intervals.",
            header.games
        ),
    });
    if pictures == Pictures::Drawn {
        document.figures(figures::sweep(words, varied, own, points, metrics)?);
    }
    document.table(table(words, &keys, own, points, metrics));
    colophon(&mut document, header);
    Ok(document)
}

/// The points with the lowest and the highest value of a parameter, all others as they are in the game, or as near to it as the grid has them.
fn ends<'a>(
    n: usize,
    own: &[Option<i64>],
    points: &'a [SweepPoint],
) -> Option<[&'a SweepPoint; 2]> {
    let away = |point: &SweepPoint| -> u64 {
        let others = point.values.iter().zip(own).enumerate();
        let others = others.filter(|(m, _)| *m != n);
        others.fold(0, |sum, (_, (value, own))| {
            sum.saturating_add(own.map_or(0, |own| value.abs_diff(own)))
        })
    };
    let nearest = points.iter().map(away).min()?;
    let along = || points.iter().filter(|point| away(point) == nearest);
    let lowest = along().min_by_key(|point| point.values[n])?;
    // Of others that are as near on both sides, those of the lowest.
    let alike = |point: &&SweepPoint| {
        let mut pairs = point.values.iter().zip(&lowest.values).enumerate();
        pairs.all(|(m, (one, other))| m == n || one == other)
    };
    let highest = along().filter(alike).max_by_key(|point| point.values[n])?;
    (lowest.values[n] < highest.values[n]).then_some([lowest, highest])
}

/// What a parameter does from one end to the other, and to what it is not seen to do anything.
fn sentences(
    words: Words,
    parameter: &Varied,
    [(from, lowest), (to, highest)]: [(i64, &Findings); 2],
    points: &[SweepPoint],
    metrics: &[(String, bool)],
) -> Vec<String> {
    let (mut said, mut same) = (Vec::new(), Vec::new());
    let key = &parameter.key;
    for (metric, share) in metrics {
        let name = named(words, metric, points);
        let [before, after] = [lowest, highest].map(|found| goal::measured(metric, found));
        let Some((before, after)) = before.zip(after) else {
            continue;
        };
        // Of plain counts nobody knows how far chance moves them.
        let is_count = |found: &Estimate| found.low == found.high;
        if is_count(&before) && is_count(&after) {
            continue;
        }
        let known = !before.is_of_too_few() && !after.is_of_too_few();
        match known && (before.high < after.low || after.high < before.low) {
            true => {
                let told = |found: Estimate| {
                    let between = interval(&found, *share, words.0);
                    format!("{} ({between})", value(found.value, *share))
                };
                let (with, before, after) = (words.say("con", "with"), told(before), told(after));
                said.push(format!(
                    "{name}: {before} {with} {key}={from} → {after} {with} {to}"
                ));
            }
            false => same.push(name),
        }
    }
    let more = said.len().saturating_sub(SAID);
    said.truncate(SAID);
    if more > 0 {
        said.push(match words.0 {
            Language::Es => format!("Otras {more} medidas cambian también; están en la tabla."),
            Language::En => format!("Another {more} measures change as well; the table has them."),
        });
    }
    if !same.is_empty() {
        let same = listed(words, same.iter().map(String::as_str).collect());
        said.push(match words.0 {
            Language::Es => format!("Entre {key}={from} y {to} no se ve que cambie: {same}"),
            Language::En => format!("Not seen to change between {key}={from} and {to}: {same}"),
        });
    }
    said
}

/// What a measure is called, of single games or of a run.
pub fn named(words: Words, metric: &str, points: &[SweepPoint]) -> String {
    let found = points
        .first()
        .and_then(|point| point.findings.measure(metric));
    found.map_or_else(
        || of_run(words, metric),
        |found| words.0.of(&found.text).to_string(),
    )
}

fn table(
    words: Words,
    keys: &[&str],
    own: &[Option<i64>],
    points: &[SweepPoint],
    metrics: &[(String, bool)],
) -> Tabular {
    let names = metrics
        .iter()
        .map(|(metric, _)| named(words, metric, points));
    let mut table = Tabular::new(std::iter::once(keys.join(" × ")).chain(names));
    for point in points {
        let present = point
            .values
            .iter()
            .zip(own)
            .all(|(v, own)| Some(*v) == *own);
        let values: Vec<String> = point.values.iter().map(i64::to_string).collect();
        let mark = if present { " ◆" } else { "" };
        let named = format!("{}{mark}", values.join(" × "));
        let cells = metrics.iter().map(|(metric, share)| {
            goal::measured(metric, &point.findings).map_or_else(
                || "-".to_string(),
                |found| {
                    let between = match point.findings.measure(metric) {
                        Some(finding) => between(words, finding),
                        None => interval(&found, *share, words.0),
                    };
                    format!("{} ({between})", value(found.value, *share))
                },
            )
        });
        let row = std::iter::once(named).chain(cells);
        match present {
            true => table.strong_row(row),
            false => table.row(row),
        }
    }
    table
}
