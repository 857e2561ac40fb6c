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
    let mut picked = Vec::new();
    pick_into(played, seat, luck, &mut picked);
    picked
}

/// The same in a list that is there already.
pub fn pick_into(played: &Match, seat: u8, luck: &mut Stream, picked: &mut Vec<u32>) {
    picked.clear();
    if let Some(choice) = played.choice() {
        draw_into(
            choice.wanted,
            choice.count(&played.table, seat),
            luck,
            picked,
        );
    }
}

/// One option, or so many different ones.
pub fn draw(wanted: Wanted, count: u32, luck: &mut Stream) -> Vec<u32> {
    let mut picked = Vec::new();
    draw_into(wanted, count, luck, &mut picked);
    picked
}

fn draw_into(wanted: Wanted, count: u32, luck: &mut Stream, picked: &mut Vec<u32>) {
    match wanted {
        Wanted::One => picked.push(luck.below(count)),
        Wanted::Some { min, max } => {
            let wanted = min + luck.below(max - min + 1);
            picked.extend(0..count);
            luck.shuffle(picked);
            picked.truncate(wanted as usize);
            picked.sort_unstable();
        }
    }
}
