//! A whole game: its merged files become one tree, on which settings work, and the tree a definition.

use super::cards::{self, CardsFile, FoundCard};
use super::field::Names;
use super::manifest::GameFile;
use super::reader::{Read, Reader};
use super::{manifest, map, phrase, tables, taken, texts};
use crate::content::definition::Definition;
use crate::content::diagnostic::{Code, Diagnostic};
use crate::content::file::Place;
use crate::content::path::{Part, Role, role};
use crate::content::tree::{Branch, Datum, Entry, Node};
use std::collections::{BTreeMap, HashMap, HashSet};
use xxhash_rust::xxh3::Xxh3;

/// The merged files of a game, by path.
pub struct Sources<'a> {
    pub game: &'a str,
    pub merged: BTreeMap<String, Node>,
}

/// The kind each card's file names.
#[derive(Default)]
pub struct Kinds {
    of_card: HashMap<String, Node>,
    /// Also those of files whose cards an overlay took out, every one.
    named: HashSet<String>,
}

impl Kinds {
    pub fn get(&self, card: &str) -> Option<&Node> {
        self.of_card.get(card)
    }

    fn insert(&mut self, card: String, kind: Node) {
        self.of_card.insert(card, kind);
    }
}

/// What the root holds besides the keys of the manifest.
const DECK: &str = "deck";
const PARTS: [&str; 4] = ["tables", "cards", "maps", "text"];

/// The root of a game: the manifest's keys, and `tables`, `cards`, `maps` and `text`.
pub fn assemble(sources: Sources<'_>, problems: &mut Vec<Diagnostic>) -> (Node, Kinds) {
    let Sources { game, mut merged } = sources;
    let manifest_path = format!("scripts/{game}/game.toml");
    let mut root = merged.remove(&manifest_path).unwrap_or_else(|| {
        let file = crate::content::file::File::new(&*manifest_path, &*manifest_path, "", "");
        Node::empty_table(Place::top(&file.into()))
    });
    let mut reader = Reader::default();
    let mut kinds = Kinds::default();
    let top = root.place.clone();
    let mut parts = PARTS.map(|_| Node::empty_table(top.clone()));
    for (path, node) in merged {
        let [tables, cards, maps, text] = &mut parts;
        match role(&path) {
            Role::Game(_, Part::Tables) => *tables = node,
            Role::Game(_, Part::Texts) => union(text, node, "the text", &mut reader),
            Role::Game(_, Part::Map(name)) => insert(maps, name, node),
            Role::Game(_, Part::Cards) => add_cards(cards, node, &mut kinds, &mut reader),
            Role::Game(_, Part::Deck(name)) => add_deck(cards, name, node, &mut kinds, &mut reader),
            _ => {}
        }
    }
    for (name, part) in PARTS.into_iter().zip(parts) {
        if let Some(entry) = root.table().and_then(|table| table.get(name)) {
            reader.unknown_key(name, &entry.key.clone(), "the manifest", &[]);
        }
        insert(&mut root, name, part);
    }
    problems.append(&mut reader.problems);
    (root, kinds)
}

fn insert(node: &mut Node, name: &str, part: Node) {
    let key = part.place.clone();
    if let Some(table) = node.table_mut() {
        table.insert(name.to_string(), Entry { key, node: part });
    }
}

fn add_cards(cards: &mut Node, node: Node, kinds: &mut Kinds, reader: &mut Reader) {
    if CardsFile::read(&node, reader).is_none() {
        return;
    }
    let Some(kind) = node.get("kind") else { return };
    kinds.named.extend(kind.text().map(String::from));
    let (Some(all), Some(found)) = (cards.table_mut(), node.get("cards")) else {
        return;
    };
    for (id, entry) in found.table().into_iter().flatten() {
        if let Some(first) = all.get(id) {
            twice("the card", id, entry, first, reader);
            continue;
        }
        kinds.insert(id.clone(), kind.clone());
        all.insert(id.clone(), entry.clone());
    }
}

/// A file under `decks/` is one card of the kind `deck`.
fn add_deck(cards: &mut Node, name: &str, node: Node, kinds: &mut Kinds, reader: &mut Reader) {
    let entry = Entry {
        key: Place::top(&node.place.file),
        node,
    };
    let Some(all) = cards.table_mut() else { return };
    if let Some(first) = all.get(name) {
        return twice("the card", name, &entry, first, reader);
    }
    let kind = Node {
        value: Datum::Text(DECK.to_string()),
        ..Node::empty_table(entry.key.clone())
    };
    kinds.insert(name.to_string(), kind);
    all.insert(name.to_string(), entry);
}

fn twice(what: &str, id: &str, again: &Entry, first: &Entry, reader: &mut Reader) {
    let message = format!("{what} `{id}` is there twice");
    let problem = Diagnostic::new(Code::DuplicateId, message);
    let problem = problem.labelled(&again.key, "again here");
    reader.report(problem.related(&first.key, "first here"));
}

/// Several files with texts are one; a text in two of them is a mistake.
fn union(base: &mut Node, other: Node, what: &str, reader: &mut Reader) {
    let (Some(base), Some(other)) = (base.table_mut(), other.table()) else {
        return;
    };
    for (key, entry) in other {
        let is_text = |node: &Node| node.get("es").is_some() || node.get("en").is_some();
        match base.get_mut(key) {
            None => {
                base.insert(key.clone(), entry.clone());
            }
            Some(first) => match is_text(&entry.node) || entry.node.table().is_none() {
                true => twice(what, key, entry, first, reader),
                false => union(&mut first.node, entry.node.clone(), what, reader),
            },
        }
    }
}

/// The definition, as much of it as can be read, and how many values it took.
pub fn read(game: &str, root: &Node, kinds: &Kinds, reader: &mut Reader) -> (Definition, usize) {
    let mut definition = Definition {
        id: game.to_string(),
        ..Definition::default()
    };
    let mut names = Names::default();
    let nothing = Node::empty_table(root.place.clone());
    let part = |name: &str| root.get(name).unwrap_or(&nothing);

    let mut manifest = root.clone();
    if let Some(table) = manifest.table_mut() {
        table.retain(|key, _| !PARTS.contains(&key.as_str()));
    }
    let Some(mut file) = GameFile::read(&manifest, reader) else {
        return (definition, names.values);
    };
    let (chosen, ranges) = (file.map.take(), file.ranges.take());
    manifest::read(file, &mut definition, &mut names, reader);
    definition.tables = tables::read(part("tables"), reader);
    manifest::ranges(ranges, part("tables"), root, &mut definition, reader);
    parameters_are_no_tables(root, reader);

    let found: Vec<FoundCard<'_>> = found_cards(part("cards"), kinds);
    cards::number(&found, &mut names, reader);
    let maps = part("maps").table();
    for (id, entry) in maps.into_iter().flatten() {
        let is_chosen = chosen.as_ref().is_some_and(|chosen| chosen.value == *id);
        if !names.has_room() && !is_chosen {
            continue;
        }
        map::number(&entry.node, &mut names);
        let read = map::read(id, &entry.node, &mut names, reader);
        if is_chosen {
            definition.map = read;
        }
    }
    names.spaces.clear();
    names.areas.clear();
    if let Some(chosen) = chosen {
        match part("maps").get(&chosen.value) {
            Some(node) => map::number(node, &mut names),
            None => {
                names.no_map = true;
                let message = format!("unknown map `{}`", chosen.value);
                let known = maps.into_iter().flat_map(|table| table.keys());
                let mut problem = Diagnostic::new(Code::UnknownMap, message).at(&chosen.place);
                problem = problem.suggest(&chosen.value, known.map(String::as_str));
                if problem.help.is_none() {
                    let (game, map) = (&definition.id, &chosen.value);
                    problem =
                        problem.help(format!("is a file missing? it is maps/{game}/{map}.toml"));
                }
                reader.report(problem);
            }
        }
    }
    let map = definition
        .map
        .as_ref()
        .and_then(|m| part("maps").get(&m.id));
    taken::check(root, map, reader);
    cards::read(&found, &mut definition, &mut names, reader);
    kinds_have_cards(root, &definition, &names, kinds, reader);
    definition.scripts = phrase::scripts(std::mem::take(&mut names.written));
    definition.texts = texts::read(part("text"), reader);
    definition.words = names.words;
    (definition, names.values)
}

/// A kind that no file of cards names, and of which none is written inside other cards: a file is probably missing.
/// A file without cards is there on purpose: an overlay took them out.
fn kinds_have_cards(
    root: &Node,
    definition: &Definition,
    names: &Names,
    files: &Kinds,
    reader: &mut Reader,
) {
    let in_place = |kind: &str| {
        let declared = names.kinds.iter().flat_map(|(_, declared)| declared);
        let mut of = declared.filter_map(|field| field.of.as_ref());
        of.any(|of| of.value == kind)
    };
    let kinds = root.get("kinds").and_then(Node::table);
    for (number, kind) in definition.kinds.iter().enumerate() {
        let mut cards = definition.cards.iter();
        let has_cards = cards.any(|card| card.kind as usize == number);
        if has_cards || files.named.contains(&kind.name) || in_place(&kind.name) {
            continue;
        }
        if let Some(entry) = kinds.and_then(|kinds| kinds.get(&kind.name)) {
            let message = format!("there are no cards of the kind `{}`", kind.name);
            let problem = Diagnostic::new(Code::NoCards, message).at(&entry.key);
            let help = format!(
                "is a file missing? cards stand in cards/{}/, after `kind = \"{}\"`",
                definition.id, kind.name
            );
            reader.report(problem.help(help));
        }
    }
}

fn found_cards<'a>(cards: &'a Node, kinds: &'a Kinds) -> Vec<FoundCard<'a>> {
    let cards = cards.table().into_iter().flatten();
    let found = cards.filter_map(|(id, entry)| {
        let kind = kinds.get(id)?;
        Some(FoundCard { id, entry, kind })
    });
    found.collect()
}

/// Both become constants in capitals.
fn parameters_are_no_tables(root: &Node, reader: &mut Reader) {
    let table = |name: &str| root.get(name).and_then(Node::table);
    let (Some(parameters), Some(tables)) = (table("parameters"), table("tables")) else {
        return;
    };
    for (name, entry) in parameters {
        if let Some(other) = tables.get(name) {
            twice("the constant", &name.to_uppercase(), other, entry, reader);
        }
    }
}

/// A number that is equal on every machine for equal rules: merged data, kinds of cards, and the scripts in use.
pub fn hash(definition: &Definition, root: &Node, kinds: &Kinds) -> u64 {
    let mut digest = Xxh3::new();
    let mut data = root.clone();
    let chosen = root.get("map").and_then(Node::text).unwrap_or_default();
    if let Some(entry) = data.table_mut().and_then(|table| table.get_mut("maps"))
        && let Some(maps) = entry.node.table_mut()
    {
        maps.retain(|id, _| id == chosen);
    }
    data.digest(&mut |bytes| digest.update(bytes));
    let cards = root.get("cards").and_then(Node::table);
    for id in cards.into_iter().flat_map(Branch::keys) {
        if let Some(kind) = kinds.get(id) {
            kind.digest(&mut |bytes| digest.update(bytes));
        }
    }
    let mut text = |text: &str| {
        digest.update(&(text.len() as u64).to_le_bytes());
        digest.update(text.as_bytes());
    };
    // A checkout on another system may end lines otherwise.
    let mut script = |script: &str| text(&script.replace("\r\n", "\n"));
    for file in &definition.scripts {
        script(&file.text);
    }
    for (name, files) in used_libraries(definition) {
        script(name);
        files.iter().for_each(|file| script(&file.text));
    }
    digest.digest()
}

/// Libraries whose name is written, in quotes, in a script in use: another game's library must not change this one's hash.
fn used_libraries(
    definition: &Definition,
) -> BTreeMap<&str, &Vec<crate::content::definition::ScriptFile>> {
    let mut used = BTreeMap::new();
    let mut waiting: Vec<&str> = definition.scripts.iter().map(|f| &*f.text).collect();
    while let Some(text) = waiting.pop() {
        for (name, files) in &definition.libraries {
            if text.contains(&format!("\"{name}\"")) && used.insert(&**name, files).is_none() {
                waiting.extend(files.iter().map(|file| &*file.text));
            }
        }
    }
    used
}
