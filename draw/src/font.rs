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
    let Some(measure) = measure() else {
        return text.chars().count() as f64 * size * 0.6;
    };
    let own = if bold { &measure.bold } else { &measure.plain };
    let advance = |letter: char| {
        let of = |face: &Face| {
            let glyph = face.glyph_index(letter)?;
            let wide = f64::from(face.glyph_hor_advance(glyph)?);
            Some(wide / f64::from(face.units_per_em()))
        };
        of(own).or_else(|| of(&measure.signs)).unwrap_or(0.6)
    };
    text.chars().map(advance).sum::<f64>() * size
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
    let mut out = Vec::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        for word in paragraph.split_whitespace() {
            let longer = match line.is_empty() {
                true => word.to_string(),
                false => format!("{line} {word}"),
            };
            if width(&longer, size, bold) <= wide {
                line = longer;
                continue;
            }
            if !line.is_empty() {
                out.push(std::mem::take(&mut line));
            }
            line = cut(word, size, bold, wide, &mut out);
        }
        if !line.is_empty() {
            out.push(line);
        }
    }
    out
}

/// A word in pieces that fit; the last one is given back.
fn cut(word: &str, size: f64, bold: bool, wide: f64, out: &mut Vec<String>) -> String {
    let mut piece = String::new();
    for letter in word.chars() {
        let longer = format!("{piece}{letter}");
        if width(&longer, size, bold) > wide && !piece.is_empty() {
            out.push(std::mem::replace(&mut piece, letter.to_string()));
        } else {
            piece = longer;
        }
    }
    piece
}

/// The largest size, from one down to another, in which a text fits on so many lines.
pub fn fitted(text: &str, bold: bool, wide: f64, most: usize, sizes: (f64, f64)) -> f64 {
    let mut size = sizes.0;
    while size > sizes.1 && lines(text, size, bold, wide).len() > most {
        size -= 0.5;
    }
    size.max(sizes.1)
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
    fn both_languages_are_there() {
        let letters = "áéíóúüñÁÉÍÓÚÜÑ¡¿«»“”‘’…–—·×→←½ºªōç€";
        let missing: String = letters.chars().filter(|letter| !has(*letter)).collect();
        assert_eq!(missing, "");
    }
}
