//! What the commands of the lab share: the plan as typed, the progress bar, Ctrl-C, the table on disk, the tables on the terminal.

pub mod number;
pub mod run;
pub mod sink;
pub mod tables;
