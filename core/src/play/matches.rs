//! One match: the agenda is worked off until a choice waits for an answer or the game is over. Any moment of it can be copied.

mod answers;
mod questions;

use crate::content::legible::{bearable_message, legible_line};
use crate::limits::{
    self, LARGEST_MEMORY, LARGEST_TELLING, MOST_EVENTS, MOST_PLAYERS, OPERATIONS_OF_A_MATCH,
    OPERATIONS_OF_ALL, OPERATIONS_OF_BEGINNING, STEPS_IN_A_ROUND,
};
use crate::model::agenda::{Step, may_tell};
use crate::model::luck::Luck;
use crate::model::state::{End, State};
use crate::model::streams::Stream;
use crate::model::value::{self, Object, Val};
use crate::table::choice::Choice;
use crate::table::event::{Event, Hearers};
use crate::table::game::Game;
use crate::table::weight::weight;
use crate::table::{AnsweredBy, Table};
use ludoteca_vm::{Fault, FaultKind, FnId, Limits, Machine, Outcome, Value};
use std::sync::Arc;

/// Where a match stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// Somebody must answer [`Match::choice`].
    Asking,
    Over,
}

/// The rules broke while they ran: which step, and where in the scripts.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{fault}")]
pub struct BrokenRule {
    pub fault: Fault,
    pub round: u32,
}

impl BrokenRule {
    /// Whether the rules did not come to an end: to try again would take as long again.
    pub fn ran_away(&self) -> bool {
        self.fault.kind == FaultKind::Budget
    }
}

/// A step as it began, and what followed from what it handed over, so that it can be gone through again with what was hidden drawn anew.
#[derive(Debug)]
pub(super) struct Began {
    pub state: State,
    pub function: FnId,
    pub args: Vec<Val>,
}

/// An answer that was given in the step under way.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Given {
    pub seat: u8,
    pub heard_by: Hearers,
    pub picked: Picked,
}

/// The options an answer took. Nearly always it is one, which needs no memory of its own: positions are copied again and again.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Picked {
    One([u32; 1]),
    Several(Box<[u32]>),
}

impl From<&[u32]> for Picked {
    #[inline]
    fn from(picked: &[u32]) -> Picked {
        match picked {
            [one] => Picked::One([*one]),
            several => Picked::Several(several.into()),
        }
    }
}

impl std::ops::Deref for Picked {
    type Target = [u32];

    #[inline]
    fn deref(&self) -> &[u32] {
        match self {
            Picked::One(one) => one,
            Picked::Several(several) => several,
        }
    }
}

/// After so many answers the next step is kept for itself, whatever was handed over to it: all are given again for each table that is
/// imagined.
const ANSWERS_OF_STEPS_TOGETHER: usize = 10;

/// What a step may use before anybody asks what it holds: so few cannot make much.
const OPERATIONS_OF_LITTLE: u64 = 50_000;

/// Everything of a match at one moment, as plain data. Copying it forks the game, in the middle of a rule or not.
#[derive(Debug, Clone)]
pub struct Position {
    state: State,
    machine: Machine<Object>,
    choice: Option<Choice>,
    running: bool,
    began: Option<Arc<Began>>,
    answered: Vec<Given>,
}

impl Position {
    /// The luck to come, stream by stream.
    pub fn streams(&self) -> &Vec<Stream> {
        &self.state.streams
    }
}

/// A match under way.
#[derive(Debug)]
pub struct Match {
    game: Arc<Game>,
    pub table: Table,
    machine: Machine<Object>,
    /// The machine is inside a step.
    running: bool,
    /// The step that runs, or ran last: its function, and whose it is.
    step: Option<(FnId, Option<u8>)>,
    /// The step as it began and what was answered since, if somebody may want to imagine it.
    pub(super) began: Option<Arc<Began>>,
    pub(super) answered: Vec<Given>,
    /// Whether steps are kept as they began: whoever looks ahead needs it, a simulation of others must not pay for it.
    pub keeps_steps: bool,
    /// The table before anything was laid on it, for the next match.
    blank: State,
    /// For questions the rules answer without changing anything.
    scratch: Machine<Object>,
    /// Whether the game's invariants are asked after every step.
    pub verify: bool,
    /// Operations the rules have used, steps and questions together, and may use.
    spent: u64,
    allowed: u64,
}

impl Match {
    /// A new match. Every seat is asked from outside until [`Match::seat_random`] says otherwise.
    pub fn new(game: Arc<Game>, players: u8, seed: u64) -> Match {
        let table = Table::new(game.clone(), players, seed);
        let mut new = Match {
            game,
            blank: table.state.clone(),
            table,
            machine: Machine::with_limits(limits::of_a_step()),
            running: false,
            step: None,
            began: None,
            answered: Vec::new(),
            keeps_steps: true,
            scratch: Machine::with_limits(limits::of_a_step()),
            verify: false,
            spent: 0,
            allowed: OPERATIONS_OF_A_MATCH,
        };
        if let Some(setup) = new.game.calls.setup {
            new.start(setup, &[]);
        }
        new
    }

    /// The same table for another match; what was allocated is used again.
    pub fn restart(&mut self, seed: u64) {
        self.table.state.clone_from(&self.blank);
        self.table.state.reseed(&self.table.layout, seed);
        self.table.choice = None;
        self.running = false;
        self.spent = 0;
        if let Some(setup) = self.game.calls.setup {
            self.start(setup, &[]);
        }
    }

    /// A table on which `setup()` does not run: scenarios lay it themselves.
    pub fn empty(game: Arc<Game>, players: u8, seed: u64) -> Match {
        let table = Table::new(game.clone(), players, seed);
        let machine = Machine::with_limits(limits::of_a_step());
        Match {
            game,
            blank: table.state.clone(),
            table,
            machine,
            running: false,
            step: None,
            began: None,
            answered: Vec::new(),
            keeps_steps: false,
            scratch: Machine::with_limits(limits::of_a_step()),
            verify: false,
            spent: 0,
            allowed: OPERATIONS_OF_A_MATCH,
        }
    }

    pub fn game(&self) -> &Arc<Game> {
        &self.game
    }

    /// Numbers of the points of the rules that ran ([`ludoteca_vm::Program::cover_points`]), if they were compiled to tell.
    pub fn covered(&self) -> impl Iterator<Item = usize> {
        self.machine.covered().chain(self.scratch.covered())
    }

    /// Lets each step that starts from now on use no more than so many operations.
    pub fn limit(&mut self, operations: u64) {
        let limits = Limits {
            operations,
            ..limits::of_a_step()
        };
        self.machine.set_limits(limits);
        self.scratch.set_limits(limits);
    }

    /// Lets the rules use so many operations from now on, whatever asks them: each step and each question has a budget of its own, and
    /// together they must not go on for ever.
    pub fn allow(&mut self, operations: u64) {
        self.spent = 0;
        self.allowed = operations;
    }

    /// Operations used since the match began, or was last allowed some.
    pub fn spent(&self) -> u64 {
        self.spent
    }

    /// Lets a seat answer at random, on the spot.
    pub fn seat_random(&mut self, seat: u8, luck: Luck) {
        self.table.seats[seat as usize] = AnsweredBy::Random(luck);
    }

    /// Lets a seat be asked from outside again.
    pub fn seat_asked(&mut self, seat: u8) {
        self.table.seats[seat as usize] = AnsweredBy::Asked;
    }

    pub(super) fn start(&mut self, function: FnId, args: &[Val]) {
        match self.keeps_steps {
            true => self.keep_step(function, args),
            false => self.began = None,
        }
        self.run_from_here(function, args);
    }

    /// Starts a waiting step. What a step hands over to a later one may be a secret, as what it holds in its variables may be: until that has
    /// come, both count as one step, which is gone through again from where the former began.
    fn start_waiting(&mut self, function: FnId, args: &[Val]) {
        let hands_over =
            || args.iter().any(may_tell) || self.table.state.agenda.steps().any(Step::may_tell);
        let goes_on = self.keeps_steps
            && self.began.is_some()
            && self.answered.len() < ANSWERS_OF_STEPS_TOGETHER
            && hands_over();
        match goes_on {
            true => self.run_from_here(function, args),
            false => self.start(function, args),
        }
    }

    fn run_from_here(&mut self, function: FnId, args: &[Val]) {
        self.table.begin_telling();
        self.machine.start(&self.game.program, function, args);
        let seat = match args {
            [Value::Handle(value::handle::PLAYER, seat), ..] => Some(*seat as u8),
            _ => None,
        };
        self.step = Some((function, seat));
        self.running = true;
    }

    /// Keeps the step that begins, in the memory of the one before it unless somebody still holds that.
    fn keep_step(&mut self, function: FnId, args: &[Val]) {
        self.answered.clear();
        match self.began.as_mut().and_then(Arc::get_mut) {
            Some(began) => {
                began.state.clone_from(&self.table.state);
                began.function = function;
                began.args.clear();
                began.args.extend_from_slice(args);
            }
            None => {
                self.began = Some(Arc::new(Began {
                    state: self.table.state.clone(),
                    function,
                    args: args.to_vec(),
                }))
            }
        }
    }

    /// Goes on until somebody outside must choose, or the game is over.
    pub fn advance(&mut self) -> Result<Status, BrokenRule> {
        self.advance_watched(|_, _| {})
    }

    /// As [`Match::advance`]. `between_steps` sees every moment between two steps, and hears whether a step has just ended.
    pub fn advance_watched(
        &mut self,
        mut between_steps: impl FnMut(&mut Match, bool),
    ) -> Result<Status, BrokenRule> {
        let status = self.work_off(|played, ended| {
            between_steps(played, ended);
            played.is_over()
        })?;
        if status == Status::Over {
            self.close();
        }
        Ok(status)
    }

    /// Step after step, until somebody must choose, or whoever looks between two of them (and hears whether one has just ended) says that
    /// it is over.
    pub(super) fn work_off(
        &mut self,
        mut over: impl FnMut(&mut Match, bool) -> bool,
    ) -> Result<Status, BrokenRule> {
        if self.table.choice.is_some() {
            return Ok(Status::Asking);
        }
        loop {
            let ran = self.running;
            if !self.run_step()? {
                return Ok(Status::Asking);
            }
            if over(self, ran) {
                return Ok(Status::Over);
            }
            self.next_step()?;
        }
    }

    /// The step that runs, or ran last: its function, and whose it is.
    pub fn step(&self) -> Option<(FnId, Option<u8>)> {
        self.step
    }

    /// Runs the started step; `false` if it stopped at a choice.
    fn run_step(&mut self) -> Result<bool, BrokenRule> {
        if !self.running {
            return Ok(true);
        }
        let budget = self.machine.budget_left();
        let all = self.machine.limits().operations;
        let outcome = self.machine.run(&self.game.program, &mut self.table);
        self.spent += budget - self.machine.budget_left();
        match outcome {
            Ok(Outcome::Done(_)) => {
                self.running = false;
                if self.verify {
                    self.check_invariants()?;
                }
                Ok(true)
            }
            Ok(Outcome::Suspended) => {
                // Who did little has little to remember.
                if all - self.machine.budget_left().min(all) > OPERATIONS_OF_LITTLE {
                    self.check_memory()?;
                }
                Ok(false)
            }
            Err(fault) => Err(self.at_fault(fault)),
        }
    }

    /// A step that waits for an answer is kept and copied with all that its variables hold.
    #[cold]
    fn check_memory(&self) -> Result<(), BrokenRule> {
        let mut held = 0;
        for value in self.machine.memory() {
            held += weight(value, LARGEST_MEMORY - held);
            if held > LARGEST_MEMORY {
                let fault = Fault {
                    kind: FaultKind::Size,
                    message: format!(
                        "the step keeps more than {LARGEST_MEMORY} values and letters in its variables while somebody chooses"
                    ),
                    stack: self.machine.call_stack(&self.game.program),
                };
                return Err(self.at_fault(fault));
            }
        }
        Ok(())
    }

    /// Asks everything the game says must always be true.
    fn check_invariants(&mut self) -> Result<(), BrokenRule> {
        let begun = self.spent;
        for n in 0..self.game.calls.invariants.len() {
            let function = self.game.calls.invariants[n];
            self.check_spent_since(begun, "invariants")?;
            if self.question(function, &[])?.as_bool() != Some(true) {
                let message = format!(
                    "the invariant `{}` does not hold",
                    self.game.program.info(function).name
                );
                let fault = Fault {
                    kind: FaultKind::Host,
                    message,
                    stack: Vec::new(),
                };
                return Err(BrokenRule {
                    fault,
                    round: self.table.state.round,
                });
            }
        }
        Ok(())
    }

    /// Whether questions that are asked in a row have used no more than they may together.
    pub(in crate::play) fn check_spent_since(
        &self,
        begun: u64,
        what: &str,
    ) -> Result<(), BrokenRule> {
        if self.spent - begun <= OPERATIONS_OF_ALL {
            return Ok(());
        }
        Err(self.at_fault(Fault {
            kind: FaultKind::Budget,
            message: format!(
                "all {what} together used up the {OPERATIONS_OF_ALL} operations they have"
            ),
            stack: Vec::new(),
        }))
    }

    /// Starts one call outside of the rounds; [`Match::finish_steps`] runs it. How scenarios play single steps.
    pub fn start_call(&mut self, function: FnId, args: &[Val]) {
        self.start(function, args);
    }

    /// Starts a round; [`Match::finish_steps`] runs it.
    pub fn start_round(&mut self) {
        self.next_round();
    }

    /// Runs what was started and every step it leaves on the agenda, but begins no further round.
    pub fn finish_steps(&mut self) -> Result<Status, BrokenRule> {
        self.work_off(|played, _| {
            let state = &played.table.state;
            played.is_over() || (state.end.is_none() && state.agenda.is_empty())
        })
    }

    /// As [`Match::advance`], but no further than the end of the step that runs, unless the game ends with it.
    pub fn finish_step(&mut self) -> Result<Status, BrokenRule> {
        let status = self.work_off(|played, ended| {
            played.is_over() || (ended && played.table.state.end.is_none())
        })?;
        if self.is_over() {
            self.close();
        }
        Ok(status)
    }

    /// Takes the next thing from the agenda and starts it, if it is a call.
    fn next_step(&mut self) -> Result<(), BrokenRule> {
        self.table.state.steps += 1;
        self.spent = self.spent.saturating_add(OPERATIONS_OF_BEGINNING);
        if self.table.state.steps > STEPS_IN_A_ROUND {
            return Err(self.endless_round());
        }
        let Table { state, layout, .. } = &mut self.table;
        state.tidy_box(&self.game.definition, layout);
        if self.spent > self.allowed {
            return Err(self.endless_match());
        }
        if self.table.is_flooded() {
            self.table.forgive();
            return Err(self.broken(String::new()));
        }
        if self.table.state.end.is_some() {
            self.begin_end();
            return Ok(());
        }
        match self.table.state.agenda.take() {
            None => self.next_round(),
            Some(Step::Phase(phase)) => self.expand(phase),
            Some(Step::Turn { phase, seat }) => {
                if !self.table.state.is_out(seat) {
                    let function = self.game.calls.phases[phase as usize];
                    self.announce(function, Some(seat));
                    self.start_waiting(function, &[value::player(seat)]);
                }
            }
            Some(Step::Call {
                function,
                args,
                count,
                ..
            }) => {
                let seat = match args[0] {
                    Value::Handle(value::handle::PLAYER, seat) if count > 0 => Some(seat as u8),
                    _ => None,
                };
                self.announce(function, seat);
                self.start_waiting(function, &args[..count as usize]);
            }
        }
        Ok(())
    }

    /// Steps that ask for each other would go on for ever.
    #[cold]
    fn endless_round(&self) -> BrokenRule {
        let last = self.step.map_or_else(String::new, |(function, _)| {
            format!(
                "; the last one was `{}`",
                self.game.program.info(function).name
            )
        });
        BrokenRule {
            fault: Fault {
                kind: FaultKind::Budget,
                message: format!(
                    "the round does not end: {STEPS_IN_A_ROUND} steps were taken{last}"
                ),
                stack: Vec::new(),
            },
            round: self.table.state.round,
        }
    }

    #[cold]
    fn endless_match(&self) -> BrokenRule {
        BrokenRule {
            fault: Fault {
                kind: FaultKind::Budget,
                message: format!(
                    "the rules used up the {} operations they have for all their steps and answers",
                    self.allowed
                ),
                stack: Vec::new(),
            },
            round: self.table.state.round,
        }
    }

    fn announce(&mut self, function: FnId, seat: Option<u8>) {
        if self.table.events.is_some() {
            let function = self.game.program.info(function).name.clone();
            self.table.note(|_| Event::Step { function, seat });
        }
    }

    fn next_round(&mut self) {
        let limit = self.game.definition.round_limit;
        if self.table.state.round >= limit {
            self.table.state.end = Some(End::RoundLimit);
            return;
        }
        self.table.state.round += 1;
        self.table.state.steps = 0;
        let number = self.table.state.round;
        self.table.note(|_| Event::Round { number });
        for phase in 0..self.game.definition.phases.len() {
            self.table.state.agenda.later(Step::Phase(phase as u16));
        }
    }

    /// A phase that has been reached becomes its players' parts, in the order of this moment.
    fn expand(&mut self, phase: u16) {
        let declared = &self.game.definition.phases[phase as usize];
        if !declared.each_player {
            let function = self.game.calls.phases[phase as usize];
            self.announce(function, None);
            self.start(function, &[]);
            return;
        }
        let (mut row, mut count) = ([0; MOST_PLAYERS as usize], 0);
        let state = &mut self.table.state;
        for seat in state.seats_from(state.start) {
            row[count] = seat;
            count += 1;
        }
        let seats = &mut row[..count];
        if declared.reverse {
            seats.reverse();
        }
        let parts = seats.iter().map(|&seat| Step::Turn { phase, seat });
        state.agenda.expand(parts);
    }

    /// Whatever ended the game: the rules have the last word, once.
    fn begin_end(&mut self) {
        self.table.state.closed = true;
        self.table.state.agenda.clear();
        if let Some(ended) = self.game.calls.ended {
            self.start(ended, &[]);
        }
    }

    fn close(&mut self) {
        self.table.state.agenda.clear();
        self.table.note(|_| Event::Ended);
    }

    /// The choice that waits for an answer.
    pub fn choice(&self) -> Option<&Choice> {
        self.table.choice.as_ref()
    }

    pub fn is_over(&self) -> bool {
        let state = &self.table.state;
        let closed = || state.closed || self.game.calls.ended.is_none();
        state.end.is_some() && !self.running && closed()
    }

    /// A copy of this moment.
    pub fn position(&self) -> Position {
        Position {
            state: self.table.state.clone(),
            machine: self.machine.clone(),
            choice: self.table.choice.clone(),
            running: self.running,
            began: self.began.clone(),
            answered: self.answered.clone(),
        }
    }

    /// As [`Match::position`], into one that is not needed any more.
    pub fn note_position(&self, position: &mut Position) {
        position.state.clone_from(&self.table.state);
        position.machine.clone_from(&self.machine);
        position.choice.clone_from(&self.table.choice);
        position.running = self.running;
        position.began.clone_from(&self.began);
        position.answered.clone_from(&self.answered);
    }

    /// Goes (back) to a moment of this match or of another of the same game and players.
    pub fn restore(&mut self, position: &Position) {
        self.table.state.clone_from(&position.state);
        self.machine.clone_from(&position.machine);
        self.table.choice.clone_from(&position.choice);
        self.running = position.running;
        self.began.clone_from(&position.began);
        self.answered.clone_from(&position.answered);
    }

    /// A match of its own that stands where this one does, with all that a bot needs to think about it: also how the step under way began,
    /// without which what a rule holds in its variables would be taken as it is.
    pub fn copied(&self) -> Match {
        let mut copy = Match::empty(self.game.clone(), self.table.players(), 0);
        copy.take_over(self);
        copy
    }

    /// Becomes that of another match of the same game and players.
    pub(super) fn take_over(&mut self, other: &Match) {
        self.follow(other);
        self.keeps_steps = other.keeps_steps;
        self.began.clone_from(&other.began);
        self.answered.clone_from(&other.answered);
    }

    /// Goes to where another match of the same game and players stands, for whoever looks at its table alone.
    pub fn follow(&mut self, other: &Match) {
        self.table.state.clone_from(&other.table.state);
        self.machine.clone_from(&other.machine);
        self.table.choice.clone_from(&other.table.choice);
        self.running = other.running;
    }

    /// The step that waits for an answer as it began, and the answers given in it since.
    pub(super) fn step_under_way(&self) -> Option<(&Arc<Began>, &[Given])> {
        let began = self.began.as_ref().filter(|_| self.running)?;
        Some((began, &self.answered))
    }

    /// Goes to the beginning of the step another match is in, and says which answers were given in it since.
    pub(super) fn follow_to_the_step<'m>(&mut self, other: &'m Match) -> Option<&'m [Given]> {
        let (began, answers) = other.step_under_way()?;
        self.table.state.clone_from(&began.state);
        self.table.choice = None;
        self.machine.wipe();
        self.start(began.function, &began.args);
        Some(answers)
    }

    /// Whether the step under way drew numbers that nobody saw.
    pub(super) fn drew_in_secret(&self) -> bool {
        let general = self.table.layout.general_stream();
        self.began
            .as_ref()
            .is_some_and(|began| began.state.streams[general] != self.table.state.streams[general])
    }

    /// Whether somebody answered something in this step that a seat did not hear.
    pub(super) fn answered_in_secret(&self, seat: u8) -> bool {
        let heard = |given: &Given| given.heard_by.include(Some(seat));
        !self.answered.iter().all(heard)
    }

    /// How many answers were given in the step under way.
    pub(super) fn answers_of_the_step(&self) -> usize {
        self.answered.len()
    }

    /// Whether the rules stand where those of another match stand, and remember the same in their variables. Lists that lie in each other
    /// more than once are soon more than can be compared, also of a step that did little: they are never the same.
    pub(super) fn remembers_as(&self, other: &Match) -> bool {
        self.check_memory().is_ok() && self.machine.same_memory(&other.machine)
    }

    /// What a script says when it stops is a stranger's: it is one line that people read to its end.
    #[cold]
    fn at_fault(&self, mut fault: Fault) -> BrokenRule {
        let said = match self.table.is_flooded() {
            true => format!(
                "a step may tell of at most {MOST_EVENTS} events and {} MiB",
                LARGEST_TELLING >> 20
            ),
            false => legible_line(&fault.message).into_owned(),
        };
        fault.message = bearable_message(said);
        let round = self.table.state.round;
        BrokenRule { fault, round }
    }

    /// The rules are at fault, by what is said.
    #[cold]
    pub(super) fn broken(&self, message: String) -> BrokenRule {
        self.at_fault(Fault {
            kind: FaultKind::Host,
            message,
            stack: Vec::new(),
        })
    }

    #[cold]
    pub(super) fn wrong(&self, function: FnId, wanted: &str, found: &str) -> BrokenRule {
        let info = self.game.program.info(function);
        self.broken(format!(
            "`{}` ({}:{}) must give {wanted}, not {found}",
            info.name, info.path, info.span.start.line
        ))
    }
}
