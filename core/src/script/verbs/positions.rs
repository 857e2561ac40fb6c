//! Boards that come back: rules note how things stand, and know it again.

use super::cost::{self, Cost};
use super::{ANY, P, SPACES, Verb, verb};
use crate::limits::NOTED_POSITIONS;
use crate::model::value::{Object, Val, handle};
use crate::table::Table;
use crate::table::types::{self, domain};
use ludoteca_vm::{Call, Flow, HostError, Type, Value};
use xxhash_rust::xxh3::{Xxh3, xxh3_64_with_seed};

const ATTRIBUTE: P = P::Name(domain::SPACE_ATTRIBUTE);
const ARRAY: P = P::Of(Type::Array);

const ROOM: &str = "Boards that come back";

pub const VERBS: &[Verb] = &[
    verb(
        ROOM,
        "note_board",
        &[],
        Type::Int,
        "notes the board, that is all attributes of spaces, and says how often it has been noted, this time included",
        Cost::Of(cost::noting),
        note_board,
    ),
    verb(
        ROOM,
        "note_board",
        &[("with", ARRAY)],
        Type::Int,
        "the same for the board with these values, such as who moves next",
        Cost::Of(cost::noting_with),
        note_board_with,
    ),
    verb(
        ROOM,
        "times_noted",
        &[],
        Type::Int,
        "how often the board as it stands has been noted",
        Cost::Of(cost::noting),
        times_noted,
    ),
    verb(
        ROOM,
        "bringing_back",
        &[("set", SPACES), ("attribute", ATTRIBUTE), ("value", ANY)],
        types::SPACES,
        "those of the set that would bring a noted board back if they, each alone, got this value",
        Cost::Of(cost::bringing_back),
        bringing_back,
    ),
    verb(
        ROOM,
        "forget_boards",
        &[],
        Type::Unit,
        "forgets what was noted: none of it can come back",
        Cost::Fixed,
        forget_boards,
    ),
];

/// All attributes of spaces as one number.
fn board_number(table: &Table, seed: u64) -> u64 {
    let Some(first) = table.layout.space.first() else {
        return seed;
    };
    let numbers = &table.state.values[first.at as usize..table.layout.values];
    let mut bytes = [0; SMALL_BOARD];
    if let Some(bytes) = as_bytes(numbers, &mut bytes) {
        return xxh3_64_with_seed(bytes, seed);
    }
    let mut hash = Xxh3::with_seed(seed);
    for number in numbers {
        hash.update(&number.to_le_bytes());
    }
    hash.digest()
}

/// Numbers of a board that is noted as a row of bytes.
const SMALL_BOARD: usize = 512;

/// The numbers of a board, a byte each: most boards are small, and most of what is on them are small numbers.
fn as_bytes<'a>(numbers: &[i32], bytes: &'a mut [u8; SMALL_BOARD]) -> Option<&'a mut [u8]> {
    let bytes = bytes.get_mut(..numbers.len())?;
    let mut fits = true;
    for (byte, &number) in bytes.iter_mut().zip(numbers) {
        fits &= (-1..255).contains(&number);
        *byte = number.wrapping_add(1) as u8;
    }
    fits.then_some(bytes)
}

fn note(table: &mut Table, number: u64) -> Result<i64, HostError> {
    table.writable()?;
    let noted = &mut table.state.noted;
    if noted.len() >= NOTED_POSITIONS {
        return Err(HostError::new(format!(
            "{NOTED_POSITIONS} boards have been noted already"
        )));
    }
    noted.push(number);
    Ok(times(table, number))
}

fn times(table: &Table, number: u64) -> i64 {
    let noted = table.state.noted.iter();
    noted.filter(|&&known| known == number).count() as i64
}

fn note_board(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let times = note(table, board_number(table, 0))?;
    call.done(Value::Int(times))
}

fn note_board_with(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let with = call.arg(0).as_array().unwrap_or_default();
    let mut seed = 0u64;
    for value in with {
        let number = plain(table, value)?;
        seed = (seed ^ number)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(29);
    }
    let times = note(table, board_number(table, seed))?;
    call.done(Value::Int(times))
}

/// A value that stands for itself, as a number.
fn plain(table: &Table, value: &Val) -> Result<u64, HostError> {
    match value {
        Value::Unit => Ok(1),
        Value::Bool(so) => Ok(2 + *so as u64),
        Value::Int(n) => Ok((*n as u64).wrapping_mul(8) + 4),
        Value::Handle(kind, id) => Ok(((*kind as u64) << 32 | *id as u64) * 8 + 5),
        other => Err(HostError::new(format!(
            "a board is noted with numbers, players, spaces and words, not with {}",
            table.describe(other)
        ))),
    }
}

fn times_noted(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let times = times(table, board_number(table, 0));
    call.done(Value::Int(times))
}

fn bringing_back(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let set = table.space_set(call.arg(0))?;
    let attribute = call.int(1)? as usize;
    let slot_number = table.game.slot(handle::SPACE, attribute);
    let value = table.stored(handle::SPACE, slot_number, call.arg(2))?;
    let slot = &table.layout.space[attribute];
    let (at, width) = (slot.at, slot.width);
    let first = table.layout.space.first().map_or(at, |slot| slot.at);
    let mut found = crate::model::set::SpaceSet::EMPTY;
    let mut bytes = [0; SMALL_BOARD];
    let numbers = &table.state.values[first as usize..table.layout.values];
    if let Some(bytes) = as_bytes(numbers, &mut bytes)
        && (-1..255).contains(&value)
    {
        // Only one number is another each time.
        for space in set.iter() {
            let place = (at - first + space * width) as usize;
            let before = std::mem::replace(&mut bytes[place], (value + 1) as u8);
            if times(table, xxh3_64_with_seed(bytes, 0)) > 0 {
                found.insert(space);
            }
            bytes[place] = before;
        }
        return table.give_spaces(call, found);
    }
    for space in set.iter() {
        let place = (at + space * width) as usize;
        let before = std::mem::replace(&mut table.state.values[place], value);
        if times(table, board_number(table, 0)) > 0 {
            found.insert(space);
        }
        table.state.values[place] = before;
    }
    table.give_spaces(call, found)
}

fn forget_boards(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    table.writable()?;
    table.state.noted.clear();
    call.done(Value::Unit)
}
