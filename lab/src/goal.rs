//! What a designer wants of a game, as written: `seat_balance>=0.95, rounds in 8..12, unused(cards)=0`.

use crate::findings::Findings;
use crate::flow::{Flow, is_flow};
use crate::measure::Measure;
use crate::names::listed;
use crate::record::{Header, OPTION};
use crate::statistics::Estimate;
use ludoteca::nearest;
use serde::Serialize;

/// One thing wanted: a number between two bounds, or on one side of one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Goal {
    pub metric: String,
    pub low: Option<f64>,
    pub high: Option<f64>,
    /// The distance that counts as one step away: a tenth of the bound, or 0.1 of a share.
    #[serde(skip)]
    step: f64,
}

/// What a goal's metric was before, and is after.
pub struct GoalCheck {
    pub goal: Goal,
    pub share: bool,
    pub before: Option<Estimate>,
    pub after: Option<Estimate>,
}

impl GoalCheck {
    /// Whether it is met with the settings that were found.
    pub fn met(&self) -> Met {
        self.after
            .as_ref()
            .map_or(Met::No, |after| self.goal.met(after))
    }

    /// Whether it is met by what one would play: the settings that were found if they are better, else the game as it is.
    pub fn met_by_what_stands(&self, better: bool) -> Met {
        match (better, &self.before) {
            (true, _) => self.met(),
            (false, Some(before)) => self.goal.met(before),
            (false, None) => Met::No,
        }
    }
}

/// What became of a goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Met {
    /// The whole interval is where it is wanted.
    Yes,
    /// What was measured is, but chance could have it outside.
    Perhaps,
    No,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadGoal {
    #[error("`{0}`: expected metric>=number, metric<=number, metric=number or metric in low..high")]
    Unreadable(String),
    #[error("unknown metric `{metric}`{hint}")]
    Unknown { metric: String, hint: String },
}

/// What goals may name besides the measures of single games.
const OF_RUNS: [&str; 2] = ["seat_balance", "first_player_advantage"];

/// Everything a goal or a sweep may name.
pub fn metrics(header: &Header) -> Vec<String> {
    let mut names: Vec<String> = OF_RUNS.map(String::from).to_vec();
    names.extend(Measure::names(header));
    names.push("unused(cards)".to_string());
    let mut kinds: Vec<&String> = header.items.iter().map(|item| &item.kind).collect();
    kinds.sort();
    kinds.dedup();
    let kinds = kinds.into_iter().filter(|kind| *kind != OPTION);
    names.extend(kinds.map(|kind| format!("unused({kind})")));
    names
}

/// Whether a metric is a share, between 0 and 1.
pub fn is_share(metric: &str, header: &Header) -> bool {
    let measures = Measure::all(header);
    let measure = measures.iter().find(|measure| measure.name() == metric);
    OF_RUNS.contains(&metric) || measure.is_some_and(Measure::is_share)
}

/// What a run says of a metric. What is unused of the cards counts only the kinds somebody used something of: some kinds, such as tiles that
/// setup lays, are never anybody's to use. A kind that is named counts in any case.
pub fn measured(metric: &str, found: &Findings) -> Option<Estimate> {
    let exactly = |count: usize| {
        let value = count as f64;
        Some(Estimate {
            value,
            low: value,
            high: value,
        })
    };
    match metric {
        "seat_balance" => return found.seat_balance,
        "first_player_advantage" => return found.first_player_advantage,
        "unused(cards)" => return exactly(found.unused.values().map(Vec::len).sum()),
        _ => {}
    }
    if let Some(kind) = metric
        .strip_prefix("unused(")
        .and_then(|rest| rest.strip_suffix(')'))
    {
        let of_kind = found.content.iter().filter(|item| item.kind == kind);
        return exactly(of_kind.filter(|item| item.taken + item.played == 0).count());
    }
    let flow = || {
        let none = Estimate::of_too_few(0.0);
        let found =
            Flow::found(metric, &found.turnover).or_else(|| Flow::found(metric, &found.flows));
        is_flow(metric).then(|| found.map_or(none, |(way, flow)| flow.of(way)))
    };
    let measured = found.measure(metric).map(|finding| finding.mean);
    measured.or_else(flow)
}

impl Goal {
    /// Reads goals with commas between them.
    pub fn read_all(written: &str, header: &Header) -> Result<Vec<Goal>, BadGoal> {
        let known = metrics(header);
        written
            .split(',')
            .map(|goal| Goal::read(goal.trim(), header, &known))
            .collect()
    }

    fn read(written: &str, header: &Header, known: &[String]) -> Result<Goal, BadGoal> {
        let unreadable = || BadGoal::Unreadable(written.to_string());
        let number = |text: &str| {
            let number = text.trim().parse::<f64>().ok();
            number
                .filter(|number| number.is_finite())
                .ok_or_else(unreadable)
        };
        let (metric, low, high) = if let Some((metric, low)) = written.split_once(">=") {
            (metric, Some(number(low)?), None)
        } else if let Some((metric, high)) = written.split_once("<=") {
            (metric, None, Some(number(high)?))
        } else if let Some((metric, value)) = written.split_once('=') {
            (metric, Some(number(value)?), Some(number(value)?))
        } else {
            let (metric, range) = written.split_once(" in ").ok_or_else(unreadable)?;
            let (low, high) = range.split_once("..").ok_or_else(unreadable)?;
            (metric, Some(number(low)?), Some(number(high)?))
        };
        let metric = metric.trim().to_string();
        if !known.contains(&metric) {
            let hint = nearest(&metric, known).map_or_else(
                || format!("; there are {}", listed(known)),
                |close| format!("; did you mean `{close}`?"),
            );
            return Err(BadGoal::Unknown { metric, hint });
        }
        if low.zip(high).is_some_and(|(low, high)| low > high) {
            return Err(unreadable());
        }
        let bound = [low, high]
            .into_iter()
            .flatten()
            .fold(0.0f64, |most, bound| most.max(bound.abs()));
        let step = match is_share(&metric, header) {
            true => 0.1,
            false => (bound / 10.0).max(0.1),
        };
        Ok(Goal {
            metric,
            low,
            high,
            step,
        })
    }

    /// Whether a number is what is wanted, as far as its interval tells.
    pub fn met(&self, found: &Estimate) -> Met {
        let (low, high) = (
            self.low.unwrap_or(f64::NEG_INFINITY),
            self.high.unwrap_or(f64::INFINITY),
        );
        let inside = |x: f64| low <= x && x <= high;
        match inside(found.value) {
            true if inside(found.low) && inside(found.high) => Met::Yes,
            true => Met::Perhaps,
            // Nothing measured is exactly a number: what cannot be told from it is as near as can be known.
            false if low == high && found.holds(low) && !found.is_of_too_few() => Met::Perhaps,
            false => Met::No,
        }
    }

    /// How many steps a number is away from what is wanted; 0 if it is there.
    pub fn distance(&self, value: f64) -> f64 {
        let below = self.low.map_or(0.0, |low| low - value);
        let above = self.high.map_or(0.0, |high| value - high);
        below.max(above).max(0.0) / self.step
    }
}

impl std::fmt::Display for Goal {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match (self.low, self.high) {
            (Some(low), Some(high)) if low == high => write!(f, "{}={low}", self.metric),
            (Some(low), Some(high)) => write!(f, "{} in {low}..{high}", self.metric),
            (Some(low), None) => write!(f, "{}>={low}", self.metric),
            (_, high) => write!(f, "{}<={}", self.metric, high.unwrap_or(0.0)),
        }
    }
}

/// How far a run is from all goals together. A metric no game had a number of is as far as a goal can be.
pub fn loss(goals: &[Goal], found: &Findings) -> f64 {
    const FARTHEST: f64 = 10.0;
    goals
        .iter()
        .map(|goal| match measured(&goal.metric, found) {
            Some(estimate) => goal.distance(estimate.value).min(FARTHEST),
            None => FARTHEST,
        })
        .sum()
}
