//! Things an author writes naturally: told when the content is loaded if that is possible, else when the rules run. The cases are in `slips.md`.

use ludoteca::{
    Code, Diagnostic, Game, Language, Library, Match, Offer, PackSource, Selection, Status,
    examine, inside::value, render_all,
};
use std::sync::Arc;

const CASES: &str = include_str!("slips.md");

const MANIFEST: &str = r#"version = "1.0.0"
title = { es = "La isla", en = "The isle" }
summary = { es = "Trampas.", en = "Traps." }
players = [2, 4]
map = "isle"
round_limit = 5

[attributes.player]
coins = "int"
stock = { type = "int", per = ["coal", "iron"] }
round_mood = { type = "word", words = ["calm", "angry"] }

[attributes.space]
owner = "player"
armies = "int"
authority = { type = "int", per = "player" }
visited = { type = "bool", per = "player" }
moves = { type = "int", per = 4 }
mood = { type = "word", words = ["calm", "angry"] }

[attributes.piece]
value = "int"

[zones]
pile = {}
other = {}
row_of_tokens = { sorted = "value" }
hand = { of = "player", visible = "owner" }

[kinds.counter]
text = { es = "Ficha", en = "Counter" }
fields = { cost = "int", mark = "word", signs = "words", tags = { type = "words", words = ["light", "heavy"] } }

[[phases]]
step = "turn"
each = "player"
text = { es = "Turno", en = "Turn" }
"#;

const CARDS: &str = r#"kind = "counter"
[cards.token]
copies = 6
name = { es = "Ficha", en = "Token" }
cost = 2
mark = "square"
signs = ["triangle"]
tags = ["light"]
"#;

const MAP: &str = r#"title = { es = "La isla", en = "The isle" }
fields = { space = { ground = { type = "word", words = ["rock", "sand"] }, soil = { type = "word", default = "loam" } }, edge = { bridge = "bool", steps = { type = "int", default = 1 } } }
[spaces]
alba = { name = { es = "Alba", en = "Alba" }, ground = "rock", soil = "clay" }
brena = { name = { es = "Breña", en = "Brena" }, ground = "sand" }
corva = { name = { es = "Corva", en = "Corva" }, ground = "rock" }
far = { name = { es = "Lejos", en = "Far" }, ground = "rock" }
[edges]
"alba - brena" = { bridge = true }
"brena - corva" = { bridge = false }
"#;

const TEXT: &str = r#"[prompt]
where = { es = "¿Dónde?", en = "Where?" }
act = { es = "¿Qué haces?", en = "What do you do?", actions = ["visit", "mark", "stop", "wait"] }
target = { es = "¿A quién, desde {from}?", en = "Whom, from {from}?" }
[option]
stop = { es = "Terminar", en = "Stop" }
wait = { es = "Esperar", en = "Wait" }
mark = { es = "Marcar", en = "Mark" }
[log]
hit = { es = "{who} acierta.", en = "{who} hits." }
"#;

/// The isle with this body of the step `turn`.
fn isle(body: &str) -> Library {
    isle_of(MANIFEST, body)
}

fn isle_of(manifest: &str, body: &str) -> Library {
    let rules = format!(
        "fn turn(p) {{ {body} }}\nfn score(p) {{ details(p).who.coins }}\nfn details(p) {{ #{{ who: p, from: p }} }}\n"
    );
    let files = [
        ("scripts/isle/game.toml", manifest),
        ("scripts/isle/rules.rhai", &rules),
        ("cards/isle/counters.toml", CARDS),
        ("cards/isle/text.toml", TEXT),
        ("maps/isle/isle.toml", MAP),
    ];
    let (library, _) = Library::open(&[PackSource::memory("base", files)]);
    let problems = library.problems();
    assert!(problems.is_empty(), "{}", render_all(problems, false));
    library
}

/// The isle with what is wrong with it. Nothing borders `far`, which is meant.
fn looked_at(body: &str) -> (Option<Arc<Game>>, Vec<Diagnostic>) {
    let (game, mut problems) = examine(&isle(body), "isle", &Selection::default());
    problems.retain(|problem| problem.code != Code::IsolatedSpace);
    (game, problems)
}

/// What the author sees.
fn told(body: &str) -> String {
    let (_, problems) = looked_at(body);
    render_all(&problems, false)
}

/// What stops the rule, if something does.
fn fault(body: &str) -> Option<String> {
    let (game, problems) = looked_at(body);
    let Some(game) = game.filter(|_| problems.is_empty()) else {
        return Some(format!("does not load\n{}", render_all(&problems, false)));
    };
    let turn = game.program.function("turn", 1).expect("the step");
    let mut played = Match::empty(game, 2, 1);
    played.start_call(turn, &[value::player(0)]);
    played
        .finish_steps()
        .err()
        .map(|broken| broken.fault.message.to_string())
}

/// A case: what is written, and what is said about it.
struct Case {
    kind: &'static str,
    body: &'static str,
    said: Vec<&'static str>,
}

fn cases() -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for line in CASES.lines() {
        let Some((kind, rest)) = line.split_once(": ") else {
            continue;
        };
        match kind {
            "wrong" | "right" | "runs" | "faults" => cases.push(Case {
                kind,
                body: rest,
                said: Vec::new(),
            }),
            "told" | "because" => cases.last_mut().expect("a case before").said.push(rest),
            _ => {}
        }
    }
    cases
}

#[test]
fn slips_are_told_and_what_was_meant_is_not() {
    let mut failures = Vec::new();
    for case in cases() {
        let body = case.body;
        match case.kind {
            "wrong" => {
                let seen = told(body);
                assert!(!case.said.is_empty(), "{body}: what is told?");
                let missing = case.said.iter().filter(|said| !seen.contains(**said));
                failures.extend(missing.map(|said| format!("{body}\n  not told: {said}\n{seen}")));
            }
            "right" => {
                let seen = told(body);
                if !seen.is_empty() {
                    failures.push(format!("{body}\n  is right\n{seen}"));
                }
            }
            "runs" => failures.extend(fault(body).map(|why| format!("{body}\n  {why}"))),
            _ => {
                let found = fault(body).unwrap_or_else(|| "nothing".into());
                assert!(!case.said.is_empty(), "{body}: because of what?");
                let missing = case.said.iter().filter(|said| !found.contains(**said));
                failures.extend(missing.map(|said| format!("{body}\n  {found}, not {said}")));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn an_invariant_is_true_or_false() {
    let manifest = MANIFEST.replace("round_limit", "invariants = [\"holds\"]\nround_limit");
    let told = |holds: &str| {
        let body = format!("p.coins += 1; }} fn holds() {{ {holds} ");
        let (_, mut problems) = examine(&isle_of(&manifest, &body), "isle", &Selection::default());
        problems.retain(|problem| problem.code != Code::IsolatedSpace);
        render_all(&problems, false)
    };
    assert_eq!(told("player(0).coins >= 0"), "");
    let seen = told("player(0).coins");
    let expected = "`holds` must give true or false, found a number";
    assert!(seen.contains(expected), "{seen}");
}

/// What may be done is offered thing by thing, in the order the prompt lists it; where two things can be done with one, its name tells them apart.
#[test]
fn actions_are_told_apart() {
    let body = r#"
        let rocks = spaces_where("ground", "rock");
        let act = choose_action(p, "act", #{ stop: (), wait: p.coins > 3, mark: [space("alba")], visit: rocks });
        if act.action != "mark" || act.on != space("alba") { fail("what was answered"); }
    } fn note_option(p, prompt, option) {
        if option.action == "stop" { "leaves off" } else if option.on == space("alba") { "with a tower" } else { "" }
    "#;
    let (game, problems) = looked_at(body);
    let game = game.unwrap_or_else(|| panic!("{}", render_all(&problems, false)));
    let turn = game.program.function("turn", 1).expect("the step");
    let mut played = Match::empty(game, 2, 1);
    played.start_call(turn, &[value::player(0)]);
    assert_eq!(played.advance().expect("a rule that asks"), Status::Asking);
    let offer = Offer::new(&mut played, 0, Language::En).expect("a choice");
    let told = offer.options.iter().map(|option| {
        let note = option.note.as_deref().unwrap_or("-");
        format!("{} | {} | {note}", option.key, option.label)
    });
    let told: Vec<String> = told.collect();
    let expected = [
        "alba | Alba | with a tower",
        "corva | Corva | -",
        "far | Far | -",
        "mark:alba | Mark: Alba | with a tower",
        "stop | Stop | leaves off",
    ];
    assert_eq!(told, expected);
    played
        .answer_keys(0, &["mark:alba".into()])
        .expect("one of the options");
    played.finish_steps().expect("what was answered");
}
