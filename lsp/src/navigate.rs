//! Where a name is defined and where it is mentioned, in TOML and in scripts.

use crate::desk::Desk;
use crate::page::{Page, location};
use lsp_types::{DocumentHighlight, DocumentHighlightKind, Location, Position, Uri};
use ludoteca::limits::MOST_LISTED;
use ludoteca::mentions::{Mention, Mentions, locals};
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
    for (mentions, mention) in everywhere(desk, &page, byte) {
        for other in mentions
            .of(mention.name)
            .filter(|m| with_definition || !m.is_definition)
        {
            // Nobody goes through more of them.
            if places.len() >= MOST_LISTED {
                return places;
            }
            if let Some(place) =
                location(desk, &other.place).filter(|place| !places.contains(place))
            {
                places.push(place);
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
    spans.into_iter().map(highlight).collect()
}

fn here(page: &Page, uri: &Uri, spans: impl Iterator<Item = Range<usize>>) -> Vec<Location> {
    let location = |span| Location {
        uri: uri.clone(),
        range: page.positions(span),
    };
    spans.map(location).collect()
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

/// What is meant at a byte, in every game that has the file: games share libraries.
pub fn everywhere(desk: &mut Desk, page: &Page, byte: usize) -> Vec<(Arc<Mentions>, Mention)> {
    let mut games = desk.games_of(&page.sheet);
    if crate::desk::game_of(&page.sheet.path).is_none() {
        games = desk.library().importing(&page.sheet.path);
    }
    let mut found = Vec::new();
    for game in games {
        let Some(known) = desk.known(&game) else {
            continue;
        };
        let mut here = known.mentions.at(&page.shown, byte);
        let shortest = here.iter().map(|m| m.place.span.len()).min().unwrap_or(0);
        here.retain(|m| m.place.span.len() == shortest);
        found.extend(
            here.into_iter()
                .map(|mention| (known.mentions.clone(), mention.clone())),
        );
    }
    found
}
