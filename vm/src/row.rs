//! The items of an array, and how deeply they nest.

use crate::host::HostObject;
use crate::value::{Shared, Value};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::HashSet;
use std::ops::{Deref, DerefMut};

/// A list of values that knows how deeply arrays, maps and functions nest in it: whoever shows, compares, saves or drops it goes down
/// level by level, so the machine must be able to stop a script that builds another level for ever.
#[derive(Clone)]
pub struct List<O> {
    items: Vec<Value<O>>,
    /// One more than the deepest item. May be too much after items went away, never too little.
    depth: u16,
}

impl<O> List<O> {
    pub(crate) fn depth(&self) -> u16 {
        self.depth
    }

    /// Whoever stores something that nests says so.
    pub(crate) fn set_depth(&mut self, depth: u16) {
        self.depth = depth;
    }
}

impl<O: HostObject> List<O> {
    /// Lets every item go.
    pub(crate) fn empty(&mut self) {
        self.items.iter_mut().for_each(|item| item.put(Value::Unit));
        self.items.clear();
        self.depth = 1;
    }

    /// Puts items into an empty list.
    pub(crate) fn fill(&mut self, items: impl IntoIterator<Item = Value<O>>) {
        self.items.extend(items);
        let deepest = self.items.iter().map(Value::depth).max().unwrap_or(0);
        self.depth = deepest.saturating_add(1);
    }
}

impl<O> Default for List<O> {
    fn default() -> Self {
        List::from(Vec::new())
    }
}

impl<O> From<Vec<Value<O>>> for List<O> {
    fn from(items: Vec<Value<O>>) -> Self {
        let deepest = items.iter().map(Value::depth).max().unwrap_or(0);
        let depth = deepest.saturating_add(1);
        List { items, depth }
    }
}

impl<O> FromIterator<Value<O>> for List<O> {
    fn from_iter<I: IntoIterator<Item = Value<O>>>(items: I) -> Self {
        List::from(Vec::from_iter(items))
    }
}

impl<O> Deref for List<O> {
    type Target = Vec<Value<O>>;

    #[inline(always)]
    fn deref(&self) -> &Self::Target {
        &self.items
    }
}

impl<O> DerefMut for List<O> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.items
    }
}

impl<O: PartialEq> PartialEq for List<O> {
    fn eq(&self, other: &Self) -> bool {
        self.items == other.items
    }
}

impl<O: std::fmt::Debug> std::fmt::Debug for List<O> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.items.fmt(f)
    }
}

impl<O: HostObject> Serialize for List<O> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.items.serialize(serializer)
    }
}

impl<'de, O: HostObject> Deserialize<'de> for List<O> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::deserialize(deserializer).map(List::from)
    }
}

impl<O> Value<O> {
    /// How many arrays, maps and functions lie in each other here, at most.
    #[inline(always)]
    pub(crate) fn depth(&self) -> u16 {
        match self {
            Value::Array(items) => items.depth(),
            Value::Map(map) => map.depth(),
            Value::Fn(f) => f.captured.depth(),
            _ => 0,
        }
    }

    /// Where a value that may hold others lies: two with the same address are one.
    pub(crate) fn address(&self) -> Option<usize> {
        match self {
            Value::Array(items) => Some(Shared::as_ptr(items) as usize),
            Value::Map(map) => Some(Shared::as_ptr(map) as usize),
            Value::Fn(f) => Some(Shared::as_ptr(f) as usize),
            _ => None,
        }
    }

    /// Something of this depth was stored in the value.
    pub(crate) fn holds(&mut self, inner: u16)
    where
        O: Clone,
    {
        let depth = inner.saturating_add(1);
        if self.depth() < depth {
            self.set_depth(depth);
        }
    }

    /// Counts the levels anew.
    #[cold]
    pub(crate) fn measure(&mut self)
    where
        O: Clone,
    {
        let depth = levels(self, &mut HashSet::new(), 0);
        self.set_depth(depth);
    }

    fn set_depth(&mut self, depth: u16)
    where
        O: Clone,
    {
        match self {
            Value::Array(items) => Shared::make_mut(items).set_depth(depth),
            Value::Map(map) => Shared::make_mut(map).set_depth(depth),
            _ => {}
        }
    }
}

/// Levels below and with a value that lies `above` levels deep. What was seen at this level before adds nothing.
fn levels<O>(value: &Value<O>, seen: &mut HashSet<(usize, u16)>, above: u16) -> u16 {
    let Some(address) = value.address() else {
        return 0;
    };
    if !seen.insert((address, above)) {
        return 0;
    }
    let mut below = |v| levels(v, seen, above + 1);
    let deepest = match value {
        Value::Array(items) => items.iter().map(&mut below).max(),
        Value::Map(map) => map.values().map(&mut below).max(),
        Value::Fn(f) => f.captured.iter().map(&mut below).max(),
        _ => None,
    };
    1 + deepest.unwrap_or(0)
}
