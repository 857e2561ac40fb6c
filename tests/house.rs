//! Rules of the house: the kernel names no game, generated files are current.

use ludoteca::content::schema;
use ludoteca::play::scenario::ScenarioFile;
use ludoteca_tests::{files, library, root};

/// A game's name in the kernel or the command would be a special case.
#[test]
fn the_kernel_names_no_game() {
    let names: Vec<String> = library()
        .games()
        .into_iter()
        .flat_map(|game| [game.id.clone(), game.id.replace('-', "_")])
        .collect();
    for folder in ["core/src", "cli/src", "vm/src"] {
        for file in files(&root().join(folder), "rs") {
            let text = std::fs::read_to_string(&file).unwrap().to_lowercase();
            for name in &names {
                let named = text
                    .split(|c: char| !c.is_alphanumeric() && c != '_' && c != '-')
                    .any(|word| word == name);
                assert!(!named, "{} names the game {name}", file.display());
            }
        }
    }
}

/// Every TOML file of the content names its schema, so that editors know it.
#[test]
fn toml_files_name_their_schema() {
    for folder in [
        "scripts",
        "maps",
        "cards",
        "variants",
        "tests/scenarios",
        "bench/pack",
    ] {
        for file in files(&root().join(folder), "toml") {
            let text = std::fs::read_to_string(&file).unwrap();
            let line = text.lines().next().unwrap_or_default();
            let named = line
                .strip_prefix("#:schema ")
                .map(|path| file.parent().unwrap().join(path));
            assert!(
                named.is_some_and(|schema| schema.is_file()),
                "{}: the first line must be `#:schema` with the path of its schema",
                file.display()
            );
        }
    }
}

/// `ludoteca schema --write schemas` makes them current again.
#[test]
fn schemas_are_current() {
    let mut kinds = schema::KINDS.to_vec();
    kinds.push(("scenario", schema::of::<ScenarioFile>));
    assert_eq!(
        schema::outdated(&kinds, &root().join("schemas")),
        Vec::<std::path::PathBuf>::new()
    );
}
