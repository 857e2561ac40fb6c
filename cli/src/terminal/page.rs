//! Lines for a screen: as wide as the terminal, wrapped paragraphs, columns.

use console::{Term, measure_text_width};
use std::io::IsTerminal;

/// Columns of a screen nobody can measure, and the fewest and most that are used of any other.
const USUAL: usize = 80;
const NARROWEST: usize = 60;
const WIDEST: usize = 200;

/// How many columns there are.
pub fn across() -> usize {
    let size = measured().map(|(_, columns)| columns);
    size.unwrap_or(USUAL).clamp(NARROWEST, WIDEST)
}

/// How many lines there are; `None` where nothing is scrolled away, as in a file.
pub fn down() -> Option<usize> {
    measured().map(|(rows, _)| rows)
}

fn measured() -> Option<(usize, usize)> {
    if !std::io::stdout().is_terminal() {
        return None;
    }
    let (rows, columns) = Term::stdout().size_checked()?;
    (rows > 0 && columns > 0).then_some((rows as usize, columns as usize))
}

/// How many columns a text takes; colours take none.
pub fn width(text: &str) -> usize {
    match text.is_ascii() && !text.contains('\x1b') {
        true => text.len(),
        false => measure_text_width(text),
    }
}

/// Text made as wide as wanted.
pub fn padded(text: &str, wanted: usize) -> String {
    format!("{text}{}", " ".repeat(wanted.saturating_sub(width(text))))
}

/// Text without colours cut to a width, with a mark that it was.
pub fn cut(text: &str, wanted: usize) -> String {
    if width(text) <= wanted {
        return text.to_string();
    }
    let mut kept = String::new();
    for letter in text.chars() {
        if width(&kept) + width(&letter.to_string()) >= wanted {
            break;
        }
        kept.push(letter);
    }
    kept.push('…');
    kept
}

/// A paragraph in lines; all but the first start with the indent.
pub fn wrap(text: &str, indent: usize) -> Vec<String> {
    wrap_to(text, indent, across())
}

/// A line of a game's own, broken only if it is too long: what follows stands a little further in.
pub fn fitted(line: &str) -> Vec<String> {
    let line = line.trim_end();
    match width(line) <= across() {
        true => vec![line.to_string()],
        false => wrap(line, width(line) - width(line.trim_start()) + 2),
    }
}

/// The same as `wrap` in so many columns.
pub fn wrap_to(text: &str, indent: usize, columns: usize) -> Vec<String> {
    let mut lines = Vec::new();
    // What is further in would leave no room for words.
    let indent = indent.min(columns / 2);
    for paragraph in text.lines() {
        let inside = paragraph.trim_start();
        let mut line = " ".repeat(width(paragraph) - width(inside));
        let mut is_fresh = true;
        for word in inside.split(' ') {
            if !is_fresh && width(&line) + 1 + width(word) > columns {
                lines.push(std::mem::replace(&mut line, " ".repeat(indent)));
                is_fresh = true;
            }
            if !is_fresh {
                line.push(' ');
            }
            line.push_str(word);
            is_fresh = false;
        }
        lines.push(line);
    }
    lines
}

/// Items in as many columns as fit, read from top to bottom, with at least so many below each other: a short list is one column.
pub fn in_columns(items: &[String], at_least: usize) -> Vec<String> {
    let screen = across();
    let widest = items.iter().map(|item| width(item)).max().unwrap_or(0);
    let widest = widest.min(screen);
    let fitting = (screen + 2) / (widest + 2).max(1);
    let fitting = fitting.clamp(1, items.len().div_ceil(at_least.max(1)).max(1));
    let down = items.len().div_ceil(fitting).max(1);
    (0..down)
        .map(|row| {
            let cells: Vec<&String> = items.iter().skip(row).step_by(down).collect();
            let last = cells.len().saturating_sub(1);
            let cell = |(i, item): (usize, &&String)| {
                if i == last {
                    item.to_string()
                } else {
                    padded(item, widest + 2)
                }
            };
            cells.iter().enumerate().map(cell).collect::<String>()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_stay_within_the_screen_and_lose_no_word() {
        let text = "palabra ".repeat(60);
        for columns in [60, 80, 200] {
            let lines = wrap_to(text.trim(), 4, columns);
            assert!(lines.iter().all(|line| width(line) <= columns));
            let words = lines.iter().flat_map(|line| line.split_whitespace());
            assert_eq!(words.count(), 60);
        }
    }

    #[test]
    fn columns_are_read_from_top_to_bottom() {
        let items: Vec<String> = (1..=14).map(|n| format!("{n}) opción")).collect();
        let lines = in_columns(&items, 6);
        assert_eq!(lines[0], "1) opción   6) opción   11) opción");
        assert_eq!(lines.len(), 5);
    }

    #[test]
    fn what_is_cut_fits_and_says_so() {
        assert_eq!(cut("Argentina", 5), "Arge…");
        assert_eq!(cut("Arg", 5), "Arg");
        assert_eq!(width("\x1b[91mRojo\x1b[0m"), 4);
    }
}
