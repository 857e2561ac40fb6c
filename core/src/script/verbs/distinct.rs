//! Options that are there twice. Pieces, cards and dice may be alike; a word, a player or a place offered twice is one thing under two names.

use crate::model::value::{Val, handle};
use crate::table::Table;
use foldhash::fast::FixedState;
use ludoteca_vm::Value;
use std::collections::HashSet;

/// Of so many options each is held against all before it; of more a set is made.
const FEW: usize = 12;

/// What an option is that there can be only one of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Single<'v> {
    Word(&'v str),
    Thing(u8, u32),
    Flag(bool),
}

#[inline(always)]
fn single<'v>(table: &'v Table, option: &'v Val) -> Option<Single<'v>> {
    match option {
        Value::Handle(handle::PIECE | handle::CARD, _) => None,
        Value::Handle(handle::WORD, word) => {
            Some(Single::Word(&table.game.lexicon.words[*word as usize]))
        }
        Value::Handle(kind, id) => Some(Single::Thing(*kind, *id)),
        Value::Str(text) => Some(Single::Word(text)),
        Value::Bool(flag) => Some(Single::Flag(*flag)),
        _ => None,
    }
}

/// The first of the options that stands before it already.
#[inline(always)]
pub fn twice<'v>(table: &'v Table, options: &'v [Val]) -> Option<&'v Val> {
    if options.len() > FEW {
        return twice_in_many(table, options);
    }
    let before = |n: usize, one: Single| {
        let mut before = options[..n].iter();
        before.any(|other| single(table, other) == Some(one))
    };
    (1..options.len())
        .find(|&n| single(table, &options[n]).is_some_and(|one| before(n, one)))
        .map(|n| &options[n])
}

#[inline(never)]
fn twice_in_many<'v>(table: &'v Table, options: &'v [Val]) -> Option<&'v Val> {
    let mut seen = HashSet::with_capacity_and_hasher(options.len(), FixedState::default());
    let mut options = options.iter();
    options.find(|option| single(table, option).is_some_and(|one| !seen.insert(one)))
}

/// The first of some words that is one of the options.
#[inline(always)]
pub fn in_both<'v>(table: &'v Table, options: &'v [Val], words: &'v [Val]) -> Option<&'v Val> {
    words.iter().find(|word| {
        let word = single(table, word);
        let mut options = options.iter();
        word.is_some() && options.any(|option| single(table, option) == word)
    })
}
