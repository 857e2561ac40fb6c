//! One snapshot for each mistake an author can make in a game's own files.

use crate::fixture::*;
use ludoteca::{Code, Library, Memory, PackSource, Selection, limits::LARGEST_FILE};

/// The fair with one piece of one file replaced.
fn spoiled(name: &str, path: &str, old: &str, new: &str) {
    let (_, text) = FILES
        .iter()
        .find(|(p, _)| *p == path)
        .expect("a file of the fair");
    check_content(name, &[(path, &with(text, old, new))]);
}

macro_rules! spoiled {
    ($($name:ident: $path:literal, $old:expr => $new:expr;)*) => {
        $(#[test]
        fn $name() {
            spoiled(stringify!($name), $path, $old, $new);
        })*
    };
}

spoiled! {
    bad_syntax: "cards/fair/tables.toml", "coins = 4\nhelpers = 1" => "coins = \nhelpers = = 1";
    duplicate_key: "cards/fair/tables.toml", "helpers = 1" => "coins = 5";
    duplicate_table: "cards/fair/stalls.toml", "[cards.ring_toss]" => "[cards.churros]";
    unknown_key_of_the_manifest: "scripts/fair/game.toml", "round_limit" => "round_limits";
    unknown_key_of_an_attribute: "scripts/fair/game.toml", "start = 5" => "stat = 5";
    unknown_key_of_a_map: "maps/fair/village.toml", "[areas.centre]" => "[aeras.centre]";
    unknown_table_key_in_ranges: "scripts/fair/game.toml", "prices.stall.coins" => "prices.stall.coin";
    unknown_section_of_texts: "cards/fair/text.toml", "[option]" => "[options]";
    missing_keys_all_at_once: "scripts/fair/game.toml", "version = \"1.0.0\"\ntitle = { es = \"La feria\", en = \"The fair\" }" => "";
    missing_field: "cards/fair/stalls.toml", "cost = 2\n" => "";
    missing_name: "maps/fair/village.toml", "name = { es = \"Molino\", en = \"Mill\" }" => "";
    wrong_type: "scripts/fair/game.toml", "round_limit = 20" => "round_limit = \"twenty\"";
    wrong_type_of_a_field: "cards/fair/stalls.toml", "cost = 2" => "cost = true";
    text_in_one_language_only: "cards/fair/text.toml", "{ es = \"Terminar\", en = \"Stop\" }" => "\"Stop\"";
    wrong_number_of_players: "scripts/fair/game.toml", "players = [2, 4]" => "players = [4, 2]";
    one_number_of_players: "scripts/fair/game.toml", "players = [2, 4]" => "players = [2]";
    decimal_number: "cards/fair/tables.toml", "coins = 4" => "coins = 4.5";
    date: "cards/fair/tables.toml", "coins = 4" => "coins = 2020-01-01";
    number_too_large: "cards/fair/tables.toml", "coins = 4" => "coins = 99999999999999999999";
    bad_id: "cards/fair/stalls.toml", "[cards.ring_toss]" => "[cards.Ring-Toss]";
    bad_version: "scripts/fair/game.toml", "1.0.0" => "1.0";
    missing_translation: "cards/fair/stalls.toml", "{ es = \"Aros\", en = \"Ring toss\" }" => "{ es = \"Aros\" }";
    empty_translation: "cards/fair/text.toml", "es = \"Terminar\"" => "es = \"\"";
    start_out_of_range: "scripts/fair/game.toml", "start = 5, min = 0" => "start = -5, min = 0";
    parameter_out_of_range: "scripts/fair/game.toml", "value = 3" => "value = 7";
    table_value_out_of_its_range: "cards/fair/tables.toml", "coins = 4" => "coins = 11";
    limits_the_wrong_way_round: "scripts/fair/game.toml", "min = 1, max = 6" => "min = 6, max = 1";
    misspelt_attribute_type: "scripts/fair/game.toml", "type = \"card\"" => "type = \"crad\"";
    misspelt_short_attribute_type: "scripts/fair/game.toml", "owner = \"player\"" => "owner = \"palyer\"";
    misspelt_field_type: "scripts/fair/game.toml", "cost = \"int\"" => "cost = \"integer\"";
    misspelt_zone_owner: "scripts/fair/game.toml", "of = \"player\", visible" => "of = \"plyer\", visible";
    misspelt_word: "cards/fair/stalls.toml", "tags = [\"food\"]" => "tags = [\"foood\"]";
    misspelt_starting_word: "scripts/fair/game.toml", "start = \"sun\"" => "start = \"snu\"";
    owner_of_nothing: "scripts/fair/game.toml", "deck = { visible = \"nobody\" }" => "deck = { visible = \"owner\" }";
    start_of_a_reference: "scripts/fair/game.toml", "type = \"card\", visible" => "type = \"card\", start = \"churros\", visible";
    words_of_a_number: "scripts/fair/game.toml", "start = 5, min" => "start = 5, words = [\"a\"], min";
    word_without_words: "scripts/fair/game.toml", "words = [\"sun\", \"rain\"], start = \"sun\"" => "words = []";
    misspelt_card: "cards/fair/stalls.toml", "next = \"churros\"" => "next = \"churos\"";
    misspelt_space: "cards/fair/stalls.toml", "near = \"square\"" => "near = \"sqare\"";
    misspelt_area: "maps/fair/village.toml", "area = \"centre\"" => "area = \"center\"";
    misspelt_kind: "cards/fair/stalls.toml", "kind = \"stall\"" => "kind = \"stal\"";
    misspelt_field_of_a_card: "cards/fair/stalls.toml", "cost = 2" => "cots = 2";
    misspelt_field_of_a_space: "maps/fair/village.toml", "shade = true" => "shadow = true";
    zone_sorted_by_nothing: "scripts/fair/game.toml", "hand = {" => "hand = { sorted = \"costs\",";
    misspelt_map: "scripts/fair/game.toml", "map = \"village\"" => "map = \"vilage\"";
    edge_to_nowhere: "maps/fair/village.toml", "bridge - mill" => "bridge - hill";
    edge_without_a_dash: "maps/fair/village.toml", "bridge - mill" => "bridge, mill";
    edge_to_itself: "maps/fair/village.toml", "bridge - mill" => "mill - mill";
    edge_twice: "maps/fair/village.toml", "bridge - mill" => "bridge - square";
    attribute_and_zone_of_one_name: "scripts/fair/game.toml", "hand = {" => "money = {";
    die_without_faces: "scripts/fair/game.toml", "[ranges]" => "[dice]\nd4 = { faces = [] }\n\n[ranges]";
    field_with_a_key_of_the_kernel: "scripts/fair/game.toml", "{ cost = \"int\"," => "{ name = \"int\", cost = \"int\",";
    manifest_key_of_another_file: "scripts/fair/game.toml", "[ranges]" => "[tables]\na = 1\n\n[ranges]";
}

#[test]
fn card_in_two_files() {
    let more = "kind = \"stall\"\n[cards.churros]\nname = { es = \"C\", en = \"C\" }\ncost = 1\ntags = []\n";
    check_content("card_in_two_files", &[("cards/fair/more.toml", more)]);
}

#[test]
fn text_in_two_files() {
    let more = "[option]\nstop = { es = \"Alto\", en = \"Halt\" }\n";
    check_content("text_in_two_files", &[("cards/fair/text-more.toml", more)]);
}

#[test]
fn parameter_and_table_of_one_name() {
    let tables = format!("visits_a_turn = 3\n{TABLES}");
    check_content(
        "parameter_and_table_of_one_name",
        &[("cards/fair/tables.toml", &tables)],
    );
}

#[test]
fn sections_that_are_no_rectangles() {
    let board = r#"title = { es = "Tablero", en = "Board" }
[legend]
"." = {}
"ab" = {}
[sections.meadow]
name = { es = "Prado", en = "Meadow" }
rows = ["...", "..", "..X"]
[sections.empty]
name = { es = "Nada", en = "Nothing" }
rows = []
"#;
    check_content(
        "sections_that_are_no_rectangles",
        &[("maps/fair/board.toml", board)],
    );
}

#[test]
fn files_nothing_reads() {
    let files = [
        ("cards/fair/tables.tml", "income = 3\n"),
        ("cards/fiar/tables.toml", "income = 3\n"),
        ("scripts/fair/extra.toml", ""),
        ("scripts/Fair 2/game.toml", MANIFEST),
        ("scripts/fair/RULES.md", "notes are fine"),
    ];
    check_content("files_nothing_reads", &files);
}

#[test]
fn files_that_cannot_be_read() {
    let memory = Memory::new(FILES)
        .with_bytes("cards/fair/latin.toml", b"kind = \"caf\xe9\"".to_vec())
        .with_bytes(
            "cards/fair/huge.toml",
            vec![b' '; LARGEST_FILE as usize + 1],
        );
    let pack = PackSource::new("base", memory);
    insta::assert_snapshot!(seen(&[pack], &Selection::default()));
}

#[test]
fn many_mistakes_are_reported_in_one_run_and_in_order() {
    let manifest = with(MANIFEST, "players = [2, 4]", "playrs = [2, 4]");
    let cards = with(CARDS, "cost = 2", "cost = \"two\"");
    let cards = with(&cards, "copies = 3", "copies = -1");
    let cards = with(&cards, "en = \"Ring toss\"", "eng = \"Ring toss\"");
    let map = with(MAP, "bonus = 2", "bonus = 2.5");
    let files = [
        ("scripts/fair/game.toml", &*manifest),
        ("cards/fair/stalls.toml", &cards),
        ("maps/fair/village.toml", &map),
    ];
    check_content("many_mistakes", &files);
}

#[test]
fn unknown_game() {
    let (library, _) = Library::open(&[fair(&[])]);
    let problems = library
        .load("fiar", &Selection::default())
        .expect_err("no such game");
    insta::assert_snapshot!(problems[0].render(false));
}

#[test]
fn a_diagnostic_as_json() {
    let cards = with(CARDS, "next = \"churros\"", "next = \"churos\"");
    let (_, problems) = load(
        &[fair(&[("cards/fair/stalls.toml", &cards)])],
        &Selection::default(),
    );
    insta::assert_snapshot!(format!("{:#}", problems[0].json()));
    insta::assert_snapshot!("a_diagnostic_in_one_line", problems[0].to_string());
}

#[test]
fn colours_are_only_added() {
    let cards = with(CARDS, "next = \"churros\"", "next = \"churos\"");
    let (_, problems) = load(
        &[fair(&[("cards/fair/stalls.toml", &cards)])],
        &Selection::default(),
    );
    let coloured = problems[0].render(true);
    assert!(coloured.contains("\u{1b}["));
    assert!(!problems[0].render(false).contains("\u{1b}["));
}

/// A code nobody has seen is a message nobody has read.
#[test]
fn every_code_has_a_snapshot() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/content/snapshots");
    let mut all = String::new();
    for entry in std::fs::read_dir(folder).expect("snapshots") {
        all += &std::fs::read_to_string(entry.expect("a file").path()).expect("text");
    }
    // Some are told in whole sentences there.
    let told = include_str!("first_and_once.rs");
    let unseen: Vec<String> = Code::ALL
        .iter()
        .map(|code| code.to_string())
        .filter(|code| !all.contains(&format!("[{code}]")) && !told.contains(&format!("{code}: ")))
        .collect();
    assert!(unseen.is_empty(), "no snapshot shows {unseen:?}");
}
