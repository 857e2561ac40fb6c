//! How much a value holds: what is kept on the agenda or shown to people is limited, however it is nested.

use super::Table;
use crate::limits::LARGEST_DETAILS;
use crate::model::value::{Object, Val, handle};
use ludoteca_vm::Value;

/// Values inside a value, the pieces of zones among them, as far as anybody will show them.
pub fn shown(table: &Table, value: &Val) -> usize {
    let mut left = LARGEST_DETAILS + 1;
    weigh(value, &mut left, &|value| match value {
        Value::Handle(handle::ZONE, _) | Value::Object(_) | Value::Small(..) => {
            table.count(value) as usize
        }
        _ => 0,
    });
    LARGEST_DETAILS + 1 - left
}

/// Values inside a value and bytes of its texts, counted as far as `most` and a little beyond.
pub fn weight(value: &Val, most: usize) -> usize {
    let mut left = most + 1;
    weigh(value, &mut left, &|value| match value {
        Value::Object(object) => match &**object {
            Object::Pieces(pieces) => pieces.len(),
            Object::EdgeRows(rows) => rows.len() * 4,
            _ => 8,
        },
        _ => 0,
    });
    most + 1 - left
}

fn weigh(value: &Val, left: &mut usize, more: &impl Fn(&Val) -> usize) {
    let own = 1
        + more(value)
        + match value {
            Value::Str(text) => text.len(),
            _ => 0,
        };
    *left = left.saturating_sub(own);
    match value {
        Value::Array(items) => {
            for item in items.iter() {
                if *left == 0 {
                    return;
                }
                weigh(item, left, more);
            }
        }
        Value::Fn(function) => {
            for item in function.captured.iter() {
                if *left == 0 {
                    return;
                }
                weigh(item, left, more);
            }
        }
        Value::Map(entries) => {
            for (key, item) in entries.iter() {
                *left = left.saturating_sub(key.len());
                if *left == 0 {
                    return;
                }
                weigh(item, left, more);
            }
        }
        _ => {}
    }
}
