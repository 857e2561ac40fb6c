//! What a pack brings and changes, for whoever is asked whether to install it.

use crate::contents::{Contents, bearable};
use crate::kernel::{Part, Role, SCENARIOS, role};
use std::collections::BTreeMap;

#[derive(Debug, Default)]
struct OfGame {
    manifest: bool,
    cards: usize,
    scripts: usize,
    functions: usize,
    maps: usize,
    decks: usize,
    texts: usize,
    tables: bool,
    others: usize,
    variants: usize,
    scenarios: usize,
    look: bool,
}

/// One line for each game a pack is about. `known` says whether a path is there already, in the games one has.
pub fn lines(contents: &Contents, known: impl Fn(&str) -> bool) -> Vec<String> {
    let mut games: BTreeMap<String, OfGame> = BTreeMap::new();
    let mut libraries = 0;
    for (path, bytes) in contents.files() {
        let text = std::str::from_utf8(bytes).unwrap_or_default();
        let functions = || {
            text.lines()
                .filter(|line| line.trim_start().starts_with("fn "))
                .count()
        };
        match role(path) {
            Role::Game(game, part) => {
                let of = games.entry(game.to_string()).or_default();
                match part {
                    Part::Manifest => of.manifest = true,
                    Part::Script => {
                        of.scripts += 1;
                        of.functions += functions();
                    }
                    Part::Cards => {
                        of.cards += text.matches("\n[cards.").count()
                            + usize::from(text.starts_with("[cards."))
                    }
                    Part::Map(_) => of.maps += 1,
                    Part::Deck(_) => of.decks += 1,
                    Part::Texts => of.texts += 1,
                    Part::Tables => of.tables = true,
                    _ => of.others += 1,
                }
            }
            Role::Variant(game, _) => games.entry(game.to_string()).or_default().variants += 1,
            Role::Library(_) => libraries += 1,
            _ => {
                let mut parts = path
                    .strip_prefix(SCENARIOS)
                    .or(path.strip_prefix("looks/"))
                    .unwrap_or("")
                    .split('/');
                if let Some(game) = parts.next().filter(|game| !game.is_empty()) {
                    let of = games.entry(game.to_string()).or_default();
                    of.scenarios += usize::from(path.starts_with(SCENARIOS));
                    of.look |= path.starts_with("looks/");
                }
            }
        }
    }
    let lines = games
        .iter()
        .map(|(game, of)| line(game, of, known(&format!("scripts/{game}/game.toml"))));
    let mut lines = bearable(lines.collect());
    if libraries > 0 {
        lines.push(counted(libraries, "shared script"));
    }
    let changed: Vec<&str> = contents
        .files()
        .map(|(path, _)| path)
        .filter(|path| !matches!(role(path), Role::Pack | Role::Note) && known(path))
        .collect();
    if !changed.is_empty() {
        lines.push(format!("changes what is there: {}", changed.join(", ")));
    }
    lines
}

fn line(game: &str, of: &OfGame, known: bool) -> String {
    let mut parts = Vec::new();
    let mut part = |count: usize, what: &str| {
        if count > 0 {
            parts.push(counted(count, what));
        }
    };
    part(of.cards, "card");
    part(of.scripts, "script");
    part(of.functions, "function");
    part(of.maps, "map");
    part(of.decks, "deck");
    part(of.texts, "file of texts");
    part(of.variants, "variant");
    part(of.scenarios, "file of scenarios");
    part(of.others, "other file");
    if of.tables {
        parts.push("tables".into());
    }
    if of.look {
        parts.push("a look".into());
    }
    let head = match (of.manifest, known) {
        (true, false) => format!("a new game, {game}"),
        (true, true) => format!("{game}, its manifest too"),
        (false, _) => game.to_string(),
    };
    match parts.is_empty() {
        true => head,
        false => format!("{head}: {}", parts.join(", ")),
    }
}

fn counted(count: usize, what: &str) -> String {
    match (count, what.strip_prefix("file ")) {
        (1, _) => format!("1 {what}"),
        (_, Some(rest)) => format!("{count} files {rest}"),
        _ => format!("{count} {what}s"),
    }
}
