//! Integers, ranges, and functions as values.

use super::{Declaration, Env, OwnProperty, int, no_such, pure};
use crate::error::{FaultKind, Raised, raise};
use crate::host::{Host, Type};
use crate::operators;
use crate::value::{FnPtr, Shared, Value};

const INT: &[Type] = &[Type::Int];
const RANGE: &[Type] = &[Type::Range];

/// A property of the language that may also be called.
fn asked<H: Host>(
    env: &mut Env<'_, H>,
    name: &str,
    a: &[Value<H::Object>],
) -> Raised<Value<H::Object>, H::Object> {
    let own = OwnProperty::named(name);
    let found = own.and_then(|own| super::property(env, &a[0], own));
    found.ok_or_else(|| no_such(env, name, a))
}

/// `range(from, to)`, and with a step the numbers as a list.
fn range<H: Host>(
    env: &mut Env<'_, H>,
    a: &mut [Value<H::Object>],
) -> Raised<Value<H::Object>, H::Object> {
    let (from, to, step) = match &*a {
        [Value::Int(from), Value::Int(to)] => return Ok(Value::range(*from, *to, false)),
        [Value::Int(from), Value::Int(to), Value::Int(step)] => (*from, *to, *step),
        [Value::Range(r), Value::Int(step)] => {
            (r.from, r.to.saturating_add(r.inclusive as i64), *step)
        }
        _ => return Err(no_such(env, "range", a)),
    };
    if step == 0 {
        return Err(raise(
            FaultKind::Arithmetic,
            "a range cannot have steps of 0",
        ));
    }
    let mut out = Vec::new();
    let mut n = from;
    // As in Rhai, a number that has no next one is not given out.
    while (if step > 0 { n < to } else { n > to })
        && let Some(next) = n.checked_add(step)
    {
        env.array_size(out.len() + 1)?;
        out.push(Value::Int(n));
        n = next;
    }
    Ok(Value::array(out))
}

fn curry<H: Host>(
    env: &mut Env<'_, H>,
    a: &mut [Value<H::Object>],
) -> Raised<Value<H::Object>, H::Object> {
    let (Value::Fn(f), more) = (&a[0], &a[1..]) else {
        return Err(no_such(env, "curry", a));
    };
    env.array_size(f.captured.len() + more.len())?;
    let captured = f.captured.iter().chain(more).cloned().collect();
    Ok(Value::Fn(Shared::new(FnPtr {
        function: f.function,
        name: f.name.clone(),
        captured,
    })))
}

pub(super) fn declarations<H: Host>(list: &mut Vec<Declaration<H>>) {
    use Type::{Any, Bool, Fn, Int, Str};
    list.extend([
        pure("abs", 1, INT, Int, |env, a| {
            let n = int(env, "abs", &a[0])?;
            n.checked_abs()
                .map(Value::Int)
                .ok_or_else(|| operators::arithmetic_fault(crate::code::BinOp::Sub, 0, n))
        }),
        pure("sign", 1, INT, Int, |env, a| {
            Ok(Value::Int(int(env, "sign", &a[0])?.signum()))
        }),
        pure("is_zero", 1, INT, Bool, |env, a| asked(env, "is_zero", a)),
        pure("is_odd", 1, INT, Bool, |env, a| asked(env, "is_odd", a)),
        pure("is_even", 1, INT, Bool, |env, a| asked(env, "is_even", a)),
        pure("to_hex", 1, INT, Str, |env, a| {
            Ok(Value::string(format!("{:x}", int(env, "to_hex", &a[0])?)))
        }),
        pure("to_octal", 1, INT, Str, |env, a| {
            Ok(Value::string(format!("{:o}", int(env, "to_octal", &a[0])?)))
        }),
        pure("to_binary", 1, INT, Str, |env, a| {
            Ok(Value::string(format!(
                "{:b}",
                int(env, "to_binary", &a[0])?
            )))
        }),
        pure(
            "to_int",
            1,
            &[Type::Int, Type::Char],
            Int,
            |env, a| match &a[0] {
                Value::Int(n) => Ok(Value::Int(*n)),
                Value::Char(c) => Ok(Value::Int(*c as i64)),
                _ => Err(no_such(env, "to_int", a)),
            },
        ),
        pure("range", 2, &[], Any, range),
        pure("range", 3, INT, Type::Array, range),
        pure("start", 1, RANGE, Int, |env, a| asked(env, "start", a)),
        pure("end", 1, RANGE, Int, |env, a| asked(env, "end", a)),
        pure("is_inclusive", 1, RANGE, Bool, |env, a| {
            asked(env, "is_inclusive", a)
        }),
        pure("is_exclusive", 1, RANGE, Bool, |env, a| {
            asked(env, "is_exclusive", a)
        }),
        pure("name", 1, &[Type::Fn], Str, |env, a| asked(env, "name", a)),
        pure("is_anonymous", 1, &[Type::Fn], Bool, |env, a| {
            asked(env, "is_anonymous", a)
        }),
        pure("curry", 2, &[Type::Fn], Fn, curry),
        pure("curry", 3, &[Type::Fn], Fn, curry),
        pure("curry", 4, &[Type::Fn], Fn, curry),
        pure("type_of", 1, &[], Str, |env, a| {
            let name = env.program.type_name(&a[0]);
            Ok(Value::written(|out| out.push_str(name)))
        }),
    ]);
}
