//! The same game at different settings.

use crate::parameter::{Varied, settings};
use crate::simulate::BrokenGame;
use ludoteca::{Diagnostic, Game, Library, Loaded, Selection, load, setting, setting::Datum};
use std::sync::Arc;

/// Why a question to the lab found no answer.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Failed {
    /// Everything that is wrong with the game at some setting.
    #[error("the content is at fault")]
    Content(Vec<Diagnostic>),
    #[error(transparent)]
    Game(#[from] BrokenGame),
    /// A goal speaks of chances, and nothing tells any.
    #[error("`{0}` speaks of chances, and the games do not tell any")]
    NoChances(String),
}

/// A game whose settings are varied.
pub struct Points {
    library: Library,
    game: String,
    selection: Selection,
    /// The data before anything is varied.
    own: Option<Loaded>,
}

impl Points {
    pub fn new(library: Library, game: &str, selection: Selection) -> Points {
        Points {
            own: library.load(game, &selection).ok(),
            library,
            game: game.to_string(),
            selection,
        }
    }

    /// The game before anything is varied.
    pub fn base(&self) -> Result<Arc<Game>, Failed> {
        load(&self.library, &self.game, &self.selection).map_err(Failed::Content)
    }

    /// The game with these values. What is so already is not set: a setting that changes nothing is a mistake.
    pub fn game(&self, varied: &[Varied], values: &[i64]) -> Result<Arc<Game>, Failed> {
        let mut selection = self.selection.clone();
        let own = |key: &str| self.value(key).map(|value| value.to_string());
        let changed = settings(varied, values)
            .into_iter()
            .filter(|(key, value)| own(key).as_ref() != Some(value));
        selection.set.extend(changed);
        load(&self.library, &self.game, &selection).map_err(Failed::Content)
    }

    /// What a parameter is before anything is varied.
    pub fn value(&self, key: &str) -> Option<i64> {
        let root = &self.own.as_ref()?.root;
        let node = setting::follow(root, &setting::locate(root, key)?)?;
        match node.value {
            Datum::Int(value) => Some(value),
            _ => None,
        }
    }
}
