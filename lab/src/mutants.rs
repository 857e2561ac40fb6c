//! Small changes of a script, one at a time: a number, a comparison, a call. Whether anybody notices says how much the scenarios see.

use std::ops::Range;

/// One change of one script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mutant {
    pub path: String,
    pub span: Range<usize>,
    /// From 1.
    pub line: u32,
    pub column: u32,
    /// The function it is in; empty outside of functions, where constants are.
    pub function: String,
    pub change: Mutation,
    pub before: String,
    pub after: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mutation {
    /// One more.
    Number,
    /// The neighbour: `<` and `<=`, `==` and `!=`.
    Comparison,
    /// A call that stands alone is left out; one that is a condition is turned round.
    Call,
}

impl Mutation {
    pub fn name(self) -> &'static str {
        match self {
            Mutation::Number => "number",
            Mutation::Comparison => "comparison",
            Mutation::Call => "call",
        }
    }
}

impl Mutant {
    /// The script with the change.
    pub fn apply(&self, text: &str) -> String {
        let (before, after) = (&text[..self.span.start], &text[self.span.end..]);
        format!("{before}{}{after}", self.after)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sort {
    Number,
    Name,
    /// Strings and characters.
    Text,
    Sign,
}

#[derive(Debug, Clone, Copy)]
struct Token<'t> {
    sort: Sort,
    text: &'t str,
    at: usize,
}

/// Words that begin no call.
const KEYWORDS: &[&str] = &[
    "if", "else", "while", "for", "in", "loop", "do", "until", "switch", "return", "let", "const",
    "fn", "private", "break", "continue", "throw", "try", "catch", "import", "as", "true", "false",
    "this",
];

/// Words to people are no rules: what is said, and thrown, is left alone.
const SPOKEN: &[&str] = &["say", "print", "debug", "text"];

const LONG_SIGNS: &[&str] = &[
    "..=", "<<=", ">>=", "**=", "==", "!=", "<=", ">=", "=>", "&&", "||", "+=", "-=", "*=", "/=",
    "%=", "..", "::", "?.", "??", "#{", "->", "**", "<<", ">>",
];

/// All mutants of a script, in the order of its text.
pub fn mutants(path: &str, text: &str) -> Vec<Mutant> {
    let tokens = tokens(text);
    let mut found = Vec::new();
    let mut function = "";
    let mut end = 0;
    let mut spoken = 0;
    for (i, token) in tokens.iter().enumerate() {
        if token.text == "fn" && token.sort == Sort::Name {
            function = tokens.get(i + 1).map_or("", |name| name.text);
            let body = (i..tokens.len()).find(|&at| is(&tokens, at, "{"));
            end = body.map_or(tokens.len(), |body| after_bracket(&tokens, body));
        } else if i >= end {
            function = "";
        }
        if SPOKEN.contains(&token.text) && is(&tokens, i + 1, "(") {
            spoken = spoken.max(after_bracket(&tokens, i + 1));
        }
        if i < spoken {
            continue;
        }
        let changed = number(token)
            .or_else(|| comparison(token))
            .or_else(|| call(&tokens, i, text));
        let Some((change, span, after)) = changed else {
            continue;
        };
        let (line, column) = position(text, span.start);
        found.push(Mutant {
            path: path.to_string(),
            line,
            column,
            function: function.to_string(),
            change,
            before: text[span.clone()].to_string(),
            after,
            span,
        });
    }
    found
}

type Changed = Option<(Mutation, Range<usize>, String)>;

fn span(token: &Token<'_>) -> Range<usize> {
    token.at..token.at + token.text.len()
}

fn number(token: &Token<'_>) -> Changed {
    if token.sort != Sort::Number {
        return None;
    }
    let value: i64 = token.text.replace('_', "").parse().ok()?;
    Some((
        Mutation::Number,
        span(token),
        value.checked_add(1)?.to_string(),
    ))
}

fn comparison(token: &Token<'_>) -> Changed {
    let other = match token.text {
        _ if token.sort != Sort::Sign => return None,
        "==" => "!=",
        "!=" => "==",
        "<" => "<=",
        "<=" => "<",
        ">" => ">=",
        ">=" => ">",
        _ => return None,
    };
    Some((Mutation::Comparison, span(token), other.to_string()))
}

/// A call that stands alone, or is a condition.
fn call(tokens: &[Token<'_>], i: usize, text: &str) -> Changed {
    let before = i.checked_sub(1).map_or("", |before| tokens[before].text);
    if tokens[i].text == "!" {
        let end = chain(tokens, i + 1)?;
        let is_condition = matches!(before, "if" | "while" | "&&" | "||" | "(" | "return" | "=");
        let ends = tokens.get(end).map_or("", |next| next.text);
        let whole = matches!(ends, "{" | "&&" | "||" | ")" | ";" | "}");
        return (is_condition && whole).then(|| (Mutation::Call, span(&tokens[i]), String::new()));
    }
    let end = chain(tokens, i)?;
    let whole = tokens[i].at..tokens[end - 1].at + 1;
    let next = tokens.get(end).map_or("", |next| next.text);
    match (before, next) {
        ("{" | "}" | ";" | "=>", ";") => Some((Mutation::Call, whole, "()".to_string())),
        ("if" | "while", "{" | "&&" | "||")
        | ("&&" | "||", "{" | "&&" | "||" | ")" | ";" | "}") => {
            let turned = format!("!{}", &text[whole.clone()]);
            Some((Mutation::Call, whole, turned))
        }
        _ => None,
    }
}

/// The end of `a::b(..).c[..].d(..)` if it ends with a call.
fn chain(tokens: &[Token<'_>], start: usize) -> Option<usize> {
    let first = tokens.get(start)?;
    if first.sort != Sort::Name || KEYWORDS.contains(&first.text) && first.text != "this" {
        return None;
    }
    let mut at = start + 1;
    let mut is_call = false;
    loop {
        match tokens.get(at).map_or("", |token| token.text) {
            "::" | "." | "?." => {
                at += 2;
                is_call = false;
            }
            "(" => {
                at = after_bracket(tokens, at);
                is_call = true;
            }
            "[" => {
                at = after_bracket(tokens, at);
                is_call = false;
            }
            _ => return (is_call && at <= tokens.len()).then_some(at),
        }
    }
}

fn is(tokens: &[Token<'_>], at: usize, text: &str) -> bool {
    tokens
        .get(at)
        .is_some_and(|token| token.text == text && token.sort == Sort::Sign)
}

/// The place behind the bracket that closes this one.
fn after_bracket(tokens: &[Token<'_>], open: usize) -> usize {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token.text {
            _ if token.sort != Sort::Sign => {}
            "(" | "[" | "{" | "#{" => depth += 1,
            ")" | "]" | "}" => {
                depth -= 1;
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
    }
    tokens.len()
}

fn position(text: &str, at: usize) -> (u32, u32) {
    let before = &text[..at];
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    let line = before.matches('\n').count() as u32 + 1;
    (line, before[start..].chars().count() as u32 + 1)
}

/// The words and signs of a script, without comments. Strings with code inside are one token.
fn tokens(text: &str) -> Vec<Token<'_>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &text[at..];
        let (sort, length) = match bytes[at] {
            byte if byte.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            b'/' if rest.starts_with("//") => {
                at += rest.find('\n').unwrap_or(rest.len());
                continue;
            }
            b'/' if rest.starts_with("/*") => {
                at += rest.find("*/").map_or(rest.len(), |end| end + 2);
                continue;
            }
            quote @ (b'"' | b'\'' | b'`') => (Sort::Text, quoted(rest, quote)),
            byte if byte.is_ascii_digit() => (
                Sort::Number,
                while_in(rest, |c| c.is_ascii_alphanumeric() || c == '_'),
            ),
            byte if byte.is_ascii_alphabetic() || byte == b'_' => (
                Sort::Name,
                while_in(rest, |c| c.is_ascii_alphanumeric() || c == '_'),
            ),
            _ => {
                let long = LONG_SIGNS.iter().find(|sign| rest.starts_with(**sign));
                let one = rest.chars().next().map_or(1, char::len_utf8);
                (Sort::Sign, long.map_or(one, |sign| sign.len()))
            }
        };
        found.push(Token {
            sort,
            text: &rest[..length],
            at,
        });
        at += length;
    }
    found
}

fn while_in(text: &str, letters: impl Fn(char) -> bool) -> usize {
    text.find(|c| !letters(c)).unwrap_or(text.len())
}

/// The length of a string or character in quotes.
fn quoted(text: &str, quote: u8) -> usize {
    let bytes = text.as_bytes();
    let mut at = 1;
    while at < bytes.len() && bytes[at] != quote {
        at += if bytes[at] == b'\\' && quote != b'`' {
            2
        } else {
            1
        };
    }
    (at + 1).min(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changes(text: &str) -> Vec<String> {
        let mutants = mutants("a.rhai", text);
        mutants.iter().map(|m| m.apply(text)).collect()
    }

    #[test]
    fn a_number_is_one_more() {
        assert_eq!(
            changes("fn f(p) { p.money += 3 } // 4"),
            ["fn f(p) { p.money += 4 } // 4"]
        );
    }

    #[test]
    fn a_comparison_becomes_its_neighbour() {
        assert_eq!(
            changes("if a < b && c == d { }"),
            ["if a <= b && c == d { }", "if a < b && c != d { }"]
        );
    }

    #[test]
    fn a_call_is_left_out_or_turned_round() {
        assert_eq!(
            changes("{ pay(p, x.y(z)); if lib::may(p) || !p.has(q) { go(p); } }"),
            [
                "{ (); if lib::may(p) || !p.has(q) { go(p); } }",
                "{ pay(p, x.y(z)); if !lib::may(p) || !p.has(q) { go(p); } }",
                "{ pay(p, x.y(z)); if lib::may(p) || p.has(q) { go(p); } }",
                "{ pay(p, x.y(z)); if lib::may(p) || !p.has(q) { (); } }",
            ]
        );
    }

    #[test]
    fn constants_are_in_no_function() {
        let found = mutants("a.rhai", "const A = 1;\nfn f() { 2 }\nconst B = [3];\n");
        let functions: Vec<&str> = found.iter().map(|m| m.function.as_str()).collect();
        assert_eq!(functions, ["", "f", ""]);
    }

    #[test]
    fn words_to_people_and_texts_are_left_alone() {
        assert_eq!(
            changes("{ say(\"log\", #{ n: 3 }); let x = `4 ${y}`; }"),
            [""; 0]
        );
    }
}
