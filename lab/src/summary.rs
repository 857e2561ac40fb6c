//! What the records of a run add up to. Records are counted one by one and forgotten.

use crate::measure::Measure;
use crate::record::{Header, OPTION, Record};
use crate::statistics::{Estimate, Running, Z, histogram_quantile, share};
use ludoteca::content::definition::Text;
use ludoteca::play::close_look::EIGHTHS;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

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
}

#[derive(Debug, Clone, Default)]
struct Measured {
    running: Running,
    least: Option<Extreme>,
    most: Option<Extreme>,
}

/// The outermost value of a measure, and the game that has it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Extreme {
    pub value: f64,
    pub game: u64,
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
}

/// What a run says about a game.
#[derive(Debug, Clone, Serialize)]
pub struct Findings {
    pub games: u64,
    /// Games looked at closely: lead, content and steps are theirs.
    pub close_games: u64,
    /// Wins of each seat; a shared first place counts in parts.
    pub wins: Vec<Estimate>,
    pub scores: Vec<Estimate>,
    /// Wins of each side, in a game that has sides.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sides: Vec<SideFinding>,
    /// How often a game that is won or lost by all was won.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub won: Option<Estimate>,
    /// One minus the largest difference between the wins of two seats; only where seats compete.
    pub seat_balance: Option<Estimate>,
    /// Wins of whoever begins, over an even share of them; only where seats compete.
    pub first_player_advantage: Option<Estimate>,
    /// Fewest, a quarter, half, three quarters, most.
    pub round_quantiles: [u32; 5],
    /// How many games had so many rounds.
    pub lengths: BTreeMap<u32, u64>,
    pub reasons: Vec<Reason>,
    pub measures: Vec<Finding>,
    /// The chance to win of whoever leads, along the game.
    pub lead: Vec<Lead>,
    pub content: Vec<ItemFinding>,
    /// Kinds of content somebody used, and what of them nobody did.
    pub unused: BTreeMap<String, Vec<String>>,
    pub steps: Vec<StepFinding>,
}

#[derive(Debug, Clone, Serialize)]
pub struct SideFinding {
    pub name: String,
    pub text: Text,
    pub wins: Estimate,
}

#[derive(Debug, Clone, Serialize)]
pub struct Finding {
    pub name: String,
    pub text: Text,
    pub share: bool,
    /// In how many games there was such a number.
    pub games: u64,
    pub mean: Estimate,
    /// `None` where every game only says yes or no.
    pub least: Option<Extreme>,
    pub most: Option<Extreme>,
}

#[derive(Debug, Clone, Serialize)]
pub struct Reason {
    pub reason: String,
    pub share: Estimate,
    pub games: u64,
    /// The first game that ended so.
    pub example: u64,
}

#[derive(Debug, Clone, Serialize)]
pub struct Lead {
    /// How far the game has come, 0 to 1.
    pub at: f64,
    pub games: u64,
    pub wins: Estimate,
}

#[derive(Debug, Clone, Serialize)]
pub struct ItemFinding {
    pub id: String,
    pub kind: String,
    pub name: Text,
    pub offered: u64,
    pub taken: u64,
    pub played: u64,
    /// Seats that used it, of all seats of the games looked at.
    pub use_share: Estimate,
    /// Wins of seats that used it, and of those that did not. What is played counts as used; what is never played, when it is taken.
    pub wins_with: Option<Estimate>,
    pub wins_without: Option<Estimate>,
    /// A game in which it was used.
    pub example: Option<u64>,
}

#[derive(Debug, Clone, Serialize)]
pub struct StepFinding {
    pub step: String,
    pub times: u64,
    /// How often the player had nothing to decide.
    pub idle: Estimate,
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
            header,
        }
    }

    pub fn add(&mut self, record: &Record) {
        self.games += 1;
        for (measure, measured) in &mut self.measures {
            if let Some(value) = measure.value(record) {
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
        self.add_close(record);
    }

    fn add_close(&mut self, record: &Record) {
        let Some(close) = &record.close else { return };
        self.close_games += 1;
        self.close_seats += record.scores.len() as u64;
        self.close_wins += 1.0;
        for (lead, leader) in self.leads.iter_mut().zip(close.leaders) {
            if let Some(leader) = leader {
                *lead = (lead.0 + 1, lead.1 + record.won(leader));
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

    pub fn findings(&self) -> Findings {
        let measure = |wanted: &Measure| {
            let found = self.measures.iter().find(|(measure, _)| measure == wanted);
            found.map_or_else(|| Running::default().estimate(), |(m, found)| found.mean(m))
        };
        let wins: Vec<Estimate> = (0..self.header.players)
            .map(|seat| measure(&Measure::Wins(seat)))
            .collect();
        let even = 1.0 / self.header.players.max(1) as f64;
        let first = measure(&Measure::FirstWins);
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
            seat_balance: compete.then(|| balance(&wins, self.games)),
            wins,
            scores: self.scores.iter().map(Running::estimate).collect(),
            first_player_advantage: compete.then(|| Estimate {
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
            let count = self.running.count as f64;
            share(self.running.mean() * count, count)
        } else {
            self.running.estimate()
        }
    }
}

/// One minus the largest difference between two seats, with the interval of that difference.
fn balance(wins: &[Estimate], games: u64) -> Estimate {
    let most = wins.iter().map(|wins| wins.value).fold(0.0, f64::max);
    let least = wins.iter().map(|wins| wins.value).fold(1.0, f64::min);
    if wins.len() < 2 || games == 0 {
        return Estimate {
            value: 1.0,
            low: 0.0,
            high: 1.0,
        };
    }
    let apart = most - least;
    let half = Z
        * ((most + least - apart * apart) / games as f64)
            .max(0.0)
            .sqrt();
    Estimate {
        value: 1.0 - apart,
        low: (1.0 - apart - half).max(0.0),
        high: (1.0 - apart + half).min(1.0),
    }
}

/// What of each kind nobody used, for the kinds of which somebody used something.
fn unused(content: &[ItemFinding]) -> BTreeMap<String, Vec<String>> {
    let is_used = |item: &&ItemFinding| item.taken + item.played > 0;
    let kinds: BTreeSet<&String> = content
        .iter()
        .filter(|item| item.kind != OPTION)
        .filter(is_used)
        .map(|item| &item.kind)
        .collect();
    let nobody = |kind: &String| {
        let of_kind = content.iter().filter(|item| item.kind == *kind);
        of_kind
            .filter(|item| !is_used(item))
            .map(|item| item.id.clone())
            .collect()
    };
    kinds
        .into_iter()
        .map(|kind| (kind.clone(), nobody(kind)))
        .collect()
}

impl Findings {
    pub fn measure(&self, name: &str) -> Option<&Finding> {
        self.measures.iter().find(|finding| finding.name == name)
    }
}
