//! `ludoteca check`: everything that is wrong with content, at once.

use crate::arguments::Check;
use crate::output::{Failure, Outcome, counted, errln, outln, show};
use crate::packs;
use ludoteca::content::diagnostic::{Diagnostic, sort};
use ludoteca::content::library::{Library, Selection};
use ludoteca::play::scenario::Suite;
use ludoteca::script::load;
use serde_json::json;
use std::path::{Path, PathBuf};

pub fn run(content: &[PathBuf], check: &Check) -> Outcome {
    let (mut library, mut diagnostics) = packs::open(content)?;
    let mut only = check.target.as_deref();
    // A game goes by its id; anything else that is a folder is a pack.
    if let Some(folder) = only.map(Path::new)
        && folder.is_dir()
        && !library
            .games()
            .iter()
            .any(|game| Path::new(&game.id) == folder)
    {
        let mut content = content.to_vec();
        content.push(folder.to_path_buf());
        (library, diagnostics) = packs::open(&content)?;
        only = None;
    }
    let games = library.games();
    let mut checked = 0;
    for game in games
        .iter()
        .filter(|game| only.is_none_or(|id| id == game.id))
    {
        checked += 1;
        diagnostics.extend(check_game(
            &library,
            &game.id,
            game.variants.iter().map(|v| v.id.as_str()),
        ));
    }
    if checked == 0
        && let Some(id) = only
    {
        diagnostics.extend(
            library
                .load(id, &Selection::default())
                .err()
                .unwrap_or_default(),
        );
    }
    diagnostics.extend(check_scenarios(&library, only));
    sort(&mut diagnostics);
    diagnostics.dedup();
    let errors = diagnostics.iter().filter(|d| d.is_error()).count();
    if check.json {
        let listed: Vec<_> = diagnostics.iter().map(Diagnostic::json).collect();
        outln!(
            "{}",
            json!({ "games": checked, "errors": errors, "diagnostics": listed })
        );
    } else {
        show(&diagnostics);
        let warnings = diagnostics.len() - errors;
        errln!(
            "{} checked, {}, {}",
            counted(checked, "game"),
            counted(errors, "error"),
            counted(warnings, "warning")
        );
    }
    if errors > 0 {
        Err(Failure::Content)
    } else {
        Ok(())
    }
}

/// The scenarios of the packs, or of one game. What is wrong with a game itself is told where it is checked.
fn check_scenarios(library: &Library, only: Option<&str>) -> Vec<Diagnostic> {
    Suite::read(library, &library.scenarios(only)).1
}

/// The game as it is, and with each of its variants.
fn check_game<'v>(
    library: &Library,
    game: &str,
    variants: impl Iterator<Item = &'v str>,
) -> Vec<Diagnostic> {
    let (_, mut found) = load::examine(library, game, &Selection::default());
    for variant in variants {
        found.extend(load::examine(library, game, &Selection::variant(variant)).1);
    }
    found
}
