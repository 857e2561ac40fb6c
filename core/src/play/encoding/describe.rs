//! What each number means, for people and programs.

use super::{Encoding, NUMBERS, OTHERS};
use crate::table::game::Game;
use serde_json::{Value as Json, json};

/// Everything about an encoding as one object: it is the same as long as the content's hash is.
pub fn description(game: &Game, encoding: &Encoding) -> Json {
    let blocks = encoding.observation.blocks.iter().map(|block| {
        let columns = block.columns.iter().map(|column| {
            json!({ "name": column.name, "low": bound(column.low), "high": bound(column.high) })
        });
        json!({
            "name": block.name,
            "at": block.at,
            "shape": [block.rows.len(), block.columns.len()],
            "rows": block.rows,
            "columns": columns.collect::<Vec<_>>(),
        })
    });
    let groups = encoding.actions.groups.iter().map(|group| {
        json!({ "name": group.name, "at": group.at, "size": group.names.len(), "names": group.names })
    });
    json!({
        "game": game.definition.id,
        "content": format!("{:016x}", game.definition.hash),
        "players": encoding.players,
        "observation": { "size": encoding.observation.size, "blocks": blocks.collect::<Vec<_>>() },
        "actions": {
            "size": encoding.actions.size,
            "numbers": NUMBERS,
            "others": OTHERS,
            "groups": groups.collect::<Vec<_>>(),
        },
    })
}

/// Null where there is no bound.
fn bound(number: f32) -> Json {
    match number.abs() < i32::MAX as f32 {
        true => json!(number),
        false => Json::Null,
    }
}
