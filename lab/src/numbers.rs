//! Numbers as people read them: shares in percent, with as many places as mean something.

use crate::statistics::Estimate;
use ludoteca::Language;

/// `12.3 %`, or a plain number.
pub fn value(number: f64, share: bool) -> String {
    if share {
        format!("{} %", percent(number))
    } else {
        plain(number)
    }
}

/// What a share is in a hundred.
fn percent(share: f64) -> String {
    without_sign(format!("{:.1}", share * 100.0), "")
}

/// What is nothing once it is written has no sign, or the one that stands before nothing.
pub(crate) fn without_sign(written: String, of_nothing: &str) -> String {
    let digits = written.trim_start_matches('-');
    match written.len() > digits.len() && digits.chars().all(|c| matches!(c, '0' | '.')) {
        true => format!("{of_nothing}{digits}"),
        false => written,
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
        format!("{} .. {} %", percent(estimate.low), percent(estimate.high))
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

/// How large a difference is, whichever way it goes.
pub fn size(number: f64, share: bool) -> String {
    match share {
        true => format!("{:.1} pp", number * 100.0),
        false => plain(number),
    }
}

fn signed_plain(number: f64, share: bool) -> String {
    let written = if share {
        format!("{number:+.1}")
    } else if number.abs() >= 100.0 {
        format!("{number:+.0}")
    } else {
        format!("{number:+.2}")
    };
    without_sign(written, "+")
}

fn plain(number: f64) -> String {
    let written = match number.abs() {
        large if large >= 1000.0 => format!("{number:.0}"),
        middle if middle >= 100.0 => format!("{number:.1}"),
        _ => format!("{number:.2}"),
    };
    without_sign(written, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_has_no_minus() {
        assert_eq!(value(-0.0004, true), "0.0 %");
        assert_eq!(value(-0.001, false), "0.00");
        assert_eq!(value(-0.01, true), "-1.0 %");
        assert_eq!(signed(-0.0002, true), "+0.0 pp");
        assert_eq!(signed(-0.004, false), "+0.00");
        assert_eq!(signed(-12.0, false), "-12.00");
        let around = Estimate {
            value: 0.0,
            low: -0.0004,
            high: 0.02,
        };
        assert_eq!(interval(&around, true, Language::En), "0.0 .. 2.0 %");
        assert_eq!(
            signed_interval(&around, true, Language::En),
            "+0.0 .. +2.0 pp"
        );
    }
}
