//! Uniform over the options: the same draws whether it answers on the spot or from outside.

use crate::model::streams::Stream;
use crate::play::driver::{Chooser, Door};
use crate::play::matches::{BrokenRule, Match};
use crate::script::choice::Wanted;

/// The bot that takes anything.
#[derive(Debug, Clone, Copy)]
pub struct Random;

impl Chooser for Random {
    fn choose(&mut self, door: &mut Door, luck: &mut Stream) -> Result<Vec<u32>, BrokenRule> {
        Ok(draw(door.wanted(), door.count(), luck))
    }
}

/// Something a seat may answer; how tests and transcripts walk through a match.
pub fn pick(played: &Match, seat: u8, luck: &mut Stream) -> Vec<u32> {
    let Some(choice) = played.choice() else {
        return Vec::new();
    };
    draw(choice.wanted, choice.count(&played.table, seat), luck)
}

/// One option, or so many different ones.
pub fn draw(wanted: Wanted, count: u32, luck: &mut Stream) -> Vec<u32> {
    match wanted {
        Wanted::One => vec![luck.below(count)],
        Wanted::Some { min, max } => {
            let wanted = min + luck.below(max - min + 1);
            let mut numbers: Vec<u32> = (0..count).collect();
            luck.shuffle(&mut numbers);
            numbers.truncate(wanted as usize);
            numbers.sort_unstable();
            numbers
        }
    }
}
