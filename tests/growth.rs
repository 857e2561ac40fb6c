//! What a decision costs as maps, tables and matches grow. Operations are counted, never time: they are the same on every machine.

#[path = "growth/game.rs"]
mod game;

use game::cost;

/// A round of a long match costs what a round of a short one costs, and a position is as large.
#[test]
fn a_decision_costs_the_same_in_a_long_match() {
    let (short, long) = (cost(8, 4, 100), cost(8, 4, 1000));
    assert_eq!((short.rows, short.numbers), (long.rows, long.numbers));
    // Setting the table up is spread over more decisions.
    assert!(
        long.operations <= short.operations,
        "{short:?} then {long:?}"
    );
    assert!(
        long.operations * 2 > short.operations,
        "nothing was counted: {long:?}"
    );
}

/// Four times the spaces cost at most four times as much.
#[test]
fn a_decision_costs_at_most_in_proportion_to_the_map() {
    let costs = [8, 16, 32].map(|side| cost(side, 4, 100));
    for pair in costs.windows(2) {
        assert!(
            pair[1].operations <= 4 * pair[0].operations,
            "{:?} then {:?}",
            pair[0],
            pair[1]
        );
    }
}

/// Twice the players cost at most twice as much.
#[test]
fn a_decision_costs_at_most_in_proportion_to_the_players() {
    let costs = [2, 4, 8].map(|players| cost(16, players, 100));
    for pair in costs.windows(2) {
        assert!(
            pair[1].operations <= 2 * pair[0].operations,
            "{:?} then {:?}",
            pair[0],
            pair[1]
        );
    }
}
