//! Numbers that many things of each game are put together for: seats, offers, steps. What comes out of one game hangs together, so games are put
//! into parts, and each part is left out once to see how much the number hangs on it (the jackknife).

use super::{Estimate, Z, normal_above, share, share_missing, student_above};

/// Parts that games are put into.
pub const PARTS: usize = 20;

/// Sums of some columns, part by part.
#[derive(Debug, Clone, Default)]
pub struct Parted {
    rows: Vec<Vec<f64>>,
}

impl Parted {
    pub fn add(&mut self, part: usize, column: usize, amount: f64) {
        if self.rows.len() <= part {
            self.rows.resize_with(part + 1, Vec::new);
        }
        let row = &mut self.rows[part];
        if row.len() <= column {
            row.resize(column + 1, 0.0);
        }
        row[column] += amount;
    }

    /// A column's sum over all parts, or over all but one.
    pub fn sum(&self, column: usize, without: Option<usize>) -> f64 {
        let rows = self.rows.iter().enumerate();
        let kept = rows.filter(|(part, _)| Some(*part) != without);
        kept.filter_map(|(_, row)| row.get(column)).sum()
    }

    pub fn total(&self, column: usize) -> f64 {
        self.sum(column, None)
    }

    /// How many columns there are.
    pub fn columns(&self) -> usize {
        self.rows.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// Parts in which there is something of a column.
    pub fn parts_with(&self, column: usize) -> usize {
        let has = |row: &&Vec<f64>| row.get(column).is_some_and(|sum| *sum > 0.0);
        self.rows.iter().filter(has).count()
    }
}

/// How much a number varies from run to run, and how surely that is known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    pub variance: f64,
    pub freedom: f64,
}

impl Spread {
    /// Half of an interval that holds the true number in 95 of 100 runs.
    pub fn half(&self) -> f64 {
        student_above(0.025, self.freedom) * self.variance.sqrt()
    }
}

/// The spread of a number, given from all games or without one part of them. `games` says how many there are in each part, which need not be as
/// many (Busing, Meijer and van der Leeden's way).
pub fn spread(games: &[u64], of: impl Fn(Option<usize>) -> Option<f64>) -> Option<Spread> {
    let all = of(None)?;
    let count: u64 = games.iter().sum();
    let parts: Vec<(f64, f64)> = (0..games.len())
        .filter(|&part| games[part] > 0)
        .map(|part| Some((count as f64 / games[part] as f64, of(Some(part))?)))
        .collect::<Option<_>>()?;
    if parts.len() < 2 {
        return None;
    }
    let left: f64 = parts.iter().map(|(times, w)| (1.0 - 1.0 / times) * w).sum();
    let centre = parts.len() as f64 * all - left;
    let squares = parts.iter().map(|(times, without)| {
        let pseudo = times * all - (times - 1.0) * without;
        (pseudo - centre).powi(2) / (times - 1.0)
    });
    Some(Spread {
        variance: squares.sum::<f64>() / parts.len() as f64,
        freedom: parts.len() as f64 - 1.0,
    })
}

/// A share of things that come several to a game: hits and trials, part by part, and how many games have any of them. It is as sure as the share of
/// so many single trials as would vary as much.
pub fn share_of_many(
    games: &[u64],
    hits: impl Fn(Option<usize>) -> f64,
    trials: impl Fn(Option<usize>) -> f64,
    with_any: f64,
) -> Estimate {
    pooled(games, hits, trials, with_any, Z, share)
}

/// The same where one asks about one end alone: each end by itself holds in 95 of 100 samples.
pub fn bound_of_many(
    games: &[u64],
    hits: impl Fn(Option<usize>) -> f64,
    trials: impl Fn(Option<usize>) -> f64,
    with_any: f64,
) -> Estimate {
    let of = |hits, trials| share_missing(hits, trials, 0.1);
    pooled(games, hits, trials, with_any, normal_above(0.05), of)
}

/// What lies beyond `z` is as likely on both sides as what `share` leaves out.
fn pooled(
    games: &[u64],
    hits: impl Fn(Option<usize>) -> f64,
    trials: impl Fn(Option<usize>) -> f64,
    with_any: f64,
    z: f64,
    share: impl Fn(f64, f64) -> Estimate,
) -> Estimate {
    let all = trials(None);
    if all <= 0.0 {
        return share(0.0, 0.0);
    }
    let value = hits(None) / all;
    let part = |without| {
        let trials = trials(without);
        (trials > 0.0).then(|| hits(without) / trials)
    };
    let binomial = value * (1.0 - value);
    let worth = match spread(games, part) {
        // What never varied may yet vary from game to game, and not within one.
        _ if binomial <= 0.0 => with_any.min(all),
        Some(found) if found.variance > 0.0 => {
            let beyond = libm::erfc(z / std::f64::consts::SQRT_2) / 2.0;
            let wider = student_above(beyond, found.freedom) / z;
            // Things of one game can make up for each other, no more than fully.
            (binomial / found.variance / (wider * wider)).min(all * all / with_any.max(1.0))
        }
        Some(_) => all,
        None => return Estimate::of_too_few(value),
    };
    Estimate {
        value,
        ..share(value * worth, worth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of a plain mean, the jackknife's spread is the textbook's, also where parts are unlike.
    #[test]
    fn the_spread_of_a_mean_is_the_known_one() {
        let numbers = [3.0, 5.0, 4.0, 8.0, 6.0, 1.0];
        let mean = |without: Option<usize>| {
            let kept = (0..numbers.len()).filter(|n| Some(*n) != without);
            let kept: Vec<f64> = kept.map(|n| numbers[n]).collect();
            Some(kept.iter().sum::<f64>() / kept.len() as f64)
        };
        let found = spread(&[1; 6], mean).unwrap();
        // Variance 5.9, of six numbers.
        assert!((found.variance - 5.9 / 6.0).abs() < 1e-9, "{found:?}");
        assert_eq!(found.freedom, 5.0);
        assert_eq!(spread(&[6], |_| Some(1.0)), None);
    }

    /// Things that are the same all through a game are worth one trial a game.
    #[test]
    fn a_share_knows_what_hangs_together() {
        let mut sums = Parted::default();
        let mut games = [0; PARTS];
        for game in 0..200usize {
            let part = game % PARTS;
            games[part] += 1;
            let hits = if game / PARTS % 2 == part % 2 {
                10.0
            } else {
                0.0
            };
            sums.add(part, 0, hits);
            sums.add(part, 1, 10.0);
        }
        let sums = &sums;
        let of = |column: usize| move |without| sums.sum(column, without);
        let never = share_of_many(&games, |_| 0.0, of(1), 200.0);
        assert_eq!((never.low, never.high), (0.0, share(0.0, 200.0).high));
        assert_eq!(sums.parts_with(0), PARTS);
        let even = share_of_many(&games, of(0), of(1), 200.0);
        // Parts that are all alike tell nothing of what hangs together: every hit counts.
        assert!(even.low > 0.47 && even.high < 0.53, "{even:?}");
    }
}
