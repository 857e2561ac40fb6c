//! Means: their intervals, what a comparison would have seen, and sequential tests, with tails short and long.

use crate::Rate;
use crate::made_up::{Luck, Numbers, Pairs, rate};
use ludoteca_lab::sequential::{FALSE_ALARM, MISS, Sequential, TestVerdict};
use ludoteca_lab::statistics::{Estimate, Power, Running};

/// Ten measures are looked at together, in these tests.
const LEVEL: f64 = 0.005;

/// Runs that say how many pairs it takes.
const ASKED: u64 = 10;

/// How often intervals must hold the true mean: as near to 95 of 100 as lopsided numbers let them.
const HELD: (f64, f64) = (0.925, 0.98);

/// Of the runs that give an interval, how many hold the true mean; and how many give none, as too few numbers are other than most.
fn held(runs: u64, interval: impl Fn(u64) -> Estimate, truth: f64) -> (f64, f64) {
    let given: Vec<Estimate> = (0..runs)
        .map(interval)
        .filter(|found| !found.is_of_too_few())
        .collect();
    let held = given.iter().filter(|found| found.holds(truth)).count();
    let share = |part: usize, of: u64| part as f64 / of.max(1) as f64;
    (share(held, given.len() as u64), share(given.len(), runs))
}

pub fn intervals(runs: u64, all: &[Numbers], games: &[u64]) -> Vec<Rate> {
    let mut rates = Vec::new();
    for numbers in all {
        for &games in games {
            let interval = |run: u64| {
                let mut luck = Luck::new(run, numbers.name);
                let mut found = Running::default();
                (0..games).for_each(|_| found.add((numbers.draw)(&mut luck)));
                found.estimate()
            };
            let (held, given) = held(runs, interval, numbers.mean);
            rates.extend(told(
                "95 % intervals of means",
                format!("{}, {games} games", numbers.name),
                (held, given),
            ));
        }
    }
    rates
}

pub fn intervals_of_differences(runs: u64, all: Vec<Pairs>) -> Vec<Rate> {
    let mut rates = Vec::new();
    for pairs in all {
        let (held, given) = held(runs, |run| pairs.played(0.0, 50, run).estimate(), 0.0);
        rates.extend(told(
            "95 % intervals of differences",
            format!("{}, 50 pairs", pairs.name),
            (held, given),
        ));
    }
    rates
}

/// What is promised of those that are given, if they are more than a few.
fn told(promise: &'static str, game: String, (held, given): (f64, f64)) -> Option<Rate> {
    let game = match given < 1.0 {
        true => format!("{game}; too few in {:.0} %", 100.0 * (1.0 - given)),
        false => game,
    };
    (given > 0.5).then(|| Rate::new(promise, game, held, HELD))
}

/// In as many pairs as it takes a difference is found nine times in ten, up and down; where one of them is harder to see, in that direction.
pub fn power(runs: u64, all: Vec<Pairs>) -> Vec<Rate> {
    let mut rates = Vec::new();
    for pairs in all {
        let (mut most, mut least) = (0, u64::MAX);
        let mut seen = [0.0; 2];
        for asking in 0..ASKED {
            // A size that takes some hundred pairs.
            let before = pairs.played(0.0, 20_000, asking);
            let size = before.differences.deviation() * 0.3;
            let asked = Power { size, level: LEVEL };
            let needed = before.prospect(asked).needed().unwrap();
            (least, most) = (least.min(needed), most.max(needed));
            for (seen, sign) in seen.iter_mut().zip([1.0, -1.0]) {
                *seen += rate(runs / ASKED, |run| {
                    let run = ASKED + asking * runs + run;
                    pairs.played(sign * size, needed, run).likelihood() <= LEVEL
                });
            }
        }
        let game = format!("{}, {least} to {most} pairs", pairs.name);
        let promise = "a difference of the size is seen";
        let seen = seen[0].min(seen[1]) / ASKED as f64;
        rates.push(Rate::new(promise, game, seen, (0.88, 0.92)));
    }
    rates
}

/// Where nothing differs but the shape, at the level of one measure among ten.
pub fn false_findings(runs: u64, all: Vec<Pairs>) -> Vec<Rate> {
    let mut rates = Vec::new();
    for pairs in all {
        for few in [20, 50, 200] {
            let found = rate(runs, |run| pairs.played(0.0, few, run).likelihood() <= 0.05);
            let game = format!("{}, {few} pairs", pairs.name);
            let promise = "one measure differs by a test of 5 %, though it does not";
            rates.push(Rate::new(promise, game, found, (0.0, 0.05)));
        }
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
