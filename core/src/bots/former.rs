//! The answer a bot gave last: whether it is asked now what follows that answer at once, and has seen nothing new in between.

use super::options;
use crate::play::driver::Door;

/// An answer, and what was known when it was given. If luck or others have shown something since, what was thought then is out of date;
/// luck that showed nothing, and the luck to come, are nobody's business.
#[derive(Debug, Default)]
pub struct Former {
    picked: Vec<u32>,
    /// Answers of the step before it.
    after: usize,
    knows: u64,
}

impl Former {
    /// What is being answered to the open question.
    pub fn of(door: &Door, picked: &[u32]) -> Former {
        Former {
            picked: picked.to_vec(),
            after: door.answered().0,
            knows: options::known(&door.real().table, door.seat()),
        }
    }

    /// Whether the open question follows this answer.
    pub fn is_followed(&self, door: &Door) -> bool {
        let (answers, last) = door.answered();
        answers == self.after + 1
            && last == Some(&self.picked)
            && options::known(&door.real().table, door.seat()) == self.knows
    }

    /// The open question, which follows this answer, is answered too.
    pub fn go_on(&mut self, picked: &[u32]) {
        self.after += 1;
        self.picked.clear();
        self.picked.extend_from_slice(picked);
    }
}
