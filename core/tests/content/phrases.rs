//! Cards that say what they do in the words of their manifest, and decks made of them.

use crate::fixture::with;
use ludoteca::{Library, PackSource, Selection, Suite, examine, render_all};

const MANIFEST: &str = r#"version = "1.0.0"
title = { es = "El prado", en = "The meadow" }
summary = { es = "Bichos que hacen cosas.", en = "Beasts that do things." }
players = [1, 1]

[attributes.player]
berries = { type = "int" }

[attributes.piece]
courage = { type = "int", min = 0, kept_in = ["meadow"] }
scars = { type = "int", min = 0 }

[zones]
meadow = {}
burrow = {}

[kinds.habit]
[kinds.habit.fields]
on = { type = "word", words = ["arrives", "dusk"] }
when = { type = "condition", optional = true }
then = "effect"

[kinds.beast]
[kinds.beast.fields]
size = "int"
habits = { type = "cards", of = "habit", default = [] }

[kinds.deck]
check = "too_large"
[kinds.deck.fields]
cards = "cards"

[effects]
gather = { berries = { type = "int", default = 1 } }
hearten = { by = "int" }
each = { among = "condition", then = "effect" }

[conditions]
larger_than = { size = "int" }

[[phases]]
step = "day"
"#;

const BEASTS: &str = r#"kind = "beast"

[cards.hare]
name = { es = "Liebre", en = "Hare" }
size = 1
habits = [{ on = "arrives", then = "gather" }, { on = "dusk", then = { gather = 5 } }]

[cards.boar]
name = { es = "Jabalí", en = "Boar" }
size = 3
[[cards.boar.habits]]
on = "arrives"
when = { not = { larger_than = 4 } }
then = [{ each = [{ larger_than = 1 }], then = { hearten = 2 } }, { if = { larger_than = 9 }, then = "gather", else = { call = "rest" } }]

[cards.mouse]
name = { es = "Ratón", en = "Mouse" }
size = 0
habits = [{ on = "arrives", when = { any = [{ larger_than = 0 }] }, then = { me = { hearten = 1 } } }]
"#;

const DECK: &str = r#"name = { es = "Bosque", en = "Forest" }
cards = { hare = 1, boar = 1, mouse = 1 }
"#;

const TEXT: &str = r#"[log]
too_large = { es = "{n} son demasiadas", en = "{n} are too many" }
"#;

const RULES: &str = r#"
fn setup() {
    for beast in card("forest").cards { arrive(create(beast, game.meadow)); }
}
fn arrive(it) {
    for habit in it.habits {
        if habit.on != "arrives" { continue; }
        if habit.when != () && !habit.when.call(it, players()[0], it) { continue; }
        habit.then.call(it, players()[0], it);
    }
}
fn day() {
    for it in listening(game.meadow, "dusk") { next_step("resolve", it); }
    next_step("order");
}
fn resolve(it) {
    let p = players()[0];
    p.berries += 100;
}
fn order() { end_game(); }
fn gather(me, p, it, berries) { p.berries += berries; }
fn hearten(me, p, it, by) { it.courage += by; it.scars += by; }
fn each(me, p, it, among, then) {
    for beast in game.meadow { if among.call(beast) { then.call(beast); } }
}
fn larger_than(me, p, it, size) { it.size > size }
fn rest(me, p, it) { p.berries += 10; move(it, game.burrow); }
fn too_large(deck) {
    if deck.cards.len > 3 { [text("too_large", #{ n: deck.cards.len })] } else { [] }
}
fn score(p) { p.berries }
"#;

fn meadow(changed: &[(&str, &str)]) -> PackSource {
    let files = [
        ("scripts/meadow/game.toml", MANIFEST),
        ("scripts/meadow/rules.rhai", RULES),
        ("cards/meadow/beasts.toml", BEASTS),
        ("cards/meadow/text.toml", TEXT),
        ("decks/meadow/forest.toml", DECK),
    ];
    let changed_text = |path: &str| changed.iter().find(|(p, _)| *p == path).map(|(_, t)| *t);
    let files = files.map(|(path, text)| (path, changed_text(path).unwrap_or(text)));
    let added = changed
        .iter()
        .filter(|(path, _)| path.starts_with("tests/"));
    PackSource::memory("base", files.into_iter().chain(added.copied()))
}

fn problems(changed: &[(&str, &str)]) -> String {
    let (library, _) = Library::open(&[meadow(changed)]);
    let (_, problems) = examine(&library, "meadow", &Selection::default());
    render_all(&problems, false)
}

#[test]
fn phrases_do_what_their_words_say() {
    let scenario = r#"game = "meadow"
[[scenario]]
title = "the hare gathers 1, the boar rests for 10, and only the hare hears the dusk, which brings 100"
players = 1
setup = true
run = ["round"]
[scenario.expect]
ended = true
[scenario.expect.players]
p0 = { berries = 111 }
[scenario.expect.zones]
# The mouse's condition does not hold, and the hare is too small to take heart.
"game.meadow" = [{ card = "mouse", courage = 0, scars = 0 }, { card = "hare", courage = 0, scars = 0 }]
# Courage is lost in the burrow, scars are kept.
"game.burrow" = [{ card = "boar", courage = 0, scars = 2 }]
"#;
    let pack = meadow(&[("tests/scenarios/meadow/phrases.toml", scenario)]);
    let (library, _) = Library::open(&[pack]);
    let (suite, problems) = Suite::read(&library, &library.scenarios(None));
    assert!(problems.is_empty(), "{}", render_all(&problems, false));
    let tried = suite.run(&library);
    assert_eq!(tried.len(), 1);
    assert_eq!(tried[0].failures, []);
}

#[test]
fn misspelt_phrases_are_named_at_their_place() {
    let mut beasts = with(BEASTS, "gather = 5", "gathr = 5");
    for (right, wrong) in [
        ("larger_than = 4", "lager_than = 4"),
        ("then = { hearten = 2 }", "than = { hearten = 2 }"),
        (
            "{ larger_than = 9 }, then = \"gather\"",
            "{ larger_than = \"nine\" }, then = {}",
        ),
        ("\"rest\"", "\"rests\""),
        ("on = \"arrives\"\nwhen", "on = \"arives\"\nwhen"),
        ("{ me = { hearten = 1 } }", "\"hearten\""),
    ] {
        beasts = with(&beasts, right, wrong);
    }
    insta::assert_snapshot!(problems(&[("cards/meadow/beasts.toml", &beasts)]));
}

#[test]
fn a_word_without_its_function() {
    let rules = with(RULES, "fn each(", "fn every(");
    let rules = with(&rules, "fn rest(me, p, it)", "fn rest(me, p)");
    insta::assert_snapshot!(problems(&[("scripts/meadow/rules.rhai", &rules)]));
}

#[test]
fn a_declared_word_nobody_uses_needs_its_function_too() {
    let manifest = with(MANIFEST, "[conditions]\n", "[conditions]\nasleep = {}\n");
    insta::assert_snapshot!(problems(&[("scripts/meadow/game.toml", &manifest)]));
}

#[test]
fn what_a_kinds_own_check_says_of_a_deck() {
    let deck = with(DECK, "hare = 1", "hare = 4");
    insta::assert_snapshot!(problems(&[("decks/meadow/forest.toml", &deck)]));
}

#[test]
fn a_deck_of_cards_that_do_not_exist() {
    let deck = with(DECK, "hare = 1", "hair = 1");
    insta::assert_snapshot!(problems(&[("decks/meadow/forest.toml", &deck)]));
}

#[test]
fn mistakes_in_declaring_what_cards_hold() {
    let mut manifest = with(MANIFEST, "of = \"habit\"", "of = \"habbit\"");
    for (right, wrong) in [
        ("[\"meadow\"]", "[\"medow\"]"),
        (
            "berries = { type = \"int\" }",
            "berries = { type = \"int\", kept_in = [\"meadow\"] }",
        ),
        (
            "size = \"int\"\n",
            "size = { type = \"int\", of = \"beast\" }\n",
        ),
        ("[conditions]", "if = {}\n[conditions]"),
    ] {
        manifest = with(&manifest, right, wrong);
    }
    insta::assert_snapshot!(problems(&[("scripts/meadow/game.toml", &manifest)]));
}
