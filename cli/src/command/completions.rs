//! `ludoteca completions` and `ludoteca man`: what shells and readers of manuals expect, made from the same declarations as the help.

use crate::arguments::{Arguments, Completions, Man};
use crate::output::{Failure, Outcome, errln, unwritable, write_out};
use crate::words::{help, say};
use clap::CommandFactory;
use ludoteca::keep;
use std::fs;

/// The words a shell completes.
pub fn run(completions: &Completions) -> Outcome {
    let mut written = Vec::new();
    clap_complete::generate(
        completions.shell,
        &mut help::in_language(Arguments::command()),
        "ludoteca",
        &mut written,
    );
    write_out(format_args!("{}", String::from_utf8_lossy(&written)));
    Ok(())
}

/// The manual: one page to standard output, or all of them into a folder.
pub fn man(man: &Man) -> Outcome {
    let mut command = help::in_language(Arguments::command()).disable_help_subcommand(true);
    command.build();
    let Some(folder) = &man.write else {
        let page = page(&command)?;
        write_out(format_args!("{page}"));
        return Ok(());
    };
    fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
    let mut pages = vec![command.clone()];
    let mut next = 0;
    while let Some(command) = pages.get(next).cloned() {
        next += 1;
        // `ludoteca-pack-add`, once the command is built.
        let name = command.get_display_name().unwrap_or(command.get_name());
        let inner = command
            .get_subcommands()
            .filter(|inner| !inner.is_hide_set());
        pages.extend(inner.cloned());
        let path = folder.join(format!("{name}.1"));
        keep::write(&path, page(&command)?).map_err(|error| unwritable(&path, &error))?;
    }
    errln!(
        "{}",
        say!(
            "{next} páginas escritas en {}",
            "wrote {next} pages into {}",
            folder.display()
        )
    );
    Ok(())
}

fn page(command: &clap::Command) -> Result<String, Failure> {
    let mut written = Vec::new();
    let made = clap_mangen::Man::new(command.clone()).render(&mut written);
    made.map_err(|error| Failure::Game(error.to_string()))?;
    Ok(String::from_utf8_lossy(&written).into_owned())
}
