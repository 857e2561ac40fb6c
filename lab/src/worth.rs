//! What of winning is due to who plays, to where one sits, and to neither, where bots of different kinds change seats.

use crate::findings::WinningParts;
use crate::record::{Header, Record};
use crate::statistics::{Estimate, PARTS, Parted, spread};

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
        let [skill, seat] = [0, 1].map(|of| self.estimate(|parts| parts[of]));
        let both = self.estimate(|[skill, seat]| skill.max(0.0) + seat.max(0.0))?;
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
    fn estimate(&self, of: impl Fn([f64; 2]) -> f64) -> Option<Estimate> {
        let root = |without| {
            let part = of(self.divided(without)?);
            Some(part.abs().sqrt().copysign(part))
        };
        let all = root(None)?;
        let share = |root: f64| (root.max(0.0) * root.max(0.0)).min(1.0);
        let value = share(all);
        Some(match spread(&self.games, root) {
            None => Estimate {
                value,
                low: 0.0,
                high: 1.0,
            },
            Some(found) => Estimate {
                value,
                low: share(all - found.half()),
                high: share(all + found.half()),
            },
        })
    }

    /// Skill and seat in all games, or without a part of them.
    fn divided(&self, without: Option<usize>) -> Option<[f64; 2]> {
        let sum = |column: usize| self.sums.sum(column, without);
        let seats = sum(SEATS);
        let even = 1.0 / self.players as f64;
        let all = sum(SQUARES) / seats - even * even;
        if seats <= 0.0 || all <= 0.0 {
            return None;
        }
        // A mean of so many is off by chance alone; that is nobody's skill.
        let of_group = |group: usize| {
            let (count, won) = (sum(GROUPS + 2 * group), sum(GROUPS + 2 * group + 1));
            let apart = won / count.max(1.0) - even;
            (apart * apart - all / count.max(1.0)) * count / seats
        };
        let bots = self.bots.len();
        let skill = (0..bots).map(of_group).sum::<f64>() / all;
        let seat = (bots..bots + self.players).map(of_group).sum::<f64>() / all;
        Some([skill, seat])
    }
}
