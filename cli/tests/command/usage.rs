//! Exit codes, and readers who go away.

use crate::support::{Folder, command};
use std::process::Stdio;

#[test]
fn what_is_wrong_with_the_command_line_is_exit_code_2() {
    let folder = Folder::with_game();
    let wrong: &[&[&str]] = &[
        &["fly"],
        &["play", "--stdio"],
        &["play", "heap", "--players", "9"],
        &["play", "heap", "--seats", "human,human,human"],
        &["play", "heap", "--seats", "ghost"],
        &["play", "heap", "--seats", "remote"],
        &["play", "heap", "--stdio", "--seats", "human"],
        &["play", "heap", "--lang", "fr"],
        &["play", "heap", "--load", "nowhere.transcript"],
        &["sim", "heap", "--set", "heap"],
        &["sim", "heap", "--bots", "random,random,random"],
        &["replay", "nowhere.transcript"],
        &["schema", "gamme"],
        &["test", "nothing-of-that-name"],
        &["--content", "nowhere", "list"],
    ];
    for args in wrong {
        let said = folder.heap(args);
        assert_eq!(said.code, 2, "{args:?}: {}", said.all());
        assert!(
            said.out.is_empty() && !said.err.is_empty(),
            "{args:?}: {}",
            said.all()
        );
    }
}

#[test]
fn who_plays_without_a_terminal_is_told_what_to_do() {
    let folder = Folder::with_game();
    for (args, line) in [
        (&["play"][..], "ludoteca play GAME --browser"),
        (&["play", "heap"][..], "ludoteca play heap --browser"),
    ] {
        let mut playing = command(&folder.inside("heap"), args);
        let said = playing.stdin(Stdio::null()).output().unwrap();
        let told = String::from_utf8_lossy(&said.stderr);
        assert_eq!(said.status.code(), Some(2), "{args:?}: {told}");
        assert!(said.stdout.is_empty() && told.contains(line), "{told}");
    }
}

#[test]
fn what_is_wrong_with_a_game_is_exit_code_1() {
    let folder = Folder::with_game();
    for args in [
        &["play", "haep"][..],
        &["sim", "heap", "--variant", "none"],
        &["explain", "heap", "hepa"],
        &["diff", "heap", "base", "none"],
    ] {
        let said = folder.heap(args);
        assert_eq!(said.code, 1, "{args:?}: {}", said.all());
    }
}

#[test]
fn json_is_one_object_on_standard_output() {
    let folder = Folder::with_game();
    let reports: &[&[&str]] = &[
        &["list", "--json"],
        &["check", "heap", "--json"],
        &["test", "heap", "--json"],
        &["sim", "heap", "-n", "20", "--json"],
        &["sim", "heap", "-n", "20", "--json", "--verify"],
        &["explain", "heap", "heap", "--json"],
        &["diff", "heap", "base", "heap=9", "--json"],
        &["api", "--json"],
        &["api", "heap", "--json"],
        &["schema", "game"],
    ];
    for args in reports {
        let said = folder.heap(args);
        assert_eq!(said.code, 0, "{args:?}: {}", said.err);
        let parsed: serde_json::Value =
            serde_json::from_str(&said.out).unwrap_or_else(|error| panic!("{args:?}: {error}"));
        assert!(parsed.is_object(), "{args:?}");
    }
}

#[test]
fn a_reader_who_goes_away_is_no_fault() {
    let folder = Folder::new();
    let mut child = command(&folder.path, &["api"]).spawn().unwrap();
    drop(child.stdout.take());
    let ended = child.wait_with_output().unwrap();
    assert_eq!(
        (
            ended.status.code(),
            String::from_utf8(ended.stderr).unwrap()
        ),
        (Some(0), String::new())
    );
}

#[test]
fn the_same_seed_gives_the_same_result_on_any_number_of_threads() {
    let folder = Folder::with_game();
    let summary = |jobs: &str| {
        let said = folder.heap(&[
            "sim", "heap", "-n", "200", "--seed", "5", "--jobs", jobs, "--json",
        ]);
        let report: serde_json::Value = serde_json::from_str(&said.out).unwrap();
        report["summary"].clone()
    };
    assert_eq!(summary("1"), summary("3"));
}
