//! Rules of the house: dependencies point one way, the kernel names no game, the base pack is whole, generated files are current.

use ludoteca::{Library, limits, scenario::ScenarioFile, schema};
use ludoteca_tests::{files, library, root};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The crates by their folders, floor by floor: each may use those of lower floors only. Nothing stands on a door but what looks at the house
/// from outside.
const FLOORS: [&[&str]; 8] = [
    &["vm"],
    &["core"],
    &["base"],
    &["lab", "packs", "sheets", "draw"],
    &["press"],
    &["serve", "lsp", "python"],
    &["cli"],
    &["tests", "bench"],
];
/// The command opens the other doors; nothing else stands on one.
const DOORS: &[&str] = &["cli", "serve", "lsp", "python"];

/// The rooms of the kernel: each may use those before it only.
const ROOMS: [&str; 6] = ["content", "model", "table", "script", "play", "bots"];

/// A crate of the workspace.
struct Member {
    /// Its folder, from the root.
    folder: String,
    /// The folders of the members it uses, in its tests too.
    uses: Vec<String>,
}

/// The members of the workspace, as cargo knows them.
fn members() -> Vec<Member> {
    let said = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--no-deps",
            "--offline",
            "--format-version",
            "1",
        ])
        .current_dir(root())
        .output()
        .unwrap();
    let said: Json = serde_json::from_slice(&said.stdout).unwrap();
    let root = PathBuf::from(said["workspace_root"].as_str().unwrap());
    let inside = |path: &Path| path.strip_prefix(&root).unwrap().display().to_string();
    let member = |package: &Json| {
        let manifest = Path::new(package["manifest_path"].as_str().unwrap());
        let uses = package["dependencies"].as_array().unwrap().iter();
        Member {
            folder: inside(manifest.parent().unwrap()),
            uses: uses
                .filter_map(|used| Some(inside(Path::new(used["path"].as_str()?))))
                .collect(),
        }
    };
    let packages = said["packages"].as_array().unwrap();
    packages.iter().map(member).collect()
}

fn floor(folder: &str) -> usize {
    FLOORS
        .iter()
        .position(|floor| floor.contains(&folder))
        .unwrap_or_else(|| panic!("`{folder}` is new in the workspace: on which floor is it?"))
}

#[test]
fn crates_stand_on_lower_floors() {
    for member in members() {
        let own = floor(&member.folder);
        for used in &member.uses {
            let (folder, below) = (&member.folder, floor(used));
            assert!(below < own, "{folder} must not use {used}");
            assert!(
                folder == "cli" || !DOORS.contains(&used.as_str()),
                "{folder} uses the door {used}"
            );
        }
        if member.folder == "base" {
            assert_eq!(member.uses, ["core"], "base is content, and nothing else");
        }
    }
}

/// The rooms of the kernel a file speaks of: `crate::room`, or the first names in `use crate::{..}`.
fn rooms_named(text: &str) -> Vec<&str> {
    text.split("crate::")
        .skip(1)
        .flat_map(|rest| {
            match rest.strip_prefix('{') {
                Some(list) => list.split(';').next().unwrap_or_default(),
                None => rest
                    .split(|c: char| !c.is_alphanumeric() && c != '_')
                    .next()
                    .unwrap_or_default(),
            }
            .split(|c: char| !c.is_alphanumeric() && c != '_')
        })
        .filter(|name| ROOMS.contains(name))
        .collect()
}

#[test]
fn rooms_use_rooms_before_them() {
    let source = root().join("core/src");
    let place = |room: &str| ROOMS.iter().position(|other| *other == room);
    for file in files(&source, "rs") {
        let path = file.strip_prefix(&source).unwrap().display().to_string();
        let text = std::fs::read_to_string(&file).unwrap();
        let Some((room, _)) = path.split_once('/') else {
            if path == "lib.rs" {
                // The façade shows what the rooms have.
                continue;
            }
            // What else stands beside the rooms serves them all.
            assert_eq!(rooms_named(&text), Vec::<&str>::new(), "core/src/{path}");
            continue;
        };
        let own =
            place(room).unwrap_or_else(|| panic!("`{room}` is a new room: where is its place?"));
        for used in rooms_named(&text) {
            assert!(
                place(used) <= Some(own),
                "core/src/{path} must not use `{used}`"
            );
        }
    }
}

#[test]
fn rooms_are_found_in_every_form_of_use() {
    let text = "use crate::model::set;\nuse crate::{bots::random, play::{view, say}};\nlet x = crate::script::label(model);";
    assert_eq!(rooms_named(text), ["model", "bots", "play", "script"]);
}

/// Names of types that are defined twice for a reason.
const NAMESAKES: [(&str, &str); 5] = [
    ("Code", "the sort of a diagnostic, of a script or of a file"),
    (
        "Diagnostic",
        "of a script as the executor finds it, and with its file",
    ),
    ("Lexeme", "of scripts and of data"),
    ("Lexis", "of scripts and of data"),
    (
        "Map",
        "the language's own word for its objects, and a game's board",
    ),
];

/// The types a text gives others to name, those of macros too.
fn types_named(text: &str) -> Vec<&str> {
    let sorts = ["struct ", "enum ", "trait ", "type "];
    text.lines()
        .filter_map(|line| {
            let rest = line.trim_start().strip_prefix("pub ")?;
            let name = sorts.iter().find_map(|sort| rest.strip_prefix(sort))?;
            let name = name.split(|c: char| !c.is_alphanumeric()).next();
            name.filter(|name| !name.is_empty())
        })
        .collect()
}

/// Who reads a type's name knows what it means: nobody who may name one of two namesakes may name the other. Crates that do not know each
/// other have words of their own, and the records of the command line are named after what one types.
#[test]
fn a_type_has_a_name_of_its_own() {
    let members = members();
    let mut named: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    let outside = FLOORS[FLOORS.len() - 1];
    let inside = members
        .iter()
        .filter(|m| !outside.contains(&m.folder.as_str()));
    for member in inside {
        for file in files(&root().join(&member.folder).join("src"), "rs") {
            let path = file.strip_prefix(root()).unwrap().display().to_string();
            if path.starts_with("cli/src/arguments") {
                continue;
            }
            let text = std::fs::read_to_string(&file).unwrap();
            for name in types_named(&text) {
                let places = named.entry(name.to_string()).or_default();
                places.push((member.folder.clone(), path.clone()));
            }
        }
    }
    let knows = |one: &str, other: &str| {
        let member = members.iter().find(|m| m.folder == one);
        one == other || member.is_some_and(|m| m.uses.iter().any(|used| used == other))
    };
    let mut twice = Vec::new();
    for (name, places) in &named {
        let pairs = places.iter().enumerate();
        let mut pairs =
            pairs.flat_map(|(n, one)| places[n + 1..].iter().map(move |two| (one, two)));
        let found = pairs.find(|(one, two)| knows(&one.0, &two.0) || knows(&two.0, &one.0));
        let known = NAMESAKES.iter().any(|(allowed, _)| allowed == name);
        match found {
            Some((one, two)) if !known => twice.push(format!("{name}: {} and {}", one.1, two.1)),
            None if known => twice.push(format!("{name} has no namesake any more")),
            _ => {}
        }
    }
    assert_eq!(twice, Vec::<String>::new());
}

#[test]
fn types_are_found_wherever_they_stand() {
    let text = "pub struct Place;\n    pub enum Side(\"a side\") {\npub type Word = u32;\nstruct Own;\npub fn Not() {}\npub struct $name {\npub trait Bot<'a> {";
    assert_eq!(types_named(text), ["Place", "Side", "Word", "Bot"]);
}

/// Everybody but the tests goes through the façade.
#[test]
fn nobody_looks_behind_the_facade() {
    let others = members().into_iter().filter(|m| m.folder != "tests");
    for member in others {
        for file in files(&root().join(member.folder).join("src"), "rs") {
            let text = std::fs::read_to_string(&file).unwrap();
            let looks = text.contains("ludoteca::inside") || text.contains(" inside::");
            assert!(!looks, "{} looks behind the façade", file.display());
        }
    }
}

/// Who may see what is for some eyes only is decided in one file. What is declared is read elsewhere, and what is counted is shown to nobody.
#[test]
fn sight_is_decided_in_one_file() {
    const MAY: [&str; 3] = ["content/", "table/sight.rs", "table/witness.rs"];
    let source = root().join("core/src");
    for file in files(&source, "rs") {
        let path = file.strip_prefix(&source).unwrap().display().to_string();
        let text = std::fs::read_to_string(&file).unwrap();
        let decides = ["Owner", "Team", "Nobody"]
            .iter()
            .any(|eyes| text.contains(&format!("Visibility::{eyes}")));
        let may = MAY.iter().any(|allowed| path.starts_with(allowed));
        assert!(
            may || !decides,
            "core/src/{path} decides who sees something"
        );
    }
}

/// Messages are for people: what a program must know of a mistake is a field of it. The reader of TOML has nothing but its messages.
#[test]
fn nobody_reads_meaning_out_of_messages() {
    const WAYS: [&str; 4] = ["starts_with", "ends_with", "strip_prefix", "split"];
    for member in members() {
        for file in files(&root().join(member.folder).join("src"), "rs") {
            let text = std::fs::read_to_string(&file).unwrap();
            let reads = WAYS
                .iter()
                .any(|way| text.contains(&format!("message.{way}")));
            let may = file.ends_with("content/tree.rs");
            assert!(may || !reads, "{} takes a message apart", file.display());
        }
    }
}

/// A game's name in a library or a door would be a special case.
#[test]
fn code_names_no_game() {
    let names: Vec<String> = library()
        .games()
        .into_iter()
        .flat_map(|game| [game.id.clone(), game.id.replace('-', "_")])
        .collect();
    for member in members() {
        if member.folder == "tests" {
            continue;
        }
        for file in files(&root().join(member.folder).join("src"), "rs") {
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

/// What is part of the binary is what lies in the folders, and nothing is wrong with it.
#[test]
fn the_base_pack_is_whole() {
    let (built_in, _) = Library::open(&[ludoteca_base::pack()]);
    let problems = built_in.problems().iter();
    let seen: Vec<String> = problems.map(|problem| problem.to_string()).collect();
    assert_eq!(seen, Vec::<String>::new());
    let ids = |library: &Library| -> Vec<String> {
        library.games().into_iter().map(|game| game.id).collect()
    };
    assert_eq!(ids(&built_in), ids(&library()));
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

/// What authors are promised is what the kernel holds them to.
#[test]
fn the_documents_know_the_limits() {
    let page = std::fs::read_to_string(root().join("docs/formats.md")).unwrap();
    let (_, section) = page.split_once("## Limits").expect("a section on limits");
    let told: Vec<&str> = section
        .lines()
        .filter(|line| line.starts_with("| "))
        .skip(1)
        .collect();
    let held: Vec<String> = limits::ALL
        .iter()
        .map(|limit| format!("| {} | {} |", limit.of, limit.shown()))
        .collect();
    assert_eq!(told, held);
}

/// A limit that stands elsewhere is one the documents do not know.
#[test]
fn limits_stand_in_one_place() {
    const NAMES: [&str; 5] = ["MOST_", "MAX_", "LARGEST_", "LONGEST_", "DEEPEST_"];
    for folder in ["core/src", "cli/src"] {
        for file in files(&root().join(folder), "rs") {
            let text = std::fs::read_to_string(&file).unwrap();
            let elsewhere = text
                .split("const ")
                .skip(1)
                .find(|rest| NAMES.iter().any(|name| rest.starts_with(name)));
            let name = elsewhere.and_then(|rest| rest.split(':').next());
            assert_eq!(
                name,
                None,
                "{}: belongs into core/src/limits.rs",
                file.display()
            );
        }
    }
}

/// Whoever looks for something in ARCHITECTURE finds it: every file it names is there, and every room of a row of its table.
#[test]
fn the_architecture_names_what_is_there() {
    let page = std::fs::read_to_string(root().join("core/ARCHITECTURE.md")).unwrap();
    let folders = members().into_iter().map(|member| member.folder);
    let all: Vec<String> = folders
        .flat_map(|folder| files(&root().join(folder), "rs"))
        .map(|file| {
            let file = file.strip_prefix(root()).expect("below the root");
            file.to_string_lossy().replace('\\', "/")
        })
        .collect();
    let quoted = |text: &str| -> Vec<String> {
        let pieces = text.split('`').skip(1).step_by(2);
        pieces.map(str::to_string).collect()
    };
    for name in quoted(&page) {
        let is_file = name.ends_with(".rs") && !name.contains('<');
        let found = all
            .iter()
            .any(|file| *file == name || file.ends_with(&format!("/{name}")));
        assert!(
            found || !is_file,
            "ARCHITECTURE names `{name}`, and there is no such file"
        );
    }
    for row in page.lines().filter(|line| line.starts_with("| `")) {
        let room = row
            .split('`')
            .nth(1)
            .unwrap_or_default()
            .trim_end_matches('/');
        let folder = match room.strip_prefix("../") {
            Some(outside) => format!("{outside}/"),
            None => format!("core/src/{room}/"),
        };
        let inside = row
            .split('(')
            .skip(1)
            .filter_map(|part| part.split(')').next());
        for name in inside.flat_map(quoted) {
            let name = name.trim_end_matches('/');
            if !name.chars().all(|c| c.is_ascii_lowercase() || c == '_') {
                continue;
            }
            let (file, below) = (format!("/{name}.rs"), format!("/{name}/"));
            let found = |path: &String| {
                path.starts_with(&folder) && (path.ends_with(&file) || path.contains(&below))
            };
            assert!(
                all.iter().any(found),
                "ARCHITECTURE names `{name}` in {room}, and there is no such room"
            );
        }
    }
}

/// The kernel opens files where ARCHITECTURE says, and has no clock and no environment.
#[test]
fn the_kernel_touches_the_world_where_it_is_said() {
    const FILES: [&str; 4] = [
        "content/source.rs",
        "content/schema.rs",
        "play/journal.rs",
        "keep.rs",
    ];
    for file in files(&root().join("core/src"), "rs") {
        let text = std::fs::read_to_string(&file).unwrap();
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        let may = FILES.iter().any(|allowed| file.ends_with(allowed));
        for world in [
            "std::fs",
            "std::net",
            "std::process",
            "std::env",
            "Instant::now",
            "SystemTime",
        ] {
            // A file beside another is named after the process.
            let allowed = may && matches!(world, "std::fs" | "std::process");
            assert!(
                allowed || !code.contains(world),
                "{}: {world}",
                file.display()
            );
        }
    }
}

/// Editors explain keys with the texts of the schemas: every key has one.
#[test]
fn schemas_explain_every_key() {
    fn look(schema: &Json, way: &str, silent: &mut Vec<String>) {
        match schema {
            Json::Object(object) => {
                for (name, inner) in object {
                    if name == "properties" {
                        let keys = inner.as_object().into_iter().flatten();
                        let mute = keys.filter(|(_, key)| key.get("description").is_none());
                        silent.extend(mute.map(|(key, _)| format!("{way}/{key}")));
                    }
                    look(inner, &format!("{way}/{name}"), silent);
                }
            }
            Json::Array(items) => items.iter().for_each(|item| look(item, way, silent)),
            _ => {}
        }
    }
    let mut silent = Vec::new();
    for (name, make) in ludoteca::file_kinds() {
        look(&make(), name, &mut silent);
    }
    assert_eq!(silent, Vec::<String>::new());
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
