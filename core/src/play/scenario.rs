//! Scenarios: a position, dice and answers to come, and what must hold afterwards. The worked examples of a rulebook are scenarios.

use super::matches::{BrokenRule, Match, Status};
use super::say;
use crate::content::definition::{Attribute, AttributeType, Per, ZoneOf};
use crate::model::board::Placement;
use crate::model::value::{self, Val, handle};
use crate::script::choice::AnswerError;
use crate::script::event::Event;
use crate::script::game::Game;
use crate::script::table::{Rigged, Table, row};
use crate::script::types::domain;
use ludoteca_vm::{Host, HostError, Value};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A file of scenarios: one, or several under `[[scenario]]`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScenarioFile {
    /// The game's id.
    pub game: String,
    #[serde(default)]
    pub scenario: Vec<Scenario>,
}

/// One scenario.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// What it shows, in one sentence.
    pub title: String,
    pub players: u8,
    #[serde(default = "one")]
    pub seed: u64,
    #[serde(default)]
    pub variants: Vec<String>,
    /// The same keys as `--set`.
    #[serde(default)]
    pub set: BTreeMap<String, Json>,
    /// Whether `setup()` runs first.
    #[serde(default)]
    pub setup: bool,
    /// Calls of script functions in order, such as `attack(p0)`; `round` plays a whole round.
    #[serde(default)]
    pub run: Vec<String>,
    /// What each die shows next, in the order thrown.
    #[serde(default)]
    pub dice: BTreeMap<String, Vec<i32>>,
    /// What the next shuffle of a zone brings to its top.
    #[serde(default)]
    pub order: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    pub state: StateFile,
    #[serde(default)]
    pub answers: Vec<AnswerFile>,
    #[serde(default)]
    pub expect: Expect,
}

fn one() -> u64 {
    1
}

type Values = BTreeMap<String, Json>;

/// What lies on the table at the start.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StateFile {
    #[serde(default)]
    pub game: Values,
    /// By seat.
    #[serde(default)]
    pub players: BTreeMap<String, Values>,
    /// By id; `*` stands for every space and comes first.
    #[serde(default)]
    pub spaces: BTreeMap<String, Values>,
    /// Pieces from the top: a card's id, or a table with `card` and attributes.
    #[serde(default)]
    pub zones: BTreeMap<String, Vec<Json>>,
    #[serde(default)]
    pub sections: BTreeMap<String, SectionFile>,
    /// The spaces that are on the table, if not all are.
    #[serde(default)]
    pub keep: Option<Vec<String>>,
    /// The turn order; its first seat starts.
    #[serde(default)]
    pub order: Option<Vec<u8>>,
    #[serde(default)]
    pub start: Option<u8>,
}

/// Where a section lies.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SectionFile {
    pub column: i32,
    pub row: i32,
    #[serde(default)]
    pub turns: u8,
}

/// An answer to the next choice.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AnswerFile {
    /// Who answers; anybody if left out.
    pub seat: Option<u8>,
    /// Which question; any if left out.
    pub prompt: Option<String>,
    /// A key, a list of keys, a number, or true and false.
    pub choose: Option<Json>,
    /// A key that must not be offered; the choice stays open.
    pub refuse: Option<Json>,
}

/// What must hold when the answers are used up.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Expect {
    /// The prompt of the open choice; empty if everything ran to its end.
    pub asked: Option<String>,
    /// Who is asked.
    pub seat: Option<u8>,
    /// The keys offered, exactly.
    pub options: Option<Vec<String>>,
    /// Keys among those offered.
    #[serde(default)]
    pub offered: Vec<String>,
    #[serde(default)]
    pub not_offered: Vec<String>,
    /// Log lines in this order; others may stand between.
    #[serde(default)]
    pub log: Vec<String>,
    /// Log lines that must not come.
    #[serde(default)]
    pub not_log: Vec<String>,
    /// The reason the game ended for, or false.
    pub ended: Option<Json>,
    pub winners: Option<Vec<u8>>,
    /// The turn order.
    pub order: Option<Vec<u8>>,
    /// Part of the message the rules break with.
    pub fault: Option<String>,
    #[serde(default)]
    pub game: Values,
    #[serde(default)]
    pub players: BTreeMap<String, Values>,
    #[serde(default)]
    pub spaces: BTreeMap<String, Values>,
    /// Exactly these pieces, from the top.
    #[serde(default)]
    pub zones: BTreeMap<String, Vec<Json>>,
    /// How many pieces.
    #[serde(default)]
    pub sizes: BTreeMap<String, usize>,
}

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

impl ScenarioFile {
    /// Reads a file with one scenario or several.
    pub fn parse(text: &str) -> Result<ScenarioFile, ScenarioError> {
        let syntax = |error: toml::de::Error| ScenarioError::Syntax(error.to_string());
        let table: toml::Table = toml::from_str(text).map_err(syntax)?;
        if table.contains_key("scenario") {
            return toml::from_str(text).map_err(syntax);
        }
        #[derive(Deserialize)]
        struct Head {
            game: String,
        }
        let Head { game } = toml::from_str(text).map_err(syntax)?;
        // Blanked rather than cut out, so that positions in messages stay true.
        let rest: String = text
            .lines()
            .map(|line| {
                if line.starts_with("game ") || line.starts_with("game=") {
                    "\n".into()
                } else {
                    format!("{line}\n")
                }
            })
            .collect();
        let scenario = toml::from_str(&rest).map_err(syntax)?;
        Ok(ScenarioFile {
            game,
            scenario: vec![scenario],
        })
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

/// Dice that were written but not thrown, or thrown but not written, mean that the scenario shows something else than it says.
fn compare_dice(table: &Table, failures: &mut Failures) {
    let Some(rigged) = &table.rigged else { return };
    let name = |die: usize| &table.game.definition.dice[die].name;
    for (&die, left) in rigged.dice.iter().filter(|(_, left)| !left.is_empty()) {
        failures.push(format!(
            "{} results of the die `{}` were not thrown",
            left.len(),
            name(die)
        ));
    }
    for &die in &rigged.overdrawn {
        failures.push(format!(
            "the die `{}` was thrown more often than written",
            name(die)
        ));
    }
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

fn card_number(table: &Table, id: &str) -> Result<u32, ScenarioError> {
    let found = table
        .game
        .definition
        .cards
        .iter()
        .position(|card| card.id == id);
    found
        .map(|n| n as u32)
        .ok_or_else(|| ScenarioError::Unfit(format!("there is no card `{id}`")))
}

fn space_number(table: &Table, id: &str) -> Result<u32, ScenarioError> {
    let map = table.game.definition.map.iter();
    let found = map
        .flat_map(|map| &map.spaces)
        .position(|space| space.id == id);
    found
        .map(|n| n as u32)
        .ok_or_else(|| ScenarioError::Unfit(format!("there is no space `{id}`")))
}

/// A zone as written: `game.deck`, `p0.hand`, `argentina.garrison`.
fn zone_number(table: &Table, key: &str) -> Result<u32, ScenarioError> {
    let found = (0..table.layout.zones.len() as u32).find(|&zone| table.zone_key(zone) == key);
    found.ok_or_else(|| ScenarioError::Unfit(format!("there is no zone `{key}`")))
}

fn seat_number(table: &Table, key: &str) -> Result<u32, ScenarioError> {
    let seat = key
        .trim_start_matches('p')
        .parse()
        .ok()
        .filter(|&seat: &u32| seat < table.layout.players);
    seat.ok_or_else(|| ScenarioError::Unfit(format!("there is no seat `{key}`")))
}

/// Lays the table as the scenario says.
fn lay(scenario: &Scenario, table: &mut Table) -> Result<(), ScenarioError> {
    let state = &scenario.state;
    let game = table.game.clone();
    for (id, lies) in &state.sections {
        let sections = game.definition.map.iter().flat_map(|m| &m.sections);
        let section = sections
            .enumerate()
            .find(|(_, section)| section.id == *id)
            .map(|(n, _)| n as u32);
        let section =
            section.ok_or_else(|| ScenarioError::Unfit(format!("there is no section `{id}`")))?;
        let placement = Placement {
            section,
            column: lies.column,
            row: lies.row,
            turns: lies.turns,
        };
        table.state.place_section(&game.definition, placement);
    }
    if let Some(kept) = &state.keep {
        let kept: Result<_, _> = kept.iter().map(|id| space_number(table, id)).collect();
        table.state.board = game.board_with(table.state.board.placements(), kept?);
    }
    if let Some(order) = &state.order {
        table.state.order.clone_from(order);
        table.state.start = order.first().copied().unwrap_or(0);
    }
    if let Some(start) = state.start {
        table.state.start = start;
    }
    set_values(table, handle::GAME, 0, &state.game)?;
    for (seat, values) in &state.players {
        let seat = seat_number(table, seat)?;
        set_values(table, handle::PLAYER, seat, values)?;
    }
    if let Some(values) = state.spaces.get("*") {
        for space in table.state.board.in_play().iter() {
            set_values(table, handle::SPACE, space, values)?;
        }
    }
    for (id, values) in state.spaces.iter().filter(|(id, _)| *id != "*") {
        let space = space_number(table, id)?;
        set_values(table, handle::SPACE, space, values)?;
    }
    for (key, pieces) in &state.zones {
        let zone = zone_number(table, key)?;
        for piece in table.state.zones[zone as usize].clone() {
            table.state.lift(piece);
        }
        for piece in pieces {
            lay_piece(table, zone, piece)?;
        }
    }
    Ok(())
}

fn lay_piece(table: &mut Table, zone: u32, written: &Json) -> Result<(), ScenarioError> {
    let (card, attributes) = match written {
        Json::String(card) => (card.as_str(), None),
        Json::Object(entry) => (
            entry.get("card").and_then(Json::as_str).unwrap_or(""),
            Some(entry),
        ),
        _ => ("", None),
    };
    let card = card_number(table, card)?;
    let layout = table.layout.clone();
    let piece = table.state.add_piece(&layout, card);
    table.state.put_under(piece, zone);
    let (declared, owner) = table.layout.zones[zone as usize];
    if table.game.definition.zones[declared as usize].of == ZoneOf::Player {
        table.state.pieces[piece as usize].owner = owner as i8;
    }
    for (name, json) in attributes.into_iter().flatten() {
        match (name.as_str(), json) {
            ("card", _) => {}
            ("owner", Json::Number(seat)) => {
                table.state.pieces[piece as usize].owner = seat.as_i64().unwrap_or(-1) as i8
            }
            ("face_up", Json::Bool(up)) => table.state.pieces[piece as usize].face_up = *up,
            _ => set_values(
                table,
                handle::PIECE,
                piece,
                &BTreeMap::from([(name.clone(), json.clone())]),
            )?,
        }
    }
    Ok(())
}

fn attributes(game: &Game, kind: u8) -> &[Attribute] {
    let all = &game.definition.attributes;
    match kind {
        handle::GAME => &all.game,
        handle::PLAYER => &all.player,
        handle::SPACE => &all.space,
        _ => &all.piece,
    }
}

fn set_values(table: &mut Table, kind: u8, id: u32, values: &Values) -> Result<(), ScenarioError> {
    let game = table.game.clone();
    for (name, json) in values {
        match (kind, name.as_str(), json) {
            (handle::GAME, "round", Json::Number(round)) => {
                table.state.round = round.as_u64().unwrap_or(0) as u32;
                continue;
            }
            (handle::PLAYER, "out", Json::Bool(out)) => {
                table.state.out = if *out {
                    table.state.out | 1 << id
                } else {
                    table.state.out & !(1 << id)
                };
                continue;
            }
            _ => {}
        }
        let declared = attributes(&game, kind);
        let index = declared.iter().position(|a| a.name == *name);
        let index =
            index.ok_or_else(|| ScenarioError::Unfit(format!("unknown attribute `{name}`")))?;
        let number = game.slot(kind, index);
        if declared[index].per == Per::One {
            let new = read_value(table, &declared[index], json)?;
            table.set_slot(kind, number, id, &new)?;
            continue;
        }
        for (column, new) in row_entries(json)? {
            table.set_index(&row(kind, number, id), &column, &Value::Int(new))?;
        }
    }
    Ok(())
}

/// The numbers of a row as written: by player in a list, or by word in a table.
fn row_entries(json: &Json) -> Result<Vec<(Val, i64)>, ScenarioError> {
    let number = |json: &Json| {
        json.as_i64()
            .ok_or_else(|| ScenarioError::Unfit(format!("expected a number, found {json}")))
    };
    match json {
        Json::Array(items) => items
            .iter()
            .enumerate()
            .map(|(n, item)| Ok((Value::Int(n as i64), number(item)?)))
            .collect(),
        Json::Object(entries) => {
            let column = |key: &str| match key.strip_prefix('p').and_then(|seat| seat.parse().ok())
            {
                Some(seat) => value::player(seat),
                None => Value::string(key),
            };
            entries
                .iter()
                .map(|(key, item)| Ok((column(key), number(item)?)))
                .collect()
        }
        other => Err(ScenarioError::Unfit(format!(
            "expected a list or a table of numbers, found {other}"
        ))),
    }
}

/// A value as written in the file, by the attribute's type. `"none"` is an empty reference.
fn read_value(table: &Table, attribute: &Attribute, json: &Json) -> Result<Val, ScenarioError> {
    let wrong = || ScenarioError::Unfit(format!("`{}` cannot be {json}", attribute.name));
    if json.as_str() == Some("none")
        && !matches!(attribute.ty, AttributeType::Int | AttributeType::Bool)
    {
        return Ok(Value::Unit);
    }
    Ok(match &attribute.ty {
        AttributeType::Int => Value::Int(json.as_i64().ok_or_else(wrong)?),
        AttributeType::Bool => Value::Bool(json.as_bool().ok_or_else(wrong)?),
        AttributeType::Player => match json {
            Json::Number(seat) => value::player(seat.as_u64().ok_or_else(wrong)? as u8),
            Json::String(key) => Value::Handle(handle::PLAYER, seat_number(table, key)?),
            _ => return Err(wrong()),
        },
        AttributeType::Space => {
            value::space(space_number(table, json.as_str().ok_or_else(wrong)?)?)
        }
        AttributeType::Card => Value::Handle(
            handle::CARD,
            card_number(table, json.as_str().ok_or_else(wrong)?)?,
        ),
        AttributeType::Area => table.name(domain::AREA, json.as_str().ok_or_else(wrong)?)?,
        AttributeType::Piece => {
            let card = card_number(table, json.as_str().ok_or_else(wrong)?)?;
            let piece = table
                .state
                .pieces
                .iter()
                .position(|piece| piece.card == card);
            value::piece(piece.ok_or_else(wrong)? as u32)
        }
        AttributeType::Word(_) => Value::string(json.as_str().ok_or_else(wrong)?),
    })
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

/// Compares what is there with what must be.
fn compare(
    scenario: &Scenario,
    played: &mut Match,
    open: bool,
    stage: &mut Stage,
) -> Result<(), ScenarioError> {
    let expect = &scenario.expect;
    compare_choice(expect, played, open, &mut stage.failures);
    let mut said = stage.said.iter();
    for line in &expect.log {
        if !said.any(|key| key == line) {
            stage.failures.push(format!(
                "expected the log line `{line}`; said: {}",
                stage.said.join(", ")
            ));
            break;
        }
    }
    for line in &expect.not_log {
        if stage.said.contains(line) {
            stage
                .failures
                .push(format!("the log line `{line}` must not come"));
        }
    }
    let ended = say::reason_key(&played.table);
    match &expect.ended {
        Some(Json::Bool(true)) if ended.is_empty() => {
            stage.failures.push("expected the game to be over".into())
        }
        Some(Json::Bool(false)) if !ended.is_empty() => {
            stage.failures.push(format!("the game is over: `{ended}`"))
        }
        Some(Json::String(reason)) if *reason != ended => {
            stage.failures.push(format!(
                "expected the game to end with `{reason}`, found `{ended}`"
            ));
        }
        _ => {}
    }
    if let Some(winners) = &expect.winners {
        let ranking = played.ranking()?;
        let found: Vec<u8> = ranking
            .iter()
            .filter(|place| place.place == 1)
            .map(|place| place.seat)
            .collect();
        if found != *winners {
            stage
                .failures
                .push(format!("expected the winners {winners:?}, found {found:?}"));
        }
    }
    let table = &played.table;
    if let Some(order) = &expect.order {
        let found: Vec<u8> = table.state.seats_from(table.state.start).collect();
        if found != *order {
            stage
                .failures
                .push(format!("expected the order {order:?}, found {found:?}"));
        }
    }
    compare_values(
        table,
        handle::GAME,
        0,
        "game",
        &expect.game,
        &mut stage.failures,
    )?;
    for (seat, values) in &expect.players {
        let number = seat_number(table, seat)?;
        compare_values(
            table,
            handle::PLAYER,
            number,
            &format!("players.{seat}"),
            values,
            &mut stage.failures,
        )?;
    }
    for (id, values) in &expect.spaces {
        let number = space_number(table, id)?;
        compare_values(
            table,
            handle::SPACE,
            number,
            &format!("spaces.{id}"),
            values,
            &mut stage.failures,
        )?;
    }
    compare_zones(table, expect, &mut stage.failures)
}

fn compare_choice(expect: &Expect, played: &Match, open: bool, failures: &mut Failures) {
    let table = &played.table;
    let choice = played.choice().filter(|_| open);
    let asked = choice.map_or("", |c| say::prompt_key(table, c.prompt));
    if let Some(expected) = &expect.asked
        && expected != asked
    {
        failures.push(format!(
            "expected the choice `{expected}` to be open, found `{asked}`"
        ));
    }
    let seat = choice.and_then(|c| c.waiting());
    if let Some(expected) = expect.seat
        && Some(expected) != seat
    {
        failures.push(format!("expected p{expected} to be asked, found {seat:?}"));
    }
    let keys = choice.map_or_else(Vec::new, |c| {
        c.keys(table, expect.seat.or(seat).unwrap_or(0))
    });
    if let Some(expected) = &expect.options
        && *expected != keys
    {
        failures.push(format!(
            "expected the options {}, found {}",
            expected.join(", "),
            keys.join(", ")
        ));
    }
    for key in &expect.offered {
        if !keys.contains(key) {
            failures.push(format!(
                "expected `{key}` to be offered, found {}",
                keys.join(", ")
            ));
        }
    }
    for key in &expect.not_offered {
        if keys.contains(key) {
            failures.push(format!("`{key}` must not be offered"));
        }
    }
}

fn compare_values(
    table: &Table,
    kind: u8,
    id: u32,
    of: &str,
    values: &Values,
    failures: &mut Failures,
) -> Result<(), ScenarioError> {
    for (name, json) in values {
        let (expected, found) = match (kind, name.as_str()) {
            (handle::GAME, "round") => (json.to_string(), table.state.round.to_string()),
            (handle::PLAYER, "out") => (json.to_string(), table.state.is_out(id as u8).to_string()),
            (handle::SPACE, "placed") => (
                json.to_string(),
                table.state.board.in_play().contains(id).to_string(),
            ),
            _ => {
                let declared = attributes(&table.game, kind);
                let index = declared.iter().position(|a| a.name == *name);
                let index = index
                    .ok_or_else(|| ScenarioError::Unfit(format!("unknown attribute `{name}`")))?;
                let number = table.game.slot(kind, index);
                if declared[index].per != Per::One {
                    for (column, wanted) in row_entries(json)? {
                        let found = table.index(&row(kind, number, id), &column)?;
                        if found != Value::Int(wanted) {
                            let column = table.display(&column);
                            failures.push(format!(
                                "expected {of}.{name}[{column}] = {wanted}, found {}",
                                table.display(&found)
                            ));
                        }
                    }
                    continue;
                }
                let expected = read_value(table, &declared[index], json)?;
                let found = table.slot(kind, number, id);
                if found == expected || table.equal(&found, &expected) {
                    continue;
                }
                (shown(table, &expected), shown(table, &found))
            }
        };
        if expected != found {
            failures.push(format!("expected {of}.{name} = {expected}, found {found}"));
        }
    }
    Ok(())
}

fn shown(table: &Table, value: &Val) -> String {
    if *value == Value::Unit {
        "none".into()
    } else {
        table.display(value)
    }
}

fn compare_zones(
    table: &Table,
    expect: &Expect,
    failures: &mut Failures,
) -> Result<(), ScenarioError> {
    for (key, pieces) in &expect.zones {
        let zone = zone_number(table, key)?;
        let found = &table.state.zones[zone as usize];
        let ids: Vec<String> = found
            .iter()
            .rev()
            .map(|&piece| table.display(&value::piece(piece)))
            .collect();
        let card = |json: &Json| match json {
            Json::Object(entry) => entry
                .get("card")
                .and_then(Json::as_str)
                .unwrap_or("")
                .to_string(),
            other => keys_of(other).join(""),
        };
        let expected: Vec<String> = pieces.iter().map(card).collect();
        if expected != ids {
            failures.push(format!(
                "expected {key} = [{}], found [{}]",
                expected.join(", "),
                ids.join(", ")
            ));
            continue;
        }
        for (json, &piece) in pieces.iter().zip(found.iter().rev()) {
            if let Json::Object(entry) = json {
                compare_piece(table, key, piece, entry, failures)?;
            }
        }
    }
    for (key, size) in &expect.sizes {
        let found = table.state.zones[zone_number(table, key)? as usize].len();
        if found != *size {
            failures.push(format!("expected {size} pieces in {key}, found {found}"));
        }
    }
    Ok(())
}

fn compare_piece(
    table: &Table,
    of: &str,
    piece: u32,
    entry: &serde_json::Map<String, Json>,
    failures: &mut Failures,
) -> Result<(), ScenarioError> {
    let found = &table.state.pieces[piece as usize];
    let id = table.display(&value::piece(piece));
    for (name, json) in entry {
        match name.as_str() {
            "card" => {}
            "owner" if json.as_i64().unwrap_or(-1) != found.owner as i64 => {
                failures.push(format!(
                    "expected the owner {json} of {id} in {of}, found {}",
                    found.owner
                ));
            }
            "face_up" if json.as_bool() != Some(found.face_up) => {
                failures.push(format!(
                    "expected face_up = {json} of {id} in {of}, found {}",
                    found.face_up
                ));
            }
            "owner" | "face_up" => {}
            _ => {
                let values = BTreeMap::from([(name.clone(), json.clone())]);
                compare_values(
                    table,
                    handle::PIECE,
                    piece,
                    &format!("{of}.{id}"),
                    &values,
                    failures,
                )?;
            }
        }
    }
    Ok(())
}
