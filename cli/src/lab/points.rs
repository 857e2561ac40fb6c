//! The same game at different settings.

use crate::arguments::GameChoice;
use crate::output::Failure;
use crate::packs;
use ludoteca::content::library::{Library, Loaded, Selection};
use ludoteca::content::setting;
use ludoteca::content::tree::Value;
use ludoteca::table::game::Game;
use ludoteca_lab::parameter::{Varied, settings};
use std::path::PathBuf;
use std::sync::Arc;

pub struct Points {
    library: Library,
    game: String,
    selection: Selection,
    /// The data before anything is varied.
    own: Option<Loaded>,
}

impl Points {
    pub fn open(content: &[PathBuf], choice: &GameChoice) -> Result<Points, Failure> {
        let (library, _) = packs::open(content)?;
        let selection = packs::selection(choice)?;
        Ok(Points {
            own: library.load(&choice.game, &selection).ok(),
            library,
            game: choice.game.clone(),
            selection,
        })
    }

    /// The game before anything is varied.
    pub fn base(&self) -> Result<Arc<Game>, Failure> {
        packs::load_game(&self.library, &self.game, &self.selection)
    }

    /// The game with these values. What is so already is not set: a setting that changes nothing is a mistake.
    pub fn game(&self, varied: &[Varied], values: &[i64]) -> Result<Arc<Game>, Failure> {
        let mut selection = self.selection.clone();
        let own = |key: &str| self.value(key).map(|value| value.to_string());
        let changed = settings(varied, values)
            .into_iter()
            .filter(|(key, value)| own(key).as_ref() != Some(value));
        selection.set.extend(changed);
        packs::load_game(&self.library, &self.game, &selection)
    }

    /// What a parameter is before anything is varied.
    pub fn value(&self, key: &str) -> Option<i64> {
        let root = &self.own.as_ref()?.root;
        let node = setting::follow(root, &setting::locate(root, key)?)?;
        match node.value {
            Value::Int(value) => Some(value),
            _ => None,
        }
    }
}
