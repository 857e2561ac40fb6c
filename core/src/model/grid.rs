//! The geometry of a grid, in tables made when a game is loaded: where a step leads, what lies on a ray, what a turn of the board does.

use super::board::Rows;
use super::set::{ONE_NUMBER, SpaceSet};
use crate::content::definition::{Cells, Direction, Grid};

/// No space lies there.
const NOWHERE: u16 = u16::MAX;
/// Directions of hexes, clockwise.
const HEX: [u8; 6] = [1, 2, 3, 5, 6, 7];

/// What is asked of a board with geometry again and again.
#[derive(Debug, Clone, Default)]
pub struct Geometry {
    grid: Grid,
    /// The space at each place, row by row.
    at: Vec<u16>,
    /// Where one step leads, by direction and space.
    steps: [Vec<u16>; 8],
    /// The spaces from which a step in a direction leads somewhere.
    from: [SpaceSet; 8],
    /// If every step in a direction adds the same to a space's number: how much.
    shift: [Option<i32>; 8],
    /// Everything that lies in a direction, by direction and space.
    rays: [Vec<SpaceSet>; 8],
    /// The longest ray that has to be walked, space by space; 0 where the tables say what lies on it.
    longest_walk: u32,
    /// The same shifts for one word, on a small board that does not wrap.
    word_shifts: Option<[Shift; 8]>,
    /// It is of squares, and no place is left out.
    is_full: bool,
    /// The spaces of each row, and of each column.
    rows: Vec<SpaceSet>,
    columns: Vec<SpaceSet>,
}

/// A step in one direction for all spaces of a word at once.
#[derive(Debug, Clone, Copy, Default)]
struct Shift {
    from: u64,
    left: u32,
    right: u32,
}

impl Shift {
    #[inline(always)]
    fn of(&self, set: u64) -> u64 {
        ((set & self.from) << self.left) >> self.right
    }
}

impl Geometry {
    pub fn new(grid: &Grid) -> Geometry {
        let spaces = grid.places.len();
        let mut geometry = Geometry {
            grid: grid.clone(),
            at: vec![NOWHERE; (grid.columns * grid.rows) as usize],
            ..Geometry::default()
        };
        for (&(column, row), space) in grid.places.iter().zip(0..) {
            geometry.at[(row * grid.columns + column) as usize] = space;
        }
        let of = |pick: fn(&(i32, i32)) -> i32, n: i32| -> SpaceSet {
            let places = grid.places.iter().zip(0..);
            places
                .filter(|(place, _)| pick(place) == n)
                .map(|(_, s)| s)
                .collect()
        };
        geometry.rows = (0..grid.rows).map(|n| of(|place| place.1, n)).collect();
        geometry.columns = (0..grid.columns).map(|n| of(|place| place.0, n)).collect();
        for direction in 0..8u8 {
            let d = direction as usize;
            let leads = |space: usize| {
                let to = grid.beside(grid.places[space], direction);
                let to = to.and_then(|place| geometry.at_place(place));
                to.filter(|&to| to != space as u32)
                    .map_or(NOWHERE, |to| to as u16)
            };
            let steps: Vec<u16> = (0..spaces).map(leads).collect();
            let moving = || (0..spaces as u32).filter(|&s| steps[s as usize] != NOWHERE);
            let mut shifts = moving().map(|s| steps[s as usize] as i32 - s as i32);
            let shift = shifts.next();
            let alike = spaces <= ONE_NUMBER && shifts.all(|other| Some(other) == shift);
            geometry.shift[d] = shift.filter(|_| alike);
            geometry.from[d] = moving().collect();
            geometry.rays[d] = (0..spaces).map(|s| everything_ahead(s, &steps)).collect();
            if geometry.shift[d].is_none() {
                let longest = geometry.rays[d].iter().map(SpaceSet::len).max();
                geometry.longest_walk = geometry.longest_walk.max(longest.unwrap_or(0) as u32);
            }
            geometry.steps[d] = steps;
        }
        geometry.word_shifts = geometry.one_word();
        geometry.is_full = grid.cells == Cells::Square && spaces as i32 == grid.columns * grid.rows;
        geometry
    }

    /// The shifts of a board of up to 64 spaces. One that wraps would never come to the end of a ray.
    fn one_word(&self) -> Option<[Shift; 8]> {
        if self.grid.places.len() > 64 || self.grid.wraps != (false, false) {
            return None;
        }
        let mut shifts = [Shift::default(); 8];
        for (d, shift) in shifts.iter_mut().enumerate() {
            let [from] = self.from[d].first_words::<1>();
            let by = match self.shift[d] {
                Some(by) => by,
                None if from == 0 => 0,
                None => return None,
            };
            *shift = Shift {
                from,
                left: by.max(0) as u32,
                right: (-by).max(0) as u32,
            };
        }
        Some(shifts)
    }

    /// The space at a place of the lattice.
    fn at_lattice(&self, at: (i32, i32)) -> Option<u32> {
        self.at_place(self.grid.place(at))
    }

    /// The space in a column and row.
    pub fn at_place(&self, (column, row): (i32, i32)) -> Option<u32> {
        let inside = (0..self.grid.columns).contains(&column) && (0..self.grid.rows).contains(&row);
        let at = inside.then(|| self.at[(row * self.grid.columns + column) as usize])?;
        (at != NOWHERE).then_some(at as u32)
    }

    /// Whether a space is one of the grid.
    fn is_ours(&self, space: u32) -> bool {
        (space as usize) < self.grid.places.len()
    }

    pub fn longest_walk(&self) -> u32 {
        self.longest_walk
    }

    pub fn cells(&self) -> Cells {
        self.grid.cells
    }

    /// Where forward is for a seat: away from its side of the board.
    pub fn forward(&self, seat: u8) -> Option<Direction> {
        self.grid.forward.get(seat as usize).copied()
    }

    #[inline(always)]
    pub fn step(&self, space: u32, direction: u8) -> Option<u32> {
        match self.steps[direction as usize & 7].get(space as usize) {
            None | Some(&NOWHERE) => None,
            Some(&to) => Some(to as u32),
        }
    }

    /// Where the members of a set come by a step in one direction.
    #[inline(always)]
    fn shifted(&self, set: &SpaceSet, direction: u8) -> SpaceSet {
        let d = direction as usize & 7;
        match self.shift[d] {
            Some(by) => {
                let moving = (set & &self.from[d]).bits();
                SpaceSet::of_bits(if by >= 0 { moving << by } else { moving >> -by })
            }
            None => {
                let moving = set & &self.from[d];
                moving
                    .iter()
                    .map(|s| self.steps[d][s as usize] as u32)
                    .collect()
            }
        }
    }

    /// Where the members of a set come by a step in one of the directions.
    pub fn steps(&self, set: &SpaceSet, directions: u8) -> SpaceSet {
        if let Some(shifts) = self.shifts() {
            let [set] = set.first_words::<1>();
            let ways = several(directions);
            let reached = ways.fold(0, |all, d| all | shifts[d as usize].of(set));
            return SpaceSet::of_bits(reached as u128);
        }
        let mut reached = SpaceSet::EMPTY;
        for direction in several(directions) {
            reached.join(&self.shifted(set, direction));
        }
        reached
    }

    /// The same for a board of up to 64 spaces whose steps all shift alike, as one word; `None` on others.
    #[inline(always)]
    fn shifts(&self) -> Option<&[Shift; 8]> {
        self.word_shifts.as_ref()
    }

    /// What lies on the rays of a set, up to the first blocker on each, which is included.
    pub fn ray(&self, set: &SpaceSet, directions: u8, blockers: &SpaceSet) -> SpaceSet {
        if let Some(shifts) = self.shifts() {
            let ([set], [blockers]) = (set.first_words::<1>(), blockers.first_words::<1>());
            let mut reached = 0;
            for direction in several(directions) {
                let shift = &shifts[direction as usize];
                let mut front = shift.of(set);
                while front != 0 {
                    reached |= front;
                    front = shift.of(front & !blockers);
                }
            }
            return SpaceSet::of_bits(reached as u128);
        }
        let mut reached = SpaceSet::EMPTY;
        for direction in several(directions) {
            let mut along = SpaceSet::EMPTY;
            let mut front = self.shifted(set, direction);
            while !front.is_empty() {
                along.join(&front);
                // A board that wraps leads back to where the ray has been.
                front = self.shifted(&(front - blockers), direction) - &along;
            }
            reached.join(&along);
        }
        reached
    }

    /// The rays of one space. Where numbers grow or shrink along a ray its first blocker is the lowest or the highest bit.
    #[inline(always)]
    pub fn ray_of(&self, space: u32, directions: u8, blockers: &SpaceSet) -> SpaceSet {
        let mut reached = SpaceSet::EMPTY;
        for direction in several(directions) {
            let d = direction as usize;
            let Some(by) = self.shift[d] else {
                reached.join(&self.ray(&SpaceSet::one(space), 1 << direction, blockers));
                continue;
            };
            let Some(ray) = self.rays[d].get(space as usize) else {
                continue;
            };
            let stopping = (ray & blockers).bits();
            if stopping == 0 {
                reached.join(ray);
                continue;
            }
            let first = match by > 0 {
                true => stopping.trailing_zeros(),
                false => 127 - stopping.leading_zeros(),
            };
            reached = reached | (ray - &self.rays[d][first as usize]);
        }
        reached
    }

    /// Moves along rays, one row for each member of the set, behind those that are listed already.
    pub fn ray_moves(
        &self,
        set: &SpaceSet,
        directions: u8,
        blockers: &SpaceSet,
        listed: &mut Rows,
    ) {
        list(set, listed, |s| self.ray_of(s, directions, blockers));
    }

    pub fn step_moves(&self, set: &SpaceSet, directions: u8, listed: &mut Rows) {
        list(set, listed, |s| self.steps(&SpaceSet::one(s), directions));
    }

    pub fn leap_moves(&self, set: &SpaceSet, a: i32, b: i32, listed: &mut Rows) {
        list(set, listed, |s| self.leaps(&SpaceSet::one(s), a, b));
    }

    /// Moves over a neighbour that is in `over` to the space right behind it, if that is in `onto`.
    pub fn jump_moves(
        &self,
        set: &SpaceSet,
        directions: u8,
        over: &SpaceSet,
        onto: &SpaceSet,
        listed: &mut Rows,
    ) {
        list(set, listed, |s| {
            let landing = |d: u8| {
                let jumped = self.step(s, d).filter(|&n| over.contains(n))?;
                self.step(jumped, d).filter(|&n| onto.contains(n))
            };
            several(directions).filter_map(landing).collect()
        });
    }

    /// Leaps of so many columns and so many rows, either way round: the move of a knight is 1 and 2.
    pub fn leaps(&self, set: &SpaceSet, a: i32, b: i32) -> SpaceSet {
        if let Some(shifts) = self.shifts().filter(|_| self.is_full)
            && a.unsigned_abs().max(b.unsigned_abs()) < 8
        {
            let [set] = set.first_words::<1>();
            return SpaceSet::of_bits(leaps_at_once(shifts, set, a, b) as u128);
        }
        let mut reached = SpaceSet::EMPTY;
        set.each(|s| reached.join(&self.leaps_of(s, a, b)));
        reached
    }

    fn leaps_of(&self, space: u32, a: i32, b: i32) -> SpaceSet {
        let Some(&place) = self.grid.places.get(space as usize) else {
            return SpaceSet::EMPTY;
        };
        let (x, y) = self.grid.lattice(place);
        let ways = [
            (a, b),
            (b, a),
            (-a, b),
            (-b, a),
            (a, -b),
            (b, -a),
            (-a, -b),
            (-b, -a),
        ];
        ways.into_iter()
            .filter_map(|(dx, dy)| self.at_lattice((x + dx, y + dy)))
            .filter(|&to| to != space)
            .collect()
    }

    /// What lies strictly between two spaces on one line, nothing if they are on none.
    pub fn between(&self, a: u32, b: u32) -> SpaceSet {
        for (d, rays) in self.rays.iter().enumerate() {
            if self.is_ours(a) && rays[a as usize].contains(b) {
                let stop = SpaceSet::one(b);
                let mut found = self.ray(&SpaceSet::one(a), 1 << d, &stop);
                found.remove(b);
                return found;
            }
        }
        SpaceSet::EMPTY
    }

    /// The whole line through two spaces, to the edges of the board; nothing if they are on none.
    pub fn line_of(&self, a: u32, b: u32) -> SpaceSet {
        for (d, rays) in self.rays.iter().enumerate() {
            if self.is_ours(a) && rays[a as usize].contains(b) {
                return &(&rays[a as usize] | &self.rays[opposite(d)][a as usize])
                    | &SpaceSet::one(a);
            }
        }
        SpaceSet::EMPTY
    }

    /// Whether a set has so many in a row, in one of the directions or against it.
    pub fn line(&self, set: &SpaceSet, n: u32, directions: u8) -> bool {
        if n <= 1 {
            return n == 0 || !set.is_empty();
        }
        // On a board that wraps a full row would go on for ever.
        if n as usize > self.grid.places.len() {
            return false;
        }
        let half = (directions | directions.rotate_left(4)) & 0x0f;
        if let Some(shifts) = self.shifts() {
            let [set] = set.first_words::<1>();
            return several(half).any(|direction| {
                let shift = &shifts[direction as usize];
                let more = |starts: u64, _| shift.of(starts) & set;
                (1..n).fold(set, more) != 0
            });
        }
        // Each direction counts with its opposite: half of them are enough.
        several(half).any(|direction| {
            let mut starts = set.clone();
            for _ in 1..n {
                starts = self.shifted(&starts, direction) & set;
                if starts.is_empty() {
                    return false;
                }
            }
            true
        })
    }

    /// What lies in unbroken rows of `over` between a space and one of `ends`.
    pub fn flanked(&self, space: u32, over: &SpaceSet, ends: &SpaceSet) -> SpaceSet {
        let mut found = SpaceSet::EMPTY;
        for direction in 0..8 {
            let mut row = SpaceSet::EMPTY;
            let mut at = self.step(space, direction);
            while let Some(here) = at.filter(|&here| over.contains(here) && !row.contains(here)) {
                row.insert(here);
                at = self.step(here, direction);
            }
            if at.is_some_and(|end| ends.contains(end)) {
                found.join(&row);
            }
        }
        found
    }

    /// Every space from which an unbroken row of `over`, of one at least, leads to one of `ends`.
    pub fn flanking(&self, over: &SpaceSet, ends: &SpaceSet) -> SpaceSet {
        if let Some(shifts) = self.shifts() {
            let ([over], [ends]) = (over.first_words::<1>(), ends.first_words::<1>());
            let mut found = 0;
            for shift in shifts {
                let mut row = shift.of(ends) & over;
                while row != 0 {
                    let next = shift.of(row);
                    found |= next;
                    row = next & over;
                }
            }
            return SpaceSet::of_bits(found as u128);
        }
        let mut found = SpaceSet::EMPTY;
        for direction in 0..8 {
            let mut row = self.shifted(ends, direction) & over;
            let mut seen = SpaceSet::EMPTY;
            while !row.is_empty() {
                seen.join(&row);
                let next = self.shifted(&row, direction);
                found.join(&next);
                row = next & (over - &seen);
            }
        }
        found
    }

    /// The spaces reached from a set by steps through others, which are all that count.
    pub fn reach(&self, set: &SpaceSet, directions: u8, through: &SpaceSet) -> SpaceSet {
        let mut reached = SpaceSet::EMPTY;
        let mut front = set.clone();
        while !front.is_empty() {
            front = (self.steps(&front, directions) & through) - &reached - set;
            reached.join(&front);
        }
        reached
    }

    /// The spaces of the same row.
    pub fn row(&self, space: u32) -> SpaceSet {
        let place = self.grid.places.get(space as usize);
        place.map_or(SpaceSet::EMPTY, |at| self.rows[at.1 as usize].clone())
    }

    /// The spaces of the same column.
    pub fn column(&self, space: u32) -> SpaceSet {
        let place = self.grid.places.get(space as usize);
        place.map_or(SpaceSet::EMPTY, |at| self.columns[at.0 as usize].clone())
    }

    /// A set turned with the board around its middle: quarters to the right of squares, sixths of hexes. What falls off is gone.
    pub fn turned(&self, set: &SpaceSet, turns: i64) -> SpaceSet {
        let full = if self.grid.cells == Cells::Hex { 6 } else { 4 };
        let turns = turns.rem_euclid(full);
        self.mapped(set, |mut at| {
            for _ in 0..turns {
                // Twice the distances from the middle, so that they are whole.
                at = if full == 4 {
                    (at.1, -at.0)
                } else {
                    (at.0 + at.1, -at.0)
                };
            }
            at
        })
    }

    /// A set in the mirror, left and right exchanged.
    pub fn mirrored(&self, set: &SpaceSet) -> SpaceSet {
        let hex = self.grid.cells == Cells::Hex;
        self.mapped(set, |(x, y)| if hex { (-x - y, y) } else { (-x, y) })
    }

    fn mapped(&self, set: &SpaceSet, to: impl Fn((i32, i32)) -> (i32, i32)) -> SpaceSet {
        let corner = self
            .grid
            .lattice((self.grid.columns - 1, self.grid.rows - 1));
        let target = |s: u32| {
            let (x, y) = self.grid.lattice(*self.grid.places.get(s as usize)?);
            let (x, y) = to((2 * x - corner.0, 2 * y - corner.1));
            let (x, y) = (x + corner.0, y + corner.1);
            (x % 2 == 0 && y % 2 == 0).then(|| self.at_lattice((x / 2, y / 2)))?
        };
        set.iter().filter_map(target).collect()
    }
}

/// A direction some turns further to the right: eighths on squares, sixths on hexes.
pub fn turned_direction(cells: Cells, direction: u8, turns: i64) -> u8 {
    match cells {
        Cells::Square => (direction as i64 + turns).rem_euclid(8) as u8,
        Cells::Hex => {
            let at = HEX.iter().position(|&d| d == direction).unwrap_or(0) as i64;
            HEX[(at + turns).rem_euclid(6) as usize]
        }
    }
}

/// A row of moves for each member of a set that has some.
#[inline(always)]
fn list(set: &SpaceSet, listed: &mut Rows, targets: impl Fn(u32) -> SpaceSet) {
    set.each(|s| {
        let row = targets(s);
        if !row.is_empty() {
            listed.push((s, row));
        }
    });
}

/// The leaps of all spaces of a word: so many steps along rows and columns, either way round.
fn leaps_at_once(shifts: &[Shift; 8], set: u64, a: i32, b: i32) -> u64 {
    let [north, east, south, west] = [0, 2, 4, 6];
    if a == 0 && b == 0 {
        return 0;
    }
    let go = |set: u64, d: usize, steps: i32| {
        (0..steps.unsigned_abs()).fold(set, |at, _| shifts[d].of(at))
    };
    let mut reached = 0;
    for (across, along) in [(a, b), (b, a)] {
        let sideways = go(set, east, across) | go(set, west, across);
        reached |= go(sideways, north, along) | go(sideways, south, along);
    }
    reached
}

fn opposite(direction: usize) -> usize {
    (direction + 4) & 7
}

/// The directions of a row of bits.
#[inline(always)]
pub fn several(directions: u8) -> impl Iterator<Item = u8> {
    let mut rest = directions;
    std::iter::from_fn(move || {
        let next = (rest != 0).then(|| rest.trailing_zeros() as u8);
        rest &= rest.wrapping_sub(1);
        next
    })
}

fn everything_ahead(space: usize, steps: &[u16]) -> SpaceSet {
    let mut ahead = SpaceSet::EMPTY;
    let mut at = steps[space];
    while at != NOWHERE && !ahead.contains(at as u32) {
        ahead.insert(at as u32);
        at = steps[at as usize];
    }
    ahead
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(cells: Cells, columns: i32, rows: i32) -> Grid {
        let places = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
        Grid {
            cells,
            columns,
            rows,
            neighbors: Direction::ALL,
            places: places.collect(),
            ..Grid::default()
        }
    }

    fn set(spaces: &[u32]) -> SpaceSet {
        spaces.iter().copied().collect()
    }

    /// The same answers whether steps are shifts of one word, of two, or looked up one by one.
    #[test]
    fn rays_and_lines_are_the_same_on_boards_of_any_size() {
        for (columns, rows) in [(8, 8), (11, 11), (30, 30)] {
            let board = Geometry::new(&grid(Cells::Square, columns, rows));
            let at = |column: i32, row: i32| (row * columns + column) as u32;
            let blockers = set(&[at(1, 4), at(5, 5)]);
            let ray = board.ray(&set(&[at(1, 1)]), 0b0000_0011, &blockers);
            let wanted = set(&[
                at(1, 2),
                at(1, 3),
                at(1, 4),
                at(2, 2),
                at(3, 3),
                at(4, 4),
                at(5, 5),
            ]);
            assert_eq!(ray, wanted, "{columns}");
            assert_eq!(
                board.ray_of(at(1, 1), 0b0000_0011, &blockers),
                wanted,
                "{columns}"
            );
            let row = set(&[at(2, 3), at(3, 4), at(4, 5), at(5, 6)]);
            assert!(board.line(&row, 4, Direction::ALL) && !board.line(&row, 5, Direction::ALL));
            assert!(!board.line(&row, 2, Direction::ORTHOGONAL), "{columns}");
            assert_eq!(
                board.between(at(1, 1), at(4, 4)),
                set(&[at(2, 2), at(3, 3)])
            );
            assert!(board.between(at(1, 1), at(2, 3)).is_empty(), "{columns}");
            assert_eq!(
                board.leaps(&set(&[at(0, 0)]), 1, 2),
                set(&[at(1, 2), at(2, 1)])
            );
            let (over, ends) = (set(&[at(2, 1), at(3, 1)]), set(&[at(4, 1)]));
            assert_eq!(
                board.flanking(&over, &ends) - &over,
                set(&[at(1, 1)]),
                "{columns}"
            );
            assert_eq!(board.flanked(at(1, 1), &over, &ends), over, "{columns}");
        }
    }

    #[test]
    fn a_board_may_go_on_at_its_other_side() {
        let mut around = grid(Cells::Square, 5, 3);
        around.wraps = (true, false);
        let board = Geometry::new(&around);
        assert_eq!(
            board.step(4, 2),
            Some(0),
            "east of the last column is the first"
        );
        assert_eq!(board.step(10, 0), None, "but nothing is above the last row");
        assert_eq!(board.ray(&set(&[0]), 1 << 2, &SpaceSet::EMPTY).len(), 5);
    }

    #[test]
    fn hexes_have_six_neighbours_in_leaning_and_in_straight_rows() {
        for leaning in [true, false] {
            let mut hexes = grid(Cells::Hex, 5, 5);
            hexes.leaning = leaning;
            let board = Geometry::new(&hexes);
            let around = board.steps(&set(&[12]), Direction::ALL);
            let wanted: &[u32] = if leaning {
                &[7, 8, 11, 13, 16, 17]
            } else {
                &[6, 7, 11, 13, 16, 17]
            };
            assert_eq!(around, set(wanted), "{leaning}");
            assert_eq!(hexes.borders().len(), 56, "{leaning}");
        }
    }

    #[test]
    fn sets_are_turned_and_mirrored_with_the_board() {
        let board = Geometry::new(&grid(Cells::Square, 3, 3));
        let corner = set(&[0, 1]);
        assert_eq!(
            board.turned(&corner, 1),
            set(&[6, 3]),
            "to the right: from below to the left"
        );
        assert_eq!(board.turned(&corner, 4), corner);
        assert_eq!(board.mirrored(&corner), set(&[2, 1]));
        let mut hexes = grid(Cells::Hex, 3, 3);
        hexes.leaning = true;
        let board = Geometry::new(&hexes);
        let middle = board.steps(&set(&[4]), Direction::ALL);
        assert_eq!(
            board.turned(&middle, 1),
            middle,
            "six around one stay six around it"
        );
        assert_eq!(board.turned(&set(&[5]), 3), set(&[3]));
        assert_eq!(board.mirrored(&set(&[5])), set(&[3]));
        assert_eq!(turned_direction(Cells::Hex, 2, 1), 3);
        assert_eq!(turned_direction(Cells::Square, 0, -1), 7);
    }
}
