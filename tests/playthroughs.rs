//! One whole game per game and player count as people would read it: a change of rules or content shows here.

use ludoteca::{Arena, Bot, Event, Game, Language, Selection, say};
use ludoteca_lab::simulate;
use ludoteca_tests::{game, games, library};
use std::fmt::Write;
use std::sync::Arc;

/// Lines shown from the beginning of a game; the rest is in its numbers.
const LINES: usize = 30;

/// A random game as people would read it.
fn told(game: &Arc<Game>, players: u8) -> String {
    let bots = vec![Bot::Random; players as usize];
    let mut arena = Arena::new(game, players);
    arena.played().table.events = Some(Vec::new());
    let record = simulate::play(&mut arena, &bots, 1)
        .unwrap_or_else(|broken| panic!("{}: {broken}", game.definition.id));
    let played = arena.played();
    let events = played.table.events.take().unwrap_or_default();
    let mut shown = String::new();
    let lines = events.iter().filter_map(|event| match event {
        Event::Chosen {
            seat, prompt, keys, ..
        } => Some(format!(
            "p{seat} {}: {}",
            say::prompt_key(&played.table, *prompt),
            keys.join(" ")
        )),
        Event::Round { number } => Some(format!("-- round {number}")),
        Event::Said { .. } => {
            say::line(&played.table, event, Language::En).map(|line| format!("   {line}"))
        }
        _ => None,
    });
    for line in lines.take(LINES) {
        writeln!(shown, "{line}").unwrap();
    }
    writeln!(shown, "..").unwrap();
    writeln!(
        shown,
        "rounds {}, decisions {} ({} forced), ended by {}",
        record.rounds, record.decisions, record.forced, record.reason
    )
    .unwrap();
    for place in played.ranking().unwrap() {
        writeln!(
            shown,
            "{}. p{} with {:?}",
            place.place, place.seat, place.score
        )
        .unwrap();
    }
    shown
}

#[test]
fn random_games_read_as_before() {
    for game in games() {
        let (fewest, most) = game.definition.players;
        for players in fewest..=most {
            insta::assert_snapshot!(
                format!("{}_{players}", game.definition.id),
                told(&game, players)
            );
        }
    }
}

/// Each boxed deck of the card game meets another one.
#[test]
fn starter_decks_read_as_before() {
    for (one, other) in [("axiom", "bravos"), ("lyra", "muna"), ("ordis", "yzmir")] {
        let set = [("decks.seats.0", one), ("decks.seats.1", other)];
        let selection = Selection {
            set: set.map(|(key, deck)| (key.into(), deck.into())).into(),
            ..Selection::default()
        };
        let altered = game(&library(), "altered", &selection);
        insta::assert_snapshot!(format!("altered_{one}_{other}"), told(&altered, 2));
    }
}
