//! One step of lookahead: tries each option on a copy of the match and keeps the one the game's `evaluate` likes best.

use crate::model::streams::Stream;
use crate::play::driver::{Chooser, Door};
use crate::play::matches::{BrokenRule, Match, Position, Status};
use crate::table::choice::Wanted;

/// Options tried at one choice; a longer list is sampled.
const TRIES: usize = 48;
/// Longer rows of options are sampled without listing them.
const LISTED: u32 = 100_000;
/// How often a candidate is tried if luck has a part in what comes of it.
const THROWS: i64 = 3;
/// Options tried at choices that follow at once and belong to the same move: the first, the second, the third.
const FOLLOWING_TRIES: [usize; 3] = [12, 4, 2];

/// The bot that looks one move ahead. What its seat cannot see is drawn anew first, and all dice are new.
#[derive(Debug, Clone, Copy)]
pub struct Greedy;

impl Chooser for Greedy {
    fn choose(&mut self, door: &mut Door, luck: &mut Stream) -> Result<Vec<u32>, BrokenRule> {
        let (seat, count, wanted) = (door.seat(), door.count(), door.wanted());
        if count == 1 && wanted == Wanted::One {
            return Ok(vec![0]);
        }
        let imagined = door.imagine(luck)?;
        let Some(prompt) = imagined.choice().map(|choice| choice.prompt) else {
            return Ok(Vec::new());
        };
        let best = best_of(imagined.ahead(), seat, luck, &mut vec![prompt])?;
        Ok(best.map_or_else(|| wanted.draw(count, luck), |(picked, _)| picked))
    }
}

/// The best candidate from here and its value; the match is left somewhere behind. `asked` are the prompts of the move so far.
fn best_of(
    ahead: &mut Match,
    seat: u8,
    luck: &mut Stream,
    asked: &mut Vec<u32>,
) -> Result<Option<(Vec<u32>, i64)>, BrokenRule> {
    let tries = match asked.len() {
        1 => TRIES,
        n => FOLLOWING_TRIES[n - 2],
    };
    let from = ahead.position();
    let mut before = from.clone();
    let mut best: Option<(Vec<u32>, i64)> = None;
    let mut first_fault = None;
    let way_out = way_out(ahead, seat);
    for candidate in candidates(ahead, seat, luck, tries) {
        ahead.restore(&from);
        if ahead.answer(seat, &candidate).is_err() {
            continue;
        }
        // Leaving off is judged as it stands: what comes then is another move.
        let leaves = way_out.is_some_and(|n| candidate == [n]);
        ahead.note_position(&mut before);
        let value = match judged(ahead, seat, luck, asked, leaves, &before) {
            Ok(value) => value,
            // Rules may break on a table that cannot be; such a line tells nothing, and must not end the match.
            Err(broken) => {
                first_fault.get_or_insert(broken);
                continue;
            }
        };
        if best.as_ref().is_none_or(|(_, so_far)| value > *so_far) {
            best = Some((candidate, value));
        }
    }
    match first_fault {
        Some(broken) if best.is_none() => Err(broken),
        _ => Ok(best),
    }
}

/// The value of a candidate. What luck had a part in is judged by more than one throw, so that one bad throw does not speak against
/// every candidate.
fn judged(
    ahead: &mut Match,
    seat: u8,
    luck: &mut Stream,
    asked: &mut Vec<u32>,
    leaves: bool,
    before: &Position,
) -> Result<i64, BrokenRule> {
    let mut value = value_of(ahead, seat, luck, asked, leaves)?;
    if asked.len() == 1 && ahead.table.state.streams != *before.streams() {
        for _ in 1..THROWS {
            ahead.restore(before);
            let layout = ahead.table.layout.clone();
            ahead.table.state.reseed(&layout, luck.seed());
            value += value_of(ahead, seat, luck, asked, leaves)?;
        }
        value /= THROWS;
    }
    Ok(value)
}

/// Leaving off is judged at the next choice; a move, after the questions that belong to it.
fn value_of(
    ahead: &mut Match,
    seat: u8,
    luck: &mut Stream,
    asked: &mut Vec<u32>,
    leaves: bool,
) -> Result<i64, BrokenRule> {
    if !leaves {
        return value_after(ahead, seat, luck, asked);
    }
    ahead.advance()?;
    ahead.evaluate(seat)
}

/// Lets the game go on to the next choice, whoever's it is, and judges what it finds there. A question to the same seat that was not
/// asked before is part of the same move (which border, then how many), so it is answered as well as it can be before judging.
fn value_after(
    ahead: &mut Match,
    seat: u8,
    luck: &mut Stream,
    asked: &mut Vec<u32>,
) -> Result<i64, BrokenRule> {
    if ahead.advance()? == Status::Asking
        && let Some(choice) = ahead.choice()
        && choice.waiting() == Some(seat)
        && !asked.contains(&choice.prompt)
        && asked.len() <= FOLLOWING_TRIES.len()
    {
        asked.push(choice.prompt);
        let best = best_of(ahead, seat, luck, asked);
        asked.pop();
        if let Some((_, value)) = best? {
            return Ok(value);
        }
    }
    ahead.evaluate(seat)
}

/// The word that leaves off: the one beside the list of options, or the first of several. The others are moves like any.
fn way_out(ahead: &Match, seat: u8) -> Option<u32> {
    let choice = ahead.choice()?;
    let words = choice.ways_out() as u32;
    (words > 0).then(|| choice.count(&ahead.table, seat) - words)
}

/// What is tried, in the order of preference among equals: leaving off comes first, since a move must be better than not moving; moves
/// come in random order, so that no rule of ours decides between equals.
fn candidates(ahead: &Match, seat: u8, luck: &mut Stream, tries: usize) -> Vec<Vec<u32>> {
    let Some(choice) = ahead.choice() else {
        return Vec::new();
    };
    let count = choice.count(&ahead.table, seat);
    match choice.wanted {
        Wanted::One => {
            let way_out = way_out(ahead, seat);
            let listed: Vec<u32> = match count {
                // A row of numbers may be endless; it is never listed.
                LISTED.. => (0..tries).map(|_| luck.below(count)).collect(),
                _ => (0..count).collect(),
            };
            let mut moves: Vec<u32> = listed.into_iter().filter(|n| Some(*n) != way_out).collect();
            luck.shuffle(&mut moves);
            moves.truncate(tries);
            way_out.into_iter().chain(moves).map(|n| vec![n]).collect()
        }
        Wanted::Some { min, max } => {
            let mut sets: Vec<Vec<u32>> = vec![(0..min).collect(), (0..max).collect()];
            sets.extend((0..tries / 2).map(|_| choice.wanted.draw(count, luck)));
            sets.sort();
            sets.dedup();
            luck.shuffle(&mut sets);
            sets
        }
    }
}
