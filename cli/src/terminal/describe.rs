//! What a seat sees, in words: attributes, zones and players, from the view and nothing else.

use super::page::wrap;
use super::paint::{Colors, Paint};
use crate::words::say;
use ludoteca::{
    Language, Shown, Table, View,
    definition::{Attribute, AttributeType, Per, ZoneOf},
    say,
    view::{PieceView, ShownAttributes, SpaceView, ZoneView, Zones},
};

/// A view with what is needed to put it into words.
pub struct SeenView<'t> {
    pub table: &'t Table,
    pub view: View,
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
    pub fn short_player(&self, seat: u8) -> String {
        let number = u32::from(seat) + 1;
        let short = say!("J{number}", "P{number}");
        self.paint.seat(&self.colors, seat, &short)
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

    /// What is seen of a space; nothing if it is not in play.
    pub fn space(&self, id: &str) -> Option<&SpaceView> {
        self.view.spaces.get(id)
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
    fn value(&self, attribute: &Attribute, value: &Shown) -> Option<String> {
        match (&attribute.per, value) {
            (Per::Player, Shown::List(items)) => {
                let seats = (0..).zip(items);
                self.row(
                    attribute,
                    seats.map(|(seat, n)| (self.short_player(seat), n)),
                )
            }
            (Per::Number(_), Shown::List(items)) => {
                let numbers = items.iter().enumerate();
                self.row(attribute, numbers.map(|(n, kept)| (format!("{n}:"), kept)))
            }
            (_, Shown::PerWord(items)) => {
                let words = items.iter();
                self.row(attribute, words.map(|(word, n)| (self.word(word), n)))
            }
            _ => self.one_value(attribute, value),
        }
    }

    /// Of a row only what is there: numbers but 0, and which flags are set.
    fn row<'v>(
        &self,
        attribute: &Attribute,
        named: impl Iterator<Item = (String, &'v Shown)>,
    ) -> Option<String> {
        let told = named.filter_map(|(name, kept)| match kept {
            Shown::Flag(set) => set.then_some(name),
            Shown::Number(0) => None,
            kept => Some(format!("{name} {}", self.one_value(attribute, kept)?)),
        });
        let told: Vec<String> = told.collect();
        (!told.is_empty()).then(|| told.join(" "))
    }

    fn one_value(&self, attribute: &Attribute, value: &Shown) -> Option<String> {
        match (&attribute.ty, value) {
            (AttributeType::Int, Shown::Number(n)) => Some(n.to_string()),
            (AttributeType::Bool, Shown::Flag(true)) => Some(String::new()),
            (AttributeType::Player, seat) => seat.seat().map(|seat| self.short_player(seat)),
            (AttributeType::Space, Shown::Name(id)) => Some(self.space_name(id)),
            (AttributeType::Area, Shown::Name(id)) => Some(self.area_name(id)),
            (AttributeType::Card | AttributeType::Piece, Shown::Name(id)) => {
                Some(self.card_name(id))
            }
            (AttributeType::Word(_), Shown::Name(word)) => Some(self.word(word)),
            _ => None,
        }
    }

    /// The attributes of something that have a text, each `Energía 5`. Numbers at their start are left out where asked.
    pub fn attributes(
        &self,
        declared: &[Attribute],
        of: &ShownAttributes,
        only_changed: bool,
    ) -> Vec<String> {
        let told = declared.iter().filter_map(|attribute| {
            let text = self.language.of(attribute.text.as_ref()?);
            let value = of.get(&attribute.name)?;
            if only_changed && value.number() == Some(attribute.start as i64) {
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

    /// The zones of something that are not empty, each `Mano (3): ...`; of a player, those before it.
    pub fn zones(&self, owner: ZoneOf, of: &Zones, player: Option<u8>) -> Vec<String> {
        let declared = self
            .table
            .game
            .definition
            .zones
            .iter()
            .filter(|zone| zone.of == owner);
        let told = declared.filter_map(|zone| {
            let shown = of.get(&zone.name).filter(|shown| shown.count > 0)?;
            let count = shown.count;
            let name = zone.text.as_ref().map_or_else(
                || zone.name.replace('_', " "),
                |text| self.language.of(text).to_string(),
            );
            Some(match &shown.pieces {
                Some(pieces) => format!("{name} ({count}): {}", self.pieces(pieces, player)),
                None => format!("{name} ({count}{})", self.back(shown)),
            })
        });
        told.collect()
    }

    /// What the back on top of a pile looks like, if that tells anything: `, dorso oscuro`.
    fn back(&self, pile: &ZoneView) -> String {
        let kinds = self.table.game.definition.kinds.iter();
        let mut backs = kinds.filter(|kind| pile.back.as_ref() == Some(&kind.name));
        let text = backs.next().and_then(|kind| kind.text.as_ref());
        text.map_or(String::new(), |text| {
            let back = self.language.of(text);
            say!(", arriba: {back}", ", on top: {back}")
        })
    }

    /// Pieces in order, equal ones together: `Flota ×3, ?, ?`. Their owner is said if it is not the player before whom they lie.
    fn pieces(&self, pieces: &[Option<PieceView>], player: Option<u8>) -> String {
        let mut told: Vec<(String, usize)> = Vec::new();
        for piece in pieces {
            let text = (piece.as_ref()).map_or("?".into(), |piece| self.piece(piece, player));
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

    fn piece(&self, piece: &PieceView, player: Option<u8>) -> String {
        let name = &piece.name;
        let owner = piece
            .owner
            .filter(|seat| Some(*seat) != player)
            .map(|seat| self.short_player(seat));
        let declared = &self.table.game.definition.attributes.piece;
        let attributes = self.attributes(declared, &piece.attributes, true);
        let details: Vec<String> = owner.into_iter().chain(attributes).collect();
        if details.is_empty() {
            name.to_string()
        } else {
            format!("{name} [{}]", details.join(" · "))
        }
    }

    /// The game as a whole: its attributes and zones.
    pub fn game(&self) -> Vec<String> {
        let of = &self.view.game;
        let declared = &self.table.game.definition.attributes.game;
        let attributes = self.attributes(declared, &of.attributes, false);
        let mut lines = wrap(&attributes.join(" · "), 2);
        lines.extend(
            self.zones(ZoneOf::Game, &of.zones, None)
                .iter()
                .flat_map(|zone| wrap(zone, 4)),
        );
        lines.retain(|line| !line.is_empty());
        lines
    }

    /// One player: attributes on a line, then zones.
    pub fn player(&self, seat: u8) -> Vec<String> {
        let Some(of) = self.view.players.get(seat as usize) else {
            return Vec::new();
        };
        let you = self.view.you == Some(seat);
        let mark = if you { "*" } else { " " };
        let declared = &self.table.game.definition.attributes.player;
        let mut told = self.attributes(declared, &of.attributes, false);
        if of.out {
            told.insert(0, say!("fuera de juego", "out of the game"));
        }
        let mut lines = wrap(
            &format!("{mark}{}  {}", self.short_player(seat), told.join(" · ")),
            5,
        );
        lines.extend(
            self.zones(ZoneOf::Player, &of.zones, Some(seat))
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
