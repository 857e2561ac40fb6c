//! The agenda, the end of the game, and what people read in the log.

use super::choices::seats;
use super::cost::{self, Cost};
use super::{ANY, Entry, INT, P, PLAYER};
use crate::limits::{LARGEST_DETAILS, WAITING_STEPS};
use crate::model::agenda::Step;
use crate::model::state::End;
use crate::model::value::{Object, Val, handle};
use crate::table::Table;
use crate::table::event::{Event, Hearers};
use crate::table::label;
use crate::table::types::{self, domain};
use crate::table::weight::weight;
use ludoteca_vm::{Call, Flow, FnId, HostError, Type, Value};

const ROOM: &str = "Flow of the game";
const FUNCTION: (&str, P) = ("function", P::Function);
const LOG: P = P::Name(domain::LOG);
const WINNERS: P = P::Either(&[types::PLAYERS, types::PLAYER, Type::Array]);

macro_rules! step_entry {
    ($name:literal, $call:ident, $cost:ident, $count:literal, [$($param:literal),*], $doc:literal) => {
        Entry {
            room: ROOM,
            name: $name,
            params: &[FUNCTION, $(($param, ANY)),*],
            result: Type::Unit,
            doc: $doc,
            cost: Cost::Of(cost::$cost::<$count>),
            call: |table, call| $call(table, call, $count),
        }
    };
}

pub const ENTRIES: &[Entry] = &[
    step_entry!(
        "next_step",
        next_step,
        next_step,
        0,
        [],
        "runs the function right after the running step, behind others it asked for"
    ),
    step_entry!(
        "next_step",
        next_step,
        next_step,
        1,
        ["a"],
        "the same, with an argument"
    ),
    step_entry!(
        "next_step",
        next_step,
        next_step,
        2,
        ["a", "b"],
        "the same, with two"
    ),
    step_entry!(
        "next_step",
        next_step,
        next_step,
        3,
        ["a", "b", "c"],
        "the same, with three"
    ),
    step_entry!(
        "next_step",
        next_step,
        next_step,
        4,
        ["a", "b", "c", "d"],
        "the same, with four"
    ),
    step_entry!(
        "later_step",
        later_step,
        carried,
        0,
        [],
        "runs the function at the end of this round"
    ),
    step_entry!(
        "later_step",
        later_step,
        carried,
        1,
        ["a"],
        "the same, with an argument"
    ),
    step_entry!(
        "later_step",
        later_step,
        carried,
        2,
        ["a", "b"],
        "the same, with two"
    ),
    step_entry!(
        "later_step",
        later_step,
        carried,
        3,
        ["a", "b", "c"],
        "the same, with three"
    ),
    step_entry!(
        "later_step",
        later_step,
        carried,
        4,
        ["a", "b", "c", "d"],
        "the same, with four"
    ),
    Entry {
        room: ROOM,
        name: "drop_steps",
        params: &[("function", P::Of(Type::Fn))],
        result: Type::Unit,
        doc: "removes the waiting calls of a function: drop_steps(Fn(\"attack\"))",
        cost: Cost::Of(cost::agenda),
        call: drop_steps,
    },
    Entry {
        room: ROOM,
        name: "waiting_steps",
        params: &[("function", P::Of(Type::Fn))],
        result: Type::Array,
        doc: "the waiting calls of a function, each as the list of its arguments, from the front",
        cost: Cost::Of(cost::waiting),
        call: waiting_steps,
    },
    Entry {
        room: ROOM,
        name: "take_step",
        params: &[("function", P::Of(Type::Fn)), ("n", INT)],
        result: Type::Array,
        doc: "takes the n-th waiting call of a function (from 0) off the agenda and gives its arguments",
        cost: Cost::Of(cost::agenda),
        call: take_step,
    },
    Entry {
        room: ROOM,
        name: "end_round",
        params: &[],
        result: Type::Unit,
        doc: "drops what is left of the round",
        cost: Cost::Of(cost::agenda),
        call: end_round,
    },
    Entry {
        room: ROOM,
        name: "end_game",
        params: &[],
        result: Type::Unit,
        doc: "the running step goes on to its end, then the game is over",
        cost: Cost::Fixed,
        call: end_game,
    },
    Entry {
        room: ROOM,
        name: "end_game",
        params: &[("reason", P::Name(domain::REASON))],
        result: Type::Unit,
        doc: "the same, with a reason people read",
        cost: Cost::Fixed,
        call: end_game_because,
    },
    Entry {
        room: ROOM,
        name: "end_game",
        params: &[("reason", P::Name(domain::REASON)), ("winners", WINNERS)],
        result: Type::Unit,
        doc: "the same, and these have won, whatever the scores are; [] if everybody has lost",
        cost: Cost::Of(cost::members::<1>),
        call: end_game_won,
    },
    Entry {
        room: ROOM,
        name: "game_over",
        params: &[],
        result: Type::Bool,
        doc: "whether the game has been ended",
        cost: Cost::Fixed,
        call: game_over,
    },
    Entry {
        room: ROOM,
        name: "say",
        params: &[("line", LOG)],
        result: Type::Unit,
        doc: "a line for the log; costs nothing when nobody reads it",
        cost: Cost::Fixed,
        call: say,
    },
    Entry {
        room: ROOM,
        name: "say",
        params: &[("line", LOG), ("details", P::Of(Type::Map))],
        result: Type::Unit,
        doc: "the same; the details fill the braces of its text",
        cost: Cost::Of(cost::filled::<0, 1>),
        call: say_detailed,
    },
    Entry {
        room: ROOM,
        name: "unsay",
        params: &[("line", LOG)],
        result: Type::Unit,
        doc: "takes this line back if it was the last thing that happened: for a line that announces what then does not come",
        cost: Cost::Fixed,
        call: unsay,
    },
    Entry {
        room: ROOM,
        name: "tell",
        params: &[("player", PLAYER), ("line", LOG)],
        result: Type::Unit,
        doc: "a line of the log that only this player reads",
        cost: Cost::Fixed,
        call: tell,
    },
    Entry {
        room: ROOM,
        name: "tell",
        params: &[
            ("player", PLAYER),
            ("line", LOG),
            ("details", P::Of(Type::Map)),
        ],
        result: Type::Unit,
        doc: "the same; the details fill the braces of its text",
        cost: Cost::Of(cost::filled::<1, 2>),
        call: tell_detailed,
    },
    Entry {
        room: ROOM,
        name: "text",
        params: &[("line", LOG)],
        result: Type::Str,
        doc: "a text of the log in the reader's language, for table_view and note_option",
        cost: Cost::Of(cost::filled::<0, 0>),
        call: text,
    },
    Entry {
        room: ROOM,
        name: "text",
        params: &[("line", LOG), ("details", P::Of(Type::Map))],
        result: Type::Str,
        doc: "the same, its braces filled",
        cost: Cost::Of(cost::filled::<0, 1>),
        call: text_detailed,
    },
    Entry {
        room: ROOM,
        name: "fail",
        params: &[("why", P::Of(Type::Str))],
        result: Type::Unit,
        doc: "stops the game: the rules are broken",
        cost: Cost::Fixed,
        call: fail,
    },
];

fn step(call: &Call<Object>, count: usize) -> Result<Step, HostError> {
    let function = function(call.arg(0))?;
    let args: Vec<Val> = (1..=count).map(|i| call.arg(i).clone()).collect();
    if args.iter().any(|arg| matches!(arg, Value::Fn(_))) {
        return Err(HostError::new(
            "a step cannot carry a function; the agenda is data",
        ));
    }
    let carried: usize = args.iter().map(|arg| weight(arg, LARGEST_DETAILS)).sum();
    if carried > LARGEST_DETAILS {
        return Err(HostError::new(format!(
            "a step may carry at most {LARGEST_DETAILS} values and letters"
        )));
    }
    Ok(Step::call(function, &args, carried as u32))
}

fn function(value: &Val) -> Result<FnId, HostError> {
    match value {
        Value::Fn(pointer) if pointer.captured.is_empty() => Ok(FnId(pointer.function)),
        _ => Err(HostError::new("expected the name of a script function")),
    }
}

fn room_for_a_step(table: &Table) -> Result<(), HostError> {
    if table.state.agenda.len() >= WAITING_STEPS {
        return Err(HostError::new(format!(
            "{WAITING_STEPS} steps are waiting already"
        )));
    }
    table.room_for(table.state.agenda.size())
}

fn next_step(table: &mut Table, call: Call<Object>, count: usize) -> Result<Flow, HostError> {
    table.writable()?;
    room_for_a_step(table)?;
    table.state.agenda.next(step(&call, count)?);
    call.done(Value::Unit)
}

fn later_step(table: &mut Table, call: Call<Object>, count: usize) -> Result<Flow, HostError> {
    table.writable()?;
    room_for_a_step(table)?;
    table.state.agenda.later(step(&call, count)?);
    call.done(Value::Unit)
}

fn drop_steps(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    table.writable()?;
    table.state.agenda.drop_calls(function(call.arg(0))?);
    call.done(Value::Unit)
}

fn waiting_steps(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let calls = table.state.agenda.calls(function(call.arg(0))?);
    let calls = calls.map(|args| Value::array(args.to_vec())).collect();
    call.done(Value::array(calls))
}

fn take_step(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    table.writable()?;
    let (function, n) = (function(call.arg(0))?, call.int(1)?);
    let taken = usize::try_from(n)
        .ok()
        .and_then(|n| table.state.agenda.take_call(function, n));
    let Some(Step::Call { args, count, .. }) = taken else {
        return Err(HostError::new(format!(
            "there is no waiting call number {n}"
        )));
    };
    call.done(Value::array(args[..count as usize].to_vec()))
}

fn end_round(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    table.writable()?;
    table.state.agenda.clear();
    call.done(Value::Unit)
}

fn end_game(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    finish(table, None, None)?;
    call.done(Value::Unit)
}

fn end_game_because(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    finish(table, Some(call.int(0)? as u32), None)?;
    call.done(Value::Unit)
}

fn end_game_won(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let winners = match call.arg(1) {
        Value::Handle(handle::PLAYER, seat) => vec![*seat as u8],
        players => seats(table, players)?,
    };
    let winners = winners.into_iter().fold(0, |all, seat| all | 1 << seat);
    finish(table, Some(call.int(0)? as u32), Some(winners))?;
    call.done(Value::Unit)
}

/// The first reason counts.
fn finish(table: &mut Table, reason: Option<u32>, winners: Option<u32>) -> Result<(), HostError> {
    table.writable()?;
    let end = End::Rules { reason, winners };
    table.state.end.get_or_insert(end);
    Ok(())
}

fn game_over(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    call.done(Value::Bool(table.state.end.is_some()))
}

fn say(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let key = call.int(0)? as u32;
    table.note(|_| Event::Said {
        key,
        details: Vec::new(),
        to: Hearers::ALL,
    });
    call.done(Value::Unit)
}

fn say_detailed(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let key = call.int(0)? as u32;
    label::may_be_shown(table, call.arg(1))?;
    table.note(|table| Event::Said {
        key,
        details: label::details(table, call.arg(1)),
        to: Hearers::ALL,
    });
    call.done(Value::Unit)
}

fn unsay(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let taken_back = call.int(0)? as u32;
    if let Some(events) = &mut table.events
        && matches!(events.last(), Some(Event::Said { key, .. }) if *key == taken_back)
    {
        events.pop();
    }
    call.done(Value::Unit)
}

fn tell(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    said_to_one(table, call, None)
}

fn tell_detailed(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    said_to_one(table, call, Some(2))
}

fn said_to_one(
    table: &mut Table,
    call: Call<Object>,
    details: Option<usize>,
) -> Result<Flow, HostError> {
    let seat = call.handle(0, handle::PLAYER)? as u8;
    let key = call.int(1)? as u32;
    if let Some(at) = details {
        label::may_be_shown(table, call.arg(at))?;
    }
    table.note(|table| Event::Said {
        key,
        details: details.map_or_else(Vec::new, |at| label::details(table, call.arg(at))),
        to: Hearers::only(seat),
    });
    call.done(Value::Unit)
}

fn text(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let filled = filled(table, call.int(0)?, &Value::Unit);
    call.done(Value::string(filled))
}

fn text_detailed(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    label::may_be_shown(table, call.arg(1))?;
    let filled = filled(table, call.int(0)?, call.arg(1));
    call.done(Value::string(filled))
}

fn filled(table: &Table, key: i64, details: &Val) -> String {
    let key = table.game.lexicon.logs.get(key as usize);
    let text = key.and_then(|key| table.game.definition.texts.log.get(key));
    text.map_or_else(String::new, |text| {
        label::fill(table, table.language.of(text), details, table.language)
    })
}

fn fail(_: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    Err(HostError::new(call.str(0)?))
}
