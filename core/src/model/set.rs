//! Sets of spaces as bits: union, difference, counting and the n-th member without a list.

use crate::limits::MOST_SPACES;
use serde::{Deserialize, Serialize};
use std::ops::{BitAnd, BitOr, Sub};

/// Of 64 spaces each.
const WORDS: usize = MOST_SPACES / 64;

/// A set of spaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash, Serialize, Deserialize)]
pub struct SpaceSet([u64; WORDS]);

impl SpaceSet {
    pub const EMPTY: SpaceSet = SpaceSet([0; WORDS]);

    /// The spaces `0..n`.
    pub fn first(n: usize) -> Self {
        let mut set = Self::EMPTY;
        for (w, word) in set.0.iter_mut().enumerate() {
            let below = n.saturating_sub(w * 64).min(64);
            *word = if below == 64 {
                u64::MAX
            } else {
                (1 << below) - 1
            };
        }
        set
    }

    pub fn one(space: u32) -> Self {
        let mut set = Self::EMPTY;
        set.insert(space);
        set
    }

    /// Fourteen bytes hold the sets of maps up to 112 spaces inline: the first word at the end, where it is aligned inside a value, and
    /// 48 bits before it. What is written in these pieces is read in the same ones, so that reading need not wait for memory.
    #[inline(always)]
    pub fn to_bytes(self) -> [u8; 14] {
        let [a, b, c, d] = (self.0[1] as u32).to_le_bytes();
        let [e, f] = ((self.0[1] >> 32) as u16).to_le_bytes();
        let [g, h, i, j, k, l, m, n] = self.0[0].to_le_bytes();
        [a, b, c, d, e, f, g, h, i, j, k, l, m, n]
    }

    #[inline(always)]
    pub fn from_bytes(bytes: [u8; 14]) -> Self {
        let [a, b, c, d, e, f, first @ ..] = bytes;
        let second =
            u32::from_le_bytes([a, b, c, d]) as u64 | (u16::from_le_bytes([e, f]) as u64) << 32;
        SpaceSet([u64::from_le_bytes(first), second, 0, 0])
    }

    /// Two sets of maps up to 56 spaces in fourteen bytes.
    #[inline(always)]
    pub fn pair_to_bytes(a: Self, b: Self) -> [u8; 14] {
        SpaceSet([a.0[0] | b.0[0] << 56, b.0[0] >> 8, 0, 0]).to_bytes()
    }

    #[inline(always)]
    pub fn pair_from_bytes(bytes: [u8; 14]) -> (Self, Self) {
        let [low, high, ..] = Self::from_bytes(bytes).0;
        let alone = |word: u64| SpaceSet([word & (u64::MAX >> 8), 0, 0, 0]);
        (alone(low), alone(low >> 56 | high << 8))
    }

    #[inline(always)]
    pub fn insert(&mut self, space: u32) {
        self.0[(space as usize >> 6) & (WORDS - 1)] |= 1 << (space & 63);
    }

    #[inline(always)]
    pub fn remove(&mut self, space: u32) {
        self.0[(space as usize >> 6) & (WORDS - 1)] &= !(1 << (space & 63));
    }

    #[inline(always)]
    pub fn contains(&self, space: u32) -> bool {
        (space as usize) < MOST_SPACES
            && self.0[(space as usize >> 6) & (WORDS - 1)] >> (space & 63) & 1 == 1
    }

    /// The words of a set on a map that needs no more than `W` of them.
    #[inline(always)]
    pub fn words<const W: usize>(&self) -> [u64; W] {
        std::array::from_fn(|w| self.0[w])
    }

    #[inline(always)]
    pub fn len(&self) -> u32 {
        // Most maps need one or two words.
        let upper = if self.0[2] | self.0[3] == 0 {
            0
        } else {
            self.0[2].count_ones() + self.0[3].count_ones()
        };
        let second = if self.0[1] == 0 {
            0
        } else {
            self.0[1].count_ones()
        };
        self.0[0].count_ones() + second + upper
    }

    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.0 == [0; WORDS]
    }

    /// The `n`-th member in ascending order.
    #[inline(always)]
    pub fn nth(&self, n: u32) -> Option<u32> {
        // Most maps need one word.
        let here = self.0[0].count_ones();
        if n < here {
            return Some(nth_bit(self.0[0], n));
        }
        self.nth_beyond(n - here)
    }

    /// The `n`-th of the members that are not in the first word.
    #[inline(never)]
    fn nth_beyond(&self, mut n: u32) -> Option<u32> {
        for (w, &word) in self.0.iter().enumerate().skip(1) {
            let here = word.count_ones();
            if n < here {
                return Some(w as u32 * 64 + nth_bit(word, n));
            }
            n -= here;
        }
        None
    }

    /// The first member that is not below `from`.
    #[inline(always)]
    pub fn next_from(&self, from: u32) -> Option<u32> {
        let mut w = from as usize >> 6;
        if w >= WORDS {
            return None;
        }
        let mut word = self.0[w] & (u64::MAX << (from & 63));
        while word == 0 {
            w += 1;
            if w == WORDS {
                return None;
            }
            word = self.0[w];
        }
        Some(w as u32 * 64 + word.trailing_zeros())
    }

    /// Members in ascending order.
    #[inline(always)]
    pub fn iter(self) -> impl Iterator<Item = u32> {
        self.0.into_iter().enumerate().flat_map(|(w, word)| {
            std::iter::successors((word != 0).then_some(word), |rest| {
                let rest = rest & (rest - 1);
                (rest != 0).then_some(rest)
            })
            .map(move |rest| w as u32 * 64 + rest.trailing_zeros())
        })
    }

    /// The members that fit. Without a branch for each: who fits is mostly chance.
    #[inline(always)]
    pub fn filtered(&self, fits: impl Fn(u32) -> bool) -> Self {
        let [a, b, c, d] = self.0;
        SpaceSet([
            fitting(a, 0, &fits),
            fitting(b, 64, &fits),
            fitting(c, 128, &fits),
            fitting(d, 192, &fits),
        ])
    }

    /// Calls `f` for each member; the form loops compile best to.
    #[inline(always)]
    pub fn each(&self, mut f: impl FnMut(u32)) {
        for (w, &word) in self.0.iter().enumerate() {
            let mut rest = word;
            while rest != 0 {
                f(w as u32 * 64 + rest.trailing_zeros());
                rest &= rest - 1;
            }
        }
    }
}

/// The bits of a word that fit, the first of them counted as `first`.
#[inline(always)]
fn fitting(word: u64, first: u32, fits: &impl Fn(u32) -> bool) -> u64 {
    let (mut rest, mut found) = (word, 0);
    while rest != 0 {
        let bit = rest.trailing_zeros();
        found |= (fits(first + bit) as u64) << bit;
        rest &= rest - 1;
    }
    found
}

/// The place of the `n`-th one in a word that has more than `n`. Without a branch: which one is wanted is mostly chance, and a loop
/// that ends by chance costs more than this does.
#[inline(always)]
pub fn nth_bit(word: u64, n: u32) -> u32 {
    const EACH: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    // Ones up to and including each byte, side by side.
    let pairs = word - (word >> 1 & 0x5555_5555_5555_5555);
    let fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    let up_to = ((fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f).wrapping_mul(EACH);
    // Bytes that end before the wanted one: their sums are at most `n`.
    let wanted = n as u64 * EACH;
    let before = (((wanted | HIGH) - up_to) & HIGH).count_ones();
    let shift = before * 8;
    let left = n - (((up_to << 8) >> shift) & 0xff) as u32;
    shift + BIT_OF_BYTE[left as usize & 7][((word >> shift) & 0xff) as usize] as u32
}

/// The place of the `n`-th one of every byte.
static BIT_OF_BYTE: [[u8; 256]; 8] = {
    let mut table = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut n) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[n][byte] = bit as u8;
                n += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

impl BitOr for SpaceSet {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        let mut set = self;
        for (word, other) in set.0.iter_mut().zip(other.0) {
            *word |= other;
        }
        set
    }
}

impl BitAnd for SpaceSet {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        let mut set = self;
        for (word, other) in set.0.iter_mut().zip(other.0) {
            *word &= other;
        }
        set
    }
}

impl Sub for SpaceSet {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        let mut set = self;
        for (word, other) in set.0.iter_mut().zip(other.0) {
            *word &= !other;
        }
        set
    }
}

impl FromIterator<u32> for SpaceSet {
    #[inline]
    fn from_iter<I: IntoIterator<Item = u32>>(spaces: I) -> Self {
        let mut set = Self::EMPTY;
        for space in spaces {
            set.insert(space);
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_come_back_in_order_and_by_number() {
        let members = [0, 1, 63, 64, 111, 112, 128, 255];
        let set: SpaceSet = members.into_iter().collect();
        assert_eq!(set.len(), 8);
        assert_eq!(set.iter().collect::<Vec<_>>(), members);
        for (n, &m) in members.iter().enumerate() {
            assert_eq!(set.nth(n as u32), Some(m));
            assert_eq!(set.next_from(m), Some(m));
        }
        assert_eq!(set.nth(8), None);
        assert_eq!(set.next_from(129), Some(255));
        assert_eq!(set.next_from(256), None);
    }

    /// Against the plain way: take the lowest one away so often.
    #[test]
    fn the_nth_bit_is_found_in_any_word() {
        let mut word = 0x9e37_79b9_7f4a_7c15u64;
        let spread = (0..200).map(|_| {
            word ^= word << 13;
            word ^= word >> 7;
            word ^= word << 17;
            word
        });
        for word in spread.chain([1, 1 << 63, u64::MAX, u64::MAX << 32, 0xff00_0000_0000_0001]) {
            let mut rest = word;
            for n in 0..word.count_ones() {
                assert_eq!(nth_bit(word, n), rest.trailing_zeros(), "{word:x} {n}");
                rest &= rest - 1;
            }
        }
    }

    #[test]
    fn bytes_hold_112_spaces() {
        let set = SpaceSet::first(112) - SpaceSet::one(7);
        assert_eq!(SpaceSet::from_bytes(set.to_bytes()), set);
    }

    #[test]
    fn bytes_hold_two_sets_of_56_spaces() {
        let a = SpaceSet::first(56) - SpaceSet::one(3);
        let b: SpaceSet = [0, 7, 8, 54, 55].into_iter().collect();
        for pair in [(a, b), (b, a), (SpaceSet::EMPTY, a)] {
            assert_eq!(
                SpaceSet::pair_from_bytes(SpaceSet::pair_to_bytes(pair.0, pair.1)),
                pair
            );
        }
    }

    #[test]
    fn first_counts_across_words() {
        for n in [0, 1, 42, 63, 64, 65, 150, 256] {
            assert_eq!(SpaceSet::first(n).len() as usize, n);
        }
    }
}
