//! What somebody hears of an event: as one JSON object for programs, as a line for people. What is not for these ears is not told.

use super::say::{self, Language};
use super::view;
use crate::content::definition::Per;
use crate::model::value::handle;
use crate::script::event::{Detail, Event, Hearers};
use crate::script::label::{self, Part};
use crate::script::table::Table;
use crate::script::types::slot;
use serde_json::{Map, Value as Json, json};

/// The line people read of an event, if it is for one of these ears.
pub fn line(table: &Table, event: &Event, ears: Hearers, language: Language) -> Option<String> {
    match event {
        Event::Said { to, .. } if !to.overlap(ears) => None,
        event => say::line(table, event, language),
    }
}

/// Whether an event is told to these ears at all.
pub fn is_told(event: &Event, ears: Hearers) -> bool {
    match event {
        Event::Said { to, .. } | Event::Chosen { to, .. } => to.overlap(ears),
        // Pieces have no names of their own; the view shows those one may see.
        Event::Changed { kind, seen_by, .. } => *kind != handle::PIECE && seen_by.overlap(ears),
        Event::Ended => false,
        _ => true,
    }
}

/// An event as one object; `None` for what concerns none of these ears.
pub fn json(table: &Table, event: &Event, ears: Hearers, language: Language) -> Option<Json> {
    let definition = &table.game.definition;
    Some(match event {
        event if !is_told(event, ears) => return None,
        Event::Round { number } => json!({ "type": "event", "event": "round", "round": number }),
        Event::Step { function, seat } => {
            json!({ "type": "event", "event": "step", "step": function, "seat": seat })
        }
        Event::Said { key, details, .. } => {
            let key = table.game.lexicon.logs.get(*key as usize)?;
            let text = say::line(table, event, language)?;
            json!({ "type": "event", "event": "said", "key": key, "text": text, "details": said_details(details), "parts": said_parts(table, key, details, language) })
        }
        Event::Chosen {
            seat, prompt, keys, ..
        } => {
            json!({ "type": "event", "event": "chosen", "seat": seat, "prompt": say::prompt_key(table, *prompt), "keys": keys })
        }
        Event::Rolled { die, shown } => {
            json!({ "type": "event", "event": "rolled", "die": definition.dice.get(*die)?.name, "shown": shown })
        }
        Event::Shuffled { zone } => {
            json!({ "type": "event", "event": "shuffled", "zone": zone_name(table, *zone) })
        }
        Event::Moved {
            piece,
            card,
            from,
            to,
            seen_by,
        } => {
            let mut told = json!({ "type": "event", "event": "moved", "from": zone_name(table, *from), "to": zone_name(table, *to) });
            if seen_by.overlap(ears) {
                told["card"] = json!(definition.cards.get(*card as usize)?.id);
                told["piece"] = json!(piece);
            }
            told
        }
        Event::Changed {
            kind,
            id,
            slot,
            from,
            to,
            ..
        } => changed(table, ears, *kind, *id, *slot, *from, *to)?,
        Event::Printed { text } => json!({ "type": "event", "event": "printed", "text": text }),
        Event::Ended => return None,
    })
}

fn said_details(details: &[Detail]) -> Json {
    let told = details
        .iter()
        .map(|detail| (detail.name.clone(), json!(detail.key)));
    Json::Object(told.collect::<Map<_, _>>())
}

/// A line in pieces: plain texts, and objects for what it names.
fn said_parts(table: &Table, key: &str, details: &[Detail], language: Language) -> Json {
    let text = table.game.definition.texts.log.get(key);
    let template = text.map_or("", |text| language.of(text));
    label::parts(template, details)
        .map(|part| match part {
            Part::Text(text) => json!(text),
            Part::Detail(detail) => {
                json!({ "text": language.of(&detail.text), "about": detail.about })
            }
        })
        .collect()
}

/// `game.deck`, `p0.hand`, `brasil.garrison`; null for the box.
fn zone_name(table: &Table, zone: u32) -> Json {
    match table.layout.zones.get(zone as usize) {
        Some(_) => json!(table.zone_key(zone)),
        None => Json::Null,
    }
}

fn changed(
    table: &Table,
    ears: Hearers,
    kind: u8,
    id: u32,
    slot: u16,
    from: i32,
    to: i32,
) -> Option<Json> {
    let attributes = &table.game.definition.attributes;
    let (declared, of) = match kind {
        handle::GAME => (&attributes.game, "game".to_string()),
        handle::PLAYER => (&attributes.player, format!("p{id}")),
        handle::SPACE => (&attributes.space, table.space_id(id).to_string()),
        _ => return None,
    };
    let attribute = declared.get(slot::index(slot))?;
    let value = |number: i32| match attribute.per {
        Per::One => view::number_json(table, ears.one_seat(), attribute, number),
        _ => json!(number),
    };
    Some(
        json!({ "type": "event", "event": "changed", "of": of, "attribute": attribute.name, "from": value(from), "to": value(to) }),
    )
}
