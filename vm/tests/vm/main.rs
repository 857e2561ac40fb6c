//! Tests of the machine, in one binary.

mod corners;
mod differential;
mod fuzz;
mod generator;
mod language;
mod limits;
mod programs;
mod refusals;
mod rhai_tree;
mod support;
mod suspension;
