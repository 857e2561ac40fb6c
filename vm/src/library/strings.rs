//! Strings and characters.

use crate::value::Range;

/// The characters from `start`, at most `len` of them; a negative start counts from the end.
pub(crate) fn slice(text: &str, start: i64, len: i64) -> String {
    let count = text.chars().count() as i64;
    if len <= 0 || start >= count {
        return String::new();
    }
    let start = if start < 0 { (start + count).max(0) } else { start };
    text.chars().skip(start as usize).take(len as usize).collect()
}

/// The characters a range names.
pub(crate) fn slice_range(text: &str, range: &Range) -> String {
    let from = range.from.max(0);
    let to = range.to.max(0).saturating_add(range.inclusive as i64);
    slice(text, from, to.saturating_sub(from))
}
