//! `ludoteca compare --skills`: the same question to better and better bots.

use crate::arguments::lab::Compare;
use crate::lab::{outlook, publish, run as lab, typed};
use crate::output::{Failure, Outcome};
use crate::packs;
use crate::words::say;
use ludoteca::{Bot, Game, Language};
use ludoteca_lab::compare::{Comparison, Difference, compare};
use ludoteca_lab::record::{Header, Record};
use ludoteca_lab::report::{self, AskedSkills};
use ludoteca_lab::runner::{Next, RunEnd};
use ludoteca_lab::simulate::{Plan, simulate};
use ludoteca_lab::skills::by_skill;
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

pub fn run(games: &[Arc<Game>; 2], asked: &Compare) -> Outcome {
    let skills = lab::repeatable(&asked.skills)?;
    if skills.len() < 2 {
        return Err(Failure::Usage(say!(
            "nombra al menos dos destrezas",
            "name at least two skills"
        )));
    }
    let players = packs::players(&games[0], asked.runs.players)?;
    packs::players(&games[1], Some(players))?;
    let plan_of = |bot: Bot| {
        let plan = Plan::new(
            players,
            vec![bot; players as usize],
            asked.runs.seed,
            asked.runs.games,
        );
        Plan {
            rotate: true,
            close: asked.runs.close.unwrap_or(1),
            jobs: asked.runs.jobs,
            ..plan
        }
    };
    if asked.plan {
        return expected(
            games,
            asked,
            &skills.iter().map(|&bot| plan_of(bot)).collect::<Vec<_>>(),
        );
    }
    let stop = lab::stop_flag();
    let bar = lab::bar(asked.runs.games * skills.len() as u64);
    let same = games[0].definition.hash == games[1].definition.hash;
    let plans: Vec<Plan> = skills.iter().map(|&bot| plan_of(bot)).collect();
    let progress = |done| bar.inc(done);
    let found = match same {
        true => against_the_weakest(&games[0], &plans, asked.size, &stop, progress),
        false => of_both_sides(games, &plans, asked.size, &stop, progress),
    };
    bar.finish_and_clear();
    let (tiers, paces): (Vec<_>, Vec<f64>) = found?.into_iter().unzip();
    // Of one game alone the weakest is what the others are compared with.
    let shown = if same { 1 } else { 0 };
    let names: Vec<String> = skills.iter().skip(shown).map(|bot| bot.name()).collect();
    let paced: Vec<(String, f64)> = names.into_iter().zip(paces).collect();
    let is_whole = tiers.len() + shown == skills.len();
    let rows = by_skill(&tiers);
    let first = Header::new(&games[0], &plans[0]);
    let mut header = Header::new(&games[1], &plans[0]);
    header.made.command = typed();
    let weakest = same.then(|| skills[0].name());
    publish(
        &asked.reporting,
        |pictures, language| {
            let against = match (same, language) {
                (true, Language::Es) => format!("frente a {}", skills[0]),
                (true, Language::En) => format!("against {}", skills[0]),
                (false, _) => format!("{} → {}", first.selection_named(), header.selection_named()),
            };
            let asked = AskedSkills {
                headers: [&first, &header],
                skills: &paced,
                rows: &rows,
                against: &against,
                weakest: weakest.as_deref(),
            };
            report::skills(&asked, pictures, language)
        },
        || json!({ "run": header, "skills": paced.iter().map(|(name, _)| name).collect::<Vec<_>>(), "against": weakest, "findings": rows }),
    )?;
    match is_whole {
        true => Ok(()),
        false => Err(lab::stopped()),
    }
}

/// How long the games of all skills would take.
fn expected(games: &[Arc<Game>; 2], asked: &Compare, plans: &[Plan]) -> Outcome {
    let sides = match games[0].definition.hash == games[1].definition.hash {
        true => 1,
        false => 2,
    };
    let all: Result<Vec<_>, Failure> = plans
        .iter()
        .map(|plan| outlook::expected(&games[0], plan, sides * plan.games))
        .collect();
    outlook::time(&Header::new(&games[1], &plans[0]), &all?, &asked.reporting)
}

/// What a skill showed, and how many seconds a game on both sides took.
type Tier = (Vec<Difference>, f64);

/// Both sides of the question at each skill.
fn of_both_sides(
    games: &[Arc<Game>; 2],
    plans: &[Plan],
    size: f64,
    stop: &AtomicBool,
    progress: impl Fn(u64) + Sync,
) -> Result<Vec<Tier>, Failure> {
    let mut tiers = Vec::new();
    for plan in plans {
        let began = Instant::now();
        let headers = [0, 1].map(|side| Header::new(&games[side], plan));
        let mut comparison = Comparison::new(headers, None);
        let both = [&games[0], &games[1]];
        let ended = compare(both, plan, &mut comparison, stop, &progress, |_, _| {
            Next::GoOn
        })
        .map_err(|broken| Failure::Game(broken.to_string()))?;
        if ended == RunEnd::Stopped {
            break;
        }
        let pace = began.elapsed().as_secs_f64() / plan.games.max(1) as f64;
        tiers.push((comparison.differences_among(size, plans.len()), pace));
    }
    Ok(tiers)
}

/// One game at each skill, beside itself at the weakest.
fn against_the_weakest(
    game: &Arc<Game>,
    plans: &[Plan],
    size: f64,
    stop: &AtomicBool,
    progress: impl Fn(u64) + Sync,
) -> Result<Vec<Tier>, Failure> {
    let play = |plan: &Plan| {
        simulate(game, plan, stop, &progress).map_err(|broken| Failure::Game(broken.to_string()))
    };
    let began = Instant::now();
    let weakest: Vec<Record> = play(&plans[0])?;
    let of_weakest = began.elapsed();
    let mut tiers = Vec::new();
    for plan in &plans[1..] {
        let began = Instant::now();
        let records = play(plan)?;
        if (records.len() as u64) < plan.games {
            break;
        }
        let headers = [&plans[0], plan].map(|plan| Header::new(game, plan));
        let mut comparison = Comparison::new(headers, None);
        for (first, second) in weakest.iter().zip(records) {
            comparison.add(&[first.clone(), second]);
        }
        let seconds = (of_weakest + began.elapsed()).as_secs_f64();
        let pace = seconds / plan.games.max(1) as f64;
        tiers.push((comparison.differences_among(size, plans.len() - 1), pace));
    }
    Ok(tiers)
}
