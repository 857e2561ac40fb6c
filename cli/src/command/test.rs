//! `ludoteca test`: runs scenarios and says what does not hold.

mod coverage;
mod mutate;

use crate::arguments::Test;
use crate::output::{Failure, Outcome, outln, show};
use crate::words::{counted, say, word};
use crate::{packs, progress};
use ludoteca::{
    Diagnostic, Folder, Library, PackSource, Suite,
    pack::{LayerFile, read_scenarios},
    scenario::Tried,
};
use serde_json::json;
use std::path::{Path, PathBuf};

pub fn run(content: &[PathBuf], test: &Test) -> Outcome {
    let mut content = content.to_vec();
    let pack = test
        .target
        .as_ref()
        .map(PathBuf::from)
        .filter(|folder| folder.join("tests/scenarios").is_dir());
    content.extend(pack.clone());
    let (library, _) = packs::open(&content)?;
    show(library.problems());
    let items = match &pack {
        Some(pack) => below(pack, "tests/scenarios"),
        None => items(test.target.as_deref(), &library)?,
    };
    if test.coverage {
        return coverage::run(&library, &items, test);
    }
    if test.mutate {
        return mutate::run(&library, &items, test);
    }
    let bar = progress::busy(word!("leyendo los juegos", "reading the games"));
    let (suite, problems) = Suite::read(&library, &items);
    bar.finish_and_clear();
    let bar = progress::of(suite.entries.len(), word!("escenarios", "scenarios"));
    let tried = suite.run_telling(&library, || bar.inc(1));
    bar.finish_and_clear();
    report(test.json, &tried, &problems)
}

/// The scenarios of one game, which must be sound.
fn sound_suite(library: &Library, items: &[LayerFile]) -> Result<(Suite, String), Failure> {
    let (suite, problems) = Suite::read_covered(library, items);
    show(&problems);
    if problems.iter().any(Diagnostic::is_error) {
        return Err(Failure::Content);
    }
    let games: Vec<String> = suite.games().into_iter().map(String::from).collect();
    match &games[..] {
        [game] => Ok((suite, game.clone())),
        _ => Err(Failure::Usage(say!("nombra un juego", "name one game"))),
    }
}

fn report(as_json: bool, tried: &[Tried], problems: &[Diagnostic]) -> Outcome {
    let failed = tried.iter().filter(|t| !t.failures.is_empty()).count();
    if as_json {
        let told = |t: &Tried| {
            json!({
                "file": t.title.place.file.shown,
                "line": t.title.place.line(),
                "title": t.title.value,
                "failures": t.failures.iter().map(ToString::to_string).collect::<Vec<_>>(),
            })
        };
        outln!(
            "{}",
            json!({
                "passed": tried.len() - failed,
                "failed": failed,
                "scenarios": tried.iter().map(told).collect::<Vec<_>>(),
                "diagnostics": problems.iter().map(Diagnostic::json).collect::<Vec<_>>(),
            })
        );
    } else {
        show(problems);
        for trial in tried.iter().filter(|t| !t.failures.is_empty()) {
            let (place, title) = (&trial.title.place, &trial.title.value);
            outln!("{} {place}: {title}", word!("FALLA", "FAILED"));
            for failure in &trial.failures {
                outln!("  {}", failure.to_string().replace('\n', "\n  "));
            }
        }
        let names = ["escenario", "escenarios", "scenario", "scenarios"];
        let (all, passed) = (counted(tried.len(), names), tried.len() - failed);
        outln!(
            "{}",
            say!(
                "{all}: pasan {passed}, fallan {failed}",
                "{all}: {passed} passed, {failed} failed"
            )
        );
    }
    if failed > 0 || problems.iter().any(Diagnostic::is_error) {
        Err(Failure::Content)
    } else {
        Ok(())
    }
}

/// Files of scenarios by game, by path, or all.
fn items(target: Option<&str>, library: &Library) -> Result<Vec<LayerFile>, Failure> {
    let found = match target.map(Path::new) {
        Some(path) if path.is_dir() => below(path, ""),
        Some(path) if path.symlink_metadata().is_ok() => {
            let folder = match path.parent() {
                Some(folder) if !folder.as_os_str().is_empty() => folder,
                _ => Path::new("."),
            };
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            below(folder, &name)
        }
        None => library.written_scenarios(None),
        Some(_) => library.scenarios(target),
    };
    if found.is_empty() {
        return Err(Failure::Usage(match target {
            Some(target) => say!(
                "no hay escenarios para «{target}»",
                "there are no scenarios for `{target}`"
            ),
            None => say!(
                "no hay escenarios en tests/scenarios",
                "there are no scenarios below tests/scenarios"
            ),
        }));
    }
    Ok(found)
}

/// All files below a path of a folder.
fn below(folder: &Path, path: &str) -> Vec<LayerFile> {
    let paths = Folder::new(folder).below(path);
    let source = PackSource::new("scenarios", Folder::new(folder));
    paths
        .iter()
        .map(|path| read_scenarios(&source, path))
        .collect()
}
