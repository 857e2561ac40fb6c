//! Questions the rules answer without changing anything: how good a position is, what a seat prefers, what is shown.

use super::{BrokenRule, Match};
use crate::model::value::{self, Object, Val};
use ludoteca_vm::{Fault, FnId, Outcome, Value};

impl Match {
    /// Asks the rules something that changes nothing, such as `score(p)`.
    pub fn question(&mut self, function: FnId, args: &[Val]) -> Result<Val, BrokenRule> {
        if self.spent > self.allowed {
            return Err(self.endless_match());
        }
        let (events, read_only) = (self.table.events.take(), self.table.read_only);
        self.table.read_only = true;
        let outcome = self.ask_rules(function, args);
        self.table.read_only = read_only;
        self.table.events = events;
        match outcome {
            Ok(Outcome::Done(answer)) => Ok(answer),
            Ok(Outcome::Suspended) => Ok(Value::Unit),
            Err(fault) => Err(BrokenRule {
                fault,
                round: self.table.state.round,
            }),
        }
    }

    /// Lets the rules do something outside of their steps, such as `imagine(p)`; they may not ask anything then.
    pub(in crate::play) fn command(
        &mut self,
        function: FnId,
        args: &[Val],
    ) -> Result<(), BrokenRule> {
        let (events, choice) = (self.table.events.take(), self.table.choice.take());
        let outcome = self.ask_rules(function, args);
        self.table.events = events;
        self.table.choice = choice.map(|mut choice| {
            choice.recount(&self.table);
            choice
        });
        match outcome {
            Ok(Outcome::Done(_)) => Ok(()),
            Ok(Outcome::Suspended) => {
                Err(self.wrong_answer(function, "no choice to anybody", &Value::Unit))
            }
            Err(fault) => Err(BrokenRule {
                fault,
                round: self.table.state.round,
            }),
        }
    }

    fn ask_rules(&mut self, function: FnId, args: &[Val]) -> Result<Outcome<Object>, Fault> {
        self.scratch.start(&self.game.program, function, args);
        let budget = self.scratch.budget_left();
        let outcome = self.scratch.run(&self.game.program, &mut self.table);
        self.spent += budget - self.scratch.budget_left();
        outcome
    }

    /// How good the position is for a seat by the game's own `evaluate`; 0 if it has none. What is good for partners is good for it.
    pub fn evaluate(&mut self, seat: u8) -> Result<i64, BrokenRule> {
        let Some(function) = self.game.calls.evaluate else {
            return Ok(0);
        };
        let mut total = self.number(function, &[value::player(seat)])?;
        if !self.game.definition.sides.is_empty() {
            for other in (0..self.table.players()).filter(|&other| other != seat) {
                if self.table.same_side(seat, other) {
                    total = total.saturating_add(self.number(function, &[value::player(other)])?);
                }
            }
        }
        Ok(total)
    }

    /// As [`Match::question`], where the answer must be a number.
    pub fn number(&mut self, function: FnId, args: &[Val]) -> Result<i64, BrokenRule> {
        let answer = self.question(function, args)?;
        match answer.as_int() {
            Some(number) => Ok(number),
            None => Err(self.wrong_answer(function, "a number", &answer)),
        }
    }

    /// Lays the table as a text says, by the game's own `read_position`; `false` if it has none.
    pub fn read_position(&mut self, text: &str) -> Result<bool, BrokenRule> {
        self.finish_steps()?;
        let Some(function) = self.game.calls.read_position else {
            return Ok(false);
        };
        self.start_call(function, &[Value::string(text)]);
        self.finish_steps()?;
        Ok(true)
    }

    #[cold]
    pub(crate) fn wrong_answer(&self, function: FnId, wanted: &str, found: &Val) -> BrokenRule {
        self.wrong(function, wanted, &self.table.describe(found))
    }
}
