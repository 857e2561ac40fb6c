//! What branches and loops ask.

use super::hand::{Done, Hand, Window, copy};
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
        other => Err(faults::not_a_condition(hand.env.program, other)),
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
    let Hand { env, r } = hand;
    env.charge_items(r[a as usize].size().min(r[b as usize].size()))?;
    operators::order(env, op, &r[a as usize], &r[b as usize])
}

#[inline(never)]
fn ordered_constant<H: Host>(hand: Hand<H>, op: BinOp, a: Reg, i: i16) -> Done<bool, H> {
    let Hand { env, r } = hand;
    operators::order(env, op, &r[a as usize], &Value::Int(i as i64))
}

/// `r[a] == r[b]`, and what is left of the budget.
#[inline(always)]
pub(super) fn equal<H: Host>(hand: Hand<H>, fuel: u64, a: Reg, b: Reg) -> Done<(bool, u64), H> {
    match (&hand.r[a as usize], &hand.r[b as usize]) {
        (Value::Int(x), Value::Int(y)) => Ok((x == y, fuel)),
        (Value::Handle(k, x), Value::Handle(l, y)) if k == l => Ok((x == y, fuel)),
        (x, y) if x.is_shared() && y.is_shared() => Ok((unchanged(hand, a, b)?, fuel)),
        (x, y) => Ok((operators::equal(hand.env.host, x, y), fuel)),
    }
}

/// The same where both may be large.
#[inline(never)]
pub(super) fn unchanged<H: Host>(hand: Hand<H>, a: Reg, b: Reg) -> Done<bool, H> {
    let Hand { env, r } = hand;
    env.equal(&r[a as usize], &r[b as usize])
}

#[inline(always)]
pub(super) fn equal_int<H: Host>(hand: Hand<H>, a: Reg, i: i16) -> bool {
    match &hand.r[a as usize] {
        Value::Int(x) => *x == i as i64,
        x => operators::equal(hand.env.host, x, &Value::Int(i as i64)),
    }
}

/// Whether a handle is the constant `k`, if their numbers say so.
#[inline(always)]
fn same_handle<H: Host>(hand: &Hand<H>, a: Reg, k: u16) -> Option<bool> {
    match (&hand.r[a as usize], &hand.env.program.handles[k as usize]) {
        (Value::Handle(kind, id), Value::Handle(other, same)) if kind == other => Some(id == same),
        _ => None,
    }
}

/// Whether a value is equal to the constant `k`.
#[inline(always)]
pub(super) fn is_constant<H: Host>(hand: Hand<H>, a: Reg, k: u16) -> Done<bool, H> {
    match same_handle(&hand, a, k) {
        Some(same) => Ok(same),
        None => equals_constant(hand, a, k),
    }
}

#[inline(never)]
fn equals_constant<H: Host>(hand: Hand<H>, a: Reg, k: u16) -> Done<bool, H> {
    let Hand { env, r } = hand;
    let (value, constant) = (&r[a as usize], &env.program.constants[k as usize]);
    match value.is_shared() && constant.is_shared() {
        true => env.equal(value, constant),
        false => Ok(operators::equal(env.host, value, constant)),
    }
}

/// Whether a value is the case `k` of a `switch`.
#[inline(always)]
pub(super) fn is_case<H: Host>(hand: Hand<H>, a: Reg, k: u16) -> bool {
    match same_handle(&hand, a, k) {
        Some(same) => same,
        None => is_other_case(hand, a, k),
    }
}

#[inline(never)]
fn is_other_case<H: Host>(hand: Hand<H>, a: Reg, k: u16) -> bool {
    operators::same_case(
        hand.env.host,
        &hand.r[a as usize],
        &hand.env.program.constants[k as usize],
    )
}

/// Whether a value is an integer in the range `k`, or that range.
#[inline(always)]
pub(super) fn is_within<H: Host>(hand: Hand<H>, a: Reg, k: u16) -> bool {
    match (&hand.r[a as usize], &hand.env.program.constants[k as usize]) {
        (Value::Int(n), Value::Range(range)) => range.contains(*n),
        (Value::Range(x), Value::Range(range)) => x == range,
        _ => false,
    }
}

/// Whether a loop over a range has a first round.
#[inline(always)]
pub(super) fn for_start<H: Host>(hand: Hand<H>, first: Reg, inclusive: bool) -> Done<bool, H> {
    let bounds = &mut hand.r[first as usize..first as usize + 2];
    range_start(hand.env.program, bounds, inclusive)
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

/// The first item of a loop over a value, if there is one.
#[inline(always)]
pub(super) fn first<H: Host>(hand: Hand<H>, first: Reg) -> Done<bool, H> {
    hand.r[first as usize + 1].put(Value::Int(0));
    step(hand, first)
}

/// The same, counting. Few loops do, so it need not be part of the machine's own.
#[inline(never)]
pub(super) fn first_counted<H: Host>(hand: Hand<H>, first: Reg) -> Done<bool, H> {
    hand.r[first as usize + 1].put(Value::Int(0));
    hand.r[first as usize + 3].put(Value::Int(-1));
    step_counted(hand, first)
}

/// The next item of a loop over a value, if there is one.
#[inline(always)]
pub(super) fn step<H: Host>(hand: Hand<H>, first: Reg) -> Done<bool, H> {
    if let Some(found) = next_in_array::<H>(hand.r, first as usize) {
        return Ok(found);
    }
    next_or_let_go(hand, first)
}

/// The next item of anything but an array. What has none left is let go: what is shared is copied when somebody changes it.
#[inline(always)]
fn next_or_let_go<H: Host>(hand: Hand<H>, first: Reg) -> Done<bool, H> {
    let Hand { env, r } = hand;
    let found = next(env, r, first as usize)?;
    if !found {
        r[first as usize].put(Value::Unit);
    }
    Ok(found)
}

/// The next item of an array, if the loop goes through one: the usual way, without a value in between. The array is let go at its end.
#[inline(always)]
fn next_in_array<H: Host>(r: &mut Window<H>, first: usize) -> Option<bool> {
    let (Value::Array(items), Value::Int(cursor)) = (&r[first], &r[first + 1]) else {
        return None;
    };
    let cursor = *cursor;
    let Some(item) = items.get(cursor as usize) else {
        r[first].put(Value::Unit);
        return Some(false);
    };
    copy!(r, first + 2, item);
    r[first + 1].put(Value::Int(cursor + 1));
    Some(true)
}

/// The same, counting.
#[inline(always)]
pub(super) fn step_counted<H: Host>(hand: Hand<H>, first: Reg) -> Done<bool, H> {
    let Hand { env, r } = hand;
    let found = match next_in_array::<H>(r, first as usize) {
        Some(found) => found,
        None => next_or_let_go(Hand { env, r: &mut *r }, first)?,
    };
    let counter = &mut r[first as usize + 3];
    if found && let Value::Int(n) = &counter {
        let n = *n + 1;
        counter.put(Value::Int(n));
    }
    Ok(found)
}
