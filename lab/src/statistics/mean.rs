//! Means of numbers that come one by one, and their intervals.

use super::mostly::{FEWEST_OTHERS, Mostly};
use super::share::{share, share_among, wilson};
use super::{Estimate, Z, normal_above, student_above};
use ludoteca::Stream;

/// Below so many numbers a mean has no interval: nothing is known of how lopsided they are.
pub const FEWEST_OF_A_MEAN: u64 = 10;
/// Numbers that are kept for drawing samples from them; with more of them their moments say enough.
const KEPT: usize = 400;
/// Samples drawn from the numbers themselves.
const SAMPLES: u32 = 999;
/// Lopsidedness from which Student's t alone would hold the true mean too rarely.
const LOPSIDED: f64 = 0.4;
/// Deviations of the cubes' sum, by their own squares, from which a tail on one side is no accident.
const LEANS: f64 = 1.5;
/// By how much the fourth moment of two heaps may exceed the least there can be.
const HEAPS: f64 = 0.6;
/// How much rarer the long end of an interval is made to be missed, over the count of numbers.
const UNSEEN: f64 = 0.2;
/// Samples that happen to be almost constant tell nothing more than that an end is far away.
const FARTHEST: f64 = 15.0;
/// Numbers among which a tail on one side may be an accident or not, and the part of it that they do not show, times their count.
const FEW: usize = 100;
const HIDDEN: f64 = 10.0;
/// Different values that are told apart: with so few of them numbers are counted instead.
const VALUES: usize = 3;

/// Mean and spread of numbers that come one by one (Welford's way, stable for long runs).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Running {
    pub count: u64,
    mean: f64,
    squares: f64,
    cubes: f64,
    pub min: f64,
    pub max: f64,
    /// The first of them.
    kept: Vec<f64>,
    /// How often each value came, while there are few.
    values: Vec<(f64, u64)>,
    many_values: bool,
    /// The number that more than half of the first are, and how many of all are that one.
    usual: Option<(f64, u64)>,
}

impl Running {
    pub fn add(&mut self, x: f64) {
        if self.count == 0 {
            (self.min, self.max) = (x, x);
        }
        self.count += 1;
        let n = self.count as f64;
        let before = x - self.mean;
        let step = before / n;
        let square = before * step * (n - 1.0);
        self.cubes += square * step * (n - 2.0) - 3.0 * step * self.squares;
        self.squares += square;
        self.mean += step;
        self.min = self.min.min(x);
        self.max = self.max.max(x);
        if self.kept.len() < KEPT {
            self.kept.push(x);
            if self.kept.len() == KEPT {
                self.usual = most_of(&self.kept);
            }
        } else if let Some((usual, times)) = &mut self.usual
            && *usual == x
        {
            *times += 1;
        }
        self.tell_apart(x);
    }

    fn tell_apart(&mut self, x: f64) {
        if self.many_values {
            return;
        }
        let known = self.values.len();
        match self.values.iter_mut().find(|(value, _)| *value == x) {
            Some((_, count)) => *count += 1,
            None if known < VALUES => self.values.push((x, 1)),
            None => self.many_values = true,
        }
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

    /// The third moment over the cube of the deviation: 0 for numbers that lie alike on both sides of their mean.
    pub fn lopsidedness(&self) -> f64 {
        let n = self.count as f64;
        let variance = self.squares / n.max(1.0);
        if variance <= 0.0 {
            return 0.0;
        }
        self.cubes / n / variance.powf(1.5)
    }

    /// Every value and how often it came, if there are three or fewer.
    pub fn few_values(&self) -> Option<&[(f64, u64)]> {
        (!self.many_values && self.count > 0).then_some(&self.values)
    }

    /// Numbers that are not the usual one: all of them, unless more than half are the same.
    pub fn others(&self) -> u64 {
        self.mostly()
            .map_or(self.count, |mostly| mostly.others as u64)
    }

    /// Whether every number so far says yes (1) or no (0).
    pub fn is_yes_or_no(&self) -> bool {
        let yes_or_no = |values: &[(f64, u64)]| values.iter().all(|&(v, _)| v == 0.0 || v == 1.0);
        self.few_values().is_some_and(yes_or_no)
    }

    /// The mean with its interval.
    pub fn estimate(&self) -> Estimate {
        if self.count == 0 {
            return Estimate::of_too_few(0.0);
        }
        let n = self.count as f64;
        let varied = self.few_values().is_none_or(|values| values.len() > 1);
        if varied && self.is_yes_or_no() {
            return share((self.mean * n).round(), n);
        }
        if self.count < FEWEST_OF_A_MEAN {
            return Estimate::of_too_few(self.mean);
        }
        match (self.few_values(), self.mostly()) {
            // Whatever else such a number can be, it was never seen.
            (Some(&[_]), _) => Estimate::of_too_few(self.mean),
            (Some(&[(one, ones), (other, others)]), _)
                if ones.min(others) as f64 >= FEWEST_OTHERS =>
            {
                let (low, high, hits) = match one < other {
                    true => (one, other, others),
                    false => (other, one, ones),
                };
                share(hits as f64, n).scaled(low, high - low)
            }
            (_, Some(mostly)) => mostly.estimate(),
            _ if self.lopsidedness().abs() < LOPSIDED => self.student(),
            _ if self.is_two_heaps() => self.student().half_way_to(self.hall(Z)),
            _ if self.count as usize > KEPT => self.leaning(self.hall(Z)),
            _ => self.leaning(self.bootstrap()),
        }
    }

    /// Whether the numbers lie in two heaps, or against an end: lopsided, but without a tail. Their fourth moment is as small as their lopsidedness lets
    /// it be (Pearson).
    fn is_two_heaps(&self) -> bool {
        let (two, four) = self.kept.iter().fold((0.0, 0.0), |(two, four), x| {
            let square = (x - self.mean) * (x - self.mean);
            (two + square, four + square * square)
        });
        let flat = four * self.kept.len() as f64 / (two * two);
        flat - self.lopsidedness().powi(2) - 1.0 < HEAPS
    }

    /// Whether a long tail is on one side or on both cannot be told from few numbers. So the end where it is lies as far out as either way has
    /// it, and the other one half-way between Student's and the one that leans.
    fn leaning(&self, leant: Estimate) -> Estimate {
        let (even, up) = (self.student(), self.lopsidedness() > 0.0);
        let half = even.half_way_to(leant);
        Estimate {
            value: self.mean,
            low: if up {
                half.low
            } else {
                even.low.min(leant.low)
            },
            high: if up {
                even.high.max(leant.high)
            } else {
                half.high
            },
        }
    }

    /// The number that more than half of them are, and how much of them.
    pub(super) fn usual(&self) -> Option<(f64, f64)> {
        let mostly = self.mostly()?;
        Some((mostly.usual, 1.0 - mostly.others / mostly.count))
    }

    /// What is known of the numbers if more than half of them are the same.
    fn mostly(&self) -> Option<Mostly> {
        let (usual, times) = match self.count as usize <= KEPT {
            true => most_of(&self.kept)?,
            false => self.usual?,
        };
        let (count, times) = (self.count as f64, times as f64);
        let others = count - times;
        if 2.0 * times <= count {
            return None;
        }
        let away = (self.mean - usual) * count / others.max(1.0);
        let around = |x: f64| (x - self.mean) * (x - self.mean);
        let squares = self.squares - times * around(usual) - others * around(usual + away);
        Some(Mostly {
            usual,
            count,
            others,
            away,
            squares: squares.max(0.0),
            one_sided: self.min >= usual || self.max <= usual,
        })
    }

    /// The mean of numbers between 0 and 1 with its interval: shares that count in parts, such as a win that is divided.
    pub fn estimate_of_share(&self) -> Estimate {
        let counted = |hits: f64, n: f64| share(hits, n);
        self.share_with(counted, Z)
    }

    /// The same among several shares that are looked at together: all their intervals hold in 95 of 100 samples.
    pub fn estimate_among(&self, family: usize) -> Estimate {
        let counted = |hits: f64, n: f64| share_among(hits, n, family);
        self.share_with(counted, normal_above(0.025 / family.max(1) as f64))
    }

    fn share_with(&self, counted: impl Fn(f64, f64) -> Estimate, z: f64) -> Estimate {
        if self.count == 0 || self.is_yes_or_no() {
            let n = self.count as f64;
            return counted((self.mean * n).round(), n);
        }
        // Parts vary less than yes and no do: as many games of yes and no as would be as sure. One game of each kind is added to what was
        // seen, so that numbers that never varied are not taken for certain.
        let (n, p) = (self.count as f64, self.mean);
        let unseen = p * p + (1.0 - p) * (1.0 - p);
        let variance = (self.squares + unseen) / (n + 2.0);
        let worth = (n * p * (1.0 - p) / variance).max(1.0);
        wilson(p, worth, z)
    }

    fn error(&self) -> f64 {
        self.deviation() / (self.count.max(1) as f64).sqrt()
    }

    fn student(&self) -> Estimate {
        let half = student_above(0.025, self.count as f64 - 1.0) * self.error();
        Estimate {
            value: self.mean,
            low: self.mean - half,
            high: self.mean + half,
        }
    }

    /// Hall's transformation: the interval leans to where the long tail is.
    fn hall(&self, z: f64) -> Estimate {
        let n = (self.count as f64).sqrt();
        let skew = self.lopsidedness();
        let back = |z: f64| {
            if skew.abs() < 1e-6 {
                return z;
            }
            3.0 * n / skew * ((1.0 + skew / n * (z - skew / (6.0 * n))).cbrt() - 1.0)
        };
        Estimate {
            value: self.mean,
            low: self.mean - back(z) * self.error(),
            high: self.mean - back(-z) * self.error(),
        }
    }

    /// How far the mean is from `truth` in errors; corrected for lopsidedness (Hall's transformation) where that is beyond doubt.
    pub(super) fn deviations_from(&self, truth: f64) -> f64 {
        let error = self.error();
        if error <= 0.0 {
            return match self.mean == truth {
                true => 0.0,
                false => f64::INFINITY.copysign(self.mean - truth),
            };
        }
        let n = self.count as f64;
        let leans = leans_enough(&self.kept, self.mean);
        leant(
            (self.mean - truth) / error,
            leans.then(|| lean(self.lopsidedness(), n)),
        )
    }

    /// A studentized bootstrap: how far samples drawn from the numbers lie from their mean, each by its own spread.
    fn bootstrap(&self) -> Estimate {
        let n = self.kept.len();
        let mut luck = Stream::new(n as u64, "bootstrap");
        let mut away: Vec<f64> = (0..SAMPLES)
            .map(|_| {
                let mut drawn = Spread::default();
                for _ in 0..n {
                    drawn.add(self.kept[luck.below(n as u32) as usize] - self.mean);
                }
                drawn.studentized()
            })
            .collect();
        away.sort_unstable_by(f64::total_cmp);
        let at = |share: f64| away[((SAMPLES as f64 + 1.0) * share) as usize - 1];
        // Few numbers show less of a long tail than there is of it.
        let tail = 0.025 - UNSEEN / n as f64;
        let (short, long) = match self.lopsidedness() < 0.0 {
            true => (0.025, 1.0 - tail),
            false => (tail, 0.975),
        };
        Estimate {
            value: self.mean,
            low: self.mean - at(long) * self.error(),
            high: self.mean - at(short) * self.error(),
        }
    }
}

/// The number that more than half of some are, and how many (Boyer and Moore's vote).
fn most_of(numbers: &[f64]) -> Option<(f64, u64)> {
    let mut leader = (f64::NAN, 0u64);
    for &x in numbers {
        match leader {
            (_, 0) => leader = (x, 1),
            (usual, votes) if usual == x => leader.1 = votes + 1,
            (_, votes) => leader.1 = votes - 1,
        }
    }
    let times = numbers.iter().filter(|&&x| x == leader.0).count();
    (2 * times > numbers.len()).then_some((leader.0, times as u64))
}

/// Whether the longer tail is on one side more surely than outliers to either side would have it.
pub(super) fn is_lopsided(numbers: &[f64], mean: f64) -> bool {
    let cubes = numbers.iter().map(|x| (x - mean).powi(3));
    let (sum, squares) = cubes.fold((0.0, 0.0), |(sum, squares), cube| {
        (sum + cube, squares + cube * cube)
    });
    sum * sum > LEANS * LEANS * squares
}

/// Whether a lean is taken off: where it is no accident, and where numbers are too few to tell.
fn leans_enough(numbers: &[f64], mean: f64) -> bool {
    numbers.len() <= FEW || is_lopsided(numbers, mean)
}

/// How far lopsided numbers move a mean's distance in errors. Few numbers show less lopsidedness than there is.
fn lean(lopsidedness: f64, n: f64) -> f64 {
    lopsidedness * (1.0 + HIDDEN / n) / n.sqrt()
}

/// Student's t as it is, or as near to 0 as a lean brings it.
fn leant(t: f64, lean: Option<f64>) -> f64 {
    let Some(lean) = lean else { return t };
    let leant = t + lean / 3.0 * t * t + lean * lean / 27.0 * t.powi(3) + lean / 6.0;
    leant.abs().min(t.abs())
}

/// How far the mean of numbers is from 0 in errors, as [`Running`] has it.
pub(super) fn deviations_of(numbers: &[f64]) -> f64 {
    let n = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / n;
    let (squares, cubes) = numbers.iter().fold((0.0, 0.0), |(squares, cubes), x| {
        let away = x - mean;
        (squares + away * away, cubes + away * away * away)
    });
    let error = (squares / (n - 1.0) / n).sqrt();
    if error <= 0.0 {
        return f64::INFINITY.copysign(mean);
    }
    let leans = leans_enough(&numbers[..numbers.len().min(KEPT)], mean);
    let skew = || cubes / n / (squares / n).powf(1.5);
    leant(mean / error, leans.then(|| lean(skew(), n)))
}

/// Sums of one drawn sample.
#[derive(Default)]
struct Spread {
    count: f64,
    sum: f64,
    squares: f64,
}

impl Spread {
    fn add(&mut self, x: f64) {
        self.count += 1.0;
        self.sum += x;
        self.squares += x * x;
    }

    fn studentized(&self) -> f64 {
        let mean = self.sum / self.count;
        let variance = (self.squares / self.count - mean * mean).max(0.0) / (self.count - 1.0);
        match mean / variance.sqrt() {
            away if away.is_nan() => 0.0,
            away => away.clamp(-FARTHEST, FARTHEST),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(numbers: &[f64]) -> Running {
        let mut running = Running::default();
        numbers.iter().for_each(|&x| running.add(x));
        running
    }

    #[test]
    fn running_mean_and_deviation() {
        let running = of(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]);
        assert!((running.mean() - 5.0).abs() < 1e-12);
        assert!((running.deviation() - 2.138).abs() < 1e-3);
        assert_eq!((running.min, running.max), (2.0, 9.0));
        // The third moment: (-27 - 1 - 1 - 1 + 0 + 0 + 8 + 64) / 8 = 5.25, over 2 cubed.
        assert!((running.lopsidedness() - 5.25 / 8.0).abs() < 1e-12);
    }

    #[test]
    fn an_interval_fits_what_the_numbers_are() {
        assert!(of(&[1.5, 2.5, 9.0]).estimate().is_of_too_few());
        assert!(Running::default().estimate().is_of_too_few());
        // Yes and no, also under another name and on another scale.
        let yes: Vec<f64> = (0..20).map(|n| (n < 5) as u8 as f64).collect();
        assert_eq!(of(&yes).estimate(), share(5.0, 20.0));
        let scaled: Vec<f64> = yes.iter().map(|x| 10.0 + 4.0 * x).collect();
        assert_eq!(of(&scaled).estimate(), share(5.0, 20.0).scaled(10.0, 4.0));
        // What never varied, or only once, tells nothing of what else it may be.
        assert!(of(&[0.0; 20]).estimate().is_of_too_few());
        assert!(of(&[10.0; 20]).estimate().is_of_too_few());
        let once: Vec<f64> = (0..20).map(|n| if n == 7 { 4.0 } else { 0.0 }).collect();
        assert!(of(&once).estimate().is_of_too_few());
        // Mostly nothing: the few others say how far up it may be, and nothing lies below.
        let few: Vec<f64> = (0..20)
            .map(|n| if n % 7 == 3 { n as f64 } else { 0.0 })
            .collect();
        let few = of(&few).estimate();
        assert!(few.low >= 0.0 && few.low < 0.3 && few.high > 3.0, "{few:?}");
        // Even numbers: Student's.
        let even = of(&(0..20).map(f64::from).collect::<Vec<_>>());
        let half = student_above(0.025, 19.0) * even.error();
        assert!((even.estimate().high - 9.5 - half).abs() < 1e-9);
        // A long tail: the interval leans to it.
        let tail = of(&(0..30).map(|n| 1.2f64.powi(n)).collect::<Vec<_>>()).estimate();
        assert!(
            tail.high - tail.value > 1.3 * (tail.value - tail.low),
            "{tail:?}"
        );
    }

    #[test]
    fn parts_of_a_win_vary_less_than_wins() {
        let halves = of(&[0.5; 40]).estimate_of_share();
        let wins = share(20.0, 40.0);
        assert!(
            halves.high - halves.low < 0.5 * (wins.high - wins.low),
            "{halves:?}"
        );
        assert!(halves.high > 0.52, "{halves:?}");
    }
}
