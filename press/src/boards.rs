//! Boards over as many pages as they need, in parts to be put together.

use crate::Job;
use crate::paper::{MARK, Page, Paper};
use ludoteca_draw::svg::{Letters, Svg, number};
use ludoteca_draw::{DrawnBoard, boards};

/// White around each part.
const MARGIN: f64 = 100.0;
/// Tenths of a millimetre for a unit of a board: what is best, and what is still read.
const SCALES: [f64; 5] = [3.75, 3.6, 3.45, 3.3, 3.15];

/// One after the other: on each lies the whole board, of which a part is seen.
pub fn pages<'j>(job: &'j Job<'j>) -> impl Iterator<Item = Page> + 'j {
    let others = job
        .against
        .map(|(book, _)| boards(book))
        .unwrap_or_default();
    let same = move |board: &DrawnBoard| others.iter().any(|other| other.body == board.body);
    let drawn = boards(job.book).into_iter();
    let wanted = drawn.filter(move |board| !same(board));
    wanted.flat_map(move |board| parts(job, board))
}

/// How a board is cut: the scale, the page, columns and rows.
#[derive(Debug, Clone, Copy)]
struct Cut {
    scale: f64,
    page: (f64, f64),
    columns: usize,
    rows: usize,
}

/// The fewest pages, and among those the largest scale.
fn cut(board: &DrawnBoard, paper: Paper) -> Cut {
    let (_, _, w, h) = board.frame;
    let ways = SCALES
        .into_iter()
        .flat_map(|scale| paper.both_ways().map(|page| (scale, page)));
    let all = ways.map(|(scale, page)| {
        let many =
            |long: f64, room: f64| ((long * scale / (room - 2.0 * MARGIN)).ceil() as usize).max(1);
        Cut {
            scale,
            page,
            columns: many(w, page.0),
            rows: many(h, page.1),
        }
    });
    let first = Cut {
        scale: SCALES[0],
        page: paper.size(),
        columns: 1,
        rows: 1,
    };
    all.min_by_key(|cut| cut.columns.saturating_mul(cut.rows))
        .unwrap_or(first)
}

fn parts<'j>(job: &'j Job<'j>, board: DrawnBoard) -> impl Iterator<Item = Page> + 'j {
    let cut = cut(&board, job.paper);
    let places = 0..cut.rows.saturating_mul(cut.columns);
    places.map(move |n| part(job, &board, cut, (n % cut.columns, n / cut.columns)))
}

fn part(job: &Job, board: &DrawnBoard, cut: Cut, (column, row): (usize, usize)) -> Page {
    let (x, y, w, h) = board.frame;
    let (wide, high) = (
        w * cut.scale / cut.columns as f64,
        h * cut.scale / cut.rows as f64,
    );
    let (left, top) = ((cut.page.0 - wide) / 2.0, (cut.page.1 - high) / 2.0);
    let mut out = Svg::default();
    let id = format!("part-{column}-{row}");
    let [l, t, u, v] = [left, top, wide, high].map(number);
    out.raw(&format!(
        "<clipPath id=\"{id}\"><rect x=\"{l}\" y=\"{t}\" width=\"{u}\" height=\"{v}\"/></clipPath>"
    ));
    out.group(&format!("clip-path=\"url(#{id})\""), |out| {
        let at = (
            left - column as f64 * wide - x * cut.scale,
            top - row as f64 * high - y * cut.scale,
        );
        out.moved(at, cut.scale, |out| out.raw(&board.body));
    });
    for x in [left, left + wide] {
        out.line((x, top - 45.0), (x, top - 10.0), MARK);
        out.line((x, top + high + 10.0), (x, top + high + 45.0), MARK);
    }
    for y in [top, top + high] {
        out.line((left - 45.0, y), (left - 10.0, y), MARK);
        out.line((left + wide + 10.0, y), (left + wide + 45.0, y), MARK);
    }
    let letter = char::from(b'A' + (column % 26) as u8);
    let all = cut.columns.saturating_mul(cut.rows);
    let which = match all {
        1 => String::new(),
        _ => format!(" · {letter}{} {} {all}", row + 1, job.book.say("de", "of")),
    };
    let title = format!(
        "{} · {}{which}",
        job.book.text(&job.book.told["title"]),
        board.name
    );
    let letters = Letters {
        size: 28.0,
        fill: "#635949",
        ..Letters::PLAIN
    };
    out.text((cut.page.0 / 2.0, top + high + 42.0), letters, &title);
    Page::new(cut.page, title, &out)
}
