//! What happens next, as data: a queue of steps that scripts may lengthen, shorten and reorder.

use super::value::{Val, handle};
use crate::limits::STEP_ARGUMENTS;
use ludoteca_vm::{FnId, Value};
use std::collections::VecDeque;

/// One thing to do.
#[derive(Debug, Clone)]
pub enum Step {
    /// A phase of the manifest; it becomes steps for its players when it is reached, so that an order set before counts.
    Phase(u16),
    /// One player's part in a phase; skipped if the player is out by then.
    Turn { phase: u16, seat: u8 },
    /// A script function with its arguments.
    Call {
        function: FnId,
        args: [Val; STEP_ARGUMENTS],
        count: u8,
        /// Values inside the arguments, and bytes of their texts.
        weight: u32,
    },
}

impl Step {
    pub fn call<'v>(
        function: FnId,
        given: impl ExactSizeIterator<Item = &'v Val>,
        weight: u32,
    ) -> Step {
        let count = given.len().min(STEP_ARGUMENTS) as u8;
        let mut args = [const { Value::Unit }; STEP_ARGUMENTS];
        for (place, arg) in args.iter_mut().zip(given) {
            place.put_copy(arg);
        }
        Step::Call {
            function,
            args,
            count,
            weight,
        }
    }

    /// Whether its arguments may say something about what is hidden.
    pub fn may_tell(&self) -> bool {
        match self {
            Step::Call { args, count, .. } => args[..*count as usize].iter().any(may_tell),
            _ => false,
        }
    }

    fn weight(&self) -> usize {
        match self {
            Step::Call { weight, .. } => *weight as usize,
            _ => 0,
        }
    }
}

/// Whether a value that waits in the queue may say something about what is hidden. Players and zones are there for all to see, and a piece is
/// what it is imagined to be.
pub fn may_tell(value: &Val) -> bool {
    match value {
        Value::Unit | Value::Fn(_) => false,
        Value::Handle(kind, _) => {
            ![handle::GAME, handle::PLAYER, handle::ZONE, handle::PIECE].contains(kind)
        }
        Value::Array(items) => items.iter().any(may_tell),
        Value::Map(fields) => fields.iter().any(|(_, value)| may_tell(value)),
        _ => true,
    }
}

/// The queue of a match.
#[derive(Debug, Default)]
pub struct Agenda {
    steps: VecDeque<Step>,
    /// How many steps the running step has put in front: the next one goes behind them, so that they run in the order written.
    in_front: usize,
    /// Values the waiting calls carry, and bytes of their texts.
    carried: usize,
}

impl Clone for Agenda {
    fn clone(&self) -> Agenda {
        Agenda {
            steps: self.steps.clone(),
            in_front: self.in_front,
            carried: self.carried,
        }
    }

    fn clone_from(&mut self, other: &Agenda) {
        self.steps.clone_from(&other.steps);
        self.in_front = other.in_front;
        self.carried = other.carried;
    }
}

impl Agenda {
    /// Takes the next step; what it puts in front starts a new row.
    pub fn take(&mut self) -> Option<Step> {
        self.in_front = 0;
        let step = self.steps.pop_front();
        self.carried -= step.as_ref().map_or(0, Step::weight);
        step
    }

    /// In front of everything: the parts of a phase that has been reached.
    pub fn expand(&mut self, parts: impl DoubleEndedIterator<Item = Step>) {
        for part in parts.rev() {
            self.steps.push_front(part);
        }
    }

    /// Behind everything else of this round.
    pub fn later(&mut self, step: Step) {
        self.carried += step.weight();
        self.steps.push_back(step);
    }

    /// Right after the running step, behind others it asked for.
    pub fn next(&mut self, step: Step) {
        self.carried += step.weight();
        self.steps.insert(self.in_front, step);
        self.in_front += 1;
    }

    pub fn clear(&mut self) {
        self.steps.clear();
        self.in_front = 0;
        self.carried = 0;
    }

    /// Removes the waiting calls of a function.
    pub fn drop_calls(&mut self, dropped: FnId) {
        self.steps
            .retain(|step| !matches!(step, Step::Call { function, .. } if *function == dropped));
        self.carried = self.steps.iter().map(Step::weight).sum();
        self.in_front = self.in_front.min(self.steps.len());
    }

    /// The arguments of the waiting calls of a function, from the front.
    pub fn calls(&self, wanted: FnId) -> impl Iterator<Item = &[Val]> {
        self.steps.iter().filter_map(move |step| match step {
            Step::Call {
                function,
                args,
                count,
                ..
            } if *function == wanted => Some(&args[..*count as usize]),
            _ => None,
        })
    }

    /// Takes the n-th waiting call of a function out of the queue.
    pub fn take_call(&mut self, wanted: FnId, n: usize) -> Option<Step> {
        let is_wanted =
            |step: &Step| matches!(step, Step::Call { function, .. } if *function == wanted);
        let mut places = (0..self.steps.len()).filter(|&at| is_wanted(&self.steps[at]));
        let at = places.nth(n)?;
        if at < self.in_front {
            self.in_front -= 1;
        }
        let taken = self.steps.remove(at);
        self.carried -= taken.as_ref().map_or(0, Step::weight);
        taken
    }

    /// Bytes it takes, about.
    pub fn size(&self) -> usize {
        size_of::<Step>() * self.steps.len() + size_of::<Val>() * self.carried
    }

    pub fn steps(&self) -> impl Iterator<Item = &Step> {
        self.steps.iter()
    }

    pub fn len(&self) -> usize {
        self.steps.len()
    }

    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }
}
