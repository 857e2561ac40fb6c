//! Searching parameters under noise: an N-tuple bandit. Every trial of a point also teaches something about each of its values and pairs of
//! values, so that good regions are found with few games; where to look next weighs what is believed against what is little known.

use crate::parameter::Varied;
use ludoteca::Stream;
use std::collections::BTreeMap;

/// Points looked at around the present one before the next is chosen.
const NEIGHBOURS: usize = 60;
/// How much the little known attracts.
const CURIOSITY: f64 = 1.0;

/// Numbers of values, one for each parameter.
pub type Point = Vec<usize>;

/// What is known so far.
#[derive(Debug)]
pub struct Bandit {
    sizes: Vec<usize>,
    /// Which parameters each tuple looks at: single ones, pairs, and all together.
    tuples: Vec<Vec<usize>>,
    known: Vec<BTreeMap<Vec<usize>, Arm>>,
    trials: u64,
    luck: Stream,
}

#[derive(Debug, Clone, Copy, Default)]
struct Arm {
    trials: u64,
    sum: f64,
}

impl Bandit {
    pub fn new(varied: &[Varied], seed: u64) -> Bandit {
        let count = varied.len();
        let mut tuples: Vec<Vec<usize>> = (0..count).map(|one| vec![one]).collect();
        if count > 2 {
            tuples.extend((0..count).flat_map(|a| (a + 1..count).map(move |b| vec![a, b])));
        }
        if count > 1 {
            tuples.push((0..count).collect());
        }
        Bandit {
            sizes: varied
                .iter()
                .map(|parameter| parameter.values.len())
                .collect(),
            known: vec![BTreeMap::new(); tuples.len()],
            tuples,
            trials: 0,
            luck: Stream::new(seed, "tune"),
        }
    }

    /// Learns how a point fared: higher is better.
    pub fn learn(&mut self, point: &Point, worth: f64) {
        self.trials += 1;
        for (tuple, arms) in self.tuples.iter().zip(&mut self.known) {
            let arm = arms.entry(part(tuple, point)).or_default();
            arm.trials += 1;
            arm.sum += worth;
        }
    }

    /// Where to try next, from the point tried last.
    pub fn next(&mut self, from: &Point) -> Point {
        let mut best: Option<(f64, Point)> = None;
        for _ in 0..NEIGHBOURS {
            let point = self.neighbour(from);
            let promise = self.promise(&point);
            if best.as_ref().is_none_or(|(most, _)| promise > *most) {
                best = Some((promise, point));
            }
        }
        best.map_or_else(|| from.clone(), |(_, point)| point)
    }

    /// A point that differs in one value or a few; now and then one from anywhere.
    fn neighbour(&mut self, from: &Point) -> Point {
        let mut point = from.clone();
        let anywhere = self.luck.below(8) == 0;
        let always = self.luck.below(self.sizes.len() as u32) as usize;
        for (n, value) in point.iter_mut().enumerate() {
            if anywhere || n == always || self.luck.below(self.sizes.len() as u32 + 1) == 0 {
                *value = self.luck.below(self.sizes[n] as u32) as usize;
            }
        }
        point
    }

    fn promise(&self, point: &Point) -> f64 {
        let tuples = self.tuples.iter().zip(&self.known);
        let sum: f64 = tuples
            .map(|(tuple, arms)| {
                let arm = arms.get(&part(tuple, point)).copied().unwrap_or_default();
                let trials = arm.trials as f64 + 0.5;
                let mean = if arm.trials > 0 {
                    arm.sum / arm.trials as f64
                } else {
                    0.0
                };
                mean + CURIOSITY * ((1.0 + self.trials as f64).ln() / trials).sqrt()
            })
            .sum();
        sum / self.tuples.len() as f64
    }

    /// What is believed of a point: its own trials, leaning on those of its values and pairs while they are few.
    fn belief(&self, point: &Point) -> f64 {
        let own = self
            .known
            .last()
            .and_then(|arms| arms.get(point))
            .copied()
            .unwrap_or_default();
        let tuples = self.tuples.iter().zip(&self.known);
        let (sum, count) = tuples
            .filter_map(|(tuple, arms)| arms.get(&part(tuple, point)))
            .fold((0.0, 0.0), |(sum, count), arm| {
                (sum + arm.sum / arm.trials as f64, count + 1.0)
            });
        let around = if count > 0.0 { sum / count } else { 0.0 };
        (own.sum + 2.0 * around) / (own.trials as f64 + 2.0)
    }

    /// The most believed in of the points that were tried, best first.
    pub fn best(&self, count: usize) -> Vec<Point> {
        let Some(tried) = self.known.last() else {
            return Vec::new();
        };
        let mut points: Vec<(f64, &Point)> = tried
            .keys()
            .map(|point| (self.belief(point), point))
            .collect();
        points.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
        points
            .into_iter()
            .take(count)
            .map(|(_, point)| point.clone())
            .collect()
    }
}

/// The values of a point that a tuple looks at.
fn part(tuple: &[usize], point: &Point) -> Vec<usize> {
    tuple.iter().map(|&n| point[n]).collect()
}

/// The values of a point.
pub fn values(varied: &[Varied], point: &Point) -> Vec<i64> {
    varied
        .iter()
        .zip(point)
        .map(|(parameter, &n)| parameter.values[n])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A hill with its top at (7, 2, 4), seen through noise as high as the hill is three steps away from its top.
    fn found(seed: u64, trials: usize) -> i64 {
        let varied: Vec<Varied> = ["a", "b", "c"]
            .map(|key| Varied {
                key: key.into(),
                values: (0..10).collect(),
            })
            .to_vec();
        let away =
            |point: &[i64]| (point[0] - 7).abs() + (point[1] - 2).abs() + (point[2] - 4).abs();
        let mut noise = Stream::new(seed, "noise");
        let mut bandit = Bandit::new(&varied, seed);
        let mut at = vec![0, 9, 9];
        for _ in 0..trials {
            let noisy = (noise.below(601) as f64 - 300.0) / 100.0;
            bandit.learn(&at, noisy - away(&values(&varied, &at)) as f64);
            at = bandit.next(&at);
        }
        away(&values(&varied, &bandit.best(1)[0]))
    }

    /// Of a thousand points, 150 noisy trials find one close to the best: a random point is 8 steps away on average.
    #[test]
    fn a_hill_in_the_fog_is_climbed() {
        let total: i64 = (0..20).map(|seed| found(seed, 150)).sum();
        assert!(
            total <= 20 * 2,
            "{} steps from the top on average",
            total as f64 / 20.0
        );
    }
}
