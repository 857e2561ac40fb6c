//! Operations that make values.

use super::hand::{Done, Hand, Window, pay, size_cost};
use crate::code::Reg;
use crate::host::Host;
use crate::machine::faults;
use crate::operators;
use crate::spares;
use crate::value::{Range, Value};

/// Whoever changes a copy makes it one: that is paid where it is known.
#[inline(always)]
pub(super) fn copy<H: Host>(hand: Hand<H>, fuel: u64, d: Reg, s: Reg) -> Done<u64, H> {
    let r = hand.r;
    let fuel = match r[s as usize].is_shared() {
        true => pay(fuel, size_cost(r[s as usize].size()), hand.env.limits)?,
        false => fuel,
    };
    copy_register::<H>(r, d, s);
    Ok(fuel)
}

/// Copies one register into another.
#[inline(always)]
pub(super) fn copy_register<H: Host>(r: &mut Window<H>, d: Reg, s: Reg) {
    match r[s as usize] {
        Value::Int(n) => r[d as usize].put(Value::Int(n)),
        Value::Handle(kind, id) => r[d as usize].put(Value::Handle(kind, id)),
        Value::Bool(b) => r[d as usize].put(Value::Bool(b)),
        Value::Unit => r[d as usize].put(Value::Unit),
        _ => copy_large::<H>(r, d, s),
    }
}

#[inline(never)]
fn copy_large<H: Host>(r: &mut Window<H>, d: Reg, s: Reg) {
    if let Ok([to, from]) = r.get_disjoint_mut([d as usize, s as usize]) {
        to.put_copy(from);
    }
}

pub(super) fn array<H: Host>(hand: Hand<H>, d: Reg, a: Reg, n: u8) -> Done<(), H> {
    let Hand { env, r } = hand;
    let row = &mut r[a as usize..a as usize + n as usize];
    let mut value = Value::list(row.iter_mut().map(Value::take));
    env.nesting(&mut value)?;
    r[d as usize].put(value);
    Ok(())
}

pub(super) fn map<H: Host>(hand: Hand<H>, d: Reg, a: Reg, k: u32) -> Done<(), H> {
    let Hand { env, r } = hand;
    let shape = &env.program.shapes[k as usize];
    let values = shape
        .iter()
        .map(|(_, at)| r[a as usize + *at as usize].take());
    let mut value = Value::entries(shape.iter().map(|(key, _)| key), values);
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
            let range = Range {
                from: *x,
                to: *y,
                inclusive,
            };
            hand.r[d as usize].put(Value::Range(spares::range::<H::Object>(range)));
            Ok(())
        }
        (x, y) => Err(faults::not_a_range(hand.env.program, x, y)),
    }
}

pub(super) fn text<H: Host>(hand: Hand<H>, d: Reg, a: Reg, n: u8) -> Done<(), H> {
    let Hand { env, r } = hand;
    let mut out = spares::text::<H::Object>();
    for value in &mut r[a as usize..a as usize + n as usize] {
        env.charge_items(env.host.size(value))?;
        operators::write_text(env.host, value, env.limits.string, &mut out);
        value.put(Value::Unit);
    }
    env.charge_items(out.len())?;
    env.string_size(out.len())?;
    r[d as usize].put(Value::Str(out.shareable()));
    Ok(())
}

pub(super) fn function<H: Host>(hand: Hand<H>, d: Reg, a: Reg, n: u8, k: u32) -> Done<(), H> {
    let Hand { env, r } = hand;
    let row = &mut r[a as usize..a as usize + n as usize];
    let mut function = spares::function(k, &env.program.functions[k as usize].name);
    function.captured.fill(row.iter_mut().map(Value::take));
    let mut value = Value::Fn(function.shareable());
    env.nesting(&mut value)?;
    r[d as usize].put(value);
    Ok(())
}
