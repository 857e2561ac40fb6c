//! The options of a choice on the screen: numbered, in columns, a page at a time.

use super::input::are_numbers;
use super::page::columns;
use ludoteca::play::offer::{Offer, Offered};
use ludoteca::play::say::Language;

/// Options shown at once.
const PAGE: usize = 60;

/// One page of the list and, if there are more, how to see them.
pub fn page(offer: &Offer, number: usize, language: Language) -> Vec<String> {
    if let Some((low, high)) = offer.amount {
        return amounts(offer, low, high, language);
    }
    let plain = are_numbers(offer);
    let pages = offer.options.chunks(PAGE).count().max(1);
    let chosen = offer
        .options
        .chunks(PAGE)
        .nth(number % pages)
        .unwrap_or_default();
    let shown: Vec<String> = chosen.iter().map(|item| shown(item, plain)).collect();
    let mut lines = columns(&shown);
    if pages > 1 {
        let (page, count) = (number % pages + 1, offer.options.len());
        lines.push(match language {
            Language::Es => {
                format!("página {page} de {pages}, {count} opciones; + para la siguiente")
            }
            Language::En => format!("page {page} of {pages}, {count} options; + for the next"),
        });
    }
    lines
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
fn amounts(offer: &Offer, low: i64, high: i64, language: Language) -> Vec<String> {
    let mut lines = vec![match language {
        Language::Es => format!("  un número de {low} a {high}"),
        Language::En => format!("  a number from {low} to {high}"),
    }];
    let is_word = |item: &&Offered| item.number as i64 > high - low;
    let noted = |item: &&Offered| !is_word(item) && item.note.is_some();
    let notes: Vec<String> = offer
        .options
        .iter()
        .filter(noted)
        .take(PAGE)
        .map(|item| shown(item, true))
        .collect();
    lines.extend(if notes.is_empty() {
        Vec::new()
    } else {
        columns(&notes)
    });
    lines.extend(offer.options.iter().filter(is_word).map(|item| {
        let note = item
            .note
            .as_ref()
            .map_or(String::new(), |note| format!("  ({note})"));
        format!("  {} = {}{note}", item.key, item.label)
    }));
    lines
}
