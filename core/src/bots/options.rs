//! What a seat may answer, as bots see it: options that look the same are one, long lists are thinned out.

use crate::model::streams::Stream;
use crate::model::value::{self, Object, Val, handle};
use crate::play::matches::{BrokenRule, Match};
use crate::play::say;
use crate::table::Table;
use crate::table::choice::{Choice, Extras, Wanted};
use ludoteca_vm::{FnId, Value};

/// Numbers of a long row that are looked at, evenly spread; the one the game likes best besides.
const OF_A_ROW: u32 = 5;
/// The longest row of which all are looked at.
const SHORT_ROW: u32 = 10;
/// Options that are looked at one by one; of more, so many are drawn by chance.
const LISTED: u32 = 4_000;
const DRAWN: u32 = 256;
/// Sets of options that are looked at where several are wanted.
const SETS: usize = 16;
/// The most options of a question that a plan answers in advance.
const PLANNED: u32 = 64;
/// Options for which weights are asked; nobody has an opinion about more.
const WEIGHED: u32 = 1_000;

/// Numbers of options that make one answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pick {
    One(u32),
    Several(Vec<u32>),
}

impl Pick {
    pub fn numbers(&self) -> &[u32] {
        match self {
            Pick::One(n) => std::slice::from_ref(n),
            Pick::Several(numbers) => numbers,
        }
    }

    pub fn into_numbers(self) -> Vec<u32> {
        match self {
            Pick::One(n) => vec![n],
            Pick::Several(numbers) => numbers,
        }
    }
}

/// One answer, and what it looks like: the same on every table on which the seat would say it is the same.
#[derive(Debug, Clone)]
pub struct Candidate {
    pub looks: u64,
    pub pick: Pick,
}

/// The answers a seat has in the open choice, each look once, in the order of the options. What is liked best by `weights`, if there are
/// any, is among them.
pub fn candidates(
    ahead: &Match,
    seat: u8,
    luck: &mut Stream,
    weights: Option<&[u32]>,
) -> Vec<Candidate> {
    let Some(choice) = ahead.choice() else {
        return Vec::new();
    };
    let table = &ahead.table;
    let count = choice.count(table, seat);
    let looks_of = |n: u32| look_of(ahead, choice, seat, n);
    match choice.wanted {
        Wanted::One => {
            let words = choice.ways_out() as u32;
            let mut found: Vec<Candidate> = Vec::with_capacity(count.min(64) as usize);
            let numbers = Thinned::of(count, words, choice.is_row(seat));
            let liked = weights.filter(|_| numbers.leaves_some_out());
            for n in numbers.each(luck).chain(liked.and_then(liked_best)) {
                let looks = looks_of(n);
                if found.len() > LISTED as usize / 16 || found.iter().all(|c| c.looks != looks) {
                    let pick = Pick::One(n);
                    found.push(Candidate { looks, pick });
                }
            }
            found
        }
        Wanted::Some { min, max } => {
            let mut sets: Vec<Vec<u32>> = vec![(0..min).collect(), (0..max).collect()];
            sets.extend((0..SETS).map(|_| choice.wanted.draw(count, luck)));
            sets.sort();
            sets.dedup();
            let mut found: Vec<Candidate> = Vec::new();
            for numbers in sets {
                let looks = together(numbers.iter().map(|&n| looks_of(n)));
                if found.iter().all(|c| c.looks != looks) {
                    let pick = Pick::Several(numbers);
                    found.push(Candidate { looks, pick });
                }
            }
            found
        }
    }
}

/// An answer somebody gave, as a candidate among others.
pub fn candidate(ahead: &Match, seat: u8, picked: &[u32]) -> Option<Candidate> {
    let choice = ahead.choice()?;
    let looks_of = |&n: &u32| look_of(ahead, choice, seat, n);
    Some(match (choice.wanted, picked) {
        (Wanted::One, [n]) => Candidate {
            looks: looks_of(n),
            pick: Pick::One(*n),
        },
        _ => Candidate {
            looks: together(picked.iter().map(looks_of)),
            pick: Pick::Several(picked.to_vec()),
        },
    })
}

fn look_of(ahead: &Match, choice: &Choice, seat: u8, n: u32) -> u64 {
    let table = &ahead.table;
    match (&choice.extras, choice.action_at(n)) {
        (Extras::Actions(_), None) => {
            looks(table, &choice.listed(table, seat, n).unwrap_or_default())
        }
        (_, Some(action)) => {
            let thing = choice.listed(table, seat, n).unwrap_or_default();
            mix(looks(table, action), looks(table, &thing))
        }
        _ => looks(table, &choice.nth(table, seat, n).unwrap_or_default()),
    }
}

/// What a seat is asked and offered, by what it sees of it: pieces by their faces, everything else as it is.
pub fn offered(of: &Match, seat: u8) -> Option<u64> {
    let (choice, table) = (of.choice()?, &of.table);
    let count = choice.count(table, seat);
    let asked = mix(u64::from(choice.prompt), u64::from(count));
    let face = |n: u32| {
        choice
            .listed(table, seat, n)
            .map_or(EMPTY, |option| face(table, &option))
    };
    (count <= PLANNED).then(|| (0..count).map(face).fold(asked, mix))
}

/// What is printed on an option: of a piece its card, and nothing that may have been noted of it in secret.
fn face(table: &Table, option: &Val) -> u64 {
    let of_piece = |id: u32| {
        mix(
            u64::from(id),
            u64::from(table.state.pieces[id as usize].card),
        )
    };
    match option {
        Value::Handle(handle::PIECE, id) => of_piece(*id),
        Value::Array(items) => items
            .iter()
            .fold(EMPTY + 40, |look, item| mix(look, face(table, item))),
        Value::Object(object) => match &**object {
            Object::Pieces(pieces) => pieces
                .iter()
                .fold(EMPTY + 50, |look, &piece| mix(look, of_piece(piece))),
            _ => looks(table, option),
        },
        _ => looks(table, option),
    }
}

/// Which pieces a seat knows.
pub fn known(table: &Table, seat: u8) -> u64 {
    let pieces = 0..table.state.pieces.len() as u32;
    let known = pieces.filter(|&piece| table.knows_piece(seat, piece));
    known.map(u64::from).fold(EMPTY, mix)
}

/// What several options look like, whatever their order.
fn together(looks: impl Iterator<Item = u64>) -> u64 {
    let mut looks: Vec<u64> = looks.collect();
    looks.sort_unstable();
    looks.into_iter().fold(EMPTY, mix)
}

/// The first of the options that weigh most.
fn liked_best(weights: &[u32]) -> Option<u32> {
    let most = weights.iter().copied().max()?;
    (0..)
        .zip(weights)
        .find(|(_, weight)| **weight == most)
        .map(|(n, _)| n)
}

/// Numbers of options worth listing; the words beside them are always among these.
struct Thinned {
    count: u32,
    /// Options that are no words, and how many of them are listed.
    things: u32,
    taken: u32,
    is_row: bool,
}

impl Thinned {
    fn of(count: u32, words: u32, is_row: bool) -> Thinned {
        let things = count - words.min(count);
        let is_row = is_row && things > SHORT_ROW;
        let taken = match things {
            _ if is_row => OF_A_ROW,
            ..=LISTED => things,
            _ => DRAWN,
        };
        Thinned {
            count,
            things,
            taken,
            is_row,
        }
    }

    fn leaves_some_out(&self) -> bool {
        self.taken + (self.count - self.things) < self.count
    }

    fn each(&self, luck: &mut Stream) -> impl Iterator<Item = u32> {
        let things = self.things;
        // Evenly spread, both ends included.
        let of_a_row = move |i: u32| {
            let steps = u64::from(OF_A_ROW) - 1;
            (u64::from(i) * (u64::from(things) - 1) / steps) as u32
        };
        let number = move |i: u32| {
            if self.is_row {
                of_a_row(i)
            } else if things > LISTED {
                luck.below(things)
            } else {
                i
            }
        };
        (0..self.taken).map(number).chain(things..self.count)
    }
}

/// Whether an answer is the word that leaves off: the one beside the list, or the first of several.
pub fn leaves_off(ahead: &Match, seat: u8, pick: &Pick) -> bool {
    let Some(choice) = ahead.choice() else {
        return false;
    };
    let words = choice.ways_out() as u32;
    words > 0 && *pick == Pick::One(choice.count(&ahead.table, seat) - words)
}

/// What the game's `prefer` says of the options of a seat, one weight for each; `None` where it has no opinion.
pub fn weights(ahead: &mut Match, seat: u8) -> Result<Option<Vec<u32>>, BrokenRule> {
    let Some(function) = ahead.game().calls.prefer else {
        return Ok(None);
    };
    let table = &ahead.table;
    let Some(choice) = &table.choice else {
        return Ok(None);
    };
    let count = choice.count(table, seat);
    if count > WEIGHED {
        return Ok(None);
    }
    let options = Value::list((0..count).filter_map(|n| choice.looked_at(table, seat, n)));
    let prompt = Val::written(|text| text.push_str(say::prompt_key(table, choice.prompt)));
    let mut given = [value::player(seat), prompt, options];
    let weighed = weights_by(ahead, function, &given, count);
    // Put back, so that their memory is used again.
    given.iter_mut().for_each(|given| given.put(Value::Unit));
    ahead.note_broken_opinion(function, &weighed);
    weighed
}

fn weights_by(
    ahead: &mut Match,
    function: FnId,
    args: &[Val; 3],
    count: u32,
) -> Result<Option<Vec<u32>>, BrokenRule> {
    let mut answer = ahead.question(function, args)?;
    if answer == Value::Unit {
        return Ok(None);
    }
    let is_below = |w: &Val| matches!(w, Value::Int(..0));
    if answer
        .as_array()
        .is_some_and(|all| all.iter().any(is_below))
    {
        // The author is told; nothing weighs less than nothing.
        let told: Result<(), BrokenRule> =
            Err(ahead.wrong_answer(function, "numbers from 0 on", &answer));
        ahead.note_broken_opinion(function, &told);
    }
    let given: Option<Vec<u32>> = answer.as_array().and_then(|weights| {
        let weight = |w: &Val| Some(w.as_int()?.clamp(0, u32::MAX as i64 / 4096) as u32);
        let mut given = Vec::with_capacity(weights.len());
        for w in weights {
            given.push(weight(w)?);
        }
        Some(given)
    });
    match given {
        Some(weights) if weights.len() == count as usize => {
            answer.put(Value::Unit);
            Ok(Some(weights))
        }
        _ => Err(ahead.wrong_answer(function, "a number for each option, or ()", &answer)),
    }
}

/// What all options of an answer weigh together.
pub fn weight(weights: &[u32], candidate: &Candidate) -> u64 {
    let numbers = candidate.pick.numbers().iter();
    let weights = numbers.map(|&n| u64::from(weights.get(n as usize).copied().unwrap_or(0)));
    weights.sum()
}

const EMPTY: u64 = 0x9e37_79b9_7f4a_7c15;

/// Mixes a number into a look.
pub fn mix(look: u64, number: u64) -> u64 {
    let mixed = (look ^ number).wrapping_mul(0xff51_afd7_ed55_8ccd);
    mixed ^ (mixed >> 32)
}

/// What an option looks like. Copies of a card that lie in the same place in the same way look alike.
fn looks(table: &Table, option: &Val) -> u64 {
    match option {
        Value::Unit => mix(EMPTY, 1),
        Value::Bool(yes) => mix(EMPTY, 2 + *yes as u64),
        Value::Int(n) => mix(EMPTY + 1, *n as u64),
        Value::Handle(handle::PIECE, id) => {
            let piece = &table.state.pieces[*id as usize];
            let row = table.layout.piece_row;
            let place = mix(piece.card as u64, piece.zone as u64);
            table.state.piece_values[*id as usize * row..][..row]
                .iter()
                .fold(mix(place, piece.owner as u64), |look, &n| {
                    mix(look, n as u64)
                })
        }
        Value::Handle(kind, id) => mix(EMPTY + 2 + *kind as u64, *id as u64),
        Value::Small(kind, bytes) => bytes
            .iter()
            .fold(EMPTY + 20 + *kind as u64, |look, &b| mix(look, b as u64)),
        Value::Str(text) => text.bytes().fold(EMPTY + 30, |look, b| mix(look, b as u64)),
        Value::Array(items) => items
            .iter()
            .fold(EMPTY + 40, |look, item| mix(look, looks(table, item))),
        Value::Object(object) => match &**object {
            Object::Pieces(pieces) => pieces.iter().fold(EMPTY + 50, |look, &piece| {
                mix(look, looks(table, &value::piece(piece)))
            }),
            Object::Spaces(set) => set.iter().fold(EMPTY + 60, |look, s| mix(look, s as u64)),
            other => format!("{other:?}")
                .bytes()
                .fold(EMPTY + 70, |look, b| mix(look, b as u64)),
        },
        other => format!("{other:?}")
            .bytes()
            .fold(EMPTY + 80, |look, b| mix(look, b as u64)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(count: u32, words: u32, is_row: bool) -> Vec<u32> {
        let thinned = Thinned::of(count, words, is_row);
        thinned.each(&mut Stream::numbered(7, 0)).collect()
    }

    #[test]
    fn of_a_long_row_some_numbers_are_looked_at_and_every_word() {
        assert_eq!(numbers(23, 2, true), [0, 5, 10, 15, 20, 21, 22]);
        assert_eq!(numbers(10, 0, true), (0..10).collect::<Vec<_>>());
        assert_eq!(numbers(12, 2, true), (0..12).collect::<Vec<_>>());
    }

    #[test]
    fn of_a_long_list_so_many_are_drawn() {
        assert_eq!(numbers(40, 1, false), (0..40).collect::<Vec<_>>());
        let drawn = numbers(LISTED + 2, 1, false);
        assert_eq!(drawn.len(), DRAWN as usize + 1);
        assert_eq!(drawn.last(), Some(&(LISTED + 1)));
        assert!(!Thinned::of(40, 1, false).leaves_some_out());
        assert!(Thinned::of(LISTED + 2, 1, false).leaves_some_out());
    }
}
