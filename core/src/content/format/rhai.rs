//! Rules: four blanks for every bracket a line stands in, one blank around operators, and lines that go on one step further in.

use super::{NotFormatted, Page};
use ludoteca_vm::lexis::{Lexeme, Lexis, lex};

/// How far a line inside brackets stands further in.
const STEP: usize = 4;

pub fn format(text: &str) -> Result<String, NotFormatted> {
    let parts = lex(text);
    if !is_whole(text, &parts) {
        return Err(NotFormatted::Broken);
    }
    let new = Writer::new(text, &parts).write();
    let same = loud(text) == loud(&new);
    same.then_some(new).ok_or(NotFormatted::Changed)
}

/// All that is not blank, comments too: the same program, since blanks mean nothing beyond keeping parts apart.
fn loud(text: &str) -> Vec<(Lexis, &str)> {
    let loud = lex(text).into_iter();
    let loud = loud.filter(|part| part.kind != Lexis::Blank);
    loud.map(|part| (part.kind, text[part.span].trim_end_matches([' ', '\t'])))
        .collect()
}

/// Whether brackets match and every text ends.
fn is_whole(text: &str, parts: &[Lexeme]) -> bool {
    let mut open: Vec<&str> = Vec::new();
    for part in parts {
        let said = part.text(text);
        match part.kind {
            Lexis::Odd => return false,
            Lexis::Text if said.starts_with('"') && (said.len() < 2 || !said.ends_with('"')) => {
                return false;
            }
            Lexis::Char if said.len() < 3 || !said.ends_with('\'') => return false,
            Lexis::BlockComment if !said.ends_with("*/") => return false,
            Lexis::Template => {
                if said.starts_with('}') && open.pop() != Some("${") {
                    return false;
                }
                if said.ends_with("${") {
                    open.push("${");
                } else if !said.ends_with('`') || said.len() < 2 {
                    return false;
                }
            }
            Lexis::Sign => match said {
                "(" | "[" | "{" | "#{" | "?[" => open.push(said),
                ")" | "]" | "}" => {
                    let fits = match open.pop() {
                        Some("(") => ")",
                        Some("[" | "?[") => "]",
                        Some("{" | "#{") => "}",
                        _ => return false,
                    };
                    if fits != said {
                        return false;
                    }
                }
                _ => {}
            },
            _ => {}
        }
    }
    open.is_empty()
}

/// What a part is to its neighbours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    /// A name, a number, a text: something that has a value.
    Operand,
    Keyword,
    /// A sign between two values.
    Binary,
    /// A sign before a value.
    Unary,
    /// The bars around the parameters of a closure.
    BarOpen,
    BarClose,
    Open,
    Close,
    Comma,
    /// A colon, a dot, a range.
    Other,
}

struct Writer<'a> {
    text: &'a str,
    parts: &'a [Lexeme],
    page: Page,
    line: String,
    indent: usize,
    /// For each open bracket, how far in the line stands that opened it.
    open: Vec<usize>,
    /// Values in templates that are open: nothing is changed in them.
    templates: usize,
    /// Whether the bar that closes a closure's parameters is still to come, by how many brackets were open.
    bars: Vec<usize>,
    /// The last part that is no comment, and its place.
    last: Option<(&'a str, Standing)>,
}

impl<'a> Writer<'a> {
    fn new(text: &'a str, parts: &'a [Lexeme]) -> Writer<'a> {
        Writer {
            text,
            parts,
            page: Page::default(),
            line: String::new(),
            indent: 0,
            open: Vec::new(),
            templates: 0,
            bars: Vec::new(),
            last: None,
        }
    }

    fn write(mut self) -> String {
        let mut blank = "";
        let parts = self.parts;
        for (number, part) in parts.iter().enumerate() {
            let said = part.text(self.text);
            if part.kind == Lexis::Blank {
                blank = said;
                continue;
            }
            let gap = std::mem::take(&mut blank);
            let is_first = number == 0 || (number == 1 && !gap.is_empty());
            let place = self.place(part, said);
            if self.templates > 0 {
                self.line.push_str(gap);
            } else if is_first || gap.contains('\n') {
                self.new_line(number, gap, said, place, is_first);
            } else {
                let between = self.between(part, said, place, gap);
                self.line.push_str(&between);
            }
            self.line.push_str(said.trim_end_matches(['\r']));
            self.follow(part, said, place);
        }
        if !self.line.is_empty() {
            let line = std::mem::take(&mut self.line);
            self.page.line(self.indent, &line);
        }
        self.page.written
    }

    /// Ends the line before, and says how far in the next one stands.
    fn new_line(&mut self, number: usize, gap: &str, said: &str, place: Standing, is_first: bool) {
        if !is_first {
            let line = std::mem::take(&mut self.line);
            self.page.line(self.indent, &line);
        }
        let after_opening =
            matches!(self.last, Some((_, Standing::Open))) && !self.comment_before(number);
        let closes = place == Standing::Close;
        self.page.gap = gap.matches('\n').count() > 1 && !is_first && !after_opening && !closes;
        let inside = |indent: Option<&usize>| indent.map_or(0, |indent| indent + STEP);
        self.indent = match closes {
            true => {
                // All brackets the line begins with are closed.
                let same_line = |part: &&Lexeme| {
                    part.kind != Lexis::Blank || !part.text(self.text).contains('\n')
                };
                let leading = self.parts[number..].iter().take_while(same_line);
                let leading = leading.filter(|part| part.kind != Lexis::Blank);
                let closing = leading.take_while(|part| is_close(part, self.text)).count();
                let first = self.open.len().saturating_sub(closing);
                self.open.get(first).copied().unwrap_or(0)
            }
            false => inside(self.open.last()) + STEP * self.goes_on(said, place) as usize,
        };
    }

    /// Whether the part before this one, blanks aside, is a comment.
    fn comment_before(&self, number: usize) -> bool {
        let before = self.parts[..number].iter().rev();
        let mut before = before.filter(|part| part.kind != Lexis::Blank);
        before.next().is_some_and(Lexeme::is_quiet)
    }

    /// Whether a line goes on with what the one before it began.
    fn goes_on(&self, said: &str, place: Standing) -> bool {
        let begins = place == Standing::Binary || matches!(said, "." | "?." | "..");
        let left_open = matches!(self.last, Some((sign, Standing::Binary)) if sign != "=>");
        begins || (left_open && place != Standing::Open)
    }

    fn place(&self, part: &Lexeme, said: &str) -> Standing {
        let operand_before = match self.last {
            Some((word, Standing::Keyword)) => matches!(word, "true" | "false" | "this" | "global"),
            Some((_, Standing::Operand | Standing::Close)) => true,
            _ => false,
        };
        match part.kind {
            Lexis::Keyword => Standing::Keyword,
            Lexis::Sign => match said {
                "(" | "[" | "{" | "#{" | "?[" => Standing::Open,
                ")" | "]" | "}" => Standing::Close,
                "," | ";" => Standing::Comma,
                "." | "?." | "::" | ":" | ".." | "..=" => Standing::Other,
                "|" if self.bars.last() == Some(&self.open.len()) => Standing::BarClose,
                "|" if !operand_before => Standing::BarOpen,
                "||" if !operand_before => Standing::BarClose,
                "!" => Standing::Unary,
                "-" | "+" if !operand_before => Standing::Unary,
                _ => Standing::Binary,
            },
            _ => Standing::Operand,
        }
    }

    /// Keeps count of brackets and bars.
    fn follow(&mut self, part: &Lexeme, said: &'a str, place: Standing) {
        match place {
            Standing::Open => self.open.push(self.indent),
            Standing::Close => drop(self.open.pop()),
            Standing::BarOpen => self.bars.push(self.open.len()),
            Standing::BarClose if said == "|" => drop(self.bars.pop()),
            _ => {}
        }
        if part.kind == Lexis::Template {
            let (closes, opens) = (said.starts_with('}'), said.ends_with("${"));
            self.templates =
                self.templates + opens as usize - closes.min(self.templates > 0) as usize;
        }
        if !part.is_quiet() {
            self.last = Some((said, place));
        }
    }

    /// What stands between this part and the one before it on its line.
    fn between(&self, part: &Lexeme, said: &str, place: Standing, gap: &str) -> String {
        let one = |yes: bool| if yes { " " } else { "" }.to_string();
        let kept = || one(!gap.is_empty());
        if part.is_quiet() {
            return match gap.is_empty() {
                true => " ".to_string(),
                false => gap.replace('\t', " "),
            };
        }
        let Some((before, after)) = self.last else {
            return kept();
        };
        if self.line.trim_end().ends_with("*/") {
            return kept();
        }
        let between = match (after, before, place, said) {
            (.., Standing::Comma, _) => String::new(),
            (Standing::Open, "{" | "#{", Standing::Close, "}") => String::new(),
            (Standing::Open, "{" | "#{", ..) | (.., Standing::Close, "}") => one(true),
            (Standing::Open, ..) | (.., Standing::Close, _) => String::new(),
            (_, "." | "?." | "::", ..) | (.., "." | "?." | "::") => String::new(),
            (.., ":") => String::new(),
            (_, ".." | "..=", ..) | (.., ".." | "..=") => kept(),
            (Standing::Unary, ..) => String::new(),
            (Standing::BarOpen, ..) | (.., Standing::BarClose, "|") => String::new(),
            (Standing::Operand | Standing::Close, _, Standing::Open, "(" | "[" | "?[") => {
                match before {
                    // A block may be followed by a value of its own.
                    "}" => kept(),
                    _ => String::new(),
                }
            }
            // `name!(..)` calls with everything around it.
            (Standing::Operand, _, Standing::Unary, "!") => kept(),
            (Standing::Close, "}", Standing::Binary, "-" | "+") => kept(),
            _ => one(true),
        };
        // Signs that would be another sign together stay apart.
        match between.is_empty() && !gap.is_empty() && !stay_apart(before, said) {
            true => one(true),
            false => between,
        }
    }
}

/// Whether two parts are the same two parts with nothing between them.
fn stay_apart(before: &str, after: &str) -> bool {
    if ["-", "+"]
        .iter()
        .any(|sign| before.ends_with(sign) && after.starts_with(sign))
    {
        // Rhai reads two of them as a sign of other languages.
        return false;
    }
    let both = format!("{before}{after}");
    let parts = lex(&both);
    parts.len() > 1 && parts[0].span.end == before.len()
}

fn is_close(part: &Lexeme, text: &str) -> bool {
    part.kind == Lexis::Sign && matches!(part.text(text), ")" | "]" | "}")
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
    fn blanks_are_put_in_order() {
        check(
            "fn  f( a,b ){a+=-1*( b-2 );g( #{x:1,y :[ 2 ]} , |i|i>0,||3 )}   // end",
            "fn f(a, b) { a += -1 * (b - 2); g(#{ x: 1, y: [2] }, |i| i > 0, || 3) }   // end\n",
        );
        check(
            "if !a&&-b<c {return} else{ x[ 1 ].y( ) }",
            "if !a && -b < c { return } else { x[1].y() }\n",
        );
        check(
            "switch x { 1|2=>3, _=>{} }",
            "switch x { 1 | 2 => 3, _ => {} }\n",
        );
        check(
            "for i in 0..n{ `a ${ b+1 } c`; }",
            "for i in 0..n { `a ${ b+1 } c`; }\n",
        );
    }

    #[test]
    fn lines_stand_as_far_in_as_their_brackets() {
        check(
            "fn f() {\n\n\n  // why\n  g(#{\n a: 1,\n  },\n [\n 2]);\n let x = a\n   + b;\n\n\n\n let y =\n c;\n if a\n && b\n {\n d.e()\n .f();\n }\n\n}\n",
            "fn f() {\n    // why\n    g(#{\n        a: 1,\n    },\n        [\n            2]);\n    let x = a\n        + b;\n\n    let y =\n        c;\n    if a\n        && b\n    {\n        d.e()\n            .f();\n    }\n}\n",
        );
    }

    #[test]
    fn brackets_that_close_on_their_own_lines_stand_one_step_apart() {
        let text = "fn f() {\n    if a {\n        g(#{\n            b: 1,\n        });\n    }\n}\n";
        check(text, text);
        check(&text.replace("    ", " "), text);
    }

    #[test]
    fn what_cannot_be_read_is_left_alone() {
        for text in ["fn f() {", "x = \"open", "a)", "`${`", "(]", "§"] {
            assert_eq!(format(text), Err(NotFormatted::Broken), "{text}");
        }
    }
}
