//! `ludoteca calibrate`: how much a game's opinion of a position knows, and the scale that makes chances of it.

use crate::arguments::lab::Calibrate;
use crate::lab::run as lab;
use crate::output::{Failure, Outcome, errln, outln};
use crate::packs::{self, Home};
use ludoteca::keep;
use ludoteca_lab::calibrate::{self, Calibrated, Calibration};
use ludoteca_lab::runner::Ended;
use serde_json::json;
use std::path::PathBuf;

pub fn run(content: &[PathBuf], asked: &Calibrate) -> Outcome {
    let game = packs::game(content, &asked.game)?;
    let players = packs::players(&game, asked.players)?;
    let bot = lab::repeatable(std::slice::from_ref(&asked.bot))?[0];
    if game.calls.evaluate.is_none() {
        let message = "this game has no `evaluate(p)`: there is nothing to calibrate";
        return Err(Failure::Game(message.into()));
    }
    let manifest = asked
        .write
        .then(|| manifest(&game.definition.id))
        .transpose()?;
    let stop = lab::stop_flag();
    let bar = lab::bar(asked.games);
    let calibration = Calibration {
        bots: vec![bot; players as usize],
        players,
        games: asked.games,
        seed: asked.seed,
        jobs: asked.jobs,
    };
    let (found, ended) = calibrate::calibrate(&game, &calibration, &stop, |n| bar.inc(n))
        .map_err(|broken| Failure::Game(broken.to_string()))?;
    bar.finish_and_clear();
    if found.positions == 0 {
        return Err(Failure::Game("no position could be judged".into()));
    }
    if asked.json {
        outln!("{}", as_json(&found));
    } else {
        outln!(
            "{}, {players} players, {bot} against itself",
            game.definition.id
        );
        show(&found);
    }
    if ended == Ended::Stopped {
        errln!("stopped; what is shown was played until then, and nothing is written");
        return Ok(());
    }
    match manifest {
        Some(path) => write(&path, &found),
        None => Ok(()),
    }
}

fn show(found: &Calibrated) {
    let half = &found.leader_at_half;
    outln!("{} games, {} positions", found.games, found.positions);
    outln!(
        "who leads at half-time wins {:.1} % ({:.1} .. {:.1} %)",
        100.0 * half.value,
        100.0 * half.low,
        100.0 * half.high
    );
    outln!(
        "log loss {:.3}; knowing nothing would be {:.3}",
        found.log_loss,
        found.knowing_nothing
    );
    outln!("{:>10} {:>10} {:>8}", "expected", "came", "cases");
    for bin in found.bins.iter().filter(|bin| bin.cases > 0) {
        outln!(
            "{:>8.1} % {:>8.1} % {:>8}",
            100.0 * bin.expected,
            100.0 * bin.came,
            bin.cases
        );
    }
    outln!(
        "scale {:.0}, off by {:.1} points",
        found.scale,
        found.off_by
    );
}

fn as_json(found: &Calibrated) -> serde_json::Value {
    let half = &found.leader_at_half;
    let bins: Vec<_> = found
        .bins
        .iter()
        .map(|bin| json!({ "expected": bin.expected, "came": bin.came, "cases": bin.cases }))
        .collect();
    json!({
        "games": found.games,
        "positions": found.positions,
        "leader_at_half": { "value": half.value, "low": half.low, "high": half.high },
        "log_loss": found.log_loss,
        "knowing_nothing": found.knowing_nothing,
        "bins": bins,
        "scale": found.scale,
        "off_by": found.off_by,
    })
}

/// The manifest one may write to: that of the pack one stands in.
fn manifest(game: &str) -> Result<PathBuf, Failure> {
    let root = match packs::home() {
        Some(Home::Checkout(root) | Home::Pack(root)) => root,
        None => {
            let message = "stand in a checkout or in the game's pack to write its manifest";
            return Err(Failure::Usage(message.into()));
        }
    };
    let path = root.join(format!("scripts/{game}/game.toml"));
    match path.is_file() {
        true => Ok(path),
        false => Err(Failure::Usage(format!("there is no {}", path.display()))),
    }
}

/// Puts scale and accuracy into `[bots]` of a manifest; everything else stays as it is written.
fn write(path: &std::path::Path, found: &Calibrated) -> Outcome {
    let failed = |error: String| Failure::Game(format!("{}: {error}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|error| failed(error.to_string()))?;
    let mut document: toml_edit::DocumentMut = text
        .parse()
        .map_err(|error: toml_edit::TomlError| failed(error.to_string()))?;
    let bots = document
        .entry("bots")
        .or_insert_with(toml_edit::table)
        .as_table_like_mut()
        .ok_or_else(|| failed("`bots` is not a table".into()))?;
    bots.insert("scale", toml_edit::value(found.scale as i64));
    bots.insert("off_by", toml_edit::value(found.off_by.ceil() as i64));
    keep::write(path, document.to_string()).map_err(|error| failed(error.to_string()))?;
    outln!("written to {}", path.display());
    Ok(())
}
