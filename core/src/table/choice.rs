//! A choice that waits for its answer: who is asked what, among which options, and how options are named.

use super::Table;
use super::event::Hearers;
use super::label;
use crate::content::definition::Text;
use crate::content::legible::shortened;
use crate::model::streams::Stream;
use crate::model::value::{self, Object, Val, handle};
use ludoteca_vm::{Host, List, Range, Shared, Value};
use std::collections::HashMap;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, LazyLock};

/// The answer of a player who leaves the match, where the game allows it.
pub const LEAVE: &str = "/leave";

/// How many of the options are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    One,
    /// Between so many and so many, all different.
    Some {
        min: u32,
        max: u32,
    },
}

impl Wanted {
    /// One of so many options, or so many different ones. Who answers on the spot and who is asked from outside draw the same.
    pub fn draw(self, count: u32, luck: &mut Stream) -> Vec<u32> {
        let mut picked = Vec::new();
        self.draw_into(count, luck, &mut picked);
        picked
    }

    /// The same in an empty list that is there already.
    pub fn draw_into(self, count: u32, luck: &mut Stream, picked: &mut Vec<u32>) {
        match self {
            Wanted::One => picked.push(luck.below(count)),
            Wanted::Some { min, max } => {
                let wanted = min + luck.below(max - min + 1);
                picked.extend(0..count);
                luck.shuffle(picked);
                picked.truncate(wanted as usize);
                picked.sort_unstable();
            }
        }
    }
}

/// Words offered beside the options.
#[derive(Debug, Clone)]
pub enum Extras {
    None,
    /// One way out; choosing it answers `()`.
    Out(Val),
    /// Several; choosing one answers with the word.
    Words(Shared<List<Object>>),
    /// Words among what may be done; choosing one, or a thing, answers with the action.
    Actions(Shared<Actions>),
}

/// What may be done in one choice: something with one of several things, or something alone.
#[derive(Debug, Clone, Default)]
pub struct Actions {
    /// Actions on things, and how many of the options each has, in their order.
    pub on: Vec<(Val, u32)>,
    /// Actions alone.
    pub alone: Vec<Val>,
}

impl Actions {
    /// The action whose thing is the n-th option.
    fn at(&self, mut n: u32) -> Option<&Val> {
        let found = self.on.iter().find(|(_, count)| {
            let here = n < *count;
            n = n.saturating_sub(*count);
            here
        });
        found.map(|(name, _)| name)
    }
}

/// What may be done now, by the numbers of the actions a prompt lists: with things, of which there are so many, or alone.
#[derive(Debug, Default)]
pub struct OfferedActions {
    pub on: Vec<(u32, Val, u32)>,
    pub alone: Vec<u32>,
}

/// What a script gets for an action: its name, and what it is done with.
pub fn action(name: Val, on: Val) -> Val {
    static KEYS: LazyLock<[Arc<str>; 2]> = LazyLock::new(|| ["action".into(), "on".into()]);
    let [action_key, on_key] = &*KEYS;
    Value::entries([action_key, on_key].into_iter(), [name, on])
}

/// What one seat is asked.
#[derive(Debug, Clone)]
pub struct Ask {
    pub seat: u8,
    /// A collection; never listed unless somebody looks.
    pub options: Val,
    /// How many there are.
    pub count: u32,
    pub answer: Option<Val>,
}

/// What was offered and what was answered leave their memory to what is offered next.
impl Drop for Ask {
    fn drop(&mut self) {
        self.options.put(Value::Unit);
        if let Some(answer) = &mut self.answer {
            answer.put(Value::Unit);
        }
    }
}

/// Who is asked: one seat, which needs no list; or several at once, who answer in secret.
#[derive(Debug, Clone)]
pub enum Asks {
    One(Ask),
    Together(Vec<Ask>),
}

impl Deref for Asks {
    type Target = [Ask];

    fn deref(&self) -> &[Ask] {
        match self {
            Asks::One(ask) => std::slice::from_ref(ask),
            Asks::Together(asks) => asks,
        }
    }
}

impl DerefMut for Asks {
    fn deref_mut(&mut self) -> &mut [Ask] {
        match self {
            Asks::One(ask) => std::slice::from_mut(ask),
            Asks::Together(asks) => asks,
        }
    }
}

impl<'a> IntoIterator for &'a Asks {
    type Item = &'a Ask;
    type IntoIter = std::slice::Iter<'a, Ask>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a> IntoIterator for &'a mut Asks {
    type Item = &'a mut Ask;
    type IntoIter = std::slice::IterMut<'a, Ask>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

/// A question the rules have asked and nobody has answered yet.
#[derive(Debug, Clone)]
pub struct Choice {
    /// Index of the prompt's text.
    pub prompt: u32,
    /// A map that fills the prompt's braces, or `()`.
    pub details: Val,
    pub wanted: Wanted,
    pub extras: Extras,
    pub asks: Asks,
}

/// An answer was not one the choice offers.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AnswerError {
    #[error("seat {0} has nothing to choose now")]
    NotAsked(u8),
    #[error("`{key}` is not among the options{}", hint(.suggestion))]
    UnknownOption {
        key: String,
        suggestion: Option<String>,
    },
    #[error("expected {expected} of the options, found {found}")]
    WrongCount { expected: String, found: usize },
    #[error("`{0}` is named twice")]
    Twice(String),
    #[error("nobody may leave this game before its end")]
    MustStay,
}

impl AnswerError {
    /// A stable name for programs.
    pub fn code(&self) -> &'static str {
        match self {
            AnswerError::NotAsked(_) => "not-asked",
            AnswerError::UnknownOption { .. } => "unknown-option",
            AnswerError::WrongCount { .. } => "wrong-count",
            AnswerError::Twice(_) => "twice",
            AnswerError::MustStay => "must-stay",
        }
    }
}

fn hint(suggestion: &Option<String>) -> String {
    suggestion
        .as_ref()
        .map_or(String::new(), |s| format!("; did you mean `{s}`?"))
}

impl Choice {
    /// Several seats are asked at once.
    pub fn together(&self) -> bool {
        matches!(self.asks, Asks::Together(_))
    }

    /// Counts the options again: the table was changed behind the choice.
    pub fn recount(&mut self, table: &Table) {
        for ask in self.asks.iter_mut() {
            ask.count = table.count(&ask.options);
            // Things of several actions are listed one by one; those of a single one are whatever they are now.
            if let Extras::Actions(actions) = &mut self.extras
                && let [(_, count)] = &mut Shared::make_mut(actions).on[..]
            {
                *count = ask.count;
            }
        }
    }

    /// The first seat that has not answered.
    pub fn waiting(&self) -> Option<u8> {
        self.asks
            .iter()
            .find(|ask| ask.answer.is_none())
            .map(|ask| ask.seat)
    }

    pub fn ask(&self, seat: u8) -> Option<&Ask> {
        self.asks
            .iter()
            .find(|ask| ask.seat == seat && ask.answer.is_none())
    }

    /// The words offered beside the options.
    pub fn extra_words(&self) -> &[Val] {
        match &self.extras {
            Extras::None => &[],
            Extras::Out(word) => std::slice::from_ref(word),
            Extras::Words(words) => words,
            Extras::Actions(actions) => &actions.alone,
        }
    }

    /// The action whose thing the n-th option is, where there are several such.
    pub fn action_at(&self, n: u32) -> Option<&Val> {
        match &self.extras {
            Extras::Actions(actions) if actions.on.len() > 1 => actions.at(n),
            _ => None,
        }
    }

    /// How many of the options, the last ones, are words beside the list.
    pub fn ways_out(&self) -> usize {
        self.extra_words().len()
    }

    /// How many options a seat has, the words beside them included.
    pub fn count(&self, table: &Table, seat: u8) -> u32 {
        self.ask(seat).map_or(0, |ask| {
            debug_assert_eq!(ask.count, table.count(&ask.options), "counted when asked");
            ask.count + self.extra_words().len() as u32
        })
    }

    /// The `n`-th option as the script will see it.
    pub fn nth(&self, table: &Table, seat: u8, n: u32) -> Option<Val> {
        let ask = self.ask(seat)?;
        if n < ask.count {
            let thing = table.nth(&ask.options, n as i64)?;
            return Some(match &self.extras {
                Extras::Actions(actions) => action(actions.at(n)?.clone(), thing),
                _ => thing,
            });
        }
        let word = self.extra_words().get((n - ask.count) as usize)?.clone();
        Some(match self.extras {
            Extras::Out(_) => Value::Unit,
            Extras::Actions(_) => action(word, Value::Unit),
            _ => word,
        })
    }

    /// The same for whoever is asked, written where the script will see it; whether there is such an option.
    #[inline(always)]
    pub fn write_nth(&self, table: &Table, ask: &Ask, n: u32, place: &mut Val) -> bool {
        match self.extras {
            Extras::None | Extras::Out(_) | Extras::Words(_) if n < ask.count => {
                table.write_nth(&ask.options, n, place)
            }
            Extras::Out(_) if n == ask.count => {
                place.put(Value::Unit);
                true
            }
            _ => {
                let found = self.nth(table, ask.seat, n);
                found.map(|found| place.put_made(found)).is_some()
            }
        }
    }

    /// The option as scripts look at it beforehand, for a note or a preference: a way out is its word.
    pub fn looked_at(&self, table: &Table, seat: u8, n: u32) -> Option<Val> {
        match &self.extras {
            Extras::Actions(_) => self.nth(table, seat, n),
            _ => self.listed(table, seat, n),
        }
    }

    /// The option as it is listed: words stay words.
    pub fn listed(&self, table: &Table, seat: u8, n: u32) -> Option<Val> {
        let ask = self.ask(seat)?;
        if n < ask.count {
            table.nth(&ask.options, n as i64)
        } else {
            self.extra_words().get((n - ask.count) as usize).cloned()
        }
    }

    /// Who may hear what a seat chooses: nobody else where several answer in secret or the prompt says so, otherwise those who see
    /// everything that is offered. To take one and to leave all alone tell the same of what could have been taken.
    pub fn hearers(&self, table: &Table, seat: u8) -> Hearers {
        let secret = table.game.lexicon.manners[self.prompt as usize].secret;
        match self.ask(seat) {
            Some(ask) if !self.together() && !secret => {
                table.who_sees_options(&ask.options).with(seat)
            }
            _ => Hearers::only(seat),
        }
    }

    /// Stable readable keys of all options, in order. Copies of one card are told apart by `#2`, `#3`; where an action has the same thing
    /// as one before it, its name comes first.
    pub fn keys(&self, table: &Table, seat: u8) -> Vec<String> {
        let mut seen: HashMap<String, u32> = HashMap::new();
        let mut first: HashMap<String, &Val> = HashMap::new();
        let numbers = 0..self.count(table, seat);
        let listed = numbers.filter_map(|n| Some((n, self.listed(table, seat, n)?)));
        listed
            .map(|(n, option)| {
                let mut key = key(table, &option);
                if let Some(action) = self.action_at(n)
                    && *first.entry(key.clone()).or_insert(action) != action
                {
                    key = format!("{}:{key}", table.display(action));
                }
                let copies = seen.entry(key.clone()).or_insert(0);
                *copies += 1;
                if *copies == 1 {
                    key
                } else {
                    format!("{key}#{copies}")
                }
            })
            .collect()
    }

    /// The keys of some options, by their numbers. A long row of numbers is not listed for it.
    pub fn keys_of(&self, table: &Table, seat: u8, picked: &[u32]) -> Vec<String> {
        if self.row(seat).is_some() {
            return picked
                .iter()
                .filter_map(|&n| Some(key(table, &self.listed(table, seat, n)?)))
                .collect();
        }
        let keys = self.keys(table, seat);
        picked
            .iter()
            .filter_map(|&n| keys.get(n as usize).cloned())
            .collect()
    }

    /// Whether a seat is offered numbers in a row.
    pub fn is_row(&self, seat: u8) -> bool {
        self.row(seat).is_some()
    }

    /// Numbers in a row, if that is what a seat is offered.
    fn row(&self, seat: u8) -> Option<&Range> {
        match &self.ask(seat)?.options {
            Value::Range(row) => Some(row),
            _ => None,
        }
    }

    /// The option that is this number, in a row of numbers.
    fn in_row(&self, table: &Table, seat: u8, name: &str) -> Option<u32> {
        let n = name
            .parse::<i64>()
            .ok()?
            .checked_sub(self.row(seat)?.from)?;
        u32::try_from(n)
            .ok()
            .filter(|&n| n + (self.ways_out() as u32) < self.count(table, seat))
    }

    /// What a person reads for each option.
    pub fn labels(&self, table: &Table, seat: u8) -> Vec<Text> {
        let numbers = 0..self.count(table, seat);
        numbers.filter_map(|n| self.label(table, seat, n)).collect()
    }

    /// What a person reads for the option with this number.
    pub fn label(&self, table: &Table, seat: u8, n: u32) -> Option<Text> {
        let thing = label::label(table, &self.listed(table, seat, n)?);
        Some(match self.action_at(n) {
            Some(action) => label::label_of_action(table, action, thing),
            None => thing,
        })
    }

    /// Turns the keys somebody named into the numbers of options.
    pub fn find(&self, table: &Table, seat: u8, named: &[String]) -> Result<Vec<u32>, AnswerError> {
        if self.ask(seat).is_none() {
            return Err(AnswerError::NotAsked(seat));
        }
        let listed = self.row(seat).is_none();
        let keys = if listed {
            self.keys(table, seat)
        } else {
            self.extra_words()
                .iter()
                .map(|word| key(table, word))
                .collect()
        };
        let first = if listed {
            0
        } else {
            self.count(table, seat) - keys.len() as u32
        };
        let mut picked = Vec::with_capacity(named.len());
        for name in named {
            let by_key = keys
                .iter()
                .position(|k| k == name)
                .map(|n| first + n as u32);
            let Some(n) = self.in_row(table, seat, name).or(by_key) else {
                return Err(AnswerError::UnknownOption {
                    key: shortened(name).into_owned(),
                    suggestion: ludoteca_vm::nearest(name, &keys).map(str::to_string),
                });
            };
            if picked.contains(&n) {
                return Err(AnswerError::Twice(name.clone()));
            }
            picked.push(n);
        }
        self.check_count(picked.len())?;
        Ok(picked)
    }

    fn check_count(&self, found: usize) -> Result<(), AnswerError> {
        match self.wanted {
            Wanted::One if found == 1 => Ok(()),
            Wanted::Some { min, max } if (min as usize..=max as usize).contains(&found) => Ok(()),
            _ => Err(self.wrong_count(found)),
        }
    }

    #[cold]
    fn wrong_count(&self, found: usize) -> AnswerError {
        let expected = match self.wanted {
            Wanted::One => "one".to_string(),
            Wanted::Some { min, max } => format!("between {min} and {max}"),
        };
        AnswerError::WrongCount { expected, found }
    }

    /// Notes a seat's answer by the numbers of its options.
    pub fn answer(&mut self, table: &Table, seat: u8, picked: &[u32]) -> Result<(), AnswerError> {
        if self.ask(seat).is_none() {
            return Err(AnswerError::NotAsked(seat));
        }
        self.check_count(picked.len())?;
        let found = |&n: &u32| self.nth(table, seat, n);
        let answer = match self.wanted {
            Wanted::One => picked.first().and_then(found),
            Wanted::Some { .. } => {
                let count = self.count(table, seat);
                let there = picked.iter().all(|&n| n < count);
                there.then(|| Value::list(picked.iter().filter_map(found)))
            }
        };
        let Some(answer) = answer else {
            return Err(AnswerError::UnknownOption {
                key: format!("{picked:?}"),
                suggestion: None,
            });
        };
        if let Some(ask) = self
            .asks
            .iter_mut()
            .find(|ask| ask.seat == seat && ask.answer.is_none())
        {
            ask.answer = Some(answer);
        }
        Ok(())
    }

    /// What the script's call returns, once everybody has answered.
    pub fn result(&self) -> Option<Val> {
        match &self.asks {
            Asks::One(ask) => ask.answer.clone(),
            Asks::Together(asks) => {
                let all = asks.iter().all(|ask| ask.answer.is_some());
                all.then(|| Value::list(asks.iter().filter_map(|ask| ask.answer.clone())))
            }
        }
    }
}

/// The key of an option: ids, numbers, words; `a>b` for a border, `a+b` for a list.
pub fn key(table: &Table, option: &Val) -> String {
    match option {
        Value::Bool(true) => "yes".into(),
        Value::Bool(false) => "no".into(),
        Value::Handle(handle::PLAYER, seat) => format!("p{seat}"),
        Value::Handle(handle::EDGE, id) => {
            let (from, to) = value::ends(*id);
            format!("{}>{}", table.space_id(from), table.space_id(to))
        }
        Value::Handle(handle::PIECE, _) => table.display(&table.card_of(option)),
        Value::Array(items) => items
            .iter()
            .map(|item| key(table, item))
            .collect::<Vec<_>>()
            .join("+"),
        other => table.display(other),
    }
}
