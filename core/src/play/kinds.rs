//! Every kind of TOML file there is, scenarios included, with its schema; and which one a path has.

use super::scenario::ScenarioFile;
use crate::content::path::{Part, Role, SCENARIOS, role};
use crate::content::schema::{self, FileKind, KINDS};

/// Every kind there is.
pub fn file_kinds() -> Vec<FileKind> {
    let scenario: FileKind = ("scenario", schema::of::<ScenarioFile>);
    KINDS.iter().copied().chain([scenario]).collect()
}

/// The name of the schema of a file, by its path in its pack.
pub fn kind_of(path: &str) -> Option<&'static str> {
    if path.starts_with(SCENARIOS) {
        return path.ends_with(".toml").then_some("scenario");
    }
    let plain = |part: Part<'_>| match part {
        Part::Manifest => Some(("game", "game-overlay")),
        Part::Tables => Some(("tables", "tables")),
        Part::Texts => Some(("text", "text-overlay")),
        Part::Cards => Some(("cards", "cards-overlay")),
        Part::Map(_) => Some(("map", "map-overlay")),
        Part::Deck(_) => Some(("deck", "deck-overlay")),
        Part::Look => Some(("look", "look-overlay")),
        Part::Positions(_) => Some(("positions", "positions")),
        Part::Script | Part::Picture(_) | Part::Rulebook(_) => None,
    };
    match role(path) {
        Role::Pack => Some("pack"),
        Role::Variant(..) => Some("variant"),
        Role::Game(_, part) => plain(part).map(|(whole, _)| whole),
        Role::VariantOverlay(_, _, inside) | Role::With(_, inside) => match role(inside) {
            Role::Game(_, part) => plain(part).map(|(_, overlay)| overlay),
            _ => None,
        },
        Role::Note | Role::Library(_) | Role::Unread => None,
    }
}
