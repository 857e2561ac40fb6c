//! Numbers as people read them: shares in percent, with as many places as mean something.

use crate::statistics::Estimate;
use ludoteca::Language;

/// `12.3 %`, or a plain number.
pub fn value(number: f64, share: bool) -> String {
    if share {
        format!("{:.1} %", number * 100.0)
    } else {
        plain(number)
    }
}

/// What stands in the place of an interval that too few numbers have.
fn too_few(language: Language) -> String {
    match language {
        Language::Es => "muy pocas".into(),
        Language::En => "too few".into(),
    }
}

/// `low .. high`
pub fn interval(estimate: &Estimate, share: bool, language: Language) -> String {
    if estimate.is_of_too_few() {
        return too_few(language);
    }
    if share {
        format!(
            "{:.1} .. {:.1} %",
            estimate.low * 100.0,
            estimate.high * 100.0
        )
    } else {
        format!("{} .. {}", plain(estimate.low), plain(estimate.high))
    }
}

/// A difference: always with its sign, and in percentage points if it is one of shares.
pub fn signed(number: f64, share: bool) -> String {
    if share {
        format!("{} pp", signed_plain(number * 100.0, true))
    } else {
        signed_plain(number, false)
    }
}

/// `low .. high` of a difference.
pub fn signed_interval(estimate: &Estimate, share: bool, language: Language) -> String {
    if estimate.is_of_too_few() {
        return too_few(language);
    }
    let scale = if share { 100.0 } else { 1.0 };
    let [low, high] = [estimate.low, estimate.high].map(|end| signed_plain(end * scale, share));
    let unit = if share { " pp" } else { "" };
    format!("{low} .. {high}{unit}")
}

fn signed_plain(number: f64, share: bool) -> String {
    if share {
        format!("{number:+.1}")
    } else if number.abs() >= 100.0 {
        format!("{number:+.0}")
    } else {
        format!("{number:+.2}")
    }
}

fn plain(number: f64) -> String {
    match number.abs() {
        large if large >= 1000.0 => format!("{number:.0}"),
        middle if middle >= 100.0 => format!("{number:.1}"),
        _ => format!("{number:.2}"),
    }
}
