//! What authors of content see: small games in memory, loaded whole, and the messages they get.

mod errors;
mod first_and_once;
mod fixture;
mod merging;
mod mistakes;
mod packs;
mod phrases;
mod prose;
mod reading;
mod robustness;
mod scenarios;
mod schemas;
mod scripts;
mod slips;
mod traps;
mod variants;
