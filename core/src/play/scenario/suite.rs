//! Many files of scenarios: read, checked against their games, and run.

use super::file::{ScenarioFile, ScenarioSheet};
use super::keys::{Denied, SeenForms};
use super::prepare::prepare;
use super::prepared::Scenario;
use super::{Allowance, Unmet, run};
use crate::content::diagnostic::{Code, Diagnostic, Severity, guessing, sort};
use crate::content::file::Place;
use crate::content::library::{Library, LoadedSoFar, SETTING, Selection};
use crate::content::pack::LayerFile;
use crate::content::path::SCENARIOS;
use crate::content::read::reader::{Anything, At, Entries, Read, Reader};
use crate::content::tree::{Datum, Node};
use crate::script::load;
use crate::table::game::Game;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// Scenarios that were read, with the games they are about.
#[derive(Default)]
pub struct Suite {
    pub entries: Vec<Case>,
    /// How many could not be read; of a file that is no TOML nobody knows.
    pub unread: usize,
}

/// A scenario as written and as understood.
pub struct Case {
    pub sheet: Arc<ScenarioSheet>,
    pub place: Place,
    pub selection: Selection,
    pub game: Arc<Game>,
    pub scenario: Scenario,
}

impl Case {
    /// The same scenario for another game, if all it names is there.
    pub fn on(&self, game: &Arc<Game>) -> Option<Scenario> {
        let mut reader = Reader::default();
        let scenario = prepare(&self.sheet, &self.place, game, &mut reader);
        scenario.filter(|_| reader.problems.is_empty())
    }
}

/// A scenario that was run and what did not hold.
pub struct Tried {
    pub title: At<String>,
    pub failures: Vec<Unmet>,
}

type SeenByGame = BTreeMap<String, SeenForms>;
type Found = Result<Arc<Game>, Vec<Diagnostic>>;

/// What the games of scenarios are wanted for.
#[derive(Clone, Copy, PartialEq)]
enum Purpose {
    /// To look names up: what a scenario sets changes none, so a game is compiled once for all of its scenarios.
    Reading,
    Running,
    /// To run them, and tell which lines of the rules ran.
    Covering,
}

/// Each game as each scenario wants it, loaded once.
struct Games<'l> {
    library: &'l Library,
    purpose: Purpose,
    loaded: HashMap<(String, Selection), Found>,
    /// In how many ways each was loaded.
    ways: HashMap<String, usize>,
    /// What may still be loaded for all scenarios of the pack, in bytes, where that is limited.
    room: Option<usize>,
    /// What was loaded before.
    since: LoadedSoFar,
    /// Whether it was said that some are not read.
    told: bool,
    /// Games that somebody has compiled before.
    made: &'l [(Selection, Arc<Game>)],
    /// Whether anybody still wants to know: what is read after that is read for nobody.
    go_on: Option<&'l dyn Fn() -> bool>,
}

impl<'l> Games<'l> {
    fn new(library: &'l Library, purpose: Purpose) -> Games<'l> {
        Games {
            library,
            purpose,
            loaded: HashMap::new(),
            ways: HashMap::new(),
            room: None,
            since: library.taken(),
            told: false,
            made: &[],
            go_on: None,
        }
    }

    /// The game as a scenario at a place wants it.
    fn get(&mut self, id: &str, selection: &Selection, place: &Place) -> Found {
        let key = (id.to_string(), selection.clone());
        if let Some(known) = self.loaded.get(&key) {
            return known.clone();
        }
        if self.go_on.is_some_and(|go_on| !go_on()) {
            return Err(Vec::new());
        }
        let is_it =
            |(with, game): &&(Selection, Arc<Game>)| with == selection && game.definition.id == id;
        let found = match self.made.iter().find(is_it) {
            Some((_, game)) => Ok(game.clone()),
            None => {
                self.one_more_way(id, place)?;
                self.load(id, selection, place)
            }
        };
        self.loaded.insert(key, found.clone());
        found
    }

    /// Whether a game may be loaded in one more way.
    fn one_more_way(&mut self, id: &str, place: &Place) -> Result<(), Vec<Diagnostic>> {
        let ways = self.ways.entry(id.to_string()).or_default();
        let most = self.library.checked_loads(id);
        if *ways >= most {
            return Err(self.unread(
                format!("the scenarios play `{id}` in more than {most} ways"),
                place,
            ));
        }
        *ways += 1;
        Ok(())
    }

    /// Takes room for something that is loaded, if there is some left.
    fn make_room(&mut self, id: &str, cost: usize, place: &Place) -> Result<(), Vec<Diagnostic>> {
        let is_full = self.room == Some(0);
        self.room = self.room.map(|left| left.saturating_sub(cost));
        if is_full || !self.library.may_load_again(id, &self.since) {
            let message = "the scenarios of this pack play games in more ways than are loaded";
            return Err(self.unread(message.to_string(), place));
        }
        Ok(())
    }

    /// Says once, at the first of them, that scenarios are not read. Whoever would run them must know; that not all were looked at makes
    /// none of them wrong.
    fn unread(&mut self, message: String, place: &Place) -> Vec<Diagnostic> {
        if std::mem::replace(&mut self.told, true) {
            return Vec::new();
        }
        let mut found = Diagnostic::new(Code::OutOfRange, message)
            .labelled(place, "not read, as others after it");
        if self.purpose == Purpose::Reading {
            found.severity = Severity::Warning;
        }
        vec![
            found.help(
                "fewer different `set` and `variants` among them, or fewer games in one pack",
            ),
        ]
    }

    fn load(&mut self, id: &str, selection: &Selection, place: &Place) -> Found {
        let library = self.library;
        let (whole, merged) = (library.load_cost(id), library.merge_cost(id));
        if self.purpose == Purpose::Reading && !selection.set.is_empty() {
            let unset = Selection {
                variants: selection.variants.clone(),
                ..Selection::default()
            };
            // What is set mends no broken game.
            let like = self.get(id, &unset, place)?;
            self.make_room(id, merged, place)?;
            if let Some(read) = load::load_to_be_read(library, id, selection, &like)? {
                return Ok(read);
            }
        }
        self.make_room(id, whole, place)?;
        match self.purpose {
            Purpose::Covering => load::load_covered(library, id, selection),
            _ => load::load_one_by_one(library, id, selection),
        }
    }
}

impl Suite {
    /// Reads files of scenarios. What is wrong with them is told at once; what is sound can be run.
    pub fn read(library: &Library, items: &[LayerFile]) -> (Suite, Vec<Diagnostic>) {
        Suite::read_for(Purpose::Running, library, items)
    }

    /// What is wrong with files of scenarios, for whoever has compiled some sound games of the library already. Nothing is run, and of a pack
    /// that is not ours no more is loaded than there is room for.
    pub(crate) fn problems(
        library: &Library,
        items: &[LayerFile],
        made: &[(Selection, Arc<Game>)],
        room: Option<usize>,
        since: &LoadedSoFar,
    ) -> Vec<Diagnostic> {
        let mut games = Games {
            made,
            room,
            since: since.clone(),
            ..Games::new(library, Purpose::Reading)
        };
        Suite::read_with(&mut games, items).1
    }

    /// The same of one game's scenarios for whoever may want to leave off between two ways of playing it that are not compiled yet, and
    /// to know them the next time.
    pub fn problems_while(
        library: &Library,
        items: &[LayerFile],
        made: &mut Vec<(Selection, Arc<Game>)>,
        go_on: &dyn Fn() -> bool,
    ) -> Option<Vec<Diagnostic>> {
        let mut games = Games {
            made,
            go_on: Some(go_on),
            ..Games::new(library, Purpose::Reading)
        };
        let (_, problems) = Suite::read_with(&mut games, items);
        let loaded = std::mem::take(&mut games.loaded).into_iter();
        let new = loaded.filter_map(|((_, selection), found)| Some((selection, found.ok()?)));
        let new: Vec<_> = new
            .filter(|(with, _)| !made.iter().any(|(known, _)| known == with))
            .collect();
        made.extend(new);
        go_on().then_some(problems)
    }

    /// The same, with games that tell which of their lines ran.
    pub fn read_covered(library: &Library, items: &[LayerFile]) -> (Suite, Vec<Diagnostic>) {
        Suite::read_for(Purpose::Covering, library, items)
    }

    fn read_for(
        purpose: Purpose,
        library: &Library,
        items: &[LayerFile],
    ) -> (Suite, Vec<Diagnostic>) {
        Suite::read_with(&mut Games::new(library, purpose), items)
    }

    fn read_with(games: &mut Games<'_>, items: &[LayerFile]) -> (Suite, Vec<Diagnostic>) {
        let _guesses = guessing();
        let mut suite = Suite::default();
        let mut problems = Vec::new();
        for item in items {
            suite.read_file(item, games, &mut problems);
        }
        sort(&mut problems);
        (suite, problems)
    }

    fn read_file(
        &mut self,
        item: &LayerFile,
        games: &mut Games<'_>,
        problems: &mut Vec<Diagnostic>,
    ) {
        problems.extend(item.problems().iter().cloned());
        let Some(tree) = item.tree().filter(|_| item.problems().is_empty()) else {
            return;
        };
        let mut reader = Reader::default();
        let file = ScenarioFile::read(tree, &mut reader);
        if let Some(file) = file
            && let (Some(game), Some(sheets)) = (file.game.0, file.scenario.0)
        {
            check_folder(&game, games.library, &mut reader);
            if sheets.is_empty() {
                let problem = Diagnostic::new(Code::MissingKey, "the file has no scenarios");
                reader.report(problem.at(&Place::top(&item.file)));
            }
            for At { value, place } in sheets {
                let before = reader.problems.len();
                let entry = entry(&game, value.value, place, games, &mut reader);
                let sound = value.sound && reader.problems.len() == before && !reader.is_full();
                match entry.filter(|_| sound) {
                    Some(entry) => self.entries.push(entry),
                    None => self.unread += 1,
                }
            }
        }
        problems.append(&mut reader.problems);
    }

    /// Runs all scenarios. Whoever says that something is not offered must say it of a key that the prompt could offer; if these
    /// scenarios do not show that it could, the game's others in the library are asked.
    pub fn run(&self, library: &Library) -> Vec<Tried> {
        self.run_telling(library, || ())
    }

    /// The same, and says when each is done.
    pub fn run_telling(&self, library: &Library, mut done: impl FnMut()) -> Vec<Tried> {
        let mut seen = SeenByGame::new();
        let mut denied: Vec<(usize, Denied)> = Vec::new();
        let mut tried = Vec::with_capacity(self.entries.len());
        let mut budget = Allowance::default();
        for (number, entry) in self.entries.iter().enumerate() {
            let (report, _) = run(&entry.scenario, entry.game.clone(), &mut budget);
            let game = entry.game.definition.id.clone();
            seen.entry(game).or_default().add(report.seen);
            denied.extend(report.denied.into_iter().map(|denied| (number, denied)));
            tried.push(Tried {
                title: entry.scenario.title.clone(),
                failures: report.failures,
            });
            done();
        }
        denied.retain(|(number, denied)| self.objection(*number, denied, &seen).is_some());
        let doubtful = denied.iter().map(|(number, _)| *number);
        let games: BTreeSet<&str> = doubtful.map(|number| self.game(number)).collect();
        for game in games {
            self.learn(library, game, &mut seen, &mut budget);
        }
        for (number, denied) in denied {
            let objection = self.objection(number, &denied, &seen);
            tried[number]
                .failures
                .extend(objection.map(|message| Unmet {
                    place: denied.key.place.clone(),
                    message,
                }));
        }
        tried
    }

    fn game(&self, number: usize) -> &str {
        &self.entries[number].game.definition.id
    }

    fn objection(&self, number: usize, denied: &Denied, seen: &SeenByGame) -> Option<String> {
        let game = &self.entries[number].game;
        seen.get(&game.definition.id)?.objection(denied, game)
    }

    /// What the prompts of a game offer in those of its scenarios that are not here.
    fn learn(&self, library: &Library, game: &str, seen: &mut SeenByGame, budget: &mut Allowance) {
        let here = |item: &LayerFile| {
            let mut files = self.entries.iter().map(|entry| &entry.place.file);
            files.any(|file| file.text == item.file.text)
        };
        let mut others = library.scenarios(Some(game));
        others.retain(|item| !here(item));
        for entry in &Suite::read(library, &others).0.entries {
            let (report, _) = run(&entry.scenario, entry.game.clone(), budget);
            seen.entry(game.to_string()).or_default().add(report.seen);
        }
    }

    /// The games that have scenarios here.
    pub fn games(&self) -> BTreeSet<&str> {
        self.entries
            .iter()
            .map(|entry| entry.game.definition.id.as_str())
            .collect()
    }
}

/// A file in the folder of a game holds scenarios of that game. One that does not exist is told as such.
fn check_folder(game: &At<String>, library: &Library, reader: &mut Reader) {
    let path = &game.place.file.path;
    let folder = path
        .strip_prefix(SCENARIOS)
        .and_then(|rest| rest.split_once('/'));
    if let Some((folder, _)) = folder.filter(|(folder, _)| *folder != game.value)
        && library.game_ids().contains(&game.value)
    {
        let message = format!(
            "these are scenarios of `{}` in the folder of `{folder}`",
            game.value
        );
        reader.report(Diagnostic::new(Code::MisplacedFile, message).at(&game.place));
    }
}

fn entry(
    id: &At<String>,
    sheet: ScenarioSheet,
    place: Place,
    games: &mut Games<'_>,
    reader: &mut Reader,
) -> Option<Case> {
    let selection = selection(&sheet);
    let game = match games.get(&id.value, &selection, &place) {
        Ok(game) => game,
        Err(problems) => {
            for problem in &problems {
                // Very many scenarios of a broken game say the same of it.
                if reader.is_full() {
                    break;
                }
                reader.report(placed(problem, id, &sheet));
            }
            return None;
        }
    };
    let sheet = Arc::new(sheet);
    let scenario = prepare(&sheet, &place, &game, reader)?;
    Some(Case {
        sheet,
        place,
        selection,
        game,
        scenario,
    })
}

/// What the sheet says the game is played with.
fn selection(sheet: &ScenarioSheet) -> Selection {
    let written = |node: &Node| match &node.value {
        Datum::Text(text) => text.clone(),
        _ => node.said(),
    };
    let variants = sheet.variants.iter().flatten();
    let set = sheet.set.iter().flat_map(|set: &Entries<Anything>| &set.0);
    Selection {
        variants: variants.map(|variant| variant.value.clone()).collect(),
        set: set
            .filter_map(|(key, node)| Some((key.value.clone(), written(&node.as_ref()?.0))))
            .collect(),
    }
}

/// A problem of the game as this sheet wants it, at the line of the sheet that brings it.
fn placed(problem: &Diagnostic, game: &At<String>, sheet: &ScenarioSheet) -> Diagnostic {
    let problem = problem.clone();
    match &problem.at {
        None if problem.code == Code::UnknownGame => problem.at(&game.place),
        None if problem.code == Code::UnknownVariant => {
            let variants = sheet.variants.iter().flatten();
            let named = |variant: &&At<String>| problem.name.as_ref() == Some(&variant.value);
            match variants.clone().find(named) {
                Some(variant) => problem.at(&variant.place),
                None => problem,
            }
        }
        Some(label) if label.place.file.from == SETTING => {
            let key = &label.place.file.path;
            let set = sheet.set.iter().flat_map(|set| &set.0);
            match set.map(|(name, _)| name).find(|name| name.value == *key) {
                Some(name) => problem.at(&name.place),
                None => problem,
            }
        }
        _ => problem,
    }
}
