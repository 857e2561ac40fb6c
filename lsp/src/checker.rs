//! What is wrong with the games that are being edited, found on threads of its own. A newer edit makes older work pointless: it is left
//! after the part at hand.

use crossbeam_channel::{Receiver, Sender, unbounded};
use ludoteca::{Diagnostic, Library, Selection, Suite, examine, guessing};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// What is examined by itself: the game, one of its variants, its scenarios.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Examined {
    Game,
    Variant(String),
    Scenarios,
}

/// A part of a game that was examined.
pub struct Found {
    pub game: String,
    pub part: Examined,
    pub diagnostics: Vec<Diagnostic>,
    /// The variants the game has now: what was found in others before is gone.
    pub variants: Vec<String>,
}

/// How long a person must not write before what is less urgent is examined.
const PAUSE: Duration = Duration::from_millis(300);

struct Job {
    number: u64,
    library: Arc<Library>,
}

/// A thread that examines some parts of games. The games it has not done yet are kept over newer edits.
struct Lane {
    jobs: Sender<Job>,
    waiting: Arc<Mutex<Vec<String>>>,
}

/// Two lanes: the games themselves at once; variants and scenarios when nobody writes, so that nobody waits for them.
pub struct Checker {
    lanes: [Lane; 2],
    newest: Arc<AtomicU64>,
    pub found: Receiver<Found>,
}

impl Checker {
    /// Starts the threads; they end when the checker is dropped.
    pub fn start() -> std::io::Result<Checker> {
        let (tell, found) = unbounded();
        let newest = Arc::new(AtomicU64::new(0));
        let urgent = Lane::start("checker", Duration::ZERO, &newest, &tell, |_, _| {
            vec![Examined::Game]
        })?;
        let others = Lane::start("variants", PAUSE, &newest, &tell, |library, game| {
            let variants = library.checked_variants(game).into_iter();
            let variants = variants.map(Examined::Variant);
            variants.chain([Examined::Scenarios]).collect()
        })?;
        Ok(Checker {
            lanes: [urgent, others],
            newest,
            found,
        })
    }

    /// Examines games anew, and after them those that were waiting; whatever is still being examined is given up.
    pub fn examine(&self, library: &Arc<Library>, games: &[String]) {
        let number = self.newest.fetch_add(1, Ordering::SeqCst) + 1;
        for lane in &self.lanes {
            let mut waiting = lane.waiting.lock().unwrap_or_else(PoisonError::into_inner);
            waiting.retain(|game| !games.contains(game));
            waiting.splice(0..0, games.iter().cloned());
            // The thread outlives every sender.
            let _ = lane.jobs.send(Job {
                number,
                library: library.clone(),
            });
        }
    }

    /// Games nobody edits any more need not be examined.
    pub fn forget(&self, open: &[String]) {
        for lane in &self.lanes {
            let mut waiting = lane.waiting.lock().unwrap_or_else(PoisonError::into_inner);
            waiting.retain(|game| open.contains(game));
        }
    }
}

impl Lane {
    fn start(
        name: &str,
        pause: Duration,
        newest: &Arc<AtomicU64>,
        tell: &Sender<Found>,
        parts: fn(&Library, &str) -> Vec<Examined>,
    ) -> std::io::Result<Lane> {
        let (jobs, coming) = unbounded::<Job>();
        let waiting = Arc::new(Mutex::new(Vec::new()));
        let (newest, tell, games) = (newest.clone(), tell.clone(), waiting.clone());
        // Scripts are compiled by walking their trees.
        let thread = thread::Builder::new()
            .name(name.into())
            .stack_size(16 << 20);
        thread.spawn(move || {
            while let Ok(mut job) = coming.recv() {
                while let Ok(newer) = coming.recv_timeout(pause) {
                    job = newer;
                }
                work(&job, &newest, &games, &tell, parts);
            }
        })?;
        Ok(Lane { jobs, waiting })
    }
}

fn work(
    job: &Job,
    newest: &AtomicU64,
    waiting: &Mutex<Vec<String>>,
    tell: &Sender<Found>,
    parts: fn(&Library, &str) -> Vec<Examined>,
) {
    let _guesses = guessing();
    let is_old = || newest.load(Ordering::SeqCst) != job.number;
    let waiting = || waiting.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        let Some(game) = waiting().first().cloned() else {
            return;
        };
        for part in parts(&job.library, &game) {
            if is_old() {
                return;
            }
            let found = Found {
                diagnostics: examined(&job.library, &game, &part),
                variants: job.library.variants(&game),
                game: game.clone(),
                part,
            };
            if is_old() || tell.send(found).is_err() {
                return;
            }
        }
        // A game that is to be examined anew meanwhile goes on waiting: an edit has its number before it is put among those that wait.
        let mut waiting = waiting();
        if is_old() {
            return;
        }
        waiting.retain(|other| *other != game);
    }
}

/// The same that `check` says of it.
pub fn examined(library: &Library, game: &str, part: &Examined) -> Vec<Diagnostic> {
    match part {
        Examined::Game => examine(library, game, &Selection::default()).1,
        Examined::Variant(name) => examine(library, game, &Selection::variant(name)).1,
        Examined::Scenarios => Suite::problems(library, &library.scenarios(Some(game))),
    }
}
