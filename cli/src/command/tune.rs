//! `ludoteca tune`: searches the declared parameters for a stated goal, and measures what it found on fresh seeds.

use crate::arguments::lab::Tune;
use crate::lab::{check_page, points::Points, run as lab, variant, write_page};
use crate::output::{Failure, Outcome, errln, outln};
use ludoteca::table::game::Game;
use ludoteca_lab::compare::{Comparison, Difference, compare};
use ludoteca_lab::goal::{self, Goal};
use ludoteca_lab::numbers::{interval, value};
use ludoteca_lab::page::{self, GoalCheck};
use ludoteca_lab::parameter::Varied;
use ludoteca_lab::record::Header;
use ludoteca_lab::runner::{Ended, Next};
use ludoteca_lab::simulate::{Plan, stream};
use ludoteca_lab::statistics::Estimate;
use ludoteca_lab::summary::{Findings, Summary};
use ludoteca_lab::tune::{Bandit, Point, values};
use serde_json::json;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Best settings of the search that are measured again.
const CANDIDATES: usize = 3;
/// Fresh seeds are far from those of the search, and those of the last measurement from both.
const FRESH: u64 = 1_000_000_000;

pub fn run(content: &[PathBuf], asked: &Tune) -> Outcome {
    check_page(asked.reporting.report.as_deref())?;
    let points = Points::open(content, &asked.game)?;
    let base = points.base()?;
    let plan = lab::plan(&asked.runs, &base, true)?;
    let usage = |message: String| Failure::Usage(message);
    let varied =
        Varied::read_all(&asked.parameters, &base.definition).map_err(|e| usage(e.to_string()))?;
    let goals = Goal::read_all(&asked.goal, &Header::new(&base, &plan))
        .map_err(|e| usage(e.to_string()))?;
    if let Some(path) = &asked.out {
        variant::check(path)?;
    }
    let mut search = Search {
        points,
        varied,
        goals,
        plan,
        check: asked
            .check
            .unwrap_or((asked.runs.games / 4).max(asked.batch)),
        games: HashMap::new(),
        stop: lab::stop_flag(),
    };
    search.run(asked, &base)
}

struct Search {
    points: Points,
    varied: Vec<Varied>,
    goals: Vec<Goal>,
    plan: Plan,
    check: u64,
    games: HashMap<Point, Arc<Game>>,
    stop: Arc<AtomicBool>,
}

/// The settings a search ends with, and what is known of them.
struct Found {
    point: Point,
    trials: u64,
    comparison: Option<Comparison>,
}

impl Search {
    fn run(&mut self, asked: &Tune, base: &Arc<Game>) -> Outcome {
        let trials = (self.plan.games / asked.batch).max(1);
        let bar = lab::bar(trials * asked.batch + (CANDIDATES as u64 + 1) * self.check);
        let mut bandit = Bandit::new(&self.varied, self.plan.seed);
        let mut at = self.start();
        let mut tried = 0;
        for trial in 0..trials {
            let plan = self.batch(trial * asked.batch, asked.batch);
            let Some(found) = self.measure(&at, &plan, &bar)? else {
                break;
            };
            bandit.learn(&at, -goal::loss(&self.goals, &found));
            at = bandit.next(&at);
            tried += 1;
        }
        let found = self.settle(&bandit, tried, base, &bar)?;
        bar.finish_and_clear();
        match found {
            Some(found) => self.report(asked, base, &found),
            None => {
                errln!("stopped before any setting was tried");
                Ok(())
            }
        }
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
    fn batch(&self, from: u64, games: u64) -> Plan {
        Plan {
            seed: self.plan.seed.wrapping_add(from),
            games,
            part: (0, games),
            ..self.plan.clone()
        }
    }

    fn game(&mut self, point: &Point) -> Result<Arc<Game>, Failure> {
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
        bar: &indicatif::ProgressBar,
    ) -> Result<Option<Findings>, Failure> {
        let game = self.game(point)?;
        let mut summary = Summary::new(Header::new(&game, plan));
        let ended = stream(
            &game,
            plan,
            &self.stop,
            |done| bar.inc(done),
            |record| {
                summary.add(&record);
                Next::GoOn
            },
        );
        let ended = ended.map_err(|broken| Failure::Game(broken.to_string()))?;
        Ok((ended == Ended::Done).then(|| summary.findings()))
    }

    /// Measures the best again on fresh seeds, and the best of these, beside the game as it is, on yet others: whoever wins a contest is
    /// flattered by it.
    fn settle(
        &mut self,
        bandit: &Bandit,
        trials: u64,
        base: &Arc<Game>,
        bar: &indicatif::ProgressBar,
    ) -> Result<Option<Found>, Failure> {
        let candidates = bandit.best(CANDIDATES);
        let fresh = self.batch(FRESH, self.check);
        let mut best: Option<(f64, Point)> = None;
        for point in &candidates {
            let Some(found) = self.measure(point, &fresh, bar)? else {
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
        let last = self.batch(2 * FRESH, self.check);
        let headers = [base, &tuned].map(|game| Header::new(game, &last));
        let mut comparison = Comparison::new(headers, None);
        compare(
            [base, &tuned],
            &last,
            &mut comparison,
            &self.stop,
            |done| bar.inc(done),
            |_| Next::GoOn,
        )
        .map_err(|broken| Failure::Game(broken.to_string()))?;
        Ok(Some(Found {
            point,
            trials,
            comparison: (comparison.sides[0].games > 0).then_some(comparison),
        }))
    }

    fn report(&self, asked: &Tune, base: &Arc<Game>, found: &Found) -> Outcome {
        let after = values(&self.varied, &found.point);
        let settings: Vec<(String, i64, i64)> = self
            .varied
            .iter()
            .zip(after)
            .map(|(parameter, after)| {
                let before = self.points.value(&parameter.key).unwrap_or(after);
                (parameter.key.clone(), before, after)
            })
            .collect();
        let header = Header::new(base, &self.plan);
        let checks = self.checks(&header, found.comparison.as_ref());
        let differences = found
            .comparison
            .as_ref()
            .map(|c| c.differences(0.02))
            .unwrap_or_default();
        let stored = asked.out.as_ref().map_or(Ok(()), |path| {
            variant::write(path, &settings, &asked.goal, &header)
        });
        let paged = match (&asked.reporting.report, &found.comparison) {
            (Some(path), Some(comparison)) => {
                let [before, after] = &comparison.sides;
                let page = page::tuned(
                    [&before.header, &after.header],
                    &checks,
                    &settings,
                    &differences,
                    comparison.sides[0].games,
                    asked.reporting.reader.lang,
                );
                write_page(path, page)
            }
            _ => Ok(()),
        };
        if asked.reporting.json {
            self.json(&header, found, &settings, &differences);
        } else {
            self.print(&header, found, &settings, &checks);
        }
        if self.stop.load(Ordering::Relaxed) {
            errln!("stopped early, after {} trials", found.trials);
        }
        stored.and(paged)
    }

    fn checks(&self, header: &Header, comparison: Option<&Comparison>) -> Vec<GoalCheck> {
        let sides =
            comparison.map(|comparison| comparison.sides.each_ref().map(|side| side.findings()));
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

    fn json(
        &self,
        header: &Header,
        found: &Found,
        settings: &[(String, i64, i64)],
        differences: &[Difference],
    ) {
        let sides = found
            .comparison
            .as_ref()
            .map(|comparison| comparison.sides.each_ref().map(|side| side.findings()));
        let settings: Vec<_> = settings
            .iter()
            .map(|(key, before, after)| json!({ "key": key, "before": before, "after": after }))
            .collect();
        outln!(
            "{}",
            json!({
                "run": header,
                "goals": self.goals,
                "trials": found.trials,
                "settings": settings,
                "before": sides.as_ref().map(|sides| &sides[0]),
                "after": sides.as_ref().map(|sides| &sides[1]),
                "differences": differences,
            })
        );
    }

    fn print(
        &self,
        header: &Header,
        found: &Found,
        settings: &[(String, i64, i64)],
        checks: &[GoalCheck],
    ) {
        outln!(
            "{} ({}), {} players, bots: {}, {} settings tried",
            header.game,
            header.selection_named(),
            header.players,
            header.bots_named(),
            found.trials
        );
        outln!();
        outln!("parameter                           before   after");
        for (key, before, after) in settings {
            outln!("{key:34} {before:>7} {after:>7}");
        }
        outln!();
        match &found.comparison {
            Some(comparison) => print_goals(checks, comparison.sides[0].games),
            None => outln!("stopped before the goals were measured on fresh seeds"),
        }
        outln!();
        let flags: Vec<String> = settings
            .iter()
            .filter(|(_, before, after)| before != after)
            .map(|(key, _, after)| format!(" --set {key}={after}"))
            .collect();
        if flags.is_empty() {
            outln!("nothing found is better than the game as it is");
            return;
        }
        outln!(
            "to try it: ludoteca sim {}{} --players {} --bots {}",
            header.game,
            flags.concat(),
            header.players,
            header.bots.join(",")
        );
    }
}

/// What became of each goal.
fn print_goals(checks: &[GoalCheck], games: u64) {
    outln!("goals, measured in {games} games of each on fresh seeds:");
    outln!("{:22} {:24} {:24}", "goal", "before", "after");
    for check in checks {
        let side = |estimate: &Option<Estimate>| match estimate {
            Some(found) => format!(
                "{} ({})",
                value(found.value, check.share),
                interval(found, check.share)
            ),
            None => "-".to_string(),
        };
        let met = check
            .after
            .is_some_and(|after| check.goal.distance(after.value) == 0.0);
        outln!(
            "{:22} {:24} {:24} {}",
            check.goal.to_string(),
            side(&check.before),
            side(&check.after),
            if met { "met" } else { "not met" }
        );
    }
}
