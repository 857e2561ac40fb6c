//! What the records of a run add up to. Records are counted one by one and forgotten.

use crate::drama;
use crate::findings::{
    Extreme, Finding, Findings, Lead, Reason, SeatWait, SideFinding, SpaceFinding, StepFinding,
    unused,
};
use crate::flow::Flows;
use crate::measure::{Measure, is_still};
use crate::record::{Header, Record};
use crate::scaling::{FoundScale, Waiting};
use crate::statistics::{
    Estimate, PARTS, Parted, Running, histogram_quantile, share, share_of_many,
};
use crate::uses::Uses;
use crate::worth::Winning;
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
    uses: Uses,
    /// Of each step, part by part of the closely watched games: times, times without a decision, games.
    steps: BTreeMap<String, Parted>,
    close_parts: [u64; PARTS],
    /// The chance of whoever won, at each sixteenth.
    course: Vec<Running>,
    /// Games whose chances are counted when there is a scale; none where there is one, or none to be had.
    waiting: Option<Waiting<1>>,
    scale: Option<FoundScale>,
    flows: Flows,
    /// Of each space: thousandths of games it was held for, and changes of hands.
    spaces: Vec<(u64, u64)>,
    /// Of each seat, choices it waited for between two of its own, and its longest wait in each game.
    waits: Vec<(Running, Measured)>,
    /// Wins by bot and seat, if several bots change seats.
    winning: Option<Winning>,
}

/// The columns of a step.
const TIMES: usize = 0;
const IDLE: usize = 1;
const GAMES: usize = 2;

#[derive(Debug, Clone, Default)]
struct Measured {
    running: Running,
    least: Option<Extreme>,
    most: Option<Extreme>,
}

impl Summary {
    pub fn new(header: Header) -> Summary {
        let measures = Measure::all(&header).into_iter();
        Summary {
            waiting: header.wants_scale().then(Waiting::new),
            scale: None,
            games: 0,
            close_games: 0,
            measures: measures.map(|m| (m, Measured::default())).collect(),
            scores: vec![Running::default(); header.players as usize],
            lengths: BTreeMap::new(),
            reasons: BTreeMap::new(),
            leads: Default::default(),
            uses: Uses::new(header.items.len()),
            steps: BTreeMap::new(),
            close_parts: [0; PARTS],
            course: Vec::new(),
            flows: Flows::new(&header),
            spaces: vec![(0, 0); header.spaces.len()],
            waits: vec![Default::default(); header.players as usize],
            winning: Winning::new(&header),
            header,
        }
    }

    /// The part that the next game belongs to, if there were so many: bots that change seats have all of them in each part.
    fn part(&self, games: u64) -> usize {
        let together = match self.winning.is_some() {
            true => u64::from(self.header.players),
            false => 1,
        };
        (games / together) as usize % PARTS
    }

    pub fn add(&mut self, record: &Record) {
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
        let part = self.part(self.games);
        if let Some(winning) = &mut self.winning {
            winning.add(record, part);
        }
        self.games += 1;
        self.add_close(record);
        if let Some(waiting) = &mut self.waiting
            && waiting.take(std::array::from_ref(record))
        {
            self.settle();
        }
    }

    /// Counts what waited for a scale, if there is one now.
    fn settle(&mut self) {
        let Some(waiting) = self.waiting.take() else {
            return;
        };
        if let Some(found) = waiting.found() {
            self.go_by(found, waiting.games().iter().map(|[record]| record));
        }
    }

    /// Has chances by this scale from now on, also of these games that were counted without it. It waits for none of its own any more.
    pub(crate) fn go_by<'a>(
        &mut self,
        found: FoundScale,
        counted: impl Iterator<Item = &'a Record>,
    ) {
        self.header.scale = Some(found.scale);
        self.scale = Some(found);
        for record in counted {
            for (measure, measured) in &mut self.measures {
                if measure.needs_scale()
                    && let Some(value) = measure.value(&self.header, record)
                {
                    measured.add(value, record.game);
                }
            }
            if let Some(close) = &record.close {
                self.add_course(record, close);
            }
        }
    }

    /// Somebody else finds the scale for it.
    pub(crate) fn waits_for_none(&mut self) {
        self.waiting = None;
    }

    fn add_close(&mut self, record: &Record) {
        let Some(close) = &record.close else { return };
        let part = self.part(self.close_games);
        self.close_games += 1;
        self.close_parts[part] += 1;
        self.uses.add(record, close, part);
        for (lead, leader) in self.leads.iter_mut().zip(close.leaders) {
            if let Some(leader) = leader {
                *lead = (lead.0 + 1, lead.1 + record.won(leader));
            }
        }
        self.add_course(record, close);
        self.flows.add(close);
        for used in &close.spaces {
            if let Some(sum) = self.spaces.get_mut(used.space as usize) {
                *sum = (sum.0 + u64::from(used.held), sum.1 + u64::from(used.fought));
            }
        }
        for ((each, longest), wait) in self.waits.iter_mut().zip(&close.waits) {
            if wait.times > 0 {
                each.add(f64::from(wait.choices) / f64::from(wait.times));
                longest.add(f64::from(wait.longest), record.game);
            }
        }
        for step in &close.steps {
            let sums = match self.steps.get_mut(&step.function) {
                Some(sums) => sums,
                None => self.steps.entry(step.function.clone()).or_default(),
            };
            sums.add(part, TIMES, f64::from(step.times));
            sums.add(part, IDLE, f64::from(step.idle));
            sums.add(part, GAMES, 1.0);
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
        if self.waiting.is_some() {
            let mut settled = self.clone();
            settled.settle();
            return settled.findings();
        }
        let measure = |wanted: &Measure| {
            let found = self.measures.iter().find(|(measure, _)| measure == wanted);
            found.map_or_else(|| Running::default().estimate(), |(m, found)| found.mean(m))
        };
        let wins = self.wins_of_seats();
        let even = 1.0 / self.header.players.max(1) as f64;
        let first = self.wins_of(&Measure::FirstWins);
        let compete = self.header.seats_compete();
        let (flows, turnover) = self.flows.findings();
        let content = self.uses.findings(&self.header.items);
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
                .filter(|(measure, found)| !is_still(measure, [&found.running]))
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
            scale: self.scale,
            flows,
            turnover,
            spaces: self.spaces_found(),
            worth: self.winning.as_ref().and_then(Winning::parts),
            dominated: self.uses.dominated(&self.header.items),
            unused: unused(&content),
            content,
            steps: self.steps_found(),
            waits: self.waits_found(),
        }
    }

    fn waits_found(&self) -> Vec<SeatWait> {
        let all = self.waits.iter();
        let seats = all.map(|(each, longest)| SeatWait {
            choices: each.estimate(),
            longest: longest.most,
        });
        let seats: Vec<SeatWait> = seats.collect();
        match seats.iter().any(|seat| seat.longest.is_some()) {
            true => seats,
            false => Vec::new(),
        }
    }

    fn steps_found(&self) -> Vec<StepFinding> {
        let all = self.steps.iter();
        all.map(|(step, sums)| {
            let of = |column: usize| move |without| sums.sum(column, without);
            let games = sums.total(GAMES);
            StepFinding {
                step: step.clone(),
                times: sums.total(TIMES) as u64,
                idle: share_of_many(&self.close_parts, of(IDLE), of(TIMES), games),
            }
        })
        .collect()
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
        // Whatever says how much a seat wins has one interval wherever it is said.
        let together =
            self.header.seats_compete() && matches!(measure, Measure::Wins(_) | Measure::FirstWins);
        Finding {
            name: measure.name(),
            text: measure.text(&self.header),
            share: measure.is_share(),
            games: found.running.count,
            mean: match together {
                true => self.wins_of(measure),
                false => found.mean(measure),
            },
            least: outermost(found.least),
            most: outermost(found.most),
        }
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
