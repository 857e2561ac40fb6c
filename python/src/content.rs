//! Packs and games as Python holds them: opened once, shared by every match, and able to travel to another machine.

use crate::door::{Mistake, guarded, released, to_python};
use crate::kernel::{
    BASE, Diagnostic, Encoding, Folder, Game, Library, Memory, NumberBlock, PackSource, Selection,
    description, load,
};
use ludoteca_base::SHELF;
use pyo3::prelude::*;
use serde_json::{Value as Json, json};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// Packs in their order.
#[pyclass(frozen, module = "ludoteca._engine")]
pub struct Content {
    library: Library,
    sources: Vec<PackSource>,
}

impl Content {
    fn open(sources: Vec<PackSource>) -> Content {
        let (library, _) = Library::open(&sources);
        Content { library, sources }
    }

    fn of_folders(base: Option<PathBuf>, folders: &[PathBuf]) -> Result<Content, Mistake> {
        let mut sources = match base {
            Some(root) => {
                let shelf = root.join("examples").join(SHELF);
                vec![
                    PackSource::new(BASE, Folder::new(root)),
                    PackSource::new(SHELF, Folder::new(shelf)),
                ]
            }
            None => ludoteca_base::packs(),
        };
        for root in folders {
            let wrong = |why: String| Mistake::Value(format!("{}: {why}", root.display()));
            let found = PackSource::folder(root).map_err(|error| wrong(error.to_string()))?;
            if found.is_empty() {
                let why =
                    "this is not a pack: it has no scripts/, maps/, cards/, decks/ or variants/";
                return Err(wrong(why.into()));
            }
            // Who names the folder of a pack that is built in means the folder.
            sources.retain(|known| found.iter().all(|named| named.name != known.name));
            sources.extend(found);
        }
        Ok(Content::open(sources))
    }

    /// Every file of every pack: what another machine needs to play the same.
    fn files(&self) -> Result<Json, Mistake> {
        let packs = self.sources.iter().map(|pack| {
            let files = pack.source.list().into_iter().map(|path| {
                let text = pack.source.read(&path).map_err(|error| {
                    Mistake::Value(format!("{}: {error}", pack.source.shown(&path)))
                })?;
                Ok(json!([path, text]))
            });
            let files = files.collect::<Result<Vec<_>, Mistake>>()?;
            Ok(json!({ "name": pack.name, "files": files }))
        });
        Ok(Json::Array(packs.collect::<Result<_, Mistake>>()?))
    }

    fn of_files(written: &str) -> Result<Content, Mistake> {
        let odd = || Mistake::Value("this is not an archive of content".into());
        let packs: Vec<(String, Vec<(String, String)>)> = serde_json::from_str::<Json>(written)
            .ok()
            .and_then(|packs| {
                let packs = packs.as_array()?.iter();
                packs
                    .map(|pack| {
                        let files = serde_json::from_value(pack.get("files")?.clone()).ok()?;
                        Some((pack.get("name")?.as_str()?.to_string(), files))
                    })
                    .collect()
            })
            .ok_or_else(odd)?;
        let source = |(name, files): (String, Vec<(String, String)>)| {
            let files = files.iter().map(|(path, text)| (&**path, &**text));
            PackSource::new(name, Memory::new(files))
        };
        Ok(Content::open(packs.into_iter().map(source).collect()))
    }
}

#[pymethods]
impl Content {
    /// The base pack (built in, or a checkout) and packs in folders.
    #[new]
    #[pyo3(signature = (base, folders))]
    fn new(py: Python<'_>, base: Option<PathBuf>, folders: Vec<PathBuf>) -> PyResult<Content> {
        released(py, || Content::of_folders(base, &folders))
    }

    /// Packs that came from elsewhere as text.
    #[staticmethod]
    fn unpacked(py: Python<'_>, written: String) -> PyResult<Content> {
        released(py, || Content::of_files(&written))
    }

    /// All packs as text.
    fn packed(&self, py: Python<'_>) -> PyResult<String> {
        released(py, || Ok(self.files()?.to_string()))
    }

    fn games<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let listed = released(py, || {
            let games = self.library.games().into_iter().map(|game| {
                let variants = game.variants.iter().map(
                    |v| json!({ "id": v.id, "title": v.title, "summary": v.summary }),
                );
                json!({ "id": game.id, "title": game.title, "summary": game.summary, "players": game.players, "variants": variants.collect::<Vec<_>>() })
            });
            Ok(Json::Array(games.collect()))
        })?;
        to_python(py, &listed)
    }

    /// A game with its variants and settings, ready to be played.
    fn load(
        &self,
        py: Python<'_>,
        game: &str,
        variants: Vec<String>,
        set: Vec<(String, String)>,
    ) -> PyResult<Rules> {
        released(py, || {
            let selection = Selection { variants, set };
            let loaded = load(&self.library, game, &selection);
            Ok(Rules::new(loaded.map_err(Mistake::Content)?, selection))
        })
    }

    /// What is wrong, as the command's `check --json` says it, and the same as a terminal shows it.
    #[pyo3(name = "check")]
    fn checked<'py>(&self, py: Python<'py>, only: Option<String>) -> PyResult<Bound<'py, PyAny>> {
        let found = released(py, || {
            let found = self.library.check(only.as_deref());
            let told = |d: &Diagnostic| {
                let mut told = d.json();
                told["text"] = json!(d.render(false));
                told
            };
            Ok(Json::Array(found.iter().map(told).collect()))
        })?;
        to_python(py, &found)
    }
}

impl Content {
    pub fn library(&self) -> &Library {
        &self.library
    }
}

/// A game that can be played.
#[pyclass(frozen, module = "ludoteca._engine")]
pub struct Rules {
    pub game: Arc<Game>,
    pub selection: Selection,
    /// How its matches are told in numbers, by players; made when first needed.
    encodings: Mutex<HashMap<u8, Arc<Encoding>>>,
}

impl Rules {
    pub fn new(game: Arc<Game>, selection: Selection) -> Rules {
        Rules {
            game,
            selection,
            encodings: Mutex::default(),
        }
    }

    pub fn encoding(&self, players: u8) -> Arc<Encoding> {
        let mut known = self
            .encodings
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let made = known
            .entry(players)
            .or_insert_with(|| Arc::new(Encoding::new(&self.game, players)));
        made.clone()
    }

    /// A number of players the game allows.
    pub fn players(&self, wanted: Option<u8>) -> Result<u8, Mistake> {
        let (fewest, most) = self.game.definition.players;
        let players = wanted.unwrap_or(fewest);
        if !(fewest..=most).contains(&players) {
            let id = &self.game.definition.id;
            return Err(Mistake::Value(format!(
                "{id} is for {fewest} to {most} players, not {players}"
            )));
        }
        Ok(players)
    }
}

#[pymethods]
impl Rules {
    #[getter]
    fn id(&self) -> &str {
        &self.game.definition.id
    }

    /// The hash of the content, as transcripts and tables have it.
    #[getter]
    fn content(&self) -> String {
        format!("{:016x}", self.game.definition.hash)
    }

    #[getter]
    fn variants(&self) -> Vec<String> {
        self.selection.variants.clone()
    }

    #[getter]
    fn set(&self) -> Vec<(String, String)> {
        self.selection.set.clone()
    }

    #[getter]
    fn fewest(&self) -> u8 {
        self.game.definition.players.0
    }

    #[getter]
    fn most(&self) -> u8 {
        self.game.definition.players.1
    }

    /// What each number of an observation and each action is.
    fn describe<'py>(&self, py: Python<'py>, players: Option<u8>) -> PyResult<Bound<'py, PyAny>> {
        guarded(|| {
            let players = self.players(players)?;
            let told = description(&self.game, &self.encoding(players));
            to_python(py, &told)
        })
    }

    /// Numbers in an observation, and actions.
    fn sizes(&self, players: u8) -> PyResult<(usize, u32)> {
        guarded(|| {
            let encoding = self.encoding(self.players(Some(players))?);
            Ok((encoding.observation.size, encoding.actions.size))
        })
    }

    /// Name, where it begins, rows and columns of each block of an observation.
    fn blocks(&self, players: u8) -> PyResult<Vec<(&'static str, usize, usize, usize)>> {
        guarded(|| {
            let encoding = self.encoding(self.players(Some(players))?);
            let blocks = encoding.observation.blocks.iter();
            let shape = |b: &NumberBlock| (b.name, b.at, b.rows.len(), b.columns.len());
            Ok(blocks.map(shape).collect())
        })
    }
}
