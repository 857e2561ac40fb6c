//! `ludoteca api`: what scripts may use, made from the table that binds it: a page for people, JSON, or definitions for editors.

mod declared;
mod definitions;
mod kernel;

use crate::arguments::Api;
use crate::output::{Outcome, outln, write_out};
use crate::packs;
use ludoteca::reference::reference;
use serde_json::json;
use std::path::PathBuf;

pub fn run(content: &[PathBuf], wanted: &Api) -> Outcome {
    let loaded = match &wanted.game {
        Some(game) => Some(packs::load_data(content, game, &Default::default())?.definition),
        None => None,
    };
    if wanted.json {
        let declared = loaded.as_ref().map(declared::json);
        let mut said = json!(reference());
        said["declared"] = json!(declared);
        outln!("{said}");
    } else if wanted.definitions {
        write_out(format_args!("{}", definitions::text(loaded.as_ref())));
    } else {
        match &loaded {
            Some(definition) => write_out(format_args!("{}", declared::page(definition))),
            None => write_out(format_args!("{}", kernel::page())),
        }
    }
    Ok(())
}
