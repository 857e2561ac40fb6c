//! A question asked at several skills: the same seeds and seats, played by better and better bots.

use crate::compare::{Difference, Verdict};
use ludoteca::Text;
use serde::Serialize;

/// What one measure does along the skills, from the weakest to the strongest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Trend {
    /// A finding at the only skill there is.
    Seen,
    /// A finding at every skill.
    HoldsForAll,
    /// A finding whose size grows with skill from one to the next, or shrinks; from the weakest to the strongest beyond doubt.
    Grows,
    Shrinks,
    /// A finding to one side among some, to the other among others.
    TurnsRound,
    /// A finding among the weakest, and none of the size among the strongest.
    OnlyAmongBeginners,
    /// None of the size among the weakest, and a finding among the strongest.
    OnlyAmongExperts,
    /// A finding somewhere, and elsewhere too few games to say.
    Partly,
    /// Nothing was found at any skill.
    Nowhere,
}

/// One measure at every skill.
#[derive(Debug, Clone, Serialize)]
pub struct BySkill {
    pub name: String,
    pub text: Text,
    pub share: bool,
    pub trend: Trend,
    /// In the order of the skills; nothing where no game had the measure.
    pub differences: Vec<Option<Difference>>,
}

/// Puts together what comparisons found at each skill.
pub fn by_skill(tiers: &[Vec<Difference>]) -> Vec<BySkill> {
    let mut names: Vec<&Difference> = Vec::new();
    for difference in tiers.iter().flatten() {
        if !names.iter().any(|known| known.name == difference.name) {
            names.push(difference);
        }
    }
    let mut all: Vec<BySkill> = names
        .into_iter()
        .map(|named| {
            let of_tier =
                |tier: &Vec<Difference>| tier.iter().find(|d| d.name == named.name).cloned();
            let differences: Vec<Option<Difference>> = tiers.iter().map(of_tier).collect();
            BySkill {
                name: named.name.clone(),
                text: named.text.clone(),
                share: named.share,
                trend: trend(&differences),
                differences,
            }
        })
        .collect();
    all.sort_by_key(|row| row.trend == Trend::Nowhere);
    all
}

fn trend(tiers: &[Option<Difference>]) -> Trend {
    let seen: Vec<&Difference> = tiers.iter().flatten().filter(|d| d.seen).collect();
    if seen.is_empty() {
        return Trend::Nowhere;
    }
    if tiers.len() == 1 {
        return Trend::Seen;
    }
    let up = seen.iter().any(|d| d.difference.value > 0.0);
    let down = seen.iter().any(|d| d.difference.value < 0.0);
    if up && down {
        return Trend::TurnsRound;
    }
    let (Some(Some(first)), Some(Some(last))) = (tiers.first(), tiers.last()) else {
        return Trend::Partly;
    };
    let size = |d: &Difference| match up {
        true => (d.difference.low, d.difference.high),
        false => (-d.difference.high, -d.difference.low),
    };
    let (weak, strong) = (size(first), size(last));
    // What lies between must be in order as well: 1, 3, 2 does not grow.
    let all: Option<Vec<&Difference>> = tiers.iter().map(Option::as_ref).collect();
    let Some(all) = all else {
        return Trend::Partly;
    };
    let sizes: Vec<f64> = all.iter().map(|d| d.difference.value).collect();
    let rises = |a: f64, b: f64| if up { a <= b } else { b <= a };
    let grows = strong.0 > weak.1 && sizes.windows(2).all(|s| rises(s[0], s[1]));
    let shrinks = strong.1 < weak.0 && sizes.windows(2).all(|s| rises(s[1], s[0]));
    let one_turn = |was: bool| all.is_sorted_by_key(|d| d.seen != was);
    match (first.verdict, last.verdict) {
        _ if seen.len() == tiers.len() => match (grows, shrinks) {
            (true, _) => Trend::Grows,
            (_, true) => Trend::Shrinks,
            _ => Trend::HoldsForAll,
        },
        (Verdict::Differs, Verdict::No) if one_turn(true) => Trend::OnlyAmongBeginners,
        (Verdict::No, Verdict::Differs) if one_turn(false) => Trend::OnlyAmongExperts,
        (_, Verdict::Differs) if grows => Trend::Grows,
        (Verdict::Differs, _) if shrinks => Trend::Shrinks,
        _ => Trend::Partly,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::Estimate;

    fn at(value: f64, verdict: Verdict) -> Option<Difference> {
        Some(Difference {
            name: "rounds".into(),
            text: Text::default(),
            share: false,
            pairs: 100,
            first: 10.0,
            second: 10.0 + value,
            difference: Estimate {
                value,
                low: value - 0.2,
                high: value + 0.2,
            },
            likelihood: 0.0,
            seen: verdict == Verdict::Differs,
            verdict,
            needed: None,
            power: 0.5,
            size: 0.2,
            shown: None,
            games: Vec::new(),
        })
    }

    #[test]
    fn trends_of_made_up_findings() {
        use Verdict::{Differs, Needs, No};
        for (tiers, expected) in [
            (vec![at(1.0, Differs)], Trend::Seen),
            (vec![at(0.1, Needs)], Trend::Nowhere),
            (vec![at(1.0, Differs), at(1.1, Differs)], Trend::HoldsForAll),
            (vec![at(1.0, Differs), at(2.0, Differs)], Trend::Grows),
            (vec![at(-1.0, Differs), at(-2.0, Differs)], Trend::Grows),
            (vec![at(-2.0, Differs), at(-1.0, Differs)], Trend::Shrinks),
            (vec![at(1.0, Differs), at(-1.0, Differs)], Trend::TurnsRound),
            (
                vec![at(1.0, Differs), at(0.0, No)],
                Trend::OnlyAmongBeginners,
            ),
            (vec![at(0.0, No), at(1.0, Differs)], Trend::OnlyAmongExperts),
            (vec![at(0.9, Needs), at(1.0, Differs)], Trend::Partly),
            (vec![at(0.0, No), at(0.1, Needs)], Trend::Nowhere),
            (vec![at(1.0, Differs), None], Trend::Partly),
            (
                vec![at(1.0, Differs), at(1.5, Differs), at(2.0, Differs)],
                Trend::Grows,
            ),
            (
                vec![at(1.0, Differs), at(3.0, Differs), at(2.0, Differs)],
                Trend::HoldsForAll,
            ),
            (
                vec![at(0.5, Needs), at(3.0, Differs), at(2.0, Differs)],
                Trend::Partly,
            ),
            (
                vec![at(1.0, Differs), at(0.0, No), at(1.0, Differs), at(0.0, No)],
                Trend::Partly,
            ),
        ] {
            assert_eq!(trend(&tiers), expected, "{tiers:?}");
        }
    }
}
