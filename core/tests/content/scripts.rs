//! Mistakes that are found when scripts are compiled, shown like all others.

use crate::fixture::*;
use ludoteca::content::diagnostic::render_all;
use ludoteca::content::library::{Library, Selection};
use ludoteca::script::load::examine;

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
