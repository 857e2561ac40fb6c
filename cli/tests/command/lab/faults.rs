//! What goes wrong: mistakes that are told, disks that are full, runs that are cut, rules that break.

use super::{fine, json};
use crate::support::{Folder, command};
use insta::assert_snapshot;
use serde_json::Value;

/// What is wrong is told before a single game is played.
#[test]
fn mistakes_on_the_command_line() {
    let folder = Folder::with_game();
    let mut told = String::new();
    for args in [
        &["sim", "heap", "--out", "games.txt"][..],
        &["sim", "heap", "--out", "nowhere/games.csv"],
        &["sim", "heap", "--report", "nowhere/page.html"],
        &["sim", "heap", "--chances", "1"],
        &["sim", "heap", "--shard", "3/2"],
        &["sim", "heap", "--shard", "0/2"],
        &["sim", "heap", "--shard", "half"],
        &["sim", "heap", "-n", "0"],
        &["compare", "heap"],
        &["compare", "heap", "--set", "heap=9", "--metric", "raunds"],
        &["compare", "heap", "--set", "heap=9", "--until", "0"],
        &["compare", "heap", "--pack", "nowhere"],
        &["sweep", "heap", "--param", "heep=5..9"],
        &["sweep", "heap", "--param", "stones"],
        &["sweep", "heap", "--param", "heap=1..9"],
        &["sweep", "heap", "--param", "heap=9..5"],
        &[
            "sweep",
            "heap",
            "--param",
            "heap=5..9",
            "--metric",
            "balance",
        ],
        &["sweep", "heap", "--param", "heap", "--param", "heap=5..9"],
        &[
            "sweep",
            "heap",
            "--param",
            "heap",
            "--param",
            "most_at_once",
        ],
        &[
            "tune",
            "heap",
            "--param",
            "heap",
            "--goal",
            "rounds about 9",
        ],
        &["tune", "heap", "--param", "heap", "--goal", "round in 8..9"],
        &[
            "tune",
            "heap",
            "--param",
            "heap",
            "--goal",
            "rounds in 9..8",
        ],
        &[
            "tune",
            "heap",
            "--param",
            "heap",
            "--goal",
            "rounds>=9",
            "--out",
            "x.txt",
        ],
    ] {
        let said = folder.heap(args);
        assert_eq!(said.code, 2, "{args:?}: {}", said.all());
        assert!(said.out.is_empty(), "{args:?}: {}", said.out);
        told += &format!("{}\n{}\n", args.join(" "), said.err.trim_end());
    }
    assert_snapshot!(told);
}

/// A disk that is full: the report is there, the file is said not to be whole.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_loses_no_report() {
    let folder = Folder::with_game();
    for file in ["full.csv", "full.parquet"] {
        std::os::unix::fs::symlink("/dev/full", folder.inside("heap").join(file)).unwrap();
        let said = folder.heap(&["sim", "heap", "-n", "50", "--out", file]);
        assert_eq!(said.code, 1, "{}", said.all());
        assert!(said.out.contains("first_wins"), "{}", said.all());
        let told = said.err.contains("No space left on device") && said.err.contains("not whole");
        assert!(told, "{}", said.err);
    }
}

/// A page that cannot be written loses neither the report nor the table.
#[cfg(target_os = "linux")]
#[test]
fn a_page_that_cannot_be_written_loses_nothing() {
    let folder = Folder::with_game();
    let said = folder.heap(&[
        "sim",
        "heap",
        "-n",
        "50",
        "--report",
        "/dev/full",
        "--out",
        "games.parquet",
    ]);
    assert_eq!(said.code, 1, "{}", said.all());
    assert!(said.out.contains("first_wins"), "{}", said.all());
    assert!(said.err.contains("No space left on device"), "{}", said.err);
    fine(&folder, &["report", "games.parquet"]);
}

/// Ctrl-C keeps what is done, and the file can be read.
#[cfg(unix)]
#[test]
fn an_interrupted_run_keeps_what_is_done() {
    let folder = Folder::with_game();
    let args = [
        "sim",
        "heap",
        "-n",
        "100000000",
        "--out",
        "games.parquet",
        "--json",
    ];
    let child = command(&folder.inside("heap"), &args).spawn().unwrap();
    std::thread::sleep(std::time::Duration::from_millis(700));
    let kill = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(kill.unwrap().success());
    let ended = child.wait_with_output().unwrap();
    let err = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(130), "{err}");
    assert!(err.contains("stopped after"), "{err}");
    assert!(
        err.contains("in games.parquet, and the same command with --resume"),
        "{err}"
    );
    let said: Value = serde_json::from_slice(&ended.stdout).unwrap();
    assert!(said["summary"]["games"].as_u64().unwrap() > 0);
    let read = json(&folder.heap(&["report", "games.parquet", "--json"]));
    assert_eq!(read["summary"], said["summary"]);
}

/// A rule that breaks in some games: what was played before is reported, and the game is named.
#[test]
fn games_before_a_broken_rule_are_reported() {
    let folder = Folder::with_game();
    folder.replace(
        "heap/scripts/heap/rules.rhai",
        "game.stones -= count;",
        "game.stones -= count;\n    if game.stones == 3 && p.taken == 8 { p.taken = -1; }",
    );
    let said = folder.heap(&[
        "sim",
        "heap",
        "-n",
        "500",
        "--bots",
        "random",
        "--out",
        "games.csv",
        "--jobs",
        "2",
        "--lang",
        "en",
    ]);
    assert_eq!(said.code, 1, "{}", said.all());
    assert!(said.err.contains("error: game with seed"), "{}", said.err);
    let rows = folder.read("heap/games.csv").lines().count() - 2;
    let told = format!("{rows} games\n");
    assert!(rows > 0 && said.out.contains(&told), "{}", said.out);
}
