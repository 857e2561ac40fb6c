//! A correct game becomes the definition its files describe.

use crate::fixture::*;
use ludoteca::{Library, Selection, definition::*};

#[test]
fn a_correct_game_is_read_without_a_word() {
    let game = clean(&[fair(&[])], &Selection::default()).definition;
    assert_eq!(
        (game.id.as_str(), game.players, game.round_limit),
        ("fair", (2, 4), 20)
    );
    assert_eq!(game.words, ["sun", "rain", "food", "game"]);
    let money = &game.attributes.player[0];
    assert_eq!(
        (money.name.as_str(), money.start, money.min),
        ("money", 5, 0)
    );
    assert_eq!(game.attributes.game[0].start, 0, "the first word");
    assert_eq!(game.attributes.player[1].start, -1, "no card yet");
    assert_eq!(game.attributes.space[1].per, Per::Player);
    assert_eq!(game.zones[1].of, ZoneOf::Player);
    assert_eq!(game.dice[0].faces, [1, 2, 3, 4, 5, 6]);
    assert_eq!(game.phases[0].step.name, "turn");
    assert_eq!(game.phases[0].step.origin.file, "scripts/fair/game.toml");
    assert_eq!(game.texts.prompt["buy.stall"].en, "Do you buy a stall?");
    assert_eq!(game.scripts[0].path, "scripts/fair/rules.rhai");
}

#[test]
fn fields_hold_numbers_instead_of_names() {
    let game = clean(&[fair(&[])], &Selection::default()).definition;
    let [churros, rings] = &game.cards[..] else {
        panic!("two cards")
    };
    assert_eq!(churros.copies, 3);
    assert_eq!(
        churros.fields[..3],
        [
            FieldValue::Int(2),
            FieldValue::Words(vec![2]),
            FieldValue::Space(0)
        ]
    );
    let FieldValue::Function(effect) = &rings.fields[3] else {
        panic!("a function")
    };
    assert_eq!(effect.name, "throw_rings");
    assert_eq!(rings.fields[4], FieldValue::Card(0));
    assert_eq!(rings.fields[2], FieldValue::None);
}

#[test]
fn maps_have_spaces_areas_and_edges() {
    let game = clean(&[fair(&[])], &Selection::default()).definition;
    let map = game.map.expect("a map");
    assert_eq!(map.spaces.len(), 3);
    assert_eq!(
        (map.spaces[0].area, map.spaces[0].at),
        (Some(0), Some((4, 2)))
    );
    assert_eq!(map.spaces[1].fields, [FieldValue::Bool(true)]);
    let edges: Vec<(u32, u32)> = map.edges.iter().map(|e| (e.a, e.b)).collect();
    assert_eq!(edges, [(0, 1), (1, 2)]);
    assert_eq!(map.edges[1].fields, [FieldValue::Int(3)]);
}

#[test]
fn one_section_is_a_fixed_board() {
    let cards = with(CARDS, "near = \"square\"", "near = \"meadow_b1\"");
    let files = [
        ("maps/fair/village.toml", BOARD),
        ("cards/fair/stalls.toml", &cards),
    ];
    let map = clean(&[fair(&files)], &Selection::default())
        .definition
        .map
        .expect("a map");
    let ids: Vec<&str> = map.spaces.iter().map(|s| s.id.as_str()).collect();
    assert_eq!(ids, ["meadow_a1", "meadow_b1", "meadow_a2"]);
    assert_eq!(map.spaces[2].name.en, "Meadow a2");
    let edges: Vec<(u32, u32)> = map.edges.iter().map(|e| (e.a, e.b)).collect();
    assert_eq!(edges, [(0, 1), (0, 2)]);
    assert!(!map.assembled);
}

#[test]
fn several_sections_are_assembled_later() {
    let pond = "[sections.pond]\nname = { es = \"Charca\", en = \"Pond\" }\nrows = [\"WW\"]\n";
    let board = format!("{BOARD}{pond}");
    let cards = with(CARDS, "near = \"square\"", "near = \"pond_a1\"");
    let files = [
        ("maps/fair/village.toml", &*board),
        ("cards/fair/stalls.toml", &cards),
    ];
    let map = clean(&[fair(&files)], &Selection::default())
        .definition
        .map
        .expect("a map");
    assert!(map.assembled && map.edges.is_empty());
    assert_eq!(map.sections[1].squares, [Some(3), Some(4)]);
}

#[test]
fn the_list_of_games_names_variants() {
    let (library, _) = Library::open(&[fair(&[])]);
    let games = library.games();
    assert_eq!(games.len(), 1);
    assert_eq!(
        (games[0].title.en.as_str(), games[0].players),
        ("The fair", (2, 4))
    );
    let variant = &games[0].variants[0];
    assert_eq!(
        (variant.id.as_str(), variant.title.en.as_str()),
        ("cheap", "Cheap fair")
    );
}

#[test]
fn the_hash_follows_rules_and_data_and_nothing_else() {
    let hash = |changed: &[(&str, &str)], selection: &Selection| {
        clean(&[fair(changed)], selection).definition.hash
    };
    let none = Selection::default();
    let plain = hash(&[], &none);
    // Pinned: transcripts name it, on every machine.
    insta::assert_snapshot!(format!("{plain:016x}"));
    assert_ne!(
        plain,
        hash(&[("scripts/fair/rules.rhai", "fn turn(p) { 1 }")], &none)
    );
    assert_ne!(plain, hash(&[], &settings(&[("prices.stall.coins", "5")])));
    let comment = format!("# a remark\n{TABLES}");
    assert_eq!(plain, hash(&[("cards/fair/tables.toml", &comment)], &none));
    let lines = RULES.replace('\n', "\r\n");
    assert_eq!(plain, hash(&[("scripts/fair/rules.rhai", &lines)], &none));
    let library = ("scripts/lib/deals.rhai", "fn deal() {}");
    assert_eq!(plain, hash(&[library], &none), "a library nobody imports");
    let other_map = ("maps/fair/town.toml", MAP);
    assert_eq!(plain, hash(&[other_map], &none), "a map nobody plays on");
}

#[test]
fn numbers_may_be_written_as_toml_allows() {
    let tables = format!("big = 1_000_000\nhex = 0xff\nplus = +5\nbits = 0b101\n{TABLES}");
    let files = [("cards/fair/tables.toml", &*tables)];
    let game = clean(&[fair(&files)], &Selection::default()).definition;
    let found = ["big", "hex", "plus", "bits"].map(|name| game.tables[name].clone());
    assert_eq!(found, [1_000_000, 255, 5, 5].map(Data::Int));
}
