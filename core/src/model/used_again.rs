//! Rows of removed pieces are used again, so that a long match is no larger than a short one. A row is free when nothing a game remembers
//! can lead to its piece any more. That is looked up between two steps: no rule holds anything in its hands then.

use super::agenda::Step;
use super::layout::{Layout, Slot};
use super::state::{IN_THE_BOX, Piece, State};
use super::value::{Object, Val, handle};
use crate::content::definition::{Attribute, AttributeType, Definition};
use ludoteca_vm::Value;

/// Pieces that are removed before it is worth looking for free rows.
const REMOVALS: u32 = 32;

/// The key of a row that holds no piece.
const NO_PIECE: u32 = u32::MAX;

impl Piece {
    /// Nothing lies in this row; it waits for the next piece.
    pub fn is_nothing(&self) -> bool {
        self.key == NO_PIECE
    }
}

impl State {
    /// Frees the rows of removed pieces that nothing remembers, if enough were removed to make it worth while. The rules must stand
    /// between two steps.
    #[inline(always)]
    pub fn tidy_box(&mut self, definition: &Definition, layout: &Layout) {
        if self.removed >= REMOVALS {
            self.free_rows(definition, layout);
        }
    }

    #[inline(never)]
    fn free_rows(&mut self, definition: &Definition, layout: &Layout) {
        self.removed = 0;
        let remembered = self.remembered(definition, layout);
        // The lowest row is the first to be used again.
        for row in (0..self.pieces.len()).rev() {
            let piece = &mut self.pieces[row];
            if piece.zone == IN_THE_BOX && !piece.is_nothing() && !remembered[row] {
                piece.key = NO_PIECE;
                self.free.push(row as u32);
            }
        }
        self.free.sort_unstable_by(|a, b| b.cmp(a));
    }

    /// Which rows something leads to: a zone, an attribute, a waiting step, or an attribute of such a piece.
    fn remembered(&self, definition: &Definition, layout: &Layout) -> Vec<bool> {
        let mut rows = Rows {
            remembered: self.pieces.iter().map(Piece::is_on_the_table).collect(),
            new: Vec::new(),
        };
        let declared = &definition.attributes;
        for (attributes, slots, owners) in [
            (&declared.game, &layout.game, 1),
            (&declared.player, &layout.player, layout.players),
            (&declared.space, &layout.space, layout.spaces),
        ] {
            for slot in slots_of_pieces(attributes, slots) {
                let numbers = &self.values[slot.at as usize..][..(slot.width * owners) as usize];
                numbers.iter().for_each(|&number| rows.number(number));
            }
        }
        for step in self.agenda.steps() {
            if let Step::Call { args, count, .. } = step {
                args[..*count as usize]
                    .iter()
                    .for_each(|arg| rows.value(arg));
            }
        }
        let of_pieces: Vec<&Slot> = slots_of_pieces(&declared.piece, &layout.piece).collect();
        if !of_pieces.is_empty() {
            let found = rows.remembered.iter().enumerate();
            rows.new = found
                .filter(|(_, known)| **known)
                .map(|(row, _)| row)
                .collect();
            while let Some(row) = rows.new.pop() {
                for slot in &of_pieces {
                    let at = row * layout.piece_row + slot.at as usize;
                    let numbers = &self.piece_values[at..][..slot.width as usize];
                    numbers.iter().for_each(|&number| rows.number(number));
                }
            }
        }
        rows.remembered
    }
}

/// The attributes that hold pieces.
fn slots_of_pieces<'a>(
    attributes: &'a [Attribute],
    slots: &'a [Slot],
) -> impl Iterator<Item = &'a Slot> {
    let declared = attributes.iter().zip(slots);
    declared.filter_map(|(attribute, slot)| (attribute.ty == AttributeType::Piece).then_some(slot))
}

/// Rows that something leads to, and those found last.
struct Rows {
    remembered: Vec<bool>,
    new: Vec<usize>,
}

impl Rows {
    fn row(&mut self, row: usize) {
        if let Some(known) = self.remembered.get_mut(row)
            && !std::mem::replace(known, true)
        {
            self.new.push(row);
        }
    }

    fn number(&mut self, number: i32) {
        if let Ok(row) = usize::try_from(number) {
            self.row(row);
        }
    }

    fn value(&mut self, value: &Val) {
        match value {
            Value::Handle(handle::PIECE, row) => self.row(*row as usize),
            Value::Array(items) => items.iter().for_each(|item| self.value(item)),
            Value::Map(map) => map.values().for_each(|item| self.value(item)),
            Value::Fn(function) => function.captured.iter().for_each(|item| self.value(item)),
            Value::Object(object) => {
                if let Object::Pieces(pieces) = &**object {
                    pieces.iter().for_each(|&row| self.row(row as usize));
                }
            }
            _ => {}
        }
    }
}
