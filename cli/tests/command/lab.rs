//! The lab as designers meet it: parts that join, comparisons that do not cry wolf, searches that end in a variant, mistakes that are told.

use crate::support::{Folder, Said, command, run};
use insta::assert_snapshot;
use serde_json::Value;
use std::path::Path;

fn json(said: &Said) -> Value {
    assert_eq!(said.code, 0, "{}", said.all());
    serde_json::from_str(&said.out).unwrap_or_else(|error| panic!("{error}: {}", said.out))
}

fn fine(folder: &Folder, args: &[&str]) -> Said {
    let said = folder.heap(args);
    assert_eq!(said.code, 0, "{args:?}: {}", said.all());
    said
}

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

/// What is wrong is told before a single game is played.
#[test]
fn mistakes_on_the_command_line() {
    let folder = Folder::with_game();
    let mut told = String::new();
    for args in [
        &["sim", "heap", "--out", "games.txt"][..],
        &["sim", "heap", "--out", "nowhere/games.csv"],
        &["sim", "heap", "--report", "nowhere/page.html"],
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
    assert_eq!(ended.status.code(), Some(0), "{err}");
    assert!(err.contains("stopped after"), "{err}");
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

/// A page needs nothing but itself, says who played, and has its pictures.
#[test]
fn pages_are_whole() {
    let folder = Folder::with_game();
    let pages: &[&[&str]] = &[
        &["sim", "heap", "-n", "40", "--bots", "greedy,random"],
        &[
            "compare",
            "heap",
            "-n",
            "40",
            "--set",
            "heap=9",
            "--bots",
            "greedy,random",
            "--until",
            "0.2",
        ],
        &[
            "sweep",
            "heap",
            "-n",
            "10",
            "--param",
            "heap=9..11",
            "--param",
            "most_at_once=2..3",
            "--bots",
            "greedy,random",
        ],
        &[
            "tune",
            "heap",
            "-n",
            "40",
            "--batch",
            "10",
            "--param",
            "heap=9..11",
            "--goal",
            "rounds<=4",
            "--bots",
            "greedy,random",
        ],
    ];
    for args in pages {
        for (language, word) in [("es", "partidas"), ("en", "games")] {
            let args = [args, &["--report", "page.html", "--lang", language][..]].concat();
            let said = folder.heap(&args);
            assert!([0, 3].contains(&said.code), "{args:?}: {}", said.all());
            let page = folder.read("heap/page.html");
            assert!(
                page.contains("<svg") && page.contains("greedy, random"),
                "{args:?}"
            );
            assert!(page.contains(word), "{args:?} in {language}");
            for outside in ["src=", "href=", "<script", "@import", "url("] {
                assert!(!page.contains(outside), "{args:?}: the page has {outside}");
            }
        }
    }
}

/// The same report as Markdown, and at several skills; what a goal missed costs.
#[test]
fn reports_can_be_pasted_and_asked_at_several_skills() {
    let folder = Folder::with_game();
    let args = [
        "sim",
        "heap",
        "-n",
        "40",
        "--bots",
        "greedy,random",
        "--rotate",
        "--format",
        "md",
        "--lang",
        "en",
    ];
    let said = fine(&folder, &args).out;
    assert!(
        said.starts_with("# ") && said.contains("| Measure | Mean |"),
        "{said}"
    );
    assert!(said.contains("skill explains"), "{said}");
    let args = [
        "compare",
        "heap",
        "-n",
        "60",
        "--set",
        "heap=30",
        "--skills",
        "random,greedy",
        "--json",
    ];
    let said = json(&fine(&folder, &args));
    let rows = said["findings"].as_array().unwrap();
    let rounds = rows.iter().find(|row| row["name"] == "rounds").unwrap();
    assert!(
        ["holds_for_all", "grows", "shrinks"].contains(&rounds["trend"].as_str().unwrap()),
        "{rounds}"
    );
    // Without a second side each skill is compared with the weakest.
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
    assert!(said.contains("against random"), "{said}");
    let args = [
        "tune",
        "heap",
        "-n",
        "40",
        "--batch",
        "10",
        "--param",
        "heap=9..11",
        "--goal",
        "rounds<=1",
        "--out",
        "new/folder/short.toml",
    ];
    let said = folder.heap(&args);
    assert_eq!(said.code, 3, "{}", said.all());
    let args = [
        "compare", "heap", "-n", "500", "--set", "heap=30", "--plan", "--json",
    ];
    let said = json(&fine(&folder, &args));
    assert!(
        said["seconds"].as_f64().unwrap() > 0.0 && said["outlook"][0]["needed"].is_u64(),
        "{said}"
    );
}

/// Results of two versions of a game are compared, and what was changed is said.
#[test]
fn runs_of_different_content_are_compared() {
    let folder = Folder::with_game();
    let base = [
        "sim",
        "heap",
        "-n",
        "40",
        "--bots",
        "random",
        "--out",
        "one.parquet",
    ];
    fine(&folder, &base);
    let args = [
        "sim",
        "heap",
        "-n",
        "40",
        "--bots",
        "random",
        "--out",
        "two.parquet",
        "--set",
        "heap=30",
    ];
    fine(&folder, &args);
    let said = fine(
        &folder,
        &["report", "one.parquet", "two.parquet", "--lang", "en"],
    )
    .out;
    assert!(said.contains("heap: 21 → 30"), "{said}");
    let said = json(&fine(
        &folder,
        &["report", "one.parquet", "two.parquet", "--json"],
    ));
    let made = &said["first"]["run"]["made"];
    assert_eq!(made["values"]["heap"], 21);
    assert!(
        made["command"]
            .as_str()
            .unwrap()
            .starts_with("ludoteca sim heap"),
        "{made}"
    );
}

/// Played is what a seat brings out of its hand or lays before itself: not what it has to throw away, nor what a deck turns up.
#[test]
fn what_is_thrown_away_is_not_played() {
    let folder = Folder::with_game();
    for file in ["game.toml", "rules.rhai"] {
        folder.write(
            &format!("heap/scripts/heap/{file}"),
            match file {
                "game.toml" => include_str!("fruit/game.toml"),
                _ => include_str!("fruit/rules.rhai"),
            },
        );
    }
    folder.write(
        "heap/cards/heap/fruit.toml",
        include_str!("fruit/fruit.toml"),
    );
    folder.write("heap/cards/heap/text.toml", include_str!("fruit/text.toml"));
    let said = json(&fine(
        &folder,
        &["sim", "heap", "-n", "5", "--close", "1", "--json"],
    ));
    let content = said["summary"]["content"].as_array().unwrap();
    let count = |item: &Value, what: &str| item[what].as_u64().unwrap();
    let seen = |id: &str| {
        let item = content.iter().find(|item| item["id"] == id);
        item.map(|item| (count(item, "taken"), count(item, "played")))
    };
    // Two seats in five games: each eats one, throws one away, turns one up from its deck and is given one.
    assert_eq!(seen("apple"), Some((10, 10)));
    assert_eq!(seen("pear"), Some((10, 0)));
    assert_eq!(seen("plum"), None);
    assert_eq!(seen("cherry"), Some((0, 10)));
}

/// Every command of the lab's pages runs, on a few games.
#[test]
fn the_commands_of_the_pages_run() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folder = Folder::new();
    for page in ["docs/lab.md", "docs/conquista-prices.md", "docs/studies.md"] {
        let text = std::fs::read_to_string(root.join(page)).unwrap();
        let commands: Vec<&str> = text
            .lines()
            .filter_map(|line| line.strip_prefix("    ludoteca "))
            .collect();
        assert!(!commands.is_empty(), "{page} has no commands");
        for written in commands {
            let args = small(written, &folder.path);
            let args: Vec<&str> = args.iter().map(String::as_str).collect();
            let said = run(&root, &args, "");
            // A search of two games need not find what it was asked for.
            let fine = said.code == 0 || (args[0] == "tune" && said.code == 3);
            assert!(fine, "{page}: {written}: {}", said.all());
        }
    }
}

/// The words of a command with few games, and its files in a folder of their own.
fn small(written: &str, folder: &Path) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut quoted = false;
    for part in written.split('"') {
        match quoted {
            true => words.push(part.to_string()),
            false => words.extend(part.split_whitespace().map(str::to_string)),
        }
        quoted = !quoted;
    }
    for n in 1..words.len() {
        match words[n - 1].as_str() {
            "-n" => {
                words[n] = if words[0] == "sim" {
                    "3".into()
                } else {
                    "2".into()
                }
            }
            "--batch" | "--check" => words[n] = "1".into(),
            "--only" => words[n] = "1".into(),
            _ => {}
        }
        let is_file = [".parquet", ".csv", ".html", ".transcript", ".toml"]
            .iter()
            .any(|ending| words[n].ends_with(ending));
        if is_file || words[n - 1] == "--out" {
            let name = Path::new(&words[n]).file_name().unwrap().to_owned();
            words[n] = folder.join(name).display().to_string();
        }
    }
    words
}
