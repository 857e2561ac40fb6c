//! What authors see of their content: lists, mistakes, stories of values, differences.

use crate::support::Folder;
use insta::assert_snapshot;

/// With a variant that has one stone more.
fn with_variant(folder: &Folder) {
    folder.heap(&["new", "variant", "heap", "tall"]);
    let path = "heap/variants/heap/tall.toml";
    folder.replace(path, "[set]\n", "[set]\n\"heap\" = { add = 1 }\n");
}

#[test]
fn a_list_of_games_and_variants() {
    let folder = Folder::with_game();
    with_variant(&folder);
    let said = folder.heap(&["list"]);
    let lines: Vec<&str> = said
        .out
        .lines()
        .skip_while(|line| !line.starts_with("heap"))
        .take(3)
        .collect();
    assert_snapshot!(lines.join("\n"));
    let json: serde_json::Value =
        serde_json::from_str(&folder.heap(&["list", "--json"]).out).unwrap();
    let game = json["games"]
        .as_array()
        .unwrap()
        .iter()
        .find(|game| game["id"] == "heap")
        .unwrap();
    assert_snapshot!("a_game_of_the_list_as_json", format!("{game:#}"));
}

#[test]
fn many_mistakes_of_a_pack_at_once() {
    let folder = Folder::with_game();
    folder.replace(
        "heap/scripts/heap/rules.rhai",
        "p.taken += count",
        "p.takn += count",
    );
    folder.replace(
        "heap/scripts/heap/rules.rhai",
        "say(\"took\"",
        "say(\"tok\"",
    );
    folder.replace(
        "heap/scripts/heap/game.toml",
        "en = \"Stones\"",
        "fr = \"Pierres\"",
    );
    folder.replace(
        "heap/scripts/heap/game.toml",
        "step = \"turn\"",
        "step = \"trun\"",
    );
    folder.write("heap/scripts/heap/notes.txt", "nothing reads me");
    assert_snapshot!(folder.heap(&["check", "heap"]).all());
}

#[test]
fn a_syntax_error_in_a_script() {
    let folder = Folder::with_game();
    folder.replace(
        "heap/scripts/heap/rules.rhai",
        "game.stones -= count;",
        "game.stones -= ;",
    );
    assert_snapshot!(folder.heap(&["check", "heap"]).all());
}

#[test]
fn an_overlay_that_changes_nothing() {
    let folder = Folder::with_game();
    folder.run(&["new", "pack", "more"]);
    folder.write(
        "more/scripts/heap/game.toml",
        "[parameters.heap]\nvalue = 21\n",
    );
    let said = folder.heap(&["--content", "../more", "check", "heap"]);
    assert_snapshot!(said.all());
}

#[test]
fn a_pack_for_another_kernel() {
    let folder = Folder::with_game();
    folder.run(&["new", "pack", "future"]);
    let kernel = folder
        .read("future/pack.toml")
        .lines()
        .find(|line| line.starts_with("kernel"))
        .unwrap()
        .to_string();
    folder.replace("future/pack.toml", &kernel, "kernel = \">=99\"");
    let said = folder.heap(&["--content", "../future", "check", "heap"]);
    let said = said.all().replace(env!("CARGO_PKG_VERSION"), "[version]");
    assert_snapshot!(said);
}

#[test]
fn where_a_value_comes_from() {
    let folder = Folder::with_game();
    with_variant(&folder);
    let plain = folder.heap(&["explain", "heap", "heap"]);
    let set = folder.heap(&[
        "explain",
        "heap",
        "parameters",
        "--variant",
        "tall",
        "--set",
        "most_at_once=4",
    ]);
    let unknown = folder.heap(&["explain", "heap", "most_at_onec"]);
    assert_snapshot!([plain.all(), set.all(), unknown.all()].join("\n"));
}

#[test]
fn what_two_variants_change() {
    let folder = Folder::with_game();
    with_variant(&folder);
    let changed = folder.heap(&["diff", "heap", "base", "tall+most_at_once=5"]);
    let same = folder.heap(&["diff", "heap", "tall", "tall"]);
    assert_snapshot!([changed.all(), same.all()].join("\n"));
}
