//! How files are written: blanks and indentation put in order, and nothing else. Lines stay lines, comments stay where they are, and what
//! was written means the same afterwards; a file for which that cannot be said is left alone.

mod rhai;
mod toml;

use thiserror::Error;

/// Why a file is not put in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum NotFormatted {
    #[error("only `.rhai` and `.toml` files are formatted")]
    OtherFile,
    #[error("it cannot be read yet: `ludoteca check` says where")]
    Broken,
    #[error(
        "it would mean something else: this is a fault of the formatter, and nothing was changed"
    )]
    Changed,
}

/// A file as it should be written, told by the end of its path. Formatting twice is formatting once.
pub fn format(path: &str, text: &str) -> Result<String, NotFormatted> {
    match path.rsplit('.').next() {
        Some("rhai") => rhai::format(text),
        Some("toml") => toml::format(text),
        _ => Err(NotFormatted::OtherFile),
    }
}

/// Lines as they are put together: no blanks at their ends, no two empty ones in succession, none at the ends of the file.
#[derive(Default)]
struct Page {
    written: String,
    /// Empty lines that come before the next one.
    gap: bool,
}

impl Page {
    fn line(&mut self, indent: usize, line: &str) {
        let line = line.trim_end_matches([' ', '\t']);
        if std::mem::take(&mut self.gap) && !self.written.is_empty() {
            self.written.push('\n');
        }
        if !line.is_empty() {
            self.written.extend(std::iter::repeat_n(' ', indent));
        }
        self.written.push_str(line);
        self.written.push('\n');
    }
}
