//! Questions: comparisons that do not cry wolf, questions that are settled, sweeps, searches that end in a variant.

use super::{fine, json};
use crate::support::Folder;
use insta::assert_snapshot;

#[test]
fn a_large_difference_is_seen_and_none_is_not_invented() {
    let folder = Folder::with_game();
    let compare = |more: &[&str]| {
        let args = ["compare", "heap", "-n", "300", "--set", "heap=30"];
        json(&fine(&folder, &[&args[..], more, &["--json"]].concat()))
    };
    let said = compare(&[]);
    let of = |name: &str| {
        let all = said["differences"].as_array().unwrap();
        all.iter().find(|d| d["name"] == name).unwrap().clone()
    };
    assert_eq!(of("rounds")["seen"], true);
    assert_eq!(of("margin")["seen"], false);
    assert_eq!(of("rounds")["verdict"], "differs");
    let likelihoods: Vec<f64> = said["differences"]
        .as_array()
        .unwrap()
        .iter()
        .map(|d| d["likelihood"].as_f64().unwrap())
        .collect();
    assert!(likelihoods.is_sorted(), "{likelihoods:?}");
    assert_eq!(
        compare(&["--jobs", "1"])["differences"],
        compare(&["--jobs", "3"])["differences"]
    );
}

#[test]
fn a_comparison_on_the_terminal() {
    let folder = Folder::with_game();
    let said = fine(
        &folder,
        &[
            "compare", "heap", "-n", "60", "--set", "heap=30", "--bots", "random", "--lang", "en",
        ],
    );
    assert_snapshot!(without_times(&said.out));
}

/// How long something takes is another thing on every machine, and columns are as wide as what stands in them.
fn without_times(text: &str) -> String {
    let mut rest = text;
    let mut kept = String::new();
    while let Some((before, after)) = rest.split_once("about ") {
        kept += before;
        kept += "about TIME";
        rest = after.split_once(" here").map_or("", |(_, after)| after);
    }
    kept += rest;
    while kept.contains("   ") {
        kept = kept.replace("   ", "  ");
    }
    kept
}

#[test]
fn a_settled_question_ends_the_run() {
    let folder = Folder::with_game();
    let ask = |metric: &str, size: &str| {
        let args = [
            "compare", "heap", "-n", "100000", "--set", "heap=30", "--json",
        ];
        let said = fine(
            &folder,
            &[&args[..], &["--until", size, "--metric", metric]].concat(),
        );
        let said = json(&said);
        (
            said["until"]["verdict"].as_str().unwrap().to_string(),
            said["first"]["summary"]["games"].as_u64().unwrap(),
        )
    };
    let (verdict, games) = ask("rounds", "1");
    assert!(
        verdict == "higher" && games < 1000,
        "{verdict} after {games}"
    );
    let (verdict, games) = ask("ties", "0.05");
    assert!(
        verdict == "no_difference" && games < 1000,
        "{verdict} after {games}"
    );
}

#[test]
fn a_sweep_on_the_terminal() {
    let folder = Folder::with_game();
    let args = [
        "sweep",
        "heap",
        "--param",
        "heap=20..22",
        "-n",
        "50",
        "--metric",
        "rounds,first_wins",
        "--bots",
        "random",
        "--lang",
        "en",
    ];
    assert_snapshot!(fine(&folder, &args).out);
}

#[test]
fn a_search_ends_in_a_variant_that_can_be_played() {
    let folder = Folder::with_game();
    let said = fine(
        &folder,
        &[
            "tune",
            "heap",
            "--param",
            "heap=5..60:5",
            "--param",
            "most_at_once",
            "--goal",
            "rounds in 11..12",
            "-n",
            "1200",
            "--batch",
            "20",
            "--check",
            "100",
            "--out",
            "variants/heap/long.toml",
            "--json",
        ],
    );
    let after = json(&said)["after"]["measures"].clone();
    let rounds = after
        .as_array()
        .unwrap()
        .iter()
        .find(|m| m["name"] == "rounds")
        .unwrap();
    let rounds = rounds["mean"]["value"].as_f64().unwrap();
    assert!((10.0..13.0).contains(&rounds), "{rounds}");
    fine(&folder, &["check", "heap"]);
    fine(&folder, &["sim", "heap", "--variant", "long", "-n", "10"]);
}
