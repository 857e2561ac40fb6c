//! What became of the content in the games that were looked at closely: who used what, and how much more whoever did won.

use crate::findings::{Dominated, ItemFinding};
use crate::record::{ContentItem, Record};
use crate::statistics::{Estimate, PARTS, Parted, Spread, share_of_many, spread};
use ludoteca::{Close, close_look::Use};

/// Seats with and without something, in positions alike, from which its impact is told.
const FEWEST_IN_PLACE: f64 = 10.0;
/// Parts of the games in which somebody has to have used it, at least.
const FEWEST_PARTS: usize = 5;
/// Ways a seat may stand after a quarter of the game.
const STANDINGS: usize = 5;
/// Offers from which it can be said that something is taken always or never.
const OFTEN: f64 = 30.0;

/// The columns of all seats: seats, wins, and then seats and wins in each position.
const SEATS: usize = 0;
const WON: usize = 1;
const PLACED: usize = 2;

/// The columns of an item. Of seats that took it and of seats that played it: seats, wins, games.
const OFFERED: usize = 0;
const OFFERED_GAMES: usize = 1;
const TAKEN: usize = 2;
const PLAYED: usize = 3;
const TAKERS: usize = 4;
const PLAYERS: usize = 7;

/// The uses of all content, part by part of the games.
#[derive(Debug, Clone)]
pub struct Uses {
    games: [u64; PARTS],
    all: Parted,
    items: Vec<ItemUses>,
}

#[derive(Debug, Clone, Default)]
struct ItemUses {
    sums: Parted,
    /// Seats that used it, by position.
    positions: Parted,
    example: Option<u64>,
    /// The last games in which it was offered, taken, played: each counts once.
    last: [Option<u64>; 3],
}

impl Uses {
    pub fn new(items: usize) -> Uses {
        Uses {
            games: [0; PARTS],
            all: Parted::default(),
            items: vec![ItemUses::default(); items],
        }
    }

    pub fn add(&mut self, record: &Record, close: &Close, part: usize) {
        self.games[part] += 1;
        for seat in 0..record.scores.len() as u8 {
            // A side wins as one and counts once for each of its seats.
            let won = record.won(seat);
            let position = position(close, seat);
            self.all.add(part, SEATS, 1.0);
            self.all.add(part, WON, won);
            self.all.add(part, PLACED + 2 * position, 1.0);
            self.all.add(part, PLACED + 2 * position + 1, won);
        }
        for seen in &close.uses {
            if let Some(item) = self.items.get_mut(seen.item as usize) {
                item.add(record, seen, position(close, seen.seat), part);
            }
        }
    }

    /// Cards of the box, and whatever else was offered or played.
    pub fn findings(&self, items: &[ContentItem]) -> Vec<ItemFinding> {
        let all = items.iter().zip(&self.items);
        all.filter(|(item, uses)| item.copies > 0 || uses.came_up())
            .map(|(item, uses)| self.finding(item, uses))
            .collect()
    }

    fn finding(&self, item: &ContentItem, uses: &ItemUses) -> ItemFinding {
        let played = uses.sums.total(PLAYED) > 0.0;
        let users = if played { PLAYERS } else { TAKERS };
        let (seats, won, games) = (users, users + 1, users + 2);
        let of = |column: usize| move |without| uses.sums.sum(column, without);
        let all = |column: usize| move |without| self.all.sum(column, without);
        let others = |all: usize, used: usize| {
            move |without| self.all.sum(all, without) - uses.sums.sum(used, without)
        };
        let with_any = uses.sums.total(games);
        let every: f64 = self.games.iter().sum::<u64>() as f64;
        let known = |found: Estimate, seats: f64| (seats > 0.0).then_some(found);
        ItemFinding {
            id: item.id.clone(),
            kind: item.kind.clone(),
            name: item.name.clone(),
            offered: uses.sums.total(OFFERED) as u64,
            taken: uses.sums.total(TAKEN) as u64,
            played: uses.sums.total(PLAYED) as u64,
            use_share: share_of_many(&self.games, of(seats), all(SEATS), every),
            wins_with: known(
                share_of_many(&self.games, of(won), of(seats), with_any),
                uses.sums.total(seats),
            ),
            wins_without: known(
                share_of_many(&self.games, others(WON, won), others(SEATS, seats), every),
                others(SEATS, seats)(None),
            ),
            impact: self.impact(uses),
            example: uses.example,
        }
    }

    /// What is taken in more than nine of ten offers, or in fewer than one of twenty, beyond doubt.
    pub fn dominated(&self, items: &[ContentItem]) -> Vec<Dominated> {
        let all = items.iter().zip(&self.items);
        let often = all.filter(|(_, uses)| uses.sums.total(OFFERED) >= OFTEN);
        often
            .filter_map(|(item, uses)| {
                let of = |column: usize| move |without| uses.sums.sum(column, without);
                let games = uses.sums.total(OFFERED_GAMES);
                let taken = share_of_many(&self.games, of(TAKEN), of(OFFERED), games);
                let (always, never) = (taken.low > 0.9, taken.high < 0.05);
                (always || never).then(|| Dominated {
                    id: item.id.clone(),
                    kind: item.kind.clone(),
                    name: item.name.clone(),
                    always,
                    offered: uses.sums.total(OFFERED) as u64,
                })
            })
            .collect()
    }

    /// Wins with something less wins without it, position by position (Mantel and Haenszel's weights). Seats of one game are not independent, so its
    /// error is what leaving out parts of the games tells.
    fn impact(&self, uses: &ItemUses) -> Option<Estimate> {
        let all = self
            .compared(uses, None)
            .filter(|c| c.weights >= FEWEST_IN_PLACE)?;
        let parts = uses.positions.parts_with(SEATS);
        if parts < FEWEST_PARTS {
            return None;
        }
        let found = spread(&self.games, |without| {
            Some(self.compared(uses, without)?.difference)
        })?;
        // Parts in which nobody used it tell nothing of those who do.
        let known = Spread {
            variance: found.variance + all.unseen,
            freedom: found.freedom.min(parts as f64 - 1.0),
        };
        let half = known.half();
        Some(Estimate {
            value: all.difference,
            low: (all.difference - half).max(-1.0),
            high: (all.difference + half).min(1.0),
        })
    }

    fn compared(&self, uses: &ItemUses, without: Option<usize>) -> Option<Compared> {
        let mut found = Compared::default();
        let (mut with, mut beside) = ([0.0; 2], [0.0; 2]);
        for position in 0..self.positions() {
            let seats = PLACED + 2 * position;
            let [n, won] = [seats, seats + 1].map(|column| uses.positions.sum(column, without));
            let [all, all_won] = [seats, seats + 1].map(|column| self.all.sum(column, without));
            let (m, others_won) = (all - n, all_won - won);
            if n < 1.0 || m < 1.0 {
                continue;
            }
            let weight = n * m / (n + m);
            found.weights += weight;
            found.difference += weight * (won / n - others_won / m);
            with = [with[0] + n, with[1] + won];
            beside = [beside[0] + m, beside[1] + others_won];
        }
        if found.weights <= 0.0 {
            return None;
        }
        found.difference /= found.weights;
        found.unseen = unseen(with) + unseen(beside);
        Some(found)
    }

    fn positions(&self) -> usize {
        self.all.columns().saturating_sub(PLACED).div_ceil(2)
    }
}

/// Those who used something beside those who did not, in positions alike.
#[derive(Debug, Clone, Copy, Default)]
struct Compared {
    weights: f64,
    difference: f64,
    /// The variance that was not seen because too few did it.
    unseen: f64,
}

/// What a game of each kind more would add to the variance of a share: what never varied is not certain.
fn unseen([seats, won]: [f64; 2]) -> f64 {
    let binomial = |share: f64| share * (1.0 - share) / seats;
    binomial((won + 1.0) / (seats + 2.0)) - binomial((won / seats).clamp(0.0, 1.0))
}

impl ItemUses {
    fn came_up(&self) -> bool {
        [OFFERED, TAKEN, PLAYED]
            .iter()
            .any(|&column| self.sums.total(column) > 0.0)
    }

    fn add(&mut self, record: &Record, seen: &Use, position: usize, part: usize) {
        let (won, count) = (record.won(seen.seat), seen.count);
        let counts = [count.offered, count.taken, count.played];
        let columns = [OFFERED, TAKEN, PLAYED].into_iter().zip(counts);
        for (column, times) in columns {
            self.sums.add(part, column, f64::from(times));
        }
        for of in (0..counts.len()).filter(|&of| counts[of] > 0) {
            let games = [OFFERED_GAMES, TAKERS + 2, PLAYERS + 2][of];
            if self.last[of].replace(record.game) != Some(record.game) {
                self.sums.add(part, games, 1.0);
            }
            if of > 0 {
                self.sums.add(part, games - 2, 1.0);
                self.sums.add(part, games - 1, won);
            }
        }
        if count.taken + count.played > 0 {
            self.example.get_or_insert(record.game);
            self.positions.add(part, SEATS, 1.0);
            self.positions.add(part, PLACED + 2 * position, 1.0);
            self.positions.add(part, PLACED + 2 * position + 1, won);
        }
    }
}

/// Where a seat is and how it stands, as one number.
fn position(close: &Close, seat: u8) -> usize {
    usize::from(seat) * STANDINGS + placed(close, seat)
}

/// How a seat stood after a quarter of the game: first, last, between; or unknown.
fn placed(close: &Close, seat: u8) -> usize {
    let values = close.values.get(3).map(Vec::as_slice).unwrap_or_default();
    let Some(&Some(own)) = values.get(seat as usize) else {
        return 0;
    };
    let others = || values.iter().flatten();
    match (others().any(|&v| v > own), others().any(|&v| v < own)) {
        (false, true) => 1,
        (true, true) => 2,
        (true, false) => 3,
        (false, false) => 4,
    }
}
