//! What the records of a run add up to. Records are counted one by one and forgotten.

use crate::drama;
use crate::findings::{
    Extreme, Finding, Findings, FlowFinding, ItemFinding, Lead, Reason, SideFinding, SpaceFinding,
    StepFinding, WinningParts, dominated, unused,
};
use crate::measure::Measure;
use crate::record::{Header, Record};
use crate::statistics::{Estimate, Running, Z, histogram_quantile, share};
use ludoteca::{Close, close_look::EIGHTHS};
use std::collections::BTreeMap;

/// Records being counted.
#[derive(Debug, Clone)]
pub struct Summary {
    pub header: Header,
    pub games: u64,
    close_games: u64,
    measures: Vec<(Measure, Measured)>,
    scores: Vec<Running>,
    lengths: BTreeMap<u32, u64>,
    reasons: BTreeMap<String, (u64, u64)>,
    /// At each eighth: games with a leader, and how many of them the leader won.
    leads: [(u64, f64); EIGHTHS],
    items: Vec<ItemCount>,
    steps: BTreeMap<String, (u64, u64)>,
    /// Wins of all seats of closely watched games, one after the other.
    close_seats: u64,
    close_wins: f64,
    /// Seats and wins by position.
    positions: BTreeMap<(u8, u8), (u64, f64)>,
    /// The chance of whoever won, at each sixteenth.
    course: Vec<Running>,
    /// What came and went, by number and step.
    flows: BTreeMap<(String, String), (u64, u64)>,
    /// Of each space: thousandths of games it was held for, and changes of hands.
    spaces: Vec<(u64, u64)>,
    /// Seats of each bot, their wins, and the squares of all.
    bots: BTreeMap<String, (u64, f64)>,
    squares: f64,
}

#[derive(Debug, Clone, Default)]
struct Measured {
    running: Running,
    least: Option<Extreme>,
    most: Option<Extreme>,
}

#[derive(Debug, Clone, Default)]
struct ItemCount {
    offered: u64,
    taken: u64,
    played: u64,
    /// Seats that took it in some game, and their wins; the same for seats that played it.
    takers: (u64, f64),
    players: (u64, f64),
    example: Option<u64>,
    /// The same by the position a seat was in: its seat, and how it stood after a quarter of the game.
    by_position: BTreeMap<(u8, u8), (u64, f64)>,
}

impl Summary {
    pub fn new(header: Header) -> Summary {
        let measures = Measure::all(&header).into_iter();
        Summary {
            games: 0,
            close_games: 0,
            measures: measures.map(|m| (m, Measured::default())).collect(),
            scores: vec![Running::default(); header.players as usize],
            lengths: BTreeMap::new(),
            reasons: BTreeMap::new(),
            leads: Default::default(),
            items: vec![ItemCount::default(); header.items.len()],
            steps: BTreeMap::new(),
            close_seats: 0,
            close_wins: 0.0,
            positions: BTreeMap::new(),
            course: Vec::new(),
            flows: BTreeMap::new(),
            spaces: vec![(0, 0); header.spaces.len()],
            bots: BTreeMap::new(),
            squares: 0.0,
            header,
        }
    }

    pub fn add(&mut self, record: &Record) {
        self.games += 1;
        for (measure, measured) in &mut self.measures {
            if let Some(value) = measure.value(&self.header, record) {
                measured.add(value, record.game);
            }
        }
        for (running, &score) in self.scores.iter_mut().zip(&record.scores) {
            running.add(score as f64);
        }
        *self.lengths.entry(record.rounds).or_default() += 1;
        match self.reasons.get_mut(&record.reason) {
            Some(reason) => reason.0 += 1,
            None => {
                self.reasons.insert(record.reason.clone(), (1, record.game));
            }
        }
        for (seat, bot) in (0u8..).zip(&record.bots) {
            let won = record.won(seat);
            self.squares += won * won;
            match self.bots.get_mut(&**bot) {
                Some(sum) => *sum = (sum.0 + 1, sum.1 + won),
                None => {
                    self.bots.insert(bot.to_string(), (1, won));
                }
            }
        }
        self.add_close(record);
    }

    fn add_close(&mut self, record: &Record) {
        let Some(close) = &record.close else { return };
        self.close_games += 1;
        self.close_seats += record.scores.len() as u64;
        // A side wins as one and counts once for each of its seats.
        let seats = 0..record.scores.len() as u8;
        self.close_wins += seats.map(|seat| record.won(seat)).sum::<f64>();
        for (lead, leader) in self.leads.iter_mut().zip(close.leaders) {
            if let Some(leader) = leader {
                *lead = (lead.0 + 1, lead.1 + record.won(leader));
            }
        }
        self.add_course(record, close);
        for seat in 0..self.header.players {
            let sum = self
                .positions
                .entry((seat, placed(close, seat)))
                .or_default();
            *sum = (sum.0 + 1, sum.1 + record.won(seat));
        }
        for flow in &close.flows {
            let known = (flow.attribute.clone(), flow.step.clone());
            let sum = self.flows.entry(known).or_default();
            *sum = (sum.0 + flow.gained, sum.1 + flow.lost);
        }
        for used in &close.spaces {
            if let Some(sum) = self.spaces.get_mut(used.space as usize) {
                *sum = (sum.0 + u64::from(used.held), sum.1 + u64::from(used.fought));
            }
        }
        for seen in &close.uses {
            let Some(item) = self.items.get_mut(seen.item as usize) else {
                continue;
            };
            let (won, count) = (record.won(seen.seat), seen.count);
            item.offered += count.offered as u64;
            item.taken += count.taken as u64;
            item.played += count.played as u64;
            if count.taken > 0 {
                item.takers = (item.takers.0 + 1, item.takers.1 + won);
            }
            if count.played > 0 {
                item.players = (item.players.0 + 1, item.players.1 + won);
            }
            if count.taken + count.played > 0 {
                item.example.get_or_insert(record.game);
                let position = (seen.seat, placed(close, seen.seat));
                let sum = item.by_position.entry(position).or_default();
                *sum = (sum.0 + 1, sum.1 + won);
            }
        }
        for step in &close.steps {
            match self.steps.get_mut(&step.function) {
                Some(sum) => *sum = (sum.0 + step.times as u64, sum.1 + step.idle as u64),
                None => {
                    let first = (step.times as u64, step.idle as u64);
                    self.steps.insert(step.function.clone(), first);
                }
            }
        }
    }

    /// Follows the chance of whoever won.
    fn add_course(&mut self, record: &Record, close: &Close) {
        let (Some(scale), [winner]) = (self.header.scale, &record.winners[..]) else {
            return;
        };
        self.course.resize(
            close.values.len().max(self.course.len()),
            Running::default(),
        );
        for (running, values) in self.course.iter_mut().zip(&close.values) {
            if let Some(chance) = drama::chances(values, f64::from(scale)).get(*winner as usize) {
                running.add(*chance);
            }
        }
    }

    pub fn findings(&self) -> Findings {
        let measure = |wanted: &Measure| {
            let found = self.measures.iter().find(|(measure, _)| measure == wanted);
            found.map_or_else(|| Running::default().estimate(), |(m, found)| found.mean(m))
        };
        let wins = self.wins_of_seats();
        let even = 1.0 / self.header.players.max(1) as f64;
        let first = self.wins_of(&Measure::FirstWins);
        let compete = self.header.seats_compete();
        let content = self.content();
        Findings {
            games: self.games,
            close_games: self.close_games,
            sides: self
                .header
                .sides
                .iter()
                .map(|(name, text)| SideFinding {
                    name: name.clone(),
                    text: text.clone(),
                    wins: measure(&Measure::SideWins(name.clone())),
                })
                .collect(),
            won: self.header.cooperative.then(|| measure(&Measure::Won)),
            seat_balance: compete.then(|| balance(&wins)),
            uneven_seats: (0..self.header.players)
                .filter(|&seat| compete && !wins[seat as usize].holds(even))
                .collect(),
            wins,
            scores: self.scores.iter().map(Running::estimate).collect(),
            first_player_advantage: compete.then_some(Estimate {
                value: first.value - even,
                low: first.low - even,
                high: first.high - even,
            }),
            round_quantiles: [0.0, 0.25, 0.5, 0.75, 1.0]
                .map(|share| histogram_quantile(&self.lengths, share)),
            lengths: self.lengths.clone(),
            reasons: self
                .reasons
                .iter()
                .map(|(reason, &(games, example))| Reason {
                    reason: reason.clone(),
                    share: share(games as f64, self.games as f64),
                    games,
                    example,
                })
                .collect(),
            measures: self
                .measures
                .iter()
                .map(|(m, found)| self.finding(m, found))
                .collect(),
            lead: (1..)
                .zip(&self.leads)
                .filter(|(_, lead)| lead.0 > 0)
                .map(|(eighth, &(games, won))| Lead {
                    at: eighth as f64 / (EIGHTHS + 1) as f64,
                    games,
                    wins: share(won, games as f64),
                })
                .collect(),
            course: (1..)
                .zip(&self.course)
                .filter(|(_, chances)| chances.count > 0)
                .map(|(moment, chances)| Lead {
                    at: moment as f64 / (self.course.len() + 1) as f64,
                    games: chances.count,
                    wins: chances.estimate_of_share(),
                })
                .collect(),
            flows: self.flows(),
            spaces: self.spaces_found(),
            worth: compete.then(|| self.worth()).flatten(),
            dominated: dominated(&content),
            unused: unused(&content),
            content,
            steps: self
                .steps
                .iter()
                .map(|(step, &(times, idle))| StepFinding {
                    step: step.clone(),
                    times,
                    idle: share(idle as f64, times as f64),
                })
                .collect(),
        }
    }

    fn wins_of_seats(&self) -> Vec<Estimate> {
        let seats = 0..self.header.players;
        seats
            .map(|seat| self.wins_of(&Measure::Wins(seat)))
            .collect()
    }

    /// The wins of a seat, or of whoever begins: all seats and whoever begins are looked at together. Of two seats one tells all.
    fn wins_of(&self, wanted: &Measure) -> Estimate {
        let seats = match self.header.players {
            2 => 1,
            seats => seats as usize,
        };
        let found = self.measures.iter().find(|(measure, _)| measure == wanted);
        let none = || Running::default().estimate_among(seats + 1);
        found.map_or_else(none, |(_, found)| found.running.estimate_among(seats + 1))
    }

    fn finding(&self, measure: &Measure, found: &Measured) -> Finding {
        let outermost = |extreme: Option<Extreme>| extreme.filter(|_| !measure.is_yes_or_no());
        Finding {
            name: measure.name(),
            text: measure.text(&self.header),
            share: measure.is_share(),
            games: found.running.count,
            mean: found.mean(measure),
            least: outermost(found.least),
            most: outermost(found.most),
        }
    }

    /// Wins with something less wins without it, position by position (Mantel and Haenszel's weights).
    fn impact(&self, with: &BTreeMap<(u8, u8), (u64, f64)>) -> Option<Estimate> {
        let (mut weights, mut sum, mut variance) = (0.0, 0.0, 0.0);
        for (position, &(seats, won)) in with {
            let &(all, all_won) = self.positions.get(position)?;
            let (n, m) = (seats as f64, all.saturating_sub(seats) as f64);
            if n < 1.0 || m < 1.0 {
                continue;
            }
            let (p, q) = (won / n, (all_won - won) / m);
            let weight = n * m / (n + m);
            // One game of each kind more, so that what never varied is not certain.
            let spread = |share: f64, of: f64| {
                let share = (share * of + 1.0) / (of + 2.0);
                share * (1.0 - share) / of
            };
            weights += weight;
            sum += weight * (p - q);
            variance += weight * weight * (spread(p, n) + spread(q, m));
        }
        (weights >= FEWEST_IN_PLACE).then(|| {
            let (value, half) = (sum / weights, Z * variance.sqrt() / weights);
            Estimate {
                value,
                low: (value - half).max(-1.0),
                high: (value + half).min(1.0),
            }
        })
    }

    fn flows(&self) -> Vec<FlowFinding> {
        let games = self.close_games.max(1) as f64;
        let of_flow =
            |((number, step), &(gained, lost)): (&(String, String), &(u64, u64))| FlowFinding {
                number: number.clone(),
                step: step.clone(),
                gained: gained as f64 / games,
                lost: lost as f64 / games,
            };
        self.flows.iter().map(of_flow).collect()
    }

    fn spaces_found(&self) -> Vec<SpaceFinding> {
        let games = self.close_games.max(1) as f64;
        let all = self.header.spaces.iter().zip(&self.spaces);
        all.filter(|(_, (held, _))| *held > 0)
            .map(|(space, &(held, fought))| SpaceFinding {
                id: space.id.clone(),
                name: space.name.clone(),
                at: space.at,
                held: held as f64 / 1000.0 / games,
                fought: fought as f64 / games,
            })
            .collect()
    }

    /// What of winning is due to who plays, to where one sits, and to neither: parts of the variance of a seat's wins.
    /// Only where bots change seats: otherwise nobody can tell one from the other.
    fn worth(&self) -> Option<WinningParts> {
        let seats: u64 = self.bots.values().map(|(seats, _)| seats).sum();
        if !self.header.rotate || self.bots.len() < 2 || seats == 0 {
            return None;
        }
        let even = 1.0 / self.header.players.max(1) as f64;
        let all = self.squares / seats as f64 - even * even;
        if all <= 0.0 {
            return None;
        }
        // A mean of so many is off by chance alone; that is nobody's skill.
        let part = |seats_of: u64, won: f64| {
            let apart = won / seats_of.max(1) as f64 - even;
            (apart * apart - all / seats_of.max(1) as f64) * seats_of as f64 / seats as f64
        };
        let skill: f64 = self.bots.values().map(|&(n, won)| part(n, won)).sum();
        let of_seat = |seat: u8| {
            let wanted = Measure::Wins(seat);
            let found = self.measures.iter().find(|(measure, _)| *measure == wanted);
            found.map_or(0.0, |(_, found)| {
                let n = found.running.count;
                part(n, found.running.mean() * n as f64)
            })
        };
        let seat: f64 = (0..self.header.players).map(of_seat).sum();
        let share = |part: f64| (part / all).clamp(0.0, 1.0);
        let (skill, seat) = (share(skill), share(seat));
        Some(WinningParts {
            skill,
            seat,
            luck: (1.0 - skill - seat).max(0.0),
        })
    }

    /// Cards of the box, and whatever else was offered or played.
    fn content(&self) -> Vec<ItemFinding> {
        let all_seats = self.close_seats;
        let found = self.header.items.iter().zip(&self.items);
        found
            .filter(|(item, count)| item.copies > 0 || count.offered + count.played > 0)
            .map(|(item, count)| {
                let (seats, won) = if count.played > 0 {
                    count.players
                } else {
                    count.takers
                };
                let others = all_seats - seats;
                let with = |won: f64, seats: u64| (seats > 0).then(|| share(won, seats as f64));
                ItemFinding {
                    id: item.id.clone(),
                    kind: item.kind.clone(),
                    name: item.name.clone(),
                    offered: count.offered,
                    taken: count.taken,
                    played: count.played,
                    use_share: share(seats as f64, all_seats as f64),
                    wins_with: with(won, seats),
                    wins_without: with(self.close_wins - won, others),
                    impact: self.impact(&count.by_position),
                    example: count.example,
                }
            })
            .collect()
    }
}

impl Measured {
    fn add(&mut self, value: f64, game: u64) {
        self.running.add(value);
        let here = Some(Extreme { value, game });
        if self.least.is_none_or(|least| value < least.value) {
            self.least = here;
        }
        if self.most.is_none_or(|most| value > most.value) {
            self.most = here;
        }
    }

    fn mean(&self, measure: &Measure) -> Estimate {
        if measure.is_yes_or_no() {
            self.running.estimate_of_share()
        } else {
            self.running.estimate()
        }
    }
}

/// One minus the largest difference between two seats: it is at least as large as the intervals of all seats together leave room for.
fn balance(wins: &[Estimate]) -> Estimate {
    let most = |of: fn(&Estimate) -> f64| wins.iter().map(of).fold(0.0, f64::max);
    let least = |of: fn(&Estimate) -> f64| wins.iter().map(of).fold(1.0, f64::min);
    if wins.len() < 2 {
        return Estimate {
            value: 1.0,
            low: 0.0,
            high: 1.0,
        };
    }
    let (low, high) = (
        most(|w| w.low) - least(|w| w.high),
        most(|w| w.high) - least(|w| w.low),
    );
    Estimate {
        value: 1.0 - (most(|w| w.value) - least(|w| w.value)),
        low: (1.0 - high).max(0.0),
        high: 1.0 - low.max(0.0),
    }
}

/// Seats with and without something, in positions alike, from which its impact is told.
const FEWEST_IN_PLACE: f64 = 10.0;

/// How a seat stood after a quarter of the game: first, last, between; or unknown.
fn placed(close: &Close, seat: u8) -> u8 {
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
