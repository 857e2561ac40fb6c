//! The front door: packs are opened once; games are loaded from them with any variants and settings.

use super::causes::{MANIFEST, causes};
use super::collision::collisions;
use super::definition::{Definition, PackUsed, Text};
use super::diagnostic::{Code, Diagnostic, guessing, sort};
use super::file::{File, Files, Place};
use super::gather::Gathered;
use super::gather::overlay;
use super::outdated::flags;
use super::pack::{self, Layer, LayerFile, Pack, PackSource, Picture, ReadBefore, Room};
use super::path::{Part, Role, SCENARIOS, role};
use super::read::game::{self, Sources};
use super::read::look;
use super::read::prose::{self, Quotes};
use super::read::reader::{Read, Reader};
use super::read::rulebook;
use super::read::variant::VariantFile;
use super::setting;
use super::source::{Source, meant_top};
use super::tree::{self, Node};
use crate::limits::{CHECKED_BYTES, CHECKED_VALUES, MOST_COUNTED, MOST_LOOKUPS};
use ludoteca_vm::lookups;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Who brings what the command line sets.
pub const SETTING: &str = "--set";

/// All packs, in order.
///
/// ```
/// use ludoteca::{Library, Selection, explain};
/// # let pack = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/race.rs"));
/// let (library, problems) = Library::open(&[pack]);
/// assert!(problems.is_empty());
/// assert_eq!(library.games()[0].id, "race");
///
/// // Everything that is wrong, with games, variants, scripts and scenarios; and a game with its numbers.
/// assert_eq!(library.check(None), []);
/// let race = library.load("race", &Selection::default()).expect("there is such a game");
/// assert_eq!(race.definition.players, (2, 2));
/// ```
#[derive(Debug, Clone)]
pub struct Library {
    pub packs: Vec<Pack>,
    layers: Vec<Layer>,
    /// Where the files of each game lie, in the order of the layers: layer, and number in it. Those of all games have no name.
    of_games: BTreeMap<String, Vec<(usize, usize)>>,
    sources: Vec<PackSource>,
    /// What is wrong with packs, and with files before anybody reads what is in them.
    unopened: Vec<Diagnostic>,
    /// The same with what all files say in old words, once somebody wants to know.
    problems: OnceLock<Vec<Diagnostic>>,
    /// The functions that the scenarios of each game name: read when somebody first asks, since a game is loaded for every variant.
    run: Arc<Mutex<BTreeMap<String, Arc<BTreeSet<String>>>>>,
    /// How many values the games of each pack took, each as often as it was loaded.
    taken: Arc<Mutex<BTreeMap<String, usize>>>,
}

/// What loading costs besides the game's own files, in bytes of them.
const SMALL_LOAD: usize = 256 << 10;
/// So often a game of any decent size is loaded.
const FEW_LOADS: usize = 100;
/// Compiled games that are kept while everything is checked, by the size of their files.
pub(crate) const KEPT_BYTES: usize = 6 << 20;
/// Rules are compiled: a byte of theirs takes as long as so many others.
const RULES_WEIGH: usize = 24;

/// So many of the functions and closures that names are held against take as long as a byte.
const LOOKUPS_WEIGH: usize = 32;

fn weight(file: &File) -> usize {
    match file.path.ends_with(".rhai") {
        true => {
            // More than a game may have are not looked up.
            let lookups = lookups(&file.text).min(MOST_LOOKUPS) as usize;
            RULES_WEIGH * file.text.len() + lookups / LOOKUPS_WEIGH
        }
        false => file.text.len(),
    }
}

/// How many values the games of each pack took until some moment.
#[derive(Debug, Clone, Default)]
pub struct LoadedSoFar(BTreeMap<String, usize>);

/// What the list of games says of one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GameInfo {
    pub id: String,
    /// The pack that brings it.
    pub pack: String,
    pub title: Text,
    pub summary: Text,
    pub players: (u8, u8),
    pub variants: Vec<VariantInfo>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct VariantInfo {
    pub id: String,
    pub title: Text,
    pub summary: Text,
}

/// Which variants to apply, in order, and what to set after them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Selection {
    pub variants: Vec<String>,
    /// Dotted key and value as written.
    pub set: Vec<(String, String)>,
}

/// A game with everything that is wrong with it.
#[derive(Debug, Clone)]
pub struct Loaded {
    pub definition: Definition,
    /// Sorted by file and position.
    pub diagnostics: Vec<Diagnostic>,
    pub files: Files,
    /// The merged data, each value with its story.
    pub root: Node,
    /// Pictures of the look, by their file's name.
    pub pictures: BTreeMap<String, Picture>,
}

impl Loaded {
    /// Whether the game must not be played.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }
}

impl Selection {
    pub fn variant(name: &str) -> Selection {
        Selection {
            variants: vec![name.to_string()],
            set: Vec::new(),
        }
    }

    /// Names for people and transcripts.
    pub fn names(&self) -> Vec<String> {
        let set = self.set.iter().map(|(key, value)| format!("{key}={value}"));
        self.variants.iter().cloned().chain(set).collect()
    }
}

impl Library {
    /// Opens packs in the order given. What is wrong with them is reported here; what is wrong with a game when it is loaded, and only
    /// then the game's files are looked into.
    pub fn open(sources: &[PackSource]) -> (Library, Vec<Diagnostic>) {
        Library::open_with(sources, &ReadBefore::default())
    }

    fn open_with(sources: &[PackSource], known: &ReadBefore) -> (Library, Vec<Diagnostic>) {
        let _guesses = guessing();
        let mut problems = Vec::new();
        let (packs, layers) = pack::open(sources, known, &mut problems);
        let mut library = Library {
            packs,
            of_games: by_game(&layers),
            layers,
            sources: sources.to_vec(),
            unopened: Vec::new(),
            problems: OnceLock::new(),
            run: Arc::default(),
            taken: Arc::default(),
        };
        library.find_unread(&mut problems);
        sort(&mut problems);
        library.unopened = problems.clone();
        (library, problems)
    }

    /// The same packs again after some of their files changed: what did not change is not read again.
    pub fn reopen(&self, sources: &[PackSource]) -> (Library, Vec<Diagnostic>) {
        Library::open_with(sources, &ReadBefore::new(&self.packs))
    }

    /// What is wrong with packs and files, whichever game is loaded.
    pub fn problems(&self) -> &[Diagnostic] {
        self.problems.get_or_init(|| {
            let flags = flags(self.items());
            let words = self.items().flat_map(|item| item.old_words(&flags));
            let mut problems = self.unopened.clone();
            let room = MOST_COUNTED.saturating_sub(problems.len());
            problems.extend(words.take(room));
            sort(&mut problems);
            problems
        })
    }

    /// How often a game of its size is loaded to be checked, once for each way to play it.
    pub fn checked_loads(&self, game: &str) -> usize {
        let once = self.load_cost(game);
        let many = CHECKED_BYTES / once;
        many.max(FEW_LOADS.min(4 * many)).max(1)
    }

    /// The variants of a game that are checked: as many as loading each takes a bearable time together.
    pub fn checked_variants(&self, game: &str) -> Vec<String> {
        self.affordable_variants(game, &mut CHECKED_BYTES.clone())
    }

    /// The same where something else is to be loaded as well: `left` is what may be.
    pub(crate) fn affordable_variants(&self, game: &str, left: &mut usize) -> Vec<String> {
        let once = self.load_cost(game);
        let mut own: BTreeMap<&str, usize> = BTreeMap::new();
        for (_, item) in self.items_of(game) {
            if let Role::Variant(_, name) | Role::VariantOverlay(_, name, _) = role(&item.file.path)
            {
                *own.entry(name).or_default() += weight(&item.file);
            }
        }
        let mut spent = 0;
        let affordable = own.iter().take_while(|(_, bytes)| {
            let first = spent == 0;
            spent += once + **bytes;
            first || spent <= CHECKED_BYTES.min(*left)
        });
        let affordable = affordable.map(|(name, _)| name.to_string()).collect();
        *left = left.saturating_sub(spent);
        affordable
    }

    /// Who pays for loading a game: its pack, or, as the base is ours, the game alone.
    fn payer(&self, game: &str) -> String {
        match self.brought_by(game) {
            pack::BASE => format!("{}/{game}", pack::BASE),
            pack => pack.to_string(),
        }
    }

    fn take(&self, game: &str, values: usize) {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        *taken.entry(self.payer(game)).or_default() += values;
    }

    /// What was loaded so far: whoever begins to check remembers it.
    pub fn taken(&self) -> LoadedSoFar {
        let taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        LoadedSoFar(taken.clone())
    }

    /// Whether a game may be loaded once more by somebody who checks since then. Of one that is larger than its files no number of loads
    /// is known before.
    pub fn may_load_again(&self, game: &str, since: &LoadedSoFar) -> bool {
        let payer = self.payer(game);
        let LoadedSoFar(now) = self.taken();
        let of = |taken: &BTreeMap<String, usize>| taken.get(&payer).copied().unwrap_or_default();
        of(&now).saturating_sub(of(&since.0)) <= CHECKED_VALUES
    }

    /// How many compiled games of its size may be kept while it is checked: each takes many times the size of its files.
    pub fn kept_games(&self, game: &str) -> usize {
        KEPT_BYTES / self.load_cost(game)
    }

    /// What loading a game costs, in bytes of its files and of the scripts that all games share: those are compiled with it.
    pub(crate) fn load_cost(&self, game: &str) -> usize {
        SMALL_LOAD + self.files_weigh(game, weight)
    }

    /// What merging it costs, where it is not compiled.
    pub(crate) fn merge_cost(&self, game: &str) -> usize {
        SMALL_LOAD + self.files_weigh(game, |file| file.text.len())
    }

    fn files_weigh(&self, game: &str, weight: fn(&File) -> usize) -> usize {
        let files = self.concerning(game).map(|(_, item)| &item.file);
        let files =
            files.filter(|file| matches!(role(&file.path), Role::Game(..) | Role::Library(_)));
        files.map(|file| weight(file)).sum()
    }

    /// The games there are, sorted by id.
    pub fn games(&self) -> Vec<GameInfo> {
        let ids = self.game_ids();
        ids.into_iter().map(|id| self.info(&id)).collect()
    }

    /// The ids of a game's variants, sorted.
    pub fn variants(&self, game: &str) -> Vec<String> {
        self.variant_ids(game).into_iter().collect()
    }

    /// A game with its variants and settings; `Err` only when there is nothing to load.
    pub fn load(&self, game: &str, selection: &Selection) -> Result<Loaded, Vec<Diagnostic>> {
        if !self.has_game(game) {
            return Err(vec![self.unknown_game(game)]);
        }
        let _guesses = guessing();
        let mut problems = self.problems_of(game);
        problems.extend(collisions(self.concerning(game), &self.packs, &self.layers));
        let variants = self.selected(game, selection, &mut problems);
        let mut gathered = self.gather(game, &variants);
        gathered.repeated_functions();
        problems.append(&mut gathered.problems);
        let (drawn, positions) = gathered.take_looks(game);
        let sources = Sources {
            game,
            merged: std::mem::take(&mut gathered.merged),
        };
        let (mut root, kinds) = game::assemble(sources, &mut problems);
        let is_blank = is_blank(&root, &problems);
        for variant in &variants {
            apply_variant(&mut root, variant, &mut problems);
        }
        for file in settings(selection) {
            apply_setting(&mut root, &file, &mut problems);
            gathered.files.insert(file);
        }
        let mut reader = Reader { problems };
        let (mut definition, values) = game::read(game, &root, &kinds, &mut reader);
        self.take(game, values);
        prose::fill_help(&root, &mut definition.texts, &mut reader);
        definition.rulebook = rulebook::read(
            &gathered.rulebooks,
            &Quotes::new(&root, &definition.texts),
            &mut reader,
        );
        let phrases = std::mem::replace(&mut definition.scripts, gathered.scripts);
        definition.libraries = gathered.libraries;
        definition.selection = selection.names();
        definition.packs = self.packs_of(game);
        definition.hash = game::hash(&definition, &root, &kinds);
        // Made of the data, which the hash already holds; where they stand in their files is no rule.
        definition.scripts.extend(phrases);
        let sizes = gathered.pictures.iter();
        let sizes = sizes
            .map(|(name, picture)| (name.clone(), picture.size))
            .collect();
        definition.look = look::read(
            drawn.as_ref(),
            &positions,
            &sizes,
            (&definition, &root),
            &mut reader,
        );
        let mut diagnostics = reader.problems;
        if is_blank {
            diagnostics.push(blank(&root));
        }
        causes(&mut diagnostics);
        Ok(Loaded {
            pictures: gathered.pictures,
            definition,
            diagnostics,
            files: gathered.files,
            root,
        })
    }

    /// The packs beside the base that bring something to a game.
    fn packs_of(&self, game: &str) -> Vec<PackUsed> {
        let layers = self.concerning(game).map(|(layer, _)| layer);
        let layers: BTreeSet<usize> = layers.collect();
        let bringing: BTreeSet<&str> = layers
            .into_iter()
            .map(|layer| self.layers[layer].name.as_str())
            .collect();
        let brings = |pack: &&Pack| pack.name != pack::BASE && bringing.contains(&*pack.name);
        self.packs.iter().filter(brings).map(Pack::used).collect()
    }

    /// Every pack there is, as matches remember them.
    pub fn packs_used(&self) -> Vec<PackUsed> {
        self.packs.iter().map(Pack::used).collect()
    }

    /// Every file that has to do with a game, pack by pack: [`PackSource::memory`] makes the same content of it somewhere else.
    pub fn snapshot(&self, game: &str) -> Vec<(String, Vec<(String, String)>)> {
        let of_game = |path: &String| match role(path) {
            Role::Game(_, Part::Picture(_)) => false,
            Role::Game(of, _) | Role::Variant(of, _) | Role::VariantOverlay(of, ..) => of == game,
            Role::With(_, inside) => !matches!(role(inside), Role::Game(of, _) if of != game),
            Role::Pack | Role::Library(_) => true,
            Role::Note | Role::Unread => false,
        };
        let read = |source: &PackSource| {
            let paths = source.source.list().into_iter().filter(of_game);
            let files = paths.filter_map(|path| {
                let text = source.source.read(&path).ok()?;
                Some((path, text))
            });
            (source.name.clone(), files.collect())
        };
        self.sources.iter().map(read).collect()
    }

    /// The files of scenarios of all packs, or of one game.
    pub fn scenarios(&self, game: Option<&str>) -> Vec<LayerFile> {
        self.scenarios_of(game, |_| true)
    }

    /// The same without those that are built in: they are as they were made.
    pub fn written_scenarios(&self, game: Option<&str>) -> Vec<LayerFile> {
        self.scenarios_of(game, |source| !source.is_built_in())
    }

    fn scenarios_of(
        &self,
        game: Option<&str>,
        wanted: impl Fn(&dyn Source) -> bool,
    ) -> Vec<LayerFile> {
        let of_game = |path: &String| match (game, path.strip_prefix(SCENARIOS)) {
            (Some(game), Some(rest)) => rest.split('/').next() == Some(game),
            _ => true,
        };
        let files = |source: &PackSource| {
            let paths = source.source.scenarios();
            let mut room = Room::default();
            let mut found = Vec::new();
            for path in paths.into_iter().filter(of_game) {
                let item = pack::read_scenarios(source, &path);
                if let Some(too_much) = room.take(&item) {
                    found.push(LayerFile::refused(item.file, too_much));
                    break;
                }
                found.push(item);
            }
            found
        };
        let sources = self.sources.iter();
        let sources = sources.filter(|source| wanted(&*source.source));
        sources.flat_map(files).collect()
    }

    /// The functions that the scenarios of a game name, told from their texts.
    pub(crate) fn run_in_scenarios(
        &self,
        game: &str,
        named: fn(&str) -> Vec<&str>,
    ) -> Arc<BTreeSet<String>> {
        let mut run = self.run.lock().unwrap_or_else(PoisonError::into_inner);
        let known = run.entry(game.to_string()).or_insert_with(|| {
            let mut names = BTreeSet::new();
            for item in self.scenarios(Some(game)) {
                names.extend(named(&item.file.text).into_iter().map(str::to_string));
            }
            Arc::new(names)
        });
        known.clone()
    }

    /// The files of all packs, in the order of their layers, but for `pack.toml`, pictures and scenarios.
    pub fn texts(&self) -> impl Iterator<Item = &Arc<File>> {
        let items = self.items().filter(|item| item.picture.is_none());
        items.map(|item| &item.file)
    }

    /// Every file that has to do with a game, its variants and scenarios too, in the order of the layers.
    pub fn files_of(&self, game: &str) -> Vec<LayerFile> {
        let mut numbers: Vec<(usize, usize)> = self.numbers_of(game).to_vec();
        numbers.extend(self.numbers_of(SHARED));
        numbers.sort();
        let items = numbers
            .into_iter()
            .map(|(layer, item)| &self.layers[layer].items[item]);
        let mut files: Vec<LayerFile> = items.cloned().collect();
        files.extend(self.scenarios(Some(game)));
        files
    }

    fn items(&self) -> impl Iterator<Item = &LayerFile> {
        self.layers.iter().flat_map(|layer| &layer.items)
    }

    fn numbers_of(&self, game: &str) -> &[(usize, usize)] {
        self.of_games.get(game).map_or(&[], Vec::as_slice)
    }

    /// The files of a game and of its variants, each with the number of its layer.
    fn items_of(&self, game: &str) -> impl Iterator<Item = (usize, &LayerFile)> {
        let numbers = self.numbers_of(game).iter();
        numbers.map(|(layer, item)| (*layer, &self.layers[*layer].items[*item]))
    }

    /// The same with the scripts that all games share.
    fn concerning(&self, game: &str) -> impl Iterator<Item = (usize, &LayerFile)> {
        self.items_of(SHARED).chain(self.items_of(game))
    }

    fn has_game(&self, game: &str) -> bool {
        let manifest = |(_, item): (usize, &LayerFile)| {
            matches!(role(&item.file.path), Role::Game(_, Part::Manifest))
        };
        self.items_of(game).any(manifest)
    }

    /// The ids of all games. Nothing of a game is read for it but that it is there.
    pub fn game_ids(&self) -> BTreeSet<String> {
        let manifests = self.items().filter_map(|item| match role(&item.file.path) {
            Role::Game(game, Part::Manifest) => Some(game.to_string()),
            _ => None,
        });
        manifests.collect()
    }

    fn variant_ids(&self, game: &str) -> BTreeSet<String> {
        let variants = self
            .items_of(game)
            .filter_map(|(_, item)| match role(&item.file.path) {
                Role::Variant(_, name) | Role::VariantOverlay(_, name, _) => Some(name.to_string()),
                _ => None,
            });
        variants.collect()
    }

    fn info(&self, game: &str) -> GameInfo {
        let items = self.items_of(game).map(|(_, item)| item);
        let manifests =
            items.filter(|item| matches!(role(&item.file.path), Role::Game(_, Part::Manifest)));
        let manifest = merged(manifests, &mut Vec::new());
        let mut reader = Reader::default();
        let mut read = |key: &str| {
            let node = manifest.as_ref().and_then(|manifest| manifest.get(key));
            node.and_then(|node| Text::read(node, &mut reader))
        };
        let (title, summary) = (read("title"), read("summary"));
        let players = manifest
            .as_ref()
            .and_then(|manifest| manifest.get("players"));
        let players = players.and_then(|node| <(u8, u8)>::read(node, &mut reader));
        let mut files: BTreeMap<&str, Vec<&LayerFile>> = BTreeMap::new();
        for (_, item) in self.items_of(game) {
            match role(&item.file.path) {
                Role::Variant(_, name) => files.entry(name).or_default().push(item),
                Role::VariantOverlay(_, name, _) => drop(files.entry(name).or_default()),
                _ => {}
            }
        }
        let variants = files.into_iter().map(|(id, files)| {
            let id = id.to_string();
            let node = merged(files, &mut Vec::new());
            let file = node.and_then(|n| VariantFile::read(&n, &mut Reader::default()));
            let (title, summary) = file.map_or((None, None), |f| (f.title.0, f.summary.0));
            VariantInfo {
                id,
                title: title.unwrap_or_default(),
                summary: summary.unwrap_or_default(),
            }
        });
        GameInfo {
            variants: variants.collect(),
            pack: self.brought_by(game).to_string(),
            id: game.to_string(),
            title: title.unwrap_or_default(),
            summary: summary.unwrap_or_default(),
            players: players.unwrap_or((1, 1)),
        }
    }

    /// The first layer that has the game's manifest.
    fn brought_by(&self, game: &str) -> &str {
        let is_manifest =
            |item: &LayerFile| matches!(role(&item.file.path), Role::Game(_, Part::Manifest));
        let found = self.items_of(game).find(|(_, item)| is_manifest(item));
        found.map_or("", |(layer, _)| &self.layers[layer].name)
    }

    fn unknown_game(&self, game: &str) -> Diagnostic {
        let known = self.game_ids();
        let problem = Diagnostic::new(Code::UnknownGame, format!("there is no game `{game}`"));
        problem.suggest(game, known.iter().map(String::as_str))
    }

    /// The variants asked for.
    fn selected(
        &self,
        game: &str,
        selection: &Selection,
        problems: &mut Vec<Diagnostic>,
    ) -> Vec<SelectedVariant> {
        let known = self.variant_ids(game);
        let mut found = Vec::new();
        for name in &selection.variants {
            if !known.contains(name) {
                let message = format!("`{game}` has no variant `{name}`");
                let problem = Diagnostic::new(Code::UnknownVariant, message);
                problems.push(problem.suggest(name, known.iter().map(String::as_str)));
                continue;
            }
            let roles = || {
                let items = self.items_of(game);
                items.map(|(_, item)| role(&item.file.path))
            };
            let overlays =
                |role| matches!(role, Role::VariantOverlay(_, of, _) if of == name.as_str());
            found.push(SelectedVariant {
                name: name.clone(),
                tree: self.variant(game, name, problems),
                has_file: roles().any(|role| role == Role::Variant(game, name)),
                has_overlays: roles().any(overlays),
            });
        }
        found
    }

    /// The file of a variant, merged over all layers.
    fn variant(&self, game: &str, name: &str, problems: &mut Vec<Diagnostic>) -> Option<Node> {
        let items = self.items_of(game).map(|(_, item)| item);
        let of_variant = |item: &&LayerFile| role(&item.file.path) == Role::Variant(game, name);
        merged(items.filter(of_variant), problems)
    }

    /// The files of a game and of the variants' folders, merged path by path.
    fn gather(&self, game: &str, variants: &[SelectedVariant]) -> Gathered {
        let mut gathered = Gathered::default();
        for (layer, item) in self.concerning(game) {
            gathered.add(game, &item.file.path, item, layer as u32);
        }
        for (index, SelectedVariant { name: variant, .. }) in variants.iter().enumerate() {
            let layer = (self.layers.len() + index) as u32;
            for (_, item) in self.items_of(game) {
                match role(&item.file.path) {
                    Role::VariantOverlay(_, name, path) if name == variant => {
                        gathered.add(game, path, item, layer);
                    }
                    Role::Variant(_, name) if name == variant => {
                        gathered.files.insert(item.file.clone());
                    }
                    _ => {}
                }
            }
        }
        gathered
    }

    /// Problems of packs and files that concern a game: those of packs, and of its own files.
    fn problems_of(&self, game: &str) -> Vec<Diagnostic> {
        let concerns = |path: &str| match role(path) {
            Role::Game(of, _) | Role::Variant(of, _) | Role::VariantOverlay(of, ..) => of == game,
            Role::Unread => path.split('/').nth(1) == Some(game),
            _ => true,
        };
        let told = self.unopened.iter().filter(|problem| {
            let at = problem.at.as_ref();
            at.is_none_or(|label| concerns(&label.place.file.path))
        });
        let items = || self.items().filter(|item| concerns(&item.file.path));
        let flags = flags(items());
        let mut problems: Vec<Diagnostic> = told.cloned().collect();
        let room = MOST_COUNTED.saturating_sub(problems.len());
        let words = items().flat_map(|item| item.old_words(&flags));
        problems.extend(words.take(room));
        sort(&mut problems);
        problems
    }

    /// Files nothing reads: a wrong ending, a wrong folder, a game without a manifest.
    fn find_unread(&self, problems: &mut Vec<Diagnostic>) {
        let games = self.game_ids();
        let mut homeless: BTreeMap<&str, Vec<&LayerFile>> = BTreeMap::new();
        for item in self.items() {
            let place = Place::top(&item.file);
            let problem = |message: String| Diagnostic::new(Code::UnreadFile, message).at(&place);
            match role(&item.file.path) {
                _ if !item.hopeless().is_empty() => {
                    problems.extend(item.hopeless().iter().cloned());
                }
                Role::Unread | Role::With(..) | Role::Pack => {
                    let help = "see docs/formats.md for what goes where; notes end in `.md`";
                    let path = &item.file.path;
                    let help = match path.split_once('/').zip(meant_top(path)) {
                        Some(((top, _), meant)) => {
                            format!("is the folder `{top}/` meant to be `{meant}/`?")
                        }
                        None => help.to_string(),
                    };
                    problems.push(problem("nothing reads this file".into()).help(help));
                }
                Role::Game(game, Part::Manifest) if !is_game_id(game) => {
                    let message = format!("`{game}` is not a name for a game");
                    let problem = Diagnostic::new(Code::BadName, message).at(&place);
                    problems.push(problem.help(
                        "the folder's name is lower case letters, digits and `-`, a letter first",
                    ));
                }
                Role::Variant(game, name) if games.contains(game) && !is_game_id(name) => {
                    let message = format!("`{name}` is not a name for a variant");
                    let problem = Diagnostic::new(Code::BadName, message).at(&place);
                    problems.push(problem.help(
                        "the file's name is lower case letters, digits and `-`, a letter first",
                    ));
                }
                Role::Game(game, _) | Role::Variant(game, _) | Role::VariantOverlay(game, ..)
                    if !games.contains(game) =>
                {
                    homeless.entry(game).or_default().push(item);
                }
                _ => {}
            }
        }
        for (game, items) in homeless {
            let [first, rest @ ..] = &items[..] else {
                continue;
            };
            let (without, whose) = match rest.len() {
                0 => (String::new(), "this file".to_string()),
                more => (
                    format!(", because there is no scripts/{game}/game.toml"),
                    format!("this file and {more} others of it"),
                ),
            };
            let message = format!("there is no game `{game}`{without}, so nothing reads {whose}");
            let problem = Diagnostic::new(Code::UnreadFile, message).at(&Place::top(&first.file));
            problems.push(problem.suggest(game, games.iter().map(String::as_str)));
        }
    }
}

/// The name under which the scripts of all games are: no folder has it.
const SHARED: &str = "";

/// The files of each game, and of all of them.
fn by_game(layers: &[Layer]) -> BTreeMap<String, Vec<(usize, usize)>> {
    let mut found: BTreeMap<String, Vec<(usize, usize)>> = BTreeMap::new();
    for (number, layer) in layers.iter().enumerate() {
        for (at, item) in layer.items.iter().enumerate() {
            let game = match role(&item.file.path) {
                Role::Game(of, _) | Role::Variant(of, _) | Role::VariantOverlay(of, ..) => of,
                Role::Library(_) => SHARED,
                _ => continue,
            };
            match found.get_mut(game) {
                Some(known) => known.push((number, at)),
                None => drop(found.insert(game.to_string(), vec![(number, at)])),
            }
        }
    }
    found
}

/// Files of one path, each over those of lower layers.
fn merged<'a>(
    items: impl IntoIterator<Item = &'a LayerFile>,
    problems: &mut Vec<Diagnostic>,
) -> Option<Node> {
    let mut merged: Option<Node> = None;
    for item in items {
        problems.extend(item.problems().iter().cloned());
        let Some(tree) = item.tree() else { continue };
        match &mut merged {
            Some(base) => overlay(base, item, tree, problems),
            None => merged = Some(Node::clone(tree)),
        }
    }
    merged
}

fn is_game_id(name: &str) -> bool {
    let letters = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_".contains(c);
    name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(letters)
}

/// A variant that was asked for.
struct SelectedVariant {
    name: String,
    /// What its file says, merged over all layers.
    tree: Option<Node>,
    /// Whether there is such a file: it may be one that nobody can read.
    has_file: bool,
    /// Whether there are files in its folder.
    has_overlays: bool,
}

/// Whether a manifest is a file with nothing in it; one that is no TOML may only seem so.
fn is_blank(root: &Node, problems: &[Diagnostic]) -> bool {
    let mut first = ["title", "players", "version"].iter();
    let mut lines = root.place.file.text.lines().map(str::trim_start);
    first.all(|key| root.get(key).is_none())
        && lines.all(|line| line.is_empty() || line.starts_with('#'))
        && !is_unread(root, problems)
}

/// Whether a part of the file of a tree could not be read.
fn is_unread(tree: &Node, problems: &[Diagnostic]) -> bool {
    problems.iter().any(|problem| {
        let at = problem.at.as_ref().map(|label| &label.place.file.path);
        problem.code == Code::BadSyntax && at == Some(&tree.place.file.path)
    })
}

fn blank(root: &Node) -> Diagnostic {
    let message = "the manifest has neither a title nor players: is it empty?";
    let problem = Diagnostic::new(Code::MissingKey, message).at(&root.place);
    let problem = problem.of(MANIFEST);
    problem.help("`ludoteca new game NAME` writes a small one")
}

fn apply_variant(root: &mut Node, variant: &SelectedVariant, problems: &mut Vec<Diagnostic>) {
    let name = &variant.name;
    let Some(node) = &variant.tree else {
        if !variant.has_file {
            let message = format!("the variant `{name}` needs a `variant.toml`");
            problems.push(Diagnostic::new(Code::MissingKey, message));
        }
        return;
    };
    let mut reader = Reader::default();
    VariantFile::read(node, &mut reader);
    problems.append(&mut reader.problems);
    let set = node.get("set").and_then(Node::table);
    let entries = || set.into_iter().flatten();
    let choosing = |key: &str| key == "map";
    // The map first: the other keys may speak of it.
    for (key, entry) in entries().filter(|(key, _)| choosing(key)) {
        setting::set(root, key, &entry.key, &entry.node, problems);
    }
    for (key, entry) in entries().filter(|(key, _)| !choosing(key)) {
        setting::set(root, key, &entry.key, &entry.node, problems);
    }
    let sets_nothing = set.is_none_or(|set| set.is_empty()) && !variant.has_overlays;
    if sets_nothing && !is_unread(node, problems) {
        let message = format!("the variant `{name}` changes nothing yet");
        let problem = Diagnostic::new(Code::EmptyVariant, message).at(&node.place);
        problems.push(problem.help("write under `[set]` what differs"));
    }
}

/// Each setting of the command line as a file of one line, so that messages can show it.
fn settings(selection: &Selection) -> Vec<Arc<File>> {
    let file = |(key, value): &(String, String)| {
        Arc::new(File::new(
            format!("--set {key}"),
            &**key,
            SETTING,
            format!("{key}={value}"),
        ))
    };
    selection.set.iter().map(file).collect()
}

fn apply_setting(root: &mut Node, file: &Arc<File>, problems: &mut Vec<Diagnostic>) {
    let key = file.path.as_str();
    let place = Place::new(file, 0..key.len());
    let (patch, found) = tree::parse_value(file, key.len() + 1..file.text.len());
    problems.extend(found);
    setting::set(root, key, &place, &patch, problems);
}
