//! Everything that is wrong with content, for every door: games as they are and with each variant, their rules, their scenarios.

use super::scenario::Suite;
use crate::content::causes::{causes, together};
use crate::content::diagnostic::{Code, Diagnostic, guessing};
use crate::content::library::{KEPT_BYTES, Library, Selection};
use crate::content::pack::{BASE, LayerFile};
use crate::content::path::SCENARIOS;
use crate::limits::{CHECKED_BYTES, MOST_COUNTED};
use crate::script::load;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// A way to play a game, which is examined by itself.
type Way = (String, Selection);

/// Files of scenarios that are read together, and the pack they are of.
type Scenarios = (String, Vec<LayerFile>);

/// What many cores look at together: what they found, and how far they are.
struct Round<D> {
    found: Mutex<Vec<Diagnostic>>,
    ended: AtomicUsize,
    all: usize,
    done: D,
}

impl Library {
    /// What is wrong with one game, or with all of them and the packs themselves; sorted by file and position, each thing once.
    pub fn check(&self, only: Option<&str>) -> Vec<Diagnostic> {
        self.check_telling(only, |_, _| ())
    }

    /// The same, and says after each game and variant how many of how many are done.
    pub fn check_telling(
        &self,
        only: Option<&str>,
        done: impl Fn(usize, usize) + Sync,
    ) -> Vec<Diagnostic> {
        let mut found = match only {
            // A folder that is nearly called like the game was meant for it.
            Some(id) => {
                let of_it = self.problems().iter().filter(|found| {
                    let meant = found.slip.as_ref().map(|slip| &*slip.meant);
                    found.code == Code::UnreadFile && meant == Some(id)
                });
                of_it.cloned().collect()
            }
            None => self.problems().to_vec(),
        };
        let games = self.games();
        if let Some(id) = only.filter(|id| games.iter().all(|game| game.id != **id)) {
            // A pack that could not be opened, or not be read to its end, may have brought it.
            let broken = self.problems().iter().filter(|found| {
                let at = found.at.as_ref();
                let of_pack = at.is_some_and(|at| at.place.file.path == "pack.toml");
                found.is_error() && (of_pack || found.code == Code::UnreadableFile)
            });
            let broken: Vec<Diagnostic> = broken.cloned().collect();
            if !broken.is_empty() {
                return broken;
            }
            let missing = self.load(id, &Selection::default());
            return missing.err().unwrap_or_default();
        }
        let mut folders: BTreeMap<(String, String), Vec<LayerFile>> = BTreeMap::new();
        for file in self.written_scenarios(only) {
            let inside = file.file.path.strip_prefix(SCENARIOS);
            // Those of another pack share what may be loaded, and so are read one after the other.
            let folder = inside
                .and_then(|inside| inside.split('/').next())
                .filter(|_| file.file.from == BASE);
            let lies = (
                file.file.from.clone(),
                folder.unwrap_or_default().to_string(),
            );
            folders.entry(lies).or_default().push(file);
        }
        let mut ways: Vec<Way> = Vec::new();
        let mut rooms: BTreeMap<&str, usize> = BTreeMap::new();
        let mut left_out: BTreeMap<&str, usize> = BTreeMap::new();
        for game in games
            .iter()
            .filter(|game| only.is_none_or(|id| id == game.id))
        {
            // The games of a pack share what may be loaded; the base is ours, and all of it is checked.
            let room = match game.pack == BASE {
                true => &mut usize::MAX.clone(),
                false => rooms.entry(&game.pack).or_insert(CHECKED_BYTES),
            };
            if *room == 0 {
                *left_out.entry(&game.pack).or_default() += 1;
                continue;
            }
            *room = room.saturating_sub(self.load_cost(&game.id));
            ways.push((game.id.clone(), Selection::default()));
            let checked = self.affordable_variants(&game.id, room);
            let (all, most) = (game.variants.len(), checked.len());
            if all > most {
                let id = &game.id;
                let message = format!(
                    "`{id}` has {all} variants, and {most} of a game of its size are checked"
                );
                found.push(Diagnostic::new(Code::OutOfRange, message));
            }
            let variants = checked.iter().map(|id| Selection::variant(id));
            ways.extend(variants.map(|variant| (game.id.clone(), variant)));
        }
        for (pack, games) in left_out {
            let message = format!(
                "{games} games of the pack `{pack}` are not checked: the others are as much as is loaded of one pack"
            );
            found.push(Diagnostic::new(Code::OutOfRange, message));
        }
        let folders = folders.into_iter();
        let folders: Vec<Scenarios> = folders.map(|((pack, _), files)| (pack, files)).collect();
        found.extend(self.examine_all(&ways, &folders, done));
        causes(&mut found);
        together(&mut found);
        found
    }

    /// Games first, then scenarios, which are about games that are compiled by then. What is wrong with a game is told where the game is,
    /// not where its scenarios are.
    fn examine_all(
        &self,
        ways: &[Way],
        folders: &[Scenarios],
        done: impl Fn(usize, usize) + Sync,
    ) -> Vec<Diagnostic> {
        let round = Round {
            found: Mutex::default(),
            ended: AtomicUsize::new(0),
            all: ways.len() + folders.len(),
            done,
        };
        let since = self.taken();
        let made = Mutex::new(Vec::new());
        let kept = AtomicUsize::new(0);
        round.on_all_cores(ways, |(id, selection)| {
            if !self.may_load_again(id, &since) {
                let message = format!(
                    "not every variant of `{id}` is checked: its cards and maps are more than is loaded of one pack"
                );
                return vec![Diagnostic::new(Code::OutOfRange, message)];
            }
            let (game, found) = load::examine(self, id, selection);
            // Kept for scenarios, if there are some, and only so much of it: what is not there is compiled again.
            let sound = !folders.is_empty() && !found.iter().any(Diagnostic::is_error);
            if let Some(game) = game.filter(|_| sound)
                && kept.fetch_add(self.load_cost(id), Ordering::Relaxed) <= KEPT_BYTES
            {
                let mut made = made.lock().unwrap_or_else(PoisonError::into_inner);
                made.push((selection.clone(), game));
            }
            found
        });
        let made = made.into_inner().unwrap_or_else(PoisonError::into_inner);
        round.on_all_cores(folders, |(pack, files)| {
            // Those of the base are ours, and all of them are read.
            let room = (pack != BASE).then_some(CHECKED_BYTES);
            Suite::problems(self, files, &made, room, &since)
        });
        let found = round.found.into_inner();
        found.unwrap_or_else(PoisonError::into_inner)
    }
}

impl<D: Fn(usize, usize) + Sync> Round<D> {
    /// The tasks have nothing to do with each other: every core takes the next one, and what they find is sorted afterwards.
    fn on_all_cores<T: Sync>(&self, tasks: &[T], look: impl Fn(&T) -> Vec<Diagnostic> + Sync) {
        let next = AtomicUsize::new(0);
        let is_full = || {
            let found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
            // Nobody reads so many, and other variants would only say them again.
            found.len() > MOST_COUNTED
        };
        let at_work = || {
            let _guesses = guessing();
            while let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed))
                && !is_full()
            {
                let diagnostics = look(task);
                let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
                found.extend(diagnostics);
                drop(found);
                (self.done)(self.ended.fetch_add(1, Ordering::Relaxed) + 1, self.all);
            }
        };
        let cores = thread::available_parallelism().map_or(1, usize::from);
        thread::scope(|scope| {
            // Where there are no more threads to be had, this one does the work.
            for _ in 1..cores.min(tasks.len()) {
                let _ = thread::Builder::new().spawn_scoped(scope, at_work);
            }
            at_work();
        });
    }
}
