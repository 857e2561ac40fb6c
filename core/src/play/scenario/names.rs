//! The names a scenario uses, looked up in its game: what is not there is reported where it is written.

use super::keys::copy_of;
use crate::content::definition::{Attribute, AttributeType, FieldValue, Per};
use crate::content::diagnostic::{Code, Diagnostic};
use crate::content::file::Place;
use crate::content::read::reader::{At, Entries, Read, Reader};
use crate::content::tree::{Datum as Written, Node};
use crate::limits::MOST_DICE;
use crate::model::value::{self, Val, handle};
use crate::table::Table;
use crate::table::game::Game;
use crate::table::types::domain;
use ludoteca_vm::{Domain, Value};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// One thing said of the game, a player, a space or a piece.
#[derive(Debug, Clone)]
pub enum SaidValue {
    Round(u32),
    Out(bool),
    /// Whether a space is on the table.
    Placed(bool),
    Owner(i8),
    FaceUp(bool),
    /// An attribute's slot and what it holds.
    Slot(u16, Held),
    /// An attribute that keeps several numbers or flags: its slot, the column, what stands there.
    Column(u16, Val, Val),
}

/// What an attribute holds.
#[derive(Debug, Clone)]
pub enum Held {
    Value(Val),
    /// The first piece of this card.
    PieceOf(u32),
}

/// One thing said, where, and under which name.
#[derive(Debug, Clone)]
pub struct Saying {
    pub name: At<String>,
    pub said: SaidValue,
}

/// The names of a game at a table with so many seats.
pub struct TableNames {
    pub table: Table,
    zones: HashMap<String, u32>,
    /// Kinds whose cards decks are made of: how many there are of one is the decks' affair.
    in_decks: BTreeSet<u32>,
    /// Names of zones in which the rules make pieces: those there may be more than there are cards in the box.
    made_in: BTreeSet<String>,
    /// Whether the rules make pieces anywhere.
    creates: bool,
}

impl TableNames {
    pub fn new(game: &Arc<Game>, players: u8) -> TableNames {
        let table = Table::new(game.clone(), players, 0);
        let zones = (0..table.layout.zones.len() as u32).map(|zone| (table.zone_key(zone), zone));
        let fields = game.definition.cards.iter().flat_map(|card| &card.fields);
        let listed = fields.flat_map(|value| match value {
            FieldValue::Cards(cards) => cards.as_slice(),
            _ => &[],
        });
        let kind = |&card: &u32| game.definition.cards[card as usize].kind;
        TableNames {
            zones: zones.collect(),
            in_decks: listed.map(kind).collect(),
            made_in: made_in(game),
            creates: scripts(game).any(|text| text.contains("create(")),
            table,
        }
    }

    pub fn game(&self) -> &Arc<Game> {
        &self.table.game
    }

    pub fn players(&self) -> u8 {
        self.table.players()
    }

    /// A name of a domain.
    pub fn find(&self, of: Domain, name: &str) -> Option<Val> {
        self.game().lexicon.resolve(of, name).ok()
    }

    fn known(
        &self,
        of: Domain,
        what: &str,
        code: Code,
        name: &At<String>,
        reader: &mut Reader,
    ) -> Option<u32> {
        if let Some(Value::Handle(_, id)) = self.find(of, &name.value) {
            return Some(id);
        }
        let all = self.game().lexicon.names(&self.game().definition, of);
        let all = all.iter().map(|(name, _)| name.as_str());
        unknown(what, code, name, all, reader)
    }

    pub fn card(&self, name: &At<String>, reader: &mut Reader) -> Option<u32> {
        self.known(domain::CARD, "card", Code::UnknownCard, name, reader)
    }

    pub fn space(&self, name: &At<String>, reader: &mut Reader) -> Option<u32> {
        self.known(domain::SPACE, "space", Code::UnknownSpace, name, reader)
    }

    /// A zone as written: `game.deck`, `p0.hand`, `argentina.garrison`.
    pub fn zone(&self, name: &At<String>, reader: &mut Reader) -> Option<u32> {
        if let Some(zone) = self.zones.get(&name.value) {
            return Some(*zone);
        }
        let mut all: Vec<&str> = self.zones.keys().map(String::as_str).collect();
        all.sort_unstable();
        unknown("zone", Code::UnknownZone, name, all, reader)
    }

    /// A seat by its number.
    pub fn seat(&self, seat: &At<u8>, reader: &mut Reader) -> Option<u8> {
        self.is_seat(i64::from(seat.value), &seat.place, reader)
            .then_some(seat.value)
    }

    fn is_seat(&self, seat: i64, place: &Place, reader: &mut Reader) -> bool {
        let is = (0..i64::from(self.players())).contains(&seat);
        if !is {
            let message = format!(
                "there is no seat {seat}: {} sit at this table",
                self.players()
            );
            let problem = Diagnostic::new(Code::OutOfRange, message).at(place);
            reader.report(problem.help(format!("seats are 0 to {}", self.players() - 1)));
        }
        is
    }

    /// Seats that are named once each.
    pub fn seats(&self, seats: &[At<u8>], reader: &mut Reader) -> Vec<u8> {
        let mut found: Vec<u8> = Vec::new();
        for seat in seats {
            if found.contains(&seat.value) {
                let message = format!("seat {} is there twice", seat.value);
                reader.report(Diagnostic::new(Code::DuplicateId, message).at(&seat.place));
            }
            found.extend(self.seat(seat, reader));
        }
        found
    }

    /// `p0`, or the number alone.
    pub fn seat_key(&self, key: &At<String>, reader: &mut Reader) -> Option<u8> {
        let alone = || seat_number(&format!("p{}", key.value));
        let seat = seat_number(&key.value).or_else(alone);
        let seat = seat.filter(|&seat| seat < self.players());
        if seat.is_none() {
            let seats: Vec<String> = (0..self.players()).map(|seat| format!("p{seat}")).collect();
            let seats = seats.iter().map(String::as_str);
            unknown::<u8>("seat", Code::UnknownWord, key, seats, reader);
        }
        seat
    }

    /// What is said by seat; a seat that is named twice, as `0` beside `p0`, is reported.
    pub fn by_seat<'s, T>(
        &self,
        said: &'s Entries<T>,
        reader: &mut Reader,
    ) -> Vec<(u8, &'s At<String>, &'s T)> {
        let mut found: Vec<(u8, &At<String>, &T)> = Vec::new();
        for (key, value) in &said.0 {
            let Some(seat) = self.seat_key(key, reader) else {
                continue;
            };
            match found.iter().find(|(other, ..)| *other == seat) {
                Some((_, first, _)) => reader.report(seat_twice(seat, key, first)),
                None => found.extend(value.as_ref().map(|value| (seat, key, value))),
            }
        }
        found
    }

    /// The key of a text: a prompt, a log line, a reason.
    pub fn text(&self, of: Domain, key: &At<String>, reader: &mut Reader) -> Option<u32> {
        if let Some(Value::Int(number)) = self.find(of, &key.value) {
            return u32::try_from(number).ok();
        }
        let all = self.game().lexicon.names(&self.game().definition, of);
        let what = crate::table::lexicon::what(of);
        let all = all.iter().map(|(name, _)| name.as_str());
        unknown(what, Code::UnknownText, key, all, reader)
    }

    fn attributes(&self, kind: u8) -> &[Attribute] {
        let all = &self.game().definition.attributes;
        match kind {
            handle::GAME => &all.game,
            handle::PLAYER => &all.player,
            handle::SPACE => &all.space,
            _ => &all.piece,
        }
    }

    /// What is said of one thing under one name; a row of numbers says several things.
    pub fn say(
        &self,
        kind: u8,
        name: &At<String>,
        node: &Node,
        reader: &mut Reader,
    ) -> Option<Vec<Saying>> {
        let said = match (kind, name.value.as_str()) {
            (handle::GAME, "round") => SaidValue::Round(u32::read(node, reader)?),
            (handle::PLAYER, "out") => SaidValue::Out(bool::read(node, reader)?),
            (handle::SPACE, "placed") => SaidValue::Placed(bool::read(node, reader)?),
            (handle::PIECE, "face_up") => SaidValue::FaceUp(bool::read(node, reader)?),
            (handle::PIECE, "owner") => SaidValue::Owner(self.owner(node, reader)?),
            _ => return self.say_attribute(kind, name, node, reader),
        };
        let name = name.clone();
        Some(vec![Saying { name, said }])
    }

    /// The seat a piece belongs to, or `"none"`.
    fn owner(&self, node: &Node, reader: &mut Reader) -> Option<i8> {
        match self.player(node, reader)? {
            Value::Handle(_, seat) => i8::try_from(seat).ok(),
            _ => Some(-1),
        }
    }

    fn say_attribute(
        &self,
        kind: u8,
        name: &At<String>,
        node: &Node,
        reader: &mut Reader,
    ) -> Option<Vec<Saying>> {
        let declared = self.attributes(kind);
        let Some(index) = declared.iter().position(|a| a.name == name.value) else {
            let built_in: &[&str] = match kind {
                handle::GAME => &["round"],
                handle::PLAYER => &["out"],
                handle::SPACE => &["placed"],
                _ => &["owner", "face_up"],
            };
            let all = declared.iter().map(|a| a.name.as_str());
            let all = all.chain(built_in.iter().copied());
            return unknown("attribute", Code::UnknownAttribute, name, all, reader);
        };
        let (attribute, slot) = (&declared[index], self.game().slot(kind, index));
        let saying = |said: SaidValue| Saying {
            name: name.clone(),
            said,
        };
        if attribute.per == Per::One {
            let held = self.held(attribute, node, reader)?;
            return Some(vec![saying(SaidValue::Slot(slot, held))]);
        }
        let columns = self.columns(attribute, node, reader)?;
        let said = |(column, number)| saying(SaidValue::Column(slot, column, number));
        Some(columns.into_iter().map(said).collect())
    }

    /// The numbers or flags of a row as written: one after the other in a list, or by player, word or number in a table.
    fn columns(
        &self,
        attribute: &Attribute,
        node: &Node,
        reader: &mut Reader,
    ) -> Option<Vec<(Val, Val)>> {
        let limits = |node: &Node, reader: &mut Reader| match attribute.ty {
            AttributeType::Bool => bool::read(node, reader).map(Value::Bool),
            _ => reader
                .int(node, attribute.min.into(), attribute.max.into())
                .map(Value::Int),
        };
        let mut found = Some(Vec::new());
        let mut add = |column: Option<Val>, number: Option<Val>| match (&mut found, column, number)
        {
            (Some(found), Some(column), Some(number)) => found.push((column, number)),
            _ => found = None,
        };
        match (&node.value, &attribute.per) {
            (Written::List(items), per @ (Per::Player | Per::Number(_))) => {
                let wanted = per.width(self.players().into()) as usize;
                if items.len() != wanted {
                    let each = if *per == Per::Player {
                        ", one for each player"
                    } else {
                        ""
                    };
                    let message = format!("expected {wanted} numbers{each}, found {}", items.len());
                    reader.report(Diagnostic::new(Code::WrongType, message).at(&node.place));
                    return None;
                }
                for (n, item) in items.iter().enumerate() {
                    let column = match per {
                        Per::Player => value::player(n as u8),
                        _ => Value::Int(n as i64),
                    };
                    add(Some(column), limits(item, reader));
                }
            }
            (Written::Table(entries), per) => {
                let mut named: Vec<(Val, At<String>)> = Vec::new();
                for (key, entry) in entries.iter() {
                    let key = At {
                        value: key.clone(),
                        place: entry.key.clone(),
                    };
                    let column = match per {
                        Per::Word(words) => self.word(words, &key, reader),
                        Per::Number(count) => self.counter(*count, &key, reader),
                        _ => self.seat_key(&key, reader).map(value::player),
                    };
                    if let Some(column) = &column {
                        if let Some((_, first)) = named.iter().find(|(other, _)| other == column) {
                            let message = format!("`{}` is `{}` again", key.value, first.value);
                            let problem = Diagnostic::new(Code::DuplicateId, message);
                            let problem = problem.at(&key.place);
                            reader.report(problem.related(&first.place, "the first one"));
                        }
                        named.push((column.clone(), key.clone()));
                    }
                    add(column, limits(&entry.node, reader));
                }
            }
            (_, Per::Word(_)) => return reader.wrong_type(node, "a table of numbers by word"),
            (_, Per::Number(_)) => return reader.wrong_type(node, "a list or a table of numbers"),
            _ => return reader.wrong_type(node, "a list of numbers, one for each player"),
        }
        found
    }

    /// One of so many counters.
    fn counter(&self, count: u32, name: &At<String>, reader: &mut Reader) -> Option<Val> {
        let number = name.value.parse::<i64>().ok();
        let found = number.filter(|n| (0..i64::from(count)).contains(n));
        if found.is_none() {
            let message = format!(
                "expected a number from 0 to {}, found `{}`",
                count - 1,
                name.value
            );
            reader.report(Diagnostic::new(Code::UnknownWord, message).at(&name.place));
        }
        found.map(Value::Int)
    }

    fn word(&self, words: &[u32], name: &At<String>, reader: &mut Reader) -> Option<Val> {
        let lexicon = &self.game().lexicon;
        let found = lexicon
            .find_word(&name.value)
            .filter(|word| words.contains(word));
        if let Some(word) = found {
            return Some(Value::Handle(handle::WORD, word));
        }
        let all = words.iter().map(|&word| &*lexicon.words[word as usize]);
        unknown("word", Code::UnknownWord, name, all, reader)
    }

    /// A value as written, by the attribute's type. `"none"` is an empty reference.
    fn held(&self, attribute: &Attribute, node: &Node, reader: &mut Reader) -> Option<Held> {
        let is_number = matches!(attribute.ty, AttributeType::Int | AttributeType::Bool);
        if node.text() == Some("none") && !is_number {
            return Some(Held::Value(Value::Unit));
        }
        let name = |what: &str, reader: &mut Reader| match node.text() {
            Some(text) => Some(At {
                value: text.to_string(),
                place: node.place.clone(),
            }),
            None => reader.wrong_type(node, what),
        };
        let held = match &attribute.ty {
            AttributeType::Int => {
                Value::Int(reader.int(node, attribute.min.into(), attribute.max.into())?)
            }
            AttributeType::Bool => Value::Bool(bool::read(node, reader)?),
            AttributeType::Player => self.player(node, reader)?,
            AttributeType::Space => {
                let id = name("the id of a space", reader)?;
                value::space(self.space(&id, reader)?)
            }
            AttributeType::Card => {
                let id = name("the id of a card", reader)?;
                Value::Handle(handle::CARD, self.card(&id, reader)?)
            }
            AttributeType::Area => {
                let id = name("the id of an area", reader)?;
                let area = self.known(domain::AREA, "area", Code::UnknownArea, &id, reader)?;
                Value::Handle(handle::AREA, area)
            }
            AttributeType::Piece => {
                let id = name("the card of a piece", reader)?;
                return Some(Held::PieceOf(self.card(&id, reader)?));
            }
            AttributeType::Word(words) => {
                let word = name("a word", reader)?;
                self.word(words, &word, reader)?
            }
        };
        Some(Held::Value(held))
    }

    /// A player as written: a seat's number, `p0`, or `"none"`.
    fn player(&self, node: &Node, reader: &mut Reader) -> Option<Val> {
        match &node.value {
            Written::Text(none) if none == "none" => Some(Value::Unit),
            Written::Text(key) => {
                let key = At {
                    value: key.clone(),
                    place: node.place.clone(),
                };
                self.seat_key(&key, reader).map(value::player)
            }
            Written::Int(seat) => self
                .is_seat(*seat, &node.place, reader)
                .then(|| value::player(*seat as u8)),
            _ => reader.wrong_type(node, "a seat's number or `\"none\"`"),
        }
    }

    /// How many pieces of a card there can be outside of the zones where the rules make them; `None` if any number.
    pub fn copies(&self, card: u32) -> Option<u32> {
        let card = &self.game().definition.cards[card as usize];
        let bounded = card.copies > 0 && !self.in_decks.contains(&card.kind);
        bounded.then_some(card.copies)
    }

    /// Whether there can be as many of a thing as a key counts: `wolf#3`.
    pub fn are_so_many(&self, key: &str) -> bool {
        let (name, Some(number)) = copy_of(key) else {
            return true;
        };
        match self.find(domain::CARD, name) {
            Some(Value::Handle(_, card)) if !self.creates => {
                self.copies(card).is_none_or(|copies| number <= copies)
            }
            Some(_) => true,
            None => number as usize <= MOST_DICE,
        }
    }

    /// Whether the rules make pieces in a zone.
    pub fn are_made_in(&self, zone: u32) -> bool {
        let (declared, _) = self.table.layout.zones[zone as usize];
        let declared = &self.game().definition.zones[declared as usize];
        self.made_in.contains(&declared.name)
    }
}

/// The text of every script of a game, those of its libraries too.
pub fn scripts(game: &Game) -> impl Iterator<Item = &str> {
    let libraries = game.definition.libraries.values().flatten();
    let scripts = game.definition.scripts.iter().chain(libraries);
    scripts.map(|script| script.text.as_str())
}

/// The zones in calls such as `create(card, p.used)`.
fn made_in(game: &Game) -> BTreeSet<String> {
    let calls = scripts(game).flat_map(|text| text.split("create(").skip(1));
    let zone = |call: &str| {
        let second = call.split([',', ')']).nth(1)?;
        Some(second.trim().rsplit_once('.')?.1.to_string())
    };
    calls.filter_map(zone).collect()
}

fn seat_twice(seat: u8, key: &At<String>, first: &At<String>) -> Diagnostic {
    let problem = Diagnostic::new(Code::DuplicateId, format!("seat {seat} is there twice"));
    problem
        .at(&key.place)
        .related(&first.place, "the first one")
}

/// The number in `p0`.
pub fn seat_number(key: &str) -> Option<u8> {
    let digits = key.strip_prefix('p')?;
    let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    digits.parse().ok().filter(|_| plain)
}

/// Reports a name that is not there.
pub fn unknown<'a, T>(
    what: &str,
    code: Code,
    name: &At<String>,
    known: impl IntoIterator<Item = &'a str>,
    reader: &mut Reader,
) -> Option<T> {
    let message = format!("unknown {what} `{}`", name.value);
    let problem = Diagnostic::new(code, message).of(what).at(&name.place);
    reader.report(problem.suggest(&name.value, known));
    None
}
