//! A small correct game, and ways to spoil it.

use ludoteca::{Diagnostic, Library, Loaded, PackSource, Selection, render_all};

pub const MANIFEST: &str = r#"version = "1.0.0"
title = { es = "La feria", en = "The fair" }
summary = { es = "Puestos y visitas.", en = "Stalls and visits." }
players = [2, 4]
map = "village"
round_limit = 20

[attributes.game]
weather = { type = "word", words = ["sun", "rain"], start = "sun" }

[attributes.player]
money = { type = "int", start = 5, min = 0, text = { es = "Dinero", en = "Money" } }
secret = { type = "card", visible = "owner" }

[attributes.space]
owner = "player"
visits = { type = "int", min = 0, per = "player" }

[zones]
deck = { visible = "nobody" }
hand = { of = "player", visible = "owner" }

[kinds.stall]
text = { es = "Puesto", en = "Stall" }
fields = { cost = "int", tags = { type = "words", words = ["food", "game"] }, near = { type = "space", optional = true }, effect = { type = "function", default = "no_effect" }, next = { type = "card", optional = true } }

[parameters]
visits_a_turn = { value = 3, min = 1, max = 6, text = { es = "Visitas por turno", en = "Visits a turn" } }

[ranges]
"prices.stall.coins" = { min = 0, max = 10 }

[[phases]]
step = "turn"
each = "player"
text = { es = "Turno", en = "Turn" }

[metrics]
money = { text = { es = "Dinero", en = "Money" }, of = "player", function = "metric_money" }
"#;

pub const TABLES: &str = r#"income = [2, 3, 5]

[prices.stall]
coins = 4
helpers = 1
"#;

pub const CARDS: &str = r#"kind = "stall"

[cards.churros]
copies = 3
name = { es = "Churros", en = "Churros" }
cost = 2
tags = ["food"]
near = "square"

[cards.ring_toss]
name = { es = "Aros", en = "Ring toss" }
text = { es = "Lanza tres aros.", en = "Throw three rings." }
cost = 3
tags = ["game"]
effect = "throw_rings"
next = "churros"
"#;

pub const MAP: &str = r#"title = { es = "El pueblo", en = "The village" }

[fields]
space = { shade = { type = "bool", default = false } }
edge = { steps = { type = "int", default = 1 } }
area = { bonus = "int" }

[areas.centre]
name = { es = "Centro", en = "Centre" }
bonus = 2

[spaces.square]
name = { es = "Plaza", en = "Square" }
area = "centre"
at = [4, 2]

[spaces.bridge]
name = { es = "Puente", en = "Bridge" }
shade = true

[spaces.mill]
name = { es = "Molino", en = "Mill" }

[edges]
"square - bridge" = {}
"bridge - mill" = { steps = 3 }
"#;

/// A board of squares, for tests that need one.
pub const BOARD: &str = r#"title = { es = "Tablero", en = "Board" }
fields = { space = { terrain = "word" } }
[legend]
"." = { terrain = "grass" }
"W" = { terrain = "water" }
[sections.meadow]
name = { es = "Prado", en = "Meadow" }
rows = ["..", ". "]
"#;

pub const TEXT: &str = r#"[prompt]
visit = { es = "¿Qué puesto visitas?", en = "Which stall do you visit?" }
buy.stall = { es = "¿Compras un puesto?", en = "Do you buy a stall?" }

[option]
stop = { es = "Terminar", en = "Stop" }
"#;

pub const RULES: &str = "fn setup() {}
fn turn(p) {}
fn score(p) { p.money }
fn metric_money(p) { p.money }
fn throw_rings() {}
fn no_effect() {}
";

pub const CHEAP: &str = r#"title = { es = "Feria barata", en = "Cheap fair" }
summary = { es = "Puestos a tres.", en = "Stalls cost three." }

[set]
"prices.stall.coins" = 3
visits_a_turn = { add = 1 }
"#;

pub const FILES: [(&str, &str); 7] = [
    ("scripts/fair/game.toml", MANIFEST),
    ("scripts/fair/rules.rhai", RULES),
    ("cards/fair/tables.toml", TABLES),
    ("cards/fair/stalls.toml", CARDS),
    ("cards/fair/text.toml", TEXT),
    ("maps/fair/village.toml", MAP),
    ("variants/fair/cheap.toml", CHEAP),
];

/// The fair with some files added or replaced.
pub fn fair(changed: &[(&str, &str)]) -> PackSource {
    let kept = FILES
        .iter()
        .filter(|(path, _)| changed.iter().all(|(other, _)| other != path));
    PackSource::memory("base", kept.chain(changed).copied())
}

/// A text of the fair with one piece replaced, which must be there.
pub fn with(text: &str, old: &str, new: &str) -> String {
    assert!(text.contains(old), "the fixture has no {old:?}");
    text.replacen(old, new, 1)
}

pub fn load(packs: &[PackSource], selection: &Selection) -> (Option<Loaded>, Vec<Diagnostic>) {
    let (library, mut found) = Library::open(packs);
    match library.load("fair", selection) {
        Ok(loaded) => {
            found.extend(loaded.diagnostics.iter().cloned());
            ludoteca::inside::sort(&mut found);
            (Some(loaded), found)
        }
        Err(problems) => (None, problems),
    }
}

/// A load that must go without a word.
pub fn clean(packs: &[PackSource], selection: &Selection) -> Loaded {
    let (loaded, problems) = load(packs, selection);
    assert!(problems.is_empty(), "{}", render_all(&problems, false));
    loaded.expect("the fair is there")
}

/// What the author sees after opening these packs and loading the fair.
pub fn seen(packs: &[PackSource], selection: &Selection) -> String {
    render_all(&load(packs, selection).1, false)
}

/// Loads the fair with some files changed, and compares what the author sees with the snapshot `name`.
pub fn check_content(name: &str, changed: &[(&str, &str)]) {
    insta::assert_snapshot!(name, seen(&[fair(changed)], &Selection::default()));
}

/// The same with a second pack over it.
pub fn check_overlay(name: &str, overlay: &[(&str, &str)]) {
    insta::assert_snapshot!(
        name,
        seen(&[fair(&[]), over("extra", overlay)], &Selection::default())
    );
}

/// A pack that is loaded later; its name is shown before its paths.
pub fn over(name: &str, files: &[(&str, &str)]) -> PackSource {
    let memory = ludoteca::Memory::new(files.iter().copied());
    PackSource::new(name, memory.prefixed(&format!("{name}/")))
}

pub fn settings(set: &[(&str, &str)]) -> Selection {
    let owned = |(key, value): &(&str, &str)| (key.to_string(), value.to_string());
    Selection {
        variants: Vec::new(),
        set: set.iter().map(owned).collect(),
    }
}
