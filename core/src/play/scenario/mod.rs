//! Scenarios: a position, dice and answers to come, and what must hold afterwards. The worked examples of a rulebook are scenarios.

mod compare;
mod file;
mod lay;

pub use file::{AnswerFile, Expect, Scenario, ScenarioFile, SectionFile, StateFile};

use super::matches::{BrokenRule, Match, Status};
use super::say;
use crate::model::value::{self, Val};
use crate::script::choice::AnswerError;
use crate::script::event::Event;
use crate::script::game::Game;
use crate::script::table::{Rigged, Table};
use crate::script::types::domain;
use compare::{compare, compare_dice};
use lay::{card_number, lay, zone_number};
use ludoteca_vm::{Host, HostError, Value};
use serde_json::Value as Json;
use std::sync::Arc;

/// Why a scenario could not be run at all.
#[derive(Debug, thiserror::Error)]
pub enum ScenarioError {
    #[error("{0}")]
    Syntax(String),
    #[error("{0}")]
    Unfit(String),
    #[error(transparent)]
    Broken(#[from] BrokenRule),
}

impl From<HostError> for ScenarioError {
    fn from(error: HostError) -> Self {
        ScenarioError::Unfit(error.to_string())
    }
}

/// What did not hold, as sentences; empty if everything did.
pub type Failures = Vec<String>;

/// Runs a scenario on a game that was loaded with its variants and settings.
pub fn run(scenario: &Scenario, game: Arc<Game>) -> Result<Failures, ScenarioError> {
    let mut played = if scenario.setup {
        Match::new(game, scenario.players, scenario.seed)
    } else {
        Match::empty(game, scenario.players, scenario.seed)
    };
    played.table.events = Some(Vec::new());
    played.table.rigged = Some(Box::new(rigged(scenario, &played.table)?));
    let mut stage = Stage {
        scenario,
        next: 0,
        failures: Vec::new(),
        said: Vec::new(),
    };
    let mut open = false;
    let mut fault = None;
    if scenario.setup {
        open = stage.play(&mut played, &mut fault)?;
    }
    lay(scenario, &mut played.table)?;
    for call in &scenario.run {
        if open || fault.is_some() {
            break;
        }
        begin(call, &mut played)?;
        open = stage.play(&mut played, &mut fault)?;
    }
    if !open && fault.is_none() && stage.next < scenario.answers.len() {
        let answer = &scenario.answers[stage.next];
        let prompt = answer.prompt.as_deref().unwrap_or("any prompt");
        stage.failures.push(format!(
            "answer {} was never asked for ({prompt})",
            stage.next + 1
        ));
    }
    match (&scenario.expect.fault, fault) {
        (Some(part), Some(broken)) if broken.fault.message.contains(part.as_str()) => {}
        (None, None) => {}
        (_, Some(broken)) => return Err(broken.into()),
        (Some(part), None) => stage.failures.push(format!(
            "expected the rules to break with `{part}`, but they did not"
        )),
    }
    compare(scenario, &mut played, open, &mut stage)?;
    compare_dice(&played.table, &mut stage.failures);
    Ok(stage.failures)
}

/// The answers given so far and what went wrong.
struct Stage<'s> {
    scenario: &'s Scenario,
    next: usize,
    failures: Failures,
    said: Vec<String>,
}

impl Stage<'_> {
    /// Runs what was started, answering as written. `true` if a choice is left open.
    fn play(
        &mut self,
        played: &mut Match,
        fault: &mut Option<BrokenRule>,
    ) -> Result<bool, ScenarioError> {
        loop {
            let status = match played.finish_steps() {
                Ok(status) => status,
                Err(broken) => {
                    *fault = Some(broken);
                    return Ok(false);
                }
            };
            self.listen(&mut played.table);
            if status == Status::Over {
                return Ok(false);
            }
            if !self.answer(played)? {
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
    fn answer(&mut self, played: &mut Match) -> Result<bool, ScenarioError> {
        let Some(answer) = self.scenario.answers.get(self.next) else {
            return Ok(false);
        };
        let Some(choice) = played.choice() else {
            return Ok(false);
        };
        let number = self.next + 1;
        let asked = say::prompt_key(&played.table, choice.prompt).to_string();
        let waiting = choice.waiting().unwrap_or(0);
        let seat = answer.seat.unwrap_or(waiting);
        if choice.ask(seat).is_none()
            || answer
                .prompt
                .as_ref()
                .is_some_and(|prompt| *prompt != asked)
        {
            let prompt = answer.prompt.as_deref().unwrap_or("any prompt");
            self.failures.push(format!(
                "answer {number} is for p{seat} and `{prompt}`, but p{waiting} is asked `{asked}`"
            ));
            return Ok(false);
        }
        self.next += 1;
        if let Some(refused) = &answer.refuse {
            let keys = choice.keys(&played.table, seat);
            for key in keys_of(refused) {
                if keys.contains(&key) {
                    self.failures.push(format!(
                        "answer {number}: `{key}` is offered for `{asked}`, but must not be"
                    ));
                }
            }
            return self.answer(played);
        }
        let named = answer.choose.as_ref().map(keys_of).unwrap_or_default();
        match played.answer_keys(seat, &named) {
            Ok(()) => Ok(true),
            Err(error) => {
                let offered = match &error {
                    AnswerError::UnknownOption { .. } => {
                        let keys = played
                            .choice()
                            .map_or_else(Vec::new, |c| c.keys(&played.table, seat));
                        format!("; offered: {}", keys.join(", "))
                    }
                    _ => String::new(),
                };
                self.failures
                    .push(format!("answer {number} to `{asked}`: {error}{offered}"));
                Ok(false)
            }
        }
    }
}

/// A key as written in the file: text, number, yes or no, or a list of them.
fn keys_of(json: &Json) -> Vec<String> {
    match json {
        Json::Array(items) => items.iter().flat_map(keys_of).collect(),
        Json::Bool(true) => vec!["yes".into()],
        Json::Bool(false) => vec!["no".into()],
        Json::String(text) => vec![text.clone()],
        other => vec![other.to_string()],
    }
}

fn rigged(scenario: &Scenario, table: &Table) -> Result<Rigged, ScenarioError> {
    let mut rigged = Rigged::default();
    for (name, shown) in &scenario.dice {
        let die = table
            .game
            .definition
            .dice
            .iter()
            .position(|die| die.name == *name);
        let die = die.ok_or_else(|| ScenarioError::Unfit(format!("there is no die `{name}`")))?;
        rigged.dice.insert(die, shown.iter().copied().collect());
    }
    for (key, cards) in &scenario.order {
        let zone = zone_number(table, key)?;
        let cards: Result<Vec<u32>, ScenarioError> =
            cards.iter().map(|id| card_number(table, id)).collect();
        rigged.shuffles.insert(zone, cards?);
    }
    Ok(rigged)
}

/// Starts a call as written: `attack(p0, "argentina", 3)`, or a whole `round`.
fn begin(call: &str, played: &mut Match) -> Result<(), ScenarioError> {
    if call.trim() == "round" {
        played.start_round();
        return Ok(());
    }
    let wrong = || {
        ScenarioError::Unfit(format!(
            "`{call}` is not a call such as `attack(p0, \"argentina\", 3)`"
        ))
    };
    let (name, rest) = call.trim().split_once('(').ok_or_else(wrong)?;
    let inside = rest.trim_end().strip_suffix(')').ok_or_else(wrong)?;
    let mut args = Vec::new();
    for written in inside
        .split(',')
        .map(str::trim)
        .filter(|written| !written.is_empty())
    {
        args.push(argument(&played.table, written).ok_or_else(wrong)?);
    }
    let function = played.game().program.function(name.trim(), args.len());
    let function = function.ok_or_else(|| {
        ScenarioError::Unfit(format!(
            "there is no function `{}` with {} parameters",
            name.trim(),
            args.len()
        ))
    })?;
    played.start_call(function, &args);
    Ok(())
}

fn argument(table: &Table, written: &str) -> Option<Val> {
    if let Some(text) = written
        .strip_prefix('"')
        .and_then(|text| text.strip_suffix('"'))
    {
        // What stands on the map comes first; a plain string is the last resort.
        let named = [domain::SPACE, domain::AREA, domain::CARD]
            .into_iter()
            .find_map(|of| table.name(of, text).ok());
        return Some(named.unwrap_or_else(|| Value::string(text)));
    }
    match written {
        "true" => Some(Value::Bool(true)),
        "false" => Some(Value::Bool(false)),
        "()" => Some(Value::Unit),
        _ => match written.strip_prefix('p') {
            Some(seat) => seat
                .parse()
                .ok()
                .filter(|&seat: &u8| seat < table.players())
                .map(value::player),
            None => written.parse().ok().map(Value::Int),
        },
    }
}
