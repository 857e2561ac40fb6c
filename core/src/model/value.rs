//! The kernel's own values inside scripts: handles for what stands on the table, and collections of them.

use super::board::Rows;
use super::set::SpaceSet;
use crate::limits::MOST_PLAYERS;
use ludoteca_vm::{HostObject, Range, Shared, Value};
use serde::{Deserialize, Serialize};
use std::sync::Mutex;
use std::thread::LocalKey;

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
    /// Seats in an order: how many, then the seats, two in a byte.
    pub const PLAYERS: u8 = 1;
    /// A few dice from high to low: how many, then what they show.
    pub const DICE: u8 = 2;
    /// One number per player, per word or so many, of something's attribute: the handle's kind, the slot, the id.
    pub const ROW: u8 = 3;
    /// All pairs of neighbours from one set into another, on a map of at most 56 spaces.
    pub const EDGES: u8 = 4;
    /// As a row of numbers, but of flags.
    pub const FLAGS: u8 = 5;
}

/// Kinds of values behind a pointer.
pub mod object {
    pub const SPACES: u8 = 0;
    pub const EDGES: u8 = 1;
    pub const PIECES: u8 = 2;
    pub const DICE: u8 = 3;
}

/// Collections too large to be inline.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Object {
    /// A set of spaces on a large map.
    Spaces(SpaceSet),
    /// All pairs of neighbours from one set into another; never listed unless somebody asks.
    Edges { from: SpaceSet, to: SpaceSet },
    /// Moves from space to space, or some borders: the targets of each space that has some.
    EdgeRows(Rows),
    /// Pieces in an order.
    Pieces(Vec<u32>),
    /// Many dice, or dice with large numbers, from high to low.
    Dice(Vec<i32>),
}

impl HostObject for Object {
    fn kind(&self) -> u8 {
        match self {
            Object::Spaces(_) => object::SPACES,
            Object::Edges { .. } | Object::EdgeRows(_) => object::EDGES,
            Object::Pieces(_) => object::PIECES,
            Object::Dice(_) => object::DICE,
        }
    }

    fn spares() -> Option<&'static LocalKey<ludoteca_vm::UsedMemory<Object>>> {
        thread_local! {
            static SPARES: ludoteca_vm::UsedMemory<Object> = const { ludoteca_vm::UsedMemory::new() };
        }
        Some(&SPARES)
    }
}

/// Objects scripts no longer hold, ready to be filled again: sets and lists of options come and go at every decision.
#[derive(Debug, Default)]
pub struct Spares {
    others: Pool<Object>,
    rows: Pool<Object>,
    pieces: Pool<Object>,
    ranges: Pool<Range>,
    /// Where pieces are put in order.
    sorting: Mutex<Vec<(i64, u32)>>,
}

/// Objects of one kind kept for reuse.
const SPARES: usize = 12;

/// Objects of one kind, those that somebody holds among them.
#[derive(Debug)]
pub struct Pool<T>(Mutex<Kept<T>>);

/// The objects, and which of them was given last. It is asked first: those before it are mostly still held.
#[derive(Debug)]
struct Kept<T> {
    objects: Vec<Shared<T>>,
    last: usize,
}

impl<T> Default for Pool<T> {
    fn default() -> Self {
        Pool(Mutex::new(Kept {
            objects: Vec::new(),
            last: 0,
        }))
    }
}

impl<T> Kept<T> {
    /// One that nobody else holds.
    #[inline(always)]
    fn free(&mut self) -> Option<&mut Shared<T>> {
        let (count, last) = (self.objects.len(), self.last);
        let is_free = |at: &usize| self.objects[*at].is_unique();
        self.last = (last..count).chain(0..last).find(is_free)?;
        self.objects.get_mut(self.last)
    }
}

impl<T> Pool<T> {
    /// One of the objects that nobody else holds, filled anew; if there is none, a new one.
    #[inline(always)]
    pub fn again(&self, fill: impl FnOnce(&mut T), new: impl FnOnce() -> T) -> Shared<T> {
        // Whoever only looks at a table may do so beside others: nobody waits for memory.
        let mut kept = self.0.try_lock().ok();
        if let Some(spare) = kept.as_deref_mut().and_then(Kept::free)
            && let Some(place) = Shared::get_mut(spare)
        {
            fill(place);
            return spare.clone();
        }
        let mut content = new();
        fill(&mut content);
        let made = Shared::new(content);
        if let Some(kept) = kept.as_deref_mut()
            && kept.objects.len() < SPARES
        {
            kept.objects.push(made.clone());
        }
        made
    }
}

impl Spares {
    /// Something too large to be inline: a set of spaces, two of them, many dice.
    #[inline]
    pub fn share(&self, content: Object) -> Shared<Object> {
        let mut content = Some(content);
        let mut fill = |place: &mut Object| {
            if let Some(content) = content.take() {
                *place = content;
            }
        };
        self.others
            .again(&mut fill, || Object::Spaces(SpaceSet::EMPTY))
    }

    /// Some borders: the targets of each space.
    pub fn rows(&self, list: impl FnOnce(&mut Rows)) -> Shared<Object> {
        let fill = |place: &mut Object| {
            if let Object::EdgeRows(rows) = place {
                rows.clear();
                list(rows);
            }
        };
        self.rows.again(fill, || Object::EdgeRows(Vec::new()))
    }

    /// A list of pieces.
    pub fn pieces(&self, pieces: impl Iterator<Item = u32>) -> Shared<Object> {
        let fill = |place: &mut Object| {
            if let Object::Pieces(listed) = place {
                listed.clear();
                listed.extend(pieces);
            }
        };
        self.pieces.again(fill, || Object::Pieces(Vec::new()))
    }

    /// Room to put pieces in order by a number; [`Spares::sorted`] gives it back.
    pub fn room_to_sort(&self) -> Vec<(i64, u32)> {
        let mut room = self
            .sorting
            .try_lock()
            .map_or_else(|_| Vec::new(), |mut kept| std::mem::take(&mut *kept));
        room.clear();
        room
    }

    pub fn sorted(&self, room: Vec<(i64, u32)>) {
        if let Ok(mut kept) = self.sorting.try_lock() {
            *kept = room;
        }
    }

    /// The numbers from `low` to `high`.
    pub fn range(&self, low: i64, high: i64) -> Shared<Range> {
        let range = Range {
            from: low,
            to: high,
            inclusive: true,
        };
        self.ranges.again(|place| *place = range, || range)
    }
}

/// Sets of maps up to this size are inline.
pub const INLINE_SPACES: usize = 112;
/// Borders between two sets of maps up to this size are inline.
pub const INLINE_EDGES: usize = 56;
/// Dice that fit inline, if all they can show fits into a byte.
pub const INLINE_DICE: usize = 13;

#[inline(always)]
pub fn player(seat: u8) -> Val {
    Value::Handle(handle::PLAYER, seat as u32)
}

#[inline(always)]
pub fn space(id: u32) -> Val {
    Value::Handle(handle::SPACE, id)
}

#[inline(always)]
pub fn piece(id: u32) -> Val {
    Value::Handle(handle::PIECE, id)
}

#[inline(always)]
pub fn edge(from: u32, to: u32) -> Val {
    Value::Handle(handle::EDGE, from << 16 | to)
}

/// The two ends of an edge handle.
#[inline(always)]
pub fn ends(id: u32) -> (u32, u32) {
    (id >> 16, id & 0xffff)
}

/// The two sets that stand for all borders between them, if a value is such.
#[inline(always)]
pub fn lazy_edges(value: &Val) -> Option<(SpaceSet, SpaceSet)> {
    match value {
        Value::Small(small::EDGES, bytes) => Some(SpaceSet::pair_from_bytes(*bytes)),
        Value::Object(object) => match &**object {
            Object::Edges { from, to } => Some((from.clone(), to.clone())),
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

/// Moves or borders that are listed by where they start, if a value is such.
#[inline(always)]
pub fn rows_of(value: &Val) -> Option<&Rows> {
    match value {
        Value::Object(object) => match &**object {
            Object::EdgeRows(rows) => Some(rows),
            _ => None,
        },
        _ => None,
    }
}

/// Seats in an order, kept inline.
pub fn seat_list(seats: impl Iterator<Item = u8>) -> Val {
    let mut bytes = [0; 14];
    for seat in seats.take(MOST_PLAYERS as usize) {
        let at = bytes[0] as usize;
        bytes[1 + at / 2] |= seat << (at % 2 * 4);
        bytes[0] += 1;
    }
    Value::Small(small::PLAYERS, bytes)
}

/// The seats of such a list.
pub fn listed_seats(bytes: &[u8; 14]) -> impl Iterator<Item = u8> + '_ {
    let count = bytes[0].min(MOST_PLAYERS) as usize;
    (0..count).map(|at| bytes[1 + at / 2] >> (at % 2 * 4) & 15)
}

/// Seats in some order, in no memory of their own.
#[derive(Debug, Clone, Copy, Default)]
pub struct SeatRow {
    listed: [u8; MOST_PLAYERS as usize],
    count: u8,
}

impl SeatRow {
    /// Adds a seat; false if there are as many as sit at the largest table.
    #[must_use]
    pub fn push(&mut self, seat: u8) -> bool {
        let Some(place) = self.listed.get_mut(self.count as usize) else {
            return false;
        };
        *place = seat;
        self.count += 1;
        true
    }
}

impl std::ops::Deref for SeatRow {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.listed[..self.count as usize]
    }
}

/// What a few dice show.
pub fn few_dice(bytes: &[u8; 14]) -> impl Iterator<Item = i32> + '_ {
    let count = (bytes[0] as usize).min(INLINE_DICE);
    bytes[1..=count].iter().map(|&shown| shown as i8 as i32)
}

/// What the `n`-th of a few dice shows.
#[inline(always)]
pub fn die(bytes: &[u8; 14], n: i64) -> Option<i8> {
    let [count, shown @ ..] = bytes;
    match n < *count as i64 {
        true => Some(*shown.get(usize::try_from(n).ok()?)? as i8),
        false => None,
    }
}

/// A number, or `()` for "none".
#[inline(always)]
pub fn reference(kind: u8, id: i32) -> Val {
    if id < 0 {
        Value::Unit
    } else {
        Value::Handle(kind, id as u32)
    }
}
