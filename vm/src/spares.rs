//! Memory of passing values. A list, map, function or text that nobody holds any more leaves its memory to the next of its kind: rules make
//! some at every decision, and most of them are gone with it.

use crate::host::HostObject;
use crate::map::Map;
use crate::row::List;
use crate::value::{FnPtr, Range, Shared, Value};
use std::cell::RefCell;
use std::sync::Arc;
use triomphe::UniqueArc;

/// Values of each kind whose memory is kept.
const KEPT: usize = 32;

/// From so many on, one of another shape is used again rather than a new one made.
const VARIED: usize = 8;

/// Items or entries memory is kept for; larger values give theirs back at once.
const LARGEST: usize = 64;

/// The same in bytes of a text.
const LONGEST: usize = 256;

/// What passing values leave behind. Each thread has its own, so that nobody waits for anybody; [`HostObject::spares`] says where.
pub struct UsedMemory<O>(RefCell<Kept<O>>);

struct Kept<O> {
    lists: Vec<UniqueArc<List<O>>>,
    /// With their keys: most maps are made again at the same place of a rule.
    maps: Vec<UniqueArc<Map<O>>>,
    /// With their names, for the same reason.
    functions: Vec<UniqueArc<FnPtr<O>>>,
    texts: Vec<UniqueArc<String>>,
    ranges: Vec<UniqueArc<Range>>,
}

impl<O> UsedMemory<O> {
    pub const fn new() -> Self {
        UsedMemory(RefCell::new(Kept {
            lists: Vec::new(),
            maps: Vec::new(),
            functions: Vec::new(),
            texts: Vec::new(),
            ranges: Vec::new(),
        }))
    }
}

impl<O> std::fmt::Debug for UsedMemory<O> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("UsedMemory")
    }
}

impl<O> Default for UsedMemory<O> {
    fn default() -> Self {
        UsedMemory::new()
    }
}

#[inline(always)]
fn with<O: HostObject, T>(act: impl FnOnce(&mut Kept<O>) -> Option<T>) -> Option<T> {
    let spares = O::spares()?;
    // A thread that ends has nothing to keep any more.
    let found = spares.try_with(|spares| act(&mut *spares.0.try_borrow_mut().ok()?));
    found.ok()?
}

#[inline(always)]
fn keep<T>(kept: &mut Vec<T>, spare: T) -> Option<()> {
    if kept.len() < KEPT {
        kept.push(spare);
    }
    Some(())
}

/// The one that fits; if there is none, the one that was let go last, once there is some choice.
#[inline(always)]
fn fitting<T>(kept: &mut Vec<T>, fits: impl Fn(&T) -> bool) -> Option<T> {
    match kept.iter().rposition(fits) {
        Some(at) => Some(kept.swap_remove(at)),
        None if kept.len() < VARIED => None,
        None => kept.pop(),
    }
}

/// An empty list.
pub(crate) fn list<O: HostObject>() -> UniqueArc<List<O>> {
    with(|kept: &mut Kept<O>| kept.lists.pop()).unwrap_or_else(|| UniqueArc::new(List::default()))
}

/// A map with these keys, which stand in their order, and nothing behind them.
pub(crate) fn map<'k, O: HostObject>(
    keys: impl ExactSizeIterator<Item = &'k Arc<str>> + Clone,
) -> UniqueArc<Map<O>> {
    let found = with(|kept: &mut Kept<O>| match keys.len() {
        0 => kept.maps.pop(),
        _ => fitting(&mut kept.maps, |map| map.has_keys(keys.clone())),
    });
    let mut map = found.unwrap_or_else(|| UniqueArc::new(Map::new()));
    if !map.has_keys(keys.clone()) {
        map.take_keys(keys);
    }
    map
}

/// A function of this number that has captured nothing yet.
pub(crate) fn function<O: HostObject>(function: u32, name: &Arc<str>) -> UniqueArc<FnPtr<O>> {
    let found =
        with(|kept: &mut Kept<O>| fitting(&mut kept.functions, |spare| spare.function == function));
    match found {
        // A number means another function in another program.
        Some(spare) if spare.function == function && Arc::ptr_eq(&spare.name, name) => spare,
        Some(mut spare) => {
            spare.function = function;
            spare.name = name.clone();
            spare
        }
        None => UniqueArc::new(FnPtr {
            function,
            name: name.clone(),
            captured: List::default(),
        }),
    }
}

/// An empty text.
pub(crate) fn text<O: HostObject>() -> UniqueArc<String> {
    with(|kept: &mut Kept<O>| kept.texts.pop()).unwrap_or_else(|| UniqueArc::new(String::new()))
}

pub(crate) fn range<O: HostObject>(range: Range) -> Shared<Range> {
    let Some(mut spare) = with(|kept: &mut Kept<O>| kept.ranges.pop()) else {
        return Shared::new(range);
    };
    *spare = range;
    spare.shareable()
}

/// Lets a value go. If nobody else holds it, its memory is kept; what it held goes the same way.
pub(crate) fn let_go<O: HostObject>(value: Value<O>) {
    match value {
        Value::Array(list) => {
            if let Ok(mut list) = Shared::try_unique(list)
                && list.capacity() <= LARGEST
            {
                list.empty();
                with(|kept| keep(&mut kept.lists, list));
            }
        }
        Value::Map(map) => {
            if let Ok(mut map) = Shared::try_unique(map)
                && map.is_handy(LARGEST, LONGEST)
            {
                map.hollow();
                with(|kept| keep(&mut kept.maps, map));
            }
        }
        Value::Fn(function) => {
            if let Ok(mut function) = Shared::try_unique(function)
                && function.captured.capacity() <= LARGEST
            {
                function.captured.empty();
                with(|kept| keep(&mut kept.functions, function));
            }
        }
        Value::Str(text) => {
            if let Ok(mut text) = Shared::try_unique(text)
                && text.capacity() <= LONGEST
            {
                text.clear();
                with(|kept: &mut Kept<O>| keep(&mut kept.texts, text));
            }
        }
        Value::Range(range) => {
            if let Ok(range) = Shared::try_unique(range) {
                with(|kept: &mut Kept<O>| keep(&mut kept.ranges, range));
            }
        }
        _ => {}
    }
}

/// The list, to be changed: a copy if others hold it too.
#[inline(always)]
pub(crate) fn own_list<O: HostObject>(held: &mut Shared<List<O>>) -> &mut List<O> {
    if !held.is_unique() {
        copy_list(held);
    }
    Shared::make_mut(held)
}

#[inline(never)]
fn copy_list<O: HostObject>(held: &mut Shared<List<O>>) {
    let mut copy = list();
    copy.extend_from_slice(held);
    copy.set_depth(held.depth());
    *held = copy.shareable();
}

/// The map, to be changed: a copy if others hold it too.
#[inline(always)]
pub(crate) fn own_map<O: HostObject>(held: &mut Shared<Map<O>>) -> &mut Map<O> {
    if !held.is_unique() {
        copy_map(held);
    }
    Shared::make_mut(held)
}

#[inline(never)]
fn copy_map<O: HostObject>(held: &mut Shared<Map<O>>) {
    let mut copy = map(held.keys());
    copy.fill(held.values().cloned());
    copy.set_depth(held.depth());
    *held = copy.shareable();
}
