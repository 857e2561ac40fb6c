//! What a card is worth, at the same position: each game is played twice up to the moment at which a seat may take the card. There it takes it,
//! and there it goes without, now and for the rest of the game. Everything before is the same, so that nothing but the card tells the two apart.

use crate::compare::{Family, Verdict};
use crate::record::{ContentItem, Header, winners};
use crate::runner::{self, Next, RunEnd};
use crate::simulate::{BrokenGame, Plan};
use crate::statistics::{Estimate, FEWEST_PAIRS, Paired, Power};
use ludoteca::hint::Hint;
use ludoteca::{Arena, BrokenRule, Driver, Game, Match, Text, Wanted};
use serde::Serialize;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Lines a seat thinks about what to take instead.
const LINES: u32 = 40;
/// Choices with more options than that are about places, not about cards.
const OPTIONS: u32 = 200;
/// Games that show it most.
const SHOWN: usize = 3;

/// Which side of the fork is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    With,
    Without,
}

/// One game on both sides of its fork: what the seat won that could take the card.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Forked {
    pub game: u64,
    pub with: f64,
    pub without: f64,
}

/// The games of one item, counted.
#[derive(Debug, Clone)]
pub struct Forks {
    pub item: ContentItem,
    paired: Paired,
    /// Games in which the seat won with it and lost without, or the other way round.
    won: Vec<u64>,
    lost: Vec<u64>,
}

/// What an item is worth.
#[derive(Debug, Clone, Serialize)]
pub struct Worth {
    pub id: String,
    pub kind: String,
    pub name: Text,
    /// Games in which the seat whose turn it was could take it.
    pub games: u64,
    pub with: f64,
    pub without: f64,
    pub difference: Estimate,
    pub likelihood: f64,
    pub verdict: Verdict,
    /// Games with such a fork that would show a difference of the size nine times in ten.
    pub needed: Option<u64>,
    /// Games to look at.
    pub shown: Vec<u64>,
}

impl Forks {
    pub fn new(item: ContentItem) -> Forks {
        Forks {
            item,
            paired: Paired::new(true),
            won: Vec::new(),
            lost: Vec::new(),
        }
    }

    pub fn add(&mut self, forked: Forked) {
        self.paired.add(forked.without, forked.with);
        let shown = match forked.with - forked.without {
            more if more > 0.0 => &mut self.won,
            less if less < 0.0 => &mut self.lost,
            _ => return,
        };
        if shown.len() < SHOWN {
            shown.push(forked.game);
        }
    }

    /// What the items are worth, looked at together; the dearest first.
    pub fn worth(all: &[Forks], size: f64) -> Vec<Worth> {
        let mut sorted: Vec<(&Forks, f64)> = all
            .iter()
            .map(|forks| (forks, forks.paired.likelihood()))
            .collect();
        sorted.sort_by(|(_, one), (_, other)| one.total_cmp(other));
        let family = Family::of(
            sorted
                .iter()
                .map(|(forks, likely)| (&forks.paired, *likely)),
        );
        let mut found: Vec<Worth> = sorted
            .iter()
            .map(|(forks, likelihood)| forks.told(*likelihood, size, family))
            .collect();
        found.sort_by(|a, b| b.difference.value.total_cmp(&a.difference.value));
        found
    }

    fn told(&self, likelihood: f64, size: f64, family: Family) -> Worth {
        let paired = &self.paired;
        let asked = Power {
            size,
            level: family.level,
        };
        let needed = paired.prospect(asked).needed();
        let difference = paired.estimate();
        Worth {
            id: self.item.id.clone(),
            kind: self.item.kind.clone(),
            name: self.item.name.clone(),
            games: paired.pairs(),
            without: paired.sides[0].mean(),
            with: paired.sides[1].mean(),
            difference,
            likelihood,
            verdict: match needed {
                _ if paired.pairs() < FEWEST_PAIRS => Verdict::TooFew,
                _ if likelihood <= family.found => Verdict::Differs,
                Some(needed) if needed <= paired.pairs() => Verdict::No,
                _ => Verdict::Needs,
            },
            needed,
            shown: match difference.value < 0.0 {
                true => self.lost.clone(),
                false => self.won.clone(),
            },
        }
    }
}

/// The items of a game that are called so, or are of a kind that is.
pub fn items_named(header: &Header, name: &str) -> Vec<ContentItem> {
    let is_meant = |item: &&ContentItem| {
        item.id == name || item.kind == name || format!("{}.{}", item.kind, item.id) == name
    };
    header.items.iter().filter(is_meant).cloned().collect()
}

/// Plays the games of a plan on both sides of their forks.
pub fn fork(
    game: &Arc<Game>,
    plan: &Plan,
    forks: &mut Forks,
    stop: &AtomicBool,
    progress: impl Fn(u64) + Sync,
) -> Result<RunEnd, BrokenGame> {
    let item = forks.item.id.clone();
    runner::run(
        plan.part,
        plan.jobs,
        stop,
        progress,
        || Arena::new(game, plan.players),
        |arena, number| play(arena, plan, &item, number),
        |_, forked| {
            if let Some(forked) = forked {
                forks.add(forked);
            }
            Next::GoOn
        },
    )
}

/// One game on both sides, if the seat whose turn it is to be asked ever may take the item. Every seat is it in turn.
fn play(
    arena: &mut Arena,
    plan: &Plan,
    item: &str,
    number: u64,
) -> Result<Option<Forked>, BrokenGame> {
    let seat = (number % u64::from(plan.players.max(1))) as u8;
    let Some(with) = side(arena, plan, item, number, (seat, Way::With))? else {
        return Ok(None);
    };
    let without = side(arena, plan, item, number, (seat, Way::Without))?;
    Ok(without.map(|without| Forked {
        game: number,
        with,
        without,
    }))
}

/// What the seat won on one side; nothing if it never came to the fork.
fn side(
    arena: &mut Arena,
    plan: &Plan,
    item: &str,
    number: u64,
    (forked, way): (u8, Way),
) -> Result<Option<f64>, BrokenGame> {
    let seed = plan.seed_of(number);
    let played = arena.restart(seed);
    played.allow(plan.operations());
    // Everybody is asked here, whoever else would answer on the spot.
    let bots = plan.bots_of(number);
    let mut drivers: Vec<Driver> = (0..plan.players)
        .map(|seat| {
            played.seat_asked(seat);
            bots[seat as usize % bots.len()].driver(seat, seed)
        })
        .collect();
    let mut reached = false;
    let ended = arena.play_bare(|played, seat| {
        let offered = match seat == forked && (way == Way::Without || !reached) {
            true => offers(played, seat, item),
            false => None,
        };
        if let (Some(at), Way::With) = (offered, way) {
            reached = true;
            return Ok(Some(vec![at]));
        }
        let picked = drivers[seat as usize].pick(played)?;
        let Some(at) = offered else {
            return Ok(Some(picked));
        };
        reached = true;
        match picked[..] == [at] {
            true => other_than(played, seat, item, seed).map(Some),
            false => Ok(Some(picked)),
        }
    });
    let (ranking, _) = ended.map_err(|error| BrokenGame::Rules { seed, error })?;
    let won = winners(&ranking);
    let share = match won.contains(&forked) {
        true => 1.0 / won.len() as f64,
        false => 0.0,
    };
    Ok(reached.then_some(share))
}

/// Where the item stands among the options, if there is anything else to take.
fn offers(played: &Match, seat: u8, item: &str) -> Option<u32> {
    let choice = played.choice()?;
    let count = choice.count(&played.table, seat);
    if choice.wanted != Wanted::One || !(2..=OPTIONS).contains(&count) {
        return None;
    }
    let keys = choice.keys(&played.table, seat);
    let at = keys.iter().position(|key| key == item)?;
    keys.iter().any(|key| key != item).then_some(at as u32)
}

/// The best answer that is not the item, by a few lines of thought on imagined tables.
fn other_than(played: &Match, seat: u8, item: &str, seed: u64) -> Result<Vec<u32>, BrokenRule> {
    if let Some(mut hint) = Hint::begin(played, seat, seed)? {
        hint.think(played, LINES)?;
        let answers = hint.opinion(played, usize::MAX).answers;
        let other = |keys: &[String]| keys.iter().all(|key| key != item);
        if let Some(best) = answers.into_iter().find(|answer| other(&answer.keys)) {
            return Ok(best.picked);
        }
    }
    let keys = played
        .choice()
        .map(|choice| choice.keys(&played.table, seat))
        .unwrap_or_default();
    let other = keys.iter().position(|key| key != item).unwrap_or(0);
    Ok(vec![other as u32])
}
