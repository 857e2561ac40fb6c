//! `ludoteca rules`: the rulebook of a game, with the numbers it is played with.

use crate::arguments::Rules;
use crate::output::{Failure, Outcome, outln};
use crate::packs;
use crate::terminal::page::Paint;
use crate::terminal::prose;
use ludoteca::play::help;
use ludoteca::play::say::Language;
use serde_json::json;
use std::path::PathBuf;

pub fn run(content: &[PathBuf], rules: &Rules) -> Outcome {
    let game = packs::game(content, &rules.game)?;
    let language = rules.reader.lang;
    let book = &game.definition.rulebook;
    let chosen: Vec<usize> = match &rules.topic {
        Some(asked) => help::topics(&game.definition, asked, language),
        None => (0..book.len()).collect(),
    };
    if chosen.is_empty() {
        return Err(Failure::Game(nothing(rules, book.is_empty())));
    }
    if rules.json {
        let topics: Vec<_> = chosen.iter().map(|&at| &book[at]).collect();
        outln!(
            "{}",
            json!({ "game": game.definition.id, "topics": topics })
        );
        return Ok(());
    }
    let paint = Paint::new();
    for at in chosen {
        let topic = &book[at];
        let title = format!("{} ({})", language.of(&topic.title), topic.id);
        for line in prose::topic(&title, language.of(&topic.text), paint) {
            outln!("{line}");
        }
    }
    Ok(())
}

fn nothing(rules: &Rules, no_book: bool) -> String {
    let game = &rules.game.game;
    let asked = rules.topic.as_deref().unwrap_or_default();
    match (rules.reader.lang, no_book) {
        (Language::Es, true) => format!("`{game}` no tiene reglamento"),
        (Language::En, true) => format!("`{game}` has no rulebook"),
        (Language::Es, false) => {
            format!("el reglamento de `{game}` no tiene ningún tema «{asked}»")
        }
        (Language::En, false) => format!("the rulebook of `{game}` has no topic `{asked}`"),
    }
}
