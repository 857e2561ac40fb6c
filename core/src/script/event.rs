//! What happened, for those who watch: logs, replays and programs at the table. A simulation that needs none pays nothing.

use crate::model::value::Val;

/// One change or announcement.
#[derive(Debug, Clone)]
pub enum Event {
    Round {
        number: u32,
    },
    /// A step begins: the script function's name and the player it is for.
    Step {
        function: String,
        seat: Option<u8>,
    },
    /// A log line the rules wrote, with its details.
    Said {
        key: u32,
        details: Val,
    },
    Chosen {
        seat: u8,
        prompt: u32,
        keys: Vec<String>,
        secret: bool,
    },
    Rolled {
        die: usize,
        shown: Vec<i32>,
    },
    Shuffled {
        zone: u32,
    },
    Moved {
        piece: u32,
        from: u32,
        to: u32,
    },
    /// An attribute of something changed.
    Changed {
        kind: u8,
        id: u32,
        slot: u16,
        from: i32,
        to: i32,
    },
    Printed {
        text: String,
    },
    Ended,
}
