//! Finding content: the pack one stands in, the one built into the binary, and those named on the command line.

use crate::arguments::GameChoice;
use crate::output::{Failure, Outcome, show};
use crate::words::{errors::told, say};
use ludoteca::{
    Definition, Diagnostic, Edited, Folder, Game, Library, Loaded, PackSource, Selection, Source,
    Transcript, load, nearest, pack::BASE, too_large,
};
use ludoteca_base::SHELF;
use ludoteca_packs::PackError;
use ludoteca_packs::lock::LOCK;
use ludoteca_packs::store::{Installed, Store};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

/// All packs in order: the base (the working folder if it is a checkout, so that edits count without compiling), then the folder one
/// stands in if it is a pack of its own, then what is installed, then what `--content` names.
pub fn open(content: &[PathBuf]) -> Result<(Library, Vec<Diagnostic>), Failure> {
    Ok(Library::open(&sources(content)?))
}

/// The same packs, before they are opened.
pub fn sources(content: &[PathBuf]) -> Result<Vec<PackSource>, Failure> {
    let (mut packs, named) = (at_home()?, named(content)?);
    let nearer: Vec<String> = packs.iter().chain(&named).map(PackSource::called).collect();
    if let Some((store, installed)) = installed(&nearer)? {
        let source =
            |pack: &Installed| PackSource::new(&pack.name, Folder::new(store.folder(pack)));
        packs.extend(installed.iter().map(source));
    }
    packs.extend(named);
    Ok(packs)
}

/// All packs, with texts in place of files of the one in a folder.
pub fn open_edited(
    content: &[PathBuf],
    folder: &Path,
    texts: BTreeMap<String, String>,
) -> Result<Library, Failure> {
    let mut packs = sources(content)?;
    let is_base = matches!(home(), Some(Home::Checkout(root)) if root.canonicalize().ok() == folder.canonicalize().ok());
    let name = match is_base {
        true => BASE.to_string(),
        false => self::folder(folder)?[0].called(),
    };
    if let Some(pack) = packs.iter_mut().find(|pack| pack.called() == name) {
        pack.source = Arc::new(Edited::new(pack.source.clone(), texts));
    }
    Ok(Library::open(&packs).0)
}

/// The variants a game has, by id.
pub fn variants(content: &[PathBuf], game: &str) -> Result<Vec<String>, Failure> {
    let (library, _) = open(content)?;
    let games = library.games().into_iter();
    let of_game = games.filter(|found| found.id == game);
    let ids = of_game
        .flat_map(|found| found.variants)
        .map(|variant| variant.id);
    Ok(ids.collect())
}

/// The same without what is installed: who may read little is told what to read.
pub fn open_told(content: &[PathBuf]) -> Result<(Library, Vec<Diagnostic>), Failure> {
    let mut packs = at_home()?;
    packs.extend(named(content)?);
    Ok(Library::open(&packs))
}

/// The base, and the pack one stands in.
fn at_home() -> Result<Vec<PackSource>, Failure> {
    match home() {
        Some(Home::Checkout(root)) => {
            let shelf = shelf_of(&root);
            Ok(vec![
                PackSource::new(BASE, Folder::new(root)),
                PackSource::new(SHELF, Folder::new(shelf)),
            ])
        }
        Some(Home::Pack(root)) => {
            let own = folder(&root)?;
            let mut packs = ludoteca_base::packs();
            // Who stands in the shelf's own folder edits it.
            packs.retain(|pack| own.iter().all(|own| own.called() != pack.name));
            packs.extend(own);
            Ok(packs)
        }
        None => Ok(ludoteca_base::packs()),
    }
}

/// What `--content` names. Who names the pack one stands in, or one folder twice, means that one.
fn named(content: &[PathBuf]) -> Result<Vec<PackSource>, Failure> {
    let here = home_folder().and_then(|root| root.canonicalize().ok());
    let mut known: Vec<PathBuf> = here.into_iter().collect();
    let mut packs = Vec::new();
    for root in content {
        if let Ok(real) = root.canonicalize() {
            if known.contains(&real) {
                continue;
            }
            known.push(real);
        }
        packs.extend(folder(root)?);
    }
    Ok(packs)
}

static LOCKED: AtomicBool = AtomicBool::new(false);

/// Says whether only what the lock names may be played with.
pub fn lock_is_wanted(wanted: bool) {
    LOCKED.store(wanted, Ordering::Relaxed);
}

/// The packs installed for this user: those the lock of this folder names, or all of them. Who works on the base itself has none.
/// Packs that are nearer at hand, in the folder one stands in or in one that is named, come in the place of installed ones.
fn installed(nearer: &[String]) -> Result<Option<(Store, Vec<Installed>)>, Failure> {
    let lock = upwards(|folder, _| Some(folder.join(LOCK)).filter(|path| path.is_file()));
    let wanted = LOCKED.load(Ordering::Relaxed);
    if wanted && lock.is_none() {
        return Err(Failure::Usage(say!(
            "no hay ningún {LOCK} aquí ni más arriba",
            "there is no {LOCK} here or above"
        )));
    }
    if lock.is_none() && matches!(home(), Some(Home::Checkout(_))) {
        return Ok(None);
    }
    let Some(store) = Store::of_user() else {
        return Ok(None);
    };
    let said = |error: PackError| Failure::Game(told(&error));
    let mut packs = store.played_with(lock.as_deref()).map_err(said)?;
    packs.retain(|pack| !nearer.contains(&pack.name));
    Ok(Some((store, packs)))
}

/// The folders of the installed packs that [`open`] would read, for a process that is told.
pub fn installed_folders(content: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let (own, named) = (at_home()?, named(content)?);
    let nearer: Vec<String> = own.iter().chain(&named).map(PackSource::called).collect();
    let found = installed(&nearer)?;
    Ok(found.map_or_else(Vec::new, |(store, packs)| {
        packs.iter().map(|pack| store.folder(pack)).collect()
    }))
}

/// Whether one stands in a pack of one's own.
pub fn stands_in_a_pack() -> bool {
    matches!(home(), Some(Home::Pack(_)))
}

/// The folder one works in, if it is content.
pub fn home_folder() -> Option<PathBuf> {
    match home()? {
        Home::Checkout(root) | Home::Pack(root) => Some(root),
    }
}

/// The shelf of classics, for who works on the base.
pub fn shelf() -> Option<PathBuf> {
    match home()? {
        Home::Checkout(root) => Some(shelf_of(&root)),
        Home::Pack(_) => None,
    }
}

fn shelf_of(root: &Path) -> PathBuf {
    root.join("examples").join(SHELF)
}

/// The files of all packs that are folders, with what changes when somebody edits them.
pub fn files(content: &[PathBuf]) -> BTreeMap<String, (SystemTime, u64)> {
    let home = match home() {
        Some(Home::Checkout(root) | Home::Pack(root)) => Some(root),
        None => None,
    };
    let mut found = BTreeMap::new();
    for root in home.iter().chain(content) {
        for folder in Folder::find(root).unwrap_or_default() {
            for path in folder.list() {
                let full = folder.root().join(&path);
                if let Ok(facts) = std::fs::metadata(&full) {
                    let when = facts.modified().unwrap_or(SystemTime::UNIX_EPOCH);
                    found.insert(folder.shown(&path), (when, facts.len()));
                }
            }
        }
    }
    found
}

/// The same with the files of scenarios.
pub fn all_files(content: &[PathBuf]) -> BTreeMap<String, (SystemTime, u64)> {
    let mut found = files(content);
    let home = home_folder();
    for root in home.iter().chain(content) {
        for folder in Folder::find(root).unwrap_or_default() {
            for path in folder.scenarios() {
                if let Ok(facts) = std::fs::metadata(folder.root().join(&path)) {
                    let when = facts.modified().unwrap_or(SystemTime::UNIX_EPOCH);
                    found.insert(folder.shown(&path), (when, facts.len()));
                }
            }
        }
    }
    found
}

/// The working folder, if it holds content and belongs to no pack.
pub fn content_here() -> Option<PathBuf> {
    let here = PathBuf::from(".");
    (home().is_none() && looks_like_content(&here)).then_some(here)
}

/// Whether a folder has files of games in the places where packs have them.
pub fn looks_like_content(folder: &Path) -> bool {
    let is_content = |path: &String| {
        let mut parts = path.split('/');
        let (top, inside) = (parts.next(), parts.nth(1));
        match top {
            Some("scripts") => {
                inside.is_some_and(|name| name == "game.toml" || name.ends_with(".rhai"))
            }
            Some("cards" | "maps" | "decks" | "looks" | "variants") => path.ends_with(".toml"),
            _ => false,
        }
    };
    Folder::new(folder).list().iter().any(is_content)
}

/// Where the games come from, for people who wonder why an edit does nothing.
pub fn whence(content: &[PathBuf]) -> String {
    let mut said = home_said();
    for folder in content {
        said = match folder == Path::new(".") {
            true => say!("{said}; y esta carpeta", "{said}; and this folder"),
            false => say!("{said}; y {}", "{said}; and {}", folder.display()),
        };
    }
    said
}

fn home_said() -> String {
    match home() {
        Some(Home::Checkout(root)) => say!(
            "los juegos se leen de {}",
            "the games are read from {}",
            root.display()
        ),
        Some(Home::Pack(root)) => say!(
            "los juegos son los incluidos en la orden, y el paquete {}",
            "the games are those built into the command, and the pack {}",
            root.display()
        ),
        None => say!(
            "los juegos son los incluidos en la orden; para editarlos hay que estar en el repositorio o en un paquete",
            "the games are those built into the command; stand in a checkout or a pack to edit them"
        ),
    }
}

fn folder(root: &Path) -> Result<Vec<PackSource>, Failure> {
    let found = PackSource::folder(root)
        .map_err(|error| Failure::Usage(format!("{}: {}", root.display(), told(&error))))?;
    if found.is_empty() {
        return Err(Failure::Usage(say!(
            "{}: esto no es un paquete: no tiene scripts/, maps/, cards/, decks/, looks/ ni variants/",
            "{}: this is not a pack: it has no scripts/, maps/, cards/, decks/, looks/ or variants/",
            root.display()
        )));
    }
    Ok(found)
}

pub enum Home {
    /// The base pack itself, as a checkout.
    Checkout(PathBuf),
    /// A community pack.
    Pack(PathBuf),
}

/// The pack the working folder belongs to, if any.
pub fn home() -> Option<Home> {
    upwards(|folder, from_here| {
        if folder.join("pack.toml").is_file() {
            return Some(Home::Pack(from_here.to_path_buf()));
        }
        let is_base =
            folder.join("core/ARCHITECTURE.md").is_file() && folder.join("scripts").is_dir();
        is_base.then(|| Home::Checkout(from_here.to_path_buf()))
    })
}

/// The first folder from here upwards that has something. It hears the folder, and the way there from here, which is what people read.
pub fn upwards<T>(find: impl Fn(&Path, &Path) -> Option<T>) -> Option<T> {
    let here = std::env::current_dir().ok()?;
    let mut from_here = PathBuf::from(".");
    here.ancestors().enumerate().find_map(|(up, folder)| {
        if up == 1 {
            from_here = PathBuf::from("..");
        } else if up > 1 {
            from_here.push("..");
        }
        find(folder, &from_here)
    })
}

/// Variants and settings as typed.
pub fn selection(choice: &GameChoice) -> Result<Selection, Failure> {
    selected(&choice.variants, &choice.set)
}

/// The same, where the game itself may be left out.
pub fn selected(variants: &[String], set: &[String]) -> Result<Selection, Failure> {
    let set = set.iter().map(|written| {
        let (key, value) = written.split_once('=').ok_or_else(|| {
            Failure::Usage(say!(
                "`--set {written}`: hace falta clave=valor",
                "`--set {written}`: expected key=value"
            ))
        })?;
        Ok((key.trim().to_string(), value.trim().to_string()))
    });
    Ok(Selection {
        variants: variants.to_vec(),
        set: set.collect::<Result<_, Failure>>()?,
    })
}

/// The game asked for, ready to play.
pub fn game(content: &[PathBuf], choice: &GameChoice) -> Result<Arc<Game>, Failure> {
    let (library, _) = open(content)?;
    load_game(&library, &choice.game, &selection(choice)?)
}

pub fn load_game(
    library: &Library,
    game: &str,
    selection: &Selection,
) -> Result<Arc<Game>, Failure> {
    known(library, game)?;
    load(library, game, selection).map_err(|diagnostics| {
        show(&diagnostics);
        Failure::Content
    })
}

/// A game that is not there is the player's mistake, not an author's: it is said in the player's language.
pub fn known(library: &Library, game: &str) -> Outcome {
    let games = library.game_ids();
    if games.contains(game) {
        return Ok(());
    }
    let near = nearest(game, games.iter().map(String::as_str));
    let hint = match near {
        Some(near) => say!("¿quizá «{near}»?", "did you mean `{near}`?"),
        None => say!("`ludoteca list` los muestra", "`ludoteca list` shows them"),
    };
    Err(Failure::Game(say!(
        "no hay ningún juego «{game}»; {hint}",
        "there is no game `{game}`; {hint}"
    )))
}

/// Whether the packs of a saved match are there; if not, which are missing and how to get them.
pub fn complete(library: &Library, saved: &Transcript) -> Result<(), Failure> {
    let missing = saved.missing(&library.packs_used());
    match missing.is_empty() {
        true => Ok(()),
        false => Err(Failure::Game(say!(
            "{}; `--anyway` la juega hasta donde llegue",
            "{}; `--anyway` plays it as far as it goes",
            missing.join("\n")
        ))),
    }
}

/// The game's data with the story of every value. What is wrong is shown; what can be read is used.
pub fn load_data(
    content: &[PathBuf],
    game: &str,
    selection: &Selection,
) -> Result<Loaded, Failure> {
    let (library, _) = open(content)?;
    known(&library, game)?;
    match library.load(game, selection) {
        Ok(mut loaded) => {
            // What is too large to be played is too large to be gone through.
            loaded.diagnostics.extend(too_large(&loaded.definition));
            show(&loaded.diagnostics);
            if loaded.has_errors() {
                Err(Failure::Content)
            } else {
                Ok(loaded)
            }
        }
        Err(diagnostics) => {
            show(&diagnostics);
            Err(Failure::Content)
        }
    }
}

/// A number of players the game allows.
pub fn players(game: &Game, wanted: Option<u8>) -> Result<u8, Failure> {
    players_of(&game.definition, wanted)
}

/// The same of a game that is not compiled.
pub fn players_of(definition: &Definition, wanted: Option<u8>) -> Result<u8, Failure> {
    let (fewest, most) = definition.players;
    let players = wanted.unwrap_or(fewest);
    if !(fewest..=most).contains(&players) {
        let id = &definition.id;
        return Err(Failure::Usage(match (fewest, most) {
            (1, 1) => say!(
                "{id} es para un jugador, no para {players}",
                "{id} is for one player, not {players}"
            ),
            (fewest, most) if fewest == most => say!(
                "{id} es para {most} jugadores, no para {players}",
                "{id} is for {most} players, not {players}"
            ),
            _ => say!(
                "{id} es para {fewest} a {most} jugadores, no para {players}",
                "{id} is for {fewest} to {most} players, not {players}"
            ),
        }));
    }
    Ok(players)
}
