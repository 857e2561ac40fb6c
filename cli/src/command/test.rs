//! `ludoteca test`: runs scenarios and says what does not hold.

use crate::arguments::Test;
use crate::output::{Failure, Outcome, counted, outln, show};
use crate::packs;
use ludoteca::content::diagnostic::render_all;
use ludoteca::content::library::{Library, Selection};
use ludoteca::play::scenario::{self, Scenario, ScenarioFile};
use ludoteca::script::game::Game;
use ludoteca::script::load;
use serde_json::{Value as Json, json};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// One scenario and what did not hold.
struct Tried {
    file: String,
    title: String,
    failures: Vec<String>,
}

pub fn run(content: &[PathBuf], test: &Test) -> Outcome {
    let mut content = content.to_vec();
    let pack = test
        .target
        .as_ref()
        .map(PathBuf::from)
        .filter(|folder| folder.join("tests/scenarios").is_dir());
    content.extend(pack.clone());
    let (library, problems) = packs::open(&content)?;
    show(&problems);
    let files = match pack {
        Some(pack) => files(
            Some(&pack.join("tests/scenarios").to_string_lossy()),
            &content,
        )?,
        None => files(test.target.as_deref(), &content)?,
    };
    let mut games = HashMap::new();
    let tried: Vec<Tried> = files
        .iter()
        .flat_map(|file| try_file(&library, file, &mut games))
        .collect();
    let failed = tried.iter().filter(|t| !t.failures.is_empty()).count();
    if test.json {
        let listed: Vec<_> = tried
            .iter()
            .map(|t| json!({ "file": t.file, "title": t.title, "failures": t.failures }))
            .collect();
        outln!(
            "{}",
            json!({ "passed": tried.len() - failed, "failed": failed, "scenarios": listed })
        );
    } else {
        for trial in tried.iter().filter(|t| !t.failures.is_empty()) {
            outln!("FAILED {}: {}", trial.file, trial.title);
            for failure in &trial.failures {
                outln!("  {}", failure.replace('\n', "\n  "));
            }
        }
        outln!(
            "{}: {} passed, {failed} failed",
            counted(tried.len(), "scenario"),
            tried.len() - failed
        );
    }
    if failed > 0 {
        Err(Failure::Content)
    } else {
        Ok(())
    }
}

/// Scenario files by game, by path, or all.
fn files(target: Option<&str>, content: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut found = Vec::new();
    match target {
        Some(path) if Path::new(path).is_file() => found.push(path.into()),
        Some(path) if Path::new(path).is_dir() => collect(Path::new(path), &mut found),
        Some(game) => {
            for root in roots(content) {
                collect(&root.join("tests/scenarios").join(game), &mut found);
            }
        }
        None => roots(content)
            .iter()
            .for_each(|root| collect(&root.join("tests/scenarios"), &mut found)),
    }
    found.sort();
    if found.is_empty() {
        let what = target.map_or("there are no scenarios below tests/scenarios".into(), |t| {
            format!("there are no scenarios for `{t}`")
        });
        return Err(Failure::Usage(what));
    }
    Ok(found)
}

fn roots(content: &[PathBuf]) -> Vec<PathBuf> {
    let home = packs::upwards(|folder, from_here| {
        folder
            .join("tests/scenarios")
            .is_dir()
            .then(|| from_here.to_path_buf())
    });
    home.into_iter().chain(content.iter().cloned()).collect()
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, found);
        } else if path
            .extension()
            .is_some_and(|extension| extension == "toml")
        {
            found.push(path);
        }
    }
}

type Games = HashMap<(String, Selection), Result<Arc<Game>, String>>;

fn try_file(library: &Library, file: &Path, games: &mut Games) -> Vec<Tried> {
    let shown = file.strip_prefix(".").unwrap_or(file).display().to_string();
    let failed = |title: &str, failure: String| Tried {
        file: shown.clone(),
        title: title.into(),
        failures: vec![failure],
    };
    let text = match fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) => return vec![failed("unreadable", error.to_string())],
    };
    let parsed = match ScenarioFile::parse(&text) {
        Ok(parsed) => parsed,
        Err(error) => return vec![failed("unreadable", error.to_string())],
    };
    let run_one = |scenario: &Scenario| {
        let selection = Selection {
            variants: scenario.variants.clone(),
            set: scenario
                .set
                .iter()
                .map(|(key, value)| (key.clone(), written(value)))
                .collect(),
        };
        let game = games
            .entry((parsed.game.clone(), selection.clone()))
            .or_insert_with(|| {
                load::load(library, &parsed.game, &selection)
                    .map_err(|problems| render_all(&problems, false))
            });
        let failures = match game {
            Ok(game) => scenario::run(scenario, game.clone())
                .unwrap_or_else(|error| vec![error.to_string()]),
            Err(problems) => vec![problems.clone()],
        };
        Tried {
            file: shown.clone(),
            title: scenario.title.clone(),
            failures,
        }
    };
    parsed.scenario.iter().map(run_one).collect()
}

/// A setting as `--set` takes it.
fn written(value: &Json) -> String {
    match value {
        Json::String(text) => text.clone(),
        other => other.to_string(),
    }
}
