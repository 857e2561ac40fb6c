//! Twins: two tables that differ only in what a seat cannot see. Whatever reaches that seat, and whatever a bot answers for it, must be
//! the same at both, byte by byte, until something is revealed. The twin is made here, by the declarations and by what happened in front
//! of everybody: not by what the bots use.

#[path = "twins/memory.rs"]
mod memory;

use ludoteca::{
    Bot, Event, Game, Language, Match, Offer, Position, Status, Stream, Table,
    definition::{Attribute, AttributeType, Per, Visibility, ZoneOf},
    encoding::{Encoding, OpenActions, Question},
    inside::value::handle,
    inside::{IN_THE_BOX, slot, table_view},
    say, view,
};
use ludoteca_tests::games;
use memory::Memory;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Moments of a match at which twins are made, and the answers that lie between two of them.
const MOMENTS: usize = 10;
const APART: [usize; MOMENTS] = [1, 1, 2, 4, 8, 16, 32, 64, 96, 128];
/// Moments at which a bot that looks ahead is asked as well: it is slow.
const ASKED: usize = 2;
/// Answers after which twins part.
const TOGETHER: usize = 12;
/// Words by which one leaves things as they are.
const DECLINES: [&str; 9] = [
    "stop", "none", "no", "keep", "pass", "nothing", "quiet", "nobody", "enough",
];

#[test]
fn what_a_seat_cannot_see_reaches_it_in_no_way() {
    for game in games() {
        let (fewest, most) = game.definition.players;
        let mut held = 0;
        for players in fewest..=most {
            held += check(&game, players, 100 + players as u64);
        }
        let id = &game.definition.id;
        assert!(
            held >= 8,
            "{id}: only {held} steps looked the same from their beginning"
        );
    }
}

/// A match under way, with the beginning of the step it is in and what was answered since.
struct Story {
    played: Match,
    /// What everybody has seen and could follow.
    memory: Memory,
    begun: Position,
    remembered: Memory,
    since: Vec<(u8, Vec<String>)>,
}

impl Story {
    /// Goes on to the next choice; `false` when the match is over.
    fn go_on(&mut self) -> bool {
        let mut begun = None;
        let memory = &mut self.memory;
        let status = self.played.advance_watched(|between, _| {
            memory.watch(&between.table);
            begun = Some((between.position(), memory.clone()));
        });
        self.memory.watch(&self.played.table);
        if let Some((begun, remembered)) = begun {
            self.begun = begun;
            self.remembered = remembered;
            self.since.clear();
        }
        status.unwrap() == Status::Asking
    }

    fn answer(&mut self, luck: &mut Stream) {
        let (seat, keys) = any_answer(&self.played, luck);
        self.memory.offered(&self.played, seat);
        self.played.answer_keys(seat, &keys).unwrap();
        self.since.push((seat, keys));
    }
}

/// How many steps looked the same to a seat from their beginning to the moment it was asked, though what it cannot see was different.
fn check(game: &Arc<Game>, players: u8, seed: u64) -> usize {
    let mut luck = Stream::new(seed, "twins");
    let mut played = Match::new(game.clone(), players, seed);
    played.table.events = Some(Vec::new());
    let memory = Memory::default();
    let mut story = Story {
        begun: played.position(),
        played,
        remembered: memory.clone(),
        memory,
        since: Vec::new(),
    };
    let mut held = 0;
    for (moment, apart) in APART.into_iter().enumerate() {
        for _ in 0..apart {
            if !story.go_on() {
                return held;
            }
            story.answer(&mut luck);
        }
        if !story.go_on() {
            return held;
        }
        let asked = moment % (MOMENTS / ASKED) == 1;
        for viewer in (0..players).map(Some).chain([None]) {
            let id = &game.definition.id;
            let context = format!("{id} with {players}, moment {moment}, seen by {viewer:?}");
            let twin = twin_of(&story.played, &story.memory, viewer, &mut luck);
            compare(&story.played, &twin, viewer, asked, &context);
            play_on(&story.played, twin, viewer, &mut luck, &context);
            held += from_the_beginning(&story, viewer, asked, &mut luck, &context) as usize;
        }
    }
    held
}

/// The step is played again from its beginning at a table where everything the viewer cannot see is different. If all that reached the
/// viewer was the same, what a rule keeps in its variables must not steer anybody either. Says whether it was the same.
fn from_the_beginning(
    story: &Story,
    viewer: Option<u8>,
    asked: bool,
    luck: &mut Stream,
    context: &str,
) -> bool {
    let mut again = copy(&story.played);
    again.restore(&story.begun);
    let mut twin = twin_of(&again, &story.remembered, viewer, luck);
    let same = |again: &mut Match, twin: &mut Match| {
        let asking = |of: &mut Match| of.advance().is_ok_and(|status| status == Status::Asking);
        let seen = |of: &Match| view::view(&of.table, viewer, Language::En);
        asking(again)
            && asking(twin)
            && hear(again, viewer) == hear(twin, viewer)
            && seen(again) == seen(twin)
            && question(again, viewer) == question(twin, viewer)
    };
    for (seat, keys) in &story.since {
        let follows = same(&mut again, &mut twin)
            && again.answer_keys(*seat, keys).is_ok()
            && twin.answer_keys(*seat, keys).is_ok();
        if !follows {
            return false;
        }
    }
    if !same(&mut again, &mut twin) {
        return false;
    }
    compare(
        &again,
        &twin,
        viewer,
        asked,
        &format!("{context}, from the beginning of the step"),
    );
    true
}

fn copy(of: &Match) -> Match {
    let mut copy = Match::empty(of.game().clone(), of.table.players(), 0);
    copy.restore(&of.position());
    copy.table.events = Some(Vec::new());
    copy.keeps_steps = true;
    copy
}

/// The same table, but for everything the viewer cannot see.
fn twin_of(played: &Match, memory: &Memory, viewer: Option<u8>, luck: &mut Stream) -> Match {
    let mut twin = copy(played);
    let offered = offered(&twin, viewer);
    swap_pieces(&mut twin.table, memory, viewer, &offered, luck);
    change_attributes(&mut twin.table, viewer, luck);
    if let Some(mut choice) = twin.table.choice.take() {
        for ask in choice.asks.iter_mut() {
            if Some(ask.seat) != viewer && ask.answer.is_some() {
                let other = luck.below(twin.table.count(&ask.options));
                ask.answer = twin.table.nth(&ask.options, other as i64);
            }
        }
        twin.table.choice = Some(choice);
    }
    let layout = twin.table.layout.clone();
    twin.table.state.reseed(&layout, luck.seed());
    twin
}

/// What the viewer is asked, if it is: the question may name what was drawn in this step.
fn question(of: &Match, viewer: Option<u8>) -> Option<(String, Vec<String>)> {
    let choice = of.choice()?;
    let seat = viewer.filter(|&seat| choice.ask(seat).is_some())?;
    let text = say::prompt(&of.table, choice, Language::En);
    Some((text, choice.keys(&of.table, seat)))
}

/// What the viewer is offered it sees, wherever it lies.
fn offered(of: &Match, viewer: Option<u8>) -> Vec<String> {
    question(of, viewer).map_or_else(Vec::new, |(_, keys)| keys)
}

fn is_hidden(table: &Table, memory: &Memory, viewer: Option<u8>, piece: usize) -> bool {
    let found = &table.state.pieces[piece];
    // What a seat saw before and could follow since, it knows.
    let remembered = viewer.is_some_and(|seat| memory.knows(seat, found.key));
    if found.zone == IN_THE_BOX || found.face_up || remembered {
        return false;
    }
    let (declared, owner) = table.layout.zones[found.zone as usize];
    let zone = &table.game.definition.zones[declared as usize];
    let owner = match zone.of {
        ZoneOf::Player => Some(owner as u8),
        _ => u8::try_from(found.owner).ok(),
    };
    match zone.visible {
        Visibility::All => false,
        Visibility::Nobody => true,
        Visibility::Owner => owner.is_none() || owner != viewer,
        Visibility::Team => !owner
            .zip(viewer)
            .is_some_and(|(a, b)| table.same_side(a, b)),
    }
}

/// Hidden pieces of a kind that were made for the same player, or for all, change places, but for those whose cards are being offered; and
/// cards that went into the box unseen may have stayed out of it.
fn swap_pieces(
    table: &mut Table,
    memory: &Memory,
    viewer: Option<u8>,
    offered: &[String],
    luck: &mut Stream,
) {
    let definition = table.game.definition.clone();
    let mut alike: BTreeMap<(u32, i8), Vec<usize>> = BTreeMap::new();
    for piece in 0..table.state.pieces.len() {
        let found = &table.state.pieces[piece];
        let card = &definition.cards[found.card as usize];
        let shown = offered
            .iter()
            .any(|key| key.split(['+', '#']).any(|part| part == card.id));
        if is_hidden(table, memory, viewer, piece) && !shown {
            alike
                .entry((card.kind, found.home))
                .or_default()
                .push(piece);
        }
    }
    let row = table.layout.piece_row;
    for n in 0..table.state.unseen.len() {
        let boxed = table.state.unseen[n];
        let known = viewer.is_some_and(|seat| boxed.known >> seat & 1 == 1);
        let kind = definition.cards[boxed.card as usize].kind;
        if let Some(pieces) = alike.get(&(kind, boxed.home)).filter(|_| !known) {
            let other = pieces[luck.below(pieces.len() as u32) as usize];
            let card = std::mem::replace(&mut table.state.pieces[other].card, boxed.card);
            table.state.unseen[n].card = card;
        }
    }
    for pieces in alike.into_values() {
        for i in (1..pieces.len()).rev() {
            let (a, b) = (pieces[i], pieces[luck.below(i as u32 + 1) as usize]);
            let card = table.state.pieces[a].card;
            table.state.pieces[a].card = table.state.pieces[b].card;
            table.state.pieces[b].card = card;
            for column in 0..row {
                table
                    .state
                    .piece_values
                    .swap(a * row + column, b * row + column);
            }
        }
    }
}

/// Hidden attributes of players, spaces and the game get any value of their range.
fn change_attributes(table: &mut Table, viewer: Option<u8>, luck: &mut Stream) {
    let definition = table.game.definition.clone();
    let declared = &definition.attributes;
    let spaces = table.layout.spaces;
    for (kind, attributes, count) in [
        (handle::GAME, &declared.game, 1),
        (handle::PLAYER, &declared.player, table.players() as u32),
        (handle::SPACE, &declared.space, spaces),
    ] {
        for (index, attribute) in attributes.iter().enumerate() {
            for id in 0..count {
                let own = kind == handle::PLAYER && viewer == Some(id as u8);
                let ours = kind == handle::PLAYER
                    && viewer.is_some_and(|seat| table.same_side(seat, id as u8));
                let seen = match attribute.visible {
                    Visibility::All => true,
                    Visibility::Owner => own,
                    Visibility::Team => ours,
                    Visibility::Nobody => false,
                };
                if !seen && attribute.per == Per::One {
                    let number = any_number(table, attribute, luck);
                    table.set_number(kind, slot::of(slot::INT, index as u16), id, 0, number);
                }
            }
        }
    }
    table.events = Some(Vec::new());
}

fn any_number(table: &Table, attribute: &Attribute, luck: &mut Stream) -> i32 {
    match &attribute.ty {
        AttributeType::Int => {
            let width = (attribute.max as i64 - attribute.min as i64).min(50) as u32;
            attribute.min + luck.below(width + 1) as i32
        }
        AttributeType::Bool => luck.below(2) as i32,
        AttributeType::Player => luck.below(table.players() as u32 + 1) as i32 - 1,
        AttributeType::Word(words) => words[luck.below(words.len() as u32) as usize] as i32,
        _ => -1,
    }
}

/// What reaches the viewer at this moment: view, and if it is asked, offer, notes, the lines above the choice, and what bots would do.
fn compare(played: &Match, twin: &Match, viewer: Option<u8>, asked: bool, context: &str) {
    let seen = |of: &Match| json!(view::view(&of.table, viewer, Language::En)).to_string();
    assert_eq!(seen(played), seen(twin), "{context}: the view");
    if let Some(seat) = viewer {
        let encoding = Encoding::new(played.game(), played.table.players());
        let numbers = |of: &Match| in_numbers(&encoding, of, seat);
        assert_eq!(numbers(played), numbers(twin), "{context}: the numbers");
    }
    let Some(seat) = viewer.filter(|&seat| {
        played
            .choice()
            .is_some_and(|choice| choice.ask(seat).is_some())
    }) else {
        return;
    };
    let put = |of: &Match| {
        let mut of = copy(of);
        let offer = Offer::new(&mut of, seat, Language::En).unwrap();
        let items: Vec<String> = offer
            .options
            .iter()
            .map(|item| format!("{} {} {:?}", item.key, item.label, item.note))
            .collect();
        let lines = table_view(&mut of, seat, &offer.prompt, Language::En);
        format!("{} {:?} {items:#?} {lines:#?}", offer.text, offer.amount)
    };
    assert_eq!(put(played), put(twin), "{context}: the offer");
    let bots = if asked { &Bot::ALL[..] } else { &[Bot::Random] };
    for &bot in bots {
        let answer = |of: &Match| bot.driver(seat, 5).pick(of).unwrap();
        assert_eq!(
            answer(played),
            answer(twin),
            "{context}: the answer of {}",
            bot.name()
        );
    }
}

/// What a program that learns gets of a match.
fn in_numbers(encoding: &Encoding, of: &Match, seat: u8) -> (Vec<f32>, OpenActions, Vec<i8>) {
    let mut seen = vec![0.0; encoding.observation.size];
    let question = Some(Question::default());
    encoding.observation.fill(of, seat, question, &mut seen);
    let mut open = OpenActions::default();
    let mut mask = vec![0; encoding.actions.size as usize];
    encoding.actions.open(of, seat, &mut open, &mut mask);
    (seen, open, mask)
}

/// Both go on with the same answers; what the viewer hears is the same until something is revealed.
fn play_on(played: &Match, mut twin: Match, viewer: Option<u8>, luck: &mut Stream, context: &str) {
    let mut played = copy(played);
    for _ in 0..TOGETHER {
        if !ask_alike(&mut played, &mut twin, viewer) {
            return;
        }
        let (seat, keys) = any_answer(&played, luck);
        if twin.answer_keys(seat, &keys).is_err() {
            return;
        }
        played.answer_keys(seat, &keys).unwrap();
        let (Ok(status), Ok(twins_status)) = (played.advance(), twin.advance()) else {
            return;
        };
        // Whoever is asked because of what the viewer cannot see holds up what is heard next.
        if status == Status::Asking && !ask_alike(&mut played, &mut twin, viewer) {
            return;
        }
        let (heard, twin_heard) = (hear(&mut played, viewer), hear(&mut twin, viewer));
        let seen = |of: &Match| view::view(&of.table, viewer, Language::En);
        for (here, there) in heard.iter().zip(&twin_heard) {
            if here != there && (reveals(here) || reveals(there)) {
                return;
            }
        }
        if seen(&played) != seen(&twin) || status != twins_status || status == Status::Over {
            return;
        }
        assert_eq!(heard, twin_heard, "{context}: what is heard");
    }
}

/// Brings both tables to the same question. Whether somebody else is asked may depend on what the viewer cannot see: then it declines,
/// and whoever was never asked must look the same. `false` where the two part.
fn ask_alike(played: &mut Match, twin: &mut Match, viewer: Option<u8>) -> bool {
    let same = |a: &Match, b: &Match| match (a.choice(), b.choice()) {
        (Some(a), Some(b)) => a.prompt == b.prompt && a.waiting() == b.waiting(),
        _ => false,
    };
    if same(played, twin) {
        return true;
    }
    if let Some(later) = declined(played, viewer).filter(|later| same(later, twin)) {
        *played = later;
        return true;
    }
    match declined(twin, viewer).filter(|later| same(played, later)) {
        Some(later) => {
            *twin = later;
            true
        }
        None => false,
    }
}

/// The match after somebody who is not the viewer has declined, if it can be declined. What happened is still to be heard.
fn declined(of: &Match, viewer: Option<u8>) -> Option<Match> {
    let choice = of.choice()?;
    let seat = choice.waiting().filter(|seat| Some(*seat) != viewer)?;
    let keys = choice.keys(&of.table, seat);
    let word = DECLINES
        .iter()
        .find(|word| keys.iter().any(|k| k == *word))?;
    let mut later = copy(of);
    later.table.events = of.table.events.clone();
    later.answer_keys(seat, &[word.to_string()]).ok()?;
    (later.advance().ok()? == Status::Asking).then_some(later)
}

/// Dice show what luck had in store, and a piece that comes into the open shows its card.
fn reveals(told: &Json) -> bool {
    told["event"] == "rolled" || told["event"] == "moved" && !told["card"].is_null()
}

fn hear(of: &mut Match, viewer: Option<u8>) -> Vec<Json> {
    let events: Vec<Event> = of.table.events.replace(Vec::new()).unwrap_or_default();
    events
        .iter()
        .filter_map(|event| view::heard(&of.table, event, viewer, Language::En))
        .map(|heard| json!(heard))
        .collect()
}

/// One of the seats that are asked, and something it may answer.
fn any_answer(of: &Match, luck: &mut Stream) -> (u8, Vec<String>) {
    let choice = of.choice().unwrap();
    let seat = choice.waiting().unwrap();
    let picked = ludoteca::random::pick(of, seat, luck);
    (seat, choice.keys_of(&of.table, seat, &picked))
}
