//! The board as one drawing: ground, areas, links, spaces with what lies on them, tracks and piles beside them.

use crate::book::Book;
use crate::color::{self, mix};
use crate::geometry::{BoardGeometry, DrawnSpace, around, geometry};
use crate::space::{self, Scene, token};
use crate::svg::{Letters, Svg, number};
use crate::tracks;
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeMap;

/// A drawn board, and the part of the plane it takes.
#[derive(Debug, Clone)]
pub struct DrawnBoard {
    pub name: String,
    /// x, y, width and height.
    pub frame: (f64, f64, f64, f64),
    pub body: String,
}

/// The board as a view of a match has it.
pub fn board(book: &Book, view: &Json) -> Option<DrawnBoard> {
    let g = geometry(book, view)?;
    let scene = Scene::new(book, view);
    let mut out = Svg::default();
    let played = book.look()["fit"] == "played";
    let on: BTreeMap<String, DrawnSpace> = match played {
        true => g
            .places
            .iter()
            .filter(|(id, _)| !view["spaces"][*id].is_null())
            .map(|(id, p)| (id.clone(), *p))
            .collect(),
        false => BTreeMap::new(),
    };
    let frame = if on.is_empty() {
        g.frame
    } else {
        clipped(around(&on, 34.0), g.frame)
    };
    let ground = color::ground(book.look()["ground"].as_str().unwrap_or("paper"));
    out.rect(frame, 0.0, &format!("fill=\"{ground}\""));
    areas(&scene, &g, &mut out);
    links(&scene, &g, &mut out);
    area_names(&scene, &g, &mut out);
    for (id, place) in &g.places {
        space::draw(&scene, &g, id, *place, &mut out);
    }
    rims(&scene, &g, &mut out);
    markers(&scene, &g, &mut out);
    tracks::tracks(&scene, &mut out);
    tracks::piles(&scene, &mut out);
    Some(DrawnBoard {
        name: book.text(&book.map()["title"]).to_string(),
        frame,
        body: out.body().to_string(),
    })
}

/// The boards of a game that nobody plays yet: its map, or each of the sections it is put together from.
pub fn boards(book: &Book) -> Vec<DrawnBoard> {
    let spaces = book.map()["spaces"].as_object();
    let Some(spaces) = spaces.filter(|spaces| !spaces.is_empty()) else {
        return Vec::new();
    };
    let empty =
        |on: Map<String, Json>| json!({ "players": [], "game": { "zones": {} }, "spaces": on });
    if book.map()["assembled"] != true {
        let on = spaces.keys().map(|id| (id.clone(), json!({}))).collect();
        return board(book, &empty(on)).into_iter().collect();
    }
    let sections = book.map()["sections"].as_object().into_iter().flatten();
    let drawn = sections.filter_map(|(id, section)| {
        let on = spaces
            .iter()
            .filter(|(_, space)| space["section"] == id.as_str());
        let on = on.map(|(space, told)| (space.clone(), json!({ "at": told["square"] })));
        let board = board(book, &empty(on.collect()))?;
        let name = book.text(&section["name"]).to_string();
        Some(DrawnBoard { name, ..board })
    });
    drawn.collect()
}

fn clipped(inner: (f64, f64, f64, f64), outer: (f64, f64, f64, f64)) -> (f64, f64, f64, f64) {
    let (left, top) = (inner.0.max(outer.0), inner.1.max(outer.1));
    let right = (inner.0 + inner.2).min(outer.0 + outer.2);
    let bottom = (inner.1 + inner.3).min(outer.1 + outer.3);
    (left, top, right - left, bottom - top)
}

fn areas(scene: &Scene, g: &BoardGeometry, out: &mut Svg) {
    let book = scene.book;
    let ground = book.look()["ground"].as_str().unwrap_or("paper");
    if ground == "sea" {
        for outline in g.outlines.iter().filter(|outline| !outline.is_box) {
            out.path(
                &outline.path,
                "fill=\"none\" stroke=\"#e0ecec\" stroke-width=\"18\" stroke-linejoin=\"round\"",
            );
        }
    }
    let on = scene.view["spaces"].as_object().into_iter().flatten();
    let open: Vec<&str> = on
        .filter_map(|(id, _)| book.map()["spaces"][id]["area"].as_str())
        .collect();
    for outline in &g.outlines {
        let tint = book.color_of(&outline.area).unwrap_or(color::EDGE);
        let shut = !open.contains(&outline.area.as_str());
        let (fill, stroke) = match (shut, outline.is_box) {
            (true, _) => (
                mix(10, tint, color::ground(ground)),
                mix(30, tint, color::ground(ground)),
            ),
            (false, true) => (mix(30, tint, color::LAND), mix(55, tint, color::LINK)),
            (false, false) => (mix(46, tint, color::LAND), mix(55, tint, color::LINK)),
        };
        out.path(
            &outline.path,
            &format!(
                "fill=\"{fill}\" stroke=\"{stroke}\" stroke-width=\"1.1\" stroke-linejoin=\"round\""
            ),
        );
    }
}

/// The name of an area where the look puts it, or in the corner of its box.
fn area_names(scene: &Scene, g: &BoardGeometry, out: &mut Svg) {
    let book = scene.book;
    let number = &book.look()["area"]["number"];
    for (id, area) in book.map()["areas"].as_object().into_iter().flatten() {
        let boxed = g
            .outlines
            .iter()
            .any(|o| o.area == *id && !o.island && o.is_box);
        let label = &book.look()["areas"][id]["label"];
        let corner = &book.told["positions"]["areas"][id];
        let point = |at: &Json| Some((at[0].as_f64()?, at[1].as_f64()?));
        let at = match (point(label), boxed) {
            (Some(at), _) => Some(at),
            (None, true) => point(corner).map(|(x, y)| (x + 9.0, y + 18.0)),
            (None, false) => None,
        };
        let Some(at) = at else { continue };
        let mut text = book.area_name(id).to_uppercase();
        if let Some(value) = number["field"]
            .as_str()
            .and_then(|field| area["fields"][field].as_i64())
        {
            let sign = if number["sign"] == true && value > 0 {
                "+"
            } else {
                ""
            };
            text += &format!(" {sign}{value}");
        }
        let tint = book.color_of(id);
        let fill = mix(28, tint.unwrap_or(color::INK), color::INK);
        let halo = mix(20, tint.unwrap_or(color::LAND), color::HALO);
        let anchor = if boxed { "start" } else { "middle" };
        out.text(
            at,
            Letters {
                size: 11.5,
                bold: true,
                fill: &fill,
                anchor,
                halo: Some(&halo),
            },
            &text,
        );
    }
}

/// Whether an edge leaves the board on one side and comes back on the other.
fn wraps(scene: &Scene, a: &str, b: &str) -> bool {
    let edges = &scene.book.told["positions"]["edges"];
    [format!("{a} - {b}"), format!("{b} - {a}")]
        .iter()
        .any(|edge| edges[edge]["wrap"] == true)
}

fn links(scene: &Scene, g: &BoardGeometry, out: &mut Svg) {
    if g.squares || g.form == "box" {
        return;
    }
    let book = scene.book;
    let (dashed, label) = (
        book.look()["links"]["dashed"].as_str(),
        book.look()["links"]["label"].as_str(),
    );
    let mut tolls = Vec::new();
    for edge in book.map()["edges"].as_array().into_iter().flatten() {
        let [a, b] = [0, 1].map(|n| edge["between"][n].as_str().unwrap_or_default());
        let (Some(from), Some(to)) = (g.places.get(a), g.places.get(b)) else {
            continue;
        };
        let off = scene.view["spaces"][a].is_null() || scene.view["spaces"][b].is_null();
        let over = dashed.is_some_and(|field| edge["fields"][field] == true);
        let dashes = if over {
            " stroke-dasharray=\"2 4\" stroke-linecap=\"round\""
        } else {
            ""
        };
        let (wide, seen) = if over { ("2", 0.8) } else { ("1.25", 0.62) };
        let style = format!(
            "stroke=\"{}\" stroke-width=\"{wide}\" opacity=\"{}\"{dashes}",
            color::LINK,
            if off { 0.14 } else { seen }
        );
        if wraps(scene, a, b) {
            wrapped(scene, g, (a, b), &style, out);
            wrapped(scene, g, (b, a), &style, out);
            continue;
        }
        out.line((from.x, from.y), (to.x, to.y), &style);
        let cost = label
            .map(|label| &edge["fields"][label])
            .filter(|cost| !cost.is_null() && !off);
        if let Some(cost) = cost {
            tolls.push((
                ((from.x + to.x) / 2.0, (from.y + to.y) / 2.0),
                cost.to_string(),
            ));
        }
    }
    for ((x, y), cost) in tolls {
        out.circle(
            (x, y),
            8.5,
            &format!("fill=\"{}\" stroke=\"{}\"", color::PANEL, color::LINK),
        );
        out.text(
            (x, y + 3.6),
            Letters {
                size: 10.0,
                bold: true,
                ..Letters::PLAIN
            },
            &cost,
        );
    }
}

/// A link to the edge of the board, with the name of what is on the other side.
fn wrapped(
    scene: &Scene,
    g: &BoardGeometry,
    (near, far): (&str, &str),
    style: &str,
    out: &mut Svg,
) {
    let (p, q) = (g.places[near], g.places[far]);
    let (x, width) = (g.frame.0, g.frame.2);
    let left = p.x < q.x;
    let (edge, other) = if left { (x, x + width) } else { (x + width, x) };
    let (gap, rest) = ((p.x - edge).abs(), (q.x - other).abs());
    let y = p.y + (q.y - p.y) * gap / (gap + rest).max(1.0);
    out.line((p.x, p.y), (edge, y), style);
    let halo = color::ground(scene.book.look()["ground"].as_str().unwrap_or("paper"));
    let (at, anchor) = if left {
        (edge + 3.0, "start")
    } else {
        (edge - 3.0, "end")
    };
    let down = if y > p.y { y + 11.0 } else { y - 4.0 };
    let letters = Letters {
        size: 10.0,
        fill: color::SOFT,
        anchor,
        halo: Some(halo),
        bold: false,
    };
    out.text((at, down), letters, &scene.book.space_name(far));
}

/// The sides of a grid that belong to seats, as thick lines in their colours.
fn rims(scene: &Scene, g: &BoardGeometry, out: &mut Svg) {
    let said = scene.look()["rims"].as_object();
    let grid = &scene.book.map()["grid"];
    let last = |key: &str| grid[key].as_i64().unwrap_or(1) - 1;
    // A board nobody plays at yet has its seats' colours all the same.
    let colors = match scene.colors.is_empty() {
        true => scene.book.all_seat_colors(),
        false => scene.colors.clone(),
    };
    for (side, seat) in said.into_iter().flatten() {
        let color = seat.as_u64().and_then(|seat| colors.get(seat as usize));
        let Some(color) = color else { continue };
        for (id, place) in &g.places {
            let square = &scene.book.map()["spaces"][id]["square"];
            let at = |n: usize| square[n].as_i64();
            let on = match side.as_str() {
                "north" => at(1) == Some(last("rows")),
                "south" => at(1) == Some(0),
                "west" => at(0) == Some(0),
                _ => at(0) == Some(last("columns")),
            };
            if on {
                let data = rim(side, g.form == "hex", place.w / 2.0);
                let style = format!(
                    "fill=\"none\" stroke=\"{}\" stroke-width=\"6\" stroke-linecap=\"round\"",
                    color.fill
                );
                out.moved((place.x, place.y), 1.0, |out| out.path(&data, &style));
            }
        }
    }
}

/// The outer line of one space; rows of hexes lean to the right.
fn rim(side: &str, hex: bool, r: f64) -> String {
    let [a, b, c, d] = [r, r * 0.57, r * 1.13, r + 3.0].map(number);
    match (hex, side) {
        (true, "north") => format!("M-{a} -{b}L0 -{c}L{a} -{b}"),
        (true, "south") => format!("M-{a} {b}L0 {c}L{a} {b}"),
        (true, "west") => format!("M-{a} {b}V-{b}L0 -{c}"),
        (true, _) => format!("M{a} -{b}V{b}L0 {c}"),
        (false, "north") => format!("M-{a} -{d}H{a}"),
        (false, "south") => format!("M-{a} {d}H{a}"),
        (false, "west") => format!("M-{d} -{a}V{a}"),
        (false, _) => format!("M{d} -{a}V{a}"),
    }
}

/// Tokens of players that stand on spaces, or walk along them: a number of theirs against a number of the space.
fn markers(scene: &Scene, g: &BoardGeometry, out: &mut Svg) {
    let declared = scene.look()["markers"].as_array().into_iter().flatten();
    let on = || scene.view["spaces"].as_object().into_iter().flatten();
    for marker in declared {
        if let Some(at) = marker["at"].as_str() {
            standing(scene, g, marker, at, out);
            continue;
        }
        let along = marker["along"].as_str().unwrap_or_default();
        let numbered = |id: &str, held: &Json| match &held[along] {
            Json::Null => scene.book.map()["spaces"][id]["fields"][along].as_i64(),
            held => held.as_i64(),
        };
        let last = on()
            .filter_map(|(id, held)| numbered(id, held))
            .max()
            .unwrap_or(0);
        let path = marker["number"].as_str().unwrap_or_default();
        for (seat, player) in scene.view["players"]
            .as_array()
            .into_iter()
            .flatten()
            .enumerate()
        {
            let value = match path.split_once('.') {
                Some((attribute, word)) => &player[attribute][word],
                None => &player[path],
            };
            let Some(value) = value.as_i64() else {
                continue;
            };
            let at = if marker["from"] == "end" {
                last - value
            } else {
                value
            };
            let here = on().find(|(id, held)| numbered(id, held) == Some(at));
            let Some(place) = here.and_then(|(id, _)| g.places.get(id)) else {
                continue;
            };
            let mine = seat == scene.view["you"].as_u64().unwrap_or(0) as usize;
            let y = place.y + place.h * if mine { 0.375 } else { -0.375 };
            let shift = place.w / 2.0 - if marker["from"] == "end" { 42.0 } else { 16.0 };
            let color = scene.color(Some(seat));
            let letter = scene.book.text(&marker["letter"]);
            out.moved((place.x + shift, y), 1.0, |out| token(&color, letter, out));
        }
    }
}

/// Tokens of players on the spaces an attribute of theirs names, those on one space side by side.
fn standing(scene: &Scene, g: &BoardGeometry, marker: &Json, attribute: &str, out: &mut Svg) {
    let players = scene.view["players"].as_array().into_iter().flatten();
    let places: Vec<Option<&str>> = players.map(|player| player[attribute].as_str()).collect();
    for (seat, at) in places.iter().enumerate() {
        let Some(place) = at.and_then(|at| g.places.get(at)) else {
            continue;
        };
        let here = places.iter().filter(|other| *other == at).count();
        let before = places[..seat].iter().filter(|other| *other == at).count();
        let x = place.x + (before as f64 - (here as f64 - 1.0) / 2.0) * 20.0;
        let y = if g.squares {
            place.y + 6.0
        } else {
            place.y - 26.0
        };
        let letter = scene.book.text(&marker["letter"]);
        out.moved((x, y), 1.0, |out| {
            token(&scene.color(Some(seat)), letter, out)
        });
    }
}
