//! The screen: it stays where it is, and what changes on it changes in place. Without a terminal the same lines are written one below
//! the other whenever something new is known.

use super::round::{SIZE, named};
use super::state::{Figures, HowFar, Screenful, SharedState, lock};
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
/// Measures that are written where there is no screen to fill.
const MEASURES: usize = 10;
/// So few lines of measures and errors are shown where there is no room for more.
const FEWEST_MEASURES: usize = 2;
const FEWEST_ERROR_LINES: usize = 2;
/// So few columns of a measure's name are shown.
const NARROWEST_NAME: usize = 12;
/// What stands behind the name of a measure.
const COLUMNS: usize = 55;
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
    shown: Vec<Line>,
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
        let lines = lines(&state, self.language, Shown::ALL);
        if lines == self.shown {
            return;
        }
        match self.terminal {
            true => self.draw(&state),
            false => {
                let lines = written(&state, self.language);
                write_out(format_args!("{}\n\n", lines.join("\n")));
            }
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

/// A line of what is said.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Line {
    /// What comes first: read to its end, and what is below stays where it is.
    Verdict(String),
    /// Read to its end.
    Told(String),
    /// The same, and strong.
    Headline(String),
    /// Cut where the screen ends: a piece of a file, or a row of figures.
    Cut(String),
    /// A measure: its name gives way to the figures behind it.
    Measured(String, String),
}

impl Line {
    fn gap() -> Line {
        Line::Cut(String::new())
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
        measures: usize::MAX,
    };

    /// A line less, as long as there is one to spare: what is wrong stays longest.
    fn less(self, state: &Screenful) -> Option<Shown> {
        let figures = state.figures.as_ref();
        let measures = figures.map_or(0, |figures| figures.differences.len());
        let measures = self.measures.min(measures);
        if measures > FEWEST_MEASURES {
            let measures = measures - 1;
            return Some(Shown { measures, ..self });
        }
        (self.errors > FEWEST_ERROR_LINES).then(|| Shown {
            errors: self.errors - 1,
            ..self
        })
    }
}

/// The lines as they are written where there is no screen.
fn written(state: &Screenful, language: Language) -> Vec<String> {
    let shown = Shown {
        measures: MEASURES,
        ..Shown::ALL
    };
    let lines = lines(state, language, shown);
    let width = names_width(&lines);
    let line = |line| match line {
        Line::Measured(name, figures) => format!("{name:width$} {figures}"),
        Line::Verdict(line) | Line::Told(line) | Line::Headline(line) | Line::Cut(line) => line,
    };
    lines.into_iter().map(line).collect()
}

/// The rows of a picture of this size: measures and errors make room for what stands below them.
fn fitting(
    state: &Screenful,
    language: Language,
    height: usize,
    width: usize,
) -> Vec<(String, bool)> {
    let mut shown = Shown::ALL;
    loop {
        let lines = lines(state, language, shown);
        let mut rows = rows(&lines, width);
        match shown.less(state).filter(|_| rows.len() > height) {
            Some(less) => shown = less,
            None => {
                rows.truncate(height);
                return rows;
            }
        }
    }
}

/// How wide the longest name of a measure is.
fn names_width(lines: &[Line]) -> usize {
    let names = lines.iter().map(|line| match line {
        Line::Measured(name, _) => name.chars().count(),
        _ => 0,
    });
    names.max().unwrap_or(0)
}

/// The lines as rows of a screen, and which of them are strong.
fn rows(lines: &[Line], width: usize) -> Vec<(String, bool)> {
    let cut = |line: &str, width: usize| -> String { line.chars().take(width).collect() };
    let widest = names_width(lines);
    let names = widest.min(width.saturating_sub(COLUMNS).max(NARROWEST_NAME));
    let mut rows: Vec<(String, bool)> = Vec::new();
    for line in lines {
        let (line, least, is_strong) = match line {
            Line::Verdict(line) => (line, VERDICT_ROWS, true),
            Line::Headline(line) => (line, 1, true),
            Line::Told(line) => (line, 1, false),
            Line::Cut(line) => {
                rows.push((cut(line, width), false));
                continue;
            }
            Line::Measured(name, figures) => {
                let name = match name.chars().count() > names {
                    true => cut(name, names - 1) + "…",
                    false => name.clone(),
                };
                rows.push((cut(&format!("{name:names$} {figures}"), width), false));
                continue;
            }
        };
        let indent = line.len() - line.trim_start().len();
        let indent = if indent > 0 { indent + 2 } else { 0 };
        let mut told = wrap_to(line, indent, width);
        told.resize(told.len().max(least), String::new());
        rows.extend(told.into_iter().map(|row| (cut(&row, width), is_strong)));
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

/// Everything that is said.
fn lines(state: &Screenful, language: Language, shown: Shown) -> Vec<Line> {
    let mut lines = Vec::new();
    if let Some(broken) = &state.broken {
        let told = said(
            language,
            "esto no se puede jugar; debajo, lo último que se pudo:",
            "this cannot be played; below is the last that could:",
        );
        lines.push(Line::Headline(told.to_string()));
        lines.extend(clipped(broken, shown.errors, ""));
        if broken.lines().count() > shown.errors {
            let more = said(
                language,
                "y más; `ludoteca check` lo dice todo",
                "and more; `ludoteca check` says all of it",
            );
            lines.push(Line::Told(format!(".. {more}")));
        }
        lines.push(Line::gap());
    }
    lines.push(Line::Verdict(verdict(state, language)));
    lines.push(Line::Told(headline(state, language)));
    lines.push(Line::gap());
    if !state.changes.is_empty() {
        let change = |change: &String| Line::Told(format!("  {change}"));
        lines.extend(state.changes.iter().map(change));
        lines.push(Line::gap());
    }
    if let Some(figures) = &state.figures {
        lines.extend(measures(figures, shown.measures, language));
        lines.push(Line::gap());
    }
    lines.extend(scenarios(state, language));
    lines.extend(checked(state, language, shown.errors));
    lines.push(Line::Told(footer(state, language)));
    lines
}

/// So many lines of what is wrong; of the first mistake always how it is mended.
fn clipped(told: &str, most: usize, indent: &str) -> Vec<Line> {
    let all: Vec<&str> = told.lines().collect();
    let is_help = |line: &&str| line.trim_start().starts_with("= help:");
    let first = all.iter().take_while(|line| !line.is_empty()).count();
    let help = all[..first].iter().position(is_help);
    let mut kept: Vec<&str> = all.iter().take(most).copied().collect();
    if let Some(help) = help.filter(|at| *at >= most)
        && let Some(last) = kept.last_mut()
    {
        *last = all[help];
    }
    // Pieces of a file are cut, as they stand below each other; sentences are read to their end.
    let is_sentence = |line: &str| !line.contains(" | ") && !line.ends_with(" |");
    let line = |line: &str| match is_sentence(line) {
        true => Line::Told(format!("{indent}{line}")),
        false => Line::Cut(format!("{indent}{line}")),
    };
    kept.into_iter().map(line).collect()
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
    let said = |es: &str, en: &str| said(language, es, en).to_string();
    match (&state.compared, &state.figures) {
        (HowFar::Growing, Some(figures)) => counted(figures, language),
        (HowFar::Growing | HowFar::Waiting, None) => said("cargando ..", "loading .."),
        (HowFar::Waiting, Some(_)) => said(
            "comparando ..; debajo, lo de antes de guardar",
            "comparing ..; below is what was before this save",
        ),
        (HowFar::Same, _) => said(
            "nada ha cambiado aún: guarda un archivo y aquí se verá qué hace",
            "nothing has changed yet: save a file, and this says what it does",
        ),
        (HowFar::Broke(why), figures) => {
            let told = said("una partida se rompió", "a game broke");
            let why = broken_where(why);
            match figures {
                None => format!("{told}: {why}"),
                Some(_) => {
                    let below = said(
                        "debajo, lo último que se contó",
                        "below is what was counted last",
                    );
                    format!("{told}: {why}; {below}")
                }
            }
        }
    }
}

/// Why a game broke, and in which line of the rules: the innermost, where one begins to look.
fn broken_where(why: &str) -> String {
    let mut lines = why.lines();
    let told = lines.next().unwrap_or_default();
    match lines.map(str::trim).find(|line| line.starts_with("in ")) {
        Some(place) => format!("{told}, {place}"),
        None => told.to_string(),
    }
}

/// What the figures say.
fn counted(figures: &Figures, language: Language) -> String {
    let Figures {
        done,
        wanted,
        differences,
    } = figures;
    let after = match language {
        Language::Es => format!("tras {done} de {wanted} partidas"),
        Language::En => format!("after {done} of {wanted} games"),
    };
    let mut seen: Vec<&Difference> = differences.iter().filter(|one| one.seen).collect();
    seen.sort_by(|one, other| one.likelihood.total_cmp(&other.likelihood));
    let surest =
        |one: &&Difference, other: &&Difference| one.likelihood.total_cmp(&other.likelihood);
    let unsure = differences
        .iter()
        .filter(|one| one.may_differ())
        .min_by(surest);
    if let (true, Some(unsure)) = (seen.is_empty(), unsure) {
        let name = named_measure(unsure, language);
        return match language {
            Language::Es => format!(
                "{after}: «{name}» quizá difiera; con todas las medidas juntas no es seguro"
            ),
            Language::En => format!(
                "{after}: “{name}” may differ; with all measures taken together it is not certain"
            ),
        };
    }
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

/// The measures that are shown: what differs, or may, has its place among them, and each stays where it is while it can.
fn chosen(found: &[Difference], most: usize) -> Vec<&Difference> {
    let rank = |one: &Difference| (one.seen, one.may_differ());
    let (first, rest) = found.split_at(found.len().min(most));
    let mut shown: Vec<&Difference> = first.iter().collect();
    for differs in rest.iter().filter(|one| one.seen || one.may_differ()) {
        let least = shown.iter().map(|one| rank(one)).min();
        let least = least.filter(|least| *least < rank(differs));
        if let Some(other) = shown.iter_mut().rfind(|one| Some(rank(one)) == least) {
            *other = differs;
        }
    }
    shown
}

/// What a measure is called.
fn named_measure(one: &Difference, language: Language) -> &str {
    let name = match language {
        Language::Es => &one.text.es,
        Language::En => &one.text.en,
    };
    if name.is_empty() { &one.name } else { name }
}

/// The measures that were compared, while they grow.
fn measures(figures: &Figures, most: usize, language: Language) -> Vec<Line> {
    let [measure, was, is, change, between] = match language {
        Language::Es => ["medida", "era", "es", "cambio", "intervalo 95 %"],
        Language::En => ["measure", "was", "is", "change", "95 % interval"],
    };
    let titles = format!("{was:>8} {is:>8} {change:>9} {between:>17}");
    let mut lines = vec![Line::Measured(measure.to_string(), titles)];
    for difference in chosen(&figures.differences, most) {
        let share = difference.share;
        let mark = match difference.seen {
            true => said(language, "cambia", "differs"),
            false => "",
        };
        let figures = format!(
            "{:>8} {:>8} {:>9} {:>17}  {mark}",
            numbers::value(difference.first, share),
            numbers::value(difference.second, share),
            signed(difference.difference.value, share),
            signed_interval(&difference.difference, share, language),
        );
        let name = named_measure(difference, language);
        lines.push(Line::Measured(name.to_string(), figures));
    }
    lines
}

/// "rounds goes down from 12.0 to 10.5"
fn moved(one: &Difference, language: Language) -> String {
    let up = one.difference.value > 0.0;
    let name = named_measure(one, language);
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

fn scenarios(state: &Screenful, language: Language) -> Vec<Line> {
    let all = &state.scenarios;
    if all.all == 0 {
        let told = match all.read {
            true => said(language, "sin escenarios", "no scenarios"),
            false => said(
                language,
                "leyendo los escenarios ..",
                "reading the scenarios ..",
            ),
        };
        return vec![Line::Told(told.to_string())];
    }
    let held = all.run - all.failed.len();
    let (total, touched) = (all.all, all.touched);
    let mut lines = vec![Line::Told(match language {
        Language::Es => format!(
            "escenarios: {held} de {} se cumplen, de {total}; primero los {touched} que el cambio puede tocar",
            all.run
        ),
        Language::En => format!(
            "scenarios: {held} of {} hold, of {total}; first the {touched} that the change can touch",
            all.run
        ),
    })];
    for [title, why] in all.failed.iter().take(FAILURES) {
        lines.push(Line::Told(format!("  {title}")));
        lines.push(Line::Told(format!("    {why}")));
    }
    if all.failed.len() > FAILURES {
        let more = all.failed.len() - FAILURES;
        lines.push(Line::Told(format!("  .. {more}")));
    }
    lines
}

fn checked(state: &Screenful, language: Language, most: usize) -> Vec<Line> {
    let Some(checked) = &state.checked else {
        let told = said(language, "comprobando ..", "checking ..");
        return vec![Line::Told(told.to_string())];
    };
    let (errors, warnings) = (checked.errors, checked.warnings);
    let count = |count: usize, one: &str, many: &str| {
        format!("{count} {}", if count == 1 { one } else { many })
    };
    let mut lines = vec![Line::Told(match language {
        Language::Es => format!(
            "comprobación: {}, {}",
            count(errors, "error", "errores"),
            count(warnings, "aviso", "avisos")
        ),
        Language::En => format!(
            "check: {}, {}",
            count(errors, "error", "errors"),
            count(warnings, "warning", "warnings")
        ),
    })];
    lines.extend(clipped(&checked.told, most, "  "));
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
    use crate::command::watch::state::Checked;
    use ludoteca::definition::Text;
    use ludoteca_lab::compare::Verdict;
    use ludoteca_lab::statistics::Estimate;

    /// A measure with its interval.
    fn measure(name: &str, (low, high): (f64, f64), seen: bool) -> Difference {
        Difference {
            name: name.to_lowercase(),
            text: Text {
                es: String::new(),
                en: name.to_string(),
            },
            share: false,
            pairs: 40,
            first: 10.0,
            second: 10.0 + (low + high) / 2.0,
            difference: Estimate {
                value: (low + high) / 2.0,
                low,
                high,
            },
            likelihood: if seen { 0.001 } else { 0.04 },
            shown: None,
            seen,
            verdict: if seen {
                Verdict::Differs
            } else {
                Verdict::Needs
            },
            needed: None,
            power: 0.5,
            size: 0.5,
            games: Vec::new(),
        }
    }

    fn figures(differences: Vec<Difference>) -> Option<Figures> {
        Some(Figures {
            done: 40,
            wanted: 40,
            differences,
        })
    }

    #[test]
    fn measures_and_errors_make_room_for_what_stands_below_them() {
        let told = |count: usize| {
            (0..count)
                .map(|n| format!("error {n}\n"))
                .collect::<String>()
        };
        let state = Screenful {
            broken: Some(format!("{}  = help: mend it\n\n{}", told(12), told(40))),
            figures: figures(vec![measure("Rounds", (-1.0, 1.0), false); 30]),
            checked: Some(Checked {
                errors: 1,
                warnings: 0,
                told: told(9),
            }),
            ..Screenful::default()
        };
        for height in [60, 29, 23, 18] {
            let rows = fitting(&state, Language::En, height, 79);
            assert!(rows.len() <= height, "{height}: {rows:?}");
            let last = rows.last().map(|(row, _)| row.as_str());
            assert_eq!(last, Some("nothing saved yet · Ctrl-C ends"), "{height}");
            let has = |words: &str| rows.iter().any(|(row, _)| row.contains(words));
            let all = ["error 0", "= help: mend it", "check: 1 error,", "Rounds"];
            for words in all {
                assert!(has(words), "{height}, {words}: {rows:?}");
            }
        }
    }

    #[test]
    fn the_verdict_is_read_to_its_end_and_what_is_below_stays_where_it_is() {
        let screen = |verdict: &str| {
            let lines = [
                Line::Headline("broken".to_string()),
                Line::Verdict(verdict.to_string()),
                Line::Cut("a b c d e f".into()),
                Line::Told("  a b c d e f".into()),
                Line::Measured("Wins of whoever begins".into(), "1 2".into()),
            ];
            rows(&lines, 13)
        };
        let told = |rows: Vec<(String, bool)>| -> Vec<String> {
            let marked =
                |(row, strong): (String, bool)| format!("{}{row}", if strong { "*" } else { "" });
            rows.into_iter().map(marked).collect()
        };
        let below = ["a b c d e f", "  a b c d e f", "Wins of who… "];
        let short = told(screen("loading .."));
        assert_eq!(short[..3], ["*broken", "*loading ..", "*"]);
        assert_eq!(short[3..], below);
        let long = told(screen("rounds go down"));
        assert_eq!(long[..3], ["*broken", "*rounds go", "*down"]);
        assert_eq!(long[3..], below);
    }

    #[test]
    fn a_measure_keeps_its_row_and_one_that_differs_gets_one() {
        let shown = |differ: &[usize], may: &[usize], most: usize| {
            let found = |n: usize| {
                let interval = if may.contains(&n) {
                    (1.0, 2.0)
                } else {
                    (-1.0, 1.0)
                };
                measure(&format!("M{n}"), interval, differ.contains(&n))
            };
            let found: Vec<Difference> = (0..6).map(found).collect();
            let names = chosen(&found, most).into_iter().map(|one| one.name.clone());
            names.collect::<Vec<_>>().join(" ")
        };
        for (differ, may, most, expected) in [
            (&[][..], &[][..], 9, "m0 m1 m2 m3 m4 m5"),
            (&[], &[], 3, "m0 m1 m2"),
            (&[1], &[], 3, "m0 m1 m2"),
            (&[2, 5], &[], 3, "m0 m5 m2"),
            (&[3, 4, 5], &[], 2, "m4 m3"),
            (&[], &[4], 3, "m0 m1 m4"),
            (&[5], &[1, 4], 3, "m5 m1 m4"),
        ] {
            let told = shown(differ, may, most);
            assert_eq!(told, expected, "{differ:?}, {may:?} of {most}");
        }
    }

    #[test]
    fn the_first_sentence_says_no_more_than_the_figures() {
        let apart = || measure("Decisions", (2.0, 20.0), false);
        let near = || measure("Rounds", (-1.0, 2.0), false);
        let seen = || measure("Length", (1.0, 3.0), true);
        let counted = [
            (
                vec![near()],
                "after 40 of 40 games: it changes nothing that shows",
            ),
            (
                vec![near(), apart()],
                "after 40 of 40 games: “Decisions” may differ; with all measures taken together it is not certain",
            ),
            (
                vec![apart(), seen()],
                "after 40 of 40 games: Length goes up from 10.00 to 12.00",
            ),
        ];
        for (differences, expected) in counted {
            let state = Screenful {
                compared: HowFar::Growing,
                figures: figures(differences),
                ..Screenful::default()
            };
            assert_eq!(verdict(&state, Language::En), expected);
        }
        let broke = || HowFar::Broke("game 3: index out of bounds".into());
        for (compared, figures, expected) in [
            (HowFar::Waiting, None, "loading .."),
            (
                HowFar::Waiting,
                figures(vec![near()]),
                "comparing ..; below is what was before this save",
            ),
            (broke(), None, "a game broke: game 3: index out of bounds"),
            (
                HowFar::Broke(
                    "game 3: division by zero\n  in share (scripts/fair/rules.rhai:4)\n  in turn (scripts/fair/rules.rhai:9)".into(),
                ),
                None,
                "a game broke: game 3: division by zero, in share (scripts/fair/rules.rhai:4)",
            ),
            (
                broke(),
                figures(vec![near()]),
                "a game broke: game 3: index out of bounds; below is what was counted last",
            ),
        ] {
            let keeps = figures.is_some();
            let state = Screenful {
                compared,
                figures,
                ..Screenful::default()
            };
            let written = written(&state, Language::En);
            assert_eq!(written[0], expected);
            let has = |words: &str| written.iter().any(|line| line.starts_with(words));
            assert_eq!(has("Rounds"), keeps, "{written:?}");
            assert!(has("reading the scenarios .."), "{written:?}");
        }
    }

    #[test]
    fn a_scenario_that_fails_says_what_did_not_hold() {
        let mut state = Screenful::default();
        state.scenarios.read = true;
        assert_eq!(
            scenarios(&state, Language::En),
            [Line::Told("no scenarios".into())]
        );
        state.scenarios = crate::command::watch::state::Scenarios {
            read: true,
            all: 2,
            run: 2,
            touched: 1,
            failed: vec![["Paid (a.toml:3:9)".into(), "line 8: 2, not 3".into()]],
        };
        let rows = rows(&scenarios(&state, Language::En), 60);
        let told: Vec<&str> = rows.iter().map(|(row, _)| row.as_str()).collect();
        assert_eq!(
            told[told.len() - 2..],
            ["  Paid (a.toml:3:9)", "    line 8: 2, not 3"]
        );
    }
}
