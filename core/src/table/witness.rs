//! Somebody who counts what becomes of the content of a game: which cards and words were offered to whom, taken, and played.
//! A match nobody witnesses pays nothing.

use super::Table;
use super::purchases::Purchases;
use crate::content::definition::{Visibility, ZoneOf};
use crate::model::state::IN_THE_BOX;
use crate::model::value::{Object, Val, handle};
use ludoteca_vm::Value;

/// What became of one card or word for one seat.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Count {
    /// Choices in which it was among the options.
    pub offered: u32,
    /// Choices in which it was what the seat took.
    pub taken: u32,
    /// Times it came into the open for the seat: out of a zone only its owner sees, or into a zone of the player's that all see. What the seat
    /// gave up, in a choice whose prompt speaks of discarding, was not played.
    pub played: u32,
}

/// Counts of a match: cards first, by their number, then words.
#[derive(Debug, Clone, Default)]
pub struct Witness {
    seats: usize,
    cards: usize,
    counts: Vec<Count>,
    /// The choice in which something was last offered: copies of a card count once.
    offered_in: Vec<u32>,
    /// Places of `counts` that are not zero.
    touched: Vec<u32>,
    choices: u32,
    /// Pieces given up in the last choice.
    given_up: Vec<u32>,
    /// For each seat, the choice it was last asked in, and how it waited so far.
    asked: Vec<u32>,
    waits: Vec<Wait>,
    /// What players pay for.
    pub purchases: Purchases,
}

/// How a seat waited for its turn, counted in choices of others.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Wait {
    /// Choices of others between two of its own, all together, and how often there were any.
    pub choices: u32,
    pub times: u32,
    pub longest: u32,
}

/// A card or a word of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Item {
    Card(u32),
    Word(u32),
}

impl Witness {
    pub fn new(table: &Table) -> Witness {
        let seats = table.players() as usize;
        let cards = table.game.definition.cards.len();
        let items = cards + table.game.lexicon.words.len();
        Witness {
            seats,
            cards,
            counts: vec![Count::default(); items * seats],
            offered_in: vec![0; items],
            touched: Vec::new(),
            choices: 0,
            given_up: Vec::new(),
            asked: vec![0; seats],
            waits: vec![Wait::default(); seats],
            purchases: Purchases::new(table),
        }
    }

    /// Forgets everything, for another match at the same table.
    pub fn clear(&mut self) {
        for place in self.touched.drain(..) {
            self.counts[place as usize] = Count::default();
        }
        self.choices = 0;
        self.offered_in.fill(0);
        self.asked.fill(0);
        self.waits.fill(Wait::default());
        self.purchases.clear();
    }

    /// How each seat has waited for its turn.
    pub fn waits(&self) -> &[Wait] {
        &self.waits
    }

    /// What was seen, by item and seat in order.
    pub fn seen(&mut self) -> impl Iterator<Item = (Item, u8, Count)> + '_ {
        self.touched.sort_unstable();
        self.touched.iter().map(|&place| {
            let (item, seat) = (place as usize / self.seats, place as usize % self.seats);
            let item = match item.checked_sub(self.cards) {
                None => Item::Card(item as u32),
                Some(word) => Item::Word(word as u32),
            };
            (item, seat as u8, self.counts[place as usize])
        })
    }

    fn count(&mut self, item: usize, seat: u8, what: impl FnOnce(&mut Count)) {
        let place = item * self.seats + seat as usize;
        let count = &mut self.counts[place];
        if *count == Count::default() {
            self.touched.push(place as u32);
        }
        what(count);
    }

    /// A seat was given a choice and answered it.
    pub fn chosen(&mut self, table: &Table, seat: u8, prompt: u32, options: &Val, taken: &Val) {
        self.choices += 1;
        self.purchases.look(table);
        let others = self.choices - self.asked[seat as usize] - 1;
        self.asked[seat as usize] = self.choices;
        if others > 0 {
            let wait = &mut self.waits[seat as usize];
            wait.choices += others;
            wait.times += 1;
            wait.longest = wait.longest.max(others);
        }
        self.given_up.clear();
        // Rules move a card that is played and one that is thrown away alike: only the question tells them apart.
        let manner = table.game.lexicon.manners.get(prompt as usize);
        if manner.is_some_and(|manner| manner.discards) {
            each_piece(table, taken, &mut |piece| {
                self.given_up.push(table.state.pieces[piece as usize].key)
            });
        }
        let now = self.choices;
        each_item(table, self.cards, options, &mut |item| {
            if self.offered_in[item] != now {
                self.offered_in[item] = now;
                self.count(item, seat, |count| count.offered += 1);
            }
        });
        each_item(table, self.cards, taken, &mut |item| {
            // A way out that stands beside the options is not content; copies taken together count once.
            if self.offered_in[item] == now {
                self.offered_in[item] = 0;
                self.count(item, seat, |count| count.taken += 1);
            }
        });
    }

    /// A piece went from one zone to another.
    pub fn moved(&mut self, table: &Table, piece: u32, from: u32, to: u32) {
        let (left, reached) = (place(table, from), place(table, to));
        let found = &table.state.pieces[piece as usize];
        if self.given_up.contains(&found.key) {
            return;
        }
        let out_of_hand = left.seat.filter(|_| left.hand && reached.open);
        let gained = reached
            .seat
            .filter(|_| reached.open && reached.seat != left.seat);
        if let Some(seat) = out_of_hand.or(gained) {
            self.count(found.card as usize, seat, |count| count.played += 1);
        }
    }
}

/// Whose a zone is, and whether everybody sees what lies there, or its owner alone.
struct Whose {
    seat: Option<u8>,
    open: bool,
    hand: bool,
}

fn place(table: &Table, zone: u32) -> Whose {
    if zone == IN_THE_BOX {
        return Whose {
            seat: None,
            open: true,
            hand: false,
        };
    }
    let (declared, owner) = table.layout.zones[zone as usize];
    let declared = &table.game.definition.zones[declared as usize];
    Whose {
        seat: (declared.of == ZoneOf::Player).then_some(owner as u8),
        open: declared.visible == Visibility::All,
        hand: matches!(declared.visible, Visibility::Owner | Visibility::Team),
    }
}

/// The pieces among what was taken.
fn each_piece(table: &Table, taken: &Val, found: &mut impl FnMut(u32)) {
    match taken {
        Value::Array(items) => {
            for item in items.iter() {
                each_piece(table, item, found);
            }
        }
        Value::Object(object) => {
            if let Object::Pieces(pieces) = &**object {
                pieces.iter().for_each(|&piece| found(piece));
            }
        }
        Value::Handle(handle::PIECE, piece) => found(*piece),
        Value::Handle(handle::ZONE, zone) => {
            table.state.zones[*zone as usize]
                .iter()
                .for_each(|&piece| found(piece));
        }
        _ => {}
    }
}

/// The cards and words among some options. Spaces, borders and numbers are not content; their lists are never walked.
fn each_item(table: &Table, cards: usize, options: &Val, found: &mut impl FnMut(usize)) {
    match options {
        Value::Array(items) => {
            for item in items.iter() {
                each_item(table, cards, item, found);
            }
        }
        Value::Object(_) | Value::Handle(handle::PIECE | handle::ZONE, _) => {
            each_piece(table, options, &mut |piece| {
                found(table.state.pieces[piece as usize].card as usize)
            });
        }
        Value::Handle(handle::CARD, card) => found(*card as usize),
        Value::Handle(handle::WORD, word) => found(cards + *word as usize),
        Value::Str(word) => {
            if let Some(word) = table.game.lexicon.find_word(word) {
                found(cards + word as usize);
            }
        }
        _ => {}
    }
}
