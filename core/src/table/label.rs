//! What people read for a value, and texts with their braces filled.

use super::Table;
use super::about::About;
use super::choice;
use super::event::Detail;
use super::weight;
pub use crate::content::definition::Language;
use crate::content::definition::Text;
use crate::content::legible::legible_line;
use crate::content::wording::{self, Filling, TextPiece};
use crate::limits::{LARGEST_DETAILS, LONGEST_LABEL, LONGEST_STRING};
use crate::model::value::{self, Val, handle, small};
use ludoteca_vm::{Host, HostError, Value};
use std::borrow::Cow;

/// Whether people can be shown what a call gave for the braces of a text.
pub fn may_be_shown(table: &Table, details: &Val) -> Result<(), HostError> {
    match details {
        Value::Map(_) if weight::shown(table, details) > LARGEST_DETAILS => Err(HostError::new(
            format!("the details of a text may hold at most {LARGEST_DETAILS} values and letters"),
        )),
        Value::Map(_) | Value::Unit => Ok(()),
        other => Err(HostError::new(format!(
            "the details of a text are a map, as `#{{ who: p }}`, found {}",
            table.display(other)
        ))),
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
pub fn shortened(text: String) -> String {
    let mut text = match legible_line(&text) {
        Cow::Owned(seen) => seen,
        Cow::Borrowed(_) => text,
    };
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

/// What each of several is called; equal words and cards are counted: `energy ×3`.
fn members(table: &Table, several: &Val) -> Vec<Text> {
    let mut told: Vec<(Text, usize)> = Vec::new();
    for member in (0..table.count(several) as i64).filter_map(|n| table.nth(several, n)) {
        let text = label(table, &member);
        let counted = !matches!(member, Value::Int(_));
        match told.iter_mut().find(|(known, _)| counted && *known == text) {
            Some((_, count)) => *count += 1,
            None => told.push((text, 1)),
        }
    }
    let counted = |(text, count): (Text, usize)| match count {
        1 => text,
        count => Text {
            es: format!("{} ×{count}", text.es),
            en: format!("{} ×{count}", text.en),
        },
    };
    told.into_iter().map(counted).collect()
}

/// Members one after the other, as a row of a table shows them.
fn row(members: &[Text]) -> Text {
    let join = |pick: fn(&Text) -> &str| members.iter().map(pick).collect::<Vec<_>>().join(", ");
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

/// A thing something is done with, where several things may be done: what, if that has a text, comes first.
pub fn label_of_action(table: &Table, action: &Val, thing: Text) -> Text {
    let named = table
        .game
        .definition
        .texts
        .option
        .get(&table.display(action));
    match named {
        None => thing,
        Some(action) => Text {
            es: shortened(format!("{}: {}", action.es, thing.es)),
            en: shortened(format!("{}: {}", action.en, thing.en)),
        },
    }
}

/// What a call gave for the braces of a text, as it stands now.
pub fn details(table: &Table, given: &Val) -> Vec<Detail> {
    let Value::Map(given) = given else {
        return Vec::new();
    };
    let articles = &table.game.definition.texts.article;
    let detail = |name: &str, value: &Val| {
        let several = match value {
            Value::Array(_) | Value::Small(..) | Value::Object(_) => Some(members(table, value)),
            _ => None,
        };
        let thing = match value {
            Value::Handle(handle::PIECE, _) => table.display(&table.card_of(value)),
            other => choice::key(table, other),
        };
        Detail {
            name: name.to_string(),
            key: choice::key(table, value),
            text: several
                .as_ref()
                .map_or_else(|| label(table, value), |members| row(members)),
            members: several.unwrap_or_default(),
            article: articles.get(&thing).cloned(),
            about: About::new(table, value),
        }
    };
    given
        .iter()
        .map(|(name, value)| detail(name, value))
        .collect()
}

/// Fills `{braces}` with the details a call gave.
pub fn fill(table: &Table, template: &str, given: &Val, language: Language) -> String {
    fill_in(template, &details(table, given), language)
}

/// The same with details that were noted before.
pub fn fill_in(template: &str, details: &[Detail], language: Language) -> String {
    let mut filled = String::new();
    for part in parts(template, details, language) {
        let (TextPart::Text(text) | TextPart::Detail(_, text)) = part;
        filled.push_str(&text);
        if filled.len() > LONGEST_STRING {
            let end = filled.floor_char_boundary(LONGEST_STRING);
            filled.truncate(end);
            break;
        }
    }
    match legible_line(&filled) {
        Cow::Owned(seen) => seen,
        Cow::Borrowed(_) => filled,
    }
}

/// A text in pieces: what stands there, and what fills a brace, with the words it is filled with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TextPart<'a> {
    Text(String),
    Detail(&'a Detail, String),
}

/// Takes a text apart at its braces. A brace nothing fills stays as it is written. What is longer than anybody reads ends there, and where
/// very many things are named the rest are words.
pub fn parts<'a>(template: &str, details: &'a [Detail], language: Language) -> Vec<TextPart<'a>> {
    let mut parts: Vec<TextPart<'a>> = Vec::new();
    let (mut letters, mut things) = (0, 0);
    for piece in wording::pieces(template) {
        if letters > LONGEST_STRING {
            break;
        }
        let brace = match piece {
            TextPiece::Text(text) => {
                letters += text.len();
                parts.push(TextPart::Text(text.to_string()));
                continue;
            }
            TextPiece::Brace(brace) => brace,
        };
        let Some(detail) = details.iter().find(|detail| detail.name == brace.name) else {
            parts.push(TextPart::Text(brace.written.to_string()));
            continue;
        };
        let mut filled = brace.filled(&detail.filling(language), language);
        if let Some(TextPart::Text(before)) = parts.last_mut()
            && let Some((stays, rest)) = wording::contracted(before, &filled, language)
        {
            before.truncate(stays);
            before.push_str("l ");
            filled = rest.to_string();
        }
        letters += filled.len();
        // Equal ones are one member, and each of them is told all the same.
        things += match &detail.about {
            About::Several { of } => of.len(),
            _ => 1,
        };
        parts.push(match things > LARGEST_DETAILS {
            true => TextPart::Text(filled),
            false => TextPart::Detail(detail, filled),
        });
    }
    parts
}

impl Detail {
    fn filling(&self, language: Language) -> Filling<'_> {
        let text = language.of(&self.text);
        match self.about {
            About::Amount { amount } => Filling::Number(amount),
            About::Several { .. } | About::Dice { .. } => {
                Filling::Several(self.members.iter().map(|m| language.of(m)).collect(), text)
            }
            _ => Filling::Noun(text, self.article.as_ref()),
        }
    }
}
