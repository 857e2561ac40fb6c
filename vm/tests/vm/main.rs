//! Tests of the machine, in one binary.

mod differential;
mod generator;
mod language;
mod limits;
mod support;
mod suspension;
