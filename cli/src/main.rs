//! The `ludoteca` command: games as text files, checked, played and simulated.

mod arguments;
mod command;
mod fault;
mod isolated;
mod lab;
mod output;
mod packs;
mod saved;
mod seats;
mod stdio;
mod terminal;

use arguments::{Arguments, Command};
use clap::Parser;
use output::{Failure, brief, errln};
use std::process::ExitCode;

fn main() -> ExitCode {
    fault::end_on_panic();
    let arguments = Arguments::parse();
    let content = &arguments.content;
    packs::lock_is_wanted(arguments.locked);
    let result = match arguments.command {
        Command::List(list) => command::list::run(content, &list),
        Command::Check(check) => command::check::run(content, &check),
        Command::Play(play) => command::play::run(content, &play),
        Command::Serve(serve) => command::serve::run(content, &serve),
        Command::Rules(rules) => command::rules::run(content, &rules),
        Command::Sim(sim) => command::sim::run(content, &sim),
        Command::Compare(compare) => command::compare::run(content, &compare),
        Command::Sweep(sweep) => command::sweep::run(content, &sweep),
        Command::Tune(tune) => command::tune::run(content, &tune),
        Command::Ladder(ladder) => command::ladder::run(content, &ladder),
        Command::Calibrate(calibrate) => command::calibrate::run(content, &calibrate),
        Command::Review(review) => command::review::run(content, &review),
        Command::Report(report) => command::report::run(&report),
        Command::Perft(perft) => command::perft::run(content, &perft),
        Command::Test(test) => command::test::run(content, &test),
        Command::Replay(replay) => command::replay::run(content, &replay),
        Command::New(new) => command::new::run(content, &new),
        Command::Explain(explain) => command::explain::run(content, &explain),
        Command::Diff(diff) => command::diff::run(content, &diff),
        Command::Pack(pack) => command::pack::run(content, &pack),
        Command::Index(index) => command::index::run(&index),
        Command::Fix(fix) => command::fix::run(&fix),
        Command::Api(api) => command::api::run(content, &api),
        Command::Schema(schema) => command::schema::run(&schema),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Content) => ExitCode::from(1),
        Err(failure) => {
            errln!("error: {}", brief(&failure.to_string()));
            failure.exit_code()
        }
    }
}
