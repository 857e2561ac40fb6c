//! What a person reads when the program itself is at fault. Libraries may panic and be caught; the command says one sentence and ends.

use crate::output::errln;
use crate::words::say;
use std::backtrace::{Backtrace, BacktraceStatus};
use std::panic::{self, PanicHookInfo};
use std::process::exit;

/// The exit code of a fault of ours, as Rust's own.
const FAULT: i32 = 101;

/// From now on a panic on any thread ends the command.
pub fn end_on_panic() {
    panic::set_hook(Box::new(|info| {
        errln!("error: {}", sentence(info));
        let trace = Backtrace::capture();
        if trace.status() == BacktraceStatus::Captured {
            errln!("{trace}");
        }
        exit(FAULT);
    }));
}

/// From now on a file that may not grow any more is an error of whoever writes it, and not the end of the command.
#[cfg(unix)]
pub fn go_on_where_files_end() {
    // SAFETY: a signal that is ignored runs nothing.
    unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
}

/// From now on a panic is told and ends nothing but the thread it is on: a server outlives one match.
pub fn go_on_after_panic() {
    panic::set_hook(Box::new(|info| errln!("error: {}", sentence(info))));
}

fn sentence(info: &PanicHookInfo) -> String {
    let what = info.payload_as_str().unwrap_or("something unexpected");
    let place = info.location().map_or_else(String::new, |place| {
        format!(" at {}:{}", place.file(), place.line())
    });
    say!(
        "esto es un fallo del propio ludoteca, por favor avisa: {what}{place}",
        "this is a fault of ludoteca itself, please report it: {what}{place}"
    )
}

#[cfg(test)]
mod tests {
    use super::{FAULT, end_on_panic};
    use std::process::Command;

    /// Run in a process of its own by the other test: it ends that process.
    #[test]
    #[ignore]
    fn panics_on_another_thread() {
        end_on_panic();
        let _ = std::thread::spawn(|| panic!("no such zone")).join();
    }

    #[test]
    fn a_panic_says_one_sentence_and_ends_the_command() {
        let own = std::env::current_exe().unwrap();
        let said = Command::new(own)
            .args(["panics_on_another_thread", "--ignored", "--nocapture"])
            .env_remove("RUST_BACKTRACE")
            .output()
            .unwrap();
        assert_eq!(said.status.code(), Some(FAULT));
        let words = String::from_utf8(said.stderr).unwrap();
        let (what, place) = words.rsplit_once(" at ").unwrap();
        assert_eq!(
            what,
            "error: this is a fault of ludoteca itself, please report it: no such zone"
        );
        assert!(place.contains("fault.rs:") && place.ends_with('\n') && place.lines().count() == 1);
    }
}
