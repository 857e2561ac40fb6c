//! Lays the table as a scenario says.

use super::ScenarioError;
use super::file::{Scenario, Values};
use crate::content::definition::{Attribute, AttributeType, Per, ZoneOf};
use crate::model::board::Placement;
use crate::model::value::{self, Val, handle};
use crate::script::game::Game;
use crate::script::table::{Table, row};
use crate::script::types::domain;
use ludoteca_vm::{Host, Value};
use serde_json::Value as Json;
use std::collections::BTreeMap;

/// Lays the table as the scenario says.
pub fn lay(scenario: &Scenario, table: &mut Table) -> Result<(), ScenarioError> {
    let state = &scenario.state;
    let game = table.game.clone();
    for (id, lies) in &state.sections {
        let sections = game.definition.map.iter().flat_map(|m| &m.sections);
        let section = sections
            .enumerate()
            .find(|(_, section)| section.id == *id)
            .map(|(n, _)| n as u32);
        let section =
            section.ok_or_else(|| ScenarioError::Unfit(format!("there is no section `{id}`")))?;
        let placement = Placement {
            section,
            column: lies.column,
            row: lies.row,
            turns: lies.turns,
        };
        table.state.place_section(&game.definition, placement);
    }
    if let Some(kept) = &state.keep {
        let kept: Result<_, _> = kept.iter().map(|id| space_number(table, id)).collect();
        table.state.board = game.board_with(table.state.board.placements(), kept?);
    }
    if let Some(order) = &state.order {
        table.state.order.clone_from(order);
        table.state.start = order.first().copied().unwrap_or(0);
    }
    if let Some(start) = state.start {
        table.state.start = start;
    }
    set_values(table, handle::GAME, 0, &state.game)?;
    for (seat, values) in &state.players {
        let seat = seat_number(table, seat)?;
        set_values(table, handle::PLAYER, seat, values)?;
    }
    if let Some(values) = state.spaces.get("*") {
        for space in table.state.board.in_play().iter() {
            set_values(table, handle::SPACE, space, values)?;
        }
    }
    for (id, values) in state.spaces.iter().filter(|(id, _)| *id != "*") {
        let space = space_number(table, id)?;
        set_values(table, handle::SPACE, space, values)?;
    }
    for (key, pieces) in &state.zones {
        let zone = zone_number(table, key)?;
        for piece in table.state.zones[zone as usize].clone() {
            table.state.lift(piece);
        }
        for piece in pieces {
            lay_piece(table, zone, piece)?;
        }
    }
    Ok(())
}

fn lay_piece(table: &mut Table, zone: u32, written: &Json) -> Result<(), ScenarioError> {
    let (card, attributes) = match written {
        Json::String(card) => (card.as_str(), None),
        Json::Object(entry) => (
            entry.get("card").and_then(Json::as_str).unwrap_or(""),
            Some(entry),
        ),
        _ => ("", None),
    };
    let card = card_number(table, card)?;
    let layout = table.layout.clone();
    let piece = table.state.add_piece(&layout, card);
    table.state.put_under(piece, zone);
    let (declared, owner) = table.layout.zones[zone as usize];
    if table.game.definition.zones[declared as usize].of == ZoneOf::Player {
        table.state.pieces[piece as usize].owner = owner as i8;
    }
    for (name, json) in attributes.into_iter().flatten() {
        match (name.as_str(), json) {
            ("card", _) => {}
            ("owner", Json::Number(seat)) => {
                table.state.pieces[piece as usize].owner = seat.as_i64().unwrap_or(-1) as i8
            }
            ("face_up", Json::Bool(up)) => table.state.pieces[piece as usize].face_up = *up,
            _ => set_values(
                table,
                handle::PIECE,
                piece,
                &BTreeMap::from([(name.clone(), json.clone())]),
            )?,
        }
    }
    Ok(())
}

pub fn card_number(table: &Table, id: &str) -> Result<u32, ScenarioError> {
    let found = table
        .game
        .definition
        .cards
        .iter()
        .position(|card| card.id == id);
    found
        .map(|n| n as u32)
        .ok_or_else(|| ScenarioError::Unfit(format!("there is no card `{id}`")))
}

pub fn space_number(table: &Table, id: &str) -> Result<u32, ScenarioError> {
    let map = table.game.definition.map.iter();
    let found = map
        .flat_map(|map| &map.spaces)
        .position(|space| space.id == id);
    found
        .map(|n| n as u32)
        .ok_or_else(|| ScenarioError::Unfit(format!("there is no space `{id}`")))
}

/// A zone as written: `game.deck`, `p0.hand`, `argentina.garrison`.
pub fn zone_number(table: &Table, key: &str) -> Result<u32, ScenarioError> {
    let found = (0..table.layout.zones.len() as u32).find(|&zone| table.zone_key(zone) == key);
    found.ok_or_else(|| ScenarioError::Unfit(format!("there is no zone `{key}`")))
}

pub fn seat_number(table: &Table, key: &str) -> Result<u32, ScenarioError> {
    let seat = key
        .trim_start_matches('p')
        .parse()
        .ok()
        .filter(|&seat: &u32| seat < table.layout.players);
    seat.ok_or_else(|| ScenarioError::Unfit(format!("there is no seat `{key}`")))
}

pub fn attributes(game: &Game, kind: u8) -> &[Attribute] {
    let all = &game.definition.attributes;
    match kind {
        handle::GAME => &all.game,
        handle::PLAYER => &all.player,
        handle::SPACE => &all.space,
        _ => &all.piece,
    }
}

fn set_values(table: &mut Table, kind: u8, id: u32, values: &Values) -> Result<(), ScenarioError> {
    let game = table.game.clone();
    for (name, json) in values {
        match (kind, name.as_str(), json) {
            (handle::GAME, "round", Json::Number(round)) => {
                table.state.round = round.as_u64().unwrap_or(0) as u32;
                continue;
            }
            (handle::PLAYER, "out", Json::Bool(out)) => {
                table.state.out = if *out {
                    table.state.out | 1 << id
                } else {
                    table.state.out & !(1 << id)
                };
                continue;
            }
            _ => {}
        }
        let declared = attributes(&game, kind);
        let index = declared.iter().position(|a| a.name == *name);
        let index =
            index.ok_or_else(|| ScenarioError::Unfit(format!("unknown attribute `{name}`")))?;
        let number = game.slot(kind, index);
        if declared[index].per == Per::One {
            let new = read_value(table, &declared[index], json)?;
            table.set_slot(kind, number, id, &new)?;
            continue;
        }
        for (column, new) in row_entries(json)? {
            table.set_index(&row(kind, number, id), &column, &Value::Int(new))?;
        }
    }
    Ok(())
}

/// The numbers of a row as written: by player in a list, or by word in a table.
pub fn row_entries(json: &Json) -> Result<Vec<(Val, i64)>, ScenarioError> {
    let number = |json: &Json| {
        json.as_i64()
            .ok_or_else(|| ScenarioError::Unfit(format!("expected a number, found {json}")))
    };
    match json {
        Json::Array(items) => items
            .iter()
            .enumerate()
            .map(|(n, item)| Ok((Value::Int(n as i64), number(item)?)))
            .collect(),
        Json::Object(entries) => {
            let column = |key: &str| match key.strip_prefix('p').and_then(|seat| seat.parse().ok())
            {
                Some(seat) => value::player(seat),
                None => Value::string(key),
            };
            entries
                .iter()
                .map(|(key, item)| Ok((column(key), number(item)?)))
                .collect()
        }
        other => Err(ScenarioError::Unfit(format!(
            "expected a list or a table of numbers, found {other}"
        ))),
    }
}

/// A value as written in the file, by the attribute's type. `"none"` is an empty reference.
pub fn read_value(table: &Table, attribute: &Attribute, json: &Json) -> Result<Val, ScenarioError> {
    let wrong = || ScenarioError::Unfit(format!("`{}` cannot be {json}", attribute.name));
    if json.as_str() == Some("none")
        && !matches!(attribute.ty, AttributeType::Int | AttributeType::Bool)
    {
        return Ok(Value::Unit);
    }
    Ok(match &attribute.ty {
        AttributeType::Int => Value::Int(json.as_i64().ok_or_else(wrong)?),
        AttributeType::Bool => Value::Bool(json.as_bool().ok_or_else(wrong)?),
        AttributeType::Player => match json {
            Json::Number(seat) => value::player(seat.as_u64().ok_or_else(wrong)? as u8),
            Json::String(key) => Value::Handle(handle::PLAYER, seat_number(table, key)?),
            _ => return Err(wrong()),
        },
        AttributeType::Space => {
            value::space(space_number(table, json.as_str().ok_or_else(wrong)?)?)
        }
        AttributeType::Card => Value::Handle(
            handle::CARD,
            card_number(table, json.as_str().ok_or_else(wrong)?)?,
        ),
        AttributeType::Area => table.name(domain::AREA, json.as_str().ok_or_else(wrong)?)?,
        AttributeType::Piece => {
            let card = card_number(table, json.as_str().ok_or_else(wrong)?)?;
            let piece = table
                .state
                .pieces
                .iter()
                .position(|piece| piece.card == card);
            value::piece(piece.ok_or_else(wrong)? as u32)
        }
        AttributeType::Word(_) => Value::string(json.as_str().ok_or_else(wrong)?),
    })
}
