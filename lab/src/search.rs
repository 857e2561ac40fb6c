//! A search for settings that meet a goal: many small batches, then the best of them measured again on fresh seeds.

use crate::compare::{Comparison, compare};
use crate::goal::{self, Goal};
use crate::page::GoalCheck;
use crate::parameter::Varied;
use crate::points::{Failed, Points};
use crate::record::Header;
use crate::runner::{Ended, Next};
use crate::simulate::{Plan, stream};
use crate::summary::{Findings, Summary};
use crate::tune::{Bandit, Point, values};
use ludoteca::table::game::Game;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Best settings of the search that are measured again.
const CANDIDATES: usize = 3;
/// Fresh seeds are far from those of the search, and those of the last measurement from both.
const FRESH: u64 = 1_000_000_000;

/// What is searched, and how.
pub struct Search {
    pub points: Points,
    pub varied: Vec<Varied>,
    pub goals: Vec<Goal>,
    pub plan: Plan,
    /// Games for each setting that is tried.
    pub batch: u64,
    /// Games for each of the best settings afterwards.
    pub check: u64,
    games: HashMap<Point, Arc<Game>>,
}

/// The settings a search ends with, and what is known of them.
pub struct Found {
    pub point: Point,
    pub trials: u64,
    /// The game as it is beside the game as found; nothing if the search was stopped before.
    pub comparison: Option<Comparison>,
}

impl Search {
    /// `check` is as many games as a quarter of the search if left out.
    pub fn new(
        points: Points,
        varied: Vec<Varied>,
        goals: Vec<Goal>,
        plan: Plan,
        batch: u64,
        check: Option<u64>,
    ) -> Search {
        let check = check.unwrap_or((plan.games / 4).max(batch));
        Search {
            points,
            varied,
            goals,
            plan,
            batch,
            check,
            games: HashMap::new(),
        }
    }

    fn trials(&self) -> u64 {
        (self.plan.games / self.batch).max(1)
    }

    /// Games a search plays if nobody stops it.
    pub fn games(&self) -> u64 {
        self.trials() * self.batch + (CANDIDATES as u64 + 1) * self.check
    }

    /// Searches; nothing if it was stopped before any setting was tried.
    pub fn run(
        &mut self,
        base: &Arc<Game>,
        stop: &AtomicBool,
        progress: &(impl Fn(u64) + Sync),
    ) -> Result<Option<Found>, Failed> {
        let mut bandit = Bandit::new(&self.varied, self.plan.seed);
        let mut at = self.start();
        let mut tried = 0;
        for trial in 0..self.trials() {
            let plan = self.games_from(trial * self.batch, self.batch);
            let Some(found) = self.measure(&at, &plan, stop, progress)? else {
                break;
            };
            bandit.learn(&at, -goal::loss(&self.goals, &found));
            at = bandit.next(&at);
            tried += 1;
        }
        self.settle(&bandit, tried, base, stop, progress)
    }

    /// The game's own settings, or those nearest to them.
    fn start(&self) -> Point {
        let nearest = |parameter: &Varied| {
            let own = self
                .points
                .value(&parameter.key)
                .unwrap_or(parameter.values[0]);
            let apart = |n: &usize| parameter.values[*n].abs_diff(own);
            (0..parameter.values.len()).min_by_key(apart).unwrap_or(0)
        };
        self.varied.iter().map(nearest).collect()
    }

    /// So many games, from this one of the plan on.
    fn games_from(&self, from: u64, games: u64) -> Plan {
        Plan {
            seed: self.plan.seed.wrapping_add(from),
            games,
            part: (0, games),
            ..self.plan.clone()
        }
    }

    fn game(&mut self, point: &Point) -> Result<Arc<Game>, Failed> {
        if let Some(game) = self.games.get(point) {
            return Ok(game.clone());
        }
        let game = self
            .points
            .game(&self.varied, &values(&self.varied, point))?;
        self.games.insert(point.clone(), game.clone());
        Ok(game)
    }

    /// Plays a point's games; nothing if the search was stopped in the middle.
    fn measure(
        &mut self,
        point: &Point,
        plan: &Plan,
        stop: &AtomicBool,
        progress: &(impl Fn(u64) + Sync),
    ) -> Result<Option<Findings>, Failed> {
        let game = self.game(point)?;
        let mut summary = Summary::new(Header::new(&game, plan));
        let ended = stream(&game, plan, stop, progress, |record| {
            summary.add(&record);
            Next::GoOn
        })?;
        Ok((ended == Ended::Done).then(|| summary.findings()))
    }

    /// Measures the best again on fresh seeds, and the best of these, beside the game as it is, on yet others: whoever wins a contest is
    /// flattered by it.
    fn settle(
        &mut self,
        bandit: &Bandit,
        trials: u64,
        base: &Arc<Game>,
        stop: &AtomicBool,
        progress: &(impl Fn(u64) + Sync),
    ) -> Result<Option<Found>, Failed> {
        let candidates = bandit.best(CANDIDATES);
        let fresh = self.games_from(FRESH, self.check);
        let mut best: Option<(f64, Point)> = None;
        for point in &candidates {
            let Some(found) = self.measure(point, &fresh, stop, progress)? else {
                break;
            };
            let loss = goal::loss(&self.goals, &found);
            if best.as_ref().is_none_or(|(least, _)| loss < *least) {
                best = Some((loss, point.clone()));
            }
        }
        let best = best
            .map(|(_, point)| point)
            .or_else(|| candidates.first().cloned());
        let Some(point) = best else { return Ok(None) };
        let tuned = self.game(&point)?;
        let last = self.games_from(2 * FRESH, self.check);
        let headers = [base, &tuned].map(|game| Header::new(game, &last));
        let mut comparison = Comparison::new(headers, None);
        compare(
            [base, &tuned],
            &last,
            &mut comparison,
            stop,
            progress,
            |_| Next::GoOn,
        )?;
        Ok(Some(Found {
            point,
            trials,
            comparison: (comparison.sides[0].games > 0).then_some(comparison),
        }))
    }

    /// Each parameter, what it was and what was found.
    pub fn settings(&self, found: &Found) -> Vec<(String, i64, i64)> {
        let after = values(&self.varied, &found.point);
        self.varied
            .iter()
            .zip(after)
            .map(|(parameter, after)| {
                let before = self.points.value(&parameter.key).unwrap_or(after);
                (parameter.key.clone(), before, after)
            })
            .collect()
    }

    /// What became of each goal.
    pub fn checks(&self, header: &Header, found: &Found) -> Vec<GoalCheck> {
        let sides = found.sides();
        let measured = |goal: &Goal, side: usize| {
            let findings = sides.as_ref()?.get(side)?;
            goal::measured(&goal.metric, findings)
        };
        self.goals
            .iter()
            .map(|goal| GoalCheck {
                share: goal::is_share(&goal.metric, header),
                before: measured(goal, 0),
                after: measured(goal, 1),
                goal: goal.clone(),
            })
            .collect()
    }
}

impl Found {
    /// What the game is like before and after, if that was measured.
    pub fn sides(&self) -> Option<[Findings; 2]> {
        let comparison = self.comparison.as_ref()?;
        Some(comparison.sides.each_ref().map(|side| side.findings()))
    }
}
