//! `ludoteca pack`: packs by others, got, shown, made, signed and published.

mod add;
mod make;

use crate::arguments::packs::{IndexPlace, Pack};
use crate::output::{Failure, Outcome, errln, outln};
use crate::words::{counted, errors::told, say, word};
use ludoteca::legible_line;
use ludoteca_packs::fetch::Whereabouts;
use ludoteca_packs::lock::Lock;
use ludoteca_packs::store::{Installed, Store};
use ludoteca_packs::{PackError, index};
use serde_json::json;
use std::path::PathBuf;

pub fn run(content: &[PathBuf], pack: &Pack) -> Outcome {
    match pack {
        Pack::Add(wanted) => add::run(content, wanted),
        Pack::Update(wanted) => add::update(content, wanted),
        Pack::List(list) => show_list(list.json),
        Pack::Remove { name } => {
            let removed = store()?.remove(name).map_err(failed)?;
            errln!(
                "{}",
                say!(
                    "{} {} ya no está",
                    "{} {} is gone",
                    removed.name,
                    removed.version
                )
            );
            Ok(())
        }
        Pack::Info { name, place } => info(name, place),
        Pack::Build(build) => make::build(build),
        Pack::Sign { file } => make::sign(file),
        Pack::Keys => make::keys(),
        Pack::Publish { index, pack } => make::publish(index, pack.as_deref()),
        Pack::Lock => lock(),
    }
}

/// A mistake in what was typed ends with another code than one in a pack.
fn failed(error: PackError) -> Failure {
    match error {
        PackError::Unknown { .. } | PackError::NotInstalled { .. } | PackError::Needed { .. } => {
            Failure::Usage(told(&error))
        }
        other => Failure::Game(told(&other)),
    }
}

/// Where this user's packs are.
fn store() -> Result<Store, Failure> {
    Store::of_user().ok_or_else(|| {
        Failure::Usage(say!(
            "no hay carpeta personal; di con LUDOTECA_HOME dónde van los paquetes",
            "there is no home folder; say with LUDOTECA_HOME where packs go"
        ))
    })
}

fn index_place(place: &IndexPlace) -> Result<Whereabouts, Failure> {
    let text = place.index.as_ref().ok_or_else(|| {
        Failure::Usage(say!(
            "¿qué índice? `--index CARPETA-O-DIRECCIÓN`, o LUDOTECA_INDEX",
            "which index? `--index FOLDER-OR-ADDRESS`, or LUDOTECA_INDEX"
        ))
    })?;
    let place = Whereabouts::new(text);
    // An index that is not there would look like one that has nothing new.
    if let Whereabouts::Folder(folder) = &place
        && !folder.is_dir()
    {
        let folder = folder.display();
        return Err(Failure::Usage(say!(
            "{folder}: no hay tal carpeta",
            "{folder}: there is no such folder"
        )));
    }
    Ok(place)
}

fn signer(pack: &Installed) -> String {
    match &pack.key {
        Some(key) => say!("firmado por {key}", "signed by {key}"),
        None => say!("sin firmar", "not signed"),
    }
}

fn show_list(as_json: bool) -> Outcome {
    let store = store()?;
    let installed = store.installed().map_err(failed)?;
    if as_json {
        let packs: Vec<_> = installed
            .iter()
            .map(|pack| {
                let touched = store.verify(pack).err().map(|error| error.to_string());
                json!({ "name": pack.name, "version": pack.version.to_string(), "hash": pack.hash, "key": pack.key, "from": pack.from, "touched": touched })
            })
            .collect();
        outln!("{}", json!({ "packs": packs }));
        return Ok(());
    }
    for pack in &installed {
        outln!("{} {}  {}", pack.name, pack.version, signer(pack));
        if let Err(error) = store.verify(pack) {
            outln!("  {}", told(&error));
        }
    }
    if installed.is_empty() {
        errln!(
            "{}",
            say!(
                "no hay paquetes instalados; `ludoteca pack add` los trae",
                "no packs are installed; `ludoteca pack add` gets some"
            )
        );
    }
    Ok(())
}

fn info(name: &str, place: &IndexPlace) -> Outcome {
    let store = store()?;
    let installed = store.installed().map_err(failed)?;
    let pack = installed.iter().find(|pack| pack.name == name);
    if let Some(pack) = pack {
        outln!(
            "{}",
            say!(
                "{} {} está instalado, {}",
                "{} {} is installed, {}",
                pack.name,
                pack.version,
                signer(pack)
            )
        );
        outln!("  {} {}", word!("de", "from"), legible_line(&pack.from));
        outln!("  {} {}", word!("huella", "hash"), pack.hash);
        outln!("  {} {}", word!("en", "in"), store.folder(pack).display());
        for (other, wanted) in &pack.builds_on {
            outln!("  {} {other} {wanted}", word!("se apoya en", "builds on"));
        }
        store.verify(pack).map_err(failed)?;
    }
    if place.index.is_some() {
        let place = index_place(place)?;
        let found = index::versions(&place, name).map_err(failed)?;
        for release in &found.all {
            outln!(
                "{}",
                say!(
                    "{name} {} en el índice, núcleo {}",
                    "{name} {} in the index, kernel {}",
                    release.number,
                    release.kernel
                )
            );
        }
        if found.all.is_empty() && pack.is_none() {
            let known = index::known(&place);
            let unknown = PackError::unknown(name, known.iter().map(String::as_str));
            return Err(failed(unknown));
        }
    } else if pack.is_none() {
        let known = installed.iter().map(|pack| pack.name.as_str());
        return Err(failed(PackError::not_installed(name, known)));
    }
    Ok(())
}

fn lock() -> Outcome {
    let store = store()?;
    let installed = store.installed().map_err(failed)?;
    for pack in &installed {
        store.verify(pack).map_err(failed)?;
    }
    let path = Lock::of(&installed)
        .write(&PathBuf::from("."))
        .map_err(failed)?;
    let packs = counted(installed.len(), ["paquete", "paquetes", "pack", "packs"]);
    errln!(
        "{}",
        say!("{} nombra {packs}", "{} names {packs}", path.display())
    );
    Ok(())
}
