//! What a call costs: every row of the table says it, and it is charged before the work, in proportion to it.
//! One operation pays for about a tenth of a microsecond, so that the budget of a step is a bound of its time.

use crate::limits::{LARGEST_DETAILS, LARGEST_OPTION};
use crate::model::set::SpaceSet;
use crate::model::state::IN_THE_BOX;
use crate::model::value::{Object, Val, handle, is_edges};
use crate::table::Table;
use crate::table::weight::{shown, weight};
use ludoteca_vm::{Call, CostFn, Value};

/// What a call costs beyond an operation of its own.
#[derive(Debug, Clone, Copy)]
pub enum Cost {
    /// The same whatever it is given: it looks at one thing, at a set of spaces as a whole, or at the players.
    Fixed,
    /// In proportion to what it is given.
    Of(CostFn<Table>),
}

impl Cost {
    pub fn charged(self) -> Option<CostFn<Table>> {
        match self {
            Cost::Fixed => None,
            Cost::Of(cost) => Some(cost),
        }
    }
}

/// Members a function may go through at the cost of one operation.
const MEMBERS: usize = 8;

fn members_of(table: &Table, value: &Val) -> u64 {
    table.count(value) as u64
}

/// Counting borders goes by every space they start from; on a small map, or of anything else, it is nothing.
fn counting(table: &Table, value: &Val) -> u64 {
    match value {
        Value::Object(_) if is_edges(value) => per_operation(table.layout.spaces as usize),
        _ => 0,
    }
}

/// How many an argument has.
pub fn counted<const I: usize>(table: &Table, call: &Call<Object>) -> u64 {
    counting(table, call.arg(I))
}

fn per_operation(members: usize) -> u64 {
    (members / MEMBERS) as u64
}

/// Every member of an argument is looked at.
pub fn members<const I: usize>(table: &Table, call: &Call<Object>) -> u64 {
    members_of(table, call.arg(I)) / MEMBERS as u64 + counted::<I>(table, call)
}

/// A number is looked up for every member of an argument.
pub fn measures<const I: usize>(table: &Table, call: &Call<Object>) -> u64 {
    members_of(table, call.arg(I)) / 2 + counted::<I>(table, call)
}

/// Up to three numbers are looked up for every member, and the members put in order by them.
pub fn ranking(table: &Table, call: &Call<Object>) -> u64 {
    2 * members_of(table, call.arg(0)) + counted::<0>(table, call)
}

/// The first members of an argument, as many as the next one says.
pub fn first(table: &Table, call: &Call<Object>) -> u64 {
    let asked = call.int(1).map_or(0, |n| n.max(0) as u64);
    members_of(table, call.arg(0)).min(asked) / 2 + counted::<0>(table, call)
}

/// A list of spaces is gone through; a set is a few words.
fn listed(value: &Val) -> u64 {
    match value {
        Value::Array(items) => per_operation(items.len()),
        _ => 0,
    }
}

/// One set of spaces.
#[inline(always)]
pub fn set<const I: usize>(_: &Table, call: &Call<Object>) -> u64 {
    listed(call.arg(I))
}

/// Two sets of spaces.
#[inline(always)]
pub fn two_sets(_: &Table, call: &Call<Object>) -> u64 {
    listed(call.arg(0)) + listed(call.arg(1))
}

/// Every space of the table is looked at.
pub fn board(table: &Table, _: &Call<Object>) -> u64 {
    per_operation(table.layout.spaces as usize)
}

/// What lies around a set.
pub fn around(table: &Table, call: &Call<Object>) -> u64 {
    listed(call.arg(0)) + board(table, call)
}

/// Every space of a set is changed or asked.
pub fn each_space<const I: usize>(table: &Table, call: &Call<Object>) -> u64 {
    listed(call.arg(I)) + table.layout.spaces as u64 / 4
}

/// The same, and another set.
pub fn each_space_of_two(table: &Table, call: &Call<Object>) -> u64 {
    two_sets(table, call) + table.layout.spaces as u64 / 4
}

/// A walk over the map, from border to border.
pub fn walk<const I: usize>(table: &Table, call: &Call<Object>) -> u64 {
    listed(call.arg(I)) + table.layout.spaces as u64
}

/// Rays from every space of a set, in every direction; the first N arguments are sets of spaces or directions.
pub fn rays<const N: usize>(table: &Table, call: &Call<Object>) -> u64 {
    all_listed::<N>(call) + 4 * table.layout.spaces as u64
}

fn all_listed<const N: usize>(call: &Call<Object>) -> u64 {
    (0..N).map(|i| listed(call.arg(i))).sum()
}

/// So many steps, one after the other.
pub fn step(_: &Table, call: &Call<Object>) -> u64 {
    match call.given() {
        3 => call.int(2).map_or(0, |times| times.max(0) as u64 / 4),
        _ => 0,
    }
}

/// A step for every space of a set, in a list of directions.
pub fn steps(table: &Table, call: &Call<Object>) -> u64 {
    each_space::<0>(table, call) + listed(call.arg(1))
}

/// Rays from every space of a set, each for itself. Only a large board has to walk along them, in eight directions.
pub fn ray_moves(table: &Table, call: &Call<Object>) -> u64 {
    let walked = table.game.geometry.as_ref().map_or(0, |g| g.longest_walk());
    rays::<3>(table, call) + 16 * set_len(table, call.arg(0)) * walked as u64
}

/// Spaces in a row: the set is shifted as often as the row is long.
pub fn line<const N: usize>(table: &Table, call: &Call<Object>) -> u64 {
    let spaces = table.layout.spaces as u64;
    let wanted = call.int(1).map_or(0, |n| n.max(0) as u64);
    all_listed::<N>(call) + spaces + wanted.min(spaces) * spaces / 64
}

/// The board as one number, compared with those noted before.
fn noted(table: &Table) -> u64 {
    let board = table
        .layout
        .space
        .iter()
        .map(|slot| slot.width as usize)
        .sum::<usize>();
    per_operation(board * table.layout.spaces as usize + table.state.noted.len())
}

pub fn noting(table: &Table, _: &Call<Object>) -> u64 {
    noted(table)
}

/// The same with a list of values.
pub fn noting_with(table: &Table, call: &Call<Object>) -> u64 {
    noted(table) + listed(call.arg(0))
}

/// The same for each space of a set.
pub fn bringing_back(table: &Table, call: &Call<Object>) -> u64 {
    set_len(table, call.arg(0)) * (1 + noted(table)) + listed(call.arg(0))
}

fn written_edges(table: &Table) -> u64 {
    let map = table.game.definition.map.as_ref();
    map.map_or(0, |map| map.edges.len() as u64)
}

/// Every border of the map.
pub fn all_edges(table: &Table, _: &Call<Object>) -> u64 {
    written_edges(table) + table.layout.spaces as u64
}

/// Cheapest ways between all spaces of a set.
fn cost_table(table: &Table, through: u64) -> u64 {
    through * (written_edges(table) + table.layout.spaces as u64) / 2
}

/// A board that is worked out anew: its distances, and what its cheapest ways will take when somebody asks.
pub fn new_board(table: &Table, call: &Call<Object>) -> u64 {
    let spaces = table.layout.spaces as u64;
    let map = table.game.definition.map.as_ref();
    let squares: usize = map.map_or(0, |m| m.sections.iter().map(|s| s.squares.len()).sum());
    let fields = map.map_or(0, |m| m.edge_fields.len() as u64);
    let given = if call_has_set(call) {
        listed(call.arg(0))
    } else {
        0
    };
    given + spaces * spaces / 2 + squares as u64 + fields * cost_table(table, spaces)
}

fn call_has_set(call: &Call<Object>) -> bool {
    matches!(call.arg(0), Value::Array(_))
}

/// What some of a set can reach: every way from one set into the other is compared.
pub fn affordable(table: &Table, call: &Call<Object>) -> u64 {
    let pairs = set_len(table, call.arg(0)) * set_len(table, call.arg(1));
    // The sets are looked at, even if one of them is empty.
    two_sets(table, call) + board(table, call) + pairs / MEMBERS as u64
}

fn set_len(table: &Table, value: &Val) -> u64 {
    table.space_set(value).map_or(0, |set| set.len() as u64)
}

/// What lies around a space is looked up; from a set, or by some ways only, somebody walks.
pub fn within(table: &Table, call: &Call<Object>) -> u64 {
    match (call.given(), call.arg(0)) {
        (2, Value::Handle(..)) => board(table, call),
        (2, from) => listed(from) + table.layout.spaces as u64,
        (_, from) => listed(from) + listed(call.arg(2)) + table.layout.spaces as u64,
    }
}

/// The cheapest way, whose table is there already or not.
pub fn cheapest(table: &Table, call: &Call<Object>) -> u64 {
    let from = each_space::<0>(table, call);
    if call.given() == 3 {
        return from;
    }
    let through = table.space_set(call.arg(3)).unwrap_or(SpaceSet::EMPTY);
    let whole = through == *table.state.board.in_play();
    let field = call.int(2).unwrap_or(0) as usize;
    let known = whole || table.state.knows_costs(field, &through);
    let table_cost = match known {
        true => 0,
        false => cost_table(table, through.len() as u64),
    };
    from + listed(call.arg(3)) + table_cost
}

/// The sections of the map, and the squares of one.
pub fn section(table: &Table, _: &Call<Object>) -> u64 {
    let map = table.game.definition.map.as_ref();
    let largest = map.map_or(0, |m| {
        let squares = m.sections.iter().map(|s| s.squares.len());
        m.sections.len() + squares.max().unwrap_or(0)
    });
    per_operation(largest)
}

pub fn areas(table: &Table, _: &Call<Object>) -> u64 {
    per_operation(table.game.lexicon.area_words.len())
}

pub fn sections(table: &Table, _: &Call<Object>) -> u64 {
    per_operation(table.game.lexicon.section_words.len())
}

fn zone_of(call: &Call<Object>, i: usize) -> usize {
    call.handle(i, handle::ZONE)
        .map_or(usize::MAX, |z| z as usize)
}

fn lying(table: &Table, zone: usize) -> usize {
    table.state.zones.get(zone).map_or(0, |lying| lying.len())
}

/// So many pieces come into a zone: what they forget there, and the order the zone is kept in.
fn landing(table: &Table, zone: usize, pieces: usize) -> u64 {
    let Some(&(declared, _)) = table.layout.zones.get(zone) else {
        return 0;
    };
    let forgotten = table.layout.lost[declared as usize].len();
    let sorted = match table.game.zone_order[declared as usize] {
        Some(_) => (lying(table, zone) + pieces) as u64,
        None => 0,
    };
    (pieces as u64).saturating_mul(1 + per_operation(forgotten) + sorted)
}

/// Taking a piece out of the middle of its zone.
fn lifting(table: &Table, call: &Call<Object>) -> u64 {
    let Ok(piece) = call.handle(0, handle::PIECE) else {
        return 0;
    };
    match table.state.pieces[piece as usize].zone {
        IN_THE_BOX => 0,
        zone => {
            let pieces = &table.state.zones[zone as usize];
            match pieces.last() == Some(&piece) {
                true => 0,
                false => per_operation(pieces.len()),
            }
        }
    }
}

/// A row of attributes for each new piece.
fn making(table: &Table, pieces: usize) -> u64 {
    (pieces as u64).saturating_mul(1 + per_operation(table.layout.piece_row))
}

pub fn fill(table: &Table, call: &Call<Object>) -> u64 {
    let (zone, kind) = (zone_of(call, 0), call.int(1).unwrap_or(-1));
    let cards = &table.game.definition.cards;
    let of_kind = cards.iter().filter(|card| card.kind as i64 == kind);
    let copies = of_kind.map(|card| card.copies as usize).sum();
    per_operation(cards.len()) + making(table, copies) + landing(table, zone, copies)
}

pub fn create(table: &Table, call: &Call<Object>) -> u64 {
    making(table, 1) + landing(table, zone_of(call, 1), 1)
}

pub fn draw(table: &Table, call: &Call<Object>) -> u64 {
    let asked = match call.given() {
        2 => 1,
        _ => call.int(2).map_or(0, |n| n.max(0) as usize),
    };
    let drawn = lying(table, zone_of(call, 0)).min(asked);
    landing(table, zone_of(call, 1), drawn)
}

pub fn move_one(table: &Table, call: &Call<Object>) -> u64 {
    lifting(table, call) + landing(table, zone_of(call, 1), 1)
}

pub fn move_under(table: &Table, call: &Call<Object>) -> u64 {
    move_one(table, call) + per_operation(lying(table, zone_of(call, 1)))
}

pub fn remove(table: &Table, call: &Call<Object>) -> u64 {
    let forgotten = table.layout.lost.last().map_or(0, Vec::len);
    lifting(table, call) + per_operation(forgotten)
}

/// What lies in a zone, or in each of several.
pub fn lying_in(table: &Table, call: &Call<Object>) -> u64 {
    match call.arg(0) {
        Value::Array(zones) => zones.len() as u64 + pass_on(table, call) / MEMBERS as u64,
        _ => members::<0>(table, call),
    }
}

/// Every zone of a space, and what lies there.
pub fn on_board(table: &Table, _: &Call<Object>) -> u64 {
    let lying = |zone: u32| 1 + table.state.zones[zone as usize].len();
    per_operation(table.zones_of_spaces().map(lying).sum())
}

/// Pieces out of anywhere: each is looked for in its zone.
pub fn remove_all(table: &Table, call: &Call<Object>) -> u64 {
    let longest = table
        .state
        .zones
        .iter()
        .map(|lying| lying.len())
        .max()
        .unwrap_or(0);
    let forgotten = table.layout.lost.last().map_or(0, Vec::len);
    let each = 1 + per_operation(longest) + per_operation(forgotten);
    members_of(table, call.arg(0)).saturating_mul(each)
}

/// What lies in each zone of a list.
pub fn pass_on(table: &Table, call: &Call<Object>) -> u64 {
    let zones = call.arg(0).as_array().unwrap_or_default().iter();
    let pieces = zones.map(|zone| match zone {
        Value::Handle(handle::ZONE, zone) => table.state.zones[*zone as usize].len(),
        _ => 0,
    });
    listed(call.arg(0)) + pieces.sum::<usize>() as u64
}

/// From the bottom: each piece is taken out under all that are left.
pub fn move_all(table: &Table, call: &Call<Object>) -> u64 {
    let moved = lying(table, zone_of(call, 0));
    let lifted = moved as u64 * per_operation(moved);
    lifted + landing(table, zone_of(call, 1), moved)
}

/// A zone is put in order, by a number or by luck.
pub fn sort(table: &Table, call: &Call<Object>) -> u64 {
    lying(table, zone_of(call, 0)) as u64
}

pub fn all_cards(table: &Table, _: &Call<Object>) -> u64 {
    per_operation(table.game.definition.cards.len())
}

/// Those who have won, if anybody says who.
pub fn winners(table: &Table, call: &Call<Object>) -> u64 {
    match call.given() {
        0 | 1 => 0,
        _ => members::<1>(table, call),
    }
}

/// Everything that waits on the agenda.
pub fn agenda(table: &Table, _: &Call<Object>) -> u64 {
    per_operation(table.state.agenda.len())
}

/// The same, each waiting call as a list of its own.
pub fn waiting(table: &Table, _: &Call<Object>) -> u64 {
    table.state.agenda.len() as u64
}

/// A step is put in front of what waits; what it carries is measured.
pub fn next_step(table: &Table, call: &Call<Object>) -> u64 {
    agenda(table, call) + carried(table, call)
}

/// What a step carries is measured.
pub fn carried(_: &Table, call: &Call<Object>) -> u64 {
    let weights = (1..call.given()).map(|i| weight(call.arg(i), LARGEST_DETAILS));
    per_operation(weights.sum())
}

/// A text is filled with details: every brace is looked up among them.
pub fn filled<const KEY: usize, const DETAILS: usize>(table: &Table, call: &Call<Object>) -> u64 {
    let key = call.int(KEY).map_or(usize::MAX, |key| key as usize);
    let sizes = &table.game.lexicon.log_sizes;
    let (bytes, braces) = sizes.get(key).copied().unwrap_or_default();
    let given = match DETAILS < call.given() {
        true => call
            .arg(DETAILS)
            .as_map()
            .map_or(0, |details| details.len()),
        false => 0,
    };
    // A detail that is a list is put into words at each of its braces.
    let told = details::<DETAILS>(table, call);
    per_operation(bytes) + per_operation(braces * (given + told as usize)) + told
}

/// What is given for the braces of a text, if anything is, is shown in words.
#[inline(always)]
pub fn details<const I: usize>(table: &Table, call: &Call<Object>) -> u64 {
    match I < call.given() {
        true => shown(table, call.arg(I)) as u64,
        false => 0,
    }
}

fn holds_more(value: &Val) -> bool {
    matches!(value, Value::Array(_) | Value::Map(_))
}

/// A list of options: words are looked up, lists inside are measured.
fn options(table: &Table, value: &Val) -> u64 {
    match value {
        Value::Array(items) => {
            let bytes: usize = items
                .iter()
                .map(|item| match item {
                    Value::Str(text) => text.len(),
                    // A list within is looked at from all sides; lists in it as far as an option may reach.
                    Value::Array(inner) if inner.iter().any(holds_more) => LARGEST_OPTION,
                    Value::Array(inner) => inner.len() + 8 * MEMBERS,
                    // A list for each of several players.
                    Value::Object(_) => 1 + MEMBERS * counting(table, item) as usize,
                    _ => 1,
                })
                .sum();
            (items.len() + bytes / MEMBERS) as u64
        }
        Value::Range(_) => 0,
        _ if table.witness.is_some() => {
            members_of(table, value) / MEMBERS as u64 + counting(table, value)
        }
        _ => counting(table, value),
    }
}

#[inline(always)]
fn chosen_from(table: &Table, call: &Call<Object>) -> u64 {
    match call.arg(2) {
        // Most choices are among sets of spaces, whose options nobody lists.
        Value::Small(..) => 0,
        other => options(table, other),
    }
}

#[inline(always)]
pub fn choose(table: &Table, call: &Call<Object>) -> u64 {
    chosen_from(table, call) + details::<3>(table, call)
}

#[inline(always)]
pub fn choose_or(table: &Table, call: &Call<Object>) -> u64 {
    let words = match call.arg(3) {
        Value::Array(_) => options(table, call.arg(3)),
        _ => 0,
    };
    chosen_from(table, call) + words + details::<4>(table, call)
}

/// Each action has options of its own; those of several are listed one by one.
pub fn choose_action(table: &Table, call: &Call<Object>) -> u64 {
    let values = || {
        call.arg(2)
            .as_map()
            .into_iter()
            .flat_map(|actions| actions.values())
    };
    let things: u64 = values().map(|on| 1 + options(table, on)).sum();
    let listed = match values().filter(|on| members_of(table, on) > 0).count() {
        0 | 1 => 0,
        _ => values().map(|on| members_of(table, on)).sum(),
    };
    things + listed + details::<3>(table, call)
}

/// Every option may be taken.
pub fn choose_some(table: &Table, call: &Call<Object>) -> u64 {
    chosen_from(table, call) + members_of(table, call.arg(2)) + details::<5>(table, call)
}

pub fn choose_together(table: &Table, call: &Call<Object>) -> u64 {
    let seats = members_of(table, call.arg(0));
    seats * (2 + options(table, call.arg(2))) + listed(call.arg(2))
}

/// A row of counters is copied.
pub fn row(table: &Table, call: &Call<Object>) -> u64 {
    members_of(table, call.arg(0))
}
