//! The real server on a free port, met over its sockets as browsers and strangers meet it.

mod content;
mod doors;
mod hostile;
mod looks;
mod matches;
mod secrets;
mod support;
mod workbench;
