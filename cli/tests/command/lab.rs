//! The lab as designers meet it.

mod faults;
mod pages;
mod parts;
mod questions;
mod tiers;

use crate::support::{Folder, Said};
use serde_json::Value;

fn json(said: &Said) -> Value {
    assert_eq!(said.code, 0, "{}", said.all());
    serde_json::from_str(&said.out).unwrap_or_else(|error| panic!("{error}: {}", said.out))
}

fn fine(folder: &Folder, args: &[&str]) -> Said {
    let said = folder.heap(args);
    assert_eq!(said.code, 0, "{args:?}: {}", said.all());
    said
}
