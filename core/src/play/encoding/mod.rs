//! A match as numbers, for programs that learn: what a seat sees as rows of numbers, and what may be answered as numbers of a fixed
//! list. Both follow from what the game declares, so the same content always means the same numbers, and hidden things are in neither.

mod actions;
mod describe;
mod observation;
mod open;

pub use actions::{ActionList, Group, NO_ROOM, NUMBERS, OTHERS};
pub use describe::description;
pub use observation::{Feature, NumberBlock, Observation, Question};
pub use open::OpenActions;

use crate::table::game::Game;
use std::sync::Arc;

/// How matches of a game with so many players are told in numbers.
#[derive(Debug)]
pub struct Encoding {
    pub players: u8,
    pub observation: Observation,
    pub actions: ActionList,
}

impl Encoding {
    pub fn new(game: &Arc<Game>, players: u8) -> Encoding {
        Encoding {
            players,
            observation: Observation::new(game, players),
            actions: ActionList::new(game, players),
        }
    }
}
