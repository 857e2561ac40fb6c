//! Numbers of an opinion, fitted by self-play: which weights would have told best who won. What each number does to `evaluate` is found by
//! changing it a little, so that a game need not say how its opinion is made up.

use crate::calibrate::{Calibrated, Calibration, Noted, gather, judge};
use crate::parameter::Varied;
use crate::points::{Failed, Points};
use crate::runner::RunEnd;
use ludoteca::{
    Game, Match,
    definition::{Data, Definition},
};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A number is changed by this part of itself to see what it does.
const PART: i64 = 4;
/// How far a number may be expected to move, as a part of itself: what the games do not tell stays as it is.
const EXPECTED: f64 = 0.4;
/// The least and the most a number may become, as multiples of what it was.
const BETWEEN: (f64, f64) = (0.25, 4.0);
/// Steps of Newton's.
const STEPS: usize = 30;

/// A number of the opinion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Number {
    pub key: String,
    pub before: i64,
    pub after: i64,
}

/// What was fitted, and what it is worth: on the games from which it was not fitted.
#[derive(Debug, Clone)]
pub struct Fitted {
    pub numbers: Vec<Number>,
    pub before: Calibrated,
    pub after: Calibrated,
}

/// The whole numbers of a table, by their keys; those besides zero, since nothing is learned from what is switched off.
pub fn numbers_of(table: &str, definition: &Definition) -> Vec<(String, i64)> {
    let mut found = Vec::new();
    if let Some(data) = definition.tables.get(table) {
        gather_numbers(table, data, &mut found);
    }
    found
}

fn gather_numbers(key: &str, data: &Data, found: &mut Vec<(String, i64)>) {
    match data {
        Data::Int(number) if *number != 0 => found.push((key.to_string(), *number)),
        Data::Table(entries) => {
            for (name, entry) in entries {
                gather_numbers(&format!("{key}.{name}"), entry, found);
            }
        }
        _ => {}
    }
}

/// What `evaluate` says of a seat, and how much more with each number changed.
#[derive(Debug, Clone)]
struct Seen {
    value: i64,
    changes: Vec<i64>,
}

/// Plays, and fits the numbers to who won in every second game; the others tell what came of it.
pub fn fit(
    points: &Points,
    game: &Arc<Game>,
    numbers: &[(String, i64)],
    asked: &Calibration,
    stop: &AtomicBool,
    progress: impl Fn(u64) + Sync,
) -> Result<(Fitted, RunEnd), Failed> {
    let changed: Vec<Arc<Game>> = numbers
        .iter()
        .map(|(key, value)| {
            let values = vec![value + change(*value)];
            let varied = Varied {
                key: key.clone(),
                values: values.clone(),
            };
            points.game(&[varied], &values)
        })
        .collect::<Result<_, _>>()?;
    let tables = || -> Vec<Match> {
        let table = |game: &Arc<Game>| Match::empty(game.clone(), asked.players, 0);
        changed.iter().map(table).collect()
    };
    let note = |tables: &mut Vec<Match>, played: &mut Match| {
        let mut seen = Vec::with_capacity(played.table.players() as usize);
        for table in tables.iter_mut() {
            table.follow(played);
        }
        for seat in 0..played.table.players() {
            let value = played.evaluate(seat)?;
            let mut changes = Vec::with_capacity(tables.len());
            for table in tables.iter_mut() {
                changes.push(table.evaluate(seat)? - value);
            }
            seen.push(Seen { value, changes });
        }
        Ok(seen)
    };
    let (told, ended) = gather(game, asked, stop, progress, tables, note)?;
    let (learned, held): (Vec<_>, Vec<_>) = told.iter().enumerate().partition(|(n, _)| n % 2 == 0);
    let of = |games: Vec<(usize, _)>| games.into_iter().map(|(_, game)| game).collect();
    let (learned, held): (Vec<&Noted<Seen>>, Vec<&Noted<Seen>>) = (of(learned), of(held));
    let scale = judge(&valued(&learned, |seen| seen.value)).scale;
    let moved = regress(&learned, numbers, scale);
    let numbers: Vec<Number> = numbers
        .iter()
        .zip(&moved)
        .map(|((key, before), moved)| Number {
            key: key.clone(),
            before: *before,
            after: rounded(*before, *moved),
        })
        .collect();
    let after = |seen: &Seen| {
        let parts = numbers.iter().zip(&seen.changes);
        let more: f64 = parts
            .map(|(n, &c)| (n.after - n.before) as f64 / change(n.before) as f64 * c as f64)
            .sum();
        seen.value + more.round() as i64
    };
    let fitted = Fitted {
        before: judge(&valued(&held, |seen| seen.value)),
        after: judge(&valued(&held, after)),
        numbers,
    };
    Ok((fitted, ended))
}

/// By how much a number is changed to see what it does.
fn change(number: i64) -> i64 {
    (number / PART).abs().max(1)
}

/// A number moved by a part of itself; it keeps its sign, and does not vanish.
fn rounded(before: i64, moved: f64) -> i64 {
    let after = before as f64 * (1.0 + moved).clamp(BETWEEN.0, BETWEEN.1);
    let whole = after.round() as i64;
    if whole == 0 { before.signum() } else { whole }
}

fn valued(told: &[&Noted<Seen>], value: impl Fn(&Seen) -> i64) -> Vec<Noted<i64>> {
    let of = |position: &Vec<Seen>| position.iter().map(&value).collect();
    told.iter()
        .map(|game| Noted {
            positions: game.positions.iter().map(of).collect(),
            shares: game.shares.clone(),
        })
        .collect()
}

/// By what part of itself each number should move: chances are `exp(value / scale)` of each seat in proportion, and the numbers are those
/// under which who won was likeliest, held back by how far one may expect them to move.
fn regress(told: &[&Noted<Seen>], numbers: &[(String, i64)], scale: f64) -> Vec<f64> {
    let count = numbers.len() + 1;
    // The first is how much all of `evaluate` counts; it may move freely.
    let mut moved = vec![0.0; count];
    let held_back = 1.0 / (EXPECTED * EXPECTED);
    for _ in 0..STEPS {
        let mut slope = vec![0.0; count];
        let mut bend = vec![vec![0.0; count]; count];
        for n in 1..count {
            slope[n] = -held_back * moved[n];
            bend[n][n] = held_back;
        }
        bend[0][0] = 1e-6;
        for game in told.iter().filter(|game| !game.positions.is_empty()) {
            // A game counts as a handful of positions, however many it has: they are not independent.
            let counts = 4.0 / game.positions.len() as f64;
            for position in &game.positions {
                let features: Vec<Vec<f64>> = position
                    .iter()
                    .map(|seen| features(seen, numbers, scale))
                    .collect();
                learn(
                    &features,
                    &game.shares,
                    counts,
                    &moved,
                    &mut slope,
                    &mut bend,
                );
            }
        }
        let step = solve(bend, slope);
        for (moved, step) in moved.iter_mut().zip(step) {
            *moved += step.clamp(-0.5, 0.5);
        }
    }
    let all = 1.0 + moved[0];
    moved[1..]
        .iter()
        .map(|moved| moved / all.max(0.1))
        .collect()
}

/// What all of `evaluate` and each number bring a seat, in units in which a win becomes 2.7 times as likely.
fn features(seen: &Seen, numbers: &[(String, i64)], scale: f64) -> Vec<f64> {
    let whole = seen.value as f64 / scale;
    let parts = numbers.iter().zip(&seen.changes);
    let parts = parts
        .map(|((_, value), &more)| more as f64 * *value as f64 / change(*value) as f64 / scale);
    std::iter::once(whole).chain(parts).collect()
}

/// Adds what one position says to the slope and the bend of the likelihood.
fn learn(
    features: &[Vec<f64>],
    shares: &[f64],
    counts: f64,
    moved: &[f64],
    slope: &mut [f64],
    bend: &mut [Vec<f64>],
) {
    let dot = |of: &[f64]| of[0] + of.iter().zip(moved).map(|(x, m)| x * m).sum::<f64>();
    let values: Vec<f64> = features.iter().map(|of| dot(of)).collect();
    let most = values.iter().copied().fold(f64::MIN, f64::max);
    let weights: Vec<f64> = values.iter().map(|value| libm::exp(value - most)).collect();
    let total: f64 = weights.iter().sum();
    let count = moved.len();
    let mut mean = vec![0.0; count];
    for (of, weight) in features.iter().zip(&weights) {
        for n in 0..count {
            mean[n] += of[n] * weight / total;
        }
    }
    for ((of, weight), share) in features.iter().zip(&weights).zip(shares) {
        for n in 0..count {
            slope[n] += counts * share * (of[n] - mean[n]);
            for m in 0..count {
                bend[n][m] += counts * weight / total * (of[n] - mean[n]) * (of[m] - mean[m]);
            }
        }
    }
}

/// Solves a small system of linear equations.
fn solve(mut rows: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let count = right.len();
    for n in 0..count {
        let size = |m: &usize| rows[*m][n].abs();
        let pivot = (n..count)
            .max_by(|a, b| size(a).total_cmp(&size(b)))
            .unwrap_or(n);
        rows.swap(n, pivot);
        right.swap(n, pivot);
        if rows[n][n].abs() < 1e-12 {
            continue;
        }
        for m in (0..count).filter(|&m| m != n) {
            let times = rows[m][n] / rows[n][n];
            let (from, to) = match m < n {
                true => {
                    let (head, tail) = rows.split_at_mut(n);
                    (&tail[0], &mut head[m])
                }
                false => {
                    let (head, tail) = rows.split_at_mut(m);
                    (&head[n], &mut tail[0])
                }
            };
            for (to, from) in to.iter_mut().zip(from) {
                *to -= times * from;
            }
            right[m] -= times * right[n];
        }
    }
    let solved = |n: usize| match rows[n][n].abs() < 1e-12 {
        true => 0.0,
        false => right[n] / rows[n][n],
    };
    (0..count).map(solved).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two seats, two numbers: the first says nothing of who wins, the second everything.
    fn games() -> Vec<Noted<Seen>> {
        let game = |n: i64| {
            let noise = [n % 7, n * 5 % 7];
            let strength = [n * 3 % 11, n * 8 % 11];
            let seen = |seat: usize| Seen {
                value: 4 * noise[seat] + 4 * strength[seat],
                changes: vec![noise[seat], strength[seat]],
            };
            let first = if strength[0] > strength[1] { 1.0 } else { 0.0 };
            Noted {
                positions: vec![vec![seen(0), seen(1)]],
                shares: vec![first, 1.0 - first],
            }
        };
        (1..200).filter(|n| n % 11 != 0).map(game).collect()
    }

    #[test]
    fn what_tells_who_wins_gains_weight_over_what_does_not() {
        let told = games();
        let told: Vec<&Noted<Seen>> = told.iter().collect();
        let numbers = [("noise".to_string(), 4), ("strength".to_string(), 4)];
        let moved = regress(&told, &numbers, 10.0);
        assert!(moved[0] < -0.4, "{moved:?}");
        assert!(moved[1] > moved[0] + 0.4, "{moved:?}");
    }

    #[test]
    fn equations_are_solved() {
        let rows = vec![vec![0.0, 2.0], vec![3.0, 1.0]];
        assert_eq!(solve(rows, vec![4.0, 5.0]), [1.0, 2.0]);
    }

    #[test]
    fn a_number_keeps_its_sign_and_stays_in_bounds() {
        assert_eq!(rounded(10, 0.26), 13);
        assert_eq!(rounded(10, -3.0), 3);
        assert_eq!(rounded(-10, 9.0), -40);
        assert_eq!(rounded(1, -0.9), 1);
    }
}
