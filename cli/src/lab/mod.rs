//! What the commands of the lab share: the plan as typed, the progress bar, Ctrl-C, the table on disk, the tables on the terminal.

pub mod affordable;
pub mod bare;
pub mod outlook;
pub mod parts;
pub mod run;
pub mod sink;
pub mod variant;

use crate::arguments::GameChoice;
use crate::arguments::lab::{Format, Reporting};
use crate::output::{Failure, Outcome, errln, outln, show, unwritable, write_out};
use crate::packs;
use crate::words::{language, say};
use ludoteca::{Game, Language, keep};
use ludoteca_lab::chart::ChartError;
use ludoteca_lab::document::Document;
use ludoteca_lab::points::{Failed, Points};
use ludoteca_lab::report::Pictures;
use std::path::{Path, PathBuf};

/// The game asked for, whose settings will be varied.
pub fn points(content: &[PathBuf], choice: &GameChoice) -> Result<Points, Failure> {
    let (library, _) = packs::open(content)?;
    Ok(Points::new(
        library,
        &choice.game,
        packs::selection(choice)?,
    ))
}

/// What is wrong with content is shown; what broke in a game is said.
pub fn failed(failed: Failed) -> Failure {
    match failed {
        Failed::Content(diagnostics) => {
            show(&diagnostics);
            Failure::Content
        }
        Failed::Game(broken) => Failure::Game(broken.to_string()),
        Failed::NoChances(goal) => Failure::Usage(say!(
            "`{goal}` habla de probabilidades, y aquí las partidas no dicen ninguna: hace falta un `evaluate`, y sesenta partidas que alguien gane",
            "`{goal}` speaks of chances, and games tell none here: it takes an `evaluate`, and sixty games that somebody wins"
        )),
    }
}

/// Bots go on where an opinion of the game breaks; whoever wrote it should hear of it.
pub fn tell_broken_opinion(game: &Game) {
    if let Some(broken) = game.broken_opinion() {
        let (function, fault) = (&broken.function, &broken.fault);
        errln!(
            "{}",
            say!(
                "`{function}` falla en mesas que los bots imaginan, y allí siguen sin ella: {fault}",
                "`{function}` breaks on tables that bots imagine, and there they go on without it: {fault}"
            )
        );
    }
}

/// A page that cannot be written is told before a game is played.
pub fn check_page(path: Option<&Path>) -> Outcome {
    let Some(path) = path else { return Ok(()) };
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    if folder.is_some_and(|folder| !folder.is_dir()) {
        return Err(Failure::Usage(say!(
            "{}: no existe esa carpeta",
            "{}: there is no such folder",
            path.display()
        )));
    }
    keep::could_write(path).map_err(|error| unwritable(path, &error))
}

/// Gives a report: as a page if one is asked for, and on standard output in the way that is.
pub fn publish(
    reporting: &Reporting,
    document: impl Fn(Pictures, Language) -> Result<Document, ChartError>,
    json: impl FnOnce() -> serde_json::Value,
) -> Outcome {
    let language = language();
    let drawn = |pictures: Pictures| {
        document(pictures, language).map_err(|error| Failure::Game(error.to_string()))
    };
    let paged = reporting.report.as_ref().map_or(Ok(()), |path| {
        let page = drawn(Pictures::Drawn)?.html();
        keep::write(path, page).map_err(|error| unwritable(path, &error))?;
        errln!(
            "{}",
            say!("la página es {}", "the page is {}", path.display())
        );
        Ok(())
    });
    match reporting.format {
        _ if reporting.json => outln!("{}", json()),
        Format::Json => outln!("{}", json()),
        Format::Md => write_out(format_args!("{}", drawn(Pictures::Left)?.markdown())),
        Format::Text => write_out(format_args!("{}", drawn(Pictures::Left)?.text())),
    }
    paged
}

/// What was typed, as it can be typed again.
pub fn typed() -> String {
    let quoted = |word: String| match word.contains([' ', '>', '<', '"', '*', '(']) {
        true => format!("'{word}'"),
        false => word,
    };
    let words = std::env::args().skip(1).map(quoted);
    std::iter::once("ludoteca".to_string())
        .chain(words)
        .collect::<Vec<_>>()
        .join(" ")
}
