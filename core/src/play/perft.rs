//! Counting positions: how many ways there are to make so many moves, exactly. A move is everything one player chooses in a row within a
//! step of the rules, also where there was nothing to choose from.

use super::matches::{BrokenRule, Match, Position};
use crate::table::choice::Wanted;

/// How many moves lead to each depth, and for each first move how many to the last.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts {
    /// The first is the number of first moves.
    pub by_depth: Vec<u64>,
    /// By the keys of a first move, in the order they are offered; only where it was asked for.
    pub divided: Vec<(String, u64)>,
}

/// Counts from where a match stands.
pub struct Perft<'a> {
    game: &'a mut Match,
    /// Spare positions, one for each choice that is open above the present one.
    spares: Vec<Position>,
    counted: Counted,
}

/// What has been counted so far.
struct Counted {
    counts: Vec<u64>,
    /// The keys chosen so far in the first move, if they are wanted.
    keys: Option<Vec<String>>,
    divided: Vec<(String, u64)>,
}

/// Who is in the middle of a move.
#[derive(Clone, Copy)]
struct Moving {
    /// Whose choices these are; nobody's if none was put to anybody yet.
    seat: Option<u8>,
    /// Decisions taken when the step began: more of them, and there was a move.
    decided: u64,
}

impl Moving {
    /// Between two steps.
    fn nobody(game: &Match) -> Moving {
        Moving {
            seat: None,
            decided: game.table.state.tally.decisions,
        }
    }
}

impl Counted {
    /// A move is made; whether it was the last to be counted.
    fn complete(&mut self, made: &mut usize) -> bool {
        self.counts[*made] += 1;
        if let (0, Some(keys)) = (*made, &self.keys) {
            self.divided.push((keys.join(" "), 0));
        }
        *made += 1;
        let last = *made == self.counts.len();
        if let (true, Some((_, leaves))) = (last, self.divided.last_mut()) {
            *leaves += 1;
        }
        last
    }
}

impl<'a> Perft<'a> {
    pub fn new(game: &'a mut Match, depth: usize) -> Perft<'a> {
        // Nobody imagines anything here: what a step began with, and who heard which answer, need not be kept at every leaf.
        game.keeps_steps = false;
        game.began = None;
        Perft {
            game,
            spares: Vec::new(),
            counted: Counted {
                counts: vec![0; depth],
                keys: None,
                divided: Vec::new(),
            },
        }
    }

    /// Counts to the depth; with `divide` also by first moves. The match is somewhere else afterwards.
    pub fn count(mut self, divide: bool) -> Result<Counts, BrokenRule> {
        self.counted.keys = divide.then(Vec::new);
        if !self.counted.counts.is_empty() {
            let moving = Moving::nobody(self.game);
            self.explore(0, moving)?;
        }
        Ok(Counts {
            by_depth: self.counted.counts,
            divided: self.counted.divided,
        })
    }

    /// Goes on until somebody must choose, then tries every option. `made` moves are complete.
    fn explore(&mut self, mut made: usize, mut moving: Moving) -> Result<(), BrokenRule> {
        let counted = &mut self.counted;
        self.game.work_off(|game, _| {
            let moved = game.table.state.tally.decisions > moving.decided;
            moving = Moving::nobody(game);
            moved && counted.complete(&mut made) || game.is_over()
        })?;
        let Some(seat) = self.game.choice().and_then(|choice| choice.waiting()) else {
            return Ok(());
        };
        if moving.seat.is_some_and(|mover| mover != seat) && self.counted.complete(&mut made) {
            return Ok(());
        }
        moving.seat = Some(seat);
        self.try_all(made, moving, seat)
    }

    fn try_all(&mut self, made: usize, moving: Moving, seat: u8) -> Result<(), BrokenRule> {
        let Some(choice) = self.game.choice() else {
            return Ok(());
        };
        let (wanted, count) = (choice.wanted, choice.count(&self.game.table, seat));
        let here = match self.spares.pop() {
            Some(mut spare) => {
                self.game.note_position(&mut spare);
                spare
            }
            None => self.game.position(),
        };
        match wanted {
            Wanted::One => {
                for n in 0..count {
                    self.try_one(&here, made, moving, seat, &[n])?;
                }
            }
            Wanted::Some { min, max } => {
                let mut picked = Vec::new();
                self.try_some(&here, made, moving, seat, (min, max, count), &mut picked)?;
            }
        }
        self.spares.push(here);
        Ok(())
    }

    /// Every selection of between so many and so many options that begins with those picked already.
    fn try_some(
        &mut self,
        here: &Position,
        made: usize,
        moving: Moving,
        seat: u8,
        (min, max, count): (u32, u32, u32),
        picked: &mut Vec<u32>,
    ) -> Result<(), BrokenRule> {
        if picked.len() >= min as usize {
            self.try_one(here, made, moving, seat, picked)?;
        }
        if picked.len() < max as usize {
            for next in picked.last().map_or(0, |last| last + 1)..count {
                picked.push(next);
                self.try_some(here, made, moving, seat, (min, max, count), picked)?;
                picked.pop();
            }
        }
        Ok(())
    }

    /// One answer and everything that follows, and back.
    fn try_one(
        &mut self,
        here: &Position,
        made: usize,
        moving: Moving,
        seat: u8,
        picked: &[u32],
    ) -> Result<(), BrokenRule> {
        if let (0, Some(keys), Some(choice)) = (made, &mut self.counted.keys, self.game.choice()) {
            keys.push(choice.keys_of(&self.game.table, seat, picked).join("+"));
        }
        let depth = self.counted.keys.as_ref().map_or(0, Vec::len);
        if self.game.answer(seat, picked).is_ok() {
            self.explore(made, moving)?;
        }
        if let (0, Some(keys)) = (made, &mut self.counted.keys) {
            keys.truncate(depth - 1);
        }
        self.game.restore(here);
        Ok(())
    }
}
