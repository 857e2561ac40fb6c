//! Pictures of numbers with their errors, as SVG. Colours are fixed names that the page's style sheet repaints for light and dark.

use crate::numbers::without_sign;
use crate::statistics::{Estimate, histogram_quantile};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::ops::Range;

/// Colours as they stand in the drawings; the page knows them by these.
pub const INK: RGBColor = RGBColor(0x22, 0x22, 0x22);
pub const GRID: RGBColor = RGBColor(0xDD, 0xDD, 0xDD);
pub const SERIES: [RGBColor; 6] = [
    RGBColor(0x2A, 0x6F, 0xB0),
    RGBColor(0xC2, 0x57, 0x1A),
    RGBColor(0x3B, 0x8A, 0x4E),
    RGBColor(0x8A, 0x4F, 0xA3),
    RGBColor(0xB0, 0x2A, 0x5B),
    RGBColor(0x6B, 0x6B, 0x2A),
];

/// Small enough that texts stay readable on a phone, where a picture is as wide as the screen.
const WIDTH: u32 = 440;
const HEIGHT: u32 = 300;
const FONT: (&str, u32) = ("sans-serif", 13);
/// Room for half of the last number along the picture.
const BESIDE: u32 = 24;

/// Why there is no picture.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a picture cannot be drawn: {0}")]
pub struct ChartError(String);

impl<E: std::error::Error + Send + Sync> From<DrawingAreaErrorKind<E>> for ChartError {
    fn from(error: DrawingAreaErrorKind<E>) -> ChartError {
        ChartError(error.to_string())
    }
}

/// How the axes of a picture read.
pub struct Axes<'a> {
    pub x: &'a str,
    pub y: &'a str,
    pub x_reads: Reads,
    pub y_reads: Reads,
}

/// What the numbers of an axis are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reads {
    Number,
    /// Counts: what is no whole number has no name.
    Whole,
    /// In percent.
    Share,
    /// Differences of shares, in points.
    Points,
}

type Canvas<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;

fn draw(
    height: u32,
    paint: impl FnOnce(&Canvas) -> Result<(), ChartError>,
) -> Result<String, ChartError> {
    let mut svg = String::new();
    {
        let canvas = SVGBackend::with_string(&mut svg, (WIDTH, height)).into_drawing_area();
        paint(&canvas)?;
        canvas.present()?;
    }
    Ok(svg)
}

impl Reads {
    fn name(self, number: f64) -> String {
        // What is left of 0 by counting in parts is 0.
        let number = if number.abs() < 1e-9 { 0.0 } else { number };
        let is_whole = number.fract().abs() < 1e-9;
        match self {
            // Room beside the highest share is no share.
            Reads::Share if number > 1.0 + 1e-9 => String::new(),
            Reads::Share => format!("{:.0} %", number * 100.0),
            Reads::Points if number == 0.0 => "0".to_string(),
            Reads::Points => format!("{:+.0} pp", number * 100.0),
            Reads::Whole if !is_whole => String::new(),
            _ if is_whole => format!("{number:.0}"),
            _ => without_sign(format!("{number:.1}"), ""),
        }
    }

    /// A range without what no such number can be, if none of those that are drawn is.
    fn within(self, range: Range<f64>, numbers: impl Iterator<Item = f64>) -> Range<f64> {
        let (least, most) = numbers.fold((f64::MAX, f64::MIN), |(least, most), number| {
            (least.min(number), most.max(number))
        });
        match self {
            Reads::Share if least >= 0.0 && most <= 1.0 => range.start.max(0.0)..range.end.min(1.0),
            _ => range,
        }
    }
}

/// A name in so many letters.
fn fitted(name: &str, letters: usize) -> String {
    match name.chars().count() > letters {
        true => name.chars().take(letters - 1).chain(['…']).collect(),
        false => name.to_string(),
    }
}

/// What stands along an axis: of a name with an explanation that would not fit, the name.
fn title(text: &str) -> String {
    const LETTERS: usize = 36;
    let short = match text.split_once(": ") {
        Some((name, _)) if text.chars().count() > LETTERS => name,
        _ => text,
    };
    fitted(short, LETTERS)
}

/// A range around some numbers, with a little room.
fn around(numbers: impl Iterator<Item = f64>) -> Range<f64> {
    let (low, high) = numbers
        .filter(|number| number.is_finite())
        .fold((f64::MAX, f64::MIN), |(low, high), n| {
            (low.min(n), high.max(n))
        });
    if low > high {
        return 0.0..1.0;
    }
    let room = ((high - low) * 0.08).max(high.abs().max(low.abs()) * 0.01);
    // Nothing but noughts: a step to both sides.
    let room = if room > 1e-9 { room } else { 0.5 };
    low - room..high + room
}

fn names_at(names: &[String]) -> impl Fn(&f64) -> String + '_ {
    move |at| {
        let whole = (at - at.round()).abs() < 1e-6;
        let name = names
            .get(at.round() as usize)
            .filter(|_| whole && *at >= 0.0);
        name.cloned().unwrap_or_default()
    }
}

/// Shares side by side with their intervals, and a line where they would be even.
pub fn shares(
    names: &[String],
    shares: &[Estimate],
    even: f64,
    y: &str,
) -> Result<String, ChartError> {
    draw(HEIGHT, |canvas| {
        let count = names.len() as f64;
        let top = shares.iter().map(|share| share.high).fold(even, f64::max);
        let mut chart = ChartBuilder::on(canvas)
            .margin(8)
            .x_label_area_size(32)
            .y_label_area_size(56)
            .build_cartesian_2d(-0.6..count - 0.4, 0.0..(top * 1.1).min(1.02))?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .axis_style(INK)
            .bold_line_style(GRID)
            .light_line_style(TRANSPARENT)
            .label_style(FONT.into_font().color(&INK))
            .x_labels(names.len() * 2 + 1)
            .x_label_formatter(&names_at(names))
            .y_label_formatter(&|share| Reads::Share.name(*share))
            .y_desc(y)
            .draw()?;
        chart.draw_series(shares.iter().enumerate().map(|(n, share)| {
            let at = n as f64;
            Rectangle::new(
                [(at - 0.3, 0.0), (at + 0.3, share.value)],
                SERIES[0].mix(0.55).filled(),
            )
        }))?;
        chart.draw_series(shares.iter().enumerate().flat_map(|(n, share)| {
            let at = n as f64;
            let line = |from, to| PathElement::new(vec![from, to], INK.stroke_width(2));
            [
                line((at, share.low), (at, share.high)),
                line((at - 0.08, share.low), (at + 0.08, share.low)),
                line((at - 0.08, share.high), (at + 0.08, share.high)),
            ]
        }))?;
        let even = PathElement::new(
            vec![(-0.6, even), (count - 0.4, even)],
            SERIES[1].stroke_width(2),
        );
        chart.draw_series([even])?;
        Ok(())
    })
}

/// How many games had each length. Long ranges are drawn in steps of several.
pub fn histogram(
    counts: &std::collections::BTreeMap<u32, u64>,
    axes: &Axes,
) -> Result<String, ChartError> {
    const MOST_BARS: u32 = 40;
    let first = counts.keys().next().copied().unwrap_or(0);
    let last = counts.keys().next_back().copied().unwrap_or(0);
    // A few games that go on forever must not flatten all others.
    let usual = histogram_quantile(counts, 0.98);
    let last = last.min(usual + (usual - first).max(2) / 2);
    let step = (last - first) / MOST_BARS + 1;
    let mut bars = std::collections::BTreeMap::<u32, u64>::new();
    for (&length, &games) in counts {
        *bars
            .entry(first + (length.min(last) - first) / step * step)
            .or_default() += games;
    }
    let most = bars.values().copied().max().unwrap_or(1) as f64;
    draw(HEIGHT, |canvas| {
        let (left, right) = (first as f64 - 0.5, (last + step) as f64 - 0.5);
        let mut chart = ChartBuilder::on(canvas)
            .margin(8)
            .margin_right(BESIDE)
            .x_label_area_size(44)
            .y_label_area_size(56)
            .build_cartesian_2d(left..right, 0.0..most * 1.05)?;
        // A round is never halved: with few of them each has its own tick.
        let ticks = ((last - first) / step + 1).min(TICKS) as usize;
        labelled(&mut chart, axes, ticks)?;
        chart.draw_series(bars.iter().map(|(&length, &games)| {
            let (from, to) = (length as f64 - 0.45, (length + step) as f64 - 0.55);
            Rectangle::new(
                [(from, 0.0), (to, games as f64)],
                SERIES[0].mix(0.7).filled(),
            )
        }))?;
        Ok(())
    })
}

type Plane<'a, 'b> = ChartContext<
    'a,
    SVGBackend<'b>,
    Cartesian2d<plotters::coord::types::RangedCoordf64, plotters::coord::types::RangedCoordf64>,
>;

/// Ticks along a picture, at most.
const TICKS: u32 = 7;

/// Axes with so many ticks along the picture.
fn labelled(chart: &mut Plane, axes: &Axes, ticks: usize) -> Result<(), ChartError> {
    chart
        .configure_mesh()
        .axis_style(INK)
        .bold_line_style(GRID)
        .light_line_style(TRANSPARENT)
        .label_style(FONT.into_font().color(&INK))
        .x_labels(ticks)
        .y_labels(6)
        .x_label_formatter(&|number| axes.x_reads.name(*number))
        .y_label_formatter(&|number| axes.y_reads.name(*number))
        .x_desc(title(axes.x))
        .y_desc(title(axes.y))
        .draw()?;
    Ok(())
}

/// One line of a picture, with its interval at each point.
pub struct Curve {
    pub name: String,
    pub points: Vec<(f64, Estimate)>,
}

/// Lines with the bands of their intervals, and a mark where things stand now, if that is known.
pub fn curves(curves: &[Curve], axes: &Axes, mark: Option<f64>) -> Result<String, ChartError> {
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let xs = || points().map(|(x, _)| *x);
    let ys = || points().flat_map(|(_, y)| [y.low, y.high]);
    let x = axes.x_reads.within(around(xs()), xs());
    let y = axes.y_reads.within(around(ys()), ys());
    let ticks = match axes.x_reads {
        Reads::Whole => (x.end.floor() - x.start.ceil() + 1.0).clamp(2.0, f64::from(TICKS)) as u32,
        _ => TICKS,
    };
    draw(HEIGHT, |canvas| {
        let mut chart = ChartBuilder::on(canvas)
            .margin(8)
            .margin_right(BESIDE)
            .x_label_area_size(44)
            .y_label_area_size(60)
            .build_cartesian_2d(x.clone(), y.clone())?;
        labelled(&mut chart, axes, ticks as usize)?;
        if let Some(mark) = mark.filter(|mark| x.contains(mark)) {
            let line = vec![(mark, y.start), (mark, y.end)];
            chart.draw_series([PathElement::new(line, INK.mix(0.5).stroke_width(1))])?;
            let style = FONT
                .into_font()
                .color(&INK)
                .pos(Pos::new(HPos::Center, VPos::Top));
            let named = EmptyElement::at((mark, y.end)) + Text::new("◆", (0, 0), style);
            chart.draw_series([named])?;
        }
        for (n, curve) in curves.iter().enumerate() {
            let colour = SERIES[n % SERIES.len()];
            let above = curve.points.iter().map(|(x, y)| (*x, y.high));
            let below = curve.points.iter().rev().map(|(x, y)| (*x, y.low));
            let band = Polygon::new(
                above.chain(below).collect::<Vec<_>>(),
                colour.mix(0.18).filled(),
            );
            chart.draw_series([band])?;
            let line = curve.points.iter().map(|(x, y)| (*x, y.value));
            chart.draw_series(LineSeries::new(line.clone(), colour.stroke_width(2)))?;
            chart.draw_series(line.map(|at| Circle::new(at, 3, colour.filled())))?;
        }
        Ok(())
    })
}

/// Letters of a name in a scatter.
const NAME: usize = 22;

/// A named point of a scatter, with an interval upwards and downwards.
pub struct Dot {
    pub name: String,
    pub x: f64,
    pub y: Estimate,
}

/// Where a name stands, seen from its point.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Beside {
    Right,
    Left,
    Above,
    Below,
}

impl Beside {
    const ALL: [Beside; 4] = [Beside::Right, Beside::Left, Beside::Above, Beside::Below];

    /// From where to where a name reaches, across and up, if its point is there; in parts of the picture.
    fn room(self, (x, y): (f64, f64), name: &str) -> [(f64, f64); 2] {
        // What a letter, a line and a point take.
        const LETTER: f64 = 0.016;
        const LINE: f64 = 0.036;
        const POINT: f64 = 0.014;
        let width = name.chars().count() as f64 * LETTER;
        let (across, up) = match self {
            Beside::Right => (x + POINT, y - LINE / 2.0),
            Beside::Left => (x - POINT - width, y - LINE / 2.0),
            Beside::Above => (x - width / 2.0, y + POINT),
            Beside::Below => (x - width / 2.0, y - POINT - LINE),
        };
        [(across, across + width), (up, up + LINE)]
    }

    /// Which corner of the name is held where, and how far from the point.
    fn anchor(self) -> (Pos, (i32, i32)) {
        match self {
            Beside::Right => (Pos::new(HPos::Left, VPos::Center), (6, 0)),
            Beside::Left => (Pos::new(HPos::Right, VPos::Center), (-6, 0)),
            Beside::Above => (Pos::new(HPos::Center, VPos::Bottom), (0, -5)),
            Beside::Below => (Pos::new(HPos::Center, VPos::Top), (0, 5)),
        }
    }
}

/// Where a name stands: beside its point, or away from it at the end of a line.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Spot {
    beside: Beside,
    end: (f64, f64),
    led: bool,
}

/// Names at the end of a line, at most: more would be a tangle.
const LED: usize = 12;

impl Spot {
    /// Beside a point, and then ever farther away from it.
    fn all(at: (f64, f64), led: bool) -> impl Iterator<Item = Spot> {
        const FAR: [f64; 6] = [0.06, 0.1, 0.15, 0.21, 0.28, 0.36];
        const WAYS: u32 = 16;
        let near = Beside::ALL.into_iter().map(move |beside| Spot {
            beside,
            end: at,
            led: false,
        });
        let away = FAR.into_iter().filter(move |_| led).flat_map(move |far| {
            (0..WAYS).map(move |way| {
                let turn = f64::from(way) / f64::from(WAYS) * std::f64::consts::TAU;
                let (up, across) = (libm::sin(turn), libm::cos(turn));
                Spot {
                    beside: if across >= 0.0 {
                        Beside::Right
                    } else {
                        Beside::Left
                    },
                    end: (at.0 + far * across, at.1 + far * up),
                    led: true,
                }
            })
        });
        near.chain(away)
    }

    /// Points along the line to a name.
    fn line(self, (x, y): (f64, f64)) -> impl Iterator<Item = (f64, f64)> {
        const STEPS: u32 = 12;
        let steps = (1..=STEPS).filter(move |_| self.led);
        steps.map(move |step| {
            let along = f64::from(step) / f64::from(STEPS);
            let between = |from: f64, to: f64| from + (to - from) * along;
            (between(x, self.end.0), between(y, self.end.1))
        })
    }
}

/// Where names can stand without covering another name, a point or a line, for points in parts of the picture: those farthest from the middle
/// line choose first, and a name without room is left to the numbers behind the picture.
fn names_with_room(points: &[((f64, f64), &str)], even: f64) -> Vec<(usize, Spot)> {
    type Room = [(f64, f64); 2];
    let mut order: Vec<usize> = (0..points.len()).collect();
    let far = |n: &usize| (points[*n].0.1 - even).abs();
    order.sort_by(|a, b| far(b).total_cmp(&far(a)));
    let covers = |[across, up]: &Room, (x, y): (f64, f64)| {
        (across.0..=across.1).contains(&x) && (up.0..=up.1).contains(&y)
    };
    let mut taken: Vec<Room> = Vec::new();
    let mut lines: Vec<(f64, f64)> = Vec::new();
    let mut placed: Vec<(usize, Spot)> = Vec::new();
    for n in order {
        let (at, name) = points[n];
        let led = placed.iter().filter(|(_, spot)| spot.led).count() < LED;
        let free = Spot::all(at, led).find(|spot| {
            let room = spot.beside.room(spot.end, name);
            let [across, up] = room;
            let inside = across.0 >= 0.0 && across.1 <= 1.0 && up.0 >= 0.0 && up.1 <= 1.0;
            let meets =
                |[x, y]: &Room| across.0 < x.1 && x.0 < across.1 && up.0 < y.1 && y.0 < up.1;
            inside
                && !taken.iter().any(meets)
                && !points.iter().any(|(point, _)| covers(&room, *point))
                && !lines.iter().any(|point| covers(&room, *point))
                && !spot
                    .line(at)
                    .any(|p| taken.iter().any(|other| covers(other, p)))
        });
        if let Some(spot) = free {
            taken.push(spot.beside.room(spot.end, name));
            lines.extend(spot.line(at));
            placed.push((n, spot));
        }
    }
    placed
}

/// Points with their intervals and names, and a line at the height that means nothing special. Also the points whose names had no room.
pub fn scatter(dots: &[Dot], even: f64, axes: &Axes) -> Result<(String, Vec<usize>), ChartError> {
    let y = around(dots.iter().map(|dot| dot.y.value).chain([even]));
    let y = (y.start - 0.05).max(-1.0)..(y.end + 0.05).min(1.0);
    let x = around(dots.iter().map(|dot| dot.x));
    // Differences of a few points of use are not worth the whole width.
    let x = x.start.min(x.end - 0.2)..x.end;
    // Names stand to the right of their points; nobody is used by more than all.
    let wide = x.end - x.start;
    let end = match axes.x_reads {
        Reads::Share => (x.end + wide * 0.3).min(x.end.min(1.0).max(1.0 + wide * 0.02)),
        _ => x.end + wide * 0.3,
    };
    let x = x.start.max(-wide * 0.02)..end;
    let part = |range: &Range<f64>, at: f64| (at - range.start) / (range.end - range.start);
    let within = |range: &Range<f64>, part: f64| range.start + part * (range.end - range.start);
    let short: Vec<String> = dots.iter().map(|dot| fitted(&dot.name, NAME)).collect();
    let points: Vec<((f64, f64), &str)> = dots
        .iter()
        .zip(&short)
        .map(|(dot, name)| {
            let at = (part(&x, dot.x), part(&y, dot.y.value));
            (at, name.as_str())
        })
        .collect();
    let names = names_with_room(&points, part(&y, even));
    let has_name = |n: &usize| names.iter().any(|(named, _)| named == n);
    let unnamed = (0..dots.len()).filter(|n| !has_name(n)).collect();
    let svg = draw(HEIGHT + 120, |canvas| {
        let mut chart = ChartBuilder::on(canvas)
            .margin(8)
            .margin_right(BESIDE)
            .x_label_area_size(44)
            .y_label_area_size(60)
            .build_cartesian_2d(x.clone(), y.clone())?;
        labelled(&mut chart, axes, TICKS as usize)?;
        let line = PathElement::new(
            vec![(x.start, even), (x.end, even)],
            SERIES[1].stroke_width(1),
        );
        chart.draw_series([line])?;
        chart.draw_series(dots.iter().map(|dot| {
            let ends = vec![
                (dot.x, dot.y.low.max(y.start)),
                (dot.x, dot.y.high.min(y.end)),
            ];
            PathElement::new(ends, SERIES[0].mix(0.35).stroke_width(2))
        }))?;
        chart.draw_series(
            dots.iter()
                .map(|dot| Circle::new((dot.x, dot.y.value), 3, SERIES[0].filled())),
        )?;
        // An interval that goes on beyond the picture ends in an arrow.
        let ends = dots
            .iter()
            .flat_map(|dot| [(dot.x, dot.y.low), (dot.x, dot.y.high)]);
        let beyond = ends.filter(|(_, end)| *end < y.start || *end > y.end);
        chart.draw_series(beyond.map(|(at, end)| {
            let font = ("sans-serif", 14).into_font().color(&SERIES[0].mix(0.6));
            let (arrow, aside) = if end > y.end {
                ("▴", -4)
            } else {
                ("▾", -12)
            };
            let to = end.clamp(y.start, y.end);
            EmptyElement::at((at, to)) + Text::new(arrow, (-4, aside), font)
        }))?;
        let end = |spot: &Spot| (within(&x, spot.end.0), within(&y, spot.end.1));
        let led = names.iter().filter(|(_, spot)| spot.led);
        chart.draw_series(led.map(|(n, spot)| {
            let line = vec![(dots[*n].x, dots[*n].y.value), end(spot)];
            PathElement::new(line, INK.mix(0.5).stroke_width(1))
        }))?;
        chart.draw_series(names.iter().map(|(n, spot)| {
            let (pos, mut aside) = spot.beside.anchor();
            if spot.led {
                aside.0 /= 3;
            }
            let style = ("sans-serif", 11).into_font().color(&INK).pos(pos);
            EmptyElement::at(end(spot)) + Text::new(short[*n].clone(), aside, style)
        }))?;
        Ok(())
    })?;
    Ok((svg, unnamed))
}

/// A board: at each place, what part of the time it is held and how often it changes hands. Labels stand above and to the right of where they
/// belong.
pub fn board(
    spaces: &[((i32, i32), f64, f64)],
    labels: &[(&str, (i32, i32))],
) -> Result<String, ChartError> {
    let along = |of: fn(&(i32, i32)) -> i32| {
        let places = spaces.iter().map(|(at, _, _)| f64::from(of(at)));
        let range = around(places);
        range.start - 0.5..range.end + 0.5
    };
    let (x, y) = (along(|at| at.0), along(|at| at.1));
    let y = y.start - if labels.is_empty() { 0.0 } else { 0.5 }..y.end;
    let most = spaces.iter().map(|s| s.2).fold(f64::MIN_POSITIVE, f64::max);
    let tall = (y.end - y.start) / (x.end - x.start).max(1e-9) * f64::from(WIDTH);
    let height = (tall as u32).clamp(HEIGHT / 2, 2 * HEIGHT);
    draw(height, |canvas| {
        // Lines of a board are counted downwards.
        let mut chart = ChartBuilder::on(canvas)
            .margin(8)
            .build_cartesian_2d(x, -y.end..-y.start)?;
        chart.draw_series(spaces.iter().map(|((x, y), held, fought)| {
            // Where nothing changes hands anywhere, only size tells.
            let strength = if most > f64::MIN_POSITIVE {
                0.15 + 0.85 * fought / most
            } else {
                0.7
            };
            let radius = (3.0 + 9.0 * held.clamp(0.0, 1.0)) as i32;
            Circle::new(
                (f64::from(*x), -f64::from(*y)),
                radius,
                SERIES[1].mix(strength).filled(),
            )
        }))?;
        chart.draw_series(labels.iter().map(|(name, (x, y))| {
            let font = FONT.into_font().color(&INK);
            let at = (f64::from(*x) - 0.4, 1.0 - f64::from(*y));
            EmptyElement::at(at) + Text::new(name.to_string(), (0, 0), font)
        }))?;
        Ok(())
    })
}

/// One line of a forest plot.
pub struct Effect {
    pub name: String,
    pub effect: Estimate,
    pub seen: bool,
}

/// Letters of a name beside a forest plot.
const BEFORE_A_FOREST: usize = 28;

/// How far from nothing a forest plot reaches: one outlier must not flatten all others.
fn fitting(effects: &[Effect]) -> f64 {
    let mut reach: Vec<f64> = effects
        .iter()
        .map(|e| e.effect.low.abs().max(e.effect.high.abs()))
        .collect();
    reach.sort_by(f64::total_cmp);
    let middle = reach.get(reach.len() / 2).copied().unwrap_or(1.0);
    let most = reach.last().copied().unwrap_or(1.0);
    match most > 6.0 * middle && middle > 0.0 {
        true => 4.0 * middle,
        false => most,
    }
}

/// Differences under each other, with their intervals and a line at none. What is a finding is drawn strong.
pub fn forest(effects: &[Effect], x: &str) -> Result<String, ChartError> {
    let count = effects.len();
    let names: Vec<String> = effects
        .iter()
        .rev()
        .map(|effect| fitted(&effect.name, BEFORE_A_FOREST))
        .collect();
    let farthest = fitting(effects);
    let fits = |x: f64| x.clamp(-farthest, farthest);
    let range = around(
        effects
            .iter()
            .flat_map(|e| [fits(e.effect.low), fits(e.effect.high), 0.0]),
    );
    draw(70 + 22 * count as u32, |canvas| {
        let mut chart = ChartBuilder::on(canvas)
            .margin(8)
            .margin_right(BESIDE)
            .x_label_area_size(44)
            .y_label_area_size(190)
            .build_cartesian_2d(range, -0.7..count as f64 - 0.3)?;
        chart
            .configure_mesh()
            .disable_y_mesh()
            .axis_style(INK)
            .bold_line_style(GRID)
            .light_line_style(TRANSPARENT)
            .label_style(FONT.into_font().color(&INK))
            .x_labels(5)
            .y_labels(count * 2 + 1)
            .x_label_formatter(&|number| match number {
                none if none.abs() < 1e-9 => "0".to_string(),
                whole if whole.fract().abs() < 1e-9 => format!("{whole:+.0}"),
                other => format!("{other:+.1}"),
            })
            .y_label_formatter(&names_at(&names))
            .x_desc(title(x))
            .draw()?;
        let none = PathElement::new(
            vec![(0.0, -0.7), (0.0, count as f64 - 0.3)],
            INK.stroke_width(1),
        );
        chart.draw_series([none])?;
        let strong = |seen: bool| SERIES[0].mix(if seen { 1.0 } else { 0.4 });
        let rows = || effects.iter().rev().enumerate();
        chart.draw_series(rows().map(|(n, effect)| {
            let ends = vec![
                (fits(effect.effect.low), n as f64),
                (fits(effect.effect.high), n as f64),
            ];
            PathElement::new(ends, strong(effect.seen).stroke_width(2))
        }))?;
        let inside = rows().filter(|(_, effect)| effect.effect.value.abs() <= farthest);
        chart.draw_series(inside.map(|(n, effect)| {
            Circle::new(
                (effect.effect.value, n as f64),
                4,
                strong(effect.seen).filled(),
            )
        }))?;
        let beyond = rows().flat_map(|(n, effect)| {
            let ends = [effect.effect.low, effect.effect.high];
            ends.map(|end| (n, effect, end))
        });
        let arrows = beyond.filter(|(_, _, end)| end.abs() > farthest);
        chart.draw_series(arrows.map(|(n, effect, end)| {
            let font = ("sans-serif", 14).into_font().color(&strong(effect.seen));
            let (arrow, aside) = if end > 0.0 { ("▸", -4) } else { ("◂", -4) };
            EmptyElement::at((fits(end), n as f64)) + Text::new(arrow, (aside, -8), font)
        }))?;
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_read_what_they_are() {
        for (reads, number, expected) in [
            (Reads::Share, 0.25, "25 %"),
            (Reads::Share, 1.1, ""),
            (Reads::Share, -1e-12, "0 %"),
            (Reads::Points, -0.05, "-5 pp"),
            (Reads::Points, 0.0, "0"),
            (Reads::Whole, 3.5, ""),
            (Reads::Whole, 4.0, "4"),
            (Reads::Number, 3.5, "3.5"),
            (Reads::Number, -0.01, "0.0"),
        ] {
            assert_eq!(reads.name(number), expected, "{reads:?} of {number}");
        }
        let shares = [0.02, 0.99];
        let range = |reads: Reads, more: f64| {
            let all = || shares.into_iter().chain([more]);
            reads.within(around(all()), all())
        };
        assert_eq!(range(Reads::Share, 0.5), 0.0..1.0);
        assert!(range(Reads::Share, -0.1).start < -0.1);
        assert!(range(Reads::Number, 0.5).end > 1.0);
        assert_eq!(around([0.0, 0.0].into_iter()), -0.5..0.5);
    }

    #[test]
    fn titles_fit_along_their_axes() {
        assert_eq!(title("Rounds"), "Rounds");
        assert_eq!(title("Bought: Units"), "Bought: Units");
        let long = "Wait: choices of others between two of one's own";
        assert_eq!(title(long), "Wait");
        let name = "Part of the game after which its winner leads";
        assert_eq!(title(name), "Part of the game after which its wi…");
    }

    /// In a crowd those that matter most have their names, at the end of a line if need be; no name covers another.
    #[test]
    fn the_farthest_points_have_names() {
        let names: Vec<String> = (0..40).map(|n| format!("a card called {n}")).collect();
        let points: Vec<((f64, f64), &str)> = names
            .iter()
            .enumerate()
            .map(|(n, name)| {
                let (across, up) = ((n % 8) as f64, (n / 8) as f64);
                (
                    (0.3 + 0.03 * across, 0.5 + 0.02 * up + 0.002 * across),
                    name.as_str(),
                )
            })
            .collect();
        let placed = names_with_room(&points, 0.5);
        let mut order: Vec<usize> = (0..40).collect();
        order.sort_by(|a, b| points[*b].0.1.total_cmp(&points[*a].0.1));
        let has_name = |n: &usize| placed.iter().any(|(named, _)| named == n);
        assert!(order[..10].iter().all(has_name), "{placed:?}");
        let rooms: Vec<_> = placed
            .iter()
            .map(|(n, spot)| spot.beside.room(spot.end, points[*n].1))
            .collect();
        for (n, [x, y]) in rooms.iter().enumerate() {
            for [other_x, other_y] in &rooms[..n] {
                let apart =
                    x.1 <= other_x.0 || other_x.1 <= x.0 || y.1 <= other_y.0 || other_y.1 <= y.0;
                assert!(apart, "{placed:?}");
            }
        }
    }
}
