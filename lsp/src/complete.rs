//! What could be written here: names that fit, keys of files, functions with their parameters, variables.

use crate::describe::{self, head};
use crate::desk::{Desk, WorkedOut};
use crate::page::Page;
use crate::shapes::SchemaShape;
use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionList, CompletionTextEdit, Documentation,
    InsertTextFormat, MarkupContent, MarkupKind, Position, TextEdit, Uri,
};
use ludoteca::limits::MOST_SHOWN;
use ludoteca::{
    mentions::{Sort, Wants, cursor, locals},
    reference, script_lexis,
};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// What an item remembers, to be explained when somebody looks at it.
#[derive(Serialize, Deserialize)]
struct Remembered {
    game: String,
    sort: String,
    of: String,
    id: String,
}

/// The items so far, and what they take the place of.
struct Items<'a> {
    page: &'a Page,
    /// The cursor.
    byte: usize,
    span: Range<usize>,
    list: Vec<CompletionItem>,
    seen: BTreeSet<String>,
    /// Whether some were left out.
    more: bool,
}

impl<'a> Items<'a> {
    fn new(page: &'a Page, byte: usize) -> Items<'a> {
        Items {
            page,
            byte,
            span: byte..byte,
            list: Vec::new(),
            seen: BTreeSet::new(),
            more: false,
        }
    }

    /// Of very many, those that begin with what is written have a half for themselves.
    fn has_room(&self, label: &str) -> bool {
        let begun = self.page.text.get(self.span.start..self.byte);
        match begun.is_some_and(|begun| label.starts_with(begun)) {
            true => self.list.len() < MOST_SHOWN,
            false => self.list.len() < MOST_SHOWN / 2,
        }
    }

    fn add(&mut self, mut item: CompletionItem, written: String) {
        if !self.has_room(&item.label) {
            self.more = true;
            return;
        }
        if !self.seen.insert(item.label.clone()) {
            return;
        }
        item.filter_text = Some(item.label.clone());
        item.text_edit = Some(CompletionTextEdit::Edit(TextEdit {
            range: self.page.positions(self.span.clone()),
            new_text: written,
        }));
        self.list.push(item);
    }

    /// Names that fit, written by `form`.
    fn names(&mut self, known: &WorkedOut, wants: &Wants, form: impl Fn(&str) -> String) {
        for number in known.mentions.fitting(wants) {
            let name = known.mentions.name(number);
            let id = match wants {
                Wants::Dotted if !name.of.is_empty() => format!("{}.{}", name.of, name.id),
                _ => name.id.clone(),
            };
            let of = match name.of.is_empty() || *wants == Wants::Dotted {
                true => String::new(),
                false => format!(" of {}", name.of),
            };
            let item = CompletionItem {
                label: id.clone(),
                kind: Some(kind(name.sort)),
                detail: Some(format!("{}{of}", name.sort.what())),
                data: serde_json::to_value(Remembered {
                    game: self.page.game.clone(),
                    sort: format!("{:?}", name.sort),
                    of: name.of.clone(),
                    id: name.id.clone(),
                })
                .ok(),
                ..CompletionItem::default()
            };
            self.add(item, form(&id));
        }
        if let Wants::Words(words) = wants {
            for word in words {
                let item = CompletionItem {
                    label: word.clone(),
                    kind: Some(CompletionItemKind::ENUM_MEMBER),
                    ..CompletionItem::default()
                };
                self.add(item, form(word));
            }
        }
    }
}

pub fn complete(desk: &mut Desk, uri: &Uri, position: Position) -> Option<CompletionList> {
    let page = Page::open(desk, uri)?;
    let byte = page.byte(position);
    let items = match page.is_script() {
        true => in_script(&page, byte),
        false => in_data(&page, byte),
    };
    Some(CompletionList {
        is_incomplete: items.more,
        items: items.list,
    })
}

fn in_script(page: &Page, byte: usize) -> Items<'_> {
    let mut items = Items::new(page, byte);
    match cursor::in_script(&page.text, byte) {
        cursor::CursorAt::Nothing => {}
        cursor::CursorAt::Text(wants, span) => {
            items.span = span;
            if let Some(known) = &page.known {
                let definition = &known.loaded.definition;
                let words = cursor::words_at(&page.text, byte, definition);
                items.names(known, &words.unwrap_or(wants), str::to_string);
            }
        }
        cursor::CursorAt::Property(chain, span) => {
            items.span = span;
            if let Some(known) = &page.known {
                properties(&mut items, known, &chain);
            }
        }
        cursor::CursorAt::Name(span) => {
            items.span = span;
            if let Some(known) = &page.known {
                details(&mut items, known, byte);
            }
            variables(&mut items, byte);
            if let Some(known) = &page.known {
                functions(&mut items, known);
                let constants = Wants::Sorts(vec![Sort::Parameter]);
                let tables = Wants::Of(Sort::Value, String::new());
                for wants in [constants, tables] {
                    capitals(&mut items, known, &wants);
                }
            }
            verbs(&mut items);
            for word in script_lexis::KEYWORDS {
                let item = CompletionItem {
                    label: word.to_string(),
                    kind: Some(CompletionItemKind::KEYWORD),
                    sort_text: Some(format!("9{word}")),
                    ..CompletionItem::default()
                };
                items.add(item, word.to_string());
            }
        }
    }
    items
}

/// In the details of a text: the braces that nothing fills yet.
fn details(items: &mut Items<'_>, known: &WorkedOut, byte: usize) {
    let definition = &known.loaded.definition;
    for name in cursor::details_at(&items.page.text, byte, definition) {
        let item = CompletionItem {
            label: name.clone(),
            kind: Some(CompletionItemKind::FIELD),
            detail: Some("a brace of the text".into()),
            sort_text: Some(format!("00{name}")),
            ..CompletionItem::default()
        };
        items.add(item, format!("{name}: "));
    }
}

/// After a dot: keys of a table, or what players, spaces, pieces and cards have.
fn properties(items: &mut Items<'_>, known: &WorkedOut, chain: &[String]) {
    match cursor::after_dot(chain) {
        Wants::Dotted => {
            let above: Vec<String> = chain.iter().map(|step| step.to_lowercase()).collect();
            let wants = Wants::Of(Sort::Value, above.join("."));
            items.names(known, &wants, str::to_string);
        }
        Wants::Sorts(mut sorts) => {
            sorts.retain(|sort| *sort != Sort::Value);
            items.names(known, &Wants::Sorts(sorts), str::to_string);
        }
        wants => items.names(known, &wants, str::to_string),
    }
}

fn capitals(items: &mut Items<'_>, known: &WorkedOut, wants: &Wants) {
    for number in known.mentions.fitting(wants) {
        let name = known.mentions.name(number);
        let written = name.id.to_uppercase();
        let item = CompletionItem {
            label: written.clone(),
            kind: Some(CompletionItemKind::CONSTANT),
            detail: Some(name.sort.what().to_string()),
            data: serde_json::to_value(Remembered {
                game: items.page.game.clone(),
                sort: format!("{:?}", name.sort),
                of: String::new(),
                id: name.id.clone(),
            })
            .ok(),
            ..CompletionItem::default()
        };
        items.add(item, written);
    }
}

/// Variables that can be named at a byte, the nearest first.
fn variables(items: &mut Items<'_>, byte: usize) {
    let all = locals::locals(&items.page.text);
    let here = all
        .iter()
        .filter(|local| local.scope.start < byte && byte <= local.scope.end);
    for local in here.rev() {
        // The name that is being written declares nothing yet.
        if local.places.first() == Some(&items.span) {
            continue;
        }
        let item = CompletionItem {
            label: local.name.clone(),
            kind: Some(CompletionItemKind::VARIABLE),
            sort_text: Some(format!("0{}", local.name)),
            detail: Some(
                if local.is_parameter {
                    "a parameter"
                } else {
                    "a variable"
                }
                .into(),
            ),
            ..CompletionItem::default()
        };
        items.add(item, local.name.clone());
    }
}

fn functions(items: &mut Items<'_>, known: &WorkedOut) {
    for number in known.mentions.fitting(&Wants::Sorts(vec![Sort::Function])) {
        let name = known.mentions.name(number);
        let Some(mention) = known.mentions.definitions(number).next() else {
            continue;
        };
        let (head, doc) = head(&mention.place.file.text, mention.place.span.start);
        let parameters = head
            .split_once('(')
            .map_or("", |(_, rest)| rest.trim_end_matches(')'));
        let parameters: Vec<&str> = parameters
            .split(',')
            .map(str::trim)
            .filter(|p| !p.is_empty())
            .collect();
        let item = function_item(&name.id, head.clone(), &doc);
        items.add(item, snippet(&name.id, &parameters));
    }
}

fn verbs(items: &mut Items<'_>) {
    let mut forms: BTreeMap<&str, (Vec<String>, Vec<&str>, &str)> = BTreeMap::new();
    let all = reference();
    for function in &all.functions {
        let names = function.parameters.iter().map(|p| p.name).collect();
        let form = forms
            .entry(function.name)
            .or_insert((Vec::new(), names, function.doc));
        form.0.push(function.signature());
    }
    for (name, (signatures, parameters, doc)) in forms {
        let item = function_item(name, signatures.join("\n"), doc);
        items.add(item, snippet(name, &parameters));
    }
}

fn function_item(name: &str, detail: String, doc: &str) -> CompletionItem {
    CompletionItem {
        label: name.to_string(),
        kind: Some(CompletionItemKind::FUNCTION),
        detail: Some(detail),
        documentation: (!doc.is_empty()).then(|| markdown(doc.to_string())),
        insert_text_format: Some(InsertTextFormat::SNIPPET),
        ..CompletionItem::default()
    }
}

/// A call with places for its arguments.
fn snippet(name: &str, parameters: &[&str]) -> String {
    let places = parameters.iter().enumerate();
    let places: Vec<String> = places
        .map(|(n, name)| format!("${{{}:{name}}}", n + 1))
        .collect();
    format!("{name}({})", places.join(", "))
}

fn in_data(page: &Page, byte: usize) -> Items<'_> {
    let mut items = Items::new(page, byte);
    let Some(way) = cursor::in_data(&page.text, byte) else {
        return items;
    };
    items.span = way.span.clone();
    let wants = page.known.as_ref().and_then(|known| {
        let definition = &known.loaded.definition;
        cursor::names_at(&page.sheet.path, &way, &page.kind(), definition)
    });
    let quoted = way.is_quoted;
    if let Some(known) = page.known.as_ref().filter(|_| quoted && !way.is_key)
        && braces(&mut items, known, &way, byte)
    {
        return items;
    }
    if way.is_key {
        keys(&mut items, &way);
        if let (Some(known), Some(wants)) = (&page.known, &wants) {
            items.names(known, wants, |id| match quoted || is_bare(id) {
                true => id.to_string(),
                false => format!("\"{id}\""),
            });
        }
        return items;
    }
    if let (Some(known), Some(wants)) = (&page.known, &wants) {
        items.names(known, wants, |id| match quoted {
            true => id.to_string(),
            false => format!("\"{id}\""),
        });
    }
    if let Some(shape) = SchemaShape::at(&page.sheet.path, &way.steps) {
        for word in shape.words() {
            let bare = quoted || matches!(word.as_str(), "true" | "false") && shape.is_flag();
            let written = if bare {
                word.clone()
            } else {
                format!("\"{word}\"")
            };
            let item = CompletionItem {
                label: word,
                kind: Some(CompletionItemKind::ENUM_MEMBER),
                ..CompletionItem::default()
            };
            items.add(item, written);
        }
    }
    items
}

/// In the braces of a text: what fills them. Whether the cursor stands in one.
fn braces(items: &mut Items<'_>, known: &WorkedOut, way: &cursor::Way, byte: usize) -> bool {
    let steps: Vec<&str> = way.steps.iter().map(String::as_str).collect();
    let (section, key, of_help) = match &steps[..] {
        ["help", .., "es" | "en"] => ("", String::new(), true),
        [section, key @ .., "es" | "en"] => (*section, key.join("."), false),
        _ => return false,
    };
    let written = &items.page.text[way.span.start..byte];
    let Some(open) = written
        .rfind('{')
        .filter(|at| !written[*at..].contains('}'))
    else {
        return false;
    };
    items.span = way.span.start + open + 1..byte;
    if of_help {
        items.names(known, &Wants::Dotted, str::to_string);
        return true;
    }
    let names = cursor::braces_of(section, &key, &known.loaded.definition);
    for (number, name) in names.into_iter().enumerate() {
        let item = CompletionItem {
            label: name.clone(),
            kind: Some(CompletionItemKind::FIELD),
            detail: Some("a brace of the text".into()),
            sort_text: Some(format!("{number:03}")),
            ..CompletionItem::default()
        };
        items.add(item, name);
    }
    true
}

fn is_bare(id: &str) -> bool {
    !id.is_empty()
        && id
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "_-".contains(c))
}

/// Keys the file may have here and does not have yet.
fn keys(items: &mut Items<'_>, way: &cursor::Way) {
    let above = &way.steps[..way.steps.len().saturating_sub(1)];
    // A dotted key that is being written takes the place of its last step only.
    if !way.is_quoted {
        let last = way.steps.last().map_or(0, String::len);
        items.span = way.span.end.saturating_sub(last).max(way.span.start)..way.span.end;
    }
    let Some(shape) = SchemaShape::at(&items.page.sheet.path, above) else {
        return;
    };
    for (name, key) in shape.keys() {
        if way.beside.contains(&name) {
            continue;
        }
        let item = CompletionItem {
            label: name.clone(),
            kind: Some(CompletionItemKind::FIELD),
            detail: key.is_required.then(|| "must be there".to_string()),
            documentation: (!key.doc.is_empty()).then(|| markdown(key.doc)),
            sort_text: Some(format!("{}{name}", if key.is_required { 0 } else { 1 })),
            ..CompletionItem::default()
        };
        items.add(item, name);
    }
    if way.is_quoted {
        items.span = way.span.clone();
    }
}

/// Fills in what an item means, now that somebody looks at it.
pub fn resolve(desk: &mut Desk, mut item: CompletionItem) -> CompletionItem {
    let remembered = item
        .data
        .clone()
        .and_then(|data| serde_json::from_value::<Remembered>(data).ok());
    if let Some(remembered) = remembered
        && let Some(known) = desk.known(&remembered.game)
    {
        let names = &known.mentions.names;
        let same = names.iter().position(|name| {
            name.id == remembered.id
                && name.of == remembered.of
                && format!("{:?}", name.sort) == remembered.sort
        });
        if let Some(number) = same {
            item.documentation = Some(markdown(describe::describe(desk, &known, number)));
        }
    }
    item
}

fn markdown(value: String) -> Documentation {
    Documentation::MarkupContent(MarkupContent {
        kind: MarkupKind::Markdown,
        value,
    })
}

fn kind(sort: Sort) -> CompletionItemKind {
    match sort {
        Sort::Function | Sort::Verb => CompletionItemKind::FUNCTION,
        Sort::Attribute | Sort::Property | Sort::Field => CompletionItemKind::FIELD,
        Sort::Zone => CompletionItemKind::STRUCT,
        Sort::Kind => CompletionItemKind::CLASS,
        Sort::Card | Sort::Space | Sort::Area | Sort::Section => CompletionItemKind::VALUE,
        Sort::Parameter | Sort::Value => CompletionItemKind::CONSTANT,
        Sort::Prompt
        | Sort::Action
        | Sort::Option
        | Sort::Log
        | Sort::Step
        | Sort::Reason
        | Sort::Caption
        | Sort::Help => CompletionItemKind::TEXT,
        Sort::Effect | Sort::Condition => CompletionItemKind::OPERATOR,
        _ => CompletionItemKind::ENUM_MEMBER,
    }
}
