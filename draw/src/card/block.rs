//! What stands on a card below its name: texts in lines, facts, icons, rows of numbers.

use super::is_nothing;
use crate::book::Book;
use crate::color::{self, mix};
use crate::font;
use crate::space::icon;
use crate::svg::{Letters, Svg};
use serde_json::Value as Json;

/// Something of a card that takes some height.
#[derive(Debug)]
pub enum Block {
    /// Lines one below the other.
    Lines {
        lines: Vec<String>,
        size: f64,
        is_text: bool,
    },
    /// Icons with a word or a number each, in the middle.
    Signs { signs: Vec<Sign>, size: f64 },
}

#[derive(Debug)]
pub struct Sign {
    icon: Option<String>,
    tint: String,
    text: String,
}

impl Block {
    pub fn height(&self) -> f64 {
        match self {
            Block::Lines { lines, size, .. } => lines.len() as f64 * size * 1.28,
            Block::Signs { size, .. } => size * 1.3,
        }
    }
}

/// All that the look wants on the front, or what the kind declares, but for the name.
pub fn all(book: &Book, id: &str, size: f64, wide: f64) -> Vec<Block> {
    let kind = book.card(id)["kind"].as_str().unwrap_or_default();
    let said = book.kind_look(kind, "face").as_array();
    let said: Vec<String> = match said {
        Some(said) => said
            .iter()
            .filter_map(Json::as_str)
            .map(str::to_string)
            .collect(),
        None => usual(book, kind),
    };
    let mut blocks: Vec<Block> = Vec::new();
    for spec in said.iter().filter(|spec| *spec != "name") {
        blocks.extend(block(book, id, spec, size, wide));
    }
    blocks
}

/// The fields a front shows where the look names none.
fn usual(book: &Book, kind: &str) -> Vec<String> {
    let shown = ["int", "word", "words", "ints", "bool", "space", "area"];
    let fields = book.told["kinds"][kind]["fields"]
        .as_array()
        .into_iter()
        .flatten();
    let told = fields.filter(|field| {
        !field["text"].is_null() && field["type"].as_str().is_some_and(|ty| shown.contains(&ty))
    });
    let told = told.filter_map(|field| field["name"].as_str());
    told.chain(["text"]).map(str::to_string).collect()
}

fn block(book: &Book, id: &str, spec: &str, size: f64, wide: f64) -> Option<Block> {
    let card = book.card(id);
    let kind = card["kind"].as_str().unwrap_or_default();
    if spec == "text" {
        let text = book.text(&card["text"]);
        let same = text == book.card_name(id);
        return (!text.is_empty() && !same).then(|| lines(text, size, wide, true));
    }
    if let Some((word, times)) = spec.split_once('*') {
        return Some(repeated(book, id, (word, times), size));
    }
    if spec.contains('→') {
        let parts = spec
            .split('→')
            .map(|part| book.show(book.card_value(id, part), "int"));
        let joined = parts.collect::<Vec<_>>().join(" → ");
        return Some(lines(&joined, size * 1.4, wide, false));
    }
    let value = book.card_value(id, spec);
    // What the look does not name is worth a line only if there is some of it.
    let unasked = book.kind_look(kind, "face").is_null() && (*value == 0 || *value == false);
    if is_nothing(value) || unasked || book.kind_look(kind, "hide")[spec] == *value {
        return None;
    }
    let field = book.card_field(kind, spec);
    let name = match book.text(&field["text"]) {
        "" => book.word(spec),
        name => name.to_string(),
    };
    if let (Some(named), Some(values)) = (
        book.kind_look(kind, "row")[spec].as_array(),
        value.as_array(),
    ) {
        return Some(row(book, named, values, size));
    }
    if let Some(sign) = book.kind_look(kind, "icons")[spec].as_str() {
        let sign = Sign {
            icon: Some(sign.into()),
            tint: color::INK.into(),
            text: book.show(value, "int"),
        };
        return Some(Block::Signs {
            signs: vec![sign],
            size: size * 1.7,
        });
    }
    let ty = match (field["type"].as_str(), spec.contains('.')) {
        (_, true) => "word",
        (Some(ty), false) => ty,
        (None, false) => "",
    };
    let words = match value {
        Json::Array(items) => items.iter().filter_map(Json::as_str).collect(),
        Json::String(word) if ty == "word" => vec![word.as_str()],
        _ => Vec::new(),
    };
    if !words.is_empty() && words.iter().all(|word| book.icon_of(word).is_some()) {
        let sign = |word: &&str| Sign {
            icon: book.icon_of(word).map(str::to_string),
            tint: book.color_of(word).unwrap_or(color::INK).to_string(),
            text: if words.len() > 2 {
                String::new()
            } else {
                book.word(word)
            },
        };
        return Some(Block::Signs {
            signs: words.iter().map(sign).collect(),
            size: size * 1.3,
        });
    }
    if !words.is_empty() {
        let said: Vec<String> = words
            .iter()
            .map(|word| book.show(&Json::from(*word), if ty.is_empty() { "word" } else { ty }))
            .collect();
        return Some(lines(&said.join(" · "), size * 0.92, wide, false));
    }
    let said = book.show(value, ty);
    if said.is_empty() {
        return None;
    }
    let told = match (value, book.kind_look(kind, "big") == spec) {
        (Json::Number(_) | Json::Bool(_), false) => format!("{name}: {said}"),
        _ => said,
    };
    Some(lines(&told, size, wide, false))
}

fn lines(text: &str, size: f64, wide: f64, is_text: bool) -> Block {
    let lines = font::lines(text, size, false, wide);
    Block::Lines {
        lines,
        size,
        is_text,
    }
}

/// A word's icon as many times as a number says, and the same in words.
fn repeated(book: &Book, id: &str, (word, times): (&str, &str), size: f64) -> Block {
    let word = book.card_value(id, word).as_str().unwrap_or_default();
    let n = book.card_value(id, times).as_i64().unwrap_or(1);
    let tint = book.color_of(word).unwrap_or(color::INK).to_string();
    let icon = book.icon_of(word).map(str::to_string);
    let drawn = n.clamp(1, 6);
    let said = if n > 0 {
        format!("{n} {}", book.word(word))
    } else {
        book.word(word)
    };
    let sign = |i: i64| Sign {
        icon: icon.clone(),
        tint: tint.clone(),
        text: if i + 1 == drawn {
            said.clone()
        } else {
            String::new()
        },
    };
    Block::Signs {
        signs: (0..drawn).map(sign).collect(),
        size: size * 1.5,
    }
}

/// Numbers with an icon each.
fn row(book: &Book, named: &[Json], values: &[Json], size: f64) -> Block {
    let signs = named
        .iter()
        .filter_map(Json::as_str)
        .enumerate()
        .map(|(n, word)| {
            let plain = Some(word).filter(|word| book.icon_data(word).is_some());
            let icon = book.icon_of(word).or(plain).map(str::to_string);
            let number = values.get(n).map_or(String::new(), Json::to_string);
            Sign {
                text: match icon {
                    Some(_) => number,
                    None => format!("{} {number}", book.word(word)),
                },
                icon,
                tint: book.color_of(word).unwrap_or(color::INK).to_string(),
            }
        });
    Block::Signs {
        signs: signs.collect(),
        size: size * 1.9,
    }
}

/// Draws a block below a point of the card's middle, as far as the card's foot.
pub fn draw(block: &Block, book: &Book, (x, y, foot): (f64, f64, f64), wide: f64, out: &mut Svg) {
    match block {
        Block::Lines {
            lines,
            size,
            is_text,
        } => {
            let fill = if *is_text { color::INK } else { color::SOFT };
            let room = ((foot - y) / (size * 1.28)).max(0.0) as usize;
            for (n, line) in lines.iter().enumerate().take(room) {
                let letters = Letters {
                    size: *size,
                    fill,
                    ..Letters::PLAIN
                };
                out.text((x, y + size + n as f64 * size * 1.28), letters, line);
            }
        }
        Block::Signs { signs, size } => {
            let gap = size * 0.45;
            let letters = |sign: &Sign, size: f64| match sign.text.is_empty() {
                true => 0.0,
                false => font::width(&sign.text, size * 0.72, true) + size * 0.22,
            };
            let of = |size: f64| {
                let each = |sign: &Sign| {
                    letters(sign, size) + if sign.icon.is_some() { size } else { 0.0 }
                };
                signs.iter().map(each).sum::<f64>() + gap * (signs.len() as f64 - 1.0)
            };
            let size = size * (wide / of(*size)).min(1.0);
            let mut at = x - of(size) / 2.0;
            for sign in signs {
                let ink = mix(80, &sign.tint, color::INK);
                if let Some(named) = &sign.icon {
                    out.moved((at, y + size * 0.12), size / 16.0, |out| {
                        icon(book, named, &ink, out)
                    });
                    at += size;
                }
                let style = Letters {
                    size: size * 0.72,
                    bold: true,
                    anchor: "start",
                    ..Letters::PLAIN
                };
                out.text((at + size * 0.18, y + size * 0.88), style, &sign.text);
                at += letters(sign, size) + gap;
            }
        }
    }
}
