//! Cards as they are printed: fronts from the fields the look names, and backs that say which deck they are of.
//! Units are tenths of a millimetre; (0, 0) is the corner where a card is cut, and its ground goes on beyond that.

mod block;

use crate::book::Book;
use crate::color::{self, mix};
use crate::font;
use crate::space::icon;
use crate::svg::{Letters, Svg};
use serde_json::Value as Json;

/// Width and height, in millimetres.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Size {
    pub w: f64,
    pub h: f64,
}

/// The size of a card of which the look says none.
pub const CARD: Size = Size { w: 63.0, h: 88.0 };

/// From the cut to the frame, and from there to what is written.
const INSET: f64 = 26.0;
const PAD: f64 = 24.0;
/// Sizes of letters, from what is best to what is still read.
const LETTERS: (f64, f64) = (31.0, 13.0);
const LARGE: f64 = 46.0;
/// The line at the foot of a card.
const FOOT: f64 = 18.0;

/// The size of the cards of a kind.
pub fn size(book: &Book, kind: &str) -> Size {
    let said = book.kind_look(kind, "size");
    match (said[0].as_f64(), said[1].as_f64()) {
        // What is smaller cannot be read, what is larger does not fit on a sheet.
        (Some(w), Some(h)) => Size {
            w: w.clamp(30.0, 190.0),
            h: h.clamp(30.0, 260.0),
        },
        _ => CARD,
    }
}

/// The colour of a kind's backs, and of fronts that have none.
fn kind_tint(book: &Book, kind: &str) -> &'static str {
    let number = book.kinds.iter().position(|name| name == kind);
    color::spare(number.unwrap_or(0))
}

/// The front of a card with its ground going `bleed` beyond the cut.
pub fn front(book: &Book, id: &str, bleed: f64) -> String {
    let kind = book.card(id)["kind"].as_str().unwrap_or_default();
    let size = size(book, kind);
    let (w, h) = (size.w * 10.0, size.h * 10.0);
    let tint = book.card_tint(id).unwrap_or_else(|| kind_tint(book, kind));
    let mut out = Svg::default();
    out.title(&book.card_name(id));
    let ground = format!("fill=\"{}\"", mix(62, tint, color::LAND));
    out.rect(
        (-bleed, -bleed, w + 2.0 * bleed, h + 2.0 * bleed),
        0.0,
        &ground,
    );
    let panel = (INSET, INSET, w - 2.0 * INSET, h - 2.0 * INSET);
    let style = format!(
        "fill=\"{}\" stroke=\"{}\" stroke-width=\"3\"",
        color::RAISED,
        mix(70, tint, color::INK)
    );
    out.rect(panel, 22.0, &style);
    let top = header(book, id, tint, w, &mut out);
    let bottom = footer(book, kind, (w, h), &mut out);
    body(book, id, tint, (top, bottom, w), &mut out);
    out.body().to_string()
}

/// The name between the costs in the corners; gives where the rest begins.
fn header(book: &Book, id: &str, tint: &str, w: f64, out: &mut Svg) -> f64 {
    let kind = book.card(id)["kind"].as_str().unwrap_or_default();
    let big = book
        .kind_look(kind, "big")
        .as_str()
        .map(|path| book.card_value(id, path));
    let corner = |side: &str| {
        let path = book.kind_look(kind, "corner")[side].as_str()?;
        let value = book.card_value(id, path);
        (!value.is_null()).then(|| {
            (
                value.to_string(),
                book.kind_look(kind, "corner_icons")[side].as_str(),
            )
        })
    };
    let corners = [corner("left"), corner("right")];
    let has_corner = corners.iter().any(Option::is_some);
    let beside = if has_corner { 92.0 } else { 14.0 };
    let number = big.filter(|big| !big.is_null()).map(Json::to_string);
    let left = number
        .as_ref()
        .map_or(beside, |number| font::width(number, 96.0, true) + 34.0);
    let right = if number.is_some() { 14.0 } else { beside };
    let wide = w - 2.0 * INSET - left - right;
    let name = book.card_name(id);
    let letters = font::fitted(&name, true, wide, 2, (40.0, 18.0));
    let lines = font::lines(&name, letters, true, wide);
    let tall =
        (lines.len() as f64 * letters * 1.18 + 30.0).max(if has_corner || number.is_some() {
            100.0
        } else {
            66.0
        });
    let band = format!("fill=\"{}\"", mix(28, tint, color::RAISED));
    out.rect(
        (INSET + 3.0, INSET + 3.0, w - 2.0 * INSET - 6.0, tall),
        20.0,
        &band,
    );
    if let Some(number) = number {
        let style = Letters {
            size: 96.0,
            bold: true,
            anchor: "start",
            ..Letters::PLAIN
        };
        out.text((INSET + 18.0, INSET + tall / 2.0 + 36.0), style, &number);
    }
    let middle = INSET + left + wide / 2.0;
    let first =
        INSET + 3.0 + tall / 2.0 - (lines.len() as f64 - 1.0) * letters * 0.59 + letters * 0.35;
    let foot = size(book, kind).h * 10.0;
    let drawn = ((foot - first) / (letters * 1.18)).max(1.0) as usize;
    for (n, line) in lines.iter().enumerate().take(drawn) {
        let style = Letters {
            size: letters,
            bold: true,
            ..Letters::PLAIN
        };
        out.text((middle, first + n as f64 * letters * 1.18), style, line);
    }
    for (found, x) in corners.into_iter().zip([INSET + 52.0, w - INSET - 52.0]) {
        let Some((value, sign)) = found else { continue };
        let y = INSET + 3.0 + tall / 2.0;
        let ring = format!(
            "fill=\"{}\" stroke=\"{}\" stroke-width=\"3\"",
            color::RAISED,
            mix(70, tint, color::INK)
        );
        out.circle((x, y), 40.0, &ring);
        let shift = if sign.is_some() { 10.0 } else { 0.0 };
        if let Some(sign) = sign {
            out.moved((x - 13.0, y - 36.0), 1.6, |out| {
                icon(book, sign, color::SOFT, out)
            });
        }
        let style = Letters {
            size: 44.0,
            bold: true,
            ..Letters::PLAIN
        };
        out.text((x, y + 16.0 + shift), style, &value);
    }
    INSET + 3.0 + tall
}

/// What the card is, small; gives where the rest ends.
fn footer(book: &Book, kind: &str, (w, h): (f64, f64), out: &mut Svg) -> f64 {
    let y = h - INSET - 12.0;
    let title = book.text(&book.told["title"]);
    let what = book.word(kind);
    let style = |anchor| Letters {
        size: FOOT,
        bold: false,
        fill: color::SOFT,
        anchor,
        halo: None,
    };
    out.text((INSET + PAD, y), style("start"), &what);
    let room = w - 2.0 * (INSET + PAD) - font::width(&what, FOOT, false) - 20.0;
    if font::width(title, FOOT, false) <= room {
        out.text((w - INSET - PAD, y), style("end"), title);
    }
    y - FOOT - 8.0
}

/// The fields in their order, in the largest letters that leave nothing out.
fn body(book: &Book, id: &str, tint: &str, (top, bottom, w): (f64, f64, f64), out: &mut Svg) {
    let wide = w - 2.0 * (INSET + PAD);
    let room = bottom - top - 20.0;
    let emblem = book.card_icon(id).or_else(|| book.icon_of(id));
    // Who has little to say says it large.
    let is_text = |block: &block::Block| matches!(block, block::Block::Lines { is_text: true, .. });
    let has_text = block::all(book, id, LETTERS.0, wide).iter().any(is_text);
    let largest = if has_text { LETTERS.0 } else { LARGE };
    let set = |step: usize| {
        let blocks = block::all(book, id, largest - step as f64, wide);
        let used: f64 = blocks.iter().map(|block| block.height() + 14.0).sum();
        (blocks, used)
    };
    let smallest = (largest - LETTERS.1).ceil() as usize;
    let (blocks, used) = set(font::first_fit(smallest, |step| set(step).1 <= room));
    let left = (room - used).max(0.0);
    let mut y = top + 10.0;
    match emblem {
        Some(sign) if left > 60.0 => {
            let side = (left - 20.0).min(240.0);
            let at = (w / 2.0 - side / 2.0, y + (left - side) / 2.0);
            let ink = mix(55, tint, color::RAISED);
            out.moved(at, side / 16.0, |out| icon(book, sign, &ink, out));
            y += left;
        }
        _ => y += left * 0.4,
    }
    // What is written below the card would be written on its neighbour.
    let foot = size(book, book.card(id)["kind"].as_str().unwrap_or_default()).h * 10.0;
    for block in &blocks {
        block::draw(block, book, (w / 2.0, y, foot), wide, out);
        y += block.height() + 14.0;
    }
}

/// The back of all cards of a kind.
pub fn back(book: &Book, kind: &str, bleed: f64) -> String {
    let size = size(book, kind);
    let (w, h) = (size.w * 10.0, size.h * 10.0);
    let tint = kind_tint(book, kind);
    let deep = mix(58, tint, color::INK);
    let mut out = Svg::default();
    out.rect(
        (-bleed, -bleed, w + 2.0 * bleed, h + 2.0 * bleed),
        0.0,
        &format!("fill=\"{deep}\""),
    );
    let line = mix(80, tint, color::RAISED);
    let frame = format!("fill=\"none\" stroke=\"{line}\" stroke-width=\"5\"");
    out.rect(
        (INSET, INSET, w - 2.0 * INSET, h - 2.0 * INSET),
        24.0,
        &frame,
    );
    let thin = format!("fill=\"none\" stroke=\"{line}\" stroke-width=\"2.5\" opacity=\"0.6\"");
    let (cx, cy) = (w / 2.0, h / 2.0);
    for ring in 1..=4 {
        let (a, b) = (
            f64::from(ring) * (w - 2.0 * INSET - 30.0) / 8.0,
            f64::from(ring) * (h - 2.0 * INSET - 30.0) / 8.0,
        );
        let points = [cx, cy - b, cx + a, cy, cx, cy + b, cx - a, cy].map(crate::svg::number);
        let [p, q, r, s, t, u, v, x] = points;
        out.path(&format!("M{p} {q}L{r} {s}L{t} {u}L{v} {x}z"), &thin);
    }
    let plate = format!("fill=\"{deep}\" stroke=\"{line}\" stroke-width=\"4\"");
    let (title, what) = (book.text(&book.told["title"]), book.word(kind));
    let wide = w - 2.0 * INSET - 60.0;
    let (large, small) = (
        font::fitted(title, true, wide - 40.0, 2, (54.0, 22.0)),
        font::fitted(&what, false, wide - 40.0, 2, (34.0, 18.0)),
    );
    let (titles, whats) = (
        font::lines(title, large, true, wide - 40.0),
        font::lines(&what, small, false, wide - 40.0),
    );
    let tall = titles.len() as f64 * large * 1.2 + whats.len() as f64 * small * 1.2 + 50.0;
    out.rect(
        (w / 2.0 - wide / 2.0, cy - tall / 2.0, wide, tall),
        20.0,
        &plate,
    );
    let ink = color::ink_on(&deep);
    let mut y = cy - tall / 2.0 + 22.0;
    for (lines, size, bold) in [(titles, large, true), (whats, small, false)] {
        for line in lines {
            y += size;
            out.text(
                (cx, y),
                Letters {
                    size,
                    bold,
                    fill: ink,
                    ..Letters::PLAIN
                },
                &line,
            );
            y += size * 0.2;
        }
    }
    out.body().to_string()
}

/// Whether a card is drawn at all: dice and decks are none.
pub fn is_printed(book: &Book, id: &str) -> bool {
    let kind = book.card(id)["kind"].as_str().unwrap_or_default();
    // A deck is a list of cards, and cards inside cards are printed on them.
    book.kind_look(kind, "form") != "die" && kind != "deck" && !id.contains('.')
}

/// Whether a field says nothing.
fn is_nothing(value: &Json) -> bool {
    match value {
        Json::Null => true,
        Json::String(text) => text.is_empty(),
        Json::Array(items) => items.is_empty(),
        _ => false,
    }
}
