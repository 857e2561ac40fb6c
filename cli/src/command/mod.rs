//! One file for each command.

pub mod api;
pub mod calibrate;
pub mod check;
pub mod compare;
pub mod diff;
pub mod explain;
pub mod fix;
pub mod index;
pub mod ladder;
pub mod list;
pub mod new;
pub mod pack;
pub mod perft;
pub mod play;
pub mod replay;
pub mod report;
pub mod review;
pub mod rules;
pub mod schema;
pub mod serve;
pub mod sim;
pub mod sweep;
pub mod test;
pub mod tune;
