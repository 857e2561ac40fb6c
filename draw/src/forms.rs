//! The forms of a space: a token with its name, a plate with slots, a box with what lies in it, a square or a hex.

use crate::color::{self, mix};
use crate::font;
use crate::geometry::BoardGeometry;
use crate::space::{OnSpace, Scene, edge, icon, total};
use crate::svg::{Letters, Svg, number};
use serde_json::Value as Json;

/// A token with its name below.
pub fn token(scene: &Scene, space: &OnSpace, out: &mut Svg) {
    let tint = space.tint.as_deref();
    if scene.draw_tokens(space, (-4.0, 19.0), 1.0, out) == 0 {
        let fill = mix(60, tint.unwrap_or(color::RAISED), color::RAISED);
        let style = format!(
            "fill=\"{fill}\" stroke=\"{}\" stroke-width=\"1.5\"",
            color::LINK
        );
        out.circle((0.0, -4.0), 6.0, &style);
    }
    scene.draw_marks(space, (15.0, -15.0), 14.0, out);
    scene.draw_pieces(space, -4.0, 40.0, out);
    let halo = mix(22, tint.unwrap_or(color::LAND), color::HALO);
    let letters = Letters {
        halo: Some(&halo),
        ..Letters::PLAIN
    };
    out.text((0.0, 21.0), letters, &space.name);
}

/// A name with a slot for each owner.
pub fn plate(scene: &Scene, space: &OnSpace, out: &mut Svg) {
    let slots = &scene.look()["slots"];
    let size = font::fitted(&space.name, true, space.place.w - 4.0, 1, (11.6, 6.0));
    let wide = (font::width(&space.name, size, true) + 10.0).max(space.place.w - 6.0);
    let tall = if slots.is_null() { 22.0 } else { 32.0 };
    let stroke = mix(
        60,
        space.tint.as_deref().unwrap_or(color::EDGE),
        color::LINK,
    );
    let style = format!(
        "fill=\"{}\" stroke=\"{stroke}\" stroke-width=\"1.2\"",
        color::RAISED
    );
    out.rect((-wide / 2.0, -tall / 2.0, wide, tall), 5.0, &style);
    let letters = Letters {
        size,
        bold: true,
        ..Letters::PLAIN
    };
    out.text(
        (0.0, if slots.is_null() { 4.0 } else { -3.0 }),
        letters,
        &space.name,
    );
    let owners: Vec<&str> = slots["owners"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Json::as_str)
        .collect();
    let middle = (owners.len() as f64 - 1.0) / 2.0;
    for (n, owner) in owners.iter().enumerate() {
        let seat = space.held[*owner].as_u64().map(|seat| seat as usize);
        out.moved(((n as f64 - middle) * 17.0, 7.5), 1.0, |out| match seat {
            Some(_) => {
                let color = scene.color(seat);
                let style = format!(
                    "fill=\"{}\" stroke=\"{}\" stroke-width=\"1.1\"",
                    color.fill,
                    edge(&color)
                );
                out.path("M-7 6v-6.5L0 -6L7 -0.5V6z", &style);
                out.path(dot(&color.shape), &format!("fill=\"{}\"", color.ink));
            }
            None => out.path(
                "M-6 5v-5L0 -5L6 0V5z",
                &format!(
                    "fill=\"none\" stroke=\"{}\" stroke-dasharray=\"2 2\"",
                    color::EDGE
                ),
            ),
        });
    }
    scene.draw_marks(space, (-wide / 2.0 + 2.0, -tall / 2.0), 13.0, out);
    scene.draw_pieces(space, 20.0, wide, out);
}

/// The sign of a seat's shape inside a small piece.
fn dot(shape: &str) -> &'static str {
    match shape {
        "square" => "M-2 0h4v4h-4z",
        "triangle" => "M0 -.5L2.8 4H-2.8z",
        "diamond" => "M0 -1.2L3 2L0 5.2L-3 2z",
        "hexagon" => "M-1.5 -.8h3L3 2L1.5 4.8h-3L-3 2z",
        "shield" => "M-2.4 -.6h4.8v2.6L0 4.8L-2.4 2z",
        _ => "M0 -.4a2.4 2.4 0 1 0 0 4.8a2.4 2.4 0 1 0 0 -4.8z",
    }
}

/// A box with what lies in it.
pub fn boxed(scene: &Scene, space: &OnSpace, out: &mut Svg) {
    let look = scene.look();
    let (w, h) = (space.place.w, space.place.h);
    let (left, top, right) = (-w / 2.0, -h / 2.0, w / 2.0);
    let tint = space.tint.as_deref();
    let tile = look["tile"]
        .as_str()
        .and_then(|named| tile_name(scene, space.held, named));
    let covered = tile.as_deref() == Some("");
    let fill = mix(
        if covered { 26 } else { 10 },
        tint.unwrap_or(color::LAND),
        color::RAISED,
    );
    let stroke = mix(50, tint.unwrap_or(color::EDGE), color::LINK);
    let dashes = if covered {
        " stroke-dasharray=\"4 3\""
    } else {
        ""
    };
    out.rect(
        (left, top, w, h),
        0.0,
        &format!("fill=\"{fill}\" stroke=\"{stroke}\" stroke-width=\"1.1\"{dashes}"),
    );
    if let Some(attribute) = look["fill"].as_str() {
        stripes(scene, space, attribute, out);
    }
    let small = w < 60.0 || h < 46.0;
    let size: f64 = if small { 8.5 } else { 10.5 };
    let title = tile
        .filter(|tile| !tile.is_empty())
        .unwrap_or_else(|| space.name.clone());
    let mut written = 0;
    if w >= 46.0 {
        let size = font::fitted(
            &title,
            true,
            w - 10.0,
            if small { 2 } else { 3 },
            (size, 5.0),
        );
        for line in font::lines(&title, size, true, w - 10.0) {
            let letters = Letters {
                size,
                bold: true,
                anchor: "start",
                ..Letters::PLAIN
            };
            out.text(
                (left + 6.0, top + 13.0 + written as f64 * 11.5),
                letters,
                &line,
            );
            written += 1;
        }
    }
    if look["corners"].is_array() {
        let at = (left + 6.0, top + 13.0 + written as f64 * 11.5);
        facts(scene, space, at, w - 10.0, out);
    }
    bar(scene, space, (left + 6.0, h / 2.0 - 12.0), w - 12.0, out);
    stars(scene, space, (right - 10.0, top + 11.0), out);
    scene.draw_marks(space, (right - 10.0, h / 2.0 - 10.0), -15.0, out);
    scene.draw_pieces(space, h / 2.0 - 13.0, w, out);
}

/// The card that lies in a box, by name; the empty string if it lies face down.
fn tile_name(scene: &Scene, held: &Json, named: &str) -> Option<String> {
    let zone = &held["zones"][named];
    if let Some(card) = zone["pieces"][0]["card"].as_str() {
        return Some(scene.book.card_name(card));
    }
    if zone["count"].as_u64().is_some_and(|count| count > 0) {
        return Some(String::new());
    }
    held[named].as_str().map(|card| scene.book.card_name(card))
}

/// One stripe for each word that is not 0.
fn stripes(scene: &Scene, space: &OnSpace, attribute: &str, out: &mut Svg) {
    let (w, h) = (space.place.w, space.place.h);
    let order = scene.book.attribute("space", attribute)["per_words"].as_array();
    let held = &space.held[attribute];
    let words = order.into_iter().flatten().filter_map(Json::as_str);
    let words: Vec<&str> = words
        .filter(|word| held[*word] == true || held[*word].as_i64().is_some_and(|n| n != 0))
        .collect();
    let (top, tall) = (-h * 0.25, h * 0.5);
    if words.is_empty() {
        let style = format!(
            "fill=\"{}\" stroke=\"{}\" stroke-dasharray=\"3 3\"",
            color::LAND,
            color::EDGE
        );
        out.rect((-w / 2.0, top, w, tall), 0.0, &style);
        let letters = Letters {
            size: 22.0,
            bold: true,
            fill: color::SOFT,
            ..Letters::PLAIN
        };
        return out.text((0.0, 7.0), letters, "?");
    }
    let wide = w / words.len() as f64;
    for (n, word) in words.iter().enumerate() {
        let x = -w / 2.0 + n as f64 * wide;
        let tint = scene.book.color_of(word).unwrap_or(color::EDGE);
        out.rect(
            (x, top, wide, tall),
            0.0,
            &format!("fill=\"{}\"", mix(34, tint, color::LAND)),
        );
        let size = (wide * 0.6).min(tall * 0.6).min(24.0);
        match scene.book.icon_of(word) {
            Some(sign) => out.moved(
                (x + wide / 2.0 - size / 2.0, -size / 2.0),
                size / 16.0,
                |out| {
                    icon(scene.book, sign, &mix(78, tint, color::INK), out);
                },
            ),
            None => out.text(
                (x + wide / 2.0, 4.0),
                Letters::PLAIN,
                &scene.book.word(word),
            ),
        }
    }
}

/// Small facts of a space: numbers and words with their icons, as many as fit.
fn facts(scene: &Scene, space: &OnSpace, (x, y): (f64, f64), wide: f64, out: &mut Svg) {
    let fields = &scene.book.map()["spaces"][space.id]["fields"];
    let named = scene.look()["corners"].as_array().into_iter().flatten();
    let mut at = 0.0;
    for name in named.filter_map(Json::as_str) {
        let value = match &space.held[name] {
            Json::Null => &fields[name],
            held => held,
        };
        let all = match value {
            Json::Array(items) => items.iter().collect(),
            one => vec![one],
        };
        for one in all {
            if one.is_null() || one == 0 || one == false {
                continue;
            }
            let word = one.as_str();
            let sign = scene.book.icon_of(word.unwrap_or(name));
            let tint = scene
                .book
                .color_of(word.unwrap_or(name))
                .unwrap_or(color::INK);
            let text = match (word, sign) {
                (Some(_), Some(_)) => String::new(),
                (Some(word), None) => scene.book.word(word),
                (None, _) => one.to_string(),
            };
            let size = if sign.is_some() { 13.0 } else { 0.0 } + font::width(&text, 9.5, false);
            if at + size > wide {
                return;
            }
            out.moved((x + at, y - 8.0), 1.0, |out| {
                if let Some(sign) = sign {
                    out.moved((0.0, 0.0), 0.7, |out| {
                        icon(scene.book, sign, &mix(74, tint, color::INK), out)
                    });
                }
                let letters = Letters {
                    size: 9.5,
                    fill: color::SOFT,
                    anchor: "start",
                    ..Letters::PLAIN
                };
                out.text(
                    (if sign.is_some() { 13.0 } else { 0.0 }, 9.0),
                    letters,
                    &text,
                );
            });
            at += size + 3.0;
        }
    }
}

fn bar(scene: &Scene, space: &OnSpace, (x, y): (f64, f64), wide: f64, out: &mut Svg) {
    let declared = &scene.look()["bar"];
    let value = declared["attribute"]
        .as_str()
        .map_or(0, |name| total(&space.held[name]));
    let to = declared["to"].as_i64().unwrap_or(0);
    if value == 0 || to <= 0 {
        return;
    }
    let cell = wide / to as f64;
    for n in 0..to {
        let fill = match n < value {
            true => mix(70, space.tint.as_deref().unwrap_or(color::EDGE), color::INK),
            false => "none".into(),
        };
        let style = format!(
            "fill=\"{fill}\" stroke=\"{}\" stroke-width=\"0.8\"",
            color::EDGE
        );
        out.rect((x + n as f64 * cell, y, cell - 1.5, 5.0), 0.0, &style);
    }
}

/// So many of each seat's shape.
fn stars(scene: &Scene, space: &OnSpace, (x, y): (f64, f64), out: &mut Svg) {
    let Some(attribute) = scene.look()["stars"].as_str() else {
        return;
    };
    let mut n = 0;
    for (seat, count) in space.held[attribute]
        .as_array()
        .into_iter()
        .flatten()
        .enumerate()
    {
        for _ in 0..count.as_i64().unwrap_or(0) {
            let at = (x - f64::from(n % 5) * 14.0, y + f64::from(n / 5) * 14.0);
            out.moved(at, 0.55, |out| {
                crate::space::token(&scene.color(Some(seat)), "", out)
            });
            n += 1;
        }
    }
}

/// A square, a hex, or a point where lines cross.
pub fn square(scene: &Scene, space: &OnSpace, g: &BoardGeometry, out: &mut Svg) {
    let look = scene.look();
    let r = space.place.w / 2.0 - 1.5;
    let tint = space.tint.as_deref().unwrap_or(color::EDGE);
    let place = space.place;
    let odd = g.form != "hex"
        && !scene.book.map()["grid"].is_null()
        && ((place.x / place.w).round() + (place.y / place.h).round()) as i64 % 2 != 0;
    let fill = mix(if odd { 12 } else { 46 }, tint, color::LAND);
    let style = format!(
        "fill=\"{fill}\" stroke=\"{}\" stroke-width=\"1\"",
        mix(50, tint, color::LINK)
    );
    let shape = shape_of(scene, space);
    let mut corner = r;
    match (g.form.as_str(), shape) {
        ("hex", _) => out.path(&hexagon(place.w / 2.0), &style),
        ("point", _) => crossing(g, space, out),
        (_, "disc") => {
            corner = r * 0.66;
            out.circle((0.0, 0.0), r * 0.72, &style);
        }
        (_, "dot") => out.circle((0.0, 0.0), 2.0, &format!("fill=\"{}\"", color::EDGE)),
        _ => out.rect((-r, -r, 2.0 * r, 2.0 * r), 6.0, &style),
    }
    if look["corners"].is_array() && shape != "dot" {
        corners(scene, space, corner, out);
    }
    let crowded = look["corners"].is_array();
    let tokens = scene.draw_tokens(space, (0.0, 22.0), if crowded { 1.0 } else { 1.8 }, out);
    scene.draw_marks(space, (-r + 9.0, r - 9.0), 15.0, out);
    let pieces = scene.draw_pieces(space, 0.0, place.w, out);
    if !crowded && tokens == 0 && !pieces && shape != "dot" && g.form != "point" {
        let short = space.name.split(' ').next_back().unwrap_or_default();
        let letters = Letters {
            size: 11.0,
            fill: color::SOFT,
            ..Letters::PLAIN
        };
        out.text((0.0, 4.0), letters, short);
    }
}

/// Lines from a point to the points beside it.
fn crossing(g: &BoardGeometry, space: &OnSpace, out: &mut Svg) {
    let half = space.place.w / 2.0;
    let style = format!("stroke=\"{}\" stroke-width=\"1.4\"", color::LINK);
    for (dx, dy) in [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)] {
        let (x, y) = (
            space.place.x + dx * 2.0 * half,
            space.place.y + dy * 2.0 * half,
        );
        let near = |p: &crate::geometry::DrawnSpace| (p.x - x).abs() < 1.0 && (p.y - y).abs() < 1.0;
        if g.places.values().any(near) {
            out.line((0.0, 0.0), (dx * half, dy * half), &style);
        }
    }
}

fn hexagon(r: f64) -> String {
    let [top, side, wide, low, back] =
        [-r * 1.13, -r * 0.57, r - 1.0, r * 0.57, 1.0 - r].map(number);
    let bottom = number(r * 1.13);
    format!("M0 {top}L{wide} {side}V{low}L0 {bottom}L{back} {low}V{side}z")
}

fn shape_of<'a>(scene: &'a Scene, space: &OnSpace) -> &'a str {
    for (field, words) in scene.look()["shape"].as_object().into_iter().flatten() {
        let own = space.held[field].as_str();
        let word = own.or_else(|| scene.book.map()["spaces"][space.id]["fields"][field].as_str());
        if let Some(shape) = word.and_then(|word| words[word].as_str()) {
            return shape;
        }
    }
    "square"
}

/// Numbers in the corners of a square.
fn corners(scene: &Scene, space: &OnSpace, r: f64, out: &mut Svg) {
    let at = [
        (-r + 4.0, -r + 12.0, "start"),
        (r - 4.0, -r + 12.0, "end"),
        (-r + 4.0, r - 5.0, "start"),
        (r - 4.0, r - 5.0, "end"),
    ];
    let named = scene.look()["corners"].as_array().into_iter().flatten();
    for (name, (x, y, anchor)) in named.filter_map(Json::as_str).zip(at) {
        let value = total(&space.held[name]);
        if value == 0 {
            continue;
        }
        let fill = mix(
            45,
            scene.book.color_of(name).unwrap_or(color::INK),
            color::INK,
        );
        let letters = Letters {
            size: 10.5,
            bold: true,
            fill: &fill,
            anchor,
            halo: None,
        };
        out.text((x, y), letters, &value.to_string());
    }
}
