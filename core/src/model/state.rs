//! The state of one match: flat, complete, cheap to copy. Everything a game remembers is here.

use super::agenda::Agenda;
use super::board::{Board, CostTable, Placement};
use super::layout::{Layout, Slot};
use super::leaf::Leaf;
use super::set::SpaceSet;
use super::streams::Stream;
use crate::content::definition::Definition;
use std::sync::Arc;

/// Not in any zone: in the box.
pub const IN_THE_BOX: u32 = u32::MAX;

/// Cost tables a state remembers.
const COST_TABLES: usize = 4;

/// A card, token or counter on the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece {
    pub card: u32,
    pub zone: u32,
    /// Seat, or -1.
    pub owner: i8,
    /// Whose cards it was put among when it was made: a seat, or -1 for what all draw from. Who owns it later has no part in it.
    pub home: i8,
    /// Seen by all, whatever its zone says.
    pub face_up: bool,
    /// Seats that have seen what it is and could follow it since, as bits.
    pub known: u16,
    /// Its number among all pieces this match ever had: what it is called outside. Its row may have been another piece's before.
    pub key: u32,
}

impl Piece {
    pub fn is_on_the_table(&self) -> bool {
        self.zone != IN_THE_BOX
    }
}

/// Pieces in the box that are remembered; the oldest are forgotten first.
const UNSEEN_REMEMBERED: usize = 500;

/// A piece that went into the box while somebody did not know what it was: it may still be thought to lie elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unseen {
    pub card: u32,
    pub home: i8,
    /// Seats that knew it, as bits.
    pub known: u16,
}

/// How a match ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// The rules ended it, with this reason (the number of a `[reason]` text), if they gave one.
    /// If they said who won, whatever the scores are, the winners as bits: none of them if everybody lost.
    Rules {
        reason: Option<u32>,
        winners: Option<u32>,
    },
    /// The round limit of the manifest.
    RoundLimit,
}

/// A value was outside what its attribute allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutOfRange {
    pub value: i64,
    pub min: i32,
    pub max: i32,
}

/// How many choices were asked so far, how many had only one option, and how many options all of them had.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    pub decisions: u64,
    pub forced: u64,
    pub options: u64,
}

/// Everything that changes while a match is played.
#[derive(Debug)]
pub struct State {
    pub values: Vec<i32>,
    pub pieces: Leaf<Vec<Piece>>,
    pub piece_values: Leaf<Vec<i32>>,
    /// Rows of pieces that are no more, the next to be used again last.
    pub(super) free: Leaf<Vec<u32>>,
    /// Pieces made so far, and those removed since it was last looked for free rows.
    made: u32,
    pub(super) removed: u32,
    /// What went into the box unseen and was not made again since.
    pub unseen: Leaf<Vec<Unseen>>,
    /// Pieces of each zone instance, the top last.
    pub zones: Leaf<Vec<Leaf<Vec<u32>>>>,
    /// For each indexed attribute and each of its values ("none" first): the spaces that have it.
    pub index: Leaf<Vec<SpaceSet>>,
    pub board: Arc<Board>,
    /// Cost tables already worked out on this board.
    pub costs: Vec<Arc<CostTable>>,
    /// Seats in turn order, and who starts.
    pub order: Vec<u8>,
    pub start: u8,
    /// Seats that play no more, as bits.
    pub out: u32,
    pub round: u32,
    /// Steps begun in this round.
    pub steps: u32,
    pub agenda: Agenda,
    pub streams: Leaf<Vec<Stream>>,
    pub end: Option<End>,
    /// Whether the rules have had their say about the end.
    pub closed: bool,
    pub tally: Tally,
    /// How many decisions each seat has had, the one it has before it included.
    pub decided: Vec<u32>,
    /// Boards the rules have noted, to know them again.
    pub noted: Leaf<Vec<u64>>,
}

impl Clone for State {
    fn clone(&self) -> State {
        State {
            values: self.values.clone(),
            pieces: self.pieces.clone(),
            piece_values: self.piece_values.clone(),
            free: self.free.clone(),
            made: self.made,
            removed: self.removed,
            unseen: self.unseen.clone(),
            zones: self.zones.clone(),
            index: self.index.clone(),
            board: self.board.clone(),
            costs: self.costs.clone(),
            order: self.order.clone(),
            start: self.start,
            out: self.out,
            round: self.round,
            steps: self.steps,
            agenda: self.agenda.clone(),
            streams: self.streams.clone(),
            end: self.end.clone(),
            closed: self.closed,
            tally: self.tally,
            decided: self.decided.clone(),
            noted: self.noted.clone(),
        }
    }

    /// Into the memory that is there: bots look at thousands of positions for every move.
    fn clone_from(&mut self, other: &State) {
        let State {
            values,
            pieces,
            piece_values,
            free,
            made,
            removed,
            unseen,
            zones,
            index,
            board,
            costs,
            order,
            start,
            out,
            round,
            steps,
            agenda,
            streams,
            end,
            closed,
            tally,
            decided,
            noted,
        } = other;
        self.values.clone_from(values);
        self.pieces.clone_from(pieces);
        self.piece_values.clone_from(piece_values);
        self.free.clone_from(free);
        self.made = *made;
        self.removed = *removed;
        self.unseen.clone_from(unseen);
        self.zones.clone_from(zones);
        self.index.clone_from(index);
        // Threads that play the same game share its board: they must not count each other's copies of it.
        if !Arc::ptr_eq(&self.board, board) {
            self.board.clone_from(board);
        }
        self.costs.clone_from(costs);
        self.order.clone_from(order);
        self.start = *start;
        self.out = *out;
        self.round = *round;
        self.steps = *steps;
        self.agenda.clone_from(agenda);
        self.streams.clone_from(streams);
        self.end.clone_from(end);
        self.closed = *closed;
        self.tally = *tally;
        self.decided.clone_from(decided);
        self.noted.clone_from(noted);
    }
}

impl State {
    /// An empty table: attributes at their start values, every piece in the box.
    pub fn new(definition: &Definition, layout: &Layout, board: Arc<Board>, seed: u64) -> State {
        let mut values = vec![0; layout.values];
        let spaces = layout.spaces;
        for (slots, owners) in [
            (&layout.game, 1),
            (&layout.player, layout.players),
            (&layout.space, spaces),
        ] {
            for slot in slots {
                values[slot.at as usize..][..(slot.width * owners) as usize].fill(slot.start);
            }
        }
        let mut index = vec![SpaceSet::EMPTY; layout.index_sets];
        for slot in &layout.space {
            if let Some(at) = &slot.index {
                index[at.at(slot.start)] = SpaceSet::first(spaces as usize);
            }
        }
        if let Some(at) = definition.side_attribute() {
            let slot = &layout.player[at];
            for (seat, side) in definition
                .first_sides(layout.players as u8)
                .iter()
                .enumerate()
            {
                let word = side.map_or(-1, |side| definition.sides[side].word as i32);
                values[slot.at as usize + seat] = word;
            }
        }
        let mut order: Vec<u8> = (0..layout.players as u8).collect();
        if definition.to_the_right {
            order[1..].reverse();
        }
        State {
            values,
            pieces: Leaf::default(),
            piece_values: Leaf::default(),
            free: Leaf::default(),
            made: 0,
            removed: 0,
            unseen: Leaf::default(),
            zones: Leaf::from(vec![Leaf::default(); layout.zones.len()]),
            index: Leaf::from(index),
            board,
            costs: Vec::new(),
            order,
            start: 0,
            out: 0,
            round: 0,
            steps: 0,
            agenda: Agenda::default(),
            streams: Leaf::from(Vec::from_iter(
                layout
                    .streams
                    .iter()
                    .map(|&name| Stream::numbered(seed, name)),
            )),
            end: None,
            closed: false,
            tally: Tally::default(),
            decided: vec![0; layout.players as usize],
            noted: Leaf::default(),
        }
    }

    /// New luck in every stream: what a bot imagines must not tell it what will come.
    pub fn reseed(&mut self, layout: &Layout, seed: u64) {
        for (stream, &name) in self.streams.iter_mut().zip(&layout.streams) {
            *stream = Stream::numbered(seed, name);
        }
    }

    #[inline(always)]
    pub fn is_out(&self, seat: u8) -> bool {
        self.out >> seat & 1 == 1
    }

    /// Seats still in, in turn order from `first`.
    pub fn seats_from(&self, first: u8) -> impl Iterator<Item = u8> + '_ {
        let at = self.order.iter().position(|&s| s == first).unwrap_or(0);
        let (before, after) = self.order.split_at(at);
        after
            .iter()
            .chain(before)
            .copied()
            .filter(|&s| !self.is_out(s))
    }

    /// The next seat in turn order that is still in; the seat itself if it is alone.
    pub fn seat_after(&self, seat: u8) -> u8 {
        let at = self.order.iter().position(|&s| s == seat).unwrap_or(0);
        let count = self.order.len();
        (1..=count)
            .map(|i| self.order[(at + i) % count])
            .find(|&s| !self.is_out(s))
            .unwrap_or(seat)
    }

    /// Sets a number of a space, keeping the index of owners in step.
    #[inline(always)]
    pub fn set_space(&mut self, slot: &Slot, space: u32, value: i32) {
        let place = &mut self.values[(slot.at + space * slot.width) as usize];
        let old = std::mem::replace(place, value);
        if let Some(index) = &slot.index {
            self.index[index.at(old)].remove(space);
            self.index[index.at(value)].insert(space);
        }
    }

    /// Makes a piece, in the box.
    pub fn add_piece(&mut self, layout: &Layout, card: u32) -> u32 {
        let new = Piece {
            card,
            zone: IN_THE_BOX,
            owner: -1,
            home: -1,
            face_up: false,
            known: 0,
            key: self.made,
        };
        self.made += 1;
        let row = match self.free.pop() {
            Some(row) => {
                self.pieces[row as usize] = new;
                row
            }
            None => {
                self.pieces.push(new);
                self.piece_values
                    .resize(self.pieces.len() * layout.piece_row, 0);
                self.pieces.len() as u32 - 1
            }
        };
        let values = &mut self.piece_values[row as usize * layout.piece_row..][..layout.piece_row];
        for slot in &layout.piece {
            values[slot.at as usize..][..slot.width as usize].fill(slot.start);
        }
        row
    }

    /// Pieces there are, in the box or out of it.
    pub fn piece_count(&self) -> usize {
        self.pieces.len() - self.free.len()
    }

    /// Takes a piece out of the game, into the box; the seats that know what it is are given as bits.
    pub fn remove_piece(&mut self, piece: u32, known: u16, everybody: u16) {
        let Piece { card, home, .. } = self.pieces[piece as usize];
        if known & everybody != everybody {
            if self.unseen.len() == UNSEEN_REMEMBERED {
                self.unseen.remove(0);
            }
            self.unseen.push(Unseen { card, home, known });
        }
        self.lift(piece);
        self.removed += 1;
    }

    /// A card that is made, and was in the box, is there no more.
    pub fn take_out_of_the_box(&mut self, card: u32, home: i8) {
        let same = |unseen: &Unseen| (unseen.card, unseen.home) == (card, home);
        if let Some(at) = self.unseen.iter().position(same) {
            self.unseen.remove(at);
        }
    }

    /// Attributes that a declared zone (or the box, behind all zones) does not keep go back to their start.
    #[inline]
    pub fn forget(&mut self, layout: &Layout, piece: u32, declared: usize) {
        for &(at, start) in &layout.lost[declared] {
            self.piece_values[piece as usize * layout.piece_row + at as usize] = start;
        }
    }

    /// Takes a piece out of its zone, into the box.
    pub fn lift(&mut self, piece: u32) {
        let zone = std::mem::replace(&mut self.pieces[piece as usize].zone, IN_THE_BOX);
        if zone != IN_THE_BOX {
            let pieces = &mut self.zones[zone as usize];
            match pieces.last() {
                Some(&top) if top == piece => {
                    pieces.pop();
                }
                _ => pieces.retain(|&other| other != piece),
            }
        }
    }

    /// Puts a piece on top of a zone, from wherever it is.
    pub fn put_on_top(&mut self, piece: u32, zone: u32) {
        self.lift(piece);
        self.pieces[piece as usize].zone = zone;
        self.zones[zone as usize].push(piece);
    }

    /// Puts a piece under everything else of a zone.
    pub fn put_under(&mut self, piece: u32, zone: u32) {
        self.lift(piece);
        self.pieces[piece as usize].zone = zone;
        self.zones[zone as usize].insert(0, piece);
    }

    /// Lays a section on the table; the board is worked out anew.
    pub fn place_section(&mut self, definition: &Definition, placement: Placement) {
        if let Some(map) = &definition.map {
            let mut placements = self.board.placements().to_vec();
            placements.retain(|p| p.section != placement.section);
            placements.push(placement);
            self.board = Arc::new(Board::new(map, &placements));
            self.costs.clear();
        }
    }

    fn known_costs(&self, field: usize, through: &SpaceSet) -> Option<&Arc<CostTable>> {
        let fits = |table: &&Arc<CostTable>| table.field == field && table.through == *through;
        self.costs.iter().find(fits)
    }

    /// Whether these costs were worked out already.
    pub fn knows_costs(&self, field: usize, through: &SpaceSet) -> bool {
        self.known_costs(field, through).is_some()
    }

    /// Bytes the state takes, about.
    pub fn size(&self) -> usize {
        let numbers = self.values.len() + self.piece_values.len();
        let lying: usize = self.zones.iter().map(|zone| 6 + zone.len()).sum();
        4 * (numbers + lying)
            + size_of::<Piece>() * self.pieces.len()
            + size_of::<SpaceSet>() * self.index.len()
            + self.agenda.size()
    }

    /// The cost table for an edge field and open spaces, worked out once.
    pub fn cost_table(
        &mut self,
        definition: &Definition,
        field: usize,
        through: &SpaceSet,
    ) -> Option<Arc<CostTable>> {
        if through == self.board.in_play() {
            return Some(self.board.all_costs(definition.map.as_ref()?, field));
        }
        if let Some(known) = self.known_costs(field, through) {
            return Some(known.clone());
        }
        let table = Arc::new(self.board.costs(definition.map.as_ref()?, field, through));
        // A script that asks with ever new sets must not fill the memory.
        if self.costs.len() == COST_TABLES {
            self.costs.remove(0);
        }
        self.costs.push(table.clone());
        Some(table)
    }
}

/// Checks a number against what its attribute allows.
#[inline(always)]
pub fn checked(slot: &Slot, value: i64) -> Result<i32, OutOfRange> {
    if value < slot.min as i64 || value > slot.max as i64 {
        return Err(OutOfRange {
            value,
            min: slot.min,
            max: slot.max,
        });
    }
    Ok(value as i32)
}
