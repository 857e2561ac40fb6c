//! Who sits where: people, programs on the other end of `--stdio`, and bots.

use crate::output::Failure;
use crate::words::{errors::told, quoted, say};
use ludoteca::{Bot, BotError, Game, Sitter};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Invited {
    Human,
    Remote,
    Bot(Bot),
}

impl Invited {
    pub fn name(self) -> String {
        match self {
            Invited::Human => "human".to_string(),
            Invited::Remote => "remote".to_string(),
            Invited::Bot(bot) => bot.name(),
        }
    }

    fn parse(name: &str) -> Result<Invited, Failure> {
        match name {
            "human" => Ok(Invited::Human),
            "remote" => Ok(Invited::Remote),
            bot => bot.parse().map(Invited::Bot).map_err(|error| match error {
                BotError::Unknown { suggestion: None, .. } => {
                    let bots = Bot::FORMS.map(quoted).join(", ");
                    Failure::Usage(say!(
                        "nadie llamado «{name}» puede sentarse; los asientos son para «human», «remote», {bots}",
                        "nobody called `{name}` can sit down; seats are for `human`, `remote`, {bots}"
                    ))
                }
                other => Failure::Usage(told(&other)),
            }),
        }
    }
}

/// How long this program has been running, for bots that think by the clock.
fn clock() -> Duration {
    static BEGAN: OnceLock<Instant> = OnceLock::new();
    BEGAN.get_or_init(Instant::now).elapsed()
}

/// What is said to somebody who asks for a seat that is not there. Seats are counted from 0, as saved matches do.
pub fn no_seat(seat: u8, players: u8) -> String {
    let last = players - 1;
    say!(
        "no hay asiento {seat}; la partida los tiene del 0 al {last}",
        "there is no seat {seat}; the match has 0 to {last}"
    )
}

/// Everybody as a session wants them.
pub fn at_the_table(sitters: &[Invited]) -> Vec<Sitter> {
    let seated = |sitter: &Invited| Sitter {
        name: sitter.name(),
        chooser: match sitter {
            Invited::Bot(bot) => Some(bot.chooser(clock)),
            _ => None,
        },
    };
    sitters.iter().map(seated).collect()
}

/// Who sits down again at a saved match: the bots that were there, and whoever asks now for everybody else.
pub fn again(names: &[String], stdio: bool) -> Vec<String> {
    let outside = if stdio {
        Invited::Remote
    } else {
        Invited::Human
    };
    let again = |name: &String| match Invited::parse(name) {
        Ok(Invited::Bot(bot)) => bot.name(),
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
) -> Result<Vec<Invited>, Failure> {
    let named: Vec<Invited> = names
        .iter()
        .map(|name| Invited::parse(name))
        .collect::<Result<_, _>>()?;
    let seats = match named.len() {
        0 if stdio => vec![Invited::Remote; players as usize],
        0 => {
            let bot = if game.calls.evaluate.is_some() {
                Bot::Greedy
            } else {
                Bot::Random
            };
            let others = std::iter::repeat_n(Invited::Bot(bot), players as usize - 1);
            std::iter::once(Invited::Human).chain(others).collect()
        }
        1 => vec![named[0]; players as usize],
        count if count == players as usize => named,
        count => {
            return Err(Failure::Usage(say!(
                "se nombran {count} asientos para {players} jugadores; nombra uno para todos, o uno para cada uno",
                "{count} seats are named for {players} players; name one for all, or one for each"
            )));
        }
    };
    match stdio {
        true if seats.contains(&Invited::Human) => Err(Failure::Usage(say!(
            "nadie puede ser «human» con --stdio",
            "nobody can be `human` with --stdio"
        ))),
        false if seats.contains(&Invited::Remote) => Err(Failure::Usage(say!(
            "nadie puede ser «remote» sin --stdio",
            "nobody can be `remote` without --stdio"
        ))),
        _ => Ok(seats),
    }
}
