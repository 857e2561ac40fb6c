//! Object maps.

use super::{Declaration, OPERATIONS_PER_TEXT, change, no_such, pure};
use crate::host::{Host, Type};
use crate::spares::own_map;
use crate::value::Value;

const MAP: &[Type] = &[Type::Map];

pub(super) fn declarations<H: Host>(list: &mut Vec<Declaration<H>>) {
    use Type::{Array, Unit};
    list.extend([
        pure("keys", 1, MAP, Array, |env, a| match &a[0] {
            Value::Map(map) => {
                env.charge((map.len() * OPERATIONS_PER_TEXT) as u64)?;
                let texts = map
                    .keys()
                    .map(|key| Value::written(|out| out.push_str(key)));
                Ok(Value::list(texts))
            }
            _ => Err(no_such(env, "keys", a)),
        }),
        pure("values", 1, MAP, Array, |env, a| match &a[0] {
            Value::Map(map) => Ok(Value::list(map.values().cloned())),
            _ => Err(no_such(env, "values", a)),
        }),
        change("mixin", 2, MAP, Unit, |env, target, a| {
            match (&*target, &a[0]) {
                (Value::Map(_), Value::Map(_)) => {
                    crate::operators::update(env, crate::code::BinOp::Add, target, &a[0])?;
                    Ok(Value::Unit)
                }
                _ => Err(no_such(env, "mixin", a)),
            }
        }),
        change("fill_with", 2, MAP, Unit, |env, target, a| {
            match (target, &a[0]) {
                (Value::Map(map), Value::Map(more)) => {
                    let map = own_map(map);
                    for (key, value) in more.iter() {
                        if !map.contains_key(key) {
                            map.insert(key.clone(), value.clone());
                        }
                    }
                    let len = map.len();
                    env.map_size(len)?;
                    Ok(Value::Unit)
                }
                _ => Err(no_such(env, "fill_with", a)),
            }
        }),
    ]);
}
