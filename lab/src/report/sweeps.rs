//! The report of a sweep: a table of values against measures, with a mark at the present value.

use super::run::between;
use super::{Pictures, colophon, figures, headline};
use crate::chart::ChartError;
use crate::document::{Document, Tabular, Words};
use crate::goal;
use crate::numbers::{interval, value};
use crate::parameter::Varied;
use crate::record::Header;
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
    document.small(match language {
        Language::Es => format!(
            "{} partidas por punto, mismas semillas y asientos; ◆ marca el valor actual. Junto a cada media, su intervalo.",
            header.games
        ),
        Language::En => format!(
            "{} games a point, same seeds and seats; ◆ marks the present value. Beside each mean, its interval.",
            header.games
        ),
    });
    if pictures == Pictures::Drawn {
        document.figures(figures::sweep(words, varied, points, metrics)?);
    }
    document.table(table(words, &keys, own, points, metrics));
    if pictures == Pictures::Drawn {
        colophon(&mut document, header);
    }
    Ok(document)
}

/// What a measure is called; what is no measure of single games is called by its id.
pub fn named(words: Words, metric: &str, points: &[SweepPoint]) -> String {
    let found = points
        .first()
        .and_then(|point| point.findings.measure(metric));
    found
        .map_or(metric, |found| words.0.of(&found.text))
        .to_string()
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
