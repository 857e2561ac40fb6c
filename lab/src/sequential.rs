//! Comparing until it is settled: a sequential test on paired differences, with stated error rates, and an interval that may be looked at all
//! the time.
//!
//! Three answers are possible: the second is higher, it is lower, or there is no difference of the size that was asked for. Four bets run along
//! with the pairs: two that win if there is a difference (one for each sign) and are fair if there is none, and two that win if there is none and
//! are fair if there is one of that size (one for each sign). Whoever bets fairly multiplies a stake by 20 with a chance of 1 in 20 at most,
//! however long it goes on and whenever one looks (Ville). So, if there is no difference, the chance to report one is at most [`FALSE_ALARM`];
//! if there is one of that size, the chance to miss it is at most [`MISS`]. A smaller difference than that may be answered either way.
//!
//! For shares this holds as it stands, for rare events too: no pair can be farther apart than 1. For other numbers nothing is known of how far
//! apart a pair may be, and it holds if differences lie alike on both sides of their middle, as they do where nothing differs, whatever their
//! tails; if they do not, it holds the better the longer the run.

use crate::statistics::{Estimate, Running};
use serde::Serialize;

pub const FALSE_ALARM: f64 = 0.05;
pub const MISS: f64 = 0.05;

/// Rates are kept a little below what is promised, so that whoever counts them does not find more by chance.
const KEPT_BELOW: f64 = 0.8;
/// The most that is staked on one pair, as a part of what there is.
const STAKE: f64 = 0.9;
/// Pairs before the spread of numbers without a bound is believed, how many of them must be other than most, and how many it must rest on.
const FIRST_LOOK: u64 = 30;
const OTHERS: u64 = 10;
const RESTS_ON: f64 = 5.0;
/// Pairs without a single other after which a difference that is always the same is taken to be so.
const ALWAYS: u64 = 300;
/// How much less is staked on numbers without a bound than would grow fastest: bending then touches outliers alone.
const CALM: f64 = 0.4;
/// Deviations of a lean that are taken for chance.
const LEANS: f64 = 1.0;

/// What a test says so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TestVerdict {
    Open,
    Higher,
    Lower,
    NoDifference,
}

/// A test under way.
#[derive(Debug, Clone)]
pub struct Sequential {
    size: f64,
    /// Differences are those of shares: none is larger than 1.
    bounded: bool,
    pub differences: Running,
    /// Logarithms of what the bets have made of a stake of 1: on higher and on lower; against a rise and against a fall of the size.
    on: [f64; 2],
    against: [f64; 2],
    /// What bending does to the differences, in the bets on and in those against.
    bent: [Bent; 2],
    settled: TestVerdict,
    interval: Interval,
    /// Whether enough is known of the spread to bet; until then, fourth powers of the differences.
    betting: bool,
    fourths: f64,
}

impl Sequential {
    pub fn new(size: f64, bounded: bool) -> Sequential {
        Sequential {
            size,
            bounded,
            differences: Running::default(),
            on: [0.0; 2],
            against: [0.0; 2],
            bent: [Bent::default(); 2],
            settled: TestVerdict::Open,
            interval: Interval::new(bounded),
            betting: bounded,
            fourths: 0.0,
        }
    }

    /// Takes one pair's difference.
    pub fn add(&mut self, difference: f64) {
        // Stakes are set before the pair is seen.
        let around = self.differences.mean();
        let square = self.square();
        let calm = if self.bounded { 1.0 } else { CALM };
        let on = calm * self.size / square.max(self.size * self.size);
        let against = calm * self.size / (square + self.size * self.size);
        for (n, sign) in [1.0, -1.0].into_iter().enumerate() {
            let x = sign * difference;
            self.on[n] += self.won(x, on, sign * self.bent[0].lean());
            self.against[n] += self.won(self.size - x, against, -sign * self.bent[1].lean());
        }
        if !self.bounded && self.betting {
            self.bent[0].add(on * (difference - around));
            self.bent[1].add(against * (difference - around));
        }
        self.interval.add(difference, around, square);
        self.differences.add(difference);
        if !self.betting {
            self.look(difference - around);
        }
        self.settle();
    }

    /// Begins to bet once enough pairs tell the spread. Squares that a few pairs make up rest on as many equal ones as have the same fourth powers.
    fn look(&mut self, apart: f64) {
        self.fourths += apart.powi(4);
        let rests_on = self.interval.squares.powi(2) / self.fourths.max(f64::MIN_POSITIVE);
        let (count, others) = (self.differences.count, self.differences.others());
        let always = count >= ALWAYS && others == 0 && self.differences.mean() != 0.0;
        let known = count >= FIRST_LOOK && rests_on >= RESTS_ON && others >= OTHERS;
        self.betting = known || always;
        self.interval.is_open = self.betting;
    }

    /// What one bet makes of a stake of 1, as a logarithm. It is fair if the mean of `x` is 0, or below.
    fn won(&self, x: f64, rate: f64, lean: f64) -> f64 {
        if self.bounded {
            // At worst `x` is one below 0 by 1 and the size.
            let rate = rate.min(STAKE / (1.0 + self.size));
            return libm::log1p(rate * x);
        }
        // Outliers win and lose the stake, not more: fair for everything that lies alike on both sides of 0, and for what does not once the
        // lean that this bending gives it is taken off.
        match self.betting {
            true => libm::log1p((STAKE * (bent(rate * x) - lean)).clamp(-0.99, 2.0)),
            false => 0.0,
        }
    }

    /// The mean square of the differences so far, as if one pair had been seen before the first.
    fn square(&self) -> f64 {
        let n = self.differences.count as f64;
        let mean = self.differences.mean();
        let spread = self.differences.deviation().powi(2) * (n - 1.0).max(0.0);
        let sum = spread + n * mean * mean;
        let before = match self.bounded {
            true => 0.25,
            false => self.size * self.size,
        };
        (sum + before) / (n + 1.0)
    }

    fn settle(&mut self) {
        if self.settled != TestVerdict::Open {
            return;
        }
        // Half the false alarms for each sign. A difference is missed only if both are bet away.
        let found = -libm::log(KEPT_BELOW * FALSE_ALARM / 2.0);
        let none = -libm::log(KEPT_BELOW * MISS);
        self.settled = if self.on[0] >= found {
            TestVerdict::Higher
        } else if self.on[1] >= found {
            TestVerdict::Lower
        } else if self.against.iter().all(|&bet| bet >= none) {
            TestVerdict::NoDifference
        } else {
            TestVerdict::Open
        };
    }

    /// What is settled. Once it is, it stays so.
    pub fn verdict(&self) -> TestVerdict {
        self.settled
    }

    /// The mean difference with an interval that holds the true one at every moment of 95 of 100 runs.
    pub fn interval(&self) -> Estimate {
        let value = self.differences.mean();
        match self.betting {
            true => self.interval.now(value),
            false => Estimate::of_too_few(value),
        }
    }
}

/// A number bent so that outliers count as much as the stake.
fn bent(x: f64) -> f64 {
    libm::tanh(x / STAKE)
}

/// Differences from their middle, bent: on average nothing if they lie alike on both sides.
#[derive(Debug, Clone, Copy, Default)]
struct Bent {
    count: f64,
    sum: f64,
    squares: f64,
}

impl Bent {
    fn add(&mut self, x: f64) {
        let x = bent(x);
        self.count += 1.0;
        self.sum += x;
        self.squares += x * x;
    }

    /// Their mean, less what chance would make of it.
    fn lean(&self) -> f64 {
        let beyond = self.sum.abs() - LEANS * self.squares.sqrt();
        match beyond > 0.0 {
            true => beyond.copysign(self.sum) / self.count,
            false => 0.0,
        }
    }
}

/// An interval that holds all along: of bounded differences by an empirical Bernstein bound (Waudby-Smith and Ramdas), of others by a normal
/// mixture over their own squares (de la Peña).
#[derive(Debug, Clone)]
struct Interval {
    bounded: bool,
    pairs: f64,
    /// Weights, weighted differences, and the price of weights.
    weights: f64,
    weighted: f64,
    price: f64,
    /// Squares so far, and those after the first look.
    squares: f64,
    first: f64,
    /// Whether enough is known of the spread.
    is_open: bool,
    /// The intervals of all moments have a common part.
    low: f64,
    high: f64,
}

impl Interval {
    fn new(bounded: bool) -> Interval {
        let end = if bounded { 1.0 } else { f64::INFINITY };
        Interval {
            bounded,
            pairs: 0.0,
            weights: 0.0,
            weighted: 0.0,
            price: 0.0,
            squares: 0.0,
            first: 0.0,
            is_open: bounded,
            low: -end,
            high: end,
        }
    }

    /// `around` and `square` are what was known before this difference.
    fn add(&mut self, difference: f64, around: f64, square: f64) {
        self.pairs += 1.0;
        let apart = difference - around;
        self.squares += apart * apart;
        if !self.bounded {
            self.weighted += difference;
            if !self.is_open {
                self.first = self.squares;
                return;
            }
            return self.narrow();
        }
        // On a scale from 0 to 1.
        let (x, apart, square) = ((difference + 1.0) / 2.0, apart / 2.0, square / 4.0);
        let confidence = libm::log(2.0 / (KEPT_BELOW * FALSE_ALARM));
        let slow = square.max(1e-6) * self.pairs * libm::log1p(self.pairs);
        let weight = (2.0 * confidence / slow).sqrt().min(0.75);
        self.weights += weight;
        self.weighted += weight * x;
        self.price += apart * apart * (-libm::log1p(-weight) - weight);
        self.narrow();
    }

    fn narrow(&mut self) {
        let confidence = libm::log(2.0 / (KEPT_BELOW * FALSE_ALARM));
        let (middle, half) = if self.bounded {
            let middle = 2.0 * self.weighted / self.weights - 1.0;
            (middle, 2.0 * (confidence + self.price) / self.weights)
        } else {
            if self.first <= 0.0 {
                return;
            }
            let grown = 5.0 * self.first;
            let all = self.squares + grown;
            let half = (all * (libm::log(all / grown) + 2.0 * confidence)).sqrt();
            (self.weighted / self.pairs, half / self.pairs)
        };
        self.low = self.low.max(middle - half);
        self.high = self.high.min(middle + half);
    }

    fn now(&self, value: f64) -> Estimate {
        match self.low <= self.high {
            true => Estimate {
                value,
                low: self.low,
                high: self.high,
            },
            // One time in twenty the moments contradict each other.
            false => Estimate::exactly((self.low + self.high) / 2.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_that_never_differ_are_settled() {
        let mut test = Sequential::new(0.02, true);
        let mut pairs = 0;
        while test.verdict() == TestVerdict::Open {
            test.add(0.0);
            pairs += 1;
        }
        // Rare events cannot be excluded sooner: at a rate of 0.02, three hundred pairs without one are a chance of 1 in 400.
        assert_eq!(test.verdict(), TestVerdict::NoDifference);
        assert!((100..400).contains(&pairs), "{pairs}");
    }

    /// A rise that is the same in every pair is settled; that no pair differs is not, for numbers that may differ by anything.
    #[test]
    fn numbers_that_never_vary() {
        for (difference, settled) in [(7.0, TestVerdict::Higher), (0.0, TestVerdict::Open)] {
            let mut test = Sequential::new(0.5, false);
            (0..1000).for_each(|_| test.add(difference));
            assert_eq!(test.verdict(), settled);
            assert!(test.interval().holds(difference));
        }
    }

    #[test]
    fn the_interval_narrows() {
        for bounded in [true, false] {
            let mut test = Sequential::new(0.1, bounded);
            assert!(!test.interval().holds(3.0) || !bounded);
            (0..2000).for_each(|n| test.add([0.0, 1.0, 0.0, -1.0, 0.5][n % 5]));
            let found = test.interval();
            assert!(
                found.holds(0.1) && found.high - found.low < 0.3,
                "{found:?}"
            );
        }
    }
}
