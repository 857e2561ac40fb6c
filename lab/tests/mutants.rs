//! Small changes of a made-up game's rules, tried on its scenarios: all of them together may use so much.

use ludoteca::{Library, PackSource, Suite};
use ludoteca_lab::coverage::Coverage;
use ludoteca_lab::mutation::{self, MutantFate, MutationPlan, TriedMutant};

fn library() -> Library {
    let files = [
        (
            "scripts/mill/game.toml",
            r#"
            title = { es = "Molino", en = "Mill" }
            version = "1.0.0"
            summary = { es = "Harina.", en = "Flour." }
            players = [2, 2]
            round_limit = 3
            [attributes.player]
            flour = { type = "int", min = 0, max = 99, text = { es = "Harina", en = "Flour" } }
            [[phases]]
            step = "grind"
            each = "player"
            "#,
        ),
        (
            "scripts/mill/rules.rhai",
            r#"
            fn grind(p) {
                p.flour += 3;
                if p.flour > 50 { p.flour -= 7; }
                if p.flour == 40 { sweep(p); }
            }
            fn sweep(p) {
                p.flour += 2;
            }
            fn score(p) { p.flour }
            "#,
        ),
        (
            "tests/scenarios/mill/grinding.toml",
            r#"
            game = "mill"
            [[scenario]]
            title = "Every turn grinds"
            players = 2
            run = ["grind(p0)"]
            [scenario.expect]
            asked = ""
            [scenario.expect.players.0]
            flour = 3
            "#,
        ),
    ];
    let (library, problems) = Library::open(&[PackSource::memory("made-up", files)]);
    assert!(problems.is_empty(), "{problems:?}");
    library
}

fn tried(library: &Library, operations: u64) -> Vec<TriedMutant> {
    let items = library.scenarios(Some("mill"));
    let (covered, problems) = Suite::read_covered(library, &items);
    assert!(problems.is_empty(), "{problems:?}");
    let coverage = Coverage::of(&covered);
    let (suite, _) = Suite::read(library, &items);
    let plan = MutationPlan {
        jobs: 1,
        operations,
        ..MutationPlan::default()
    };
    mutation::run(&suite, &coverage, plan, || ())
}

fn said(one: &TriedMutant) -> String {
    let (mutant, fate) = (&one.mutant, &one.verdict);
    format!(
        "{}: {} -> {}: {fate:?}",
        mutant.line, mutant.before, mutant.after
    )
}

fn count(tried: &[TriedMutant], fate: MutantFate) -> usize {
    tried.iter().filter(|one| one.verdict == fate).count()
}

/// Each may use some millions of operations, whatever its scenarios use.
#[test]
fn mutants_have_one_budget_together() {
    let library = library();
    let all = tried(&library, MutationPlan::default().operations);
    let told: Vec<String> = all.iter().map(said).collect();
    assert_eq!(count(&all, MutantFate::Untried), 0, "{told:#?}");
    let unreached = count(&all, MutantFate::Unreached);
    assert!(unreached > 0, "{told:#?}");
    let played = all.len() - unreached;
    assert!(played >= 4, "{told:#?}");

    let few = tried(&library, 13_000_000);
    let told: Vec<String> = few.iter().map(said).collect();
    assert_eq!(few.len(), all.len(), "{told:#?}");
    assert_eq!(count(&few, MutantFate::Untried), played - 2, "{told:#?}");
    // Those that come first are tried as before, and nothing is spent on what no scenario runs.
    for (few, all) in few.iter().zip(&all) {
        assert!(
            few.verdict == all.verdict || few.verdict == MutantFate::Untried,
            "{told:#?}"
        );
    }
    assert_eq!(count(&few, MutantFate::Unreached), unreached, "{told:#?}");
    assert_eq!(few[0].verdict, all[0].verdict, "{told:#?}");
}
