//! Searches: what is advised, and when nothing is better than the game as it is.

use crate::Rate;
use ludoteca::{Bot, Library, PackSource, Selection};
use ludoteca_lab::findings::Findings;
use ludoteca_lab::goal::{self, Goal, Met};
use ludoteca_lab::parameter::Varied;
use ludoteca_lab::points::Points;
use ludoteca_lab::record::Header;
use ludoteca_lab::runner::Next;
use ludoteca_lab::search::SettingsSearch;
use ludoteca_lab::simulate::{Plan, stream};
use ludoteca_lab::summary::Summary;
use std::sync::atomic::AtomicBool;

/// A game of one die whose faces are a parameter, and of another parameter that does nothing. Its metric is what the die shows.
fn library() -> Library {
    let files = [
        (
            "scripts/die/game.toml",
            r#"
            title = { es = "Dado", en = "Die" }
            version = "1.0.0"
            summary = { es = "Un dado.", en = "A die." }
            players = [2, 2]
            [parameters]
            faces = { value = 6, min = 2, max = 12, text = { es = "Caras", en = "Faces" } }
            idle = { value = 3, min = 1, max = 9, text = { es = "Nada", en = "Nothing" } }
            [attributes.game]
            shown = { type = "int", min = 0, max = 99 }
            [[phases]]
            step = "turn"
            [metrics]
            shown = { text = { es = "Mostrado", en = "Shown" }, function = "metric_shown" }
            "#,
        ),
        (
            "scripts/die/rules.rhai",
            r#"
            fn turn() {
                if IDLE > 0 { game.shown = 1 + random(FACES); }
                end_game();
            }
            fn score(p) { game.shown }
            fn metric_shown() { game.shown }
            "#,
        ),
    ];
    let (library, problems) = Library::open(&[PackSource::memory("made-up", files)]);
    assert!(problems.is_empty(), "{problems:?}");
    library
}

struct Advised {
    better: bool,
    met: Vec<Met>,
    /// On fresh seeds: steps from the goals before and after, and whether each goal is met there.
    fresh: [Findings; 2],
    goals: Vec<Goal>,
}

fn advised(parameter: &str, wanted: &str, run: u64) -> Advised {
    let selection = Selection::default();
    let points = Points::new(library(), "die", selection);
    let base = points.base().expect("the made-up game is sound");
    let seed = 1 + run * 10_000_000;
    let plan = |games: u64, seed: u64| Plan {
        jobs: 1,
        rotate: true,
        ..Plan::new(2, vec![Bot::Random; 2], seed, games)
    };
    let varied = vec![Varied::read(parameter, &base.definition).unwrap()];
    let header = Header::new(&base, &plan(400, seed));
    let goals = Goal::read_all(wanted, &header).unwrap();
    let mut search = SettingsSearch::new(
        points,
        varied,
        goals.clone(),
        plan(400, seed),
        20,
        Some(100),
    );
    let stop = AtomicBool::new(false);
    let found = search.run(&base, &stop, &|_| {}).unwrap().unwrap();
    let met = search
        .checks(&header, &found)
        .iter()
        .map(|c| c.met())
        .collect();
    let fresh = [base, search.found_game(&found).unwrap()].map(|game| {
        let plan = plan(100, seed + 5_000_000);
        let mut summary = Summary::new(Header::new(&game, &plan));
        let take = |record| {
            summary.add(&record);
            Next::GoOn
        };
        stream(&game, &plan, &stop, |_| {}, take).unwrap();
        summary.findings()
    });
    Advised {
        better: found.is_better(),
        met,
        fresh,
        goals,
    }
}

pub fn advice(runs: u64) -> Vec<Rate> {
    let share = |part: usize, of: usize| part as f64 / of.max(1) as f64;
    // Nothing can be better: the parameter does nothing, and the goal is out of reach or met already.
    let mut rates = Vec::new();
    for wanted in ["shown>=5", "shown in 3..4"] {
        let wrong = (0..runs).filter(|&run| advised("idle", wanted, run).better);
        let game = format!("an idle parameter, {wanted}");
        rates.push(Rate::new(
            "advised though nothing is better",
            game,
            share(wrong.count(), runs as usize),
            (0.0, 0.05),
        ));
    }
    // Something is better: more faces show more.
    let all: Vec<Advised> = (0..runs)
        .map(|run| advised("faces", "shown>=5", run))
        .collect();
    let advised: Vec<&Advised> = all.iter().filter(|advised| advised.better).collect();
    let game = || "a die of 2 to 12 faces, shown>=5".to_string();
    rates.push(Rate::new(
        "something better is found",
        game(),
        share(advised.len(), all.len()),
        (0.9, 1.0),
    ));
    let holds = advised.iter().filter(|advised| {
        let away = |side: usize| goal::loss(&advised.goals, &advised.fresh[side]);
        away(1) < away(0)
    });
    rates.push(Rate::new(
        "what is advised is better on fresh seeds",
        game(),
        share(holds.count(), advised.len()),
        (0.9, 1.0),
    ));
    let met: Vec<&&Advised> = advised.iter().filter(|a| a.met == [Met::Yes]).collect();
    let again = met.iter().filter(|advised| {
        let found = goal::measured(&advised.goals[0].metric, &advised.fresh[1]);
        found.is_some_and(|found| advised.goals[0].distance(found.value) == 0.0)
    });
    rates.push(Rate::new(
        "a goal that is met is met on fresh seeds",
        game(),
        share(again.count(), met.len()),
        (0.9, 1.0),
    ));
    rates
}

/// A gain that is hardly larger than chance: it is seldom advised, and where it is, it is there again.
pub fn small_gains(runs: u64) -> Vec<Rate> {
    let all = (0..runs).map(|run| advised("faces=5..7", "shown>=5", run));
    let advised: Vec<Advised> = all.filter(|advised| advised.better).collect();
    let holds = advised.iter().filter(|advised| {
        let away = |side: usize| goal::loss(&advised.goals, &advised.fresh[side]);
        away(1) < away(0)
    });
    let share = holds.count() as f64 / advised.len().max(1) as f64;
    let game = format!(
        "a die of 5 to 7 faces, shown>=5; advised in {} of {runs} searches",
        advised.len()
    );
    let promise = "what is advised is better on fresh seeds";
    vec![Rate::new(promise, game, share, (0.9, 1.0))]
}
