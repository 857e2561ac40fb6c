//! Operators: integers at once, everything else out of line.

use super::hand::{Done, Hand};
use crate::code::{BinOp, Reg};
use crate::host::Host;
use crate::library::extreme;
use crate::machine::faults;
use crate::operators;
use crate::value::Value;

/// `r[d] = r[a] op r[b]`
#[inline(always)]
pub(super) fn arith<H: Host>(
    hand: Hand<H>,
    fuel: u64,
    op: BinOp,
    d: Reg,
    a: Reg,
    b: Reg,
) -> Done<u64, H> {
    match (&hand.r[a as usize], &hand.r[b as usize]) {
        (Value::Int(x), Value::Int(y)) => match operators::arithmetic(op, *x, *y) {
            Some(z) => {
                hand.r[d as usize].put(Value::Int(z));
                Ok(fuel)
            }
            None => Err(operators::arithmetic_fault(op, *x, *y)),
        },
        _ => binary(hand, fuel, op, d, a, b),
    }
}

/// The same with a constant on the right.
#[inline(always)]
pub(super) fn arith_int<H: Host>(
    hand: Hand<H>,
    fuel: u64,
    op: BinOp,
    d: Reg,
    a: Reg,
    i: i32,
) -> Done<u64, H> {
    let y = i as i64;
    match &hand.r[a as usize] {
        Value::Int(x) => match operators::arithmetic(op, *x, y) {
            Some(z) => {
                hand.r[d as usize].put(Value::Int(z));
                Ok(fuel)
            }
            None => Err(operators::arithmetic_fault(op, *x, y)),
        },
        _ => binary_int(hand, fuel, op, d, a, y),
    }
}

/// Any operator on any values.
#[inline(never)]
pub(super) fn binary<H: Host>(
    hand: Hand<H>,
    fuel: u64,
    op: BinOp,
    d: Reg,
    a: Reg,
    b: Reg,
) -> Done<u64, H> {
    if let Some(value) = operators::small::<H>(op, &hand.r[a as usize], &hand.r[b as usize]) {
        hand.r[d as usize].put(value);
        return Ok(fuel);
    }
    let Hand { env, r } = hand;
    let (x, y) = (&r[a as usize], &r[b as usize]);
    env.charge_items(env.members(&[x, y]))?;
    let value = operators::binary(env, op, x, y)?;
    r[d as usize].put_made(value);
    Ok(fuel)
}

#[inline(never)]
fn binary_int<H: Host>(
    hand: Hand<H>,
    fuel: u64,
    op: BinOp,
    d: Reg,
    a: Reg,
    i: i64,
) -> Done<u64, H> {
    let Hand { env, r } = hand;
    let x = &r[a as usize];
    env.charge_items(env.members(&[x]))?;
    let value = operators::binary(env, op, x, &Value::Int(i))?;
    r[d as usize].put(value);
    Ok(fuel)
}

/// `r[d] += r[s]`, in place.
#[inline(always)]
pub(super) fn add_to<H: Host>(hand: Hand<H>, fuel: u64, d: Reg, s: Reg) -> Done<u64, H> {
    match (&hand.r[d as usize], &hand.r[s as usize]) {
        (Value::Int(x), Value::Int(y)) => match x.checked_add(*y) {
            Some(z) => {
                hand.r[d as usize].put(Value::Int(z));
                Ok(fuel)
            }
            None => Err(operators::arithmetic_fault(BinOp::Add, *x, *y)),
        },
        _ => grow(hand, fuel, d, s),
    }
}

#[inline(never)]
fn grow<H: Host>(hand: Hand<H>, fuel: u64, d: Reg, s: Reg) -> Done<u64, H> {
    let (place, more) = (&hand.r[d as usize], &hand.r[s as usize]);
    if let Some(value) = operators::small::<H>(BinOp::Add, place, more) {
        hand.r[d as usize].put(value);
        return Ok(fuel);
    }
    let Hand { env, r } = hand;
    env.charge_items(env.members(&[&r[s as usize]]))?;
    let mut place = r[d as usize].take();
    let done = if d == s {
        let value = place.clone();
        operators::update(env, BinOp::Add, &mut place, &value)
    } else {
        operators::update(env, BinOp::Add, &mut place, &r[s as usize])
    };
    r[d as usize].put(place);
    done.map(|()| fuel)
}

/// `r[d] += i`, in place.
#[inline(always)]
pub(super) fn add_to_int<H: Host>(hand: Hand<H>, d: Reg, i: i32) -> Done<(), H> {
    match &hand.r[d as usize] {
        Value::Int(x) => match x.checked_add(i as i64) {
            Some(z) => {
                hand.r[d as usize].put(Value::Int(z));
                Ok(())
            }
            None => Err(operators::arithmetic_fault(BinOp::Add, *x, i as i64)),
        },
        _ => grow_int(hand, d, i),
    }
}

#[inline(never)]
fn grow_int<H: Host>(hand: Hand<H>, d: Reg, i: i32) -> Done<(), H> {
    let Hand { env, r } = hand;
    let value = Value::Int(i as i64);
    operators::update(env, BinOp::Add, &mut r[d as usize], &value)
}

#[inline(always)]
pub(super) fn min<H: Host>(hand: Hand<H>, d: Reg, a: Reg, b: Reg) -> Done<(), H> {
    match (&hand.r[a as usize], &hand.r[b as usize]) {
        (Value::Int(x), Value::Int(y)) => {
            let z = *x.min(y);
            hand.r[d as usize].put(Value::Int(z));
            Ok(())
        }
        (_, y) => {
            let y = y.clone();
            other_extreme(hand, "min", d, a, y)
        }
    }
}

#[inline(always)]
pub(super) fn max<H: Host>(hand: Hand<H>, d: Reg, a: Reg, b: Reg) -> Done<(), H> {
    match (&hand.r[a as usize], &hand.r[b as usize]) {
        (Value::Int(x), Value::Int(y)) => {
            let z = *x.max(y);
            hand.r[d as usize].put(Value::Int(z));
            Ok(())
        }
        (_, y) => {
            let y = y.clone();
            other_extreme(hand, "max", d, a, y)
        }
    }
}

#[inline(always)]
pub(super) fn min_int<H: Host>(hand: Hand<H>, d: Reg, a: Reg, i: i32) -> Done<(), H> {
    match &hand.r[a as usize] {
        Value::Int(x) => {
            let z = (*x).min(i as i64);
            hand.r[d as usize].put(Value::Int(z));
            Ok(())
        }
        _ => other_extreme(hand, "min", d, a, Value::Int(i as i64)),
    }
}

#[inline(always)]
pub(super) fn max_int<H: Host>(hand: Hand<H>, d: Reg, a: Reg, i: i32) -> Done<(), H> {
    match &hand.r[a as usize] {
        Value::Int(x) => {
            let z = (*x).max(i as i64);
            hand.r[d as usize].put(Value::Int(z));
            Ok(())
        }
        _ => other_extreme(hand, "max", d, a, Value::Int(i as i64)),
    }
}

#[inline(never)]
fn other_extreme<H: Host>(
    hand: Hand<H>,
    name: &str,
    d: Reg,
    a: Reg,
    y: Value<H::Object>,
) -> Done<(), H> {
    let Hand { env, r } = hand;
    env.charge_items(y.size())?;
    let value = extreme(env, name, &r[a as usize], &y)?;
    r[d as usize].put(value);
    Ok(())
}

/// `r[d] = -r[a]`
#[inline(always)]
pub(super) fn neg<H: Host>(hand: Hand<H>, d: Reg, a: Reg) -> Done<(), H> {
    match &hand.r[a as usize] {
        Value::Int(x) => match x.checked_neg() {
            Some(z) => {
                hand.r[d as usize].put(Value::Int(z));
                Ok(())
            }
            None => Err(operators::arithmetic_fault(BinOp::Sub, 0, *x)),
        },
        other => Err(faults::no_negation(hand.env.program, other)),
    }
}

/// `r[d] = r[a] in r[b]`
#[inline(always)]
pub(super) fn contains<H: Host>(hand: Hand<H>, fuel: u64, d: Reg, a: Reg, b: Reg) -> Done<u64, H> {
    let Hand { env, r } = hand;
    env.charge_items(env.members(&[&r[a as usize], &r[b as usize]]))?;
    let found = operators::contains(env, &r[b as usize], &r[a as usize])?;
    r[d as usize].put(Value::Bool(found));
    Ok(fuel)
}
