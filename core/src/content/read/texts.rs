//! Texts: what people read, by key, in both languages.

use super::reader::{At, Read, Reader};
use crate::content::definition::{Article, Manner, Text, Texts};
use crate::content::diagnostic::{Code, Diagnostic};
use crate::content::file::Place;
use crate::content::tree::{Branch, Datum, Node};
use crate::content::wording::{self, TextPiece};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// A file `text.toml` or `text-*.toml`.
pub struct TextFile;

pub const SECTIONS: [&str; 8] = [
    "prompt", "option", "log", "step", "reason", "field", "help", "article",
];

pub fn read(node: &Node, reader: &mut Reader) -> Texts {
    let mut texts = Texts::default();
    let Some(table) = reader.record(node, "the texts", &SECTIONS) else {
        return texts;
    };
    for (section, entry) in table.iter() {
        let manners = (section == "prompt").then_some(&mut texts.manners);
        let keyed = match section.as_str() {
            "prompt" => &mut texts.prompt,
            "option" => &mut texts.option,
            "log" => &mut texts.log,
            "step" => &mut texts.step,
            "reason" => &mut texts.reason,
            "field" => &mut texts.field,
            "help" => &mut texts.help,
            "article" => {
                articles(&entry.node, &mut texts.article, reader);
                continue;
            }
            _ => continue,
        };
        if let Some(table) = reader.table(&entry.node, "texts by key") {
            flatten(table, "", keyed, manners, reader);
        }
        if AS_WRITTEN.contains(&section.as_str()) {
            nothing_fills(&entry.node, section, reader);
        }
    }
    texts
}

/// Texts that people read as they are written: nothing is said with them that could fill a brace.
const AS_WRITTEN: [&str; 4] = ["option", "step", "reason", "field"];

fn nothing_fills(node: &Node, section: &str, reader: &mut Reader) {
    let text = match &node.value {
        Datum::Table(table) => {
            let inside = table.values();
            return inside.for_each(|entry| nothing_fills(&entry.node, section, reader));
        }
        Datum::Text(text) => text,
        _ => return,
    };
    for piece in wording::pieces(text) {
        let TextPiece::Brace(brace) = piece else {
            continue;
        };
        let message = format!(
            "nothing fills `{}` in a text of [{section}]: players would read it as it stands",
            brace.written
        );
        let problem = Diagnostic::new(Code::StrayBrace, message).at(&within(&node.place, &brace));
        reader.report(problem.help("braces are filled in prompts, lines of the log and help"));
    }
}

/// Where a brace stands in a text; the whole text if it is written there in another way.
fn within(place: &Place, brace: &wording::Brace<'_>) -> Place {
    let written = place.file.text.get(place.span.clone());
    match written.and_then(|written| written.find(brace.written)) {
        Some(at) => {
            let start = place.span.start + at;
            Place::new(&place.file, start..start + brace.written.len())
        }
        None => place.clone(),
    }
}

/// Articles by the id of what they stand before; a language whose sentences need none is left out.
fn articles(node: &Node, articles: &mut BTreeMap<String, Article>, reader: &mut Reader) {
    for (id, entry) in reader.table(node, "articles by id").into_iter().flatten() {
        let Some(table) = reader.record(&entry.node, "an article", &["es", "en"]) else {
            continue;
        };
        let mut word = |language: &str, known: &[&str]| {
            let entry = table.get(language)?;
            reader.word(&entry.node, "article", known).map(String::from)
        };
        let article = Article {
            es: word("es", &["el", "la", "los", "las"]),
            en: word("en", &["the"]),
        };
        articles.insert(id.clone(), article);
    }
}

/// A dotted key without quotes is a table to TOML: `attack.target` is the entry `target` of `attack`.
fn flatten(
    table: &Branch,
    prefix: &str,
    keyed: &mut BTreeMap<String, Text>,
    mut manners: Option<&mut BTreeMap<String, Manner>>,
    reader: &mut Reader,
) {
    for (name, entry) in table {
        let key = format!("{prefix}{name}");
        let Some(inner) = entry.node.table() else {
            let _: Option<Text> = Text::read(&entry.node, reader);
            continue;
        };
        let (deeper, own): (Vec<_>, Vec<_>) = inner
            .iter()
            .partition(|(_, entry)| entry.node.table().is_some());
        if !own.is_empty() || deeper.is_empty() {
            let mut own: Branch = own
                .into_iter()
                .map(|(k, e)| (k.clone(), e.clone()))
                .collect();
            if let Some(manners) = &mut manners
                && let Some(manner) = take_manner(&mut own, reader)
            {
                manners.insert(key.clone(), manner);
            }
            let mut node = Node::empty_table(entry.node.place.clone());
            node.value = Datum::table(own);
            let text = Text::read(&node, reader);
            keyed.extend(text.map(|text| (key.clone(), text)));
        }
        let deeper: Branch = deeper
            .into_iter()
            .map(|(k, e)| (k.clone(), e.clone()))
            .collect();
        flatten(
            &deeper,
            &format!("{key}."),
            keyed,
            manners.as_deref_mut(),
            reader,
        );
    }
}

/// What a prompt says besides its text, taken out of its table.
fn take_manner(own: &mut Branch, reader: &mut Reader) -> Option<Manner> {
    let mut said = |word: &str| {
        let entry = own.shift_remove(word)?;
        bool::read(&entry.node, reader)
    };
    let (secret, discards) = (said("secret"), said("discards"));
    let actions = own
        .shift_remove("actions")
        .and_then(|entry| Vec::<At<String>>::read(&entry.node, reader));
    if let Some(actions) = &actions {
        reader.unique("the action", actions.iter());
    }
    let says_more = secret.is_some() || discards.is_some() || actions.is_some();
    says_more.then(|| Manner {
        secret: secret.unwrap_or(false),
        discards: discards.unwrap_or(false),
        actions: actions
            .into_iter()
            .flatten()
            .map(|action| action.value)
            .collect(),
    })
}

impl JsonSchema for TextFile {
    fn schema_name() -> Cow<'static, str> {
        "TextFile".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let text = generator.subschema_for::<Text>();
        let section = |description: &str| {
            json_schema!({
                "description": description,
                "type": "object",
                "additionalProperties": {
                    "anyOf": [text.clone(), { "type": "object", "not": { "anyOf": [{ "required": ["es"] }, { "required": ["en"] }] } }]
                },
            })
        };
        let prompts = json_schema!({
            "description": "What a choice asks.",
            "type": "object",
            "additionalProperties": {
                "type": "object",
                "properties": {
                    "es": { "description": "In Spanish." },
                    "en": { "description": "In English." },
                    "secret": { "description": "What is chosen is told to nobody else, nor that it was asked." },
                    "discards": { "description": "What is taken is given up, not played." },
                    "actions": { "description": "What may be done there, for choose_action, in the order it is offered in.", "type": "array", "items": { "type": "string" } },
                },
            },
        });
        json_schema!({
            "description": "What people read, by key, in Spanish and English.",
            "type": "object",
            "properties": {
                "prompt": prompts,
                "option": section("Labels of options that are words."),
                "log": section("Lines of the log; braces name the details given with the call."),
                "step": section("What a step is called, if its phase has no text."),
                "reason": section("Why the game ended."),
                "field": section("What a field of a card or an edge is called where it is shown."),
                "help": section("What there is to know of a thing, by what it is and its id: prompt.attack, space.market, area.asia, card.wolf, kind.research, word.asleep, step.turn. Braces name values of the game."),
                "article": {
                    "description": "The articles of spaces, areas, cards and words, by id.",
                    "type": "object",
                    "additionalProperties": {
                        "type": "object",
                        "properties": {
                            "es": { "enum": ["el", "la", "los", "las"], "description": "In Spanish." },
                            "en": { "enum": ["the"], "description": "In English." },
                        },
                        "additionalProperties": false,
                    },
                },
            },
            "additionalProperties": false,
        })
    }
}
