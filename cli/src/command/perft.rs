//! `ludoteca perft`: how many ways there are to make so many moves.

use crate::arguments::Perft;
use crate::output::{Failure, Outcome, outln, show};
use crate::packs;
use crate::progress;
use crate::words::{errors::told, say, word};
use ludoteca::limits::LARGEST_FILE;
use ludoteca::{
    BrokenRule, Diagnostic, Game, Match, PackSource, Suite, keep, pack::read_scenarios, perft,
    scenario,
};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

pub fn run(content: &[PathBuf], wanted: &Perft) -> Outcome {
    if wanted.depth == 0 {
        return Err(Failure::Usage(say!(
            "`--depth 0`: al menos una jugada",
            "`--depth 0`: at least one move"
        )));
    }
    let mut played = start(content, wanted)?;
    let begun = Instant::now();
    let bar = progress::busy(word!("contando", "counting"));
    let counts = perft::Perft::new(&mut played, wanted.depth)
        .count(wanted.divide)
        .map_err(broken)?;
    bar.finish_and_clear();
    let seconds = begun.elapsed().as_secs_f64();
    let leaves = counts.by_depth.last().copied().unwrap_or(0);
    let speed = (leaves as f64 / seconds.max(1e-9)) as u64;
    if wanted.json {
        let divided: Vec<_> = counts
            .divided
            .iter()
            .map(|(key, count)| json!({ "move": key, "count": count }))
            .collect();
        let mut told = json!({ "game": wanted.game.game, "counts": counts.by_depth, "nodes_per_second": speed });
        if wanted.divide {
            told["divide"] = json!(divided);
        }
        outln!("{told}");
        return Ok(());
    }
    for (key, count) in &counts.divided {
        outln!("{key:12} {count}");
    }
    for (depth, count) in (1..).zip(&counts.by_depth) {
        outln!("{} {depth}: {count}", word!("profundidad", "depth"));
    }
    outln!("{speed} {}", word!("por segundo", "a second"));
    Ok(())
}

fn broken(rule: BrokenRule) -> Failure {
    Failure::Game(rule.to_string())
}

/// A match where counting starts.
fn start(content: &[PathBuf], wanted: &Perft) -> Result<Match, Failure> {
    if let Some(file) = &wanted.position {
        return laid(content, wanted, file);
    }
    let game = packs::game(content, &wanted.game)?;
    let players = packs::players(&game, wanted.players)?;
    let mut played = Match::new(game, players, wanted.seed);
    if let Some(text) = &wanted.fen
        && !played.read_position(text).map_err(broken)?
    {
        let game = &wanted.game.game;
        return Err(Failure::Usage(say!(
            "{game} no tiene `read_position(text)`: da la posición como escenario, con --position",
            "{game} has no `read_position(text)`: give the position as a scenario, with --position"
        )));
    }
    Ok(played)
}

/// The position of the first scenario of a file.
fn laid(content: &[PathBuf], wanted: &Perft, file: &Path) -> Result<Match, Failure> {
    let (library, _) = packs::open(content)?;
    let text = keep::read_text(file, LARGEST_FILE)
        .map_err(|error| Failure::Usage(format!("{}: {}", file.display(), told(&error))))?;
    let shown = file.display().to_string();
    let inside = format!("tests/scenarios/{}/position.toml", wanted.game.game);
    let source = PackSource::memory(&shown, [(inside.as_str(), text.as_str())]);
    let items = [read_scenarios(&source, &inside)];
    let (suite, problems) = Suite::read(&library, &items);
    show(&problems);
    if problems.iter().any(Diagnostic::is_error) {
        return Err(Failure::Content);
    }
    let Some(entry) = suite.entries.first() else {
        return Err(Failure::Usage(say!(
            "{shown}: no hay ningún escenario desde el que empezar",
            "{shown}: no scenario to start from"
        )));
    };
    let game: Arc<Game> = entry.game.clone();
    scenario::beginning(&entry.scenario, game).map_err(broken)
}
