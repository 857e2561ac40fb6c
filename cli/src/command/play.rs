//! `ludoteca play`: a match at the terminal, or with programs through `--stdio`.

use crate::arguments::Play;
use crate::output::{Failure, Outcome, errln, unwritable};
use crate::{packs, saved, seats, stdio, terminal};
use ludoteca::play::journal::JournalError;
use ludoteca::play::session::{Session, Sitter};
use ludoteca::play::transcript::Transcript;
use ludoteca::table::game::Game;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub fn run(content: &[PathBuf], play: &Play) -> Outcome {
    if play.browser {
        return super::serve::play(content, play);
    }
    let loaded = play.load.as_deref().map(saved::read).transpose()?;
    let (selection, id) = match &loaded {
        Some(transcript) => (
            packs::selection_of(transcript),
            saved_game(play, transcript)?,
        ),
        None => (packs::selection(&play.game)?, play.game.game.clone()),
    };
    let load = || {
        let (library, _) = packs::open(content)?;
        packs::load_game(&library, &id, &selection)
    };
    if let Some(saved) = &loaded {
        // What has changed since is said; the answers are played as far as they fit.
        for missing in saved.missing(&packs::open(content)?.0.packs_used()) {
            errln!("{missing}");
        }
    }
    let game = load()?;
    let players = packs::players(
        &game,
        loaded
            .as_ref()
            .map(|transcript| transcript.players)
            .or(play.players),
    )?;
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
    let mut session = match (&loaded, &play.load) {
        (Some(transcript), Some(path)) => continue_from(game, seated, transcript, path),
        _ => Session::new(game, seated, seed, &selection),
    };
    if let Some(path) = &play.save {
        session.keep_in(path).map_err(|error| match error {
            JournalError::Io(error) => unwritable(path, &error),
            other => Failure::Usage(format!("{}: {other}", path.display())),
        })?;
    }
    if play.stdio {
        let outcome = stdio::play(&mut session, play.reader.lang);
        if let (Ok(()), Some(path)) = (&outcome, &play.save) {
            errln!("saved as {}", path.display());
        }
        return outcome;
    }
    let table = terminal::Table {
        sitters: &sitters,
        language: play.reader.lang,
        save: play.save.as_deref(),
        reload: &load,
    };
    terminal::play(table, session)
}

/// A saved match says itself what it is of; the command line must not say otherwise.
fn saved_game(play: &Play, transcript: &Transcript) -> Result<String, Failure> {
    if play.game.game != transcript.game {
        return Err(Failure::Usage(format!(
            "the saved match is of `{}`, not of `{}`",
            transcript.game, play.game.game
        )));
    }
    if !play.game.variants.is_empty() || !play.game.set.is_empty() {
        return Err(Failure::Usage(
            "a saved match brings its own variants and settings".into(),
        ));
    }
    Ok(transcript.game.clone())
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
        errln!("{name}: the last line is not whole and was dropped");
    }
    let selection = packs::selection_of(transcript);
    let (mut session, followed) = Session::load(game, seated, &selection, transcript);
    if transcript.content != session.transcript.content {
        errln!("{name}: the content has changed since; the answers are played as far as they fit");
    }
    if let Some(error) = followed.misfit {
        errln!("{name}: {error}");
        errln!("the match goes on from there");
    }
    session.forget(session.told());
    session
}

/// A seed for a match nobody asked to be a certain one. It is written in the transcript, so the match can be played again.
fn any_seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(1, |since| since.as_micros() as u64 % 1_000_000_000)
}
