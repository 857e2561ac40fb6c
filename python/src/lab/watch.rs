//! Long work, while somebody listens for Ctrl-C and tells how far it is.

use super::asking::Errors;
use crate::door::Mistake;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// How often a long call looks whether somebody wants it to stop, and how often it tells how far it is.
const LOOK: Duration = Duration::from_millis(40);
const TELL: Duration = Duration::from_millis(200);

/// Does long work on threads of its own, while this one listens for Ctrl-C and tells how far it is. Says whether it was stopped.
pub fn watched<T: Send>(
    py: Python<'_>,
    progress: Option<Py<PyAny>>,
    errors: &Errors,
    work: impl FnOnce(&AtomicBool, &(dyn Fn(u64) + Sync)) -> Result<T, Mistake> + Send,
) -> PyResult<(T, bool)> {
    let (stop, done) = (AtomicBool::new(false), AtomicU64::new(0));
    let count = |games: u64| {
        done.fetch_add(games, Ordering::Relaxed);
    };
    let listened = py.detach(|| {
        thread::scope(|scope| {
            let (send, ended) = channel();
            let (stop, done) = (&stop, &done);
            scope.spawn(move || {
                let worked = catch_unwind(AssertUnwindSafe(|| work(stop, &count)));
                // Whoever waits is there until it has heard of the end.
                let _ = send.send(worked);
            });
            let (mut told, mut failed, mut stopped) = (Instant::now(), None, false);
            loop {
                match ended.recv_timeout(LOOK) {
                    Ok(Ok(worked)) => return (worked, failed, stopped),
                    Ok(Err(panic)) => resume_unwind(panic),
                    Err(RecvTimeoutError::Disconnected) => {
                        let lost = Mistake::Broken("the run ended without a word".into());
                        return (Err(lost), failed, stopped);
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                }
                if failed.is_some() || stopped {
                    continue;
                }
                let tell = told.elapsed() >= TELL;
                if tell {
                    told = Instant::now();
                }
                let games = done.load(Ordering::Relaxed);
                let heard = Python::attach(|py| {
                    py.check_signals()?;
                    match &progress {
                        Some(progress) if tell => progress.call1(py, (games,)).map(drop),
                        _ => Ok(()),
                    }
                });
                if let Err(error) = heard {
                    stop.store(true, Ordering::Relaxed);
                    match Python::attach(|py| error.is_instance_of::<PyKeyboardInterrupt>(py)) {
                        true => stopped = true,
                        false => failed = Some(error),
                    }
                }
            }
        })
    });
    let (worked, failed, stopped) = listened;
    let raised = errors.lock().unwrap_or_else(PoisonError::into_inner).take();
    match failed.or(raised) {
        Some(error) => Err(error),
        None => Ok((worked?, stopped)),
    }
}
