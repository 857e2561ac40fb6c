//! Bytes of a text and the positions editors speak of: lines from 0, and columns in UTF-16 units.

use lsp_types::{Position, Range as Positions};
use std::ops::Range;

/// The byte at a position; what lies beyond a line is its end.
pub fn byte(text: &str, position: Position) -> usize {
    let mut start = 0;
    for _ in 0..position.line {
        match text[start..].find('\n') {
            Some(at) => start += at + 1,
            None => return text.len(),
        }
    }
    let line = &text[start..];
    let line = &line[..line.find('\n').unwrap_or(line.len())];
    let mut units = 0;
    for (at, c) in line.char_indices() {
        if units >= position.character {
            return start + at;
        }
        units += c.len_utf16() as u32;
    }
    start + line.len()
}

/// The position of a byte; inside a character, that of the character.
pub fn position(text: &str, byte: usize) -> Position {
    let mut byte = byte.min(text.len());
    while !text.is_char_boundary(byte) {
        byte -= 1;
    }
    let before = &text[..byte];
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    Position {
        line: before.bytes().filter(|b| *b == b'\n').count() as u32,
        character: before[line_start..]
            .chars()
            .map(|c| c.len_utf16() as u32)
            .sum(),
    }
}

pub fn positions(text: &str, span: Range<usize>) -> Positions {
    Positions {
        start: position(text, span.start),
        end: position(text, span.end),
    }
}

/// Positions of many bytes of one text, in any order: a line may be as long as the text, so that columns are known every so often.
#[derive(Debug, Default)]
pub struct Ruler {
    /// Byte, line and column, from the first on.
    marks: Vec<(usize, Position)>,
}

/// Bytes between two marks.
const APART: usize = 1024;

impl Ruler {
    pub fn new(text: &str) -> Ruler {
        let mut marks = Vec::new();
        let mut ascending = Ascending::new(text);
        for byte in (0..text.len()).step_by(APART) {
            let byte = (byte..text.len()).find(|at| text.is_char_boundary(*at));
            marks.extend(byte.map(|byte| (byte, ascending.position(byte))));
        }
        Ruler { marks }
    }

    /// The position of a byte of the text it was made of.
    pub fn position(&self, text: &str, byte: usize) -> Position {
        let mut byte = byte.min(text.len());
        while !text.is_char_boundary(byte) {
            byte -= 1;
        }
        let after = self.marks.partition_point(|(mark, _)| *mark <= byte);
        let Some((mark, at)) = after.checked_sub(1).and_then(|n| self.marks.get(n)) else {
            return position(text, byte);
        };
        let mut ascending = Ascending {
            text,
            byte: *mark,
            at: *at,
        };
        ascending.position(byte)
    }

    pub fn positions(&self, text: &str, span: Range<usize>) -> Positions {
        Positions {
            start: self.position(text, span.start),
            end: self.position(text, span.end),
        }
    }
}

/// Positions of many bytes of one text, asked in ascending order.
pub struct Ascending<'t> {
    text: &'t str,
    byte: usize,
    at: Position,
}

impl<'t> Ascending<'t> {
    pub fn new(text: &'t str) -> Ascending<'t> {
        Ascending {
            text,
            byte: 0,
            at: Position::default(),
        }
    }

    pub fn position(&mut self, byte: usize) -> Position {
        let byte = byte.clamp(self.byte, self.text.len());
        let between = self.text.get(self.byte..byte).unwrap_or_default();
        let new_line = between.rfind('\n');
        if new_line.is_some() {
            self.at.line += between.bytes().filter(|b| *b == b'\n').count() as u32;
            self.at.character = 0;
        }
        let rest = &between[new_line.map_or(0, |at| at + 1)..];
        let units = rest.chars().map(|c| c.len_utf16() as u32);
        self.at.character += units.sum::<u32>();
        self.byte = byte;
        self.at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_as_editors_do_and_never_leave_the_text() {
        let text = "añ𝄞b\r\n\nz";
        let at = |line, character| byte(text, Position { line, character });
        assert_eq!((at(0, 2), at(0, 4), at(0, 5)), (3, 7, 8));
        assert_eq!((at(0, 99), at(2, 0), at(9, 9)), (9, 11, text.len()));
        let mut ascending = Ascending::new(text);
        for (n, _) in text.char_indices() {
            let found = position(text, n);
            assert_eq!(byte(text, found), n);
            assert_eq!(ascending.position(n), found);
        }
        let long = text.repeat(500);
        let ruler = Ruler::new(&long);
        for n in (0..long.len() + 9).step_by(97) {
            assert_eq!(ruler.position(&long, n), position(&long, n));
        }
        assert_eq!(position(text, 2), position(text, 1));
        assert_eq!(position(text, 999).line, 2);
    }
}
