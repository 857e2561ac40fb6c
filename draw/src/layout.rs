//! Maps that do not say where their spaces lie: linked spaces near each other, the same way every time.

use crate::book::Book;
use std::collections::BTreeMap;

type Point = (f64, f64);

/// How far linked spaces want to be from each other.
const STEP: f64 = 110.0;
/// Room for a name.
const NAME: Point = (98.0, 50.0);

/// Where some spaces lie: as `at` says, by their links, or in rows by area.
pub fn points(book: &Book, ids: &[String], links: &[(String, String)]) -> Vec<Point> {
    let at = |id: &String| {
        let at = &book.map()["spaces"][id]["at"];
        Some((at[0].as_f64()?, at[1].as_f64()?))
    };
    let placed: Option<Vec<Point>> = ids.iter().map(at).collect();
    match placed {
        Some(placed) => spread(&placed),
        None if links.is_empty() => rows(book, ids),
        None => sprung(ids, links),
    }
}

/// Columns and lines of text become a drawing in which no two names touch.
fn spread(points: &[Point]) -> Vec<Point> {
    let (mut across, mut down) = (f64::INFINITY, f64::INFINITY);
    for (n, a) in points.iter().enumerate() {
        for b in &points[n + 1..] {
            if a.1 == b.1 && a.0 != b.0 {
                across = across.min((a.0 - b.0).abs());
            }
            if a.1 != b.1 {
                down = down.min((a.1 - b.1).abs());
            }
        }
    }
    let finite = |value: f64, other: f64| if value.is_finite() { value } else { other };
    let (kx, ky) = (96.0 / finite(across, 8.0), 64.0 / finite(down, 1.0));
    points.iter().map(|(x, y)| (x * kx, y * ky)).collect()
}

fn rows(book: &Book, ids: &[String]) -> Vec<Point> {
    let area = |id: &String| {
        book.map()["spaces"][id]["area"]
            .as_str()
            .unwrap_or_default()
    };
    let mut areas: Vec<&str> = Vec::new();
    for id in ids {
        if !areas.contains(&area(id)) {
            areas.push(area(id));
        }
    }
    let wide = ((ids.len() as f64 * 1.6).sqrt().ceil() as usize).max(3);
    let mut at = BTreeMap::new();
    let mut line = 0.0;
    for one in &areas {
        let here: Vec<&String> = ids.iter().filter(|id| area(id) == *one).collect();
        for (n, id) in here.iter().enumerate() {
            let (column, row) = ((n % wide) as f64, (n / wide) as f64);
            at.insert((*id).clone(), (column * 100.0, (line + row) * 60.0));
        }
        line += here.len().div_ceil(wide) as f64 + if areas.len() > 1 { 0.4 } else { 0.0 };
    }
    ids.iter().map(|id| at[id]).collect()
}

/// Spaces push each other away and links pull them together.
fn sprung(ids: &[String], links: &[(String, String)]) -> Vec<Point> {
    let n = ids.len();
    let index = |id: &String| ids.iter().position(|other| other == id);
    let pairs = links
        .iter()
        .filter_map(|(a, b)| Some((index(a)?, index(b)?)));
    let pairs: Vec<(usize, usize)> = pairs.filter(|(a, b)| a != b).collect();
    let radius = STEP * n as f64 / std::f64::consts::TAU + 40.0;
    let turn = |i: usize| std::f64::consts::TAU * i as f64 / n as f64;
    let mut p: Vec<Point> = (0..n)
        .map(|i| {
            let (x, y) = (libm::cos(turn(i)), libm::sin(turn(i)));
            (x * radius * 1.5, y * radius)
        })
        .collect();
    let turns = if n > 120 { 120 } else { 300 };
    for turn in 0..turns {
        let heat = STEP * 1.2 * (1.0 - f64::from(turn) / f64::from(turns)) + 1.0;
        let mut push = vec![(0.0, 0.0); n];
        for i in 0..n {
            for j in i + 1..n {
                let far = |d: f64| if d < 4.0 * STEP { STEP * STEP / d } else { 0.0 };
                shift(&p, &mut push, (i, j), far);
            }
        }
        for (here, (x, y)) in push.iter_mut().zip(&p) {
            *here = (here.0 - x * 0.06, here.1 - y * 0.1);
        }
        for &pair in &pairs {
            shift(&p, &mut push, pair, |d| -(d * d) / STEP);
        }
        for (point, (dx, dy)) in p.iter_mut().zip(push) {
            let d = libm::hypot(dx, dy).max(1e-9);
            point.0 += dx / d * d.min(heat);
            point.1 += dy / d * d.min(heat) * 0.8;
        }
    }
    for _ in 0..80 {
        part(&mut p);
    }
    p
}

fn shift(p: &[Point], push: &mut [Point], (i, j): (usize, usize), force: impl Fn(f64) -> f64) {
    let or = |value: f64, other: f64| if value == 0.0 { other } else { value };
    let dx = or(p[i].0 - p[j].0, 0.01 * (i as f64 - j as f64));
    let dy = or(p[i].1 - p[j].1, 0.01);
    let d = libm::hypot(dx, dy);
    let f = force(d) / d;
    push[i] = (push[i].0 + dx * f, push[i].1 + dy * f);
    push[j] = (push[j].0 - dx * f, push[j].1 - dy * f);
}

/// Names that touch move apart, the shorter way.
fn part(p: &mut [Point]) {
    for i in 0..p.len() {
        for j in i + 1..p.len() {
            let (dx, dy) = (p[i].0 - p[j].0, p[i].1 - p[j].1);
            let (over, under) = (NAME.0 - dx.abs(), NAME.1 - dy.abs());
            if over <= 0.0 || under <= 0.0 {
                continue;
            }
            if over < under * 1.6 {
                let by = over / 2.0 * if dx < 0.0 { -1.0 } else { 1.0 };
                p[i].0 += by;
                p[j].0 -= by;
            } else {
                let by = under / 2.0 * if dy < 0.0 { -1.0 } else { 1.0 };
                p[i].1 += by;
                p[j].1 -= by;
            }
        }
    }
}
