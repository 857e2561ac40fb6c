//! Choices: a rule asks where the rulebook asks, and goes on with the answer on the next line.

use super::cost::{self, Cost};
use super::distinct;
use super::{ANY, COLLECTION, INT, P, PLAYER, Verb, amount as amount_of};
use crate::limits::{LARGEST_OPTION, LISTED_OPTIONS, MOST_OPTIONS, MOST_PLAYERS};
use crate::model::value::{Object, SeatRow, Val, handle, listed_seats, small};
use crate::table::Table;
use crate::table::choice::{self, Actions, Ask, Asks, Choice, Extras, OfferedActions, Wanted};
use crate::table::lexicon::Action;
use crate::table::types::{self, domain};
use crate::table::{label, weight};
use ludoteca_vm::{Call, Flow, Host, HostError, Type, Value};

const ROOM: &str = "Choices";
const PROMPT: P = P::Name(domain::PROMPT);
const DETAILS: P = P::Of(Type::Map);
const WAYS_OUT: P = P::NameOr(domain::OPTION, &[Type::Array]);
const SEATS: P = P::Either(&[types::PLAYERS, Type::Array]);

pub const VERBS: &[Verb] = &[
    Verb {
        room: ROOM,
        name: "choose",
        params: &[
            ("player", PLAYER),
            ("prompt", PROMPT),
            ("options", COLLECTION),
        ],
        optional: &[("details", DETAILS)],
        result: Type::Any,
        doc: "one of the options; there must be at least one. Details fill the braces of the prompt's text, here and below",
        cost: Cost::Of(cost::choose),
        call: choose,
    },
    Verb {
        room: ROOM,
        name: "choose_or",
        params: &[
            ("player", PLAYER),
            ("prompt", PROMPT),
            ("options", COLLECTION),
            ("word", WAYS_OUT),
        ],
        optional: &[("details", DETAILS)],
        result: Type::Any,
        doc: "one of the options, or () for the word; with a list of words the word itself, the first of them the one that leaves off",
        cost: Cost::Of(cost::choose_or),
        call: choose_or,
    },
    Verb {
        room: ROOM,
        name: "choose_action",
        params: &[
            ("player", PLAYER),
            ("prompt", PROMPT),
            ("actions", P::Of(Type::Map)),
        ],
        optional: &[("details", DETAILS)],
        result: Type::Map,
        doc: "one of several things to do, as `.action` and what it is done with, `.on`: a collection has an option for each member, () and true one for the action alone, false and an empty collection none. The prompt lists its `actions` in their order; those alone come last, the first of them the one that leaves off",
        cost: Cost::Of(cost::choose_action),
        call: choose_action,
    },
    Verb {
        room: ROOM,
        name: "choose_some",
        params: &[
            ("player", PLAYER),
            ("prompt", PROMPT),
            ("options", COLLECTION),
            ("min", INT),
            ("max", INT),
        ],
        optional: &[("details", DETAILS)],
        result: Type::Array,
        doc: "between min and max different options, as an array",
        cost: Cost::Of(cost::choose_some),
        call: choose_some,
    },
    Verb {
        room: ROOM,
        name: "choose_amount",
        params: &[
            ("player", PLAYER),
            ("prompt", PROMPT),
            ("low", INT),
            ("high", INT),
        ],
        optional: &[("details", DETAILS)],
        result: Type::Int,
        doc: "a number from low to high",
        cost: Cost::Of(cost::details::<4>),
        call: choose_amount,
    },
    Verb {
        room: ROOM,
        name: "choose_yes",
        params: &[("player", PLAYER), ("prompt", PROMPT)],
        optional: &[("details", DETAILS)],
        result: Type::Bool,
        doc: "yes or no",
        cost: Cost::Of(cost::details::<2>),
        call: choose_yes,
    },
    Verb {
        room: ROOM,
        name: "choose_together",
        params: &[("players", SEATS), ("prompt", PROMPT), ("options", ANY)],
        optional: &[],
        result: Type::Array,
        doc: "every player answers in secret, then all answers at once, in the players' order; options for all, or an array with a list or set of options for each player",
        cost: Cost::Of(cost::choose_together),
        call: choose_together,
    },
];

/// An argument that may have been left out.
fn optional(call: &Call<Object>, i: usize) -> Val {
    match i < call.given() {
        true => call.arg(i).clone(),
        false => Value::Unit,
    }
}

/// The n-th option is the answer; whoever watches is told.
#[inline(always)]
fn give(table: &mut Table, call: Call<Object>, seat: u8, n: u32) -> Result<Flow, HostError> {
    if table.witness.is_some() {
        let picked = table.nth(call.arg(2), n as i64).unwrap_or_default();
        table.witness_choice(seat, prompt_of(&call), call.arg(2), &picked);
    }
    table.give_nth(call, 2, n)
}

/// The number of a choice's prompt, for whoever watches; the check before play has seen to it that there is one.
fn prompt_of(call: &Call<Object>) -> u32 {
    call.int(1).map_or(u32::MAX, |prompt| prompt as u32)
}

fn choose(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let seat = call.handle(0, handle::PLAYER)? as u8;
    let count = table.count(call.arg(2));
    if count == 0 {
        return Err(nothing_to_choose(table, &call));
    }
    begin(table, seat, call.arg(2), count)?;
    if count == 1 {
        return give(table, call, seat, 0);
    }
    if let Some(mut stream) = table.random_seat(seat) {
        let n = stream.below(count);
        return give(table, call, seat, n);
    }
    let details = optional(&call, 3);
    ask(
        table,
        &call,
        one_seat(seat, call.arg(2).clone(), count),
        details,
        Wanted::One,
        Extras::None,
    )
}

fn choose_or(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let seat = call.handle(0, handle::PLAYER)? as u8;
    let listed = table.count(call.arg(2)).min(MOST_OPTIONS + 1);
    let words = match call.arg(3) {
        Value::Array(words) => words.len() as u32,
        _ => 1,
    };
    if listed + words == 0 {
        return Err(nothing_to_choose(table, &call));
    }
    begin(table, seat, call.arg(2), listed + words)?;
    options_are_sound(table, call.arg(3))?;
    is_beside(table, call.arg(2), call.arg(3))?;
    let forced = listed + words == 1;
    let drawn = table.random_seat(seat).map(|mut stream| {
        if forced {
            0
        } else {
            stream.below(listed + words)
        }
    });
    if let Some(n) = drawn.or(forced.then_some(0)) {
        if n < listed {
            return give(table, call, seat, n);
        }
        let word = match call.arg(3) {
            Value::Array(words) => words[(n - listed) as usize].clone(),
            _ => Value::Unit,
        };
        table.witness_choice(seat, prompt_of(&call), call.arg(2), &word);
        return call.done(word);
    }
    let extras = match call.arg(3) {
        Value::Array(words) => Extras::Words(words.clone()),
        word => Extras::Out(word.clone()),
    };
    let details = optional(&call, 4);
    ask(
        table,
        &call,
        one_seat(seat, call.arg(2).clone(), listed),
        details,
        Wanted::One,
        extras,
    )
}

fn choose_action(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let mut offered = std::mem::take(&mut table.offered);
    let chosen = choose_offered(table, call, &mut offered);
    offered.on.clear();
    offered.alone.clear();
    table.offered = offered;
    chosen
}

fn choose_offered(
    table: &mut Table,
    call: Call<Object>,
    offered: &mut OfferedActions,
) -> Result<Flow, HostError> {
    let seat = call.handle(0, handle::PLAYER)? as u8;
    offer_actions(table, &call, offered)?;
    let counts = offered.on.iter().map(|(_, _, count)| *count);
    let things = counts.fold(0, u32::saturating_add);
    let total = things.saturating_add(offered.alone.len() as u32);
    if total == 0 {
        return Err(nothing_to_choose(table, &call));
    }
    for (_, on, _) in &offered.on {
        options_are_sound(table, on)?;
    }
    let listed = match &*offered.on {
        [(_, on, _)] => is_listed(on),
        _ => true,
    };
    if listed && total > LISTED_OPTIONS {
        return Err(too_many_listed());
    }
    begin(table, seat, &Value::Unit, total)?;
    let drawn = table.random_seat(seat).map(|mut stream| match total {
        1 => 0,
        _ => stream.below(total),
    });
    let declared = declared_actions(table, &call);
    let name = |number: &u32| declared[*number as usize].value.clone();
    if let Some(n) = drawn.or((total == 1).then_some(0)) {
        let (number, on) = nth_action(table, offered, n);
        let name = number.as_ref().map_or(Value::Unit, name);
        if table.witness.is_some() {
            let options = things_of(table, offered);
            table.witness_choice(seat, prompt_of(&call), &options, &on);
        }
        return call.done(choice::action(name, on));
    }
    let options = things_of(table, offered);
    let list = |actions: &mut Actions| {
        actions.on.clear();
        let on = offered.on.iter();
        actions
            .on
            .extend(on.map(|(number, _, count)| (name(number), *count)));
        actions.alone.clear();
        actions.alone.extend(offered.alone.iter().map(name));
    };
    let extras = Extras::Actions(table.spare_actions.again(list, Actions::default));
    let details = optional(&call, 3);
    let asks = one_seat(seat, options, things);
    ask(table, &call, asks, details, Wanted::One, extras)
}

/// The actions the prompt of a call lists.
fn declared_actions<'t>(table: &'t Table, call: &Call<Object>) -> &'t [Action] {
    let actions = table.game.lexicon.actions.get(prompt_of(call) as usize);
    actions.map_or(&[], |actions| actions)
}

/// The n-th option: the action, if there is one, and what it is done with.
fn nth_action(table: &Table, offered: &OfferedActions, mut n: u32) -> (Option<u32>, Val) {
    for (number, on, count) in &offered.on {
        if n < *count {
            let thing = table.nth(on, n as i64).unwrap_or_default();
            return (Some(*number), thing);
        }
        n -= count;
    }
    (offered.alone.get(n as usize).copied(), Value::Unit)
}

/// All things together. Those of a single action stay as lazy as they are.
fn things_of(table: &Table, offered: &OfferedActions) -> Val {
    match &offered.on[..] {
        [(_, on, _)] => on.clone(),
        several => {
            let members = several
                .iter()
                .flat_map(|(_, on, count)| table.members(on, *count));
            Value::list(members)
        }
    }
}

/// Lists the actions of a call, in the order of those its prompt lists.
fn offer_actions(
    table: &Table,
    call: &Call<Object>,
    offered: &mut OfferedActions,
) -> Result<(), HostError> {
    let declared = declared_actions(table, call);
    let Some(given) = call.arg(2).as_map() else {
        return Ok(());
    };
    let mut known = 0;
    for (number, action) in (0..).zip(declared) {
        let Some(on) = given.get(&action.name) else {
            continue;
        };
        known += 1;
        match on {
            Value::Bool(false) => {}
            Value::Unit | Value::Bool(true) if !action.has_text => {
                return Err(no_text(&action.name));
            }
            Value::Unit | Value::Bool(true) => offered.alone.push(number),
            on if is_list(table, on) => match table.count(on) {
                0 => {}
                count => offered
                    .on
                    .push((number, on.clone(), count.min(MOST_OPTIONS + 1))),
            },
            other => {
                return Err(HostError::new(format!(
                    "the action `{}` is done with one of several things, or with (): found {}",
                    action.name,
                    table.describe(other)
                )));
            }
        }
    }
    if known < given.len() {
        let unknown = given
            .keys()
            .find(|key| declared.iter().all(|action| action.name != **key));
        let unknown = unknown.map_or("", |key| key);
        return Err(HostError::new(format!(
            "`{unknown}` is not one of the actions of this prompt"
        )));
    }
    Ok(())
}

fn choose_some(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let seat = call.handle(0, handle::PLAYER)? as u8;
    let count = table.count(call.arg(2));
    let min = amount_of(&call, 3, "options")?;
    let max = amount_of(&call, 4, "options")?.min(count);
    if min > max {
        let found = HostError::new(format!(
            "at least {min} options are wanted, but there are {count} and at most {max} may be taken"
        ));
        return Err(found);
    }
    let forced = min == count || max == 0;
    begin(table, seat, call.arg(2), if forced { 1 } else { count })?;
    if forced {
        let all = (0..max).filter_map(|n| table.nth(call.arg(2), n as i64));
        let all = Value::list(all);
        table.witness_choice(seat, prompt_of(&call), call.arg(2), &all);
        return call.done(all);
    }
    if let Some(mut stream) = table.random_seat(seat) {
        let mut numbers = std::mem::take(&mut table.numbers);
        Wanted::Some { min, max }.draw_into(count, &mut stream, &mut numbers);
        let picked = numbers
            .drain(..)
            .filter_map(|n| table.nth(call.arg(2), n as i64));
        let picked = Value::list(picked);
        table.numbers = numbers;
        table.witness_choice(seat, prompt_of(&call), call.arg(2), &picked);
        return call.done(picked);
    }
    ask(
        table,
        &call,
        one_seat(seat, call.arg(2).clone(), count),
        optional(&call, 5),
        Wanted::Some { min, max },
        Extras::None,
    )
}

fn choose_amount(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let seat = call.handle(0, handle::PLAYER)? as u8;
    let (low, high) = (call.int(2)?, call.int(3)?);
    let count = match high.checked_sub(low) {
        Some(apart) if (0..MOST_OPTIONS as i64).contains(&apart) => apart as u32 + 1,
        Some(..0) => {
            return Err(HostError::new(format!(
                "no amount lies between {low} and {high}"
            )));
        }
        _ => return Err(too_many_options()),
    };
    begin(table, seat, &Value::Unit, count)?;
    if count == 1 {
        return call.done(Value::Int(low));
    }
    if let Some(mut stream) = table.random_seat(seat) {
        let picked = Value::Int(low + stream.below(count) as i64);
        return call.done(picked);
    }
    let details = optional(&call, 4);
    ask(
        table,
        &call,
        one_seat(seat, Value::Range(table.spares.range(low, high)), count),
        details,
        Wanted::One,
        Extras::None,
    )
}

fn choose_yes(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let seat = call.handle(0, handle::PLAYER)? as u8;
    begin(table, seat, &Value::Unit, 2)?;
    if let Some(mut stream) = table.random_seat(seat) {
        let picked = Value::Bool(stream.below(2) == 0);
        return call.done(picked);
    }
    let details = optional(&call, 2);
    let options = table.yes_or_no.clone();
    ask(
        table,
        &call,
        one_seat(seat, options, 2),
        details,
        Wanted::One,
        Extras::None,
    )
}

fn choose_together(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let seats = seats(table, call.arg(0))?;
    let mut asked = 0u32;
    for seat in seats.iter() {
        if asked >> seat & 1 == 1 {
            return Err(HostError::new(format!(
                "p{seat} is there twice among those who are asked"
            )));
        }
        asked |= 1 << seat;
    }
    let own = match call.arg(2) {
        Value::Array(lists) if lists.iter().any(|list| is_list(table, list)) => {
            if lists.len() != seats.len() || !lists.iter().all(|list| is_list(table, list)) {
                let (found, wanted) = (lists.len(), seats.len());
                return Err(HostError::new(format!(
                    "expected one list of options for all, or one for each of {wanted} players, found {found}"
                )));
            }
            Some(&lists[..])
        }
        _ => None,
    };
    let common = call.arg(2);
    let offered = |n: usize| own.map_or(common, |lists| &lists[n]);
    if (0..seats.len()).any(|n| table.count(offered(n)) == 0) {
        return Err(nothing_to_choose(table, &call));
    }
    let (mut is_forced, mut at_random) = (true, true);
    for (n, &seat) in seats.iter().enumerate() {
        let count = table.count(offered(n));
        begin(table, seat, offered(n), count)?;
        is_forced &= count == 1;
        at_random &= table.random_seat(seat).is_some();
    }
    // Everybody answers on the spot.
    if is_forced || at_random {
        let answer = |(n, &seat): (usize, &u8)| {
            let options = offered(n);
            let picked = match table.random_seat(seat) {
                Some(mut stream) if !is_forced => stream.below(table.count(options)),
                _ => 0,
            };
            let picked = table.nth(options, picked as i64).unwrap_or_default();
            table.witness_choice(seat, prompt_of(&call), options, &picked);
            picked
        };
        let answers = Value::list(seats.iter().enumerate().map(answer));
        return call.done(answers);
    }
    let asks = seats.iter().enumerate().map(|(n, &seat)| Ask {
        seat,
        count: table.count(offered(n)),
        options: offered(n).clone(),
        answer: None,
    });
    let asks = Asks::Together(asks.collect());
    ask(table, &call, asks, Value::Unit, Wanted::One, Extras::None)
}

/// The seats of a list of players.
pub fn seats(table: &Table, players: &Val) -> Result<SeatRow, HostError> {
    let unfit = |found: &Val| {
        let found = table.describe(found);
        HostError::new(format!("expected players, found {found}"))
    };
    let mut row = SeatRow::default();
    let fits = match players {
        Value::Small(small::PLAYERS, bytes) => listed_seats(bytes).all(|seat| row.push(seat)),
        Value::Array(items) => {
            let mut fits = true;
            for item in items.iter() {
                match item {
                    Value::Handle(handle::PLAYER, seat) => fits &= row.push(*seat as u8),
                    other => return Err(unfit(other)),
                }
            }
            fits
        }
        other => return Err(unfit(other)),
    };
    if !fits {
        return Err(HostError::new(format!(
            "expected at most {MOST_PLAYERS} players"
        )));
    }
    Ok(row)
}

/// Whether a value is something to choose from.
fn is_list(table: &Table, value: &Val) -> bool {
    matches!(value, Value::Array(_) | Value::Range(_)) || table.len(value).is_some()
}

/// Counts a decision; rules that only answer may not ask, and nobody asks a player who is out.
#[inline(always)]
fn begin(table: &mut Table, seat: u8, options: &Val, count: u32) -> Result<(), HostError> {
    table.writable()?;
    if table.state.is_out(seat) {
        return Err(is_out(seat));
    }
    if count > LISTED_OPTIONS && is_listed(options) {
        return Err(too_many_listed());
    }
    if count > MOST_OPTIONS {
        return Err(too_many_options());
    }
    options_are_sound(table, options)?;
    table.state.decided[seat as usize] += 1;
    table.asked += 1;
    let tally = &mut table.state.tally;
    tally.decisions += 1;
    tally.forced += (count == 1) as u64;
    tally.options += count as u64;
    Ok(())
}

#[cold]
fn too_many_options() -> HostError {
    HostError::new(format!("a choice may have at most {MOST_OPTIONS} options"))
}

/// Whether whoever chooses is shown every option: numbers in a row are told by their ends, and `()` stands for them.
fn is_listed(options: &Val) -> bool {
    !matches!(options, Value::Range(_) | Value::Unit)
}

#[cold]
fn too_many_listed() -> HostError {
    HostError::new(format!(
        "a choice may have at most {LISTED_OPTIONS} options that are not numbers in a row"
    ))
}

#[cold]
fn is_out(seat: u8) -> HostError {
    HostError::new(format!("p{seat} is out and cannot be asked"))
}

/// What a rule lists is something, is there once, and words among it have a text that people read.
#[inline(always)]
fn options_are_sound(table: &Table, options: &Val) -> Result<(), HostError> {
    let Value::Array(options) = options else {
        return Ok(());
    };
    if let Some(twice) = distinct::twice(table, options) {
        return Err(there_twice(table, twice));
    }
    options.iter().try_for_each(|option| match option {
        Value::Unit => Err(HostError::new("() is no option")),
        Value::Handle(handle::WORD, word) if !table.game.lexicon.is_option(*word) => {
            Err(no_text(&table.game.lexicon.words[*word as usize]))
        }
        Value::Str(text) if !table.game.definition.texts.option.contains_key(&***text) => {
            Err(no_text(text))
        }
        Value::Array(_) | Value::Map(_) | Value::Object(_) | Value::Handle(handle::ZONE, _)
            if weight::shown(table, option) > LARGEST_OPTION =>
        {
            Err(HostError::new(format!(
                "an option may hold at most {LARGEST_OPTION} values and letters"
            )))
        }
        _ => Ok(()),
    })
}

/// A word beside the options is none of them.
#[inline(always)]
fn is_beside(table: &Table, options: &Val, word: &Val) -> Result<(), HostError> {
    let Value::Array(options) = options else {
        return Ok(());
    };
    let words = match word {
        Value::Array(words) => &words[..],
        word => std::slice::from_ref(word),
    };
    match distinct::in_both(table, options, words) {
        Some(twice) => Err(there_twice(table, twice)),
        None => Ok(()),
    }
}

#[cold]
fn there_twice(table: &Table, option: &Val) -> HostError {
    let option = choice::key(table, option);
    HostError::new(format!("the option `{option}` is listed twice"))
}

#[cold]
fn no_text(word: &str) -> HostError {
    HostError::new(format!(
        "the option `{word}` has no text; write it in the section [option] of the texts"
    ))
}

/// One seat is asked among so many options.
fn one_seat(seat: u8, options: Val, count: u32) -> Asks {
    Asks::One(Ask {
        seat,
        options,
        count,
        answer: None,
    })
}

fn ask(
    table: &mut Table,
    call: &Call<Object>,
    asks: Asks,
    details: Val,
    wanted: Wanted,
    extras: Extras,
) -> Result<Flow, HostError> {
    label::may_be_shown(table, &details)?;
    table.choice = Some(Choice {
        prompt: call.int(1)? as u32,
        details,
        wanted,
        extras,
        asks,
    });
    Ok(Flow::Suspend)
}

#[cold]
#[inline(never)]
fn nothing_to_choose(table: &Table, call: &Call<Object>) -> HostError {
    let prompt = call
        .int(1)
        .ok()
        .and_then(|n| table.game.lexicon.prompts.get(n as usize));
    let prompt = prompt.map_or("", |p| p.as_str());
    HostError::new(format!(
        "choice `{prompt}` has no options; ask only when there is something to choose, or offer a way out with choose_or"
    ))
}
