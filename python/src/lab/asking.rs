//! What Python asks to be played, and Python functions that play in it.

use crate::asked::Asked;
use crate::content::Rules;
use crate::door::Mistake;
use crate::kernel::{AnswerError, Bot, Encoding, Guest, GuestLeft, Match, Plan, Wanted};
use crate::session::bot;
use pyo3::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};

/// Who plays: the name of a bot, or a name and a function that answers.
#[derive(FromPyObject)]
pub enum Player {
    Bot(String),
    Guest(String, Py<PyAny>),
}

/// What to play.
#[derive(FromPyObject)]
pub struct Asking {
    #[pyo3(attribute)]
    players: Option<u8>,
    #[pyo3(attribute)]
    bots: Vec<Player>,
    #[pyo3(attribute)]
    rotate: bool,
    #[pyo3(attribute)]
    seed: u64,
    #[pyo3(attribute)]
    games: u64,
    #[pyo3(attribute)]
    part: Option<(u64, u64)>,
    #[pyo3(attribute)]
    close: Option<u64>,
    #[pyo3(attribute)]
    jobs: usize,
    #[pyo3(attribute)]
    verify: bool,
}

impl Asking {
    pub fn plan(self, rules: &Rules, errors: &Errors) -> Result<Plan, Mistake> {
        let players = rules.players(self.players)?;
        let count = self.bots.len();
        if count != 1 && count != players as usize {
            return Err(Mistake::Value(format!(
                "{count} bots are named for {players} players; name one for all, or one for each"
            )));
        }
        if self.games == 0 {
            return Err(Mistake::Value("a run has at least one game".into()));
        }
        let (mut bots, mut guests): (Vec<Bot>, Vec<Option<Arc<dyn Guest>>>) = Default::default();
        for player in self.bots {
            let (bot, guest): (Bot, Option<Arc<dyn Guest>>) = match player {
                Player::Bot(name) => (bot(&name)?, None),
                Player::Guest(name, function) => {
                    let guest = Function {
                        name,
                        function,
                        encoding: rules.encoding(players),
                        errors: errors.clone(),
                    };
                    (Bot::Random, Some(Arc::new(guest)))
                }
            };
            bots.push(bot);
            guests.push(guest);
        }
        if count == 1 {
            bots = vec![bots[0]; players as usize];
            guests = vec![guests[0].clone(); players as usize];
        }
        let plan = Plan {
            guests,
            rotate: self.rotate,
            part: self.part.unwrap_or((0, self.games)),
            jobs: self.jobs,
            verify: self.verify,
            ..Plan::new(players, bots, self.seed, self.games)
        };
        Ok(Plan {
            close: self.close.unwrap_or(plan.usual_close()),
            ..plan
        })
    }
}

/// What a Python function raised while it played.
pub type Errors = Arc<Mutex<Option<PyErr>>>;

/// A Python function that plays in a run.
#[derive(Debug)]
struct Function {
    name: String,
    function: Py<PyAny>,
    encoding: Arc<Encoding>,
    errors: Errors,
}

impl Guest for Function {
    fn name(&self) -> &str {
        &self.name
    }

    fn choose(&self, played: &Match, seat: u8) -> Result<Vec<u32>, GuestLeft> {
        Python::attach(|py| {
            let asked = Asked::new(played, self.encoding.clone(), seat);
            let answered = self.function.call1(py, (asked,));
            let picked = answered.and_then(|answer| answer.extract::<Vec<u32>>(py));
            picked
                .and_then(|picked| offered(played, seat, picked).map_err(PyErr::from))
                .map_err(|error| {
                    let why = error.to_string();
                    let mut first = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
                    first.get_or_insert(error);
                    GuestLeft {
                        name: self.name.clone(),
                        why,
                    }
                })
        })
    }
}

/// An answer, if it is one the choice offers.
fn offered(played: &Match, seat: u8, mut picked: Vec<u32>) -> Result<Vec<u32>, Mistake> {
    let choice = played.choice().ok_or(AnswerError::NotAsked(seat))?;
    let (least, most) = match choice.wanted {
        Wanted::One => (1, 1),
        Wanted::Some { min, max } => (min as usize, max as usize),
    };
    if !(least..=most).contains(&picked.len()) {
        return Err(Mistake::Illegal(AnswerError::WrongCount {
            expected: format!("between {least} and {most}"),
            found: picked.len(),
        }));
    }
    let count = choice.count(&played.table, seat);
    picked.sort_unstable();
    if let Some(pair) = picked.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(Mistake::Illegal(AnswerError::Twice(format!(
            "option {}",
            pair[0]
        ))));
    }
    match picked.last() {
        Some(&last) if last >= count => Err(Mistake::Illegal(AnswerError::UnknownOption {
            key: format!("option {last}"),
            suggestion: None,
        })),
        _ => Ok(picked),
    }
}
