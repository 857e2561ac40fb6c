//! Which files changed since somebody last looked. What counts is what they hold: a file that is saved as it was has not changed.

use crate::packs;
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, SystemTime};

/// Editors write a file in pieces, or take it away and put another in its place: it must lie still for so long.
const STILL: Duration = Duration::from_millis(60);
/// And at most so often is that waited for.
const PATIENCE: usize = 20;

type Facts = BTreeMap<String, (SystemTime, u64)>;

pub struct Watched {
    content: Vec<PathBuf>,
    facts: Facts,
    held: BTreeMap<String, u64>,
}

impl Watched {
    pub fn new(content: &[PathBuf]) -> Watched {
        let facts = packs::all_files(content);
        let held = facts
            .keys()
            .map(|path| (path.clone(), held(path)))
            .collect();
        Watched {
            content: content.to_vec(),
            facts,
            held,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.facts.is_empty()
    }

    /// The paths whose files hold something else now, are new or are gone.
    pub fn changed(&mut self) -> Vec<String> {
        let mut facts = packs::all_files(&self.content);
        if facts == self.facts {
            return Vec::new();
        }
        for _ in 0..PATIENCE {
            thread::sleep(STILL);
            let later = packs::all_files(&self.content);
            if later == facts {
                break;
            }
            facts = later;
        }
        let mut changed = Vec::new();
        for (path, fact) in &facts {
            if self.facts.get(path) != Some(fact) {
                let now = held(path);
                if self.held.insert(path.clone(), now) != Some(now) {
                    changed.push(path.clone());
                }
            }
        }
        let gone: Vec<String> = self
            .held
            .keys()
            .filter(|path| !facts.contains_key(*path))
            .cloned()
            .collect();
        for path in gone {
            self.held.remove(&path);
            changed.push(path);
        }
        self.facts = facts;
        changed
    }
}

/// A number for what a file holds.
fn held(path: &str) -> u64 {
    let mut hash = DefaultHasher::new();
    std::fs::read(path).ok().hash(&mut hash);
    hash.finish()
}
