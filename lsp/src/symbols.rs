//! What a file defines, and what all open games do.

use crate::desk::Desk;
use crate::page::{Page, location};
use lsp_types::{DocumentSymbol, Location, SymbolInformation, SymbolKind, Uri};
use ludoteca::limits::MOST_SHOWN;
use ludoteca::{
    data_lexis,
    mentions::{Mention, Sort},
    script_lexis,
};
use std::ops::Range;

/// Of a query in all games so many are told.
const MOST: usize = 200;

pub fn of_file(desk: &mut Desk, uri: &Uri) -> Vec<DocumentSymbol> {
    let Some(page) = Page::open(desk, uri) else {
        return Vec::new();
    };
    let mut symbols = scenarios(&page);
    let Some(known) = &page.known else {
        return symbols;
    };
    let blocks = match page.is_script() {
        true => Blocks::new(&page.text),
        false => Blocks::new(""),
    };
    let defined = known.mentions.in_file(&page.shown).iter();
    let defined = defined.filter(|m| m.is_definition && !m.place.is_top());
    for mention in defined {
        if symbols.len() >= MOST_SHOWN {
            break;
        }
        let name = known.mentions.name(mention.name);
        // A word is declared inside something else.
        if name.sort == Sort::Word
            || (name.sort == Sort::Space && is_drawn(&page, mention, &name.id))
        {
            continue;
        }
        let of = match name.of.is_empty() {
            true => name.sort.what().to_string(),
            false => format!("{} of {}", name.sort.what(), name.of),
        };
        let whole = whole(&page, &blocks, mention.place.span.clone(), name.sort);
        symbols.push(symbol(
            &page,
            name.id.clone(),
            of,
            kind(name.sort),
            whole,
            mention.place.span.clone(),
        ));
    }
    symbols.sort_by_key(|symbol| (symbol.range.start.line, symbol.range.start.character));
    symbols
}

/// Spaces that are drawn have a row of the drawing for their place.
fn is_drawn(page: &Page, mention: &Mention, id: &str) -> bool {
    page.text.get(mention.place.span.clone()) != Some(id)
}

/// From the head of a function to its last brace; of a key, its line.
fn whole(page: &Page, blocks: &Blocks, name: Range<usize>, sort: Sort) -> Range<usize> {
    let text = &*page.text;
    let start = text[..name.start.min(text.len())]
        .rfind('\n')
        .map_or(0, |at| at + 1);
    let line_end = text[name.end.min(text.len())..]
        .find('\n')
        .map_or(text.len(), |at| name.end + at);
    match sort {
        Sort::Function => start..blocks.end(name.end).max(line_end.min(text.len())),
        _ => start..line_end,
    }
}

/// Where the blocks of a script end: looked for once, as a file may be full of functions.
struct Blocks {
    /// Where each brace and `fn` begins, and where whoever looks for the end of a block from before it is told to stop.
    ends: Vec<(usize, usize)>,
    whole: usize,
}

impl Blocks {
    fn new(text: &str) -> Blocks {
        let mut ends: Vec<(usize, usize)> = Vec::new();
        let mut open = Vec::new();
        for part in script_lexis::lex(text) {
            let is_sign = part.kind == script_lexis::Lexis::Sign;
            match part.text(text) {
                "{" | "#{" if is_sign => {
                    open.push(ends.len());
                    ends.push((part.span.start, text.len()));
                }
                "}" if is_sign => {
                    if let Some(opened) = open.pop().and_then(|at| ends.get_mut(at)) {
                        opened.1 = part.span.end;
                    }
                    ends.push((part.span.start, part.span.end));
                }
                "fn" if part.kind == script_lexis::Lexis::Keyword => {
                    ends.push((part.span.start, part.span.start));
                }
                _ => {}
            }
        }
        Blocks {
            ends,
            whole: text.len(),
        }
    }

    /// Where the block that opens after a byte closes.
    fn end(&self, from: usize) -> usize {
        let next = self.ends.partition_point(|(start, _)| *start < from);
        self.ends.get(next).map_or(self.whole, |(_, end)| *end)
    }
}

/// Scenarios have titles instead of names.
fn scenarios(page: &Page) -> Vec<DocumentSymbol> {
    let title = |scenario: ScenarioSymbol| {
        symbol(
            page,
            scenario.title,
            "a scenario".into(),
            SymbolKind::EVENT,
            scenario.whole,
            scenario.at,
        )
    };
    scenarios_of(&page.sheet.path, &page.text)
        .into_iter()
        .map(title)
        .collect()
}

/// A scenario of a file: its title, the title's place, and all of it.
pub struct ScenarioSymbol {
    pub title: String,
    pub at: Range<usize>,
    pub whole: Range<usize>,
}

pub fn scenarios_of(path: &str, text: &str) -> Vec<ScenarioSymbol> {
    let mut found: Vec<ScenarioSymbol> = Vec::new();
    if !path.starts_with(ludoteca::pack::SCENARIOS) {
        return found;
    }
    let parts = data_lexis::lex(text);
    let loud: Vec<_> = parts
        .iter()
        .filter(|part| {
            !matches!(
                part.kind,
                data_lexis::Lexis::Blank | data_lexis::Lexis::Comment
            )
        })
        .collect();
    for (n, part) in loud.iter().enumerate() {
        let said = |n: usize| loud.get(n).map_or("", |part| part.text(text));
        let begins = n == 0 || loud[n - 1].kind == data_lexis::Lexis::Line;
        if begins
            && said(n) == "["
            && said(n + 1) == "["
            && said(n + 2) == "scenario"
            && said(n + 3) == "]"
        {
            if let Some(last) = found.last_mut() {
                last.whole.end = part.span.start;
            }
            if found.len() >= MOST_SHOWN {
                return found;
            }
            found.push(ScenarioSymbol {
                title: String::new(),
                at: part.span.start
                    ..part.span.start + "[[scenario]]".len().min(text.len() - part.span.start),
                whole: part.span.start..text.len(),
            });
        }
        let is_title = begins && said(n) == "title" && said(n + 1) == "=";
        if let (true, Some(value), Some(last)) = (is_title, loud.get(n + 2), found.last_mut())
            && last.title.is_empty()
        {
            last.title = value
                .text(text)
                .trim_matches(['"', '\''])
                .replace("\\\"", "\"");
            last.at = value.span.clone();
        }
    }
    found
}

fn symbol(
    page: &Page,
    name: String,
    detail: String,
    kind: SymbolKind,
    whole: Range<usize>,
    at: Range<usize>,
) -> DocumentSymbol {
    let whole = whole.start.min(at.start)..whole.end.max(at.end);
    #[expect(
        deprecated,
        reason = "the protocol's type has the field, and wants it empty"
    )]
    DocumentSymbol {
        name: if name.is_empty() { "?".into() } else { name },
        detail: Some(detail),
        kind,
        tags: None,
        deprecated: None,
        range: page.positions(whole),
        selection_range: page.positions(at),
        children: None,
    }
}

/// Names of the open games, or of all of them if none is, that hold a text.
pub fn of_all(desk: &mut Desk, query: &str) -> Vec<SymbolInformation> {
    let query = query.to_lowercase();
    let mut games = desk.open_games();
    if games.is_empty() {
        games = desk
            .library()
            .games()
            .into_iter()
            .map(|game| game.id)
            .collect();
    }
    let mut symbols = Vec::new();
    for game in games {
        let Some(known) = desk.known(&game) else {
            continue;
        };
        for (number, name) in known.mentions.names.iter().enumerate() {
            if name.sort == Sort::Word || !name.id.to_lowercase().contains(&query) {
                continue;
            }
            let Some(mention) = known.mentions.definitions(number).next() else {
                continue;
            };
            let Some(Location { uri, range }) = location(desk, &mention.place) else {
                continue;
            };
            #[expect(
                deprecated,
                reason = "the protocol's type has the field, and wants it empty"
            )]
            symbols.push(SymbolInformation {
                name: name.id.clone(),
                kind: kind(name.sort),
                tags: None,
                deprecated: None,
                location: Location { uri, range },
                container_name: Some(format!("{game}: {}", name.sort.what())),
            });
            if symbols.len() >= MOST {
                return symbols;
            }
        }
    }
    symbols
}

fn kind(sort: Sort) -> SymbolKind {
    match sort {
        Sort::Function | Sort::Verb => SymbolKind::FUNCTION,
        Sort::Attribute | Sort::Field | Sort::Property => SymbolKind::FIELD,
        Sort::Zone => SymbolKind::ARRAY,
        Sort::Kind => SymbolKind::CLASS,
        Sort::Card => SymbolKind::OBJECT,
        Sort::Space | Sort::Area | Sort::Section | Sort::Map => SymbolKind::NAMESPACE,
        Sort::Parameter => SymbolKind::CONSTANT,
        Sort::Value => SymbolKind::NUMBER,
        Sort::Prompt
        | Sort::Action
        | Sort::Option
        | Sort::Log
        | Sort::Step
        | Sort::Reason
        | Sort::Caption
        | Sort::Help => SymbolKind::STRING,
        Sort::Effect | Sort::Condition => SymbolKind::OPERATOR,
        Sort::Game | Sort::Variant => SymbolKind::PACKAGE,
        _ => SymbolKind::ENUM_MEMBER,
    }
}
