//! The font of printed things: how wide its letters are, and where a text is cut into lines.

use std::sync::OnceLock;
use ttf_parser::Face;

/// The font files, with everything both languages need; `fonts/OFL.txt` is their licence.
pub const FONTS: [&[u8]; 3] = [
    include_bytes!("../fonts/NotoSans-Regular.ttf"),
    include_bytes!("../fonts/NotoSans-Bold.ttf"),
    include_bytes!("../fonts/NotoSansMath-Regular.ttf"),
];

struct Faces {
    plain: Face<'static>,
    bold: Face<'static>,
    signs: Face<'static>,
}

fn measure() -> Option<&'static Faces> {
    static MEASURE: OnceLock<Option<Faces>> = OnceLock::new();
    let read = || {
        let face = |n: usize| Face::parse(FONTS[n], 0).ok();
        Some(Faces {
            plain: face(0)?,
            bold: face(1)?,
            signs: face(2)?,
        })
    };
    MEASURE.get_or_init(read).as_ref()
}

/// How wide a text is in letters of a size.
pub fn width(text: &str, size: f64, bold: bool) -> f64 {
    text.chars().fold(0.0, |wide, c| wide + advance(c, bold)) * size
}

/// How wide a letter of size 1 is.
fn advance(letter: char, bold: bool) -> f64 {
    let Some(measure) = measure() else {
        return 0.6;
    };
    let own = if bold { &measure.bold } else { &measure.plain };
    let of = |face: &Face| {
        let glyph = face.glyph_index(letter)?;
        let wide = f64::from(face.glyph_hor_advance(glyph)?);
        Some(wide / f64::from(face.units_per_em()))
    };
    of(own).or_else(|| of(&measure.signs)).unwrap_or(0.6)
}

/// Whether the fonts have a letter.
pub fn has(letter: char) -> bool {
    measure().is_some_and(|measure| {
        let in_text = [&measure.plain, &measure.bold];
        let all = in_text
            .iter()
            .all(|face| face.glyph_index(letter).is_some());
        all || measure.signs.glyph_index(letter).is_some()
    })
}

/// A text in lines no wider than given; a word that is wider is cut.
pub fn lines(text: &str, size: f64, bold: bool, wide: f64) -> Vec<String> {
    let mut setter = Setter {
        size,
        bold,
        wide,
        line: String::new(),
        used: 0.0,
        done: Vec::new(),
    };
    for paragraph in text.lines() {
        for word in paragraph.split_whitespace() {
            setter.word(word);
        }
        setter.turn();
    }
    setter.done
}

/// Sets words one behind the other. Every letter is measured once: a stranger's word may be as long as a book.
struct Setter {
    size: f64,
    bold: bool,
    wide: f64,
    line: String,
    /// How wide the line is in letters of size 1.
    used: f64,
    done: Vec<String>,
}

impl Setter {
    fn fits(&self, used: f64) -> bool {
        used * self.size <= self.wide
    }

    /// How wide the line would be with these letters behind it.
    fn with(&self, used: f64, letters: &str) -> f64 {
        let letters = letters.chars();
        letters.fold(used, |used, c| used + advance(c, self.bold))
    }

    fn word(&mut self, word: &str) {
        let gap = if self.line.is_empty() { "" } else { " " };
        let used = self.with(self.with(self.used, gap), word);
        if self.fits(used) {
            self.line.push_str(gap);
            self.line.push_str(word);
            self.used = used;
            return;
        }
        self.turn();
        // What is wider than a line is cut where the line ends.
        for letter in word.chars() {
            let used = self.used + advance(letter, self.bold);
            if !self.fits(used) && !self.line.is_empty() {
                self.turn();
            }
            self.used += advance(letter, self.bold);
            self.line.push(letter);
        }
    }

    fn turn(&mut self) {
        if !self.line.is_empty() {
            self.done.push(std::mem::take(&mut self.line));
        }
        self.used = 0.0;
    }
}

/// The largest size, from one down to another, in which a text fits on so many lines.
pub fn fitted(text: &str, bold: bool, wide: f64, most: usize, sizes: (f64, f64)) -> f64 {
    let size = |step: usize| (sizes.0 - 0.5 * step as f64).max(sizes.1);
    let last = ((sizes.0 - sizes.1) * 2.0).ceil() as usize;
    size(first_fit(last, |step| {
        lines(text, size(step), bold, wide).len() <= most
    }))
}

/// The first of some steps, each smaller than the one before, at which something fits; the last one if it fits at none.
/// Nearly everything fits at once; for the rest the steps are halved.
pub fn first_fit(last: usize, mut fits: impl FnMut(usize) -> bool) -> usize {
    if fits(0) {
        return 0;
    }
    let (mut low, mut high) = (1.min(last), last);
    while low < high {
        let middle = (low + high) / 2;
        match fits(middle) {
            true => high = middle,
            false => low = middle + 1,
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_where_they_must_be() {
        let text = "Cada unidad come energía; las que no comen se retiran.";
        let cut = lines(text, 10.0, false, 120.0);
        assert!(cut.len() > 2);
        assert!(cut.iter().all(|line| width(line, 10.0, false) <= 120.0));
        assert_eq!(cut.join(" "), text);
        assert!(lines("Incomprehensibilities", 10.0, false, 40.0).len() > 1);
        assert!(width("W", 10.0, false) > width("i", 10.0, false));
    }

    #[test]
    fn the_first_step_that_fits_is_found() {
        for last in 0..20 {
            for first in 0..=last {
                assert_eq!(first_fit(last, |step| step >= first), first);
            }
            assert_eq!(first_fit(last, |_| false), last);
        }
    }

    #[test]
    fn a_word_as_long_as_a_book_is_cut_into_lines() {
        let book = "ñ".repeat(100_000);
        let cut = lines(&format!("a {book} b"), 10.0, false, 40.0);
        assert_eq!(cut.concat(), format!("a{book} b"));
        assert_eq!(cut[0], "a");
        assert!(cut.iter().all(|line| width(line, 10.0, false) <= 40.0));
        let small = fitted(&book, false, 40.0, 2, (40.0, 18.0));
        assert_eq!(small, 18.0);
        let some = "ñ".repeat(10);
        let fits = fitted(&some, false, 100.0, 2, (40.0, 18.0));
        assert!(lines(&some, fits, false, 100.0).len() <= 2);
        assert!(lines(&some, fits + 0.5, false, 100.0).len() > 2);
    }

    #[test]
    fn both_languages_are_there() {
        let letters = "áéíóúüñÁÉÍÓÚÜÑ¡¿«»“”‘’…–—·×→←½ºªōç€";
        let missing: String = letters.chars().filter(|letter| !has(*letter)).collect();
        assert_eq!(missing, "");
    }
}
