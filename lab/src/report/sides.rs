//! The report of a comparison: what was changed, what differs, and in which games to look at it.

use super::sentences::{between, duration, many};
use super::{Pictures, again, colophon, content, figures, headline, sentences};
use crate::chart::ChartError;
use crate::compare::{Difference, FALSE_FINDING, Verdict};
use crate::document::{Document, Tabular, Words};
use crate::findings::Findings;
use crate::numbers::{signed, value};
use crate::record::Header;
use ludoteca::Language;

/// Findings that are shown with the games to look at.
const SHOWN: usize = 3;

/// Two sides of a question, and the answer.
pub struct AskedSides<'a> {
    pub headers: [&'a Header; 2],
    pub found: [&'a Findings; 2],
    pub differences: &'a [Difference],
    /// What a sequential test says.
    pub settled: Option<&'a str>,
    /// Seconds a game of both sides takes here, if that is known.
    pub pace: Option<f64>,
}

pub fn comparison(
    asked: &AskedSides,
    pictures: Pictures,
    language: Language,
) -> Result<Document, ChartError> {
    let words = Words(language);
    let headers = asked.headers;
    let names = headers.map(Header::selection_named);
    let title = format!(
        "{}: {} → {}",
        words.0.of(&headers[0].title),
        names[0],
        names[1]
    );
    let mut document = Document::new(title, language);
    headline(&mut document, headers[0], asked.found[0].games);
    what_changed(&mut document, headers);
    document.verdict(asked.settled.map(str::to_string).into_iter().collect());
    document.verdict(sentences::of_comparison(words, asked.differences));
    if pictures == Pictures::Drawn {
        document.figures(figures::forests(words, asked.differences)?);
    }
    document.heading(words.say("Diferencias", "Differences"));
    document.table(differences(words, asked));
    legend(&mut document, asked.differences);
    super::run::chances(&mut document, asked.found[0]);
    content::bought(&mut document, &headers, &asked.found);
    flows(&mut document, asked);
    why(&mut document, asked);
    if pictures == Pictures::Drawn {
        document.heading(format!("{} | {}", names[0], names[1]));
        document.figures(figures::sides(words, headers, asked.found)?);
    }
    let game = words.say("PARTIDA", "GAME");
    again(
        &mut document,
        headers.map(|header| header.replay(game)).to_vec(),
    );
    colophon(&mut document, headers[1]);
    Ok(document)
}

/// What the second side has otherwise than the first.
pub fn what_changed(document: &mut Document, headers: [&Header; 2]) {
    let words = document.words;
    let changed = super::changes(&headers[0].made.differing(&headers[1].made), words);
    if !changed.is_empty() {
        document.paragraph(words.say("Lo que cambia:", "What was changed:"));
        document.commands(changed);
    }
}

fn differences(words: Words, asked: &AskedSides) -> Tabular {
    let mut table = Tabular::new([
        words.say("Medida", "Measure"),
        words.say("Primera", "First"),
        words.say("Segunda", "Second"),
        words.say("Diferencia", "Difference"),
        words.say("Intervalo del 95 %", "95 % interval"),
        words.say("Veredicto", "Verdict"),
        words.say("Nombre", "Name"),
    ]);
    for d in asked.differences {
        let row = [
            words.0.of(&d.text).to_string(),
            value(d.first, d.share),
            value(d.second, d.share),
            signed(d.difference.value, d.share),
            between(words, d),
            verdict(words, d, asked.pace),
            d.name.clone(),
        ];
        match d.seen {
            true => table.strong_row(row),
            false => table.row(row),
        }
    }
    table
}

/// `differs`, `no`, `needs 4631, about 85 min here`.
pub fn verdict(words: Words, difference: &Difference, pace: Option<f64>) -> String {
    match (difference.verdict, difference.needed) {
        (Verdict::Differs, _) => words.say("difiere", "differs").to_string(),
        (Verdict::No, _) => "no".to_string(),
        (Verdict::TooFew, _) => words.say("muy pocas", "too few").to_string(),
        (Verdict::Needs, None) => words.say("no se sabe", "unknown").to_string(),
        (Verdict::Needs, Some(needed)) => {
            let needs = words.say("pide", "needs");
            let time = pace.map_or_else(String::new, |pace| {
                format!(", {}", duration(needed as f64 * pace, words))
            });
            format!("{needs} {}{time}", many(needed))
        }
    }
}

/// What the verdicts mean.
fn legend(document: &mut Document, differences: &[Difference]) {
    let words = document.words;
    let of_share = differences
        .iter()
        .find(|d| d.share)
        .map_or(0.02, |d| d.size);
    let (percent, size) = (FALSE_FINDING * 100.0, of_share * 100.0);
    document.small(match words.0 {
        Language::Es => format!(
            "Mismas semillas y asientos en ambos lados. Difiere: con todas las medidas juntas, a lo sumo un {percent:.0} % de probabilidad de que alguna no difiera (Holm). No: no se ve, y estas partidas mostrarían una diferencia de {size:.1} % de una media o {size:.1} puntos de una parte nueve veces de cada diez. Pide N: tantas partidas la mostrarían."
        ),
        Language::En => format!(
            "Same seeds and seats on both sides. Differs: with all measures together, a chance of at most {percent:.0} % that any of these is no true difference (Holm). No: not seen, and these games would show a difference of {size:.1} % of a mean or {size:.1} points of a share nine times in ten. Needs N: so many games would."
        ),
    });
}

/// What comes and goes on both sides: bought, spent, lost.
fn flows(document: &mut Document, asked: &AskedSides) {
    let words = document.words;
    let [first, second] = asked.found;
    let names = &asked.headers[0].names;
    let mut table = Tabular::new([
        words.say("Número", "Number"),
        words.say("Paso", "Step"),
        words.say("Entra, primera", "Comes, first"),
        words.say("segunda", "second"),
        words.say("Se va, primera", "Goes, first"),
        words.say("segunda", "second"),
    ]);
    let mut keys: Vec<(&str, &str)> = first
        .flows
        .iter()
        .chain(&second.flows)
        .filter(|flow| !flow.is_purchase() && names.is_open(&flow.number))
        .map(|flow| (flow.number.as_str(), flow.step.as_str()))
        .collect();
    keys.sort_unstable();
    keys.dedup();
    for (number, step) in keys {
        let of = |found: &Findings| {
            let flow = found
                .flows
                .iter()
                .find(|f| f.number == number && f.step == step);
            flow.map_or((0.0, 0.0), |flow| (flow.gained.value, flow.lost.value))
        };
        let ((gained, lost), (gained_then, lost_then)) = (of(first), of(second));
        table.row([
            names.number(number, words.0),
            names.step(step, words.0).to_string(),
            value(gained, false),
            value(gained_then, false),
            value(lost, false),
            value(lost_then, false),
        ]);
    }
    if table.rows.is_empty() {
        return;
    }
    document.heading(words.say(
        "Lo que entra y lo que se gasta, por partida",
        "What comes and what goes, a game",
    ));
    document.table(table);
}

/// The games that show the surest findings most.
fn why(document: &mut Document, asked: &AskedSides) {
    let words = document.words;
    let shown: Vec<&Difference> = asked
        .differences
        .iter()
        .filter(|d| d.seen && !d.games.is_empty())
        .take(SHOWN)
        .collect();
    if shown.is_empty() {
        return;
    }
    document.heading(words.say(
        "Por qué: las partidas que más lo muestran",
        "Why: the games that show it most",
    ));
    for d in shown {
        document.paragraph(words.0.of(&d.text));
        let commands = d
            .games
            .iter()
            .flat_map(|game| asked.headers.map(|header| header.replay(&game.to_string())));
        document.commands(commands.collect());
    }
}
