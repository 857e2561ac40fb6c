//! Budgets that would begin anew: many small things that each keep to theirs, and what is kept in memory meanwhile.

use super::{ALONE, BOARD, MANIFEST, RULES, examined, fort, has_errors, map, measured};
use ludoteca::limits::OPERATIONS_OF_A_MATCH;
use ludoteca::scenario::{self, Allowance};
use ludoteca::{Arena, Bot, BrokenRule, Game, Library, Luck, Match, Suite, render_all};
use std::sync::{Arc, MutexGuard, PoisonError};
use std::time::Duration;

/// What a step may take in earnest, on each of several threads.
const MEMORY_OF_A_STEP: usize = 320 << 20;
/// What is told long before takes no longer than this.
const TIME: Duration = Duration::from_secs(5);

const SLOW: &str = "fn slow() { let n = 0; for i in 0..300000 { n += i % 7; } 1 }\nfn holds() { slow() == 1 }\nfn empty(p) { }\n";

fn alone() -> MutexGuard<'static, ()> {
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The fort with another manifest and another turn.
fn besieged(manifest: String, turn: &str) -> Arc<Game> {
    besieged_on(map(), manifest, turn)
}

/// The same with another map.
fn besieged_on(land: String, manifest: String, turn: &str) -> Arc<Game> {
    let pack = fort(&[
        ("maps/fort/land.toml", land),
        ("scripts/fort/game.toml", manifest),
        ("scripts/fort/rules.rhai", format!("{RULES}{SLOW}")),
        (
            "scripts/fort/turn.rhai",
            format!("fn turn(p) {{ {turn} }}\n"),
        ),
    ]);
    let (game, problems) = examined(&pack);
    assert!(!has_errors(&problems), "{}", render_all(&problems, false));
    game.expect("a game without errors")
}

/// A match in which everybody answers by luck, with a whole budget for each step.
fn seated(game: Arc<Game>) -> Match {
    let mut played = Match::new(game, 2, 1);
    for seat in 0..2 {
        played.seat_random(seat, Luck::new(seat, 1));
    }
    played
}

fn told<T>(went: Result<T, BrokenRule>) -> String {
    went.err()
        .map_or_else(String::new, |broken| broken.to_string())
}

#[test]
fn steps_and_rounds_that_do_nothing_are_counted() {
    let _alone = alone();
    let phases = "[[phases]]\nstep = \"empty\"\neach = \"player\"\n".repeat(100);
    let endless = MANIFEST.replace("round_limit = 3", "round_limit = 1000000");
    for manifest in [endless.clone(), format!("{endless}{phases}")] {
        let mut played = seated(besieged(manifest, ""));
        played.allow(OPERATIONS_OF_A_MATCH / 1000);
        let (went, took, _) = measured(|| told(played.advance()));
        assert!(went.contains("for all their steps and answers"), "{went:?}");
        assert!(took < TIME, "{took:?}");
    }
}

#[test]
fn metrics_have_one_budget_together() {
    let _alone = alone();
    let metrics: String = (0..1000)
        .map(|n| format!("m{n} = {{ text = {{ es = \"M\", en = \"M\" }}, function = \"slow\" }}\n"))
        .collect();
    let game = besieged(format!("{MANIFEST}[metrics]\n{metrics}"), "");
    let mut arena = Arena::new(&game, 2);
    let (went, took, _) = measured(|| told(arena.play(false, |_, _| Ok(None))));
    assert!(went.contains("all metrics together"), "{went:?}");
    assert!(took < TIME, "{took:?}");
}

#[test]
fn invariants_have_one_budget_after_every_step() {
    let _alone = alone();
    let invariants = format!(
        "invariants = [{}]\n[attributes.game]",
        "\"holds\", ".repeat(1000)
    );
    let mut played = seated(besieged(
        MANIFEST.replacen("[attributes.game]", &invariants, 1),
        "",
    ));
    played.verify = true;
    let (went, took, _) = measured(|| told(played.advance()));
    assert!(went.contains("all invariants together"), "{went:?}");
    assert!(took < TIME, "{took:?}");
}

#[test]
fn scenarios_that_are_run_together_have_one_budget() {
    let _alone = alone();
    let scenario = "[[scenario]]\ntitle = \"T\"\nplayers = 2\nrun = [\"turn(p0)\"]\n[scenario.expect]\nasked = \"\"\n";
    let pack = fort(&[
        (
            "scripts/fort/turn.rhai",
            "fn turn(p) { loop { } }\n".to_string(),
        ),
        (
            "tests/scenarios/fort/odd.toml",
            format!("game = \"fort\"\n{}", scenario.repeat(3)),
        ),
    ]);
    let (library, _) = Library::open(std::slice::from_ref(&pack));
    let (suite, problems) = Suite::read(&library, &library.scenarios(Some("fort")));
    assert!(problems.is_empty(), "{}", render_all(&problems, false));
    let mut budget = Allowance {
        left: 6_000_000,
        ..Allowance::default()
    };
    let said: Vec<String> = suite
        .entries
        .iter()
        .map(|case| {
            let (report, _) = scenario::run(&case.scenario, case.game.clone(), &mut budget);
            let failures = report.failures.iter();
            failures.map(|unmet| unmet.message.clone()).collect()
        })
        .collect();
    let [first, second, third] = &said[..] else {
        panic!("three scenarios, not {}", said.len());
    };
    assert!(!first.contains("not run"), "{first}");
    assert!(!second.contains("not run"), "{second}");
    assert!(third.contains("not run"), "{third}");
}

/// Every thread of a run may stand in such a step at the same time.
#[test]
fn hoards_stay_bearable() {
    let _alone = alone();
    for hoard in [
        "let t = table(9000); let h = []; loop { h.push(t.keys()); }",
        "let t = long(19000); let h = []; loop { h.push(t.split(\"\")); }",
        "let a = []; for i in 0..100 { a.push(numbers(190)); } let h = []; loop { let b = a; for i in 0..100 { b[i][0] = 1; } h.push(b); }",
        "let t = numbers(9000); let h = []; loop { h.push(t + [1]); }",
        "let h = []; loop { let k = []; for j in 0..9000 { k.push(#{ a: j, b: [j], c: #{ d: j } }); } h.push(k); }",
        "let h = []; loop { let k = []; for j in 0..9000 { let z = j; k.push(|x| x + z); } h.push(k); }",
        "let h = []; loop { let k = []; for j in 0..9000 { k.push(roll(255)); } h.push(k); }",
    ] {
        let mut played = seated(besieged(MANIFEST.to_string(), hoard));
        let (went, _, bytes) = measured(|| told(played.advance()));
        assert!(went.contains("operations"), "{hoard}: {went:?}");
        assert!(bytes < MEMORY_OF_A_STEP, "{hoard}: {} MiB", bytes >> 20);
    }
}

/// Each opinion keeps to its budget; all of a decision have one as well. Whoever thinks answers with what it found before, and the author
/// is told once.
#[test]
fn a_decision_of_a_bot_has_a_budget() {
    let _alone = alone();
    const LINES: u32 = 60;
    let slow = "let n = 0; for i in 0..900000 { n += i % 7; }";
    let opinions = format!("fn evaluate(p) {{ {slow} p.money }}\n");
    let turn = "fn turn(p) { choose(p, \"ask\", spaces()); }\n";
    let pack = fort(&[
        ("scripts/fort/opinions.rhai", opinions),
        ("scripts/fort/turn.rhai", turn.to_string()),
    ]);
    let (game, problems) = examined(&pack);
    assert!(!has_errors(&problems), "{}", render_all(&problems, false));
    let game = game.expect("a game without errors");
    let mut played = Match::new(game.clone(), 2, 1);
    assert_eq!(told(played.advance()), "");
    let opinion = played
        .evaluate(0)
        .expect("it keeps to the budget of a step");
    assert_eq!(opinion, 0);
    let waiting = played.choice().and_then(|choice| choice.waiting());
    let seat = waiting.expect("somebody is asked");
    let mut bot = Bot::search(LINES).driver(seat, 1);
    let picked = bot.pick(&played).expect("it answers");
    assert_eq!(picked.len(), 1);
    assert!(bot.lines() < u64::from(LINES), "{} lines", bot.lines());
    let broken = game.broken_opinion().expect("its author is told");
    assert_eq!(broken.function, "evaluate");
    let said = &broken.fault.message;
    assert!(said.contains("operations it has for a decision"), "{said}");
}

/// A bot that looks ahead keeps many copies of a step that waits.
#[test]
fn what_a_step_keeps_while_somebody_chooses_is_limited() {
    let _alone = alone();
    let waiting = |kept: &str| {
        let turn = format!("{kept} choose(p, \"ask\", spaces()); h.push(1);");
        let mut played = Match::new(besieged(MANIFEST.to_string(), &turn), 2, 1);
        told(played.advance())
    };
    assert_eq!(waiting("let h = numbers(9000);"), "");
    let refused = waiting("let t = table(5000); let h = []; for i in 0..60 { h.push(t.keys()); }");
    assert!(
        refused.contains("keeps more than 200000 values"),
        "{refused:?}"
    );
}

/// A few operations make a list of two lists of two lists: nobody can look at all of it, so nobody who looks ahead does.
#[test]
fn lists_that_lie_in_each_other_many_times_are_not_compared() {
    let _alone = alone();
    for doubled in ["[a, a]", "#{ a: a, b: a }"] {
        let turn = format!(
            "let a = [1]; for n in 0..40 {{ a = {doubled}; }} choose(p, \"ask\", spaces()); print(a.len());"
        );
        let mut played = Match::new(besieged(MANIFEST.to_string(), &turn), 2, 1);
        assert_eq!(told(played.advance()), "");
        let waiting = played.choice().and_then(|choice| choice.waiting());
        let seat = waiting.expect("somebody is asked");
        for bot in [Bot::Greedy, Bot::search(10)] {
            let picked = bot.driver(seat, 1).pick(&played).expect("it answers");
            assert_eq!(picked.len(), 1, "{doubled}");
        }
    }
}

/// On a large board a list of moves is a set for each space.
#[test]
fn moves_that_are_kept_stay_bearable() {
    let _alone = alone();
    for more in [
        "moves(s, q)",
        "ending_in(m, s)",
        "starting_in(m, s)",
        "m + n",
        "m - n",
    ] {
        let hoard = format!(
            "let s = spaces() - cell(0, 0); let q = spaces() - cell(1, 1); let m = moves(s, q); let n = step_moves(s, \"all\"); let h = []; loop {{ let k = []; for j in 0..9000 {{ k.push({more}); }} h.push(k); }}"
        );
        let game = besieged_on(BOARD.to_string(), MANIFEST.to_string(), &hoard);
        let mut played = seated(game);
        let (went, _, bytes) = measured(|| told(played.advance()));
        assert!(went.contains("operations"), "{more}: {went:?}");
        assert!(bytes < MEMORY_OF_A_STEP, "{more}: {} MiB", bytes >> 20);
    }
}

/// Who listens keeps what happens until a step has come to an end; who does not pays nothing for it.
#[test]
fn what_is_told_of_a_step_is_limited() {
    let _alone = alone();
    for (flood, heard) in [
        ("loop { roll(255); }", "a step may tell of at most"),
        ("loop { roll(2); }", "a step may tell of at most"),
        ("loop { p.money += 1; }", "a step may tell of at most"),
        ("for i in 0..1000 { roll(20); }", ""),
    ] {
        let game = besieged(MANIFEST.to_string(), flood);
        let mut played = seated(game);
        played.table.events = Some(Vec::new());
        let (went, _, bytes) = measured(|| told(played.advance()));
        assert!(went.contains(heard), "{flood}: {went:?}");
        assert!(bytes < MEMORY_OF_A_STEP, "{flood}: {} MiB", bytes >> 20);
        // Another match at the same table begins anew.
        played.table.events = Some(Vec::new());
        played.restart(2);
        let again = told(played.finish_step());
        assert_eq!(again, "", "{flood}");
        played.table.events = None;
        let unheard = told(played.advance());
        assert!(!unheard.contains("may tell of"), "{flood}: {unheard:?}");
    }
}
