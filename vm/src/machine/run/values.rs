//! Operations that make values.

use super::hand::{Done, Hand, pay, size_cost};
use crate::code::Reg;
use crate::host::Host;
use crate::machine::faults;
use crate::operators;
use crate::value::{FnPtr, Shared, Value};

/// Whoever changes a copy makes it one: that is paid where it is known.
#[inline(always)]
pub(super) fn copy<H: Host>(hand: Hand<H>, fuel: u64, d: Reg, s: Reg) -> Done<u64, H> {
    let from = &hand.r[s as usize];
    let fuel = match from.is_shared() {
        true => pay(fuel, size_cost(from.size()), hand.limits)?,
        false => fuel,
    };
    let value = from.clone();
    hand.r[d as usize].put(value);
    Ok(fuel)
}

pub(super) fn array<H: Host>(hand: Hand<H>, d: Reg, a: Reg, n: u8) -> Done<(), H> {
    let (env, r) = hand.split();
    let row = &mut r[a as usize..a as usize + n as usize];
    let items: Vec<_> = row.iter_mut().map(Value::take).collect();
    let mut value = Value::array(items);
    env.nesting(&mut value)?;
    r[d as usize].put(value);
    Ok(())
}

pub(super) fn map<H: Host>(hand: Hand<H>, d: Reg, a: Reg, k: u32) -> Done<(), H> {
    let (env, r) = hand.split();
    let keys = &env.program.shapes[k as usize];
    let row = r[a as usize..].iter_mut().map(Value::take);
    let map = keys.iter().cloned().zip(row).collect();
    let mut value = Value::Map(Shared::new(map));
    env.nesting(&mut value)?;
    r[d as usize].put(value);
    Ok(())
}

#[inline(always)]
pub(super) fn range<H: Host>(
    hand: Hand<H>,
    d: Reg,
    a: Reg,
    b: Reg,
    inclusive: bool,
) -> Done<(), H> {
    match (&hand.r[a as usize], &hand.r[b as usize]) {
        (Value::Int(x), Value::Int(y)) => {
            let value = Value::range(*x, *y, inclusive);
            hand.r[d as usize].put(value);
            Ok(())
        }
        (x, y) => Err(faults::not_a_range(hand.program, x, y)),
    }
}

pub(super) fn text<H: Host>(hand: Hand<H>, d: Reg, a: Reg, n: u8) -> Done<(), H> {
    let (mut env, r) = hand.split();
    let mut out = String::with_capacity(32);
    for value in &mut r[a as usize..a as usize + n as usize] {
        env.charge_items(env.host.size(value))?;
        operators::write_text(env.host, value, env.limits.string, &mut out);
        value.put(Value::Unit);
    }
    env.charge_items(out.len())?;
    env.string_size(out.len())?;
    r[d as usize].put(Value::string(out));
    Ok(())
}

pub(super) fn function<H: Host>(hand: Hand<H>, d: Reg, a: Reg, n: u8, k: u32) -> Done<(), H> {
    let (env, r) = hand.split();
    let row = &mut r[a as usize..a as usize + n as usize];
    let captured = row.iter_mut().map(Value::take).collect();
    let name = env.program.functions[k as usize].name.clone();
    let mut value = Value::Fn(Shared::new(FnPtr {
        function: k,
        name,
        captured,
    }));
    env.nesting(&mut value)?;
    r[d as usize].put(value);
    Ok(())
}
