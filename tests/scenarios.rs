//! Every scenario of every game holds.

use ludoteca::content::library::Selection;
use ludoteca::play::scenario::{self, ScenarioFile};
use ludoteca_tests::{files, game, library, root};
use serde_json::Value as Json;
use std::collections::HashMap;

#[test]
fn all_scenarios_hold() {
    let library = library();
    let mut games = HashMap::new();
    let (mut ran, mut wrong) = (0, Vec::new());
    for path in files(&root().join("tests/scenarios"), "toml") {
        let text = std::fs::read_to_string(&path).unwrap();
        let file = ScenarioFile::parse(&text)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        for one in &file.scenario {
            let written = |value: &Json| {
                value
                    .as_str()
                    .map_or_else(|| value.to_string(), str::to_string)
            };
            let set = one
                .set
                .iter()
                .map(|(key, value)| (key.clone(), written(value)))
                .collect();
            let selection = Selection {
                variants: one.variants.clone(),
                set,
            };
            let made = games
                .entry((file.game.clone(), selection.clone()))
                .or_insert_with(|| game(&library, &file.game, &selection));
            let failures =
                scenario::run(one, made.clone()).unwrap_or_else(|error| vec![error.to_string()]);
            wrong.extend(
                failures
                    .iter()
                    .map(|failure| format!("{}: {}: {failure}", path.display(), one.title)),
            );
            ran += 1;
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {ran} scenarios:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(ran > 0, "there are scenarios");
}
