//! `ludoteca test --coverage GAME`: which lines of the rules no scenario runs.

use super::sound_suite;
use crate::arguments::Test;
use crate::output::{Failure, Outcome, outln, show};
use crate::progress;
use crate::words::{say, word};
use ludoteca::{Library, Selection, load_covered, pack::LayerFile};
use ludoteca_lab::coverage::{Coverage, CoveredLine};
use serde_json::{Value, json};
use std::collections::BTreeMap;

pub fn run(library: &Library, items: &[LayerFile], test: &Test) -> Outcome {
    let (suite, id) = sound_suite(library, items)?;
    let bar = progress::unknown(word!("partidas", "games"));
    let mut coverage = Coverage::of(&suite);
    let game = load_covered(library, &id, &Selection::default()).map_err(|problems| {
        show(&problems);
        Failure::Content
    })?;
    coverage
        .play(&game)
        .map_err(|broken| Failure::Game(broken.to_string()))?;
    bar.finish_and_clear();
    let all = coverage.rules().count();
    let unseen = |(_, _, line): &(&str, u32, &CoveredLine)| line.scenarios.is_empty();
    let cards = (
        coverage.cards().count(),
        coverage.cards().filter(unseen).count(),
    );
    let unseen: Vec<(&str, u32, &CoveredLine)> = coverage.rules().filter(unseen).collect();
    let played = unseen.iter().filter(|(_, _, line)| line.played).count();
    if test.json {
        outln!("{}", as_json(&id, all, &unseen, cards));
        return Ok(());
    }
    let mut files: BTreeMap<&str, Vec<(u32, &CoveredLine)>> = BTreeMap::new();
    for (path, number, line) in &unseen {
        files.entry(path).or_default().push((*number, line));
    }
    for (path, lines) in files {
        outln!("{path}");
        for (number, line) in lines {
            let function = line
                .function
                .as_ref()
                .map_or(String::new(), |f| format!(" fn {f}"));
            let who = if line.played {
                word!("solo partidas al azar", "only random games")
            } else {
                word!("nada", "nothing")
            };
            outln!("  {} {number}:{function} {who}", word!("línea", "line"));
        }
    }
    outln!(
        "{}",
        say!(
            "{id}: los escenarios pasan por {} de {all} líneas; de las otras {}, las partidas al azar por {played}",
            "{id}: scenarios run {} of {all} lines; of the other {}, random games run {played}",
            all - unseen.len(),
            unseen.len()
        )
    );
    if cards.0 > 0 {
        let run = cards.0 - cards.1;
        outln!(
            "{}",
            say!(
                "{id}: los escenarios pasan por {run} de {} efectos escritos en cartas",
                "{id}: scenarios run {run} of {} effects written on cards",
                cards.0
            )
        );
    }
    Ok(())
}

fn as_json(
    id: &str,
    all: usize,
    unseen: &[(&str, u32, &CoveredLine)],
    (cards, cards_unseen): (usize, usize),
) -> Value {
    let told = |(path, number, line): &(&str, u32, &CoveredLine)| json!({ "file": path, "line": number, "function": line.function, "played": line.played });
    json!({
        "game": id,
        "lines": all,
        "run": all - unseen.len(),
        "cards": cards,
        "cards_run": cards - cards_unseen,
        "not_run": unseen.iter().map(told).collect::<Vec<_>>(),
    })
}
