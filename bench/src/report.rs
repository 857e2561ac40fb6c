//! What was measured beside what is aimed at, as a table or as JSON, and the floors below which nothing may fall.

use serde_json::{Map, Value as Json, json};

/// Which way is better.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Aim {
    AtLeast(f64),
    Below(f64),
    /// Told for comparison.
    None,
}

#[derive(Debug, Clone)]
struct ReportRow {
    key: String,
    what: String,
    here: f64,
    aim: Aim,
}

/// Ratios and counts that must hold on any machine, whatever else runs there.
const FLOORS: [(&str, Aim); 3] = [
    ("ratio_to_rust", Aim::AtLeast(0.45)),
    ("stopped_to_in_place", Aim::AtLeast(0.65)),
    ("stopped_allocations", Aim::Below(0.1)),
];

#[derive(Debug, Default)]
pub struct Report {
    rows: Vec<ReportRow>,
    quiet: bool,
}

impl Report {
    /// With `quiet` standard output stays free for JSON.
    pub fn new(quiet: bool) -> Report {
        Report {
            rows: Vec::new(),
            quiet,
        }
    }

    /// A line above the rows to come.
    pub fn heading(&self, text: &str) {
        self.say(&format!("\n{text}"));
    }

    pub fn say(&self, line: &str) {
        if self.quiet {
            eprintln!("{line}");
        } else {
            println!("{line}");
        }
    }

    pub fn add(&mut self, key: &str, what: &str, here: f64, aim: Aim) {
        let wanted = match aim {
            Aim::AtLeast(aim) => format!("aim {aim} or more{}", verdict(here >= aim)),
            Aim::Below(aim) => format!("aim below {aim}{}", verdict(here < aim)),
            Aim::None => String::new(),
        };
        self.say(&format!("  {what:58} {:>12}   {wanted}", shown(here)));
        self.rows.push(ReportRow {
            key: key.to_string(),
            what: what.to_string(),
            here,
            aim,
        });
    }

    pub fn json(&self) -> Json {
        let row = |row: &ReportRow| {
            let aim = match row.aim {
                Aim::AtLeast(aim) => json!({ "at_least": aim }),
                Aim::Below(aim) => json!({ "below": aim }),
                Aim::None => Json::Null,
            };
            (
                row.key.clone(),
                json!({ "what": row.what, "here": row.here, "aim": aim }),
            )
        };
        Json::Object(self.rows.iter().map(row).collect::<Map<_, _>>())
    }

    /// What fell below its floor, in words.
    pub fn fallen(&self) -> Vec<String> {
        let measured = |key: &str| self.rows.iter().find(|row| row.key == key);
        FLOORS
            .iter()
            .filter_map(|(key, floor)| {
                let row = measured(key)?;
                let holds = match floor {
                    Aim::AtLeast(least) => row.here >= *least,
                    Aim::Below(most) => row.here < *most,
                    Aim::None => true,
                };
                let said = format!("{}: {} ({floor:?})", row.what, shown(row.here));
                (!holds).then_some(said)
            })
            .collect()
    }
}

fn verdict(met: bool) -> &'static str {
    if met { ", met" } else { "" }
}

/// Three digits that count, more of them before the point.
fn shown(number: f64) -> String {
    match number.abs() {
        100.0.. => format!("{number:.0}"),
        10.0.. => format!("{number:.1}"),
        _ => format!("{number:.3}"),
    }
}
