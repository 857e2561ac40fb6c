//! Collections of any kind: counting, adding up, ranking, taking some.

use super::cost::{self, Cost};
use super::{COLLECTION, INT, P, Verb, amount};
use crate::limits::MOST_PLAYERS;
use crate::model::set::SpaceSet;
use crate::model::value::{Object, Val, handle, seat_list, small};
use crate::table::Table;
use crate::table::fit;
use crate::table::types::{self, domain};
use ludoteca_vm::{Call, Flow, HostError, Type, Value};

const ROOM: &str = "Collections";
const MEASURE: P = P::NameOr(domain::MEASURE, &[types::WORD]);
/// Whose number of a row: a player's, a word's, or the n-th.
const OF: P = P::Either(&[types::PLAYER, types::WORD, Type::Str, Type::Int]);
const PIECES: P = P::Either(&[types::PIECES, types::ZONE]);
const ARRAY: P = P::Of(Type::Array);
const PLAYERS: P = P::Either(&[types::PLAYERS, Type::Array]);
/// Collections of the kernel; arrays and ranges bring their own functions.
const KERNEL: P = P::Either(&[
    types::SPACES,
    types::PLAYERS,
    types::PIECES,
    types::EDGES,
    types::DICE,
    types::ZONE,
]);

pub const VERBS: &[Verb] = &[
    Verb {
        room: ROOM,
        name: "is_empty",
        params: &[("collection", KERNEL)],
        optional: &[],
        result: Type::Bool,
        doc: "whether it has no members",
        cost: Cost::Of(cost::counted::<0>),
        call: is_empty,
    },
    Verb {
        room: ROOM,
        name: "first",
        params: &[("collection", COLLECTION), ("n", INT)],
        optional: &[],
        result: Type::Array,
        doc: "the first n members, or as many as there are",
        cost: Cost::Of(cost::first),
        call: first,
    },
    Verb {
        room: ROOM,
        name: "at_least",
        params: &[("pieces", PIECES), ("name", MEASURE), ("n", INT)],
        optional: &[],
        result: types::PIECES,
        doc: "the pieces whose attribute or field is at least n",
        cost: Cost::Of(cost::measures::<0>),
        call: at_least,
    },
    Verb {
        room: ROOM,
        name: "at_most",
        params: &[("pieces", PIECES), ("name", MEASURE), ("n", INT)],
        optional: &[],
        result: types::PIECES,
        doc: "the pieces whose attribute or field is at most n",
        cost: Cost::Of(cost::measures::<0>),
        call: at_most,
    },
    Verb {
        room: ROOM,
        name: "sum",
        params: &[("collection", COLLECTION), ("name", MEASURE)],
        optional: &[],
        result: Type::Int,
        doc: "the total of an attribute or field over spaces, players or pieces",
        cost: Cost::Of(cost::measures::<0>),
        call: sum,
    },
    Verb {
        room: ROOM,
        name: "sum",
        params: &[("collection", COLLECTION), ("name", MEASURE), ("of", OF)],
        optional: &[],
        result: Type::Int,
        doc: "the total of what belongs to one player, word or number in a row of each: sum(spaces(), \"authority\", p)",
        cost: Cost::Of(cost::measures::<0>),
        call: sum_of,
    },
    Verb {
        room: ROOM,
        name: "highest",
        params: &[("collection", COLLECTION), ("name", MEASURE)],
        optional: &[],
        result: Type::Any,
        doc: "the first member with the highest attribute or field, or ()",
        cost: Cost::Of(cost::measures::<0>),
        call: highest,
    },
    Verb {
        room: ROOM,
        name: "lowest",
        params: &[("collection", COLLECTION), ("name", MEASURE)],
        optional: &[],
        result: Type::Any,
        doc: "the first member with the lowest attribute or field, or ()",
        cost: Cost::Of(cost::measures::<0>),
        call: lowest,
    },
    Verb {
        room: ROOM,
        name: "sum",
        params: &[(
            "numbers",
            P::Either(&[types::DICE, types::ROW, types::FLAGS, Type::Array]),
        )],
        optional: &[],
        result: Type::Int,
        doc: "the total of dice, of a row of counters or of an array of numbers; how many of a row of flags are set",
        cost: Cost::Of(cost::members::<0>),
        call: sum_numbers,
    },
    Verb {
        room: ROOM,
        name: "sum",
        params: &[("array", ARRAY), ("from", INT), ("n", INT)],
        optional: &[],
        result: Type::Int,
        doc: "the total of n numbers from a place on",
        cost: Cost::Of(cost::members::<0>),
        call: sum_part,
    },
    Verb {
        room: ROOM,
        name: "copy_of",
        params: &[("row", P::Either(&[types::ROW, types::FLAGS]))],
        optional: &[],
        result: Type::Any,
        doc: "a copy of a row of counters or flags: a map by word, otherwise an array",
        cost: Cost::Of(cost::row),
        call: copy_of,
    },
    Verb {
        room: ROOM,
        name: "count_within",
        params: &[("array", ARRAY), ("from", INT), ("limit", INT)],
        optional: &[],
        result: Type::Int,
        doc: "how many numbers in a row, from a place on, add up to at most the limit",
        cost: Cost::Of(cost::members::<0>),
        call: count_within,
    },
    Verb {
        room: ROOM,
        name: "ranked",
        params: &[("players", PLAYERS), ("name", MEASURE)],
        optional: &[("then", MEASURE), ("last", MEASURE)],
        result: types::PLAYERS,
        doc: "players by an attribute, the highest first; ties by a second and a third, or in their order",
        cost: Cost::Of(cost::ranking),
        call: ranked,
    },
];

fn is_empty(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let empty = table.count(call.arg(0)) == 0;
    call.done(Value::Bool(empty))
}

fn first(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let most = amount(&call, 1, "members")?;
    let members = table.members_listed(call.arg(0), most);
    call.done(members)
}

/// The measure a name stands for; a word is looked up while the game runs.
fn measure(table: &Table, name: &Val) -> Result<usize, HostError> {
    let found = match name {
        Value::Handle(handle::WORD, word) => {
            table.game.lexicon.resolve_word(domain::MEASURE, *word)?
        }
        other => other.clone(),
    };
    found
        .as_int()
        .map(|n| n as usize)
        .filter(|n| *n < table.game.lexicon.measures.len())
        .ok_or_else(|| HostError::new("expected the name of an attribute or field"))
}

fn filter(
    table: &mut Table,
    call: Call<Object>,
    keep: impl Fn(i64) -> bool,
) -> Result<Flow, HostError> {
    let measure = measure(table, call.arg(1))?;
    let mut fault = None;
    let members = (0..table.count(call.arg(0)) as i64).filter_map(|n| table.nth(call.arg(0), n));
    let found = table.pieces(members.filter_map(|member| {
        match (table.measured(measure, &member), member) {
            (Ok(number), Value::Handle(_, piece)) => keep(number).then_some(piece),
            (Ok(_), _) => None,
            (Err(error), _) => {
                fault.get_or_insert(error);
                None
            }
        }
    }));
    match fault {
        Some(fault) => Err(fault),
        None => call.done(found),
    }
}

fn at_least(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let n = call.int(2)?;
    filter(table, call, |number| number >= n)
}

fn at_most(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let n = call.int(2)?;
    filter(table, call, |number| number <= n)
}

fn number(table: &Table, value: &Val) -> Result<i64, HostError> {
    let set = match value {
        Value::Bool(set) => Some(*set as i64),
        _ => None,
    };
    value
        .as_int()
        .or(set)
        .ok_or_else(|| HostError::new(format!("expected numbers, found {}", table.describe(value))))
}

fn sum_numbers(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let mut total = 0i64;
    for n in 0..table.count(call.arg(0)) as i64 {
        total = total.saturating_add(number(
            table,
            &table.nth(call.arg(0), n).unwrap_or_default(),
        )?);
    }
    call.done(Value::Int(total))
}

fn sum_part(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let from = amount(&call, 1, "numbers before the first")? as usize;
    let count = amount(&call, 2, "numbers")? as usize;
    let mut total = 0i64;
    for item in call
        .arg(0)
        .as_array()
        .unwrap_or_default()
        .iter()
        .skip(from)
        .take(count)
    {
        total = total.saturating_add(number(table, item)?);
    }
    call.done(Value::Int(total))
}

fn copy_of(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let row = call.arg(0);
    let copy = match table.words_of_row(row) {
        None => table.numbers_now(row),
        Some(words) => Value::map(words.iter().enumerate().map(|(n, word)| {
            let number = table.nth(row, n as i64).unwrap_or_default();
            (&*table.game.lexicon.words[*word as usize], number)
        })),
    };
    call.done(copy)
}

fn count_within(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let from = amount(&call, 1, "numbers before the first")? as usize;
    let limit = call.int(2)?;
    let (mut total, mut count) = (0i64, 0);
    for item in call.arg(0).as_array().unwrap_or_default().iter().skip(from) {
        total = total.saturating_add(number(table, item)?);
        if total > limit {
            break;
        }
        count += 1;
    }
    call.done(Value::Int(count))
}

fn ranked(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let seats = super::choices::seats(table, call.arg(0))?;
    let mut keyed = [([0; 3], 0); MOST_PLAYERS as usize];
    let keyed = &mut keyed[..seats.len()];
    for ((key, place), &seat) in keyed.iter_mut().zip(seats.iter()) {
        let player = crate::model::value::player(seat);
        for (number, i) in key.iter_mut().zip(1..call.given()) {
            *number = table.measured(measure(table, call.arg(i))?, &player)?;
        }
        *place = seat;
    }
    keyed.sort_by_key(|(key, _)| std::cmp::Reverse(*key));
    call.done(seat_list(keyed.iter().map(|(_, seat)| *seat)))
}

/// A set of spaces and a number all of them have: one pass over a column.
fn sum_of_spaces(table: &Table, measure: usize, set: &SpaceSet) -> Option<i64> {
    let measure = &table.game.lexicon.measures[measure];
    let mut total = 0i64;
    if let Some(attribute) = measure.space_attribute {
        fit::is_number(&table.game.definition.attributes.space[attribute]).ok()?;
        let slot = &table.layout.space[attribute];
        let column =
            &table.state.values[slot.at as usize..][..(table.layout.spaces * slot.width) as usize];
        set.each(|s| total += column[(s * slot.width) as usize] as i64);
        return Some(total);
    }
    let column = &table.game.lexicon.space_values[measure.space_field?];
    let mut all = true;
    set.each(|s| match column[s as usize] {
        Value::Int(n) => total = total.saturating_add(n),
        _ => all = false,
    });
    all.then_some(total)
}

fn sum(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let measure = measure(table, call.arg(1))?;
    let spaces = match call.arg(0) {
        Value::Small(small::SPACES, bytes) => Some(SpaceSet::from_bytes(*bytes)),
        Value::Object(object) => match &**object {
            Object::Spaces(set) => Some(set.clone()),
            _ => None,
        },
        _ => None,
    };
    if let Some(total) = spaces.and_then(|set| sum_of_spaces(table, measure, &set)) {
        return call.done(Value::Int(total));
    }
    let mut total = 0i64;
    for n in 0..table.count(call.arg(0)) as i64 {
        let member = table.nth(call.arg(0), n).unwrap_or_default();
        total = total.saturating_add(table.measured(measure, &member)?);
    }
    call.done(Value::Int(total))
}

fn sum_of(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    // Where types are not known beforehand, a part of a list of numbers is asked for alike; numbers have no rows.
    if let Some([Value::Int(_), ..]) = call.arg(0).as_array() {
        return sum_part(table, call);
    }
    let measure = measure(table, call.arg(1))?;
    let mut total = 0i64;
    for n in 0..table.count(call.arg(0)) as i64 {
        let member = table.nth(call.arg(0), n).unwrap_or_default();
        total = total.saturating_add(table.measured_of(measure, &member, call.arg(2))?);
    }
    call.done(Value::Int(total))
}

fn extreme(
    table: &Table,
    call: &Call<Object>,
    better: impl Fn(i64, i64) -> bool,
) -> Result<Val, HostError> {
    let measure = measure(table, call.arg(1))?;
    let mut best: Option<(i64, Val)> = None;
    for n in 0..table.count(call.arg(0)) as i64 {
        let member = table.nth(call.arg(0), n).unwrap_or_default();
        let found = table.measured(measure, &member)?;
        if best
            .as_ref()
            .is_none_or(|(so_far, _)| better(found, *so_far))
        {
            best = Some((found, member));
        }
    }
    Ok(best.map_or(Value::Unit, |(_, member)| member))
}

fn highest(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let best = extreme(table, &call, |a, b| a > b)?;
    call.done(best)
}

fn lowest(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let best = extreme(table, &call, |a, b| a < b)?;
    call.done(best)
}
