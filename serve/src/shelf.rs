//! The games that are there: read once, compiled when somebody first wants them, and read anew when their files change.

use crate::declaration::{Declaration, PictureFiles};
use crate::kernel::{Data, Game, GameInfo, Library, PackSource, Selection, load};
use crate::refusal::Refusal;
use ludoteca_draw::declaration::data;
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError, RwLock, Weak};

/// Opens all packs, as often as it is asked.
/// None if a folder cannot be read now.
pub type Open = dyn Fn() -> Option<Library> + Send + Sync;

/// Games with settings of their own that stay compiled while nobody plays them.
const IDLE_GAMES: usize = 32;

/// A game ready to play, and what a page must know of it.
#[derive(Debug)]
pub struct Boxed {
    pub game: Arc<Game>,
    pub declaration: Arc<Declaration>,
    /// The content's hash, as text.
    pub hash: String,
}

/// Files of packs: name, then path and text of each.
type Packs = Vec<(String, Vec<(String, String)>)>;

/// A game with variants and settings.
type Wanted = (String, Selection);

pub struct Shelf {
    open: Box<Open>,
    library: RwLock<Arc<Library>>,
    games: Mutex<HashMap<Wanted, Arc<Boxed>>>,
    declarations: Mutex<HashMap<String, Weak<Declaration>>>,
}

impl Shelf {
    pub fn new(open: Box<Open>) -> Shelf {
        let library = open().unwrap_or_else(|| Library::open(&[]).0);
        let library = RwLock::new(Arc::new(library));
        Shelf {
            open,
            library,
            games: Mutex::default(),
            declarations: Mutex::default(),
        }
    }

    fn library(&self) -> Arc<Library> {
        let library = self.library.read().unwrap_or_else(PoisonError::into_inner);
        library.clone()
    }

    /// Reads all files again; games are compiled anew when they are next wanted.
    pub fn read_again(&self) {
        let Some(fresh) = (self.open)() else { return };
        *self.library.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(fresh);
        locked(&self.games).clear();
    }

    pub fn games(&self) -> Vec<GameInfo> {
        self.library().games()
    }

    /// A game, compiled unless it is at hand.
    pub fn game(&self, game: &str, selection: &Selection) -> Result<Arc<Boxed>, Refusal> {
        let wanted = (game.to_string(), selection.clone());
        if let Some(found) = locked(&self.games).get(&wanted) {
            return Ok(found.clone());
        }
        let library = self.library();
        if !library.game_ids().contains(game) {
            return Err(Refusal::unknown_game(game));
        }
        let found = load(&library, game, selection).map_err(|found| Refusal::content(&found))?;
        Ok(self.put(wanted, found, pictures_of(&library, game, selection)))
    }

    /// A game of other packs than those on the shelf: of texts that are still being written.
    pub fn game_of(
        &self,
        library: &Library,
        game: &str,
        selection: &Selection,
    ) -> Result<Arc<Boxed>, Refusal> {
        let found = load(library, game, selection).map_err(|found| Refusal::content(&found))?;
        let declaration = self.declare(&found, pictures_of(library, game, selection));
        let hash = format!("{:016x}", found.definition.hash);
        Ok(Arc::new(Boxed {
            game: found,
            declaration,
            hash,
        }))
    }

    /// A game as it was when a match began, from the files that were kept then.
    pub fn kept_game(&self, game: &str, selection: &Selection, files: &str) -> Option<Arc<Boxed>> {
        let packs: Packs = serde_json::from_str(files).ok()?;
        let sources: Vec<PackSource> = packs
            .iter()
            .map(|(name, files)| {
                let files = files
                    .iter()
                    .map(|(path, text)| (path.as_str(), text.as_str()));
                PackSource::memory(name, files)
            })
            .collect();
        let (library, _) = Library::open(&sources);
        let game = load(&library, game, selection).ok()?;
        let declaration = self.declare(&game, BTreeMap::new());
        let hash = format!("{:016x}", game.definition.hash);
        Some(Arc::new(Boxed {
            game,
            declaration,
            hash,
        }))
    }

    /// The files of a game, to be kept with a match.
    pub fn snapshot(&self, game: &str) -> String {
        serde_json::to_string(&self.library().snapshot(game)).unwrap_or_default()
    }

    fn put(&self, wanted: Wanted, game: Arc<Game>, pictures: PictureFiles) -> Arc<Boxed> {
        let declaration = self.declare(&game, pictures);
        let hash = format!("{:016x}", game.definition.hash);
        let boxed = Arc::new(Boxed {
            game,
            declaration,
            hash,
        });
        let mut games = locked(&self.games);
        if games.len() >= IDLE_GAMES {
            games.retain(|(_, selection), boxed| {
                selection == &Selection::default() || Arc::strong_count(boxed) > 1
            });
        }
        games.insert(wanted, boxed.clone());
        boxed
    }

    fn declare(&self, game: &Game, pictures: PictureFiles) -> Arc<Declaration> {
        let declaration = Arc::new(Declaration::new(&game.definition, pictures));
        let mut declarations = locked(&self.declarations);
        declarations.retain(|_, known| known.strong_count() > 0);
        let known = declarations.get(&declaration.id).and_then(Weak::upgrade);
        let declaration = known.unwrap_or(declaration);
        declarations.insert(declaration.id.clone(), Arc::downgrade(&declaration));
        declaration
    }

    pub fn declaration(&self, id: &str) -> Option<Arc<Declaration>> {
        locked(&self.declarations).get(id).and_then(Weak::upgrade)
    }

    /// What the lobby lists.
    pub fn listed(&self) -> Json {
        let told = self.games().into_iter().map(|info| {
            let found = self.game(&info.id, &Selection::default());
            let variants: Vec<Json> = info
                .variants
                .iter()
                .map(|v| json!({ "id": v.id, "title": v.title, "summary": v.summary }))
                .collect();
            let calls = found.as_ref().ok().map(|boxed| &boxed.game.calls);
            let judges = calls.is_some_and(|calls| calls.evaluate.is_some());
            let prefers = calls.is_some_and(|calls| calls.prefer.is_some());
            json!({
                "id": info.id, "title": info.title, "summary": info.summary, "players": info.players, "variants": variants,
                "ok": found.is_ok(), "problem": found.as_ref().err().map(|r| json!({ "es": r.es, "en": r.en, "diagnostics": r.diagnostics })),
                "mood": { "random": true, "policy": prefers, "greedy": judges, "search:2s": judges },
                "declaration": found.ok().map(|boxed| boxed.declaration.id.clone()),
            })
        });
        told.collect()
    }

    /// What may be set in a match of a game, with what it is now and between what it may be.
    pub fn settings(&self, game: &str, selection: &Selection) -> Result<Json, Refusal> {
        let boxed = self.game(game, selection)?;
        let all = &boxed.game.definition;
        let parameters: Vec<Json> = all
            .parameters
            .iter()
            .map(|p| json!({ "key": p.name, "value": p.value, "min": p.min, "max": p.max, "flag": p.is_flag, "text": p.text }))
            .collect();
        let tables = Json::Object(
            all.tables
                .iter()
                .map(|(name, table)| (name.clone(), data(table)))
                .collect(),
        );
        let ranges: Vec<Json> = all
            .ranges
            .iter()
            .map(|range| {
                let path = format!("/{}", range.key.replace('.', "/"));
                json!({ "key": range.key, "value": tables.pointer(&path), "min": range.min, "max": range.max })
            })
            .collect();
        Ok(json!({
            "id": all.id, "title": all.title, "players": all.players,
            "parameters": parameters, "ranges": ranges, "declaration": boxed.declaration.id,
        }))
    }
}

/// The pictures a look names, found by those names.
fn pictures_of(library: &Library, game: &str, selection: &Selection) -> PictureFiles {
    let Ok(loaded) = library.load(game, selection) else {
        return PictureFiles::new();
    };
    let Data::Table(said) = &loaded.definition.look.said else {
        return PictureFiles::new();
    };
    let Some(Data::Table(named)) = said.get("pictures") else {
        return PictureFiles::new();
    };
    let find = |(name, file): (&String, &Data)| match file {
        Data::Text(file) => {
            let picture = loaded.pictures.get(file)?.clone();
            Some((name.clone(), (file.clone(), picture)))
        }
        _ => None,
    };
    named.iter().filter_map(find).collect()
}

/// A thread that panicked has said so; what it held is still whole.
pub fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
