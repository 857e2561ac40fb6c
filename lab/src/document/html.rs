//! A report as one page of HTML. What its figures were drawn from is behind a click, ready to be copied.

use super::{Block, Document, Figure, NAMED, Tabular, Words};
use maud::{DOCTYPE, Markup, PreEscaped, html};

const STYLE: &str = include_str!("page.css");

pub fn page(document: &Document) -> String {
    let words = document.words;
    html! {
        (DOCTYPE)
        html lang=(words.say("es", "en")) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (document.title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                h1 { (document.title) }
                @for group in groups(&document.blocks) { (blocks(words, group)) }
            }
        }
    }
    .into_string()
}

/// Figures that follow each other stand beside each other, where there is room.
fn groups(all: &[Block]) -> Vec<&[Block]> {
    let is_figure = |block: &Block| matches!(block, Block::Figure(_));
    all.chunk_by(|a, b| is_figure(a) && is_figure(b)).collect()
}

fn blocks(words: Words, group: &[Block]) -> Markup {
    let figures: Vec<&Figure> = group
        .iter()
        .filter_map(|block| match block {
            Block::Figure(figure) => Some(figure),
            _ => None,
        })
        .collect();
    if !figures.is_empty() {
        return html! { div.figures { @for one in figures { (figure(words, one)) } } };
    }
    html! { @for one in group { (block(one)) } }
}

fn block(block: &Block) -> Markup {
    match block {
        Block::Heading(text) => html! { h2 { (text) } },
        Block::Verdict(sentences) => html! {
            ul.verdict { @for sentence in sentences { li { (sentence) } } }
        },
        Block::Paragraph(text) => html! { p { (text) } },
        Block::Many(said, names) if names.len() <= NAMED => {
            html! { p { (said) ": " (names.join(", ")) } }
        }
        Block::Many(said, names) => html! {
            details.many { summary { (said) } p { (names.join(", ")) } }
        },
        Block::Small(text) => html! { p.soft { (text) } },
        Block::Table(rows) => table(rows),
        Block::Commands(commands) => html! {
            @for command in commands { p { code { (command) } } }
        },
        Block::Figure(_) => html! {},
    }
}

fn figure(words: Words, figure: &Figure) -> Markup {
    html! {
        figure {
            (PreEscaped(&figure.svg))
            @if !figure.legend.is_empty() {
                p.legend {
                    @for (n, name) in figure.legend.iter().enumerate() {
                        span class=(format!("s{}", n % 6)) { (name) } " "
                    }
                }
            }
            figcaption { (figure.caption) }
            details {
                summary { (words.say("Números (CSV)", "Numbers (CSV)")) }
                pre { (figure.data.csv()) }
            }
        }
    }
}

fn table(table: &Tabular) -> Markup {
    html! {
        div.wide tabindex="0" { table {
            thead { tr { @for head in &table.heads { th scope="col" { (head) } } } }
            tbody {
                @for (n, row) in table.rows.iter().enumerate() {
                    tr.strong[table.strong.contains(&n)] {
                        @for (column, cell) in row.iter().enumerate() {
                            @if column == 0 { th scope="row" { (cell) } } @else { td { (cell) } }
                        }
                    }
                }
            }
        } }
    }
}
