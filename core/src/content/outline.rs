//! The functions of a script, told from its text alone, so that a file that is broken, replaced or only being read can be spoken of
//! piece by piece. What the scripts mean is the compiler's affair.

use std::collections::BTreeSet;
use std::ops::Range;

/// One function as it stands in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outlined {
    pub name: String,
    pub parameters: usize,
    /// Its name.
    pub named: Range<usize>,
    /// From the comment above it to its last brace.
    pub whole: Range<usize>,
}

/// The functions of a script, in order.
pub fn functions(text: &str) -> Vec<Outlined> {
    let mut found = Vec::new();
    let mut words = Words::new(text);
    while let Some(word) = words.next() {
        if &text[word.clone()] != "fn" || words.depth > 0 {
            continue;
        }
        let Some(named) = words.next() else { break };
        let after = text[named.end..].trim_start();
        let Some(inside) = after.strip_prefix('(') else {
            continue;
        };
        let inside = inside.split(')').next().unwrap_or_default();
        let parameters = inside
            .split(',')
            .filter(|name| !name.trim().is_empty())
            .count();
        let end = words.end_of_block();
        found.push(Outlined {
            name: text[named.clone()].to_string(),
            parameters,
            whole: beginning(text, word.start)..end,
            named,
        });
    }
    found
}

/// The functions a script calls, and with how many arguments. What stands before a dot may be one more.
pub fn calls(text: &str) -> BTreeSet<(&str, usize)> {
    let mut found = BTreeSet::new();
    let mut before = 0..0;
    for word in Words::new(text) {
        let declared = &text[std::mem::replace(&mut before, word.clone())] == "fn";
        let after = text[word.end..].trim_start();
        if declared || !after.starts_with('(') {
            continue;
        }
        let (name, given) = (&text[word.clone()], given(after));
        found.insert((name, given));
        if text[..word.start].ends_with('.') {
            found.insert((name, given + 1));
        }
    }
    found
}

/// How many values stand in the brackets that a text begins with.
fn given(call: &str) -> usize {
    let mut words = Words::new(call);
    let (mut count, mut depth, mut open) = (0, 0usize, false);
    while let Some(rest) = call.get(words.at..) {
        let Some(first) = rest.chars().next() else {
            break;
        };
        match first {
            // The parameters of a closure are not the call's.
            '|' if depth == 1 && !open => {
                let end = rest[1..].find('|').map_or(rest.len(), |end| end + 2);
                words.at += end;
                open = true;
                continue;
            }
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == 1 => {
                count += open as usize;
                open = false;
            }
            _ => {}
        }
        if depth == 0 {
            break;
        }
        let from = words.at;
        words.step(rest);
        let is_comment = rest.starts_with("//") || rest.starts_with("/*");
        open |= !(from == 0 || first == ',' || first.is_whitespace() || is_comment);
    }
    count + open as usize
}

/// Where a function begins, with `private` and the comment right above it.
fn beginning(text: &str, at: usize) -> usize {
    let mut start = text[..at].rfind('\n').map_or(0, |line| line + 1);
    loop {
        let before = text[..start].trim_end_matches('\n');
        // An empty line ends the comment.
        if start == 0 || text[..start].len() - before.len() > 1 {
            return start;
        }
        let line = before.rfind('\n').map_or(0, |line| line + 1);
        if !text[line..].trim_start().starts_with("//") {
            return start;
        }
        start = line;
    }
}

/// Words of a script outside of comments and texts, and how many braces are open.
struct Words<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
}

impl<'t> Words<'t> {
    fn new(text: &'t str) -> Words<'t> {
        Words {
            text,
            at: 0,
            depth: 0,
        }
    }

    /// Past the block that opens next.
    fn end_of_block(&mut self) -> usize {
        let outside = self.depth;
        let mut inside = false;
        while let Some(rest) = self.text.get(self.at..).filter(|rest| !rest.is_empty()) {
            self.step(rest);
            inside |= self.depth > outside;
            if inside && self.depth == outside {
                break;
            }
        }
        self.at
    }

    /// Past the next letter, text, comment or name; the name, if it was one.
    fn step(&mut self, rest: &str) -> Option<Range<usize>> {
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        let first = rest.chars().next()?;
        let start = self.at;
        let closing = match first {
            '/' if rest.starts_with("//") => Some("\n"),
            '/' if rest.starts_with("/*") => Some("*/"),
            '"' => Some("\""),
            '`' => Some("`"),
            _ => None,
        };
        self.at += match closing {
            Some(closing) => past(rest, closing),
            // A letter in quotes; a quote alone is nothing.
            None if first == '\'' => match rest[1..].find('\'') {
                Some(end) if end <= 10 && !rest[1..1 + end].contains('\n') => end + 2,
                _ => 1,
            },
            None if is_name(first) => rest.find(|c| !is_name(c)).unwrap_or(rest.len()),
            None => first.len_utf8(),
        };
        match first {
            '{' => self.depth += 1,
            '}' => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        is_name(first).then_some(start..self.at)
    }
}

impl Iterator for Words<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        while let Some(rest) = self.text.get(self.at..).filter(|rest| !rest.is_empty()) {
            if let Some(word) = self.step(rest) {
                return Some(word);
            }
        }
        None
    }
}

/// How long a comment or text is, both ends included; a backslash keeps a text open.
fn past(rest: &str, closing: &str) -> usize {
    let opening = if closing.len() == 1 && closing != "\n" {
        1
    } else {
        2
    };
    let mut from = opening;
    while let Some(at) = rest.get(from..).and_then(|inside| inside.find(closing)) {
        let end = from + at;
        let escapes = rest[opening..end]
            .bytes()
            .rev()
            .take_while(|b| *b == b'\\')
            .count();
        if closing == "\"" && escapes % 2 == 1 {
            from = end + 1;
            continue;
        }
        return end + closing.len();
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::{calls, functions};

    #[test]
    fn calls_are_counted_by_what_they_are_given() {
        let script = "fn f(a, b, c) { f(); f(1); x.f(2, [3, 4]); f(|a, b| a, \"(,\", g(1, 2), 4, /* , */ 5,) } // f(1,2,3,4,5,6)";
        let counted = calls(script).into_iter().filter(|(name, _)| *name == "f");
        let counted: Vec<usize> = counted.map(|(_, count)| count).collect();
        assert_eq!(counted, [0, 1, 2, 3, 5]);
        assert!(calls("`f(1)` f \"f(2)\" // f(3)").is_empty());
    }

    #[test]
    fn functions_are_found_with_their_comments_and_whatever_stands_in_texts() {
        let script = "import \"lib\" as l;\n\n/// What it costs.\n// In coins.\nfn price(p, what) {\n  if p.x == \"}\" { `fn no() {` }\n  // }\n}\nprivate fn tiny() { '}' }\nfn last(\n  a,\n) { [1].map(|x| { x }) }\n";
        let all = functions(script);
        let told: Vec<String> = all
            .iter()
            .map(|f| {
                format!(
                    "{}/{} {}",
                    f.name,
                    f.parameters,
                    script[f.whole.clone()].lines().count()
                )
            })
            .collect();
        assert_eq!(told, ["price/2 6", "tiny/0 1", "last/1 3"]);
        assert!(script[all[0].whole.clone()].starts_with("/// What"));
        assert!(script[all[1].whole.clone()].starts_with("private"));
    }

    #[test]
    fn any_text_is_gone_through_to_its_end() {
        for text in [
            "fn",
            "fn f",
            "fn f(",
            "fn f() {",
            "\"",
            "/*",
            "'",
            "fn é() { ñ",
            "`fn x() {}",
        ] {
            functions(text);
        }
    }
}
