//! Bots held against each other, and what a game's opinion is worth.

use super::{fine, json};
use crate::support::Folder;

const MANIFEST: &str = "heap/scripts/heap/game.toml";
const RULES: &str = "heap/scripts/heap/rules.rhai";
const TABLES: &str = "heap/cards/heap/tables.toml";

#[test]
fn a_ladder_says_whether_every_step_leads_up_and_what_it_costs() {
    let folder = Folder::with_game();
    let ladder = ["ladder", "heap", "-n", "40", "--bots"];
    let up = fine(&folder, &[&ladder[..], &["random,greedy"]].concat());
    assert!(up.out.contains("Every step leads up"), "{}", up.out);
    let told = json(&fine(
        &folder,
        &[&ladder[..], &["random,search:20", "--json"]].concat(),
    ));
    let rung = &told["rungs"][0];
    assert_eq!(
        (&rung["bot"], &rung["games"]),
        (&"search:20".into(), &40.into())
    );
    assert_eq!(rung["verdict"], "stronger");
    assert!(rung["lines_per_second"].as_f64().unwrap() > 0.0);
    let one = folder.heap(&[&ladder[..], &["greedy"]].concat());
    assert_eq!(one.code, 2, "{}", one.all());
}

#[test]
fn where_all_are_one_side_tables_are_compared_and_no_chance_is_fitted() {
    let folder = Folder::with_game();
    let sides = "[sides.of]\nall = { text = { es = \"Todos\", en = \"All\" }, seats = \"all\" }\n\n[attributes.game]\n";
    folder.replace(MANIFEST, "[attributes.game]\n", sides);
    let ladder = ["ladder", "heap", "-n", "10", "--bots", "random,greedy"];
    let told = fine(&folder, &ladder);
    assert!(told.out.contains("tables of its own"), "{}", told.out);
    let none = folder.heap(&["calibrate", "heap", "-n", "10"]);
    assert_eq!(none.code, 1, "{}", none.all());
    assert!(none.err.contains("nobody to compare with"), "{}", none.err);
}

/// What was found is written where bots read it, with how many players; and what is written is judged the next time.
#[test]
fn a_scale_is_fitted_written_and_judged() {
    let folder = Folder::with_game();
    let calibrate = ["calibrate", "heap", "-n", "40", "--bot", "random"];
    let with_three = [&calibrate[..], &["--players", "3", "--write"]].concat();
    let found = fine(&folder, &with_three);
    assert!(!found.out.contains("the written scale"), "{}", found.out);
    let manifest = folder.read(MANIFEST);
    for key in ["scale = ", "off_by = ", "measured_with = 3"] {
        assert!(manifest.contains(key), "{manifest}");
    }
    assert!(manifest.starts_with("#:schema"), "what stood there stays");
    fine(&folder, &["check", "heap"]);
    let again = fine(&folder, &calibrate);
    assert!(again.out.contains("the written scale"), "{}", again.out);
    let told = json(&fine(&folder, &[&calibrate[..], &["--json"]].concat()));
    assert!(told["written"]["off_by"].as_f64().is_some(), "{told}");
}

#[test]
fn numbers_of_an_opinion_are_fitted_and_written() {
    let folder = Folder::with_game();
    let by_rote = "    if game.stones % (MOST_AT_ONCE + 1) == 0 { 10 } else { 0 }\n";
    folder.replace(RULES, by_rote, "    OPINION.taken * p.taken\n");
    folder.write(TABLES, "[opinion]\ntaken = 8 # as good as a guess\n");
    let fit = ["calibrate", "heap", "-n", "60", "--bot", "random", "--fit"];
    let close = folder.heap(&[&fit[..], &["opinions"]].concat());
    assert_eq!(close.code, 2, "{}", close.all());
    let meant = "no table `opinions` with numbers in it; did you mean `opinion`?";
    assert!(close.err.contains(meant), "{}", close.err);
    let told = json(&fine(&folder, &[&fit[..], &["opinion", "--json"]].concat()));
    assert!(told["before"]["positions"].as_u64().unwrap() > 0, "{told}");
    let number = &told["numbers"][0];
    assert_eq!(
        (&number["key"], &number["before"]),
        (&"opinion.taken".into(), &8.into())
    );
    let after = number["after"].as_i64().unwrap();
    assert!((2..=32).contains(&after), "{told}");
    fine(&folder, &[&fit[..], &["opinion", "--write"]].concat());
    let written = format!("taken = {after} # as good as a guess");
    assert!(
        folder.read(TABLES).contains(&written),
        "{}",
        folder.read(TABLES)
    );
}

/// Bots go on where an opinion breaks; its author is told, once.
#[test]
fn an_opinion_that_breaks_is_told() {
    let folder = Folder::with_game();
    folder.replace(
        RULES,
        "fn evaluate(p) {\n",
        "fn evaluate(p) {\n    fail(\"no idea\");\n",
    );
    let run = ["sim", "heap", "-n", "4", "--bots", "greedy", "--bare"];
    let said = fine(&folder, &run);
    let told =
        "`evaluate` breaks on tables that bots imagine, and there they go on without it: no idea";
    assert_eq!(said.err.matches(told).count(), 1, "{}", said.err);
}

#[test]
fn for_how_many_a_game_is() {
    let folder = Folder::new();
    let three = folder.run(&["sim", "altered", "--players", "3"]);
    assert_eq!(three.code, 2);
    assert!(
        three.err.contains("altered is for 2 players, not 3"),
        "{}",
        three.err
    );
}
