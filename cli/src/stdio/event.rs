//! Events as JSON. Only what everybody at the table may know is told.

use crate::session::Heard;
use ludoteca::content::definition::{Attribute, AttributeType, Per, Visibility};
use ludoteca::model::state::IN_THE_BOX;
use ludoteca::model::value::Val;
use ludoteca::model::value::handle;
use ludoteca::play::say::{self, Language};
use ludoteca::play::view;
use ludoteca::script::choice;
use ludoteca::script::event::Event;
use ludoteca::script::table::Table;
use ludoteca::script::types::slot;
use serde_json::{Map, Value as Json, json};

/// An event as one object; `None` for what concerns nobody outside.
pub fn json(table: &Table, heard: &Heard, language: Language) -> Option<Json> {
    let definition = &table.game.definition;
    Some(match &heard.event {
        Event::Round { number } => json!({ "type": "event", "event": "round", "round": number }),
        Event::Step { function, seat } => {
            json!({ "type": "event", "event": "step", "step": function, "seat": seat })
        }
        Event::Said { key, details } => {
            let key = table.game.lexicon.logs.get(*key as usize)?;
            let text = say::line(table, &heard.event, language)?;
            json!({ "type": "event", "event": "said", "key": key, "text": text, "details": said_details(table, details) })
        }
        Event::Chosen {
            seat, prompt, keys, ..
        } => {
            let mut told = json!({ "type": "event", "event": "chosen", "seat": seat, "prompt": say::prompt_key(table, *prompt) });
            if !heard.hidden {
                told["keys"] = json!(keys);
            }
            told
        }
        Event::Rolled { die, shown } => {
            json!({ "type": "event", "event": "rolled", "die": definition.dice.get(*die)?.name, "shown": shown })
        }
        Event::Shuffled { zone } => {
            json!({ "type": "event", "event": "shuffled", "zone": zone_name(table, *zone) })
        }
        Event::Moved { piece, from, to } => {
            let mut told = json!({ "type": "event", "event": "moved", "from": zone_name(table, *from), "to": zone_name(table, *to) });
            if is_open(table, *from) || is_open(table, *to) {
                let card = table.state.pieces.get(*piece as usize)?.card;
                told["card"] = json!(definition.cards.get(card as usize)?.id);
            }
            told
        }
        Event::Changed {
            kind,
            id,
            slot,
            from,
            to,
        } => changed(table, *kind, *id, *slot, *from, *to)?,
        Event::Printed { text } => json!({ "type": "event", "event": "printed", "text": text }),
        Event::Ended => return None,
    })
}

fn said_details(table: &Table, details: &Val) -> Json {
    let Val::Map(details) = details else {
        return json!({});
    };
    let told = details
        .iter()
        .map(|(name, value)| (name.to_string(), json!(choice::key(table, value))));
    Json::Object(told.collect::<Map<_, _>>())
}

/// A zone whose pieces everybody sees. The box is not one: what comes out of it may go straight into hiding.
fn is_open(table: &Table, zone: u32) -> bool {
    if zone == IN_THE_BOX {
        return false;
    }
    let declared = table
        .layout
        .zones
        .get(zone as usize)
        .map(|(declared, _)| *declared as usize);
    declared
        .is_some_and(|declared| table.game.definition.zones[declared].visible == Visibility::All)
}

/// `game.deck`, `p0.hand`, `brasil.garrison`; null for the box.
fn zone_name(table: &Table, zone: u32) -> Json {
    use ludoteca::content::definition::ZoneOf;
    let Some(&(declared, owner)) = table.layout.zones.get(zone as usize) else {
        return Json::Null;
    };
    let zone = &table.game.definition.zones[declared as usize];
    json!(match zone.of {
        ZoneOf::Game => format!("game.{}", zone.name),
        ZoneOf::Player => format!("p{owner}.{}", zone.name),
        ZoneOf::Space => format!("{}.{}", table.space_id(owner), zone.name),
    })
}

fn changed(table: &Table, kind: u8, id: u32, slot: u16, from: i32, to: i32) -> Option<Json> {
    let attributes = &table.game.definition.attributes;
    let (declared, of) = match kind {
        handle::GAME => (&attributes.game, "game".to_string()),
        handle::PLAYER => (&attributes.player, format!("p{id}")),
        handle::SPACE => (&attributes.space, table.space_id(id).to_string()),
        // Pieces have no names of their own; the view shows those one may see.
        _ => return None,
    };
    let attribute = declared.get(slot::index(slot))?;
    if attribute.visible != Visibility::All {
        return None;
    }
    let value = |number: i32| value(table, attribute, number);
    Some(
        json!({ "type": "event", "event": "changed", "of": of, "attribute": attribute.name, "from": value(from), "to": value(to) }),
    )
}

/// A stored number as the view shows it.
fn value(table: &Table, attribute: &Attribute, number: i32) -> Json {
    let lexicon = &table.game.lexicon;
    let word = |words: &[u32]| {
        words
            .get(number as usize)
            .map_or(Json::Null, |&word| json!(lexicon.words[word as usize]))
    };
    match &attribute.ty {
        _ if attribute.per != Per::One => json!(number),
        AttributeType::Int => json!(number),
        AttributeType::Bool => json!(number != 0),
        _ if number < 0 => Json::Null,
        AttributeType::Player => json!(number),
        AttributeType::Space => word(&lexicon.space_words),
        AttributeType::Area => word(&lexicon.area_words),
        AttributeType::Card => word(&lexicon.card_words),
        AttributeType::Piece if !view::sees_piece(table, None, number as u32) => Json::Null,
        AttributeType::Piece => {
            let card = table.state.pieces[number as usize].card;
            json!(choice::key(table, &Val::Handle(handle::CARD, card)))
        }
        AttributeType::Word(_) => json!(lexicon.words[number as usize]),
    }
}
