//! Numbers that are mostly one and the same, such as nothing: how often they are another, and then by how much.
//!
//! The mean of such numbers hangs on the few that are others. What is known of how many these are (Jeffreys' way) and of how far they lie away
//! (Student's t) is multiplied, and the interval holds 95 of 100 of the products. One that was seen once tells nothing of how far the next may
//! lie, and what was never seen nothing at all: then there is no interval.

use super::Estimate;

/// Others below which nothing is known of how far away they lie.
pub(super) const FEWEST_OTHERS: f64 = 2.0;
/// Others from which their distances, if all lie on one side, are taken for as lopsided as distances are.
const ENOUGH: f64 = 5.0;
/// How much the scale of such distances is bent below their mean, and above it.
const BENDS: (f64, f64) = (0.4, 0.75);
/// Beyond so many times the mean distance a lopsided scale would never end.
const FARTHEST: f64 = 6.25;
/// Shares of others that are looked at, and how many errors they reach to either side.
const SHARES: usize = 60;
const REACH: (f64, f64) = (7.0, 5.0);

/// What is known of numbers of which more than half are the same.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mostly {
    pub usual: f64,
    pub count: f64,
    /// Numbers that are not the usual one, how far from it they are on average, and the sum of squares around that.
    pub others: f64,
    pub away: f64,
    pub squares: f64,
    /// Whether all of them lie on one side.
    pub one_sided: bool,
}

impl Mostly {
    pub fn estimate(&self) -> Estimate {
        let value = self.usual + self.away * self.others / self.count;
        if self.others < FEWEST_OTHERS {
            return Estimate::of_too_few(value);
        }
        // Seen from the side the others are on.
        let side = if self.away < 0.0 { -1.0 } else { 1.0 };
        let shares = self.shares();
        let mut ends = [0.025, 0.975].map(|chance| side * self.exceeded(&shares, 1.0 - chance));
        if self.one_sided {
            ends = ends.map(|end| if end * side < 0.0 { 0.0 } else { end });
        }
        ends.sort_unstable_by(f64::total_cmp);
        Estimate {
            value,
            low: self.usual + ends[0],
            high: self.usual + ends[1],
        }
    }

    /// Shares of others that may be true, and how likely each is.
    fn shares(&self) -> Vec<(f64, f64)> {
        let (yes, no) = (self.others + 0.5, self.count - self.others + 0.5);
        let (middle, error) = (libm::log(yes / no), (1.0 / yes + 1.0 / no).sqrt());
        let likely = |odds: f64| {
            let share = 1.0 / (1.0 + libm::exp(-odds));
            (share, yes * libm::log(share) + no * libm::log1p(-share))
        };
        let (_, most) = likely(middle);
        let step = (REACH.0 + REACH.1) / (SHARES - 1) as f64;
        let mut shares: Vec<(f64, f64)> = (0..SHARES)
            .map(|n| likely(middle + error * (step * n as f64 - REACH.0)))
            .map(|(share, likely)| (share, libm::exp(likely - most)))
            .collect();
        let all: f64 = shares.iter().map(|(_, weight)| weight).sum();
        shares.iter_mut().for_each(|(_, weight)| *weight /= all);
        shares
    }

    /// What the mean's distance from the usual number exceeds with this chance.
    fn exceeded(&self, shares: &[(f64, f64)], chance: f64) -> f64 {
        let below = |mean: f64| -> f64 {
            let parts = shares.iter();
            parts
                .map(|(share, weight)| weight * self.is_below(mean / share))
                .sum()
        };
        let mut high = self.away.abs() + self.error();
        while below(high) < 1.0 - chance {
            high *= 2.0;
        }
        let mut low = -high;
        while below(low) > 1.0 - chance {
            low *= 2.0;
        }
        for _ in 0..40 {
            let middle = (low + high) / 2.0;
            if below(middle) < 1.0 - chance {
                low = middle;
            } else {
                high = middle;
            }
        }
        (low + high) / 2.0
    }

    /// How likely the true distance of the others is below this one.
    fn is_below(&self, distance: f64) -> f64 {
        let (away, error) = (self.away.abs(), self.error());
        if error <= 0.0 {
            return if distance < away { 0.0 } else { 1.0 };
        }
        let freedom = self.others - 1.0;
        if !self.one_sided || self.others < ENOUGH {
            return student_below((distance - away) / error, freedom);
        }
        // Distances to one side are lopsided, more than few of them show: on a scale that grows ever slower they are less so.
        if distance <= 0.0 {
            return 0.0;
        }
        let times = distance / away;
        let bend = if times > 1.0 { BENDS.1 } else { BENDS.0 };
        let bent = |times: f64| (1.0 - libm::pow(times, -bend)) / bend;
        let along = match times > FARTHEST {
            true => bent(FARTHEST) + (times - FARTHEST) * libm::pow(FARTHEST, -1.0 - bend),
            false => bent(times),
        };
        student_below(away / error * along, freedom)
    }

    fn error(&self) -> f64 {
        (self.squares / (self.others - 1.0) / self.others).sqrt()
    }
}

/// How likely Student's t is below this: exact for one and two degrees of freedom, Wallace's approximation beyond.
fn student_below(t: f64, freedom: f64) -> f64 {
    if freedom < 1.5 {
        return 0.5 + libm::atan(t) / std::f64::consts::PI;
    }
    if freedom < 2.5 {
        return 0.5 + t / (2.0 * (2.0 + t * t).sqrt());
    }
    let normal = (8.0 * freedom + 1.0) / (8.0 * freedom + 3.0)
        * (freedom * libm::log1p(t * t / freedom)).sqrt().copysign(t);
    libm::erfc(-normal / std::f64::consts::SQRT_2) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn students_distribution_is_the_published_one() {
        // 97.5 % quantiles.
        for (freedom, t) in [
            (1.0, 12.706),
            (2.0, 4.303),
            (3.0, 3.182),
            (4.0, 2.776),
            (9.0, 2.262),
        ] {
            let below = student_below(t, freedom);
            assert!((below - 0.975).abs() < 0.0015, "{freedom}: {below}");
            assert!((student_below(-t, freedom) + below - 1.0).abs() < 1e-9);
        }
    }

    /// Others that are all the same leave only the question how many there are.
    #[test]
    fn others_that_are_alike_are_a_share() {
        let same = Mostly {
            usual: 10.0,
            count: 100.0,
            others: 20.0,
            away: -5.0,
            squares: 0.0,
            one_sided: true,
        };
        let found = same.estimate();
        assert_eq!(found.value, 9.0);
        // Jeffreys' interval of 20 of 100 is (0.131, 0.286).
        assert!((found.low - (10.0 - 5.0 * 0.286)).abs() < 0.03, "{found:?}");
        assert!(
            (found.high - (10.0 - 5.0 * 0.131)).abs() < 0.03,
            "{found:?}"
        );
        let once = Mostly {
            others: 1.0,
            ..same
        };
        assert!(once.estimate().is_of_too_few());
    }
}
