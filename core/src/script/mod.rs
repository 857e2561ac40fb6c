//! What scripts see of a match: the API table, handles, and their binding to the executor.

pub mod about;
pub mod api;
pub mod choice;
pub mod event;
mod fit;
pub mod game;
mod judge;
pub mod label;
pub mod lexicon;
pub mod load;
mod meaning;
mod slips;
pub mod table;
pub mod types;
pub mod witness;
