//! Parameters of a game that are varied: which, between what, in what steps.

use ludoteca::{definition::Definition, limits::VARIED_VALUES, nearest};
use serde::Serialize;

/// A parameter and the values it takes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Varied {
    pub key: String,
    pub values: Vec<i64>,
}

/// What is wrong with a parameter as written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadParameter {
    #[error("`{0}`: expected key, key=lo..hi or key=lo..hi:step, in whole numbers")]
    Unreadable(String),
    #[error("`{key}` is no parameter with a declared range; {hint}")]
    Unknown { key: String, hint: String },
    #[error("`{key}` goes from {low} to {high}; the game declares {min} to {max}")]
    Outside {
        key: String,
        low: i64,
        high: i64,
        min: i64,
        max: i64,
    },
    #[error("`{key}` has {count} values; at most {VARIED_VALUES} can be tried, take a larger step")]
    TooMany { key: String, count: i128 },
    #[error("`{0}` is named twice")]
    Twice(String),
}

/// Parameters named when none is close to what was written.
const NAMED: usize = 8;

fn hint(key: &str, known: &[String]) -> String {
    match nearest(key, known) {
        Some(close) => format!("did you mean `{close}`?"),
        None if known.is_empty() => "this game declares none".to_string(),
        None => {
            let more = if known.len() > NAMED { ", .." } else { "" };
            format!(
                "there are {}{more}",
                known[..known.len().min(NAMED)].join(", ")
            )
        }
    }
}

impl Varied {
    /// Reads `key`, `key=lo..hi` or `key=lo..hi:step` against what the game declares.
    pub fn read(written: &str, definition: &Definition) -> Result<Varied, BadParameter> {
        let (key, range) = match written.split_once('=') {
            Some((key, range)) => (key.trim(), Some(range.trim())),
            None => (written.trim(), None),
        };
        let (min, max) = declared(key, definition).ok_or_else(|| BadParameter::Unknown {
            key: key.to_string(),
            hint: hint(key, &names(definition)),
        })?;
        let unreadable = || BadParameter::Unreadable(written.to_string());
        let (low, high, step) = match range {
            None => (min, max, 1),
            Some(range) => read_range(range).ok_or_else(unreadable)?,
        };
        if low > high || step < 1 {
            return Err(unreadable());
        }
        if low < min || high > max {
            return Err(BadParameter::Outside {
                key: key.to_string(),
                low,
                high,
                min,
                max,
            });
        }
        let count = (high as i128 - low as i128) / step as i128 + 1;
        if count > VARIED_VALUES {
            let key = key.to_string();
            return Err(BadParameter::TooMany { key, count });
        }
        Ok(Varied {
            key: key.to_string(),
            values: (0..count as i64).map(|n| low + n * step).collect(),
        })
    }

    /// Reads several, each of them once.
    pub fn read_all(
        written: &[String],
        definition: &Definition,
    ) -> Result<Vec<Varied>, BadParameter> {
        let mut all: Vec<Varied> = Vec::new();
        for one in written {
            let read = Varied::read(one, definition)?;
            if all.iter().any(|other| other.key == read.key) {
                return Err(BadParameter::Twice(read.key));
            }
            all.push(read);
        }
        Ok(all)
    }
}

/// `lo..hi`, `lo..hi:step` or a single number.
fn read_range(range: &str) -> Option<(i64, i64, i64)> {
    let (ends, step) = match range.split_once(':') {
        Some((ends, step)) => (ends, step.trim().parse().ok()?),
        None => (range, 1),
    };
    let (low, high) = match ends.split_once("..") {
        Some((low, high)) => (low.trim().parse().ok()?, high.trim().parse().ok()?),
        None => {
            let only = ends.trim().parse().ok()?;
            (only, only)
        }
    };
    Some((low, high, step))
}

/// The range a game declares for a key.
fn declared(key: &str, definition: &Definition) -> Option<(i64, i64)> {
    let parameter = definition.parameters.iter().find(|p| p.name == key);
    let range = definition.ranges.iter().find(|range| range.key == key);
    parameter
        .map(|p| (p.min, p.max))
        .or_else(|| range.map(|range| (range.min, range.max)))
}

fn names(definition: &Definition) -> Vec<String> {
    let parameters = definition.parameters.iter().map(|p| p.name.clone());
    let ranges = definition.ranges.iter().map(|range| range.key.clone());
    parameters.chain(ranges).collect()
}

/// Every combination of the values, the last parameter changing fastest.
pub fn grid(varied: &[Varied]) -> Vec<Vec<i64>> {
    varied.iter().fold(vec![Vec::new()], |points, parameter| {
        points
            .iter()
            .flat_map(|point| {
                parameter.values.iter().map(move |&value| {
                    let mut longer = point.clone();
                    longer.push(value);
                    longer
                })
            })
            .collect()
    })
}

/// A point as settings.
pub fn settings(varied: &[Varied], point: &[i64]) -> Vec<(String, String)> {
    let pairs = varied.iter().zip(point);
    pairs
        .map(|(parameter, value)| (parameter.key.clone(), value.to_string()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludoteca::definition::{Parameter, TableRange};

    fn definition() -> Definition {
        Definition {
            parameters: vec![Parameter {
                is_flag: false,
                name: "hold".into(),
                value: 5,
                min: 2,
                max: 10,
                text: None,
            }],
            ranges: vec![TableRange {
                key: "prices.unit".into(),
                min: 0,
                max: 1_000_000,
            }],
            ..Definition::default()
        }
    }

    fn check(written: &str, expected: &str) {
        let found = match Varied::read(written, &definition()) {
            Ok(read) => format!("{:?}", read.values),
            Err(error) => error.to_string(),
        };
        assert_eq!(found, expected, "{written}");
    }

    #[test]
    fn parameters_as_written() {
        check("hold=2..6:2", "[2, 4, 6]");
        check("hold=2..5:2", "[2, 4]");
        check("hold = 3", "[3]");
        check("hold", "[2, 3, 4, 5, 6, 7, 8, 9, 10]");
        check("prices.unit=4..6", "[4, 5, 6]");
        check(
            "hold=1..6",
            "`hold` goes from 1 to 6; the game declares 2 to 10",
        );
        check(
            "hodl=2..6",
            "`hodl` is no parameter with a declared range; did you mean `hold`?",
        );
        for unreadable in ["hold=6..2", "hold=2..6:0", "hold=2-6", "hold=", "hold=2..x"] {
            let expected = format!(
                "`{unreadable}`: expected key, key=lo..hi or key=lo..hi:step, in whole numbers"
            );
            check(unreadable, &expected);
        }
        check(
            "prices.unit",
            "`prices.unit` has 1000001 values; at most 1000 can be tried, take a larger step",
        );
    }

    #[test]
    fn a_grid_has_every_combination() {
        let varied = ["hold=2..3", "prices.unit=0..1"].map(String::from);
        let varied = Varied::read_all(&varied, &definition()).unwrap();
        assert_eq!(grid(&varied), [[2, 0], [2, 1], [3, 0], [3, 1]]);
        let twice = ["hold", "hold=2..3"].map(String::from);
        assert_eq!(
            Varied::read_all(&twice, &definition()),
            Err(BadParameter::Twice("hold".into()))
        );
    }
}
