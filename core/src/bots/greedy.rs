//! One move of lookahead: tries each answer on imagined tables and keeps the one the game's `evaluate` likes best.

use super::options::{self, Candidate};
use crate::model::streams::Stream;
use crate::play::driver::{Chooser, Door};
use crate::play::matches::{BrokenRule, Match, Position, Status};
use crate::table::choice::Wanted;

/// Answers tried at one choice; a longer list is drawn from, those the game prefers first.
const TRIES: usize = 48;
/// Answers tried where the game says which it prefers.
const PREFERRED: usize = 12;
/// Tables on which what luck or secrets have a part in is judged.
const DEALS: usize = 3;
/// Answers judged on more than one table: the best on the first.
const TRIED_AGAIN: usize = 6;
/// Answers tried at choices that follow at once and belong to the same move: the first, the second, the third.
const FOLLOWING_TRIES: [usize; 3] = [12, 4, 2];
/// Options of a question to somebody else that is answered for them before the move is judged: an offer is worth what becomes of it.
const REPLIES: usize = 3;

/// The bot that looks one move ahead.
#[derive(Debug, Default)]
pub struct Greedy {
    look: Look,
}

impl Chooser for Greedy {
    fn choose(&mut self, door: &mut Door, luck: &mut Stream) -> Result<Vec<u32>, BrokenRule> {
        let (count, wanted) = (door.count(), door.wanted());
        if count == 1 && wanted == Wanted::One {
            return Ok(vec![0]);
        }
        let mut ranked = self.look.rank(door, luck, TRIED_AGAIN)?;
        if ranked.is_empty() {
            return Ok(wanted.draw(count, luck));
        }
        Ok(ranked.swap_remove(0).candidate.pick.into_numbers())
    }
}

/// An answer and what became of it, on the tables it was tried on.
#[derive(Debug, Clone)]
pub struct Ranked {
    pub candidate: Candidate,
    sum: i64,
    tables: i64,
}

impl Ranked {
    /// What `evaluate` says of it.
    pub fn value(&self) -> i64 {
        self.sum / self.tables.max(1)
    }
}

/// A look at what becomes of each answer by the end of the move.
#[derive(Debug, Default)]
pub struct Look {
    /// Memory of positions.
    spares: Vec<Position>,
}

impl Look {
    /// All answers that were tried, the best first; the best `again` of them on several tables, where luck or secrets have a part in it.
    pub fn rank(
        &mut self,
        door: &mut Door,
        luck: &mut Stream,
        again: usize,
    ) -> Result<Vec<Ranked>, BrokenRule> {
        let seat = door.seat();
        let imagined = door.imagine(luck)?;
        let guessed = imagined.guessed();
        let ahead = imagined.ahead();
        let tried = self.candidates(ahead, seat, luck, TRIES)?;
        let mut first_fault = None;
        let mut ranked = Vec::with_capacity(tried.len());
        let lucky = self.try_each(ahead, seat, luck, tried.into_iter(), |candidate, judged| {
            match judged {
                Ok(sum) => ranked.push(Ranked {
                    candidate,
                    sum,
                    tables: 1,
                }),
                // Rules may break on a table that cannot be; such a line tells nothing, and must not end the match.
                Err(broken) => {
                    first_fault.get_or_insert(broken);
                }
            }
        });
        sort(&mut ranked);
        if let Some(broken) = first_fault
            && ranked.is_empty()
        {
            return Err(broken);
        }
        if ranked.len() > 1 && (guessed || lucky) {
            self.try_again(door, luck, &mut ranked, again)?;
        }
        Ok(ranked)
    }

    fn try_again(
        &mut self,
        door: &mut Door,
        luck: &mut Stream,
        ranked: &mut [Ranked],
        again: usize,
    ) -> Result<(), BrokenRule> {
        let seat = door.seat();
        let best = ranked.len().min(again);
        for _ in 1..DEALS {
            let ahead = door.imagine(luck)?.ahead();
            let tried: Vec<Candidate> =
                ranked[..best].iter().map(|r| r.candidate.clone()).collect();
            let mut at = 0;
            self.try_each(ahead, seat, luck, tried.into_iter(), |_, judged| {
                if let Ok(value) = judged {
                    ranked[at].sum += value;
                    ranked[at].tables += 1;
                }
                at += 1;
            });
        }
        sort(&mut ranked[..best]);
        Ok(())
    }

    /// Tries answers from one position, all with the same luck to come; says whether luck had a part in any.
    fn try_each(
        &mut self,
        ahead: &mut Match,
        seat: u8,
        luck: &mut Stream,
        tried: impl Iterator<Item = Candidate>,
        mut take: impl FnMut(Candidate, Result<i64, BrokenRule>),
    ) -> bool {
        let from = self.note(ahead);
        let Some(prompt) = ahead.choice().map(|choice| choice.prompt) else {
            return false;
        };
        let mut asked = vec![prompt];
        let mut lucky = false;
        for (n, candidate) in tried.enumerate() {
            if n > 0 {
                ahead.restore(&from);
            }
            let leaves = options::leaves_off(ahead, seat, &candidate);
            if ahead.answer(seat, candidate.pick.numbers()).is_err() {
                continue;
            }
            let judged = self.judged(ahead, seat, luck, &mut asked, leaves);
            lucky |= ahead.table.state.streams != *from.streams();
            take(candidate, judged);
        }
        self.spares.push(from);
        lucky
    }

    /// What is tried, in the order of preference among equals: leaving off comes first, since a move must be better than not moving;
    /// moves come in random order, so that no rule of ours decides between equals, those the game prefers before others.
    fn candidates(
        &mut self,
        ahead: &mut Match,
        seat: u8,
        luck: &mut Stream,
        tries: usize,
    ) -> Result<Vec<Candidate>, BrokenRule> {
        let mut all = options::candidates(ahead, seat, luck);
        if all.len() < 2 {
            return Ok(all);
        }
        luck.shuffle(&mut all);
        let mut tries = tries;
        if all.len() > tries.min(PREFERRED)
            && let Some(weights) = options::weights(ahead, seat)?
        {
            tries = tries.min(PREFERRED);
            let weight = |c: &Candidate| options::weight(&weights, c);
            all.sort_by_key(|candidate| std::cmp::Reverse(weight(candidate)));
        }
        if let Some(at) = all.iter().position(|c| options::leaves_off(ahead, seat, c)) {
            all[..=at].rotate_right(1);
        }
        all.truncate(tries);
        Ok(all)
    }

    /// Leaving off is judged at the next choice; a move, after the questions that belong to it.
    fn judged(
        &mut self,
        ahead: &mut Match,
        seat: u8,
        luck: &mut Stream,
        asked: &mut Vec<u32>,
        leaves: bool,
    ) -> Result<i64, BrokenRule> {
        if !leaves {
            return self.value_after(ahead, seat, luck, asked);
        }
        ahead.advance()?;
        ahead.evaluate(seat)
    }

    /// Lets the game go on to the next choice, whoever's it is, and judges what it finds there. A question to the same seat that was not
    /// asked before is part of the same move (which border, then how many), so it is answered as well as it can be before judging; so is
    /// a short question to somebody else in the same step, by whoever is asked.
    fn value_after(
        &mut self,
        ahead: &mut Match,
        seat: u8,
        luck: &mut Stream,
        asked: &mut Vec<u32>,
    ) -> Result<i64, BrokenRule> {
        let step = (ahead.table.state.round, ahead.table.state.steps);
        if ahead.advance()? == Status::Over || asked.len() > FOLLOWING_TRIES.len() {
            return ahead.evaluate(seat);
        }
        let same_step = (ahead.table.state.round, ahead.table.state.steps) == step;
        let next = ahead
            .choice()
            .map(|choice| (choice.prompt, choice.waiting()));
        match next {
            Some((prompt, Some(next))) if !asked.contains(&prompt) => {
                let theirs = next != seat;
                let replies = ahead.choice().map_or(0, |c| c.count(&ahead.table, next));
                if theirs && !(same_step && replies as usize <= REPLIES) {
                    return ahead.evaluate(seat);
                }
                asked.push(prompt);
                let best = self.best_following(ahead, next, seat, luck, asked);
                asked.pop();
                best
            }
            _ => ahead.evaluate(seat),
        }
    }

    /// What a position is worth to a seat if `next` answers its question as well as it can.
    fn best_following(
        &mut self,
        ahead: &mut Match,
        next: u8,
        seat: u8,
        luck: &mut Stream,
        asked: &mut Vec<u32>,
    ) -> Result<i64, BrokenRule> {
        let tries = FOLLOWING_TRIES[asked.len() - 2];
        let tried = self.candidates(ahead, next, luck, tries)?;
        let from = self.note(ahead);
        let mut best: Option<(i64, i64)> = None;
        for (n, candidate) in tried.iter().enumerate() {
            if n > 0 {
                ahead.restore(&from);
            }
            let leaves = options::leaves_off(ahead, next, candidate);
            if ahead.answer(next, candidate.pick.numbers()).is_err() {
                continue;
            }
            let Ok(theirs) = self.judged(ahead, next, luck, asked, leaves) else {
                continue;
            };
            if best.is_none_or(|(most, _)| theirs > most) {
                let mine = if next == seat {
                    theirs
                } else {
                    ahead.evaluate(seat)?
                };
                best = Some((theirs, mine));
            }
        }
        let worth = match best {
            Some((_, mine)) => Ok(mine),
            None => {
                ahead.restore(&from);
                ahead.evaluate(seat)
            }
        };
        self.spares.push(from);
        worth
    }

    /// A copy of this moment, in memory that was used before.
    fn note(&mut self, ahead: &Match) -> Position {
        match self.spares.pop() {
            Some(mut spare) => {
                ahead.note_position(&mut spare);
                spare
            }
            None => ahead.position(),
        }
    }
}

fn sort(ranked: &mut [Ranked]) {
    // Exact and stable: what was tried first stays first among equals.
    ranked.sort_by(|a, b| (b.sum * a.tables).cmp(&(a.sum * b.tables)));
}
