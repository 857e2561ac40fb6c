//! The map: sets of spaces, borders and sections, each in one call.

use super::cost::{self, Cost};
use super::{ANY, INT, P, PLAYER, SPACE, SPACES, Verb};
use crate::model::board::{Placement, Rows};
use crate::model::set::SpaceSet;
use crate::model::value::{self, Object, Val, handle};
use crate::table::fit;
use crate::table::types::{self, domain};
use crate::table::{KnownEdges, Table};
use ludoteca_vm::{Call, Domain, Flow, Host, HostError, Shared, Type, Value};
use std::sync::Arc;

const ROOM: &str = "Map";
const ATTRIBUTE: P = P::Name(domain::SPACE_ATTRIBUTE);
/// Answers of `edges_where` that a table remembers.
const REMEMBERED: usize = 8;
const SECTION: P = P::NameOr(domain::SECTION, &[types::WORD]);

pub const VERBS: &[Verb] = &[
    Verb {
        room: ROOM,
        name: "spaces",
        params: &[],
        optional: &[],
        result: types::SPACES,
        doc: "all spaces on the table",
        cost: Cost::Fixed,
        call: spaces,
    },
    Verb {
        room: ROOM,
        name: "owned",
        params: &[("player", PLAYER)],
        optional: &[],
        result: types::SPACES,
        doc: "the spaces whose attribute `owner` is this player",
        cost: Cost::Fixed,
        call: owned,
    },
    Verb {
        room: ROOM,
        name: "with_value",
        params: &[("attribute", ATTRIBUTE), ("value", ANY)],
        optional: &[],
        result: types::SPACES,
        doc: "the spaces whose attribute has this value",
        cost: Cost::Of(cost::board),
        call: with_value,
    },
    Verb {
        room: ROOM,
        name: "with_value",
        params: &[("set", SPACES), ("attribute", ATTRIBUTE), ("value", ANY)],
        optional: &[],
        result: types::SPACES,
        doc: "those of the set whose attribute has this value",
        cost: Cost::Of(cost::each_space::<0>),
        call: with_value_in,
    },
    Verb {
        room: ROOM,
        name: "spaces_where",
        params: &[("field", P::Name(domain::SPACE_FIELD)), ("value", ANY)],
        optional: &[],
        result: types::SPACES,
        doc: "the spaces whose field in the map file has this value",
        cost: Cost::Of(cost::board),
        call: spaces_where,
    },
    Verb {
        room: ROOM,
        name: "at_least",
        params: &[("set", SPACES), ("attribute", ATTRIBUTE), ("n", INT)],
        optional: &[],
        result: types::SPACES,
        doc: "those of the set with at least n",
        cost: Cost::Of(cost::set::<0>),
        call: at_least,
    },
    Verb {
        room: ROOM,
        name: "at_most",
        params: &[("set", SPACES), ("attribute", ATTRIBUTE), ("n", INT)],
        optional: &[],
        result: types::SPACES,
        doc: "those of the set with at most n",
        cost: Cost::Of(cost::set::<0>),
        call: at_most,
    },
    Verb {
        room: ROOM,
        name: "no_spaces",
        params: &[],
        optional: &[],
        result: types::SPACES,
        doc: "the empty set, to add to",
        cost: Cost::Fixed,
        call: no_spaces,
    },
    Verb {
        room: ROOM,
        name: "set_all",
        params: &[("set", SPACES), ("attribute", ATTRIBUTE), ("value", ANY)],
        optional: &[],
        result: Type::Unit,
        doc: "gives every space of the set this value",
        cost: Cost::Of(cost::each_space::<0>),
        call: set_all,
    },
    Verb {
        room: ROOM,
        name: "copy_all",
        params: &[("set", SPACES), ("to", ATTRIBUTE), ("from", ATTRIBUTE)],
        optional: &[],
        result: Type::Unit,
        doc: "copies one attribute into another for every space of the set",
        cost: Cost::Of(cost::each_space::<0>),
        call: copy_all,
    },
    Verb {
        room: ROOM,
        name: "keep_spaces",
        params: &[("set", SPACES)],
        optional: &[],
        result: Type::Unit,
        doc: "from now on only these spaces are on the table",
        cost: Cost::Of(cost::new_board),
        call: keep_spaces,
    },
    Verb {
        room: ROOM,
        name: "touching",
        params: &[("set", SPACES), ("other", SPACES)],
        optional: &[],
        result: types::SPACES,
        doc: "those of the set that border some member of the other",
        cost: Cost::Of(cost::each_space_of_two),
        call: touching,
    },
    Verb {
        room: ROOM,
        name: "edges_where",
        params: &[("field", P::Name(domain::EDGE_FIELD)), ("value", ANY)],
        optional: &[],
        result: types::EDGES,
        doc: "all borders, both ways, whose field in the map file has this value",
        cost: Cost::Of(cost::all_edges),
        call: edges_where,
    },
    Verb {
        room: ROOM,
        name: "others",
        params: &[("set", SPACES)],
        optional: &[],
        result: types::SPACES,
        doc: "all spaces on the table that are not in the set",
        cost: Cost::Of(cost::set::<0>),
        call: others,
    },
    Verb {
        room: ROOM,
        name: "neighbors",
        params: &[("set", SPACES)],
        optional: &[],
        result: types::SPACES,
        doc: "the spaces that border the set, or a space, from outside",
        cost: Cost::Of(cost::around),
        call: neighbors,
    },
    Verb {
        room: ROOM,
        name: "adjacent",
        params: &[("a", SPACE), ("b", SPACE)],
        optional: &[],
        result: Type::Bool,
        doc: "whether two spaces border each other",
        cost: Cost::Fixed,
        call: adjacent,
    },
    Verb {
        room: ROOM,
        name: "edges",
        params: &[("from", SPACES), ("to", SPACES)],
        optional: &[],
        result: types::EDGES,
        doc: "all borders from one set into another; a lazy list, good as options",
        cost: Cost::Of(cost::two_sets),
        call: edges,
    },
    Verb {
        room: ROOM,
        name: "edge",
        params: &[("from", SPACE), ("to", SPACE)],
        optional: &[],
        result: types::EDGE,
        doc: "the border between two spaces, or ()",
        cost: Cost::Fixed,
        call: edge,
    },
    Verb {
        room: ROOM,
        name: "space",
        params: &[("id", P::NameOr(domain::SPACE, &[types::WORD]))],
        optional: &[],
        result: types::SPACE,
        doc: "the space with this id",
        cost: Cost::Fixed,
        call: space,
    },
    Verb {
        room: ROOM,
        name: "area",
        params: &[("id", P::NameOr(domain::AREA, &[types::WORD]))],
        optional: &[],
        result: types::AREA,
        doc: "the area with this id",
        cost: Cost::Fixed,
        call: area,
    },
    Verb {
        room: ROOM,
        name: "areas",
        params: &[],
        optional: &[],
        result: Type::Array,
        doc: "all areas of the map",
        cost: Cost::Of(cost::areas),
        call: areas,
    },
    Verb {
        room: ROOM,
        name: "sections",
        params: &[],
        optional: &[],
        result: Type::Array,
        doc: "the sections of an assembled map, as words",
        cost: Cost::Of(cost::sections),
        call: sections,
    },
    Verb {
        room: ROOM,
        name: "section_spaces",
        params: &[("section", SECTION)],
        optional: &[],
        result: types::SPACES,
        doc: "the spaces of a section, on the table or not",
        cost: Cost::Of(cost::section),
        call: section_spaces,
    },
    Verb {
        room: ROOM,
        name: "place_section",
        params: &[
            ("section", SECTION),
            ("column", INT),
            ("row", INT),
            ("turns", INT),
        ],
        optional: &[],
        result: Type::Unit,
        doc: "lays a section on the table, turned by quarter turns to the right; column and row count sections",
        cost: Cost::Of(cost::new_board),
        call: place_section,
    },
];

fn space(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let found = named(table, call.arg(0), domain::SPACE)?;
    call.done(found)
}

fn area(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let found = named(table, call.arg(0), domain::AREA)?;
    call.done(found)
}

/// A value that is there already, or a word that names it.
pub fn named(table: &Table, value: &Val, of: Domain) -> Result<Val, HostError> {
    match value {
        Value::Handle(handle::WORD, word) => table.game.lexicon.resolve_word(of, *word),
        other => Ok(other.clone()),
    }
}

fn no_spaces(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    table.give_spaces(call, SpaceSet::EMPTY)
}

fn set_all(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let set = table.space_set(call.arg(0))?;
    let slot = table.game.slot(handle::SPACE, call.int(1)? as usize);
    if !set.is_empty() {
        table.writable()?;
        let number = table.stored(handle::SPACE, slot, call.arg(2))?;
        set.each(|space| table.set_number(handle::SPACE, slot, space, 0, number));
    }
    call.done(Value::Unit)
}

fn copy_all(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let set = table.space_set(call.arg(0))?;
    let (to, from) = (
        table.game.slot(handle::SPACE, call.int(1)? as usize),
        table.game.slot(handle::SPACE, call.int(2)? as usize),
    );
    for space in set.iter() {
        let value = table.slot(handle::SPACE, from, space);
        table.set_slot(handle::SPACE, to, space, &value)?;
    }
    call.done(Value::Unit)
}

fn keep_spaces(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    table.writable()?;
    let kept = table.space_set(call.arg(0))? & table.state.board.in_play();
    table.state.board = table.game.board_with(table.state.board.placements(), kept);
    table.state.costs.clear();
    call.done(Value::Unit)
}

fn touching(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let (set, other) = (table.space_set(call.arg(0))?, table.space_set(call.arg(1))?);
    table.give_spaces(call, table.state.board.touching(&set, &other))
}

fn edges_where(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let (field, lexicon) = (call.int(0)? as usize, &table.game.lexicon);
    let known = table.edges_known.iter().find(|known| {
        known.field == field
            && known.value == *call.arg(1)
            && Arc::ptr_eq(&known.board, &table.state.board)
    });
    if let Some(known) = known {
        return call.done(Value::Object(known.edges.clone()));
    }
    if let Some(map) = &table.game.definition.map {
        let column = &lexicon.edge_values[field];
        fit::field_fits(&map.edge_fields[field], column, call.arg(1), lexicon)
            .map_err(HostError::new)?;
    }
    let (values, wanted) = (&lexicon.edge_values[field], call.arg(1));
    let fits = |edge: u32| same_value(table, &values[edge as usize], wanted);
    let mut listed = Rows::default();
    table.state.board.list_written(&mut listed, fits);
    let known = KnownEdges {
        board: table.state.board.clone(),
        field,
        value: wanted.clone(),
        edges: Shared::new(Object::EdgeRows(listed)),
    };
    let edges = known.edges.clone();
    // Few are asked for on a board; another board forgets those of the one before it.
    table.edges_known.truncate(REMEMBERED - 1);
    table.edges_known.insert(0, known);
    call.done(Value::Object(edges))
}

fn same_value(table: &Table, a: &Val, b: &Val) -> bool {
    a == b || table.equal(a, b)
}

fn spaces(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    table.give_spaces(call, table.state.board.in_play().clone())
}

fn owned(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let seat = call.handle(0, handle::PLAYER)?;
    match table.owned_anywhere(seat) {
        Some(set) => table.give_common(call, set, table.state.board.in_play()),
        None => Err(nothing_is_owned()),
    }
}

#[cold]
fn nothing_is_owned() -> HostError {
    HostError::new("this game has no space attribute `owner` that holds a player")
}

fn with_value(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let attribute = call.int(0)? as usize;
    let wanted = stored(table, attribute, call.arg(1))?;
    give_having(table, call, table.state.board.in_play(), attribute, wanted)
}

fn with_value_in(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let attribute = call.int(1)? as usize;
    let wanted = stored(table, attribute, call.arg(2))?;
    match Table::small_set(call.arg(0)) {
        Some(set) => give_having(table, call, &set, attribute, wanted),
        None => {
            let set = table.space_set(call.arg(0))?;
            give_having(table, call, &set, attribute, wanted)
        }
    }
}

/// The number an attribute of spaces stores for a value.
#[inline(always)]
fn stored(table: &Table, attribute: usize, wanted: &Val) -> Result<i64, HostError> {
    let declared = &table.game.definition.attributes.space[attribute];
    fit::stored(declared, wanted, &table.game.lexicon).map_err(HostError::new)
}

/// Ends a call with those of a set whose attribute is stored as a number; by the index if there is one.
#[inline(always)]
fn give_having(
    table: &Table,
    call: Call<Object>,
    set: &SpaceSet,
    attribute: usize,
    wanted: i64,
) -> Result<Flow, HostError> {
    let slot = &table.layout.space[attribute];
    if let Some(index) = &slot.index {
        return match index.find(wanted) {
            Some(at) => table.give_common(call, &table.state.index[at], set),
            None => table.give_spaces(call, SpaceSet::EMPTY),
        };
    }
    let column = &table.state.values[slot.at as usize..];
    let found = set.filtered(|s| column[(s * slot.width) as usize] as i64 == wanted);
    table.give_spaces(call, found)
}

fn spaces_where(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let (field, lexicon) = (call.int(0)? as usize, &table.game.lexicon);
    if let Some(map) = &table.game.definition.map {
        let column = &lexicon.space_values[field];
        fit::field_fits(&map.space_fields[field], column, call.arg(1), lexicon)
            .map_err(HostError::new)?;
    }
    let by_value = &lexicon.spaces_by_value[field];
    let found = by_value
        .iter()
        .find(|(value, _)| same_value(table, value, call.arg(1)));
    let found = found.map_or(SpaceSet::EMPTY, |(_, set)| {
        set & table.state.board.in_play()
    });
    table.give_spaces(call, found)
}

#[inline(always)]
fn filter(
    table: &mut Table,
    call: Call<Object>,
    keep: impl Fn(i64) -> bool,
) -> Result<Flow, HostError> {
    match Table::small_set(call.arg(0)) {
        Some(set) => filter_set(table, call, set, keep),
        None => filter_any(table, call, keep),
    }
}

#[inline(never)]
fn filter_any(
    table: &mut Table,
    call: Call<Object>,
    keep: impl Fn(i64) -> bool,
) -> Result<Flow, HostError> {
    let set = table.space_set(call.arg(0))?;
    filter_set(table, call, set, keep)
}

#[inline(always)]
fn filter_set(
    table: &mut Table,
    call: Call<Object>,
    set: SpaceSet,
    keep: impl Fn(i64) -> bool,
) -> Result<Flow, HostError> {
    let attribute = call.int(1)? as usize;
    let slot = &table.layout.space[attribute];
    fit::is_number(&table.game.definition.attributes.space[attribute]).map_err(HostError::new)?;
    let column =
        &table.state.values[slot.at as usize..][..(table.layout.spaces * slot.width) as usize];
    let found = set.filtered(|s| keep(column[(s * slot.width) as usize] as i64));
    table.give_spaces(call, found)
}

fn at_least(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let n = call.int(2)?;
    filter(table, call, |value| value >= n)
}

fn at_most(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let n = call.int(2)?;
    filter(table, call, |value| value <= n)
}

fn others(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    match Table::small_set(call.arg(0)) {
        Some(set) => table.give_spaces(call, table.state.board.in_play() - set),
        None => others_of_any(table, call),
    }
}

#[inline(never)]
fn others_of_any(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let set = table.space_set(call.arg(0))?;
    table.give_spaces(call, table.state.board.in_play() - set)
}

fn neighbors(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let set = table.space_set(call.arg(0))?;
    table.give_spaces(call, table.state.board.border_of(&set))
}

fn adjacent(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let (a, b) = (
        call.handle(0, handle::SPACE)?,
        call.handle(1, handle::SPACE)?,
    );
    call.done(Value::Bool(table.state.board.adjacent(a, b)))
}

fn edges(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    match (Table::small_set(call.arg(0)), Table::small_set(call.arg(1))) {
        (Some(from), Some(to)) => table.give_edges(call, from, to),
        _ => edges_of_any(table, call),
    }
}

#[inline(never)]
fn edges_of_any(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let (from, to) = (table.space_set(call.arg(0))?, table.space_set(call.arg(1))?);
    table.give_edges(call, from, to)
}

fn edge(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let (a, b) = (
        call.handle(0, handle::SPACE)?,
        call.handle(1, handle::SPACE)?,
    );
    let found = if table.state.board.adjacent(a, b) {
        value::edge(a, b)
    } else {
        Value::Unit
    };
    call.done(found)
}

fn areas(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let count = table.game.lexicon.area_words.len() as u32;
    call.done(Value::list(
        (0..count).map(|a| Value::Handle(handle::AREA, a)),
    ))
}

fn sections(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let words = table.game.lexicon.section_words.iter();
    let words = Value::list(words.map(|&w| Value::Handle(handle::WORD, w)));
    call.done(words)
}

fn section_number(table: &Table, value: &Val) -> Result<u32, HostError> {
    let number = match value {
        Value::Handle(handle::WORD, word) => table
            .game
            .lexicon
            .section_words
            .iter()
            .position(|w| w == word),
        _ => None,
    };
    number
        .map(|n| n as u32)
        .ok_or_else(|| HostError::new(format!("there is no section `{}`", table.display(value))))
}

fn section_spaces(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let section = section_number(table, call.arg(0))?;
    let map = table.game.definition.map.as_ref();
    let squares = map
        .into_iter()
        .flat_map(|m| &m.sections[section as usize].squares);
    let set: SpaceSet = squares.filter_map(|s| *s).collect();
    table.give_spaces(call, set)
}

fn place_section(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    table.writable()?;
    let section = section_number(table, call.arg(0))?;
    let placement = Placement {
        section,
        column: call.int(1)? as i32,
        row: call.int(2)? as i32,
        turns: call.int(3)?.rem_euclid(4) as u8,
    };
    let taken = table.state.board.placements().iter();
    if taken
        .into_iter()
        .any(|p| p.section != section && (p.column, p.row) == (placement.column, placement.row))
    {
        return Err(HostError::new(format!(
            "another section lies at column {}, row {}",
            placement.column, placement.row
        )));
    }
    let game = table.game.clone();
    table.state.place_section(&game.definition, placement);
    call.done(Value::Unit)
}
