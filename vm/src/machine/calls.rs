//! What the loop of the machine does out of line: iterating, calling function values, choosing among host functions.

use super::WINDOW;
use crate::code::{BinOp, Style};
use crate::error::{FaultKind, Raise, Raised, raise};
use crate::host::{Host, HostObject};
use crate::library::{Env, work};
use crate::operators;
use crate::parse::parameters;
use crate::program::{FnId, LibraryFn, Program};
use crate::spares;
use crate::value::{FnPtr, Value};

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
    if cursor == 0
        && let Value::Handle(..) | Value::Small(..) = r[first]
    {
        env.charge_items(env.host.size(&r[first]))?;
        if let Some(held) = env.host.held(&r[first]) {
            r[first].put(held);
        }
    }
    if let Ok([over, item]) = r.get_disjoint_mut([first, first + 2])
        && over.is_host()
    {
        let begins = cursor == 0;
        let Some(cursor) = env.host.next_into(over, cursor, item) else {
            return if begins && env.host.len(over).is_none() {
                Err(no_members(env.type_name(over)))
            } else {
                Ok(false)
            };
        };
        r[first + 1].put(Value::Int(cursor));
        return Ok(true);
    }
    let found = match &r[first] {
        Value::Array(items) => items
            .get(cursor as usize)
            .map(|item| (item.clone(), cursor + 1)),
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
        other => return Err(no_members(env.type_name(other))),
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

#[cold]
fn no_members<O>(ty: String) -> Box<Raise<O>> {
    let help = match &*ty {
        "map" => ": use `keys()` or `values()`",
        _ => "",
    };
    raise(
        FaultKind::Type,
        format!("cannot go through {ty} with `for`{help}"),
    )
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

/// `x.call(f)` where `x` is no function calls `f` with `x` bound to `this`. The compiler has made sure that no function looks at it, so
/// `x` goes away. Gives the number of arguments that are left.
#[cold]
fn receiver_apart<O: HostObject>(r: &mut [Value<O>; WINDOW], a: usize, n: usize) -> usize {
    if n == 0 || !matches!(r[a + 1], Value::Fn(_)) {
        return n;
    }
    r[a..=a + n].rotate_left(1);
    r[a + n].put(Value::Unit);
    n - 1
}

/// A way to call: how many of the values are arguments, from which on, and which one is bound to `this`.
struct Way {
    first: usize,
    count: usize,
    this: Option<usize>,
}

const fn args(count: usize) -> Way {
    Way {
        first: 0,
        count,
        this: None,
    }
}

const fn bound(this: usize, first: usize, count: usize) -> Way {
    Way {
        first,
        count,
        this: Some(this),
    }
}

const EACH: &[Way] = &[bound(0, 0, 0), args(1), args(2)];
const ON: &[Way] = &[bound(0, 0, 0), bound(0, 1, 1)];
const KEYED: &[Way] = &[bound(1, 0, 1), args(2)];
const FOLD: &[Way] = &[bound(1, 0, 1), args(2), args(3)];
const ZIP: &[Way] = &[args(2), args(3)];

/// Which of the values is the item that must still be there after the call.
fn kept_item(style: Style) -> Option<usize> {
    match style {
        Style::EachAt => Some(0),
        Style::KeyedAt | Style::FoldAt => Some(1),
        _ => None,
    }
}

/// The item stands first, and the callee's registers begin behind it: captured values, then arguments.
#[cold]
fn keep_item<O: HostObject>(r: &mut [Value<O>], item: usize, captured: &[Value<O>], count: usize) {
    let item = r[1 + item].clone();
    for i in (0..count).rev() {
        let v = r[1 + i].take();
        r[1 + captured.len() + i].put(v);
    }
    for (i, v) in captured.iter().enumerate() {
        r[1 + i].put_copy(v);
    }
    r[0].put(item);
}

/// Brings captured values and arguments into the callee's order. Says which function it is, and where its registers begin.
#[inline]
pub(super) fn arrange_call<H: Host>(
    program: &Program<H>,
    r: &mut [Value<H::Object>; WINDOW],
    a: usize,
    n: usize,
    style: Style,
) -> Raised<(u32, usize), H::Object> {
    let n = match style {
        Style::Method if !matches!(r[a], Value::Fn(_)) => receiver_apart(r, a, n),
        _ => n,
    };
    // Looked at before it is taken: the pointer alone is read then, not the whole of what was just written in parts.
    if !matches!(r[a], Value::Fn(_)) {
        return Err(raise(FaultKind::Type, "only a function can be called"));
    }
    let Value::Fn(f) = r[a].take() else {
        unreachable!("just looked")
    };
    let arranged = arrange(program, r, a, n, style, &f);
    if f.is_unique() {
        spares::let_go(Value::Fn(f));
    }
    arranged
}

/// The same for a function that has left its register.
#[inline(always)]
fn arrange<H: Host>(
    program: &Program<H>,
    r: &mut [Value<H::Object>; WINDOW],
    a: usize,
    n: usize,
    style: Style,
    f: &FnPtr<H::Object>,
) -> Raised<(u32, usize), H::Object> {
    let captured = f.captured.len();
    let Some(function) = program.functions.get(f.function as usize) else {
        return Err(raise(
            FaultKind::Type,
            "the function value belongs to another program",
        ));
    };
    let targets = || std::iter::once(f.function).chain(function.siblings.iter().copied());
    let arity = |target: u32| program.functions[target as usize].arity as usize;
    let all = [args(n)];
    let ways: &[Way] = match style {
        Style::Plain | Style::Method => &all,
        Style::Each | Style::EachAt => EACH,
        Style::On => ON,
        Style::Keyed | Style::KeyedAt => KEYED,
        Style::Fold | Style::FoldAt => FOLD,
        Style::Zip => ZIP,
    };
    for way in ways {
        let wanted = captured + way.count;
        let target = match function.arity as usize == wanted {
            true => f.function,
            // Most functions have no others of their name.
            false if function.siblings.is_empty() => continue,
            false => match targets().find(|t| arity(*t) == wanted) {
                Some(target) => target,
                None => continue,
            },
        };
        let uses_this = program.functions[target as usize].uses_this;
        if a + 2 + captured + n > super::members::SCRATCH as usize {
            return Err(raise(FaultKind::Depth, "too many values for one function"));
        }
        let Some(item) = way.this else {
            if uses_this {
                return Err(raise(
                    FaultKind::Type,
                    "the function uses `this`, and nothing is bound to it here",
                ));
            }
            if let Some(item) = kept_item(style) {
                keep_item(&mut r[a..], item, &f.captured, way.count);
                return Ok((target, a + 1));
            }
            // Arguments stand from a + 1; they must stand behind the captured values.
            if captured > 1 {
                for i in (0..way.count).rev() {
                    let v = r[a + 1 + i].take();
                    r[a + captured + i].put(v);
                }
            } else if captured == 0 {
                for i in 0..way.count {
                    let v = r[a + 1 + i].take();
                    r[a + i].put(v);
                }
            }
            for (i, v) in f.captured.iter().enumerate() {
                r[a + i].put_copy(v);
            }
            return Ok((target, a));
        };
        // The item stands at `a`: as `this`, or below the function that does not look at it.
        let argument = match way.count {
            0 => Value::Unit,
            _ => r[a + 1 + way.first].take(),
        };
        let item = r[a + 1 + item].take();
        r[a].put(item);
        for (i, v) in f.captured.iter().enumerate() {
            r[a + 1 + i].put_copy(v);
        }
        if way.count > 0 {
            r[a + 1 + captured].put(argument);
        }
        return Ok((target, if uses_this { a } else { a + 1 }));
    }
    let mut wanted: Vec<usize> = targets()
        .map(|t| arity(t).saturating_sub(captured))
        .collect();
    wanted.sort_unstable();
    wanted.dedup();
    let wanted: Vec<String> = wanted.iter().map(usize::to_string).collect();
    let most = ways.iter().map(|w| w.count).max().unwrap_or(n);
    Err(raise(
        FaultKind::Type,
        format!(
            "the function has {} parameters, and there are {most} values for them",
            wanted.join(" or ")
        ),
    ))
}

/// The one among the functions of a name that takes so many arguments. What is no function at all is the host's to judge.
pub(super) fn function_of<H: Host>(
    program: &Program<H>,
    value: &Value<H::Object>,
    arity: u8,
) -> Raised<Value<H::Object>, H::Object> {
    let Value::Fn(f) = value else {
        return Ok(value.clone());
    };
    let wanted = arity as usize + f.captured.len();
    match program.with_arity(FnId(f.function), wanted) {
        Some(FnId(function)) if function == f.function => Ok(value.clone()),
        Some(FnId(function)) => {
            let mut found = spares::function(function, &f.name);
            found.captured.fill(f.captured.iter().cloned());
            Ok(Value::Fn(found.shareable()))
        }
        None => Err(raise(
            FaultKind::Type,
            format!(
                "there is no `{}` with {}",
                f.name,
                parameters(arity as usize)
            ),
        )),
    }
}

/// A text that names a function of the unit becomes that function, if there is an array to go through.
pub(super) fn named_function<H: Host>(
    program: &Program<H>,
    r: &mut [Value<H::Object>; WINDOW],
    f: usize,
    list: usize,
    (unit, most): (u16, u8),
) {
    if let (Value::Str(text), Value::Array(_)) = (&r[f], &r[list])
        && let Some(function) = program.named(unit, text, most)
    {
        let named = spares::function(function, &program.functions[function as usize].name);
        r[f].put(Value::Fn(named.shareable()));
    }
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
        let mut each = params.iter().zip(row);
        if each.all(|(types, value)| types.accepts(value, &program.kinds)) {
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
    match env.program.library[f as usize].call {
        LibraryFn::Pure(call) => {
            env.charge(work(row))?;
            let mut value = call(env, row)?;
            env.nesting(&mut value)?;
            Ok(value)
        }
        LibraryFn::Change(_) => match row.split_first_mut() {
            Some((target, rest)) => env.change(f, target, rest),
            None => Ok(Value::Unit),
        },
    }
}
