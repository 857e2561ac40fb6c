//! What a file is, told from its path.

use super::definition::Language;

/// What a file inside a pack is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Role<'a> {
    /// `pack.toml`
    Pack,
    /// Notes for people.
    Note,
    /// A file of a game: its manifest, rules, cards, tables, texts or a map.
    Game(&'a str, Part<'a>),
    /// `scripts/lib/<name>.rhai`
    Library(&'a str),
    /// `variants/<game>/<name>.toml`, or `variant.toml` in a variant's folder.
    Variant(&'a str, &'a str),
    /// A file in a variant's folder: game, variant, and the path it overlays.
    VariantOverlay(&'a str, &'a str, &'a str),
    /// A file that counts only when another pack is there: the pack, and the path in its layer.
    With(&'a str, &'a str),
    /// Nothing reads it.
    Unread,
}

/// What a file of a game holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part<'a> {
    Manifest,
    Script,
    Tables,
    Texts,
    Cards,
    Map(&'a str),
    /// `decks/<game>/<name>.toml`
    Deck(&'a str),
    /// `looks/<game>/look.toml`
    Look,
    /// `looks/<game>/<map>.toml`: where the things of a map are drawn.
    Positions(&'a str),
    /// `looks/<game>/pictures/<name>`
    Picture(&'a str),
    /// `scripts/<game>/rulebook.<language>.md`
    Rulebook(Language),
}

/// Where scenarios are, below a folder for each game.
pub const SCENARIOS: &str = "tests/scenarios/";

/// The folder of shared scripts, so no game may have this name.
pub const LIBRARY: &str = "lib";

pub fn role(path: &str) -> Role<'_> {
    let (top, rest) = path.split_once('/').unwrap_or((path, ""));
    let (game, inside) = rest.split_once('/').unwrap_or((rest, ""));
    let (stem, ending) = inside.rsplit_once('.').unwrap_or((inside, ""));
    let flat = !inside.is_empty() && !inside.contains('/');
    match (top, ending) {
        ("pack.toml", _) if rest.is_empty() => Role::Pack,
        ("with", _) if !inside.is_empty() => Role::With(game, inside),
        ("variants", _) => variant_role(game, inside),
        ("scripts", "md") if game != LIBRARY && inside == "rulebook.es.md" => {
            Role::Game(game, Part::Rulebook(Language::Es))
        }
        ("scripts", "md") if game != LIBRARY && inside == "rulebook.en.md" => {
            Role::Game(game, Part::Rulebook(Language::En))
        }
        _ if path.ends_with(".md") => Role::Note,
        ("scripts", "rhai") if game == LIBRARY && flat => Role::Library(stem),
        ("scripts" | "cards" | "maps" | "decks" | "looks", _) if game == LIBRARY => Role::Unread,
        ("scripts", "toml") if inside == "game.toml" => Role::Game(game, Part::Manifest),
        ("scripts", "rhai") => Role::Game(game, Part::Script),
        ("maps", "toml") if flat => Role::Game(game, Part::Map(stem)),
        ("decks", "toml") if flat => Role::Game(game, Part::Deck(stem)),
        ("looks", "toml") if inside == "look.toml" => Role::Game(game, Part::Look),
        ("looks", "toml") if flat => Role::Game(game, Part::Positions(stem)),
        ("looks", "png" | "webp" | "svg") => match inside.strip_prefix("pictures/") {
            Some(name) if !name.contains('/') => Role::Game(game, Part::Picture(name)),
            _ => Role::Unread,
        },
        ("cards", "toml") if flat => Role::Game(game, cards_part(stem)),
        _ => Role::Unread,
    }
}

fn cards_part(stem: &str) -> Part<'static> {
    match stem {
        "tables" => Part::Tables,
        "text" => Part::Texts,
        _ if stem.starts_with("text-") => Part::Texts,
        _ => Part::Cards,
    }
}

fn variant_role<'a>(game: &'a str, inside: &'a str) -> Role<'a> {
    match inside.split_once('/') {
        Some((name, "variant.toml")) => Role::Variant(game, name),
        Some((name, path)) => match role(path) {
            Role::Game(changed, _) if changed == game => Role::VariantOverlay(game, name, path),
            Role::Library(_) => Role::VariantOverlay(game, name, path),
            _ if path.ends_with(".md") => Role::Note,
            _ => Role::Unread,
        },
        None if inside.ends_with(".md") => Role::Note,
        None => match inside.strip_suffix(".toml") {
            Some(name) => Role::Variant(game, name),
            None => Role::Unread,
        },
    }
}
