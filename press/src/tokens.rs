//! Tokens to cut out: those of the seats, and of whatever has a colour and an icon.

use crate::Job;
use crate::paper::Page;
use ludoteca_draw::svg::{Letters, Svg};
use ludoteca_draw::{Book, token, word_token};
use serde_json::Value as Json;

/// From one token to the next, and how wide one is.
const STEP: f64 = 165.0;
const ACROSS: f64 = 150.0;
const MARGIN: f64 = 120.0;
/// Of each seat, and of each word.
const SEAT: usize = 22;
const WORD: usize = 11;

/// A row of equal tokens.
struct TokenRow {
    /// What they are, for whoever cuts them out.
    name: String,
    drawn: String,
    many: usize,
}

pub fn pages(job: &Job) -> Vec<Page> {
    let rows = rows(job.book);
    let before: Vec<String> = job.against.map_or_else(Vec::new, |(book, _)| {
        self::rows(book).into_iter().map(|row| row.drawn).collect()
    });
    let rows: Vec<TokenRow> = rows
        .into_iter()
        .filter(|row| !before.contains(&row.drawn))
        .collect();
    let (w, h) = job.paper.size();
    let columns = ((w - 2.0 * MARGIN) / STEP).floor() as usize;
    let left = (w - columns as f64 * STEP) / 2.0 + STEP / 2.0;
    let title = job.book.say("Fichas", "Tokens");
    let (mut pages, mut out, mut y) = (Vec::new(), Svg::default(), MARGIN);
    for row in rows {
        let lines = row.many.div_ceil(columns);
        let tall = 45.0 + lines as f64 * STEP;
        if y + tall > h - MARGIN && y > MARGIN {
            pages.push(Page::new((w, h), title, &std::mem::take(&mut out)));
            y = MARGIN;
        }
        let letters = Letters {
            size: 28.0,
            fill: "#635949",
            anchor: "start",
            ..Letters::PLAIN
        };
        out.text((left - STEP / 2.0 + 8.0, y + 30.0), letters, &row.name);
        for n in 0..row.many {
            let at = (
                left + (n % columns) as f64 * STEP,
                y + 45.0 + (n / columns) as f64 * STEP + STEP / 2.0,
            );
            out.circle(
                at,
                ACROSS / 2.0,
                "fill=\"none\" stroke=\"#b9ad97\" stroke-width=\"1.5\"",
            );
            out.moved(at, 4.6, |out| out.raw(&row.drawn));
        }
        y += tall;
    }
    if y > MARGIN {
        pages.push(Page::new((w, h), title, &out));
    }
    pages
}

fn rows(book: &Book) -> Vec<TokenRow> {
    let look = book.look();
    let uses = ["tokens", "slots", "markers", "stars"]
        .iter()
        .any(|key| !look["space"][*key].is_null());
    let owned = book
        .attributes("space")
        .any(|attribute| attribute["type"] == "player");
    let tracks = look["tracks"].as_object().into_iter().flatten();
    let walks = tracks.map(|(_, track)| &track["attribute"]);
    let walks = walks
        .filter_map(Json::as_str)
        .any(|attribute| attribute.starts_with("player."));
    let mut rows = Vec::new();
    if uses || owned || walks {
        for (n, color) in book.all_seat_colors().iter().enumerate() {
            let mut drawn = Svg::default();
            token(color, "", &mut drawn);
            rows.push(TokenRow {
                name: format!("{} {}", book.say("Asiento", "Seat"), n + 1),
                drawn: drawn.body().to_string(),
                many: SEAT,
            });
        }
    }
    for (word, _) in look["icons"].as_object().into_iter().flatten() {
        if let Some(drawn) = counted(book, word)
            .then(|| word_token(book, word))
            .flatten()
        {
            rows.push(TokenRow {
                name: book.word(word),
                drawn,
                many: WORD,
            });
        }
    }
    rows
}

/// Whether something is counted by this word: tokens of it lie about.
fn counted(book: &Book, word: &str) -> bool {
    let mut all = ["game", "player", "space"]
        .into_iter()
        .flat_map(|of| book.attributes(of));
    all.any(|attribute| {
        let words = attribute["per_words"].as_array();
        attribute["type"] == "int" && words.is_some_and(|words| words.iter().any(|w| w == word))
    })
}
