//! `ludoteca compare --take`: what a card is worth at the same position.

use crate::arguments::lab::Compare;
use crate::lab::outlook::{self, Expected};
use crate::lab::run::NameOf;
use crate::lab::{publish, run as lab, typed};
use crate::output::{Failure, Outcome, errln, outln, unwritable};
use crate::packs;
use crate::words::{errors::told, language, say, word};
use ludoteca::{Bot, Game, keep};
use ludoteca_lab::fork::{self, Forks};
use ludoteca_lab::record::{ContentItem, Header};
use ludoteca_lab::report;
use ludoteca_lab::runner::RunEnd;
use ludoteca_lab::simulate::Plan;
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

pub fn run(game: &Arc<Game>, asked: &Compare) -> Outcome {
    let players = packs::players(game, asked.runs.players)?;
    let anybody = Plan::new(
        players,
        vec![Bot::Random; players as usize],
        asked.runs.seed,
        1,
    );
    let items = items(&Header::new(game, &anybody), &asked.take)?;
    let played = 2 * asked.runs.games * items.len() as u64;
    let plan = lab::plan(&asked.runs, game, true, played)?;
    let mut header = Header::new(game, &plan);
    header.made.command = typed();
    if let Some(number) = asked.only {
        return only(game, asked, &plan, &items, number);
    }
    if asked.plan {
        return outlook::time(&header, &[expected(game, &plan, &items)?], &asked.reporting);
    }
    let stop = lab::stop_flag();
    let bar = lab::bar(plan.games * items.len() as u64);
    let began = Instant::now();
    let mut is_whole = true;
    let mut all: Vec<Forks> = items.into_iter().map(Forks::new).collect();
    for forks in &mut all {
        let ended = fork::fork(game, &plan, forks, &stop, |done| bar.inc(done))
            .map_err(|broken| Failure::Game(told(&broken)))?;
        if ended == RunEnd::Stopped {
            is_whole = false;
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
    )?;
    match is_whole {
        true => Ok(()),
        false => Err(lab::stopped()),
    }
}

/// Cards by which the time of all is judged.
const JUDGED: usize = 3;

/// How long all forks would take.
fn expected(game: &Arc<Game>, plan: &Plan, items: &[ContentItem]) -> Result<Expected, Failure> {
    let few = outlook::few(plan, u64::from(plan.players));
    let judged = &items[..items.len().min(JUDGED)];
    let began = Instant::now();
    for item in judged {
        let mut forks = Forks::new(item.clone());
        fork::fork(game, &few, &mut forks, &AtomicBool::new(false), |_| {})
            .map_err(|broken| Failure::Game(told(&broken)))?;
    }
    let judged_by = few.games * judged.len() as u64;
    Ok(Expected {
        bots: Header::new(game, plan).bots_named(language()),
        games: plan.games * items.len() as u64,
        seconds_each: began.elapsed().as_secs_f64() / judged_by.max(1) as f64,
        judged_by,
    })
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
        if asked.out.is_some() {
            std::fs::create_dir_all(&folder).map_err(|error| unwritable(&folder, &error))?;
        }
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
