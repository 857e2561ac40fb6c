//! Getting packs: from a file, a folder, an address or an index; looked at first, shown, asked about, and installed.

use super::{failed, index_place, make, store};
use crate::arguments::packs::{Add, IndexPlace, Update};
use crate::isolated;
use crate::output::{Failure, Outcome, errln};
use crate::words::{say, word};
use ludoteca::limits::{LONGEST_LABEL, MOST_LISTED, MOST_OF_A_KIND};
use ludoteca::{legible_line, nearest};
use ludoteca_packs::archive::{self, Archive};
use ludoteca_packs::contents::is_name;
use ludoteca_packs::fetch::{self, Whereabouts};
use ludoteca_packs::index;
use ludoteca_packs::resolve::{self, Chosen};
use ludoteca_packs::store::{Store, Trust};
use ludoteca_packs::{PackError, summary};
use semver::VersionReq;
use std::collections::BTreeMap;
use std::io::{BufRead, IsTerminal};
use std::path::{Path, PathBuf};

/// Packs to install, each with where it came from.
type Wanted = Vec<(Archive, String)>;

pub fn run(content: &[PathBuf], add: &Add) -> Outcome {
    let store = store()?;
    let wanted = match add.place.index.is_some() && is_wish(&add.what) {
        true => None,
        false => found(&add.what)?,
    };
    let wanted = match wanted {
        Some(found) => vec![found],
        None => by_name(&store, &add.what, &add.place)?,
    };
    install(content, &store, wanted, add.yes, add.accept_key)
}

/// Whether it is a name, with a requirement or without: where there is an index it is meant, and no folder that happens to be called so.
fn is_wish(what: &str) -> bool {
    is_name(what.split_once('@').map_or(what, |(name, _)| name))
}

/// A file, a folder or an address; `None` if a name is meant.
fn found(what: &str) -> Result<Option<(Archive, String)>, Failure> {
    if fetch::is_address(what) {
        let bytes = fetch::download(what).map_err(|error| failed(error.into()))?;
        let archive = archive::read(&bytes).map_err(|error| failed(error.into()))?;
        return Ok(Some((archive, what.to_string())));
    }
    let path = Path::new(what);
    if !path.exists() {
        return Ok(None);
    }
    let from = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let archive = make::read(path).map_err(failed)?;
    Ok(Some((archive, from.display().to_string())))
}

fn by_name(store: &Store, what: &str, place: &IndexPlace) -> Result<Wanted, Failure> {
    let (name, wanted) = what.split_once('@').unwrap_or((what, "*"));
    let wanted = VersionReq::parse(wanted).map_err(|error| {
        Failure::Usage(say!(
            "«{wanted}» no es un requisito: {error}",
            "`{wanted}` is not a requirement: {error}"
        ))
    })?;
    if place.index.is_none() {
        let near = nearest(what, packs_here().iter().map(String::as_str)).map(str::to_string);
        let hint = near.map_or(String::new(), |near| {
            say!("; ¿quizá «{near}»?", "; did you mean `{near}`?")
        });
        return Err(Failure::Usage(say!(
            "no hay archivo ni carpeta «{what}»{hint}; para buscar un paquete de ese nombre di `--index CARPETA-O-DIRECCIÓN`",
            "there is no file or folder `{what}`{hint}; to look for a pack of that name say `--index FOLDER-OR-ADDRESS`"
        )));
    }
    let place = index_place(place)?;
    let mut present = store.present().map_err(failed)?;
    // Who asks for a pack by name wants the newest that fits, not the one that is there.
    present.remove(name);
    let wishes = BTreeMap::from([(name.to_string(), wanted)]);
    let chosen = resolve::choose(&wishes, &present, &place).map_err(failed)?;
    downloaded(&place, &chosen)
}

/// Packs where the user stands: folders of packs and pack files.
fn packs_here() -> Vec<String> {
    let entries = std::fs::read_dir(".").into_iter().flatten().flatten();
    let is_pack = |path: &Path| {
        let file = path
            .extension()
            .is_some_and(|end| end.to_string_lossy() == archive::ENDING[1..]);
        file || path.join("pack.toml").is_file()
    };
    let found = entries.filter(|entry| is_pack(&entry.path()));
    let names = found.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.take(MOST_LISTED).collect()
}

fn downloaded(place: &Whereabouts, chosen: &Chosen) -> Result<Wanted, Failure> {
    let mut wanted = Vec::new();
    for (name, release) in chosen {
        let archive = index::download(place, name, release).map_err(failed)?;
        wanted.push((archive, place.shown()));
    }
    Ok(wanted)
}

pub fn update(content: &[PathBuf], update: &Update) -> Outcome {
    let store = store()?;
    let place = index_place(&update.place)?;
    let mut present = store.present().map_err(failed)?;
    let wishes: BTreeMap<String, VersionReq> = present
        .keys()
        .filter(|name| update.name.as_ref().is_none_or(|wanted| wanted == *name))
        .map(|name| (name.clone(), VersionReq::STAR))
        .collect();
    if let Some(name) = update.name.as_ref().filter(|_| wishes.is_empty()) {
        let known = present.keys().map(String::as_str);
        return Err(failed(PackError::not_installed(name, known)));
    }
    let before = present.clone();
    present.retain(|name, _| !wishes.contains_key(name));
    // A pack that came from a file is not in the index, and stays as it is.
    let mut known: BTreeMap<String, VersionReq> = BTreeMap::new();
    for (name, wanted) in wishes {
        if !index::versions(&place, &name)
            .map_err(failed)?
            .all
            .is_empty()
        {
            known.insert(name, wanted);
        }
    }
    for (name, there) in &before {
        if !known.contains_key(name) {
            present.insert(name.clone(), there.clone());
        }
    }
    let mut chosen = resolve::choose(&known, &present, &place).map_err(failed)?;
    chosen.retain(|name, release| {
        before
            .get(name)
            .is_none_or(|there| there.version < release.number)
    });
    if chosen.is_empty() {
        errln!(
            "{}",
            say!(
                "todo está tan al día como el índice",
                "everything is as new as the index has it"
            )
        );
        return Ok(());
    }
    install(
        content,
        &store,
        downloaded(&place, &chosen)?,
        update.yes,
        false,
    )
}

/// Looks at packs, says what they bring, asks, and installs them.
fn install(
    content: &[PathBuf],
    store: &Store,
    wanted: Wanted,
    yes: bool,
    accept_key: bool,
) -> Outcome {
    for (archive, from) in &wanted {
        present(store, archive, from)?;
        trusted(store, archive, accept_key, yes)?;
    }
    looked_at(content, store, &wanted)?;
    if !yes && !agreed(&wanted)? {
        errln!(
            "{}",
            say!("no se ha instalado nada", "nothing was installed")
        );
        return Ok(());
    }
    for pack in store.install(&wanted).map_err(failed)? {
        errln!(
            "{}",
            say!(
                "{} {} está instalado",
                "{} {} is installed",
                pack.name,
                pack.version
            )
        );
    }
    Ok(())
}

/// What a pack is, brings and changes.
fn present(store: &Store, archive: &Archive, from: &str) -> Outcome {
    let facts = archive.contents.facts().map_err(failed)?;
    errln!(
        "{}",
        say!(
            "{} {} de {} ({})",
            "{} {} by {} ({})",
            facts.name,
            facts.version,
            shortened(&facts.authors.join(", ")),
            shortened(&facts.licence)
        )
    );
    errln!("  {} {}", word!("de", "from"), legible_line(from));
    let before = store.installed().map_err(failed)?;
    if let Some(before) = before.iter().find(|pack| pack.name == facts.name) {
        errln!(
            "  {} {}",
            word!("en lugar de", "in place of"),
            before.version
        );
    }
    let base = ludoteca_base::packs();
    let known = |path: &str| base.iter().any(|pack| pack.source.read(path).is_ok());
    for line in summary::lines(&archive.contents, known) {
        errln!("  {line}");
    }
    for (name, versions) in facts.builds_on.iter().take(MOST_OF_A_KIND) {
        errln!("  {} {name} {versions}", word!("se apoya en", "builds on"));
    }
    let more = facts.builds_on.len().saturating_sub(MOST_OF_A_KIND);
    if more > 0 {
        errln!("  {}", say!("y {more} más", "and {more} more"));
    }
    Ok(())
}

/// A stranger's words on one line, as far as anybody reads them.
fn shortened(text: &str) -> String {
    let text = legible_line(text);
    let mut letters = text.chars();
    let start: String = letters.by_ref().take(LONGEST_LABEL / 4).collect();
    match letters.next() {
        Some(_) => format!("{start}.."),
        None => start,
    }
}

/// Who signed it, and whether that is who signed it before.
fn trusted(store: &Store, archive: &Archive, accept_key: bool, yes: bool) -> Outcome {
    match store.trust(archive).map_err(failed)? {
        Trust::Unsigned => errln!(
            "  {}",
            say!(
                "no está firmado: nadie responde de quién lo hizo",
                "it is not signed: nobody vouches for who made it"
            )
        ),
        Trust::First(key) => errln!(
            "  {}",
            say!(
                "firmado por {key}, que se ve por primera vez",
                "signed by {key}, seen for the first time"
            )
        ),
        Trust::Known(key) => errln!(
            "  {}",
            say!(
                "firmado por {key}, como antes",
                "signed by {key}, as before"
            )
        ),
        Trust::Changed { before, now } => {
            let now = now.unwrap_or_else(|| say!("nadie", "nobody"));
            errln!(
                "  {}",
                say!(
                    "firmado por {now}; antes lo firmaba {before}",
                    "signed by {now}; before it was signed by {before}"
                )
            );
            // Who says yes to everything beforehand has not thought of this.
            let asked = !yes && std::io::stdin().is_terminal();
            let question = word!(
                "La clave ha cambiado; pregunta al autor si es así. ¿Aceptarla? [s/N]",
                "The key has changed; ask the author if that is right. Accept it? [y/N]"
            );
            let accepted = accept_key || (asked && answered_yes(question));
            if !accepted {
                return Err(Failure::Game(say!(
                    "la clave ha cambiado: pregunta al autor, y di `--accept-key` si es así",
                    "the key has changed: ask the author, and say `--accept-key` if that is right"
                )));
            }
        }
    }
    Ok(())
}

/// Checks the packs where they can do no harm, before anything of them is installed: over all that is installed and stays.
fn looked_at(content: &[PathBuf], store: &Store, wanted: &Wanted) -> Outcome {
    let mut staging = isolated::Staging::new()?;
    let mut staying = store.installed().map_err(failed)?;
    for (archive, from) in wanted {
        let new = archive.contents.facts().map_err(failed)?;
        staying.retain(|pack| pack.name != new.name);
        // What lies in a folder can be mended there; of an index only the name says anything.
        let called = match Path::new(from).join("pack.toml").is_file() {
            true => legible_line(from).into_owned(),
            false => new.name.clone(),
        };
        staging.unpack(archive, &called)?;
    }
    let beneath: Vec<PathBuf> = staying.iter().map(|pack| store.folder(pack)).collect();
    isolated::check(content, &beneath, &staging)
}

fn agreed(wanted: &Wanted) -> Result<bool, Failure> {
    if !std::io::stdin().is_terminal() {
        return Err(Failure::Usage(say!(
            "aquí no se puede preguntar a nadie; di `--yes` si va en serio",
            "nobody can be asked here; say `--yes` if you mean it"
        )));
    }
    Ok(answered_yes(match wanted.len() {
        1 => word!("¿Instalarlo? [s/N]", "Install it? [y/N]"),
        _ => word!("¿Instalarlos? [s/N]", "Install them? [y/N]"),
    }))
}

fn answered_yes(question: &str) -> bool {
    errln!("{question}");
    let mut line = String::new();
    let read = std::io::stdin().lock().read_line(&mut line);
    read.is_ok() && matches!(line.trim(), "y" | "Y" | "yes" | "s" | "S" | "sí" | "si")
}
