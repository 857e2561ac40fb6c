//! Files by strangers that mean harm, given to commands: none keeps anybody waiting, and none floods whoever reads.

use crate::support::{Folder, Said};
use std::fs;

/// Nobody reads more.
const BEARABLE: usize = 2 << 20;

fn refused(said: &Said, code: i32, says: &str) {
    let start: String = said.all().chars().take(600).collect();
    assert_eq!(said.code, code, "{start}");
    assert!(said.err.contains(says), "nothing of {says:?} in: {start}");
    assert!(said.all().len() < 4000, "{} bytes", said.all().len());
}

#[test]
fn saved_matches_that_mean_harm_are_refused_in_few_words() {
    let folder = Folder::with_game();
    let played = folder.heap(&[
        "play", "heap", "--seats", "random", "--seed", "1", "--save", "m",
    ]);
    assert_eq!(played.code, 0, "{}", played.err);
    let good = folder.read("heap/m");
    let (head, _) = good.split_once("answers\n").expect("a saved match");
    let long = "x".repeat(3 << 20);
    let attacks = [
        (
            "set".to_string(),
            "a=1\n".repeat(200_000),
            "at most 1000 variants",
        ),
        ("many".into(), String::new(), "at most 2000000 words"),
        ("long".into(), String::new(), "expected `p0 prompt option`"),
    ];
    for (name, lines, says) in attacks {
        let text = match name.as_str() {
            "set" => format!("{head}{}answers\n", lines.replace("a=1", "set a=1")),
            "many" => format!("{head}answers\n{}", "p0 a s\n".repeat(700_000)),
            _ => format!("{head}answers\n{long}\n"),
        };
        folder.write("heap/hostile", &text);
        for command in [&["replay", "hostile"][..], &["play", "--load", "hostile"]] {
            refused(&folder.heap(command), 1, says);
        }
    }
    // What is missing is told for the first of them.
    let packs: String = (0..900).map(|n| format!("pack p{n} 1.0.0 00\n")).collect();
    folder.write("heap/hostile", &format!("{head}{packs}answers\n"));
    refused(
        &folder.heap(&["replay", "hostile"]),
        1,
        "packs more are missing",
    );
}

#[test]
fn differences_without_end_are_shown_as_far_as_anybody_reads() {
    let folder = Folder::with_game();
    let keys = |value: u8| -> String {
        let key = |n| format!("k{n}_{} = {value}\n", "x".repeat(40));
        format!("[many]\n{}", (0..20_000).map(key).collect::<String>())
    };
    let long = |value: &str| format!("long = \"{}\"\n", value.repeat(500_000));
    let variant = "title = { es = \"V\", en = \"V\" }\nsummary = { es = \"V\", en = \"V\" }\n";
    // Functions whose lines all differ: each is held against the other line by line.
    let functions = |add: usize| -> String {
        let lines = |n: usize| -> String {
            let line = |i: usize| format!("    a + {};\n", (i * 7 + n + add) % 997);
            (0..900).map(line).collect()
        };
        let function = |n: usize| format!("fn spare{n}(a) {{\n{}}}\n", lines(n));
        (0..120).map(function).collect()
    };
    folder.write(
        "heap/cards/heap/tables.toml",
        &format!("{}{}", keys(1), long("a")),
    );
    folder.write("heap/scripts/heap/spare.rhai", &functions(0));
    folder.write("heap/variants/heap/odd/variant.toml", variant);
    let own = "heap/variants/heap/odd";
    folder.write(
        &format!("{own}/cards/heap/tables.toml"),
        &format!("{}{}", keys(2), long("b")),
    );
    folder.write(&format!("{own}/scripts/heap/spare.rhai"), &functions(1));
    let told = folder.heap(&["diff", "heap", "base", "odd"]);
    let start: String = told.all().chars().take(600).collect();
    assert_eq!(told.code, 0, "{start}");
    assert!(told.out.len() < BEARABLE, "{} bytes", told.out.len());
    let last = told.out.lines().last().unwrap_or_default();
    assert!(
        last.starts_with("and ") && last.ends_with(" more lines"),
        "{last}"
    );
    // Scripts that are too much to be played are too much to be compared.
    let file = format!("fn more(a) {{\n{}}}\n", "    a;\n".repeat(400_000));
    for n in 0..2 {
        folder.write(
            &format!("heap/scripts/heap/more{n}.rhai"),
            &file.replace("more", &format!("more{n}")),
        );
    }
    let told = folder.heap(&["diff", "heap", "base", "odd"]);
    assert_eq!(told.code, 1);
    assert!(
        told.err.contains("the scripts of this game have"),
        "{}",
        &told.err[..told.err.len().min(600)]
    );
}

#[test]
fn old_words_without_end_are_mended_and_shown_as_far_as_anybody_reads() {
    let folder = Folder::with_game();
    let calls = "move_to(a, b);".repeat(100_000);
    let lines = "    move_to(a, b);\n".repeat(50_000);
    folder.write(
        "heap/scripts/heap/long.rhai",
        &format!("fn long(a, b) {{ {calls} }}\n"),
    );
    folder.write(
        "heap/scripts/heap/many.rhai",
        &format!("fn many(a, b) {{\n{lines}}}\n"),
    );
    let told = folder.heap(&["fix", "--dry-run"]);
    let start: String = told.all().chars().take(600).collect();
    assert_eq!(told.code, 0, "{start}");
    assert!(told.all().len() < BEARABLE, "{} bytes", told.all().len());
    assert!(told.out.contains("fn long(a, b) { move(a, b);"), "{start}");
    assert!(told.out.contains(" more lines\n"), "{start}");
    assert!(told.err.contains("150000 words"), "{}", told.err);
}

#[test]
fn packs_that_cannot_be_added_are_told_in_one_sentence() {
    let folder = Folder::new();
    let facts = "name = \"fort\"\nversion = \"1.0.0\"\nauthors = [\"Me\"]\nlicence = \"CC0-1.0\"\nkernel = \"*\"\n";
    folder.write("fort/pack.toml", facts);
    folder.write(
        "fort/scripts/lib/fort.rhai",
        "/// A number.\nfn number_of_fort() { 1 }\n",
    );
    for (args, says) in [
        (&["pack", "add", "frot"][..], "did you mean `fort`?"),
        (&["pack", "remove", "nope"], "no pack `nope` is installed"),
    ] {
        refused(&folder.run(args), 2, says);
    }
    let publish = folder.run(&["pack", "publish", "shelf", "fort"]);
    assert_eq!(publish.code, 0, "{}", publish.err);
    refused(
        &folder.run(&["pack", "add", "frot", "--index", "shelf", "--yes"]),
        2,
        "the index has no pack `frot`; did you mean `fort`?",
    );
    // Beside an index a name is a name, though a folder is called so.
    folder.write("fort/pack.toml", &facts.replace("1.0.0", "9.0.0"));
    let added = folder.run(&["pack", "add", "fort", "--index", "shelf", "--yes"]);
    assert_eq!(added.code, 0, "{}", added.err);
    assert!(
        added.err.contains("fort 1.0.0 is installed"),
        "{}",
        added.err
    );
    refused(
        &folder.run(&["pack", "remove", "frot"]),
        2,
        "did you mean `fort`?",
    );
    // Nobody signed it, and still it is known which file is another one.
    let packs = fs::read_dir(folder.path.join(".home/packs")).expect("a folder");
    let installed = packs.flatten().next().expect("a pack").path();
    fs::write(
        installed.join("scripts/lib/fort.rhai"),
        "fn number_of_fort() { 2 }\n",
    )
    .expect("written");
    refused(
        &folder.run(&["pack", "info", "fort"]),
        1,
        "were changed after it was installed: `scripts/lib/fort.rhai` was changed; add it again",
    );
    // More files than a pack may have, whatever they are.
    for n in 0..10_001 {
        folder.write(&format!("wide/cards/fort/x{n}.bak"), "");
    }
    folder.write("wide/pack.toml", facts);
    refused(
        &folder.run(&["pack", "add", "wide", "--yes"]),
        1,
        "has more than 10000 files",
    );
}

/// A terminal would do what it is told: of what rules say when they stop it gets letters, few of them, on one line.
#[test]
fn what_rules_throw_is_shown_as_letters() {
    let folder = Folder::with_game();
    let rules = folder.read("heap/scripts/heap/rules.rhai");
    for (thrown, says) in [
        (
            r#"throw "\x1b[2J\x1b[1mwiped\r\x07";"#,
            "round 1: �[2J�[1mwiped �",
        ),
        (
            r#"throw "one\n  in setup (two)";"#,
            "round 1: one   in setup (two)",
        ),
        (
            "let a = []; a.pad(9000, 7); throw #{ b: a };",
            "#{\"b\": [7, 7,",
        ),
        (r#"let t = ""; t.pad(19000, "\n"); throw t;"#, "round 1:  "),
    ] {
        let stops = format!("if count > 0 {{ {thrown} }} p.taken += count;");
        let told = rules.replace("p.taken += count;", &stops);
        folder.write("heap/scripts/heap/rules.rhai", &told);
        for command in [
            &["--color", "always", "sim", "heap", "-n", "1"][..],
            &[
                "--color", "always", "play", "heap", "--seats", "random", "--seed", "1",
            ],
        ] {
            let said = folder.heap(command);
            refused(&said, 1, says);
            assert!(said.err.lines().count() < 10, "{}", said.err);
            for own in ["\u{1b}[2J", "\u{1b}[1mwiped"] {
                assert!(!said.all().contains(own), "{:?}", said.all());
            }
        }
    }
}
