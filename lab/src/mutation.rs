//! Tries mutants of a game's rules on its scenarios, and keeps those that no scenario notices.

use crate::coverage::Coverage;
use crate::mutants::{Mutant, mutants};
use crate::runner::{self, Next};
use ludoteca::{Game, Selection, Stream, Suite, definition::Definition, scenario, scenario::Case};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Which mutants to try.
#[derive(Debug, Clone, Copy, Default)]
pub struct MutationPlan {
    /// So many of them, drawn by the seed; all if left out.
    pub sample: Option<usize>,
    pub seed: u64,
    /// Threads; 0 for one per core.
    pub jobs: usize,
}

/// What became of a mutant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MutantFate {
    /// The scripts cannot be compiled with it, so it can never be played.
    Refused,
    /// This scenario, by its number in the suite, does not hold any more.
    Noticed(usize),
    /// Scenarios run the line, so many of them, and all hold.
    Unnoticed(usize),
    /// No scenario runs the line.
    Unreached,
}

/// A mutant and what became of it.
#[derive(Debug, Clone)]
pub struct TriedMutant {
    pub mutant: Mutant,
    pub verdict: MutantFate,
}

/// What a step may use before a mutant counts as one that never ends. Rules use a small part of it.
const OPERATIONS: u64 = 500_000;

/// Tries mutants in the order of files and lines. `done` hears of each.
pub fn run(
    suite: &Suite,
    coverage: &Coverage,
    plan: MutationPlan,
    done: impl Fn() + Sync,
) -> Vec<TriedMutant> {
    let mutants = drawn(all_mutants(suite, coverage), plan);
    let mut tried = Vec::with_capacity(mutants.len());
    let end: Result<_, std::convert::Infallible> = runner::run(
        (0, mutants.len() as u64),
        plan.jobs,
        &AtomicBool::new(false),
        |_| done(),
        || (),
        |(), number| {
            let mutant = &mutants[number as usize];
            Ok(TriedMutant {
                verdict: judge(mutant, suite, coverage),
                mutant: mutant.clone(),
            })
        },
        |_, one| {
            tried.push(one);
            Next::GoOn
        },
    );
    match end {
        Ok(_) => tried,
        Err(never) => match never {},
    }
}

/// The mutants of all rules that scenarios or games may run. Files that only change content have none.
fn all_mutants(suite: &Suite, coverage: &Coverage) -> Vec<Mutant> {
    let mut texts: BTreeMap<&str, &str> = BTreeMap::new();
    for entry in &suite.entries {
        let definition = &entry.game.definition;
        let libraries = definition.libraries.values().flatten();
        for script in definition.scripts.iter().chain(libraries) {
            texts.insert(&script.path, &script.text);
        }
    }
    texts.retain(|path, _| path.ends_with(".rhai"));
    let all = texts
        .into_iter()
        .flat_map(|(path, text)| mutants(path, text));
    let is_rule = |mutant: &Mutant| match mutant.function.as_str() {
        "" => coverage.rules().any(|(path, _, _)| path == mutant.path),
        _ => coverage
            .at(&mutant.path, mutant.line)
            .is_some_and(|line| !line.foreign),
    };
    all.filter(is_rule).collect()
}

fn drawn(mut all: Vec<Mutant>, plan: MutationPlan) -> Vec<Mutant> {
    let Some(sample) = plan.sample.filter(|sample| *sample < all.len()) else {
        return all;
    };
    let mut numbers: Vec<usize> = (0..all.len()).collect();
    Stream::new(plan.seed, "mutants").shuffle(&mut numbers);
    numbers.truncate(sample);
    numbers.sort_unstable();
    let mut number = 0;
    all.retain(|_| {
        number += 1;
        numbers.binary_search(&(number - 1)).is_ok()
    });
    all
}

fn judge(mutant: &Mutant, suite: &Suite, coverage: &Coverage) -> MutantFate {
    let everywhere: Vec<usize>;
    let reaching = match coverage.at(&mutant.path, mutant.line) {
        // A constant may be used anywhere.
        _ if mutant.function.is_empty() => {
            everywhere = (0..suite.entries.len()).collect();
            &everywhere
        }
        Some(line) => &line.scenarios,
        None => return MutantFate::Unreached,
    };
    if reaching.is_empty() {
        return MutantFate::Unreached;
    }
    let mut games: HashMap<&Selection, Option<Arc<Game>>> = HashMap::new();
    // Those that play the game as it is come first: its rules are compiled once for all of them.
    let (plain, others): (Vec<usize>, Vec<usize>) = reaching
        .iter()
        .partition(|number| suite.entries[**number].selection == Selection::default());
    for number in plain.into_iter().chain(others) {
        let entry = &suite.entries[number];
        let game = games
            .entry(&entry.selection)
            .or_insert_with(|| changed(&entry.game.definition, mutant));
        let Some(game) = game else {
            return MutantFate::Refused;
        };
        if !holds(entry, game) {
            return MutantFate::Noticed(number);
        }
    }
    MutantFate::Unnoticed(reaching.len())
}

/// The game with the mutant in it, if that can be compiled.
fn changed(definition: &Definition, mutant: &Mutant) -> Option<Arc<Game>> {
    let mut definition = definition.clone();
    let libraries = definition.libraries.values_mut().flatten();
    let mut scripts = definition.scripts.iter_mut().chain(libraries);
    let script = scripts.find(|script| script.path == mutant.path)?;
    script.text = mutant.apply(&script.text);
    Game::new(definition).ok()
}

fn holds(entry: &Case, game: &Arc<Game>) -> bool {
    let Some(scenario) = entry.on(game) else {
        return false;
    };
    let mut budget = scenario::Allowance {
        of_a_step: OPERATIONS,
        ..scenario::Allowance::default()
    };
    let (report, _) = scenario::run(&scenario, game.clone(), &mut budget);
    report.failures.is_empty()
}
