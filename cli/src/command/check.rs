//! `ludoteca check`: everything that is wrong with content, at once.

use crate::arguments::Check;
use crate::isolated;
use crate::output::{Failure, Outcome, errln, outln, show};
use crate::packs;
use crate::progress;
use crate::words::{counted, say, word};
use ludoteca::limits::MOST_LISTED;
use ludoteca::{Diagnostic, no_pack};
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
    let mut content = content.to_vec();
    let (mut library, _) = open(&content)?;
    let mut only = check.target.as_deref();
    let mut notes = Vec::new();
    // Who stands in a folder of content that is no pack means its files.
    let here = packs::content_here();
    if let Some(here) = &here {
        notes.push(told_no_pack(here));
        content.push(here.clone());
        (library, _) = open(&content)?;
    }
    let is_here = |folder: &Path| {
        let whole = |folder: &Path| folder.canonicalize().ok();
        here.as_ref()
            .is_some_and(|here| whole(here) == whole(folder))
    };
    // A game goes by its id; anything else that is a folder is a pack.
    if let Some(folder) = only.map(Path::new).filter(|folder| folder.is_dir()) {
        let games = library.games();
        match games.iter().find(|game| Path::new(&game.id) == folder) {
            Some(game) if !check.json && packs::looks_like_content(folder) => {
                let id = &game.id;
                errln!(
                    "{}",
                    say!(
                        "este es el juego «{id}»; para la carpeta de ese nombre escribe `ludoteca check ./{id}`",
                        "this is the game `{id}`; for the folder of that name write `ludoteca check ./{id}`"
                    )
                );
            }
            Some(_) => {}
            None if is_here(folder) => only = None,
            None => {
                if !folder.join("pack.toml").is_file() && packs::looks_like_content(folder) {
                    notes.push(told_no_pack(folder));
                }
                content.push(folder.to_path_buf());
                (library, _) = open(&content)?;
                only = None;
            }
        }
    }
    let games = library.games();
    let meant = games
        .iter()
        .filter(|game| only.is_none_or(|id| id == game.id));
    let checked = meant.count();
    let mut diagnostics = notes;
    let bar = progress::of(0, word!("juegos y variantes", "games and variants"));
    diagnostics.extend(library.check_telling(only, |done, all| {
        bar.set_length(all as u64);
        bar.set_position(done as u64);
    }));
    bar.finish_and_clear();
    let errors = diagnostics.iter().filter(|d| d.is_error()).count();
    if check.json {
        let listed = diagnostics.iter().take(MOST_LISTED);
        let listed: Vec<_> = listed.map(Diagnostic::json).collect();
        let more = diagnostics.len() - listed.len();
        let mut told = json!({ "games": checked, "errors": errors, "diagnostics": listed });
        if more > 0 {
            told["more"] = json!(more);
        }
        outln!("{told}");
    } else {
        show(&diagnostics);
        let warnings = diagnostics.len() - errors;
        let games = counted(checked, ["juego", "juegos", "game", "games"]);
        let errors = counted(errors, ["error", "errores", "error", "errors"]);
        let warnings = counted(warnings, ["aviso", "avisos", "warning", "warnings"]);
        errln!(
            "{}",
            say!(
                "comprobado: {games}, {errors}, {warnings}",
                "{games} checked, {errors}, {warnings}"
            )
        );
        // A process of its own stands where nobody else does.
        if packs::home().is_none() && !check.confined {
            errln!("{}", packs::whence(&content));
        }
        if packs::stands_in_a_pack() {
            let memory = peak_memory().map_or(String::new(), |bytes| {
                say!(
                    ", {} MiB de memoria con todos los juegos",
                    ", {} MiB of memory with all games",
                    bytes >> 20
                )
            });
            errln!(
                "{}",
                say!(
                    "cargarlo y comprobarlo lleva {} ms{memory}",
                    "it takes {} ms to load and check{memory}",
                    begun.elapsed().as_millis()
                )
            );
        }
    }
    if errors > 0 {
        Err(Failure::Content)
    } else {
        Ok(())
    }
}

/// A folder whose files are looked at, though no other command would find them there.
fn told_no_pack(folder: &Path) -> Diagnostic {
    match folder == Path::new(".") {
        true => no_pack("this folder"),
        false => no_pack(&folder.display().to_string()),
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
