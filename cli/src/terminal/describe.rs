//! What a seat sees, in words: attributes, zones and players, from the view and nothing else.

use super::page::wrap;
use super::paint::{Colors, Paint};
use crate::words::say;
use ludoteca::{
    Language, Table,
    definition::{Attribute, AttributeType, Per, ZoneOf},
    say,
};
use serde_json::Value as Json;

/// A view with what is needed to put it into words.
pub struct SeenView<'t> {
    pub table: &'t Table,
    pub view: Json,
    pub language: Language,
    pub paint: Paint,
    pub colors: Colors,
    /// A letter or two for each seat: of its colour in the game, else its number.
    pub tags: Vec<String>,
    /// What each seat's colour is called, in a game that has them.
    pub words: Vec<Option<String>>,
}

impl SeenView<'_> {
    /// A player in two characters: `J1`, `P1`.
    pub fn short_player(&self, seat: u64) -> String {
        let number = seat + 1;
        let short = say!("J{number}", "P{number}");
        self.paint.seat(&self.colors, seat as u8, &short)
    }

    /// A seat on a map: `R` where it plays red, else its number.
    pub fn tag(&self, seat: u8) -> String {
        let tag = self.tags.get(seat as usize).cloned();
        tag.unwrap_or_else(|| (seat + 1).to_string())
    }

    /// What the signs of seats on a map stand for.
    pub fn who_is_who(&self) -> Vec<String> {
        let told = (0..self.table.players()).map(|seat| {
            let name = self.table.player_name(seat);
            let color = self.words.get(seat as usize).cloned().flatten();
            let color = color.map_or(String::new(), |color| {
                format!(" ({})", color.to_lowercase())
            });
            let text = format!("{} {}{color}", self.tag(seat), self.language.of(&name));
            self.paint.seat(&self.colors, seat, &text)
        });
        wrap(&told.collect::<Vec<_>>().join(" · "), 2)
    }

    /// A word of the game in the language of the reader.
    pub fn word(&self, word: &str) -> String {
        say::word(self.table, word, self.language)
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
        // Of a row only what is there: numbers but 0, and which flags are set.
        let row = |named: Vec<(String, Json)>| {
            let told: Vec<String> = named
                .into_iter()
                .filter_map(|(name, kept)| match kept {
                    Json::Bool(set) => set.then_some(name),
                    kept => (kept.as_i64() != Some(0)).then(|| format!("{name} {kept}")),
                })
                .collect();
            (!told.is_empty()).then(|| told.join(" "))
        };
        match (&attribute.per, value) {
            (Per::Player, Json::Array(items)) => {
                let named = |(seat, n): (usize, &Json)| (self.short_player(seat as u64), n.clone());
                return row(items.iter().enumerate().map(named).collect());
            }
            (Per::Number(_), Json::Array(items)) => {
                let named = |(n, kept): (usize, &Json)| (format!("{n}:"), kept.clone());
                return row(items.iter().enumerate().map(named).collect());
            }
            (Per::Word(_), Json::Object(items)) => {
                let named = |(word, n): (&String, &Json)| (self.word(word), n.clone());
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
            told.insert(0, say!("fuera de juego", "out of the game"));
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

/// A letter or two for each word, as many as tell them apart; `None` where a seat has none, or two have the same.
pub fn tags(words: &[Option<String>]) -> Vec<String> {
    let numbered = || (1..=words.len()).map(|seat| seat.to_string()).collect();
    let beginning = |word: &String, letters: usize| word.chars().take(letters).collect::<String>();
    for letters in 1..=3 {
        let tags: Option<Vec<String>> = words
            .iter()
            .map(|word| word.as_ref().map(|word| beginning(word, letters)))
            .collect();
        let Some(tags) = tags else {
            return numbered();
        };
        let mut apart = tags.clone();
        apart.sort();
        apart.dedup();
        if apart.len() == tags.len() {
            return tags;
        }
    }
    numbered()
}

#[cfg(test)]
mod tests {
    #[test]
    fn seats_are_told_apart_by_the_fewest_letters() {
        let tags = |words: &[&str]| {
            let words: Vec<Option<String>> = words.iter().map(|w| Some(w.to_string())).collect();
            super::tags(&words)
        };
        assert_eq!(tags(&["Rojo", "Azul"]), ["R", "A"]);
        assert_eq!(tags(&["Azul", "Amarillo", "Rojo"]), ["Az", "Am", "Ro"]);
        assert_eq!(tags(&["Rojo", "Rojo"]), ["1", "2"]);
        assert_eq!(super::tags(&[None, Some("Rojo".into())]), ["1", "2"]);
    }
}
