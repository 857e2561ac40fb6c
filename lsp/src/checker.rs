//! What is wrong with the games that are being edited, found on threads of its own. A newer edit makes older work pointless: it is left
//! after the part at hand.

use crossbeam_channel::{Receiver, Sender, unbounded};
use ludoteca::pack::SCENARIOS;
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
    /// Of its scenarios those of one file.
    ScenariosIn(String),
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
    /// The job with which something else than scenarios was changed last: what was compiled since then still holds.
    content: u64,
    library: Arc<Library>,
    /// The part of a game that somebody writes in, if it is not the game itself.
    at_hand: Option<(String, Examined)>,
}

/// A thread that examines some parts of games. The games it has not done yet are kept over newer edits.
struct Lane {
    jobs: Sender<Job>,
    waiting: Arc<Mutex<Vec<String>>>,
}

/// A game as it was compiled, in all ways somebody wanted it, of the content of one job.
#[derive(Default)]
struct Compiled {
    content: u64,
    ways: Vec<(Selection, Arc<Game>)>,
}

/// What was edited: the file somebody writes in says which part is wanted first.
#[derive(Debug, Clone, Copy, Default)]
pub struct EditedNow<'p> {
    pub file: Option<&'p str>,
    /// Nothing but scenarios, which change no game.
    pub only_scenarios: bool,
}

/// What both lanes know.
#[derive(Clone)]
struct Shared {
    newest: Arc<AtomicU64>,
    content: Arc<AtomicU64>,
    tell: Sender<Found>,
    /// The games as they were compiled last: their scenarios need not compile them again.
    compiled: Arc<Mutex<HashMap<String, Compiled>>>,
}

impl Shared {
    /// The ways in which a game is compiled as it is now.
    fn made(&self, game: &str, content: u64) -> Vec<(Selection, Arc<Game>)> {
        let compiled = locked(&self.compiled);
        let known = compiled.get(game).filter(|known| known.content == content);
        known.map_or_else(Vec::new, |known| known.ways.clone())
    }

    /// Keeps what was compiled, as much of it as there is room for: what is not there is compiled again.
    fn keep(&self, game: &str, content: u64, made: Vec<(Selection, Arc<Game>)>, most: usize) {
        let mut compiled = locked(&self.compiled);
        let known = compiled.entry(game.to_string()).or_default();
        if known.content > content {
            return;
        }
        let mut before = Vec::new();
        if known.content < content {
            known.content = content;
            before = std::mem::take(&mut known.ways);
        }
        let is_new = |with: &Selection| !made.iter().any(|(other, _)| other == with);
        known.ways.retain(|(with, _)| is_new(with));
        known.ways.splice(0..0, made);
        // The game itself is what all others are made like.
        known
            .ways
            .sort_by_key(|(with, _)| *with != Selection::default());
        known.ways.truncate(most.max(1));
        drop(compiled);
        // It takes a while until a game is put away: nobody waits for it.
        drop(before);
    }
}

/// Two lanes: the games themselves and the variant or scenario somebody writes in at once; the others when nobody writes, so that nobody
/// waits for them.
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
            newest: Arc::default(),
            content: Arc::default(),
            tell,
            compiled: Arc::default(),
        };
        let urgent = Lane::start("checker", Duration::ZERO, &shared, urgent)?;
        let others = Lane::start("variants", PAUSE, &shared, |job, game| {
            let variants = job.library.checked_variants(game).into_iter();
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
    pub fn examine(&self, library: &Arc<Library>, games: &[String], edited: EditedNow<'_>) {
        let number = self.shared.newest.fetch_add(1, Ordering::SeqCst) + 1;
        if !edited.only_scenarios {
            self.shared.content.store(number, Ordering::SeqCst);
        }
        for lane in &self.lanes {
            let mut waiting = locked(&lane.waiting);
            waiting.retain(|game| !games.contains(game));
            waiting.splice(0..0, games.iter().cloned());
            // The thread outlives every sender.
            let _ = lane.jobs.send(Job {
                number,
                content: self.shared.content.load(Ordering::SeqCst),
                library: library.clone(),
                at_hand: edited.file.and_then(part_of),
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

/// The game itself, and what somebody writes in.
fn urgent(job: &Job, game: &str) -> Vec<Examined> {
    let at_hand = job.at_hand.as_ref();
    match at_hand.filter(|(of, _)| of == game).map(|(_, part)| part) {
        Some(part) if *part != Examined::Game => vec![part.clone(), Examined::Game],
        _ => vec![Examined::Game],
    }
}

/// The part of a game that a file is of, by its path in a pack.
fn part_of(path: &str) -> Option<(String, Examined)> {
    if let Some(rest) = path.strip_prefix(SCENARIOS) {
        let game = rest.split('/').next()?;
        return Some((game.to_string(), Examined::ScenariosIn(path.to_string())));
    }
    let mut parts = path.strip_prefix("variants/")?.split('/');
    let (game, name) = (parts.next()?, parts.next()?);
    let name = name.strip_suffix(".toml").unwrap_or(name);
    Some((game.to_string(), Examined::Variant(name.to_string())))
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Lane {
    fn start(
        name: &str,
        pause: Duration,
        shared: &Shared,
        parts: fn(&Job, &str) -> Vec<Examined>,
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
    parts: fn(&Job, &str) -> Vec<Examined>,
) {
    let _guesses = guessing();
    let is_old = || shared.newest.load(Ordering::SeqCst) != job.number;
    loop {
        let Some(game) = locked(waiting).first().cloned() else {
            return;
        };
        let (since, kept) = (job.library.taken(), job.library.kept_games(&game));
        for part in parts(job, &game) {
            if is_old() {
                return;
            }
            let is_variant = matches!(part, Examined::Variant(_));
            if is_variant && !job.library.may_load_again(&game, &since) {
                continue;
            }
            let mut made = shared.made(&game, job.content);
            let looked = look(&job.library, &game, &part, &mut made, &|| !is_old());
            shared.keep(&game, job.content, made, kept + 1);
            let Some(diagnostics) = looked else {
                return;
            };
            let found = Found {
                diagnostics,
                variants: job.library.variants(&game),
                game: game.clone(),
                part,
            };
            if is_old() || shared.tell.send(found).is_err() {
                return;
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
    look(library, game, part, &mut Vec::new(), &|| true).unwrap_or_default()
}

/// What is wrong with a part; nothing if it was left off. What is compiled for it and sound is put to what was made before.
fn look(
    library: &Library,
    game: &str,
    part: &Examined,
    made: &mut Vec<(Selection, Arc<Game>)>,
    go_on: &dyn Fn() -> bool,
) -> Option<Vec<Diagnostic>> {
    let selection = match part {
        Examined::Game => Selection::default(),
        Examined::Variant(name) => Selection::variant(name),
        Examined::Scenarios => {
            let files = library.scenarios(Some(game));
            return Suite::problems_while(library, &files, made, go_on);
        }
        Examined::ScenariosIn(path) => {
            let mut files = library.scenarios(Some(game));
            files.retain(|item| item.file.path == *path);
            return Suite::problems_while(library, &files, made, go_on);
        }
    };
    let (compiled, found) = examine(library, game, &selection);
    let sound = !found.iter().any(Diagnostic::is_error);
    made.retain(|(with, _)| *with != selection);
    made.extend(
        compiled
            .filter(|_| sound)
            .map(|compiled| (selection, compiled)),
    );
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_of_a_part_of_a_game() {
        let variant = |name: &str| Some(("fair".to_string(), Examined::Variant(name.into())));
        assert_eq!(part_of("variants/fair/cheap.toml"), variant("cheap"));
        let overlay = "variants/fair/cheap/cards/fair/tables.toml";
        assert_eq!(part_of(overlay), variant("cheap"));
        let visits = "tests/scenarios/fair/visits.toml";
        let scenarios = Some(("fair".to_string(), Examined::ScenariosIn(visits.into())));
        assert_eq!(part_of(visits), scenarios);
        assert_eq!(part_of("cards/fair/tables.toml"), None);
    }
}
