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

/// How a process of its own ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProcessEnd {
    /// By itself, with this code.
    Code(i32),
    /// It was stopped: what it used too much of, or what went wrong.
    Stopped(String),
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
    let ended = wait(&mut child)?;
    let told = |hearer: Option<JoinHandle<String>>| {
        let said = hearer.map(|hearer| hearer.join().unwrap_or_default());
        said.unwrap_or_default()
    };
    Ok(ProcessHeard {
        ended,
        out: told(out),
        err: told(err),
    })
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

fn wait(child: &mut Child) -> std::io::Result<ProcessEnd> {
    let begun = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(ended(status));
        }
        if begun.elapsed() > PATIENCE {
            return stop(child);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn stop(child: &mut Child) -> std::io::Result<ProcessEnd> {
    child.kill()?;
    child.wait()?;
    let waited = PATIENCE.as_secs();
    Ok(ProcessEnd::Stopped(format!(
        "it did not end within {waited} seconds"
    )))
}

fn ended(status: ExitStatus) -> ProcessEnd {
    if let Some(code) = status.code() {
        return ProcessEnd::Code(code);
    }
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt;
        const ABORT: i32 = 6;
        const KILL: i32 = 9;
        const CPU: i32 = 24;
        ProcessEnd::Stopped(match status.signal() {
            Some(CPU | KILL) => {
                format!("it used more than {ISOLATED_SECONDS} seconds of the processor")
            }
            Some(ABORT) => format!("it used more than {} MiB of memory", ISOLATED_MEMORY >> 20),
            Some(other) => format!("it ended with signal {other}"),
            None => "it ended in an unknown way".into(),
        })
    }
    #[cfg(not(unix))]
    ProcessEnd::Stopped("it ended in an unknown way".into())
}

/// What kept a process from being confined; it goes on without, since the limits inside hold all the same.
pub type Unconfined = Vec<String>;

/// Confines the process that calls this, for good: time, memory, no files written, none read but below these folders, no other processes
/// and no connections.
#[cfg(target_os = "linux")]
pub fn confine(readable: &[PathBuf]) -> Unconfined {
    use rustix::process::{Resource, Rlimit, setrlimit};
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
