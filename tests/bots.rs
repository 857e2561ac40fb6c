//! A bot that looks one step ahead must beat one that does not look at all.

use ludoteca::bots::Bot;
use ludoteca::content::library::Selection;
use ludoteca_lab::simulate::{self, Plan};
use ludoteca_tests::{game, library};

/// Fixed seeds, seats changed half way: greedy is to win at least 70 % over many games, so 10 of 16 at the very least here.
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
        let plan = Plan::new(2, bots, 500, 8);
        let records = simulate::simulate(&conquista, &plan, &Default::default(), |_| {}).unwrap();
        records
            .iter()
            .filter(|record| record.winners == [seat])
            .count()
    })
    .sum();
    assert!(wins >= 10, "greedy won {wins} of 16 games");
}
