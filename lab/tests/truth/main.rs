//! What the lab promises, held against made-up games whose truth is known. The tests are small; `cargo test -p ludoteca-lab --test truth -- --ignored
//! --nocapture` measures every rate in 2,000 runs and prints the table of docs/lab.md.

mod family;
mod made_up;
mod means;
mod pooled;
mod shares;
mod tuning;

use made_up::{NUMBERS, OTHERS, Pairs, SCEPTICS, SELDOM, STRANGERS};

/// Runs of a small test: a rate of 5 % is measured to about ±2.2 % (two deviations).
const FEW: u64 = 400;
/// Runs of the full measurement: a rate of 5 % is measured to ±1 %, one of 90 % to ±1.3 %.
const MANY: u64 = 2000;

/// A promise, what was measured, and between what it must lie.
struct Rate {
    promise: &'static str,
    game: String,
    measured: f64,
    least: f64,
    most: f64,
}

impl Rate {
    fn new(promise: &'static str, game: String, measured: f64, bounds: (f64, f64)) -> Rate {
        Rate {
            promise,
            game,
            measured,
            least: bounds.0,
            most: bounds.1,
        }
    }

    /// Fails if the rate lies outside by more than chance explains in so many runs (three deviations).
    fn hold(&self, runs: u64) {
        let spread = |rate: f64| 3.0 * (rate * (1.0 - rate) / runs as f64).sqrt();
        let (least, most) = (self.least, self.most);
        assert!(
            self.measured >= least - spread(least) && self.measured <= most + spread(most),
            "{}, {}: {:.3} is not between {least} and {most}",
            self.promise,
            self.game,
            self.measured
        );
    }
}

fn hold(rates: Vec<Rate>, runs: u64) {
    rates.iter().for_each(|rate| rate.hold(runs));
}

/// Measures what is promised in full and prints it, a table of one promise for each test.
fn measure(rates: Vec<Rate>) {
    println!("| promise | made-up game | measured | must be |\n|---|---|---|---|");
    for rate in &rates {
        let must = match (rate.least, rate.most) {
            (least, most) if least <= 0.0 => format!("at most {:.1} %", most * 100.0),
            (least, most) if most >= 1.0 => format!("at least {:.1} %", least * 100.0),
            (least, most) => format!("{:.1} to {:.1} %", least * 100.0, most * 100.0),
        };
        println!(
            "| {} | {} | {:.1} % | {must} |",
            rate.promise,
            rate.game,
            rate.measured * 100.0
        );
    }
}

/// Every kind of pairs there is.
fn every_pairs() -> Vec<Pairs> {
    let all = Pairs::all().into_iter();
    all.chain(Pairs::others())
        .chain(Pairs::sceptics())
        .chain(Pairs::strangers())
        .collect()
}

/// Those in which what makes up for the rest is not too rare to be in any twenty pairs: of what was never seen nothing can be said.
fn known_pairs() -> Vec<Pairs> {
    let all = every_pairs().into_iter();
    all.filter(|pairs| !pairs.hides).collect()
}

fn intervals_of_means(runs: u64) -> Vec<Rate> {
    let mut rates = means::intervals(runs, &NUMBERS, &[20, 100]);
    rates.extend(means::intervals(runs, &OTHERS, &[20, 100]));
    rates.extend(means::intervals(runs, &SCEPTICS, &[20, 100]));
    rates.extend(means::intervals(runs, &STRANGERS, &[20, 100]));
    rates.extend(means::intervals_of_differences(runs, every_pairs()));
    rates
}

#[test]
#[ignore = "minutes: the whole measurement"]
fn intervals_in_full() {
    measure(shares::intervals(MANY));
    measure(intervals_of_means(MANY));
    measure(means::intervals(MANY / 2, &SCEPTICS, &[2000]));
    measure(means::intervals(MANY / 2, &STRANGERS, &[1000]));
    measure(means::intervals(MANY / 2, &SELDOM, &[20, 100, 400, 1000]));
}

#[test]
#[ignore = "minutes: the whole measurement"]
fn power_in_full() {
    measure(shares::power(MANY));
    measure(means::power(MANY, known_pairs()));
}

#[test]
#[ignore = "minutes: the whole measurement"]
fn verdicts_in_full() {
    measure(shares::verdicts(MANY / 4));
    measure(means::verdicts(MANY / 10, known_pairs()));
    measure(means::false_findings(MANY, known_pairs()));
}

#[test]
#[ignore = "minutes: the whole measurement"]
fn families_in_full() {
    measure(family::of_seats(MANY));
    measure(family::of_seats_together(MANY));
    measure(family::of_uneven_seats(MANY));
    measure(family::of_measures(MANY));
}

#[test]
#[ignore = "minutes: the whole measurement"]
fn sequential_tests_in_full() {
    measure(shares::sequential(MANY));
    measure(means::sequential(MANY, every_pairs()));
}

#[test]
#[ignore = "minutes: the whole measurement"]
fn pooled_in_full() {
    measure(pooled::all(MANY / 2));
}

#[test]
#[ignore = "minutes: the whole measurement"]
fn advice_in_full() {
    measure(tuning::advice(200));
    measure(tuning::small_gains(200));
}

#[test]
fn shares_hold() {
    hold(shares::intervals(FEW), FEW);
    hold(shares::power(FEW), FEW);
    hold(shares::sequential(FEW), FEW);
}

#[test]
fn means_hold() {
    let intervals = intervals_of_means(FEW);
    let all: f64 = intervals.iter().map(|rate| rate.measured).sum();
    let mean = all / intervals.len() as f64;
    assert!((0.945..0.965).contains(&mean), "on average {mean}");
    hold(intervals, FEW);
    hold(means::power(FEW / 2, Pairs::all()), FEW / 2);
}

#[test]
fn sequential_tests_hold() {
    hold(means::sequential(FEW, every_pairs()), FEW);
}

#[test]
fn verdicts_hold() {
    hold(means::verdicts(FEW / 8, Pairs::others()), FEW / 8);
    hold(means::false_findings(FEW, known_pairs()), FEW);
    hold(shares::verdicts(FEW / 2), FEW / 2);
}

#[test]
fn families_hold() {
    hold(family::of_measures(FEW), FEW);
    hold(family::of_seats(FEW), FEW);
    hold(family::of_seats_together(FEW), FEW);
    hold(family::of_uneven_seats(FEW), FEW);
}

#[test]
fn pooled_numbers_hold() {
    hold(pooled::all(FEW / 4), FEW / 4);
}

#[test]
fn advice_holds() {
    hold(tuning::advice(30), 30);
}
