//! Which lines of the rules run in scenarios, and which in random games only.

use ludoteca::{BrokenRule, Game, Luck, Match, Suite, scenario};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The lines of a game's rules, by file and line, and who reached each.
#[derive(Debug, Clone, Default)]
pub struct Coverage {
    pub lines: BTreeMap<(String, u32), CoveredLine>,
}

/// A line on which something happens.
#[derive(Debug, Clone, Default)]
pub struct CoveredLine {
    /// The function that begins here.
    pub function: Option<String>,
    /// The scenarios that reached it, by their number in the suite.
    pub scenarios: Vec<usize>,
    /// Whether a random game did.
    pub played: bool,
    /// None of the game's rules: what people are shown and bots think, or a function of a shared library that nothing here calls.
    pub foreign: bool,
}

/// Random games with each number of players that are played besides the scenarios.
const GAMES: u64 = 2;

impl Coverage {
    /// Runs the scenarios of a suite, which must have been read with [`Suite::read_covered`].
    pub fn of(suite: &Suite) -> Coverage {
        let mut coverage = Coverage::default();
        let mut budget = scenario::Allowance::default();
        for (number, entry) in suite.entries.iter().enumerate() {
            let (_, played) = scenario::run(&entry.scenario, entry.game.clone(), &mut budget);
            coverage.note(&entry.game, &played, |line| line.scenarios.push(number));
        }
        coverage.leave_out_foreign();
        coverage
    }

    /// Plays random games with every number of players the game allows.
    pub fn play(&mut self, game: &Arc<Game>) -> Result<(), BrokenRule> {
        let (fewest, most) = game.definition.players;
        for players in fewest..=most {
            for seed in 0..GAMES {
                let mut played = Match::new(game.clone(), players, seed);
                for seat in 0..players {
                    played.seat_random(seat, Luck::new(seat, seed));
                }
                played.advance()?;
                self.note(game, &played, |line| line.played = true);
            }
        }
        self.leave_out_foreign();
        Ok(())
    }

    fn note(&mut self, game: &Game, played: &Match, mark: impl Fn(&mut CoveredLine)) {
        let points = game.program.cover_points();
        let reached: BTreeSet<usize> = played.covered().collect();
        let others = NotRules::of(game);
        // A line with several points counts once.
        let mut marked: BTreeSet<(&str, u32)> = BTreeSet::new();
        for (number, point) in points.iter().enumerate() {
            let place = (point.path.clone(), point.line);
            let line = self.lines.entry(place).or_default();
            line.foreign |= others.have(&point.path, point.line);
            if point.function.is_some() {
                line.function.clone_from(&point.function);
            }
            if reached.contains(&number) && marked.insert((&point.path, point.line)) {
                mark(line);
            }
        }
    }

    /// Finds the functions of libraries that nothing calls, once everything has run.
    fn leave_out_foreign(&mut self) {
        let mut foreign = false;
        let shared = |path: &str| path.contains("scripts/lib/");
        let lines = self.lines.iter_mut().filter(|((path, _), _)| shared(path));
        for (_, line) in lines {
            // A closure has a name of several words.
            let name = line.function.as_ref();
            if name.is_some_and(|name| !name.contains(' ')) {
                foreign = !line.played && line.scenarios.is_empty();
            }
            line.foreign = foreign;
        }
    }

    /// The lines of scripts that belong to the game; effects written on cards stand apart.
    pub fn rules(&self) -> impl Iterator<Item = (&str, u32, &CoveredLine)> {
        let is_rule = |path: &str, line: &CoveredLine| path.ends_with(".rhai") && !line.foreign;
        let lines = self.lines.iter();
        lines
            .map(|((path, number), line)| (path.as_str(), *number, line))
            .filter(move |(path, _, line)| is_rule(path, line))
    }

    /// The lines of cards that say what they do.
    pub fn cards(&self) -> impl Iterator<Item = (&str, u32, &CoveredLine)> {
        let lines = self.lines.iter();
        lines
            .filter(|((path, _), _)| !path.ends_with(".rhai"))
            .map(|((path, number), line)| (path.as_str(), *number, line))
    }

    /// The last line of the rules with something on it at or before this one: it tells who runs what stands here.
    pub fn at(&self, path: &str, line: u32) -> Option<&CoveredLine> {
        let from = (path.to_string(), 0);
        let to = (path.to_string(), line);
        let last = self.lines.range(from..=to).next_back();
        last.map(|(_, line)| line)
    }
}

/// What stands in the scripts and is no rule: functions the kernel asks for the bots' opinion, for what people are shown, for what
/// must always be true and for mistakes in cards, and the files that hold nothing but such functions and what they need.
struct NotRules<'g> {
    /// Paths from `scripts/` on: a variant's file of the same name holds more of the same.
    files: BTreeSet<&'g str>,
    /// Files and the lines from one on, before another.
    functions: Vec<(&'g str, u32, u32)>,
}

impl<'g> NotRules<'g> {
    fn of(game: &'g Game) -> NotRules<'g> {
        let calls = &game.calls;
        let info = |function| game.program.info(function);
        let asked = [
            calls.evaluate,
            calls.prefer,
            calls.imagine,
            calls.note_option,
            calls.table_view,
            calls.table_view_for_prompt,
            calls.map_view,
            calls.map_view_for_prompt,
        ];
        let checks = calls.checks.iter().flatten();
        let listed = calls.metrics.iter().chain(&calls.invariants).chain(checks);
        let asked = asked.into_iter().flatten().chain(listed.copied());
        let steps = calls
            .setup
            .into_iter()
            .chain(calls.score)
            .chain(calls.ended);
        let steps = steps.chain(calls.phases.iter().copied());
        let steps: BTreeSet<&str> = steps.map(|step| inside(&info(step).path)).collect();
        let mut others = NotRules {
            files: BTreeSet::new(),
            functions: Vec::new(),
        };
        for function in asked.map(info) {
            let file = inside(&function.path);
            if !steps.contains(file) {
                others.files.insert(file);
                continue;
            }
            let after = game.program.functions().filter(|other| {
                !other.is_closure
                    && other.path == function.path
                    && other.span.start.line > function.span.start.line
            });
            let next = after
                .map(|other| other.span.start.line)
                .min()
                .unwrap_or(u32::MAX);
            others
                .functions
                .push((&function.path, function.span.start.line, next));
        }
        others
    }

    fn have(&self, path: &str, line: u32) -> bool {
        let asked =
            |(file, from, to): &(&str, u32, u32)| *file == path && (*from..*to).contains(&line);
        self.files.contains(inside(path)) || self.functions.iter().any(asked)
    }
}

/// The path inside its pack.
fn inside(path: &str) -> &str {
    path.rfind("scripts/").map_or(path, |at| &path[at..])
}
