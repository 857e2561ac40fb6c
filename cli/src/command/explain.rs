//! `ludoteca explain`: where a value comes from.

use crate::arguments::Explain;
use crate::output::{Failure, Outcome, outln, show};
use crate::packs;
use ludoteca::content::explain;
use serde_json::json;
use std::path::PathBuf;

pub fn run(content: &[PathBuf], wanted: &Explain) -> Outcome {
    let loaded = packs::load_data(content, &wanted.game.game, &packs::selection(&wanted.game)?)?;
    let stories = explain::explain(&loaded, &wanted.key).map_err(|problem| {
        show(&[*problem]);
        Failure::Content
    })?;
    if wanted.json {
        outln!(
            "{}",
            json!({ "game": wanted.game.game, "key": wanted.key, "values": stories })
        );
        return Ok(());
    }
    for story in stories {
        outln!("{story}");
    }
    Ok(())
}
