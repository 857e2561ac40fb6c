//! What operators mean for every combination of types: the slow paths of the machine, and the compiler's constant folding.

use crate::code::BinOp;
use crate::diagnostic;
use crate::error::{FaultKind, Raise, Raised, raise};
use crate::host::{BinaryOp, Host};
use crate::library::{Env, ITEMS_PER_OPERATION, Meter, strings};
use crate::map::Map;
use crate::spares::{self, own_list, own_map};
use crate::value::{Shared, Value};
use std::cmp::Ordering;
use std::collections::HashSet;
use std::fmt::Write;

type Result<T, H> = Raised<T, <H as Host>::Object>;

/// Integer arithmetic; `None` for overflow, division by zero and the like.
#[inline(always)]
pub(crate) fn arithmetic(op: BinOp, a: i64, b: i64) -> Option<i64> {
    Some(match op {
        BinOp::Add => a.checked_add(b)?,
        BinOp::Sub => a.checked_sub(b)?,
        BinOp::Mul => a.checked_mul(b)?,
        BinOp::Div => a.checked_div(b)?,
        BinOp::Rem => a.checked_rem(b)?,
        BinOp::Pow => a.checked_pow(u32::try_from(b).ok()?)?,
        BinOp::Shl => shift(a, b),
        BinOp::Shr => shift(a, b.checked_neg().unwrap_or(i64::MAX)),
        BinOp::BitAnd => a & b,
        BinOp::BitOr => a | b,
        BinOp::BitXor => a ^ b,
        _ => return None,
    })
}

/// Left for positive distances, right for negative ones, as Rhai shifts.
fn shift(a: i64, by: i64) -> i64 {
    match by {
        64.. => 0,
        0..64 => a << by,
        -63..0 => a >> -by,
        _ => a >> 63,
    }
}

#[cold]
#[inline(never)]
pub(crate) fn arithmetic_fault<O>(op: BinOp, a: i64, b: i64) -> Box<Raise<O>> {
    let symbol = op.symbol();
    let message = match op {
        BinOp::Div | BinOp::Rem if b == 0 => format!("division by zero: {a} {symbol} {b}"),
        BinOp::Pow if b < 0 => format!("negative power: {a} {symbol} {b}"),
        _ => format!("the result is too large: {a} {symbol} {b}"),
    };
    raise(FaultKind::Arithmetic, message)
}

/// What the host may give a meaning to.
#[inline(always)]
fn host_operator(op: BinOp) -> Option<BinaryOp> {
    match op {
        BinOp::Add => Some(BinaryOp::Add),
        BinOp::Sub => Some(BinaryOp::Sub),
        BinOp::BitAnd => Some(BinaryOp::And),
        BinOp::BitOr => Some(BinaryOp::Or),
        BinOp::BitXor => Some(BinaryOp::Xor),
        BinOp::Mul => Some(BinaryOp::Mul),
        _ => None,
    }
}

/// `a op b` for small values of the host, if that is all there is to it.
#[inline(always)]
pub(crate) fn small<H: Host>(
    op: BinOp,
    a: &Value<H::Object>,
    b: &Value<H::Object>,
) -> Option<Value<H::Object>> {
    match a {
        Value::Small(kind, bytes) => {
            let found = H::binary_small(host_operator(op)?, *kind, bytes, b)?;
            Some(Value::Small(*kind, found))
        }
        _ => None,
    }
}

/// `a op b` for any values.
#[inline(never)]
pub(crate) fn binary<H: Host>(
    env: &mut Env<'_, H>,
    op: BinOp,
    a: &Value<H::Object>,
    b: &Value<H::Object>,
) -> Result<Value<H::Object>, H> {
    use BinOp::*;
    match op {
        Eq => return env.equal(a, b).map(Value::Bool),
        Ne => return env.equal(a, b).map(|same| Value::Bool(!same)),
        Lt | Le | Gt | Ge => return order(env, op, a, b).map(Value::Bool),
        _ => {}
    }
    Ok(match (op, a, b) {
        (_, Value::Int(x), Value::Int(y)) => match arithmetic(op, *x, *y) {
            Some(z) => Value::Int(z),
            None => return Err(arithmetic_fault(op, *x, *y)),
        },
        (BitAnd, Value::Bool(x), Value::Bool(y)) => Value::Bool(x & y),
        (BitOr, Value::Bool(x), Value::Bool(y)) => Value::Bool(x | y),
        (BitXor, Value::Bool(x), Value::Bool(y)) => Value::Bool(x ^ y),
        (Add, Value::Array(x), Value::Array(y)) => {
            env.array_size(x.len() + y.len())?;
            Value::list(x.iter().chain(y.iter()).cloned())
        }
        (Add, Value::Map(x), Value::Map(y)) => {
            let mut both = x.clone();
            own_map(&mut both).extend(y.iter().map(|(k, v)| (k.clone(), v.clone())));
            env.map_size(both.len())?;
            Value::Map(both)
        }
        (Add, Value::Str(_), _)
        | (Add, _, Value::Str(_))
        | (Add, Value::Char(_), Value::Char(_)) => {
            let mut out = spares::text::<H::Object>();
            write_text(env.host, a, env.limits.string, &mut out);
            write_text(env.host, b, env.limits.string, &mut out);
            env.string_size(out.len())?;
            Value::Str(out.shareable())
        }
        (Sub, Value::Str(x), Value::Str(y)) => Value::string(x.replace(y.as_str(), "")),
        (Sub, Value::Str(x), Value::Char(y)) => Value::string(x.replace(*y, "")),
        _ if a.is_host() || b.is_host() => {
            match host_operator(op).and_then(|op| env.host.binary(op, a, b)) {
                Some(value) => value,
                None => return Err(no_operator(env, op, a, b)),
            }
        }
        _ => return Err(no_operator(env, op, a, b)),
    })
}

#[cold]
#[inline(never)]
fn no_operator<H: Host>(
    env: &Env<'_, H>,
    op: BinOp,
    a: &Value<H::Object>,
    b: &Value<H::Object>,
) -> Box<Raise<H::Object>> {
    let (x, y) = (env.type_name(a), env.type_name(b));
    raise(
        FaultKind::Type,
        format!("there is no `{x} {} {y}`", op.symbol()),
    )
}

/// `place op= value`: as the operator, but strings, arrays and maps grow in place.
#[inline(never)]
pub(crate) fn update<H: Host>(
    env: &mut Env<'_, H>,
    op: BinOp,
    place: &mut Value<H::Object>,
    value: &Value<H::Object>,
) -> Result<(), H> {
    match (op, &mut *place, value) {
        (BinOp::Add, Value::Array(x), Value::Array(y)) => {
            env.array_size(x.len() + y.len())?;
            own_list(x).extend(y.iter().cloned());
            let inner = y.depth() - 1;
            env.stored(place, inner)?;
        }
        (BinOp::Add, Value::Array(x), item) => {
            env.array_size(x.len() + 1)?;
            own_list(x).push(item.clone());
            env.stored(place, item.depth())?;
        }
        (BinOp::Add, Value::Map(x), Value::Map(y)) => {
            let map = own_map(x);
            map.extend(y.iter().map(|(k, v)| (k.clone(), v.clone())));
            let len = map.len();
            env.map_size(len)?;
            env.nesting(place)?;
        }
        (BinOp::Add, Value::Str(x), _) => {
            if let Value::Str(tail) = value {
                env.string_size(x.len() + tail.len())?;
                Shared::make_mut(x).push_str(tail);
            } else {
                let text = Shared::make_mut(x);
                write_text(env.host, value, env.limits.string, text);
                let len = text.len();
                env.string_size(len)?;
            }
        }
        _ => {
            let result = binary(env, op, place, value)?;
            place.put(result);
        }
    }
    Ok(())
}

/// Whether two values are equal, of which one at least is small.
#[inline(always)]
pub(crate) fn equal<H: Host>(host: &H, a: &Value<H::Object>, b: &Value<H::Object>) -> bool {
    equal_metered(host, a, b, &mut Meter::endless())
}

pub(crate) fn equal_metered<H: Host>(
    host: &H,
    a: &Value<H::Object>,
    b: &Value<H::Object>,
    meter: &mut Meter,
) -> bool {
    match (a, b) {
        (Value::Int(x), Value::Int(y)) => x == y,
        (Value::Bool(x), Value::Bool(y)) => x == y,
        (Value::Unit, Value::Unit) => true,
        (Value::Unit, _) | (_, Value::Unit) => false,
        (Value::Handle(k, x), Value::Handle(l, y)) if k == l => x == y,
        (Value::Str(x), Value::Str(y)) => {
            Shared::ptr_eq(x, y) || meter.goes_through(x.len().min(y.len())) && x == y
        }
        (Value::Char(x), Value::Char(y)) => x == y,
        (Value::Str(s), Value::Char(c)) | (Value::Char(c), Value::Str(s)) => {
            s.strip_prefix(*c) == Some("")
        }
        (Value::Range(x), Value::Range(y)) => x == y,
        (Value::Array(_), Value::Array(_))
        | (Value::Map(_), Value::Map(_))
        | (Value::Fn(_), Value::Fn(_)) => nested_equal(host, a, b, &mut HashSet::new(), meter),
        _ if a.is_host() || b.is_host() => {
            meter.goes_through(host.size(a) + host.size(b)) && host.equal(a, b)
        }
        _ => false,
    }
}

/// Equality of values that hold others. Pairs that were found equal are not compared again: an array that holds another twice, which
/// holds another twice.. has few arrays but very many ways through them.
fn nested_equal<H: Host>(
    host: &H,
    a: &Value<H::Object>,
    b: &Value<H::Object>,
    known: &mut HashSet<(usize, usize)>,
    meter: &mut Meter,
) -> bool {
    let mut same = |x: &Value<H::Object>, y: &Value<H::Object>| {
        let (Some(p), Some(q)) = (x.address(), y.address()) else {
            return meter.goes_through(1) && equal_metered(host, x, y, meter);
        };
        // A pair that is remembered takes as much as an operation may.
        meter.goes_through(ITEMS_PER_OPERATION)
            && (p == q || known.contains(&(p, q)) || {
                nested_equal(host, x, y, known, meter) && known.insert((p, q))
            })
    };
    match (a, b) {
        (Value::Array(x), Value::Array(y)) => {
            x.len() == y.len() && x.iter().zip(y.iter()).all(|(x, y)| same(x, y))
        }
        (Value::Map(x), Value::Map(y)) => {
            let mut entries = x.iter().zip(y.iter());
            x.len() == y.len() && entries.all(|((k, x), (l, y))| k == l && same(x, y))
        }
        (Value::Fn(x), Value::Fn(y)) => {
            let mut captured = x.captured.iter().zip(y.captured.iter());
            (x.function, &x.name, x.captured.len()) == (y.function, &y.name, y.captured.len())
                && captured.all(|(x, y)| same(x, y))
        }
        _ => false,
    }
}

/// How two values compare; `None` if their types have no order between them.
pub(crate) fn compare<H: Host>(
    host: &H,
    a: &Value<H::Object>,
    b: &Value<H::Object>,
) -> Option<Ordering> {
    match (a, b) {
        (Value::Int(x), Value::Int(y)) => Some(x.cmp(y)),
        (Value::Str(x), Value::Str(y)) => Some(x.cmp(y)),
        (Value::Char(x), Value::Char(y)) => Some(x.cmp(y)),
        (Value::Bool(x), Value::Bool(y)) => Some(x.cmp(y)),
        (Value::Str(x), Value::Char(y)) => Some(x.as_str().cmp(y.encode_utf8(&mut [0; 4]))),
        (Value::Char(x), Value::Str(y)) => Some((*x.encode_utf8(&mut [0; 4])).cmp(y.as_str())),
        _ if a.is_host() && b.is_host() => host.compare(a, b),
        _ => None,
    }
}

#[inline(never)]
pub(crate) fn order<H: Host>(
    env: &mut Env<'_, H>,
    op: BinOp,
    a: &Value<H::Object>,
    b: &Value<H::Object>,
) -> Result<bool, H> {
    let Some(ordering) = compare(env.host, a, b) else {
        // Without the operator: a branch tests the opposite of what was written.
        let (x, y) = (env.type_name(a), env.type_name(b));
        return Err(raise(
            FaultKind::Type,
            format!("cannot compare {x} with {y}: they have no common order"),
        ));
    };
    Ok(match op {
        BinOp::Lt => ordering.is_lt(),
        BinOp::Le => ordering.is_le(),
        BinOp::Gt => ordering.is_gt(),
        _ => ordering.is_ge(),
    })
}

/// `item in list`
pub(crate) fn contains<H: Host>(
    env: &mut Env<'_, H>,
    list: &Value<H::Object>,
    item: &Value<H::Object>,
) -> Result<bool, H> {
    Ok(match (list, item) {
        (Value::Array(list), _) => {
            let mut meter = Meter::new(env.limits);
            let found = list
                .iter()
                .any(|x| equal_metered(env.host, x, item, &mut meter));
            env.charge(meter.operations())?;
            found
        }
        (Value::Map(map), Value::Str(key)) => map.contains_key(key.as_str()),
        (Value::Str(text), Value::Str(part)) => is_part(part, text),
        (Value::Str(text), Value::Char(c)) => text.contains(*c),
        (Value::Range(r), Value::Int(n)) => r.contains(*n),
        _ => {
            // What is large, or looked through for a name, is gone through.
            if matches!(list, Value::Object(_)) || matches!(item, Value::Str(_)) {
                env.charge_items(env.host.size(list))?;
            }
            let found = list.is_host().then(|| env.host.contains(list, item));
            match found.flatten() {
                Some(found) => found,
                None => {
                    let (x, y) = (env.type_name(item), env.type_name(list));
                    return Err(raise(FaultKind::Type, format!("there is no `{x} in {y}`")));
                }
            }
        }
    })
}

/// Whether a text stands in another. Most texts are short, and for those the general way costs more than looking.
fn is_part(part: &str, text: &str) -> bool {
    const SHORT: usize = 64;
    let bytes = part.as_bytes();
    match bytes.first() {
        Some(first) if text.len() <= SHORT => text
            .as_bytes()
            .windows(bytes.len())
            .any(|place| place[0] == *first && place == bytes),
        _ => text.contains(part),
    }
}

impl crate::value::Range {
    pub fn contains(&self, n: i64) -> bool {
        n >= self.from
            && if self.inclusive {
                n <= self.to
            } else {
                n < self.to
            }
    }

    pub fn is_empty(&self) -> bool {
        if self.inclusive {
            self.from > self.to
        } else {
            self.from >= self.to
        }
    }
}

/// What `print` and interpolation show. Long before a text is of no use to anybody it ends: arrays that hold each other twice over would
/// fill the memory. Whoever keeps it checks its size.
pub(crate) fn text<H: Host>(host: &H, value: &Value<H::Object>, limit: usize) -> String {
    let mut out = String::new();
    write_text(host, value, limit, &mut out);
    out
}

/// The same, behind what is already written.
pub(crate) fn write_text<H: Host>(
    host: &H,
    value: &Value<H::Object>,
    limit: usize,
    out: &mut String,
) {
    match value {
        Value::Unit => {}
        Value::Str(s) => out.push_str(s),
        Value::Char(c) => out.push(*c),
        Value::Int(n) => write_int(*n, out),
        other => write_debug(host, other, limit, out),
    }
}

/// Numbers stand in most texts; the general way to format costs more than all the rest of them.
fn write_int(n: i64, out: &mut String) {
    let mut digits = [0u8; 20];
    let mut at = digits.len();
    let mut rest = n.unsigned_abs();
    loop {
        at -= 1;
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if n < 0 {
        out.push('-');
    }
    out.push_str(str::from_utf8(&digits[at..]).expect("digits are ASCII"));
}

/// What `debug` shows, and `print` inside arrays and maps.
pub(crate) fn debug<H: Host>(host: &H, value: &Value<H::Object>, limit: usize) -> String {
    let mut out = String::new();
    write_debug(host, value, limit, &mut out);
    out
}

fn write_debug<H: Host>(host: &H, value: &Value<H::Object>, limit: usize, out: &mut String) {
    // Writing to a string cannot fail.
    let _ = match value {
        Value::Unit => write!(out, "()"),
        Value::Bool(b) => write!(out, "{b}"),
        Value::Char(c) => write!(out, "{c}"),
        Value::Int(n) => {
            write_int(*n, out);
            Ok(())
        }
        Value::Str(s) => write!(out, "{:?}", s.as_str()),
        Value::Range(r) if r.to == i64::MAX && r.inclusive => write!(out, "{}..=", r.from),
        Value::Range(r) if r.to == i64::MAX => write!(out, "{}..", r.from),
        Value::Range(r) if r.inclusive => write!(out, "{}..={}", r.from, r.to),
        Value::Range(r) => write!(out, "{}..{}", r.from, r.to),
        Value::Fn(f) => write!(out, "Fn({})", f.name),
        Value::Array(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    out.push_str(", ");
                }
                write_debug(host, item, limit, out);
                if out.len() > limit {
                    break;
                }
            }
            out.push(']');
            Ok(())
        }
        Value::Map(map) => {
            out.push_str("#{");
            for (i, (key, item)) in map.iter().enumerate() {
                if i > 0 {
                    out.push_str(", ");
                }
                let _ = write!(out, "{key:?}: ");
                write_debug(host, item, limit, out);
                if out.len() > limit {
                    break;
                }
            }
            out.push('}');
            Ok(())
        }
        Value::Handle(..) | Value::Small(..) | Value::Object(_) => {
            out.push_str(&host.display(value));
            Ok(())
        }
    };
}

/// Where an index points in something of this length; negative ones count from the end.
pub(crate) fn offset(index: i64, len: usize) -> Option<usize> {
    let len = len as i64;
    let index = if index < 0 {
        index.checked_add(len)?
    } else {
        index
    };
    (0..len).contains(&index).then_some(index as usize)
}

#[cold]
#[inline(never)]
pub(crate) fn out_of_range<O>(index: i64, len: usize) -> Box<Raise<O>> {
    raise(
        FaultKind::Index,
        format!("there is no item {index} in a list of {len}"),
    )
}

/// Rules may catch this and ask again, so the search for what was meant is paid for.
#[cold]
#[inline(never)]
pub(crate) fn no_key<H: Host>(
    env: &mut Env<'_, H>,
    key: &str,
    map: &Map<H::Object>,
) -> Box<Raise<H::Object>> {
    if let Err(spent) = env.charge(diagnostic::cost_of_nearest(key, map.len())) {
        return spent;
    }
    let near = diagnostic::nearest(key, map.keys().map(|k| &**k));
    let hint = near
        .map(|k| format!("; did you mean `{k}`?"))
        .unwrap_or_default();
    raise(
        FaultKind::Index,
        format!("the map has no key `{key}`{hint}"),
    )
}

/// `value[index]`
#[inline(never)]
pub(crate) fn index<H: Host>(
    env: &mut Env<'_, H>,
    value: &Value<H::Object>,
    index: &Value<H::Object>,
) -> Result<Value<H::Object>, H> {
    match (value, index) {
        (Value::Array(items), Value::Int(i)) => match offset(*i, items.len()) {
            Some(at) => Ok(items[at].clone()),
            None => Err(out_of_range(*i, items.len())),
        },
        (Value::Map(map), Value::Str(key)) => match map.get(key) {
            Some(found) => Ok(found.clone()),
            None => Err(no_key(env, key, map)),
        },
        (Value::Map(map), word) if let Some(key) = env.host.word(word) => match map.get(key) {
            Some(found) => Ok(found.clone()),
            None => {
                let key = key.to_string();
                Err(no_key(env, &key, map))
            }
        },
        (Value::Str(s), Value::Int(i)) => {
            let len = s.chars().count();
            let at = offset(*i, len);
            match at.and_then(|at| s.chars().nth(at)) {
                Some(c) => Ok(Value::Char(c)),
                None => Err(raise(
                    FaultKind::Index,
                    format!("there is no character {i} in a string of {len}"),
                )),
            }
        }
        (Value::Str(s), Value::Range(r)) => match strings::index_range(s, r) {
            Some(part) => Ok(Value::string(part)),
            None => Err(out_of_range(r.from, s.chars().count())),
        },
        _ if value.is_host() => {
            env.charge(env.host.seeking(value))?;
            if let Value::Int(i) = index
                && let Some(len) = env.host.len(value)
            {
                let at = if *i < 0 { i + len } else { *i };
                return env
                    .host
                    .nth(value, at)
                    .ok_or_else(|| out_of_range(*i, len.max(0) as usize));
            }
            Ok(env.host.index(value, index)?)
        }
        _ => {
            let (x, y) = (env.type_name(value), env.type_name(index));
            Err(raise(
                FaultKind::Type,
                format!("{x} cannot be indexed with {y}"),
            ))
        }
    }
}

/// Whether a value is what a case of `switch` names: exactly, a string is not a character here.
pub(crate) fn same_case<H: Host>(
    host: &H,
    value: &Value<H::Object>,
    case: &Value<H::Object>,
) -> bool {
    match (value, case) {
        (Value::Str(_), Value::Char(_)) | (Value::Char(_), Value::Str(_)) => false,
        _ => equal(host, value, case),
    }
}
