//! A line of thought: from an answer on, by habit, to a moment at which the game says it may be judged; and what it is worth to everybody.

use super::policy::Habit;
use crate::content::definition::JudgeAt;
use crate::model::streams::Stream;
use crate::play::matches::{BrokenRule, Match, Status};

/// Decisions after which a line is judged wherever it stands.
const LONGEST: u32 = 400;
/// Options a habit compares where the game has no preference.
const FEW: usize = 3;

/// How far a line has come, by the moments at which it may be judged.
#[derive(Debug, Clone, Default)]
pub struct Progress {
    decisions: u32,
    moments: u32,
    round: u32,
    steps: u32,
    seat: Option<u8>,
    asked: Vec<u32>,
}

impl Progress {
    /// A line that begins here.
    pub fn begin(&mut self, ahead: &Match) {
        let choice = ahead.choice();
        self.decisions = 0;
        self.moments = 0;
        self.round = ahead.table.state.round;
        self.steps = ahead.table.state.steps;
        self.seat = choice.and_then(|choice| choice.waiting());
        self.asked.clear();
        self.asked.extend(choice.map(|choice| choice.prompt));
    }

    /// Whether a line that came to another choice is to be judged there.
    pub fn is_over(&mut self, ahead: &Match) -> bool {
        let hints = &ahead.game().definition.bots;
        let state = &ahead.table.state;
        let Some(choice) = ahead.choice() else {
            return true;
        };
        self.decisions += 1;
        let passed = match hints.judge_at {
            JudgeAt::Round => state.round != self.round,
            JudgeAt::Turn => (state.round, state.steps) != (self.round, self.steps),
            JudgeAt::Move => choice.waiting() != self.seat || self.asked.contains(&choice.prompt),
        };
        if passed {
            self.moments += 1;
            self.asked.clear();
        }
        self.asked.push(choice.prompt);
        self.round = state.round;
        self.steps = state.steps;
        self.seat = choice.waiting();
        let judged = ahead.game().calls.evaluate.is_some() && self.moments >= hints.ahead;
        judged || self.decisions >= LONGEST
    }
}

/// Watches a match for the moments at which its game says that positions may be compared.
#[derive(Debug, Default)]
pub struct Moments(Option<Progress>);

impl Moments {
    /// Whether a match that waits for an answer has come to such a moment since it was last asked.
    pub fn passed(&mut self, played: &Match) -> bool {
        match &mut self.0 {
            Some(progress) => {
                let before = progress.moments;
                progress.is_over(played);
                progress.moments > before
            }
            None => {
                let mut progress = Progress::default();
                progress.begin(played);
                self.0 = Some(progress);
                false
            }
        }
    }
}

/// Plays on by habit to where the line may be judged.
pub fn play_out(
    ahead: &mut Match,
    habit: &mut Habit,
    progress: &mut Progress,
    luck: &mut Stream,
) -> Result<(), BrokenRule> {
    while let Some(seat) = ahead.choice().and_then(|choice| choice.waiting()) {
        let pick = habit.pick(ahead, seat, luck, FEW)?;
        if ahead.answer(seat, pick.numbers()).is_err() {
            return Ok(());
        }
        if ahead.choice().is_some() {
            // Somebody else is still asked the same.
            continue;
        }
        if ahead.advance()? == Status::Over || progress.is_over(ahead) {
            return Ok(());
        }
    }
    Ok(())
}

/// Where there is nobody to compare with, what is not over yet lies between these chances: it is neither lost nor won.
const UNDECIDED: (f64, f64) = (0.1, 0.9);

/// How `evaluate` becomes a chance of winning. Who wins and loses together has one chance between them, which each of them has wholly.
#[derive(Debug, Clone)]
pub struct Chances {
    /// What was fitted by playing, if it was.
    fitted: Option<f64>,
    /// The least and the most `evaluate` said so far, where nothing was fitted.
    seen: Option<(i64, i64)>,
}

impl Chances {
    pub fn new(ahead: &Match) -> Chances {
        Chances {
            fitted: ahead.game().definition.bots.scale.map(f64::from),
            seen: None,
        }
    }

    /// Everybody's chance of winning where a line ended, in the order of the seats.
    pub fn of(&mut self, ahead: &mut Match) -> Result<Vec<f64>, BrokenRule> {
        let players = ahead.table.players();
        let sides: Vec<u8> = (0..players)
            .map(|seat| ahead.table.first_of_side(seat))
            .collect();
        if sides.iter().all(|&first| first == 0) {
            return Ok(vec![self.together(ahead)?; players as usize]);
        }
        if ahead.is_over() {
            return shares(ahead, &sides);
        }
        let mut values = Vec::with_capacity(players as usize);
        let mut places = Vec::with_capacity(players as usize);
        for seat in 0..players {
            // The first of a side comes before its partners.
            let first = usize::from(sides[seat as usize]);
            if first == usize::from(seat) {
                places.push(values.len());
                values.push(ahead.evaluate(seat)?);
            } else {
                places.push(places[first]);
            }
        }
        let chances = self.weigh(&values);
        Ok(places.into_iter().map(|place| chances[place]).collect())
    }

    /// The chances that go with what `evaluate` says of every side.
    fn weigh(&mut self, values: &[i64]) -> Vec<f64> {
        let most = values.iter().copied().max().unwrap_or(0);
        let scale = self.fitted.unwrap_or_else(|| {
            let least = values.iter().copied().min().unwrap_or(0);
            let (low, high) = self.widen(least, most);
            (high.saturating_sub(low) as f64 / 4.0).max(1.0)
        });
        let weights: Vec<f64> = values
            .iter()
            .map(|&value| libm::exp((value.saturating_sub(most)) as f64 / scale))
            .collect();
        let total: f64 = weights.iter().sum();
        weights.into_iter().map(|weight| weight / total).collect()
    }

    /// The chance of those who are all on one side, or of one who plays alone: how high up it is in what was seen so far.
    fn together(&mut self, ahead: &mut Match) -> Result<f64, BrokenRule> {
        if let Some(winners) = ahead.named_winners().filter(|_| ahead.is_over()) {
            return Ok(if winners == 0 { 0.0 } else { 1.0 });
        }
        let value = match ahead.game().calls.evaluate {
            Some(_) => ahead.evaluate(0)?,
            None => {
                let ranking = ahead.ranking()?;
                let score = ranking.first().and_then(|place| place.score.first());
                score.copied().unwrap_or(0)
            }
        };
        let (low, high) = self.widen(value, value);
        let part = match high.saturating_sub(low) {
            0 => 0.5,
            spread => value.saturating_sub(low) as f64 / spread as f64,
        };
        Ok(UNDECIDED.0 + (UNDECIDED.1 - UNDECIDED.0) * part)
    }

    /// The least and the most seen, with these.
    fn widen(&mut self, least: i64, most: i64) -> (i64, i64) {
        let (low, high) = self.seen.unwrap_or((least, most));
        let seen = (low.min(least), high.max(most));
        self.seen = Some(seen);
        seen
    }
}

/// What everybody has of a game that is over: the sides that won share it. Where nobody has won and the rules do not say that all have
/// lost, it is drawn, which is better than to lose.
fn shares(ahead: &mut Match, sides: &[u8]) -> Result<Vec<f64>, BrokenRule> {
    let ranking = ahead.ranking()?;
    let best = ranking.iter().map(|place| place.place).min().unwrap_or(1);
    let lost = best > 1 && ahead.named_winners() == Some(0);
    let winners = ranking.iter().filter(|place| place.place == best);
    let mut won: Vec<u8> = winners
        .clone()
        .map(|place| sides[place.seat as usize])
        .collect();
    won.sort_unstable();
    won.dedup();
    let share = match lost {
        true => 0.0,
        false => 1.0 / won.len() as f64,
    };
    let mut shares = vec![0.0; ranking.len()];
    for place in winners {
        shares[place.seat as usize] = share;
    }
    Ok(shares)
}
