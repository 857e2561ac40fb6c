//! Packs and games as Python holds them: opened once, shared by every match, and able to travel to another machine.

use crate::door::{Mistake, guarded, released, to_python};
use crate::kernel::{
    BASE, Diagnostic, Encoding, Folder, Game, Library, NumberBlock, PackSource, Selection,
    description, load,
};
use ludoteca_base::SHELF;
use ludoteca_packs::PackError;
use ludoteca_packs::archive::{self, Archive};
use ludoteca_packs::contents::Contents;
use ludoteca_packs::store::Store;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;
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

    /// The same order as the command's: the base, the pack one stands in, what is installed, what is named.
    fn of_folders(
        base: Option<PathBuf>,
        own: Option<PathBuf>,
        installed: &[PathBuf],
        named: &[PathBuf],
    ) -> Result<Content, Mistake> {
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
        let own = found(own.as_slice())?;
        let named = found(named)?;
        let nearer: Vec<String> = own.iter().chain(&named).map(PackSource::called).collect();
        // Who names the folder of a pack that is built in or installed means the folder.
        sources.retain(|known| !nearer.contains(&known.name));
        sources.extend(own);
        let mut installed = found(installed)?;
        installed.retain(|pack| !nearer.contains(&pack.called()));
        sources.extend(installed);
        sources.extend(named);
        Ok(Content::open(sources))
    }

    /// Every pack as a pack file, with its hash: what another machine needs to play the same.
    fn archives(&self) -> Result<Vec<Packed>, Mistake> {
        let archive = |pack: &PackSource| {
            let contents = Contents::of_source(&*pack.source)?;
            let hash = contents.hash();
            let signature = None;
            let file = archive::write_packed(&Archive {
                contents,
                signature,
            })?;
            Ok((pack.name.clone(), hash, file))
        };
        let archives = self.sources.iter().map(archive);
        archives
            .collect::<Result<_, PackError>>()
            .map_err(|error| Mistake::Value(error.to_string()))
    }

    fn of_archives(packed: &[Packed]) -> Result<Content, Mistake> {
        let source = |(name, hash, file): &Packed| {
            let wrong = |why: String| Mistake::Value(format!("the pack `{name}`: {why}"));
            let archive = archive::read(file).map_err(|error| wrong(error.to_string()))?;
            if archive.contents.hash() != *hash {
                return Err(wrong("it is not what its hash says".into()));
            }
            Ok(PackSource::new(name, archive.contents.in_memory()))
        };
        let sources = packed.iter().map(source).collect::<Result<_, Mistake>>()?;
        Ok(Content::open(sources))
    }
}

/// A pack on its way: its name, its hash and its file.
type Packed = (String, String, Vec<u8>);

/// The packs of folders.
fn found(folders: &[PathBuf]) -> Result<Vec<PackSource>, Mistake> {
    let mut sources = Vec::new();
    for root in folders {
        let wrong = |why: String| Mistake::Value(format!("{}: {why}", root.display()));
        let found = PackSource::folder(root).map_err(|error| wrong(error.to_string()))?;
        if found.is_empty() {
            let why = "this is not a pack: it has no scripts/, maps/, cards/, decks/, looks/ or variants/";
            return Err(wrong(why.into()));
        }
        sources.extend(found);
    }
    Ok(sources)
}

/// The folders of the packs installed for this user: those a lock names, or all of them.
#[pyfunction]
pub fn installed(py: Python<'_>, lock: Option<PathBuf>) -> PyResult<Vec<PathBuf>> {
    released(py, || {
        let Some(store) = Store::of_user() else {
            return Ok(Vec::new());
        };
        let packs = store
            .played_with(lock.as_deref())
            .map_err(|error| Mistake::Value(error.to_string()))?;
        Ok(packs.iter().map(|pack| store.folder(pack)).collect())
    })
}

#[pymethods]
impl Content {
    /// The base pack (built in, or a checkout), the pack one stands in, and packs in folders.
    #[new]
    #[pyo3(signature = (base, own, installed, named))]
    fn new(
        py: Python<'_>,
        base: Option<PathBuf>,
        own: Option<PathBuf>,
        installed: Vec<PathBuf>,
        named: Vec<PathBuf>,
    ) -> PyResult<Content> {
        released(py, || Content::of_folders(base, own, &installed, &named))
    }

    /// Packs that came from elsewhere: name, hash and pack file of each, in their order.
    #[staticmethod]
    fn unpacked(py: Python<'_>, packed: Vec<(String, String, PyBackedBytes)>) -> PyResult<Content> {
        let owned =
            |(name, hash, file): (String, String, PyBackedBytes)| (name, hash, file.to_vec());
        let packed: Vec<Packed> = packed.into_iter().map(owned).collect();
        released(py, || Content::of_archives(&packed))
    }

    /// All packs as pack files, for another machine.
    fn packed<'py>(&self, py: Python<'py>) -> PyResult<Vec<(String, String, Bound<'py, PyBytes>)>> {
        let packed = released(py, || self.archives())?;
        let handed = |(name, hash, file): Packed| (name, hash, PyBytes::new(py, &file));
        Ok(packed.into_iter().map(handed).collect())
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
