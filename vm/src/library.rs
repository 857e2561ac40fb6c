//! The standard functions: what Rhai's packages offer for the types of this machine.

mod arrays;
mod maps;
mod numbers;
pub(crate) mod strings;

use crate::error::{FaultKind, Raise, Raised, raise};
use crate::host::{Host, Type};
use crate::machine::Limits;
use crate::program::{LibraryFn, Program};
use crate::value::{Range, Value};

/// A standard function as the compiler knows it.
pub(crate) struct Declaration<H: Host> {
    pub name: &'static str,
    pub arity: usize,
    /// Types its first argument may have; empty for any.
    pub receiver: &'static [Type],
    pub result: Type,
    pub call: LibraryFn<H>,
}

fn pure<H: Host>(
    name: &'static str,
    arity: usize,
    receiver: &'static [Type],
    result: Type,
    f: PureFn<H>,
) -> Declaration<H> {
    Declaration {
        name,
        arity,
        receiver,
        result,
        call: LibraryFn::Pure(f),
    }
}

/// All standard functions that are not operators of the machine or part of the prelude.
pub(crate) fn declarations<H: Host>() -> Vec<Declaration<H>> {
    let mut list = Vec::new();
    numbers::declarations(&mut list);
    strings::declarations(&mut list);
    arrays::declarations(&mut list);
    maps::declarations(&mut list);
    list
}

fn change<H: Host>(
    name: &'static str,
    arity: usize,
    receiver: &'static [Type],
    result: Type,
    f: ChangeFn<H>,
) -> Declaration<H> {
    Declaration {
        name,
        arity,
        receiver,
        result,
        call: LibraryFn::Change(f),
    }
}

/// A call that does not fit the types of its arguments.
#[cold]
#[inline(never)]
fn no_such<H: Host>(
    env: &Env<'_, H>,
    name: &str,
    args: &[Value<H::Object>],
) -> Box<Raise<H::Object>> {
    let name = name.trim_start_matches('_');
    let types: Vec<String> = args.iter().map(|v| env.type_name(v)).collect();
    raise(
        FaultKind::Type,
        format!("`{name}` cannot be used like this: {}", types.join(", ")),
    )
}

/// A function that changes values, on one that it cannot change.
#[cold]
#[inline(never)]
fn not_for<H: Host>(
    env: &Env<'_, H>,
    name: &str,
    target: &Value<H::Object>,
) -> Box<Raise<H::Object>> {
    let name = name.trim_start_matches('_');
    let found = env.type_name(target);
    raise(FaultKind::Type, format!("there is no `{name}` for {found}"))
}

fn int<H: Host>(env: &Env<'_, H>, name: &str, value: &Value<H::Object>) -> Raised<i64, H::Object> {
    match value {
        Value::Int(n) => Ok(*n),
        other => {
            let (name, ty) = (name.trim_start_matches('_'), env.type_name(other));
            Err(raise(
                FaultKind::Type,
                format!("`{name}` wants a number, found {ty}"),
            ))
        }
    }
}

/// Start and length inside a list, as Rhai understands them: a negative start counts from the end, both are cut to fit.
fn span(count: usize, start: i64, len: i64) -> (usize, usize) {
    let start = if start < 0 {
        count.saturating_sub(start.unsigned_abs().min(count as u64) as usize)
    } else if start as u64 >= count as u64 {
        return (count, 0);
    } else {
        start as usize
    };
    (start, len.clamp(0, (count - start) as i64) as usize)
}

/// Start and length a range names.
fn range_span(range: &Range) -> (i64, i64) {
    let from = range.from.max(0);
    let to = range.to.max(from);
    (from, (to - from).saturating_add(range.inclusive as i64))
}

/// What a standard function sees of the machine that runs it.
pub(crate) struct Env<'a, H: Host> {
    pub host: &'a mut H,
    pub program: &'a Program<H>,
    pub limits: &'a Limits,
    /// Operations to charge for what was gone through; the machine settles them before it goes on.
    pub work: u64,
}

/// Items or bytes a standard function may go through, or copy, at the cost of one operation. A budget is a bound of memory as well, on
/// every thread that runs scripts: what is copied takes sixteen bytes an item.
pub(crate) const ITEMS_PER_OPERATION: usize = 2;
/// What each of many texts costs that are made at once: it takes about as much memory as so many operations may copy.
pub(crate) const OPERATIONS_PER_TEXT: usize = 4;

/// What a standard function costs that goes through these values.
#[inline(always)]
pub(crate) fn work<O>(values: &[Value<O>]) -> u64 {
    let size: usize = values.iter().map(Value::size).sum();
    (size / ITEMS_PER_OPERATION) as u64
}

/// Counts what comparisons go through. Values that hold each other may have far more to compare than they have items; a comparison ends
/// where a whole budget is used up, and whoever pays for it then learns so.
pub(crate) struct Meter {
    items: u64,
    most: u64,
}

impl Meter {
    pub fn new(limits: &Limits) -> Meter {
        Meter {
            items: 0,
            most: limits.operations.saturating_mul(ITEMS_PER_OPERATION as u64),
        }
    }

    /// Without an end, for values that were written in the program itself.
    pub fn endless() -> Meter {
        Meter {
            items: 0,
            most: u64::MAX,
        }
    }

    /// Notes so many items or bytes; whether there is anything left.
    #[inline(always)]
    pub fn goes_through(&mut self, items: usize) -> bool {
        self.items = self.items.saturating_add(items as u64);
        self.items <= self.most
    }

    pub fn operations(&self) -> u64 {
        self.items / ITEMS_PER_OPERATION as u64 + (self.items > self.most) as u64
    }
}

/// Takes its arguments in a row; may move them out.
pub(crate) type PureFn<H> = fn(
    &mut Env<'_, H>,
    &mut [Value<<H as Host>::Object>],
) -> Raised<Value<<H as Host>::Object>, <H as Host>::Object>;

/// Changes its first argument in place.
pub(crate) type ChangeFn<H> = fn(
    &mut Env<'_, H>,
    &mut Value<<H as Host>::Object>,
    &mut [Value<<H as Host>::Object>],
) -> Raised<Value<<H as Host>::Object>, <H as Host>::Object>;

impl<H: Host> Env<'_, H> {
    /// Notes operations to pay for. What costs more than a whole budget is refused before it begins.
    #[inline(always)]
    pub fn charge(&mut self, operations: u64) -> Raised<(), H::Object> {
        self.work = self.work.saturating_add(operations);
        match self.work <= self.limits.operations {
            true => Ok(()),
            false => Err(crate::machine::faults::budget_fault(self.limits.operations)),
        }
    }

    /// The same for so many items or bytes.
    #[inline(always)]
    pub fn charge_items(&mut self, items: usize) -> Raised<(), H::Object> {
        self.charge((items / ITEMS_PER_OPERATION) as u64)
    }

    /// Members of values there are to go through, the host's among them.
    pub fn members(&self, values: &[&Value<H::Object>]) -> usize {
        let size = |value: &&Value<H::Object>| value.size() + self.host.size(value);
        values.iter().map(size).sum()
    }

    /// Whether two values are equal, paid by what had to be compared.
    pub fn equal(&mut self, a: &Value<H::Object>, b: &Value<H::Object>) -> Raised<bool, H::Object> {
        let mut meter = Meter::new(self.limits);
        let same = crate::operators::equal_metered(self.host, a, b, &mut meter);
        self.charge(meter.operations())?;
        Ok(same)
    }

    pub fn type_name(&self, value: &Value<H::Object>) -> String {
        self.program.type_name(value).to_string()
    }

    pub fn string_size(&self, len: usize) -> Raised<(), H::Object> {
        within(len, self.limits.string, "string")
    }

    pub fn array_size(&self, len: usize) -> Raised<(), H::Object> {
        within(len, self.limits.array, "array")
    }

    pub fn map_size(&self, len: usize) -> Raised<(), H::Object> {
        within(len, self.limits.map, "map")
    }

    /// Checks how deeply a value nests that was just made or changed.
    #[inline(always)]
    pub fn nesting(&self, value: &mut Value<H::Object>) -> Raised<(), H::Object> {
        if value.depth() <= self.limits.nesting {
            return Ok(());
        }
        value.measure();
        match value.depth() <= self.limits.nesting {
            true => Ok(()),
            false => Err(too_deep(self.limits.nesting)),
        }
    }

    /// As [`Env::nesting`], after something of this depth was stored in the value.
    #[inline(always)]
    pub fn stored(&self, value: &mut Value<H::Object>, inner: u16) -> Raised<(), H::Object> {
        if inner == 0 {
            return Ok(());
        }
        value.holds(inner);
        self.nesting(value)
    }

    /// Calls a function that changes its target. What it stores there are its arguments.
    pub fn change(
        &mut self,
        f: u16,
        target: &mut Value<H::Object>,
        row: &mut [Value<H::Object>],
    ) -> Raised<Value<H::Object>, H::Object> {
        let standard = &self.program.library[f as usize];
        let LibraryFn::Change(function) = standard.call else {
            unreachable!("the compiler names a function that changes its target");
        };
        let before = target.size();
        self.charge(work(row))?;
        self.charge_items(target.copied())?;
        if !standard.light {
            self.charge((before / ITEMS_PER_OPERATION) as u64)?;
        }
        let inner = row.iter().map(Value::depth).max().unwrap_or(0);
        let result = function(self, target, row);
        self.charge(target.size().saturating_sub(before) as u64)?;
        self.stored(target, inner)?;
        result
    }
}

#[cold]
fn too_deep<O>(limit: u16) -> Box<Raise<O>> {
    raise(
        FaultKind::Size,
        format!("arrays and maps lie more than {limit} deep in each other"),
    )
}

#[inline(always)]
fn within<O>(len: usize, limit: usize, what: &str) -> Raised<(), O> {
    if len <= limit {
        return Ok(());
    }
    Err(raise(
        FaultKind::Size,
        format!("the {what} is too large: {len}, the limit is {limit}"),
    ))
}

/// Whether a function that changes its target does the same however large that is.
pub(crate) fn is_light(name: &str) -> bool {
    matches!(name, "push" | "pop" | "set" | "truncate" | "clear")
}

/// A property of the language's own types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OwnProperty {
    Len,
    IsEmpty,
    Bytes,
    Chars,
    IsZero,
    IsOdd,
    IsEven,
    Start,
    End,
    Name,
    IsInclusive,
    IsExclusive,
    IsAnonymous,
}

impl OwnProperty {
    pub fn named(name: &str) -> Option<OwnProperty> {
        Some(match name {
            "len" => OwnProperty::Len,
            "is_empty" => OwnProperty::IsEmpty,
            "bytes" => OwnProperty::Bytes,
            "chars" => OwnProperty::Chars,
            "is_zero" => OwnProperty::IsZero,
            "is_odd" => OwnProperty::IsOdd,
            "is_even" => OwnProperty::IsEven,
            "start" => OwnProperty::Start,
            "end" => OwnProperty::End,
            "name" => OwnProperty::Name,
            "is_inclusive" => OwnProperty::IsInclusive,
            "is_exclusive" => OwnProperty::IsExclusive,
            "is_anonymous" => OwnProperty::IsAnonymous,
            _ => return None,
        })
    }
}

/// What a value has under the name of a property; nothing if its type has none of that name.
pub(crate) fn property<H: Host>(
    env: &mut Env<'_, H>,
    value: &Value<H::Object>,
    property: OwnProperty,
) -> Option<Value<H::Object>> {
    use OwnProperty::*;
    Some(match (value, property) {
        (Value::Array(items), Len) => Value::Int(items.len() as i64),
        (Value::Array(items), IsEmpty) => Value::Bool(items.is_empty()),
        (Value::Str(s), Len) => Value::Int(s.chars().count() as i64),
        (Value::Str(s), IsEmpty) => Value::Bool(s.is_empty()),
        (Value::Str(s), Bytes) => Value::Int(s.len() as i64),
        (Value::Str(s), Chars) => Value::array(s.chars().map(Value::Char).collect()),
        (Value::Int(n), IsZero) => Value::Bool(*n == 0),
        (Value::Int(n), IsOdd) => Value::Bool(n % 2 != 0),
        (Value::Int(n), IsEven) => Value::Bool(n % 2 == 0),
        (Value::Range(r), Start) => Value::Int(r.from),
        (Value::Range(r), End) => Value::Int(r.to),
        (Value::Range(r), IsInclusive) => Value::Bool(r.inclusive),
        (Value::Range(r), IsExclusive) => Value::Bool(!r.inclusive),
        (Value::Range(r), IsEmpty) => Value::Bool(r.is_empty()),
        (Value::Fn(f), Name) => Value::string(&*f.name),
        (Value::Fn(f), IsAnonymous) => Value::Bool(f.name.starts_with("anon$")),
        (Value::Handle(..) | Value::Small(..) | Value::Object(_), Len) => {
            env.work += env.host.seeking(value);
            Value::Int(env.host.len(value)?)
        }
        (Value::Handle(..) | Value::Small(..) | Value::Object(_), IsEmpty) => {
            env.work += env.host.seeking(value);
            Value::Bool(env.host.len(value)? == 0)
        }
        _ => return None,
    })
}

/// The names [`OwnProperty`] knows.
pub(crate) const PROPERTIES: &[&str] = &[
    "len",
    "is_empty",
    "bytes",
    "chars",
    "is_zero",
    "is_odd",
    "is_even",
    "start",
    "end",
    "is_inclusive",
    "is_exclusive",
    "name",
    "is_anonymous",
];

/// `value.len`, `value.len()`
pub(crate) fn len<H: Host>(
    env: &mut Env<'_, H>,
    value: &Value<H::Object>,
) -> Raised<Value<H::Object>, H::Object> {
    if let Value::Map(map) = value {
        return Ok(Value::Int(map.len() as i64));
    }
    match property(env, value, OwnProperty::Len) {
        Some(len) => Ok(len),
        None => {
            let ty = env.type_name(value);
            Err(raise(FaultKind::Type, format!("{ty} has no length")))
        }
    }
}

/// `min` and `max` of anything that has an order.
pub(crate) fn extreme<H: Host>(
    env: &mut Env<'_, H>,
    name: &str,
    a: &Value<H::Object>,
    b: &Value<H::Object>,
) -> Raised<Value<H::Object>, H::Object> {
    match crate::operators::compare(env.host, a, b) {
        Some(ordering) => {
            let first = if name == "min" {
                ordering.is_le()
            } else {
                ordering.is_ge()
            };
            Ok(if first { a.clone() } else { b.clone() })
        }
        None => {
            let (x, y) = (env.type_name(a), env.type_name(b));
            Err(raise(
                FaultKind::Type,
                format!("there is no `{name}({x}, {y})`"),
            ))
        }
    }
}

/// What [`property`] gives on a known type.
pub(crate) fn property_type(on: Type, name: &str) -> Option<Type> {
    Some(match (on, name) {
        (Type::Array | Type::Str, "len")
        | (Type::Str, "bytes")
        | (Type::Range, "start" | "end") => Type::Int,
        (Type::Array | Type::Str | Type::Range, "is_empty")
        | (Type::Int, "is_zero" | "is_odd" | "is_even")
        | (Type::Range, "is_inclusive" | "is_exclusive")
        | (Type::Fn, "is_anonymous") => Type::Bool,
        (Type::Str, "chars") => Type::Array,
        (Type::Fn, "name") => Type::Str,
        _ => return None,
    })
}
