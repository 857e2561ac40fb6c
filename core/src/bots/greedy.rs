//! One move of lookahead: tries each answer on imagined tables and keeps the one the game's `evaluate` likes best.

use super::TABLES;
use super::former::Former;
use super::options::{self, Candidate, Pick};
use super::policy::Habit;
use crate::model::streams::Stream;
use crate::play::driver::{Chooser, Door};
use crate::play::matches::{BrokenRule, Match, Position, Status};
use crate::table::choice::Wanted;
use std::cell::Cell;

/// How many answers are tried at a question: where the game says which it prefers, and where it does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tries {
    pub preferred: usize,
    pub others: usize,
}

const fn tries(preferred: usize, others: usize) -> Tries {
    Tries { preferred, others }
}

/// At the question itself; a longer list is drawn from.
const TRIES: Tries = tries(6, 16);

/// At questions that follow at once and belong to the same move: the first, the second, the third.
type Width = [Tries; 3];
const QUICKLY: Width = [tries(1, 2), tries(1, 1), tries(1, 1)];
const CAREFULLY: Width = [tries(2, 4), tries(2, 2), tries(1, 1)];
/// Where there are hardly any answers, what follows is the question itself.
const WIDELY: Width = [TRIES, tries(2, 2), tries(1, 1)];
/// Answers that are looked at carefully: the best by a quick look. Where luck or secrets may have a part in it, on a second table, and
/// the better half of them on a third, if the second told anything new.
const LOOKED_AT_CAREFULLY: usize = 3;
/// Options of a question to somebody else that is answered for them as well as they can before the move is judged: an offer is worth what
/// becomes of it. A longer one they answer by habit.
const REPLIES: u32 = 3;

/// The bot that looks one move ahead.
#[derive(Debug, Default)]
pub struct Greedy {
    look: LookAhead,
    plan: Plan,
}

impl Chooser for Greedy {
    fn choose(&mut self, door: &mut Door, luck: &mut Stream) -> Result<Vec<u32>, BrokenRule> {
        let (count, wanted) = (door.count(), door.wanted());
        if count == 1 && wanted == Wanted::One {
            return Ok(vec![0]);
        }
        if let Some(intended) = self.plan.next(door) {
            return Ok(intended);
        }
        let mut ranked = self.look.rank(door, luck, 0);
        if ranked.is_empty() {
            return Ok(wanted.draw(count, luck));
        }
        let best = ranked.swap_remove(0);
        let numbers = best.candidate.pick.into_numbers();
        self.plan.make(door, &numbers, best.line);
        Ok(numbers)
    }

    fn questions_in_a_row(&self) -> usize {
        usize::MAX
    }

    fn begin_row(&mut self) {
        self.plan.intended.clear();
    }
}

/// What is meant to be answered to the questions that follow at once: the look at the first of them has found out.
#[derive(Debug, Default)]
struct Plan {
    /// The last first.
    intended: Vec<Intended>,
    /// What was answered before them.
    former: Former,
}

/// An answer to a question that is expected.
#[derive(Debug, Clone)]
struct Intended {
    offered: u64,
    pick: Pick,
    /// Whether the question was looked at as it would be when it is asked, and luck had no part before it.
    settled: bool,
}

impl Plan {
    fn make(&mut self, door: &Door, answered: &[u32], mut line: Vec<Intended>) {
        let unsettled = line.iter().rposition(|intended| !intended.settled);
        line.drain(..unsettled.map_or(0, |at| at + 1));
        self.intended = line;
        if self.intended.is_empty() {
            return;
        }
        self.former = Former::of(door, answered);
    }

    /// What was meant to be answered to the open question; nothing if it is another than was expected.
    fn next(&mut self, door: &Door) -> Option<Vec<u32>> {
        let intended = self.intended.pop()?;
        let as_expected = self.former.is_followed(door)
            && options::offered(door.real(), door.seat()) == Some(intended.offered);
        if !as_expected {
            self.intended.clear();
            return None;
        }
        let picked = intended.pick.into_numbers();
        self.former.go_on(&picked);
        Some(picked)
    }
}

/// An answer and what became of it, on the tables it was tried on.
#[derive(Debug, Clone)]
pub struct Ranked {
    pub candidate: Candidate,
    /// What would be answered next, as far as it can be known: the last first.
    line: Vec<Intended>,
    /// Whether there was more to try at the questions that follow it.
    cut: bool,
    sum: i64,
    tables: i64,
}

impl Ranked {
    /// The only answer there is.
    fn untried(candidate: Candidate) -> Ranked {
        Ranked {
            candidate,
            line: Vec::new(),
            cut: false,
            sum: 0,
            tables: 0,
        }
    }
}

/// A look at what becomes of each answer by the end of the move.
#[derive(Debug)]
pub struct LookAhead {
    /// Memory of positions.
    spares: Vec<Position>,
    /// How others answer questions that are too long to think about.
    habit: Habit,
    /// Whether the game is asked what it prefers.
    asks_preference: bool,
    /// How many answers are tried at questions that follow.
    following: Width,
    /// The luck to come before anything was tried.
    streams: Vec<Stream>,
    /// Answers to the question met last that are not worth a try there.
    untried: usize,
    /// What the seat means to answer to the questions that follow the answer being tried, if that was found out on another table, and
    /// what it would answer; the last first.
    meant: Vec<Intended>,
    line: Vec<Intended>,
    /// Whether answers to those questions were left untried.
    cut: bool,
    /// Whether one of the answers that are compared led to another question of the same step. Then those that end the step are judged
    /// where it ends: what comes to everybody after it must not count for one of them alone.
    within_the_step: bool,
}

/// What follows an answer: what would be answered next, and whether more could be tried there.
struct Following<'a> {
    line: &'a [Intended],
    cut: bool,
}

impl Default for LookAhead {
    fn default() -> LookAhead {
        LookAhead {
            spares: Vec::new(),
            habit: Habit::default(),
            asks_preference: true,
            following: CAREFULLY,
            streams: Vec::new(),
            untried: 0,
            meant: Vec::new(),
            line: Vec::new(),
            cut: false,
            within_the_step: false,
        }
    }
}

impl LookAhead {
    /// All answers that were tried, at least so many if there are, the best first. Where rules or opinions break whatever is answered, other
    /// tables are looked at, and in the end without asking what the game prefers; none if nothing can be told of any answer.
    pub fn rank(&mut self, door: &mut Door, luck: &mut Stream, at_least: usize) -> Vec<Ranked> {
        self.asks_preference = true;
        for _ in 0..TABLES {
            match self.rank_on_a_table(door, luck, at_least) {
                Ok(ranked) => return ranked,
                Err(broken) if broken.ran_away() => return Vec::new(),
                Err(_) => {}
            }
        }
        self.asks_preference = false;
        let ranked = self.rank_on_a_table(door, luck, at_least);
        ranked.unwrap_or_default()
    }

    fn rank_on_a_table(
        &mut self,
        door: &mut Door,
        luck: &mut Stream,
        at_least: usize,
    ) -> Result<Vec<Ranked>, BrokenRule> {
        let seat = door.seat();
        let imagined = door.imagine(luck);
        let guessed = imagined.guessed();
        let ahead = imagined.ahead();
        let tries = Tries {
            preferred: TRIES.preferred.max(at_least),
            others: TRIES.others.max(at_least),
        };
        let mut tried = self.candidates(ahead, seat, luck, tries)?;
        let mut ranked = Vec::with_capacity(tried.len());
        if tried.len() == 1 && at_least == 0 {
            let tried = tried.into_iter().map(Ranked::untried);
            return Ok(tried.collect());
        }
        // Of many, those worth a careful look are found by a quick one.
        let few = tried.len() <= LOOKED_AT_CAREFULLY;
        self.following = if few { WIDELY } else { QUICKLY };
        self.within_the_step = false;
        let leaving = self.leave_off_last(ahead, seat, &mut tried, |c| &c.pick);
        let mut first_fault = None;
        let tried = tried.into_iter().map(|candidate| (candidate, Vec::new()));
        let lucky = self.try_each(ahead, seat, luck, tried, |n, candidate, then, judged| {
            match judged {
                Ok(sum) => {
                    let first = leaving == Some(n);
                    let tried = Ranked {
                        candidate,
                        line: then.line.to_vec(),
                        cut: then.cut,
                        sum,
                        tables: 1,
                    };
                    ranked.insert(if first { 0 } else { ranked.len() }, tried);
                }
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
        let best = ranked.len().min(LOOKED_AT_CAREFULLY);
        if !few && ranked[..best].iter().any(|ranked| ranked.cut) {
            self.following = CAREFULLY;
            self.try_carefully(ahead, seat, luck, &mut ranked[..best]);
        }
        if best > 1 && (guessed || lucky) {
            self.following = QUICKLY;
            if self.try_again(door, luck, &mut ranked[..best], lucky) {
                self.try_again(door, luck, &mut ranked[..best.div_ceil(2)], true);
            }
        }
        Ok(ranked)
    }

    /// Judges answers once more on the same table, by a closer look at what follows them, where there is more to look at.
    fn try_carefully(
        &mut self,
        ahead: &mut Match,
        seat: u8,
        luck: &mut Stream,
        ranked: &mut [Ranked],
    ) {
        let cut: Vec<usize> = (0..ranked.len()).filter(|&n| ranked[n].cut).collect();
        let tried: Vec<Candidate> = cut.iter().map(|&n| ranked[n].candidate.clone()).collect();
        let tried = tried.into_iter().map(|candidate| (candidate, Vec::new()));
        self.try_each(ahead, seat, luck, tried, |n, _, then, judged| {
            if let Ok(value) = judged {
                let ranked = &mut ranked[cut[n]];
                ranked.sum = value;
                ranked.line.clear();
                ranked.line.extend_from_slice(then.line);
            }
        });
        sort(ranked);
    }

    /// Judges answers on another table, each with what was found to follow it best, and puts them in order again; says whether anything
    /// was otherwise there. Where luck has no part and the first of them comes out as before, what is hidden tells nothing of the others
    /// either: they are not tried.
    fn try_again(
        &mut self,
        door: &mut Door,
        luck: &mut Stream,
        ranked: &mut [Ranked],
        lucky: bool,
    ) -> bool {
        let seat = door.seat();
        let ahead = door.imagine(luck).ahead();
        let tried: Vec<(Candidate, Vec<Intended>)> = ranked
            .iter()
            .map(|ranked| (ranked.candidate.clone(), ranked.line.clone()))
            .collect();
        let new = Cell::new(false);
        let tried = tried.into_iter().enumerate();
        let tried = tried.take_while(|(n, _)| *n != 1 || lucky || new.get());
        let tried = tried.map(|(_, candidate)| candidate);
        self.try_each(ahead, seat, luck, tried, |n, _, _, judged| {
            if let Ok(value) = judged {
                let ranked = &mut ranked[n];
                new.set(new.get() || value * ranked.tables != ranked.sum);
                ranked.sum += value;
                ranked.tables += 1;
            }
        });
        sort(ranked);
        new.get()
    }

    /// Tries answers from one position, all with the same luck to come, and goes back to it. What is meant to follow an answer follows it,
    /// as far as the questions are those that were expected. Says whether luck had a part.
    fn try_each(
        &mut self,
        ahead: &mut Match,
        seat: u8,
        luck: &mut Stream,
        tried: impl Iterator<Item = (Candidate, Vec<Intended>)>,
        mut take: impl FnMut(usize, Candidate, Following, Result<i64, BrokenRule>),
    ) -> bool {
        let mut lucky = false;
        let Some(prompt) = ahead.choice().map(|choice| choice.prompt) else {
            return lucky;
        };
        let from = self.note(ahead);
        let mut asked = vec![prompt];
        self.streams.clone_from(from.streams());
        for (n, (candidate, meant)) in tried.enumerate() {
            let leaves = options::leaves_off(ahead, seat, &candidate.pick);
            if ahead.answer(seat, candidate.pick.numbers()).is_err() {
                continue;
            }
            self.meant = meant;
            self.line.clear();
            self.cut = false;
            let judged = self.judged(ahead, seat, luck, &mut asked, leaves);
            lucky |= *ahead.table.state.streams != *from.streams();
            let then = Following {
                line: &self.line,
                cut: self.cut,
            };
            take(n, candidate, then, judged);
            ahead.restore(&from);
        }
        self.spares.push(from);
        lucky
    }

    /// What is tried, in the order of preference among equals: leaving off comes first, since a move must be better than not moving;
    /// moves come in random order, so that no rule of ours decides between equals, those the game prefers before others. What it would
    /// never do is not looked at.
    fn candidates(
        &mut self,
        ahead: &mut Match,
        seat: u8,
        luck: &mut Stream,
        tries: Tries,
    ) -> Result<Vec<Candidate>, BrokenRule> {
        let count = ahead.choice().map_or(0, |c| c.count(&ahead.table, seat));
        let weights = match count {
            2.. if self.asks_preference => options::weights(ahead, seat)?,
            _ => None,
        };
        let mut all = options::candidates(ahead, seat, luck, weights.as_deref());
        self.untried = 0;
        if all.len() < 2 {
            return Ok(all);
        }
        luck.shuffle(&mut all);
        let mut most = tries.others;
        if let Some(weights) = &weights {
            most = tries.preferred;
            let weight = |c: &Candidate| options::weight(weights, c);
            if all.iter().any(|candidate| weight(candidate) > 0) {
                all.retain(|candidate| weight(candidate) > 0);
            }
            all.sort_by_key(|candidate| std::cmp::Reverse(weight(candidate)));
        }
        if let Some(at) = all
            .iter()
            .position(|c| options::leaves_off(ahead, seat, &c.pick))
        {
            all[..=at].rotate_right(1);
        }
        self.untried = all.len().saturating_sub(most);
        all.truncate(most);
        Ok(all)
    }

    /// Puts leaving off, which comes first, behind all moves, and says where: they tell where it is to be judged.
    fn leave_off_last<T>(
        &self,
        ahead: &Match,
        seat: u8,
        tried: &mut [T],
        pick: impl Fn(&T) -> &Pick,
    ) -> Option<usize> {
        let first = tried.first().map(pick)?;
        let leaves = options::leaves_off(ahead, seat, first);
        leaves.then(|| {
            tried.rotate_left(1);
            tried.len() - 1
        })
    }

    /// Goes to the next choice, or to where the answers tried before it say that one is to be judged.
    fn go_on(&self, ahead: &mut Match) -> Result<Status, BrokenRule> {
        match self.within_the_step {
            true => ahead.finish_step(),
            false => ahead.advance(),
        }
    }

    /// Leaving off is judged as soon as it is done; a move, after the questions that belong to it.
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
        self.go_on(ahead)?;
        ahead.evaluate(seat)
    }

    /// Lets the game go on to the next choice, whoever's it is, and judges what it finds there. A question to the same seat that was not
    /// asked before is part of the same move (which border, then how many), so it is answered as well as it can be before judging; so is
    /// a question to somebody else in the same step, by whoever is asked.
    fn value_after(
        &mut self,
        ahead: &mut Match,
        seat: u8,
        luck: &mut Stream,
        asked: &mut Vec<u32>,
    ) -> Result<i64, BrokenRule> {
        let step = (ahead.table.state.round, ahead.table.state.steps);
        if self.go_on(ahead)? == Status::Over {
            return ahead.evaluate(seat);
        }
        let same_step = (ahead.table.state.round, ahead.table.state.steps) == step;
        if asked.len() > self.following.len() {
            self.within_the_step |= same_step;
            return ahead.evaluate(seat);
        }
        let next = ahead
            .choice()
            .map(|choice| (choice.prompt, choice.waiting()));
        match next {
            Some((prompt, Some(next))) if !asked.contains(&prompt) => {
                let theirs = next != seat;
                if theirs && !same_step {
                    return ahead.evaluate(seat);
                }
                asked.push(prompt);
                let replies = ahead.choice().map_or(0, |c| c.count(&ahead.table, next));
                let best = match theirs && replies > REPLIES {
                    true => self.after_habit(ahead, next, seat, luck, asked),
                    false => self.best_following(ahead, next, seat, luck, asked),
                };
                asked.pop();
                best
            }
            _ => {
                self.within_the_step |= same_step;
                ahead.evaluate(seat)
            }
        }
    }

    /// What a position is worth to a seat if `next` answers its question without thinking twice: half a deal is worth nothing.
    fn after_habit(
        &mut self,
        ahead: &mut Match,
        next: u8,
        seat: u8,
        luck: &mut Stream,
        asked: &mut Vec<u32>,
    ) -> Result<i64, BrokenRule> {
        let pick = self.habit.pick(ahead, next, luck, 1)?;
        let worth = match ahead.answer(next, pick.numbers()) {
            Ok(()) => self.value_after(ahead, seat, luck, asked),
            Err(_) => ahead.evaluate(seat),
        };
        self.line.clear();
        worth
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
        let tries = self.following[asked.len() - 2];
        let own = next == seat;
        let offered = options::offered(ahead, next).filter(|_| own);
        let (mut tried, settled) = match self.meant.pop() {
            Some(meant) if Some(meant.offered) == offered => (vec![meant.pick], meant.settled),
            _ => {
                self.meant.clear();
                let tried = self.candidates(ahead, next, luck, tries)?;
                self.cut |= self.untried > 0;
                let thorough = self.untried == 0 || tries == TRIES;
                let settled = own && thorough && *ahead.table.state.streams == self.streams;
                (tried.into_iter().map(|c| c.pick).collect(), settled)
            }
        };
        // Where there is one answer, nobody comes back.
        let from = (tried.len() > 1).then(|| self.note(ahead));
        let leaving = self.leave_off_last(ahead, next, &mut tried, |pick| pick);
        let mut best: Option<(i64, i64)> = None;
        let mut line = Vec::new();
        for (n, pick) in tried.iter().enumerate() {
            if let Some(from) = from.as_ref().filter(|_| n > 0) {
                ahead.restore(from);
            }
            self.line.clear();
            let leaves = leaving == Some(n);
            if ahead.answer(next, pick.numbers()).is_err() {
                continue;
            }
            let Ok(theirs) = self.judged(ahead, next, luck, asked, leaves) else {
                continue;
            };
            if best.is_none_or(|(most, _)| theirs > most || leaves && theirs == most) {
                let mine = if next == seat {
                    theirs
                } else {
                    ahead.evaluate(seat)?
                };
                best = Some((theirs, mine));
                std::mem::swap(&mut line, &mut self.line);
                match offered {
                    Some(offered) => line.push(Intended {
                        offered,
                        pick: pick.clone(),
                        settled,
                    }),
                    None => line.clear(),
                }
            }
        }
        self.line = line;
        let worth = match best {
            Some((_, mine)) => Ok(mine),
            None => {
                if let Some(from) = &from {
                    ahead.restore(from);
                }
                ahead.evaluate(seat)
            }
        };
        self.spares.extend(from);
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
