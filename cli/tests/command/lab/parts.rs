//! Results in files: parts that join, their columns, and files that do not belong together.

use super::{fine, json};
use crate::support::Folder;
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
