//! Looking closely at a match while it is played: who leads, what becomes of its content, which steps leave nothing to decide.

use super::matches::{BrokenRule, Match};
use crate::model::state::{State, Tally};
use crate::table::witness::{Count, Item, Witness};
use ludoteca_vm::FnId;
use std::collections::HashMap;

/// Moments at which a closely watched match says who leads: the eighths of its decisions.
pub const EIGHTHS: usize = 7;
/// Moments of a match that are kept until its length is known, at most; when there are more, every second is forgotten.
const MOMENTS: usize = 32;
/// Parts of a match at whose borders it is asked who led.
const PARTS: u64 = 2 * (EIGHTHS as u64 + 1);

/// What was seen of a match by looking closely.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Close {
    /// Who led at each eighth of the match, by the game's `evaluate`; nobody if several did.
    pub leaders: [Option<u8>; EIGHTHS],
    pub lead_changes: u32,
    pub uses: Vec<Use>,
    pub steps: Vec<StepUse>,
}

/// What became of one item of the content for one seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Use {
    /// The number of a card; after all cards, of a word that is offered as an option, in the order of their texts.
    pub item: u32,
    pub seat: u8,
    pub count: Count,
}

/// How often a step was some player's, and how often that player had nothing to decide in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepUse {
    pub function: String,
    pub times: u32,
    pub idle: u32,
}

/// Somebody who looks closely at matches of one table, one after the other.
#[derive(Debug)]
pub struct CloseLook {
    set_up: bool,
    /// At the table while a match is played, here in between.
    witness: Option<Box<Witness>>,
    /// The item of each word, if it is offered as an option anywhere.
    words: HashMap<u32, u32>,
    /// How the table stood after some decisions; the first `kept` are of this match, the others memory for more. Copying a state is cheap,
    /// asking who leads is not: that waits until it is known which moments are wanted.
    moments: Vec<State>,
    kept: usize,
    stride: u64,
    steps: Vec<(FnId, u32, u32)>,
    /// The tally when the running step began.
    before: Tally,
}

impl CloseLook {
    pub fn new(played: &Match) -> CloseLook {
        let game = played.game();
        let cards = game.definition.cards.len() as u32;
        let options = game.definition.texts.option.keys().zip(cards..);
        CloseLook {
            set_up: false,
            witness: Some(Box::new(Witness::new(&played.table))),
            words: options
                .filter_map(|(word, item)| Some((game.lexicon.find_word(word)?, item)))
                .collect(),
            moments: Vec::new(),
            kept: 0,
            stride: 1,
            steps: Vec::new(),
            before: Tally::default(),
        }
    }

    /// A match begins.
    pub fn begin(&mut self, played: &mut Match) {
        self.set_up = false;
        self.kept = 0;
        self.steps.clear();
        self.stride = 1;
        self.before = played.table.state.tally;
        if let Some(mut witness) = self.witness.take() {
            witness.clear();
            played.table.witness = Some(witness);
        }
    }

    /// The match is between two steps; `ended` if one has just ended. The first time is when the table has been set up.
    pub fn between_steps(&mut self, played: &Match, ended: bool) {
        if self.set_up && ended {
            self.note_step(played);
        }
        self.set_up = true;
        if played.table.state.end.is_none() {
            self.keep_moment(played);
            self.before = played.table.state.tally;
        }
    }

    /// What a step that has just ended left to decide.
    fn note_step(&mut self, played: &Match) {
        let Some((function, Some(_))) = played.step() else {
            return;
        };
        let now = played.table.state.tally;
        let decided = (now.decisions - self.before.decisions) - (now.forced - self.before.forced);
        let idle = (decided == 0) as u32;
        match self.steps.iter_mut().find(|step| step.0 == function) {
            Some(step) => (step.1, step.2) = (step.1 + 1, step.2 + idle),
            None => self.steps.push((function, 1, idle)),
        }
    }

    /// Keeps how the table stands, if it is time again.
    fn keep_moment(&mut self, played: &Match) {
        let state = &played.table.state;
        let last = self.moments[..self.kept].last();
        let next = last.map_or(1, |last| last.tally.decisions + self.stride);
        if state.tally.decisions < next || played.game().calls.evaluate.is_none() {
            return;
        }
        if self.kept == MOMENTS {
            self.kept /= 2;
            for n in 1..self.kept {
                self.moments.swap(n, 2 * n);
            }
            self.stride *= 2;
        }
        match self.moments.get_mut(self.kept) {
            Some(spare) => spare.clone_from(state),
            None => self.moments.push(state.clone()),
        }
        self.kept += 1;
    }

    /// Who led when each part of the match but the last was over; nobody if several did.
    fn leaders(
        &mut self,
        played: &mut Match,
    ) -> Result<[Option<u8>; PARTS as usize - 1], BrokenRule> {
        let total = played.table.state.tally.decisions;
        let mut leaders = [None; PARTS as usize - 1];
        let mut asked = None;
        for (part, leader) in (1..).zip(&mut leaders) {
            let until = total * part / PARTS;
            let kept =
                self.moments[..self.kept].partition_point(|state| state.tally.decisions <= until);
            let Some(kept) = kept.checked_sub(1) else {
                continue;
            };
            *leader = match asked {
                Some((last, leader)) if last == kept => leader,
                _ => self.leader(played, kept)?,
            };
            asked = Some((kept, *leader));
        }
        Ok(leaders)
    }

    /// Who led at a moment that was kept.
    fn leader(&mut self, played: &mut Match, kept: usize) -> Result<Option<u8>, BrokenRule> {
        std::mem::swap(&mut played.table.state, &mut self.moments[kept]);
        let mut best: Option<(i64, Option<u8>)> = None;
        let mut broken = None;
        for seat in 0..played.table.players() {
            if played.table.state.is_out(seat) {
                continue;
            }
            let value = match played.evaluate(seat) {
                Ok(value) => value,
                Err(error) => {
                    broken = Some(error);
                    break;
                }
            };
            best = match best {
                Some((most, _)) if value == most => Some((most, None)),
                Some((most, leader)) if value < most => Some((most, leader)),
                _ => Some((value, Some(seat))),
            };
        }
        std::mem::swap(&mut played.table.state, &mut self.moments[kept]);
        match broken {
            Some(error) => Err(error),
            None => Ok(best.and_then(|(_, leader)| leader)),
        }
    }

    /// The match is over: what was seen of it, if it was looked at.
    pub fn end(&mut self, played: &mut Match) -> Result<Option<Close>, BrokenRule> {
        if played.table.witness.is_none() {
            return Ok(None);
        }
        let parts = self.leaders(played)?;
        let Some(mut witness) = played.table.witness.take() else {
            return Ok(None);
        };
        let led: Vec<u8> = parts.iter().flatten().copied().collect();
        let uses = witness
            .seen()
            .filter_map(|(item, seat, count)| {
                let item = match item {
                    Item::Card(card) => card,
                    Item::Word(word) => *self.words.get(&word)?,
                };
                Some(Use { item, seat, count })
            })
            .collect();
        let program = &played.game().program;
        let mut steps: Vec<StepUse> = self
            .steps
            .iter()
            .map(|&(function, times, idle)| StepUse {
                function: program.info(function).name.clone(),
                times,
                idle,
            })
            .collect();
        steps.sort_by(|a, b| a.function.cmp(&b.function));
        self.witness = Some(witness);
        Ok(Some(Close {
            leaders: std::array::from_fn(|eighth| parts[2 * eighth + 1]),
            lead_changes: led.windows(2).filter(|pair| pair[0] != pair[1]).count() as u32,
            uses,
            steps,
        }))
    }
}
