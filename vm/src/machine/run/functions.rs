//! What calls need beside a frame: standard functions, host functions among several, arguments in place.

use super::hand::{Done, Hand, Window, pay, size_cost};
use super::values::copy_register;
use crate::code::Reg;
use crate::host::{Domain, Host};
use crate::machine::calls::{function_of, library};
use crate::value::Value;

/// A standard function, its arguments in a row.
#[inline(always)]
pub(super) fn standard<H: Host>(hand: Hand<H>, d: Reg, a: Reg, n: u8, f: u16) -> Done<(), H> {
    let Hand { env, r } = hand;
    let row = &mut r[a as usize..a as usize + n as usize];
    let value = library(env, f, row)?;
    row.iter_mut().for_each(|left| left.put(Value::Unit));
    r[d as usize].put_made(value);
    Ok(())
}

/// The same where host functions of the name were asked first: they keep their row.
#[inline(always)]
pub(super) fn standard_after_host<H: Host>(
    hand: Hand<H>,
    d: Reg,
    a: Reg,
    n: u8,
    f: u16,
) -> Done<(), H> {
    let Hand { env, r } = hand;
    let row = &mut r[a as usize..a as usize + n as usize];
    let value = library(env, f, row)?;
    r[d as usize].put(value);
    Ok(())
}

/// A standard function that changes `r[root]`.
#[inline(always)]
pub(super) fn change<H: Host>(
    hand: Hand<H>,
    d: Reg,
    root: Reg,
    a: Reg,
    n: u8,
    f: u16,
) -> Done<(), H> {
    let Hand { env, r } = hand;
    let mut target = r[root as usize].take();
    let row = &mut r[a as usize..a as usize + n as usize];
    let result = env.change(f, &mut target, row);
    row.iter_mut().for_each(|left| left.put(Value::Unit));
    r[root as usize].put(target);
    r[d as usize].put(result?);
    Ok(())
}

/// What a row of arguments leaves behind would count as shared.
#[inline(always)]
pub(super) fn forget<H: Host>(r: &mut Window<H>, d: Reg, a: Reg, n: u8) {
    for left in &mut r[a as usize..a as usize + n as usize] {
        if left.is_shared() && a != d {
            left.put(Value::Unit);
        }
    }
}

/// The first two arguments of a call, from the variables they stand in.
#[inline(always)]
pub(super) fn first_arguments<H: Host>(
    hand: Hand<H>,
    fuel: u64,
    a: Reg,
    x: Reg,
    y: Reg,
) -> Done<u64, H> {
    let r = hand.r;
    let fuel = match r[x as usize].is_shared() || r[y as usize].is_shared() {
        true => {
            let size = r[x as usize].size() + r[y as usize].size();
            pay(fuel, size_cost(size), hand.env.limits)?
        }
        false => fuel,
    };
    copy_register::<H>(r, a, x);
    copy_register::<H>(r, a.wrapping_add(1), y);
    Ok(fuel)
}

/// A text as the host's name.
pub(super) fn name<H: Host>(hand: Hand<H>, d: Reg, s: Reg, domain: u16) -> Done<(), H> {
    let value = match &hand.r[s as usize] {
        Value::Str(text) => hand.env.host.name(Domain(domain), text)?,
        other => other.clone(),
    };
    hand.r[d as usize].put(value);
    Ok(())
}

pub(super) fn with_arity<H: Host>(hand: Hand<H>, d: Reg, s: Reg, arity: u8) -> Done<(), H> {
    let value = function_of(hand.env.program, &hand.r[s as usize], arity)?;
    hand.r[d as usize].put(value);
    Ok(())
}
