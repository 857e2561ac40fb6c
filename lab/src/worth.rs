//! What of winning is due to who plays, to where one sits, and to neither, where bots of different kinds change seats.

use crate::findings::WinningParts;
use crate::record::{Header, Record};
use crate::statistics::{Estimate, PARTS, Parted, Spread, spread};
use std::ops::Range;

/// The columns: all seats, the squares of their wins, and then games and wins of each bot and of each seat.
const SEATS: usize = 0;
const SQUARES: usize = 1;
const GROUPS: usize = 2;

/// Wins by bot and by seat, part by part of the games.
#[derive(Debug, Clone)]
pub struct Winning {
    bots: Vec<String>,
    players: usize,
    games: [u64; PARTS],
    sums: Parted,
}

impl Winning {
    /// Nothing where one kind of bot plays, or bots keep their seats: then nobody can tell one from the other.
    pub fn new(header: &Header) -> Option<Winning> {
        let mut bots = header.bots.clone();
        bots.sort();
        bots.dedup();
        (header.rotate && bots.len() > 1 && header.seats_compete()).then(|| Winning {
            bots,
            players: usize::from(header.players),
            games: [0; PARTS],
            sums: Parted::default(),
        })
    }

    pub fn add(&mut self, record: &Record, part: usize) {
        self.games[part] += 1;
        for (seat, bot) in record.bots.iter().enumerate() {
            let won = record.won(seat as u8);
            let known = self.bots.iter().position(|known| **known == **bot);
            self.sums.add(part, SEATS, 1.0);
            self.sums.add(part, SQUARES, won * won);
            for group in known.into_iter().chain([self.bots.len() + seat]) {
                self.sums.add(part, GROUPS + 2 * group, 1.0);
                self.sums.add(part, GROUPS + 2 * group + 1, won);
            }
        }
    }

    /// Parts of the variance of a seat's wins.
    pub fn parts(&self) -> Option<WinningParts> {
        let skill = self.estimate(|divided| divided.skill);
        let seat = self.estimate(|divided| divided.seat);
        let both = self.estimate(|Divided { skill, seat, .. }| Part {
            share: skill.share.max(0.0) + seat.share.max(0.0),
            chance: skill.chance + seat.chance,
        })?;
        Some(WinningParts {
            skill: skill?,
            seat: seat?,
            luck: Estimate {
                value: 1.0 - both.value,
                low: 1.0 - both.high,
                high: 1.0 - both.low,
            },
        })
    }

    /// A part of the variance with its interval. Such parts are squares of what sets wins apart, so it is told by their roots, which lie evenly.
    fn estimate(&self, of: impl Fn(Divided) -> Part) -> Option<Estimate> {
        let root = |without| {
            let part = of(self.divided(without)?).share;
            Some(part.abs().sqrt().copysign(part))
        };
        let divided = self.divided(None)?;
        let (all, chance) = (root(None)?, of(divided).chance);
        let share = |root: f64| (root.max(0.0) * root.max(0.0)).min(1.0);
        let value = share(all);
        let Some(found) = spread(&self.games, root) else {
            return Some(Estimate {
                value,
                low: 0.0,
                high: 1.0,
            });
        };
        // Where nothing is seen, as much may be there as chance would hide; and what never varied is not certain.
        let hidden = if all > 0.0 { 0.0 } else { chance };
        let known = Spread {
            variance: found.variance.max(hidden) + divided.unseen,
            ..found
        };
        Some(Estimate {
            value,
            low: share(all - known.half()),
            high: share(all.max(0.0) + known.half()),
        })
    }

    /// Skill and seat in all games, or without a part of them.
    fn divided(&self, without: Option<usize>) -> Option<Divided> {
        let sum = |column: usize| self.sums.sum(column, without);
        let seats = sum(SEATS);
        let even = 1.0 / self.players as f64;
        let all = sum(SQUARES) / seats - even * even;
        if seats <= 0.0 || all <= 0.0 {
            return None;
        }
        let of_group = |group: usize| {
            let (count, won) = (sum(GROUPS + 2 * group), sum(GROUPS + 2 * group + 1));
            (count.max(1.0), won / count.max(1.0))
        };
        let bots = self.bots.len();
        let (skills, places) = (0..bots, bots..bots + self.players);
        let explained = |groups: Range<usize>| {
            let apart = |(count, won): (f64, f64)| (won - even) * (won - even) * count / seats;
            groups.map(of_group).map(apart).sum::<f64>() / all
        };
        // Means of so many are off by chance alone, by what neither bot nor seat explains; that is nobody's skill.
        let [skill, seat] = [&skills, &places].map(|groups| explained(groups.clone()));
        let left = (1.0 - skill - seat).max(0.0);
        let part = |raw: f64, groups: &Range<usize>| {
            let chance = left * groups.len() as f64 / seats;
            Part {
                share: raw - chance,
                chance,
            }
        };
        let hidden = |groups: Range<usize>| {
            let of = |(count, won): (f64, f64)| unseen(count, won) * count / seats;
            groups.map(of_group).map(of).sum::<f64>() / all
        };
        Some(Divided {
            skill: part(skill, &skills),
            seat: part(seat, &places),
            unseen: hidden(skills).max(hidden(places)),
        })
    }
}

/// What of the variance bots and seats explain.
#[derive(Debug, Clone, Copy)]
struct Divided {
    skill: Part,
    seat: Part,
    /// The variance of the root of either that could not be seen because wins never varied.
    unseen: f64,
}

/// A part of the variance, and how large it would seem by chance alone.
#[derive(Debug, Clone, Copy)]
struct Part {
    share: f64,
    chance: f64,
}

/// What two games of each kind more would add to the variance of a share.
fn unseen(games: f64, won: f64) -> f64 {
    let binomial = |share: f64| share * (1.0 - share) / games;
    (binomial((won * games + 2.0) / (games + 4.0)) - binomial(won)).max(0.0)
}
