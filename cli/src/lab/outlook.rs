//! Before a run: a few games, what all of them would take and could show.

use super::publish;
use crate::arguments::lab::Reporting;
use crate::output::{Failure, Outcome};
use crate::words::{errors::told, language};
use ludoteca::{Game, Language};
use ludoteca_lab::compare::{Comparison, compare};
use ludoteca_lab::document::{Document, Tabular, Words};
use ludoteca_lab::numbers::{signed, value};
use ludoteca_lab::record::Header;
use ludoteca_lab::report::duration;
use ludoteca_lab::runner::Next;
use ludoteca_lab::simulate::{Plan, stream};
use ludoteca_lab::summary::Summary;
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Games that are played to judge all.
const FEW: u64 = 30;
/// Nobody waits longer for these than this, once some are played.
const PATIENCE: Duration = Duration::from_secs(30);
/// Games that tell at least something of how long others take.
const FEWEST: u64 = 4;

/// How long games of one kind would take, judged by a few of them.
pub struct Expected {
    pub bots: String,
    pub games: u64,
    pub seconds_each: f64,
    pub judged_by: u64,
}

impl Expected {
    fn seconds(&self) -> f64 {
        self.seconds_each * self.games as f64
    }
}

/// The first games of a plan.
pub fn few(plan: &Plan, most: u64) -> Plan {
    let games = plan.games.min(most);
    Plan {
        games,
        part: (0, games),
        ..plan.clone()
    }
}

/// How long so many games of a plan would take.
pub fn expected(game: &Arc<Game>, plan: &Plan, games: u64) -> Result<Expected, Failure> {
    let began = Instant::now();
    let mut judged_by = 0;
    let take = |_| {
        judged_by += 1;
        match began.elapsed() > PATIENCE && judged_by >= FEWEST {
            true => Next::Enough,
            false => Next::GoOn,
        }
    };
    stream(game, &few(plan, FEW), &AtomicBool::new(false), |_| {}, take)
        .map_err(|broken| Failure::Game(told(&broken)))?;
    Ok(Expected {
        bots: Header::new(game, plan).bots_named(language()),
        games,
        seconds_each: began.elapsed().as_secs_f64() / judged_by.max(1) as f64,
        judged_by,
    })
}

/// Says how long everything would take: a line for each kind of games, if there are several.
pub fn time(header: &Header, all: &[Expected], reporting: &Reporting) -> Outcome {
    let seconds: f64 = all.iter().map(Expected::seconds).sum();
    let games: u64 = all.iter().map(|expected| expected.games).sum();
    publish(
        reporting,
        |_, language| {
            let words = Words(language);
            let mut document =
                Document::new(format!("{}: --plan", words.0.of(&header.title)), language);
            let bots: Vec<&str> = all.iter().map(|expected| expected.bots.as_str()).collect();
            let judged: u64 = all.iter().map(|expected| expected.judged_by).sum();
            document.verdict(vec![takes(games, &bots.join("; "), seconds, judged, words)]);
            let mut table = Tabular::new([
                "Bots",
                words.say("Partidas", "Games"),
                words.say("Tardan", "Take"),
            ]);
            for expected in all.iter().filter(|_| all.len() > 1) {
                table.row([
                    expected.bots.clone(),
                    expected.games.to_string(),
                    duration(expected.seconds(), words),
                ]);
            }
            document.table(table);
            Ok(document)
        },
        || {
            let of =
                |e: &Expected| json!({ "bots": e.bots, "games": e.games, "seconds": e.seconds() });
            let all: Vec<_> = all.iter().map(of).collect();
            json!({ "games": games, "seconds": seconds, "runs": all })
        },
    )
}

/// `400 games with greedy take about 3 min here; judged by 30 games.`
fn takes(games: u64, bots: &str, seconds: f64, judged_by: u64, words: Words) -> String {
    let time = duration(seconds, words);
    match words.0 {
        Language::Es => {
            format!("{games} partidas con {bots} tardan {time}; juzgado por {judged_by} partidas.")
        }
        Language::En => {
            format!("{games} games with {bots} take {time}; judged by {judged_by} games.")
        }
    }
}

/// What all games of a plan would take and show, judged by a few of them. Of one side alone the other is played on other seeds.
pub fn show(games: [&Arc<Game>; 2], plan: &Plan, size: f64, reporting: &Reporting) -> Outcome {
    let few = few(plan, FEW);
    let mut comparison = Comparison::new(games.map(|game| Header::new(game, &few)), None);
    let stop = AtomicBool::new(false);
    let began = Instant::now();
    compare(
        games,
        &few,
        &mut comparison,
        &stop,
        |_| {},
        |_, _| Next::GoOn,
    )
    .map_err(|broken| Failure::Game(told(&broken)))?;
    let pace = began.elapsed().as_secs_f64() / few.games as f64;
    let alone = Arc::ptr_eq(games[0], games[1]);
    let (pace, sides) = if alone { (pace / 2.0, 1) } else { (pace, 2) };
    let outlook = comparison.outlook(size, plan.games);
    publish(
        reporting,
        |_, language| {
            let words = Words(language);
            let header = &comparison.sides[0].header;
            let mut document =
                Document::new(format!("{}: --plan", words.0.of(&header.title)), language);
            let bots = header.bots_named(language);
            let (all, seconds) = (plan.games * sides, pace * plan.games as f64);
            document.verdict(vec![takes(all, &bots, seconds, few.games * sides, words)]);
            if alone {
                document.table(exactness(words, &comparison.sides[0], plan.games));
            } else {
                let mut table = Tabular::new([
                    words.say("Medida", "Measure"),
                    words.say("Tamaño", "Size"),
                    words.say("Se vería", "Would be seen"),
                    words.say("Nueve de cada diez pide", "Nine times in ten takes"),
                ]);
                for row in &outlook {
                    let needed = row.needed.map_or_else(
                        || "-".to_string(),
                        |needed| format!("{needed}, {}", duration(needed as f64 * pace, words)),
                    );
                    let chance = format!("{:.0} %", row.power * 100.0);
                    table.row([
                        words.0.of(&row.text).to_string(),
                        match row.share {
                            true => signed(row.size, true),
                            false => value(row.size, false),
                        },
                        chance,
                        needed,
                    ]);
                }
                document.table(table);
            }
            Ok(document)
        },
        || json!({ "games": plan.games, "seconds": pace * plan.games as f64, "outlook": outlook }),
    )
}

/// How exactly all games would tell what these few tell.
fn exactness(words: Words, few: &Summary, games: u64) -> Tabular {
    let mut table = Tabular::new([
        words.say("Medida", "Measure"),
        words.say("En estas", "In these"),
        words.say("En todas, más o menos", "In all, give or take"),
    ]);
    let wider = (games as f64 / few.games.max(1) as f64).sqrt();
    for found in few.findings().measures {
        let (mean, share) = (&found.mean, found.share);
        let half = match mean.is_of_too_few() {
            true => "-".to_string(),
            false if share => format!("{:.1} pp", (mean.high - mean.low) / 2.0 / wider * 100.0),
            false => value((mean.high - mean.low) / 2.0 / wider, false),
        };
        table.row([
            words.0.of(&found.text).to_string(),
            value(mean.value, share),
            half,
        ]);
    }
    table
}
