//! A pack nobody knows yet is looked at in a process of its own, which may use so much time and memory, read the folders it is given and
//! write nothing: even a fault of ours harms nobody then.

#[cfg(target_os = "linux")]
mod calls;

use crate::kernel::{ISOLATED_MEMORY, ISOLATED_SECONDS, ISOLATED_WORDS};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use thiserror::Error;

/// How a process of its own ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProcessEnd {
    /// By itself, with this code.
    Code(i32),
    /// It was stopped.
    Stopped(Excess),
}

/// Why a process of its own was stopped.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Excess {
    #[error("it used more than {ISOLATED_SECONDS} seconds of the processor")]
    Time,
    #[error("it used more than {} MiB of memory", ISOLATED_MEMORY >> 20)]
    Memory,
    #[error("something in it goes deeper than can be followed")]
    Depth,
    #[error("it did not end within {} seconds", PATIENCE.as_secs())]
    Patience,
    #[error("looking at it failed (signal {0})")]
    Signal(i32),
    #[error("looking at it ended in an unknown way")]
    Unknown,
}

/// Waits no longer than this for a process that sleeps.
const PATIENCE: Duration = Duration::from_secs(4 * ISOLATED_SECONDS);

/// How a process of its own ended, and what it said on its two ways out.
#[derive(Debug)]
pub struct ProcessHeard {
    pub ended: ProcessEnd,
    pub out: String,
    pub err: String,
}

/// Runs a command, waits for it and hears it: it may write no files, so whoever sends our words into one must get them from here.
/// One that does not end is ended.
pub fn run(command: &mut Command) -> std::io::Result<ProcessHeard> {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn()?;
    let out = child.stdout.take().map(hear);
    let err = child.stderr.take().map(hear);
    let waited = wait(&mut child)?;
    let told = |hearer: Option<JoinHandle<String>>| {
        let said = hearer.map(|hearer| hearer.join().unwrap_or_default());
        said.unwrap_or_default()
    };
    let (out, err) = (told(out), told(err));
    let ended = match waited {
        Some(status) => ended(status, &err),
        None => ProcessEnd::Stopped(Excess::Patience),
    };
    Ok(ProcessHeard { ended, out, err })
}

/// Reads what somebody says to its end, and keeps as much of it as anybody wants to read.
fn hear(mut from: impl Read + Send + 'static) -> JoinHandle<String> {
    std::thread::spawn(move || {
        let mut kept = Vec::new();
        // Who cannot be heard any more has said what there was to say.
        let _ = (&mut from).take(ISOLATED_WORDS).read_to_end(&mut kept);
        let _ = std::io::copy(&mut from, &mut std::io::sink());
        String::from_utf8_lossy(&kept).into_owned()
    })
}

/// How it ended; nothing if it had to be ended.
fn wait(child: &mut Child) -> std::io::Result<Option<ExitStatus>> {
    let begun = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if begun.elapsed() > PATIENCE {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// What the end of a process means. Why it gave up it says itself, in words for whoever made it: they tell what there was too much of.
fn ended(status: ExitStatus, said: &str) -> ProcessEnd {
    if let Some(code) = status.code() {
        return ProcessEnd::Code(code);
    }
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt;
        const KILL: i32 = 9;
        const CPU: i32 = 24;
        ProcessEnd::Stopped(match status.signal() {
            Some(CPU | KILL) => Excess::Time,
            Some(_) if said.contains("overflowed its stack") => Excess::Depth,
            Some(_) if said.contains("memory allocation of") => Excess::Memory,
            Some(other) => Excess::Signal(other),
            None => Excess::Unknown,
        })
    }
    #[cfg(not(unix))]
    {
        let _ = said;
        ProcessEnd::Stopped(Excess::Unknown)
    }
}

/// What kept a process from being confined; it goes on without, since the limits inside hold all the same.
pub type Unconfined = Vec<String>;

/// Confines the process that calls this, for good: time, memory, no files written, none read but below these folders, no other processes
/// and no connections.
#[cfg(target_os = "linux")]
pub fn confine(readable: &[PathBuf]) -> Unconfined {
    use rustix::process::{Resource, Rlimit, Signal, set_parent_process_death_signal, setrlimit};
    let mut failed = Unconfined::new();
    let mut limit = |resource: Resource, most: u64| {
        let limit = Rlimit {
            current: Some(most),
            maximum: Some(most),
        };
        if let Err(error) = setrlimit(resource, limit) {
            failed.push(format!("{resource:?}: {error}"));
        }
    };
    limit(Resource::Cpu, ISOLATED_SECONDS);
    limit(Resource::As, ISOLATED_MEMORY);
    limit(Resource::Fsize, 0);
    limit(Resource::Core, 0);
    // Nobody hears it any more when whoever began it is gone.
    if let Err(error) = set_parent_process_death_signal(Some(Signal::KILL)) {
        failed.push(error.to_string());
    }
    if let Err(error) = read_only(readable) {
        failed.push(error);
    }
    if let Err(error) = calls::bar() {
        failed.push(error);
    }
    failed
}

#[cfg(not(target_os = "linux"))]
pub fn confine(_: &[PathBuf]) -> Unconfined {
    vec!["this system has no limits that are known here".into()]
}

#[cfg(target_os = "linux")]
fn read_only(readable: &[PathBuf]) -> Result<(), String> {
    use landlock::{
        ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset,
        RulesetAttr, RulesetCreatedAttr, RulesetStatus, Scope,
    };
    let abi = ABI::V6;
    let said = |error: landlock::RulesetError| error.to_string();
    let mut rules = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(abi))
        .map_err(said)?
        .handle_access(AccessNet::from_all(abi))
        .map_err(said)?
        .scope(Scope::from_all(abi))
        .map_err(said)?
        .create()
        .map_err(said)?;
    for folder in readable.iter().filter(|folder| Path::exists(folder)) {
        let opened = PathFd::new(folder).map_err(|error| error.to_string())?;
        // Nothing that lies there is ever run.
        let rule = PathBeneath::new(opened, AccessFs::ReadFile | AccessFs::ReadDir);
        rules = rules.add_rule(rule).map_err(said)?;
    }
    match rules.restrict_self().map_err(said)?.ruleset {
        RulesetStatus::NotEnforced => Err("this kernel does not confine files".into()),
        _ => Ok(()),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::process::ExitStatusExt;

    #[test]
    fn a_signal_is_told_in_one_sentence() {
        let stack = "\nthread 'main' has overflowed its stack\nfatal runtime error: stack overflow, aborting\n";
        let memory = "memory allocation of 96000000000 bytes failed\n";
        for (signal, said, wanted) in [
            (24, "", Excess::Time),
            (9, "", Excess::Time),
            (6, stack, Excess::Depth),
            (11, stack, Excess::Depth),
            (6, memory, Excess::Memory),
            (11, "", Excess::Signal(11)),
        ] {
            let told = ended(ExitStatus::from_raw(signal), said);
            assert_eq!(told, ProcessEnd::Stopped(wanted), "{signal} {said}");
        }
        let code = ended(ExitStatus::from_raw(1 << 8), stack);
        assert_eq!(code, ProcessEnd::Code(1));
        assert!(!Excess::Depth.to_string().contains("stack"));
    }
}
