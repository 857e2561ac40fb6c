//! The report of a question asked at several skills: one table, and a sentence for each finding.

use super::sides::verdict;
use crate::document::{Document, Tabular, Words};
use crate::numbers::{signed, signed_interval};
use crate::record::Header;
use crate::skills::{BySkill, Trend};
use ludoteca::Language;

/// `skills` are the bots, from the weakest to the strongest; `against` says what each difference is taken from.
pub fn skills(
    header: &Header,
    skills: &[String],
    rows: &[BySkill],
    against: &str,
    language: Language,
) -> Document {
    let words = Words(language);
    let title = format!("{}: {against}", words.0.of(&header.title));
    let mut document = Document::new(title, language);
    let (players, games) = (header.players, header.games);
    document.paragraph(match language {
        Language::Es => format!(
            "Bots: {}; {players} jugadores, {games} partidas con cada uno, mismas semillas y asientos",
            skills.join(", ")
        ),
        Language::En => format!(
            "Bots: {}; {players} players, {games} games with each, same seeds and seats",
            skills.join(", ")
        ),
    });
    let found: Vec<String> = rows
        .iter()
        .filter(|row| row.trend != Trend::Nowhere)
        .map(|row| sentence(words, row, skills))
        .collect();
    document.verdict(match found.is_empty() {
        true => vec![
            words
                .say(
                    "No se ve que nada difiera a ninguna destreza.",
                    "Nothing is seen to differ at any skill.",
                )
                .into(),
        ],
        false => found,
    });
    let mut table = Tabular::new(
        std::iter::once(words.say("Medida", "Measure").to_string()).chain(skills.iter().cloned()),
    );
    for row in rows {
        let cells = row.differences.iter().map(|difference| match difference {
            None => "-".to_string(),
            Some(d) => format!(
                "{} ({}) {}",
                signed(d.difference.value, d.share),
                signed_interval(&d.difference, d.share, words.0),
                verdict(words, d, None)
            ),
        });
        let cells = std::iter::once(words.0.of(&row.text).to_string()).chain(cells);
        match row.trend {
            Trend::Nowhere => table.row(cells),
            _ => table.strong_row(cells),
        }
    }
    document.table(table);
    document
}

fn sentence(words: Words, row: &BySkill, skills: &[String]) -> String {
    let seen: Vec<&str> = row
        .differences
        .iter()
        .zip(skills)
        .filter(|(difference, _)| difference.as_ref().is_some_and(|d| d.seen))
        .map(|(_, skill)| skill.as_str())
        .collect();
    let rises = row
        .differences
        .iter()
        .flatten()
        .filter(|d| d.seen)
        .any(|d| d.difference.value > 0.0);
    let way = match (rises, words.0) {
        (true, Language::Es) => "sube",
        (true, Language::En) => "is higher",
        (false, Language::Es) => "baja",
        (false, Language::En) => "is lower",
    };
    let name = words.0.of(&row.text);
    let at = seen.join(", ");
    match (row.trend, words.0) {
        (Trend::HoldsForAll, Language::Es) => format!("{name} {way} con todas las destrezas."),
        (Trend::HoldsForAll, Language::En) => format!("{name} {way} at every skill."),
        (Trend::Grows, Language::Es) => format!("{name} {way}, y más cuanto mejor se juega."),
        (Trend::Grows, Language::En) => format!("{name} {way}, the more so the better they play."),
        (Trend::Shrinks, Language::Es) => format!("{name} {way}, y menos cuanto mejor se juega."),
        (Trend::Shrinks, Language::En) => {
            format!("{name} {way}, the less so the better they play.")
        }
        (Trend::TurnsRound, Language::Es) => {
            format!("{name} se da la vuelta con la destreza ({at}).")
        }
        (Trend::TurnsRound, Language::En) => format!("{name} turns round with skill ({at})."),
        (Trend::OnlyAmongBeginners, Language::Es) => {
            format!("{name} {way} solo entre principiantes ({at}).")
        }
        (Trend::OnlyAmongBeginners, Language::En) => {
            format!("{name} {way} only among beginners ({at}).")
        }
        (Trend::OnlyAmongExperts, Language::Es) => {
            format!("{name} {way} solo entre quienes juegan bien ({at}).")
        }
        (Trend::OnlyAmongExperts, Language::En) => {
            format!("{name} {way} only among those who play well ({at}).")
        }
        (_, Language::Es) => format!("{name} {way} con {at}; con los demás no se sabe."),
        (_, Language::En) => format!("{name} {way} with {at}; with the others it is not known."),
    }
}
