//! What became of the content in the games that were looked at closely: who used what, and how much more whoever did won.

use crate::findings::{Dominated, ItemFinding};
use crate::record::{ContentItem, Record};
use crate::statistics::{Estimate, PARTS, Parted, Spread, bound_of_many, share_of_many, spread};
use ludoteca::{Close, close_look::Use};

/// Seats with and without something, in positions alike, from which its impact is told.
const FEWEST_IN_PLACE: f64 = 10.0;
/// Parts of the games in which somebody has to have used it, at least.
const FEWEST_PARTS: usize = 5;
/// Ways a seat may stand after a quarter of the game.
const STANDINGS: usize = 5;
/// Offers from which it can be said that something is taken always or never.
const OFTEN: f64 = 30.0;

/// The columns of seats, of all as of those that used an item: seats, wins, and then seats and wins in each position.
const SEATS: usize = 0;
const WON: usize = 1;
const PLACED: usize = 2;

/// The columns of an item: how often it was offered, taken, played.
const OFFERED: usize = 0;
const TAKEN: usize = 1;
const PLAYED: usize = 2;

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
    offered: Games,
    takers: Users,
    players: Users,
}

/// Seats that took something, or that played it.
#[derive(Debug, Clone, Default)]
struct Users {
    seats: Parted,
    games: Games,
}

/// Games in which something came up, each counted once.
#[derive(Debug, Clone, Copy, Default)]
struct Games {
    count: u64,
    first: Option<u64>,
    last: Option<u64>,
}

impl Games {
    fn add(&mut self, game: u64) {
        if self.last.replace(game) != Some(game) {
            self.count += 1;
            self.first.get_or_insert(game);
        }
    }
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
        let users = uses.users();
        let of = |column: usize| move |without| users.seats.sum(column, without);
        let all = |column: usize| move |without| self.all.sum(column, without);
        let others = |column: usize| {
            move |without| self.all.sum(column, without) - users.seats.sum(column, without)
        };
        let with_any = users.games.count as f64;
        let every: f64 = self.games.iter().sum::<u64>() as f64;
        let known = |found: Estimate, seats: f64| (seats > 0.0).then_some(found);
        ItemFinding {
            id: item.id.clone(),
            kind: item.kind.clone(),
            name: item.name.clone(),
            offered: uses.sums.total(OFFERED) as u64,
            taken: uses.sums.total(TAKEN) as u64,
            played: uses.sums.total(PLAYED) as u64,
            use_share: share_of_many(&self.games, of(SEATS), all(SEATS), every),
            wins_with: known(
                share_of_many(&self.games, of(WON), of(SEATS), with_any),
                of(SEATS)(None),
            ),
            wins_without: known(
                share_of_many(&self.games, others(WON), others(SEATS), every),
                others(SEATS)(None),
            ),
            impact: self.impact(&users.seats),
            example: users.games.first,
        }
    }

    /// What is taken in more than nine of ten offers, or in fewer than one of twenty, beyond doubt: only one side of the share is asked about.
    pub fn dominated(&self, items: &[ContentItem]) -> Vec<Dominated> {
        let all = items.iter().zip(&self.items);
        let often = all.filter(|(_, uses)| uses.sums.total(OFFERED) >= OFTEN);
        often
            .filter_map(|(item, uses)| {
                let of = |column: usize| move |without| uses.sums.sum(column, without);
                let games = uses.offered.count as f64;
                let taken = bound_of_many(&self.games, of(TAKEN), of(OFFERED), games);
                let (always, never) = (taken.low > 0.9, taken.high < 0.05);
                (always || never).then(|| Dominated {
                    id: item.id.clone(),
                    kind: item.kind.clone(),
                    name: item.name.clone(),
                    always,
                    offered: uses.sums.total(OFFERED) as u64,
                    taken: uses.sums.total(TAKEN) as u64,
                })
            })
            .collect()
    }

    /// Wins with something less wins without it, position by position (Mantel and Haenszel's weights). Seats of one game are not independent, so its
    /// error is what leaving out parts of the games tells.
    fn impact(&self, users: &Parted) -> Option<Estimate> {
        let all = self
            .compared(users, None)
            .filter(|c| c.weights >= FEWEST_IN_PLACE)?;
        let parts = users.parts_with(SEATS);
        if parts < FEWEST_PARTS {
            return None;
        }
        let found = spread(&self.games, |without| {
            Some(self.compared(users, without)?.difference)
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

    fn compared(&self, users: &Parted, without: Option<usize>) -> Option<Compared> {
        let mut found = Compared::default();
        let (mut with, mut beside) = ([0.0; 2], [0.0; 2]);
        for position in 0..self.positions() {
            let seats = PLACED + 2 * position;
            let [n, won] = [seats, seats + 1].map(|column| users.sum(column, without));
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

    /// Whoever used it: those who played it, if it is ever played, else those who took it.
    fn users(&self) -> &Users {
        match self.sums.total(PLAYED) > 0.0 {
            true => &self.players,
            false => &self.takers,
        }
    }

    fn add(&mut self, record: &Record, seen: &Use, position: usize, part: usize) {
        let count = seen.count;
        let counts = [count.offered, count.taken, count.played];
        for (column, times) in [OFFERED, TAKEN, PLAYED].into_iter().zip(counts) {
            self.sums.add(part, column, f64::from(times));
        }
        if count.offered > 0 {
            self.offered.add(record.game);
        }
        let used = [
            (count.taken, &mut self.takers),
            (count.played, &mut self.players),
        ];
        for (_, users) in used.into_iter().filter(|(times, _)| *times > 0) {
            users.add(record, seen.seat, position, part);
        }
    }
}

impl Users {
    fn add(&mut self, record: &Record, seat: u8, position: usize, part: usize) {
        let won = record.won(seat);
        self.games.add(record.game);
        self.seats.add(part, SEATS, 1.0);
        self.seats.add(part, WON, won);
        self.seats.add(part, PLACED + 2 * position, 1.0);
        self.seats.add(part, PLACED + 2 * position + 1, won);
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
