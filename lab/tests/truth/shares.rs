//! Shares: their intervals, what a comparison would have seen, and sequential tests.

use crate::Rate;
use crate::made_up::{Luck, YesOrNo, rate};
use ludoteca_lab::sequential::{FALSE_ALARM, MISS, Sequential, TestVerdict};
use ludoteca_lab::statistics::{Paired, Power, share};

/// Ten measures are looked at together, in these tests.
const LEVEL: f64 = 0.005;

const ASKED: [YesOrNo; 7] = [
    asked(0.5, 0.1, 0.5),
    asked(0.3, 0.05, 0.3),
    asked(0.02, 0.02, 0.0),
    asked(0.02, 0.02, 0.8),
    asked(0.0, 0.02, 0.0),
    asked(0.97, 0.02, 0.5),
    asked(0.01, 0.1, 0.0),
];

const fn asked(chance: f64, more: f64, shared: f64) -> YesOrNo {
    YesOrNo {
        chance,
        more,
        shared,
    }
}

/// Chances come in jumps, so that no interval of few games is always right 95 times in 100: none is below 93.5, and on average over all shares
/// it is 95.
pub fn intervals(runs: u64) -> Vec<Rate> {
    let mut rates = Vec::new();
    for games in [20, 50, 200, 2000] {
        let covered = rate(runs, |run| {
            let mut luck = Luck::new(run, "shares");
            let truth = luck.fraction();
            let hits = (0..games).filter(|_| luck.comes(truth)).count();
            share(hits as f64, games as f64).holds(truth)
        });
        let game = format!("any share, {games} games");
        rates.push(Rate::new(
            "95 % intervals of shares",
            game,
            covered,
            (0.935, 0.965),
        ));
        for truth in [0.002, 0.01, 0.03, 0.1, 0.97, 0.998] {
            let covered = rate(runs, |run| {
                let mut luck = Luck::new(run, "rare");
                let hits = (0..games).filter(|_| luck.comes(truth)).count();
                share(hits as f64, games as f64).holds(truth)
            });
            let game = format!("{} %, {games} games", truth * 100.0);
            rates.push(Rate::new(
                "95 % intervals of shares",
                game,
                covered,
                (0.935, 1.0),
            ));
        }
    }
    for pair in ASKED {
        let covered = rate(runs, |run| {
            let paired = played(pair, 50, run);
            paired.estimate().holds(pair.more)
        });
        let game = format!("{}, 50 pairs", pair.name());
        rates.push(Rate::new(
            "95 % intervals of differences",
            game,
            covered,
            (0.935, 1.0),
        ));
    }
    rates
}

fn played(pair: YesOrNo, pairs: u64, run: u64) -> Paired {
    let mut luck = Luck::new(run, "pairs");
    let mut paired = Paired::new(true);
    for _ in 0..pairs {
        let (first, second) = pair.draw(&mut luck);
        paired.add(first, second);
    }
    paired
}

/// In as many games as it takes, a difference of the size is found nine times in ten; in twenty nothing is excluded that could not be seen.
pub fn power(runs: u64) -> Vec<Rate> {
    let mut rates = Vec::new();
    for pair in ASKED {
        let asked = Power {
            size: pair.more,
            level: LEVEL,
        };
        let needed = played(pair, 40_000, 0).prospect(asked).needed().unwrap();
        let seen = rate(runs, |run| {
            played(pair, needed, run + 1).likelihood() <= LEVEL
        });
        let game = format!("{}, {needed} pairs", pair.name());
        let promise = "a difference of the size is seen";
        rates.push(Rate::new(promise, game, seen, (0.88, 0.92)));
        let no = rate(runs, |run| {
            let paired = played(pair, 20, run);
            let enough = paired
                .prospect(asked)
                .needed()
                .is_some_and(|needed| needed <= 20);
            paired.likelihood() > LEVEL && enough
        });
        let game = format!("{}, 20 pairs", pair.name());
        let promise = "“no” though there is a difference";
        rates.push(Rate::new(promise, game, no, (0.0, 0.1)));
    }
    rates
}

/// In as many games as a hundred others said, a difference of the size is found. A hundred games tell little of rare things: it is a forecast.
pub fn verdicts(runs: u64) -> Vec<Rate> {
    let mut rates = Vec::new();
    for pair in ASKED {
        let (size, level) = (pair.more, LEVEL);
        let seen = rate(runs, |run| {
            let none = YesOrNo { more: 0.0, ..pair };
            let before = played(none, 100, 1_000_000 + run);
            let needed = before.prospect(Power { size, level }).needed().unwrap();
            played(pair, needed, run + 1).likelihood() <= LEVEL
        });
        let promise = "it is seen in as many pairs as a hundred others said";
        rates.push(Rate::new(promise, pair.name(), seen, (0.75, 1.0)));
    }
    rates
}

pub fn sequential(runs: u64) -> Vec<Rate> {
    let mut rates = Vec::new();
    for (chance, size, shared) in [(0.5, 0.05, 0.5), (0.02, 0.02, 0.0), (0.005, 0.01, 0.5)] {
        for more in [0.0, size] {
            let pair = asked(chance, more, shared);
            let mut missed = 0;
            let wrong = rate(runs, |run| {
                let (verdict, held) = settled(pair, size, run);
                missed += u64::from(!held);
                match more > 0.0 {
                    true => verdict != TestVerdict::Higher,
                    false => verdict != TestVerdict::NoDifference,
                }
            });
            let (promise, most) = match more > 0.0 {
                true => ("sequential test: a difference is missed", MISS),
                false => ("sequential test: a false alarm", FALSE_ALARM),
            };
            rates.push(Rate::new(promise, pair.name(), wrong, (0.0, most)));
            let missed = missed as f64 / runs as f64;
            let promise = "its interval is wrong at any moment";
            rates.push(Rate::new(promise, pair.name(), missed, (0.0, 0.05)));
        }
    }
    rates
}

/// What a sequential test says, and whether its interval held all the way.
fn settled(pair: YesOrNo, size: f64, run: u64) -> (TestVerdict, bool) {
    let mut luck = Luck::new(run, "sequential");
    let mut test = Sequential::new(size, true);
    let mut held = true;
    while test.verdict() == TestVerdict::Open && test.differences.count < 1_000_000 {
        let (first, second) = pair.draw(&mut luck);
        test.add(second - first);
        held &= test.interval().holds(pair.more);
    }
    (test.verdict(), held)
}
