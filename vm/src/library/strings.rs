//! Strings and characters.

use super::{Declaration, Env, OPERATIONS_PER_TEXT, change, int, no_such, pure, span};
use crate::error::{FaultKind, Raised, raise};
use crate::host::{Host, Type};
use crate::operators;
use crate::value::{Range, Shared, Value};

const STR: &[Type] = &[Type::Str];
const LETTERS: &[Type] = &[Type::Str, Type::Char];

/// The characters from `start`, at most `len` of them; a negative start counts from the end.
pub(crate) fn slice(text: &str, start: i64, len: i64) -> String {
    let (start, len) = span(text.chars().count(), start, len);
    text.chars().skip(start).take(len).collect()
}

/// Where the characters begin that a range names as an index, and where they end; that may lie before. Negative places count from the
/// end of the text; a start before its beginning is none.
pub(crate) fn index_span(text: &str, range: &Range) -> Option<(usize, usize)> {
    if text.is_empty() {
        return Some((0, 0));
    }
    let count = text.chars().count() as i64;
    let from_end = |n: i64| {
        if n >= 0 {
            Some(n)
        } else {
            n.checked_add(count).filter(|n| *n >= 0)
        }
    };
    let start = from_end(range.from)?;
    let end = from_end(range.to).map_or(0, |end| end.saturating_add(range.inclusive as i64));
    let end = end.min(count);
    Some((start.min(count) as usize, end as usize))
}

/// The characters a range names for a function.
fn slice_range(text: &str, range: &Range) -> String {
    let (start, len) = super::range_span(range);
    slice(text, start, len)
}

/// The characters a range names as an index, as a text of their own.
pub(crate) fn index_range(text: &str, range: &Range) -> Option<String> {
    let (start, end) = index_span(text, range)?;
    let len = end.saturating_sub(start);
    Some(text.chars().skip(start).take(len).collect())
}

fn upper(c: char) -> char {
    let mut all = c.to_uppercase();
    match (all.next(), all.next()) {
        (Some(only), None) => only,
        _ => c,
    }
}

fn lower(c: char) -> char {
    let mut all = c.to_lowercase();
    match (all.next(), all.next()) {
        (Some(only), None) => only,
        _ => c,
    }
}

/// A string or a character as text.
fn part<O>(value: &Value<O>) -> Option<String> {
    match value {
        Value::Str(s) => Some(s.to_string()),
        Value::Char(c) => Some(c.to_string()),
        _ => None,
    }
}

/// Where `wanted` begins in `text` at or behind `start`, in characters; -1 if nowhere.
pub(super) fn index_of(text: &str, wanted: &str, start: i64) -> i64 {
    if text.is_empty() {
        return -1;
    }
    let count = text.chars().count();
    if start > 0 && start as u64 >= count as u64 {
        return -1;
    }
    let (start, _) = span(count, start, 0);
    let from: usize = text.chars().take(start).map(char::len_utf8).sum();
    match text[from..].find(wanted) {
        Some(at) => text[..from + at].chars().count() as i64,
        None => -1,
    }
}

/// Texts of their own.
fn pieces<'s, H: Host>(
    env: &mut Env<'_, H>,
    parts: impl Iterator<Item = &'s str>,
) -> Raised<Value<H::Object>, H::Object> {
    let parts: Vec<&str> = parts.collect();
    env.charge((parts.len() * OPERATIONS_PER_TEXT) as u64)?;
    let texts = parts
        .into_iter()
        .map(|part| Value::written(|out| out.push_str(part)));
    Ok(Value::list(texts))
}

fn split<H: Host>(
    env: &mut Env<'_, H>,
    a: &mut [Value<H::Object>],
) -> Raised<Value<H::Object>, H::Object> {
    let Value::Str(text) = &a[0] else {
        return Err(no_such(env, "split", a));
    };
    let limit = match a.get(2) {
        None => usize::MAX,
        Some(Value::Int(n)) => (*n).max(1) as usize,
        Some(_) => return Err(no_such(env, "split", a)),
    };
    if text.is_empty() && !matches!(a.get(1), Some(Value::Int(_))) {
        return Ok(Value::array(vec![a[0].clone()]));
    }
    match a.get(1) {
        None => pieces(env, text.split_whitespace()),
        Some(Value::Str(by)) => pieces(env, text.splitn(limit, by.as_str())),
        Some(Value::Char(by)) => pieces(env, text.splitn(limit, *by)),
        Some(Value::Int(at)) => {
            let count = text.chars().count();
            let head = if *at <= 0 {
                usize::try_from(at.unsigned_abs())
                    .ok()
                    .and_then(|n| count.checked_sub(n))
                    .unwrap_or(0)
            } else {
                *at as usize
            };
            let cut: usize = text.chars().take(head).map(char::len_utf8).sum();
            pieces(env, [&text[..cut], &text[cut..]].into_iter())
        }
        Some(_) => Err(no_such(env, "split", a)),
    }
}

fn split_rev<H: Host>(
    env: &mut Env<'_, H>,
    a: &mut [Value<H::Object>],
) -> Raised<Value<H::Object>, H::Object> {
    let (Value::Str(text), Some(by)) = (&a[0], part(&a[1])) else {
        return Err(no_such(env, "split_rev", a));
    };
    let limit = match a.get(2) {
        None => usize::MAX,
        Some(Value::Int(n)) => (*n).max(1) as usize,
        Some(_) => return Err(no_such(env, "split_rev", a)),
    };
    if text.is_empty() && !matches!(a.get(1), Some(Value::Int(_))) {
        return Ok(Value::array(vec![a[0].clone()]));
    }
    pieces(env, text.rsplitn(limit, by.as_str()))
}

fn parse_int<H: Host>(
    env: &mut Env<'_, H>,
    a: &mut [Value<H::Object>],
) -> Raised<Value<H::Object>, H::Object> {
    let Value::Str(text) = &a[0] else {
        return Err(no_such(env, "parse_int", a));
    };
    let radix = match a.get(1) {
        None => 10,
        Some(radix) => int(env, "parse_int", radix)?,
    };
    if !(2..=36).contains(&radix) {
        return Err(raise(
            FaultKind::Arithmetic,
            format!("there are no numbers of base {radix}"),
        ));
    }
    match i64::from_str_radix(text.trim(), radix as u32) {
        Ok(n) => Ok(Value::Int(n)),
        Err(_) => Err(raise(
            FaultKind::Arithmetic,
            format!("`{text}` is not a number"),
        )),
    }
}

fn sub_string<H: Host>(
    env: &mut Env<'_, H>,
    a: &mut [Value<H::Object>],
) -> Raised<Value<H::Object>, H::Object> {
    let Value::Str(text) = &a[0] else {
        return Err(no_such(env, "sub_string", a));
    };
    let part = match &a[1..] {
        [Value::Range(range)] => slice_range(text, range),
        [Value::Int(start)] => slice(text, *start, i64::MAX),
        [Value::Int(start), Value::Int(len)] => slice(text, *start, *len),
        _ => return Err(no_such(env, "sub_string", a)),
    };
    Ok(Value::string(part))
}

fn crop<H: Host>(
    env: &mut Env<'_, H>,
    target: &mut Value<H::Object>,
    a: &mut [Value<H::Object>],
) -> Raised<Value<H::Object>, H::Object> {
    let part = match (&*target, &*a) {
        (Value::Str(text), [Value::Range(range)]) => slice_range(text, range),
        (Value::Str(text), [Value::Int(start)]) => slice(text, *start, i64::MAX),
        (Value::Str(text), [Value::Int(start), Value::Int(len)]) => slice(text, *start, *len),
        _ => return Err(no_such(env, "crop", a)),
    };
    target.put(Value::string(part));
    Ok(Value::Unit)
}

fn replace<H: Host>(
    env: &mut Env<'_, H>,
    target: &mut Value<H::Object>,
    a: &mut [Value<H::Object>],
) -> Raised<Value<H::Object>, H::Object> {
    let (Value::Str(text), Some(from), Some(to)) = (&*target, part(&a[0]), part(&a[1])) else {
        return Err(no_such(env, "replace", a));
    };
    if text.is_empty() {
        return Ok(Value::Unit);
    }
    // An empty pattern multiplies the text: look at the size before building it.
    if from.is_empty() {
        env.string_size(text.len() + to.len() * (text.chars().count() + 1))?;
    } else {
        env.string_size(text.len() + to.len() * text.matches(from.as_str()).count())?;
    }
    let changed = text.replace(from.as_str(), &to);
    target.put(Value::string(changed));
    Ok(Value::Unit)
}

pub(super) fn declarations<H: Host>(list: &mut Vec<Declaration<H>>) {
    use Type::{Any, Array, Bool, Int, Str, Unit};
    list.extend([
        pure("bytes", 1, STR, Int, |env, a| match &a[0] {
            Value::Str(s) => Ok(Value::Int(s.len() as i64)),
            _ => Err(no_such(env, "bytes", a)),
        }),
        pure("chars", 1, STR, Array, |env, a| match &a[0] {
            Value::Str(s) => Ok(Value::array(s.chars().map(Value::Char).collect())),
            _ => Err(no_such(env, "chars", a)),
        }),
        pure("to_chars", 1, STR, Array, |env, a| match &a[0] {
            Value::Str(s) => Ok(Value::array(s.chars().map(Value::Char).collect())),
            _ => Err(no_such(env, "to_chars", a)),
        }),
        pure("to_upper", 1, LETTERS, Any, |env, a| match &a[0] {
            Value::Str(s) => Ok(Value::string(s.to_uppercase())),
            Value::Char(c) => Ok(Value::Char(upper(*c))),
            _ => Err(no_such(env, "to_upper", a)),
        }),
        pure("to_lower", 1, LETTERS, Any, |env, a| match &a[0] {
            Value::Str(s) => Ok(Value::string(s.to_lowercase())),
            Value::Char(c) => Ok(Value::Char(lower(*c))),
            _ => Err(no_such(env, "to_lower", a)),
        }),
        change("make_upper", 1, LETTERS, Unit, |env, target, a| {
            match target {
                Value::Str(s) => *s = Shared::new(s.to_uppercase()),
                Value::Char(c) => *c = upper(*c),
                _ => return Err(no_such(env, "make_upper", a)),
            }
            Ok(Value::Unit)
        }),
        change("make_lower", 1, LETTERS, Unit, |env, target, a| {
            match target {
                Value::Str(s) => *s = Shared::new(s.to_lowercase()),
                Value::Char(c) => *c = lower(*c),
                _ => return Err(no_such(env, "make_lower", a)),
            }
            Ok(Value::Unit)
        }),
        pure("starts_with", 2, STR, Bool, |env, a| {
            match (&a[0], part(&a[1])) {
                (Value::Str(s), Some(p)) => Ok(Value::Bool(s.starts_with(&p))),
                _ => Err(no_such(env, "starts_with", a)),
            }
        }),
        pure("ends_with", 2, STR, Bool, |env, a| {
            match (&a[0], part(&a[1])) {
                (Value::Str(s), Some(p)) => Ok(Value::Bool(s.ends_with(&p))),
                _ => Err(no_such(env, "ends_with", a)),
            }
        }),
        change("trim", 1, STR, Unit, |env, target, a| match target {
            Value::Str(s) => {
                *s = Shared::new(s.trim().to_string());
                Ok(Value::Unit)
            }
            _ => Err(no_such(env, "trim", a)),
        }),
        pure("sub_string", 2, STR, Str, sub_string),
        pure("sub_string", 3, STR, Str, sub_string),
        change("crop", 2, STR, Unit, crop),
        change("crop", 3, STR, Unit, crop),
        change("replace", 3, STR, Unit, replace),
        pure("split", 1, STR, Array, split),
        pure("split", 3, STR, Array, split),
        pure("split_rev", 2, STR, Array, split_rev),
        pure("split_rev", 3, STR, Array, split_rev),
        // `split(2)` cuts an array in place and a string into parts: the prelude tells them apart.
        pure("__split_text", 2, STR, Array, split),
        pure("parse_int", 1, STR, Int, parse_int),
        pure("parse_int", 2, STR, Int, parse_int),
        change("pop", 2, STR, Str, |env, target, a| match (target, &a[0]) {
            (Value::Str(s), Value::Int(n)) => {
                let keep = (s.chars().count() as i64)
                    .saturating_sub((*n).max(0))
                    .max(0);
                let tail: String = s.chars().skip(keep as usize).collect();
                *s = Shared::new(s.chars().take(keep as usize).collect());
                Ok(Value::string(tail))
            }
            _ => Err(no_such(env, "pop", a)),
        }),
        pure("to_string", 1, &[], Str, |env, a| {
            let text = operators::text(env.host, &a[0], env.limits.string);
            env.string_size(text.len())?;
            Ok(Value::string(text))
        }),
        pure("to_debug", 1, &[], Str, |env, a| {
            let text = operators::debug(env.host, &a[0], env.limits.string);
            env.string_size(text.len())?;
            Ok(Value::string(text))
        }),
        pure("print", 1, &[], Unit, |env: &mut Env<'_, H>, a| {
            let text = operators::text(env.host, &a[0], env.limits.string);
            env.host.print(&text);
            Ok(Value::Unit)
        }),
        pure("debug", 1, &[], Unit, |env: &mut Env<'_, H>, a| {
            let text = operators::debug(env.host, &a[0], env.limits.string);
            env.host.print(&text);
            Ok(Value::Unit)
        }),
    ]);
}
