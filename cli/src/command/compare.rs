//! `ludoteca compare`: the same games on two sides, what differs, and how surely.

use crate::arguments::lab::Compare;
use crate::lab::{check_page, run as lab, tables, write_page};
use crate::output::{Failure, Outcome, errln, outln};
use crate::packs;
use ludoteca::content::library::Selection;
use ludoteca::table::game::Game;
use ludoteca::table::label::Language;
use ludoteca_lab::compare::{Comparison, Difference, Until, compare};
use ludoteca_lab::measure::Measure;
use ludoteca_lab::page;
use ludoteca_lab::record::Header;
use ludoteca_lab::runner::{Ended, Next};
use ludoteca_lab::sequential::{FALSE_ALARM, MISS, Verdict};
use ludoteca_lab::simulate::Plan;
use ludoteca_lab::told;
use std::path::PathBuf;
use std::sync::Arc;

pub fn run(content: &[PathBuf], asked: &Compare) -> Outcome {
    check_page(asked.reporting.report.as_deref())?;
    let games = sides(content, asked)?;
    let plan = lab::plan(&asked.runs, &games[0], true)?;
    packs::players(&games[1], Some(plan.players))?;
    let headers = [0, 1].map(|side| Header::new(&games[side], &plan));
    if headers[0].content == headers[1].content {
        let message =
            "both sides are the same content; name what differs with --variant, --set or --pack";
        return Err(Failure::Usage(message.into()));
    }
    let until = until(asked, &headers[0])?;
    let mut comparison = Comparison::new(headers, until.as_ref());
    let stop = lab::stop_flag();
    let bar = lab::bar(plan.games);
    let ended = compare(
        [&games[0], &games[1]],
        &plan,
        &mut comparison,
        &stop,
        |done| bar.inc(done),
        |_| Next::GoOn,
    );
    bar.finish_and_clear();
    let reported = report(asked, &plan, &comparison, until.as_ref());
    if matches!(ended, Ok(Ended::Stopped)) {
        let done = comparison.sides[0].games;
        errln!("stopped after {done} of {} games", plan.games);
    }
    reported?;
    ended
        .map(drop)
        .map_err(|broken| Failure::Game(broken.to_string()))
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
            let message = "name two variants, or one, or one and what --set changes in it";
            return Err(Failure::Usage(message.into()));
        }
    };
    let packs: [&[PathBuf]; 2] = match &asked.packs[..] {
        [] => [&[], &[]],
        [_] => [&[], &asked.packs],
        [_, _] => [&asked.packs[..1], &asked.packs[1..]],
        _ => return Err(Failure::Usage("--pack is given once or twice".into())),
    };
    let load = |packs: &[PathBuf], selection: &Selection| {
        let (library, _) = packs::open(&[content, packs].concat())?;
        packs::load_game(&library, &asked.game.game, selection)
    };
    Ok([load(packs[0], &first)?, load(packs[1], &second)?])
}

fn until(asked: &Compare, header: &Header) -> Result<Option<Until>, Failure> {
    let names: Vec<String> = Measure::all(header).iter().map(Measure::name).collect();
    lab::known("metric", &asked.metric, &names)?;
    match asked.until {
        Some(size) if size > 0.0 && size.is_finite() => Ok(Some(Until {
            measure: asked.metric.clone(),
            size,
        })),
        Some(size) => Err(Failure::Usage(format!(
            "`--until {size}`: the size of a difference is above 0"
        ))),
        None => Ok(None),
    }
}

fn report(asked: &Compare, plan: &Plan, comparison: &Comparison, until: Option<&Until>) -> Outcome {
    if comparison.sides[0].games == 0 {
        return Ok(());
    }
    let differences = comparison.differences(asked.size);
    let sides = comparison.sides.each_ref().map(|side| side.findings());
    let headers = comparison.sides.each_ref().map(|side| &side.header);
    let paged = asked.reporting.report.as_ref().map_or(Ok(()), |path| {
        let language = asked.reporting.reader.lang;
        let verdict = until.map(|until| settled(until, plan, comparison, language));
        let replays = headers.map(|header| header.replay("N"));
        let page = page::comparison(
            headers,
            [&sides[0], &sides[1]],
            &differences,
            verdict.as_deref(),
            [&replays[0], &replays[1]],
            language,
        );
        write_page(path, page)
    });
    if asked.reporting.json {
        let report = told::comparison(comparison, until, asked.size);
        outln!("{report}");
    } else {
        print(asked, plan, comparison, until, &differences);
    }
    paged
}

fn print(
    asked: &Compare,
    plan: &Plan,
    comparison: &Comparison,
    until: Option<&Until>,
    differences: &[Difference],
) {
    let [first, second] = comparison.sides.each_ref().map(|side| &side.header);
    let games = comparison.sides[0].games;
    outln!(
        "{}, {} players, bots: {}, {games} games on each side, same seeds and seats",
        first.game,
        first.players,
        first.bots_named()
    );
    outln!("first:  {}", first.selection_named());
    outln!("second: {}", second.selection_named());
    if let Some(until) = until {
        outln!();
        outln!("{}", settled(until, plan, comparison, Language::En));
    }
    outln!();
    tables::differences(differences, games, asked.size);
    outln!();
    outln!("first again:  {}", first.replay("GAME"));
    outln!("second again: {}", second.replay("GAME"));
}

/// What the sequential test says, and how sure it is.
fn settled(until: &Until, plan: &Plan, comparison: &Comparison, language: Language) -> String {
    let games = comparison.sides[0].games;
    let (metric, size) = (&until.measure, until.size);
    let (alarm, miss) = (FALSE_ALARM * 100.0, MISS * 100.0);
    let verdict = comparison.verdict();
    match language {
        Language::En => {
            let said = match verdict {
                Some(Verdict::Higher) => format!(
                    "settled after {games} games: {metric} is higher in the second, by about {size} or more"
                ),
                Some(Verdict::Lower) => format!(
                    "settled after {games} games: {metric} is lower in the second, by about {size} or more"
                ),
                Some(Verdict::NoDifference) => {
                    format!("settled after {games} games: no difference of {size} in {metric}")
                }
                _ => format!(
                    "not settled after {games} of {} games: a difference of {size} in {metric} needs more",
                    plan.games
                ),
            };
            format!(
                "{said}\n(a sequential test: {alarm:.0} % chance to report a difference where there is none, {miss:.0} % to\nmiss one of {size})"
            )
        }
        Language::Es => {
            let said = match verdict {
                Some(Verdict::Higher) => format!(
                    "decidido tras {games} partidas: {metric} es mayor en la segunda, en unos {size} o más"
                ),
                Some(Verdict::Lower) => format!(
                    "decidido tras {games} partidas: {metric} es menor en la segunda, en unos {size} o más"
                ),
                Some(Verdict::NoDifference) => {
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
                "{said}\n(prueba secuencial: {alarm:.0} % de probabilidad de ver una diferencia que no hay, {miss:.0} % de no ver una de {size})"
            )
        }
    }
}
