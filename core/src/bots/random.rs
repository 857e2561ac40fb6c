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
    let mut picked = Vec::new();
    pick_into(played, seat, luck, &mut picked);
    picked
}

/// The same in a list that is there already.
pub fn pick_into(played: &Match, seat: u8, luck: &mut Stream, picked: &mut Vec<u32>) {
    picked.clear();
    if let Some(choice) = played.choice() {
        let count = choice.count(&played.table, seat);
        choice.wanted.draw_into(count, luck, picked);
    }
}
