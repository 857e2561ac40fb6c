//! Two sides of a question on the same seeds and seats: what differs, by how much, and how surely.

use crate::measure::Measure;
use crate::record::{Header, Record};
use crate::runner::{self, Ended, Next};
use crate::sequential::{Sequential, Verdict};
use crate::simulate::{Bench, BrokenGame, Plan};
use crate::statistics::{Estimate, Running, Z, normal_above, two_sided};
use crate::summary::Summary;
use ludoteca::content::definition::Text;
use ludoteca::table::game::Game;
use serde::Serialize;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Chance that a comparison without any true difference reports one, over all its measures together.
pub const FALSE_FINDING: f64 = 0.05;
/// Chance to see a true difference that the number of games needed is worked out for.
const POWER: f64 = 0.9;
/// Pairs below which nothing is called a finding.
const FEWEST: u64 = 20;

/// Pairs of games being counted.
#[derive(Debug, Clone)]
pub struct Comparison {
    pub sides: [Summary; 2],
    pairs: Vec<Pair>,
    until: Option<(usize, Sequential)>,
}

/// One measure on both sides, and its differences.
#[derive(Debug, Clone)]
struct Pair {
    /// The second side's own: two packs may declare their metrics in another order.
    measures: [Measure; 2],
    sides: [Running; 2],
    differences: Running,
}

/// When to stop early.
#[derive(Debug, Clone, PartialEq)]
pub struct Until {
    pub measure: String,
    pub size: f64,
}

/// How one measure differs between the two sides.
#[derive(Debug, Clone, Serialize)]
pub struct Difference {
    pub name: String,
    pub text: Text,
    pub share: bool,
    /// Pairs in which both sides have the measure.
    pub pairs: u64,
    pub first: f64,
    pub second: f64,
    /// Second less first, with the interval of paired games.
    pub difference: Estimate,
    /// Size over error.
    pub ratio: f64,
    /// Whether it is a finding, with all measures taken together (Holm).
    pub seen: bool,
    /// Games needed to see a difference of `size`; where only some games have the measure, with as many others as there were.
    pub needed: Option<u64>,
    pub size: f64,
}

impl Comparison {
    pub fn new(headers: [Header; 2], until: Option<&Until>) -> Comparison {
        let others = Measure::all(&headers[1]);
        let pairs: Vec<Pair> = Measure::all(&headers[0])
            .into_iter()
            .filter_map(|measure| {
                let other = others.iter().find(|o| o.name() == measure.name())?.clone();
                Some(Pair {
                    measures: [measure, other],
                    sides: Default::default(),
                    differences: Running::default(),
                })
            })
            .collect();
        let until = until.and_then(|until| {
            let at = pairs
                .iter()
                .position(|pair| pair.measures[0].name() == until.measure)?;
            Some((at, Sequential::new(until.size)))
        });
        Comparison {
            sides: headers.map(Summary::new),
            pairs,
            until,
        }
    }

    /// Takes the same game of both sides.
    pub fn add(&mut self, records: &[Record; 2]) {
        self.sides[0].add(&records[0]);
        self.sides[1].add(&records[1]);
        for (n, pair) in self.pairs.iter_mut().enumerate() {
            let [first, second] = &pair.measures;
            let (Some(a), Some(b)) = (first.value(&records[0]), second.value(&records[1])) else {
                continue;
            };
            pair.sides[0].add(a);
            pair.sides[1].add(b);
            pair.differences.add(b - a);
            if let Some((at, test)) = &mut self.until
                && *at == n
            {
                test.add(b - a);
            }
        }
    }

    /// What the sequential test says, if there is one.
    pub fn verdict(&self) -> Option<Verdict> {
        self.until.as_ref().map(|(_, test)| test.verdict())
    }

    /// All measures, those whose difference is largest against its error first. `size` is a difference in a share, and a part of the mean
    /// in everything else.
    pub fn differences(&self, size: f64) -> Vec<Difference> {
        let mut found: Vec<Difference> = self
            .pairs
            .iter()
            .filter(|pair| pair.differences.count > 0)
            .map(|pair| {
                let (measure, differences) = (&pair.measures[0], &pair.differences);
                let means = pair.sides.map(|side| side.mean());
                let estimate = differences.estimate();
                let error = (estimate.high - estimate.low) / (2.0 * Z);
                let ratio = match estimate.value {
                    0.0 => 0.0,
                    value if error > 0.0 => value.abs() / error,
                    _ => f64::MAX,
                };
                let size = match measure.is_share() {
                    true => size,
                    false => size * means[0].abs(),
                };
                Difference {
                    name: measure.name(),
                    text: measure.text(&self.sides[0].header),
                    share: measure.is_share(),
                    pairs: differences.count,
                    first: means[0],
                    second: means[1],
                    difference: estimate,
                    ratio,
                    seen: false,
                    needed: needed(differences.deviation(), size)
                        .map(|pairs| in_games(pairs, differences.count, self.sides[0].games)),
                    size,
                }
            })
            .collect();
        found.sort_by(|a, b| b.ratio.total_cmp(&a.ratio));
        mark_findings(&mut found);
        found
    }
}

/// Holm's way: the surest difference must be surer the more measures were looked at, the next a little less.
fn mark_findings(sorted: &mut [Difference]) {
    let count = sorted.len();
    for (rank, difference) in sorted.iter_mut().enumerate() {
        let allowed = FALSE_FINDING / (count - rank) as f64;
        if two_sided(difference.ratio) > allowed || difference.pairs < FEWEST {
            return;
        }
        difference.seen = true;
    }
}

/// Pairs needed to see a difference of a size nine times in ten.
fn needed(deviation: f64, size: f64) -> Option<u64> {
    let deviations = Z + normal_above(1.0 - POWER);
    let pairs = (deviations * deviation / size).powi(2).ceil();
    (size > 0.0 && pairs.is_finite()).then_some((pairs as u64).max(FEWEST))
}

/// In how many games there are so many pairs, if `pairs` were in `games`.
fn in_games(needed: u64, pairs: u64, games: u64) -> u64 {
    (needed as f64 * games as f64 / pairs.max(1) as f64).ceil() as u64
}

/// Plays the same games on both sides until they are played, or the question is settled.
pub fn compare(
    games: [&Arc<Game>; 2],
    plan: &Plan,
    comparison: &mut Comparison,
    stop: &AtomicBool,
    progress: impl Fn(u64) + Sync,
    mut also: impl FnMut(&[Record; 2]) -> Next,
) -> Result<Ended, BrokenGame> {
    runner::run(
        plan.part,
        plan.jobs,
        stop,
        progress,
        || games.map(|game| Bench::new(game, plan)),
        |[first, second], number| Ok([first.play(plan, number)?, second.play(plan, number)?]),
        |_, records| {
            comparison.add(&records);
            let settled = comparison
                .verdict()
                .is_some_and(|verdict| verdict != Verdict::Open);
            match also(&records) {
                Next::GoOn if settled => Next::Enough,
                flow => flow,
            }
        },
    )
}
