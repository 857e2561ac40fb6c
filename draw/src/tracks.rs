//! Rows of cells that tokens walk along, and piles that lie on the board.

use crate::color::{self, mix};
use crate::font;
use crate::space::{Scene, token};
use crate::svg::{Letters, Svg};
use serde_json::Value as Json;

type Area = (f64, f64, f64, f64);

/// A token on a row: whose, or of what colour, and where.
struct Walker {
    seat: Option<usize>,
    tint: Option<String>,
    at: i64,
}

fn area(value: &Json) -> Option<Area> {
    let at = |n: usize| value[n].as_f64();
    Some((at(0)?, at(1)?, at(2)?, at(3)?))
}

/// Tracks that the positions put on the board.
pub fn tracks(scene: &Scene, out: &mut Svg) {
    let book = scene.book;
    let places = &book.told["positions"]["tracks"];
    for (name, track) in book.look()["tracks"].as_object().into_iter().flatten() {
        let Some((of, attribute)) = track["attribute"].as_str().and_then(|a| a.split_once('.'))
        else {
            continue;
        };
        let from = book.attribute(of, attribute)["min"].as_i64().unwrap_or(0);
        let cells = track["cells"].as_i64().unwrap_or(1).max(1);
        let title = book.attribute_name(of, attribute);
        if of == "player" {
            let players = scene.view["players"].as_array().into_iter().flatten();
            let walkers = players.enumerate().map(|(seat, player)| Walker {
                seat: Some(seat),
                tint: None,
                at: player[attribute].as_i64().unwrap_or(from) - from,
            });
            if let Some(place) = area(&places[name]) {
                row(
                    scene,
                    place,
                    (cells, from),
                    &walkers.collect::<Vec<_>>(),
                    &title,
                    out,
                );
            }
            continue;
        }
        let words = book.attribute(of, attribute)["per_words"].as_array();
        let words = words.into_iter().flatten().filter_map(Json::as_str);
        for word in words {
            let Some(place) = area(&places[format!("{name}_{word}")]) else {
                continue;
            };
            let value = scene.view["game"][attribute][word].as_i64();
            let walker = value.map(|value| Walker {
                seat: None,
                tint: book.color_of(word).map(str::to_string),
                at: value - from,
            });
            row(
                scene,
                place,
                (cells, from),
                walker.as_slice(),
                &book.word(word),
                out,
            );
        }
    }
}

/// A row of cells in a box: upwards if it is tall, to the right if it is wide.
fn row(
    scene: &Scene,
    (x, y, w, h): Area,
    (cells, from): (i64, i64),
    walkers: &[Walker],
    name: &str,
    out: &mut Svg,
) {
    let up = h > w;
    let step = if up { h } else { w } / cells as f64;
    let cell = |n: i64| match up {
        true => (x, y + h - (n + 1) as f64 * step, w, step),
        false => (x + n as f64 * step, y, step, h),
    };
    for n in 0..cells {
        let tint = walkers
            .iter()
            .find(|walker| walker.at >= n)
            .and_then(|walker| walker.tint.as_deref());
        let fill = tint.map_or_else(
            || color::RAISED.to_string(),
            |tint| mix(38, tint, color::RAISED),
        );
        let (cx, cy, cw, ch) = cell(n);
        out.rect(
            (cx, cy, cw, ch),
            0.0,
            &format!(
                "fill=\"{fill}\" stroke=\"{}\" stroke-width=\"0.8\"",
                color::EDGE
            ),
        );
        let letters = Letters {
            size: 9.0,
            fill: color::SOFT,
            ..Letters::PLAIN
        };
        out.text(
            (cx + cw / 2.0, cy + ch / 2.0 + 3.4),
            letters,
            &(n + from).to_string(),
        );
    }
    let (at, anchor) = if up {
        (x + w / 2.0, "middle")
    } else {
        (x, "start")
    };
    let size = font::fitted(name, true, w + 2.0, 1, (10.0, 5.0));
    out.text(
        (at, y - 5.0),
        Letters {
            size,
            bold: true,
            fill: color::SOFT,
            anchor,
            halo: None,
        },
        name,
    );
    for (n, walker) in walkers.iter().enumerate() {
        let (cx, cy, cw, ch) = cell(walker.at.clamp(0, cells - 1));
        let same = walkers.iter().filter(|other| other.at == walker.at).count();
        let before = walkers[..n]
            .iter()
            .filter(|other| other.at == walker.at)
            .count();
        let spread = (before as f64 - (same as f64 - 1.0) / 2.0) * 12.5;
        let (dx, dy) = if up { (spread, 0.0) } else { (0.0, spread) };
        let scale = if same > 1 { 0.56 } else { 0.72 };
        out.moved(
            (cx + cw / 2.0 + dx, cy + ch / 2.0 + dy),
            scale,
            |out| match walker.seat {
                Some(_) => token(&scene.color(walker.seat), "", out),
                None => {
                    let fill = mix(80, walker.tint.as_deref().unwrap_or(color::INK), color::INK);
                    out.circle(
                        (0.0, 0.0),
                        11.0,
                        &format!(
                            "fill=\"{fill}\" stroke=\"{}\" stroke-width=\"2\"",
                            color::HALO
                        ),
                    );
                }
            },
        );
    }
}

/// Piles that lie beside the spaces.
pub fn piles(scene: &Scene, out: &mut Svg) {
    let zones = scene.book.told["positions"]["zones"].as_object();
    for (name, place) in zones.into_iter().flatten() {
        let Some((x, y, w, h)) = area(place) else {
            continue;
        };
        let zone = &scene.view["game"]["zones"][name];
        let style = format!(
            "fill=\"{}\" stroke=\"{}\" stroke-dasharray=\"4 2\"",
            color::RAISED,
            color::EDGE
        );
        out.rect((x, y, w, h), 4.0, &style);
        let mut top = y + h / 2.0 - 2.0;
        if let Some(count) = zone["count"].as_u64() {
            let letters = Letters {
                size: 15.0,
                bold: true,
                ..Letters::PLAIN
            };
            out.text((x + w / 2.0, top), letters, &count.to_string());
            top += 14.0;
        }
        let label = scene.book.zone_name(name);
        for (n, line) in font::lines(&label, 8.5, false, w - 4.0)
            .iter()
            .take(4)
            .enumerate()
        {
            let letters = Letters {
                size: 8.5,
                fill: color::SOFT,
                ..Letters::PLAIN
            };
            out.text((x + w / 2.0, top + n as f64 * 9.5), letters, line);
        }
    }
}
