//! One file for each command.

pub mod check;
pub mod list;
pub mod sim;
pub mod test;
