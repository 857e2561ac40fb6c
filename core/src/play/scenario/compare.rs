//! Compares what is there with what must be.

use super::file::Ended;
use super::lay::value_of;
use super::names::{SaidValue, Saying};
use super::prepared::{Expect, LaidPiece, Scenario};
use super::{Stage, Unmet};
use crate::content::read::reader::At;
use crate::model::value::{self, handle};
use crate::play::matches::{BrokenRule, Match};
use crate::play::say;
use crate::table::choice::key;
use crate::table::{Table, row};
use ludoteca_vm::{Host, Value};

/// Compares what is there with what must be.
pub fn compare(played: &mut Match, open: bool, stage: &mut Stage) -> Result<(), BrokenRule> {
    let expect = &stage.scenario.expect;
    compare_choice(expect, played, open, stage);
    compare_log(expect, stage);
    compare_end(expect, played, stage)?;
    let table = &played.table;
    if let Some(order) = &expect.order {
        let found: Vec<u8> = table.state.seats_from(table.state.start).collect();
        if found != order.value {
            let expected = &order.value;
            stage.fail(
                order,
                format!("expected the order {expected:?}, found {found:?}"),
            );
        }
    }
    for thing in &expect.values {
        compare_sayings(
            table,
            thing.kind,
            thing.id,
            &thing.called,
            &thing.sayings,
            stage,
        );
    }
    for (name, zone, pieces) in &expect.zones {
        compare_zone(table, name, *zone, pieces, stage);
    }
    for (key, zone, size) in &expect.sizes {
        let found = table.state.zones[*zone as usize].len();
        if found != *size as usize {
            let message = format!("expected {size} pieces in {}, found {found}", key.value);
            stage.fail(key, message);
        }
    }
    Ok(())
}

fn compare_choice(expect: &Expect, played: &Match, open: bool, stage: &mut Stage) {
    let table = &played.table;
    let choice = played.choice().filter(|_| open);
    let asked = choice.map_or("", |c| say::prompt_key(table, c.prompt));
    if let Some(expected) = &expect.asked
        && expected.value != asked
    {
        let message = match (expected.value.as_str(), asked) {
            ("", found) => format!("expected no choice to be open, found `{found}`"),
            (expected, "") => format!("expected the choice `{expected}` to be open, but none is"),
            (expected, found) => {
                format!("expected the choice `{expected}` to be open, found `{found}`")
            }
        };
        stage.fail(expected, message);
    }
    let seat = choice.and_then(|c| c.waiting());
    if let Some(expected) = &expect.seat
        && Some(expected.value) != seat
    {
        let found = seat.map_or("nobody".into(), |seat| format!("p{seat}"));
        let message = format!("expected p{} to be asked, found {found}", expected.value);
        stage.fail(expected, message);
    }
    let asked_seat = expect.seat.as_ref().map(|seat| seat.value).or(seat);
    let Some(choice) = choice else {
        let first = expect.offered.first().or(expect.not_offered.first());
        if let Some(key) = first {
            stage.fail(key, "no choice is open, so nothing is offered".into());
        } else if let Some(options) = &expect.options {
            stage.fail(options, "no choice is open, so nothing is offered".into());
        }
        return;
    };
    let keys = choice.keys(table, asked_seat.unwrap_or(0));
    if let Some(expected) = &expect.options
        && expected.value != keys
    {
        let wanted = expected.value.join(", ");
        let message = format!("expected the options {wanted}, found {}", keys.join(", "));
        stage.fail(expected, message);
    }
    for key in expect
        .offered
        .iter()
        .filter(|key| !keys.contains(&key.value))
    {
        let message = format!(
            "expected `{}` to be offered, found {}",
            key.value,
            keys.join(", ")
        );
        stage.fail(key, message);
    }
    for key in &expect.not_offered {
        stage.deny(asked, key);
        if keys.contains(&key.value) {
            stage.fail(key, format!("`{}` must not be offered", key.value));
        }
    }
}

fn compare_log(expect: &Expect, stage: &mut Stage) {
    let said = std::mem::take(&mut stage.said);
    let mut left = said.iter();
    for line in &expect.log {
        if !left.any(|key| *key == line.value) {
            let message = format!(
                "expected the log line `{}`; said: {}",
                line.value,
                said.join(", ")
            );
            stage.fail(line, message);
            break;
        }
    }
    for line in expect
        .not_log
        .iter()
        .filter(|line| said.contains(&line.value))
    {
        stage.fail(line, format!("the log line `{}` must not come", line.value));
    }
}

fn compare_end(expect: &Expect, played: &mut Match, stage: &mut Stage) -> Result<(), BrokenRule> {
    let found = say::reason_key(&played.table);
    if let Some(ended) = &expect.ended {
        match &ended.value {
            Ended::Is(true) if found.is_empty() => {
                stage.fail(ended, "expected the game to be over".into());
            }
            Ended::Is(false) if !found.is_empty() => {
                stage.fail(ended, format!("the game is over: `{found}`"));
            }
            Ended::For(reason) if *reason != found => {
                stage.fail(
                    ended,
                    format!("expected the game to end with `{reason}`, found `{found}`"),
                );
            }
            _ => {}
        }
    }
    if let Some(winners) = &expect.winners {
        if found.is_empty() && winners.value.is_empty() {
            let message = "expected that nobody has won, but the game is not over";
            stage.fail(winners, message.into());
            return Ok(());
        }
        let ranking = played.ranking()?;
        let first = ranking.iter().filter(|place| place.place == 1);
        let mut found: Vec<u8> = first.map(|place| place.seat).collect();
        found.sort_unstable();
        let mut expected = winners.value.clone();
        expected.sort_unstable();
        if found != expected {
            stage.fail(
                winners,
                format!("expected the winners {expected:?}, found {found:?}"),
            );
        }
    }
    Ok(())
}

fn compare_sayings(
    table: &Table,
    kind: u8,
    id: u32,
    of: &str,
    sayings: &[Saying],
    stage: &mut Stage,
) {
    for Saying { name, said } in sayings {
        let (column, expected, found) = match said {
            SaidValue::Round(round) => (None, round.to_string(), table.state.round.to_string()),
            SaidValue::Out(out) => (
                None,
                out.to_string(),
                table.state.is_out(id as u8).to_string(),
            ),
            SaidValue::Placed(placed) => {
                let found = table.state.board.in_play().contains(id);
                (None, placed.to_string(), found.to_string())
            }
            SaidValue::Owner(seat) => {
                let found = table.state.pieces[id as usize].owner;
                (None, owner(*seat), owner(found))
            }
            SaidValue::FaceUp(up) => {
                let found = table.state.pieces[id as usize].face_up;
                (None, up.to_string(), found.to_string())
            }
            SaidValue::Slot(slot, held) => {
                let (expected, found) = (value_of(table, held), table.slot(kind, *slot, id));
                if found == expected || table.equal(&found, &expected) {
                    continue;
                }
                (None, shown(table, &expected), shown(table, &found))
            }
            SaidValue::Column(slot, column, number) => {
                let found = table.index(&row(kind, *slot, id), column);
                let found = found.map_or_else(|error| error.to_string(), |v| table.display(&v));
                (Some(key(table, column)), table.display(number), found)
            }
        };
        if expected != found {
            let column = column.map_or(String::new(), |column| format!("[{column}]"));
            let message = format!(
                "expected {of}.{}{column} = {expected}, found {found}",
                name.value
            );
            stage.fail(name, message);
        }
    }
}

fn owner(seat: i8) -> String {
    match seat {
        0.. => format!("p{seat}"),
        _ => "none".into(),
    }
}

fn shown(table: &Table, value: &value::Val) -> String {
    match value {
        Value::Unit => "none".into(),
        other => table.display(other),
    }
}

fn compare_zone(
    table: &Table,
    key: &At<String>,
    zone: u32,
    pieces: &[LaidPiece],
    stage: &mut Stage,
) {
    let found = &table.state.zones[zone as usize];
    let id = |card: u32| table.game.definition.cards[card as usize].id.as_str();
    let there: Vec<&str> = found
        .iter()
        .rev()
        .map(|&piece| id(table.state.pieces[piece as usize].card))
        .collect();
    let expected: Vec<&str> = pieces.iter().map(|piece| id(piece.card)).collect();
    if expected != there {
        let (expected, there) = (expected.join(", "), there.join(", "));
        let message = format!("expected {} = [{expected}], found [{there}]", key.value);
        stage.fail(key, message);
        return;
    }
    for (piece, &there) in pieces.iter().zip(found.iter().rev()) {
        let of = format!("{}.{}", key.value, id(piece.card));
        compare_sayings(table, handle::PIECE, there, &of, &piece.sayings, stage);
    }
}

/// Dice that were written but not thrown, or thrown but not written, and shuffles that do not bring what is written mean that the scenario
/// shows something else than it says.
pub fn compare_luck(scenario: &Scenario, table: &Table, failures: &mut Vec<Unmet>) {
    let Some(rigged) = &table.rigged else { return };
    let mut fail = |place: &crate::content::file::Place, message: String| {
        let place = place.clone();
        failures.push(Unmet { place, message });
    };
    for (die, (place, _)) in &scenario.dice {
        let name = &table.game.definition.dice[*die].name;
        let left = rigged.dice.get(die).map_or(0, |left| left.len());
        if left > 0 {
            fail(
                place,
                format!("{left} results of the die `{name}` were not thrown"),
            );
        }
        if rigged.overdrawn.contains(die) {
            fail(
                place,
                format!("the die `{name}` was thrown more often than written"),
            );
        }
    }
    for (zone, (place, _)) in &scenario.shuffles {
        let key = table.zone_key(*zone);
        if rigged.shuffles.contains_key(zone) {
            fail(place, format!("`{key}` was not shuffled"));
        }
        let missing: Vec<String> = rigged
            .missing
            .iter()
            .filter(|(of, _)| of == zone)
            .map(|(_, card)| format!("`{}`", table.game.definition.cards[*card as usize].id))
            .collect();
        if !missing.is_empty() {
            let missing = missing.join(", ");
            let message = format!(
                "when `{key}` was shuffled {missing} did not lie in it, or not as often as written"
            );
            fail(place, message);
        }
    }
}
