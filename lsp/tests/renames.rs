//! Things of every sort get other names in the games here, unsaved and one after the other. Then the games load without a mistake, with
//! all variants and scenarios, their scenarios pass, and no old name is left. What keeps its name does so with a reason.

mod support;

use ludoteca::mentions::{Mentions, Sort};
use ludoteca::{
    Diagnostic, Folder, Library, PackSource, ReadError, Selection, Source, Suite, examine,
};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use support::Editor;

/// How many things of a sort are tried until one may have another name.
const TRIES: usize = 4;

/// Why something may keep its name.
const REASONS: [&str; 5] = [
    "named by its file",
    "every game is called by",
    "it is named by its place there",
    "is there already",
    "which other games use",
];

/// Names that are also keys of every look, or what parameters of effects are called.
const OTHERS_TOO: [&str; 5] = ["by", "color", "faction", "may", "place"];

fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    here.canonicalize().unwrap()
}

/// The games with other texts in the place of some.
struct Rewritten {
    disk: Folder,
    texts: BTreeMap<String, String>,
}

impl Source for Rewritten {
    fn list(&self) -> Vec<String> {
        self.disk.list()
    }

    fn scenarios(&self) -> Vec<String> {
        self.disk.scenarios()
    }

    fn bytes(&self, path: &str) -> Result<Vec<u8>, ReadError> {
        match self.texts.get(path) {
            Some(text) => Ok(text.clone().into_bytes()),
            None => self.disk.bytes(path),
        }
    }
}

fn library(texts: &BTreeMap<String, String>) -> Library {
    let disk = Folder::new(root());
    let texts = texts.clone();
    Library::open(&[PackSource::new("base", Rewritten { disk, texts })]).0
}

/// Everything that is wrong with a game, its variants and its scenarios.
fn wrong(library: &Library, game: &str) -> Vec<String> {
    let variants = library.checked_variants(game);
    let ways = variants.iter().map(|variant| Selection::variant(variant));
    let ways = std::iter::once(Selection::default()).chain(ways);
    let mut found: Vec<Diagnostic> = ways
        .flat_map(|way| examine(library, game, &way).1)
        .collect();
    let (suite, problems) = Suite::read(library, &library.scenarios(Some(game)));
    found.extend(problems);
    let errors = found.iter().filter(|one| one.is_error());
    let mut wrong: Vec<String> = errors.map(Diagnostic::to_string).collect();
    let tried = suite.run(library);
    let failures = tried.iter().flat_map(|tried| &tried.failures);
    wrong.extend(failures.map(|failure| format!("{}: {}", failure.place, failure.message)));
    wrong
}

/// What is to be written where, by file.
type Edits = BTreeMap<String, BTreeSet<(usize, usize, String)>>;

/// Adds what an editor is told to write. The texts stay as they are on disk, so that all of it can be written at once.
fn add(editor: &Editor, edit: &Value, edits: &mut Edits) {
    for (uri, list) in edit["changes"].as_object().unwrap() {
        let path = uri.strip_prefix(&editor.uri("")).unwrap();
        let text = editor.on_disk(path);
        let own = edits.entry(path.to_string()).or_default();
        own.extend(list.as_array().unwrap().iter().map(|edit| {
            let end = |which: &str| byte(&text, &edit["range"][which]);
            let new = edit["newText"].as_str().unwrap();
            (end("start"), end("end"), new.to_string())
        }));
    }
}

fn written(editor: &Editor, edits: &Edits) -> BTreeMap<String, String> {
    let one = |(path, edits): (&String, &BTreeSet<(usize, usize, String)>)| {
        let mut text = editor.on_disk(path);
        for (from, until, new) in edits.iter().rev() {
            text.replace_range(*from..*until, new);
        }
        (path.clone(), text)
    };
    edits.iter().map(one).collect()
}

fn byte(text: &str, at: &Value) -> usize {
    let number = |what: &str| at[what].as_u64().unwrap() as usize;
    let lines = text.split_inclusive('\n').take(number("line"));
    let start: usize = lines.map(str::len).sum();
    let mut units = 0;
    for (at, c) in text[start..].char_indices() {
        if units >= number("character") {
            return start + at;
        }
        units += c.len_utf16();
    }
    text.len()
}

/// Lines in which a name is left: in TOML as a word, in rules in quotes. Remarks and what people read do not count.
fn left(library: &Library, game: &str, id: &str) -> Vec<String> {
    let mut found = Vec::new();
    let files = library.files_of(game).into_iter();
    for item in files.filter(|item| !item.file.path.ends_with(".md")) {
        let is_script = item.file.path.ends_with(".rhai");
        for (number, line) in item.file.text.lines().enumerate() {
            // A remark may stand behind a line, too.
            let line = line.split(" # ").next().unwrap_or_default().trim();
            let mut words =
                line.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.' | '-')));
            let is_left = match is_script {
                true => line.contains(&format!("\"{id}\"")),
                false => words.any(|word| is_or_has(word, id)),
            };
            let is_prose = ["es = \"", "title = ", "\"\"\""]
                .iter()
                .any(|part| line.contains(part));
            if is_left && !is_prose && !line.starts_with(['#', '/']) {
                found.push(format!("{}:{}: {line}", item.file.shown, number + 1));
            }
        }
    }
    found
}

/// Whether a word is a name, or the way to it: `game.deck`, `space.owner`.
fn is_or_has(word: &str, id: &str) -> bool {
    const ROOTS: [&str; 10] = [
        "game", "p0", "p1", "p2", "p3", "player", "space", "zone", "map", "cards",
    ];
    let (root, rest) = word.split_once('.').unwrap_or(("", word));
    match ROOTS.contains(&root) {
        true => rest.split('.').any(|step| step == id),
        false => word == id,
    }
}

/// What there is of each sort, and of whom: the first few.
fn things(mentions: &Mentions) -> BTreeMap<(Sort, String), Vec<usize>> {
    let mut found: BTreeMap<(Sort, String), Vec<usize>> = BTreeMap::new();
    for (number, name) in mentions.names.iter().enumerate() {
        let is_id = name.id.starts_with(|c: char| c.is_ascii_lowercase());
        if is_id && mentions.definitions(number).next().is_some() {
            let of = match name.sort {
                Sort::Value | Sort::Function => "",
                _ => &name.of,
            };
            let all = found.entry((name.sort, of.to_string())).or_default();
            all.push(number);
        }
    }
    for all in found.values_mut() {
        all.sort_by_key(|number| &mentions.name(*number).id);
        all.truncate(TRIES);
    }
    found
}

/// Gives one thing of each sort of a game another name.
fn rename_each_sort(game: &str) {
    let mut editor = Editor::at(root());
    editor.open(&format!("scripts/{game}/game.toml"));
    let mentions = library(&BTreeMap::new()).mentions(game);
    let (mut failed, mut edits) = (Vec::new(), Edits::new());
    let mut renamed: BTreeSet<&str> = BTreeSet::new();
    for ((sort, of), tries) in things(&mentions) {
        let mut reasons = Vec::new();
        for number in tries {
            let id = &mentions.name(number).id;
            let definition = mentions.definitions(number).next().unwrap();
            let place = &definition.place;
            let path = place.file.path.clone();
            editor
                .texts
                .insert(path.clone(), place.file.text.to_string());
            let mut params = editor.place(&path, place.span.start);
            let written = &place.file.text[place.span.clone()];
            params["newName"] = json!(format!("{}_anew", written.to_lowercase()));
            // It may have its new name already, with something else of that name.
            let done = renamed.contains(id.as_str());
            match editor.ask("textDocument/rename", params) {
                Err(why) => reasons.push(format!("{game}: {sort:?} {of} {id}: {why}")),
                Ok(edit) => {
                    if !done {
                        add(&editor, &edit, &mut edits);
                        renamed.insert(id);
                    }
                    reasons.clear();
                    break;
                }
            }
        }
        let unexplained = |why: &String| !REASONS.iter().any(|reason| why.contains(reason));
        failed.extend(reasons.into_iter().filter(unexplained));
    }
    let after = library(&written(&editor, &edits));
    failed.extend(wrong(&after, game));
    let names = after.mentions(game).names;
    for id in &renamed {
        if !names.iter().any(|name| name.id == *id) && !OTHERS_TOO.contains(id) {
            failed.extend(left(&after, game, id));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(renamed.len() > 12, "{renamed:?}");
}

#[test]
fn in_alta_tension() {
    rename_each_sort("alta-tension");
}

#[test]
fn in_altered() {
    rename_each_sort("altered");
}

#[test]
fn in_conquista() {
    rename_each_sort("conquista");
}

#[test]
fn in_euphoria() {
    rename_each_sort("euphoria");
}

#[test]
fn in_teg() {
    rename_each_sort("teg");
}
