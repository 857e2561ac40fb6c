//! Numbers with their error: shares, means and paired differences with intervals that hold the true one as often as they say.
//!
//! | what | interval | test |
//! |---|---|---|
//! | a share | Blaker's where hits or misses are few, else Wilson's ([`share`]) | |
//! | a mean | Student's t, a studentized bootstrap where the numbers are lopsided ([`mean`]) | |
//! | a mean of numbers more than half of which are the same | how many others and how far away they are, multiplied ([`mostly`]) | |
//! | a difference of pairs that only says more, less or the same | Tango's ([`paired`]) | the exact sign test |
//! | a share of things of which each game has several, a difference of such shares | Wilson's of what they are worth, Student's; parts of the games left out ([`left_out`]) | |
//! | any other difference of pairs | as a mean | Student's t, corrected for lopsidedness |

mod left_out;
mod mean;
mod mostly;
mod paired;
mod share;

pub use left_out::{PARTS, Parted, Spread, bound_of_many, share_of_many, spread};
pub use mean::{FEWEST_OF_A_MEAN, Running};
pub use paired::{FEWEST_PAIRS, POWER, Paired, Power, Prospect};
pub use share::{share, share_among, share_missing};

use serde::Serialize;
use statrs::distribution::{ContinuousCDF, StudentsT};
use std::collections::BTreeMap;

/// 97.5 % quantile of the normal distribution: intervals cover 95 %.
pub const Z: f64 = 1.959_963_984_540_054;

/// A number and the interval that holds the true one in 95 of 100 such samples. An interval without ends says that there are too few numbers
/// for one.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Estimate {
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

impl Estimate {
    /// A number known by itself.
    pub fn exactly(value: f64) -> Estimate {
        Estimate {
            value,
            low: value,
            high: value,
        }
    }

    /// A number of which too little is known for an interval.
    pub fn of_too_few(value: f64) -> Estimate {
        Estimate {
            value,
            low: f64::NEG_INFINITY,
            high: f64::INFINITY,
        }
    }

    pub fn is_of_too_few(&self) -> bool {
        !(self.low.is_finite() && self.high.is_finite())
    }

    /// The same number, with an interval half-way between both.
    pub fn half_way_to(self, other: Estimate) -> Estimate {
        Estimate {
            value: self.value,
            low: (self.low + other.low) / 2.0,
            high: (self.high + other.high) / 2.0,
        }
    }

    pub fn holds(&self, truth: f64) -> bool {
        self.low <= truth && truth <= self.high
    }

    /// Everything moved and stretched: `zero + scale * x`, for a scale above 0.
    pub fn scaled(&self, zero: f64, scale: f64) -> Estimate {
        let along = |x: f64| zero + scale * x;
        Estimate {
            value: along(self.value),
            low: along(self.low),
            high: along(self.high),
        }
    }
}

/// The value below which a share of the counted numbers lies.
pub fn histogram_quantile(counts: &BTreeMap<u32, u64>, share: f64) -> u32 {
    let total: u64 = counts.values().sum();
    let rank = (total.saturating_sub(1) as f64 * share).round() as u64;
    let mut before = 0;
    for (&value, &count) in counts {
        before += count;
        if rank < before {
            return value;
        }
    }
    0
}

/// How likely a normal number lies this many deviations or more from its mean, on either side.
pub fn two_sided(deviations: f64) -> f64 {
    libm::erfc(deviations.abs() / std::f64::consts::SQRT_2)
}

/// The number of deviations a normal number exceeds with this likelihood, on one side.
pub fn normal_above(likelihood: f64) -> f64 {
    let (mut low, mut high) = (-40.0, 40.0);
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        if libm::erfc(middle / std::f64::consts::SQRT_2) / 2.0 > likelihood {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low + high) / 2.0
}

/// Beyond so many degrees of freedom Student's distribution is the normal one, to four places.
const NEARLY_NORMAL: f64 = 5_000.0;

/// How likely Student's t lies so far from 0 or farther, on either side.
pub fn student_two_sided(t: f64, freedom: f64) -> f64 {
    match StudentsT::new(0.0, 1.0, freedom) {
        Ok(student) if freedom < NEARLY_NORMAL => 2.0 * student.sf(t.abs()),
        _ => two_sided(t),
    }
}

/// What Student's t exceeds with this likelihood, on one side.
pub fn student_above(likelihood: f64, freedom: f64) -> f64 {
    match StudentsT::new(0.0, 1.0, freedom) {
        Ok(student) if freedom < NEARLY_NORMAL => student.inverse_cdf(1.0 - likelihood),
        _ => normal_above(likelihood),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_of_a_hundred() {
        let numbers: BTreeMap<u32, u64> = (0..=100).map(|n| (n, 1)).collect();
        assert_eq!(histogram_quantile(&numbers, 0.25), 25);
        assert_eq!(histogram_quantile(&numbers, 1.0), 100);
        assert_eq!(histogram_quantile(&BTreeMap::new(), 0.5), 0);
    }

    #[test]
    fn the_distributions_are_the_published_ones() {
        assert!((normal_above(0.025) - Z).abs() < 1e-9);
        assert!((two_sided(Z) - 0.05).abs() < 1e-9);
        assert!((normal_above(0.1) - 1.281_551_6).abs() < 1e-6);
        assert!((student_above(0.025, 9.0) - 2.262_157).abs() < 1e-5);
        assert!((student_two_sided(2.262_157, 9.0) - 0.05).abs() < 1e-6);
        assert!((student_above(0.025, 1e6) - Z).abs() < 1e-5);
    }
}
