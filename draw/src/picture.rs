//! A match as one picture: the board, the players with their figures, and what lies before whoever looks. All of it comes from a view.

use crate::board::board;
use crate::book::Book;
use crate::card;
use crate::color;
use crate::font;
use crate::space::{Scene, icon, token, total};
use crate::svg::{Letters, Svg, document};
use serde_json::Value as Json;

/// How wide the picture is, and how high a board may get.
const WIDE: f64 = 860.0;
const TALLEST: f64 = 640.0;
const MARGIN: f64 = 14.0;
const LINE: f64 = 19.0;
/// A card of the hand.
const CARD_WIDE: f64 = 112.0;
/// Cards of one zone that are drawn; the rest is counted.
const DRAWN: usize = 21;

/// The attribute a path such as `space.owner` names.
fn owned(path: &Json) -> Option<&str> {
    path.as_str().and_then(|path| path.strip_prefix("space."))
}

/// Who looks, and what the seats are called.
#[derive(Debug, Clone, Default)]
pub struct Audience {
    pub you: Option<usize>,
    pub names: Vec<String>,
}

/// Draws what a view shows.
pub fn picture(book: &Book, view: &Json, shown: &Audience) -> String {
    let scene = Scene::new(book, view);
    let mut page = Page {
        scene: &scene,
        out: Svg::default(),
        y: MARGIN,
    };
    let title = book.text(&book.told["title"]).to_string();
    page.title(&title);
    page.board();
    page.zones("game", &view["game"]);
    for seat in 0..scene.colors.len() {
        page.player(seat, shown);
    }
    let high = page.y + MARGIN;
    let ground = format!(
        "<rect width=\"{WIDE}\" height=\"{}\" fill=\"{}\"/>",
        crate::svg::number(high),
        color::PANEL
    );
    let body = ground + page.out.body();
    document((WIDE, high), "", (0.0, 0.0, WIDE, high), &title, &body)
}

struct Page<'a> {
    scene: &'a Scene<'a>,
    out: Svg,
    y: f64,
}

impl Page<'_> {
    fn title(&mut self, title: &str) {
        let book = self.scene.book;
        let round = self.scene.view["game"]["round"].as_u64();
        let said = match round {
            Some(round) if round > 0 => format!("{title} · {} {round}", book.say("ronda", "round")),
            _ => title.to_string(),
        };
        self.y += 8.0;
        self.text(MARGIN, 16.0, true, color::INK, &said);
        let attributes = self.figures("game", &self.scene.view["game"]);
        let left = MARGIN + font::width(&said, 16.0, true) + 16.0;
        self.wrapped(left, &attributes);
        self.y += 8.0;
    }

    fn text(&mut self, x: f64, size: f64, bold: bool, fill: &str, text: &str) {
        let letters = Letters {
            size,
            bold,
            fill,
            anchor: "start",
            halo: None,
        };
        self.out.text((x, self.y), letters, text);
    }

    /// Facts behind each other from a column on, on as many lines as they need.
    fn wrapped(&mut self, left: f64, facts: &[String]) {
        let said = facts.join(" · ");
        for (n, line) in font::lines(&said, 12.0, false, WIDE - MARGIN - left)
            .iter()
            .enumerate()
        {
            if n > 0 {
                self.y += LINE - 3.0;
            }
            self.text(left, 12.0, false, color::SOFT, line);
        }
    }

    fn board(&mut self) {
        let Some(board) = board(self.scene.book, self.scene.view) else {
            return;
        };
        let (x, y, w, h) = board.frame;
        let scale = ((WIDE - 2.0 * MARGIN) / w).min(TALLEST / h);
        let left = (WIDE - w * scale) / 2.0;
        let top = self.y;
        self.out
            .moved((left - x * scale, top - y * scale), scale, |out| {
                out.raw(&board.body)
            });
        self.y += h * scale + LINE;
    }

    /// What a game or a player has in numbers and words, as the look says, or everything with a text.
    fn figures(&self, of: &str, held: &Json) -> Vec<String> {
        let book = self.scene.book;
        let shown = book
            .attributes(of)
            .filter(|attribute| !attribute["text"].is_null());
        let said = shown.filter_map(|attribute| {
            let name = attribute["name"].as_str()?;
            let value = &held[name];
            let said = match value {
                Json::Null | Json::Bool(false) => return None,
                Json::Bool(true) => return Some(book.attribute_name(of, name)),
                Json::Object(words) => {
                    let some = words.iter().filter(|(_, n)| total(n) != 0);
                    let each = some.map(|(word, n)| format!("{} {}", book.word(word), total(n)));
                    let each: Vec<String> = each.collect();
                    if each.is_empty() {
                        return None;
                    }
                    each.join(", ")
                }
                value => book.show(value, attribute["type"].as_str().unwrap_or_default()),
            };
            Some(format!("{}: {said}", book.attribute_name(of, name)))
        });
        said.collect()
    }

    /// The figures a look puts beside a player: attributes, sizes of zones, counts and sums over spaces.
    fn shown_figures(&self, seat: usize) -> Option<Vec<String>> {
        let book = self.scene.book;
        let player = &self.scene.view["players"][seat];
        let spaces = || self.scene.view["spaces"].as_object().into_iter().flatten();
        let figures = book.look()["players"]["show"]
            .as_array()?
            .iter()
            .map(|figure| {
                let value = if let Some(name) = figure["attribute"].as_str() {
                    total(&player[name])
                } else if let Some(zone) = figure["zone"].as_str() {
                    player["zones"][zone]["count"].as_i64().unwrap_or(0)
                } else {
                    let by = owned(&figure["by"])
                        .or(owned(&figure["count"]))
                        .unwrap_or_default();
                    let mine = spaces().filter(|(_, held)| held[by].as_u64() == Some(seat as u64));
                    match owned(&figure["sum"]) {
                        Some(sum) => mine.map(|(_, held)| total(&held[sum])).sum(),
                        None => mine.count() as i64,
                    }
                };
                let short = book.text(&figure["short"]);
                let name = match (short, figure["attribute"].as_str()) {
                    ("", Some(name)) => book.attribute_name("player", name),
                    (short, _) => short.to_string(),
                };
                format!("{value} {name}")
            });
        Some(figures.collect())
    }

    fn player(&mut self, seat: usize, shown: &Audience) {
        let player = &self.scene.view["players"][seat];
        let color = self.scene.color(Some(seat));
        self.y += LINE;
        let y = self.y - 5.0;
        self.out
            .moved((MARGIN + 9.0, y), 0.72, |out| token(&color, "", out));
        let name = shown.names.get(seat).cloned().unwrap_or_default();
        let you = match (shown.you == Some(seat), player["out"] == true) {
            (true, _) => self.scene.book.say(" (tú)", " (you)"),
            (false, true) => self.scene.book.say(" (fuera)", " (out)"),
            _ => "",
        };
        let said = format!("{name}{you}");
        self.text(MARGIN + 24.0, 13.0, true, color::INK, &said);
        let figures = self
            .shown_figures(seat)
            .unwrap_or_else(|| self.figures("player", player));
        self.wrapped(MARGIN + 36.0 + font::width(&said, 13.0, true), &figures);
        self.zones("player", player);
    }

    /// What lies somewhere: cards one sees, and how many one does not.
    fn zones(&mut self, of: &str, held: &Json) {
        let book = self.scene.book;
        let declared = book.told["zones"].as_array().into_iter().flatten();
        for zone in declared.filter(|zone| zone["of"] == of) {
            let name = zone["name"].as_str().unwrap_or_default();
            let there = &held["zones"][name];
            let count = there["count"].as_u64().unwrap_or(0);
            if count == 0 || !book.told["positions"]["zones"][name].is_null() {
                continue;
            }
            self.y += LINE;
            let heading = format!("{} ({count})", book.zone_name(name));
            self.text(MARGIN + 24.0, 12.0, true, color::SOFT, &heading);
            let pieces = there["pieces"].as_array().into_iter().flatten();
            let seen: Vec<&Json> = pieces.filter(|piece| !piece.is_null()).collect();
            if seen.is_empty() {
                continue;
            }
            let form = book.look()["zones"][name]["form"]
                .as_str()
                .unwrap_or_default();
            let own = zone["visible"] != "all" || form == "row" || form == "fan" || form == "sheet";
            match own && form != "pile" {
                true => self.cards(&seen),
                false => self.names(&heading, &seen),
            }
        }
    }

    /// Pieces by their names, equal ones once.
    fn names(&mut self, heading: &str, seen: &[&Json]) {
        let mut counted: Vec<(&str, usize)> = Vec::new();
        for piece in seen {
            let name = piece["name"].as_str().unwrap_or_default();
            match counted.iter_mut().find(|(other, _)| *other == name) {
                Some((_, count)) => *count += 1,
                None => counted.push((name, 1)),
            }
        }
        let said = counted.into_iter().map(|(name, count)| match count {
            1 => name.to_string(),
            _ => format!("{name} ×{count}"),
        });
        let left = MARGIN + 36.0 + font::width(heading, 12.0, true);
        self.wrapped(left, &said.collect::<Vec<_>>());
    }

    /// Pieces as cards, side by side.
    fn cards(&mut self, seen: &[&Json]) {
        let book = self.scene.book;
        self.y += 8.0;
        let mut x = MARGIN + 24.0;
        let mut tallest: f64 = 0.0;
        for piece in seen.iter().take(DRAWN) {
            let id = piece["card"].as_str().unwrap_or_default();
            let kind = book.card(id)["kind"].as_str().unwrap_or_default();
            let size = card::size(book, kind);
            let scale = CARD_WIDE / (size.w * 10.0);
            if x + CARD_WIDE > WIDE - MARGIN {
                self.y += tallest + 8.0;
                (x, tallest) = (MARGIN + 24.0, 0.0);
            }
            let at = (x, self.y);
            if book.kind_look(kind, "form") == "die" {
                self.die(at, piece);
                x += 34.0;
                tallest = tallest.max(30.0);
                continue;
            }
            let drawn = card::front(book, id, 0.0);
            self.out.moved(at, scale, |out| out.raw(&drawn));
            x += CARD_WIDE + 8.0;
            tallest = tallest.max(size.h * 10.0 * scale);
        }
        self.y += tallest;
        if seen.len() > DRAWN {
            self.y += LINE;
            let more = format!("+{}", seen.len() - DRAWN);
            self.text(MARGIN + 24.0, 12.0, true, color::SOFT, &more);
        }
    }

    fn die(&mut self, (x, y): (f64, f64), piece: &Json) {
        let book = self.scene.book;
        let id = piece["card"].as_str().unwrap_or_default();
        let kind = book.card(id)["kind"].as_str().unwrap_or_default();
        let color = self
            .scene
            .color(piece["owner"].as_u64().map(|seat| seat as usize));
        let style = format!(
            "fill=\"{}\" stroke=\"{}\"",
            color.fill,
            crate::space::edge(&color)
        );
        self.out.rect((x, y, 28.0, 28.0), 5.0, &style);
        let value = book
            .kind_look(kind, "number")
            .as_str()
            .and_then(|name| piece[name].as_i64());
        match value {
            Some(value) => {
                let letters = Letters {
                    size: 16.0,
                    bold: true,
                    fill: &color.ink,
                    ..Letters::PLAIN
                };
                self.out
                    .text((x + 14.0, y + 20.0), letters, &value.to_string());
            }
            None => self.out.moved((x + 6.0, y + 6.0), 1.0, |out| {
                icon(book, "die", &color.ink, out)
            }),
        }
    }
}
