//! What would fit at a place that is being written: the file may be broken there, so only its smallest parts are looked at.

pub use super::fits::names_at;
use super::rules::{Frame, LoudParts, is_details, property, property_of, text};
pub use super::way::{Way, in_data};
use super::{IN_TEXTS, Wants, in_quotes};
use crate::content::definition::{AttributeType, Definition, FieldType};
use crate::content::wording;
use ludoteca_vm::lexis::{Lexeme, Lexis, lex};
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

/// The words of the attribute or the field that a text at a byte is put into or compared with, if it has only these.
pub fn words_at(script: &str, byte: usize, definition: &Definition) -> Option<Wants> {
    let parts = LoudParts::new(script);
    let mut open = Vec::new();
    for (at, part) in parts.list.iter().enumerate() {
        if part.span.start < byte && byte <= part.span.end && part.kind == Lexis::Text {
            let words = words_of(property_of(&parts, at, &open)?, definition);
            return (!words.is_empty()).then_some(Wants::Words(words));
        }
        if part.span.start >= byte {
            return None;
        }
        parts.follow(at, &mut open);
    }
    None
}

/// The words that attributes and fields of this name may hold.
fn words_of(property: &str, definition: &Definition) -> Vec<String> {
    let all = &definition.attributes;
    let owners = [&all.game, &all.player, &all.space, &all.piece];
    let attributes = owners.into_iter().flatten();
    let of_attributes = attributes.filter(|attribute| attribute.name == property);
    let of_attributes = of_attributes.filter_map(|attribute| match &attribute.ty {
        AttributeType::Word(words) => Some(words),
        _ => None,
    });
    let map = definition.map.as_ref();
    let of_map = map.into_iter().flat_map(|map| {
        let fields = [&map.space_fields, &map.edge_fields, &map.area_fields];
        fields.into_iter().flatten()
    });
    let fields = definition.kinds.iter().flat_map(|kind| &kind.fields);
    let fields = fields.chain(of_map).filter(|field| field.name == property);
    let of_fields = fields.filter_map(|field| match &field.ty {
        FieldType::Word(words) => Some(words),
        _ => None,
    });
    let mut found: Vec<String> = Vec::new();
    for number in of_attributes.chain(of_fields).flatten() {
        if let Some(word) = definition.words.get(*number as usize)
            && !found.contains(word)
        {
            found.push(word.clone());
        }
    }
    found
}

/// The braces of the text whose details a map at a byte fills, but for those it fills already: `say("paid", #{ ¦ })`.
pub fn details_at(script: &str, byte: usize, definition: &Definition) -> Vec<String> {
    let parts = LoudParts::new(script);
    let mut open: Vec<Frame> = Vec::new();
    let is_before = |part: &&Lexeme| part.span.start < byte;
    for at in 0..parts.list.iter().take_while(is_before).count() {
        parts.follow(at, &mut open);
    }
    let [.., call, map] = &open[..] else {
        return Vec::new();
    };
    if !map.is_map || !is_details(call) {
        return Vec::new();
    }
    let (first, brace) = (parts.index(call.from), parts.index(map.from));
    let texts = &definition.texts;
    let sections = [&texts.log, &texts.prompt, &texts.reason];
    let key = (first..brace).find_map(|at| {
        let key = parts.said(at).strip_prefix('"')?.strip_suffix('"')?;
        sections.iter().find_map(|section| section.get(key))
    });
    let Some(text) = key else { return Vec::new() };
    let beside: Vec<&str> = (brace + 1..parts.list.len())
        .take_while(|at| parts.said(*at) != "}")
        .filter(|at| parts.said(at + 1) == ":")
        .map(|at| parts.said(at))
        .collect();
    let mut found: Vec<String> = Vec::new();
    for name in [&text.es, &text.en]
        .into_iter()
        .flat_map(|text| wording::names(text))
    {
        if !beside.contains(&name) && !found.iter().any(|known| known == name) {
            found.push(name.to_string());
        }
    }
    found
}

/// The braces that a text may have: those it has in its other language, then those of the other texts of its section.
pub fn braces_of(section: &str, key: &str, definition: &Definition) -> Vec<String> {
    let texts = match section {
        "log" => &definition.texts.log,
        "prompt" => &definition.texts.prompt,
        _ => return Vec::new(),
    };
    let own = texts.get(key).into_iter();
    let names = own.chain(texts.values()).flat_map(|text| {
        let both = [&text.es, &text.en].into_iter();
        both.flat_map(|text| wording::names(text))
    });
    let mut found: Vec<String> = Vec::new();
    for name in names {
        if !found.iter().any(|known| known == name) {
            found.push(name.to_string());
        }
    }
    found
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
