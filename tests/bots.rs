//! A bot that looks one step ahead must beat one that does not look at all.

use ludoteca::bots::Bot;
use ludoteca::content::library::Selection;
use ludoteca_lab::simulate::{self, Plan};
use ludoteca_tests::{game, library};

/// Games each way round, and wins of greedy that a coin reaches in one of 5,000 tries: a bot that does not look ahead does not pass.
const GAMES: u64 = 10;
const WINS: usize = 18;

#[test]
fn greedy_beats_random_at_conquista() {
    let conquista = game(&library(), "conquista", &Selection::default());
    let wins: usize = [
        vec![Bot::Greedy, Bot::Random],
        vec![Bot::Random, Bot::Greedy],
    ]
    .into_iter()
    .map(|bots| {
        let seat = bots.iter().position(|bot| *bot == Bot::Greedy).unwrap_or(0) as u8;
        let plan = Plan::new(2, bots, 500, GAMES);
        let records = simulate::simulate(&conquista, &plan, &Default::default(), |_| {}).unwrap();
        records
            .iter()
            .filter(|record| record.winners == [seat])
            .count()
    })
    .sum();
    assert!(wins >= WINS, "greedy won {wins} of {} games", 2 * GAMES);
}
