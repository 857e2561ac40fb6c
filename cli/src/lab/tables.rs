//! The tables of a report on the terminal.

use super::run::replay;
use crate::output::outln;
use ludoteca::lab::compare::Difference;
use ludoteca::lab::numbers::{interval, signed, value};
use ludoteca::lab::row::{Header, OPTION};
use ludoteca::lab::statistics::Estimate;
use ludoteca::lab::summary::{Findings, ItemFinding};
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
    outln!("one of these games again: {}", replay(header, "GAME"));
}

fn seats(header: &Header, found: &Findings) {
    outln!("seat  bot        wins    95 % interval      score");
    for (seat, wins) in found.wins.iter().enumerate() {
        let bot = if header.rotate {
            "in turn"
        } else {
            &header.bots[seat]
        };
        outln!(
            "p{seat:<4} {bot:8} {:>7}  {:>16}   {:8.1}",
            value(wins.value, true),
            interval(wins, true),
            found.scores[seat].value
        );
    }
    let line = |name: &str, number: &Estimate, value: String| {
        outln!("{name:24} {value:>8}  {:>16}", interval(number, true));
    };
    line(
        "seat balance",
        &found.seat_balance,
        value(found.seat_balance.value, true),
    );
    line(
        "first-player advantage",
        &found.first_player_advantage,
        signed(found.first_player_advantage.value, true) + "  ",
    );
}

fn measures(found: &Findings) {
    outln!(
        "measure                     mean     95 % interval       least (game)      most (game)"
    );
    for finding in found.measures.iter().filter(|finding| finding.games > 0) {
        if finding.name.starts_with("wins_p") {
            continue;
        }
        let extreme = |extreme: Option<ludoteca::lab::summary::Extreme>| {
            extreme.map_or_else(String::new, |extreme| {
                format!("{} ({})", value(extreme.value, finding.share), extreme.game)
            })
        };
        outln!(
            "{:24} {:>8}  {:>18}  {:>16} {:>16}",
            finding.name,
            value(finding.mean.value, finding.share),
            interval(&finding.mean, finding.share),
            extreme(finding.least),
            extreme(finding.most)
        );
    }
    let [least, quarter, half, three_quarters, most] = found.round_quantiles;
    outln!("rounds, quantiles        {least} | {quarter} | {half} | {three_quarters} | {most}");
}

fn lead(found: &Findings) {
    if found.lead.is_empty() {
        return;
    }
    let along: Vec<String> = found
        .lead
        .iter()
        .map(|lead| format!("{:.0} % {:.0}", lead.at * 100.0, lead.wins.value * 100.0))
        .collect();
    outln!(
        "leader's chance to win, along the game: {}",
        along.join(" | ")
    );
}

fn reasons(found: &Findings) {
    outln!();
    for reason in &found.reasons {
        outln!(
            "ended by {:15} {:>8}  {:>16}   first in game {}",
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
        outln!("content, seen in {} games", found.close_games);
    }
    for (kind, mut items) in kinds {
        let name = if kind == OPTION { "options" } else { kind };
        outln!("{name:26} offered  taken  played    used  wins with      without    (game)");
        items.sort_by_key(|item| std::cmp::Reverse(item.played.max(item.taken)));
        let wins = |wins: &Option<Estimate>| {
            wins.as_ref()
                .map_or_else(|| "-".to_string(), |wins| value(wins.value, true))
        };
        for item in items.iter().take(ITEMS) {
            outln!(
                "  {:24} {:7} {:6} {:7} {:>7}  {:>9}    {:>9}    {}",
                item.id,
                item.offered,
                item.taken,
                item.played,
                value(item.use_share.value, true),
                wins(&item.wins_with),
                wins(&item.wins_without),
                item.example
                    .map_or_else(String::new, |game| format!("({game})"))
            );
        }
        if items.len() > ITEMS {
            outln!(
                "  .. and {} more, in --report and --json",
                items.len() - ITEMS
            );
        }
    }
    for (kind, unused) in found.unused.iter().filter(|(_, unused)| !unused.is_empty()) {
        outln!("never used, of {kind}: {}", unused.join(", "));
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
            "{:24} {:7}   {:>7}  {:>16}",
            step.step,
            step.times,
            value(step.idle.value, true),
            interval(&step.idle, true)
        );
    }
}

/// How two sides differ, the surest difference first.
pub fn differences(found: &[Difference]) {
    outln!(
        "measure                     first    second  difference    95 % interval    size/error"
    );
    for difference in found {
        let share = difference.share;
        let told = match difference.needed {
            _ if difference.seen => "differs".to_string(),
            Some(games) => format!(
                "no difference seen; {games} games would show one of {}",
                match share {
                    true => format!("{:.1} points", difference.size * 100.0),
                    false => format!("{:.2}", difference.size),
                }
            ),
            None => "no difference seen".to_string(),
        };
        outln!(
            "{:24} {:>8}  {:>8}  {:>10}  {:>18}  {:>6}  {told}",
            difference.name,
            value(difference.first, share),
            value(difference.second, share),
            signed(difference.difference.value, share),
            format!(
                "{} .. {}",
                signed(difference.difference.low, share),
                signed(difference.difference.high, share)
            ),
            ratio(difference.ratio)
        );
    }
}

fn ratio(ratio: f64) -> String {
    if ratio >= 1000.0 {
        "> 999".to_string()
    } else {
        format!("{ratio:.1}")
    }
}
