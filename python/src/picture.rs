//! The table as one picture, drawn from the look. All that is written on it comes from the view of a seat.

use crate::kernel::{Audience, Book, Language, Match, picture, view};
use serde_json::json;

/// Draws a match as a seat sees it; as everybody does, without one.
pub fn draw(played: &Match, seat: Option<u8>, language: Language) -> String {
    let book = Book::new(&played.game().definition, language);
    let seen = json!(view::view(&played.table, seat, language));
    let name = |seat: u8| language.of(&played.table.player_name(seat)).to_string();
    let shown = Audience {
        you: seat.map(usize::from),
        names: (0..played.table.players()).map(name).collect(),
    };
    picture(&book, &seen, &shown)
}
