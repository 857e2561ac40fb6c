//! Drivers that choose for themselves, from one that takes anything to one that thinks. A bot sees the table as its seat does; whatever it
//! cannot see is imagined anew before it looks ahead.

mod forced;
mod former;
pub mod greedy;
pub mod hint;
mod kept;
mod line;
mod options;
pub mod policy;
pub mod random;
pub mod search;
mod tree;

pub use line::Moments;

use crate::limits::{LINES_OF_THOUGHT, LONGEST_THOUGHT, THINKING_THREADS};
use crate::model::luck::Luck;
use crate::play::driver::{Chooser, Driver};
use crate::play::matches::Match;
use search::{Budget, Clock, Search};
use std::fmt::{self, Display};
use std::num::NonZeroU32;
use std::str::FromStr;
use std::time::Duration;

/// How many tables a bot imagines at most for one look, where rules or opinions break on them: what breaks on one need not on another.
const TABLES: u32 = 8;

/// The bots the kernel knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Bot {
    /// Uniform over the options.
    Random,
    /// By the game's own `prefer`, without looking ahead.
    Policy,
    /// One move of lookahead, judged by the game's own `evaluate`.
    Greedy,
    /// So many lines, without memory of what follows an answer.
    Rollout(u32),
    /// Thinking ahead.
    Search(Budget),
}

impl Bot {
    /// How names look, for messages: one of each kind, then other ways to say how much.
    pub const FORMS: [&'static str; 7] = [
        "random",
        "policy",
        "greedy",
        "rollout:100",
        "search:100",
        "search:100:2",
        "search:2s",
    ];

    /// One of each kind.
    pub const ALL: [Bot; 5] = [
        Bot::Random,
        Bot::Policy,
        Bot::Greedy,
        Bot::Rollout(20),
        Bot::search(20),
    ];

    /// A search of so many lines, on one thread.
    pub const fn search(lines: u32) -> Bot {
        let threads = NonZeroU32::MIN;
        Bot::Search(Budget::Lines { lines, threads })
    }

    pub fn name(self) -> String {
        self.to_string()
    }

    /// Whether the same match always gets the same answers of it.
    pub fn is_repeatable(self) -> bool {
        !matches!(self, Bot::Search(Budget::Time(_)))
    }

    /// How it chooses. Whoever has no clock gives [`no_clock`]; bots that think by the clock then answer at once.
    pub fn chooser(self, clock: Clock) -> Box<dyn Chooser> {
        match self {
            Bot::Random => Box::new(random::Random),
            Bot::Policy => Box::new(policy::Policy::default()),
            Bot::Greedy => Box::new(greedy::Greedy::default()),
            Bot::Rollout(lines) => {
                let threads = NonZeroU32::MIN;
                Box::new(Search::new(Budget::Lines { lines, threads }, true, clock))
            }
            Bot::Search(budget) => Box::new(Search::new(budget, false, clock)),
        }
    }

    /// The bot on a seat of a match with this seed, where nobody has a clock.
    pub fn driver(self, seat: u8, seed: u64) -> Driver {
        Driver::new(self.chooser(no_clock), seat, seed)
    }
}

/// For those who have no clock: all time is over.
pub fn no_clock() -> Duration {
    Duration::MAX
}

impl Display for Bot {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Bot::Random => f.write_str("random"),
            Bot::Policy => f.write_str("policy"),
            Bot::Greedy => f.write_str("greedy"),
            Bot::Rollout(lines) => write!(f, "rollout:{lines}"),
            Bot::Search(Budget::Lines { lines, threads }) if threads.get() == 1 => {
                write!(f, "search:{lines}")
            }
            Bot::Search(Budget::Lines { lines, threads }) => write!(f, "search:{lines}:{threads}"),
            Bot::Search(Budget::Time(ms)) if ms % 1000 == 0 => write!(f, "search:{}s", ms / 1000),
            Bot::Search(Budget::Time(ms)) => write!(f, "search:{ms}ms"),
        }
    }
}

/// No bot is called so.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BotError {
    #[error("unknown bot `{name}`{}; the bots are {}", did_you_mean(.suggestion), known())]
    Unknown {
        name: String,
        suggestion: Option<String>,
    },
    #[error("`{name}` does not say how much: write `{example}`")]
    HowMuch { name: String, example: &'static str },
    #[error("`{name}` asks for more than a bot does: at most {most} {what}")]
    TooMuch {
        name: String,
        most: u32,
        what: &'static str,
    },
}

fn did_you_mean(suggestion: &Option<String>) -> String {
    let said = suggestion.as_ref();
    said.map_or(String::new(), |name| format!("; did you mean `{name}`?"))
}

fn known() -> String {
    Bot::FORMS.map(|form| format!("`{form}`")).join(", ")
}

impl FromStr for Bot {
    type Err = BotError;

    fn from_str(name: &str) -> Result<Bot, BotError> {
        let parts: Vec<&str> = name.split(':').collect();
        let (kind, given) = (parts[0], &parts[1..]);
        match (kind, given) {
            ("random", []) => Ok(Bot::Random),
            ("policy", []) => Ok(Bot::Policy),
            ("greedy", []) => Ok(Bot::Greedy),
            ("rollout", [lines]) => Ok(Bot::Rollout(lines_of(name, lines, "rollout:100")?)),
            ("search", [time]) if time.ends_with('s') => Ok(Bot::Search(time_of(name, time)?)),
            ("search", [lines]) => Ok(Bot::search(lines_of(name, lines, "search:100")?)),
            ("search", [lines, threads]) => {
                let lines = lines_of(name, lines, "search:100:2")?;
                let threads = number(name, threads, "search:100:2", THINKING_THREADS, "threads")?;
                Ok(Bot::Search(Budget::Lines { lines, threads }))
            }
            ("rollout", _) => Err(how_much(name, "rollout:100")),
            ("search", _) => Err(how_much(name, "search:100")),
            _ => {
                let kinds = ["random", "policy", "greedy", "rollout", "search"];
                let near = ludoteca_vm::nearest(kind, kinds).unwrap_or(kind);
                let at = kinds.iter().position(|kind| *kind == near);
                Err(BotError::Unknown {
                    name: name.to_string(),
                    suggestion: at.map(|at| Bot::FORMS[at].to_string()),
                })
            }
        }
    }
}

fn how_much(name: &str, example: &'static str) -> BotError {
    let name = name.to_string();
    BotError::HowMuch { name, example }
}

fn number(
    name: &str,
    given: &str,
    example: &'static str,
    most: u32,
    what: &'static str,
) -> Result<NonZeroU32, BotError> {
    let digits = !given.is_empty() && given.bytes().all(|b| b.is_ascii_digit());
    let name = name.to_string();
    match given.parse::<u32>().ok().and_then(NonZeroU32::new) {
        Some(number) if digits && number.get() <= most => Ok(number),
        None if !digits || given.bytes().all(|b| b == b'0') => {
            Err(BotError::HowMuch { name, example })
        }
        _ => Err(BotError::TooMuch { name, most, what }),
    }
}

fn lines_of(name: &str, given: &str, example: &'static str) -> Result<u32, BotError> {
    number(name, given, example, LINES_OF_THOUGHT, "lines").map(NonZeroU32::get)
}

/// `2s` or `500ms`.
fn time_of(name: &str, given: &str) -> Result<Budget, BotError> {
    let (digits, unit) = match given.strip_suffix("ms") {
        Some(digits) => (digits, 1),
        None => (given.trim_end_matches('s'), 1000),
    };
    let most = LONGEST_THOUGHT / unit;
    let what = if unit == 1 { "milliseconds" } else { "seconds" };
    let amount = number(name, digits, "search:2s", most, what)?;
    Ok(Budget::Time(amount.get() * unit))
}

/// Seats bots. Where all play at random they answer on the spot, so that a simulation never stops for them.
pub fn seat_bots(played: &mut Match, bots: &[Bot], seed: u64) -> Vec<Option<Driver>> {
    let all_random = bots.iter().all(|&bot| bot == Bot::Random);
    played.keeps_steps = !all_random;
    (0..played.table.players())
        .map(|seat| match bots[seat as usize % bots.len()] {
            Bot::Random if all_random => {
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
