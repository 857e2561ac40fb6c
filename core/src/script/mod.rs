//! The language rules are written in: the API table, what scripts may name, and how they are compiled and loaded.

pub mod compile;
mod fillings;
mod judge;
mod likeness;
pub mod load;
mod meaning;
pub mod mentions;
pub mod names;
pub mod reference;
mod rows;
mod slips;
pub mod sound;
mod unused;
pub mod verbs;
mod written;
