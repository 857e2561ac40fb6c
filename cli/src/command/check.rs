//! `ludoteca check`: everything that is wrong with content, at once.

use crate::arguments::Check;
use crate::isolated;
use crate::output::{Failure, Outcome, counted, errln, outln, show};
use crate::packs;
use ludoteca::content::diagnostic::Diagnostic;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::time::Instant;

pub fn run(content: &[PathBuf], check: &Check) -> Outcome {
    if check.isolated {
        return isolated::check_again(content, check.target.as_deref(), check.json);
    }
    if check.confined {
        isolated::confine(content, check.target.as_deref());
    }
    let begun = Instant::now();
    let open = match check.confined {
        true => packs::open_told,
        false => packs::open,
    };
    let (mut library, _) = open(content)?;
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
        (library, _) = open(&content)?;
        only = None;
    }
    let games = library.games();
    let meant = games
        .iter()
        .filter(|game| only.is_none_or(|id| id == game.id));
    let checked = meant.count();
    let diagnostics = library.check(only);
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
        if packs::stands_in_a_pack() {
            let memory = peak_memory().map_or(String::new(), |bytes| {
                format!(", {} MiB of memory with all games", bytes >> 20)
            });
            errln!(
                "it takes {} ms to load and check{memory}",
                begun.elapsed().as_millis()
            );
        }
    }
    if errors > 0 {
        Err(Failure::Content)
    } else {
        Ok(())
    }
}

/// The most memory this process has had, where the system says so.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix(" kB")?.trim().parse().ok()?;
    Some(kilobytes << 10)
}
