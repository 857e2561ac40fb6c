//! Parts of a state that are copied only where they differ: who looks ahead goes back to the same position again and again, and most of
//! it is still there.

use std::cell::Cell;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicU64, Ordering};

/// Some content and its edition. Leaves of the same edition have the same content; whoever may change a leaf makes it one of its own.
#[derive(Debug, Default)]
pub struct Leaf<T> {
    content: T,
    /// `CHANGED` until somebody copies it.
    edition: AtomicU64,
}

const CHANGED: u64 = 0;

/// Numbers of editions that a thread takes at a time.
const EDITIONS: u64 = 1 << 32;

/// A number no edition had before.
fn new_edition() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    thread_local! {
        static OWN: Cell<(u64, u64)> = const { Cell::new((0, 0)) };
    }
    OWN.with(|own| {
        let (next, end) = match own.get() {
            (next, end) if next < end => (next, end),
            _ => {
                let first = NEXT.fetch_add(EDITIONS, Ordering::Relaxed);
                (first, first + EDITIONS)
            }
        };
        own.set((next + 1, end));
        next
    })
}

impl<T> Leaf<T> {
    /// Whoever copies names what is copied. Two who do so at once give it two names, each of which means this content.
    #[inline(always)]
    fn edition(&self) -> u64 {
        match self.edition.load(Ordering::Relaxed) {
            CHANGED => {
                let edition = new_edition();
                self.edition.store(edition, Ordering::Relaxed);
                edition
            }
            known => known,
        }
    }
}

impl<T> From<T> for Leaf<T> {
    fn from(content: T) -> Self {
        Leaf {
            content,
            edition: AtomicU64::new(CHANGED),
        }
    }
}

impl<T: Clone> Clone for Leaf<T> {
    fn clone(&self) -> Self {
        Leaf {
            edition: AtomicU64::new(self.edition()),
            content: self.content.clone(),
        }
    }

    #[inline(always)]
    fn clone_from(&mut self, other: &Self) {
        let edition = other.edition();
        if *self.edition.get_mut() != edition {
            self.content.clone_from(&other.content);
            *self.edition.get_mut() = edition;
        }
    }
}

impl<T> Deref for Leaf<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        &self.content
    }
}

impl<T> DerefMut for Leaf<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        *self.edition.get_mut() = CHANGED;
        &mut self.content
    }
}

impl<T: PartialEq> PartialEq for Leaf<T> {
    fn eq(&self, other: &Self) -> bool {
        self.content == other.content
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against plain lists: whatever is changed and copied where, every leaf has what it should have.
    #[test]
    fn copies_are_what_was_copied() {
        let mut leaves = vec![Leaf::from(vec![0u32]); 4];
        let mut lists = vec![vec![0u32]; 4];
        let mut luck = 7u64;
        for round in 0..20_000 {
            luck = luck
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            let (a, b) = ((luck >> 33) as usize % 4, (luck >> 40) as usize % 4);
            if luck >> 62 == 0 {
                leaves[a].push(round);
                lists[a].push(round);
            } else if a != b {
                let (from, list) = (leaves[b].clone(), lists[b].clone());
                let [to, other] = leaves.get_disjoint_mut([a, b]).expect("two of four");
                match luck >> 61 & 1 {
                    0 => to.clone_from(other),
                    _ => *to = from,
                }
                lists[a] = list;
            }
            assert!(leaves.iter().map(|leaf| &**leaf).eq(&lists));
        }
    }
}
