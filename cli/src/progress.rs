//! How far something has come, for whoever waits at a terminal longer than a moment, and how much longer it will take.

use crate::words::say;
use indicatif::{ProgressBar, ProgressStyle};
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

fn styled(bar: ProgressBar, template: &str) -> ProgressBar {
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}
