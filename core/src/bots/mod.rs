//! Drivers that choose for themselves. A bot sees the table as its seat does; what it cannot see it deals anew before it looks ahead.

pub mod greedy;
pub mod random;

use crate::model::luck::Luck;
use crate::play::imagination::Imagined;
use crate::play::matches::{BrokenRule, Match};
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

/// A bot on its seat, with its own luck.
#[derive(Debug)]
pub struct Driver {
    pub bot: Bot,
    luck: Luck,
    /// A second table to look ahead on; made when first needed.
    imagined: Option<Box<Imagined>>,
}

impl Driver {
    pub fn new(bot: Bot, seat: u8, seed: u64) -> Driver {
        Driver {
            bot,
            luck: Luck::new(seat, seed),
            imagined: None,
        }
    }

    /// The options this bot takes in the open choice of its seat.
    pub fn pick(&mut self, played: &Match, seat: u8) -> Result<Vec<u32>, BrokenRule> {
        let mut luck = self.luck.now(&played.table.state);
        match self.bot {
            Bot::Random => Ok(random::pick(played, seat, &mut luck)),
            Bot::Greedy => greedy::pick(played, seat, &mut luck, &mut self.imagined),
        }
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
                Some(Driver::new(bot, seat, seed))
            }
        })
        .collect()
}
