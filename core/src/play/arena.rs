//! Many matches on one thread, one after the other at the same table: as fast as they go, with or without a close look.

use super::close_look::{Close, CloseLook};
use super::matches::{BrokenRule, Match, Status};
use super::ranking::Rank;
use super::say;
use crate::model::state::Tally;
use crate::model::value;
use crate::table::game::Game;
use std::sync::Arc;

/// A table at which one match follows the other. Who answers is up to the caller.
///
/// ```
/// use ludoteca::{Arena, Bot, seat_bots};
/// # let pack = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/race.rs"));
/// # let (library, _) = ludoteca::Library::open(&[pack]);
/// # let game = ludoteca::load(&library, "race", &Default::default()).expect("it was checked");
/// let mut arena = Arena::new(&game, 2);
/// let mut steps = 0;
/// for seed in 1..=100 {
///     seat_bots(arena.restart(seed), &[Bot::Random], seed);
///     let finished = arena.play(false, |_, _| Ok(None))?;
///     steps += finished.ranking[0].score[0];
/// }
/// assert!(steps >= 500, "whoever wins has run five steps");
/// # Ok::<(), ludoteca::BrokenRule>(())
/// ```
#[derive(Debug)]
pub struct Arena {
    played: Match,
    /// Made for the first match that is looked at closely.
    look: Option<Box<CloseLook>>,
}

/// What there is to know of a match that is over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finished {
    /// The seat that began.
    pub first: u8,
    pub ranking: Vec<Rank>,
    pub rounds: u32,
    pub tally: Tally,
    /// Why it ended.
    pub reason: String,
    /// For each metric the game declares, its number, or one for each seat.
    pub metrics: Vec<Vec<i64>>,
    /// What only a close look tells.
    pub close: Option<Close>,
}

impl Arena {
    pub fn new(game: &Arc<Game>, players: u8) -> Arena {
        Arena {
            played: Match::new(game.clone(), players, 0),
            look: None,
        }
    }

    /// The match at the table.
    pub fn played(&mut self) -> &mut Match {
        &mut self.played
    }

    /// Begins another match; its seats are still to be taken.
    pub fn restart(&mut self, seed: u64) -> &mut Match {
        self.played.restart(seed);
        &mut self.played
    }

    /// Plays the match that was begun to its end. `answer` picks options for a seat that is asked; `None` leaves the match where it is.
    pub fn play(
        &mut self,
        close: bool,
        answer: impl FnMut(&mut Match, u8) -> Result<Option<Vec<u32>>, BrokenRule>,
    ) -> Result<Finished, BrokenRule> {
        let played = &mut self.played;
        if close && self.look.is_none() {
            self.look = Some(Box::new(CloseLook::new(played)));
        }
        let mut look = self.look.as_deref_mut().filter(|_| close);
        if let Some(look) = &mut look {
            look.begin(played);
        }
        let mut first = None;
        drive(played, answer, |played| {
            played.advance_watched(|played, ended| {
                first.get_or_insert(played.table.state.start);
                if let Some(look) = &mut look {
                    look.between_steps(played, ended);
                }
            })
        })?;
        let close = match look {
            Some(look) => look.end(played),
            None => None,
        };
        Ok(Finished {
            first: first.unwrap_or_default(),
            ranking: played.ranking()?,
            rounds: played.table.state.round,
            tally: played.table.state.tally,
            reason: say::reason_key(&played.table),
            metrics: metrics(played)?,
            close,
        })
    }

    /// As [`Arena::play`], for those who want to know nothing but how it ended.
    pub fn play_bare(
        &mut self,
        answer: impl FnMut(&mut Match, u8) -> Result<Option<Vec<u32>>, BrokenRule>,
    ) -> Result<(Vec<Rank>, Tally), BrokenRule> {
        drive(&mut self.played, answer, Match::advance)?;
        let ranking = self.played.ranking()?;
        Ok((ranking, self.played.table.state.tally))
    }
}

/// Lets seats answer until the match is over; `advance` is how it goes on between their answers.
fn drive(
    played: &mut Match,
    mut answer: impl FnMut(&mut Match, u8) -> Result<Option<Vec<u32>>, BrokenRule>,
    mut advance: impl FnMut(&mut Match) -> Result<Status, BrokenRule>,
) -> Result<(), BrokenRule> {
    while advance(played)? == Status::Asking {
        let Some(seat) = played.choice().and_then(|choice| choice.waiting()) else {
            break;
        };
        let Some(picked) = answer(played, seat)? else {
            break;
        };
        if played.answer(seat, &picked).is_err() {
            break;
        }
    }
    Ok(())
}

/// What the game's metrics say at its end.
fn metrics(played: &mut Match) -> Result<Vec<Vec<i64>>, BrokenRule> {
    let game = played.game().clone();
    let begun = played.spent();
    let declared = game.definition.metrics.iter().zip(&game.calls.metrics);
    declared
        .map(|(metric, &function)| {
            played.check_spent_since(begun, "metrics")?;
            if !metric.of_player {
                return Ok(vec![played.number(function, &[])?]);
            }
            (0..played.table.players())
                .map(|seat| played.number(function, &[value::player(seat)]))
                .collect()
        })
        .collect()
}
