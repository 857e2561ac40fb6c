//! Another name for something, everywhere at once: in cards, scripts, texts, scenarios and variants. What would break a game is refused.

use crate::checker::{Examined, examined};
use crate::desk::{Desk, EditedFile};
use crate::navigate::{everywhere, local};
use crate::page::Page;
use crate::positions::positions;
use lsp_types::{Position, PrepareRenameResponse, TextEdit, Uri, WorkspaceEdit};
use ludoteca::{Diagnostic, Library, mentions::Sort};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;
use std::sync::Arc;
use thiserror::Error;

/// Why a name stays as it is.
#[derive(Debug, Error)]
pub enum NotRenamed {
    #[error("there is no name here that could be changed")]
    NoName,
    #[error("`{0}` is {1}: it is called so in every game")]
    OfTheKernel(String, &'static str),
    #[error("`{0}` is {1} named by its file: rename the file instead")]
    OfAFile(String, &'static str),
    #[error("`{0}` is no id: use lower case letters, digits and `_`, a letter first")]
    NoId(String),
    #[error("`{0}` is there already: {1}")]
    Taken(String, &'static str),
    #[error("`{0}` is also written in a pack that is not open for editing: {1}")]
    Elsewhere(String, String),
    #[error("that would break something: {0}")]
    Breaks(String),
}

/// What to write in a file instead of what is there.
type Edits = BTreeMap<(usize, usize), String>;

pub fn prepare(
    desk: &mut Desk,
    uri: &Uri,
    position: Position,
) -> Result<PrepareRenameResponse, NotRenamed> {
    let page = Page::open(desk, uri).ok_or(NotRenamed::NoName)?;
    let byte = page.byte(position);
    let span = match local(&page, byte) {
        Some(places) => places
            .into_iter()
            .find(|p| p.start <= byte && byte <= p.end),
        None => {
            may_change(desk, &page, byte)?;
            page.mentions(byte)
                .first()
                .map(|mention| mention.place.span.clone())
        }
    };
    let span = span.ok_or(NotRenamed::NoName)?;
    Ok(PrepareRenameResponse::RangeWithPlaceholder {
        range: page.positions(span.clone()),
        placeholder: page.text.get(span).unwrap_or_default().to_string(),
    })
}

/// Whether what is meant at a byte may be called otherwise.
fn may_change(desk: &mut Desk, page: &Page, byte: usize) -> Result<(), NotRenamed> {
    let found = everywhere(desk, page, byte);
    let (mentions, first) = found.first().ok_or(NotRenamed::NoName)?;
    let id = mentions.name(first.name).id.clone();
    for (mentions, mention) in &found {
        let sort = mentions.name(mention.name).sort;
        if sort.is_of_the_kernel() {
            return Err(NotRenamed::OfTheKernel(id, sort.what()));
        }
        let by_file = mentions.definitions(mention.name).all(|m| m.place.is_top());
        if by_file {
            return Err(NotRenamed::OfAFile(id, sort.what()));
        }
    }
    Ok(())
}

pub fn rename(
    desk: &mut Desk,
    uri: &Uri,
    position: Position,
    new: &str,
) -> Result<WorkspaceEdit, NotRenamed> {
    let page = Page::open(desk, uri).ok_or(NotRenamed::NoName)?;
    let byte = page.byte(position);
    let mut edits: HashMap<EditedFile, Edits> = HashMap::new();
    match local(&page, byte) {
        Some(places) => {
            is_id(new, false)?;
            let own = edits.entry(page.sheet.clone()).or_default();
            own.extend(
                places
                    .into_iter()
                    .map(|p| ((p.start, p.end), new.to_string())),
            );
        }
        None => {
            may_change(desk, &page, byte)?;
            gather(desk, &page, byte, new, &mut edits)?;
        }
    }
    nothing_breaks(desk, &edits)?;
    Ok(told(desk, edits))
}

/// Every place of the names that go together.
fn gather(
    desk: &mut Desk,
    page: &Page,
    byte: usize,
    new: &str,
    edits: &mut HashMap<EditedFile, Edits>,
) -> Result<(), NotRenamed> {
    for (mentions, mention) in everywhere(desk, page, byte) {
        let together: BTreeSet<usize> = mentions.together(mention.name);
        let id = &mentions.name(mention.name).id;
        let dotted = together.iter().any(|n| is_text(mentions.name(*n).sort));
        is_id(new, dotted)?;
        let sorts: Vec<Sort> = together.iter().map(|n| mentions.name(*n).sort).collect();
        let taken = mentions
            .names
            .iter()
            .find(|name| name.id == new && sorts.contains(&name.sort));
        if let Some(name) = taken {
            return Err(NotRenamed::Taken(new.to_string(), name.sort.what()));
        }
        for place in together
            .iter()
            .flat_map(|n| mentions.of(*n))
            .map(|m| &m.place)
        {
            let written = place.file.text.get(place.span.clone()).unwrap_or_default();
            let text = match written {
                _ if written == id => new.to_string(),
                _ if written == id.to_uppercase() => new.to_uppercase(),
                // A key of several tables, or a space that is drawn: it is written in parts.
                _ => continue,
            };
            let Some(sheet) = desk
                .sheet_shown(&place.file.shown)
                .filter(|sheet| desk.root(sheet).is_some())
            else {
                return Err(NotRenamed::Elsewhere(id.clone(), place.file.shown.clone()));
            };
            let own = edits.entry(sheet).or_default();
            own.insert((place.span.start, place.span.end), text);
        }
    }
    Ok(())
}

/// Keys of texts may have dots.
fn is_text(sort: Sort) -> bool {
    matches!(
        sort,
        Sort::Prompt | Sort::Option | Sort::Log | Sort::Step | Sort::Reason | Sort::Help
    )
}

fn is_id(new: &str, dotted: bool) -> Result<(), NotRenamed> {
    let fits =
        |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' || (dotted && c == '.');
    let begins = new.starts_with(|c: char| c.is_ascii_lowercase());
    match begins && new.chars().all(fits) {
        true => Ok(()),
        false => Err(NotRenamed::NoId(new.to_string())),
    }
}

/// Examines the games with the new name in them: what was not wrong before must not be wrong then.
fn nothing_breaks(desk: &mut Desk, edits: &HashMap<EditedFile, Edits>) -> Result<(), NotRenamed> {
    let mut games: Vec<String> = Vec::new();
    let mut texts: Vec<(EditedFile, String)> = Vec::new();
    for (sheet, edits) in edits {
        games.extend(desk.games_of(sheet));
        if let Some(text) = desk.text(sheet) {
            texts.push((sheet.clone(), written(&text, edits)));
        }
    }
    games.sort();
    games.dedup();
    let (before, after) = (desk.library(), Arc::new(desk.library_with(&texts)));
    for game in &games {
        let wrong = |library: &Library| -> Vec<Diagnostic> {
            let mut found = examined(library, game, &Examined::Game);
            found.extend(examined(library, game, &Examined::Scenarios));
            found
        };
        let known: Vec<String> = wrong(&before).iter().map(|d| d.message.clone()).collect();
        let mut new = wrong(&after)
            .into_iter()
            .filter(|d| d.is_error() && !known.contains(&d.message));
        if let Some(found) = new.next() {
            return Err(NotRenamed::Breaks(found.to_string()));
        }
    }
    Ok(())
}

/// A text with edits made, from the last to the first.
fn written(text: &str, edits: &Edits) -> String {
    let mut new = text.to_string();
    for ((start, end), with) in edits.iter().rev() {
        let span: Range<usize> = *start..*end;
        if new.get(span.clone()).is_some() {
            new.replace_range(span, with);
        }
    }
    new
}

fn told(desk: &Desk, edits: HashMap<EditedFile, Edits>) -> WorkspaceEdit {
    let mut changes = HashMap::new();
    for (sheet, edits) in edits {
        let (Some(uri), Some(text)) = (desk.uri(&sheet), desk.text(&sheet)) else {
            continue;
        };
        let edit = |((start, end), new_text): ((usize, usize), String)| TextEdit {
            range: positions(&text, start..end),
            new_text,
        };
        changes.insert(uri, edits.into_iter().map(edit).collect());
    }
    WorkspaceEdit {
        changes: Some(changes),
        ..WorkspaceEdit::default()
    }
}
