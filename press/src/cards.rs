//! Cards side by side with marks to cut along: a page of fronts, then the backs as they lie when the sheet is turned over its long edge.

use crate::paper::{MARK, Page};
use crate::{Job, PressError};
use ludoteca::limits::PRINTED_CARDS;
use ludoteca::nearest;
use ludoteca_draw::svg::Svg;
use ludoteca_draw::{Book, Size, back, front, is_printed, size};

/// How far the ground goes beyond the cut.
const BLEED: f64 = 15.0;
/// From the edge of the sheet to the ground of the first card, at least: printers cannot print there.
const MARGIN: f64 = 35.0;
/// A mark, and its distance from what it marks.
const MARK_LONG: f64 = 28.0;
const MARK_OFF: f64 = 6.0;

pub fn pages<'j>(job: &'j Job<'j>) -> Result<impl Iterator<Item = Page> + 'j, PressError> {
    let book = job.book;
    if let Some(kind) = &job.kind {
        known(book, kind)?;
    }
    let mut sizes: Vec<(Size, Vec<&str>)> = Vec::new();
    let mut printed = 0;
    for kind in &book.kinds {
        if job.kind.as_ref().is_some_and(|wanted| wanted != kind) {
            continue;
        }
        let of = size(book, kind);
        let cards = copies(job, kind);
        printed += cards.len();
        if printed > PRINTED_CARDS {
            return Err(PressError::TooMany);
        }
        match sizes.iter_mut().find(|(other, _)| *other == of) {
            Some((_, all)) => all.extend(cards),
            None => sizes.push((of, cards)),
        }
    }
    let laid = sizes.into_iter();
    Ok(laid.flat_map(move |(size, cards)| laid_out(job, size, cards)))
}

fn known(book: &Book, kind: &str) -> Result<(), PressError> {
    if book.kinds.iter().any(|known| known == kind) {
        return Ok(());
    }
    let meant = nearest(kind, book.kinds.iter().map(String::as_str));
    Err(PressError::UnknownKind {
        name: kind.to_string(),
        meant: meant.map_or(String::new(), |meant| format!(" (did you mean `{meant}`?)")),
        known: book.kinds.join(", "),
    })
}

/// The cards of a kind, each as often as it is there; of cards that differ from others, all copies, and of those there are more of, the new ones.
fn copies<'a>(job: &Job<'a>, kind: &str) -> Vec<&'a str> {
    let book = job.book;
    let of_kind = book.cards.iter().filter(|id| book.card(id)["kind"] == kind);
    let mut all = Vec::new();
    for id in of_kind.filter(|id| is_printed(book, id)) {
        let there = book.card(id)["copies"].as_u64().unwrap_or(1);
        // Of what comes into being during a match there is none in the box; who asks for the kind gets one to copy.
        let mut wanted = match (there, &job.kind) {
            (0, Some(_)) => 1,
            (there, _) => there,
        };
        if let Some((other, _)) = job.against {
            let same = !other.card(id).is_null() && front(other, id, 0.0) == front(book, id, 0.0);
            let before = other.card(id)["copies"].as_u64().unwrap_or(1);
            if same {
                wanted = there.saturating_sub(before);
            }
        }
        // One more than are printed is enough to know that there are too many.
        let room = PRINTED_CARDS + 1 - all.len().min(PRINTED_CARDS + 1);
        all.extend(std::iter::repeat_n(id.as_str(), room.min(wanted as usize)));
    }
    all
}

/// How cards of a size lie on the sheet: which way it is turned, columns and rows.
fn grid(job: &Job, size: Size) -> ((f64, f64), usize, usize) {
    let (w, h) = (size.w * 10.0, size.h * 10.0);
    let fit = |room: f64, one: f64| {
        let fits = (room - 2.0 * MARGIN) / (one + 2.0 * BLEED);
        (fits.floor() as usize).max(1)
    };
    let ways = job
        .paper
        .both_ways()
        .map(|page| (page, fit(page.0, w), fit(page.1, h)));
    let [upright, lying] = ways;
    match lying.1 * lying.2 > upright.1 * upright.2 {
        true => lying,
        false => upright,
    }
}

fn laid_out<'j>(
    job: &'j Job<'j>,
    size: Size,
    cards: Vec<&'j str>,
) -> impl Iterator<Item = Page> + 'j {
    let (page, columns, rows) = grid(job, size);
    let book = job.book;
    let sheet = Sheet {
        page,
        size,
        columns,
        rows,
    };
    let sheets = cards.len().div_ceil(columns * rows);
    // Copies lie behind each other, and each card is drawn once.
    let mut drawn: (&str, String) = ("", String::new());
    (0..sheets).flat_map(move |number| {
        let first = number * columns * rows;
        let some = &cards[first..cards.len().min(first + columns * rows)];
        let fronts = sheet.draw(some.len(), false, |n| {
            if drawn.0 != some[n] {
                drawn = (some[n], front(book, some[n], BLEED));
            }
            drawn.1.clone()
        });
        let kind = |id: &str| book.card(id)["kind"].as_str().unwrap_or_default();
        let backs = sheet.draw(some.len(), true, |n| back(book, kind(some[n]), BLEED));
        let titled = |title: &str, drawn| Page::new(page, format!("{title} {}", number + 1), drawn);
        [
            titled(book.say("Cartas", "Cards"), &fronts),
            titled(book.say("Reversos", "Backs"), &backs),
        ]
    })
}

struct Sheet {
    page: (f64, f64),
    size: Size,
    columns: usize,
    rows: usize,
}

impl Sheet {
    fn draw(&self, count: usize, mirrored: bool, mut one: impl FnMut(usize) -> String) -> Svg {
        let mut out = Svg::default();
        self.marks(&mut out);
        for n in 0..count {
            let (column, row) = (n % self.columns, n / self.columns);
            let column = if mirrored {
                self.columns - 1 - column
            } else {
                column
            };
            out.moved(self.corner(column, row), 1.0, |out| out.raw(&one(n)));
        }
        out
    }

    /// Where a card is cut, left and top.
    fn corner(&self, column: usize, row: usize) -> (f64, f64) {
        let (w, h) = (self.size.w * 10.0, self.size.h * 10.0);
        let step = |one: f64| one + 2.0 * BLEED;
        let first =
            |room: f64, one: f64, many: usize| (room - step(one) * many as f64) / 2.0 + BLEED;
        (
            first(self.page.0, w, self.columns) + column as f64 * step(w),
            first(self.page.1, h, self.rows) + row as f64 * step(h),
        )
    }

    /// Lines to cut along, around all cards.
    fn marks(&self, out: &mut Svg) {
        let (left, top) = self.corner(0, 0);
        let (right, bottom) = self.corner(self.columns - 1, self.rows - 1);
        let (right, bottom) = (right + self.size.w * 10.0, bottom + self.size.h * 10.0);
        let off = BLEED + MARK_OFF;
        for column in 0..self.columns {
            let (x, _) = self.corner(column, 0);
            for x in [x, x + self.size.w * 10.0] {
                out.line((x, top - off - MARK_LONG), (x, top - off), MARK);
                out.line((x, bottom + off), (x, bottom + off + MARK_LONG), MARK);
            }
        }
        for row in 0..self.rows {
            let (_, y) = self.corner(0, row);
            for y in [y, y + self.size.h * 10.0] {
                out.line((left - off - MARK_LONG, y), (left - off, y), MARK);
                out.line((right + off, y), (right + off + MARK_LONG, y), MARK);
            }
        }
    }
}
