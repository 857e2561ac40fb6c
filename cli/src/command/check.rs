//! `ludoteca check`: everything that is wrong with content, at once.

use crate::arguments::Check;
use crate::output::{Failure, Outcome, counted, errln, outln, show};
use crate::packs;
use ludoteca::content::diagnostic::{Diagnostic, sort};
use ludoteca::content::library::{Library, Selection};
use ludoteca::play::scenario::Suite;
use ludoteca::script::load;
use ludoteca_lab::runner::{self, Next};
use serde_json::json;
use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

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
    let wanted = games
        .iter()
        .filter(|game| only.is_none_or(|id| id == game.id));
    let checked = wanted.clone().count();
    let mut tasks = vec![Task::Scenarios];
    for game in wanted {
        tasks.push(Task::Game(&game.id, Selection::default()));
        let variants = game.variants.iter().map(|v| Selection::variant(&v.id));
        tasks.extend(variants.map(|variant| Task::Game(&game.id, variant)));
    }
    diagnostics.extend(examined(&library, only, &tasks));
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

/// What is examined by itself: a game as it is or with a variant, or the scenarios of the packs. What is wrong with a game itself is told
/// where the game is.
enum Task<'g> {
    Game(&'g str, Selection),
    Scenarios,
}

/// What is wrong with each of these, worked out on all cores.
fn examined(library: &Library, only: Option<&str>, tasks: &[Task]) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let examine = |task: &Task| match task {
        Task::Game(game, selection) => load::examine(library, game, selection).1,
        Task::Scenarios => Suite::read(library, &library.scenarios(only)).1,
    };
    let never = AtomicBool::new(false);
    // Nothing here fails: what is wrong is what is handed over.
    let _: Result<_, Infallible> = runner::run(
        (0, tasks.len() as u64),
        0,
        &never,
        |_| {},
        || (),
        |(), number| Ok(examine(&tasks[number as usize])),
        |_, diagnostics| {
            found.extend(diagnostics);
            Next::GoOn
        },
    );
    found
}
