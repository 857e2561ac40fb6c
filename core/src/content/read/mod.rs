//! Typed reading: the merged tree of a game becomes a [`Definition`](super::definition::Definition).

pub mod reader;

pub mod attributes;
pub mod cards;
pub mod field;
pub mod game;
pub mod grid;
pub mod look;
pub mod manifest;
pub mod map;
pub mod pack;
pub mod phrase;
pub mod prose;
pub mod rulebook;
pub mod sides;
pub mod tables;
pub mod taken;
pub mod texts;
pub mod variant;
