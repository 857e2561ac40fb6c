//! What a decision costs as maps, tables and matches grow, in operations: the same numbers `tests/growth.rs` holds to.

#[path = "../../tests/growth/game.rs"]
mod game;

use crate::report::{Aim, Report};
use game::{Cost, cost};

pub fn all(report: &mut Report) {
    report.heading("operations a decision, as things grow");
    let mut times = |key: &str, what: &str, small: u64, large: u64, most: f64| {
        let grown = large as f64 / small.max(1) as f64;
        report.add(&format!("growth.{key}"), what, grown, Aim::Below(most));
    };
    let [small, middle, large] = [8, 16, 32].map(|side| cost(side, 4, 100).operations);
    times("256", "256 spaces to 64", small, middle, 4.01);
    times("1024", "1,024 spaces to 256", middle, large, 4.01);
    let [two, four, eight] = [2, 4, 8].map(|players| cost(16, players, 100).operations);
    times("four", "four players to two", two, four, 2.01);
    times("eight", "eight players to four", four, eight, 2.01);
    let [short, long] = [100, 1000].map(|rounds| cost(8, 4, rounds));
    let size = |cost: &Cost| (cost.rows + cost.numbers) as u64;
    times(
        "rounds",
        "1,000 rounds to 100",
        short.operations,
        long.operations,
        1.01,
    );
    let what = "size of a position, 1,000 rounds to 100";
    times("position", what, size(&short), size(&long), 1.01);
}
