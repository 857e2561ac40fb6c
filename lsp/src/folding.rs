//! What can be folded away: brackets over several lines, tables, and comments of several lines.

use crate::desk::Desk;
use crate::page::Page;
use crate::positions::Ascending;
use lsp_types::{FoldingRange, FoldingRangeKind, Uri};
use ludoteca::limits::MOST_SHOWN;
use ludoteca::{data_lexis, script_lexis};

pub fn folding(desk: &mut Desk, uri: &Uri) -> Vec<FoldingRange> {
    let Some(page) = Page::open(desk, uri) else {
        return Vec::new();
    };
    let mut folds = brackets(&page);
    folds.extend(comments(&page));
    if !page.is_script() {
        folds.extend(tables(&page));
    }
    folds.sort_by_key(|fold| (fold.start_line, fold.end_line));
    folds.dedup_by_key(|fold| (fold.start_line, fold.end_line));
    folds.truncate(MOST_SHOWN);
    folds
}

fn fold(start_line: u32, end_line: u32, kind: FoldingRangeKind) -> Option<FoldingRange> {
    (end_line > start_line).then(|| FoldingRange {
        start_line,
        end_line,
        kind: Some(kind),
        ..FoldingRange::default()
    })
}

/// Signs with the lines they are on.
fn signs(page: &Page) -> Vec<(String, u32)> {
    let text = &*page.text;
    let mut lines = Ascending::new(text);
    let mut sign = |start: usize, said: &str| (said.to_string(), lines.position(start).line);
    match page.is_script() {
        true => {
            let parts = script_lexis::lex(text).into_iter();
            let signs = parts.filter(|part| part.kind == script_lexis::Lexis::Sign);
            signs
                .map(|part| sign(part.span.start, part.text(text)))
                .collect()
        }
        false => {
            let parts = data_lexis::lex(text).into_iter();
            let signs = parts.filter(|part| part.kind == data_lexis::Lexis::Sign);
            signs
                .map(|part| sign(part.span.start, part.text(text)))
                .collect()
        }
    }
}

fn brackets(page: &Page) -> Vec<FoldingRange> {
    let mut open: Vec<u32> = Vec::new();
    let mut folds = Vec::new();
    for (sign, line) in signs(page) {
        match sign.as_str() {
            "{" | "#{" | "(" | "[" | "?[" => open.push(line),
            "}" | ")" | "]" => {
                let start = open.pop().unwrap_or(line);
                // The line of the closing bracket stays in sight.
                folds.extend(fold(
                    start,
                    line.saturating_sub(1),
                    FoldingRangeKind::Region,
                ));
            }
            _ => {}
        }
    }
    folds
}

fn comments(page: &Page) -> Vec<FoldingRange> {
    let mark = if page.is_script() { "//" } else { "#" };
    let mut folds = Vec::new();
    let mut start = None;
    let lines = page.text.lines().map(Some).chain([None]);
    for (number, line) in lines.enumerate() {
        let comment = line.is_some_and(|line| line.trim_start().starts_with(mark));
        match (comment, start) {
            (true, None) => start = Some(number),
            (false, Some(first)) => {
                folds.extend(fold(
                    first as u32,
                    number as u32 - 1,
                    FoldingRangeKind::Comment,
                ));
                start = None;
            }
            _ => {}
        }
    }
    folds
}

/// From one `[header]` to the line before the next, blank lines and the comment above that one left out.
fn tables(page: &Page) -> Vec<FoldingRange> {
    let lines: Vec<&str> = page.text.lines().collect();
    let mut folds = Vec::new();
    let mut start: Option<usize> = None;
    for number in 0..=lines.len() {
        let header = lines.get(number).is_none_or(|line| line.starts_with('['));
        if !header {
            continue;
        }
        if let Some(first) = start {
            let mut last = number - 1;
            let quiet = |line: &str| line.trim().is_empty() || line.trim_start().starts_with('#');
            while last > first && quiet(lines[last]) {
                last -= 1;
            }
            folds.extend(fold(first as u32, last as u32, FoldingRangeKind::Region));
        }
        start = Some(number);
    }
    folds
}
