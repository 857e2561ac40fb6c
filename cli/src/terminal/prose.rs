//! Markdown of a rulebook as lines for the screen: headings, paragraphs, lists and tables.

use super::page::{padded, width, wrap};
use super::paint::Paint;

/// A topic: its title, then its text.
pub fn topic(title: &str, text: &str, paint: Paint) -> Vec<String> {
    let mut lines = vec![paint.strong(title), "─".repeat(width(title))];
    lines.extend(markdown(text, paint));
    lines.push(String::new());
    lines
}

/// Blocks of lines that belong together, each as it is shown.
pub fn markdown(text: &str, paint: Paint) -> Vec<String> {
    let mut shown = Vec::new();
    let mut table: Vec<Vec<String>> = Vec::new();
    let mut paragraph = String::new();
    for line in text.lines().map(str::trim_end).chain([""]) {
        let is_row = line.starts_with('|');
        let continues = !(line.is_empty() || is_row || is_item(line) || line.starts_with("### "));
        if !continues && !paragraph.is_empty() {
            let indent = if is_item(&paragraph) { 2 } else { 0 };
            shown.extend(wrap(&plain(&paragraph), indent));
            paragraph.clear();
        }
        if !is_row && !table.is_empty() {
            shown.extend(rows(&std::mem::take(&mut table)));
        }
        if is_row {
            table.extend(cells(line));
        } else if let Some(title) = line.strip_prefix("### ") {
            shown.push(paint.strong(&plain(title)));
        } else if line.is_empty() {
            shown.push(String::new());
        } else if paragraph.is_empty() {
            paragraph = line.to_string();
        } else {
            paragraph.push(' ');
            paragraph.push_str(line.trim_start());
        }
    }
    shown.pop();
    shown
}

fn is_item(line: &str) -> bool {
    let numbered = line.trim_start_matches(|c: char| c.is_ascii_digit());
    line.starts_with("- ") || (numbered.len() < line.len() && numbered.starts_with(". "))
}

/// Without the marks of emphasis.
fn plain(text: &str) -> String {
    text.replace("**", "").replace(['`', '*'], "")
}

/// The cells of a row; the line below the heading has none.
fn cells(line: &str) -> Option<Vec<String>> {
    let inside = line.trim_matches('|');
    if inside.chars().all(|c| "-:| ".contains(c)) {
        return None;
    }
    let cells = inside.split('|');
    Some(cells.map(|cell| plain(cell.trim())).collect())
}

/// A table whose columns are as wide as their widest cell.
fn rows(table: &[Vec<String>]) -> Vec<String> {
    let columns = table.iter().map(Vec::len).max().unwrap_or(0);
    let widest = |column: usize| {
        let cells = table.iter().filter_map(|row| row.get(column));
        cells.map(|cell| width(cell)).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(widest).collect();
    let row = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, &w)| padded(cell, w));
        let line = format!("  {}", cells.collect::<Vec<_>>().join("  "));
        let before: usize = widths.iter().rev().skip(1).map(|w| w + 2).sum();
        wrap(line.trim_end(), 2 + before)
    };
    table.iter().flat_map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_lists_and_tables_are_laid_out() {
        let text = "One **bold** line\nand another.\n\n- first `item`\n  goes on\n- second\n\n| a | bb |\n|---|---|\n| ccc | d |\n";
        let lines = markdown(text, Paint::plain());
        let wanted =
            "One bold line and another.\n\n- first item goes on\n- second\n\n  a    bb\n  ccc  d";
        assert_eq!(lines.join("\n"), wanted);
    }
}
