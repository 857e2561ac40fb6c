//! The kernel of Ludoteca: games as text files, checked, played and simulated. It knows no game by name.

pub mod bots;
pub mod content;
pub mod lab;
pub mod model;
pub mod play;
pub mod script;
