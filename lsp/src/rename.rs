//! Another name for something, everywhere at once: in cards, scripts, texts, scenarios and variants. What would break a game is refused.

use crate::checker::{Examined, examined};
use crate::desk::{Desk, EditedFile, game_of};
use crate::navigate::{everywhere, local};
use crate::page::Page;
use crate::positions::positions;
use lsp_types::{Position, PrepareRenameResponse, TextEdit, Uri, WorkspaceEdit};
use ludoteca::limits::MOST_RENAMED;
use ludoteca::mentions::{Mention, Mentions, Name, Sort};
use ludoteca::{Diagnostic, Library, Place};
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
    #[error("`{0}` is a function that every game is called by: it keeps its name")]
    Called(String),
    #[error("`{0}` is {1} the map draws: it is named by its place there")]
    Drawn(String, &'static str),
    #[error("`{0}` is no id: use lower case letters, digits and `_`, a letter first")]
    NoId(String),
    #[error("`{0}` is there already: {1}")]
    Taken(String, &'static str),
    #[error("`{0}` is also written in a pack that is not open for editing: {1}")]
    Elsewhere(String, String),
    #[error("`{0}` is also written in {1}, which other games use")]
    Shared(String, String),
    #[error("it is written in more than {MOST_RENAMED} places")]
    TooMany,
    #[error("the game has more names than there is room to look through")]
    NotAll,
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

/// What is meant at a byte, if all places where it is written can be known.
fn all(
    desk: &mut Desk,
    page: &Page,
    byte: usize,
) -> Result<Vec<(Arc<Mentions>, Mention)>, NotRenamed> {
    let everywhere = everywhere(desk, page, byte);
    match everywhere.is_cut {
        true => Err(NotRenamed::NotAll),
        false => Ok(everywhere.found),
    }
}

/// Whether what is meant at a byte may be called otherwise.
fn may_change(desk: &mut Desk, page: &Page, byte: usize) -> Result<(), NotRenamed> {
    let found = all(desk, page, byte)?;
    let (mentions, first) = found.first().ok_or(NotRenamed::NoName)?;
    let id = mentions.name(first.name).id.clone();
    for (mentions, mention) in &found {
        let sort = mentions.name(mention.name).sort;
        if sort.is_of_the_kernel() {
            return Err(NotRenamed::OfTheKernel(id, sort.what()));
        }
        for number in mentions.together(mention.name) {
            let name = mentions.name(number);
            if name.is_called_by_the_kernel() {
                return Err(NotRenamed::Called(id));
            }
            if mentions.definitions(number).all(|m| m.place.is_top()) {
                return Err(NotRenamed::OfAFile(id, name.sort.what()));
            }
            if is_drawn(mentions, number) {
                return Err(NotRenamed::Drawn(id, name.sort.what()));
            }
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
            bearable(places.len())?;
            let own = edits.entry(page.sheet.clone()).or_default();
            own.extend(
                places
                    .into_iter()
                    .map(|p| ((p.start, p.end), new.to_string())),
            );
        }
        None => {
            may_change(desk, &page, byte)?;
            let meant = all(desk, &page, byte)?;
            gather(desk, &meant, new, &mut edits)?;
            in_other_games(desk, &meant, new, &mut edits)?;
        }
    }
    if edits.is_empty() {
        return Err(NotRenamed::NoName);
    }
    nothing_breaks(desk, &edits)?;
    Ok(told(desk, edits))
}

/// What is meant, in each game that means it.
type Meant = [(Arc<Mentions>, Mention)];

/// Every place of the names that go together.
fn gather(
    desk: &Desk,
    meant: &Meant,
    new: &str,
    edits: &mut HashMap<EditedFile, Edits>,
) -> Result<(), NotRenamed> {
    let mut sheets: HashMap<String, Option<EditedFile>> = HashMap::new();
    for (mentions, mention) in meant {
        let together: BTreeSet<usize> = mentions.together(mention.name);
        let places = together.iter().flat_map(|n| mentions.of(*n));
        bearable(places.take(MOST_RENAMED + 1).count())?;
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
        let places = together.iter().flat_map(|n| mentions.of(*n));
        let mut places: Vec<Place> = places.map(|m| m.place.clone()).collect();
        if sorts.contains(&Sort::Section) {
            places.extend(squares(mentions, id));
        }
        for place in places {
            let written = place.file.text.get(place.span.clone()).unwrap_or_default();
            let text = match written {
                _ if written == id => new.to_string(),
                _ if written == id.to_uppercase() => new.to_uppercase(),
                _ if is_last_step(written, id, new) => new[id.len() - written.len()..].to_string(),
                // A key of several tables, or a space that is drawn: it is written in parts.
                _ => continue,
            };
            let shown = &place.file.shown;
            let sheet = sheets.entry(shown.clone()).or_insert_with(|| {
                let sheet = desk.sheet_shown(shown);
                sheet.filter(|sheet| desk.root(sheet).is_some())
            });
            let Some(sheet) = sheet else {
                return Err(NotRenamed::Elsewhere(id.clone(), shown.clone()));
            };
            let own = edits.entry(sheet.clone()).or_default();
            own.insert((place.span.start, place.span.end), text);
        }
    }
    Ok(())
}

/// Whether a dotted key is written in parts, `[prompt.turn]` and `site`, of which the last alone is to be another.
fn is_last_step(written: &str, id: &str, new: &str) -> bool {
    let above = id.strip_suffix(written);
    above.is_some_and(|above| above.ends_with('.') && new.starts_with(above))
}

/// Where the squares of a section are named by it: `blue_b2`.
fn squares(mentions: &Mentions, section: &str) -> Vec<Place> {
    let is_square = |name: &Name| {
        let rest = name.id.strip_prefix(section);
        name.sort == Sort::Space && rest.is_some_and(|rest| rest.starts_with('_'))
    };
    let names = mentions.names.iter().enumerate();
    let squares = names.filter(|(number, name)| is_square(name) && is_drawn(mentions, *number));
    let places = squares.flat_map(|(number, name)| {
        let written = mentions.of(number).filter(|m| is_written(m, &name.id));
        written.map(|m| {
            let start = m.place.span.start;
            Place::new(&m.place.file, start..start + section.len())
        })
    });
    places.collect()
}

/// A space that no key or value names where it is made.
fn is_drawn(mentions: &Mentions, number: usize) -> bool {
    let name = mentions.name(number);
    let mut definitions = mentions.definitions(number);
    name.sort == Sort::Space && !definitions.any(|m| is_written(m, &name.id))
}

fn is_written(mention: &Mention, id: &str) -> bool {
    let place = &mention.place;
    place.file.text.get(place.span.clone()) == Some(id)
}

/// A function that games share is renamed in all of them; anything else must not be another's too.
fn in_other_games(
    desk: &mut Desk,
    own: &Meant,
    new: &str,
    edits: &mut HashMap<EditedFile, Edits>,
) -> Result<(), NotRenamed> {
    let shared = edits
        .iter()
        .filter(|(sheet, _)| game_of(&sheet.path).is_none());
    let first =
        |(sheet, edits): (&EditedFile, &Edits)| Some((sheet.clone(), edits.keys().next()?.0));
    let shared: Vec<(EditedFile, usize)> = shared.filter_map(first).collect();
    for (sheet, byte) in shared {
        let page = desk.uri(&sheet).and_then(|uri| Page::open(desk, &uri));
        let page = page.ok_or(NotRenamed::NoName)?;
        let meant = all(desk, &page, byte)?;
        for (mentions, mention) in &meant {
            let name = mentions.name(mention.name);
            let is_own = own.iter().any(|(known, _)| Arc::ptr_eq(known, mentions));
            let is_the_librarys = name.sort == Sort::Function && !name.of.is_empty();
            if !is_own && !is_the_librarys {
                return Err(NotRenamed::Shared(name.id.clone(), page.shown));
            }
        }
        gather(desk, &meant, new, edits)?;
    }
    Ok(())
}

/// Whether so many places are written anew.
fn bearable(places: usize) -> Result<(), NotRenamed> {
    match places > MOST_RENAMED {
        true => Err(NotRenamed::TooMany),
        false => Ok(()),
    }
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
        games.extend(match game_of(&sheet.path) {
            Some(game) => vec![game],
            None => desk.library().importing(&sheet.path),
        });
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
            let variants = library.checked_variants(game).into_iter();
            for part in variants.map(Examined::Variant).chain([Examined::Scenarios]) {
                found.extend(examined(library, game, &part));
            }
            found
        };
        let found: Vec<Diagnostic> = wrong(&after)
            .into_iter()
            .filter(Diagnostic::is_error)
            .collect();
        if found.is_empty() {
            continue;
        }
        let known: Vec<String> = wrong(&before).into_iter().map(|one| one.message).collect();
        if let Some(new) = found.iter().find(|one| !known.contains(&one.message)) {
            return Err(NotRenamed::Breaks(new.to_string()));
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
