//! Where things are written: paths of variants, texts of the edited folder, and what is wrong with them.

use super::desk::Desk;
use crate::kernel::{Diagnostic, Selection};
use crate::refusal::{Refusal, diagnostic};
use serde_json::{Value as Json, json};

/// A value to be written.
#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ValueEdit {
    pub game: String,
    pub variant: String,
    pub key: String,
    /// As TOML; none for what the base has.
    pub value: Option<String>,
    /// What the page showed.
    pub was: Option<String>,
}

pub fn selected(variant: &str) -> Selection {
    match variant {
        "" => Selection::default(),
        name => Selection::variant(name),
    }
}

pub fn variant_path(game: &str, variant: &str) -> String {
    format!("variants/{game}/{variant}.toml")
}

/// Whether the folder has the game itself.
pub fn is_own(desk: &Desk, game: &str) -> bool {
    desk.text(&format!("scripts/{game}/game.toml")).is_some()
}

/// A text of the edited folder, and not of a pack below it that has a file of the same name.
pub fn own_text<'t>(desk: &Desk, path: &str, text: &'t str) -> Result<&'t str, Refusal> {
    match desk.text(path).as_deref() == Some(text) {
        true => Ok(text),
        false => Err(Refusal::new(
            "not-allowed",
            "Eso está escrito en otro paquete: cámbialo con una variante.",
            "That is written in another pack: change it by a variant.",
        )),
    }
}

/// A diagnostic with where it is in the folder, and what would mend it.
pub fn problem(found: &Diagnostic, desk: &Desk) -> Json {
    let mut told = diagnostic(found);
    let place = found.at.as_ref().map(|label| &label.place);
    let own = place.filter(|place| own_text(desk, &place.file.path, &place.file.text).is_ok());
    told["path"] = json!(own.map(|place| &place.file.path));
    told["file"] = json!(place.map(|place| &place.file.path));
    // A change that does not fit is wrong at the value it was to change: that is what stands in the cell.
    let changed = found.related.iter().map(|label| &label.place);
    let changed: Vec<Json> = changed
        .map(|place| json!([place.file.path, place.line()]))
        .collect();
    told["over"] = json!(changed);
    let fix = found.fix().filter(|fix| fix.edits.len() == 1);
    told["fix"] = fix.map_or(Json::Null, |fix| {
        let edit = &fix.edits[0];
        let file = &edit.place.file;
        match own_text(desk, &file.path, &file.text) {
            Ok(text) => {
                let was = text.get(edit.place.span.clone());
                json!({ "title": fix.title, "path": file.path, "from": edit.place.span.start, "was": was, "text": edit.text })
            }
            Err(_) => Json::Null,
        }
    });
    told
}
