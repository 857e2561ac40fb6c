//! Text by strangers that people read: what a terminal or an editor takes for a command, or shows in another order than it is written,
//! or not at all, has no place in it.

use crate::limits::{LONGEST_MESSAGE, LONGEST_REPEATED};
use std::borrow::Cow;

/// Whether people see a character as it is. Lines may end and be indented; a return without a new line writes over what stands there.
pub fn is_legible(letter: char) -> bool {
    // The last two of every plane are no characters.
    if letter as u32 & 0xfffe == 0xfffe {
        return false;
    }
    match letter {
        '\n' | '\t' => true,
        _ if letter.is_control() => false,
        // The soft hyphen, marks and overrides of direction, widths of nothing, separators, fillers, shapes of nothing, tags, and what
        // everybody draws as they like, or not at all.
        '\u{ad}'
        | '\u{34f}'
        | '\u{61c}'
        | '\u{115f}'
        | '\u{1160}'
        | '\u{17b4}'
        | '\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{2800}'
        | '\u{3164}'
        | '\u{e000}'..='\u{f8ff}'
        | '\u{fdd0}'..='\u{fdef}'
        | '\u{feff}'
        | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}'
        | '\u{1107f}'
        | '\u{13430}'..='\u{13455}'
        | '\u{16fe4}'
        | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d159}'
        | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}'
        | '\u{f0000}'..='\u{10ffff}' => false,
        // What makes a picture of a sign, and nothing else.
        _ => true,
    }
}

/// The first character of a text that people do not see as it is. Lines may end as some machines write it.
pub fn illegible(text: &str) -> Option<(usize, char)> {
    // Nearly all of a text is plain letters: only what else there is needs a closer look.
    let plain = |byte: &u8| matches!(byte, b' '..=b'~' | b'\n' | b'\t');
    let mut bytes = text.as_bytes();
    loop {
        let at = text.len() - bytes.len() + bytes.iter().position(|byte| !plain(byte))?;
        let letter = text[at..].chars().next()?;
        if !is_legible(letter) && !text[at..].starts_with("\r\n") {
            return Some((at, letter));
        }
        bytes = &text.as_bytes()[at + letter.len_utf8()..];
    }
}

/// The same of a text that is one line, such as a name: it does not end before its end.
pub fn illegible_in_a_line(text: &str) -> Option<(usize, char)> {
    let ends = text.find(['\n', '\r']).map(|at| (at, text.as_bytes()[at]));
    let ends = ends.map(|(at, byte)| (at, char::from(byte)));
    illegible(text).into_iter().chain(ends).min()
}

/// A text as it may be shown: every character people see stays, every other becomes a sign that something was there.
pub fn legible(text: &str) -> Cow<'_, str> {
    match illegible(text) {
        None => Cow::Borrowed(text),
        Some(_) => {
            let mut letters = text.chars().peekable();
            let mut seen = String::with_capacity(text.len());
            while let Some(letter) = letters.next() {
                let ends = letter == '\r' && letters.peek() == Some(&'\n');
                seen.push(match is_legible(letter) || ends {
                    true => letter,
                    false => char::REPLACEMENT_CHARACTER,
                });
            }
            Cow::Owned(seen)
        }
    }
}

/// A text as it may be shown where one line is expected: it cannot look like two.
pub fn legible_line(text: &str) -> Cow<'_, str> {
    match text.contains(['\n', '\r', '\t']) {
        false => legible(text),
        true => {
            let whole = text.replace("\r\n", " ").replace(['\n', '\r', '\t'], " ");
            Cow::Owned(legible(&whole).into_owned())
        }
    }
}

/// A stranger's words as far as a message repeats them: names of more letters than anybody reads lose their end.
pub fn shortened(text: &str) -> Cow<'_, str> {
    cut(text, LONGEST_REPEATED)
}

/// A message as people may read it, of which everything in backticks is shortened, and then the whole of it.
pub fn bearable_message(said: String) -> String {
    let said = match legible(&said) {
        Cow::Owned(seen) => seen,
        Cow::Borrowed(_) => said,
    };
    if said.len() <= LONGEST_REPEATED {
        return said;
    }
    let mut short = String::new();
    // Who cuts at every backtick has what stands inside and outside by turns.
    for (number, part) in said.split('`').enumerate() {
        if number > 0 {
            short.push('`');
        }
        match number % 2 {
            1 => short.push_str(&shortened(part)),
            _ => short.push_str(part),
        }
        if short.len() > 4 * LONGEST_MESSAGE {
            break;
        }
    }
    cut(&short, LONGEST_MESSAGE).into_owned()
}

fn cut(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        Some((end, _)) => Cow::Owned(format!("{}..", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_write_stays_and_what_machines_obey_goes() {
        let plain = "¿Qué? «Sí» — 3 × 4 → 12 … 🎲 日本\n\tzwei";
        assert_eq!(legible(plain), plain);
        let hostile = "a\u{1b}[2Jb\u{9b}31mc\u{7}d\u{202e}e\u{200b}f\u{e0041}g\u{7f}";
        assert_eq!(legible(hostile), "a�[2Jb�31mc�d�e�f�g�");
        let nothing = "\u{2800}\u{e000}\u{f8ff}\u{fdd0}\u{ffff}\u{1fffe}\u{f0000}\u{10ffff}";
        assert_eq!(legible(nothing), "�".repeat(8));
    }
    #[test]
    fn a_line_ends_where_it_ends() {
        for (text, odd, odd_in_a_line) in [
            ("one", None, None),
            ("one\ttwo", None, None),
            ("one\ntwo", None, Some((3, '\n'))),
            ("one\r\ntwo", None, Some((3, '\r'))),
            ("one\rtwo", Some((3, '\r')), Some((3, '\r'))),
            ("one\r\r\n", Some((3, '\r')), Some((3, '\r'))),
            ("one\u{7}\n", Some((3, '\u{7}')), Some((3, '\u{7}'))),
        ] {
            assert_eq!(illegible(text), odd, "{text:?}");
            assert_eq!(illegible_in_a_line(text), odd_in_a_line, "{text:?}");
        }
        assert_eq!(legible("a\r\nb\rc\n"), "a\r\nb�c\n");
        assert_eq!(legible_line("a\r\nb\rc\n\td\u{7}"), "a b c  d�");
    }
    #[test]
    fn what_nobody_reads_to_its_end_is_cut() {
        let long = "ñ".repeat(LONGEST_REPEATED + 1);
        let cut = format!("{}..", "ñ".repeat(LONGEST_REPEATED));
        assert_eq!(shortened(&long), cut);
        assert_eq!(shortened(&long[2..]), long[2..]);
        let said = |name: &str| format!("unknown key `{name}` in `land`");
        assert_eq!(bearable_message(said(&long)), said(&cut));
        assert_eq!(bearable_message(said("steps")), said("steps"));
        let endless = bearable_message("x".repeat(3 << 20));
        assert_eq!(endless.len(), LONGEST_MESSAGE + "..".len());
    }
}
