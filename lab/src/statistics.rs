//! Numbers with their error: shares with Wilson intervals, means with theirs.

use serde::Serialize;
use std::collections::BTreeMap;

/// 97.5 % quantile of the normal distribution: intervals cover 95 %.
pub const Z: f64 = 1.959_963_984_540_054;

/// A number and the interval that holds the true one in 95 of 100 such samples.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Estimate {
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

/// A share of a number of trials, with Wilson's interval: right also for few trials and shares near 0 and 1.
pub fn share(hits: f64, trials: f64) -> Estimate {
    if trials <= 0.0 {
        return Estimate {
            value: 0.0,
            low: 0.0,
            high: 1.0,
        };
    }
    let p = hits / trials;
    let z2 = Z * Z;
    let centre = (p + z2 / (2.0 * trials)) / (1.0 + z2 / trials);
    let half =
        Z / (1.0 + z2 / trials) * (p * (1.0 - p) / trials + z2 / (4.0 * trials * trials)).sqrt();
    Estimate {
        value: p,
        low: (centre - half).max(0.0),
        high: (centre + half).min(1.0),
    }
}

/// Mean and spread of numbers that come one by one (Welford's way, stable for long runs).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Running {
    pub count: u64,
    mean: f64,
    squares: f64,
    pub min: f64,
    pub max: f64,
}

impl Running {
    pub fn add(&mut self, x: f64) {
        if self.count == 0 {
            (self.min, self.max) = (x, x);
        }
        self.count += 1;
        let before = x - self.mean;
        self.mean += before / self.count as f64;
        self.squares += before * (x - self.mean);
        self.min = self.min.min(x);
        self.max = self.max.max(x);
    }

    pub fn mean(&self) -> f64 {
        self.mean
    }

    pub fn deviation(&self) -> f64 {
        if self.count < 2 {
            0.0
        } else {
            (self.squares / (self.count - 1) as f64).sqrt()
        }
    }

    /// The mean with its interval.
    pub fn estimate(&self) -> Estimate {
        let half = if self.count == 0 {
            0.0
        } else {
            Z * self.deviation() / (self.count as f64).sqrt()
        };
        Estimate {
            value: self.mean,
            low: self.mean - half,
            high: self.mean + half,
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Published values: 0 of 10 gives (0, 0.278), 5 of 10 gives (0.237, 0.763).
    #[test]
    fn wilson_intervals_are_the_published_ones() {
        let none = share(0.0, 10.0);
        assert!(
            none.low < 1e-9 && (none.high - 0.2775).abs() < 1e-3,
            "{none:?}"
        );
        let half = share(5.0, 10.0);
        assert!(
            (half.low - 0.2366).abs() < 1e-3 && (half.high - 0.7634).abs() < 1e-3,
            "{half:?}"
        );
    }

    #[test]
    fn running_mean_and_deviation() {
        let mut running = Running::default();
        [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]
            .into_iter()
            .for_each(|x| running.add(x));
        assert!((running.mean() - 5.0).abs() < 1e-12);
        assert!((running.deviation() - 2.138).abs() < 1e-3);
        assert_eq!((running.min, running.max), (2.0, 9.0));
    }

    #[test]
    fn quantiles_of_a_hundred() {
        let numbers: BTreeMap<u32, u64> = (0..=100).map(|n| (n, 1)).collect();
        assert_eq!(histogram_quantile(&numbers, 0.25), 25);
        assert_eq!(histogram_quantile(&numbers, 1.0), 100);
        assert_eq!(histogram_quantile(&BTreeMap::new(), 0.5), 0);
    }

    #[test]
    fn the_normal_distribution_is_the_published_one() {
        assert!((normal_above(0.025) - Z).abs() < 1e-9);
        assert!((two_sided(Z) - 0.05).abs() < 1e-9);
        assert!((normal_above(0.1) - 1.281_551_6).abs() < 1e-6);
    }
}
