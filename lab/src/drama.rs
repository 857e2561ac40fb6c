//! How a game was to live through: when it was decided, who came back, who ran away with it, how long one waits. Everything here is read from
//! one record, and defined in one sentence in docs/lab.md.

use crate::record::Record;
use ludoteca::close_look::leader;

/// Moments of a record: the sixteenths of a game but the last.
const SIXTEENTHS: f64 = 16.0;
/// A chance below which somebody cannot win any more, for practical purposes.
const LOST: f64 = 0.05;
/// Two chances that are so near to each other are open.
const OPEN: f64 = 0.1;

/// The moment at so many sixteenths.
fn at(record: &Record, sixteenths: usize) -> Option<&[Option<i64>]> {
    let values = &record.close.as_ref()?.values;
    values
        .get(sixteenths - 1)
        .map(Vec::as_slice)
        .filter(|values| !values.is_empty())
}

fn leader_at(record: &Record, sixteenths: usize) -> Option<u8> {
    leader(at(record, sixteenths)?)
}

/// The only winner.
fn winner(record: &Record) -> Option<u8> {
    match record.winners[..] {
        [one] => Some(one),
        _ => None,
    }
}

/// Everybody's chance at a moment, by what `evaluate` says of each; nothing for who is out.
pub fn chances(values: &[Option<i64>], scale: f64) -> Vec<f64> {
    let most = values.iter().flatten().copied().max().unwrap_or(0);
    let weight = |value: &Option<i64>| {
        value.map_or(0.0, |value| {
            libm::exp(value.saturating_sub(most) as f64 / scale)
        })
    };
    let weights: Vec<f64> = values.iter().map(weight).collect();
    let total: f64 = weights.iter().sum();
    weights
        .iter()
        .map(|weight| weight / total.max(1e-300))
        .collect()
}

/// The part of the game after which whoever won led alone to its end.
pub fn decided_at(record: &Record) -> Option<f64> {
    let winner = winner(record)?;
    let moments = record.close.as_ref()?.values.len();
    if moments == 0 {
        return None;
    }
    let last_without = (1..=moments)
        .rev()
        .find(|&moment| leader_at(record, moment) != Some(winner));
    Some(last_without.map_or(0.0, |moment| (moment + 1) as f64 / SIXTEENTHS))
}

/// Somebody else led alone at half-time and at three quarters.
pub fn is_comeback(record: &Record) -> Option<bool> {
    let winner = winner(record)?;
    let (half, later) = (at(record, 8)?, at(record, 12)?);
    let behind = |values: &[Option<i64>]| leader(values).is_some_and(|seat| seat != winner);
    Some(behind(half) && behind(later))
}

/// Whoever led alone at a quarter led alone at every later moment, and won.
pub fn is_runaway(record: &Record) -> Option<bool> {
    let winner = winner(record)?;
    at(record, 4)?;
    let all = (4..=record.close.as_ref()?.values.len())
        .all(|moment| leader_at(record, moment) == Some(winner));
    Some(all)
}

/// How much is decided at half-time: 0 if all chances are even, 1 if somebody is certain to win.
pub fn decisiveness(record: &Record, scale: f64) -> Option<f64> {
    let values = at(record, 8)?;
    let seats = values.len() as f64;
    let most = chances(values, scale).into_iter().fold(0.0, f64::max);
    (seats > 1.0).then(|| ((most - 1.0 / seats) / (1.0 - 1.0 / seats)).max(0.0))
}

/// Choices of others between two of one's own, on average.
pub fn downtime(record: &Record) -> Option<f64> {
    let waits = &record.close.as_ref()?.waits;
    let (choices, times) = waits.iter().fold((0, 0), |(choices, times), wait| {
        (choices + wait.choices, times + wait.times)
    });
    (times > 0).then(|| f64::from(choices) / f64::from(times))
}

/// At three quarters the two best were within ten points of each other, and somebody had less than five: who cannot win any more may decide
/// who does.
pub fn is_kingmaking(record: &Record, scale: f64) -> Option<bool> {
    let values = at(record, 12)?;
    if values.len() < 3 {
        return None;
    }
    let mut sorted = chances(values, scale);
    // Who is out decides nothing any more.
    let lost = values
        .iter()
        .zip(&sorted)
        .any(|(value, &chance)| value.is_some() && chance < LOST);
    sorted.sort_by(|a, b| b.total_cmp(a));
    Some(lost && sorted[0] - sorted[1] <= OPEN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludoteca::{Close, Wait};

    /// A made-up game of which only the course is known: at each sixteenth, what was said of each seat.
    fn game(winner: u8, course: &[[i64; 3]; 15]) -> Record {
        let values = course.iter().map(|v| v.iter().map(|&v| Some(v)).collect());
        Record {
            winners: vec![winner],
            close: Some(Close {
                values: values.collect(),
                waits: vec![
                    Wait {
                        choices: 6,
                        times: 2,
                        longest: 4,
                    },
                    Wait {
                        choices: 3,
                        times: 1,
                        longest: 3,
                    },
                    Wait::default(),
                ],
                ..Close::default()
            }),
            ..Record::default()
        }
    }

    /// The first leads up to a moment, the second from then on.
    fn turned(moment: usize) -> [[i64; 3]; 15] {
        std::array::from_fn(|n| if n < moment { [10, 0, 0] } else { [0, 10, 0] })
    }

    #[test]
    fn the_drama_of_made_up_games() {
        // A walkover: decided before it began.
        let walkover = game(0, &turned(15));
        assert_eq!(decided_at(&walkover), Some(0.0));
        assert_eq!(
            (is_runaway(&walkover), is_comeback(&walkover)),
            (Some(true), Some(false))
        );
        // The lead changes after 12 of 16 parts: the second comes back.
        let late = game(1, &turned(12));
        assert_eq!(decided_at(&late), Some(13.0 / 16.0));
        assert_eq!(
            (is_runaway(&late), is_comeback(&late)),
            (Some(false), Some(true))
        );
        // It changes early, and stays.
        let early = game(1, &turned(3));
        assert_eq!(decided_at(&early), Some(0.25));
        assert_eq!(
            (is_runaway(&early), is_comeback(&early)),
            (Some(true), Some(false))
        );
        // Whoever won was never seen to lead.
        assert_eq!(decided_at(&game(2, &turned(3))), Some(1.0));
        assert_eq!(downtime(&late), Some(3.0));
        assert_eq!(decided_at(&Record::default()), None);
    }

    #[test]
    fn chances_and_what_follows_from_them() {
        let even = game(0, &[[5, 5, 5]; 15]);
        assert!(decisiveness(&even, 10.0).unwrap() < 1e-9);
        let certain = game(0, &[[1000, 0, 0]; 15]);
        assert!(decisiveness(&certain, 10.0).unwrap() > 0.99);
        assert_eq!(is_kingmaking(&certain, 10.0), Some(false));
        assert_eq!(is_kingmaking(&even, 10.0), Some(false));
        let open = game(0, &[[100, 100, 0]; 15]);
        assert_eq!(is_kingmaking(&open, 10.0), Some(true));
    }
}
