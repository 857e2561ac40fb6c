//! What a card is worth, at the same position: each game is played twice up to the moment at which a seat may take the card. There it takes it,
//! and there it goes without, now and for the rest of the game. Everything before is the same, so that nothing but the card tells the two apart.

use crate::compare::{FALSE_FINDING, Family, Verdict};
use crate::record::{ContentItem, Header, winners};
use crate::runner::{self, Next, RunEnd};
use crate::simulate::{BrokenGame, Plan};
use crate::statistics::{Estimate, FEWEST_PAIRS, Paired, Power};
use ludoteca::hint::Hint;
use ludoteca::{
    Arena, BrokenRule, Driver, Game, Match, Selection, Session, Sitter, Status, Text, Transcript,
    Wanted,
};
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
        let likelihoods = sorted
            .iter()
            .map(|(forks, likely)| (&forks.paired, *likely));
        let family = Family::of(likelihoods, FALSE_FINDING);
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

/// The seat that is looked at in a game: every one in turn.
fn turn_of(plan: &Plan, number: u64) -> u8 {
    (number % u64::from(plan.players.max(1))) as u8
}

/// One game on both sides, if the seat whose turn it is ever may take the item.
fn play(
    arena: &mut Arena,
    plan: &Plan,
    item: &str,
    number: u64,
) -> Result<Option<Forked>, BrokenGame> {
    let seat = turn_of(plan, number);
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
    (seat, way): (u8, Way),
) -> Result<Option<f64>, BrokenGame> {
    let seed = plan.seed_of(number);
    let played = arena.restart(seed);
    played.allow(plan.operations());
    // Everybody is asked here, whoever else would answer on the spot.
    (0..plan.players).for_each(|seat| played.seat_asked(seat));
    let mut table = Forking::new(plan, number, item, (seat, way));
    let ended = arena.play_bare(|played, seat| table.answer(played, seat).map(Some));
    let (ranking, _) = ended.map_err(|error| BrokenGame::Rules { seed, error })?;
    let won = winners(&ranking);
    let share = match won.contains(&seat) {
        true => 1.0 / won.len() as f64,
        false => 0.0,
    };
    Ok(table.reached.then_some(share))
}

/// Both sides of one game, answer by answer; nothing if the seat whose turn it is never may take the item.
pub fn transcripts(
    game: &Arc<Game>,
    plan: &Plan,
    item: &str,
    number: u64,
    selection: &Selection,
) -> Result<Option<[Transcript; 2]>, BrokenGame> {
    let seed = plan.seed_of(number);
    let broken = |error: BrokenRule| BrokenGame::Rules { seed, error };
    let bots = plan.bots_of(number);
    let mut both = Vec::new();
    for way in [Way::With, Way::Without] {
        let sitters = (0..plan.players as usize).map(|seat| Sitter {
            name: bots[seat % bots.len()].name(),
            chooser: None,
        });
        let mut session = Session::new(game.clone(), sitters.collect(), seed, selection);
        let mut table = Forking::new(plan, number, item, (turn_of(plan, number), way));
        while session.run_rules().map_err(broken)? == Status::Asking {
            let Some(&seat) = session.asked().first() else {
                break;
            };
            let picked = table.answer(session.as_match(), seat).map_err(broken)?;
            if session.answer_of_bot(seat, &picked).is_err() {
                break;
            }
        }
        if !table.reached {
            return Ok(None);
        }
        both.push(session.transcript);
    }
    Ok(both.try_into().ok())
}

/// Everybody at the table of a game that forks, and the way one of them takes there.
struct Forking<'a> {
    item: &'a str,
    seat: u8,
    way: Way,
    seed: u64,
    reached: bool,
    drivers: Vec<Driver>,
}

impl Forking<'_> {
    fn new<'a>(plan: &Plan, number: u64, item: &'a str, (seat, way): (u8, Way)) -> Forking<'a> {
        let (seed, bots) = (plan.seed_of(number), plan.bots_of(number));
        let seats = 0..plan.players;
        Forking {
            item,
            seat,
            way,
            seed,
            reached: false,
            drivers: seats
                .map(|seat| bots[seat as usize % bots.len()].driver(seat, seed))
                .collect(),
        }
    }

    /// What a seat answers: as it would, but for the item.
    fn answer(&mut self, played: &Match, seat: u8) -> Result<Vec<u32>, BrokenRule> {
        let is_watched = seat == self.seat && (self.way == Way::Without || !self.reached);
        let offered = match is_watched {
            true => offers(played, seat, self.item),
            false => None,
        };
        self.reached |= offered.is_some();
        if let (Some(at), Way::With) = (offered, self.way) {
            return Ok(vec![at]);
        }
        let picked = self.drivers[seat as usize].pick(played)?;
        match offered {
            Some(at) if picked[..] == [at] => Ok(other_than(played, seat, self.item, self.seed)),
            _ => Ok(picked),
        }
    }
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
fn other_than(played: &Match, seat: u8, item: &str, seed: u64) -> Vec<u32> {
    if let Some(mut hint) = Hint::begin(played.copied(), seat, seed) {
        hint.think(LINES, |_| true);
        let answers = hint.opinion(usize::MAX).answers;
        let other = |keys: &[String]| keys.iter().all(|key| key != item);
        if let Some(best) = answers.into_iter().find(|answer| other(&answer.keys)) {
            return best.picked;
        }
    }
    let keys = played
        .choice()
        .map(|choice| choice.keys(&played.table, seat))
        .unwrap_or_default();
    let other = keys.iter().position(|key| key != item).unwrap_or(0);
    vec![other as u32]
}
