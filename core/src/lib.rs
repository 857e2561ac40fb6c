//! The kernel of Ludoteca: games as text files, checked and played. It knows no game by name.

pub mod bots;
pub mod content;
pub mod keep;
pub mod limits;
pub mod model;
pub mod play;
pub mod script;
pub mod table;
