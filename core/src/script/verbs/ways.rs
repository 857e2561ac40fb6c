//! Ways over the map: how far, how dear, what hangs together.

use super::cost::{self, Cost};
use super::{INT, P, SPACE, SPACES, Verb, amount};
use crate::limits;
use crate::model::set::SpaceSet;
use crate::model::value::{self, Object, handle};
use crate::table::types::{self, domain};
use crate::table::{Table, row_of};
use ludoteca_vm::{Call, Flow, HostError, Type, Value};

const ROOM: &str = "Map";
const ATTRIBUTE: P = P::Name(domain::SPACE_ATTRIBUTE);
/// Spaces to step through, or borders to step along.
const WAYS: P = P::Either(&[types::SPACES, types::SPACE, Type::Array, types::EDGES]);

pub const VERBS: &[Verb] = &[
    Verb {
        room: ROOM,
        name: "distance",
        params: &[("a", SPACE), ("b", SPACE)],
        optional: &[],
        result: Type::Any,
        doc: "steps from one space to another, () if no way leads there",
        cost: Cost::Fixed,
        call: distance,
    },
    Verb {
        room: ROOM,
        name: "within",
        params: &[("from", SPACES), ("steps", INT)],
        optional: &[("by", WAYS)],
        result: types::SPACES,
        doc: "the spaces at most so many steps away from a space or a set, without itself; only through a set of spaces (the last step may end outside of it), or only along some borders",
        cost: Cost::Of(cost::within),
        call: within,
    },
    Verb {
        room: ROOM,
        name: "within_cost",
        params: &[
            ("from", SPACES),
            ("to", SPACES),
            ("field", P::Name(domain::EDGE_FIELD)),
            ("limit", INT),
        ],
        optional: &[("toll", ATTRIBUTE)],
        result: types::SPACES,
        doc: "those of `to` that can be reached from the set for at most the limit, the destination's own attribute added as a toll",
        cost: Cost::Of(cost::affordable),
        call: within_cost,
    },
    Verb {
        room: ROOM,
        name: "connected",
        params: &[("space", SPACE), ("set", SPACES)],
        optional: &[],
        result: types::SPACES,
        doc: "the part of the set that hangs together with the space",
        cost: Cost::Of(cost::walk::<1>),
        call: connected,
    },
    Verb {
        room: ROOM,
        name: "region",
        params: &[("space", SPACE), ("set", SPACES)],
        optional: &[],
        result: types::SPACES,
        doc: "the same as connected; neighbors(region) is its border",
        cost: Cost::Of(cost::walk::<1>),
        call: connected,
    },
    Verb {
        room: ROOM,
        name: "regions",
        params: &[("set", SPACES)],
        optional: &[],
        result: Type::Array,
        doc: "the parts a set falls into, each hanging together",
        cost: Cost::Of(cost::walk::<0>),
        call: regions,
    },
    Verb {
        room: ROOM,
        name: "hemmed_in",
        params: &[("set", SPACES), ("free", SPACES), ("most", INT)],
        optional: &[],
        result: types::SPACES,
        doc: "those of the set whose regions border at most so many of the free spaces",
        cost: Cost::Of(cost::walk::<0>),
        call: hemmed_in,
    },
    Verb {
        room: ROOM,
        name: "cheapest",
        params: &[
            ("from", SPACES),
            ("to", SPACE),
            ("field", P::Name(domain::EDGE_FIELD)),
        ],
        optional: &[("through", SPACES)],
        result: Type::Any,
        doc: "what the cheapest way costs by a field of the edges, only through some spaces or through all; () if there is none",
        cost: Cost::Of(cost::cheapest),
        call: cheapest,
    },
];

fn within_cost(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let toll = match call.given() {
        4 => None,
        _ => Some(call.int(4)? as usize),
    };
    let (from, to) = (table.space_set(call.arg(0))?, table.space_set(call.arg(1))?);
    let (field, limit) = (call.int(2)? as usize, call.int(3)?);
    let Table { game, state, .. } = &mut *table;
    let whole = state.board.in_play().clone();
    let Some(costs) = state.cost_table(&game.definition, field, &whole) else {
        return table.give_spaces(call, SpaceSet::EMPTY);
    };
    let own = |space: u32| toll.map_or(0, |a| table.number(handle::SPACE, a, space, 0) as i64);
    let found = costs.within(&from, &(to & whole), |space| limit - own(space));
    table.give_spaces(call, found)
}

fn distance(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let (a, b) = (
        call.handle(0, handle::SPACE)?,
        call.handle(1, handle::SPACE)?,
    );
    let steps = table.state.board.distance(a, b);
    call.done(steps.map_or(Value::Unit, |d| Value::Int(d as i64)))
}

/// How many steps are asked for; no map is longer than it has spaces.
fn steps(call: &Call<Object>) -> Result<u32, HostError> {
    Ok(amount(call, 1, "steps")?.min(limits::MOST_SPACES as u32))
}

fn within(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let steps = steps(&call)?;
    let board = &table.state.board;
    if call.given() == 2 {
        let reached = match call.arg(0) {
            Value::Handle(handle::SPACE, space) => board.within(*space, steps),
            _ => {
                let from = table.space_set(call.arg(0))?;
                board.within_through(&from, steps, board.in_play())
            }
        };
        return table.give_spaces(call, reached);
    }
    let from = table.space_set(call.arg(0))?;
    let reached = match (value::lazy_edges(call.arg(2)), call.arg(2)) {
        (Some((starts, ends)), _) => board.within_along(&from, steps, |s| {
            if starts.contains(s) {
                board.neighbors(s) & &ends
            } else {
                SpaceSet::EMPTY
            }
        }),
        (None, Value::Object(object)) if matches!(&**object, Object::EdgeRows(_)) => {
            let Object::EdgeRows(rows) = &**object else {
                return table.give_spaces(call, SpaceSet::EMPTY);
            };
            board.within_along(&from, steps, |s| {
                row_of(rows, s).cloned().unwrap_or_default()
            })
        }
        (None, through) => {
            let through = table.space_set(through)?;
            board.within_through(&from, steps, &through)
        }
    };
    table.give_spaces(call, reached)
}

fn connected(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let space = call.handle(0, handle::SPACE)?;
    let set = table.space_set(call.arg(1))?;
    table.give_spaces(call, table.state.board.connected(space, &set))
}

fn regions(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let set = table.space_set(call.arg(0))?;
    let parts = table.state.board.parts(&set);
    let parts = parts.into_iter().map(|part| table.spaces(part));
    call.done(Value::list(parts))
}

fn hemmed_in(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let (set, free) = (table.space_set(call.arg(0))?, table.space_set(call.arg(1))?);
    let most = amount(&call, 2, "spaces")?;
    table.give_spaces(call, table.state.board.hemmed_in(&set, &free, most))
}

fn cheapest(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let through = match call.given() {
        3 => table.state.board.in_play().clone(),
        _ => table.space_set(call.arg(3))?,
    };
    let from = table.space_set(call.arg(0))?;
    let to = call.handle(1, handle::SPACE)?;
    let field = call.int(2)? as usize;
    let Table { game, state, .. } = &mut *table;
    let costs = state.cost_table(&game.definition, field, &through);
    let cost = costs.and_then(|costs| costs.cheapest(&from, to));
    call.done(cost.map_or(Value::Unit, |c| Value::Int(c as i64)))
}
