//! `ludoteca rules`: the rulebook of a game, with the numbers it is played with.

use crate::arguments::Rules;
use crate::output::{Failure, Outcome, outln};
use crate::packs;
use crate::terminal::paint::Paint;
use crate::terminal::prose;
use crate::words::{self, say};
use ludoteca::help;
use serde_json::json;
use std::path::PathBuf;

pub fn run(content: &[PathBuf], rules: &Rules) -> Outcome {
    let game = packs::game(content, &rules.game)?;
    let language = words::language();
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
    match no_book {
        true => say!("«{game}» no tiene reglamento", "`{game}` has no rulebook"),
        false => say!(
            "el reglamento de «{game}» no tiene ningún tema «{asked}»",
            "the rulebook of `{game}` has no topic `{asked}`"
        ),
    }
}
