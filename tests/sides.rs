//! Sides: who knows whom, who wins with whom, and what happens when somebody leaves.

use ludoteca::{
    AnswerError, Bot, Game, Language, Library, Match, PackSource, Selection, Status, view,
};
use ludoteca_lab::record::Header;
use ludoteca_lab::simulate::{Plan, simulate};
use ludoteca_lab::summary::Summary;
use ludoteca_tests::game;
use std::sync::Arc;

const MANIFEST: &str = r#"version = "1.0.0"
title = { es = "Las máscaras", en = "Masks" }
summary = { es = "Roles secretos.", en = "Secret roles." }
players = [4, 4]
leave = true
round_limit = 2

[sides]
visible = "team"

[sides.of]
spies = { text = { es = "Espías", en = "Spies" } }
citizens = { text = { es = "Ciudadanos", en = "Citizens" } }

[attributes.player]
clue = { type = "int", visible = "team" }
points = "int"

[[phases]]
step = "turn"
each = "player"
"#;

const RULES: &str = r#"
fn setup() {
    for p in players() {
        p.side = if p.seat < 2 { "spies" } else { "citizens" };
        p.clue = 10 + p.seat;
        p.points = p.seat;
    }
}
fn turn(p) { if choose(p, "wait", ["here", "there"]) == "here" { say("waited"); } }
fn score(p) { p.points }
"#;

const TEXTS: &str = r#"[prompt]
wait = { es = "¿Dónde esperas?", en = "Where do you wait?" }
[option]
here = { es = "Aquí", en = "Here" }
there = { es = "Allí", en = "There" }
[log]
waited = { es = "Espera.", en = "Waits." }
"#;

fn rules(manifest: &str) -> Arc<Game> {
    let files = [
        ("scripts/masks/game.toml", manifest),
        ("scripts/masks/rules.rhai", RULES),
        ("cards/masks/text.toml", TEXTS),
    ];
    let (library, _) = Library::open(&[PackSource::memory("masks", files)]);
    game(&library, "masks", &Selection::default())
}

fn masks(manifest: &str) -> Match {
    let mut played = Match::new(rules(manifest), 4, 1);
    assert_eq!(played.advance().unwrap(), Status::Asking);
    played
}

fn winners(played: &mut Match) -> Vec<u8> {
    let ranking = played.ranking().unwrap();
    let mut won: Vec<u8> = ranking
        .iter()
        .filter(|p| p.place == 1)
        .map(|p| p.seat)
        .collect();
    won.sort_unstable();
    won
}

#[test]
fn only_partners_know_who_is_with_them() {
    let played = masks(MANIFEST);
    let seen = |viewer: Option<u8>| {
        let view = serde_json::to_value(view::view(&played.table, viewer, Language::En)).unwrap();
        let players = view["players"].as_array().unwrap().clone();
        let told = |key: &str| -> Vec<bool> {
            players
                .iter()
                .map(|player| !player[key].is_null())
                .collect()
        };
        (told("side"), told("clue"))
    };
    let (mine, theirs) = (
        vec![true, true, false, false],
        vec![false, false, true, true],
    );
    assert_eq!(seen(Some(0)), (mine.clone(), mine));
    assert_eq!(seen(Some(3)), (theirs.clone(), theirs));
    assert_eq!(seen(None), (vec![false; 4], vec![false; 4]));
}

#[test]
fn partners_share_their_scores_and_their_place() {
    let mut played = masks(MANIFEST);
    while played.advance().unwrap() == Status::Asking {
        let seat = played.choice().unwrap().waiting().unwrap();
        played.answer(seat, &[0]).unwrap();
    }
    assert_eq!(winners(&mut played), [2, 3]);
    let ranking = played.ranking().unwrap();
    assert_eq!(ranking[0].score, [5], "2 and 3 points together");
    assert_eq!(ranking[0].side.as_deref(), Some("citizens"));
}

#[test]
fn whoever_stays_with_partners_alone_has_won() {
    let mut played = masks(MANIFEST);
    assert_eq!(played.leave(3), Err(AnswerError::NotAsked(3)));
    played.answer_keys(0, &["/leave".into()]).unwrap();
    assert_eq!(played.advance().unwrap(), Status::Asking);
    played.leave(1).unwrap();
    assert_eq!(played.advance().unwrap(), Status::Over);
    assert_eq!(winners(&mut played), [2, 3]);
}

#[test]
fn where_the_game_says_nothing_nobody_leaves() {
    let mut played = masks(&MANIFEST.replace("leave = true\n", ""));
    assert_eq!(played.leave(0), Err(AnswerError::MustStay));
    assert!(played.choice().is_some(), "nothing has changed");
}

/// Every seat of a side wins whole: what a card or word has to do with it is a share of seats, and stays one.
#[test]
fn the_wins_of_a_side_are_counted_by_seats() {
    let game = rules(MANIFEST);
    let plan = Plan {
        close: 1,
        ..Plan::new(4, vec![Bot::Random; 4], 1, 40)
    };
    let records = simulate(&game, &plan, &Default::default(), |_| {}).unwrap();
    let mut summary = Summary::new(Header::new(&game, &plan));
    records.iter().for_each(|record| summary.add(record));
    let found = summary.findings();
    let here = found.content.iter().find(|item| item.id == "here").unwrap();
    let (with, without) = (here.wins_with.unwrap(), here.wins_without.unwrap());
    for wins in [with, without] {
        assert!((0.0..=1.0).contains(&wins.value), "{wins:?}");
        assert!(
            wins.low < 0.5 && wins.high > 0.5,
            "two of four win: {wins:?}"
        );
    }
}
