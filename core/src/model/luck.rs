//! The luck of whoever sits on a seat: a stream of its own for each decision.

use super::state::State;
use super::streams::Stream;

/// Where a seat's luck comes from. It follows from the seed and from how often the seat has decided, so it is the same however the match
/// came to stand where it stands: played through, loaded, taken back or copied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Luck {
    seat: u8,
    key: u64,
}

impl Luck {
    pub fn new(seat: u8, seed: u64) -> Luck {
        let key = Stream::new(seed, &format!("seat.{seat}")).seed();
        Luck { seat, key }
    }

    /// The luck of the decision the seat has before it.
    #[inline(always)]
    pub fn now(self, state: &State) -> Stream {
        Stream::numbered(self.key, state.decided[self.seat as usize] as u64)
    }
}
