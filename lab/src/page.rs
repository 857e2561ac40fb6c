//! Reports as one page of HTML that needs nothing else: no network, no script.

mod content;
mod figures;

use crate::chart::ChartError;
use crate::compare::Difference;
use crate::goal::Goal;
use crate::numbers::{interval, signed, signed_interval, value};
use crate::parameter::Varied;
use crate::row::Header;
use crate::statistics::Estimate;
use crate::summary::Findings;
use ludoteca::script::label::Language;
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
    let extreme = |extreme: Option<super::summary::Extreme>, share: bool| {
        extreme.map_or_else(String::new, |extreme| {
            format!("{} ({})", value(extreme.value, share), extreme.game)
        })
    };
    let [least, quarter, half, three_quarters, most] = found.round_quantiles;
    html! {
        div.wide { table {
            tr {
                th { (words.say("Medida", "Measure")) }
                th { (words.say("Media", "Mean")) }
                th { (words.say("Intervalo del 95 %", "95 % interval")) }
                th { (words.say("Mínimo (partida)", "Least (game)")) }
                th { (words.say("Máximo (partida)", "Most (game)")) }
            }
            tr {
                td { (words.say("Equilibrio entre asientos", "Seat balance")) }
                td { (value(found.seat_balance.value, true)) }
                td { (interval(&found.seat_balance, true)) }
                td {} td {}
            }
            tr {
                td { (words.say("Ventaja de empezar", "First-player advantage")) }
                td { (signed(found.first_player_advantage.value, true)) }
                td { (signed_interval(&found.first_player_advantage, true)) }
                td {} td {}
            }
            @for finding in found.measures.iter().filter(|finding| finding.games > 0) {
                tr {
                    td { (words.0.of(&finding.text)) " " code.no { (finding.name) } }
                    td { (value(finding.mean.value, finding.share)) }
                    td { (interval(&finding.mean, finding.share)) }
                    td { (extreme(finding.least, finding.share)) }
                    td { (extreme(finding.most, finding.share)) }
                }
            }
        } }
        p.soft {
            (words.say("Rondas: mínimo, cuartiles y máximo ", "Rounds: least, quartiles and most "))
            (least) " | " (quarter) " | " (half) " | " (three_quarters) " | " (most) "."
        }
        div.wide { table {
            tr {
                th { (words.say("Acaban por", "Ended by")) }
                th { (words.say("Partidas", "Games")) }
                th { (words.say("Intervalo del 95 %", "95 % interval")) }
                th { (words.say("Primera", "First")) }
            }
            @for reason in &found.reasons {
                tr {
                    td { (reason.reason) }
                    td { (value(reason.share.value, true)) }
                    td { (interval(&reason.share, true)) }
                    td { (reason.example) }
                }
            }
        } }
    }
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
    html! {
        div.wide { table {
            tr {
                th { (words.say("Medida", "Measure")) }
                th { (words.say("Primera", "First")) }
                th { (words.say("Segunda", "Second")) }
                th { (words.say("Diferencia", "Difference")) }
                th { (words.say("Intervalo del 95 %", "95 % interval")) }
                th { (words.say("Tamaño/error", "Size/error")) }
                th {}
            }
            @for d in differences {
                tr {
                    td { (words.0.of(&d.text)) " " code.no { (d.name) } }
                    td { (value(d.first, d.share)) }
                    td { (value(d.second, d.share)) }
                    td { (signed(d.difference.value, d.share)) }
                    td { (signed_interval(&d.difference, d.share)) }
                    td { @if d.ratio > 999.0 { "> 999" } @else { (format!("{:.1}", d.ratio)) } }
                    td.words {
                        @if d.seen { strong { (words.say("difiere", "differs")) } }
                        @else { span.no { (unseen(words, d)) } }
                    }
                }
            }
        } }
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
        div.wide { table {
            tr {
                @for key in &keys { th { (key) } }
                @for (metric, _) in metrics { th { (metric) } }
            }
            @for point in points {
                tr {
                    @for number in &point.values { td { (number) } }
                    @for (metric, share) in metrics {
                        td {
                            @if let Some(found) = super::goal::measured(metric, &point.findings) {
                                (value(found.value, *share)) " "
                                span.no { "(" (interval(&found, *share)) ")" }
                            }
                        }
                    }
                }
            }
        } }
    };
    let what = format!("{} {}", header.selection_named(), keys.join(" × "));
    let title = format!("{}: {what}", header.game);
    let head = headline(words, header, &what, games);
    Ok(page(words, &title, head, body))
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
    let cell = |estimate: &Option<Estimate>, share: bool| match estimate {
        Some(found) => format!("{} ({})", value(found.value, share), interval(found, share)),
        None => "-".to_string(),
    };
    let body = html! {
        h2 { (words.say("Ajustes", "Settings")) }
        div.wide { table {
            tr { th { (words.say("Parámetro", "Parameter")) } th { (words.say("Antes", "Before")) } th { (words.say("Después", "After")) } }
            @for (key, before, after) in settings {
                tr { td { code { (key) } } td { (before) } td { (after) } }
            }
        } }
        h2 { (words.say("Objetivos", "Goals")) }
        p.soft { (words.say("Medidos con semillas nuevas.", "Measured on fresh seeds.")) }
        div.wide { table {
            tr { th { (words.say("Objetivo", "Goal")) } th { (words.say("Antes", "Before")) } th { (words.say("Después", "After")) } }
            @for check in goals {
                tr {
                    td { code { (check.goal) } }
                    td { (cell(&check.before, check.share)) }
                    td { (cell(&check.after, check.share)) }
                }
            }
        } }
        (figures::forests(words, differences)?)
        h2 { (words.say("Diferencias", "Differences")) }
        (difference_table(words, differences))
    };
    let what = words.say("ajuste", "tuning").to_string();
    let title = format!("{}: {what}", headers[0].game);
    let head = headline(words, headers[1], &what, games);
    Ok(page(words, &title, head, body))
}
