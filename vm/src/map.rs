//! Object maps: entries in the order of their keys, in one row. Scripts' maps are small, and most keys are known when compiling: those are
//! found by their address alone.

use crate::host::HostObject;
use crate::value::Value;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::sync::Arc;

/// The keys and values of an object map, in the order of the keys.
#[derive(Debug, Clone)]
pub struct Map<O> {
    entries: Vec<(Arc<str>, Value<O>)>,
    /// One more than the deepest value, as an array's.
    depth: u16,
}

/// Maps up to this size are searched from the front.
const FEW: usize = 8;

impl<O> Map<O> {
    pub fn new() -> Self {
        Map {
            entries: Vec::new(),
            depth: 1,
        }
    }

    /// Whether it has these very keys, in this order.
    #[inline]
    pub(crate) fn has_keys<'k>(&self, keys: impl ExactSizeIterator<Item = &'k Arc<str>>) -> bool {
        let own = self.entries.iter().map(|(key, _)| key);
        own.len() == keys.len() && own.zip(keys).all(|(own, key)| Arc::ptr_eq(own, key))
    }

    /// Whether it has room for no more than so many entries, and no key is longer than this.
    pub(crate) fn is_handy(&self, entries: usize, longest: usize) -> bool {
        self.entries.capacity() <= entries && self.keys().all(|key| key.len() <= longest)
    }

    /// Has these keys from now on, which stand in their order, each once, and nothing behind them.
    pub(crate) fn take_keys<'k>(&mut self, keys: impl Iterator<Item = &'k Arc<str>>) {
        self.entries.clear();
        self.entries
            .extend(keys.map(|key| (key.clone(), Value::Unit)));
    }

    pub(crate) fn depth(&self) -> u16 {
        self.depth
    }

    /// Whoever stores something that nests through a place of the map says so.
    pub(crate) fn set_depth(&mut self, depth: u16) {
        self.depth = depth;
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Where a key is, or where it would belong.
    #[inline]
    pub(crate) fn find(&self, key: &str) -> Result<usize, usize> {
        if self.entries.len() <= FEW
            && let Some(at) = self.entries.iter().position(|(k, _)| **k == *key)
        {
            return Ok(at);
        }
        self.entries.binary_search_by(|(k, _)| (**k).cmp(key))
    }

    /// As [`Map::find`] for a key the program has: mostly it is the very same string.
    #[inline(always)]
    fn find_known(&self, key: &Arc<str>) -> Result<usize, usize> {
        let few = &self.entries[..self.entries.len().min(FEW)];
        match few.iter().position(|(k, _)| Arc::ptr_eq(k, key)) {
            Some(at) => Ok(at),
            None => self.find(key),
        }
    }

    #[inline]
    pub fn get(&self, key: &str) -> Option<&Value<O>> {
        self.find(key).ok().map(|at| &self.entries[at].1)
    }

    #[inline(always)]
    pub(crate) fn get_known(&self, key: &Arc<str>) -> Option<&Value<O>> {
        self.find_known(key).ok().map(|at| &self.entries[at].1)
    }

    #[inline(always)]
    pub(crate) fn get_known_mut(&mut self, key: &Arc<str>) -> Option<&mut Value<O>> {
        self.find_known(key).ok().map(|at| &mut self.entries[at].1)
    }

    /// The value of the entry at a place [`Map::find`] gave.
    #[inline]
    pub(crate) fn at_mut(&mut self, at: usize) -> &mut Value<O> {
        &mut self.entries[at].1
    }

    pub(crate) fn insert_at(&mut self, at: usize, key: Arc<str>, value: Value<O>) {
        self.entries.insert(at, (key, value));
    }

    /// Shows every entry. A key may be exchanged for an equal one.
    pub(crate) fn change_entries(&mut self, mut change: impl FnMut(&mut Arc<str>, &mut Value<O>)) {
        for (key, value) in &mut self.entries {
            change(key, value);
        }
    }

    pub fn contains_key(&self, key: &str) -> bool {
        self.find(key).is_ok()
    }

    /// The value that was there before.
    pub fn insert(&mut self, key: Arc<str>, value: Value<O>) -> Option<Value<O>> {
        self.depth = self.depth.max(value.depth().saturating_add(1));
        match self.find_known(&key) {
            Ok(at) => Some(std::mem::replace(&mut self.entries[at].1, value)),
            Err(at) => {
                self.entries.insert(at, (key, value));
                None
            }
        }
    }

    pub fn remove(&mut self, key: &str) -> Option<Value<O>> {
        self.find(key).ok().map(|at| self.entries.remove(at).1)
    }

    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Arc<str>, &Value<O>)> {
        self.entries.iter().map(|(key, value)| (key, value))
    }

    pub fn keys(&self) -> impl ExactSizeIterator<Item = &Arc<str>> + Clone {
        self.entries.iter().map(|(key, _)| key)
    }

    pub fn values(&self) -> impl ExactSizeIterator<Item = &Value<O>> {
        self.entries.iter().map(|(_, value)| value)
    }
}

impl<O: HostObject> Map<O> {
    /// Lets every value go; the keys stay.
    pub(crate) fn hollow(&mut self) {
        self.entries
            .iter_mut()
            .for_each(|(_, value)| value.put(Value::Unit));
        self.depth = 1;
    }

    /// Puts values behind the keys, in their order.
    pub(crate) fn fill(&mut self, values: impl IntoIterator<Item = Value<O>>) {
        let mut deepest = 0;
        for ((_, place), value) in self.entries.iter_mut().zip(values) {
            deepest = deepest.max(value.depth());
            place.put(value);
        }
        self.depth = deepest.saturating_add(1);
    }
}

impl<O: PartialEq> PartialEq for Map<O> {
    fn eq(&self, other: &Self) -> bool {
        self.entries == other.entries
    }
}

impl<O> Default for Map<O> {
    fn default() -> Self {
        Map::new()
    }
}

impl<O> Extend<(Arc<str>, Value<O>)> for Map<O> {
    fn extend<I: IntoIterator<Item = (Arc<str>, Value<O>)>>(&mut self, entries: I) {
        for (key, value) in entries {
            self.insert(key, value);
        }
    }
}

impl<O> FromIterator<(Arc<str>, Value<O>)> for Map<O> {
    /// The last of several entries with one key stays.
    fn from_iter<I: IntoIterator<Item = (Arc<str>, Value<O>)>>(entries: I) -> Self {
        let entries = entries.into_iter();
        let mut map = Map::new();
        map.entries.reserve_exact(entries.size_hint().0);
        map.extend(entries);
        map
    }
}

impl<O> std::ops::Index<&str> for Map<O> {
    type Output = Value<O>;

    /// # Panics
    /// If there is no such key.
    fn index(&self, key: &str) -> &Value<O> {
        self.get(key).expect("the map has this key")
    }
}

impl<O: HostObject> Serialize for Map<O> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl<'de, O: HostObject> Deserialize<'de> for Map<O> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let entries = std::collections::BTreeMap::<Arc<str>, Value<O>>::deserialize(deserializer)?;
        Ok(entries.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// Against the standard library's map: the same entries in the same order after any row of changes.
    #[test]
    fn behaves_as_an_ordered_map() {
        let (mut ours, mut theirs) = (Map::<()>::new(), BTreeMap::new());
        let mut luck = 7u64;
        for round in 0..3000 {
            luck = luck
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            let key: Arc<str> = format!("k{}", (luck >> 33) % (4 + round / 100)).into();
            let value = Value::Int(round as i64);
            if luck >> 60 < 6 {
                assert_eq!(ours.remove(&key), theirs.remove(&key));
            } else {
                assert_eq!(
                    ours.insert(key.clone(), value.clone()),
                    theirs.insert(key.clone(), value)
                );
            }
            assert_eq!(ours.get(&key), theirs.get(&key));
            assert_eq!(ours.contains_key(&key), theirs.contains_key(&key));
        }
        assert!(ours.iter().eq(theirs.iter()));
        assert!(ours.len() > FEW);
    }
}
