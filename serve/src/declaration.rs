//! What a page must know of a game before it draws anything, under a name that changes with it.

use crate::kernel::{Definition, Picture, Text, Topic};
use ludoteca_draw::declaration::told;
use serde_json::json;
use std::collections::BTreeMap;
use xxhash_rust::xxh3::xxh3_128;

/// PictureFiles of the look by their names: the file's name, and where to find it.
pub type PictureFiles = BTreeMap<String, (String, Picture)>;

/// A declaration and its name.
#[derive(Debug)]
pub struct Declaration {
    pub id: String,
    pub text: String,
    pub pictures: PictureFiles,
    pub title: Text,
    pub rulebook: Vec<Topic>,
}

impl Declaration {
    pub fn new(definition: &Definition, pictures: PictureFiles) -> Declaration {
        let text = told(definition).to_string();
        // A variant may change what the rulebook says and nothing else a page shows.
        let rulebook = definition.rulebook.clone();
        let all = format!("{text}{}", json!(rulebook));
        Declaration {
            id: format!("{:032x}", xxh3_128(all.as_bytes())),
            text,
            pictures,
            title: definition.title.clone(),
            rulebook,
        }
    }
}
