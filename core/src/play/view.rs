//! What a seat sees, as data: people and remote programs get this view. Who may know what is decided in `script/table/sight.rs`.

use super::say::Language;
use crate::content::definition::{Attribute, AttributeType, Per, ZoneOf};
use crate::model::value::handle;
use crate::script::table::Table;
use serde_json::{Map, Value as Json, json};

/// Everything a seat sees, as one JSON object. `None` is somebody who only watches.
pub fn view(table: &Table, viewer: Option<u8>, language: Language) -> Json {
    let definition = &table.game.definition;
    let attributes = |declared: &[Attribute], kind: u8, id: u32| {
        let owner = table.attribute_owner(kind, id);
        let mut shown = Map::new();
        for (index, attribute) in declared.iter().enumerate() {
            if Table::sees_attribute(attribute, viewer, owner) {
                shown.insert(
                    attribute.name.clone(),
                    attribute_json(table, viewer, attribute, kind, index, id),
                );
            }
        }
        shown
    };
    let mut game = attributes(&definition.attributes.game, handle::GAME, 0);
    game.insert("round".into(), json!(table.state.round));
    game.insert(
        "zones".into(),
        zones(table, viewer, ZoneOf::Game, 0, language),
    );
    let players: Vec<Json> = (0..table.players())
        .map(|seat| {
            let mut shown = attributes(&definition.attributes.player, handle::PLAYER, seat as u32);
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
        let mut shown = attributes(&definition.attributes.space, handle::SPACE, space);
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

fn attribute_json(
    table: &Table,
    viewer: Option<u8>,
    attribute: &Attribute,
    kind: u8,
    index: usize,
    id: u32,
) -> Json {
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
    number_json(table, viewer, attribute, table.number(kind, index, id, 0))
}

/// A stored number as what it stands for; of a piece only its card is shown, to those who see it.
pub(super) fn number_json(
    table: &Table,
    viewer: Option<u8>,
    attribute: &Attribute,
    number: i32,
) -> Json {
    let lexicon = &table.game.lexicon;
    let word = |words: &[u32]| json!(lexicon.words[words[number as usize] as usize]);
    match &attribute.ty {
        AttributeType::Int => json!(number),
        AttributeType::Bool => json!(number != 0),
        _ if number < 0 => Json::Null,
        AttributeType::Player => json!(number),
        AttributeType::Space => word(&lexicon.space_words),
        AttributeType::Area => word(&lexicon.area_words),
        AttributeType::Card => word(&lexicon.card_words),
        AttributeType::Piece if !table.sees_piece(viewer, number as u32) => Json::Null,
        AttributeType::Piece => {
            let card = table.state.pieces[number as usize].card;
            json!(lexicon.words[lexicon.card_words[card as usize] as usize])
        }
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
    if !table.sees_piece(viewer, piece) {
        return Json::Null;
    }
    let found = &table.state.pieces[piece as usize];
    let card = &table.game.definition.cards[found.card as usize];
    let mut shown = Map::new();
    shown.insert("key".into(), json!(found.key));
    shown.insert("card".into(), json!(card.id));
    shown.insert("name".into(), json!(language.of(&card.name)));
    if found.owner >= 0 {
        shown.insert("owner".into(), json!(found.owner));
    }
    let owner = table.attribute_owner(handle::PIECE, piece);
    for (index, attribute) in table.game.definition.attributes.piece.iter().enumerate() {
        let number = table.number(handle::PIECE, index, piece, 0);
        if Table::sees_attribute(attribute, viewer, owner)
            && (attribute.per != Per::One || number != attribute.start)
        {
            shown.insert(
                attribute.name.clone(),
                attribute_json(table, viewer, attribute, handle::PIECE, index, piece),
            );
        }
    }
    Json::Object(shown)
}
