//! Packs: finding their files, what `pack.toml` says, and the order in which they change each other.

use super::capability;
use super::definition::PackUsed;
use super::diagnostic::{Code, Diagnostic};
use super::file::{File, Place};
use super::legible::{illegible, legible_line};
use super::outdated::{Flags, flags, own_flags};
use super::path::{Part, Role, role};
use super::read::pack::PackFile;
use super::read::reader::{At, Read, Reader};
use super::rename::old_words;
use super::source::{Folder, Memory, ReadError, Source};
use super::tree::{self, Node};
use crate::limits::{
    LARGEST_FACTS, LARGEST_PACK, MOST_COUNTED, MOST_FILES, MOST_WORDS, MOST_WORDS_OF_A_PACK,
};
use semver::{Version, VersionReq};
use std::collections::HashMap;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

/// The version packs are made for.
pub const KERNEL: &str = env!("CARGO_PKG_VERSION");
/// The name of the pack that others build on.
pub const BASE: &str = "base";

/// A pack to be opened.
#[derive(Clone)]
pub struct PackSource {
    /// The name it goes by if it has no `pack.toml`.
    pub name: String,
    pub source: Arc<dyn Source>,
}

/// A pack that was opened.
#[derive(Debug, Clone)]
pub struct Pack {
    pub name: String,
    pub version: Version,
    pub authors: Vec<String>,
    pub licence: String,
    /// What it builds on, and where that is written.
    needs: Vec<(At<String>, VersionReq)>,
    items: Vec<LayerFile>,
    /// By the pack that must be there too.
    with: BTreeMap<String, Vec<LayerFile>>,
}

/// Files that are applied together, over those of the layers before.
#[derive(Debug, Clone)]
pub struct Layer {
    pub name: String,
    pub items: Vec<LayerFile>,
}

/// A file of a layer. What is in it is found out when somebody asks, once for all who hold it: who plays one game needs no other.
#[derive(Debug, Clone)]
pub struct LayerFile {
    pub file: Arc<File>,
    /// For a picture: where to find it.
    pub picture: Option<Picture>,
    inside: Arc<OnceLock<Inside>>,
    old_words: Arc<OnceLock<OldWords>>,
}

/// What is in a file, before anything is known of its meaning.
#[derive(Debug)]
struct Inside {
    /// Of TOML.
    tree: Option<Node>,
    problems: Vec<Diagnostic>,
}

/// What a file says in old words, and the flags of its game it was read with.
type OldWords = (BTreeSet<String>, Vec<Diagnostic>);

impl LayerFile {
    pub fn new(file: Arc<File>) -> LayerFile {
        LayerFile {
            file,
            picture: None,
            inside: Arc::default(),
            old_words: Arc::default(),
        }
    }

    /// A file of which one thing is known: why it is not read.
    pub(super) fn refused(file: Arc<File>, problem: Diagnostic) -> LayerFile {
        let item = LayerFile::new(file);
        let problem = problem.at(&Place::top(&item.file));
        let inside = Inside {
            tree: None,
            problems: vec![problem],
        };
        LayerFile {
            inside: Arc::new(OnceLock::from(inside)),
            ..item
        }
    }

    fn inside(&self) -> &Inside {
        self.inside.get_or_init(|| {
            let (tree, mut problems) = match self.is_toml() {
                true => {
                    let (tree, problems) = tree::parse(&self.file);
                    (Some(tree), problems)
                }
                false => (None, Vec::new()),
            };
            problems.extend(unseen(&self.file));
            problems.truncate(MOST_COUNTED);
            Inside { tree, problems }
        })
    }

    fn is_toml(&self) -> bool {
        self.file.path.ends_with(".toml")
    }

    /// Its data, if it is TOML that could be read.
    pub fn tree(&self) -> Option<&Node> {
        self.inside().tree.as_ref()
    }

    /// What is wrong with it before anything is known of its meaning.
    pub fn problems(&self) -> &[Diagnostic] {
        &self.inside().problems
    }

    /// Why nothing can be made of it, whatever it is for: it cannot be read, or is text that people do not see as it is. What is wrong
    /// with TOML is told by whoever reads it.
    pub fn hopeless(&self) -> &[Diagnostic] {
        match self.inside.get() {
            None if self.is_toml() => &[],
            _ if self.tree().is_some() => &[],
            _ => self.problems(),
        }
    }

    /// What it says in words that are called otherwise now.
    pub(super) fn old_words(&self, flags: &Flags) -> Vec<Diagnostic> {
        let own = own_flags(flags, &self.file.path);
        let (with, words) = self.old_words.get_or_init(|| {
            let words = old_words(self, &own);
            (own.clone(), words)
        });
        match *with == own {
            true => words.clone(),
            false => old_words(self, &own),
        }
    }
}

/// What may still be read of a pack: each of its files has limits, and so have all of them together.
#[derive(Debug)]
pub struct Room {
    files: usize,
    bytes: u64,
    words: usize,
    /// TOML whose words nobody has counted: together it has fewer letters than there may be words.
    uncounted: Vec<Arc<File>>,
}

impl Default for Room {
    fn default() -> Room {
        Room {
            files: MOST_FILES,
            bytes: LARGEST_PACK,
            words: MOST_WORDS_OF_A_PACK,
            uncounted: Vec::new(),
        }
    }
}

impl Room {
    /// Makes room for a file; what the pack has too much of, where there is none left.
    pub fn take(&mut self, item: &LayerFile) -> Option<Diagnostic> {
        let picture = item.picture.as_ref().map_or(0, |picture| picture.size);
        let bytes = item.file.text.len() as u64 + picture;
        let left = (self.files.checked_sub(1), self.bytes.checked_sub(bytes));
        let too_much = match left {
            (None, _) => format!("{MOST_FILES} files"),
            (_, None) => format!("{} MiB", LARGEST_PACK >> 20),
            (Some(files), Some(bytes)) => {
                (self.files, self.bytes) = (files, bytes);
                if self.has_words_for(item) {
                    return None;
                }
                format!("{MOST_WORDS_OF_A_PACK} names, values and signs")
            }
        };
        let message = format!("the pack has more than {too_much}; it is read up to here");
        let problem = Diagnostic::new(Code::UnreadableFile, message);
        Some(problem.at(&Place::top(&item.file)))
    }

    /// Words are counted when there could be too many of them.
    fn has_words_for(&mut self, item: &LayerFile) -> bool {
        if item.is_toml() {
            self.uncounted.push(item.file.clone());
        }
        let letters: usize = self.uncounted.iter().map(|file| file.text.len()).sum();
        if letters <= self.words {
            return true;
        }
        let counted = self.uncounted.drain(..);
        let words: usize = counted.map(|file| tree::words(&file.text)).sum();
        let left = self.words.checked_sub(words);
        self.words = left.unwrap_or(0);
        left.is_some()
    }
}

/// Files that were read before, by the path shown: a file that is still the same need not be read again.
#[derive(Debug, Default)]
pub struct ReadBefore {
    files: HashMap<String, LayerFile>,
}

impl ReadBefore {
    pub fn new(packs: &[Pack]) -> ReadBefore {
        let items = packs
            .iter()
            .flat_map(|pack| pack.items.iter().chain(pack.with.values().flatten()));
        let files = items.map(|item| (item.file.shown.clone(), item.clone()));
        ReadBefore {
            files: files.collect(),
        }
    }

    fn unchanged(
        &self,
        source: &PackSource,
        path: &str,
        inside: &str,
        from: &str,
        shown: &str,
    ) -> Option<LayerFile> {
        let before = self.files.get(shown)?;
        let File {
            path: of,
            from: by,
            text,
            ..
        } = &*before.file;
        let same = of == inside && by == from && before.picture.is_none();
        (same && source.source.is_text(path, text)).then(|| before.clone())
    }
}

impl std::fmt::Debug for PackSource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "PackSource({})", self.name)
    }
}

impl Pack {
    /// What tells its files from those of any other pack.
    pub fn hash(&self) -> u64 {
        let mut hash = xxhash_rust::xxh3::Xxh3::new();
        let with = self.with.values().flatten();
        for item in self.items.iter().chain(with) {
            for part in [&item.file.path, &item.file.text] {
                hash.update(&(part.len() as u64).to_le_bytes());
                hash.update(part.as_bytes());
            }
        }
        hash.digest()
    }

    /// As a match remembers it.
    pub fn used(&self) -> PackUsed {
        PackUsed {
            name: self.name.clone(),
            version: self.version.to_string(),
            hash: self.hash(),
        }
    }

    /// The packs it says it builds on.
    pub fn foundations(&self) -> impl Iterator<Item = &str> {
        self.needs.iter().map(|(need, _)| need.value.as_str())
    }
}

impl PackSource {
    pub fn new(name: impl Into<String>, source: impl Source + 'static) -> PackSource {
        PackSource {
            name: name.into(),
            source: Arc::new(source),
        }
    }

    pub fn memory<'a>(
        name: &str,
        files: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> PackSource {
        PackSource::new(name, Memory::new(files))
    }

    /// The packs in a folder: itself, or those in its folders.
    pub fn folder(root: impl Into<PathBuf>) -> std::io::Result<Vec<PackSource>> {
        let pack = |folder: Folder| {
            let absolute = folder.root().canonicalize();
            let name = absolute.as_deref().unwrap_or(folder.root()).file_name();
            let name = name.map_or("pack".into(), |n| n.to_string_lossy().into_owned());
            PackSource::new(name, folder)
        };
        Ok(Folder::find(root)?.into_iter().map(pack).collect())
    }

    /// What it calls itself, before anything else of it is read.
    pub fn called(&self) -> String {
        let item = read_item(self, "pack.toml", "pack.toml", &self.name, String::new());
        let written = item.tree().and_then(|tree| tree.get("name"));
        let name = written.and_then(Node::text).unwrap_or(&self.name);
        name.to_string()
    }
}

/// A folder whose files are looked at, though no command but `check` would find them there.
pub fn no_pack(folder: &str) -> Diagnostic {
    let message = format!("{folder} has no pack.toml, so it is no pack");
    let problem = Diagnostic::new(Code::NoPack, message);
    problem.help("its files are checked as if it were one; `ludoteca new pack NAME` writes a pack.toml to copy")
}

/// Opens packs and puts them in order: each after those it builds on, otherwise as given.
pub fn open(
    sources: &[PackSource],
    known: &ReadBefore,
    problems: &mut Vec<Diagnostic>,
) -> (Vec<Pack>, Vec<Layer>) {
    let hidden = hidden_paths(sources);
    let read = sources
        .iter()
        .zip(&hidden)
        .map(|(source, hidden)| read_pack(source, hidden, known, problems));
    let mut packs: Vec<Pack> = read.collect::<Vec<_>>().into_iter().flatten().collect();
    refuse_duplicates(&mut packs, problems);
    refuse_incomplete(&mut packs, problems);
    let packs = ordered(packs, problems);
    let layers = layers(&packs);
    (packs, layers)
}

/// For each pack the paths that people would take for those of a later one: the pack one stands in shows its files as the base does.
fn hidden_paths(sources: &[PackSource]) -> Vec<HashSet<String>> {
    let mut later: HashSet<String> = HashSet::new();
    let mut hidden = Vec::new();
    for source in sources.iter().rev() {
        let shown = source.source.list().into_iter();
        let shown: HashSet<String> = shown.map(|path| source.source.shown(&path)).collect();
        hidden.push(shown.intersection(&later).cloned().collect());
        later.extend(shown);
    }
    hidden.reverse();
    hidden
}

fn read_pack(
    source: &PackSource,
    hidden: &HashSet<String>,
    known: &ReadBefore,
    problems: &mut Vec<Diagnostic>,
) -> Option<Pack> {
    let read_item = |source: &PackSource, path: &str, inside: &str, from: &str| {
        let shown = source.source.shown(path);
        let shown = match hidden.contains(&shown) {
            true => format!("{}:{shown}", source.name),
            false => shown,
        };
        let unchanged = known.unchanged(source, path, inside, from, &shown);
        unchanged.unwrap_or_else(|| read_item(source, path, inside, from, shown))
    };
    let mut pack = Pack {
        name: source.name.clone(),
        version: Version::parse(KERNEL).unwrap_or(Version::new(0, 0, 0)),
        authors: Vec::new(),
        licence: String::new(),
        needs: Vec::new(),
        items: Vec::new(),
        with: BTreeMap::new(),
    };
    let paths = source.source.list();
    if paths.iter().any(|path| path == "pack.toml") {
        let item = read_item(source, "pack.toml", "pack.toml", &pack.name);
        problems.extend(item.problems().iter().cloned());
        let usable = item.problems().is_empty();
        let mut found = Vec::new();
        let described = describe(&mut pack, item.tree().filter(|_| usable), &mut found);
        told_with(&mut found, item.old_words(&Flags::new()));
        problems.append(&mut found);
        described?;
    }
    let mut room = Room::default();
    for path in &paths {
        let (with, inside, from) = match role(path) {
            Role::Pack | Role::Note => continue,
            Role::With(_, inside) if matches!(role(inside), Role::Note) => continue,
            Role::With(other, inside) => (Some(other), inside, pack.name.as_str()),
            Role::Variant(_, name) | Role::VariantOverlay(_, name, _) => {
                (None, path.as_str(), name)
            }
            _ => (None, path.as_str(), pack.name.as_str()),
        };
        let item = read_item(source, path, inside, from);
        if let Some(too_much) = room.take(&item) {
            problems.push(too_much);
            break;
        }
        match with {
            Some(other) => pack.with.entry(other.to_string()).or_default().push(item),
            None => pack.items.push(item),
        }
    }
    Some(pack)
}

/// Words in a pack's files that are called otherwise now, each with the path of its file. An old word in `pack.toml` may be why the
/// pack cannot be opened, so nothing is opened here. What it may build on says which of its words mean something.
pub fn renamed(source: &PackSource, around: &[PackSource]) -> Vec<(String, Diagnostic)> {
    let own = read_all(source);
    let others: Vec<(String, LayerFile)> = around.iter().flat_map(read_all).collect();
    let flags = flags(own.iter().chain(&others).map(|(_, item)| item));
    own.into_iter()
        .flat_map(|(path, item)| {
            let words = item.old_words(&flags).into_iter();
            words.map(move |word| (path.clone(), word))
        })
        .collect()
}

/// Every file of a pack, with its path.
fn read_all(source: &PackSource) -> Vec<(String, LayerFile)> {
    let mut room = Room::default();
    let read = |path: String| {
        let inside = match role(&path) {
            Role::With(_, inside) => inside.to_string(),
            _ => path.clone(),
        };
        let shown = source.source.shown(&path);
        let item = read_item(source, &path, &inside, &source.name, shown);
        // What is too much is nothing to be mended word by word; `check` tells it.
        room.take(&item).is_none().then_some((path, item))
    };
    let files = source.source.list().into_iter();
    let files = files.chain(source.source.scenarios());
    files.map_while(read).collect()
}

/// A file of scenarios, at its path in the source.
pub fn read_scenarios(source: &PackSource, path: &str) -> LayerFile {
    let shown = source.source.shown(path);
    let item = read_item(source, path, path, &source.name, shown);
    let is_read = item.is_toml() || path.ends_with(".md");
    if is_read || !item.problems().is_empty() {
        return item;
    }
    let problem = Diagnostic::new(Code::UnreadFile, "nothing reads this file");
    let problem = problem.help("scenarios end in `.toml`, notes in `.md`");
    LayerFile::refused(item.file, problem)
}

fn read_item(
    source: &PackSource,
    path: &str,
    inside: &str,
    from: &str,
    shown: String,
) -> LayerFile {
    // Of a picture only its size counts until somebody looks at it.
    let picture = match role(inside) {
        Role::Game(_, Part::Picture(_)) => Some(source.source.bytes(path)),
        Role::VariantOverlay(_, _, over)
            if matches!(role(over), Role::Game(_, Part::Picture(_))) =>
        {
            Some(source.source.bytes(path))
        }
        _ => None,
    };
    let size = picture
        .as_ref()
        .and_then(|bytes| bytes.as_ref().ok())
        .map(Vec::len);
    let read = match picture {
        Some(bytes) => bytes.map(|_| String::new()),
        None => source.source.read(path),
    };
    let read = read.and_then(|text| {
        // A word has a letter at least.
        let many = || text.len() > MOST_WORDS && tree::words(&text) > MOST_WORDS;
        match text.len() > LARGEST_FACTS && inside == "pack.toml" {
            true => Err(ReadError::TooLargeForFacts),
            false if inside.ends_with(".toml") && many() => Err(ReadError::TooManyWords),
            false => Ok(text),
        }
    });
    let file = Arc::new(File::new(
        legible_line(&shown),
        inside,
        from,
        read.as_deref().unwrap_or_default(),
    ));
    if let Err(error) = read {
        let message = format!("cannot read this file: {error}");
        return LayerFile::refused(file, Diagnostic::new(Code::UnreadableFile, message));
    }
    LayerFile {
        picture: size.map(|size| Picture {
            source: source.source.clone(),
            path: path.to_string(),
            size: size as u64,
        }),
        ..LayerFile::new(file)
    }
}

/// What stands in a file and is not seen there, comments included: what people review must be what the machine reads.
fn unseen(file: &Arc<File>) -> Option<Diagnostic> {
    let found = illegible(&file.text);
    let (at, odd) = found?;
    tree::unreadable(found, &Place::new(file, at..at + odd.len_utf8()))
}

/// A picture of a look.
#[derive(Clone)]
pub struct Picture {
    source: Arc<dyn Source>,
    path: String,
    pub size: u64,
}

impl Picture {
    pub fn bytes(&self) -> Result<Vec<u8>, ReadError> {
        self.source.bytes(&self.path)
    }
}

impl std::fmt::Debug for Picture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({} bytes)", self.path, self.size)
    }
}

/// A key that is called otherwise now is unknown: it is told once, with who mends it.
fn told_with(found: &mut Vec<Diagnostic>, old: Vec<Diagnostic>) {
    for word in old {
        let place = |problem: &Diagnostic| problem.at.as_ref().map(|at| at.place.clone());
        let unknown = |problem: &&mut Diagnostic| {
            problem.code == Code::UnknownKey && place(problem) == place(&word)
        };
        match found.iter_mut().find(unknown) {
            Some(problem) => (problem.help, problem.slip) = (word.help, word.slip),
            None => found.push(word),
        }
    }
}

/// What `pack.toml` says; a pack that cannot be used is left out.
fn describe(pack: &mut Pack, node: Option<&Node>, problems: &mut Vec<Diagnostic>) -> Option<()> {
    let mut reader = Reader::default();
    let file = PackFile::read(node?, &mut reader);
    let fits = file.is_some_and(|file| apply(pack, file, &mut reader).is_some());
    problems.append(&mut reader.problems);
    fits.then_some(())
}

fn apply(pack: &mut Pack, file: PackFile, reader: &mut Reader) -> Option<()> {
    let letters = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_".contains(c);
    if let Some(At { value, place }) = &file.name.0
        && (value.is_empty() || !value.chars().all(letters))
    {
        let message = format!("`{value}` is not a name for a pack");
        let problem = Diagnostic::new(Code::BadName, message).at(place);
        reader.report(problem.help("use lower case letters, digits, `-` and `_`"));
    }
    // They are shown to whoever is asked whether to install the pack.
    let shown = file.authors.0.iter().flatten().chain(&file.licence.0);
    for At { value, place } in shown {
        reader.one_line(value, place);
    }
    let version = file
        .version
        .0
        .as_ref()
        .and_then(|text| match Version::parse(&text.value) {
            Ok(version) => Some(version),
            Err(error) => bad_version(text, &error, "\"1.0.0\"", reader),
        });
    let kernel = file
        .kernel
        .0
        .as_ref()
        .and_then(|text| requirement(text, reader));
    for (other, versions) in file.builds_on.unwrap_or_default() {
        let versions = versions.and_then(|versions| requirement(&versions, reader));
        pack.needs
            .extend(versions.map(|versions| (other, versions)));
    }
    let unknown = file
        .needs
        .iter()
        .flatten()
        .find(|need| !capability::is_known(&need.value));
    if let Some(At { value, place }) = unknown {
        let message = format!(
            "this pack needs a kernel that can do `{value}`, and this one ({KERNEL}) cannot"
        );
        let problem = Diagnostic::new(Code::OtherKernel, message).at(place);
        reader.report(problem.help("look for a newer version of ludoteca"));
        return None;
    }
    let (name, wanted) = (file.name.0?.value, file.kernel.0?);
    let running = Version::parse(KERNEL).ok()?;
    if kernel
        .as_ref()
        .is_some_and(|kernel| !kernel.matches(&running))
    {
        let At { value, place } = wanted;
        let message = format!("`{name}` works with kernel {value}, and this is {KERNEL}");
        let problem = Diagnostic::new(Code::OtherKernel, message).at(&place);
        reader.report(problem.help("look for a newer version of the pack, or of ludoteca"));
        return None;
    }
    kernel?;
    pack.name = name;
    pack.version = version?;
    pack.authors = file.authors.0?.into_iter().map(|at| at.value).collect();
    pack.licence = file.licence.0?.value;
    Some(())
}

fn requirement(text: &At<String>, reader: &mut Reader) -> Option<VersionReq> {
    match VersionReq::parse(&text.value) {
        Ok(requirement) => Some(requirement),
        Err(error) => bad_version(text, &error, "\">=0.1, <0.3\"", reader),
    }
}

fn bad_version<T>(
    text: &At<String>,
    error: &semver::Error,
    example: &str,
    reader: &mut Reader,
) -> Option<T> {
    let message = format!("`{}` is not a version: {error}", text.value);
    let problem = Diagnostic::new(Code::BadName, message).at(&text.place);
    reader.report(problem.help(format!("write it like {example}")));
    None
}

fn refuse_duplicates(packs: &mut Vec<Pack>, problems: &mut Vec<Diagnostic>) {
    let mut seen: Vec<String> = Vec::new();
    packs.retain(|pack| {
        let again = seen.contains(&pack.name);
        if again {
            let message = format!("the pack `{}` is loaded twice", pack.name);
            let problem = Diagnostic::new(Code::DuplicateId, message);
            problems.push(problem.help("leave one of the two out"));
        }
        seen.push(pack.name.clone());
        !again
    });
}

/// Leaves out packs whose foundations are missing, and those that build on them in turn.
fn refuse_incomplete(packs: &mut Vec<Pack>, problems: &mut Vec<Diagnostic>) {
    loop {
        let known: Vec<(String, Version)> = packs
            .iter()
            .map(|pack| (pack.name.clone(), pack.version.clone()))
            .collect();
        let before = packs.len();
        packs.retain(|pack| {
            let mut complete = true;
            for (need, versions) in &pack.needs {
                let found = known.iter().find(|(name, _)| *name == need.value);
                let message = match found {
                    Some((_, version)) if versions.matches(version) => continue,
                    Some((name, version)) => format!(
                        "`{}` builds on `{name}` {versions}, and {version} is loaded",
                        pack.name
                    ),
                    None => format!(
                        "`{}` builds on `{}`, which is not loaded",
                        pack.name, need.value
                    ),
                };
                let problem = Diagnostic::new(Code::MissingPack, message).at(&need.place);
                let names = known.iter().map(|(name, _)| name.as_str());
                problems.push(match found {
                    None => match super::diagnostic::nearest(&need.value, names) {
                        Some(near) => problem.meant(&need.value, near),
                        None => problem.help("add it with `--content`"),
                    },
                    Some(_) => problem,
                });
                complete = false;
            }
            complete
        });
        if packs.len() == before {
            return;
        }
    }
}

fn ordered(mut waiting: Vec<Pack>, problems: &mut Vec<Diagnostic>) -> Vec<Pack> {
    let mut placed: Vec<Pack> = Vec::new();
    while !waiting.is_empty() {
        let is_placed = |name: &str| placed.iter().any(|pack| pack.name == name);
        let ready = |pack: &Pack| pack.needs.iter().all(|(need, _)| is_placed(&need.value));
        match waiting.iter().position(ready) {
            Some(next) => placed.push(waiting.remove(next)),
            None => {
                let names: Vec<&str> = waiting.iter().map(|p| p.name.as_str()).collect();
                let message = format!("packs build on each other: {}", names.join(", "));
                let mut problem = Diagnostic::new(Code::PackCycle, message);
                let needs = waiting.iter().flat_map(|pack| &pack.needs);
                let waits = |name: &str| waiting.iter().any(|pack| pack.name == name);
                for (i, (need, _)) in needs.filter(|(n, _)| waits(&n.value)).enumerate() {
                    problem = match i {
                        0 => problem.at(&need.place),
                        _ => problem.related(&need.place, ""),
                    };
                }
                problems.push(problem);
                return placed;
            }
        }
    }
    placed
}

/// One layer for each pack, and for `with/<pack>/` another as soon as both are there.
fn layers(packs: &[Pack]) -> Vec<Layer> {
    let mut layers = Vec::new();
    for (index, pack) in packs.iter().enumerate() {
        layers.push(Layer {
            name: pack.name.clone(),
            items: pack.items.clone(),
        });
        let here = &packs[..=index];
        let mut push = |owner: &Pack, other: &Pack| {
            let items = owner.with.get(&other.name);
            layers.extend(items.map(|items| Layer {
                name: owner.name.clone(),
                items: items.clone(),
            }));
        };
        for other in &here[..index] {
            push(pack, other);
            push(other, pack);
        }
    }
    layers
}
