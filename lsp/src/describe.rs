//! What a name is, in a few lines of Markdown: for hovering over it, and beside a completion.

use crate::desk::{Desk, WorkedOut};
use ludoteca::{
    Selection,
    definition::{Attribute, Data, Definition, FieldValue, Text},
    explain,
    mentions::{Name, Sort},
    reference,
};
use std::fmt::Write;

/// Everything there is to say of a name.
pub fn describe(desk: &mut Desk, known: &WorkedOut, number: usize) -> String {
    let name = known.mentions.name(number).clone();
    let mut page = heading(&name);
    let definition = &known.loaded.definition;
    match name.sort {
        Sort::Verb => verb(&name.id, &mut page),
        Sort::Property => property(&name, &mut page),
        Sort::Function => function(known, number, &mut page),
        Sort::Value | Sort::Parameter => value(desk, known, number, &mut page),
        Sort::Card => card(definition, &name.id, &mut page),
        Sort::Attribute => attribute(definition, &name, &mut page),
        Sort::Effect | Sort::Condition => phrase(definition, &name, &mut page),
        _ => text(definition, &name, &mut page),
    }
    page
}

/// `**energy**, an attribute of `player``
fn heading(name: &Name) -> String {
    let of = match name.of.is_empty() {
        true => String::new(),
        false => format!(" of `{}`", name.of),
    };
    match name.sort {
        Sort::Verb | Sort::Function => String::new(),
        sort => format!("**{}**, {}{of}\n", name.id, sort.what()),
    }
}

fn both(text: &Text, page: &mut String) {
    let _ = writeln!(page, "\n- es: {}\n- en: {}", text.es, text.en);
}

fn verb(id: &str, page: &mut String) {
    for function in reference().functions.iter().filter(|f| f.name == id) {
        let _ = writeln!(
            page,
            "```rhai\n{}\n```\n{}",
            function.signature(),
            function.doc
        );
        for parameter in &function.parameters {
            let _ = writeln!(page, "- `{}`: {}", parameter.name, parameter.accepts);
        }
        page.push('\n');
    }
}

fn property(name: &Name, page: &mut String) {
    let all = reference().properties;
    if let Some(property) = all.iter().find(|p| p.of == name.of && p.name == name.id) {
        let set = if property.writable {
            "; rules may set it"
        } else {
            ""
        };
        let _ = writeln!(page, "\n{}: {}{set}", property.ty, property.doc);
    }
}

/// The head of a function and the comment above it.
fn function(known: &WorkedOut, number: usize, page: &mut String) {
    for mention in known.mentions.definitions(number) {
        let (head, doc) = head(&mention.place.file.text, mention.place.span.start);
        let from = &mention.place.file.shown;
        let _ = writeln!(page, "```rhai\nfn {head}\n```\n{doc}\n\n*{from}*\n");
    }
}

/// `name(a, b)` and the lines of its doc comment.
pub fn head(text: &str, name: usize) -> (String, String) {
    let rest = &text[name.min(text.len())..];
    let end = rest.find(')').map_or(rest.len(), |at| at + 1);
    let head = rest[..end].split_whitespace().collect::<Vec<_>>().join(" ");
    let before = &text[..name.min(text.len())];
    let mut lines: Vec<&str> = before
        .lines()
        .rev()
        .skip(1)
        .map_while(|line| line.trim_start().strip_prefix("///"))
        .collect();
    lines.reverse();
    let doc: Vec<&str> = lines.iter().map(|line| line.trim()).collect();
    (head, doc.join("\n"))
}

/// Where a value comes from, as it is and in each variant that speaks of it.
fn value(desk: &mut Desk, known: &WorkedOut, number: usize, page: &mut String) {
    let name = known.mentions.name(number);
    let key = match name.of.is_empty() {
        true => name.id.clone(),
        false => format!("{}.{}", name.of, name.id),
    };
    let parameters = known.loaded.definition.parameters.iter();
    let declared = parameters
        .into_iter()
        .find(|p| name.sort == Sort::Parameter && p.name == name.id);
    if let Some(parameter) = declared {
        if let Some(text) = &parameter.text {
            both(text, page);
        }
        if !parameter.is_flag {
            let _ = writeln!(page, "\nfrom {} to {}", parameter.min, parameter.max);
        }
    }
    let range = known
        .loaded
        .definition
        .ranges
        .iter()
        .find(|range| range.key == key);
    if let Some(range) = range {
        let _ = writeln!(page, "\nfrom {} to {}", range.min, range.max);
    }
    for mention in known.mentions.definitions(number).take(1) {
        let said = comment_above(&mention.place.file.text, mention.place.span.start);
        if !said.is_empty() {
            let _ = writeln!(page, "\n{said}");
        }
    }
    page.push('\n');
    let mut told: Vec<String> = Vec::new();
    let mut tell = |stories: Vec<ludoteca::Story>, variant: &str| {
        for story in stories.into_iter().take(24) {
            let line = story.to_string();
            if !told.contains(&line) {
                let with = match variant.is_empty() {
                    true => String::new(),
                    false => format!(" (with `{variant}`)"),
                };
                let _ = writeln!(page, "- {line}{with}");
                told.push(line);
            }
        }
    };
    tell(explain(&known.loaded, &key).unwrap_or_default(), "");
    let game = known.loaded.definition.id.clone();
    let library = desk.library();
    let variants = known
        .mentions
        .of(number)
        .filter(|m| m.place.file.path.starts_with("variants/"));
    let mut names: Vec<String> = variants.map(|m| m.place.file.from.clone()).collect();
    names.sort();
    names.dedup();
    for variant in names.into_iter().take(4) {
        if let Ok(loaded) = library.load(&game, &Selection::variant(&variant)) {
            tell(explain(&loaded, &key).unwrap_or_default(), &variant);
        }
    }
}

/// The comment right above a line, or above the table it stands in.
fn comment_above(text: &str, at: usize) -> String {
    let before = &text[..at.min(text.len())];
    let mut lines: Vec<&str> = before.lines().collect();
    if !before.ends_with('\n') {
        lines.pop();
    }
    let comment = |lines: &[&str]| {
        let mut above: Vec<&str> = lines
            .iter()
            .rev()
            .map_while(|line| line.trim().strip_prefix('#'))
            .collect();
        above.retain(|line| !line.starts_with(":schema"));
        above.reverse();
        above
            .iter()
            .map(|line| line.trim())
            .collect::<Vec<_>>()
            .join(" ")
    };
    let own = comment(&lines);
    if !own.is_empty() {
        return own;
    }
    match lines
        .iter()
        .rposition(|line| line.trim_start().starts_with('['))
    {
        Some(header) => comment(&lines[..header]),
        None => String::new(),
    }
}

fn card(definition: &Definition, id: &str, page: &mut String) {
    let Some(card) = definition.cards.iter().find(|card| card.id == id) else {
        return;
    };
    both(&card.name, page);
    if let Some(text) = &card.text {
        both(text, page);
    }
    let Some(kind) = definition.kinds.get(card.kind as usize) else {
        return;
    };
    let copies = match card.copies {
        1 => "1 copy".to_string(),
        n => format!("{n} copies"),
    };
    let _ = writeln!(page, "\n{}, {copies}", kind.name);
    for (field, value) in kind.fields.iter().zip(&card.fields) {
        if let Some(said) = field_value(definition, value) {
            let _ = writeln!(page, "- {}: {said}", field.name);
        }
    }
}

fn field_value(definition: &Definition, value: &FieldValue) -> Option<String> {
    let word = |word: &u32| {
        definition
            .words
            .get(*word as usize)
            .cloned()
            .unwrap_or_default()
    };
    let card = |card: &u32| {
        definition
            .cards
            .get(*card as usize)
            .map(|c| c.id.clone())
            .unwrap_or_default()
    };
    let map = definition.map.as_ref();
    Some(match value {
        FieldValue::None => return None,
        FieldValue::Int(n) => n.to_string(),
        FieldValue::Bool(yes) => yes.to_string(),
        FieldValue::String(text) => text.clone(),
        FieldValue::Text(text) => text.en.clone(),
        FieldValue::Word(id) => word(id),
        FieldValue::Words(ids) => ids.iter().map(word).collect::<Vec<_>>().join(", "),
        FieldValue::Ints(numbers) => numbers
            .iter()
            .map(i64::to_string)
            .collect::<Vec<_>>()
            .join(", "),
        FieldValue::Card(id) => card(id),
        FieldValue::Cards(ids) => ids.iter().map(card).collect::<Vec<_>>().join(", "),
        FieldValue::Space(id) => map.and_then(|map| map.spaces.get(*id as usize))?.id.clone(),
        FieldValue::Area(id) => map.and_then(|map| map.areas.get(*id as usize))?.id.clone(),
        FieldValue::Function(_) => return None,
        FieldValue::Table(data) => said(data),
    })
}

fn said(data: &Data) -> String {
    match data {
        Data::Bool(yes) => yes.to_string(),
        Data::Int(n) => n.to_string(),
        Data::Text(text) => text.clone(),
        Data::List(items) => format!(
            "[{}]",
            items.iter().map(said).collect::<Vec<_>>().join(", ")
        ),
        Data::Table(entries) => {
            let entry = |(key, value): (&String, &Data)| format!("{key} {}", said(value));
            entries.iter().map(entry).collect::<Vec<_>>().join(", ")
        }
    }
}

fn attribute(definition: &Definition, name: &Name, page: &mut String) {
    let all = &definition.attributes;
    let list: &[Attribute] = match name.of.as_str() {
        "game" => &all.game,
        "player" => &all.player,
        "space" => &all.space,
        _ => &all.piece,
    };
    let Some(attribute) = list.iter().find(|attribute| attribute.name == name.id) else {
        return;
    };
    if let Some(text) = &attribute.text {
        both(text, page);
    }
    use ludoteca::definition::AttributeType::*;
    let _ = match &attribute.ty {
        Int if attribute.min > i32::MIN || attribute.max < i32::MAX => {
            let bound = |n: i32, none: i32| {
                if n == none {
                    "any".to_string()
                } else {
                    n.to_string()
                }
            };
            writeln!(
                page,
                "\na whole number, from {} to {}",
                bound(attribute.min, i32::MIN),
                bound(attribute.max, i32::MAX)
            )
        }
        Int => writeln!(page, "\na whole number"),
        Bool => writeln!(page, "\ntrue or false"),
        Player => writeln!(page, "\na player"),
        Space => writeln!(page, "\na space"),
        Piece => writeln!(page, "\na piece"),
        Card => writeln!(page, "\na card"),
        Area => writeln!(page, "\nan area"),
        Word(words) => {
            let word = |word: &u32| {
                definition
                    .words
                    .get(*word as usize)
                    .cloned()
                    .unwrap_or_default()
            };
            writeln!(
                page,
                "\none of {}",
                words.iter().map(word).collect::<Vec<_>>().join(", ")
            )
        }
    };
}

fn phrase(definition: &Definition, name: &Name, page: &mut String) {
    let is_condition = name.sort == Sort::Condition;
    let words = definition
        .phrase_words
        .iter()
        .filter(|word| word.is_condition == is_condition);
    let Some(word) = words.into_iter().find(|word| word.function.name == name.id) else {
        return;
    };
    for (index, (field, may_be_left_out)) in word.takes.iter().enumerate() {
        let key = if index == 0 { &name.id } else { &field.name };
        let mark = if *may_be_left_out {
            ", may be left out"
        } else {
            ""
        };
        let ty = format!("{:?}", field.ty);
        let ty = ty.split('(').next().unwrap_or_default().to_lowercase();
        let _ = writeln!(page, "- `{key}`: {} ({ty}{mark})", field.name);
    }
}

/// What people read of a thing.
fn text(definition: &Definition, name: &Name, page: &mut String) {
    let texts = &definition.texts;
    let map = definition.map.as_ref();
    let id = &name.id;
    let found: Option<&Text> = match name.sort {
        Sort::Prompt => texts.prompt.get(id),
        Sort::Option | Sort::Action => texts.option.get(id),
        Sort::Log => texts.log.get(id),
        Sort::Step => texts.step.get(id),
        Sort::Reason => texts.reason.get(id),
        Sort::Caption => texts.field.get(id),
        Sort::Help => texts.help.get(id),
        Sort::Word => texts.option.get(id),
        Sort::Zone => definition
            .zones
            .iter()
            .find(|zone| zone.name == *id)
            .and_then(|zone| zone.text.as_ref()),
        Sort::Kind => definition
            .kinds
            .iter()
            .find(|kind| kind.name == *id)
            .and_then(|kind| kind.text.as_ref()),
        Sort::Die => definition
            .dice
            .iter()
            .find(|die| die.name == *id)
            .and_then(|die| die.text.as_ref()),
        Sort::Metric => definition
            .metrics
            .iter()
            .find(|metric| metric.name == *id)
            .map(|metric| &metric.text),
        Sort::Side => definition
            .sides
            .iter()
            .find(|side| side.name == *id)
            .map(|side| &side.text),
        Sort::Space => map
            .and_then(|map| map.spaces.iter().find(|space| space.id == *id))
            .map(|space| &space.name),
        Sort::Area => map
            .and_then(|map| map.areas.iter().find(|area| area.id == *id))
            .map(|area| &area.name),
        Sort::Section => map
            .and_then(|map| map.sections.iter().find(|s| s.id == *id))
            .map(|section| &section.name),
        Sort::Game => Some(&definition.title),
        _ => None,
    };
    if let Some(text) = found {
        both(text, page);
    }
}
