//! What the lab found, as the one JSON object that programs read, whoever asks.

use crate::compare::{Comparison, FALSE_FINDING, Until};
use crate::findings::Findings;
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
    json!({
        "first": run(&first.header, &first.findings()),
        "second": run(&second.header, &second.findings()),
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
            .map(|check| json!({ "goal": check.goal.to_string(), "met": check.met() }))
            .collect::<Vec<_>>(),
        "tried": found.tried,
        "before": sides.as_ref().map(|sides| &sides[0]),
        "after": sides.as_ref().map(|sides| &sides[1]),
        "differences": differences.map(|c| c.differences(size)).unwrap_or_default(),
    })
}
