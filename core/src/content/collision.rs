//! Packs that get in each other's way: two that name the same thing and do not know of each other, and one that names what the base has.
//! Whoever builds on a pack may change what it brings; whoever does not would replace it without knowing.

use super::diagnostic::{Code, Diagnostic};
use super::file::Place;
use super::pack::{BASE, Layer, LayerFile, Pack};
use super::path::{Part, Role, role};
use super::tree::Node;
use crate::limits::MOST_COUNTED;
use std::collections::{BTreeSet, HashMap};

/// What is named: its sort, and its name within a game.
type Thing = (&'static str, String);

/// Everything that two packs of these name in one game, without one building on the other: its files, each with the number of its layer.
pub fn collisions<'a>(
    files: impl Iterator<Item = (usize, &'a LayerFile)>,
    packs: &[Pack],
    layers: &[Layer],
) -> Vec<Diagnostic> {
    // The base and one pack are the usual case, and the base is what one may change.
    let mut found = Vec::new();
    if packs.iter().all(|pack| pack.name == BASE) {
        return found;
    }
    let mut named: HashMap<Thing, Vec<(usize, Place)>> = HashMap::new();
    for (number, item) in files {
        for (thing, place) in things(item) {
            let known = named.entry(thing.clone()).or_default();
            // Who names a thing many times over gets in nobody else's way more than once.
            let again = known.last().is_some_and(|(other, _)| *other == number);
            if again || found.len() >= MOST_COUNTED {
                continue;
            }
            let here = (&layers[number], &place);
            for (other, there) in known.iter() {
                found.extend(told(&thing, packs, here, (&layers[*other], there)));
            }
            known.push((number, place));
        }
    }
    found
}

fn told(
    thing: &Thing,
    packs: &[Pack],
    (layer, place): (&Layer, &Place),
    (before, there): (&Layer, &Place),
) -> Option<Diagnostic> {
    let ((sort, name), owner, other) = (thing, &layer.name, &before.name);
    if same_library(place, there)
        || owner == other
        || builds_on(packs, owner, other)
        || builds_on(packs, other, owner)
    {
        return None;
    }
    // Texts and variants of the base are there to be changed.
    if other == BASE && !matches!(*sort, "function" | "card") {
        return None;
    }
    let (code, message, help) = match other == BASE {
        true => (
            Code::ReplacesBase,
            format!("the {sort} `{name}` of `{owner}` replaces the one of the base"),
            format!(
                "choose another name, or write `{BASE} = \"*\"` under [builds_on] if that is meant"
            ),
        ),
        false => (
            Code::PacksCollide,
            format!(
                "`{other}` and `{owner}` both have the {sort} `{name}`, and neither builds on the other"
            ),
            "leave one of the two packs out, or let one build on the other".to_string(),
        ),
    };
    let problem = Diagnostic::new(code, message).labelled(place, "here");
    Some(problem.related(there, "and here").help(help))
}

/// Copies of a shared script are one script, whichever of them is read.
fn same_library(one: &Place, other: &Place) -> bool {
    matches!(role(&one.file.path), Role::Library(_)) && one.file.text == other.file.text
}

/// Whether a pack builds on another, or on one that does.
fn builds_on(packs: &[Pack], pack: &str, other: &str) -> bool {
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let mut waiting = vec![pack];
    while let Some(pack) = waiting.pop() {
        let found = packs.iter().find(|known| known.name == pack);
        for need in found.into_iter().flat_map(Pack::foundations) {
            if need == other {
                return true;
            }
            if seen.insert(need) {
                waiting.push(need);
            }
        }
    }
    false
}

/// What a file names.
fn things(item: &LayerFile) -> Vec<(Thing, Place)> {
    let keys = |sort: &'static str, node: Option<&Node>, before: &str| -> Vec<(Thing, Place)> {
        let table = node.and_then(Node::table).into_iter().flatten();
        table
            .map(|(key, entry)| ((sort, format!("{before}{key}")), entry.key.clone()))
            .collect()
    };
    match role(&item.file.path) {
        Role::Game(_, Part::Script) => functions(item, ""),
        Role::Library(name) => functions(item, &format!("lib/{name}::")),
        Role::Game(_, Part::Cards) => {
            keys("card", item.tree().and_then(|tree| tree.get("cards")), "")
        }
        Role::Game(_, Part::Texts) => {
            let sections = item.tree().and_then(Node::table).into_iter().flatten();
            sections
                .flat_map(|(name, entry)| keys("text", Some(&entry.node), &format!("{name}.")))
                .collect()
        }
        Role::Variant(_, name) => {
            vec![(("variant", name.to_string()), Place::top(&item.file))]
        }
        _ => Vec::new(),
    }
}

/// Parameters of a function stand on one screen.
const FAR: usize = 1000;

/// The functions a script declares: `fn` at the beginning of a line, its name, and how many parameters it takes.
fn functions(item: &LayerFile, before: &str) -> Vec<(Thing, Place)> {
    let text = &item.file.text;
    let mut found = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let head = line.strip_prefix("private ").unwrap_or(line);
        if let Some(rest) = head.strip_prefix("fn ") {
            let start = at + line.len() - rest.len();
            let name: &str = rest.split(['(', ' ', '\n']).next().unwrap_or_default();
            let mut end = text.len().min(start + name.len() + FAR);
            while !text.is_char_boundary(end) {
                end += 1;
            }
            let near = text[start + name.len()..end].trim_start();
            let inside = near.strip_prefix('(');
            let inside = inside.and_then(|inside| inside.split(')').next());
            let parameters = inside.map_or(0, |inside| {
                inside
                    .split(',')
                    .filter(|name| !name.trim().is_empty())
                    .count()
            });
            let thing = ("function", format!("{before}{name}/{parameters}"));
            found.push((thing, Place::new(&item.file, start..start + name.len())));
        }
        at += line.len();
    }
    found
}
