//! Randomness: dice and shuffles, each with a stream of its own.

use super::cost::{self, Cost};
use super::{COLLECTION, INT, P, Verb, ZONE};
use crate::limits::MOST_DICE;
use crate::model::value::{INLINE_DICE, Object, few_dice, handle, small};
use crate::table::Table;
use crate::table::event::Event;
use crate::table::types::{self, domain};
use ludoteca_vm::{Call, Flow, HostError, Type, Value};

const ROOM: &str = "Randomness";
const DIE: P = P::Name(domain::DIE);

pub const VERBS: &[Verb] = &[
    Verb {
        room: ROOM,
        name: "roll",
        params: &[("number", INT)],
        optional: &[],
        result: types::DICE,
        doc: "that many of the game's first die, from high to low",
        cost: Cost::Fixed,
        call: roll_first,
    },
    Verb {
        room: ROOM,
        name: "roll",
        params: &[("die", DIE), ("number", INT)],
        optional: &[],
        result: types::DICE,
        doc: "that many of a declared die, from high to low",
        cost: Cost::Fixed,
        call: roll_named,
    },
    Verb {
        room: ROOM,
        name: "roll_one",
        params: &[],
        optional: &[("die", DIE)],
        result: Type::Int,
        doc: "one of a declared die, or of the game's first",
        cost: Cost::Fixed,
        call: roll_one,
    },
    Verb {
        room: ROOM,
        name: "random",
        params: &[("n", INT)],
        optional: &[],
        result: Type::Int,
        doc: "a number from 0 to n - 1",
        cost: Cost::Fixed,
        call: random,
    },
    Verb {
        room: ROOM,
        name: "shuffle",
        params: &[("zone", ZONE)],
        optional: &[],
        result: Type::Unit,
        doc: "puts the zone's pieces in random order; not one that is kept sorted",
        cost: Cost::Of(cost::sort),
        call: shuffle,
    },
    Verb {
        room: ROOM,
        name: "shuffled",
        params: &[("collection", COLLECTION)],
        optional: &[],
        result: Type::Array,
        doc: "the members in random order, as an array",
        cost: Cost::Of(cost::measures::<0>),
        call: shuffled,
    },
];

fn roll_first(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let number = call.int(0)?;
    roll(table, call, 0, number)
}

fn roll_named(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let (die, number) = (call.int(0)?, call.int(1)?);
    roll(table, call, die as usize, number)
}

fn roll_one(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    table.writable()?;
    let die = match call.given() {
        0 => 0,
        _ => call.int(0)? as usize,
    };
    let shown = throw(table, die);
    table.note(|_| Event::Rolled {
        die,
        shown: vec![shown],
    });
    call.done(Value::Int(shown as i64))
}

/// One throw: what a scenario has fixed, or the die's own stream.
#[inline(always)]
fn throw(table: &mut Table, die: usize) -> i32 {
    if let Some(rigged) = &mut table.rigged
        && let Some(queue) = rigged.dice.get_mut(&die)
    {
        match queue.pop_front() {
            Some(shown) => return shown,
            None => rigged.overdrawn.insert(die),
        };
    }
    let faces = &table.game.definition.dice[die].faces;
    faces[table.state.streams[die].below(faces.len() as u32) as usize]
}

#[inline(always)]
fn roll(table: &mut Table, call: Call<Object>, die: usize, number: i64) -> Result<Flow, HostError> {
    table.writable()?;
    if number as u64 > INLINE_DICE as u64 || !table.game.definition.dice[die].small {
        return roll_many(table, call, die, number);
    }
    // The dice are sorted where the script will read them.
    let mut call = call;
    call.dst().put(Value::Small(small::DICE, [0; 14]));
    let Value::Small(_, bytes) = call.dst() else {
        return Ok(Flow::Done);
    };
    bytes[0] = number as u8;
    for place in 1..=number as usize {
        let shown = throw(table, die) as i8;
        let mut at = place;
        while at > 1 && (bytes[at - 1] as i8) < shown {
            bytes[at] = bytes[at - 1];
            at -= 1;
        }
        bytes[at] = shown as u8;
    }
    table.note(|_| Event::Rolled {
        die,
        shown: few_dice(bytes).collect(),
    });
    Ok(Flow::Done)
}

/// More dice than fit into a value, or dice with numbers that do not.
#[inline(never)]
fn roll_many(
    table: &mut Table,
    call: Call<Object>,
    die: usize,
    number: i64,
) -> Result<Flow, HostError> {
    if !(0..=MOST_DICE as i64).contains(&number) {
        return Err(HostError::new(format!(
            "between 0 and {MOST_DICE} dice can be thrown at once, not {number}"
        )));
    }
    let mut shown: Vec<i32> = (0..number).map(|_| throw(table, die)).collect();
    shown.sort_by(|a, b| b.cmp(a));
    // Few dice are no more work than any call; of these each is thrown, put in order and kept.
    table.listed(4 * shown.len());
    if table.events.is_some() {
        let told = shown.clone();
        table.note(|_| Event::Rolled { die, shown: told });
    }
    let thrown = Value::Object(table.spares.share(Object::Dice(shown)));
    call.done(thrown)
}

fn random(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    table.writable()?;
    let n = call.int(0)?;
    if !(1..=u32::MAX as i64).contains(&n) {
        return Err(HostError::new(format!(
            "expected a number above 0, found {n}"
        )));
    }
    let stream = table.layout.general_stream();
    let drawn = table.state.streams[stream].below(n as u32);
    call.done(Value::Int(drawn as i64))
}

fn shuffle(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    table.writable()?;
    let zone = call.handle(0, handle::ZONE)?;
    table.may_reorder(zone)?;
    shuffle_zone(table, zone);
    call.done(Value::Unit)
}

/// Shuffles a zone by its own stream; a scenario may have fixed what comes to the top.
fn shuffle_zone(table: &mut Table, zone: u32) {
    let stream = table.layout.zone_stream[zone as usize] as usize;
    let mut pieces = std::mem::take(&mut *table.state.zones[zone as usize]);
    table.state.streams[stream].shuffle(&mut pieces);
    if let Some(rigged) = &mut table.rigged
        && let Some(cards) = rigged.shuffles.remove(&zone)
    {
        let mut left = pieces.len();
        for card in cards.into_iter().rev() {
            let is_it = |&p: &u32| table.state.pieces[p as usize].card == card;
            match pieces[..left].iter().position(is_it) {
                Some(at) => {
                    left -= 1;
                    let piece = pieces.remove(at);
                    pieces.push(piece);
                }
                None => rigged.missing.push((zone, card)),
            }
        }
    }
    *table.state.zones[zone as usize] = pieces;
    table.lose_sight_of_zone(zone);
    table.note(|_| Event::Shuffled { zone });
}

fn shuffled(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    table.writable()?;
    let mut members: Vec<_> = table.members(call.arg(0), u32::MAX).collect();
    let stream = table.layout.general_stream();
    table.state.streams[stream].shuffle(&mut members);
    call.done(Value::array(members))
}
