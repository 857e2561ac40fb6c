//! Drivers that choose for themselves. A bot sees the table as its seat does; what it cannot see it deals anew before it looks ahead.

pub mod greedy;
pub mod random;

use crate::model::luck::Luck;
use crate::play::driver::{Chooser, Driver};
use crate::play::matches::Match;
use std::str::FromStr;

/// The bots the kernel knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Bot {
    /// Uniform over the options.
    Random,
    /// One step of lookahead, judged by the game's own `evaluate`.
    Greedy,
}

impl Bot {
    pub const ALL: [Bot; 2] = [Bot::Random, Bot::Greedy];

    pub fn name(self) -> &'static str {
        match self {
            Bot::Random => "random",
            Bot::Greedy => "greedy",
        }
    }

    /// How it chooses.
    pub fn chooser(self) -> Box<dyn Chooser> {
        match self {
            Bot::Random => Box::new(random::Random),
            Bot::Greedy => Box::new(greedy::Greedy),
        }
    }

    /// The bot on a seat of a match with this seed.
    pub fn driver(self, seat: u8, seed: u64) -> Driver {
        Driver::new(self.chooser(), seat, seed)
    }
}

impl FromStr for Bot {
    type Err = String;

    fn from_str(name: &str) -> Result<Bot, String> {
        Bot::ALL
            .into_iter()
            .find(|bot| bot.name() == name)
            .ok_or_else(|| {
                let known = Bot::ALL.map(|bot| format!("`{}`", bot.name())).join(", ");
                format!("unknown bot `{name}`; the bots are {known}")
            })
    }
}

/// Seats bots. Those that play at random answer on the spot, so that a simulation never stops for them.
pub fn seat_bots(played: &mut Match, bots: &[Bot], seed: u64) -> Vec<Option<Driver>> {
    (0..played.table.players())
        .map(|seat| match bots[seat as usize % bots.len()] {
            Bot::Random => {
                played.seat_random(seat, Luck::new(seat, seed));
                None
            }
            bot => {
                played.seat_asked(seat);
                Some(bot.driver(seat, seed))
            }
        })
        .collect()
}
