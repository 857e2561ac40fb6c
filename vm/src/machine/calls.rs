//! What the loop of the machine does out of line: iterating, calling function values, choosing among host functions.

use super::WINDOW;
use crate::code::BinOp;
use crate::error::{FaultKind, Raised, raise};
use crate::host::Host;
use crate::library::Env;
use crate::operators;
use crate::program::{LibraryFn, Program};
use crate::value::Value;

/// One step of iterating `r[first]`: the cursor is behind it, the item goes behind that. `false` at the end.
#[inline]
pub(super) fn next<H: Host>(
    env: &mut Env<'_, H>,
    r: &mut [Value<H::Object>; WINDOW],
    first: usize,
) -> Raised<bool, H::Object> {
    let Value::Int(cursor) = r[first + 1] else {
        unreachable!("the compiler makes the cursor a number")
    };
    let found = match &r[first] {
        Value::Array(items) => items
            .get(cursor as usize)
            .map(|item| (item.clone(), cursor + 1)),
        Value::Handle(..) | Value::Small(..) | Value::Object(_) => env.host.next(&r[first], cursor),
        Value::Range(range) => {
            // The cursor counts from 0, so that ranges may begin anywhere.
            let n = range.from.checked_add(cursor);
            n.filter(|n| range.contains(*n))
                .map(|n| (Value::Int(n), cursor + 1))
        }
        Value::Str(text) => text
            .get(cursor as usize..)
            .and_then(|rest| rest.chars().next())
            .map(|c| (Value::Char(c), cursor + c.len_utf8() as i64)),
        other => {
            let ty = env.type_name(other);
            let help = if ty == "map" {
                ": use `keys()` or `values()`"
            } else {
                ""
            };
            return Err(raise(
                FaultKind::Type,
                format!("cannot go through {ty} with `for`{help}"),
            ));
        }
    };
    match found {
        Some((item, cursor)) => {
            r[first + 2].put(item);
            r[first + 1].put(Value::Int(cursor));
            Ok(true)
        }
        None => Ok(false),
    }
}

/// Checks the bounds of a loop, makes an inclusive end exclusive, and says whether there is a first round.
pub(super) fn range_start<H: Host>(
    program: &Program<H>,
    bounds: &mut [Value<H::Object>],
    inclusive: bool,
) -> Raised<bool, H::Object> {
    let [Value::Int(from), Value::Int(to)] = bounds else {
        let names: Vec<&str> = bounds.iter().map(|b| program.type_name(b)).collect();
        return Err(raise(
            FaultKind::Type,
            format!("a range needs two numbers, found {}", names.join(" and ")),
        ));
    };
    if inclusive {
        match to.checked_add(1) {
            Some(end) => *to = end,
            None => return Err(operators::arithmetic_fault(BinOp::Add, *to, 1)),
        }
    }
    Ok(*from < *to)
}

/// Brings captured values and arguments into the callee's order, and says which function it is.
#[inline]
pub(super) fn arrange_call<H: Host>(
    program: &Program<H>,
    r: &mut [Value<H::Object>; WINDOW],
    a: usize,
    n: usize,
    extra: usize,
    this: bool,
) -> Raised<u32, H::Object> {
    let Value::Fn(f) = r[a].take() else {
        return Err(raise(FaultKind::Type, "only a function can be called"));
    };
    let captured = f.captured.len();
    let Some(function) = program.functions.get(f.function as usize) else {
        return Err(raise(
            FaultKind::Type,
            "the function value belongs to another program",
        ));
    };
    let targets = || std::iter::once(f.function).chain(function.siblings.iter().copied());
    for dropped in 0..=extra {
        let given = n - dropped;
        let fits = |target: &u32| {
            let t = &program.functions[*target as usize];
            if t.uses_this {
                this && t.arity as usize + 1 == captured + given
            } else {
                t.arity as usize == captured + given
            }
        };
        let Some(target) = targets().find(fits) else {
            continue;
        };
        let uses_this = program.functions[target as usize].uses_this;
        // Arguments stand from a + 1; they must stand behind the captured values, `this` before all.
        if a + 1 + captured + given > super::members::SCRATCH as usize {
            return Err(raise(FaultKind::Depth, "too many values for one function"));
        }
        if uses_this {
            let bound = r[a + 1].take();
            if captured > 1 {
                for i in (1..given).rev() {
                    let v = r[a + 1 + i].take();
                    r[a + captured + i].put(v);
                }
            } else if captured == 0 {
                for i in 1..given {
                    let v = r[a + 1 + i].take();
                    r[a + i].put(v);
                }
            }
            for (i, v) in f.captured.iter().enumerate() {
                r[a + 1 + i].put(v.clone());
            }
            r[a].put(bound);
        } else {
            if captured > 1 {
                for i in (0..given).rev() {
                    let v = r[a + 1 + i].take();
                    r[a + captured + i].put(v);
                }
            } else if captured == 0 {
                for i in 0..given {
                    let v = r[a + 1 + i].take();
                    r[a + i].put(v);
                }
            }
            for (i, v) in f.captured.iter().enumerate() {
                r[a + i].put(v.clone());
            }
        }
        return Ok(target);
    }
    let arity = |t: u32| program.functions[t as usize].arity as usize;
    let wanted: Vec<String> = targets()
        .map(|t| arity(t).saturating_sub(captured).to_string())
        .collect();
    Err(raise(
        FaultKind::Type,
        format!(
            "the function takes {} arguments, not {n}",
            wanted.join(" or ")
        ),
    ))
}

pub(super) enum Choice {
    Native(u16),
    Library(u16),
}

pub(super) fn choose<H: Host>(
    program: &Program<H>,
    row: &[Value<H::Object>],
    set: u16,
) -> Raised<Choice, H::Object> {
    let overloads = &program.overloads[set as usize];
    for (params, native) in &overloads.candidates {
        let accepts = params
            .iter()
            .zip(row)
            .all(|(types, value)| types.iter().any(|ty| program.is_of(value, *ty)));
        if accepts {
            return Ok(Choice::Native(*native));
        }
    }
    match overloads.library {
        Some(f) => Ok(Choice::Library(f)),
        None => {
            let types: Vec<&str> = row.iter().map(|v| program.type_name(v)).collect();
            Err(raise(
                FaultKind::Type,
                format!("there is no `{}({})`", overloads.name, types.join(", ")),
            ))
        }
    }
}

#[inline]
pub(super) fn library<H: Host>(
    env: &mut Env<'_, H>,
    f: u16,
    row: &mut [Value<H::Object>],
) -> Raised<Value<H::Object>, H::Object> {
    match env.program.library[f as usize].1 {
        LibraryFn::Pure(call) => call(env, row),
        LibraryFn::Change(change) => match row.split_first_mut() {
            Some((target, rest)) => change(env, target, rest),
            None => Ok(Value::Unit),
        },
    }
}
