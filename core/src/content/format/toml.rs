//! TOML: one blank around `=`, after commas and inside braces; lines inside brackets stand two blanks further in.

use super::{NotFormatted, Page};
use crate::content::file::File;
use crate::content::lexis::{Lexeme, Lexis, lex};
use crate::content::tree;
use crate::limits::MOST_WORDS;
use std::sync::Arc;

pub fn format(text: &str) -> Result<String, NotFormatted> {
    let before = parsed(text).ok_or(NotFormatted::Broken)?;
    let new = written(text, &lex(text));
    let after = parsed(&new).ok_or(NotFormatted::Changed)?;
    let same = before.same(&after) && loud(text) == loud(&new);
    same.then_some(new).ok_or(NotFormatted::Changed)
}

fn parsed(text: &str) -> Option<tree::Node> {
    if tree::words(text) > MOST_WORDS {
        return None;
    }
    let file = Arc::new(File::new("", "", "", text));
    let (root, problems) = tree::parse(&file);
    let syntax = problems.iter().any(|problem| {
        use crate::content::diagnostic::Code;
        matches!(problem.code, Code::BadSyntax | Code::DuplicateId)
    });
    (!syntax).then_some(root)
}

/// All that is not blank, comments too.
fn loud(text: &str) -> Vec<&str> {
    let loud = lex(text).into_iter();
    let loud = loud.filter(|part| !matches!(part.kind, Lexis::Blank | Lexis::Line));
    loud.map(|part| text[part.span].trim_end_matches([' ', '\t']))
        .collect()
}

fn written(text: &str, parts: &[Lexeme]) -> String {
    let mut page = Page::default();
    // Brackets that are open around values.
    let mut depth = 0usize;
    for line in parts.split_inclusive(|part| part.kind == Lexis::Line) {
        let loud: Vec<&Lexeme> = line
            .iter()
            .filter(|part| !matches!(part.kind, Lexis::Blank | Lexis::Line))
            .collect();
        if loud.is_empty() {
            page.gap = true;
            continue;
        }
        let is_header = depth == 0 && loud[0].is(text, "[");
        let closing = loud.iter().take_while(|part| closes(part, text)).count();
        let indent = match is_header {
            true => 0,
            false => 2 * depth.saturating_sub(closing),
        };
        let mut out = String::new();
        let mut last: Option<&Lexeme> = None;
        for part in &loud {
            if let Some(before) = last {
                out.push_str(&between(before, part, text, is_header));
            }
            out.push_str(part.text(text));
            if !is_header {
                match part.text(text) {
                    _ if part.kind != Lexis::Sign => {}
                    "[" | "{" => depth += 1,
                    "]" | "}" => depth = depth.saturating_sub(1),
                    _ => {}
                }
            }
            last = Some(part);
        }
        page.line(indent, &out);
    }
    page.written
}

fn closes(part: &Lexeme, text: &str) -> bool {
    part.is(text, "]") || part.is(text, "}")
}

/// What stands between two parts of a line.
fn between(before: &Lexeme, after: &Lexeme, text: &str, is_header: bool) -> String {
    let gap = &text[before.span.end..after.span.start];
    let one = |yes: bool| if yes { " " } else { "" }.to_string();
    if after.kind == Lexis::Comment {
        // Comments may stand under each other.
        return match gap.is_empty() {
            true => " ".to_string(),
            false => gap.replace('\t', " "),
        };
    }
    let (first, second) = (before.text(text), after.text(text));
    let sign = |part: &Lexeme| part.kind == Lexis::Sign;
    if is_header && (sign(before) || sign(after)) {
        return String::new();
    }
    match (sign(before), first, sign(after), second) {
        (_, _, true, ",") => String::new(),
        (true, "{", true, "}") => String::new(),
        (true, "[", ..) | (_, _, true, "]") => String::new(),
        (true, "{", ..) | (_, _, true, "}") => one(true),
        (true, "=" | ",", ..) | (_, _, true, "=") => one(true),
        // Parts of a dotted key, or what no rule is known for.
        _ => one(!gap.is_empty()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, wanted: &str) {
        let new = format(text).unwrap();
        assert_eq!(new, wanted);
        assert_eq!(format(&new).unwrap(), wanted);
    }

    #[test]
    fn blanks_are_put_in_order_and_comments_stay() {
        check(
            "\n\na=1   # one\n\n\n\n[ x.y ]\nb = {c=[ 1,2 ],  d=\"e  f\"}  \n   # own line\n[[ z ]]",
            "a = 1   # one\n\n[x.y]\nb = { c = [1, 2], d = \"e  f\" }\n# own line\n[[z]]\n",
        );
    }

    #[test]
    fn lines_inside_brackets_stand_further_in() {
        check(
            "a = [\n1,\n      { b = 1 },\n    # why\n\n\n  [\n2,\n],\n]\n",
            "a = [\n  1,\n  { b = 1 },\n  # why\n\n  [\n    2,\n  ],\n]\n",
        );
    }

    #[test]
    fn texts_of_several_lines_stay_as_they_are() {
        let text = "a = \"\"\"\n   x  =  1\n\"\"\"\n";
        check(text, text);
    }

    #[test]
    fn what_cannot_be_read_is_left_alone() {
        assert_eq!(format("a = "), Err(NotFormatted::Broken));
        assert_eq!(format("a = 1\na = 2"), Err(NotFormatted::Broken));
    }
}
