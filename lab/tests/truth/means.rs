//! Means: their intervals, what a comparison would have seen, and sequential tests, with tails short and long.

use crate::Rate;
use crate::made_up::{Luck, Numbers, Pairs, rate};
use ludoteca_lab::sequential::{FALSE_ALARM, MISS, Sequential, TestVerdict};
use ludoteca_lab::statistics::{Power, Running};

/// Ten measures are looked at together, in these tests.
const LEVEL: f64 = 0.005;

pub fn intervals(runs: u64, all: &[Numbers], pairs: Vec<Pairs>) -> Vec<Rate> {
    let mut rates = Vec::new();
    for numbers in all {
        for games in [20, 100] {
            let covered = rate(runs, |run| {
                let mut luck = Luck::new(run, numbers.name);
                let mut found = Running::default();
                (0..games).for_each(|_| found.add((numbers.draw)(&mut luck)));
                found.estimate().holds(numbers.mean)
            });
            let game = format!("{}, {games} games", numbers.name);
            let promise = "95 % intervals of means";
            rates.push(Rate::new(promise, game, covered, (0.925, 1.0)));
        }
    }
    for pairs in pairs {
        let covered = rate(runs, |run| pairs.played(0.0, 50, run).estimate().holds(0.0));
        let game = format!("{}, 50 pairs", pairs.name);
        let promise = "95 % intervals of differences";
        rates.push(Rate::new(promise, game, covered, (0.925, 1.0)));
    }
    rates
}

/// In as many pairs as it takes a difference is found nine times in ten.
pub fn power(runs: u64, all: Vec<Pairs>) -> Vec<Rate> {
    let mut rates = Vec::new();
    for pairs in all {
        // A size that takes some hundred pairs.
        let size = pairs.played(0.0, 20_000, 0).differences.deviation() * 0.3;
        let asked = Power { size, level: LEVEL };
        let before = pairs.played(0.0, 20_000, 0);
        let needed = before.prospect(asked).needed().unwrap();
        let seen = rate(runs, |run| {
            pairs.played(size, needed, run + 1).likelihood() <= LEVEL
        });
        let game = format!("{}, {needed} pairs", pairs.name);
        let promise = "a difference of the size is seen";
        rates.push(Rate::new(promise, game, seen, (0.88, 0.92)));
    }
    rates
}

/// What is said after a run of a hundred pairs, where there is a difference of the size: that there is none, and how many pairs would show it.
pub fn verdicts(runs: u64, all: Vec<Pairs>) -> Vec<Rate> {
    let mut rates = Vec::new();
    for pairs in all {
        let deviation = pairs.played(0.0, 20_000, 0).differences.deviation();
        for (parts, few) in [(0.3, 100), (0.6, 30), (0.8, 60)] {
            let size = deviation * parts;
            let asked = Power { size, level: LEVEL };
            let no = rate(runs, |run| {
                let paired = pairs.played(size, few, run + 1);
                let needed = paired.prospect(asked).needed();
                paired.likelihood() > LEVEL && needed.is_some_and(|needed| needed <= few)
            });
            let game = format!("{}, {few} pairs", pairs.name);
            let promise = "“no” though there is a difference";
            rates.push(Rate::new(promise, game, no, (0.0, 0.1)));
        }
        let size = deviation * 0.3;
        let asked = Power { size, level: LEVEL };
        let seen = rate(runs, |run| {
            let before = pairs.played(0.0, 100, 1_000_000 + run);
            let needed = before.prospect(asked).needed().unwrap();
            pairs.played(size, needed, run + 1).likelihood() <= LEVEL
        });
        let promise = "it is seen in as many pairs as a hundred others said";
        rates.push(Rate::new(promise, pairs.name.into(), seen, (0.86, 0.95)));
    }
    rates
}

pub fn sequential(runs: u64, all: Vec<Pairs>) -> Vec<Rate> {
    let mut rates = Vec::new();
    for pairs in all {
        let size = pairs.played(0.0, 20_000, 0).differences.deviation() * 0.3;
        for more in [0.0, size] {
            let (mut missed, mut games) = (0, 0);
            let wrong = rate(runs, |run| {
                let mut luck = Luck::new(run, pairs.name);
                let mut test = Sequential::new(size, false);
                let mut held = true;
                while test.verdict() == TestVerdict::Open && test.differences.count < 100_000 {
                    let (first, second) = pairs.draw(&mut luck, more);
                    test.add(second - first);
                    held &= test.interval().holds(more);
                }
                games += test.differences.count;
                missed += u64::from(!held);
                match more > 0.0 {
                    true => test.verdict() != TestVerdict::Higher,
                    false => test.verdict() != TestVerdict::NoDifference,
                }
            });
            let (promise, most) = match more > 0.0 {
                true => ("sequential test: a difference is missed", MISS),
                false => ("sequential test: a false alarm", FALSE_ALARM),
            };
            let game = format!("{}, {} pairs on average", pairs.name, games / runs);
            rates.push(Rate::new(promise, game, wrong, (0.0, most)));
            let missed = missed as f64 / runs as f64;
            let promise = "its interval is wrong at any moment";
            rates.push(Rate::new(promise, pairs.name.into(), missed, (0.0, 0.05)));
        }
    }
    rates
}
