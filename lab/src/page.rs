//! Reports as one page of HTML that needs nothing else: no network, no script.

mod content;
mod figures;
mod table;

use self::table::{cell, estimate, table};
use crate::chart::ChartError;
use crate::compare::Difference;
use crate::goal::Goal;
use crate::numbers::{interval, signed, signed_interval, value};
use crate::parameter::Varied;
use crate::record::Header;
use crate::statistics::Estimate;
use crate::summary::Findings;
use ludoteca::table::label::Language;
use maud::{DOCTYPE, Markup, PreEscaped, html};

const STYLE: &str = include_str!("page.css");

/// Words of the page, in the reader's language.
#[derive(Clone, Copy)]
pub(crate) struct Words(pub Language);

impl Words {
    pub fn say<'a>(self, es: &'a str, en: &'a str) -> &'a str {
        match self.0 {
            Language::Es => es,
            Language::En => en,
        }
    }
}

/// One point of a sweep.
pub struct SweepPoint {
    pub values: Vec<i64>,
    pub findings: Findings,
}

/// What became of a goal: before, after.
pub struct GoalCheck {
    pub goal: Goal,
    pub share: bool,
    pub before: Option<Estimate>,
    pub after: Option<Estimate>,
}

fn page(words: Words, title: &str, headline: Markup, body: Markup) -> String {
    let lang = words.say("es", "en");
    html! {
        (DOCTYPE)
        html lang=(lang) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                (headline)
                (body)
            }
        }
    }
    .into_string()
}

/// Who played what, how often. The bots are in it: what they do is not what people do.
fn headline(words: Words, header: &Header, what: &str, games: u64) -> Markup {
    html! {
        h1 { (words.0.of(&header.title)) ": " (what) }
        p {
            strong { (words.say("Bots: ", "Bots: ")) (header.bots_named()) }
            ", " (header.players) (words.say(" jugadores, ", " players, "))
            (games) (words.say(" partidas", " games"))
        }
        p.soft {
            (words.say(
                "Lo que hacen los bots no es lo que hace la gente. Los intervalos contienen el valor verdadero en 95 de cada 100 muestras así. Contenido ",
                "What bots do is not what people do. Intervals hold the true value in 95 of 100 such samples. Content ",
            ))
            code { (header.content) }
            (words.say(", primera semilla ", ", first seed ")) (header.seed) "."
        }
    }
}

/// The report of one run. `replay` says how one of its games is played again.
pub fn run(
    header: &Header,
    found: &Findings,
    replay: &str,
    language: Language,
) -> Result<String, ChartError> {
    let words = Words(language);
    let body = html! {
        (figures::run(words, header, found)?)
        h2 { (words.say("Medidas", "Measures")) }
        (measures(words, found))
        (content::tables(words, found))
        (again(words, &[replay]))
    };
    let title = format!("{}: {}", header.game, header.selection_named());
    let head = headline(words, header, &header.selection_named(), found.games);
    Ok(page(words, &title, head, body))
}

fn measures(words: Words, found: &Findings) -> Markup {
    let extreme = |extreme: Option<crate::summary::Extreme>, share: bool| {
        extreme.map_or_else(String::new, |extreme| {
            format!("{} ({})", value(extreme.value, share), extreme.game)
        })
    };
    let heads = [
        words.say("Medida", "Measure"),
        words.say("Media", "Mean"),
        words.say("Intervalo del 95 %", "95 % interval"),
        words.say("Mínimo (partida)", "Least (game)"),
        words.say("Máximo (partida)", "Most (game)"),
    ];
    let balance = found.seat_balance.iter().map(|balance| {
        [
            cell(words.say("Equilibrio entre asientos", "Seat balance")),
            cell(value(balance.value, true)),
            cell(interval(balance, true)),
            cell(""),
            cell(""),
        ]
    });
    let advantage = found.first_player_advantage.iter().map(|advantage| {
        [
            cell(words.say("Ventaja de empezar", "First-player advantage")),
            cell(signed(advantage.value, true)),
            cell(signed_interval(advantage, true)),
            cell(""),
            cell(""),
        ]
    });
    let of_seats = balance.chain(advantage);
    let measured = found.measures.iter().filter(|finding| finding.games > 0);
    let of_measures = measured.map(|finding| {
        [
            html! { (words.0.of(&finding.text)) " " code.no { (finding.name) } },
            cell(value(finding.mean.value, finding.share)),
            cell(interval(&finding.mean, finding.share)),
            cell(extreme(finding.least, finding.share)),
            cell(extreme(finding.most, finding.share)),
        ]
    });
    let [least, quarter, half, three_quarters, most] = found.round_quantiles;
    html! {
        (table(&heads, of_seats.into_iter().chain(of_measures)))
        p.soft {
            (words.say("Rondas: mínimo, cuartiles y máximo ", "Rounds: least, quartiles and most "))
            (least) " | " (quarter) " | " (half) " | " (three_quarters) " | " (most) "."
        }
        (reasons(words, found))
    }
}

fn reasons(words: Words, found: &Findings) -> Markup {
    let heads = [
        words.say("Acaban por", "Ended by"),
        words.say("Partidas", "Games"),
        words.say("Intervalo del 95 %", "95 % interval"),
        words.say("Primera", "First"),
    ];
    let rows = found.reasons.iter().map(|reason| {
        [
            cell(&reason.reason),
            cell(value(reason.share.value, true)),
            cell(interval(&reason.share, true)),
            cell(reason.example),
        ]
    });
    table(&heads, rows)
}

fn again(words: Words, commands: &[&str]) -> Markup {
    html! {
        h2 { (words.say("Ver una partida", "See a game")) }
        p.soft {
            (words.say(
                "Los números de partida de esta página se juegan otra vez, jugada a jugada, con:",
                "The numbers of games on this page can be played again, move by move, with:",
            ))
        }
        @for command in commands { p { code { (command) } } }
    }
}

/// The report of a comparison.
pub fn comparison(
    headers: [&Header; 2],
    found: [&Findings; 2],
    differences: &[Difference],
    verdict: Option<&str>,
    replays: [&str; 2],
    language: Language,
) -> Result<String, ChartError> {
    let words = Words(language);
    let names = headers.map(Header::selection_named);
    let what = format!("{} → {}", names[0], names[1]);
    let body = html! {
        @if let Some(verdict) = verdict { p { strong { (verdict) } } }
        (figures::forests(words, differences)?)
        h2 { (words.say("Diferencias", "Differences")) }
        (difference_table(words, differences))
        h2 { (names[0]) " | " (names[1]) }
        (figures::sides(words, headers, found)?)
        (again(words, &replays))
    };
    let title = format!("{}: {what}", headers[0].game);
    let head = headline(words, headers[0], &what, found[0].games);
    Ok(page(words, &title, head, body))
}

fn difference_table(words: Words, differences: &[Difference]) -> Markup {
    let heads = [
        words.say("Medida", "Measure"),
        words.say("Primera", "First"),
        words.say("Segunda", "Second"),
        words.say("Diferencia", "Difference"),
        words.say("Intervalo del 95 %", "95 % interval"),
        words.say("Tamaño/error", "Size/error"),
        "",
    ];
    let rows = differences.iter().map(|d| {
        let verdict = html! {
            div.words {
                @if d.seen { strong { (words.say("difiere", "differs")) } }
                @else { span.no { (unseen(words, d)) } }
            }
        };
        [
            html! { (words.0.of(&d.text)) " " code.no { (d.name) } },
            cell(value(d.first, d.share)),
            cell(value(d.second, d.share)),
            cell(signed(d.difference.value, d.share)),
            cell(signed_interval(&d.difference, d.share)),
            html! { @if d.ratio > 999.0 { "> 999" } @else { (format!("{:.1}", d.ratio)) } },
            verdict,
        ]
    });
    html! {
        (table(&heads, rows))
        p.soft {
            (words.say(
                "Mismas semillas y asientos en ambos lados, intervalos de partidas emparejadas. «Difiere»: con todas las medidas juntas, a lo sumo un 5 % de probabilidad de que alguna no sea verdadera (Holm).",
                "Same seeds and seats on both sides, intervals of paired games. “Differs”: with all measures together, a chance of at most 5 % that any of these is no true difference (Holm).",
            ))
        }
    }
}

fn unseen(words: Words, difference: &Difference) -> String {
    let none = words.say("no se ve diferencia", "no difference seen");
    let size = match difference.share {
        true => format!("{:.1}", difference.size * 100.0),
        false => format!("{:.2}", difference.size),
    };
    match difference.needed {
        Some(games) => format!(
            "{none}; {games} {} {size}",
            words.say("partidas mostrarían una de", "games would show one of")
        ),
        None => none.to_string(),
    }
}

/// The report of a sweep.
pub fn sweep(
    header: &Header,
    varied: &[Varied],
    points: &[SweepPoint],
    metrics: &[(String, bool)],
    language: Language,
) -> Result<String, ChartError> {
    let words = Words(language);
    let keys: Vec<&str> = varied
        .iter()
        .map(|parameter| parameter.key.as_str())
        .collect();
    let games: u64 = points.iter().map(|point| point.findings.games).sum();
    let body = html! {
        (figures::sweep(words, varied, points, metrics)?)
        h2 { (words.say("Tabla", "Table")) }
        (sweep_table(&keys, points, metrics))
    };
    let what = format!("{} {}", header.selection_named(), keys.join(" × "));
    let title = format!("{}: {what}", header.game);
    let head = headline(words, header, &what, games);
    Ok(page(words, &title, head, body))
}

fn sweep_table(keys: &[&str], points: &[SweepPoint], metrics: &[(String, bool)]) -> Markup {
    let metric_names = metrics.iter().map(|(metric, _)| metric.as_str());
    let heads: Vec<&str> = keys.iter().copied().chain(metric_names).collect();
    let rows = points.iter().map(|point| {
        let of_point = metrics.iter().map(|(metric, share)| {
            html! {
                @if let Some(found) = crate::goal::measured(metric, &point.findings) {
                    (value(found.value, *share)) " "
                    span.no { "(" (interval(&found, *share)) ")" }
                }
            }
        });
        let values = point.values.iter().map(cell);
        values.chain(of_point).collect::<Vec<_>>()
    });
    table(&heads, rows)
}

/// The report of a search: what was wanted, what was found, and how it differs from before.
pub fn tuned(
    headers: [&Header; 2],
    goals: &[GoalCheck],
    settings: &[(String, i64, i64)],
    differences: &[Difference],
    games: u64,
    language: Language,
) -> Result<String, ChartError> {
    let words = Words(language);
    let (before, after) = (words.say("Antes", "Before"), words.say("Después", "After"));
    let settings_rows = settings
        .iter()
        .map(|(key, before, after)| [html! { code { (key) } }, cell(before), cell(after)]);
    let goal_rows = goals.iter().map(|check| {
        [
            html! { code { (check.goal) } },
            estimate(&check.before, check.share),
            estimate(&check.after, check.share),
        ]
    });
    let body = html! {
        h2 { (words.say("Ajustes", "Settings")) }
        (table(&[words.say("Parámetro", "Parameter"), before, after], settings_rows))
        h2 { (words.say("Objetivos", "Goals")) }
        p.soft { (words.say("Medidos con semillas nuevas.", "Measured on fresh seeds.")) }
        (table(&[words.say("Objetivo", "Goal"), before, after], goal_rows))
        (figures::forests(words, differences)?)
        h2 { (words.say("Diferencias", "Differences")) }
        (difference_table(words, differences))
    };
    let what = words.say("ajuste", "tuning").to_string();
    let title = format!("{}: {what}", headers[0].game);
    let head = headline(words, headers[1], &what, games);
    Ok(page(words, &title, head, body))
}
