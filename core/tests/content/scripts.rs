//! Mistakes that are found when scripts are compiled, shown like all others.

use crate::fixture::*;
use ludoteca::{Library, Selection, examine, render_all};

/// Functions are looked up once the scripts are compiled.
#[test]
fn misspelt_function() {
    let manifest = with(MANIFEST, "step = \"turn\"", "step = \"trun\"");
    let cards = with(CARDS, "\"throw_rings\"", "\"throw_ring\"");
    let files = [
        ("scripts/fair/game.toml", &*manifest),
        ("cards/fair/stalls.toml", &cards),
    ];
    let (library, _) = Library::open(&[fair(&files)]);
    let (_, problems) = examine(&library, "fair", &Selection::default());
    insta::assert_snapshot!(render_all(&problems, false));
}

#[test]
fn mistakes_in_scripts_show_their_line() {
    let rules = with(
        RULES,
        "fn turn(p) {}",
        "fn turn(p) {\n    p.mony += INCOMES[1];\n    vist(p);\n}",
    );
    let files = [
        ("scripts/fair/rules.rhai", &*rules),
        ("scripts/fair/broken.rhai", "fn x( {"),
    ];
    let (library, _) = Library::open(&[fair(&files)]);
    let (_, problems) = examine(&library, "fair", &Selection::default());
    insta::assert_snapshot!(render_all(&problems, false));
}

/// Functions the kernel would call under another name or with other parameters, and braces nobody fills.
#[test]
fn slips_no_compiler_sees() {
    let rules = with(
        RULES,
        "fn score(p) { p.money }",
        "fn score(p, q) { p.money }\nfn evaluat(p) { p.money }\nfn ended(p) { p.money = 0; }",
    );
    let text = with(TEXT, "Which stall do you visit?", "Which stall at {plase}?");
    let text = with(&text, "¿Compras un puesto?", "¿Compras \\u001b[31m?");
    let files = [
        ("scripts/fair/rules.rhai", &*rules),
        ("cards/fair/text.toml", &text),
    ];
    let (library, _) = Library::open(&[fair(&files)]);
    let (_, unreadable) = examine(&library, "fair", &Selection::default());
    let text = with(&text, "\\u001b[31m", "algo");
    let files = [
        ("scripts/fair/rules.rhai", &*rules),
        ("cards/fair/text.toml", &text),
    ];
    let (library, _) = Library::open(&[fair(&files)]);
    let (_, slips) = examine(&library, "fair", &Selection::default());
    let both = [render_all(&unreadable, false), render_all(&slips, false)];
    insta::assert_snapshot!(both.join("\n"));
}

#[test]
fn the_fair_can_be_played() {
    let (library, _) = Library::open(&[fair(&[])]);
    let (game, problems) = examine(&library, "fair", &Selection::default());
    assert!(
        game.is_some() && problems.is_empty(),
        "{}",
        render_all(&problems, false)
    );
}
