//! Looking closely at a game while it is played: who leads, what becomes of its content, which steps leave nothing to decide.

use super::row::{Close, EIGHTHS, StepUse, Use};
use crate::model::state::Tally;
use crate::play::matches::{BrokenRule, Match, Status};
use crate::script::witness::{Item, Witness};
use ludoteca_vm::FnId;
use std::collections::HashMap;

/// Moments of a game at which it is asked who leads, at most; when there are more, every second is forgotten.
const MOMENTS: usize = 32;

/// Somebody who watches games of one table, one after the other.
#[derive(Debug, Default)]
pub struct Watch {
    close: bool,
    first: u8,
    set_up: bool,
    witness: Option<Box<Witness>>,
    /// The item of each word, if it is offered as an option anywhere.
    words: HashMap<u32, u32>,
    /// After how many decisions somebody led.
    moments: Vec<(u64, Option<u8>)>,
    stride: u64,
    steps: Vec<(FnId, u32, u32)>,
    /// The tally when the running step began.
    before: Tally,
}

impl Watch {
    /// One who never looks closely.
    pub fn blind() -> Watch {
        Watch::default()
    }

    pub fn new(played: &Match) -> Watch {
        let game = played.game();
        let cards = game.definition.cards.len() as u32;
        let options = game.definition.texts.option.keys().zip(cards..);
        Watch {
            witness: Some(Box::new(Witness::new(&played.table))),
            words: options
                .filter_map(|(word, item)| Some((game.lexicon.find_word(word)?, item)))
                .collect(),
            ..Watch::default()
        }
    }

    /// Whether the next game is looked at closely.
    pub fn look(&mut self, close: bool) {
        self.close = close;
    }

    /// The seat that began.
    pub fn first(&self) -> u8 {
        self.first
    }

    pub fn begin(&mut self, played: &mut Match) {
        self.set_up = false;
        self.moments.clear();
        self.steps.clear();
        self.stride = 1;
        self.before = played.table.state.tally;
        if self.close
            && let Some(mut witness) = self.witness.take()
        {
            witness.clear();
            played.table.witness = Some(witness);
        }
    }

    /// Goes on until somebody must choose or the game is over.
    pub fn advance(&mut self, played: &mut Match) -> Result<Status, BrokenRule> {
        if played.choice().is_some() {
            return Ok(Status::Asking);
        }
        loop {
            let ran = played.is_running();
            if !played.run_step()? {
                return Ok(Status::Asking);
            }
            if !self.set_up {
                self.set_up = true;
                self.first = played.table.state.start;
            } else if self.close && ran {
                self.note_step(played);
            }
            if played.table.state.end.is_some() {
                played.close();
                return Ok(Status::Over);
            }
            if self.close {
                self.note_leader(played)?;
                self.before = played.table.state.tally;
            }
            played.next_step()?;
        }
    }

    /// What a step that has just ended left to decide.
    fn note_step(&mut self, played: &Match) {
        let Some((function, Some(_))) = played.step() else {
            return;
        };
        let now = played.table.state.tally;
        let decided = (now.decisions - self.before.decisions) - (now.forced - self.before.forced);
        let idle = (decided == 0) as u32;
        match self.steps.iter_mut().find(|step| step.0 == function) {
            Some(step) => (step.1, step.2) = (step.1 + 1, step.2 + idle),
            None => self.steps.push((function, 1, idle)),
        }
    }

    /// Who leads now, if it is time to ask again.
    fn note_leader(&mut self, played: &mut Match) -> Result<(), BrokenRule> {
        if played.game().calls.evaluate.is_none() {
            return Ok(());
        }
        let now = played.table.state.tally.decisions;
        if self
            .moments
            .last()
            .is_some_and(|(last, _)| now < last + self.stride)
            || now == 0
        {
            return Ok(());
        }
        let mut best: Option<(i64, Option<u8>)> = None;
        for seat in 0..played.table.players() {
            if played.table.state.is_out(seat) {
                continue;
            }
            let value = played.evaluate(seat)?;
            best = match best {
                Some((most, _)) if value == most => Some((most, None)),
                Some((most, leader)) if value < most => Some((most, leader)),
                _ => Some((value, Some(seat))),
            };
        }
        if self.moments.len() == MOMENTS {
            let mut number = 0;
            self.moments.retain(|_| {
                number += 1;
                number % 2 == 1
            });
            self.stride *= 2;
        }
        self.moments
            .push((now, best.and_then(|(_, leader)| leader)));
        Ok(())
    }

    /// What the close look told, if there was one.
    pub fn end(&mut self, played: &mut Match) -> Option<Close> {
        let mut witness = played.table.witness.take()?;
        let total = played.table.state.tally.decisions;
        let leader_at = |eighth: usize| {
            let until = total * (eighth as u64 + 1) / (EIGHTHS as u64 + 1);
            let at = self.moments.partition_point(|&(when, _)| when <= until);
            at.checked_sub(1).and_then(|at| self.moments[at].1)
        };
        let leaders = std::array::from_fn(leader_at);
        let led: Vec<u8> = self
            .moments
            .iter()
            .filter_map(|&(_, leader)| leader)
            .collect();
        let uses = witness
            .seen()
            .filter_map(|(item, seat, count)| {
                let item = match item {
                    Item::Card(card) => card,
                    Item::Word(word) => *self.words.get(&word)?,
                };
                Some(Use { item, seat, count })
            })
            .collect();
        let program = &played.game().program;
        let mut steps: Vec<StepUse> = self
            .steps
            .iter()
            .map(|&(function, times, idle)| StepUse {
                function: program.info(function).name.clone(),
                times,
                idle,
            })
            .collect();
        steps.sort_by(|a, b| a.function.cmp(&b.function));
        self.witness = Some(witness);
        Some(Close {
            leaders,
            lead_changes: led.windows(2).filter(|pair| pair[0] != pair[1]).count() as u32,
            uses,
            steps,
        })
    }
}
