//! Content that changes: files edited under a match that is played, and matches whose content is another when they are gone on with.

use crate::support::{Pack, Server, Window, Wishes, hush};
use serde_json::json;
use std::sync::Arc;
use tempfile::TempDir;

fn edit(pack: &Pack, file: &str, from: &str, to: &str) {
    let mut files = pack.lock().unwrap();
    let text = files.get_mut(file).unwrap();
    assert!(text.contains(from), "{from}");
    *text = text.replace(from, to);
}

/// The number of the line something stands in.
fn line_of(pack: &Pack, file: &str, what: &str) -> usize {
    let files = pack.lock().unwrap();
    let found = files[file].lines().position(|line| line.contains(what));
    found.unwrap() + 1
}

const MANIFEST: &str = "scripts/hush/game.toml";
const RULES: &str = "scripts/hush/rules.rhai";

#[test]
fn an_edited_file_counts_in_the_running_match() {
    let server = Server::with(Wishes {
        watch: true,
        ..Wishes::default()
    });
    let keys = server.hush(&["me", "random"], json!({}));
    let mut window = server.window(&keys["me"]);
    window.choose(&["1"]);
    // The other has laid a card, unseen: three answers.
    window.wait_until("the other has laid a card", |state| {
        state["offers"][0]["prompt"] == "lay" && state["seats"][1]["doing"] == "chosen"
    });
    // A number of the rules: the answers hold.
    edit(&server.pack, MANIFEST, "value = 1", "value = 2");
    let told = window.until("reloaded");
    assert_eq!(
        (&told["files"], &told["kept"], &told["of"]),
        (&json!([MANIFEST]), &json!(3), &json!(3))
    );
    window.until("state");
    window.choose_nth(0);
    window.until_asked("step");
    assert_eq!(window.state["offers"][0]["amount"], json!([0, 2]));
    // A mistake: the old rules go on, and the page says where it is.
    edit(
        &server.pack,
        RULES,
        "fn score(p) { p.points }",
        "fn score(p) { p.pints }",
    );
    let line = line_of(&server.pack, RULES, "p.pints");
    let told = window.until("problem");
    let found = &told["diagnostics"][0];
    assert_eq!(
        (&found["file"], &found["line"]),
        (&json!(RULES), &json!(line)),
        "{told}"
    );
    assert_eq!(window.choose(&["2"])["type"], "ok");
    window.until_asked("lay");
    edit(&server.pack, RULES, "p.pints", "p.points");
    window.until("mended");
    // A look alone: nothing is played again.
    let before = window.state["declaration"].clone();
    edit(&server.pack, "looks/hush/look.toml", "felt", "sea");
    window.until("reloaded");
    let state = window.until("state");
    assert_ne!(state["declaration"], before);
    let (_, declared) = server.get(&format!(
        "/api/declarations/{}",
        state["declaration"].as_str().unwrap()
    ));
    assert_eq!(declared["look"]["ground"], "sea");
}

/// A match two answers old, whose content is then another.
fn left_alone(from: &str, to: &str) -> (Server, serde_json::Value) {
    let data = Arc::new(TempDir::new().unwrap());
    let server = Server::on(data.clone(), hush(), Wishes::default());
    let keys = server.hush(&["me", "me"], json!({}));
    let mut window = server.window(&keys["me"]);
    window.choose(&["1"]);
    window.until_asked("step");
    window.choose(&["1"]);
    window.until_asked("lay");
    let pack = hush();
    edit(&pack, MANIFEST, from, to);
    (
        Server::on(data, pack, Wishes::default()),
        keys["me"].clone(),
    )
}

fn told_of_change(server: &Server, key: &serde_json::Value, kept: usize) -> Window {
    let mut window = server.window(key);
    let content = window.state["content"].clone();
    assert_eq!(
        (&content["kept"], &content["of"], &content["still_there"]),
        (&json!(kept), &json!(2), &json!(true))
    );
    let refused = window.ask(json!({ "type": "choose", "ask": 1, "seat": 0, "keys": ["1"] }));
    assert_eq!(refused["code"], "other-content");
    window
}

#[test]
fn a_match_goes_on_with_the_content_it_began_with() {
    let (server, key) = left_alone("value = 1", "value = 0");
    let mut window = told_of_change(&server, &key, 0);
    assert_eq!(
        window.ask(json!({ "type": "content", "go": "on" }))["type"],
        "ok"
    );
    window.until_asked("lay");
    assert_eq!(window.state["view"]["players"][1]["points"], 1);
    // And so it does next time, unasked.
    let again = Server::on(server.data.clone(), server.pack.clone(), Wishes::default());
    let mut window = again.window(&key);
    assert!(window.state["content"].is_null());
    window.until_asked("lay");
}

#[test]
fn or_is_played_again_as_far_as_it_goes() {
    let (server, key) = left_alone("round_limit = 3", "round_limit = 2");
    let mut window = told_of_change(&server, &key, 2);
    assert_eq!(
        window.ask(json!({ "type": "content", "go": "replay" }))["type"],
        "ok"
    );
    window.until_asked("lay");
    let again = Server::on(server.data.clone(), server.pack.clone(), Wishes::default());
    assert!(again.window(&key).state["content"].is_null());
}
