//! What people read: prompts and log lines with their braces filled, in one of the two languages.

use crate::model::value::Val;
use crate::table::Table;
use crate::table::choice::Choice;
use crate::table::event::Event;
pub use crate::table::label::Language;
use crate::table::label::{fill, fill_in, label};

/// The question of a choice.
pub fn prompt(table: &Table, choice: &Choice, language: Language) -> String {
    let key = prompt_key(table, choice.prompt);
    let text = table.game.definition.texts.prompt.get(key);
    fill(
        table,
        text.map_or(key, |t| language.of(t)),
        &choice.details,
        language,
    )
}

/// A word of the game as people read it.
pub fn word(table: &Table, word: &str, language: Language) -> String {
    language.of(&label(table, &Val::string(word))).to_string()
}

/// The key of a prompt, as transcripts and scenarios name it.
pub fn prompt_key(table: &Table, prompt: u32) -> &str {
    table
        .game
        .lexicon
        .prompts
        .get(prompt as usize)
        .map_or("", |key| key)
}

/// A log line, for events that people read.
pub fn line(table: &Table, event: &Event, language: Language) -> Option<String> {
    match event {
        Event::Said { key, details, .. } => {
            let key = table.game.lexicon.logs.get(*key as usize)?;
            let text = table.game.definition.texts.log.get(key)?;
            Some(fill_in(language.of(text), details, language))
        }
        Event::Rolled { die, shown } => {
            let die = &table.game.definition.dice[*die];
            if die.told {
                return None;
            }
            let die = die
                .text
                .as_ref()
                .map_or(&*die.name, |text| language.of(text));
            let shown: Vec<String> = shown.iter().map(i32::to_string).collect();
            Some(format!("{die}: {}", shown.join(" ")))
        }
        Event::Printed { text } => Some(text.clone()),
        _ => None,
    }
}

/// The reason why the game ended.
pub fn reason(table: &Table, language: Language) -> String {
    use crate::model::state::End;
    let texts = &table.game.definition.texts.reason;
    match &table.state.end {
        Some(End::Rules {
            reason: Some(reason),
            ..
        }) => {
            let key = table.game.lexicon.reasons.get(*reason as usize);
            key.and_then(|k| texts.get(k))
                .map_or_else(String::new, |t| language.of(t).to_string())
        }
        Some(End::RoundLimit) => match language {
            Language::Es => "límite de rondas".into(),
            Language::En => "round limit".into(),
        },
        _ => String::new(),
    }
}

/// The reason as a stable key: of the rules, `round-limit`, or `rules` if they gave none.
pub fn reason_key(table: &Table) -> String {
    use crate::model::state::End;
    match &table.state.end {
        Some(End::Rules {
            reason: Some(reason),
            ..
        }) => table
            .game
            .lexicon
            .reasons
            .get(*reason as usize)
            .cloned()
            .unwrap_or_default(),
        Some(End::Rules { reason: None, .. }) => "rules".into(),
        Some(End::RoundLimit) => "round-limit".into(),
        None => String::new(),
    }
}
