//! Where a name is defined and where it is mentioned, in TOML and in scripts.

use crate::desk::Desk;
use crate::page::{Page, location};
use lsp_types::{DocumentHighlight, DocumentHighlightKind, Location, Position, Uri};
use ludoteca::limits::{LARGEST_INDEX, MOST_LISTED, MOST_SHOWN};
use ludoteca::mentions::{Mention, Mentions, locals};
use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

pub fn definition(desk: &mut Desk, uri: &Uri, position: Position) -> Vec<Location> {
    let Some(page) = Page::open(desk, uri) else {
        return Vec::new();
    };
    let byte = page.byte(position);
    if let Some(places) = local(&page, byte) {
        return here(&page, uri, places.into_iter().take(1));
    }
    let Some(known) = &page.known else {
        return Vec::new();
    };
    let found = page.mentions(byte);
    let mut places: Vec<Location> = Vec::new();
    for name in found.iter().map(|mention| mention.name) {
        for place in known
            .mentions
            .definitions(name)
            .filter_map(|m| location(desk, &m.place))
        {
            if !places.contains(&place) {
                places.push(place);
            }
        }
    }
    places
}

pub fn references(
    desk: &mut Desk,
    uri: &Uri,
    position: Position,
    with_definition: bool,
) -> Vec<Location> {
    let Some(page) = Page::open(desk, uri) else {
        return Vec::new();
    };
    let byte = page.byte(position);
    if let Some(places) = local(&page, byte) {
        return here(
            &page,
            uri,
            places.into_iter().skip(!with_definition as usize),
        );
    }
    let mut places = Vec::new();
    // Games that share a file have its places each.
    let mut known: HashSet<(String, Range<usize>)> = HashSet::new();
    for (mentions, mention) in everywhere(desk, &page, byte).found {
        for other in mentions
            .of(mention.name)
            .filter(|m| with_definition || !m.is_definition)
        {
            // Nobody goes through more of them.
            if known.len() >= MOST_LISTED {
                return places;
            }
            let (shown, span) = (&other.place.file.shown, &other.place.span);
            if known.insert((shown.clone(), span.clone())) {
                places.extend(location(desk, &other.place));
            }
        }
    }
    places
}

pub fn highlights(desk: &mut Desk, uri: &Uri, position: Position) -> Vec<DocumentHighlight> {
    let Some(page) = Page::open(desk, uri) else {
        return Vec::new();
    };
    let byte = page.byte(position);
    let spans: Vec<Range<usize>> = match (local(&page, byte), &page.known) {
        (Some(places), _) => places,
        (None, Some(known)) => {
            let names: Vec<usize> = page.mentions(byte).iter().map(|m| m.name).collect();
            let all = known.mentions.in_file(&page.shown).iter();
            let mut spans: Vec<_> = all
                .filter(|m| names.contains(&m.name))
                .map(|m| m.place.span.clone())
                .collect();
            spans.dedup();
            spans
        }
        _ => Vec::new(),
    };
    let highlight = |span| DocumentHighlight {
        range: page.positions(span),
        kind: Some(DocumentHighlightKind::TEXT),
    };
    near(spans, byte).map(highlight).collect()
}

/// Of very many places those around a byte.
fn near(mut spans: Vec<Range<usize>>, byte: usize) -> impl Iterator<Item = Range<usize>> {
    spans.sort_unstable_by_key(|span| span.start);
    let at = spans.partition_point(|span| span.start < byte);
    let from = at
        .saturating_sub(MOST_SHOWN / 2)
        .min(spans.len().saturating_sub(MOST_SHOWN));
    spans.into_iter().skip(from).take(MOST_SHOWN)
}

fn here(page: &Page, uri: &Uri, spans: impl Iterator<Item = Range<usize>>) -> Vec<Location> {
    let location = |span| Location {
        uri: uri.clone(),
        range: page.positions(span),
    };
    spans.take(MOST_LISTED).map(location).collect()
}

/// All places of the variable at a byte of a script.
pub fn local(page: &Page, byte: usize) -> Option<Vec<Range<usize>>> {
    if !page.is_script() {
        return None;
    }
    let touches = |span: &Range<usize>| span.start <= byte && byte <= span.end;
    let all = locals::locals(&page.text);
    let found = all
        .into_iter()
        .find(|local| local.places.iter().any(touches));
    found.map(|local| local.places)
}

/// What is meant at a place.
pub struct Everywhere {
    pub found: Vec<(Arc<Mentions>, Mention)>,
    /// Whether there is more than there is room to look through.
    pub is_cut: bool,
}

/// What is meant at a byte, in every game that has the file: games share libraries.
pub fn everywhere(desk: &mut Desk, page: &Page, byte: usize) -> Everywhere {
    let mut games = desk.games_of(&page.sheet);
    if crate::desk::game_of(&page.sheet.path).is_none() {
        games = desk.library().importing(&page.sheet.path);
    }
    let mut found = Vec::new();
    let mut is_cut = false;
    let mut room = LARGEST_INDEX;
    for game in games {
        let Some(known) = desk.known(&game) else {
            continue;
        };
        // A file may be shared by very many games.
        let Some(left) = room.checked_sub(known.bytes()) else {
            is_cut = true;
            break;
        };
        room = left;
        is_cut |= known.mentions.is_cut;
        let mut here = known.mentions.at(&page.shown, byte);
        let shortest = here.iter().map(|m| m.place.span.len()).min().unwrap_or(0);
        here.retain(|m| m.place.span.len() == shortest);
        found.extend(
            here.into_iter()
                .map(|mention| (known.mentions.clone(), mention.clone())),
        );
    }
    Everywhere { found, is_cut }
}
