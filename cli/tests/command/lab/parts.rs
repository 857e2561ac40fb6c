//! Results in files: parts that join, their columns, and files that do not belong together.

use super::{fine, json};
use crate::support::{Folder, Said, command};
use insta::assert_snapshot;
use serde_json::Value;

#[test]
fn parts_joined_are_the_whole_run() {
    let folder = Folder::with_game();
    let run = [
        "sim",
        "heap",
        "-n",
        "100",
        "--bots",
        "greedy,random",
        "--rotate",
    ];
    let whole = json(&fine(&folder, &[&run[..], &["--json"]].concat()));
    for (part, file) in [("1/3", "a.parquet"), ("2/3", "b.csv"), ("3/3", "c.parquet")] {
        fine(
            &folder,
            &[&run[..], &["--shard", part, "--out", file]].concat(),
        );
    }
    // In any order on the command line.
    let joined = fine(
        &folder,
        &["report", "c.parquet", "a.parquet", "b.csv", "--json"],
    );
    assert_eq!(joined.err, "");
    let (mut joined, mut whole) = (json(&joined), whole);
    assert_eq!(joined["summary"], whole["summary"]);
    // What was typed is another thing for each part.
    for said in [&mut joined, &mut whole] {
        said["run"]["made"]["command"] = Value::Null;
    }
    assert_eq!(joined["run"], whole["run"]);
    let some = fine(&folder, &["report", "c.parquet", "a.parquet"]);
    assert_eq!(some.err, "67 of the 100 games of this run are here\n");
}

/// A folder holds a run in parts, each whole; what is there is not played again, and the report is that of one table.
#[test]
fn a_run_in_a_folder() {
    let folder = Folder::with_game();
    let run = ["sim", "heap", "-n", "250", "--bots", "random", "--json"];
    let sim = |more: &[&'static str]| folder.heap(&[&run[..], more].concat());
    let summary = |said: &Said| json(said)["summary"].clone();
    let whole = summary(&sim(&["--out", "whole.parquet"]));
    assert_eq!(summary(&sim(&["--out", "new/runs"])), whole);
    let runs = folder.inside("heap/new/runs");
    let names = || {
        let files = std::fs::read_dir(&runs).unwrap();
        let mut names: Vec<String> = files
            .map(|file| file.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    };
    let parts = [
        "part-000000000000-000000000100.parquet",
        "part-000000000100-000000000200.parquet",
        "part-000000000200-000000000250.parquet",
    ];
    assert_eq!(names(), parts);
    let report = fine(&folder, &["report", "new/runs", "--json"]);
    assert_eq!(summary(&report), whole);
    // What is there is in the way of a run that begins, and is gone on with: here the last part is lost.
    let in_the_way = sim(&["--out", "new/runs"]);
    assert_eq!(in_the_way.code, 2, "{}", in_the_way.all());
    assert!(
        in_the_way.err.contains("`--resume` goes on with it"),
        "{}",
        in_the_way.err
    );
    std::fs::remove_file(runs.join(parts[2])).unwrap();
    assert_eq!(summary(&sim(&["--out", "new/runs", "--resume"])), whole);
    assert_eq!(names(), parts);
    // Whole already: nothing is played. Another run is refused, and so is a folder without results.
    assert_eq!(summary(&sim(&["--out", "new/runs", "--resume"])), whole);
    let other = sim(&["--out", "new/runs", "--resume", "--seed", "2"]);
    assert_eq!(other.code, 2, "{}", other.all());
    assert!(other.err.contains("games of another run"), "{}", other.err);
    let larger = folder.heap(&[
        "sim", "heap", "-n", "300", "--bots", "random", "--out", "new/runs", "--resume",
    ]);
    assert_eq!(larger.code, 2, "{}", larger.all());
    assert!(larger.err.contains("no part of this run"), "{}", larger.err);
    let none = folder.heap(&["report", "new"]);
    assert_eq!(none.code, 2, "{}", none.all());
    assert!(none.err.contains("there are no results"), "{}", none.err);
}

/// Stopped in the middle, a folder has whole parts and one that grows, and goes on to the same end.
#[cfg(unix)]
#[test]
fn a_run_in_a_folder_that_is_stopped_goes_on() {
    let folder = Folder::with_game();
    let heap = folder.inside("heap");
    let args = [
        "sim", "heap", "-n", "60000", "--bots", "random", "--out", "runs", "--json",
    ];
    let child = command(&heap, &args).spawn().unwrap();
    let first = heap.join("runs/part-000000000000-000000001200.parquet");
    while !first.exists() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let kill = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(kill.unwrap().success());
    let ended = child.wait_with_output().unwrap();
    let err = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(130), "{err}");
    let told: Value = serde_json::from_slice(&ended.stdout).unwrap();
    let report = json(&folder.heap(&["report", "runs", "--json"]));
    assert_eq!(report["summary"], told["summary"]);
    let resumed = json(&folder.heap(&[&args[..], &["--resume"]].concat()));
    assert_eq!(resumed["summary"]["games"], 60_000);
    let report = json(&folder.heap(&["report", "runs", "--json"]));
    assert_eq!(report["summary"], resumed["summary"]);
}

#[test]
fn the_columns_of_the_table() {
    let folder = Folder::with_game();
    fine(
        &folder,
        &[
            "sim",
            "heap",
            "-n",
            "2",
            "--bots",
            "random",
            "--out",
            "games.csv",
            "--close",
            "1",
        ],
    );
    let written = folder.read("heap/games.csv");
    let (mark, table) = written.split_once('\n').unwrap();
    assert!(mark.starts_with("# ludoteca {\"format\":2,"), "{mark}");
    assert_snapshot!(table);
}

#[test]
fn files_that_do_not_belong_together() {
    let folder = Folder::with_game();
    let part = |part: &str, file: &str, more: &[&str]| {
        let args = [
            "sim", "heap", "-n", "20", "--bots", "random", "--shard", part, "--out", file,
        ];
        fine(&folder, &[&args[..], more].concat());
    };
    part("1/2", "one.parquet", &[]);
    part("2/2", "other-content.parquet", &["--set", "heap=9"]);
    part("2/2", "other-seed.csv", &["--seed", "7"]);
    part("2/3", "overlap.csv", &[]);
    folder.write("heap/words.csv", "a,b\n1,2\n");
    folder.write("heap/cut.parquet", "PAR1 and then nothing");
    let broken = folder.read("heap/overlap.csv").replace(",random,", ",");
    folder.write("heap/broken.csv", &broken);
    let mut told = String::new();
    for files in [
        &["one.parquet", "other-content.parquet"][..],
        &["one.parquet", "other-seed.csv"],
        &["one.parquet", "overlap.csv"],
        &["one.parquet", "one.parquet"],
        &["words.csv"],
        &["cut.parquet"],
        &["broken.csv"],
        &["nowhere.csv"],
    ] {
        let said = folder.heap(&[&["report"], files].concat());
        assert_eq!(said.code, 2, "{}", said.all());
        // The hash of the content changes with the kernel's own words.
        told += &redact_hashes(&said.err);
    }
    assert_snapshot!(told);
    let whole = folder.read("heap/overlap.csv");
    let nobody = whole.replacen("[\"random\",\"random\"]", "[]", 1);
    assert_ne!(nobody, whole);
    folder.write("heap/nobody.csv", &nobody);
    let said = folder.heap(&["report", "nobody.csv"]);
    assert_eq!(said.code, 2, "{}", said.all());
    assert!(said.err.contains("2 players, 0 bots"), "{}", said.err);
}

fn redact_hashes(text: &str) -> String {
    let is_hash = |word: &str| word.len() == 16 && word.chars().all(|c| c.is_ascii_hexdigit());
    let words = text.split_inclusive(|c: char| !c.is_ascii_alphanumeric());
    words
        .map(
            |word| match is_hash(word.trim_end_matches(|c: char| !c.is_ascii_alphanumeric())) {
                true => "HASH ",
                false => word,
            },
        )
        .collect()
}
