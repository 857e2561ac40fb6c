//! Matches are kept without asking, in a folder of the user's: where they go, which of them are not over, and which one to go on with.

use crate::output::{Failure, errln, outln};
use crate::terminal::page::wrap;
use crate::terminal::{Completions, Lines};
use crate::words::errors::told;
use crate::words::{language, say, word};
use ludoteca::{JournalError, Library, Session, Transcript, journal};
use ludoteca_packs::store::Store;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Matches that are offered, the latest first.
const OFFERED: usize = 9;

/// Where this user's matches are kept.
pub fn folder() -> Option<PathBuf> {
    Store::of_user().map(|store| store.root().join("matches"))
}

/// Keeps a match from now on in a file of its own. Where nothing can be written it is played all the same, and that is said.
pub fn keep(session: &mut Session) -> Option<PathBuf> {
    let folder = folder()?;
    let name = format!("{}-{}", session.transcript.game, session.transcript.seed);
    let tried = std::fs::create_dir_all(&folder).map_err(JournalError::Io);
    let kept = tried.and_then(|()| {
        // Two matches may have the same seed.
        let names = (1..).map(|n| match n {
            1 => folder.join(format!("{name}.transcript")),
            n => folder.join(format!("{name}-{n}.transcript")),
        });
        let path = names
            .take(10_000)
            .find(|path| !path.exists())
            .unwrap_or_else(|| folder.join(format!("{name}.transcript")));
        session.keep_in(&path).map(|()| path)
    });
    match kept {
        Ok(path) => Some(path),
        Err(error) => {
            let (folder, why) = (folder.display(), told(&error));
            errln!(
                "{}",
                say!(
                    "{folder}: {why}; la partida no queda guardada",
                    "{folder}: {why}; the match is not kept"
                )
            );
            None
        }
    }
}

/// A match that was begun and is not over.
pub struct Begun {
    pub path: PathBuf,
    pub transcript: Transcript,
    when: SystemTime,
}

/// Those there are, the latest first. Files that are no matches are passed over.
pub fn begun() -> Vec<Begun> {
    let entries = folder().and_then(|folder| std::fs::read_dir(folder).ok());
    let mut found: Vec<Begun> = entries
        .into_iter()
        .flatten()
        .filter_map(|entry| {
            let entry = entry.ok()?;
            let path = entry.path();
            if path.extension()? != "transcript" {
                return None;
            }
            let when = entry.metadata().ok()?.modified().ok()?;
            let transcript = journal::read(&path).ok()?;
            let outside = |name: &String| name == "human";
            let by_people = transcript.seats.iter().any(outside);
            (!transcript.over && by_people && !transcript.lines.is_empty()).then_some(Begun {
                path,
                transcript,
                when,
            })
        })
        .collect();
    found.sort_by_key(|begun| std::cmp::Reverse(begun.when));
    found
}

/// What somebody wants who says no game.
pub enum Picked {
    GoOn(PathBuf),
    New(String),
    Nothing,
}

/// Offers the matches that were begun, and the games there are.
pub fn choose(library: &Library) -> Result<Picked, Failure> {
    let begun = begun();
    let games = library.games();
    let title = |id: &str| {
        let game = games.iter().find(|game| game.id == id);
        game.map_or(id.to_string(), |game| {
            language().of(&game.title).to_string()
        })
    };
    let offered = &begun[..begun.len().min(OFFERED)];
    if !offered.is_empty() {
        outln!(
            "{}",
            word!("Partidas sin terminar:", "Matches that are not over:")
        );
        for (number, one) in (1..).zip(offered) {
            let (game, answers) = (title(&one.transcript.game), one.transcript.lines.len());
            let seats = seats(&one.transcript);
            let ago = ago(one.when);
            let line = say!(
                "{number:>3}) {game}, {seats}, {answers} respuestas, {ago}",
                "{number:>3}) {game}, {seats}, {answers} answers, {ago}"
            );
            for line in wrap(&line, 5) {
                outln!("{line}");
            }
        }
    }
    let names: Vec<String> = games.iter().map(|game| game.id.clone()).collect();
    for line in wrap(&say!("Juegos: {}", "Games: {}", names.join(", ")), 2) {
        outln!("{line}");
    }
    let mut lines = Lines::new();
    loop {
        let question = match offered.is_empty() {
            true => word!("¿A qué jugamos? ", "Which game? "),
            false => word!(
                "¿Cuál? Un número (Intro, la 1) o un juego nuevo: ",
                "Which? A number (Enter: 1), or a new game: "
            ),
        };
        let completions = Completions {
            lines: names.clone(),
            things: Vec::new(),
        };
        let Some(line) = lines.read(question, completions) else {
            return Ok(Picked::Nothing);
        };
        match (line.trim(), offered.is_empty()) {
            ("q", _) | ("", true) => return Ok(Picked::Nothing),
            ("", false) => return Ok(Picked::GoOn(offered[0].path.clone())),
            (typed, _) => {
                let number = typed.parse::<usize>().ok();
                let picked = number.and_then(|n| offered.get(n.checked_sub(1)?));
                if let Some(picked) = picked {
                    return Ok(Picked::GoOn(picked.path.clone()));
                }
                if names.iter().any(|name| name == typed) {
                    return Ok(Picked::New(typed.to_string()));
                }
                if let Err(error) = crate::packs::known(library, typed) {
                    outln!("{error}");
                }
            }
        }
    }
}

/// Says that a match of this game waits, to who begins another one.
pub fn remind(game: &str) {
    let waiting = begun();
    if waiting.iter().any(|begun| begun.transcript.game == game) {
        errln!(
            "{}",
            word!(
                "hay una partida de este juego sin terminar; `ludoteca play` ofrece seguirla",
                "a match of this game is not over; `ludoteca play` offers to go on with it"
            )
        );
    }
}

fn seats(transcript: &Transcript) -> String {
    let name = |name: &String| match name.as_str() {
        "human" => say!("persona", "person"),
        other => other.to_string(),
    };
    let names: Vec<String> = transcript.seats.iter().map(name).collect();
    names.join(word!(" contra ", " against "))
}

/// How long ago something was, roughly.
fn ago(when: SystemTime) -> String {
    let passed = SystemTime::now()
        .duration_since(when)
        .unwrap_or(Duration::ZERO);
    let minutes = passed.as_secs() / 60;
    match minutes {
        0 => say!("ahora mismo", "just now"),
        1..60 => say!("hace {minutes} min", "{minutes} min ago"),
        60..2880 => {
            let hours = minutes / 60;
            say!("hace {hours} h", "{hours} h ago")
        }
        _ => {
            let days = minutes / 1440;
            say!("hace {days} días", "{days} days ago")
        }
    }
}

/// Whether a file is one of those kept here.
pub fn is_kept(path: &Path) -> bool {
    let whole = |path: &Path| path.canonicalize().ok();
    let folder = folder().and_then(|folder| whole(&folder));
    folder.is_some_and(|folder| whole(path).is_some_and(|path| path.starts_with(folder)))
}
