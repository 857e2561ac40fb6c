//! Players and the order of play.

use super::choices::seats;
use super::cost::{self, Cost};
use super::{INT, P, PLAYER, Verb};
use crate::model::value::{self, Object, Val, handle, seat_list};
use crate::table::Table;
use crate::table::types::{self, domain};
use ludoteca_vm::{Call, Flow, HostError, Type, Value};

const ROOM: &str = "Players";

pub const VERBS: &[Verb] = &[
    Verb {
        room: ROOM,
        name: "players",
        params: &[],
        optional: &[],
        result: types::PLAYERS,
        doc: "players still in, in turn order from the start player",
        cost: Cost::Fixed,
        call: players,
    },
    Verb {
        room: ROOM,
        name: "players_from",
        params: &[("player", PLAYER)],
        optional: &[],
        result: types::PLAYERS,
        doc: "players still in, in turn order from this one",
        cost: Cost::Fixed,
        call: players_from,
    },
    Verb {
        room: ROOM,
        name: "others_of",
        params: &[("player", PLAYER)],
        optional: &[],
        result: types::PLAYERS,
        doc: "the other players still in, in turn order after this one",
        cost: Cost::Fixed,
        call: others_of,
    },
    Verb {
        room: ROOM,
        name: "all_players",
        params: &[],
        optional: &[],
        result: types::PLAYERS,
        doc: "everybody, by seat, also those who are out",
        cost: Cost::Fixed,
        call: all_players,
    },
    Verb {
        room: ROOM,
        name: "team",
        params: &[("player", PLAYER)],
        optional: &[],
        result: types::PLAYERS,
        doc: "the player and the partners still in, those on the same side",
        cost: Cost::Fixed,
        call: |table, call| of_side(table, call, 0, true),
    },
    Verb {
        room: ROOM,
        name: "teammates",
        params: &[("player", PLAYER)],
        optional: &[],
        result: types::PLAYERS,
        doc: "the others on the same side who are still in",
        cost: Cost::Fixed,
        call: |table, call| of_side(table, call, 1, true),
    },
    Verb {
        room: ROOM,
        name: "opponents",
        params: &[("player", PLAYER)],
        optional: &[],
        result: types::PLAYERS,
        doc: "those still in who are on another side; without [sides], all others",
        cost: Cost::Fixed,
        call: |table, call| of_side(table, call, 1, false),
    },
    Verb {
        room: ROOM,
        name: "players_of",
        params: &[("side", P::NameOr(domain::SIDE, &[types::WORD]))],
        optional: &[],
        result: types::PLAYERS,
        doc: "everybody on a side, also those who are out: end_game(\"caught\", players_of(\"hounds\"))",
        cost: Cost::Fixed,
        call: members,
    },
    Verb {
        room: ROOM,
        name: "player",
        params: &[("seat", INT)],
        optional: &[],
        result: types::PLAYER,
        doc: "the player on a seat, counted from 0",
        cost: Cost::Fixed,
        call: player,
    },
    Verb {
        room: ROOM,
        name: "player_count",
        params: &[],
        optional: &[],
        result: Type::Int,
        doc: "how many sat down to play",
        cost: Cost::Fixed,
        call: player_count,
    },
    Verb {
        room: ROOM,
        name: "by_players",
        params: &[("table", P::Either(&[Type::Map, Type::Array]))],
        optional: &[],
        result: Type::Any,
        doc: "what a table has for as many as sat down: in a map by their number, in a list from the fewest on",
        cost: Cost::Fixed,
        call: by_players,
    },
    Verb {
        room: ROOM,
        name: "next_player",
        params: &[("player", PLAYER)],
        optional: &[],
        result: types::PLAYER,
        doc: "who comes next in turn order",
        cost: Cost::Fixed,
        call: next_player,
    },
    Verb {
        room: ROOM,
        name: "start_player",
        params: &[],
        optional: &[],
        result: types::PLAYER,
        doc: "who starts the round",
        cost: Cost::Fixed,
        call: start_player,
    },
    Verb {
        room: ROOM,
        name: "set_start_player",
        params: &[("player", PLAYER)],
        optional: &[],
        result: Type::Unit,
        doc: "who starts from now on",
        cost: Cost::Fixed,
        call: set_start_player,
    },
    Verb {
        room: ROOM,
        name: "set_order",
        params: &[("players", P::Either(&[types::PLAYERS, Type::Array]))],
        optional: &[],
        result: Type::Unit,
        doc: "the turn order from now on; the first one starts",
        cost: Cost::Of(cost::measures::<0>),
        call: set_order,
    },
];

/// Seats in turn order, without a list on the heap.
fn from(table: &Table, first: u8, skip: usize) -> value::Val {
    seat_list(table.state.seats_from(first).skip(skip))
}

fn players(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    call.done(from(table, table.state.start, 0))
}

fn players_from(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let first = call.handle(0, handle::PLAYER)? as u8;
    call.done(from(table, first, 0))
}

fn others_of(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let seat = call.handle(0, handle::PLAYER)? as u8;
    let skip = !table.state.is_out(seat) as usize;
    call.done(from(table, seat, skip))
}

fn all_players(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    call.done(seat_list(0..table.players()))
}

/// The seats still in, from a player on, that are on the same side or not.
fn of_side(
    table: &mut Table,
    call: Call<Object>,
    skip: usize,
    same: bool,
) -> Result<Flow, HostError> {
    let seat = call.handle(0, handle::PLAYER)? as u8;
    let around = table
        .state
        .seats_from(seat)
        .filter(|&other| skip == 0 || other != seat);
    let found = seat_list(around.filter(|&other| table.same_side(seat, other) == same));
    call.done(found)
}

fn members(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let wanted = super::map::named(table, call.arg(0), domain::SIDE)?;
    let side = wanted.as_int().map(|side| side as usize);
    let found = seat_list((0..table.players()).filter(|&seat| table.side(seat) == side));
    call.done(found)
}

fn player(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let seat = call.int(0)?;
    if !(0..table.players() as i64).contains(&seat) {
        return Err(HostError::new(format!(
            "there is no seat {seat}; seats are 0 to {}",
            table.players() - 1
        )));
    }
    call.done(value::player(seat as u8))
}

fn player_count(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    call.done(Value::Int(table.players() as i64))
}

fn by_players(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let players = table.players();
    let found = by_number_of_players(call.arg(0), players, table.game.definition.players.0);
    match found.cloned() {
        Some(found) => call.done(found),
        None => Err(HostError::new(format!(
            "the table has nothing for {players} players"
        ))),
    }
}

/// What a table has for so many players, if anything.
pub fn by_number_of_players(list: &Val, players: u8, fewest: u8) -> Option<&Val> {
    match list {
        Value::Map(map) => map.get(&players.to_string()),
        Value::Array(items) => items.get(usize::from(players.checked_sub(fewest)?)),
        _ => None,
    }
}

fn next_player(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let seat = call.handle(0, handle::PLAYER)? as u8;
    call.done(value::player(table.state.seat_after(seat)))
}

fn start_player(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let start = table
        .state
        .seats_from(table.state.start)
        .next()
        .unwrap_or(table.state.start);
    call.done(value::player(start))
}

fn set_start_player(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    table.writable()?;
    table.state.start = call.handle(0, handle::PLAYER)? as u8;
    call.done(Value::Unit)
}

fn set_order(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    table.writable()?;
    let mut order = seats(table, call.arg(0))?;
    for seat in 0..table.players() {
        match order.iter().filter(|&&s| s == seat).count() {
            0 if table.state.is_out(seat) && order.push(seat) => {}
            1 => {}
            _ => {
                return Err(HostError::new(format!(
                    "the order must name every player once; p{seat} is missing or named twice"
                )));
            }
        }
    }
    table.state.start = order[0];
    table.state.order.clear();
    table.state.order.extend_from_slice(&order);
    call.done(Value::Unit)
}
