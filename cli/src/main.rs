//! The `ludoteca` command: games as text files, checked, played and simulated.

mod arguments;
mod command;
mod fault;
mod isolated;
mod kept;
mod lab;
mod output;
mod packs;
mod progress;
mod saved;
mod seats;
mod stdio;
mod terminal;
mod words;

use arguments::{Arguments, Command};
use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches};
use ludoteca::Language;
use output::{Failure, brief, errln, write_err};
use std::ffi::OsString;
use std::process::ExitCode;

fn main() -> ExitCode {
    fault::end_on_panic();
    #[cfg(unix)]
    fault::go_on_where_files_end();
    let typed: Vec<OsString> = std::env::args_os().collect();
    words::settle(&typed);
    let arguments = match read(typed) {
        Ok(arguments) => arguments,
        Err(code) => return code,
    };
    let content = &arguments.content;
    packs::lock_is_wanted(arguments.locked);
    output::colours_are_wanted(arguments.color);
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
        Command::Table(table) => command::table::run(content, &table),
        Command::Print(print) => command::print::run(content, &print),
        Command::Pack(pack) => command::pack::run(content, &pack),
        Command::Index(index) => command::index::run(&index),
        Command::Fix(fix) => command::fix::run(&fix),
        Command::Api(api) => command::api::run(content, &api),
        Command::Schema(schema) => command::schema::run(&schema),
        Command::Fmt(fmt) => command::fmt::run(&fmt),
        Command::Lsp(_) => command::lsp::run(content),
        Command::Watch(watch) => command::watch::run(content, &watch),
        Command::Show(show) => command::show::run(content, &show),
        Command::Export(export) => command::export::run(content, &export),
        Command::Doctor(doctor) => command::doctor::run(content, &doctor),
        Command::Completions(completions) => command::completions::run(&completions),
        Command::Man(man) => command::completions::man(&man),
        Command::Help(help) => command::help::run(&help),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Content) => ExitCode::from(1),
        Err(Failure::Stopped(said)) => {
            errln!("{said}");
            Failure::Stopped(said).exit_code()
        }
        Err(failure) => {
            errln!("error: {}", brief(&failure.to_string()));
            failure.exit_code()
        }
    }
}

/// What was typed; if it cannot be understood, or was a question, what there is to say has been said.
fn read(typed: Vec<OsString>) -> Result<Arguments, ExitCode> {
    let command = words::help::in_language(Arguments::command());
    let read = command.try_get_matches_from(typed.clone());
    let read = read.and_then(|matches| Arguments::from_arg_matches(&matches));
    read.map_err(|mut error| {
        words::usage::as_typed(&mut error, &typed);
        let asked = matches!(
            error.kind(),
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
        );
        let helped = asked || error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
        // A screen that cannot be written to changes nothing about the code.
        if words::language() == Language::En || helped {
            let _ = error.print();
        } else {
            write_err(format_args!("{}", words::usage::in_spanish(&error)));
        }
        ExitCode::from(if asked { 0 } else { 2 })
    })
}
