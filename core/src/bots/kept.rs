//! What a search carries from one question of a move to the next: the trees under the answer it gave.

use super::former::Former;
use super::line::Chances;
use super::options::Candidate;
use super::search::Thinking;
use super::tree::Tree;
use crate::play::driver::Door;

/// What one thread has found out.
#[derive(Debug)]
pub struct Experience {
    tree: Tree,
    chances: Chances,
}

impl Experience {
    pub fn of(thinking: Thinking) -> Experience {
        Experience {
            tree: thinking.tree,
            chances: thinking.chances,
        }
    }

    /// Makes a new thought begin with it.
    pub fn hand_on(self, thinking: &mut Thinking) {
        thinking.chances = self.chances;
        thinking.inherit(self.tree);
    }
}

/// What was found out before an answer was given, thread by thread.
#[derive(Debug)]
pub struct Kept {
    found: Vec<Experience>,
    looks: u64,
    former: Former,
}

impl Kept {
    pub fn new(door: &Door, found: Vec<Experience>, answer: &Candidate) -> Kept {
        Kept {
            found,
            looks: answer.looks,
            former: Former::of(door, answer.pick.numbers()),
        }
    }

    /// What of it is about the open question: nothing, if that is not what follows the answer at once, if something was seen since, or if
    /// luck had a part in lines that led here.
    pub fn under_the_answer(self, door: &Door) -> Vec<Experience> {
        if !self.former.is_followed(door) {
            return Vec::new();
        }
        let (looks, real) = (self.looks, door.real());
        let under = |found: Experience| {
            Some(Experience {
                tree: found.tree.under(looks, real)?,
                chances: found.chances,
            })
        };
        let under: Option<Vec<Experience>> = self.found.into_iter().map(under).collect();
        under.unwrap_or_default()
    }
}
