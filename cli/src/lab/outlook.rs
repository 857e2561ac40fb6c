//! Before a run: a few games, what all of them would take and could show.

use super::publish;
use crate::arguments::lab::Reporting;
use crate::output::{Failure, Outcome};
use ludoteca::{Game, Language};
use ludoteca_lab::compare::{Comparison, compare};
use ludoteca_lab::document::{Document, Tabular, Words};
use ludoteca_lab::numbers::{signed, value};
use ludoteca_lab::record::Header;
use ludoteca_lab::report::duration;
use ludoteca_lab::runner::Next;
use ludoteca_lab::simulate::Plan;
use ludoteca_lab::summary::Summary;
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Games that are played to judge all.
const FEW: u64 = 30;

/// What all games of a plan would take and show, judged by a few of them. Of one side alone the other is played on other seeds.
pub fn show(games: [&Arc<Game>; 2], plan: &Plan, size: f64, reporting: &Reporting) -> Outcome {
    let few = Plan {
        games: plan.games.min(FEW),
        part: (0, plan.games.min(FEW)),
        ..plan.clone()
    };
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
    .map_err(|broken| Failure::Game(broken.to_string()))?;
    let pace = began.elapsed().as_secs_f64() / few.games as f64;
    let alone = Arc::ptr_eq(games[0], games[1]);
    let pace = if alone { pace / 2.0 } else { pace };
    let outlook = comparison.outlook(size, plan.games);
    publish(
        reporting,
        |_, language| {
            let words = Words(language);
            let header = &comparison.sides[0].header;
            let mut document =
                Document::new(format!("{}: --plan", words.0.of(&header.title)), language);
            let time = duration(pace * plan.games as f64, words);
            let (bots, n) = (header.bots_named(language), plan.games);
            document.verdict(vec![match language {
                Language::Es => format!(
                    "{n} partidas con {bots} tardan {time}; juzgado por {} partidas.",
                    few.games
                ),
                Language::En => {
                    format!(
                        "{n} games with {bots} take {time}; judged by {} games.",
                        few.games
                    )
                }
            }]);
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
