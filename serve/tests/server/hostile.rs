//! Bodies and messages of all kinds: each gets an answer or a closed door, and the server goes on. `LUDOTECA_FUZZ=100000` sends more.

use crate::support::{SILENCE, Server, Window};
use serde_json::{Value as Json, json};

/// A stream of numbers that is the same in every run.
struct Luck(u64);

impl Luck {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % most
    }
}

/// Another seed where somebody has time for more of them.
fn luck(usual: u64) -> Luck {
    let asked = std::env::var("LUDOTECA_SEED").ok();
    Luck(asked.and_then(|text| text.parse().ok()).unwrap_or(usual))
}

fn times() -> usize {
    let wanted = std::env::var("LUDOTECA_FUZZ").ok();
    wanted
        .and_then(|wanted| wanted.parse().ok())
        .unwrap_or(1500)
}

/// A message that means something, to be spoilt.
fn sensible(luck: &mut Luck, key: &Json) -> Json {
    let number = [0, 1, 2, 255, 256, -1, i64::MAX, i64::MIN][luck.below(8)];
    let text = [
        "", "1", "one", "one#2", "\u{0}", "💥", "-", "a>b", "p0", "../../x",
    ][luck.below(10)];
    match luck.below(13) {
        0 => json!({ "type": "hello", "key": key, "lang": "es" }),
        1 => json!({ "type": "sit", "seat": number, "name": text, "color": text }),
        2 | 3 => json!({ "type": "choose", "ask": number, "seat": number, "keys": [text] }),
        4 => json!({ "type": "choose", "ask": 0, "seat": 0, "keys": vec![text; luck.below(40)] }),
        5 => json!({ "type": "undo" }),
        6 => json!({ "type": "consent", "yes": true }),
        7 => json!({ "type": "hint", "seat": number, "on": true }),
        8 => json!({ "type": "say", "text": text.repeat(luck.below(200)) }),
        9 => json!({ "type": "look", "seat": number }),
        10 => json!({ "type": "log", "before": number }),
        11 => json!({ "type": "past", "at": number }),
        _ => json!({ "type": "content", "go": text }),
    }
}

/// The same with some of its letters changed, doubled, or gone.
fn spoilt(luck: &mut Luck, text: String) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for _ in 0..luck.below(4) {
        if letters.is_empty() {
            break;
        }
        let at = luck.below(letters.len());
        match luck.below(4) {
            0 => drop(letters.remove(at)),
            1 => {
                letters[at] =
                    ['"', '{', '}', '[', ']', ',', '9', 'e', '\\', '\u{7f}'][luck.below(10)]
            }
            2 => letters.truncate(at),
            _ => {
                let tail = letters[at..].to_vec();
                letters.extend(tail);
            }
        }
    }
    letters.into_iter().collect()
}

#[test]
fn any_message_gets_an_answer() {
    let server = Server::start();
    let keys = server.hush(&["me", "random"], json!({}));
    let mut luck = luck(19);
    let mut window = server.window(&keys["me"]);
    for round in 0..times() {
        let message = sensible(&mut luck, &keys["me"]).to_string();
        let text = if luck.below(2) == 0 {
            message
        } else {
            spoilt(&mut luck, message)
        };
        window.send_text(text.clone());
        answered(&mut window, &text);
        if round % 500 == 499 {
            window = server.window(&keys["me"]);
        }
    }
    assert_eq!(server.window(&keys["me"]).state["type"], "state");
}

/// Every message is answered by `ok`, `error`, `past` or `log`.
fn answered(window: &mut Window, text: &str) {
    loop {
        let told = window
            .next()
            .unwrap_or_else(|why| panic!("{why} after {text}"));
        if ["ok", "error", "past", "log"]
            .iter()
            .any(|kind| told["type"] == *kind)
        {
            return;
        }
    }
}

#[test]
fn any_body_gets_an_answer() {
    let server = Server::start();
    let mut luck = luck(91);
    let wish = json!({ "game": "hush", "seats": ["me", "random"], "variants": [], "set": { "bonus": "2" }, "seed": "1", "undo": "free", "chat": true });
    for _ in 0..times() / 5 {
        let path = [
            "/api/matches",
            "/api/matches/known",
            "/api/games/hush?variant=x",
            "/api/declarations/0",
            "/api/transcript",
        ][luck.below(5)];
        let body = spoilt(&mut luck, wish.to_string());
        let method = ["POST", "POST", "GET", "PUT"][luck.below(4)];
        let (status, _, _) = server.request(
            method,
            path,
            &[("Authorization", "Bearer \u{e9}")],
            body.as_bytes(),
        );
        assert!(
            (200..500).contains(&status),
            "{status} for {method} {path} {body}"
        );
    }
    let huge = vec![b'x'; 5 << 20];
    assert!([413, 0].contains(&server.request("POST", "/api/matches", &[], &huge).0));
    assert_eq!(server.get("/api/lobby").0, 200);
}

#[test]
fn first_words_that_are_none_close_the_door() {
    let server = Server::start();
    for text in [
        "",
        "hello",
        "{}",
        "[]",
        "{\"type\":\"undo\"}",
        "{\"type\":\"hello\"}",
    ] {
        let mut window = server.silent_window();
        window.send_text(text.into());
        assert_eq!(window.next().unwrap_err(), "4005", "{text}");
    }
    let keys = server.hush(&["me", "random"], json!({}));
    let mut window = server.window(&keys["me"]);
    window.send_text("x".repeat(70 << 10));
    let why = std::iter::repeat_with(|| window.next()).find_map(Result::err);
    assert_ne!(why.as_deref(), Some(SILENCE));
    assert_eq!(server.window(&keys["me"]).state["type"], "state");
}

#[test]
fn too_many_windows_of_one_seat_are_sent_away() {
    let server = Server::start();
    let keys = server.hush(&["me", "random"], json!({}));
    let open: Vec<Window> = (0..16).map(|_| server.window(&keys["me"])).collect();
    let mut one_more = server.silent_window();
    one_more.send(json!({ "type": "hello", "key": keys["me"], "lang": "en" }));
    assert_eq!(one_more.next().unwrap()["code"], "too-many-windows");
    assert_eq!(one_more.next().unwrap_err(), "4002");
    drop(open);
}

#[test]
fn who_does_not_read_is_sent_away_and_holds_nobody_up() {
    let server = Server::start();
    let keys = server.hush(&["me", "link"], json!({}));
    let mut deaf = server.window(&keys["seats"][1]);
    let mut ana = server.window(&keys["me"]);
    let other_is_here = |state: &Json| state["seats"][1]["here"] == true;
    ana.wait_until("both are here", other_is_here);
    // More than any buffer between the two holds.
    for _ in 0..6000 {
        deaf.send(json!({ "type": "lang", "lang": "en" }));
    }
    assert_eq!(ana.choose(&["1"])["type"], "ok");
    ana.wait_until("the other is gone", |state| !other_is_here(state));
}
