//! What a socket is told depends only on what its seat may see: twins that differ in hidden things alone give the same bytes.

use crate::support::{Server, Window};
use serde_json::{Value as Json, json};

/// Everything both seats and a watcher are told in a match, without what names the match itself.
fn streams(server: &Server, seed: &str, picks: [&str; 3]) -> [Vec<String>; 3] {
    let keys = server.hush(&["me", "link"], json!({ "seed": seed }));
    let mut ana = server.window(&keys["me"]);
    let mut watcher = server.window(&keys["watch"]);
    let mut bea = server.window(&keys["seats"][1]);
    // All have come before anything happens.
    let everybody = |window: &mut Window| {
        window.wait_until("both players are here", |state| {
            state["seats"][0]["here"] == true && state["seats"][1]["here"] == true
        });
    };
    everybody(&mut ana);
    everybody(&mut watcher);
    for pick in picks {
        ana.until_asked("step");
        takes(&mut ana, "1");
        bea.until_asked("step");
        takes(&mut bea, "0");
        bea.until_asked("lay");
        let hand = bea.state["offers"][0]["options"].clone();
        let key = option(&hand, pick);
        takes(&mut bea, &key);
        ana.until_asked("lay");
        // The same of one's own cards in both matches: the first as the page lists them.
        let own = ana.state["offers"][0]["options"][0]["key"].clone();
        takes(&mut ana, own.as_str().unwrap());
    }
    ana.until_over();
    bea.until_over();
    watcher.until_over();
    let names = [
        &keys["me"],
        &keys["watch"],
        &keys["seats"][1],
        &ana.state["match"],
    ];
    let names: Vec<String> = names
        .iter()
        .map(|name| name.as_str().unwrap().to_string())
        .collect();
    [ana.stream, bea.stream, watcher.stream].map(|stream| {
        let nameless = |text: String| {
            names
                .iter()
                .fold(text, |text, name| text.replace(name, "*"))
        };
        stream.into_iter().map(nameless).collect()
    })
}

fn takes(window: &mut Window, key: &str) {
    let said = window.choose(&[key]);
    assert_eq!(said["type"], "ok", "{said}");
}

/// One of the cards in a hand: the first, or the last.
fn option(hand: &Json, which: &str) -> String {
    let options = hand.as_array().unwrap();
    let found = if which == "first" {
        options.first()
    } else {
        options.last()
    };
    found.unwrap()["key"].as_str().unwrap().to_string()
}

#[test]
fn what_another_chooses_in_secret_reaches_nobody() {
    let server = Server::start();
    let [ana, bea, watcher] = streams(&server, "7", ["first"; 3]);
    let [other_ana, other_bea, other_watcher] = streams(&server, "7", ["last"; 3]);
    assert_ne!(bea, other_bea, "she has chosen otherwise");
    assert!(bea.join("\n").contains("guess"), "she sees her own");
    assert_eq!(ana, other_ana);
    assert_eq!(watcher, other_watcher);
    assert!(ana.len() > 10);
}

#[test]
fn a_watcher_is_told_the_same_whatever_was_dealt() {
    let server = Server::start();
    let [ana, _, watcher] = streams(&server, "7", ["first"; 3]);
    let told = watcher.join("\n");
    for secret in ["\"one\"", "\"two\"", "\"three\"", "guess"] {
        assert!(!told.contains(secret), "{secret} in {told}");
    }
    // Other cards everywhere; the dice come last, when the match is over.
    let [other_ana, _, other] = streams(&server, "8", ["first"; 3]);
    assert_ne!(ana, other_ana, "she was dealt others");
    let before_the_dice = |stream: &[String]| {
        let end = stream
            .iter()
            .position(|text| text.contains("rolled"))
            .unwrap();
        stream[..end].to_vec()
    };
    assert_eq!(before_the_dice(&watcher), before_the_dice(&other));
}

#[test]
fn the_seed_is_told_to_nobody() {
    let server = Server::start();
    let keys = server.hush(&["me", "random"], json!({ "seed": "987654321987" }));
    let window = server.window(&keys["me"]);
    assert!(!window.stream.concat().contains("987654321987"));
}
