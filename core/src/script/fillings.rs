//! A brace of a text and the detail of a call that should fill it, one of which is misspelt: told at that one, where it is mended.

use crate::content::diagnostic::{Diagnostic, Label, Slip, sort};
use crate::content::file::Place;
use crate::content::setting;
use crate::content::tree::Node;

/// What is misspelt, as [`Diagnostic::of`] says it before the name: a brace of a text in one of these sections, or a detail of a call.
pub(super) const TEXTS: [&str; 2] = ["log", "prompt"];
pub(super) const DETAIL: &str = "detail";

/// Tells what stays open in texts at the name that is misspelt, where one is.
pub fn told_where_misspelt(found: &mut Vec<Diagnostic>, root: &Node) {
    let mut moved = false;
    for one in found.iter_mut() {
        let Some((what, written)) = one.of.as_deref().and_then(|of| of.split_once('/')) else {
            continue;
        };
        let (what, written) = (what.to_string(), written.to_string());
        let Some(meant) = one.help.as_deref().and_then(last_name).map(str::to_string) else {
            continue;
        };
        let key = one.name.clone().unwrap_or_default();
        let place = match TEXTS.contains(&&*what) {
            true => brace(root, &what, &key, &written),
            false => detail(one, &written),
        };
        let Some(place) = place else { continue };
        let label = Label {
            place,
            text: String::new(),
        };
        let call = one.at.replace(label);
        if what != DETAIL {
            one.message = format!("no detail of a call fills `{{{written}}}` of the text `{key}`");
            one.related.extend(call.map(|call| Label {
                text: "this call".into(),
                ..call
            }));
        }
        one.name = Some(written.clone());
        one.slip = Some(Slip { written, meant });
        moved = true;
    }
    if moved {
        sort(found);
    }
}

/// The last name in backticks.
fn last_name(help: &str) -> Option<&str> {
    help.rsplit('`').nth(1)
}

/// Where a brace stands in one of the languages of a text.
fn brace(root: &Node, section: &str, key: &str, name: &str) -> Option<Place> {
    let text = setting::find(root.get("text")?.get(section)?, key)?;
    let mut languages = ["es", "en"].into_iter().filter_map(|key| text.get(key));
    languages.find_map(|node| {
        let written = node.place.file.text.get(node.place.span.clone())?;
        let is_brace = |at: &usize| {
            let (before, behind) = (&written[..*at], &written[at + name.len()..]);
            let opened = before
                .rfind(['{', '}'])
                .is_some_and(|at| before[at..].starts_with('{'));
            opened && before.ends_with(['{', ' ']) && behind.starts_with(['}', '|'])
        };
        let mut places = written.match_indices(name).map(|(at, _)| at);
        let at = node.place.span.start + places.find(is_brace)?;
        Some(Place::new(&node.place.file, at..at + name.len()))
    })
}

/// Where the key of a detail stands in a call.
fn detail(found: &Diagnostic, name: &str) -> Option<Place> {
    let place = &found.at.as_ref()?.place;
    let rest = place.file.text.get(place.span.start..)?;
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let is_key = |at: &usize| {
        let (before, behind) = (&rest[..*at], rest[at + name.len()..].trim_start());
        !before.ends_with(is_name) && behind.starts_with(':')
    };
    let mut places = rest.match_indices(name).map(|(at, _)| at);
    let at = place.span.start + places.find(is_key)?;
    Some(Place::new(&place.file, at..at + name.len()))
}
