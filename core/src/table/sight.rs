//! Who may know what at a table, by what the content declares. Views, events and imagined tables all ask here.

use super::Table;
use crate::content::definition::{Attribute, Visibility, ZoneOf};
use crate::model::state::IN_THE_BOX;
use crate::model::value::{Object, Val, handle};
use crate::table::event::{Event, Hearers};
use ludoteca_vm::Value;
use std::collections::BTreeSet;

/// Every seat, as bits.
const EVERYBODY: u16 = u16::MAX;

impl Table {
    /// Whether a seat may know what a piece is. Somebody who only watches (`None`) sees what is open to all.
    pub fn sees_piece(&self, viewer: Option<u8>, piece: u32) -> bool {
        let found = &self.state.pieces[piece as usize];
        if found.face_up || found.zone == IN_THE_BOX {
            return true;
        }
        let (declared, owner) = self.layout.zones[found.zone as usize];
        let zone = &self.game.definition.zones[declared as usize];
        match zone.visible {
            Visibility::All => true,
            Visibility::Nobody => false,
            Visibility::Owner | Visibility::Team => {
                let owner = match zone.of {
                    ZoneOf::Player => Some(owner as u8),
                    ZoneOf::Game | ZoneOf::Space => u8::try_from(found.owner).ok(),
                };
                self.is_theirs(zone.visible, viewer, owner)
            }
        }
    }

    /// Everybody who may know what a piece is where it lies now.
    pub fn who_sees_piece(&self, piece: u32) -> Hearers {
        self.everybody(|viewer| self.sees_piece(viewer, piece))
    }

    /// Everybody who may know the piece an attribute holds, if it holds one.
    pub fn who_sees_held(&self, piece: i32) -> Hearers {
        match u32::try_from(piece) {
            Ok(piece) => self.who_sees_piece(piece),
            Err(_) => Hearers::ALL,
        }
    }

    /// Turns a piece face up, for all to see, or down again.
    pub fn turn(&mut self, piece: u32, up: bool) {
        let before = match self.events {
            Some(_) => self.who_sees_piece(piece),
            None => Hearers::NOBODY,
        };
        let found = &mut self.state.pieces[piece as usize];
        if std::mem::replace(&mut found.face_up, up) == up {
            return;
        }
        self.catch_sight(piece);
        self.note(|table| {
            let now = table.who_sees_piece(piece);
            let turned = &table.state.pieces[piece as usize];
            Event::Turned {
                piece: turned.key,
                card: turned.card,
                up,
                seen_by: before.or(now),
                new_to: now.without(before),
            }
        });
    }

    /// Whether a seat may know an attribute of something that belongs to `owner`, if to anybody.
    pub fn sees_attribute(
        &self,
        attribute: &Attribute,
        viewer: Option<u8>,
        owner: Option<u8>,
    ) -> bool {
        match attribute.visible {
            Visibility::All => true,
            Visibility::Owner | Visibility::Team => {
                self.is_theirs(attribute.visible, viewer, owner)
            }
            Visibility::Nobody => false,
        }
    }

    /// Whether what only an owner, or its side, may know is for the viewer.
    fn is_theirs(&self, visible: Visibility, viewer: Option<u8>, owner: Option<u8>) -> bool {
        let (Some(viewer), Some(owner)) = (viewer, owner) else {
            return false;
        };
        viewer == owner || (visible == Visibility::Team && self.same_side(viewer, owner))
    }

    /// The side a seat is on now, by its number in the definition.
    pub fn side(&self, seat: u8) -> Option<usize> {
        let at = self.game.definition.side_attribute()?;
        let word = self.number(handle::PLAYER, at, seat as u32, 0);
        let mut sides = self.game.definition.sides.iter();
        sides.position(|side| side.word as i32 == word)
    }

    /// Whether two seats are partners, or one and the same.
    pub fn same_side(&self, a: u8, b: u8) -> bool {
        a == b || (self.side(a).is_some() && self.side(a) == self.side(b))
    }

    /// The first of the seats that win and lose together with one; itself, if it has no partners.
    pub fn first_of_side(&self, seat: u8) -> u8 {
        match self.side(seat) {
            Some(_) => (0..seat).find(|&other| self.same_side(seat, other)),
            None => None,
        }
        .unwrap_or(seat)
    }

    /// How many seats win and lose together with one, itself included.
    pub fn side_size(&self, seat: u8) -> u8 {
        (0..self.players())
            .filter(|&other| self.same_side(seat, other))
            .count() as u8
    }

    /// The seat for whom attributes with `visible = "owner"` are: the player itself; the owner of a piece, or the player before
    /// whom an unowned piece lies. Spaces and the game have none.
    pub fn attribute_owner(&self, kind: u8, id: u32) -> Option<u8> {
        match kind {
            handle::PLAYER => Some(id as u8),
            handle::PIECE => {
                let found = &self.state.pieces[id as usize];
                if found.owner >= 0 {
                    return Some(found.owner as u8);
                }
                let &(declared, owner) = self.layout.zones.get(found.zone as usize)?;
                let zone = &self.game.definition.zones[declared as usize];
                (zone.of == ZoneOf::Player).then_some(owner as u8)
            }
            _ => None,
        }
    }

    /// The seats that see what is for an owner, or for its side, as bits.
    #[inline]
    fn eyes_of(&self, visible: Visibility, owner: u8) -> u16 {
        if visible != Visibility::Team {
            return 1 << owner;
        }
        let partners = (0..self.players()).filter(|&seat| self.same_side(seat, owner));
        partners.fold(0, |all, seat| all | 1 << seat)
    }

    /// Who sees a piece where it lies now knows it from now on.
    #[inline]
    pub fn catch_sight(&mut self, piece: u32) {
        let found = &self.state.pieces[piece as usize];
        let Some(&(declared, owner)) = self.layout.zones.get(found.zone as usize) else {
            return;
        };
        let zone = &self.game.definition.zones[declared as usize];
        let seen = match (zone.visible, zone.of) {
            _ if found.face_up => EVERYBODY,
            (Visibility::All, _) => EVERYBODY,
            (Visibility::Nobody, _) => 0,
            (visible, ZoneOf::Player) => self.eyes_of(visible, owner as u8),
            (visible, _) if found.owner >= 0 => self.eyes_of(visible, found.owner as u8),
            (Visibility::Owner | Visibility::Team, _) => 0,
        };
        self.state.pieces[piece as usize].known |= seen;
    }

    /// A piece goes from one zone to another. Who does not see what is taken out of a hand, or out of the middle of a pile, and put where
    /// it cannot be seen either, does not know any more which piece is where. Top and bottom of a pile can be followed.
    #[inline]
    pub fn lose_sight(&mut self, piece: u32, from: u32, to: u32) {
        let Some(&(declared, owner)) = self.layout.zones.get(from as usize) else {
            return;
        };
        let zones = &self.game.definition.zones;
        let left = &zones[declared as usize];
        // The box is none of the zones, and nobody looks into it.
        let entered = self.layout.zones.get(to as usize);
        let shows = entered.is_some_and(|(to, _)| zones[*to as usize].visible == Visibility::All);
        if left.visible == Visibility::All || shows {
            return;
        }
        let at_an_end = self.lies_at_an_end(piece, from);
        let see = match (left.visible, left.of) {
            (Visibility::Nobody, _) if at_an_end => return,
            (Visibility::Nobody, _) => 0,
            (visible, ZoneOf::Player) => self.eyes_of(visible, owner as u8),
            _ => match self.state.pieces[piece as usize].owner {
                ..0 => 0,
                seat => 1 << seat,
            },
        };
        for n in 0..self.state.zones[from as usize].len() {
            let other = self.state.zones[from as usize][n];
            let found = &mut self.state.pieces[other as usize];
            if !found.face_up {
                found.known &= see;
            }
        }
    }

    /// Whether a piece is the top or the bottom one of its zone.
    #[inline]
    pub fn lies_at_an_end(&self, piece: u32, zone: u32) -> bool {
        let pile = self.state.zones.get(zone as usize);
        pile.is_some_and(|pile| pile.last() == Some(&piece) || pile.first() == Some(&piece))
    }

    /// Nobody can follow pieces through a shuffle, but those who see them.
    pub fn lose_sight_of_zone(&mut self, zone: u32) {
        for n in 0..self.state.zones[zone as usize].len() {
            let piece = self.state.zones[zone as usize][n];
            self.state.pieces[piece as usize].known = 0;
            self.catch_sight(piece);
        }
    }

    /// Who is offered pieces sees them, wherever they lie, and knows them from now on.
    pub fn remember_offered(&mut self, seat: u8, options: &Val) {
        if may_hold_pieces(options) {
            for piece in self.pieces_among(options) {
                self.state.pieces[piece as usize].known |= 1 << seat;
            }
        }
    }

    /// Who is told of pieces by name, in a line or above a question, knows them from now on.
    pub fn remember_told(&mut self, seat: u8, details: &Val) {
        let Value::Map(details) = details else {
            return;
        };
        let mut told = BTreeSet::new();
        for (_, detail) in details.iter() {
            gather_pieces(detail, &mut told);
        }
        for piece in told {
            // Parts of a state that did not change need not be copied.
            if self.state.pieces[piece as usize].known >> seat & 1 == 0 {
                self.state.pieces[piece as usize].known |= 1 << seat;
            }
        }
    }

    /// The pieces among options, inside lists too.
    pub fn pieces_among(&self, options: &Val) -> BTreeSet<u32> {
        let mut found = BTreeSet::new();
        if may_hold_pieces(options) {
            for n in 0..self.count(options) as i64 {
                if let Some(option) = self.nth(options, n) {
                    gather_pieces(&option, &mut found);
                }
            }
        }
        found
    }

    /// Whether a seat knows what a piece is: it sees it, or saw it before and could follow it.
    pub fn knows_piece(&self, seat: u8, piece: u32) -> bool {
        self.state.pieces[piece as usize].known >> seat & 1 == 1
            || self.sees_piece(Some(seat), piece)
    }

    /// Everybody who may know an attribute of something.
    pub fn who_sees_attribute(&self, kind: u8, index: usize, id: u32) -> Hearers {
        let declared = &self.game.definition.attributes;
        let attribute = match kind {
            handle::GAME => &declared.game[index],
            handle::PLAYER => &declared.player[index],
            handle::SPACE => &declared.space[index],
            _ => &declared.piece[index],
        };
        let owner = self.attribute_owner(kind, id);
        self.everybody(|viewer| {
            self.sees_attribute(attribute, viewer, owner)
                && (kind != handle::PIECE || self.sees_piece(viewer, id))
        })
    }

    /// Everybody who may know every one of these options; what was chosen among others is a secret, and so is that it was asked.
    pub fn who_sees_options(&self, options: &Val) -> Hearers {
        // Numbers, spaces, borders and players are no secrets in themselves, and there may be very many.
        if !may_hold_pieces(options) {
            return Hearers::ALL;
        }
        (0..self.count(options) as i64)
            .filter_map(|n| self.nth(options, n))
            .fold(Hearers::ALL, |seen, option| {
                seen.and(self.who_sees_value(&option))
            })
    }

    fn who_sees_value(&self, value: &Val) -> Hearers {
        match value {
            Value::Handle(handle::PIECE, piece) => self.who_sees_piece(*piece),
            Value::Array(items) => items.iter().fold(Hearers::ALL, |seen, item| {
                seen.and(self.who_sees_value(item))
            }),
            _ => Hearers::ALL,
        }
    }

    fn everybody(&self, sees: impl Fn(Option<u8>) -> bool) -> Hearers {
        (0..self.players())
            .filter(|&seat| sees(Some(seat)))
            .fold(Hearers::watchers(sees(None)), Hearers::with)
    }
}

/// Whether pieces may be among options.
#[inline(always)]
fn may_hold_pieces(options: &Val) -> bool {
    match options {
        Value::Array(_) | Value::Handle(..) => true,
        Value::Object(object) => matches!(&**object, Object::Pieces(_)),
        _ => false,
    }
}

/// The pieces a value is or holds.
pub fn gather_pieces(value: &Val, found: &mut BTreeSet<u32>) {
    match value {
        Value::Handle(handle::PIECE, piece) => {
            found.insert(*piece);
        }
        Value::Array(items) => items.iter().for_each(|item| gather_pieces(item, found)),
        _ => {}
    }
}
