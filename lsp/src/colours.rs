//! What every part of a file is, so that editors colour it: names by what they name, in quotes too.

use crate::desk::Desk;
use crate::page::Page;
use crate::positions::Ascending;
use lsp_types::{SemanticToken, SemanticTokenModifier, SemanticTokenType, Uri};
use ludoteca::limits::MOST_COLOURED;
use ludoteca::{
    data_lexis,
    mentions::{Sort, locals},
    script_lexis,
};
use std::collections::{BTreeMap, HashMap};

/// The sorts of tokens, in the order editors are told.
pub const TYPES: [SemanticTokenType; 12] = [
    SemanticTokenType::KEYWORD,
    SemanticTokenType::COMMENT,
    SemanticTokenType::STRING,
    SemanticTokenType::NUMBER,
    SemanticTokenType::FUNCTION,
    SemanticTokenType::PROPERTY,
    SemanticTokenType::PARAMETER,
    SemanticTokenType::VARIABLE,
    SemanticTokenType::ENUM_MEMBER,
    SemanticTokenType::NAMESPACE,
    SemanticTokenType::TYPE,
    SemanticTokenType::OPERATOR,
];

/// What more there is to say of them.
pub const MODIFIERS: [SemanticTokenModifier; 3] = [
    SemanticTokenModifier::DECLARATION,
    SemanticTokenModifier::READONLY,
    SemanticTokenModifier::DEFAULT_LIBRARY,
];

const KEYWORD: u32 = 0;
const COMMENT: u32 = 1;
const STRING: u32 = 2;
const NUMBER: u32 = 3;
const FUNCTION: u32 = 4;
const PROPERTY: u32 = 5;
const PARAMETER: u32 = 6;
const VARIABLE: u32 = 7;
const ENUM_MEMBER: u32 = 8;
const NAMESPACE: u32 = 9;
const TYPE: u32 = 10;
const OPERATOR: u32 = 11;

const DECLARATION: u32 = 1;
const READONLY: u32 = 2;
const LIBRARY: u32 = 4;

/// A token: where it starts and ends, its type and its modifiers.
type Token = (usize, usize, u32, u32);

/// The colours of a file's words, as far as [`MOST_COLOURED`]; the rest is coloured by what editors know themselves.
pub fn colours(desk: &mut Desk, uri: &Uri) -> Vec<SemanticToken> {
    let Some(page) = Page::open(desk, uri) else {
        return Vec::new();
    };
    let names = named(&page);
    let tokens = match page.is_script() {
        true => script(&page, &names),
        false => data(&page, &names),
    };
    relative(&page.text, &tokens)
}

/// By where it starts: the end, type and modifiers of every name.
fn named(page: &Page) -> BTreeMap<usize, (usize, u32, u32)> {
    let mut found = BTreeMap::new();
    let Some(known) = &page.known else {
        return found;
    };
    for mention in known.mentions.in_file(&page.shown) {
        let (start, end) = (mention.place.span.start, mention.place.span.end);
        let (ty, more) = colour(known.mentions.name(mention.name).sort);
        let declares = if mention.is_definition {
            DECLARATION
        } else {
            0
        };
        if start < end {
            found.entry(start).or_insert((end, ty, more | declares));
        }
    }
    found
}

fn colour(sort: Sort) -> (u32, u32) {
    match sort {
        Sort::Function => (FUNCTION, 0),
        Sort::Verb => (FUNCTION, LIBRARY),
        Sort::Property => (PROPERTY, LIBRARY),
        Sort::Attribute | Sort::Field | Sort::Zone => (PROPERTY, 0),
        Sort::Parameter | Sort::Value => (VARIABLE, READONLY),
        Sort::Kind | Sort::Effect | Sort::Condition => (TYPE, 0),
        Sort::Prompt
        | Sort::Action
        | Sort::Option
        | Sort::Log
        | Sort::Step
        | Sort::Reason
        | Sort::Caption
        | Sort::Help => (NAMESPACE, 0),
        _ => (ENUM_MEMBER, 0),
    }
}

fn script(page: &Page, names: &BTreeMap<usize, (usize, u32, u32)>) -> Vec<Token> {
    use script_lexis::Lexis;
    let text = &*page.text;
    let mut variables: HashMap<usize, (u32, u32)> = HashMap::new();
    for local in locals::locals(text) {
        let ty = if local.is_parameter {
            PARAMETER
        } else {
            VARIABLE
        };
        for (n, place) in local.places.iter().enumerate() {
            variables.insert(place.start, (ty, if n == 0 { DECLARATION } else { 0 }));
        }
    }
    let mut tokens = Vec::new();
    for part in script_lexis::lex(text) {
        if tokens.len() >= MOST_COLOURED {
            break;
        }
        let (start, end) = (part.span.start, part.span.end);
        let ty = match part.kind {
            Lexis::Blank | Lexis::Odd => continue,
            Lexis::Sign => {
                let brackets = ["(", ")", "[", "]", "{", "}", "#{", ",", ";", ".", ":", "::"];
                if !brackets.contains(&part.text(text)) {
                    tokens.push((start, end, OPERATOR, 0));
                }
                continue;
            }
            Lexis::Comment | Lexis::BlockComment => COMMENT,
            Lexis::Keyword => KEYWORD,
            Lexis::Number => NUMBER,
            Lexis::Char | Lexis::Template => STRING,
            Lexis::Text => {
                in_quotes(start, end, names, &mut tokens);
                continue;
            }
            Lexis::Name => {
                if let Some((ty, more)) = variables.get(&start) {
                    tokens.push((start, end, *ty, *more));
                } else if let Some((_, ty, more)) = names.get(&start) {
                    tokens.push((start, end, *ty, *more));
                }
                continue;
            }
        };
        tokens.push((start, end, ty, 0));
    }
    tokens
}

/// A text, and the name it may hold.
fn in_quotes(
    start: usize,
    end: usize,
    names: &BTreeMap<usize, (usize, u32, u32)>,
    tokens: &mut Vec<Token>,
) {
    let mut at = start;
    for (&from, &(until, ty, more)) in names.range(start..end) {
        if from < at || until > end {
            continue;
        }
        if at < from {
            tokens.push((at, from, STRING, 0));
        }
        tokens.push((from, until, ty, more));
        at = until;
    }
    if at < end {
        tokens.push((at, end, STRING, 0));
    }
}

fn data(page: &Page, names: &BTreeMap<usize, (usize, u32, u32)>) -> Vec<Token> {
    use data_lexis::Lexis;
    let text = &*page.text;
    let parts = data_lexis::lex(text);
    let mut tokens = Vec::new();
    for (n, part) in parts.iter().enumerate() {
        if tokens.len() >= MOST_COLOURED {
            break;
        }
        let (start, end) = (part.span.start, part.span.end);
        match part.kind {
            Lexis::Blank | Lexis::Line | Lexis::Sign | Lexis::Odd => {}
            Lexis::Comment => tokens.push((start, end, COMMENT, 0)),
            Lexis::Text => in_quotes(start, end, names, &mut tokens),
            Lexis::Bare => {
                let after = parts[n + 1..].iter().find(|part| part.kind != Lexis::Blank);
                let is_key = after.is_some_and(|part| part.is(text, "=") || part.is(text, "]"))
                    && !matches!(part.text(text), "true" | "false")
                    && !part
                        .text(text)
                        .starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '+');
                match names.range(start..end).next() {
                    Some(_) => {
                        let mut inner = Vec::new();
                        in_quotes(start, end, names, &mut inner);
                        let key = |(from, until, ty, more): Token| {
                            (from, until, if ty == STRING { PROPERTY } else { ty }, more)
                        };
                        tokens.extend(inner.into_iter().map(key));
                    }
                    None if is_key => tokens.push((start, end, PROPERTY, 0)),
                    None if matches!(part.text(text), "true" | "false") => {
                        tokens.push((start, end, KEYWORD, 0))
                    }
                    None => tokens.push((start, end, NUMBER, 0)),
                }
            }
        }
    }
    tokens
}

/// Every token from the one before it, line by line: none goes over the end of a line.
fn relative(text: &str, tokens: &[Token]) -> Vec<SemanticToken> {
    let mut positions = Ascending::new(text);
    let (mut line, mut character) = (0, 0);
    let mut told = Vec::with_capacity(tokens.len());
    for &(start, end, token_type, token_modifiers_bitset) in tokens {
        let mut from = start;
        for piece in text
            .get(start..end)
            .unwrap_or_default()
            .split_inclusive('\n')
        {
            let visible = piece.trim_end_matches(['\n', '\r']);
            let length = visible.chars().map(|c| c.len_utf16() as u32).sum();
            // A text or a comment may have very many lines.
            if told.len() >= MOST_COLOURED {
                return told;
            }
            let at = positions.position(from);
            from += piece.len();
            if length == 0 {
                continue;
            }
            let same_line = at.line == line;
            told.push(SemanticToken {
                delta_line: at.line - line,
                delta_start: if same_line {
                    at.character - character
                } else {
                    at.character
                },
                length,
                token_type,
                token_modifiers_bitset,
            });
            (line, character) = (at.line, at.character);
        }
    }
    told
}
