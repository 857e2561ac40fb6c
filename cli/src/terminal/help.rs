//! What `?` answers: the question, the rules' step, the options, and anything on the table by its name.

use super::board;
use super::describe::Seen;
use super::page::wrap;
use ludoteca::content::definition::{Card, FieldValue, Map};
use ludoteca::play::offer::{Offer, Offered};
use ludoteca::play::say::Language;
use ludoteca::table::about::About;

/// Options explained one by one.
const EXPLAINED: usize = 40;

/// The choice as a whole, and the letters that do something else.
pub fn choice(seen: &Seen, offer: &Offer, step: &str) -> Vec<String> {
    let (min, max) = (offer.min, offer.max);
    let es = seen.language == Language::Es;
    let mut lines = wrap(&format!("{} ({})", offer.text, offer.prompt), 2);
    lines.push(if es {
        format!("Paso de las reglas: {step}")
    } else {
        format!("Step of the rules: {step}")
    });
    lines.extend(how_many(min, max, seen.language));
    if offer.together {
        lines.push(if es {
            "Varios jugadores eligen a la vez, en secreto".into()
        } else {
            "Several players choose at once, in secret".into()
        });
    }
    if offer.amount.is_none() {
        lines.extend(
            offer
                .options
                .iter()
                .take(EXPLAINED)
                .flat_map(|item| option(seen, item)),
        );
    }
    lines.push(String::new());
    lines.extend(commands(seen.language).iter().map(|line| line.to_string()));
    lines
}

/// How many options are wanted, where it is not one.
pub fn how_many(min: u32, max: u32, language: Language) -> Option<String> {
    let es = language == Language::Es;
    let wanted = match (min, max) {
        (1, 1) => return None,
        (min, max) if min == max && es => format!("Elige {min}"),
        (min, max) if min == max => format!("Choose {min}"),
        (0, max) if es => format!("Elige hasta {max}; - para ninguna"),
        (0, max) => format!("Choose up to {max}; - for none"),
        (min, max) if es => format!("Elige de {min} a {max}"),
        (min, max) => format!("Choose {min} to {max}"),
    };
    Some(wanted)
}

fn commands(language: Language) -> &'static [&'static str] {
    match language {
        Language::Es => &[
            "Escribe el número de una opción, su clave o el principio de su nombre;",
            "varias, separadas por blancos, cuando se piden varias.",
            "  ? NOMBRE  explica una opción, un espacio o una carta",
            "  b  muestra la mesa entera        u  vuelve a tu elección anterior",
            "  s [ARCHIVO]  guarda la partida   r  relee las reglas del disco",
            "  +  más opciones                  q  termina",
        ],
        Language::En => &[
            "Type the number of an option, its key or the beginning of its name;",
            "several with blanks between them where several are wanted.",
            "  ? NAME  explains an option, a space or a card",
            "  b  shows the whole table         u  goes back to your former choice",
            "  s [FILE]  saves the game         r  reads the rules from disk again",
            "  +  more options                  q  quits",
        ],
    }
}

/// One option: number, label, key, note, and the text of its card.
fn option(seen: &Seen, item: &Offered) -> Vec<String> {
    let note = item
        .note
        .as_ref()
        .map_or(String::new(), |note| format!("  ({note})"));
    let mut lines = wrap(
        &format!(
            "{:>3}) {} [{}]{note}",
            item.number + 1,
            item.label,
            item.key
        ),
        5,
    );
    if let Some(found) = card_of(seen, &item.about) {
        lines.extend(card_text(seen, found));
    }
    lines
}

fn card_of<'s>(seen: &'s Seen, about: &About) -> Option<&'s Card> {
    let (About::Card { card } | About::Piece { card, .. }) = about else {
        return None;
    };
    let cards = &seen.table.game.definition.cards;
    cards.iter().find(|known| known.id == *card)
}

fn card_text(seen: &Seen, card: &Card) -> Vec<String> {
    let text = card
        .text
        .as_ref()
        .map(|text| format!("     {}", seen.language.of(text)));
    let declared = &seen.table.game.definition.kinds[card.kind as usize].fields;
    let fields: Vec<String> = declared
        .iter()
        .zip(&card.fields)
        .filter_map(|(field, value)| {
            Some(format!(
                "{} {}",
                seen.field(&field.name),
                field_text(seen, value)?
            ))
        })
        .collect();
    let fields = (!fields.is_empty()).then(|| format!("     {}", fields.join(" · ")));
    text.into_iter()
        .chain(fields)
        .flat_map(|line| wrap(&line, 5))
        .collect()
}

/// A field a person can read; functions and tables are the rules' business.
fn field_text(seen: &Seen, value: &FieldValue) -> Option<String> {
    let definition = &seen.table.game.definition;
    let words = &seen.table.game.lexicon.words;
    let word = |id: &u32| words.get(*id as usize).map(|word| seen.word(word));
    match value {
        FieldValue::Int(n) => Some(n.to_string()),
        FieldValue::String(text) => Some(text.clone()),
        FieldValue::Text(text) => Some(seen.language.of(text).to_string()),
        FieldValue::Word(id) => word(id),
        FieldValue::Space(id) => {
            let space = definition.map.as_ref()?.spaces.get(*id as usize)?;
            Some(seen.language.of(&space.name).to_string())
        }
        FieldValue::Area(id) => {
            let area = definition.map.as_ref()?.areas.get(*id as usize)?;
            Some(seen.language.of(&area.name).to_string())
        }
        FieldValue::Card(id) => {
            let card = definition.cards.get(*id as usize)?;
            Some(seen.language.of(&card.name).to_string())
        }
        FieldValue::Words(ids) if !ids.is_empty() => {
            Some(ids.iter().filter_map(word).collect::<Vec<_>>().join(", "))
        }
        _ => None,
    }
}

/// A space: what is on it, and what it borders.
fn space(seen: &Seen, map: &Map, id: u32) -> Vec<String> {
    let board = &seen.table.state.board;
    let mut lines = wrap(&board::details(seen, map, id), 2);
    let neighbor = |other: u32| {
        let name = seen.language.of(&map.spaces[other as usize].name);
        let edge = board.edge_between(id, other);
        let fields = edge.map(|edge| {
            let values = map.edges[edge as usize].fields.iter();
            let told = map.edge_fields.iter().zip(values);
            told.filter_map(|(field, value)| match value {
                FieldValue::Bool(true) => Some(seen.field(&field.name)),
                FieldValue::Bool(false) => None,
                value => Some(format!(
                    "{} {}",
                    seen.field(&field.name),
                    field_text(seen, value)?
                )),
            })
            .collect::<Vec<_>>()
            .join(", ")
        });
        match fields.filter(|fields| !fields.is_empty()) {
            Some(fields) => format!("{name} ({fields})"),
            None => name.to_string(),
        }
    };
    let neighbors: Vec<String> = board.neighbors(id).iter().map(neighbor).collect();
    if !neighbors.is_empty() {
        let title = match seen.language {
            Language::Es => "Linda con",
            Language::En => "It borders",
        };
        lines.extend(wrap(&format!("{title}: {}", neighbors.join(" · ")), 2));
    }
    lines
}

/// Something by number, key, id or name: an option, a space, a card.
pub fn thing(seen: &Seen, offer: &Offer, asked: &str) -> Option<Vec<String>> {
    let definition = &seen.table.game.definition;
    let wanted = asked.to_lowercase();
    let by_number = asked
        .parse::<usize>()
        .ok()
        .and_then(|n| offer.options.get(n.checked_sub(1)?));
    let named = |item: &&Offered| item.key == asked || item.label.to_lowercase() == wanted;
    if let Some(item) = by_number.or_else(|| offer.options.iter().find(named)) {
        let mut lines = option(seen, item);
        if let (About::Space { space: id }, Some(map)) = (&item.about, &definition.map)
            && let Some(at) = map.spaces.iter().position(|known| known.id == *id)
        {
            lines.extend(space(seen, map, at as u32));
        }
        return Some(lines);
    }
    if let Some(map) = &definition.map {
        let matches = |id: &str, name: &str| id == asked || name.to_lowercase() == wanted;
        let found = map
            .spaces
            .iter()
            .position(|s| matches(&s.id, seen.language.of(&s.name)));
        let in_play = seen.table.state.board.in_play();
        if let Some(found) = found.filter(|&found| in_play.contains(found as u32)) {
            return Some(space(seen, map, found as u32));
        }
    }
    let card = definition
        .cards
        .iter()
        .find(|card| card.id == asked || seen.language.of(&card.name).to_lowercase() == wanted)?;
    let mut lines = wrap(seen.language.of(&card.name), 2);
    lines.extend(card_text(seen, card));
    Some(lines)
}
