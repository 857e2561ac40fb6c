//! What a seat sees, in words: attributes, zones and players, from the view and nothing else.

use super::page::wrap;
use ludoteca::content::definition::{Attribute, AttributeType, Per, ZoneOf};
use ludoteca::model::value::Val;
use ludoteca::play::say::Language;
use ludoteca::table::Table;
use ludoteca::table::label;
use serde_json::Value as Json;

/// A view with what is needed to put it into words.
pub struct Seen<'t> {
    pub table: &'t Table,
    pub view: Json,
    pub language: Language,
}

impl Seen<'_> {
    /// A player in two characters: `J1`, `P1`.
    pub fn short_player(&self, seat: u64) -> String {
        let letter = match self.language {
            Language::Es => 'J',
            Language::En => 'P',
        };
        format!("{letter}{}", seat + 1)
    }

    /// A word of the game in the language of the reader.
    pub fn word(&self, word: &str) -> String {
        self.language
            .of(&label::label(self.table, &Val::string(word)))
            .to_string()
    }

    fn card_name(&self, id: &str) -> String {
        let card = self
            .table
            .game
            .definition
            .cards
            .iter()
            .find(|card| card.id == id);
        card.map_or_else(
            || id.to_string(),
            |card| self.language.of(&card.name).to_string(),
        )
    }

    fn space_name(&self, id: &str) -> String {
        let spaces = self
            .table
            .game
            .definition
            .map
            .iter()
            .flat_map(|map| &map.spaces);
        let space = spaces.into_iter().find(|space| space.id == id);
        space.map_or_else(
            || id.to_string(),
            |space| self.language.of(&space.name).to_string(),
        )
    }

    fn area_name(&self, id: &str) -> String {
        let areas = self
            .table
            .game
            .definition
            .map
            .iter()
            .flat_map(|map| &map.areas);
        let area = areas.into_iter().find(|area| area.id == id);
        area.map_or_else(
            || id.to_string(),
            |area| self.language.of(&area.name).to_string(),
        )
    }

    /// A value of an attribute; `None` if there is nothing to tell.
    fn value(&self, attribute: &Attribute, value: &Json) -> Option<String> {
        let row = |named: Vec<(String, i64)>| {
            let told: Vec<String> = named
                .into_iter()
                .filter(|(_, n)| *n != 0)
                .map(|(name, n)| format!("{name} {n}"))
                .collect();
            (!told.is_empty()).then(|| told.join(" "))
        };
        match (&attribute.per, value) {
            (Per::Player, Json::Array(items)) => {
                let named = |(seat, n): (usize, &Json)| {
                    (self.short_player(seat as u64), n.as_i64().unwrap_or(0))
                };
                return row(items.iter().enumerate().map(named).collect());
            }
            (Per::Word(_), Json::Object(items)) => {
                let named =
                    |(word, n): (&String, &Json)| (self.word(word), n.as_i64().unwrap_or(0));
                return row(items.iter().map(named).collect());
            }
            _ => {}
        }
        match (&attribute.ty, value) {
            (AttributeType::Int, Json::Number(n)) => Some(n.to_string()),
            (AttributeType::Bool, Json::Bool(true)) => Some(String::new()),
            (AttributeType::Player, Json::Number(n)) => {
                n.as_u64().map(|seat| self.short_player(seat))
            }
            (AttributeType::Space, Json::String(id)) => Some(self.space_name(id)),
            (AttributeType::Area, Json::String(id)) => Some(self.area_name(id)),
            (AttributeType::Card | AttributeType::Piece, Json::String(id)) => {
                Some(self.card_name(id))
            }
            (AttributeType::Word(_), Json::String(word)) => Some(self.word(word)),
            _ => None,
        }
    }

    /// The attributes of something that have a text, each `Energía 5`. Numbers at their start are left out where asked.
    pub fn attributes(&self, declared: &[Attribute], of: &Json, only_changed: bool) -> Vec<String> {
        let told = declared.iter().filter_map(|attribute| {
            let text = self.language.of(attribute.text.as_ref()?);
            let value = of.get(&attribute.name)?;
            if only_changed && value.as_i64() == Some(attribute.start as i64) {
                return None;
            }
            let value = self.value(attribute, value)?;
            Some(if value.is_empty() {
                text.to_string()
            } else {
                format!("{text} {value}")
            })
        });
        told.collect()
    }

    /// The zones of something that are not empty, each `Mano (3): ...`.
    pub fn zones(&self, owner: ZoneOf, of: &Json) -> Vec<String> {
        let player = of.get("seat").and_then(Json::as_u64);
        let declared = self
            .table
            .game
            .definition
            .zones
            .iter()
            .filter(|zone| zone.of == owner);
        let told = declared.filter_map(|zone| {
            let shown = of.get("zones")?.get(&zone.name)?;
            let count = shown.get("count")?.as_u64().filter(|&count| count > 0)?;
            let name = zone.text.as_ref().map_or_else(
                || zone.name.replace('_', " "),
                |text| self.language.of(text).to_string(),
            );
            Some(match shown.get("pieces").and_then(Json::as_array) {
                Some(pieces) => format!("{name} ({count}): {}", self.pieces(pieces, player)),
                None => format!("{name} ({count})"),
            })
        });
        told.collect()
    }

    /// Pieces in order, equal ones together: `Flota ×3, ?, ?`. Their owner is said if it is not the player before whom they lie.
    fn pieces(&self, pieces: &[Json], player: Option<u64>) -> String {
        let mut told: Vec<(String, usize)> = Vec::new();
        for piece in pieces {
            let text = self.piece(piece, player);
            match told.iter_mut().find(|(known, _)| *known == text) {
                Some((_, count)) => *count += 1,
                None => told.push((text, 1)),
            }
        }
        let counted = |(text, count): (String, usize)| {
            if count > 1 {
                format!("{text} ×{count}")
            } else {
                text
            }
        };
        told.into_iter().map(counted).collect::<Vec<_>>().join(", ")
    }

    fn piece(&self, piece: &Json, player: Option<u64>) -> String {
        let Some(name) = piece.get("name").and_then(Json::as_str) else {
            return "?".into();
        };
        let owner = piece
            .get("owner")
            .and_then(Json::as_u64)
            .filter(|seat| Some(*seat) != player)
            .map(|seat| self.short_player(seat));
        let attributes = self.attributes(&self.table.game.definition.attributes.piece, piece, true);
        let details: Vec<String> = owner.into_iter().chain(attributes).collect();
        if details.is_empty() {
            name.to_string()
        } else {
            format!("{name} [{}]", details.join(" · "))
        }
    }

    /// The game as a whole: its attributes and zones.
    pub fn game(&self) -> Vec<String> {
        let of = &self.view["game"];
        let attributes = self.attributes(&self.table.game.definition.attributes.game, of, false);
        let mut lines = wrap(&attributes.join(" · "), 2);
        lines.extend(
            self.zones(ZoneOf::Game, of)
                .iter()
                .flat_map(|zone| wrap(zone, 4)),
        );
        lines.retain(|line| !line.is_empty());
        lines
    }

    /// One player: attributes on a line, then zones.
    pub fn player(&self, seat: u8) -> Vec<String> {
        let of = &self.view["players"][seat as usize];
        let you = self.view["you"].as_u64() == Some(seat as u64);
        let mark = if you { "*" } else { " " };
        let mut told = self.attributes(&self.table.game.definition.attributes.player, of, false);
        if of["out"] == Json::Bool(true) {
            let out = match self.language {
                Language::Es => "fuera de juego",
                Language::En => "out of the game",
            };
            told.insert(0, out.to_string());
        }
        let mut lines = wrap(
            &format!(
                "{mark}{}  {}",
                self.short_player(seat as u64),
                told.join(" · ")
            ),
            5,
        );
        lines.extend(
            self.zones(ZoneOf::Player, of)
                .iter()
                .flat_map(|zone| wrap(&format!("     {zone}"), 7)),
        );
        lines
    }
}
