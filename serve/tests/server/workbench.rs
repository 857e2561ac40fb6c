//! The workbench: what is typed is checked, compared and played before it is saved, and nothing of somebody else's is overwritten.

use crate::support::{Server, TOKEN, Wishes, hush};
use serde_json::{Value as Json, json};
use std::path::Path;
use std::time::{Duration, Instant};
use tempfile::TempDir;

struct Bench {
    server: Server,
    folder: TempDir,
}

const MANIFEST: &str = "scripts/hush/game.toml";
const VARIANT: &str = "variants/hush/mine.toml";

impl Bench {
    fn start() -> Bench {
        let folder = TempDir::new().unwrap();
        for (path, text) in hush().lock().unwrap().iter() {
            write(folder.path(), path, text);
        }
        let server = Server::with(Wishes {
            edit: Some(folder.path().to_path_buf()),
            ..Wishes::default()
        });
        Bench { server, folder }
    }

    fn request(&self, method: &str, path: &str, body: &Json) -> (u16, Json) {
        let key = format!("Bearer {TOKEN}");
        let body = body.to_string();
        let path = format!("/api/workbench{path}");
        let headers = [("Authorization", key.as_str())];
        let (status, _, text) = self
            .server
            .request(method, &path, &headers, body.as_bytes());
        (status, serde_json::from_str(&text).unwrap_or(Json::Null))
    }

    fn act(&self, what: &str, body: Json) -> Json {
        let (status, told) = self.request("POST", &format!("/{what}"), &body);
        assert_eq!(status, 200, "{what} {body}: {told}");
        told
    }

    fn refused(&self, what: &str, body: Json) -> Json {
        let (status, told) = self.request("POST", &format!("/{what}"), &body);
        assert!((400..500).contains(&status), "{status} {told}");
        told["error"]["code"].clone()
    }

    fn state(&self, variant: &str) -> Json {
        let (status, told) =
            self.request("GET", &format!("?game=hush&variant={variant}"), &Json::Null);
        assert_eq!(status, 200, "{told}");
        told
    }

    fn edit(&self, variant: &str, key: &str, value: Option<&str>, was: Option<&str>) -> Json {
        json!({ "game": "hush", "variant": variant, "key": key, "value": value, "was": was })
    }

    fn on_disk(&self, path: &str) -> Option<String> {
        std::fs::read_to_string(self.folder.path().join(path)).ok()
    }
}

fn write(folder: &Path, path: &str, text: &str) {
    let full = folder.join(path);
    std::fs::create_dir_all(full.parent().unwrap()).unwrap();
    std::fs::write(full, text).unwrap();
}

/// The cell of the bonus.
fn bonus(state: &Json) -> Json {
    let groups = state["numbers"].as_array().unwrap().iter();
    let rows = groups.flat_map(|group| group["rows"].as_array().unwrap());
    let mut cells = rows.flat_map(|row| row["cells"].as_array().unwrap());
    cells.find(|cell| cell["key"] == "bonus").unwrap().clone()
}

#[test]
fn nobody_edits_without_the_token() {
    let bench = Bench::start();
    let wrong = [("Authorization", "Bearer 0123456789abcdef0123456789abcdee")];
    for headers in [&wrong[..], &[]] {
        for (method, path) in [("GET", "/api/workbench"), ("POST", "/api/workbench/save")] {
            assert_eq!(bench.server.request(method, path, headers, b"{}").0, 403);
        }
    }
    assert_eq!(
        Server::start().get("/api/workbench").0,
        404,
        "nothing is edited there"
    );
    assert_eq!(bench.server.request("GET", "/edit", &[], b"").0, 200);
    for file in [
        "/workbench/main.js",
        "/client/dom.js",
        "/workbench/style.css",
    ] {
        assert_eq!(bench.server.request("GET", file, &[], b"").0, 200, "{file}");
    }
}

#[test]
fn a_change_is_a_sparse_variant_that_is_saved_when_one_says_so() {
    let bench = Bench::start();
    bench.act("begin", json!({ "game": "hush", "name": "mine" }));
    for name in ["Mine", "", "base", "a b", "../x"] {
        assert_eq!(
            bench.refused("begin", json!({ "game": "hush", "name": name })),
            "bad-name"
        );
    }
    assert_eq!(
        bench.refused("begin", json!({ "game": "hush", "name": "mine" })),
        "taken-name"
    );
    bench.act("edit", bench.edit("mine", "bonus", Some("3"), Some("1")));
    let state = bench.state("mine");
    let cell = bonus(&state);
    assert_eq!(
        (&cell["value"], &cell["base"], &cell["max"]),
        (&json!(3), &json!(1), &json!(5))
    );
    let lines = state["changes"][0]["lines"].as_array().unwrap();
    assert!(
        lines.contains(&json!({ "sign": "+", "text": "\"bonus\" = 3" })),
        "{lines:?}"
    );
    assert_eq!(bench.on_disk(VARIANT), None, "nothing is saved yet");
    // Somebody else has written there meanwhile: what one saw is not what one would change.
    let stale = bench.edit("mine", "bonus", Some("5"), Some("1"));
    assert_eq!(bench.refused("edit", stale), "stale");
    assert_eq!(
        bench.refused("edit", bench.edit("mine", "bonus", Some("1 2"), None)),
        "bad-request"
    );
    // Outside its range: said with file and line, and the cell is that of the line.
    bench.act("edit", bench.edit("mine", "bonus", Some("9"), None));
    let state = bench.state("mine");
    let problem = &state["problems"][0];
    assert_eq!(
        (&problem["severity"], &problem["path"]),
        (&json!("error"), &json!(VARIANT))
    );
    assert_eq!(bonus(&state)["at"], json!([VARIANT, problem["line"]]));
    assert_eq!(state["declaration"], Json::Null, "it cannot be played");
    bench.act("undo", json!({}));
    assert_eq!(bonus(&bench.state("mine"))["value"], 3);
    assert_eq!(bonus(&bench.state("mine"))["misfit"], Json::Null);
    // What is no whole number is told as it is written.
    for written in ["2.5", "\"abc\""] {
        bench.act("edit", bench.edit("mine", "bonus", Some(written), None));
        assert_eq!(bonus(&bench.state("mine"))["misfit"], written);
        bench.act("undo", json!({}));
    }
    // A match with the edit in it, which is still on nobody's disk.
    let made = bench.act(
        "play",
        json!({ "game": "hush", "variant": "mine", "seats": ["me", "random"] }),
    );
    let window = bench.server.window(&made["keys"]["me"]);
    assert_eq!(window.state["offers"][0]["amount"], json!([0, 3]));
    assert_eq!(bench.act("save", json!({}))["saved"], json!([VARIANT]));
    assert!(bench.on_disk(VARIANT).unwrap().contains("\"bonus\" = 3\n"));
    assert_eq!(bench.state("mine")["changes"], json!([]));
    let (_, about) = bench.server.get("/api/games/hush?variant=mine");
    assert_eq!(about["parameters"][0]["value"], 3, "the lobby has it");
    // Back to what the base has: the line is gone.
    bench.act("edit", bench.edit("mine", "bonus", None, Some("3")));
    bench.act("save", json!({}));
    assert!(!bench.on_disk(VARIANT).unwrap().contains("bonus"));
}

#[test]
fn the_game_itself_is_edited_where_its_values_are_written() {
    let bench = Bench::start();
    let before = bench.on_disk(MANIFEST).unwrap();
    bench.act("edit", bench.edit("", "bonus", Some("2"), Some("1")));
    bench.act(
        "edit",
        bench.edit("", "cards.two.worth", Some("7"), Some("2")),
    );
    bench.act(
        "edit",
        bench.edit("", "cards.two.name.en", Some("\"Twain\""), None),
    );
    let (_, cards) = bench.request("GET", "/cards?game=hush&variant=", &Json::Null);
    let rows = cards["kinds"][0]["rows"].as_array().unwrap();
    let two = rows.iter().find(|row| row["id"] == "two").unwrap();
    assert_eq!(
        (&two["id"], &two["cells"]["name.en"]["text"]),
        (&json!("two"), &json!("Twain")),
        "{cards}"
    );
    assert_eq!(
        (
            &two["cells"]["worth"]["toml"],
            &two["cells"]["worth"]["base"]
        ),
        (&json!("7"), &json!("2"))
    );
    bench.act("save", json!({}));
    assert_eq!(
        bench.on_disk(MANIFEST).unwrap(),
        before.replace("value = 1", "value = 2")
    );
    assert!(
        bench
            .on_disk("cards/hush/numbers.toml")
            .unwrap()
            .contains("en = \"Twain\" }\ncopies = 4\nworth = 7")
    );
    // The base is what was there when the workbench was opened.
    assert_eq!(bonus(&bench.state(""))["base"], 1);
}

#[test]
fn a_card_gets_what_it_left_out() {
    let bench = Bench::start();
    let cards = "cards/hush/numbers.toml";
    let text = bench.on_disk(cards).unwrap();
    assert!(text.contains("copies = 4\n"), "{text}");
    write(
        bench.folder.path(),
        cards,
        &text.replacen("copies = 4\n", "", 1),
    );
    bench.act("settle", json!({ "path": cards, "mine": false }));
    let copies = |variant: &str| {
        let (_, cards) = bench.request(
            "GET",
            &format!("/cards?game=hush&variant={variant}"),
            &Json::Null,
        );
        let kind = cards["kinds"][0].clone();
        assert!(
            kind["columns"]
                .as_array()
                .unwrap()
                .contains(&json!("copies"))
        );
        let rows = kind["rows"].as_array().unwrap().clone();
        let row = rows
            .into_iter()
            .find(|row| row["cells"]["copies"].is_null() || row["cells"]["copies"]["toml"] == "3");
        row.map(|row| (row["id"].clone(), row["cells"]["copies"]["toml"].clone()))
    };
    let (id, none) = copies("").unwrap();
    assert_eq!(none, Json::Null);
    let key = format!("cards.{}.copies", id.as_str().unwrap());
    bench.act("begin", json!({ "game": "hush", "name": "mine" }));
    bench.act("edit", bench.edit("mine", &key, Some("3"), None));
    assert_eq!(copies("mine"), Some((id.clone(), json!("3"))));
    assert_eq!(bench.state("mine")["problems"], json!([]));
    bench.act("edit", bench.edit("", &key, Some("3"), None));
    assert_eq!(copies(""), Some((id, json!("3"))));
    assert_eq!(bench.state("")["problems"], json!([]));
}

const SCENARIO: &str = "game = \"hush\"\n\n[[scenario]]\ntitle = \"One\"\nplayers = 2\nrun = [\"score(p0)\"]\n[scenario.expect.players]\np0 = { points = 0 }\n\n[[scenario]]\ntitle = \"Two\"\nplayers = 2\nrun = [\"score(p0)\"]\n[scenario.expect.players]\np0 = { pints = 0 }\n";

#[test]
fn what_is_wrong_with_a_scenario_is_told_among_the_problems() {
    let bench = Bench::start();
    let path = "tests/scenarios/hush/points.toml";
    let was = bench
        .request("GET", &format!("/text?path={path}"), &Json::Null)
        .1;
    assert_eq!(was["error"]["code"], "not-found", "{was}");
    write(bench.folder.path(), path, SCENARIO);
    bench.act("settle", json!({ "path": path, "mine": false }));
    let mut told = bench.state("");
    while told["problems"] == json!([]) {
        let since = told["rev"].clone();
        told = bench
            .request(
                "GET",
                &format!("?game=hush&variant=&since={since}"),
                &Json::Null,
            )
            .1;
    }
    let problem = &told["problems"][0];
    assert_eq!(
        (&problem["path"], &problem["line"]),
        (&json!(path), &json!(15)),
        "{told}"
    );
    assert_eq!(problem["file"], path, "within the pack, wherever it lies");
    assert!(
        problem["fix"]["text"].as_str().unwrap().contains("points"),
        "{problem}"
    );
    let (_, run) = bench.request("GET", "/scenarios?game=hush", &Json::Null);
    assert_eq!(
        (run["scenarios"].as_array().unwrap().len(), &run["unread"]),
        (1, &json!(1)),
        "{run}"
    );
    assert_eq!(run["scenarios"][0]["file"], path);
    assert_eq!(
        run["written"], told["written"],
        "nothing was written meanwhile"
    );
}

#[test]
fn a_misspelt_word_is_mended_by_a_click() {
    let bench = Bench::start();
    let path = "scripts/hush/rules.rhai";
    let (_, file) = bench.request("GET", &format!("/text?path={path}"), &Json::Null);
    let text = file["text"]
        .as_str()
        .unwrap()
        .replace("fn score(p) { p.points }", "fn score(p) { p.pints }");
    assert_eq!(
        bench.refused("text", json!({ "path": path, "text": text, "was": "0" })),
        "stale"
    );
    bench.act(
        "text",
        json!({ "path": path, "text": text, "was": file["hash"] }),
    );
    let state = bench.state("");
    let problem = &state["problems"][0];
    assert_eq!(problem["path"], path, "{problem}");
    bench.act("fix", problem["fix"].clone());
    assert_eq!(bench.state("")["problems"], json!([]));
    assert_eq!(
        bench.state("")["changes"],
        json!([]),
        "it is as on disk again"
    );
    assert_eq!(bench.refused("fix", problem["fix"].clone()), "stale");
    for outside in [
        "../x.toml",
        "/etc/passwd",
        "scripts/../../x.toml",
        "README",
        ".git/config",
        "x.toml",
        "",
    ] {
        let wish = json!({ "path": outside, "text": "", "was": "2d06800538d394c2" });
        assert_eq!(bench.refused("text", wish), "bad-request", "{outside}");
    }
}

#[test]
fn what_somebody_else_saves_is_seen_and_never_overwritten() {
    let bench = Bench::start();
    bench.act("begin", json!({ "game": "hush", "name": "mine" }));
    bench.act("edit", bench.edit("mine", "bonus", Some("3"), None));
    bench.act("save", json!({}));
    bench.act("edit", bench.edit("mine", "bonus", Some("4"), None));
    let theirs = bench.on_disk(VARIANT).unwrap().replace("= 3", "= 2") + "# theirs\n";
    let since = bench.state("mine")["rev"].clone();
    write(bench.folder.path(), VARIANT, &theirs);
    // A page that waits hears of it.
    let (_, told) = bench.request(
        "GET",
        &format!("?game=hush&variant=mine&since={since}"),
        &Json::Null,
    );
    assert_eq!(told["clashes"], json!([VARIANT]));
    assert_eq!(bench.refused("save", json!({})), "changed-on-disk");
    assert_eq!(bench.on_disk(VARIANT).unwrap(), theirs);
    bench.act("settle", json!({ "path": VARIANT, "mine": false }));
    let state = bench.state("mine");
    assert_eq!(
        (&bonus(&state)["value"], &state["clashes"]),
        (&json!(2), &json!([]))
    );
    // Or one's own counts, if one says so.
    bench.act("edit", bench.edit("mine", "bonus", Some("5"), None));
    write(bench.folder.path(), VARIANT, &theirs.replace("= 2", "= 1"));
    bench.act("settle", json!({ "path": VARIANT, "mine": true }));
    bench.act("save", json!({}));
    let saved = bench.on_disk(VARIANT).unwrap();
    assert!(
        saved.contains("= 5") && saved.contains("# theirs"),
        "{saved}"
    );
}

#[test]
fn what_is_written_right_after_the_start_is_seen() {
    let bench = Bench::start();
    // The page has looked before the folder was looked at for the first time.
    let since = bench.state("")["rev"].clone();
    write(
        bench.folder.path(),
        VARIANT,
        "title = { es = \"Mía\", en = \"Mine\" }\nsummary = { es = \"Mía.\", en = \"Mine.\" }\n[set]\n\"bonus\" = 3\n",
    );
    let (_, told) = bench.request(
        "GET",
        &format!("?game=hush&variant=mine&since={since}"),
        &Json::Null,
    );
    assert_eq!(bonus(&told)["value"], 3, "{told}");
    let mut games = told["games"].as_array().unwrap().iter();
    let hush = games.find(|game| game["id"] == "hush").unwrap();
    assert_eq!(hush["variants"][0]["id"], "mine", "{told}");
}

#[test]
fn an_edit_is_compared_with_the_base_and_each_number_leads_to_a_game() {
    let bench = Bench::start();
    bench.act("begin", json!({ "game": "hush", "name": "mine" }));
    let wish =
        json!({ "game": "hush", "variant": "mine", "on": true, "bots": "random", "players": 2 });
    bench.act("against", wish.clone());
    bench.act("edit", bench.edit("mine", "bonus", Some("5"), None));
    let begun = Instant::now();
    let told = loop {
        let (_, told) = bench.request("GET", "/against", &Json::Null);
        if ["settled", "done"]
            .iter()
            .any(|status| told["status"] == *status)
        {
            break told;
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "{told}");
        std::thread::sleep(Duration::from_millis(50));
    };
    assert!(told["games"].as_u64().unwrap() >= 100);
    assert!(
        !told["verdict"]["headline"]["es"]
            .as_str()
            .unwrap()
            .is_empty()
    );
    let rows = told["rows"].as_array().unwrap();
    let seen = rows
        .iter()
        .find(|row| row["seen"] == true)
        .expect("six steps instead of two");
    assert!(
        seen["low"].as_f64() <= seen["value"].as_f64()
            && seen["value"].as_f64() <= seen["high"].as_f64()
    );
    for side in [0, 1] {
        let made = bench.act("replay", json!({ "side": side, "game": seen["game"] }));
        let window = bench.server.window(&made["keys"]["me"]);
        assert!(!window.state["end"].is_null(), "the game is over");
    }
    bench.act(
        "against",
        json!({ "game": "hush", "variant": "mine", "on": false, "bots": "random", "players": 2 }),
    );
    assert_eq!(
        bench.request("GET", "/against", &Json::Null).1["status"],
        "stopped"
    );
}

#[test]
fn what_was_counted_is_kept_where_nothing_is_changed() {
    let bench = Bench::start();
    bench.act("begin", json!({ "game": "hush", "name": "mine" }));
    bench.act("edit", bench.edit("mine", "bonus", Some("5"), None));
    let wish = |on: bool| json!({ "game": "hush", "variant": "mine", "on": on, "bots": "random", "players": 2 });
    let begun = Instant::now();
    let mut least = 0;
    // Hears of the comparison until there are so many games, and never of fewer than there were.
    let mut hear = |enough: &dyn Fn(&Json) -> bool| loop {
        let (_, told) = bench.request("GET", "/against", &Json::Null);
        let games = told["games"].as_u64().unwrap_or_default();
        assert!(games >= least, "{games} games after {least}: {told}");
        least = games;
        if enough(&told) {
            break;
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "{told}");
        std::thread::sleep(Duration::from_millis(10));
    };
    bench.act("against", wish(true));
    hear(&|told| told["games"].as_u64().unwrap_or_default() > 4);
    bench.act("against", wish(false));
    bench.act("against", wish(true));
    hear(&|told| told["status"] == "settled" || told["status"] == "done");
    bench.act("save", json!({}));
    hear(&|told| {
        told["stale"] == false && (told["status"] == "settled" || told["status"] == "done")
    });
}

#[test]
fn any_wish_gets_an_answer() {
    let bench = Bench::start();
    let whats = [
        "edit", "begin", "text", "fix", "undo", "settle", "save", "against", "play", "replay",
        "dance",
    ];
    let values = [
        json!(null),
        json!(0),
        json!(-1),
        json!("x"),
        json!("hush"),
        json!([]),
        json!({}),
        json!("\u{0}"),
        json!(u64::MAX),
        json!("../.."),
    ];
    let names = [
        "game", "variant", "key", "value", "was", "path", "text", "from", "mine", "on", "bots",
        "players", "seats", "side", "name",
    ];
    let mut luck = 19usize;
    let mut below = |most: usize| {
        luck = luck
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (luck >> 33) % most
    };
    let times = std::env::var("LUDOTECA_FUZZ")
        .ok()
        .and_then(|wanted| wanted.parse().ok());
    for _ in 0..times.unwrap_or(400usize) {
        let mut body = json!({});
        for _ in 0..below(8) {
            body[names[below(names.len())]] = values[below(values.len())].clone();
        }
        let what = whats[below(whats.len())];
        let (status, told) = bench.request("POST", &format!("/{what}"), &body);
        assert!(
            (200..500).contains(&status),
            "{status} {what} {body}: {told}"
        );
        let query = format!(
            "?game={}&variant={}",
            ["hush", "x", ""][below(3)],
            ["", "mine", "%00", "../x"][below(4)]
        );
        let (status, told) = bench.request("GET", &query, &Json::Null);
        assert!((200..500).contains(&status), "{status} {query}: {told}");
    }
    assert_eq!(bench.state("")["game"], "hush");
}
