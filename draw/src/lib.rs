//! Cards, boards and tokens of a game, drawn from its declarations and its look as SVG: for paper, and for the pages of a notebook.
//! The browser draws the same things from the same [`declaration`]; whoever changes what a word of a look means changes both.
//!
//! Everything a game or a match says is text here and never markup ([`svg::Svg`] escapes it), and the same content gives the same bytes.

mod board;
mod book;
mod card;
mod color;
pub mod declaration;
pub mod font;
mod forms;
mod geometry;
mod layout;
mod picture;
pub mod prose;
mod shapes;
mod space;
pub mod svg;
mod tracks;

pub use board::{DrawnBoard, board, boards};
pub use book::{Book, SeatColor};
pub use card::{CARD, Size, back, front, is_printed, size};
pub use picture::{Audience, picture};
pub use space::{token, word_token};
