//! The state of one match: plain data, cheap to copy. It does no IO and knows no game.

pub mod agenda;
pub mod board;
pub mod grid;
pub mod layout;
pub mod leaf;
pub mod luck;
pub mod set;
pub mod state;
pub mod streams;
mod used_again;
pub mod value;
