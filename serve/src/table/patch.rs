//! What differs between two views, as a short list of places and values.

use serde_json::{Value as Json, json};

/// What must be set or removed in `before` to have `after`: `[path, value]`, or `[path]` for what is gone.
pub fn patch(before: &Json, after: &Json) -> Vec<Json> {
    let mut found = Vec::new();
    differ(before, after, &mut Vec::new(), &mut found);
    found
}

fn differ(before: &Json, after: &Json, path: &mut Vec<Json>, found: &mut Vec<Json>) {
    match (before, after) {
        (Json::Object(old), Json::Object(new)) => {
            for key in old.keys().filter(|key| !new.contains_key(*key)) {
                path.push(json!(key));
                found.push(json!([path]));
                path.pop();
            }
            for (key, value) in new {
                path.push(json!(key));
                match old.get(key) {
                    Some(former) => differ(former, value, path, found),
                    None => found.push(json!([path, value])),
                }
                path.pop();
            }
        }
        (Json::Array(old), Json::Array(new)) if old.len() == new.len() => {
            for (at, (former, value)) in old.iter().zip(new).enumerate() {
                path.push(json!(at));
                differ(former, value, path, found);
                path.pop();
            }
        }
        (old, new) if old != new => found.push(json!([path, new])),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a page does with a patch.
    fn apply(view: &mut Json, patch: &[Json]) {
        for change in patch {
            let path = change[0].as_array().unwrap();
            let Some((last, way)) = path.split_last() else {
                *view = change[1].clone();
                continue;
            };
            let mut place = &mut *view;
            for step in way {
                place = match step {
                    Json::String(key) => &mut place[key],
                    at => &mut place[at.as_u64().unwrap() as usize],
                };
            }
            match (last, change.get(1)) {
                (Json::String(key), Some(value)) => place[key] = value.clone(),
                (Json::String(key), None) => drop(place.as_object_mut().unwrap().remove(key)),
                (at, value) => place[at.as_u64().unwrap() as usize] = value.unwrap().clone(),
            }
        }
    }

    #[test]
    fn a_patched_view_is_the_new_one() {
        let views = [
            json!({ "a": 1, "zones": { "hand": { "count": 2, "pieces": [{ "key": 1 }, null] } } }),
            json!({ "a": null, "zones": { "hand": { "count": 2, "pieces": [{ "key": 1 }, { "key": 7 }] } } }),
            json!({ "zones": { "hand": { "count": 0 } }, "b": [] }),
            json!({ "zones": { "hand": { "count": 1, "pieces": [{ "key": 7, "x": true }] } }, "b": [1, 2] }),
            json!(null),
        ];
        for before in &views {
            for after in &views {
                let found = patch(before, after);
                let mut view = before.clone();
                apply(&mut view, &found);
                assert_eq!(&view, after, "{before} by {found:?}");
                assert_eq!(found.is_empty(), before == after);
            }
        }
    }
}
