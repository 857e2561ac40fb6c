//! Reports: pages that are whole, Markdown to paste, runs of two versions, and the commands of the documents.

use super::{fine, json};
use crate::support::{Folder, run};
use serde_json::Value;
use std::path::Path;

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
                "game.toml" => include_str!("../fruit/game.toml"),
                _ => include_str!("../fruit/rules.rhai"),
            },
        );
    }
    folder.write(
        "heap/cards/heap/fruit.toml",
        include_str!("../fruit/fruit.toml"),
    );
    folder.write(
        "heap/cards/heap/text.toml",
        include_str!("../fruit/text.toml"),
    );
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

/// A board is drawn where its map or its look has a place for each space, and chances are called so with as many players as they were
/// measured with.
#[test]
fn what_a_run_knows_of_its_game() {
    let folder = Folder::new();
    let run = |game: &str, players: &str| {
        let args = [
            "sim",
            game,
            "-n",
            "1",
            "--players",
            players,
            "--bots",
            "random",
            "--json",
        ];
        json(&folder.run(&args))["run"].clone()
    };
    for (game, players) in [
        ("teg", "2"),
        ("alta-tension", "2"),
        ("euphoria", "2"),
        ("conquista", "2"),
    ] {
        let run = run(game, players);
        let spaces = run["spaces"].as_array().unwrap();
        let placed = spaces.iter().filter(|space| space["at"].is_array()).count();
        assert!(
            placed > 1 && placed == spaces.len(),
            "{game}: {placed} of {}",
            spaces.len()
        );
    }
    assert!(run("alta-tension", "2")["scale"].is_u64());
    assert!(run("alta-tension", "3")["scale"].is_null());
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

/// Bots that think so many lines, thinking two.
fn of_few_lines(bots: &str) -> String {
    let each = bots.split(',').map(|bot| match bot.split_once(':') {
        Some((name, _)) => format!("{name}:2"),
        None => bot.to_string(),
    });
    each.collect::<Vec<_>>().join(",")
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
            "--bots" | "--skills" => words[n] = of_few_lines(&words[n]),
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
