//! The table as the executor sees it.

use super::Table;
use super::attributes::{one_of_row, row_parts};
use super::sets::{combine_edges, is_spaces, next_in_rows, nth_in_rows, row_of, rows_in};
use crate::content::legible::legible;
use crate::model::board::Rows;
use crate::model::set::SpaceSet;
use crate::model::state::checked;
use crate::model::value::{
    self, Object, Val, die, few_dice, handle, listed_seats, seat_list, small,
};
use crate::table::event::Event;
use crate::table::types::{BuiltIn, domain, slot};
use ludoteca_vm::{BinaryOp, Domain, Host, HostError, SMALL, Value};
use std::cmp::Ordering;
use std::sync::Arc;

impl Host for Table {
    type Object = Object;

    fn slot(&self, kind: u8, slot_number: u16, id: u32) -> Val {
        let mut read = Value::Unit;
        self.slot_into(kind, slot_number, id, &mut read);
        read
    }

    #[inline(always)]
    fn slot_into(&self, kind: u8, slot_number: u16, id: u32, register: &mut Val) {
        let index = slot::index(slot_number);
        match slot::class(slot_number) {
            slot::INT => register.put(Value::Int(self.number(kind, index, id, 0) as i64)),
            class @ (slot::PLAYER
            | slot::SPACE
            | slot::PIECE
            | slot::CARD
            | slot::AREA
            | slot::WORD) => match self.number(kind, index, id, 0) {
                ..0 => register.put(Value::Unit),
                held => register.put(Value::Handle(class as u8, held as u32)),
            },
            slot::BUILT_IN if kind == handle::EDGE => {
                let (from, to) = value::ends(id);
                let end = if BuiltIn::at(index) == BuiltIn::EdgeFrom {
                    from
                } else {
                    to
                };
                register.put(value::space(end));
            }
            slot::BUILT_IN if kind == handle::PIECE => self.of_piece(index, id, register),
            slot::FIELD if matches!(kind, handle::PIECE | handle::CARD) => {
                let card = match kind {
                    handle::PIECE => self.state.pieces[id as usize].card,
                    _ => id,
                };
                match self.game.lexicon.card_values[index].get(card as usize) {
                    Some(found) => register.put_copy(found),
                    None => register.put(Value::Unit),
                }
            }
            _ => self.slot_slowly(kind, slot_number, id, register),
        }
    }

    #[inline(always)]
    fn set_slot(
        &mut self,
        kind: u8,
        slot_number: u16,
        id: u32,
        new: &Val,
    ) -> Result<(), HostError> {
        self.writable()?;
        if slot::class(slot_number) == slot::BUILT_IN {
            return self.set_built_in(BuiltIn::at(slot::index(slot_number)), id, new);
        }
        let number = self.stored(kind, slot_number, new)?;
        self.set_number(kind, slot_number, id, 0, number);
        Ok(())
    }

    #[inline(always)]
    fn add_slot(
        &mut self,
        kind: u8,
        slot_number: u16,
        id: u32,
        delta: i64,
    ) -> Result<(), HostError> {
        self.writable()?;
        let index = slot::index(slot_number);
        if slot::class(slot_number) != slot::INT {
            return Err(self.wrong_type(kind, slot_number, &Value::Int(delta)));
        }
        let new = (self.number(kind, index, id, 0) as i64).saturating_add(delta);
        match checked(self.attribute(kind, index), new) {
            Ok(number) => {
                self.set_number(kind, slot_number, id, 0, number);
                Ok(())
            }
            Err(e) => Err(self.out_of_range(kind, slot_number, e.value)),
        }
    }

    #[inline(always)]
    fn owed(&mut self) -> u64 {
        match *self.owed.get_mut() {
            0 => 0,
            _ => std::mem::take(self.owed.get_mut()),
        }
    }

    #[inline]
    fn size(&self, value: &Val) -> usize {
        match value {
            Value::Handle(handle::ZONE, zone) => self.state.zones[*zone as usize].len(),
            Value::Small(small::ROW | small::FLAGS, _) => self.len(value).unwrap_or(0) as usize,
            Value::Small(small::EDGES, _) => self.layout.spaces as usize,
            Value::Object(object) => match &**object {
                Object::Pieces(pieces) => pieces.len(),
                Object::Dice(shown) => shown.len(),
                Object::Edges { .. } | Object::EdgeRows(_) => 4 * self.layout.spaces as usize,
                Object::Spaces(_) => 0,
            },
            _ => 0,
        }
    }

    /// Borders of a large board are counted row by row.
    #[inline(always)]
    fn seeking(&self, value: &Val) -> u64 {
        match value {
            Value::Object(object) => match &**object {
                Object::Edges { .. } | Object::EdgeRows(_) => self.layout.spaces as u64 / 8,
                _ => 0,
            },
            _ => 0,
        }
    }

    #[inline(always)]
    fn len(&self, value: &Val) -> Option<i64> {
        match value {
            Value::Small(small::SPACES, bytes) => Some(SpaceSet::from_bytes(*bytes).len() as i64),
            Value::Small(small::PLAYERS | small::DICE, bytes) => Some(bytes[0] as i64),
            Value::Small(small::ROW | small::FLAGS, bytes) => {
                let (kind, slot_number, _) = row_parts(bytes);
                Some(self.attribute(kind, slot::index(slot_number)).width as i64)
            }
            Value::Small(small::EDGES, bytes) => {
                let (from, to) = SpaceSet::pair_from_bytes(*bytes);
                Some(self.state.board.count_edges(&from, &to) as i64)
            }
            Value::Handle(handle::ZONE, id) => Some(self.state.zones[*id as usize].len() as i64),
            Value::Object(object) => Some(match &**object {
                Object::Spaces(set) => set.len() as i64,
                Object::Edges { from, to } => self.state.board.count_edges(from, to) as i64,
                Object::EdgeRows(rows) => rows.iter().map(|(_, row)| row.len() as i64).sum(),
                Object::Dice(shown) => shown.len() as i64,
                Object::Pieces(pieces) => pieces.len() as i64,
            }),
            _ => None,
        }
    }

    #[inline(always)]
    fn nth(&self, value: &Val, n: i64) -> Option<Val> {
        let n = u32::try_from(n).ok()?;
        match value {
            Value::Small(small::SPACES, bytes) => {
                SpaceSet::from_bytes(*bytes).nth(n).map(value::space)
            }
            Value::Small(small::DICE, bytes) => {
                die(bytes, n as i64).map(|shown| Value::Int(shown as i64))
            }
            Value::Small(small::PLAYERS, bytes) => {
                listed_seats(bytes).nth(n as usize).map(value::player)
            }
            Value::Small(row @ (small::ROW | small::FLAGS), bytes) => {
                let (kind, slot_number, id) = row_parts(bytes);
                let index = slot::index(slot_number);
                (n < self.attribute(kind, index).width).then(|| {
                    let number = self.number(kind, index, id, n);
                    match *row {
                        small::FLAGS => Value::Bool(number != 0),
                        _ => Value::Int(number as i64),
                    }
                })
            }
            Value::Small(small::EDGES, bytes) => {
                let (from, to) = SpaceSet::pair_from_bytes(*bytes);
                let found = self.state.board.nth_edge(&from, &to, n);
                found.map(|(a, b)| value::edge(a, b))
            }
            Value::Handle(handle::ZONE, id) => self.state.zones[*id as usize]
                .iter()
                .rev()
                .nth(n as usize)
                .map(|&p| value::piece(p)),
            Value::Object(object) => match &**object {
                Object::Spaces(set) => set.nth(n).map(value::space),
                Object::Edges { from, to } => self
                    .state
                    .board
                    .nth_edge(from, to, n)
                    .map(|(a, b)| value::edge(a, b)),
                Object::EdgeRows(rows) => nth_in_rows(rows, n),
                Object::Pieces(pieces) => pieces.get(n as usize).map(|&p| value::piece(p)),
                Object::Dice(shown) => shown.get(n as usize).map(|&n| Value::Int(n as i64)),
            },
            _ => None,
        }
    }

    #[inline(always)]
    fn index_into(&self, kind: u8, bytes: &[u8; SMALL], index: &Val, item: &mut Val) -> bool {
        match (kind, index) {
            (small::DICE, Value::Int(n)) => match die(bytes, *n) {
                Some(shown) => item.put(Value::Int(shown as i64)),
                None => return false,
            },
            (small::ROW | small::FLAGS, _) => match self.in_row(bytes, index) {
                Some(number) if kind == small::FLAGS => item.put(Value::Bool(number != 0)),
                Some(number) => item.put(Value::Int(number as i64)),
                None => return false,
            },
            (_, Value::Int(n)) => match Host::nth(self, &Value::Small(kind, *bytes), *n) {
                Some(found) => item.put_made(found),
                None => return false,
            },
            _ => return false,
        }
        true
    }

    #[inline(always)]
    fn next(&self, value: &Val, cursor: i64) -> Option<(Val, i64)> {
        match value {
            Value::Small(small::SPACES, bytes) => SpaceSet::from_bytes(*bytes)
                .next_from(cursor as u32)
                .map(|s| (value::space(s), s as i64 + 1)),
            Value::Object(object) => match &**object {
                Object::Spaces(set) => set
                    .next_from(cursor as u32)
                    .map(|s| (value::space(s), s as i64 + 1)),
                // Where one was: a row, and a place in it.
                Object::Edges { from, to } => {
                    let at = ((cursor >> 32) as u32, cursor as u32);
                    let (a, b) = self.state.board.next_edge(from, to, at)?;
                    Some((value::edge(a, b), (a as i64) << 32 | (b as i64 + 1)))
                }
                Object::EdgeRows(rows) => {
                    let (at, place) = ((cursor >> 32) as usize, cursor as u32);
                    let (n, from, to) = next_in_rows(rows, at, place)?;
                    Some((value::edge(from, to), (n as i64) << 32 | (to as i64 + 1)))
                }
                _ => Host::nth(self, value, cursor).map(|found| (found, cursor + 1)),
            },
            _ => Host::nth(self, value, cursor).map(|found| (found, cursor + 1)),
        }
    }

    #[inline(always)]
    fn next_into(&self, value: &Val, cursor: i64, item: &mut Val) -> Option<i64> {
        match value {
            Value::Small(small::SPACES, bytes) => {
                let space = SpaceSet::from_bytes(*bytes).next_from(cursor as u32)?;
                item.put(value::space(space));
                Some(space as i64 + 1)
            }
            Value::Object(object) if let Object::Pieces(pieces) = &**object => {
                item.put(value::piece(*pieces.get(cursor as usize)?));
                Some(cursor + 1)
            }
            _ => {
                let (found, cursor) = self.next(value, cursor)?;
                item.put_made(found);
                Some(cursor)
            }
        }
    }

    fn held(&mut self, value: &Val) -> Option<Val> {
        match value {
            Value::Handle(handle::ZONE, zone) => {
                Some(self.pieces_in(std::iter::once(*zone), |_, _| true))
            }
            Value::Small(small::ROW | small::FLAGS, _) => Some(self.numbers_now(value)),
            _ => None,
        }
    }

    fn contains(&self, value: &Val, item: &Val) -> Option<bool> {
        match (value, item) {
            (Value::Small(small::SPACES, bytes), Value::Handle(handle::SPACE, id)) => {
                Some(SpaceSet::from_bytes(*bytes).contains(*id))
            }
            (Value::Small(small::PLAYERS, bytes), Value::Handle(handle::PLAYER, id)) => {
                Some(listed_seats(bytes).any(|seat| seat as u32 == *id))
            }
            (Value::Small(small::DICE, bytes), Value::Int(n)) => {
                Some(few_dice(bytes).any(|shown| shown as i64 == *n))
            }
            (Value::Handle(handle::ZONE, zone), Value::Handle(handle::PIECE, id)) => {
                Some(self.state.pieces[*id as usize].zone == *zone)
            }
            (edges, Value::Handle(handle::EDGE, id))
                if let Some((from, to)) = value::lazy_edges(edges) =>
            {
                let (a, b) = value::ends(*id);
                Some(from.contains(a) && to.contains(b) && self.state.board.adjacent(a, b))
            }
            (Value::Object(object), Value::Handle(kind, id)) => Some(match (&**object, *kind) {
                (Object::Spaces(set), handle::SPACE) => set.contains(*id),
                (Object::Pieces(pieces), handle::PIECE) => pieces.contains(id),
                (Object::EdgeRows(rows), handle::EDGE) => {
                    let (a, b) = value::ends(*id);
                    row_of(rows, a).is_some_and(|row| row.contains(b))
                }
                _ => return self.has_equal(value, item),
            }),
            (Value::Object(object), Value::Int(n)) if let Object::Dice(shown) = &**object => {
                Some(shown.iter().any(|&s| s as i64 == *n))
            }
            (Value::Handle(handle::ZONE, zone), Value::Str(text)) => {
                let lying = &self.state.zones[*zone as usize];
                Some(self.is_any_called(handle::PIECE, lying.iter().copied(), text))
            }
            (Value::Object(object), Value::Str(text)) if let Object::Pieces(pieces) = &**object => {
                Some(self.is_any_called(handle::PIECE, pieces.iter().copied(), text))
            }
            (spaces, Value::Str(text)) if is_spaces(spaces) => {
                let named = self.game.lexicon.resolve(domain::SPACE, text).ok();
                named.map_or(Some(false), |space| Host::contains(self, spaces, &space))
            }
            _ => self.has_equal(value, item),
        }
    }

    fn equal(&self, a: &Val, b: &Val) -> bool {
        match (a, b) {
            (Value::Handle(handle::WORD, word), Value::Str(text))
            | (Value::Str(text), Value::Handle(handle::WORD, word)) => {
                *self.game.lexicon.words[*word as usize] == ***text
            }
            (thing @ Value::Handle(..), Value::Str(text))
            | (Value::Str(text), thing @ Value::Handle(..)) => self.is_called(thing, text),
            (Value::Handle(k, x), Value::Handle(l, y)) if k == l => x == y,
            // A thing that turns out to be one only when it runs is equal to its id, written down or read from another.
            (Value::Handle(handle::WORD, word), thing @ Value::Handle(..))
            | (thing @ Value::Handle(..), Value::Handle(handle::WORD, word)) => {
                self.is_called(thing, &self.game.lexicon.words[*word as usize])
            }
            (Value::Handle(handle::PIECE, piece), Value::Handle(handle::CARD, card))
            | (Value::Handle(handle::CARD, card), Value::Handle(handle::PIECE, piece)) => {
                self.state.pieces[*piece as usize].card == *card
            }
            (Value::Handle(handle::PLAYER, seat), Value::Int(n))
            | (Value::Int(n), Value::Handle(handle::PLAYER, seat)) => *seat as i64 == *n,
            (Value::Handle(..), Value::Handle(..)) => false,
            (Value::Small(k, x), Value::Small(l, y)) if k != l || x == y => k == l,
            (Value::Small(small::ROW | small::FLAGS, x), Value::Small(_, y)) => {
                self.same_numbers(x, y)
            }
            (Value::Object(x), Value::Object(y)) if x == y => true,
            _ => {
                value::is_edges(a)
                    && value::is_edges(b)
                    && self.listed_edges(a) == self.listed_edges(b)
            }
        }
    }

    fn compare(&self, a: &Val, b: &Val) -> Option<Ordering> {
        match (a, b) {
            (Value::Handle(handle::WORD, x), Value::Handle(handle::WORD, y)) => {
                let words = &self.game.lexicon.words;
                Some(words[*x as usize].cmp(&words[*y as usize]))
            }
            // In the order in which they were made, whatever rows they lie in.
            (Value::Handle(handle::PIECE, x), Value::Handle(handle::PIECE, y)) => {
                let key = |row: u32| self.state.pieces[row as usize].key;
                Some(key(*x).cmp(&key(*y)))
            }
            (Value::Handle(k, x), Value::Handle(l, y)) if k == l => Some(x.cmp(y)),
            _ => None,
        }
    }

    fn binary(&mut self, op: BinaryOp, a: &Val, b: &Val) -> Option<Val> {
        self.binary_of_any(op, a, b)
    }

    #[inline(always)]
    fn binary_small(op: BinaryOp, kind: u8, a: &[u8; SMALL], b: &Val) -> Option<[u8; SMALL]> {
        let other = match (kind, b) {
            (small::SPACES, Value::Small(small::SPACES, bytes)) => SpaceSet::bits_in(*bytes),
            (small::SPACES, Value::Handle(handle::SPACE, space)) => 1 << (space & 127),
            _ => return None,
        };
        let set = SpaceSet::bits_in(*a);
        let bits = match op {
            BinaryOp::Add | BinaryOp::Or => set | other,
            BinaryOp::Sub => set & !other,
            BinaryOp::And => set & other,
            BinaryOp::Xor => set ^ other,
            BinaryOp::Mul => return None,
        };
        Some(SpaceSet::bytes_of(bits))
    }

    fn display(&self, value: &Val) -> String {
        let mut out = String::new();
        self.write_shown(value, &mut out);
        out
    }

    fn word(&self, value: &Val) -> Option<&Arc<str>> {
        match value {
            Value::Handle(handle::WORD, word) => Some(&self.game.lexicon.words[*word as usize]),
            _ => None,
        }
    }

    fn index(&self, value: &Val, index: &Val) -> Result<Val, HostError> {
        let column = match (value, index) {
            (Value::Small(small::ROW | small::FLAGS, bytes), _) => {
                self.column(bytes, index)? as i64
            }
            (_, Value::Int(n)) if *n < 0 => self.len(value).unwrap_or(0) + n,
            (_, Value::Int(n)) => *n,
            _ => {
                return Err(HostError::new(format!(
                    "{} cannot be an index here",
                    self.describe(index)
                )));
            }
        };
        let missing = || {
            HostError::new(format!(
                "index {column} is outside of {}",
                self.describe(value)
            ))
        };
        Host::nth(self, value, column).ok_or_else(missing)
    }

    fn set_index(&mut self, value: &Val, index: &Val, new: &Val) -> Result<(), HostError> {
        self.writable()?;
        let Value::Small(small::ROW | small::FLAGS, bytes) = value else {
            return Err(HostError::new(format!(
                "{} cannot be changed by an index",
                self.describe(value)
            )));
        };
        let column = self.column(bytes, index)?;
        let (kind, slot_number, id) = row_parts(bytes);
        let number = self.stored(kind, one_of_row(slot_number), new)?;
        self.set_number(kind, slot_number, id, column, number);
        Ok(())
    }

    #[inline(always)]
    fn set_in_slot(&mut self, kind: u8, slot_number: u16, id: u32, index: &Val, new: &Val) -> bool {
        let is_row = matches!(slot::class(slot_number), slot::ROW | slot::FLAGS);
        is_row && self.set_in_row(kind, slot_number, id, index, new)
    }

    #[inline(always)]
    fn add_in_slot(
        &mut self,
        kind: u8,
        slot_number: u16,
        id: u32,
        index: &Val,
        delta: i64,
    ) -> bool {
        slot::class(slot_number) == slot::ROW
            && self.add_in_row(kind, slot_number, id, index, delta)
    }

    fn name(&self, domain: Domain, text: &str) -> Result<Val, HostError> {
        self.game.lexicon.resolve(domain, text)
    }

    fn heard(&self) -> bool {
        self.events.is_some()
    }

    fn print(&mut self, text: &str) {
        self.note(|_| Event::Printed {
            text: legible(text).into_owned(),
        });
    }
}

impl Table {
    /// Whether something is the one that content calls by this name. Where types are known, comparing things with texts is refused
    /// when scripts are compiled; what turns out to be a thing only when it runs is what was meant: its id.
    #[cold]
    fn is_called(&self, thing: &Val, name: &str) -> bool {
        let lexicon = &self.game.lexicon;
        let word = match thing {
            Value::Handle(handle::WORD, word) => *word,
            Value::Handle(handle::PIECE, piece) => {
                lexicon.card_words[self.state.pieces[*piece as usize].card as usize]
            }
            Value::Handle(handle::CARD, card) => lexicon.card_words[*card as usize],
            Value::Handle(handle::SPACE, space) => lexicon.space_words[*space as usize],
            Value::Handle(handle::AREA, area) => lexicon.area_words[*area as usize],
            Value::Handle(handle::PLAYER, seat) => return name == format!("p{seat}"),
            _ => return false,
        };
        *lexicon.words[word as usize] == *name
    }

    fn is_any_called(&self, kind: u8, mut things: impl Iterator<Item = u32>, name: &str) -> bool {
        things.any(|thing| self.is_called(&Value::Handle(kind, thing), name))
    }

    /// Whether a collection, if it is one, has a member that is equal to something.
    #[inline(never)]
    fn has_equal(&self, several: &Val, one: &Val) -> Option<bool> {
        self.len(several)?;
        let mut cursor = 0;
        while let Some((member, next)) = Host::next(self, several, cursor) {
            if member == *one || self.equal(&member, one) {
                return Some(true);
            }
            cursor = next;
        }
        Some(false)
    }

    /// Pieces or players in an order, without one of them.
    fn without(&mut self, several: &Val, one: &Val) -> Option<Val> {
        match (several, one) {
            (Value::Object(object), Value::Handle(handle::PIECE, gone))
                if let Object::Pieces(pieces) = &**object =>
            {
                let kept = pieces.iter().copied().filter(|piece| piece != gone);
                Some(Value::Object(self.spares.pieces(kept)))
            }
            (Value::Handle(handle::ZONE, zone), Value::Handle(handle::PIECE, gone)) => {
                Some(self.pieces_in(std::iter::once(*zone), |_, piece| piece != *gone))
            }
            (Value::Small(small::PLAYERS, seats), Value::Handle(handle::PLAYER, gone)) => {
                let kept = listed_seats(seats).filter(|seat| u32::from(*seat) != *gone);
                Some(seat_list(kept))
            }
            _ => None,
        }
    }

    fn combined_moves(&self, op: BinaryOp, rows: &Rows, others: &Rows) -> Option<Val> {
        let combined = combine_edges(&self.spares, op, rows, others)?;
        self.listed_moves(&combined);
        Some(combined)
    }

    /// Sets of large maps, borders and moves.
    #[inline(never)]
    fn binary_of_any(&mut self, op: BinaryOp, a: &Val, b: &Val) -> Option<Val> {
        if let (Some(x), Some(y)) = (value::rows_of(a), value::rows_of(b)) {
            return self.combined_moves(op, x, y);
        }
        if value::is_edges(a) && value::is_edges(b) {
            let (x, y) = (self.listed_edges(a)?, self.listed_edges(b)?);
            return self.combined_moves(op, rows_in(&x)?, rows_in(&y)?);
        }
        if !is_spaces(a) && !is_spaces(b) {
            return (op == BinaryOp::Sub).then(|| self.without(a, b)).flatten();
        }
        let (a, b) = (self.space_set(a).ok()?, self.space_set(b).ok()?);
        Some(self.spaces(combine_sets(op, &a, &b)?))
    }
}

#[inline(always)]
fn combine_sets(op: BinaryOp, a: &SpaceSet, b: &SpaceSet) -> Option<SpaceSet> {
    match op {
        BinaryOp::Add | BinaryOp::Or => Some(a | b),
        BinaryOp::Sub => Some(a - b),
        BinaryOp::And => Some(a & b),
        BinaryOp::Xor => Some(&(a | b) - &(a & b)),
        BinaryOp::Mul => None,
    }
}
