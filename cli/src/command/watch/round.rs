//! What happens after a save: the content is loaded, and the same games are played on both sides; meanwhile the scenarios run, those first
//! that the change can touch, and everything is checked.

use super::Flag;
use super::state::{
    Checked, Figures, HowFar, Scenarios, Screenful, SharedState, WatchedAgainst, lock,
};
use crate::arguments::Watch;
use crate::lab::run as lab;
use crate::packs;
use crate::words::{errors::told, say};
use ludoteca::{
    Diagnostic, Game, Library, Loaded, Selection, Suite, Touched, diff, load, render_all, touched,
};
use ludoteca_lab::compare::{Comparison, compare};
use ludoteca_lab::measure::Measure;
use ludoteca_lab::record::Header;
use ludoteca_lab::runner::Next;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The size of a difference that is asked about where none is seen: five parts of a hundred.
pub const SIZE: f64 = 0.05;
/// Between two reports of the comparison to the screen.
const REPORT: Duration = Duration::from_millis(150);
/// Changes that are listed.
const CHANGES_LISTED: usize = 4;

/// A side of the comparison that is kept: the game and its data.
type Side = (Arc<Game>, Arc<Loaded>);

/// What it was when watching began, and the last that could be played.
#[derive(Default)]
pub struct Remembered {
    beginning: OnceLock<Side>,
    last: Mutex<Option<Arc<Loaded>>>,
}

/// The work after one save. Whoever saves again ends it.
pub struct Round {
    over: Flag,
}

/// What the workers of a round share.
#[derive(Clone)]
struct Work {
    content: Vec<PathBuf>,
    game: String,
    selection: Selection,
    against: Option<Selection>,
    games: u64,
    players: Option<u8>,
    bots: Vec<String>,
    seed: u64,
    known: SharedState,
    memory: Arc<Remembered>,
    over: Flag,
    saved: Instant,
}

impl Round {
    pub fn start(
        content: &[PathBuf],
        watch: &Watch,
        selection: &Selection,
        (known, memory): (&SharedState, &Arc<Remembered>),
        changed: Vec<String>,
        saved: Instant,
    ) -> Round {
        lock(known).saved = changed;
        let over: Flag = Arc::new(AtomicBool::new(false));
        let against = watch.against.as_ref().map(|name| match name.as_str() {
            "base" => Selection::default(),
            name => Selection::variant(name),
        });
        let work = Work {
            content: content.to_vec(),
            game: watch.game.game.clone(),
            selection: selection.clone(),
            against,
            games: watch.games,
            players: watch.players,
            bots: watch.bots.clone(),
            seed: watch.seed,
            known: known.clone(),
            memory: memory.clone(),
            over: over.clone(),
            saved,
        };
        thread::spawn(move || work.go());
        Round { over }
    }

    /// Ends it. Nobody waits for a check that is under way: what it finds is not told any more.
    pub fn end(&self) {
        self.over.store(true, Ordering::Relaxed);
    }
}

impl Work {
    fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    /// Tells something, unless somebody has saved again.
    fn tell(&self, change: impl FnOnce(&mut Screenful)) {
        let mut state = lock(&self.known);
        if !self.is_over() {
            change(&mut state);
        }
    }

    fn go(&self) {
        let library = match packs::open(&self.content) {
            Ok((library, _)) => library,
            Err(failure) => {
                return self.tell(|state| state.broken = Some(failure.to_string()));
            }
        };
        let side = match self.side(&library, &self.selection) {
            Ok(side) => side,
            Err(problems) => {
                return self.tell(|state| state.broken = Some(render_all(&problems, false)));
            }
        };
        let other = match &self.against {
            None => self.memory.beginning.get_or_init(|| side.clone()).clone(),
            Some(against) => match self.side(&library, against) {
                Ok(other) => other,
                Err(problems) => {
                    return self.tell(|state| state.broken = Some(render_all(&problems, false)));
                }
            },
        };
        if self.is_over() {
            return;
        }
        let mut last = self
            .memory
            .last
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let before = last.replace(side.1.clone());
        drop(last);
        let can_touch = before.map_or(Touched::Everything, |before| touched(&before, &side.1));
        let changes: Vec<String> = diff(&other.1, &side.1)
            .iter()
            .map(|change| told(change).lines().next().unwrap_or_default().to_string())
            .collect();
        self.tell(|state| {
            state.broken = None;
            state.first_figures = None;
            state.checked = None;
            match changes.is_empty() {
                true => state.is_same(),
                false => state.compared = HowFar::Waiting,
            }
            let more = changes.len().saturating_sub(CHANGES_LISTED);
            state.changes = changes.into_iter().take(CHANGES_LISTED).collect();
            if more > 0 {
                state.changes.push(say!(".. {more} más", ".. {more} more"));
            }
            state.scenarios = Scenarios::default();
        });
        // Reading all scenarios takes longer than the first figures may.
        thread::scope(|scope| {
            scope.spawn(|| {
                let (first, rest) = self.scenarios(&library, &can_touch);
                self.run(&library, &first);
                self.run(&library, &rest);
                self.check(&library);
            });
            self.compare(&other, &side);
        });
    }

    fn side(&self, library: &Library, selection: &Selection) -> Result<Side, Vec<Diagnostic>> {
        let game = load(library, &self.game, selection)?;
        let loaded = library.load(&self.game, selection)?;
        Ok((game, Arc::new(loaded)))
    }

    /// The scenarios a change can touch, and the others.
    fn scenarios(&self, library: &Library, can_touch: &Touched) -> (Suite, Suite) {
        let (suite, _) = Suite::read(library, &library.scenarios(Some(&self.game)));
        let (mut first, mut rest) = (Suite::default(), Suite::default());
        for entry in suite.entries {
            let calls = entry.sheet.run.iter().flatten();
            let mut calls =
                calls.map(|call| call.value.split('(').next().unwrap_or_default().trim());
            let whole = |name: &str| name == "round" || can_touch.has(name);
            let setup = entry.sheet.setup == Some(true) && can_touch.has("setup");
            match setup || calls.any(whole) {
                true => first.entries.push(entry),
                false => rest.entries.push(entry),
            }
        }
        self.tell(|state| {
            state.scenarios.read = true;
            state.scenarios.touched = first.entries.len();
            state.scenarios.all = first.entries.len() + rest.entries.len();
        });
        (first, rest)
    }

    fn run(&self, library: &Library, suite: &Suite) {
        if self.is_over() {
            return;
        }
        let tried = suite.run(library);
        let failed = tried.iter().filter(|trial| !trial.failures.is_empty());
        let told = failed.map(|trial| {
            let why = trial
                .failures
                .first()
                .map(ToString::to_string)
                .unwrap_or_default();
            let why = why.lines().next().unwrap_or_default();
            [
                format!("{} ({})", trial.title.value, trial.title.place),
                why.to_string(),
            ]
        });
        self.tell(|state| {
            state.scenarios.run += tried.len();
            state.scenarios.failed.extend(told);
        });
    }

    fn check(&self, library: &Library) {
        if self.is_over() {
            return;
        }
        let found = library.check(Some(&self.game));
        let errors = found.iter().filter(|one| one.is_error()).count();
        let checked = Checked {
            errors,
            warnings: found.len() - errors,
            told: render_all(&found, false),
        };
        self.tell(|state| state.checked = Some(checked));
    }

    fn compare(&self, other: &Side, side: &Side) {
        let games = [&other.0, &side.0];
        if other.0.definition.hash == side.0.definition.hash {
            return self.tell(Screenful::is_same);
        }
        let players = self.players.unwrap_or(side.0.definition.players.0);
        let fewest = games.map(|game| game.definition.players.0);
        let most = games.map(|game| game.definition.players.1);
        if players < fewest[0].max(fewest[1]) || players > most[0].min(most[1]) {
            let told = say!(
                "{players} jugadores no pueden jugar a los dos lados",
                "{players} players cannot play both sides"
            );
            return self.tell(|state| state.compared = HowFar::Broke(told));
        }
        let plan = match lab::plan_of(players, &self.bots, self.seed, self.games) {
            Ok(plan) => plan,
            Err(failure) => {
                return self.tell(|state| state.compared = HowFar::Broke(failure.to_string()));
            }
        };
        let headers = [0, 1].map(|n| Header::new(games[n], &plan));
        let order = order(&headers[1]);
        let mut comparison = Comparison::new(headers, None);
        let mut next = Instant::now();
        let wanted = plan.games;
        let mut done = 0;
        let ended = compare(
            games,
            &plan,
            &mut comparison,
            &self.over,
            |_| {},
            |counted, _| {
                done += 1;
                let begun = Instant::now();
                if begun >= next {
                    self.report(counted, &order, done, wanted);
                    // Working out the figures takes its time too: most of it is for playing.
                    next = Instant::now() + REPORT.max(begun.elapsed() * 3);
                }
                match self.is_over() {
                    true => Next::Enough,
                    false => Next::GoOn,
                }
            },
        );
        match ended {
            Err(broken) => {
                self.tell(|state| state.compared = HowFar::Broke(broken.to_string()));
            }
            Ok(_) if done > 0 => self.report(&comparison, &order, done, wanted),
            Ok(_) => {}
        }
    }

    fn report(&self, comparison: &Comparison, order: &[String], done: u64, wanted: u64) {
        let mut differences = comparison.differences(SIZE);
        differences.sort_by_key(|one| order.iter().position(|name| *name == one.name));
        self.tell(|state| {
            let saved = self.saved;
            state.first_figures.get_or_insert_with(|| saved.elapsed());
            state.compared = HowFar::Growing;
            state.figures = Some(Figures {
                done,
                wanted,
                differences,
            });
        });
    }
}

/// Names of measures in the order they are shown: what the game itself measures, then what can be measured of any game.
fn order(header: &Header) -> Vec<String> {
    let own = header.metrics.iter().map(|metric| metric.name.clone());
    let general = Measure::names(header);
    own.chain(general).collect()
}

/// Whether what is compared with is a variant by name.
pub fn named(against: &WatchedAgainst) -> Option<&str> {
    match against {
        WatchedAgainst::Before => None,
        WatchedAgainst::Named(name) => Some(name),
    }
}
