//! The `ludoteca` command: games as text files, checked, played and simulated.

mod arguments;
mod command;
mod output;
mod packs;

use arguments::{Arguments, Command};
use clap::Parser;
use output::Failure;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let content = &arguments.content;
    let result = match arguments.command {
        Command::List(list) => command::list::run(content, &list),
        Command::Check(check) => command::check::run(content, &check),
        Command::Sim(sim) => command::sim::run(content, &sim),
        Command::Test(test) => command::test::run(content, &test),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Content) => ExitCode::from(1),
        Err(failure) => {
            eprintln!("error: {failure}");
            failure.exit_code()
        }
    }
}
