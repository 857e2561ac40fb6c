//! Tries mutants of a game's rules on its scenarios, and keeps those that no scenario notices.

use crate::coverage::Coverage;
use crate::mutants::{Mutant, mutants};
use crate::runner::{self, Next};
use ludoteca::limits::OPERATIONS_OF_MUTANTS;
use ludoteca::{Game, Selection, Stream, Suite, definition::Definition, scenario, scenario::Case};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Which mutants to try.
#[derive(Debug, Clone, Copy)]
pub struct MutationPlan {
    /// So many of them, drawn by the seed; all if left out.
    pub sample: Option<usize>,
    pub seed: u64,
    /// Threads; 0 for one per core.
    pub jobs: usize,
    /// What all of them may use together.
    pub operations: u64,
}

impl Default for MutationPlan {
    fn default() -> Self {
        MutationPlan {
            sample: None,
            seed: 0,
            jobs: 0,
            operations: OPERATIONS_OF_MUTANTS,
        }
    }
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
    /// Those before it had used up what all have together.
    Untried,
}

/// A mutant and what became of it.
#[derive(Debug, Clone)]
pub struct TriedMutant {
    pub mutant: Mutant,
    pub verdict: MutantFate,
}

/// What a step may use before a mutant counts as one that never ends. Rules use a small part of it.
const OPERATIONS: u64 = 500_000;
/// The same for all scenarios a mutant is played on: so many times what they use without it, and so much besides.
const TIMES: u64 = 4;
const BESIDES: u64 = 5_000_000;
/// What compiling a byte of the rules counts as.
const COMPILING: u64 = 10;

/// What the scenarios of a suite use with the rules as they are, and what is left for mutants.
struct Costs {
    of_scenarios: Vec<u64>,
    of_compiling: u64,
}

impl Costs {
    fn of(suite: &Suite) -> Costs {
        let mut budget = scenario::Allowance::default();
        let mut used = |entry: &Case| {
            let before = budget.left;
            if let Some(scenario) = entry.on(&entry.game) {
                scenario::run(&scenario, entry.game.clone(), &mut budget);
            }
            before - budget.left
        };
        let bytes = |entry: &Case| {
            let definition = &entry.game.definition;
            let libraries = definition.libraries.values().flatten();
            let scripts = definition.scripts.iter().chain(libraries);
            scripts.map(|script| script.text.len() as u64).sum()
        };
        let bytes: u64 = suite.entries.iter().map(bytes).max().unwrap_or(0);
        Costs {
            of_scenarios: suite.entries.iter().map(&mut used).collect(),
            of_compiling: bytes * COMPILING,
        }
    }

    /// What a mutant may use that is played on these.
    fn allowed(&self, reaching: &[usize]) -> u64 {
        let used: u64 = reaching.iter().map(|n| self.of_scenarios[*n]).sum();
        used * TIMES + BESIDES
    }
}

/// Which mutants of these there is room for with so many operations, in their order.
fn affordable(
    mutants: &[Mutant],
    suite: &Suite,
    coverage: &Coverage,
    costs: &Costs,
    mut left: u64,
) -> Vec<bool> {
    let fits = |mutant: &Mutant| {
        // What no scenario runs is not played either.
        let Some(reaching) = reaching(mutant, suite, coverage) else {
            return true;
        };
        if left == 0 {
            return false;
        }
        let ways: HashSet<&Selection> = reaching
            .iter()
            .map(|n| &suite.entries[*n].selection)
            .collect();
        let cost = costs.allowed(&reaching) + ways.len() as u64 * costs.of_compiling;
        left = left.saturating_sub(cost);
        left > 0
    };
    mutants.iter().map(fits).collect()
}

/// Tries mutants in the order of files and lines. `done` hears of each.
pub fn run(
    suite: &Suite,
    coverage: &Coverage,
    plan: MutationPlan,
    done: impl Fn() + Sync,
) -> Vec<TriedMutant> {
    let mutants = drawn(all_mutants(suite, coverage), plan);
    let costs = Costs::of(suite);
    let affordable = affordable(&mutants, suite, coverage, &costs, plan.operations);
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
                verdict: match affordable[number as usize] {
                    true => judge(mutant, suite, coverage, &costs),
                    false => MutantFate::Untried,
                },
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

/// The scenarios that may notice a mutant; nothing if none runs its line.
fn reaching(mutant: &Mutant, suite: &Suite, coverage: &Coverage) -> Option<Vec<usize>> {
    let reaching = match coverage.at(&mutant.path, mutant.line) {
        // A constant may be used anywhere.
        _ if mutant.function.is_empty() => (0..suite.entries.len()).collect(),
        Some(line) => line.scenarios.clone(),
        None => return None,
    };
    (!reaching.is_empty()).then_some(reaching)
}

fn judge(mutant: &Mutant, suite: &Suite, coverage: &Coverage, costs: &Costs) -> MutantFate {
    let Some(reaching) = reaching(mutant, suite, coverage) else {
        return MutantFate::Unreached;
    };
    let mut budget = scenario::Allowance {
        of_a_step: OPERATIONS,
        left: costs.allowed(&reaching),
    };
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
        if !holds(entry, game, &mut budget) {
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

fn holds(entry: &Case, game: &Arc<Game>, budget: &mut scenario::Allowance) -> bool {
    let Some(scenario) = entry.on(game) else {
        return false;
    };
    let (report, _) = scenario::run(&scenario, game.clone(), budget);
    report.failures.is_empty()
}
