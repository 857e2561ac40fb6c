//! Names and numbers of the kernel's types, name domains and slots, as the executor knows them.

use crate::model::value::{handle, object, small};
use ludoteca_vm::{Domain, Repr, Type, TypeId};

macro_rules! types {
    ($($constant:ident = $number:literal, $name:literal, [$($repr:expr),*], $member:expr, $doc:literal;)*) => {
        $(pub const $constant: Type = Type::Host(TypeId($number));)*
        /// Name, representations, what its members are, and a line about it; in the order of their numbers.
        pub fn all() -> Vec<(&'static str, Vec<Repr>, Type, &'static str)> {
            vec![$(($name, vec![$($repr),*], $member, $doc)),*]
        }
    };
}

types! {
    GAME = 0, "game", [Repr::Handle(handle::GAME)], Type::Any, "the game as a whole: its attributes, its zones, the round";
    PLAYER = 1, "player", [Repr::Handle(handle::PLAYER)], Type::Any, "a seat at the table";
    SPACE = 2, "space", [Repr::Handle(handle::SPACE)], Type::Any, "a place on the map";
    PIECE = 3, "piece", [Repr::Handle(handle::PIECE)], Type::Any, "a card, token or counter; it is in one zone, or in the box";
    CARD = 4, "card", [Repr::Handle(handle::CARD)], Type::Any, "what a piece is a copy of, with its fields";
    ZONE = 5, "zone", [Repr::Handle(handle::ZONE)], PIECE, "an ordered place for pieces: a deck, a hand; [0] is the top";
    AREA = 6, "area", [Repr::Handle(handle::AREA)], Type::Any, "a part of the map: a continent, a region";
    EDGE = 7, "edge", [Repr::Handle(handle::EDGE)], Type::Any, "a border from one space to a neighbour";
    WORD = 8, "word", [Repr::Handle(handle::WORD)], Type::Any, "a name that compares with a string";
    SPACES = 9, "spaces", [Repr::Small(small::SPACES), Repr::Object(object::SPACES)], SPACE, "a set of spaces; sets take + - &";
    PLAYERS = 10, "players", [Repr::Small(small::PLAYERS)], PLAYER, "players in an order";
    DICE = 11, "dice", [Repr::Small(small::DICE), Repr::Object(object::DICE)], Type::Int, "dice thrown together, from high to low";
    ROW = 12, "row", [Repr::Small(small::ROW)], Type::Int, "one number per player, per word or so many: row[p], row[\"coal\"], row[0]";
    EDGES = 13, "edges", [Repr::Small(small::EDGES), Repr::Object(object::EDGES)], EDGE, "all borders from one set of spaces into another";
    PIECES = 14, "pieces", [Repr::Object(object::PIECES)], PIECE, "pieces in an order";
    FLAGS = 15, "flags", [Repr::Small(small::FLAGS)], Type::Bool, "true or false per player, per word or so many: flags[p]";
}

/// Sets of names that string literals are checked against.
pub mod domain {
    use super::Domain;
    pub const SPACE_ATTRIBUTE: Domain = Domain(0);
    /// Anything with a number behind it: attributes of spaces, players and pieces, fields of cards and spaces.
    pub const MEASURE: Domain = Domain(1);
    pub const SPACE_FIELD: Domain = Domain(2);
    pub const EDGE_FIELD: Domain = Domain(3);
    pub const PROMPT: Domain = Domain(4);
    pub const OPTION: Domain = Domain(5);
    pub const LOG: Domain = Domain(6);
    pub const REASON: Domain = Domain(7);
    pub const DIE: Domain = Domain(8);
    pub const KIND: Domain = Domain(9);
    pub const CARD: Domain = Domain(10);
    pub const SPACE: Domain = Domain(11);
    pub const AREA: Domain = Domain(12);
    pub const SECTION: Domain = Domain(13);
    /// Words of cards that other cards hold: what `listening` asks for.
    pub const HELD_WORD: Domain = Domain(14);
    /// One of the directions of the board's grid, or several at once.
    pub const DIRECTION: Domain = Domain(15);
    pub const SIDE: Domain = Domain(16);
    pub const PIECE_ATTRIBUTE: Domain = Domain(17);
    /// What may be done where a prompt offers actions.
    pub const ACTION: Domain = Domain(18);
    /// Attributes and fields that hold words have domains of their own from here on.
    pub const FIRST_OF_WORDS: u16 = 19;
}

/// A slot number says what class of thing it reads and which one. What holds a handle, or `()`, is of the class of the handle's kind.
pub mod slot {
    use crate::model::value::handle;

    pub const INT: u16 = 0;
    pub const PLAYER: u16 = handle::PLAYER as u16;
    pub const SPACE: u16 = handle::SPACE as u16;
    pub const PIECE: u16 = handle::PIECE as u16;
    pub const CARD: u16 = handle::CARD as u16;
    pub const ZONE: u16 = handle::ZONE as u16;
    pub const AREA: u16 = handle::AREA as u16;
    pub const FIELD: u16 = 7;
    pub const WORD: u16 = handle::WORD as u16;
    pub const BOOL: u16 = 9;
    pub const ROW: u16 = 10;
    pub const BUILT_IN: u16 = 11;
    pub const FLAGS: u16 = 12;

    pub const fn of(class: u16, index: u16) -> u16 {
        class << 12 | index
    }
    #[inline(always)]
    pub const fn class(slot: u16) -> u16 {
        slot >> 12
    }
    #[inline(always)]
    pub const fn index(slot: u16) -> usize {
        (slot & 0xfff) as usize
    }
}

macro_rules! built_in {
    ($($variant:ident: $on:expr, $name:literal, $gives:expr, $writable:literal, $doc:literal;)*) => {
        /// A property every game has.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[repr(u16)]
        pub enum BuiltIn { $($variant),* }

        impl BuiltIn {
            const ALL: &[BuiltIn] = &[$(BuiltIn::$variant),*];

            /// By the index of its slot.
            #[inline(always)]
            pub fn at(index: usize) -> BuiltIn {
                Self::ALL[index]
            }
        }

        /// Type, name, what it gives, whether scripts may set it, and a line about it; in the order of their slots.
        pub const BUILT_IN: &[(Type, &str, Type, bool, &str)] = &[$(($on, $name, $gives, $writable, $doc)),*];
    };
}

built_in! {
    GameRound: GAME, "round", Type::Int, false, "the number of the round, from 1";
    PlayerSeat: PLAYER, "seat", Type::Int, false, "the seat's number, from 0";
    PlayerOut: PLAYER, "out", Type::Bool, true, "plays no more";
    PlayerLeft: PLAYER, "left", PLAYER, false, "the neighbour to the left who is still in";
    PlayerRight: PLAYER, "right", PLAYER, false, "the neighbour to the right who is still in";
    SpaceId: SPACE, "id", WORD, false, "its id in the map file";
    SpaceArea: SPACE, "area", AREA, false, "the area it belongs to, or ()";
    SpaceNeighbors: SPACE, "neighbors", SPACES, false, "the spaces that border it";
    SpacePlaced: SPACE, "placed", Type::Bool, false, "whether it is on the table";
    SpaceSection: SPACE, "section", WORD, false, "the section it belongs to, or ()";
    SpaceColumn: SPACE, "column", Type::Int, false, "its column on a board of squares";
    SpaceRow: SPACE, "row", Type::Int, false, "its row on a board of squares";
    PieceCard: PIECE, "card", CARD, false, "what it is a copy of";
    PieceId: PIECE, "id", WORD, false, "its card's id";
    PieceKind: PIECE, "kind", WORD, false, "its card's kind";
    PieceZone: PIECE, "zone", ZONE, false, "where it is, or () in the box";
    PieceOwner: PIECE, "owner", PLAYER, true, "whose it is, or (): the last player whose zone it came into, unless a rule says otherwise";
    PieceFaceUp: PIECE, "face_up", Type::Bool, true, "seen by all, whatever its zone says";
    CardId: CARD, "id", WORD, false, "its id in the cards' file";
    CardKind: CARD, "kind", WORD, false, "its kind";
    CardCopies: CARD, "copies", Type::Int, false, "how many the game has";
    ZoneTop: ZONE, "top", PIECE, false, "the piece on top, or ()";
    ZoneBottom: ZONE, "bottom", PIECE, false, "the piece at the bottom, or ()";
    ZoneBack: ZONE, "back", WORD, false, "the kind whose back the piece on top shows, or () where backs tell nothing";
    ZonePieces: ZONE, "pieces", PIECES, false, "what lies there now, from the top";
    ZoneOwner: ZONE, "owner", PLAYER, false, "the player it belongs to, or ()";
    ZoneSpace: ZONE, "space", SPACE, false, "the space it belongs to, or ()";
    AreaId: AREA, "id", WORD, false, "its id in the map file";
    AreaSpaces: AREA, "spaces", SPACES, false, "its spaces that are on the table";
    EdgeFrom: EDGE, "from", SPACE, false, "where it starts";
    EdgeTo: EDGE, "to", SPACE, false, "where it leads";
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::read::taken;
    use std::collections::BTreeSet;

    /// What content may not be called is what scripts read.
    #[test]
    fn taken_names_are_the_built_in_properties() {
        let name_of = |on: Type| match on {
            Type::Host(TypeId(n)) => all()[n as usize].0,
            _ => "",
        };
        let scripts: BTreeSet<(&str, &str)> = BUILT_IN
            .iter()
            .map(|(on, name, ..)| (name_of(*on), *name))
            .collect();
        let content: BTreeSet<(&str, &str)> = taken::BUILT_IN
            .iter()
            .flat_map(|(of, names)| names.iter().map(move |name| (*of, *name)))
            .collect();
        assert_eq!(scripts, content);
    }
}
