//! Variables of one function: where each is declared and used. A script that is being written is read as far as it goes.

use super::rules::LoudParts;
use ludoteca_vm::lexis::Lexis;
use std::collections::HashMap;
use std::ops::Range;

/// A variable, a constant or a parameter: where it is declared, and every place that means it, that one first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Local {
    pub name: String,
    pub is_parameter: bool,
    pub places: Vec<Range<usize>>,
    /// Where it can be named: from its declaration to the end of its block.
    pub scope: Range<usize>,
}

/// The texts that a variable is given by themselves: `let x = "a"`, `x = "b"`.
pub fn texts_given_to(text: &str, local: &Local) -> Vec<Range<usize>> {
    let parts = LoudParts::new(text);
    let given = |place: &Range<usize>| {
        let at = parts.index(place.start);
        let is_text = parts.list.get(at + 2)?.kind == Lexis::Text;
        let is_all = matches!(parts.said(at + 3), ";" | "}" | "");
        (parts.said(at + 1) == "=" && is_text && is_all).then(|| parts.list[at + 2].span.clone())
    };
    local.places.iter().filter_map(given).collect()
}

/// What a bracket ends when it closes.
struct Block {
    /// Variables known before it opened.
    known: usize,
    is_brace: bool,
}

/// All variables of a script, in the order they are declared.
pub fn locals(text: &str) -> Vec<Local> {
    among(&LoudParts::new(text))
}

/// The same of a script whose parts are known.
pub(super) fn among(parts: &LoudParts<'_>) -> Vec<Local> {
    let text = parts.text;
    let mut all: Vec<Local> = Vec::new();
    let mut known = Known::default();
    let mut blocks: Vec<Block> = Vec::new();
    // Declared, but not before the block that follows opens: parameters and the variables of `for`.
    let mut waiting: Vec<usize> = Vec::new();
    let mut bars: Option<usize> = None;
    let mut at = 0;
    while at < parts.list.len() {
        let part = &parts.list[at];
        let (said, before, after) = (parts.said(at), parts.before(at), parts.said(at + 1));
        let declare = |all: &mut Vec<Local>, is_parameter: bool| {
            all.push(Local {
                name: said.to_string(),
                is_parameter,
                places: vec![part.span.clone()],
                scope: part.span.start..text.len(),
            });
            all.len() - 1
        };
        match part.kind {
            Lexis::Keyword if said == "fn" => {
                // Nothing outside of a function can be named in it.
                known.close(&mut all, 0, part.span.start);
                blocks.clear();
                let list = parameters(parts, at + 3);
                if parts.said(at + 2) == "(" {
                    for n in list.clone() {
                        let part = &parts.list[n];
                        all.push(Local {
                            name: parts.said(n).to_string(),
                            is_parameter: true,
                            places: vec![part.span.clone()],
                            scope: part.span.start..text.len(),
                        });
                        waiting.push(all.len() - 1);
                    }
                    at = list.last().map_or(at + 3, |n| n + 1);
                    continue;
                }
            }
            Lexis::Name if matches!(before, "let" | "const") => {
                let number = declare(&mut all, false);
                // It can be named after its own value; the difference shows only where the same name was known before.
                known.open(said, number);
            }
            Lexis::Name
                if before == "for" || (before == "," && after == ")" && waits_for(parts, at)) =>
            {
                waiting.push(declare(&mut all, false));
            }
            Lexis::Name if before == "(" && at >= 2 && parts.said(at - 2) == "for" => {
                waiting.push(declare(&mut all, false));
            }
            Lexis::Name if before == "(" && at >= 2 && parts.said(at - 2) == "catch" => {
                waiting.push(declare(&mut all, false));
            }
            Lexis::Name if bars.is_some() && matches!(before, "|" | ",") => {
                known.open(said, declare(&mut all, true));
            }
            Lexis::Name => {
                let is_variable =
                    !matches!(before, "." | "?." | "::") && after != "(" && !is_key(parts, at);
                if is_variable && let Some(n) = known.meant(said) {
                    all[n].places.push(part.span.clone());
                }
            }
            Lexis::Sign => match said {
                "|" if bars.is_some() => bars = None,
                "|" if begins_closure(parts, at) => {
                    blocks.push(Block {
                        known: known.order.len(),
                        is_brace: false,
                    });
                    bars = Some(blocks.len());
                }
                "{" | "#{" | "(" | "[" | "?[" => {
                    blocks.push(Block {
                        known: known.order.len(),
                        is_brace: true,
                    });
                    if said == "{" {
                        for n in waiting.drain(..) {
                            known.open(of_text(text, &all[n]), n);
                        }
                    }
                }
                "}" | ")" | "]" => {
                    end_closures(&mut blocks, &mut known, &mut all, part.span.start);
                    if let Some(block) = blocks.pop() {
                        known.close(&mut all, block.known, part.span.start);
                    }
                }
                "," | ";" if bars.is_none() => {
                    end_closures(&mut blocks, &mut known, &mut all, part.span.start)
                }
                _ => {}
            },
            _ => {}
        }
        at += 1;
    }
    all
}

/// Variables that can be named, each by its place among all.
#[derive(Default)]
struct Known<'t> {
    /// As they were declared, the innermost last.
    order: Vec<(&'t str, usize)>,
    /// Those of each name: a script may have very many.
    named: HashMap<&'t str, Vec<usize>>,
}

impl<'t> Known<'t> {
    fn open(&mut self, name: &'t str, number: usize) {
        self.order.push((name, number));
        self.named.entry(name).or_default().push(number);
    }

    fn meant(&self, name: &str) -> Option<usize> {
        self.named.get(name)?.last().copied()
    }

    fn close(&mut self, all: &mut [Local], keep: usize, end: usize) {
        for (name, n) in self.order.drain(keep.min(self.order.len())..).rev() {
            all[n].scope.end = end;
            if let Some(same) = self.named.get_mut(name) {
                same.pop();
            }
        }
    }
}

/// The name of a variable, where it is declared.
fn of_text<'t>(text: &'t str, local: &Local) -> &'t str {
    let declared = local.places.first().cloned().unwrap_or(0..0);
    text.get(declared).unwrap_or_default()
}

/// Closures without braces end with the argument or statement they are.
fn end_closures(blocks: &mut Vec<Block>, known: &mut Known<'_>, all: &mut [Local], end: usize) {
    while let Some(block) = blocks.pop_if(|block| !block.is_brace) {
        known.close(all, block.known, end);
    }
}

/// The names of a list of parameters. One that is being written ends where something begins that no list has in it.
pub(super) fn parameters(parts: &LoudParts<'_>, from: usize) -> Vec<usize> {
    let ends = |n: &usize| matches!(parts.said(*n), ")" | "{" | "}" | ";" | "fn");
    let all = (from..parts.list.len()).take_while(|n| !ends(n));
    all.filter(|n| parts.list[*n].kind == Lexis::Name).collect()
}

/// `for (item, index) in`: the second of the two.
fn waits_for(parts: &LoudParts<'_>, at: usize) -> bool {
    at >= 4 && parts.said(at - 3) == "(" && parts.said(at - 4) == "for"
}

/// A bar where a value should be begins a closure.
fn begins_closure(parts: &LoudParts<'_>, at: usize) -> bool {
    let before = parts.before(at);
    let kind = at.checked_sub(1).map(|n| parts.list[n].kind);
    let value = matches!(
        kind,
        Some(Lexis::Name | Lexis::Number | Lexis::Text | Lexis::Char | Lexis::Template)
    );
    !(value || matches!(before, ")" | "]" | "}" | "true" | "false" | "this"))
}

/// The key of a map is no variable.
fn is_key(parts: &LoudParts<'_>, at: usize) -> bool {
    parts.said(at + 1) == ":" && matches!(parts.before(at), "#{" | ",")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each variable with the lines it is on.
    fn told(text: &str) -> Vec<String> {
        let line = |at: usize| text[..at].matches('\n').count() + 1;
        let one = |local: Local| {
            let lines: Vec<String> = local
                .places
                .iter()
                .map(|p| line(p.start).to_string())
                .collect();
            format!("{} {}", local.name, lines.join(" "))
        };
        locals(text).into_iter().map(one).collect()
    }

    #[test]
    fn variables_are_found_in_their_blocks() {
        let text = "fn f(p, n) {\n let x = p;\n { let x = n; g(x); }\n x.y(#{ x: x });\n for i in x { i; }\n list.map(|i| i + n);\n i\n}\nfn g(x) { x }";
        assert_eq!(
            told(text),
            [
                "p 1 2",
                "n 1 3 6",
                "x 2 4 4 5",
                "x 3 3",
                "i 5 5",
                "i 6 6",
                "x 9 9"
            ]
        );
    }

    #[test]
    fn what_is_not_finished_is_read_as_far_as_it_goes() {
        for text in [
            "fn",
            "fn f(",
            "fn f(a",
            "let",
            "let x = |",
            "for (a, b) in c { a + b }",
            "}}}",
            "f(|a, b| a, c",
        ] {
            told(text);
        }
        assert_eq!(told("for (a, b) in c { a + b }"), ["a 1 1", "b 1 1"]);
    }
}
