//! Tables of what became of the content, and of steps that leave nothing to decide.

use super::Words;
use crate::numbers::{interval, value};
use crate::row::OPTION;
use crate::statistics::Estimate;
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
            (table(words, kind, items))
        }
        @for (kind, unused) in found.unused.iter().filter(|(_, unused)| !unused.is_empty()) {
            p { (words.say("Nunca usado, de ", "Never used, of ")) (kind) ": " (unused.join(", ")) }
        }
        (steps(words, found))
    }
}

fn table(words: Words, kind: &str, items: &mut [&ItemFinding]) -> Markup {
    items.sort_by_key(|item| std::cmp::Reverse(item.played.max(item.taken)));
    let wins = |wins: &Option<Estimate>| match wins {
        Some(wins) => format!("{} ({})", value(wins.value, true), interval(wins, true)),
        None => "-".to_string(),
    };
    let kind = if kind == OPTION {
        words.say("opciones", "options")
    } else {
        kind
    };
    html! {
        div.wide { table {
            tr {
                th { (kind) }
                th { (words.say("Ofrecido", "Offered")) }
                th { (words.say("Tomado", "Taken")) }
                th { (words.say("Jugado", "Played")) }
                th { (words.say("Lo usan", "Used by")) }
                th { (words.say("Ganan con", "Wins with")) }
                th { (words.say("Ganan sin", "Wins without")) }
                th { (words.say("Partida", "Game")) }
            }
            @for item in items.iter() {
                tr {
                    td { (words.0.of(&item.name)) }
                    td { (item.offered) }
                    td { (item.taken) }
                    td { @if item.kind == OPTION { "-" } @else { (item.played) } }
                    td { (value(item.use_share.value, true)) }
                    td { (wins(&item.wins_with)) }
                    td { (wins(&item.wins_without)) }
                    td { @if let Some(game) = item.example { (game) } }
                }
            }
        } }
    }
}

fn steps(words: Words, found: &Findings) -> Markup {
    html! {
        @if !found.steps.is_empty() {
            h2 { (words.say("Pasos sin nada que decidir", "Steps with nothing to decide")) }
            div.wide { table {
                tr {
                    th { (words.say("Paso", "Step")) }
                    th { (words.say("Veces", "Times")) }
                    th { (words.say("Sin decisión", "Nothing to decide")) }
                    th { (words.say("Intervalo del 95 %", "95 % interval")) }
                }
                @for step in &found.steps {
                    tr {
                        td { code { (step.step) } }
                        td { (step.times) }
                        td { (value(step.idle.value, true)) }
                        td { (interval(&step.idle, true)) }
                    }
                }
            } }
        }
    }
}
