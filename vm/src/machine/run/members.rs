//! Properties, slots and indices: the common ways at once, the rest in `machine/members.rs`.

use super::hand::{Done, Hand, copy, pay, size_cost};
use crate::code::{BinOp, Reg};
use crate::host::{Flow, Host};
use crate::library::{self, work};
use crate::machine::{faults, members};
use crate::operators;
use crate::program::Access;
use crate::spares::{own_list, own_map};
use crate::value::{HandleKind, Value};

#[inline(always)]
pub(super) fn len<H: Host>(hand: Hand<H>, fuel: u64, d: Reg, o: Reg) -> Done<u64, H> {
    let len = match &hand.r[o as usize] {
        Value::Array(items) => Some(items.len() as i64),
        Value::Handle(..) | Value::Small(..) => hand.env.host.len(&hand.r[o as usize]),
        object @ Value::Object(_) => {
            hand.env.work += hand.env.host.seeking(object);
            hand.env.host.len(object)
        }
        _ => None,
    };
    match len {
        Some(n) => {
            hand.r[d as usize].put(Value::Int(n));
            Ok(fuel)
        }
        None => other_len(hand, fuel, d, o),
    }
}

#[inline(never)]
fn other_len<H: Host>(hand: Hand<H>, fuel: u64, d: Reg, o: Reg) -> Done<u64, H> {
    let Hand { env, r } = hand;
    let fuel = pay(fuel, work(std::slice::from_ref(&r[o as usize])), env.limits)?;
    let value = library::len(env, &r[o as usize])?;
    r[d as usize].put(value);
    Ok(fuel)
}

/// A property by its number and the slot it most likely means.
#[derive(Clone, Copy)]
pub(super) struct Likely {
    pub kind: HandleKind,
    pub slot: u16,
    pub p: u16,
}

#[inline(always)]
pub(super) fn get<H: Host>(
    hand: Hand<H>,
    fuel: u64,
    d: Reg,
    o: Reg,
    at: Likely,
) -> Done<(Flow, u64), H> {
    let Hand { env, r } = hand;
    if let Value::Handle(kind, id) = &r[o as usize] {
        let (kind, id) = (*kind, *id);
        let slot = match kind == at.kind {
            true => Some(at.slot),
            false => env.program.properties[at.p as usize].slot(kind),
        };
        if let Some(slot) = slot {
            env.host.slot_into(kind, slot, id, &mut r[d as usize]);
            return Ok((Flow::Done, fuel));
        }
    }
    if let Value::Map(map) = &r[o as usize]
        && let Some(found) = map.get_known(&env.program.properties[at.p as usize].name)
    {
        copy!(r, d, found);
        return Ok((Flow::Done, fuel));
    }
    let fuel = match &r[o as usize] {
        Value::Str(text) => pay(fuel, size_cost(text.len()), env.limits)?,
        _ => fuel,
    };
    Ok((members::get(env, r, d, o, at.p)?, fuel))
}

#[inline(always)]
pub(super) fn set<H: Host>(hand: Hand<H>, o: Reg, s: Reg, at: Likely) -> Done<(), H> {
    if let Value::Handle(k, id) = &hand.r[o as usize]
        && *k == at.kind
    {
        return Ok(hand
            .env
            .host
            .set_slot(at.kind, at.slot, *id, &hand.r[s as usize])?);
    }
    let name = &hand.env.program.properties[at.p as usize].name;
    hand.env.work += size_cost(hand.r[o as usize].copied());
    if let Ok([Value::Map(map), new]) = hand.r.get_disjoint_mut([o as usize, s as usize])
        && new.depth() == 0
        && let Some(place) = own_map(map).get_known_mut(name)
    {
        place.put_copy(new);
        return Ok(());
    }
    let Hand { env, r } = hand;
    members::set(env, r, o, s, at.p)
}

#[inline(always)]
pub(super) fn update<H: Host>(hand: Hand<H>, op: BinOp, o: Reg, s: Reg, p: u16) -> Done<(), H> {
    let Hand { env, r } = hand;
    let property = &env.program.properties[p as usize];
    if let (Value::Handle(kind, id), Value::Int(n)) = (&r[o as usize], &r[s as usize])
        && matches!(op, BinOp::Add | BinOp::Sub)
        && *n != i64::MIN
        && let Some(Access::Slot {
            slot,
            writable: true,
        }) = property.handle.get(*kind as usize)
    {
        let delta = if op == BinOp::Add { *n } else { -*n };
        return Ok(env.host.add_slot(*kind, *slot, *id, delta)?);
    }
    env.work += size_cost(r[o as usize].copied());
    if let Value::Int(n) = r[s as usize]
        && let Value::Map(map) = &mut r[o as usize]
        && let Some(Value::Int(x)) = own_map(map).get_known_mut(&property.name)
        && let Some(z) = operators::arithmetic(op, *x, n)
    {
        *x = z;
        return Ok(());
    }
    members::update(env, r, op, o, s, p)
}

/// `+= i`, or `-= -i` if `i` is negative: the sign says which of the two was written.
#[inline(always)]
pub(super) fn bump<H: Host>(hand: Hand<H>, o: Reg, i: i8, at: Likely) -> Done<(), H> {
    let Hand { env, r } = hand;
    if let Value::Handle(k, id) = &r[o as usize]
        && *k == at.kind
    {
        return Ok(env.host.add_slot(at.kind, at.slot, *id, i as i64)?);
    }
    env.work += size_cost(r[o as usize].copied());
    if let Value::Map(map) = &mut r[o as usize]
        && let Some(Value::Int(x)) =
            own_map(map).get_known_mut(&env.program.properties[at.p as usize].name)
        && let Some(z) = x.checked_add(i as i64)
    {
        *x = z;
        return Ok(());
    }
    r[members::SCRATCH as usize].put(Value::Int((i as i64).abs()));
    let op = if i < 0 { BinOp::Sub } else { BinOp::Add };
    members::update(env, r, op, o, members::SCRATCH, at.p)
}

/// The number of a handle of this kind.
#[inline(always)]
fn handle<H: Host>(hand: &Hand<H>, o: Reg, kind: HandleKind, slot: u16) -> Done<u32, H> {
    match &hand.r[o as usize] {
        Value::Handle(k, id) if *k == kind => Ok(*id),
        other => Err(faults::wrong_handle(hand.env.program, other, kind, slot)),
    }
}

#[inline(always)]
pub(super) fn get_slot<H: Host>(
    hand: Hand<H>,
    d: Reg,
    o: Reg,
    kind: HandleKind,
    slot: u16,
) -> Done<(), H> {
    let id = handle(&hand, o, kind, slot)?;
    hand.env
        .host
        .slot_into(kind, slot, id, &mut hand.r[d as usize]);
    Ok(())
}

#[inline(always)]
pub(super) fn set_slot<H: Host>(
    hand: Hand<H>,
    o: Reg,
    s: Reg,
    kind: HandleKind,
    slot: u16,
) -> Done<(), H> {
    let id = handle(&hand, o, kind, slot)?;
    Ok(hand
        .env
        .host
        .set_slot(kind, slot, id, &hand.r[s as usize])?)
}

/// `slot += r[s]` or `slot -= r[s]`
#[inline(always)]
pub(super) fn update_slot<H: Host>(
    hand: Hand<H>,
    op: BinOp,
    o: Reg,
    s: Reg,
    kind: HandleKind,
    slot: u16,
) -> Done<(), H> {
    let id = handle(&hand, o, kind, slot)?;
    match &hand.r[s as usize] {
        Value::Int(n) if op == BinOp::Add => Ok(hand.env.host.add_slot(kind, slot, id, *n)?),
        Value::Int(n) if *n != i64::MIN => Ok(hand.env.host.add_slot(kind, slot, id, -*n)?),
        _ => {
            let Hand { env, r } = hand;
            members::update_slot(env, op, (kind, slot, id), &r[s as usize])
        }
    }
}

#[inline(always)]
pub(super) fn bump_slot<H: Host>(
    hand: Hand<H>,
    o: Reg,
    i: i16,
    kind: HandleKind,
    slot: u16,
) -> Done<(), H> {
    let id = handle(&hand, o, kind, slot)?;
    Ok(hand.env.host.add_slot(kind, slot, id, i as i64)?)
}

#[inline(always)]
pub(super) fn index<H: Host>(hand: Hand<H>, fuel: u64, d: Reg, a: Reg, b: Reg) -> Done<u64, H> {
    let r = &mut *hand.r;
    match (&r[a as usize], &r[b as usize]) {
        (Value::Array(items), Value::Int(i)) if (*i as u64) < items.len() as u64 => {
            copy!(r, d, &items[*i as usize]);
            Ok(fuel)
        }
        (Value::Small(kind, bytes), Value::Int(i)) => {
            let (kind, bytes, i) = (*kind, *bytes, Value::Int(*i));
            match hand
                .env
                .host
                .index_into(kind, &bytes, &i, &mut r[d as usize])
            {
                true => Ok(fuel),
                false => other_index(hand, fuel, d, a, b),
            }
        }
        (Value::Small(..), Value::Handle(..) | Value::Str(_)) => {
            if let Ok([Value::Small(kind, bytes), index, item]) =
                r.get_disjoint_mut([a as usize, b as usize, d as usize])
                && hand.env.host.index_into(*kind, bytes, index, item)
            {
                return Ok(fuel);
            }
            other_index(hand, fuel, d, a, b)
        }
        _ => other_index(hand, fuel, d, a, b),
    }
}

#[inline(never)]
fn other_index<H: Host>(hand: Hand<H>, fuel: u64, d: Reg, a: Reg, b: Reg) -> Done<u64, H> {
    let Hand { env, r } = hand;
    let fuel = match &r[a as usize] {
        Value::Str(text) => pay(fuel, size_cost(text.len()), env.limits)?,
        _ => fuel,
    };
    let value = operators::index(env, &r[a as usize], &r[b as usize])?;
    r[d as usize].put_made(value);
    Ok(fuel)
}

#[inline(always)]
pub(super) fn index_int<H: Host>(hand: Hand<H>, d: Reg, a: Reg, i: i32) -> Done<(), H> {
    let r = &mut *hand.r;
    if let Value::Array(items) = &r[a as usize]
        && let Some(item) = items.get(i as usize)
    {
        copy!(r, d, item);
        return Ok(());
    }
    index_constant(hand, d, a, Value::Int(i as i64))
}

#[inline(always)]
pub(super) fn index_key<H: Host>(hand: Hand<H>, d: Reg, a: Reg, p: u16) -> Done<(), H> {
    let property = &hand.env.program.properties[p as usize];
    let key = &property.name;
    let r = &mut *hand.r;
    match &r[a as usize] {
        Value::Map(map) if let Some(found) = map.get_known(key) => {
            copy!(r, d, found);
            return Ok(());
        }
        Value::Small(kind, bytes) => {
            let (kind, bytes) = (*kind, *bytes);
            let word = &hand.env.program.words[p as usize];
            let item = &mut r[d as usize];
            if word.is_host() && hand.env.host.index_into(kind, &bytes, word, item) {
                return Ok(());
            }
        }
        _ => {}
    }
    index_constant(hand, d, a, Value::Str(property.text.clone()))
}

#[inline(never)]
fn index_constant<H: Host>(hand: Hand<H>, d: Reg, a: Reg, key: Value<H::Object>) -> Done<(), H> {
    let Hand { env, r } = hand;
    env.charge_items(text_size(&r[a as usize]))?;
    let value = operators::index(env, &r[a as usize], &key)?;
    r[d as usize].put_made(value);
    Ok(())
}

#[inline(always)]
pub(super) fn set_index<H: Host>(hand: Hand<H>, a: Reg, b: Reg, s: Reg) -> Done<(), H> {
    hand.env.work += size_cost(hand.r[a as usize].copied());
    if let Value::Int(i) = hand.r[b as usize]
        && let Ok([Value::Array(items), new]) = hand.r.get_disjoint_mut([a as usize, s as usize])
        && (i as u64) < items.len() as u64
        && new.depth() == 0
    {
        own_list(items)[i as usize].put_copy(new);
        return Ok(());
    }
    change_index(hand, None, a, b, s)
}

#[inline(always)]
pub(super) fn update_index<H: Host>(
    hand: Hand<H>,
    op: BinOp,
    a: Reg,
    b: Reg,
    s: Reg,
) -> Done<(), H> {
    hand.env.work += size_cost(hand.r[a as usize].copied());
    if let (&Value::Int(i), &Value::Int(y)) = (&hand.r[b as usize], &hand.r[s as usize])
        && let Value::Array(items) = &mut hand.r[a as usize]
        && (i as u64) < items.len() as u64
        && let Value::Int(x) = &mut own_list(items)[i as usize]
        && let Some(z) = operators::arithmetic(op, *x, y)
    {
        *x = z;
        return Ok(());
    }
    change_index(hand, Some(op), a, b, s)
}

#[inline(never)]
fn change_index<H: Host>(hand: Hand<H>, op: Option<BinOp>, a: Reg, b: Reg, s: Reg) -> Done<(), H> {
    let Hand { env, r } = hand;
    env.charge_items(text_size(&r[a as usize]) + text_size(&r[s as usize]))?;
    let (new, key) = (r[s as usize].clone(), r[b as usize].clone());
    members::set_index(env, &mut r[a as usize], &key, op, &new)
}

/// Texts are gone through to find a letter of them.
fn text_size<O>(value: &Value<O>) -> usize {
    value.as_str().map_or(0, str::len)
}

/// A longer way into a value.
#[inline(always)]
pub(super) fn path<H: Host>(hand: Hand<H>, registers: [Reg; 3], k: u32) -> Done<(), H> {
    let Hand { env, r } = hand;
    members::path(env, r, registers, k)
}
