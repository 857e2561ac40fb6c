//! Scripts that run away or reach out of their box: a clear message, exit code 1, and the command comes back.

use crate::support::Folder;
use insta::assert_snapshot;

/// What a simulation says of the game with this as the beginning of a turn.
fn turn(begins: &str) -> String {
    let folder = Folder::with_game();
    folder.replace(
        "heap/scripts/heap/rules.rhai",
        "fn turn(p) {",
        &format!("fn turn(p) {{\n    {begins}"),
    );
    folder
        .heap(&["sim", "heap", "-n", "1", "--bots", "random"])
        .all()
}

#[test]
fn a_script_that_loops_forever() {
    assert_snapshot!(turn("loop { p.taken += 0; }"));
}

#[test]
fn a_script_that_recurses_forever() {
    assert_snapshot!(turn("turn(p);"));
}

#[test]
fn a_script_that_builds_a_giant_string() {
    assert_snapshot!(turn("let s = \"abc\"; loop { s += s; }"));
}

#[test]
fn a_script_that_builds_a_giant_array() {
    assert_snapshot!(turn("let a = [1]; loop { a += a; }"));
}

#[test]
fn a_script_that_fills_the_agenda() {
    let said = turn("loop { later_step(\"turn\", p); }");
    assert!(said.starts_with("exit code 1"), "{said}");
}

#[test]
fn a_step_that_asks_for_itself() {
    assert_snapshot!(turn("next_step(\"turn\", p); return;"));
}

#[test]
fn an_array_wrapped_into_another_forever() {
    assert_snapshot!(turn("let a = []; loop { a = [a]; }"));
}

/// The work of one call is paid for, so that a few thousand calls cannot take an hour.
#[test]
fn functions_that_go_through_large_lists() {
    for work in [
        "a.sort()",
        "a.reverse()",
        "let n = sum(a)",
        "let b = shuffled(a)",
        "let b = a; b[0] = 2",
        "m.list.sort()",
    ] {
        let said = turn(&format!(
            "let a = []; a.pad(19999, 1); let m = #{{list: a}}; loop {{ {work}; }}"
        ));
        assert!(said.contains("used up its budget"), "{work}: {said}");
    }
}

/// Where what it gives is written down it is told when the game is loaded, else when a game ends with it.
#[test]
fn a_score_that_is_no_number() {
    let said = |score: &str| {
        let folder = Folder::with_game();
        let rules = "heap/scripts/heap/rules.rhai";
        folder.replace(rules, "fn score(p) {", &format!("fn score(p) {{ {score}"));
        folder.heap(&["sim", "heap", "-n", "1", "--bots", "random"])
    };
    assert_snapshot!(said("return \"rich\";").all());
    let told = said("let all = [1, \"rich\"]; return all[1];").all();
    let wanted = "must give a number or a list of numbers, not string";
    assert!(told.contains("round 5") && told.contains(wanted), "{told}");
}

#[test]
fn a_match_with_such_a_script_says_so_through_the_protocol() {
    let folder = Folder::with_game();
    folder.replace(
        "heap/scripts/heap/rules.rhai",
        "p.taken += count;",
        "loop { p.taken += 0; }",
    );
    let said = folder.heap_with(&["play", "heap", "--stdio"], "{\"choose\":1}\n");
    assert!(
        said.code == 1
            && said
                .out
                .lines()
                .last()
                .unwrap()
                .contains("\"broken-rules\""),
        "{}",
        said.all()
    );
}

#[test]
fn an_endless_row_of_numbers_is_never_listed() {
    let folder = Folder::with_game();
    let asks =
        "choose_amount(p, \"take\", 1, min(MOST_AT_ONCE, game.stones), #{ stones: game.stones })";
    let endless = "min(1, choose_amount(p, \"take\", 1, 1000000000, #{ stones: game.stones }))";
    folder.replace("heap/scripts/heap/rules.rhai", asks, endless);
    let seats = ["play", "heap", "--seats", "greedy,random", "--seed", "1"];
    assert_eq!(folder.heap(&seats).code, 0);
    let said = folder.heap_with(&["play", "heap", "--stdio"], "{\"choose\":999999999}\n");
    assert!(
        said.code == 0 && said.out.contains("\"keys\":[\"999999999\"]"),
        "{}",
        said.all()
    );
}

#[test]
fn scripts_that_reach_out() {
    let cases = [
        turn("let f = open_file(\"/etc/passwd\");"),
        turn("let now = timestamp();"),
        turn("eval(\"1 + 1\");"),
        turn("import \"/etc/passwd\" as x;"),
        turn("let x = 1.5;"),
    ];
    assert_snapshot!(cases.join("\n"));
}
