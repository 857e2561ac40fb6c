//! Decks that may not be played with, and what their builder is told.

use ludoteca::{Folder, Library, PackSource, Selection, examine, render_all};
use ludoteca_tests::root;

/// Commons and four uniques of different names, for decks of our own making.
const CARDS: &str = r#"kind = "card"
[cards.test_unique_one]
name = { es = "Única primera", en = "First unique" }
faction = "axiom"
rarity = "unique"
subtypes = ["engineer"]
[cards.test_unique_two]
name = { es = "Única segunda", en = "Second unique" }
faction = "axiom"
rarity = "unique"
subtypes = ["engineer"]
[cards.test_unique_three]
name = { es = "Única tercera", en = "Third unique" }
faction = "axiom"
rarity = "unique"
subtypes = ["engineer"]
[cards.test_unique_four]
name = { es = "Única cuarta", en = "Fourth unique" }
faction = "axiom"
rarity = "unique"
subtypes = ["engineer"]
[cards.test_common]
name = { es = "Común", en = "Common" }
faction = "axiom"
subtypes = ["engineer"]
"#;

/// What `check` says of a deck of these cards.
fn said_of(hero: &str, cards: &str) -> String {
    let deck = format!(
        "name = {{ es = \"Prueba\", en = \"Trial\" }}\nhero = \"{hero}\"\ncards = {{ {cards} }}\n"
    );
    let files = [
        ("cards/altered/test.toml", CARDS),
        ("decks/altered/trial.toml", &deck),
    ];
    let base = PackSource::new("base", Folder::new(root()));
    let (library, _) = Library::open(&[base, PackSource::memory("trial", files)]);
    let (_, problems) = examine(&library, "altered", &Selection::default());
    render_all(&problems, false)
}

#[test]
fn a_deck_that_is_too_small_of_two_factions_and_with_four_of_a_name() {
    insta::assert_snapshot!(said_of(
        "sierra_and_oddball",
        "kelon_elemental = 4, kappa = 1"
    ));
}

#[test]
fn a_deck_with_too_many_uniques() {
    insta::assert_snapshot!(said_of(
        "sierra_and_oddball",
        "test_unique_one = 1, test_unique_two = 1, test_unique_three = 1, test_unique_four = 1, test_common = 35"
    ));
}

#[test]
fn three_uniques_are_allowed() {
    let said = said_of(
        "sierra_and_oddball",
        "test_unique_one = 1, test_unique_two = 1, test_unique_three = 1, test_common = 36",
    );
    assert!(!said.contains("unique cards"), "{said}");
}

#[test]
fn a_deck_whose_hero_is_none() {
    insta::assert_snapshot!(said_of("kappa", "test_common = 39"));
}
