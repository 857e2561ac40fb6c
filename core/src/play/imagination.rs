//! A table as one seat may believe it to be. Bots, hints, notes beside options and every "what if" look at a table through this door
//! and no other: whatever the seat cannot see is drawn anew, never read.

mod relive;

use super::matches::{BrokenRule, Match};
use crate::content::definition::{Attribute, AttributeType, Visibility};
use crate::limits::{OPERATIONS_OF_A_DECISION, OPERATIONS_OF_A_LINE, OPERATIONS_OF_A_LOOK};
use crate::model::streams::Stream;
use crate::model::value::{self, handle};
use crate::table::Table;
use crate::table::choice::Choice;
use crate::table::sight::gather_pieces;
use crate::table::types::slot;
use ludoteca_vm::Value;
use relive::{RuleHolds, Walk};
use std::cell::Cell;
use std::collections::BTreeSet;

/// How often what a game says of hidden things is tried where it breaks; then they are as a plain draw leaves them.
const IMAGINED_AGAIN: u32 = 8;

/// The pieces a seat knows, by their numbers.
#[derive(Debug, Clone, Default, PartialEq)]
struct Known(Vec<bool>);

/// A copy of a match on which a seat may look ahead.
///
/// ```
/// use ludoteca::{BrokenRule, Chooser, Door, Selection, Session, Sitter, Status, Stream};
///
/// /// Tries every option on a table as its seat may believe it to be, and takes the one that scores most.
/// #[derive(Debug)]
/// struct Careful;
///
/// impl Chooser for Careful {
///     fn choose(&mut self, door: &mut Door, luck: &mut Stream) -> Result<Vec<u32>, BrokenRule> {
///         let (seat, options) = (door.seat(), door.count());
///         let ahead = door.imagine(luck).ahead();
///         let before = ahead.position();
///         let mut best = (Vec::new(), 0);
///         for option in 0..options {
///             ahead.restore(&before);
///             ahead.answer(seat, &[option]).expect("it is offered");
///             ahead.advance()?;
///             let own = ahead.ranking()?.into_iter().find(|rank| rank.seat == seat);
///             best = best.max((own.map_or_else(Vec::new, |rank| rank.score), option));
///         }
///         Ok(vec![best.1])
///     }
/// }
///
/// # let pack = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/race.rs"));
/// # let (library, _) = ludoteca::Library::open(&[pack]);
/// # let game = ludoteca::load(&library, "race", &Default::default()).expect("it was checked");
/// let careful = || Sitter { name: "careful".into(), chooser: Some(Box::new(Careful)) };
/// let mut session = Session::new(game, vec![careful(), careful()], 7, &Selection::default());
/// assert_eq!(session.go_on()?, Status::Over);
/// assert_eq!(session.ranking()?[0].score, [6]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Imagined {
    seat: u8,
    ahead: Match,
    /// Whether there was anything the seat could not see.
    guessed: bool,
    /// The decision that was looked at last, what was known then, and whether the rule that asks holds something hidden in its variables.
    moment: Option<(u64, u8)>,
    knows: Known,
    secret_in_rule: RuleHolds,
    /// The step gone through with other hidden things, and which of these ways led here.
    walks: [Walk; 2],
    led_here: Option<usize>,
    /// Operations that are left for the decision.
    left: u64,
}

impl Imagined {
    /// How many decisions were imagined so far.
    pub fn asked(&self) -> u64 {
        let walked = self.walks.iter().map(Walk::asked);
        self.ahead.table.asked + walked.sum::<u64>()
    }

    /// Memory for looks at a match of this game.
    pub fn of(real: &Match, seat: u8) -> Imagined {
        Imagined {
            seat,
            ahead: Match::empty(real.game().clone(), real.table.players(), 0),
            guessed: false,
            moment: None,
            knows: Known::default(),
            secret_in_rule: RuleHolds::No,
            walks: [Walk::new(real, 0), Walk::new(real, 1)],
            led_here: None,
            left: OPERATIONS_OF_A_DECISION,
        }
    }

    /// The table as a seat may believe it to be. The same seat with the same luck imagines the same, whatever is hidden from it.
    pub fn new(real: &Match, seat: u8, luck: &mut Stream) -> Imagined {
        let mut imagined = Imagined::of(real, seat);
        imagined.look(real, seat, luck);
        imagined.answer_for_others(luck);
        imagined
    }

    /// What was understood of the last decision says nothing of the next, even if it has the same number: it may have been taken back.
    pub fn look_anew(&mut self) {
        self.moment = None;
        self.ahead.allow(0);
        self.left = OPERATIONS_OF_A_DECISION;
    }

    /// The decision may take so many lines of thought more.
    pub fn allow_lines(&mut self, lines: u32) {
        let more = u64::from(lines).saturating_mul(OPERATIONS_OF_A_LINE);
        self.left = self.left.saturating_add(more);
    }

    /// Whether the decision has used up its operations: whatever is tried now tells nothing.
    pub fn is_spent(&self) -> bool {
        let spent = self.left <= self.ahead.spent();
        if spent {
            self.ahead.game().note_costly_opinion();
        }
        spent
    }

    /// What was used since the last look is gone. Says how much the next may use.
    fn settle(&mut self, used: u64) -> u64 {
        self.left = self.left.saturating_sub(used);
        if self.left == 0 {
            self.ahead.game().note_costly_opinion();
        }
        self.left.min(OPERATIONS_OF_A_LOOK)
    }

    /// Looks at a match anew, in the memory of an earlier look at a match of the same game and players. Who is asked at the same time
    /// has not answered yet.
    pub fn look(&mut self, real: &Match, seat: u8, luck: &mut Stream) {
        let moment = (real.table.state.tally.decisions, seat);
        self.seat = seat;
        let may_use = self.settle(self.ahead.spent());
        self.ahead.allow(may_use);
        self.ahead.table.language = real.table.language;
        if self.moment != Some(moment) {
            self.moment = Some(moment);
            self.understand(real);
        }
        if self.secret_in_rule != RuleHolds::No {
            let held = self.secret_in_rule;
            if relive::relive(&mut self.ahead, real, seat, luck, &self.knows, held) {
                self.luck_to_come(luck);
                self.guessed = true;
                forget_answers(&mut self.ahead.table, seat);
                return;
            }
            // What could not be found in so many tries is not looked for again at this decision.
            if held == RuleHolds::Perhaps {
                self.secret_in_rule = RuleHolds::No;
            }
        }
        self.deal(real, luck);
    }

    /// Finds out what the seat knows, and whether the rule that asks would remember something else were the hidden things others.
    fn understand(&mut self, real: &Match) {
        let seat = self.seat;
        self.knows = Known::of(&real.table, seat);
        let led_here = [0, 1].map(|way: usize| {
            let may_use = self.left.min(OPERATIONS_OF_A_LOOK);
            self.walks[way].allow(may_use);
            let led_here = self.walks[way].catch_up(real, seat, &self.knows);
            self.settle(self.walks[way].spent());
            led_here
        });
        self.led_here = led_here.iter().position(|&led| led);
        let [first, second] = [0, 1].map(|way: usize| self.walks[way].at());
        self.secret_in_rule = match led_here {
            [false, false] => relive::rule_holds_a_secret(&mut self.ahead, real, seat, &self.knows),
            [true, true] if !first.remembers_as(second) => RuleHolds::Yes,
            [led, _] => {
                let walked = if led { first } else { second };
                relive::remembers_else(&mut self.ahead, real, seat, &self.knows, walked)
            }
        };
    }

    /// Draws everything unseen once more.
    fn deal(&mut self, real: &Match, luck: &mut Stream) {
        // A way that led here is as good as the match, and what its rule remembers was never true.
        let from = match self.led_here {
            Some(way) => self.walks[way].at(),
            None => real,
        };
        let lay = |ahead: &mut Match| ahead.follow(from);
        let knows = &self.knows;
        let known = |_: &Table, piece| knows.includes(piece);
        let hidden = draw_hidden(&mut self.ahead, self.seat, luck, lay, known);
        self.luck_to_come(luck);
        let asked = forget_answers(&mut self.ahead.table, self.seat);
        self.guessed = hidden || asked;
    }

    fn luck_to_come(&mut self, luck: &mut Stream) {
        let layout = self.ahead.table.layout.clone();
        self.ahead.table.state.reseed(&layout, luck.seed());
    }

    /// Whether there was anything the seat could not see.
    pub fn guessed(&self) -> bool {
        self.guessed
    }

    /// Where several choose in secret, the others answer anything they may, whether they have answered already or not.
    pub fn answer_for_others(&mut self, luck: &mut Stream) {
        let table = &mut self.ahead.table;
        let Some(mut choice) = table.choice.take() else {
            return;
        };
        for ask in choice.asks.iter_mut().filter(|ask| ask.seat != self.seat) {
            let n = luck.below(table.count(&ask.options));
            ask.answer = table.nth(&ask.options, n as i64);
        }
        table.choice = Some(choice);
    }

    pub fn seat(&self) -> u8 {
        self.seat
    }

    /// The imagined match itself: everything may be tried on it.
    pub fn ahead(&mut self) -> &mut Match {
        &mut self.ahead
    }

    /// What the seat is asked.
    pub fn choice(&self) -> Option<&Choice> {
        self.ahead.choice()
    }
}

/// Lays the table and draws what a seat cannot see: pieces that are not `known`, attributes, and what the game says of them. Says whether
/// there was anything.
fn draw_hidden(
    ahead: &mut Match,
    seat: u8,
    luck: &mut Stream,
    lay: impl Fn(&mut Match),
    known: impl Fn(&Table, u32) -> bool,
) -> bool {
    let draw = |ahead: &mut Match, luck: &mut Stream| {
        lay(ahead);
        let pieces = deal_pieces(&mut ahead.table, seat, luck, &known);
        let attributes = draw_attributes(&mut ahead.table, seat, luck);
        pieces || attributes
    };
    for _ in 0..IMAGINED_AGAIN {
        let hidden = draw(ahead, luck);
        match ask_to_imagine(ahead, seat, luck) {
            Ok(()) => return hidden,
            Err(broken) if broken.ran_away() => break,
            Err(_) => {}
        }
    }
    draw(ahead, luck)
}

/// Lets the game put right what a plain draw makes absurd.
fn ask_to_imagine(ahead: &mut Match, seat: u8, luck: &mut Stream) -> Result<(), BrokenRule> {
    let Some(function) = ahead.game().calls.imagine else {
        return Ok(());
    };
    // What a game draws for itself must not come from the luck of the match.
    let streams = ahead.table.state.streams.clone();
    let layout = ahead.table.layout.clone();
    ahead.table.state.reseed(&layout, luck.seed());
    let imagined = ahead.command(function, &[value::player(seat)]);
    ahead.note_broken_opinion(function, &imagined);
    ahead.table.state.streams = streams;
    imagined
}

/// Memory of dealing, which is used again.
#[derive(Default)]
struct Dealing {
    /// Back, home, piece.
    hidden: Vec<(u32, i8, u32)>,
    /// The same of what lies in the box, by its place there.
    boxed: Vec<(u32, i8, usize)>,
    /// What is noted of cards that look alike, and the cards, each with the place of its notes.
    values: Vec<i32>,
    dealt: Vec<(u32, u32)>,
    backs: Backs,
}

thread_local! {
    static DEALING: Cell<Dealing> = Cell::default();
}

/// Hidden pieces with the same back that were made for the same player (or for all) change places among themselves, and with what went
/// into the box unseen. Who has them now has no part in it: what somebody drew may as well lie in the deck. Neither has what lay where: they
/// are put in order first. Says whether there are any.
fn deal_pieces(
    table: &mut Table,
    seat: u8,
    luck: &mut Stream,
    known: impl Fn(&Table, u32) -> bool,
) -> bool {
    let mut dealing = DEALING.take();
    let any = dealing.deal(table, seat, luck, known);
    DEALING.set(dealing);
    any
}

impl Dealing {
    fn deal(
        &mut self,
        table: &mut Table,
        seat: u8,
        luck: &mut Stream,
        known: impl Fn(&Table, u32) -> bool,
    ) -> bool {
        let Dealing {
            hidden,
            boxed,
            values,
            dealt,
            backs,
        } = self;
        let cards = &table.game.definition.cards;
        let kind = |card: u32| cards[card as usize].kind;
        // Those that may change places come to stand beside each other.
        hidden.clear();
        for (piece, found) in table.state.pieces.iter().enumerate() {
            let piece = piece as u32;
            if !known(table, piece) {
                hidden.push((kind(found.card), found.home, piece));
            }
        }
        backs.find(table, hidden);
        for (kind, _, _) in &mut *hidden {
            *kind = backs.of_kind(*kind);
        }
        hidden.sort_unstable();
        let in_the_box = table.state.unseen.iter().enumerate();
        let unknown = in_the_box.filter(|(_, unseen)| unseen.known >> seat & 1 == 0);
        boxed.clear();
        boxed.extend(unknown.map(|(n, unseen)| (backs.of_kind(kind(unseen.card)), unseen.home, n)));
        let row = table.layout.piece_row;
        for alike in hidden.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let of = |piece: u32| piece as usize * row..(piece as usize + 1) * row;
            let state = &mut table.state;
            let pieces = || alike.iter().map(|&(_, _, piece)| piece);
            values.clear();
            dealt.clear();
            for piece in pieces() {
                values.extend_from_slice(&state.piece_values[of(piece)]);
                dealt.push((state.pieces[piece as usize].card, dealt.len() as u32));
            }
            let (back, home, _) = alike[0];
            let boxed = || {
                let alike = boxed.iter().filter(move |b| (b.0, b.1) == (back, home));
                alike.map(|&(_, _, n)| n)
            };
            for n in boxed() {
                table.layout.add_first_row(values);
                dealt.push((state.unseen[n].card, dealt.len() as u32));
            }
            // Cards and what is noted of them, by where the latter was put down.
            dealt.sort_unstable_by(|(a, m), (b, n)| {
                let (m, n) = (of(*m), of(*n));
                a.cmp(b).then_with(|| values[m].cmp(&values[n]))
            });
            luck.shuffle(dealt);
            for (piece, &(card, n)) in pieces().zip(&*dealt) {
                state.pieces[piece as usize].card = card;
                state.piece_values[of(piece)].copy_from_slice(&values[of(n)]);
            }
            // What was not dealt lies in the box.
            for (n, &(card, _)) in boxed().zip(&dealt[alike.len()..]) {
                state.unseen[n].card = card;
            }
        }
        !hidden.is_empty()
    }
}

/// Which kinds look alike from behind, each by the first of those it looks like.
#[derive(Default)]
struct Backs {
    of_kinds: Vec<u32>,
    /// The first kind met in each zone.
    met: Vec<(u32, u32)>,
}

impl Backs {
    /// Kinds that declare the same back look alike. Of kinds without one, those do that lie together unseen in some zone: nobody could
    /// tell there which is which, nor in a hand that came from there.
    fn find(&mut self, table: &Table, hidden: &[(u32, i8, u32)]) {
        let kinds = &table.game.definition.kinds;
        let declared = kinds.iter().enumerate();
        self.of_kinds.clear();
        self.of_kinds
            .extend(declared.map(|(n, kind)| kind.back.unwrap_or(n as u32)));
        self.met.clear();
        for &(kind, _, piece) in hidden {
            if kinds[kind as usize].back.is_some() {
                continue;
            }
            let zone = table.state.pieces[piece as usize].zone;
            match self.met.iter().rev().find(|(there, _)| *there == zone) {
                None => self.met.push((zone, kind)),
                Some(&(_, first)) if first != kind => self.join(first, kind),
                Some(_) => {}
            }
        }
    }

    fn of_kind(&self, kind: u32) -> u32 {
        self.of_kinds[kind as usize]
    }

    fn join(&mut self, one: u32, other: u32) {
        let (one, other) = (self.of_kind(one), self.of_kind(other));
        let first = one.min(other);
        for back in self
            .of_kinds
            .iter_mut()
            .filter(|back| [one, other].contains(back))
        {
            *back = first;
        }
    }
}

/// The pieces among what the seat is offered: it sees them, wherever they lie.
fn offered_pieces(table: &Table, viewer: u8) -> BTreeSet<u32> {
    let mut found = BTreeSet::new();
    if let Some(choice) = &table.choice {
        for ask in choice.asks.iter().filter(|ask| ask.seat == viewer) {
            found.extend(table.pieces_among(&ask.options));
        }
        if let Value::Map(details) = &choice.details {
            for (_, detail) in details.iter() {
                gather_pieces(detail, &mut found);
            }
        }
    }
    found
}

/// Attributes the seat may not know, each from the range it was declared with. Says whether there are any.
fn draw_attributes(table: &mut Table, viewer: u8, luck: &mut Stream) -> bool {
    let mut any = false;
    let game = table.game.clone();
    let declared = &game.definition.attributes;
    for (kind, attributes) in [
        (handle::GAME, &declared.game),
        (handle::PLAYER, &declared.player),
        (handle::SPACE, &declared.space),
        (handle::PIECE, &declared.piece),
    ] {
        for (index, attribute) in attributes.iter().enumerate() {
            if attribute.visible == Visibility::All {
                continue;
            }
            let owners = match kind {
                handle::GAME => 1,
                handle::PLAYER => table.players() as u32,
                handle::SPACE => table.layout.spaces,
                _ => table.state.pieces.len() as u32,
            };
            for id in 0..owners {
                if kind == handle::SPACE && !table.state.board.in_play().contains(id) {
                    continue;
                }
                // What belongs to a hidden piece was dealt with it.
                let dealt = kind == handle::PIECE && !table.knows_piece(viewer, id);
                let owner = table.attribute_owner(kind, id);
                if !dealt && !table.sees_attribute(attribute, Some(viewer), owner) {
                    draw_attribute(table, attribute, kind, index, id, luck);
                    any = true;
                }
            }
        }
    }
    any
}

fn draw_attribute(
    table: &mut Table,
    attribute: &Attribute,
    kind: u8,
    index: usize,
    id: u32,
    luck: &mut Stream,
) {
    for column in 0..attribute.per.width(table.players() as u32) {
        let number = draw_number(table, attribute, luck);
        table.set_number(kind, slot::of(slot::INT, index as u16), id, column, number);
    }
}

fn draw_number(table: &Table, attribute: &Attribute, luck: &mut Stream) -> i32 {
    // One of so many, or none.
    let mut perhaps = |count: u32| luck.below(count + 1) as i32 - 1;
    match &attribute.ty {
        AttributeType::Int => {
            let numbers = (attribute.max as i64 - attribute.min as i64 + 1).min(u32::MAX as i64);
            (attribute.min as i64 + luck.below(numbers as u32) as i64) as i32
        }
        AttributeType::Bool => luck.below(2) as i32,
        AttributeType::Player => perhaps(table.players() as u32),
        AttributeType::Space => {
            let in_play = table.state.board.in_play();
            match perhaps(in_play.len()) {
                -1 => -1,
                n => in_play.nth(n as u32).map_or(-1, |space| space as i32),
            }
        }
        AttributeType::Piece => perhaps(table.state.pieces.len() as u32),
        AttributeType::Card => perhaps(table.game.definition.cards.len() as u32),
        AttributeType::Area => {
            let map = table.game.definition.map.as_ref();
            perhaps(map.map_or(0, |map| map.areas.len() as u32))
        }
        AttributeType::Word(words) => match perhaps(words.len() as u32) {
            -1 => -1,
            n => words[n as usize] as i32,
        },
    }
}

/// Where several choose in secret nobody knows what the others have answered; says whether there are others.
fn forget_answers(table: &mut Table, viewer: u8) -> bool {
    let asks = table.choice.iter_mut().flat_map(|choice| &mut choice.asks);
    asks.filter(|ask| ask.seat != viewer)
        .map(|ask| ask.answer = None)
        .count()
        > 0
}
