//! `ludoteca new variant`: one file with every key that can be set, its value, between what it may be and what it means, ready to be
//! uncommented; or with what a search found.

use super::{check_name, filled, next, pack_files, place, title, write};
use crate::output::{Failure, Outcome, errln};
use crate::packs;
use crate::words::{errors::told, say};
use ludoteca::limits::LARGEST_FILE;
use ludoteca::{Loaded, Selection, Story, explain, keep};
use serde_json::Value;
use std::fmt::Write;
use std::path::{Path, PathBuf};

pub fn write_one(
    content: &[PathBuf],
    game: &str,
    name: &str,
    dir: Option<&Path>,
    from: Option<&Path>,
) -> Outcome {
    check_name(name)?;
    let (library, _) = packs::open(content)?;
    let taken = library
        .games()
        .iter()
        .any(|known| known.id == game && known.variants.iter().any(|v| v.id == name));
    if taken || name == "base" {
        return Err(Failure::Usage(say!(
            "{game} ya tiene una variante «{name}»",
            "{game} has a variant `{name}` already"
        )));
    }
    let loaded = packs::load_data(content, game, &Selection::default())?;
    let settable = settable(&loaded);
    let FromReport {
        set,
        summary,
        unmet,
    } = match from {
        Some(report) => found(report, game, &loaded)?,
        None => FromReport::default(),
    };
    let (es, en) = summary.unwrap_or((
        "Qué cambia, en una frase.".to_string(),
        "What changes, in one sentence.".to_string(),
    ));
    let quoted = |text: String| Value::from(text).to_string();
    let words = [
        ("game", game),
        ("title", &title(name)),
        ("es", &quoted(es)),
        ("en", &quoted(en)),
        ("setting", &lines(&set)),
        ("others", &commented(&settable, &set)),
        ("add", "{ add = -1 }"),
        ("mul", "{ mul = 2 }"),
    ];
    let text = filled(include_str!("../../../templates/variant.toml"), &words);
    let mut drafts = vec![(
        format!("variants/{game}/{name}.toml"),
        format!("{}\n", text.trim_end()),
    )];
    let (root, is_new) = place(name, dir);
    if is_new {
        drafts.extend(pack_files(name));
    }
    write(&root, &drafts, is_new)?;
    let enter = is_new.then(|| format!("cd {}", root.display()));
    let commands = [
        format!("ludoteca check {game}"),
        format!("ludoteca diff {game} base {name}"),
        format!("ludoteca watch {game} --variant {name} --against base"),
    ];
    next(&enter.into_iter().chain(commands).collect::<Vec<_>>());
    if let Some(unmet) = unmet {
        errln!("{}", say!("no cumplido: {unmet}", "not met: {unmet}"));
    }
    Ok(())
}

fn lines(set: &[String]) -> String {
    set.iter().map(|line| format!("{line}\n")).collect()
}

/// Everything a variant usually sets: parameters, and values of tables that have a range or are plain numbers.
fn settable(loaded: &Loaded) -> Vec<Story> {
    let definition = &loaded.definition;
    let parameters = definition.parameters.iter().map(|p| p.name.clone());
    let ranges = definition.ranges.iter().map(|range| range.key.clone());
    let tables = definition.tables.keys().cloned();
    let mut stories: Vec<Story> = Vec::new();
    for key in parameters
        .chain(ranges)
        .chain(tables)
        .chain(["round_limit".to_string()])
    {
        for story in explain(loaded, &key).unwrap_or_default() {
            if stories.iter().all(|known| known.key != story.key) {
                stories.push(story);
            }
        }
    }
    stories
}

/// The keys one can set besides, commented out, each with its value, range and meaning. What is said of several in a row is said once.
fn commented(settable: &[Story], set: &[String]) -> String {
    let mut text = String::new();
    let mut said = String::new();
    for story in settable {
        let quoted = format!("\"{}\"", story.key);
        let sets = |line: &String| line.lines().any(|line| line.starts_with(&quoted));
        if set.iter().any(sets) {
            continue;
        }
        let meaning = story.meaning.clone().unwrap_or_default();
        if !meaning.is_empty() && meaning != said {
            let _ = writeln!(text, "\n# {meaning}");
        } else if text.is_empty() || meaning.is_empty() && !said.is_empty() {
            text.push('\n');
        }
        said = meaning;
        let range = story.range.map(|(min, max)| format!("  # {min} to {max}"));
        let value = &story.told[0].value;
        let _ = writeln!(text, "# {quoted} = {value}{}", range.unwrap_or_default());
    }
    text
}

/// What a report says of a variant.
#[derive(Default)]
struct FromReport {
    /// Lines of `[set]`.
    set: Vec<String>,
    /// In Spanish and English.
    summary: Option<(String, String)>,
    /// The goals that were not met.
    unmet: Option<String>,
}

/// What `tune --json` found.
fn found(path: &Path, game: &str, loaded: &Loaded) -> Result<FromReport, Failure> {
    let wrong = |why: String| Failure::Usage(format!("{}: {why}", path.display()));
    let text = keep::read_text(path, LARGEST_FILE).map_err(|error| wrong(told(&error)))?;
    let report: Value = serde_json::from_str(&text).map_err(|error| {
        wrong(say!(
            "esto no es JSON: {error}",
            "this is not JSON: {error}"
        ))
    })?;
    let of = report["run"]["game"].as_str();
    if let Some(other) = of.filter(|other| *other != game) {
        return Err(wrong(say!(
            "este es un informe de «{other}», no de «{game}»",
            "this is a report of `{other}`, not of `{game}`"
        )));
    }
    let Some(settings) = report["settings"].as_array().filter(|_| of.is_some()) else {
        return Err(wrong(say!(
            "esto no es el informe de una búsqueda; `ludoteca tune .. --json > ARCHIVO` escribe uno",
            "this is no report of a search; `ludoteca tune .. --json > FILE` writes one"
        )));
    };
    let mut lines = Vec::new();
    // What is said of several in a row is said once.
    let mut meant = String::new();
    for setting in settings {
        let (Some(key), Some(after)) = (setting["key"].as_str(), setting["after"].as_i64()) else {
            return Err(wrong(say!(
                "un ajuste pide una `key` y lo que es `after`",
                "a setting needs a `key` and what it is `after`"
            )));
        };
        let stories = explain(loaded, key).unwrap_or_default();
        let [story] = &stories[..] else {
            return Err(wrong(say!(
                "«{game}» no tiene ningún valor «{key}»",
                "`{game}` has no value `{key}`"
            )));
        };
        // A variant that sets what is set already is a mistake.
        if story.told[0].value != after.to_string() {
            let quoted = Value::from(key).to_string();
            let range = story.range.map(|(min, max)| format!("; {min} to {max}"));
            let meaning = story.meaning.clone().filter(|meaning| *meaning != meant);
            let above = meaning.as_ref().map(|meaning| format!("# {meaning}\n"));
            meant = story.meaning.clone().unwrap_or_default();
            lines.push(format!(
                "{}{quoted} = {after}  # was {}{}",
                above.unwrap_or_default(),
                story.told[0].value,
                range.unwrap_or_default()
            ));
        }
    }
    if lines.is_empty() {
        return Err(wrong(say!(
            "los ajustes que halló son los que el juego ya tiene",
            "the settings it found are those the game has"
        )));
    }
    let goals: Vec<String> = report["goals"]
        .as_array()
        .into_iter()
        .flatten()
        .map(said)
        .collect();
    let goals = goals.join(", ");
    let missed = report["met"].as_array().into_iter().flatten();
    let missed = missed.filter(|goal| goal["met"] == "no");
    let missed: Vec<&str> = missed.filter_map(|goal| goal["goal"].as_str()).collect();
    let unmet = (!missed.is_empty()).then(|| missed.join(", "));
    let (no, not) = match &unmet {
        Some(unmet) => (
            format!("; no cumplido: {unmet}"),
            format!("; not met: {unmet}"),
        ),
        None => Default::default(),
    };
    let summary = (!goals.is_empty()).then(|| {
        (
            format!("Ajustada para: {goals}{no}"),
            format!("Tuned for: {goals}{not}"),
        )
    });
    Ok(FromReport {
        set: lines,
        summary,
        unmet,
    })
}

/// A goal as one writes it: `rounds in 8..12`.
fn said(goal: &Value) -> String {
    let metric = goal["metric"].as_str().unwrap_or_default();
    let bound = |name: &str| goal[name].as_f64().map(|bound| bound.to_string());
    match (bound("low"), bound("high")) {
        (Some(low), Some(high)) if low == high => format!("{metric}={low}"),
        (Some(low), Some(high)) => format!("{metric} in {low}..{high}"),
        (Some(low), None) => format!("{metric}>={low}"),
        (None, Some(high)) => format!("{metric}<={high}"),
        (None, None) => metric.to_string(),
    }
}
