//! All that one must know of a game before anything of it is drawn: declarations, cards, map, texts and the look, as one JSON object.

use ludoteca::{
    Definition, Text,
    definition::{
        Attribute, AttributeType, Cells, Data, Field, FieldType, FieldValue, Map, Per, Visibility,
        Zone, ZoneOf,
    },
};
use serde_json::{Map as Object, Value as Json, json};
use std::collections::BTreeMap;

/// A game as a page, or a drawing, knows it.
pub fn told(definition: &Definition) -> Json {
    Teller { definition }.told()
}

struct Teller<'a> {
    definition: &'a Definition,
}

impl Teller<'_> {
    fn told(&self) -> Json {
        let all = self.definition;
        let attributes = |declared: &[Attribute]| -> Json {
            declared.iter().map(|found| self.attribute(found)).collect()
        };
        json!({
            "game": all.id, "version": all.version, "title": all.title, "summary": all.summary,
            "players": all.players, "selection": all.selection,
            "attributes": {
                "game": attributes(&all.attributes.game), "player": attributes(&all.attributes.player),
                "space": attributes(&all.attributes.space), "piece": attributes(&all.attributes.piece),
            },
            "zones": self.zones(), "kinds": self.kinds(), "cards": self.cards(),
            "map": all.map.as_ref().map(|map| self.map(map)),
            "dice": self.dice(), "phases": self.phases(), "texts": self.texts(),
            "parameters": all.parameters.iter().map(|p| (p.name.clone(), json!(p.value))).collect::<Object<_, _>>(),
            "tables": all.tables.iter().map(|(name, table)| (name.clone(), data(table))).collect::<Object<_, _>>(),
            "look": data(&all.look.said), "positions": all.look.positions.as_ref().map(data),
        })
    }

    fn word(&self, word: u32) -> &str {
        self.definition
            .words
            .get(word as usize)
            .map_or("", |word| word)
    }

    fn words(&self, words: &[u32]) -> Json {
        words.iter().map(|&word| self.word(word)).collect()
    }

    fn attribute(&self, found: &Attribute) -> Json {
        let mut told = json!({
            "name": found.name, "type": attribute_type(&found.ty), "start": found.start, "min": found.min, "max": found.max,
            "visible": visible(found.visible), "text": found.text,
            "per": match found.per { Per::One => "one", Per::Player => "player", Per::Word(_) => "word", Per::Number(_) => "number" },
        });
        if let AttributeType::Word(words) = &found.ty {
            told["words"] = self.words(words);
        }
        if let Per::Word(words) = &found.per {
            told["per_words"] = self.words(words);
        }
        if let Per::Number(count) = &found.per {
            told["per_number"] = json!(count);
        }
        told
    }

    fn zones(&self) -> Json {
        let zone = |zone: &Zone| {
            let of = match zone.of {
                ZoneOf::Game => "game",
                ZoneOf::Player => "player",
                ZoneOf::Space => "space",
            };
            json!({
                "name": zone.name, "of": of, "visible": visible(zone.visible),
                "sorted": zone.sorted.as_ref().map(|named| &named.name), "text": zone.text,
            })
        };
        self.definition.zones.iter().map(zone).collect()
    }

    fn kinds(&self) -> Json {
        let kinds = self.definition.kinds.iter();
        let told = kinds.map(|kind| {
            let fields = self.fields_declared(&kind.fields);
            (
                kind.name.clone(),
                json!({ "text": kind.text, "fields": fields }),
            )
        });
        Json::Object(told.collect())
    }

    fn fields_declared(&self, fields: &[Field]) -> Json {
        let shown = fields.iter().filter(|field| is_shown(&field.ty));
        let told = shown.map(|field| {
            let text = self.definition.texts.field.get(&field.name);
            let mut told =
                json!({ "name": field.name, "type": field_type(&field.ty), "text": text });
            if let FieldType::Word(words) | FieldType::Words(words) = &field.ty {
                told["words"] = self.words(words);
            }
            told
        });
        told.collect()
    }

    fn cards(&self) -> Json {
        let told = self.definition.cards.iter().map(|card| {
            let kind = &self.definition.kinds[card.kind as usize];
            let told = json!({
                "kind": kind.name, "copies": card.copies, "name": card.name, "text": card.text,
                "fields": self.fields(&kind.fields, &card.fields),
            });
            (card.id.clone(), told)
        });
        Json::Object(told.collect())
    }

    fn fields(&self, declared: &[Field], values: &[FieldValue]) -> Json {
        let told = declared
            .iter()
            .zip(values)
            .filter(|(field, _)| is_shown(&field.ty));
        Json::Object(
            told.map(|(field, value)| (field.name.clone(), self.field(value)))
                .collect(),
        )
    }

    fn field(&self, value: &FieldValue) -> Json {
        let all = self.definition;
        let map = all.map.as_ref();
        let card = |card: &u32| json!(all.cards.get(*card as usize).map(|card| &card.id));
        match value {
            FieldValue::None | FieldValue::Function(_) => Json::Null,
            FieldValue::Int(number) => json!(number),
            FieldValue::Bool(yes) => json!(yes),
            FieldValue::String(text) => json!(text),
            FieldValue::Text(text) => json!(text),
            FieldValue::Word(word) => json!(self.word(*word)),
            FieldValue::Words(words) => self.words(words),
            FieldValue::Ints(numbers) => json!(numbers),
            FieldValue::Card(found) => card(found),
            FieldValue::Cards(found) => found.iter().map(card).collect(),
            FieldValue::Space(space) => {
                json!(map.and_then(|map| Some(&map.spaces.get(*space as usize)?.id)))
            }
            FieldValue::Area(area) => {
                json!(map.and_then(|map| Some(&map.areas.get(*area as usize)?.id)))
            }
            FieldValue::Table(table) => data(table),
        }
    }

    fn map(&self, map: &Map) -> Json {
        let area = |area: Option<u32>| area.map(|area| &map.areas[area as usize].id);
        let spaces = map.spaces.iter().enumerate().map(|(n, space)| {
            let square = match (&map.grid, space.square) {
                (Some(grid), _) => grid
                    .places
                    .get(n)
                    .map(|&(column, row)| json!([column, row])),
                (None, Some((_, column, row))) => Some(json!([column, row])),
                (None, None) => None,
            };
            let told = json!({
                "name": space.name, "area": area(space.area), "at": space.at,
                "section": space.square.map(|(section, ..)| &map.sections[section as usize].id),
                "square": square,
                "fields": self.fields(&map.space_fields, &space.fields),
            });
            (space.id.clone(), told)
        });
        let edges = map.edges.iter().map(|edge| {
            let ends = [edge.a, edge.b].map(|end| &map.spaces[end as usize].id);
            json!({ "between": ends, "fields": self.fields(&map.edge_fields, &edge.fields) })
        });
        let areas = map.areas.iter().map(|area| {
            let fields = self.fields(&map.area_fields, &area.fields);
            (
                area.id.clone(),
                json!({ "name": area.name, "fields": fields }),
            )
        });
        let sections = map.sections.iter().map(|section| {
            let square = |space: &Option<u32>| space.map(|space| &map.spaces[space as usize].id);
            let squares: Vec<_> = section.squares.iter().map(square).collect();
            let told = json!({ "name": section.name, "columns": section.columns, "rows": section.rows, "squares": squares });
            (section.id.clone(), told)
        });
        let grid = map.grid.as_ref().map(|grid| {
            let cells = match grid.cells {
                Cells::Square => "square",
                Cells::Hex => "hex",
            };
            json!({ "cells": cells, "columns": grid.columns, "rows": grid.rows, "leaning": grid.leaning })
        });
        json!({
            "id": map.id, "title": map.title, "assembled": map.assembled, "grid": grid,
            "fields": {
                "space": self.fields_declared(&map.space_fields), "edge": self.fields_declared(&map.edge_fields),
                "area": self.fields_declared(&map.area_fields),
            },
            "spaces": spaces.collect::<Object<_, _>>(), "edges": edges.collect::<Vec<_>>(),
            "areas": areas.collect::<Object<_, _>>(), "sections": sections.collect::<Object<_, _>>(),
        })
    }

    fn dice(&self) -> Json {
        let told = self.definition.dice.iter().map(|die| {
            (
                die.name.clone(),
                json!({ "text": die.text, "told": die.told, "faces": die.faces }),
            )
        });
        Json::Object(told.collect())
    }

    fn phases(&self) -> Json {
        let phases = self.definition.phases.iter();
        phases
            .map(|phase| json!({ "step": phase.step.name, "text": phase.text, "each_player": phase.each_player }))
            .collect()
    }

    fn texts(&self) -> Json {
        let section = |texts: &BTreeMap<String, Text>| json!(texts);
        let texts = &self.definition.texts;
        json!({
            "option": section(&texts.option), "step": section(&texts.step), "reason": section(&texts.reason),
            "field": section(&texts.field), "prompt": section(&texts.prompt), "help": section(&texts.help),
        })
    }
}

fn visible(visible: Visibility) -> &'static str {
    match visible {
        Visibility::All => "all",
        Visibility::Owner => "owner",
        Visibility::Team => "team",
        Visibility::Nobody => "nobody",
    }
}

fn attribute_type(ty: &AttributeType) -> &'static str {
    match ty {
        AttributeType::Int => "int",
        AttributeType::Bool => "bool",
        AttributeType::Player => "player",
        AttributeType::Space => "space",
        AttributeType::Piece => "piece",
        AttributeType::Card => "card",
        AttributeType::Area => "area",
        AttributeType::Word(_) => "word",
    }
}

fn field_type(ty: &FieldType) -> &'static str {
    match ty {
        FieldType::Int => "int",
        FieldType::Bool => "bool",
        FieldType::String => "string",
        FieldType::Text => "text",
        FieldType::Word(_) => "word",
        FieldType::Words(_) => "words",
        FieldType::Ints => "ints",
        FieldType::Card => "card",
        FieldType::Cards => "cards",
        FieldType::Space => "space",
        FieldType::Area => "area",
        FieldType::Function => "function",
        FieldType::Effect => "effect",
        FieldType::Condition => "condition",
        FieldType::Table => "table",
    }
}

/// What a card does is for the rules; people read its text.
fn is_shown(ty: &FieldType) -> bool {
    !matches!(
        ty,
        FieldType::Function | FieldType::Effect | FieldType::Condition
    )
}

pub fn data(value: &Data) -> Json {
    match value {
        Data::Bool(yes) => json!(yes),
        Data::Int(number) => json!(number),
        Data::Text(text) => json!(text),
        Data::List(items) => items.iter().map(data).collect(),
        Data::Table(table) => Json::Object(
            table
                .iter()
                .map(|(key, value)| (key.clone(), data(value)))
                .collect(),
        ),
    }
}
