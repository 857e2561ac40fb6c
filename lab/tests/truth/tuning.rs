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

/// Two games. In one a die's faces are a parameter, what it shows is the metric, and another parameter does nothing at all. In the other who wins is
/// luck, as are something rare and something with a heavy tail; one of its parameters throws some dice more that count for nothing, so that every
/// game comes out otherwise and no setting is better; the other adds a little to a number as well.
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
        (
            "scripts/luck/game.toml",
            r#"
            title = { es = "Suerte", en = "Luck" }
            version = "1.0.0"
            summary = { es = "Todo es suerte.", en = "All is luck." }
            players = [2, 2]
            [parameters]
            shifts = { value = 3, min = 1, max = 9, text = { es = "Dados de más", en = "Dice more" } }
            lift = { value = 0, min = 0, max = 20, text = { es = "Ayuda", en = "Lift" } }
            [attributes.game]
            rarely = { type = "int", min = 0, max = 1 }
            heavy = { type = "int", min = 0, max = 999 }
            lifted = { type = "int", min = 0, max = 200 }
            [attributes.player]
            points = { type = "int", min = 0, max = 999999 }
            [[phases]]
            step = "turn"
            [metrics]
            rarely = { text = { es = "Raro", en = "Rare" }, function = "metric_rarely" }
            heavy = { text = { es = "Pesado", en = "Heavy" }, function = "metric_heavy" }
            lifted = { text = { es = "Alzado", en = "Lifted" }, function = "metric_lifted" }
            "#,
        ),
        (
            "scripts/luck/rules.rhai",
            r#"
            fn turn() {
                for k in 0..SHIFTS + LIFT { game.heavy = random(2); }
                for p in players() { p.points = random(1000000); }
                game.rarely = if random(100) == 0 { 1 } else { 0 };
                game.heavy = 10 + random(10) + if random(50) == 0 { 500 } else { 0 };
                game.lifted = random(100) + LIFT;
                end_game();
            }
            fn score(p) { p.points }
            fn metric_lifted() { game.lifted }
            fn metric_rarely() { game.rarely }
            fn metric_heavy() { game.heavy }
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
    /// What the parameter was, and is.
    from_to: (i64, i64),
}

fn advised(game: &str, parameter: &str, wanted: &str, run: u64) -> Advised {
    let selection = Selection::default();
    let points = Points::new(library(), game, selection);
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
    // Where luck alone decides there are as many trials as tell it, and no more.
    let searched = if game == "luck" { 200 } else { 400 };
    let mut search = SettingsSearch::new(
        points,
        varied,
        goals.clone(),
        plan(searched, seed),
        20,
        Some(100),
    );
    let stop = AtomicBool::new(false);
    let found = search.run(&base, &stop, &|_| {}).unwrap().unwrap();
    let (_, before, after) = search.settings(&found).remove(0);
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
        from_to: (before, after),
    }
}

pub fn advice(runs: u64) -> Vec<Rate> {
    let share = |part: usize, of: usize| part as f64 / of.max(1) as f64;
    // Nothing can be better: the parameter does nothing but shift the dice, and the goal is out of reach or met already.
    let mut rates = Vec::new();
    let idle = [
        ("die", "idle", "shown>=5"),
        ("die", "idle", "shown in 3..4"),
        ("luck", "shifts", "rarely<=0.005"),
        ("luck", "shifts", "heavy<=20"),
        ("luck", "shifts", "seat_balance>=0.99"),
        ("luck", "shifts", "first_wins in 0.49..0.51"),
        (
            "luck",
            "shifts",
            "heavy<=20, rarely<=0.005, seat_balance>=0.97",
        ),
    ];
    for (played, parameter, wanted) in idle {
        let wrong = (0..runs).filter(|&run| advised(played, parameter, wanted, run).better);
        let game = match played {
            "die" => format!("a parameter without effect, {wanted}"),
            _ => format!("a parameter that shifts the dice, {wanted}"),
        };
        rates.push(Rate::new(
            "advised though nothing is better",
            game,
            share(wrong.count(), runs as usize),
            (0.0, 0.05),
        ));
    }
    // Something is better: more faces show more.
    let all: Vec<Advised> = (0..runs)
        .map(|run| advised("die", "faces", "shown>=5", run))
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

/// A gain that is hardly larger than chance, where the sides share no luck: it is seldom advised, and where it is, it is none by chance.
pub fn small_gains(runs: u64) -> Vec<Rate> {
    let all = (0..runs).map(|run| advised("luck", "lift=0..8:2", "lifted>=60", run));
    let advised: Vec<Advised> = all.filter(|advised| advised.better).collect();
    let better = advised.iter().filter(|advised| {
        let (before, after) = advised.from_to;
        after > before
    });
    let share = better.count() as f64 / advised.len().max(1) as f64;
    let game = format!(
        "a number of 0 to 99 that grows by 8 at most; advised in {} of {runs} searches",
        advised.len()
    );
    vec![Rate::new(
        "what is advised is better",
        game,
        share,
        (0.9, 1.0),
    )]
}
