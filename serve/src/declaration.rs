//! What a page must know of a game before it draws anything, under a name that changes with it.

use crate::kernel::{Definition, Picture};
use ludoteca_draw::declaration::told;
use std::collections::BTreeMap;
use xxhash_rust::xxh3::xxh3_128;

/// Pictures of the look by their names: the file's name, and where to find it.
pub type PictureFiles = BTreeMap<String, (String, Picture)>;

/// A declaration and its name.
#[derive(Debug)]
pub struct Declaration {
    pub id: String,
    pub text: String,
    pub pictures: PictureFiles,
}

impl Declaration {
    pub fn new(definition: &Definition, pictures: PictureFiles) -> Declaration {
        let text = told(definition).to_string();
        let id = format!("{:032x}", xxh3_128(text.as_bytes()));
        Declaration { id, text, pictures }
    }
}
