//! Randomness: one stream per purpose, all from one seed, the same on every machine.

use rand::Rng;
use rand_pcg::Pcg32;
use serde::{Deserialize, Serialize};

/// One stream of random numbers. A die, a deck's shuffle and a seat's bot each have their own, so that a change in one
/// leaves the luck of the others as it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stream(Pcg32);

impl Stream {
    /// The stream with this name in the game with this seed.
    pub fn new(seed: u64, name: &str) -> Self {
        Self::numbered(seed, hash(name))
    }

    /// The same, by the hash of its name.
    pub fn numbered(seed: u64, name: u64) -> Self {
        Stream(Pcg32::new(mix(seed), name))
    }

    /// A number in `0..n`; 0 if there is nothing to choose from. One draw for each call, so streams stay in step.
    #[inline(always)]
    pub fn below(&mut self, n: u32) -> u32 {
        ((self.0.next_u32() as u64 * n as u64) >> 32) as u32
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

/// FNV-1a: stable names for streams, whatever the platform.
pub fn hash(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |h, b| {
        (h ^ b as u64).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// Spreads nearby seeds apart (the finishing step of splitmix64).
fn mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
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
