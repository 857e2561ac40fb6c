//! A comparison of a variant with the base, played by the command beside the editor: how far it is, and an end when somebody has seen
//! enough.

use crate::commands::Said;
use crossbeam_channel::Sender;
use lsp_types::{
    MessageType, ProgressParams, ProgressParamsValue, ProgressToken, WorkDoneProgress,
    WorkDoneProgressBegin, WorkDoneProgressEnd, WorkDoneProgressReport,
};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// How many games each side of a comparison plays.
pub const GAMES: &str = "400";

/// What is compared, and where the report goes.
pub struct Comparison {
    pub game: String,
    pub variant: String,
    pub root: PathBuf,
    pub report: PathBuf,
}

/// A comparison that is being played.
#[derive(Clone)]
pub struct Running {
    pub token: ProgressToken,
    child: Arc<Mutex<Child>>,
    ended: Arc<AtomicBool>,
}

impl Comparison {
    /// Starts playing; what it says comes on another thread.
    pub fn start(self, tool: &Path, say: Sender<Said>) -> Result<Running, String> {
        let (game, variant) = (self.game.as_str(), self.variant.as_str());
        let mut command = Command::new(tool);
        command
            .args([
                "compare",
                game,
                "--variant",
                variant,
                "-n",
                GAMES,
                "--report",
            ])
            .arg(&self.report)
            .current_dir(&self.root)
            .env("LUDOTECA_PROGRESS", "lines")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        let failed = |error: std::io::Error| format!("cannot compare: {error}");
        let mut child = command.spawn().map_err(failed)?;
        let told = child.stderr.take();
        let running = Running {
            token: ProgressToken::String(format!("compare {}", child.id())),
            child: Arc::new(Mutex::new(child)),
            ended: Arc::default(),
        };
        let own = running.clone();
        crate::commands::spawn(move || {
            let begin = WorkDoneProgressBegin {
                title: format!("comparing {} with {}", self.game, self.variant),
                cancellable: Some(true),
                percentage: Some(0),
                ..WorkDoneProgressBegin::default()
            };
            own.say(&say, WorkDoneProgress::Begin(begin));
            let why = told.map_or_else(String::new, |told| own.follow(told, &say));
            own.say(&say, WorkDoneProgress::End(WorkDoneProgressEnd::default()));
            // Nobody listens any more if this cannot be said.
            let _ = say.send(own.result(&why, self.report));
        })?;
        Ok(running)
    }
}

impl Running {
    /// Nobody wants to know any more.
    pub fn end(&self) {
        self.ended.store(true, Ordering::SeqCst);
        let mut child = self.child.lock().unwrap_or_else(PoisonError::into_inner);
        // It may have come to its end by itself.
        let _ = child.kill();
    }

    fn say(&self, say: &Sender<Said>, progress: WorkDoneProgress) {
        let _ = say.send(Said::Progress(ProgressParams {
            token: self.token.clone(),
            value: ProgressParamsValue::WorkDone(progress),
        }));
    }

    /// Passes on how far it is; whatever else it says comes back.
    fn follow(&self, told: ChildStderr, say: &Sender<Said>) -> String {
        let mut rest = Vec::new();
        for line in BufReader::new(told).lines().map_while(Result::ok) {
            match how_far(&line) {
                Some((done, of)) => self.say(
                    say,
                    WorkDoneProgress::Report(WorkDoneProgressReport {
                        cancellable: Some(true),
                        message: Some(line),
                        percentage: Some((done * 100 / of.max(1)).min(100) as u32),
                    }),
                ),
                None => rest.push(line),
            }
        }
        rest.join("\n").trim().to_string()
    }

    fn result(&self, why: &str, report: PathBuf) -> Said {
        let mut child = self.child.lock().unwrap_or_else(PoisonError::into_inner);
        match child.wait() {
            _ if self.ended.load(Ordering::SeqCst) => {
                Said::Message(MessageType::INFO, "the comparison was left off".into())
            }
            Ok(status) if status.success() => Said::Page(report),
            Ok(_) => Said::Message(MessageType::ERROR, format!("cannot compare: {why}")),
            Err(error) => Said::Message(MessageType::ERROR, format!("cannot compare: {error}")),
        }
    }
}

/// `12/400, 8s left`
fn how_far(line: &str) -> Option<(u64, u64)> {
    let (done, of) = line.split_once(',')?.0.split_once('/')?;
    Some((done.parse().ok()?, of.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_far_it_is_stands_first_in_a_line() {
        assert_eq!(how_far("12/400, 8s left"), Some((12, 400)));
        assert_eq!(how_far("error: no such variant"), None);
        assert_eq!(how_far(""), None);
    }
}
