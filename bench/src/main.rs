//! Ludoteca beside plain Rust, JavaScript and Python on the same rules, by CPU time, in one run.

mod counting;
mod kernel;
mod loops;
mod plain;
mod real;

use ludoteca::bots::Bot;
use ludoteca::play::arena::Arena;
use ludoteca::play::matches::Match;
use rustix::time::{ClockId, clock_gettime};
use serde_json::{Value as Json, json};
use std::hint::black_box;
use std::path::Path;
use std::process::{Command, ExitCode};

#[global_allocator]
static ALLOCATOR: counting::Counting = counting::Counting;

/// CPU seconds this process has used.
fn cpu() -> f64 {
    let now = clock_gettime(ClockId::ProcessCPUTime);
    now.tv_sec as f64 + now.tv_nsec as f64 * 1e-9
}

/// Runs work for some CPU seconds, a few times in turns with the other contestants, and keeps the best rate of each.
struct Rate {
    best: f64,
}

impl Rate {
    fn measure(
        &mut self,
        seconds: f64,
        mut work: impl FnMut() -> Result<u64, String>,
    ) -> Result<(), String> {
        let start = cpu();
        let mut done = 0;
        loop {
            done += work()?;
            let used = cpu() - start;
            if used >= seconds {
                self.best = self.best.max(done as f64 / used);
                return Ok(());
            }
        }
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [first, game, players, how, games] = &arguments[..]
        && first == "play"
    {
        return said(only_play(game, players, how, games));
    }
    let json_wanted = arguments.iter().any(|argument| argument == "--json");
    let quick = arguments.iter().any(|argument| argument == "--quick");
    if let Some(unknown) = arguments
        .iter()
        .find(|argument| !["--json", "--quick"].contains(&argument.as_str()))
    {
        eprintln!("error: unknown option `{unknown}`; there are --json and --quick");
        return ExitCode::from(2);
    }
    said(run(if quick { 0.15 } else { 1.0 }, json_wanted))
}

fn said(outcome: Result<(), String>) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(1)
        }
    }
}

/// Some games of one kind and nothing else, for a profiler.
fn only_play(id: &str, players: &str, how: &str, games: &str) -> Result<(), String> {
    let number = |text: &str| text.parse().map_err(|_| format!("`{text}` is no number"));
    let (players, games): (u64, u64) = (number(players)?, number(games)?);
    let game = match id {
        "risk-mini" => kernel::game()?,
        id => real::game(id)?,
    };
    let start = cpu();
    let played = match how {
        "stopped" => real::play_stopped(&game, players as u8, games)?,
        "greedy" => real::play(&game, players as u8, Bot::Greedy, games)?,
        _ => real::play(&game, players as u8, Bot::Random, games)?,
    };
    println!(
        "{} decisions, {:.0} a CPU second, {:.3} allocations a decision",
        played.decisions,
        played.decisions as f64 / (cpu() - start),
        played.allocations as f64 / played.decisions as f64
    );
    Ok(())
}

fn run(seconds: f64, json_wanted: bool) -> Result<(), String> {
    let say = |line: String| {
        if json_wanted {
            eprintln!("{line}")
        } else {
            println!("{line}")
        }
    };
    let game = kernel::game()?;
    let mut arena = Arena::new(&game, kernel::PLAYERS);

    say("risk mini, games per CPU second on one core (best of five, in turns)".into());
    let mut rates = [Rate { best: 0.0 }, Rate { best: 0.0 }, Rate { best: 0.0 }];
    let (mut seed, mut plain_seed, mut outside_seed) = (0, 0, 0);
    for _ in 0..5 {
        rates[0].measure(seconds, || {
            plain_seed += 1;
            let played = plain::Game::play(plain_seed);
            black_box(played.winner());
            Ok(1)
        })?;
        rates[1].measure(seconds, || {
            seed += 1;
            kernel::play(&mut arena, seed)?;
            Ok(1)
        })?;
        rates[2].measure(seconds / 2.0, || {
            outside_seed += 1;
            kernel::play_suspended(arena.played(), kernel::PLAYERS, outside_seed, |_| {})?;
            Ok(1)
        })?;
    }
    let [rust, ours, outside] = rates.map(|rate| rate.best);
    let python = other_language("python3", "risk.py", seconds * 3.0);
    let javascript = other_language("node", "risk.mjs", seconds * 3.0);
    let mut report = json!({ "ludoteca": ours, "ludoteca_suspended": outside, "rust": rust, "ratio_to_rust": ours / rust });
    say(format!(
        "  ludoteca (rules in Rhai, whole kernel)   {ours:9.0}"
    ));
    say(format!(
        "  the same, stopped at every decision      {outside:9.0}"
    ));
    say(format!(
        "  plain Rust                               {rust:9.0}   ratio {:.2}",
        ours / rust
    ));
    for (name, key, rate) in [
        ("plain JavaScript", "javascript", javascript),
        ("plain Python", "python", python),
    ] {
        match rate {
            Some(rate) => {
                say(format!("  {name:40} {rate:9.0}   ratio {:.1}", ours / rate));
                report[key] = json!(rate);
                report[format!("ratio_to_{key}")] = json!(ours / rate);
            }
            None => say(format!("  {name:40} left out: it is not installed here")),
        }
    }
    statistics(&mut arena, &mut report, &say)?;
    copies(&game, arena.played(), seconds, &mut report, &say)?;
    cores(&game, &mut report, &say)?;
    small_loops(seconds, &mut report, &say)?;
    compile_time(&mut report, &say)?;
    if json_wanted {
        println!("{report}");
    }
    Ok(())
}

/// The means of the rules, which any implementation must give, and what a decision allocates.
fn statistics(arena: &mut Arena, report: &mut Json, say: &dyn Fn(String)) -> Result<(), String> {
    const GAMES: u64 = 1000;
    let before = counting::allocations();
    let mut decisions = 0;
    for seed in 1..=GAMES {
        decisions += kernel::play(arena, seed)?;
    }
    let allocated = (counting::allocations() - before) as f64;
    let mean = decisions as f64 / GAMES as f64;
    if (mean - 1331.4).abs() > 5.0 {
        return Err(format!(
            "{mean:.1} decisions a game; these rules have 1331.4, give or take 5"
        ));
    }
    say(format!(
        "  {mean:.1} decisions a game; {:.0} allocations a game, {:.3} a decision",
        allocated / GAMES as f64,
        allocated / decisions as f64
    ));
    report["decisions_per_game"] = json!(mean);
    report["allocations_per_decision"] = json!(allocated / decisions as f64);
    Ok(())
}

fn copies(
    game: &std::sync::Arc<ludoteca::script::game::Game>,
    table: &mut Match,
    seconds: f64,
    report: &mut Json,
    say: &dyn Fn(String),
) -> Result<(), String> {
    let positions = kernel::positions(game)?;
    let mut copied = Rate { best: 0.0 };
    let mut forked = Rate { best: 0.0 };
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
    say(String::new());
    say(format!(
        "copying a suspended game {:.3} µs; {:.0} positions forked a second into a used table",
        1e6 / copied.best,
        forked.best
    ));
    report["copy_microseconds"] = json!(1e6 / copied.best);
    report["forks_per_second"] = json!(forked.best);
    Ok(())
}

/// How much faster two threads are than one; plain Rust shares nothing at all, so it shows what the machine gives.
fn cores(
    game: &std::sync::Arc<ludoteca::script::game::Game>,
    report: &mut Json,
    say: &dyn Fn(String),
) -> Result<(), String> {
    const GAMES: u64 = 4000;
    let (mut one, mut two) = (0f64, 0f64);
    let (mut plain_one, mut plain_two) = (0f64, 0f64);
    for _ in 0..3 {
        one = one.max(kernel::parallel(game, GAMES, 1)?);
        two = two.max(kernel::parallel(game, GAMES * 2, 2)?);
        plain_one = plain_one.max(plain::parallel(GAMES as u32, 1));
        plain_two = plain_two.max(plain::parallel(GAMES as u32, 2));
    }
    say(format!(
        "one thread {one:.0}, two threads {two:.0} games a second: speed-up {:.2} (plain Rust here: {:.2})",
        two / one,
        plain_two / plain_one
    ));
    report["speed_up_on_two"] = json!(two / one);
    report["speed_up_on_two_rust"] = json!(plain_two / plain_one);
    Ok(())
}

fn small_loops(seconds: f64, report: &mut Json, say: &dyn Fn(String)) -> Result<(), String> {
    say(String::new());
    say("small loops, times faster than rhai's engine".into());
    let engine = loops::rhai_engine();
    let mut ratios = serde_json::Map::new();
    for (name, script) in loops::SCRIPTS {
        let program = loops::compile(script)?;
        let tree = engine.compile(script).map_err(|error| error.to_string())?;
        let mut machine = ludoteca_vm::Machine::with_limits(ludoteca_vm::Limits {
            operations: u64::MAX >> 1,
            ..Default::default()
        });
        let (mut ours, mut theirs) = (Rate { best: 0.0 }, Rate { best: 0.0 });
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
        say(format!("  {name:12} {:6.1}", ours.best / theirs.best));
        ratios.insert(name.to_string(), json!(ours.best / theirs.best));
    }
    report["ratio_to_rhai"] = Json::Object(ratios);
    Ok(())
}

fn compile_time(report: &mut Json, say: &dyn Fn(String)) -> Result<(), String> {
    let script = loops::long_script(5000);
    let mut best = f64::MAX;
    for _ in 0..5 {
        let start = cpu();
        black_box(loops::compile(&script)?);
        best = best.min(cpu() - start);
    }
    say(String::new());
    say(format!(
        "compiling {} lines of script: {:.0} ms",
        script.lines().count(),
        best * 1e3
    ));
    report["compile_5000_lines_ms"] = json!(best * 1e3);
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
