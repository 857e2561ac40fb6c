//! The command as people and programs meet it: the real binary, what it says, and its exit code.

mod authoring;
mod content;
mod designer;
mod fixing;
mod hostile;
mod keeping;
mod lab;
mod new;
mod packs;
mod replay;
mod runaway;
mod seen;
mod serving;
mod stdio;
mod support;
mod terminal;
mod usage;
