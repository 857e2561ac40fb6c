//! Running a game: steps, choices, positions, forks, views, transcripts and scenarios.

pub mod arena;
mod check;
pub mod close_look;
pub mod driver;
pub mod encoding;
pub mod ending;
#[cfg(test)]
mod every_row;
pub mod help;
pub mod imagination;
pub mod journal;
pub mod kinds;
pub mod matches;
pub mod offer;
pub mod perft;
pub mod ranking;
pub mod say;
pub mod scenario;
pub mod session;
pub mod transcript;
pub mod view;
