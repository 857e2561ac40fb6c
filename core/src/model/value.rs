//! The kernel's own values inside scripts: handles for what stands on the table, and collections of them.

use super::set::SpaceSet;
use ludoteca_vm::{HostObject, Range, Shared, Value};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;

/// A script value of this kernel.
pub type Val = Value<Object>;

/// Kinds of handles. A handle is a number that means something to the state or the definition.
pub mod handle {
    pub const GAME: u8 = 0;
    pub const PLAYER: u8 = 1;
    pub const SPACE: u8 = 2;
    pub const PIECE: u8 = 3;
    pub const CARD: u8 = 4;
    pub const ZONE: u8 = 5;
    pub const AREA: u8 = 6;
    /// Two spaces, the first in the upper half.
    pub const EDGE: u8 = 7;
    pub const WORD: u8 = 8;
    /// How many kinds there are.
    pub const COUNT: usize = 9;
}

/// Kinds of values kept inline.
pub mod small {
    /// A set of spaces on a map of at most 112.
    pub const SPACES: u8 = 0;
    /// Seats in an order: how many, then the seats.
    pub const PLAYERS: u8 = 1;
    /// Dice from high to low: how many, then what they show.
    pub const DICE: u8 = 2;
    /// One number per player of something's attribute: the handle's kind, the slot, the id.
    pub const ROW: u8 = 3;
    /// All pairs of neighbours from one set into another, on a map of at most 56 spaces.
    pub const EDGES: u8 = 4;
}

/// Kinds of values behind a pointer.
pub mod object {
    pub const SPACES: u8 = 0;
    pub const EDGES: u8 = 1;
    pub const PIECES: u8 = 2;
}

/// Collections too large to be inline.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Object {
    /// A set of spaces on a large map.
    Spaces(SpaceSet),
    /// All pairs of neighbours from one set into another; never listed unless somebody asks.
    Edges { from: SpaceSet, to: SpaceSet },
    /// Some of them: the targets of each space.
    EdgeRows(Vec<SpaceSet>),
    /// Pieces in an order.
    Pieces(Vec<u32>),
}

impl HostObject for Object {
    fn kind(&self) -> u8 {
        match self {
            Object::Spaces(_) => object::SPACES,
            Object::Edges { .. } | Object::EdgeRows(_) => object::EDGES,
            Object::Pieces(_) => object::PIECES,
        }
    }
}

/// Objects scripts no longer hold, ready to be filled again: sets and lists of options come and go at every decision.
#[derive(Debug, Default)]
pub struct Spares {
    sets: RefCell<Vec<Shared<Object>>>,
    rows: RefCell<Vec<Shared<Object>>>,
    pieces: RefCell<Vec<Shared<Object>>>,
    ranges: RefCell<Vec<Shared<Range>>>,
}

/// Objects of each kind kept for reuse.
const SPARES: usize = 12;

/// One of the objects that nobody else holds, filled anew; if there is none, a new one.
#[inline(always)]
fn again<T>(
    spares: &RefCell<Vec<Shared<T>>>,
    fill: impl FnOnce(&mut T),
    new: impl FnOnce() -> T,
) -> Shared<T> {
    let mut spares = spares.borrow_mut();
    for spare in spares.iter_mut() {
        if let Some(place) = Shared::get_mut(spare) {
            fill(place);
            return spare.clone();
        }
    }
    let mut content = new();
    fill(&mut content);
    let made = Shared::new(content);
    if spares.len() < SPARES {
        spares.push(made.clone());
    }
    made
}

impl Spares {
    /// A set of spaces too large to be inline, or two of them.
    #[inline]
    pub fn set(&self, content: Object) -> Shared<Object> {
        let mut content = Some(content);
        let mut fill = |place: &mut Object| {
            if let Some(content) = content.take() {
                *place = content;
            }
        };
        again(&self.sets, &mut fill, || Object::Spaces(SpaceSet::EMPTY))
    }

    /// Some borders: the targets of each space.
    pub fn rows(&self, list: impl FnOnce(&mut Vec<SpaceSet>)) -> Shared<Object> {
        let fill = |place: &mut Object| {
            if let Object::EdgeRows(rows) = place {
                rows.clear();
                list(rows);
            }
        };
        again(&self.rows, fill, || Object::EdgeRows(Vec::new()))
    }

    /// A list of pieces.
    pub fn pieces(&self, pieces: impl Iterator<Item = u32>) -> Shared<Object> {
        let fill = |place: &mut Object| {
            if let Object::Pieces(listed) = place {
                listed.clear();
                listed.extend(pieces);
            }
        };
        again(&self.pieces, fill, || Object::Pieces(Vec::new()))
    }

    /// The numbers from `low` to `high`.
    pub fn range(&self, low: i64, high: i64) -> Shared<Range> {
        let range = Range {
            from: low,
            to: high,
            inclusive: true,
        };
        again(&self.ranges, |place| *place = range, || range)
    }
}

/// Sets of maps up to this size are inline.
pub const INLINE_SPACES: usize = 112;
/// Borders between two sets of maps up to this size are inline.
pub const INLINE_EDGES: usize = 56;
/// Players or dice that fit inline.
pub const INLINE_LIST: usize = crate::limits::SHORT_LIST;
const _: () = assert!(crate::limits::MOST_PLAYERS as usize <= INLINE_LIST);

pub fn player(seat: u8) -> Val {
    Value::Handle(handle::PLAYER, seat as u32)
}

pub fn space(id: u32) -> Val {
    Value::Handle(handle::SPACE, id)
}

pub fn piece(id: u32) -> Val {
    Value::Handle(handle::PIECE, id)
}

pub fn edge(from: u32, to: u32) -> Val {
    Value::Handle(handle::EDGE, from << 16 | to)
}

/// The two ends of an edge handle.
pub fn ends(id: u32) -> (u32, u32) {
    (id >> 16, id & 0xffff)
}

/// The two sets that stand for all borders between them, if a value is such.
#[inline(always)]
pub fn lazy_edges(value: &Val) -> Option<(SpaceSet, SpaceSet)> {
    match value {
        Value::Small(small::EDGES, bytes) => Some(SpaceSet::pair_from_bytes(*bytes)),
        Value::Object(object) => match &**object {
            Object::Edges { from, to } => Some((*from, *to)),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a value is borders: one, or a collection of them.
#[inline(always)]
pub fn is_edges(value: &Val) -> bool {
    match value {
        Value::Handle(handle::EDGE, _) | Value::Small(small::EDGES, _) => true,
        Value::Object(object) => object.kind() == object::EDGES,
        _ => false,
    }
}

/// A list of seats or of dice, kept inline.
pub fn short_list(kind: u8, items: &[u8]) -> Val {
    let mut bytes = [0; 14];
    let count = items.len().min(INLINE_LIST);
    bytes[0] = count as u8;
    bytes[1..=count].copy_from_slice(&items[..count]);
    Value::Small(kind, bytes)
}

/// The items of such a list.
pub fn short_items(bytes: &[u8; 14]) -> &[u8] {
    &bytes[1..=(bytes[0] as usize).min(INLINE_LIST)]
}

/// A number, or `()` for "none".
pub fn reference(kind: u8, id: i32) -> Val {
    if id < 0 {
        Value::Unit
    } else {
        Value::Handle(kind, id as u32)
    }
}
