//! The pictures of a report, each with the numbers it was drawn from.

use crate::chances::Course;
use crate::chart::{self, Axes, ChartError, Curve, Dot, Effect, Reads};
use crate::compare::Difference;
use crate::document::{Figure, Tabular, Words};
use crate::findings::{Findings, Lead};
use crate::goal;
use crate::ladder::{Rung, RungVerdict, Strength};
use crate::names::ItemNames;
use crate::parameter::Varied;
use crate::record::Header;
use crate::skills::{BySkill, Trend};
use crate::statistics::Estimate;
use crate::sweep::SweepPoint;
use ludoteca::Language;
use std::collections::BTreeMap;

fn figure(svg: String, caption: impl Into<String>, data: Tabular) -> Figure {
    Figure {
        svg,
        caption: caption.into(),
        legend: Vec::new(),
        data,
    }
}

/// A row of numbers: what it is about, the value, the ends of its interval.
fn row(table: &mut Tabular, name: impl Into<String>, found: &Estimate) {
    let numbers = [found.value, found.low, found.high].map(|number| number.to_string());
    table.row(std::iter::once(name.into()).chain(numbers));
}

fn estimates(name: &str) -> Tabular {
    Tabular::new([name, "value", "low", "high"])
}

/// The pictures of one run.
pub fn run(words: Words, header: &Header, found: &Findings) -> Result<Vec<Figure>, ChartError> {
    let mut figures = vec![wins(words, header, found)?, lengths(words, found)?];
    if !found.lead.is_empty() {
        figures.push(lead(words, header, &[("", found)])?);
    }
    if found.course.len() > 1 {
        figures.push(course(words, header, &[("", found)])?);
    }
    figures.extend(board(words, header, found)?);
    figures.extend(content(words, header, found)?);
    Ok(figures)
}

/// The same pictures of both sides, next to each other.
pub fn sides(
    words: Words,
    headers: [&Header; 2],
    found: [&Findings; 2],
) -> Result<Vec<Figure>, ChartError> {
    let names = headers.map(Header::selection_named);
    let both = [(names[0].as_str(), found[0]), (names[1].as_str(), found[1])];
    let mut figures = vec![
        wins(words, headers[0], found[0])?,
        wins(words, headers[1], found[1])?,
        lengths(words, found[0])?,
        lengths(words, found[1])?,
    ];
    if both.iter().all(|(_, found)| !found.lead.is_empty()) {
        figures.push(lead(words, headers[0], &both)?);
    }
    if both.iter().all(|(_, found)| found.course.len() > 1) {
        figures.push(course(words, headers[0], &both)?);
    }
    Ok(figures)
}

fn wins(words: Words, header: &Header, found: &Findings) -> Result<Figure, ChartError> {
    let seat = |seat: usize| match header.rotate {
        true => format!("p{seat}"),
        false => format!("p{seat} {}", header.bots[seat]),
    };
    let (names, shares): (Vec<String>, Vec<Estimate>) = match found.sides.is_empty() {
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
    let mut data = estimates(words.say("asiento", "seat"));
    for (name, share) in names.iter().zip(&shares) {
        row(&mut data, name, share);
    }
    let caption = words.say(
        "Victorias con su intervalo; la línea es el reparto igual.",
        "Wins with their intervals; the line is an even share.",
    );
    let caption = format!(
        "{caption} ({}, {})",
        header.selection_named(),
        header.bots_named(words.0)
    );
    Ok(figure(svg, caption, data))
}

fn lengths(words: Words, found: &Findings) -> Result<Figure, ChartError> {
    let axes = Axes {
        x: words.say("rondas", "rounds"),
        y: words.say("partidas", "games"),
        x_reads: Reads::Whole,
        y_reads: Reads::Whole,
    };
    let svg = chart::histogram(&found.lengths, &axes)?;
    let mut data = Tabular::new([axes.x, axes.y]);
    for (length, games) in &found.lengths {
        data.row([length.to_string(), games.to_string()]);
    }
    let caption = words.say(
        "Cuántas rondas duran; las más largas, juntas en la última barra.",
        "How many rounds they last; the longest together in the last bar.",
    );
    Ok(figure(svg, caption, data))
}

fn along(
    found: &[(&str, &Findings)],
    of: fn(&Findings) -> &Vec<Lead>,
    axes: &Axes,
    caption: String,
) -> Result<Figure, ChartError> {
    let curves: Vec<Curve> = found
        .iter()
        .map(|(name, found)| Curve {
            name: name.to_string(),
            points: of(found).iter().map(|lead| (lead.at, lead.wins)).collect(),
        })
        .collect();
    drawn(&curves, axes, None, caption)
}

/// Curves with their names below, where they cover nothing, and a mark where things stand now.
fn drawn(
    curves: &[Curve],
    axes: &Axes,
    mark: Option<f64>,
    caption: String,
) -> Result<Figure, ChartError> {
    let mut data = Tabular::new([axes.x, "line", "value", "low", "high"]);
    for curve in curves {
        for (x, y) in &curve.points {
            let numbers = [y.value, y.low, y.high].map(|number| number.to_string());
            let cells = [x.to_string(), curve.name.clone()].into_iter();
            data.row(cells.chain(numbers));
        }
    }
    let mut figure = figure(chart::curves(curves, axes, mark)?, caption, data);
    if curves.len() > 1 {
        figure.legend = curves.iter().map(|curve| curve.name.clone()).collect();
    }
    Ok(figure)
}

fn lead(words: Words, header: &Header, found: &[(&str, &Findings)]) -> Result<Figure, ChartError> {
    let axes = Axes {
        x: words.say("avance de la partida", "how far the game has come"),
        y: words.say("gana quien va primero", "the leader wins"),
        x_reads: Reads::Share,
        y_reads: Reads::Share,
    };
    let caption = words.say(
        "Con qué frecuencia gana quien va primero, según la valoración del propio juego.",
        "How often whoever leads wins, by the game's own judgement.",
    );
    let caption = format!("{caption} ({})", header.bots_named(words.0));
    along(found, |found| &found.lead, &axes, caption)
}

fn course(
    words: Words,
    header: &Header,
    found: &[(&str, &Findings)],
) -> Result<Figure, ChartError> {
    let axes = Axes {
        x: words.say("avance de la partida", "how far the game has come"),
        y: words.say("probabilidad de quien ganó", "chance of who won"),
        x_reads: Reads::Share,
        y_reads: Reads::Share,
    };
    let caption = words.say(
        "La probabilidad de ganar que tenía quien acabó ganando, a lo largo de la partida.",
        "The chance to win that whoever won had, along the game.",
    );
    let caption = format!("{caption} ({})", header.bots_named(words.0));
    along(found, |found| &found.course, &axes, caption)
}

/// Every seat's chances along one game.
pub fn chances(header: &Header, course: &Course, language: Language) -> Result<Figure, ChartError> {
    let words = Words(language);
    let axes = Axes {
        x: words.say("avance de la partida", "how far the game has come"),
        y: match course.calibrated {
            true => words.say("probabilidad de ganar", "chance to win"),
            false => words.say("valoración sin calibrar", "judgement, not calibrated"),
        },
        x_reads: Reads::Share,
        y_reads: match course.calibrated {
            true => Reads::Share,
            false => Reads::Number,
        },
    };
    let won = words.say("gana", "wins");
    let name = |seat: usize| match course.winners.contains(&(seat as u8)) {
        true => format!("p{seat} ({won})"),
        false => format!("p{seat}"),
    };
    let curves: Vec<Curve> = course
        .seats
        .iter()
        .enumerate()
        .filter(|(_, points)| !points.is_empty())
        .map(|(seat, points)| Curve {
            name: name(seat),
            points: points.clone(),
        })
        .collect();
    let told = match course.calibrated {
        true => "chance",
        false => "judgement",
    };
    let mut data = Tabular::new(["seat", "at", told, "low", "high"]);
    for curve in &curves {
        for (at, chance) in &curve.points {
            let numbers = [*at, chance.value, chance.low, chance.high].map(|n| format!("{n:.3}"));
            data.row(std::iter::once(curve.name.clone()).chain(numbers));
        }
    }
    let (game, lines) = (course.game, crate::chances::LINES);
    let bots = header.bots_named(words.0);
    let together = match course.calibrated {
        true => words.say("; juntas, un 100 %", "; 100 % together"),
        false => "",
    };
    let caption = match language {
        Language::Es => format!(
            "Partida {game}: lo que cada asiento puede esperar, visto desde él, cuando le toca{together}; pensado con search:{lines}. ({bots})"
        ),
        Language::En => format!(
            "Game {game}: what each seat may expect, seen from there, when it is asked{together}; thought about with search:{lines}. ({bots})"
        ),
    };
    let mut drawn = figure(chart::curves(&curves, &axes, None)?, caption, data);
    drawn.legend = curves.into_iter().map(|curve| curve.name).collect();
    Ok(drawn)
}

/// The board: how often each space is fought over, if spaces have places.
fn board(words: Words, header: &Header, found: &Findings) -> Result<Option<Figure>, ChartError> {
    let placed: Vec<((i32, i32), f64, f64)> = found
        .spaces
        .iter()
        .filter_map(|space| Some((space.at?, space.held, space.fought)))
        .collect();
    if placed.len() < 2 {
        return Ok(None);
    }
    let labels: Vec<(&str, (i32, i32))> = header
        .sections
        .iter()
        .map(|(name, at)| (words.0.of(name), *at))
        .collect();
    let svg = chart::board(&placed, &labels)?;
    let mut data = Tabular::new([
        words.say("espacio", "space"),
        words.say("ocupado", "held"),
        words.say("cambia de manos", "changes hands"),
    ]);
    for space in &found.spaces {
        let numbers = [space.held, space.fought].map(|number| format!("{number:.3}"));
        data.row(std::iter::once(words.0.of(&space.name).to_string()).chain(numbers));
    }
    let caption = words.say(
        "El tablero: tanto más grande un espacio cuanto más tiempo lo tiene alguien, tanto más fuerte cuanto más cambia de manos.",
        "The board: the larger a space the longer somebody holds it, the stronger the more often it changes hands.",
    );
    Ok(Some(figure(
        svg,
        format!("{caption} ({})", header.bots_named(words.0)),
        data,
    )))
}

/// Use against impact: one picture for each kind.
fn content(words: Words, header: &Header, found: &Findings) -> Result<Vec<Figure>, ChartError> {
    const MOST_DOTS: usize = 40;
    let names = ItemNames::of(&header.items, words.0);
    let mut kinds: BTreeMap<&str, Vec<Dot>> = BTreeMap::new();
    let mut items: Vec<_> = found.content.iter().collect();
    items.sort_by(|a, b| b.use_share.value.total_cmp(&a.use_share.value));
    for item in items {
        let dots = kinds.entry(&item.kind).or_default();
        if let Some(impact) = item.impact
            && dots.len() < MOST_DOTS
        {
            dots.push(Dot {
                name: names.name(&item.kind, &item.id, &item.name),
                x: item.use_share.value,
                y: impact,
            });
        }
    }
    let axes = Axes {
        x: words.say("asientos que lo usan", "seats that use it"),
        y: words.say("efecto en las victorias", "impact on wins"),
        x_reads: Reads::Share,
        y_reads: Reads::Points,
    };
    let caption = words.say(
        "uso contra efecto: lo que ganan de más quienes lo usan, en el mismo asiento e igual de bien situados tras un cuarto de la partida.",
        "use against impact: how much more those who use it win, on the same seat and as well placed after a quarter of the game.",
    );
    let drawn = kinds.iter().filter(|(_, dots)| dots.len() > 1);
    drawn
        .map(|(kind, dots)| {
            let kind = super::content::kind_named(words, header, kind);
            let (svg, unnamed) = chart::scatter(dots, 0.0, &axes)?;
            let mut data = Tabular::new([kind, axes.x, "value", "low", "high"]);
            for dot in dots {
                let numbers = [dot.x, dot.y.value, dot.y.low, dot.y.high];
                let numbers = numbers.map(|number| number.to_string());
                data.row(std::iter::once(dot.name.clone()).chain(numbers));
            }
            let mut caption = format!("{kind}: {caption} ({})", header.bots_named(words.0));
            if !unnamed.is_empty() {
                let names: Vec<&str> = unnamed.iter().map(|&n| dots[n].name.as_str()).collect();
                let without = words.say("Sin sitio para el nombre", "Without room for their names");
                caption = format!("{caption} {without}: {}.", names.join(", "));
            }
            Ok(figure(svg, caption, data))
        })
        .collect()
}

/// Differences of shares in points, of everything else in percent of the first side's mean.
pub fn forests(words: Words, differences: &[Difference]) -> Result<Vec<Figure>, ChartError> {
    let scaled = |d: &Difference, scale: f64| Effect {
        name: words.0.of(&d.text).to_string(),
        effect: d.difference.scaled(0.0, scale),
        seen: d.seen,
    };
    let known = || differences.iter().filter(|d| !d.difference.is_of_too_few());
    let shares: Vec<Effect> = known()
        .filter(|d| d.share)
        .map(|d| scaled(d, 100.0))
        .collect();
    let others: Vec<Effect> = known()
        .filter(|d| !d.share && d.first.abs() > 1e-9)
        .map(|d| scaled(d, 100.0 / d.first.abs()))
        .collect();
    let points = words.say("puntos porcentuales", "percentage points");
    let percent = words.say("% de la media del primero", "% of the first side's mean");
    let caption = words.say(
        "Segunda menos primera, con intervalos emparejados; fuerte lo que difiere. Lo que no cabe acaba en una flecha.",
        "Second less first, with paired intervals; strong where it differs. What does not fit ends in an arrow.",
    );
    let mut figures = Vec::new();
    for (effects, unit) in [(others, percent), (shares, points)] {
        if effects.is_empty() {
            continue;
        }
        let mut data = estimates(unit);
        for effect in &effects {
            row(&mut data, &effect.name, &effect.effect);
        }
        figures.push(figure(chart::forest(&effects, unit)?, caption, data));
    }
    Ok(figures)
}

/// Findings that are drawn by skill; the table has them all.
const DRAWN_BY_SKILL: usize = 8;

/// A small picture for each finding: its difference at every skill.
pub fn by_skill(
    words: Words,
    rows: &[BySkill],
    skills: &[String],
) -> Result<Vec<Figure>, ChartError> {
    let found = rows.iter().filter(|row| row.trend != Trend::Nowhere);
    found
        .take(DRAWN_BY_SKILL)
        .map(|row| {
            let scale = if row.share { 100.0 } else { 1.0 };
            let name = words.0.of(&row.text);
            let unit = match row.share {
                true => format!("{name}, {}", words.say("puntos", "points")),
                false => name.to_string(),
            };
            let tiers = row.differences.iter().zip(skills);
            let known = tiers.filter_map(|(d, skill)| Some((d.as_ref()?, skill)));
            let effects: Vec<Effect> = known
                .filter(|(d, _)| !d.difference.is_of_too_few())
                .map(|(d, skill)| Effect {
                    name: skill.clone(),
                    effect: d.difference.scaled(0.0, scale),
                    seen: d.seen,
                })
                .collect();
            let mut data = estimates("bots");
            for effect in &effects {
                self::row(&mut data, &effect.name, &effect.effect);
            }
            let caption = words.say(
                "Segunda menos primera con cada destreza; fuerte donde difiere.",
                "Second less first at each skill; strong where it differs.",
            );
            let caption = format!("{name}. {caption}");
            Ok(figure(chart::forest(&effects, &unit)?, caption, data))
        })
        .collect()
}

/// How strong each bot of a ladder is, counted from the weakest.
pub fn strengths(words: Words, rungs: &[Rung]) -> Result<Figure, ChartError> {
    let effects: Vec<Effect> = (1..=rungs.len())
        .map(|n| Effect {
            name: rungs[n - 1].pairing.stronger.to_string(),
            effect: Strength::of(&rungs[..n]).elo,
            seen: rungs[n - 1].verdict() == RungVerdict::Stronger,
        })
        .collect();
    let unit = words.say("Elo desde el más flojo", "Elo from the weakest");
    let mut data = estimates("bot");
    for effect in &effects {
        self::row(&mut data, &effect.name, &effect.effect);
    }
    let caption = words.say(
        "Cuánto más fuerte que el más flojo es cada bot; marcado el que supera fuera de duda al anterior.",
        "How much stronger than the weakest each bot is; strong where it beats the one before it beyond doubt.",
    );
    Ok(figure(chart::forest(&effects, unit)?, caption, data))
}

/// A curve for each metric; with several parameters, a line for each combination of those after the first.
pub fn sweep(
    words: Words,
    varied: &[Varied],
    own: &[Option<i64>],
    points: &[SweepPoint],
    metrics: &[(String, bool)],
) -> Result<Vec<Figure>, ChartError> {
    let mark = own.first().copied().flatten().map(|own| own as f64);
    let mut figures = Vec::new();
    for (metric, share) in metrics {
        let mut lines: BTreeMap<&[i64], Vec<(f64, Estimate)>> = BTreeMap::new();
        for point in points {
            if let (Some((first, others)), Some(found)) = (
                point.values.split_first(),
                goal::measured(metric, &point.findings),
            ) {
                let found = match found.is_of_too_few() {
                    true => Estimate::exactly(found.value),
                    false => found,
                };
                lines
                    .entry(others)
                    .or_default()
                    .push((*first as f64, found));
            }
        }
        let line_named = |others: &[i64]| {
            let pairs = varied[1..].iter().zip(others);
            let words: Vec<String> = pairs
                .map(|(p, value)| format!("{}={value}", p.key))
                .collect();
            words.join(", ")
        };
        let curves: Vec<Curve> = lines
            .into_iter()
            .map(|(others, points)| Curve {
                name: line_named(others),
                points,
            })
            .collect();
        let named = super::sweeps::named(words, metric, points);
        let axes = Axes {
            x: &varied[0].key,
            y: &named,
            x_reads: Reads::Whole,
            y_reads: match share {
                true => Reads::Share,
                false => Reads::Number,
            },
        };
        let caption = words.say(
            "con la banda de su intervalo; ◆ marca el valor actual",
            "with the band of its interval; ◆ marks the present value",
        );
        figures.push(drawn(&curves, &axes, mark, format!("{named}, {caption}"))?);
    }
    Ok(figures)
}
