//! The luck of whoever sits on a seat: a stream of its own for each decision.

use super::state::State;
use super::streams::{self, Stream};
use crate::limits::MOST_PLAYERS;
use std::sync::LazyLock;

/// The number of the stream a seat's luck begins with.
fn named(seat: u8) -> u64 {
    streams::number(&format!("seat.{seat}"))
}

/// Where a seat's luck comes from. It follows from the seed and from how often the seat has decided, so it is the same however the match
/// came to stand where it stands: played through, loaded, taken back or copied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Luck {
    seat: u8,
    key: u64,
}

impl Luck {
    pub fn new(seat: u8, seed: u64) -> Luck {
        // Every match of a run asks again: what does not depend on its seed is worked out once.
        static NUMBERS: LazyLock<[u64; MOST_PLAYERS as usize]> =
            LazyLock::new(|| std::array::from_fn(|seat| named(seat as u8)));
        let number = NUMBERS.get(seat as usize).copied();
        let number = number.unwrap_or_else(|| named(seat));
        let key = Stream::numbered(seed, number).seed();
        Luck { seat, key }
    }

    /// The luck of the decision the seat has before it.
    #[inline(always)]
    pub fn now(self, state: &State) -> Stream {
        Stream::numbered(self.key, state.decided[self.seat as usize] as u64)
    }
}
