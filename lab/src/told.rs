//! What the lab found, as the one JSON object that programs read, whoever asks.

use crate::compare::{Comparison, FALSE_FINDING, Until};
use crate::findings::Findings;
use crate::ladder::{Rung, Strength, depth};
use crate::parameter::Varied;
use crate::record::Header;
use crate::search::{Found, SettingsSearch};
use crate::sequential::{FALSE_ALARM, MISS};
use crate::sweep::SweepPoint;
use serde_json::{Value, json};

/// A run.
pub fn run(header: &Header, found: &Findings) -> Value {
    json!({ "run": header, "summary": found })
}

/// Two sides of a question. `size` is the difference for which the games needed are told.
pub fn comparison(comparison: &Comparison, until: Option<&Until>, size: f64) -> Value {
    let [first, second] = comparison.sides.each_ref();
    let found = comparison.findings();
    json!({
        "first": run(&first.header, &found[0]),
        "second": run(&second.header, &found[1]),
        "differences": comparison.differences(size),
        "false_finding": FALSE_FINDING,
        "until": until.map(|until| json!({
            "metric": until.measure,
            "size": until.size,
            "verdict": comparison.verdict(),
            "interval": comparison.so_far(),
            "false_alarm": FALSE_ALARM,
            "miss": MISS,
        })),
    })
}

/// The points of a sweep.
pub fn sweep(header: &Header, varied: &[Varied], swept: &[SweepPoint]) -> Value {
    let points: Vec<_> = swept
        .iter()
        .map(|point| json!({ "values": point.values, "summary": point.findings }))
        .collect();
    json!({ "run": header, "parameters": varied, "points": points })
}

/// Bots from the weakest to the strongest.
pub fn ladder(header: &Header, rungs: &[Rung]) -> Value {
    let of = |(n, rung): (usize, &Rung)| {
        let elo = rung.elo();
        json!({
            "bot": rung.pairing.stronger.to_string(),
            "against": rung.pairing.weaker.to_string(),
            "games": rung.games,
            "share": rung.share.value,
            "low": rung.share.low,
            "high": rung.share.high,
            "fair": rung.fair,
            "elo": elo.value,
            "elo_low": elo.low,
            "elo_high": elo.high,
            "strength": Strength::of(&rungs[..=n]),
            "seconds": rung.seconds[1],
            "seconds_against": rung.seconds[0],
            "lines_per_second": rung.lines[1],
            "tables_won": rung.apart,
            "verdict": rung.verdict(),
        })
    };
    let all: Vec<_> = rungs.iter().enumerate().map(of).collect();
    json!({ "run": header, "rungs": all, "depth": depth(rungs) })
}

/// What a search found.
pub fn tuned(header: &Header, search: &SettingsSearch, found: &Found, size: f64) -> Value {
    let sides = found.sides();
    let settings: Vec<_> = search
        .settings(found)
        .iter()
        .map(|(key, before, after)| json!({ "key": key, "before": before, "after": after }))
        .collect();
    let differences = found.comparison.as_ref();
    json!({
        "run": header,
        "goals": search.goals,
        "trials": found.trials,
        "settings": settings,
        "better": found.is_better(),
        "gain": found.gain,
        "met": search
            .checks(header, found)
            .iter()
            .map(|check| json!({ "goal": check.goal.to_string(), "met": check.met_by_what_stands(found.is_better()) }))
            .collect::<Vec<_>>(),
        "tried": found.tried,
        "before": sides.as_ref().map(|sides| &sides[0]),
        "after": sides.as_ref().map(|sides| &sides[1]),
        "differences": differences.map(|c| c.differences(size)).unwrap_or_default(),
    })
}
