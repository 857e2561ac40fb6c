//! Differences of pairs: the same game on two sides. How large, how sure, and how many pairs would show one of a given size.

use super::mean::{FEWEST_OF_A_MEAN, deviations_of, is_lopsided};
use super::mostly::FEWEST_OTHERS;
use super::{Estimate, Running, Z, normal_above, student_above, student_two_sided};
use ludoteca::Stream;
use statrs::function::gamma::ln_gamma;

/// Chance to see a true difference that the pairs needed are worked out for.
pub const POWER: f64 = 0.9;
/// Pairs below which nothing is called a finding, nor its absence.
pub const FEWEST_PAIRS: u64 = 20;
/// Pairs that differ up to which chances are added up one by one; beyond, the normal distribution is as good.
const COUNTED: f64 = 200.0;
/// Differences that are kept, to draw runs to come from them.
const KEPT: usize = 20_000;
/// Pairs that are drawn, in all, to learn how much more, or less, their tails let runs show than even numbers would; and runs of them.
const DRAWN: usize = 600_000;
const RUNS: (usize, usize) = (200, 4000);
/// Looks at runs of different lengths, and how much farther each makes a difference seem than the one before.
const LOOKS: usize = 6;
const STEP: f64 = 1.25;
/// Pairs of a run that is drawn, at most: with more of them tails hardly matter.
const LONGEST: u64 = 1500;
/// Lopsidedness, and flatness beyond that of even numbers, from which tails matter.
const TAILED: (f64, f64) = (0.3, 0.7);
/// Flatness beyond which a few outliers say more than all other pairs.
const FLATTEST: f64 = 12.0;
/// Deviations of what may be true of rare pairs: tenths one, three, five, seven and nine of a normal number.
const LIKELY: [f64; 5] = [-1.282, -0.524, 0.0, 0.524, 1.282];
/// Errors by which pairs may agree more often than chance has it.
const COINCIDENCE: f64 = 3.0;
/// Nobody plays more pairs.
const MOST: u64 = 1 << 50;

/// Pairs of numbers, counted as they come.
#[derive(Debug, Clone, Default)]
pub struct Paired {
    pub sides: [Running; 2],
    pub differences: Running,
    /// The first of the differences.
    sample: Vec<f64>,
    /// Pairs that differ at all.
    apart: u64,
    /// Whether the numbers are shares, between 0 and 1.
    share: bool,
}

/// What is asked of the pairs: a true difference of this size, found at this level.
#[derive(Debug, Clone, Copy)]
pub struct Power {
    pub size: f64,
    /// Chance to find a difference where there is none that a finding may have.
    pub level: f64,
}

/// The chance of so many pairs to show something.
type Chances = Box<dyn Fn(u64) -> f64>;

/// What pairs show of a true difference of a size; nothing of one that is no size.
pub struct Prospect(Option<Chances>);

impl Prospect {
    /// Pairs needed to find it, nine times in ten.
    pub fn needed(&self) -> Option<u64> {
        fewest(self.0.as_ref()?)
    }

    /// How likely so many pairs show it.
    pub fn chance_in(&self, pairs: u64) -> f64 {
        self.0.as_ref().map_or(0.0, |chance| chance(pairs))
    }
}

/// Pairs that only say more, less or the same.
#[derive(Debug, Clone, Copy)]
struct Signs {
    more: f64,
    less: f64,
    pairs: f64,
    /// How much more or less.
    unit: f64,
}

impl Paired {
    pub fn new(share: bool) -> Paired {
        Paired {
            share,
            ..Paired::default()
        }
    }

    pub fn add(&mut self, first: f64, second: f64) {
        self.sides[0].add(first);
        self.sides[1].add(second);
        self.differences.add(second - first);
        if self.sample.len() < KEPT {
            self.sample.push(second - first);
        }
        self.apart += (first != second) as u64;
    }

    pub fn pairs(&self) -> u64 {
        self.differences.count
    }

    /// The pairs as signs, if those that differ all differ by as much.
    fn signs(&self) -> Option<Signs> {
        let values = self.differences.few_values()?;
        let mut units = values.iter().map(|(v, _)| v.abs()).filter(|&v| v > 0.0);
        let unit = units.next();
        if units.any(|other| Some(other) != unit) {
            return None;
        }
        let of_sign = |sign: f64| {
            let found = values.iter().filter(|(value, _)| value * sign > 0.0);
            found.map(|&(_, count)| count as f64).sum()
        };
        Some(Signs {
            more: of_sign(1.0),
            less: of_sign(-1.0),
            pairs: self.pairs() as f64,
            unit: unit.unwrap_or_else(|| self.unseen_unit()),
        })
    }

    /// Whether no pair can be farther apart than yes and no are.
    fn says_yes_or_no(&self) -> bool {
        let says = |side: &Running| side.is_yes_or_no() && side.min < side.max;
        let [first, second] = &self.sides;
        let either = first.is_yes_or_no() && second.is_yes_or_no();
        self.share || (either && (says(first) || says(second)))
    }

    /// How far apart two numbers of a pair would be, if no pair has differed so far: as far as numbers of one side are, or from nothing.
    fn unseen_unit(&self) -> f64 {
        let [first, second] = &self.sides;
        if self.share || (first.is_yes_or_no() && second.is_yes_or_no()) {
            return 1.0;
        }
        let varied = (first.max - first.min).max(second.max - second.min);
        match varied.max(first.mean().abs()) {
            nothing if nothing <= 0.0 => 1.0,
            unit => unit,
        }
    }

    /// Second less first, with its interval.
    pub fn estimate(&self) -> Estimate {
        let value = self.differences.mean();
        if self.pairs() == 0 {
            return Estimate::of_too_few(0.0);
        }
        match self.signs() {
            Some(signs)
                if self.says_yes_or_no() || self.differences.others() as f64 >= FEWEST_OTHERS =>
            {
                signs.interval(Z).scaled(0.0, signs.unit)
            }
            // One pair that is other than all the rest tells nothing of how far apart the next may be.
            Some(_) => Estimate::of_too_few(value),
            None if self.pairs() < FEWEST_OF_A_MEAN => Estimate::of_too_few(value),
            None => {
                let found = self.differences.estimate();
                match self.share {
                    true => Estimate {
                        value,
                        low: found.low.max(-1.0),
                        high: found.high.min(1.0),
                    },
                    false => found,
                }
            }
        }
    }

    /// How likely a difference like this, or a larger one, is where there is none.
    pub fn likelihood(&self) -> f64 {
        if let Some(signs) = self.signs() {
            let apart = signs.more + signs.less;
            return (2.0 * coins_at_least(apart, signs.more.max(signs.less))).min(1.0);
        }
        let away = self.differences.deviations_from(0.0);
        let likely = student_two_sided(away, self.pairs() as f64 - 1.0);
        likely.max(self.least_likelihood())
    }

    /// The least likelihood so many differing pairs could have: all of them to one side.
    pub fn least_likelihood(&self) -> f64 {
        least_likelihood(self.apart as f64)
    }

    /// What pairs like these show of a true difference of a size.
    pub fn prospect(&self, asked: Power) -> Prospect {
        Prospect(self.chances(asked))
    }

    /// The chance of so many pairs to show a difference of the size, as far as these pairs tell what pairs are like.
    fn chances(&self, asked: Power) -> Option<Chances> {
        let Power { size, level } = asked;
        if size <= 0.0 || !size.is_finite() || self.pairs() == 0 {
            return None;
        }
        if let Some(signs) = self.signs() {
            let size = self.likely_sign(size) * size;
            let rates = signs.likely().map(|signs| signs.rates(size));
            return Some(Box::new(move |pairs| {
                let chances = rates.iter();
                let chances = chances.map(|&(more, less)| sign_power(pairs, more, less, level));
                chances.sum::<f64>() / rates.len() as f64
            }));
        }
        let deviations = size / self.differences.deviation();
        let told = deviations * self.told_by_tails(deviations, asked);
        let unsure = self.unsure();
        Some(Box::new(move |pairs| {
            student_power(pairs, told, level, unsure)
        }))
    }

    /// How much farther from nothing a difference seems than its deviations say. Most runs hold few of the outliers that long tails owe their
    /// deviation to, and a lean is corrected for: so runs are drawn from the differences themselves, as long as the one that is wanted, and
    /// what they show of the size, away from the longer tail, where it is harder to see, is compared with what even numbers would.
    fn told_by_tails(&self, deviations: f64, asked: Power) -> f64 {
        if !self.is_tailed() || !deviations.is_finite() {
            return 1.0;
        }
        let mean = self.sample.iter().sum::<f64>() / self.sample.len() as f64;
        let sign = match is_lopsided(&self.sample, mean) {
            true => -self.differences.lopsidedness().signum(),
            false => self.likely_sign(asked.size),
        };
        // How far a difference of the size is seen, if it seems so many times as far as its deviations say: that decides how long a run is wanted.
        let seen = |told: f64, draws: usize| {
            let wanted = fewest(|pairs| student_power(pairs, deviations * told, asked.level, 0.0));
            let pairs = wanted.unwrap_or(LONGEST).min(LONGEST);
            let even = deviations_seen(pairs, asked.level, POWER);
            let size = sign * even / told * self.differences.deviation();
            self.seen_in_draws(draws, pairs as usize, size - mean, asked.level)
        };
        let mut told = 1.0;
        let too_short = seen(told, 0) < POWER;
        for _ in 0..LOOKS {
            let next = if too_short { told / STEP } else { told * STEP };
            let is_too_short = seen(next, 0) < POWER;
            told = next;
            if is_too_short != too_short {
                break;
            }
        }
        // It is seen nine times in ten between the last two, give or take: a line through what is seen there says where.
        let middle = if too_short {
            told * STEP.sqrt()
        } else {
            told / STEP.sqrt()
        };
        let mut line = Line::default();
        for look in 0..LOOKS {
            let along = 1.5 * (look as f64 / (LOOKS - 1) as f64 - 0.5);
            let seen = seen(middle * libm::pow(STEP, along), DRAWN / LOOKS);
            line.add(along, normal_above(1.0 - seen.clamp(0.02, 0.998)));
        }
        let at = line.meets(normal_above(1.0 - POWER)).unwrap_or(0.0);
        middle * libm::pow(STEP, at.clamp(-1.5, 1.5))
    }

    /// How little these pairs tell of the deviation of all: the square of its error, as a part of it.
    fn unsure(&self) -> f64 {
        (2.0 + self.flatness().clamp(0.0, FLATTEST)) / (4.0 * self.pairs() as f64)
    }

    fn is_tailed(&self) -> bool {
        self.differences.lopsidedness().abs() > TAILED.0 || self.flatness().abs() > TAILED.1
    }

    /// The fourth moment over the square of the second, less that of even numbers.
    fn flatness(&self) -> f64 {
        let n = self.sample.len() as f64;
        let mean = self.sample.iter().sum::<f64>() / n;
        let (two, four) = self.sample.iter().fold((0.0, 0.0), |(two, four), x| {
            let square = (x - mean) * (x - mean);
            (two + square, four + square * square)
        });
        match two > 0.0 {
            true => four * n / (two * two) - 3.0,
            false => 0.0,
        }
    }

    /// Whether pairs agree only as often as both sides happen to be what they usually are: then agreeing says nothing of what a change touches.
    fn agree_by_chance(&self) -> bool {
        let [Some((one, first)), Some((other, second))] = self.sides.each_ref().map(Running::usual)
        else {
            return false;
        };
        let pairs = self.pairs() as f64;
        let agree = 1.0 - self.apart as f64 / pairs;
        let chance = first * second;
        let error = (chance * (1.0 - chance) / pairs).sqrt();
        let vary = first < 1.0 && second < 1.0;
        one == other && vary && agree <= chance + COINCIDENCE * error
    }

    /// How often runs drawn from the differences show them, moved by so much. Pairs that agree, but for those that do so by chance, go on to
    /// agree: it is the others that would move a mean.
    fn seen_in_draws(&self, draws: usize, pairs: usize, moved: f64, level: f64) -> f64 {
        let by_chance = self.agree_by_chance();
        let differ = match by_chance {
            true => self.sample.len(),
            false => self.sample.iter().filter(|&&x| x != 0.0).count(),
        };
        let each = moved * self.sample.len() as f64 / differ.max(1) as f64;
        let runs = (draws / pairs).clamp(RUNS.0, RUNS.1);
        let mut luck = Stream::new(pairs as u64, "runs to come");
        let critical = student_above(level / 2.0, pairs as f64 - 1.0);
        let kept = self.sample.len() as u32;
        let mut drawn = vec![0.0; pairs];
        let seen = (0..runs).filter(|_| {
            for x in &mut drawn {
                let found = self.sample[luck.below(kept) as usize];
                *x = match found == 0.0 && !by_chance {
                    true => 0.0,
                    false => found + each,
                };
            }
            let apart = drawn.iter().filter(|&&x| x != 0.0).count();
            deviations_of(&drawn).abs() >= critical && least_likelihood(apart as f64) <= level
        });
        seen.count() as f64 / runs as f64
    }

    /// Whether a difference of the size would be a rise or a fall: as these pairs have it, but for shares that cannot rise or fall so far.
    fn likely_sign(&self, size: f64) -> f64 {
        let first = self.sides[0].mean();
        // A share that is 1 is measured as a little less or more.
        let ends = -0.25 * size..=1.0 + 0.25 * size;
        let can = |sign: f64| !self.share || ends.contains(&(first + sign * size));
        let seen = if self.differences.mean() < 0.0 {
            -1.0
        } else {
            1.0
        };
        match can(seen) || !can(-seen) {
            true => seen,
            false => -seen,
        }
    }
}

impl Signs {
    /// Tango's interval for the share that is more, less the share that is less.
    fn interval(&self, z: f64) -> Estimate {
        let value = (self.more - self.less) / self.pairs;
        let end = |mut inside: f64, mut outside: f64| {
            for _ in 0..60 {
                let middle = (inside + outside) / 2.0;
                if self.score(middle).abs() > z {
                    outside = middle;
                } else {
                    inside = middle;
                }
            }
            inside
        };
        Estimate {
            value,
            low: end(value, -1.0),
            high: end(value, 1.0),
        }
    }

    /// By how many errors the pairs miss a true difference.
    fn score(&self, difference: f64) -> f64 {
        let less = self.less_if(difference);
        let variance = self.pairs * (2.0 * less + difference * (1.0 - difference));
        let away = self.more - self.less - self.pairs * difference;
        match away.abs() < 1e-12 {
            true => 0.0,
            false => away / variance.max(1e-12).sqrt(),
        }
    }

    /// The likeliest share of pairs that are less, if the true difference is this.
    fn less_if(&self, difference: f64) -> f64 {
        let (n, d) = (self.pairs, difference);
        let a = 2.0 * n;
        let b = -self.more - self.less + (2.0 * n - self.more + self.less) * d;
        let c = -self.less * d * (1.0 - d);
        (((b * b - 4.0 * a * c).max(0.0).sqrt() - b) / (2.0 * a)).max(0.0)
    }

    /// As many pairs that differ as may be true, fewer and more: few of them tell little of how many there are (Jeffreys, by Wilson and Hilferty's
    /// approximation).
    fn likely(&self) -> [Signs; LIKELY.len()] {
        let seen = self.more + self.less + 0.5;
        LIKELY.map(|deviations| {
            let root = 1.0 - 1.0 / (9.0 * seen) + deviations / (3.0 * seen.sqrt());
            let part = root.max(0.0).powi(3);
            Signs {
                more: (self.more + 0.25) * part,
                less: (self.less + 0.25) * part,
                ..*self
            }
        })
    }

    /// The likeliest shares of pairs that are more and less, if the true difference is this.
    fn rates(&self, difference: f64) -> (f64, f64) {
        // A difference larger than the unit comes from pairs that are farther apart than any so far.
        let difference = (difference / self.unit).clamp(-1.0, 1.0);
        if difference < 0.0 {
            let swapped = Signs {
                more: self.less,
                less: self.more,
                ..*self
            };
            return swapped.rates(-difference * self.unit);
        }
        let less = self.less_if(difference).min((1.0 - difference) / 2.0);
        (less + difference, less)
    }
}

/// The fewest pairs with the power that is wanted.
fn fewest(chance: impl Fn(u64) -> f64) -> Option<u64> {
    let mut high = FEWEST_PAIRS;
    while chance(high) < POWER {
        high *= 2;
        if high > MOST {
            return None;
        }
    }
    let mut low = (high / 2).max(FEWEST_PAIRS);
    while low < high {
        let middle = (low + high) / 2;
        if chance(middle) < POWER {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    Some(high)
}

/// How likely so many differing pairs are all to one side, or all to the other, where nothing differs.
fn least_likelihood(apart: f64) -> f64 {
    libm::exp2(1.0 - apart).min(1.0)
}

/// A straight line through points, by least squares.
#[derive(Default)]
struct Line {
    count: f64,
    x: f64,
    y: f64,
    xx: f64,
    xy: f64,
}

impl Line {
    fn add(&mut self, x: f64, y: f64) {
        self.count += 1.0;
        self.x += x;
        self.y += y;
        self.xx += x * x;
        self.xy += x * y;
    }

    /// Where a falling line is at this height.
    fn meets(&self, y: f64) -> Option<f64> {
        let (x, mean) = (self.x / self.count, self.y / self.count);
        let slope = (self.xy - self.count * x * mean) / (self.xx - self.count * x * x);
        (slope < -1e-6).then(|| x + (y - mean) / slope)
    }
}

/// How likely at least so many of some fair coins show heads.
fn coins_at_least(coins: f64, heads: f64) -> f64 {
    let mut likely = 0.0;
    let mut count = heads;
    while count <= coins {
        let term = libm::exp(ways(coins, count) - coins * std::f64::consts::LN_2);
        likely += term;
        if term < 1e-18 * likely {
            break;
        }
        count += 1.0;
    }
    likely
}

/// The logarithm of the number of ways to take so many of some.
fn ways(all: f64, taken: f64) -> f64 {
    ln_gamma(all + 1.0) - ln_gamma(taken + 1.0) - ln_gamma(all - taken + 1.0)
}

/// The likelihood of exactly so many hits.
fn exactly(trials: f64, hits: f64, p: f64) -> f64 {
    if p <= 0.0 || p >= 1.0 {
        let certain = if p <= 0.0 { 0.0 } else { trials };
        return (hits == certain) as u8 as f64;
    }
    libm::exp(ways(trials, hits) + hits * libm::log(p) + (trials - hits) * libm::log1p(-p))
}

/// How likely the exact sign test finds that more pairs are more than less.
fn sign_power(pairs: u64, more: f64, less: f64, level: f64) -> f64 {
    let n = pairs as f64;
    let (either, difference) = (more + less, more - less);
    let expected = n * either;
    if expected > COUNTED {
        let critical = normal_above(level / 2.0) * expected.sqrt() + 1.0;
        let spread = (n * (either - difference * difference)).max(1e-12).sqrt();
        return normal_below((n * difference - critical) / spread);
    }
    let most = (expected + 9.0 * expected.sqrt() + 20.0).min(n);
    let mut chance = 0.0;
    let mut apart = 1.0;
    while apart <= most {
        let found = sign_found(apart, more / either, level / 2.0);
        if found > 0.0 {
            chance += exactly(n, apart, either) * found;
        }
        apart += 1.0;
    }
    chance
}

/// How likely so many coins, of which each shows heads with `p`, show more heads than fair ones would with the level's likelihood. Both
/// likelihoods go from all heads downwards, each from the one before.
fn sign_found(coins: f64, p: f64, level: f64) -> f64 {
    let mut fair = libm::exp2(-coins);
    let mut term = libm::pow(p, coins);
    let odds = (1.0 - p) / p;
    let (mut likely, mut found) = (0.0, 0.0);
    let mut heads = coins;
    while heads >= coins / 2.0 {
        likely += fair;
        if likely > level {
            break;
        }
        found += term;
        let ways = heads / (coins - heads + 1.0);
        fair *= ways;
        term *= ways * odds;
        heads -= 1.0;
    }
    found
}

fn normal_below(deviations: f64) -> f64 {
    libm::erfc(-deviations / std::f64::consts::SQRT_2) / 2.0
}

/// How likely Student's t finds a difference of so many deviations (Johnson and Welch), if these are known but for a part of them whose square is
/// `unsure`.
fn student_power(pairs: u64, deviations: f64, level: f64, unsure: f64) -> f64 {
    if pairs < 2 {
        return 0.0;
    }
    let n = pairs as f64;
    let freedom = n - 1.0;
    let critical = student_above(level / 2.0, freedom);
    let expected = deviations * n.sqrt() * (1.0 - 0.25 / freedom);
    let spread = 1.0 + critical * critical / (2.0 * freedom) + expected * expected * unsure;
    normal_below((expected - critical) / spread.sqrt())
}

/// The deviations a difference must have to be seen with this chance by Student's t.
fn deviations_seen(pairs: u64, level: f64, chance: f64) -> f64 {
    let (mut low, mut high) = (0.0, 100.0);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if student_power(pairs, middle, level, 0.0) < chance {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(share: bool, pairs: &[(f64, f64, usize)]) -> Paired {
        let mut paired = Paired::new(share);
        for &(first, second, times) in pairs {
            (0..times).for_each(|_| paired.add(first, second));
        }
        paired
    }

    /// Of 50 pairs 12 change one way and 2 the other: Tango's interval is 0.0611 to 0.3447.
    #[test]
    fn intervals_are_the_published_ones() {
        let pairs = [(0.0, 1.0, 12), (1.0, 0.0, 2), (1.0, 1.0, 36)];
        let found = of(true, &pairs).estimate();
        assert!((found.value - 0.2).abs() < 1e-9);
        assert!((found.low - 0.0611).abs() < 1e-3, "{found:?}");
        assert!((found.high - 0.3447).abs() < 1e-3, "{found:?}");
    }

    #[test]
    fn likelihoods_of_signs_are_exact() {
        let found = of(true, &[(0.0, 1.0, 9), (0.0, 0.0, 41)]);
        assert!((found.likelihood() - 2.0 / 512.0).abs() < 1e-12);
        assert_eq!(of(true, &[(0.0, 0.0, 50)]).likelihood(), 1.0);
        assert_eq!(of(true, &[(0.0, 1.0, 1), (1.0, 0.0, 1)]).likelihood(), 1.0);
    }

    /// Nothing seen in twenty games says little of rare events, and of games that never vary.
    #[test]
    fn what_was_never_seen_is_not_excluded() {
        let asked = Power {
            size: 0.02,
            level: 0.05,
        };
        let none = of(true, &[(0.0, 0.0, 20)]);
        let prospect = none.prospect(asked);
        assert!(prospect.chance_in(20) < 0.1);
        assert!(prospect.needed().is_some_and(|needed| needed > 300));
        assert!(none.estimate().high > 0.1);
        let same = of(false, &[(10.0, 10.0, 20)]);
        let asked = Power { size: 0.2, ..asked };
        assert!(same.prospect(asked).chance_in(20) < 0.1 && same.estimate().is_of_too_few());
        let once = of(false, &[(10.0, 10.0, 19), (10.0, 14.0, 1)]);
        assert!(once.estimate().is_of_too_few());
    }

    /// The normal distribution takes over from the exact sum without a jump.
    #[test]
    fn chances_go_on_where_counting_ends() {
        for (more, less) in [(0.02, 0.0), (0.15, 0.1), (0.03, 0.01)] {
            let border = (COUNTED / (more + less)) as u64;
            let before = sign_power(border - 1, more, less, 0.004);
            let after = sign_power(border + 2, more, less, 0.004);
            assert!(
                (before - after).abs() < 0.012,
                "{more} {less}: {before} {after}"
            );
        }
    }
}
