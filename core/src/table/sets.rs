//! Collections as script values: sets of spaces, borders between them, pieces; how many they have and which is the n-th.

use super::Table;
use crate::limits::LONGEST_STRING;
use crate::model::board::Rows;
use crate::model::set::SpaceSet;
use crate::model::state::State;
use crate::model::value::{self, Object, Spares, Val, handle, small};
use ludoteca_vm::{BinaryOp, Call, Flow, Host, HostError, Shared, Value};

impl Table {
    /// A set of spaces as a script value.
    #[inline(always)]
    pub fn spaces(&self, set: SpaceSet) -> Val {
        if self.inline_sets {
            Value::Small(small::SPACES, set.to_bytes())
        } else {
            Value::Object(self.spares.share(Object::Spaces(set)))
        }
    }

    /// The spaces in play that a seat owns; `None` if nothing is owned in this game.
    #[inline(always)]
    pub fn owned(&self, seat: u32) -> Option<SpaceSet> {
        Some(self.owned_anywhere(seat)? & self.state.board.in_play())
    }

    /// The same, in play or not.
    #[inline(always)]
    pub fn owned_anywhere(&self, seat: u32) -> Option<&SpaceSet> {
        Some(&self.state.index[self.owners? + seat as usize + 1])
    }

    /// Ends a call with what two sets have in common.
    #[inline(always)]
    pub fn give_common(
        &self,
        call: Call<Object>,
        a: &SpaceSet,
        b: &SpaceSet,
    ) -> Result<Flow, HostError> {
        if self.inline_sets {
            let bytes = SpaceSet::bytes_of(a.bits() & b.bits());
            call.done(Value::Small(small::SPACES, bytes))
        } else {
            self.give_large_set(call, a & b)
        }
    }

    /// Ends a call with a set of spaces. The usual small set is written where it belongs; building it elsewhere and copying it would cost
    /// more than finding it.
    #[inline(always)]
    pub fn give_spaces(&self, call: Call<Object>, set: SpaceSet) -> Result<Flow, HostError> {
        if self.inline_sets {
            call.done(Value::Small(small::SPACES, set.to_bytes()))
        } else {
            self.give_large_set(call, set)
        }
    }

    /// Ends a call with all borders from one set into another.
    #[inline(always)]
    pub fn give_edges(
        &mut self,
        call: Call<Object>,
        from: SpaceSet,
        to: SpaceSet,
    ) -> Result<Flow, HostError> {
        if self.inline_edges {
            call.done(Value::Small(
                small::EDGES,
                SpaceSet::pair_to_bytes(&from, &to),
            ))
        } else {
            self.give_large_edges(call, from, to)
        }
    }

    #[inline(never)]
    fn give_large_set(&self, call: Call<Object>, set: SpaceSet) -> Result<Flow, HostError> {
        call.done(Value::Object(self.spares.share(Object::Spaces(set))))
    }

    #[inline(never)]
    pub(super) fn give_large_edges(
        &mut self,
        call: Call<Object>,
        from: SpaceSet,
        to: SpaceSet,
    ) -> Result<Flow, HostError> {
        call.done(Value::Object(self.spares.share(Object::Edges { from, to })))
    }

    /// Ends a call with the `n`-th member of its argument `i`.
    #[inline(always)]
    pub fn give_nth(&self, call: Call<Object>, i: usize, n: u32) -> Result<Flow, HostError> {
        match call.arg(i) {
            Value::Small(small::SPACES, bytes) => {
                let found = SpaceSet::from_bytes(*bytes).nth(n).unwrap_or(0);
                call.done(value::space(found))
            }
            Value::Small(small::EDGES, bytes) => {
                let (from, to) = SpaceSet::pair_from_bytes(*bytes);
                let (a, b) = self.state.board.nth_edge(&from, &to, n).unwrap_or((0, 0));
                call.done(value::edge(a, b))
            }
            _ => self.give_nth_slowly(call, i, n),
        }
    }

    #[inline(never)]
    pub(super) fn give_nth_slowly(
        &self,
        call: Call<Object>,
        i: usize,
        n: u32,
    ) -> Result<Flow, HostError> {
        let found = self.nth(call.arg(i), n as i64).unwrap_or_default();
        call.done(found)
    }

    /// A script value as a set of spaces: a set, one space, or a list of spaces.
    #[inline(always)]
    pub fn space_set(&self, value: &Val) -> Result<SpaceSet, HostError> {
        match value {
            Value::Small(small::SPACES, bytes) => Ok(SpaceSet::from_bytes(*bytes)),
            other => self.space_set_slowly(other),
        }
    }

    /// The usual small set, if a value is one. Functions that are called at every decision ask for it first and leave the rest to a
    /// function of its own, so that the set never leaves the processor.
    #[inline(always)]
    pub fn small_set(value: &Val) -> Option<SpaceSet> {
        match value {
            Value::Small(small::SPACES, bytes) => Some(SpaceSet::from_bytes(*bytes)),
            _ => None,
        }
    }

    #[inline(never)]
    pub(super) fn space_set_slowly(&self, value: &Val) -> Result<SpaceSet, HostError> {
        match value {
            Value::Handle(handle::SPACE, id) => Ok(SpaceSet::one(*id)),
            Value::Object(object) => match &**object {
                Object::Spaces(set) => Ok(set.clone()),
                _ => Err(HostError::new("expected spaces, found another collection")),
            },
            Value::Array(items) => items
                .iter()
                .map(|item| match item {
                    Value::Handle(handle::SPACE, id) => Ok(*id),
                    other => Err(HostError::new(format!(
                        "expected spaces, found {}",
                        self.describe(other)
                    ))),
                })
                .collect(),
            other => Err(HostError::new(format!(
                "expected spaces, found {}",
                self.describe(other)
            ))),
        }
    }

    /// Members of a collection; 0 for what is none.
    #[inline(always)]
    pub fn count(&self, options: &Val) -> u32 {
        match options {
            Value::Small(small::SPACES, bytes) => SpaceSet::from_bytes(*bytes).len(),
            Value::Small(small::EDGES, bytes) => {
                let (from, to) = SpaceSet::pair_from_bytes(*bytes);
                self.state.board.count_edges(&from, &to)
            }
            Value::Array(items) => items.len() as u32,
            other => self.count_slowly(other),
        }
    }

    #[inline(never)]
    pub(super) fn count_slowly(&self, options: &Val) -> u32 {
        match options {
            Value::Range(range) => {
                let end = if range.inclusive {
                    range.to.saturating_add(1)
                } else {
                    range.to
                };
                end.saturating_sub(range.from).clamp(0, u32::MAX as i64) as u32
            }
            other => self.len(other).unwrap_or(0) as u32,
        }
    }

    /// The `n`-th member of a collection of any kind.
    #[inline(always)]
    pub fn nth(&self, options: &Val, n: i64) -> Option<Val> {
        match options {
            Value::Array(items) => items.get(n as usize).cloned(),
            Value::Range(range) => Some(Value::Int(range.from + n)),
            other => Host::nth(self, other, n),
        }
    }

    /// The same, written where it belongs; whether there is one.
    #[inline(always)]
    pub fn write_nth(&self, options: &Val, n: u32, place: &mut Val) -> bool {
        match options {
            Value::Small(small::SPACES, bytes) => {
                let found = SpaceSet::from_bytes(*bytes).nth(n);
                found.map(|space| place.put(value::space(space))).is_some()
            }
            Value::Small(small::EDGES, bytes) => {
                let (from, to) = SpaceSet::pair_from_bytes(*bytes);
                let found = self.state.board.nth_edge(&from, &to, n);
                found.map(|(a, b)| place.put(value::edge(a, b))).is_some()
            }
            Value::Range(range) => {
                place.put(Value::Int(range.from + n as i64));
                true
            }
            _ => {
                let found = self.nth(options, n as i64);
                found.map(|found| place.put_made(found)).is_some()
            }
        }
    }

    /// The first members of a collection. Borders are gone through once: the n-th of many is far to seek.
    pub fn members<'t>(&'t self, options: &'t Val, most: u32) -> impl Iterator<Item = Val> + 't {
        let collected = !matches!(options, Value::Handle(handle::EDGE, _));
        let rows = self.edge_rows(options).filter(|_| collected);
        let taken = match rows {
            Some(_) => 0,
            None => self.count(options).min(most) as i64,
        };
        let rows = rows.into_iter().flatten();
        let borders = rows.flat_map(|(from, row)| {
            let ends: Vec<u32> = row.iter().collect();
            ends.into_iter().map(move |to| value::edge(from, to))
        });
        let others = (0..taken).filter_map(move |n| self.nth(options, n));
        borders.take(most as usize).chain(others)
    }

    /// The same as a list of the rules.
    pub fn members_listed(&self, options: &Val, most: u32) -> Val {
        Value::list(self.members(options, most))
    }

    /// A value as borders, the targets of each space, if it is such.
    pub fn edge_rows(&self, value: &Val) -> Option<Rows> {
        match value {
            Value::Handle(handle::EDGE, id) => {
                let (a, b) = value::ends(*id);
                Some(
                    self.state
                        .board
                        .edge_rows(&SpaceSet::one(a), &SpaceSet::one(b)),
                )
            }
            other => match (value::lazy_edges(other), other) {
                (Some((from, to)), _) => Some(self.state.board.edge_rows(&from, &to)),
                (None, Value::Object(object)) => match &**object {
                    Object::EdgeRows(rows) => Some(rows.clone()),
                    _ => None,
                },
                _ => None,
            },
        }
    }

    /// The same, in used memory where they are not listed yet.
    pub(super) fn listed_edges(&self, value: &Val) -> Option<Shared<Object>> {
        let (from, to) = match value {
            Value::Object(object) if rows_in(object).is_some() => {
                return Some(object.clone());
            }
            Value::Handle(handle::EDGE, id) => {
                let (a, b) = value::ends(*id);
                (SpaceSet::one(a), SpaceSet::one(b))
            }
            other => value::lazy_edges(other)?,
        };
        let list = |rows: &mut Rows| self.state.board.list_edges(&from, &to, rows);
        Some(self.spares.rows(list))
    }

    /// What a single value is called in messages and keys; `None` for a list.
    fn shown_alone(&self, value: &Val) -> Option<String> {
        let lexicon = &self.game.lexicon;
        let word = |number: u32| lexicon.words[number as usize].to_string();
        Some(match value {
            Value::Unit => String::new(),
            Value::Bool(b) => b.to_string(),
            Value::Int(n) => n.to_string(),
            Value::Char(c) => c.to_string(),
            Value::Str(text) => text.to_string(),
            Value::Handle(handle::GAME, _) => "game".into(),
            Value::Handle(handle::PLAYER, seat) => format!("p{seat}"),
            Value::Handle(handle::SPACE, id) => word(lexicon.space_words[*id as usize]),
            Value::Handle(handle::PIECE, id) => {
                word(lexicon.card_words[self.state.pieces[*id as usize].card as usize])
            }
            Value::Handle(handle::CARD, id) => word(lexicon.card_words[*id as usize]),
            Value::Handle(handle::AREA, id) => word(lexicon.area_words[*id as usize]),
            Value::Handle(handle::WORD, id) => word(*id),
            Value::Handle(handle::EDGE, id) => {
                let (from, to) = value::ends(*id);
                format!("{}>{}", self.space_id(from), self.space_id(to))
            }
            Value::Handle(handle::ZONE, id) => self.zone_key(*id),
            Value::Range(range) => match range.inclusive {
                true => format!("{}..={}", range.from, range.to),
                false => format!("{}..{}", range.from, range.to),
            },
            Value::Fn(function) => format!("Fn({})", function.name),
            _ => return None,
        })
    }

    /// What a value is called, members of lists one after the other. Long before it is of no use to anybody the text ends: lists that
    /// hold each other twice over would fill the memory.
    pub(super) fn write_shown(&self, value: &Val, out: &mut String) {
        if let Some(alone) = self.shown_alone(value) {
            out.push_str(&alone);
            return;
        }
        let (open, close) = match value {
            Value::Map(_) => ("#{", "}"),
            _ => ("[", "]"),
        };
        out.push_str(open);
        let mut first = true;
        let mut member = |name: Option<&str>, value: &Val| {
            if !std::mem::take(&mut first) {
                out.push_str(", ");
            }
            if let Some(name) = name {
                out.push_str(name);
                out.push_str(": ");
            }
            self.write_shown(value, out);
            out.len() <= LONGEST_STRING
        };
        match value {
            Value::Map(entries) => {
                for (name, entry) in entries.iter() {
                    if !member(Some(&**name), entry) {
                        break;
                    }
                }
            }
            // Borders are gone through once: the n-th of many is far to seek.
            list if value::is_edges(list) => {
                let mut at = 0;
                while let Some((item, next)) = Host::next(self, list, at)
                    && member(None, &item)
                {
                    at = next;
                }
            }
            list => {
                let mut members = (0..self.count(list) as i64).filter_map(|n| self.nth(list, n));
                while members.next().is_some_and(|item| member(None, &item)) {}
            }
        }
        out.push_str(close);
    }

    /// A list of pieces as a script value.
    pub fn pieces(&self, pieces: impl IntoIterator<Item = u32>) -> Val {
        Value::Object(self.spares.pieces(pieces.into_iter()))
    }

    /// What lies in a zone, from the top, as a script value.
    pub fn pieces_in(
        &self,
        zones: impl Iterator<Item = u32>,
        keep: impl Fn(&State, u32) -> bool,
    ) -> Val {
        let state = &self.state;
        let from_top = zones
            .flat_map(|zone| state.zones[zone as usize].iter().rev().copied())
            .filter(|&piece| keep(state, piece));
        Value::Object(self.spares.pieces(from_top))
    }
}

/// The row, and the ends, of the first border from a place of a row on.
pub(super) fn next_in_rows(
    rows: &[(u32, SpaceSet)],
    at: usize,
    place: u32,
) -> Option<(usize, u32, u32)> {
    let mut place = place;
    for (n, (from, row)) in rows.iter().enumerate().skip(at) {
        if let Some(to) = row.next_from(place) {
            return Some((n, *from, to));
        }
        place = 0;
    }
    None
}

/// The `n`-th border or move, in ascending order of both ends.
pub(super) fn nth_in_rows(rows: &[(u32, SpaceSet)], mut n: u32) -> Option<Val> {
    for (from, row) in rows {
        let here = row.len();
        if n < here {
            return row.nth(n).map(|to| value::edge(*from, to));
        }
        n -= here;
    }
    None
}

/// The targets of one space.
pub fn row_of(rows: &[(u32, SpaceSet)], from: u32) -> Option<&SpaceSet> {
    let at = rows.binary_search_by_key(&from, |(space, _)| *space).ok()?;
    Some(&rows[at].1)
}

/// Moves or borders, if an object lists such.
pub(super) fn rows_in(object: &Object) -> Option<&Rows> {
    match object {
        Object::EdgeRows(rows) => Some(rows),
        _ => None,
    }
}

/// Borders or moves of one kind with, without or only those of another.
pub(super) fn combine_edges(
    spares: &Spares,
    op: BinaryOp,
    rows: &Rows,
    others: &Rows,
) -> Option<Val> {
    let none = SpaceSet::EMPTY;
    let with: fn(&SpaceSet, &SpaceSet) -> SpaceSet = match op {
        BinaryOp::Add | BinaryOp::Or => |a, b| a | b,
        BinaryOp::Sub => |a, b| a - b,
        BinaryOp::And => |a, b| a & b,
        BinaryOp::Xor | BinaryOp::Mul => return None,
    };
    let (mut a, mut b) = (0, 0);
    let combined = spares.rows(|combined| {
        while a < rows.len() || b < others.len() {
            let (here, there) = (rows.get(a), others.get(b));
            let from = match (here, there) {
                (Some((x, _)), Some((y, _))) => *x.min(y),
                (Some((x, _)), None) | (None, Some((x, _))) => *x,
                (None, None) => break,
            };
            let row = here.filter(|(x, _)| *x == from).map(|(_, row)| row);
            let other = there.filter(|(x, _)| *x == from).map(|(_, row)| row);
            a += row.is_some() as usize;
            b += other.is_some() as usize;
            let (row, other) = (row.unwrap_or(&none), other.unwrap_or(&none));
            let row = with(row, other);
            if !row.is_empty() {
                combined.push((from, row));
            }
        }
    });
    Some(Value::Object(combined))
}

pub(super) fn is_spaces(value: &Val) -> bool {
    match value {
        Value::Small(small::SPACES, _) => true,
        Value::Object(object) => matches!(**object, Object::Spaces(_)),
        _ => false,
    }
}
