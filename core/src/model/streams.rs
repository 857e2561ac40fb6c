//! Randomness: one stream per purpose, all from one seed, the same on every machine.

use rand::Rng;
use rand_pcg::Pcg64Mcg;
use serde::{Deserialize, Serialize};
use siphasher::sip::SipHasher24;
use siphasher::sip128::{Hasher128, SipHasher24 as SipHasher128};
use std::hash::Hasher;

/// One stream of random numbers. A die, a deck's shuffle and a seat's bot each have their own, so that a change in one
/// leaves the luck of the others as it was.
///
/// The whole state is a keyed hash of seed and name: streams that share a part of their state are not independent, whatever
/// the generator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stream(Pcg64Mcg);

impl Stream {
    /// The stream with this name in the game with this seed.
    pub fn new(seed: u64, name: &str) -> Self {
        Self::numbered(seed, number(name))
    }

    /// The same, by the number of its name.
    #[inline]
    pub fn numbered(seed: u64, name: u64) -> Self {
        let mut hasher = SipHasher128::new_with_keys(seed, STREAM);
        hasher.write_u64(name);
        Stream(Pcg64Mcg::new(hasher.finish128().as_u128()))
    }

    /// A number in `0..n`, each as likely as the others; 0 if there is nothing to choose from.
    #[inline(always)]
    pub fn below(&mut self, n: u32) -> u32 {
        let mut product = self.0.next_u64() as u128 * n as u128;
        if (product as u64) < n as u64 {
            // Lemire: what is drawn in this corner would make some numbers likelier. It happens once in 2^32 draws at most.
            let corner = (n as u64).wrapping_neg().checked_rem(n as u64).unwrap_or(0);
            while (product as u64) < corner {
                product = self.0.next_u64() as u128 * n as u128;
            }
        }
        (product >> 64) as u32
    }

    /// Puts a list in random order.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for i in (1..list.len()).rev() {
            let j = self.below(i as u32 + 1) as usize;
            list.swap(i, j);
        }
    }

    /// A seed for something that must not share this stream.
    pub fn seed(&mut self) -> u64 {
        self.0.next_u64()
    }
}

/// The second half of the key under which streams are made, and of the one under which names become numbers.
const STREAM: u64 = u64::from_le_bytes(*b"ludoteca");
const NAME: u64 = u64::from_le_bytes(*b"a stream");

/// A stable number for the name of a stream, whatever the platform.
pub fn number(name: &str) -> u64 {
    let mut hasher = SipHasher24::new_with_keys(STREAM, NAME);
    hasher.write(name.as_bytes());
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers themselves are the contract: a transcript of today must give the same game in ten years.
    #[test]
    fn streams_are_value_stable() {
        let mut dice = Stream::new(1, "die.d6");
        let rolled: Vec<u32> = (0..12).map(|_| 1 + dice.below(6)).collect();
        insta::assert_compact_debug_snapshot!(rolled);
        let mut deck: Vec<u32> = (0..8).collect();
        Stream::new(7, "zone.deck").shuffle(&mut deck);
        insta::assert_compact_debug_snapshot!(deck);
    }

    #[test]
    fn names_and_seeds_give_different_streams() {
        let first = |seed, name: &str| {
            let mut s = Stream::new(seed, name);
            (0..4).map(|_| s.below(1_000_000)).collect::<Vec<_>>()
        };
        assert_ne!(first(1, "a"), first(1, "b"));
        assert_ne!(first(1, "a"), first(2, "a"));
        assert_eq!(first(3, "a"), first(3, "a"));
    }
}
