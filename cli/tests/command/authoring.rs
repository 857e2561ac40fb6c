//! The page that teaches authors: its files are those of the folder, and the folder plays.

use crate::support::run;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn folder() -> PathBuf {
    root().join("tests/authoring")
}

/// The files of the page: a block of code belongs to the last path in bold before it; several blocks of one path follow each other.
fn files_of_the_page() -> BTreeMap<String, String> {
    let page = fs::read_to_string(root().join("docs/authoring.md")).unwrap();
    let mut files: BTreeMap<String, String> = BTreeMap::new();
    let (mut path, mut block): (Option<String>, Option<String>) = (None, None);
    for line in page.lines() {
        match &mut block {
            None if line.starts_with("```") => block = Some(String::new()),
            None => {
                let bold = line
                    .rsplit_once("**`")
                    .and_then(|(_, rest)| rest.split_once("`**"));
                path = bold.map(|(path, _)| path.to_string()).or(path);
            }
            Some(text) if line == "```" => {
                let path = path
                    .take()
                    .expect("a block of code without a path before it");
                let file = files.entry(path).or_default();
                if !file.is_empty() {
                    file.push('\n');
                }
                file.push_str(text);
                block = None;
            }
            Some(text) => {
                text.push_str(line);
                text.push('\n');
            }
        }
    }
    files
}

fn files_below(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        match entry.path() {
            path if path.is_dir() => files_below(&path, found),
            path => found.push(path),
        }
    }
}

#[test]
fn the_page_has_exactly_the_files_of_the_folder() {
    let page = files_of_the_page();
    for (path, text) in &page {
        let file = fs::read_to_string(folder().join(path))
            .unwrap_or_else(|error| panic!("{path}: {error}"));
        assert_eq!(&file, text, "{path} is not what the page says");
    }
    let mut found = Vec::new();
    files_below(&folder(), &mut found);
    for file in found {
        let path = file
            .strip_prefix(folder())
            .unwrap()
            .to_string_lossy()
            .replace('\\', "/");
        // Whoever plays there keeps matches in a home of their own.
        let kept = path.starts_with(".home/");
        assert!(
            kept || page.contains_key(&path),
            "the page does not show {path}"
        );
    }
}

#[test]
fn the_game_of_the_page_passes_its_check_and_its_scenarios_and_plays() {
    let commands: &[&[&str]] = &[
        &["check", "harbours"],
        &["test", "harbours"],
        &["check", "altered"],
        &["test", "altered"],
        &["sim", "harbours", "-n", "30", "--players", "3"],
        &["sim", "harbours", "-n", "10", "--bots", "greedy,random"],
        &[
            "compare",
            "harbours",
            "-n",
            "10",
            "--bots",
            "greedy",
            "--set",
            "cards.fair_wind.copies=8",
        ],
        &[
            "play",
            "harbours",
            "--players",
            "4",
            "--seats",
            "random",
            "--seed",
            "2",
        ],
    ];
    for args in commands {
        let said = run(&folder(), args, "");
        assert_eq!(said.code, 0, "{args:?}: {}", said.all());
    }
}
