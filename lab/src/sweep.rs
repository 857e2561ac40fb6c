//! Many games for each value of a parameter, on the same seeds.

use crate::findings::Findings;
use crate::goal;
use crate::parameter::{Varied, grid};
use crate::points::{Failed, Points};
use crate::record::Header;
use crate::runner::{Next, RunEnd};
use crate::simulate::{Plan, stream};
use crate::summary::Summary;
use ludoteca::limits::SWEEP_POINTS;
use std::sync::atomic::AtomicBool;

/// What a sweep shows if nothing is named, besides what the game declares.
const USUAL: [&str; 6] = [
    "rounds",
    "seat_balance",
    "first_wins",
    "lead_half",
    "margin",
    "decisions",
];
/// Declared metrics shown if nothing is named.
const USUAL_DECLARED: usize = 6;

/// One point of a sweep.
pub struct SweepPoint {
    pub values: Vec<i64>,
    pub findings: Findings,
}

/// A grid too large to be swept.
#[derive(Debug, Clone, thiserror::Error)]
#[error("the grid has {0} points; at most {SWEEP_POINTS} can be swept, take larger steps")]
pub struct TooManyPoints(pub u128);

/// The points of a sweep, if they are not too many.
pub fn points(varied: &[Varied]) -> Result<Vec<Vec<i64>>, TooManyPoints> {
    let sizes = varied
        .iter()
        .map(|parameter| parameter.values.len() as u128);
    let size = sizes.product::<u128>();
    match size > SWEEP_POINTS as u128 {
        true => Err(TooManyPoints(size)),
        false => Ok(grid(varied)),
    }
}

/// The measures a sweep shows if none are named, and whether each is a share.
pub fn usual(header: &Header) -> Vec<(String, bool)> {
    let known = goal::metrics(header);
    let declared = header.metrics.iter().take(USUAL_DECLARED);
    let usual = USUAL.iter().map(|name| name.to_string());
    usual
        .chain(declared.map(|metric| metric.name.clone()))
        .filter(|name| known.contains(name))
        .map(|name| {
            let share = goal::is_share(&name, header);
            (name, share)
        })
        .collect()
}

/// Plays the games of each point. A point that breaks or is stopped ends the sweep; the points before it are kept.
pub fn sweep(
    game: &Points,
    varied: &[Varied],
    grid: Vec<Vec<i64>>,
    plan: &Plan,
    stop: &AtomicBool,
    progress: impl Fn(u64) + Sync,
) -> (Vec<SweepPoint>, Result<(), Failed>) {
    let mut swept: Vec<SweepPoint> = Vec::new();
    // All points have their chances by one scale: the game's own, or what the first of them tells.
    let own = game.base().map(|base| Header::new(&base, plan).scale);
    let mut scale = match own {
        Ok(own) => own,
        Err(failed) => return (swept, Err(failed)),
    };
    for values in grid {
        match point(game, varied, values, (plan, scale), stop, &progress) {
            Ok(Some(point)) => {
                scale = scale.or(point.findings.scale.map(|found| found.scale));
                swept.push(point);
            }
            Ok(None) => break,
            Err(failed) => return (swept, Err(failed)),
        }
    }
    (swept, Ok(()))
}

/// One point, or nothing if the run was stopped before all its games were played: half a point would be compared with whole ones.
fn point(
    game: &Points,
    varied: &[Varied],
    values: Vec<i64>,
    (plan, scale): (&Plan, Option<u32>),
    stop: &AtomicBool,
    progress: &(impl Fn(u64) + Sync),
) -> Result<Option<SweepPoint>, Failed> {
    let game = game.game(varied, &values)?;
    let header = Header::new(&game, plan);
    let mut summary = Summary::new(Header {
        scale: scale.or(header.scale),
        ..header
    });
    let ended = stream(&game, plan, stop, progress, |record| {
        summary.add(&record);
        Next::GoOn
    })?;
    Ok((ended == RunEnd::Done).then(|| SweepPoint {
        values,
        findings: summary.findings(),
    }))
}
