//! Threads for long thoughts. A bot that searches takes one for itself, so that it delays no other match; those that have nothing to do go.

use crate::shelf::locked;
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

type Thought = Box<dyn FnOnce() + Send>;

/// So many may think at once; the machine shares its cores among them.
const MOST: usize = 128;
/// A thread without work goes after a while.
const IDLE: Duration = Duration::from_secs(10);

#[derive(Default)]
struct Waiting {
    thoughts: VecDeque<Thought>,
    threads: usize,
    idle: usize,
}

#[derive(Default)]
struct Room {
    waiting: Mutex<Waiting>,
    came: Condvar,
}

/// Everybody who thinks.
#[derive(Clone, Default)]
pub struct Thinkers {
    room: Arc<Room>,
}

impl Thinkers {
    /// Lets somebody think about something, soon.
    pub fn think(&self, thought: impl FnOnce() + Send + 'static) {
        let mut waiting = locked(&self.room.waiting);
        waiting.thoughts.push_back(Box::new(thought));
        if waiting.idle >= waiting.thoughts.len() || waiting.threads >= MOST {
            drop(waiting);
            self.room.came.notify_one();
            return;
        }
        waiting.threads += 1;
        drop(waiting);
        let room = self.room.clone();
        let spawned = std::thread::Builder::new()
            .name("thinker".into())
            .spawn(move || work(&room));
        if spawned.is_err() {
            // Too many threads for the system: those that are there go on with it.
            locked(&self.room.waiting).threads -= 1;
        }
    }
}

fn work(room: &Room) {
    let mut waiting = locked(&room.waiting);
    loop {
        if let Some(thought) = waiting.thoughts.pop_front() {
            drop(waiting);
            // What goes wrong in a thought is told by the match it is about.
            let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(thought));
            waiting = locked(&room.waiting);
            continue;
        }
        waiting.idle += 1;
        let (back, timeout) = room
            .came
            .wait_timeout(waiting, IDLE)
            .unwrap_or_else(PoisonError::into_inner);
        waiting = back;
        waiting.idle -= 1;
        if timeout.timed_out() && waiting.thoughts.is_empty() {
            waiting.threads -= 1;
            return;
        }
    }
}
