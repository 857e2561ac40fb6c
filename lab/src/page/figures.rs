//! The pictures of a report.

use super::{SweepPoint, Words};
use crate::chart::{self, Axes, ChartError, Curve, Dot, Effect};
use crate::compare::Difference;
use crate::goal;
use crate::parameter::Varied;
use crate::record::Header;
use crate::statistics::Estimate;
use crate::summary::Findings;
use maud::{Markup, PreEscaped, html};
use std::collections::BTreeMap;

fn figure(svg: String, caption: &str) -> Markup {
    html! {
        figure {
            (PreEscaped(svg))
            figcaption { (caption) }
        }
    }
}

/// The pictures of one run.
pub fn run(words: Words, header: &Header, found: &Findings) -> Result<Markup, ChartError> {
    Ok(html! {
        div.figures {
            (wins(words, header, found)?)
            (lengths(words, found)?)
            @if !found.lead.is_empty() { (lead(words, header, &[("", found)])?) }
            (content(words, header, found)?)
        }
    })
}

/// The same pictures of both sides, next to each other.
pub fn sides(
    words: Words,
    headers: [&Header; 2],
    found: [&Findings; 2],
) -> Result<Markup, ChartError> {
    let names = headers.map(Header::selection_named);
    let both = [(names[0].as_str(), found[0]), (names[1].as_str(), found[1])];
    Ok(html! {
        div.figures {
            (wins(words, headers[0], found[0])?)
            (wins(words, headers[1], found[1])?)
            (lengths(words, found[0])?)
            (lengths(words, found[1])?)
            @if both.iter().all(|(_, found)| !found.lead.is_empty()) { (lead(words, headers[0], &both)?) }
        }
    })
}

fn wins(words: Words, header: &Header, found: &Findings) -> Result<Markup, ChartError> {
    let seat = |seat: usize| match header.rotate {
        true => format!("p{seat}"),
        false => format!("p{seat} {}", header.bots[seat]),
    };
    let (names, shares): (Vec<String>, Vec<_>) = match found.sides.is_empty() {
        true => {
            let seats = found.wins.iter().enumerate();
            seats.map(|(n, wins)| (seat(n), *wins)).unzip()
        }
        false => {
            let sides = found.sides.iter();
            sides
                .map(|side| (words.0.of(&side.text).to_string(), side.wins))
                .unzip()
        }
    };
    let even = 1.0 / names.len().max(1) as f64;
    let svg = chart::shares(&names, &shares, even, words.say("victorias", "wins"))?;
    let caption = words.say(
        "Victorias con su intervalo; la línea es el reparto igual.",
        "Wins with their intervals; the line is an even share.",
    );
    Ok(figure(
        svg,
        &format!("{} ({})", caption, header.bots_named()),
    ))
}

fn lengths(words: Words, found: &Findings) -> Result<Markup, ChartError> {
    let axes = Axes {
        x: words.say("rondas", "rounds"),
        y: words.say("partidas", "games"),
        x_share: false,
        y_share: false,
    };
    let svg = chart::histogram(&found.lengths, &axes)?;
    Ok(figure(
        svg,
        words.say("Cuántas rondas duran.", "How many rounds they last."),
    ))
}

fn lead(words: Words, header: &Header, found: &[(&str, &Findings)]) -> Result<Markup, ChartError> {
    let curves: Vec<Curve> = found
        .iter()
        .map(|(name, found)| Curve {
            name: name.to_string(),
            points: found.lead.iter().map(|lead| (lead.at, lead.wins)).collect(),
        })
        .collect();
    let axes = Axes {
        x: words.say("avance de la partida", "how far the game has come"),
        y: words.say("gana quien va primero", "the leader wins"),
        x_share: true,
        y_share: true,
    };
    let caption = words.say(
        "Probabilidad de ganar de quien va primero, según la valoración del propio juego.",
        "The chance to win of whoever leads, by the game's own judgement.",
    );
    Ok(figure(
        chart::curves(&curves, &axes)?,
        &format!("{} ({})", caption, header.bots_named()),
    ))
}

/// Content use against win rate: one picture for each kind.
fn content(words: Words, header: &Header, found: &Findings) -> Result<Markup, ChartError> {
    const MOST_DOTS: usize = 40;
    let even = 1.0 / header.players.max(1) as f64;
    let mut kinds: BTreeMap<&str, Vec<Dot>> = BTreeMap::new();
    let mut items: Vec<_> = found.content.iter().collect();
    items.sort_by(|a, b| b.use_share.value.total_cmp(&a.use_share.value));
    for item in items {
        let dots = kinds.entry(&item.kind).or_default();
        if let Some(wins) = item.wins_with
            && dots.len() < MOST_DOTS
        {
            dots.push(Dot {
                name: words.0.of(&item.name).to_string(),
                x: item.use_share.value,
                y: wins,
            });
        }
    }
    let axes = Axes {
        x: words.say("asientos que lo usan", "seats that use it"),
        y: words.say("victorias con ello", "wins with it"),
        x_share: true,
        y_share: true,
    };
    let caption = words.say(
        "Uso contra victorias; la línea es el reparto igual. Lo usado por quien va ganando también sube.",
        "Use against wins; the line is an even share. What winners can afford stands high, too.",
    );
    let drawn = kinds.iter().filter(|(_, dots)| dots.len() > 1);
    let figures = drawn
        .map(|(kind, dots)| {
            let svg = chart::scatter(dots, even, &axes)?;
            Ok(figure(svg, &format!("{kind}: {caption}")))
        })
        .collect::<Result<Vec<_>, ChartError>>()?;
    Ok(html! { @for figure in figures { (figure) } })
}

/// Differences of shares in points, of everything else in percent of the first side's mean.
pub fn forests(words: Words, differences: &[Difference]) -> Result<Markup, ChartError> {
    let scaled = |d: &Difference, scale: f64| Effect {
        name: words.0.of(&d.text).to_string(),
        effect: Estimate {
            value: d.difference.value * scale,
            low: d.difference.low * scale,
            high: d.difference.high * scale,
        },
        seen: d.seen,
    };
    let shares: Vec<Effect> = differences
        .iter()
        .filter(|d| d.share)
        .map(|d| scaled(d, 100.0))
        .collect();
    let others: Vec<Effect> = differences
        .iter()
        .filter(|d| !d.share && d.first.abs() > 1e-9)
        .map(|d| scaled(d, 100.0 / d.first.abs()))
        .collect();
    let points = words.say("puntos porcentuales", "percentage points");
    let percent = words.say("% de la media del primero", "% of the first side's mean");
    let caption = words.say(
        "Segunda menos primera, con intervalos emparejados; fuerte lo que difiere.",
        "Second less first, with paired intervals; strong where it differs.",
    );
    Ok(html! {
        div.figures {
            @if !others.is_empty() { (figure(chart::forest(&others, percent)?, caption)) }
            @if !shares.is_empty() { (figure(chart::forest(&shares, points)?, caption)) }
        }
    })
}

/// A curve for each metric; with several parameters, a line for each combination of those after the first.
pub fn sweep(
    words: Words,
    varied: &[Varied],
    points: &[SweepPoint],
    metrics: &[(String, bool)],
) -> Result<Markup, ChartError> {
    let mut figures = Vec::new();
    for (metric, share) in metrics {
        let mut lines: BTreeMap<&[i64], Vec<(f64, Estimate)>> = BTreeMap::new();
        for point in points {
            if let (Some((first, others)), Some(found)) = (
                point.values.split_first(),
                goal::measured(metric, &point.findings),
            ) {
                lines
                    .entry(others)
                    .or_default()
                    .push((*first as f64, found));
            }
        }
        let named = |others: &[i64]| {
            let pairs = varied[1..].iter().zip(others);
            let words: Vec<String> = pairs
                .map(|(p, value)| format!("{}={value}", p.key))
                .collect();
            words.join(", ")
        };
        let curves: Vec<Curve> = lines
            .into_iter()
            .map(|(others, points)| Curve {
                name: named(others),
                points,
            })
            .collect();
        let axes = Axes {
            x: &varied[0].key,
            y: metric,
            x_share: false,
            y_share: *share,
        };
        let caption = words.say(
            "con la banda de su intervalo",
            "with the band of its interval",
        );
        figures.push(figure(
            chart::curves(&curves, &axes)?,
            &format!("{metric}, {caption}"),
        ));
    }
    Ok(html! { div.figures { @for figure in figures { (figure) } } })
}
