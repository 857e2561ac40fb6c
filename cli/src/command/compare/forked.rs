//! `ludoteca compare --take`: what a card is worth at the same position.

use crate::arguments::lab::Compare;
use crate::lab::run::NameOf;
use crate::lab::{publish, run as lab, typed};
use crate::output::{Failure, Outcome, errln, outln, unwritable};
use crate::packs;
use crate::words::{errors::told, say, word};
use ludoteca::{Game, keep};
use ludoteca_lab::fork::{self, Forks};
use ludoteca_lab::record::{ContentItem, Header};
use ludoteca_lab::report;
use ludoteca_lab::runner::RunEnd;
use ludoteca_lab::simulate::Plan;
use serde_json::json;
use std::sync::Arc;
use std::time::Instant;

pub fn run(game: &Arc<Game>, asked: &Compare) -> Outcome {
    let plan = lab::plan(&asked.runs, game, true)?;
    let mut header = Header::new(game, &plan);
    header.made.command = typed();
    let items = items(&header, &asked.take)?;
    if let Some(number) = asked.only {
        return only(game, asked, &plan, &items, number);
    }
    let stop = lab::stop_flag();
    let bar = lab::bar(plan.games * items.len() as u64);
    let began = Instant::now();
    let mut all: Vec<Forks> = items.into_iter().map(Forks::new).collect();
    for forks in &mut all {
        let ended = fork::fork(game, &plan, forks, &stop, |done| bar.inc(done))
            .map_err(|broken| Failure::Game(told(&broken)))?;
        if ended == RunEnd::Stopped {
            errln!(
                "{}",
                say!(
                    "interrumpido; lo que se muestra es lo jugado hasta entonces",
                    "stopped; what is shown was played until then"
                )
            );
            break;
        }
    }
    bar.finish_and_clear();
    let pace = began.elapsed().as_secs_f64() / (plan.games * all.len() as u64).max(1) as f64;
    let found = Forks::worth(&all, asked.size);
    publish(
        &asked.reporting,
        |_, language| Ok(report::forks(&header, &found, Some(pace), language)),
        || json!({ "run": header, "size": asked.size, "worth": found }),
    )
}

/// Plays one game both ways, for every card, and writes the transcripts.
fn only(
    game: &Arc<Game>,
    asked: &Compare,
    plan: &Plan,
    items: &[ContentItem],
    number: u64,
) -> Outcome {
    let selection = packs::selection(&asked.game)?;
    let folder = asked.out.clone().unwrap_or_default();
    if let Some(folder) = &asked.out {
        std::fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
    }
    for item in items {
        let both = fork::transcripts(game, plan, &item.id, number, &selection)
            .map_err(|broken| Failure::Game(told(&broken)))?;
        let Some(both) = both else {
            errln!(
                "{}",
                say!(
                    "partida {number}: nunca se puede elegir entre tomar «{}» o no",
                    "game {number}: nobody may choose to take `{}` or not",
                    item.id
                )
            );
            continue;
        };
        let sides = [word!("con", "with"), word!("sin", "without")];
        for (transcript, side) in both.iter().zip(sides) {
            let path = folder.join(format!("{}-{number}-{side}.transcript", item.id));
            keep::write(&path, transcript.to_string())
                .map_err(|error| unwritable(&path, &error))?;
            let command = format!("ludoteca replay {}", path.display());
            outln!("{command}");
        }
    }
    Ok(())
}

/// The cards and options that are meant.
fn items(header: &Header, named: &[String]) -> Result<Vec<ContentItem>, Failure> {
    let mut all: Vec<ContentItem> = Vec::new();
    for name in named {
        let found = fork::items_named(header, name);
        if found.is_empty() {
            let ids = header.items.iter().map(|item| item.id.clone());
            lab::known(NameOf::Item, name, &ids.collect::<Vec<_>>())?;
        }
        all.extend(found);
    }
    Ok(all)
}
