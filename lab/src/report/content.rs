//! Tables of what became of the content, of what came and went, and of steps that leave nothing to decide.

use crate::document::{Document, Tabular, Words};
use crate::findings::{Dominated, Findings, FlowFinding, ItemFinding};
use crate::names::ItemNames;
use crate::numbers::{interval, signed, signed_interval, value};
use crate::record::{Header, OPTION};
use crate::statistics::Estimate;
use std::collections::BTreeMap;

pub fn tables(document: &mut Document, header: &Header, found: &Findings) {
    let words = document.words;
    let names = ItemNames::of(&header.items, words.0);
    let mut kinds: BTreeMap<&str, Vec<&ItemFinding>> = BTreeMap::new();
    for item in &found.content {
        // What never came up is named below.
        if item.offered + item.taken + item.played > 0 {
            kinds.entry(&item.kind).or_default().push(item);
        }
    }
    if !kinds.is_empty() {
        document.heading(words.say("Contenido", "Content"));
        document.small(format!(
            "{} {} {}",
            words.say("Visto en", "Seen in"),
            found.close_games,
            words.say(
                "partidas. «Jugado»: salió a la vista desde la mano, o llegó a la zona abierta de un jugador; lo descartado no cuenta. «Efecto»: lo que ganan de más quienes lo usan, en el mismo asiento e igual de bien situados tras un cuarto de la partida.",
                "games. “Played”: it came into the open from a hand, or into a player's open zone; what was discarded does not count. “Impact”: how much more those who use it win, on the same seat and as well placed after a quarter of the game.",
            )
        ));
    }
    for (kind, items) in &mut kinds {
        let named = kind_named(words, header, kind);
        document.table(items_of(words, &names, (kind, named), items));
    }
    for (kind, unused) in found.unused.iter().filter(|(_, unused)| !unused.is_empty()) {
        let named = |id: &String| {
            let mut items = header.items.iter();
            let item = items.find(|item| item.kind == *kind && item.id == *id);
            item.map_or_else(|| id.clone(), |item| names.name(kind, id, &item.name))
        };
        let unused: Vec<String> = unused.iter().map(named).collect();
        let never = words.say("Nunca usado", "Never used");
        let kind = kind_named(words, header, kind);
        document.many(format!("{never} ({kind}), {}", unused.len()), unused);
    }
    for (always, said) in [
        (
            true,
            words.say(
                "Se toma en más de nueve de cada diez ofertas",
                "Taken in more than nine of ten offers",
            ),
        ),
        (
            false,
            words.say(
                "Se toma en menos de una de cada veinte ofertas",
                "Taken in fewer than one of twenty offers",
            ),
        ),
    ] {
        let told = |item: &Dominated| {
            let (name, of) = (
                names.name(&item.kind, &item.id, &item.name),
                words.say("de", "of"),
            );
            format!("{name} ({} {of} {})", item.taken, item.offered)
        };
        let dominated = found.dominated.iter();
        let dominated = dominated.filter(|item| item.always == always).map(told);
        document.many(said, dominated.collect());
    }
    bought(document, &[header], &[found]);
    flows(document, header, found);
    steps(document, header, found);
}

/// What a kind of content is called; words that are offered are options.
pub fn kind_named<'a>(words: Words, header: &'a Header, kind: &'a str) -> &'a str {
    match kind {
        OPTION => words.say("Opción", "Option"),
        card => header.names.kind(card, words.0),
    }
}

fn estimate(words: Words, found: &Option<Estimate>) -> String {
    found.map_or_else(
        || "-".to_string(),
        |found| {
            format!(
                "{} ({})",
                value(found.value, true),
                interval(&found, true, words.0)
            )
        },
    )
}

fn items_of(
    words: Words,
    names: &ItemNames,
    (kind, named): (&str, &str),
    items: &mut [&ItemFinding],
) -> Tabular {
    items.sort_by_key(|item| std::cmp::Reverse(item.played.max(item.taken)));
    let has_played = kind != OPTION;
    let mut table = Tabular::new([
        named,
        words.say("Ofrecido", "Offered"),
        words.say("Tomado", "Taken"),
        words.say("Jugado", "Played"),
        words.say("Lo usan", "Used by"),
        words.say("Ganan con", "Wins with"),
        words.say("Ganan sin", "Wins without"),
        words.say("Efecto", "Impact"),
        words.say("Partida", "Game"),
    ]);
    for item in items {
        let impact = item.impact.map_or_else(
            || "-".to_string(),
            |found| {
                let between = signed_interval(&found, true, words.0);
                format!("{} ({between})", signed(found.value, true))
            },
        );
        table.row([
            names.name(&item.kind, &item.id, &item.name),
            item.offered.to_string(),
            item.taken.to_string(),
            match has_played {
                true => item.played.to_string(),
                false => "-".to_string(),
            },
            value(item.use_share.value, true),
            estimate(words, &item.wins_with),
            estimate(words, &item.wins_without),
            impact,
            item.example
                .map_or_else(String::new, |game| game.to_string()),
        ]);
    }
    table
}

/// What is bought, in which step and for how much: of one run, or of both sides of a comparison.
pub fn bought(document: &mut Document, headers: &[&Header], found: &[&Findings]) {
    let words = document.words;
    let purchases = |found: &Findings| -> Vec<FlowFinding> {
        let flows = found.flows.iter().filter(|flow| flow.is_purchase());
        flows.cloned().collect()
    };
    let mut keys: Vec<(String, String)> = found
        .iter()
        .flat_map(|found| purchases(found))
        .map(|flow| (flow.number, flow.step))
        .collect();
    keys.sort_unstable();
    keys.dedup();
    if keys.is_empty() {
        return;
    }
    document.heading(words.say("Lo que se compra", "What is bought"));
    document.small(words.say(
        "Por partida, de media, todos los jugadores juntos: lo que sale de una bolsa entre dos decisiones y es, exacto, tantas veces un precio.",
        "A game, on average, all players together: what leaves a purse between two decisions and is so many times a price, exactly.",
    ));
    let mut heads: Vec<String> = vec![
        words.say("Precio", "Price").into(),
        words.say("Paso", "Step").into(),
    ];
    let second = words.say("segunda", "second");
    for of_both in [
        words.say("Veces", "Times"),
        words.say("Cuesta", "Costs"),
        words.say("Gastado", "Spent"),
    ] {
        match found.len() {
            1 => heads.push(of_both.into()),
            _ => heads.extend([
                format!("{of_both}, {}", words.say("primera", "first")),
                second.into(),
            ]),
        }
    }
    let mut table = Tabular::new(heads);
    for (price, step) in keys {
        let names = &headers[0].names;
        let mut row = vec![
            names.price(&price, words.0).to_string(),
            names.step(&step, words.0).to_string(),
        ];
        let mut sides: Vec<[String; 3]> = Vec::new();
        for (header, found) in headers.iter().zip(found) {
            let times = purchases(found)
                .iter()
                .find(|flow| flow.number == price && flow.step == step)
                .map(|flow| flow.gained);
            let amounts = amounts(header, &price);
            let each = times.map_or(0.0, |times| times.value);
            let said = times.map_or_else(
                || value(0.0, false),
                |times| match headers.len() {
                    1 => told(words, &times),
                    _ => value(times.value, false),
                },
            );
            let list = |times: f64, places: usize| {
                let of_each = |(asked, amount): &(String, i64)| {
                    let name = names.material(asked, words.0).to_lowercase();
                    format!("{:.places$} {name}", *amount as f64 * times)
                };
                amounts.iter().map(of_each).collect::<Vec<_>>().join(", ")
            };
            sides.push([said, list(1.0, 0), list(each, 1)]);
        }
        row.extend((0..3).flat_map(|column| sides.iter().map(move |side| side[column].clone())));
        table.row(row);
    }
    document.table(table);
}

/// A mean and its interval; of what never was, nothing more.
fn told(words: Words, found: &Estimate) -> String {
    match found.value == 0.0 && found.is_of_too_few() {
        true => value(0.0, false),
        false => format!(
            "{} ({})",
            value(found.value, false),
            interval(found, false, words.0)
        ),
    }
}

/// What a price asks for, by the numbers of players.
fn amounts(header: &Header, price: &str) -> Vec<(String, i64)> {
    let values = header.made.values.iter();
    values
        .filter_map(|(name, amount)| {
            let asked = name.strip_prefix(price)?.strip_prefix('.')?;
            (*amount > 0).then(|| (asked.to_string(), *amount))
        })
        .collect()
}

/// What is gained, spent and lost, in which step.
fn flows(document: &mut Document, header: &Header, found: &Findings) {
    let is_shown = |flow: &&FlowFinding| !flow.is_purchase() && header.names.is_open(&flow.number);
    let shown: Vec<&FlowFinding> = found.flows.iter().filter(is_shown).collect();
    if shown.is_empty() {
        return;
    }
    let words = document.words;
    document.heading(words.say("Lo que entra y lo que se gasta", "What comes and what goes"));
    document.small(words.say(
        "Por partida, de media, todos los jugadores juntos; lo que un paso mueve de un sitio a otro no cuenta.",
        "A game, on average, all players together; what a step moves from one place to another does not count.",
    ));
    let mut table = Tabular::new([
        words.say("Número", "Number"),
        words.say("Paso", "Step"),
        words.say("Entra", "Comes"),
        words.say("Se va", "Goes"),
    ]);
    for flow in shown {
        table.row([
            header.names.number(&flow.number, words.0),
            header.names.step(&flow.step, words.0).to_string(),
            told(words, &flow.gained),
            told(words, &flow.lost),
        ]);
    }
    document.table(table);
}

fn steps(document: &mut Document, header: &Header, found: &Findings) {
    let words = document.words;
    if found.steps.is_empty() {
        return;
    }
    document.heading(words.say("Pasos sin nada que decidir", "Steps with nothing to decide"));
    let mut table = Tabular::new([
        words.say("Paso", "Step"),
        words.say("Veces", "Times"),
        words.say("Sin decisión", "Nothing to decide"),
        words.say("Intervalo del 95 %", "95 % interval"),
    ]);
    for step in &found.steps {
        table.row([
            header.names.step(&step.step, words.0).to_string(),
            step.times.to_string(),
            value(step.idle.value, true),
            interval(&step.idle, true, words.0),
        ]);
    }
    document.table(table);
}
