//! How far something has come, for whoever waits at a terminal longer than a moment, and how much longer it will take.

use crate::words::{say, word};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle, TermLike};
use std::io::{self, Write};
use std::time::Duration;

/// Of so many things.
pub fn of(count: usize, things: &str) -> ProgressBar {
    let bar = ProgressBar::new(count as u64);
    let template = say!(
        "{{bar:30}} {{pos}}/{{len}} {things}  faltan {{eta}}",
        "{{bar:30}} {{pos}}/{{len}} {things}  {{eta}} left"
    );
    styled(bar, &template)
}

/// Of a number nobody knows beforehand.
pub fn unknown(things: &str) -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    bar.enable_steady_tick(Duration::from_millis(200));
    let template = say!(
        "{{spinner}} {{human_pos}} {things} en {{elapsed}}",
        "{{spinner}} {{human_pos}} {things} in {{elapsed}}"
    );
    styled(bar, &template)
}

/// While one thing is done that nobody can look into.
pub fn busy(with: &str) -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    bar.enable_steady_tick(Duration::from_millis(200));
    styled(bar, &format!("{{spinner}} {with}, {{elapsed}}"))
}

/// Shows a bar as a template says. A program that waits in somebody's place asks for plain lines with `LUDOTECA_PROGRESS=lines`.
pub fn styled(bar: ProgressBar, template: &str) -> ProgressBar {
    let as_lines = std::env::var_os("LUDOTECA_PROGRESS").is_some_and(|how| how == "lines");
    let template = match as_lines {
        true => word!("{pos}/{len}, faltan {eta}", "{pos}/{len}, {eta} left"),
        false => template,
    };
    if as_lines {
        bar.set_draw_target(ProgressDrawTarget::term_like_with_hz(Box::new(Lines), 2));
    }
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}

/// Every picture of a bar as a line of its own.
#[derive(Debug)]
struct Lines;

impl TermLike for Lines {
    fn width(&self) -> u16 {
        80
    }

    fn move_cursor_up(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_down(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_right(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_left(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        self.write_str(text)
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        match text.trim() {
            "" => Ok(()),
            text => writeln!(io::stderr(), "{text}"),
        }
    }

    fn clear_line(&self) -> io::Result<()> {
        Ok(())
    }

    fn flush(&self) -> io::Result<()> {
        Ok(())
    }
}
