//! What scenarios see of the rules: `test --coverage` and `test --mutate`.

use crate::support::{Folder, Said};
use serde_json::Value;

fn asked(folder: &Folder, more: &[&str]) -> (Said, Value) {
    let mut words = vec!["test", "heap", "--json"];
    words.extend(more);
    let said = folder.heap(&words);
    assert_eq!(said.code, 0, "{}", said.err);
    let json = serde_json::from_str(&said.out).unwrap();
    (said, json)
}

#[test]
fn lines_no_scenario_runs_are_told() {
    let folder = Folder::with_game();
    let (_, before) = asked(&folder, &["--coverage"]);
    assert_eq!(before["game"], "heap");
    let unseen = |told: &Value| told["not_run"].as_array().unwrap().clone();
    let opinion = |line: &Value| line["function"] == "evaluate";
    assert!(!unseen(&before).iter().any(opinion), "no rule: {before}");
    let rules = folder.read("heap/scripts/heap/rules.rhai");
    let more = "\nfn never(p) {\n    end_game();\n}\n";
    folder.write("heap/scripts/heap/rules.rhai", &(rules.clone() + more));
    let (_, after) = asked(&folder, &["--coverage"]);
    let line = rules.lines().count() + 2;
    let mut told = unseen(&after);
    told.retain(|line| !unseen(&before).contains(line));
    assert_eq!(told.len(), 2, "{after}");
    assert_eq!(told[0]["function"], "never");
    assert_eq!(told[0]["line"], line);
    assert_eq!(told[1]["line"], line + 1);
    assert_eq!(told[1]["played"], false);
}

#[test]
fn changes_no_scenario_notices_are_told_the_same_way_every_time() {
    let folder = Folder::with_game();
    let (_, all) = asked(&folder, &["--mutate", "--jobs", "1"]);
    let (changes, noticed) = (
        all["changes"].as_u64().unwrap(),
        all["noticed"].as_u64().unwrap(),
    );
    let unnoticed = all["unnoticed"].as_array().unwrap();
    assert!(changes > 4, "{all}");
    assert_eq!(changes - noticed, unnoticed.len() as u64);
    let (threads, _) = asked(&folder, &["--mutate", "--jobs", "3"]);
    let (alone, _) = asked(&folder, &["--mutate", "--jobs", "1"]);
    assert_eq!(threads.out, alone.out);
    let (sample, one) = asked(&folder, &["--mutate", "--sample", "4", "--seed", "5"]);
    assert_eq!(one["changes"].as_u64().map(|n| n <= 4), Some(true));
    let (again, _) = asked(&folder, &["--mutate", "--sample", "4", "--seed", "5"]);
    assert_eq!(sample.out, again.out);
}

/// A rule that loops for ever when it is changed is noticed, not waited for.
#[test]
fn changes_that_never_end_are_noticed() {
    let folder = Folder::with_game();
    let rules = folder.read("heap/scripts/heap/rules.rhai");
    let spin = "\nfn spin(p) {\n    let n = 0;\n    while n != 9 { n += 3; }\n    end_game();\n}\n";
    folder.write("heap/scripts/heap/rules.rhai", &(rules + spin));
    folder.write(
        "heap/tests/scenarios/heap/spin.toml",
        "game = \"heap\"\n[[scenario]]\ntitle = \"it ends\"\nplayers = 2\nrun = [\"spin(p0)\"]\n[scenario.expect]\nended = true\n",
    );
    let (_, all) = asked(&folder, &["--mutate"]);
    let endless = |one: &&Value| one["function"] == "spin" && one["before"] == "9";
    assert_eq!(
        all["unnoticed"].as_array().unwrap().iter().find(endless),
        None
    );
}
