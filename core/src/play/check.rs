//! Everything that is wrong with content, for every door: games as they are and with each variant, their rules, their scenarios.

use super::scenario::Suite;
use crate::content::diagnostic::{Diagnostic, sort};
use crate::content::library::{Library, Selection};
use crate::script::load;

impl Library {
    /// What is wrong with one game, or with all of them and the packs themselves; sorted by file and position, each thing once.
    pub fn check(&self, only: Option<&str>) -> Vec<Diagnostic> {
        let mut found = match only {
            Some(_) => Vec::new(),
            None => self.problems().to_vec(),
        };
        let games = self.games();
        if let Some(id) = only.filter(|id| games.iter().all(|game| game.id != **id)) {
            let missing = self.load(id, &Selection::default());
            return missing.err().unwrap_or_default();
        }
        for game in games
            .iter()
            .filter(|game| only.is_none_or(|id| id == game.id))
        {
            found.extend(load::examine(self, &game.id, &Selection::default()).1);
            for variant in &game.variants {
                let selection = Selection::variant(&variant.id);
                found.extend(load::examine(self, &game.id, &selection).1);
            }
        }
        found.extend(Suite::read(self, &self.scenarios(only)).1);
        sort(&mut found);
        found
    }
}
