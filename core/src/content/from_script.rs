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
    match found.code {
        vm::Code::Syntax => in_other_words(diagnostic),
        vm::Code::UnknownVariable => declared_nowhere(diagnostic),
        _ => diagnostic,
    }
}

/// `times = 3;` where no variable is called so, and none nearly so.
fn declared_nowhere(problem: Diagnostic) -> Diagnostic {
    let place = problem.at.as_ref().map(|label| &label.place);
    let Some((place, name)) = place.zip(problem.name.clone()) else {
        return problem;
    };
    let text = &place.file.text;
    let behind = text.get(place.span.end..).unwrap_or_default().trim_start();
    let before = text.get(..place.span.start).unwrap_or_default().trim_end();
    let begins = before.ends_with([';', '{', '}']) || before.lines().last().is_some_and(is_comment);
    let is_given = behind.starts_with('=') && !behind.starts_with("==");
    if problem.slip.is_some() || !begins || !is_given {
        return problem;
    }
    let mut problem = problem.help(format!(
        "a new variable begins with `let`: `let {name} = ..`"
    ));
    problem.slip = Some(Slip {
        meant: format!("let {name}"),
        written: name,
    });
    problem
}

fn is_comment(line: &str) -> bool {
    line.trim_start().starts_with("//")
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
    ("func", "`fn`"),
    ("fun", "`fn`"),
    ("def", "`fn`"),
];

/// Signs that other writings put around texts.
const QUOTES: [char; 9] = ['\'', '“', '”', '„', '‘', '’', '«', '»', '`'];

/// A text in other quotes than rules have, if one begins here and ends on this line.
fn in_other_quotes(rest: &str) -> Option<&str> {
    let open = rest
        .chars()
        .next()
        .filter(|c| QUOTES.contains(c) && *c != '`')?;
    let inside = &rest[open.len_utf8()..];
    let is_end = |c: char| c == '"' || QUOTES.contains(&c) || c == '\n';
    let end = inside.find(is_end)?;
    let close = inside[end..]
        .chars()
        .next()
        .filter(|c| QUOTES.contains(c))?;
    Some(&rest[..open.len_utf8() + end + close.len_utf8()])
}

/// What the parser says of a head without its body.
const LACKS_BRACE: &str = "lacks the `{` after it";

/// A mistake that is mended by a sign behind the word that ends there.
fn ended(mut problem: Diagnostic, place: &Place, end: usize, sign: &str) -> Diagnostic {
    let before = &place.file.text[..end];
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let last = before.chars().next_back().map_or(0, char::len_utf8);
    let start = before.trim_end_matches(is_name).len().min(end - last);
    let word = &before[start..];
    problem.slip = Some(Slip {
        written: word.to_string(),
        meant: format!("{word}{sign}"),
    });
    problem.at(&Place::new(&place.file, start..end))
}

/// A mistake with what would mend it.
fn mended(mut problem: Diagnostic, written: &str, meant: &str) -> Diagnostic {
    problem.slip = Some(Slip {
        written: written.to_string(),
        meant: meant.to_string(),
    });
    problem.help(format!("write `{meant}`"))
}

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
    if let Some(quoted) = in_other_quotes(&text[place.span.start..]) {
        let inside = quoted.trim_matches(QUOTES);
        let right = format!("\"{inside}\"");
        let end = place.span.start + quoted.len();
        let place = Place::new(&place.file, place.span.start..end);
        let problem = Diagnostic::new(problem.code, "a text stands between `\"` and `\"`");
        return mended(problem.at(&place), quoted, &right);
    }
    let before = text[..place.span.start].trim_end();
    // `say("won", { player: p })`: a block cannot stand there.
    let key = before.trim_end_matches(is_name);
    let opened = key
        .trim_end()
        .strip_suffix('{')
        .filter(|_| key.len() < before.len());
    if text[place.span.start..].starts_with(':')
        && opened.is_some_and(|before| before.trim_end().ends_with(['(', ',', '[', '=', ':']))
    {
        let brace = opened.map_or(0, str::len);
        let place = Place::new(&place.file, brace..brace + 1);
        let problem = Diagnostic::new(problem.code, "a map begins with `#{`");
        return mended(problem.at(&place), "{", "#{");
    }
    let here = text.get(place.span.clone()).unwrap_or_default();
    let last = before.rsplit(|c| !is_name(c)).next().unwrap_or_default();
    let said = |word: &str| OTHER_WORDS.iter().find(|(other, _)| *other == word);
    if let Some((other, word)) = said(here).or_else(|| said(last)) {
        return problem.help(format!("`{other}` is written {word} in rules"));
    }
    let line = |at: usize| text[..at].matches('\n').count() + 1;
    let (there, now) = (line(before.len()), line(place.span.start));
    if problem.message.contains("expecting `;`") && there < now {
        let help = format!("line {there} lacks a `;` at its end");
        return ended(problem, &place, before.len(), ";").help(help);
    }
    if problem.message.contains(LACKS_BRACE) {
        let line = text[place.span.start..].lines().next().unwrap_or_default();
        let end = place.span.start + line.split("//").next().unwrap_or_default().trim_end().len();
        return ended(problem, &place, end, " {");
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
