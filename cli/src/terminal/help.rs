//! What `?` answers: the question, the rules' step, the options, and anything on the table by its name.

use super::board;
use super::describe::SeenView;
use super::input::meant;
use super::page::wrap;
use super::paint::Paint;
use super::prose;
use crate::words::say;
use ludoteca::definition::Definition;
use ludoteca::help::{self, Fact, Thing};
use ludoteca::{Language, Offer, Offered};

/// Options explained one by one.
const EXPLAINED: usize = 40;
/// Bytes of a fact that gets a line of its own.
const LONG: usize = 40;
/// Hits that are all explained, and hits that are at least named.
const FEW: usize = 3;
const LISTED: usize = 60;

/// The choice as a whole, and the letters that do something else.
pub fn choice(seen: &SeenView, offer: &Offer, step: &str) -> Vec<String> {
    let (min, max) = (offer.min, offer.max);
    let mut lines = wrap(&offer.text, 2);
    let about = help::help(
        seen.table,
        Some(offer.seat),
        &Thing::Prompt(offer.prompt.clone()),
        seen.language,
    );
    lines.extend(about.text.iter().flat_map(|text| wrap(text, 2)));
    lines.push(say!(
        "Paso de las reglas: {step}",
        "Step of the rules: {step}"
    ));
    lines.extend(how_many(min, max));
    if offer.together {
        lines.push(say!(
            "Varios jugadores eligen a la vez, en secreto",
            "Several players choose at once, in secret"
        ));
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

/// The rulebook, or a topic of it; its topics if it is not asked for one.
pub fn rules(seen: &SeenView, asked: &str) -> Option<Vec<String>> {
    let definition = &seen.table.game.definition;
    if asked.is_empty() {
        let topics = definition
            .rulebook
            .iter()
            .map(|topic| format!("  {}: {}", topic.id, seen.language.of(&topic.title)));
        let topics: Vec<String> = topics.collect();
        return (!topics.is_empty()).then_some(topics);
    }
    let found = help::topics(definition, asked, seen.language);
    let shown = found.iter().flat_map(|&at| {
        let topic = &definition.rulebook[at];
        let (title, text) = (
            seen.language.of(&topic.title),
            seen.language.of(&topic.text),
        );
        prose::topic(title, text, Paint::new())
    });
    let lines: Vec<String> = shown.collect();
    (!lines.is_empty()).then_some(lines)
}

/// How many options are wanted, where it is not one.
pub fn how_many(min: u32, max: u32) -> Option<String> {
    match (min, max) {
        (1, 1) => None,
        (min, max) if min == max => Some(say!("Elige {min}", "Choose {min}")),
        (0, max) => Some(say!(
            "Elige hasta {max}; - para ninguna",
            "Choose up to {max}; - for none"
        )),
        (min, max) => Some(say!("Elige de {min} a {max}", "Choose {min} to {max}")),
    }
}

/// What everything is called that one may ask about, for the Tab key.
pub fn names(definition: &Definition, language: Language) -> Vec<String> {
    let things = help::things(definition);
    let things = things
        .iter()
        .filter(|thing| !matches!(thing, Thing::Prompt(_)));
    let mut names: Vec<String> = things
        .map(|thing| help::name_of(definition, thing, language))
        .collect();
    names.sort();
    names.dedup();
    names
}

fn commands(language: Language) -> &'static [&'static str] {
    match language {
        Language::Es => &[
            "Escribe el número de una opción, su nombre o el principio de alguna de sus palabras;",
            "varias, separadas por comas, cuando se piden varias. El tabulador completa.",
            "  ? NOMBRE  explica lo que sea: una opción, un lugar, una carta, una palabra",
            "  reglas [TEMA]  muestra el reglamento",
            "  b  muestra la mesa entera        u  vuelve a tu elección anterior",
            "  s [ARCHIVO]  guarda una copia    r  relee las reglas del disco",
            "  +  más opciones                  h  pide consejo a un bot",
            "  l  lo que ha pasado              q  deja la partida, que queda guardada",
        ],
        Language::En => &[
            "Type the number of an option, its name or the beginning of a word of it;",
            "several with commas between them where several are wanted. Tab completes.",
            "  ? NAME  explains anything: an option, a place, a card, a word",
            "  rules [TOPIC]  shows the rulebook",
            "  b  shows the whole table         u  goes back to your former choice",
            "  s [FILE]  saves a copy           r  reads the rules from disk again",
            "  +  more options                  h  asks a bot for advice",
            "  l  what has happened             q  leaves the match, which is kept",
        ],
    }
}

/// One option: number, label, key, note, and the text of its card.
fn option(seen: &SeenView, item: &Offered) -> Vec<String> {
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
    let definition = &seen.table.game.definition;
    if let Some(thing) = Thing::about(definition, &item.about) {
        // Its name has been said; what is on a place has not.
        let told = known(seen, &thing).into_iter();
        let named = help::name_of(definition, &thing, seen.language);
        lines.extend(told.skip_while(|line| line.trim() == named));
    }
    lines
}

/// A thing: its name, what there is to know of it, what is on it now.
fn known(seen: &SeenView, thing: &Thing) -> Vec<String> {
    let found = help::help(seen.table, seen.view.you, thing, seen.language);
    let name = match (thing, &seen.table.game.definition.map) {
        (Thing::Space(id), Some(map)) => board::details(seen, map, *id),
        _ => found.name,
    };
    let mut lines = wrap(&format!("  {name}"), 4);
    for paragraph in &found.text {
        match thing {
            Thing::Topic(_) => lines.extend(prose::markdown(paragraph, Paint::new())),
            _ => lines.extend(wrap(&format!("     {paragraph}"), 5)),
        }
    }
    let (short, long): (Vec<&Fact>, Vec<&Fact>) =
        found.facts.iter().partition(|fact| fact.value.len() < LONG);
    let told = |fact: &&Fact| match fact.value.as_str() {
        "" => fact.name.clone(),
        value if fact.value.len() < LONG => format!("{} {value}", fact.name),
        value => format!("{}: {value}", fact.name),
    };
    let short: Vec<String> = short.iter().map(told).collect();
    lines.extend(wrap(&format!("     {}", short.join(" · ")), 5));
    lines.extend(
        long.iter()
            .flat_map(|fact| wrap(&format!("     {}", told(fact)), 5)),
    );
    for entry in &found.more {
        let mut line = format!("     {}", entry.name);
        if let (Some(copies), Some(shown)) = (entry.copies, entry.seen) {
            line += &say!(
                " ×{copies}, a la vista {shown}",
                " ×{copies}, in view {shown}"
            );
        }
        if !entry.text.is_empty() {
            line += &format!(": {}", entry.text);
        }
        lines.extend(wrap(&line, 7));
    }
    lines.retain(|line| !line.trim().is_empty());
    lines
}

/// Something by number, key, name or the beginning of a name; several hits are listed.
pub fn thing(seen: &SeenView, offer: &Offer, asked: &str) -> Option<Vec<String>> {
    let definition = &seen.table.game.definition;
    let by_number = asked
        .parse::<usize>()
        .ok()
        .and_then(|n| offer.options.get(n.checked_sub(1)?));
    let named = |item: &&Offered| {
        let folded = help::folded(asked);
        item.key == asked || help::folded(&item.label) == folded
    };
    if let Some(item) = by_number.or_else(|| offer.options.iter().find(named)) {
        return Some(option(seen, item));
    }
    let in_play = |thing: &Thing| match thing {
        Thing::Space(id) => seen.table.state.board.in_play().contains(*id),
        _ => true,
    };
    let mut found = help::find(definition, asked, seen.language);
    found.retain(in_play);
    match found.as_slice() {
        // Nothing of that name: an option that has a word which begins so.
        [] => {
            let labels = offer.options.iter().map(|item| [&item.label]);
            let items = meant(asked, labels).into_iter().take(FEW);
            let lines: Vec<String> = items
                .flat_map(|at| option(seen, &offer.options[at]))
                .collect();
            (!lines.is_empty()).then_some(lines)
        }
        [thing] => Some(known(seen, thing)),
        several => {
            let names = several
                .iter()
                .map(|thing| help::name_of(definition, thing, seen.language));
            let names: Vec<String> = names.take(LISTED).collect();
            let mut lines = if several.len() <= FEW {
                several
                    .iter()
                    .flat_map(|thing| known(seen, thing))
                    .collect()
            } else {
                wrap(&format!("  {}", names.join(" · ")), 2)
            };
            if several.len() > LISTED {
                lines.push("  ..".into());
            }
            Some(lines)
        }
    }
}
