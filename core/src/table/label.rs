//! What people read for a value, and texts with their braces filled.

use super::Table;
use super::about::About;
use super::choice;
use super::event::Detail;
use super::weight;
use crate::content::definition::Text;
use crate::limits::{LARGEST_DETAILS, LONGEST_LABEL, LONGEST_STRING};
use crate::model::value::{self, Val, handle, small};
use ludoteca_vm::{Host, HostError, Value};
use serde::{Deserialize, Serialize};

/// A language texts are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    #[default]
    Es,
    En,
}

impl Language {
    pub fn of(self, text: &Text) -> &str {
        match self {
            Language::Es => &text.es,
            Language::En => &text.en,
        }
    }
}

/// Whether people can be shown what a call gave for the braces of a text.
pub fn may_be_shown(table: &Table, details: &Val) -> Result<(), HostError> {
    match details {
        Value::Map(_) if weight::shown(table, details) > LARGEST_DETAILS => Err(HostError::new(
            format!("the details of a text may hold at most {LARGEST_DETAILS} values and letters"),
        )),
        _ => Ok(()),
    }
}

/// What a person reads for an option, cut where nobody reads on.
pub fn label(table: &Table, option: &Val) -> Text {
    let Text { es, en } = whole_label(table, option);
    Text {
        es: shortened(es),
        en: shortened(en),
    }
}

/// A text for people that is no longer than they read.
pub fn shortened(mut text: String) -> String {
    if text.len() > LONGEST_LABEL {
        let end = text.floor_char_boundary(LONGEST_LABEL);
        text.truncate(end);
        text.push('…');
    }
    text
}

fn whole_label(table: &Table, option: &Val) -> Text {
    let plain = |text: String| Text {
        es: text.clone(),
        en: text,
    };
    let definition = &table.game.definition;
    match option {
        Value::Bool(true) => Text {
            es: "Sí".into(),
            en: "Yes".into(),
        },
        Value::Bool(false) => Text {
            es: "No".into(),
            en: "No".into(),
        },
        Value::Handle(handle::PLAYER, seat) => table.player_name(*seat as u8),
        Value::Handle(handle::SPACE, id) => table.space_name(*id),
        Value::Handle(handle::EDGE, id) => {
            let (from, to) = value::ends(*id);
            let (a, b) = (table.space_name(from), table.space_name(to));
            Text {
                es: format!("{} → {}", a.es, b.es),
                en: format!("{} → {}", a.en, b.en),
            }
        }
        Value::Handle(handle::AREA, id) => definition
            .map
            .as_ref()
            .map_or_else(Text::default, |m| m.areas[*id as usize].name.clone()),
        Value::Handle(handle::PIECE, id) => definition.cards
            [table.state.pieces[*id as usize].card as usize]
            .name
            .clone(),
        Value::Handle(handle::CARD, id) => definition.cards[*id as usize].name.clone(),
        Value::Str(word) => word_label(table, word),
        Value::Handle(handle::WORD, _) => word_label(table, &table.display(option)),
        Value::Array(items) => {
            let labels: Vec<Text> = items.iter().map(|item| label(table, item)).collect();
            let join = |pick: fn(&Text) -> &String| {
                labels
                    .iter()
                    .map(pick)
                    .cloned()
                    .collect::<Vec<_>>()
                    .join(" + ")
            };
            Text {
                es: join(|t| &t.es),
                en: join(|t| &t.en),
            }
        }
        Value::Small(small::DICE, _) | Value::Int(_) => plain(table.display(option)),
        Value::Object(_) => plain(table.display(option)),
        other => plain(table.display(other)),
    }
}

/// Members one after the other, as a row of a table shows them.
fn row(table: &Table, members: &Val) -> Text {
    let labels: Vec<Text> = (0..table.count(members) as i64)
        .filter_map(|n| table.nth(members, n))
        .map(|member| label(table, &member))
        .collect();
    let join = |pick: fn(&Text) -> &String| {
        labels
            .iter()
            .map(pick)
            .cloned()
            .collect::<Vec<_>>()
            .join(", ")
    };
    Text {
        es: shortened(join(|t| &t.es)),
        en: shortened(join(|t| &t.en)),
    }
}

fn word_label(table: &Table, word: &str) -> Text {
    let texts = &table.game.definition.texts;
    let named = texts.option.get(word).cloned();
    named.unwrap_or_else(|| Text {
        es: word.replace('_', " "),
        en: word.replace('_', " "),
    })
}

/// What a call gave for the braces of a text, as it stands now.
pub fn details(table: &Table, given: &Val) -> Vec<Detail> {
    let Value::Map(given) = given else {
        return Vec::new();
    };
    given
        .iter()
        .map(|(name, value)| Detail {
            name: name.to_string(),
            key: choice::key(table, value),
            text: match value {
                Value::Array(_) | Value::Small(..) | Value::Object(_) => row(table, value),
                one => label(table, one),
            },
            about: About::new(table, value),
        })
        .collect()
}

/// Fills `{braces}` with the details a call gave.
pub fn fill(table: &Table, template: &str, given: &Val, language: Language) -> String {
    fill_in(template, &details(table, given), language)
}

/// The same with details that were noted before.
pub fn fill_in(template: &str, details: &[Detail], language: Language) -> String {
    let mut filled = String::new();
    for part in parts(template, details) {
        filled.push_str(match part {
            Part::Text(text) => text,
            Part::Detail(detail) => language.of(&detail.text),
        });
        if filled.len() > LONGEST_STRING {
            let end = filled.floor_char_boundary(LONGEST_STRING);
            filled.truncate(end);
            break;
        }
    }
    filled
}

/// A text in pieces: what stands there, and what fills a brace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part<'a> {
    Text(&'a str),
    Detail(&'a Detail),
}

/// Takes a text apart at its braces. A brace nothing fills stays as it is written.
pub fn parts<'a>(template: &'a str, details: &'a [Detail]) -> impl Iterator<Item = Part<'a>> {
    let mut rest = template;
    std::iter::from_fn(move || {
        let brace = rest.find('{').and_then(|open| {
            let length = rest[open..].find('}')?;
            let name = &rest[open + 1..open + length];
            let detail = details.iter().find(|detail| detail.name == name);
            Some((open, length, detail))
        });
        match brace {
            Some((0, length, detail)) => {
                let (written, after) = rest.split_at(length + 1);
                rest = after;
                Some(detail.map_or(Part::Text(written), Part::Detail))
            }
            Some((open, ..)) => {
                let (before, after) = rest.split_at(open);
                rest = after;
                Some(Part::Text(before))
            }
            None if rest.is_empty() => None,
            None => Some(Part::Text(std::mem::take(&mut rest))),
        }
    })
}
