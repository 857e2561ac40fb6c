//! SVG as it is written: numbers alike on every machine, and every text escaped.

use std::fmt::Write;

/// A drawing in the making.
#[derive(Debug, Clone, Default)]
pub struct Svg {
    out: String,
}

/// How a text stands.
#[derive(Debug, Clone, Copy)]
pub struct Letters<'a> {
    pub size: f64,
    pub bold: bool,
    pub fill: &'a str,
    /// `start`, `middle` or `end`.
    pub anchor: &'a str,
    /// The colour of a seam around the letters.
    pub halo: Option<&'a str>,
}

impl Letters<'_> {
    pub const PLAIN: Letters<'static> = Letters {
        size: 11.6,
        bold: false,
        fill: crate::color::INK,
        anchor: "middle",
        halo: None,
    };
}

impl Svg {
    /// What was drawn so far.
    pub fn body(&self) -> &str {
        &self.out
    }

    /// Markup of ours, or of another drawing.
    pub fn raw(&mut self, markup: &str) {
        self.out.push_str(markup);
    }

    pub fn rect(&mut self, (x, y, w, h): (f64, f64, f64, f64), round: f64, style: &str) {
        let [x, y, w, h, round] = [x, y, w, h, round].map(number);
        let _ = write!(
            self.out,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" rx=\"{round}\" {style}/>"
        );
    }

    pub fn circle(&mut self, (x, y): (f64, f64), r: f64, style: &str) {
        let [x, y, r] = [x, y, r].map(number);
        let _ = write!(
            self.out,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\" {style}/>"
        );
    }

    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), style: &str) {
        let [x, y, u, v] = [from.0, from.1, to.0, to.1].map(number);
        let _ = write!(
            self.out,
            "<line x1=\"{x}\" y1=\"{y}\" x2=\"{u}\" y2=\"{v}\" {style}/>"
        );
    }

    /// A path by its data, which may come from a look.
    pub fn path(&mut self, data: &str, style: &str) {
        let _ = write!(self.out, "<path d=\"{}\" {style}/>", escaped(data));
    }

    pub fn text(&mut self, (x, y): (f64, f64), letters: Letters<'_>, text: &str) {
        if text.is_empty() {
            return;
        }
        let [x, y, size] = [x, y, letters.size].map(number);
        let weight = if letters.bold {
            " font-weight=\"bold\""
        } else {
            ""
        };
        let (fill, anchor, text) = (letters.fill, letters.anchor, escaped(text));
        // The seam is a text of its own, below: not every program knows another order of painting.
        if let Some(halo) = letters.halo {
            let wide = number(letters.size * 0.27);
            let _ = write!(
                self.out,
                "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" text-anchor=\"{anchor}\" fill=\"{fill}\" stroke=\"{halo}\" stroke-width=\"{wide}\" stroke-linejoin=\"round\" paint-order=\"stroke\"{weight}>{text}</text>"
            );
            return;
        }
        let _ = write!(
            self.out,
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" text-anchor=\"{anchor}\" fill=\"{fill}\"{weight}>{text}</text>"
        );
    }

    /// What a pointer is told.
    pub fn title(&mut self, text: &str) {
        let _ = write!(self.out, "<title>{}</title>", escaped(text));
    }

    /// Draws inside a group that is moved and made larger or smaller.
    pub fn moved(&mut self, (x, y): (f64, f64), scale: f64, draw: impl FnOnce(&mut Svg)) {
        let [x, y, scale] = [x, y, scale].map(number);
        match scale == "1" {
            true => {
                let _ = write!(self.out, "<g transform=\"translate({x} {y})\">");
            }
            false => {
                let _ = write!(
                    self.out,
                    "<g transform=\"translate({x} {y}) scale({scale})\">"
                );
            }
        }
        draw(self);
        self.out.push_str("</g>");
    }

    /// Draws inside a group with a style.
    pub fn group(&mut self, style: &str, draw: impl FnOnce(&mut Svg)) {
        let _ = write!(self.out, "<g {style}>");
        draw(self);
        self.out.push_str("</g>");
    }
}

/// A whole document of a size, in whatever unit is given, and the part of the drawing it shows.
pub fn document(
    (width, height): (f64, f64),
    unit: &str,
    frame: (f64, f64, f64, f64),
    label: &str,
    body: &str,
) -> String {
    let [w, h] = [width, height].map(number);
    let [x, y, u, v] = [frame.0, frame.1, frame.2, frame.3].map(number);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}{unit}\" height=\"{h}{unit}\" viewBox=\"{x} {y} {u} {v}\" font-family=\"'Noto Sans', 'Noto Sans Math', sans-serif\" role=\"img\" aria-label=\"{}\">{body}</svg>",
        escaped(label)
    )
}

/// At most two digits behind the point, none that say nothing.
pub fn number(value: f64) -> String {
    let hundredths = (value * 100.0).round();
    // What is no number cannot come from content; a drawing with it would be none.
    if !hundredths.is_finite() || hundredths == 0.0 {
        return "0".into();
    }
    let text = format!("{:.2}", hundredths / 100.0);
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

/// A text as it may stand in markup. What XML forbids altogether is left out.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\u{fffe}' | '\u{ffff}' => {}
            _ if letter.is_control() => out.push(' '),
            _ => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_texts_are_texts() {
        let numbers = [1.0, -0.001, 2.5, 10.126, -3.10, f64::NAN].map(number);
        assert_eq!(numbers, ["1", "0", "2.5", "10.13", "-3.1", "0"]);
        assert_eq!(
            escaped("<script>\"&'\u{1}"),
            "&lt;script&gt;&quot;&amp;&#39; "
        );
    }
}
