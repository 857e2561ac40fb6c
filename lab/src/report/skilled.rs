//! The report of a question asked at several skills: one table, and a sentence for each finding.

use super::sentences::SAID;
use super::sides::{verdict, what_changed};
use super::{Pictures, colophon, figures};
use crate::chart::ChartError;
use crate::document::{Document, Tabular, Words};
use crate::numbers::{signed, signed_interval};
use crate::record::Header;
use crate::skills::{BySkill, Trend};
use ludoteca::Language;

/// A question that was asked at several skills.
pub struct AskedSkills<'a> {
    /// Both sides; of one game at several skills, twice the same.
    pub headers: [&'a Header; 2],
    /// The bots, from the weakest to the strongest, and how many seconds a game of both sides takes with each.
    pub skills: &'a [(String, f64)],
    pub rows: &'a [BySkill],
    /// What each difference is taken from.
    pub against: &'a str,
    /// Of one game at several skills, the bot that the others are compared with.
    pub weakest: Option<&'a str>,
}

pub fn skills(
    asked: &AskedSkills,
    pictures: Pictures,
    language: Language,
) -> Result<Document, ChartError> {
    let words = Words(language);
    let (header, rows) = (asked.headers[1], asked.rows);
    let skills: Vec<String> = asked.skills.iter().map(|(name, _)| name.clone()).collect();
    let title = format!("{}: {}", words.0.of(&header.title), asked.against);
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
    what_changed(&mut document, asked.headers);
    document.verdict(sentences(words, asked, &skills));
    if pictures == Pictures::Drawn {
        document.figures(figures::by_skill(words, rows, &skills)?);
    }
    let (measure, name) = (words.say("Medida", "Measure"), words.say("Nombre", "Name"));
    let heads = std::iter::once(measure.to_string()).chain(skills);
    let mut table = Tabular::new(heads.chain([name.to_string()]));
    for row in rows {
        let tiers = row.differences.iter().zip(asked.skills);
        let cells = tiers.map(|(difference, (_, pace))| match difference {
            None => "-".to_string(),
            Some(d) => format!(
                "{} ({}) {}",
                signed(d.difference.value, d.share),
                signed_interval(&d.difference, d.share, words.0),
                verdict(words, d, Some(*pace))
            ),
        });
        let cells = std::iter::once(words.0.of(&row.text).to_string()).chain(cells);
        let cells = cells.chain([row.name.clone()]);
        match row.trend {
            Trend::Nowhere => table.row(cells),
            _ => table.strong_row(cells),
        }
    }
    document.table(table);
    colophon(&mut document, header);
    Ok(document)
}

/// The first findings, and how many more there are.
fn sentences(words: Words, asked: &AskedSkills, skills: &[String]) -> Vec<String> {
    let found = || asked.rows.iter().filter(|row| row.trend != Trend::Nowhere);
    let said = found().take(SAID);
    let mut said: Vec<String> = said
        .map(|row| sentence(words, row, skills, asked.weakest))
        .collect();
    let more = found().count().saturating_sub(SAID);
    if more > 0 {
        said.push(match words.0 {
            Language::Es => format!("Otras {more} medidas difieren también; están en la tabla."),
            Language::En => format!("Another {more} measures differ as well; the table has them."),
        });
    }
    if said.is_empty() {
        said.push(match (words.0, skills, asked.weakest) {
            (Language::Es, [one], Some(weakest)) => {
                format!("No se ve que nada difiera entre {weakest} y {one}.")
            }
            (Language::En, [one], Some(weakest)) => {
                format!("Nothing is seen to differ between {weakest} and {one}.")
            }
            (Language::Es, ..) => "No se ve que nada difiera a ninguna destreza.".into(),
            (Language::En, ..) => "Nothing is seen to differ at any skill.".into(),
        });
    }
    said
}

fn sentence(words: Words, row: &BySkill, skills: &[String], weakest: Option<&str>) -> String {
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
        (true, Language::En) => "higher",
        (false, Language::Es) => "baja",
        (false, Language::En) => "lower",
    };
    // The measure stands as a label: some are one thing and some are many.
    let name = format!("{}:", words.0.of(&row.text));
    let at = seen.join(", ");
    if row.trend == Trend::Seen {
        return match (words.0, weakest) {
            (Language::Es, Some(weakest)) => format!("{name} {way} con {at} respecto a {weakest}."),
            (Language::En, Some(weakest)) => format!("{name} {way} with {at} than with {weakest}."),
            (Language::Es, None) => format!("{name} {way} con {at}."),
            (Language::En, None) => format!("{name} {way} with {at}."),
        };
    }
    let way = match (words.0, weakest) {
        (Language::Es, Some(weakest)) => format!("{way} respecto a {weakest}"),
        (Language::En, Some(weakest)) => format!("{way} than with {weakest}"),
        (_, None) => way.to_string(),
    };
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
