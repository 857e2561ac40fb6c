//! Boards with geometry: steps, rays, lines and jumps, for whole sets at once and from tables made when the game is loaded.

use super::cost::{self, Cost};
use super::{INT, P, PLAYER, SPACE, SPACES, Verb, verb};
use crate::model::board::Rows;
use crate::model::grid::{self, Geometry};
use crate::model::set::SpaceSet;
use crate::model::value::{self, Object, Val, handle};
use crate::table::Table;
use crate::table::types::{self, domain};
use ludoteca_vm::{Call, Flow, Host, HostError, Shared, Type, Value};
use std::borrow::Cow;

const DIRECTION: P = P::NameOr(domain::DIRECTION, &[types::WORD]);
const DIRECTIONS: P = P::NameOr(domain::DIRECTION, &[types::WORD, Type::Array]);
const EDGES: P = P::Either(&[types::EDGES, types::EDGE]);

const ROOM: &str = "Boards with geometry";

pub const VERBS: &[Verb] = &[
    Verb {
        room: ROOM,
        name: "step",
        params: &[("space", SPACE), ("direction", DIRECTION)],
        optional: &[("times", INT)],
        result: Type::Any,
        doc: "the space one step away, or so many, or () beyond the edge",
        cost: Cost::Of(cost::step),
        call: step,
    },
    verb(
        ROOM,
        "cell",
        &[("column", INT), ("row", INT)],
        Type::Any,
        "the space in a column and row, both counted from 0, or ()",
        Cost::Fixed,
        cell,
    ),
    verb(
        ROOM,
        "steps",
        &[("set", SPACES), ("directions", DIRECTIONS)],
        types::SPACES,
        "where the members of the set, or a space, come by one step; directions are \"north\" .. \"northwest\", \"orthogonal\", \"diagonal\", \"all\", or a list",
        Cost::Of(cost::steps),
        steps,
    ),
    verb(
        ROOM,
        "ray",
        &[("set", SPACES), ("directions", DIRECTIONS)],
        types::SPACES,
        "everything in these directions, to the edge",
        Cost::Of(cost::rays::<2>),
        ray,
    ),
    verb(
        ROOM,
        "ray",
        &[
            ("set", SPACES),
            ("directions", DIRECTIONS),
            ("blockers", SPACES),
        ],
        types::SPACES,
        "the same up to the first blocker of each ray, which is included",
        Cost::Of(cost::rays::<3>),
        ray_until,
    ),
    verb(
        ROOM,
        "leaps",
        &[("set", SPACES), ("a", INT), ("b", INT)],
        types::SPACES,
        "where leaps of a and b lead, columns and rows either way round: leaps(s, 1, 2) is a knight's",
        Cost::Of(cost::each_space::<0>),
        leaps,
    ),
    verb(
        ROOM,
        "line",
        &[("set", SPACES), ("n", INT)],
        Type::Bool,
        "whether n of the set are in a row, in any direction",
        Cost::Of(cost::line::<1>),
        line,
    ),
    verb(
        ROOM,
        "line",
        &[("set", SPACES), ("n", INT), ("directions", DIRECTIONS)],
        Type::Bool,
        "the same in these directions only",
        Cost::Of(cost::line::<3>),
        line_in,
    ),
    verb(
        ROOM,
        "between",
        &[("a", SPACE), ("b", SPACE)],
        types::SPACES,
        "the spaces strictly between two on one line; none if they are on none",
        Cost::Of(cost::board),
        between,
    ),
    verb(
        ROOM,
        "line_through",
        &[("a", SPACE), ("b", SPACE)],
        types::SPACES,
        "the whole line through two spaces, to the edges; none if they are on none",
        Cost::Fixed,
        line_through,
    ),
    verb(
        ROOM,
        "flanked",
        &[("space", SPACE), ("over", SPACES), ("ends", SPACES)],
        types::SPACES,
        "what lies in unbroken rows of `over` between the space and one of `ends`, in all directions",
        Cost::Of(cost::rays::<3>),
        flanked,
    ),
    verb(
        ROOM,
        "flanking",
        &[("set", SPACES), ("over", SPACES), ("ends", SPACES)],
        types::SPACES,
        "those of the set from which some row of `over` leads to one of `ends`",
        Cost::Of(cost::rays::<3>),
        flanking,
    ),
    verb(
        ROOM,
        "reach",
        &[
            ("set", SPACES),
            ("directions", DIRECTIONS),
            ("through", SPACES),
        ],
        types::SPACES,
        "what is reached from the set by steps through these spaces",
        Cost::Of(cost::rays::<3>),
        reach,
    ),
    verb(
        ROOM,
        "row",
        &[("space", SPACE)],
        types::SPACES,
        "all spaces of its row",
        Cost::Fixed,
        row,
    ),
    verb(
        ROOM,
        "column",
        &[("space", SPACE)],
        types::SPACES,
        "all spaces of its column",
        Cost::Fixed,
        column,
    ),
    verb(
        ROOM,
        "rotated",
        &[("set", SPACES), ("turns", INT)],
        types::SPACES,
        "the set turned with the board, by quarters to the right (sixths on hexes)",
        Cost::Of(cost::each_space::<0>),
        rotated,
    ),
    verb(
        ROOM,
        "reflected",
        &[("set", SPACES)],
        types::SPACES,
        "the set with left and right exchanged",
        Cost::Of(cost::each_space::<0>),
        reflected,
    ),
    verb(
        ROOM,
        "forward",
        &[("player", PLAYER)],
        types::WORD,
        "the direction in which this player moves, by the map's `forward`",
        Cost::Fixed,
        forward,
    ),
    verb(
        ROOM,
        "forward_diagonals",
        &[("player", PLAYER)],
        types::WORD,
        "the two diagonal directions ahead of this player, as one word",
        Cost::Fixed,
        forward_diagonals,
    ),
    verb(
        ROOM,
        "turned",
        &[("direction", DIRECTION), ("turns", INT)],
        types::WORD,
        "a direction some turns further to the right: eighths, on hexes sixths",
        Cost::Fixed,
        turned,
    ),
    verb(
        ROOM,
        "moves",
        &[("from", SPACES), ("to", SPACES)],
        types::EDGES,
        "moves from every space of one set to every space of another, neighbours or not; good as options",
        Cost::Of(cost::each_space_of_two),
        moves,
    ),
    verb(
        ROOM,
        "step_moves",
        &[("set", SPACES), ("directions", DIRECTIONS)],
        types::EDGES,
        "the moves of one step from each of the set",
        Cost::Of(cost::rays::<2>),
        step_moves,
    ),
    verb(
        ROOM,
        "ray_moves",
        &[
            ("set", SPACES),
            ("directions", DIRECTIONS),
            ("blockers", SPACES),
        ],
        types::EDGES,
        "the moves along rays from each of the set, up to the first blocker, which is included",
        Cost::Of(cost::ray_moves),
        ray_moves,
    ),
    verb(
        ROOM,
        "leap_moves",
        &[("set", SPACES), ("a", INT), ("b", INT)],
        types::EDGES,
        "the leaps from each of the set",
        Cost::Of(cost::rays::<1>),
        leap_moves,
    ),
    verb(
        ROOM,
        "jumps",
        &[
            ("set", SPACES),
            ("directions", DIRECTIONS),
            ("over", SPACES),
            ("onto", SPACES),
        ],
        types::EDGES,
        "the moves over a neighbour that is in `over` to the space right behind it, if that is in `onto`",
        Cost::Of(cost::rays::<4>),
        jumps,
    ),
    verb(
        ROOM,
        "ending_in",
        &[("moves", EDGES), ("set", SPACES)],
        types::EDGES,
        "the moves, or borders, that lead into the set",
        Cost::Of(cost::each_space::<1>),
        ending_in,
    ),
    verb(
        ROOM,
        "starting_in",
        &[("moves", EDGES), ("set", SPACES)],
        types::EDGES,
        "the moves, or borders, that start in the set",
        Cost::Of(cost::each_space::<1>),
        starting_in,
    ),
];

/// The geometry of the board; not every map has one.
fn geometry(table: &Table) -> Result<&Geometry, HostError> {
    table.game.geometry.as_ref().ok_or_else(no_grid)
}

#[cold]
fn no_grid() -> HostError {
    HostError::new("this game's map has no [grid]: it knows neighbours, but no directions")
}

/// The directions a value names, as bits.
#[inline(always)]
fn directions(table: &Table, value: &Val) -> Result<u8, HostError> {
    let named = |word: u32| {
        let bits = table.game.lexicon.directions.get(word as usize);
        bits.copied().filter(|&bits| bits != 0)
    };
    match value {
        Value::Handle(handle::WORD, word) => named(*word).ok_or_else(|| no_direction(table, value)),
        // Lists within lists are refused: a few of them could stand for more directions than anybody can count.
        Value::Array(items) => items.iter().try_fold(0, |all, item| match item {
            Value::Handle(handle::WORD, word) => {
                let bits = named(*word).ok_or_else(|| no_direction(table, item))?;
                Ok(all | bits)
            }
            _ => Err(no_direction(table, item)),
        }),
        _ => Err(no_direction(table, value)),
    }
}

#[cold]
fn no_direction(table: &Table, value: &Val) -> HostError {
    HostError::new(format!(
        "expected a direction, found `{}`",
        table.display(value)
    ))
}

/// A single direction.
fn direction(table: &Table, value: &Val) -> Result<u8, HostError> {
    let bits = directions(table, value)?;
    match bits.count_ones() {
        1 => Ok(bits.trailing_zeros() as u8),
        _ => Err(HostError::new(format!(
            "expected one direction, found `{}`",
            table.display(value)
        ))),
    }
}

fn word_of(table: &Table, direction: u8) -> Val {
    Value::Handle(
        handle::WORD,
        table.game.lexicon.direction_words[direction as usize & 7],
    )
}

/// Only what is on the table counts.
fn give(table: &Table, call: Call<Object>, set: SpaceSet) -> Result<Flow, HostError> {
    table.give_common(call, &set, table.state.board.in_play())
}

/// Ends a call with moves that are listed right where they will lie.
fn give_rows(
    table: &Table,
    call: Call<Object>,
    list: impl FnOnce(&mut Rows),
) -> Result<Flow, HostError> {
    give_moves(table, call, table.spares.rows(list))
}

fn give_moves(table: &Table, call: Call<Object>, moves: Shared<Object>) -> Result<Flow, HostError> {
    let moves = Value::Object(moves);
    table.listed_moves(&moves);
    call.done(moves)
}

fn step(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let space = call.handle(0, handle::SPACE)?;
    let (geometry, way) = (geometry(table)?, direction(table, call.arg(1))?);
    let times = match call.given() {
        3 => super::amount(&call, 2, "steps")?,
        _ => 1,
    };
    let in_play = table.state.board.in_play();
    let next = |at: u32| geometry.step(at, way).filter(|&to| in_play.contains(to));
    let to = (0..times).try_fold(space, |at, _| next(at));
    call.done(to.map_or(Value::Unit, value::space))
}

fn cell(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let place = (short(&call, 0)?, short(&call, 1)?);
    let found = geometry(table)?.at_place(place);
    let found = found.filter(|&space| table.state.board.in_play().contains(space));
    call.done(found.map_or(Value::Unit, value::space))
}

fn steps(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let (set, ways) = (
        table.space_set(call.arg(0))?,
        directions(table, call.arg(1))?,
    );
    let found = geometry(table)?.steps(&set, ways);
    give(table, call, found)
}

fn ray(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let (set, ways) = (
        table.space_set(call.arg(0))?,
        directions(table, call.arg(1))?,
    );
    let found = geometry(table)?.ray(&set, ways, &SpaceSet::EMPTY);
    give(table, call, found)
}

fn ray_until(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let ways = directions(table, call.arg(1))?;
    let blockers = table.space_set(call.arg(2))?;
    let found = match call.arg(0) {
        Value::Handle(handle::SPACE, space) => geometry(table)?.ray_of(*space, ways, &blockers),
        set => geometry(table)?.ray(&table.space_set(set)?, ways, &blockers),
    };
    give(table, call, found)
}

fn leaps(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let set = table.space_set(call.arg(0))?;
    let (a, b) = (short(&call, 1)?, short(&call, 2)?);
    let found = geometry(table)?.leaps(&set, a, b);
    give(table, call, found)
}

/// A distance; no board is longer than it has spaces.
fn short(call: &Call<Object>, i: usize) -> Result<i32, HostError> {
    let most = crate::limits::MOST_SPACES as i64;
    Ok(call.int(i)?.clamp(-most, most) as i32)
}

fn line(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    in_a_row(table, call, 0xff)
}

fn line_in(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let ways = directions(table, call.arg(2))?;
    in_a_row(table, call, ways)
}

fn in_a_row(table: &mut Table, call: Call<Object>, ways: u8) -> Result<Flow, HostError> {
    let set = table.space_set(call.arg(0))?;
    let n = super::amount(&call, 1, "spaces in a row")?;
    let found = geometry(table)?.line(&set, n, ways);
    call.done(Value::Bool(found))
}

fn between(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let (a, b) = (
        call.handle(0, handle::SPACE)?,
        call.handle(1, handle::SPACE)?,
    );
    let found = geometry(table)?.between(a, b);
    give(table, call, found)
}

fn line_through(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let (a, b) = (
        call.handle(0, handle::SPACE)?,
        call.handle(1, handle::SPACE)?,
    );
    let found = geometry(table)?.line_of(a, b);
    give(table, call, found)
}

fn flanked(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let space = call.handle(0, handle::SPACE)?;
    let (over, ends) = (table.space_set(call.arg(1))?, table.space_set(call.arg(2))?);
    let found = geometry(table)?.flanked(space, &over, &ends);
    give(table, call, found)
}

fn flanking(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let (set, over) = (table.space_set(call.arg(0))?, table.space_set(call.arg(1))?);
    let ends = table.space_set(call.arg(2))?;
    let found = geometry(table)?.flanking(&over, &ends) & set;
    give(table, call, found)
}

fn reach(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let (set, ways) = (
        table.space_set(call.arg(0))?,
        directions(table, call.arg(1))?,
    );
    let through = table.space_set(call.arg(2))?;
    let found = geometry(table)?.reach(&set, ways, &through);
    give(table, call, found)
}

fn row(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let space = call.handle(0, handle::SPACE)?;
    let found = geometry(table)?.row(space);
    give(table, call, found)
}

fn column(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let space = call.handle(0, handle::SPACE)?;
    let found = geometry(table)?.column(space);
    give(table, call, found)
}

fn rotated(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let (set, turns) = (table.space_set(call.arg(0))?, call.int(1)?);
    let found = geometry(table)?.turned(&set, turns);
    give(table, call, found)
}

fn reflected(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let set = table.space_set(call.arg(0))?;
    let found = geometry(table)?.mirrored(&set);
    give(table, call, found)
}

fn forward(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let seat = call.handle(0, handle::PLAYER)? as u8;
    let Some(direction) = geometry(table)?.forward(seat) else {
        return Err(HostError::new(format!(
            "the grid's `forward` has no direction for seat {seat}"
        )));
    };
    call.done(word_of(table, direction.0))
}

fn forward_diagonals(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let seat = call.handle(0, handle::PLAYER)? as u8;
    let direction = geometry(table)?.forward(seat).filter(|d| d.0 % 2 == 0);
    let words = &table.game.lexicon.ahead_words;
    let word = direction.and_then(|d| words.get(d.0 as usize / 2));
    match word {
        Some(&word) => call.done(Value::Handle(handle::WORD, word)),
        None => Err(HostError::new(format!(
            "the grid's `forward` has no straight direction for seat {seat}"
        ))),
    }
}

fn turned(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let (from, turns) = (direction(table, call.arg(0))?, call.int(1)?);
    let cells = geometry(table)?.cells();
    call.done(word_of(table, grid::turned_direction(cells, from, turns)))
}

fn moves(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let (from, to) = (table.space_set(call.arg(0))?, table.space_set(call.arg(1))?);
    give_rows(table, call, |listed| {
        if !to.is_empty() {
            from.each(|f| listed.push((f, to.clone())));
        }
    })
}

fn step_moves(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let (set, ways) = (
        table.space_set(call.arg(0))?,
        directions(table, call.arg(1))?,
    );
    let geometry = geometry(table)?;
    give_rows(table, call, |listed| {
        geometry.step_moves(&set, ways, listed)
    })
}

fn ray_moves(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let (set, ways) = (
        table.space_set(call.arg(0))?,
        directions(table, call.arg(1))?,
    );
    let blockers = table.space_set(call.arg(2))?;
    let geometry = geometry(table)?;
    give_rows(table, call, |listed| {
        geometry.ray_moves(&set, ways, &blockers, listed)
    })
}

fn leap_moves(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let set = table.space_set(call.arg(0))?;
    let (a, b) = (short(&call, 1)?, short(&call, 2)?);
    let geometry = geometry(table)?;
    give_rows(table, call, |listed| {
        geometry.leap_moves(&set, a, b, listed)
    })
}

fn jumps(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let (set, ways) = (
        table.space_set(call.arg(0))?,
        directions(table, call.arg(1))?,
    );
    let (over, onto) = (table.space_set(call.arg(2))?, table.space_set(call.arg(3))?);
    let geometry = geometry(table)?;
    give_rows(table, call, |listed| {
        geometry.jump_moves(&set, ways, &over, &onto, listed)
    })
}

/// The rows of moves or borders; those of borders are listed for it.
fn rows_of<'a>(table: &Table, moves: &'a Val) -> Result<Cow<'a, Rows>, HostError> {
    if let Some(rows) = value::rows_of(moves) {
        return Ok(Cow::Borrowed(rows));
    }
    let rows = table.edge_rows(moves).map(Cow::Owned);
    rows.ok_or_else(|| HostError::new(format!("expected moves, found {}", table.describe(moves))))
}

/// Ends a call with some of the moves it was given: of each row what is kept of it.
fn give_some(
    table: &Table,
    call: Call<Object>,
    keep: impl Fn(u32, &SpaceSet) -> SpaceSet,
) -> Result<Flow, HostError> {
    let some = {
        let rows = rows_of(table, call.arg(0))?;
        table.spares.rows(|listed| {
            for (from, row) in rows.iter() {
                let kept = keep(*from, row);
                if !kept.is_empty() {
                    listed.push((*from, kept));
                }
            }
        })
    };
    give_moves(table, call, some)
}

fn ending_in(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let set = table.space_set(call.arg(1))?;
    give_some(table, call, |_, row| row & &set)
}

fn starting_in(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let set = table.space_set(call.arg(1))?;
    give_some(table, call, |from, row| match set.contains(from) {
        true => row.clone(),
        false => SpaceSet::EMPTY,
    })
}
