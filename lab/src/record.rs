//! One finished game as a record of numbers, and what the records of a run have in common.

use crate::made::Made;
use crate::names::RunNames;
use crate::weighing::Weighed;
use ludoteca::definition::{AttributeType, Data, Definition, Map, Section, Space, Text};
use ludoteca::{Close, Finished, Game, Language, Rank};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::sync::Arc;

/// One finished game.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Record {
    /// Its number in the run, from 0.
    pub game: u64,
    pub seed: u64,
    /// Who sat on each seat.
    pub bots: Vec<Arc<str>>,
    /// The seat that began.
    pub first: u8,
    /// Seats that share the first place.
    pub winners: Vec<u8>,
    /// The side all of them are on, in a game that has sides.
    pub side: Option<String>,
    /// Each seat's place, 1 for the winner.
    pub places: Vec<u32>,
    /// First number of each seat's score.
    pub scores: Vec<i64>,
    pub rounds: u32,
    pub decisions: u64,
    pub forced: u64,
    pub options: u64,
    pub reason: String,
    /// For each metric the game declares, its number, or one for each seat.
    pub metrics: Vec<Vec<i64>>,
    /// What only a close look tells.
    pub close: Option<Close>,
    /// Choices whose options were tried, in games that are looked at closely.
    pub weighed: Weighed,
}

impl Record {
    /// A finished match. Its number in the run is still to be said.
    pub fn new(finished: Finished, bots: &[Arc<str>], seed: u64) -> Record {
        let ranking = &finished.ranking;
        let mut scores = vec![0; ranking.len()];
        let mut places = vec![0; ranking.len()];
        for place in ranking {
            scores[place.seat as usize] = place.score.first().copied().unwrap_or(0);
            places[place.seat as usize] = place.place;
        }
        Record {
            game: 0,
            seed,
            bots: (0..ranking.len())
                .map(|seat| bots[seat % bots.len()].clone())
                .collect(),
            first: finished.first,
            winners: winners(ranking),
            side: winning_side(ranking),
            places,
            scores,
            rounds: finished.rounds,
            decisions: finished.tally.decisions,
            forced: finished.tally.forced,
            options: finished.tally.options,
            reason: finished.reason,
            metrics: finished.metrics,
            close: finished.close,
            weighed: Weighed::default(),
        }
    }

    /// How much of the game a seat won: a shared first place counts in parts, but partners do not share it: they have won.
    pub fn won(&self, seat: u8) -> f64 {
        if self.winners.contains(&seat) && self.side.is_some() {
            1.0
        } else if self.winners.contains(&seat) {
            1.0 / self.winners.len() as f64
        } else {
            0.0
        }
    }
}

/// Seats that share the first place.
pub fn winners(ranking: &[Rank]) -> Vec<u8> {
    ranking
        .iter()
        .filter(|place| place.place == 1)
        .map(|place| place.seat)
        .collect()
}

/// The side that won, if those who did are on one.
fn winning_side(ranking: &[Rank]) -> Option<String> {
    let mut sides = ranking.iter().filter(|place| place.place == 1);
    let first = sides.next()?.side.clone();
    sides.all(|place| place.side == first).then_some(first)?
}

/// A declared metric, as far as records need it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeclaredMetric {
    pub name: String,
    pub text: Text,
    pub of_player: bool,
}

/// A card, or a word that is offered as an option.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContentItem {
    pub id: String,
    /// The kind of a card; `option` for words.
    pub kind: String,
    pub name: Text,
    /// Copies in the box; words and tokens made during play have none.
    pub copies: u32,
}

/// A space of the board.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoardSpace {
    pub id: String,
    pub name: Text,
    /// Column and line where it is drawn.
    pub at: Option<(i32, i32)>,
}

/// Sections that are drawn beside each other.
const SECTIONS_ABREAST: u32 = 3;

/// Where the spaces of a map are drawn: by the map where it has a place for each, else by the look where that has.
fn places(definition: &Definition, map: &Map) -> Vec<Option<(i32, i32)>> {
    let spaces = map.spaces.iter();
    let own: Vec<_> = spaces.clone().map(|space| drawn_at(map, space)).collect();
    let looked: Vec<_> = spaces.map(|space| in_look(definition, space)).collect();
    let is_whole = |places: &[Option<(i32, i32)>]| places.iter().all(Option::is_some);
    match !is_whole(&own) && is_whole(&looked) {
        true => looked,
        false => own,
    }
}

/// The point a look has for a space, or the middle of its box.
fn in_look(definition: &Definition, space: &Space) -> Option<(i32, i32)> {
    let entry = |data: &Data, key: &str| match data {
        Data::Table(table) => table.get(key).cloned(),
        _ => None,
    };
    let positions = definition.look.positions.as_ref()?;
    let Data::List(at) = entry(&entry(positions, "spaces")?, &space.id)? else {
        return None;
    };
    let point = match at[..] {
        [Data::Int(x), Data::Int(y)] => (x, y),
        [Data::Int(x), Data::Int(y), Data::Int(wide), Data::Int(tall)] => {
            (x.saturating_add(wide / 2), y.saturating_add(tall / 2))
        }
        _ => return None,
    };
    Some((point.0.try_into().ok()?, point.1.try_into().ok()?))
}

/// Where a space is drawn. A board of sections is laid anew in every game, so each section is drawn by itself, as it is printed.
fn drawn_at(map: &Map, space: &Space) -> Option<(i32, i32)> {
    let of_section = |(section, column, row): (u32, u8, u8)| {
        let (left, top) = corner(map, section);
        (left + i32::from(column), top + i32::from(row))
    };
    space.at.or_else(|| space.square.map(of_section))
}

/// Where a section is drawn: several abreast, with room between them.
fn corner(map: &Map, section: u32) -> (i32, i32) {
    let most = |of: fn(&Section) -> u8| map.sections.iter().map(of).max().map_or(0, i32::from);
    let (wide, tall) = (most(|s| s.columns), most(|s| s.rows));
    let (across, down) = (section % SECTIONS_ABREAST, section / SECTIONS_ABREAST);
    (across as i32 * (wide + 1), down as i32 * (tall + 1))
}

/// The sections of an assembled board, and where each of them is drawn.
fn sections(map: &Map) -> Vec<(Text, (i32, i32))> {
    let all = (0..).zip(&map.sections).filter(|_| map.assembled);
    all.map(|(n, section)| (section.name.clone(), corner(map, n)))
        .collect()
}

/// The kind of items that are words.
pub const OPTION: &str = "option";

/// What all records of a run have in common: it travels with them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    pub format: u32,
    pub game: String,
    pub title: Text,
    /// Variants and settings.
    pub selection: Vec<String>,
    /// The hash of the content.
    pub content: String,
    pub players: u8,
    /// One for each seat in the first game.
    pub bots: Vec<String>,
    /// The bots move on by one seat from game to game.
    pub rotate: bool,
    pub seed: u64,
    /// Games of the whole run.
    pub games: u64,
    /// Every so many games one was looked at closely; 0 for none.
    pub close: u64,
    pub metrics: Vec<DeclaredMetric>,
    /// Who plays with whom: the sides by name, and whether there is only one.
    #[serde(default)]
    pub sides: Vec<(String, Text)>,
    /// Everybody wins or loses together.
    #[serde(default)]
    pub cooperative: bool,
    /// Cards by their number, then words that are offered as options.
    pub items: Vec<ContentItem>,
    /// The games that were asked of this part.
    pub part: (u64, u64),
    /// How much of `evaluate` makes a win 2.7 times as likely, if that was fitted with so many players and found right; while games are
    /// counted, also if it was found in the first of them.
    #[serde(default)]
    pub scale: Option<u32>,
    /// The spaces of the board, and where those are drawn that have a place there or in the look.
    #[serde(default)]
    pub spaces: Vec<BoardSpace>,
    /// The sections of a board that is assembled, and where they are drawn.
    #[serde(default)]
    pub sections: Vec<(Text, (i32, i32))>,
    /// The whole numbers of players and spaces that have a name: what comes and goes of them can be asked for.
    #[serde(default)]
    pub counted: Vec<String>,
    /// What steps, numbers, prices, kinds and ends are called.
    #[serde(default)]
    pub names: RunNames,
    /// By whom and how it was made. Two parts of one run may differ in it.
    #[serde(default)]
    pub made: Made,
}

/// Names of the lab's own columns and measures.
const TAKEN: [&str; 31] = [
    "game",
    "seed",
    "first",
    "winner",
    "side",
    "won",
    "rounds",
    "decisions",
    "forced",
    "options",
    "reason",
    "content",
    "steps",
    "margin",
    "limit",
    "ties",
    "first_wins",
    "seat_balance",
    "first_player_advantage",
    "values",
    "waits",
    "flows",
    "spaces",
    "weighed",
    "indifferent",
    "decisiveness",
    "decided_at",
    "comebacks",
    "runaways",
    "downtime",
    "kingmaking",
];

/// A declared metric's name in the table: `metric_rounds` for one that is called like a column of the lab's.
fn own_name(declared: &str) -> String {
    let taken = TAKEN.contains(&declared)
        || ["lead_", "wins_"]
            .iter()
            .any(|own| declared.starts_with(own));
    if taken {
        format!("metric_{declared}")
    } else {
        declared.to_string()
    }
}

/// Whole numbers of players and spaces that have a text.
fn counted(definition: &Definition) -> Vec<String> {
    let attributes = &definition.attributes;
    let both = [("player", &attributes.player), ("space", &attributes.space)];
    let named = both.into_iter().flat_map(|(of, all)| {
        let numbers = all
            .iter()
            .filter(|attribute| attribute.ty == AttributeType::Int && attribute.text.is_some());
        numbers.map(move |attribute| format!("{of}.{}", attribute.name))
    });
    named.collect()
}

/// The layout of records this version writes. It reads the first one as well, which has no values, waits and flows.
pub const FORMAT: u32 = 2;

impl Header {
    pub fn new(game: &Game, plan: &super::simulate::Plan) -> Header {
        let definition = &game.definition;
        let cards = definition.cards.iter().map(|card| ContentItem {
            id: card.id.clone(),
            kind: definition.kinds[card.kind as usize].name.clone(),
            name: card.name.clone(),
            copies: card.copies,
        });
        let words = definition
            .texts
            .option
            .iter()
            .map(|(id, name)| ContentItem {
                id: id.clone(),
                kind: OPTION.to_string(),
                name: name.clone(),
                copies: 0,
            });
        Header {
            format: FORMAT,
            game: definition.id.clone(),
            title: definition.title.clone(),
            selection: definition.selection.clone(),
            content: format!("{:016x}", definition.hash),
            players: plan.players,
            bots: plan.names().iter().map(|name| name.to_string()).collect(),
            rotate: plan.rotate,
            seed: plan.seed,
            games: plan.games,
            close: plan.close,
            metrics: definition
                .metrics
                .iter()
                .map(|metric| DeclaredMetric {
                    name: own_name(&metric.name),
                    text: metric.text.clone(),
                    of_player: metric.of_player,
                })
                .collect(),
            sides: definition
                .sides
                .iter()
                .map(|side| (side.name.clone(), side.text.clone()))
                .collect(),
            cooperative: definition.is_cooperative() || plan.players == 1,
            items: cards.chain(words).collect(),
            part: plan.part,
            scale: definition
                .bots
                .scale
                .filter(|_| definition.is_calibrated(plan.players)),
            spaces: definition
                .map
                .iter()
                .flat_map(|map| map.spaces.iter().zip(places(definition, map)))
                .map(|(space, at)| BoardSpace {
                    id: space.id.clone(),
                    name: space.name.clone(),
                    at,
                })
                .collect(),
            sections: definition.map.as_ref().map_or_else(Vec::new, sections),
            counted: counted(definition),
            names: RunNames::of(definition),
            made: Made::here(definition),
        }
    }

    /// The same but for who made it: whether two tables are of one run does not depend on the machine.
    pub fn unsigned(&self) -> Header {
        Header {
            made: Made::default(),
            ..self.clone()
        }
    }

    /// What each price asks for: `unit`, of `resources` 4.
    pub fn prices(&self) -> Vec<(String, Vec<(String, i64)>)> {
        let mut all: Vec<(String, Vec<(String, i64)>)> = Vec::new();
        let counted = self.counted.iter();
        let counted: BTreeSet<&str> = counted
            .filter_map(|of| of.strip_prefix("player."))
            .collect();
        let is_number = |id: &str| counted.contains(id);
        for (key, amount) in &self.made.values {
            let mut parts = key.split('.');
            let (Some("prices"), Some(price), Some(asked), None) =
                (parts.next(), parts.next(), parts.next(), parts.next())
            else {
                continue;
            };
            if *amount <= 0 || !is_number(asked) {
                continue;
            }
            let asked = (asked.to_string(), *amount);
            match all.iter_mut().find(|(known, _)| known == price) {
                Some((_, of_price)) => of_price.push(asked),
                None => all.push((price.to_string(), vec![asked])),
            }
        }
        all
    }

    /// Whether seats compete with each other, each for itself.
    pub fn seats_compete(&self) -> bool {
        self.sides.is_empty() && !self.cooperative
    }

    /// Whether chances wait for a scale: none was measured, and seats play against each other.
    pub fn wants_scale(&self) -> bool {
        self.scale.is_none() && self.seats_compete() && self.players > 1
    }

    /// Whether bots of different kinds play.
    pub fn has_different_bots(&self) -> bool {
        self.bots.windows(2).any(|pair| pair[0] != pair[1])
    }

    /// The bots in words: `greedy`, or `greedy, random` seat by seat.
    pub fn bots_named(&self, language: Language) -> String {
        match self.bots.first() {
            Some(one) if !self.has_different_bots() => one.clone(),
            _ if self.rotate => match language {
                Language::Es => format!("{} por turno", self.bots.join(", ")),
                Language::En => format!("{} in turn", self.bots.join(", ")),
            },
            _ => self.bots.join(", "),
        }
    }

    /// The command that plays one of the run's games again.
    pub fn replay(&self, game: &str) -> String {
        let rotate = if self.rotate { "--rotate " } else { "" };
        self.replayed("sim", rotate, &format!("--only {game}"))
    }

    /// A command that plays something of the run again; `how` goes with the bots.
    pub fn replayed(&self, command: &str, how: &str, what: &str) -> String {
        let mut words = vec![format!("ludoteca {command}"), self.game.clone()];
        for name in &self.selection {
            let flag = if name.contains('=') {
                "--set"
            } else {
                "--variant"
            };
            words.push(format!("{flag} {name}"));
        }
        words.push(format!("--players {}", self.players));
        words.push(format!("--bots {}", self.bots.join(",")));
        words.push(format!("{how}--seed {} {what}", self.seed));
        words.join(" ")
    }

    /// `base`, or variants and settings.
    pub fn selection_named(&self) -> String {
        if self.selection.is_empty() {
            "base".to_string()
        } else {
            self.selection.join(" + ")
        }
    }
}
