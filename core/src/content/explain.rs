//! Where a value comes from: who set it, and over what.

use super::diagnostic::{Code, Diagnostic};
use super::file::Place;
use super::library::{Loaded, SETTING};
use super::pack::BASE;
use super::setting;
use super::tree::{Node, Past};
use serde::Serialize;
use std::fmt;

/// The story of one value, the latest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Story {
    /// The key as `--set` takes it.
    pub key: String,
    pub told: Vec<Told>,
}

/// A value somebody set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Told {
    pub value: String,
    /// The pack, the variant, or `--set`.
    pub from: String,
    /// `file:line`
    pub place: String,
}

/// The stories of a value, or of all values of a table.
pub fn explain(loaded: &Loaded, key: &str) -> Result<Vec<Story>, Box<Diagnostic>> {
    let found = setting::locate(&loaded.root, key);
    let node = found
        .as_ref()
        .and_then(|path| setting::follow(&loaded.root, path));
    let (Some(path), Some(node)) = (found, node) else {
        let known = setting::known_keys(&loaded.root);
        let message = format!("there is nothing called `{key}`");
        let problem = Diagnostic::new(Code::UnknownKey, message);
        return Err(Box::new(
            problem.suggest(key, known.iter().map(String::as_str)),
        ));
    };
    let mut stories = Vec::new();
    tell(node, &path.join("."), &mut stories);
    for story in &mut stories {
        story.key = setting::shortest(&loaded.root, &story.key);
    }
    Ok(stories)
}

fn tell(node: &Node, key: &str, stories: &mut Vec<Story>) {
    if let Some(table) = node.table().filter(|table| !table.is_empty()) {
        for (name, entry) in table {
            tell(&entry.node, &format!("{key}.{name}"), stories);
        }
        return;
    }
    let mut told = vec![Told::new(node.said(), &node.place)];
    let mut past: Option<&Past> = node.over.as_deref();
    while let Some(before) = past {
        told.push(Told::new(before.said.clone(), &before.place));
        past = before.over.as_deref();
    }
    let key = key.to_string();
    stories.push(Story { key, told });
}

impl Told {
    fn new(value: String, place: &Place) -> Told {
        Told {
            value,
            from: place.file.from.clone(),
            place: place.to_string(),
        }
    }
}

/// "3 from cheap-fleet (variants/x/cheap-fleet.toml:6), over 4 from the base (cards/x/tables.toml:9)"
impl fmt::Display for Story {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.key)?;
        for (i, told) in self.told.iter().enumerate() {
            let over = if i > 0 { ", over " } else { "" };
            let from = match told.from.as_str() {
                BASE => "the base",
                from => from,
            };
            write!(f, "{over}{} from {from}", told.value)?;
            // The command line is where the reader has just typed it.
            if told.from != SETTING {
                write!(f, " ({})", told.place)?;
            }
        }
        Ok(())
    }
}
