//! Rows and columns of squares and hexes: which place lies a step away, and where a board goes on at its other side.

use super::definition::{Cells, Grid};
use std::collections::{HashMap, HashSet};

impl Grid {
    /// A place as steps count it: columns of hexes lean with their rows.
    pub fn lattice(&self, (column, row): (i32, i32)) -> (i32, i32) {
        let x = if self.is_straight() {
            column
        } else {
            column - row.div_euclid(2)
        };
        (x, row)
    }

    /// Column and row of a place of the lattice, around the edges where the board goes on.
    pub fn place(&self, (x, y): (i32, i32)) -> (i32, i32) {
        let column = if self.is_straight() {
            x
        } else {
            x + y.div_euclid(2)
        };
        let around = |at: i32, size: i32, wraps: bool| if wraps { at.rem_euclid(size) } else { at };
        (
            around(column, self.columns, self.wraps.0),
            around(y, self.rows, self.wraps.1),
        )
    }

    fn is_straight(&self) -> bool {
        self.cells == Cells::Square || self.leaning
    }

    /// The place a step in a direction leads to; nothing if such cells have no such direction.
    pub fn beside(&self, place: (i32, i32), direction: u8) -> Option<(i32, i32)> {
        let (dx, dy) = offset(self.cells, direction)?;
        let (x, y) = self.lattice(place);
        Some(self.place((x + dx, y + dy)))
    }

    /// All pairs of spaces that are neighbours, each once.
    pub fn borders(&self) -> Vec<(u32, u32)> {
        let at: HashMap<(i32, i32), u32> = self.places.iter().copied().zip(0..).collect();
        let mut seen = HashSet::new();
        let mut pairs = Vec::new();
        for (space, &place) in (0u32..).zip(&self.places) {
            let near = (0..8u8)
                .filter(|d| self.neighbors >> d & 1 == 1)
                .filter_map(|d| at.get(&self.beside(place, d)?).copied());
            for other in near.filter(|&other| other != space) {
                let pair = (space.min(other), space.max(other));
                if seen.insert(pair) {
                    pairs.push(pair);
                }
            }
        }
        pairs
    }
}

/// Columns and rows of a step. Hexes have six: the row above lies half a space to the right.
fn offset(cells: Cells, direction: u8) -> Option<(i32, i32)> {
    let square = [
        (0, 1),
        (1, 1),
        (1, 0),
        (1, -1),
        (0, -1),
        (-1, -1),
        (-1, 0),
        (-1, 1),
    ];
    match (cells, direction) {
        (Cells::Square, _) => square.get(direction as usize).copied(),
        (Cells::Hex, 1) => Some((0, 1)),
        (Cells::Hex, 2) => Some((1, 0)),
        (Cells::Hex, 3) => Some((1, -1)),
        (Cells::Hex, 5) => Some((0, -1)),
        (Cells::Hex, 6) => Some((-1, 0)),
        (Cells::Hex, 7) => Some((-1, 1)),
        (Cells::Hex, _) => None,
    }
}
