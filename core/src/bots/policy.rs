//! Chooses at once: by the weights the game's `prefer` gives, or the best of a few options where it has no opinion.

use super::TABLES;
use super::options::{self, Candidate, Pick};
use crate::model::streams::Stream;
use crate::play::driver::{Chooser, Door};
use crate::play::matches::{BrokenRule, Match, Position, Status};
use crate::table::choice::Wanted;

/// Questions of one move that are answered before it is judged, the first included.
const QUESTIONS_OF_A_MOVE: usize = 4;
/// Options compared by `evaluate` where the game prefers none.
const FEW: usize = 4;

/// The bot that does not think twice.
#[derive(Debug, Default)]
pub struct Policy {
    habit: Habit,
}

impl Chooser for Policy {
    fn choose(&mut self, door: &mut Door, luck: &mut Stream) -> Result<Vec<u32>, BrokenRule> {
        if door.count() == 1 && door.wanted() == Wanted::One {
            return Ok(vec![0]);
        }
        let seat = door.seat();
        for _ in 0..TABLES {
            let ahead = door.imagine(luck).ahead();
            match self.habit.pick(ahead, seat, luck, FEW) {
                Ok(pick) => return Ok(pick.into_numbers()),
                Err(broken) if broken.ran_away() => break,
                Err(_) => {}
            }
        }
        let ahead = door.imagine(luck).ahead();
        let pick = self.habit.without_preference(ahead, seat, luck, FEW);
        Ok(pick.into_numbers())
    }
}

/// How somebody answers who does not think twice; keeps the memory of positions it looks at.
#[derive(Debug, Default)]
pub struct Habit {
    here: Option<Box<Position>>,
}

impl Habit {
    /// An answer to the open choice of a seat. Where the game prefers none, the best of a `few` options by `evaluate`.
    pub fn pick(
        &mut self,
        ahead: &mut Match,
        seat: u8,
        luck: &mut Stream,
        few: usize,
    ) -> Result<Pick, BrokenRule> {
        match options::weights(ahead, seat)? {
            Some(weights) => {
                let wanted = ahead.choice().map_or(Wanted::One, |choice| choice.wanted);
                Ok(draw(wanted, &weights, luck))
            }
            None => Ok(self.without_preference(ahead, seat, luck, few)),
        }
    }

    /// The same where nothing is asked of the game's preference.
    fn without_preference(
        &mut self,
        ahead: &mut Match,
        seat: u8,
        luck: &mut Stream,
        few: usize,
    ) -> Pick {
        let Some(choice) = ahead.choice() else {
            return Pick::One(0);
        };
        if few < 2 || ahead.game().calls.evaluate.is_none() {
            let count = choice.count(&ahead.table, seat);
            return at_random(choice.wanted, count, luck);
        }
        self.best_of(ahead, seat, luck, few)
    }

    /// The best of a few options, judged at the next choice; leaving off is always among them.
    fn best_of(&mut self, ahead: &mut Match, seat: u8, luck: &mut Stream, few: usize) -> Pick {
        let mut tried = self.few(ahead, seat, luck, few);
        let mut here = self
            .here
            .take()
            .unwrap_or_else(|| Box::new(ahead.position()));
        ahead.note_position(&mut here);
        let mut best: Option<(i64, usize)> = None;
        for (n, candidate) in tried.iter().enumerate() {
            if n > 0 {
                ahead.restore(&here);
            }
            if let Ok(value) = finish_move(ahead, seat, candidate, luck)
                && best.is_none_or(|(most, _)| value > most)
            {
                best = Some((value, n));
            }
        }
        ahead.restore(&here);
        self.here = Some(here);
        // If all of them broke, nothing is known of any.
        let n = best.map_or_else(|| luck.below(tried.len() as u32) as usize, |(_, n)| n);
        tried.swap_remove(n).pick
    }

    fn few(&self, ahead: &Match, seat: u8, luck: &mut Stream, few: usize) -> Vec<Candidate> {
        let mut all = options::candidates(ahead, seat, luck, None);
        if all.len() <= few {
            return all;
        }
        let last = all.len() - 1;
        if options::leaves_off(ahead, seat, &all[last].pick) {
            all.swap(0, last);
            luck.shuffle(&mut all[1..]);
        } else {
            luck.shuffle(&mut all);
        }
        all.truncate(few);
        all
    }
}

/// The questions that belong to the same move are answered without thinking before it is judged: half a move looks bad.
fn finish_move(
    ahead: &mut Match,
    seat: u8,
    candidate: &Candidate,
    luck: &mut Stream,
) -> Result<i64, BrokenRule> {
    let mut asked = ahead.choice().map(|choice| choice.prompt);
    let mut numbers = candidate.pick.numbers().to_vec();
    for _ in 0..QUESTIONS_OF_A_MOVE {
        if ahead.answer(seat, &numbers).is_err() || ahead.advance()? == Status::Over {
            break;
        }
        let Some(choice) = ahead.choice() else { break };
        if choice.waiting() != Some(seat) || Some(choice.prompt) == asked {
            break;
        }
        asked = Some(choice.prompt);
        let (wanted, count) = (choice.wanted, choice.count(&ahead.table, seat));
        numbers = match options::weights(ahead, seat)? {
            Some(weights) => draw(wanted, &weights, luck).into_numbers(),
            None => wanted.draw(count, luck),
        };
    }
    ahead.evaluate(seat)
}

fn at_random(wanted: Wanted, count: u32, luck: &mut Stream) -> Pick {
    match wanted {
        Wanted::One => Pick::One(luck.below(count)),
        wanted => Pick::Several(wanted.draw(count, luck)),
    }
}

/// Draws by weight; options without any are never taken unless none has any.
fn draw(wanted: Wanted, weights: &[u32], luck: &mut Stream) -> Pick {
    match wanted {
        Wanted::One => Pick::One(draw_one(weights, luck)),
        Wanted::Some { min, max } => {
            let liked = weights.iter().filter(|&&w| w > 0).count() as u32;
            let wanted = liked.clamp(min, max);
            let mut left = weights.to_vec();
            let mut numbers: Vec<u32> = Vec::with_capacity(wanted as usize);
            for _ in 0..wanted {
                if left.iter().all(|&w| w == 0) {
                    // Only options nobody likes are left, and they are wanted all the same.
                    for (n, w) in left.iter_mut().enumerate() {
                        *w = !numbers.contains(&(n as u32)) as u32;
                    }
                }
                let n = draw_one(&left, luck);
                left[n as usize] = 0;
                numbers.push(n);
            }
            numbers.sort_unstable();
            Pick::Several(numbers)
        }
    }
}

fn draw_one(weights: &[u32], luck: &mut Stream) -> u32 {
    let total: u64 = weights.iter().map(|&w| w as u64).sum();
    if total == 0 {
        return luck.below(weights.len() as u32);
    }
    let mut drawn = luck.below(total.min(u32::MAX as u64) as u32) as u64;
    for (n, &weight) in weights.iter().enumerate() {
        if drawn < weight as u64 {
            return n as u32;
        }
        drawn -= weight as u64;
    }
    0
}
