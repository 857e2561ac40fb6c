//! `ludoteca test --mutate GAME`: which small changes of the rules no scenario notices.

use super::sound_suite;
use crate::arguments::Test;
use crate::output::{Outcome, outln};
use crate::progress;
use crate::words::{say, word};
use ludoteca::limits::OPERATIONS_OF_MUTANTS;
use ludoteca::{Library, Suite, pack::LayerFile};
use ludoteca_lab::coverage::Coverage;
use ludoteca_lab::mutation::{self, MutantFate, MutationPlan, TriedMutant};
use serde_json::{Value, json};

pub fn run(library: &Library, items: &[LayerFile], test: &Test) -> Outcome {
    let (covered, id) = sound_suite(library, items)?;
    let coverage = Coverage::of(&covered);
    // The mutants themselves need not tell which lines they run.
    let (suite, _) = Suite::read(library, items);
    let plan = MutationPlan {
        sample: test.sample,
        seed: test.seed,
        jobs: test.jobs,
        ..MutationPlan::default()
    };
    let changes = word!("cambios", "changes");
    let bar = match test.sample {
        Some(sample) => progress::of(sample, changes),
        None => progress::unknown(changes),
    };
    let mut tried = mutation::run(&suite, &coverage, plan, || bar.inc(1));
    bar.finish_and_clear();
    tried.retain(|one| one.verdict != MutantFate::Refused);
    let before = tried.len();
    tried.retain(|one| one.verdict != MutantFate::Untried);
    let untried = before - tried.len();
    let unnoticed: Vec<&TriedMutant> = tried
        .iter()
        .filter(|one| !matches!(one.verdict, MutantFate::Noticed(_)))
        .collect();
    if test.json {
        outln!("{}", as_json(&id, &tried, &unnoticed, untried));
        return Ok(());
    }
    for one in &unnoticed {
        let mutant = &one.mutant;
        let why = match one.verdict {
            MutantFate::Unreached => say!(
                "ningún escenario pasa por esta línea",
                "no scenario runs this line"
            ),
            MutantFate::Unnoticed(count) => say!(
                "{count} escenarios pasan por ella y se cumplen",
                "{count} scenarios run it and hold"
            ),
            _ => String::new(),
        };
        outln!(
            "{}:{}:{}: {}: {why}",
            mutant.path,
            mutant.line,
            mutant.column,
            say!(
                "en {}, `{}` en vez de `{}`",
                "in {}, `{}` for `{}`",
                mutant.function,
                mutant.after,
                mutant.before
            )
        );
    }
    let noticed = tried.len() - unnoticed.len();
    let percent = 100.0 * noticed as f64 / tried.len().max(1) as f64;
    outln!(
        "{}",
        say!(
            "{id}: los escenarios notan {noticed} de {} cambios ({percent:.1} %)",
            "{id}: scenarios notice {noticed} of {} changes ({percent:.1} %)",
            tried.len()
        )
    );
    if untried > 0 {
        outln!(
            "{}",
            say!(
                "{untried} cambios más no se probaron: los anteriores gastaron las {OPERATIONS_OF_MUTANTS} operaciones que hay para todos; `--sample` prueba unos pocos de todos",
                "{untried} more changes were not tried: those before them used up the {OPERATIONS_OF_MUTANTS} operations there are for all; `--sample` tries a few of all"
            )
        );
    }
    Ok(())
}

fn as_json(id: &str, tried: &[TriedMutant], unnoticed: &[&TriedMutant], untried: usize) -> Value {
    let told = |one: &&TriedMutant| {
        let mutant = &one.mutant;
        let runs = match one.verdict {
            MutantFate::Unnoticed(count) => count,
            _ => 0,
        };
        json!({
            "file": mutant.path, "line": mutant.line, "column": mutant.column,
            "function": mutant.function, "change": mutant.change.name(),
            "before": mutant.before, "after": mutant.after, "scenarios": runs,
        })
    };
    json!({
        "game": id,
        "changes": tried.len(),
        "not_tried": untried,
        "noticed": tried.len() - unnoticed.len(),
        "unnoticed": unnoticed.iter().map(told).collect::<Vec<_>>(),
    })
}
