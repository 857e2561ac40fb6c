//! Which keys and values of which files are names of what: one row each.

use super::{Sort, Wants};
use crate::content::path::{Part, Role, role};

/// Files with rows of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileWithRows {
    Manifest,
    Cards,
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
    /// The key mentions one.
    Key(Sort, &'static str),
    /// The value does; in a list every item does.
    Names(&'static [Sort]),
    /// The value defines a word.
    NewWord,
    /// The key is the way to a value, dots and all.
    Dotted,
    /// The value is a call, such as `attack(p0)`.
    Call,
}

use FileWithRows::{Cards, Look, Manifest, Positions, Scenario};
use Sort::{
    Area, Attribute, Card, Condition, Die, Effect, Field, Function, Game, Kind, Log, Metric,
    Parameter, Prompt, Reason, Section, Side, Space, Variant, Zone,
};
use Stands::*;

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
    (Look, "areas/*", Key(Area, "")),
    (Look, "zones/*", Key(Zone, "")),
    (Look, "kinds/*", Key(Kind, "")),
    (Look, "spaces/*", Key(Space, "")),
    (Positions, "spaces/*", Key(Space, "")),
    (Scenario, "game", Names(&[Game])),
    (Scenario, "scenario/*/variants/*", Names(&[Variant])),
    (Scenario, "scenario/*/set/**", Dotted),
    (Scenario, "scenario/*/run/*", Call),
    (Scenario, "scenario/*/dice/*", Key(Die, "")),
    (Scenario, "scenario/*/shuffles/*", Key(Zone, "")),
    (Scenario, "scenario/*/shuffles/*/*", Names(&[Card])),
    (Scenario, "scenario/*/*/game/*", Key(Attribute, "game")),
    (Scenario, "scenario/*/*/game/*/*", Key(Sort::Word, "")),
    (
        Scenario,
        "scenario/*/*/players/*/*",
        Key(Attribute, "player"),
    ),
    (Scenario, "scenario/*/*/players/*/*/*", Key(Sort::Word, "")),
    (Scenario, "scenario/*/*/spaces/*", Key(Space, "")),
    (Scenario, "scenario/*/*/spaces/*/*", Key(Attribute, "space")),
    (Scenario, "scenario/*/*/spaces/*/*/*", Key(Sort::Word, "")),
    (Scenario, "scenario/*/*/zones/*", Key(Zone, "")),
    (Scenario, "scenario/*/*/zones/*/*", Names(&[Card])),
    (Scenario, "scenario/*/*/zones/*/*/card", Names(&[Card])),
    (
        Scenario,
        "scenario/*/*/zones/*/*/*",
        Key(Attribute, "piece"),
    ),
    (Scenario, "scenario/*/*/sizes/*", Key(Zone, "")),
    (Scenario, "scenario/*/state/sections/*", Key(Section, "")),
    (Scenario, "scenario/*/state/keep/*", Names(&[Space])),
    (Scenario, "scenario/*/answers/*/prompt", Names(&[Prompt])),
    (Scenario, "scenario/*/answers/*/choose", Names(OFFERED)),
    (Scenario, "scenario/*/answers/*/refuse", Names(OFFERED)),
    (Scenario, "scenario/*/expect/asked", Names(&[Prompt])),
    (Scenario, "scenario/*/expect/options", Names(OFFERED)),
    (Scenario, "scenario/*/expect/offered", Names(OFFERED)),
    (Scenario, "scenario/*/expect/not_offered", Names(OFFERED)),
    (Scenario, "scenario/*/expect/log/*", Names(&[Log])),
    (Scenario, "scenario/*/expect/not_log/*", Names(&[Log])),
    (Scenario, "scenario/*/expect/ended", Names(&[Reason])),
    (Scenario, "scenario/*/*/game/*", Names(HELD)),
    (Scenario, "scenario/*/*/players/*/*", Names(HELD)),
    (Scenario, "scenario/*/*/spaces/*/*", Names(HELD)),
    (Scenario, "scenario/*/*/zones/*/*/*", Names(HELD)),
];

/// What options are called by.
const OFFERED: &[Sort] = &[Sort::Option, Card, Space, Sort::Word, Area, Zone, Kind];
/// What attributes hold.
const HELD: &[Sort] = &[Sort::Word, Card, Space, Area, Side];

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
            (Key(sort, of), true) => {
                return Some(match of.is_empty() {
                    true => Wants::Sorts(vec![*sort]),
                    false => Wants::Of(*sort, owner(of, &stars)),
                });
            }
            (Dotted, true) => return Some(Wants::Dotted),
            (Names(sorts), false) => values.extend(*sorts),
            (Call, false) => values.push(Function),
            _ => {}
        }
    }
    (!values.is_empty()).then_some(Wants::Sorts(values))
}

/// `$0` is the first star.
pub fn owner(of: &str, stars: &[&str]) -> String {
    match of.strip_prefix('$').and_then(|n| n.parse::<usize>().ok()) {
        Some(n) => stars.get(n).copied().unwrap_or_default().to_string(),
        None => of.to_string(),
    }
}
