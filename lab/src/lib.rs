//! Many games: played on all cores, written down record by record, counted, compared, searched and drawn.

pub mod chart;
pub mod columns;
pub mod compare;
pub mod coverage;
pub mod goal;
pub mod measure;
pub mod mutants;
pub mod mutation;
pub mod numbers;
pub mod page;
pub mod parameter;
pub mod parts;
pub mod points;
pub mod record;
pub mod results;
pub mod runner;
pub mod search;
pub mod sequential;
pub mod simulate;
pub mod statistics;
pub mod summary;
pub mod sweep;
pub mod told;
pub mod tune;
pub mod unfinished;
