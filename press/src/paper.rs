//! Sheets of paper, and what every page has. Units are tenths of a millimetre.

use ludoteca_draw::svg::{Svg, document};

/// A format, upright.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Paper {
    A4,
    Letter,
}

impl Paper {
    pub fn size(self) -> (f64, f64) {
        match self {
            Paper::A4 => (2100.0, 2970.0),
            Paper::Letter => (2159.0, 2794.0),
        }
    }

    /// Upright and lying.
    pub fn both_ways(self) -> [(f64, f64); 2] {
        let (w, h) = self.size();
        [(w, h), (h, w)]
    }
}

/// One side of a sheet.
#[derive(Debug, Clone)]
pub struct Page {
    /// Width and height.
    pub size: (f64, f64),
    /// What is on it, in a few words.
    pub title: String,
    body: String,
}

impl Page {
    pub fn new(size: (f64, f64), title: impl Into<String>, drawn: &Svg) -> Page {
        Page {
            size,
            title: title.into(),
            body: drawn.body().to_string(),
        }
    }

    /// How much is drawn on it, as a text.
    pub fn letters(&self) -> usize {
        self.body.len()
    }

    /// The page as a picture of its own.
    pub fn svg(&self) -> String {
        let (w, h) = self.size;
        let frame = (0.0, 0.0, w, h);
        let white = "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>";
        let body = format!("{white}{}", self.body);
        document((w / 10.0, h / 10.0), "mm", frame, &self.title, &body)
    }
}

/// The style of marks to cut along.
pub const MARK: &str = "stroke=\"#000000\" stroke-width=\"1\"";
