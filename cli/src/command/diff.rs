//! `ludoteca diff`: what two variants of a game change.

use crate::arguments::Diff;
use crate::output::{Failure, Listing, Outcome, outln};
use crate::packs;
use crate::words::{errors::told, say};
use ludoteca::{Loaded, Selection, diff};
use serde_json::json;
use std::path::PathBuf;

/// The game as it is, where a variant is expected.
const BASE: &str = "base";

pub fn run(content: &[PathBuf], wanted: &Diff) -> Outcome {
    let left = side(content, &wanted.game, &wanted.left)?;
    let right = side(content, &wanted.game, &wanted.right)?;
    let changes = diff(&left, &right);
    if wanted.json {
        outln!(
            "{}",
            json!({ "game": wanted.game, "left": wanted.left, "right": wanted.right, "differences": changes })
        );
        return Ok(());
    }
    if changes.is_empty() {
        outln!(
            "{}",
            say!(
                "{} y {} son iguales",
                "{} and {} are the same",
                wanted.left,
                wanted.right
            )
        );
    }
    let mut listing = Listing::new();
    for change in changes {
        listing.say(&told(&change));
    }
    listing.finish();
    Ok(())
}

/// One side: `base`, or variants and settings joined by `+`.
fn side(content: &[PathBuf], game: &str, written: &str) -> Result<Loaded, Failure> {
    let mut selection = Selection::default();
    for part in written
        .split('+')
        .filter(|part| *part != BASE && !part.is_empty())
    {
        match part.split_once('=') {
            Some((key, value)) => selection.set.push((key.to_string(), value.to_string())),
            None => selection.variants.push(part.to_string()),
        }
    }
    packs::load_data(content, game, &selection)
}
