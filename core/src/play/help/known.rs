//! What is known of a card, a kind, a space or an area, by somebody who sees the table.

use super::{Aside, Fact, Help, is_own, word_name};
use crate::content::definition::{Card, Definition, Edge, Field, FieldValue, Language, Map, Text};
use crate::model::state::IN_THE_BOX;
use crate::table::Table;

/// Somebody who asks.
pub(super) struct Asker<'t> {
    pub table: &'t Table,
    pub language: Language,
    pub viewer: Option<u8>,
}

impl Asker<'_> {
    fn definition(&self) -> &Definition {
        &self.table.game.definition
    }

    fn of(&self, text: &Text) -> String {
        self.language.of(text).to_string()
    }

    pub fn card(&self, card: &Card, help: &mut Help) {
        help.text
            .extend(card.text.as_ref().map(|text| self.of(text)));
        let kind = &self.definition().kinds[card.kind as usize];
        if let Some(text) = &kind.text {
            help.facts.push(Fact {
                name: self.of(text),
                value: String::new(),
            });
        }
        self.fields(&kind.fields, &card.fields, help);
        if let Some(text) = &card.text {
            self.keywords(self.language.of(text), help);
        }
    }

    /// The cards of a kind: what each does, how many there are and how many of them are in view.
    pub fn kind(&self, kind: u32, help: &mut Help) {
        let in_view = |card: u32| {
            let pieces = self.table.state.pieces.iter().enumerate();
            let seen = pieces.filter(|(id, piece)| {
                piece.card == card
                    && piece.zone != IN_THE_BOX
                    && self.table.sees_piece(self.viewer, *id as u32)
            });
            seen.count() as u32
        };
        let cards = self.definition().cards.iter().enumerate();
        for (id, card) in cards.filter(|(_, c)| c.kind == kind && is_own(c)) {
            help.more.push(Aside {
                id: card.id.clone(),
                name: self.of(&card.name),
                text: card.text.as_ref().map_or_else(String::new, |t| self.of(t)),
                copies: Some(card.copies),
                seen: Some(in_view(id as u32)),
            });
        }
    }

    pub fn space(&self, id: u32, help: &mut Help) {
        let Some(map) = &self.definition().map else {
            return;
        };
        let space = &map.spaces[id as usize];
        if let Some(area) = space.area {
            let area = &map.areas[area as usize];
            help.facts.push(Fact {
                name: self.of(&area.name),
                value: String::new(),
            });
        }
        self.fields(&map.space_fields, &space.fields, help);
        let board = &self.table.state.board;
        let neighbors: Vec<String> = board
            .neighbors(id)
            .iter()
            .map(|other| {
                let name = self.of(&map.spaces[other as usize].name);
                let edge = board.edge_between(id, other);
                let told = edge.map(|edge| self.edge(map, &map.edges[edge as usize]));
                match told.filter(|told| !told.is_empty()) {
                    Some(told) => format!("{name} ({told})"),
                    None => name,
                }
            })
            .collect();
        if !neighbors.is_empty() {
            let name = match self.language {
                Language::Es => "Linda con",
                Language::En => "Borders",
            };
            help.facts.push(Fact {
                name: name.into(),
                value: neighbors.join(" · "),
            });
        }
    }

    fn edge(&self, map: &Map, edge: &Edge) -> String {
        let told = map.edge_fields.iter().zip(&edge.fields);
        let told: Vec<String> = told
            .filter_map(|(field, value)| self.fact(field, value))
            .map(|fact| format!("{} {}", fact.name, fact.value).trim().to_string())
            .collect();
        told.join(", ")
    }

    pub fn area(&self, id: u32, help: &mut Help) {
        let Some(map) = &self.definition().map else {
            return;
        };
        self.fields(&map.area_fields, &map.areas[id as usize].fields, help);
        let inside = map.spaces.iter().enumerate();
        let inside: Vec<String> = inside
            .filter(|(at, space)| {
                space.area == Some(id) && self.table.state.board.in_play().contains(*at as u32)
            })
            .map(|(_, space)| self.of(&space.name))
            .collect();
        if !inside.is_empty() {
            let name = match self.language {
                Language::Es => "Comprende",
                Language::En => "Holds",
            };
            help.facts.push(Fact {
                name: name.into(),
                value: inside.join(" · "),
            });
        }
    }

    /// The fields that have a name for people; the others are the rules' business. Words among them are explained.
    fn fields(&self, declared: &[Field], values: &[FieldValue], help: &mut Help) {
        for (field, value) in declared.iter().zip(values) {
            help.facts.extend(self.fact(field, value));
            let words: &[u32] = match value {
                FieldValue::Word(word) => std::slice::from_ref(word),
                FieldValue::Words(words) => words,
                _ => &[],
            };
            for word in words {
                self.explain(&self.definition().words[*word as usize], help);
            }
        }
    }

    /// What a word means, once.
    fn explain(&self, word: &str, help: &mut Help) {
        let text = self.definition().texts.help.get(&format!("word.{word}"));
        if help.more.iter().any(|entry| entry.id == word) {
            return;
        }
        help.more.extend(text.map(|text| Aside {
            id: word.to_string(),
            name: word_name(self.definition(), word, self.language),
            text: self.of(text),
            copies: None,
            seen: None,
        }));
    }

    /// The keywords that a card's text uses: words with help whose name is written large.
    fn keywords(&self, text: &str, help: &mut Help) {
        for (word, name) in &self.definition().texts.option {
            let name = self.language.of(name);
            if name.starts_with(char::is_uppercase) && has_word(text, name) {
                self.explain(word, help);
            }
        }
    }

    fn fact(&self, field: &Field, value: &FieldValue) -> Option<Fact> {
        let definition = self.definition();
        let name = self.of(definition.texts.field.get(&field.name)?);
        let word = |id: &u32| word_name(definition, &definition.words[*id as usize], self.language);
        let map = definition.map.as_ref();
        let value = match value {
            FieldValue::Bool(true) => String::new(),
            FieldValue::Int(number) if *number != 0 => number.to_string(),
            FieldValue::String(text) => text.clone(),
            FieldValue::Text(text) => self.of(text),
            FieldValue::Word(id) => word(id),
            FieldValue::Words(ids) if !ids.is_empty() => {
                ids.iter().map(word).collect::<Vec<_>>().join(", ")
            }
            FieldValue::Ints(numbers) if !numbers.is_empty() => {
                let numbers: Vec<String> = numbers.iter().map(i64::to_string).collect();
                numbers.join(", ")
            }
            FieldValue::Space(id) => self.of(&map?.spaces.get(*id as usize)?.name),
            FieldValue::Area(id) => self.of(&map?.areas.get(*id as usize)?.name),
            FieldValue::Card(id) => self.of(&definition.cards.get(*id as usize)?.name),
            FieldValue::Cards(ids) if !ids.is_empty() => self.counted(ids),
            _ => return None,
        };
        Some(Fact { name, value })
    }

    /// Cards by name, equal ones together: `Wolf ×3, Bear`.
    fn counted(&self, ids: &[u32]) -> String {
        let mut told: Vec<(u32, usize)> = Vec::new();
        for id in ids {
            match told.iter_mut().find(|(known, _)| known == id) {
                Some((_, count)) => *count += 1,
                None => told.push((*id, 1)),
            }
        }
        let named = told.iter().map(|(id, count)| {
            let name = self.of(&self.definition().cards[*id as usize].name);
            match count {
                1 => name,
                count => format!("{name} ×{count}"),
            }
        });
        named.collect::<Vec<_>>().join(", ")
    }
}

/// Whether a name stands in a text by itself, not as a part of a longer word.
fn has_word(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + name.len()..].chars().next();
        let apart = |letter: Option<char>| letter.is_none_or(|c| !c.is_alphanumeric());
        apart(before) && apart(after)
    })
}
