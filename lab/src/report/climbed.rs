//! The report of a ladder: how strong each bot is, what it costs, and how deep the game is.

use super::sentences::latency;
use super::{Pictures, colophon, figures};
use crate::chart::ChartError;
use crate::document::{Document, Tabular, Words};
use crate::ladder::{Rung, RungVerdict, Strength, depth};
use crate::numbers::{interval, value};
use crate::record::Header;
use ludoteca::Language;

/// `header` says what was played; its bots are those of the ladder, from the weakest to the strongest.
pub fn ladder(
    header: &Header,
    rungs: &[Rung],
    pictures: Pictures,
    language: Language,
) -> Result<Document, ChartError> {
    let words = Words(language);
    let title = format!(
        "{}: {}",
        words.0.of(&header.title),
        words.say("escalera de bots", "ladder of bots")
    );
    let mut document = Document::new(title, language);
    let (players, game) = (header.players, &header.game);
    let together = rungs.iter().any(|rung| rung.apart.is_some());
    document.paragraph(match language {
        Language::Es if together => format!(
            "{game}, {players} jugadores: todos ganan o pierden juntos; cada bot tiene mesas propias, con las mismas semillas que el anterior: con qué frecuencia le va mejor (un empate cuenta medio), y con qué frecuencia ganan unas y otras"
        ),
        Language::En if together => format!(
            "{game}, {players} players: all win or lose together; each bot has tables of its own, on the same seeds as the one before it: how often it does better (a tie counts half), and how often the tables of both win"
        ),
        Language::Es => format!(
            "{game}, {players} jugadores: cada bot contra el anterior, con las mismas semillas desde todos los asientos"
        ),
        Language::En => format!(
            "{game}, {players} players: each bot against the one before it, on the same seeds from every seat"
        ),
    });
    document.verdict(vec![climbs(words, rungs), deep(words, rungs)]);
    if pictures == Pictures::Drawn {
        document.figures(vec![figures::strengths(words, rungs)?]);
    }
    document.table(pairs(words, rungs, together));
    document.heading(words.say("Fuerza de cada bot", "How strong each bot is"));
    document.table(strengths(words, rungs));
    document.small(words.say(
        "Elo como en ajedrez, contado desde el más flojo: 400 es diez a uno. Los errores de los escalones se suman como los de partidas independientes. «Al menos»: algún escalón no perdió nunca.",
        "Elo as in chess, counted from the weakest: 400 is ten to one. The errors of the rungs are added as those of independent games. “At least”: some rung was never lost.",
    ));
    colophon(&mut document, header);
    Ok(document)
}

/// Every bot beside the one before it.
fn pairs(words: Words, rungs: &[Rung], together: bool) -> Tabular {
    let between = words.say("Intervalo del 95 %", "95 % interval");
    let mut table = Tabular::new([
        "Bot",
        words.say("Contra", "Against"),
        words.say("Partidas", "Games"),
        match together {
            true => words.say("Le va mejor", "Does better"),
            false => words.say("Gana", "Wins"),
        },
        between,
        words.say("Justo", "Fair"),
        "Elo",
        between,
        words.say("Mesas que ganan", "Tables won"),
    ]);
    for rung in rungs {
        let elo = rung.elo();
        table.row([
            rung.pairing.stronger.to_string(),
            rung.pairing.weaker.to_string(),
            rung.games.to_string(),
            value(rung.share.value, true),
            interval(&rung.share, true, words.0),
            value(rung.fair, true),
            format!("{:+.0}", elo.value),
            format!("{:+.0} .. {:+.0}", elo.low, elo.high),
            rung.apart.map_or(String::new(), |[weaker, stronger]| {
                let (weaker, stronger) = (value(weaker, true), value(stronger, true));
                format!("{weaker} : {stronger}")
            }),
        ]);
    }
    table
}

/// Each bot from the weakest on.
fn strengths(words: Words, rungs: &[Rung]) -> Tabular {
    let mut table = Tabular::new([
        "Bot",
        words.say("Elo desde el más flojo", "Elo from the weakest"),
        words.say("Intervalo del 95 %", "95 % interval"),
        words.say("Una respuesta", "An answer"),
        words.say("Líneas por segundo", "Lines a second"),
    ]);
    let lines = |lines: Option<f64>| lines.map_or(String::new(), |lines| format!("{lines:.0}"));
    if let Some(first) = rungs.first() {
        let weakest = first.pairing.weaker.to_string();
        table.row([
            weakest,
            "0".into(),
            String::new(),
            latency(first.seconds[0]),
            lines(first.lines[0]),
        ]);
    }
    for (n, rung) in rungs.iter().enumerate() {
        let Strength { elo, at_least } = Strength::of(&rungs[..=n]);
        let between = match at_least {
            true => format!("{} {:+.0}", words.say("al menos", "at least"), elo.low),
            false => format!("{:+.0} .. {:+.0}", elo.low, elo.high),
        };
        table.row([
            rung.pairing.stronger.to_string(),
            format!("{:+.0}", elo.value),
            between,
            latency(rung.seconds[1]),
            lines(rung.lines[1]),
        ]);
    }
    table
}

/// How deep the game is.
fn deep(words: Words, rungs: &[Rung]) -> String {
    let Strength { elo, at_least } = depth(rungs);
    let (low, high) = (elo.low, elo.high);
    let steps = match (at_least, words.0) {
        (true, Language::Es) => format!("al menos {low:.1}"),
        (true, Language::En) => format!("at least {low:.1}"),
        (false, _) => format!("{:.1} ({low:.1} .. {high:.1})", elo.value),
    };
    match words.0 {
        Language::Es => format!(
            "Profundidad: {steps} escalones de tres partidas de cada cuatro entre el más flojo y el más fuerte."
        ),
        Language::En => format!(
            "Depth: {steps} steps of three games in four between the weakest and the strongest."
        ),
    }
}

/// Whether every step leads up, and where not.
fn climbs(words: Words, rungs: &[Rung]) -> String {
    let where_not = |verdict: RungVerdict, says: &str| {
        let pairs: Vec<String> = rungs
            .iter()
            .filter(|rung| rung.verdict() == verdict)
            .map(|rung| format!("{} {says} {}", rung.pairing.stronger, rung.pairing.weaker))
            .collect();
        pairs.join(", ")
    };
    let weaker = words.say("es más flojo que", "is weaker than");
    let weaker = where_not(RungVerdict::Weaker, weaker);
    let unclear = words.say("quizá no sea más fuerte que", "may be no stronger than");
    let unclear = where_not(RungVerdict::Unclear, unclear);
    let not_all = words.say("No todos los pasos suben", "Not every step leads up");
    match (weaker.is_empty(), unclear.is_empty()) {
        (true, true) => words
            .say("Cada paso sube.", "Every step leads up.")
            .to_string(),
        (true, false) => format!(
            "{}: {unclear}.",
            words.say(
                "No todos los pasos están fuera de duda",
                "Not every step is beyond doubt"
            )
        ),
        (false, true) => format!("{not_all}: {weaker}."),
        (false, false) => format!("{not_all}: {weaker}; {unclear}."),
    }
}
