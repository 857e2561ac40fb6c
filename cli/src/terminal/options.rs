//! The options of a choice on the screen: numbered, in columns, a page at a time.

use super::input::are_numbers;
use super::page::{across, in_columns, width, wrap};
use crate::words::say;
use ludoteca::{Offer, Offered};

/// Options shown at once where there is room for any number.
const PAGE: usize = 60;
/// How many stand below each other before a second column begins.
const BELOW: usize = 6;
/// Where the second line of a long option begins.
const INDENT: usize = 5;

/// One page of the list in at most so many lines, and, if there are more, how to see them.
pub fn page(offer: &Offer, number: usize, room: Option<usize>) -> Vec<String> {
    if let Some((low, high)) = offer.amount {
        return amounts(offer, low, high);
    }
    let plain = are_numbers(offer);
    let shown: Vec<String> = offer
        .options
        .iter()
        .map(|item| shown(item, plain))
        .collect();
    let size = page_size(&shown, room);
    let pages = shown.len().div_ceil(size).max(1);
    let chosen = shown.chunks(size).nth(number % pages).unwrap_or_default();
    let below = room.map_or(BELOW, |room| BELOW.min(room));
    let mut lines = match chosen.iter().any(|item| width(item) > across()) {
        true => chosen.iter().flat_map(|item| wrap(item, INDENT)).collect(),
        false => in_columns(chosen, below),
    };
    if pages > 1 {
        let (page, count) = (number % pages + 1, shown.len());
        lines.push(say!(
            "página {page} de {pages}, {count} opciones; + para la siguiente, o escribe un nombre",
            "page {page} of {pages}, {count} options; + for the next, or type a name"
        ));
    }
    lines
}

/// How many options fit into so many lines, the last of which may be needed to say that there are more.
fn page_size(shown: &[String], room: Option<usize>) -> usize {
    let Some(room) = room else {
        return PAGE;
    };
    let widest = shown.iter().map(|item| width(item)).max().unwrap_or(0);
    if widest > across() {
        // Long ones take several lines each.
        let most = shown.iter().map(|item| wrap(item, INDENT).len()).max();
        let most = most.unwrap_or(1).max(1);
        return match shown.len() * most <= room {
            true => shown.len().max(1),
            false => (room.saturating_sub(1) / most).max(1),
        };
    }
    let fitting = ((across() + 2) / (widest + 2)).max(1);
    match shown.len() <= fitting * room {
        true => shown.len().max(1),
        false => (fitting * room.saturating_sub(1)).max(1),
    }
}

fn shown(item: &Offered, plain: bool) -> String {
    let note = item
        .note
        .as_ref()
        .map_or(String::new(), |note| format!("  ({note})"));
    if plain && item.key == item.label {
        format!("  {}{note}", item.label)
    } else {
        format!("{:>3}) {}{note}", item.number + 1, item.label)
    }
}

/// Numbers in a row: their ends, notes if there are any, and the words beside them.
fn amounts(offer: &Offer, low: i64, high: i64) -> Vec<String> {
    let mut lines = vec![say!(
        "  un número de {low} a {high}",
        "  a number from {low} to {high}"
    )];
    let is_word = |item: &&Offered| item.number as i64 > high - low;
    let noted = |item: &&Offered| !is_word(item) && item.note.is_some();
    let notes: Vec<String> = offer
        .options
        .iter()
        .filter(noted)
        .take(PAGE)
        .map(|item| shown(item, true))
        .collect();
    if !notes.is_empty() {
        lines.extend(in_columns(&notes, BELOW));
    }
    lines.extend(offer.options.iter().filter(is_word).map(|item| {
        let note = item
            .note
            .as_ref()
            .map_or(String::new(), |note| format!("  ({note})"));
        format!("  {} = {}{note}", item.key, item.label)
    }));
    lines
}
