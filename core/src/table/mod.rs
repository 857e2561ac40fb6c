//! The table a match is played on, as scripts reach it: the state, who answers choices, and who watches.

pub mod about;
mod attributes;
pub mod choice;
pub mod event;
pub mod fit;
pub mod game;
mod host;
pub mod label;
pub mod lexicon;
mod measured;
pub mod purchases;
mod sets;
pub mod sight;
pub mod types;
pub mod weight;
pub mod witness;

pub use attributes::row;
pub(super) use sets::row_of;

use self::choice::{Actions, Choice, OfferedActions};
use self::event::Event;
use self::game::Game;
use self::label::Language;
use self::witness::Witness;
use crate::content::definition::Text;
use crate::limits::{
    LARGEST_STATE, LARGEST_TELLING, MOST_EVENTS, MOST_LETTERS, MOST_LINES, OPERATIONS,
};
use crate::model::board::Board;
use crate::model::layout::Layout;
use crate::model::luck::Luck;
use crate::model::set::SpaceSet;
use crate::model::state::State;
use crate::model::streams::Stream;
use crate::model::value::{
    INLINE_EDGES, INLINE_SPACES, Object, Pool, Spares, Val, handle, rows_of,
};
use ludoteca_vm::{HostError, Shared, Value};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Who answers a seat's choices.
#[derive(Debug, Clone)]
pub enum AnsweredBy {
    /// Uniformly at random, on the spot.
    Random(Luck),
    /// Somebody outside: the match stops and waits.
    Asked,
}

/// Results a scenario has fixed: dice and shuffles to come.
#[derive(Debug, Clone, Default)]
pub struct Rigged {
    pub dice: BTreeMap<usize, VecDeque<i32>>,
    /// Dice that were thrown more often than fixed.
    pub overdrawn: BTreeSet<usize>,
    /// Cards from the top for the next shuffle of a zone instance.
    pub shuffles: BTreeMap<u32, Vec<u32>>,
    /// Zones and the cards that were to come to their tops and did not lie in them.
    pub missing: Vec<(u32, u32)>,
}

/// The borders of a board whose field has a value.
#[derive(Debug)]
pub(crate) struct KnownEdges {
    pub board: Arc<Board>,
    pub field: usize,
    pub value: Val,
    pub edges: Shared<Object>,
}

/// A table with a game on it.
#[derive(Debug)]
pub struct Table {
    pub game: Arc<Game>,
    pub layout: Arc<Layout>,
    pub state: State,
    pub seats: Vec<AnsweredBy>,
    /// The choice the rules have just asked.
    pub choice: Option<Choice>,
    /// What happened since somebody last looked, if anybody does.
    pub events: Option<Vec<Event>>,
    /// How much of it is talk, in letters.
    talked: usize,
    /// How many events the step under way was told with, and about how many bytes.
    told: (usize, usize),
    /// Counts what is offered, taken and played, if anybody wants to know.
    pub witness: Option<Box<Witness>>,
    /// Rules that only answer (`score`, `evaluate`) must not change anything.
    pub read_only: bool,
    pub rigged: Option<Box<Rigged>>,
    /// What `text(..)` answers in.
    pub language: Language,
    /// Memory of collections that scripts no longer hold.
    pub spares: Spares,
    /// An empty list, for whoever lists numbers for a moment; and the same for actions.
    pub(crate) numbers: Vec<u32>,
    pub(crate) offered: OfferedActions,
    /// Lists of actions of former choices, and borders that were asked for by a field.
    pub(crate) spare_actions: Pool<Actions>,
    pub(crate) edges_known: Vec<KnownEdges>,
    /// What a question of yes or no offers.
    pub(crate) yes_or_no: Val,
    /// Choices the rules came to at this table, whatever became of them: going back to a position does not take them back.
    pub asked: u64,
    /// Operations to charge for reading what is worked out from many members.
    owed: AtomicU64,
    /// Sets of spaces fit inline on this map, and the borders between two of them.
    inline_sets: bool,
    inline_edges: bool,
    /// Where the index of owners begins, if the game has one.
    owners: Option<usize>,
}

/// Members of a zone that may be listed at the cost of one operation.
const MEMBERS_PER_OPERATION: usize = 8;
/// Bytes that may be taken at the cost of one operation: a whole step may keep what it has taken.
const BYTES_PER_OPERATION: usize = 64;
/// What the moves from one space take, where a set is a few words and where it has memory of its own.
const SMALL_ROW: usize = size_of::<(u32, SpaceSet)>();
const LARGE_ROW: usize = SMALL_ROW + 150;

/// Whether so many events, of so many bytes, are more than somebody is told of a step.
fn is_a_flood((events, bytes): (usize, usize)) -> bool {
    events > MOST_EVENTS || bytes > LARGEST_TELLING
}

impl Table {
    /// So many members were listed.
    pub(crate) fn listed(&self, members: usize) {
        self.owe((members / MEMBERS_PER_OPERATION) as u64);
    }

    /// Moves were listed. Each row takes memory, as long as somebody keeps them; on a large map its targets do as well.
    pub(crate) fn listed_moves(&self, moves: &Val) {
        if let Some(rows) = rows_of(moves) {
            let each = match SpaceSet::needs_memory(self.layout.spaces) {
                true => LARGE_ROW,
                false => SMALL_ROW,
            };
            self.owe((rows.len() * each / BYTES_PER_OPERATION) as u64);
        }
    }

    /// What ended is not to be paid by what comes next.
    pub(crate) fn forgive(&mut self) {
        *self.owed.get_mut() = 0;
    }

    fn owe(&self, cost: u64) {
        // One thread plays at a table; others only look at it.
        let owed = self.owed.load(Ordering::Relaxed);
        self.owed.store(owed + cost, Ordering::Relaxed);
    }

    /// Refuses what would make the state too large.
    pub fn room_for(&self, bytes: usize) -> Result<(), HostError> {
        match bytes > LARGEST_STATE {
            false => Ok(()),
            true => Err(HostError::new(format!(
                "the match remembers too much: its state may have at most {} MiB",
                LARGEST_STATE >> 20
            ))),
        }
    }

    pub fn new(game: Arc<Game>, players: u8, seed: u64) -> Table {
        let layout = game.layout(players);
        let state = State::new(&game.definition, &layout, game.board.clone(), seed);
        Table {
            asked: 0,
            owed: AtomicU64::new(0),
            inline_sets: (layout.spaces as usize) <= INLINE_SPACES,
            inline_edges: (layout.spaces as usize) <= INLINE_EDGES,
            owners: game
                .owner
                .and_then(|at| Some(layout.space[at].index.as_ref()?.first as usize)),
            seats: vec![AnsweredBy::Asked; players as usize],
            game,
            layout,
            state,
            choice: None,
            events: None,
            talked: 0,
            told: (0, 0),
            witness: None,
            read_only: false,
            rigged: None,
            language: Language::default(),
            spares: Spares::default(),
            numbers: Vec::new(),
            offered: OfferedActions::default(),
            spare_actions: Pool::default(),
            edges_known: Vec::new(),
            yes_or_no: Value::array(vec![Value::Bool(true), Value::Bool(false)]),
        }
    }

    pub fn players(&self) -> u8 {
        self.layout.players as u8
    }

    /// The luck of a seat that answers on the spot, for the decision it has before it. When somebody watches, every choice is put and
    /// answered from outside, with the same draws: what is written down then has the options' own keys.
    #[inline(always)]
    pub fn random_seat(&self, seat: u8) -> Option<Stream> {
        if self.events.is_some() {
            return None;
        }
        match self.seats.get(seat as usize) {
            Some(AnsweredBy::Random(luck)) => Some(luck.now(&self.state)),
            _ => None,
        }
    }

    #[inline(always)]
    pub fn note(&mut self, event: impl FnOnce(&Table) -> Event) {
        if self.events.is_some() {
            let event = event(self);
            self.write_down(event);
        }
    }

    #[inline(never)]
    fn write_down(&mut self, event: Event) {
        let Some(events) = &mut self.events else {
            return;
        };
        if events.is_empty() {
            (self.talked, self.told) = (0, (0, 0));
        }
        // Rules that talk without end are not listened to; what happens is still told.
        let talk = event.talk();
        self.talked += talk.unwrap_or(0);
        if talk.is_some() && (events.len() >= MOST_LINES || self.talked > MOST_LETTERS) {
            return;
        }
        self.told = (self.told.0 + 1, self.told.1 + event.bytes());
        match is_a_flood(self.told) {
            // It is more than a step may do: it ends with the next thing that costs something.
            true => *self.owed.get_mut() = 2 * OPERATIONS,
            false => events.push(event),
        }
    }

    /// A step begins: what is told of it is counted anew.
    #[inline(always)]
    pub fn begin_telling(&mut self) {
        self.told = (0, 0);
    }

    /// Whether the step under way does more than anybody is told.
    pub fn is_flooded(&self) -> bool {
        let heard = self
            .events
            .as_ref()
            .is_some_and(|events| !events.is_empty());
        heard && is_a_flood(self.told)
    }

    /// Tells the witness, if there is one, what a seat could choose from and took.
    #[inline(always)]
    pub fn witness_choice(&mut self, seat: u8, prompt: u32, options: &Val, taken: &Val) {
        if let Some(mut witness) = self.witness.take() {
            witness.chosen(self, seat, prompt, options, taken);
            self.witness = Some(witness);
        }
    }

    /// Tells the witness that a piece went from one zone to another.
    #[inline(always)]
    pub fn witness_move(&mut self, piece: u32, from: u32, to: u32) {
        if let Some(mut witness) = self.witness.take() {
            witness.moved(self, piece, from, to);
            self.witness = Some(witness);
        }
    }

    /// Rules that only answer must not change anything.
    #[inline(always)]
    pub fn writable(&self) -> Result<(), HostError> {
        if self.read_only {
            Err(forbidden())
        } else {
            Ok(())
        }
    }

    pub fn space_id(&self, space: u32) -> &str {
        &self.game.lexicon.words[self.game.lexicon.space_words[space as usize] as usize]
    }

    pub fn space_name(&self, space: u32) -> Text {
        let map = self.game.definition.map.as_ref();
        map.map_or_else(Text::default, |m| m.spaces[space as usize].name.clone())
    }

    pub fn player_name(&self, seat: u8) -> Text {
        Text {
            es: format!("Jugador {}", seat + 1),
            en: format!("Player {}", seat + 1),
        }
    }

    /// The card of a piece, as a value.
    pub fn card_of(&self, piece: &Val) -> Val {
        match piece {
            Value::Handle(handle::PIECE, id) => {
                Value::Handle(handle::CARD, self.state.pieces[*id as usize].card)
            }
            other => other.clone(),
        }
    }

    /// What a value is, for messages.
    pub fn describe(&self, value: &Val) -> String {
        match value {
            Value::Handle(kind, _) => {
                let kinds = [
                    "the game", "a player", "a space", "a piece", "a card", "a zone", "an area",
                    "an edge", "a word",
                ];
                kinds
                    .get(*kind as usize)
                    .copied()
                    .unwrap_or("a value")
                    .to_string()
            }
            Value::Small(kind, _) => {
                let kinds = ["spaces", "players", "dice", "a row of numbers", "edges"];
                kinds
                    .get(*kind as usize)
                    .copied()
                    .unwrap_or("a value")
                    .to_string()
            }
            Value::Object(object) => match &**object {
                Object::Spaces(_) => "spaces".to_string(),
                Object::Edges { .. } | Object::EdgeRows(_) => "edges".to_string(),
                Object::Pieces(_) => "pieces".to_string(),
                Object::Dice(_) => "dice".to_string(),
            },
            other => other.type_name().to_string(),
        }
    }

    /// The zones that spaces have, those of each declaration in the order of the spaces.
    pub fn zones_of_spaces(&self) -> impl Iterator<Item = u32> {
        use crate::content::definition::ZoneOf;
        let declared = self.game.definition.zones.iter().zip(&self.layout.zone_at);
        declared
            .filter(|(zone, _)| zone.of == ZoneOf::Space)
            .flat_map(|(_, first)| *first..*first + self.layout.spaces)
    }

    /// What a zone instance belongs to.
    pub fn zone_owner(&self, zone: u32) -> (crate::content::definition::ZoneOf, u32) {
        let (declared, owner) = self.layout.zones[zone as usize];
        (self.game.definition.zones[declared as usize].of, owner)
    }

    /// Zones that are kept in an order stay in it.
    pub fn may_reorder(&self, zone: u32) -> Result<(), HostError> {
        let declared = self.layout.zones[zone as usize].0 as usize;
        match &self.game.definition.zones[declared].sorted {
            None => Ok(()),
            Some(by) => Err(HostError::new(format!(
                "`{}` is kept in the order of `{}`, which this would undo",
                self.zone_key(zone),
                by.name
            ))),
        }
    }

    /// A zone as scenarios and views name it: `game.deck`, `p0.hand`, `argentina.garrison`.
    pub fn zone_key(&self, zone: u32) -> String {
        use crate::content::definition::ZoneOf;
        let (declared, owner) = self.layout.zones[zone as usize];
        let declared = &self.game.definition.zones[declared as usize];
        let of = match declared.of {
            ZoneOf::Game => "game".to_string(),
            ZoneOf::Player => format!("p{owner}"),
            ZoneOf::Space => self.space_id(owner).to_string(),
        };
        format!("{of}.{}", declared.name)
    }
}

#[cold]
#[inline(never)]
fn forbidden() -> HostError {
    HostError::new(
        "nothing may be changed while the rules only answer a question (score, evaluate, a metric)",
    )
}
