//! A game to draw from: its declaration, and what its look says of words, colours and icons.

use crate::color;
use crate::declaration;
use crate::shapes;
use ludoteca::{Definition, Language};
use serde_json::Value as Json;

/// A game as drawings know it, in one language.
#[derive(Debug, Clone)]
pub struct Book {
    pub told: Json,
    pub language: Language,
    /// Cards in the order of their files.
    pub cards: Vec<String>,
    /// Kinds in the order of the manifest.
    pub kinds: Vec<String>,
}

/// A seat's colour: the shape says the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeatColor {
    pub fill: String,
    pub ink: String,
    pub shape: String,
}

/// Colours people know, and the seats' own in this order where a game has none.
const SEATS: [(&str, &str, &str, &str); 8] = [
    ("red", "#bf3228", "#ffffff", "triangle"),
    ("blue", "#2362b4", "#ffffff", "shield"),
    ("yellow", "#f3c63a", "#2b2000", "diamond"),
    ("green", "#2d7a45", "#ffffff", "hexagon"),
    ("white", "#fffdf6", "#2a241c", "circle"),
    ("black", "#2e2c33", "#ffffff", "square"),
    ("orange", "#d9741b", "#241300", "star"),
    ("purple", "#6f3f9c", "#ffffff", "drop"),
];

impl Book {
    pub fn new(definition: &Definition, language: Language) -> Book {
        Book {
            told: declaration::told(definition),
            language,
            cards: definition
                .cards
                .iter()
                .map(|card| card.id.clone())
                .collect(),
            kinds: definition
                .kinds
                .iter()
                .map(|kind| kind.name.clone())
                .collect(),
        }
    }

    pub fn look(&self) -> &Json {
        &self.told["look"]
    }

    pub fn map(&self) -> &Json {
        &self.told["map"]
    }

    pub fn card(&self, id: &str) -> &Json {
        &self.told["cards"][id]
    }

    /// What is written in both languages.
    pub fn text<'a>(&self, text: &'a Json) -> &'a str {
        let key = match self.language {
            Language::Es => "es",
            Language::En => "en",
        };
        text[key].as_str().unwrap_or_default()
    }

    /// One of two of our own words.
    pub fn say<'a>(&self, es: &'a str, en: &'a str) -> &'a str {
        match self.language {
            Language::Es => es,
            Language::En => en,
        }
    }

    /// A word of the game for people; a word without a text is shown with blanks.
    pub fn word(&self, word: &str) -> String {
        let rooms = ["option", "field", "step"].map(|room| &self.told["texts"][room][word]);
        let others = [
            &self.map()["areas"][word]["name"],
            &self.told["kinds"][word]["text"],
        ];
        let mut found = rooms.into_iter().chain(others).map(|text| self.text(text));
        let found = found.find(|text| !text.is_empty());
        found.map_or_else(|| word.replace('_', " "), str::to_string)
    }

    fn named(&self, text: &Json, id: &str) -> String {
        match self.text(text) {
            "" => self.word(id),
            name => name.to_string(),
        }
    }

    pub fn space_name(&self, id: &str) -> String {
        self.named(&self.map()["spaces"][id]["name"], id)
    }

    pub fn area_name(&self, id: &str) -> String {
        self.named(&self.map()["areas"][id]["name"], id)
    }

    pub fn card_name(&self, id: &str) -> String {
        self.named(&self.card(id)["name"], id)
    }

    pub fn zone_name(&self, name: &str) -> String {
        let own = self.text(&self.look()["zones"][name]["text"]);
        let zones = self.told["zones"].as_array().into_iter().flatten();
        let mut declared = zones.filter(|zone| zone["name"] == name);
        match (own, declared.next()) {
            ("", Some(zone)) => self.named(&zone["text"], name),
            ("", None) => self.word(name),
            (own, _) => own.to_string(),
        }
    }

    /// A declared attribute of the game, players, spaces or pieces.
    pub fn attribute(&self, of: &str, name: &str) -> &Json {
        let all = self.told["attributes"][of].as_array();
        let found = all.and_then(|all| all.iter().find(|one| one["name"] == name));
        found.unwrap_or(&Json::Null)
    }

    pub fn attribute_name(&self, of: &str, name: &str) -> String {
        self.named(&self.attribute(of, name)["text"], name)
    }

    pub fn attributes(&self, of: &str) -> impl Iterator<Item = &Json> {
        self.told["attributes"][of].as_array().into_iter().flatten()
    }

    /// The data of an icon: the look's own, or one every table has.
    pub fn icon_data(&self, name: &str) -> Option<&str> {
        let own = self.look()["paths"][name].as_str();
        own.or_else(|| shapes::icon(name))
    }

    /// The icon of a word, or nothing.
    pub fn icon_of(&self, word: &str) -> Option<&str> {
        let named = self.look()["icons"][word].as_str()?;
        self.icon_data(named).map(|_| named)
    }

    /// The one colour of a word, an area or a section.
    pub fn color_of(&self, word: &str) -> Option<&str> {
        let look = self.look();
        let own = &look["colors"][word];
        let own = own.as_str().or_else(|| own["fill"].as_str());
        let area = || look["areas"][word]["color"].as_str();
        own.or_else(area)
            .or_else(|| look["sections"][word].as_str())
    }

    fn seat_color(&self, word: &str) -> Option<SeatColor> {
        let known = SEATS.iter().find(|(name, ..)| *name == word);
        let own = &self.look()["colors"][word];
        let fill = own["fill"].as_str().or_else(|| known.map(|k| k.1))?;
        let ink = own["ink"].as_str().or_else(|| known.map(|k| k.2));
        let shape = own["shape"].as_str().or_else(|| known.map(|k| k.3));
        Some(SeatColor {
            fill: fill.to_string(),
            ink: ink.unwrap_or_else(|| color::ink_on(fill)).to_string(),
            shape: shape.unwrap_or("circle").to_string(),
        })
    }

    /// The colours of the seats of a match, told apart.
    pub fn seat_colors(&self, view: &Json, seats: usize) -> Vec<SeatColor> {
        let by = self.look()["players"]["color"].as_str();
        let fixed = self.look()["players"]["colors"].as_array();
        let mut taken: Vec<String> = Vec::new();
        let mut colors: Vec<Option<SeatColor>> = Vec::new();
        for seat in 0..seats {
            let chosen = by.and_then(|by| view["players"][seat][by].as_str());
            let listed = fixed.and_then(|fixed| painted(fixed.get(seat)?));
            let word = chosen.filter(|word| !taken.iter().any(|t| t == word));
            taken.extend(word.map(str::to_string));
            colors.push(word.and_then(|word| self.seat_color(word)).or(listed));
        }
        let free = SEATS.iter().map(|(name, ..)| *name);
        let mut free = free.filter(|name| !taken.iter().any(|t| t == name));
        let grey = SeatColor {
            fill: color::EDGE.into(),
            ink: "#ffffff".into(),
            shape: "circle".into(),
        };
        let next = |color: Option<SeatColor>| {
            let spare = || free.next().and_then(|name| self.seat_color(name));
            color.or_else(spare).unwrap_or_else(|| grey.clone())
        };
        colors.into_iter().map(next).collect()
    }

    /// The colours that seats may have, for whoever prints their tokens.
    pub fn all_seat_colors(&self) -> Vec<SeatColor> {
        let most = self.told["players"][1].as_u64().unwrap_or(2) as usize;
        let by = self.look()["players"]["color"].as_str();
        let words = by.and_then(|by| self.attribute("player", by)["words"].as_array());
        let words = words.into_iter().flatten().filter_map(Json::as_str);
        let named: Vec<SeatColor> = words.filter_map(|word| self.seat_color(word)).collect();
        match named.is_empty() {
            true => self.seat_colors(&Json::Null, most),
            false => named,
        }
    }

    /// The look of a kind, a key of it, with what it takes from another kind.
    pub fn kind_look(&self, kind: &str, key: &str) -> &Json {
        let kinds = &self.look()["kinds"];
        let own = &kinds[kind][key];
        match (own, kinds[kind]["like"].as_str()) {
            (Json::Null, Some(like)) => &kinds[like][key],
            _ => own,
        }
    }

    /// What a path says of a card: `field`, `field.0`, `field.area`.
    pub fn card_value(&self, id: &str, path: &str) -> &Json {
        let mut steps = path.split('.');
        let first = steps.next().unwrap_or_default();
        let mut value = &self.card(id)["fields"][first];
        for step in steps {
            value = match value {
                Json::Array(items) => {
                    let item = step.parse().ok().and_then(|at: usize| items.get(at));
                    item.unwrap_or(&Json::Null)
                }
                Json::String(word) => {
                    let space = &self.map()["spaces"][word];
                    match (space, step) {
                        (Json::Null, _) => &self.card(word)["fields"][step],
                        (_, "area") => &space["area"],
                        _ => &space["fields"][step],
                    }
                }
                other => &other[step],
            };
        }
        value
    }

    /// The field a path begins with.
    pub fn card_field(&self, kind: &str, path: &str) -> &Json {
        let first = path.split('.').next().unwrap_or_default();
        let fields = self.told["kinds"][kind]["fields"].as_array();
        let found = fields.and_then(|all| all.iter().find(|field| field["name"] == first));
        found.unwrap_or(&Json::Null)
    }

    /// The colour a card takes from its `tint`.
    pub fn card_tint(&self, id: &str) -> Option<&str> {
        let kind = self.card(id)["kind"].as_str()?;
        let path = self.kind_look(kind, "tint").as_str()?;
        self.color_of(self.card_value(id, path).as_str()?)
    }

    /// The icon of a card, if its kind names the field that holds the word, or an icon.
    pub fn card_icon(&self, id: &str) -> Option<&str> {
        let kind = self.card(id)["kind"].as_str()?;
        let named = self.kind_look(kind, "icon").as_str()?;
        let word = self.card_value(id, named).as_str().unwrap_or(named);
        let plain = || self.icon_data(word).map(|_| word);
        self.icon_of(word).or_else(plain)
    }

    /// The colour of a space by the look's `tint`, its section or its area.
    pub fn space_tint(&self, id: &str, held: &Json) -> Option<String> {
        let space = &self.map()["spaces"][id];
        let by = self.look()["space"]["tint"].as_str();
        if let Some(by) = by.filter(|by| !["section", "area"].contains(by)) {
            let word = held[by].as_str().or_else(|| space["fields"][by].as_str());
            return word
                .and_then(|word| self.color_of(word))
                .map(str::to_string);
        }
        let own = [&space["section"], &space["area"]];
        let own = own.into_iter().filter_map(Json::as_str);
        let mut colored = own.clone().filter_map(|word| self.color_of(word));
        let spare = || {
            let rooms = ["sections", "areas"].map(|room| self.map()[room].as_object());
            let mut all = rooms.into_iter().flatten().flat_map(|room| room.keys());
            let word = own.clone().next()?;
            all.position(|name| name == word).map(color::spare)
        };
        let found = colored.next().or_else(spare);
        let plain = || self.look()["space"]["color"].as_str();
        found.or_else(plain).map(str::to_string)
    }

    /// A value as people read it.
    pub fn show(&self, value: &Json, ty: &str) -> String {
        match value {
            Json::Null => "–".into(),
            Json::Bool(true) => self.say("sí", "yes").into(),
            Json::Bool(false) => "no".into(),
            Json::Number(number) => number.to_string(),
            Json::Array(items) => {
                let shown: Vec<String> = items.iter().map(|item| self.show(item, ty)).collect();
                shown.join(", ")
            }
            Json::String(id) => match ty {
                "space" => self.space_name(id),
                "area" => self.area_name(id),
                "card" | "cards" | "piece" => self.card_name(id),
                "word" | "words" => self.word(id),
                _ => id.clone(),
            },
            Json::Object(_) if ty == "text" => self.text(value).to_string(),
            Json::Object(_) => String::new(),
        }
    }
}

/// A seat's colour as a look writes it.
fn painted(said: &Json) -> Option<SeatColor> {
    let fill = said["fill"].as_str()?;
    let or = |key: &str, other: &str| said[key].as_str().unwrap_or(other).to_string();
    Some(SeatColor {
        fill: fill.to_string(),
        ink: or("ink", color::ink_on(fill)),
        shape: or("shape", "circle"),
    })
}
