//! One space of the board and what every form of it shares: tokens, signs, pieces.

use crate::book::{Book, SeatColor};
use crate::color::{self, mix};
use crate::forms;
use crate::geometry::{BoardGeometry, DrawnSpace};
use crate::shapes;
use crate::svg::{Letters, Svg};
use serde_json::Value as Json;

/// A board at one moment: everything a drawing of it may look at.
pub struct Scene<'a> {
    pub book: &'a Book,
    pub view: &'a Json,
    pub colors: Vec<SeatColor>,
}

/// What lies or stands on a space, as the view has it.
pub struct OnSpace<'a> {
    pub id: &'a str,
    pub name: String,
    pub held: &'a Json,
    pub tint: Option<String>,
    pub place: DrawnSpace,
}

/// A token on a space.
struct Token<'a> {
    seat: Option<usize>,
    number: Option<i64>,
    word: Option<&'a str>,
}

pub fn draw(scene: &Scene, g: &BoardGeometry, id: &str, place: DrawnSpace, out: &mut Svg) {
    let held = &scene.view["spaces"][id];
    let name = scene.book.space_name(id);
    if held.is_null() {
        if !g.squares {
            let letters = Letters {
                size: 11.0,
                fill: color::SOFT,
                ..Letters::PLAIN
            };
            out.text((place.x, place.y + 4.0), letters, &name);
        }
        return;
    }
    let tint = scene.book.space_tint(id, held);
    let space = OnSpace {
        id,
        name,
        held,
        tint,
        place,
    };
    out.moved((place.x, place.y), 1.0, |out| {
        out.title(&space.name);
        match g.form.as_str() {
            "plate" => forms::plate(scene, &space, out),
            "box" => forms::boxed(scene, &space, out),
            "square" | "hex" | "point" => forms::square(scene, &space, g, out),
            _ => forms::token(scene, &space, out),
        }
    });
}

impl<'a> Scene<'a> {
    pub fn new(book: &'a Book, view: &'a Json) -> Scene<'a> {
        let seats = view["players"].as_array().map_or(0, Vec::len);
        Scene {
            book,
            view,
            colors: book.seat_colors(view, seats),
        }
    }

    pub fn look(&self) -> &'a Json {
        &self.book.look()["space"]
    }

    /// The colour of a seat; of nobody, land.
    pub fn color(&self, seat: Option<usize>) -> SeatColor {
        let own = seat.and_then(|seat| self.colors.get(seat)).cloned();
        own.unwrap_or_else(|| SeatColor {
            fill: color::LAND.into(),
            ink: color::INK.into(),
            shape: "circle".into(),
        })
    }

    /// The attributes of a space that make a token: as the look says, or the first declared owner and number.
    fn token_keys(&self) -> Vec<Json> {
        if let Some(declared) = self.look()["tokens"].as_array() {
            return declared.clone();
        }
        let first = |fits: &dyn Fn(&Json) -> bool| {
            let found = self.book.attributes("space").find(|a| fits(a));
            found.map_or(Json::Null, |a| a["name"].clone())
        };
        let owner = first(&|a| a["type"] == "player" && a["per"] != "player");
        let number = first(&|a| a["type"] == "int" && a["per"] == "one" && !a["text"].is_null());
        let word = first(&|a| a["type"] == "word" && !a["text"].is_null());
        let elsewhere = !self.look()["slots"].is_null() || !self.look()["zone"].is_null();
        if elsewhere || (owner.is_null() && number.is_null()) {
            return Vec::new();
        }
        let word = if number.is_null() && !owner.is_null() {
            word
        } else {
            Json::Null
        };
        vec![serde_json::json!({ "owner": owner, "number": number, "word": word })]
    }

    /// Tokens on a space.
    fn tokens(&self, held: &'a Json) -> Vec<Token<'a>> {
        let mut found = Vec::new();
        for (n, key) in self.token_keys().iter().enumerate() {
            let of = |name: &str| key[name].as_str().map(|name| &held[name]);
            let seat = of("owner").and_then(Json::as_u64).map(|seat| seat as usize);
            let number = of("number").and_then(Json::as_i64);
            let word = of("word").and_then(Json::as_str);
            if seat.is_some() || (n == 0 && number.is_some_and(|number| number > 0)) {
                found.push(Token { seat, number, word });
            }
        }
        found
    }

    /// How many tokens a space has, and each of them drawn around a middle.
    pub fn draw_tokens(
        &self,
        space: &OnSpace<'a>,
        (y, step): (f64, f64),
        scale: f64,
        out: &mut Svg,
    ) -> usize {
        let found = self.tokens(space.held);
        let middle = (found.len() as f64 - 1.0) / 2.0;
        for (n, one) in found.iter().enumerate() {
            let scale = if found.len() > 1 {
                scale.min(1.0)
            } else {
                scale
            };
            out.moved(((n as f64 - middle) * step, y), scale, |out| {
                self.draw_token(one, out)
            });
        }
        found.len()
    }

    fn draw_token(&self, one: &Token, out: &mut Svg) {
        let color = self.color(one.seat);
        let plain = |word: &&str| self.book.icon_data(word).is_some();
        let sign = one
            .word
            .and_then(|word| self.book.icon_of(word).or(Some(word).filter(plain)));
        if let Some(sign) = sign {
            token(
                &SeatColor {
                    shape: "circle".into(),
                    ..color.clone()
                },
                "",
                out,
            );
            out.moved((-7.0, -7.0), 0.875, |out| {
                icon(self.book, sign, &color.ink, out)
            });
            return;
        }
        let letters = match (one.number, one.word) {
            (Some(number), _) => number.to_string(),
            (None, Some(word)) => initials(&self.book.word(word)),
            (None, None) => String::new(),
        };
        token(&color, &letters, out);
    }

    /// Signs of what else a space has: an icon, a number or the icon of a word.
    pub fn draw_marks(&self, space: &OnSpace, (x, y): (f64, f64), step: f64, out: &mut Svg) {
        let named = self.look()["marks"].as_object();
        let mut at = x;
        for (attribute, sign) in named.into_iter().flatten() {
            let value = &space.held[attribute];
            let nothing = value.is_null() || value == 0 || value == false || value == "";
            if nothing {
                continue;
            }
            let (sign, word) = (sign.as_str().unwrap_or_default(), value.as_str());
            let shown = match sign {
                "word" => word.and_then(|word| self.book.icon_of(word)),
                "number" => None,
                sign => Some(sign),
            };
            let many = value.as_i64().filter(|n| *n > 1 || sign == "number");
            let tint = word
                .filter(|_| sign == "word")
                .and_then(|word| self.book.color_of(word));
            let ink = mix(70, tint.unwrap_or(color::INK), color::INK);
            out.moved((at, y), 1.0, |out| {
                out.circle(
                    (0.0, 0.0),
                    7.0,
                    &format!("fill=\"{}\" stroke=\"{}\"", color::RAISED, color::INK),
                );
                if let Some(shown) = shown {
                    out.moved((-5.0, -5.0), 0.625, |out| icon(self.book, shown, &ink, out));
                }
                if let Some(many) = many {
                    let letters = Letters {
                        size: 10.0,
                        bold: true,
                        ..Letters::PLAIN
                    };
                    let right = if shown.is_some() { 9.0 } else { 0.0 };
                    out.text((right, 3.4), letters, &many.to_string());
                }
            });
            at += step;
        }
    }

    /// Pieces that stand on a space.
    pub fn draw_pieces(&self, space: &OnSpace, y: f64, wide: f64, out: &mut Svg) -> bool {
        let look = self.look();
        let named = look["zone"].as_str();
        let zones = space.held["zones"].as_object().into_iter().flatten();
        let stands = zones.filter(|(name, _)| match named {
            Some(named) => *name == named,
            None => look["tile"] != name.as_str() && look["form"] != "box",
        });
        let pieces = stands.flat_map(|(_, zone)| zone["pieces"].as_array().into_iter().flatten());
        let found: Vec<&Json> = pieces.filter(|piece| !piece.is_null()).collect();
        let gaps = (found.len() as f64 - 1.0).max(1.0);
        let step = ((wide - 20.0) / gaps).min(22.0);
        let middle = (found.len() as f64 - 1.0) / 2.0;
        for (n, piece) in found.iter().enumerate() {
            let x = (n as f64 - middle) * step;
            out.moved((x, y), 1.0, |out| self.draw_piece(piece, out));
        }
        !found.is_empty()
    }

    fn draw_piece(&self, piece: &Json, out: &mut Svg) {
        let book = self.book;
        let card = piece["card"].as_str().unwrap_or_default();
        let kind = book.card(card)["kind"].as_str().unwrap_or_default();
        let color = self.color(piece["owner"].as_u64().map(|seat| seat as usize));
        let style = format!(
            "fill=\"{}\" stroke=\"{}\" stroke-width=\"1.2\"",
            color.fill,
            edge(&color)
        );
        match book.kind_look(kind, "form") == "die" {
            true => out.rect((-9.0, -9.0, 18.0, 18.0), 3.5, &style),
            false => out.circle((0.0, 0.0), 10.0, &style),
        }
        let sign = book.card_icon(card).or_else(|| book.icon_of(card));
        if let Some(sign) = sign {
            return out.moved((-7.0, -7.0), 0.875, |out| icon(book, sign, &color.ink, out));
        }
        let number = book
            .kind_look(kind, "number")
            .as_str()
            .and_then(|name| piece[name].as_i64());
        let name = piece["name"].as_str().unwrap_or_default();
        let letters = number.map_or_else(|| initials(name), |number| number.to_string());
        let style = Letters {
            size: 12.0,
            bold: true,
            fill: &color.ink,
            ..Letters::PLAIN
        };
        out.text((0.0, 4.2), style, &letters);
    }
}

/// The outline that keeps a colour visible.
pub fn edge(color: &SeatColor) -> String {
    mix(62, &color.fill, "#000000")
}

/// A seat's token around (0, 0), with a few letters on it.
pub fn token(color: &SeatColor, letters: &str, out: &mut Svg) {
    let style = format!(
        "fill=\"{}\" stroke=\"{}\" stroke-width=\"1.3\" stroke-linejoin=\"round\"",
        color.fill,
        edge(color)
    );
    out.path(shapes::body(&color.shape), &style);
    let drop = match color.shape.as_str() {
        "triangle" => 7.5,
        "shield" => 4.0,
        _ => 4.4,
    };
    let size = if letters.chars().count() > 2 {
        9.0
    } else {
        12.0
    };
    let style = Letters {
        size,
        bold: true,
        fill: &color.ink,
        ..Letters::PLAIN
    };
    out.text((0.0, drop), style, letters);
}

/// An icon in a box of 16 by 16 at its corner.
pub fn icon(book: &Book, name: &str, ink: &str, out: &mut Svg) {
    let Some(data) = book.icon_data(name) else {
        return;
    };
    match data.strip_prefix('!') {
        Some(filled) => out.path(filled, &format!("fill=\"{ink}\" fill-rule=\"evenodd\"")),
        None => out.path(data, &format!("fill=\"none\" stroke=\"{ink}\" stroke-width=\"1.4\" stroke-linecap=\"round\" stroke-linejoin=\"round\"")),
    }
}

pub fn initials(name: &str) -> String {
    let firsts = name
        .split_whitespace()
        .filter_map(|word| word.chars().next());
    firsts.take(2).flat_map(char::to_uppercase).collect()
}

/// A number, or the sum of several.
pub fn total(value: &Json) -> i64 {
    match value {
        Json::Number(number) => number.as_i64().unwrap_or(0),
        Json::Array(items) => items.iter().map(total).sum(),
        Json::Object(entries) => entries.values().map(total).sum(),
        _ => 0,
    }
}

/// The token of a word that has a colour and an icon, around (0, 0).
pub fn word_token(book: &Book, word: &str) -> Option<String> {
    let (fill, sign) = (book.color_of(word)?, book.icon_of(word)?);
    let color = SeatColor {
        fill: fill.to_string(),
        ink: color::ink_on(fill).to_string(),
        shape: "circle".into(),
    };
    let mut out = Svg::default();
    token(&color, "", &mut out);
    out.moved((-7.0, -7.0), 0.875, |out| icon(book, sign, &color.ink, out));
    Some(out.body().to_string())
}
