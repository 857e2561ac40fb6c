//! Looking closely at a match while it is played: who leads, what becomes of its content, which steps leave nothing to decide.

use super::matches::{BrokenRule, Match};
use crate::content::definition::{Attribute, AttributeType};
use crate::model::state::{State, Tally};
use crate::model::value::handle;
use crate::table::Table;
use crate::table::purchases::price_names;
use crate::table::witness::{Count, Item, Wait, Witness};
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
    /// What `evaluate` said of each seat when each sixteenth of the match but the last was over; nothing of one that is out. Empty without an
    /// `evaluate`.
    pub values: Vec<Vec<Option<i64>>>,
    /// For each seat, how it waited for its turn.
    pub waits: Vec<Wait>,
    /// What came and went in steps, of the numbers that players and spaces have.
    pub flows: Vec<Turnover>,
    /// What became of the spaces, if somebody can hold them.
    pub spaces: Vec<SpaceUse>,
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

/// What became of a space that somebody can hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpaceUse {
    pub space: u32,
    /// Out of a thousand moments between steps, how often somebody held it.
    pub held: u32,
    /// How often it went from one to another.
    pub fought: u32,
}

/// How much of a number came and went in a step, over all players or spaces. What a step moves from one to another of them is neither.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turnover {
    pub step: String,
    /// `player.resources`, `space.units`; of a price (`prices.unit`) it comes as often as it is paid.
    pub attribute: String,
    pub gained: u64,
    pub lost: u64,
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
    /// Numbers of players and spaces as they were when the running step began, and what has come and gone since the match began.
    numbers: Vec<i64>,
    flows: Vec<(FnId, usize, u64, u64)>,
    /// Of every space: who held it last, moments at which somebody did, and changes of hands; and all moments.
    holders: Vec<(i32, u32, u32)>,
    looks: u32,
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
            numbers: Vec::new(),
            flows: Vec::new(),
            holders: Vec::new(),
            looks: 0,
        }
    }

    /// A match begins.
    pub fn begin(&mut self, played: &mut Match) {
        self.set_up = false;
        self.kept = 0;
        self.steps.clear();
        self.flows.clear();
        self.holders.clear();
        self.looks = 0;
        self.stride = 1;
        self.before = played.table.state.tally;
        if let Some(mut witness) = self.witness.take() {
            witness.clear();
            played.table.witness = Some(witness);
        }
    }

    /// The match is between two steps; `ended` if one has just ended. The first time is when the table has been set up.
    pub fn between_steps(&mut self, played: &mut Match, ended: bool) {
        if self.set_up && ended {
            self.note_step(played);
            self.note_flows(played);
            self.note_purchases(played);
        } else if !self.set_up {
            self.numbers = numbers(&played.table);
        }
        self.note_holders(&played.table);
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

    /// What came and went in a step that has just ended.
    fn note_flows(&mut self, played: &Match) {
        let Some((function, _)) = played.step() else {
            return;
        };
        let now = numbers(&played.table);
        for (at, (before, after)) in self.numbers.iter().zip(&now).enumerate() {
            if before == after {
                continue;
            }
            let (gained, lost) = ((after - before).max(0), (before - after).max(0));
            let mut known = self.flows.iter_mut();
            match known.find(|flow| flow.0 == function && flow.1 == at) {
                Some(flow) => (flow.2, flow.3) = (flow.2 + gained as u64, flow.3 + lost as u64),
                None => self.flows.push((function, at, gained as u64, lost as u64)),
            }
        }
        self.numbers = now;
    }

    /// What was paid for in a step that has just ended: prices stand after the numbers.
    fn note_purchases(&mut self, played: &mut Match) {
        let Some((function, _)) = played.step() else {
            return;
        };
        let Some(mut witness) = played.table.witness.take() else {
            return;
        };
        witness.purchases.look(&played.table);
        let bought = witness.purchases.take();
        played.table.witness = Some(witness);
        let all = (self.numbers.len()..).zip(bought);
        for (at, times) in all.filter(|(_, times)| *times > 0) {
            let mut known = self.flows.iter_mut();
            match known.find(|flow| flow.0 == function && flow.1 == at) {
                Some(flow) => flow.2 += times,
                None => self.flows.push((function, at, times, 0)),
            }
        }
    }

    /// Who holds which space, by the first attribute of spaces that names a player.
    fn note_holders(&mut self, table: &Table) {
        let attributes = &table.game.definition.attributes.space;
        let Some(holder) = attributes
            .iter()
            .position(|a| a.ty == AttributeType::Player)
        else {
            return;
        };
        const NOBODY: i32 = -1;
        self.holders
            .resize(table.layout.spaces as usize, (NOBODY, 0, 0));
        self.looks += 1;
        for (space, (last, held, fought)) in (0..).zip(&mut self.holders) {
            let now = table.number(handle::SPACE, holder, space, 0);
            if now != NOBODY {
                *held += 1;
                *fought += u32::from(*last != NOBODY && *last != now);
                *last = now;
            }
        }
    }

    fn space_uses(&self) -> Vec<SpaceUse> {
        let looks = u64::from(self.looks.max(1));
        let uses = (0..).zip(&self.holders);
        uses.filter(|(_, (_, held, _))| *held > 0)
            .map(|(space, &(_, held, fought))| SpaceUse {
                space,
                held: (u64::from(held) * 1000 / looks) as u32,
                fought,
            })
            .collect()
    }

    /// What came and went, by step and attribute: all players together.
    fn all_flows(&self, played: &Match) -> Vec<Turnover> {
        let mut names = number_names(&played.table);
        names.extend(price_names(&played.game().definition));
        let mut all: Vec<Turnover> = Vec::new();
        for &(function, at, gained, lost) in &self.flows {
            let step = &played.game().program.info(function).name;
            let attribute = &names[at];
            let mut known = all.iter_mut();
            match known.find(|flow| flow.step == *step && flow.attribute == *attribute) {
                Some(flow) => {
                    flow.gained += gained;
                    flow.lost += lost;
                }
                None => all.push(Turnover {
                    step: step.clone(),
                    attribute: attribute.clone(),
                    gained,
                    lost,
                }),
            }
        }
        all.sort_by(|a, b| (&a.attribute, &a.step).cmp(&(&b.attribute, &b.step)));
        all
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

    /// What `evaluate` said when each part of the match but the last was over; nothing where it broke.
    fn values(&mut self, played: &mut Match) -> Vec<Vec<Option<i64>>> {
        let total = played.table.state.tally.decisions;
        let mut values = Vec::new();
        let mut asked: Option<(usize, Vec<Option<i64>>)> = None;
        for part in 1..PARTS {
            let until = total * part / PARTS;
            let kept =
                self.moments[..self.kept].partition_point(|state| state.tally.decisions <= until);
            let Some(kept) = kept.checked_sub(1) else {
                values.push(Vec::new());
                continue;
            };
            let now = match asked {
                Some((last, values)) if last == kept => values,
                _ => self.values_at(played, kept),
            };
            values.push(now.clone());
            asked = Some((kept, now));
        }
        values
    }

    /// What `evaluate` says of each seat at a moment that was kept. Where it breaks that is noted, and the match counts all the same.
    fn values_at(&mut self, played: &mut Match, kept: usize) -> Vec<Option<i64>> {
        std::mem::swap(&mut played.table.state, &mut self.moments[kept]);
        let seats = 0..played.table.players();
        let values: Result<Vec<Option<i64>>, BrokenRule> = seats
            .map(|seat| match played.table.state.is_out(seat) {
                true => Ok(None),
                false => played.evaluate(seat).map(Some),
            })
            .collect();
        std::mem::swap(&mut played.table.state, &mut self.moments[kept]);
        values.unwrap_or_default()
    }

    /// The match is over: what was seen of it, if it was looked at.
    pub fn end(&mut self, played: &mut Match) -> Option<Close> {
        played.table.witness.as_ref()?;
        let values = match played.game().calls.evaluate {
            Some(_) => self.values(played),
            None => Vec::new(),
        };
        let parts: Vec<Option<u8>> = values.iter().map(|values| leader(values)).collect();
        let mut witness = played.table.witness.take()?;
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
        let waits = witness.waits().to_vec();
        self.witness = Some(witness);
        Some(Close {
            leaders: std::array::from_fn(|eighth| parts.get(2 * eighth + 1).copied().flatten()),
            lead_changes: led.windows(2).filter(|pair| pair[0] != pair[1]).count() as u32,
            uses,
            steps,
            values,
            waits,
            flows: self.all_flows(played),
            spaces: self.space_uses(),
        })
    }
}

/// Who leads by what is said of each seat; nobody if several do.
pub fn leader(values: &[Option<i64>]) -> Option<u8> {
    let most = values.iter().flatten().max()?;
    let mut best = (0u8..)
        .zip(values)
        .filter(|(_, v)| v.as_ref() == Some(most));
    let (seat, _) = best.next()?;
    best.next().is_none().then_some(seat)
}

/// Whole numbers that players have, for each seat, and those of all spaces together.
fn numbers(table: &Table) -> Vec<i64> {
    let attributes = &table.game.definition.attributes;
    let sum = |kind: u8, index: usize, width: u32, id: u32| -> i64 {
        let columns = 0..width;
        columns
            .map(|column| i64::from(table.number(kind, index, id, column)))
            .sum()
    };
    let mut all = Vec::new();
    for index in whole_numbers(&attributes.player) {
        let width = table.layout.player[index].width;
        let seats = 0..u32::from(table.players());
        all.extend(seats.map(|seat| sum(handle::PLAYER, index, width, seat)));
    }
    for index in whole_numbers(&attributes.space) {
        let width = table.layout.space[index].width;
        let spaces = 0..table.layout.spaces;
        all.push(
            spaces
                .map(|space| sum(handle::SPACE, index, width, space))
                .sum(),
        );
    }
    all
}

/// What [`numbers`] are called.
fn number_names(table: &Table) -> Vec<String> {
    let attributes = &table.game.definition.attributes;
    let mut names = Vec::new();
    for index in whole_numbers(&attributes.player) {
        let name = format!("player.{}", attributes.player[index].name);
        names.extend(std::iter::repeat_n(name, table.players() as usize));
    }
    let of_spaces = whole_numbers(&attributes.space);
    names.extend(of_spaces.map(|index| format!("space.{}", attributes.space[index].name)));
    names
}

fn whole_numbers(attributes: &[Attribute]) -> impl Iterator<Item = usize> + '_ {
    let of_type = |index: &usize| attributes[*index].ty == AttributeType::Int;
    (0..attributes.len()).filter(of_type)
}
