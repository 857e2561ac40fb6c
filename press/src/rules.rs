//! The rulebook in two columns.

use crate::Job;
use crate::paper::Page;
use ludoteca::definition::Topic;
use ludoteca_draw::font::width;
use ludoteca_draw::prose::{ProsePart, ProseWord, blocks, words};
use ludoteca_draw::svg::{Letters, Svg};

const MARGIN: f64 = 150.0;
const GAP: f64 = 90.0;
/// Sizes of letters: of texts, headings and the title.
const TEXT: f64 = 31.0;
const HEADING: f64 = 42.0;
const TITLE: f64 = 84.0;
/// From line to line.
const LINE: f64 = 1.36;
const INK: &str = "#2a241c";

pub fn pages(job: &Job) -> Vec<Page> {
    let book = job.book;
    let before = job.against.map(|(_, topics)| topics);
    let changed = |topic: &&Topic| before.is_none_or(|before| !before.contains(topic));
    let topics: Vec<&Topic> = job.rulebook.iter().filter(changed).collect();
    if topics.is_empty() {
        return Vec::new();
    }
    let title = book.text(&book.told["title"]);
    let mut flow = Columns::new(job.paper.size(), title);
    for topic in topics {
        flow.heading(book.language.of(&topic.title));
        for block in blocks(book.language.of(&topic.text)) {
            flow.block(&block);
        }
    }
    flow.finish()
}

/// Text that runs from column to column and from page to page.
struct Columns {
    page: (f64, f64),
    title: String,
    wide: f64,
    out: Svg,
    /// The left edge of the column, and how far down it is filled.
    x: f64,
    y: f64,
    /// Where columns of this page begin.
    top: f64,
    done: Vec<Page>,
}

impl Columns {
    fn new(page: (f64, f64), title: &str) -> Columns {
        let mut out = Svg::default();
        let letters = Letters {
            size: TITLE,
            bold: true,
            anchor: "start",
            ..Letters::PLAIN
        };
        out.text((MARGIN, MARGIN + TITLE * 0.8), letters, title);
        let top = MARGIN + TITLE * 1.3;
        Columns {
            page,
            title: title.to_string(),
            wide: (page.0 - 2.0 * MARGIN - GAP) / 2.0,
            out,
            x: MARGIN,
            y: top,
            top,
            done: Vec::new(),
        }
    }

    fn finish(mut self) -> Vec<Page> {
        self.turn();
        self.done
    }

    fn turn(&mut self) {
        let number = self.done.len() + 1;
        let letters = Letters {
            size: 26.0,
            fill: "#635949",
            ..Letters::PLAIN
        };
        let foot = format!("{} · {number}", self.title);
        self.out
            .text((self.page.0 / 2.0, self.page.1 - 80.0), letters, &foot);
        let drawn = std::mem::take(&mut self.out);
        self.done.push(Page::new(self.page, foot, &drawn));
        (self.x, self.y, self.top) = (MARGIN, MARGIN, MARGIN);
    }

    /// Goes on in the next column if so much does not fit into this one.
    fn room(&mut self, tall: f64) {
        if self.y + tall <= self.page.1 - MARGIN || self.y <= self.top {
            return;
        }
        match self.x > MARGIN {
            true => self.turn(),
            false => (self.x, self.y) = (MARGIN + self.wide + GAP, self.top),
        }
    }

    fn heading(&mut self, text: &str) {
        let lines = wrapped(&bold(text), HEADING, self.wide);
        // Never alone at the foot of a column.
        self.room(lines.len() as f64 * HEADING * LINE + TEXT * LINE * 3.0);
        self.y += if self.y > self.top {
            HEADING * 0.5
        } else {
            0.0
        };
        self.lines(&lines, HEADING, 0.0);
        self.y += 8.0;
    }

    fn block(&mut self, block: &ProsePart) {
        match block {
            ProsePart::Heading(text) => self.heading(text),
            ProsePart::Paragraph(text) => {
                self.lines(&wrapped(&words(text), TEXT, self.wide), TEXT, 0.0);
                self.y += TEXT * 0.45;
            }
            ProsePart::Item(sign, text) => {
                let indent = 48.0;
                let lines = wrapped(&words(text), TEXT, self.wide - indent);
                self.room(TEXT * LINE);
                let letters = Letters {
                    size: TEXT,
                    anchor: "end",
                    ..Letters::PLAIN
                };
                let at = (self.x + indent - 12.0, self.y + TEXT);
                self.out.text(at, letters, sign);
                self.lines(&lines, TEXT, indent);
                self.y += TEXT * 0.2;
            }
            ProsePart::Table(rows) => self.table(rows),
        }
    }

    fn lines(&mut self, lines: &[Vec<ProseWord>], size: f64, indent: f64) {
        for line in lines {
            self.room(size * LINE);
            draw(line, (self.x + indent, self.y + size), size, &mut self.out);
            self.y += size * LINE;
        }
    }

    fn table(&mut self, rows: &[Vec<String>]) {
        let size = TEXT * 0.88;
        let columns = rows.iter().map(Vec::len).max().unwrap_or(0).max(1);
        let natural = |column: usize| {
            let cells = rows.iter().filter_map(|row| row.get(column));
            let widths = cells.map(|cell| line_width(&words(cell), size));
            widths.fold(0.0, f64::max) + 24.0
        };
        let natural: Vec<f64> = (0..columns).map(natural).collect();
        let sum: f64 = natural.iter().sum();
        let least = self.wide / columns as f64 * 0.5;
        let shares: Vec<f64> = match sum > self.wide {
            true => natural
                .iter()
                .map(|one| (one * self.wide / sum).max(least))
                .collect(),
            false => natural.clone(),
        };
        let scale = (self.wide / shares.iter().sum::<f64>()).min(1.0);
        let shares: Vec<f64> = shares.iter().map(|one| one * scale).collect();
        for (number, row) in rows.iter().enumerate() {
            let cells: Vec<Vec<Vec<ProseWord>>> = row
                .iter()
                .zip(&shares)
                .map(|(cell, wide)| {
                    let said = if number == 0 {
                        bold(&plain(cell))
                    } else {
                        words(cell)
                    };
                    wrapped(&said, size, wide - 24.0)
                })
                .collect();
            let tall = cells.iter().map(Vec::len).max().unwrap_or(1) as f64 * size * LINE + 6.0;
            self.room(tall);
            let mut x = self.x;
            for (lines, wide) in cells.iter().zip(&shares) {
                for (n, line) in lines.iter().enumerate() {
                    let at = (x, self.y + size + n as f64 * size * LINE);
                    draw(line, at, size, &mut self.out);
                }
                x += wide;
            }
            self.y += tall;
            let style = "stroke=\"#b9ad97\" stroke-width=\"1.5\"";
            self.out
                .line((self.x, self.y), (self.x + self.wide, self.y), style);
            self.y += 4.0;
        }
        self.y += TEXT * 0.5;
    }
}

fn plain(text: &str) -> String {
    let said: Vec<String> = words(text).into_iter().map(|word| word.0).collect();
    said.join(" ")
}

fn bold(text: &str) -> Vec<ProseWord> {
    text.split_whitespace()
        .map(|word| (word.to_string(), true))
        .collect()
}

fn line_width(line: &[ProseWord], size: f64) -> f64 {
    let blank = width(" ", size, false);
    let sum: f64 = line
        .iter()
        .map(|(word, bold)| width(word, size, *bold))
        .sum();
    sum + blank * line.len().saturating_sub(1) as f64
}

fn wrapped(words: &[ProseWord], size: f64, wide: f64) -> Vec<Vec<ProseWord>> {
    let mut lines: Vec<Vec<ProseWord>> = Vec::new();
    for word in words {
        match lines.last_mut() {
            Some(line)
                if line_width(&[&line[..], std::slice::from_ref(word)].concat(), size) <= wide =>
            {
                line.push(word.clone());
            }
            _ => lines.push(vec![word.clone()]),
        }
    }
    lines
}

/// Words of one weight are one text, so that they are found as one.
fn draw(line: &[ProseWord], (mut x, y): (f64, f64), size: f64, out: &mut Svg) {
    for run in line.chunk_by(|a, b| a.1 == b.1) {
        let bold = run[0].1;
        let said: Vec<&str> = run.iter().map(|word| word.0.as_str()).collect();
        let said = said.join(" ");
        let letters = Letters {
            size,
            bold,
            fill: INK,
            anchor: "start",
            halo: None,
        };
        out.text((x, y), letters, &said);
        x += width(&said, size, bold) + width(" ", size, false);
    }
}
