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
    assert_snapshot!(without_times(&before_the_colophon(&said.out)));
}

/// The last lines of a report say by what it was made, which is another version and another machine every day.
fn before_the_colophon(report: &str) -> String {
    let (before, colophon) = report.rsplit_once("\n\ncontent ").unwrap();
    for told in [
        "; first seed 1; ludoteca ",
        "What bots do is not",
        "    ludoteca ",
    ] {
        assert!(colophon.contains(told), "{told} is not in {colophon}");
    }
    before.to_string()
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
    assert_snapshot!(before_the_colophon(&fine(&folder, &args).out));
}

/// What a sweep changes is said first, measures of a run have names, and a page marks the present value.
#[test]
fn a_sweep_says_first_what_changes() {
    let folder = Folder::with_game();
    let args = [
        "sweep",
        "heap",
        "--param",
        "heap=11..41:10",
        "-n",
        "60",
        "--metric",
        "rounds,seat_balance",
        "--bots",
        "random",
        "--report",
        "page.html",
        "--lang",
        "en",
    ];
    let said = fine(&folder, &args).out;
    let verdict: Vec<&str> = said.lines().filter(|line| line.starts_with("- ")).collect();
    assert!(verdict[0].starts_with("- Rounds: "), "{said}");
    assert!(verdict[0].contains("with heap=11 → "), "{said}");
    assert_eq!(
        verdict[1],
        "- Not seen to change between heap=11 and 41: Seat balance"
    );
    let page = folder.read("heap/page.html");
    // The axes are named, the marks of heap = 21 stand in both pictures.
    assert!(!page.contains(">\nseat_balance\n<"), "{page}");
    assert_eq!(page.matches("\n◆\n").count(), 2, "{page}");
}

/// One skill beside the weakest is no row of skills, and a measure stands as a label, be it one thing or many.
#[test]
fn a_skill_beside_the_weakest() {
    let folder = Folder::with_game();
    let args = [
        "compare",
        "heap",
        "-n",
        "60",
        "--skills",
        "random,greedy",
        "--lang",
        "en",
    ];
    let said = fine(&folder, &args).out;
    let verdict: Vec<&str> = said.lines().filter(|line| line.starts_with("- ")).collect();
    assert!(!verdict.is_empty() && verdict.len() <= 7, "{said}");
    for line in verdict {
        assert!(!line.contains("every skill"), "{line}");
        let told = line.contains(": higher with greedy than with random.")
            || line.contains(": lower with greedy than with random.")
            || line.contains("measures differ as well");
        assert!(told, "{line}");
    }
}

/// A goal is met or missed by what one would play then: where nothing better is found, by the game as it is.
#[test]
fn a_goal_is_met_by_what_stands() {
    let folder = Folder::with_game();
    let tune = |goal: &'static str, more: &[&'static str]| {
        let args = [
            "tune",
            "heap",
            "-n",
            "60",
            "--batch",
            "10",
            "--check",
            "60",
            "--bots",
            "random",
            "--param",
            "heap=20..22",
            "--lang",
            "en",
            "--goal",
            goal,
        ];
        folder.heap(&[&args[..], more].concat())
    };
    let said = tune("rounds in 1..50", &[]);
    assert_eq!(said.code, 0, "{}", said.all());
    let line = "- rounds in 1..50: met with the game as it is";
    assert!(said.out.contains(line), "{}", said.out);
    assert_eq!(said.out.matches("), met").count(), 2, "{}", said.out);
    let said = tune("rounds<=1", &["--json"]);
    assert_eq!(said.code, 3, "{}", said.all());
    let told: serde_json::Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(told["met"][0]["met"], "no");
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
