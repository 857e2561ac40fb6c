//! From content to a game that can be played, with everything that is wrong on the way.

use super::game::{Game, MissingFunction, Refused};
use crate::content::diagnostic::{Code, Diagnostic, sort};
use crate::content::from_script;
use crate::content::library::{Library, Loaded, Selection};
use std::sync::Arc;

/// A game with its variants and settings, or everything that keeps it from being played.
pub fn load(
    library: &Library,
    game: &str,
    selection: &Selection,
) -> Result<Arc<Game>, Vec<Diagnostic>> {
    let (game, diagnostics) = examine(library, game, selection);
    match game {
        Some(game) if !diagnostics.iter().any(Diagnostic::is_error) => Ok(game),
        _ => Err(diagnostics),
    }
}

/// The game if it can be made at all, and everything that is wrong with it, warnings too.
pub fn examine(
    library: &Library,
    game: &str,
    selection: &Selection,
) -> (Option<Arc<Game>>, Vec<Diagnostic>) {
    let loaded = match library.load(game, selection) {
        Ok(loaded) => loaded,
        Err(diagnostics) => return (None, diagnostics),
    };
    let mut diagnostics = loaded.diagnostics.clone();
    let made = match Game::new(loaded.definition.clone()) {
        Ok(made) => Some(made),
        Err(refused) => {
            diagnostics.extend(explain(&refused, &loaded));
            None
        }
    };
    sort(&mut diagnostics);
    (made, diagnostics)
}

fn explain(refused: &Refused, loaded: &Loaded) -> Vec<Diagnostic> {
    let scripts = refused
        .scripts
        .iter()
        .map(|found| from_script::diagnostic(found, &loaded.files));
    scripts
        .chain(
            refused
                .missing
                .iter()
                .map(|missing| missing_function(missing, loaded)),
        )
        .collect()
}

fn missing_function(missing: &MissingFunction, loaded: &Loaded) -> Diagnostic {
    let name = &missing.named.name;
    let message = match missing.parameters {
        Some(0) => format!("the scripts have no function `{name}()`"),
        Some(count) => format!(
            "the scripts have no function `{name}` with {count} parameter{}",
            if count == 1 { "" } else { "s" }
        ),
        None => format!("the scripts have no function `{name}`"),
    };
    let mut diagnostic = Diagnostic::new(Code::UnknownFunction, message);
    if let Some(place) = loaded.files.place(&missing.named.origin) {
        diagnostic = diagnostic.at(&place);
    }
    diagnostic.help = missing.suggestion.as_ref().map(|known| {
        if known == name {
            format!("`{known}` takes another number of parameters")
        } else {
            format!("did you mean `{known}`?")
        }
    });
    diagnostic
}
