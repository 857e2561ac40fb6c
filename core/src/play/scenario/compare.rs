//! Compares what is there with what must be.

use super::file::{Expect, Scenario, Values};
use super::lay::{attributes, read_value, row_entries, seat_number, space_number, zone_number};
use super::{Failures, ScenarioError, Stage, keys_of};
use crate::content::definition::Per;
use crate::model::value::{self, Val, handle};
use crate::play::matches::Match;
use crate::play::say;
use crate::script::table::{Table, row};
use ludoteca_vm::{Host, Value};
use serde_json::Value as Json;
use std::collections::BTreeMap;

/// Compares what is there with what must be.
pub fn compare(
    scenario: &Scenario,
    played: &mut Match,
    open: bool,
    stage: &mut Stage,
) -> Result<(), ScenarioError> {
    let expect = &scenario.expect;
    compare_choice(expect, played, open, &mut stage.failures);
    let mut said = stage.said.iter();
    for line in &expect.log {
        if !said.any(|key| key == line) {
            stage.failures.push(format!(
                "expected the log line `{line}`; said: {}",
                stage.said.join(", ")
            ));
            break;
        }
    }
    for line in &expect.not_log {
        if stage.said.contains(line) {
            stage
                .failures
                .push(format!("the log line `{line}` must not come"));
        }
    }
    let ended = say::reason_key(&played.table);
    match &expect.ended {
        Some(Json::Bool(true)) if ended.is_empty() => {
            stage.failures.push("expected the game to be over".into())
        }
        Some(Json::Bool(false)) if !ended.is_empty() => {
            stage.failures.push(format!("the game is over: `{ended}`"))
        }
        Some(Json::String(reason)) if *reason != ended => {
            stage.failures.push(format!(
                "expected the game to end with `{reason}`, found `{ended}`"
            ));
        }
        _ => {}
    }
    if let Some(winners) = &expect.winners {
        let ranking = played.ranking()?;
        let found: Vec<u8> = ranking
            .iter()
            .filter(|place| place.place == 1)
            .map(|place| place.seat)
            .collect();
        if found != *winners {
            stage
                .failures
                .push(format!("expected the winners {winners:?}, found {found:?}"));
        }
    }
    let table = &played.table;
    if let Some(order) = &expect.order {
        let found: Vec<u8> = table.state.seats_from(table.state.start).collect();
        if found != *order {
            stage
                .failures
                .push(format!("expected the order {order:?}, found {found:?}"));
        }
    }
    compare_values(
        table,
        handle::GAME,
        0,
        "game",
        &expect.game,
        &mut stage.failures,
    )?;
    for (seat, values) in &expect.players {
        let number = seat_number(table, seat)?;
        compare_values(
            table,
            handle::PLAYER,
            number,
            &format!("players.{seat}"),
            values,
            &mut stage.failures,
        )?;
    }
    for (id, values) in &expect.spaces {
        let number = space_number(table, id)?;
        compare_values(
            table,
            handle::SPACE,
            number,
            &format!("spaces.{id}"),
            values,
            &mut stage.failures,
        )?;
    }
    compare_zones(table, expect, &mut stage.failures)
}

fn compare_choice(expect: &Expect, played: &Match, open: bool, failures: &mut Failures) {
    let table = &played.table;
    let choice = played.choice().filter(|_| open);
    let asked = choice.map_or("", |c| say::prompt_key(table, c.prompt));
    if let Some(expected) = &expect.asked
        && expected != asked
    {
        failures.push(format!(
            "expected the choice `{expected}` to be open, found `{asked}`"
        ));
    }
    let seat = choice.and_then(|c| c.waiting());
    if let Some(expected) = expect.seat
        && Some(expected) != seat
    {
        failures.push(format!("expected p{expected} to be asked, found {seat:?}"));
    }
    let keys = choice.map_or_else(Vec::new, |c| {
        c.keys(table, expect.seat.or(seat).unwrap_or(0))
    });
    if let Some(expected) = &expect.options
        && *expected != keys
    {
        failures.push(format!(
            "expected the options {}, found {}",
            expected.join(", "),
            keys.join(", ")
        ));
    }
    for key in &expect.offered {
        if !keys.contains(key) {
            failures.push(format!(
                "expected `{key}` to be offered, found {}",
                keys.join(", ")
            ));
        }
    }
    for key in &expect.not_offered {
        if keys.contains(key) {
            failures.push(format!("`{key}` must not be offered"));
        }
    }
}

fn compare_values(
    table: &Table,
    kind: u8,
    id: u32,
    of: &str,
    values: &Values,
    failures: &mut Failures,
) -> Result<(), ScenarioError> {
    for (name, json) in values {
        let (expected, found) = match (kind, name.as_str()) {
            (handle::GAME, "round") => (json.to_string(), table.state.round.to_string()),
            (handle::PLAYER, "out") => (json.to_string(), table.state.is_out(id as u8).to_string()),
            (handle::SPACE, "placed") => (
                json.to_string(),
                table.state.board.in_play().contains(id).to_string(),
            ),
            _ => {
                let declared = attributes(&table.game, kind);
                let index = declared.iter().position(|a| a.name == *name);
                let index = index
                    .ok_or_else(|| ScenarioError::Unfit(format!("unknown attribute `{name}`")))?;
                let number = table.game.slot(kind, index);
                if declared[index].per != Per::One {
                    for (column, wanted) in row_entries(json)? {
                        let found = table.index(&row(kind, number, id), &column)?;
                        if found != Value::Int(wanted) {
                            let column = table.display(&column);
                            failures.push(format!(
                                "expected {of}.{name}[{column}] = {wanted}, found {}",
                                table.display(&found)
                            ));
                        }
                    }
                    continue;
                }
                let expected = read_value(table, &declared[index], json)?;
                let found = table.slot(kind, number, id);
                if found == expected || table.equal(&found, &expected) {
                    continue;
                }
                (shown(table, &expected), shown(table, &found))
            }
        };
        if expected != found {
            failures.push(format!("expected {of}.{name} = {expected}, found {found}"));
        }
    }
    Ok(())
}

fn shown(table: &Table, value: &Val) -> String {
    if *value == Value::Unit {
        "none".into()
    } else {
        table.display(value)
    }
}

fn compare_zones(
    table: &Table,
    expect: &Expect,
    failures: &mut Failures,
) -> Result<(), ScenarioError> {
    for (key, pieces) in &expect.zones {
        let zone = zone_number(table, key)?;
        let found = &table.state.zones[zone as usize];
        let ids: Vec<String> = found
            .iter()
            .rev()
            .map(|&piece| table.display(&value::piece(piece)))
            .collect();
        let card = |json: &Json| match json {
            Json::Object(entry) => entry
                .get("card")
                .and_then(Json::as_str)
                .unwrap_or("")
                .to_string(),
            other => keys_of(other).join(""),
        };
        let expected: Vec<String> = pieces.iter().map(card).collect();
        if expected != ids {
            failures.push(format!(
                "expected {key} = [{}], found [{}]",
                expected.join(", "),
                ids.join(", ")
            ));
            continue;
        }
        for (json, &piece) in pieces.iter().zip(found.iter().rev()) {
            if let Json::Object(entry) = json {
                compare_piece(table, key, piece, entry, failures)?;
            }
        }
    }
    for (key, size) in &expect.sizes {
        let found = table.state.zones[zone_number(table, key)? as usize].len();
        if found != *size {
            failures.push(format!("expected {size} pieces in {key}, found {found}"));
        }
    }
    Ok(())
}

fn compare_piece(
    table: &Table,
    of: &str,
    piece: u32,
    entry: &serde_json::Map<String, Json>,
    failures: &mut Failures,
) -> Result<(), ScenarioError> {
    let found = &table.state.pieces[piece as usize];
    let id = table.display(&value::piece(piece));
    for (name, json) in entry {
        match name.as_str() {
            "card" => {}
            "owner" if json.as_i64().unwrap_or(-1) != found.owner as i64 => {
                failures.push(format!(
                    "expected the owner {json} of {id} in {of}, found {}",
                    found.owner
                ));
            }
            "face_up" if json.as_bool() != Some(found.face_up) => {
                failures.push(format!(
                    "expected face_up = {json} of {id} in {of}, found {}",
                    found.face_up
                ));
            }
            "owner" | "face_up" => {}
            _ => {
                let values = BTreeMap::from([(name.clone(), json.clone())]);
                compare_values(
                    table,
                    handle::PIECE,
                    piece,
                    &format!("{of}.{id}"),
                    &values,
                    failures,
                )?;
            }
        }
    }
    Ok(())
}

/// Dice that were written but not thrown, or thrown but not written, mean that the scenario shows something else than it says.
pub fn compare_dice(table: &Table, failures: &mut Failures) {
    let Some(rigged) = &table.rigged else { return };
    let name = |die: usize| &table.game.definition.dice[die].name;
    for (&die, left) in rigged.dice.iter().filter(|(_, left)| !left.is_empty()) {
        failures.push(format!(
            "{} results of the die `{}` were not thrown",
            left.len(),
            name(die)
        ));
    }
    for &die in &rigged.overdrawn {
        failures.push(format!(
            "the die `{}` was thrown more often than written",
            name(die)
        ));
    }
}
