//! Many games: played on all cores, written down record by record, counted, compared, searched and drawn.

pub mod calibrate;
pub mod chart;
pub mod columns;
pub mod compare;
pub mod coverage;
pub mod goal;
pub mod ladder;
pub mod measure;
pub mod mutants;
pub mod mutation;
pub mod numbers;
pub mod page;
pub mod parameter;
pub mod record;
pub mod results;
pub mod runner;
pub mod sequential;
pub mod simulate;
pub mod statistics;
pub mod summary;
pub mod tune;
pub mod unfinished;
