//! What is wrong with a command line, in Spanish. In English the reader of command lines speaks for itself.

use crate::arguments::Arguments;
use clap::CommandFactory;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use std::error::Error as _;
use std::ffi::OsString;

/// Leaves out of the usage what nobody typed: what a variable of the environment says is not asked for.
pub fn as_typed(error: &mut clap::Error, typed: &[OsString]) {
    let Some(ContextValue::StyledStr(usage)) = error.get(ContextKind::Usage) else {
        return;
    };
    let command = Arguments::command();
    let from_outside = command
        .get_arguments()
        .filter(|arg| arg.get_env().is_some());
    let mut said = usage.to_string();
    for long in from_outside.filter_map(clap::Arg::get_long) {
        let option = format!("--{long}");
        let is_typed =
            |word: &OsString| word.to_str().is_some_and(|word| word.starts_with(&option));
        if !typed.iter().any(is_typed) {
            said = without(&said, &option);
        }
    }
    if said != usage.to_string() {
        error.insert(ContextKind::Usage, ContextValue::StyledStr(said.into()));
    }
}

/// A usage without an option and its value, `--lang <LANG>`.
fn without(usage: &str, option: &str) -> String {
    let found = usage.split_once(&format!(" {option} <"));
    let rest = found.and_then(|(before, rest)| Some((before, rest.split_once('>')?.1)));
    match rest {
        Some((before, after)) => format!("{before}{}", after.trim_start_matches("...")),
        None => usage.to_string(),
    }
}

/// The mistake, how the command is used, and where to read on.
pub fn in_spanish(error: &clap::Error) -> String {
    let mut told = format!("error: {}", mistake(error));
    let near = suggested(error);
    if !near.is_empty() {
        told += &format!("; ¿quizá {}?", near.join(" o "));
    }
    if let Some(ContextValue::StyledStr(usage)) = error.get(ContextKind::Usage) {
        let usage = usage.to_string();
        let usage = usage.trim().trim_start_matches("Usage:").trim();
        told += &format!("\n\nUso: {}", super::help::spanish_usage(usage));
    }
    told + "\n\n--help lo explica.\n"
}

fn mistake(error: &clap::Error) -> String {
    let argument = of(error, ContextKind::InvalidArg);
    let value = of(error, ContextKind::InvalidValue);
    match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let name = of(error, ContextKind::InvalidSubcommand);
            format!("no hay ninguna orden «{name}»")
        }
        ErrorKind::UnknownArgument => format!("«{argument}» no se usa aquí"),
        ErrorKind::MissingRequiredArgument => {
            format!("falta {}", super::help::spanish_usage(&argument))
        }
        ErrorKind::MissingSubcommand => "falta la orden".into(),
        ErrorKind::InvalidValue if value.is_empty() => format!("«{argument}» pide un valor"),
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => {
            let why = error.source().map(ToString::to_string).unwrap_or_default();
            match why.is_empty() || why.starts_with("invalid digit") {
                true => format!("«{value}» no vale para «{argument}»"),
                false => format!(
                    "«{value}» no vale para «{argument}»: {}",
                    range(&why, &value)
                ),
            }
        }
        ErrorKind::ArgumentConflict => {
            let other = of(error, ContextKind::PriorArg);
            match other.is_empty() || other == argument {
                true => format!("«{argument}» está más de una vez"),
                false => format!("«{argument}» no va junto con «{other}»"),
            }
        }
        ErrorKind::NoEquals => {
            format!("«{argument}» pide su valor detrás de un signo de igual")
        }
        ErrorKind::TooManyValues => format!("«{value}» sobra en «{argument}»"),
        ErrorKind::TooFewValues | ErrorKind::WrongNumberOfValues => {
            format!("a «{argument}» no le corresponden tantos valores")
        }
        ErrorKind::InvalidUtf8 => "la orden no es texto UTF-8".into(),
        _ => "la orden no se entiende".into(),
    }
}

/// `7 is not in 1..=5`, said by the reader of numbers.
fn range(why: &str, value: &str) -> String {
    match why.strip_prefix(&format!("{value} is not in ")) {
        Some(range) => format!("no está en {range}"),
        None => why.to_string(),
    }
}

fn of(error: &clap::Error, kind: ContextKind) -> String {
    match error.get(kind) {
        Some(ContextValue::String(text)) => text.clone(),
        Some(ContextValue::Strings(texts)) => texts.join(", "),
        _ => String::new(),
    }
}

/// What may have been meant, the likeliest first.
fn suggested(error: &clap::Error) -> Vec<String> {
    let kinds = [
        ContextKind::SuggestedArg,
        ContextKind::SuggestedSubcommand,
        ContextKind::SuggestedValue,
    ];
    let found = kinds.iter().filter_map(|kind| match error.get(*kind)? {
        ContextValue::String(text) => Some(vec![text.clone()]),
        ContextValue::Strings(texts) => Some(texts.iter().rev().cloned().collect()),
        _ => None,
    });
    let near = found.flatten().map(|name| format!("«{name}»"));
    near.collect()
}
