//! What lies on the editor's desk: the packs with their files in memory, unsaved texts over them, and what was worked out of both.

use crate::uri;
use lsp_types::Uri;
use ludoteca::limits::{LARGEST_FILE, LARGEST_INDEX, LARGEST_PACK};
use ludoteca::{
    Library, Loaded, PackSource, ReadError, Selection, Source,
    mentions::Mentions,
    pack::{Role, SCENARIOS, role},
};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A pack whose texts are in memory.
struct Held {
    name: String,
    disk: Arc<dyn Source>,
    root: Option<PathBuf>,
    texts: Arc<BTreeMap<String, Arc<str>>>,
    listed: Arc<Vec<String>>,
}

/// A file one edits: which pack's, and its path there.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct EditedFile {
    pack: usize,
    pub path: String,
}

impl EditedFile {
    /// Another file of the same pack.
    pub fn beside(other: &EditedFile, path: String) -> EditedFile {
        EditedFile {
            pack: other.pack,
            path,
        }
    }
}

/// A text as the editor has it.
struct Unsaved {
    text: Arc<str>,
    version: i32,
}

/// What was worked out of a game, as long as none of its files changes.
#[derive(Clone)]
pub struct WorkedOut {
    pub loaded: Arc<Loaded>,
    pub mentions: Arc<Mentions>,
}

impl WorkedOut {
    /// What it is counted as among games that are known at once.
    pub fn bytes(&self) -> usize {
        GAME + MENTION * self.mentions.count()
    }
}

/// A small game, and a place where something is named.
const GAME: usize = 1 << 20;
const MENTION: usize = 100;

pub struct Desk {
    packs: Vec<Held>,
    unsaved: HashMap<EditedFile, Unsaved>,
    library: Option<Arc<Library>>,
    /// The library before the last change: most of it is still true.
    former: Option<Arc<Library>>,
    known: HashMap<String, WorkedOut>,
}

impl Desk {
    pub fn new(packs: Vec<PackSource>) -> Desk {
        let packs = packs.into_iter().map(Held::new).collect();
        Desk {
            packs,
            unsaved: HashMap::new(),
            library: None,
            former: None,
            known: HashMap::new(),
        }
    }

    /// The sheet of a file, if it belongs to a pack.
    pub fn sheet(&self, uri: &Uri) -> Option<EditedFile> {
        let path = uri::path(uri)?;
        self.inside(&path).or_else(|| {
            // Editors name files by links that lead to them.
            let folder = path.parent()?.canonicalize().ok()?;
            self.inside(&folder.join(path.file_name()?))
        })
    }

    fn inside(&self, path: &Path) -> Option<EditedFile> {
        // A pack may lie inside another's folder: the nearer one is meant.
        let inside = |(pack, held): (usize, &Held)| {
            let rest = path.strip_prefix(held.root.as_ref()?).ok()?;
            let path = rest.to_str()?.replace('\\', "/");
            Some(EditedFile { pack, path })
        };
        let found = self.packs.iter().enumerate().filter_map(inside);
        found.min_by_key(|sheet| sheet.path.len())
    }

    /// Whether a folder is a pack's, lies in one or holds one.
    pub fn has_pack_at(&self, folder: &Path) -> bool {
        let is_near = |root: &Path| root.starts_with(folder) || folder.starts_with(root);
        let real = folder.canonicalize();
        let mut roots = self.packs.iter().filter_map(|held| held.root.as_deref());
        roots.any(|root| {
            is_near(root)
                || real
                    .as_ref()
                    .is_ok_and(|real| real.starts_with(root) || root.starts_with(real))
        })
    }

    /// The file that messages show under this path.
    pub fn sheet_shown(&self, shown: &str) -> Option<EditedFile> {
        let of_pack = |(pack, held): (usize, &Held)| {
            let shown = shown
                .strip_prefix(&format!("{}:", held.name))
                .unwrap_or(shown);
            let listed = held.texts.keys().chain(self.new_paths(pack));
            let path = listed
                .into_iter()
                .find(|path| held.disk.shown(path) == shown)?;
            let path = path.clone();
            Some(EditedFile { pack, path })
        };
        // Later packs show their files under the plain path.
        self.packs.iter().enumerate().rev().find_map(of_pack)
    }

    fn new_paths(&self, pack: usize) -> impl Iterator<Item = &String> {
        let sheets = self.unsaved.keys().filter(move |sheet| sheet.pack == pack);
        sheets.map(|sheet| &sheet.path)
    }

    pub fn uri(&self, sheet: &EditedFile) -> Option<Uri> {
        let root = self.packs.get(sheet.pack)?.root.as_ref()?;
        uri::uri(&root.join(&sheet.path))
    }

    /// The folder of a sheet's pack.
    pub fn root(&self, sheet: &EditedFile) -> Option<&Path> {
        self.packs.get(sheet.pack)?.root.as_deref()
    }

    pub fn uri_shown(&self, shown: &str) -> Option<Uri> {
        self.uri(&self.sheet_shown(shown)?)
    }

    /// The path messages show for a file.
    pub fn shown(&self, sheet: &EditedFile) -> String {
        let plain = |pack: usize, path: &str| self.packs[pack].disk.shown(path);
        let shown = plain(sheet.pack, &sheet.path);
        let later = sheet.pack + 1..self.packs.len();
        let hidden = later.into_iter().any(|pack| {
            let texts = &self.packs[pack].texts;
            texts.contains_key(&sheet.path) && plain(pack, &sheet.path) == shown
        });
        match hidden {
            true => format!("{}:{shown}", self.packs[sheet.pack].name),
            false => shown,
        }
    }

    /// The text of a file, as the editor has it or as it lies on disk.
    pub fn text(&self, sheet: &EditedFile) -> Option<Arc<str>> {
        if let Some(unsaved) = self.unsaved.get(sheet) {
            return Some(unsaved.text.clone());
        }
        self.packs.get(sheet.pack)?.texts.get(&sheet.path).cloned()
    }

    /// The same, unless it is larger than a file of content may be: of such a text nothing is told but that.
    pub fn bearable_text(&self, sheet: &EditedFile) -> Option<Arc<str>> {
        self.text(sheet)
            .filter(|text| text.len() as u64 <= LARGEST_FILE)
    }

    pub fn version(&self, sheet: &EditedFile) -> Option<i32> {
        self.unsaved.get(sheet).map(|unsaved| unsaved.version)
    }

    pub fn write(&mut self, sheet: &EditedFile, text: String, version: i32) {
        let text: Arc<str> = text.into();
        let same = self.text(sheet).is_some_and(|before| before == text);
        self.unsaved
            .insert(sheet.clone(), Unsaved { text, version });
        if !same {
            self.changed(&sheet.path);
        }
    }

    pub fn close(&mut self, sheet: &EditedFile) {
        if self.unsaved.remove(sheet).is_some() {
            self.changed(&sheet.path);
        }
    }

    /// A file on disk is new, gone, or not what it was.
    pub fn look_again(&mut self, sheet: &EditedFile) {
        let Some(held) = self.packs.get_mut(sheet.pack) else {
            return;
        };
        let texts = Arc::make_mut(&mut held.texts);
        match held.disk.read(&sheet.path) {
            Ok(text) if is_text(&sheet.path) => drop(texts.insert(sheet.path.clone(), text.into())),
            _ => drop(texts.remove(&sheet.path)),
        }
        held.listed = Arc::new(listed(&*held.disk));
        self.changed(&sheet.path);
    }

    /// Forgets what a changed file was part of.
    fn changed(&mut self, path: &str) {
        self.former = self.library.take().or(self.former.take());
        match game_of(path) {
            Some(game) => drop(self.known.remove(&game)),
            None => self.known.clear(),
        }
    }

    /// The packs as they are now.
    fn sources(&self) -> Vec<PackSource> {
        let source = |(number, held): (usize, &Held)| {
            let own = self
                .unsaved
                .iter()
                .filter(|(sheet, _)| sheet.pack == number);
            let unsaved = own.map(|(sheet, unsaved)| (sheet.path.clone(), unsaved.text.clone()));
            PackSource::new(
                &held.name,
                Memory {
                    disk: held.disk.clone(),
                    texts: held.texts.clone(),
                    listed: held.listed.clone(),
                    unsaved: unsaved.collect(),
                },
            )
        };
        self.packs.iter().enumerate().map(source).collect()
    }

    /// All packs, with unsaved texts in them.
    pub fn library(&mut self) -> Arc<Library> {
        if let Some(library) = &self.library {
            return library.clone();
        }
        let sources = self.sources();
        let (library, _) = match &self.former {
            Some(former) => former.reopen(&sources),
            None => Library::open(&sources),
        };
        let library = Arc::new(library);
        self.library = Some(library.clone());
        self.former = None;
        library
    }

    /// The library as it would be with other texts in the place of some.
    pub fn library_with(&mut self, texts: &[(EditedFile, String)]) -> Library {
        let library = self.library();
        let mut sources = self.sources();
        for (number, held) in self.packs.iter().enumerate() {
            let mut unsaved: BTreeMap<String, Arc<str>> = BTreeMap::new();
            let own = self
                .unsaved
                .iter()
                .filter(|(sheet, _)| sheet.pack == number);
            unsaved.extend(own.map(|(sheet, unsaved)| (sheet.path.clone(), unsaved.text.clone())));
            let new = texts.iter().filter(|(sheet, _)| sheet.pack == number);
            unsaved.extend(new.map(|(sheet, text)| (sheet.path.clone(), text.as_str().into())));
            sources[number] = PackSource::new(
                &held.name,
                Memory {
                    disk: held.disk.clone(),
                    texts: held.texts.clone(),
                    listed: held.listed.clone(),
                    unsaved,
                },
            );
        }
        library.reopen(&sources).0
    }

    /// What is known of a game.
    pub fn known(&mut self, game: &str) -> Option<WorkedOut> {
        if let Some(known) = self.known.get(game) {
            return Some(known.clone());
        }
        let library = self.library();
        let loaded = library.load(game, &Selection::default()).ok()?;
        let mentions = Arc::new(library.mentions_in(&loaded));
        let known = WorkedOut {
            loaded: Arc::new(loaded),
            mentions,
        };
        // What others have there is worked out again when somebody asks for it.
        let held: usize = self.known.values().map(WorkedOut::bytes).sum();
        if held + known.bytes() > LARGEST_INDEX {
            self.known.clear();
        }
        self.known.insert(game.to_string(), known.clone());
        Some(known)
    }

    /// The games a file has to do with: its own, or all that are open for what games share.
    pub fn games_of(&self, sheet: &EditedFile) -> Vec<String> {
        match game_of(&sheet.path) {
            Some(game) => vec![game],
            None => self.open_games(),
        }
    }

    /// The games whose files are being edited.
    pub fn open_games(&self) -> Vec<String> {
        let mut games: Vec<String> = self
            .unsaved
            .keys()
            .filter_map(|sheet| game_of(&sheet.path))
            .collect();
        games.sort();
        games.dedup();
        games
    }
}

/// The game a file belongs to.
pub fn game_of(path: &str) -> Option<String> {
    if let Some(rest) = path.strip_prefix(SCENARIOS) {
        return rest.split('/').next().map(str::to_string);
    }
    match role(path) {
        Role::Game(game, _) | Role::Variant(game, _) | Role::VariantOverlay(game, ..) => {
            Some(game.to_string())
        }
        Role::With(_, inside) => game_of(inside),
        Role::Library(_) | Role::Pack | Role::Note | Role::Unread => None,
    }
}

fn is_text(path: &str) -> bool {
    matches!(path.rsplit('.').next(), Some("toml" | "rhai" | "md"))
}

fn listed(source: &dyn Source) -> Vec<String> {
    let mut all = source.list();
    all.extend(source.scenarios());
    all
}

impl Held {
    fn new(pack: PackSource) -> Held {
        let disk = pack.source;
        let listed = listed(&*disk);
        let mut room = 2 * LARGEST_PACK;
        let texts = listed.iter().filter(|path| is_text(path));
        let texts = texts.filter_map(|path| {
            // What there is no room for is read when somebody asks for it, and told by who does.
            let text = (room > 0).then(|| disk.read(path).ok()).flatten()?;
            room = room.saturating_sub(text.len() as u64);
            Some((path.clone(), text.into()))
        });
        Held {
            name: pack.name,
            texts: Arc::new(texts.collect()),
            listed: Arc::new(listed),
            root: disk
                .folder()
                .and_then(|root| std::path::absolute(root).ok())
                .map(|root| uri::clean(&root)),
            disk,
        }
    }
}

/// A pack in memory: texts one edits, over those that were read, over the disk for pictures and for what could not be read.
struct Memory {
    disk: Arc<dyn Source>,
    texts: Arc<BTreeMap<String, Arc<str>>>,
    listed: Arc<Vec<String>>,
    unsaved: BTreeMap<String, Arc<str>>,
}

impl Memory {
    fn paths(&self, scenarios: bool) -> Vec<String> {
        let fits = |path: &&String| path.starts_with(SCENARIOS) == scenarios;
        let mut all: Vec<String> = self.listed.iter().filter(fits).cloned().collect();
        let known = |path: &&String| {
            !matches!(role(path), Role::Unread | Role::Note) || path.starts_with(SCENARIOS)
        };
        all.extend(self.unsaved.keys().filter(fits).filter(known).cloned());
        all.sort();
        all.dedup();
        all
    }

    fn held(&self, path: &str) -> Option<&Arc<str>> {
        self.unsaved.get(path).or_else(|| self.texts.get(path))
    }
}

impl Source for Memory {
    fn list(&self) -> Vec<String> {
        self.paths(false)
    }

    fn scenarios(&self) -> Vec<String> {
        self.paths(true)
    }

    fn bytes(&self, path: &str) -> Result<Vec<u8>, ReadError> {
        match self.held(path) {
            Some(text) => Ok(text.as_bytes().to_vec()),
            None => self.disk.bytes(path),
        }
    }

    fn is_text(&self, path: &str, text: &str) -> bool {
        match self.held(path) {
            Some(held) => **held == *text,
            None => self.disk.is_text(path, text),
        }
    }

    fn shown(&self, path: &str) -> String {
        self.disk.shown(path)
    }
}
