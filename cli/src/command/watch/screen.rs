//! The screen: it stays where it is, and what changes on it changes in place. Without a terminal the same lines are written one below
//! the other whenever something new is known.

use super::round::{SIZE, named};
use super::state::{HowFar, MEASURES, Screenful, SharedState, lock};
use crate::output::write_out;
use crate::terminal::page::wrap_to;
use console::Term;
use ludoteca::Language;
use ludoteca_lab::compare::Difference;
use ludoteca_lab::numbers::{self, signed, signed_interval};
use std::io::IsTerminal;

/// Lines of errors shown on top, and failures below.
const ERROR_LINES: usize = 14;
const FAILURES: usize = 4;
/// So few lines of errors and measures are shown where there is no room for more.
const FEWEST_ERROR_LINES: usize = 2;
const FEWEST_MEASURES: usize = 2;
/// Rows kept for the verdict, so that what is below it stays where it is.
const VERDICT_ROWS: usize = 2;

const HOME: &str = "\x1b[H";
const REST_OF_LINE: &str = "\x1b[K";
const REST_OF_SCREEN: &str = "\x1b[J";
const CLEAR: &str = "\x1b[2J";
const STRONG: &str = "\x1b[1m";
const PLAIN: &str = "\x1b[0m";
const HIDE_CURSOR: &str = "\x1b[?25l";
const SHOW_CURSOR: &str = "\x1b[?25h";

pub struct Screen {
    language: Language,
    terminal: bool,
    begun: bool,
    shown: Vec<String>,
}

impl Screen {
    pub fn new(language: Language) -> Screen {
        Screen {
            language,
            terminal: std::io::stdout().is_terminal(),
            begun: false,
            shown: Vec::new(),
        }
    }

    /// Draws what is known, if it is not what is drawn already.
    pub fn show(&mut self, known: &SharedState) {
        let state = lock(known).clone();
        let (lines, _) = lines(&state, self.language, Shown::ALL);
        if lines == self.shown {
            return;
        }
        match self.terminal {
            true => self.draw(&state),
            false => write_out(format_args!("{}\n\n", lines.join("\n"))),
        }
        self.shown = lines;
    }

    /// Ends with the last picture on the screen, and the cursor below it.
    pub fn leave(&mut self, known: &SharedState) {
        if self.terminal {
            let state = lock(known).clone();
            self.draw(&state);
            write_out(format_args!("{SHOW_CURSOR}\n"));
        }
    }

    fn draw(&mut self, state: &Screenful) {
        let (height, width) = Term::stdout().size();
        let (height, width) = (height.max(4) as usize, width.max(20) as usize);
        let mut picture = String::new();
        if !self.begun {
            self.begun = true;
            picture.push_str(HIDE_CURSOR);
            picture.push_str(CLEAR);
        }
        picture.push_str(HOME);
        for (row, is_strong) in fitting(state, self.language, height - 1, width - 1) {
            match is_strong {
                true => picture.push_str(&format!("{STRONG}{row}{PLAIN}")),
                false => picture.push_str(&row),
            }
            picture.push_str(REST_OF_LINE);
            picture.push('\n');
        }
        picture.push_str(REST_OF_SCREEN);
        write_out(format_args!("{picture}"));
    }
}

/// How much is shown of what may be long.
#[derive(Clone, Copy)]
struct Shown {
    errors: usize,
    measures: usize,
}

impl Shown {
    const ALL: Shown = Shown {
        errors: ERROR_LINES,
        measures: MEASURES,
    };

    /// A line less, as long as there is one to spare.
    fn less(self) -> Option<Shown> {
        if self.errors > FEWEST_ERROR_LINES {
            let errors = self.errors - 1;
            return Some(Shown { errors, ..self });
        }
        (self.measures > FEWEST_MEASURES).then(|| Shown {
            measures: self.measures - 1,
            ..self
        })
    }
}

/// The rows of a picture of this size: errors and measures make room for what stands below them.
fn fitting(
    state: &Screenful,
    language: Language,
    height: usize,
    width: usize,
) -> Vec<(String, bool)> {
    let mut shown = Shown::ALL;
    loop {
        let (lines, verdict) = lines(state, language, shown);
        let mut rows = rows(&lines, verdict, width);
        match shown.less().filter(|_| rows.len() > height) {
            Some(less) => shown = less,
            None => {
                rows.truncate(height);
                return rows;
            }
        }
    }
}

/// The lines as rows of a screen, and which of them are strong. The verdict is read to its end; other lines are cut.
fn rows(lines: &[String], verdict: usize, width: usize) -> Vec<(String, bool)> {
    let mut rows: Vec<(String, bool)> = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        if number != verdict {
            let row: String = line.chars().take(width).collect();
            rows.push((row, number == 0));
            continue;
        }
        let mut sentence = wrap_to(line, 0, width);
        sentence.resize(sentence.len().max(VERDICT_ROWS), String::new());
        rows.extend(sentence.into_iter().map(|row| (row, true)));
    }
    rows
}

/// Words in the reader's language.
fn said<'w>(language: Language, es: &'w str, en: &'w str) -> &'w str {
    match language {
        Language::Es => es,
        Language::En => en,
    }
}

/// Everything that is said, and which line of it is the verdict.
fn lines(state: &Screenful, language: Language, shown: Shown) -> (Vec<String>, usize) {
    let mut lines = Vec::new();
    if let Some(broken) = &state.broken {
        let told = said(
            language,
            "esto no se puede jugar; debajo, lo último que se pudo:",
            "this cannot be played; below is the last that could:",
        );
        lines.push(told.to_string());
        let errors: Vec<&str> = broken.lines().collect();
        lines.extend(
            errors
                .iter()
                .take(shown.errors)
                .map(|line| line.to_string()),
        );
        if errors.len() > shown.errors {
            lines.push(format!(
                ".. {}",
                said(
                    language,
                    "y más; `ludoteca check` lo dice todo",
                    "and more; `ludoteca check` says all of it"
                )
            ));
        }
        lines.push(String::new());
    }
    let first = lines.len();
    lines.push(verdict(state, language));
    lines.push(headline(state, language));
    lines.push(String::new());
    if !state.changes.is_empty() {
        lines.extend(state.changes.iter().map(|change| format!("  {change}")));
        lines.push(String::new());
    }
    if let HowFar::Growing { differences, .. } = &state.compared {
        let of_row = |row: &String| differences.iter().find(|one| one.name == *row);
        let found: Vec<&Difference> = state.rows.iter().filter_map(of_row).collect();
        lines.extend(measures(&found, shown.measures, language));
        lines.push(String::new());
    }
    lines.extend(scenarios(state, language));
    lines.extend(checked(state, language, shown.errors));
    lines.push(footer(state, language));
    (lines, first)
}

/// What is played against what.
fn headline(state: &Screenful, language: Language) -> String {
    let other = match named(&state.against) {
        Some(name) => name.to_string(),
        None => said(
            language,
            "como estaba al empezar",
            "as it was when this began",
        )
        .to_string(),
    };
    let against = said(language, "contra", "against");
    format!("{}: {} {against} {other}", state.game, state.played)
}

/// The sentence that comes first.
fn verdict(state: &Screenful, language: Language) -> String {
    let (done, wanted, differences) = match &state.compared {
        HowFar::Waiting => return said(language, "cargando ..", "loading ..").to_string(),
        HowFar::Same => {
            let told = said(
                language,
                "nada ha cambiado aún: guarda un archivo y aquí se verá qué hace",
                "nothing has changed yet: save a file, and this says what it does",
            );
            return told.to_string();
        }
        HowFar::Broke(why) => {
            let told = said(language, "una partida se rompió", "a game broke");
            return format!("{told}: {}", why.lines().next().unwrap_or_default());
        }
        HowFar::Growing {
            done,
            wanted,
            differences,
        } => (done, wanted, differences),
    };
    let after = match language {
        Language::Es => format!("tras {done} de {wanted} partidas"),
        Language::En => format!("after {done} of {wanted} games"),
    };
    let seen: Vec<&Difference> = differences.iter().filter(|one| one.seen).collect();
    if seen.is_empty() {
        let enough = differences
            .iter()
            .all(|one| one.needed.is_none_or(|needed| needed <= *done));
        let told = match enough && *done == *wanted {
            true => said(
                language,
                "no cambia nada que se note",
                "it changes nothing that shows",
            ),
            false => said(
                language,
                "aún no se ve ninguna diferencia",
                "no difference is seen yet",
            ),
        };
        let size = SIZE * 100.0;
        let needed = differences.iter().filter_map(|one| one.needed).max();
        let needed = needed
            .filter(|needed| needed > done)
            .map(|needed| match language {
                Language::Es => {
                    format!("; ver una del {size:.0} % en todo pide unas {needed} partidas")
                }
                Language::En => {
                    format!("; to see one of {size:.0} % in everything takes some {needed} games")
                }
            });
        return format!("{after}: {told}{}", needed.unwrap_or_default());
    }
    let told: Vec<String> = seen
        .iter()
        .take(3)
        .map(|one| moved(one, language))
        .collect();
    let more = match seen.len().saturating_sub(3) {
        0 => String::new(),
        more => match language {
            Language::Es => format!("; y {more} más"),
            Language::En => format!("; and {more} more"),
        },
    };
    format!("{after}: {}{more}", told.join("; "))
}

/// The first measures that were compared, while they grow.
fn measures(found: &[&Difference], most: usize, language: Language) -> Vec<String> {
    let shown = &found[..found.len().min(most)];
    let names = shown
        .iter()
        .map(|difference| difference.name.chars().count());
    let wide = names.max().unwrap_or(0);
    let [measure, was, is, change, between] = match language {
        Language::Es => ["medida", "era", "es", "cambio", "intervalo 95 %"],
        Language::En => ["measure", "was", "is", "change", "95 % interval"],
    };
    let mut lines = vec![format!(
        "{measure:wide$} {was:>8} {is:>8} {change:>9} {between:>17}"
    )];
    for difference in shown {
        let share = difference.share;
        let mark = match difference.seen {
            true => said(language, "cambia", "differs"),
            false => "",
        };
        lines.push(format!(
            "{:wide$} {:>8} {:>8} {:>9} {:>17}  {mark}",
            difference.name,
            numbers::value(difference.first, share),
            numbers::value(difference.second, share),
            signed(difference.difference.value, share),
            signed_interval(&difference.difference, share, language),
        ));
    }
    lines
}

/// "rounds goes down from 12.0 to 10.5"
fn moved(one: &Difference, language: Language) -> String {
    let up = one.difference.value > 0.0;
    let name = match language {
        Language::Es => &one.text.es,
        Language::En => &one.text.en,
    };
    let name = if name.is_empty() { &one.name } else { name };
    let way = match up {
        true => said(language, "sube", "goes up"),
        false => said(language, "baja", "goes down"),
    };
    let (from, to) = (said(language, "de", "from"), said(language, "a", "to"));
    let value = |value: f64| numbers::value(value, one.share);
    format!(
        "{name} {way} {from} {} {to} {}",
        value(one.first),
        value(one.second)
    )
}

fn scenarios(state: &Screenful, language: Language) -> Vec<String> {
    let all = &state.scenarios;
    if all.all == 0 {
        return vec![said(language, "sin escenarios", "no scenarios").to_string()];
    }
    let held = all.run - all.failed.len();
    let (total, touched) = (all.all, all.touched);
    let mut lines = vec![match language {
        Language::Es => format!(
            "escenarios: {held} de {} se cumplen, de {total}; primero los {touched} que el cambio puede tocar",
            all.run
        ),
        Language::En => format!(
            "scenarios: {held} of {} hold, of {total}; first the {touched} that the change can touch",
            all.run
        ),
    }];
    lines.extend(
        all.failed
            .iter()
            .take(FAILURES)
            .map(|told| format!("  {told}")),
    );
    if all.failed.len() > FAILURES {
        lines.push(format!("  .. {}", all.failed.len() - FAILURES));
    }
    lines
}

fn checked(state: &Screenful, language: Language, most: usize) -> Vec<String> {
    let Some(checked) = &state.checked else {
        return vec![said(language, "comprobando ..", "checking ..").to_string()];
    };
    let (errors, warnings) = (checked.errors, checked.warnings);
    let mut lines = vec![match language {
        Language::Es => format!("comprobación: {errors} errores, {warnings} avisos"),
        Language::En => format!("check: {errors} errors, {warnings} warnings"),
    }];
    let told = checked.told.lines().take(most);
    lines.extend(told.map(|line| format!("  {line}")));
    lines
}

fn footer(state: &Screenful, language: Language) -> String {
    let saved = match &state.saved[..] {
        [] => said(language, "nada guardado aún", "nothing saved yet").to_string(),
        [one] => format!("{}: {one}", said(language, "guardado", "saved")),
        [one, more @ ..] => format!(
            "{}: {one} (+{})",
            said(language, "guardado", "saved"),
            more.len()
        ),
    };
    let figures = state.first_figures.map(|after| {
        let told = said(language, "primeras cifras a los", "first figures after");
        format!(" · {told} {:.1} s", after.as_secs_f64())
    });
    let ends = said(language, "Ctrl-C termina", "Ctrl-C ends");
    format!("{saved}{} · {ends}", figures.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_make_room_for_what_stands_below_them() {
        let told = |count: usize| {
            (0..count)
                .map(|n| format!("error {n}\n"))
                .collect::<String>()
        };
        let state = Screenful {
            broken: Some(told(40)),
            checked: Some(crate::command::watch::state::Checked {
                errors: 1,
                warnings: 0,
                told: told(9),
            }),
            ..Screenful::default()
        };
        for height in [60, 29, 14] {
            let rows = fitting(&state, Language::En, height, 79);
            assert!(rows.len() <= height, "{height}: {rows:?}");
            let last = rows.last().map(|(row, _)| row.as_str());
            assert_eq!(last, Some("nothing saved yet · Ctrl-C ends"), "{height}");
            let has = |words: &str| rows.iter().any(|(row, _)| row.contains(words));
            assert!(
                has("error 0") && has("check: 1 errors"),
                "{height}: {rows:?}"
            );
        }
    }

    #[test]
    fn the_verdict_is_read_to_its_end_and_what_is_below_stays_where_it_is() {
        let screen = |verdict: &str| {
            let lines = [
                "broken".to_string(),
                verdict.to_string(),
                "a b c d e f".into(),
            ];
            rows(&lines, 1, 10)
        };
        let told = |rows: Vec<(String, bool)>| -> Vec<String> {
            let marked =
                |(row, strong): (String, bool)| format!("{}{row}", if strong { "*" } else { "" });
            rows.into_iter().map(marked).collect()
        };
        let short = told(screen("loading .."));
        assert_eq!(short, ["*broken", "*loading ..", "*", "a b c d e "]);
        let long = told(screen("rounds go down"));
        assert_eq!(long, ["*broken", "*rounds go", "*down", "a b c d e "]);
    }
}
