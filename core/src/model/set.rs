//! Sets of spaces as bits: union, difference, counting and the n-th member without a list. Sets of maps with up to 192 spaces are three
//! words and need no memory of their own; larger ones share sixteen.

use crate::limits::MOST_SPACES;
use ludoteca_vm::Shared;
use serde::{Deserialize, Serialize};
use std::hash::{Hash, Hasher};
use std::ops::{BitAnd, BitOr, Sub};

/// Words of the sets of large maps, of 64 spaces each.
const WORDS: usize = MOST_SPACES / 64;
/// Words of the sets of small maps.
const FEW: usize = 3;
/// Spaces of a map whose sets need no memory of their own.
pub const SMALL: usize = FEW * 64;
/// Spaces of a map whose sets are one number, bit by bit.
pub const ONE_NUMBER: usize = 128;

/// A set of spaces.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum SpaceSet {
    Small([u64; FEW]),
    Large(Shared<[u64; WORDS]>),
}

use SpaceSet::{Large, Small};

impl SpaceSet {
    pub const EMPTY: SpaceSet = Small([0; FEW]);

    /// Whether sets of a map of so many spaces may need memory of their own.
    pub fn needs_memory(spaces: u32) -> bool {
        spaces as usize > FEW * u64::BITS as usize
    }

    /// The spaces `0..n`.
    pub fn first(n: usize) -> Self {
        (0..n as u32).collect()
    }

    #[inline(always)]
    pub fn one(space: u32) -> Self {
        let mut set = Self::EMPTY;
        set.insert(space);
        set
    }

    /// Fourteen bytes hold the sets of maps up to 112 spaces inline.
    #[inline(always)]
    pub fn to_bytes(&self) -> [u8; 14] {
        Self::bytes_of(self.bits())
    }

    #[inline(always)]
    pub fn from_bytes(bytes: [u8; 14]) -> Self {
        Self::of_bits(Self::bits_in(bytes))
    }

    /// The bytes of a set that is one number. They are written and read as one, so that the processor does both in the same pieces, and
    /// reading need not wait until what was written is in memory.
    #[inline(always)]
    pub fn bytes_of(bits: u128) -> [u8; 14] {
        let [bytes @ .., _, _] = bits.to_le_bytes();
        bytes
    }

    /// The number of a set that is bytes.
    #[inline(always)]
    pub fn bits_in(bytes: [u8; 14]) -> u128 {
        let [first @ .., a, b, c, d, e, f] = bytes;
        let second =
            u32::from_le_bytes([a, b, c, d]) as u64 | (u16::from_le_bytes([e, f]) as u64) << 32;
        u64::from_le_bytes(first) as u128 | (second as u128) << 64
    }

    /// Two sets of maps up to 56 spaces in fourteen bytes.
    #[inline(always)]
    pub fn pair_to_bytes(a: &Self, b: &Self) -> [u8; 14] {
        let ([a, ..], [b, ..]) = (a.few(), b.few());
        Small([a | b << 56, b >> 8, 0]).to_bytes()
    }

    #[inline(always)]
    pub fn pair_from_bytes(bytes: [u8; 14]) -> (Self, Self) {
        let [low, high, _] = Self::from_bytes(bytes).few();
        let alone = |word: u64| Small([word & (u64::MAX >> 8), 0, 0]);
        (alone(low), alone(low >> 56 | high << 8))
    }

    /// The set of a map of at most [`ONE_NUMBER`] spaces as one number, bit by bit.
    #[inline(always)]
    pub fn bits(&self) -> u128 {
        let [low, high, _] = self.few();
        low as u128 | (high as u128) << 64
    }

    #[inline(always)]
    pub fn of_bits(bits: u128) -> Self {
        Small([bits as u64, (bits >> 64) as u64, 0])
    }

    /// The first words: all there is on a small map.
    #[inline(always)]
    fn few(&self) -> [u64; FEW] {
        match self {
            Small(words) => *words,
            Large(words) => [words[0], words[1], words[2]],
        }
    }

    #[inline(always)]
    fn words(&self) -> &[u64] {
        match self {
            Small(words) => words,
            Large(words) => &words[..],
        }
    }

    #[inline(always)]
    pub fn insert(&mut self, space: u32) {
        match self {
            Small(words) if (space as usize) < SMALL => {
                words[space as usize >> 6] |= 1 << (space & 63)
            }
            _ => self.insert_far(space),
        }
    }

    #[inline(never)]
    fn insert_far(&mut self, space: u32) {
        let mut words = self.many();
        words[(space as usize >> 6) & (WORDS - 1)] |= 1 << (space & 63);
        *self = Large(Shared::new(words));
    }

    #[inline(always)]
    pub fn remove(&mut self, space: u32) {
        match self {
            Small(words) if (space as usize) < SMALL => {
                words[space as usize >> 6] &= !(1 << (space & 63))
            }
            Small(_) => {}
            Large(_) => self.remove_far(space),
        }
    }

    #[inline(never)]
    fn remove_far(&mut self, space: u32) {
        let mut words = self.many();
        words[(space as usize >> 6) & (WORDS - 1)] &= !(1 << (space & 63));
        *self = Large(Shared::new(words));
    }

    /// All words, the missing ones empty.
    fn many(&self) -> [u64; WORDS] {
        let mut all = [0; WORDS];
        let words = self.words();
        all[..words.len()].copy_from_slice(words);
        all
    }

    #[inline(always)]
    pub fn contains(&self, space: u32) -> bool {
        let word = self.words().get(space as usize >> 6);
        word.is_some_and(|word| word >> (space & 63) & 1 == 1)
    }

    /// The words of a set on a map that needs no more than `W` of them, three at most.
    #[inline(always)]
    pub fn first_words<const W: usize>(&self) -> [u64; W] {
        *self.few().first_chunk::<W>().unwrap_or(&[0; W])
    }

    #[inline(always)]
    pub fn len(&self) -> u32 {
        match self {
            // Most maps need one word.
            Small([first, 0, 0]) => first.count_ones(),
            Small([first, second, third]) => {
                first.count_ones() + second.count_ones() + third.count_ones()
            }
            Large(words) => words.iter().map(|word| word.count_ones()).sum(),
        }
    }

    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        match self {
            Small([first, second, third]) => first | second | third == 0,
            Large(words) => words.iter().all(|&word| word == 0),
        }
    }

    /// The `n`-th member in ascending order.
    #[inline(always)]
    pub fn nth(&self, n: u32) -> Option<u32> {
        // Most maps need one word.
        let first = self.words()[0];
        let here = first.count_ones();
        if n < here {
            return Some(nth_bit(first, n));
        }
        self.nth_beyond(n - here)
    }

    /// The `n`-th of the members that are not in the first word.
    #[inline(never)]
    fn nth_beyond(&self, mut n: u32) -> Option<u32> {
        for (w, &word) in self.words().iter().enumerate().skip(1) {
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
        let words = self.words();
        let mut w = from as usize >> 6;
        let mut word = words.get(w)? & (u64::MAX << (from & 63));
        while word == 0 {
            w += 1;
            word = *words.get(w)?;
        }
        Some(w as u32 * 64 + word.trailing_zeros())
    }

    /// Members in ascending order.
    #[inline(always)]
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.words().iter().enumerate().flat_map(|(w, &word)| {
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
        match self {
            Small([a, b, c]) => Small([
                fitting(*a, 0, &fits),
                fitting(*b, 64, &fits),
                fitting(*c, 128, &fits),
            ]),
            Large(words) => {
                let mut found = **words;
                for (w, word) in found.iter_mut().enumerate() {
                    *word = fitting(*word, w as u32 * 64, &fits);
                }
                Large(Shared::new(found))
            }
        }
    }

    /// Calls `f` for each member; the form loops compile best to.
    #[inline(always)]
    pub fn each(&self, mut f: impl FnMut(u32)) {
        for (w, &word) in self.words().iter().enumerate() {
            let mut rest = word;
            while rest != 0 {
                f(w as u32 * 64 + rest.trailing_zeros());
                rest &= rest - 1;
            }
        }
    }

    /// Adds all members of another set.
    #[inline(always)]
    pub fn join(&mut self, other: &Self) {
        *self = &*self | other;
    }

    /// Word by word, on a large map.
    #[inline(never)]
    fn combined(&self, other: &Self, with: fn(u64, u64) -> u64) -> Self {
        let (mut words, others) = (self.many(), other.many());
        for (word, other) in words.iter_mut().zip(others) {
            *word = with(*word, other);
        }
        Large(Shared::new(words))
    }
}

/// The bits of a word that fit, the first of them counted as `first`.
#[inline(always)]
fn fitting(word: u64, first: u32, fits: &impl Fn(u32) -> bool) -> u64 {
    let (mut rest, mut found) = (word, 0);
    while rest != 0 {
        let lowest = rest & rest.wrapping_neg();
        let fits = fits(first + rest.trailing_zeros()) as u64;
        found |= lowest & fits.wrapping_neg();
        rest ^= lowest;
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

macro_rules! operator {
    ($trait:ident, $method:ident, $with:expr) => {
        impl $trait<&SpaceSet> for &SpaceSet {
            type Output = SpaceSet;
            #[inline(always)]
            fn $method(self, other: &SpaceSet) -> SpaceSet {
                let with: fn(u64, u64) -> u64 = $with;
                match (self, other) {
                    (Small([a, b, c]), Small([x, y, z])) => {
                        Small([with(*a, *x), with(*b, *y), with(*c, *z)])
                    }
                    _ => self.combined(other, with),
                }
            }
        }

        impl $trait for SpaceSet {
            type Output = SpaceSet;
            #[inline(always)]
            fn $method(self, other: SpaceSet) -> SpaceSet {
                (&self).$method(&other)
            }
        }

        impl $trait<&SpaceSet> for SpaceSet {
            type Output = SpaceSet;
            #[inline(always)]
            fn $method(self, other: &SpaceSet) -> SpaceSet {
                (&self).$method(other)
            }
        }

        impl $trait<SpaceSet> for &SpaceSet {
            type Output = SpaceSet;
            #[inline(always)]
            fn $method(self, other: SpaceSet) -> SpaceSet {
                self.$method(&other)
            }
        }
    };
}

operator!(BitOr, bitor, |a, b| a | b);
operator!(BitAnd, bitand, |a, b| a & b);
operator!(Sub, sub, |a, b| a & !b);

impl Default for SpaceSet {
    fn default() -> Self {
        Self::EMPTY
    }
}

/// Sets are equal if they have the same members, however they are kept.
impl PartialEq for SpaceSet {
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Small(a), Small(b)) => a == b,
            _ => self.many() == other.many(),
        }
    }
}

impl Eq for SpaceSet {}

impl Hash for SpaceSet {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.many().hash(state);
    }
}

impl FromIterator<u32> for SpaceSet {
    fn from_iter<I: IntoIterator<Item = u32>>(spaces: I) -> Self {
        let (mut few, mut many) = ([0; FEW], None);
        for space in spaces {
            let at = space as usize >> 6;
            match &mut many {
                None if at < FEW => few[at] |= 1 << (space & 63),
                _ => {
                    let all: &mut [u64; WORDS] = many.get_or_insert_with(|| Small(few).many());
                    all[at & (WORDS - 1)] |= 1 << (space & 63);
                }
            }
        }
        many.map_or(Small(few), |all| Large(Shared::new(all)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_come_back_in_order_and_by_number() {
        let members = [0, 1, 63, 64, 111, 112, 128, 255, 700, 1023];
        let set: SpaceSet = members.into_iter().collect();
        assert_eq!(set.len(), 10);
        assert_eq!(set.iter().collect::<Vec<_>>(), members);
        for (n, &m) in members.iter().enumerate() {
            assert_eq!(set.nth(n as u32), Some(m));
            assert_eq!(set.next_from(m), Some(m));
        }
        assert_eq!(set.nth(10), None);
        assert_eq!(set.next_from(129), Some(255));
        assert_eq!(set.next_from(1024), None);
    }

    /// Small and large sets answer alike, whatever they are put together from.
    #[test]
    fn small_and_large_sets_mix() {
        let small: SpaceSet = [3, 64, 127].into_iter().collect();
        let large: SpaceSet = [3, 127, 128, 900].into_iter().collect();
        let listed = |set: SpaceSet| set.iter().collect::<Vec<_>>();
        assert_eq!(listed(&small | &large), [3, 64, 127, 128, 900]);
        assert_eq!(listed(&small & &large), [3, 127]);
        assert_eq!(listed(&small - &large), [64]);
        assert_eq!(listed(&large - &small), [128, 900]);
        assert_eq!(listed(large.filtered(|s| s > 127)), [128, 900]);
        assert_eq!(&(&small & &large) | &SpaceSet::one(64), small);
        let mut shrunk = large.clone();
        shrunk.remove(128);
        shrunk.remove(900);
        assert_eq!(shrunk, [3, 127].into_iter().collect());
        assert!(large.contains(900) && !small.contains(900) && !small.contains(5000));
        let mut grown = small.clone();
        grown.insert(1023);
        assert_eq!(listed(grown), [3, 64, 127, 1023]);
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
        for pair in [(&a, &b), (&b, &a), (&SpaceSet::EMPTY, &a)] {
            let (first, second) =
                SpaceSet::pair_from_bytes(SpaceSet::pair_to_bytes(pair.0, pair.1));
            assert_eq!((&first, &second), pair);
        }
    }

    #[test]
    fn first_counts_across_words() {
        for n in [0, 1, 42, 63, 64, 65, 128, 129, 150, 256, 1024] {
            assert_eq!(SpaceSet::first(n).len() as usize, n);
        }
    }
}
