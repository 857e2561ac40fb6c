//! Variants and settings; where values come from, and what differs.

use crate::fixture::*;
use ludoteca::{Library, Selection, diff, explain};

fn check_settings(name: &str, set: &[(&str, &str)]) {
    insta::assert_snapshot!(name, seen(&[fair(&[])], &settings(set)));
}

#[test]
fn a_variant_in_one_file() {
    let loaded = clean(&[fair(&[])], &Selection::variant("cheap"));
    assert_eq!(loaded.definition.parameters[0].value, 4);
    assert_eq!(loaded.definition.selection, ["cheap"]);
    let told: Vec<String> = ["prices.stall", "visits_a_turn"]
        .iter()
        .flat_map(|key| explain(&loaded, key).expect("known"))
        .map(|story| story.to_string())
        .collect();
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn a_variant_in_a_folder() {
    let toml = "title = { es = \"Noche\", en = \"Night\" }\nsummary = { es = \"De noche.\", en = \"At night.\" }\n[set]\nround_limit = 10\n";
    let files = [
        ("variants/fair/night/variant.toml", toml),
        (
            "variants/fair/night/cards/fair/stalls.toml",
            "cards.delete = [\"ring_toss\"]\ncards.churros.cost = 1\n",
        ),
        (
            "variants/fair/night/scripts/fair/night.rhai",
            "fn turn(p) { 2 }\n",
        ),
    ];
    let loaded = clean(&[fair(&files)], &Selection::variant("night"));
    assert_eq!(loaded.definition.cards.len(), 1);
    assert_eq!(loaded.definition.round_limit, 10);
    assert_eq!(loaded.definition.scripts.len(), 2);
    assert_eq!(loaded.definition.scripts[1].layer, 1);
    let plain = clean(&[fair(&files)], &Selection::default());
    assert_eq!(plain.definition.scripts.len(), 1);
    let rows: Vec<String> = diff(&plain, &loaded)
        .iter()
        .map(|row| row.to_string())
        .collect();
    insta::assert_snapshot!("diff_of_a_folder", rows.join("\n"));
}

#[test]
fn settings_follow_variants() {
    let mut selection = Selection::variant("cheap");
    let set = [
        ("prices.stall.coins", "{ mul = 3 }"),
        ("income.2", "7"),
        ("map.spaces.mill.shade", "true"),
        ("cards.ring_toss.cost", "9"),
        ("text.prompt.buy.stall.en", "Buy?"),
        ("weather_is_no_key.", "1"),
    ];
    selection.set = settings(&set[..5]).set;
    let loaded = clean(&[fair(&[])], &selection);
    let keys = [
        "prices.stall.coins",
        "income.2",
        "map.spaces.mill",
        "text.prompt.buy.stall",
    ];
    let told: Vec<String> = keys
        .iter()
        .flat_map(|key| explain(&loaded, key).expect("known"))
        .map(|story| story.to_string())
        .collect();
    insta::assert_snapshot!(told.join("\n"));
    assert_eq!(loaded.definition.texts.prompt["buy.stall"].en, "Buy?");
}

#[test]
fn a_setting_may_choose_the_map() {
    let town = MAP.replace("mill", "tower");
    let files = [("maps/fair/town.toml", &*town)];
    let loaded = clean(
        &[fair(&files)],
        &settings(&[("map", "town"), ("map.spaces.tower.shade", "true")]),
    );
    assert_eq!(loaded.definition.map.expect("a map").spaces[2].id, "tower");
}

#[test]
fn a_variant_may_add_an_edge() {
    let variant = with(
        CHEAP,
        "[set]",
        "[set]\n\"map.edges.square - mill\" = {}\nmap.edges.delete = [\"bridge - mill\"]",
    );
    let files = [("variants/fair/cheap.toml", &*variant)];
    let loaded = clean(&[fair(&files)], &Selection::variant("cheap"));
    let map = loaded.definition.map.expect("a map");
    let edges: Vec<(u32, u32)> = map.edges.iter().map(|e| (e.a, e.b)).collect();
    assert_eq!(edges, [(0, 1), (0, 2)]);
}

#[test]
fn setting_of_what_is_not_declared() {
    let set = [
        ("cards.churros.prize", "3"),
        ("cards.cotton_candy", "{ cost = 3 }"),
        ("map.edges.square - hill", "{}"),
        ("map.spaces.mill", "{}"),
        ("attributes.player.money.maximum", "9"),
    ];
    check_settings("setting_of_what_is_not_declared", &set);
}

#[test]
fn setting_of_nothing() {
    check_settings(
        "setting_of_nothing",
        &[("prices.stall.coin", "3"), ("visit_a_turn", "2")],
    );
}

#[test]
fn setting_that_changes_nothing() {
    check_settings(
        "setting_that_changes_nothing",
        &[("prices.stall.coins", "4")],
    );
}

#[test]
fn setting_of_another_type() {
    check_settings(
        "setting_of_another_type",
        &[("prices.stall.coins", "cheap"), ("income", "3")],
    );
}

#[test]
fn setting_out_of_range() {
    check_settings(
        "setting_out_of_range",
        &[("visits_a_turn", "7"), ("prices.stall.coins", "99")],
    );
}

#[test]
fn unknown_variant() {
    insta::assert_snapshot!(seen(&[fair(&[])], &Selection::variant("chep")));
}

#[test]
fn variants_with_mistakes_are_found_by_a_check_of_the_game() {
    let files = [
        (
            "variants/fair/empty.toml",
            "title = { es = \"V\", en = \"E\" }\nsummary = { es = \"V\", en = \"E\" }\n[set]\n",
        ),
        (
            "variants/fair/wrong.toml",
            "titel = { es = \"V\", en = \"E\" }\nsummary = { es = \"V\" }\n[set]\nprice = 3\n",
        ),
        ("variants/fair/headless/scripts/fair/x.rhai", ""),
    ];
    let (library, _) = Library::open(&[fair(&files)]);
    let seen = ludoteca::render_all(&library.check(Some("fair")), false);
    insta::assert_snapshot!(seen);
}

#[test]
fn explaining_what_is_not_there() {
    let loaded = clean(&[fair(&[])], &Selection::default());
    let problem = explain(&loaded, "prices.stal.coins").expect_err("unknown");
    insta::assert_snapshot!(problem.render(false));
}

#[test]
fn what_a_variant_changes() {
    let packs = [fair(&[])];
    let (a, b) = (
        clean(&packs, &Selection::default()),
        clean(&packs, &Selection::variant("cheap")),
    );
    let rows: Vec<String> = diff(&a, &b).iter().map(|row| row.to_string()).collect();
    insta::assert_snapshot!(rows.join("\n"));
    assert!(diff(&a, &a).is_empty());
}
