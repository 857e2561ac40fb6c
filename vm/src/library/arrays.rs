//! Arrays, and what strings and maps share with them. Functions that take closures are in the prelude.

use super::{Declaration, Env, Meter, change, int, no_such, not_for, pure, range_span, span};
use crate::error::{FaultKind, Raise, Raised, raise};
use crate::host::{Host, Type};
use crate::operators;
use crate::spares::{self, own_list, own_map};
use crate::value::{Shared, Value};
use std::cmp::Ordering;

const ARRAY: &[Type] = &[Type::Array];
const LISTS: &[Type] = &[Type::Array, Type::Str];
const ALL: &[Type] = &[Type::Array, Type::Str, Type::Map];

/// Start and length from `(range)` or `(start, len)`, as written.
fn part<O>(a: &[Value<O>]) -> Option<(i64, i64)> {
    match a {
        [Value::Range(range)] => Some(range_span(range)),
        [Value::Int(start), Value::Int(len)] => Some((*start, *len)),
        _ => None,
    }
}

fn extract<H: Host>(
    env: &mut Env<'_, H>,
    a: &mut [Value<H::Object>],
) -> Raised<Value<H::Object>, H::Object> {
    let part = match &a[1..] {
        [Value::Int(start)] => Some((*start, i64::MAX)),
        given => part(given),
    };
    let (Value::Array(items), Some((start, len))) = (&a[0], part) else {
        return Err(no_such(env, "extract", a));
    };
    let (start, len) = span(items.len(), start, len);
    Ok(Value::list(items[start..start + len].iter().cloned()))
}

fn drain<H: Host>(
    env: &mut Env<'_, H>,
    target: &mut Value<H::Object>,
    a: &mut [Value<H::Object>],
) -> Raised<Value<H::Object>, H::Object> {
    let (Value::Array(items), Some((start, len))) = (target, part(a)) else {
        return Err(no_such(env, "drain", a));
    };
    let (start, len) = span(items.len(), start, len);
    Ok(Value::list(own_list(items).drain(start..start + len)))
}

fn retain<H: Host>(
    env: &mut Env<'_, H>,
    target: &mut Value<H::Object>,
    a: &mut [Value<H::Object>],
) -> Raised<Value<H::Object>, H::Object> {
    let (Value::Array(items), Some((start, len))) = (target, part(a)) else {
        return Err(no_such(env, "retain", a));
    };
    let (start, len) = span(items.len(), start, len);
    if len == 0 {
        return Ok(Value::list([]));
    }
    let items = own_list(items);
    let mut gone = spares::list();
    gone.extend(items.drain(..start));
    gone.fill(items.drain(len..));
    Ok(Value::Array(gone.shareable()))
}

fn splice<H: Host>(
    env: &mut Env<'_, H>,
    target: &mut Value<H::Object>,
    a: &mut [Value<H::Object>],
) -> Raised<Value<H::Object>, H::Object> {
    let (place, new) = a.split_at(a.len() - 1);
    let (Value::Array(items), Some((start, len)), Value::Array(new)) =
        (target, part(place), &new[0])
    else {
        return Err(no_such(env, "splice", a));
    };
    let (start, len) = span(items.len(), start, len);
    env.array_size(items.len() - len + new.len())?;
    own_list(items).splice(start..start + len, new.iter().cloned());
    Ok(Value::Unit)
}

/// A method, named by the second value, that the first does not have.
#[cold]
fn no_method<H: Host>(env: &Env<'_, H>, a: &[Value<H::Object>]) -> Box<Raise<H::Object>> {
    let (ty, name) = (env.type_name(&a[0]), a[1].as_str().unwrap_or_default());
    raise(FaultKind::Type, format!("there is no `{name}` for {ty}"))
}

/// The order of a list of values of one type.
fn sorted<H: Host>(env: &mut Env<'_, H>, items: &mut [Value<H::Object>]) -> Raised<(), H::Object> {
    let Some(first) = items.first() else {
        return Ok(());
    };
    let same = items
        .iter()
        .all(|x| std::mem::discriminant(x) == std::mem::discriminant(first));
    let known = items.len() < 2
        || same
            && (matches!(first, Value::Unit)
                || items
                    .iter()
                    .all(|x| operators::compare(env.host, first, x).is_some()));
    if !known {
        return Err(raise(
            FaultKind::Type,
            "only values of one type that has an order can be sorted",
        ));
    }
    // Every item is compared about as often as the list can be halved, as far as the longest goes.
    let whole: usize = items.iter().map(|item| 1 + item.size()).sum();
    env.charge_items(whole.saturating_mul(items.len().ilog2() as usize + 1))?;
    items.sort_by(|x, y| operators::compare(env.host, x, y).unwrap_or(Ordering::Equal));
    Ok(())
}

fn ordered<H: Host>(
    env: &mut Env<'_, H>,
    name: &str,
    a: &[Value<H::Object>],
    descending: bool,
) -> Raised<Value<H::Object>, H::Object> {
    let Some(Value::Array(given)) = a.first() else {
        return Err(no_such(env, name, a));
    };
    let mut items = spares::list();
    items.fill(given.iter().cloned());
    if descending {
        // Equal values keep their order in both directions.
        items.reverse();
        sorted(env, &mut items)?;
        items.reverse();
    } else {
        sorted(env, &mut items)?;
    }
    Ok(Value::Array(items.shareable()))
}

fn pad<H: Host>(
    env: &mut Env<'_, H>,
    target: &mut Value<H::Object>,
    a: &mut [Value<H::Object>],
) -> Raised<Value<H::Object>, H::Object> {
    let len = int(env, "pad", &a[0])?.max(0) as usize;
    match (target, &a[1]) {
        (Value::Array(items), item) => {
            if len > items.len() {
                env.array_size(len)?;
                own_list(items).resize(len, item.clone());
            }
        }
        (Value::Str(text), Value::Char(_) | Value::Str(_)) => {
            let padding = operators::text(env.host, &a[1], env.limits.string);
            let count = text.chars().count();
            if len > count && !padding.is_empty() {
                env.string_size(len)?;
                let more: String = padding.chars().cycle().take(len - count).collect();
                Shared::make_mut(text).push_str(&more);
                env.string_size(text.len())?;
            }
        }
        _ => return Err(no_such(env, "pad", a)),
    }
    Ok(Value::Unit)
}

fn index_of<H: Host>(
    env: &mut Env<'_, H>,
    a: &mut [Value<H::Object>],
) -> Raised<Value<H::Object>, H::Object> {
    let start = match a.get(2) {
        None => 0,
        Some(start) => int(env, "index_of", start)?,
    };
    let found = match (&a[0], &a[1]) {
        (Value::Array(items), wanted) => {
            let (start, _) = span(items.len(), start, 0);
            let mut meter = Meter::new(env.limits);
            let at = items
                .iter()
                .skip(start)
                .position(|x| operators::equal_metered(env.host, x, wanted, &mut meter));
            env.charge(meter.operations())?;
            at.map_or(-1, |at| (at + start) as i64)
        }
        (Value::Str(text), Value::Str(wanted)) => super::strings::index_of(text, wanted, start),
        (Value::Str(text), Value::Char(wanted)) => {
            super::strings::index_of(text, wanted.encode_utf8(&mut [0; 4]), start)
        }
        _ => return Err(no_such(env, "index_of", a)),
    };
    Ok(Value::Int(found))
}

fn remove<H: Host>(
    env: &mut Env<'_, H>,
    target: &mut Value<H::Object>,
    a: &mut [Value<H::Object>],
) -> Raised<Value<H::Object>, H::Object> {
    Ok(match (target, &a[0]) {
        (Value::Array(items), Value::Int(i)) => match operators::offset(*i, items.len()) {
            Some(at) => own_list(items).remove(at),
            None => Value::Unit,
        },
        (Value::Map(map), Value::Str(key)) if map.contains_key(key.as_str()) => {
            own_map(map).remove(key.as_str()).unwrap_or_default()
        }
        (Value::Map(_), Value::Str(_)) => Value::Unit,
        (Value::Str(text), Value::Str(part)) => {
            *text = Shared::new(text.replace(part.as_str(), ""));
            Value::Unit
        }
        (Value::Str(text), Value::Char(part)) => {
            *text = Shared::new(text.replace(*part, ""));
            Value::Unit
        }
        _ => return Err(no_such(env, "remove", a)),
    })
}

fn get<H: Host>(
    env: &mut Env<'_, H>,
    a: &mut [Value<H::Object>],
) -> Raised<Value<H::Object>, H::Object> {
    Ok(match (&a[0], &a[1]) {
        (Value::Array(items), Value::Int(i)) => {
            let (at, _) = span(items.len(), *i, 0);
            items.get(at).cloned().unwrap_or_default()
        }
        (Value::Map(map), Value::Str(key)) => map.get(key.as_str()).cloned().unwrap_or_default(),
        (Value::Str(text), Value::Int(i)) => {
            let at = operators::offset(*i, text.chars().count());
            at.and_then(|at| text.chars().nth(at))
                .map_or(Value::Unit, Value::Char)
        }
        _ => return Err(no_such(env, "get", a)),
    })
}

fn set<H: Host>(
    env: &mut Env<'_, H>,
    target: &mut Value<H::Object>,
    a: &mut [Value<H::Object>],
) -> Raised<Value<H::Object>, H::Object> {
    let new = a[1].clone();
    match (target, &a[0]) {
        (Value::Array(items), Value::Int(i)) => {
            let (at, _) = span(items.len(), *i, 0);
            if let Some(place) = own_list(items).get_mut(at) {
                place.put(new);
            }
        }
        (Value::Map(map), Value::Str(key)) => {
            let map = own_map(map);
            map.insert(key.as_str().into(), new);
            let len = map.len();
            env.map_size(len)?;
        }
        (Value::Str(text), Value::Int(i)) if matches!(new, Value::Char(_)) => {
            let Value::Char(c) = new else {
                unreachable!("just matched")
            };
            let at = operators::offset(*i, text.chars().count());
            let changed = text
                .chars()
                .enumerate()
                .map(|(k, old)| if Some(k) == at { c } else { old })
                .collect();
            *text = Shared::new(changed);
        }
        _ => return Err(no_such(env, "set", a)),
    }
    Ok(Value::Unit)
}

pub(super) fn declarations<H: Host>(list: &mut Vec<Declaration<H>>) {
    use Type::{Any, Array, Bool, Int, Unit};
    list.extend([
        change("push", 2, ARRAY, Unit, |env, target, a| match target {
            Value::Array(items) => {
                env.array_size(items.len() + 1)?;
                own_list(items).push(a[0].take());
                Ok(Value::Unit)
            }
            _ => Err(no_such(env, "push", a)),
        }),
        change("append", 2, LISTS, Unit, |env, target, a| {
            match (&*target, &a[0]) {
                (Value::Array(_), Value::Array(_)) | (Value::Str(_), _) => {
                    operators::update(env, crate::code::BinOp::Add, target, &a[0])?;
                    Ok(Value::Unit)
                }
                _ => Err(no_such(env, "append", a)),
            }
        }),
        change("insert", 3, ARRAY, Unit, |env, target, a| {
            let at = int(env, "insert", &a[0])?;
            match target {
                Value::Array(items) => {
                    env.array_size(items.len() + 1)?;
                    let (at, _) = span(items.len(), at, 0);
                    own_list(items).insert(at, a[1].take());
                    Ok(Value::Unit)
                }
                _ => Err(no_such(env, "insert", a)),
            }
        }),
        change("pop", 1, LISTS, Any, |env, target, _| match target {
            Value::Array(items) if items.is_empty() => Ok(Value::Unit),
            Value::Array(items) => Ok(own_list(items).pop().unwrap_or_default()),
            Value::Str(text) => Ok(Shared::make_mut(text)
                .pop()
                .map_or(Value::Unit, Value::Char)),
            other => Err(not_for(env, "pop", other)),
        }),
        change("shift", 1, ARRAY, Any, |env, target, _| match target {
            Value::Array(items) if items.is_empty() => Ok(Value::Unit),
            Value::Array(items) => Ok(own_list(items).remove(0)),
            other => Err(not_for(env, "shift", other)),
        }),
        change("remove", 2, ALL, Any, remove),
        change("clear", 1, ALL, Unit, |env, target, a| {
            let empty = match target {
                Value::Array(_) => Value::list([]),
                Value::Map(_) => Value::Map(Shared::default()),
                Value::Str(_) => Value::Str(Shared::default()),
                _ => return Err(no_such(env, "clear", a)),
            };
            target.put(empty);
            Ok(Value::Unit)
        }),
        change("truncate", 2, LISTS, Unit, |env, target, a| {
            let len = int(env, "truncate", &a[0])?.max(0) as usize;
            match target {
                Value::Array(items) if items.len() > len => own_list(items).truncate(len),
                Value::Array(_) => {}
                Value::Str(text) => *text = Shared::new(text.chars().take(len).collect()),
                _ => return Err(no_such(env, "truncate", a)),
            }
            Ok(Value::Unit)
        }),
        change("chop", 2, ARRAY, Unit, |env, target, a| {
            let len = int(env, "chop", &a[0])?.max(0) as usize;
            match target {
                Value::Array(items) => {
                    let gone = items.len().saturating_sub(len);
                    own_list(items).drain(..gone);
                    Ok(Value::Unit)
                }
                _ => Err(no_such(env, "chop", a)),
            }
        }),
        change("reverse", 1, ARRAY, Unit, |env, target, _| match target {
            Value::Array(items) => {
                own_list(items).reverse();
                Ok(Value::Unit)
            }
            other => Err(not_for(env, "reverse", other)),
        }),
        change("pad", 3, LISTS, Unit, pad),
        change("splice", 3, ARRAY, Unit, splice),
        change("splice", 4, ARRAY, Unit, splice),
        pure("extract", 2, ARRAY, Array, extract),
        pure("extract", 3, ARRAY, Array, extract),
        change("__drain", 2, ARRAY, Array, drain),
        change("drain", 3, ARRAY, Array, drain),
        change("__retain", 2, ARRAY, Array, retain),
        change("retain", 3, ARRAY, Array, retain),
        change("__split", 2, ARRAY, Array, |env, target, a| {
            let at = int(env, "split", &a[0])?;
            match target {
                Value::Array(items) => {
                    let (at, _) = span(items.len(), at, 0);
                    Ok(Value::list(own_list(items).drain(at..)))
                }
                _ => Err(no_such(env, "split", a)),
            }
        }),
        change("sort", 1, ARRAY, Unit, |env, target, _| {
            let sorted = ordered(env, "sort", std::slice::from_ref(target), false)?;
            target.put(sorted);
            Ok(Value::Unit)
        }),
        change("sort_desc", 1, ARRAY, Unit, |env, target, _| {
            let sorted = ordered(env, "sort_desc", std::slice::from_ref(target), true)?;
            target.put(sorted);
            Ok(Value::Unit)
        }),
        pure("order", 1, ARRAY, Array, |env, a| {
            ordered(env, "order", a, false)
        }),
        pure("order_desc", 1, ARRAY, Array, |env, a| {
            ordered(env, "order_desc", a, true)
        }),
        change("dedup", 1, ARRAY, Unit, |env, target, _| match target {
            Value::Array(items) => {
                let mut meter = Meter::new(env.limits);
                own_list(items)
                    .dedup_by(|x, y| operators::equal_metered(env.host, y, x, &mut meter));
                env.charge(meter.operations())?;
                Ok(Value::Unit)
            }
            other => Err(not_for(env, "dedup", other)),
        }),
        pure("__find_value", 3, LISTS, Int, index_of),
        // The standard functions that are scripts say with these what they do not work on.
        pure("__array", 2, &[], Unit, |env, a| match &a[0] {
            Value::Array(_) => Ok(Value::Unit),
            _ => Err(no_method(env, a)),
        }),
        pure("__of_host", 2, &[], Unit, |env, a| match a[0].is_host() {
            true => Ok(Value::Unit),
            false => Err(no_method(env, a)),
        }),
        pure("__unchanged", 2, &[], Unit, |env, a| {
            match env.equal(&a[0], &a[1])? {
                true => Ok(Value::Unit),
                false => Err(raise(
                    FaultKind::Type,
                    "only the items of an array can be replaced",
                )),
            }
        }),
        pure("get", 2, ALL, Any, get),
        change("set", 3, ALL, Unit, set),
        pure("is_empty", 1, &[], Bool, |env, a| {
            match super::len(env, &a[0]) {
                Ok(Value::Int(n)) => Ok(Value::Bool(n == 0)),
                _ => match &a[0] {
                    Value::Range(r) => Ok(Value::Bool(r.is_empty())),
                    _ => Err(no_such(env, "is_empty", a)),
                },
            }
        }),
    ]);
}
