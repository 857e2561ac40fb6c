//! What branches and loops ask.

use super::hand::{Done, Hand, Window};
use crate::code::{BinOp, Reg};
use crate::host::Host;
use crate::machine::calls::{next, range_start};
use crate::machine::faults;
use crate::operators;
use crate::value::Value;

/// A condition, which must be true or false.
#[inline(always)]
pub(super) fn truth<H: Host>(hand: Hand<H>, a: Reg) -> Done<bool, H> {
    match &hand.r[a as usize] {
        Value::Bool(b) => Ok(*b),
        other => Err(faults::not_a_condition(hand.program, other)),
    }
}

/// `r[a] op r[b]`, `holds` being the same for integers.
#[inline(always)]
pub(super) fn ordered<H: Host>(
    hand: Hand<H>,
    op: BinOp,
    a: Reg,
    b: Reg,
    holds: impl Fn(&i64, &i64) -> bool,
) -> Done<bool, H> {
    match (&hand.r[a as usize], &hand.r[b as usize]) {
        (Value::Int(x), Value::Int(y)) => Ok(holds(x, y)),
        _ => ordered_values(hand, op, a, b),
    }
}

#[inline(always)]
pub(super) fn ordered_int<H: Host>(
    hand: Hand<H>,
    op: BinOp,
    a: Reg,
    i: i16,
    holds: impl Fn(&i64, &i64) -> bool,
) -> Done<bool, H> {
    match &hand.r[a as usize] {
        Value::Int(x) => Ok(holds(x, &(i as i64))),
        _ => ordered_constant(hand, op, a, i),
    }
}

#[inline(never)]
fn ordered_values<H: Host>(hand: Hand<H>, op: BinOp, a: Reg, b: Reg) -> Done<bool, H> {
    let (mut env, r) = hand.split();
    env.charge_items(r[a as usize].size().min(r[b as usize].size()))?;
    operators::order(&mut env, op, &r[a as usize], &r[b as usize])
}

#[inline(never)]
fn ordered_constant<H: Host>(hand: Hand<H>, op: BinOp, a: Reg, i: i16) -> Done<bool, H> {
    let (mut env, r) = hand.split();
    operators::order(&mut env, op, &r[a as usize], &Value::Int(i as i64))
}

/// `r[a] == r[b]`, and what is left of the budget.
#[inline(always)]
pub(super) fn equal<H: Host>(hand: Hand<H>, fuel: u64, a: Reg, b: Reg) -> Done<(bool, u64), H> {
    match (&hand.r[a as usize], &hand.r[b as usize]) {
        (Value::Int(x), Value::Int(y)) => Ok((x == y, fuel)),
        (Value::Handle(k, x), Value::Handle(l, y)) if k == l => Ok((x == y, fuel)),
        (x, y) if x.is_shared() && y.is_shared() => Ok((unchanged(hand, a, b)?, fuel)),
        (x, y) => Ok((operators::equal(hand.host, x, y), fuel)),
    }
}

/// The same where both may be large.
#[inline(never)]
pub(super) fn unchanged<H: Host>(hand: Hand<H>, a: Reg, b: Reg) -> Done<bool, H> {
    let (mut env, r) = hand.split();
    env.equal(&r[a as usize], &r[b as usize])
}

#[inline(always)]
pub(super) fn equal_int<H: Host>(hand: Hand<H>, a: Reg, i: i16) -> bool {
    match &hand.r[a as usize] {
        Value::Int(x) => *x == i as i64,
        x => operators::equal(hand.host, x, &Value::Int(i as i64)),
    }
}

/// Whether a value is the case `k` of a `switch`.
#[inline(always)]
pub(super) fn is_case<H: Host>(hand: Hand<H>, a: Reg, k: u16) -> bool {
    operators::same_case(
        hand.host,
        &hand.r[a as usize],
        &hand.program.constants[k as usize],
    )
}

/// Whether a value is an integer in the range `k`, or that range.
#[inline(always)]
pub(super) fn is_within<H: Host>(hand: Hand<H>, a: Reg, k: u16) -> bool {
    match (&hand.r[a as usize], &hand.program.constants[k as usize]) {
        (Value::Int(n), Value::Range(range)) => range.contains(*n),
        (Value::Range(x), Value::Range(range)) => x == range,
        _ => false,
    }
}

/// Whether a loop over a range has a first round.
#[inline(always)]
pub(super) fn for_start<H: Host>(hand: Hand<H>, first: Reg, inclusive: bool) -> Done<bool, H> {
    let bounds = &mut hand.r[first as usize..first as usize + 2];
    range_start(hand.program, bounds, inclusive)
}

/// The same, from a small constant on.
#[inline(always)]
pub(super) fn for_from<H: Host>(
    hand: Hand<H>,
    first: Reg,
    inclusive: bool,
    from: i8,
) -> Done<bool, H> {
    hand.r[first as usize].put(Value::Int(from as i64));
    match &hand.r[first as usize + 1] {
        Value::Int(to) if !inclusive => Ok(*to > from as i64),
        _ => for_start(hand, first, inclusive),
    }
}

/// The next round of a loop over a range, if there is one.
#[inline(always)]
pub(super) fn for_next<H: Host>(hand: Hand<H>, first: Reg) -> bool {
    let first = first as usize;
    if let (Value::Int(x), Value::Int(end)) = (&hand.r[first], &hand.r[first + 1]) {
        let (next, end) = (x.wrapping_add(1), *end);
        if next < end {
            hand.r[first].put(Value::Int(next));
            return true;
        }
    }
    false
}

/// The next item of a loop over a value, if there is one.
#[inline(always)]
pub(super) fn step<H: Host>(hand: Hand<H>, first: Reg) -> Done<bool, H> {
    if let Some(found) = next_in_array::<H>(hand.r, first as usize) {
        return Ok(found);
    }
    let (mut env, r) = hand.split();
    next(&mut env, r, first as usize)
}

/// The next item of an array, if the loop goes through one: the usual way, without a value in between.
#[inline(always)]
fn next_in_array<H: Host>(r: &mut Window<H>, first: usize) -> Option<bool> {
    let (Value::Array(items), Value::Int(cursor)) = (&r[first], &r[first + 1]) else {
        return None;
    };
    let cursor = *cursor;
    let Some(item) = items.get(cursor as usize) else {
        return Some(false);
    };
    match item {
        Value::Int(n) => {
            let n = *n;
            r[first + 2].put(Value::Int(n));
        }
        other => {
            let item = other.clone();
            r[first + 2].put(item);
        }
    }
    r[first + 1].put(Value::Int(cursor + 1));
    Some(true)
}

/// The same, counting.
#[inline(always)]
pub(super) fn step_counted<H: Host>(hand: Hand<H>, first: Reg) -> Done<bool, H> {
    let (mut env, r) = hand.split();
    let first = first as usize;
    let found = match next_in_array::<H>(r, first) {
        Some(found) => found,
        None => next(&mut env, r, first)?,
    };
    if found && let Value::Int(n) = &r[first + 3] {
        let n = *n + 1;
        r[first + 3].put(Value::Int(n));
    }
    Ok(found)
}
