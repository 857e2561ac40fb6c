//! Scenarios: a position, dice and answers to come, and what must hold afterwards. The worked examples of a rulebook are scenarios.
//!
//! They are content: a file is read with places ([`file`]), its names are looked up in the game ([`prepare`]), and what is wrong
//! is said like that of any other file. Only then it is run. A [`Suite`] does all of it for many files.

mod compare;
mod file;
mod keys;
mod lay;
mod names;
mod prepare;
mod prepared;
mod suite;

pub use file::{ScenarioFile, ScenarioSheet};
pub use keys::{Denied, SeenForms};
pub use prepared::Scenario;
pub use suite::{Case, Suite, Tried};

use super::matches::{BrokenRule, Match, Status};
use super::say;
use crate::content::file::Place;
use crate::content::read::reader::At;
use crate::limits::{OPERATIONS, OPERATIONS_OF_A_MATCH, OPERATIONS_OF_SCENARIOS};
use crate::table::choice::AnswerError;
use crate::table::event::Event;
use crate::table::game::Game;
use crate::table::{Rigged, Table};
use compare::{compare, compare_luck};
use lay::lay;
use prepared::{Answer, GivenAnswer, Starts};
use std::sync::Arc;

/// Something that does not hold, and where it is said that it must.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unmet {
    pub place: Place,
    pub message: String,
}

/// What a scenario showed.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// Empty if everything held.
    pub failures: Vec<Unmet>,
    /// What prompts offered on the way, and what was said not to be offered.
    pub seen: SeenForms,
    pub denied: Vec<Denied>,
}

/// What scenarios may use that are run one after the other.
#[derive(Debug, Clone)]
pub struct Allowance {
    /// Operations of each step.
    pub of_a_step: u64,
    /// What is left for all that are still to come.
    pub left: u64,
}

impl Default for Allowance {
    fn default() -> Allowance {
        Allowance {
            of_a_step: OPERATIONS,
            left: OPERATIONS_OF_SCENARIOS,
        }
    }
}

/// A match that stands where a scenario begins, before anything of it runs.
pub fn beginning(scenario: &Scenario, game: Arc<Game>) -> Result<Match, BrokenRule> {
    let mut played = if scenario.setup {
        Match::new(game, scenario.players, scenario.seed)
    } else {
        Match::empty(game, scenario.players, scenario.seed)
    };
    played.finish_steps()?;
    let laid = lay(&scenario.position, &mut played.table);
    laid.map_err(|error| played.broken(error.to_string()))?;
    Ok(played)
}

/// Runs a scenario on the game it was prepared for: what it showed, and the match as it stands at the end. It is not run if those before
/// it have used up what there is for all.
pub fn run(scenario: &Scenario, game: Arc<Game>, budget: &mut Allowance) -> (Report, Match) {
    let mut played = if scenario.setup {
        Match::new(game, scenario.players, scenario.seed)
    } else {
        Match::empty(game, scenario.players, scenario.seed)
    };
    played.limit(budget.of_a_step);
    played.allow(budget.left.min(OPERATIONS_OF_A_MATCH));
    played.table.events = Some(Vec::new());
    played.table.rigged = Some(Box::new(rigged(scenario)));
    let mut stage = Stage {
        scenario,
        next: 0,
        said: Vec::new(),
        report: Report::default(),
    };
    if budget.left == 0 {
        let message = format!(
            "not run: the scenarios before it used up the {OPERATIONS_OF_SCENARIOS} operations that all have together"
        );
        stage.fail(&scenario.title, message);
        return (stage.report, played);
    }
    let open = stage.perform(&mut played);
    if let Ok(open) = open
        && let Err(broken) = compare(&mut played, open, &mut stage)
    {
        stage.fail(&scenario.title, broken.to_string());
    }
    compare_luck(scenario, &played.table, &mut stage.report.failures);
    budget.left = budget.left.saturating_sub(played.spent());
    (stage.report, played)
}

/// The answers given so far and what went wrong.
struct Stage<'s> {
    scenario: &'s Scenario,
    next: usize,
    said: Vec<String>,
    report: Report,
}

/// The rules broke, and the scenario did not say that they would: nothing else is worth comparing.
struct Broke;

impl Stage<'_> {
    fn fail<T>(&mut self, at: &At<T>, message: String) {
        let place = at.place.clone();
        self.report.failures.push(Unmet { place, message });
    }

    /// Notes that a key is said not to be offered.
    fn deny(&mut self, prompt: &str, key: &At<String>) {
        self.report.denied.push(Denied {
            prompt: prompt.to_string(),
            key: key.clone(),
            players: self.scenario.players,
        });
    }

    /// Lays the table and runs every call. `true` if a choice is left open.
    fn perform(&mut self, played: &mut Match) -> Result<bool, Broke> {
        let scenario = self.scenario;
        let mut outcome = match scenario.setup {
            true => self.play(played),
            false => Ok(false),
        };
        if let Err(error) = lay(&scenario.position, &mut played.table) {
            self.fail(&scenario.title, error.to_string());
            return Err(Broke);
        }
        for call in &scenario.calls {
            if !matches!(outcome, Ok(false)) {
                let why = match &outcome {
                    Ok(_) => "a choice is still open",
                    Err(_) => "the rules broke before",
                };
                let message = format!("`{}` was not run: {why}", call.written.value);
                self.fail(&call.written, message);
                break;
            }
            match &call.starts {
                Starts::Round => played.start_round(),
                Starts::Function(function, args) => played.start_call(*function, args),
            }
            outcome = self.play(played);
        }
        let open = matches!(outcome, Ok(true));
        if let Some(answer) = scenario.answers.get(self.next).filter(|_| !open) {
            let prompt = answer.value.prompt.as_deref().unwrap_or("any prompt");
            let message = format!("answer {} was never asked for ({prompt})", self.next + 1);
            self.fail(answer, message);
        }
        match (&scenario.expect.fault, outcome) {
            (Some(part), Err(broken)) if broken.fault.message.contains(&part.value) => Ok(false),
            (_, Err(broken)) => {
                self.fail(&scenario.title, broken.to_string());
                Err(Broke)
            }
            (Some(part), Ok(open)) => {
                let message = format!(
                    "expected the rules to break with `{}`, but they did not",
                    part.value
                );
                self.fail(part, message);
                Ok(open)
            }
            (None, Ok(open)) => Ok(open),
        }
    }

    /// Runs what was started, answering as written. `true` if a choice is left open.
    fn play(&mut self, played: &mut Match) -> Result<bool, BrokenRule> {
        loop {
            let status = played.finish_steps()?;
            self.listen(&mut played.table);
            if status == Status::Over {
                return Ok(false);
            }
            if !self.answer(played) {
                return Ok(true);
            }
        }
    }

    fn listen(&mut self, table: &mut Table) {
        for event in table.events.replace(Vec::new()).unwrap_or_default() {
            if let Event::Said { key, .. } = event {
                self.said
                    .push(table.game.lexicon.logs[key as usize].clone());
            }
        }
    }

    /// Gives the next answer; `false` if there is none or it does not fit.
    fn answer(&mut self, played: &mut Match) -> bool {
        let Some(choice) = played.choice() else {
            return false;
        };
        let asked = say::prompt_key(&played.table, choice.prompt).to_string();
        self.report.seen.look(&played.table, &asked, choice);
        let waiting = choice.waiting().unwrap_or(0);
        while let Some(answer) = self.scenario.answers.get(self.next) {
            let Answer {
                seat,
                prompt,
                gives,
            } = &answer.value;
            let number = self.next + 1;
            let seat = seat.unwrap_or(waiting);
            let other = prompt.as_ref().is_some_and(|prompt| *prompt != asked);
            if choice.ask(seat).is_none() || other {
                let prompt = prompt.as_deref().unwrap_or("any prompt");
                let message = format!(
                    "answer {number} is for p{seat} and `{prompt}`, but p{waiting} is asked `{asked}`"
                );
                self.fail(answer, message);
                return false;
            }
            self.next += 1;
            match gives {
                GivenAnswer::Refusal(refused) => {
                    let keys = choice.keys(&played.table, seat);
                    for key in refused {
                        self.deny(&asked, key);
                        if keys.contains(&key.value) {
                            let message = format!(
                                "answer {number}: `{}` is offered for `{asked}`, but must not be",
                                key.value
                            );
                            self.fail(key, message);
                        }
                    }
                }
                GivenAnswer::Choice(named) => {
                    let given = played.answer_keys(seat, named);
                    return self.gave(given, answer, &asked, seat, played);
                }
            }
        }
        false
    }

    /// Whether an answer was taken; if not, what would have been.
    fn gave(
        &mut self,
        given: Result<(), AnswerError>,
        answer: &At<Answer>,
        asked: &str,
        seat: u8,
        played: &Match,
    ) -> bool {
        let Err(error) = given else { return true };
        let offered = match (&error, played.choice()) {
            (AnswerError::UnknownOption { .. }, Some(choice)) => {
                format!("; offered: {}", choice.keys(&played.table, seat).join(", "))
            }
            _ => String::new(),
        };
        let number = self.next;
        self.fail(
            answer,
            format!("answer {number} to `{asked}`: {error}{offered}"),
        );
        false
    }
}

fn rigged(scenario: &Scenario) -> Rigged {
    let dice = scenario.dice.iter();
    let shuffles = scenario.shuffles.iter();
    Rigged {
        dice: dice
            .map(|(&die, (_, shown))| (die, shown.iter().copied().collect()))
            .collect(),
        shuffles: shuffles
            .map(|(&zone, (_, cards))| (zone, cards.clone()))
            .collect(),
        ..Rigged::default()
    }
}

/// `line 12: expected ..`
impl std::fmt::Display for Unmet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: {}", self.place.line(), self.message)
    }
}
