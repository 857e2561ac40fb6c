//! Attributes, fields and built-in properties: the numbers of the state as script values, and back.

use super::Table;
use crate::content::definition::Per;
use crate::model::layout::{Slot, WITH_ATTRIBUTES};
use crate::model::state::{IN_THE_BOX, checked};
use crate::model::value::{self, Val, handle, reference, small};
use crate::table::event::{Event, Hearers};
use crate::table::types::{BuiltIn, slot};
use ludoteca_vm::{Host, HostError, Value};

impl Table {
    #[inline(always)]
    pub(super) fn attribute(&self, kind: u8, index: usize) -> &Slot {
        match kind {
            handle::GAME => &self.layout.game[index],
            handle::PLAYER => &self.layout.player[index],
            handle::SPACE => &self.layout.space[index],
            _ => &self.layout.piece[index],
        }
    }

    /// The stored number of an attribute; `column` is the player or word of an attribute kept per player or word.
    #[inline(always)]
    pub fn number(&self, kind: u8, index: usize, id: u32, column: u32) -> i32 {
        let place = self.layout.places[kind as usize % WITH_ATTRIBUTES][index];
        let at = (place.at + id * place.step + column) as usize;
        match kind {
            handle::PIECE => self.state.piece_values[at],
            _ => self.state.values[at],
        }
    }

    /// Stores a number that has been checked.
    #[inline(always)]
    pub fn set_number(&mut self, kind: u8, slot_number: u16, id: u32, column: u32, number: i32) {
        let index = slot::index(slot_number);
        if self.events.is_some() {
            let from = self.number(kind, index, id, column);
            if from != number {
                self.note(|table| Event::Changed {
                    kind,
                    id,
                    slot: slot_number,
                    from,
                    to: number,
                    seen_by: table.who_sees_attribute(kind, index, id),
                    pieces: match slot::class(slot_number) {
                        slot::PIECE => (table.who_sees_held(from), table.who_sees_held(number)),
                        _ => (Hearers::ALL, Hearers::ALL),
                    },
                });
            }
        }
        match kind {
            handle::SPACE => {
                let slot = &self.layout.space[index];
                if slot.width == 1 {
                    self.state.set_space(slot, id, number);
                } else {
                    self.state.values[(slot.at + id * slot.width + column) as usize] = number;
                }
            }
            handle::PLAYER => {
                let slot = &self.layout.player[index];
                self.state.values[(slot.at + id * slot.width + column) as usize] = number;
            }
            handle::PIECE => {
                let slot = &self.layout.piece[index];
                let at = id as usize * self.layout.piece_row + (slot.at + column) as usize;
                self.state.piece_values[at] = number;
                if self.game.sorting[index] {
                    self.sort_again(id);
                }
            }
            _ => self.state.values[(self.layout.game[index].at + column) as usize] = number,
        }
    }

    /// A piece whose number has changed finds its place in a zone that is kept in the order of such numbers.
    #[inline(never)]
    fn sort_again(&mut self, piece: u32) {
        let zone = self.state.pieces[piece as usize].zone;
        if zone == IN_THE_BOX {
            return;
        }
        let declared = self.layout.zones[zone as usize].0;
        if let Some(measure) = self.game.zone_order[declared as usize] {
            // Every piece of the zone had such a number when it came there.
            let _ = self.sort_zone(zone, measure);
        }
    }

    /// The number a value is stored as in an attribute of this class.
    pub fn stored(&self, kind: u8, slot_number: u16, new: &Val) -> Result<i32, HostError> {
        let class = slot::class(slot_number);
        match (class, new) {
            (slot::INT, Value::Int(n)) => {
                checked(self.attribute(kind, slot::index(slot_number)), *n)
                    .map_err(|e| self.out_of_range(kind, slot_number, e.value))
            }
            (slot::BOOL, Value::Bool(b)) => Ok(*b as i32),
            (slot::PLAYER, Value::Handle(handle::PLAYER, id))
            | (slot::SPACE, Value::Handle(handle::SPACE, id))
            | (slot::PIECE, Value::Handle(handle::PIECE, id))
            | (slot::CARD, Value::Handle(handle::CARD, id))
            | (slot::AREA, Value::Handle(handle::AREA, id)) => Ok(*id as i32),
            (slot::WORD, Value::Handle(handle::WORD, id)) => {
                self.allowed_word(kind, slot_number, *id)
            }
            (slot::WORD, Value::Str(text)) => match self.game.lexicon.find_word(text) {
                Some(id) => self.allowed_word(kind, slot_number, id),
                None => Err(HostError::new(format!(
                    "`{text}` is not one of the words of this attribute"
                ))),
            },
            (
                slot::PLAYER | slot::SPACE | slot::PIECE | slot::CARD | slot::AREA | slot::WORD,
                Value::Unit,
            ) => Ok(-1),
            _ => Err(self.wrong_type(kind, slot_number, new)),
        }
    }

    pub(super) fn allowed_word(
        &self,
        kind: u8,
        slot_number: u16,
        word: u32,
    ) -> Result<i32, HostError> {
        if self.game.word_allowed(kind, slot::index(slot_number), word) {
            Ok(word as i32)
        } else {
            let text = &self.game.lexicon.words[word as usize];
            Err(HostError::new(format!(
                "`{text}` is not one of the words of `{}`",
                self.game.attribute_name(kind, slot::index(slot_number))
            )))
        }
    }

    #[cold]
    #[inline(never)]
    pub(super) fn wrong_type(&self, kind: u8, slot_number: u16, new: &Val) -> HostError {
        let expected = match slot::class(slot_number) {
            slot::INT => "a number",
            slot::BOOL => "true or false",
            slot::PLAYER => "a player or ()",
            slot::SPACE => "a space or ()",
            slot::PIECE => "a piece or ()",
            slot::CARD => "a card or ()",
            slot::AREA => "an area or ()",
            slot::WORD => "one of its words or ()",
            _ => return HostError::new("this property cannot be set"),
        };
        let name = self.game.attribute_name(kind, slot::index(slot_number));
        HostError::new(format!(
            "attribute `{name}`: expected {expected}, found {}",
            self.describe(new)
        ))
    }

    #[cold]
    #[inline(never)]
    pub(super) fn out_of_range(&self, kind: u8, slot_number: u16, value: i64) -> HostError {
        let index = slot::index(slot_number);
        let slot = self.attribute(kind, index);
        let name = self.game.attribute_name(kind, index);
        HostError::new(format!(
            "attribute `{name}` must stay within {} and {}, found {value}",
            slot.min, slot.max
        ))
    }

    #[inline(never)]
    pub(super) fn slot_slowly(&self, kind: u8, slot_number: u16, id: u32, register: &mut Val) {
        let index = slot::index(slot_number);
        match slot::class(slot_number) {
            slot::FIELD => match self.field(kind, index, id) {
                Some(found) => register.put_copy(found),
                None => register.put(Value::Unit),
            },
            slot::ROW | slot::FLAGS => register.put(row(kind, slot_number, id)),
            slot::BOOL => register.put(Value::Bool(self.number(kind, index, id, 0) != 0)),
            slot::ZONE => {
                let owner = if kind == handle::GAME { 0 } else { id };
                register.put(Value::Handle(handle::ZONE, self.layout.zone(index, owner)));
            }
            _ => register.put_made(self.built_in(BuiltIn::at(index), id)),
        }
    }

    /// What is asked of pieces more often than anything else.
    #[inline(always)]
    pub(super) fn of_piece(&self, index: usize, id: u32, register: &mut Val) {
        let piece = &self.state.pieces[id as usize];
        match BuiltIn::at(index) {
            BuiltIn::PieceCard => register.put(Value::Handle(handle::CARD, piece.card)),
            BuiltIn::PieceZone if piece.zone != IN_THE_BOX => {
                register.put(Value::Handle(handle::ZONE, piece.zone))
            }
            other => register.put_made(self.built_in(other, id)),
        }
    }

    pub(super) fn field(&self, kind: u8, column: usize, id: u32) -> Option<&Val> {
        let lexicon = &self.game.lexicon;
        match kind {
            handle::PIECE => {
                lexicon.card_values[column].get(self.state.pieces[id as usize].card as usize)
            }
            handle::CARD => lexicon.card_values[column].get(id as usize),
            handle::SPACE => lexicon.space_values[column].get(id as usize),
            handle::AREA => lexicon.area_values[column].get(id as usize),
            handle::EDGE => {
                let (from, to) = value::ends(id);
                let edge = self.state.board.edge_between(from, to);
                edge.and_then(|e| lexicon.edge_values[column].get(e as usize))
            }
            _ => None,
        }
    }

    pub(super) fn built_in(&self, property: BuiltIn, id: u32) -> Val {
        let lexicon = &self.game.lexicon;
        let definition = &self.game.definition;
        let word = |number: u32| Value::Handle(handle::WORD, number);
        let square = |id: u32| self.state.board.square(id).unwrap_or((-1, -1));
        match property {
            BuiltIn::GameRound => Value::Int(self.state.round as i64),
            BuiltIn::PlayerSeat => Value::Int(id as i64),
            BuiltIn::PlayerOut => Value::Bool(self.state.is_out(id as u8)),
            BuiltIn::PlayerLeft => value::player(self.neighbour(id as u8, 1)),
            BuiltIn::PlayerRight => value::player(self.neighbour(id as u8, -1)),
            BuiltIn::SpaceId => word(lexicon.space_words[id as usize]),
            BuiltIn::SpaceArea => {
                let area = definition
                    .map
                    .as_ref()
                    .and_then(|m| m.spaces[id as usize].area);
                area.map_or(Value::Unit, |a| Value::Handle(handle::AREA, a))
            }
            BuiltIn::SpaceNeighbors => self.spaces(self.state.board.neighbors(id).clone()),
            BuiltIn::SpacePlaced => Value::Bool(self.state.board.in_play().contains(id)),
            BuiltIn::SpaceSection => {
                let square = definition
                    .map
                    .as_ref()
                    .and_then(|m| m.spaces[id as usize].square);
                square.map_or(Value::Unit, |(section, ..)| {
                    word(lexicon.section_words[section as usize])
                })
            }
            BuiltIn::SpaceColumn => Value::Int(square(id).0 as i64),
            BuiltIn::SpaceRow => Value::Int(square(id).1 as i64),
            BuiltIn::PieceCard => Value::Handle(handle::CARD, self.state.pieces[id as usize].card),
            BuiltIn::PieceId => {
                word(lexicon.card_words[self.state.pieces[id as usize].card as usize])
            }
            BuiltIn::PieceKind => {
                let card = self.state.pieces[id as usize].card;
                word(lexicon.kind_words[definition.cards[card as usize].kind as usize])
            }
            BuiltIn::PieceZone => match self.state.pieces[id as usize].zone {
                IN_THE_BOX => Value::Unit,
                zone => Value::Handle(handle::ZONE, zone),
            },
            BuiltIn::PieceOwner => {
                reference(handle::PLAYER, self.state.pieces[id as usize].owner as i32)
            }
            BuiltIn::PieceFaceUp => Value::Bool(self.state.pieces[id as usize].face_up),
            BuiltIn::CardId => word(lexicon.card_words[id as usize]),
            BuiltIn::CardKind => {
                word(lexicon.kind_words[definition.cards[id as usize].kind as usize])
            }
            BuiltIn::CardCopies => Value::Int(definition.cards[id as usize].copies as i64),
            BuiltIn::ZoneTop => self.state.zones[id as usize]
                .last()
                .map_or(Value::Unit, |&p| value::piece(p)),
            BuiltIn::ZoneBottom => self.state.zones[id as usize]
                .first()
                .map_or(Value::Unit, |&p| value::piece(p)),
            BuiltIn::ZoneBack => self.state.zones[id as usize]
                .last()
                .and_then(|&p| self.back(p))
                .map_or(Value::Unit, |back| word(lexicon.kind_words[back as usize])),
            BuiltIn::ZonePieces => {
                self.listed(self.state.zones[id as usize].len());
                let from_top = self.state.zones[id as usize].iter().rev();
                Value::Object(self.spares.pieces(from_top.copied()))
            }
            BuiltIn::ZoneOwner => match self.zone_owner(id) {
                (crate::content::definition::ZoneOf::Player, seat) => value::player(seat as u8),
                _ => Value::Unit,
            },
            BuiltIn::ZoneSpace => match self.zone_owner(id) {
                (crate::content::definition::ZoneOf::Space, space) => value::space(space),
                _ => Value::Unit,
            },
            BuiltIn::AreaId => word(lexicon.area_words[id as usize]),
            BuiltIn::AreaSpaces => {
                self.spaces(&lexicon.area_sets[id as usize] & self.state.board.in_play())
            }
            BuiltIn::EdgeFrom => value::space(value::ends(id).0),
            BuiltIn::EdgeTo => value::space(value::ends(id).1),
        }
    }

    /// The kind whose back a piece shows: all may know it.
    pub fn back(&self, piece: u32) -> Option<u32> {
        let definition = &self.game.definition;
        let card = &definition.cards[self.state.pieces[piece as usize].card as usize];
        definition.kinds[card.kind as usize].back
    }

    /// The next seat around the table that is still in, whatever the turn order is.
    pub(super) fn neighbour(&self, seat: u8, step: i32) -> u8 {
        let players = self.layout.players as i32;
        (1..players)
            .map(|i| (seat as i32 + step * i).rem_euclid(players) as u8)
            .find(|&s| !self.state.is_out(s))
            .unwrap_or(seat)
    }

    /// Which number of a row an index means: a player's, that of a word or its text, or the n-th.
    #[inline(always)]
    fn column_of(&self, kind: u8, attribute: usize, index: &Val) -> Option<u32> {
        match (index, self.game.row_per(kind, attribute)) {
            (Value::Handle(handle::PLAYER, seat), Per::Player) => Some(*seat),
            (Value::Handle(handle::WORD, word), Per::Word(words)) => {
                words.iter().position(|w| w == word).map(|n| n as u32)
            }
            (Value::Str(text), Per::Word(words)) => {
                let word = self.game.lexicon.find_word(text)?;
                words.iter().position(|w| *w == word).map(|n| n as u32)
            }
            (Value::Int(n), _) => u32::try_from(*n)
                .ok()
                .filter(|&n| n < self.attribute(kind, attribute).width),
            _ => None,
        }
    }

    /// A number of a row, if there is one for this index.
    #[inline(never)]
    pub(super) fn in_row(&self, row: &[u8; 14], index: &Val) -> Option<i32> {
        let (kind, slot_number, id) = row_parts(row);
        let attribute = slot::index(slot_number);
        let column = self.column_of(kind, attribute, index)?;
        Some(self.number(kind, attribute, id, column))
    }

    /// Sets a number of a row, if it may be set to this.
    #[inline(never)]
    pub(super) fn set_in_row(
        &mut self,
        kind: u8,
        slot_number: u16,
        id: u32,
        index: &Val,
        new: &Val,
    ) -> bool {
        let column = self.column_of(kind, slot::index(slot_number), index);
        match (column, new) {
            (Some(column), Value::Int(_) | Value::Bool(_)) if !self.read_only => {
                let number = self.stored(kind, one_of_row(slot_number), new);
                number
                    .map(|number| self.set_number(kind, slot_number, id, column, number))
                    .is_ok()
            }
            _ => false,
        }
    }

    /// Adds to a number of a row, if it may become that.
    #[inline(never)]
    pub(super) fn add_in_row(
        &mut self,
        kind: u8,
        slot_number: u16,
        id: u32,
        index: &Val,
        delta: i64,
    ) -> bool {
        let attribute = slot::index(slot_number);
        let Some(column) = self.column_of(kind, attribute, index) else {
            return false;
        };
        let new = (self.number(kind, attribute, id, column) as i64).saturating_add(delta);
        match checked(self.attribute(kind, attribute), new) {
            Ok(number) if !self.read_only => {
                self.set_number(kind, slot_number, id, column, number);
                true
            }
            _ => false,
        }
    }

    /// The same, or why there is none.
    pub(super) fn column(&self, row: &[u8; 14], index: &Val) -> Result<u32, HostError> {
        let (kind, slot_number, _) = row_parts(row);
        let column = self.column_of(kind, slot::index(slot_number), index);
        column.ok_or_else(|| {
            let name = self.game.attribute_name(kind, slot::index(slot_number));
            HostError::new(format!(
                "`{name}` has no number for {} `{}`",
                self.describe(index),
                self.display(index)
            ))
        })
    }

    /// The words a row has numbers for, if it is kept by words.
    pub fn words_of_row(&self, row: &Val) -> Option<&[u32]> {
        let Value::Small(small::ROW | small::FLAGS, bytes) = row else {
            return None;
        };
        let (kind, slot_number, _) = row_parts(bytes);
        match self.game.row_per(kind, slot::index(slot_number)) {
            Per::Word(words) => Some(words),
            _ => None,
        }
    }

    /// The numbers of a row as they are, as a list.
    pub fn numbers_now(&self, row: &Val) -> Val {
        let count = self.len(row).unwrap_or(0);
        let numbers = (0..count).filter_map(|n| Host::nth(self, row, n));
        Value::list(numbers)
    }

    /// Two rows with the same numbers for the same players or words.
    pub(super) fn same_numbers(&self, a: &[u8; 14], b: &[u8; 14]) -> bool {
        let per = |row: &[u8; 14]| {
            let (kind, slot_number, _) = row_parts(row);
            self.game.row_per(kind, slot::index(slot_number))
        };
        let numbers = |row: &[u8; 14]| {
            let (kind, slot_number, id) = row_parts(row);
            let index = slot::index(slot_number);
            let width = self.attribute(kind, index).width;
            (0..width).map(move |column| self.number(kind, index, id, column))
        };
        per(a) == per(b) && numbers(a).eq(numbers(b))
    }

    pub(super) fn set_built_in(
        &mut self,
        property: BuiltIn,
        id: u32,
        new: &Val,
    ) -> Result<(), HostError> {
        match (property, new) {
            (BuiltIn::PlayerOut, Value::Bool(out)) => {
                let bit = 1 << id;
                self.state.out = if *out {
                    self.state.out | bit
                } else {
                    self.state.out & !bit
                };
            }
            (BuiltIn::PieceOwner, Value::Handle(handle::PLAYER, seat)) => {
                self.state.pieces[id as usize].owner = *seat as i8
            }
            (BuiltIn::PieceOwner, Value::Unit) => self.state.pieces[id as usize].owner = -1,
            (BuiltIn::PieceFaceUp, Value::Bool(up)) => self.turn(id, *up),
            _ => {
                return Err(HostError::new(format!(
                    "this property cannot become {}",
                    self.describe(new)
                )));
            }
        }
        Ok(())
    }
}

/// A row value: which attribute of what is kept per player, per word or so many times.
pub fn row(kind: u8, slot_number: u16, id: u32) -> Val {
    let mut bytes = [0; 14];
    bytes[0] = kind;
    bytes[1..3].copy_from_slice(&slot_number.to_le_bytes());
    bytes[3..7].copy_from_slice(&id.to_le_bytes());
    let row = match slot::class(slot_number) {
        slot::FLAGS => small::FLAGS,
        _ => small::ROW,
    };
    Value::Small(row, bytes)
}

/// The slot of one number of a row.
pub(super) fn one_of_row(slot_number: u16) -> u16 {
    let class = match slot::class(slot_number) {
        slot::FLAGS => slot::BOOL,
        _ => slot::INT,
    };
    slot::of(class, slot::index(slot_number) as u16)
}

pub(super) fn row_parts(bytes: &[u8; 14]) -> (u8, u16, u32) {
    let slot_number = u16::from_le_bytes([bytes[1], bytes[2]]);
    let id = u32::from_le_bytes([bytes[3], bytes[4], bytes[5], bytes[6]]);
    (bytes[0], slot_number, id)
}
