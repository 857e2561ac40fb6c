//! Tables of what became of the content, and of steps that leave nothing to decide.

use super::Words;
use super::table::{cell, cell_if, estimate, table};
use crate::numbers::{interval, value};
use crate::record::OPTION;
use crate::summary::{Findings, ItemFinding};
use maud::{Markup, html};
use std::collections::BTreeMap;

pub fn tables(words: Words, found: &Findings) -> Markup {
    let mut kinds: BTreeMap<&str, Vec<&ItemFinding>> = BTreeMap::new();
    for item in &found.content {
        if item.offered + item.played > 0 || found.unused.contains_key(&item.kind) {
            kinds.entry(&item.kind).or_default().push(item);
        }
    }
    html! {
        @if !kinds.is_empty() {
            h2 { (words.say("Contenido", "Content")) }
            p.soft {
                (words.say("Visto en ", "Seen in ")) (found.close_games) (words.say(" partidas. ", " games. "))
                (words.say(
                    "«Jugado»: salió a la vista desde la mano, o llegó a la zona abierta de un jugador; lo descartado no cuenta.",
                    "“Played”: it came into the open from a hand, or into a player's open zone; what was discarded does not count.",
                ))
            }
        }
        @for (kind, items) in &mut kinds {
            (items_of(words, kind, items))
        }
        @for (kind, unused) in found.unused.iter().filter(|(_, unused)| !unused.is_empty()) {
            p { (words.say("Nunca usado, de ", "Never used, of ")) (kind) ": " (unused.join(", ")) }
        }
        (steps(words, found))
    }
}

fn items_of(words: Words, kind: &str, items: &mut [&ItemFinding]) -> Markup {
    items.sort_by_key(|item| std::cmp::Reverse(item.played.max(item.taken)));
    let (kind, has_played) = match kind {
        OPTION => (words.say("opciones", "options"), false),
        cards => (cards, true),
    };
    let heads = [
        kind,
        words.say("Ofrecido", "Offered"),
        words.say("Tomado", "Taken"),
        words.say("Jugado", "Played"),
        words.say("Lo usan", "Used by"),
        words.say("Ganan con", "Wins with"),
        words.say("Ganan sin", "Wins without"),
        words.say("Partida", "Game"),
    ];
    let rows = items.iter().map(|item| {
        [
            cell(words.0.of(&item.name)),
            cell(item.offered),
            cell(item.taken),
            if has_played {
                cell(item.played)
            } else {
                cell("-")
            },
            cell(value(item.use_share.value, true)),
            estimate(&item.wins_with, true),
            estimate(&item.wins_without, true),
            cell_if(item.example),
        ]
    });
    table(&heads, rows)
}

fn steps(words: Words, found: &Findings) -> Markup {
    let heads = [
        words.say("Paso", "Step"),
        words.say("Veces", "Times"),
        words.say("Sin decisión", "Nothing to decide"),
        words.say("Intervalo del 95 %", "95 % interval"),
    ];
    let rows = found.steps.iter().map(|step| {
        [
            html! { code { (step.step) } },
            cell(step.times),
            cell(value(step.idle.value, true)),
            cell(interval(&step.idle, true)),
        ]
    });
    html! {
        @if !found.steps.is_empty() {
            h2 { (words.say("Pasos sin nada que decidir", "Steps with nothing to decide")) }
            (table(&heads, rows))
        }
    }
}
