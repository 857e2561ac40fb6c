//! Which keys and values of which files are names of what: one row each.

use super::{HELD, Sort, Wants};
use crate::content::path::{Part, Role, role};

/// Files with rows of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileWithRows {
    Manifest,
    Cards,
    Deck,
    Map,
    Look,
    Positions,
    Scenario,
}

/// What stands at a path.
#[derive(Debug, Clone, Copy)]
pub enum Stands {
    /// The key defines a name; `$n` is the n-th star of its path.
    Defines(Sort, &'static str),
    /// The key mentions one, or several with signs between them: `hand.0`, `a - b`. They are these owners', or nobody's.
    Key(&'static [Sort], &'static str),
    /// After one of its strokes the key is a word: `allegiance_blue`.
    EndsWithWord,
    /// The value mentions one; in a list every item does.
    Names(&'static [Sort]),
    /// The same where a value may be made of several names: `country.area`, `fuel*needs`.
    Made(&'static [Sort], &'static str),
    /// The value defines a word.
    NewWord,
    /// The key is the way to a value, dots and all.
    Dotted,
    /// The value is the way to a value.
    NamesValue,
    /// The value is a call, such as `attack(p0)`.
    Call,
}

use FileWithRows::{Cards, Deck, Look, Manifest, Positions, Scenario};
use Sort::{
    Area, Attribute, Card, Condition, Die, Effect, Field, Function, Game, Kind, Log, Metric,
    Parameter, Prompt, Reason, Section, Side, Space, Variant, Zone,
};
use Stands::*;

/// What a word of a look stands for: whatever has a colour or an icon.
const PAINTED: &[Sort] = &[Sort::Word, Attribute, Field, Sort::Option, Sort::Action];
/// What spaces have.
const OF_SPACES: &[Sort] = &[Attribute, Field, Zone];
/// What a card shows of itself, of its piece, and of the space or the card it names.
const SHOWN: &[Sort] = &[Field, Attribute];

/// A star stands for any key or number; two for any way down.
pub const PLACES: &[(FileWithRows, &str, Stands)] = &[
    (Manifest, "map", Names(&[Sort::Map])),
    (Manifest, "attributes/*/*", Defines(Attribute, "$0")),
    (Manifest, "attributes/*/*/words/*", NewWord),
    (Manifest, "attributes/*/*/per/*", NewWord),
    (Manifest, "attributes/*/*/kept_in/*", Names(&[Zone])),
    (Manifest, "attributes/*/*/start", Names(&[Sort::Word])),
    (Manifest, "zones/*", Defines(Zone, "")),
    (Manifest, "zones/*/sorted", Names(&[Field, Attribute])),
    (Manifest, "kinds/*", Defines(Kind, "")),
    (Manifest, "kinds/*/fields/*", Defines(Field, "$0")),
    (Manifest, "kinds/*/fields/*/words/*", NewWord),
    (Manifest, "kinds/*/fields/*/of", Names(&[Kind])),
    (Manifest, "kinds/*/check", Names(&[Function])),
    (Manifest, "effects/*", Defines(Effect, "")),
    (Manifest, "effects/*/*/words/*", NewWord),
    (Manifest, "conditions/*", Defines(Condition, "")),
    (Manifest, "conditions/*/*/words/*", NewWord),
    (Manifest, "dice/*", Defines(Die, "")),
    (Manifest, "sides/of/*", Defines(Side, "")),
    (Manifest, "parameters/*", Defines(Parameter, "")),
    (Manifest, "ranges/*", Dotted),
    (Manifest, "phases/*/step", Names(&[Function])),
    (Manifest, "metrics/*", Defines(Metric, "")),
    (Manifest, "metrics/*/function", Names(&[Function])),
    (Manifest, "invariants/*", Names(&[Function])),
    (Cards, "kind", Names(&[Kind])),
    (Cards, "cards/*", Defines(Card, "")),
    (FileWithRows::Map, "fields/*/*", Defines(Field, "$0")),
    (FileWithRows::Map, "fields/*/*/words/*", NewWord),
    (FileWithRows::Map, "areas/*", Defines(Area, "")),
    (FileWithRows::Map, "spaces/*", Defines(Space, "")),
    (FileWithRows::Map, "spaces/*/area", Names(&[Area])),
    (FileWithRows::Map, "legend/*/area", Names(&[Area])),
    (FileWithRows::Map, "sections/*", Defines(Section, "")),
    (Deck, "cards/*", Key(&[Card], "")),
    (Look, "areas/*", Key(&[Area], "")),
    (Look, "area/number/field", Made(&[Field], "area")),
    (Look, "links/*", Made(&[Field], "edge")),
    (Look, "sections/*", Key(&[Section], "")),
    (Look, "space/fill", Made(OF_SPACES, "space")),
    (Look, "space/tint", Made(OF_SPACES, "space")),
    (Look, "space/zone", Made(OF_SPACES, "space")),
    (Look, "space/tile", Made(OF_SPACES, "space")),
    (Look, "space/stars", Made(OF_SPACES, "space")),
    (Look, "space/corners/*", Made(OF_SPACES, "space")),
    (Look, "space/bar/attribute", Made(OF_SPACES, "space")),
    (Look, "space/tokens/*/*", Made(OF_SPACES, "space")),
    (Look, "space/slots/owners/*", Made(OF_SPACES, "space")),
    (Look, "space/marks/*", Key(OF_SPACES, "space")),
    (Look, "space/shape/*", Key(OF_SPACES, "space")),
    (Look, "space/shape/*/*", Key(&[Sort::Word], "")),
    (Look, "space/markers/*/along", Made(OF_SPACES, "space")),
    (
        Look,
        "space/markers/*/number",
        Made(&[Attribute, Sort::Word], "player"),
    ),
    (Look, "space/markers/*/at", Made(&[Attribute], "player")),
    (Look, "players/color", Made(&[Attribute], "player")),
    (Look, "players/tint", Made(&[Zone, Field], "")),
    (
        Look,
        "players/show/*/attribute",
        Made(&[Attribute], "player"),
    ),
    (Look, "players/show/*/zone", Names(&[Zone])),
    (Look, "players/show/*/count", Made(OF_SPACES, "space")),
    (Look, "players/show/*/sum", Made(OF_SPACES, "space")),
    (Look, "players/show/*/by", Made(OF_SPACES, "space")),
    (Look, "players/line/*", Made(&[Attribute, Zone], "player")),
    (Look, "players/counters/on", Made(&[Attribute], "player")),
    (Look, "players/counters/of", Names(&[Zone])),
    (Look, "players/rows/*/*", Names(&[Zone])),
    (Look, "zones/*", Key(&[Zone], "")),
    (Look, "zones/*/over", Names(&[Zone])),
    (Look, "zones/*/split", Names(&[Parameter])),
    (Look, "tracks/*/stock", Made(&[Attribute], "game player")),
    (
        Look,
        "tracks/*/attribute",
        Made(&[Attribute], "game player"),
    ),
    (Look, "tracks/*/prices", NamesValue),
    (Look, "kinds/*", Key(&[Kind], "")),
    (Look, "kinds/*/like", Names(&[Kind])),
    (Look, "kinds/*/face/*", Made(SHOWN, "$0 piece space")),
    (Look, "kinds/*/tile/*", Made(SHOWN, "$0 piece space")),
    (Look, "kinds/*/chip/*", Made(SHOWN, "$0 piece space")),
    (Look, "kinds/*/big", Made(SHOWN, "$0 piece space")),
    (Look, "kinds/*/icon", Made(SHOWN, "$0 piece space")),
    (Look, "kinds/*/tint", Made(SHOWN, "$0 piece space")),
    (Look, "kinds/*/picture", Made(SHOWN, "$0 piece space")),
    (Look, "kinds/*/number", Made(&[Attribute], "piece")),
    (Look, "kinds/*/corner/*", Made(SHOWN, "$0 piece space")),
    (Look, "kinds/*/icons/*", Key(SHOWN, "$0 piece space")),
    (Look, "kinds/*/row/*", Key(SHOWN, "$0 piece space")),
    (Look, "kinds/*/row/*/*", Names(PAINTED)),
    (Look, "kinds/*/plus/*", Key(SHOWN, "$0 piece space")),
    (Look, "kinds/*/plus/*", Made(&[Attribute], "piece")),
    (Look, "kinds/*/marks/*", Key(&[Attribute], "piece")),
    (Look, "kinds/*/hide/*", Key(SHOWN, "$0 piece space")),
    (Look, "kinds/*/hide/*", Names(&[Sort::Word])),
    (Look, "colors/*", Key(PAINTED, "")),
    (Look, "icons/*", Key(PAINTED, "")),
    (Look, "pictures/*", Key(&[Sort::Word], "")),
    (Look, "dice/*", Key(&[Die], "")),
    (Look, "header/*/*", Made(&[Attribute], "game")),
    (Positions, "spaces/*", Key(&[Space], "")),
    (Positions, "islands/*", Key(&[Space], "")),
    (Positions, "edges/*", Key(&[Space], "")),
    (Positions, "areas/*", Key(&[Area], "")),
    (Positions, "zones/*", Key(&[Zone], "")),
    (Positions, "tracks/*", EndsWithWord),
    (Scenario, "game", Names(&[Game])),
    (Scenario, "scenario/*/variants/*", Names(&[Variant])),
    (Scenario, "scenario/*/set/**", Dotted),
    (Scenario, "scenario/*/run/*", Call),
    (Scenario, "scenario/*/dice/*", Key(&[Die], "")),
    (Scenario, "scenario/*/shuffles/*", Key(PLACED, "")),
    (Scenario, "scenario/*/shuffles/*/*", Names(&[Card])),
    (Scenario, "scenario/*/*/game/*", Key(&[Attribute], "game")),
    (Scenario, "scenario/*/*/game/*/*", Key(&[Sort::Word], "")),
    (
        Scenario,
        "scenario/*/*/players/*/*",
        Key(&[Attribute], "player"),
    ),
    (
        Scenario,
        "scenario/*/*/players/*/*/*",
        Key(&[Sort::Word], ""),
    ),
    (Scenario, "scenario/*/*/spaces/*", Key(&[Space], "")),
    (
        Scenario,
        "scenario/*/*/spaces/*/*",
        Key(&[Attribute], "space"),
    ),
    (
        Scenario,
        "scenario/*/*/spaces/*/*/*",
        Key(&[Sort::Word], ""),
    ),
    (Scenario, "scenario/*/*/zones/*", Key(PLACED, "")),
    (Scenario, "scenario/*/*/zones/*/*", Names(&[Card])),
    (Scenario, "scenario/*/*/zones/*/*/card", Names(&[Card])),
    (
        Scenario,
        "scenario/*/*/zones/*/*/*",
        Key(&[Attribute], "piece"),
    ),
    (Scenario, "scenario/*/*/sizes/*", Key(PLACED, "")),
    (Scenario, "scenario/*/state/sections/*", Key(&[Section], "")),
    (Scenario, "scenario/*/state/keep/*", Names(&[Space])),
    (Scenario, "scenario/*/answers/*/prompt", Names(&[Prompt])),
    (Scenario, "scenario/*/answers/*/choose", Made(OFFERED, "")),
    (Scenario, "scenario/*/answers/*/refuse", Made(OFFERED, "")),
    (Scenario, "scenario/*/expect/asked", Names(&[Prompt])),
    (Scenario, "scenario/*/expect/options", Made(OFFERED, "")),
    (Scenario, "scenario/*/expect/offered", Made(OFFERED, "")),
    (Scenario, "scenario/*/expect/not_offered", Made(OFFERED, "")),
    (Scenario, "scenario/*/expect/log/*", Names(&[Log])),
    (Scenario, "scenario/*/expect/not_log/*", Names(&[Log])),
    (Scenario, "scenario/*/expect/ended", Names(&[Reason])),
    (Scenario, "scenario/*/*/game/*", Names(HELD)),
    (Scenario, "scenario/*/*/players/*/*", Names(HELD)),
    (Scenario, "scenario/*/*/spaces/*/*", Names(HELD)),
    (Scenario, "scenario/*/*/zones/*/*/*", Names(HELD)),
];

/// A zone, and the space it is of: `tank.workers`.
const PLACED: &[Sort] = &[Zone, Space];
/// What options are called by.
const OFFERED: &[Sort] = &[
    Sort::Option,
    Sort::Action,
    Card,
    Space,
    Sort::Word,
    Area,
    Zone,
    Kind,
];

/// Which rows a file has.
pub fn sheet(path: &str) -> Option<FileWithRows> {
    if path.starts_with(crate::content::path::SCENARIOS) {
        return Some(Scenario);
    }
    match role(path) {
        Role::Game(_, part) => of_part(part),
        Role::VariantOverlay(_, _, over) => match role(over) {
            Role::Game(_, part) => of_part(part),
            _ => None,
        },
        Role::With(_, inside) => sheet(inside),
        _ => None,
    }
}

fn of_part(part: Part<'_>) -> Option<FileWithRows> {
    match part {
        Part::Manifest => Some(Manifest),
        Part::Cards => Some(Cards),
        Part::Deck(_) => Some(Deck),
        Part::Map(_) => Some(FileWithRows::Map),
        Part::Look => Some(Look),
        Part::Positions(_) => Some(Positions),
        _ => None,
    }
}

/// The stars of a path if it fits a row; `**` takes the rest.
pub fn fits<'p>(row: &str, path: &[&'p str]) -> Option<Vec<&'p str>> {
    let mut stars = Vec::new();
    let mut at = 0;
    for step in row.split('/') {
        match step {
            "**" => return (at < path.len()).then_some(stars),
            "*" => stars.push(*path.get(at)?),
            name if path.get(at) == Some(&name) => {}
            _ => return None,
        }
        at += 1;
    }
    (at == path.len()).then_some(stars)
}

/// What names may be written at a path, as a key or as a value.
pub fn wanted(sheet: FileWithRows, path: &[&str], is_key: bool) -> Option<Wants> {
    let mut values: Vec<Sort> = Vec::new();
    for (_, row, stands) in PLACES.iter().filter(|(of, ..)| *of == sheet) {
        let Some(stars) = fits(row, path) else {
            continue;
        };
        match (stands, is_key) {
            (Key(sorts, of), true) | (Made(sorts, of), false) => {
                return Some(owned(sorts, of, &stars));
            }
            (Dotted, true) | (NamesValue, false) => return Some(Wants::Dotted),
            (Names(sorts), false) => values.extend(*sorts),
            (Call, false) => values.push(Function),
            _ => {}
        }
    }
    (!values.is_empty()).then_some(Wants::Sorts(values))
}

/// Names of these sorts, of whoever has them.
pub fn owned(sorts: &[Sort], of: &str, stars: &[&str]) -> Wants {
    let owners: Vec<String> = of.split_whitespace().map(|of| owner(of, stars)).collect();
    match owners.is_empty() {
        true => Wants::Sorts(sorts.to_vec()),
        false => Wants::Owned(sorts.to_vec(), owners),
    }
}

/// `$0` is the first star.
pub fn owner(of: &str, stars: &[&str]) -> String {
    match of.strip_prefix('$').and_then(|n| n.parse::<usize>().ok()) {
        Some(n) => stars.get(n).copied().unwrap_or_default().to_string(),
        None => of.to_string(),
    }
}
