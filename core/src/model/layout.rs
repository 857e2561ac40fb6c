//! Where everything of a match is kept: the numbers of attributes and zones, worked out once per game and player count.

use super::streams;
use crate::content::definition::{Attribute, AttributeType, Definition, Per, ZoneOf};
use std::sync::Arc;

/// A declared attribute and where its numbers are.
#[derive(Debug, Clone)]
pub struct Slot {
    /// Its place: in the flat values for game, players and spaces; in the row of a piece for pieces.
    pub at: u32,
    /// 1, or how many numbers it keeps: one per player or per word.
    pub width: u32,
    pub min: i32,
    pub max: i32,
    pub start: i32,
    /// Where the index of spaces is that follows it, for an attribute of spaces that holds players or words.
    pub index: Option<SpaceIndex>,
}

/// Kinds of handles that have attributes, the first ones.
pub const WITH_ATTRIBUTES: usize = 4;

/// Where the number of an attribute is: of the first of its kind, and how far from there for the next one.
#[derive(Debug, Clone, Copy)]
pub struct Standing {
    pub at: u32,
    pub step: u32,
}

/// For each value an attribute of spaces can have, the set of spaces that have it.
#[derive(Debug, Clone)]
pub struct SpaceIndex {
    /// Where its sets begin in the state: "none" first.
    pub first: u32,
    /// For words: which set belongs to each, by the word's number and one. Players come by seat.
    ranks: Option<Arc<[u16]>>,
    /// How many sets there are.
    sets: u32,
}

impl SpaceIndex {
    /// Which set the spaces with a value are in.
    #[inline(always)]
    pub fn at(&self, value: i32) -> usize {
        let rank = match &self.ranks {
            None => (value + 1) as usize,
            Some(ranks) => ranks[(value + 1) as usize] as usize,
        };
        self.first as usize + rank
    }

    /// The same for a value that may not be one of the attribute's.
    pub fn find(&self, value: i64) -> Option<usize> {
        let at = usize::try_from(value + 1).ok()?;
        let rank = match &self.ranks {
            None => at as u32,
            Some(ranks) => *ranks.get(at)? as u32,
        };
        let known = rank < self.sets && (rank > 0 || at == 0);
        known.then_some((self.first + rank) as usize)
    }
}

/// Slots of the four things that have attributes, zones and random streams.
#[derive(Debug, Clone, Default)]
pub struct Layout {
    pub players: u32,
    pub spaces: u32,
    pub game: Vec<Slot>,
    pub player: Vec<Slot>,
    pub space: Vec<Slot>,
    pub piece: Vec<Slot>,
    /// Where to read each of these, by the kind of the handle and the number of the attribute.
    pub places: [Vec<Standing>; WITH_ATTRIBUTES],
    /// For each declared zone: the places in a piece's row that go back to their start there, and what to. The last entry is the box.
    pub lost: Vec<Vec<(u32, i32)>>,
    /// Length of the flat values, and of a piece's row.
    pub values: usize,
    pub piece_row: usize,
    /// How many sets of spaces all indexes have.
    pub index_sets: usize,
    /// The first instance of each declared zone; an owned zone has one for each owner.
    pub zone_at: Vec<u32>,
    /// For each instance: the declared zone and its owner's number.
    pub zones: Vec<(u16, u32)>,
    /// Numbers of the names of the random streams: dice, then shuffles of zones, then the general one.
    pub streams: Vec<u64>,
    /// The stream that shuffles each zone instance.
    pub zone_stream: Vec<u16>,
}

impl Layout {
    /// Adds the row of a piece that was just made.
    pub fn add_first_row(&self, rows: &mut Vec<i32>) {
        let from = rows.len();
        rows.resize(from + self.piece_row, 0);
        for slot in &self.piece {
            rows[from + slot.at as usize..][..slot.width as usize].fill(slot.start);
        }
    }

    pub fn new(definition: &Definition, players: u32) -> Layout {
        let spaces = definition.map.as_ref().map_or(0, |m| m.spaces.len() as u32);
        let mut layout = Layout {
            players,
            spaces,
            ..Layout::default()
        };
        let mut at = 0;
        layout.game = slots(&definition.attributes.game, players, 1, &mut at);
        layout.player = slots(&definition.attributes.player, players, players, &mut at);
        layout.space = slots(&definition.attributes.space, players, spaces, &mut at);
        layout.values = at as usize;
        let mut row = 0;
        layout.piece = slots(&definition.attributes.piece, players, 1, &mut row);
        layout.piece_row = row as usize;
        let places = |slots: &[Slot], step: Option<u32>| {
            let place = |slot: &Slot| Standing {
                at: slot.at,
                step: step.unwrap_or(slot.width),
            };
            slots.iter().map(place).collect()
        };
        // In the order of the kinds of handles.
        layout.places = [
            places(&layout.game, Some(0)),
            places(&layout.player, None),
            places(&layout.space, None),
            places(&layout.piece, Some(row)),
        ];
        layout.lost = lost(definition, &layout.piece);
        for (slot, attribute) in layout.space.iter_mut().zip(&definition.attributes.space) {
            slot.index = space_index(attribute, players, layout.index_sets as u32);
            layout.index_sets += slot.index.as_ref().map_or(0, |index| index.sets as usize);
        }
        layout.streams = definition
            .dice
            .iter()
            .map(|die| streams::number(&format!("die.{}", die.name)))
            .collect();
        for (number, zone) in definition.zones.iter().enumerate() {
            let owners = match zone.of {
                ZoneOf::Game => 1,
                ZoneOf::Player => players,
                ZoneOf::Space => spaces,
            };
            layout.zone_at.push(layout.zones.len() as u32);
            for owner in 0..owners {
                if owner == 0 || zone.of == ZoneOf::Player {
                    layout
                        .streams
                        .push(streams::number(&format!("zone.{}.{owner}", zone.name)));
                }
                layout.zones.push((number as u16, owner));
                layout.zone_stream.push(layout.streams.len() as u16 - 1);
            }
        }
        layout.streams.push(streams::number("general"));
        layout
    }

    /// The stream for randomness without a purpose of its own.
    pub fn general_stream(&self) -> usize {
        self.streams.len() - 1
    }

    /// The instance of a declared zone that belongs to this owner.
    #[inline(always)]
    pub fn zone(&self, declared: usize, owner: u32) -> u32 {
        self.zone_at[declared] + owner
    }
}

/// The index of an attribute of spaces, if it is of a kind that rules ask for by its values.
fn space_index(attribute: &Attribute, players: u32, first: u32) -> Option<SpaceIndex> {
    match &attribute.ty {
        _ if attribute.per != Per::One => None,
        AttributeType::Player => Some(SpaceIndex {
            first,
            ranks: None,
            sets: players + 1,
        }),
        AttributeType::Word(words) => {
            let most = words.iter().max().map_or(0, |&word| word as usize + 2);
            let mut ranks = vec![0; most];
            for (rank, &word) in (1..).zip(words) {
                ranks[word as usize + 1] = rank;
            }
            Some(SpaceIndex {
                first,
                ranks: Some(ranks.into()),
                sets: words.len() as u32 + 1,
            })
        }
        _ => None,
    }
}

/// What a piece loses by coming to each declared zone, and to the box.
fn lost(definition: &Definition, slots: &[Slot]) -> Vec<Vec<(u32, i32)>> {
    let attributes = || definition.attributes.piece.iter().zip(slots);
    (0..=definition.zones.len())
        .map(|zone| {
            let lost = attributes()
                .filter(|(a, _)| !a.kept_in.is_empty() && !a.kept_in.contains(&(zone as u16)));
            lost.flat_map(|(_, slot)| (0..slot.width).map(|i| (slot.at + i, slot.start)))
                .collect()
        })
        .collect()
}

fn slots(attributes: &[Attribute], players: u32, owners: u32, at: &mut u32) -> Vec<Slot> {
    attributes
        .iter()
        .map(|attribute| {
            let width = attribute.per.width(players);
            let slot = Slot {
                at: *at,
                width,
                min: attribute.min,
                max: attribute.max,
                start: attribute.start,
                index: None,
            };
            *at += width * owners;
            slot
        })
        .collect()
}
