//! Boards that come back: rules note how things stand, and know it again.

use super::cost::{self, Cost};
use super::{ANY, Entry, P, SPACES};
use crate::limits::NOTED_POSITIONS;
use crate::model::value::{Object, Val, handle};
use crate::table::Table;
use crate::table::types::{self, domain};
use ludoteca_vm::{Call, Flow, HostError, NativeFn, Type, Value};
use xxhash_rust::xxh3::{Xxh3, xxh3_64_with_seed};

const ATTRIBUTE: P = P::Name(domain::SPACE_ATTRIBUTE);
const ARRAY: P = P::Of(Type::Array);

const fn entry(
    name: &'static str,
    params: &'static [(&'static str, P)],
    result: Type,
    doc: &'static str,
    cost: Cost,
    call: NativeFn<Table>,
) -> Entry {
    Entry {
        room: "Boards that come back",
        name,
        params,
        result,
        doc,
        cost,
        call,
    }
}

pub const ENTRIES: &[Entry] = &[
    entry(
        "note_board",
        &[],
        Type::Int,
        "notes the board, that is all attributes of spaces, and says how often it has been noted, this time included",
        Cost::Of(cost::noting),
        note_board,
    ),
    entry(
        "note_board",
        &[("with", ARRAY)],
        Type::Int,
        "the same for the board with these values, such as who moves next",
        Cost::Of(cost::noting_with),
        note_board_with,
    ),
    entry(
        "times_noted",
        &[],
        Type::Int,
        "how often the board as it stands has been noted",
        Cost::Of(cost::noting),
        times_noted,
    ),
    entry(
        "bringing_back",
        &[("set", SPACES), ("attribute", ATTRIBUTE), ("value", ANY)],
        types::SPACES,
        "those of the set that would bring a noted board back if they, each alone, got this value",
        Cost::Of(cost::bringing_back),
        bringing_back,
    ),
    entry(
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
    let mut bytes = [0u8; 512];
    // Most boards are small, and most of what is on them are small numbers.
    if numbers.len() <= bytes.len() && numbers.iter().all(|&n| (-1..255).contains(&n)) {
        for (byte, &number) in bytes.iter_mut().zip(numbers) {
            *byte = (number + 1) as u8;
        }
        return xxh3_64_with_seed(&bytes[..numbers.len()], seed);
    }
    let mut hash = Xxh3::with_seed(seed);
    for number in numbers {
        hash.update(&number.to_le_bytes());
    }
    hash.digest()
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
    let mut found = crate::model::set::SpaceSet::EMPTY;
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
