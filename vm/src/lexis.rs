//! A script cut into its smallest parts, blanks and comments included: what editors and the formatter look at. Joined again the parts are
//! the text, whatever is wrong with it; Rhai's own tokenizer stops at the first mistake and forgets comments.

use std::ops::Range;

/// What a part is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Lexis {
    /// Spaces, tabs and ends of lines.
    Blank,
    /// From `//` to the end of the line.
    Comment,
    /// `/* .. */`, which may nest.
    BlockComment,
    Name,
    Keyword,
    Number,
    /// `"…"`, or `#"…"#`.
    Text,
    /// `'x'`
    Char,
    /// A piece of a text in backticks: up to its end or to the `${` of a value in it, or from the `}` after one.
    Template,
    /// An operator or another sign; brackets are one sign each, `#{` is one.
    Sign,
    /// What no script may hold.
    Odd,
}

/// A part and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lexeme {
    pub kind: Lexis,
    pub span: Range<usize>,
}

/// Words that are no names.
pub const KEYWORDS: &[&str] = &[
    "let", "const", "fn", "private", "if", "else", "switch", "while", "loop", "do", "until", "for",
    "in", "continue", "break", "return", "throw", "try", "catch", "import", "export", "as", "true",
    "false", "this", "global", "is", "and", "or", "not",
];

/// Signs of several characters, the longest first.
const SIGNS: &[&str] = &[
    "<<=", ">>=", "**=", "..=", "...", "===", "!==", "+=", "-=", "*=", "/=", "%=", "&=", "|=",
    "^=", "==", "!=", "<=", ">=", "=>", "&&", "||", "??", "?.", "?[", "<<", ">>", "**", "..", "::",
    "->", "<-", "|>", "<|", "#{", "!in",
];

impl Lexeme {
    pub fn text<'a>(&self, text: &'a str) -> &'a str {
        text.get(self.span.clone()).unwrap_or_default()
    }

    /// Whether it says nothing to the machine.
    pub fn is_quiet(&self) -> bool {
        matches!(
            self.kind,
            Lexis::Blank | Lexis::Comment | Lexis::BlockComment
        )
    }
}

/// All parts of a text, in order and without gaps.
pub fn lex(text: &str) -> Vec<Lexeme> {
    let mut cutter = Cutter {
        text,
        at: 0,
        open: Vec::new(),
        parts: Vec::new(),
    };
    while cutter.at < text.len() {
        cutter.cut();
    }
    cutter.parts
}

struct Cutter<'a> {
    text: &'a str,
    at: usize,
    /// For every open brace, whether it is that of a value in a template.
    open: Vec<bool>,
    parts: Vec<Lexeme>,
}

impl Cutter<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn take(&mut self, kind: Lexis, length: usize) {
        let start = self.at;
        self.at = (start + length).min(self.text.len());
        self.parts.push(Lexeme {
            kind,
            span: start..self.at,
        });
    }

    fn cut(&mut self) {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else {
            return;
        };
        let is_name = |c: char| c == '_' || c.is_alphanumeric();
        let run = |test: fn(char) -> bool| rest.find(|c| !test(c)).unwrap_or(rest.len());
        match first {
            c if c.is_whitespace() => self.take(Lexis::Blank, run(char::is_whitespace)),
            '/' if rest.starts_with("//") => {
                let end = rest.find('\n').unwrap_or(rest.len());
                let end = end - rest[..end].ends_with('\r') as usize;
                self.take(Lexis::Comment, end);
            }
            '/' if rest.starts_with("/*") => {
                let length = block_comment(rest);
                self.take(Lexis::BlockComment, length);
            }
            '"' => {
                let length = quoted(rest, '"');
                self.take(Lexis::Text, length);
            }
            '\'' => {
                let length = quoted(rest, '\'');
                self.take(Lexis::Char, length);
            }
            '`' => self.template(1),
            '}' => match self.open.pop() {
                Some(true) => self.template(1),
                _ => self.take(Lexis::Sign, 1),
            },
            '{' => {
                self.open.push(false);
                self.take(Lexis::Sign, 1);
            }
            '#' if raw(rest).is_some() => {
                let length = raw(rest).unwrap_or(1);
                self.take(Lexis::Text, length);
            }
            c if c.is_ascii_digit() => {
                let length = run(|c| c == '_' || c.is_ascii_alphanumeric());
                self.take(Lexis::Number, length);
            }
            c if is_name(c) => {
                let length = run(|c| c == '_' || c.is_alphanumeric());
                let kind = match KEYWORDS.contains(&&rest[..length]) {
                    true => Lexis::Keyword,
                    false => Lexis::Name,
                };
                self.take(kind, length);
            }
            c => {
                let long = SIGNS.iter().find(|sign| starts(rest, sign));
                if long == Some(&"#{") {
                    self.open.push(false);
                }
                match long {
                    Some(sign) => self.take(Lexis::Sign, sign.len()),
                    None if c.is_ascii_punctuation() && c != '\\' => self.take(Lexis::Sign, 1),
                    None => self.take(Lexis::Odd, c.len_utf8()),
                }
            }
        }
    }

    /// A piece of a template, whose first byte (a backtick, or the brace that closes a value) was seen.
    fn template(&mut self, from: usize) {
        let rest = self.rest();
        let bytes = rest.as_bytes();
        let mut at = from;
        while at < bytes.len() {
            match bytes[at] {
                b'`' if bytes.get(at + 1) == Some(&b'`') => at += 2,
                b'`' => return self.take(Lexis::Template, at + 1),
                b'$' if bytes.get(at + 1) == Some(&b'{') => {
                    self.open.push(true);
                    return self.take(Lexis::Template, at + 2);
                }
                _ => at += 1,
            }
        }
        let length = rest.len();
        self.take(Lexis::Template, length);
    }
}

/// `!in` is a sign only if no name goes on after it.
fn starts(rest: &str, sign: &str) -> bool {
    let after = rest.strip_prefix(sign);
    after.is_some_and(|after| {
        sign != "!in" || !after.starts_with(|c: char| c == '_' || c.is_alphanumeric())
    })
}

/// How long a text in quotes is; one that is not closed ends with its line.
fn quoted(rest: &str, quote: char) -> usize {
    let mut chars = rest.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => {
                chars.next();
            }
            '\n' => return at,
            _ if c == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    rest.len()
}

/// How long a text such as `#"…"#` is; nothing if none begins here.
fn raw(rest: &str) -> Option<usize> {
    let hashes = rest.bytes().take_while(|b| *b == b'#').count();
    let inside = rest[hashes..].strip_prefix('"')?;
    let close = format!("\"{}", "#".repeat(hashes));
    let end = inside.find(&close).map(|at| at + close.len());
    Some(hashes + 1 + end.unwrap_or(inside.len()))
}

fn block_comment(rest: &str) -> usize {
    closed(rest).unwrap_or(rest.len())
}

/// Where a comment that begins here ends, comments in it included.
fn closed(rest: &str) -> Option<usize> {
    let bytes = rest.as_bytes();
    let (mut at, mut depth) = (2, 1);
    while at < bytes.len() {
        match &bytes[at..(at + 2).min(bytes.len())] {
            b"/*" => (at, depth) = (at + 2, depth + 1),
            b"*/" => {
                (at, depth) = (at + 2, depth - 1);
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => at += 1,
        }
    }
    None
}

/// Where a comment is opened that is never closed.
pub(crate) fn open_comment(text: &str) -> Option<usize> {
    if !text.contains("/*") {
        return None;
    }
    let last = lex(text).pop()?;
    let is_open = last.kind == Lexis::BlockComment && closed(last.text(text)).is_none();
    is_open.then_some(last.span.start)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> Vec<(Lexis, &str)> {
        let all = lex(text);
        let joined: String = all.iter().map(|part| part.text(text)).collect();
        assert_eq!(joined, text);
        let loud = all.into_iter().filter(|part| part.kind != Lexis::Blank);
        loud.map(|part| (part.kind, part.text(text))).collect()
    }

    #[test]
    fn a_line_is_cut_into_names_signs_and_texts() {
        use Lexis::*;
        assert_eq!(
            parts("let x = a.b(1..=2, \"it\\\"s\") - -3; // so"),
            [
                (Keyword, "let"),
                (Name, "x"),
                (Sign, "="),
                (Name, "a"),
                (Sign, "."),
                (Name, "b"),
                (Sign, "("),
                (Number, "1"),
                (Sign, "..="),
                (Number, "2"),
                (Sign, ","),
                (Text, "\"it\\\"s\""),
                (Sign, ")"),
                (Sign, "-"),
                (Sign, "-"),
                (Number, "3"),
                (Sign, ";"),
                (Comment, "// so"),
            ]
        );
    }

    #[test]
    fn values_in_templates_are_code() {
        use Lexis::*;
        assert_eq!(
            parts("`a ${#{b: 1}.b} ``c`` ${d}` e"),
            [
                (Template, "`a ${"),
                (Sign, "#{"),
                (Name, "b"),
                (Sign, ":"),
                (Number, "1"),
                (Sign, "}"),
                (Sign, "."),
                (Name, "b"),
                (Template, "} ``c`` ${"),
                (Name, "d"),
                (Template, "}`"),
                (Name, "e"),
            ]
        );
    }

    #[test]
    fn what_is_never_closed_ends_somewhere() {
        for text in [
            "\"open",
            "`open ${",
            "`open ${ }",
            "/* /* */",
            "#\"open",
            "'",
            "\\",
            "é§",
            "\"a\nb\"",
            "}",
            "!index",
        ] {
            parts(text);
        }
        assert_eq!(parts("!index")[0], (Lexis::Sign, "!"));
        assert_eq!(parts("a !in b")[1], (Lexis::Sign, "!in"));
    }
}
