//! Where the spaces of a map lie: as its positions say, as its squares lie, as `at` says, or laid out here.

use crate::book::Book;
use crate::layout;
use crate::svg::number;
use serde_json::Value as Json;
use std::collections::BTreeMap;

/// How wide a square is.
pub const SQUARE: f64 = 64.0;

/// A space around its middle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DrawnSpace {
    pub x: f64,
    pub y: f64,
    pub w: f64,
    pub h: f64,
}

/// The outline of an area, or of a space that lies by itself.
#[derive(Debug, Clone)]
pub struct Outline {
    pub area: String,
    pub path: String,
    pub island: bool,
    pub is_box: bool,
}

#[derive(Debug, Clone)]
pub struct BoardGeometry {
    pub form: String,
    /// x, y, width and height of what is drawn.
    pub frame: (f64, f64, f64, f64),
    pub places: BTreeMap<String, DrawnSpace>,
    pub outlines: Vec<Outline>,
    pub squares: bool,
}

/// The geometry of a game's map with the spaces a view has, if it has a map.
pub fn geometry(book: &Book, view: &Json) -> Option<BoardGeometry> {
    let spaces = book.map()["spaces"].as_object()?;
    if spaces.is_empty() {
        return None;
    }
    let asked = book.look()["space"]["form"].as_str();
    let positions = &book.told["positions"];
    let on = view["spaces"].as_object();
    let mut on = on.into_iter().flatten();
    let has_square =
        on.any(|(id, held)| !held["at"].is_null() || !spaces[id.as_str()]["square"].is_null());
    let is_hex = book.map()["grid"]["cells"] == "hex";
    let wants_squares = matches!(asked, Some("square" | "hex"));
    if has_square && (positions["spaces"].is_null() || wants_squares) {
        let form = if is_hex {
            "hex"
        } else {
            asked.unwrap_or("square")
        };
        return Some(squares(book, view, form));
    }
    if !positions["spaces"].is_null() {
        return Some(positioned(book, asked.unwrap_or("token")));
    }
    let links: Vec<(String, String)> = edges(book);
    let ids: Vec<String> = spaces.keys().cloned().collect();
    let points = layout::points(book, &ids, &links);
    let form = asked.unwrap_or(if links.is_empty() { "box" } else { "token" });
    let place = |(id, (x, y)): (String, (f64, f64))| {
        let place = DrawnSpace {
            x,
            y,
            w: 84.0,
            h: 44.0,
        };
        (id, place)
    };
    let places: BTreeMap<String, DrawnSpace> = ids.into_iter().zip(points).map(place).collect();
    Some(BoardGeometry {
        form: form.to_string(),
        frame: around(&places, 48.0),
        places,
        outlines: Vec::new(),
        squares: false,
    })
}

/// The two ends of every edge.
pub fn edges(book: &Book) -> Vec<(String, String)> {
    let edges = book.map()["edges"].as_array().into_iter().flatten();
    let ends = edges.filter_map(|edge| {
        let [a, b] = [0, 1].map(|n| edge["between"][n].as_str().map(str::to_string));
        Some((a?, b?))
    });
    ends.collect()
}

fn numbers(value: &Json) -> Vec<f64> {
    let items = value.as_array().into_iter().flatten();
    items.filter_map(Json::as_f64).collect()
}

fn positioned(book: &Book, form: &str) -> BoardGeometry {
    let at = &book.told["positions"];
    let (w, h) = match numbers(&at["label"])[..] {
        [w, h] => (w, h),
        _ => (72.0, 24.0),
    };
    let mut places = BTreeMap::new();
    for (id, place) in at["spaces"].as_object().into_iter().flatten() {
        let place = match numbers(place)[..] {
            [x, y, w, h] => DrawnSpace {
                x: x + w / 2.0,
                y: y + h / 2.0,
                w,
                h,
            },
            [x, y] => DrawnSpace { x, y, w, h },
            _ => continue,
        };
        places.insert(id.clone(), place);
    }
    let areas = at["areas"].as_object().into_iter().flatten();
    let mut outlines: Vec<Outline> = areas
        .map(|(area, line)| outline(area, line, false))
        .collect();
    for (space, line) in at["islands"].as_object().into_iter().flatten() {
        let area = book.map()["spaces"][space]["area"]
            .as_str()
            .unwrap_or_default();
        outlines.push(outline(area, line, true));
    }
    let size = numbers(&at["size"]);
    let (wide, high) = match size[..] {
        [w, h] => (w, h),
        _ => (1000.0, 700.0),
    };
    let below = if form == "token" { 12.0 } else { 4.0 };
    BoardGeometry {
        form: form.to_string(),
        frame: (0.0, -4.0, wide, high + below),
        places,
        outlines,
        squares: false,
    }
}

fn outline(area: &str, line: &Json, island: bool) -> Outline {
    let is_box = line[0].is_number();
    let path = match numbers(line)[..] {
        [x, y, w, h] if is_box => {
            let [x, y, w, h, back] = [x, y, w, h, -w].map(number);
            format!("M{x} {y}h{w}v{h}h{back}z")
        }
        _ => smooth(line),
    };
    Outline {
        area: area.to_string(),
        path,
        island,
        is_box,
    }
}

/// A closed curve through points.
fn smooth(line: &Json) -> String {
    let points = line.as_array().into_iter().flatten().map(numbers);
    let points: Vec<(f64, f64)> = points
        .filter_map(|point| Some((*point.first()?, *point.get(1)?)))
        .collect();
    let Some(first) = points.first() else {
        return String::new();
    };
    let n = points.len();
    let p = |i: usize| points[i % n];
    let mut path = format!("M{} {}", number(first.0), number(first.1));
    for i in 0..n {
        let (a, b, c, d) = (p(i + n - 1), p(i), p(i + 1), p(i + 2));
        let one = (b.0 + (c.0 - a.0) / 6.0, b.1 + (c.1 - a.1) / 6.0);
        let two = (c.0 - (d.0 - b.0) / 6.0, c.1 - (d.1 - b.1) / 6.0);
        let numbers = [one.0, one.1, two.0, two.1, c.0, c.1].map(number);
        path += &format!("C{}", numbers.join(" "));
    }
    path + "z"
}

fn squares(book: &Book, view: &Json, form: &str) -> BoardGeometry {
    let grid = &book.map()["grid"];
    let mut places = BTreeMap::new();
    for (id, held) in view["spaces"].as_object().into_iter().flatten() {
        let own = numbers(&held["at"]);
        let at = match own.is_empty() {
            true => numbers(&book.map()["spaces"][id]["square"]),
            false => own,
        };
        let [column, row] = at[..] else { continue };
        let leaning = grid["leaning"] == true;
        let shift = match form {
            "hex" if leaning => row / 2.0,
            "hex" if row.abs() % 2.0 == 1.0 => 0.5,
            _ => 0.0,
        };
        let step = if form == "hex" {
            SQUARE * 0.866
        } else {
            SQUARE
        };
        let down = if grid.is_null() { step } else { -step };
        let place = DrawnSpace {
            x: (column + shift) * SQUARE,
            y: row * down,
            w: SQUARE,
            h: SQUARE,
        };
        places.insert(id.clone(), place);
    }
    BoardGeometry {
        form: form.to_string(),
        frame: around(&places, 10.0),
        places,
        outlines: Vec::new(),
        squares: true,
    }
}

/// The frame of some places, with a margin.
pub fn around(places: &BTreeMap<String, DrawnSpace>, margin: f64) -> (f64, f64, f64, f64) {
    if places.is_empty() {
        return (0.0, 0.0, 100.0, 60.0);
    }
    let least = |of: fn(&DrawnSpace) -> f64| places.values().map(of).fold(f64::MAX, f64::min);
    let (left, top) = (least(|p| p.x - p.w / 2.0), least(|p| p.y - p.h / 2.0));
    let (right, bottom) = (-least(|p| -p.x - p.w / 2.0), -least(|p| -p.y - p.h / 2.0));
    (
        left - margin,
        top - margin,
        right - left + 2.0 * margin,
        bottom - top + 2.0 * margin,
    )
}
