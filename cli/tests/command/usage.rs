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
fn a_usage_line_names_no_option_that_only_the_environment_set() {
    let folder = Folder::with_game();
    for (language, words) in [("en", "Usage: ludoteca play"), ("es", "Uso: ludoteca play")] {
        let run = |args: &[&str]| {
            let mut run = command(&folder.inside("heap"), args);
            let said = run.env("LUDOTECA_LANG", language).output().unwrap();
            assert_eq!(said.status.code(), Some(2));
            String::from_utf8(said.stderr).unwrap()
        };
        let said = run(&["play", "heap", "--wings"]);
        assert!(said.contains(words) && !said.contains("--lang"), "{said}");
    }
}

/// What cannot be written is told, nobody waits for a pipe, and nothing is left lying about.
#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_written_is_one_sentence() {
    let folder = Folder::with_game();
    let heap = folder.inside("heap");
    let match_of = &[
        "sim",
        "heap",
        "-n",
        "1",
        "--only",
        "0",
        "--out",
        "kept.match",
    ];
    assert_eq!(folder.heap(match_of).code, 0);
    let table_of = &["sim", "heap", "-n", "2", "--out", "kept.csv"];
    assert_eq!(folder.heap(table_of).code, 0);
    let compared = "compare heap -n 2 --set heap=12 --report ";
    let tuned = "tune heap -n 40 --param heap --goal rounds>=9 --out ";
    let commands = [
        ("sim heap -n 2 --out ", "csv"),
        ("sim heap -n 2 --out ", "parquet"),
        ("sim heap -n 2 --only 0 --out ", "match"),
        ("sim heap -n 2 --report ", "html"),
        (compared, "html"),
        ("sweep heap -n 2 --param heap=9..10 --report ", "html"),
        (tuned, "toml"),
        ("report kept.csv --report ", "html"),
        ("replay kept.match --log=", "txt"),
        ("play heap --seats random --save ", "match"),
        ("print conquista --only tokens -o ", "pdf"),
        ("print conquista --only tokens -o ", "svg"),
        ("table export conquista prices -o ", "csv"),
        ("table export conquista prices -o ", "xlsx"),
    ];
    for (command, ending) in commands {
        let (pipe, inside) = (format!("pipe.{ending}"), format!("folder.{ending}"));
        let made = std::process::Command::new("mkfifo")
            .arg(heap.join(&pipe))
            .status();
        assert!(made.unwrap().success());
        std::fs::create_dir(heap.join(&inside)).unwrap();
        let nowhere = format!("kept.csv/page.{ending}");
        let before = names(&heap);
        for path in [&pipe, &inside, &nowhere] {
            let typed = format!("{command}{path}");
            let args: Vec<&str> = typed.split(' ').collect();
            let said = folder.heap(&args);
            let told = said.err.lines().last().unwrap_or_default();
            assert_eq!(said.code, 2, "{typed}: {}", said.all());
            assert!(told.contains(path.as_str()), "{typed}: {}", said.all());
            assert_eq!(names(&heap), before, "{typed}");
        }
        std::fs::remove_file(heap.join(&pipe)).unwrap();
        std::fs::remove_dir(heap.join(&inside)).unwrap();
    }
}

/// What lies in a folder.
fn names(folder: &std::path::Path) -> Vec<std::ffi::OsString> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    names
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
