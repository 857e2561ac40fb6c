//! Tests of the machine, in one binary.

mod differential;
mod fuzz;
mod generator;
mod language;
mod limits;
mod programs;
mod refusals;
mod support;
mod suspension;
