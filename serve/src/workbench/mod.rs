//! The workbench: somebody edits a folder on a page, sees at once what is wrong, and what it does to many games, before anything is saved.
//!
//! | room | what lives there |
//! |---|---|
//! | `desk` | texts that are being written, over what is on disk |
//! | `sparse`, `lines` | a variant with one value more or less; what differs between two texts |
//! | `places` | paths of variants, texts of the folder, and what is wrong with them |
//! | `grid` | numbers and cards as the page shows them |
//! | `visited` | the variants that were looked at last, ready for the next look |
//! | `against`, `verdict` | the comparison with the base, and what it says |

mod against;
mod desk;
mod grid;
mod lines;
mod places;
mod sparse;
mod verdict;
mod visited;

use crate::house::{House, Maker};
use crate::kernel::{
    Diagnostic, Game, Label, Library, Loaded, MOST_VISITED, SCENARIOS, Selection, Source, Suite,
    bearable, examine,
};
use crate::refusal::Refusal;
use crate::shelf::{Boxed, locked};
use against::Comparing;
pub use against::ComparisonWish;
use desk::{Desk, told_apart};
pub use places::ValueEdit;
use places::{is_own, own_text, problem, selected, variant_path};
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, SystemTime};
use tokio::sync::watch;
use visited::Visited;

/// How often the folder is looked at.
const GLANCE: Duration = Duration::from_millis(700);

/// Opens all packs, with these texts in place of files of the edited one.
pub type OpenEdited = dyn Fn(BTreeMap<String, String>) -> Option<Library> + Send + Sync;

/// Games that were shown and are kept for pages that have just heard of them.
const SHOWN_LAST: usize = 8;

/// What is needed to edit a folder.
pub struct Editing {
    pub folder: PathBuf,
    pub open: Box<OpenEdited>,
    /// Whoever has it may edit.
    pub token: String,
}

pub struct Workbench {
    open: Box<OpenEdited>,
    folder: PathBuf,
    token: String,
    desk: Mutex<Desk>,
    /// What was there when the workbench was opened.
    began: Arc<Library>,
    made: Mutex<Made>,
    /// What was shown last: a page may still ask for what a game declares when the next change is written.
    shown: Mutex<VecDeque<Arc<Boxed>>>,
    /// Pages wait for the next.
    changes: watch::Sender<Changes>,
    against: Comparing,
    /// For whoever thinks on a thread of their own.
    itself: OnceLock<std::sync::Weak<Workbench>>,
}

/// How often something was written, and how often there was something new to tell: scenarios are read beside the rest, and told later.
#[derive(Debug, Clone, Copy)]
struct Changes {
    written: u64,
    told: u64,
}

/// A game, and the packs it comes from.
type Side = (Arc<Game>, Arc<Library>);

/// What was worked out of the texts as they are.
struct Made {
    of: u64,
    library: Option<Arc<Library>>,
    seen: Visited<Seen>,
    /// What is wrong with the scenarios of each game; none while they are read.
    scenarios: HashMap<String, Option<Vec<Diagnostic>>>,
}

impl Default for Made {
    fn default() -> Made {
        Made {
            of: 0,
            library: None,
            seen: Visited::new(MOST_VISITED),
            scenarios: HashMap::new(),
        }
    }
}

/// A game as it is edited, and what it is compared with.
struct Seen {
    now: Loaded,
    base: Loaded,
    game: Option<Arc<Game>>,
    diagnostics: Vec<Diagnostic>,
    boxed: Option<Arc<Boxed>>,
}

/// When each file was written, and how long it is.
type OnDisk = BTreeMap<String, (Option<SystemTime>, u64)>;

fn on_disk(folder: &Path) -> OnDisk {
    let files = crate::kernel::Folder::new(folder);
    let mut found = OnDisk::new();
    for path in files.list().into_iter().chain(files.scenarios()) {
        if let Ok(facts) = std::fs::metadata(folder.join(&path)) {
            found.insert(path, (facts.modified().ok(), facts.len()));
        }
    }
    found
}

impl Workbench {
    pub fn open(editing: Editing) -> Arc<Workbench> {
        let Editing {
            folder,
            open,
            token,
        } = editing;
        // What is written while the packs are read is seen at the first glance.
        let known = on_disk(&folder);
        let began = open(BTreeMap::new()).unwrap_or_else(|| Library::open(&[]).0);
        let workbench = Arc::new(Workbench {
            desk: Mutex::new(Desk::new(folder.clone())),
            folder,
            open,
            token,
            began: Arc::new(began),
            made: Mutex::default(),
            shown: Mutex::default(),
            changes: watch::channel(Changes {
                written: 1,
                told: 1,
            })
            .0,
            against: Comparing::default(),
            itself: OnceLock::new(),
        });
        let _ = workbench.itself.set(Arc::downgrade(&workbench));
        workbench.watch(known);
        workbench
    }

    /// Sees what others write into the folder.
    fn watch(self: &Arc<Self>, mut known: OnDisk) {
        let bench = Arc::downgrade(self);
        let look = move || {
            loop {
                std::thread::sleep(GLANCE);
                let Some(bench) = bench.upgrade() else { return };
                let found = on_disk(&bench.folder);
                if known != found {
                    locked(&bench.desk).tidy_up();
                    bench.changed();
                }
                known = found;
            }
        };
        // Without it edits of others are seen when they are saved over, and not before.
        let _ = std::thread::Builder::new().name("desk".into()).spawn(look);
    }

    /// Whether somebody may edit.
    pub fn is_key(&self, token: &str) -> bool {
        // Every letter is compared, so that nobody learns by the time it takes.
        let differ = |(a, b): (u8, u8)| u32::from(a != b);
        let wrong: u32 = self.token.bytes().zip(token.bytes()).map(differ).sum();
        wrong == 0 && self.token.len() == token.len()
    }

    fn changed(&self) {
        self.changes.send_modify(|changes| {
            changes.written += 1;
            changes.told += 1;
        });
        if let Some(bench) = self.itself.get().and_then(std::sync::Weak::upgrade) {
            against::again(&bench);
        }
    }

    /// Waits until there is something new to tell, but not forever.
    pub async fn wait(&self, since: u64, patience: Duration) {
        let mut seen = self.changes.subscribe();
        let newer = seen.wait_for(|changes| changes.told > since);
        let _ = tokio::time::timeout(patience, newer).await;
    }

    /// The same for the comparison.
    pub async fn wait_for_comparison(&self, since: u64, patience: Duration) {
        self.against.wait(since, patience).await;
    }

    fn revision(&self) -> u64 {
        self.changes.borrow().written
    }

    /// All packs with what is written on the desk.
    fn library(&self) -> Result<Arc<Library>, Refusal> {
        self.written().map(|(_, library)| library)
    }

    /// The same, and which change it is of: another may come while somebody still looks at this one.
    fn written(&self) -> Result<(u64, Arc<Library>), Refusal> {
        let revision = self.revision();
        let mut made = locked(&self.made);
        if made.of != revision {
            *made = Made {
                of: revision,
                ..Made::default()
            };
        }
        if let Some(library) = &made.library {
            return Ok((revision, library.clone()));
        }
        let opened = (self.open)(locked(&self.desk).texts());
        let library = Arc::new(opened.ok_or_else(|| {
            Refusal::new(
                "broken",
                "La carpeta no se puede leer ahora.",
                "The folder cannot be read now.",
            )
        })?);
        made.library = Some(library.clone());
        Ok((revision, library))
    }

    fn seen(&self, house: &House, game: &str, variant: &str) -> Result<Arc<Seen>, Refusal> {
        self.seen_with(self.written()?, house, game, variant)
    }

    /// A game as it was with a change.
    fn seen_with(
        &self,
        (revision, library): (u64, Arc<Library>),
        house: &House,
        game: &str,
        variant: &str,
    ) -> Result<Arc<Seen>, Refusal> {
        let key = (game.to_string(), variant.to_string());
        let mut made = locked(&self.made);
        if made.of == revision
            && let Some(seen) = made.seen.again(&key)
        {
            return Ok(seen);
        }
        drop(made);
        let before = match variant {
            "" => &self.began,
            _ => &library,
        };
        let unknown = |_| Refusal::unknown_game(game);
        let selection = selected(variant);
        let base = before.load(game, &Selection::default()).map_err(unknown)?;
        let now = library.load(game, &selection).map_err(unknown)?;
        let (compiled, diagnostics) = examine(&library, game, &selection);
        let sound = !diagnostics.iter().any(Diagnostic::is_error);
        let compiled = compiled.filter(|_| sound);
        let boxed = compiled
            .is_some()
            .then(|| house.shelf.game_of(&library, game, &selection).ok())
            .flatten();
        let mut shown = locked(&self.shown);
        shown.extend(boxed.clone());
        let over = shown.len().saturating_sub(SHOWN_LAST);
        shown.drain(..over);
        drop(shown);
        let seen = Arc::new(Seen {
            now,
            base,
            game: compiled,
            diagnostics,
            boxed,
        });
        let mut made = locked(&self.made);
        // Whoever was slow does not put what was there before in the place of what is there now.
        if made.of == revision {
            made.seen.keep(key, seen.clone());
        }
        Ok(seen)
    }

    /// Everything the page shows of a game, but the cards.
    pub fn state(&self, house: &House, game: &str, variant: &str) -> Result<Json, Refusal> {
        let told = self.changes.borrow().told;
        let (revision, library) = self.written()?;
        let listed = library.games();
        let game = match listed.iter().any(|info| info.id == game) {
            true => game.to_string(),
            false => self.first_game(&library),
        };
        let seen = self.seen_with((revision, library.clone()), house, &game, variant)?;
        let mut found = seen.diagnostics.clone();
        found.extend(self.wrong_scenarios((revision, library), &game, variant, &seen));
        let desk = locked(&self.desk);
        let problems: Vec<Json> = bearable(&found)
            .iter()
            .map(|found| problem(found, &desk))
            .collect();
        let games: Vec<Json> = listed
            .iter()
            .map(|info| {
                let variants: Vec<Json> = info
                    .variants
                    .iter()
                    .filter(|known| desk.text(&variant_path(&info.id, &known.id)).is_some())
                    .map(|known| json!({ "id": known.id, "title": known.title }))
                    .collect();
                json!({ "id": info.id, "title": info.title, "players": info.players, "variants": variants, "own": is_own(&desk, &info.id) })
            })
            .collect();
        let differences: Vec<Json> = desk
            .differences()
            .into_iter()
            .map(|(path, lines)| json!({ "path": path, "lines": lines }))
            .collect();
        let calls = seen.game.as_ref().map(|game| &game.calls);
        Ok(json!({
            "rev": told, "written": revision, "folder": self.folder.display().to_string(), "games": games, "game": game, "variant": variant,
            "path": if variant.is_empty() { Json::Null } else { json!(variant_path(&game, variant)) },
            "numbers": grid::numbers(&seen.now, &seen.base, &seen.diagnostics), "problems": problems, "changes": differences,
            "undo": desk.can_undo(), "clashes": desk.clashes(), "files": desk.files(),
            "declaration": seen.boxed.as_ref().map(|boxed| boxed.declaration.id.clone()),
            "judges": calls.is_some_and(|calls| calls.evaluate.is_some()), "prefers": calls.is_some_and(|calls| calls.prefer.is_some()),
        }))
    }

    /// What is wrong with the scenarios of a game. Reading all of them takes a while: it is told later, and the page hears that there is news.
    fn wrong_scenarios(
        &self,
        (revision, library): (u64, Arc<Library>),
        game: &str,
        variant: &str,
        seen: &Seen,
    ) -> Vec<Diagnostic> {
        let mut made = locked(&self.made);
        if made.of != revision {
            return Vec::new();
        }
        if let Some(known) = made.scenarios.get(game) {
            return known.clone().unwrap_or_default();
        }
        made.scenarios.insert(game.to_string(), None);
        drop(made);
        let Some(bench) = self.itself.get().and_then(std::sync::Weak::upgrade) else {
            return Vec::new();
        };
        let compiled = seen
            .game
            .iter()
            .map(|game| (selected(variant), game.clone()));
        let (game, mut compiled) = (game.to_string(), compiled.collect::<Vec<_>>());
        let read = move || {
            let files = library.scenarios(Some(&game));
            let go_on = || bench.revision() == revision;
            let found = Suite::problems_while(&library, &files, &mut compiled, &go_on);
            // What is wrong with the game itself is told where the game is.
            let mut found = found.unwrap_or_default();
            let of_scenario = |place: &Label| place.place.file.path.starts_with(SCENARIOS);
            found.retain(|found| found.at.as_ref().is_some_and(of_scenario));
            let mut made = locked(&bench.made);
            if made.of != revision {
                return;
            }
            let is_news = !found.is_empty();
            made.scenarios.insert(game, Some(found));
            drop(made);
            if is_news {
                bench.changes.send_modify(|changes| changes.told += 1);
            }
        };
        // Without it scenarios say what is wrong with them when they are run.
        let _ = std::thread::Builder::new()
            .name("scenarios".into())
            .spawn(read);
        Vec::new()
    }

    /// The game that the folder is about.
    fn first_game(&self, library: &Library) -> String {
        let desk = locked(&self.desk);
        let files = desk.files();
        let about = |id: &String| {
            let inside = |path: &String| path.split('/').nth(1) == Some(id.as_str());
            files.iter().filter(|path| inside(path)).count()
        };
        let ids = library.games().into_iter().map(|info| info.id);
        ids.max_by_key(about).unwrap_or_default()
    }

    pub fn cards(&self, house: &House, game: &str, variant: &str) -> Result<Json, Refusal> {
        let revision = self.revision();
        let seen = self.seen(house, game, variant)?;
        Ok(json!({ "written": revision, "kinds": grid::cards(&seen.now, &seen.base) }))
    }

    /// The scenarios of a game with what became of them.
    pub fn scenarios(&self, game: &str) -> Result<Json, Refusal> {
        let revision = self.revision();
        let library = self.library()?;
        let (suite, _) = Suite::read(&library, &library.scenarios(Some(game)));
        let tried = suite.run(&library);
        let told: Vec<Json> = tried
            .iter()
            .map(|tried| {
                let place = &tried.title.place;
                let failures: Vec<String> = tried.failures.iter().map(ToString::to_string).collect();
                json!({ "title": tried.title.value, "path": place.file.path, "file": place.file.path, "line": place.line(), "failures": failures })
            })
            .collect();
        Ok(json!({ "written": revision, "scenarios": told, "unread": suite.unread }))
    }

    /// A value somebody typed, as TOML; none for what the base has.
    pub fn edit(&self, house: &House, wanted: &ValueEdit) -> Result<(), Refusal> {
        let seen = self.seen(house, &wanted.game, &wanted.variant)?;
        let there = grid::node(&seen.now, &wanted.key);
        let now = there.map(crate::kernel::Node::said);
        if let (Some(was), Some(now)) = (&wanted.was, &now)
            && was != now
        {
            return Err(Refusal::new(
                "stale",
                format!("Otra persona acaba de escribir {now} ahí."),
                format!("Somebody else has just written {now} there."),
            ));
        }
        let base = grid::node(&seen.base, &wanted.key).map(crate::kernel::Node::said);
        let value = wanted.value.as_deref().map(str::trim);
        if wanted.variant.is_empty() {
            let value = value.map(str::to_string).or(base);
            let unknown = || Refusal::bad_request(format!("`{}`", wanted.key));
            let value = value.ok_or_else(unknown)?;
            sparse::with("", "x", Some(&value)).map_err(Refusal::bad_request)?;
            let above = || grid::node(&seen.now, wanted.key.rsplit_once('.')?.0);
            let place = &there.or_else(above).ok_or_else(unknown)?.place;
            let mut desk = locked(&self.desk);
            let text = own_text(&desk, &place.file.path, &place.file.text)?;
            let text = match there {
                Some(_) => {
                    let mut text = text.to_string();
                    text.replace_range(place.span.clone(), &value);
                    text
                }
                // What it left out is written beside what it has.
                None => sparse::given(text, &wanted.key, &value).map_err(Refusal::bad_request)?,
            };
            desk.write(&place.file.path, text)?;
        } else {
            let path = variant_path(&wanted.game, &wanted.variant);
            let mut desk = locked(&self.desk);
            let text = desk.text(&path);
            let text = text.unwrap_or_else(|| sparse::begun(&wanted.variant));
            let value = value.filter(|value| base.as_deref() != Some(value));
            let text = sparse::with(&text, &wanted.key, value).map_err(Refusal::bad_request)?;
            desk.write_value(&path, text, (&wanted.key, value))?;
        }
        self.changed();
        Ok(())
    }

    /// A new variant of a game, on the desk.
    pub fn begin(&self, game: &str, name: &str) -> Result<(), Refusal> {
        let letter = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        let fits = name.starts_with(|c: char| c.is_ascii_lowercase())
            && name.len() <= 40
            && name.chars().all(letter);
        if !fits || name == "base" {
            return Err(Refusal::new(
                "bad-name",
                "Un nombre de variante tiene minúsculas, cifras y «-», y empieza por una letra.",
                "The name of a variant has lower case letters, digits and “-”, and begins with a letter.",
            ));
        }
        let known = self.library()?.games();
        let of_game = known.iter().find(|info| info.id == game);
        let of_game = of_game.ok_or_else(|| Refusal::unknown_game(game))?;
        if of_game.variants.iter().any(|variant| variant.id == name) {
            return Err(Refusal::new(
                "taken-name",
                format!("Ya hay una variante «{name}»."),
                format!("There is a variant “{name}” already."),
            ));
        }
        locked(&self.desk).write(&variant_path(game, name), sparse::begun(name))?;
        self.changed();
        Ok(())
    }

    /// A file as it would be saved, and what tells it from any other text.
    pub fn text(&self, path: &str) -> Result<Json, Refusal> {
        let text = locked(&self.desk).text(path).ok_or_else(|| {
            Refusal::new(
                "not-found",
                format!("{path} no está en la carpeta."),
                format!("{path} is not in the folder."),
            )
        })?;
        Ok(json!({ "path": path, "text": text, "hash": told_apart(&text) }))
    }

    /// A whole file somebody typed, over the text they had before them; with the hash of what is there now.
    pub fn write(&self, path: &str, text: String, was: &str) -> Result<Json, Refusal> {
        let mut desk = locked(&self.desk);
        let before = desk.text(path).unwrap_or_default();
        if told_apart(&before) != was {
            return Err(Refusal::new(
                "stale",
                "Otra persona cambió el archivo mientras tanto; míralo otra vez.",
                "Somebody else has changed the file meanwhile; look at it again.",
            ));
        }
        let now = told_apart(&text);
        desk.write(path, text)?;
        drop(desk);
        self.changed();
        Ok(json!({ "hash": now }))
    }

    /// What `check` knows how to mend.
    pub fn fix(&self, path: &str, from: usize, was: &str, text: &str) -> Result<(), Refusal> {
        let mut desk = locked(&self.desk);
        let mut whole = desk.text(path).unwrap_or_default();
        let span = from..from.saturating_add(was.len());
        if whole.get(span.clone()) != Some(was) {
            return Err(Refusal::new(
                "stale",
                "Eso ya no está escrito ahí.",
                "That is not written there any more.",
            ));
        }
        whole.replace_range(span, text);
        desk.write(path, whole)?;
        drop(desk);
        self.changed();
        Ok(())
    }

    pub fn undo(&self) -> Result<(), Refusal> {
        locked(&self.desk).undo()?;
        self.changed();
        Ok(())
    }

    pub fn settle(&self, path: &str, mine: bool) {
        locked(&self.desk).settle(path, mine);
        self.changed();
    }

    pub fn save(&self, house: &Arc<House>) -> Result<Json, Refusal> {
        let saved = locked(&self.desk).save();
        self.changed();
        let saved = saved?;
        house.read_again(&saved);
        Ok(json!({ "saved": saved }))
    }

    /// A match with the edit in it.
    pub fn play(
        &self,
        house: &Arc<House>,
        game: &str,
        variant: &str,
        seats: &[String],
    ) -> Result<Json, Refusal> {
        let library = self.library()?;
        let wanted =
            json!({ "game": game, "seats": seats, "variants": selected(variant).variants });
        let wanted = serde_json::from_value(wanted).map_err(Refusal::bad_request)?;
        house.begin_with(wanted, Maker::Page, Some(&library))
    }

    /// A game of the comparison, on a table.
    pub fn replay(&self, house: &Arc<House>, side: usize, number: u64) -> Result<Json, Refusal> {
        let (transcript, seats, library) = self.against.transcribed(side, number)?;
        let wanted = json!({ "transcript": transcript, "seats": seats });
        let wanted = serde_json::from_value(wanted).map_err(Refusal::bad_request)?;
        house.begin_with(wanted, Maker::Command, Some(&library))
    }

    pub fn compare(self: &Arc<Self>, house: &Arc<House>, wish: ComparisonWish) {
        against::begin(self, house, wish);
    }

    pub fn comparison(&self) -> Json {
        self.against.told()
    }

    /// Both sides of a comparison with the packs they come from, if both can be played.
    fn sides(&self, house: &House, game: &str, variant: &str) -> Result<[Side; 2], Refusal> {
        let (revision, library) = self.written()?;
        let seen = self.seen_with((revision, library.clone()), house, game, variant)?;
        let before = match variant {
            "" => self.began.clone(),
            _ => library.clone(),
        };
        let base = crate::kernel::load(&before, game, &Selection::default());
        let base = base.map_err(|found| Refusal::content(&found))?;
        let now = seen.game.clone();
        let now = now.ok_or_else(|| Refusal::content(&seen.diagnostics))?;
        Ok([(base, before), (now, library)])
    }
}
