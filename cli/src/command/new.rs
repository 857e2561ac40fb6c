//! `ludoteca new`: folders and files that already pass `check`, to be changed into something of one's own.

use super::schema;
use crate::arguments::{New, NewThing};
use crate::output::{Failure, Outcome, errln, unwritable};
use crate::packs::{self, Home};
use ludoteca::content::definition::Definition;
use ludoteca::content::pack::KERNEL;
use ludoteca::keep;
use std::fs;
use std::path::{Path, PathBuf};

/// A file to write: its path inside the pack, and its text.
type Draft = (String, String);

pub fn run(content: &[PathBuf], new: &New) -> Outcome {
    match &new.what {
        NewThing::Game { name, dir } => game(content, name, dir.as_deref()),
        NewThing::Variant { game, name, dir } => variant(content, game, name, dir.as_deref()),
        NewThing::Pack { name, dir } => {
            check_name(name)?;
            let root = dir.clone().unwrap_or_default().join(name);
            let mut drafts = pack_files(name);
            drafts.push((
                "README.md".into(),
                filled(include_str!("../../templates/pack.md"), &[("name", name)]),
            ));
            write(&root, &drafts, true)?;
            next(&[
                format!("cd {}", root.display()),
                "ludoteca new game NAME".into(),
                "ludoteca new variant GAME NAME".into(),
            ]);
            Ok(())
        }
    }
}

fn game(content: &[PathBuf], name: &str, dir: Option<&Path>) -> Outcome {
    check_name(name)?;
    let (library, _) = packs::open(content)?;
    if name == "base" || library.games().iter().any(|game| game.id == name) {
        return Err(Failure::Usage(format!(
            "`{name}` is taken; a variant of a game is made with `ludoteca new variant GAME NAME`"
        )));
    }
    let filled = |template: &str| filled(template, &[("name", name), ("title", &title(name))]);
    let mut drafts = vec![
        (
            format!("scripts/{name}/game.toml"),
            filled(include_str!("../../templates/game.toml")),
        ),
        (
            format!("scripts/{name}/rules.rhai"),
            filled(include_str!("../../templates/rules.rhai")),
        ),
        (
            format!("cards/{name}/text.toml"),
            filled(include_str!("../../templates/text.toml")),
        ),
        (
            format!("tests/scenarios/{name}/taking.toml"),
            filled(include_str!("../../templates/scenario.toml")),
        ),
    ];
    let (root, is_new) = place(name, dir);
    if is_new {
        drafts.extend(pack_files(name));
    }
    write(&root, &drafts, is_new)?;
    let enter = is_new.then(|| format!("cd {}", root.display()));
    let commands =
        ["check", "test", "play", "sim"].map(|command| format!("ludoteca {command} {name}"));
    next(&enter.into_iter().chain(commands).collect::<Vec<_>>());
    Ok(())
}

fn variant(content: &[PathBuf], game: &str, name: &str, dir: Option<&Path>) -> Outcome {
    check_name(name)?;
    let (library, _) = packs::open(content)?;
    let taken = library
        .games()
        .iter()
        .any(|known| known.id == game && known.variants.iter().any(|v| v.id == name));
    if taken || name == "base" {
        return Err(Failure::Usage(format!(
            "{game} has a variant `{name}` already"
        )));
    }
    let definition = packs::load_data(content, game, &Default::default())?.definition;
    let (setting, others) = settings(&definition);
    let words = [
        ("game", game),
        ("title", &title(name)),
        ("setting", &setting),
        ("others", &others),
        ("add", "{ add = -1 }"),
        ("mul", "{ mul = 2 }"),
    ];
    let text = filled(include_str!("../../templates/variant.toml"), &words);
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
        format!("ludoteca sim {game} --variant {name}"),
    ];
    next(&enter.into_iter().chain(commands).collect::<Vec<_>>());
    Ok(())
}

/// Where something goes: into the pack one stands in, or into a new one; and whether it is new.
fn place(name: &str, dir: Option<&Path>) -> (PathBuf, bool) {
    match (dir, packs::home()) {
        (Some(dir), _) if dir.join("pack.toml").is_file() => (dir.to_path_buf(), false),
        (Some(dir), _) => (dir.join(name), true),
        (None, Some(Home::Checkout(root) | Home::Pack(root))) => (root, false),
        (None, None) => (PathBuf::from(name), true),
    }
}

/// What makes a folder a pack, and what editors need in it.
fn pack_files(name: &str) -> Vec<Draft> {
    let (major, rest) = KERNEL.split_once('.').unwrap_or((KERNEL, "0"));
    let minor: u32 = rest
        .split('.')
        .next()
        .and_then(|minor| minor.parse().ok())
        .unwrap_or(0);
    let kernel = format!(">={major}.{minor}, <{major}.{}", minor + 1);
    let pack = filled(
        include_str!("../../templates/pack.toml"),
        &[("name", name), ("kernel", &kernel)],
    );
    let schemas = schema::kinds();
    let schema = |kind: &ludoteca::content::schema::FileKind| {
        (
            format!("schemas/{}.json", kind.0),
            ludoteca::content::schema::text(kind),
        )
    };
    std::iter::once(("pack.toml".to_string(), pack))
        .chain(schemas.iter().map(schema))
        .collect()
}

/// A change that holds in any game, and others to try.
fn settings(definition: &Definition) -> (String, String) {
    let change = |value: i64, max: i64| {
        if value < max {
            "{ add = 1 }"
        } else {
            "{ add = -1 }"
        }
    };
    let parameters = definition.parameters.iter().map(|p| match p.is_flag {
        true => format!("\"{}\" = {}", p.name, p.value == 0),
        false => format!("\"{}\" = {}", p.name, change(p.value, p.max)),
    });
    let ranges = definition
        .ranges
        .iter()
        .filter(|range| !range.key.starts_with("dice."))
        .map(|range| format!("\"{}\" = {{ add = 1 }}", range.key));
    let limit = format!("\"round_limit\" = {}", definition.round_limit + 1);
    let mut all = parameters.chain(ranges).chain([limit]);
    let first = all.next().unwrap_or_default();
    (first, all.map(|line| format!("# {line}\n")).collect())
}

/// `my-game` is `My game`.
fn title(name: &str) -> String {
    let words = name.replace(['-', '_'], " ");
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

fn filled(template: &str, words: &[(&str, &str)]) -> String {
    words
        .iter()
        .fold(template.to_string(), |text, (name, word)| {
            text.replace(&format!("{{{{{name}}}}}"), word)
        })
}

fn check_name(name: &str) -> Outcome {
    let letter = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let fine = name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(letter)
        && name != "lib";
    if fine {
        Ok(())
    } else {
        Err(Failure::Usage(format!(
            "`{name}` is not a name: use lower case letters, digits and `-`, a letter first"
        )))
    }
}

/// Writes all or nothing: what is there already is never touched.
fn write(root: &Path, drafts: &[Draft], is_new: bool) -> Outcome {
    let there = if is_new && root.exists() {
        Some(root.to_path_buf())
    } else {
        drafts
            .iter()
            .map(|(path, _)| root.join(path))
            .find(|path| path.exists())
    };
    if let Some(path) = there {
        return Err(Failure::Usage(format!(
            "{} is there already",
            path.display()
        )));
    }
    for (path, text) in drafts {
        let full = root.join(path);
        let failed = |error: std::io::Error| unwritable(&full, &error);
        if let Some(folder) = full.parent() {
            fs::create_dir_all(folder).map_err(failed)?;
        }
        keep::write(&full, text).map_err(failed)?;
        if !path.starts_with("schemas/") {
            errln!(
                "wrote {}",
                full.strip_prefix(".").unwrap_or(&full).display()
            );
        }
    }
    Ok(())
}

fn next(commands: &[String]) {
    errln!("now:");
    for command in commands {
        errln!("  {command}");
    }
}
