//! `ludoteca play`: a match at the terminal, or with programs through `--stdio`.

use crate::arguments::Play;
use crate::kept::{self, Picked};
use crate::output::{Failure, Outcome, errln, unwritable};
use crate::seats::Invited;
use crate::words::errors::told;
use crate::words::{language, say};
use crate::{packs, saved, seats, stdio, terminal};
use ludoteca::{Game, JournalError, Selection, Session, Sitter, Transcript};
use std::io::{self, BufRead, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub fn run(content: &[PathBuf], play: &Play) -> Outcome {
    let named = play.game.is_some() || play.load.is_some();
    match named {
        true => begin(content, play, play.game.as_deref(), play.load.as_deref()),
        false if play.stdio || play.browser => Err(Failure::Usage(say!(
            "falta el juego; `ludoteca list` los muestra",
            "which game? `ludoteca list` shows them"
        ))),
        false if nobody_can_answer() => Err(nobody_here(&say!("JUEGO", "GAME"))),
        false => match kept::choose(&packs::open(content)?.0)? {
            Picked::GoOn(path) => begin(content, play, None, Some(&path)),
            Picked::New(game) => begin(content, play, Some(&game), None),
            Picked::Nothing => Ok(()),
        },
    }
}

fn begin(content: &[PathBuf], play: &Play, game: Option<&str>, load: Option<&Path>) -> Outcome {
    if play.browser {
        return super::serve::play(content, play);
    }
    let loaded = load.map(saved::read).transpose()?;
    let (selection, id) = match (&loaded, game) {
        (Some(transcript), named) => (transcript.selection(), saved_game(play, named, transcript)?),
        (None, named) => (
            packs::selected(&play.variants, &play.set)?,
            named.unwrap_or_default().to_string(),
        ),
    };
    let load_game = || {
        let (library, _) = packs::open(content)?;
        packs::load_game(&library, &id, &selection)
    };
    if let Some(saved) = &loaded {
        // What has changed since is said; the answers are played as far as they fit.
        for missing in saved.missing(&packs::open(content)?.0.packs_used()) {
            errln!("{missing}");
        }
    }
    let game = load_game()?;
    let players = loaded.as_ref().map(|transcript| transcript.players);
    let players = packs::players(&game, players.or(play.players))?;
    let names = match &loaded {
        Some(transcript) if play.seats.is_empty() => seats::again(&transcript.seats, play.stdio),
        _ => play.seats.clone(),
    };
    let sitters = seats::seats(&names, &game, players, play.stdio)?;
    let seed = loaded.as_ref().map_or_else(
        || play.seed.unwrap_or_else(any_seed),
        |transcript| transcript.seed,
    );
    let seated = seats::at_the_table(&sitters);
    let person = seated.iter().any(|sitter| sitter.chooser.is_none());
    if person && !play.stdio && nobody_can_answer() {
        return Err(nobody_here(&id));
    }
    let mut session = match (&loaded, load) {
        (Some(transcript), Some(path)) => continue_from(game, seated, transcript, path),
        _ => Session::new(game, seated, seed, &selection),
    };
    if loaded.is_none() && sitters.contains(&Invited::Human) {
        kept::remind(&id);
    }
    let kept = keep(&mut session, play, load)?;
    if play.stdio {
        session.forget(session.told());
        let outcome = stdio::play(&mut session, language());
        if let (Ok(()), Some(path)) = (&outcome, &kept) {
            let path = path.display();
            errln!("{}", say!("guardada en {path}", "saved as {path}"));
        }
        return outcome;
    }
    let table = terminal::Invitation {
        sitters: &sitters,
        save: kept.as_deref(),
        log: play.log.clone(),
        reload: &load_game,
    };
    terminal::play(table, session)
}

/// Where the match is kept from now on: where it was asked for, where it is already, or among the user's own. What programs play is
/// kept where they say, and nowhere else.
fn keep(
    session: &mut Session,
    play: &Play,
    load: Option<&Path>,
) -> Result<Option<PathBuf>, Failure> {
    let own = load.filter(|path| kept::is_kept(path));
    if let Some(path) = play.save.as_deref().or(own) {
        session.keep_in(path).map_err(|error| match error {
            JournalError::Io(error) => unwritable(path, &error),
            other => Failure::Usage(format!("{}: {}", path.display(), told(&other))),
        })?;
        return Ok(Some(path.to_path_buf()));
    }
    if play.stdio {
        return Ok(None);
    }
    Ok(kept::keep(session))
}

fn nobody_here(game: &str) -> Failure {
    Failure::Usage(say!(
        "aquí no hay terminal, ni nada de donde leer respuestas; «ludoteca play {game} --browser» abre la mesa en una página, «--seats random» deja jugar a los bots, «--stdio» es para programas",
        "there is no terminal here, and nothing to read answers from; `ludoteca play {game} --browser` opens the table on a page, `--seats random` lets bots play, `--stdio` is for programs"
    ))
}

/// Whether nobody sits at a terminal, and nothing was handed in instead. Through a pipe somebody may still speak: it is not waited for.
fn nobody_can_answer() -> bool {
    let stdin = io::stdin();
    !stdin.is_terminal()
        && !is_spoken_through(&stdin)
        && stdin.lock().fill_buf().is_ok_and(<[u8]>::is_empty)
}

#[cfg(unix)]
fn is_spoken_through(stdin: &io::Stdin) -> bool {
    use std::os::fd::AsFd;
    use std::os::unix::fs::FileTypeExt;
    let copy = stdin.as_fd().try_clone_to_owned();
    let facts = copy.and_then(|copy| std::fs::File::from(copy).metadata());
    facts.is_ok_and(|facts| facts.file_type().is_fifo() || facts.file_type().is_socket())
}

/// What standard input is, only the system knows.
#[cfg(not(unix))]
fn is_spoken_through(_: &io::Stdin) -> bool {
    true
}

/// A saved match says itself what it is of; the command line must not say otherwise.
fn saved_game(
    play: &Play,
    named: Option<&str>,
    transcript: &Transcript,
) -> Result<String, Failure> {
    let found = &transcript.game;
    if let Some(named) = named.filter(|named| named != found) {
        return Err(Failure::Usage(say!(
            "la partida guardada es de «{found}», no de «{named}»",
            "the saved match is of `{found}`, not of `{named}`"
        )));
    }
    if !play.variants.is_empty() || !play.set.is_empty() {
        return Err(Failure::Usage(say!(
            "una partida guardada trae sus propias variantes y ajustes",
            "a saved match brings its own variants and settings"
        )));
    }
    Ok(found.clone())
}

/// Plays the answers of a saved match. Content that has changed since is fine as far as the answers fit.
fn continue_from(
    game: Arc<Game>,
    seated: Vec<Sitter>,
    transcript: &Transcript,
    path: &Path,
) -> Session {
    let name = path.display();
    if transcript.torn {
        errln!("{name}: {}", saved::torn());
    }
    let selection: Selection = transcript.selection();
    let (session, followed) = Session::load(game, seated, &selection, transcript);
    if transcript.content != session.transcript.content {
        errln!(
            "{}",
            say!(
                "{name}: el contenido ha cambiado desde entonces; las respuestas se juegan hasta donde encajen",
                "{name}: the content has changed since; the answers are played as far as they fit"
            )
        );
    }
    if let Some(error) = followed.misfit {
        errln!("{name}: {}", told(&error));
        errln!(
            "{}",
            say!("la partida sigue desde ahí", "the match goes on from there")
        );
    }
    session
}

/// A seed for a match nobody asked to be a certain one. It is written in the transcript, so the match can be played again.
fn any_seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(1, |since| since.as_micros() as u64 % 1_000_000_000)
}
