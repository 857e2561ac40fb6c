//! Many pieces of work on all cores, their results handed over one by one and in order, whatever thread did which.

use ludoteca::limits::MOST_THREADS;
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// Whether the one who takes results wants more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    GoOn,
    Enough,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// Everything was done.
    Done,
    /// The taker had enough.
    Enough,
    /// Somebody stopped it; what was done has been handed over.
    Stopped,
}

/// Results wait until their window is done. It grows with the run: large enough that threads do not wait for each other, small enough that
/// the memory and a taker who has enough do not notice.
const LONGEST_WINDOW: u64 = 8192;
const WINDOW_SHARE: u64 = 8;

/// Does `work` for each number of the part on `jobs` threads (0 for one per core), each with a bench of its own, and hands the results to
/// `take` in the order of the numbers. After a failure the results before it have been handed over.
pub fn run<B: Send, T: Send, E: Send>(
    part: (u64, u64),
    jobs: usize,
    stop: &AtomicBool,
    progress: impl Fn(u64) + Sync,
    bench: impl Fn() -> B + Sync,
    work: impl Fn(&mut B, u64) -> Result<T, E> + Sync,
    mut take: impl FnMut(u64, T) -> Next,
) -> Result<Ended, E> {
    // More threads than games, or than any machine has cores, would only cost.
    let wanted = part.1.saturating_sub(part.0).clamp(1, MOST_THREADS) as usize;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(jobs.min(wanted))
        .build()
        .ok();
    let threads = pool.as_ref().map_or(1, |pool| pool.current_num_threads());
    let benches: Vec<Mutex<Option<B>>> = (0..threads).map(|_| Mutex::new(None)).collect();
    let one = |number: u64| -> Option<Result<T, E>> {
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        let own = rayon::current_thread_index().unwrap_or(0);
        let mut place = benches[own].lock().unwrap_or_else(PoisonError::into_inner);
        let done = work(place.get_or_insert_with(&bench), number);
        progress(1);
        Some(done)
    };
    let (mut next, end) = part;
    while next < end && !stop.load(Ordering::Relaxed) {
        let window = ((next - part.0) / WINDOW_SHARE).clamp(4 * threads as u64, LONGEST_WINDOW);
        let last = (next + window).min(end);
        let done: Vec<Option<Result<T, E>>> = match &pool {
            Some(pool) => {
                let numbers = (next..last).into_par_iter();
                pool.install(|| numbers.map(one).collect())
            }
            // Without threads the work is done here.
            None => (next..last).map(one).collect(),
        };
        for (number, result) in (next..last).zip(done) {
            if let Some(result) = result
                && take(number, result?) == Next::Enough
            {
                return Ok(Ended::Enough);
            }
        }
        next = last;
    }
    Ok(if stop.load(Ordering::Relaxed) {
        Ended::Stopped
    } else {
        Ended::Done
    })
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
        assert_eq!(ended, Ok(Ended::Done));
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
        assert_eq!(ended, Ok(Ended::Stopped));
        assert!((1..1_000_000).contains(&seen), "{seen}");
    }
}
