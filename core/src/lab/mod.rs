//! Many games: simulation and the statistics one can trust.

pub mod simulate;
pub mod statistics;
