//! What a run says about a game, in numbers with their errors.

use crate::flow::Bearing;
use crate::record::OPTION;
use crate::scaling::FoundScale;
use crate::statistics::Estimate;
use ludoteca::Text;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// What a run says about a game.
#[derive(Debug, Clone, Serialize)]
pub struct Findings {
    pub games: u64,
    /// Games looked at closely: lead, content and steps are theirs.
    pub close_games: u64,
    /// Wins of each seat; a shared first place counts in parts. All their intervals, and that of whoever begins, together hold in 95 of 100 runs.
    pub wins: Vec<Estimate>,
    /// Seats whose wins are no even share, beyond doubt: where there is no such seat, one is named in at most 5 of 100 runs.
    pub uneven_seats: Vec<u8>,
    pub scores: Vec<Estimate>,
    /// Wins of each side, in a game that has sides.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sides: Vec<SideFinding>,
    /// How often a game that is won or lost by all was won.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub won: Option<Estimate>,
    /// One minus the largest difference between the wins of two seats; only where seats compete.
    pub seat_balance: Option<Estimate>,
    /// Wins of whoever begins, over an even share of them; only where seats compete.
    pub first_player_advantage: Option<Estimate>,
    /// Fewest, a quarter, half, three quarters, most.
    pub round_quantiles: [u32; 5],
    /// How many games had so many rounds.
    pub lengths: BTreeMap<u32, u64>,
    pub reasons: Vec<Reason>,
    pub measures: Vec<Finding>,
    /// The chance to win of whoever leads, along the game.
    pub lead: Vec<Lead>,
    /// The chance that whoever won had along the game, by the game's own judgement.
    pub course: Vec<Lead>,
    /// Where chances are from, if these games had to tell it themselves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scale: Option<FoundScale>,
    /// What came and went of each number, step by step, in a game on average.
    pub flows: Vec<FlowFinding>,
    /// The same in all steps together, and what was spent on prices.
    pub turnover: Vec<FlowFinding>,
    /// How often each space is held, and fought over.
    pub spaces: Vec<SpaceFinding>,
    /// What skill, seat and luck are worth, if bots of different strength played.
    pub worth: Option<WinningParts>,
    /// What is nearly always taken, or nearly never, of what is offered often.
    pub dominated: Vec<Dominated>,
    pub content: Vec<ItemFinding>,
    /// Kinds of content somebody used, and what of them nobody did.
    pub unused: BTreeMap<String, Vec<String>>,
    pub steps: Vec<StepFinding>,
    /// Of each seat, how long it waits; none where nobody waits.
    pub waits: Vec<SeatWait>,
}

#[derive(Debug, Clone, Serialize)]
pub struct SideFinding {
    pub name: String,
    pub text: Text,
    pub wins: Estimate,
}

#[derive(Debug, Clone, Serialize)]
pub struct Finding {
    pub name: String,
    pub text: Text,
    pub share: bool,
    /// In how many games there was such a number.
    pub games: u64,
    pub mean: Estimate,
    /// `None` where every game only says yes or no.
    pub least: Option<Extreme>,
    pub most: Option<Extreme>,
}

#[derive(Debug, Clone, Serialize)]
pub struct Reason {
    pub reason: String,
    pub share: Estimate,
    pub games: u64,
    /// The first game that ended so.
    pub example: u64,
}

#[derive(Debug, Clone, Serialize)]
pub struct Lead {
    /// How far the game has come, 0 to 1.
    pub at: f64,
    pub games: u64,
    pub wins: Estimate,
}

#[derive(Debug, Clone, Serialize)]
pub struct ItemFinding {
    pub id: String,
    pub kind: String,
    pub name: Text,
    pub offered: u64,
    pub taken: u64,
    pub played: u64,
    /// Seats that used it, of all seats of the games looked at.
    pub use_share: Estimate,
    /// Wins of seats that used it, and of those that did not. What is played counts as used; what is never played, when it is taken.
    pub wins_with: Option<Estimate>,
    pub wins_without: Option<Estimate>,
    /// How much more those who used it won than those who did not, on the same seat and as well placed after a quarter of the game.
    pub impact: Option<Estimate>,
    /// A game in which it was used.
    pub example: Option<u64>,
}

/// A number of players or spaces in a step, or in all steps: how much of it comes and goes in a game; of a price, how often it is paid.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FlowFinding {
    pub number: String,
    pub step: String,
    pub gained: Estimate,
    pub lost: Estimate,
}

impl FlowFinding {
    /// What is asked of it.
    pub fn of(&self, way: Bearing) -> Estimate {
        match way {
            Bearing::Lost => self.lost,
            Bearing::Paid | Bearing::Spent | Bearing::Gained => self.gained,
        }
    }

    /// Whether it is a price, which comes as often as it is paid.
    pub fn is_purchase(&self) -> bool {
        self.number.starts_with("prices.")
    }
}

/// What becomes of a space.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SpaceFinding {
    pub id: String,
    pub name: Text,
    pub at: Option<(i32, i32)>,
    /// The part of a game in which somebody holds it.
    pub held: f64,
    /// How often it changes hands in a game.
    pub fought: f64,
}

/// Parts of the variance of a seat's wins, together 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct WinningParts {
    pub skill: Estimate,
    pub seat: Estimate,
    pub luck: Estimate,
}

/// Something that is no choice for whoever plays here.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Dominated {
    pub id: String,
    pub kind: String,
    pub name: Text,
    /// It is taken in more than nine of ten offers, or else in fewer than one of twenty.
    pub always: bool,
    pub offered: u64,
    pub taken: u64,
}

/// How long a seat waits for others.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SeatWait {
    /// Choices of others between two of its own, in a game on average.
    pub choices: Estimate,
    /// The longest wait, and the game it was in.
    pub longest: Option<Extreme>,
}

#[derive(Debug, Clone, Serialize)]
pub struct StepFinding {
    pub step: String,
    pub times: u64,
    /// How often the player had nothing to decide.
    pub idle: Estimate,
}

/// The outermost value of a measure, and the game that has it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Extreme {
    pub value: f64,
    pub game: u64,
}

impl Findings {
    pub fn measure(&self, name: &str) -> Option<&Finding> {
        self.measures.iter().find(|finding| finding.name == name)
    }
}
/// What of each kind nobody used, for the kinds of which somebody used something.
pub(crate) fn unused(content: &[ItemFinding]) -> BTreeMap<String, Vec<String>> {
    let is_used = |item: &&ItemFinding| item.taken + item.played > 0;
    let kinds: BTreeSet<&String> = content
        .iter()
        .filter(|item| item.kind != OPTION)
        .filter(is_used)
        .map(|item| &item.kind)
        .collect();
    let nobody = |kind: &String| {
        let of_kind = content.iter().filter(|item| item.kind == *kind);
        of_kind
            .filter(|item| !is_used(item))
            .map(|item| item.id.clone())
            .collect()
    };
    kinds
        .into_iter()
        .map(|kind| (kind.clone(), nobody(kind)))
        .collect()
}
