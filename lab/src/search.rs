//! A search for settings that meet a goal: many small batches, then the best of them measured again on fresh seeds.

use crate::compare::{Comparison, compare};
use crate::findings::Findings;
use crate::goal::{self, Goal, GoalCheck};
use crate::measure::Measure;
use crate::parameter::Varied;
use crate::points::{Failed, Points};
use crate::record::{Header, Record};
use crate::runner::{Next, RunEnd};
use crate::scaling;
use crate::simulate::{Plan, stream};
use crate::statistics::{PARTS, spread, student_two_sided};
use crate::summary::Summary;
use crate::tune::{Bandit, Point, values};
use ludoteca::Game;
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Best settings of the search that are measured again.
const CANDIDATES: usize = 3;
/// Chance to call settings better that are not. A gain so sure is there again on fresh seeds, nine times in ten and more.
const NO_GAIN: f64 = 0.01;
/// Fresh seeds are far from those of the search, and those of the last measurement from both.
const FRESH: u64 = 1_000_000_000;

/// What is searched, and how.
pub struct SettingsSearch {
    pub points: Points,
    pub varied: Vec<Varied>,
    pub goals: Vec<Goal>,
    pub plan: Plan,
    /// Games for each setting that is tried.
    pub batch: u64,
    /// Games for each of the best settings afterwards.
    pub check: u64,
    games: HashMap<Point, Arc<Game>>,
    /// By which all settings have their chances, if a goal speaks of them.
    scale: Option<u32>,
}

/// The settings a search ends with, and what is known of them.
pub struct Found {
    pub point: Point,
    pub trials: u64,
    /// Every setting that was tried: its values, its games, and how far from the goals they were on average; the nearest first.
    pub tried: Vec<Trial>,
    /// The game as it is beside the game as found; nothing if the search was stopped before.
    pub comparison: Option<Comparison>,
    /// How much nearer to the goals than the game as it is.
    pub gain: Option<Gain>,
}

/// A setting that was tried.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Trial {
    pub values: Vec<i64>,
    pub games: u64,
    /// Steps from the goals, all goals together.
    pub away: f64,
}

/// Steps towards the goals, on seeds nothing was chosen by.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Gain {
    /// Steps from the goals: of the game as it is, and as found.
    pub before: f64,
    pub after: f64,
    /// How likely such a gain is where there is none.
    pub likelihood: f64,
    /// Whether the settings are better than the game as it is, beyond doubt.
    pub better: bool,
}

impl SettingsSearch {
    /// `check` is as many games as a quarter of the search if left out.
    pub fn new(
        points: Points,
        varied: Vec<Varied>,
        goals: Vec<Goal>,
        plan: Plan,
        batch: u64,
        check: Option<u64>,
    ) -> SettingsSearch {
        let check = checked(plan.games, batch, check);
        SettingsSearch {
            points,
            varied,
            goals,
            plan,
            batch,
            check,
            games: HashMap::new(),
            scale: None,
        }
    }

    fn trials(&self) -> u64 {
        (self.plan.games / self.batch).max(1)
    }

    /// Games a search of so many plays in all if nobody stops it: the last ones on both sides.
    pub fn games_of(games: u64, batch: u64, check: Option<u64>) -> u64 {
        let trials = (games / batch).max(1);
        trials * batch + (CANDIDATES as u64 + 2) * checked(games, batch, check)
    }

    /// What its progress counts up to: two games on the same seed are one.
    pub fn steps(&self) -> u64 {
        self.trials() * self.batch + (CANDIDATES as u64 + 1) * self.check
    }

    /// Searches; nothing if it was stopped before any setting was tried.
    pub fn run(
        &mut self,
        base: &Arc<Game>,
        stop: &AtomicBool,
        progress: &(impl Fn(u64) + Sync),
    ) -> Result<Option<Found>, Failed> {
        self.find_scale(base, stop)?;
        let mut bandit = Bandit::new(&self.varied, self.plan.seed);
        let mut at = self.start();
        let mut tried = 0;
        let mut trials: BTreeMap<Point, (u64, f64)> = BTreeMap::new();
        for trial in 0..self.trials() {
            let plan = self.games_from(trial * self.batch, self.batch);
            let Some(found) = self.measure(&at, &plan, stop, progress)? else {
                break;
            };
            let away = goal::loss(&self.goals, &found);
            let sum = trials.entry(at.clone()).or_default();
            *sum = (sum.0 + 1, sum.1 + away);
            bandit.learn(&at, -away);
            at = bandit.next(&at);
            tried += 1;
        }
        let found = self.settle(&bandit, tried, base, stop, progress)?;
        Ok(found.map(|found| Found {
            tried: self.nearest_first(trials),
            ..found
        }))
    }

    /// Where a goal speaks of chances, all settings have them by one scale.
    fn find_scale(&mut self, base: &Arc<Game>, stop: &AtomicBool) -> Result<(), Failed> {
        let speaks = |goal: &&Goal| Measure::needs_scale_by_name(&goal.metric);
        let Some(goal) = self.goals.iter().find(speaks) else {
            return Ok(());
        };
        self.scale = scaling::common(base, &self.games_from(3 * FRESH, 1), stop)?;
        match self.scale {
            None if !stop.load(Ordering::Relaxed) => Err(Failed::NoChances(goal.metric.clone())),
            _ => Ok(()),
        }
    }

    /// What the games of a setting are counted with.
    fn header(&self, game: &Arc<Game>, plan: &Plan) -> Header {
        let header = Header::new(game, plan);
        Header {
            scale: self.scale.or(header.scale),
            ..header
        }
    }

    fn nearest_first(&self, trials: BTreeMap<Point, (u64, f64)>) -> Vec<Trial> {
        let mut all: Vec<Trial> = trials
            .into_iter()
            .map(|(point, (times, sum))| Trial {
                values: values(&self.varied, &point),
                games: times * self.batch,
                away: sum / times as f64,
            })
            .collect();
        all.sort_by(|a, b| a.away.total_cmp(&b.away));
        all
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
        let mut summary = Summary::new(self.header(&game, plan));
        let ended = stream(&game, plan, stop, progress, |record| {
            summary.add(&record);
            Next::GoOn
        })?;
        Ok((ended == RunEnd::Done).then(|| summary.findings()))
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
        let headers = [base, &tuned].map(|game| self.header(game, &last));
        let mut without = LeftOut::new(&headers);
        let mut comparison = Comparison::new(headers, None);
        compare(
            [base, &tuned],
            &last,
            &mut comparison,
            stop,
            progress,
            |_, records| {
                without.add(records);
                Next::GoOn
            },
        )?;
        let played = comparison.sides[0].games > 0;
        Ok(Some(Found {
            point,
            trials,
            tried: Vec::new(),
            gain: played.then(|| without.gain(&self.goals, &comparison)),
            comparison: played.then_some(comparison),
        }))
    }

    /// The game with the settings that were found.
    pub fn found_game(&mut self, found: &Found) -> Result<Arc<Game>, Failed> {
        self.game(&found.point)
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

/// Games for each of the best settings: a quarter of the search if nothing is said.
fn checked(games: u64, batch: u64, check: Option<u64>) -> u64 {
    check.unwrap_or((games / 4).max(batch))
}

/// The last games with one part of them left out, for each part: how far the gain depends on which games were played.
struct LeftOut {
    sides: Vec<[Summary; 2]>,
    games: [u64; PARTS],
}

impl LeftOut {
    fn new(headers: &[Header; 2]) -> LeftOut {
        let both = || headers.clone().map(Summary::new);
        LeftOut {
            sides: (0..PARTS).map(|_| both()).collect(),
            games: [0; PARTS],
        }
    }

    fn add(&mut self, records: &[Record; 2]) {
        let of = records[0].game as usize % PARTS;
        self.games[of] += 1;
        for (part, sides) in self.sides.iter_mut().enumerate() {
            if part != of {
                sides[0].add(&records[0]);
                sides[1].add(&records[1]);
            }
        }
    }

    fn gain(&self, goals: &[Goal], all: &Comparison) -> Gain {
        let away = |sides: &[Summary; 2]| {
            let [before, after] = sides
                .each_ref()
                .map(|side| goal::loss(goals, &side.findings()));
            (before, after)
        };
        let (before, after) = away(&all.sides);
        let gain = before - after;
        let every = self.games.iter().all(|&games| games > 0);
        let known = spread(&self.games, |without| {
            let (before, after) = without.map_or((before, after), |part| away(&self.sides[part]));
            Some(before - after)
        });
        let likelihood = match known.filter(|_| gain > 0.0 && every) {
            None => 1.0,
            Some(known) => {
                let errors = gain / known.variance.sqrt().max(1e-12);
                student_two_sided(errors, known.freedom) / 2.0
            }
        };
        Gain {
            before,
            after,
            likelihood,
            better: likelihood <= NO_GAIN,
        }
    }
}

impl Found {
    /// Whether the settings are better than the game as it is, beyond doubt.
    pub fn is_better(&self) -> bool {
        self.gain.is_some_and(|gain| gain.better)
    }

    /// What the game is like before and after, if that was measured.
    pub fn sides(&self) -> Option<[Findings; 2]> {
        let comparison = self.comparison.as_ref()?;
        Some(comparison.findings())
    }
}
