//! Numbers per word that a rule reads under a word there is none for: `game.used["courge"]`. What stands before the dot may be anything, so
//! only names that nothing else has are looked at.

use crate::content::definition::{Attribute, Definition, Per};
use crate::content::diagnostic::{Code, Diagnostic};
use crate::content::file::{Files, Place};
use ludoteca_vm::lexis::{Lexeme, Lexis, lex};
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn unknown_words(definition: &Definition, files: &Files) -> Vec<Diagnostic> {
    let rows = rows(definition);
    if rows.is_empty() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for file in files.iter().filter(|file| file.path.ends_with(".rhai")) {
        let text = &file.text;
        let parts: Vec<Lexeme> = lex(text).into_iter().filter(|p| !p.is_quiet()).collect();
        for five in parts.windows(5) {
            let said: Vec<&str> = five.iter().map(|part| part.text(text)).collect();
            let [".", name, "[", quoted, "]"] = said[..] else {
                continue;
            };
            let word = quoted
                .strip_prefix('"')
                .and_then(|rest| rest.strip_suffix('"'));
            let (Some(words), Some(word)) = (rows.get(name), word) else {
                continue;
            };
            if five[3].kind != Lexis::Text || words.contains(word) {
                continue;
            }
            let message = format!("`{name}` has no number for `{word}`");
            let place = Place::new(file, five[3].span.clone());
            let problem = Diagnostic::new(Code::Script("unknown-name"), message).of("word");
            found.push(problem.at(&place).suggest(word, words.iter().copied()));
        }
    }
    found
}

/// The words of each attribute that is a number per word, and is nothing else anywhere.
fn rows(definition: &Definition) -> BTreeMap<&str, BTreeSet<&str>> {
    let all = &definition.attributes;
    let attributes = || {
        [&all.game, &all.player, &all.space, &all.piece]
            .into_iter()
            .flatten()
    };
    let words = |attribute: &Attribute| matches!(attribute.per, Per::Word(_));
    let fields = definition.kinds.iter().flat_map(|kind| &kind.fields);
    let fields: BTreeSet<&str> = fields.map(|field| field.name.as_str()).collect();
    let others: BTreeSet<&str> = attributes()
        .filter(|attribute| !words(attribute))
        .map(|attribute| attribute.name.as_str())
        .collect();
    let mut rows: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for attribute in attributes() {
        let name = attribute.name.as_str();
        if let Per::Word(known) = &attribute.per
            && !others.contains(name)
            && !fields.contains(name)
        {
            let words = rows.entry(name).or_default();
            words.extend(
                known
                    .iter()
                    .map(|word| definition.words[*word as usize].as_str()),
            );
        }
    }
    rows
}
