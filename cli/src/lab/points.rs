//! The same game at different settings.

use crate::arguments::GameChoice;
use crate::output::Failure;
use crate::packs;
use ludoteca::content::library::{Library, Selection};
use ludoteca::lab::parameter::{Varied, settings};
use ludoteca::script::game::Game;
use std::path::PathBuf;
use std::sync::Arc;

pub struct Points {
    library: Library,
    game: String,
    selection: Selection,
}

impl Points {
    pub fn open(content: &[PathBuf], choice: &GameChoice) -> Result<Points, Failure> {
        let (library, _) = packs::open(content)?;
        Ok(Points {
            library,
            game: choice.game.clone(),
            selection: packs::selection(choice)?,
        })
    }

    /// The game before anything is varied.
    pub fn base(&self) -> Result<Arc<Game>, Failure> {
        packs::load_game(&self.library, &self.game, &self.selection)
    }

    /// The game with these values.
    pub fn game(&self, varied: &[Varied], values: &[i64]) -> Result<Arc<Game>, Failure> {
        let mut selection = self.selection.clone();
        selection.set.extend(settings(varied, values));
        packs::load_game(&self.library, &self.game, &selection)
    }

    /// What a parameter is before anything is varied.
    pub fn value(&self, key: &str) -> Option<i64> {
        let loaded = self.library.load(&self.game, &self.selection).ok()?;
        let path = ludoteca::content::setting::locate(&loaded.root, key)?;
        let node = ludoteca::content::setting::follow(&loaded.root, &path)?;
        match node.value {
            ludoteca::content::tree::Value::Int(value) => Some(value),
            _ => None,
        }
    }
}
