//! `ludoteca calibrate`: how much a game's opinion of a position knows, the scale that makes chances of it, and numbers fitted to who wins.

use crate::arguments::lab::Calibrate;
use crate::lab::{failed, points, run as lab, tell_broken_opinion};
use crate::output::{Failure, Outcome, outln};
use crate::packs::{self, Home};
use crate::words::{errors::told, say, word};
use ludoteca::{Definition, keep, nearest};
use ludoteca_lab::calibrate::{self, Calibrated, Calibration};
use ludoteca_lab::fit::{self, Fitted};
use ludoteca_lab::parties::Parties;
use ludoteca_lab::runner::RunEnd;
use serde_json::json;
use std::path::{Path, PathBuf};

pub fn run(content: &[PathBuf], asked: &Calibrate) -> Outcome {
    let game = packs::game(content, &asked.game)?;
    let players = packs::players(&game, asked.players)?;
    let bot = lab::repeatable(std::slice::from_ref(&asked.bot))?[0];
    if game.calls.evaluate.is_none() {
        return Err(Failure::Game(say!(
            "este juego no tiene `evaluate(p)`: no hay nada que calibrar",
            "this game has no `evaluate(p)`: there is nothing to calibrate"
        )));
    }
    if Parties::declared(&game, players).are_one() {
        return Err(Failure::Game(say!(
            "aquí todos ganan o pierden juntos: las probabilidades comparan bandos, y no hay con quién; los bots se guían por lo que han visto",
            "here all win or lose together: chances compare sides, and there is nobody to compare with; bots go by what they have seen"
        )));
    }
    let written = match &asked.fit {
        _ if !asked.write => None,
        None => Some(home(&format!("scripts/{}/game.toml", game.definition.id))?),
        Some(_) => Some(home(&format!("cards/{}/tables.toml", game.definition.id))?),
    };
    let stop = lab::stop_flag();
    let bar = lab::bar(asked.games);
    let calibration = Calibration {
        bots: vec![bot; players as usize],
        players,
        games: asked.games,
        seed: asked.seed,
        jobs: asked.jobs,
    };
    if let Some(table) = &asked.fit {
        let numbers = fit::numbers_of(table, &game.definition);
        if numbers.is_empty() {
            return Err(Failure::Usage(no_table(table, &game.definition)));
        }
        let points = points(content, &asked.game)?;
        let progress = |n| bar.inc(n);
        let (found, ended) =
            fit::fit(&points, &game, &numbers, &calibration, &stop, progress).map_err(failed)?;
        bar.finish_and_clear();
        return tell_fitted(asked, &found, ended, written.as_deref());
    }
    let (found, ended) = calibrate::calibrate(&game, &calibration, &stop, |n| bar.inc(n))
        .map_err(|broken| Failure::Game(told(&broken)))?;
    bar.finish_and_clear();
    tell_broken_opinion(&game);
    if found.positions == 0 {
        return Err(Failure::Game(say!(
            "no se pudo juzgar ninguna posición",
            "no position could be judged"
        )));
    }
    if asked.json {
        outln!("{}", as_json(&found));
    } else {
        let id = &game.definition.id;
        outln!(
            "{}",
            say!(
                "{id}, {players} jugadores, {bot} contra sí mismo",
                "{id}, {players} players, {bot} against itself"
            )
        );
        show(&found);
    }
    if ended == RunEnd::Stopped {
        return Err(stopped());
    }
    match written {
        Some(path) => write(&path, &found, players),
        None => Ok(()),
    }
}

fn stopped() -> Failure {
    Failure::Stopped(say!(
        "interrumpido; lo que se muestra es lo jugado hasta entonces, y no se escribe nada",
        "stopped; what is shown was played until then, and nothing is written"
    ))
}

/// No table is called so, or it has no numbers.
fn no_table(table: &str, definition: &Definition) -> String {
    let with_numbers = definition.tables.keys();
    let with_numbers = with_numbers.filter(|name| !fit::numbers_of(name, definition).is_empty());
    let hint = nearest(table, with_numbers).map_or(String::new(), |near| {
        say!("; ¿quizá «{near}»?", "; did you mean `{near}`?")
    });
    say!(
        "este juego no tiene ninguna tabla «{table}» con números{hint}",
        "this game has no table `{table}` with numbers in it{hint}"
    )
}

fn tell_fitted(
    asked: &Calibrate,
    found: &Fitted,
    ended: RunEnd,
    written: Option<&Path>,
) -> Outcome {
    if asked.json {
        let numbers: Vec<_> = found
            .numbers
            .iter()
            .map(|n| json!({ "key": n.key, "before": n.before, "after": n.after }))
            .collect();
        let (before, after) = (as_json(&found.before), as_json(&found.after));
        outln!(
            "{}",
            json!({ "numbers": numbers, "before": before, "after": after })
        );
    } else {
        for number in &found.numbers {
            outln!(
                "{:<32} {:>8} {:>8}",
                number.key,
                number.before,
                number.after
            );
        }
        outln!(
            "{}",
            word!(
                "en partidas a las que no se ajustaron, antes:",
                "on games they were not fitted to, before:"
            )
        );
        show(&found.before);
        outln!("{}", word!("y después:", "and after:"));
        show(&found.after);
    }
    match written {
        _ if ended == RunEnd::Stopped => Err(stopped()),
        Some(path) => write_numbers(path, found),
        None => Ok(()),
    }
}

/// Puts fitted numbers in the place of the old ones; everything else stays as it is written, what is noted beside them too.
fn write_numbers(path: &Path, found: &Fitted) -> Outcome {
    let failed = |error: String| Failure::Game(format!("{}: {error}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|error| failed(error.to_string()))?;
    let mut document: toml_edit::DocumentMut = text
        .parse()
        .map_err(|error: toml_edit::TomlError| failed(error.to_string()))?;
    for number in found.numbers.iter().filter(|n| n.before != n.after) {
        let mut names = number.key.split('.');
        let place = names.try_fold(document.as_item_mut(), |item, name| item.get_mut(name));
        let value = place.and_then(|item| item.as_value_mut());
        let value = value
            .ok_or_else(|| failed(say!("no hay ningún «{}»", "there is no `{}`", number.key)))?;
        let decor = value.decor().clone();
        *value = number.after.into();
        *value.decor_mut() = decor;
    }
    keep::write(path, document.to_string()).map_err(|error| failed(error.to_string()))?;
    outln!("{}", say!("escrito en {}", "written to {}", path.display()));
    Ok(())
}

fn show(found: &Calibrated) {
    let half = &found.leader_at_half;
    let (games, positions) = (found.games, found.positions);
    outln!(
        "{}",
        say!(
            "{games} partidas, {positions} posiciones",
            "{games} games, {positions} positions"
        )
    );
    outln!(
        "{}",
        say!(
            "quien va ganando a mitad de partida gana el {:.1} % ({:.1} .. {:.1} %)",
            "who leads at half-time wins {:.1} % ({:.1} .. {:.1} %)",
            100.0 * half.value,
            100.0 * half.low,
            100.0 * half.high
        )
    );
    outln!(
        "{}",
        say!(
            "pérdida logarítmica {:.3}; sin saber nada sería {:.3}",
            "log loss {:.3}; knowing nothing would be {:.3}",
            found.log_loss,
            found.knowing_nothing
        )
    );
    outln!(
        "{:>10} {:>10} {:>8}",
        word!("esperado", "expected"),
        word!("hubo", "came"),
        word!("casos", "cases")
    );
    for bin in found.bins.iter().filter(|bin| bin.cases > 0) {
        outln!(
            "{:>8.1} % {:>8.1} % {:>8}",
            100.0 * bin.expected,
            100.0 * bin.came,
            bin.cases
        );
    }
    outln!(
        "{}",
        say!(
            "escala {:.0}, se desvía en {:.1} puntos",
            "scale {:.0}, off by {:.1} points",
            found.scale,
            found.off_by
        )
    );
    if let Some(written) = &found.written {
        let (scale, off_by, loss) = (written.scale, written.off_by, written.log_loss);
        outln!(
            "{}",
            say!(
                "la escala escrita, {scale:.0}, se desvía aquí en {off_by:.1} puntos (pérdida {loss:.3})",
                "the written scale, {scale:.0}, is off by {off_by:.1} points here (loss {loss:.3})"
            )
        );
    }
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
        "written": found.written.map(|written| json!({
            "scale": written.scale, "off_by": written.off_by, "log_loss": written.log_loss,
        })),
    })
}

/// A file of the pack one stands in, to write to.
fn home(file: &str) -> Result<PathBuf, Failure> {
    let root = match packs::home() {
        Some(Home::Checkout(root) | Home::Pack(root)) => root,
        None => {
            return Err(Failure::Usage(say!(
                "para escribir en los archivos del juego hay que estar en el repositorio o en su paquete",
                "stand in a checkout or in the game's pack to write to its files"
            )));
        }
    };
    let path = root.join(file);
    match path.is_file() {
        true => Ok(path),
        false => Err(Failure::Usage(say!(
            "no existe {}",
            "there is no {}",
            path.display()
        ))),
    }
}

/// Puts scale and accuracy, and with how many players they were found, into `[bots]` of a manifest; everything else stays as it is written.
fn write(path: &Path, found: &Calibrated, players: u8) -> Outcome {
    let failed = |error: String| Failure::Game(format!("{}: {error}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|error| failed(told(&error)))?;
    let mut document: toml_edit::DocumentMut = text
        .parse()
        .map_err(|error: toml_edit::TomlError| failed(error.to_string()))?;
    let bots = document
        .entry("bots")
        .or_insert_with(toml_edit::table)
        .as_table_like_mut()
        .ok_or_else(|| failed(say!("`bots` no es una tabla", "`bots` is not a table")))?;
    bots.insert("scale", toml_edit::value(found.scale as i64));
    bots.insert("off_by", toml_edit::value(found.off_by.ceil() as i64));
    bots.insert("measured_with", toml_edit::value(i64::from(players)));
    keep::write(path, document.to_string()).map_err(|error| failed(told(&error)))?;
    outln!("{}", say!("escrito en {}", "written to {}", path.display()));
    Ok(())
}
