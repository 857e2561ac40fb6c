//! Thinking ahead: the answers greedy likes best are tried again and again, each lap on a table imagined anew that all of them share, the
//! better ones more often; below them a tree remembers what served whom.

use super::forced::{self, Fate, Fates, Wins};
use super::greedy::{LookAhead, Ranked};
use super::kept::{Experience, Kept};
use super::line::{self, Chances, Progress};
use super::options::{Candidate, mix};
use super::policy::Habit;
use super::tree::{ROOT, Taken, Tree};
use crate::limits::REMEMBERED_OPTIONS;
use crate::model::streams::Stream;
use crate::play::driver::{Chooser, Door};
use crate::play::matches::{BrokenRule, Match, Position, Status};
use crate::table::choice::Wanted;
use std::num::NonZeroU32;
use std::time::Duration;

/// Lines between two looks at the clock.
const BETWEEN_LOOKS: u32 = 16;
/// Questions after which a tree is begun anew: whoever comes to the table in the middle has to think about the former ones once more.
const QUESTIONS_OF_A_TREE: usize = 4;

/// Where time comes from: the kernel knows no clock. It tells how long ago something was that never changes.
pub type Clock = fn() -> Duration;

/// How long to think about one answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Budget {
    /// So many lines, on so many threads: the answer depends on both, never on the machine.
    Lines { lines: u32, threads: NonZeroU32 },
    /// So many milliseconds, for people: another machine may answer otherwise.
    Time(u32),
}

/// A bot that thinks ahead.
#[derive(Debug)]
pub struct Search {
    budget: Budget,
    /// Whether nothing is remembered below the answers.
    flat: bool,
    clock: Clock,
    look: LookAhead,
    kept: Option<Kept>,
    lines: u64,
}

impl Search {
    pub fn new(budget: Budget, flat: bool, clock: Clock) -> Search {
        Search {
            budget,
            flat,
            clock,
            look: LookAhead::default(),
            kept: None,
            lines: 0,
        }
    }
}

impl Chooser for Search {
    fn choose(&mut self, door: &mut Door, luck: &mut Stream) -> Result<Vec<u32>, BrokenRule> {
        let (count, wanted) = (door.count(), door.wanted());
        if count == 1 && wanted == Wanted::One {
            return Ok(vec![0]);
        }
        let began = (self.clock)();
        let kept = self.kept.take();
        let wide = match self.budget {
            Budget::Lines { lines, .. } => lines,
            Budget::Time(_) => WIDE_BY_TIME,
        };
        let mut fates = forced::fates(door, &mut luck.clone(), wide, Wins::First);
        if let Some(winning) = fates.winning.pop() {
            return Ok(winning.pick.into_numbers());
        }
        let mut thinking = Thinking::begin(&mut self.look, door, luck, wide, self.flat);
        thinking.leave_out(&fates.losing);
        let mut known = kept.map_or_else(Vec::new, |kept| kept.under_the_answer(door));
        let mut found = Vec::new();
        match self.budget {
            Budget::Lines { lines, threads } if threads.get() == 1 => {
                if let Some(known) = known.pop() {
                    known.hand_on(&mut thinking);
                }
                thinking.think(door, lines);
            }
            Budget::Lines { lines, threads } => {
                found = thinking.think_together(door, lines, threads.get(), known);
            }
            Budget::Time(milliseconds) => {
                let until = began.saturating_add(Duration::from_millis(milliseconds as u64));
                while (self.clock)() < until && thinking.think(door, BETWEEN_LOOKS) > 0 {}
            }
        }
        self.lines += thinking.lines;
        // Where all choose at once, who is predictable loses: any answer that may be as good will do.
        let best = match door.is_together() {
            true => thinking.any_of_the_best(luck),
            false => thinking.best(),
        };
        let Some(best) = best else {
            return Ok(wanted.draw(count, luck));
        };
        if self.questions_in_a_row() > 1 {
            if found.is_empty() {
                found.push(Experience::of(thinking));
            }
            self.kept = Some(Kept::new(door, found, &best));
        }
        Ok(best.pick.into_numbers())
    }

    /// By the clock nobody would have thought the same before, and a flat search remembers nothing that follows.
    fn questions_in_a_row(&self) -> usize {
        match self.budget {
            Budget::Lines { .. } if !self.flat => QUESTIONS_OF_A_TREE,
            _ => 1,
        }
    }

    fn lines(&self) -> u64 {
        self.lines
    }

    fn begin_row(&mut self) {
        self.kept = None;
    }
}

/// As many answers are considered as with so many lines, where nobody knows how many there will be.
pub const WIDE_BY_TIME: u32 = 1_000;

/// An answer and what came of it.
#[derive(Debug, Clone)]
pub struct Thought {
    pub candidate: Candidate,
    pub visits: u32,
    /// Chances of winning, and their squares, summed up.
    sum: f64,
    squares: f64,
    /// What need not be tried, since it is proven.
    fate: Fate,
}

impl Thought {
    fn new(candidate: Candidate) -> Thought {
        Thought {
            candidate,
            visits: 0,
            sum: 0.0,
            squares: 0.0,
            fate: Fate::Open,
        }
    }

    /// Whether it is proven what comes of it.
    pub fn is_certain(&self) -> bool {
        self.fate != Fate::Open
    }

    /// The chance of winning after this answer.
    pub fn mean(&self) -> f64 {
        match self.fate {
            Fate::Won => 1.0,
            Fate::Open => self.sum / f64::from(self.visits.max(1)),
            Fate::Lost => 0.0,
        }
    }

    /// How far off the mean may be, 19 times in 20.
    pub fn doubt(&self) -> f64 {
        if self.is_certain() {
            return 0.0;
        }
        let visits = f64::from(self.visits.max(1));
        let variance = (self.squares / visits - self.mean() * self.mean()).max(0.0);
        // Two imagined lines, one good and one bad: with few visits the spread itself is uncertain.
        1.96 * ((variance + 0.25 / visits) / visits).sqrt()
    }
}

/// Thinking about one open choice of a seat. Can be gone on with, and asked what it has found so far, at any time.
#[derive(Debug)]
pub struct Thinking {
    seat: u8,
    pub(super) thoughts: Vec<Thought>,
    pub(super) tree: Tree,
    flat: bool,
    /// Whose luck laps come from.
    key: u64,
    lap: u64,
    /// What is left of the lap: thoughts to try.
    due: Vec<usize>,
    habit: Habit,
    progress: Progress,
    pub(super) chances: Chances,
    path: Vec<Taken>,
    /// The table of the lap.
    from: Option<Box<Position>>,
    pub lines: u64,
}

impl Thinking {
    /// Looks at all answers once, and keeps as many as so many lines can tell apart.
    pub fn begin(
        look: &mut LookAhead,
        door: &mut Door,
        luck: &mut Stream,
        lines: u32,
        flat: bool,
    ) -> Thinking {
        let wide = ((0.8 * f64::from(lines).sqrt()) as usize).clamp(4, 40);
        let mut ranked = look.rank(door, luck, wide);
        ranked.truncate(wide);
        let seat = door.seat();
        let ahead = door.imagine(luck).ahead();
        Thinking::about(ranked, seat, ahead, luck.seed(), flat)
    }

    fn about(ranked: Vec<Ranked>, seat: u8, ahead: &Match, key: u64, flat: bool) -> Thinking {
        Thinking {
            seat,
            thoughts: ranked
                .into_iter()
                .map(|ranked| Thought::new(ranked.candidate))
                .collect(),
            tree: Tree::new(ahead.table.players(), REMEMBERED_OPTIONS),
            flat,
            key,
            lap: 0,
            due: Vec::new(),
            habit: Habit::default(),
            progress: Progress::default(),
            chances: Chances::new(ahead),
            path: Vec::new(),
            from: None,
            lines: 0,
        }
    }

    /// Begins with what is known of this choice. How far chances lay apart was not kept: as far as they can.
    pub(super) fn inherit(&mut self, tree: Tree) {
        for thought in &mut self.thoughts {
            if let Some((visits, sum)) = tree.found(self.seat, thought.candidate.looks) {
                thought.visits += visits;
                thought.sum += sum;
                thought.squares += sum;
            }
        }
        self.tree = tree;
    }

    /// Thinks no more of answers with these looks, if there are others.
    fn leave_out(&mut self, losing: &[u64]) {
        let lost = |thought: &Thought| losing.contains(&thought.candidate.looks);
        if !self.thoughts.iter().all(lost) {
            self.thoughts.retain(|thought| !lost(thought));
        }
    }

    /// Tries what is proven no more, and says of it what is known.
    pub(super) fn know(&mut self, fates: Fates) {
        for winning in fates.winning {
            let at = self.consider(winning);
            self.thoughts[at].fate = Fate::Won;
        }
        for thought in &mut self.thoughts {
            if fates.losing.contains(&thought.candidate.looks) {
                thought.fate = Fate::Lost;
            }
        }
    }

    /// Makes sure that an answer is among those thought about; says which it is.
    pub fn consider(&mut self, candidate: Candidate) -> usize {
        let same = |thought: &Thought| thought.candidate.looks == candidate.looks;
        self.thoughts.iter().position(same).unwrap_or_else(|| {
            self.thoughts.push(Thought::new(candidate));
            self.thoughts.len() - 1
        })
    }

    /// Tries so many lines more; says how many were tried. With a single answer there is nothing to think about, nor if all are proven.
    pub fn think(&mut self, door: &mut Door, lines: u32) -> u32 {
        if self.thoughts.len() < 2 || self.thoughts.iter().all(Thought::is_certain) {
            return 0;
        }
        door.memory().allow_lines(lines);
        let before = self.lines;
        for _ in 0..lines {
            if door.memory().is_spent() {
                break;
            }
            let fresh = self.due.is_empty();
            if fresh {
                self.due = self.next_lap();
            }
            let mut luck = Stream::numbered(self.key, self.lap);
            let imagined = if fresh || self.from.is_none() {
                let imagined = door.imagine_unanswered(&mut luck);
                match &mut self.from {
                    Some(from) => imagined.ahead().note_position(from),
                    None => self.from = Some(Box::new(imagined.ahead().position())),
                }
                imagined
            } else {
                door.memory()
            };
            if let Some(from) = &self.from
                && !fresh
            {
                imagined.ahead().restore(from);
            }
            self.lines += 1;
            let Some(thought) = self.due.pop() else { break };
            // The same habits for every answer of a lap: what differs is the answer.
            let mut luck = Stream::numbered(!self.key, self.lap);
            // A rule that breaks on a table that cannot be ends the line; it tells nothing.
            if let Ok(chances) = self.line(imagined.ahead(), thought, &mut luck) {
                let chance = chances[self.seat as usize];
                let thought = &mut self.thoughts[thought];
                thought.visits += 1;
                thought.sum += chance;
                thought.squares += chance * chance;
            }
        }
        (self.lines - before) as u32
    }

    /// Which answers are tried in the next lap: all in the first two, then the best two in every lap, the next two in every second..
    fn next_lap(&mut self) -> Vec<usize> {
        self.lap += 1;
        let mut order = self.order();
        order.retain(|&n| !self.thoughts[n].is_certain());
        let due = order.iter().enumerate().filter(|(rank, _)| {
            let every = (rank / 2 + 1).next_power_of_two() as u64;
            self.lap <= 2 || self.lap.is_multiple_of(every)
        });
        let mut due: Vec<usize> = due.map(|(_, &thought)| thought).collect();
        due.reverse();
        due
    }

    /// The thoughts by what came of them; those not tried yet as they were ranked.
    pub fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.thoughts.len()).collect();
        let of = |n: usize| (self.thoughts[n].fate, self.thoughts[n].mean());
        order.sort_by(|&a, &b| {
            let ((fate, mean), (other, its)) = (of(a), of(b));
            fate.cmp(&other).then(its.total_cmp(&mean))
        });
        order
    }

    /// The best answer: of those tried often enough, the one with the best chances.
    pub fn best(&self) -> Option<Candidate> {
        let most = self.thoughts.iter().map(|thought| thought.visits).max()?;
        let order = self.order();
        let often = |&&n: &&usize| self.thoughts[n].visits * 4 >= most;
        let best = order.iter().find(often).copied().unwrap_or(0);
        Some(self.thoughts[best].candidate.clone())
    }

    /// Any of the answers that may well be as good as the best.
    fn any_of_the_best(&self, luck: &mut Stream) -> Option<Candidate> {
        let best = self.thoughts.get(*self.order().first()?)?;
        let least = best.mean() - best.doubt();
        let as_good: Vec<&Thought> = self.thoughts.iter().filter(|t| t.mean() >= least).collect();
        let drawn = luck.below(as_good.len() as u32) as usize;
        as_good.get(drawn).map(|thought| thought.candidate.clone())
    }

    /// One line from the lap's table: the answer, what follows by experience, what follows that by habit; and everybody's chances then.
    fn line(
        &mut self,
        ahead: &mut Match,
        thought: usize,
        luck: &mut Stream,
    ) -> Result<Vec<f64>, BrokenRule> {
        self.path.clear();
        self.progress.begin(ahead);
        let candidate = &self.thoughts[thought].candidate;
        let mut looks = mix(0, candidate.looks);
        let mut node = ROOT;
        let mut remembered = !self.flat;
        let answered = ahead.answer(self.seat, candidate.pick.numbers());
        debug_assert!(answered.is_ok(), "it was offered");
        loop {
            // Whoever else is asked at the same time does not know what the others answer.
            while let Some(seat) = ahead.choice().and_then(|choice| choice.waiting()) {
                let chosen = match remembered {
                    true => self.tree.choose(node, ahead, seat, luck)?,
                    false => None,
                };
                let done = match chosen {
                    Some((candidate, taken)) => {
                        looks = mix(looks, candidate.looks);
                        self.path.push(taken);
                        ahead.answer(seat, candidate.pick.numbers())
                    }
                    None => {
                        let pick = self.habit.pick(ahead, seat, luck, 1)?;
                        ahead.answer(seat, pick.numbers())
                    }
                };
                if done.is_err() {
                    break;
                }
            }
            if ahead.advance()? == Status::Over || self.progress.is_over(ahead) {
                break;
            }
            if remembered {
                let (next, new) = self.tree.follow(node, looks, ahead);
                let streams = &*ahead.table.state.streams;
                let begun = self.from.as_ref().filter(|_| node == ROOT);
                if begun.is_some_and(|from| from.streams() != streams) {
                    self.tree.note_luck(next);
                }
                (node, looks) = (next, 0);
                remembered = !new && !self.tree.is_full();
            }
            if !remembered {
                line::play_out(ahead, &mut self.habit, &mut self.progress, luck)?;
                break;
            }
        }
        let chances = self.chances.of(ahead)?;
        self.tree.learn(&self.path, &chances);
        Ok(chances)
    }

    /// Thinks on several threads, each with luck and experience of its own, and with what it knew before; what they found is put together in
    /// their order. Gives what each of them knows now.
    pub fn think_together(
        &mut self,
        door: &mut Door,
        lines: u32,
        threads: u32,
        known: Vec<Experience>,
    ) -> Vec<Experience> {
        if self.thoughts.len() < 2 {
            return Vec::new();
        }
        let players = self.tree.players();
        let mut known = known.into_iter();
        let helpers: Vec<Thinking> = (0..threads)
            .map(|n| Thinking {
                thoughts: self.thoughts.clone(),
                tree: Tree::new(players, REMEMBERED_OPTIONS / threads as usize),
                key: Stream::numbered(self.key, u64::from(n)).seed(),
                habit: Habit::default(),
                progress: Progress::default(),
                chances: self.chances.clone(),
                due: Vec::new(),
                path: Vec::new(),
                from: None,
                lines: 0,
                lap: 0,
                seat: self.seat,
                flat: self.flat,
            })
            .map(|mut helper| {
                if let Some(known) = known.next() {
                    known.hand_on(&mut helper);
                }
                helper
            })
            .collect();
        let (real, seat) = (door.real(), self.seat);
        let found: Vec<Thinking> = std::thread::scope(|scope| {
            let think = |n: u32, mut helper: Thinking| {
                let share = lines / threads + u32::from(n < lines % threads);
                scope.spawn(move || {
                    let mut memory = None;
                    let mut door = Door::new(real, seat, &mut memory);
                    helper.think(&mut door, share);
                    helper
                })
            };
            let started: Vec<_> = (0..)
                .zip(helpers)
                .map(|(n, helper)| think(n, helper))
                .collect();
            let ended = started.into_iter().map(|helper| helper.join());
            ended
                .map(|ended| ended.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                .collect()
        });
        let mut experience = Vec::with_capacity(threads as usize);
        for helper in found {
            self.lines += helper.lines;
            for (own, other) in self.thoughts.iter_mut().zip(&helper.thoughts) {
                own.visits += other.visits;
                own.sum += other.sum;
                own.squares += other.squares;
            }
            experience.push(Experience::of(helper));
        }
        experience
    }
}
