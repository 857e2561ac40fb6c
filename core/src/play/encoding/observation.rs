//! What a seat sees, as blocks of rows and columns of numbers one after the other. Seats count from the one that looks: its own row comes
//! first, then the next one's.

use super::super::matches::Match;
use crate::content::definition::{
    Attribute, AttributeType, Definition, Per, Visibility, Word, ZoneOf,
};
use crate::model::value::handle;
use crate::table::Table;
use crate::table::choice::Wanted;
use crate::table::game::Game;

/// Words of an attribute that get a column each; an attribute with more is one number.
const WORDS_APART: usize = 32;
/// Numbers for the zones of spaces beyond which their pieces are counted by kind and not by card.
const SPACE_ZONES: usize = 8_192;

/// What one number says.
#[derive(Debug, Clone, PartialEq)]
pub struct Feature {
    pub name: String,
    pub low: f32,
    pub high: f32,
}

/// Rows of numbers that belong together.
#[derive(Debug, Clone, PartialEq)]
pub struct NumberBlock {
    pub name: &'static str,
    /// Where it begins in the flat vector.
    pub at: usize,
    pub rows: Vec<String>,
    pub columns: Vec<Feature>,
}

impl NumberBlock {
    pub fn len(&self) -> usize {
        self.rows.len() * self.columns.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The decision a seat has before it, as far as the open choice does not say it: several options are taken one after the other.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Question {
    /// It is asked how many it takes.
    pub how_many: bool,
    /// How many it still takes, this one included.
    pub left: u32,
    /// How many it has taken.
    pub taken: u32,
}

/// What a seat sees, in numbers.
#[derive(Debug)]
pub struct Observation {
    pub blocks: Vec<NumberBlock>,
    /// Numbers in all blocks.
    pub size: usize,
    players: u8,
    /// Pieces of spaces are counted by kind.
    by_kind: bool,
}

/// Writes numbers one after the other.
struct Pen<'a> {
    out: &'a mut [f32],
    at: usize,
}

impl Pen<'_> {
    fn put(&mut self, number: f32) {
        if let Some(place) = self.out.get_mut(self.at) {
            *place = number;
        }
        self.at += 1;
    }

    /// One of so many places is 1.
    fn mark(&mut self, which: Option<usize>, of: usize) {
        if let Some(place) = which.and_then(|n| self.out.get_mut(self.at + n)) {
            *place = 1.0;
        }
        self.at += of;
    }

    /// Places that stay 0.
    fn skip(&mut self, count: usize) {
        self.at += count;
    }

    /// The next places, to be added to.
    fn counts(&mut self, count: usize) -> &mut [f32] {
        let from = self.at.min(self.out.len());
        self.at += count;
        let to = self.at.min(self.out.len());
        &mut self.out[from..to]
    }
}

impl Observation {
    pub fn new(game: &Game, players: u8) -> Observation {
        let definition = &game.definition;
        let spaces = definition.map.as_ref().map_or(0, |map| map.spaces.len());
        let of_spaces = zones_of(definition, ZoneOf::Space).count() * spaces;
        let mut new = Observation {
            blocks: Vec::new(),
            size: 0,
            players,
            by_kind: of_spaces * definition.cards.len() > SPACE_ZONES,
        };
        new.add("game", vec!["game".into()], new.game_columns(definition));
        new.add(
            "players",
            seats(players).collect(),
            new.player_columns(definition),
        );
        new.add(
            "spaces",
            space_names(definition),
            new.space_columns(definition),
        );
        new.add(
            "zones",
            new.zone_names(definition),
            new.counted(definition, false),
        );
        new.add(
            "space_zones",
            space_zone_names(definition),
            new.counted(definition, new.by_kind),
        );
        new.add("choice", vec!["choice".into()], choice_columns(game));
        new
    }

    fn add(&mut self, name: &'static str, rows: Vec<String>, columns: Vec<Feature>) {
        let block = NumberBlock {
            name,
            at: self.size,
            rows,
            columns,
        };
        self.size += block.len();
        if !block.is_empty() {
            self.blocks.push(block);
        }
    }

    fn game_columns(&self, definition: &Definition) -> Vec<Feature> {
        let round = column("round", 0.0, definition.round_limit as f32);
        let attributes = definition.attributes.game.iter();
        let columns =
            attributes.flat_map(|attribute| self.attribute_columns(definition, attribute));
        std::iter::once(round).chain(columns).collect()
    }

    fn player_columns(&self, definition: &Definition) -> Vec<Feature> {
        let turn = column("turn", 0.0, self.players as f32);
        let attributes = definition.attributes.player.iter();
        let columns =
            attributes.flat_map(|attribute| self.attribute_columns(definition, attribute));
        [flag("out"), flag("starts"), turn]
            .into_iter()
            .chain(columns)
            .collect()
    }

    fn space_columns(&self, definition: &Definition) -> Vec<Feature> {
        let attributes = definition.attributes.space.iter();
        let columns =
            attributes.flat_map(|attribute| self.attribute_columns(definition, attribute));
        std::iter::once(flag("in_play")).chain(columns).collect()
    }

    fn zone_names(&self, definition: &Definition) -> Vec<String> {
        let of_game = zones_of(definition, ZoneOf::Game).map(|(_, name)| format!("game.{name}"));
        let of_players = seats(self.players).flat_map(|seat| {
            zones_of(definition, ZoneOf::Player).map(move |(_, name)| format!("{seat}.{name}"))
        });
        of_game.chain(of_players).collect()
    }

    /// How many pieces; of those that are seen, whose they are, how many of each card or kind, and the sums of their numbers.
    fn counted(&self, definition: &Definition, by_kind: bool) -> Vec<Feature> {
        let many = |name: String| column(&name, 0.0, f32::MAX);
        let owners = seats(self.players).map(|seat| many(format!("of.{seat}")));
        let names: Vec<String> = if by_kind {
            let kinds = definition.kinds.iter();
            kinds.map(|kind| format!("kind.{}", kind.name)).collect()
        } else {
            let cards = definition.cards.iter();
            cards.map(|card| format!("card.{}", card.id)).collect()
        };
        let sums = summed(definition)
            .map(|(_, attribute)| column(&format!("sum.{}", attribute.name), f32::MIN, f32::MAX));
        std::iter::once(many("count".into()))
            .chain(owners)
            .chain(names.into_iter().map(many))
            .chain(sums)
            .collect()
    }

    fn attribute_columns(&self, definition: &Definition, attribute: &Attribute) -> Vec<Feature> {
        let name = &attribute.name;
        let mut columns = Vec::new();
        if attribute.visible != Visibility::All {
            columns.push(flag(&format!("{name}.known")));
        }
        let mut add =
            |name: String| columns.extend(self.number_columns(definition, attribute, name));
        match &attribute.per {
            Per::One => add(name.clone()),
            Per::Player => seats(self.players).for_each(|seat| add(format!("{name}.{seat}"))),
            Per::Word(words) => {
                let named = words.iter().map(|&word| &definition.words[word as usize]);
                named.for_each(|word| add(format!("{name}.{word}")));
            }
            Per::Number(count) => (0..*count).for_each(|n| add(format!("{name}.{n}"))),
        }
        columns
    }

    fn number_columns(
        &self,
        definition: &Definition,
        attribute: &Attribute,
        name: String,
    ) -> Vec<Feature> {
        match &attribute.ty {
            AttributeType::Int => {
                vec![column(&name, attribute.min as f32, attribute.max as f32)]
            }
            AttributeType::Bool => vec![flag(&name)],
            AttributeType::Player => seats(self.players)
                .map(|seat| flag(&format!("{name}={seat}")))
                .collect(),
            AttributeType::Word(words) if words.len() <= WORDS_APART => words
                .iter()
                .map(|&word| flag(&format!("{name}={}", definition.words[word as usize])))
                .collect(),
            _ => vec![column(&name, 0.0, f32::MAX)],
        }
    }

    /// Writes down what a seat sees. `question` is what it is asked now, if it is.
    pub fn fill(&self, played: &Match, seat: u8, question: Option<Question>, out: &mut [f32]) {
        out.fill(0.0);
        let table = &played.table;
        let pen = &mut Pen { out, at: 0 };
        pen.put(table.state.round as f32);
        self.put_attributes(pen, table, seat, handle::GAME, 0);
        self.put_players(pen, table, seat);
        self.put_spaces(pen, table, seat);
        self.put_zones(pen, table, seat);
        self.put_choice(pen, played, seat, question);
        debug_assert_eq!(pen.at, self.size);
    }

    fn put_players(&self, pen: &mut Pen, table: &Table, seat: u8) {
        let state = &table.state;
        for player in self.seats_from(seat) {
            let turn = state.seats_from(state.start).position(|s| s == player);
            pen.put(state.is_out(player) as u8 as f32);
            pen.put((state.start == player) as u8 as f32);
            pen.put(turn.map_or(0.0, |turn| turn as f32 + 1.0));
            self.put_attributes(pen, table, seat, handle::PLAYER, player as u32);
        }
    }

    fn put_spaces(&self, pen: &mut Pen, table: &Table, seat: u8) {
        let in_play = table.state.board.in_play();
        for space in 0..table.layout.spaces {
            pen.put(in_play.contains(space) as u8 as f32);
            self.put_attributes(pen, table, seat, handle::SPACE, space);
        }
    }

    fn put_zones(&self, pen: &mut Pen, table: &Table, seat: u8) {
        let definition = &table.game.definition;
        for (zone, _) in zones_of(definition, ZoneOf::Game) {
            self.put_zone(pen, table, seat, table.layout.zone(zone, 0), false);
        }
        for player in self.seats_from(seat) {
            for (zone, _) in zones_of(definition, ZoneOf::Player) {
                let instance = table.layout.zone(zone, player as u32);
                self.put_zone(pen, table, seat, instance, false);
            }
        }
        for space in 0..table.layout.spaces {
            for (zone, _) in zones_of(definition, ZoneOf::Space) {
                let instance = table.layout.zone(zone, space);
                self.put_zone(pen, table, seat, instance, self.by_kind);
            }
        }
    }

    fn put_zone(&self, pen: &mut Pen, table: &Table, seat: u8, zone: u32, by_kind: bool) {
        let definition = &table.game.definition;
        let things = match by_kind {
            true => definition.kinds.len(),
            false => definition.cards.len(),
        };
        let pieces = &table.state.zones[zone as usize];
        pen.put(pieces.len() as f32);
        let owners = self.players as usize;
        let sums = summed(definition).count();
        let places = pen.counts(owners + things + sums);
        for &piece in pieces.iter() {
            let found = &table.state.pieces[piece as usize];
            if !table.sees_piece(Some(seat), piece) {
                continue;
            }
            if found.owner >= 0 {
                places[self.from(seat, found.owner as u8)] += 1.0;
            }
            let thing = match by_kind {
                true => definition.cards[found.card as usize].kind,
                false => found.card,
            };
            places[owners + thing as usize] += 1.0;
            let owner = table.attribute_owner(handle::PIECE, piece);
            for (n, (index, attribute)) in summed(definition).enumerate() {
                if table.sees_attribute(attribute, Some(seat), owner) {
                    let number = table.number(handle::PIECE, index, piece, 0);
                    places[owners + things + n] += number as f32;
                }
            }
        }
    }

    fn put_choice(&self, pen: &mut Pen, played: &Match, seat: u8, question: Option<Question>) {
        let prompts = played.game().lexicon.prompts.len();
        let choice = played.choice().filter(|choice| choice.ask(seat).is_some());
        let (Some(choice), Some(question)) = (choice, question) else {
            pen.skip(QUESTION.len() + prompts);
            return;
        };
        let (least, most) = match choice.wanted {
            Wanted::One => (1, 1),
            Wanted::Some { min, max } => (min, max),
        };
        pen.put(1.0);
        pen.put(choice.together() as u8 as f32);
        pen.put(question.how_many as u8 as f32);
        pen.put(choice.count(&played.table, seat) as f32);
        pen.put(least as f32);
        pen.put(most as f32);
        pen.put(question.taken as f32);
        pen.put(question.left as f32);
        pen.mark(Some(choice.prompt as usize), prompts);
    }

    fn put_attributes(&self, pen: &mut Pen, table: &Table, seat: u8, kind: u8, id: u32) {
        let declared = &table.game.definition.attributes;
        let attributes = match kind {
            handle::GAME => &declared.game,
            handle::PLAYER => &declared.player,
            _ => &declared.space,
        };
        for (index, attribute) in attributes.iter().enumerate() {
            let known = attribute.visible == Visibility::All
                || table.sees_attribute(attribute, Some(seat), table.attribute_owner(kind, id));
            if attribute.visible != Visibility::All {
                pen.put(known as u8 as f32);
            }
            if !known {
                pen.skip(self.width(attribute));
                continue;
            }
            let mut put = |column: u32| {
                let number = table.number(kind, index, id, column);
                self.put_number(pen, table, seat, attribute, number);
            };
            match &attribute.per {
                Per::One => put(0),
                Per::Player => self.seats_from(seat).for_each(|player| put(player as u32)),
                per => (0..per.width(self.players as u32)).for_each(put),
            }
        }
    }

    fn put_number(
        &self,
        pen: &mut Pen,
        table: &Table,
        seat: u8,
        attribute: &Attribute,
        number: i32,
    ) {
        match &attribute.ty {
            AttributeType::Int | AttributeType::Bool => pen.put(number as f32),
            AttributeType::Player => {
                let whose = (number >= 0).then(|| self.from(seat, number as u8));
                pen.mark(whose, self.players as usize);
            }
            AttributeType::Word(words) if words.len() <= WORDS_APART => {
                pen.mark(place_of(words, number), words.len());
            }
            AttributeType::Word(words) => {
                pen.put(place_of(words, number).map_or(0.0, |n| n as f32 + 1.0));
            }
            AttributeType::Piece if number >= 0 => {
                let piece = number as u32;
                let seen = table.sees_piece(Some(seat), piece);
                let card = table.state.pieces[piece as usize].card;
                pen.put(if seen { card as f32 + 1.0 } else { 0.0 });
            }
            _ => pen.put(number as f32 + 1.0),
        }
    }

    /// Columns of an attribute, but for the one that says whether it is known.
    fn width(&self, attribute: &Attribute) -> usize {
        let one = match &attribute.ty {
            AttributeType::Player => self.players as usize,
            AttributeType::Word(words) if words.len() <= WORDS_APART => words.len(),
            _ => 1,
        };
        one * attribute.per.width(self.players as u32) as usize
    }

    fn seats_from(&self, seat: u8) -> impl Iterator<Item = u8> + use<> {
        let players = self.players;
        (0..players).map(move |n| (seat + n) % players)
    }

    /// How many seats further a player sits.
    fn from(&self, seat: u8, player: u8) -> usize {
        ((player + self.players - seat) % self.players) as usize
    }
}

/// Where a word is among those an attribute may hold.
fn place_of(words: &[Word], number: i32) -> Option<usize> {
    words.iter().position(|&word| word as i32 == number)
}

/// What the open choice tells besides its prompt.
const QUESTION: [&str; 8] = [
    "asked", "together", "how_many", "options", "least", "most", "taken", "left",
];

fn choice_columns(game: &Game) -> Vec<Feature> {
    let question = QUESTION.iter().enumerate().map(|(n, name)| match n {
        0..=2 => flag(name),
        _ => column(name, 0.0, f32::MAX),
    });
    let prompts = game.lexicon.prompts.iter();
    question
        .chain(prompts.map(|prompt| flag(&format!("prompt={prompt}"))))
        .collect()
}

/// Attributes of pieces that can be added up.
fn summed(definition: &Definition) -> impl Iterator<Item = (usize, &Attribute)> {
    let attributes = definition.attributes.piece.iter().enumerate();
    attributes.filter(|(_, attribute)| {
        attribute.per == Per::One
            && matches!(attribute.ty, AttributeType::Int | AttributeType::Bool)
    })
}

fn zones_of(definition: &Definition, of: ZoneOf) -> impl Iterator<Item = (usize, &str)> {
    let zones = definition.zones.iter().enumerate();
    zones
        .filter(move |(_, zone)| zone.of == of)
        .map(|(n, zone)| (n, zone.name.as_str()))
}

fn space_names(definition: &Definition) -> Vec<String> {
    let map = definition.map.as_ref();
    map.map_or_else(Vec::new, |map| {
        map.spaces.iter().map(|space| space.id.clone()).collect()
    })
}

fn space_zone_names(definition: &Definition) -> Vec<String> {
    let named = |space: String| {
        zones_of(definition, ZoneOf::Space).map(move |(_, zone)| format!("{space}.{zone}"))
    };
    space_names(definition)
        .into_iter()
        .flat_map(named)
        .collect()
}

/// `me`, then whoever sits so many seats further.
fn seats(players: u8) -> impl Iterator<Item = String> {
    (0..players).map(|n| match n {
        0 => "me".to_string(),
        n => format!("me+{n}"),
    })
}

fn column(name: &str, low: f32, high: f32) -> Feature {
    Feature {
        name: name.to_string(),
        low,
        high,
    }
}

fn flag(name: &str) -> Feature {
    column(name, 0.0, 1.0)
}
