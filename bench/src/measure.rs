//! How rates are measured: by the CPU time of this process, the best of a few turns.

use rustix::time::{ClockId, clock_gettime};

/// CPU seconds this process has used.
pub fn cpu() -> f64 {
    let now = clock_gettime(ClockId::ProcessCPUTime);
    now.tv_sec as f64 + now.tv_nsec as f64 * 1e-9
}

/// Runs work for some CPU seconds, a few times in turns with the other contestants, and keeps the best rate of each.
#[derive(Debug, Clone, Copy, Default)]
pub struct Rate {
    pub best: f64,
}

impl Rate {
    pub fn measure(
        &mut self,
        seconds: f64,
        mut work: impl FnMut() -> Result<u64, String>,
    ) -> Result<(), String> {
        let start = cpu();
        let mut done = 0;
        loop {
            done += work()?;
            let used = cpu() - start;
            if used >= seconds {
                self.best = self.best.max(done as f64 / used);
                return Ok(());
            }
        }
    }
}

/// The shortest of some runs in seconds of wall time.
pub fn shortest(runs: usize, mut work: impl FnMut() -> Result<(), String>) -> Result<f64, String> {
    let mut best = f64::MAX;
    for _ in 0..runs {
        let start = std::time::Instant::now();
        work()?;
        best = best.min(start.elapsed().as_secs_f64());
    }
    Ok(best)
}
