//! Two sides of a question on the same seeds and seats: what differs, by how much, and how surely.

use crate::findings::Findings;
use crate::measure::{Measure, is_still};
use crate::record::{Header, Record};
use crate::runner::{self, Next, RunEnd};
use crate::scaling::Waiting;
use crate::sequential::{self, Sequential};
use crate::simulate::{Bench, BrokenGame, Plan};
use crate::statistics::{Estimate, FEWEST_PAIRS, POWER, Paired, Power, Z, normal_above};
use crate::summary::Summary;
use ludoteca::{Game, definition::Text};
use serde::Serialize;
use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Chance that a comparison without any true difference reports one, over all its measures together.
pub const FALSE_FINDING: f64 = 0.05;

/// Pairs of games being counted.
#[derive(Debug, Clone)]
pub struct Comparison {
    pub sides: [Summary; 2],
    pairs: Vec<Pair>,
    until: Option<(usize, Sequential)>,
    /// Games whose chances are counted when both sides have one scale; none where they have one, or none to be had.
    waiting: Option<Waiting<2>>,
}

/// One measure on both sides, and its differences.
#[derive(Debug, Clone)]
struct Pair {
    /// The second side's own: two packs may declare their metrics in another order.
    measures: [Measure; 2],
    paired: Paired,
    /// The games in which the second side is highest and lowest above the first.
    highest: Vec<(f64, u64)>,
    lowest: Vec<(f64, u64)>,
}

/// Games that show a difference most.
const SHOWN: usize = 3;

impl Pair {
    fn new(measures: [Measure; 2]) -> Pair {
        Pair {
            paired: Paired::new(measures[0].is_share()),
            measures,
            highest: Vec::new(),
            lowest: Vec::new(),
        }
    }

    /// What is called so on both sides.
    fn asked(headers: &[Header; 2], name: &str) -> Option<Pair> {
        let [first, second] = headers.each_ref().map(|h| Measure::named(h, name));
        Some(Pair::new([first?, second?]))
    }

    /// Whether there is anything to compare.
    fn counts(&self) -> bool {
        self.paired.pairs() > 0 && !is_still(&self.measures[0], &self.paired.sides)
    }

    fn add(&mut self, first: f64, second: f64, game: u64) {
        self.paired.add(first, second);
        let apart = second - first;
        for (shown, by) in [(&mut self.highest, apart), (&mut self.lowest, -apart)] {
            let at = shown.partition_point(|&(other, _)| other >= by);
            if at < SHOWN && by > 0.0 {
                shown.insert(at, (by, game));
                shown.truncate(SHOWN);
            }
        }
    }
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
    /// How likely such a difference is where there is none, by itself.
    pub likelihood: f64,
    /// Whether it is a finding, with all measures taken together (Holm).
    pub seen: bool,
    pub verdict: Verdict,
    /// Games needed to see a difference of `size` nine times in ten; where only some games have the measure, with as many others as there
    /// were.
    pub needed: Option<u64>,
    /// How likely these games would have shown a difference of `size`.
    pub power: f64,
    pub size: f64,
    /// What difference these games would have shown nine times in ten, roughly, with all measures taken together.
    pub shown: Option<f64>,
    /// The games that show it most.
    pub games: Vec<u64>,
}

impl Difference {
    /// Whether it would be a finding by itself, but is none with all measures taken together.
    pub fn may_differ(&self) -> bool {
        let (low, high) = (self.difference.low, self.difference.high);
        let is_open = !self.seen && self.verdict != Verdict::TooFew;
        is_open && (low > 0.0 || high < 0.0) && low.is_finite() && high.is_finite()
    }
}

/// What is to be thought of a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// A finding.
    Differs,
    /// Nothing was found, and a difference of the size would have been, nine times in ten.
    No,
    /// Nothing was found, and it takes more games to say so.
    Needs,
    /// Too few pairs to say anything.
    TooFew,
}

impl Comparison {
    pub fn new(mut headers: [Header; 2], until: Option<&Until>) -> Comparison {
        // What is measured by two scales cannot be compared.
        if headers[0].scale != headers[1].scale {
            headers.iter_mut().for_each(|header| header.scale = None);
        }
        let wait = headers.iter().all(Header::wants_scale);
        let others = Measure::all(&headers[1]);
        let mut pairs: Vec<Pair> = Measure::all(&headers[0])
            .into_iter()
            .filter_map(|measure| {
                let other = others.iter().find(|o| o.name() == measure.name())?.clone();
                Some(Pair::new([measure, other]))
            })
            .collect();
        if let Some(asked) = until.and_then(|until| Pair::asked(&headers, &until.measure))
            && !pairs
                .iter()
                .any(|pair| pair.measures[0] == asked.measures[0])
        {
            pairs.push(asked);
        }
        let until = until.and_then(|until| {
            let at = pairs
                .iter()
                .position(|pair| pair.measures[0].name() == until.measure)?;
            let share = pairs[at].measures[0].is_share();
            Some((at, Sequential::new(until.size, share)))
        });
        let mut sides = headers.map(Summary::new);
        sides.iter_mut().for_each(Summary::waits_for_none);
        Comparison {
            sides,
            pairs,
            until,
            waiting: wait.then(Waiting::new),
        }
    }

    /// Measures something else besides, that is measured only if it is asked for.
    pub fn ask(&mut self, name: &str) {
        let headers = self.sides.each_ref().map(|side| side.header.clone());
        let known = self
            .pairs
            .iter()
            .any(|pair| pair.measures[0].name() == name);
        if !known {
            self.pairs.extend(Pair::asked(&headers, name));
        }
    }

    /// Takes the same game of both sides.
    pub fn add(&mut self, records: &[Record; 2]) {
        self.sides[0].add(&records[0]);
        self.sides[1].add(&records[1]);
        self.pair_up(records, |_| true);
        if let Some(waiting) = &mut self.waiting
            && waiting.take(records)
        {
            self.settle();
        }
    }

    /// Holds the same game of both sides against each other, in some of the measures.
    fn pair_up(&mut self, records: &[Record; 2], wanted: impl Fn(&Measure) -> bool) {
        for (n, pair) in self.pairs.iter_mut().enumerate() {
            let [first, second] = &pair.measures;
            let headers = self.sides.each_ref().map(|side| &side.header);
            let (true, Some(a), Some(b)) = (
                wanted(first),
                first.value(headers[0], &records[0]),
                second.value(headers[1], &records[1]),
            ) else {
                continue;
            };
            pair.add(a, b, records[0].game);
            if let Some((at, test)) = &mut self.until
                && *at == n
            {
                test.add(b - a);
            }
        }
    }

    /// Counts what waited for a scale, if there is one now: the same for both sides.
    fn settle(&mut self) {
        let Some(waiting) = self.waiting.take() else {
            return;
        };
        let Some(found) = waiting.found() else { return };
        let games = waiting.games();
        for (n, side) in self.sides.iter_mut().enumerate() {
            side.go_by(found, games.iter().map(|records| &records[n]));
        }
        for records in &games {
            self.pair_up(records, Measure::needs_scale);
        }
    }

    /// As it would be if no more games came.
    fn settled(&self) -> Cow<'_, Comparison> {
        if self.waiting.is_none() {
            return Cow::Borrowed(self);
        }
        let mut settled = self.clone();
        settled.settle();
        Cow::Owned(settled)
    }

    /// What the games say of each side.
    pub fn findings(&self) -> [Findings; 2] {
        self.settled().sides.each_ref().map(Summary::findings)
    }

    /// What the sequential test says, if there is one.
    pub fn verdict(&self) -> Option<sequential::TestVerdict> {
        self.until.as_ref().map(|(_, test)| test.verdict())
    }

    /// Whether a measure is a share.
    pub fn is_share(&self, name: &str) -> bool {
        let named = self
            .pairs
            .iter()
            .find(|pair| pair.measures[0].name() == name);
        named.is_some_and(|pair| pair.measures[0].is_share())
    }

    /// The difference the sequential test watches, with an interval that holds at every moment of the run at once.
    pub fn so_far(&self) -> Option<Estimate> {
        self.until.as_ref().map(|(_, test)| test.interval())
    }

    /// All measures, the surest difference first. `size` is a difference in a share, and a part of the mean in everything else.
    pub fn differences(&self, size: f64) -> Vec<Difference> {
        self.differences_among(size, 1)
    }

    /// The same for one of several comparisons that are looked at together.
    pub fn differences_among(&self, size: f64, comparisons: usize) -> Vec<Difference> {
        let settled = self.settled();
        let (pairs, family) = settled.family(comparisons);
        let all = pairs.into_iter();
        all.map(|(pair, likelihood)| settled.difference(pair, likelihood, size, family))
            .collect()
    }

    /// Names of the measures that differ, without asking what else these games could have shown.
    pub fn seen(&self) -> Vec<String> {
        let settled = self.settled();
        let (pairs, family) = settled.family(1);
        let seen = pairs.into_iter().filter(|(pair, likelihood)| {
            pair.paired.pairs() >= FEWEST_PAIRS && *likelihood <= family.found
        });
        seen.map(|(pair, _)| pair.measures[0].name()).collect()
    }

    /// All measures with their likelihoods, the surest first, and what makes one of them a finding.
    fn family(&self, comparisons: usize) -> (Vec<(&Pair, f64)>, Family) {
        let mut pairs: Vec<(&Pair, f64)> = self
            .pairs
            .iter()
            .filter(|pair| pair.counts())
            .map(|pair| (pair, pair.paired.likelihood()))
            .collect();
        let surest = |pair: &Pair| {
            let found = pair.paired.estimate();
            found.value.abs() / (found.high - found.low).max(1e-12)
        };
        pairs.sort_by(|(a, one), (b, other)| {
            one.total_cmp(other)
                .then_with(|| surest(b).total_cmp(&surest(a)))
        });
        let sorted = pairs.iter().map(|(pair, likely)| (&pair.paired, *likely));
        let family = Family::of(sorted, FALSE_FINDING / comparisons.max(1) as f64);
        (pairs, family)
    }

    fn difference(&self, pair: &Pair, likelihood: f64, size: f64, family: Family) -> Difference {
        let (measure, paired) = (&pair.measures[0], &pair.paired);
        let means = paired.sides.each_ref().map(|side| side.mean());
        let size = match measure.is_share() {
            true => size,
            false => size * means[0].abs(),
        };
        let asked = Power {
            size,
            level: family.level,
        };
        let prospect = paired.prospect(asked);
        let needed = prospect.needed();
        let seen = paired.pairs() >= FEWEST_PAIRS && likelihood <= family.found;
        Difference {
            name: measure.name(),
            text: measure.text(&self.sides[0].header),
            share: measure.is_share(),
            pairs: paired.pairs(),
            first: means[0],
            second: means[1],
            difference: paired.estimate(),
            likelihood,
            seen,
            verdict: match needed {
                _ if paired.pairs() < FEWEST_PAIRS => Verdict::TooFew,
                _ if seen => Verdict::Differs,
                Some(needed) if needed <= paired.pairs() => Verdict::No,
                _ => Verdict::Needs,
            },
            needed: needed.map(|pairs| in_games(pairs, paired.pairs(), self.sides[0].games)),
            power: prospect.chance_in(paired.pairs()),
            size,
            shown: shown(&paired.estimate(), family.level),
            games: match means[1] < means[0] {
                true => pair.lowest.iter().map(|&(_, game)| game).collect(),
                false => pair.highest.iter().map(|&(_, game)| game).collect(),
            },
        }
    }
}

/// The difference that is seen nine times in ten by whoever tests so strictly, judged by how sure this one is.
fn shown(found: &Estimate, level: f64) -> Option<f64> {
    let deviation = (found.high - found.low) / (2.0 * Z);
    let far = normal_above(level / 2.0) + normal_above(1.0 - POWER);
    (!found.is_of_too_few() && deviation > 0.0).then_some(far * deviation)
}

/// What games to come could show of a measure.
#[derive(Debug, Clone, Serialize)]
pub struct Outlook {
    pub name: String,
    pub text: Text,
    pub share: bool,
    pub size: f64,
    /// How likely a difference of the size would be seen.
    pub power: f64,
    /// Games that would show it nine times in ten.
    pub needed: Option<u64>,
}

impl Comparison {
    /// What so many games could show, judged by those there are.
    pub fn outlook(&self, size: f64, games: u64) -> Vec<Outlook> {
        let settled = self.settled();
        let counted = settled.pairs.iter().filter(|pair| pair.counts());
        let level = FALSE_FINDING / counted.clone().count().max(1) as f64;
        counted
            .map(|pair| {
                let (measure, paired) = (&pair.measures[0], &pair.paired);
                let size = match measure.is_share() {
                    true => size,
                    false => size * paired.sides[0].mean().abs(),
                };
                let played = self.sides[0].games;
                let pairs = games as f64 * paired.pairs() as f64 / played.max(1) as f64;
                let prospect = paired.prospect(Power { size, level });
                let needed = prospect.needed();
                Outlook {
                    name: measure.name(),
                    text: measure.text(&self.sides[0].header),
                    share: measure.is_share(),
                    size,
                    power: prospect.chance_in(pairs as u64),
                    needed: needed.map(|pairs| in_games(pairs, paired.pairs(), played)),
                }
            })
            .collect()
    }
}

/// All measures of a comparison, looked at together (Holm's way): the surest difference must be surer the more measures there are, the next a
/// little less. Measures that could not be found however their few differing pairs fell do not count (Tarone).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Family {
    /// What is at most so likely is a finding.
    pub found: f64,
    /// What the next finding must not exceed.
    pub level: f64,
}

impl Family {
    /// Of measures and their likelihoods, the surest first, and the chance to find anything among them where there is nothing.
    pub fn of<'a>(sorted: impl Iterator<Item = (&'a Paired, f64)>, chance: f64) -> Family {
        let counts =
            |paired: &Paired| paired.pairs() >= FEWEST_PAIRS && paired.least_likelihood() <= chance;
        let counted: Vec<f64> = sorted
            .filter(|(paired, _)| counts(paired))
            .map(|(_, likelihood)| likelihood)
            .collect();
        let mut found = -1.0;
        let mut left = counted.len().max(1);
        for likelihood in counted {
            if likelihood > chance / left as f64 {
                break;
            }
            found = likelihood;
            left = (left - 1).max(1);
        }
        Family {
            found,
            level: chance / left as f64,
        }
    }
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
    mut also: impl FnMut(&Comparison, &[Record; 2]) -> Next,
) -> Result<RunEnd, BrokenGame> {
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
                .is_some_and(|verdict| verdict != sequential::TestVerdict::Open);
            match also(comparison, &records) {
                Next::GoOn if settled => Next::Enough,
                flow => flow,
            }
        },
    )
}
