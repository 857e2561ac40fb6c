//! Who is let in, what browsers are told, and sentences for whatever cannot be done.

use crate::support::{Server, Wishes};
use ludoteca_serve::{Rate, Rates};
use serde_json::json;

#[test]
fn wrong_wishes_get_a_sentence_in_the_readers_language() {
    let server = Server::start();
    let cases = [
        (
            json!({ "game": "nowhere", "seats": ["me"] }),
            404,
            "No hay ningún juego «nowhere».",
        ),
        (
            json!({ "game": "hush", "seats": ["me"] }),
            400,
            "Este juego es para 2 a 3 jugadores, no 1.",
        ),
        (
            json!({ "game": "hush", "seats": ["me", "me", "me", "me"] }),
            400,
            "Este juego es para 2 a 3 jugadores, no 4.",
        ),
        (
            json!({ "game": "hush", "seats": ["me", "nobody"] }),
            400,
            "Nadie que se llame «nobody» puede sentarse.",
        ),
        (
            json!({ "game": "hush", "seats": ["me", "random"], "seed": "x" }),
            400,
            "«x» no es una semilla: hace falta un número entero.",
        ),
        (
            json!({ "game": "hush", "seats": ["me", "random"], "transcript": "x" }),
            400,
            "No es una partida guardada",
        ),
        (
            json!({ "game": "hush", "seats": ["me", "random"], "set": { "bonus": "9" } }),
            400,
            "El contenido del juego tiene errores",
        ),
        (
            json!({ "game": "hush", "seats": ["me", "random"], "variants": ["x"] }),
            400,
            "El contenido del juego tiene errores",
        ),
        (
            json!({ "game": "hush", "seats": "me" }),
            400,
            "No se entiende el pedido",
        ),
        (json!({ "games": "hush" }), 400, "No se entiende el pedido"),
    ];
    for (wish, status, sentence) in cases {
        let body = wish.to_string();
        let (found, _, text) = server.request(
            "POST",
            "/api/matches",
            &[("Accept-Language", "es-AR,es")],
            body.as_bytes(),
        );
        assert_eq!(found, status, "{wish}");
        let told: serde_json::Value = serde_json::from_str(&text).unwrap();
        let told = told["error"]["text"].as_str().unwrap();
        assert!(told.starts_with(sentence), "{told}");
    }
}

#[test]
fn wrong_messages_get_a_sentence_and_change_nothing() {
    let server = Server::start();
    let mut nobody = server.silent_window();
    nobody
        .send(json!({ "type": "hello", "key": "0123456789abcdef0123456789abcdef", "lang": "en" }));
    let told = nobody.next().unwrap();
    assert_eq!(told["text"], "This link leads to no match of this server.");
    assert_eq!(nobody.next().unwrap_err(), "4001");
    let keys = server.hush(&["me", "link"], json!({}));
    let mut window = server.window(&keys["me"]);
    let before = window.state.clone();
    let cases = [
        (
            json!({ "type": "choose", "ask": 0, "seat": 0, "keys": ["9"] }),
            "unknown-option",
        ),
        (
            json!({ "type": "choose", "ask": 0, "seat": 0, "keys": [] }),
            "wrong-count",
        ),
        (
            json!({ "type": "choose", "ask": 0, "seat": 0, "keys": ["1", "1"] }),
            "twice",
        ),
        (
            json!({ "type": "choose", "ask": 4, "seat": 0, "keys": ["1"] }),
            "stale",
        ),
        (
            json!({ "type": "choose", "ask": 0, "seat": 1, "keys": ["1"] }),
            "not-asked",
        ),
        (
            json!({ "type": "choose", "ask": 0, "seat": 200, "keys": ["1"] }),
            "not-asked",
        ),
        (
            json!({ "type": "sit", "seat": 1, "name": "Eva" }),
            "not-allowed",
        ),
        (
            json!({ "type": "sit", "seat": 0, "name": "  " }),
            "bad-name",
        ),
        (
            json!({ "type": "sit", "seat": 0, "name": "x".repeat(25) }),
            "bad-name",
        ),
        (json!({ "type": "look", "seat": 1 }), "not-allowed"),
        (json!({ "type": "consent", "yes": true }), "nothing-to-undo"),
        (
            json!({ "type": "say", "text": "x".repeat(301) }),
            "too-long",
        ),
        (json!({ "type": "content", "go": "on" }), "bad-request"),
        (json!({ "type": "dance" }), "bad-request"),
        (
            json!({ "type": "choose", "ask": 0, "seat": 0, "keys": ["1"], "more": 1 }),
            "bad-request",
        ),
        (json!({ "type": "choose" }), "bad-request"),
    ];
    for (message, code) in cases {
        let told = window.ask(message.clone());
        assert_eq!(
            (&told["type"], &told["code"]),
            (&json!("error"), &json!(code)),
            "{message}: {told}"
        );
        assert!(told["text"].as_str().unwrap().ends_with('.'), "{told}");
    }
    assert_eq!(window.state["view"], before["view"]);
    assert_eq!(window.state["n"], before["n"]);
}

#[test]
fn pages_of_others_cannot_act() {
    let server = Server::start();
    let body = json!({ "game": "hush", "seats": ["me", "random"] }).to_string();
    let ours = format!("http://{}", server.address);
    let port = server.address.port();
    let post = |headers: &[(&str, &str)]| {
        server
            .request("POST", "/api/matches", headers, body.as_bytes())
            .0
    };
    assert_eq!(post(&[("Origin", &ours)]), 200);
    assert_eq!(post(&[("Origin", "http://evil.example")]), 403);
    assert_eq!(post(&[("Origin", "null")]), 403);
    let rebound = format!("evil.example:{port}");
    let origin = format!("http://{rebound}");
    assert_eq!(
        post(&[("Host", &rebound), ("Origin", &origin)]),
        403,
        "a name of theirs that leads here"
    );
    let upgrade = [
        ("Upgrade", "websocket"),
        ("Connection", "Upgrade"),
        ("Sec-WebSocket-Version", "13"),
        ("Sec-WebSocket-Key", "AAAAAAAAAAAAAAAAAAAAAA=="),
        ("Origin", "http://evil.example"),
    ];
    assert_eq!(server.request("GET", "/api/socket", &upgrade, b"").0, 403);
}

#[test]
fn answers_let_nothing_run_but_our_own_files() {
    let server = Server::start();
    for path in [
        "/",
        "/table",
        "/api/lobby",
        "/no-such-page",
        "/rules/nowhere",
        "/api/games/nowhere",
    ] {
        let (_, head, _) = server.request("GET", path, &[], b"");
        let head = head.to_lowercase();
        assert!(
            head.contains("content-security-policy: default-src 'none'; script-src 'self'"),
            "{path}: {head}"
        );
        assert!(!head.contains("unsafe"), "{head}");
        assert!(
            head.contains("x-content-type-options: nosniff")
                && head.contains("referrer-policy: no-referrer")
        );
        assert!(!head.contains("set-cookie"));
    }
    for path in [
        "/../Cargo.toml",
        "/%2e%2e/Cargo.toml",
        "/.git/config",
        "/style/../../Cargo.toml",
        "//etc/passwd",
    ] {
        assert_eq!(server.request("GET", path, &[], b"").0, 404, "{path}");
    }
}

#[test]
fn a_base_path_moves_everything() {
    let server = Server::with(Wishes {
        base_path: "/juegos",
        ..Wishes::default()
    });
    assert_eq!(server.request("GET", "/juegos/", &[], b"").0, 200);
    assert_eq!(server.request("GET", "/juegos/table", &[], b"").0, 200);
    assert_eq!(server.request("GET", "/juegos", &[], b"").0, 308);
    assert_eq!(server.get("/juegos/api/lobby").0, 200);
    assert_eq!(server.get("/api/lobby").0, 404);
}

#[test]
fn nobody_may_ask_too_often() {
    let few = Rate {
        at_once: 3.0,
        a_second: 0.001,
    };
    let rates = Rates {
        new_matches: few,
        messages: few,
        ..Rates::unlimited()
    };
    let server = Server::with(Wishes {
        rates,
        ..Wishes::default()
    });
    let keys = server.hush(&["me", "random"], json!({}));
    let wish = json!({ "game": "hush", "seats": ["me", "random"] });
    let found: Vec<u16> = (0..4)
        .map(|_| server.post("/api/matches", &wish).0)
        .collect();
    assert_eq!(found, [200, 200, 429, 429]);
    let mut window = server.window(&keys["me"]);
    for _ in 0..3 {
        window.send(json!({ "type": "lang", "lang": "en" }));
    }
    window.until("ok");
    window.send(json!({ "type": "lang", "lang": "en" }));
    assert_eq!(window.until("error")["code"], "too-many");
}
