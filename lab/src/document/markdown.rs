//! A report as Markdown, to paste where others read it. Pictures are left out; their numbers are not.

use super::{Block, Document, Tabular};

/// Rows of a picture's numbers that are shown; a picture of more is for the page.
const ROWS: usize = 12;

pub fn write(document: &Document) -> String {
    let mut parts = vec![format!("# {}", escaped(&document.title))];
    for block in &document.blocks {
        parts.push(match block {
            Block::Heading(text) => format!("## {}", escaped(text)),
            Block::Verdict(sentences) => sentences
                .iter()
                .map(|sentence| format!("- {}", escaped(sentence)))
                .collect::<Vec<_>>()
                .join("\n"),
            Block::Paragraph(text) | Block::Small(text) => escaped(text),
            Block::Many(said, names) => escaped(&document.first_of(said, names)),
            Block::Table(rows) => table(rows),
            Block::Figure(figure) if figure.data.rows.len() <= ROWS => {
                format!("{}\n\n{}", escaped(&figure.caption), table(&figure.data))
            }
            Block::Figure(_) => continue,
            Block::Commands(commands) => format!("```\n{}\n```", commands.join("\n")),
        });
    }
    parts.join("\n\n") + "\n"
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '|' | '*' | '`' | '<' | '[' => out.extend(['\\', c]),
            '\n' => out.push(' '),
            _ => out.push(c),
        }
    }
    out
}

fn table(table: &Tabular) -> String {
    let line = |cells: &[String]| format!("| {} |", cells.join(" | "));
    let heads: Vec<String> = table.heads.iter().map(|head| escaped(head)).collect();
    let rule: Vec<String> = (0..heads.len())
        .map(|column| if column == 0 { "---" } else { "---:" }.to_string())
        .collect();
    let rows = table.rows.iter().enumerate().map(|(n, row)| {
        let strong = table.strong.contains(&n);
        let cells: Vec<String> = row
            .iter()
            .map(|cell| match strong && !cell.is_empty() {
                true => format!("**{}**", escaped(cell)),
                false => escaped(cell),
            })
            .collect();
        line(&cells)
    });
    [line(&heads), line(&rule)]
        .into_iter()
        .chain(rows)
        .collect::<Vec<_>>()
        .join("\n")
}
