//! How fast it is beside what is aimed at: the same rules in plain Rust, JavaScript and Python, the games people play, waiting. One run,
//! by CPU time where nothing else is said.

mod classics;
mod counting;
mod growth;
mod kernel;
mod loops;
mod measure;
mod plain;
mod real;
mod report;
mod small;
mod startup;

use ludoteca::Bot;
use report::Report;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: counting::Counting = counting::Counting;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match &arguments[..] {
        [first, rest @ ..] if first == "play" => match rest {
            [game, players, how, times] => only_play(game, players, how, times),
            _ => Err(
                "expected play GAME PLAYERS random|stopped|greedy|thinking|copies TIMES"
                    .to_string(),
            ),
        },
        options => measure_all(options),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(1)
        }
    }
}

/// Everything, or with `--floors` only what must hold on any machine.
fn measure_all(options: &[String]) -> Result<(), String> {
    const KNOWN: [&str; 3] = ["--json", "--quick", "--floors"];
    let is_given = |option: &str| options.iter().any(|given| given == option);
    if let Some(unknown) = options
        .iter()
        .find(|option| !KNOWN.contains(&option.as_str()))
    {
        return Err(format!(
            "unknown option `{unknown}`; there are {}",
            KNOWN.join(", ")
        ));
    }
    let floors = is_given("--floors");
    let seconds = if is_given("--quick") || floors {
        0.15
    } else {
        1.0
    };
    let mut report = Report::new(is_given("--json"));
    let rust = small::all(&mut report, seconds, floors)?;
    if !floors {
        real::all(&mut report, seconds, rust)?;
        classics::all(&mut report, seconds)?;
        growth::all(&mut report);
        startup::all(&mut report)?;
    }
    if is_given("--json") {
        println!("{}", report.json());
    }
    match &report.fallen()[..] {
        [] => Ok(()),
        fallen => Err(format!("below the floor: {}", fallen.join("; "))),
    }
}

/// Some games of one kind and nothing else, for a profiler: `play GAME 4 random 1`.
fn only_play(id: &str, players: &str, how: &str, times: &str) -> Result<(), String> {
    let number = |text: &str| text.parse().map_err(|_| format!("`{text}` is no number"));
    let (players, times): (u64, u64) = (number(players)?, number(times)?);
    let players = players as u8;
    let game = match id {
        "risk-mini" => kernel::game()?,
        id => real::game(id)?,
    };
    let start = measure::cpu();
    let played = match how {
        "random" => real::play(&game, players, Bot::Random, times)?,
        "greedy" => real::play(&game, players, Bot::Greedy, times)?,
        "stopped" => real::play_stopped(&game, players, times)?,
        "thinking" => real::play_thinking(&game, players, times)?,
        "copies" => real::play_copies(&game, players, times)?,
        other => {
            return Err(format!(
                "expected random, greedy, stopped, thinking or copies, found `{other}`"
            ));
        }
    };
    println!(
        "{} decisions, {:.0} a CPU second, {:.3} allocations a decision",
        played.decisions,
        played.decisions as f64 / (measure::cpu() - start),
        played.allocations as f64 / played.decisions as f64
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    /// Time is measured, so only who asks for it gets it; what is compared stands in one run, and a floor lies far below what is measured.
    #[test]
    #[ignore = "measures"]
    fn floors_hold() {
        super::measure_all(&["--floors".to_string()]).expect("nothing below its floor");
    }
}
