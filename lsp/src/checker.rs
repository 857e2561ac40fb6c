//! What is wrong with the games that are being edited, found on threads of its own. A newer edit makes older work pointless: it is left
//! after the part at hand.

use crossbeam_channel::{Receiver, Sender, unbounded};
use ludoteca::{Diagnostic, Game, Library, Selection, Suite, examine, guessing};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
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

/// A game, and the number of the job it was compiled for.
type CompiledFor = (u64, Arc<Game>);

/// What both lanes know.
#[derive(Clone)]
struct Shared {
    newest: Arc<AtomicU64>,
    tell: Sender<Found>,
    /// The games as the first lane compiled them last, each for a job: its scenarios need not compile it again.
    compiled: Arc<Mutex<HashMap<String, CompiledFor>>>,
}

/// Two lanes: the games themselves at once; variants and scenarios when nobody writes, so that nobody waits for them.
pub struct Checker {
    lanes: [Lane; 2],
    shared: Shared,
    pub found: Receiver<Found>,
}

impl Checker {
    /// Starts the threads; they end when the checker is dropped.
    pub fn start() -> std::io::Result<Checker> {
        let (tell, found) = unbounded();
        let shared = Shared {
            newest: Arc::new(AtomicU64::new(0)),
            tell,
            compiled: Arc::default(),
        };
        let urgent = Lane::start("checker", Duration::ZERO, &shared, |_, _| {
            vec![Examined::Game]
        })?;
        let others = Lane::start("variants", PAUSE, &shared, |library, game| {
            let variants = library.checked_variants(game).into_iter();
            let variants = variants.map(Examined::Variant);
            variants.chain([Examined::Scenarios]).collect()
        })?;
        Ok(Checker {
            lanes: [urgent, others],
            shared,
            found,
        })
    }

    /// Examines games anew, and after them those that were waiting; whatever is still being examined is given up.
    pub fn examine(&self, library: &Arc<Library>, games: &[String]) {
        let number = self.shared.newest.fetch_add(1, Ordering::SeqCst) + 1;
        for lane in &self.lanes {
            let mut waiting = locked(&lane.waiting);
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
            locked(&lane.waiting).retain(|game| open.contains(game));
        }
        locked(&self.shared.compiled).retain(|game, _| open.contains(game));
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Lane {
    fn start(
        name: &str,
        pause: Duration,
        shared: &Shared,
        parts: fn(&Library, &str) -> Vec<Examined>,
    ) -> std::io::Result<Lane> {
        let (jobs, coming) = unbounded::<Job>();
        let waiting = Arc::new(Mutex::new(Vec::new()));
        let (shared, games) = (shared.clone(), waiting.clone());
        // Scripts are compiled by walking their trees.
        let thread = thread::Builder::new()
            .name(name.into())
            .stack_size(16 << 20);
        thread.spawn(move || {
            while let Ok(mut job) = coming.recv() {
                while let Ok(newer) = coming.recv_timeout(pause) {
                    job = newer;
                }
                work(&job, &shared, &games, parts);
            }
        })?;
        Ok(Lane { jobs, waiting })
    }
}

fn work(
    job: &Job,
    shared: &Shared,
    waiting: &Mutex<Vec<String>>,
    parts: fn(&Library, &str) -> Vec<Examined>,
) {
    let _guesses = guessing();
    let is_old = || shared.newest.load(Ordering::SeqCst) != job.number;
    loop {
        let Some(game) = locked(waiting).first().cloned() else {
            return;
        };
        let mut made = Vec::new();
        for part in parts(&job.library, &game) {
            if is_old() {
                return;
            }
            if part == Examined::Scenarios {
                let compiled = locked(&shared.compiled);
                let known = compiled
                    .get(&game)
                    .filter(|(job_of, _)| *job_of == job.number);
                made.extend(known.map(|(_, game)| (Selection::default(), game.clone())));
            }
            let looked = look(&job.library, &game, &part, &made, &|| !is_old());
            let Some((compiled, diagnostics)) = looked else {
                return;
            };
            let found = Found {
                diagnostics,
                variants: job.library.variants(&game),
                game: game.clone(),
                part: part.clone(),
            };
            if is_old() || shared.tell.send(found).is_err() {
                return;
            }
            match (part, compiled) {
                (Examined::Game, Some(compiled)) => {
                    let known = (job.number, compiled);
                    let before = locked(&shared.compiled).insert(game.clone(), known);
                    // It takes a while until a game is put away: nobody waits for it.
                    drop(before);
                }
                (Examined::Variant(name), Some(compiled)) => {
                    made.push((Selection::variant(&name), compiled));
                }
                _ => {}
            }
        }
        // A game that is to be examined anew meanwhile goes on waiting: an edit has its number before it is put among those that wait.
        let mut waiting = locked(waiting);
        if is_old() {
            return;
        }
        waiting.retain(|other| *other != game);
    }
}

/// The same that `check` says of it.
pub fn examined(library: &Library, game: &str, part: &Examined) -> Vec<Diagnostic> {
    let looked = look(library, game, part, &[], &|| true);
    looked.map(|(_, found)| found).unwrap_or_default()
}

/// A game if it is sound, and what is wrong with it.
type Looked = (Option<Arc<Game>>, Vec<Diagnostic>);

/// What is wrong with a part; nothing if it was left off.
fn look(
    library: &Library,
    game: &str,
    part: &Examined,
    made: &[(Selection, Arc<Game>)],
    go_on: &dyn Fn() -> bool,
) -> Option<Looked> {
    let selection = match part {
        Examined::Game => Selection::default(),
        Examined::Variant(name) => Selection::variant(name),
        Examined::Scenarios => {
            let files = library.scenarios(Some(game));
            let found = Suite::problems_while(library, &files, made, go_on)?;
            return Some((None, found));
        }
    };
    let (compiled, found) = examine(library, game, &selection);
    let sound = !found.iter().any(Diagnostic::is_error);
    Some((compiled.filter(|_| sound), found))
}
