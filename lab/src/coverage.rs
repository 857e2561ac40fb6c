//! Which lines of the rules run in scenarios, and which in random games only.

use ludoteca::bots;
use ludoteca::play::matches::{BrokenRule, Match};
use ludoteca::play::scenario::{self, Suite};
use ludoteca::script::game::Game;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The lines of a game's rules, by file and line, and who reached each.
#[derive(Debug, Clone, Default)]
pub struct Coverage {
    pub lines: BTreeMap<(String, u32), Line>,
}

/// A line on which something happens.
#[derive(Debug, Clone, Default)]
pub struct Line {
    /// The function that begins here.
    pub function: Option<String>,
    /// The scenarios that reached it, by their number in the suite.
    pub scenarios: Vec<usize>,
    /// Whether a random game did.
    pub played: bool,
}

impl Line {
    pub fn is_reached(&self) -> bool {
        self.played || !self.scenarios.is_empty()
    }
}

/// Random games with each number of players that are played besides the scenarios.
const GAMES: u64 = 2;

impl Coverage {
    /// Runs the scenarios of a suite, which must have been read with [`Suite::read_covered`].
    pub fn of(suite: &Suite) -> Coverage {
        let mut coverage = Coverage::default();
        for (number, entry) in suite.entries.iter().enumerate() {
            let (_, played) = scenario::run_within(&entry.scenario, entry.game.clone(), None);
            coverage.note(&entry.game, &played, |line| line.scenarios.push(number));
        }
        coverage
    }

    /// Plays random games with every number of players the game allows.
    pub fn play(&mut self, game: &Arc<Game>) -> Result<(), BrokenRule> {
        let (fewest, most) = game.definition.players;
        for players in fewest..=most {
            for seed in 0..GAMES {
                let mut played = Match::new(game.clone(), players, seed);
                for seat in 0..players {
                    played.seat_random(seat, bots::luck(seat, seed));
                }
                played.advance()?;
                self.note(game, &played, |line| line.played = true);
            }
        }
        Ok(())
    }

    fn note(&mut self, game: &Game, played: &Match, mark: impl Fn(&mut Line)) {
        let points = game.program.cover_points();
        let reached: BTreeSet<usize> = played.covered().collect();
        let others = not_rules(game);
        // A line with several points counts once.
        let mut marked: BTreeSet<(&str, u32)> = BTreeSet::new();
        for (number, point) in points.iter().enumerate() {
            if others.contains(point.path.as_str()) {
                continue;
            }
            let line = self
                .lines
                .entry((point.path.clone(), point.line))
                .or_default();
            if point.function.is_some() {
                line.function.clone_from(&point.function);
            }
            if reached.contains(&number) && marked.insert((&point.path, point.line)) {
                mark(line);
            }
        }
    }

    /// Lines nobody reached, or no scenario if `play` does not count.
    pub fn unreached(&self, play: bool) -> impl Iterator<Item = (&str, u32, &Line)> {
        let reached = move |line: &Line| !line.scenarios.is_empty() || play && line.played;
        let lines = self.lines.iter().filter(move |(_, line)| !reached(line));
        lines.map(|((path, number), line)| (path.as_str(), *number, line))
    }

    /// The scenarios that run a line: those that reach the last point at or before it.
    pub fn reaching(&self, path: &str, line: u32) -> &[usize] {
        let from = (path.to_string(), 0);
        let to = (path.to_string(), line);
        let last = self.lines.range(from..=to).next_back();
        last.map_or(&[], |(_, line)| &line.scenarios)
    }
}

/// Script files that are no rules: those with functions the kernel asks for the bots' opinion, for what people are shown and for
/// what must always be true, and with no step of the game.
pub fn not_rules(game: &Game) -> BTreeSet<&str> {
    let calls = &game.calls;
    let path = |function| game.program.info(function).path.as_str();
    let asked = [
        calls.evaluate,
        calls.imagine,
        calls.note_option,
        calls.table_view,
        calls.table_view_for_prompt,
    ];
    let listed = calls.metrics.iter().chain(&calls.invariants).copied();
    let steps = calls.setup.into_iter().chain(calls.score);
    let steps = steps.chain(calls.phases.iter().copied());
    let steps: BTreeSet<&str> = steps.map(path).collect();
    let asked = asked.into_iter().flatten().chain(listed).map(path);
    asked.filter(|path| !steps.contains(path)).collect()
}
