//! Names of properties: what the kernel gives every player, space or piece, and what a game declares for them, must not share one.

use super::reader::Reader;
use crate::content::diagnostic::{Code, Diagnostic};
use crate::content::file::Place;
use crate::content::tree::Node;
use std::collections::BTreeMap;

/// The properties every game has, by what has them. A test of the scripts' types holds this against what scripts may read.
pub const BUILT_IN: &[(&str, &[&str])] = &[
    ("game", &["round"]),
    ("player", &["seat", "out", "left", "right"]),
    (
        "space",
        &[
            "id",
            "area",
            "neighbors",
            "placed",
            "section",
            "column",
            "row",
        ],
    ),
    ("piece", &["card", "id", "kind", "zone", "owner", "face_up"]),
    ("card", &["id", "kind", "copies"]),
    (
        "zone",
        &["top", "bottom", "back", "pieces", "owner", "space"],
    ),
    ("area", &["id", "spaces"]),
    ("edge", &["from", "to"]),
];

/// What the game declares as properties of one kind of thing, in the order of reading: how it is called, its name and place.
type Declared<'a> = Vec<(&'static str, &'a str, &'a Place)>;

/// Reports every name that would hide another.
pub fn check(root: &Node, map: Option<&Node>, reader: &mut Reader) {
    for (of, built_in) in BUILT_IN {
        let mut first: BTreeMap<&str, (&str, &Place)> = BTreeMap::new();
        for (what, name, place) in declared(root, map, of) {
            if built_in.contains(&name) {
                let message = format!("every {of} has a `{name}` already");
                let problem = Diagnostic::new(Code::DuplicateId, message).at(place);
                reader.report(problem.help("choose another name"));
                continue;
            }
            match first.get(name) {
                None => {
                    first.insert(name, (what, place));
                }
                Some((other, at)) if *other != what => {
                    let message = format!("`{name}` of a {of} is {other} and {what}");
                    let problem = Diagnostic::new(Code::DuplicateId, message);
                    let problem = problem.labelled(place, "this one");
                    reader.report(problem.related(at, "the other one"));
                }
                Some(_) => {}
            }
        }
    }
}

fn declared<'a>(root: &'a Node, map: Option<&'a Node>, of: &str) -> Declared<'a> {
    let mut found = Vec::new();
    let mut add = |what: &'static str, table: Option<&'a Node>| {
        let entries = table.and_then(Node::table).into_iter().flatten();
        found.extend(entries.map(|(name, entry)| (what, name.as_str(), &entry.key)));
    };
    add(
        "an attribute",
        root.get("attributes").and_then(|all| all.get(of)),
    );
    if matches!(of, "piece" | "card") {
        let kinds = root.get("kinds").and_then(Node::table);
        for (_, kind) in kinds.into_iter().flatten() {
            add("a field", kind.node.get("fields"));
        }
    }
    add(
        "a field of the map",
        map.and_then(|map| map.get("fields")?.get(of)),
    );
    let zones = root.get("zones").and_then(Node::table);
    for (name, zone) in zones.into_iter().flatten() {
        let owner = zone.node.get("of").and_then(Node::text).unwrap_or("game");
        if owner == of {
            found.push(("a zone", name.as_str(), &zone.key));
        }
    }
    found
}
