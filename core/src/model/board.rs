//! The map as it lies on the table: which spaces are in play, who borders whom, how far, at what cost.

use super::set::{ONE_NUMBER, SMALL, SpaceSet, nth_bit};
use crate::content::definition::{FieldValue, Map};
use foldhash::fast::FixedState;
use petgraph::algo::dijkstra;
use petgraph::graph::{NodeIndex, UnGraph};
use petgraph::visit::{EdgeFiltered, EdgeRef};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

/// Where a section lies: column and row in units of sections, and quarter turns to the right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Placement {
    pub section: u32,
    pub column: i32,
    pub row: i32,
    pub turns: u8,
}

/// No way leads there.
pub const UNREACHABLE: u16 = u16::MAX;

/// The graph of the spaces in play, with what is asked of it again and again worked out beforehand.
#[derive(Debug, Clone, Default)]
pub struct Board {
    graph: UnGraph<(), Option<u32>>,
    placements: Vec<Placement>,
    in_play: SpaceSet,
    neighbors: Vec<SpaceSet>,
    /// The words of these sets one behind the other, as many for each as the map needs; none for a large map.
    words: Vec<u64>,
    /// Steps from a to b at `a * spaces + b`, worked out when first asked for.
    distances: OnceLock<Vec<u16>>,
    /// The written edge between two spaces, for its fields.
    edges: HashMap<(u32, u32), u32, FixedState>,
    /// The same as a list: both ends, each way round and in order, and the edge's number.
    written: Vec<(u32, u32, u32)>,
    /// Column and row of each square on the board: from the top if it is made of sections, from the bottom on a grid.
    squares: Vec<Option<(i32, i32)>>,
    /// Cheapest costs over the whole board by edge field, worked out when first asked for.
    costs: Vec<OnceLock<Arc<CostTable>>>,
}

impl Board {
    /// A fixed map, or an assembled one with these sections on the table.
    pub fn new(map: &Map, placements: &[Placement]) -> Board {
        Self::with_kept(map, placements, None)
    }

    /// The same with only some of its spaces: the others are not on the table.
    pub fn with_kept(map: &Map, placements: &[Placement], kept: Option<SpaceSet>) -> Board {
        let spaces = map.spaces.len();
        let mut graph = UnGraph::with_capacity(spaces, map.edges.len());
        for _ in 0..spaces {
            graph.add_node(());
        }
        let mut edges = HashMap::default();
        for (number, edge) in map.edges.iter().enumerate() {
            graph.add_edge(node(edge.a), node(edge.b), Some(number as u32));
            edges.insert((edge.a.min(edge.b), edge.a.max(edge.b)), number as u32);
        }
        let mut squares = vec![None; spaces];
        let in_play = if map.assembled {
            join_squares(map, placements, &mut graph, &mut squares)
        } else {
            for (id, space) in map.spaces.iter().enumerate() {
                squares[id] = space
                    .square
                    .map(|(_, column, row)| (column as i32, row as i32));
            }
            for (id, &place) in map.grid.iter().flat_map(|g| &g.places).enumerate() {
                squares[id] = Some(place);
            }
            SpaceSet::first(spaces)
        };
        let in_play = match kept {
            Some(kept) => in_play & kept,
            None => in_play,
        };
        graph.retain_edges(|graph, edge| {
            let ends = graph.edge_endpoints(edge);
            ends.is_some_and(|(a, b)| {
                in_play.contains(a.index() as u32) && in_play.contains(b.index() as u32)
            })
        });
        let neighbors: Vec<SpaceSet> = graph
            .node_indices()
            .map(|n| graph.neighbors(n).map(|m| m.index() as u32).collect())
            .collect();
        let words = match spaces {
            0..=64 => words::<1>(&neighbors),
            65..=128 => words::<2>(&neighbors),
            129..=SMALL => words::<3>(&neighbors),
            _ => Vec::new(),
        };
        let costs = vec![OnceLock::new(); map.edge_fields.len()];
        let both_ways = edges
            .iter()
            .flat_map(|(&(a, b), &e)| [(a, b, e), (b, a, e)]);
        let borders = |(a, b, _): &(u32, u32, u32)| neighbors[*a as usize].contains(*b);
        let mut written: Vec<(u32, u32, u32)> = both_ways.filter(borders).collect();
        written.sort_unstable();
        Board {
            graph,
            placements: placements.to_vec(),
            in_play,
            neighbors,
            words,
            distances: OnceLock::new(),
            edges,
            written,
            squares,
            costs,
        }
    }

    /// Cheapest costs over the whole board by an edge field.
    pub fn all_costs(&self, map: &Map, field: usize) -> Arc<CostTable> {
        self.costs[field]
            .get_or_init(|| Arc::new(self.costs(map, field, &self.in_play)))
            .clone()
    }

    pub fn placements(&self) -> &[Placement] {
        &self.placements
    }

    /// Spaces of the map, in play or not.
    #[inline(always)]
    pub fn spaces(&self) -> u32 {
        self.neighbors.len() as u32
    }

    #[inline(always)]
    pub fn in_play(&self) -> &SpaceSet {
        &self.in_play
    }

    #[inline(always)]
    pub fn neighbors(&self, space: u32) -> &SpaceSet {
        &self.neighbors[space as usize]
    }

    /// The spaces that border the set from outside.
    pub fn border_of(&self, set: &SpaceSet) -> SpaceSet {
        self.around(set) - set
    }

    /// Every space that some member of the set borders, members included.
    #[inline(always)]
    fn around(&self, set: &SpaceSet) -> SpaceSet {
        let mut around = SpaceSet::EMPTY;
        set.each(|s| around.join(&self.neighbors[s as usize]));
        around
    }

    #[inline(always)]
    pub fn adjacent(&self, a: u32, b: u32) -> bool {
        self.neighbors[a as usize].contains(b)
    }

    /// The written edge between two spaces, if their border is one.
    pub fn edge_between(&self, a: u32, b: u32) -> Option<u32> {
        self.edges.get(&(a.min(b), a.max(b))).copied()
    }

    /// The borders whose written edge fits, the targets of each space.
    pub fn list_written(&self, listed: &mut Rows, fits: impl Fn(u32) -> bool) {
        for &(from, to, edge) in &self.written {
            if fits(edge) {
                match listed.last_mut() {
                    Some((last, row)) if *last == from => row.insert(to),
                    _ => listed.push((from, SpaceSet::one(to))),
                }
            }
        }
    }

    fn distances(&self) -> &[u16] {
        self.distances
            .get_or_init(|| all_distances(&self.neighbors))
    }

    /// Steps from a to b; `None` if no way leads there.
    pub fn distance(&self, a: u32, b: u32) -> Option<u32> {
        match self.distances()[a as usize * self.neighbors.len() + b as usize] {
            UNREACHABLE => None,
            steps => Some(steps as u32),
        }
    }

    /// Spaces at most `steps` away, without the space itself.
    pub fn within(&self, space: u32, steps: u32) -> SpaceSet {
        let spaces = self.neighbors.len();
        let row = &self.distances()[space as usize * spaces..][..spaces];
        let near = |&d: &u16| d != UNREACHABLE && d > 0 && d as u32 <= steps;
        row.iter()
            .enumerate()
            .filter(|(_, d)| near(d))
            .map(|(s, _)| s as u32)
            .collect()
    }

    /// Spaces at most `steps` away from a set by ways that step only through `through`; the last step may end anywhere.
    pub fn within_through(&self, from: &SpaceSet, steps: u32, through: &SpaceSet) -> SpaceSet {
        let mut reached = SpaceSet::EMPTY;
        let mut edge = from.clone();
        for _ in 0..steps {
            let next = self.around(&edge) - &reached - from;
            if next.is_empty() {
                break;
            }
            reached.join(&next);
            edge = next & through;
        }
        reached
    }

    /// Spaces at most `steps` away from a set along some borders only; `row` gives the targets of a space.
    pub fn within_along(
        &self,
        from: &SpaceSet,
        steps: u32,
        row: impl Fn(u32) -> SpaceSet,
    ) -> SpaceSet {
        let mut reached = from.clone();
        let mut edge = reached.clone();
        for _ in 0..steps {
            let mut next = SpaceSet::EMPTY;
            edge.each(|s| next.join(&row(s)));
            edge = next - &reached;
            if edge.is_empty() {
                break;
            }
            reached.join(&edge);
        }
        reached - from
    }

    /// Those of a set that border some member of another.
    pub fn touching(&self, set: &SpaceSet, other: &SpaceSet) -> SpaceSet {
        set.filtered(|s| !(&self.neighbors[s as usize] & other).is_empty())
    }

    /// The part of `set` that hangs together with `space`.
    pub fn connected(&self, space: u32, set: &SpaceSet) -> SpaceSet {
        let mut part = SpaceSet::one(space) & set;
        let mut edge = part.clone();
        while !edge.is_empty() {
            edge = (self.around(&edge) & set) - &part;
            part.join(&edge);
        }
        part
    }

    /// The parts a set falls into, each hanging together.
    pub fn parts(&self, set: &SpaceSet) -> Vec<SpaceSet> {
        let mut left = set.clone();
        let mut parts = Vec::new();
        while let Some(space) = left.next_from(0) {
            let part = self.connected(space, &left);
            left = left - &part;
            parts.push(part);
        }
        parts
    }

    /// Those members of a set whose parts border at most so many of the free spaces.
    pub fn hemmed_in(&self, set: &SpaceSet, free: &SpaceSet, most: u32) -> SpaceSet {
        if self.neighbors.len() <= ONE_NUMBER {
            let found = self.hemmed_in_number(set.bits(), free.bits(), most);
            return SpaceSet::of_bits(found);
        }
        let mut found = SpaceSet::EMPTY;
        let mut left = set.clone();
        while let Some(space) = left.next_from(0) {
            let mut part = SpaceSet::one(space);
            let mut edge = part.clone();
            let mut border = SpaceSet::EMPTY;
            while !edge.is_empty() {
                let around = self.around(&edge);
                border.join(&(&around & free));
                edge = (around & &left) - &part;
                part.join(&edge);
            }
            if border.len() <= most {
                found.join(&part);
            }
            left = left - part;
        }
        found
    }

    /// The same on a map whose sets are one number.
    fn hemmed_in_number(&self, set: u128, free: u128, most: u32) -> u128 {
        let (mut found, mut left) = (0, set);
        while left != 0 {
            let mut part = left & left.wrapping_neg();
            let (mut edge, mut border) = (part, 0);
            while edge != 0 {
                let mut around = 0;
                while edge != 0 {
                    around |= self.neighbors[edge.trailing_zeros() as usize].bits();
                    edge &= edge - 1;
                }
                border |= around & free;
                edge = around & left & !part;
                part |= edge;
            }
            if border.count_ones() <= most {
                found |= part;
            }
            left &= !part;
        }
        found
    }

    /// Cheapest cost from every space to every other by a number on the edges, stepping only inside `through`.
    pub fn costs(&self, map: &Map, field: usize, through: &SpaceSet) -> CostTable {
        let cost = |edge: Option<u32>| match edge.map(|e| &map.edges[e as usize].fields[field]) {
            Some(FieldValue::Int(n)) => (*n).clamp(0, u32::MAX.into()) as u64,
            _ => 0,
        };
        let inside = EdgeFiltered::from_fn(&self.graph, |e| {
            through.contains(e.source().index() as u32)
                && through.contains(e.target().index() as u32)
        });
        let spaces = self.neighbors.len();
        let mut costs = vec![u32::MAX; spaces * spaces];
        through.each(|from| {
            for (to, total) in dijkstra(&inside, node(from), None, |e| cost(*e.weight())) {
                // What costs more than any number that is kept still has a price: without one there would be no way.
                let total = u32::try_from(total).unwrap_or(u32::MAX).min(u32::MAX - 1);
                costs[from as usize * spaces + to.index()] = total;
            }
        });
        CostTable {
            field,
            through: through.clone(),
            spaces,
            costs,
        }
    }

    /// Column and row of a square.
    pub fn square(&self, space: u32) -> Option<(i32, i32)> {
        self.squares[space as usize]
    }

    /// How many ordered pairs of neighbours lead from one set into another.
    #[inline(always)]
    pub fn count_edges(&self, from: &SpaceSet, to: &SpaceSet) -> u32 {
        match self.neighbors.len() {
            0..=64 => self.count_edges_in::<1>(from, to),
            65..=128 => self.count_edges_in::<2>(from, to),
            129..=SMALL => self.count_edges_in::<3>(from, to),
            _ => self.count_edges_far(from, to),
        }
    }

    /// The neighbours of a space on a map whose sets need `W` words.
    #[inline(always)]
    fn near<const W: usize>(&self, space: usize) -> [u64; W] {
        let from_here = self.words.get(space * W..).unwrap_or_default();
        *from_here.first_chunk::<W>().unwrap_or(&[0; W])
    }

    /// On a map whose sets need `W` words.
    #[inline(always)]
    fn count_edges_in<const W: usize>(&self, from: &SpaceSet, to: &SpaceSet) -> u32 {
        let to = to.first_words::<W>();
        let mut count = 0;
        for (w, mut rest) in from.first_words::<W>().into_iter().enumerate() {
            while rest != 0 {
                let around = self.near::<W>(w * 64 + rest.trailing_zeros() as usize);
                for v in 0..W {
                    count += (around[v] & to[v]).count_ones();
                }
                rest &= rest - 1;
            }
        }
        count
    }

    #[inline(never)]
    fn count_edges_far(&self, from: &SpaceSet, to: &SpaceSet) -> u32 {
        let mut count = 0;
        from.each(|f| count += (&self.neighbors[f as usize] & to).len());
        count
    }

    /// The `n`-th such pair, in ascending order of both.
    #[inline(always)]
    pub fn nth_edge(&self, from: &SpaceSet, to: &SpaceSet, n: u32) -> Option<(u32, u32)> {
        match self.neighbors.len() {
            0..=64 => self.nth_edge_in::<1>(from, to, n),
            65..=128 => self.nth_edge_in::<2>(from, to, n),
            129..=SMALL => self.nth_edge_in::<3>(from, to, n),
            _ => self.nth_edge_far(from, to, n),
        }
    }

    #[inline(always)]
    fn nth_edge_in<const W: usize>(
        &self,
        from: &SpaceSet,
        to: &SpaceSet,
        mut n: u32,
    ) -> Option<(u32, u32)> {
        let to = to.first_words::<W>();
        for (w, mut rest) in from.first_words::<W>().into_iter().enumerate() {
            while rest != 0 {
                let f = w * 64 + rest.trailing_zeros() as usize;
                let around = self.near::<W>(f);
                for v in 0..W {
                    let targets = around[v] & to[v];
                    let here = targets.count_ones();
                    if n < here {
                        return Some((f as u32, v as u32 * 64 + nth_bit(targets, n)));
                    }
                    n -= here;
                }
                rest &= rest - 1;
            }
        }
        None
    }

    #[inline(never)]
    fn nth_edge_far(&self, from: &SpaceSet, to: &SpaceSet, mut n: u32) -> Option<(u32, u32)> {
        for f in from.iter() {
            let targets = &self.neighbors[f as usize] & to;
            let here = targets.len();
            if n < here {
                return targets.nth(n).map(|t| (f, t));
            }
            n -= here;
        }
        None
    }

    /// The first such pair from here on.
    pub fn next_edge(
        &self,
        from: &SpaceSet,
        to: &SpaceSet,
        (mut f, mut t): (u32, u32),
    ) -> Option<(u32, u32)> {
        loop {
            let here = from.next_from(f)?;
            if here != f {
                t = 0;
            }
            let targets = &self.neighbors[here as usize] & to;
            if let Some(found) = targets.next_from(t) {
                return Some((here, found));
            }
            (f, t) = (here + 1, 0);
        }
    }

    /// The targets of each space that has some, for borders from one set into another.
    pub fn edge_rows(&self, from: &SpaceSet, to: &SpaceSet) -> Rows {
        let mut rows = Rows::with_capacity(from.len() as usize);
        self.list_edges(from, to, &mut rows);
        rows
    }

    /// The same in a list that is there already.
    pub fn list_edges(&self, from: &SpaceSet, to: &SpaceSet, rows: &mut Rows) {
        from.each(|f| {
            let targets = &self.neighbors[f as usize] & to;
            if !targets.is_empty() {
                rows.push((f, targets));
            }
        });
    }
}

/// Moves or borders: the targets of each space that has some, in ascending order.
pub type Rows = Vec<(u32, SpaceSet)>;

/// Cheapest costs between all pairs of spaces, for one edge field and one set of open spaces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CostTable {
    pub field: usize,
    pub through: SpaceSet,
    spaces: usize,
    costs: Vec<u32>,
}

impl CostTable {
    /// Those of `to` that some member of `from` reaches for at most `limit(space)`.
    pub fn within(&self, from: &SpaceSet, to: &SpaceSet, limit: impl Fn(u32) -> i64) -> SpaceSet {
        let affordable = |&t: &u32| {
            self.cheapest(from, t)
                .is_some_and(|cost| cost as i64 <= limit(t))
        };
        to.iter().filter(affordable).collect()
    }

    /// The cheapest way from any of `from` to `to`.
    pub fn cheapest(&self, from: &SpaceSet, to: u32) -> Option<u32> {
        let mut best = u32::MAX;
        from.each(|f| best = best.min(self.costs[f as usize * self.spaces + to as usize]));
        (best != u32::MAX).then_some(best)
    }
}

fn node(space: u32) -> NodeIndex {
    NodeIndex::new(space as usize)
}

/// Lays the sections out, turned as asked, and joins squares that touch. Answers with the spaces in play.
fn join_squares(
    map: &Map,
    placements: &[Placement],
    graph: &mut UnGraph<(), Option<u32>>,
    squares: &mut [Option<(i32, i32)>],
) -> SpaceSet {
    let mut at: HashMap<(i32, i32), u32> = HashMap::new();
    for placement in placements {
        let section = &map.sections[placement.section as usize];
        let (columns, rows) = (section.columns as i32, section.rows as i32);
        for (number, space) in section.squares.iter().enumerate() {
            let Some(space) = *space else { continue };
            let (x, y) = turned(
                number as i32 % columns,
                number as i32 / columns,
                columns,
                rows,
                placement.turns,
            );
            let place = (placement.column * columns + x, placement.row * rows + y);
            squares[space as usize] = Some(place);
            at.insert(place, space);
        }
    }
    for (&(x, y), &space) in &at {
        for other in [(x + 1, y), (x, y + 1)] {
            if let Some(&neighbor) = at.get(&other) {
                graph.add_edge(node(space), node(neighbor), None);
            }
        }
    }
    at.into_values().collect()
}

/// A square's place after quarter turns to the right. Sections that may be turned are square.
fn turned(x: i32, y: i32, columns: i32, rows: i32, turns: u8) -> (i32, i32) {
    match turns % 4 {
        0 => (x, y),
        1 => (rows - 1 - y, x),
        2 => (columns - 1 - x, rows - 1 - y),
        _ => (y, columns - 1 - x),
    }
}

/// The first words of some sets, one behind the other.
fn words<const W: usize>(sets: &[SpaceSet]) -> Vec<u64> {
    sets.iter().flat_map(SpaceSet::first_words::<W>).collect()
}

/// Breadth first from every space; maps are small and distances are asked for often.
fn all_distances(neighbors: &[SpaceSet]) -> Vec<u16> {
    let spaces = neighbors.len();
    let mut distances = vec![UNREACHABLE; spaces * spaces];
    for start in 0..spaces {
        let row = &mut distances[start * spaces..][..spaces];
        let mut edge = SpaceSet::one(start as u32);
        let mut seen = edge.clone();
        for steps in 0..UNREACHABLE {
            edge.each(|s| row[s as usize] = steps);
            let mut next = SpaceSet::EMPTY;
            edge.each(|s| next.join(&neighbors[s as usize]));
            edge = next - &seen;
            seen.join(&edge);
            if edge.is_empty() {
                break;
            }
        }
    }
    distances
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::definition::{Edge, Section, Space, Text};

    fn space(id: &str, square: Option<(u32, u8, u8)>) -> Space {
        Space {
            id: id.into(),
            name: Text::default(),
            area: None,
            at: None,
            square,
            fields: vec![],
        }
    }

    /// A line a - b - c - d with costs 5, 1, 1 and a shortcut a - d of 4.
    fn line() -> Map {
        let edge = |a, b, cost| Edge {
            a,
            b,
            fields: vec![FieldValue::Int(cost)],
        };
        Map {
            spaces: ["a", "b", "c", "d"].map(|id| space(id, None)).to_vec(),
            edges: vec![edge(0, 1, 5), edge(1, 2, 1), edge(2, 3, 1), edge(0, 3, 4)],
            ..Map::default()
        }
    }

    #[test]
    fn costs_beyond_numbers_are_still_costs() {
        let mut map = line();
        map.edges.truncate(3);
        for edge in &mut map.edges {
            edge.fields = vec![FieldValue::Int(i64::MAX)];
        }
        let board = Board::new(&map, &[]);
        let all = board.costs(&map, 0, &SpaceSet::first(4));
        let far = all.cheapest(&SpaceSet::one(0), 3);
        assert_eq!(far, Some(u32::MAX - 1), "three times more than is kept");
    }

    #[test]
    fn distance_range_and_cost() {
        let map = line();
        let board = Board::new(&map, &[]);
        assert_eq!(board.distance(0, 2), Some(2));
        assert_eq!(board.within(0, 1).iter().collect::<Vec<_>>(), [1, 3]);
        assert_eq!(
            board
                .within_through(&SpaceSet::one(0), 3, &SpaceSet::one(1))
                .iter()
                .collect::<Vec<_>>(),
            [1, 2, 3]
        );
        let all = board.costs(&map, 0, &SpaceSet::first(4));
        assert_eq!(
            all.cheapest(&SpaceSet::one(0), 2),
            Some(5),
            "by the shortcut"
        );
        let closed = board.costs(&map, 0, &SpaceSet::first(3));
        assert_eq!(
            closed.cheapest(&SpaceSet::one(0), 2),
            Some(6),
            "the shortcut's end is closed"
        );
        assert_eq!(closed.cheapest(&SpaceSet::one(0), 3), None);
        assert_eq!(
            board
                .connected(0, &(SpaceSet::first(2) | SpaceSet::one(3)))
                .len(),
            3
        );
    }

    #[test]
    fn edges_are_counted_and_found_without_a_list() {
        let board = Board::new(&line(), &[]);
        let (from, to) = (SpaceSet::first(2), SpaceSet::first(4));
        let listed: Vec<_> = (0..board.count_edges(&from, &to))
            .map(|n| board.nth_edge(&from, &to, n))
            .collect();
        assert_eq!(
            listed,
            [Some((0, 1)), Some((0, 3)), Some((1, 0)), Some((1, 2))]
        );
        let mut at = (0, 0);
        let walked: Vec<_> = std::iter::from_fn(|| {
            let found = board.next_edge(&from, &to, at)?;
            at = (found.0, found.1 + 1);
            Some(Some(found))
        })
        .collect();
        assert_eq!(walked, listed);
    }

    /// Two sections of two by two; the right one turned so that its first square touches the left one's last.
    #[test]
    fn sections_join_where_they_touch_however_they_are_turned() {
        let section = |id: &str, first: u32| Section {
            id: id.into(),
            name: Text::default(),
            columns: 2,
            rows: 2,
            squares: (first..first + 4).map(Some).collect(),
        };
        let spaces = (0..8)
            .map(|n| {
                space(
                    &n.to_string(),
                    Some((n / 4, (n % 2) as u8, (n % 4 / 2) as u8)),
                )
            })
            .collect();
        let map = Map {
            spaces,
            sections: vec![section("l", 0), section("r", 4)],
            assembled: true,
            ..Map::default()
        };
        let place = |section, column, turns| Placement {
            section,
            column,
            row: 0,
            turns,
        };
        let straight = Board::new(&map, &[place(0, 0, 0), place(1, 1, 0)]);
        assert!(straight.adjacent(1, 4) && straight.adjacent(3, 6) && !straight.adjacent(1, 5));
        let turned = Board::new(&map, &[place(0, 0, 0), place(1, 1, 1)]);
        assert!(turned.adjacent(1, 6) && turned.adjacent(3, 7));
        assert_eq!(Board::new(&map, &[place(0, 0, 0)]).in_play().len(), 4);
    }
}
