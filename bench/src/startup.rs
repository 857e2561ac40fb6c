//! How long one waits for the command: listing, a first choice, a check of everything. By wall time, with the command built beside this.

use crate::measure::shortest;
use crate::real::largest;
use crate::report::{Aim, Report};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The command, if it was built beside the benchmark.
fn command() -> Option<PathBuf> {
    let here = std::env::current_exe().ok()?;
    let found = here.parent()?.join("ludoteca");
    found.exists().then_some(found)
}

/// Runs it, with something to read and everything it says thrown away.
fn run(command: &Path, arguments: &[&str]) -> Result<(), String> {
    Command::new(command)
        .args(arguments)
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .map(|_| ())
        .map_err(|error| format!("{}: {error}", command.display()))
}

pub fn all(report: &mut Report) -> Result<(), String> {
    report.heading("waiting for the command, ms");
    let Some(ludoteca) = command() else {
        report.say("  left out: the command is not built beside the benchmark");
        return Ok(());
    };
    let Some((largest, players)) = largest() else {
        return Err("no game is said to be the largest".to_string());
    };
    // A person who leaves at once: the game is loaded, the table laid, the first choice shown.
    for (key, what, arguments, aim) in [
        ("list", "list", &["list"][..], 50.0),
        (
            "first_choice",
            "the first choice of the largest game",
            &[
                "play",
                largest,
                "--players",
                &players.to_string(),
                "--seed",
                "1",
            ][..],
            100.0,
        ),
        ("check", "check of everything", &["check"][..], 1000.0),
    ] {
        let seconds = shortest(5, || run(&ludoteca, arguments))?;
        report.add(key, what, seconds * 1e3, Aim::Below(aim));
    }
    Ok(())
}
