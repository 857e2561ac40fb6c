//! A report as lines for a terminal: words first, tables in columns.

use super::{Block, Document, Tabular};

/// Rows of a table that are shown; the page has them all.
const ROWS: usize = 40;

pub fn write(document: &Document) -> String {
    let words = document.words;
    let mut parts = vec![document.title.clone()];
    for block in &document.blocks {
        parts.push(match block {
            Block::Heading(text) => text.clone(),
            Block::Verdict(sentences) => sentences
                .iter()
                .map(|sentence| format!("- {sentence}"))
                .collect::<Vec<_>>()
                .join("\n"),
            Block::Paragraph(text) | Block::Small(text) => text.clone(),
            Block::Many(said, names) => document.first_of(said, names),
            Block::Table(table) => {
                let mut lines = lines(table);
                if table.rows.len() > ROWS {
                    let more = table.rows.len() - ROWS;
                    lines.push(match words.0 {
                        ludoteca::Language::Es => format!(".. y {more} más, en --report y --json"),
                        ludoteca::Language::En => {
                            format!(".. and {more} more, in --report and --json")
                        }
                    });
                }
                lines.join("\n")
            }
            Block::Figure(_) => continue,
            Block::Commands(commands) => commands
                .iter()
                .map(|command| format!("    {command}"))
                .collect::<Vec<_>>()
                .join("\n"),
        });
    }
    parts.join("\n\n") + "\n"
}

/// The first column to the left, the others to the right, each as wide as its widest cell.
fn lines(table: &Tabular) -> Vec<String> {
    let shown = || std::iter::once(&table.heads).chain(table.rows.iter().take(ROWS));
    let length = |cell: &String| cell.chars().count();
    let columns = table.heads.len();
    let widths: Vec<usize> = (0..columns)
        .map(|n| shown().filter_map(|row| row.get(n)).map(length).max())
        .map(|widest| widest.unwrap_or(0))
        .collect();
    shown()
        .map(|row| {
            let cells = row.iter().zip(&widths).enumerate();
            let line: Vec<String> = cells
                .map(|(n, (cell, &wide))| {
                    let room = " ".repeat(wide.saturating_sub(length(cell)));
                    match n {
                        0 => format!("{cell}{room}"),
                        _ => format!("{room}{cell}"),
                    }
                })
                .collect();
            line.join("  ").trim_end().to_string()
        })
        .collect()
}
