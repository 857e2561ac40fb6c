//! The small game beside the same rules in other languages, and small loops beside rhai's engine.

use crate::measure::{Rate, cpu};
use crate::report::{Aim, Report};
use crate::{counting, kernel, loops, plain};
use ludoteca::{Arena, Bot, Game, Match};
use serde_json::Value as Json;
use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

/// Decisions of a game, whoever plays it.
const DECISIONS: f64 = 1331.4;

/// Measures everything about the small game; with `floors` only what has one. Gives the decisions plain Rust makes in a CPU second.
pub fn all(report: &mut Report, seconds: f64, floors: bool) -> Result<f64, String> {
    let game = kernel::game()?;
    let mut arena = Arena::new(&game, kernel::PLAYERS);
    report.heading("risk mini, games a CPU second (best of five, in turns)");
    let rust = contestants(report, &mut arena, seconds)?;
    allocations(report, &mut arena)?;
    if floors {
        return Ok(rust * DECISIONS);
    }
    for (name, program, file) in [
        ("plain JavaScript", "node", "risk.mjs"),
        ("plain Python", "python3", "risk.py"),
    ] {
        match other_language(program, file, seconds * 3.0) {
            Some(rate) => report.add(program, name, rate, Aim::None),
            None => report.say(&format!("  {name:58} left out: it is not installed here")),
        }
    }
    copies(report, &game, arena.played(), seconds)?;
    cores(report, &game)?;
    small_loops(report, seconds)?;
    compile_time(report)?;
    Ok(rust * DECISIONS)
}

/// Plain Rust, in place, and stopped at every decision. Gives the first.
fn contestants(report: &mut Report, arena: &mut Arena, seconds: f64) -> Result<f64, String> {
    let mut rates = [Rate::default(); 3];
    let (mut seed, mut plain_seed, mut outside_seed) = (0, 0, 0);
    for _ in 0..5 {
        rates[0].measure(seconds, || {
            plain_seed += 1;
            black_box(plain::Game::play(plain_seed).winner());
            Ok(1)
        })?;
        rates[1].measure(seconds, || {
            seed += 1;
            kernel::play(arena, seed).map(|_| 1)
        })?;
        rates[2].measure(seconds, || {
            outside_seed += 1;
            let table = arena.played();
            kernel::play_suspended(table, kernel::PLAYERS, outside_seed, |_| {}).map(|_| 1)
        })?;
    }
    let [rust, ours, outside] = rates.map(|rate| rate.best);
    report.add("rust", "plain Rust", rust, Aim::None);
    report.add("ludoteca", "rules in Rhai, whole kernel", ours, Aim::None);
    report.add(
        "ratio_to_rust",
        "the same, to plain Rust",
        ours / rust,
        Aim::AtLeast(1.0),
    );
    report.add(
        "stopped_to_in_place",
        "stopped at every decision, to in place",
        outside / ours,
        Aim::AtLeast(0.85),
    );
    Ok(rust)
}

/// The means of the rules, which any implementation must give, and what a decision allocates.
fn allocations(report: &mut Report, arena: &mut Arena) -> Result<(), String> {
    const GAMES: u64 = 1000;
    let before = counting::allocations();
    let mut decisions = 0;
    for seed in 1..=GAMES {
        decisions += kernel::play(arena, seed)?;
    }
    let in_place = (counting::allocations() - before) as f64 / decisions as f64;
    let mean = decisions as f64 / GAMES as f64;
    if (mean - DECISIONS).abs() > 5.0 {
        return Err(format!(
            "{mean:.1} decisions a game; these rules have {DECISIONS}, give or take 5"
        ));
    }
    let before = counting::allocations();
    let mut outside = 0;
    for seed in 1..=GAMES / 10 {
        outside += kernel::play_suspended(arena.played(), kernel::PLAYERS, seed, |_| {})?;
    }
    let stopped = (counting::allocations() - before) as f64 / outside as f64;
    report.add(
        "allocations",
        "allocations a decision, in place",
        in_place,
        Aim::Below(0.2),
    );
    report.add(
        "stopped_allocations",
        "allocations a decision, stopped",
        stopped,
        Aim::Below(0.2),
    );
    Ok(())
}

fn copies(
    report: &mut Report,
    game: &Arc<Game>,
    table: &mut Match,
    seconds: f64,
) -> Result<(), String> {
    let positions = kernel::positions(game)?;
    let (mut copied, mut forked) = (Rate::default(), Rate::default());
    for _ in 0..3 {
        copied.measure(seconds / 4.0, || {
            for position in &positions {
                black_box(position.clone());
            }
            Ok(positions.len() as u64)
        })?;
        forked.measure(seconds / 4.0, || {
            for position in &positions {
                kernel::fork(table, position);
            }
            Ok(positions.len() as u64)
        })?;
    }
    report.add(
        "copy",
        "copy of a stopped game, µs",
        1e6 / copied.best,
        Aim::None,
    );
    report.add(
        "fork",
        "copy into used memory, µs",
        1e6 / forked.best,
        Aim::None,
    );
    Ok(())
}

/// How much faster two threads are than one; plain Rust shares nothing at all, so it shows what the machine gives.
fn cores(report: &mut Report, game: &Arc<Game>) -> Result<(), String> {
    const GAMES: u64 = 4000;
    let (mut plain_one, mut plain_two) = (0f64, 0f64);
    for _ in 0..3 {
        plain_one = plain_one.max(plain::parallel(GAMES as u32, 1));
        plain_two = plain_two.max(plain::parallel(GAMES as u32, 2));
    }
    let pace = kernel::two_to_one(game, kernel::PLAYERS, Bot::Random, GAMES)?;
    report.add(
        "threads",
        "two threads to one",
        pace.wall,
        Aim::AtLeast(1.95),
    );
    report.add(
        "threads_cpu",
        "the same by the CPU time of both",
        pace.cpu,
        Aim::None,
    );
    report.add(
        "threads_rust",
        "two threads to one, plain Rust",
        plain_two / plain_one,
        Aim::None,
    );
    Ok(())
}

fn small_loops(report: &mut Report, seconds: f64) -> Result<(), String> {
    report.heading("small loops, times faster than rhai's engine");
    let engine = loops::rhai_engine();
    for (name, script) in loops::SCRIPTS {
        let program = loops::compile(script)?;
        let tree = engine.compile(script).map_err(|error| error.to_string())?;
        let mut machine = ludoteca_vm::Machine::with_limits(ludoteca_vm::Limits {
            operations: u64::MAX >> 1,
            ..Default::default()
        });
        let (mut ours, mut theirs) = (Rate::default(), Rate::default());
        for _ in 0..3 {
            ours.measure(seconds / 8.0, || {
                black_box(loops::run(&mut machine, &program).map_err(|fault| fault.to_string())?);
                Ok(1)
            })?;
            theirs.measure(seconds / 8.0, || {
                let answer: i64 = engine
                    .call_fn(&mut rhai::Scope::new(), &tree, "main", ())
                    .map_err(|error| error.to_string())?;
                black_box(answer);
                Ok(1)
            })?;
        }
        report.add(
            &format!("loops.{name}"),
            name,
            ours.best / theirs.best,
            Aim::None,
        );
    }
    Ok(())
}

fn compile_time(report: &mut Report) -> Result<(), String> {
    let script = loops::long_script(5000);
    let mut best = f64::MAX;
    for _ in 0..5 {
        let start = cpu();
        black_box(loops::compile(&script)?);
        best = best.min(cpu() - start);
    }
    report.add(
        "compile",
        "compiling 5,000 lines of script, ms",
        best * 1e3,
        Aim::None,
    );
    Ok(())
}

/// Games per CPU second of the same rules in another language, if it is installed.
fn other_language(program: &str, file: &str, seconds: f64) -> Option<f64> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("reference")
        .join(file);
    let output = Command::new(program)
        .arg(script)
        .args(["bench", &seconds.to_string()])
        .output()
        .ok()?;
    let found: Json = serde_json::from_slice(&output.stdout).ok()?;
    Some(found["games"].as_f64()? / found["cpu"].as_f64()?)
}
