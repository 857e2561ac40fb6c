//! A TOML file cut into its smallest parts, blanks and comments included: what editors and the formatter look at. Joined again the parts
//! are the text, whatever is wrong with it.

use std::ops::Range;

/// What a part is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Lexis {
    /// Spaces and tabs.
    Blank,
    Line,
    /// From `#` to the end of the line.
    Comment,
    /// A key without quotes, dots included, a number, a date, `true` or `false`.
    Bare,
    /// A text in any quotes.
    Text,
    /// One of `[ ] { } , =`.
    Sign,
    /// What no TOML may hold here.
    Odd,
}

/// A part and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lexeme {
    pub kind: Lexis,
    pub span: Range<usize>,
}

impl Lexeme {
    pub fn text<'a>(&self, text: &'a str) -> &'a str {
        text.get(self.span.clone()).unwrap_or_default()
    }

    /// Whether it is this sign.
    pub fn is(&self, text: &str, sign: &str) -> bool {
        self.kind == Lexis::Sign && self.text(text) == sign
    }
}

/// All parts of a text, in order and without gaps.
pub fn lex(text: &str) -> Vec<Lexeme> {
    let mut parts = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let (kind, length) = part(&text[at..]);
        let length = length.max(1);
        parts.push(Lexeme {
            kind,
            span: at..at + length,
        });
        at += length;
    }
    parts
}

fn part(rest: &str) -> (Lexis, usize) {
    let Some(first) = rest.chars().next() else {
        return (Lexis::Odd, 0);
    };
    let run = |test: fn(char) -> bool| rest.find(|c| !test(c)).unwrap_or(rest.len());
    let is_bare = |c: char| c.is_ascii_alphanumeric() || "_-+.:".contains(c);
    match first {
        ' ' | '\t' => (Lexis::Blank, run(|c| c == ' ' || c == '\t')),
        '\n' => (Lexis::Line, 1),
        '\r' if rest.starts_with("\r\n") => (Lexis::Line, 2),
        '#' => {
            let end = rest.find('\n').unwrap_or(rest.len());
            (Lexis::Comment, end - rest[..end].ends_with('\r') as usize)
        }
        '"' | '\'' => (Lexis::Text, text(rest, first)),
        '[' | ']' | '{' | '}' | ',' | '=' => (Lexis::Sign, 1),
        c if is_bare(c) => {
            let is_bare = |c: char| c.is_ascii_alphanumeric() || "_-+.:".contains(c);
            (
                Lexis::Bare,
                rest.find(|c| !is_bare(c)).unwrap_or(rest.len()),
            )
        }
        c => (Lexis::Odd, c.len_utf8()),
    }
}

/// How long a text is; one of a single line that is not closed ends with its line.
fn text(rest: &str, quote: char) -> usize {
    let triple = &quote.to_string().repeat(3);
    if let Some(inside) = rest.strip_prefix(triple.as_str()) {
        let mut from = 0;
        while let Some(found) = inside[from..].find(triple.as_str()) {
            let at = from + found;
            let escapes = inside[..at]
                .bytes()
                .rev()
                .take_while(|b| *b == b'\\')
                .count();
            if quote == '\'' || escapes % 2 == 0 {
                // Up to two quotes may stand before the three that close.
                let quotes = inside[at..].chars().take_while(|c| *c == quote).count();
                return 3 + at + quotes.min(5);
            }
            from = at + 1;
        }
        return rest.len();
    }
    let mut chars = rest.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' if quote == '"' => {
                if let Some((at, '\n')) = chars.next() {
                    return at;
                }
            }
            '\n' => return at - rest[..at].ends_with('\r') as usize,
            _ if c == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> Vec<&str> {
        let all = lex(text);
        let joined: String = all.iter().map(|part| part.text(text)).collect();
        assert_eq!(joined, text);
        let loud = all.iter().filter(|part| part.kind != Lexis::Blank);
        loud.map(|part| part.text(text)).collect()
    }

    #[test]
    fn keys_values_texts_and_comments() {
        assert_eq!(
            parts("a.b = { \"x\\\"y\" = 'z' } # so\r\nn = -1.5"),
            [
                "a.b",
                "=",
                "{",
                "\"x\\\"y\"",
                "=",
                "'z'",
                "}",
                "# so",
                "\r\n",
                "n",
                "=",
                "-1.5"
            ]
        );
        assert_eq!(
            parts("t = \"\"\"a\n\"b\"\"\"\""),
            ["t", "=", "\"\"\"a\n\"b\"\"\"\""]
        );
    }

    #[test]
    fn what_is_never_closed_ends_somewhere() {
        for text in [
            "\"open",
            "\"open\n",
            "'''open",
            "\"\"\"a\\\"\"\"",
            "\"\\\n",
            "é=§",
            "\r",
            "\"a\r\nb",
        ] {
            parts(text);
        }
    }
}
