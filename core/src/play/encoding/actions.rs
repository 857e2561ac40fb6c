//! Every answer as a number of one fixed list: the game's words, yes and no, numbers, seats, spaces, borders, areas, cards, zones; and
//! places for whatever has none of its own there, in the order in which it is offered.

use super::super::matches::Match;
use super::open::OpenActions;
use crate::content::definition::{Map, ZoneOf};
use crate::model::board::Board;
use crate::model::set::SpaceSet;
use crate::model::value::{self, Object, Val, handle, small};
use crate::table::Table;
use crate::table::game::Game;
use ludoteca_vm::Value;
use std::sync::Arc;

/// Numbers from 0 that have a place.
pub const NUMBERS: u32 = 100;
/// Places for second copies of a card, lists, large numbers and the like.
pub const OTHERS: u32 = 256;
/// An option for which there is no place left.
pub const NO_ROOM: u32 = u32::MAX;
/// What has no room any more need not be listed.
const LISTED: usize = (NUMBERS + OTHERS) as usize;
/// Directions in which a square may have a neighbour.
const DIRECTIONS: u32 = 8;

/// Places that belong together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    pub name: &'static str,
    pub at: u32,
    pub names: Vec<String>,
}

/// The fixed list.
#[derive(Debug)]
pub struct ActionList {
    pub groups: Vec<Group>,
    /// How many places there are.
    pub size: u32,
    players: u32,
    words_at: u32,
    /// For each word of the game: its place among the options, if it is one.
    words: Vec<u32>,
    answers: u32,
    numbers: u32,
    seats: u32,
    spaces: u32,
    borders: Borders,
    areas: u32,
    cards: u32,
    zones: u32,
    others: u32,
}

/// Where borders have their places.
#[derive(Debug)]
enum Borders {
    /// By both ends.
    Fixed { places: Vec<u32>, spaces: u32 },
    /// By a square and a direction, on a board that is made anew for every match.
    Assembled { at: u32 },
}

impl ActionList {
    pub fn new(game: &Arc<Game>, players: u8) -> ActionList {
        let definition = &game.definition;
        let lexicon = &game.lexicon;
        let layout = game.layout(players);
        let mut groups: Vec<Group> = Vec::new();
        let mut size = 0;
        let mut add = |name: &'static str, names: Vec<String>| {
            let at = size;
            size += names.len() as u32;
            if !names.is_empty() {
                groups.push(Group { name, at, names });
            }
            at
        };
        let map = definition.map.as_ref();
        let words_at = add("words", lexicon.options.clone());
        let answers = add("answers", vec!["no".into(), "yes".into()]);
        let numbers = add("numbers", (0..NUMBERS).map(|n| n.to_string()).collect());
        let seat = |n: u32| match n {
            0 => "me".to_string(),
            n => format!("me+{n}"),
        };
        let seats = add("players", (0..players as u32).map(seat).collect());
        let space_ids: Vec<String> = map.map_or_else(Vec::new, |map| {
            map.spaces.iter().map(|space| space.id.clone()).collect()
        });
        let spaces = add("spaces", space_ids.clone());
        let borders = match map {
            Some(map) if map.assembled => Borders::Assembled {
                at: add("borders", directions(&space_ids)),
            },
            _ => {
                let pairs = map.map_or_else(Vec::new, pairs);
                let named = |&(a, b): &(u32, u32)| {
                    format!("{}>{}", space_ids[a as usize], space_ids[b as usize])
                };
                let at = add("borders", pairs.iter().map(named).collect());
                fixed_borders(&pairs, at, space_ids.len() as u32)
            }
        };
        let area_ids = map.map_or_else(Vec::new, |map| {
            map.areas.iter().map(|area| area.id.clone()).collect()
        });
        let areas = add("areas", area_ids);
        let card_ids = definition.cards.iter().map(|card| card.id.clone());
        let cards = add("cards", card_ids.collect());
        let zone_name = |&(declared, owner): &(u16, u32)| {
            let zone = &definition.zones[declared as usize];
            match zone.of {
                ZoneOf::Game => format!("game.{}", zone.name),
                ZoneOf::Player => format!("{}.{}", seat(owner), zone.name),
                ZoneOf::Space => format!("{}.{}", space_ids[owner as usize], zone.name),
            }
        };
        let zones = add("zones", layout.zones.iter().map(zone_name).collect());
        let others = add(
            "others",
            (0..OTHERS).map(|n| format!("other {n}")).collect(),
        );
        ActionList {
            words: lexicon
                .words
                .iter()
                .map(|word| {
                    let place = lexicon.options.iter().position(|option| **option == **word);
                    place.map_or(NO_ROOM, |place| words_at + place as u32)
                })
                .collect(),
            groups,
            size,
            players: players as u32,
            words_at,
            answers,
            numbers,
            seats,
            spaces,
            borders,
            areas,
            cards,
            zones,
            others,
        }
    }

    /// The places of everything a seat is offered. `mask` gets a 1 for each; what was open before is closed.
    pub fn open(&self, played: &Match, seat: u8, open: &mut OpenActions, mask: &mut [i8]) {
        open.clear(mask);
        let Some(choice) = played.choice() else {
            return;
        };
        let Some(ask) = choice.ask(seat) else { return };
        let table = &played.table;
        let mut option = 0;
        let mut take = |place| {
            self.take(open, mask, option, place);
            option += 1;
        };
        match &ask.options {
            Value::Small(small::SPACES, bytes) => {
                SpaceSet::from_bytes(*bytes).each(|space| take(self.spaces + space));
            }
            Value::Small(small::EDGES, bytes) => {
                let (from, to) = SpaceSet::pair_from_bytes(*bytes);
                let board = &table.state.board;
                from.each(|a| {
                    (board.neighbors(a) & &to).each(|b| take(self.border(board, a, b)));
                });
            }
            Value::Object(object) if matches!(&**object, Object::Pieces(_)) => {
                if let Object::Pieces(pieces) = &**object {
                    for &piece in pieces {
                        take(self.cards + table.state.pieces[piece as usize].card);
                    }
                }
            }
            Value::Range(row) => self.take_row(open, mask, row.from, ask.count),
            Value::Array(items) => {
                for item in items.iter().take(LISTED) {
                    take(self.place(table, seat, item));
                }
            }
            options => {
                for item in table.members(options, LISTED as u32) {
                    take(self.place(table, seat, &item));
                }
            }
        }
        for (option, word) in (ask.count..).zip(choice.extra_words()) {
            self.take(open, mask, option, self.place(table, seat, word));
        }
    }

    /// The places of numbers from one to another: how many somebody takes.
    pub fn amounts(&self, least: u32, most: u32, open: &mut OpenActions, mask: &mut [i8]) {
        open.clear(mask);
        let count = (most - least).saturating_add(1);
        self.take_row(open, mask, least as i64, count);
    }

    /// Numbers in a row: those that have a place of their own lie beside each other there, however many they are.
    fn take_row(&self, open: &mut OpenActions, mask: &mut [i8], from: i64, count: u32) {
        let own_from = from.clamp(0, NUMBERS as i64);
        let end = from.saturating_add(count as i64);
        let own_to = end.clamp(own_from, NUMBERS as i64);
        let below = own_from.saturating_sub(from).clamp(0, count as i64) as u32;
        let own = (own_to - own_from) as u32;
        let above = count - below - own;
        let others = |open: &mut OpenActions, mask: &mut [i8], option: u32, wanted: u32| {
            let given = wanted.min(OTHERS - open.others);
            open.add(mask, option, self.others + open.others, given);
            open.others += given;
        };
        others(open, mask, 0, below);
        open.add(mask, below, self.numbers + own_from as u32, own);
        others(open, mask, below + own, above);
    }

    /// Gives an option its own place if that is free, else one of the others.
    fn take(&self, open: &mut OpenActions, mask: &mut [i8], option: u32, own: u32) {
        let free = |mask: &[i8]| mask.get(own as usize).is_some_and(|&taken| taken == 0);
        let place = if own != NO_ROOM && free(mask) {
            own
        } else if open.others < OTHERS {
            open.others += 1;
            self.others + open.others - 1
        } else {
            return;
        };
        open.add(mask, option, place, 1);
    }

    /// The place of a thing, whatever else is offered.
    fn place(&self, table: &Table, seat: u8, option: &Val) -> u32 {
        let own_seat = |player: u32| (player + self.players - seat as u32) % self.players;
        match option {
            Value::Bool(yes) => self.answers + *yes as u32,
            Value::Int(number) if (0..NUMBERS as i64).contains(number) => {
                self.numbers + *number as u32
            }
            Value::Handle(handle::PLAYER, player) => self.seats + own_seat(*player),
            Value::Handle(handle::SPACE, space) => self.spaces + space,
            Value::Handle(handle::EDGE, id) => {
                let (a, b) = value::ends(*id);
                self.border(&table.state.board, a, b)
            }
            Value::Handle(handle::AREA, area) => self.areas + area,
            Value::Handle(handle::CARD, card) => self.cards + card,
            Value::Handle(handle::PIECE, piece) => {
                self.cards + table.state.pieces[*piece as usize].card
            }
            Value::Handle(handle::ZONE, zone) => {
                let (declared, owner) = table.layout.zones[*zone as usize];
                let of = table.game.definition.zones[declared as usize].of;
                let owner = match of {
                    ZoneOf::Player => own_seat(owner),
                    _ => owner,
                };
                self.zones + table.layout.zone(declared as usize, owner)
            }
            Value::Handle(handle::WORD, word) => self.words[*word as usize],
            Value::Str(word) => {
                let options = &table.game.lexicon.options;
                let found = options.iter().position(|option| option == &**word);
                found.map_or(NO_ROOM, |n| self.words_at + n as u32)
            }
            _ => NO_ROOM,
        }
    }

    fn border(&self, board: &Board, a: u32, b: u32) -> u32 {
        match &self.borders {
            Borders::Fixed { places, spaces } => places[(a * spaces + b) as usize],
            Borders::Assembled { at } => {
                let squares = board.square(a).zip(board.square(b));
                let direction = squares.and_then(|((x, y), (to_x, to_y))| {
                    STEPS.iter().position(|step| *step == (to_x - x, to_y - y))
                });
                direction.map_or(NO_ROOM, |n| at + a * DIRECTIONS + n as u32)
            }
        }
    }
}

/// Right, down, left, up, and between them.
const STEPS: [(i32, i32); DIRECTIONS as usize] = [
    (1, 0),
    (0, 1),
    (-1, 0),
    (0, -1),
    (1, 1),
    (-1, 1),
    (-1, -1),
    (1, -1),
];
const NAMES: [&str; DIRECTIONS as usize] = [
    "right",
    "down",
    "left",
    "up",
    "down right",
    "down left",
    "up left",
    "up right",
];

fn directions(spaces: &[String]) -> Vec<String> {
    let named = |space: &String| NAMES.map(|direction| format!("{space}>{direction}"));
    spaces.iter().flat_map(named).collect()
}

/// All neighbours in both directions, in ascending order.
fn pairs(map: &Map) -> Vec<(u32, u32)> {
    let edges = map.edges.iter();
    let mut pairs: Vec<(u32, u32)> = edges
        .flat_map(|edge| [(edge.a, edge.b), (edge.b, edge.a)])
        .collect();
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

fn fixed_borders(pairs: &[(u32, u32)], at: u32, spaces: u32) -> Borders {
    let mut places = vec![NO_ROOM; (spaces * spaces) as usize];
    for (n, (a, b)) in pairs.iter().enumerate() {
        places[(a * spaces + b) as usize] = at + n as u32;
    }
    Borders::Fixed { places, spaces }
}
