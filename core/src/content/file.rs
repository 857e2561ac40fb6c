//! A file that was read, and places inside it that errors and explanations point at.

use super::definition::Origin;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// A text file of some pack, held in memory as long as anything points into it.
#[derive(Debug, PartialEq, Eq)]
pub struct File {
    /// The path as the author would type it: unique among all files that are loaded.
    pub shown: String,
    /// The path inside its layer (`cards/<game>/tables.toml`): equal paths overlay each other.
    pub path: String,
    /// Who brings it: a pack, a variant, the command line.
    pub from: String,
    pub text: String,
    lines: Lines,
}

/// Where the lines of a text begin: counted when the first place is asked for, since a broken file has thousands of them. It says nothing
/// that the text does not say.
#[derive(Debug, Default)]
struct Lines(OnceLock<Vec<usize>>);

impl PartialEq for Lines {
    fn eq(&self, _: &Lines) -> bool {
        true
    }
}

impl Eq for Lines {}

/// Some bytes of a file.
#[derive(Clone, PartialEq, Eq)]
pub struct Place {
    pub file: Arc<File>,
    pub span: Range<usize>,
}

/// All files a definition was made from, by the path shown.
#[derive(Debug, Clone, Default)]
pub struct Files {
    by_shown: BTreeMap<String, Arc<File>>,
}

impl File {
    pub fn new(
        shown: impl Into<String>,
        path: impl Into<String>,
        from: impl Into<String>,
        text: impl Into<String>,
    ) -> File {
        File {
            shown: shown.into(),
            path: path.into(),
            from: from.into(),
            text: text.into(),
            lines: Lines::default(),
        }
    }

    /// The first byte of each line.
    pub fn lines(&self) -> &[usize] {
        self.lines.0.get_or_init(|| {
            let ends = self.text.bytes().enumerate().filter(|(_, b)| *b == b'\n');
            let rest = ends.map(|(at, _)| at + 1);
            std::iter::once(0).chain(rest).collect()
        })
    }

    /// The number of the line a byte lies in, from 0.
    fn line_of(&self, byte: usize) -> usize {
        self.lines().partition_point(|start| *start <= byte) - 1
    }

    /// Line and column, both from 1, of a byte; columns count characters.
    pub fn position(&self, byte: usize) -> (usize, usize) {
        let mut end = byte.min(self.text.len());
        while !self.text.is_char_boundary(end) {
            end -= 1;
        }
        let line = self.line_of(end);
        let start = self.lines()[line];
        (line + 1, self.text[start..end].chars().count() + 1)
    }

    /// The byte at a line and column, both from 1.
    pub fn byte(&self, line: usize, column: usize) -> usize {
        let Some(&start) = self.lines().get(line.saturating_sub(1)) else {
            return self.text.len();
        };
        let rest = &self.text[start..];
        let width = rest.find('\n').unwrap_or(rest.len());
        let within = rest[..width].char_indices().nth(column.saturating_sub(1));
        start + within.map_or(width, |(at, _)| at)
    }
}

impl Place {
    pub fn new(file: &Arc<File>, span: Range<usize>) -> Place {
        let file = file.clone();
        Place { file, span }
    }

    /// The start of a file, for what concerns it as a whole.
    pub fn top(file: &Arc<File>) -> Place {
        Place::new(file, 0..0)
    }

    /// Whether the file as a whole is meant.
    pub fn is_top(&self) -> bool {
        self.span == (0..0)
    }

    pub fn line(&self) -> usize {
        self.file.line_of(self.span.start) + 1
    }

    pub fn origin(&self) -> Origin {
        Origin {
            file: self.file.shown.clone(),
            span: self.span.clone(),
        }
    }
}

/// `cards/fair/tables.toml:9`
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file.shown, self.line())
    }
}

impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{:?}", self.file.shown, self.span)
    }
}

impl Files {
    pub fn insert(&mut self, file: Arc<File>) {
        self.by_shown.insert(file.shown.clone(), file);
    }

    pub fn get(&self, shown: &str) -> Option<&Arc<File>> {
        self.by_shown.get(shown)
    }

    pub fn iter(&self) -> impl Iterator<Item = &Arc<File>> {
        self.by_shown.values()
    }

    /// The place an [`Origin`] of the definition speaks of.
    pub fn place(&self, origin: &Origin) -> Option<Place> {
        let file = self.get(&origin.file)?;
        Some(Place::new(file, origin.span.clone()))
    }
}
