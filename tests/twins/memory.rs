//! What everybody at a table has seen and could follow, worked out from what happened there alone: who looks where is read from the
//! manifest, and what went where from the events. It asks nothing of what the kernel thinks that anybody knows.

use ludoteca::{
    Event, Match, Table,
    definition::{Visibility, ZoneOf},
    inside::value::{Val, handle},
};
use std::collections::{BTreeMap, BTreeSet};

/// Pieces go by their keys, which are never another's; seats are bits.
#[derive(Debug, Clone, Default)]
pub struct Memory {
    /// How many events have been looked at.
    read: usize,
    lies_in: BTreeMap<u32, u32>,
    face_up: BTreeSet<u32>,
    known: BTreeMap<u32, u16>,
}

impl Memory {
    /// Looks at what has happened since.
    pub fn watch(&mut self, table: &Table) {
        let events = table.events.as_deref().unwrap_or_default();
        for event in &events[self.read.min(events.len())..] {
            match event {
                Event::Moved {
                    piece,
                    from,
                    to,
                    from_end,
                    ..
                } => self.moved(table, *piece, (*from, *to), *from_end),
                Event::Turned { piece, up, .. } => {
                    match up {
                        true => self.face_up.insert(*piece),
                        false => self.face_up.remove(piece),
                    };
                    self.look(table, *piece);
                }
                Event::Shuffled { zone } => {
                    for piece in self.lying_in(*zone) {
                        self.known.remove(&piece);
                        self.look(table, piece);
                    }
                }
                _ => {}
            }
        }
        self.read = events.len();
    }

    /// Who is offered pieces sees them.
    pub fn offered(&mut self, of: &Match, seat: u8) {
        let asks = of.choice().into_iter().flat_map(|choice| &choice.asks);
        let mut shown = BTreeSet::new();
        for ask in asks.filter(|ask| ask.seat == seat) {
            for n in 0..of.table.count(&ask.options) {
                let option = of.table.nth(&ask.options, n as i64);
                pieces_in(&option.unwrap_or(Val::Unit), &mut shown);
            }
        }
        for piece in shown {
            let key = of.table.state.pieces[piece as usize].key;
            *self.known.entry(key).or_default() |= 1 << seat;
        }
    }

    pub fn knows(&self, seat: u8, piece: u32) -> bool {
        self.known
            .get(&piece)
            .is_some_and(|seats| seats >> seat & 1 == 1)
    }

    /// From one pile to another. A card that leaves a pile or a hand, so that one does not see which, may have been any of them; the top
    /// and the bottom of a pile can be followed.
    fn moved(&mut self, table: &Table, piece: u32, (from, to): (u32, u32), from_end: bool) {
        let open = |zone: u32| seen_by_all(table, zone);
        let hidden = self.lies_in.contains_key(&piece) && !open(from) && !open(to);
        if hidden && !(nobody_looks(table, from) && from_end) {
            for other in self.lying_in(from) {
                if !self.face_up.contains(&other) {
                    let see = self.lookers(table, other);
                    if let Some(known) = self.known.get_mut(&other) {
                        *known &= see;
                    }
                }
            }
        }
        match table.layout.zones.get(to as usize) {
            Some(_) => {
                self.lies_in.insert(piece, to);
                self.look(table, piece);
            }
            None => {
                self.lies_in.remove(&piece);
            }
        }
    }

    fn lying_in(&self, zone: u32) -> Vec<u32> {
        let all = self.lies_in.iter().filter(|(_, at)| **at == zone);
        all.map(|(piece, _)| *piece).collect()
    }

    /// Whoever sees a piece where it lies knows it from now on.
    fn look(&mut self, table: &Table, piece: u32) {
        let see = self.lookers(table, piece);
        *self.known.entry(piece).or_default() |= see;
    }

    /// The seats that see a piece where it lies.
    fn lookers(&self, table: &Table, piece: u32) -> u16 {
        let Some(&zone) = self.lies_in.get(&piece) else {
            return 0;
        };
        if self.face_up.contains(&piece) {
            return u16::MAX;
        }
        let (declared, of) = table.layout.zones[zone as usize];
        let zone = &table.game.definition.zones[declared as usize];
        let owner = match zone.of {
            ZoneOf::Player => Some(of as u8),
            _ => owner_of(table, piece),
        };
        let side = |owner: u8| {
            let partners = (0..table.players()).filter(|seat| table.same_side(*seat, owner));
            partners.fold(0, |all, seat| all | 1 << seat)
        };
        match zone.visible {
            Visibility::All => u16::MAX,
            Visibility::Nobody => 0,
            Visibility::Owner => owner.map_or(0, |owner| 1 << owner),
            Visibility::Team => owner.map_or(0, side),
        }
    }
}

fn owner_of(table: &Table, key: u32) -> Option<u8> {
    let mut pieces = table.state.pieces.iter();
    let found = pieces.find(|piece| piece.key == key)?;
    u8::try_from(found.owner).ok()
}

fn visible(table: &Table, zone: u32) -> Option<Visibility> {
    let (declared, _) = table.layout.zones.get(zone as usize)?;
    Some(table.game.definition.zones[*declared as usize].visible)
}

fn seen_by_all(table: &Table, zone: u32) -> bool {
    visible(table, zone) == Some(Visibility::All)
}

fn nobody_looks(table: &Table, zone: u32) -> bool {
    visible(table, zone) == Some(Visibility::Nobody)
}

/// The pieces a value is or holds.
fn pieces_in(value: &Val, found: &mut BTreeSet<u32>) {
    match value {
        Val::Handle(handle::PIECE, piece) => {
            found.insert(*piece);
        }
        Val::Array(items) => items.iter().for_each(|item| pieces_in(item, found)),
        _ => {}
    }
}
