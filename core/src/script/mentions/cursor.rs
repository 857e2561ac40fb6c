//! What would fit at a place that is being written: the file may be broken there, so only its smallest parts are looked at.

pub use super::fits::names_at;
use super::rules::{Frame, LoudParts, property, text};
pub use super::way::{Way, in_data};
use super::{IN_TEXTS, Wants, in_quotes};
use ludoteca_vm::lexis::{Lexis, lex};
use std::ops::Range;

/// Where one is in a script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CursorAt {
    /// A comment, a number: nothing fits.
    Nothing,
    /// A name begins: variables, functions, constants.
    Name(Range<usize>),
    /// After a dot; the names before it from the root, nothing if they are no plain names.
    Property(Vec<String>, Range<usize>),
    /// Inside of quotes.
    Text(Wants, Range<usize>),
}

/// What is being written at a byte of a script.
pub fn in_script(script: &str, byte: usize) -> CursorAt {
    let inside = |span: &Range<usize>| span.start < byte && byte <= span.end;
    let all = lex(script);
    let quiet = all.iter().find(|part| inside(&part.span));
    if quiet.is_some_and(|part| {
        matches!(
            part.kind,
            Lexis::Comment | Lexis::BlockComment | Lexis::Number | Lexis::Char
        )
    }) {
        return CursorAt::Nothing;
    }
    let parts = LoudParts::new(script);
    let mut open = Vec::new();
    let mut last = 0;
    for (at, part) in parts.list.iter().enumerate() {
        if part.span.end >= byte && part.span.start < byte {
            match part.kind {
                Lexis::Text if byte < part.span.end || !closed(parts.said(at)) => {
                    let end = part.span.end - closed(parts.said(at)) as usize;
                    let wants = match text(&parts, at, &open) {
                        Wants::Sorts(sorts) if sorts == IN_TEXTS => Wants::Sorts(in_quotes()),
                        wants => wants,
                    };
                    return CursorAt::Text(wants, part.span.start + 1..end);
                }
                Lexis::Template if !(parts.said(at).ends_with("${") && byte == part.span.end) => {
                    return match byte < part.span.end || !parts.said(at).ends_with('`') {
                        true => CursorAt::Nothing,
                        false => CursorAt::Name(byte..byte),
                    };
                }
                Lexis::Name | Lexis::Keyword => return named(&parts, at, part.span.clone()),
                _ => {}
            }
        }
        if part.span.start >= byte {
            break;
        }
        parts.follow(at, &mut open);
        last = at + 1;
    }
    named(&parts, last, byte..byte)
}

fn closed(text: &str) -> bool {
    text.len() > 1 && text.ends_with('"')
}

fn named(parts: &LoudParts<'_>, at: usize, span: Range<usize>) -> CursorAt {
    match parts.before(at) {
        "." | "?." => {
            let chain = parts.chain(at - 1).into_iter().map(str::to_string);
            CursorAt::Property(chain.collect(), span)
        }
        // A name is made up here.
        "let" | "const" | "fn" | "for" => CursorAt::Nothing,
        _ => CursorAt::Name(span),
    }
}

/// What may stand after a dot.
pub fn after_dot(chain: &[String]) -> Wants {
    let chain: Vec<&str> = chain.iter().map(String::as_str).collect();
    property(&chain)
}

/// The call one is inside of.
pub fn call_at(script: &str, byte: usize) -> Option<Frame> {
    let parts = LoudParts::new(script);
    let mut open: Vec<Frame> = Vec::new();
    for (at, part) in parts.list.iter().enumerate() {
        if part.span.start >= byte {
            break;
        }
        parts.follow(at, &mut open);
    }
    open.into_iter().rev().find(|frame| frame.callee.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script::mentions::Sort;

    fn script(text: &str) -> CursorAt {
        let byte = text.find('¦').unwrap();
        in_script(&text.replacen('¦', "", 1), byte)
    }

    #[test]
    fn spots_in_scripts() {
        assert_eq!(
            script("PRICES.unit.¦"),
            CursorAt::Property(vec!["PRICES".into(), "unit".into()], 12..12)
        );
        assert_eq!(script("f(x).b¦"), CursorAt::Property(vec![], 5..6));
        assert_eq!(script("let x = ab¦"), CursorAt::Name(8..10));
        assert_eq!(script("// ab¦"), CursorAt::Nothing);
        assert_eq!(script("let a¦"), CursorAt::Nothing);
        assert_eq!(
            script("choose(p, \"c¦"),
            CursorAt::Text(Wants::Sorts(vec![Sort::Prompt]), 11..12)
        );
        assert_eq!(
            script("p.choose(\"¦\", x)"),
            CursorAt::Text(Wants::Sorts(vec![Sort::Prompt]), 10..10)
        );
        let action = Wants::Sorts(vec![Sort::Action]);
        let cases = "switch x.action { \"stop\" => 1, \"go\" | \"¦\" => 2 }";
        assert_eq!(script(cases), CursorAt::Text(action, 39..39));
        let given = Wants::Given("holds".into(), 1);
        assert_eq!(script("holds(p, \"¦\")"), CursorAt::Text(given, 10..10));
        assert_eq!(
            script("x = [\"¦\"]"),
            CursorAt::Text(Wants::Sorts(in_quotes()), 6..6)
        );
    }

    #[test]
    fn calls_are_found_with_the_argument_at_hand() {
        let call = |text: &str| {
            let byte = text.find('¦').unwrap();
            let frame = call_at(&text.replacen('¦', "", 1), byte)?;
            Some((frame.callee?, frame.argument, frame.is_method))
        };
        assert_eq!(call("f(a, g(b), ¦"), Some(("f".into(), 2, false)));
        assert_eq!(call("p.f(#{ a: 1, ¦"), Some(("f".into(), 0, true)));
        assert_eq!(call("if (¦"), None);
    }
}
