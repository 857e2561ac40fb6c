//! Who wins and loses together: the seats of each side, or each seat for itself.

use ludoteca::{Game, Match};
use std::sync::Arc;

/// The party of each seat, numbered in the order of their first seats.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parties(Vec<usize>);

impl Parties {
    /// As they are at a table now.
    pub fn at(played: &Match) -> Parties {
        let mut parties = Vec::with_capacity(played.table.players() as usize);
        let mut count = 0;
        for seat in 0..played.table.players() {
            let first = played.table.first_of_side(seat);
            parties.push(match first == seat {
                true => {
                    count += 1;
                    count - 1
                }
                false => parties[first as usize],
            });
        }
        Parties(parties)
    }

    /// As the game declares them: where it deals sides during setup, each seat stands for itself.
    pub fn declared(game: &Arc<Game>, players: u8) -> Parties {
        Parties::at(&Match::empty(game.clone(), players, 0))
    }

    pub fn count(&self) -> usize {
        self.0.iter().max().map_or(0, |last| last + 1)
    }

    /// Whether everybody wins or nobody: nobody plays against anybody.
    pub fn are_one(&self) -> bool {
        self.count() == 1
    }

    pub fn of(&self, seat: u8) -> usize {
        self.0[seat as usize]
    }

    /// What of each seat stands for its party: the first one's.
    pub fn firsts<T>(&self, of_seats: Vec<T>) -> Vec<T> {
        let mut met = 0;
        let seats = self.0.iter().zip(of_seats);
        let firsts = seats.filter_map(|(&party, what)| {
            let is_first = party == met;
            met += usize::from(is_first);
            is_first.then_some(what)
        });
        firsts.collect()
    }

    /// What part of the win each party has, if these seats have won.
    pub fn shares(&self, winners: &[u8]) -> Vec<f64> {
        let mut shares = vec![0.0; self.count()];
        for &seat in winners {
            shares[self.of(seat)] = 1.0;
        }
        let all: f64 = shares.iter().sum();
        shares.iter().map(|share| share / all.max(1.0)).collect()
    }
}
