//! Uniform over the options: the same draws whether it answers on the spot or from outside.

use crate::model::streams::Stream;
use crate::play::driver::{Chooser, Door};
use crate::play::matches::{BrokenRule, Match};

/// The bot that takes anything.
#[derive(Debug, Clone, Copy)]
pub struct Random;

impl Chooser for Random {
    fn choose(&mut self, door: &mut Door, luck: &mut Stream) -> Result<Vec<u32>, BrokenRule> {
        Ok(door.wanted().draw(door.count(), luck))
    }
}

/// Something a seat may answer; how tests and transcripts walk through a match.
pub fn pick(played: &Match, seat: u8, luck: &mut Stream) -> Vec<u32> {
    let Some(choice) = played.choice() else {
        return Vec::new();
    };
    choice.wanted.draw(choice.count(&played.table, seat), luck)
}
