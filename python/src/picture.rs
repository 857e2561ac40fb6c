//! The table as one picture, drawn from what the game declares: where spaces lie, whose they are, what lies where. All that is written on
//! it comes from the view of a seat.

use crate::kernel::{Attribute, AttributeType, Language, Match, Per, Text, view};
use serde_json::{Map, Value as Json, json};
use std::fmt::Write;

/// Colours of the seats, told apart by people who see few colours too.
const SEATS: [&str; 8] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8a6d3b", "#555555",
];
const AREAS: [&str; 8] = [
    "#fbe9c6", "#d9ead3", "#d6e4f0", "#f4d6d2", "#e6dcf0", "#f0ead6", "#dbeeee", "#eedde6",
];
const WIDTH: f64 = 760.0;
const MARGIN: f64 = 34.0;
/// A line of text on the panels.
const LINE: f64 = 18.0;
/// Letters on a line of a panel, and pieces of a zone that are named.
const LETTERS: usize = 104;
const NAMED: usize = 8;

/// Draws a match as a seat sees it; as everybody does, without one.
pub fn draw(played: &Match, seat: Option<u8>, language: Language) -> String {
    let seen = json!(view::view(&played.table, seat, language));
    let mut drawn = String::new();
    let board = Board::of(played, language);
    let height = board.as_ref().map_or(0.0, |board| {
        board.draw(&seen, &mut drawn);
        board.height
    });
    let mut panel = Panel {
        out: &mut drawn,
        y: height + LINE,
    };
    panel.of_game(played, &seen, language);
    panel.of_players(played, &seen, seat, language);
    let height = panel.y + MARGIN / 2.0;
    let title = escaped(language.of(&played.game().definition.title));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height:.0}\" width=\"{WIDTH}\" height=\"{height:.0}\" font-family=\"sans-serif\" role=\"img\" aria-label=\"{title}\"><rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>{drawn}</svg>"
    )
}

/// The map: where its spaces are, and which touch.
struct Board {
    spaces: Vec<Drawn>,
    edges: Vec<(usize, usize)>,
    height: f64,
    radius: f64,
    /// The attribute that says whose a space is, and the one that says how many stand there.
    owner: Option<String>,
    amount: Option<String>,
}

struct Drawn {
    id: String,
    name: String,
    area: Option<usize>,
    at: (f64, f64),
}

impl Board {
    fn of(played: &Match, language: Language) -> Option<Board> {
        let definition = &played.game().definition;
        let map = definition.map.as_ref()?;
        let board = &played.table.state.board;
        let in_play: Vec<u32> = board.in_play().iter().collect();
        let places: Vec<(f64, f64)> = in_play
            .iter()
            .enumerate()
            .map(|(n, &space)| {
                let square = board.square(space).map(|(x, y)| (x as f64, y as f64));
                // Where a terminal draws: its letters are twice as high as they are wide.
                let at = map.spaces[space as usize].at;
                let at = at.map(|(x, y)| (x as f64, 2.0 * y as f64));
                let turn = std::f64::consts::TAU * n as f64 / in_play.len() as f64;
                square.or(at).unwrap_or((turn.cos(), turn.sin()))
            })
            .collect();
        let (places, height) = fitted(&places);
        let spaces = in_play.iter().zip(&places).map(|(&space, &at)| {
            let declared = &map.spaces[space as usize];
            Drawn {
                id: declared.id.clone(),
                name: language.of(&declared.name).to_string(),
                area: declared.area.map(|area| area as usize),
                at,
            }
        });
        let mut edges = Vec::new();
        for (n, &a) in in_play.iter().enumerate() {
            for (m, &b) in in_play.iter().enumerate().skip(n + 1) {
                if board.adjacent(a, b) {
                    edges.push((n, m));
                }
            }
        }
        let attributes = &definition.attributes.space;
        let find = |fits: fn(&Attribute) -> bool| {
            let found = attributes.iter().find(|attribute| fits(attribute));
            found.map(|attribute| attribute.name.clone())
        };
        Some(Board {
            radius: radius(&places),
            spaces: spaces.collect(),
            edges,
            height,
            owner: find(|a| a.ty == AttributeType::Player && a.per == Per::One),
            amount: find(|a| a.ty == AttributeType::Int && a.per == Per::One),
        })
    }

    fn draw(&self, seen: &Json, out: &mut String) {
        for &(a, b) in &self.edges {
            let ((x, y), (to_x, to_y)) = (self.spaces[a].at, self.spaces[b].at);
            let _ = write!(
                out,
                "<line x1=\"{x:.1}\" y1=\"{y:.1}\" x2=\"{to_x:.1}\" y2=\"{to_y:.1}\" stroke=\"#b9b2a3\"/>"
            );
        }
        for space in &self.spaces {
            self.draw_space(space, &seen["spaces"][&space.id], out);
        }
    }

    fn draw_space(&self, space: &Drawn, seen: &Json, out: &mut String) {
        let (x, y) = space.at;
        let r = self.radius;
        let owner = self.owner.as_ref().and_then(|name| seen[name].as_u64());
        let area = space
            .area
            .map_or("#f2efe6", |area| AREAS[area % AREAS.len()]);
        let edge = owner.map_or("#8d8674", |seat| SEATS[seat as usize % SEATS.len()]);
        let wide = if owner.is_some() { 4.0 } else { 1.0 };
        let amount = self.amount.as_ref().and_then(|name| seen[name].as_i64());
        let pieces: u64 = seen["zones"].as_object().map_or(0, |zones| {
            let counts = zones.values().filter_map(|zone| zone["count"].as_u64());
            counts.sum()
        });
        let shown = match (amount, pieces) {
            (Some(amount), _) if amount != 0 => amount.to_string(),
            (_, pieces) if pieces > 0 => pieces.to_string(),
            _ => String::new(),
        };
        let _ = write!(
            out,
            "<g><title>{}</title><circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{r:.1}\" fill=\"{area}\" stroke=\"{edge}\" stroke-width=\"{wide}\"/><text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\" font-size=\"{:.1}\" font-weight=\"bold\">{shown}</text><text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\" font-size=\"9\" fill=\"#555\">{}</text></g>",
            escaped(&format!("{} {}", space.name, told(seen))),
            y + r * 0.35,
            r.max(8.0),
            y + r + 9.0,
            escaped(&space.name),
        );
    }
}

/// Places stretched over the picture, and how high it gets.
fn fitted(places: &[(f64, f64)]) -> (Vec<(f64, f64)>, f64) {
    let ends = |pick: fn(&(f64, f64)) -> f64| {
        let low = places.iter().map(pick).fold(f64::MAX, f64::min);
        let high = places.iter().map(pick).fold(f64::MIN, f64::max);
        (low, (high - low).max(1e-9))
    };
    if places.is_empty() {
        return (Vec::new(), 0.0);
    }
    let ((left, wide), (top, high)) = (ends(|p| p.0), ends(|p| p.1));
    let scale = (WIDTH - 2.0 * MARGIN) / wide;
    let scale = scale.min(560.0 / high);
    let indent = (WIDTH - wide * scale) / 2.0;
    let put = |&(x, y): &(f64, f64)| ((x - left) * scale + indent, (y - top) * scale + MARGIN);
    (
        places.iter().map(put).collect(),
        high * scale + 2.0 * MARGIN,
    )
}

/// As large as spaces can be without touching.
fn radius(places: &[(f64, f64)]) -> f64 {
    let mut nearest = f64::MAX;
    for (n, a) in places.iter().enumerate() {
        for b in &places[n + 1..] {
            nearest = nearest.min((a.0 - b.0).hypot(a.1 - b.1));
        }
    }
    (nearest * 0.42).clamp(5.0, 22.0)
}

/// Lines of text under the map.
struct Panel<'a> {
    out: &'a mut String,
    y: f64,
}

impl Panel<'_> {
    fn of_game(&mut self, played: &Match, seen: &Json, language: Language) {
        let definition = &played.game().definition;
        self.title("#333333", language.of(&definition.title));
        let attributes = &definition.attributes.game;
        self.things(played, attributes, &seen["game"], language);
    }

    fn of_players(&mut self, played: &Match, seen: &Json, viewer: Option<u8>, language: Language) {
        let definition = &played.game().definition;
        for (seat, player) in seen["players"].as_array().into_iter().flatten().enumerate() {
            let name = played.table.player_name(seat as u8);
            let you = match (viewer == Some(seat as u8), language) {
                (false, _) => "",
                (true, Language::Es) => " (tú)",
                (true, Language::En) => " (you)",
            };
            let colour = SEATS[seat % SEATS.len()];
            self.title(colour, &format!("{}{you}", language.of(&name)));
            self.things(played, &definition.attributes.player, player, language);
        }
    }

    /// Attributes on one line, zones on one each.
    fn things(
        &mut self,
        played: &Match,
        attributes: &[Attribute],
        seen: &Json,
        language: Language,
    ) {
        let named = |text: &Option<Text>, name: &str| {
            let text = text.as_ref().map(|text| language.of(text).to_string());
            text.unwrap_or_else(|| name.replace('_', " "))
        };
        let shown = attributes.iter().filter_map(|attribute| {
            let value = plain(&seen[&attribute.name])?;
            Some(format!(
                "{} {value}",
                named(&attribute.text, &attribute.name)
            ))
        });
        let shown: Vec<String> = shown.collect();
        if !shown.is_empty() {
            self.line(&shown.join(" · "));
        }
        for zone in &played.game().definition.zones {
            let there = &seen["zones"][&zone.name];
            let count = there["count"].as_u64().unwrap_or(0);
            if count == 0 {
                continue;
            }
            let pieces = there["pieces"].as_array().into_iter().flatten();
            let mut names: Vec<&str> = pieces.filter_map(|piece| piece["name"].as_str()).collect();
            if names.len() > NAMED {
                names.truncate(NAMED);
                names.push("..");
            }
            let listed = match names.is_empty() {
                true => String::new(),
                false => format!(": {}", names.join(", ")),
            };
            self.line(&format!(
                "{} ({count}){listed}",
                named(&zone.text, &zone.name)
            ));
        }
    }

    fn title(&mut self, colour: &str, text: &str) {
        self.y += LINE * 0.4;
        let _ = write!(
            self.out,
            "<rect x=\"{MARGIN}\" y=\"{:.1}\" width=\"11\" height=\"11\" fill=\"{colour}\"/><text x=\"{:.1}\" y=\"{:.1}\" font-size=\"13\" font-weight=\"bold\">{}</text>",
            self.y - 10.0,
            MARGIN + 17.0,
            self.y,
            escaped(text)
        );
        self.y += LINE;
    }

    fn line(&mut self, text: &str) {
        let short: String = match text.chars().count() > LETTERS {
            true => text.chars().take(LETTERS).chain("..".chars()).collect(),
            false => text.to_string(),
        };
        let _ = write!(
            self.out,
            "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"12\" fill=\"#333\">{}</text>",
            MARGIN + 17.0,
            self.y,
            escaped(&short)
        );
        self.y += LINE;
    }
}

/// A value in a few letters, if it is worth a word.
fn plain(value: &Json) -> Option<String> {
    match value {
        Json::Number(number) => Some(number.to_string()),
        Json::String(text) => Some(text.clone()),
        Json::Bool(true) => Some("✓".into()),
        Json::Array(items) => {
            let items: Vec<String> = items.iter().filter_map(plain).collect();
            (!items.is_empty()).then(|| items.join("/"))
        }
        Json::Object(fields) => {
            let some = fields.iter().filter(|(_, value)| value.as_i64() != Some(0));
            let shown: Vec<String> = some
                .filter_map(|(name, value)| Some(format!("{name} {}", plain(value)?)))
                .collect();
            (!shown.is_empty()).then(|| shown.join(", "))
        }
        _ => None,
    }
}

/// What is known of a space, for whoever points at it.
fn told(seen: &Json) -> String {
    let fields = seen.as_object().into_iter().flat_map(Map::iter);
    let known = fields.filter(|(name, _)| *name != "zones");
    let known: Vec<String> = known
        .filter_map(|(name, value)| Some(format!("{name}: {}", plain(value)?)))
        .collect();
    known.join(", ")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
