//! Lines for a screen of 80 columns: wrapped paragraphs, columns, and a little emphasis.

use std::io::IsTerminal;

pub const WIDTH: usize = 80;

/// Emphasis, on a terminal that shows it.
#[derive(Debug, Clone, Copy)]
pub struct Paint {
    on: bool,
}

impl Paint {
    pub fn new() -> Paint {
        let wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        Paint {
            on: wanted && std::io::stdout().is_terminal(),
        }
    }

    #[cfg(test)]
    pub fn plain() -> Paint {
        Paint { on: false }
    }

    pub fn strong(self, text: &str) -> String {
        self.with("1", text)
    }

    pub fn faint(self, text: &str) -> String {
        self.with("2", text)
    }

    pub fn is_on(self) -> bool {
        self.on
    }

    fn with(self, code: &str, text: &str) -> String {
        if self.on {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_string()
        }
    }
}

/// How many columns a text takes.
pub fn width(text: &str) -> usize {
    text.chars().count()
}

/// Text made as wide as wanted.
pub fn padded(text: &str, wanted: usize) -> String {
    format!("{text}{}", " ".repeat(wanted.saturating_sub(width(text))))
}

/// Text cut to a width, with a mark that it was.
pub fn cut(text: &str, wanted: usize) -> String {
    if width(text) <= wanted {
        return text.to_string();
    }
    text.chars()
        .take(wanted.saturating_sub(1))
        .chain(['…'])
        .collect()
}

/// A paragraph in lines; all but the first start with the indent.
pub fn wrap(text: &str, indent: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let inside = paragraph.trim_start();
        let mut line = " ".repeat(width(paragraph) - width(inside));
        let mut is_fresh = true;
        for word in inside.split(' ') {
            if !is_fresh && width(&line) + 1 + width(word) > WIDTH {
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

/// Items in as many columns as fit, read from top to bottom.
pub fn columns(items: &[String]) -> Vec<String> {
    let widest = items
        .iter()
        .map(|item| width(item))
        .max()
        .unwrap_or(0)
        .min(WIDTH);
    let across = (WIDTH + 2) / (widest + 2).max(1);
    let across = across.clamp(1, items.len().div_ceil(6).max(1));
    let down = items.len().div_ceil(across).max(1);
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
        let lines = wrap(text.trim(), 4);
        assert!(lines.iter().all(|line| width(line) <= WIDTH));
        assert_eq!(
            lines
                .iter()
                .flat_map(|line| line.split_whitespace())
                .count(),
            60
        );
    }

    #[test]
    fn columns_are_read_from_top_to_bottom() {
        let items: Vec<String> = (1..=14).map(|n| format!("{n}) opción")).collect();
        let lines = columns(&items);
        assert_eq!(lines[0], "1) opción   6) opción   11) opción");
        assert_eq!(lines.len(), 5);
    }
}
