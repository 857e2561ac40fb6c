//! What the compiler of scripts has to say, in the words and with the places of content.

use super::diagnostic::{Code, Diagnostic, Slip};
use super::file::{Files, Place};
use super::tree::{merge_mark, unmerged};
use ludoteca_vm as vm;

/// A diagnostic of the compiler with its source line. A file that is not among `files` loses its place, not its message.
pub fn diagnostic(found: &vm::Diagnostic, files: &Files) -> Diagnostic {
    let code = Code::Script(found.code.slug());
    let here = place(&found.path, found.span, files);
    let mut diagnostic = match here.map(|place| in_phrase(place, found.name.as_deref())) {
        Some(place) => Diagnostic::new(code, &found.message).at(&place),
        None => Diagnostic::new(code, format!("{}: {}", found.path, found.message)),
    };
    for related in &found.related {
        if let Some(place) = place(&related.path, related.span, files) {
            diagnostic = diagnostic.related(&place, &related.message);
        }
    }
    diagnostic.name = found.name.clone();
    diagnostic.of = found.of.clone();
    diagnostic.help = found.help.as_ref().map(|help| help.text.clone());
    let meant = found.help.as_ref().and_then(|help| help.meant.clone());
    diagnostic.slip = found
        .name
        .clone()
        .zip(meant)
        .map(|(written, meant)| Slip { written, meant });
    if found.code == vm::Code::Syntax {
        return in_other_words(diagnostic);
    }
    diagnostic
}

/// Words of other languages, and how rules say them.
const OTHER_WORDS: &[(&str, &str)] = &[
    ("and", "`&&`"),
    ("or", "`||`"),
    ("not", "`!`"),
    ("elif", "`else if`"),
    ("elsif", "`else if`"),
    ("elseif", "`else if`"),
    ("then", "`{`"),
    ("function", "`fn`"),
    ("def", "`fn`"),
];

/// What an author probably wrote where the parser stopped.
fn in_other_words(problem: Diagnostic) -> Diagnostic {
    let Some(place) = problem.at.as_ref().map(|label| label.place.clone()) else {
        return problem;
    };
    if let Some(mark) = merge_mark(&place.file.text) {
        return unmerged(&place.file, mark, problem.code);
    }
    if problem.help.is_some() {
        return problem;
    }
    let text = &place.file.text;
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let before = text[..place.span.start].trim_end();
    let here = text.get(place.span.clone()).unwrap_or_default();
    let last = before.rsplit(|c| !is_name(c)).next().unwrap_or_default();
    let said = |word: &str| OTHER_WORDS.iter().find(|(other, _)| *other == word);
    if let Some((other, word)) = said(here).or_else(|| said(last)) {
        return problem.help(format!("`{other}` is written {word} in rules"));
    }
    let line = |at: usize| text[..at].matches('\n').count() + 1;
    let (there, now) = (line(before.len()), line(place.span.start));
    if problem.message.contains("expecting `;`") && there < now {
        return problem.help(format!("line {there} lacks a `;` at its end"));
    }
    problem
}

/// A phrase of a card is compiled as a script that stands on the card's line; what is wrong is on that line, under its own name.
fn in_phrase(place: Place, name: Option<&str>) -> Place {
    if !place.file.shown.ends_with(".toml") {
        return place;
    }
    let text = &place.file.text;
    let start = text[..place.span.start].rfind('\n').map_or(0, |at| at + 1);
    let end = text[start..].find('\n').map_or(text.len(), |at| start + at);
    let line = &text[start..end];
    let at = name.and_then(|name| Some((line.find(name)?, name.len())));
    let (at, length) = at.unwrap_or((line.len() - line.trim_start().len(), 0));
    Place::new(&place.file, start + at..start + at + length)
}

pub(crate) fn place(path: &str, span: vm::Span, files: &Files) -> Option<Place> {
    let file = files.get(path)?;
    let byte = |at: vm::Pos| file.byte(at.line as usize, at.column as usize);
    if span.start.line == 0 {
        return Some(Place::top(file));
    }
    let start = byte(span.start);
    let end = match span.end {
        Some(end) => byte(end).max(start),
        None => start + word(&file.text[start..]),
    };
    Some(Place::new(file, start..end))
}

/// How many bytes to underline when only the start is known: a name, a text in quotes, or one character.
fn word(text: &str) -> usize {
    if let Some(quoted) = text.strip_prefix('"') {
        let line = quoted.lines().next().unwrap_or_default();
        let is_plain = |end: &usize| !line[..*end].ends_with('\\');
        let end = line.match_indices('"').map(|(end, _)| end).find(is_plain);
        return end.map_or(1, |end| end + 2);
    }
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let name = text.find(|c| !is_name(c)).unwrap_or(text.len());
    match name {
        0 => text.chars().next().map_or(0, char::len_utf8),
        _ => name,
    }
}
