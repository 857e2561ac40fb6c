//! The agenda, the end of the game, and what people read in the log.

use super::choices::seats;
use super::cost::{self, Cost};
use super::{ANY, INT, P, PLAYER, Verb};
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

/// What a step may carry.
const CARRIED: &[(&str, P)] = &[("a", ANY), ("b", ANY), ("c", ANY), ("d", ANY)];

pub const VERBS: &[Verb] = &[
    Verb {
        room: ROOM,
        name: "next_step",
        params: &[FUNCTION],
        optional: CARRIED,
        result: Type::Unit,
        doc: "runs the function, with up to four arguments, right after the running step, behind others it asked for",
        cost: Cost::Of(cost::next_step),
        call: next_step,
    },
    Verb {
        room: ROOM,
        name: "later_step",
        params: &[FUNCTION],
        optional: CARRIED,
        result: Type::Unit,
        doc: "runs the function, with up to four arguments, at the end of this round",
        cost: Cost::Of(cost::carried),
        call: later_step,
    },
    Verb {
        room: ROOM,
        name: "drop_steps",
        params: &[("function", P::Of(Type::Fn))],
        optional: &[],
        result: Type::Unit,
        doc: "removes the waiting calls of a function: drop_steps(Fn(\"attack\"))",
        cost: Cost::Of(cost::agenda),
        call: drop_steps,
    },
    Verb {
        room: ROOM,
        name: "waiting_steps",
        params: &[("function", P::Of(Type::Fn))],
        optional: &[],
        result: Type::Array,
        doc: "the waiting calls of a function, each as the list of its arguments, from the front",
        cost: Cost::Of(cost::waiting),
        call: waiting_steps,
    },
    Verb {
        room: ROOM,
        name: "take_step",
        params: &[("function", P::Of(Type::Fn)), ("n", INT)],
        optional: &[],
        result: Type::Array,
        doc: "takes the n-th waiting call of a function (from 0) off the agenda and gives its arguments",
        cost: Cost::Of(cost::agenda),
        call: take_step,
    },
    Verb {
        room: ROOM,
        name: "end_round",
        params: &[],
        optional: &[],
        result: Type::Unit,
        doc: "drops what is left of the round",
        cost: Cost::Of(cost::agenda),
        call: end_round,
    },
    Verb {
        room: ROOM,
        name: "end_game",
        params: &[],
        optional: &[("reason", P::Name(domain::REASON)), ("winners", WINNERS)],
        result: Type::Unit,
        doc: "the running step goes on to its end, then the game is over, for a reason people read; the winners have won, whatever the scores are; [] if everybody has lost",
        cost: Cost::Of(cost::winners),
        call: end_game,
    },
    Verb {
        room: ROOM,
        name: "game_over",
        params: &[],
        optional: &[],
        result: Type::Bool,
        doc: "whether the game has been ended",
        cost: Cost::Fixed,
        call: game_over,
    },
    Verb {
        room: ROOM,
        name: "say",
        params: &[("line", LOG)],
        optional: &[("details", P::Of(Type::Map))],
        result: Type::Unit,
        doc: "a line for the log, the braces of its text filled by the details; costs nothing when nobody reads it",
        cost: Cost::Of(cost::filled::<0, 1>),
        call: say,
    },
    Verb {
        room: ROOM,
        name: "unsay",
        params: &[("line", LOG)],
        optional: &[],
        result: Type::Unit,
        doc: "takes this line back if it was the last thing that happened: for a line that announces what then does not come",
        cost: Cost::Fixed,
        call: unsay,
    },
    Verb {
        room: ROOM,
        name: "tell",
        params: &[("player", PLAYER), ("line", LOG)],
        optional: &[("details", P::Of(Type::Map))],
        result: Type::Unit,
        doc: "a line of the log that only this player reads",
        cost: Cost::Of(cost::filled::<1, 2>),
        call: tell,
    },
    Verb {
        room: ROOM,
        name: "text",
        params: &[("line", LOG)],
        optional: &[("details", P::Of(Type::Map))],
        result: Type::Str,
        doc: "a text of the log in the reader's language, for table_view and note_option",
        cost: Cost::Of(cost::filled::<0, 1>),
        call: text,
    },
    Verb {
        room: ROOM,
        name: "fail",
        params: &[("why", P::Of(Type::Str))],
        optional: &[],
        result: Type::Unit,
        doc: "stops the game: the rules are broken",
        cost: Cost::Fixed,
        call: fail,
    },
];

fn step(call: &Call<Object>) -> Result<Step, HostError> {
    let function = function(call.arg(0))?;
    let args = || (1..call.given()).map(|i| call.arg(i));
    if args().any(|arg| matches!(arg, Value::Fn(_))) {
        return Err(HostError::new(
            "a step cannot carry a function; the agenda is data",
        ));
    }
    let carried: usize = args().map(|arg| weight(arg, LARGEST_DETAILS)).sum();
    if carried > LARGEST_DETAILS {
        return Err(HostError::new(format!(
            "a step may carry at most {LARGEST_DETAILS} values and letters"
        )));
    }
    Ok(Step::call(function, args(), carried as u32))
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

fn next_step(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    table.writable()?;
    room_for_a_step(table)?;
    table.state.agenda.next(step(&call)?);
    call.done(Value::Unit)
}

fn later_step(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    table.writable()?;
    room_for_a_step(table)?;
    table.state.agenda.later(step(&call)?);
    call.done(Value::Unit)
}

fn drop_steps(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    table.writable()?;
    table.state.agenda.drop_calls(function(call.arg(0))?);
    call.done(Value::Unit)
}

fn waiting_steps(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let calls = table.state.agenda.calls(function(call.arg(0))?);
    let calls = Value::list(calls.map(|args| Value::list(args.iter().cloned())));
    call.done(calls)
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
    call.done(Value::list(args.into_iter().take(count as usize)))
}

fn end_round(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    table.writable()?;
    table.state.agenda.clear();
    call.done(Value::Unit)
}

fn end_game(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    table.writable()?;
    let reason = match call.given() {
        0 => None,
        _ => Some(call.int(0)? as u32),
    };
    let winners = match call.given() {
        0 | 1 => None,
        _ => Some(match call.arg(1) {
            Value::Handle(handle::PLAYER, seat) => 1 << seat,
            players => seats(table, players)?
                .iter()
                .fold(0, |all, seat| all | 1 << seat),
        }),
    };
    // The first reason counts.
    let end = End::Rules { reason, winners };
    table.state.end.get_or_insert(end);
    call.done(Value::Unit)
}

fn game_over(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    call.done(Value::Bool(table.state.end.is_some()))
}

fn say(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    said(table, call, 0, Hearers::ALL)
}

/// A line whose key is an argument, with details behind it or not.
fn said(table: &mut Table, call: Call<Object>, at: usize, to: Hearers) -> Result<Flow, HostError> {
    let key = call.int(at)? as u32;
    let detailed = at + 1 < call.given();
    if detailed {
        label::may_be_shown(table, call.arg(at + 1))?;
    }
    table.note(|table| Event::Said {
        key,
        details: match detailed {
            true => label::details(table, call.arg(at + 1)),
            false => Vec::new(),
        },
        to,
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
    let seat = call.handle(0, handle::PLAYER)? as u8;
    // A line for all is written for people: it is not even made up where nobody reads it, so bots remember nothing of it.
    if call.given() > 2 && table.writable().is_ok() {
        label::may_be_shown(table, call.arg(2))?;
        table.remember_told(seat, call.arg(2));
    }
    said(table, call, 1, Hearers::only(seat))
}

fn text(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let key = call.int(0)?;
    if call.given() == 1 {
        let filled = filled(table, key, &Value::Unit);
        return call.done(Value::string(filled));
    }
    label::may_be_shown(table, call.arg(1))?;
    let filled = filled(table, key, call.arg(1));
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
