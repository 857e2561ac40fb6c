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
            Err(fault) => Err(self.at_fault(fault)),
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
            Err(fault) => Err(self.at_fault(fault)),
        }
    }

    fn ask_rules(&mut self, function: FnId, args: &[Val]) -> Result<Outcome<Object>, Fault> {
        self.scratch.start(&self.game.program, function, args);
        let budget = self.scratch.budget_left();
        let outcome = self.scratch.run(&self.game.program, &mut self.table);
        self.spent += budget - self.scratch.budget_left();
        outcome
    }

    /// How good the position is for a seat by the game's own `evaluate`; 0 if it has none. What is good for partners is good for it: sides
    /// compare by the means of their seats.
    pub fn evaluate(&mut self, seat: u8) -> Result<i64, BrokenRule> {
        let Some(function) = self.game.calls.evaluate else {
            return Ok(0);
        };
        let judged = self.evaluate_by(function, seat);
        self.note_broken_opinion(function, &judged);
        judged
    }

    fn evaluate_by(&mut self, function: FnId, seat: u8) -> Result<i64, BrokenRule> {
        if self.game.definition.sides.is_empty() {
            return self.number(function, &[value::player(seat)]);
        }
        let players = 0..self.table.players();
        let mut total: i64 = 0;
        for partner in players.clone() {
            if self.table.same_side(seat, partner) {
                total = total.saturating_add(self.number(function, &[value::player(partner)])?);
            }
        }
        // As if every side had as many seats as the largest: so the mean of a few compares with that of many, and none is rounded away.
        let sizes = players.map(|seat| self.table.side_size(seat));
        let largest = i64::from(sizes.max().unwrap_or(1));
        Ok(total.saturating_mul(largest) / i64::from(self.table.side_size(seat)))
    }

    /// Whoever thinks goes on where an opinion of the game breaks, but its author is told. Where the rules may do no more, no opinion is at
    /// fault.
    pub(crate) fn note_broken_opinion<T>(&self, function: FnId, answer: &Result<T, BrokenRule>) {
        if let Err(broken) = answer
            && self.spent <= self.allowed
        {
            self.game.note_broken_opinion(function, &broken.fault);
        }
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
