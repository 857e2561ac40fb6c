//! Texts of rules that name nothing and look like the name of something: `works.push("war_econmy")`. Rules may keep words of their own, so it
//! is a warning, and only where a text is written a single time and nothing else is called like it.

use crate::content::definition::Definition;
use crate::content::diagnostic::{Code, Diagnostic};
use crate::content::file::{File, Files, Place};
use crate::content::lexis::lex as lex_data;
use crate::content::path::{Part, Role, role};
use crate::table::game::Game;
use ludoteca_vm::lexis::{Lexis, lex};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

/// Shorter words are a letter away from too many others.
const SHORTEST: usize = 5;

pub(super) fn unlike(game: &Game, files: &Files) -> Vec<Diagnostic> {
    let of_rules = |file: &&Arc<File>| file.path.ends_with(".rhai");
    let mut named: HashSet<&str> = HashSet::new();
    let mut written: HashMap<&str, Vec<Place>> = HashMap::new();
    for file in files.iter().filter(of_rules) {
        let is_rule = matches!(role(&file.path), Role::Game(_, Part::Script));
        for part in lex(&file.text) {
            let said = part.text(&file.text);
            match part.kind {
                Lexis::Name | Lexis::Keyword => drop(named.insert(said)),
                Lexis::Text => {
                    let inside = said.strip_prefix('"').and_then(|t| t.strip_suffix('"'));
                    let Some(word) = inside.filter(|word| is_id(word)) else {
                        continue;
                    };
                    let places = written.entry(word).or_default();
                    // Shared scripts say words of other games too.
                    let twice = if is_rule { 1 } else { 2 };
                    let span = part.span.start + 1..part.span.end - 1;
                    places.extend((0..twice).map(|_| Place::new(file, span.clone())));
                }
                _ => {}
            }
        }
    }
    let known = known(&game.definition);
    let is_alone = |(word, places): &(&str, Vec<Place>)| {
        places.len() == 1 && !known.contains(word) && !named.contains(word)
    };
    let mut found: Vec<(Place, &str, &str)> = Vec::new();
    for (word, places) in written.into_iter().filter(is_alone) {
        let near = known.iter().find(|name| is_slip(word, name));
        if let (Some(place), Some(near)) = (places.into_iter().next(), near) {
            found.push((place, word, near));
        }
    }
    if found.is_empty() {
        return Vec::new();
    }
    let said = said_in_data(files);
    found.retain(|(_, word, _)| !said.contains(word));
    let told = found.into_iter().map(|(place, word, near)| {
        let message = format!("`{word}` is the name of nothing");
        let problem = Diagnostic::new(Code::SimilarWord, message).at(&place);
        problem.meant(word, near)
    });
    told.collect()
}

/// Whether a text is written as names are; ids that count are told apart by a letter.
fn is_id(word: &str) -> bool {
    let letter = |c: char| c.is_ascii_lowercase() || "_.-".contains(c);
    word.len() >= SHORTEST
        && word.starts_with(|c: char| c.is_ascii_lowercase())
        && word.chars().all(letter)
}

/// A letter too few, too many, another or exchanged with its neighbour; but not one of many for one.
fn is_slip(word: &str, name: &str) -> bool {
    let plural = |one: &str, other: &str| one.strip_suffix('s') == Some(other);
    name.len().abs_diff(word.len()) <= 1
        && is_id(name)
        && !plural(word, name)
        && !plural(name, word)
        && strsim::osa_distance(word, name) == 1
}

/// What a text of a rule may name.
fn known(definition: &Definition) -> BTreeSet<&str> {
    let texts = &definition.texts;
    let sections = [
        &texts.prompt,
        &texts.option,
        &texts.log,
        &texts.reason,
        &texts.step,
    ];
    let mut all: BTreeSet<&str> = BTreeSet::new();
    all.extend(
        sections
            .into_iter()
            .flat_map(|section| section.keys())
            .map(String::as_str),
    );
    let actions = texts.manners.values().flat_map(|manner| &manner.actions);
    all.extend(actions.map(String::as_str));
    all.extend(definition.words.iter().map(String::as_str));
    all.extend(definition.cards.iter().map(|card| card.id.as_str()));
    all.extend(definition.kinds.iter().map(|kind| kind.name.as_str()));
    all.extend(
        definition
            .kinds
            .iter()
            .flat_map(|kind| &kind.fields)
            .map(|field| field.name.as_str()),
    );
    all.extend(definition.zones.iter().map(|zone| zone.name.as_str()));
    all.extend(definition.dice.iter().map(|die| die.name.as_str()));
    let attributes = &definition.attributes;
    let owners = [
        &attributes.game,
        &attributes.player,
        &attributes.space,
        &attributes.piece,
    ];
    all.extend(
        owners
            .into_iter()
            .flatten()
            .map(|attribute| attribute.name.as_str()),
    );
    all.extend(
        definition
            .phases
            .iter()
            .map(|phase| phase.step.name.as_str()),
    );
    if let Some(map) = &definition.map {
        all.extend(map.spaces.iter().map(|space| space.id.as_str()));
        all.extend(map.areas.iter().map(|area| area.id.as_str()));
        all.extend(map.sections.iter().map(|section| section.id.as_str()));
    }
    all
}

/// Every name and text of the game's other files.
fn said_in_data(files: &Files) -> HashSet<&str> {
    let data = files.iter().filter(|file| file.path.ends_with(".toml"));
    let parts = data.flat_map(|file| {
        let parts = lex_data(&file.text).into_iter();
        parts.map(|part| file.text.get(part.span).unwrap_or_default())
    });
    parts.map(|said| said.trim_matches(['"', '\''])).collect()
}
