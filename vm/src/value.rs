//! The values scripts compute with: sixteen bytes each, small ones inline, large ones shared and copied on write.

use crate::host::{HostObject, Type};
use crate::map::Map;
use crate::row::List;
use crate::spares;
use serde::{Deserialize, Serialize};
use std::mem::ManuallyDrop;
use std::sync::Arc;

/// What large values stand behind. Unlike the standard library's `Arc` it knows no weak pointers, so "am I the only one who holds this?",
/// which every change of an array or a map asks, is one plain load instead of a locked exchange.
pub use triomphe::Arc as Shared;

/// Which of the host's handle types a [`Value::Handle`] belongs to, and the row of every table that is indexed by it.
pub type HandleKind = u8;

/// Bytes a host may store inline in a [`Value::Small`].
pub const SMALL: usize = 14;

/// A script value. Everything up to `Small` is inline; the rest is shared until somebody changes it.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(bound = "O: HostObject")]
pub enum Value<O> {
    #[default]
    Unit,
    Bool(bool),
    Char(char),
    Int(i64),
    /// Something the host knows by number: a player, a space, a card.
    Handle(HandleKind, u32),
    /// A host value that fits inline: a small set, a hand of dice.
    Small(HandleKind, [u8; SMALL]),
    /// `from..to`, `from..=to` are kept as written: the flag says whether `to` belongs to it.
    Range(Shared<Range>),
    /// Behind one more step than a slice would need, so that a value stays at sixteen bytes.
    Str(Shared<String>),
    Array(Shared<List<O>>),
    Map(Shared<Map<O>>),
    Fn(Shared<FnPtr<O>>),
    /// A host value too large to be inline: a big set, a list of pieces.
    Object(Shared<O>),
}

/// A range of integers, as written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Range {
    pub from: i64,
    pub to: i64,
    pub inclusive: bool,
}

/// A closure or a named function as a value: which function, and what it captured.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(bound = "O: HostObject")]
pub struct FnPtr<O> {
    pub function: u32,
    pub name: Arc<str>,
    pub captured: List<O>,
}

impl<O> Value<O> {
    pub fn string(text: impl Into<String>) -> Self {
        Value::Str(Shared::new(text.into()))
    }

    pub fn array(items: Vec<Value<O>>) -> Self {
        Value::Array(Shared::new(List::from(items)))
    }

    pub fn map(entries: impl IntoIterator<Item = (impl Into<Arc<str>>, Value<O>)>) -> Self {
        Value::Map(Shared::new(
            entries.into_iter().map(|(k, v)| (k.into(), v)).collect(),
        ))
    }

    pub fn range(from: i64, to: i64, inclusive: bool) -> Self {
        Value::Range(Shared::new(Range {
            from,
            to,
            inclusive,
        }))
    }

    /// Whether the value lives behind a shared pointer, so that copying and dropping it costs something.
    #[inline(always)]
    pub fn is_shared(&self) -> bool {
        matches!(
            self,
            Value::Range(_)
                | Value::Str(_)
                | Value::Array(_)
                | Value::Map(_)
                | Value::Fn(_)
                | Value::Object(_)
        )
    }

    /// Items that are copied if the value is changed now, because others hold it too.
    #[inline(always)]
    pub(crate) fn copied(&self) -> usize {
        match self {
            Value::Array(items) if !items.is_unique() => self.size(),
            Value::Map(map) if !map.is_unique() => self.size(),
            _ => 0,
        }
    }

    /// Whether the value belongs to the host.
    #[inline(always)]
    pub fn is_host(&self) -> bool {
        matches!(
            self,
            Value::Handle(..) | Value::Small(..) | Value::Object(_)
        )
    }

    /// Moves the value out and leaves `()`.
    #[inline(always)]
    pub fn take(&mut self) -> Value<O> {
        std::mem::take(self)
    }

    /// How many items or bytes there are to go through.
    #[inline(always)]
    pub(crate) fn size(&self) -> usize {
        match self {
            Value::Str(text) => text.len(),
            Value::Array(items) => items.len(),
            // A key and a value.
            Value::Map(map) => 2 * map.len(),
            Value::Fn(function) => function.captured.len(),
            _ => 0,
        }
    }

    /// The name Rhai gives to the type. Host values have no name of their own here: the program knows it.
    pub fn type_name(&self) -> &'static str {
        match self {
            Value::Unit => "()",
            Value::Bool(_) => "bool",
            Value::Char(_) => "char",
            Value::Int(_) => "i64",
            Value::Handle(..) | Value::Small(..) | Value::Object(_) => "host value",
            Value::Range(r) if r.inclusive => "range=",
            Value::Range(_) => "range",
            Value::Str(_) => "string",
            Value::Array(_) => "array",
            Value::Map(_) => "map",
            Value::Fn(_) => "Fn",
        }
    }

    pub fn as_int(&self) -> Option<i64> {
        match self {
            Value::Int(n) => Some(*n),
            _ => None,
        }
    }

    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(b) => Some(*b),
            _ => None,
        }
    }

    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::Str(s) => Some(s),
            _ => None,
        }
    }

    pub fn as_array(&self) -> Option<&[Value<O>]> {
        match self {
            Value::Array(a) => Some(a),
            _ => None,
        }
    }

    pub fn as_map(&self) -> Option<&Map<O>> {
        match self {
            Value::Map(m) => Some(m),
            _ => None,
        }
    }
}

impl<O> Value<O> {
    /// What kind of value this is, as one bit of sixteen.
    #[inline(always)]
    pub(crate) fn kind(&self) -> u16 {
        1 << match self {
            Value::Unit => 0,
            Value::Bool(_) => 1,
            Value::Char(_) => 2,
            Value::Int(_) => 3,
            Value::Handle(..) => 4,
            Value::Small(..) => 5,
            Value::Object(_) => 6,
            Value::Str(_) => 7,
            Value::Array(_) => 8,
            Value::Map(_) => 9,
            Value::Fn(_) => 10,
            Value::Range(range) => 11 + range.inclusive as u16,
        }
    }
}

/// The kinds of the values of a type that is not the host's.
pub(crate) fn kinds_of(ty: Type) -> u16 {
    match ty {
        Type::Any => u16::MAX,
        Type::Unit => 1,
        Type::Bool => 1 << 1,
        Type::Char => 1 << 2,
        Type::Int => 1 << 3,
        Type::Str => 1 << 7,
        Type::Array => 1 << 8,
        Type::Map => 1 << 9,
        Type::Fn => 1 << 10,
        Type::Range => 0b11 << 11,
        Type::Host(_) => 0,
    }
}

/// The kinds of the host's values.
pub(crate) fn host_kinds() -> u16 {
    0b111 << 4
}

/// The kinds of the values whose type has this name, if it is one of the language's own.
pub(crate) fn kinds_named(ty: &str) -> Option<u16> {
    let kind = match ty {
        "()" => 0,
        "bool" => 1,
        "char" => 2,
        "i64" => 3,
        "string" => 7,
        "array" => 8,
        "map" => 9,
        "Fn" => 10,
        "range" => 11,
        "range=" => 12,
        _ => return None,
    };
    Some(1 << kind)
}

impl<O: HostObject> Value<O> {
    /// An array of these items, in used memory if there is some.
    pub fn list(items: impl IntoIterator<Item = Value<O>>) -> Self {
        let mut list = spares::list();
        list.fill(items);
        Value::Array(list.shareable())
    }

    /// A map of keys that stand in their order, each once, and as many values.
    pub fn entries<'k>(
        keys: impl ExactSizeIterator<Item = &'k Arc<str>> + Clone,
        values: impl IntoIterator<Item = Value<O>>,
    ) -> Self {
        let mut map = spares::map(keys);
        map.fill(values);
        Value::Map(map.shareable())
    }

    /// The text that is written.
    pub fn written(write: impl FnOnce(&mut String)) -> Self {
        let mut text = spares::text::<O>();
        write(&mut text);
        Value::Str(text.shareable())
    }

    /// Stores a value; what stood there is dropped out of line, and only if it needs dropping.
    #[inline(always)]
    pub fn put(&mut self, value: Value<O>) {
        // Nobody drops the new value should dropping the old one panic. Otherwise it would have to lie in memory for that, written in
        // parts and then loaded whole, which makes the processor wait: half the time of a simple operation.
        let value = ManuallyDrop::new(value);
        // The old value is looked at by its tag alone, for the same reason.
        if self.is_shared() {
            drop_shared(self);
        }
        std::mem::forget(std::mem::replace(self, ManuallyDrop::into_inner(value)));
    }

    /// As [`Value::put`], for a value another function has just put together in memory: the usual kinds each in their own parts, which
    /// are there at once, while all of it would have to be waited for.
    #[inline(always)]
    pub fn put_made(&mut self, value: Value<O>) {
        match value {
            Value::Int(n) => self.put(Value::Int(n)),
            Value::Handle(kind, id) => self.put(Value::Handle(kind, id)),
            Value::Bool(b) => self.put(Value::Bool(b)),
            Value::Unit => self.put(Value::Unit),
            other => put_other(self, other),
        }
    }

    /// Stores a copy of a value, each kind in its own parts: what was just written in parts and is then loaded whole makes the processor
    /// wait.
    #[inline(always)]
    pub fn put_copy(&mut self, from: &Value<O>) {
        match from {
            Value::Int(n) => self.put(Value::Int(*n)),
            Value::Handle(kind, id) => self.put(Value::Handle(*kind, *id)),
            Value::Bool(b) => self.put(Value::Bool(*b)),
            Value::Unit => self.put(Value::Unit),
            other => copy_other(self, other),
        }
    }

    /// Lets go of a value that is shared.
    #[inline(always)]
    pub(crate) fn let_go(&mut self) {
        drop_shared(self);
    }
}

#[inline(never)]
fn drop_shared<O: HostObject>(value: &mut Value<O>) {
    spares::let_go(value.take());
}

#[inline(never)]
fn put_other<O: HostObject>(place: &mut Value<O>, value: Value<O>) {
    match value {
        Value::Range(x) => place.put(Value::Range(x)),
        Value::Str(x) => place.put(Value::Str(x)),
        Value::Array(x) => place.put(Value::Array(x)),
        Value::Map(x) => place.put(Value::Map(x)),
        Value::Fn(x) => place.put(Value::Fn(x)),
        Value::Object(x) => place.put(Value::Object(x)),
        other => place.put(other),
    }
}

#[inline(never)]
fn copy_other<O: HostObject>(place: &mut Value<O>, from: &Value<O>) {
    match from {
        Value::Char(c) => place.put(Value::Char(*c)),
        Value::Small(kind, bytes) => place.put(Value::Small(*kind, *bytes)),
        Value::Range(x) => place.put(Value::Range(x.clone())),
        Value::Str(x) => place.put(Value::Str(x.clone())),
        Value::Array(x) => place.put(Value::Array(x.clone())),
        Value::Map(x) => place.put(Value::Map(x.clone())),
        Value::Fn(x) => place.put(Value::Fn(x.clone())),
        Value::Object(x) => place.put(Value::Object(x.clone())),
        _ => {}
    }
}

#[inline(never)]
fn clone_shared<O>(value: &Value<O>) -> Value<O> {
    match value {
        Value::Range(x) => Value::Range(x.clone()),
        Value::Str(x) => Value::Str(x.clone()),
        Value::Array(x) => Value::Array(x.clone()),
        Value::Map(x) => Value::Map(x.clone()),
        Value::Fn(x) => Value::Fn(x.clone()),
        Value::Object(x) => Value::Object(x.clone()),
        _ => Value::Unit,
    }
}

impl<O> Clone for Value<O> {
    #[inline(always)]
    fn clone(&self) -> Self {
        match self {
            Value::Unit => Value::Unit,
            Value::Bool(b) => Value::Bool(*b),
            Value::Char(c) => Value::Char(*c),
            Value::Int(n) => Value::Int(*n),
            Value::Handle(kind, id) => Value::Handle(*kind, *id),
            Value::Small(kind, bytes) => Value::Small(*kind, *bytes),
            shared => clone_shared(shared),
        }
    }
}

/// Structural equality, for tests and tables. Scripts compare through the machine, which asks the host about host values.
impl<O: PartialEq> PartialEq for Value<O> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Value::Unit, Value::Unit) => true,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Char(a), Value::Char(b)) => a == b,
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::Handle(a, i), Value::Handle(b, j)) => a == b && i == j,
            (Value::Small(a, x), Value::Small(b, y)) => a == b && x == y,
            (Value::Range(a), Value::Range(b)) => a == b,
            (Value::Str(a), Value::Str(b)) => a == b,
            (Value::Array(a), Value::Array(b)) => a == b,
            (Value::Map(a), Value::Map(b)) => a == b,
            (Value::Fn(a), Value::Fn(b)) => a == b,
            (Value::Object(a), Value::Object(b)) => a == b,
            _ => false,
        }
    }
}

impl<O: PartialEq> PartialEq for FnPtr<O> {
    fn eq(&self, other: &Self) -> bool {
        self.function == other.function
            && self.name == other.name
            && self.captured == other.captured
    }
}

impl<O> From<i64> for Value<O> {
    #[inline(always)]
    fn from(n: i64) -> Self {
        Value::Int(n)
    }
}

impl<O> From<bool> for Value<O> {
    #[inline(always)]
    fn from(b: bool) -> Self {
        Value::Bool(b)
    }
}

impl<O> From<char> for Value<O> {
    fn from(c: char) -> Self {
        Value::Char(c)
    }
}

impl<O> From<()> for Value<O> {
    fn from((): ()) -> Self {
        Value::Unit
    }
}

impl<O> From<&str> for Value<O> {
    fn from(s: &str) -> Self {
        Value::string(s)
    }
}

impl<O> From<String> for Value<O> {
    fn from(s: String) -> Self {
        Value::string(s)
    }
}

impl<O> From<Vec<Value<O>>> for Value<O> {
    fn from(items: Vec<Value<O>>) -> Self {
        Value::array(items)
    }
}

// A machine copies registers all the time: a value that outgrew sixteen bytes would cost everywhere.
const _: () = assert!(size_of::<Value<()>>() == 16);
