//! Conversations with a program, bad lines included.

use crate::support::Folder;
use insta::assert_snapshot;
use serde_json::Value as Json;

const PLAY: &[&str] = &[
    "play", "heap", "--stdio", "--lang", "en", "--seed", "1", "--set", "heap=5",
];

#[test]
fn a_conversation() {
    let folder = Folder::with_game();
    assert_snapshot!(
        folder
            .heap_with(PLAY, "{\"choose\":\"3\"}\n\n{\"choose\":2}\n")
            .all()
    );
}

#[test]
fn bad_lines_change_nothing() {
    let folder = Folder::with_game();
    let bad = [
        "choose 3",
        "{\"choose\":",
        "[\"3\"]",
        "null",
        "{}",
        "{\"chose\":\"3\"}",
        "{\"choose\":\"3\",\"why\":1}",
        "{\"choose\":{\"key\":\"3\"}}",
        "{\"choose\":null}",
        "{\"choose\":\"4\"}",
        "{\"choose\":\"-1\"}",
        "{\"choose\":99999999999999999999}",
        "{\"choose\":[\"1\",\"2\"]}",
        "{\"choose\":[\"1\",\"1\"]}",
        "{\"choose\":[]}",
        "{\"choose\":\"3\",\"seat\":1}",
        "{\"choose\":\"3\",\"seat\":200}",
        "{\"choose\":\"3\",\"seat\":-1}",
        "{\"choose\":\"3\",\"seat\":\"p0\"}",
    ];
    let good = ["{\"choose\":\"3\",\"seat\":0}", "{\"choose\":\"2\"}"];
    let lines: Vec<&str> = bad.into_iter().chain(good).collect();
    let said = folder.heap_with(PLAY, &lines.join("\n"));
    let told: Vec<Json> = said
        .out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let errors: Vec<String> = told
        .iter()
        .filter(|object| object["type"] == "error")
        .map(Json::to_string)
        .collect();
    assert_eq!(errors.len(), bad.len());
    assert_eq!(
        told.iter()
            .filter(|object| object["type"] == "choice")
            .count(),
        2
    );
    assert_eq!(
        (said.code, &told.last().unwrap()["type"]),
        (0, &Json::from("end"))
    );
    let pairs: Vec<String> = bad
        .iter()
        .zip(errors)
        .map(|(line, error)| format!("{line}\n    {error}"))
        .collect();
    assert_snapshot!(pairs.join("\n"));
}

#[test]
fn bytes_that_are_no_text_and_lines_without_end_are_refused() {
    let folder = Folder::with_game();
    let long = format!(
        "{}\n{{\"choose\":\"3\"}}\n{{\"choose\":\"2\"}}",
        "x".repeat(3_000_000)
    );
    let said = folder.heap_with(PLAY, &long);
    let errors = said
        .out
        .lines()
        .filter(|line| line.contains("\"not-json\""))
        .count();
    assert_eq!((said.code, errors), (0, 1));
    assert!(said.out.lines().last().unwrap().contains("\"end\""));
}

#[test]
fn the_end_of_the_input_ends_cleanly_and_keeps_what_was_played() {
    let folder = Folder::with_game();
    let args: Vec<&str> = PLAY
        .iter()
        .copied()
        .chain(["--save", "left.transcript"])
        .collect();
    let said = folder.heap_with(&args, "{\"choose\":\"1\"}\n");
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(
        folder
            .read("heap/left.transcript")
            .ends_with("answers\np0 take 1\n")
    );
    // And goes on from there.
    let args = ["play", "heap", "--stdio", "--load", "left.transcript"];
    let said = folder.heap_with(&args, "{\"choose\":\"1\"}\n{\"choose\":\"3\"}\n");
    assert!(
        said.out.lines().last().unwrap().contains("\"ranking\""),
        "{}",
        said.all()
    );
}

/// A game that asks for several options, hides a hand, and asks everybody at once.
fn with_cards() -> Folder {
    let folder = Folder::with_game();
    folder.write(
        "heap/scripts/heap/game.toml",
        include_str!("cards/game.toml"),
    );
    folder.write(
        "heap/scripts/heap/rules.rhai",
        include_str!("cards/rules.rhai"),
    );
    folder.write(
        "heap/cards/heap/beasts.toml",
        include_str!("cards/beasts.toml"),
    );
    folder.write("heap/cards/heap/text.toml", include_str!("cards/text.toml"));
    folder
}

#[test]
fn several_options_and_choices_at_once() {
    let folder = with_cards();
    let lines = [
        "{\"choose\":[\"ant\",\"ant#2\"]}",
        "{\"choose\":[]}",
        "{\"seat\":1,\"choose\":\"right\"}",
        "{\"seat\":1,\"choose\":\"left\"}",
        "{\"seat\":0,\"choose\":\"left\"}",
    ];
    let said = folder.heap_with(
        &["play", "heap", "--stdio", "--lang", "en", "--seed", "1"],
        &lines.join("\n"),
    );
    assert_snapshot!(said.all());
}

#[test]
fn what_a_bot_does_in_secret_is_not_told() {
    let folder = with_cards();
    let lines = "{\"choose\":[\"ant\"]}\n{\"choose\":\"left\"}\n";
    let args = [
        "play",
        "heap",
        "--stdio",
        "--lang",
        "en",
        "--seed",
        "1",
        "--seats",
        "remote,random",
    ];
    let said = folder.heap_with(&args, lines);
    let told: Vec<Json> = said
        .out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let chosen = |seat: u8| {
        let mut of_seat = told.iter().filter(|told| told["event"] == "chosen");
        of_seat.any(|told| told["seat"] == seat)
    };
    assert!(chosen(0), "one hears of one's own choices");
    assert!(!chosen(1), "not even that something was chosen");
    for choice in told.iter().filter(|object| object["type"] == "choice") {
        assert!(
            choice["view"]["players"][1]["zones"]["hand"]
                .get("pieces")
                .is_none()
        );
    }
}

/// Whatever a program writes, a line is answered or refused with an error that is a line of JSON, and the match goes on.
#[test]
fn nonsense_from_a_program_is_refused_line_by_line() {
    let rounds = std::env::var("LUDOTECA_FUZZ").ok();
    let rounds = rounds.and_then(|n| n.parse().ok()).unwrap_or(3_000);
    let folder = Folder::with_game();
    let manifest = "heap/scripts/heap/game.toml";
    let (few, many) = (
        "value = 21, min = 5, max = 60",
        "value = 30000, min = 5, max = 30000",
    );
    folder.replace(manifest, few, many);
    folder.replace(manifest, "\nround_limit = 100\n", "\nround_limit = 30000\n");
    let mut luck: u64 = 18;
    let mut below = |limit: usize| {
        luck = luck
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (luck >> 33) as usize % limit
    };
    let sound = [
        r#"{"choose":"1"}"#,
        r#"{"choose":2,"seat":0}"#,
        r#"{"choose":["3"],"seat":1}"#,
        r#"{"choose":true,"seat":300}"#,
        r#"{"choose":{"a":[[[]]]},"seat":-1}"#,
        r#"{"choose":"\ud83d\u001b[2J","more":null}"#,
        r#"[{"choose":"/leave"}]"#,
        r#"{"choose":"/leave"}"#,
        r#"{"choose":1e400}"#,
        r#""choose""#,
    ];
    let mut input: Vec<u8> = Vec::new();
    for _ in 0..rounds {
        let mut line = sound[below(sound.len())].as_bytes().to_vec();
        for _ in 0..below(4) {
            let at = below(line.len() + 1);
            match below(4) {
                0 => drop(line.drain(at..(at + below(9)).min(line.len()))),
                1 => drop(line.splice(
                    at..at,
                    [0xff, 0, b'{', b'"', 27].into_iter().take(1 + below(5)),
                )),
                2 => line.truncate(at),
                _ => {
                    let again = line.clone();
                    drop(line.splice(at..at, again));
                }
            }
        }
        line.retain(|byte| *byte != b'\n');
        input.extend(line);
        input.push(b'\n');
    }
    input.extend("[".repeat(200_000).bytes());
    input.push(b'\n');
    let args = ["play", "heap", "--stdio", "--seats", "remote,random"];
    let mut child = crate::support::command(&folder.inside("heap"), &args)
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || {
        use std::io::Write;
        // A match that is over does not read on.
        let _ = stdin.write_all(&input);
    });
    let done = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert_eq!(
        done.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&done.stderr)
    );
    let told = String::from_utf8(done.stdout).expect("text");
    let (mut errors, mut choices) = (0, 0);
    for line in told.lines() {
        let object: serde_json::Value = serde_json::from_str(line).expect("a line of JSON");
        match object["type"].as_str() {
            Some("error") => errors += 1,
            Some("choice") => choices += 1,
            _ => {}
        }
        assert!(line.len() < 2_000_000 && !line.contains('\u{1b}'), "{line}");
    }
    assert!(
        errors > rounds / 10 && choices > rounds / 100,
        "{errors} refused, {choices} asked"
    );
}
