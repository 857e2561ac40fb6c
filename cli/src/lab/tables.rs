//! The tables of a report on the terminal, eighty columns wide.

use crate::output::outln;
use ludoteca_lab::compare::{Difference, FALSE_FINDING};
use ludoteca_lab::numbers::{interval, signed, signed_interval, value};
use ludoteca_lab::record::{Header, OPTION};
use ludoteca_lab::statistics::Estimate;
use ludoteca_lab::summary::{Findings, ItemFinding};
use std::collections::BTreeMap;

/// Items of a kind shown on the terminal; the page and --json have them all.
const ITEMS: usize = 12;

/// What was played, by whom.
pub fn headline(header: &Header, games: u64) {
    outln!(
        "{} ({}), {} players, bots: {}, {games} games",
        header.game,
        header.selection_named(),
        header.players,
        header.bots_named(),
    );
}

/// Everything a run says about a game.
pub fn findings(header: &Header, found: &Findings) {
    headline(header, found.games);
    outln!();
    seats(header, found);
    outln!();
    measures(found);
    lead(found);
    reasons(found);
    content(found);
    steps(found);
    outln!();
    outln!("one of these games again: {}", header.replay("GAME"));
}

/// Who won how often: each side, or each seat where seats compete.
fn seats(header: &Header, found: &Findings) {
    if !header.seats_compete() {
        let wide = longest(header.sides.iter().map(|(name, _)| name));
        outln!("{:wide$}    wins       95 % interval", "side");
        let sides = found
            .sides
            .iter()
            .map(|side| (side.name.as_str(), side.wins));
        let won = found.won.iter().map(|won| ("won", *won));
        for (name, wins) in sides.chain(won) {
            let (share, between) = (value(wins.value, true), interval(&wins, true));
            outln!("{name:wide$} {share:>7}  {between:>18}");
        }
        return;
    }
    outln!("seat  bot        wins       95 % interval      score");
    for (seat, wins) in found.wins.iter().enumerate() {
        let bot = if header.rotate {
            "in turn"
        } else {
            &header.bots[seat]
        };
        outln!(
            "p{seat:<4} {bot:8} {:>7}  {:>18}   {:8.1}",
            value(wins.value, true),
            interval(wins, true),
            found.scores[seat].value
        );
    }
    if let Some(balance) = &found.seat_balance {
        outln!(
            "{:24} {:>8}  {:>18}",
            "seat balance",
            value(balance.value, true),
            interval(balance, true)
        );
    }
    if let Some(advantage) = &found.first_player_advantage {
        outln!(
            "{:24} {:>8}  {:>18}",
            "first-player advantage",
            signed(advantage.value, true),
            signed_interval(advantage, true)
        );
    }
}

/// The longest of some names, so that what stands beside them is in line.
fn longest<'a>(names: impl Iterator<Item = &'a String>) -> usize {
    names.map(String::len).max().unwrap_or(0).max(16)
}

fn measures(found: &Findings) {
    let shown: Vec<_> = found
        .measures
        .iter()
        .filter(|finding| finding.games > 0 && !finding.name.starts_with("wins_p"))
        .collect();
    let wide = longest(shown.iter().map(|finding| &finding.name));
    outln!(
        "{:wide$} {:>8} {:>16} {:>14} {:>13}",
        "measure",
        "mean",
        "95 % interval",
        "least (game)",
        "most (game)"
    );
    for finding in shown {
        let extreme = |extreme: Option<ludoteca_lab::summary::Extreme>| {
            extreme.map_or_else(String::new, |extreme| {
                format!("{} ({})", value(extreme.value, finding.share), extreme.game)
            })
        };
        let line = format!(
            "{:wide$} {:>8} {:>16} {:>14} {:>13}",
            finding.name,
            value(finding.mean.value, finding.share),
            interval(&finding.mean, finding.share),
            extreme(finding.least),
            extreme(finding.most)
        );
        outln!("{}", line.trim_end());
    }
    let [least, quarter, half, three_quarters, most] = found.round_quantiles;
    outln!();
    outln!(
        "rounds: from {least} to {most}; half of the games {quarter} to {three_quarters}, the middle one {half}"
    );
}

fn lead(found: &Findings) {
    if found.lead.is_empty() {
        return;
    }
    let row = |of: &dyn Fn(&ludoteca_lab::summary::Lead) -> f64| {
        let cells = found
            .lead
            .iter()
            .map(|lead| format!("{:>6.0} %", of(lead) * 100.0));
        cells.collect::<String>()
    };
    outln!("so far played   {}", row(&|lead| lead.at));
    outln!("the leader wins {}", row(&|lead| lead.wins.value));
}

fn reasons(found: &Findings) {
    outln!();
    for reason in &found.reasons {
        outln!(
            "ended by {:15} {:>8}  {:>18}   first in game {}",
            reason.reason,
            value(reason.share.value, true),
            interval(&reason.share, true),
            reason.example
        );
    }
}

fn content(found: &Findings) {
    let mut kinds: BTreeMap<&str, Vec<&ItemFinding>> = BTreeMap::new();
    for item in &found.content {
        if item.offered + item.played > 0 || found.unused.contains_key(&item.kind) {
            kinds.entry(&item.kind).or_default().push(item);
        }
    }
    if !kinds.is_empty() {
        outln!();
        outln!(
            "content, seen in {} games; wins of seats with and without it in %, and their",
            found.close_games
        );
        outln!("95 % intervals; the last column is a game in which it was used");
    }
    for (kind, items) in kinds {
        items_of(kind, items);
    }
    for (kind, unused) in found.unused.iter().filter(|(_, unused)| !unused.is_empty()) {
        outln!("never used, of {kind}: {}", unused.join(", "));
    }
}

/// Words are taken, never played.
fn played(item: &ItemFinding) -> String {
    if item.kind == OPTION {
        "-".to_string()
    } else {
        item.played.to_string()
    }
}

fn items_of(kind: &str, mut items: Vec<&ItemFinding>) {
    let name = if kind == OPTION { "options" } else { kind };
    outln!();
    outln!(
        "{name:22} {:>7} {:>5} {:>6} {:>5} {:>12} {:>12} {:>4}",
        "offered",
        "taken",
        "played",
        "used",
        "wins with",
        "without",
        "game"
    );
    items.sort_by_key(|item| std::cmp::Reverse(item.played.max(item.taken)));
    let wins = |wins: &Option<Estimate>| {
        wins.map_or_else(
            || "-".to_string(),
            |wins| {
                let [value, low, high] = [wins.value, wins.low, wins.high].map(|n| n * 100.0);
                format!("{value:.0} ({low:.0}..{high:.0})")
            },
        )
    };
    for item in items.iter().take(ITEMS) {
        let line = format!(
            "  {:20} {:7} {:5} {:>6} {:>5} {:>12} {:>12} {:>4}",
            item.id,
            item.offered,
            item.taken,
            played(item),
            format!("{:.0} %", item.use_share.value * 100.0),
            wins(&item.wins_with),
            wins(&item.wins_without),
            item.example
                .map_or_else(String::new, |game| game.to_string())
        );
        outln!("{}", line.trim_end());
    }
    if items.len() > ITEMS {
        outln!(
            "  .. and {} more, in --report and --json",
            items.len() - ITEMS
        );
    }
}

fn steps(found: &Findings) {
    let idle: Vec<_> = found
        .steps
        .iter()
        .filter(|step| step.idle.value > 0.0)
        .collect();
    if idle.is_empty() {
        return;
    }
    outln!();
    outln!("steps of a player          times   nothing to decide");
    for step in idle {
        outln!(
            "{:24} {:7}   {:>7}  {:>18}",
            step.step,
            step.times,
            value(step.idle.value, true),
            interval(&step.idle, true)
        );
    }
}

/// How fast it was played.
pub fn speed(games: u64, decisions: f64, seconds: f64, jobs: usize) {
    let threads = match jobs {
        0 => "all cores".to_string(),
        1 => "1 thread".to_string(),
        jobs => format!("{jobs} threads"),
    };
    let rate = |count: f64| match count / seconds {
        slow if slow < 10.0 => format!("{slow:.1}"),
        fast => format!("{fast:.0}"),
    };
    outln!(
        "speed: {seconds:.2} s on {threads}, {} games/s, {} decisions/s",
        rate(games as f64),
        rate(decisions)
    );
}

/// How two sides differ, the surest difference first. `size` is what the verdicts without a finding are about.
pub fn differences(found: &[Difference], games: u64, size: f64) {
    let wide = longest(found.iter().map(|difference| &difference.name));
    outln!(
        "{:wide$} {:>8} {:>8} {:>9} {:>17}  verdict",
        "measure",
        "first",
        "second",
        "change",
        "95 % interval"
    );
    for difference in found {
        let share = difference.share;
        outln!(
            "{:wide$} {:>8} {:>8} {:>9} {:>17}  {}",
            difference.name,
            value(difference.first, share),
            value(difference.second, share),
            signed(difference.difference.value, share),
            signed_interval(&difference.difference, share),
            verdict(difference, games)
        );
    }
    let size = format!(
        "{:.1} % of a mean or {:.1} points of a share",
        size * 100.0,
        size * 100.0
    );
    outln!();
    outln!(
        "differs   a finding with all measures taken together: a chance of at most {:.0} %",
        FALSE_FINDING * 100.0
    );
    outln!("          that any of these is no true difference (Holm)");
    outln!("no        not seen, though nine times in ten these games would show");
    outln!("          {size}");
    outln!("needs N   not seen; so many games would show it nine times in ten");
}

fn verdict(difference: &Difference, games: u64) -> String {
    match difference.needed {
        _ if difference.seen => "differs".to_string(),
        Some(needed) if needed > games => match needed {
            0..10_000 => format!("needs {needed}"),
            10_000..1_000_000 => format!("needs {}k", needed.div_ceil(1000)),
            _ => format!("needs {}M", needed.div_ceil(1_000_000)),
        },
        _ => "no".to_string(),
    }
}
