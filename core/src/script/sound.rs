//! Whether a definition holds together well enough to make a game of it. What was wrong in the files has been said by then; a part that
//! could not be read leaves holes that nothing behind may fall into, and what is far too large must not be built to be refused.

use crate::content::definition::{Attribute, Definition, FieldValue, ZoneOf};
use crate::content::diagnostic::{Code, Diagnostic};
use crate::limits::{
    LARGEST_RULES, LARGEST_STATE, MOST_DECLARED, MOST_FUNCTIONS, MOST_NUMBERS, MOST_SIGNS,
    MOST_SPACES, MOST_ZONES,
};

/// Whether scripts can be compiled against it.
pub fn can_be_made(definition: &Definition) -> bool {
    let Definition {
        kinds, cards, map, ..
    } = definition;
    let spaces = map.as_ref().map_or(0, |map| map.spaces.len());
    let areas = map.as_ref().map_or(0, |map| map.areas.len());
    let whole = |value: &FieldValue| match value {
        FieldValue::Card(card) => (*card as usize) < cards.len(),
        FieldValue::Cards(held) => held.iter().all(|card| (*card as usize) < cards.len()),
        FieldValue::Space(space) => (*space as usize) < spaces,
        FieldValue::Area(area) => (*area as usize) < areas,
        FieldValue::Word(word) => (*word as usize) < definition.words.len(),
        FieldValue::Words(words) => words.iter().all(|w| (*w as usize) < definition.words.len()),
        _ => true,
    };
    let row = |fields: &[FieldValue], declared: usize| {
        fields.len() == declared && fields.iter().all(whole)
    };
    let cards_hold = cards.iter().all(|card| {
        let kind = kinds.get(card.kind as usize);
        kind.is_some_and(|kind| row(&card.fields, kind.fields.len()))
    });
    let map_holds = map.as_ref().is_none_or(|map| {
        let on_map = |space: u32| (space as usize) < spaces;
        spaces <= MOST_SPACES
            && map.spaces.iter().all(|space| {
                row(&space.fields, map.space_fields.len())
                    && space.area.is_none_or(|area| (area as usize) < areas)
                    && space
                        .square
                        .is_none_or(|at| (at.0 as usize) < map.sections.len())
            })
            && map
                .areas
                .iter()
                .all(|area| row(&area.fields, map.area_fields.len()))
            && map.edges.iter().all(|edge| {
                on_map(edge.a) && on_map(edge.b) && row(&edge.fields, map.edge_fields.len())
            })
            && map.sections.iter().all(|section| {
                let squares = section.columns as usize * section.rows as usize;
                section.squares.len() == squares
                    && section.squares.iter().flatten().all(|space| on_map(*space))
            })
    });
    cards_hold && map_holds && too_large(definition).is_none()
}

/// What of a game is larger than anything that can be played.
pub fn too_large(definition: &Definition) -> Option<Diagnostic> {
    let attributes = &definition.attributes;
    let fields = definition.kinds.iter().map(|kind| kind.fields.len());
    let declared = [
        attributes.game.len(),
        attributes.player.len(),
        attributes.space.len(),
        attributes.piece.len(),
        definition.zones.len(),
        definition.kinds.len(),
        definition.phases.len(),
        definition.phrase_words.len(),
        definition.metrics.len(),
        definition.invariants.len(),
        fields.sum(),
    ];
    let refused = |message: String| Some(Diagnostic::new(Code::OutOfRange, message));
    if let Some(most) = declared.into_iter().find(|count| *count > MOST_DECLARED) {
        return refused(format!(
            "a game declares at most {MOST_DECLARED} attributes, zones, kinds, phases, words, metrics, invariants or fields of a sort, and this one {most}"
        ));
    }
    let (numbers, zones) = things(definition);
    if numbers > MOST_NUMBERS || zones > MOST_ZONES {
        return refused(format!(
            "a match of this game would have {zones} zones and {numbers} numbers, and {MOST_ZONES} and {MOST_NUMBERS} are the most"
        ));
    }
    let bytes = state_size(definition);
    if bytes > LARGEST_STATE as u64 {
        return refused(format!(
            "a match of this game would have to remember {} MiB, and {} are the most",
            bytes >> 20,
            LARGEST_STATE >> 20
        ));
    }
    let shared = definition.libraries.values().flatten();
    let texts = definition.scripts.iter().chain(shared);
    let texts: Vec<&str> = texts.map(|script| script.text.as_str()).collect();
    let bytes: usize = texts.iter().map(|text| text.len()).sum();
    if bytes > LARGEST_RULES {
        return refused(format!(
            "the scripts of this game have {} MiB, and {} are the most",
            bytes.div_ceil(1 << 20),
            LARGEST_RULES >> 20
        ));
    }
    let signs: usize = texts.iter().map(|text| signs(text)).sum();
    if signs > MOST_SIGNS {
        return refused(format!(
            "the scripts have about {signs} words and signs, and {MOST_SIGNS} are the most"
        ));
    }
    let functions: usize = texts.iter().map(|text| text.matches("fn ").count()).sum();
    if functions > MOST_FUNCTIONS {
        return refused(format!(
            "the scripts have about {functions} functions, and {MOST_FUNCTIONS} are the most"
        ));
    }
    None
}

/// Words and signs of a script, those of comments and texts too: about as many parts it is made of.
fn signs(text: &str) -> usize {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 128;
    let mut before = b' ';
    let mut begins = |byte: &u8| {
        let byte = *byte;
        let begins = match is_word(byte) {
            true => !is_word(before),
            false => !byte.is_ascii_whitespace(),
        };
        before = byte;
        begins
    };
    text.bytes().filter(|byte| begins(byte)).count()
}

/// Numbers a row of attributes has.
fn width(definition: &Definition, attributes: &[Attribute]) -> u64 {
    let players = definition.players.1.into();
    let widths = attributes.iter();
    widths.map(|one| one.per.width(players) as u64).sum()
}

/// Numbers and zones of a match with as many players as may sit down.
fn things(definition: &Definition) -> (u64, u64) {
    let players = u64::from(definition.players.1);
    let map = definition.map.as_ref();
    let spaces = map.map_or(0, |map| map.spaces.len() as u64);
    let attributes = &definition.attributes;
    let numbers = width(definition, &attributes.game)
        + players * width(definition, &attributes.player)
        + spaces * width(definition, &attributes.space);
    let zones = definition.zones.iter().map(|zone| match zone.of {
        ZoneOf::Game => 1,
        ZoneOf::Player => players,
        ZoneOf::Space => spaces,
    });
    (numbers, zones.sum())
}

/// Bytes of the numbers, zones and pieces of a match.
fn state_size(definition: &Definition) -> u64 {
    let (numbers, zones) = things(definition);
    // What each piece loses in each zone is worked out beforehand.
    let lost =
        width(definition, &definition.attributes.piece) * (definition.zones.len() as u64 + 1);
    4 * numbers + 24 * zones + 8 * lost
}
