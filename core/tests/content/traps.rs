//! Limits, names that hide each other, and content so broken that little can be read of it: everything is told, nothing crashes.

use crate::fixture::*;
use ludoteca::{Diagnostic, Library, PackSource, Selection, Suite, examine, render_all};

/// Everything that is wrong with the fair, scripts included, with some files changed.
fn problems(changed: &[(&str, &str)]) -> Vec<Diagnostic> {
    let (library, mut found) = Library::open(&[fair(changed)]);
    found.extend(examine(&library, "fair", &Selection::default()).1);
    found
}

fn told(changed: &[(&str, &str)]) -> String {
    render_all(&problems(changed), false)
}

/// What is said when this piece of the manifest is replaced.
fn manifest(old: &str, new: &str) -> String {
    told(&[("scripts/fair/game.toml", &with(MANIFEST, old, new))])
}

#[test]
fn limits_are_told() {
    insta::assert_snapshot!("too_many_players", manifest("[2, 4]", "[2, 17]"));
    let rows = "\"..........................\",\n".repeat(40);
    let board = with(BOARD, "[\"..\", \". \"]", &format!("[\n{rows}]"));
    let chosen = with(MANIFEST, "map = \"village\"", "map = \"board\"");
    let cards = with(CARDS, "near = \"square\"\n", "");
    let files = [
        ("scripts/fair/game.toml", &*chosen),
        ("maps/fair/board.toml", &board),
        ("cards/fair/stalls.toml", &cards),
    ];
    insta::assert_snapshot!("too_many_spaces", told(&files));
}

#[test]
fn names_that_hide_each_other_are_told() {
    let taken = manifest("money = {", "left = 1\nmoney = {");
    assert!(
        taken.contains("every player has a `left` already"),
        "{taken}"
    );
    for (old, new) in [
        (
            "[attributes.player]\nmoney = {",
            "[attributes.player]\nseat = \"int\"\nmoney = {",
        ),
        ("weather = {", "round = \"int\"\nweather = {"),
        (
            "owner = \"player\"",
            "owner = \"player\"\nneighbors = \"int\"",
        ),
        ("fields = { cost", "fields = { zone = \"int\", cost"),
        ("[zones]\n", "[zones]\nright = { of = \"player\" }\n"),
    ] {
        let seen = manifest(old, new);
        assert!(seen.contains("already"), "{new}\n{seen}");
    }
    let hidden = manifest("[zones]", "[attributes.piece]\ncost = \"int\"\n\n[zones]");
    insta::assert_snapshot!("attribute_hides_a_field", hidden);
    let map = with(MAP, "space = { shade", "space = { visits = \"int\", shade");
    let seen = told(&[("maps/fair/village.toml", &map)]);
    assert!(
        seen.contains("`visits` of a space is an attribute and a field of the map"),
        "{seen}"
    );
}

/// A number nobody but its owner sees, of which a bot would have to think of any number there is.
#[test]
fn hidden_numbers_have_a_range() {
    let hoard = |range: &str| {
        let hidden = format!("hoard = {{ type = \"int\", visible = \"owner\"{range} }}");
        with(
            MANIFEST,
            "[attributes.player]\n",
            &format!("[attributes.player]\n{hidden}\n"),
        )
    };
    let said = |range: &str| told(&[("scripts/fair/game.toml", &hoard(range))]);
    insta::assert_snapshot!("hidden_number", said(""));
    assert!(said(", min = 0").contains("has no range"));
    assert_eq!(said(", min = 0, max = 9"), "");
    let imagined = format!("{RULES}fn imagine(p) {{ p.left.hoard = random(9); }}\n");
    let hidden = hoard("");
    let files = [
        ("scripts/fair/game.toml", &*hidden),
        ("scripts/fair/rules.rhai", &imagined),
    ];
    assert_eq!(told(&files), "");
}

/// Two cards whose ids and fields run together are still two cards.
#[test]
fn ids_never_collide() {
    let manifest = with(
        MANIFEST,
        "[kinds.stall]",
        "[kinds.rite]\nfields = { c = \"effect\", b_c = \"effect\" }\n\n[effects]\npay = \"int\"\n\n[kinds.stall]",
    );
    let manifest = with(&manifest, "pay = \"int\"", "pay = { n = \"int\" }");
    let rites = "kind = \"rite\"\n[cards.a]\nname = { es = \"A\", en = \"A\" }\nc = { pay = 1 }\nb_c = { pay = 2 }\n[cards.a_b]\nname = { es = \"B\", en = \"B\" }\nc = { pay = 3 }\nb_c = { pay = 4 }\n";
    let rules = format!(
        "{RULES}fn pay(me, p, it, n) {{ p.money += n; }}\nfn all_of_it(p) {{ card(\"a\").b_c.call((), p, ()); card(\"a_b\").c.call((), p, ()); }}\n"
    );
    let files = [
        ("scripts/fair/game.toml", &*manifest),
        ("scripts/fair/rules.rhai", &rules),
        ("cards/fair/rites.toml", rites),
    ];
    let scenarios = "game = \"fair\"\n[[scenario]]\ntitle = \"both\"\nplayers = 2\nrun = [\"all_of_it(p0)\"]\n[scenario.expect.players.0]\nmoney = 10\n";
    assert_eq!(failures(&files, scenarios), Vec::<String>::new());
}

/// What does not hold of the scenarios of a fair with other files.
fn failures(files: &[(&str, &str)], scenarios: &str) -> Vec<String> {
    let mut files = files.to_vec();
    files.push(("tests/scenarios/fair/all.toml", scenarios));
    let (library, _) = Library::open(&[fair(&files)]);
    let (suite, problems) = Suite::read(&library, &library.scenarios(None));
    assert!(problems.is_empty(), "{}", render_all(&problems, false));
    let tried = suite.run(&library).into_iter();
    tried
        .flat_map(|tried| tried.failures)
        .map(|failure| failure.message)
        .collect()
}

/// Zones that are kept in an order lie in it where a scenario begins, and hold only what has a place there.
#[test]
fn sorted_zones_are_laid_in_order() {
    let manifest = with(
        MANIFEST,
        "[zones]\n",
        "[zones]\nshelf = { sorted = \"cost\" }\n",
    );
    let manifest = with(
        &manifest,
        "[kinds.stall]",
        "[kinds.disc]\ntext = { es = \"Disco\", en = \"Disc\" }\n\n[kinds.stall]",
    );
    let discs =
        "kind = \"disc\"\n[cards.disc]\ncopies = 2\nname = { es = \"Disco\", en = \"Disc\" }\n";
    let files = [
        ("scripts/fair/game.toml", &*manifest),
        ("cards/fair/discs.toml", discs),
    ];
    let laid = |shelf: &str, expected: &str| {
        let scenario = format!(
            "game = \"fair\"\n[[scenario]]\ntitle = \"laid\"\nplayers = 2\nrun = [\"turn(p0)\"]\n[scenario.state.zones]\n\"game.shelf\" = {shelf}\n[scenario.expect.zones]\n\"game.shelf\" = {expected}\n"
        );
        failures(&files, &scenario)
    };
    let in_order = r#"["churros", "ring_toss"]"#;
    assert_eq!(
        laid(r#"["ring_toss", "churros"]"#, in_order),
        Vec::<String>::new()
    );
    let said = laid(r#"["disc"]"#, r#"["disc"]"#);
    assert!(said.len() == 1 && said[0].contains("cost"), "{said:?}");
}

/// A game without `score` that never says who won.
#[test]
fn somebody_must_win() {
    let rules = with(RULES, "fn score(p) { p.money }\n", "");
    insta::assert_snapshot!("no_score", told(&[("scripts/fair/rules.rhai", &rules)]));
    let rules = with(
        &rules,
        "fn turn(p) {}",
        "fn turn(p) { end_game(\"all_lost\", []); }",
    );
    let text = format!(
        "{TEXT}\n[reason]\nall_lost = {{ es = \"Todos pierden\", en = \"Everybody loses\" }}\n"
    );
    let files = [
        ("scripts/fair/rules.rhai", &*rules),
        ("cards/fair/text.toml", &text),
    ];
    assert_eq!(told(&files), "");
}

/// A game can be lost by everybody, won by some whatever the scores are, and not scored by lists of different lengths.
#[test]
fn who_has_won() {
    let ends = "fn turn(p) { end_game(\"lost\", []); }\nfn won_by(p) { end_game(\"lost\", p); }\nfn scored() { end_game(\"lost\"); }\n";
    let rules = with(RULES, "fn turn(p) {}\n", ends);
    let text = format!("{TEXT}\n[reason]\nlost = {{ es = \"Fin\", en = \"End\" }}\n");
    let scenarios = r#"game = "fair"
[[scenario]]
title = "Everybody has lost"
players = 3
run = ["turn(p0)"]
expect = { ended = "lost", winners = [] }
[[scenario]]
title = "One has won, whatever the scores are"
players = 3
run = ["won_by(p2)"]
state = { players = { 0 = { money = 9 } } }
expect = { ended = "lost", winners = [2] }
[[scenario]]
title = "The scores say who has won"
players = 3
run = ["scored()"]
state = { players = { 1 = { money = 9 } } }
expect = { ended = "lost", winners = [1] }
"#;
    let run = |rules: &str| -> Vec<String> {
        let files = [
            ("scripts/fair/rules.rhai", rules),
            ("cards/fair/text.toml", &*text),
        ];
        failures(&files, scenarios)
    };
    assert_eq!(run(&rules), Vec::<String>::new());
    let uneven = with(
        &rules,
        "{ p.money }",
        "{ let all = [p.money]; if p.seat == 1 { all.push(1); } all }",
    );
    let said = run(&uneven);
    assert!(
        said.iter()
            .all(|why| why.contains("must give as many numbers to every player"))
            && said.len() == 3,
        "{said:?}"
    );
    let empty = with(
        &rules,
        "{ p.money }",
        "{ let all = [p.money]; all.pop(); all }",
    );
    let said = run(&empty);
    let wanted = |why: &String| why.contains("must give at least one number");
    assert!(said.iter().all(wanted) && said.len() == 3, "{said:?}");
}

/// What functions give that the kernel calls is told when the game is loaded, and not when a match ends.
#[test]
fn a_score_that_is_none_is_told_when_the_game_is_loaded() {
    let score = |body: &str| {
        let rules = with(
            RULES,
            "score(p) { p.money }",
            &format!("score(p) {{ {body} }}"),
        );
        told(&[("scripts/fair/rules.rhai", &rules)])
    };
    for (body, found) in [
        (r#""a""#, "found a text"),
        ("p", "found a player"),
        ("p.hand", "found a zone"),
        ("p.money > 3", "found true or false"),
        ("()", "found ()"),
        ("if p.money > 3 { 1 }", "found ()"),
        ("if p.money > 3 { return; } 2", "found ()"),
        (r#"[p.money, "a"]"#, "found a list with a text in it"),
        ("[p.money, ()]", "found a list with () in it"),
        ("[]", "found an empty list"),
        (
            "if p.seat == 0 { [1] } else { [1, 2] }",
            "as many numbers everywhere: 2 here, 1 before",
        ),
    ] {
        let seen = score(body);
        assert!(seen.contains("`score` must give"), "{body}\n{seen}");
        assert!(seen.contains(found), "{body}\n{seen}");
    }
    for body in [
        "p.money",
        "return p.money;",
        "if p.money > 3 { [p.money, 1] } else { [0, 0] }",
        "if p.money > 3 { return 1; } let all = [p.money]; all",
    ] {
        assert_eq!(score(body), "", "{body}");
    }
    let rules = with(
        RULES,
        "fn metric_money(p) { p.money }",
        "fn metric_money(p) { p.hand }",
    );
    let seen = told(&[("scripts/fair/rules.rhai", &rules)]);
    assert!(
        seen.contains("`metric_money` must give a number, found a zone"),
        "{seen}"
    );
}

/// `left` is called in games that can be left.
#[test]
fn left_is_for_games_that_can_be_left() {
    let rules = format!("{RULES}fn left(p) {{ p.money = 0; }}\n");
    let manifest = with(
        MANIFEST,
        "round_limit = 20\n",
        "round_limit = 20\nleave = true\n",
    );
    let seen = told(&[("scripts/fair/rules.rhai", &rules)]);
    assert!(
        seen.contains("nobody may leave this game before its end"),
        "{seen}"
    );
    let files = [
        ("scripts/fair/rules.rhai", &*rules),
        ("scripts/fair/game.toml", &manifest),
    ];
    assert_eq!(told(&files), "");
}

/// A file that ends too soon, or lacks a line, at every line of every file.
#[test]
fn broken_content_is_told_and_never_crashes() {
    let board = with(MANIFEST, "map = \"village\"", "map = \"board\"");
    let all: Vec<(&str, String)> = FILES
        .iter()
        .map(|(path, text)| (*path, text.to_string()))
        .chain([("maps/fair/board.toml", BOARD.to_string())])
        .collect();
    for manifest in [MANIFEST, &*board] {
        let mut files = all.clone();
        files[0].1 = manifest.to_string();
        for victim in 0..files.len() {
            let lines: Vec<String> = files[victim].1.lines().map(str::to_string).collect();
            for n in 0..lines.len() {
                let cut = lines[..n].join("\n");
                let without = [&lines[..n], &lines[n + 1..]].concat().join("\n");
                for text in [cut, without] {
                    let mut spoiled = files.clone();
                    spoiled[victim].1 = text;
                    let spoiled = spoiled.iter().map(|(path, text)| (*path, &**text));
                    let (library, _) = Library::open(&[PackSource::memory("base", spoiled)]);
                    let (_, found) = examine(&library, "fair", &Selection::default());
                    render_all(&found, false);
                }
            }
        }
    }
    // A card of an unknown kind, kinds that are not there at all, a slip before them, a board without a legend.
    for (path, old, new) in [
        (
            "cards/fair/stalls.toml",
            "kind = \"stall\"",
            "kind = \"stal\"",
        ),
        ("scripts/fair/game.toml", "[kinds.stall]", "[kind.stall]"),
        ("scripts/fair/game.toml", "[zones]", "[zones"),
        ("scripts/fair/game.toml", "[zones]", "[zones]\n3"),
        (
            "maps/fair/village.toml",
            "[spaces.mill]",
            "[spaces]\nmill = 3\n[spaces.well]",
        ),
    ] {
        let (_, text) = FILES.iter().find(|(p, _)| *p == path).expect("a file");
        assert!(
            !problems(&[(path, &with(text, old, new))]).is_empty(),
            "{new}"
        );
    }
    let bare = with(
        BOARD,
        "[legend]\n\".\" = { terrain = \"grass\" }\n\"W\" = { terrain = \"water\" }\n",
        "",
    );
    let files = [
        ("scripts/fair/game.toml", &*board),
        ("maps/fair/board.toml", &bare),
    ];
    assert!(told(&files).contains("the legend does not explain"));
}
