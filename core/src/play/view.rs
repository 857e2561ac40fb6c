//! What a seat may see. This is the only file that decides it; people, bots and remote programs all get this view.

use super::say::Language;
use crate::content::definition::{Attribute, AttributeType, Per, Visibility, ZoneOf};
use crate::model::state::{IN_THE_BOX, Piece, State};
use crate::model::streams::Stream;
use crate::model::value::handle;
use crate::script::table::Table;
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeMap;

/// Whether a seat may know what a piece is. Nobody at the table (`None`) sees what is open to all.
pub fn sees_piece(table: &Table, viewer: Option<u8>, piece: u32) -> bool {
    let found = &table.state.pieces[piece as usize];
    if found.face_up || found.zone == IN_THE_BOX {
        return true;
    }
    let (declared, owner) = table.layout.zones[found.zone as usize];
    let zone = &table.game.definition.zones[declared as usize];
    match zone.visible {
        Visibility::All => true,
        Visibility::Nobody => false,
        Visibility::Owner => match zone.of {
            ZoneOf::Player => viewer == Some(owner as u8),
            ZoneOf::Game | ZoneOf::Space => viewer.is_some_and(|seat| found.owner == seat as i8),
        },
    }
}

fn sees_attribute(attribute: &Attribute, viewer: Option<u8>, owner: Option<u8>) -> bool {
    match attribute.visible {
        Visibility::All => true,
        Visibility::Owner => viewer.is_some() && viewer == owner,
        Visibility::Nobody => false,
    }
}

/// Everything a seat sees, as one JSON object. `None` is somebody who only watches.
pub fn view(table: &Table, viewer: Option<u8>, language: Language) -> Json {
    let definition = &table.game.definition;
    let attributes = |declared: &[Attribute], kind: u8, id: u32, owner: Option<u8>| {
        let mut shown = Map::new();
        for (index, attribute) in declared.iter().enumerate() {
            if sees_attribute(attribute, viewer, owner) {
                shown.insert(
                    attribute.name.clone(),
                    attribute_json(table, attribute, kind, index, id),
                );
            }
        }
        shown
    };
    let mut game = attributes(&definition.attributes.game, handle::GAME, 0, None);
    game.insert("round".into(), json!(table.state.round));
    game.insert(
        "zones".into(),
        zones(table, viewer, ZoneOf::Game, 0, language),
    );
    let players: Vec<Json> = (0..table.players())
        .map(|seat| {
            let mut shown = attributes(
                &definition.attributes.player,
                handle::PLAYER,
                seat as u32,
                Some(seat),
            );
            shown.insert("seat".into(), json!(seat));
            shown.insert("out".into(), json!(table.state.is_out(seat)));
            shown.insert(
                "zones".into(),
                zones(table, viewer, ZoneOf::Player, seat as u32, language),
            );
            Json::Object(shown)
        })
        .collect();
    let mut spaces = Map::new();
    for space in table.state.board.in_play().iter() {
        let mut shown = attributes(&definition.attributes.space, handle::SPACE, space, None);
        if definition.zones.iter().any(|zone| zone.of == ZoneOf::Space) {
            shown.insert(
                "zones".into(),
                zones(table, viewer, ZoneOf::Space, space, language),
            );
        }
        spaces.insert(table.space_id(space).to_string(), Json::Object(shown));
    }
    let order: Vec<u8> = table.state.seats_from(table.state.start).collect();
    json!({ "you": viewer, "order": order, "game": game, "players": players, "spaces": spaces })
}

fn attribute_json(table: &Table, attribute: &Attribute, kind: u8, index: usize, id: u32) -> Json {
    let lexicon = &table.game.lexicon;
    let number_at = |column: usize| json!(table.number(kind, index, id, column as u32));
    match &attribute.per {
        Per::One => {}
        Per::Player => return (0..table.players() as usize).map(number_at).collect(),
        Per::Word(words) => {
            let named = words
                .iter()
                .enumerate()
                .map(|(n, &w)| (lexicon.words[w as usize].to_string(), number_at(n)));
            return Json::Object(named.collect());
        }
    }
    let number = table.number(kind, index, id, 0);
    let word = |words: &[u32]| json!(lexicon.words[words[number as usize] as usize]);
    match &attribute.ty {
        AttributeType::Int => json!(number),
        AttributeType::Bool => json!(number != 0),
        _ if number < 0 => Json::Null,
        AttributeType::Player => json!(number),
        AttributeType::Space => word(&lexicon.space_words),
        AttributeType::Area => word(&lexicon.area_words),
        AttributeType::Card => word(&lexicon.card_words),
        AttributeType::Piece => json!(
            lexicon.words
                [lexicon.card_words[table.state.pieces[number as usize].card as usize] as usize]
        ),
        AttributeType::Word(_) => json!(lexicon.words[number as usize]),
    }
}

fn zones(table: &Table, viewer: Option<u8>, of: ZoneOf, owner: u32, language: Language) -> Json {
    let mut shown = Map::new();
    for (declared, zone) in table.game.definition.zones.iter().enumerate() {
        if zone.of != of {
            continue;
        }
        let instance = table.layout.zone(declared, owner);
        let pieces = table.state.zones[instance as usize].iter().rev();
        let listed: Vec<Json> = pieces
            .map(|&piece| piece_json(table, viewer, piece, language))
            .collect();
        // A stack nobody looks into is its height.
        let hidden = listed.iter().all(Json::is_null);
        let json = if hidden {
            json!({ "count": listed.len() })
        } else {
            json!({ "count": listed.len(), "pieces": listed })
        };
        shown.insert(zone.name.clone(), json);
    }
    Json::Object(shown)
}

fn piece_json(table: &Table, viewer: Option<u8>, piece: u32, language: Language) -> Json {
    if !sees_piece(table, viewer, piece) {
        return Json::Null;
    }
    let found = &table.state.pieces[piece as usize];
    let card = &table.game.definition.cards[found.card as usize];
    let mut shown = Map::new();
    shown.insert("card".into(), json!(card.id));
    shown.insert("name".into(), json!(language.of(&card.name)));
    if found.owner >= 0 {
        shown.insert("owner".into(), json!(found.owner));
    }
    for (index, attribute) in table.game.definition.attributes.piece.iter().enumerate() {
        let owner = (found.owner >= 0).then_some(found.owner as u8);
        let number = table.number(handle::PIECE, index, piece, 0);
        let seen = attribute.visible != Visibility::Nobody
            && (attribute.visible == Visibility::All || owner == viewer);
        if seen && (attribute.per != Per::One || number != attribute.start) {
            shown.insert(
                attribute.name.clone(),
                attribute_json(table, attribute, handle::PIECE, index, piece),
            );
        }
    }
    Json::Object(shown)
}

/// Deals anew what a seat cannot see: hidden pieces of a kind change places among themselves, and all luck is new.
/// A bot that looks ahead does so on a table dealt like this, never on the real one.
pub fn redeal(table: &mut Table, viewer: u8, luck: &mut Stream) {
    let cards = &table.game.definition.cards;
    // Pieces of a kind that belong to the same player (or to nobody) may lie in each other's places.
    let mut hidden: BTreeMap<(u32, i8), Vec<u32>> = BTreeMap::new();
    for piece in 0..table.state.pieces.len() as u32 {
        if !sees_piece(table, Some(viewer), piece) {
            let Piece { card, owner, .. } = table.state.pieces[piece as usize];
            let alike = (cards[card as usize].kind, owner);
            hidden.entry(alike).or_default().push(piece);
        }
    }
    let row = table.layout.piece_row;
    for pieces in hidden.into_values() {
        let mut dealt = pieces.clone();
        luck.shuffle(&mut dealt);
        let before: Vec<(u32, Vec<i32>)> = dealt
            .iter()
            .map(|&p| identity(&table.state, p, row))
            .collect();
        for (&piece, (card, values)) in pieces.iter().zip(before) {
            table.state.pieces[piece as usize].card = card;
            table.state.piece_values[piece as usize * row..][..row].copy_from_slice(&values);
        }
    }
    let seed = luck.seed();
    let layout = table.layout.clone();
    table.state.reseed(&layout, seed);
}

fn identity(state: &State, piece: u32, row: usize) -> (u32, Vec<i32>) {
    (
        state.pieces[piece as usize].card,
        state.piece_values[piece as usize * row..][..row].to_vec(),
    )
}
