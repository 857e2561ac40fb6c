//! `ludoteca ladder`: bots play each other, from the weakest to the strongest, and what each step is worth and costs.

use crate::arguments::lab::Ladder;
use crate::lab::outlook::{self, Expected};
use crate::lab::{check_page, publish, run as lab, tell_broken_opinion, typed};
use crate::output::{Failure, Outcome};
use crate::packs;
use crate::words::{errors::told, say};
use ludoteca::{Bot, Game};
use ludoteca_lab::ladder::{self, Pairing};
use ludoteca_lab::record::Header;
use ludoteca_lab::report;
use ludoteca_lab::runner::RunEnd;
use ludoteca_lab::simulate::Plan;
use ludoteca_lab::told as told_of;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

pub fn run(content: &[PathBuf], asked: &Ladder) -> Outcome {
    check_page(asked.reporting.report.as_deref())?;
    let bots = lab::repeatable(&asked.bots)?;
    if bots.len() < 2 || bots.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(Failure::Usage(say!(
            "nombra al menos dos bots, cada uno distinto del anterior",
            "name at least two bots, each another than the one before it"
        )));
    }
    let game = packs::game(content, &asked.game)?;
    let players = packs::players(&game, asked.players)?;
    let header = header(&game, &bots, players, asked);
    let pairings: Vec<Pairing> = bots
        .windows(2)
        .map(|pair| Pairing {
            weaker: pair[0],
            stronger: pair[1],
            players,
            games: asked.games,
            seed: asked.seed,
            jobs: asked.jobs,
        })
        .collect();
    if asked.plan {
        let all: Result<Vec<Expected>, Failure> =
            pairings.iter().map(|pair| expected(&game, pair)).collect();
        return outlook::time(&header, &all?, &asked.reporting);
    }
    let stop = lab::stop_flag();
    let bar = lab::bar(asked.games * pairings.len() as u64);
    let mut rungs = Vec::new();
    let mut stopped = false;
    for pairing in &pairings {
        bar.set_message(format!("{} : {}", pairing.stronger, pairing.weaker));
        let (rung, ended) = ladder::play(&game, pairing, &stop, |n| bar.inc(n))
            .map_err(|broken| Failure::Game(told(&broken)))?;
        if rung.games > 0 {
            rungs.push(rung);
        }
        stopped = ended == RunEnd::Stopped;
        if stopped {
            break;
        }
    }
    bar.finish_and_clear();
    tell_broken_opinion(&game);
    publish(
        &asked.reporting,
        |pictures, language| report::ladder(&header, &rungs, pictures, language),
        || told_of::ladder(&header, &rungs),
    )?;
    match stopped {
        true => Err(lab::stopped()),
        false => Ok(()),
    }
}

/// What is played, and by whom: all bots of the ladder.
fn header(game: &Arc<Game>, bots: &[Bot], players: u8, asked: &Ladder) -> Header {
    let plan = Plan::new(
        players,
        vec![bots[0]; players as usize],
        asked.seed,
        asked.games,
    );
    let mut header = Header::new(game, &plan);
    header.bots = bots.iter().map(|bot| bot.name()).collect();
    header.made.command = typed();
    header
}

/// How long the games of a pair would take, judged by a few.
fn expected(game: &Arc<Game>, pairing: &Pairing) -> Result<Expected, Failure> {
    let few = Pairing {
        games: pairing.games.min(2 * u64::from(pairing.players)),
        ..pairing.clone()
    };
    let began = Instant::now();
    ladder::play(game, &few, &AtomicBool::new(false), |_| {})
        .map_err(|broken| Failure::Game(told(&broken)))?;
    Ok(Expected {
        bots: format!("{} : {}", pairing.stronger, pairing.weaker),
        games: pairing.games,
        seconds_each: began.elapsed().as_secs_f64() / few.games.max(1) as f64,
        judged_by: few.games,
    })
}
