//! `ludoteca new`: folders and files that already pass `check`, to be changed into something of one's own.

mod variant;

use crate::arguments::{New, NewThing};
use crate::output::{Failure, Outcome, errln, unwritable};
use crate::packs::{self, Home};
use crate::words::{say, word};
use ludoteca::{keep, pack::KERNEL};
use std::fs;
use std::path::{Path, PathBuf};

/// A file to write: its path inside the pack, and its text.
type Draft = (String, String);

pub fn run(content: &[PathBuf], new: &New) -> Outcome {
    match &new.what {
        NewThing::Game { name, dir } => game(content, name, dir.as_deref()),
        NewThing::Variant {
            game,
            name,
            dir,
            from,
        } => variant::write_one(content, game, name, dir.as_deref(), from.as_deref()),
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
                say!("ludoteca new game NOMBRE", "ludoteca new game NAME"),
                say!(
                    "ludoteca new variant JUEGO NOMBRE",
                    "ludoteca new variant GAME NAME"
                ),
            ]);
            Ok(())
        }
    }
}

fn game(content: &[PathBuf], name: &str, dir: Option<&Path>) -> Outcome {
    check_name(name)?;
    let (library, _) = packs::open(content)?;
    if name == "base" || library.games().iter().any(|game| game.id == name) {
        return Err(Failure::Usage(say!(
            "«{name}» ya existe; una variante de un juego se hace con `ludoteca new variant JUEGO NOMBRE`",
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
pub fn pack_files(name: &str) -> Vec<Draft> {
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
    let schemas = ludoteca::file_kinds();
    let schema = |kind: &ludoteca::schema::FileKind| {
        (
            format!("schemas/{}.json", kind.0),
            ludoteca::schema::text(kind),
        )
    };
    std::iter::once(("pack.toml".to_string(), pack))
        .chain(schemas.iter().map(schema))
        .collect()
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

pub fn check_name(name: &str) -> Outcome {
    let letter = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let fine = name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(letter)
        && name != "lib";
    if fine {
        Ok(())
    } else {
        Err(Failure::Usage(say!(
            "«{name}» no es un nombre: usa letras minúsculas, cifras y `-`, y una letra al principio",
            "`{name}` is not a name: use lower case letters, digits and `-`, a letter first"
        )))
    }
}

/// Writes all or nothing, and says what: what is there already is never touched.
fn write(root: &Path, drafts: &[Draft], is_new: bool) -> Outcome {
    write_quietly(root, drafts, is_new)?;
    for (path, _) in drafts
        .iter()
        .filter(|(path, _)| !path.starts_with("schemas/"))
    {
        let full = root.join(path);
        errln!(
            "{} {}",
            word!("escrito", "wrote"),
            full.strip_prefix(".").unwrap_or(&full).display()
        );
    }
    Ok(())
}

/// The same without a word.
pub fn write_quietly(root: &Path, drafts: &[Draft], is_new: bool) -> Outcome {
    let there = if is_new && root.exists() {
        Some(root.to_path_buf())
    } else {
        drafts
            .iter()
            .map(|(path, _)| root.join(path))
            .find(|path| path.exists())
    };
    if let Some(path) = there {
        return Err(Failure::Usage(say!(
            "{} ya está ahí",
            "{} is there already",
            path.display()
        )));
    }
    let written = drafts.iter().try_for_each(|(path, text)| {
        let full = root.join(path);
        let failed = |error: std::io::Error| unwritable(&full, &error);
        if let Some(folder) = full.parent() {
            fs::create_dir_all(folder).map_err(failed)?;
        }
        keep::write(&full, text).map_err(failed)
    });
    if written.is_err() && is_new {
        // Half a folder is of no use, and in the way of the next attempt.
        let _ = fs::remove_dir_all(root);
    }
    written
}

pub fn next(commands: &[String]) {
    errln!("{}", word!("ahora:", "now:"));
    for command in commands {
        errln!("  {command}");
    }
}
