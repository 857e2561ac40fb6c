//! The table a match is played on, as scripts reach it: the state, who answers choices, and who watches.

use super::choice::Choice;
use super::event::Event;
use super::game::Game;
use super::label::Language;
use super::types::{BuiltIn, slot};
use super::witness::Witness;
use crate::content::definition::Text;
use crate::model::layout::{Layout, Slot};
use crate::model::set::SpaceSet;
use crate::model::state::{IN_THE_BOX, State, checked};
use crate::model::streams::Stream;
use crate::model::value::{
    self, INLINE_EDGES, INLINE_SPACES, Object, Spares, Val, handle, reference, short_items, small,
};
use ludoteca_vm::{BinaryOp, Call, Domain, Flow, Host, HostError, Value};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

/// Who answers a seat's choices.
#[derive(Debug, Clone)]
pub enum Seat {
    /// Uniformly at random, on the spot.
    Random(Stream),
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
}

/// A table with a game on it.
#[derive(Debug)]
pub struct Table {
    pub game: Arc<Game>,
    pub layout: Arc<Layout>,
    pub state: State,
    pub seats: Vec<Seat>,
    /// The choice the rules have just asked.
    pub choice: Option<Choice>,
    /// What happened since somebody last looked, if anybody does.
    pub events: Option<Vec<Event>>,
    /// Counts what is offered, taken and played, if anybody wants to know.
    pub witness: Option<Box<Witness>>,
    /// Rules that only answer (`score`, `evaluate`) must not change anything.
    pub read_only: bool,
    pub rigged: Option<Box<Rigged>>,
    /// What `text(..)` answers in.
    pub language: Language,
    /// Memory of collections that scripts no longer hold.
    pub spares: Spares,
    /// Sets of spaces fit inline on this map, and the borders between two of them.
    inline_sets: bool,
    inline_edges: bool,
    /// Where the index of owners begins, if the game has one.
    owners: Option<usize>,
}

impl Table {
    pub fn new(game: Arc<Game>, players: u8, seed: u64) -> Table {
        let layout = game.layout(players);
        let state = State::new(&game.definition, &layout, game.board.clone(), seed);
        Table {
            inline_sets: (layout.spaces as usize) <= INLINE_SPACES,
            inline_edges: (layout.spaces as usize) <= INLINE_EDGES,
            owners: game.owner_index.map(|index| layout.first_of_index(index)),
            seats: vec![Seat::Asked; players as usize],
            game,
            layout,
            state,
            choice: None,
            events: None,
            witness: None,
            read_only: false,
            rigged: None,
            language: Language::default(),
            spares: Spares::default(),
        }
    }

    pub fn players(&self) -> u8 {
        self.layout.players as u8
    }

    /// A set of spaces as a script value.
    #[inline(always)]
    pub fn spaces(&self, set: SpaceSet) -> Val {
        if self.inline_sets {
            Value::Small(small::SPACES, set.to_bytes())
        } else {
            Value::Object(Arc::new(Object::Spaces(set)))
        }
    }

    /// The spaces in play that a seat owns; `None` if nothing is owned in this game.
    #[inline(always)]
    pub fn owned(&self, seat: u32) -> Option<SpaceSet> {
        let first = self.owners?;
        Some(self.state.index[first + seat as usize + 1] & self.state.board.in_play())
    }

    /// Ends a call with a set of spaces. The usual small set is written where it belongs; building it elsewhere and copying it would cost
    /// more than finding it.
    #[inline(always)]
    pub fn give_spaces(&self, call: Call<Object>, set: SpaceSet) -> Result<Flow, HostError> {
        if self.inline_sets {
            call.done(Value::Small(small::SPACES, set.to_bytes()))
        } else {
            give_large_set(call, set)
        }
    }

    /// Ends a call with all borders from one set into another.
    #[inline(always)]
    pub fn give_edges(
        &mut self,
        call: Call<Object>,
        from: SpaceSet,
        to: SpaceSet,
    ) -> Result<Flow, HostError> {
        if self.inline_edges {
            call.done(Value::Small(
                small::EDGES,
                SpaceSet::pair_to_bytes(from, to),
            ))
        } else {
            self.give_large_edges(call, from, to)
        }
    }

    #[inline(never)]
    fn give_large_edges(
        &mut self,
        call: Call<Object>,
        from: SpaceSet,
        to: SpaceSet,
    ) -> Result<Flow, HostError> {
        call.done(Value::Object(self.spares.share(Object::Edges { from, to })))
    }

    /// Ends a call with the `n`-th member of its argument `i`.
    #[inline(always)]
    pub fn give_nth(&self, call: Call<Object>, i: usize, n: u32) -> Result<Flow, HostError> {
        match call.arg(i) {
            Value::Small(small::SPACES, bytes) => {
                let found = SpaceSet::from_bytes(*bytes).nth(n).unwrap_or(0);
                call.done(value::space(found))
            }
            Value::Small(small::EDGES, bytes) => {
                let (from, to) = SpaceSet::pair_from_bytes(*bytes);
                let (a, b) = self.state.board.nth_edge(from, to, n).unwrap_or((0, 0));
                call.done(value::edge(a, b))
            }
            _ => self.give_nth_slowly(call, i, n),
        }
    }

    #[inline(never)]
    fn give_nth_slowly(&self, call: Call<Object>, i: usize, n: u32) -> Result<Flow, HostError> {
        let found = self.nth(call.arg(i), n as i64).unwrap_or_default();
        call.done(found)
    }

    /// A script value as a set of spaces: a set, one space, or a list of spaces.
    #[inline(always)]
    pub fn space_set(&self, value: &Val) -> Result<SpaceSet, HostError> {
        match value {
            Value::Small(small::SPACES, bytes) => Ok(SpaceSet::from_bytes(*bytes)),
            other => self.space_set_slowly(other),
        }
    }

    /// The usual small set, if a value is one. Functions that are called at every decision ask for it first and leave the rest to a
    /// function of its own, so that the set never leaves the processor.
    #[inline(always)]
    pub fn small_set(value: &Val) -> Option<SpaceSet> {
        match value {
            Value::Small(small::SPACES, bytes) => Some(SpaceSet::from_bytes(*bytes)),
            _ => None,
        }
    }

    #[inline(never)]
    fn space_set_slowly(&self, value: &Val) -> Result<SpaceSet, HostError> {
        match value {
            Value::Handle(handle::SPACE, id) => Ok(SpaceSet::one(*id)),
            Value::Object(object) => match &**object {
                Object::Spaces(set) => Ok(*set),
                _ => Err(HostError::new("expected spaces, found another collection")),
            },
            Value::Array(items) => items
                .iter()
                .map(|item| match item {
                    Value::Handle(handle::SPACE, id) => Ok(*id),
                    other => Err(HostError::new(format!(
                        "expected spaces, found {}",
                        self.describe(other)
                    ))),
                })
                .collect(),
            other => Err(HostError::new(format!(
                "expected spaces, found {}",
                self.describe(other)
            ))),
        }
    }

    /// Members of a collection; 0 for what is none.
    #[inline(always)]
    pub fn count(&self, options: &Val) -> u32 {
        match options {
            Value::Small(small::SPACES, bytes) => SpaceSet::from_bytes(*bytes).len(),
            Value::Small(small::EDGES, bytes) => {
                let (from, to) = SpaceSet::pair_from_bytes(*bytes);
                self.state.board.count_edges(from, to)
            }
            Value::Array(items) => items.len() as u32,
            other => self.count_slowly(other),
        }
    }

    #[inline(never)]
    fn count_slowly(&self, options: &Val) -> u32 {
        match options {
            Value::Range(range) => {
                let end = if range.inclusive {
                    range.to.saturating_add(1)
                } else {
                    range.to
                };
                end.saturating_sub(range.from).clamp(0, u32::MAX as i64) as u32
            }
            other => self.len(other).unwrap_or(0) as u32,
        }
    }

    /// The `n`-th member of a collection of any kind.
    #[inline(always)]
    pub fn nth(&self, options: &Val, n: i64) -> Option<Val> {
        match options {
            Value::Array(items) => items.get(n as usize).cloned(),
            Value::Range(range) => Some(Value::Int(range.from + n)),
            other => Host::nth(self, other, n),
        }
    }

    /// The random stream of a seat that answers on the spot. When somebody watches, every choice is put and answered from outside, with
    /// the same draws: what is written down then has the options' own keys.
    #[inline(always)]
    pub fn random_seat(&mut self, seat: u8) -> Option<&mut Stream> {
        if self.events.is_some() {
            return None;
        }
        match self.seats.get_mut(seat as usize) {
            Some(Seat::Random(stream)) => Some(stream),
            _ => None,
        }
    }

    pub fn note(&mut self, event: impl FnOnce(&Table) -> Event) {
        if self.events.is_some() {
            let event = event(self);
            if let Some(events) = &mut self.events {
                events.push(event);
            }
        }
    }

    /// Tells the witness, if there is one, what a seat could choose from and took.
    #[inline(always)]
    pub fn witness_choice(&mut self, seat: u8, options: &Val, taken: &Val) {
        if let Some(mut witness) = self.witness.take() {
            witness.chosen(self, seat, options, taken);
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
            },
            other => other.type_name().to_string(),
        }
    }

    fn attribute(&self, kind: u8, index: usize) -> &Slot {
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
        match kind {
            handle::SPACE => {
                let slot = &self.layout.space[index];
                self.state.values[(slot.at + id * slot.width + column) as usize]
            }
            handle::PLAYER => {
                let slot = &self.layout.player[index];
                self.state.values[(slot.at + id * slot.width + column) as usize]
            }
            handle::PIECE => {
                let slot = &self.layout.piece[index];
                self.state.piece_values
                    [id as usize * self.layout.piece_row + (slot.at + column) as usize]
            }
            _ => self.state.values[(self.layout.game[index].at + column) as usize],
        }
    }

    /// Stores a number that has been checked.
    #[inline(always)]
    pub fn set_number(&mut self, kind: u8, slot_number: u16, id: u32, column: u32, number: i32) {
        let index = slot::index(slot_number);
        if self.events.is_some() {
            let from = self.number(kind, index, id, column);
            if from != number {
                self.note(|_| Event::Changed {
                    kind,
                    id,
                    slot: slot_number,
                    from,
                    to: number,
                });
            }
        }
        match kind {
            handle::SPACE => {
                let slot = &self.layout.space[index];
                if slot.width == 1 {
                    self.state.set_space(slot, self.layout.players, id, number);
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
            }
            _ => self.state.values[(self.layout.game[index].at + column) as usize] = number,
        }
    }

    /// The number a value is stored as in an attribute of this class.
    fn stored(&self, kind: u8, slot_number: u16, new: &Val) -> Result<i32, HostError> {
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

    fn allowed_word(&self, kind: u8, slot_number: u16, word: u32) -> Result<i32, HostError> {
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
    fn wrong_type(&self, kind: u8, slot_number: u16, new: &Val) -> HostError {
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
    fn out_of_range(&self, kind: u8, slot_number: u16, value: i64) -> HostError {
        let index = slot::index(slot_number);
        let slot = self.attribute(kind, index);
        let name = self.game.attribute_name(kind, index);
        HostError::new(format!(
            "attribute `{name}` must stay within {} and {}, found {value}",
            slot.min, slot.max
        ))
    }

    #[inline(never)]
    fn slot_slowly(&self, kind: u8, slot_number: u16, id: u32, register: &mut Val) {
        register.put(self.slot(kind, slot_number, id));
    }

    /// A handle as the reader of an attribute sees it.
    #[inline(always)]
    fn shown(&self, class: u16, number: i32) -> Val {
        match class {
            slot::INT => Value::Int(number as i64),
            slot::PLAYER => reference(handle::PLAYER, number),
            slot::BOOL => Value::Bool(number != 0),
            slot::SPACE => reference(handle::SPACE, number),
            slot::PIECE => reference(handle::PIECE, number),
            slot::CARD => reference(handle::CARD, number),
            slot::AREA => reference(handle::AREA, number),
            _ => reference(handle::WORD, number),
        }
    }

    fn field(&self, kind: u8, column: usize, id: u32) -> Val {
        let lexicon = &self.game.lexicon;
        let found = match kind {
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
        };
        found.cloned().unwrap_or_default()
    }

    fn built_in(&self, property: BuiltIn, id: u32) -> Val {
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
            BuiltIn::SpaceNeighbors => self.spaces(self.state.board.neighbors(id)),
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
            BuiltIn::ZonePieces => {
                let from_top = self.state.zones[id as usize]
                    .iter()
                    .rev()
                    .copied()
                    .collect();
                Value::Object(Arc::new(Object::Pieces(from_top)))
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
                self.spaces(lexicon.area_sets[id as usize] & self.state.board.in_play())
            }
            BuiltIn::EdgeFrom => value::space(value::ends(id).0),
            BuiltIn::EdgeTo => value::space(value::ends(id).1),
        }
    }

    /// The next seat around the table that is still in, whatever the turn order is.
    fn neighbour(&self, seat: u8, step: i32) -> u8 {
        let players = self.layout.players as i32;
        (1..players)
            .map(|i| (seat as i32 + step * i).rem_euclid(players) as u8)
            .find(|&s| !self.state.is_out(s))
            .unwrap_or(seat)
    }

    /// What a zone instance belongs to.
    pub fn zone_owner(&self, zone: u32) -> (crate::content::definition::ZoneOf, u32) {
        let (declared, owner) = self.layout.zones[zone as usize];
        (self.game.definition.zones[declared as usize].of, owner)
    }

    /// A value as borders, the targets of each space, if it is such.
    pub fn edge_rows(&self, value: &Val) -> Option<Vec<SpaceSet>> {
        match value {
            Value::Handle(handle::EDGE, id) => {
                let (a, b) = value::ends(*id);
                Some(
                    self.state
                        .board
                        .edge_rows(SpaceSet::one(a), SpaceSet::one(b)),
                )
            }
            other => match (value::lazy_edges(other), other) {
                (Some((from, to)), _) => Some(self.state.board.edge_rows(from, to)),
                (None, Value::Object(object)) => match &**object {
                    Object::EdgeRows(rows) => Some(rows.clone()),
                    _ => None,
                },
                _ => None,
            },
        }
    }

    /// A list of pieces as a script value.
    pub fn pieces(&mut self, pieces: Vec<u32>) -> Val {
        Value::Object(self.spares.share(Object::Pieces(pieces)))
    }

    /// What lies in a zone, from the top, as a script value.
    pub fn pieces_in(&mut self, zone: u32, keep: impl Fn(&State, u32) -> bool) -> Val {
        let state = &self.state;
        let from_top = state.zones[zone as usize]
            .iter()
            .rev()
            .copied()
            .filter(|&piece| keep(state, piece));
        Value::Object(self.spares.share_pieces(from_top))
    }
}

#[inline(never)]
fn give_large_set(call: Call<Object>, set: SpaceSet) -> Result<Flow, HostError> {
    call.done(Value::Object(Arc::new(Object::Spaces(set))))
}

#[cold]
#[inline(never)]
fn forbidden() -> HostError {
    HostError::new(
        "nothing may be changed while the rules only answer a question (score, evaluate, a metric)",
    )
}

/// A row value: which attribute of what is kept per player.
pub fn row(kind: u8, slot_number: u16, id: u32) -> Val {
    let mut bytes = [0; 14];
    bytes[0] = kind;
    bytes[1..3].copy_from_slice(&slot_number.to_le_bytes());
    bytes[3..7].copy_from_slice(&id.to_le_bytes());
    Value::Small(small::ROW, bytes)
}

fn row_parts(bytes: &[u8; 14]) -> (u8, u16, u32) {
    let slot_number = u16::from_le_bytes([bytes[1], bytes[2]]);
    let id = u32::from_le_bytes([bytes[3], bytes[4], bytes[5], bytes[6]]);
    (bytes[0], slot_number, id)
}

impl Host for Table {
    type Object = Object;

    #[inline(always)]
    fn slot(&self, kind: u8, slot_number: u16, id: u32) -> Val {
        let index = slot::index(slot_number);
        match slot::class(slot_number) {
            class @ slot::INT..=slot::WORD => self.shown(class, self.number(kind, index, id, 0)),
            slot::ROW => row(kind, slot_number, id),
            slot::ZONE => Value::Handle(
                handle::ZONE,
                self.layout
                    .zone(index, if kind == handle::GAME { 0 } else { id }),
            ),
            slot::FIELD => self.field(kind, index, id),
            _ => self.built_in(BuiltIn::at(index), id),
        }
    }

    #[inline(always)]
    fn slot_into(&self, kind: u8, slot_number: u16, id: u32, register: &mut Val) {
        let index = slot::index(slot_number);
        match slot::class(slot_number) {
            slot::INT => register.put(Value::Int(self.number(kind, index, id, 0) as i64)),
            slot::PLAYER => match self.number(kind, index, id, 0) {
                ..0 => register.put(Value::Unit),
                seat => register.put(Value::Handle(handle::PLAYER, seat as u32)),
            },
            slot::BUILT_IN if kind == handle::EDGE => {
                let (from, to) = value::ends(id);
                let end = if BuiltIn::at(index) == BuiltIn::EdgeFrom {
                    from
                } else {
                    to
                };
                register.put(value::space(end));
            }
            _ => self.slot_slowly(kind, slot_number, id, register),
        }
    }

    #[inline(always)]
    fn set_slot(
        &mut self,
        kind: u8,
        slot_number: u16,
        id: u32,
        new: &Val,
    ) -> Result<(), HostError> {
        self.writable()?;
        if slot::class(slot_number) == slot::BUILT_IN {
            return self.set_built_in(BuiltIn::at(slot::index(slot_number)), id, new);
        }
        let number = self.stored(kind, slot_number, new)?;
        self.set_number(kind, slot_number, id, 0, number);
        Ok(())
    }

    #[inline(always)]
    fn add_slot(
        &mut self,
        kind: u8,
        slot_number: u16,
        id: u32,
        delta: i64,
    ) -> Result<(), HostError> {
        self.writable()?;
        let index = slot::index(slot_number);
        if slot::class(slot_number) != slot::INT {
            return Err(self.wrong_type(kind, slot_number, &Value::Int(delta)));
        }
        let new = (self.number(kind, index, id, 0) as i64).saturating_add(delta);
        match checked(self.attribute(kind, index), new) {
            Ok(number) => {
                self.set_number(kind, slot_number, id, 0, number);
                Ok(())
            }
            Err(e) => Err(self.out_of_range(kind, slot_number, e.value)),
        }
    }

    #[inline(always)]
    fn len(&self, value: &Val) -> Option<i64> {
        match value {
            Value::Small(small::SPACES, bytes) => Some(SpaceSet::from_bytes(*bytes).len() as i64),
            Value::Small(small::PLAYERS | small::DICE, bytes) => Some(bytes[0] as i64),
            Value::Small(small::ROW, bytes) => {
                let (kind, slot_number, _) = row_parts(bytes);
                Some(self.attribute(kind, slot::index(slot_number)).width as i64)
            }
            Value::Small(small::EDGES, bytes) => {
                let (from, to) = SpaceSet::pair_from_bytes(*bytes);
                Some(self.state.board.count_edges(from, to) as i64)
            }
            Value::Handle(handle::ZONE, id) => Some(self.state.zones[*id as usize].len() as i64),
            Value::Object(object) => Some(match &**object {
                Object::Spaces(set) => set.len() as i64,
                Object::Edges { from, to } => self.state.board.count_edges(*from, *to) as i64,
                Object::EdgeRows(rows) => rows.iter().map(|row| row.len() as i64).sum(),
                Object::Pieces(pieces) => pieces.len() as i64,
            }),
            _ => None,
        }
    }

    #[inline(always)]
    fn nth(&self, value: &Val, n: i64) -> Option<Val> {
        let n = u32::try_from(n).ok()?;
        match value {
            Value::Small(small::SPACES, bytes) => {
                SpaceSet::from_bytes(*bytes).nth(n).map(value::space)
            }
            Value::Small(small::DICE, bytes) => short_items(bytes)
                .get(n as usize)
                .map(|&b| Value::Int(b as i8 as i64)),
            Value::Small(small::PLAYERS, bytes) => short_items(bytes)
                .get(n as usize)
                .map(|&s| value::player(s)),
            Value::Small(small::ROW, bytes) => {
                let (kind, slot_number, id) = row_parts(bytes);
                let index = slot::index(slot_number);
                (n < self.attribute(kind, index).width)
                    .then(|| Value::Int(self.number(kind, index, id, n) as i64))
            }
            Value::Small(small::EDGES, bytes) => {
                let (from, to) = SpaceSet::pair_from_bytes(*bytes);
                let found = self.state.board.nth_edge(from, to, n);
                found.map(|(a, b)| value::edge(a, b))
            }
            Value::Handle(handle::ZONE, id) => self.state.zones[*id as usize]
                .iter()
                .rev()
                .nth(n as usize)
                .map(|&p| value::piece(p)),
            Value::Object(object) => match &**object {
                Object::Spaces(set) => set.nth(n).map(value::space),
                Object::Edges { from, to } => self
                    .state
                    .board
                    .nth_edge(*from, *to, n)
                    .map(|(a, b)| value::edge(a, b)),
                Object::EdgeRows(rows) => nth_in_rows(rows, n),
                Object::Pieces(pieces) => pieces.get(n as usize).map(|&p| value::piece(p)),
            },
            _ => None,
        }
    }

    #[inline(always)]
    fn next(&self, value: &Val, cursor: i64) -> Option<(Val, i64)> {
        match value {
            Value::Small(small::SPACES, bytes) => SpaceSet::from_bytes(*bytes)
                .next_from(cursor as u32)
                .map(|s| (value::space(s), s as i64 + 1)),
            Value::Object(object) => match &**object {
                Object::Spaces(set) => set
                    .next_from(cursor as u32)
                    .map(|s| (value::space(s), s as i64 + 1)),
                _ => Host::nth(self, value, cursor).map(|found| (found, cursor + 1)),
            },
            _ => Host::nth(self, value, cursor).map(|found| (found, cursor + 1)),
        }
    }

    fn contains(&self, value: &Val, item: &Val) -> Option<bool> {
        match (value, item) {
            (Value::Small(small::SPACES, bytes), Value::Handle(handle::SPACE, id)) => {
                Some(SpaceSet::from_bytes(*bytes).contains(*id))
            }
            (Value::Small(small::PLAYERS, bytes), Value::Handle(handle::PLAYER, id)) => {
                Some(short_items(bytes).contains(&(*id as u8)))
            }
            (Value::Small(small::DICE, bytes), Value::Int(n)) => {
                Some(short_items(bytes).iter().any(|&b| b as i8 as i64 == *n))
            }
            (Value::Handle(handle::ZONE, zone), Value::Handle(handle::PIECE, id)) => {
                Some(self.state.pieces[*id as usize].zone == *zone)
            }
            (edges, Value::Handle(handle::EDGE, id))
                if let Some((from, to)) = value::lazy_edges(edges) =>
            {
                let (a, b) = value::ends(*id);
                Some(from.contains(a) && to.contains(b) && self.state.board.adjacent(a, b))
            }
            (Value::Object(object), Value::Handle(kind, id)) => Some(match (&**object, *kind) {
                (Object::Spaces(set), handle::SPACE) => set.contains(*id),
                (Object::Pieces(pieces), handle::PIECE) => pieces.contains(id),
                (Object::EdgeRows(rows), handle::EDGE) => {
                    let (a, b) = value::ends(*id);
                    rows.get(a as usize).is_some_and(|row| row.contains(b))
                }
                _ => false,
            }),
            (container, _) => self.len(container).map(|_| false),
        }
    }

    fn equal(&self, a: &Val, b: &Val) -> bool {
        match (a, b) {
            (Value::Handle(handle::WORD, word), Value::Str(text))
            | (Value::Str(text), Value::Handle(handle::WORD, word)) => {
                *self.game.lexicon.words[*word as usize] == ***text
            }
            (Value::Handle(k, x), Value::Handle(l, y)) => k == l && x == y,
            (Value::Small(k, x), Value::Small(l, y)) if k != l || x == y => k == l,
            (Value::Object(x), Value::Object(y)) if x == y => true,
            _ => match (self.edge_rows(a), self.edge_rows(b)) {
                (Some(x), Some(y)) => x == y,
                _ => false,
            },
        }
    }

    fn compare(&self, a: &Val, b: &Val) -> Option<Ordering> {
        match (a, b) {
            (Value::Handle(handle::WORD, x), Value::Handle(handle::WORD, y)) => {
                let words = &self.game.lexicon.words;
                Some(words[*x as usize].cmp(&words[*y as usize]))
            }
            (Value::Handle(k, x), Value::Handle(l, y)) if k == l => Some(x.cmp(y)),
            _ => None,
        }
    }

    fn binary(&mut self, op: BinaryOp, a: &Val, b: &Val) -> Option<Val> {
        if let (Some(x), Some(y)) = (self.edge_rows(a), self.edge_rows(b)) {
            return combine_edges(op, x, y);
        }
        if !is_spaces(a) && !is_spaces(b) {
            return None;
        }
        let (a, b) = (self.space_set(a).ok()?, self.space_set(b).ok()?);
        Some(self.spaces(match op {
            BinaryOp::Add | BinaryOp::Or => a | b,
            BinaryOp::Sub => a - b,
            BinaryOp::And => a & b,
            BinaryOp::Xor => (a | b) - (a & b),
            BinaryOp::Mul => return None,
        }))
    }

    fn display(&self, value: &Val) -> String {
        let lexicon = &self.game.lexicon;
        let word = |number: u32| lexicon.words[number as usize].to_string();
        let list = |items: Vec<String>| format!("[{}]", items.join(", "));
        match value {
            Value::Unit => String::new(),
            Value::Bool(b) => b.to_string(),
            Value::Int(n) => n.to_string(),
            Value::Char(c) => c.to_string(),
            Value::Str(text) => text.to_string(),
            Value::Handle(handle::GAME, _) => "game".into(),
            Value::Handle(handle::PLAYER, seat) => format!("p{seat}"),
            Value::Handle(handle::SPACE, id) => word(lexicon.space_words[*id as usize]),
            Value::Handle(handle::PIECE, id) => {
                word(lexicon.card_words[self.state.pieces[*id as usize].card as usize])
            }
            Value::Handle(handle::CARD, id) => word(lexicon.card_words[*id as usize]),
            Value::Handle(handle::AREA, id) => word(lexicon.area_words[*id as usize]),
            Value::Handle(handle::WORD, id) => word(*id),
            Value::Handle(handle::EDGE, id) => {
                let (from, to) = value::ends(*id);
                format!("{}>{}", self.space_id(from), self.space_id(to))
            }
            Value::Handle(handle::ZONE, id) => self.zone_key(*id),
            Value::Array(items) => list(items.iter().map(|item| self.display(item)).collect()),
            Value::Small(..) | Value::Object(_) => {
                let count = self.len(value).unwrap_or(0);
                list(
                    (0..count)
                        .filter_map(|n| Host::nth(self, value, n))
                        .map(|item| self.display(&item))
                        .collect(),
                )
            }
            other => format!("{other:?}"),
        }
    }

    fn index(&self, value: &Val, index: &Val) -> Result<Val, HostError> {
        let column = match (value, index) {
            (Value::Small(small::ROW, bytes), _) => self.column(bytes, index)? as i64,
            (_, Value::Int(n)) if *n < 0 => self.len(value).unwrap_or(0) + n,
            (_, Value::Int(n)) => *n,
            _ => {
                return Err(HostError::new(format!(
                    "{} cannot be an index here",
                    self.describe(index)
                )));
            }
        };
        let missing = || {
            HostError::new(format!(
                "index {column} is outside of {}",
                self.describe(value)
            ))
        };
        Host::nth(self, value, column).ok_or_else(missing)
    }

    fn set_index(&mut self, value: &Val, index: &Val, new: &Val) -> Result<(), HostError> {
        self.writable()?;
        let Value::Small(small::ROW, bytes) = value else {
            return Err(HostError::new(format!(
                "{} cannot be changed by an index",
                self.describe(value)
            )));
        };
        let column = self.column(bytes, index)?;
        let (kind, slot_number, id) = row_parts(bytes);
        let int_slot = slot::of(slot::INT, slot::index(slot_number) as u16);
        let number = self.stored(kind, int_slot, new)?;
        self.set_number(kind, slot_number, id, column, number);
        Ok(())
    }

    fn name(&self, domain: Domain, text: &str) -> Result<Val, HostError> {
        self.game.lexicon.resolve(domain, text)
    }

    fn heard(&self) -> bool {
        self.events.is_some()
    }

    fn print(&mut self, text: &str) {
        self.note(|_| Event::Printed {
            text: text.to_string(),
        });
    }
}

impl Table {
    /// Which number of a row an index means: a player's, a word's, or the n-th.
    fn column(&self, row: &[u8; 14], index: &Val) -> Result<u32, HostError> {
        let (kind, slot_number, _) = row_parts(row);
        let words = self.game.row_words(kind, slot::index(slot_number));
        let of_word = |word: u32| words.and_then(|words| words.iter().position(|&w| w == word));
        let column = match index {
            Value::Handle(handle::PLAYER, seat) if words.is_none() => Some(*seat as usize),
            Value::Handle(handle::WORD, word) => of_word(*word),
            Value::Str(text) => self.game.lexicon.find_word(text).and_then(of_word),
            Value::Int(n) => usize::try_from(*n)
                .ok()
                .filter(|&n| n < self.attribute(kind, slot::index(slot_number)).width as usize),
            _ => None,
        };
        column.map(|n| n as u32).ok_or_else(|| {
            let name = self.game.attribute_name(kind, slot::index(slot_number));
            HostError::new(format!(
                "`{name}` has no number for {} `{}`",
                self.describe(index),
                self.display(index)
            ))
        })
    }

    fn set_built_in(&mut self, property: BuiltIn, id: u32, new: &Val) -> Result<(), HostError> {
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
            (BuiltIn::PieceFaceUp, Value::Bool(up)) => self.state.pieces[id as usize].face_up = *up,
            _ => {
                return Err(HostError::new(format!(
                    "this property cannot become {}",
                    self.describe(new)
                )));
            }
        }
        Ok(())
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

/// The `n`-th border, in ascending order of both ends.
fn nth_in_rows(rows: &[SpaceSet], mut n: u32) -> Option<Val> {
    for (from, row) in rows.iter().enumerate() {
        let here = row.len();
        if n < here {
            return row.nth(n).map(|to| value::edge(from as u32, to));
        }
        n -= here;
    }
    None
}

fn combine_edges(op: BinaryOp, mut rows: Vec<SpaceSet>, others: Vec<SpaceSet>) -> Option<Val> {
    for (row, other) in rows.iter_mut().zip(others) {
        *row = match op {
            BinaryOp::Add | BinaryOp::Or => *row | other,
            BinaryOp::Sub => *row - other,
            BinaryOp::And => *row & other,
            BinaryOp::Xor | BinaryOp::Mul => return None,
        };
    }
    Some(Value::Object(Arc::new(Object::EdgeRows(rows))))
}

fn is_spaces(value: &Val) -> bool {
    match value {
        Value::Small(small::SPACES, _) => true,
        Value::Object(object) => matches!(**object, Object::Spaces(_)),
        _ => false,
    }
}
