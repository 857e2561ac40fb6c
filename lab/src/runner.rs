//! Many pieces of work on all cores, their results handed over one by one and in order, whatever thread did which.

use ludoteca::limits::MOST_THREADS;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread::{self, Builder};

/// Whether the one who takes results wants more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    GoOn,
    Enough,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunEnd {
    /// Everything was done.
    Done,
    /// The taker had enough.
    Enough,
    /// Somebody stopped it; what was done has been handed over.
    Stopped,
}

/// How far work may be ahead of what has been taken: the memory must not notice one piece that takes long.
const AHEAD: u64 = 8192;

/// Where numbers are handed out.
struct Desk {
    /// The next number to be worked on.
    next: u64,
    /// Everything before this one has been taken.
    taken: u64,
    /// Nobody wants more.
    closed: bool,
}

/// Does `work` for each number of the part on `jobs` threads (0 for one per core), each with a bench of its own, and hands the results to
/// `take` in the order of the numbers, each as soon as those before it are there. After a failure the results before it have been handed
/// over.
pub fn run<B, T: Send, E: Send>(
    part: (u64, u64),
    jobs: usize,
    stop: &AtomicBool,
    progress: impl Fn(u64) + Sync,
    bench: impl Fn() -> B + Sync,
    work: impl Fn(&mut B, u64) -> Result<T, E> + Sync,
    mut take: impl FnMut(u64, T) -> Next,
) -> Result<RunEnd, E> {
    let (first, end) = part;
    // More threads than games, or than any machine has cores, would only cost.
    let wanted = end.saturating_sub(first).clamp(1, MOST_THREADS) as usize;
    let cores = || thread::available_parallelism().map_or(1, usize::from);
    let threads = if jobs == 0 { cores() } else { jobs }.min(wanted);
    let desk = Mutex::new(Desk {
        next: first,
        taken: first,
        closed: false,
    });
    let moved_on = Condvar::new();
    let (send, results) = mpsc::channel();
    let at_work = |send: mpsc::Sender<(u64, Result<T, E>)>| {
        let _closing = Closing(&desk, &moved_on);
        let mut own = bench();
        while let Some(number) = next_number(&desk, &moved_on, end, stop) {
            let done = work(&mut own, number);
            progress(1);
            if send.send((number, done)).is_err() {
                return;
            }
        }
    };
    let handed_over = thread::scope(|scope| {
        let (at_work, send) = (&at_work, send);
        let start = |send| Builder::new().spawn_scoped(scope, move || at_work(send));
        // Where there are not so many threads to be had, those there are do the work.
        let started = (0..threads).filter(|_| start(send.clone()).is_ok()).count();
        if started == 0 {
            scope.spawn(move || at_work(send));
        } else {
            drop(send);
        }
        let handed_over = hand_over(first, results, &mut take, |taken| {
            lock(&desk).taken = taken;
            moved_on.notify_all();
        });
        lock(&desk).closed = true;
        moved_on.notify_all();
        handed_over
    })?;
    Ok(match lock(&desk).taken {
        _ if handed_over == Next::Enough => RunEnd::Enough,
        taken if taken >= end => RunEnd::Done,
        _ => RunEnd::Stopped,
    })
}

/// A thread that breaks closes the desk: its number will never come, and nobody must wait for it.
struct Closing<'a>(&'a Mutex<Desk>, &'a Condvar);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            lock(self.0).closed = true;
            self.1.notify_all();
        }
    }
}

/// The next number to work on, as soon as it is not too far ahead; none if there are no more.
fn next_number(desk: &Mutex<Desk>, moved_on: &Condvar, end: u64, stop: &AtomicBool) -> Option<u64> {
    let mut desk = lock(desk);
    while !desk.closed && desk.next < end && desk.next - desk.taken >= AHEAD {
        desk = moved_on.wait(desk).unwrap_or_else(PoisonError::into_inner);
    }
    if desk.closed || desk.next >= end || stop.load(Ordering::Relaxed) {
        return None;
    }
    desk.next += 1;
    Some(desk.next - 1)
}

/// Hands results over in order, until the taker has enough or there are no more.
fn hand_over<T, E>(
    first: u64,
    results: mpsc::Receiver<(u64, Result<T, E>)>,
    take: &mut impl FnMut(u64, T) -> Next,
    moved_on: impl Fn(u64),
) -> Result<Next, E> {
    let mut next = first;
    let mut early = BTreeMap::new();
    for (number, result) in results {
        early.insert(number, result);
        while let Some(result) = early.remove(&next) {
            if take(next, result?) == Next::Enough {
                return Ok(Next::Enough);
            }
            next += 1;
            moved_on(next);
        }
    }
    Ok(Next::GoOn)
}

fn lock(desk: &Mutex<Desk>) -> MutexGuard<'_, Desk> {
    desk.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn collect(jobs: usize, part: (u64, u64)) -> Vec<u64> {
        let mut seen = Vec::new();
        let stop = AtomicBool::new(false);
        let ended = run::<_, _, ()>(
            part,
            jobs,
            &stop,
            |_| {},
            || 0,
            |_, n| Ok(n * n),
            |n, square| {
                assert_eq!(n * n, square);
                seen.push(n);
                Next::GoOn
            },
        );
        assert_eq!(ended, Ok(RunEnd::Done));
        seen
    }

    #[test]
    fn results_come_in_order_on_any_number_of_threads() {
        let expected: Vec<u64> = (3..20_000).collect();
        assert_eq!(collect(1, (3, 20_000)), expected);
        assert_eq!(collect(3, (3, 20_000)), expected);
        assert_eq!(collect(2, (5, 5)), Vec::<u64>::new());
    }

    #[test]
    fn what_was_done_before_a_failure_is_handed_over() {
        let mut seen = Vec::new();
        let failed = run(
            (0, 100),
            2,
            &AtomicBool::new(false),
            |_| {},
            || (),
            |_, n| if n == 37 { Err(n) } else { Ok(n) },
            |n, _| {
                seen.push(n);
                Next::GoOn
            },
        );
        assert_eq!(failed, Err(37));
        assert_eq!(seen, (0..37).collect::<Vec<_>>());
    }

    #[test]
    fn a_stopped_run_keeps_what_is_done() {
        let stop = AtomicBool::new(false);
        let mut seen = 0;
        let ended = run::<_, _, ()>(
            (0, 1_000_000),
            2,
            &stop,
            |_| {},
            || (),
            |_, n| {
                if n == 500 {
                    stop.store(true, Ordering::Relaxed);
                }
                Ok(n)
            },
            |_, _| {
                seen += 1;
                Next::GoOn
            },
        );
        assert_eq!(ended, Ok(RunEnd::Stopped));
        assert!((1..1_000_000).contains(&seen), "{seen}");
    }
}
