//! What a file of scenarios may hold.

use super::ScenarioError;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value as Json;
use std::collections::BTreeMap;

/// A file of scenarios of one game.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScenarioFile {
    /// The game's id.
    pub game: String,
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

pub type Values = BTreeMap<String, Json>;

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

impl ScenarioFile {
    pub fn parse(text: &str) -> Result<ScenarioFile, ScenarioError> {
        toml::from_str(text).map_err(|error| ScenarioError::Syntax(error.to_string()))
    }
}
