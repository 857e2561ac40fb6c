//! How a match ended, in one piece for every door that tells it.

use super::matches::BrokenRule;
use super::ranking::Rank;
use super::say::Language;
use super::session::Session;
use serde::Serialize;
use std::collections::BTreeMap;

/// How a match ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Ending {
    /// The seats that won; none if everybody lost.
    pub winners: Vec<u8>,
    /// Everybody's place, best first.
    pub ranking: Vec<Rank>,
    /// Why, as a stable key.
    pub reason: String,
    /// The same for people.
    pub text: String,
    pub rounds: u32,
    /// What the next match of a campaign starts with, as settings.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub next: BTreeMap<String, String>,
}

impl Session {
    /// How the match ended; nothing while it goes on.
    pub fn ending(&mut self, language: Language) -> Result<Option<Ending>, BrokenRule> {
        if !self.is_over() {
            return Ok(None);
        }
        let ranking = self.ranking()?;
        let won = ranking.iter().filter(|rank| rank.place == 1);
        Ok(Some(Ending {
            winners: won.map(|rank| rank.seat).collect(),
            ranking,
            reason: self.reason_key(),
            text: self.reason(language),
            rounds: self.round(),
            next: self.played.next_start().into_iter().collect(),
        }))
    }
}
