//! `ludoteca compare`: the same games on two sides, what differs, and how surely.

mod forked;
mod skilled;

use crate::arguments::lab::Compare;
use crate::lab::run::NameOf;
use crate::lab::{check_page, outlook, publish, run as lab, typed};
use crate::output::{Failure, Outcome};
use crate::packs;
use crate::words::{errors::told, language, say};
use ludoteca::{Game, Language, Selection};
use ludoteca_lab::compare::{Comparison, Until, compare};
use ludoteca_lab::measure::Measure;
use ludoteca_lab::numbers::{signed, signed_interval};
use ludoteca_lab::record::Header;
use ludoteca_lab::report::{self, AskedSides};
use ludoteca_lab::runner::{Next, RunEnd};
use ludoteca_lab::sequential::{FALSE_ALARM, MISS, TestVerdict};
use ludoteca_lab::simulate::Plan;
use ludoteca_lab::told;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

pub fn run(content: &[PathBuf], asked: &Compare) -> Outcome {
    check_page(asked.reporting.report.as_deref())?;
    let games = sides(content, asked)?;
    if !asked.skills.is_empty() {
        return skilled::run(&games, asked);
    }
    if !asked.take.is_empty() {
        return forked::run(&games[1], asked);
    }
    let plan = lab::plan(&asked.runs, &games[0], true, 2 * asked.runs.games)?;
    packs::players(&games[1], Some(plan.players))?;
    let mut headers = [0, 1].map(|side| Header::new(&games[side], &plan));
    if headers[0].content == headers[1].content {
        return Err(Failure::Usage(say!(
            "los dos lados son el mismo contenido; di en qué difieren con --variant, --set o --pack",
            "both sides are the same content; name what differs with --variant, --set or --pack"
        )));
    }
    if asked.plan {
        return outlook::show([&games[0], &games[1]], &plan, asked.size, &asked.reporting);
    }
    headers[1].made.command = typed();
    let until = until(asked, &headers[0])?;
    let mut comparison = Comparison::new(headers, until.as_ref());
    comparison.ask(&asked.metric);
    let stop = lab::stop_flag();
    let bar = lab::bar(plan.games);
    let language = language();
    let began = Instant::now();
    let ended = compare(
        [&games[0], &games[1]],
        &plan,
        &mut comparison,
        &stop,
        |done| bar.inc(done),
        |comparison, _| {
            // The interval may be looked at all the time: it holds at every moment at once.
            if let (Some(so_far), Some(until)) = (comparison.so_far(), &until) {
                let share = comparison.is_share(&until.measure);
                let between = signed_interval(&so_far, share, language);
                let now = signed(so_far.value, share);
                bar.set_message(format!("{} {now} ({between})", until.measure));
            }
            Next::GoOn
        },
    );
    let seconds = began.elapsed().as_secs_f64();
    bar.finish_and_clear();
    let reported = report(asked, &plan, &comparison, until.as_ref(), seconds);
    reported?;
    match ended.map_err(|broken| Failure::Game(told(&broken)))? {
        RunEnd::Done | RunEnd::Enough => Ok(()),
        RunEnd::Stopped => Err(Failure::Stopped(say!(
            "interrumpido tras {} de {} partidas",
            "stopped after {} of {} games",
            comparison.sides[0].games,
            plan.games
        ))),
    }
}

/// The two games that are compared. One variant, setting or pack is compared with the game without it.
fn sides(content: &[PathBuf], asked: &Compare) -> Result<[Arc<Game>; 2], Failure> {
    let selection = packs::selection(&asked.game)?;
    let only = |variants: &[String], set: &[(String, String)]| Selection {
        variants: variants.to_vec(),
        set: set.to_vec(),
    };
    let (variants, set) = (&selection.variants, &selection.set);
    let (first, second) = match (&variants[..], set.is_empty()) {
        ([first, second], true) => (Selection::variant(first), Selection::variant(second)),
        ([] | [_], false) => (only(variants, &[]), selection.clone()),
        ([_], true) => (Selection::default(), selection.clone()),
        ([], true) => (Selection::default(), Selection::default()),
        _ => {
            return Err(Failure::Usage(say!(
                "nombra dos variantes, o una, o una y lo que --set cambia en ella",
                "name two variants, or one, or one and what --set changes in it"
            )));
        }
    };
    let packs: [&[PathBuf]; 2] = match &asked.packs[..] {
        [] => [&[], &[]],
        [_] => [&[], &asked.packs],
        [_, _] => [&asked.packs[..1], &asked.packs[1..]],
        _ => {
            return Err(Failure::Usage(say!(
                "--pack se da una o dos veces",
                "--pack is given once or twice"
            )));
        }
    };
    let load = |packs: &[PathBuf], selection: &Selection| {
        let (library, _) = packs::open(&[content, packs].concat())?;
        packs::load_game(&library, &asked.game.game, selection)
    };
    Ok([load(packs[0], &first)?, load(packs[1], &second)?])
}

fn until(asked: &Compare, header: &Header) -> Result<Option<Until>, Failure> {
    lab::known(NameOf::Metric, &asked.metric, &Measure::names(header))?;
    match asked.until {
        Some(size) if size > 0.0 && size.is_finite() => Ok(Some(Until {
            measure: asked.metric.clone(),
            size,
        })),
        Some(size) => Err(Failure::Usage(say!(
            "`--until {size}`: el tamaño de una diferencia es mayor que 0",
            "`--until {size}`: the size of a difference is above 0"
        ))),
        None => Ok(None),
    }
}

fn report(
    asked: &Compare,
    plan: &Plan,
    comparison: &Comparison,
    until: Option<&Until>,
    seconds: f64,
) -> Outcome {
    let games = comparison.sides[0].games;
    if games == 0 {
        return Ok(());
    }
    let differences = comparison.differences(asked.size);
    let found = comparison.findings();
    let headers = comparison.sides.each_ref().map(|side| &side.header);
    publish(
        &asked.reporting,
        |pictures, language| {
            let settled = until.map(|until| settled(until, plan, comparison, language));
            let sides = AskedSides {
                headers,
                found: found.each_ref(),
                differences: &differences,
                settled: settled.as_deref(),
                pace: Some(seconds / games as f64),
            };
            report::comparison(&sides, pictures, language)
        },
        || told::comparison(comparison, until, asked.size),
    )
}

/// What the sequential test says, and how sure it is.
fn settled(until: &Until, plan: &Plan, comparison: &Comparison, language: Language) -> String {
    let games = comparison.sides[0].games;
    let (metric, size) = (&until.measure, until.size);
    let (alarm, miss) = (FALSE_ALARM * 100.0, MISS * 100.0);
    let verdict = comparison.verdict();
    let so_far = comparison.so_far().map_or_else(String::new, |found| {
        let share = comparison.is_share(metric);
        let between = signed_interval(&found, share, language);
        format!("{} ({between})", signed(found.value, share))
    });
    match language {
        Language::En => {
            let said = match verdict {
                Some(TestVerdict::Higher) => format!(
                    "settled after {games} games: {metric} is higher in the second, by about {size} or more"
                ),
                Some(TestVerdict::Lower) => format!(
                    "settled after {games} games: {metric} is lower in the second, by about {size} or more"
                ),
                Some(TestVerdict::NoDifference) => {
                    format!("settled after {games} games: no difference of {size} in {metric}")
                }
                _ => format!(
                    "not settled after {games} of {} games: a difference of {size} in {metric} needs more",
                    plan.games
                ),
            };
            format!(
                "{said}; so far {so_far}, whenever one looks (a sequential test: {alarm:.0} % chance to report a difference where there is none, {miss:.0} % to miss one of {size})"
            )
        }
        Language::Es => {
            let said = match verdict {
                Some(TestVerdict::Higher) => format!(
                    "decidido tras {games} partidas: {metric} es mayor en la segunda, en unos {size} o más"
                ),
                Some(TestVerdict::Lower) => format!(
                    "decidido tras {games} partidas: {metric} es menor en la segunda, en unos {size} o más"
                ),
                Some(TestVerdict::NoDifference) => {
                    format!(
                        "decidido tras {games} partidas: ninguna diferencia de {size} en {metric}"
                    )
                }
                _ => format!(
                    "sin decidir tras {games} de {} partidas: una diferencia de {size} en {metric} pide más",
                    plan.games
                ),
            };
            format!(
                "{said}; hasta ahora {so_far}, se mire cuando se mire (prueba secuencial: {alarm:.0} % de probabilidad de ver una diferencia que no hay, {miss:.0} % de no ver una de {size})"
            )
        }
    }
}
