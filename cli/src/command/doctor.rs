//! `ludoteca doctor`: what is installed, which packs are read, and where things lie. What one asks for when something is odd.

use crate::arguments::Doctor;
use crate::output::{Outcome, outln};
use crate::packs;
use crate::words::{say, word};
use ludoteca_packs::store::Store;
use serde_json::json;
use std::io::IsTerminal;
use std::path::PathBuf;

/// Variables of the environment that change what happens.
const VARIABLES: [&str; 6] = [
    "LUDOTECA_CONTENT",
    "LUDOTECA_HOME",
    "LUDOTECA_LANG",
    "XDG_DATA_HOME",
    "NO_COLOR",
    "TERM",
];

pub fn run(content: &[PathBuf], doctor: &Doctor) -> Outcome {
    let (library, _) = packs::open(content)?;
    let games = library.games();
    let command = std::env::current_exe().ok();
    let command = command.map_or("?".to_string(), |path| path.display().to_string());
    let version = env!("CARGO_PKG_VERSION");
    let system = format!("{} {}", std::env::consts::OS, std::env::consts::ARCH);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let store = Store::of_user();
    let data = store
        .as_ref()
        .map(|store| store.root().display().to_string());
    let installed = store.as_ref().and_then(|store| store.installed().ok());
    let set = VARIABLES
        .iter()
        .filter_map(|name| Some((*name, std::env::var(name).ok()?)));
    let set: Vec<(&str, String)> = set.collect();
    let problems = library.problems().iter();
    let errors = problems.filter(|problem| problem.is_error()).count();
    if doctor.json {
        let packs: Vec<_> = library
            .packs
            .iter()
            .map(|pack| {
                let brought: Vec<&str> = games
                    .iter()
                    .filter(|game| game.pack == pack.name)
                    .map(|game| &*game.id)
                    .collect();
                json!({ "name": pack.name, "version": pack.version.to_string(), "games": brought })
            })
            .collect();
        outln!(
            "{}",
            json!({
                "version": version, "command": command, "system": system, "threads": threads,
                "content": packs::whence(content), "packs": packs, "data": data,
                "installed": installed.map(|all| all.len()), "errors": errors,
                "environment": set.iter().map(|(name, value)| (name.to_string(), json!(value))).collect::<serde_json::Map<_, _>>(),
            })
        );
        return Ok(());
    }
    outln!(
        "{}",
        say!(
            "ludoteca {version}, {system}, {threads} hilos",
            "ludoteca {version}, {system}, {threads} threads"
        )
    );
    line(word!("la orden", "the command"), &command);
    line(word!("contenido", "content"), &packs::whence(content));
    for pack in &library.packs {
        let brought: Vec<&str> = games
            .iter()
            .filter(|game| game.pack == pack.name)
            .map(|game| &*game.id)
            .collect();
        let brought = match brought.len() {
            0 => word!("cambia otros paquetes", "changes other packs").to_string(),
            1..=6 => brought.join(", "),
            many => {
                let some = brought[..3].join(", ");
                say!("{some}, .. ({many} juegos)", "{some}, .. ({many} games)")
            }
        };
        outln!("  {} {}: {brought}", pack.name, pack.version);
    }
    let problems = match errors {
        0 => say!(
            "ninguno con los paquetes y sus archivos; `ludoteca check` mira dentro",
            "none with packs and their files; `ludoteca check` looks inside"
        ),
        _ => say!(
            "{errors} con los paquetes y sus archivos; `ludoteca check` dice cuáles",
            "{errors} with packs and their files; `ludoteca check` says which"
        ),
    };
    line(word!("problemas", "problems"), &problems);
    let title = word!("datos", "data");
    match &data {
        Some(data) => {
            let what = say!(
                "{data} (paquetes y partidas)",
                "{data} (packs, and matches)"
            );
            line(title, &what);
            let count = match installed {
                Some(all) => all.len().to_string(),
                None => word!("no se pueden leer", "cannot be read").to_string(),
            };
            let count = say!("{count} paquetes", "{count} packs");
            line(word!("instalado", "installed"), &count);
        }
        None => line(
            title,
            word!(
                "sin sitio para datos: no están puestas ni HOME ni LUDOTECA_HOME",
                "no place for data: neither HOME nor LUDOTECA_HOME is set"
            ),
        ),
    }
    let terminal = match std::io::stdout().is_terminal() {
        true => {
            let (height, width) = console::Term::stdout().size();
            say!("sí, {width} por {height}", "yes, {width} by {height}")
        }
        false => say!(
            "no: esto va a un archivo o a otro programa",
            "no: this goes to a file or another program"
        ),
    };
    line("terminal", &terminal);
    for (name, value) in set {
        outln!("{name}={value}");
    }
    Ok(())
}

/// What something is, beside what it is called.
fn line(title: &str, what: &str) {
    outln!("{title:13} {what}");
}
