//! Who sits where: people, programs on the other end of `--stdio`, and bots.

use crate::output::Failure;
use ludoteca::bots::{Bot, BotError};
use ludoteca::play::session;
use ludoteca::table::game::Game;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sitter {
    Human,
    Remote,
    Bot(Bot),
}

impl Sitter {
    pub fn name(self) -> String {
        match self {
            Sitter::Human => "human".to_string(),
            Sitter::Remote => "remote".to_string(),
            Sitter::Bot(bot) => bot.name(),
        }
    }

    fn parse(name: &str) -> Result<Sitter, Failure> {
        match name {
            "human" => Ok(Sitter::Human),
            "remote" => Ok(Sitter::Remote),
            bot => bot.parse().map(Sitter::Bot).map_err(|error| match error {
                BotError::Unknown { suggestion: None, .. } => {
                    let bots = Bot::FORMS.map(|form| format!("`{form}`")).join(", ");
                    Failure::Usage(format!(
                        "nobody called `{name}` can sit down; seats are for `human`, `remote`, {bots}"
                    ))
                }
                other => Failure::Usage(other.to_string()),
            }),
        }
    }
}

/// How long this program has been running, for bots that think by the clock.
fn clock() -> Duration {
    static BEGAN: OnceLock<Instant> = OnceLock::new();
    BEGAN.get_or_init(Instant::now).elapsed()
}

/// Everybody as a session wants them.
pub fn at_the_table(sitters: &[Sitter]) -> Vec<session::Sitter> {
    let seated = |sitter: &Sitter| session::Sitter {
        name: sitter.name(),
        chooser: match sitter {
            Sitter::Bot(bot) => Some(bot.chooser(clock)),
            _ => None,
        },
    };
    sitters.iter().map(seated).collect()
}

/// Who sits down again at a saved match: the bots that were there, and whoever asks now for everybody else.
pub fn again(names: &[String], stdio: bool) -> Vec<String> {
    let outside = if stdio { Sitter::Remote } else { Sitter::Human };
    let again = |name: &String| match Sitter::parse(name) {
        Ok(Sitter::Bot(bot)) => bot.name(),
        _ => outside.name().to_string(),
    };
    names.iter().map(again).collect()
}

/// Who sits on each seat. One name stands for all; without any, a person plays against bots, or a program plays every seat.
pub fn seats(
    names: &[String],
    game: &Game,
    players: u8,
    stdio: bool,
) -> Result<Vec<Sitter>, Failure> {
    let named: Vec<Sitter> = names
        .iter()
        .map(|name| Sitter::parse(name))
        .collect::<Result<_, _>>()?;
    let seats = match named.len() {
        0 if stdio => vec![Sitter::Remote; players as usize],
        0 => {
            let bot = if game.calls.evaluate.is_some() {
                Bot::Greedy
            } else {
                Bot::Random
            };
            let others = std::iter::repeat_n(Sitter::Bot(bot), players as usize - 1);
            std::iter::once(Sitter::Human).chain(others).collect()
        }
        1 => vec![named[0]; players as usize],
        count if count == players as usize => named,
        count => {
            let message = format!(
                "{count} seats are named for {players} players; name one for all, or one for each"
            );
            return Err(Failure::Usage(message));
        }
    };
    let (foreign, how) = if stdio {
        (Sitter::Human, "with")
    } else {
        (Sitter::Remote, "without")
    };
    if seats.contains(&foreign) {
        let message = format!("nobody can be `{}` {how} --stdio", foreign.name());
        return Err(Failure::Usage(message));
    }
    Ok(seats)
}
