//! What something is: a name of the game, a function every game has, a key of a file.

use crate::describe;
use crate::desk::Desk;
use crate::page::Page;
use crate::shapes::SchemaShape;
use lsp_types::{Hover, HoverContents, MarkupContent, MarkupKind, Position, Uri};
use ludoteca::mentions::cursor;
use std::ops::Range;

/// Of a place where several things could be meant, so many are told.
const MOST: usize = 3;

pub fn hover(desk: &mut Desk, uri: &Uri, position: Position) -> Option<Hover> {
    let page = Page::open(desk, uri)?;
    let byte = page.byte(position);
    let mut said: Vec<String> = Vec::new();
    let mut span: Option<Range<usize>> = None;
    if let Some(known) = page.known.clone() {
        let mut here = page.mentions(byte);
        if here.is_empty() && !page.is_script() {
            here = key_before(&page.text, byte).map_or_else(Vec::new, |key| page.mentions(key));
        }
        for mention in here.into_iter().take(MOST) {
            said.push(describe::describe(desk, &known, mention.name));
            span = Some(mention.place.span.clone());
        }
    }
    if !page.is_script()
        && let Some((doc, at)) = key(&page, byte)
    {
        said.push(doc);
        span = span.or(Some(at));
    }
    said.retain(|text| !text.trim().is_empty());
    let value = said.join("\n---\n");
    (!value.is_empty()).then(|| Hover {
        contents: HoverContents::Markup(MarkupContent {
            kind: MarkupKind::Markdown,
            value,
        }),
        range: span.map(|span| page.positions(span)),
    })
}

/// The last letter of the key whose value a byte is in: what is told of the one is told of the other.
fn key_before(text: &str, byte: usize) -> Option<usize> {
    let way = cursor::in_data(text, byte + 1).filter(|way| !way.is_key && !way.is_quoted)?;
    let line = text[..way.span.start].rfind('\n').map_or(0, |at| at + 1);
    let before = text[line..way.span.start].trim_end().strip_suffix('=')?;
    let key = before.trim_end().trim_end_matches(['"', '\'']);
    (line + key.len()).checked_sub(1)
}

/// What the schema says of the key at hand.
fn key(page: &Page, byte: usize) -> Option<(String, Range<usize>)> {
    // The cursor may stand before the first letter.
    let way = cursor::in_data(&page.text, byte + 1).filter(|way| way.span.contains(&byte));
    let way = way.or_else(|| cursor::in_data(&page.text, byte))?;
    if !way.is_key || way.span.is_empty() {
        return None;
    }
    let doc = SchemaShape::at(&page.sheet.path, &way.steps)?.doc()?;
    Some((doc, way.span))
}
