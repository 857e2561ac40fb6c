//! Matches: made, played to their end by several windows, taken back, looked back at, and gone on with by another server.

use crate::support::{Server, Window, Wishes};
use serde_json::{Value as Json, json};
use std::time::Duration;

/// Answers whatever a window is asked, the `n`-th option of each, until the match is over.
fn play_on(window: &mut Window, mut n: usize) {
    loop {
        window.wait_until("it is asked or all is over", |state| {
            is_asked(state) || !state["end"].is_null()
        });
        if !is_asked(&window.state) {
            return;
        }
        let offer = window.state["offers"][0].clone();
        let options = offer["options"].as_array().unwrap();
        let least = offer["min"].as_u64().unwrap().max(1) as usize;
        let keys: Vec<Json> = (0..least)
            .map(|more| options[(n + more) % options.len()]["key"].clone())
            .collect();
        n = n * 7 + 1;
        let answer = window.ask(
            json!({ "type": "choose", "ask": offer["ask"], "seat": offer["seat"], "keys": keys }),
        );
        assert_eq!(answer["type"], "ok", "{answer} to {offer}");
        // What follows comes before or behind the answer.
        window.wait_until("its answer counts", |state| state["offers"][0] != offer);
    }
}

fn is_asked(state: &Json) -> bool {
    !state["offers"].as_array().unwrap().is_empty()
}

#[test]
fn every_game_is_played_over_the_socket_and_patches_add_up() {
    let server = Server::start();
    let (_, lobby) = server.get("/api/lobby");
    let games = lobby["games"].as_array().unwrap();
    assert!(games.len() > 5);
    for game in games {
        assert_eq!(game["ok"], true, "{game}");
        let players = game["players"][0].as_u64().unwrap() as usize;
        let mut seats = vec!["random"; players];
        seats[0] = "me";
        let (status, made) = server.post(
            "/api/matches",
            &json!({ "game": game["id"], "seats": seats, "seed": "11" }),
        );
        assert_eq!(status, 200, "{made}");
        let mut window = server.window(&made["keys"]["me"]);
        for turn in 0..25 {
            window.wait_until("it is asked or all is over", |state| {
                is_asked(state) || !state["end"].is_null()
            });
            if !window.state["end"].is_null() {
                break;
            }
            let offer = window.state["offers"][0].clone();
            let options = offer["options"].as_array().unwrap();
            let most = (offer["min"].as_u64().unwrap().max(1)) as usize;
            let keys: Vec<Json> = (0..most)
                .map(|more| options[(turn + more) % options.len()]["key"].clone())
                .collect();
            let said = window.ask(json!({ "type": "choose", "ask": offer["ask"], "seat": offer["seat"], "keys": keys }));
            assert_eq!(said["type"], "ok", "{}: {said}", game["id"]);
            window.wait_until("its answer counts", |state| state["offers"][0] != offer);
        }
        let patched = window.state["view"].clone();
        window.send(json!({ "type": "lang", "lang": "en" }));
        // Nothing moves while nobody but we is asked.
        let fresh = window.until("state");
        assert_eq!(fresh["view"], patched, "{}", game["id"]);
        let (status, declared) = server.get(&format!(
            "/api/declarations/{}",
            fresh["declaration"].as_str().unwrap()
        ));
        assert_eq!((status, &declared["game"]), (200, &game["id"]));
        assert!(declared["cards"].is_object() && declared["zones"].is_array());
    }
}

#[test]
fn two_windows_and_a_watcher_play_a_match_to_its_end() {
    let server = Server::start();
    let keys = server.hush(&["me", "link"], json!({}));
    let watch = keys["watch"].clone();
    let (mut ana, mut bea) = (
        server.window(&keys["me"]),
        server.window_in(&keys["seats"][1], "es"),
    );
    let mut watcher = server.window(&watch);
    assert_eq!(
        ana.ask(json!({ "type": "sit", "seat": 0, "name": " Ana\u{202e} ", "color": "red" }))["type"],
        "ok"
    );
    let taken = bea.ask(json!({ "type": "sit", "seat": 1, "name": "ana" }));
    assert_eq!(
        (&taken["code"], taken["text"].as_str()),
        (
            &json!("taken-name"),
            Some("Ya hay alguien que se llama ana.")
        )
    );
    assert_eq!(
        bea.ask(json!({ "type": "sit", "seat": 1, "name": "Bea", "color": "red" }))["code"],
        "taken-color"
    );
    assert_eq!(
        bea.ask(json!({ "type": "sit", "seat": 1, "name": "Bea" }))["type"],
        "ok"
    );
    let other = std::thread::spawn(move || {
        play_on(&mut bea, 2);
        bea
    });
    play_on(&mut ana, 1);
    let bea = other.join().unwrap();
    watcher.until_over();
    for window in [&ana, &bea, &watcher] {
        assert_eq!(window.state["end"]["reason"], "quiet");
        assert_eq!(window.state["seats"][0]["name"], "Ana");
    }
    assert_eq!(bea.state["end"]["text"], "no quedan cartas");
    assert!(watcher.state["view"]["players"][0]["zones"]["hand"]["pieces"].is_null());
    assert_eq!(
        watcher.ask(json!({ "type": "choose", "ask": 0, "seat": 0, "keys": ["1"] }))["code"],
        "not-asked"
    );
    let (_, known) = server.post(
        "/api/matches/known",
        &json!({ "keys": [keys["me"], "00000000000000000000000000000000"] }),
    );
    assert_eq!(known["matches"][0]["over"], true);
    assert_eq!(
        known["unknown"],
        json!(["00000000000000000000000000000000"])
    );
}

#[test]
fn a_second_window_and_another_server_go_on_where_one_was() {
    let server = Server::start();
    let keys = server.hush(&["me", "random"], json!({}));
    let mut first = server.window(&keys["me"]);
    first.choose(&["1"]);
    first.until_asked("lay");
    let mut second = server.window(&keys["me"]);
    assert_eq!(second.state["view"], first.state["view"]);
    second.choose_nth(0);
    first.until_asked("step");
    let there = first.until_equal(&mut second);
    let again = Server::on(server.data.clone(), server.pack.clone(), Wishes::default());
    let here = again.window(&keys["me"]);
    for same in ["view", "n", "offers", "log", "now"] {
        assert_eq!(here.state[same], there[same], "{same}");
    }
}

impl Window {
    /// Both have been told the same in the end.
    fn until_equal(&mut self, other: &mut Window) -> Json {
        let (mine, theirs) = (self.state["n"].as_u64(), other.state["n"].as_u64());
        self.wait_until("it knows as much", |state| state["n"].as_u64() >= theirs);
        other.wait_until("it knows as much", |state| state["n"].as_u64() >= mine);
        self.send(json!({ "type": "lang", "lang": "en" }));
        self.until("state")
    }
}

#[test]
fn a_bot_that_thinks_is_still_a_bot() {
    let server = Server::start();
    let keys = server.hush(&["me", "search:2s"], json!({}));
    let mut window = server.window(&keys["me"]);
    window.choose_nth(1);
    // However often one looks while it thinks, it is no person who is asked.
    let mut looks = 0;
    while !is_asked(&window.state) {
        looks += 1;
        assert!(looks < 400, "the bot never answers");
        std::thread::sleep(Duration::from_millis(50));
        window.ask(json!({ "type": "lang", "lang": "en" }));
        let bot = &window.state["seats"][1];
        assert_ne!(bot["doing"], "asked");
        assert_eq!(bot["here"], true);
        assert_eq!(window.state["may"]["download"], true);
    }
    assert_eq!(window.state["offers"][0]["prompt"], "lay");
}

#[test]
fn answers_are_taken_back_as_far_as_nothing_was_revealed() {
    let server = Server::start();
    let keys = server.hush(&["me", "me"], json!({}));
    let mut window = server.window(&keys["me"]);
    assert_eq!(
        window.ask(json!({ "type": "undo" }))["code"],
        "nothing-to-undo"
    );
    let before = window.state["view"].clone();
    window.choose(&["1"]);
    assert_eq!(window.ask(json!({ "type": "undo" }))["type"], "ok");
    assert_eq!(window.state["view"], before);
    // With the others' consent only.
    let keys = server.hush(&["me", "link"], json!({ "undo": "consent" }));
    let (mut ana, mut bea) = (server.window(&keys["me"]), server.window(&keys["seats"][1]));
    ana.choose(&["1"]);
    assert_eq!(ana.ask(json!({ "type": "undo" }))["type"], "ok");
    bea.wait_until("somebody asks to take back", |state| {
        !state["undo"]["wish"].is_null()
    });
    assert_eq!(
        bea.state["undo"]["wish"],
        json!({ "seat": 0, "waits_for": [1] })
    );
    assert_eq!(
        bea.ask(json!({ "type": "consent", "yes": true }))["type"],
        "ok"
    );
    ana.until_asked("step");
    assert_eq!(ana.state["view"]["players"][0]["points"], 0);
    // Dice were thrown: too late. And never where the table says so.
    let keys = server.hush(&["me", "random"], json!({ "undo": "none" }));
    let mut strict = server.window(&keys["me"]);
    strict.choose(&["1"]);
    assert_eq!(strict.ask(json!({ "type": "undo" }))["code"], "not-allowed");
}

#[test]
fn the_past_can_be_walked_through_and_changes_nothing() {
    let server = Server::start();
    let keys = server.hush(&["me", "random"], json!({}));
    let mut window = server.window(&keys["me"]);
    play_on(&mut window, 0);
    let end = window.state.clone();
    let mut at = end["n"].clone();
    let mut moments = 0;
    while !at.is_null() {
        let past = window.ask(json!({ "type": "past", "at": at }));
        assert_eq!((&past["at"], &past["now"]), (&at, &end["n"]));
        if moments == 0 {
            assert_eq!(past["view"], end["view"]);
        }
        moments += 1;
        at = past["before"].clone();
    }
    assert!(moments > 6, "{moments}");
    let log = window.ask(json!({ "type": "log", "before": 1_000_000 }));
    assert_eq!(log["lines"], {
        window.send(json!({ "type": "lang", "lang": "en" }));
        window.until("state")["log"].clone()
    });
}

#[test]
fn a_saved_match_is_downloaded_and_loaded_again() {
    let server = Server::start();
    let keys = server.hush(&["me", "link"], json!({}));
    let bearer = |key: &Json| format!("Bearer {}", key.as_str().unwrap());
    let key = bearer(&keys["me"]);
    let (status, _, body) =
        server.request("GET", "/api/transcript", &[("Authorization", &key)], b"");
    assert_eq!(status, 403, "it would tell the other's secrets: {body}");
    let keys = server.hush(&["me", "random"], json!({}));
    let mut window = server.window(&keys["me"]);
    window.choose(&["1"]);
    window.until_asked("lay");
    let key = bearer(&keys["me"]);
    let (status, _, saved) =
        server.request("GET", "/api/transcript", &[("Authorization", &key)], b"");
    assert!(
        status == 200 && saved.starts_with("ludoteca transcript"),
        "{saved}"
    );
    let (_, made) = server.post(
        "/api/matches",
        &json!({ "seats": ["me", "random"], "transcript": saved }),
    );
    let mut again = server.window(&made["keys"]["me"]);
    again.until_asked("lay");
    assert_eq!(again.state["view"], window.state["view"]);
}

#[test]
fn chat_is_told_to_all_and_can_be_switched_off() {
    let server = Server::start();
    let keys = server.hush(&["me", "link"], json!({}));
    let (mut ana, mut bea) = (server.window(&keys["me"]), server.window(&keys["seats"][1]));
    ana.ask(json!({ "type": "say", "text": "hola\n<b>" }));
    let heard = bea.until("chat");
    assert_eq!(
        (&heard["text"], &heard["seat"]),
        (&json!("hola <b>"), &json!(0))
    );
    let keys = server.hush(&["me", "random"], json!({ "chat": false }));
    let mut quiet = server.window(&keys["me"]);
    assert!(quiet.state["chat"].is_null());
    assert_eq!(
        quiet.ask(json!({ "type": "say", "text": "hola" }))["code"],
        "chat-off"
    );
}
