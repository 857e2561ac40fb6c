//! The report of a search: whether anything is better than the game as it is, what became of each goal, and what was tried.

use super::{Pictures, colophon, figures, headline};
use crate::chart::ChartError;
use crate::compare::Difference;
use crate::document::{Document, Tabular, Words};
use crate::goal::{GoalCheck, Met};
use crate::numbers::{interval, value};
use crate::record::Header;
use crate::search::Found;
use crate::statistics::Estimate;
use ludoteca::Language;

/// Settings that are shown of those tried; the nearest to the goals first.
const SHOWN: usize = 8;

/// What a search found. `settings` are the parameters with what they were and what was found.
pub fn tuned(
    header: &Header,
    found: &Found,
    settings: &[(String, i64, i64)],
    goals: &[GoalCheck],
    differences: &[Difference],
    pictures: Pictures,
    language: Language,
) -> Result<Document, ChartError> {
    let words = Words(language);
    let title = format!(
        "{}: {}",
        words.0.of(&header.title),
        words.say("ajuste", "tuning")
    );
    let mut document = Document::new(title, language);
    let games = found.comparison.as_ref().map_or(0, |c| c.sides[0].games);
    headline(&mut document, header, games);
    document.verdict(sentences(words, found, settings, goals));
    document.heading(words.say("Objetivos", "Goals"));
    document.small(match language {
        Language::Es => format!("Medidos en {games} partidas de cada lado, con semillas nuevas."),
        Language::En => format!("Measured in {games} games of each side, on fresh seeds."),
    });
    document.table(goal_table(words, goals));
    let (before, after) = (words.say("Antes", "Before"), words.say("Después", "After"));
    let mut table = Tabular::new([words.say("Parámetro", "Parameter"), before, after]);
    for (key, before, after) in settings {
        table.row([key.clone(), before.to_string(), after.to_string()]);
    }
    document.heading(words.say("Ajustes", "Settings"));
    document.table(table);
    if pictures == Pictures::Drawn {
        document.figures(figures::forests(words, differences)?);
    }
    document.heading(match language {
        Language::Es => format!(
            "Ajustes probados: {} de {} pruebas",
            found.tried.len(),
            found.trials
        ),
        Language::En => format!(
            "Settings tried: {} in {} trials",
            found.tried.len(),
            found.trials
        ),
    });
    document.table(tried(words, found, settings, pictures));
    if found.is_better() {
        document.heading(words.say("Para probarlo", "To try it"));
        document.commands(vec![to_try(header, settings)]);
    }
    colophon(&mut document, header);
    Ok(document)
}

/// The command that plays with what was found.
fn to_try(header: &Header, settings: &[(String, i64, i64)]) -> String {
    let flags: String = settings
        .iter()
        .filter(|(_, before, after)| before != after)
        .map(|(key, _, after)| format!(" --set {key}={after}"))
        .collect();
    let (game, players, bots) = (&header.game, header.players, header.bots.join(","));
    format!("ludoteca sim {game}{flags} --players {players} --bots {bots}")
}

fn sentences(
    words: Words,
    found: &Found,
    settings: &[(String, i64, i64)],
    goals: &[GoalCheck],
) -> Vec<String> {
    let Some(gain) = found.gain else {
        let said = words.say(
            "Se detuvo antes de medir los objetivos con semillas nuevas.",
            "Stopped before the goals were measured on fresh seeds.",
        );
        return vec![said.to_string()];
    };
    let changed = settings.iter().any(|(_, before, after)| before != after);
    let mut said = vec![
        match (gain.better, changed) {
            _ if !gain.better && gain.after < gain.before => words.say(
                "No se ve que nada sea mejor que el juego como está: lo mejor que se encontró queda más cerca de los objetivos en estas partidas, pero puede ser azar; más partidas (--check) lo dirían.",
                "Nothing is seen to be better than the game as it is: the best that was found is nearer to the goals in these games, but that may be chance; more games (--check) would tell.",
            ),
            (true, _) => words.say(
                "Estos ajustes son mejores que el juego como está: menos de una probabilidad entre cien de que no lo sean.",
                "These settings are better than the game as it is: less than one chance in a hundred that they are not.",
            ),
            (false, true) => words.say(
                "Nada mejor que el juego como está: lo mejor que se encontró no queda más cerca de los objetivos.",
                "Nothing is better than the game as it is: the best that was found is no nearer to the goals.",
            ),
            (false, false) => words.say(
                "Nada mejor que el juego como está: los mejores ajustes son los que tiene.",
                "Nothing is better than the game as it is: the best settings are those it has.",
            ),
        }
        .to_string(),
    ];
    // What counts is what one would play then.
    let stands = match gain.better {
        true => words.say("con estos ajustes", "with these settings"),
        false => words.say("con el juego como está", "with the game as it is"),
    };
    for check in goals {
        let became = met(words, check.met_by_what_stands(gain.better));
        said.push(format!("{}: {became} {stands}", check.goal));
    }
    said
}

fn met(words: Words, met: Met) -> &'static str {
    match (met, words.0) {
        (Met::Yes, Language::Es) => "cumplido",
        (Met::Yes, Language::En) => "met",
        (Met::Perhaps, Language::Es) => "cumplido dentro del error",
        (Met::Perhaps, Language::En) => "met within error",
        (Met::No, Language::Es) => "no cumplido",
        (Met::No, Language::En) => "not met",
    }
}

fn goal_table(words: Words, goals: &[GoalCheck]) -> Tabular {
    let mut table = Tabular::new([
        words.say("Objetivo", "Goal"),
        words.say("Antes", "Before"),
        words.say("Después", "After"),
    ]);
    for check in goals {
        let side = |found: &Option<Estimate>| {
            found.map_or_else(
                || "-".to_string(),
                |found| {
                    let between = interval(&found, check.share, words.0);
                    let met = met(words, check.goal.met(&found));
                    format!("{} ({between}), {met}", value(found.value, check.share))
                },
            )
        };
        table.row([
            check.goal.to_string(),
            side(&check.before),
            side(&check.after),
        ]);
    }
    table
}

fn tried(
    words: Words,
    found: &Found,
    settings: &[(String, i64, i64)],
    pictures: Pictures,
) -> Tabular {
    let keys = settings.iter().map(|(key, _, _)| key.as_str());
    let mut table = Tabular::new([
        keys.collect::<Vec<_>>().join(" × "),
        words.say("Partidas", "Games").to_string(),
        words
            .say("Pasos hasta los objetivos", "Steps from the goals")
            .to_string(),
    ]);
    let shown = match pictures {
        Pictures::Drawn => found.tried.len(),
        Pictures::Left => SHOWN,
    };
    for trial in found.tried.iter().take(shown) {
        let values: Vec<String> = trial.values.iter().map(i64::to_string).collect();
        table.row([
            values.join(" × "),
            trial.games.to_string(),
            format!("{:.2}", trial.away),
        ]);
    }
    table
}
