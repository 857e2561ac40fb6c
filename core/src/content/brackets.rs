//! A bracket of a TOML file that is opened and not closed: the parser sees such a slip only in everything that comes after it.

use super::lexis::{Lexeme, Lexis, lex};
use std::ops::Range;

/// A list or an inline table that is open while the text is read.
struct Opened {
    at: Range<usize>,
    is_table: bool,
    /// Whether a value is to come, as after `=`.
    wants_value: bool,
}

/// The first bracket that surely lacks its partner: whatever may still be a missing comma is left to the parser.
pub fn unclosed(text: &str) -> Option<Range<usize>> {
    let parts = lex(text);
    let is_loud = |part: &&Lexeme| !matches!(part.kind, Lexis::Blank | Lexis::Comment);
    let parts: Vec<&Lexeme> = parts.iter().filter(is_loud).collect();
    let mut opened: Vec<Opened> = Vec::new();
    let mut begins_line = true;
    let mut at = 0;
    while let Some(part) = parts.get(at) {
        let begins = std::mem::replace(&mut begins_line, part.kind == Lexis::Line);
        at += 1;
        let sign = match part.kind {
            Lexis::Sign => part.text(text),
            _ => "",
        };
        let Some(top) = opened.last_mut() else {
            match sign {
                "[" if begins => at += until_line(&parts[at..]),
                "[" | "{" => opened.push(Opened::new(part, sign)),
                _ => {}
            }
            continue;
        };
        match sign {
            "[" if begins && is_header(&parts[at..], text) => return Some(top.at.clone()),
            "[" | "{" if top.is_table && !top.wants_value => return Some(top.at.clone()),
            "[" | "{" => {
                top.wants_value = false;
                opened.push(Opened::new(part, sign));
            }
            "]" | "}" if top.is_table == (sign == "}") => drop(opened.pop()),
            // One that closes nothing is told by the parser.
            "]" | "}" => {
                return (opened.len() > 1)
                    .then(|| opened.pop())
                    .flatten()
                    .map(|o| o.at);
            }
            "=" if !top.is_table => return Some(top.at.clone()),
            "=" => top.wants_value = true,
            _ if part.kind != Lexis::Line => top.wants_value = false,
            _ => {}
        }
    }
    opened.pop().map(|open| open.at)
}

impl Opened {
    fn new(part: &Lexeme, sign: &str) -> Opened {
        Opened {
            at: part.span.clone(),
            is_table: sign == "{",
            wants_value: false,
        }
    }
}

/// How many parts there are before the line ends.
fn until_line(parts: &[&Lexeme]) -> usize {
    let end = parts.iter().position(|part| part.kind == Lexis::Line);
    end.unwrap_or(parts.len())
}

/// Whether what follows a `[` names a table: a word that is no value, and nothing behind its bracket.
fn is_header(rest: &[&Lexeme], text: &str) -> bool {
    let line = &rest[..until_line(rest)];
    let doubled = line.first().is_some_and(|part| part.is(text, "["));
    let inside = line.get(usize::from(doubled)..).unwrap_or_default();
    let Some((name, behind)) = inside.split_first() else {
        return false;
    };
    let word = name.text(text);
    let is_value = ["true", "false", "inf", "nan"].contains(&word);
    let is_name = name.kind == Lexis::Bare
        && !is_value
        && word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let closes = |part: &&Lexeme| part.is(text, "]");
    let names = behind.iter().take_while(|part| !closes(part));
    let mut closing = behind.iter().skip(names.count());
    is_name && closing.next().is_some() && closing.all(|part| doubled && closes(part))
}

/// Whether a comma is missing in a bracket: a value ends right before a place, or several stand there.
pub fn lacks_comma(text: &str, at: &Range<usize>) -> bool {
    let parts = lex(text);
    let is_loud =
        |part: &&Lexeme| !matches!(part.kind, Lexis::Blank | Lexis::Comment | Lexis::Line);
    let loud: Vec<&Lexeme> = parts.iter().filter(is_loud).collect();
    let (before, rest) = loud.split_at(loud.partition_point(|part| part.span.start < at.start));
    let mut depth = 0usize;
    for part in before.iter().filter(|part| part.kind == Lexis::Sign) {
        match part.text(text) {
            "[" | "{" => depth += 1,
            "]" | "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    let opens = |part: &&&Lexeme| ["[", "{", ",", "="].iter().any(|sign| part.is(text, sign));
    let follows_value = before.last().filter(|part| !opens(part)).is_some();
    let inside = rest.iter().take_while(|part| part.span.end <= at.end);
    let (inside, behind) = rest.split_at(inside.count());
    let values = inside.iter().filter(|part| is_value(part.text(text)));
    // `min = 0 text = ..`: a value, and the name of the next.
    let names_next = behind.first().is_some_and(|part| part.is(text, "="));
    let begins = inside.first().filter(|part| is_value(part.text(text)));
    let named = inside.len() > 1 && begins.is_some() && names_next;
    depth > 0 && (follows_value || values.count() > 1 || named)
}

/// Whether a word without quotes is a value.
fn is_value(word: &str) -> bool {
    word == "true" || word == "false" || word.starts_with(|c: char| c.is_ascii_digit() || c == '-')
}
